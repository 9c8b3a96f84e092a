/* The analyses on random control-flow graphs, against definitions: a dominates b if removing a cuts b off; post-dominance likewise from
 * the exits; loops are contiguous and closed; SSA construction and control-flow simplification keep what a program computes; a value
 * that ir_divergence calls uniform is the same in two lanes that differ in their thread index, wherever both come by in step. */

#include "ir/ir.h"
#include "unit.h"

static uint64_t seed = 0x1234567887654321u;
static uint32_t rnd(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 20) % n;
}

static struct arena arena;
static struct diags diags;

enum { REGS = 4, MAX_BLOCKS = 24 };

/* A kernel over four registers: register 0 starts as the thread index, the others as constants. Loops end by a step budget. */
static struct ir_func *random_func(uint32_t nblocks)
{
	struct ir_func *f = ir_func_new(ir_module_new(&arena, &diags), "k");
	struct ir_block *b[MAX_BLOCKS];
	f->is_kernel = true;
	f->nregs = REGS;
	for (uint32_t k = 0; k < nblocks; k++)
		b[k] = ir_block_new(f);
	for (uint32_t k = 0; k < nblocks; k++) {
		struct ir_cursor c = {f, b[k], NULL, 0};
		struct ir_inst *v[REGS];
		for (uint32_t r = 0; r < REGS; r++) {
			if (!k)
				v[r] = r ? ir_const(f, 32, r * 17) : ir_bn(&c, IR_sreg, 32, IR_SREG_TID_X, NULL, 0);
			else
				v[r] = ir_bn(&c, IR_regget, 32, r, NULL, 0);
		}
		for (uint32_t n = k ? rnd(3) : REGS; n > 0; n--) {
			uint32_t to = k ? rnd(REGS) : n - 1;
			struct ir_inst *x = k ? ir_b2(&c, rnd(2) ? IR_add : IR_xor, 32, v[rnd(REGS)], rnd(2) ? v[rnd(REGS)] : ir_const(f, 32, rnd(9)))
					      : v[to];
			ir_bn(&c, IR_regset, 0, to, &x, 1);
			if (k)
				v[to] = x;
		}
		struct ir_inst *st = ir_inst_new(f, IR_store, 0, 2);
		st->args[0] = ir_const(f, 32, 0);
		st->args[1] = v[rnd(REGS)];
		st->mem = (struct ir_mem){.space = IR_SHARED, .bits = 32};
		ir_emit(&c, st);
		uint32_t kind = rnd(8);
		if (k + 1 == nblocks || (kind == 0 && k)) {
			ir_end(&c, IR_exit);
		} else if (kind < 3) {
			ir_br(&c, b[rnd(4) ? k + 1 : 1 + rnd(nblocks - 1)]);
		} else {
			struct ir_inst *p = ir_cmp(&c, IR_icmp, rnd(2) ? IRC_ULT : IRC_EQ, ir_b2(&c, IR_and, 32, v[rnd(REGS)], ir_const(f, 32, 3)),
						   ir_const(f, 32, 1 + rnd(3)));
			ir_condbr(&c, p, b[1 + rnd(nblocks - 1)], b[k + 1]);
		}
	}
	return f;
}

/* --- definitions --- */

static void reach(const struct ir_func *f, struct ir_block *from, const struct ir_block *without, bool backward, bool *seen)
{
	if (from == without || seen[from->id])
		return;
	seen[from->id] = true;
	if (backward)
		for (uint32_t k = 0; k < from->preds.len; k++)
			reach(f, from->preds.data[k], without, backward, seen);
	else
		for (uint32_t k = 0; k < from->nsuccs; k++)
			reach(f, from->succs[k], without, backward, seen);
}

START_TEST(dominators)
{
	for (int round = 0; round < 400; round++) {
		arena_init(&arena, NULL);
		struct ir_func *f = random_func(2 + rnd(MAX_BLOCKS - 2));
		ir_dominators(f);
		ir_each_block(a, f) {
			bool seen[MAX_BLOCKS] = {0};
			reach(f, f->blocks.data[0], a, false, seen);
			ir_each_block(b, f) {
				ck_assert_int_eq(ir_dominates(a, b), !seen[b->id]);
				if (b->idom == a)
					ck_assert(!seen[b->id] && a != b);
			}
		}
		arena_free(&arena);
	}
}
END_TEST

