/* The plan's edges as machine blocks, and the exec mask along them.
 *
 * A mask that collects lanes for a join is one SSA value per place: `in` on entry to a node, `out` at its end, a p_wave_phi where
 * wave edges meet. Temporary 0 stands for "no lanes". */
#include "isel/isel_internal.h"

static uint32_t mask_of(const struct isel_open_mask *m, uint32_t n, uint32_t target)
{
	for (uint32_t k = 0; k < n; k++)
		if (m[k].target == target)
			return m[k].temp;
	return 0;
}

static uint32_t in_mask(const struct isel *c, uint32_t node, uint32_t target)
{
	return mask_of(c->out[node].in.data, c->out[node].in.len, target);
}

static uint32_t out_mask(const struct isel *c, uint32_t node, uint32_t target)
{
	return mask_of(c->out[node].out.data, c->out[node].out.len, target);
}

/* Where a branch from `from` to a node goes: its entry, or the block on the edge. */
static struct amd_block *dest(const struct isel *c, const struct amd_block *from, uint32_t node)
{
	struct isel_node_out *o = &c->out[node == ISEL_NONE ? c->plan->nnodes - 1 : node];
	for (uint32_t k = 0; k < o->splits.len; k++)
		if (o->splits.data[k].from == from)
			return o->splits.data[k].block;
	return o->entry;
}

/* --- blocks and edges --- */

/* The sources of wave edges: a node's test of its mask, a node's own end. */
struct source {
	uint32_t to[2], n;
};

static void source_add(const struct isel_plan *p, struct source *s, uint32_t node)
{
	if (node == ISEL_NONE)
		node = p->nnodes - 1;
	if (!s->n || s->to[0] != node)
		s->to[s->n++] = node;
}

static struct source flow_edges(const struct isel_plan *p, const struct isel_node *n)
{
	struct source s = {.n = 0};
	if (n->join == ISEL_JOIN_MASK && n->may_be_empty)
		source_add(p, &s, n->next_open);
	return s;
}

static struct source end_edges(const struct isel_plan *p, const struct isel_node *n)
{
	struct source s = {.n = 0};
	if (!n->block) {
		if (n->loop) {
			source_add(p, &s, p->block_node[n->loop->header->id]);
			source_add(p, &s, n->next_open);
		}
	} else if (n->end == ISEL_END_DIRECT) {
		for (uint32_t k = 0; k < n->ntargets; k++)
			source_add(p, &s, n->target[k] == ISEL_NONE ? n->first : n->target[k]);
	} else if (n->end == ISEL_END_MASKED) {
		const struct isel_node *first = &p->nodes[n->first];
		source_add(p, &s, n->first);
		if (n->skip != n->first && first->join == ISEL_JOIN_NONE && first->block && n->ntargets > 1)
			source_add(p, &s, n->skip);
	} else if (n->first != ISEL_NONE || n->ntargets) {
		source_add(p, &s, n->first);
	}
	return s;
}

static uint32_t loop_depth(const struct isel_node *n)
{
	return n->loop ? n->loop->depth : 0;
}

static struct amd_block *new_block(struct isel *c, const struct isel_node *n, bool flow)
{
	struct amd_block *b = amd_block_new(c->f);
	b->loop_depth = loop_depth(n);
	b->is_flow = flow;
	b->cold = n->block && n->block->cold && !flow;
	return b;
}

/* A wave edge that is critical gets a block just before its target. nin counts the edges into each node. */
static void make_blocks(struct isel *c, const uint32_t *nin)
{
	struct isel_plan *p = c->plan;
	/* How many of each kind of critical edge come in; the blocks that they come from need not exist yet. */
	uint32_t *nsplit = NEWN(c->arena, uint32_t, p->nnodes);
	for (uint32_t k = 0; k < p->nnodes; k++) {
		if (!p->nodes[k].active)
			continue;
		struct source s[2] = {flow_edges(p, &p->nodes[k]), end_edges(p, &p->nodes[k])};
		for (uint32_t j = 0; j < 2; j++)
			for (uint32_t e = 0; e < s[j].n; e++)
				nsplit[s[j].to[e]] += nin[s[j].to[e]] > 1 && (j == 0 || s[j].n > 1);
	}
	for (uint32_t k = 0; k < p->nnodes; k++) {
		struct isel_node *n = &p->nodes[k];
		struct isel_node_out *o = &c->out[k];
		if (!n->active)
			continue;
		for (uint32_t j = 0; j < nsplit[k]; j++)
			vec_push(c->arena, &o->splits, (struct isel_split){NULL, new_block(c, n, true)});
		if (n->join == ISEL_JOIN_MASK && n->may_be_empty)
			o->flow = new_block(c, n, true);
		o->block = new_block(c, n, !n->block);
		o->entry = o->flow ? o->flow : o->block;
		o->entry->is_loop_header = n->block && n->loop && n->loop->header == n->block;
	}
}

