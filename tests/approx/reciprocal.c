/* What ir_legal_divsqrt.c says of its sequences, for every operand and every result that v_rcp may give (within an ulp of f32; f64: 2^29 ulp).
 *
 * f32: all denominators. f64: those of which the reciprocal is hard. The steps are those of the pass, in host arithmetic. */
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static float float32(uint32_t u)
{
	float f;
	memcpy(&f, &u, 4);
	return f;
}
static uint32_t bits32(float f)
{
	uint32_t u;
	memcpy(&u, &f, 4);
	return u;
}
static uint64_t bits64(double f)
{
	uint64_t u;
	memcpy(&u, &f, 8);
	return u;
}
static double float64(uint64_t u)
{
	double f;
	memcpy(&f, &u, 8);
	return f;
}

enum { ONES = 0xffffff };
static const uint64_t TOP53 = (uint64_t)1 << 53;

/* The f32 within an ulp of exact, which is not subnormal. */
static int near32(double exact, float r[3])
{
	int n = 0, e;
	(void)frexp(exact, &e);
	for (int k = -1; k <= 1; k++) {
		float f = float32(bits32((float)exact) + (uint32_t)k);
		if (fabs((double)f - exact) <= ldexp(1, e - 24))
			r[n++] = f;
	}
	return n;
}

static float newton32(float d, float y, float first)
{
	return fmaf(fmaf(-d, y, first), y, y);
}

static bool newton_is_nearest(void)
{
	for (uint32_t m = 0x800000; m < ONES; m++) {
		float d = (float)m * 0x1p-23f, y[3];
		for (int k = near32(1 / (double)d, y); k-- > 0;)
			if (newton32(d, y[k], 1) != 1 / d)
				return false;
	}
	return true;
}

static float quotient32(float n, float d, float y)
{
	float q = float32(bits32(n * y) + 1);
	q = fmaf(fmaf(-d, q, n), y, q);
	return fmaf(fmaf(-d, q, n), y, q);
}

static bool divides_by_ones(void)
{
	float d = (float)ONES * 0x1p-23f, y[3];
	for (int k = near32(1 / (double)d, y); k-- > 0;)
		for (uint32_t m = 0x800000; m <= ONES; m++) {
			float n = (float)m * 0x1p-23f;
			if (quotient32(n, d, newton32(d, y[k], 1)) != n / d)
				return false;
		}
	return true;
}

/* q + r y, 1/2 to 1, rounded to so many bits behind the point: as that of 1 / d? */
static bool rounds_alike(double q, double r, double y, uint32_t m, int bits)
{
	uint64_t n = (uint64_t)1 << (23 + bits), k = (2 * n + m) / (2 * (uint64_t)m);
	return fabs(fma(r, y, q - ldexp((double)k, -bits))) <= ldexp(1, -bits - 1) - 0x1p-52;
}

static bool reciprocals32(void)
{
	for (uint32_t m = 0x800000; m <= ONES; m++) {
		float d = (float)m * 0x1p-23f, y0[3];
		for (int k = near32(1 / (double)d, y0); k-- > 0;) {
			float y = newton32(d, y0[k], 0x1.fffffep-1f), q = float32(bits32(y) + 1), r = fmaf(-d, q, 1);
			if (fmaf(r, y, q) != 1 / d || !rounds_alike(q, r, y, m, 23) || !rounds_alike(q, r, y, m, 22)) /* the subnormals */
				return false;
		}
	}
	return true;
}

static double off_half(double y)
{
	uint64_t u = bits64(y);
	return float64((uint32_t)u ? u : u + 1);
}

static double reciprocal64(double d, double y)
{
	return fma(fma(-d, y, 1), off_half(y), y);
}

/* Every y that off_half changes, and every d of which it may be the reciprocal as two steps give it. */
static bool reciprocals64(void)
{
	for (uint64_t m = TOP53 / 2; m < TOP53; m += (uint64_t)1 << 32) {
		double y = (double)m * 0x1p-53;
		uint64_t d = (uint64_t)(0x1p105L / (long double)m);
		for (uint64_t k = d - 1; k <= d + 1; k++) {
			double x = (double)k * 0x1p-52, e = fma(-x, y, 1); /* in ulps of y: e / x 2^53 */
			if (k >= TOP53 / 2 && k < TOP53 && fabs(e) <= x * 0x1.04p-54 && reciprocal64(x, y) != 1 / x)
				return false;
		}
	}
	return true;
}

/* 2^54 n = d (2 q + 1) + c */
static bool hard_quotient(uint64_t d, int c, uint64_t *n, uint64_t *nearest)
{
	uint64_t inverse = d, mask = ((uint64_t)1 << 54) - 1;
	for (int step = 0; step < 6; step++)
		inverse *= 2 - d * inverse;
	uint64_t odd = (inverse * -(uint64_t)(int64_t)c) & mask;
	unsigned __int128 product = (unsigned __int128)d * odd;
	product = c < 0 ? product - (unsigned)-c : product + (unsigned)c;
	*n = (uint64_t)(product >> 54);
	*nearest = odd / 2 + (c > 0);
	return odd & 1 && odd >> 53 && *n >= TOP53 / 2 && *n < TOP53;
}

static bool divides_by_nearly_ones(void)
{
	uint64_t n, q;
	for (uint64_t j = 1; j < 2048; j += 2)
		for (int err = -64; err <= 64; err++) {
			double d = (double)(TOP53 - j) * 0x1p-52, y = 1 / d * (1 + err * 0x1p-29);
			y = fma(fma(-d, y, 1), y, y);
			y = off_half(fma(fma(-d, y, 1), y, y));
			y = fma(fma(-d, y, 1), y, y);
			if (y != 1 / d)
				return false;
			for (int c = -7; c <= 7; c += 2) {
				if (!hard_quotient(TOP53 - j, c, &n, &q))
					continue;
				double x = (double)n * 0x1p-52, r = x * y;
				if (fma(fma(-d, r, x), y, r) != x / d || x / d != (double)q * 0x1p-53 * (n >= TOP53 - j ? 2 : 1))
					return false;
			}
		}
	return true;
}

/* v_sqrt within an ulp, its neighbours, and the remainders' signs. */
static bool roots32(void)
{
	for (uint32_t m = 0x3f800000; m < 0x40800000; m++) {
		float v = float32(m), s0[3];
		for (int k = near32(sqrt((double)v), s0); k-- > 0;) {
			float s = s0[k], down = float32(bits32(s) - 1), up = float32(bits32(s) + 1);
			float below = fmaf(-down, s0[k], v), above = fmaf(-up, s0[k], v);
			s = above > 0 ? up : below <= 0 ? down : s;
			if (s != sqrtf(v))
				return false;
		}
	}
	return true;
}

int main(void)
{
	static const struct {
		const char *what;
		bool (*holds)(void);
	} claims[] = {{"f32: one step gives 1/d to nearest", newton_is_nearest}, {"f32: quotients by all ones", divides_by_ones},
		{"f32: reciprocals", reciprocals32}, {"f64: reciprocals by way of an ulp more", reciprocals64},
		{"f64: quotients by nearly all ones", divides_by_nearly_ones}, {"f32: roots", roots32}};
	unsigned passed = 0, failed = 0;
	for (size_t k = 0; k < sizeof claims / sizeof *claims; k++) {
		bool ok = claims[k].holds();
		passed += ok;
		failed += !ok;
		if (!ok)
			printf("FAILED %s\n", claims[k].what);
	}
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
