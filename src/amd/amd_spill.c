/* Spilling.
 *
 * requires: amd_live; SSA.
 * ensures: demand fits, or there is a diagnostic; p_spill and p_reload where values wait elsewhere; f->spill_vgprs, f->spill_scratch; liveness anew; the set-up of
 *   FLAT_SCRATCH on gfx10 where scratch is used.
 *
 * Scalars first (they wait in lanes of reserved VGPRs), then vectors (in scratch). Where demand is too high, those temporaries are chosen
 * whose next use is farthest, and they are spilled everywhere: stored once, after their definition, and loaded before each use, so SSA
 * holds. Constants are made again instead. A spilled phi is a phi of memory: its operands are stored to its slot in the predecessors; an
 * operand that is spilled itself and does not interfere shares the slot. Source of the choice: Braun and Hack, "Register Spilling and
 * Live-Range Splitting for SSA-Form Programs", 2009. */
#include "amd/amd_spill.h"
#include "amd/amd_ra.h"
#include "amd/amd_spill_internal.h"

/* TABLE_MAX: functions with more blocks times temporaries see only the block's own uses. */
enum { FAR = 1 << 20, LOOP_EXIT = 1 << 14, SGPR_SPARE = 5, TABLE_MAX = 32 << 20 };


static uint32_t size_of(const struct spiller *s, uint32_t t)
{
	return amd_rc_size(s->f->temp_rc.data[t]);
}

static bool ours(const struct spiller *s, uint32_t t)
{
	return t && amd_rc_vector(s->f->temp_rc.data[t]) == s->vec;
}

/* --- next uses across blocks --- */

static void use_distances(struct spiller *s, const struct amd_block *b, uint32_t *dist)
{
	/* from the end of b to its start */
	uint32_t n = b->insts.len;
	for (uint32_t g = 0; g < s->lv->nglobal; g++)
		dist[g] = dist[g] >= FAR ? FAR : dist[g] + n;
	for (uint32_t k = n; k-- > 0;) {
		const struct amd_inst *i = b->insts.data[k];
		for (uint32_t o = 0; !amd_is_phi(i) && o < i->nops; o++) {
			uint32_t g = i->ops[o].kind == AMD_OPND_TEMP ? s->lv->global[i->ops[o].temp] : UINT32_MAX;
			if (g != UINT32_MAX)
				dist[g] = k;
		}
	}
}

static void distances_out(struct spiller *s, const struct amd_block *b, uint32_t *dist)
{
	const uint32_t *succs = s->vec ? b->lane_succs.data : b->wave_succs.data;
	uint32_t n = s->vec ? b->lane_succs.len : b->wave_succs.len, ng = s->lv->nglobal;
	for (uint32_t g = 0; g < ng; g++)
		dist[g] = FAR;
	for (uint32_t k = 0; k < n; k++) {
		const struct amd_block *to = s->f->blocks.data[succs[k]];
		uint32_t penalty = to->loop_depth < b->loop_depth ? LOOP_EXIT : 0;
		const uint32_t *in = s->dist ? s->dist + (size_t)to->id * ng : NULL;
		for (uint32_t g = 0; in && g < ng; g++)
			if (in[g] + penalty < dist[g])
				dist[g] = in[g] + penalty;
		const uint32_t *preds = s->vec ? to->lane_preds.data : to->wave_preds.data;
		for (uint32_t j = 0; j < to->insts.len && amd_is_phi(to->insts.data[j]); j++) {
			const struct amd_inst *i = to->insts.data[j];
			if ((i->op == amd_p_phi) != s->vec)
				continue;
			for (uint32_t o = 0; o < i->nops; o++)
				if (preds[o] == b->id && i->ops[o].kind == AMD_OPND_TEMP)
					dist[s->lv->global[i->ops[o].temp]] = 0;
		}
	}
}