static void connect(struct isel *c, struct amd_block *from, uint32_t node, bool critical)
{
	struct isel_node_out *o = &c->out[node];
	struct amd_block *to = o->entry;
	for (uint32_t k = 0; critical && k < o->splits.len; k++) {
		struct isel_split *s = &o->splits.data[k];
		if (s->from)
			continue;
		s->from = from;
		amd_wave_edge(c->f, from, s->block);
		from = s->block;
		struct amd_inst *br = amd_inst_new(c->f, amd_p_branch, 0, 0);
		br->target = to;
		vec_push(c->arena, &from->insts, br);
		break;
	}
	amd_wave_edge(c->f, from, to);
}

static void lane_edges(struct isel *c)
{
	struct isel_plan *p = c->plan;
	for (uint32_t k = 0; k < p->nnodes; k++) {
		struct isel_node *n = &p->nodes[k];
		if (!n->active || !n->block)
			continue;
		for (uint32_t j = 0; j < n->block->preds.len; j++) {
			struct amd_block *q = c->out[p->block_node[n->block->preds.data[j]->id]].block;
			if (q)
				amd_lane_edge(c->f, q, c->out[k].block);
		}
	}
}

void isel_flow_blocks(struct isel *c)
{
	struct isel_plan *p = c->plan;
	uint32_t *nin = NEWN(c->arena, uint32_t, p->nnodes);
	c->out = NEWN(c->arena, struct isel_node_out, p->nnodes);
	for (uint32_t k = 0; k < p->nnodes; k++) {
		if (!p->nodes[k].active)
			continue;
		struct source s[2] = {flow_edges(p, &p->nodes[k]), end_edges(p, &p->nodes[k])};
		for (uint32_t j = 0; j < 2; j++)
			for (uint32_t e = 0; e < s[j].n; e++)
				nin[s[j].to[e]]++;
	}
	make_blocks(c, nin);
	for (uint32_t k = 0; k < p->nnodes; k++) {
		struct isel_node *n = &p->nodes[k];
		struct isel_node_out *o = &c->out[k];
		if (!n->active)
			continue;
		struct source s = flow_edges(p, n);
		for (uint32_t e = 0; e < s.n; e++)
			connect(c, o->flow, s.to[e], nin[s.to[e]] > 1);
		if (o->flow)
			amd_wave_edge(c->f, o->flow, o->block);
		s = end_edges(p, n);
		for (uint32_t e = 0; e < s.n; e++)
			connect(c, o->block, s.to[e], s.n > 1 && nin[s.to[e]] > 1);
	}
	lane_edges(c);
}

/* --- masks --- */

struct mask_pred {
	uint32_t node;
	bool from_flow;
};

/* The mask for `target` that arrives over one wave edge. */
static uint32_t arriving(const struct isel *c, struct mask_pred q, uint32_t target)
{
	if (!q.from_flow)
		return out_mask(c, q.node, target);
	return target == q.node ? 0 : in_mask(c, q.node, target);
}

static struct mask_pred pred_of(const struct isel *c, const uint32_t *node_of, uint32_t block)
{
	const struct amd_block *b = c->f->blocks.data[block];
	if (b->is_flow && b->insts.len == 1 && b->insts.data[0]->op == amd_p_branch) /* on a critical edge */
		block = b->wave_preds.data[0];
	uint32_t n = node_of[block];
	return (struct mask_pred){n, c->out[n].flow && c->out[n].flow->id == block};
}

static void add_mask(struct isel *c, struct isel_node_out *o, bool in, uint32_t target, uint32_t temp)
{
	struct isel_open_mask m = {target, temp};
	if (in)
		vec_push(c->arena, &o->in, m);
	else
		vec_push(c->arena, &o->out, m);
}

static bool collects(const struct isel *c, uint32_t target)
{
	return c->plan->nodes[target].join == ISEL_JOIN_MASK;
}

