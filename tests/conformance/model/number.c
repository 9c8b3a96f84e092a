/* Exact numbers and their rounding. IEEE 754, sections 4.3 and 7.4; the small formats: OCP Microscaling Formats,
 * section 5.3. */
#include "model.h"

const struct format fmt_f16 = {"f16", 5, 10, 15, true, 0x7bff, 0x7fff};
const struct format fmt_bf16 = {"bf16", 8, 7, 127, true, 0x7f7f, 0x7fff};
const struct format fmt_f32 = {"f32", 8, 23, 127, true, 0x7f7fffff, 0x7fffffff};
const struct format fmt_f64 = {"f64", 11, 52, 1023, true, 0x7fefffffffffffff, 0x7fffffffffffffff};
const struct format fmt_tf32 = {"tf32", 8, 10, 127, true, 0x3fbff, 0x3ffff};
const struct format fmt_e4m3 = {"e4m3", 4, 3, 7, false, 0x7e, 0x7f};
const struct format fmt_e5m2 = {"e5m2", 5, 2, 15, true, 0x7b, 0x7f};
const struct format fmt_e2m1 = {"e2m1", 2, 1, 1, false, 0x7, 0x7};
const struct format fmt_e2m3 = {"e2m3", 2, 3, 1, false, 0x1f, 0x1f};
const struct format fmt_e3m2 = {"e3m2", 3, 2, 3, false, 0x1f, 0x1f};

static int length(unsigned __int128 m)
{
	int n = 0;
	for (; m; m >>= 1)
		n++;
	return n;
}

static uint64_t low_bits(int n)
{
	return ((uint64_t)1 << n) - 1;
}

struct number number_of(const struct format *f, uint64_t code)
{
	uint64_t mant = code & low_bits(f->mant), exp = code >> f->mant & low_bits(f->exp),
		 mag = code & low_bits(f->mant + f->exp);
	struct number x = {.neg = code >> (f->mant + f->exp) & 1};
	if (f->inf && exp == low_bits(f->exp)) {
		x.cls = mant ? N_NAN : N_INF;
	} else if (!f->inf && mag > f->max) {
		x.cls = N_NAN;
	} else if (mag) {
		x.cls = N_FINITE;
		x.m = exp ? mant | (uint64_t)1 << f->mant : mant;
		x.e = (exp ? (int)exp : 1) - f->bias - f->mant;
	}
	return x;
}

/* Is the magnitude (kept + fraction) ulps to become kept + 1? half: -1, 0, 1 as the fraction is below, at or above one
 * half. */
static bool rounds_up(enum rounding r, bool neg, bool odd, bool inexact, int half)
{
	switch (r) {
	case RND_RN:
		return half > 0 || (half == 0 && odd);
	case RND_RNA:
		return half >= 0;
	case RND_RM:
		return inexact && neg;
	case RND_RP:
		return inexact && !neg;
	default:
		return false;
	}
}

static bool overflows_to_inf(enum rounding r, bool neg)
{
	return r == RND_RN || r == RND_RNA || (r == RND_RM && neg) || (r == RND_RP && !neg);
}

uint64_t number_code(const struct format *f, enum rounding r, bool satfinite, struct number x)
{
	int width = f->exp + f->mant, least = 1 - f->bias - f->mant;
	uint64_t sign = (uint64_t)x.neg << width, inf = f->max + 1;
	if (x.cls == N_NAN)
		return f->nan;
	if (x.cls == N_ZERO)
		return sign;
	if (x.cls == N_INF)
		return sign | (satfinite || !f->inf ? f->max : inf);
	int ulp = x.e + length(x.m) - (f->mant + 1); /* exponent of the last place */
	if (ulp < least)
		ulp = least;
	int drop = ulp - x.e;
	unsigned __int128 kept = drop <= 0 ? x.m << -drop : drop < 128 ? x.m >> drop : 0;
	if (drop > 0) {
		unsigned __int128 rest = drop < 128 ? x.m - (kept << drop) : x.m, one = 1;
		int half = drop > 128 || rest < one << (drop - 1) ? -1 : rest > one << (drop - 1);
		kept += rounds_up(r, x.neg, kept & 1, rest != 0, half);
	}
	/* A normal's hidden bit adds one to the exponent field, and so does a carry out of the mantissa. */
	unsigned __int128 code = kept;
	if (kept >> f->mant)
		code += (unsigned __int128)(ulp - least) << f->mant;
	if (code > f->max)
		return sign | (!satfinite && f->inf && overflows_to_inf(r, x.neg) ? inf : f->max);
	return sign | (uint64_t)code;
}

struct number number_mul(struct number x, struct number y)
{
	struct number d = {.neg = x.neg != y.neg};
	if (x.cls == N_NAN || y.cls == N_NAN || (x.cls == N_INF && y.cls == N_ZERO) ||
	    (x.cls == N_ZERO && y.cls == N_INF)) {
		d.cls = N_NAN;
	} else if (x.cls == N_INF || y.cls == N_INF) {
		d.cls = N_INF;
	} else if (x.cls == N_FINITE && y.cls == N_FINITE) {
		d.cls = N_FINITE;
		d.m = x.m * y.m;
		d.e = x.e + y.e;
	}
	return d;
}

/* To exponent e: what is shifted out is or-ed into the last bit. */
static unsigned __int128 aligned(struct number x, int e)
{
	if (x.e >= e)
		return x.m << (x.e - e);
	int n = e - x.e;
	unsigned __int128 m = n < 128 ? x.m >> n : 0;
	return n >= 128 || m << n != x.m ? m | 1 : m;
}

struct number number_add(enum rounding r, struct number x, struct number y)
{
	struct number d = {0};
	if (x.cls == N_NAN || y.cls == N_NAN || (x.cls == N_INF && y.cls == N_INF && x.neg != y.neg)) {
		d.cls = N_NAN;
		return d;
	}
	if (x.cls == N_INF || y.cls == N_INF)
		return x.cls == N_INF ? x : y;
	if (x.cls == N_ZERO && y.cls == N_ZERO) {
		d.neg = x.neg == y.neg ? x.neg : r == RND_RM;
		return d;
	}
	if (x.cls == N_ZERO || y.cls == N_ZERO)
		return x.cls == N_ZERO ? y : x;
	/* the one that reaches higher has its top at bit 125 */
	int top = x.e + length(x.m), other = y.e + length(y.m), e = (top > other ? top : other) - 126;
	unsigned __int128 a = aligned(x, e), b = aligned(y, e);
	d.e = e;
	d.neg = a >= b ? x.neg : y.neg;
	d.m = x.neg == y.neg ? a + b : a >= b ? a - b : b - a;
	if (d.m)
		d.cls = N_FINITE;
	else
		d.neg = r == RND_RM;
	return d;
}

int number_compare(struct number x, struct number y)
{
	if (x.neg != y.neg)
		return x.neg ? -1 : 1;
	int s = x.neg ? -1 : 1;
	if (x.cls != N_FINITE || y.cls != N_FINITE)
		return x.cls == y.cls ? 0 : x.cls < y.cls ? -s : s;
	int top = x.e + length(x.m), other = y.e + length(y.m);
	if (top != other)
		return top < other ? -s : s;
	unsigned __int128 a = aligned(x, top - 126), b = aligned(y, top - 126);
	return a == b ? 0 : a < b ? -s : s;
}
