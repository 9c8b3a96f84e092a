/* ir_legal_meet: lanes of a warp that come together by different ways, which those of a wave cannot: they make no progress on their own.
 *
 * A barrier without .aligned (`wholewarp`): where control flow may have parted the lanes, a kernel traps if lanes that wait elsewhere could
 * still come to a barrier.
 * Operations of a warp with a mask (`meetwarp`): lanes may come to two of them with one opcode, each on its side of a divergent branch, and
 * NVIDIA's then exchange what they have (H200). Such a pair is warned of, and traps if lanes that the mask names wait elsewhere.
 * Lanes that come to no such operation before the branch's ways meet are not waited for, as NVIDIA's are not.
 *
 * requires: any IR before ir_legal_int; inlining done.   ensures: no `wholewarp`, `meetwarp`.   breaks: dominators, order.
 * Source: PTX ISA, "barrier{.cta}", "shfl.sync", "vote.sync", "match.sync", "redux.sync", "bar.warp.sync". */
#include "ir/ir_emit.h"

enum { TRAP = 2 };

struct meet {
	struct ir_func *f;
	VEC(struct ir_inst *) found; /* markers */
	uint32_t *side[2];           /* by block: the last branch on whose first or second way it lies */
	bitword *parted;             /* blocks that may run with part of the lanes */
	bitword *paired;             /* by marker */
};

/* Marks what lies between a branch and its post-dominator, on one of its ways. */
static void walk(struct meet *m, struct ir_block *d, uint32_t way, uint32_t stamp)
{
	VEC(struct ir_block *) work = {0};
	vec_push(m->f->arena, &work, d->succs[way]);
	while (work.len) {
		struct ir_block *b = work.data[--work.len];
		uint32_t *seen = &m->side[way > 0][b->id];
		if (b == d->ipdom || *seen == stamp)
			continue;
		*seen = stamp;
		bitset_add(m->parted, b->id);
		for (uint32_t k = 0; k < b->nsuccs && b != d; k++)
			vec_push(m->f->arena, &work, b->succs[k]);
	}
}

/* On which ways of the branch with this stamp a marker lies: 1, 2 or both. */
static uint32_t ways(const struct meet *m, const struct ir_inst *i, uint32_t stamp)
{
	uint32_t b = i->block->id;
	return (uint32_t)(m->side[0][b] == stamp) | (uint32_t)(m->side[1][b] == stamp) << 1;
}

static void find_pairs(struct meet *m, uint32_t stamp)
{
	uint32_t sides = 0;
	for (uint32_t x = 0; x < m->found.len; x++)
		sides |= 1u << ways(m, m->found.data[x], stamp);
	if (!(sides & 1 << 1) || !(sides & 1 << 2))
		return; /* most branches */
	for (uint32_t x = 0; x < m->found.len; x++)
		for (uint32_t y = 0; y < m->found.len && ways(m, m->found.data[x], stamp) == 1; y++)
			if (m->found.data[y]->op == IR_meetwarp && m->found.data[y]->imm == m->found.data[x]->imm &&
			    m->found.data[x]->op == IR_meetwarp && ways(m, m->found.data[y], stamp) == 2) {
				bitset_add(m->paired, x);
				bitset_add(m->paired, y);
			}
}

static void find_parted(struct meet *m)
{
	struct ir_func *f = m->f;
	uint32_t stamp = 0;
	ir_dominators(f);
	ir_loops(f);
	ir_divergence(f);
	ir_postdominators(f);
	ir_each_block(d, f) {
		if (d->nsuccs < 2 || !d->last->divergent)
			continue;
		stamp++;
		for (uint32_t k = 0; k < d->nsuccs; k++)
			walk(m, d, k, stamp);
		if (m->found.len > 1)
			find_pairs(m, stamp);
	}
}

static void check(struct meet *m, struct ir_inst *i)
{
	struct ir_func *f = m->f;
	struct ir_block *head = i->block, *rest = ir_split(f, i), *bad = ir_block_new(f);
	struct ir_cursor c = {f, head, NULL, i->line};
	struct ir_inst *parked = ir_b0(&c, IR_parked, 32), *trap = ir_inst_new(f, IR_brkpt, 0, 0);
	if (i->op == IR_meetwarp)
		parked = ir_b2(&c, IR_and, 32, parked, i->args[0]);
	ir_condbr(&c, ir_cmp(&c, IR_icmp, IRC_EQ, parked, ir_const(f, 32, 0)), rest, bad);
	c.block = bad;
	trap->imm = TRAP;
	ir_emit(&c, trap);
	ir_br(&c, rest);
	ir_remove(i);
}

void ir_legal_meet(struct ir_func *f)
{
	struct meet m = {.f = f};
	ir_each_block(b, f) ir_each_inst(i, b) if (i->op == IR_wholewarp || i->op == IR_meetwarp) vec_push(f->arena, &m.found, i);
	if (!m.found.len)
		return;
	m.parted = bitset_new(f->arena, f->blocks.len);
	m.paired = bitset_new(f->arena, m.found.len);
	for (uint32_t k = 0; k < 2; k++)
		m.side[k] = arena_alloc(f->arena, f->blocks.len * sizeof *m.side[k]);
	find_parted(&m);
	for (uint32_t k = 0; k < m.found.len; k++) {
		struct ir_inst *i = m.found.data[k];
		i->mark = i->op == IR_meetwarp ? bitset_has(m.paired, k) : bitset_has(m.parted, i->block->id);
		if (i->mark && i->op == IR_meetwarp)
			diag_warn(f->module->diags, i->line, "lanes that come here on different sides of a branch do not meet; the kernel traps where they would have to");
	}
	for (uint32_t k = 0; k < m.found.len; k++) {
		if (m.found.data[k]->mark)
			check(&m, m.found.data[k]);
		else
			ir_remove(m.found.data[k]);
	}
}
