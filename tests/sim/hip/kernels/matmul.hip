#include "hip.h"
template <typename T> static __device__ inline T mad(T a, T b, T c);
template <> __device__ inline float mad(float a, float b, float c)
{
	return __builtin_fmaf(a, b, c);
}
template <> __device__ inline double mad(double a, double b, double c)
{
	return __builtin_fma(a, b, c);
}
template <typename T> static __device__ inline void tile(u32 n, const T *a, const T *b, T *c)
{
	__shared__ T sa[16][16], sb[16][17];
	u32 x = tid(), y = tidy(), row = bidy() * 16 + y, col = bid() * 16 + x;
	T sum = 0;
	for (u32 k = 0; k < n; k += 16) {
		sa[y][x] = a[row * n + k + x];
		sb[y][x] = b[(k + y) * n + col];
		barrier();
		for (u32 j = 0; j < 16; j++)
			sum = mad(sa[y][j], sb[j][x], sum);
		barrier();
	}
	c[row * n + col] = sum;
}
KERNEL matmul_f32(u32 n, const float *a, const float *b, float *c)
{
	tile<float>(n, a, b, c);
}
KERNEL matmul_f64(u32 n, const double *a, const double *b, double *c)
{
	tile<double>(n, a, b, c);
}
