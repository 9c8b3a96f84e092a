/* The approximate functions of PTX on the hardware's, which flush subnormal f32: where PTX does not, operands are scaled.
 *
 * The bounds that PTX states are in tests/approx/functions.def; the hardware's results are good to 1 ulp, and v_rcp's not to the 3/4 ulp that
 * a product would need for a quotient within 2: of a gfx1100 they are within 0.88. So the reciprocal has a step of Newton's for a quotient. div.approx gives 0
 * (NaN for an infinite dividend) where the divisor exceeds 2^126, as its reciprocal underflows; div.full does not. */
#include "amd/amd.h"
#include "ir/ir_legal.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

static I *mulc(C *c, I *x, uint32_t constant)
{
	return ir_fop(c, IR_fmul, IR_RN, 32, x, ir_c32(c, constant), NULL);
}

static I *absolute(C *c, I *x)
{
	return ir_b1(c, IR_fabs, x->width, x);
}

static I *below(C *c, I *x, uint32_t constant)
{
	return ir_cmp(c, IR_fcmp, IRC_FLT, x, ir_c32(c, constant));
}

static I *mul(C *c, I *x, I *y)
{
	return ir_fop(c, IR_fmul, IR_RN, 32, x, y, NULL);
}

enum { POW_M126 = 0x00800000, POW_24 = 0x4b800000, POW_12 = 0x45800000, ONE = 0x3f800000 };

static I *hw(C *c, enum ir_op op, I *x, bool ftz)
{
	I *i = ir_inst_new(c->f, op, op == IR_amd_frexp_exp ? 32 : x->width, 1);
	i->args[0] = x;
	i->ftz = ftz;
	return ir_emit(c, i);
}

/* x by the power of two that takes y to [1/2, 1): exact, but where the quotient is subnormal. */
static I *as_divided(C *c, I *x, I *y)
{
	I *e = ir_b2(c, IR_sub, 32, ir_c32(c, 0), hw(c, IR_amd_frexp_exp, y, false));
	return ir_fop(c, IR_amd_ldexp, IR_RN, 32, x, e, NULL);
}

static I *rcp_mant(C *c, I *y)
{
	return hw(c, IR_amd_rcp, hw(c, IR_amd_frexp_mant, y, false), false);
}

static I *rcp32(C *c, I *x, bool ftz)
{
	return ftz ? hw(c, IR_amd_rcp, x, true) : as_divided(c, rcp_mant(c, x), x);
}

/* 1 / y to half an ulp and a little. Where the product is of zero and infinity it counts as a zero or, on chips without that, as little: then
 * the reciprocal stays as it is. */
static I *refined_rcp(C *c, I *y, bool ftz)
{
	const struct amd_target *t = c->f->module->target;
	bool zero = !t || t->has_fma_legacy;
	I *r = hw(c, IR_amd_rcp, y, ftz), *e = ir_inst_new(c->f, zero ? IR_amd_fma_zero : IR_ffma, 32, 3);
	e->args[0] = ir_b1(c, IR_fneg, 32, y);
	e->args[1] = r;
	e->args[2] = ir_c32(c, ONE);
	e->ftz = e->may_leave = ftz;
	e = ir_emit(c, e);
	if (!zero)
		e = ir_fop(c, IR_fmin, IR_RN, 32, e, ir_f32(c->f, 0x1p-20f), NULL);
	I *s = ir_inst_new(c->f, IR_ffma, 32, 3);
	s->args[0] = e;
	s->args[1] = s->args[2] = r;
	s->ftz = s->may_leave = ftz;
	return ir_emit(c, s);
}

static I *div32(C *c, I *i)
{
	I *x = i->args[0], *y = i->args[1];
	if (!i->ftz) {
		I *s = ir_select(c, below(c, absolute(c, y), POW_M126), ir_c32(c, POW_24), ir_c32(c, ONE));
		x = mul(c, x, s);
		y = mul(c, y, s);
	}
	I *q = ir_inst_new(c->f, IR_fmul, 32, 2);
	q->args[0] = x;
	q->args[1] = refined_rcp(c, y, i->ftz);
	q->ftz = i->ftz;
	q->may_leave = i->may_leave;
	q->leave = i->leave;
	return ir_emit(c, q);
}

/* div.full, the divisor brought near 1 by a power of two that the quotient takes too. With ftz nothing is small, and what is just above
 * 2^-126 must not be rounded below it. Without, the dividend takes the power of two first: the quotient is between it and twice it. */
