/* Splits critical edges: a block entered from several is entered only from blocks that go nowhere else, so that copies between
 * registers on the edge have a place. A block where lanes only end needs no copies.
 *
 * requires: no switch (ir_legal_switch).  breaks: dominators, loops, order. */
#include "ir/ir_util.h"

static void split_edge(struct ir_func *f, struct ir_block *to, uint32_t p)
{
	struct ir_block *from = to->preds.data[p], *mid = ir_block_new(f);
	struct ir_inst *br = ir_inst_new(f, IR_br, 0, 0);
	br->line = from->last->line;
	mid->line = br->line;
	mid->cold = from->cold;
	ir_append(mid, br);
	mid->succs = NEWN(f->arena, struct ir_block *, 1);
	mid->succs[0] = to;
	mid->nsuccs = 1;
	vec_push(f->arena, &mid->preds, from);
	to->preds.data[p] = mid;
	/* the first edge not yet split: predecessor entries and edges of one block stand in the same order */
	for (uint32_t s = 0; s < from->nsuccs; s++)
		if (from->succs[s] == to) {
			from->succs[s] = mid;
			return;
		}
}

void ir_legal_flow(struct ir_func *f)
{
	for (uint32_t k = 0, n = f->blocks.len; k < n; k++) {
		struct ir_block *b = f->blocks.data[k];
		bool ends = b->first == b->last && (b->first->op == IR_exit || b->first->op == IR_unreachable);
		if (b->preds.len < 2 || ends)
			continue;
		for (uint32_t p = 0; p < b->preds.len; p++)
			if (b->preds.data[p]->nsuccs > 1)
				split_edge(f, b, p);
	}
}
