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
	VEC(struct ir_inst *) found; /* markers, block by block */
	uint32_t *first;             /* by block: its first marker's place in `found`; the next block's is the end */
	uint32_t *kind;              /* by marker: a number of its opcode */
	VEC(uint64_t) kinds;
	uint32_t *side[2];           /* by block: the last branch on whose first or second way it lies */
	uint32_t *on[2];             /* by kind: the last branch that has one on its first or second way alone */
	VEC(struct ir_block *) work, between; /* between: what lies behind the branch, once for each side */
	bitword *parted;             /* blocks that may run with part of the lanes */
	bitword *paired;             /* by marker */
};

/* Marks what lies between a branch and its post-dominator, on one of its ways. */
static void walk(struct meet *m, struct ir_block *d, uint32_t way, uint32_t stamp)
{
	struct arena *a = m->f->arena;
	vec_push(a, &m->work, d->succs[way]);
	while (m->work.len) {
		struct ir_block *b = m->work.data[--m->work.len];
		uint32_t *seen = &m->side[way > 0][b->id];
		if (b == d->ipdom || *seen == stamp)
			continue;
		*seen = stamp;
		bitset_add(m->parted, b->id);
		vec_push(a, &m->between, b);
		for (uint32_t k = 0; k < b->nsuccs && b != d; k++)
			vec_push(a, &m->work, b->succs[k]);
	}
}

/* The side on which alone b lies, or -1. */
static int only_side(const struct meet *m, const struct ir_block *b, uint32_t stamp)
{
	bool on[2] = {m->side[0][b->id] == stamp, m->side[1][b->id] == stamp};
	return on[0] == on[1] ? -1 : on[1];
}

static void find_pairs(struct meet *m, uint32_t stamp)
{
	for (uint32_t again = 0; again < 2; again++)
		for (uint32_t k = 0; k < m->between.len; k++) {
			uint32_t b = m->between.data[k]->id;
			int side = only_side(m, m->between.data[k], stamp);
			for (uint32_t x = m->first[b]; side >= 0 && x < m->first[b + 1]; x++) {
				if (m->found.data[x]->op != IR_meetwarp)
					continue;
				m->on[side][m->kind[x]] = stamp;
				if (again && m->on[!side][m->kind[x]] == stamp)
					bitset_add(m->paired, x);
			}
		}
}

static void find_parted(struct meet *m)
{
	struct ir_func *f = m->f;
	uint32_t stamp = 0;
	ir_each_block(d, f) {
		if (d->nsuccs < 2 || !d->last->divergent)
			continue;
		stamp++;
		m->between.len = 0;
		for (uint32_t k = 0; k < d->nsuccs; k++)
			walk(m, d, k, stamp);
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

static uint32_t kind_of(struct meet *m, uint64_t opcode)
{
	for (uint32_t k = 0; k < m->kinds.len; k++)
		if (m->kinds.data[k] == opcode)
			return k;
	vec_push(m->f->arena, &m->kinds, opcode);
	return m->kinds.len - 1;
}

static bool is_marker(const struct ir_inst *i)
{
	return i->op == IR_wholewarp || i->op == IR_meetwarp;
}

static void find_markers(struct meet *m)
{
	struct ir_func *f = m->f;
	uint32_t nb = f->blocks.len;
	m->first = NEWN(f->arena, uint32_t, nb + 1);
	ir_each_block(b, f) {
		m->first[b->id] = m->found.len;
		ir_each_inst(i, b) if (is_marker(i)) vec_push(f->arena, &m->found, i);
	}
	m->first[nb] = m->found.len;
	m->kind = NEWN(f->arena, uint32_t, m->found.len);
	for (uint32_t x = 0; x < m->found.len; x++)
		m->kind[x] = kind_of(m, m->found.data[x]->imm);
	m->parted = bitset_new(f->arena, nb);
	m->paired = bitset_new(f->arena, m->found.len);
	for (uint32_t k = 0; k < 2; k++) {
		m->side[k] = NEWN(f->arena, uint32_t, nb);
		m->on[k] = NEWN(f->arena, uint32_t, m->kinds.len);
	}
}

void ir_legal_meet(struct ir_func *f)
{
	struct meet m = {.f = f};
	bool any = false;
	ir_each_block(b, f) ir_each_inst(i, b) any |= is_marker(i);
	if (!any)
		return;
	ir_dominators(f);
	ir_loops(f);
	ir_divergence(f);
	ir_postdominators(f);
	find_markers(&m);
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
