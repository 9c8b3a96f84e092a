/* Places one instruction's operands and definitions.
 *
 * The registers before the instruction (`file`) hold what is live and what the instruction reads for the last time; after it, the
 * latter make room for the definitions. What must move does so in one parallel copy before the instruction, so a register that is
 * vacated may be filled at once. Where single moves do not make room, everything of the class is packed anew: what stays live first, by
 * falling size, then, over the same registers, dying operands before and definitions after. */
#include "amd/amd_ra.h"

static bool is_copy(uint32_t x)
{
	return x >= RA_COPY;
}

bool ra_free(const struct ra *r, uint32_t reg, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		if (r->file[reg + k])
			return false;
	return true;
}

static bool dying(const struct ra *r, uint32_t x)
{
	return x == RA_COPY || (!is_copy(x) && r->dying[x] == r->now);
}

/* Free before the instruction and not given to a definition. */
static bool free_both(const struct ra *r, uint32_t reg, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		if (r->file[reg + k] || r->taken[reg + k] == r->now)
			return false;
	return true;
}

static bool free_after(const struct ra *r, uint32_t reg, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		uint32_t x = r->file[reg + k];
		if (r->taken[reg + k] == r->now || (x && !dying(r, x)))
			return false;
	}
	return true;
}

/* Is rc at reg inside the general registers, or a whole special register? */
static bool in_range(const struct ra *r, uint32_t reg, amd_rc rc)
{
	bool vec = amd_rc_vector(rc);
	uint32_t n = amd_rc_size(rc);
	if (vec)
		return reg >= AMD_VGPR0 && reg + n <= AMD_VGPR0 + r->limit[1];
	if (reg % ra_align(rc))
		return false;
	return reg + n <= r->limit[0] || (reg >= AMD_VCC && reg + n <= AMD_VCC + 2) || (reg == AMD_M0 && n == 1);
}

typedef bool (*free_fn)(const struct ra *, uint32_t, uint32_t);

static uint16_t search(struct ra *r, amd_rc rc, free_fn is_free)
{
	bool vec = amd_rc_vector(rc);
	uint32_t n = amd_rc_size(rc), align = ra_align(rc), base = ra_base(vec), end = base + r->limit[vec];
	if (r->f->seed) {
		uint32_t slots = r->limit[vec] / align, start = slots ? ra_random(r, slots) : 0;
		for (uint32_t k = 0; k < slots; k++) {
			uint32_t reg = base + (start + k) % slots * align;
			if (reg + n <= end && is_free(r, reg, n))
				return (uint16_t)reg;
		}
		return AMD_NOREG;
	}
	for (uint32_t reg = base; reg + n <= end; reg += align)
		if (is_free(r, reg, n))
			return (uint16_t)reg;
	return AMD_NOREG;
}

uint16_t ra_first_fit(struct ra *r, amd_rc rc)
{
	return search(r, rc, ra_free);
}

static void fill(struct ra *r, uint32_t reg, uint32_t n, uint32_t x)
{
	for (uint32_t k = 0; k < n; k++)
		r->file[reg + k] = x;
}

static void take(struct ra *r, uint32_t reg, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		r->taken[reg + k] = r->now;
}

static uint16_t original(const struct ra *r, uint32_t t)
{
	return r->moved[t] == r->now ? r->moves.data[r->move_index[t]].from : r->loc[t];
}

static void note_move(struct ra *r, uint32_t t, uint16_t to)
{
	if (r->moved[t] == r->now) {
		r->moves.data[r->move_index[t]].to = to;
	} else {
		r->moved[t] = r->now;
		r->move_index[t] = r->moves.len;
		vec_push(&r->tmp, &r->moves, (struct ra_move){t, r->loc[t], to});
	}
	r->loc[t] = to;
}

static void move(struct ra *r, uint32_t t, uint16_t to)
{
	uint32_t n = amd_rc_size(r->f->temp_rc.data[t]);
	fill(r, r->loc[t], n, 0);
	fill(r, to, n, t);
	note_move(r, t, to);
}

