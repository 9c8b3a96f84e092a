/* Checks a reconvergence plan against the lane graph, by walks of its own (see isel_reconverge.h).
 *
 * Nothing is lost: lanes that a block sends to a target are carried there by a wave edge or wait for it, and who waits is open on every wave
 * path until the target is reached. Nothing is entered too early: a wave edge does not jump over a node that lanes wait for. A divergent
 * block has at most two wave successors, the nearer of which leads to the other. A saved exec is restored only where exactly its lanes meet. */
#include "isel/isel_internal.h"

struct check {
	const struct isel_plan *p;
	uint32_t *seen; /* by node: number of the walk that came by */
	uint32_t walk;
	VEC(uint32_t) work;
};

_Noreturn static void fault(const struct isel_plan *p, uint32_t node, const char *what)
{
	const struct isel_node *n = &p->nodes[node];
	ice(p->arena, "isel_reconverge_check: %s: node %u (block %d): %s", p->func->name, node, n->block ? (int)n->block->id : -1, what);
}

static bool has_edge(const struct isel_node *n, uint32_t to)
{
	for (uint32_t k = 0; k < n->wave_succs.len; k++)
		if (n->wave_succs.data[k] == to)
			return true;
	return false;
}

static uint32_t end_of(const struct isel_plan *p, uint32_t node)
{
	return node == ISEL_NONE ? p->nnodes - 1 : node;
}

/* Lanes waiting for t are still waiting after the edge p -> q, or q is t. */
static void check_carried(const struct isel_plan *p, uint32_t node, uint32_t q, uint32_t t)
{
	if (q != t && !bitset_has(p->nodes[q].in, t))
		fault(p, node, "lanes that wait are forgotten");
	if (!p->nodes[t].is_target)
		fault(p, node, "lanes wait for a node that is no join");
}

/* At q inside a loop lanes may wait for the loop's header t: its flow node, behind q, takes them there. */
static bool waits_for_iteration(const struct isel_plan *p, uint32_t t, uint32_t q)
{
	const struct isel_node *h = &p->nodes[t];
	return h->block && h->loop && h->loop->header == h->block && q <= p->flow_node[h->block->id];
}

/* The wave goes forward, or back to a header; not over a node where lanes wait. */
static void check_order(const struct isel_plan *p, uint32_t node, uint32_t q)
{
	if (q <= node) {
		const struct isel_node *h = &p->nodes[q];
		if (!h->block || !h->loop || h->loop->header != h->block)
			fault(p, node, "a wave edge back to a node that is no loop header");
		return;
	}
	for (uint32_t t = node + 1; t < q; t++)
		if (bitset_has(p->nodes[q].in, t) && !waits_for_iteration(p, t, q))
			fault(p, q, "the wave has jumped over waiting lanes");
}

static void check_targets(const struct isel_plan *p, uint32_t node)
{
	const struct isel_node *n = &p->nodes[node];
	for (uint32_t k = 0; k < n->ntargets; k++) {
		uint32_t t = n->target[k];
		if (t == ISEL_NONE)
			continue;
		if (!p->nodes[t].active)
			fault(p, node, "a target that the wave never visits");
		if (n->end == ISEL_END_DIRECT) {
			if (!has_edge(n, t))
				fault(p, node, "no wave edge to a uniform target");
			continue;
		}
		/* Entered at once, or open on every way on. */
		if (n->first == t && p->nodes[t].join == ISEL_JOIN_NONE)
			continue;
		if (p->nodes[t].join == ISEL_JOIN_NONE)
			fault(p, node, "a later target without a join");
		check_carried(p, node, end_of(p, n->first), t);
		if (n->skip != ISEL_NONE && n->skip != n->first)
			check_carried(p, node, n->skip, t);
	}
	if (n->end == ISEL_END_MASKED && n->ntargets == 2) {
		/* the test of its own mask may add one */
		if (n->wave_succs.len > (n->may_be_empty ? 3u : 2u))
			fault(p, node, "more than two wave successors of a divergent branch");
		if (n->skip != ISEL_NONE && n->first != ISEL_NONE && n->first > node && n->skip < n->first)
			fault(p, node, "the farther target comes first");
	}
}

