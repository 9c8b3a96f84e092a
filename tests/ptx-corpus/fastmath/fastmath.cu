/* flags: nvcc -use_fast_math
 * flags: clang -ffast-math -fgpu-flush-denormals-to-zero -fgpu-approx-transcendentals
 * flags: amdgpu -fgpu-flush-denormals-to-zero -fapprox-func
 * Built with flush-to-zero and approximate functions: oscillators, a gamma curve, distances, and sums of denormals that
 * must vanish. */
#include "../cuda_compat.h"

KERNEL waves(float *out, int n, float freq, float decay)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float t = (float)(i % 4096) / 4096.0f, s, c;
	sincosf(freq * t, &s, &c);
	float e = expf(-decay * t);
	out[i] = e * (s + 0.5f * c) + cosf(3.0f * t) * sinf(1.0f - t);
}

KERNEL curve(const float *in, float *out, int n, float gamma)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float v = in[i];
	float p = exp2f(gamma * logf(v) * 1.44269504f);
	out[i] = p / (p + 0.155f) * 1.019f + sqrtf(v) * 0.25f;
}

KERNEL distances(const float4 *a, const float4 *b, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float4 p = a[i], q = b[i];
	float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
	float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
	out[i] = (dx * p.w + dy * q.w) * r + 1.0f / (1.0f + fabsf(dz));
}

/* Inputs around the smallest normal number: anything below is zero, in and out. */
KERNEL tiny(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float v = in[i] * 1.0e-19f, w = __fmul_rn(v, 1.0e-19f);
	float d = __fadd_rn(w, -__fmul_rn(in[n - 1 - i], 1.17549435e-38f));
	out[2 * i] = w;
	out[2 * i + 1] = __fmul_rn(d, 1.0e30f);
}