static void next_uses(struct spiller *s)
{
	uint32_t ng = s->lv->nglobal, n = s->f->blocks.len;
	if ((size_t)ng * n > TABLE_MAX)
		return;
	s->dist = NEWN(&s->tmp, uint32_t, (size_t)ng * n + 1);
	for (size_t k = 0; k < (size_t)ng * n; k++)
		s->dist[k] = FAR;
	for (int pass = 0; pass < 3; pass++)
		for (uint32_t k = n; k-- > 0;) {
			uint32_t *in = s->dist + (size_t)k * ng;
			distances_out(s, s->f->blocks.data[k], in);
			use_distances(s, s->f->blocks.data[k], in);
		}
}

/* --- choosing --- */

struct scan {
	struct spiller *s;
	VEC(uint32_t) live;      /* temporaries of the class, spilled ones excluded */
	uint32_t *at;            /* by temporary: 1 + index in live */
	uint32_t *next;          /* by temporary: index of its next use, from the block's start */
	uint32_t demand;         /* of live */
};

static void scan_add(struct scan *c, uint32_t t)
{
	if (c->at[t] || c->s->victim[t])
		return;
	vec_push(&c->s->tmp, &c->live, t);
	c->at[t] = c->live.len;
	c->demand += size_of(c->s, t);
}

static void scan_remove(struct scan *c, uint32_t t)
{
	if (!c->at[t])
		return;
	uint32_t last = vec_last(&c->live);
	c->live.data[c->at[t] - 1] = last;
	c->at[last] = c->at[t];
	c->live.len--;
	c->at[t] = 0;
	c->demand -= size_of(c->s, t);
}

static bool involved(const struct amd_inst *i, uint32_t t)
{
	for (uint32_t k = 0; i && k < i->nops; k++)
		if (i->ops[k].kind == AMD_OPND_TEMP && i->ops[k].temp == t)
			return true;
	for (uint32_t k = 0; i && k < i->ndefs; k++)
		if (i->defs[k].temp == t)
			return true;
	return false;
}

/* false after a diagnostic: nothing can be spilled any more. */
static bool spill_farthest(struct scan *c, const struct amd_inst *i)
{
	struct spiller *s = c->s;
	uint32_t best = 0;
	for (uint32_t k = 0; k < c->live.len; k++) {
		uint32_t t = c->live.data[k];
		if (s->no_spill[t] || involved(i, t))
			continue;
		if (!best || c->next[t] > c->next[best] || (c->next[t] == c->next[best] && t < best))
			best = t;
	}
	if (!best) {
		if (!s->failed)
			diag_error(s->f->diags, i ? i->line : s->f->line, "%u %s registers do not suffice for this instruction of '%s'", s->limit,
				s->vec ? "vector" : "scalar", s->f->name);
		s->failed = true;
		return false;
	}
	s->victim[best] = true;
	s->chosen++;
	scan_remove(c, best);
	return true;
}

static uint32_t demand_at(struct scan *c, const struct amd_inst *i)
{
	struct spiller *s = c->s;
	struct amd_demand after = {s->vec ? c->demand : 0, s->vec ? 0 : c->demand};
	/* definitions are in `live` unless dead; they are counted by the instruction */
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (ours(s, i->defs[d].temp) && c->at[i->defs[d].temp]) {
			after.vgprs -= s->vec ? size_of(s, i->defs[d].temp) : 0;
			after.sgprs -= s->vec ? 0 : size_of(s, i->defs[d].temp);
		}
	struct amd_demand need = amd_inst_demand(i, after);
	uint32_t n = s->vec ? need.vgprs : need.sgprs;
	/* spilled operands that live on are loaded for this instruction */
	for (uint32_t o = 0; o < i->nops; o++) {
		const struct amd_operand *p = &i->ops[o];
		if (p->kind == AMD_OPND_TEMP && ours(s, p->temp) && s->victim[p->temp] && !p->kill)
			n += amd_rc_size(p->rc);
	}
	return n;
}

