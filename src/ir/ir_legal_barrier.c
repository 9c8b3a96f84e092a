/* ir_legal_barrier: barriers that the hardware's one barrier for the whole workgroup is not.
 *
 * requires: any IR before ir_legal_int; inlining done.
 * ensures: no `barred`, `bararrive`; a `barrier` left has one argument and is s_barrier.
 *
 * A reduction counts in a word of shared memory the threads whose predicate holds (for `and`: does not hold). It is cleared before the
 * first barrier, counted up to the second, read before the third; so the next reduction cannot clear it too early.
 *
 * A barrier for part of the block, or one that some warps only arrive at, is two words of shared memory: warps that have arrived, which
 * wraps to zero when the last one comes (atomic increment), and a phase, which that one moves on. A waiting wave reads the phase before
 * it arrives and sleeps until it changes; all waves of a workgroup are resident, so the others run. One lane a wave counts: PTX
 * counts a warp whole, once its threads have arrived. The words are cleared at the kernel's start, before a hardware barrier.
 * All barriers that may have the same number as such a one are done so, the rest stay hardware barriers.
 *
 * Source: PTX ISA, barrier{.cta}. */
#include "ir/ir_emit.h"

enum { RED_POPC, RED_AND, RED_OR, BARRIERS = 16, WARP = 32, ANY_ID = -1 };

struct barriers {
	struct ir_func *f;
	struct ir_var *counters;      /* of reductions, a word a barrier */
	struct ir_var *state;         /* arrived and phase, by barrier */
	uint32_t soft;                /* barriers that are done in software, a bit each */
	uint32_t used;                /* those that occur */
};

static struct ir_inst *barrier_new(struct ir_cursor *c, struct ir_inst *id, struct ir_inst *threads)
{
	struct ir_inst *b = ir_inst_new(c->f, IR_barrier, 0, threads ? 2 : 1);
	b->args[0] = id;
	if (threads)
		b->args[1] = threads;
	return ir_emit(c, b);
}

static struct ir_inst *word_access(struct ir_cursor *c, enum ir_op op, uint32_t width, struct ir_inst *address, uint64_t offset,
                                   struct ir_inst *value, enum ir_atom atom)
{
	return ir_access(c, op, width, ir_word(IR_SHARED, 32, IR_RELAXED, atom), address, offset, value, NULL);
}

/* The place of barrier `id` in an array of `step` bytes for each. */
static struct ir_inst *place(struct ir_cursor *c, struct ir_var *v, struct ir_inst *id, uint32_t step)
{
	struct ir_inst *base = ir_inst_new(c->f, IR_symaddr, 32, 0);
	base->sym = v;
	if (ir_is_const(id))
		base->imm = (id->imm & (BARRIERS - 1)) * step;
	base = ir_emit(c, base);
	if (ir_is_const(id))
		return base;
	struct ir_inst *k = ir_b2(c, IR_and, 32, id, ir_const(c->f, 32, BARRIERS - 1));
	return ir_b2(c, IR_add, 32, base, ir_b2(c, IR_mul, 32, k, ir_const(c->f, 32, step)));
}

/* --- reductions --- */

static struct ir_inst *lower_reduction(struct barriers *s, struct ir_inst *i)
{
	struct ir_func *f = s->f;
	struct ir_cursor c = ir_at(f, i);
	struct ir_inst *id = i->args[0], *threads = i->nargs > 2 ? i->args[2] : NULL;
	struct ir_inst *address = place(&c, s->counters, id, 4);
	struct ir_inst *counts = i->imm == RED_AND ? ir_b1(&c, IR_not, 1, i->args[1]) : i->args[1];
	word_access(&c, IR_store, 0, address, 0, ir_const(f, 32, 0), 0);
	barrier_new(&c, id, threads);
	word_access(&c, IR_atom, 0, address, 0, ir_b1(&c, IR_zext, 32, counts), IR_ATOM_ADD);
	barrier_new(&c, id, threads);
	struct ir_inst *sum = word_access(&c, IR_load, 32, address, 0, NULL, 0);
	barrier_new(&c, id, threads);
	if (i->imm == RED_POPC)
		return sum;
	return ir_cmp(&c, IR_icmp, i->imm == RED_AND ? IRC_EQ : IRC_NE, sum, ir_const(f, 32, 0));
}

static void lower_reductions(struct barriers *s)
{
	struct ir_fwd fwd = ir_fwd_new(s->f);
	ir_each_block(b, s->f)
		ir_each_inst_safe(i, b) {
			if (i->op != IR_barred)
				continue;
			if (!s->counters)
				s->counters = ir_shared_words(s->f, "barrier.red", BARRIERS * 4);
			ir_fwd_set(s->f, &fwd, i, lower_reduction(s, i));
			ir_remove(i);
		}
	if (s->counters)
		ir_fwd_apply(s->f, &fwd);
}

/* --- which are done in software --- */

static bool is_barrier(const struct ir_inst *i)
{
	return i->op == IR_barrier || i->op == IR_bararrive;
}

static int id_of(const struct ir_inst *i)
{
	return ir_is_const(i->args[0]) ? (int)(i->args[0]->imm & (BARRIERS - 1)) : ANY_ID;
}

