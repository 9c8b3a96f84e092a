/* Register allocation over SSA, one walk in block order.
 *
 * requires: amd_live, with a demand that fits (amd_spill).
 * ensures: every definition and every operand that is a temporary has a register; f->allocated. Names are no longer SSA: a p_parallelcopy
 *   or phi whose operand has the definition's name moves a value. Temporaries that stand in different registers at the ends of a
 *   block's predecessors got such a phi. SCC is not live across blocks.
 * breaks: SSA.
 *
 * At each instruction operands die, definitions take free registers, preferably those that hints name; where none is free, live values
 * move in one parallel copy before the instruction (amd_ra_place.c). Demand that fits always suffices: vectors of VGPRs need no alignment,
 * and of SGPRs the spiller leaves some spare. Of several walks (`ways`) the one that moves least stands.
 * Ideas: Hack, "Register Allocation for Programs in SSA Form", 2007; Mesa's ACO. */
#include "amd/amd_ra.h"

enum { COUNTED = 8 /* the granule of registers in the descriptor */ };

/* Lists of places are in the order of global indices. */
static struct ra_place *find_place(struct ra *r, ra_places *v, uint32_t temp)
{
	uint32_t lo = 0, hi = v->len, g = r->lv->global[temp];
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (r->lv->global[v->data[mid].temp] < g)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < v->len && v->data[lo].temp == temp ? &v->data[lo] : NULL;
}

/* Places of b's live-ins of one kind as they are at the end of a predecessor that is done. */
static void inherit(struct ra *r, const struct amd_block *b, const uint32_t *preds, uint32_t n, bool vec)
{
	uint32_t from = 0;
	while (from < n && !r->done[preds[from]])
		from++;
	if (from == n)
		return;
	ra_places *exit = &r->exit[preds[from]];
	for (uint32_t k = 0; k < exit->len; k++) {
		uint32_t t = exit->data[k].temp;
		amd_rc rc = r->f->temp_rc.data[t];
		if (amd_rc_vector(rc) != vec || !bitset_has(r->lv->in[b->id], r->lv->global[t]))
			continue;
		r->loc[t] = exit->data[k].reg;
		for (uint32_t d = 0; d < amd_rc_size(rc); d++)
			r->file[exit->data[k].reg + d] = t;
	}
}

static void place_at_entry(struct ra *r, uint32_t t, uint16_t reg)
{
	r->loc[t] = reg;
	for (uint32_t d = 0; d < amd_rc_size(r->f->temp_rc.data[t]); d++)
		r->file[reg + d] = t;
	ra_note_place(r, t, reg);
}

/* All of a class anew, by falling size: the copies on the edges make it true. `extra` comes on top of what the file holds. */
static void repack_entry(struct ra *r, bool vec, uint32_t extra)
{
	VEC(uint32_t) all = {0};
	uint32_t base = ra_base(vec);
	vec_push(&r->tmp, &all, extra);
	for (uint32_t k = base; k < base + r->limit[vec]; k++) {
		uint32_t t = r->file[k];
		if (t && r->loc[t] == k)
			vec_push(&r->tmp, &all, t);
		r->file[k] = 0;
	}
	for (uint32_t size = AMD_RC_SIZE; size > 0; size--)
		for (uint32_t k = 0; k < all.len; k++) {
			amd_rc rc = r->f->temp_rc.data[all.data[k]];
			if (amd_rc_size(rc) != size)
				continue;
			uint16_t reg = ra_first_fit(r, rc);
			if (reg == AMD_NOREG)
				amd_ice(r->f, "regalloc", r->b, NULL, "out of registers at the block's start");
			place_at_entry(r, all.data[k], reg);
		}
}

static void enter(struct ra *r, uint32_t t, const uint16_t *hints, uint32_t nhints)
{
	amd_rc rc = r->f->temp_rc.data[t];
	bool vec = amd_rc_vector(rc);
	uint32_t n = amd_rc_size(rc);
	for (uint32_t k = 0; k < nhints; k++) {
		uint32_t reg = hints[k], base = ra_base(vec);
		if (reg >= base && reg + n <= base + r->limit[vec] && reg % ra_align(rc) == 0 && ra_free(r, reg, n)) {
			place_at_entry(r, t, (uint16_t)reg);
			return;
		}
	}
	uint16_t reg = ra_first_fit(r, rc);
	if (reg == AMD_NOREG)
		repack_entry(r, vec, t);
	else
		place_at_entry(r, t, reg);
}

