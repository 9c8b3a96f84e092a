/* ir_fold_const against an independent evaluation: integers by C on typed values, f32 and f64 by the host's arithmetic in the rounding
 * mode asked for, f16 in long double and rounded by scaling. Edge values crossed with each other, then random ones. */
#include <fenv.h>
#include <math.h>
#include <stdlib.h>

#include "ir/ir.h"
#include "unit.h"

static uint64_t seed = 88172645463325252u;
static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static struct ir_inst arg_inst[3], *arg_ptr[3];

static bool fold(struct ir_inst *i, uint32_t nargs, const uint64_t *x, uint32_t w, uint64_t *out)
{
	for (uint32_t k = 0; k < nargs; k++) {
		arg_inst[k] = (struct ir_inst){.op = IR_const, .width = (uint16_t)w, .imm = x[k] & ir_mask(w)};
		arg_ptr[k] = &arg_inst[k];
	}
	i->nargs = nargs;
	i->args = arg_ptr;
	return ir_fold_const(i, out);
}

/* --- integers --- */

static const uint64_t edges[] = {0, 1, 2, 3, 7, 31, 32, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
				 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
				 0xfffffffffffffffe, 0x123456789abcdef0};
enum { NEDGES = sizeof edges / sizeof *edges, ROUNDS = 8000 };

static uint64_t sample(uint32_t n, uint32_t round)
{
	if (round < NEDGES * NEDGES)
		return edges[n == 0 ? round % NEDGES : n == 1 ? round / NEDGES : (round * 7 + 3) % NEDGES];
	return next_random() >> (next_random() & 63);
}

#define SIGNED(x, w) ((w) == 16 ? (int64_t)(int16_t)(x) : (w) == 32 ? (int64_t)(int32_t)(x) : (int64_t)(x))

#define EXTREMA(t, less) \
	*r = (uint16_t)((t)a less (t)b ? a : b) | (uint64_t)(uint16_t)((t)(a >> 16) less (t)(b >> 16) ? a >> 16 : b >> 16) << 16

static bool expect_int(uint32_t op, uint32_t w, uint64_t a, uint64_t b, uint64_t c, uint64_t *r)
{
	int64_t x = SIGNED(a, w), y = SIGNED(b, w);
	__int128 wide_s = (__int128)x * y;
	unsigned __int128 wide_u = (unsigned __int128)a * b;
	uint32_t k;
	*r = 0;
	switch (op) {
	case IR_add: *r = a + b; break;
	case IR_sub: *r = a - b; break;
	case IR_mul: *r = (uint64_t)wide_u; break;
	case IR_umulhi: *r = (uint64_t)(wide_u >> w); break;
	case IR_smulhi: *r = (uint64_t)(wide_s >> w); break;
	case IR_udiv: *r = b ? a / b : ~(uint64_t)0; break;
	case IR_urem: *r = b ? a - a / b * b : ~(uint64_t)0; break;
	case IR_sdiv: *r = !y ? ~(uint64_t)0 : (uint64_t)(int64_t)((__int128)x / y); break;
	case IR_srem: *r = !y ? ~(uint64_t)0 : (uint64_t)(int64_t)((__int128)x % y); break;
	case IR_shl: *r = a << (c % w); break;
	case IR_shr: *r = a >> (c % w); break;
	case IR_sar: *r = (uint64_t)(x >> (c % w)); break;
	case IR_umin: *r = a < b ? a : b; break;
	case IR_smax: *r = x > y ? a : b; break;
	case IR_iabs: *r = x < 0 ? 0 - a : a; break;
	case IR_popc: for (k = 0; k < w; k++) *r += a >> k & 1; break;
	case IR_clz: for (k = w; k > 0 && !(a >> (k - 1) & 1); k--) ++*r; break;
	case IR_ctz: for (k = 0; k < w && !(a >> k & 1); k++) ++*r; break;
	case IR_brev: for (k = 0; k < w; k++) *r |= (a >> k & 1) << (w - 1 - k); break;
	case IR_ubfe: for (k = 0; k < (c & 31) && (b & 31) + k < 32; k++) *r |= (a >> ((b & 31) + k) & 1) << k; break;
	case IR_bitsel: for (k = 0; k < w; k++) *r |= ((a >> k & 1 ? b : c) >> k & 1) << k; break;
	case IR_sad: *r = (uint64_t)llabs((int64_t)(a - b)) + c; break;
	case IR_saddsat: *r = (uint64_t)(x + y > INT32_MAX ? INT32_MAX : x + y < INT32_MIN ? INT32_MIN : x + y); break;
	case IR_ssubsat: *r = (uint64_t)(x - y > INT32_MAX ? INT32_MAX : x - y < INT32_MIN ? INT32_MIN : x - y); break;
	case IR_pkadd: *r = (uint16_t)(a + b) | (uint64_t)(uint16_t)((a >> 16) + (b >> 16)) << 16; break;
	case IR_pksub: *r = (uint16_t)(a - b) | (uint64_t)(uint16_t)((a >> 16) - (b >> 16)) << 16; break;
	case IR_pkumin: EXTREMA(uint16_t, <); break;
	case IR_pkumax: EXTREMA(uint16_t, >); break;
	case IR_pksmin: EXTREMA(int16_t, <); break;
	case IR_pksmax: EXTREMA(int16_t, >); break;
	default: return false;
	}
	return true;
}

