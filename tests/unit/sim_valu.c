/* Vector ALU semantics against results computed another way: sums in __float128 rounded with integers, libm, plain C,
 * and the examples of the instruction set manual. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/valu.h"
#include "unit.h"

#define CHECK_EQ(x, y)                                                                                                 \
	do {                                                                                                           \
		uint64_t x_ = (uint64_t)(x), y_ = (uint64_t)(y);                                                       \
		if (x_ != y_)                                                                                          \
			ck_abort_msg("%s: %llx, not %llx", #x, (unsigned long long)x_, (unsigned long long)y_);        \
	} while (0)

/* ---- running one row ---- */

static const struct valu_row *row_of(const char *name)
{
	for (const struct sim_op *op = sim_valu_ops; op->name; op++)
		if (!strcmp(op->name, name))
			return &sim_valu_rows[op->arg];
	ck_abort_msg("no row %s", name);
	return NULL;
}

enum { MODE_KEEP = 0xf0 }; /* all denormals kept, to nearest */

static uint32_t mode_of(int rm32, int rm64, int denorm32, int denorm64)
{
	return (uint32_t)(rm32 << SIM_MODE_ROUND32 | rm64 << SIM_MODE_ROUND64 | denorm32 << SIM_MODE_DENORM32 |
			  denorm64 << SIM_MODE_DENORM64);
}

static bool is64(int t)
{
	return t >= VT_U64 && t <= VT_R64;
}

struct out {
	uint64_t d;
	bool mask;
};

/* Every lane gets the same operands but lane 1, which gets zeros: lanes must not mix. */
static struct out run_row(const struct valu_row *row, uint32_t mode, bool clamp, uint64_t a, uint64_t b, uint64_t c,
			  bool m)
{
	uint64_t in[3] = {a, b, c};
	union {
		uint32_t w[64];
		uint64_t q[64];
	} s[3], d;
	uint8_t o[64] = {0};
	struct valu_call k = {.d = d.w, .o = o, .n = 32, .mask = m ? 0xfffffffd : 0};
	for (int n = 0; n < row->nsrc; n++) {
		for (int l = 0; l < 32; l++)
			if (is64(row->s[n]))
				s[n].q[l] = l == 1 ? 0 : in[n];
			else
				s[n].w[l] = l == 1 ? 0 : (uint32_t)in[n];
		k.s[n] = s[n].w;
	}
	sim_valu_call(row, &k, mode, clamp);
	for (int l = 2; l < 32; l++) {
		if (row->d != VT_MASK)
			CHECK(is64(row->d) ? d.q[l] == d.q[0] : d.w[l] == d.w[0]);
		CHECK_EQ(o[l], o[0]);
	}
	return (struct out){row->d == VT_MASK ? 0 : is64(row->d) ? d.q[0] : d.w[0], o[0]};
}

static uint64_t run(const char *name, uint32_t mode, uint64_t a, uint64_t b, uint64_t c)
{
	return run_row(row_of(name), mode, false, a, b, c, false).d;
}

/* ---- reference rounding ---- */

typedef __float128 quad;
typedef unsigned __int128 u128;

struct format {
	int mant, emax, bits;
};
static const struct format F16 = {10, 15, 16}, F32 = {23, 127, 32}, F64 = {52, 1023, 64};

static double widen(uint64_t u, struct format f)
{
	if (f.bits == 64)
		return f64_of(u);
	if (f.bits == 32)
		return f32_of((uint32_t)u);
	int e = (int)(u >> 10 & 31), m = (int)(u & 1023);
	double x = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
	return u >> 15 & 1 ? -x : x;
}

/* s + err, |err| far below the last place of s, to the format. */
static uint64_t ref_round(quad s, quad err, bool neg_zero, struct format f, int rm)
{
	u128 u;
	memcpy(&u, &s, 16);
	uint64_t sign = (uint64_t)(u >> 127), inf = (uint64_t)(2 * f.emax + 1) << f.mant,
		 top = (uint64_t)1 << (f.bits - 1);
	int e = (int)(u >> 112 & 0x7fff);
	if (s == 0)
		return neg_zero ? top : 0;
	if (e == 0x7fff)
		return (u << 16 ? inf | inf >> 1 : inf) | (sign ? top : 0);
	u128 m = ((u & (((u128)1 << 112) - 1)) | (u128)1 << 112) << 8; /* eight guard bits */
	if (err != 0)
		m += (err > 0) == (s > 0) ? 1 : -1;
	int exp = e - 16383, emin = 1 - f.emax, drop = 120 - f.mant + (exp < emin ? emin - exp : 0);
	u128 q, rem, half;
	if (drop > 126) {
		q = 0, rem = 1, half = 2;
	} else {
		q = m >> drop, rem = m & (((u128)1 << drop) - 1), half = (u128)1 << (drop - 1);
	}
	bool up = rm == 0 ? rem > half || (rem == half && q & 1)
			  : rem != 0 && (rm == 1   ? !sign
					 : rm == 2 ? sign
						   : false);
	uint64_t mag = (uint64_t)q + (exp < emin ? 0 : (uint64_t)(exp - emin) << f.mant) + up;
	if (mag >= inf)
		mag = rm == 0 || (rm == 1 && !sign) || (rm == 2 && sign) ? inf : inf - 1;
	return mag | (sign ? top : 0);
}

