/* What the rules of ir_simplify share. A rule's answer: NULL, nothing to do; i itself, rewritten, look again; else the replacement. */
#ifndef IR_SIMPLIFY_H
#define IR_SIMPLIFY_H

#include "ir/ir_fold.h"
#include "ir/ir_legal.h"

#define RULE(op, name) struct ir_inst *ir_rule_##name(struct ir_func *f, struct ir_inst *i);
#include "ir/ir_simplify.def"
#undef RULE

static inline bool is_c(const struct ir_inst *x, uint64_t bits)
{
	return x->op == IR_const && x->imm == (bits & ir_mask(x->width));
}

static inline bool is_ones(const struct ir_inst *x)
{
	return is_c(x, ~(uint64_t)0);
}

static inline bool is_pow2(const struct ir_inst *x)
{
	return x->op == IR_const && x->imm && !(x->imm & (x->imm - 1));
}

static inline struct ir_inst *become1(struct ir_inst *i, enum ir_op op, struct ir_inst *x)
{
	i->op = (uint16_t)op;
	i->nargs = 1;
	i->args[0] = x;
	i->imm = 0;
	return i;
}

static inline struct ir_inst *become2(struct ir_inst *i, enum ir_op op, struct ir_inst *x, struct ir_inst *y)
{
	i->op = (uint16_t)op;
	i->nargs = 2;
	i->args[0] = x;
	i->args[1] = y;
	i->imm = 0;
	return i;
}

/* i may have been made with room for fewer arguments. */
static inline struct ir_inst *become3(struct ir_func *f, struct ir_inst *i, enum ir_op op, struct ir_inst *x, struct ir_inst *y, struct ir_inst *z)
{
	i->args = NEWN(f->arena, struct ir_inst *, 3);
	become2(i, op, x, y);
	i->nargs = 3;
	i->args[2] = z;
	return i;
}

/* x is `op` by a constant, which is canonically its args[1]. */
static inline bool by_const(const struct ir_inst *x, enum ir_op op)
{
	return x->op == op && x->args[1]->op == IR_const;
}

static inline struct ir_inst *truth(struct ir_func *f, bool x)
{
	return ir_const(f, 1, x);
}

#endif
