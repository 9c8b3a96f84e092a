/* Correctly rounded division, reciprocal and square root, in every rounding mode, subnormals included.
 *
 * Division: operands scaled into the safe range (div_scale), the reciprocal refined by Newton steps, the quotient to within half an
 * ulp, its remainder exactly, and one last fused step in the mode asked for (div_fmas, which undoes the scale); div_fixup puts in
 * zeros, infinities and NaN. The remainder's sign is exact and the quotient before the last step nearest, so directed modes round right
 * whatever 1/d is.
 * Square root: to nearest, then one exact residual decides whether a directed mode moves by one ulp.
 * source: Markstein, "IA-64 and Elementary Functions"; LLVM's AMDGPU LowerFDIV32, LowerFDIV64, lowerFSQRTF32, lowerFSQRTF64. */
#include "amd/amd.h"
#include "ir/ir_legal.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

static I *fused(C *c, I *x, I *y, I *z)
{
	return ir_fop(c, IR_ffma, IR_RN, x->width, x, y, z);
}

static I *mul(C *c, I *x, I *y)
{
	return ir_fop(c, IR_fmul, IR_RN, x->width, x, y, NULL);
}

static I *neg(C *c, I *x)
{
	return ir_b1(c, IR_fneg, x->width, x);
}

static I *one(C *c, uint32_t w)
{
	return ir_const(c->f, w, w == 32 ? 0x3f800000 : 0x3ff0000000000000);
}

static I *fmas(C *c, I *r, I *y, I *q, I *scaled, enum ir_rnd rnd)
{
	I *i = ir_inst_new(c->f, IR_amd_div_fmas, r->width, 4);
	i->args[0] = r;
	i->args[1] = y;
	i->args[2] = q;
	i->args[3] = scaled;
	i->rnd = (uint8_t)rnd;
	return ir_emit(c, i);
}

/* By the manuals div_scale leaves f32 numerators of 2^-103 alone, of which a remainder may need one bit more than subnormals have: both
 * operands are multiplied by this first. */
static I *scale_small(C *c, I *num)
{
	I *small = ir_cmp(c, IR_fcmp, IRC_FLT, ir_b1(c, IR_fabs, 32, num), ir_f32(c->f, 0x1p-102f));
	return ir_select(c, small, ir_f32(c->f, 0x1p32f), one(c, 32));
}

/* An ulp away from zero. */
static I *next_up(C *c, I *x)
{
	return ir_b2(c, IR_add, 32, x, ir_c32(c, 1));
}

/* An ulp more where the lower word is zero: of 1/2, and of what is so far from being hard that this does not matter. */
static I *off_half(C *c, I *x)
{
	return ir_pack64(c, ir_b2(c, IR_umax, 32, ir_lo32(c, x), ir_c32(c, 1)), ir_hi32(c, x));
}

struct division {
	I *n, *d, *scaled, *y; /* scaled operands, whether the quotient is to be scaled back, 1/d */
};

static struct division refine(C *c, I *num, I *den, I *first)
{
	uint32_t w = num->width;
	struct division v;
	v.d = ir_b3(c, IR_amd_div_scale, w, den, den, num);
	v.n = ir_b3(c, IR_amd_div_scale, w, num, den, num);
	v.scaled = ir_b3(c, IR_amd_div_scale_cc, w, num, den, num);
	v.y = ir_b1(c, IR_amd_rcp, w, v.d);
	I *e = fused(c, neg(c, v.d), v.y, first);
	v.y = fused(c, w == 64 ? fused(c, e, e, e) : e, v.y, v.y);
	return v;
}

/* Correct to nearest takes 1/d to nearest, or nearly so where d is not within some ulps of a power of two from below.
 * f32: Newton's step misses that for d all ones alone, giving 1/2, and then one quotient is wrong, of a power of two, that comes out half
 * way between two numbers. The first quotient made greater than the exact one, the next comes out right, as 1/2 is below 1/d.
 * f64: after a cubic step 1/d may be 2^-15 over half an ulp off, which is too much where d is within 2^-15 of a power of two from below. Its
 * remainder is exact, so another step ends that; for d all ones off_half has. */
