/* ir_simplify: rules of floating point. */
#include "ir/ir_simplify.h"

struct ir_inst *ir_rule_fsign(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0];
	(void)f;
	if (i->nan || x->nan) /* made quiet on the way */
		return NULL;
	if (i->op == IR_fneg && x->op == IR_fneg)
		return x->args[0];
	if (i->op == IR_fabs && x->op == IR_fabs)
		return x;
	if (i->op == IR_fabs && x->op == IR_fneg)
		return become1(i, IR_fabs, x->args[0]);
	return NULL;
}

static uint64_t float_one(uint32_t w)
{
	return w == 16 ? 0x3c00 : w == 32 ? 0x3f800000 : 0x3ff0000000000000;
}

/* No signalling NaN. */
static bool is_quiet64(const struct ir_inst *x)
{
	return ir_op_info[x->op].flags & IRF_FLOAT && x->op != IR_fmin && x->op != IR_fmax;
}

/* i is args[0] but for the bits of a NaN. */
static struct ir_inst *same_number(struct ir_func *f, struct ir_inst *i)
{
	if (i->width == 64)
		return is_quiet64(i->args[0]) ? i->args[0] : NULL;
	if (f->nan_explicit || i->any_nan)
		return i->args[0];
	i->rnd = 0;
	i->contract = false;
	return become1(i, IR_fnan, i->args[0]);
}

/* A NaN on the right is the result of f64 arithmetic. */
static struct ir_inst *nan_right(struct ir_func *f, const struct ir_inst *i)
{
	const struct ir_inst *y = i->args[1];
	return i->width == 64 && y->op == IR_const && ir_is_nan64(y->imm) ? ir_const(f, 64, y->imm | (uint64_t)1 << 51) : NULL;
}

struct ir_inst *ir_rule_fmul(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *y = i->args[1];
	if (i->ftz || i->sat || i->relu)
		return NULL;
	return is_c(y, float_one(i->width)) ? same_number(f, i) : nan_right(f, i);
}

struct ir_inst *ir_rule_fadd(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *y = i->args[1];
	if (i->ftz || i->sat || i->relu)
		return NULL;
	return is_c(y, (uint64_t)1 << (i->width - 1)) && i->rnd != IR_RM ? same_number(f, i) : nan_right(f, i);
}

struct ir_inst *ir_rule_fsub(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	if (i->width != 64 || y->op != IR_const || ir_is_nan64(y->imm))
		return nan_right(f, i);
	return become2(i, IR_fadd, x, ir_const(f, 64, y->imm ^ (uint64_t)1 << 63));
}

struct ir_inst *ir_rule_ffma(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *y = i->args[1], *z = i->args[2];
	if (is_c(y, float_one(i->width)))
		return become2(i, IR_fadd, i->args[0], z);
	if (is_c(i->args[0], float_one(i->width)))
		return become2(i, IR_fadd, z, y);
	if (is_c(z, (uint64_t)1 << (i->width - 1)) && i->rnd != IR_RM && !i->ftz)
		return become2(i, IR_fmul, i->args[0], y);
	return nan_right(f, i);
}