START_TEST(postdominators)
{
	for (int round = 0; round < 400; round++) {
		arena_init(&arena, NULL);
		struct ir_func *f = random_func(2 + rnd(MAX_BLOCKS - 2));
		ir_dominators(f);
		ir_postdominators(f);
		bool endless = false, any[MAX_BLOCKS] = {0};
		ir_each_block(b, f) if (!b->nsuccs) reach(f, b, NULL, true, any);
		ir_each_block(b, f) endless |= !any[b->id];
		ir_each_block(a, f) {
			bool seen[MAX_BLOCKS] = {0};
			ir_each_block(b, f) if (!b->nsuccs) reach(f, b, a, true, seen);
			ir_each_block(b, f) if (!endless)
				ck_assert_int_eq(a->pdom_pre <= b->pdom_pre && b->pdom_post <= a->pdom_post, !seen[b->id]);
		}
		arena_free(&arena);
	}
}
END_TEST

START_TEST(loops)
{
	for (int round = 0; round < 400; round++) {
		arena_init(&arena, NULL);
		struct ir_func *f = random_func(2 + rnd(MAX_BLOCKS - 2));
		ir_dominators(f);
		ir_loops(f);
		ir_each_block(b, f) {
			/* b is in a loop exactly if it reaches itself; an edge goes back only to the header of a loop around it, or an irreducible one */
			bool seen[MAX_BLOCKS] = {0};
			for (uint32_t k = 0; k < b->nsuccs; k++)
				reach(f, b->succs[k], NULL, false, seen);
			ck_assert_int_eq(b->loop != NULL, seen[b->id]);
			for (uint32_t k = 0; k < b->nsuccs; k++) {
				struct ir_block *s = b->succs[k];
				struct ir_loop *l = b->loop;
				bool irreducible = false;
				while (l && l->header != s) {
					irreducible |= l->irreducible;
					l = l->parent;
				}
				if (s->order <= b->order)
					ck_assert(l || irreducible);
			}
			for (struct ir_loop *l = b->loop; l; l = l->parent)
				ck_assert(ir_loop_has(l, b));
		}
		for (uint32_t k = 0; k < f->loops.len; k++) {
			struct ir_loop *l = f->loops.data[k];
			for (uint32_t o = l->header->order; o <= l->last; o++) {
				struct ir_loop *inner = f->blocks.data[o]->loop;
				while (inner && inner != l)
					inner = inner->parent;
				ck_assert(inner == l);
			}
		}
		arena_free(&arena);
	}
}
END_TEST

/* --- running --- */

enum { TRACE = 200 };
struct run {
	uint32_t stores[TRACE], nstores; /* the first TRACE of them */
	uint64_t v[4096];
	uint32_t regs[REGS];
};

static uint64_t value(const struct run *r, const struct ir_inst *x)
{
	return x->op == IR_const ? x->imm : x->op == IR_undef ? 0 : r->v[x->id];
}

static void step(struct run *r, const struct ir_inst *i, uint32_t tid)
{
	struct ir_inst consts[3], *args[3], copy = *i;
	uint64_t bits = 0;
	switch (i->op) {
	case IR_sreg:
		bits = tid;
		break;
	case IR_regget:
		bits = r->regs[i->imm];
		break;
	case IR_regset:
		r->regs[i->imm] = (uint32_t)value(r, i->args[0]);
		break;
	case IR_store:
		if (r->nstores < TRACE)
			r->stores[r->nstores++] = (uint32_t)value(r, i->args[1]);
		break;
	default:
		for (uint32_t k = 0; k < i->nargs; k++) {
			consts[k] = (struct ir_inst){.op = IR_const, .width = i->args[k]->width, .imm = value(r, i->args[k])};
			args[k] = &consts[k];
		}
		copy.args = args;
		ck_assert(ir_fold_const(&copy, &bits));
	}
	r->v[i->id] = bits;
}

/* Executes block b entered from `from`; the next block, NULL at the end. */
static struct ir_block *run_block(struct run *r, struct ir_block *b, const struct ir_block *from, uint32_t tid)
{
	uint64_t phi[16];
	uint32_t n = 0;
	struct ir_inst *i;
	for (i = b->first; i->op == IR_phi; i = i->next)
		phi[n++] = value(r, i->args[ir_pred_index(b, from)]);
	n = 0;
	for (i = b->first; i->op == IR_phi; i = i->next)
		r->v[i->id] = phi[n++];
	for (; i != b->last; i = i->next)
		step(r, i, tid);
	if (!b->nsuccs)
		return NULL;
	return b->succs[b->nsuccs == 1 ? 0 : !value(r, i->args[0])];
}