/* --- packing anew --- */

enum item_kind { KEEP /* before and after */, DIES, DEFINES };
struct item {
	uint8_t kind, size, align;
	uint32_t temp;      /* 0: a definition or copy only */
	struct amd_def *def;
	struct ra_move *copy;
	uint16_t reg;
};
typedef VEC(struct item) items;

static void add_item(struct ra *r, items *v, enum item_kind kind, amd_rc rc, uint32_t temp, struct amd_def *def, struct ra_move *copy)
{
	struct item it = {kind, (uint8_t)amd_rc_size(rc), (uint8_t)ra_align(rc), temp, def, copy, 0};
	uint32_t k = v->len;
	vec_push(&r->tmp, v, it);
	/* by kind, then falling alignment and size */
	for (; k > 0; k--) {
		struct item *p = &v->data[k - 1];
		if (p->kind < it.kind || (p->kind == it.kind && (p->align > it.align || (p->align == it.align && p->size >= it.size))))
			break;
		v->data[k] = *p;
	}
	v->data[k] = it;
}

static struct amd_operand *tied(const struct amd_inst *i)
{
	if (!(amd_op_info[i->op].flags & AMDF_TIED) || !i->ndefs)
		return NULL;
	struct amd_operand *o = &i->ops[amd_tied_operand(i)];
	return o->kind == AMD_OPND_TEMP ? o : NULL;
}

static bool general(const struct ra *r, uint32_t reg, bool vec)
{
	return reg >= ra_base(vec) && reg < ra_base(vec) + r->limit[vec];
}

static void collect_items(struct ra *r, struct amd_inst *i, bool vec, items *v)
{
	struct amd_operand *t = tied(i);
	uint32_t base = ra_base(vec);
	bool tied_general = t && amd_rc_vector(t->rc) == vec && !i->defs[0].fixed;
	for (uint32_t k = base; k < base + r->limit[vec]; k++) {
		uint32_t x = r->file[k];
		if (!x || is_copy(x) || r->loc[x] != k || r->pinned[x] == r->now)
			continue;
		amd_rc rc = r->f->temp_rc.data[x];
		if (tied_general && x == t->temp && dying(r, x) && i->defs[0].reg != AMD_NOREG)
			add_item(r, v, KEEP, rc, x, &i->defs[0], NULL);
		else
			add_item(r, v, dying(r, x) ? DIES : KEEP, rc, x, NULL, NULL);
	}
	for (uint32_t d = 0; d < i->ndefs; d++) {
		struct amd_def *p = &i->defs[d];
		if (p->fixed || amd_rc_vector(p->rc) != vec || (p->reg != AMD_NOREG && !general(r, p->reg, vec)))
			continue;
		if (d == 0 && tied_general && p->reg != AMD_NOREG) {
			for (uint32_t c = 0; c < r->copies.len; c++)
				if (r->copies.data[c].temp == t->temp && r->copies.data[c].to == p->reg)
					add_item(r, v, KEEP, p->rc, 0, p, &r->copies.data[c]);
			continue;
		}
		add_item(r, v, DEFINES, p->rc, 0, p, NULL);
	}
}

static void block_rest(struct ra *r, struct amd_inst *i, bool vec, const items *v, bool *before, bool *after)
{
	uint32_t base = ra_base(vec), n = r->limit[vec];
	for (uint32_t k = 0; k < n; k++) {
		uint32_t x = r->file[base + k];
		before[k] = x != 0;
		after[k] = x && !dying(r, x);
	}
	for (uint32_t d = 0; d < i->ndefs; d++)
		for (uint32_t k = 0; i->defs[d].fixed && k < amd_rc_size(i->defs[d].rc); k++)
			if (general(r, i->defs[d].reg + k, vec))
				after[i->defs[d].reg + k - base] = true;
	for (uint32_t j = 0; j < v->len; j++) {
		const struct item *p = &v->data[j];
		uint32_t at = p->temp ? r->loc[p->temp] : p->copy ? p->copy->to : AMD_NOREG;
		for (uint32_t k = 0; at != AMD_NOREG && k < p->size; k++)
			before[at + k - base] = after[at + k - base] = false;
	}
}

