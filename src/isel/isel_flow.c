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

static void wave_edge(struct isel *c, struct amd_block *from, struct amd_block *to)
{
	for (uint32_t k = 0; k < from->wave_succs.len; k++)
		if (from->wave_succs.data[k] == to->id)
			return;
	vec_push(c->arena, &from->wave_succs, to->id);
	vec_push(c->arena, &to->wave_preds, from->id);
}

static struct amd_block *entry_of(const struct isel *c, uint32_t node)
{
	return c->out[node == ISEL_NONE ? c->plan->nnodes - 1 : node].entry;
}

static bool is_active(const struct isel_plan *p, uint32_t k)
{
	return p->nodes[k].active;
}

static uint32_t loop_depth(const struct isel_node *n)
{
	return n->loop ? n->loop->depth : 0;
}

static void make_blocks(struct isel *c)
{
	struct isel_plan *p = c->plan;
	for (uint32_t k = 0; k < p->nnodes; k++) {
		struct isel_node *n = &p->nodes[k];
		if (!is_active(p, k))
			continue;
		struct isel_node_out *o = &c->out[k];
		if (n->join == ISEL_JOIN_MASK && n->may_be_empty) {
			o->flow = amd_block_new(c->f);
			o->flow->is_flow = true;
			o->flow->loop_depth = loop_depth(n);
		}
		o->block = amd_block_new(c->f);
		o->block->loop_depth = loop_depth(n);
		o->block->is_flow = !n->block;
		o->entry = o->flow ? o->flow : o->block;
		if (n->block && n->loop && n->loop->header == n->block)
			o->entry->is_loop_header = true;
	}
}

static void node_edges(struct isel *c, uint32_t k)
{
	struct isel_node *n = &c->plan->nodes[k];
	struct isel_node_out *o = &c->out[k];
	if (o->flow) {
		wave_edge(c, o->flow, entry_of(c, n->next_open));
		wave_edge(c, o->flow, o->block);
	}
	if (!n->block) {
		if (n->loop) {
			wave_edge(c, o->block, entry_of(c, c->plan->block_node[n->loop->header->id]));
			wave_edge(c, o->block, entry_of(c, n->next_open));
		}
		return;
	}
	switch (n->end) {
	case ISEL_END_DIRECT:
		for (uint32_t s = 0; s < n->ntargets; s++)
			wave_edge(c, o->block, entry_of(c, n->target[s] == ISEL_NONE ? n->first : n->target[s]));
		break;
	case ISEL_END_MASKED:
		wave_edge(c, o->block, entry_of(c, n->first));
		if (n->skip != n->first && c->plan->nodes[n->first].join == ISEL_JOIN_NONE && c->plan->nodes[n->first].block && n->ntargets > 1)
			wave_edge(c, o->block, entry_of(c, n->skip));
		break;
	case ISEL_END_EXIT:
		if (n->first != ISEL_NONE || n->ntargets)
			wave_edge(c, o->block, entry_of(c, n->first));
		break;
	}
}

void isel_flow_blocks(struct isel *c)
{
	struct isel_plan *p = c->plan;
	c->out = NEWN(c->arena, struct isel_node_out, p->nnodes);
	make_blocks(c);
	for (uint32_t k = 0; k < p->nnodes; k++)
		if (is_active(p, k))
			node_edges(c, k);
	for (uint32_t k = 0; k < p->nnodes; k++) {
		struct isel_node *n = &p->nodes[k];
		if (!is_active(p, k) || !n->block)
			continue;
		struct amd_block *b = c->out[k].block;
		for (uint32_t j = 0; j < n->block->preds.len; j++) {
			struct amd_block *q = c->out[p->block_node[n->block->preds.data[j]->id]].block;
			if (!q)
				continue;
			vec_push(c->arena, &b->lane_preds, q->id);
			vec_push(c->arena, &q->lane_succs, b->id);
		}
	}
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
	branch(c, amd_p_cbranch_z, AMD_EXEC, entry_of(c, n->next_open));
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
		to[k] = entry_of(c, n->target[k] == ISEL_NONE ? n->first : n->target[k]);
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
		branch(c, amd_p_branch, 0, entry_of(c, n->first));
		return;
	}
	struct amd_operand cond = isel_mask_use(c, term->args[0]);
	send_lanes(c, node, &cond);
	struct isel_node *first = n->first == ISEL_NONE ? NULL : &c->plan->nodes[n->first];
	if (!first || !first->block || first->join != ISEL_JOIN_NONE) {
		branch(c, amd_p_branch, 0, entry_of(c, n->first));
		return;
	}
	narrow_exec(c, cond, n->target[0] == n->first ? 0 : 1);
	if (n->skip == n->first)
		branch(c, amd_p_branch, 0, entry_of(c, n->first));
	else if (n->first > node)
		branch(c, amd_p_cbranch_z, AMD_EXEC, entry_of(c, n->skip));
	else
		branch(c, amd_p_cbranch_nz, AMD_EXEC, entry_of(c, n->first));
}

static void end_loop(struct isel *c, uint32_t node)
{
	uint32_t h = c->plan->block_node[c->plan->nodes[node].loop->header->id];
	uint32_t mask = in_mask(c, node, h);
	struct amd_inst *i = isel_emit(c, isel_mask_op(c, amd_s_or_b32), 2, 2);
	i->defs[0] = amd_def_temp(c->f, isel_new_mask(c));
	i->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
	i->ops[0] = i->ops[1] = mask ? isel_t(c, mask) : amd_use_const(0);
	branch(c, amd_p_cbranch_nz, AMD_SCC, entry_of(c, h));
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
			branch(c, amd_p_branch, 0, entry_of(c, n->first));
		else
			isel_emit(c, amd_s_endpgm, 0, 0);
		break;
	}
}
