/* Instructions, what the PTX manual says of them in plain C, and edge values of their operands: for the tests that evaluate the
 * builders' IR and those that run the compiled code. */
#ifndef TESTS_BUILD_ROWS_H
#define TESTS_BUILD_ROWS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef uint8_t u8;
typedef int64_t s64;
typedef int32_t s32;
typedef int16_t s16;
typedef int8_t s8;
typedef unsigned __int128 u128;
typedef __int128 s128;

/* Operand letters of a row: h, w, l 16, 32, 64 bits; n, m 32-bit amounts; s selectors; x, f, e floats of 16, 32, 64 bits; g bf16; v bf16x2;
 * the result's after "=". */
struct row {
	const char *text, *sig;
	u64 (*ref)(u64 a, u64 b, u64 c);
	u64 (*gen)(const struct row *r, u64 a, u64 b, u64 c); /* generated rows: by op and p */
	int op, p[4];
};

#define R(name, expr)                                                                                                   \
	static u64 name(u64 a, u64 b, u64 c)                                                                            \
	{                                                                                                               \
		(void)a;                                                                                                \
		(void)b;                                                                                                \
		(void)c;                                                                                                \
		return (u64)(expr);                                                                                     \
	}

/* --- references: integers --- */

static s64 clamp(s128 x, s64 lo, s64 hi)
{
	return x < lo ? lo : x > hi ? hi : (s64)x;
}
R(add32, (u32)(a + b))
R(sub32, (u32)(a - b))
R(less8, (u32)(a - 8))
R(less8_16, (u16)(a - 8))
R(more4, (u32)(a + 4))
R(add_less8, (u32)(a + b - 8))
R(mul_more7, (u16)((u16)a * (u16)(b + 7)))
R(add_sat, (u32)clamp((s128)(s32)a + (s32)b, INT32_MIN, INT32_MAX))
R(sub_sat, (u32)clamp((s128)(s32)a - (s32)b, INT32_MIN, INT32_MAX))
R(add16x2, (u16)(a + b) | (u32)(u16)((a >> 16) + (b >> 16)) << 16)
R(mulhi_s32, (u32)((s64)(s32)a * (s32)b >> 32))
R(mulhi_u32, (u64)(u32)a * (u32)b >> 32)
R(mulhi_u16, (u32)(u16)a * (u16)b >> 16)
R(mulhi_s16, (u16)((s16)a * (s16)b >> 16))
R(mulhi_s64, (u64)((s128)(s64)a * (s64)b >> 64))
R(mulhi_u64, (u64)((u128)a * b >> 64))
R(mulw_s32, (s64)(s32)a * (s32)b)
R(mulw_u16, (u32)(u16)a * (u16)b)
R(madw_s16, (u32)((s16)a * (s16)b) + (u32)c)
R(madhi_sat, (u32)clamp((s128)((s64)(s32)a * (s32)b >> 32) + (s32)c, INT32_MIN, INT32_MAX))
R(mad16, (u16)(a * b + c))
static s64 se24(u64 x)
{
	return (s64)(x << 40) >> 40;
}
R(mul24lo_s, (u32)(se24(a) * se24(b)))
R(mul24lo_u, (u32)((a & 0xffffff) * (b & 0xffffff)))
R(mul24hi_s, (u32)(se24(a) * se24(b) >> 16))
R(mul24hi_u, (u32)((a & 0xffffff) * (b & 0xffffff) >> 16))
R(mad24hi_sat, (u32)clamp((s128)(s32)(se24(a) * se24(b) >> 16) + (s32)c, INT32_MIN, INT32_MAX))
R(sad_s32, (u32)(((s32)a > (s32)b ? a - b : b - a) + c))
R(sad_u32, (u32)((a > b ? a - b : b - a) + c))
R(sad_u16, (u16)(((u16)a > (u16)b ? a - b : b - a) + c))
R(sad_s64, ((s64)a > (s64)b ? a - b : b - a) + c)
R(abs32, (u32)((s32)a < 0 ? -a : a))
R(neg64, -a)
R(min_s16, (u16)((s16)a < (s16)b ? a : b))
R(max_u64, a > b ? a : b)
R(min_relu, (u32)clamp((s32)a < (s32)b ? (s32)a : (s32)b, 0, INT32_MAX))
R(div_s32, (s32)b == 0 ? 0xffffffff : (u32)((s64)(s32)a / (s32)b))
R(rem_s32, (s32)b == 0 ? ~(u32)0 : (u32)((s64)(s32)a % (s32)b))
static u64 dp(u64 a, u64 b, u64 c, int sa, int sb)
{
	for (int k = 0; k < 4; k++)
		c += (u64)((sa ? (s64)(s8)(a >> 8 * k) : (s64)(u8)(a >> 8 * k)) * (sb ? (s64)(s8)(b >> 8 * k) : (s64)(u8)(b >> 8 * k)));
	return (u32)c;
}
R(dp4a_uu, dp(a, b, c, 0, 0))
R(dp4a_us, dp(a, b, c, 0, 1))
R(dp4a_su, dp(a, b, c, 1, 0))
R(dp4a_ss, dp(a, b, c, 1, 1))
static u64 dp2(u64 a, u64 b, u64 c, int sa, int sb)
{
	for (int k = 0; k < 2; k++)
		c += (u64)((sa ? (s64)(s16)(a >> 16 * k) : (s64)(u16)(a >> 16 * k)) *
			   (sb ? (s64)(s8)(b >> 8 * k) : (s64)(u8)(b >> 8 * k)));
	return (u32)c;
}
R(dp2a_lo_su, dp2(a, b, c, 1, 0))
R(dp2a_hi_us, dp2(a, b >> 16, c, 0, 1))

/* --- references: bits --- */