static void put_item(struct ra *r, struct item *p, bool vec, bool *before, bool *after)
{
	uint32_t n = r->limit[vec];
	for (uint32_t at = 0; at + p->size <= n; at += p->align) {
		uint32_t k = 0;
		while (k < p->size && !(p->kind != DEFINES && before[at + k]) && !(p->kind != DIES && after[at + k]))
			k++;
		if (k < p->size)
			continue;
		for (k = 0; k < p->size; k++) {
			before[at + k] |= p->kind != DEFINES;
			after[at + k] |= p->kind != DIES;
		}
		p->reg = (uint16_t)(ra_base(vec) + at);
		return;
	}
	amd_ice(r->f, "regalloc", r->b, r->i, "out of %s registers", vec ? "vector" : "scalar");
}

static void repack(struct ra *r, struct amd_inst *i, bool vec)
{
	items v = {0};
	bool before[AMD_NREGS], after[AMD_NREGS];
	collect_items(r, i, vec, &v);
	block_rest(r, i, vec, &v, before, after);
	for (uint32_t j = 0; j < v.len; j++)
		put_item(r, &v.data[j], vec, before, after);
	for (uint32_t j = 0; j < v.len; j++) {
		struct item *p = &v.data[j];
		if (p->temp)
			fill(r, r->loc[p->temp], p->size, 0);
		if (p->copy)
			fill(r, p->copy->to, p->size, 0);
		if (p->def && p->def->reg != AMD_NOREG)
			for (uint32_t k = 0; k < p->size; k++)
				r->taken[p->def->reg + k] = 0;
	}
	for (uint32_t j = 0; j < v.len; j++) {
		struct item *p = &v.data[j];
		if (p->temp) {
			fill(r, p->reg, p->size, p->temp);
			note_move(r, p->temp, p->reg);
		}
		if (p->copy) {
			fill(r, p->reg, p->size, RA_COPY);
			p->copy->to = p->reg;
			tied(i)->reg = p->reg;
		}
		if (p->def) {
			p->def->reg = p->reg;
			take(r, p->reg, p->size);
		}
	}
}

/* --- making room --- */

/* Moves t out of the way of a fixed register. */
static void evict(struct ra *r, struct amd_inst *i, uint32_t t)
{
	amd_rc rc = r->f->temp_rc.data[t];
	if (r->pinned[t] == r->now)
		amd_ice(r->f, "regalloc", r->b, i, "fixed registers conflict over %%%u", t);
	uint16_t to = search(r, rc, free_both);
	if (to == AMD_NOREG) {
		bool vec = amd_rc_vector(rc);
		repack(r, i, vec);
		if (general(r, r->loc[t], vec))
			return;
		to = search(r, rc, free_both);
		if (to == AMD_NOREG)
			amd_ice(r->f, "regalloc", r->b, i, "no register for %%%u, which must move", t);
	}
	move(r, t, to);
}

/* t moves, and what it leaves in its old, fixed place serves the instruction's operand. */
static void leave_copy(struct ra *r, struct amd_inst *i, uint32_t t)
{
	uint16_t old = r->loc[t];
	amd_rc rc = r->f->temp_rc.data[t];
	r->pinned[t] = 0;
	evict(r, i, t);
	fill(r, old, amd_rc_size(rc), RA_COPY);
	vec_push(&r->tmp, &r->copies, (struct ra_move){t, old, old});
}

static void step_aside(struct ra *r, struct amd_inst *i, uint32_t t)
{
	if (r->pinned[t] == r->now)
		leave_copy(r, i, t);
	else
		evict(r, i, t);
}