static void push(struct check *c, uint32_t node)
{
	if (c->seen[node] != c->walk) {
		c->seen[node] = c->walk;
		vec_push(c->p->arena, &c->work, node);
	}
}

/* Every way of a lane from saved_at comes to t, before saved_at again, and neither ends nor leaves the iteration of t's loop. */
static void check_saved(struct check *c, uint32_t t)
{
	const struct isel_plan *p = c->p;
	uint32_t from = p->nodes[t].saved_at;
	const struct ir_loop *loop = p->nodes[t].loop;
	c->walk++;
	vec_clear(&c->work);
	bool start = true;
	push(c, from);
	while (c->work.len) {
		uint32_t node = vec_pop(&c->work);
		const struct isel_node *n = &p->nodes[node];
		if (node == from && !start)
			fault(p, t, "the place where exec is saved comes round before the join");
		start = false;
		if (!n->ntargets)
			fault(p, t, "lanes of a saved exec end before the join");
		for (uint32_t k = 0; k < n->ntargets; k++) {
			uint32_t s = n->target[k];
			if (s == t)
				continue;
			if (s == ISEL_NONE)
				fault(p, t, "lanes of a saved exec end before the join");
			if (s == from || (loop && (p->nodes[s].block == loop->header || !ir_loop_has(loop, p->nodes[s].block))))
				fault(p, t, "lanes of a saved exec go elsewhere before the join");
			push(c, s);
		}
	}
	/* and nobody else comes: backwards from t only through saved_at */
	c->walk++;
	push(c, t);
	while (c->work.len) {
		const struct ir_block *b = p->nodes[vec_pop(&c->work)].block;
		if (b == p->func->blocks.data[0])
			fault(p, t, "a join with a saved exec is reached around the place that saves it");
		for (uint32_t k = 0; k < b->preds.len; k++) {
			uint32_t q = p->block_node[b->preds.data[k]->id];
			if (q != from)
				push(c, q);
		}
	}
}

void isel_reconverge_check(const struct isel_plan *p)
{
	struct check c = {.p = p, .seen = NEWN(p->arena, uint32_t, p->nnodes)};
	for (uint32_t node = 0; node < p->nnodes; node++) {
		const struct isel_node *n = &p->nodes[node];
		if (!n->active)
			continue;
		for (uint32_t k = 0; k < n->wave_succs.len; k++) {
			uint32_t q = n->wave_succs.data[k];
			check_order(p, node, q);
			/* The loop goes on if lanes wait for its header: else none do. */
			uint32_t header = n->block || !n->loop ? ISEL_NONE : p->block_node[n->loop->header->id];
			bitset_each(t, n->in, p->nnodes)
				if (t != header)
					check_carried(p, node, q, t);
		}
		for (uint32_t k = 0; !n->wave_succs.len && k < bitset_words(p->nnodes); k++)
			if (n->in[k])
				fault(p, node, "the wave ends while lanes wait");
		if (n->block)
			check_targets(p, node);
		if (n->join == ISEL_JOIN_SAVED)
			check_saved(&c, node);
	}
}

void isel_plan_print(struct strbuf *sb, const struct isel_plan *p)
{
	static const char *const joins[] = {"", " saved", " mask"}, *const ends[] = {"direct", "masked", "exit"};
	for (uint32_t k = 0; k < p->nnodes; k++) {
		const struct isel_node *n = &p->nodes[k];
		if (!n->active)
			continue;
		if (n->block)
			sb_printf(sb, "node %u: b%u%s", k, n->block->id, joins[n->join]);
		else
			sb_printf(sb, "node %u: %s", k, n->loop ? "flow" : "end");
		if (n->join == ISEL_JOIN_SAVED)
			sb_printf(sb, " at %u", n->saved_at);
		if (n->block)
			sb_printf(sb, ", %s", ends[n->end]);
		sb_puts(sb, " ->");
		for (uint32_t s = 0; s < n->wave_succs.len; s++)
			sb_printf(sb, " %u", n->wave_succs.data[s]);
		sb_puts(sb, "; open");
		bitset_each(t, n->in, p->nnodes)
			sb_printf(sb, " %u", t);
		sb_putc(sb, '\n');
	}
}