static uint16_t exit_place(struct ra *r, uint32_t block, uint32_t t)
{
	struct ra_place *p = r->done[block] ? find_place(r, &r->exit[block], t) : NULL;
	return p ? p->reg : AMD_NOREG;
}

/* Phi results: where an operand already is, else where the group is. */
static void enter_phis(struct ra *r, struct amd_block *b)
{
	for (uint32_t k = 0; k < b->insts.len && amd_is_phi(b->insts.data[k]); k++) {
		struct amd_inst *i = b->insts.data[k];
		const uint32_t *preds = i->op == amd_p_phi ? b->lane_preds.data : b->wave_preds.data;
		uint16_t hints[4];
		uint32_t n = 0;
		uint32_t t = i->defs[0].temp;
		for (uint32_t o = 0; o < i->nops && n < 3; o++)
			if (i->ops[o].kind == AMD_OPND_TEMP && (hints[n] = exit_place(r, preds[o], i->ops[o].temp)) != AMD_NOREG)
				n++;
		hints[n] = r->rep_reg[ra_rep(r, t)];
		enter(r, t, hints, r->f->seed ? 0 : n + 1);
	}
	/* later phis may have moved earlier ones */
	for (uint32_t k = 0; k < b->insts.len && amd_is_phi(b->insts.data[k]); k++) {
		struct amd_def *d = &b->insts.data[k]->defs[0];
		d->reg = r->loc[d->temp];
	}
}

static void record(struct ra *r, const bitword *set, ra_places *v)
{
	bitset_each(g, set, r->lv->nglobal)
	{
		uint32_t t = r->lv->temp[g];
		vec_push(&r->tmp, v, (struct ra_place){t, r->loc[t]});
	}
}

static void enter_block(struct ra *r, struct amd_block *b)
{
	r->b = b;
	r->i = NULL;
	memset(r->file, 0, sizeof r->file);
	memset(r->held, 0, sizeof r->held);
	bitset_each(g, r->lv->in[b->id], r->lv->nglobal) r->loc[r->lv->temp[g]] = AMD_NOREG;
	inherit(r, b, b->lane_preds.data, b->lane_preds.len, true);
	inherit(r, b, b->wave_preds.data, b->wave_preds.len, false);
	bitset_each(h, r->lv->in[b->id], r->lv->nglobal)
	{
		if (r->loc[r->lv->temp[h]] == AMD_NOREG)
			enter(r, r->lv->temp[h], &r->rep_reg[ra_rep(r, r->lv->temp[h])], 1);
	}
	enter_phis(r, b);
	record(r, r->lv->in[b->id], &r->entry[b->id]);
	for (uint32_t k = 0; k < b->insts.len && amd_is_phi(b->insts.data[k]); k++) {
		struct amd_def *d = &b->insts.data[k]->defs[0];
		for (uint32_t n = 0; d->kill && n < amd_rc_size(d->rc); n++)
			r->file[d->reg + n] = 0;
	}
}

static struct amd_inst *parallel_copy(struct ra *r)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < r->moves.len; k++)
		n += r->moves.data[k].from != r->moves.data[k].to;
	for (uint32_t k = 0; k < r->copies.len; k++)
		n += r->copies.data[k].from != r->copies.data[k].to;
	if (!n)
		return NULL;
	struct amd_inst *c = amd_inst_new(r->f, amd_p_parallelcopy, n, n);
	uint32_t at = 0;
	for (uint32_t k = 0; k < r->moves.len + r->copies.len; k++) {
		struct ra_move m = k < r->moves.len ? r->moves.data[k] : r->copies.data[k - r->moves.len];
		if (m.from == m.to)
			continue;
		c->ops[at] = amd_use(r->f, m.temp);
		c->ops[at].reg = m.from;
		c->defs[at] = amd_def_temp(r->f, m.temp);
		c->defs[at++].reg = m.to;
	}
	return c;
}

