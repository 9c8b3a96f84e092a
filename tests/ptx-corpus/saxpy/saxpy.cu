/* y = a x + y, one element a thread, with a ragged last block; and the same as a grid-stride loop over float4. */
#include "../cuda_compat.h"

KERNEL saxpy(int n, float a, const float *x, float *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = a * x[i] + y[i];
}

KERNEL saxpy4(int n4, float a, const float4 *__restrict__ x, float4 *__restrict__ y)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
		float4 u = x[i], v = y[i];
		v.x = fmaf(a, u.x, v.x);
		v.y = fmaf(a, u.y, v.y);
		v.z = fmaf(a, u.z, v.z);
		v.w = fmaf(a, u.w, v.w);
		y[i] = v;
	}
}
