/* Floating-point pieces of the lane functions, written so that loops over them vectorise. */
#ifndef SIM_VALU_FP_H
#define SIM_VALU_FP_H

#include <math.h>

#include "base/bits.h"

#define INF32 0x7f800000u
#define INF64 0x7ff0000000000000u
#define INF16 0x7c00u
#define NAN32 0xffc00000u /* what an invalid operation gives */
#define NAN64 0xfff8000000000000u
#define NAN16 0xfe00u

static inline int isnan32(uint32_t u)
{
	return (u & 0x7fffffff) > INF32;
}
static inline int isnan64(uint64_t u)
{
	return (u & INT64_MAX) > INF64;
}
static inline int isnan16(uint32_t u)
{
	return (u & 0x7fff) > INF16;
}

/* The result r of an operation on a, b, c, unless one is a NaN: the first such, made quiet under MODE.IEEE. */
static inline float nan1fq(float r, float a, uint32_t ieee)
{
	uint32_t u = bits32(a);
	return float32(isnan32(u) ? u | (ieee ? 0x400000 : 0) : bits32(r));
}
static inline float nan2fq(float r, float a, float b, uint32_t ieee)
{
	return nan1fq(nan1fq(r, b, ieee), a, ieee);
}
static inline float nan3fq(float r, float a, float b, float c, uint32_t ieee)
{
	return nan1fq(nan2fq(r, b, c, ieee), a, ieee);
}
static inline double nan1dq(double r, double a, uint32_t ieee)
{
	uint64_t u = bits64(a);
	return float64(isnan64(u) ? u | (ieee ? 1ull << 51 : 0) : bits64(r));
}
static inline double nan2dq(double r, double a, double b, uint32_t ieee)
{
	return nan1dq(nan1dq(r, b, ieee), a, ieee);
}
static inline double nan3dq(double r, double a, double b, double c, uint32_t ieee)
{
	return nan1dq(nan2dq(r, b, c, ieee), a, ieee);
}
/* A fused operation's: an invalid product goes before a NaN. */
static inline float fused3fq(float r, float a, float b, float c, uint32_t ieee)
{
	return (a == 0 && isinf(b)) || (b == 0 && isinf(a)) ? float32(NAN32) : nan3fq(r, a, b, c, ieee);
}
static inline double fused3dq(double r, double a, double b, double c, uint32_t ieee)
{
	return (a == 0 && isinf(b)) || (b == 0 && isinf(a)) ? float64(NAN64) : nan3dq(r, a, b, c, ieee);
}
/* The same, always quiet. */
static inline float nan1f(float r, float a)
{
	return nan1fq(r, a, 1);
}
static inline float nan3f(float r, float a, float b, float c)
{
	return nan3fq(r, a, b, c, 1);
}
static inline double nan1d(double r, double a)
{
	return nan1dq(r, a, 1);
}
static inline double nan2d(double r, double a, double b)
{
	return nan2dq(r, a, b, 1);
}
static inline double nan3d(double r, double a, double b, double c)
{
	return nan3dq(r, a, b, c, 1);
}

/* Whether rounding is away from zero where v_div_fixup sees a finite quotient leave the range. */
static inline int fixup_away(int rm, int negative)
{
	return rm == 1 ? !negative : rm == 2 ? negative : 0;
}

/* v_div_scale by exponents: which way it scales, and the condition. far: a difference of exponents; huge: of a divisor; small: of a dividend. */
struct div_scale {
	int by;
	uint8_t post;
};
static inline struct div_scale div_scale_by_exponents(int n, int d, bool is_divisor, int far, int huge, int small)
{
	bool below = n - d <= -far;
	if (n - d >= far)
		return (struct div_scale){is_divisor, 1};
	if (!d)
		return (struct div_scale){1, 0};
	if (d >= huge)
		return (struct div_scale){below && !is_divisor ? 0 : -1, below};
	if (below)
		return (struct div_scale){!is_divisor, 1};
	return (struct div_scale){n <= small, 0};
}

/* ---- half precision: computed in double, rounded once ---- */

static inline double f64_from_f16(uint32_t h)
{
	uint64_t mag = (uint64_t)(h & 0x7fff) << 42, sign = (uint64_t)(h & 0x8000) << 48;
	uint64_t fin = bits64(float64(mag) * 0x1p1008);
	return float64(((h & INF16) == INF16 ? mag | INF64 : fin) | sign);
}

/* All ones where the direction is to nearest; where it is away from zero for a number of this sign (0 or 1). */
static inline uint64_t near_mask(int rm)
{
	return rm == 0 ? ~0ull : 0;
}
static inline uint64_t away_mask(int rm, uint64_t sign)
{
	const uint64_t up = rm == 1 ? ~0ull : 0, down = rm == 2 ? ~0ull : 0;
	return (up & ~-sign) | (down & -sign);
}

/* x rounded to a format of mbits explicit mantissa bits and bias emax, as that format's bits. x must carry at least two
 * more bits than the format, or a sticky last bit. */