static void allocate_inst(struct ra *r, struct amd_inst *i, bool spare_scc, struct amd_block *out)
{
	ra_place_inst(r, i);
	if (spare_scc)
		ra_spare_scc(r, i);
	struct amd_inst *c = parallel_copy(r);
	if (c) {
		c->line = i->line;
		amd_append(r->f, out, c);
	}
	ra_commit_inst(r, i);
}

static void number_insts(struct ra *r, const struct amd_block *b)
{
	for (uint32_t k = 0; k < b->insts.len; k++) {
		const struct amd_inst *i = b->insts.data[k];
		for (uint32_t o = 0; o < i->nops; o++)
			if (i->ops[o].kind == AMD_OPND_TEMP && i->ops[o].kill)
				r->dies_at[i->ops[o].temp] = r->number + k + i->ops[o].late_kill;
		for (uint32_t d = 0; d < i->ndefs; d++)
			r->made_at[i->defs[d].temp] = r->number + k;
	}
}

static void allocate_block(struct ra *r, struct amd_block *b)
{
	number_insts(r, b);
	enter_block(r, b);
	struct amd_block out = {0};
	uint32_t k = 0;
	bool spared = false;
	for (; k < b->insts.len && amd_is_phi(b->insts.data[k]); k++)
		amd_append(r->f, &out, b->insts.data[k]);
	r->number += k;
	for (; k < b->insts.len; k++, r->number++) {
		struct amd_inst *i = b->insts.data[k];
		bool term = amd_op_info[i->op].flags & AMDF_TERMINATOR;
		if (i->ndefs || i->nops || term)
			allocate_inst(r, i, term && !spared, &out);
		spared |= term;
		amd_append(r->f, &out, i);
	}
	struct amd_inst end = {.op = amd_p_use};
	if (!spared)
		allocate_inst(r, &end, true, &out);
	b->insts.data = out.insts.data;
	b->insts.len = out.insts.len;
	b->insts.cap = out.insts.cap;
	record(r, r->lv->out[b->id], &r->exit[b->id]);
	r->done[b->id] = true;
}

/* A phi for a live-in that predecessors leave in different places. */
static void merge(struct ra *r, struct amd_block *b, uint32_t t, uint16_t reg, uint32_t *at)
{
	bool vec = amd_rc_vector(r->f->temp_rc.data[t]);
	const uint32_t *preds = vec ? b->lane_preds.data : b->wave_preds.data;
	uint32_t n = vec ? b->lane_preds.len : b->wave_preds.len;
	bool same = true;
	for (uint32_t k = 0; k < n; k++)
		same &= exit_place(r, preds[k], t) == reg;
	if (same)
		return;
	struct amd_inst *phi = amd_inst_new(r->f, vec ? amd_p_phi : amd_p_wave_phi, 1, n);
	phi->defs[0] = amd_def_temp(r->f, t);
	phi->defs[0].reg = reg;
	for (uint32_t k = 0; k < n; k++) {
		phi->ops[k] = amd_use(r->f, t);
		phi->ops[k].reg = exit_place(r, preds[k], t);
	}
	vec_push(r->f->arena, &b->insts, NULL);
	memmove(b->insts.data + *at + 1, b->insts.data + *at, (b->insts.len - 1 - *at) * sizeof *b->insts.data);
	b->insts.data[(*at)++] = phi;
}

static void connect(struct ra *r, struct amd_block *b)
{
	uint32_t at = 0;
	for (; at < b->insts.len && amd_is_phi(b->insts.data[at]); at++) {
		struct amd_inst *i = b->insts.data[at];
		const uint32_t *preds = i->op == amd_p_phi ? b->lane_preds.data : b->wave_preds.data;
		for (uint32_t o = 0; o < i->nops; o++)
			if (i->ops[o].kind == AMD_OPND_TEMP)
				i->ops[o].reg = exit_place(r, preds[o], i->ops[o].temp);
	}
	ra_places *v = &r->entry[b->id];
	for (uint32_t k = 0; k < v->len; k++)
		merge(r, b, v->data[k].temp, v->data[k].reg, &at);
}

