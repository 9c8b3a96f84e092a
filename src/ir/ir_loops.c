/* The loop forest, and a block order in which every loop is contiguous.
 *
 * A loop is a strongly connected component of the graph; the loops inside it are those of the component without its header (the block
 * by which the depth-first search enters it). Tarjan's algorithm yields components in reverse topological order, so one recursion
 * gives loops and order. In reducible graphs these are the natural loops; a component with several entries is one loop
 * marked irreducible. Time: edges times nesting depth.
 *
 * requires: every block reachable (ir_dominators).
 * ensures: block->loop, block->order, f->loops (outer before inner); f->blocks sorted by order.
 * source: Tarjan, "Depth-first search and linear graph algorithms"; Steensgaard, "Sequentializing program dependence graphs". */
#include "ir/ir_util.h"

struct finder {
	struct ir_func *f;
	uint32_t *region; /* by block id: number of the component being decomposed */
	uint32_t *index, *low, *next;
	struct ir_block **scc, **dfs; /* stacks */
	bitword *on_stack;
	uint32_t nscc, regions, clock;
	struct ir_block **out; /* filled from its end */
	uint32_t left;
};

static void decompose(struct finder *w, struct ir_block *root, uint32_t region, struct ir_block *header,
		      struct ir_loop *parent);

static bool has_self_edge(const struct ir_block *b)
{
	for (uint32_t s = 0; s < b->nsuccs; s++)
		if (b->succs[s] == b)
			return true;
	return false;
}

static void finish_loop(struct finder *w, struct ir_block *header, struct ir_block **members, uint32_t n,
			struct ir_loop *parent)
{
	struct ir_loop *l = NEW(w->f->arena, struct ir_loop);
	uint32_t region = ++w->regions;
	l->header = header;
	l->parent = parent;
	l->last = w->left - 1;
	l->depth = parent ? parent->depth + 1 : 1;
	vec_push(w->f->arena, &w->f->loops, l);
	for (uint32_t k = 0; k < n; k++) {
		w->region[members[k]->id] = region;
		w->index[members[k]->id] = 0;
		w->next[members[k]->id] = 0;
		members[k]->loop = l;
	}
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t p = 0; members[k] != header && p < members[k]->preds.len; p++)
			l->irreducible |= w->region[members[k]->preds.data[p]->id] != region;
	decompose(w, header, region, header, l);
}

/* The component on top of the stack down to b is complete. */
static void finish_component(struct finder *w, struct ir_block *b, struct ir_block *header, struct ir_loop *parent)
{
	uint32_t from = w->nscc;
	do
		bitset_del(w->on_stack, w->scc[--from]->id);
	while (w->scc[from] != b);
	uint32_t n = w->nscc - from;
	if (n == 1 && (b == header || !has_self_edge(b))) {
		w->nscc = from;
		w->out[--w->left] = b;
		b->loop = parent;
		return;
	}
	w->nscc = from;
	finish_loop(w, b, w->scc + from, n, parent);
}

static void enter(struct finder *w, struct ir_block *b, uint32_t *sp)
{
	w->index[b->id] = w->low[b->id] = ++w->clock;
	w->scc[w->nscc++] = b;
	bitset_add(w->on_stack, b->id);
	w->dfs[(*sp)++] = b;
}

/* Components of the blocks of `region`, edges to `header` left out, all reachable from root. */
static void decompose(struct finder *w, struct ir_block *root, uint32_t region, struct ir_block *header,
		      struct ir_loop *parent)
{
	struct ir_block **dfs = w->dfs;
	uint32_t sp = 0;
	enter(w, root, &sp);
	while (sp) {
		struct ir_block *b = w->dfs[sp - 1];
		if (w->next[b->id] < b->nsuccs) {
			struct ir_block *s = b->succs[w->next[b->id]++];
			if (s == header || w->region[s->id] != region)
				continue;
			if (!w->index[s->id])
				enter(w, s, &sp);
			else if (bitset_has(w->on_stack, s->id) && w->index[s->id] < w->low[b->id])
				w->low[b->id] = w->index[s->id];
			continue;
		}
		sp--;
		if (sp && w->low[b->id] < w->low[w->dfs[sp - 1]->id])
			w->low[w->dfs[sp - 1]->id] = w->low[b->id];
		if (w->low[b->id] == w->index[b->id]) {
			w->dfs = dfs + sp;
			finish_component(w, b, header, parent);
			w->dfs = dfs;
		}
	}
}

void ir_loops(struct ir_func *f)
{
	uint32_t nb = f->blocks.len;
	vec_clear(&f->loops);
	ir_each_block(b, f)
	{
		b->id = b_k;
		b->loop = NULL;
	}
	struct finder w = {.f = f, .left = nb};
	w.region = NEWN(f->arena, uint32_t, nb);
	w.index = NEWN(f->arena, uint32_t, nb);
	w.low = NEWN(f->arena, uint32_t, nb);
	w.next = NEWN(f->arena, uint32_t, nb);
	w.scc = NEWN(f->arena, struct ir_block *, nb);
	w.dfs = NEWN(f->arena, struct ir_block *, nb);
	w.on_stack = bitset_new(f->arena, nb);
	w.out = NEWN(f->arena, struct ir_block *, nb);
	decompose(&w, f->blocks.data[0], 0, NULL, NULL);
	if (w.left)
		ice(f->arena, "ir_loops: @%s has unreachable blocks", f->name);
	memcpy(f->blocks.data, w.out, nb * sizeof *w.out);
	ir_each_block(b, f) b->id = b->order = b_k;
}