START_TEST(integers)
{
	static const struct { uint16_t op, nargs; bool only32; } ops[] = {
		{IR_add, 2, 0}, {IR_sub, 2, 0}, {IR_mul, 2, 0}, {IR_umulhi, 2, 0}, {IR_smulhi, 2, 0}, {IR_udiv, 2, 0}, {IR_urem, 2, 0},
		{IR_sdiv, 2, 0}, {IR_srem, 2, 0}, {IR_umin, 2, 0}, {IR_smax, 2, 0}, {IR_iabs, 1, 0}, {IR_popc, 1, 0}, {IR_clz, 1, 0},
		{IR_ctz, 1, 0}, {IR_brev, 1, 0}, {IR_ubfe, 3, 1}, {IR_bitsel, 3, 0}, {IR_sad, 3, 1},
		{IR_saddsat, 2, 1}, {IR_ssubsat, 2, 1}, {IR_pkadd, 2, 1}, {IR_pksub, 2, 1}, {IR_pkumin, 2, 1}, {IR_pkumax, 2, 1},
		{IR_pksmin, 2, 1}, {IR_pksmax, 2, 1}};
	static const uint16_t widths[] = {16, 32, 64};
	for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
		for (int wi = 0; wi < 3; wi++) {
			uint32_t w = widths[wi];
			if (ops[o].only32 && w != 32)
				continue;
			for (uint32_t n = 0; n < ROUNDS; n++) {
				uint64_t x[3] = {sample(0, n) & ir_mask(w), sample(1, n) & ir_mask(w), sample(2, n) & ir_mask(w)}, got, want;
				struct ir_inst i = {.op = ops[o].op, .width = (uint16_t)(ir_op_info[ops[o].op].result == IRR_B32 ? 32 : w)};
				ck_assert(expect_int(i.op, w, x[0], x[1], x[2], &want));
				ck_assert(fold(&i, ops[o].nargs, x, w, &got));
				if (got != (want & ir_mask(i.width)))
					ck_abort_msg("%s %u: %llx %llx %llx: %llx, not %llx", ir_op_info[i.op].name, w,
						     (unsigned long long)x[0], (unsigned long long)x[1], (unsigned long long)x[2],
						     (unsigned long long)got, (unsigned long long)want);
			}
		}
}
END_TEST

START_TEST(shifts)
{
	static const uint16_t ops[] = {IR_shl, IR_shr, IR_sar}, widths[] = {16, 32, 64};
	for (int o = 0; o < 3; o++)
		for (int wi = 0; wi < 3; wi++)
			for (uint32_t n = 0; n < ROUNDS; n++) {
				uint32_t w = widths[wi];
				uint64_t a = sample(0, n) & ir_mask(w), amount = sample(1, n) & 0xffffffff, got, want;
				struct ir_inst i = {.op = ops[o], .width = (uint16_t)w, .nargs = 2, .args = arg_ptr};
				arg_inst[0] = (struct ir_inst){.op = IR_const, .width = (uint16_t)w, .imm = a};
				arg_inst[1] = (struct ir_inst){.op = IR_const, .width = 32, .imm = amount};
				arg_ptr[0] = &arg_inst[0];
				arg_ptr[1] = &arg_inst[1];
				expect_int(ops[o], w, a, 0, amount, &want);
				ck_assert(ir_fold_const(&i, &got));
				ck_assert_uint_eq(got, want & ir_mask(w));
			}
}
END_TEST

