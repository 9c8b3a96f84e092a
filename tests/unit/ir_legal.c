/* Legalisation keeps meaning: one operation is lowered, the result evaluated instruction by instruction, and compared with the folder's
 * answer for the operation itself. Hardware operations (amd_*) are modelled by their manuals' definitions, approximations with an error
 * that varies within the manuals' bounds, so that what must be exact is exact whatever the hardware returns within them. */
#include <math.h>

#include "ir/ir.h"
#include "unit.h"

static uint64_t seed = 0x9E3779B97F4A7C15u;
static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static const struct format { int mant, bias, max_diff, scale, small; } F32 = {23, 127, 96, 64, 23}, F64 = {52, 1023, 768, 128, 53};
static const struct format *format(uint32_t w)
{
	return w == 32 ? &F32 : &F64;
}
static uint64_t inf_of(uint32_t w)
{
	return w == 32 ? 0x7f800000 : w == 16 ? 0x7c00 : 0x7ff0000000000000;
}
static bool is_nan(uint64_t x, uint32_t w)
{
	return (x & ir_mask(w - 1)) > inf_of(w);
}
static uint64_t quiet_nan(uint32_t w)
{
	return w == 32 ? 0x7fffffff : w == 16 ? 0x7fff : 0x7ff8000000000000;
}
static int exponent(uint64_t x, uint32_t w)
{
	return (int)(x >> format(w)->mant & (w == 32 ? 255 : 2047));
}
static double value(uint64_t x, uint32_t w)
{
	return w == 32 ? f32_of(x) : f64_of(x);
}
static uint64_t bits(double x, uint32_t w)
{
	return w == 32 ? of_f32((float)x) : of_f64(x);
}

/* One of the two values around x (f32: less than one ulp off), or off by up to 2^-22 of it (f64). */
static uint64_t approximately(double x, uint32_t w)
{
	if (!isfinite(x) || x == 0)
		return bits(x, w);
	if (w == 64)
		return of_f64(x * (1 + ((double)(int64_t)next_random() * 0x1p-63) * 0x1p-22));
	float near = (float)x;
	if ((double)near == x || !isfinite(near) || next_random() & 1)
		return of_f32(near);
	return of_f32(nextafterf(near, x > (double)near ? INFINITY : -INFINITY));
}