/* What it costs to clear a window for a definition: dwords to move; UINT32_MAX: cannot. */
static uint32_t window_cost(const struct ra *r, uint32_t reg, uint32_t n)
{
	uint32_t cost = 0, last = 0;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t x = r->file[reg + k];
		if (r->taken[reg + k] == r->now || x == RA_COPY_LATE || (x && !is_copy(x) && r->pinned[x] == r->now))
			return UINT32_MAX;
		if (!x || dying(r, x) || x == last)
			continue;
		last = x;
		cost += amd_rc_size(r->f->temp_rc.data[x]);
	}
	return cost;
}

/* Clears the window; false (nothing done but harmless moves) where its contents find no place. */
static bool clear_window(struct ra *r, uint32_t reg, uint32_t n)
{
	take(r, reg, n);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t x = r->file[reg + k];
		if (!x || dying(r, x))
			continue;
		uint16_t to = search(r, r->f->temp_rc.data[x], free_both);
		if (to == AMD_NOREG) {
			for (k = 0; k < n; k++)
				r->taken[reg + k] = 0;
			return false;
		}
		move(r, x, to);
	}
	return true;
}

static uint16_t make_room(struct ra *r, amd_rc rc)
{
	bool vec = amd_rc_vector(rc);
	uint32_t n = amd_rc_size(rc), align = ra_align(rc), base = ra_base(vec), end = base + r->limit[vec];
	uint32_t best = UINT32_MAX, at = 0;
	for (uint32_t reg = base; reg + n <= end; reg += align) {
		uint32_t cost = window_cost(r, reg, n);
		if (cost < best) {
			best = cost;
			at = reg;
		}
	}
	return best != UINT32_MAX && clear_window(r, at, n) ? (uint16_t)at : AMD_NOREG;
}

/* --- the steps --- */

static void copy_operand(struct ra *r, struct amd_operand *o, uint16_t to, uint32_t mark)
{
	vec_push(&r->tmp, &r->copies, (struct ra_move){o->temp, original(r, o->temp), to});
	fill(r, to, amd_rc_size(o->rc), mark);
	o->reg = to;
}

static bool read_elsewhere(const struct amd_inst *i, const struct amd_operand *o)
{
	for (uint32_t k = 0; k < i->nops; k++)
		if (&i->ops[k] != o && i->ops[k].kind == AMD_OPND_TEMP && i->ops[k].temp == o->temp)
			return true;
	return false;
}

static void fixed_operand(struct ra *r, struct amd_inst *i, struct amd_operand *o)
{
	uint32_t n = amd_rc_size(o->rc), t = o->temp;
	if (r->loc[t] == o->reg) {
		r->pinned[t] = r->now;
		return;
	}
	take(r, o->reg, n);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t x = r->file[o->reg + k];
		if (is_copy(x))
			amd_ice(r->f, "regalloc", r->b, i, "two operands fixed to one register");
		if (x && x != t)
			evict(r, i, x);
	}
	for (uint32_t k = 0; k < n; k++)
		r->taken[o->reg + k] = 0;
	if (dying(r, t) && !read_elsewhere(i, o)) {
		move(r, t, o->reg);
		r->pinned[t] = r->now;
	} else if (!ra_free(r, o->reg, n)) {
		/* t itself overlaps the place */
		evict(r, i, t);
		copy_operand(r, o, o->reg, o->late_kill ? RA_COPY_LATE : RA_COPY);
	} else {
		copy_operand(r, o, o->reg, o->late_kill ? RA_COPY_LATE : RA_COPY);
	}
}

static void fixed_defs(struct ra *r, struct amd_inst *i)
{
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (i->defs[d].fixed)
			take(r, i->defs[d].reg, amd_rc_size(i->defs[d].rc));
	for (uint32_t d = 0; d < i->ndefs; d++)
		for (uint32_t k = 0; i->defs[d].fixed && k < amd_rc_size(i->defs[d].rc); k++) {
			uint32_t x = r->file[i->defs[d].reg + k];
			if (x == RA_COPY_LATE)
				amd_ice(r->f, "regalloc", r->b, i, "late operand in a fixed definition");
			if (!x || dying(r, x))
				continue;
			step_aside(r, i, x);
		}
}

