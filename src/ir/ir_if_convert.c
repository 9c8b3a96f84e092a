/* Short conditional code becomes selects: what a branch over a few instructions costs in EXEC arithmetic and jumps is more than they.
 *
 * Where one or both sides of a branch are blocks of their own that only compute, without reading memory or other lanes, and meet
 * at once, the instructions move before the branch and the phis where the sides meet become selects. All lanes then compute both.
 * A block has a weight: about how many machine instructions it is, selects included.
 *
 * requires: SSA.   ensures: ir_dominators. */
#include "ir/ir_util.h"

enum { MOST = 6, NEVER = 100 };

static uint32_t dwords(const struct ir_inst *i)
{
	return i->width > 32 ? i->width / 32u : 1;
}

static uint32_t weight(const struct ir_inst *i)
{
	if (!(ir_op_info[i->op].flags & IRF_PURE))
		return NEVER;
	switch (i->op) {
	case IR_pack:
	case IR_unpack:
	case IR_trunc:
	case IR_zext:
		return i->args[0]->width == 1;
	case IR_mul:
	case IR_umulhi:
	case IR_smulhi:
		return i->width == 64 ? 5 : 2;
	case IR_umulwide:
	case IR_smulwide:
		return 2;
	case IR_udiv:
	case IR_sdiv:
	case IR_urem:
	case IR_srem:
	case IR_fdivfull:
	case IR_frsqrt:
	case IR_fsin:
	case IR_fcos:
	case IR_flg2:
	case IR_fex2:
	case IR_ftanh:
	case IR_fsqrt:
	case IR_frcp:
	case IR_fdiv:
	case IR_vcopy:
		return NEVER;
	case IR_fptosi:
	case IR_fptoui:
	case IR_sitofp:
	case IR_uitofp:
	case IR_fpext:
	case IR_fptrunc:
		return i->width == 32 && i->args[0]->width == 32 ? 2 : NEVER;
	default:
		if (ir_op_info[i->op].flags & IRF_FLOAT)
			return i->width == 64 || i->args[0]->width == 64 ? NEVER : 1;
		return dwords(i);
	}
}

/* What b weighs if it only computes and only p leads there; else NEVER. */
static uint32_t side_weight(const struct ir_block *b, const struct ir_block *p)
{
	uint32_t sum = 0;
	if (b->preds.len != 1 || b->preds.data[0] != p || b->nsuccs != 1 || !b->first || b->first->op == IR_phi)
		return NEVER;
	for (const struct ir_inst *i = b->first; i != b->last && sum < NEVER; i = i->next)
		sum += weight(i);
	return sum;
}

static void move_before(struct ir_inst *pos, struct ir_block *from)
{
	ir_each_inst_safe(i, from)
	{
		if (i == from->last)
			break;
		ir_remove(i);
		ir_insert_before(pos, i);
	}
}

/* A select of 1-bit values is three operations on masks, but where one is constant. */
static uint32_t select_weight(const struct ir_inst *x, const struct ir_inst *y)
{
	if (x == y)
		return 0;
	return x->width > 1 ? dwords(x) : x->op == IR_const || y->op == IR_const ? 1 : 3;
}

/* The branch of b: the sides that are blocks go (NULL: that edge leads to where they meet). */
static bool convert(struct ir_func *f, struct ir_block *b)
{
	struct ir_block *side[2] = {b->succs[0], b->succs[1]}, *meet;
	uint32_t sum[2] = {side_weight(side[0], b), side_weight(side[1], b)}, total = 0, at[2];
	if (side[0] == side[1])
		return false;
	if (sum[0] < NEVER && side[0]->succs[0] == side[1])
		meet = side[1], side[1] = NULL;
	else if (sum[1] < NEVER && side[1]->succs[0] == side[0])
		meet = side[0], side[0] = NULL;
	else if (sum[0] < NEVER && sum[1] < NEVER && side[0]->succs[0] == side[1]->succs[0])
		meet = side[0]->succs[0];
	else
		return false;
	if (meet == b)
		return false;
	for (int k = 0; k < 2; k++) {
		total += side[k] ? sum[k] : 0;
		at[k] = ir_pred_index(meet, side[k] ? side[k] : b);
	}
	for (struct ir_inst *i = meet->first; i && i->op == IR_phi; i = i->next)
		total += select_weight(i->args[at[0]], i->args[at[1]]);
	if (total > MOST)
		return false;
	for (int k = 0; k < 2; k++)
		if (side[k])
			move_before(b->last, side[k]);
	struct ir_cursor c = ir_at(f, b->last);
	for (struct ir_inst *i = meet->first; i && i->op == IR_phi; i = i->next)
		if (i->args[at[0]] != i->args[at[1]])
			i->args[at[0]] = ir_select(&c, b->last->args[0], i->args[at[0]], i->args[at[1]]);
	meet->preds.data[at[0]] = b;
	ir_remove_pred(meet, at[1]);
	struct ir_inst *br = ir_inst_new(f, IR_br, 0, 0);
	br->line = b->last->line;
	ir_remove(b->last);
	ir_append(b, br);
	b->succs = NEWN(f->arena, struct ir_block *, 1);
	b->succs[0] = meet;
	b->nsuccs = 1;
	for (int k = 0; k < 2; k++)
		if (side[k])
			side[k]->preds.len = side[k]->nsuccs = 0, side[k]->first = side[k]->last = NULL;
	return true;
}

void ir_if_convert(struct ir_func *f)
{
	bool changed;
	do {
		changed = false;
		ir_each_block(b, f) if (b->nsuccs == 2 && b->last && b->last->op == IR_condbr) changed |= convert(f, b);
		if (changed)
			ir_simplify_cfg(f);
	} while (changed);
}