static float flush32(float x)
{
	return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

static uint64_t unary(uint32_t op, uint64_t x, uint32_t w)
{
	double v = value(x, w), r;
	if (w == 32 && op != IR_amd_frexp_mant)
		v = flush32((float)v);
	switch (op) {
	case IR_amd_rcp: r = 1 / v; break;
	case IR_amd_rsq: r = 1 / sqrt(v); break;
	case IR_amd_sqrt: r = sqrt(v); break;
	default: { int e; r = isfinite(v) && v != 0 ? frexp(v, &e) : v; return bits(r, w); }
	}
	if (w == 32)
		r = flush32((float)r);
	return approximately(r, w);
}

/* RDNA ISA, V_DIV_SCALE. */
static uint64_t div_scale(uint64_t s, uint64_t d, uint64_t n, uint32_t w, bool *cc)
{
	const struct format *f = format(w);
	__float128 vd = value(d, w), vn = value(n, w), inv = vd != 0 ? 1 / vd : 0, q = vd != 0 ? vn / vd : 0;
	__float128 least = w == 32 ? 0x1p-126 : 0x1p-1022;
	bool inv_tiny = inv != 0 && (inv < 0 ? -inv : inv) < least, q_tiny = q != 0 && (q < 0 ? -q : q) < least;
	int up = 0;
	*cc = false;
	if (vn == 0 || vd == 0)
		return quiet_nan(w);
	if (exponent(n, w) - exponent(d, w) >= f->max_diff)
		*cc = true, up = s == d ? f->scale : 0;
	else if (!exponent(d, w))
		up = f->scale;
	else if (inv_tiny && q_tiny)
		*cc = true, up = s == d ? -f->scale : 0;
	else if (inv_tiny)
		up = -f->scale;
	else if (q_tiny)
		*cc = true, up = s == n ? f->scale : 0;
	else if (exponent(n, w) <= f->small)
		up = f->scale;
	return bits(ldexp(value(s, w), up), w);
}

static uint64_t sign_of(uint64_t x, uint32_t w)
{
	return x & (uint64_t)1 << (w - 1);
}

static uint64_t div_fixup(uint64_t q, uint64_t d, uint64_t n, uint32_t w)
{
	uint64_t sign = sign_of(d ^ n, w), md = d & ir_mask(w - 1), mn = n & ir_mask(w - 1), inf = inf_of(w);
	if (is_nan(n, w) || is_nan(d, w) || (!md && !mn) || (md == inf && mn == inf))
		return quiet_nan(w);
	if (!md || mn == inf)
		return sign | inf;
	if (md == inf || !mn || exponent(n, w) - exponent(d, w) < (w == 32 ? -150 : -1075))
		return sign;
	return sign | (is_nan(q, w) ? inf : q & ir_mask(w - 1));
}

/* a * b + c, scaled by 2^k, rounded once: via the folder's own fma on values that it can hold, else not needed here. */
static uint64_t scaled_fma(const struct ir_inst *i, const uint64_t *x, uint32_t w, int k)
{
	__float128 a = value(x[0], w), b = value(x[1], w), c = value(x[2], w), r = a * b + c;
	if (r != r)
		return quiet_nan(w);
	if (w == 64) { /* 113 bits do not hold the sum: the folder's own, where scaling is exact */
		struct ir_inst in[3], *ptrs[3], f = {.op = IR_ffma, .width = 64, .rnd = i->rnd, .nargs = 3, .args = ptrs};
		uint64_t y;
		for (int j = 0; j < 3; j++) {
			in[j] = (struct ir_inst){.op = IR_const, .width = 64, .imm = x[j]};
			ptrs[j] = &in[j];
		}
		double scaled = ir_fold_const(&f, &y) ? ldexp(f64_of(y), k) : 0;
		if (isnormal(scaled))
			return of_f64(scaled);
	}
	for (; k > 0; k--)
		r *= 2;
	for (; k < 0; k++)
		r /= 2;
	/* rounding by hand: the candidates around r */
	double near = (double)r;
	if (w == 32)
		near = (float)r;
	__float128 back = near;
	bool neg = r < 0 || (r == 0 && signbit(near));
	if (i->rnd == IR_RN || back == r)
		return bits(near, w);
	bool above = back > r, want_up = i->rnd == IR_RP || (i->rnd == IR_RZ && neg);
	double other = w == 32 ? nextafterf((float)near, above ? -INFINITY : INFINITY) : nextafter(near, above ? -INFINITY : INFINITY);
	return bits(above == want_up ? near : other, w);
}

struct machine {
	uint64_t *v;
	const uint64_t *inputs;
};

static uint64_t arg(const struct machine *m, const struct ir_inst *i, uint32_t k)
{
	const struct ir_inst *x = i->args[k];
	return x->op == IR_const ? x->imm : x->op == IR_undef ? next_random() & ir_mask(x->width) : m->v[x->id];
}

/* The hardware's arithmetic gives a quiet NaN with any sign and payload. */
static uint64_t any_nan(uint32_t w)
{
	return (next_random() & ir_mask(w)) | inf_of(w) | (w == 16 ? 0x200 : 0x400000);
}

static uint64_t evaluate(const struct machine *m, const struct ir_inst *i)
{
	uint64_t x[16] = {0}, r;
	struct ir_inst consts[16], *ptrs[16], copy = *i;
	uint32_t w = i->nargs ? i->args[0]->width : 0;
	bool cc;
	if (i->op == IR_load)
		return m->inputs[i->imm] & ir_mask(i->width);
	for (uint32_t k = 0; k < i->nargs; k++) {
		x[k] = arg(m, i, k);
		consts[k] = (struct ir_inst){.op = IR_const, .width = i->args[k]->width, .imm = x[k]};
		ptrs[k] = &consts[k];
	}
	switch (i->op) {
	case IR_amd_rcp:
	case IR_amd_rsq:
	case IR_amd_sqrt:
	case IR_amd_frexp_mant:
		return unary(i->op, x[0], w);
	case IR_amd_cvt_u32_f32:
		return isnan(f32_of(x[0])) || f32_of(x[0]) <= 0 ? 0 : f32_of(x[0]) >= 0x1p32f ? 0xffffffff : (uint32_t)f32_of(x[0]);
	case IR_amd_med3f: {
		double v[3] = {value(x[0], w), value(x[1], w), value(x[2], w)};
		return bits(isnan(v[0]) ? fmin(v[1], v[2]) : fmax(fmin(v[0], v[1]), fmin(fmax(v[0], v[1]), v[2])), w);
	}
	case IR_amd_max3f: /* used with a NaN on both sides of x */
		ck_assert(is_nan(x[0], w) && x[0] == x[2]);
		return is_nan(x[1], w) ? x[0] : x[1];
	case IR_amd_ldexp:
		return is_nan(x[0], w) ? x[0] : bits(ldexp(value(x[0], w), (int32_t)x[1]), w);
	case IR_amd_div_scale:
		return div_scale(x[0], x[1], x[2], w, &cc);
	case IR_amd_div_scale_cc:
		div_scale(x[0], x[1], x[2], w, &cc);
		return cc;
	case IR_amd_div_fmas:
		return scaled_fma(i, x, w, !x[3] ? 0 : exponent(x[2], w) > format(w)->bias ? format(w)->scale : -format(w)->scale);
	case IR_amd_div_fixup:
		return div_fixup(x[0], x[1], x[2], w);
	case IR_fptosi:
	case IR_fptoui:
		if (i->nan && is_nan(x[0], w))
			return 0;
	}
	copy.args = ptrs;
	bool halves_or_single = ir_op_info[i->op].flags & IRF_FLOAT && i->op != IR_fnan && (i->width == 16 || i->width == 32);
	if (ir_fold_const(&copy, &r))
		return halves_or_single && ir_op_info[i->op].result == IRR_SAME && is_nan(r, i->width) ? any_nan(i->width) : r;
	if (!(ir_op_info[i->op].flags & IRF_FLOAT))
		ck_abort_msg("cannot evaluate %s", ir_op_info[i->op].name);
	return quiet_nan(i->width);
}

struct op_case {
	uint16_t op, from, to;
	uint8_t rnds; /* how many rounding modes to try */
	bool is_float, directed_only;
};

static struct arena arena;
static struct diags diags;

static uint64_t dividend_mask = ~(uint64_t)0;
static bool hard_divisions;

/* A kernel that loads the arguments, applies the operation and stores the result, lowered. */
static struct ir_inst *make(const struct ir_inst *op, uint32_t nargs, uint32_t from, const uint64_t *constant, struct ir_func **out)
{
	struct ir_module *m = ir_module_new(&arena, &diags);
	struct ir_func *f = *out = ir_func_new(m, "k");
	f->is_kernel = true;
	struct ir_cursor c = {f, ir_block_new(f), NULL, 0};
	struct ir_inst *i = ir_inst_new(f, (enum ir_op)op->op, op->width, nargs);
	for (uint32_t k = 0; k < nargs; k++) {
		struct ir_inst *l = ir_inst_new(f, IR_load, from, 1);
		l->args[0] = ir_const(f, 64, 0);
		l->imm = k;
		l->mem = (struct ir_mem){.space = IR_GLOBAL, .bits = (uint16_t)from};
		i->args[k] = constant && k == nargs - 1 ? ir_const(f, from, *constant) : ir_emit(&c, l);
	}
	if (~dividend_mask)
		i->args[0] = ir_b2(&c, IR_and, from, i->args[0], ir_const(f, from, dividend_mask));
	i->rnd = op->rnd;
	i->ftz = op->ftz;
	i->sat = op->sat;
	i->cond = op->cond;
	i->nan = op->nan;
	ir_append(c.block, i);
	struct ir_inst *st = ir_inst_new(f, IR_store, 0, 2);
	st->args[0] = ir_const(f, 64, 0);
	st->args[1] = i;
	st->mem = (struct ir_mem){.space = IR_GLOBAL, .bits = i->width < 8 ? 8 : i->width};
	if (i->width == 1) {
		st->args[1] = ir_b1(&c, IR_zext, 32, i);
		st->mem.bits = 32;
	}
	ir_emit(&c, st);
	ir_end(&c, IR_exit);
	ir_nan(f);
	ir_legal_float(f);
	ir_legal_int(f);
	ir_combine(f);
	ir_gvn(f);
	ir_dce(f);
	ir_validate(f, "lowering");
	return st;
}

static uint64_t run(struct ir_func *f, const struct ir_inst *st, const uint64_t *inputs)
{
	static uint64_t v[4096];
	struct machine m = {v, inputs};
	ck_assert(f->ninsts < 4096);
	ir_each_inst(i, f->blocks.data[0]) {
		if (i == st)
			return arg(&m, i, 1);
		v[i->id] = evaluate(&m, i);
	}
	ck_abort_msg("no store");
	return 0;
}

static const uint64_t ints[] = {0, 1, 2, 3, 5, 7, 10, 0x7fff, 0x8000, 0xffff, 0x10001, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x100000000,
				0x1ffffffff, 0xffffffff00000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0xfffffffffffffffe};
enum { NINTS = sizeof ints / sizeof *ints };

/* Beside a multiple of the divisor, where a quotient's last bit is hardest. */
static uint64_t beside_multiple(uint32_t k, uint32_t w)
{
	static uint64_t y;
	if (!k) { /* the dividend comes first: it fixes both */
		y = next_random() >> (next_random() & 63);
		if (!(next_random() & 3))
			y = -y; /* large */
		y = y & ir_mask(w) ? y & ir_mask(w) : 1;
		uint64_t most = (ir_mask(w) & dividend_mask) / y, q = most - (next_random() & 1 ? next_random() % 3 : next_random()) % (most ? most : 1);
		return (q * y + next_random() % 3 - 1) & dividend_mask;
	}
	return y;
}

static uint64_t sample_int(uint32_t k, uint32_t round, uint32_t w)
{
	if (hard_divisions)
		return beside_multiple(k, w);
	if (round < NINTS * NINTS)
		return ints[k ? round / NINTS : round % NINTS];
	return next_random() >> (next_random() & 63);
}

static uint64_t sample_float(uint32_t k, uint32_t round, uint32_t w)
{
	static const double edges[] = {0, -0.0, 1, -1, 0.5, 3, 0x1p-126, 0x1p-149, 0x1.fffffcp-127, 0x1.fffffep127, -0x1p-140, 0x1p-96, 0x1p96, 0x1p126, 0x1p127,
				       1.5, 2.5, -2.5, 0x1p31, -0x1p31, 0x1p32, 0x1p63, -0x1p63, 0x1p64, 65504, 65520, 0x1p-24, 0x1p-25, INFINITY, -INFINITY,
				       NAN, 0x1p-1022, 0x1p-1074, 0x1.fffffffffffffp1023, 0x1p-767, 0x1p1000, 1e-300, 0x1.fffffffffffffp-1};
	enum { N = sizeof edges / sizeof *edges };
	if (w == 16) {
		static const uint16_t halves[] = {0, 0x8000, 1, 0x3c00, 0xbc00, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x3800, 0x0400, 0x4100};
		return round < 144 ? halves[k ? round / 12 : round % 12] : next_random() & 0xffff;
	}
	if (round < N * N)
		return bits(edges[k ? round / N : round % N], w);
	uint64_t r = next_random() & ir_mask(w);
	if (next_random() & 1) {
		uint64_t mask = (uint64_t)(w == 32 ? 255 : 2047) << format(w)->mant;
		r = (r & ~mask) | (uint64_t)(format(w)->bias - 35 + (int)(next_random() % 105)) << format(w)->mant;
	}
	return r;
}

/* Compares n rounds; `constant`: the last argument is that constant. */
static void compare(const struct ir_inst *op, uint32_t nargs, uint32_t from, bool is_float, const uint64_t *constant, uint32_t rounds)
{
	struct ir_func *f;
	struct ir_inst *st = make(op, nargs, from, constant, &f), args[3], *ptrs[3] = {&args[0], &args[1], &args[2]}, one = *op;
	one.nargs = nargs;
	one.args = ptrs;
	for (uint32_t n = 0; n < rounds; n++) {
		uint64_t x[3] = {0}, want;
		for (uint32_t k = 0; k < nargs; k++) {
			x[k] = (is_float ? sample_float(k, n, from) : sample_int(k, n, from)) & ir_mask(from);
			if (constant && k == nargs - 1)
				x[k] = *constant;
			args[k] = (struct ir_inst){.op = IR_const, .width = (uint16_t)from, .imm = x[k]};
		}
		bool known = ir_fold_const(&one, &want);
		uint64_t got = run(f, st, x);
		bool nans = one.width >= 16 && is_nan(got, one.width) && known && is_nan(want, one.width);
		if ((!known && (one.ftz || is_nan(got, one.width))) || (nans && (one.width == 64 || from == 64)))
			continue;
		if (!known || got != want)
			ck_abort_msg("%s.%s%s %u -> %u: %llx %llx: %llx, not %llx", ir_op_info[op->op].name, ir_rnd_names[op->rnd],
				     op->ftz ? ".ftz" : "", from, op->width, (unsigned long long)x[0],
				     (unsigned long long)(nargs > 1 ? x[1] : 0), (unsigned long long)got, (unsigned long long)want);
	}
}

static void setup(void)
{
	arena_init(&arena, NULL);
	diags_init(&diags, &arena);
}
static void teardown(void)
{
	arena_free(&arena);
}

static uint32_t result_width(uint32_t op, uint32_t w)
{
	switch (ir_op_info[op].result) {
	case IRR_B32: return 32;
	case IRR_B1: return 1;
	default: return w;
	}
}

START_TEST(integers)
{
	static const uint16_t ops[] = {IR_mul, IR_umulhi, IR_smulhi, IR_udiv, IR_urem, IR_sdiv, IR_srem, IR_umin, IR_umax, IR_smin, IR_smax,
				       IR_add, IR_sub, IR_and, IR_xor, IR_uaddc, IR_usubb, IR_iabs, IR_popc, IR_clz, IR_ctz, IR_brev, IR_not};
	for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
		for (uint32_t w = 16; w <= 64; w *= 2) {
			struct ir_inst i = {.op = ops[o], .width = (uint16_t)result_width(ops[o], w)};
			if (w == 16 && (i.op == IR_uaddc || i.op == IR_usubb))
				continue;
			compare(&i, (uint32_t)ir_op_info[ops[o]].nargs, w, false, NULL, 4000);
		}
	for (uint32_t w = 16; w <= 64; w *= 2)
		for (uint8_t c = 0; c <= IRC_UGE; c++) {
			struct ir_inst i = {.op = IR_icmp, .width = 1, .cond = c};
			compare(&i, 2, w, false, NULL, 2000);
		}
}
END_TEST

START_TEST(divisions)
{
	static const uint16_t ops[] = {IR_udiv, IR_urem, IR_sdiv, IR_srem};
	static const uint64_t masks[] = {~(uint64_t)0, 0xffffffff, 0xfffff, 0x1fffff, 0x3ff};
	hard_divisions = true;
	for (int o = 0; o < 4; o++)
		for (uint32_t w = 16; w <= 64; w *= 2)
			for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
				struct ir_inst i = {.op = ops[o], .width = (uint16_t)w};
				dividend_mask = masks[m];
				compare(&i, 2, w, false, NULL, w == 64 ? 4000 : 30000);
			}
}
END_TEST

