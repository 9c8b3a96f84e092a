/* Stores and reloads for the temporaries that amd_spill has chosen. */
#include "amd/amd_spill_internal.h"

enum { REUSE = 3, WEB = 16 };

/* A store into a phi's slot at the end of a predecessor. */
struct slot_copy {
	uint32_t dst, src;         /* slots; src UINT32_MAX: the operand */
	struct amd_operand o;
	amd_rc rc;
	uint32_t held;             /* temporary that already holds src; 0: none */
};

struct apply {
	struct spiller *s;
	struct amd_func *f;
	uint32_t *slot;            /* by temporary, of victims that are not made again */
	uint32_t ntemps;           /* before this round */
	struct amd_inst **def;     /* by temporary */
	uint32_t *def_block, *def_index;
	bool *remat;
	VEC(uint32_t) *web;        /* by temporary: with the same slot; of the web's first */
	uint32_t *web_of;
	/* in the block being rewritten */
	struct amd_block *out;
	uint32_t *cached, *cached_at; /* by victim: temporary that holds it, and position of its last use */
	uint32_t pos, epoch;
	uint32_t *cached_epoch;
};

static bool victim(const struct apply *a, const struct amd_operand *o)
{
	return o->kind == AMD_OPND_TEMP && o->temp < a->ntemps && a->s->victim[o->temp];
}

static bool remakes(const struct amd_inst *i)
{
	switch (i->op) {
	case amd_s_mov_b32:
	case amd_s_mov_b64:
	case amd_v_mov_b32:
		return i->ops[0].kind == AMD_OPND_CONST && i->enc != AMD_ENC_DPP16 && i->enc != AMD_ENC_SDWA && !i->defs[0].fixed;
	case amd_s_movk_i32:
		return !i->defs[0].fixed;
	default:
		return false;
	}
}

static void find_defs(struct apply *a)
{
	for (uint32_t k = 0; k < a->f->blocks.len; k++)
		for (uint32_t j = 0; j < a->f->blocks.data[k]->insts.len; j++) {
			struct amd_inst *i = a->f->blocks.data[k]->insts.data[j];
			for (uint32_t d = 0; d < i->ndefs; d++) {
				uint32_t t = i->defs[d].temp;
				a->def[t] = i;
				a->def_block[t] = k;
				a->def_index[t] = j;
				a->remat[t] = t && remakes(i);
			}
		}
}

/* --- slots --- */

static bool live_at_def(const struct apply *a, uint32_t t, uint32_t x)
{
	const struct amd_liveness *lv = a->s->lv;
	const struct amd_block *b = a->f->blocks.data[a->def_block[x]];
	uint32_t g = lv->global[t];
	bool here = a->def_block[t] == b->id;
	if (!here && (g == UINT32_MAX || !bitset_has(lv->in[b->id], g)))
		return false;
	if (here && a->def_index[t] > a->def_index[x] && !(amd_is_phi(a->def[t]) && amd_is_phi(a->def[x])))
		return false;
	if (g != UINT32_MAX && bitset_has(lv->out[b->id], g))
		return true;
	if (here && amd_is_phi(a->def[t]) && amd_is_phi(a->def[x]))
		return true;
	for (uint32_t k = a->def_index[x] + 1; k < b->insts.len; k++)
		for (uint32_t o = 0; o < b->insts.data[k]->nops; o++)
			if (b->insts.data[k]->ops[o].kind == AMD_OPND_TEMP && b->insts.data[k]->ops[o].temp == t)
				return true;
	return false;
}

static void try_share(struct apply *a, uint32_t t, uint32_t x)
{
	uint32_t w = a->web_of[t], v = a->web_of[x];
	if (w == v || a->f->temp_rc.data[t] != a->f->temp_rc.data[x] || a->web[w].len + a->web[v].len > WEB)
		return;
	for (uint32_t p = 0; p < a->web[w].len; p++)
		for (uint32_t q = 0; q < a->web[v].len; q++) {
			uint32_t y = a->web[w].data[p], z = a->web[v].data[q];
			if (live_at_def(a, y, z) || live_at_def(a, z, y))
				return;
		}
	for (uint32_t q = 0; q < a->web[v].len; q++) {
		vec_push(&a->s->tmp, &a->web[w], a->web[v].data[q]);
		a->web_of[a->web[v].data[q]] = w;
	}
	a->web[v].len = 0;
}

static bool spilled_phi(const struct apply *a, const struct amd_inst *i)
{
	return amd_is_phi(i) && i->defs[0].temp < a->ntemps && a->s->victim[i->defs[0].temp];
}