R(shl16, b > 15 ? 0 : (u16)(a << b))
R(shl32, b > 31 ? 0 : (u32)(a << b))
R(shl64, b > 63 ? 0 : a << b)
R(shr_u16, b > 15 ? 0 : (u16)a >> b)
R(shr_s16, (u16)((s16)a >> (b > 15 ? 15 : b)))
R(shr_s32, (u32)((s32)a >> (b > 31 ? 31 : b)))
R(shr_u64, b > 63 ? 0 : a >> b)
R(shr_s64, (u64)((s64)a >> (b > 63 ? 63 : b)))
static u64 shf(u64 a, u64 b, u64 c, int left, int wrap)
{
	u32 n = wrap ? c & 31 : c > 32 ? 32 : (u32)c;
	u64 v = b << 32 | a;
	return left ? (u32)(v << n >> 32) : (u32)(v >> n);
}
R(shf_lw, shf(a, b, c, 1, 1))
R(shf_rw, shf(a, b, c, 0, 1))
R(shf_lc, shf(a, b, c, 1, 0))
R(shf_rc, shf(a, b, c, 0, 0))
static u64 bfe(u64 a, u64 b, u64 c, u32 w, int sign)
{
	u64 pos = b & (w == 64 ? 0xffffffff : 255), len = c & (w == 64 ? 0xffffffff : 255);
	u32 msb = w - 1;
	u64 d = 0;
	u64 sb = pos + len - 1 < msb ? pos + len - 1 : msb;
	u64 sbit = !sign || !len ? 0 : a >> sb & 1;
	for (u32 i = 0; i <= msb; i++)
		d |= (i < len && pos + i <= msb ? a >> (pos + i) & 1 : sbit) << i;
	return d;
}
R(bfe_u32, bfe(a, b, c, 32, 0))
R(bfe_s32, bfe(a, b, c, 32, 1))
R(bfe_u64, bfe(a, b, c, 64, 0))
R(bfe_s64, bfe(a, b, c, 64, 1))
static u64 bfi(u64 a, u64 b, u64 c, u64 e, u32 w)
{
	u64 pos = c & (w == 64 ? 0xffffffff : 255), len = e & (w == 64 ? 0xffffffff : 255);
	for (u32 i = 0; i < len && pos + i < w; i++)
		b = (b & ~((u64)1 << (pos + i))) | (a >> i & 1) << (pos + i);
	return b;
}
/* the fourth operand is the second again */
R(bfi32, bfi(a, 0x13579bdf, b, c, 32))
R(bfi64, bfi(a, 0x0123456789abcdef, b, c, 64))
static u64 szext(u64 a, u64 b, int clampmode, int sign)
{
	u32 b1 = b & 31, big = b >= 32 && clampmode;
	u32 mask = big ? 0 : 0xffffffffu << b1;
	int sb = b1 && !big && sign && a >> ((b1 - 1) & 31) & 1;
	return ((u32)a & ~mask) | (sb ? mask : 0);
}
R(szext_cs, szext(a, b, 1, 1))
R(szext_cu, szext(a, b, 1, 0))
R(szext_ws, szext(a, b, 0, 1))
R(szext_wu, szext(a, b, 0, 0))
static u64 bmsk(u64 a, u64 b, int clampmode)
{
	u32 a1 = a & 31, mask0 = 0xffffffffu << a1, b1 = b & 31, sum = a1 + b1, mask1 = sum < 32 ? 0xffffffffu << sum : 0;
	if (!clampmode && !b1)
		return 0;
	if (clampmode && !b)
		return 0;
	if (clampmode && a >= 32)
		mask0 = 0;
	if (clampmode && b >= 32)
		mask1 = 0;
	return mask0 & ~mask1;
}
R(bmsk_c, bmsk(a, b, 1))
R(bmsk_w, bmsk(a, b, 0))
static u64 fns(u64 m, u64 base, u64 off)
{
	s32 o = (s32)off;
	if (base > 31)
		return 0xffffffff;
	if (!o)
		return m >> base & 1 ? base : 0xffffffff;
	s64 count = llabs((long long)o) - 1;
	for (s32 pos = (s32)base; pos >= 0 && pos < 32; pos += o > 0 ? 1 : -1)
		if (m >> pos & 1 && count-- == 0)
			return (u32)pos;
	return 0xffffffff;
}
R(fns_, (u32)c == 0x80000000 ? 0 : fns(a, b, c))
static u64 bfind(u64 a, u32 w, int sign, int amt)
{
	if (sign && a >> (w - 1) & 1)
		a = ~a;
	for (u32 k = w; k-- > 0;)
		if (a >> k & 1)
			return amt ? w - 1 - k : k;
	return 0xffffffff;
}
R(bfind_u32, bfind((u32)a, 32, 0, 0))
R(bfind_s32, bfind((u32)a, 32, 1, 0))
R(bfind_sa_s32, bfind((u32)a, 32, 1, 1))
R(bfind_u64, bfind(a, 64, 0, 0))
R(bfind_sa_s64, bfind(a, 64, 1, 1))
R(popc64, __builtin_popcountll(a))
R(clz32, a ? __builtin_clz((u32)a) : 32)
R(clz64, a ? __builtin_clzll(a) : 64)
static u64 brev(u64 a, u32 w)
{
	u64 r = 0;
	for (u32 k = 0; k < w; k++)
		r |= (a >> k & 1) << (w - 1 - k);
	return r;
}
R(brev32, brev(a, 32))
R(brev64, brev(a, 64))
R(cnot16, (u16)a == 0)
static u64 prmt(u64 a, u64 b, u64 c, const char *mode)
{
	static const struct {
		const char *mode, sel[5][5];
	} t[] = {{"f4e", {"3210", "4321", "5432", "6543"}}, {"b4e", {"5670", "6701", "7012", "0123"}},
		 {"rc8", {"0000", "1111", "2222", "3333"}}, {"ecl", {"3210", "3211", "3222", "3333"}},
		 {"ecr", {"0000", "1110", "2210", "3210"}}, {"rc16", {"1010", "3232", "1010", "3232"}}};
	u64 v = b << 32 | (u32)a, d = 0;
	u32 sel = (u32)c;
	for (u32 m = 0; m < 6; m++)
		if (mode && !strcmp(t[m].mode, mode))
			sel = (u32)strtoul(t[m].sel[c & 3], NULL, 16);
	for (u32 k = 0; k < 4; k++) {
		u32 n = sel >> 4 * k & 15;
		u64 byte = v >> 8 * (n & 7) & 255;
		d |= (n & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * k;
	}
	return d;
}
R(prmt_, prmt(a, b, c, NULL))
R(prmt_f4e, prmt(a, b, c, "f4e"))
R(prmt_b4e, prmt(a, b, c, "b4e"))
R(prmt_rc8, prmt(a, b, c, "rc8"))
R(prmt_ecl, prmt(a, b, c, "ecl"))
R(prmt_ecr, prmt(a, b, c, "ecr"))
R(prmt_rc16, prmt(a, b, c, "rc16"))
R(slct32, (s32)c >= 0 ? a : b)
R(set_lt_u, a < b ? 0xffffffff : 0)
R(set_ge_f, (s64)a >= (s64)b ? 0x3f800000 : 0)
R(cvt_s8_s32, (u32)(s32)(s8)a)
R(cvt_u8_s32, (u8)a)
R(cvt_sat_u8_s32, (u32)clamp((s32)a, 0, 255))
R(cvt_sat_s8_u32, (u32)clamp((u32)a, 0, 127))
R(cvt_sat_s16_s64, (u16)clamp((s64)a, -32768, 32767))
R(cvt_sat_u32_s64, (u32)clamp((s64)a, 0, 0xffffffff))
R(cvt_sat_s32_u64, a > INT32_MAX ? INT32_MAX : a)
R(cvt_sat_u64_s32, (u64)clamp((s32)a, 0, INT32_MAX))
R(cvt_sat_s64_u64, a > INT64_MAX ? INT64_MAX : a)
R(cvt_sat_u16_u32, a > 65535 ? 65535 : a)
R(cvt_s64_s16, (u64)(s64)(s16)a)
R(cvt_s16_s8, (u16)(s16)(s8)a)
R(mov_pack, (u16)a | (u32)(u16)b << 16)

/* --- references: floating point, exact in __float128 and rounded once --- */

enum { RN, RZ, RM, RP };
struct fmt {
	int width, mant, bias;
};
static const struct fmt F16 = {16, 10, 15}, BF16 = {16, 7, 127}, F32 = {32, 23, 127}, F64 = {64, 52, 1023};

static __float128 decode(struct fmt f, u64 bits)
{
	int e = (int)(bits >> f.mant & (((u64)1 << (f.width - 1 - f.mant)) - 1));
	u64 m = bits & (((u64)1 << f.mant) - 1);
	__float128 x = m;
	if (e == 2 * f.bias + 1)
		x = m ? __builtin_nanf("") : __builtin_inff();
	else if (e)
		x += (u64)1 << f.mant;
	x = ldexpl((long double)x, (e ? e : 1) - f.bias - f.mant);
	return bits >> (f.width - 1) & 1 ? -x : x;
}

static u64 encode(struct fmt f, __float128 x, int rnd)
{
	bool neg = __builtin_signbit(x);
	u64 inf = (u64)(2 * f.bias + 1) << f.mant, sign = (u64)neg << (f.width - 1), bits;
	if (x != x)
		return inf | (((u64)1 << f.mant) - 1);
	x = neg ? -x : x;
	if (x == __builtin_inff())
		return sign | inf;
	int e = 1 - f.bias;
	__float128 q = x;
	for (int k = e - f.mant; k < 0; k++)
		q *= 2;
	while (q >= (__float128)((u64)2 << f.mant)) {
		q /= 2;
		e++;
	}
	u64 n = (u64)q;
	__float128 rest = q - n;
	bool up = rnd == RN ? rest > 0.5Q || (rest == 0.5Q && n & 1) : rnd == RZ ? false : rest > 0 && neg == (rnd == RM);
	bits = ((u64)(e - 1 + f.bias) << f.mant) + n + up;
	if (bits >= inf)
		bits = rnd == RN || (rnd != RZ && neg == (rnd == RM)) ? inf : inf - 1;
	return sign | bits;
}

/* Rounded to odd, so that one more rounding is right. */
static __float128 sum(__float128 x, __float128 y)
{
	union {
		__float128 f;
		u128 u;
	} s = {x + y};
	__float128 b = s.f - x, err = (x - (s.f - b)) + (y - b);
	if (err != 0 && err == err && !(s.u & 1))
		s.u += (err > 0) == (s.f > 0) ? 1 : (u128)-1;
	return s.f;
}

static u64 to_int(__float128 x, int rnd, s128 lo, s128 hi)
{
	if (x != x)
		return 0;
	if (x > (__float128)hi)
		return (u64)hi;
	if (x < (__float128)lo)
		return (u64)lo;
	s128 n = (s128)x;
	__float128 rest = x - n;
	if (rnd == RN && (rest > 0.5Q || (rest == 0.5Q && n & 1)))
		n++;
	if (rnd == RN && (rest < -0.5Q || (rest == -0.5Q && n & 1)))
		n--;
	if (rnd == RM && rest < 0)
		n--;
	if (rnd == RP && rest > 0)
		n++;
	return (u64)clamp(n, (s64)lo, (s64)(hi > INT64_MAX ? INT64_MAX : hi));
}
static __float128 relu(__float128 x)
{
	return x < 0 || x == 0 ? 0 : x;
}
static u64 tf32(u64 a)
{
	if ((a & 0x7f800000) == 0x7f800000)
		return a & 0xffffe000; /* a NaN too (H200) */
	return (a + 0x1000) & 0xffffe000;
}
static u64 lo_half(struct fmt f, u64 a, int rnd, bool r)
{
	__float128 x = decode(F32, a);
	return encode(f, r && x == x ? relu(x) : x, rnd);
}
R(add_bf16, encode(BF16, sum(decode(BF16, a), decode(BF16, b)), RN))
R(mul_bf16, encode(BF16, decode(BF16, a) * decode(BF16, b), RN))
R(fma_bf16, encode(BF16, sum(decode(BF16, a) * decode(BF16, b), decode(BF16, c)), RN))
R(fma_relu_bf16, encode(BF16, relu(sum(decode(BF16, a) * decode(BF16, b), decode(BF16, c))), RN))
R(sub_rz_f32, encode(F32, sum(decode(F32, a), -decode(F32, b)), RZ))
R(fma_mixed, encode(F32, sum(decode(F16, a) * decode(F16, b), decode(F32, c)), RN))
R(cvt_bf16_f32, lo_half(BF16, a, RN, false))
R(cvt_rz_bf16_f32, lo_half(BF16, a, RZ, false))
R(cvt_relu_f16x2, lo_half(F16, a, RN, true) << 16 | lo_half(F16, b, RN, true))
R(cvt_f16_f64, encode(F16, decode(F64, a), RN))
R(cvt_rp_f16_f64, encode(F16, decode(F64, a), RP))
R(cvt_f32_f64, encode(F32, decode(F64, a), RN))
R(cvt_f16_s32, encode(F16, (s32)a, RN))
R(cvt_f16_u64, encode(F16, a, RN))
R(cvt_f32_s64, encode(F32, (s64)a, RN))
R(cvt_rm_f32_u8, encode(F32, (u8)a, RM))
R(cvt_s32_f32, (u32)to_int(decode(F32, a), RN, INT32_MIN, INT32_MAX))
R(cvt_s8_f32, (u32)to_int(decode(F32, a), RM, -128, 127))
R(cvt_u16_f16, (u16)to_int(decode(F16, a), RZ, 0, 65535))
R(cvt_u32_f64, isnan((double)decode(F64, a)) ? 0x80000000 : (u32)to_int(decode(F64, a), RP, 0, UINT32_MAX))
R(cvt_tf32, tf32(a))
static u64 xorsign(u64 a, u64 b)
{
	u64 x = a & 0x7fffffff, y = b & 0x7fffffff;
	u64 m = x > 0x7f800000 ? y : y > 0x7f800000 ? x : x < y ? x : y;
	return m | ((a ^ b) & 0x80000000);
}
R(min_xorsign, xorsign(a, b))
R(copysign32, (a & 0x80000000) | (b & 0x7fffffff))
static u64 neg_half(u64 x)
{
	return (x & 0x7fff) > 0x7c00 ? 0x7fff : x ^ 0x8000;
}
R(neg_f16x2, neg_half(a & 0xffff) | neg_half(a >> 16 & 0xffff) << 16)
R(testp_normal, ((a >> 23 & 255) && (a >> 23 & 255) < 255) || !(a << 1 & 0xffffffff))
R(testp_sub, !(a >> 23 & 255) && a << 1 & 0xffffffff)
R(slct_f, (c & 0x7fffffff) > 0x7f800000 ? b : c >> 31 && c << 1 & 0xffffffff ? b : a)
R(setp_pq, (decode(F32, a) < decode(F32, b)) | (!(decode(F32, a) < decode(F32, b))) << 1)
R(setp_ltu, !(decode(F32, a) >= decode(F32, b)))
R(set_bf16x2, (decode(BF16, a & 0xffff) > decode(BF16, b & 0xffff) ? 0x3f80u : 0) |
		      (decode(BF16, a >> 16) > decode(BF16, b >> 16) ? 0x3f80u : 0) << 16)

/* --- references: small formats, searched for the nearest code --- */

struct sfmt {
	int exp, mant, bias, max, nan;
};
static const struct sfmt E4M3 = {4, 3, 7, 0x7e, 0x7f}, E5M2 = {5, 2, 15, 0x7b, 0x7f}, E2M1 = {2, 1, 1, 7, 7}, E2M3 = {2, 3, 1, 31, 31},
			 E3M2 = {3, 2, 3, 31, 31};
static double scode(struct sfmt f, int code)
{
	int e = code >> f.mant, m = code & ((1 << f.mant) - 1);
	return e ? ldexp(m + (1 << f.mant), e - f.bias - f.mant) : ldexp(m, 1 - f.bias - f.mant);
}
static u64 sencode(struct sfmt f, u64 bits, bool r)
{
	u32 mag = bits & 0x7fffffff, neg = (u32)bits >> 31;
	float x;
	memcpy(&x, &mag, 4);
	if (mag > 0x7f800000)
		return (u64)f.nan;
	int best = f.max;
	for (int c = f.max; c >= 0 && x < scode(f, f.max); c--) {
		double dc = fabs(scode(f, c) - x), db = fabs(scode(f, best) - x);
		if (dc < db || (dc == db && !(c & 1)))
			best = c;
	}
	if (neg && r)
		return 0;
	return (u64)best | (u64)neg << (f.exp + f.mant);
}
static u32 single_bits(u64 half)
{
	float x = (float)decode(F16, half);
	u32 u;
	memcpy(&u, &x, 4);
	return u;
}
static u64 sdecode(struct sfmt f, u64 code)
{
	u32 mag = code & ((1u << (f.exp + f.mant)) - 1), neg = code >> (f.exp + f.mant) & 1;
	if ((f.exp == 4 && mag == 0x7f) || (f.exp == 5 && mag > 0x7c))
		return 0x7fff;
	if (f.exp == 5 && mag == 0x7c)
		return 0x7c00 | neg << 15;
	return encode(F16, scode(f, (int)mag), RN) | neg << 15;
}
/* A power of two not below |x|, as ue8m0; beyond 2^127 and NaN: 255. */
static u64 ue8m0_up(u64 a)
{
	u32 mag = a & 0x7fffffff;
	u64 code = 0;
	if (mag > 0x7f800000)
		return 255;
	while (code < 255 && scalbn(1, (int)code - 127) < fabs((double)decode(F32, a)))
		code++;
	return code;
}
/* Bits 16 and up after adding 16 random ones, short of infinity. */
static u64 stochastic_bf16(u64 a, u64 random)
{
	u64 mag = a & 0x7fffffff, sum = mag + (random & 0xffff);
	return mag > 0x7f800000 ? 0x7fff : (sum > 0x7f7fffff ? 0x7f7f : sum >> 16) | (a >> 16 & 0x8000);
}
/* To f16, 13 random ones below its last place, which is 2^-24 at least. */
static u64 stochastic_f16(u64 a, u64 random)
{
	double x = fabs((double)decode(F32, a));
	if (x != x)
		return 0x7fff;
	u64 code = 0;
	for (u64 step = 0x4000; step; step /= 2)
		if (code + step <= 0x7bff && (double)decode(F16, code + step) <= x)
			code += step;
	double ulp = (double)decode(F16, code < 0x400 ? 1 : (code & 0x7c00) + 1) - (double)decode(F16, code < 0x400 ? 0 : code & 0x7c00);
	if (code < 0x7bff && (x - (double)decode(F16, code)) / ulp * 8192 + (double)(random & 0x1fff) >= 8192)
		code++;
	return code | (a >> 16 & 0x8000);
}
R(to_ue8m0, ue8m0_up(a) << 8 | ue8m0_up(b))
R(rs_f16x2, stochastic_f16(a, c >> 16) << 16 | stochastic_f16(b, c))
R(rs_bf16x2, stochastic_bf16(a, c >> 16) << 16 | stochastic_bf16(b, c))
R(to_e4m3, sencode(E4M3, a, false) << 8 | sencode(E4M3, b, false))
R(to_e5m2r, sencode(E5M2, a, true) << 8 | sencode(E5M2, b, true))
R(to_e2m1, sencode(E2M1, a, false) << 4 | sencode(E2M1, b, false))
R(to_e2m1_half, sencode(E2M1, single_bits(a >> 16), false) << 4 | sencode(E2M1, single_bits(a & 0xffff), false))
R(to_e2m3, sencode(E2M3, a, false) << 8 | sencode(E2M3, b, false))
R(to_e3m2, sencode(E3M2, a, false) << 8 | sencode(E3M2, b, false))
R(from_e4m3, sdecode(E4M3, a & 255) | sdecode(E4M3, a >> 8 & 255) << 16)
R(from_e5m2, sdecode(E5M2, a & 255) | sdecode(E5M2, a >> 8 & 255) << 16)
R(from_e2m3, sdecode(E2M3, a & 63) | sdecode(E2M3, a >> 8 & 63) << 16)
R(pack_s8, (u8)clamp((s32)b, -128, 127) | (u32)(u8)clamp((s32)a, -128, 127) << 8 | (u32)c << 16)
R(pack_s2, ((u32)clamp((s32)b, -2, 1) & 3) | ((u32)clamp((s32)a, -2, 1) & 3) << 2 | (u32)c << 4)
R(pack_u16, (u16)clamp((s32)b, 0, 65535) | (u32)(u16)clamp((s32)a, 0, 65535) << 16)

/* --- references: video --- */

R(vadd_sat, (u32)clamp((s128)(u8)(a >> 8) + (s16)(b >> 16), INT32_MIN, INT32_MAX))
/* The sequences that ptxas makes of them, as recorded on an H200 (tests/conformance/video.forms): min compares low words, a shift is
 * saturated from 34 bits. */
R(vsub_min, (u32)((s32)(a - b) < (s32)c ? a - b : c))
R(vabsdiff_merge, (c & 0xff00ffff) | (u64)clamp(llabs((s64)(s32)a - (s64)(u32)b), 0, 255) << 16)
static s64 vshl34(s64 x, u64 n)
{
	return (s64)((u64)x << (n > 32 ? 32 : n) << 30) >> 30;
}
R(vshl_sat_s, (u32)clamp(vshl34((s32)a, b), INT32_MIN, INT32_MAX))
R(vshl_sat_u, (u32)clamp(vshl34((u32)a, b), 0, UINT32_MAX))
R(vshr_wrap, (u32)((s64)(u32)a >> (b & 31)))
R(vset_add, (u32)(((s32)a < (s64)(u32)b) + c))
/* Whole words are signed whatever their types. */
static u64 vmad(s64 p, u64 c, int sign, int sat, int shr)
{
	s128 t = (s128)(p + (s32)c) >> shr;
	if (sat)
		t = clamp(t, sign ? INT32_MIN : 0, sign ? INT32_MAX : UINT32_MAX);
	return (u32)t;
}
R(vmad_us_sat, vmad((s64)(s32)a * (s32)b, c, 1, 1, 7))
R(vmad_uu_sat, vmad((s64)(s32)a * (s32)b, c, 0, 1, 0))
R(vmad_neg_sat, vmad(-((s64)(s32)a * (s32)b), c, 1, 1, 15))
R(vmad_po, vmad((s64)(s32)a * (s32)b + 1, c, 1, 0, 15))
static s64 vel(u64 a, u64 b, int sel, int n, int sign)
{
	int bits = 32 / n;
	u64 x = (sel < n ? a : b) >> (sel % n * bits) & (((u64)1 << bits) - 1);
	return sign && x >> (bits - 1) ? (s64)x - ((s64)1 << bits) : (s64)x;
}
static u64 simd(u64 a, u64 b, u64 c, int n, int op, int sa, int sb, int sd, int sat, int acc)
{
	u64 d = acc ? c : 0;
	int bits = 32 / n;
	for (int k = 0; k < n; k++) {
		s64 x = vel(a, b, k, n, sa), y = vel(a, b, n + k, n, sb);
		s64 t = op == '+' ? x + y : op == '-' ? x - y : op == 'd' ? llabs(x - y) : op == 'm' ? (x < y ? x : y)
			: op == 'a' ? (x + y >= 0 ? (x + y + 1) >> 1 : (x + y) >> 1) : op == 'g' ? x >= y : (x > y ? x : y);
		if (sat)
			t = sd ? clamp(t, -((s64)1 << (bits - 1)), ((s64)1 << (bits - 1)) - 1) : clamp(t, 0, ((s64)1 << bits) - 1);
		d = acc ? d + (u64)t : d | ((u64)t & (((u64)1 << bits) - 1)) << k * bits;
	}
	return (u32)d;
}
R(vadd4_sat, simd(a, b, c, 4, '+', 1, 0, 1, 1, 0))
R(vsub2_sat, simd(a, b, c, 2, '-', 0, 0, 0, 1, 0))
R(vavrg4_, simd(a, b, c, 4, 'a', 1, 1, 1, 0, 0))
R(vabsdiff4_add, simd(a, b, c, 4, 'd', 0, 0, 0, 0, 1))
R(vmin2_, simd(a, b, c, 2, 'm', 1, 1, 1, 0, 0))
R(vset4_ge, simd(a, b, c, 4, 'g', 0, 0, 0, 0, 0))
R(vmax4_sel, (c & 0xffffff00) | (u64)(vel(a, b, 5, 4, 0) > vel(a, b, 3, 4, 0) ? vel(a, b, 5, 4, 0) : vel(a, b, 3, 4, 0)))

/* --- references: products plus sums, in words --- */

R(mad32, (u32)(a * b + c))
R(mad32_lit, (u32)(a * b + 123456789))
R(mad32_lcg, (u32)(a * 1664525 + 1013904223))
R(mad32_neg, (u32)(a * b - 16))
R(mad32_one, (u32)(a * b + 0x3f800000))
R(msub32, (u32)(a - b * 100003))
R(mad32_chain, (u32)((a * b + c) * a + (a * b + c) + b))
R(mad32_dot, (u32)(a * b + (b * c + (a * c + 5))))
R(mad32_after, (u32)((a * b + c) ^ c))
R(mad32_add, (u32)(a * b + c + a))
R(mad32_shift, (u32)((a * b + c) << 5))
R(mul64_10, a * 10)
R(mad64, a * b + c)

/* bytes and half-words */
R(piece_add, (u32)(u8)(a >> 8) + (u8)(b >> 16))
R(piece_sub, (u32)((s8)(a >> 24) - (s16)b))
R(piece_min, (u16)(a >> 16) < (u16)b ? (u16)(a >> 16) : (u16)b)
R(piece_max, (u32)((s16)(a >> 16) > (s8)(b >> 8) ? (s16)(a >> 16) : (s8)(b >> 8)))
R(piece_less, (s8)(a >> 8) < (s32)(u8)b)
R(piece_mul, (u32)((s8)(a >> 16) * (s16)b))
R(piece_shift, (u32)((u16)b << ((u8)(a >> 24) & 31)))

/* {carry of it, x * y + z}, the upper word of the product signed or not */
static u128 words(u64 x, u64 y, u64 z, bool is_signed)
{
	u64 p = is_signed ? (u64)((s64)(s32)x * (s32)y) : (u64)(u32)x * (u32)y;
	return (u128)p + z;
}
R(words_u, (u64)words(a, b, c, false))
R(words_s, (u64)words(a, b, c, true))
R(words_hi, (u64)words(a, b, c, false) >> 32)
R(words_carry, (u64)words(a, b, c, false) ^ (u64)(words(a, b, c, false) >> 64))
R(words_only_carry, (u64)(words(a, b, c, false) >> 64))
R(words_carry_s, (u64)words(a, b, c, true) ^ (u64)(words(a, b, c, true) >> 64))
R(words_not, (u64)words(a, b, c, false) ^ 0xffffffff)
R(words_77, (u64)words(a, b, (c & 0xffffffff) | (u64)((u32)(c >> 32) * 77) << 32, false))
static u64 words_dependent(u64 a, u64 b, u64 c)
{
	u32 lo = (u32)(a * b + c);
	return (u64)words(a, b, (u32)c | (u64)(u32)(lo ^ a) << 32, false);
}
R(words_dep, words_dependent(a, b, c))
static u64 words_twice(u64 a, u64 b, u64 c)
{
	u64 carry = words(a, b, (u32)c, false) >> 32 != (u64)(u32)a * (u32)b >> 32;
	return (u32)((words(a, b, c, false) >> 32) ^ ((c >> 32) + carry));
}
R(words_used_twice, words_twice(a, b, c))
R(words_other, (u32)(a * b + c) | (u64)(u32)(((u64)(u32)a * (u32)a >> 32) + (c >> 32) + (((a * b & 0xffffffff) + (c & 0xffffffff)) >> 32)) << 32)

#define ROW(text_, sig_, ref_) {.text = text_, .sig = sig_, .ref = ref_}
static const struct row hand_rows[] = {
	ROW("add.s32 $d, $a, $b", "ww=w", add32),
	ROW("sub.u32 $d, $a, $b", "ww=w", sub32),
	ROW("add.sat.s32 $d, $a, $b", "ww=w", add_sat),
	ROW("sub.sat.s32 $d, $a, $b", "ww=w", sub_sat),
	ROW("add.u16x2 $d, $a, $b", "ww=w", add16x2),
	ROW("mul.hi.s32 $d, $a, $b", "ww=w", mulhi_s32),
	ROW("mul.hi.u32 $d, $a, $b", "ww=w", mulhi_u32),
	ROW("mul.hi.u16 $d, $a, $b", "hh=h", mulhi_u16),
	ROW("mul.hi.s16 $d, $a, $b", "hh=h", mulhi_s16),
	ROW("mul.hi.s64 $d, $a, $b", "ll=l", mulhi_s64),
	ROW("mul.hi.u64 $d, $a, $b", "ll=l", mulhi_u64),
	ROW("mul.wide.s32 $d, $a, $b", "ww=l", mulw_s32),
	ROW("mul.wide.u16 $d, $a, $b", "hh=w", mulw_u16),
	ROW("mad.wide.s16 $d, $a, $b, $c", "hhw=w", madw_s16),
	ROW("mad.hi.sat.s32 $d, $a, $b, $c", "www=w", madhi_sat),
	ROW("mad.lo.s16 $d, $a, $b, $c", "hhh=h", mad16),
	ROW("mul24.lo.s32 $d, $a, $b", "ww=w", mul24lo_s),
	ROW("mul24.lo.u32 $d, $a, $b", "ww=w", mul24lo_u),
	ROW("mul24.hi.s32 $d, $a, $b", "ww=w", mul24hi_s),
	ROW("mul24.hi.u32 $d, $a, $b", "ww=w", mul24hi_u),
	ROW("mad24.hi.sat.s32 $d, $a, $b, $c", "www=w", mad24hi_sat),
	ROW("mad.lo.s32 $d, $a, $b, $c", "www=w", mad32),
	ROW("mad.lo.u32 $d, $a, $b, 123456789", "ww=w", mad32_lit),
	ROW("mad.lo.u32 $d, $a, 1664525, 1013904223", "w=w", mad32_lcg),
	ROW("mad.lo.u32 $d, $a, $b, -16", "ww=w", mad32_neg),
	ROW("mad.lo.u32 $d, $a, $b, 0x3f800000", "ww=w", mad32_one),
	ROW(".reg .b32 %t; mul.lo.u32 %t, $b, 100003; sub.u32 $d, $a, %t", "ww=w", msub32),
	ROW(".reg .b32 %t<2>; mad.lo.u32 %t0, $a, $b, $c; mad.lo.u32 %t1, %t0, $a, $b; add.u32 $d, %t0, %t1", "www=w", mad32_chain),
	ROW(".reg .b32 %t<2>; mad.lo.u32 %t0, $a, $c, 5; mad.lo.u32 %t1, $b, $c, %t0; mad.lo.u32 $d, $a, $b, %t1", "www=w", mad32_dot),
	ROW(".reg .b32 %t; mad.lo.u32 %t, $a, $b, $c; xor.b32 $d, %t, $c", "www=w", mad32_after),
	ROW(".reg .b32 %t; mad.lo.u32 %t, $a, $b, $c; add.u32 $d, %t, $a", "www=w", mad32_add),
	ROW(".reg .b32 %t; mad.lo.u32 %t, $a, $b, $c; shl.b32 $d, %t, 5", "www=w", mad32_shift),
	ROW("mul.lo.u64 $d, $a, 10", "l=l", mul64_10),
	ROW("mad.lo.s64 $d, $a, $b, $c", "lll=l", mad64),
	ROW(".reg .b32 %t<2>; bfe.u32 %t0, $a, 8, 8; bfe.u32 %t1, $b, 16, 8; add.u32 $d, %t0, %t1", "ww=w", piece_add),
	ROW(".reg .b32 %t<2>; shr.s32 %t0, $a, 24; bfe.s32 %t1, $b, 0, 16; sub.s32 $d, %t0, %t1", "ww=w", piece_sub),
	ROW(".reg .b32 %t<2>; shr.u32 %t0, $a, 16; and.b32 %t1, $b, 0xffff; min.u32 $d, %t0, %t1", "ww=w", piece_min),
	ROW(".reg .b32 %t<2>; shr.s32 %t0, $a, 16; bfe.s32 %t1, $b, 8, 8; max.s32 $d, %t0, %t1", "ww=w", piece_max),
	ROW(".reg .b32 %t<2>; .reg .pred %c; bfe.s32 %t0, $a, 8, 8; and.b32 %t1, $b, 0xff; setp.lt.s32 %c, %t0, %t1; selp.b32 $d, 1, 0, %c", "ww=w",
	    piece_less),
	ROW(".reg .b32 %t<2>; bfe.s32 %t0, $a, 16, 8; bfe.s32 %t1, $b, 0, 16; mul.lo.s32 $d, %t0, %t1", "ww=w", piece_mul),
	ROW(".reg .b32 %t<3>; bfe.u32 %t0, $a, 24, 8; and.b32 %t1, $b, 0xffff; shf.l.wrap.b32 $d, 0, %t1, %t0", "ww=w", piece_shift),
#define WORDS ".reg .b32 %t<6>; .reg .b64 %u; mov.b64 {%t0, %t1}, $c; "
#define WORDS_D "; mov.b64 $d, {%t2, %t3}"
#define WORDS_CARRY "; addc.u32 %t4, 0, 0; xor.b32 %t2, %t2, %t4" WORDS_D
	ROW(WORDS "mad.lo.cc.u32 %t2, $a, $b, %t0; madc.hi.u32 %t3, $a, $b, %t1" WORDS_D, "wwl=l", words_u),
	ROW(WORDS "mad.lo.cc.u32 %t2, $a, $b, %t0; madc.hi.u32 %t3, $b, $a, %t1" WORDS_D, "wwl=l", words_u),
	ROW(WORDS "mad.lo.cc.s32 %t2, $a, $b, %t0; madc.hi.s32 %t3, $a, $b, %t1" WORDS_D, "wwl=l", words_s),
	ROW(WORDS "mad.lo.cc.u32 %t2, $a, $b, %t0; madc.hi.cc.u32 %t3, $a, $b, %t1" WORDS_CARRY, "wwl=l", words_carry),
	ROW(WORDS "mad.lo.cc.s32 %t2, $a, $b, %t0; madc.hi.cc.s32 %t3, $a, $b, %t1" WORDS_CARRY, "wwl=l", words_carry_s),
	ROW(WORDS "mad.lo.cc.u32 %t2, $a, $b, %t0; madc.hi.u32 $d, $a, $b, %t1", "wwl=w", words_hi),
	ROW(WORDS "mad.lo.cc.u32 %t2, $a, $b, %t0; madc.hi.cc.u32 %t3, $a, $b, %t1; addc.u32 $d, 0, 0", "wwl=w", words_only_carry),
	ROW(WORDS "mad.lo.cc.u32 %t2, $a, $b, %t0; not.b32 %t2, %t2; madc.hi.u32 %t3, $a, $b, %t1" WORDS_D, "wwl=l", words_not),
	ROW(WORDS "mad.lo.cc.u32 %t2, $a, $b, %t0; mul.lo.u32 %t1, %t1, 77; madc.hi.u32 %t3, $a, $b, %t1" WORDS_D, "wwl=l", words_77),
	ROW(WORDS "mad.lo.cc.u32 %t2, $a, $b, %t0; xor.b32 %t1, %t2, $a; madc.hi.u32 %t3, $a, $b, %t1" WORDS_D, "wwl=l", words_dep),
	ROW(WORDS "mad.lo.cc.u32 %t2, $a, $b, %t0; madc.hi.u32 %t3, $a, $b, %t1; addc.u32 %t4, %t1, 0; xor.b32 $d, %t3, %t4", "wwl=w", words_used_twice),
	ROW(WORDS "mad.lo.cc.u32 %t2, $a, $b, %t0; madc.hi.u32 %t3, $a, $a, %t1" WORDS_D, "wwl=l", words_other),
	ROW(WORDS "mul.wide.u32 %u, $a, $b; mov.b64 {%t4, %t5}, %u; add.cc.u32 %t2, %t4, %t0; addc.u32 %t3, %t5, %t1" WORDS_D, "wwl=l", words_u),
	ROW(WORDS "mul.wide.s32 %u, $a, $b; mov.b64 {%t4, %t5}, %u; add.cc.u32 %t2, %t0, %t4; addc.u32 %t3, %t1, %t5" WORDS_D, "wwl=l", words_s),
	ROW(WORDS "mul.wide.u32 %u, $a, $b; mov.b64 {%t4, %t5}, %u; add.cc.u32 %t2, %t4, %t0; addc.cc.u32 %t3, %t5, %t1" WORDS_CARRY, "wwl=l", words_carry),
	ROW(WORDS "mul.wide.s32 %u, $a, $b; mov.b64 {%t4, %t5}, %u; add.cc.u32 %t2, %t4, %t0; addc.cc.u32 %t3, %t5, %t1" WORDS_CARRY, "wwl=l", words_carry_s),
#undef WORDS
#undef WORDS_D
#undef WORDS_CARRY
	ROW("sad.s32 $d, $a, $b, $c", "www=w", sad_s32),
	ROW("sad.u32 $d, $a, $b, $c", "www=w", sad_u32),
	ROW("sad.u16 $d, $a, $b, $c", "hhh=h", sad_u16),
	ROW("sad.s64 $d, $a, $b, $c", "lll=l", sad_s64),
	ROW("abs.s32 $d, $a", "w=w", abs32),
	ROW("neg.s64 $d, $a", "l=l", neg64),
	ROW("min.s16 $d, $a, $b", "hh=h", min_s16),
	ROW("max.u64 $d, $a, $b", "ll=l", max_u64),
	ROW("min.relu.s32 $d, $a, $b", "ww=w", min_relu),
	ROW("div.s32 $d, $a, $b", "ww=w", div_s32),
	ROW("rem.s32 $d, $a, $b", "ww=w", rem_s32),
	ROW("dp4a.u32.u32 $d, $a, $b, $c", "www=w", dp4a_uu),
	ROW("dp4a.u32.s32 $d, $a, $b, $c", "www=w", dp4a_us),
	ROW("dp4a.s32.u32 $d, $a, $b, $c", "www=w", dp4a_su),
	ROW("dp4a.s32.s32 $d, $a, $b, $c", "www=w", dp4a_ss),
	ROW("dp2a.lo.s32.u32 $d, $a, $b, $c", "www=w", dp2a_lo_su),
	ROW("dp2a.hi.u32.s32 $d, $a, $b, $c", "www=w", dp2a_hi_us),
	ROW("shl.b16 $d, $a, $b", "hn=h", shl16),
	ROW("shl.b32 $d, $a, $b", "wn=w", shl32),
	ROW("shl.b64 $d, $a, $b", "ln=l", shl64),
	ROW("shr.u16 $d, $a, $b", "hn=h", shr_u16),
	ROW("shr.s16 $d, $a, $b", "hn=h", shr_s16),
	ROW("shr.s32 $d, $a, $b", "wn=w", shr_s32),
	ROW("shr.b64 $d, $a, $b", "ln=l", shr_u64),
	ROW("shr.s64 $d, $a, $b", "ln=l", shr_s64),
	ROW("shf.l.wrap.b32 $d, $a, $b, $c", "wwn=w", shf_lw),
	ROW("shf.r.wrap.b32 $d, $a, $b, $c", "wwn=w", shf_rw),
	ROW("shf.l.clamp.b32 $d, $a, $b, $c", "wwn=w", shf_lc),
	ROW("shf.r.clamp.b32 $d, $a, $b, $c", "wwn=w", shf_rc),
	ROW("bfe.u32 $d, $a, $b, $c", "wnn=w", bfe_u32),
	ROW("bfe.s32 $d, $a, $b, $c", "wnn=w", bfe_s32),
	ROW("bfe.u64 $d, $a, $b, $c", "lnn=l", bfe_u64),
	ROW("bfe.s64 $d, $a, $b, $c", "lnn=l", bfe_s64),
	ROW("bfi.b32 $d, $a, 0x13579bdf, $b, $c", "wnn=w", bfi32),
	ROW("bfi.b64 $d, $a, 0x0123456789abcdef, $b, $c", "lnn=l", bfi64),
	ROW("szext.clamp.s32 $d, $a, $b", "wn=w", szext_cs),
	ROW("szext.clamp.u32 $d, $a, $b", "wn=w", szext_cu),
	ROW("szext.wrap.s32 $d, $a, $b", "wn=w", szext_ws),
	ROW("szext.wrap.u32 $d, $a, $b", "wn=w", szext_wu),
	ROW("bmsk.clamp.b32 $d, $a, $b", "nn=w", bmsk_c),
	ROW("bmsk.wrap.b32 $d, $a, $b", "nn=w", bmsk_w),
	ROW("fns.b32 $d, $a, $b, $c", "wnm=w", fns_),
	ROW("bfind.u32 $d, $a", "w=w", bfind_u32),
	ROW("bfind.s32 $d, $a", "w=w", bfind_s32),
	ROW("bfind.shiftamt.s32 $d, $a", "w=w", bfind_sa_s32),
	ROW("bfind.u64 $d, $a", "l=w", bfind_u64),
	ROW("bfind.shiftamt.s64 $d, $a", "l=w", bfind_sa_s64),
	ROW("popc.b64 $d, $a", "l=w", popc64),
	ROW("clz.b32 $d, $a", "w=w", clz32),
	ROW("clz.b64 $d, $a", "l=w", clz64),
	ROW("brev.b32 $d, $a", "w=w", brev32),
	ROW("brev.b64 $d, $a", "l=l", brev64),
	ROW("cnot.b16 $d, $a", "h=h", cnot16),
	ROW("prmt.b32 $d, $a, $b, $c", "wws=w", prmt_),
	ROW("prmt.b32.f4e $d, $a, $b, $c", "wwn=w", prmt_f4e),
	ROW("prmt.b32.b4e $d, $a, $b, $c", "wwn=w", prmt_b4e),
	ROW("prmt.b32.rc8 $d, $a, $b, $c", "wwn=w", prmt_rc8),
	ROW("prmt.b32.ecl $d, $a, $b, $c", "wwn=w", prmt_ecl),
	ROW("prmt.b32.ecr $d, $a, $b, $c", "wwn=w", prmt_ecr),
	ROW("prmt.b32.rc16 $d, $a, $b, $c", "wwn=w", prmt_rc16),
	ROW("slct.b32.s32 $d, $a, $b, $c", "www=w", slct32),
	ROW("set.lo.u32.u32 $d, $a, $b", "ww=w", set_lt_u),
	ROW("set.ge.f32.s64 $d, $a, $b", "ll=w", set_ge_f),
	ROW("cvt.s8.s32 $d, $a", "w=w", cvt_s8_s32),
	ROW("cvt.u8.s32 $d, $a", "w=w", cvt_u8_s32),
	ROW("cvt.sat.u8.s32 $d, $a", "w=w", cvt_sat_u8_s32),
	ROW("cvt.sat.s8.u32 $d, $a", "w=w", cvt_sat_s8_u32),
	ROW("cvt.sat.s16.s64 $d, $a", "l=h", cvt_sat_s16_s64),
	ROW("cvt.sat.u32.s64 $d, $a", "l=w", cvt_sat_u32_s64),
	ROW("cvt.sat.s32.u64 $d, $a", "l=w", cvt_sat_s32_u64),
	ROW("cvt.sat.u64.s32 $d, $a", "w=l", cvt_sat_u64_s32),
	ROW("cvt.sat.s64.u64 $d, $a", "l=l", cvt_sat_s64_u64),
	ROW("cvt.sat.u16.u32 $d, $a", "w=h", cvt_sat_u16_u32),
	ROW("cvt.s64.s16 $d, $a", "h=l", cvt_s64_s16),
	ROW("cvt.s16.s8 $d, $a", "h=h", cvt_s16_s8),
	/* sums of registers that are wider, or of bits for a float: as an H200 */
	ROW("mov.b32 $d, $a+-8", "l=w", less8), ROW("mov.b16 $d, $a+-8", "l=h", less8_16), ROW("mov.f32 $d, $a+4", "w=w", more4),
	ROW("add.u32 $d, $a, $b+-8", "wl=w", add_less8), ROW("mul.lo.u16 $d, $a, $b+7", "hw=h", mul_more7),
	ROW("mov.b32 $d, {$a, $b}", "hh=w", mov_pack),
	ROW("add.bf16 $d, $a, $b", "gg=g", add_bf16),
	ROW("mul.bf16 $d, $a, $b", "gg=g", mul_bf16),
	ROW("fma.rn.bf16 $d, $a, $b, $c", "ggg=g", fma_bf16),
	ROW("fma.rn.relu.bf16 $d, $a, $b, $c", "ggg=g", fma_relu_bf16),
	ROW("sub.rz.f32 $d, $a, $b", "ff=f", sub_rz_f32),
	ROW("fma.rn.f32.f16 $d, $a, $b, $c", "xxf=f", fma_mixed),
	ROW("cvt.rn.bf16.f32 $d, $a", "f=g", cvt_bf16_f32),
	ROW("cvt.rz.bf16.f32 $d, $a", "f=g", cvt_rz_bf16_f32),
	ROW("cvt.rn.relu.f16x2.f32 $d, $a, $b", "ff=w", cvt_relu_f16x2),
	ROW("cvt.rn.f16.f64 $d, $a", "e=x", cvt_f16_f64),
	ROW("cvt.rp.f16.f64 $d, $a", "e=x", cvt_rp_f16_f64),
	ROW("cvt.rn.f32.f64 $d, $a", "e=f", cvt_f32_f64),
	ROW("cvt.rn.f16.s32 $d, $a", "w=x", cvt_f16_s32),
	ROW("cvt.rn.f16.u64 $d, $a", "l=x", cvt_f16_u64),
	ROW("cvt.rn.f32.s64 $d, $a", "l=f", cvt_f32_s64),
	ROW("cvt.rm.f32.u8 $d, $a", "h=f", cvt_rm_f32_u8),
	ROW("cvt.rni.s32.f32 $d, $a", "f=w", cvt_s32_f32),
	ROW("cvt.rmi.s8.f32 $d, $a", "f=w", cvt_s8_f32),
	ROW("cvt.rzi.u16.f16 $d, $a", "x=h", cvt_u16_f16),
	ROW("cvt.rpi.u32.f64 $d, $a", "e=w", cvt_u32_f64),
	ROW("cvt.rna.tf32.f32 $d, $a", "f=w", cvt_tf32),
	ROW("min.xorsign.abs.f32 $d, $a, $b", "ff=f", min_xorsign),
	ROW("copysign.f32 $d, $a, $b", "ff=w", copysign32),
	ROW("neg.f16x2 $d, $a", "w=w", neg_f16x2),
	ROW(".reg .pred %q1; testp.normal.f32 %q1, $a; selp.b32 $d, 1, 0, %q1", "f=w", testp_normal),
	ROW(".reg .pred %q1; testp.subnormal.f32 %q1, $a; selp.b32 $d, 1, 0, %q1", "f=w", testp_sub),
	ROW("slct.b32.f32 $d, $a, $b, $c", "wwf=w", slct_f),
	ROW(".reg .pred %q<3>; .reg .b32 %t; setp.lt.f32 %q1|%q2, $a, $b; selp.b32 $d, 1, 0, %q1; selp.b32 %t, 2, 0, %q2;"
	 " or.b32 $d, $d, %t", "ff=w", setp_pq),
	ROW(".reg .pred %q1; setp.ltu.f32 %q1, $a, $b; selp.b32 $d, 1, 0, %q1", "ff=w", setp_ltu),
	ROW("set.gt.bf16x2.bf16x2 $d, $a, $b", "vv=w", set_bf16x2),
	ROW("cvt.rn.satfinite.e4m3x2.f32 $d, $a, $b", "yy=h", to_e4m3),
	ROW("cvt.rn.satfinite.relu.e5m2x2.f32 $d, $a, $b", "yy=h", to_e5m2r),
	ROW(".reg .b8 %z; cvt.rn.satfinite.e2m1x2.f32 %z, $a, $b; cvt.u32.u8 $d, %z", "yy=w", to_e2m1),
	ROW(".reg .b8 %z; cvt.rn.satfinite.e2m1x2.f16x2 %z, $a; cvt.u32.u8 $d, %z", "w=w", to_e2m1_half),
	ROW("cvt.rn.satfinite.e2m3x2.f32 $d, $a, $b", "yy=h", to_e2m3),
	ROW("cvt.rn.satfinite.e3m2x2.f32 $d, $a, $b", "yy=h", to_e3m2),
	ROW("cvt.rp.ue8m0x2.f32 $d, $a, $b", "yy=h", to_ue8m0),
	ROW("cvt.rs.satfinite.f16x2.f32 $d, $a, $b, $c", "ffw=w", rs_f16x2),
	ROW("cvt.rs.satfinite.bf16x2.f32 $d, $a, $b, $c", "ffw=w", rs_bf16x2),
	ROW("cvt.rn.f16x2.e4m3x2 $d, $a", "h=w", from_e4m3),
	ROW("cvt.rn.f16x2.e5m2x2 $d, $a", "h=w", from_e5m2),
	ROW("cvt.rn.f16x2.e2m3x2 $d, $a", "h=w", from_e2m3),
	ROW("cvt.pack.sat.s8.s32.b32 $d, $a, $b, $c", "www=w", pack_s8),
	ROW("cvt.pack.sat.s2.s32.b32 $d, $a, $b, $c", "www=w", pack_s2),
	ROW("cvt.pack.sat.u16.s32 $d, $a, $b", "ww=w", pack_u16),
	ROW("vadd.s32.u32.s32.sat $d, $a.b1, $b.h1", "ww=w", vadd_sat),
	ROW("vsub.s32.u32.s32.min $d, $a, $b, $c", "www=w", vsub_min),
	ROW("vabsdiff.u32.s32.u32.sat $d.b2, $a, $b, $c", "www=w", vabsdiff_merge),
	ROW("vshl.s32.s32.u32.sat.clamp $d, $a, $b", "wn=w", vshl_sat_s),
	ROW("vshl.u32.u32.u32.sat.clamp $d, $a, $b", "wn=w", vshl_sat_u),
	ROW("vshr.u32.u32.u32.wrap $d, $a, $b", "wn=w", vshr_wrap),
	ROW("vset.s32.u32.lt.add $d, $a, $b, $c", "www=w", vset_add),
	ROW("vmad.s32.u32.s32.sat.shr7 $d, $a, $b, $c", "www=w", vmad_us_sat),
	ROW("vmad.u32.u32.u32.sat $d, $a, $b, $c", "www=w", vmad_uu_sat),
	ROW("vmad.s32.u32.u32.sat.shr15 $d, -$a, $b, $c", "www=w", vmad_neg_sat),
	ROW("vmad.s32.s32.s32.po.shr15 $d, $a, $b, $c", "www=w", vmad_po),
	ROW("vadd4.s32.s32.u32.sat $d, $a, $b, $c", "www=w", vadd4_sat),
	ROW("vsub2.u32.u32.u32.sat $d, $a, $b, $c", "www=w", vsub2_sat),
	ROW("vavrg4.s32.s32.s32 $d, $a, $b, $c", "www=w", vavrg4_),
	ROW("vabsdiff4.u32.u32.u32.add $d, $a, $b, $c", "www=w", vabsdiff4_add),
	ROW("vmin2.s32.s32.s32 $d, $a, $b, $c", "www=w", vmin2_),
	ROW("vset4.u32.u32.ge $d, $a, $b, $c", "www=w", vset4_ge),
	ROW("vmax4.u32.u32.u32 $d.b0, $a.b3215, $b.b0123, $c", "www=w", vmax4_sel),
};

/* --- values --- */

static const u64 set_h[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x1234, 0x7fff, 0x8000, 0x8001, 0xff80, 0xffff};
static const u64 set_w[] = {0,          1,          2,          0x7f,       0x80,       0xff,       0x7fff,     0x8000,
			    0xffff,     0x10000,    0x7fffff,   0x800000,   0xffffff,   0x12345678, 0x80ff7f01, 0x7fffffff,
			    0x80000000, 0x80000001, 0xaaaaaaaa, 0xffffff80, 0xffffffff};
static const u64 set_l[] = {0, 1, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x123456789abcdef0,
			    0x7fffffffffffffff, 0x8000000000000000, 0xffffffff80000000, 0xffffffff7fffffff, 0xffffffffffff8000,
			    0xffffffffffffffff};
static const u64 set_n[] = {0,  1,  2,  3,  4,  7,   8,   15,  16,  17,  24,   30,         31,
			    32, 33, 47, 63, 64, 65, 127, 128, 200, 255, 256, 257, 0x80000000, 0xffffffff};
static const u64 set_m[] = {0, 1, 2, 3, 5, 16, 31, 32, 33, 0xffffffff, 0xfffffffe, 0xfffffff0, 0xffffffe0, 0x80000000, 0x7fffffff};
static const u64 set_s[] = {0x3210, 0x7654, 0, 0x7777, 0x8888, 0xffff, 0xfedc, 0xba98, 0x3a5c, 0x0123, 0xf3210, 0x8421, 0x1c3e};
static const u64 set_g[] = {0,      1,      0x7f,   0x80,   0x0081, 0x1f80, 0x3a80, 0x3b80, 0x3b81, 0x3c00, 0x3f00,
			    0x3f7f, 0x3f80, 0x3f81, 0x3f83, 0x4000, 0x4049, 0x5f00, 0x7f7f, 0x7f80, 0x8000, 0x8001,
			    0xbb80, 0xbb81, 0xbf80, 0xbf83, 0xdf00, 0xff7f, 0xff80, 0x7fc0};
static const u64 set_x[] = {0,      1,      2,      0x3ff,  0x400,  0x1400, 0x3800, 0x3801, 0x3bff, 0x3c00, 0x3c01, 0x3e00, 0x4100,
			    0x5bf8, 0x7bff, 0x7c00, 0x8000, 0x8001, 0xb800, 0xbc00, 0xbe00, 0xc100, 0xfbff, 0xfc00, 0x7e00};
static const u64 set_f[] = {0,          1,          0x7fffff,   0x800000,   0x33000000, 0x33000001, 0x33800000, 0x387fc000, 0x387fe000,
			    0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f808000, 0x3f818000, 0x3f800001, 0x3fc00000, 0x40200000,
			    0x42fe0000, 0x43000000, 0x477fe000, 0x477ff000, 0x47800000, 0x4effffff, 0x4f000000, 0x7f7f7fff, 0x7f7f8000,
			    0x7f7fffff, 0x7f800000, 0x80000000, 0x80000001, 0x807fffff, 0xbf000000, 0xbf800000, 0xbfc00000, 0xc3008000,
			    0xcf000000, 0xcf000001, 0xff7fffff, 0xff800000, 0x7fc00000, 0xff800001};
static const u64 set_e[] = {0, 1, 0x3e60000000000000, 0x3e60000000000001, 0x3e6fffffffffffff, 0x3e70000000000001, 0x3f0ffc0000000000,
			    0x3fdfffffffffffff, 0x3fe0000000000000, 0x3ff0000000000000, 0x3ff0000010000000, 0x3ff0000010000001,
			    0x3ff0000030000000, 0x3ff0020000000000, 0x3ff0020000000001, 0x3ff0060000000000, 0x40effbffffffffff,
			    0x40effc0000000000, 0x40effe0000000000, 0x40f0000000000000, 0x41dfffffffc00000, 0x41efffffffe00000,
			    0x41f0000000000000, 0x47efffffefffffff, 0x47effffff0000000, 0x7fefffffffffffff, 0x7ff0000000000000,
			    0x8000000000000000, 0x8000000000000001, 0xbfe0000000000000, 0xbff0020000000001, 0xc1e0000000000000,
			    0xffefffffffffffff, 0xfff0000000000000, 0x7ff8000000000000};
static const u64 set_v[] = {0, 0x3f803f80, 0x3f813f80, 0x3f803f81, 0x80000000, 0x00008000, 0xbf800001, 0x7fc03f80, 0x3f807fc0, 0xff807f80};
static const u64 set_y[] = {0,          1,          0x37800000, 0x38000000, 0x3a7fffff, 0x3a800000, 0x3a800001, 0x3b000000, 0x3b400000,
			    0x3c000000, 0x3c400000, 0x3c800000, 0x3cc00000, 0x3d800000, 0x3e000000, 0x3e800000, 0x3f000000, 0x3f400000,
			    0x3f800000, 0x3f880000, 0x3f880001, 0x3f980000, 0x3fa00000, 0x3fe00000, 0x40000000, 0x40a00000, 0x40b00000,
			    0x40c00000, 0x40e00000, 0x40f40000, 0x41d80000, 0x41e80000, 0x43e80000, 0x43f00000, 0x47600000, 0x47680000,
			    0x4f000000, 0x7f7fffff, 0x7f800000, 0x80000000, 0x80000001, 0xbf880000, 0xc3e7ffff, 0xff800000, 0x7fc00000};
static const u64 set_z[] = {0,          0x3c003c01, 0x80000001, 0xbc007bff, 0x7bff7bff, 0x7c00fc00, 0x7e003c00, 0x04008400,
			    0x38003801, 0x00013800, 0xc1004100, 0x3c017e00, 0x1400b801, 0xfc003bff, 0x82008001};
static const u64 set_t[] = {0xf0cc55aa, 0xccaaf00f, 0xaaf0cc33};
static const struct {
	char letter;
	uint32_t bits, n;
	const u64 *v;
} sets[] = {
#define SET(c, bits, v) {c, bits, sizeof v / sizeof *v, v}
	SET('h', 16, set_h), SET('w', 32, set_w), SET('l', 64, set_l), SET('n', 32, set_n), SET('m', 32, set_m), SET('s', 32, set_s), SET('t', 32, set_t), SET('y', 32, set_y), SET('z', 32, set_z),
	SET('g', 16, set_g), SET('x', 16, set_x), SET('f', 32, set_f), SET('e', 64, set_e), SET('v', 32, set_v),
};
static uint32_t set_of(char c)
{
	for (uint32_t k = 0; k < sizeof sets / sizeof *sets; k++)
		if (sets[k].letter == c)
			return k;
	abort();
}

static bool is_nan(u64 x, char letter)
{
	switch (letter) {
	case 'x':
		return (x & 0x7fff) > 0x7c00;
	case 'g':
		return (x & 0x7fff) > 0x7f80;
	case 'f':
		return (x & 0x7fffffff) > 0x7f800000;
	case 'e':
		return (x & ~((u64)1 << 63)) > 0x7ff0000000000000;
	default:
		return false;
	}
}

/* Equal, or NaN both (of packed types by halves). */
static bool same(u64 want, u64 got, char letter)
{
	char half = letter == 'z' ? 'x' : letter == 'v' ? 'g' : 0;
	if (half)
		return same(want & 0xffff, got & 0xffff, half) && same(want >> 16 & 0xffff, got >> 16 & 0xffff, half);
	return want == got || (is_nan(want, letter) && is_nan(got, letter));
}

#endif
