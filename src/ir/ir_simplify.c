/* Algebra on one instruction, as it is built and again by ir_combine.
 *
 * A rule looks at the arguments' definitions and returns an older value or a constant, or rewrites the instruction in place into
 * a cheaper one over older values. It never makes a new instruction, so it costs nothing but the look.
 * Canonical forms that the rules and other passes rely on: constants right; sub by a constant is add; the first piece of a
 * value of 64 bits or less is trunc; pack with zeros above is zext; not of a comparison is the inverse comparison; xor with all
 * ones is not; multiplication by a power of two is shl. */
#include "ir/ir_simplify.h"

typedef struct ir_inst *rule(struct ir_func *f, struct ir_inst *i);

static rule *const rules[IR_OP_COUNT] = {
#define RULE(op, name) [IR_##op] = ir_rule_##name,
#include "ir/ir_simplify.def"
#undef RULE
};

static bool constant_goes_right(const struct ir_inst *i)
{
	if (!(ir_op_info[i->op].flags & IRF_COMMUTES))
		return false;
	const struct ir_inst *x = i->args[0];
	if (x->op != IR_const || i->args[1]->op == IR_const)
		return false;
	return ir_commutes(i) || (i->op != IR_ffma && !ir_is_nan64(x->imm)); /* else the order tells which NaN goes on */
}

struct ir_inst *ir_simplify(struct ir_func *f, struct ir_inst *i)
{
	uint64_t bits;
	for (;;) {
		if (i->nargs && i->args[i->nargs - 1]->op == IR_const && ir_fold_const(i, &bits))
			return ir_const(f, i->width, bits);
		if (constant_goes_right(i)) {
			struct ir_inst *x = i->args[0];
			i->args[0] = i->args[1];
			i->args[1] = x;
		}
		rule *r = rules[i->op];
		struct ir_inst *x = r ? r(f, i) : NULL;
		if (x != i)
			return x ? x : i;
	}
}