static void scan_block(struct scan *c, const struct amd_block *b)
{
	struct spiller *s = c->s;
	uint32_t ng = s->lv->nglobal, n = b->insts.len;
	uint32_t *out = NEWN(&s->tmp, uint32_t, ng + 1);
	distances_out(s, b, out);
	bitset_each(g, s->lv->out[b->id], ng)
	{
		uint32_t t = s->lv->temp[g];
		if (!ours(s, t))
			continue;
		c->next[t] = n + out[g];
		scan_add(c, t);
	}
	uint32_t k = n;
	for (; k > 0 && !amd_is_phi(b->insts.data[k - 1]); k--) {
		const struct amd_inst *i = b->insts.data[k - 1];
		while (demand_at(c, i) > s->limit && spill_farthest(c, i))
			;
		for (uint32_t d = 0; d < i->ndefs; d++)
			if (ours(s, i->defs[d].temp))
				scan_remove(c, i->defs[d].temp);
		for (uint32_t o = 0; o < i->nops; o++)
			if (i->ops[o].kind == AMD_OPND_TEMP && ours(s, i->ops[o].temp)) {
				c->next[i->ops[o].temp] = k - 1;
				scan_add(c, i->ops[o].temp);
			}
	}
	for (uint32_t j = 0; j < k; j++) {
		uint32_t t = b->insts.data[j]->defs[0].temp;
		if (ours(s, t) && b->insts.data[j]->defs[0].kill) {
			c->next[t] = n + FAR;
			scan_add(c, t);
		}
	}
	while (c->demand > s->limit && spill_farthest(c, NULL))
		;
	while (c->live.len)
		scan_remove(c, vec_last(&c->live));
}

static void choose_victims(struct spiller *s)
{
	struct scan c = {.s = s};
	c.at = NEWN(&s->tmp, uint32_t, s->f->ntemps);
	c.next = NEWN(&s->tmp, uint32_t, s->f->ntemps);
	for (uint32_t k = 0; k < s->f->blocks.len; k++) {
		const struct amd_block *b = s->f->blocks.data[k];
		if ((s->vec ? b->vgpr_demand : b->sgpr_demand) > s->limit)
			scan_block(&c, b);
	}
}

static bool fits(const struct spiller *s)
{
	for (uint32_t k = 0; k < s->f->blocks.len; k++) {
		const struct amd_block *b = s->f->blocks.data[k];
		if ((s->vec ? b->vgpr_demand : b->sgpr_demand) > s->limit)
			return false;
	}
	return true;
}

/* Temporaries that earlier rounds made (reloads) are not spilled again; nor are the short ends of spilled ones. */
static void spill_class(struct amd_func *f, bool vec, uint32_t limit, uint32_t *slots, uint32_t *count)
{
	uint32_t first = f->ntemps;
	bool *done = NEWN(f->arena, bool, first);
	for (;;) {
		struct spiller s = {.f = f, .lv = f->live, .vec = vec, .limit = limit, .slots = *slots};
		if (fits(&s))
			return;
		arena_init(&s.tmp, f->arena->trap);
		s.victim = NEWN(&s.tmp, bool, f->ntemps);
		s.no_spill = NEWN(&s.tmp, bool, f->ntemps);
		for (uint32_t t = 1; t < f->ntemps; t++)
			s.no_spill[t] = t >= first || done[t];
		next_uses(&s);
		choose_victims(&s);
		if (s.failed) {
			arena_free(&s.tmp);
			return;
		}
		for (uint32_t t = 1; t < first; t++)
			done[t] |= s.victim[t];
		amd_spill_apply(&s);
		*slots = s.slots;
		*count += s.chosen;
		arena_free(&s.tmp);
		amd_live(f);
	}
}

static bool in_lanes(const struct amd_func *f, uint32_t slots)
{
	return slots > f->spill_vgprs * f->target->wave_size;
}