static inline uint64_t narrow_f64(double x, int mbits, int emax, int rm)
{
	const int64_t inf = (int64_t)(2 * emax + 1) << mbits, drop = 52 - mbits;
	const int64_t lo = 1023 - emax + 1; /* exponent field of the smallest normal number */
	const uint64_t u = bits64(x), sign = u >> 63, m = u & 0xfffffffffffff;
	const uint64_t near = near_mask(rm), away = away_mask(rm, sign);
	const int64_t e = (int64_t)(u >> 52 & 0x7ff);
	int64_t sh = drop + (e >= lo ? 0 : lo - (e ? e : 1));
	sh = sh > 62 ? 62 : sh;
	const uint64_t full = m | (e ? 1ull << 52 : 0), one = 1ull << sh;
	const uint64_t bias = (near & ((one >> 1) - 1 + (full >> sh & 1))) | (away & (one - 1));
	int64_t mag = (int64_t)((full + bias) >> sh) + (e >= lo ? (e - lo) << mbits : 0);
	const int64_t over = inf - 1 + (int64_t)((near | away) & 1);
	const int64_t nan = inf | (int64_t)(m >> drop) | (int64_t)!(m >> drop) << (mbits - 1);
	mag = mag >= inf ? over : mag;
	mag = e == 0x7ff ? (m ? nan : inf) : mag;
	return (uint64_t)mag | sign << (mbits == 23 ? 31 : 15);
}
static inline uint32_t f16_from_f64(double x, int rm)
{
	return (uint32_t)narrow_f64(x, 10, 15, rm);
}
static inline uint32_t f32_from_f64(double x, int rm)
{
	return (uint32_t)narrow_f64(x, 23, 127, rm);
}
static inline uint32_t bf16_from_f64(double x, int rm)
{
	return (uint32_t)narrow_f64(x, 7, 127, rm);
}

/* a * b + c with a * b exact in double: the sum's last bit is sticky (round to odd), so that it may be rounded again.
 * Runs under round-to-nearest. */
static inline double fma_odd(double a, double b, double c, int rm)
{
	const double p = a * b, s = p + c, t = s - p, e = (p - (s - t)) + (c - t);
	const uint64_t sign = 1ull << 63, down = rm == 2 ? sign : 0;
	uint64_t u = bits64(s);
	const uint64_t dir = (u ^ bits64(e)) & sign ? ~0ull : 1; /* toward the exact value; a NaN e is no error */
	const uint64_t step = fabs(e) > 0 ? ~u & 1 : 0;
	const uint64_t neg0 = s == 0 ? (bits64(p) ^ bits64(c)) & down : 0;
	return float64((u + (-step & dir)) | neg0);
}

/* ---- minimum and maximum: -0 < +0; by MODE.IEEE a signalling NaN wins, made quiet ---- */

#define VALU_MINMAX(W, U, QBIT)                                                                                         \
	static inline int same##W(U a, U b)                                                                             \
	{                                                                                                               \
		return a == b || (U)((a | b) << (sizeof(U) * 8 + 1 - W)) == 0;                                          \
	}                                                                                                               \
	static inline U pick##W(U a, U b, int take_a, uint32_t ieee)                                                    \
	{                                                                                                               \
		U r = take_a ? a : b;                                                                                   \
		r = isnan##W(a) ? b : r;                                                                                \
		r = isnan##W(b) ? a : r;                                                                                \
		r = ieee && isnan##W(b) && !(b & (QBIT)) ? b | (QBIT) : r;                                              \
		r = ieee && isnan##W(a) && !(a & (QBIT)) ? a | (QBIT) : r;                                              \
		return r;                                                                                               \
	}                                                                                                               \
	static inline U min##W(U a, U b, uint32_t ieee)                                                                 \
	{                                                                                                               \
		return pick##W(a, b, key##W(a) < key##W(b), ieee);                                                      \
	}                                                                                                               \
	static inline U max##W(U a, U b, uint32_t ieee)                                                                 \
	{                                                                                                               \
		return pick##W(a, b, key##W(a) > key##W(b), ieee);                                                      \
	}                                                                                                               \
	static inline U med##W(U a, U b, U c, uint32_t ieee)                                                            \
	{                                                                                                               \
		U m = max##W(max##W(a, b, ieee), c, ieee);                                                              \
		U r = same##W(m, a) ? max##W(b, c, ieee)                                                                \
		      : same##W(m, b) ? max##W(a, c, ieee) : max##W(a, b, ieee);                                        \
		return isnan##W(a) || isnan##W(b) || isnan##W(c) ? min##W(min##W(a, b, ieee), c, ieee) : r;             \
	}