static I *divide(C *c, I *top, I *bottom, enum ir_rnd rnd)
{
	uint32_t w = top->width;
	bool wide = w == 64, nearest = rnd == IR_RN;
	I *num = top, *den = bottom;
	if (!wide && !(c->f->module->target && c->f->module->target->scales_small)) {
		I *s = scale_small(c, top);
		num = mul(c, top, s);
		den = mul(c, bottom, s);
	}
	struct division v = refine(c, num, den, one(c, w));
	I *nd = neg(c, v.d), *y = v.y;
	if (wide && nearest) {
		y = off_half(c, y);
		y = fused(c, fused(c, nd, y, one(c, w)), y, y);
	}
	I *q = mul(c, v.n, y);
	if (!wide && nearest)
		q = next_up(c, q);
	I *r = fused(c, nd, q, v.n);
	if (!wide || !nearest) {
		q = fused(c, r, y, q);
		r = fused(c, nd, q, v.n);
	}
	return ir_b3(c, IR_amd_div_fixup, w, fmas(c, r, y, q, v.scaled, rnd), bottom, top);
}

/* 1 / x to nearest, which tests/approx/reciprocal.c has for whatever v_rcp gives. f32: with y just below 1/d and the quotient one ulp
 * above y one correction is enough. f64: only where d is all ones is the factor not good enough. */
static I *reciprocal(C *c, I *x)
{
	uint32_t w = x->width;
	struct division v = refine(c, one(c, w), x, w == 32 ? ir_f32(c->f, 0x1.fffffep-1f) : one(c, w));
	I *q = mul(c, v.n, v.y);
	if (w == 32)
		q = next_up(c, q);
	I *r = fused(c, neg(c, v.d), q, v.n), *y = w == 32 ? v.y : off_half(c, v.y);
	return ir_b3(c, IR_amd_div_fixup, w, fmas(c, r, y, q, v.scaled, IR_RN), x, one(c, w));
}

/* s one ulp away from zero or toward it. */
static I *step_ulp(C *c, I *s, bool up)
{
	return ir_b2(c, IR_add, s->width, s, ir_const(c->f, s->width, up ? 1 : ~(uint64_t)0));
}

/* div_fixup gives infinity and zero where a finite quotient leaves the range; a directed mode may want the number before. */
static I *round_extremes(C *c, I *q, I *num, I *den, enum ir_rnd rnd)
{
	if (rnd == IR_RN)
		return q;
	uint32_t over = rnd == IR_RZ ? 0x204 : rnd == IR_RM ? 0x200 : 0x004, under = rnd == IR_RM ? 0x20 : rnd == IR_RP ? 0x40 : 0;
	I *proper = ir_b2(c, IR_and, 1, ir_b2(c, IR_ftestclass, 1, num, ir_c32(c, 0x198)), ir_b2(c, IR_ftestclass, 1, den, ir_c32(c, 0x198)));
	I *off = ir_b2(c, IR_and, 1, proper, ir_b2(c, IR_ftestclass, 1, q, ir_c32(c, over)));
	I *r = ir_select(c, off, step_ulp(c, q, false), q);
	if (!under)
		return r;
	off = ir_b2(c, IR_and, 1, proper, ir_b2(c, IR_ftestclass, 1, q, ir_c32(c, under)));
	return ir_select(c, off, step_ulp(c, q, true), r);
}

static I *quotient(C *c, I *num, I *den, enum ir_rnd rnd)
{
	bool whole = rnd == IR_RN && ir_is_const(num) && num->imm == one(c, num->width)->imm;
	return round_extremes(c, whole ? reciprocal(c, den) : divide(c, num, den, rnd), num, den, rnd);
}

/* s is the root of x to nearest; moves it for a directed mode. */
static I *round_root(C *c, I *s, I *x, enum ir_rnd rnd)
{
	if (rnd == IR_RN)
		return s;
	bool up = rnd == IR_RP;
	I *r = fused(c, neg(c, s), s, x);
	I *off = ir_cmp(c, IR_fcmp, up ? IRC_FGT : IRC_FLT, r, ir_const(c->f, s->width, 0));
	return ir_select(c, off, step_ulp(c, s, up), s);
}