/* The most vector registers that leave the occupancy as the demand has it; `tight`: as many as the descriptor counts for the demand. */
static uint32_t vector_limit(const struct amd_func *f, bool tight)
{
	uint32_t vgprs = 1, sgprs = 0;
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		vgprs = f->blocks.data[k]->vgpr_demand > vgprs ? f->blocks.data[k]->vgpr_demand : vgprs;
		sgprs = f->blocks.data[k]->sgpr_demand > sgprs ? f->blocks.data[k]->sgpr_demand : sgprs;
	}
	if (sgprs > AMD_RA_SGPRS)
		amd_ice(f, "regalloc", NULL, NULL, "%u scalar registers needed", sgprs);
	uint32_t most = amd_vgpr_limit(f), all = vgprs + f->spill_vgprs;
	uint32_t soft = tight ? (all + COUNTED - 1) / COUNTED * COUNTED : amd_vgprs_at(f, amd_occupancy(f, all));
	uint32_t limit = soft < most ? soft : most;
	if (limit < all)
		amd_ice(f, "regalloc", NULL, NULL, "%u vector registers needed, %u allowed", all, limit);
	return limit;
}

static void walk(struct amd_func *f, uint32_t vgprs, uint8_t from_top)
{
	struct ra r = {.f = f, .lv = f->live, .random = f->seed, .from_top = from_top};
	arena_init(&r.tmp, f->arena->trap);
	uint32_t n = f->ntemps;
	r.loc = NEWN(&r.tmp, uint16_t, n);
	memset(r.loc, 0xff, n * sizeof *r.loc);
	r.number = 1;
	r.made_at = NEWN(&r.tmp, uint32_t, n);
	r.dies_at = NEWN(&r.tmp, uint32_t, n);
	r.dying = NEWN(&r.tmp, uint32_t, n);
	r.pinned = NEWN(&r.tmp, uint32_t, n);
	r.moved = NEWN(&r.tmp, uint32_t, n);
	r.move_index = NEWN(&r.tmp, uint32_t, n);
	r.entry = NEWN(&r.tmp, ra_places, f->blocks.len);
	r.exit = NEWN(&r.tmp, ra_places, f->blocks.len);
	r.done = NEWN(&r.tmp, bool, f->blocks.len);
	r.limit[0] = AMD_RA_SGPRS;
	r.limit[1] = f->spill_base = vgprs - f->spill_vgprs;
	ra_make_hints(&r);
	for (uint32_t k = 0; k < f->blocks.len; k++)
		allocate_block(&r, f->blocks.data[k]);
	for (uint32_t k = 0; k < f->blocks.len; k++)
		connect(&r, f->blocks.data[k]);
	arena_free(&r.tmp);
}

/* --- the best of several walks --- */

typedef VEC(struct amd_inst *) insts;

/* Each block's instructions as they were before a walk. */
static insts *save(struct amd_func *f)
{
	insts *v = NEWN(f->arena, insts, f->blocks.len);
	for (uint32_t k = 0; k < f->blocks.len; k++)
		memcpy(&v[k], &f->blocks.data[k]->insts, sizeof *v);
	return v;
}

static void restore(struct amd_func *f, const insts *v)
{
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		memcpy(&f->blocks.data[k]->insts, &v[k], sizeof *v);
		for (uint32_t j = 0; j < v[k].len; j++) {
			struct amd_inst *i = v[k].data[j];
			for (uint32_t o = 0; o < i->nops; o++)
				if (i->ops[o].kind == AMD_OPND_TEMP && !i->ops[o].fixed)
					i->ops[o].reg = AMD_NOREG;
		}
	}
}