/* Does the end of the node send lanes to this join's mask? */
static bool sends_to(const struct isel *c, const struct isel_node *n, uint32_t target)
{
	if (!n->block || n->end == ISEL_END_EXIT)
		return false;
	for (uint32_t k = 0; k < n->ntargets; k++)
		if (n->target[k] == target)
			return collects(c, target);
	return false;
}

static void masks_in(struct isel *c, uint32_t k, const uint32_t *node_of)
{
	struct isel_node *n = &c->plan->nodes[k];
	struct isel_node_out *o = &c->out[k];
	for (uint32_t t = 0; t < c->plan->nnodes; t++) {
		if (!(t == k || bitset_has(n->in, t)) || !collects(c, t))
			continue;
		uint32_t temp = 0;
		if (o->entry->wave_preds.len == 1)
			temp = arriving(c, pred_of(c, node_of, o->entry->wave_preds.data[0]), t);
		else if (o->entry->wave_preds.len > 1)
			temp = isel_new_mask(c);
		add_mask(c, o, true, t, temp);
	}
}

static void masks_out(struct isel *c, uint32_t k)
{
	struct isel_node *n = &c->plan->nodes[k];
	struct isel_node_out *o = &c->out[k];
	for (uint32_t j = 0; j < o->in.len; j++) {
		uint32_t t = o->in.data[j].target;
		uint32_t temp = t == k ? 0 : o->in.data[j].temp;
		if (sends_to(c, n, t))
			temp = isel_new_mask(c);
		add_mask(c, o, false, t, temp);
	}
	for (uint32_t s = 0; n->block && s < n->ntargets; s++) {
		uint32_t t = n->target[s];
		bool known = t == ISEL_NONE;
		for (uint32_t j = 0; !known && j < o->out.len; j++)
			known = o->out.data[j].target == t;
		if (!known && sends_to(c, n, t))
			add_mask(c, o, false, t, isel_new_mask(c));
	}
	if (n->saves)
		o->saved = isel_new_mask(c);
}

void isel_flow_masks(struct isel *c)
{
	uint32_t *node_of = NEWN(c->arena, uint32_t, c->f->blocks.len);
	bool any = false;
	for (uint32_t k = 0; k < c->plan->nnodes; k++) {
		if (c->out[k].block)
			node_of[c->out[k].block->id] = k;
		if (c->out[k].flow)
			node_of[c->out[k].flow->id] = k;
		any |= c->plan->nodes[k].is_target;
	}
	if (!any)
		return;
	for (uint32_t k = 0; k < c->plan->nnodes; k++)
		if (c->out[k].block) {
			masks_in(c, k, node_of);
			masks_out(c, k);
		}
	/* The phis, now that every node's masks have names. */
	for (uint32_t k = 0; k < c->plan->nnodes; k++) {
		struct isel_node_out *o = &c->out[k];
		if (!o->block || o->entry->wave_preds.len < 2)
			continue;
		for (uint32_t j = 0; j < o->in.len; j++) {
			struct amd_inst *i = amd_inst_new(c->f, amd_p_wave_phi, 1, o->entry->wave_preds.len);
			i->defs[0] = amd_def_temp(c->f, o->in.data[j].temp);
			for (uint32_t q = 0; q < o->entry->wave_preds.len; q++) {
				uint32_t t = arriving(c, pred_of(c, node_of, o->entry->wave_preds.data[q]), o->in.data[j].target);
				i->ops[q] = t ? isel_t(c, t) : amd_use_const(0);
				i->ops[q].rc = i->defs[0].rc;
			}
			vec_push(c->arena, &o->phis, i);
		}
	}
}

/* --- code --- */

static struct amd_inst *write_exec(struct isel *c, enum amd_op op32, uint32_t nops)
{
	enum amd_op op = isel_mask_op(c, op32);
	bool scc = amd_op_info[op].flags & AMDF_SCC_DEF;
	struct amd_inst *i = isel_emit(c, op, 1 + scc, nops);
	i->defs[0] = amd_def_reg(AMD_EXEC, AMD_S(amd_mask_dwords(c->f)));
	if (scc)
		i->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
	return i;
}

static struct amd_inst *branch(struct isel *c, enum amd_op op, uint16_t reg, struct amd_block *to)
{
	struct amd_inst *i = isel_emit(c, op, 0, op != amd_p_branch);
	if (op != amd_p_branch)
		i->ops[0] = amd_use_reg(reg, AMD_S(reg == AMD_EXEC ? amd_mask_dwords(c->f) : 1));
	i->target = to;
	return i;
}

