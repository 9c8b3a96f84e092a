/* f16 arithmetic: fused multiply-add in pairs, a polynomial, dot products accumulated in f32, conversions, comparisons,
 * and a warp reduction of pairs. */
#include "../cuda_compat.h"

KERNEL haxpy(int n2, float a, const half2 *x, half2 *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n2)
		y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}

KERNEL hpoly(int n2, const half2 *x, half2 *out)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n2; i += gridDim.x * blockDim.x) {
		half2 v = x[i], one = __float2half2_rn(1.0f);
		half2 r = __hfma2(v, __float2half2_rn(0.125f), __float2half2_rn(-0.5f));
		r = __hfma2(r, v, one);
		r = __hmul2(r, __hsub2(one, v));
		r = __hadd2(r, __lowhigh2highlow(v));
		out[i] = __hneg2(r);
	}
}

KERNEL hmatvec(const half *m, const half2 *v, float *out, int cols2)
{
	const half2 *row = (const half2 *)m + blockIdx.x * cols2;
	float acc = 0;
	for (int i = threadIdx.x; i < cols2; i += 32) {
		float2 a = __half22float2(row[i]), b = __half22float2(v[i]);
		acc = fmaf(a.x, b.x, acc);
		acc = fmaf(a.y, b.y, acc);
	}
	for (int d = 16; d > 0; d >>= 1)
		acc += __shfl_xor_sync(0xffffffffu, acc, d);
	if (threadIdx.x == 0)
		out[blockIdx.x] = acc;
}

KERNEL hclamp(const float *in, half *out, int *level, int n, float lo, float hi)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	half v = __float2half(in[i]), l = __float2half(lo), h = __float2half(hi);
	if (__hlt(v, l))
		v = l;
	else if (__hgt(v, h))
		v = h;
	half scaled = __hfma(v, __float2half(16.0f), __hmul(v, v));
	level[i] = __half2int_rn(__hsub(scaled, __int2half_rn(i & 7)));
	out[i] = __hadd(v, __ushort_as_half((unsigned short)(0x1000 + (i & 255))));
}

KERNEL hwarp_sum(const half2 *in, half2 *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	half2 v = in[i];
	for (int d = 16; d > 0; d >>= 1)
		v = __hadd2(v, __shfl_xor_sync(0xffffffffu, v, d));
	if ((threadIdx.x & 31) == 0)
		out[i >> 5] = v;
}
