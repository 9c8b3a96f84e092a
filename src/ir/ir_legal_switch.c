/* switch to a binary tree of unsigned compares over ranges of the index that share a target.
 *
 * ensures: no switch. The index is in range by the IR's definition, so no bounds check is made. */
#include "ir/ir_util.h"

struct lowering {
	struct ir_func *f;
	struct ir_block *from;
	struct ir_inst *index;
	struct ir_block **to;
	struct ir_inst ***args; /* by edge: what from brings to the phis of its target */
	uint32_t line;
};

static void connect(struct lowering *l, struct ir_block *t, uint32_t edge)
{
	struct ir_block *to = l->to[edge];
	uint32_t k = 0;
	vec_push(l->f->arena, &to->preds, t);
	for (struct ir_inst *i = to->first; i && i->op == IR_phi; i = i->next)
		ir_phi_append(l->f, i, l->args[edge][k++]);
}

static bool same_target(const struct lowering *l, uint32_t lo, uint32_t hi)
{
	for (uint32_t k = lo + 1; k < hi; k++)
		if (l->to[k] != l->to[lo])
			return false;
	return true;
}

/* Ends t with the choice among edges lo..hi-1. */
static void choose(struct lowering *l, struct ir_block *t, uint32_t lo, uint32_t hi)
{
	struct ir_cursor c = {l->f, t, NULL, l->line};
	uint32_t mid = lo + (hi - lo) / 2, low, high;
	struct ir_inst *i;
	if (same_target(l, lo, hi)) {
		ir_append(t, i = ir_inst_new(l->f, IR_br, 0, 0));
		i->line = l->line;
		t->succs = NEWN(l->f->arena, struct ir_block *, 1);
		t->succs[0] = l->to[lo];
		t->nsuccs = 1;
		connect(l, t, lo);
		return;
	}
	/* do not cut a run in two */
	for (low = mid; low > lo && l->to[low - 1] == l->to[low]; low--)
		;
	for (high = mid; high < hi && l->to[high] == l->to[mid]; high++)
		;
	mid = low > lo ? low : high;
	i = ir_inst_new(l->f, IR_condbr, 0, 1);
	i->args[0] = ir_cmp(&c, IR_icmp, IRC_ULT, l->index, ir_const(l->f, 32, mid));
	i->line = l->line;
	ir_append(t, i);
	t->succs = NEWN(l->f->arena, struct ir_block *, 2);
	t->nsuccs = 2;
	for (uint32_t k = 0; k < 2; k++) {
		uint32_t from = k ? mid : lo, to = k ? hi : mid;
		if (same_target(l, from, to)) {
			t->succs[k] = l->to[from];
			connect(l, t, from);
			continue;
		}
		struct ir_block *next = ir_block_new(l->f);
		t->succs[k] = next;
		vec_push(l->f->arena, &next->preds, t);
		choose(l, next, from, to);
	}
}

static void lower(struct ir_func *f, struct ir_block *b)
{
	struct ir_inst *sw = b->last;
	uint32_t n = b->nsuccs;
	struct lowering l = {f, b, sw->args[0], b->succs, NEWN(f->arena, struct ir_inst **, n), sw->line};
	for (uint32_t k = 0; k < n; k++) {
		uint32_t at = ir_pred_index(l.to[k], b), phis = 0;
		for (struct ir_inst *i = l.to[k]->first; i && i->op == IR_phi; i = i->next)
			phis++;
		l.args[k] = NEWN(f->arena, struct ir_inst *, phis);
		phis = 0;
		for (struct ir_inst *i = l.to[k]->first; i && i->op == IR_phi; i = i->next)
			l.args[k][phis++] = i->args[at];
	}
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t p = l.to[k]->preds.len; p-- > 0;)
			if (l.to[k]->preds.data[p] == b)
				ir_remove_pred(l.to[k], p);
	ir_remove(sw);
	choose(&l, b, 0, n);
}

void ir_legal_switch(struct ir_func *f)
{
	for (uint32_t k = 0, n = f->blocks.len; k < n; k++)
		if (f->blocks.data[k]->last->op == IR_switch)
			lower(f, f->blocks.data[k]);
}