static uint64_t ref_fma(double a, double b, double c, struct format f, int rm)
{
	quad p = (quad)a * b, s = p + c, t = s - p, e = (p - (s - t)) + (c - t);
	if (s - s != 0)
		e = 0;
	bool ps = signbit(a) ^ signbit(b), cs = signbit(c);
	return ref_round(s, e, ps == cs ? ps : rm == 2, f, rm);
}

static bool is_nan(uint64_t u, struct format f)
{
	uint64_t inf = (uint64_t)(2 * f.emax + 1) << f.mant;
	return (u & (((uint64_t)1 << (f.bits - 1)) - 1)) > inf;
}

/* ---- inputs ---- */

static uint64_t seed = 0x9e3779b97f4a7c15;
static uint64_t rnd(void)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return seed;
}

static const uint32_t edge32[] = {0,	      0x80000000, 1,	      0x80000001, 0x007fffff, 0x00800000, 0x00800001,
				  0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f000000, 0x40490fdb, 0x33800000,
				  0x34000000, 0x4b000001, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x7f7fffff,
				  0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x00400000, 0x1f800000,
				  0x5f800000, 0x0b800000, 0x7f000000, 0x7e800000};
static const uint64_t edge64[] = {0,
				  1ull << 63,
				  1,
				  0x800000000000000f,
				  0x000fffffffffffff,
				  0x0010000000000000,
				  0x3ff0000000000000,
				  0xbff0000000000000,
				  0x3ff0000000000001,
				  0x3fefffffffffffff,
				  0x400921fb54442d18,
				  0x3ca0000000000000,
				  0x41dfffffffc00000,
				  0xc1e0000000000000,
				  0x7fefffffffffffff,
				  0x7ff0000000000000,
				  0xfff0000000000000,
				  0x7ff8000000000000,
				  0x7ff0000000000001,
				  0x47efffffefffffff,
				  0x36a0000000000000,
				  0x0350000000000000,
				  0x7fd0000000000000};
static const uint16_t edge16[] = {0,	  0x8000, 1,	  0x8001, 0x03ff, 0x0400, 0x0401,
				  0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x3555, 0x7bff, 0xfbff,
				  0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x1000, 0x6400, 0x0200};
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Edges first, then random bits, then numbers whose exponents are close so that sums interact. */
static uint64_t pick(struct format f, int n)
{
	if (n % 3 == 0)
		return f.bits == 16   ? edge16[rnd() % COUNT(edge16)]
		       : f.bits == 32 ? edge32[rnd() % COUNT(edge32)]
				      : edge64[rnd() % COUNT(edge64)];
	uint64_t u = rnd() >> (64 - f.bits);
	if (n % 3 == 1)
		return u;
	uint64_t mask = ((uint64_t)1 << f.mant) - 1, e = (uint64_t)(f.emax - 3) + rnd() % 6;
	return (u & (mask | (uint64_t)1 << (f.bits - 1))) | e << f.mant;
}

/* ---- tests ---- */

static void check_fma(const char *name, struct format f, int kind, int count)
{
	const struct valu_row *row = row_of(name);
	for (int rm = 0; rm < 4; rm++)
		for (int n = 0; n < count; n++) {
			uint64_t in[3] = {pick(f, n), pick(f, n / 3), pick(f, n / 9)};
			double a = widen(in[0], f), b = widen(in[1], f), c = widen(in[2], f);
			uint64_t want = kind == 0   ? ref_fma(a, 1, b, f, rm)
					: kind == 1 ? ref_fma(a, b, signbit(a) ^ signbit(b) ? -0.0 : 0.0, f, rm)
						    : ref_fma(a, b, c, f, rm);
			uint64_t got = run_row(row, mode_of(rm, rm, 3, 3), false, in[0], in[1], in[2], false).d;
			if (is_nan(want, f))
				CHECK_MSG(is_nan(got, f), "%s rm %d", name, rm);
			else
				CHECK_MSG(got == want, "%s rm %d: %llx %llx %llx: %llx, not %llx", name, rm,
					  (unsigned long long)in[0], (unsigned long long)in[1],
					  (unsigned long long)in[2], (unsigned long long)got, (unsigned long long)want);
		}
}

START_TEST(rounding_of_sums_and_products)
{
	check_fma("v_add_f32", F32, 0, 6000);
	check_fma("v_mul_f32", F32, 1, 6000);
	check_fma("v_fma_f32", F32, 2, 12000);
	check_fma("v_add_f64", F64, 0, 6000);
	check_fma("v_mul_f64", F64, 1, 6000);
	check_fma("v_fma_f64", F64, 2, 12000);
	check_fma("v_add_f16", F16, 0, 6000);
	check_fma("v_mul_f16", F16, 1, 6000);
	check_fma("v_fma_f16", F16, 2, 12000);
}
END_TEST

