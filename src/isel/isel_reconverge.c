/* isel_reconverge: plans the order in which a wave walks a function (see isel_reconverge.h).
 *
 * Open sets by a monotone dataflow over the wave's own edges, which themselves follow from the open sets: at the end of node p with
 * open set O and branch targets T the wave goes to the nearest of O and T behind p. A back edge jumps to its header at once where
 * nothing in the loop is open; else the header itself is waited for, and the loop's flow node, behind its last block, starts the next
 * iteration. Then each join is entered either with the exec saved at a dominator that it post-dominates within one iteration, or
 * with a mask that arriving lanes are added to.
 *
 * Source: thread frontiers (Diamos et al., MICRO 2011) for the fixed order; the rest follows from it. */
#include "isel/isel_reconverge.h"

struct work {
	struct isel_plan *plan;
	struct isel_node *n;
	uint32_t count, end;
	bitword *set, *rest; /* temporaries */
	bool changed, record;
};

static bool is_null_block(const struct ir_block *b)
{
	return b->first == b->last && (b->first->op == IR_exit || b->first->op == IR_unreachable);
}

/* The nearest node behind p where lanes of s continue. Lanes waiting for a header before p continue at its flow node. */
static uint32_t next_open(const struct work *w, uint32_t p, const bitword *s)
{
	uint32_t best = ISEL_NONE;
	bitset_each(t, s, w->count) {
		uint32_t at = t;
		if (t <= p)
			at = w->plan->flow_node[w->n[t].block->id];
		else if (t > best)
			break;
		if (at < best)
			best = at;
	}
	return best;
}

static void wave_edge(struct work *w, uint32_t from, uint32_t to, const bitword *open)
{
	if (to == ISEL_NONE)
		to = w->end;
	struct isel_node *d = &w->n[to];
	if (!d->active)
		d->active = w->changed = true;
	if (w->record) {
		struct isel_node *s = &w->n[from];
		for (uint32_t k = 0; k < s->wave_succs.len; k++)
			if (s->wave_succs.data[k] == to)
				return;
		vec_push(w->plan->arena, &s->wave_succs, to);
		vec_push(w->plan->arena, &d->wave_preds, from);
		return;
	}
	for (uint32_t k = 0; k < bitset_words(w->count); k++) {
		bitword in = open[k] & ~(k == to / 64 ? (bitword)1 << to % 64 : 0);
		w->changed |= (in & ~d->in[k]) != 0;
		d->in[k] |= in;
	}
}

static void make_target(struct work *w, uint32_t t)
{
	if (!w->n[t].is_target)
		w->n[t].is_target = w->changed = true;
}

static void make_targets(struct work *w, const bitword *s)
{
	bitset_each(t, s, w->count)
		make_target(w, t);
}

static bool flow_active(const struct work *w, uint32_t header)
{
	return w->n[w->plan->flow_node[w->n[header].block->id]].active;
}

/* May the wave jump from p back to header h at once? Not while lanes wait inside the loop. */
static bool direct_back(struct work *w, uint32_t p, uint32_t h, const bitword *open)
{
	uint32_t flow = w->plan->flow_node[w->n[h].block->id];
	if (w->n[flow].active)
		return false;
	if (next_open(w, p, open) > flow)
		return true;
	w->n[flow].active = w->changed = true;
	make_target(w, h);
	return false;
}

/* One target for all lanes, or a scalar condition that keeps its targets apart. */
static bool end_direct(struct work *w, uint32_t p, bitword *open)
{
	struct isel_node *n = &w->n[p];
	uint32_t limit = next_open(w, p, open);
	for (uint32_t k = 0; k < n->ntargets; k++) {
		uint32_t t = n->target[k];
		if (t == ISEL_NONE)
			continue;
		if (t > p ? t > limit : !direct_back(w, p, t, open))
			return false;
	}
	n->end = ISEL_END_DIRECT;
	n->first = n->skip = ISEL_NONE;
	for (uint32_t k = 0; k < n->ntargets; k++)
		wave_edge(w, p, n->target[k] == ISEL_NONE ? limit : n->target[k], open);
	return true;
}