static bool overlaps_taken(const struct ra *r, uint32_t reg, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		if (r->taken[reg + k] == r->now)
			return true;
	return false;
}

static bool usable(const struct ra *r, uint32_t reg, amd_rc rc, free_fn is_free)
{
	return reg < AMD_NREGS && in_range(r, reg, rc) && is_free(r, reg, amd_rc_size(rc));
}

/* The first free place that is not held for parts of another vector. */
static uint16_t search_not_held(struct ra *r, amd_rc rc, uint32_t own, free_fn is_free)
{
	bool vec = amd_rc_vector(rc);
	uint32_t n = amd_rc_size(rc), align = ra_align(rc), base = ra_base(vec), places = (r->limit[vec] - n) / align + 1;
	bool down = vec && r->from_top & (n > 1 ? 2 : 1);
	for (uint32_t p = 0; n <= r->limit[vec] && p < places; p++) {
		uint32_t reg = base + (down ? places - 1 - p : p) * align;
		bool held = false;
		for (uint32_t k = 0; k < n && !held; k++)
			held = r->held[reg + k] && r->held[reg + k] != own;
		if (!held && is_free(r, reg, n))
			return (uint16_t)reg;
	}
	return AMD_NOREG;
}

/* When the part of a vector that has its dword k is made; 0: not after this instruction, in this block. */
static uint32_t part_made_at(const struct ra *r, const struct ra_vector_slot *s, uint32_t k)
{
	uint32_t at = 0;
	for (uint32_t o = 0; s->inst && o < s->inst->nops; at += amd_rc_size(s->inst->ops[o++].rc)) {
		const struct amd_operand *p = &s->inst->ops[o];
		if (k >= at && k < at + amd_rc_size(p->rc))
			return p->kind == AMD_OPND_TEMP && r->made_at[p->temp] > r->number ? r->made_at[p->temp] : r->made_at[s->vector];
	}
	return 0;
}

/* Will the vector's registers at `base` be free for its parts when these are made? */
static bool free_in_time(const struct ra *r, uint32_t base, const struct ra_vector_slot *s, amd_rc part)
{
	amd_rc rc = r->f->temp_rc.data[s->vector];
	if (base >= AMD_NREGS || !in_range(r, base, rc))
		return false;
	for (uint32_t k = 0; k < amd_rc_size(rc); k++) {
		uint32_t x = r->file[base + k];
		if (r->taken[base + k] == r->now || (r->held[base + k] && r->held[base + k] != s->vector))
			return false;
		if (!x || dying(r, x))
			continue;
		if ((k >= s->offset && k < s->offset + amd_rc_size(part)) || is_copy(x) || r->dies_at[x] <= r->number || r->dies_at[x] > part_made_at(r, s, k))
			return false;
	}
	return true;
}

/* A place for the first part of a vector: where the vector would like to be, or in registers whose values end in time. */
static uint16_t first_part(struct ra *r, const struct amd_inst *i, const struct amd_def *def)
{
	const struct ra_vector_slot *s = &r->slot[def->temp];
	uint32_t like = r->rep_reg[ra_rep(r, s->vector)];
	if (like != AMD_NOREG && free_in_time(r, like, s, def->rc))
		return (uint16_t)(like + s->offset);
	for (uint32_t k = 0; k < i->nops; k++) {
		const struct amd_operand *o = &i->ops[k];
		if (o->kind == AMD_OPND_TEMP && dying(r, o->temp) && amd_rc_vector(o->rc) == amd_rc_vector(def->rc) && r->loc[o->temp] >= s->offset &&
		    free_in_time(r, r->loc[o->temp] - s->offset, s, def->rc))
			return r->loc[o->temp];
	}
	return AMD_NOREG;
}