START_TEST(constant_divisors)
{
	static const uint16_t ops[] = {IR_udiv, IR_urem, IR_sdiv, IR_srem};
	for (uint32_t n = 0; n < 400; n++) {
		uint64_t d = n < 100 ? n : n < 100 + NINTS ? ints[n - 100] : next_random() >> (next_random() & 63);
		for (int o = 0; o < 4; o++)
			for (uint32_t w = 32; w <= 64; w *= 2) {
				struct ir_inst i = {.op = ops[o], .width = (uint16_t)w};
				uint64_t c = (n & 1 && n > 150 ? -d : d) & ir_mask(w);
				compare(&i, 2, w, false, &c, 600);
			}
	}
}
END_TEST

START_TEST(division_and_roots)
{
	static const uint16_t ops[] = {IR_fdiv, IR_frcp, IR_fsqrt};
	for (int o = 0; o < 3; o++)
		for (uint32_t w = 16; w <= 64; w *= 2)
			for (uint8_t rnd = 0; rnd < 4; rnd++)
				for (int ftz = 0; ftz < (w == 32 ? 2 : 1); ftz++) {
					struct ir_inst i = {.op = ops[o], .width = (uint16_t)w, .rnd = rnd, .ftz = ftz != 0};
					compare(&i, (uint32_t)ir_op_info[ops[o]].nargs, w, true, NULL, 12000);
				}
}
END_TEST