/* Registers that an instruction without a place in the code moves. */
static uint32_t moved(const struct amd_inst *i)
{
	uint32_t n = 0, at = 0;
	switch (i->op) {
	case amd_p_parallelcopy:
		for (uint32_t k = 0; k < i->ndefs; k++)
			n += i->ops[k].kind == AMD_OPND_TEMP && i->ops[k].reg != i->defs[k].reg ? amd_rc_size(i->defs[k].rc) : 0;
		return n;
	case amd_p_create_vector:
		for (uint32_t k = 0; k < i->nops; at += amd_rc_size(i->ops[k++].rc))
			n += i->ops[k].kind == AMD_OPND_TEMP && i->ops[k].reg != i->defs[0].reg + at ? amd_rc_size(i->ops[k].rc) : 0;
		return n;
	case amd_p_split_vector:
		for (uint32_t k = 0; k < i->ndefs; at += amd_rc_size(i->defs[k++].rc))
			n += !i->defs[k].kill && i->defs[k].reg != i->ops[0].reg + at ? amd_rc_size(i->defs[k].rc) : 0;
		return n;
	case amd_p_extract_vector:
		n = amd_rc_size(i->defs[0].rc);
		return i->defs[0].reg != i->ops[0].reg + (uint32_t)i->imm * n ? n : 0;
	default:
		return 0;
	}
}

static uint64_t often(const struct amd_block *b)
{
	return b->cold ? 1 : (uint64_t)16 << 3 * (b->loop_depth < 5 ? b->loop_depth : 5);
}

static uint64_t cost(const struct amd_func *f)
{
	uint64_t sum = 0;
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		const struct amd_block *b = f->blocks.data[k];
		for (uint32_t j = 0; j < b->insts.len; j++) {
			const struct amd_inst *i = b->insts.data[j];
			sum += moved(i) * often(b);
			const uint32_t *preds = i->op == amd_p_phi ? b->lane_preds.data : b->wave_preds.data;
			for (uint32_t o = 0; amd_is_phi(i) && !i->defs[0].kill && o < i->nops; o++)
				if (i->ops[o].kind == AMD_OPND_TEMP && i->ops[o].reg != i->defs[0].reg)
					sum += amd_rc_size(i->defs[0].rc) * often(f->blocks.data[preds[o]]);
		}
	}
	return sum;
}

/* All vector registers that a walk has used. */
static uint32_t used(const struct amd_func *f)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < f->blocks.len; k++)
		for (uint32_t j = 0; j < f->blocks.data[k]->insts.len; j++) {
			const struct amd_inst *i = f->blocks.data[k]->insts.data[j];
			for (uint32_t d = 0; d < i->ndefs; d++)
				if (amd_rc_vector(i->defs[d].rc) && i->defs[d].reg - AMD_VGPR0 + amd_rc_size(i->defs[d].rc) > n)
					n = i->defs[d].reg - AMD_VGPR0 + amd_rc_size(i->defs[d].rc);
		}
	return n;
}

/* Ways to walk: with as many registers as cost no occupancy, or as there is demand for. Others than the first are tried while too many are used,
 * those that are not `last` also for fewer moves, where these have no half of a VOPD instruction to hide in. */
static const struct way {
	bool tight, last;
	uint8_t from_top;
} ways[] = {{false, false, 0}, {true, false, 1}, {true, true, 0}, {true, true, 2}, {true, true, 3}};
enum { WAYS = sizeof ways / sizeof *ways };

void amd_regalloc(struct amd_func *f)
{
	const uint32_t limit[2] = {vector_limit(f, false), vector_limit(f, true)};
	insts *before = save(f);
	uint64_t least = UINT64_MAX;
	uint32_t best = 0, now = 0;
	bool over = true, fewer = !f->target->has_vopd;
	for (uint32_t k = 0; k < WAYS && !(f->seed && k) && (over || (least && fewer && !ways[k].last)); k++) {
		restore(f, before);
		walk(f, limit[ways[k].tight], ways[k].from_top);
		now = k;
		uint64_t moves = cost(f);
		bool too_many = used(f) + f->spill_vgprs > limit[1];
		if (moves > least || (moves == least && too_many >= over))
			continue;
		best = k;
		least = moves;
		over = too_many;
	}
	if (best != now) {
		restore(f, before);
		walk(f, limit[ways[best].tight], ways[best].from_top);
	}
	f->spill_base = used(f);
	f->allocated = true;
}