static inline int32_t key32(uint32_t u)
{
	return (int32_t)(u ^ ((uint32_t)((int32_t)u >> 31) & 0x7fffffff));
}
static inline int64_t key64(uint64_t u)
{
	return (int64_t)(u ^ ((uint64_t)((int64_t)u >> 63) & INT64_MAX));
}
static inline int32_t key16(uint32_t u)
{
	return u & 0x8000 ? -1 - (int32_t)(u & 0x7fff) : (int32_t)(u & 0x7fff);
}
VALU_MINMAX(32, uint32_t, 0x400000u)
VALU_MINMAX(64, uint64_t, 1ull << 51)
VALU_MINMAX(16, uint32_t, 0x200u)

/* ---- classes (v_cmp_class) ---- */

#define VALU_CLASS(W, U, MBITS, QBIT)                                                                                   \
	static inline uint32_t class##W(U u)                                                                            \
	{                                                                                                               \
		uint32_t neg = (uint32_t)(u >> (W - 1) & 1);                                                            \
		U m = u & (((U)1 << (W - 1)) - 1), inf = INF##W;                                                        \
		return m > inf           ? (m & (QBIT) ? 2u : 1u)                                                       \
		       : m == inf        ? (neg ? 4u : 512u)                                                            \
		       : m >> (MBITS)    ? (neg ? 8u : 256u)                                                            \
		       : m               ? (neg ? 16u : 128u)                                                           \
		                         : (neg ? 32u : 64u);                                                           \
	}
VALU_CLASS(32, uint32_t, 23, 0x400000u)
VALU_CLASS(64, uint64_t, 52, 1ull << 51)
VALU_CLASS(16, uint32_t, 10, 0x200u)

/* ---- conversions to integers: toward zero, saturating, NaN gives 0 ---- */

static inline int32_t i32_from_f64(double x)
{
	double c = x >= 2147483647.0 ? 2147483647.0 : x <= -2147483648.0 ? -2147483648.0 : x == x ? x : 0.0;
	return (int32_t)c;
}
static inline uint32_t u32_from_f64(double x)
{
	double c = x >= 4294967295.0 ? 4294967295.0 : x > 0.0 ? x : 0.0;
	return (uint32_t)(int64_t)c;
}
static inline int32_t i16_from_f64(double x)
{
	int32_t r = i32_from_f64(x);
	return r > 32767 ? 32767 : r < -32768 ? -32768 : r;
}
static inline uint32_t u16_from_f64(double x)
{
	int32_t r = i32_from_f64(x);
	return r > 65535 ? 65535u : r < 0 ? 0u : (uint32_t)r;
}
/* Normalised: round(clamp(x) * scale), ties to even; 0x1.8p52 rounds to an integer under round-to-nearest. */
static inline int32_t snorm16(double x)
{
	double c = x >= 1.0 ? 1.0 : x <= -1.0 ? -1.0 : x == x ? x : 0.0;
	return (int32_t)((c * 32767.0 + 0x1.8p52) - 0x1.8p52);
}
static inline uint32_t unorm16(double x)
{
	double c = x >= 1.0 ? 1.0 : x > 0.0 ? x : 0.0;
	return (uint32_t)(int32_t)((c * 65535.0 + 0x1.8p52) - 0x1.8p52);
}

/* Number of significant bits of the f64 approximations: the manual states 2^29 ulp. */
static inline double approx64(double x)
{
	uint64_t u = bits64(x);
	return float64((u & INF64) == INF64 ? u : (u + (1ull << 28)) & ~((1ull << 29) - 1));
}

static inline uint32_t frexp_mant32(uint32_t u)
{
	uint32_t m = u & 0x7fffffff;
	uint32_t norm = m >> 23 ? m : bits32(float32(m) * 0x1p64f);
	return m > INF32 ? u | 0x400000 : m == INF32 || !m ? u : (u & 0x80000000) | (norm & 0x7fffff) | 126u << 23;
}
static inline int32_t frexp_exp32(uint32_t u)
{
	uint32_t m = u & 0x7fffffff;
	uint32_t norm = m >> 23 ? m : bits32(float32(m) * 0x1p64f);
	return m >= INF32 || !m ? 0 : (int32_t)(norm >> 23) - 126 - (m >> 23 ? 0 : 64);
}
static inline uint64_t frexp_mant64(uint64_t u)
{
	uint64_t m = u & INT64_MAX;
	uint64_t norm = m >> 52 ? m : bits64(float64(m) * 0x1p128);
	return m > INF64 ? u | 1ull << 51 : m == INF64 || !m ? u : (u & 1ull << 63) | (norm & 0xfffffffffffff) | 1022ull << 52;
}
static inline int32_t frexp_exp64(uint64_t u)
{
	uint64_t m = u & INT64_MAX;
	uint64_t norm = m >> 52 ? m : bits64(float64(m) * 0x1p128);
	return m >= INF64 || !m ? 0 : (int32_t)(norm >> 52) - 1022 - (m >> 52 ? 0 : 128);
}

/* 2^n, n within the exponents of normal doubles. */
static inline double pow2(int32_t n)
{
	return float64((uint64_t)(n + 1023) << 52);
}
static inline int32_t clampi(int32_t x, int32_t lo, int32_t hi)
{
	return x < lo ? lo : x > hi ? hi : x;
}

#endif
