/* What the builders make of each instruction means what the PTX manual says: the IR of `OP d, a, b, c` is evaluated by the folder over edge
 * values and compared with a plain C rendering of the manual's semantics. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parser/build.h"
#include "parser/ptx_parse.h"

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

/* Operand letters of a row: h, w, l 16, 32, 64 bits; n a 32-bit amount; x, f, d floats of 16, 32, 64 bits; g bf16. Some more:
 * the result after "=". */
struct row {
	const char *text, *sig;
	u64 (*ref)(u64 a, u64 b, u64 c);
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
R(madw_s16, (u32)((s16)a * (s16)b + (s32)c))
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
R(rem_s32, (s32)b == 0 ? a : (u32)((s64)(s32)a % (s32)b))
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
	u32 pos = b & 255, len = c & 255, msb = w - 1;
	u64 d = 0;
	u32 sb = pos + len - 1 < msb ? pos + len - 1 : msb;
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
	u32 pos = c & 255, len = e & 255;
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
R(fns_, fns(a, b, c))
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

static const struct row rows[] = {
	{"add.s32 $d, $a, $b", "ww=w", add32},
	{"sub.u32 $d, $a, $b", "ww=w", sub32},
	{"add.sat.s32 $d, $a, $b", "ww=w", add_sat},
	{"sub.sat.s32 $d, $a, $b", "ww=w", sub_sat},
	{"add.u16x2 $d, $a, $b", "ww=w", add16x2},
	{"mul.hi.s32 $d, $a, $b", "ww=w", mulhi_s32},
	{"mul.hi.u32 $d, $a, $b", "ww=w", mulhi_u32},
	{"mul.hi.u16 $d, $a, $b", "hh=h", mulhi_u16},
	{"mul.hi.s16 $d, $a, $b", "hh=h", mulhi_s16},
	{"mul.hi.s64 $d, $a, $b", "ll=l", mulhi_s64},
	{"mul.hi.u64 $d, $a, $b", "ll=l", mulhi_u64},
	{"mul.wide.s32 $d, $a, $b", "ww=l", mulw_s32},
	{"mul.wide.u16 $d, $a, $b", "hh=w", mulw_u16},
	{"mad.wide.s16 $d, $a, $b, $c", "hhw=w", madw_s16},
	{"mad.hi.sat.s32 $d, $a, $b, $c", "www=w", madhi_sat},
	{"mad.lo.s16 $d, $a, $b, $c", "hhh=h", mad16},
	{"mul24.lo.s32 $d, $a, $b", "ww=w", mul24lo_s},
	{"mul24.lo.u32 $d, $a, $b", "ww=w", mul24lo_u},
	{"mul24.hi.s32 $d, $a, $b", "ww=w", mul24hi_s},
	{"mul24.hi.u32 $d, $a, $b", "ww=w", mul24hi_u},
	{"mad24.hi.sat.s32 $d, $a, $b, $c", "www=w", mad24hi_sat},
	{"sad.s32 $d, $a, $b, $c", "www=w", sad_s32},
	{"sad.u32 $d, $a, $b, $c", "www=w", sad_u32},
	{"sad.u16 $d, $a, $b, $c", "hhh=h", sad_u16},
	{"sad.s64 $d, $a, $b, $c", "lll=l", sad_s64},
	{"abs.s32 $d, $a", "w=w", abs32},
	{"neg.s64 $d, $a", "l=l", neg64},
	{"min.s16 $d, $a, $b", "hh=h", min_s16},
	{"max.u64 $d, $a, $b", "ll=l", max_u64},
	{"min.relu.s32 $d, $a, $b", "ww=w", min_relu},
	{"div.s32 $d, $a, $b", "ww=w", div_s32},
	{"rem.s32 $d, $a, $b", "ww=w", rem_s32},
	{"dp4a.u32.u32 $d, $a, $b, $c", "www=w", dp4a_uu},
	{"dp4a.u32.s32 $d, $a, $b, $c", "www=w", dp4a_us},
	{"dp4a.s32.u32 $d, $a, $b, $c", "www=w", dp4a_su},
	{"dp4a.s32.s32 $d, $a, $b, $c", "www=w", dp4a_ss},
	{"dp2a.lo.s32.u32 $d, $a, $b, $c", "www=w", dp2a_lo_su},
	{"dp2a.hi.u32.s32 $d, $a, $b, $c", "www=w", dp2a_hi_us},
	{"shl.b16 $d, $a, $b", "hn=h", shl16},
	{"shl.b32 $d, $a, $b", "wn=w", shl32},
	{"shl.b64 $d, $a, $b", "ln=l", shl64},
	{"shr.u16 $d, $a, $b", "hn=h", shr_u16},
	{"shr.s16 $d, $a, $b", "hn=h", shr_s16},
	{"shr.s32 $d, $a, $b", "wn=w", shr_s32},
	{"shr.b64 $d, $a, $b", "ln=l", shr_u64},
	{"shr.s64 $d, $a, $b", "ln=l", shr_s64},
	{"shf.l.wrap.b32 $d, $a, $b, $c", "wwn=w", shf_lw},
	{"shf.r.wrap.b32 $d, $a, $b, $c", "wwn=w", shf_rw},
	{"shf.l.clamp.b32 $d, $a, $b, $c", "wwn=w", shf_lc},
	{"shf.r.clamp.b32 $d, $a, $b, $c", "wwn=w", shf_rc},
	{"bfe.u32 $d, $a, $b, $c", "wnn=w", bfe_u32},
	{"bfe.s32 $d, $a, $b, $c", "wnn=w", bfe_s32},
	{"bfe.u64 $d, $a, $b, $c", "lnn=l", bfe_u64},
	{"bfe.s64 $d, $a, $b, $c", "lnn=l", bfe_s64},
	{"bfi.b32 $d, $a, 0x13579bdf, $b, $c", "wnn=w", bfi32},
	{"bfi.b64 $d, $a, 0x0123456789abcdef, $b, $c", "lnn=l", bfi64},
	{"szext.clamp.s32 $d, $a, $b", "wn=w", szext_cs},
	{"szext.clamp.u32 $d, $a, $b", "wn=w", szext_cu},
	{"szext.wrap.s32 $d, $a, $b", "wn=w", szext_ws},
	{"szext.wrap.u32 $d, $a, $b", "wn=w", szext_wu},
	{"bmsk.clamp.b32 $d, $a, $b", "nn=w", bmsk_c},
	{"bmsk.wrap.b32 $d, $a, $b", "nn=w", bmsk_w},
	{"fns.b32 $d, $a, $b, $c", "wnm=w", fns_},
	{"bfind.u32 $d, $a", "w=w", bfind_u32},
	{"bfind.s32 $d, $a", "w=w", bfind_s32},
	{"bfind.shiftamt.s32 $d, $a", "w=w", bfind_sa_s32},
	{"bfind.u64 $d, $a", "l=w", bfind_u64},
	{"bfind.shiftamt.s64 $d, $a", "l=w", bfind_sa_s64},
	{"popc.b64 $d, $a", "l=w", popc64},
	{"clz.b32 $d, $a", "w=w", clz32},
	{"clz.b64 $d, $a", "l=w", clz64},
	{"brev.b32 $d, $a", "w=w", brev32},
	{"brev.b64 $d, $a", "l=l", brev64},
	{"cnot.b16 $d, $a", "h=h", cnot16},
	{"prmt.b32 $d, $a, $b, $c", "wws=w", prmt_},
	{"prmt.b32.f4e $d, $a, $b, $c", "wwn=w", prmt_f4e},
	{"prmt.b32.b4e $d, $a, $b, $c", "wwn=w", prmt_b4e},
	{"prmt.b32.rc8 $d, $a, $b, $c", "wwn=w", prmt_rc8},
	{"prmt.b32.ecl $d, $a, $b, $c", "wwn=w", prmt_ecl},
	{"prmt.b32.ecr $d, $a, $b, $c", "wwn=w", prmt_ecr},
	{"prmt.b32.rc16 $d, $a, $b, $c", "wwn=w", prmt_rc16},
	{"slct.b32.s32 $d, $a, $b, $c", "www=w", slct32},
	{"set.lo.u32.u32 $d, $a, $b", "ww=w", set_lt_u},
	{"set.ge.f32.s64 $d, $a, $b", "ll=w", set_ge_f},
	{"cvt.s8.s32 $d, $a", "w=w", cvt_s8_s32},
	{"cvt.u8.s32 $d, $a", "w=w", cvt_u8_s32},
	{"cvt.sat.u8.s32 $d, $a", "w=w", cvt_sat_u8_s32},
	{"cvt.sat.s8.u32 $d, $a", "w=w", cvt_sat_s8_u32},
	{"cvt.sat.s16.s64 $d, $a", "l=h", cvt_sat_s16_s64},
	{"cvt.sat.u32.s64 $d, $a", "l=w", cvt_sat_u32_s64},
	{"cvt.sat.s32.u64 $d, $a", "l=w", cvt_sat_s32_u64},
	{"cvt.sat.u64.s32 $d, $a", "w=l", cvt_sat_u64_s32},
	{"cvt.sat.s64.u64 $d, $a", "l=l", cvt_sat_s64_u64},
	{"cvt.sat.u16.u32 $d, $a", "w=h", cvt_sat_u16_u32},
	{"cvt.s64.s16 $d, $a", "h=l", cvt_s64_s16},
	{"cvt.s16.s8 $d, $a", "h=h", cvt_s16_s8},
	{"mov.b32 $d, {$a, $b}", "hh=w", mov_pack},
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
static const struct {
	char letter;
	uint32_t bits, n;
	const u64 *v;
} sets[] = {
#define SET(c, bits, v) {c, bits, sizeof v / sizeof *v, v}
	SET('h', 16, set_h), SET('w', 32, set_w), SET('l', 64, set_l), SET('n', 32, set_n), SET('m', 32, set_m), SET('s', 32, set_s),
};
static uint32_t set_of(char c)
{
	for (uint32_t k = 0; k < sizeof sets / sizeof *sets; k++)
		if (sets[k].letter == c)
			return k;
	abort();
}

/* --- building and evaluating --- */

static const char *kernel(struct arena *a, const struct row *r)
{
	struct strbuf sb;
	sb_init(&sb, a);
	uint32_t n = (uint32_t)strcspn(r->sig, "=");
	uint32_t db = sets[set_of(r->sig[n + 1])].bits;
	sb_puts(&sb, ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .b64 p0, .param .b64 p1, .param .b64 p2)\n{\n");
	for (uint32_t k = 0; k < n; k++)
		sb_printf(&sb, ".reg .b%u %%x%u;\n", sets[set_of(r->sig[k])].bits, k);
	sb_printf(&sb, ".reg .b%u %%d; .reg .b64 %%q;\n", db);
	for (uint32_t k = 0; k < n; k++)
		sb_printf(&sb, "ld.param.b%u %%x%u, [p%u];\n", sets[set_of(r->sig[k])].bits, k, k);
	for (const char *c = r->text; *c; c++) {
		if (*c != '$')
			sb_putc(&sb, *c);
		else if (*++c == 'd')
			sb_puts(&sb, "%d");
		else
			sb_printf(&sb, "%%x%d", *c - 'a');
	}
	sb_printf(&sb, ";\nmov.b64 %%q, 16;\nst.global.b%u [%%q], %%d;\nret;\n}\n", db);
	return sb_str(&sb);
}

struct value {
	u64 bits;
	bool known;
};

static struct value eval_inst(const struct ir_inst *i, struct value *v, const u64 *args)
{
	struct ir_inst in[4], *ptr[4], tmp = *i;
	struct value r = {0, false};
	if (i->op == IR_load)
		return (struct value){args[i->imm / 8] & ir_mask(i->width), true};
	ck_assert_uint_le(i->nargs, 4);
	for (uint32_t k = 0; k < i->nargs; k++) {
		const struct ir_inst *x = i->args[k];
		struct value xv = x->op == IR_const ? (struct value){x->imm, true} : v[x->id];
		if (i->op == IR_select && k && (u64)(k == 1) != in[0].imm)
			xv.known = true; /* not chosen */
		if (!xv.known)
			return r;
		in[k] = (struct ir_inst){.op = IR_const, .width = x->width, .imm = xv.bits};
		ptr[k] = &in[k];
	}
	tmp.args = ptr;
	r.known = ir_fold_const(&tmp, &r.bits);
	r.bits &= ir_mask(i->width);
	return r;
}

static struct value eval(struct ir_func *f, struct value *v, const u64 *args)
{
	ir_each_inst(i, f->blocks.data[0])
	{
		if (i->op == IR_store) {
			const struct ir_inst *x = i->args[1];
			return x->op == IR_const ? (struct value){x->imm, true} : v[x->id];
		}
		v[i->id] = eval_inst(i, v, args);
	}
	ck_abort_msg("no store");
}

static struct ir_func *build(struct arena *a, const struct row *r)
{
	struct diags d;
	struct ptx_parse_opts opts = {0};
	const char *text = kernel(a, r);
	diags_init(&d, a);
	struct ptx_module *pm = ptx_parse(a, &d, text, strlen(text), &opts);
	struct ir_module *m = d.errors ? NULL : ptx_build(a, &d, pm);
	if (d.errors)
		ck_abort_msg("%s: %s\n%s", r->text, d.list.data[0].text, text);
	ir_validate(m->funcs.data[0], "ptx_build");
	return m->funcs.data[0];
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

static void check_row(const struct row *r)
{
	struct arena a;
	struct trap trap;
	arena_init(&a, &trap);
	if (setjmp(trap.env))
		ck_abort_msg("%s: %s", r->text, trap.msg);
	struct ir_func *f = build(&a, r);
	struct value *v = NEWN(&a, struct value, f->ninsts + 1);
	uint32_t nargs = (uint32_t)strcspn(r->sig, "="), n[3] = {1, 1, 1}, set[3] = {0}, known = 0, total = 0;
	for (uint32_t k = 0; k < nargs; k++) {
		set[k] = set_of(r->sig[k]);
		n[k] = sets[set[k]].n;
	}
	for (uint32_t i = 0; i < n[0] * n[1] * n[2]; i++, total++) {
		uint32_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
		u64 args[3] = {0};
		for (uint32_t k = 0; k < nargs; k++)
			args[k] = sets[set[k]].v[at[k]];
		struct value got = eval(f, v, args);
		u64 want = r->ref(args[0], args[1], args[2]);
		if (!got.known) /* the folder leaves NaNs to the hardware */
			continue;
		known++;
		if (got.bits != want && !(is_nan(want, r->sig[nargs + 1]) && is_nan(got.bits, r->sig[nargs + 1])))
			ck_abort_msg("%s: a %llx b %llx c %llx: got %llx, should be %llx", r->text, (unsigned long long)args[0],
				     (unsigned long long)args[1], (unsigned long long)args[2], (unsigned long long)got.bits,
				     (unsigned long long)want);
	}
	if (known * 4 < total)
		ck_abort_msg("%s: only %u of %u results are known", r->text, known, total);
	arena_free(&a);
}

START_TEST(integer_rows)
{
	check_row(&rows[_i]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("build_values");
	TCase *tc = tcase_create("rows");
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, integer_rows, 0, sizeof rows / sizeof *rows);
	suite_add_tcase(s, tc);
	SRunner *r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? 1 : 0;
}