/* gfx10, HSA: FLAT_SCRATCH is the initial value in two user SGPRs plus the wave's offset in the last system SGPR. */
static void set_up_scratch(struct amd_func *f)
{
	enum { FLAT_SCR_LO = 20 | 31 << 11, FLAT_SCR_HI = 21 | 31 << 11 };
	struct amd_block *b = f->blocks.data[0];
	uint32_t k = 0;
	while (k < b->insts.len && b->insts.data[k]->op != amd_p_startpgm)
		k++;
	if (k == b->insts.len)
		amd_ice(f, "spill", b, NULL, "no p_startpgm");
	struct amd_inst *old = b->insts.data[k], *start = amd_inst_new(f, amd_p_startpgm, old->ndefs + 2u, 0);
	uint32_t user = f->abi.user_sgprs, ids = 0;
	for (uint32_t d = 0; d < 3; d++)
		ids += f->abi.workgroup_id[d];
	for (uint32_t d = 0; d < old->ndefs; d++) {
		start->defs[d] = old->defs[d];
		if (start->defs[d].reg < AMD_VCC && start->defs[d].reg >= user)
			start->defs[d].reg = (uint16_t)(start->defs[d].reg + 2);
	}
	uint32_t init = amd_temp_new(f, AMD_S(2)), offset = amd_temp_new(f, AMD_S(1)), lo = amd_temp_new(f, AMD_S(1)),
		 hi = amd_temp_new(f, AMD_S(1)), sum = amd_temp_new(f, AMD_S(1)), top = amd_temp_new(f, AMD_S(1)),
		 carry = amd_temp_new(f, AMD_S(1));
	start->defs[old->ndefs] = amd_def_fixed(f, init, (uint16_t)user);
	start->defs[old->ndefs + 1u] = amd_def_fixed(f, offset, (uint16_t)(user + 2 + ids));
	f->abi.user_sgprs = (uint16_t)(user + 2);
	b->insts.data[k] = start;
	struct amd_inst *split = amd_inst_new(f, amd_p_split_vector, 2, 1), *add = amd_inst_new(f, amd_s_add_u32, 2, 2),
			*addc = amd_inst_new(f, amd_s_addc_u32, 2, 3), *set_lo = amd_inst_new(f, amd_s_setreg_b32, 0, 1),
			*set_hi = amd_inst_new(f, amd_s_setreg_b32, 0, 1);
	split->defs[0] = amd_def_temp(f, lo);
	split->defs[1] = amd_def_temp(f, hi);
	split->ops[0] = amd_use(f, init);
	add->defs[0] = amd_def_temp(f, sum);
	add->defs[1] = amd_def_fixed(f, carry, AMD_SCC);
	add->ops[0] = amd_use(f, lo);
	add->ops[1] = amd_use(f, offset);
	addc->defs[0] = amd_def_temp(f, top);
	addc->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
	addc->ops[0] = amd_use(f, hi);
	addc->ops[1] = amd_use_const(0);
	addc->ops[2] = amd_use_fixed(f, carry, AMD_SCC);
	set_lo->ops[0] = amd_use(f, sum);
	set_lo->imm = FLAT_SCR_LO;
	set_hi->ops[0] = amd_use(f, top);
	set_hi->imm = FLAT_SCR_HI;
	struct amd_inst *all[] = {split, add, addc, set_lo, set_hi};
	for (uint32_t n = 0; n < 5; n++)
		amd_insert(f, b, k + 1 + n, all[n]);
}

void amd_spill(struct amd_func *f)
{
	uint32_t most = amd_vgpr_limit(f), slots = 0;
	spill_class(f, false, AMD_RA_SGPRS - SGPR_SPARE, &slots, &f->stats.spilled_sgprs);
	f->spill_vgprs = 0;
	while (in_lanes(f, slots))
		f->spill_vgprs++;
	slots = 0;
	if (f->diags->errors)
		return;
	if (f->spill_vgprs >= most) {
		diag_error(f->diags, f->line, "%u vector registers do not suffice for '%s'", most, f->name);
		return;
	}
	spill_class(f, true, most - f->spill_vgprs, &slots, &f->stats.spilled_vgprs);
	if (slots) {
		f->spill_scratch = (f->abi.scratch_bytes + 3) & ~3u;
		f->abi.scratch_bytes = f->spill_scratch + slots * 4;
		f->abi.scratch = true;
	}
	if (f->abi.scratch_bytes > amd_max_scratch(f->target)) {
		diag_error(f->diags, f->line, "'%s' needs %u bytes of scratch a thread with its spills, %u max", f->name, f->abi.scratch_bytes,
		           amd_max_scratch(f->target));
		return;
	}
	if (f->abi.scratch && f->target->gen == 10 && f->is_kernel) {
		set_up_scratch(f);
		amd_live(f);
	}
}