static void end_masked(struct work *w, uint32_t p, bitword *open)
{
	struct isel_node *n = &w->n[p];
	uint32_t back = ISEL_NONE;
	n->end = ISEL_END_MASKED;
	n->first = n->skip = ISEL_NONE;
	/* Only the innermost header can be entered at once; other back edges wait. */
	for (uint32_t k = 0; k < n->ntargets; k++) {
		uint32_t t = n->target[k];
		if (t == ISEL_NONE)
			continue;
		if (t <= p && back != ISEL_NONE && back != t) {
			uint32_t outer = t < back ? t : back, flow = w->plan->flow_node[w->n[outer].block->id];
			if (!w->n[flow].active)
				w->n[flow].active = w->changed = true;
			back = t < back ? back : t;
		} else if (t <= p) {
			back = t;
		}
		if (t > p || flow_active(w, t))
			bitset_add(open, t);
	}
	if (back != ISEL_NONE && !flow_active(w, back)) {
		if (direct_back(w, p, back, open)) {
			make_targets(w, open);
			n->first = back;
			n->skip = next_open(w, p, open);
			wave_edge(w, p, back, open);
			wave_edge(w, p, n->skip, open);
			return;
		}
		bitset_add(open, back);
	}
	uint32_t first = next_open(w, p, open);
	n->first = first;
	if (first == ISEL_NONE) {
		n->end = ISEL_END_EXIT;
		wave_edge(w, p, ISEL_NONE, open);
		return;
	}
	if (!w->n[first].block || w->n[first].is_target) {
		make_targets(w, open);
		wave_edge(w, p, first, open);
		return;
	}
	bitset_del(open, first);
	make_targets(w, open);
	n->skip = next_open(w, p, open);
	wave_edge(w, p, first, open);
	/* All lanes go to the one target. */
	if (n->ntargets == 1)
		n->skip = first;
	else
		wave_edge(w, p, n->skip, open);
}

static void visit_block(struct work *w, uint32_t p)
{
	struct isel_node *n = &w->n[p];
	bitword *open = w->set;
	bitset_copy(open, n->in, w->count);
	bitset_del(open, p);
	if (n->is_target) {
		n->next_open = next_open(w, p, open);
		if (!w->record || n->may_be_empty)
			wave_edge(w, p, n->next_open, open);
	}
	struct ir_inst *t = ir_terminator(n->block);
	if (!n->ntargets) {
		n->end = ISEL_END_EXIT;
		n->first = next_open(w, p, open);
		n->skip = ISEL_NONE;
		if (n->first != ISEL_NONE)
			wave_edge(w, p, n->first, open);
		return;
	}
	bool uniform = n->ntargets == 1 || !(t->args[0]->divergent || t->force_divergent);
	if (uniform && end_direct(w, p, open))
		return;
	if (uniform && n->ntargets > 1 && !t->force_divergent)
		t->force_divergent = w->changed = true;
	end_masked(w, p, open);
}

static void visit_flow(struct work *w, uint32_t p)
{
	struct isel_node *n = &w->n[p];
	uint32_t h = w->plan->block_node[n->loop->header->id];
	bitword *open = w->set;
	bitset_copy(open, n->in, w->count);
	wave_edge(w, p, h, open);
	bitset_del(open, h);
	n->next_open = next_open(w, p, open);
	wave_edge(w, p, n->next_open, open);
}

static void visit(struct work *w, uint32_t p)
{
	if (!w->n[p].active || p == w->end)
		return;
	if (w->n[p].block)
		visit_block(w, p);
	else
		visit_flow(w, p);
}

static void record_edges(struct work *w)
{
	for (uint32_t p = 0; p < w->count; p++)
		vec_clear(&w->n[p].wave_preds), vec_clear(&w->n[p].wave_succs);
	w->record = true;
	for (uint32_t p = 0; p < w->count; p++)
		visit(w, p);
	w->record = false;
}

static uint32_t wave_common(const struct isel_node *n, uint32_t a, uint32_t b)
{
	while (a != b) {
		if (a > b)
			a = n[a].wave_idom;
		else
			b = n[b].wave_idom;
	}
	return a;
}

/* Dominators of the wave graph: node order is a reverse post-order of it (Cooper, Harvey, Kennedy). */
static void wave_dominators(struct work *w)
{
	for (uint32_t p = 0; p < w->count; p++)
		w->n[p].wave_idom = p ? ISEL_NONE : 0;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t p = 1; p < w->count; p++) {
			uint32_t d = ISEL_NONE;
			for (uint32_t k = 0; k < w->n[p].wave_preds.len; k++) {
				uint32_t q = w->n[p].wave_preds.data[k];
				if (w->n[q].wave_idom != ISEL_NONE)
					d = d == ISEL_NONE ? q : wave_common(w->n, d, q);
			}
			if (d != w->n[p].wave_idom)
				w->n[p].wave_idom = d, changed = true;
		}
	}
}

