/* Liveness on both graphs: vectors along lane edges, scalars along wave edges.
 *
 * requires: SSA.
 * ensures: f->live; operands' kill (last use, on every operand of the instruction that reads the temporary) and first_kill; definitions'
 *   kill (never read); blocks' demand; no critical wave edges.
 *
 * Backward dataflow over the temporaries that live across blocks. */
#include "amd/amd_live.h"

struct live_state {
	struct amd_func *f;
	struct amd_liveness *lv;
	struct arena tmp;
	bitword *vectors;   /* global temporaries that are vectors */
	bitword **use, **def;
	uint32_t *def_block;
	uint32_t *stamp;    /* by temporary: live in the block walked now */
};

void amd_split_wave_edges(struct amd_func *f)
{
	for (uint32_t k = 0, n = f->blocks.len; k < n; k++) {
		struct amd_block *b = f->blocks.data[k];
		for (uint32_t e = 0; b->wave_preds.len > 1 && e < b->wave_preds.len; e++) {
			struct amd_block *p = f->blocks.data[b->wave_preds.data[e]];
			if (p->wave_succs.len < 2)
				continue;
			struct amd_inst *last = vec_last(&p->insts);
			if (last->op == amd_s_setpc_b64)
				amd_ice(f, "live", p, last, "critical wave edge out of a computed branch");
			struct amd_block *mid = amd_block_new(f);
			mid->is_flow = true;
			mid->loop_depth = p->loop_depth < b->loop_depth ? p->loop_depth : b->loop_depth;
			mid->divergent = b->divergent;
			vec_push(f->arena, &mid->wave_preds, p->id);
			vec_push(f->arena, &mid->wave_succs, b->id);
			b->wave_preds.data[e] = mid->id;
			uint32_t s = 0;
			while (p->wave_succs.data[s] != b->id)
				s++;
			p->wave_succs.data[s] = mid->id;
			for (uint32_t t = 0; t < p->insts.len; t++)
				if (p->insts.data[t]->target == b)
					p->insts.data[t]->target = mid;
			struct amd_inst *jump = amd_inst_new(f, amd_p_branch, 0, 0);
			jump->target = b;
			amd_append(f, mid, jump);
		}
	}
}

static void make_global(struct live_state *s, uint32_t t)
{
	struct amd_liveness *lv = s->lv;
	if (lv->global[t] != UINT32_MAX)
		return;
	lv->temp[lv->nglobal] = t;
	lv->global[t] = lv->nglobal++;
}

static void find_globals(struct live_state *s)
{
	struct amd_func *f = s->f;
	for (uint32_t k = 0; k < f->blocks.len; k++)
		for (uint32_t n = 0; n < f->blocks.data[k]->insts.len; n++) {
			struct amd_inst *i = f->blocks.data[k]->insts.data[n];
			for (uint32_t d = 0; d < i->ndefs; d++)
				s->def_block[i->defs[d].temp] = k;
		}
	for (uint32_t k = 0; k < f->blocks.len; k++)
		for (uint32_t n = 0; n < f->blocks.data[k]->insts.len; n++) {
			struct amd_inst *i = f->blocks.data[k]->insts.data[n];
			for (uint32_t o = 0; o < i->nops; o++)
				if (i->ops[o].kind == AMD_OPND_TEMP && (amd_is_phi(i) || s->def_block[i->ops[o].temp] != k))
					make_global(s, i->ops[o].temp);
		}
}

/* A phi reads at the end of the predecessor. */
static void note_phi_uses(struct live_state *s, struct amd_block *b, struct amd_inst *i)
{
	const uint32_t *preds = i->op == amd_p_phi ? b->lane_preds.data : b->wave_preds.data;
	for (uint32_t o = 0; o < i->nops; o++)
		if (i->ops[o].kind == AMD_OPND_TEMP)
			bitset_add(s->lv->out[preds[o]], s->lv->global[i->ops[o].temp]);
}

