/* What generated programs use, twice: as device code for nvcc and clang -x cuda (no CUDA headers needed), and for the host, where every thread is
 * a fiber and warp operations wait until the lanes of their mask have come. */
#ifndef RANDOM_H
#define RANDOM_H

typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned __int128 u128;
typedef __int128 i128;
typedef float f32;
typedef double f64;

#if defined(__CUDA__) || defined(__CUDACC__)
#define DEVICE_SIDE 1
#ifndef __CUDACC_VER_MAJOR__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#endif
#define DEV __device__ __forceinline__
#define SHARED __shared__
#define KERNEL extern "C" __global__ void
#define SREG(NAME, REG) DEV u32 NAME() { u32 r; asm("mov.u32 %0, " REG ";" : "=r"(r)); return r; }
SREG(tid_x, "%%tid.x")
SREG(ctaid_x, "%%ctaid.x")
SREG(ntid_x, "%%ntid.x")
SREG(lane_id, "%%laneid")
#else
#define DEVICE_SIDE 0
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#define __device__
#define __constant__
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define DEV static inline
#define SHARED static
#define KERNEL extern "C" void
u32 tid_x(), ctaid_x(), ntid_x(), lane_id();
#endif

/* Operations by constraint letter: NAME(a, b) is one PTX instruction on the device, EXPR on the host. */
#if DEVICE_SIDE
#define OP1(NAME, T, C, A, CA, PTX, EXPR) \
	DEV T NAME(A a) { T r; asm(PTX " %0, %1;" : "=" C(r) : CA(a)); return r; }
#define OP2(NAME, T, C, A, CA, B, CB, PTX, EXPR) \
	DEV T NAME(A a, B b) { T r; asm(PTX " %0, %1, %2;" : "=" C(r) : CA(a), CB(b)); return r; }
#define OP3(NAME, T, CT, A, CA, B, CB, C, CC, PTX, EXPR) \
	DEV T NAME(A a, B b, C c) { T r; asm(PTX " %0, %1, %2, %3;" : "=" CT(r) : CA(a), CB(b), CC(c)); return r; }
#else
#define OP1(NAME, T, C, A, CA, PTX, EXPR) DEV T NAME(A a) { return EXPR; }
#define OP2(NAME, T, C, A, CA, B, CB, PTX, EXPR) DEV T NAME(A a, B b) { return EXPR; }
#define OP3(NAME, T, CT, A, CA, B, CB, C, CC, PTX, EXPR) DEV T NAME(A a, B b, C c) { return EXPR; }
#endif