START_TEST(scaled_fma)
{
	for (int rm = 0; rm < 4; rm++)
		for (int n = 0; n < 8000; n++) {
			double a = f64_of(pick(F64, n)), b = f64_of(pick(F64, n / 3)), c = f64_of(pick(F64, n / 9));
			uint64_t want = ref_fma(a, b, c, F64, rm), got = of_f64(sim_fma_scaled64(a, b, c, 0, rm));
			CHECK(is_nan(want, F64) ? is_nan(got, F64) : got == want);
			/* Scaling first, where that is exact, gives what scaling last gives. */
			double x = f64_of((rnd() & 0x800fffffffffffff) | (uint64_t)(200 + rnd() % 400) << 52);
			double y = f64_of((rnd() & 0x800fffffffffffff) | (uint64_t)(1000 + rnd() % 40) << 52);
			double z = f64_of((rnd() & 0x800fffffffffffff) | (uint64_t)(200 + rnd() % 400) << 52);
			got = of_f64(sim_fma_scaled64(x, y, z, -128, rm));
			CHECK(got == ref_fma(x * 0x1p-128, y, z * 0x1p-128, F64, rm));
		}
}
END_TEST

static uint64_t signed_nan_ok(uint64_t got, uint64_t want, struct format f)
{
	return is_nan(want, f) ? is_nan(got, f) : got == want;
}

START_TEST(conversions_round)
{
	for (int rm = 0; rm < 4; rm++) {
		uint32_t mode = mode_of(rm, rm, 3, 3);
		for (int n = 0; n < 6000; n++) {
			uint32_t u = (uint32_t)(n % 2 ? rnd() : rnd() >> (rnd() % 32));
			double x = widen(pick(F64, n), F64), y = widen(pick(F32, n), F32);
			CHECK_EQ(run("v_cvt_f32_u32", mode, u, 0, 0), ref_round(u, 0, false, F32, rm));
			CHECK_EQ(run("v_cvt_f32_i32", mode, u, 0, 0), ref_round((int32_t)u, 0, false, F32, rm));
			CHECK_EQ(run("v_cvt_f64_u32", mode, u, 0, 0), of_f64(u));
			CHECK_EQ(run("v_cvt_f64_i32", mode, u, 0, 0), of_f64((int32_t)u));
			CHECK(signed_nan_ok(run("v_cvt_f32_f64", mode, of_f64(x), 0, 0),
					    ref_fma(x, 1, signbit(x) ? -0.0 : 0.0, F32, rm), F32));
			CHECK(signed_nan_ok(run("v_cvt_f16_f32", mode, of_f32((float)y), 0, 0),
					    ref_fma(y, 1, signbit(y) ? -0.0 : 0.0, F16, rm), F16));
			CHECK_EQ(run("v_cvt_f16_u16", mode, u, 0, 0), ref_round(u & 0xffff, 0, false, F16, rm));
			CHECK_EQ(run("v_cvt_f16_i16", mode, u, 0, 0), ref_round((int16_t)u, 0, false, F16, rm));
			/* To integers: toward zero whatever MODE says. */
			if (y == y) {
				double t = trunc(y);
				CHECK_EQ((int32_t)run("v_cvt_i32_f32", mode, of_f32((float)y), 0, 0),
					 t > 2147483647.0    ? INT32_MAX
					 : t < -2147483648.0 ? INT32_MIN
							     : (int32_t)t);
				CHECK_EQ(run("v_cvt_u32_f32", mode, of_f32((float)y), 0, 0), t > 4294967295.0
												    ? UINT32_MAX
											    : t < 0 ? 0
												    : (uint32_t)t);
			}
			if (x == x) {
				double t = trunc(x);
				CHECK_EQ((int32_t)run("v_cvt_i32_f64", mode, of_f64(x), 0, 0),
					 t > 2147483647.0    ? INT32_MAX
					 : t < -2147483648.0 ? INT32_MIN
							     : (int32_t)t);
				CHECK_EQ(run("v_cvt_u32_f64", mode, of_f64(x), 0, 0), t > 4294967295.0 ? UINT32_MAX
										     : t < 0	      ? 0
												      : (uint32_t)t);
			}
		}
	}
	CHECK_EQ(run("v_cvt_i32_f32", MODE_KEEP, 0x7fc00000, 0, 0), 0);
	CHECK_EQ(run("v_cvt_u32_f64", MODE_KEEP, 0xfff8000000000000, 0, 0), 0);
	for (uint32_t h = 0; h < 65536; h++) {
		uint64_t got = run("v_cvt_f32_f16", MODE_KEEP, h, 0, 0);
		double x = widen(h, F16);
		CHECK(x != x ? is_nan(got, F32) : got == of_f32((float)x));
		if (x == x) {
			double t = trunc(x);
			CHECK_EQ((int16_t)run("v_cvt_i16_f16", MODE_KEEP, h, 0, 0), t > 32767	 ? 32767
										    : t < -32768 ? -32768
												 : (int)t);
			CHECK_EQ(run("v_cvt_u16_f16", MODE_KEEP, h, 0, 0), t > 65535 ? 65535 : t < 0 ? 0 : (unsigned)t);
		}
	}
}
END_TEST

/* Division as compilers write it for this hardware: the result must be the correctly rounded quotient. */
static uint32_t divide32(uint32_t n, uint32_t d)
{
	uint32_t m = MODE_KEEP;
	struct out sd = run_row(row_of("v_div_scale_f32"), m, false, d, d, n, false);
	struct out sn = run_row(row_of("v_div_scale_f32"), m, false, n, d, n, false);
	uint64_t neg = sd.d ^ 0x80000000, r = run("v_rcp_f32", m, sd.d, 0, 0);
	uint64_t e = run("v_fma_f32", m, neg, r, 0x3f800000);
	r = run("v_fma_f32", m, e, r, r);
	uint64_t q = run("v_mul_f32", m, sn.d, r, 0), f = run("v_fma_f32", m, neg, q, sn.d);
	q = run("v_fma_f32", m, f, r, q);
	f = run("v_fma_f32", m, neg, q, sn.d);
	q = run_row(row_of("v_div_fmas_f32"), m, false, f, r, q, sn.mask).d;
	return (uint32_t)run("v_div_fixup_f32", m, q, d, n);
}