static bool wave_dominates(const struct isel_node *n, uint32_t a, uint32_t b)
{
	while (b > a && n[b].wave_idom != ISEL_NONE)
		b = n[b].wave_idom;
	return a == b;
}

static uint32_t pd_common(const struct isel_node *n, uint32_t a, uint32_t b)
{
	while (a != b) {
		if (a < b)
			a = n[a].pd;
		else
			b = n[b].pd;
	}
	return a;
}

/* Post-dominators within one iteration: a back edge leads to its loop's flow slot, the slot to wherever the loop is left for. In
 * node order that graph has forward edges only, so one backward walk is enough. */
static void iteration_postdominators(struct work *w)
{
	struct isel_node *n = w->n;
	n[w->end].pd = w->end;
	uint32_t *more = NEWN(w->plan->arena, uint32_t, w->count);
	uint32_t *fill = NEWN(w->plan->arena, uint32_t, w->count);
	for (uint32_t p = w->end; p-- > 0;) {
		uint32_t d = ISEL_NONE;
		if (!n[p].block) {
			/* Its exits all lie behind; take them in one more walk over the loop's blocks. */
			struct ir_loop *l = n[p].loop;
			for (uint32_t q = w->plan->block_node[l->header->id]; q < p; q++)
				for (uint32_t k = 0; n[q].block && k < n[q].ntargets; k++) {
					uint32_t t = n[q].target[k] == ISEL_NONE ? w->end : n[q].target[k];
					if (t > p)
						d = d == ISEL_NONE ? t : pd_common(n, d, t);
				}
		}
		for (uint32_t k = 0; n[p].block && k < n[p].ntargets; k++) {
			uint32_t t = n[p].target[k] == ISEL_NONE ? w->end : n[p].target[k];
			if (t <= p)
				t = w->plan->flow_node[n[t].block->id];
			d = d == ISEL_NONE ? t : pd_common(n, d, t);
		}
		n[p].pd = d == ISEL_NONE ? w->end : d;
		more[p] = 0;
	}
	/* Intervals: children of a node have smaller positions; sizes first, then starts from the root down. */
	for (uint32_t p = 0; p < w->count; p++)
		more[p] += 1, more[n[p].pd] += p == w->end ? 0 : more[p];
	n[w->end].pd_pre = 0;
	n[w->end].pd_post = more[w->end];
	for (uint32_t p = 0; p < w->count; p++)
		fill[p] = 1;
	for (uint32_t p = w->end; p-- > 0;) {
		uint32_t d = n[p].pd;
		n[p].pd_pre = n[d].pd_pre + fill[d];
		n[p].pd_post = n[p].pd_pre + more[p];
		fill[d] += more[p];
	}
}

static bool postdominates(const struct isel_node *n, uint32_t a, uint32_t b)
{
	return n[a].pd_pre <= n[b].pd_pre && n[b].pd_post <= n[a].pd_post;
}

static void classify_joins(struct work *w)
{
	struct isel_plan *pl = w->plan;
	for (uint32_t t = 0; t < w->count; t++) {
		struct isel_node *n = &w->n[t];
		if (!n->is_target || !n->block)
			continue;
		struct ir_block *x = n->block->idom;
		while (x && x->loop != n->loop)
			x = x->idom;
		uint32_t from = x ? pl->block_node[x->id] : ISEL_NONE;
		bool waits_around = n->loop && n->loop->header == n->block && flow_active(w, t);
		if (x && !waits_around && from < t && postdominates(w->n, t, from) && wave_dominates(w->n, from, t)) {
			n->join = ISEL_JOIN_SAVED;
			n->saved_at = from;
			w->n[from].saves = true;
		} else {
			n->join = ISEL_JOIN_MASK;
			n->may_be_empty = !waits_around;
		}
	}
}