#if !DEVICE_SIDE
template <class T, class F> __attribute__((noinline)) T rounded(int mode, F f)
{
	fesetround(mode);
	volatile T r = f();
	fesetround(FE_TONEAREST);
	return r;
}
#define RND(T, MODE, E) rounded<T>(MODE, [&]() __attribute__((noinline)) { volatile T x = a; (void)x; return (T)(E); })
DEV f32 flush(f32 x) { return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x; }
DEV u32 h_brev(u32 x) { u32 r = 0; for (int i = 0; i < 32; i++) r |= (x >> i & 1) << (31 - i); return r; }
DEV u64 h_brev64(u64 x) { return (u64)h_brev((u32)x) << 32 | h_brev((u32)(x >> 32)); }
DEV u32 h_prmt(u32 a, u32 b, u32 s)
{
	u32 r = 0;
	for (int i = 0; i < 4; i++) {
		u32 n = s >> (4 * i) & 15, v = (u32)((((u64)b << 32) | a) >> (8 * (n & 7))) & 255;
		r |= (n & 8 ? (v & 128 ? 255 : 0) : v) << (8 * i);
	}
	return r;
}
/* Position and length: the low byte for 32-bit fields, the whole word for 64-bit ones, as an H200 has them. */
DEV u64 h_bfe(u64 a, u32 pos, u32 len, int bits, bool sgn)
{
	if (bits == 32)
		pos &= 255, len &= 255;
	u64 m = 0, s = 0;
	if (sgn && len) {
		u64 p = (u64)pos + len - 1;
		s = a >> (p < (u64)bits - 1 ? p : (u64)bits - 1) & 1;
	}
	for (u32 i = 0; i < (u32)bits; i++)
		m |= (i < len && (u64)pos + i < (u64)bits ? a >> (pos + i) & 1 : s) << i;
	return len ? m : 0;
}
DEV u64 h_bfi(u64 a, u64 b, u32 pos, u32 len, u32 bits)
{
	if (bits == 32)
		pos &= 255, len &= 255;
	for (u32 i = 0; i < len && (u64)pos + i < bits; i++)
		b = (b & ~((u64)1 << (pos + i))) | ((a >> i & 1) << (pos + i));
	return b;
}
DEV u32 h_lop3(u32 a, u32 b, u32 c, u32 t)
{
	u32 r = 0;
	for (int i = 0; i < 32; i++)
		r |= (t >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
	return r;
}
DEV i32 h_bfind(u64 x) { return x ? 63 - __builtin_clzll(x) : -1; }
DEV i32 h_dp4a(u32 a, u32 b, u32 c, bool sa, bool sb)
{
	for (int i = 0; i < 4; i++) {
		i32 x = sa ? (i8)(a >> 8 * i) : (i32)(a >> 8 * i & 255), y = sb ? (i8)(b >> 8 * i) : (i32)(b >> 8 * i & 255);
		c += (u32)(x * y);
	}
	return (i32)c;
}
template <class T> T h_min(T a, T b) { return a != a ? b : b != b ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b; }
template <class T> T h_max(T a, T b) { return a != a ? b : b != b ? a : a == b ? (signbit(a) ? b : a) : a < b ? b : a; }
template <class I, class F> I h_toint(F x, F lo, F past, I imin, I imax)
{
	return x != x ? 0 : x < lo ? imin : x >= past ? imax : (I)x;
}
#endif
/* Integers. */
OP1(popc32, u32, "r", u32, "r", "popc.b32", (u32)__builtin_popcount(a))
OP1(popc64, u32, "r", u64, "l", "popc.b64", (u32)__builtin_popcountll(a))
OP1(clz32, u32, "r", u32, "r", "clz.b32", a ? (u32)__builtin_clz(a) : 32)
OP1(clz64, u32, "r", u64, "l", "clz.b64", a ? (u32)__builtin_clzll(a) : 64)
OP1(brev32, u32, "r", u32, "r", "brev.b32", h_brev(a))
OP1(brev64, u64, "l", u64, "l", "brev.b64", h_brev64(a))
OP1(bfind_u32, u32, "r", u32, "r", "bfind.u32", (u32)h_bfind(a))
OP1(bfind_s32, u32, "r", i32, "r", "bfind.s32", (u32)h_bfind((u32)(a < 0 ? ~a : a)))
OP1(bfind_u64, u32, "r", u64, "l", "bfind.u64", (u32)h_bfind(a))
OP1(bfind_s64, u32, "r", i64, "l", "bfind.s64", (u32)h_bfind((u64)(a < 0 ? ~a : a)))
OP1(bfind_sh, u32, "r", u32, "r", "bfind.shiftamt.u32", a ? 31 - (u32)h_bfind(a) : ~0u)
OP1(neg_s16, i16, "h", i16, "h", "neg.s16", (i16)-(i32)a)
OP1(cnot32, u32, "r", u32, "r", "cnot.b32", a == 0)
OP1(abs_s64, i64, "l", i64, "l", "abs.s64", a < 0 ? (i64)(0 - (u64)a) : a)
OP2(mulhi_u32, u32, "r", u32, "r", u32, "r", "mul.hi.u32", (u32)((u64)a * b >> 32))
OP2(mulhi_s32, i32, "r", i32, "r", i32, "r", "mul.hi.s32", (i32)((i64)a * b >> 32))
OP2(mulhi_u64, u64, "l", u64, "l", u64, "l", "mul.hi.u64", (u64)((u128)a * b >> 64))
OP2(mulhi_s64, i64, "l", i64, "l", i64, "l", "mul.hi.s64", (i64)((i128)a * b >> 64))
OP2(mulhi_u16, u16, "h", u16, "h", u16, "h", "mul.hi.u16", (u16)((u32)a * b >> 16))
OP2(mulwide_u16, u32, "r", u16, "h", u16, "h", "mul.wide.u16", (u32)a * b)
OP2(mulwide_s16, i32, "r", i16, "h", i16, "h", "mul.wide.s16", (i32)a * b)
OP2(mulwide_u32, u64, "l", u32, "r", u32, "r", "mul.wide.u32", (u64)a * b)
OP2(mulwide_s32, i64, "l", i32, "r", i32, "r", "mul.wide.s32", (i64)a * b)
OP2(mul24lo_u, u32, "r", u32, "r", u32, "r", "mul24.lo.u32", (u32)((u64)(a & 0xffffff) * (b & 0xffffff)))
OP2(mul24lo_s, i32, "r", i32, "r", i32, "r", "mul24.lo.s32", (i32)((i64)((i32)((u32)a << 8) >> 8) * ((i32)((u32)b << 8) >> 8)))
OP2(mul24hi_u, u32, "r", u32, "r", u32, "r", "mul24.hi.u32", (u32)((u64)(a & 0xffffff) * (b & 0xffffff) >> 16))
OP2(addsat, i32, "r", i32, "r", i32, "r", "add.sat.s32", (i64)a + b > 0x7fffffffLL ? 0x7fffffff : (i64)a + b < -0x80000000LL ? (i32)0x80000000 : a + b)
OP2(subsat, i32, "r", i32, "r", i32, "r", "sub.sat.s32", (i64)a - b > 0x7fffffffLL ? 0x7fffffff : (i64)a - b < -0x80000000LL ? (i32)0x80000000 : a - b)
OP2(shl_clamp, u32, "r", u32, "r", u32, "r", "shl.b32", b > 31 ? 0 : a << b)
OP2(shr_clamp_u, u32, "r", u32, "r", u32, "r", "shr.u32", b > 31 ? 0 : a >> b)
OP2(shr_clamp_s, i32, "r", i32, "r", u32, "r", "shr.s32", a >> (b > 31 ? 31 : b))
OP2(shl_clamp64, u64, "l", u64, "l", u32, "r", "shl.b64", b > 63 ? 0 : a << b)
OP2(shr_clamp_u64, u64, "l", u64, "l", u32, "r", "shr.u64", b > 63 ? 0 : a >> b)
OP2(shr_clamp_s64, i64, "l", i64, "l", u32, "r", "shr.s64", a >> (b > 63 ? 63 : b))
OP2(shr_clamp_s16, i16, "h", i16, "h", u32, "r", "shr.s16", (i16)(a >> (b > 15 ? 15 : b)))
OP2(shl_clamp16, u16, "h", u16, "h", u32, "r", "shl.b16", b > 15 ? 0 : (u16)(a << b))
OP2(min_s16, i16, "h", i16, "h", i16, "h", "min.s16", a < b ? a : b)
OP2(max_u16, u16, "h", u16, "h", u16, "h", "max.u16", a < b ? b : a)
OP2(min_u32, u32, "r", u32, "r", u32, "r", "min.u32", a < b ? a : b)
OP2(max_s32, i32, "r", i32, "r", i32, "r", "max.s32", a < b ? b : a)
OP2(min_s64, i64, "l", i64, "l", i64, "l", "min.s64", a < b ? a : b)
OP2(max_u64, u64, "l", u64, "l", u64, "l", "max.u64", a < b ? b : a)
OP2(bmsk, u32, "r", u32, "r", u32, "r", "bmsk.clamp.b32", (u32)((b > 31 ? ~0ull : (1ull << b) - 1) << (a > 32 ? 32 : a)))
OP3(mad_u32, u32, "r", u32, "r", u32, "r", u32, "r", "mad.lo.u32", a * b + c)
OP3(madhi_u32, u32, "r", u32, "r", u32, "r", u32, "r", "mad.hi.u32", (u32)((u64)a * b >> 32) + c)
OP3(madhi_s32, i32, "r", i32, "r", i32, "r", i32, "r", "mad.hi.s32", (i32)((u32)((i64)a * b >> 32) + (u32)c))
OP3(mad_u64, u64, "l", u64, "l", u64, "l", u64, "l", "mad.lo.u64", a * b + c)
OP3(madwide_u32, u64, "l", u32, "r", u32, "r", u64, "l", "mad.wide.u32", (u64)a * b + c)
OP3(madwide_s32, i64, "l", i32, "r", i32, "r", i64, "l", "mad.wide.s32", (i64)((u64)((i64)a * b) + (u64)c))
OP3(madwide_s16, i32, "r", i16, "h", i16, "h", i32, "r", "mad.wide.s16", (i32)((u32)((i32)a * b) + (u32)c))
OP3(mad24_s, i32, "r", i32, "r", i32, "r", i32, "r", "mad24.lo.s32", (i32)((u32)((i64)((i32)((u32)a << 8) >> 8) * ((i32)((u32)b << 8) >> 8)) + (u32)c))
OP3(sad_u32, u32, "r", u32, "r", u32, "r", u32, "r", "sad.u32", (a < b ? b - a : a - b) + c)
OP3(sad_s32, u32, "r", i32, "r", i32, "r", u32, "r", "sad.s32", (a < b ? (u32)b - (u32)a : (u32)a - (u32)b) + c)
OP3(sad_u16, u16, "h", u16, "h", u16, "h", u16, "h", "sad.u16", (u16)((a < b ? b - a : a - b) + c))
OP3(prmt, u32, "r", u32, "r", u32, "r", u32, "r", "prmt.b32", h_prmt(a, b, c))
OP3(shf_l_wrap, u32, "r", u32, "r", u32, "r", u32, "r", "shf.l.wrap.b32", (u32)((((u64)b << 32) | a) << (c & 31) >> 32))
OP3(shf_r_wrap, u32, "r", u32, "r", u32, "r", u32, "r", "shf.r.wrap.b32", (u32)((((u64)b << 32) | a) >> (c & 31)))
OP3(shf_l_clamp, u32, "r", u32, "r", u32, "r", u32, "r", "shf.l.clamp.b32", (u32)((((u64)b << 32) | a) << (c > 32 ? 32 : c) >> 32))
OP3(shf_r_clamp, u32, "r", u32, "r", u32, "r", u32, "r", "shf.r.clamp.b32", (u32)((((u64)b << 32) | a) >> (c > 32 ? 32 : c)))
OP3(bfe_u32, u32, "r", u32, "r", u32, "r", u32, "r", "bfe.u32", (u32)h_bfe(a, b, c, 32, 0))
OP3(bfe_s32, i32, "r", i32, "r", u32, "r", u32, "r", "bfe.s32", (i32)h_bfe((u32)a, b, c, 32, 1))
OP3(bfe_u64, u64, "l", u64, "l", u32, "r", u32, "r", "bfe.u64", h_bfe(a, b, c, 64, 0))
OP3(bfe_s64, i64, "l", i64, "l", u32, "r", u32, "r", "bfe.s64", (i64)h_bfe((u64)a, b, c, 64, 1))
OP3(dp4a_u, u32, "r", u32, "r", u32, "r", u32, "r", "dp4a.u32.u32", (u32)h_dp4a(a, b, c, 0, 0))
OP3(dp4a_s, i32, "r", i32, "r", i32, "r", i32, "r", "dp4a.s32.s32", h_dp4a((u32)a, (u32)b, (u32)c, 1, 1))
OP3(dp4a_su, i32, "r", i32, "r", u32, "r", i32, "r", "dp4a.s32.u32", h_dp4a((u32)a, b, (u32)c, 1, 0))
OP3(slct_s32, u32, "r", u32, "r", u32, "r", i32, "r", "slct.b32.s32", c >= 0 ? a : b)
OP3(slct_f32, u32, "r", u32, "r", u32, "r", f32, "f", "slct.b32.f32", c >= 0 ? a : b)
#if DEVICE_SIDE
#define LOP3(T) DEV u32 lop3_##T(u32 a, u32 b, u32 c) { u32 r; asm("lop3.b32 %0, %1, %2, %3, " #T ";" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
DEV u32 bfi32(u32 a, u32 b, u32 p, u32 l) { u32 r; asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(p), "r"(l)); return r; }
DEV u64 bfi64(u64 a, u64 b, u32 p, u32 l) { u64 r; asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(r) : "l"(a), "l"(b), "r"(p), "r"(l)); return r; }
DEV u64 addc3(u32 a, u32 b, u32 c, u32 d, u32 e)
{
	u32 x, y, z;
	asm("add.cc.u32 %0, %3, %5; addc.cc.u32 %1, %4, %6; addc.u32 %2, %7, 0;" : "=&r"(x), "=&r"(y), "=r"(z) : "r"(a), "r"(b), "r"(c), "r"(d), "r"(e));
	return ((u64)y << 32 | x) + z;
}
DEV u64 subc3(u32 a, u32 b, u32 c, u32 d, u32 e)
{
	u32 x, y, z;
	asm("sub.cc.u32 %0, %3, %5; subc.cc.u32 %1, %4, %6; subc.u32 %2, %7, 0;" : "=&r"(x), "=&r"(y), "=r"(z) : "r"(a), "r"(b), "r"(c), "r"(d), "r"(e));
	return ((u64)y << 32 | x) + z;
}
DEV u64 madc2(u32 a, u32 b, u32 c, u32 d)
{
	u32 x, y;
	asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, %5;" : "=&r"(x), "=r"(y) : "r"(a), "r"(b), "r"(c), "r"(d));
	return (u64)y << 32 | x;
}
/* Guards and predicates of every kind in one place. */
DEV u32 guarded(u32 a, u32 b, i32 c)
{
	u32 r;
	asm("{ .reg .pred p, q, s; .reg .u32 t;\n"
	    "setp.lt.u32 p|q, %1, %2;\n mov.u32 t, 7;\n @p add.u32 t, %1, %3;\n @!p sub.u32 t, t, %2;\n"
	    "setp.ge.and.s32 s, %3, 5, p;\n @s bra L;\n xor.b32 t, t, %2;\n @q mul.lo.u32 t, t, 13;\n L:\n"
	    "selp.u32 %0, t, %1, q;\n xor.pred s, p, s;\n @s add.u32 %0, %0, t; }"
	    : "=&r"(r) : "r"(a), "r"(b), "r"(c));
	return r;
}
DEV u32 setx(u32 a, f32 b, f32 c) { u32 r; asm("set.ltu.u32.f32 %0, %2, %3; xor.b32 %0, %0, %1;" : "=&r"(r) : "r"(a), "f"(b), "f"(c)); return r; }
#else
#define LOP3(T) DEV u32 lop3_##T(u32 a, u32 b, u32 c) { return h_lop3(a, b, c, T); }
DEV u32 bfi32(u32 a, u32 b, u32 p, u32 l) { return (u32)h_bfi(a, b, p, l, 32); }
DEV u64 bfi64(u64 a, u64 b, u32 p, u32 l) { return h_bfi(a, b, p, l, 64); }
DEV u64 addc3(u32 a, u32 b, u32 c, u32 d, u32 e)
{
	u128 s = (u128)((u64)b << 32 | a) + ((u64)d << 32 | c);
	return (u64)s + (u32)(e + (u32)(s >> 64));
}
DEV u64 subc3(u32 a, u32 b, u32 c, u32 d, u32 e)
{
	u64 x = (u64)b << 32 | a, y = (u64)d << 32 | c;
	return x - y + (u32)(e - (x < y));
}
DEV u64 madc2(u32 a, u32 b, u32 c, u32 d) { return (u64)a * b + ((u64)d << 32 | c); }
DEV u32 guarded(u32 a, u32 b, i32 c)
{
	bool p = a < b, q = !p, s;
	u32 t = p ? a + (u32)c : 7 - b, r;
	s = c >= 5 && p;
	if (!s) {
		t ^= b;
		if (q)
			t *= 13;
	}
	r = q ? t : a;
	return p ^ s ? r + t : r;
}
DEV u32 setx(u32 a, f32 b, f32 c) { return (!(b >= c) ? ~0u : 0) ^ a; }
#endif
LOP3(0x1b) LOP3(0x96) LOP3(0xe8) LOP3(0xca) LOP3(0x6f) LOP3(0x80)