START_TEST(conversions)
{
	static const struct { uint16_t op, from, to; bool is_float; } cases[] = {
		{IR_fptosi, 16, 16, 1}, {IR_fptosi, 16, 32, 1}, {IR_fptosi, 16, 64, 1}, {IR_fptosi, 32, 16, 1}, {IR_fptosi, 32, 32, 1},
		{IR_fptosi, 32, 64, 1}, {IR_fptosi, 64, 16, 1}, {IR_fptosi, 64, 32, 1}, {IR_fptosi, 64, 64, 1}, {IR_fptoui, 16, 64, 1},
		{IR_fptoui, 32, 16, 1}, {IR_fptoui, 32, 32, 1}, {IR_fptoui, 32, 64, 1}, {IR_fptoui, 64, 32, 1}, {IR_fptoui, 64, 64, 1},
		{IR_sitofp, 16, 16, 0}, {IR_sitofp, 16, 32, 0}, {IR_sitofp, 32, 16, 0}, {IR_sitofp, 32, 64, 0}, {IR_sitofp, 64, 16, 0},
		{IR_sitofp, 64, 32, 0}, {IR_sitofp, 64, 64, 0}, {IR_uitofp, 16, 32, 0}, {IR_uitofp, 32, 16, 0}, {IR_uitofp, 64, 16, 0},
		{IR_uitofp, 64, 32, 0}, {IR_uitofp, 64, 64, 0}, {IR_fpext, 16, 32, 1}, {IR_fpext, 16, 64, 1}, {IR_fpext, 32, 64, 1},
		{IR_fptrunc, 32, 16, 1}, {IR_fptrunc, 64, 16, 1}, {IR_fptrunc, 64, 32, 1}, {IR_f32tobf16, 32, 16, 1}, {IR_frint, 32, 32, 1}};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
		for (uint8_t rnd = 0; rnd < (cases[k].op == IR_fpext ? 1 : 4); rnd++)
			for (int ftz = 0; ftz < (cases[k].from == 32 || cases[k].to == 32 ? 2 : 1); ftz++) {
				struct ir_inst i = {.op = cases[k].op, .width = cases[k].to, .rnd = rnd, .ftz = ftz && cases[k].is_float};
				compare(&i, 1, cases[k].from, cases[k].is_float, NULL, 4000);
			}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ir_legal");
	TCase *t = tcase_create("all");
	tcase_set_timeout(t, 120);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, integers);
	tcase_add_test(t, divisions);
	tcase_add_test(t, constant_divisors);
	tcase_add_test(t, division_and_roots);
	tcase_add_test(t, conversions);
	suite_add_tcase(s, t);
	return unit_run(s);
}