static uint64_t divide64(uint64_t n, uint64_t d)
{
	uint32_t m = MODE_KEEP;
	struct out sd = run_row(row_of("v_div_scale_f64"), m, false, d, d, n, false);
	struct out sn = run_row(row_of("v_div_scale_f64"), m, false, n, d, n, false);
	uint64_t neg = sd.d ^ 1ull << 63, r = run("v_rcp_f64", m, sd.d, 0, 0), one = 0x3ff0000000000000;
	for (int k = 0; k < 2; k++)
		r = run("v_fma_f64", m, run("v_fma_f64", m, neg, r, one), r, r);
	uint64_t q = run("v_mul_f64", m, sn.d, r, 0), f = run("v_fma_f64", m, neg, q, sn.d);
	q = run_row(row_of("v_div_fmas_f64"), m, false, f, r, q, sn.mask).d;
	return run("v_div_fixup_f64", m, q, d, n);
}

START_TEST(division_sequences)
{
	for (size_t i = 0; i < COUNT(edge32); i++)
		for (size_t j = 0; j < COUNT(edge32); j++) {
			uint32_t want = of_f32(f32_of(edge32[i]) / f32_of(edge32[j])), got = divide32(edge32[i], edge32[j]);
			CHECK_MSG(signed_nan_ok(got, want, F32), "%x / %x: %x, not %x", edge32[i], edge32[j], got,
				  want);
		}
	for (size_t i = 0; i < COUNT(edge64); i++)
		for (size_t j = 0; j < COUNT(edge64); j++) {
			/* The published sequence may miss a tie where the divisor's significand is all ones. */
			if ((edge64[j] & 0xfffffffffffff) == 0xfffffffffffff)
				continue;
			uint64_t want = of_f64(f64_of(edge64[i]) / f64_of(edge64[j])), got = divide64(edge64[i], edge64[j]);
			CHECK_MSG(signed_nan_ok(got, want, F64), "%llx / %llx: %llx, not %llx",
				  (unsigned long long)edge64[i], (unsigned long long)edge64[j], (unsigned long long)got,
				  (unsigned long long)want);
		}
	for (int n = 0; n < 20000; n++) {
		uint32_t a = (uint32_t)pick(F32, n | 1), b = (uint32_t)pick(F32, n / 3);
		uint32_t want = of_f32(f32_of(a) / f32_of(b)), got = divide32(a, b);
		CHECK_MSG(signed_nan_ok(got, want, F32), "%x / %x: %x, not %x", a, b, got, want);
		uint64_t x = pick(F64, n | 1), y = pick(F64, n / 3);
		if ((y & 0xfffffffffffff) == 0xfffffffffffff)
			continue;
		uint64_t wq = of_f64(f64_of(x) / f64_of(y)), gq = divide64(x, y);
		CHECK_MSG(signed_nan_ok(gq, wq, F64), "%llx / %llx: %llx, not %llx", (unsigned long long)x,
			  (unsigned long long)y, (unsigned long long)gq, (unsigned long long)wq);
	}
}
END_TEST

START_TEST(approximations)
{
	/* f32 within one ulp; f64 nearer than 2^-23, and far from exact. */
	double worst = 0;
	for (int n = 0; n < 4000; n++) {
		float x = f32_of((uint32_t)pick(F32, n | 1));
		if (!(fabsf(x) > 0x1p-100f) || !(fabsf(x) < 0x1p100f))
			continue;
		float r = f32_of((uint32_t)run("v_rcp_f32", MODE_KEEP, of_f32(x), 0, 0));
		CHECK(fabs(r * (double)x - 1) <= 0x1p-23);
		float s = f32_of((uint32_t)run("v_sqrt_f32", MODE_KEEP, of_f32(fabsf(x)), 0, 0));
		CHECK(fabs((double)s * s / fabs((double)x) - 1) <= 0x1p-22);
		float q = f32_of((uint32_t)run("v_rsq_f32", MODE_KEEP, of_f32(fabsf(x)), 0, 0));
		CHECK(fabs((double)q * q * fabs((double)x) - 1) <= 0x1p-22);
		double d = f64_of(of_f64(x) | (rnd() & 0x1fffffff)), rd = f64_of(run("v_rcp_f64", MODE_KEEP, of_f64(d), 0, 0));
		double err = fabs(rd * d - 1);
		CHECK(err < 0x1p-23);
		worst = err > worst ? err : worst;
	}
	CHECK(worst > 0x1p-30);
}
END_TEST

