/* Loop-invariant code motion: pure operations, special registers and argument loads whose operands are made outside a loop move before
 * it, out of as many loops as that holds for.
 *
 * A loop is left through its one outside predecessor; where that goes elsewhere too, a block is put on the edge. Loops
 * entered from several blocks keep their code. Values that cost nothing to make again (symaddr, moves) go only with what needs them, by
 * the same rule: they are operands first.
 *
 * requires: SSA.  ensures: ir_dominators, ir_loops.
 * The walk is in block order, so an operand has moved before its user is looked at. */
#include "ir/ir_util.h"

static bool is_movable(const struct ir_inst *i)
{
	if (i->op == IR_phi)
		return false;
	if (ir_op_info[i->op].flags & IRF_PURE)
		return true;
	return i->op == IR_load && i->mem.space == IR_PARAM && i->mem.readonly;
}

static bool is_invariant(const struct ir_inst *i, const struct ir_loop *l)
{
	for (uint32_t k = 0; k < i->nargs; k++)
		if (i->args[k]->block && ir_loop_has(l, i->args[k]->block))
			return false;
	return true;
}

/* The one block outside l that leads to its header. */
static struct ir_block *entry_of(const struct ir_loop *l)
{
	struct ir_block *e = NULL;
	for (uint32_t k = 0; k < l->header->preds.len; k++) {
		struct ir_block *p = l->header->preds.data[k];
		if (ir_loop_has(l, p))
			continue;
		if (e)
			return NULL;
		e = p;
	}
	return l->irreducible ? NULL : e;
}

/* Gives every loop entered from a branch a block of its own before it; true if any was made. */
static bool make_preheaders(struct ir_func *f)
{
	bool any = false;
	for (uint32_t k = 0; k < f->loops.len; k++) {
		struct ir_loop *l = f->loops.data[k];
		struct ir_block *e = entry_of(l);
		if (!e || e->nsuccs == 1)
			continue;
		struct ir_block *mid = ir_block_new(f);
		struct ir_inst *br = ir_inst_new(f, IR_br, 0, 0);
		br->line = mid->line = e->last->line;
		ir_append(mid, br);
		mid->order = UINT32_MAX; /* in no loop, until the loops are found again */
		mid->succs = NEWN(f->arena, struct ir_block *, 1);
		mid->succs[0] = l->header;
		mid->nsuccs = 1;
		vec_push(f->arena, &mid->preds, e);
		l->header->preds.data[ir_pred_index(l->header, e)] = mid;
		for (uint32_t s = 0; s < e->nsuccs; s++)
			if (e->succs[s] == l->header)
				e->succs[s] = mid;
		any = true;
	}
	return any;
}

static void hoist(struct ir_inst *i)
{
	struct ir_block *to = NULL;
	for (struct ir_loop *l = i->block->loop; l && is_invariant(i, l); l = l->parent) {
		struct ir_block *e = entry_of(l);
		if (!e)
			break;
		to = e;
	}
	if (!to)
		return;
	ir_remove(i);
	ir_insert_before(to->last, i);
}

void ir_licm(struct ir_func *f)
{
	ir_dominators(f);
	ir_loops(f);
	if (!f->loops.len)
		return;
	if (make_preheaders(f)) {
		ir_dominators(f);
		ir_loops(f);
	}
	ir_each_block(b, f) if (b->loop)
	{
		ir_each_inst_safe(i, b) if (is_movable(i)) hoist(i);
	}
}
