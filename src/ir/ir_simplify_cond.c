/* ir_simplify: rules of comparisons and selects. */
#include "ir/ir_simplify.h"

static const uint8_t inverse[IRC_COUNT] = {
	[IRC_EQ] = IRC_NE,      [IRC_NE] = IRC_EQ,      [IRC_SLT] = IRC_SGE,   [IRC_SLE] = IRC_SGT,   [IRC_SGT] = IRC_SLE,
	[IRC_SGE] = IRC_SLT,    [IRC_ULT] = IRC_UGE,    [IRC_ULE] = IRC_UGT,   [IRC_UGT] = IRC_ULE,   [IRC_UGE] = IRC_ULT,
	[IRC_FEQ] = IRC_FNEU,   [IRC_FNE] = IRC_FEQU,   [IRC_FLT] = IRC_FGEU,  [IRC_FLE] = IRC_FGTU,  [IRC_FGT] = IRC_FLEU,
	[IRC_FGE] = IRC_FLTU,   [IRC_FEQU] = IRC_FNE,   [IRC_FNEU] = IRC_FEQ,  [IRC_FLTU] = IRC_FGE,  [IRC_FLEU] = IRC_FGT,
	[IRC_FGTU] = IRC_FLE,   [IRC_FGEU] = IRC_FLT,   [IRC_NUM] = IRC_NAN,   [IRC_NAN] = IRC_NUM};
static const uint8_t swapped[IRC_COUNT] = {
	[IRC_EQ] = IRC_EQ,      [IRC_NE] = IRC_NE,      [IRC_SLT] = IRC_SGT,   [IRC_SLE] = IRC_SGE,   [IRC_SGT] = IRC_SLT,
	[IRC_SGE] = IRC_SLE,    [IRC_ULT] = IRC_UGT,    [IRC_ULE] = IRC_UGE,   [IRC_UGT] = IRC_ULT,   [IRC_UGE] = IRC_ULE,
	[IRC_FEQ] = IRC_FEQ,    [IRC_FNE] = IRC_FNE,    [IRC_FLT] = IRC_FGT,   [IRC_FLE] = IRC_FGE,   [IRC_FGT] = IRC_FLT,
	[IRC_FGE] = IRC_FLE,    [IRC_FEQU] = IRC_FEQU,  [IRC_FNEU] = IRC_FNEU, [IRC_FLTU] = IRC_FGTU, [IRC_FLEU] = IRC_FGEU,
	[IRC_FGTU] = IRC_FLTU,  [IRC_FGEU] = IRC_FLEU,  [IRC_NUM] = IRC_NUM,   [IRC_NAN] = IRC_NAN};

struct ir_inst *ir_rule_not(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0];
	if (x->op == IR_not)
		return x->args[0];
	if (x->op == IR_icmp || x->op == IR_fcmp) {
		i->cond = inverse[x->cond];
		i->ftz = x->ftz;
		struct ir_inst *y = x->args[1];
		/* i was made with room for one argument */
		struct ir_inst **args = NEWN(f->arena, struct ir_inst *, 2);
		i->args = args;
		return become2(i, (enum ir_op)x->op, x->args[0], y);
	}
	return NULL;
}

struct ir_inst *ir_rule_select(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *c = i->args[0], *x = i->args[1], *y = i->args[2];
	(void)f;
	if (c->op == IR_const)
		return c->imm ? x : y;
	if (x == y)
		return x;
	if (x->op == IR_undef)
		return y;
	if (y->op == IR_undef)
		return x;
	if (c->op == IR_not) {
		i->args[0] = c->args[0];
		i->args[1] = y;
		i->args[2] = x;
		return i;
	}
	if (x->op == IR_select && x->args[0] == c) {
		i->args[1] = x->args[1];
		return i;
	}
	if (y->op == IR_select && y->args[0] == c) {
		i->args[2] = y->args[2];
		return i;
	}
	if (c->op == IR_icmp && i->width == 32 && c->args[0]->width == 32) {
		static const uint8_t extremum[][2] = {{IR_smin, IR_smax}, {IR_smin, IR_smax}, {IR_smax, IR_smin}, {IR_smax, IR_smin},
						      {IR_umin, IR_umax}, {IR_umin, IR_umax}, {IR_umax, IR_umin}, {IR_umax, IR_umin}};
		bool straight = c->args[0] == x && c->args[1] == y;
		if (c->cond >= IRC_SLT && (straight || (c->args[0] == y && c->args[1] == x)))
			return become2(i, (enum ir_op)extremum[c->cond - IRC_SLT][!straight], x, y);
	}
	if (i->width != 1)
		return NULL;
	if (is_c(x, 1))
		return is_c(y, 0) ? c : become2(i, IR_or, c, y);
	if (is_c(y, 0))
		return become2(i, IR_and, c, x);
	if (is_c(x, 0) && is_c(y, 1))
		return become1(i, IR_not, c);
	return NULL;
}