static void note_block(struct live_state *s, struct amd_block *b)
{
	struct amd_liveness *lv = s->lv;
	bitword *use = s->use[b->id], *def = s->def[b->id];
	for (uint32_t n = 0; n < b->insts.len; n++) {
		struct amd_inst *i = b->insts.data[n];
		if (amd_is_phi(i))
			note_phi_uses(s, b, i);
		for (uint32_t o = 0; !amd_is_phi(i) && o < i->nops; o++) {
			uint32_t g = i->ops[o].kind == AMD_OPND_TEMP ? lv->global[i->ops[o].temp] : UINT32_MAX;
			if (g != UINT32_MAX && !bitset_has(def, g))
				bitset_add(use, g);
		}
		for (uint32_t d = 0; d < i->ndefs; d++)
			if (i->defs[d].temp && lv->global[i->defs[d].temp] != UINT32_MAX)
				bitset_add(def, lv->global[i->defs[d].temp]);
	}
}

static bool flow_in(struct live_state *s, bitword *out, const uint32_t *succs, uint32_t n, bool vectors)
{
	bitword changed = 0;
	uint32_t words = bitset_words(s->lv->nglobal);
	for (uint32_t k = 0; k < n; k++) {
		const bitword *in = s->lv->in[succs[k]];
		for (uint32_t w = 0; w < words; w++) {
			bitword add = in[w] & (vectors ? s->vectors[w] : ~s->vectors[w]) & ~out[w];
			out[w] |= add;
			changed |= add;
		}
	}
	return changed;
}

static void solve(struct live_state *s)
{
	struct amd_liveness *lv = s->lv;
	uint32_t words = bitset_words(lv->nglobal);
	for (uint32_t k = 0; k < s->f->blocks.len; k++)
		for (uint32_t w = 0; w < words; w++)
			lv->in[k][w] = s->use[k][w] | (lv->out[k][w] & ~s->def[k][w]);
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t k = s->f->blocks.len; k-- > 0;) {
			struct amd_block *b = s->f->blocks.data[k];
			bool grew = flow_in(s, lv->out[k], b->lane_succs.data, b->lane_succs.len, true);
			grew |= flow_in(s, lv->out[k], b->wave_succs.data, b->wave_succs.len, false);
			if (!grew)
				continue;
			changed = true;
			for (uint32_t w = 0; w < words; w++)
				lv->in[k][w] = s->use[k][w] | (lv->out[k][w] & ~s->def[k][w]);
		}
	}
}

static void add(struct amd_demand *d, amd_rc rc)
{
	if (amd_rc_vector(rc))
		d->vgprs += amd_rc_size(rc);
	else
		d->sgprs += amd_rc_size(rc);
}

static struct amd_demand max_demand(struct amd_demand a, struct amd_demand b)
{
	return (struct amd_demand){a.vgprs > b.vgprs ? a.vgprs : b.vgprs, a.sgprs > b.sgprs ? a.sgprs : b.sgprs};
}

/* A definition or operand in the general registers. */
static bool in_files(bool fixed, uint16_t reg)
{
	return !fixed || reg < AMD_VCC || reg >= AMD_VGPR0;
}

struct amd_demand amd_inst_demand(const struct amd_inst *i, struct amd_demand after)
{
	struct amd_demand during = after, result = after;
	for (uint32_t k = 0; k < i->nops; k++) {
		const struct amd_operand *o = &i->ops[k];
		if (o->kind != AMD_OPND_TEMP)
			continue;
		if (o->first_kill)
			add(&during, o->rc);
		if (o->late_kill && o->kill)
			add(&result, o->rc);
	}
	if (amd_op_info[i->op].flags & AMDF_TIED) {
		const struct amd_operand *o = &i->ops[amd_tied_operand(i)];
		if (o->kind == AMD_OPND_TEMP && !o->kill)
			add(&during, o->rc);
	}
	for (uint32_t k = 0; k < i->ndefs; k++)
		if (in_files(i->defs[k].fixed, i->defs[k].reg))
			add(&result, i->defs[k].rc);
	return max_demand(during, result);
}

