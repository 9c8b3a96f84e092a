/* What NVIDIA's floating-point operations give, NaN bits too, on the host: f16 and bf16 as doubles that are rounded once. */
#ifndef TESTS_NAN_MODEL_H
#define TESTS_NAN_MODEL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"

#define TOP ((uint64_t)1 << 63)

static inline float f32(uint64_t x)
{
	return float32((uint32_t)x);
}
static inline double f64(uint64_t x)
{
	return float64(x);
}

static inline bool nan16(uint64_t x)
{
	return (x & 0x7fff) > 0x7c00;
}
static inline bool nanbf(uint64_t x)
{
	return (x & 0x7fff) > 0x7f80;
}
static inline bool nan32(uint64_t x)
{
	return (x & 0x7fffffff) > 0x7f800000;
}
static inline bool nan64(uint64_t x)
{
	return (x & ~TOP) > (uint64_t)0x7ff << 52;
}
static inline uint64_t quiet(uint64_t x)
{
	return x | (uint64_t)1 << 51;
}

static inline double bf16(uint64_t x)
{
	return (double)f32(x << 16);
}
static inline double f16(uint64_t x)
{
	uint32_t e = x >> 10 & 31, m = x & 0x3ff;
	double r = e == 31 ? (m ? NAN : INFINITY) : ldexp(e ? m + 1024 : m, (int)(e ? e : 1) - 25);
	return x & 0x8000 ? -r : r;
}

/* x + y rounded to odd, which a further rounding sees through. */
static inline double sum_odd(double x, double y)
{
	double s = x + y, t = s - x, e = (x - (s - t)) + (y - t);
	uint64_t u = bits64(s);
	if (isfinite(s) && e != 0 && !(u & 1))
		u += (e > 0) == (s > 0) ? 1 : (uint64_t)-1;
	return f64(u);
}

/* To 16 bits with m bits of mantissa and least exponent `least`. cut: toward zero. */
static inline uint64_t narrowed(double x, int m, int least, bool cut)
{
	uint64_t sign = bits64(x) >> 63 << 15, infinity = (0x7fffu >> m) << m;
	int e;
	if (x != x)
		return 0x7fff;
	if (isinf(x) || x == 0)
		return sign | (x == 0 ? 0 : infinity);
	frexp(x, &e);
	e = e - 1 > least ? e - 1 : least;
	double n = ldexp(fabs(x), m - e);
	uint64_t bits = (uint64_t)(cut ? trunc(n) : rint(n)) + ((uint64_t)(e - least) << m);
	return sign | (bits < infinity ? bits : infinity - cut);
}
static inline uint64_t half(double x)
{
	return narrowed(x, 10, -14, false);
}
static inline uint64_t half_cut(double x)
{
	return narrowed(x, 10, -14, !isinf(x));
}
static inline uint64_t brain(double x)
{
	return narrowed(x, 7, -126, false);
}
static inline uint64_t single(float x)
{
	return x != x ? 0x7fffffff : bits32(x);
}
static inline uint64_t pair(uint64_t lo, uint64_t hi)
{
	return (lo & 0xffff) | (hi & 0xffff) << 16;
}

/* r, unless an operand is a NaN: the second, else the first. */
static inline uint64_t double2(uint64_t a, uint64_t b, double r)
{
	return nan64(b) ? quiet(b) : nan64(a) ? quiet(a) : r != r ? (uint64_t)0xfff8 << 48 : bits64(r);
}

static inline bool takes_second(double a, double b, bool max)
{
	if (a == b)
		return !signbit(a) == !max;
	return (a < b) == max;
}
static inline uint64_t extreme32(uint64_t a, uint64_t b, bool max, bool nan)
{
	if ((nan32(a) && nan32(b)) || (nan && (nan32(a) || nan32(b))))
		return 0x7fffffff;
	return nan32(a) || (!nan32(b) && takes_second(f32(a), f32(b), max)) ? b : a;
}
static inline uint64_t extreme16(uint64_t a, uint64_t b, bool max)
{
	if (nan16(a) && nan16(b))
		return 0x7fff;
	return nan16(a) || (!nan16(b) && takes_second(f16(a), f16(b), max)) ? b : a;
}
static inline uint64_t extreme_brain(uint64_t a, uint64_t b, bool max)
{
	if (nanbf(a) && nanbf(b))
		return 0x7fff;
	return nanbf(a) || (!nanbf(b) && takes_second(bf16(a), bf16(b), max)) ? b : a;
}
static inline uint64_t extreme64(uint64_t a, uint64_t b, bool max)
{
	if (nan64(a) && nan64(b))
		return quiet(b);
	return nan64(a) || (!nan64(b) && takes_second(f64(a), f64(b), max)) ? b : a;
}

static inline uint64_t saturated(float x)
{
	return x > 0 ? bits32(x < 1 ? x : 1) : 0;
}
static inline float flushed(float x)
{
	return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

/* x's bits, of w bits with m of mantissa, as f64: of a NaN sign and payload. */
static inline uint64_t widened(uint64_t x, int w, int m, uint64_t number)
{
	bool nan = w == 16 ? nan16(x) : nan32(x);
	return nan ? (x >> (w - 1) & 1) << 63 | (uint64_t)0x7ff8 << 48 | (x & (((uint64_t)1 << m) - 1)) << (52 - m) : number;
}

/* kind: 1 a number; else of a NaN 0, or 2: the least. */
static inline uint64_t to_s32(double x, int kind)
{
	if (kind != 1)
		return kind ? 0x80000000 : 0;
	return (uint32_t)(x >= 0x1p31 ? INT32_MAX : x <= -0x1p31 ? INT32_MIN : (int32_t)x);
}

#endif