/* --- floating point --- */

static const int host_rnd[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static uint64_t bits_of(double d, uint32_t w)
{
	return w == 32 ? of_f32((float)d) : of_f64(d);
}

static uint64_t float_sample(uint32_t w, uint32_t n, uint32_t round)
{
	static const uint32_t f32s[] = {0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x00800001, 0x3f800000, 0xbf800000, 0x3f7fffff,
					0x3f800001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x34000000, 0x4b800000,
					0x40490fdb, 0x3f000000};
	enum { N = sizeof f32s / sizeof *f32s };
	if (round < N * N) {
		uint32_t k = n == 0 ? round % N : n == 1 ? round / N : (round * 5 + 1) % N;
		if (w == 32)
			return f32s[k];
		uint32_t mant = w == 16 ? 10 : 52;
		uint64_t sign = (uint64_t)(f32s[k] >> 31) << (w - 1), e = f32s[k] >> 23 & 255, m = f32s[k] & 0x7fffff;
		int64_t bias = w == 16 ? 15 : 1023;
		uint64_t e2 = e == 255 ? (uint64_t)(2 * bias + 1) : e < 2 ? e : e == 254 ? (uint64_t)(2 * bias) : (uint64_t)((int64_t)e - 127 + bias);
		if ((int64_t)e2 < 0 || e2 > (uint64_t)(2 * bias + 1))
			e2 = 3;
		m = m == 0x7fffff ? ir_mask(mant) : m < 2 ? m : mant > 23 ? m << (mant - 23) : m >> (23 - mant);
		return sign | e2 << mant | m;
	}
	uint64_t r = next_random() & ir_mask(w);
	if (next_random() & 1) { /* near one another, for cancellation */
		uint32_t mant = w == 16 ? 10 : w == 32 ? 23 : 52;
		uint64_t mask = ir_mask(w - 1 - mant) << mant, e = (uint64_t)(w == 16 ? 15 : w == 32 ? 127 : 1023) + (next_random() & 7) - 4;
		r = (r & ~mask) | e << mant;
	}
	return r;
}

/* x rounded to f16 by scaling, in the mode of the host. */
static uint64_t round_f16(long double x, int rnd)
{
	int e;
	uint64_t sign = signbit(x) ? 0x8000 : 0;
	if (x == 0)
		return sign;
	if (isinf(x))
		return sign | 0x7c00;
	frexpl(x, &e);
	int ulp = e - 11 < -24 ? -24 : e - 11;
	fesetround(rnd);
	volatile long double q = rintl(ldexpl(x, -ulp));
	fesetround(FE_TONEAREST);
	long double r = fabsl(ldexpl(q, ulp));
	if (r > 65504) {
		bool max = rnd == FE_TOWARDZERO || (rnd == FE_DOWNWARD && !sign) || (rnd == FE_UPWARD && sign);
		return sign | (max ? 0x7bff : 0x7c00);
	}
	if (r < ldexpl(1, -14))
		return sign | (uint64_t)ldexpl(r, 24);
	frexpl(r, &e);
	return sign | (uint64_t)(e + 14) << 10 | ((uint64_t)ldexpl(r, 11 - e) & 0x3ff);
}

static long double f16_of(uint64_t h)
{
	int e = h >> 10 & 31;
	long double m = (long double)(h & 0x3ff), r;
	r = e == 31 ? (m != 0 ? NAN : INFINITY) : e ? ldexpl(m + 1024, e - 25) : ldexpl(m, -24);
	return h >> 15 & 1 ? -r : r;
}

static long double integral(long double x, int rnd)
{
	switch (rnd) {
	case FE_TOWARDZERO: return truncl(x);
	case FE_DOWNWARD: return floorl(x);
	case FE_UPWARD: return ceill(x);
	default: break;
	}
	long double f = floorl(x), rest = x - f;
	if (rest > 0.5L || (rest == 0.5L && fmodl(f, 2) != 0))
		f += 1;
	return copysignl(f, x);
}

static double host_op(uint32_t op, uint32_t w, volatile double a, volatile double b, volatile double c, int rnd)
{
	volatile float x = (float)a, y = (float)b, z = (float)c, f = 0;
	volatile double d = 0;
	fesetround(rnd);
	switch (op) {
	case IR_fadd: f = x + y, d = a + b; break;
	case IR_fsub: f = x - y, d = a - b; break;
	case IR_fmul: f = x * y, d = a * b; break;
	case IR_fdiv: f = x / y, d = a / b; break;
	case IR_fsqrt: f = sqrtf(x), d = sqrt(a); break;
	case IR_ffma: f = fmaf(x, y, z), d = fma(a, b, c); break;
	}
	fesetround(FE_TONEAREST);
	if (op == IR_frint)
		f = (float)(d = (double)integral(a, rnd));
	return w == 32 ? f : d;
}

static uint64_t expect_float(uint32_t op, uint32_t w, const uint64_t *x, int rnd)
{
	if (w != 16)
		return bits_of(host_op(op, w, w == 32 ? f32_of(x[0]) : f64_of(x[0]), w == 32 ? f32_of(x[1]) : f64_of(x[1]),
				       w == 32 ? f32_of(x[2]) : f64_of(x[2]), rnd), w);
	volatile long double a = f16_of(x[0]), b = f16_of(x[1]), c = f16_of(x[2]), r = 0;
	fesetround(rnd); /* for the sign of an exact zero; the operations are exact in long double but division, root */
	switch (op) {
	case IR_fadd: r = a + b; break;
	case IR_fsub: r = a - b; break;
	case IR_fmul: r = a * b; break;
	case IR_fdiv: r = a / b; break;
	case IR_fsqrt: r = sqrtl(a); break;
	case IR_ffma: r = a * b + c; break;
	}
	fesetround(FE_TONEAREST);
	if (op == IR_frint)
		r = integral(a, rnd);
	return isnan(r) ? 0x7e00 : round_f16(r, rnd);
}

static bool is_nan_bits(uint64_t x, uint32_t w)
{
	uint64_t inf = w == 16 ? 0x7c00 : w == 32 ? 0x7f800000 : 0x7ff0000000000000;
	return (x & ir_mask(w - 1)) > inf;
}

START_TEST(floats)
{
	static const uint16_t ops[] = {IR_fadd, IR_fsub, IR_fmul, IR_fdiv, IR_fsqrt, IR_ffma, IR_frint}, widths[] = {16, 32, 64};
	for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
		for (int wi = 0; wi < 3; wi++)
			for (uint8_t rnd = 0; rnd < 4; rnd++)
				for (uint32_t n = 0; n < ROUNDS; n++) {
					uint32_t w = widths[wi];
					uint64_t x[3] = {float_sample(w, 0, n), float_sample(w, 1, n), float_sample(w, 2, n)}, got;
					struct ir_inst i = {.op = ops[o], .width = (uint16_t)w, .rnd = rnd};
					uint64_t want = expect_float(ops[o], w, x, host_rnd[rnd]);
					bool nan = is_nan_bits(want, w), several = false;
					for (int k = 0; k < ir_op_info[ops[o]].nargs; k++)
						several |= w == 64 && is_nan_bits(x[k], w);
					if (nan && w < 64)
						want = ir_mask(w - 1);
					bool ok = fold(&i, ir_op_info[ops[o]].nargs > 0 ? (uint32_t)ir_op_info[ops[o]].nargs : 0, x, w, &got);
					if (ok ? got != want : !several)
						ck_abort_msg("%s.%s %u: %llx %llx %llx: %s %llx, not %llx", ir_op_info[i.op].name,
							     ir_rnd_names[rnd], w, (unsigned long long)x[0], (unsigned long long)x[1],
							     (unsigned long long)x[2], ok ? "" : "not folded", (unsigned long long)got,
							     (unsigned long long)want);
				}
}
END_TEST

/* Which of several f64 NaNs goes on, quiet: as an H200 gave them. */
START_TEST(nans)
{
	enum { ONE = 0x3ff };
	static const uint64_t value[4] = {(uint64_t)ONE << 52, 0x7ff0000000000001, 0xfff4000000000005, 0xfff8123456789abc};
	static const struct { uint16_t op; uint8_t order[3]; } ops[] = {
		{IR_fadd, {1, 0}}, {IR_fsub, {1, 0}}, {IR_fmul, {1, 0}}, {IR_fmin, {1, 0}}, {IR_fmax, {1, 0}}, {IR_fdiv, {0, 1}}, {IR_ffma, {1, 2, 0}}};
	for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
		for (uint32_t n = 0; n < 64; n++) {
			uint32_t nargs = (uint32_t)ir_op_info[ops[o].op].nargs, nans = 0;
			uint64_t x[3] = {value[n & 3], value[n >> 2 & 3], value[n >> 4]}, got, want = 0;
			struct ir_inst i = {.op = ops[o].op, .width = 64};
			for (uint32_t k = nargs; k-- > 0;)
				if (is_nan_bits(x[ops[o].order[k]], 64)) {
					want = x[ops[o].order[k]] | (uint64_t)1 << 51;
					nans++;
				}
			bool loses = (i.op == IR_fmin || i.op == IR_fmax) && nans < 2;
			ck_assert(fold(&i, nargs, x, 64, &got));
			if (nans && !loses)
				ck_assert_msg(got == want, "%s %llx %llx %llx: %llx", ir_op_info[i.op].name, (unsigned long long)x[0],
				              (unsigned long long)x[1], (unsigned long long)x[2], (unsigned long long)got);
		}
}
END_TEST

START_TEST(flushing)
{
	for (uint32_t n = 0; n < ROUNDS; n++) {
		uint64_t x[3] = {float_sample(32, 0, n), float_sample(32, 1, n), float_sample(32, 2, n)}, got, flushed[3];
		struct ir_inst i = {.op = IR_ffma, .width = 32, .ftz = true};
		for (int k = 0; k < 3; k++)
			flushed[k] = x[k] & 0x7f800000 ? x[k] : x[k] & 0x80000000;
		uint64_t want = expect_float(IR_ffma, 32, flushed, FE_TONEAREST);
		if (!fold(&i, 3, x, 32, &got)) { /* a subnormal that may have rounded up */
			ck_assert((want & 0x7fffffff) == 0x00800000);
			continue;
		}
		if (!(want & 0x7f800000))
			want &= 0x80000000;
		if (is_nan_bits(want, 32))
			want = 0x7fffffff;
		ck_assert_uint_eq(got, want);
	}
}
END_TEST

/* Compares a conversion to integers with the host's of the same value, clamped by hand. */
START_TEST(to_integers)
{
	static const uint16_t to[] = {16, 32, 64};
	for (int t = 0; t < 3; t++)
		for (int s = 0; s < 2; s++)
			for (uint8_t rnd = 0; rnd < 4; rnd++)
				for (uint32_t n = 0; n < ROUNDS; n++) {
					uint32_t w = to[t], from = n & 1 ? 32 : 64;
					uint64_t x = float_sample(from, 0, n), got, want;
					if (next_random() & 1 && n > 400) { /* in range */
						double d = ldexp((double)(int64_t)next_random(), -(int)(next_random() % 64));
						x = bits_of(d, from);
					}
					struct ir_inst i = {.op = s ? IR_fptosi : IR_fptoui, .width = (uint16_t)w, .rnd = rnd};
					volatile double d = from == 32 ? (double)f32_of(x) : f64_of(x);
					long double r = integral(d, host_rnd[rnd]), lo = s ? -ldexpl(1, (int)w - 1) : 0, hi = ldexpl(1, (int)w - s) - 1;
					if (isnan(d))
						want = from == 64 || w == 64 ? (uint64_t)1 << (w - 1) : 0;
					else if (r <= lo)
						want = (uint64_t)(int64_t)(s ? INT64_MIN >> (64 - w) : 0);
					else if (r >= hi)
						want = ir_mask(w - (uint32_t)s);
					else
						want = s ? (uint64_t)(int64_t)r : (uint64_t)r;
					ck_assert(fold(&i, 1, &x, from, &got));
					if (got != (want & ir_mask(w)))
						ck_abort_msg("%s.%s %llx to %u: %llx, not %llx", ir_op_info[i.op].name, ir_rnd_names[rnd],
							     (unsigned long long)x, w, (unsigned long long)got, (unsigned long long)want);
				}
}
END_TEST

START_TEST(from_integers)
{
	for (int s = 0; s < 2; s++)
		for (uint8_t rnd = 0; rnd < 4; rnd++)
			for (uint32_t n = 0; n < ROUNDS; n++) {
				uint64_t x = sample(0, n), got;
				for (uint32_t w = 32; w <= 64; w += 32) {
					struct ir_inst i = {.op = s ? IR_sitofp : IR_uitofp, .width = (uint16_t)w, .rnd = rnd};
					fesetround(host_rnd[rnd]);
					volatile int64_t sx = (int64_t)x;
					volatile uint64_t ux = x;
					volatile float f = s ? (float)sx : (float)ux;
					volatile double d = s ? (double)sx : (double)ux;
					fesetround(FE_TONEAREST);
					ck_assert(fold(&i, 1, &x, 64, &got));
					ck_assert_uint_eq(got, w == 32 ? bits_of(f, 32) : bits_of(d, 64));
				}
			}
}
END_TEST

START_TEST(narrowing)
{
	for (uint8_t rnd = 0; rnd < 4; rnd++)
		for (uint32_t n = 0; n < ROUNDS; n++) {
			uint64_t x = float_sample(64, 0, n), got;
			if (n & 1)
				x = (x & ~((uint64_t)0x7ff << 52)) | (uint64_t)(1023 - 30 + next_random() % 60) << 52;
			struct ir_inst i = {.op = IR_fptrunc, .width = 32, .rnd = rnd}, h = {.op = IR_fptrunc, .width = 16, .rnd = rnd};
			volatile double d = f64_of(x);
			if (isnan(d))
				continue;
			fesetround(host_rnd[rnd]);
			volatile float f = (float)d;
			fesetround(FE_TONEAREST);
			ck_assert(fold(&i, 1, &x, 64, &got));
			ck_assert_uint_eq(got, bits_of(f, 32));
			ck_assert(fold(&h, 1, &x, 64, &got));
			ck_assert_uint_eq(got, round_f16(d, host_rnd[rnd]));
		}
}
END_TEST

START_TEST(comparisons)
{
	for (uint32_t n = 0; n < ROUNDS; n++) {
		uint64_t x[2] = {float_sample(32, 0, n), float_sample(32, 1, n)}, got;
		float a = f32_of(x[0]), b = f32_of(x[1]);
		bool nan = isnan(a) || isnan(b);
		const bool want[IRC_COUNT] = {
			[IRC_FEQ] = a == b, [IRC_FNE] = !nan && a != b, [IRC_FLT] = a < b, [IRC_FLE] = a <= b, [IRC_FGT] = a > b,
			[IRC_FGE] = a >= b, [IRC_FEQU] = nan || a == b, [IRC_FNEU] = a != b, [IRC_FLTU] = !(a >= b),
			[IRC_FLEU] = !(a > b), [IRC_FGTU] = !(a <= b), [IRC_FGEU] = !(a < b), [IRC_NUM] = !nan, [IRC_NAN] = nan};
		for (uint8_t c = IRC_FEQ; c < IRC_COUNT; c++) {
			struct ir_inst i = {.op = IR_fcmp, .width = 1, .cond = c};
			ck_assert(fold(&i, 2, x, 32, &got));
			ck_assert_uint_eq(got, want[c]);
		}
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ir_fold");
	TCase *t = tcase_create("all");
	tcase_set_timeout(t, 60);
	tcase_add_test(t, integers);
	tcase_add_test(t, shifts);
	tcase_add_test(t, floats);
	tcase_add_test(t, nans);
	tcase_add_test(t, flushing);
	tcase_add_test(t, to_integers);
	tcase_add_test(t, from_integers);
	tcase_add_test(t, narrowing);
	tcase_add_test(t, comparisons);
	suite_add_tcase(s, t);
	return unit_run(s);
}
