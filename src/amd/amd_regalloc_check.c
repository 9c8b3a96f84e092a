/* Replays the register file and checks that each read finds the value it should.
 *
 * requires: f->allocated, before amd_out_of_ssa.
 * ensures: along every path of its graph (vectors: lane, scalars: wave) each operand's register holds the operand's temporary; tied
 *   operands and their results share a register; definitions overlap neither each other nor late operands; each temporary is
 *   computed in one place, everything else is a copy of it. ice() names the first fault.
 *
 * Forward dataflow; a register holds dword k of temporary t, or nothing known. Independent of the allocator's data. */
#include "amd/amd.h"

typedef uint64_t cell; /* temp << 8 | dword; 0: nothing known */
enum { TOP = 1 };      /* not yet reached; temp 0 has no dword 1 */

struct check {
	struct amd_func *f;
	struct arena tmp;
	cell (*out)[AMD_NREGS];
	bool *reached;
	uint8_t *defined; /* by temporary: computed somewhere */
	bool report;
};

static cell held(uint32_t temp, uint32_t k)
{
	return (cell)temp << 8 | k;
}

_Noreturn static void fault(struct check *c, const struct amd_block *b, const struct amd_inst *i, const char *what, uint32_t temp, uint32_t reg)
{
	arena_free(&c->tmp);
	amd_ice(c->f, "regalloc_check", b, i, "%s: %%%u in register %u", what, temp, reg);
}

static void read_operand(struct check *c, const struct amd_block *b, const struct amd_inst *i, const struct amd_operand *o, const cell *file)
{
	if (o->kind != AMD_OPND_TEMP)
		return;
	for (uint32_t k = 0; k < amd_rc_size(o->rc); k++)
		if (file[o->reg + k] != held(o->temp, k))
			fault(c, b, i, "reads a register without its value", o->temp, o->reg + k);
}

static void forget(cell *file, uint32_t temp)
{
	for (uint32_t r = 0; r < AMD_NREGS; r++)
		if (file[r] >> 8 == temp)
			file[r] = 0;
}

static void write_def(cell *file, const struct amd_def *d)
{
	for (uint32_t k = 0; d->reg != AMD_NOREG && k < amd_rc_size(d->rc); k++)
		file[d->reg + k] = d->temp ? held(d->temp, k) : 0;
}

/* Definition d of i moves its own temporary. */
static bool is_move(const struct amd_inst *i, uint32_t d)
{
	uint32_t t = i->defs[d].temp;
	if (i->op == amd_p_parallelcopy)
		return i->ops[d].kind == AMD_OPND_TEMP && i->ops[d].temp == t;
	if (!amd_is_phi(i))
		return false;
	for (uint32_t k = 0; k < i->nops; k++)
		if (i->ops[k].kind != AMD_OPND_TEMP || i->ops[k].temp != t)
			return false;
	return i->nops != 0;
}

static void replay_inst(struct check *c, const struct amd_block *b, const struct amd_inst *i, cell *file)
{
	if (c->report)
		for (uint32_t k = 0; k < i->nops; k++)
			read_operand(c, b, i, &i->ops[k], file);
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (i->defs[d].temp && !is_move(i, d))
			forget(file, i->defs[d].temp);
	for (uint32_t d = 0; d < i->ndefs; d++)
		write_def(file, &i->defs[d]);
}

static void meet(cell *file, const cell *from, bool vec)
{
	uint32_t lo = vec ? AMD_VGPR0 : 0, hi = vec ? AMD_NREGS : AMD_VGPR0;
	for (uint32_t r = lo; r < hi; r++)
		file[r] = file[r] == TOP ? from[r] : file[r] == from[r] ? file[r] : 0;
}