static const struct {
	const char *name;
	uint32_t in, out;
} examples[] = {
	{"v_exp_f32", 0xff800000, 0},
	{"v_exp_f32", 0x80000000, 0x3f800000},
	{"v_exp_f32", 0x7f800000, 0x7f800000},
	{"v_log_f32", 0xff800000, 0xffc00000},
	{"v_log_f32", 0xbf800000, 0xffc00000},
	{"v_log_f32", 0x80000000, 0xff800000},
	{"v_log_f32", 0, 0xff800000},
	{"v_log_f32", 0x3f800000, 0},
	{"v_log_f32", 0x7f800000, 0x7f800000},
	{"v_rcp_f32", 0xff800000, 0x80000000},
	{"v_rcp_f32", 0xc0000000, 0xbf000000},
	{"v_rcp_f32", 0x80000000, 0xff800000},
	{"v_rcp_f32", 0, 0x7f800000},
	{"v_rcp_f32", 0x7f800000, 0},
	{"v_rsq_f32", 0xff800000, 0xffc00000},
	{"v_rsq_f32", 0x80000000, 0xff800000},
	{"v_rsq_f32", 0x40800000, 0x3f000000},
	{"v_rsq_f32", 0x7f800000, 0},
	{"v_sqrt_f32", 0xff800000, 0xffc00000},
	{"v_sqrt_f32", 0x80000000, 0x80000000},
	{"v_sqrt_f32", 0x40800000, 0x40000000},
	{"v_sin_f32", 0xff800000, 0xffc00000},
	{"v_sin_f32", 0xff7fffff, 0},
	{"v_sin_f32", 0x80000000, 0x80000000},
	{"v_sin_f32", 0x3e800000, 0x3f800000},
	{"v_sin_f32", 0x7f800000, 0xffc00000},
	{"v_cos_f32", 0xff7fffff, 0x3f800000},
	{"v_cos_f32", 0x80000000, 0x3f800000},
	{"v_cos_f32", 0x3e800000, 0},
	{"v_cos_f32", 0x7f800000, 0xffc00000},
	{"v_rcp_f16", 0xfc00, 0x8000},
	{"v_rcp_f16", 0xc000, 0xb800},
	{"v_rcp_f16", 0x8000, 0xfc00},
	{"v_sqrt_f16", 0xfc00, 0xfe00},
	{"v_sqrt_f16", 0x8000, 0x8000},
	{"v_sqrt_f16", 0x4400, 0x4000},
	{"v_rsq_f16", 0xfc00, 0xfe00},
	{"v_rsq_f16", 0x8000, 0xfc00},
	{"v_rsq_f16", 0x4400, 0x3800},
	{"v_log_f16", 0xbc00, 0xfe00},
	{"v_log_f16", 0x8000, 0xfc00},
	{"v_log_f16", 0x3c00, 0},
	{"v_exp_f16", 0xfc00, 0},
	{"v_exp_f16", 0x8000, 0x3c00},
	{"v_sin_f16", 0xfbff, 0},
	{"v_sin_f16", 0x3400, 0x3c00},
	{"v_cos_f16", 0x3400, 0},
	{"v_cos_f16", 0x7c00, 0xfe00},
	{"v_ffbh_u32", 0, 0xffffffff},
	{"v_ffbh_u32", 0x800000ff, 0},
	{"v_ffbh_u32", 0x100000ff, 3},
	{"v_ffbl_b32", 0, 0xffffffff},
	{"v_ffbl_b32", 0xff000008, 3},
	{"v_ffbl_b32", 0x80000000, 31},
	{"v_ffbh_i32", 0, 0xffffffff},
	{"v_ffbh_i32", 0x40000000, 1},
	{"v_ffbh_i32", 0x80000000, 1},
	{"v_ffbh_i32", 0x0fffffff, 4},
	{"v_ffbh_i32", 0xffff0000, 16},
	{"v_ffbh_i32", 0xfffffffe, 31},
	{"v_ffbh_i32", 0xffffffff, 0xffffffff},
	{"v_bfrev_b32", 0x80000003, 0xc0000001},
	{"v_cvt_off_f32_i4", 8, 0xbf000000},
	{"v_cvt_off_f32_i4", 7, 0x3ee00000},
	/* f32 denormals never survive the transcendental unit */
	{"v_rcp_f32", 0x00400000, 0x7f800000},
	{"v_rcp_f32", 0x7f000000, 0},
	{"v_sqrt_f32", 1, 0},
};

START_TEST(manual_examples)
{
	for (size_t n = 0; n < COUNT(examples); n++) {
		const struct valu_row *row = row_of(examples[n].name);
		uint32_t in = examples[n].in;
		/* What valu.c does around a transcendental. */
		if (row->flags & V_TRANS && row->d == VT_F32 && !(row->flags & V_BY_MODE) && !(in & 0x7f800000))
			in &= 0x80000000;
		uint32_t got = (uint32_t)run_row(row, MODE_KEEP, false, in, 0, 0, false).d;
		if (row->flags & V_TRANS && row->d == VT_F32 && !(got & 0x7f800000))
			got &= 0x80000000;
		CHECK_MSG(got == examples[n].out, "%s(%x): %x, not %x", examples[n].name, examples[n].in, got,
			  examples[n].out);
	}
}
END_TEST