static void assign_slots(struct apply *a)
{
	struct spiller *s = a->s;
	for (uint32_t t = 1; t < a->ntemps; t++) {
		if (!s->victim[t] || a->remat[t])
			continue;
		a->web_of[t] = t;
		vec_push(&s->tmp, &a->web[t], t);
	}
	for (uint32_t k = 0; k < a->f->blocks.len; k++)
		for (uint32_t j = 0; j < a->f->blocks.data[k]->insts.len; j++) {
			const struct amd_inst *i = a->f->blocks.data[k]->insts.data[j];
			if (!spilled_phi(a, i))
				continue;
			for (uint32_t o = 0; o < i->nops; o++)
				if (victim(a, &i->ops[o]) && !a->remat[i->ops[o].temp])
					try_share(a, i->defs[0].temp, i->ops[o].temp);
		}
	for (uint32_t t = 1; t < a->ntemps; t++)
		if (a->web_of[t] == t) {
			for (uint32_t q = 0; q < a->web[t].len; q++)
				a->slot[a->web[t].data[q]] = s->slots;
			s->slots += amd_rc_size(a->f->temp_rc.data[t]);
		}
}

/* --- code --- */

static struct amd_inst *reload_inst(struct apply *a, uint32_t t, uint32_t line)
{
	struct amd_inst *i;
	if (a->remat[t]) {
		i = amd_inst_new(a->f, a->def[t]->op, 1, a->def[t]->nops);
		i->imm = a->def[t]->imm;
		if (i->nops)
			i->ops[0] = a->def[t]->ops[0];
	} else {
		i = amd_inst_new(a->f, amd_p_reload, 1, 0);
		i->imm = (int32_t)a->slot[t];
	}
	i->line = line;
	i->defs[0] = amd_def_temp(a->f, amd_temp_new(a->f, a->f->temp_rc.data[t]));
	return i;
}

static struct amd_inst *spill_inst(struct apply *a, struct amd_operand o, uint32_t slot, uint32_t line)
{
	struct amd_inst *i = amd_inst_new(a->f, amd_p_spill, 0, 1);
	o.fixed = o.late_kill = o.low = o.neg = o.abs = false;
	o.reg = AMD_NOREG;
	i->ops[0] = o;
	i->imm = (int32_t)slot;
	i->line = line;
	return i;
}

static void cache(struct apply *a, uint32_t t, uint32_t holder)
{
	a->cached[t] = holder;
	a->cached_at[t] = a->pos;
	a->cached_epoch[t] = a->epoch;
}

static void load_operands(struct apply *a, struct amd_inst *i)
{
	for (uint32_t o = 0; o < i->nops; o++) {
		if (!victim(a, &i->ops[o]))
			continue;
		uint32_t t = i->ops[o].temp, holder;
		if (a->cached_epoch[t] == a->epoch && a->pos - a->cached_at[t] <= REUSE) {
			holder = a->cached[t];
		} else {
			struct amd_inst *r = reload_inst(a, t, i->line);
			amd_append(a->f, a->out, r);
			holder = r->defs[0].temp;
		}
		cache(a, t, holder);
		i->ops[o].temp = holder;
	}
}

static bool store_defs(struct apply *a, struct amd_inst *i)
{
	bool gone = false;
	for (uint32_t d = 0; d < i->ndefs; d++) {
		uint32_t t = i->defs[d].temp;
		if (!t || t >= a->ntemps || !a->s->victim[t])
			continue;
		if (a->remat[t]) {
			gone = true;
			continue;
		}
		amd_append(a->f, a->out, spill_inst(a, amd_use(a->f, t), a->slot[t], i->line));
		cache(a, t, t);
	}
	return gone;
}

static bool writes_exec(const struct amd_inst *i)
{
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (i->defs[d].fixed && i->defs[d].reg == AMD_EXEC)
			return true;
	return false;
}

static void rewrite_block(struct apply *a, struct amd_block *b)
{
	struct amd_block out = {0};
	a->out = &out;
	a->epoch++;
	for (uint32_t k = 0; k < b->insts.len; k++) {
		struct amd_inst *i = b->insts.data[k];
		a->pos = k;
		if (amd_is_phi(i)) {
			if (!spilled_phi(a, i))
				amd_append(a->f, &out, i);
			continue;
		}
		load_operands(a, i);
		if (writes_exec(i))
			a->epoch++;
		uint32_t at = out.insts.len;
		amd_append(a->f, &out, i);
		if (store_defs(a, i))
			memmove(out.insts.data + at, out.insts.data + at + 1, (--out.insts.len - at) * sizeof *out.insts.data);
	}
	b->insts.data = out.insts.data;
	b->insts.len = out.insts.len;
	b->insts.cap = out.insts.cap;
}

/* --- phis, before the blocks are rewritten --- */

static uint32_t emit_at(struct apply *a, struct amd_block *p, struct amd_inst *i)
{
	amd_insert(a->f, p, amd_copy_point(p, a->s->vec), i);
	return i->ndefs ? i->defs[0].temp : 0;
}