/* Marks what i kills and walks over it; `live` becomes what is live before i. */
static void kill_flags(struct live_state *s, struct amd_inst *i, uint32_t block, struct amd_demand *live)
{
	uint32_t mark = block + 1;
	for (uint32_t d = 0; d < i->ndefs; d++) {
		uint32_t t = i->defs[d].temp;
		i->defs[d].kill = !t || s->stamp[t] != mark;
		if (i->defs[d].kill)
			continue;
		s->stamp[t] = 0;
		if (amd_rc_vector(i->defs[d].rc))
			live->vgprs -= amd_rc_size(i->defs[d].rc);
		else
			live->sgprs -= amd_rc_size(i->defs[d].rc);
	}
	for (uint32_t o = 0; o < i->nops; o++) {
		struct amd_operand *p = &i->ops[o];
		if (p->kind != AMD_OPND_TEMP)
			continue;
		p->kill = s->stamp[p->temp] != mark;
		p->first_kill = p->kill;
		for (uint32_t q = 0; q < o && p->first_kill; q++)
			p->first_kill = i->ops[q].kind != AMD_OPND_TEMP || i->ops[q].temp != p->temp;
	}
}

static void revive(struct live_state *s, struct amd_inst *i, uint32_t block, struct amd_demand *live)
{
	for (uint32_t o = 0; o < i->nops; o++)
		if (i->ops[o].kind == AMD_OPND_TEMP && i->ops[o].first_kill) {
			s->stamp[i->ops[o].temp] = block + 1;
			add(live, i->ops[o].rc);
		}
}

static void walk_block(struct live_state *s, struct amd_block *b)
{
	struct amd_liveness *lv = s->lv;
	struct amd_demand live = {0, 0}, most;
	bitset_each(g, lv->out[b->id], lv->nglobal)
	{
		s->stamp[lv->temp[g]] = b->id + 1;
		add(&live, s->f->temp_rc.data[lv->temp[g]]);
	}
	most = live;
	uint32_t k = b->insts.len;
	while (k > 0 && !amd_is_phi(b->insts.data[k - 1])) {
		struct amd_inst *i = b->insts.data[--k];
		kill_flags(s, i, b->id, &live);
		most = max_demand(most, amd_inst_demand(i, live));
		revive(s, i, b->id, &live);
	}
	for (; k > 0; k--) {
		struct amd_inst *i = b->insts.data[k - 1];
		i->defs[0].kill = s->stamp[i->defs[0].temp] != b->id + 1;
		if (i->defs[0].kill)
			add(&live, i->defs[0].rc);
		for (uint32_t o = 0; o < i->nops; o++)
			i->ops[o].kill = i->ops[o].first_kill = false;
	}
	most = max_demand(most, live);
	b->vgpr_demand = (uint16_t)most.vgprs;
	b->sgpr_demand = (uint16_t)most.sgprs;
}

void amd_live(struct amd_func *f)
{
	amd_split_wave_edges(f);
	struct live_state s = {.f = f};
	struct amd_liveness *lv = s.lv = f->live = NEW(f->arena, struct amd_liveness);
	arena_init(&s.tmp, f->arena->trap);
	lv->global = NEWN(f->arena, uint32_t, f->ntemps);
	lv->temp = NEWN(f->arena, uint32_t, f->ntemps);
	memset(lv->global, 0xff, f->ntemps * sizeof *lv->global);
	s.def_block = NEWN(&s.tmp, uint32_t, f->ntemps);
	s.stamp = NEWN(&s.tmp, uint32_t, f->ntemps);
	find_globals(&s);
	uint32_t n = f->blocks.len;
	lv->in = NEWN(f->arena, bitword *, n);
	lv->out = NEWN(f->arena, bitword *, n);
	s.use = NEWN(&s.tmp, bitword *, n);
	s.def = NEWN(&s.tmp, bitword *, n);
	for (uint32_t k = 0; k < n; k++) {
		lv->in[k] = bitset_new(f->arena, lv->nglobal);
		lv->out[k] = bitset_new(f->arena, lv->nglobal);
		s.use[k] = bitset_new(&s.tmp, lv->nglobal);
		s.def[k] = bitset_new(&s.tmp, lv->nglobal);
	}
	s.vectors = bitset_new(&s.tmp, lv->nglobal);
	for (uint32_t g = 0; g < lv->nglobal; g++)
		if (amd_rc_vector(f->temp_rc.data[lv->temp[g]]))
			bitset_add(s.vectors, g);
	for (uint32_t k = 0; k < n; k++)
		note_block(&s, f->blocks.data[k]);
	solve(&s);
	for (uint32_t k = 0; k < n; k++)
		walk_block(&s, f->blocks.data[k]);
	arena_free(&s.tmp);
}