START_TEST(minimum_and_maximum)
{
	enum { Q = 0x7fc00001, S = 0x7f800001, SQ = 0x7fc00001, ONE = 0x3f800000, TWO = 0x40000000, M0 = 0x80000000 };
	uint32_t ieee = MODE_KEEP | SIM_MODE_IEEE;
	static const struct {
		uint32_t a, b, min, max, imin, imax;
	} t[] = {
		{ONE, TWO, ONE, TWO, ONE, TWO},
		{TWO, ONE, ONE, TWO, ONE, TWO},
		{0, M0, M0, 0, M0, 0},
		{M0, 0, M0, 0, M0, 0},
		{Q, ONE, ONE, ONE, ONE, ONE},
		{ONE, Q, ONE, ONE, ONE, ONE},
		{S, ONE, ONE, ONE, SQ, SQ},
		{ONE, S, ONE, ONE, SQ, SQ},
		{0xff800000, M0, 0xff800000, M0, 0xff800000, M0},
		{0xbf800000, 0xc0000000, 0xc0000000, 0xbf800000, 0xc0000000, 0xbf800000},
	};
	for (size_t n = 0; n < COUNT(t); n++) {
		CHECK_EQ(run("v_min_f32", MODE_KEEP, t[n].a, t[n].b, 0), t[n].min);
		CHECK_EQ(run("v_max_f32", MODE_KEEP, t[n].a, t[n].b, 0), t[n].max);
		CHECK_EQ(run("v_min_f32", ieee, t[n].a, t[n].b, 0), t[n].imin);
		CHECK_EQ(run("v_max_f32", ieee, t[n].a, t[n].b, 0), t[n].imax);
	}
	for (int n = 0; n < 4000; n++) {
		double a = (float)((int)(rnd() % 2001) - 1000), b = (float)((int)(rnd() % 2001) - 1000),
		       c = (float)((int)(rnd() % 2001) - 1000), med = fmax(fmin(a, b), fmin(fmax(a, b), c));
		CHECK(f32_of((uint32_t)run("v_med3_f32", MODE_KEEP, of_f32((float)a), of_f32((float)b), of_f32((float)c))) ==
		      med);
		CHECK(f64_of(run("v_min_f64", MODE_KEEP, of_f64(a), of_f64(b), 0)) == fmin(a, b));
		CHECK(f64_of(run("v_max_f64", MODE_KEEP, of_f64(a), of_f64(b), 0)) == fmax(a, b));
		uint64_t x = rnd() & 0xffff, y = rnd() & 0xffff;
		double h = widen(run("v_max_f16", MODE_KEEP, x, y, 0), F16);
		CHECK(is_nan(x, F16) && is_nan(y, F16) ? h != h : h == fmax(widen(x, F16), widen(y, F16)));
	}
}
END_TEST

static bool truth(int op, double a, double b)
{
	bool un = a != a || b != b, lt = a<b, eq = a == b, gt = a> b;
	const bool t[] = {false, lt,	      eq,	   lt || eq, gt,	  lt || gt, gt || eq, !un,
			  un,	 !(gt || eq), !(lt || gt), !gt,	     !(lt || eq), !eq,	    !lt,      true};
	return t[op];
}

START_TEST(compares)
{
	static const char *const names[] = {"f", "lt",	"eq",  "le",  "gt",  "lg",  "ge",  "o",
					    "u", "nge", "nlg", "ngt", "nle", "neq", "nlt", "t"};
	static const struct {
		const char *suffix;
		struct format f;
	} types[] = {{"f16", {10, 15, 16}}, {"f32", {23, 127, 32}}, {"f64", {52, 1023, 64}}};
	char name[32];
	for (int ty = 0; ty < 3; ty++)
		for (int op = 0; op < 16; op++) {
			snprintf(name, sizeof name, "v_cmp_%s_%s", names[op], types[ty].suffix);
			const struct valu_row *row = row_of(name);
			for (int n = 0; n < 600; n++) {
				uint64_t a = pick(types[ty].f, n), b = n % 7 ? pick(types[ty].f, n / 3) : a;
				CHECK_MSG(run_row(row, MODE_KEEP, false, a, b, 0, false).mask ==
						  truth(op, widen(a, types[ty].f), widen(b, types[ty].f)),
					  "%s %llx %llx", name, (unsigned long long)a, (unsigned long long)b);
			}
		}
	for (int n = 0; n < 2000; n++) {
		uint64_t a = rnd() >> (rnd() & 63), b = n % 5 ? rnd() >> (rnd() & 63) : a;
		CHECK_EQ(run_row(row_of("v_cmp_lt_u64"), 0, false, a, b, 0, false).mask, a < b);
		CHECK_EQ(run_row(row_of("v_cmp_lt_i64"), 0, false, a, b, 0, false).mask, (int64_t)a < (int64_t)b);
		CHECK_EQ(run_row(row_of("v_cmp_ge_u32"), 0, false, a, b, 0, false).mask, (uint32_t)a >= (uint32_t)b);
		CHECK_EQ(run_row(row_of("v_cmp_gt_i32"), 0, false, a, b, 0, false).mask, (int32_t)a > (int32_t)b);
		CHECK_EQ(run_row(row_of("v_cmp_le_i16"), 0, false, a, b, 0, false).mask, (int16_t)a <= (int16_t)b);
		CHECK_EQ(run_row(row_of("v_cmp_ne_u16"), 0, false, a, b, 0, false).mask, (uint16_t)a != (uint16_t)b);
	}
	static const uint32_t classes[][2] = {{0x7f800001, 0}, {0x7fc00000, 1}, {0xff800000, 2}, {0xc0000000, 3},
					      {0x80000001, 4}, {0x80000000, 5}, {0, 6},		 {1, 7},
					      {0x3f800000, 8}, {0x7f800000, 9}};
	for (size_t n = 0; n < COUNT(classes); n++)
		for (uint32_t bit = 0; bit < 10; bit++)
			CHECK_EQ(run_row(row_of("v_cmp_class_f32"), 0, false, classes[n][0], 1u << bit, 0, false).mask,
				 bit == classes[n][1]);
}
END_TEST