static void enter(struct check *c, const struct amd_block *b, cell *file)
{
	for (uint32_t r = 0; r < AMD_NREGS; r++)
		file[r] = TOP;
	for (uint32_t k = 0; k < b->lane_preds.len; k++)
		if (c->reached[b->lane_preds.data[k]])
			meet(file, c->out[b->lane_preds.data[k]], true);
	for (uint32_t k = 0; k < b->wave_preds.len; k++)
		if (c->reached[b->wave_preds.data[k]])
			meet(file, c->out[b->wave_preds.data[k]], false);
	for (uint32_t r = 0; r < AMD_NREGS; r++)
		if (file[r] == TOP)
			file[r] = 0;
	uint32_t n = 0;
	for (; n < b->insts.len && amd_is_phi(b->insts.data[n]); n++) {
		const struct amd_inst *i = b->insts.data[n];
		const uint32_t *preds = i->op == amd_p_phi ? b->lane_preds.data : b->wave_preds.data;
		for (uint32_t k = 0; c->report && k < i->nops; k++)
			if (c->reached[preds[k]])
				read_operand(c, b, i, &i->ops[k], c->out[preds[k]]);
	}
	for (uint32_t k = 0; k < n; k++)
		if (!is_move(b->insts.data[k], 0))
			forget(file, b->insts.data[k]->defs[0].temp);
	for (uint32_t k = 0; k < n; k++)
		write_def(file, &b->insts.data[k]->defs[0]);
}

/* A block behind a back edge may stand before everything that leads to it. */
static bool is_reached(const struct check *c, const struct amd_block *b)
{
	bool reached = b->id == 0;
	for (uint32_t k = 0; k < b->wave_preds.len; k++)
		reached |= c->reached[b->wave_preds.data[k]];
	return reached;
}

static bool replay_block(struct check *c, const struct amd_block *b)
{
	cell file[AMD_NREGS];
	enter(c, b, file);
	for (uint32_t k = 0; k < b->insts.len; k++)
		if (!amd_is_phi(b->insts.data[k]))
			replay_inst(c, b, b->insts.data[k], file);
	bool changed = !c->reached[b->id] || memcmp(file, c->out[b->id], sizeof file) != 0;
	c->reached[b->id] = true;
	memcpy(c->out[b->id], file, sizeof file);
	return changed;
}

static bool overlap(uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
	return a != AMD_NOREG && b != AMD_NOREG && a < b + nb && b < a + na;
}

static void check_constraints(struct check *c, const struct amd_block *b, const struct amd_inst *i)
{
	for (uint32_t d = 0; d < i->ndefs; d++) {
		const struct amd_def *p = &i->defs[d];
		uint32_t n = amd_rc_size(p->rc);
		if (p->reg == AMD_NOREG)
			fault(c, b, i, "definition without register", p->temp, p->reg);
		if (p->temp && !is_move(i, d) && c->defined[p->temp]++)
			fault(c, b, i, "computed a second time", p->temp, p->reg);
		for (uint32_t e = 0; e < d; e++)
			if (overlap(p->reg, n, i->defs[e].reg, amd_rc_size(i->defs[e].rc)))
				fault(c, b, i, "definitions overlap", p->temp, p->reg);
		for (uint32_t o = 0; o < i->nops; o++)
			if (i->ops[o].kind == AMD_OPND_TEMP && i->ops[o].late_kill &&
			    overlap(p->reg, n, i->ops[o].reg, amd_rc_size(i->ops[o].rc)))
				fault(c, b, i, "definition over a late operand", p->temp, p->reg);
	}
	if (amd_op_info[i->op].flags & AMDF_TIED && i->ops[amd_tied_operand(i)].reg != i->defs[0].reg)
		fault(c, b, i, "tied operand elsewhere", i->defs[0].temp, i->defs[0].reg);
}

void amd_regalloc_check(struct amd_func *f)
{
	struct check c = {.f = f};
	uint32_t n = f->blocks.len;
	arena_init(&c.tmp, f->arena->trap);
	c.out = arena_alloc(&c.tmp, n * sizeof *c.out);
	c.reached = NEWN(&c.tmp, bool, n);
	c.defined = NEWN(&c.tmp, uint8_t, f->ntemps);
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t j = 0; j < f->blocks.data[k]->insts.len; j++)
			check_constraints(&c, f->blocks.data[k], f->blocks.data[k]->insts.data[j]);
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t k = 0; k < n; k++)
			if (is_reached(&c, f->blocks.data[k]))
				changed |= replay_block(&c, f->blocks.data[k]);
	}
	c.report = true;
	for (uint32_t k = 0; k < n; k++)
		replay_block(&c, f->blocks.data[k]);
	arena_free(&c.tmp);
}