static I *divfull32(C *c, I *i)
{
	I *x = ir_fcanonical(c, i->args[0], i->ftz, false), *y = ir_fcanonical(c, i->args[1], i->ftz, false);
	if (!i->ftz) {
		I *r = refined_rcp(c, hw(c, IR_amd_frexp_mant, y, false), false);
		return mul(c, as_divided(c, x, y), r);
	}
	I *big = ir_cmp(c, IR_fcmp, IRC_FGT, absolute(c, y), ir_f32(c->f, 0x1p96f));
	I *s = ir_select(c, big, ir_f32(c->f, 0x1p-32f), ir_c32(c, ONE)), *r = refined_rcp(c, mul(c, y, s), false);
	return ir_fcanonical(c, mul(c, mul(c, x, r), s), true, false);
}

static I *root32(C *c, I *i)
{
	I *x = i->args[0];
	bool rsqrt = i->op == IR_frsqrt;
	enum ir_op op = rsqrt ? IR_amd_rsq : IR_amd_sqrt;
	if (i->ftz)
		return hw(c, op, x, true);
	I *small = below(c, x, POW_M126);
	I *s = hw(c, op, ir_select(c, small, mulc(c, x, POW_24), x), false);
	return ir_select(c, small, mulc(c, s, rsqrt ? POW_12 : 0x39800000 /* 2^-12 */), s);
}

/* One constant serves before and after: x + 2^32 x, and 32 less; 2^-149 of x, and nothing. */
static I *log32(C *c, I *i)
{
	I *x = i->args[0];
	if (i->ftz)
		return hw(c, IR_amd_log, x, true);
	I *s = ir_select(c, below(c, x, POW_M126), ir_f32(c->f, -0x1p32f), ir_f32(c->f, 0x1p-149f));
	I *r = hw(c, IR_amd_log, ir_fop(c, IR_ffma, IR_RN, 32, x, absolute(c, s), x), false);
	return ir_fop(c, IR_ffma, IR_RN, 32, s, ir_f32(c->f, 0x1p-27f), r);
}

/* The integral part apart. It clamps where x is huge: infinity less 2^31 is infinity. */
static I *exp32(C *c, I *i)
{
	I *x = i->args[0];
	if (i->ftz)
		return hw(c, IR_amd_exp, x, true);
	I *n = ir_inst_new(c->f, IR_fptosi, 32, 1);
	n->args[0] = x;
	n->rnd = IR_RZ;
	n = ir_emit(c, n);
	I *fraction = ir_fop(c, IR_fsub, IR_RN, 32, x, ir_fop(c, IR_sitofp, IR_RN, 32, n, NULL, NULL), NULL);
	return ir_fop(c, IR_amd_ldexp, IR_RN, 32, hw(c, IR_amd_exp, fraction, false), n, NULL);
}

/* The hardware's functions take revolutions, any number of them (RDNA manuals: "full range input is supported"). */
static I *sincos32(C *c, I *i)
{
	I *r = mulc(c, ir_fcanonical(c, i->args[0], i->ftz, false), 0x3e22f983); /* 1 / 2 pi */
	return hw(c, i->op == IR_fcos ? IR_amd_cos : IR_amd_sin, r, i->ftz);
}

/* 1 - 2 / (e^2a + 1) for a = |x|; for small a that loses bits and a - a^3 / 3 does not. */
static I *tanh32(C *c, I *x)
{
	I *a = absolute(c, x), *one = ir_c32(c, 0x3f800000);
	I *e = hw(c, IR_amd_exp, mulc(c, a, 0x4038aa3b), false); /* 2 log2 e */
	I *r = hw(c, IR_amd_rcp, ir_fop(c, IR_fadd, IR_RN, 32, e, one, NULL), false);
	r = ir_fop(c, IR_ffma, IR_RN, 32, r, ir_c32(c, 0xc0000000), one);
	I *cubic = ir_fop(c, IR_ffma, IR_RN, 32, ir_fop(c, IR_fmul, IR_RN, 32, a, a, NULL), ir_c32(c, 0xbeaaaaab), one);
	r = ir_select(c, below(c, a, 0x3d800000), ir_fop(c, IR_fmul, IR_RN, 32, a, cubic, NULL), r);
	return ir_b3(c, IR_bitsel, 32, ir_c32(c, 0x7fffffff), r, x);
}

