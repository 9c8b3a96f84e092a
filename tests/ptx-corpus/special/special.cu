/* The mathematical library, f32 and f64, over ordinary arguments: what nvcc and clang inline of NVIDIA's libdevice. */
#include "../cuda_compat.h"

KERNEL special_f32(const float *x, const float *y, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float a = x[i], b = y[i], p = fabsf(a) + 0.01f, *o = out + i * 20;
	o[0] = sinf(a * 20.0f);
	o[1] = cosf(a * 20.0f);
	o[2] = tanf(a);
	o[3] = expf(a);
	o[4] = logf(p);
	o[5] = powf(p, b);
	o[6] = erff(a);
	o[7] = cbrtf(a);
	o[8] = atan2f(a, b);
	o[9] = fmodf(a * 100.0f, p);
	o[10] = hypotf(a, b);
	o[11] = tanhf(a);
	o[12] = asinf(a * 0.2f);
	o[13] = log1pf(p);
	o[14] = expm1f(a);
	o[15] = roundf(a * 10.0f) + truncf(b * 10.0f) + ceilf(a);
	o[16] = exp10f(b);
	o[17] = lgammaf(p + 1.0f);
	o[18] = remainderf(a * 50.0f, 3.0f);
	o[19] = copysignf(ldexpf(p, i % 7 - 3), b);
}

KERNEL special_f64(const double *x, const double *y, double *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double a = x[i], b = y[i], p = fabs(a) + 0.01, *o = out + i * 14;
	o[0] = sin(a * 20.0);
	o[1] = cos(a * 20.0);
	o[2] = exp(a);
	o[3] = log(p);
	o[4] = pow(p, b);
	o[5] = erf(a);
	o[6] = cbrt(a);
	o[7] = atan2(a, b);
	o[8] = fmod(a * 100.0, p);
	o[9] = hypot(a, b);
	o[10] = tanh(a);
	o[11] = floor(a * 10.0) + rint(b * 10.0) + trunc(p * 100.0);
	o[12] = fmin(a, b) * 3.0 - fmax(a * 2.0, b);
	o[13] = rsqrt(p) + (double)(long long)(a * 1e6) + (double)(unsigned)(p * 1e3);
}

/* Comparisons and selections with NaN, infinities and zeros of both signs. */
KERNEL compare(const unsigned *bits, unsigned *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float a = __uint_as_float(bits[i]), b = __uint_as_float(bits[(i * 7 + 3) % n]);
	unsigned r = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | !(a < b) << 4 | !(a >= b) << 5 | isnan(a) << 6 |
	             isinf(b) << 7 | (signbit(a) != 0) << 8;
	float lo = fminf(a, b), hi = fmaxf(a, b);
	r |= (lo == a) << 9 | (hi == b) << 10 | (isnan(lo)) << 11;
	double da = a, db = b;
	r |= (da > db) << 12 | !(da > db) << 13 | !(da <= db) << 14 | (da != db) << 15;
	int s = (int)a;
	unsigned u = (unsigned)b;
	long long l = (long long)da;
	out[4 * i] = r;
	out[4 * i + 1] = (unsigned)s;
	out[4 * i + 2] = u;
	out[4 * i + 3] = (unsigned)(l >> 5) ^ (unsigned)(unsigned long long)fabs(db);
}
