/* Sparse matrix (CSR) times vector: a thread a row, and a warp a row. */
#include "../cuda_compat.h"

KERNEL spmv_scalar(int rows, const int *start, const int *col, const float *val, const float *x, float *y)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x;
	if (r >= rows)
		return;
	float acc = 0;
	for (int i = start[r]; i < start[r + 1]; i++)
		acc = fmaf(val[i], __ldg(&x[col[i]]), acc);
	y[r] = acc;
}

KERNEL spmv_warp(int rows, const int *__restrict__ start, const int *__restrict__ col, const float *__restrict__ val,
                 const float *__restrict__ x, float *__restrict__ y)
{
	int r = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
	if (r >= rows)
		return;
	float acc = 0;
	for (int i = start[r] + lane; i < start[r + 1]; i += 32)
		acc = fmaf(val[i], x[col[i]], acc);
	for (int d = 16; d > 0; d >>= 1)
		acc += __shfl_xor_sync(0xffffffffu, acc, d);
	if (lane == 0)
		y[r] = acc;
}