/* A count that is known to be the whole block's is none. */
static bool is_whole(const struct ir_func *f, const struct ir_inst *i)
{
	uint64_t block = (uint64_t)f->reqntid[0] * f->reqntid[1] * f->reqntid[2];
	if (i->op == IR_bararrive)
		return false;
	return i->nargs == 1 || (block && ir_is_const(i->args[1]) && i->args[1]->imm == (block + WARP - 1) / WARP * WARP);
}

static void classify(struct barriers *s)
{
	bool dynamic = false;
	ir_each_block(b, s->f)
		ir_each_inst(i, b) {
			if (!is_barrier(i))
				continue;
			uint32_t bits = id_of(i) == ANY_ID ? (1u << BARRIERS) - 1 : 1u << id_of(i);
			dynamic |= id_of(i) == ANY_ID;
			s->used |= bits;
			if (!is_whole(s->f, i))
				s->soft |= bits;
		}
	if (s->soft && dynamic) /* a number known only at run time may be any of them */
		s->soft = (1u << BARRIERS) - 1;
}

/* --- lowering --- */

/* One lane counts the warp in; the last warp begins the next phase. Goes on in `then`. */
static void count_in(struct ir_cursor *c, struct ir_inst *address, struct ir_inst *warps, struct ir_block *then)
{
	struct ir_func *f = c->f;
	struct ir_block *leader = ir_block_new(f), *last = ir_block_new(f);
	ir_condbr(c, ir_leader(c), leader, then);
	c->block = leader;
	struct ir_inst *limit = ir_b2(c, IR_sub, 32, warps, ir_const(f, 32, 1));
	struct ir_inst *before = word_access(c, IR_atom, 32, address, 0, limit, IR_ATOM_INC);
	ir_condbr(c, ir_cmp(c, IR_icmp, IRC_EQ, before, limit), last, then);
	c->block = last;
	word_access(c, IR_atom, 0, address, 4, ir_const(f, 32, 1), IR_ATOM_ADD);
	ir_br(c, then);
	c->block = then;
}

static struct ir_inst *phase_of(struct ir_cursor *c, struct ir_inst *address)
{
	return ir_b1(c, IR_readfirstlane, 32, word_access(c, IR_load, 32, address, 4, NULL, 0));
}

static void lower_barrier(struct barriers *s, struct ir_inst *i)
{
	struct ir_func *f = s->f;
	struct ir_block *head = i->block, *rest = ir_split(f, i);
	struct ir_cursor c = {f, head, NULL, i->line};
	struct ir_inst *warps = i->nargs > 1 ? ir_b2(&c, IR_shr, 32, i->args[1], ir_const(f, 32, 5)) : ir_sreg32(&c, IR_SREG_NWARPID);
	struct ir_inst *address = place(&c, s->state, i->args[0], 8);
	ir_fence_at(&c, IR_RELEASE, IR_SCOPE_CTA);
	if (i->op == IR_bararrive) {
		count_in(&c, address, warps, rest);
		ir_remove(i);
		return;
	}
	struct ir_block *wait = ir_block_new(f), *sleep = ir_block_new(f), *done = ir_block_new(f);
	struct ir_inst *phase = phase_of(&c, address), *nap = ir_inst_new(f, IR_nanosleep, 0, 1);
	count_in(&c, address, warps, wait);
	ir_condbr(&c, ir_cmp(&c, IR_icmp, IRC_EQ, phase_of(&c, address), phase), sleep, done);
	c.block = sleep;
	nap->args[0] = ir_const(f, 32, 64);
	ir_emit(&c, nap);
	ir_br(&c, wait);
	c.block = done;
	ir_fence_at(&c, IR_ACQUIRE, IR_SCOPE_CTA);
	ir_br(&c, rest);
	ir_remove(i);
}

/* Zeros in the words of the barriers that occur, then a barrier of all. */
static void clear_state(struct barriers *s)
{
	struct ir_func *f = s->f;
	struct ir_cursor c = ir_at(f, f->blocks.data[0]->first);
	for (uint32_t k = 0; k < BARRIERS; k++)
		for (uint32_t word = 0; s->used & s->soft & 1u << k && word < 2; word++)
			word_access(&c, IR_store, 0, place(&c, s->state, ir_const(f, 32, k), 8), 4 * word, ir_const(f, 32, 0), 0);
	ir_barrier_at(&c);
}

/* --- lanes of a warp that are elsewhere --- */

void ir_legal_barrier(struct ir_func *f)
{
	struct barriers s = {.f = f};
	lower_reductions(&s);
	classify(&s);
	if (s.soft)
		s.state = ir_shared_words(f, "barrier.state", (uint32_t)(32 - __builtin_clz(s.used & s.soft)) * 8);
	for (uint32_t k = 0; k < f->blocks.len; k++)
		for (struct ir_inst *i = f->blocks.data[k]->first; i; i = i->next) {
			if (!is_barrier(i))
				continue;
			bool soft = id_of(i) == ANY_ID ? s.soft != 0 : s.soft >> id_of(i) & 1;
			if (soft) {
				lower_barrier(&s, i);
				break; /* the rest of the block is a later one */
			}
			i->nargs = 1;
		}
	if (s.soft)
		clear_state(&s);
}