/* rcp.approx.ftz.f64, rsqrt.approx.ftz.f64: subnormals count as zero, the low word of the result is zero. */
static I *flush64(C *c, I *x)
{
	I *tiny = ir_cmp(c, IR_fcmp, IRC_FLT, absolute(c, x), ir_const(c->f, 64, (uint64_t)1 << 52));
	return ir_select(c, tiny, ir_b2(c, IR_and, 64, x, ir_const(c->f, 64, (uint64_t)1 << 63)), x);
}

/* rsqrt.approx.f64 without ftz is good to the last bits: the estimate y improved by y e (1/2 + 3/8 e), e = 1 - x y^2. */
static I *rsqrt64(C *c, I *x)
{
	I *small = ir_cmp(c, IR_fcmp, IRC_FLT, x, ir_const(c->f, 64, 0x1000000000000000)), *zero = ir_c32(c, 0); /* 2^-767 */
	I *v = ir_fop(c, IR_amd_ldexp, IR_RN, 64, x, ir_select(c, small, ir_c32(c, 256), zero), NULL);
	I *y = hw(c, IR_amd_rsq, v, false), *xy = ir_fop(c, IR_fmul, IR_RN, 64, v, y, NULL);
	I *e = ir_fop(c, IR_ffma, IR_RN, 64, ir_b1(c, IR_fneg, 64, xy), y, ir_f64(c->f, 1));
	I *p = ir_fop(c, IR_ffma, IR_RN, 64, e, ir_f64(c->f, 0.375), ir_f64(c->f, 0.5));
	I *r = ir_fop(c, IR_ffma, IR_RN, 64, ir_fop(c, IR_fmul, IR_RN, 64, y, e, NULL), p, y);
	r = ir_b3(c, IR_amd_div_fixup, 64, r, ir_f64(c->f, 1), y); /* y itself where that is zero, infinite or a NaN */
	return ir_fop(c, IR_amd_ldexp, IR_RN, 64, r, ir_select(c, small, ir_c32(c, 128), zero), NULL);
}

static I *approx64(C *c, I *i)
{
	if (i->op == IR_frsqrt && !i->ftz)
		return rsqrt64(c, i->args[0]);
	I *r = hw(c, i->op == IR_frcp ? IR_amd_rcp : i->op == IR_frsqrt ? IR_amd_rsq : IR_amd_sqrt, flush64(c, i->args[0]), false);
	r = ir_pack64(c, ir_c32(c, 0), ir_hi32(c, flush64(c, r)));
	I *nan = ir_cmp(c, IR_fcmp, IRC_NAN, r, r);
	return ir_select(c, nan, ir_const(c->f, 64, 0x7fffffff00000000), r);
}

static I *approx16(C *c, I *i)
{
	static const struct { uint16_t op, hw; } direct[] = {
		{IR_frcp, IR_amd_rcp}, {IR_frsqrt, IR_amd_rsq}, {IR_fsqrt, IR_amd_sqrt}, {IR_fex2, IR_amd_exp}, {IR_flg2, IR_amd_log}};
	for (size_t k = 0; k < sizeof direct / sizeof *direct; k++)
		if (direct[k].op == i->op)
			return hw(c, (enum ir_op)direct[k].hw, i->args[0], i->ftz);
	I *r = ir_inst_new(c->f, (enum ir_op)i->op, 32, i->nargs);
	for (uint32_t k = 0; k < i->nargs; k++)
		r->args[k] = ir_b1(c, IR_fpext, 32, ir_fcanonical(c, i->args[k], i->ftz, false));
	r->approx = true;
	return ir_fcanonical(c, ir_fop(c, IR_fptrunc, IR_RN, 16, ir_emit(c, r), NULL, NULL), i->ftz, false);
}

static I *approx32(C *c, I *i)
{
	switch (i->op) {
	case IR_frcp:
		return rcp32(c, i->args[0], i->ftz);
	case IR_fdiv:
		return div32(c, i);
	case IR_fdivfull:
		return divfull32(c, i);
	case IR_fsqrt:
	case IR_frsqrt:
		return root32(c, i);
	case IR_flg2:
		return log32(c, i);
	case IR_fex2:
		return exp32(c, i);
	case IR_ftanh:
		return tanh32(c, i->args[0]);
	default:
		return sincos32(c, i);
	}
}

I *ir_lower_approx(C *c, I *i)
{
	I *r = i->width == 64 ? approx64(c, i) : i->width == 16 ? approx16(c, i) : approx32(c, i);
	return ir_fcanonical(c, r, false, i->sat);
}
