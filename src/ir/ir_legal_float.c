/* Floating-point operations that the hardware has not, in those that it has.
 *
 * ensures: fadd, fsub, fmul, ffma, fmin, fmax, fcanon, frint, fcmp, fneg, fabs of 16, 32, 64 bits in every rounding mode (a property of
 * the instruction; the MODE register is set later), packed f16, single-instruction conversions (32-bit integers from and to f32 and
 * f64, to integers only toward zero; f16-f32, f32-f64), amd_*. No relu, no .nan. ftz only where a mode bit flushes: not on
 * conversions. Needs IEEE mode off, so that min and max of a signalling NaN and a number is the number.
 * source: PTX ISA; RDNA2 and RDNA3 ISA, "Vector ALU"; LLVM's AMDGPU legalizer for the div_scale and square root sequences. */
#include "ir/ir_legal.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

I *ir_fop(C *c, enum ir_op op, enum ir_rnd rnd, uint32_t width, I *x, I *y, I *z)
{
	I *i = ir_inst_new(c->f, op, width, 1u + (y != NULL) + (z != NULL));
	i->args[0] = x;
	if (y)
		i->args[1] = y;
	if (z)
		i->args[2] = z;
	i->rnd = (uint8_t)rnd;
	return ir_emit(c, i);
}

I *ir_fcanonical(C *c, I *x, bool ftz, bool sat)
{
	if (!ftz && !sat)
		return x;
	I *i = ir_inst_new(c->f, IR_fcanon, x->width, 1);
	i->args[0] = x;
	i->ftz = ftz;
	i->sat = sat;
	return ir_emit(c, i);
}

static uint64_t canonical_nan(uint32_t w)
{
	return w == 16 ? 0x7fff : w == 32 ? 0x7fffffff : 0x7ff8000000000000;
}

static I *copy_without(C *c, const I *i, bool relu, bool nan)
{
	I *r = ir_inst_new(c->f, (enum ir_op)i->op, i->width, i->nargs);
	for (uint32_t k = 0; k < i->nargs; k++)
		r->args[k] = i->args[k];
	r->rnd = i->rnd;
	r->ftz = i->ftz;
	r->sat = i->sat;
	r->approx = i->approx;
	r->may_leave = i->may_leave;
	r->leave = i->leave;
	r->relu = i->relu && !relu;
	r->nan = i->nan && !nan;
	return ir_emit(c, r);
}

/* Negative results become +0, NaN stays NaN. */
static I *lower_relu(C *c, I *i)
{
	bool packed = i->op >= IR_pkfadd && i->op <= IR_pkfmax;
	I *m = ir_inst_new(c->f, packed ? IR_pkfmax : IR_fmax, i->width, 2);
	m->args[0] = copy_without(c, i, true, false);
	m->args[1] = ir_const(c->f, i->width, 0);
	m->nan = true;
	return ir_emit(c, m);
}

static I *lower_nan(C *c, I *i)
{
	I *unordered = ir_cmp(c, IR_fcmp, IRC_NAN, i->args[0], i->args[1]);
	return ir_select(c, unordered, ir_const(c->f, i->width, canonical_nan(i->width)), copy_without(c, i, false, true));
}

/* A packed min or max with .nan, half by half. */
static I *lower_packed_nan(C *c, I *i)
{
	I *r[2];
	for (uint32_t h = 0; h < 2; h++) {
		I *m = ir_inst_new(c->f, i->op == IR_pkfmin ? IR_fmin : IR_fmax, 16, 2);
		m->args[0] = ir_unpack(c, 16, i->args[0], h);
		m->args[1] = ir_unpack(c, 16, i->args[1], h);
		m->ftz = i->ftz;
		m->sat = i->sat;
		m->nan = true;
		r[h] = ir_emit(c, m);
	}
	return ir_pack(c, 32, r, 2);
}

/* Rounding up or down tells a subnormal from zero, and the rounding instructions do not flush. */
static I *lower_frint(C *c, I *i)
{
	if (!i->ftz)
		return NULL;
	I *x = i->rnd == IR_RM || i->rnd == IR_RP ? ir_fcanonical(c, i->args[0], true, false) : i->args[0];
	return ir_fcanonical(c, ir_fop(c, IR_frint, (enum ir_rnd)i->rnd, i->width, x, NULL, NULL), false, i->sat);
}

static I *lower(C *c, I *i)
{
	if (!(ir_op_info[i->op].flags & IRF_FLOAT))
		return NULL;
	if (i->relu)
		return lower_relu(c, i);
	switch (i->op) {
	case IR_fmin:
	case IR_fmax:
		return i->nan ? lower_nan(c, i) : NULL;
	case IR_pkfmin:
	case IR_pkfmax:
		return i->nan ? lower_packed_nan(c, i) : NULL;
	case IR_frint:
		return lower_frint(c, i);
	case IR_fdiv:
	case IR_frcp:
	case IR_fsqrt:
		return i->approx ? ir_lower_approx(c, i) : ir_lower_divsqrt(c, i);
	case IR_fdivfull:
	case IR_frsqrt:
	case IR_fsin:
	case IR_fcos:
	case IR_flg2:
	case IR_fex2:
	case IR_ftanh:
		return ir_lower_approx(c, i);
	case IR_fptosi:
	case IR_fptoui:
	case IR_sitofp:
	case IR_uitofp:
	case IR_fpext:
	case IR_fptrunc:
	case IR_f32tobf16:
		return ir_lower_convert(c, i);
	default:
		return NULL;
	}
}

void ir_legal_float(struct ir_func *f)
{
	ir_lower_all(f, lower);
}