START_TEST(exponents_and_integral_parts)
{
	for (int n = 0; n < 6000; n++) {
		uint64_t u = pick(F64, n);
		uint32_t v = (uint32_t)pick(F32, n);
		double x = f64_of(u);
		float y = f32_of(v);
		int e;
		if (x - x == 0) {
			double m = frexp(x, &e);
			CHECK(run("v_frexp_mant_f64", MODE_KEEP, u, 0, 0) == of_f64(m));
			CHECK_EQ((int32_t)run("v_frexp_exp_i32_f64", MODE_KEEP, u, 0, 0), e);
			CHECK(run("v_floor_f64", MODE_KEEP, u, 0, 0) == of_f64(floor(x)));
			CHECK(run("v_ceil_f64", MODE_KEEP, u, 0, 0) == of_f64(ceil(x)));
			CHECK(run("v_trunc_f64", MODE_KEEP, u, 0, 0) == of_f64(trunc(x)));
			CHECK(run("v_rndne_f64", mode_of(1, 1, 3, 3), u, 0, 0) == of_f64(rint(x)));
			double fr = f64_of(run("v_fract_f64", MODE_KEEP, u, 0, 0));
			CHECK(fr >= 0 && fr < 1 && fabs(fr - (x - floor(x))) <= 0x1p-53);
		}
		if (y - y == 0) {
			float m = frexpf(y, &e);
			CHECK(run("v_frexp_mant_f32", MODE_KEEP, v, 0, 0) == of_f32(m));
			CHECK_EQ((int32_t)run("v_frexp_exp_i32_f32", MODE_KEEP, v, 0, 0), e);
			CHECK(run("v_floor_f32", MODE_KEEP, v, 0, 0) == of_f32(floorf(y)));
			CHECK(run("v_ceil_f32", MODE_KEEP, v, 0, 0) == of_f32(ceilf(y)));
			CHECK(run("v_trunc_f32", MODE_KEEP, v, 0, 0) == of_f32(truncf(y)));
			CHECK(run("v_rndne_f32", mode_of(2, 2, 3, 3), v, 0, 0) == of_f32(rintf(y)));
		}
		int s = (int)(rnd() % 400) - 200;
		for (int rm = 0; rm < 4 && x == x && y == y; rm++) {
			uint32_t mode = mode_of(rm, rm, 3, 3);
			CHECK(run("v_ldexp_f32", mode, v, (uint32_t)s, 0) ==
			      ref_round((quad)y * (quad)ldexp(1, s), 0, signbit(y), F32, rm));
			CHECK(run("v_ldexp_f64", mode, u, (uint32_t)s * 5, 0) ==
			      ref_round((quad)x * (quad)ldexp(1, s) * (quad)ldexp(1, 2 * s) * (quad)ldexp(1, 2 * s), 0,
					signbit(x), F64, rm));
		}
	}
	for (uint32_t h = 0; h < 65536; h++) {
		double x = widen(h, F16);
		if (x - x != 0)
			continue;
		int e;
		double m = frexp(x, &e);
		CHECK(widen(run("v_frexp_mant_f16", MODE_KEEP, h, 0, 0), F16) == m);
		CHECK_EQ((int16_t)run("v_frexp_exp_i16_f16", MODE_KEEP, h, 0, 0), e);
		CHECK(widen(run("v_floor_f16", MODE_KEEP, h, 0, 0), F16) == floor(x));
		CHECK(widen(run("v_rndne_f16", MODE_KEEP, h, 0, 0), F16) == rint(x));
	}
}
END_TEST

START_TEST(two_over_pi)
{
	long double sum = 0;
	for (uint32_t seg = 0; seg < 3; seg++)
		sum += f64_of(run("v_trig_preop_f64", MODE_KEEP, of_f64(1.0), seg, 0));
	CHECK(fabsl(sum - 2 / 3.14159265358979323846264338327950288L) < 1e-19L);
	/* For a huge input the leading bits, multiples of four turns, are left out. */
	long double big = 0, x = 0x1.23456789abcdep+300L;
	for (uint32_t seg = 0; seg < 3; seg++)
		big += f64_of(run("v_trig_preop_f64", MODE_KEEP, of_f64((double)x), seg, 0));
	long double turns = fmodl(big * x, 4), want = fmodl(2 / 3.14159265358979323846264338327950288L, 1);
	CHECK(turns >= 0 && want > 0);
}
END_TEST