/* Comparisons with a constant on the right. */
static struct ir_inst *icmp_const(struct ir_func *f, struct ir_inst *i, struct ir_inst *x, struct ir_inst *y)
{
	bool eq = i->cond == IRC_EQ, ne = i->cond == IRC_NE;
	uint64_t bits = ir_possible_bits(x);
	if (i->cond == IRC_ULT && y->imm > bits)
		return truth(f, true);
	if (i->cond == IRC_UGT && y->imm >= bits)
		return truth(f, false);
	if ((i->cond == IRC_UGE && !y->imm) || (i->cond == IRC_ULE && y->imm >= bits))
		return truth(f, true);
	if (i->cond == IRC_ULT && !y->imm)
		return truth(f, false);
	if (!eq && !ne)
		return NULL;
	if (y->imm & ~bits)
		return truth(f, ne);
	if (x->width == 1) {
		if (eq == (y->imm != 0))
			return x;
		return become1(i, IR_not, x);
	}
	if (by_const(x, IR_add))
		return become2(i, IR_icmp, x->args[0], ir_const(f, x->width, y->imm - x->args[1]->imm));
	if (x->op == IR_zext && x->args[0]->width == 1) {
		if (eq == (y->imm != 0))
			return x->args[0];
		return become1(i, IR_not, x->args[0]);
	}
	if (x->op == IR_sub && !y->imm)
		return become2(i, IR_icmp, x->args[0], x->args[1]);
	if (x->op == IR_xor && !y->imm)
		return become2(i, IR_icmp, x->args[0], x->args[1]);
	if (x->op == IR_select && x->args[1]->op == IR_const && x->args[2]->op == IR_const) {
		bool t = (x->args[1]->imm == y->imm) == eq, e = (x->args[2]->imm == y->imm) == eq;
		if (t == e)
			return truth(f, t);
		return t ? x->args[0] : become1(i, IR_not, x->args[0]);
	}
	return NULL;
}

struct ir_inst *ir_rule_icmp(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	if (x == y)
		return truth(f, i->cond == IRC_EQ || i->cond == IRC_SLE || i->cond == IRC_SGE || i->cond == IRC_ULE ||
					i->cond == IRC_UGE);
	if (x->op == IR_const) {
		i->args[0] = y;
		i->args[1] = x;
		i->cond = swapped[i->cond];
		return i;
	}
	if (y->op == IR_const)
		return icmp_const(f, i, x, y);
	uint32_t narrow = x->op == IR_zext && y->op == IR_zext && x->args[0]->width == y->args[0]->width ? x->args[0]->width : 0;
	if (i->cond <= IRC_NE && (narrow == 1 || narrow == 32)) /* no comparison of 16 bits: ir_legal_int widens them */
		return become2(i, IR_icmp, x->args[0], y->args[0]);
	return NULL;
}

struct ir_inst *ir_rule_fcmp(struct ir_func *f, struct ir_inst *i)
{
	(void)f;
	if (i->args[0]->op != IR_const || i->args[1]->op == IR_const)
		return NULL;
	struct ir_inst *x = i->args[0];
	i->args[0] = i->args[1];
	i->args[1] = x;
	i->cond = swapped[i->cond];
	return i;
}
