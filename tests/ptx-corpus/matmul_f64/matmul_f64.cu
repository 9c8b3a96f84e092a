/* C = alpha A B + beta C in double, 16 x 16 shared tiles, ragged edges. */
#include "../cuda_compat.h"

#define T 16
KERNEL dgemm(const double *A, const double *B, double *C, int M, int N, int K, double alpha, double beta)
{
	__shared__ double a[T][T + 1], b[T][T + 1];
	int x = threadIdx.x, y = threadIdx.y;
	int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
	double acc = 0;
	for (int k0 = 0; k0 < K; k0 += T) {
		a[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0;
		b[y][x] = col < N && k0 + y < K ? B[(k0 + y) * N + col] : 0.0;
		__syncthreads();
		for (int k = 0; k < T; k++)
			acc = fma(a[y][k], b[k][x], acc);
		__syncthreads();
	}
	if (row < M && col < N)
		C[row * N + col] = fma(alpha, acc, __dmul_rn(beta, C[row * N + col]));
}

/* x = b / diag, residual norm pieces: division and square root in double. */
KERNEL dnormalize(const double *v, double *out, int n, int width)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double s = 0;
	for (int k = 0; k < width; k++)
		s = fma(v[i * width + k], v[i * width + k], s);
	double r = sqrt(s);
	for (int k = 0; k < width; k++)
		out[i * width + k] = v[i * width + k] / r;
}