static void emit_slot_copy(struct apply *a, struct amd_block *p, struct slot_copy *c, uint32_t line)
{
	struct amd_operand o = c->o;
	if (o.kind == AMD_OPND_CONST || o.kind == AMD_OPND_RELOC || (victim(a, &o) && a->remat[o.temp])) {
		struct amd_inst *m = amd_inst_new(a->f, amd_p_parallelcopy, 1, 1);
		if (victim(a, &o))
			m = reload_inst(a, o.temp, line);
		else
			m->ops[0] = o;
		m->line = line;
		m->defs[0] = amd_def_temp(a->f, amd_temp_new(a->f, c->rc));
		o = amd_use(a->f, emit_at(a, p, m));
	} else if (c->held) {
		o = amd_use(a->f, c->held);
	} else if (c->src != UINT32_MAX) {
		o = amd_use(a->f, emit_at(a, p, reload_inst(a, o.temp, line)));
	}
	emit_at(a, p, spill_inst(a, o, c->dst, line));
}

/* Copies between slots are parallel: a slot is written when nothing waits to read it; a cycle is opened by loading one first. */
static void slot_copies(struct apply *a, struct amd_block *p, struct slot_copy *c, uint32_t n, uint32_t line)
{
	while (n) {
		uint32_t k = 0;
		for (; k < n; k++) {
			bool wanted = false;
			for (uint32_t j = 0; j < n; j++)
				wanted |= j != k && !c[j].held && c[j].src == c[k].dst;
			if (!wanted)
				break;
		}
		if (k == n) {
			c[0].held = emit_at(a, p, reload_inst(a, c[0].o.temp, line));
			continue;
		}
		emit_slot_copy(a, p, &c[k], line);
		c[k] = c[--n];
	}
}

static void lower_phis(struct apply *a, struct amd_block *b, uint32_t edge, struct amd_block *p)
{
	VEC(struct slot_copy) copies = {0};
	uint32_t succs = a->s->vec ? p->lane_succs.len : p->wave_succs.len, line = 0;
	for (uint32_t k = 0; k < b->insts.len && amd_is_phi(b->insts.data[k]); k++) {
		struct amd_inst *i = b->insts.data[k];
		struct amd_operand *o = &i->ops[edge];
		if ((i->op == amd_p_phi) != a->s->vec)
			continue;
		line = i->line;
		if (spilled_phi(a, i)) {
			bool mem = victim(a, o) && !a->remat[o->temp];
			uint32_t dst = a->slot[i->defs[0].temp], src = mem ? a->slot[o->temp] : UINT32_MAX;
			if (o->kind != AMD_OPND_UNDEF && src != dst)
				vec_push(&a->s->tmp, &copies, (struct slot_copy){dst, src, *o, i->defs[0].rc, 0});
		} else if (victim(a, o)) {
			if (succs > 1)
				amd_ice(a->f, "spill", b, i, "phi on a critical edge");
			o->temp = emit_at(a, p, reload_inst(a, o->temp, i->line));
		}
	}
	if (copies.len && succs > 1)
		amd_ice(a->f, "spill", b, NULL, "spilled phi on a critical edge");
	slot_copies(a, p, copies.data, copies.len, line);
}

void amd_spill_apply(struct spiller *s)
{
	struct amd_func *f = s->f;
	uint32_t n = f->ntemps;
	struct apply a = {.s = s, .f = f, .ntemps = n};
	a.slot = NEWN(&s->tmp, uint32_t, n);
	a.def = NEWN(&s->tmp, struct amd_inst *, n);
	a.def_block = NEWN(&s->tmp, uint32_t, n);
	a.def_index = NEWN(&s->tmp, uint32_t, n);
	a.remat = NEWN(&s->tmp, bool, n);
	a.web = arena_alloc(&s->tmp, n * sizeof *a.web);
	a.web_of = NEWN(&s->tmp, uint32_t, n);
	a.cached = NEWN(&s->tmp, uint32_t, n);
	a.cached_at = NEWN(&s->tmp, uint32_t, n);
	a.cached_epoch = NEWN(&s->tmp, uint32_t, n);
	find_defs(&a);
	assign_slots(&a);
	uint32_t blocks = f->blocks.len;
	for (uint32_t k = 0; k < blocks; k++) {
		struct amd_block *b = f->blocks.data[k];
		uint32_t preds = s->vec ? b->lane_preds.len : b->wave_preds.len;
		for (uint32_t e = 0; e < preds; e++)
			lower_phis(&a, b, e, f->blocks.data[s->vec ? b->lane_preds.data[e] : b->wave_preds.data[e]]);
	}
	for (uint32_t k = 0; k < blocks; k++)
		rewrite_block(&a, f->blocks.data[k]);
}