static void run(struct run *r, struct ir_func *f, uint32_t tid)
{
	struct ir_block *b = f->blocks.data[0], *from = NULL;
	memset(r, 0, sizeof *r);
	ck_assert(f->ninsts < 4096);
	while (b && r->nstores < TRACE) {
		struct ir_block *next = run_block(r, b, from, tid);
		from = b;
		b = next;
	}
}

static void ir_combine_and_gvn(struct ir_func *f)
{
	ir_combine(f);
	ir_gvn(f);
	ir_dce(f);
}

START_TEST(programs)
{
	static void (*const passes[])(struct ir_func *) = {ir_ssa, ir_simplify_cfg, ir_combine_and_gvn, ir_licm, ir_legal_flow};
	static struct run before, after;
	for (int round = 0; round < 1500; round++) {
		arena_init(&arena, NULL);
		struct ir_func *f = random_func(2 + rnd(MAX_BLOCKS - 2));
		uint32_t tid = rnd(32);
		run(&before, f, tid);
		for (size_t p = 0; p < sizeof passes / sizeof *passes; p++) {
			passes[p](f);
			ir_validate(f, "a pass");
			run(&after, f, tid);
			if (before.nstores != after.nstores || memcmp(before.stores, after.stores, before.nstores * sizeof *before.stores)) {
				struct strbuf sb;
				sb_init(&sb, &arena);
				ir_print_func(&sb, f);
				ck_abort_msg("round %d, pass %zu, thread %u\n%s", round, p, tid, sb_str(&sb));
			}
		}
		arena_free(&arena);
	}
}
END_TEST

/* Two lanes in lock step as the wave runs them: the lane whose block comes first in order runs, both if they are in the same block. What
 * both compute together and is called uniform must agree. */
START_TEST(divergence)
{
	static struct run lane[2];
	for (int round = 0; round < 3000; round++) {
		arena_init(&arena, NULL);
		struct ir_func *f = random_func(2 + rnd(MAX_BLOCKS - 2));
		struct ir_block *at[2], *from[2] = {NULL, NULL};
		uint32_t tid[2] = {rnd(32), rnd(32)};
		ir_ssa(f);
		ir_loops(f);
		ir_divergence(f);
		bool irreducible = false;
		for (uint32_t k = 0; k < f->loops.len; k++)
			irreducible |= f->loops.data[k]->irreducible;
		memset(lane, 0, sizeof lane);
		at[0] = at[1] = f->blocks.data[0];
		while ((at[0] || at[1]) && lane[0].nstores < TRACE && lane[1].nstores < TRACE && !irreducible) {
			struct ir_block *now = !at[0] ? at[1] : !at[1] ? at[0] : at[0]->order <= at[1]->order ? at[0] : at[1];
			/* a lane that waits at the header of a loop that the other is still in waits for its iteration to end */
			for (int l = 0; l < 2; l++)
				if (at[l] && at[!l] && at[l] == now && at[!l] != now && now->loop && now->loop->header == now && from[l] &&
				    ir_loop_has(now->loop, from[l]) && ir_loop_has(now->loop, at[!l]))
					now = at[!l];
			bool both = at[0] == now && at[1] == now;
			for (int l = 0; l < 2; l++)
				if (at[l] == now) {
					at[l] = run_block(&lane[l], now, from[l], tid[l]);
					from[l] = now;
				}
			if (!both)
				continue;
			ir_each_inst(i, now) if (i->width && !i->divergent)
				ck_assert_msg(lane[0].v[i->id] == lane[1].v[i->id], "round %d: a value of block %u differs", round, now->id);
		}
		arena_free(&arena);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ir_graph");
	TCase *t = tcase_create("all");
	tcase_set_timeout(t, 60);
	tcase_add_test(t, dominators);
	tcase_add_test(t, postdominators);
	tcase_add_test(t, loops);
	tcase_add_test(t, programs);
	tcase_add_test(t, divergence);
	suite_add_tcase(s, t);
	return unit_run(s);
}