/* A place for definition d by hints, then the first that is free; AMD_NOREG where none is. */
static uint16_t choose(struct ra *r, struct amd_inst *i, uint32_t d, free_fn is_free)
{
	const struct amd_def *def = &i->defs[d];
	if (!r->f->seed || ra_random(r, 4)) {
		struct ra_hint_iter it = {0, 0};
		uint16_t reg;
		while ((reg = ra_next_hint(r, def->temp, d, &it)) != AMD_NOREG)
			if (usable(r, reg, def->rc, is_free))
				return reg;
		const struct ra_part *part = &r->part[def->temp];
		const struct ra_vector_slot *s = &r->slot[part->temp ? part->temp : def->temp];
		if (s->vector && r->vector_base[s->vector] == AMD_NOREG && s->offset >= part->offset) {
			reg = part->temp ? AMD_NOREG : first_part(r, i, def);
			if (reg != AMD_NOREG && usable(r, reg, def->rc, is_free))
				return reg;
			reg = search_not_held(r, r->f->temp_rc.data[s->vector], s->vector, is_free);
			if (reg != AMD_NOREG && usable(r, reg + s->offset - part->offset, def->rc, is_free))
				return (uint16_t)(reg + s->offset - part->offset);
		}
		reg = r->f->seed ? AMD_NOREG : search_not_held(r, def->rc, def->temp ? def->temp : UINT32_MAX, is_free);
		if (reg != AMD_NOREG)
			return reg;
	}
	return search(r, def->rc, is_free);
}

static void tied_def(struct ra *r, struct amd_inst *i, struct amd_operand *o)
{
	struct amd_def *def = &i->defs[0];
	uint32_t t = o->temp, n = amd_rc_size(o->rc);
	for (uint32_t k = 0; !def->fixed && def->reg != AMD_NOREG && k < n; k++)
		r->taken[def->reg + k] = 0;
	if (!def->fixed)
		def->reg = AMD_NOREG;
	if (def->fixed) {
		if (r->loc[t] == def->reg && dying(r, t))
			return;
		for (uint32_t k = 0; k < n; k++)
			if (r->file[def->reg + k] && r->file[def->reg + k] != t)
				evict(r, i, r->file[def->reg + k]);
		if (r->file[def->reg] == t)
			evict(r, i, t);
		copy_operand(r, o, def->reg, RA_COPY);
		return;
	}
	if (dying(r, t) && r->pinned[t] != r->now) {
		if (overlaps_taken(r, r->loc[t], n))
			evict(r, i, t);
		def->reg = r->loc[t];
		take(r, def->reg, n);
		return;
	}
	uint16_t to = choose(r, i, 0, free_both);
	if (to == AMD_NOREG) {
		/* make room in the registers before the instruction, then copy */
		repack(r, i, amd_rc_vector(o->rc));
		if (def->reg != AMD_NOREG) {
			for (uint32_t k = 0; k < n; k++)
				r->taken[def->reg + k] = 0;
			def->reg = AMD_NOREG;
		}
		to = search(r, o->rc, free_both);
		if (to == AMD_NOREG)
			amd_ice(r->f, "regalloc", r->b, i, "no register for the copy of %%%u", t);
	}
	copy_operand(r, o, to, RA_COPY);
	def->reg = to;
	take(r, to, n);
}

static void other_defs(struct ra *r, struct amd_inst *i)
{
	for (;;) {
		uint32_t d = UINT32_MAX;
		for (uint32_t k = 0; k < i->ndefs; k++)
			if (i->defs[k].reg == AMD_NOREG && (d == UINT32_MAX || amd_rc_size(i->defs[k].rc) > amd_rc_size(i->defs[d].rc)))
				d = k;
		if (d == UINT32_MAX)
			return;
		struct amd_def *def = &i->defs[d];
		uint16_t reg = choose(r, i, d, free_after);
		if (reg == AMD_NOREG)
			reg = make_room(r, def->rc);
		if (reg == AMD_NOREG) {
			repack(r, i, amd_rc_vector(def->rc));
			continue;
		}
		def->reg = reg;
		take(r, reg, amd_rc_size(def->rc));
	}
}