/* Floats. Plain + - * / are compiled without contraction. */
#define FROUND(T, C, SUF, FMA) \
	OP2(add_rz_##T, T, C, T, C, T, C, "add.rz." SUF, RND(T, FE_TOWARDZERO, x + b)) \
	OP2(add_rm_##T, T, C, T, C, T, C, "add.rm." SUF, RND(T, FE_DOWNWARD, x + b)) \
	OP2(sub_rp_##T, T, C, T, C, T, C, "sub.rp." SUF, RND(T, FE_UPWARD, x - b)) \
	OP2(mul_rz_##T, T, C, T, C, T, C, "mul.rz." SUF, RND(T, FE_TOWARDZERO, x * b)) \
	OP2(mul_rp_##T, T, C, T, C, T, C, "mul.rp." SUF, RND(T, FE_UPWARD, x * b)) \
	OP2(div_rm_##T, T, C, T, C, T, C, "div.rm." SUF, RND(T, FE_DOWNWARD, x / b)) \
	OP3(fma_rn_##T, T, C, T, C, T, C, T, C, "fma.rn." SUF, FMA(a, b, c)) \
	OP3(fma_rz_##T, T, C, T, C, T, C, T, C, "fma.rz." SUF, RND(T, FE_TOWARDZERO, FMA(x, b, c))) \
	OP3(fma_rm_##T, T, C, T, C, T, C, T, C, "fma.rm." SUF, RND(T, FE_DOWNWARD, FMA(x, b, c))) \
	OP1(sqrt_rn_##T, T, C, T, C, "sqrt.rn." SUF, __builtin_sqrt##T(a)) \
	OP1(rint_##T, T, C, T, C, "cvt.rni." SUF "." SUF, RND(T, FE_TONEAREST, __builtin_rint(x))) \
	OP1(floor_##T, T, C, T, C, "cvt.rmi." SUF "." SUF, __builtin_floor(a)) \
	OP1(trunc_##T, T, C, T, C, "cvt.rzi." SUF "." SUF, __builtin_trunc(a)) \
	OP1(fabs_##T, T, C, T, C, "abs." SUF, (T)__builtin_fabs(a)) \
	OP1(fneg_##T, T, C, T, C, "neg." SUF, -a) \
	OP2(fmin_##T, T, C, T, C, T, C, "min." SUF, h_min(a, b)) \
	OP2(fmax_##T, T, C, T, C, T, C, "max." SUF, h_max(a, b))
#define __builtin_sqrtf32(a) __builtin_sqrtf(a)
#define __builtin_sqrtf64(a) __builtin_sqrt(a)
FROUND(f32, "f", "f32", fmaf)
FROUND(f64, "d", "f64", fma)
OP2(add_ftz, f32, "f", f32, "f", f32, "f", "add.ftz.f32", flush(flush(a) + flush(b)))
OP2(max_ftz, f32, "f", f32, "f", f32, "f", "max.ftz.f32", h_max(flush(a), flush(b)))
OP2(add_sat, f32, "f", f32, "f", f32, "f", "add.sat.f32", a + b > 0 ? (a + b < 1 ? a + b : 1) : 0)
OP2(copysign32_, f32, "f", f32, "f", f32, "f", "copysign.f32", copysignf(b, a))
DEV f32 copysign32(f32 a, f32 b) { return a == a ? copysign32_(a, b) : b; }
OP1(f64_to_f32_rz, f32, "f", f64, "d", "cvt.rz.f32.f64", RND(f64, FE_TOWARDZERO, (f32)x))
OP1(f64_to_f32_rp, f32, "f", f64, "d", "cvt.rp.f32.f64", RND(f64, FE_UPWARD, (f32)x))
OP1(i32_to_f32_rz, f32, "f", i32, "r", "cvt.rz.f32.s32", rounded<f32>(FE_TOWARDZERO, [&] { volatile i32 x = a; return (f32)x; }))
OP1(u32_to_f32_rp, f32, "f", u32, "r", "cvt.rp.f32.u32", rounded<f32>(FE_UPWARD, [&] { volatile u32 x = a; return (f32)x; }))
OP1(i64_to_f32, f32, "f", i64, "l", "cvt.rn.f32.s64", (f32)a)
OP1(u64_to_f32, f32, "f", u64, "l", "cvt.rn.f32.u64", (f32)a)
OP1(i64_to_f64, f64, "d", i64, "l", "cvt.rn.f64.s64", (f64)a)
OP1(u64_to_f64, f64, "d", u64, "l", "cvt.rn.f64.u64", (f64)a)
OP1(u32_to_f64, f64, "d", u32, "r", "cvt.rn.f64.u32", (f64)a)
OP1(i32_to_f64, f64, "d", i32, "r", "cvt.rn.f64.s32", (f64)a)
OP1(f32_to_i32_, i32, "r", f32, "f", "cvt.rzi.s32.f32", (h_toint<i32, f32>(a, -2147483648.f, 2147483648.f, (i32)0x80000000, 0x7fffffff)))
OP1(f32_to_u32_, u32, "r", f32, "f", "cvt.rzi.u32.f32", (h_toint<u32, f32>(a, 0, 4294967296.f, 0, ~0u)))
OP1(f32_to_i32_rm_, i32, "r", f32, "f", "cvt.rmi.s32.f32", (h_toint<i32, f32>(floorf(a), -2147483648.f, 2147483648.f, (i32)0x80000000, 0x7fffffff)))
OP1(f64_to_i32_, i32, "r", f64, "d", "cvt.rzi.s32.f64", (h_toint<i32, f64>(a, -2147483648., 2147483648., (i32)0x80000000, 0x7fffffff)))
OP1(f64_to_u32_, u32, "r", f64, "d", "cvt.rzi.u32.f64", (h_toint<u32, f64>(a, 0, 4294967296., 0, ~0u)))
#define NO_NAN(a) ((a) == (a) ? (a) : 0) /* what an integer made of NaN is depends on the types */
OP1(f32_to_i64_, i64, "l", f32, "f", "cvt.rzi.s64.f32", (h_toint<i64, f32>(a, -9223372036854775808.f, 9223372036854775808.f, (i64)(1ull << 63), ~(1ull << 63))))
OP1(f32_to_u64_, u64, "l", f32, "f", "cvt.rzi.u64.f32", (h_toint<u64, f32>(a, 0, 18446744073709551616.f, 0, ~0ull)))
OP1(f64_to_i64_, i64, "l", f64, "d", "cvt.rzi.s64.f64", (h_toint<i64, f64>(a, -9223372036854775808., 9223372036854775808., (i64)(1ull << 63), ~(1ull << 63))))
OP1(f64_to_u64_, u64, "l", f64, "d", "cvt.rzi.u64.f64", (h_toint<u64, f64>(a, 0, 18446744073709551616., 0, ~0ull)))
DEV i32 f32_to_i32(f32 a) { return f32_to_i32_(NO_NAN(a)); }
DEV u32 f32_to_u32(f32 a) { return f32_to_u32_(NO_NAN(a)); }
DEV i32 f64_to_i32(f64 a) { return f64_to_i32_(NO_NAN(a)); }
DEV u32 f64_to_u32(f64 a) { return f64_to_u32_(NO_NAN(a)); }
DEV i32 f32_to_i32_rm(f32 a) { return f32_to_i32_rm_(NO_NAN(a)); }
DEV i64 f32_to_i64(f32 a) { return f32_to_i64_(NO_NAN(a)); }
DEV u64 f32_to_u64(f32 a) { return f32_to_u64_(NO_NAN(a)); }
DEV i64 f64_to_i64(f64 a) { return f64_to_i64_(NO_NAN(a)); }
DEV u64 f64_to_u64(f64 a) { return f64_to_u64_(NO_NAN(a)); }
DEV u32 bits32(f32 a) { u32 r; __builtin_memcpy(&r, &a, 4); return a == a ? r : 0x7fc00000u; }
DEV u64 bits64(f64 a) { u64 r; __builtin_memcpy(&r, &a, 8); return a == a ? r : 0x7ff8000000000000ull; }
DEV f32 make32(u32 a) { f32 r; __builtin_memcpy(&r, &a, 4); return r; }
DEV f64 make64(u64 a) { f64 r; __builtin_memcpy(&r, &a, 8); return r; }
#if DEVICE_SIDE
DEV u16 to_half(f32 a) { u16 r; a = NO_NAN(a); asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(a)); return r; }
DEV f32 from_half(u16 a) { f32 r; asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(a)); return r; }
#define HALF2(NAME, OP) DEV f32 NAME(f32 a, f32 b) { u16 x = to_half(a), y = to_half(b), r; \
	asm(OP ".f16 %0, %1, %2;" : "=h"(r) : "h"(x), "h"(y)); return from_half(r); }
HALF2(half_add, "add.rn") HALF2(half_sub, "sub.rn") HALF2(half_mul, "mul.rn")
DEV u32 half2_add(u32 a, u32 b)
{
	u32 r, m = 0x3fff3fff;
	asm("and.b32 %1, %1, %3; and.b32 %2, %2, %3; add.rn.f16x2 %0, %1, %2;" : "=r"(r), "+r"(a), "+r"(b) : "r"(m));
	return r;
}
#else
DEV u16 to_half(f32 a) { _Float16 h = (_Float16)(a == a ? a : 0); u16 r; memcpy(&r, &h, 2); return r; }
DEV f32 from_half(u16 a) { _Float16 h; memcpy(&h, &a, 2); return (f32)h; }
DEV f32 round_half(f32 a) { return a == a ? from_half(to_half(a)) : a; }
DEV f32 half_add(f32 a, f32 b) { return round_half(from_half(to_half(a)) + from_half(to_half(b))); }
DEV f32 half_sub(f32 a, f32 b) { return round_half(from_half(to_half(a)) - from_half(to_half(b))); }
DEV f32 half_mul(f32 a, f32 b) { return round_half(from_half(to_half(a)) * from_half(to_half(b))); }
DEV u32 half2_add(u32 a, u32 b)
{
	a &= 0x3fff3fff, b &= 0x3fff3fff;
	return to_half(from_half((u16)a) + from_half((u16)b)) | (u32)to_half(from_half((u16)(a >> 16)) + from_half((u16)(b >> 16))) << 16;
}
#endif

/* Division that has an answer for every operand. */
#define DIV(T, U, SGN) \
	DEV T div_##T(T a, T b) { return b == 0 ? a : SGN && b == (T)-1 ? (T)(0 - (U)a) : (T)(a / b); } \
	DEV T rem_##T(T a, T b) { return b == 0 ? (T)7 : SGN && b == (T)-1 ? (T)0 : (T)(a % b); } \
	DEV T mix_##T(bool c, T a, T b) { return c ? a : b; }
DIV(u8, u32, 0) DIV(i8, u32, 1) DIV(u16, u32, 0) DIV(i16, u32, 1) DIV(u32, u32, 0) DIV(i32, u32, 1)
DIV(u64, u64, 0) DIV(i64, u64, 1) DIV(u128, u128, 0) DIV(i128, u128, 1)
DEV u128 wide(u64 hi, u64 lo) { return (u128)hi << 64 | lo; }

/* Memory, bytes of any kind; ld_ and st_ take aligned addresses. */
template <class T> DEV T peek(const void *p) { T r; __builtin_memcpy(&r, p, sizeof r); return r; }
template <class T> DEV void poke(void *p, T v) { __builtin_memcpy(p, &v, sizeof v); }
struct __attribute__((packed)) odd32 { u8 a; u32 b; u16 c; u64 d; u8 e; };
#if DEVICE_SIDE
#define MEM(NAME, T, C, S) \
	DEV T ld_##NAME(const void *p) { T r; asm volatile("ld." S " %0, [%1];" : "=" C(r) : "l"(p) : "memory"); return r; } \
	DEV void st_##NAME(void *p, T v) { asm volatile("st." S " [%0], %1;" : : "l"(p), C(v) : "memory"); }
DEV u32 ld_u8(const void *p) { u32 r; asm volatile("ld.u8 %0, [%1];" : "=r"(r) : "l"(p) : "memory"); return r; }
DEV i32 ld_s8(const void *p) { i32 r; asm volatile("ld.s8 %0, [%1];" : "=r"(r) : "l"(p) : "memory"); return r; }
DEV i32 ld_s16(const void *p) { i32 r; asm volatile("ld.s16 %0, [%1];" : "=r"(r) : "l"(p) : "memory"); return r; }
DEV void st_u8(void *p, u32 v) { asm volatile("st.u8 [%0], %1;" : : "l"(p), "r"(v) : "memory"); }
DEV u64 ld_v2(const void *p) { u32 a, b; asm volatile("ld.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(p) : "memory"); return (u64)b << 32 ^ a; }
DEV u64 ld_v4(const void *p) { u32 a, b, c, d; asm volatile("ld.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(p) : "memory"); return ((u64)b << 32 ^ a) * 3 + ((u64)d << 32 ^ c); }
DEV u32 ld_v4b(const void *p) { u32 a, b, c, d; asm volatile("ld.v4.u8 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(p) : "memory"); return a + b * 3 + c * 5 + d * 7; }
DEV u32 ld_v2h(const void *p) { u16 a, b; asm volatile("ld.v2.u16 {%0, %1}, [%2];" : "=h"(a), "=h"(b) : "l"(p) : "memory"); return a * 3u + b; }
DEV void st_v2(void *p, u32 a, u32 b) { asm volatile("st.v2.u32 [%0], {%1, %2};" : : "l"(p), "r"(a), "r"(b) : "memory"); }
DEV void st_v4h(void *p, u16 a, u16 b, u16 c, u16 d) { asm volatile("st.v4.u16 [%0], {%1, %2, %3, %4};" : : "l"(p), "h"(a), "h"(b), "h"(c), "h"(d) : "memory"); }
DEV void st_v4b(void *p, u32 a, u32 b, u32 c, u32 d) { asm volatile("st.v4.u8 [%0], {%1, %2, %3, %4};" : : "l"(p), "r"(a), "r"(b), "r"(c), "r"(d) : "memory"); }
#else
#define MEM(NAME, T, C, S) DEV T ld_##NAME(const void *p) { return peek<T>(p); } DEV void st_##NAME(void *p, T v) { poke<T>(p, v); }
DEV u32 ld_u8(const void *p) { return peek<u8>(p); }
DEV i32 ld_s8(const void *p) { return peek<i8>(p); }
DEV i32 ld_s16(const void *p) { return peek<i16>(p); }
DEV void st_u8(void *p, u32 v) { poke<u8>(p, (u8)v); }
DEV u64 ld_v2(const void *p) { return peek<u64>(p); }
DEV u64 ld_v4(const void *p) { return peek<u64>(p) * 3 + peek<u64>((const u8 *)p + 8); }
DEV u32 ld_v4b(const void *p) { const u8 *q = (const u8 *)p; return q[0] + q[1] * 3u + q[2] * 5u + q[3] * 7u; }
DEV u32 ld_v2h(const void *p) { return peek<u16>(p) * 3u + peek<u16>((const u8 *)p + 2); }
DEV void st_v2(void *p, u32 a, u32 b) { poke<u32>(p, a); poke<u32>((u8 *)p + 4, b); }
DEV void st_v4h(void *p, u16 a, u16 b, u16 c, u16 d) { u16 v[4] = {a, b, c, d}; memcpy(p, v, 8); }
DEV void st_v4b(void *p, u32 a, u32 b, u32 c, u32 d) { u8 v[4] = {(u8)a, (u8)b, (u8)c, (u8)d}; memcpy(p, v, 4); }
#endif
MEM(u16, u16, "h", "u16") MEM(u32, u32, "r", "u32") MEM(u64, u64, "l", "u64")

/* Atomics, the old value unused. */
#if DEVICE_SIDE
#define RED(NAME, T, C, S) DEV void red_##NAME(T *p, T v) { asm volatile("red." S " [%0], %1;" : : "l"(p), C(v) : "memory"); }
#define ATOM(NAME, T, C, S) DEV void atom_##NAME(T *p, T v) { T r; asm volatile("atom." S " %0, [%1], %2;" : "=" C(r) : "l"(p), C(v) : "memory"); }
#define HOST_UPDATE(E)
#else
#define RED(NAME, T, C, S) DEV void red_##NAME(T *p, T v) { h_##NAME(p, v); }
#define ATOM(NAME, T, C, S) DEV void atom_##NAME(T *p, T v) { h_##NAME(p, v); }
template <class T> void h_add_u32(T *p, T v) { *p += v; }
template <class T> void h_add_u64(T *p, T v) { *p += v; }
template <class T> void h_min_s32(T *p, T v) { if ((i32)v < (i32)*p) *p = v; }
template <class T> void h_max_u32(T *p, T v) { if (v > *p) *p = v; }
template <class T> void h_and_b32(T *p, T v) { *p &= v; }
template <class T> void h_or_b32(T *p, T v) { *p |= v; }
template <class T> void h_xor_b32(T *p, T v) { *p ^= v; }
template <class T> void h_xor_b64(T *p, T v) { *p ^= v; }
#endif
RED(add_u32, u32, "r", "add.u32") RED(add_u64, u64, "l", "add.u64") RED(min_s32, u32, "r", "min.s32") RED(max_u32, u32, "r", "max.u32")
RED(and_b32, u32, "r", "and.b32") RED(or_b32, u32, "r", "or.b32") RED(xor_b32, u32, "r", "xor.b32") RED(xor_b64, u64, "l", "xor.b64")
ATOM(add_u32, u32, "r", "add.u32") ATOM(add_u64, u64, "l", "add.u64") ATOM(max_u32, u32, "r", "max.u32") ATOM(xor_b32, u32, "r", "xor.b32")
/* Compare and swap until it holds: a loop whose trips depend on the other lanes. */
#if DEVICE_SIDE
DEV void cas_add(u32 *p, u32 v)
{
	u32 old = *(volatile u32 *)p, seen;
	for (;;) {
		asm volatile("atom.cas.b32 %0, [%1], %2, %3;" : "=r"(seen) : "l"(p), "r"(old), "r"(old + v) : "memory");
		if (seen == old)
			break;
		old = seen;
	}
}
#else
DEV void cas_add(u32 *p, u32 v) { *p += v; }
#endif

/* Warps and barriers. */
DEV u32 nth_bit(u32 m, u32 n)
{
	n %= popc32(m);
	while (n--)
		m &= m - 1;
	return 31 - clz32(m & (0 - m));
}
#if DEVICE_SIDE
#define SHFL(NAME, MODE) \
	DEV u32 shfl_##NAME(u32 m, u32 v, u32 b, u32 c) { u32 r; asm volatile("shfl.sync." MODE ".b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(v), "r"(b), "r"(c), "r"(m)); return r; }
SHFL(idx, "idx") SHFL(up, "up") SHFL(down, "down") SHFL(bfly, "bfly")
DEV u32 shfl_p(u32 m, u32 v, u32 b, u32 c)
{
	u32 r, p;
	asm volatile("{ .reg .pred q; shfl.sync.up.b32 %0|q, %2, %3, %4, %5; selp.u32 %1, 1, 0, q; }" : "=r"(r), "=r"(p) : "r"(v), "r"(b), "r"(c), "r"(m));
	return p ? r : ~r;
}
DEV u32 ballot(u32 m, bool p) { u32 r; asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; vote.sync.ballot.b32 %0, q, %2; }" : "=r"(r) : "r"((u32)p), "r"(m)); return r; }
#define VOTE(NAME) DEV bool vote_##NAME(u32 m, bool p) { u32 r; asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; vote.sync." #NAME ".pred q, q, %2; selp.u32 %0, 1, 0, q; }" : "=r"(r) : "r"((u32)p), "r"(m)); return r; }
VOTE(any) VOTE(all) VOTE(uni)
DEV u32 match_any(u32 m, u32 v) { u32 r; asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(r) : "r"(v), "r"(m)); return r; }
DEV u32 match_any64(u32 m, u64 v) { u32 r; asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(r) : "l"(v), "r"(m)); return r; }
DEV u32 match_all(u32 m, u32 v) { u32 r; asm volatile("{ .reg .pred q; match.all.sync.b32 %0|q, %1, %2; @q add.u32 %0, %0, 1; }" : "=r"(r) : "r"(v), "r"(m)); return r; }
DEV void sync_block() { asm volatile("bar.sync 0;" : : : "memory"); }
DEV void sync_warp(u32 m) { asm volatile("bar.warp.sync %0;" : : "r"(m) : "memory"); }
DEV u32 count_block(bool p) { u32 r; asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; bar.red.popc.u32 %0, 0, q; }" : "=r"(r) : "r"((u32)p) : "memory"); return r; }
#define RED_BLOCK(NAME) DEV bool NAME##_block(bool p) { u32 r; asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; bar.red." #NAME ".pred q, 0, q; selp.u32 %0, 1, 0, q; }" : "=r"(r) : "r"((u32)p) : "memory"); return r; }
RED_BLOCK(or) RED_BLOCK(and)
#else
u64 collect(u32 kind, u32 m, u64 v, u32 b, u32 c);
enum { IDX, UP, DOWN, BFLY, UP_P, BALLOT, ANY, ALL, UNI, MATCH_ANY, MATCH_ALL, WARP, BAR, BAR_COUNT, BAR_OR, BAR_AND };
DEV u32 shfl_idx(u32 m, u32 v, u32 b, u32 c) { return (u32)collect(IDX, m, v, b, c); }
DEV u32 shfl_up(u32 m, u32 v, u32 b, u32 c) { return (u32)collect(UP, m, v, b, c); }
DEV u32 shfl_down(u32 m, u32 v, u32 b, u32 c) { return (u32)collect(DOWN, m, v, b, c); }
DEV u32 shfl_bfly(u32 m, u32 v, u32 b, u32 c) { return (u32)collect(BFLY, m, v, b, c); }
DEV u32 shfl_p(u32 m, u32 v, u32 b, u32 c) { return (u32)collect(UP_P, m, v, b, c); }
DEV u32 ballot(u32 m, bool p) { return (u32)collect(BALLOT, m, p, 0, 0); }
DEV bool vote_any(u32 m, bool p) { return collect(ANY, m, p, 0, 0); }
DEV bool vote_all(u32 m, bool p) { return collect(ALL, m, p, 0, 0); }
DEV bool vote_uni(u32 m, bool p) { return collect(UNI, m, p, 0, 0); }
DEV u32 match_any(u32 m, u32 v) { return (u32)collect(MATCH_ANY, m, v, 0, 0); }
DEV u32 match_any64(u32 m, u64 v) { return (u32)collect(MATCH_ANY, m, v, 0, 0); }
DEV u32 match_all(u32 m, u32 v) { return (u32)collect(MATCH_ALL, m, v, 0, 0); }
DEV void sync_warp(u32 m) { collect(WARP, m, 0, 0, 0); }
DEV void sync_block() { collect(BAR, 0, 0, 0, 0); }
DEV u32 count_block(bool p) { return (u32)collect(BAR_COUNT, 0, p, 0, 0); }
DEV bool or_block(bool p) { return collect(BAR_OR, 0, p, 0, 0); }
DEV bool and_block(bool p) { return collect(BAR_AND, 0, p, 0, 0); }
#endif

/* What every program ends with. */
DEV u64 fold(u64 h, u64 v) { h ^= v; h *= 0x9e3779b97f4a7c15ull; return h ^ h >> 29; }
template <class T> DEV u64 as_u64(T v) { return (u64)v; }
DEV u64 as_u64(u128 v) { return (u64)v ^ (u64)(v >> 64) * 3; }
DEV u64 as_u64(i128 v) { return as_u64((u128)v); }
DEV u64 as_u64(f32 v) { return bits32(v); }
DEV u64 as_u64(f64 v) { return bits64(v); }

enum { IN_WORDS = 256, OUT_PER = 4, ATOM_WORDS = 64, BYTES_PER = 64 };
#endif
