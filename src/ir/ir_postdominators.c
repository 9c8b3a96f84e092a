/* The post-dominator tree, rooted in a virtual exit. Blocks that cannot reach an exit (endless loops) count as if the
 * last of them in block order branched to it.
 *
 * requires: every block reachable (ir_dominators).
 * ensures: block->ipdom (NULL: the virtual exit), pdom_pre and pdom_post.
 * source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph. */
#include "ir/ir_util.h"

struct walk {
	struct ir_func *f;
	struct ir_block **post, **stack;
	uint32_t *next, *rank; /* by block id; rank: place in post-order, 0: not seen */
	uint32_t n;
};

/* Reversed depth-first search from one exit. */
static void search(struct walk *w, struct ir_block *root)
{
	uint32_t sp = 0;
	w->stack[sp++] = root;
	w->rank[root->id] = 1;
	while (sp) {
		struct ir_block *b = w->stack[sp - 1];
		if (w->next[b->id] == b->preds.len) {
			w->post[w->n++] = b;
			w->rank[b->id] = w->n;
			sp--;
			continue;
		}
		struct ir_block *p = b->preds.data[w->next[b->id]++];
		if (!w->rank[p->id]) {
			w->rank[p->id] = 1;
			w->stack[sp++] = p;
		}
	}
}

/* idom by post-order rank; the virtual exit has rank n + 1. */
static uint32_t intersect(const uint32_t *idom, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (a < b)
			a = idom[a];
		while (b < a)
			b = idom[b];
	}
	return a;
}

static uint32_t meet(struct walk *w, const uint32_t *idom, const bitword *roots, struct ir_block *b)
{
	uint32_t d = bitset_has(roots, b->id) ? w->n + 1 : 0;
	for (uint32_t s = 0; s < b->nsuccs; s++) {
		uint32_t q = w->rank[b->succs[s]->id];
		if (idom[q])
			d = d ? intersect(idom, d, q) : q;
	}
	return d;
}

static void number_tree(struct walk *w, const uint32_t *idom)
{
	uint32_t n = w->n;
	uint32_t *size = NEWN(w->f->arena, uint32_t, n + 2), *used = NEWN(w->f->arena, uint32_t, n + 2),
		 *pre = NEWN(w->f->arena, uint32_t, n + 2);
	for (uint32_t r = 1; r <= n; r++)
		size[idom[r]] += ++size[r];
	for (uint32_t r = n; r >= 1; r--) {
		pre[r] = pre[idom[r]] + 1 + used[idom[r]];
		used[idom[r]] += size[r];
		struct ir_block *b = w->post[r - 1];
		b->ipdom = idom[r] > n ? NULL : w->post[idom[r] - 1];
		b->pdom_pre = pre[r];
		b->pdom_post = pre[r] + size[r] - 1;
	}
}

void ir_postdominators(struct ir_func *f)
{
	uint32_t nb = f->blocks.len;
	struct walk w = {f, NEWN(f->arena, struct ir_block *, nb), NEWN(f->arena, struct ir_block *, nb),
			 NEWN(f->arena, uint32_t, nb), NEWN(f->arena, uint32_t, nb), 0};
	bitword *roots = bitset_new(f->arena, nb);
	ir_each_block(b, f) b->id = b_k;
	for (uint32_t k = nb; k-- > 0;) {
		struct ir_block *b = f->blocks.data[k];
		if (!b->nsuccs) {
			bitset_add(roots, b->id);
			search(&w, b);
		}
	}
	for (uint32_t k = nb; k-- > 0;) {
		struct ir_block *b = f->blocks.data[k];
		if (!w.rank[b->id]) {
			bitset_add(roots, b->id);
			search(&w, b);
		}
	}
	uint32_t *idom = NEWN(f->arena, uint32_t, nb + 2);
	idom[nb + 1] = nb + 1;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t r = nb; r >= 1; r--) {
			uint32_t d = meet(&w, idom, roots, w.post[r - 1]);
			changed |= d != idom[r];
			idom[r] = d;
		}
	}
	number_tree(&w, idom);
}