static void mark_dying(struct ra *r, struct amd_inst *i)
{
	for (uint32_t k = 0; k < i->nops; k++)
		if (i->ops[k].kind == AMD_OPND_TEMP && i->ops[k].kill && !i->ops[k].late_kill)
			r->dying[i->ops[k].temp] = r->now;
	for (uint32_t k = 0; k < i->nops; k++)
		if (i->ops[k].kind == AMD_OPND_TEMP && i->ops[k].kill && i->ops[k].late_kill)
			r->dying[i->ops[k].temp] = 0;
}

void ra_place_inst(struct ra *r, struct amd_inst *i)
{
	r->i = i;
	r->now++;
	for (uint32_t k = 0; k < i->ndefs; k++)
		if (!i->defs[k].fixed)
			i->defs[k].reg = AMD_NOREG;
	vec_clear(&r->moves);
	vec_clear(&r->copies);
	mark_dying(r, i);
	struct amd_operand *t = tied(i);
	for (uint32_t k = 0; k < i->nops; k++)
		if (i->ops[k].kind == AMD_OPND_TEMP && i->ops[k].fixed)
			fixed_operand(r, i, &i->ops[k]);
	for (uint32_t k = 0; k < i->nops; k++)
		if (i->ops[k].kind == AMD_OPND_TEMP && !i->ops[k].fixed && r->loc[i->ops[k].temp] == AMD_SCC)
			step_aside(r, i, i->ops[k].temp);
	fixed_defs(r, i);
	if (t)
		tied_def(r, i, t);
	other_defs(r, i);
	for (uint32_t k = 0; k < i->nops; k++) {
		struct amd_operand *o = &i->ops[k];
		if (o->kind == AMD_OPND_TEMP && !o->fixed && !(o == t && o->reg != AMD_NOREG))
			o->reg = r->loc[o->temp];
		else if (o->kind == AMD_OPND_UNDEF && amd_op_info[i->op].flags & AMDF_TIED && k == amd_tied_operand(i))
			o->reg = i->defs[0].reg;
	}
}

void ra_spare_scc(struct ra *r, struct amd_inst *i)
{
	uint32_t t = r->file[AMD_SCC];
	if (t && !is_copy(t) && !dying(r, t))
		step_aside(r, i, t);
}

void ra_commit_inst(struct ra *r, struct amd_inst *i)
{
	for (uint32_t k = 0; k < r->copies.len; k++)
		fill(r, r->copies.data[k].to, amd_rc_size(r->f->temp_rc.data[r->copies.data[k].temp]), 0);
	for (uint32_t k = 0; k < i->nops; k++)
		if (i->ops[k].kind == AMD_OPND_TEMP && i->ops[k].first_kill) {
			fill(r, r->loc[i->ops[k].temp], amd_rc_size(i->ops[k].rc), 0);
			r->loc[i->ops[k].temp] = AMD_NOREG;
		}
	if (i->op == amd_p_create_vector && r->vector_base[i->defs[0].temp] != AMD_NOREG)
		for (uint32_t k = 0; k < amd_rc_size(i->defs[0].rc); k++)
			if (r->held[r->vector_base[i->defs[0].temp] + k] == i->defs[0].temp)
				r->held[r->vector_base[i->defs[0].temp] + k] = 0;
	for (uint32_t d = 0; d < i->ndefs; d++) {
		if (!i->defs[d].temp || i->defs[d].kill)
			continue;
		fill(r, i->defs[d].reg, amd_rc_size(i->defs[d].rc), i->defs[d].temp);
		r->loc[i->defs[d].temp] = i->defs[d].reg;
		ra_note_place(r, i->defs[d].temp, i->defs[d].reg);
	}
}
