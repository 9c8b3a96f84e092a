/* The dominator tree; removes unreachable blocks and sorts the rest in reverse post-order.
 *
 * ensures: block->idom (entry: NULL), dom_pre and dom_post; blocks.data in reverse post-order.
 * source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm". */
#include "ir/ir_util.h"

static uint32_t post_order(struct ir_func *f, struct ir_block **post)
{
	uint32_t nb = f->blocks.len, sp = 0, n = 0;
	struct ir_block **stack = NEWN(f->arena, struct ir_block *, nb);
	uint32_t *next = NEWN(f->arena, uint32_t, nb);
	bitword *seen = bitset_new(f->arena, nb);
	stack[sp++] = f->blocks.data[0];
	bitset_add(seen, 0);
	while (sp) {
		struct ir_block *b = stack[sp - 1];
		if (next[b->id] == b->nsuccs) {
			post[n++] = b;
			sp--;
			continue;
		}
		struct ir_block *s = b->succs[next[b->id]++];
		if (!bitset_has(seen, s->id)) {
			bitset_add(seen, s->id);
			stack[sp++] = s;
		}
	}
	return n;
}

static void remove_unreachable(struct ir_func *f, struct ir_block **post, uint32_t n)
{
	bitword *kept = bitset_new(f->arena, f->blocks.len);
	for (uint32_t k = 0; k < n; k++)
		bitset_add(kept, post[k]->id);
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t p = post[k]->preds.len; p-- > 0;)
			if (!bitset_has(kept, post[k]->preds.data[p]->id))
				ir_remove_pred(post[k], p);
}

static struct ir_block *intersect(struct ir_block *a, struct ir_block *b)
{
	while (a != b) {
		while (a->id > b->id)
			a = a->idom;
		while (b->id > a->id)
			b = b->idom;
	}
	return a;
}

static void number_tree(struct ir_func *f)
{
	uint32_t n = f->blocks.len;
	uint32_t *size = NEWN(f->arena, uint32_t, n), *used = NEWN(f->arena, uint32_t, n);
	for (uint32_t k = n; k-- > 0;) {
		size[k]++;
		if (k)
			size[f->blocks.data[k]->idom->id] += size[k];
	}
	for (uint32_t k = 0; k < n; k++) {
		struct ir_block *b = f->blocks.data[k];
		b->dom_pre = 0;
		if (k) {
			b->dom_pre = b->idom->dom_pre + 1 + used[b->idom->id];
			used[b->idom->id] += size[k];
		}
		b->dom_post = b->dom_pre + size[k] - 1;
	}
}

void ir_dominators(struct ir_func *f)
{
	ir_each_block(b, f)
	{
		b->id = b_k;
		b->idom = NULL;
	}
	struct ir_block **post = NEWN(f->arena, struct ir_block *, f->blocks.len);
	uint32_t n = post_order(f, post);
	if (n != f->blocks.len)
		remove_unreachable(f, post, n);
	f->blocks.len = n;
	for (uint32_t k = 0; k < n; k++) {
		f->blocks.data[k] = post[n - 1 - k];
		f->blocks.data[k]->id = k;
	}
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t k = 1; k < n; k++) {
			struct ir_block *b = f->blocks.data[k], *d = NULL;
			/* the last first: a join of many exits is then met from the deepest up, one step each */
			for (uint32_t p = b->preds.len; p-- > 0;) {
				struct ir_block *q = b->preds.data[p];
				if (q->id == 0 || q->idom)
					d = d ? intersect(d, q) : q;
			}
			changed |= b->idom != d;
			b->idom = d;
		}
	}
	number_tree(f);
}
