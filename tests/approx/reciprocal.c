/* What ir_legal_divsqrt.c says of its sequences, for every operand and every result that v_rcp may give (within an ulp of f32; f64: 2^29 ulp).
 *
 * f32: all denominators. f64: those of which the reciprocal is hard. The steps are those of the pass, in host arithmetic. */
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/bits.h"

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

static uint64_t next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	return *s ^= *s << 17;
}

static double off_half(double y)
{
	uint64_t u = bits64(y);
	return float64((uint32_t)u ? u : u + 1);
}

static double cubic64(double d, double y)
{
	double e = fma(-d, y, 1);
	return fma(fma(e, e, e), y, y);
}

static double reciprocal64(double d, double y)
{
	return fma(fma(-d, y, 1), off_half(y), y);
}

/* As division goes on from y. */
static double nearest64(double d, double y)
{
	y = off_half(y);
	return fma(fma(-d, y, 1), y, y);
}

/* Every y that off_half changes, and every d of which it may be the reciprocal as the cubic step gives it. */
static bool reciprocals64(void)
{
	for (uint64_t m = TOP53 / 2; m < TOP53; m += (uint64_t)1 << 32) {
		double y = (double)m * 0x1p-53;
		uint64_t d = (uint64_t)(0x1p105L / (long double)m);
		for (uint64_t k = d - 1; k <= d + 1; k++) {
			double x = (double)k * 0x1p-52, e = fma(-x, y, 1); /* in ulps of y: e / x 2^53 */
			if (k >= TOP53 / 2 && k < TOP53 && fabs(e) <= x * 0x1.04p-54 &&
			    (reciprocal64(x, y) != 1 / x || nearest64(x, y) != 1 / x))
				return false;
		}
	}
	return true;
}

static uint64_t root(unsigned __int128 x)
{
	uint64_t r = (uint64_t)sqrtl((long double)x);
	while ((unsigned __int128)r * r > x)
		r--;
	while ((unsigned __int128)(r + 1) * (r + 1) <= x)
		r++;
	return r;
}

/* y within half an ulp and 2^-15 of it, fma(e, y, y) is 1/d to nearest unless d (2 y' + 1) = 2^106 - 1, d above 2^53 - 2^38: with 2^53 - j
 * and 2^53 + j + p, j (j + p) - 1 = 2^53 p. For p = 0 that is j = 1, all ones. */
static bool nearest_but_for_ones(void)
{
	for (uint64_t p = 1; p < (uint64_t)1 << 24; p++) {
		unsigned __int128 square = (unsigned __int128)p * p + ((unsigned __int128)p << 55) + 4;
		uint64_t r = root(square);
		if ((unsigned __int128)r * r == square && !((r - p) & 1))
			return false;
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

static bool divides_by(uint64_t d, int err)
{
	uint64_t n, q;
	double x = (double)d * 0x1p-52, y = nearest64(x, cubic64(x, 1 / x * (1 + err * 0x1p-29)));
	if (y != 1 / x)
		return false;
	for (int c = -7; c <= 7; c += 2) {
		if (!hard_quotient(d, c, &n, &q))
			continue;
		double num = (double)n * 0x1p-52, r = num * y;
		if (fma(fma(-x, r, num), y, r) != num / x || num / x != (double)q * 0x1p-53 * (n >= d ? 2 : 1))
			return false;
	}
	return true;
}

static bool divides_by_nearly_ones(void)
{
	uint64_t s = 88172645463325252u;
	for (uint64_t j = 1; j < 2048; j += 2)
		for (int err = -64; err <= 64; err++)
			if (!divides_by(TOP53 - j, err))
				return false;
	for (int k = 0; k < 1 << 20; k++) {
		uint64_t j = next_random(&s) >> (25 + next_random(&s) % 38) | 1;
		if (!divides_by(TOP53 - j, (int)(next_random(&s) % 129) - 64))
			return false;
	}
	return true;
}

/* Of all odd x from 2^53 to 2^54 with x^2 + c = 2^k v, v of 53 bits, that v; c = -1 modulo 8. */
static int hard_roots(int c, int k, uint64_t v[4])
{
	uint64_t square = (uint64_t)-(int64_t)c, x = 1, half = (uint64_t)1 << (k - 1), mask = 2 * half - 1;
	int n = 0;
	for (int b = 3; b < 60; b++)
		if ((x * x - square) >> b & 1)
			x += (uint64_t)1 << (b - 1);
	for (int i = 0; i < 4; i++) {
		uint64_t r = ((i & 1 ? x : -x) + (i & 2 ? half : 0)) & mask;
		unsigned __int128 t = (unsigned __int128)r * r + (unsigned __int128)(__int128)c;
		if (r >> 53 == 1 && (t >> k) >> 52 == 1)
			v[n++] = (uint64_t)(t >> k);
	}
	return n;
}

static double root64(double v, double y)
{
	double g = v * y, h = y * 0.5;
	return fma(fma(-g, g, v), h, g);
}

/* y as the cubic step gives it is within half an ulp and 2^-54 of 1/sqrt(v). The last step errs by less than 7 / (8 sqrt(v)) ulps, so roots nearer to
 * half way between two numbers are all there is to look at: any such y, and whatever v_rsq may give. */
static bool roots64(void)
{
	uint64_t hard[4], s = 88172645463325252u;
	for (int c = -1025; c < 1024; c += 8)
		for (int k = 54; k <= 55; k++)
			for (int i = hard_roots(c, k, hard); i-- > 0;) {
				double v = ldexp((double)hard[i], k == 54 ? -52 : -51), right = sqrt(v), nearest = (double)(1 / sqrtl((long double)v));
				for (int ulp = -2; ulp <= 2; ulp++) {
					double y = float64(bits64(nearest) + (uint64_t)(int64_t)ulp);
					long double exact = 1 / sqrtl((long double)v), off = fabsl((long double)y - exact);
					if (off <= 0x1p-54L * exact + 0x1p-54L && root64(v, y) != right)
						return false;
				}
				for (int try = 0; try < 1024; try++) {
					uint64_t random = next_random(&s);
					double y = nearest * (1 + (double)(int64_t)random * 0x1p-86 / (double)((uint64_t)1 << try % 32));
					double e = fma(-y, v * y, 1);
					if (root64(v, fma(y, e * fma(e, 0.375, 0.5), y)) != right)
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
		{"f64: nearest reciprocals but for all ones", nearest_but_for_ones}, {"f64: quotients by nearly all ones", divides_by_nearly_ones},
		{"f32: roots", roots32}, {"f64: roots", roots64}};
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