static I *sqrt32(C *c, I *x, enum ir_rnd rnd)
{
	I *zero = ir_c32(c, 0);
	I *small = ir_cmp(c, IR_fcmp, IRC_FLT, x, ir_c32(c, 0x0f800000));                 /* 2^-96 */
	I *v = ir_select(c, small, mul(c, x, ir_c32(c, 0x4f800000)), x);                  /* 2^32 */
	I *s = ir_b1(c, IR_amd_sqrt, 32, v), *down = step_ulp(c, s, false), *up = step_ulp(c, s, true);
	I *below = fused(c, neg(c, down), s, v), *above = fused(c, neg(c, up), s, v);
	s = ir_select(c, ir_cmp(c, IR_fcmp, IRC_FLE, below, zero), down, s);
	s = ir_select(c, ir_cmp(c, IR_fcmp, IRC_FGT, above, zero), up, s);
	s = round_root(c, s, v, rnd);
	return ir_select(c, small, mul(c, s, ir_c32(c, 0x37800000)), s);                  /* 2^-16 */
}

/* 1/sqrt(v) by a cubic step, the root from that, and one step with its exact remainder (tests/approx/reciprocal.c). The steps of lowerFSQRTF64
 * do not do: they take the last one with 1/sqrt(v) good to 2^-45 only. What is not positive and finite div_fixup puts in, for 1 / y with y from
 * v_rsq: a zero or infinity for the other, y's NaN. */
static I *sqrt64(C *c, I *x, enum ir_rnd rnd)
{
	I *half = ir_f64(c->f, 0.5), *zero = ir_c32(c, 0);
	I *small = ir_cmp(c, IR_fcmp, IRC_FLT, x, ir_f64(c->f, 0x1p-512));
	I *v = ir_fop(c, IR_amd_ldexp, IR_RN, 64, x, ir_select(c, small, ir_c32(c, 600), zero), NULL);
	I *first = ir_b1(c, IR_amd_rsq, 64, v);
	I *e = fused(c, neg(c, first), mul(c, v, first), one(c, 64));
	I *y = fused(c, first, mul(c, e, fused(c, e, ir_f64(c->f, 0.375), half)), first);
	I *g = mul(c, v, y);
	g = fused(c, fused(c, neg(c, g), g, v), mul(c, y, half), g);
	g = round_root(c, g, v, rnd);
	g = ir_fop(c, IR_amd_ldexp, IR_RN, 64, g, ir_select(c, small, ir_c32(c, (uint32_t)-300), zero), NULL);
	return ir_b3(c, IR_amd_div_fixup, 64, g, first, one(c, 64));
}

/* f16 by way of f32, whose 24 bits make the second rounding harmless (24 >= 2 * 11 + 2). */
static I *by_f32(C *c, I *i)
{
	I *r = ir_inst_new(c->f, (enum ir_op)i->op, 32, i->nargs);
	for (uint32_t k = 0; k < i->nargs; k++)
		r->args[k] = ir_b1(c, IR_fpext, 32, i->args[k]);
	r->rnd = i->rnd;
	return ir_fcanonical(c, ir_fop(c, IR_fptrunc, (enum ir_rnd)i->rnd, 16, ir_emit(c, r), NULL, NULL), i->ftz, i->sat);
}

/* .ftz: a quotient below the least normal number is zero, though it may round up to it. The test is exact: where den 2^-126 is not,
 * it is less than the least num. */
static I *flush_tiny(C *c, I *q, I *num, I *den)
{
	I *least = ir_b1(c, IR_fabs, 32, ir_fop(c, IR_fmul, IR_RN, 32, den, ir_c32(c, 0x00800000), NULL));
	I *tiny = ir_cmp(c, IR_fcmp, IRC_FLT, ir_b1(c, IR_fabs, 32, num), least);
	return ir_select(c, tiny, ir_b2(c, IR_and, 32, q, ir_c32(c, 0x80000000)), q);
}

I *ir_lower_divsqrt(C *c, I *i)
{
	uint32_t w = i->width;
	enum ir_rnd rnd = (enum ir_rnd)i->rnd;
	I *r, *x = ir_fcanonical(c, i->args[0], i->ftz, false), *y = NULL;
	if (w == 16)
		return by_f32(c, i);
	if (i->op == IR_fsqrt) {
		r = w == 32 ? sqrt32(c, x, rnd) : sqrt64(c, x, rnd);
	} else {
		y = i->op == IR_frcp ? x : ir_fcanonical(c, i->args[1], i->ftz, false);
		x = i->op == IR_frcp ? one(c, w) : x;
		r = quotient(c, x, y, rnd);
	}
	if (y && i->ftz && w == 32)
		r = flush_tiny(c, r, x, y);
	return ir_fcanonical(c, r, false, i->sat);
}
