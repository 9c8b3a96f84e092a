/* European options by the Black-Scholes formula; the normal distribution by a polynomial, as the well-known sample does. */
#include "../cuda_compat.h"

static __device__ __forceinline__ float cnd(float d)
{
	const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
	float k = 1.0f / fmaf(0.2316419f, fabsf(d), 1.0f);
	float c = 0.39894228f * expf(-0.5f * d * d) *
	          (k * fmaf(k, fmaf(k, fmaf(k, fmaf(k, a5, a4), a3), a2), a1));
	return d > 0 ? 1.0f - c : c;
}

KERNEL blackscholes(float *call, float *put, const float *price, const float *strike, const float *years, float rate,
                    float vol, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float s = price[i], x = strike[i], t = years[i];
		float root = sqrtf(t);
		float d1 = (logf(s / x) + fmaf(0.5f * vol, vol, rate) * t) / (vol * root);
		float d2 = d1 - vol * root;
		float n1 = cnd(d1), n2 = cnd(d2), e = expf(-rate * t);
		call[i] = s * n1 - x * e * n2;
		put[i] = x * e * (1.0f - n2) - s * (1.0f - n1);
	}
}

/* The same with the fast intrinsics. */
KERNEL blackscholes_fast(float *call, const float *price, const float *strike, const float *years, float rate,
                         float vol, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float s = price[i], x = strike[i], t = years[i];
	float root = t * rsqrtf(t), vr = vol * root;
	float d1 = __fdividef(__logf(__fdividef(s, x)) + (rate + 0.5f * vol * vol) * t, vr);
	float d2 = d1 - vr;
	call[i] = s * cnd(d1) - x * __expf(-rate * t) * cnd(d2);
}