START_TEST(integers)
{
	for (int n = 0; n < 20000; n++) {
		uint32_t a = (uint32_t)(rnd() >> (rnd() & 63)), b = (uint32_t)(rnd() >> (rnd() & 63)),
			 c = (uint32_t)rnd();
		uint64_t q = rnd();
		if (n & 1)
			a = ~a;
		struct out r = run_row(row_of("v_mad_u64_u32"), 0, false, a, b, q, false);
		u128 wide = (u128)a * b + q;
		CHECK(r.d == (uint64_t)wide && r.mask == (wide >> 64 != 0));
		r = run_row(row_of("v_mad_i64_i32"), 0, false, a, b, q, false);
		CHECK(r.d == (uint64_t)((int64_t)(int32_t)a * (int32_t)b) + q);
		r = run_row(row_of("v_add_co_ci_u32"), 0, false, a, b, 0, n & 2);
		uint64_t sum = (uint64_t)a + b + !!(n & 2);
		CHECK(r.d == (uint32_t)sum && r.mask == sum >> 32);
		r = run_row(row_of("v_subrev_co_ci_u32"), 0, false, a, b, 0, n & 2);
		int64_t diff = (int64_t)b - a - !!(n & 2);
		CHECK(r.d == (uint32_t)diff && r.mask == (diff < 0));
		CHECK_EQ(run("v_mul_hi_u32", 0, a, b, 0), (uint64_t)a * b >> 32);
		CHECK_EQ(run("v_mul_hi_i32", 0, a, b, 0), (uint32_t)((int64_t)(int32_t)a * (int32_t)b >> 32));
		CHECK_EQ(run("v_mad_u32_u24", 0, a, b, c), (uint32_t)((a & 0xffffff) * (uint64_t)(b & 0xffffff) + c));
		uint32_t sh = b & 31, w = c & 31;
		uint32_t ube = w ? (uint32_t)((uint64_t)a << (64 - 32) >> 32 >> sh & ((1ull << w) - 1)) : 0;
		CHECK_EQ(run("v_bfe_u32", 0, a, b, c), ube);
		int64_t sx = (int32_t)a;
		int64_t sbe = w ? (int64_t)((uint64_t)(sx >> sh) << (64 - w)) >> (64 - w) : 0;
		CHECK_EQ(run("v_bfe_i32", 0, a, b, c), (uint32_t)sbe);
		CHECK_EQ(run("v_alignbit_b32", 0, a, b, c), (uint32_t)(((uint64_t)a << 32 | b) >> (c & 31)));
		unsigned char bytes[8], sel[4];
		uint64_t both = (uint64_t)a << 32 | b;
		uint32_t pick4 = c & 0x0f0f0f0f, want = 0;
		memcpy(bytes, &both, 8);
		memcpy(sel, &pick4, 4);
		for (int k = 0; k < 4; k++) {
			uint32_t x = sel[k] < 8	    ? bytes[sel[k]]
				     : sel[k] < 12  ? (bytes[(sel[k] - 8) * 2 + 1] & 128 ? 255 : 0)
				     : sel[k] == 12 ? 0
						    : 255;
			want |= x << 8 * k;
		}
		CHECK_EQ(run("v_perm_b32", 0, a, b, pick4), want);
		int dot = 0, udot = 0;
		for (int k = 0; k < 32; k += 8) {
			dot += (int8_t)(a >> k) * (int8_t)(b >> k);
			udot += (uint8_t)(a >> k) * (uint8_t)(b >> k);
		}
		CHECK_EQ(run("v_dot4_i32_i8", 0, a, b, c), (uint32_t)dot + c);
		CHECK_EQ(run("v_dot4_u32_u8", 0, a, b, c), (uint32_t)udot + c);
		int64_t nc = (int64_t)(int32_t)a + (int32_t)b;
		CHECK_EQ(run_row(row_of("v_add_nc_i32"), 0, true, a, b, 0, false).d,
			 (uint32_t)(nc > INT32_MAX   ? INT32_MAX
				    : nc < INT32_MIN ? INT32_MIN
						     : nc));
		CHECK_EQ(run_row(row_of("v_sub_nc_u32"), 0, true, a, b, 0, false).d, a > b ? a - b : 0);
		CHECK_EQ(run_row(row_of("v_add_nc_u16"), 0, true, a, b, 0, false).d,
			 (a & 0xffff) + (b & 0xffff) > 0xffff ? 0xffff : (a + b) & 0xffff);
		CHECK_EQ(run("v_lshlrev_b64", 0, a, q, 0), q << (a & 63));
		CHECK_EQ(run("v_ashrrev_i64", 0, a, q, 0), (uint64_t)((int64_t)q >> (a & 63)));
		CHECK_EQ(run("v_med3_i32", 0, a, b, c),
			 (uint32_t)((int32_t)a > (int32_t)b ? ((int32_t)c > (int32_t)a	 ? (int32_t)a
							       : (int32_t)c < (int32_t)b ? (int32_t)b
											 : (int32_t)c)
							    : ((int32_t)c > (int32_t)b	 ? (int32_t)b
							       : (int32_t)c < (int32_t)a ? (int32_t)a
											 : (int32_t)c)));
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sim_valu");
	TCase *t = tcase_create("lanes");
	tcase_set_timeout(t, 120);
	tcase_add_test(t, rounding_of_sums_and_products);
	tcase_add_test(t, scaled_fma);
	tcase_add_test(t, conversions_round);
	tcase_add_test(t, division_sequences);
	tcase_add_test(t, approximations);
	tcase_add_test(t, manual_examples);
	tcase_add_test(t, minimum_and_maximum);
	tcase_add_test(t, compares);
	tcase_add_test(t, exponents_and_integral_parts);
	tcase_add_test(t, two_over_pi);
	tcase_add_test(t, integers);
	suite_add_tcase(s, t);
	return unit_run(s);
}
