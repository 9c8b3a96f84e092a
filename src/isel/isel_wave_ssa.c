/* Scalars and masks that are used where the wave may be without having passed their definition.
 *
 * On the lane graph definitions dominate uses. A wave may statically also skip both, or come to the use along edges that it only takes
 * without lanes for it (a join's mask that is empty there). What such a path brings is never read, but the value must have a place on
 * it: each use takes what the wave graph brings, undefined from where there is no definition, joined by p_wave_phi.
 * requires: blocks in layout order, each temporary defined once. ensures: scalars' definitions dominate their uses on the wave graph.
 * Source: Braun et al., Simple and Efficient Construction of SSA Form (CC 2013). */
#include <stdlib.h>

#include "amd/amd_dom.h"
#include "isel/isel_internal.h"

struct use {
	struct amd_inst *i;
	uint32_t operand, temp, block, order;
	bool at_end; /* needed at the end of the block: by a phi behind it */
};

struct repair {
	struct amd_func *f;
	struct arena *tmp;
	uint32_t *def_block, temp;
	uint32_t *start; /* by block: the temporary that holds the value there; 0: not asked for */
	VEC(struct use) uses;
};
enum { UNDEFINED = UINT32_MAX };

static uint32_t value_at_end(struct repair *r, uint32_t b);

static struct amd_operand operand(struct repair *r, uint32_t t)
{
	if (t != UNDEFINED)
		return amd_use(r->f, t);
	return (struct amd_operand){.kind = AMD_OPND_UNDEF, .rc = r->f->temp_rc.data[r->temp], .reg = AMD_NOREG};
}

static uint32_t value_at_start(struct repair *r, uint32_t b)
{
	struct amd_block *at = r->f->blocks.data[b];
	if (r->start[b])
		return r->start[b];
	if (!at->wave_preds.len)
		return r->start[b] = UNDEFINED;
	if (at->wave_preds.len == 1)
		return r->start[b] = value_at_end(r, at->wave_preds.data[0]);
	struct amd_inst *phi = amd_inst_new(r->f, amd_p_wave_phi, 1, at->wave_preds.len);
	uint32_t t = r->start[b] = amd_temp_new(r->f, r->f->temp_rc.data[r->temp]);
	phi->defs[0] = amd_def_temp(r->f, t);
	for (uint32_t k = 0; k < at->wave_preds.len; k++)
		phi->ops[k] = operand(r, value_at_end(r, at->wave_preds.data[k]));
	vec_push(r->f->arena, &at->insts, NULL);
	memmove(at->insts.data + 1, at->insts.data, (at->insts.len - 1) * sizeof *at->insts.data);
	at->insts.data[0] = phi;
	return t;
}

static uint32_t value_at_end(struct repair *r, uint32_t b)
{
	return r->def_block[r->temp] == b ? r->temp : value_at_start(r, b);
}

static void find_uses(struct repair *r, const struct amd_dom *dom)
{
	struct amd_func *f = r->f;
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k];
		for (uint32_t n = 0; n < b->insts.len; n++) {
			struct amd_inst *i = b->insts.data[n];
			for (uint32_t o = 0; o < i->nops && i->op != amd_p_phi; o++) {
				if (i->ops[o].kind != AMD_OPND_TEMP || amd_rc_vector(i->ops[o].rc))
					continue;
				bool phi = i->op == amd_p_wave_phi;
				struct use u = {i, o, i->ops[o].temp, phi ? b->wave_preds.data[o] : k, r->uses.len, phi};
				if (dom->idom[u.block] != UINT32_MAX && !amd_dominates(dom, r->def_block[u.temp], u.block))
					vec_push(r->tmp, &r->uses, u);
			}
		}
	}
}

static int by_temp(const void *x, const void *y)
{
	const struct use *a = x, *b = y;
	return a->temp < b->temp ? -1 : a->temp > b->temp ? 1 : a->order < b->order ? -1 : 1;
}

void isel_wave_ssa(struct amd_func *f)
{
	struct arena tmp;
	struct amd_dom dom;
	arena_init(&tmp, f->arena->trap);
	struct repair r = {.f = f, .tmp = &tmp, .def_block = NEWN(&tmp, uint32_t, f->ntemps)};
	for (uint32_t k = 0; k < f->blocks.len; k++)
		for (uint32_t n = 0; n < f->blocks.data[k]->insts.len; n++) {
			const struct amd_inst *i = f->blocks.data[k]->insts.data[n];
			for (uint32_t d = 0; d < i->ndefs; d++)
				r.def_block[i->defs[d].temp] = k;
		}
	amd_dominators(f, true, &tmp, &dom);
	find_uses(&r, &dom);
	if (r.uses.len)
		qsort(r.uses.data, r.uses.len, sizeof *r.uses.data, by_temp);
	r.start = NEWN(&tmp, uint32_t, f->blocks.len);
	for (uint32_t k = 0; k < r.uses.len; k++) {
		struct use *u = &r.uses.data[k];
		if (u->temp != r.temp)
			memset(r.start, 0, f->blocks.len * sizeof *r.start);
		r.temp = u->temp;
		uint32_t t = u->at_end ? value_at_end(&r, u->block) : value_at_start(&r, u->block);
		if (t == UNDEFINED)
			u->i->ops[u->operand] = operand(&r, t);
		else
			u->i->ops[u->operand].temp = t;
	}
	arena_free(&tmp);
}