void isel_flow_begin(struct isel *c, uint32_t node)
{
	struct isel_node *n = &c->plan->nodes[node];
	struct isel_node_out *o = &c->out[node];
	struct amd_block *block = c->cur;
	for (uint32_t k = 0; k < o->phis.len; k++)
		vec_push(c->arena, &c->buf.insts, o->phis.data[k]);
	if (!n->block || n->join == ISEL_JOIN_NONE)
		return;
	uint32_t mask = n->join == ISEL_JOIN_SAVED ? c->out[n->saved_at].saved : in_mask(c, node, node);
	struct amd_inst *i = write_exec(c, amd_s_mov_b32, 1);
	i->ops[0] = mask ? isel_t(c, mask) : amd_use_const(0);
	i->ops[0].rc = AMD_S(amd_mask_dwords(c->f));
	if (!o->flow)
		return;
	branch(c, amd_p_cbranch_z, AMD_EXEC, dest(c, o->flow, n->next_open));
	for (uint32_t k = 0; k < c->buf.insts.len; k++)
		vec_push(c->arena, &o->flow->insts, c->buf.insts.data[k]);
	vec_clear(&c->buf.insts);
	c->cur = block;
}

/* d := what was in the mask before | lanes */
static void collect(struct isel *c, uint32_t d, uint32_t before, struct amd_operand lanes)
{
	if (before)
		isel_op2(c, isel_mask_op(c, amd_s_or_b32), d, isel_t(c, before), lanes);
	else
		isel_copy(c, d, lanes);
}

/* The lanes of side k of a conditional branch. */
static struct amd_operand lanes_of(struct isel *c, struct amd_operand cond, uint32_t k)
{
	return isel_t(c, k == 0 ? isel_mask2(c, amd_s_and_b32, isel_exec(c), cond) : isel_mask2(c, amd_s_andn2_b32, isel_exec(c), cond));
}

static uint32_t before_of(const struct isel *c, uint32_t node, uint32_t target)
{
	return target == node ? 0 : in_mask(c, node, target);
}

static void send_lanes(struct isel *c, uint32_t node, const struct amd_operand *cond)
{
	struct isel_node *n = &c->plan->nodes[node];
	for (uint32_t k = 0; k < n->ntargets; k++) {
		uint32_t t = n->target[k];
		if (t == ISEL_NONE || !sends_to(c, n, t))
			continue;
		struct amd_operand lanes = n->ntargets == 1 ? isel_exec(c) : lanes_of(c, *cond, k);
		collect(c, out_mask(c, node, t), before_of(c, node, t), lanes);
	}
}

static void end_direct(struct isel *c, uint32_t node)
{
	struct isel_node *n = &c->plan->nodes[node];
	struct ir_inst *term = ir_terminator(n->block);
	struct amd_block *to[2];
	for (uint32_t k = 0; k < n->ntargets; k++)
		to[k] = dest(c, c->cur, n->target[k] == ISEL_NONE ? n->first : n->target[k]);
	if (n->ntargets == 1) {
		send_lanes(c, node, NULL);
		branch(c, amd_p_branch, 0, to[0]);
		return;
	}
	bool sends = false;
	for (uint32_t k = 0; k < 2; k++)
		sends |= n->target[k] != ISEL_NONE && sends_to(c, n, n->target[k]);
	if (sends) {
		struct amd_operand cond = isel_mask_use(c, term->args[0]);
		send_lanes(c, node, &cond);
	}
	if (to[0] == to[1]) {
		branch(c, amd_p_branch, 0, to[0]);
		return;
	}
	isel_scc(c, term->args[0]);
	branch(c, amd_p_cbranch_nz, AMD_SCC, to[0]);
}

/* exec := exec & cond, or & ~cond for side 1. */
static void narrow_exec(struct isel *c, struct amd_operand cond, uint32_t side)
{
	struct amd_inst *i = write_exec(c, side == 0 ? amd_s_and_b32 : amd_s_andn2_b32, 2);
	i->ops[0] = isel_exec(c);
	i->ops[1] = cond;
}