/* A uniform phi is assigned on the wave's edges; where these are not the lanes' edges it cannot stay uniform. */
static bool force_phis(struct work *w)
{
	bool forced = false;
	for (uint32_t p = 0; p < w->count; p++) {
		struct isel_node *n = &w->n[p];
		if (!n->block || !n->active)
			continue;
		bool same = n->wave_preds.len == n->block->preds.len && !n->is_target;
		for (uint32_t k = 0; same && k < n->block->preds.len; k++) {
			bool found = false;
			for (uint32_t j = 0; j < n->wave_preds.len; j++)
				found |= w->n[n->wave_preds.data[j]].block == n->block->preds.data[k];
			same = found;
		}
		if (same)
			continue;
		for (struct ir_inst *i = n->block->first; i && i->op == IR_phi; i = i->next)
			if (!i->divergent && !i->force_divergent)
				i->force_divergent = forced = true;
	}
	return forced;
}

static void layout(struct work *w, struct ir_func *f)
{
	struct isel_plan *pl = w->plan;
	uint32_t at = 0;
	pl->block_node = NEWN(pl->arena, uint32_t, f->blocks.len);
	pl->flow_node = NEWN(pl->arena, uint32_t, f->blocks.len);
	pl->nnodes = f->blocks.len + f->loops.len + 1;
	pl->nodes = NEWN(pl->arena, struct isel_node, pl->nnodes);
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct ir_block *b = f->blocks.data[k];
		pl->block_node[b->id] = at;
		pl->nodes[at++] = (struct isel_node){.block = b, .loop = b->loop};
		/* Slots of the loops that end here, inner ones first. */
		struct ir_block *after = k + 1 < f->blocks.len ? f->blocks.data[k + 1] : NULL;
		for (struct ir_loop *l = b->loop; l; l = l->parent) {
			bool inside = false;
			for (struct ir_loop *m = after ? after->loop : NULL; m; m = m->parent)
				inside |= m == l;
			if (inside)
				break;
			pl->flow_node[l->header->id] = at;
			pl->nodes[at++] = (struct isel_node){.loop = l};
		}
	}
	if (at + 1 != pl->nnodes)
		ice(pl->arena, "isel_reconverge: %s: blocks of a loop are not contiguous", f->name);
	w->n = pl->nodes;
	w->count = pl->nnodes;
	w->end = at;
}

static void find_targets(struct work *w)
{
	for (uint32_t p = 0; p < w->count; p++) {
		struct isel_node *n = &w->n[p];
		n->first = n->skip = n->next_open = ISEL_NONE;
		n->target[0] = n->target[1] = ISEL_NONE;
		n->in = bitset_new(w->plan->arena, w->count);
		if (!n->block)
			continue;
		struct ir_block *b = n->block;
		n->ntargets = b->nsuccs == 2 && b->succs[0] == b->succs[1] ? 1 : b->nsuccs;
		if (n->ntargets > 2)
			ice(w->plan->arena, "isel_reconverge: %s: switch left in block %u", w->plan->func->name, b->id);
		for (uint32_t k = 0; k < n->ntargets; k++)
			if (!is_null_block(b->succs[k]))
				n->target[k] = w->plan->block_node[b->succs[k]->id];
		if (n->ntargets == 1 && n->target[0] == ISEL_NONE)
			n->ntargets = 0;
	}
}

static struct isel_plan *plan_once(struct arena *a, struct ir_func *f, bool *forced)
{
	struct work w = {.plan = NEW(a, struct isel_plan)};
	w.plan->arena = a;
	w.plan->func = f;
	layout(&w, f);
	find_targets(&w);
	w.set = bitset_new(a, w.count);
	w.n[0].active = true;
	uint32_t forced_before = 0, forced_after = 0;
	ir_each_block(b, f) forced_before += ir_terminator(b)->force_divergent;
	do {
		w.changed = false;
		for (uint32_t p = 0; p < w.count; p++)
			visit(&w, p);
	} while (w.changed);
	ir_each_block(b, f) forced_after += ir_terminator(b)->force_divergent;
	record_edges(&w);
	wave_dominators(&w);
	iteration_postdominators(&w);
	classify_joins(&w);
	record_edges(&w);
	for (uint32_t p = 1; p < w.count; p++)
		w.n[p].active &= w.n[p].wave_preds.len > 0;
	wave_dominators(&w);
	*forced = force_phis(&w) || forced_after != forced_before;
	return w.plan;
}

struct isel_plan *isel_reconverge(struct arena *a, struct ir_func *f)
{
	bool forced;
	struct isel_plan *p = plan_once(a, f, &forced);
	while (forced) {
		ir_divergence(f);
		p = plan_once(a, f, &forced);
	}
	return p;
}
