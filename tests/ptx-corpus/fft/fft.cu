/* 1024-point complex FFT a block: radix 2 in shared memory, bit-reversed loads, twiddles by sincospi; then a power spectrum. */
#include "../cuda_compat.h"

#define N 1024
KERNEL fft1024(const float2 *in, float2 *out, int inverse)
{
	__shared__ float2 s[N];
	const float2 *src = in + blockIdx.x * N;
	int t = threadIdx.x;
	for (int i = t; i < N; i += 256)
		s[__brev(i) >> 22] = src[i];
	__syncthreads();
	for (int half = 1; half < N; half <<= 1) {
		for (int k = t; k < N / 2; k += 256) {
			int j = k & (half - 1), a = 2 * (k - j) + j, b = a + half;
			float sn, cs;
			sincospif((inverse ? 1.0f : -1.0f) * (float)j / (float)half, &sn, &cs);
			float2 u = s[a], v = s[b];
			float2 w = make_float2(v.x * cs - v.y * sn, v.x * sn + v.y * cs);
			s[a] = make_float2(u.x + w.x, u.y + w.y);
			s[b] = make_float2(u.x - w.x, u.y - w.y);
		}
		__syncthreads();
	}
	float scale = inverse ? 1.0f / N : 1.0f;
	for (int i = t; i < N; i += 256)
		out[blockIdx.x * N + i] = make_float2(s[i].x * scale, s[i].y * scale);
}

KERNEL power(const float2 *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = sqrtf(fmaf(in[i].x, in[i].x, in[i].y * in[i].y));
}