static void end_masked(struct isel *c, uint32_t node)
{
	struct isel_node *n = &c->plan->nodes[node];
	struct ir_inst *term = ir_terminator(n->block);
	if (n->ntargets == 1) {
		send_lanes(c, node, NULL);
		branch(c, amd_p_branch, 0, dest(c, c->cur, n->first));
		return;
	}
	struct amd_operand cond = isel_mask_use(c, term->args[0]);
	send_lanes(c, node, &cond);
	struct isel_node *first = n->first == ISEL_NONE ? NULL : &c->plan->nodes[n->first];
	if (!first || !first->block || first->join != ISEL_JOIN_NONE) {
		branch(c, amd_p_branch, 0, dest(c, c->cur, n->first));
		return;
	}
	narrow_exec(c, cond, n->target[0] == n->first ? 0 : 1);
	if (n->skip == n->first)
		branch(c, amd_p_branch, 0, dest(c, c->cur, n->first));
	else if (n->first > node)
		branch(c, amd_p_cbranch_z, AMD_EXEC, dest(c, c->cur, n->skip));
	else
		branch(c, amd_p_cbranch_nz, AMD_EXEC, dest(c, c->cur, n->first));
}

static void end_loop(struct isel *c, uint32_t node)
{
	uint32_t h = c->plan->block_node[c->plan->nodes[node].loop->header->id];
	uint32_t mask = in_mask(c, node, h);
	struct amd_inst *i = isel_emit(c, isel_mask_op(c, amd_s_or_b32), 2, 2);
	i->defs[0] = amd_def_temp(c->f, isel_new_mask(c));
	i->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
	i->ops[0] = i->ops[1] = mask ? isel_t(c, mask) : amd_use_const(0);
	branch(c, amd_p_cbranch_nz, AMD_SCC, dest(c, c->cur, h));
}

void isel_flow_end(struct isel *c, uint32_t node)
{
	struct isel_node *n = &c->plan->nodes[node];
	if (!n->block) {
		if (n->loop)
			end_loop(c, node);
		else
			isel_emit(c, amd_s_endpgm, 0, 0);
		return;
	}
	isel_emit(c, amd_p_lane_end, 0, 0);
	struct ir_inst *term = ir_terminator(n->block);
	if (term->op == IR_trap)
		isel_emit(c, amd_s_trap, 0, 0)->imm = 2;
	if (n->saves)
		isel_copy(c, c->out[node].saved, isel_exec(c));
	switch (n->end) {
	case ISEL_END_DIRECT:
		end_direct(c, node);
		break;
	case ISEL_END_MASKED:
		end_masked(c, node);
		break;
	case ISEL_END_EXIT:
		if (n->first != ISEL_NONE || n->ntargets)
			branch(c, amd_p_branch, 0, dest(c, c->cur, n->first));
		else
			isel_emit(c, amd_s_endpgm, 0, 0);
		break;
	}
}

/* --- lanes that wait elsewhere --- */

static bool has_barrier(const struct ir_block *b)
{
	ir_each_inst(i, b)
		if (i->op == IR_barrier || i->op == IR_parked)
			return true;
	return false;
}

static void find_barriers(struct isel *c)
{
	bool again = true;
	c->comes_to_barrier = bitset_new(c->arena, c->ir->blocks.len);
	while (again) {
		again = false;
		for (uint32_t k = c->ir->blocks.len; k-- > 0;) {
			struct ir_block *b = c->ir->blocks.data[k];
			bool comes = has_barrier(b);
			for (uint32_t s = 0; s < b->nsuccs; s++)
				comes |= bitset_has(c->comes_to_barrier, b->succs[s]->id);
			if (comes && !bitset_has(c->comes_to_barrier, b->id)) {
				bitset_add(c->comes_to_barrier, b->id);
				again = true;
			}
		}
	}
}

struct amd_operand isel_parked(struct isel *c)
{
	const struct isel_node *nodes = c->plan->nodes;
	struct amd_operand lanes = amd_use_const(0);
	if (!c->comes_to_barrier)
		find_barriers(c);
	for (uint32_t t = 0; t < c->plan->nnodes; t++) {
		if (t == c->node || !bitset_has(nodes[c->node].in, t))
			continue;
		const struct ir_block *b = nodes[t].block ? nodes[t].block : nodes[t].loop ? nodes[t].loop->header : NULL;
		if (!b || !bitset_has(c->comes_to_barrier, b->id))
			continue;
		uint32_t mask = nodes[t].join == ISEL_JOIN_SAVED ? c->out[nodes[t].saved_at].saved : in_mask(c, c->node, t), sum = isel_new_mask(c);
		if (!mask)
			continue;
		isel_op2(c, isel_mask_op(c, amd_s_or_b32), sum, isel_t(c, mask), lanes);
		lanes = isel_t(c, sum);
	}
	return lanes;
}
