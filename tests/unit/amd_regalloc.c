/* The register allocator, its checker and the lowering of pseudos on random functions over random lane and wave graphs. */
#include <stdio.h>
#include <stdlib.h>

#include "amd/amd_copies.h"
#include "amd/amd_live.h"

#include "../amd/gen/gen.c"
#include "../amd/gen/interp.c"
#include "unit.h"

static char failure[1024];
static uint32_t spilled_vgprs, spilled_sgprs;

struct job {
	struct gen_options gen;
	const char *target;
	uint32_t ra_seed, max_vgprs;
	bool mutate;
};

static struct amd_func *allocated(struct arena *a, const struct job *j, struct gen_trace *t)
{
	struct amd_func *f = gen_func(a, amd_target_find(j->target), &j->gen);
	struct diags d;
	diags_init(&d, a);
	f->diags = &d;
	f->seed = j->ra_seed;
	f->max_vgprs = j->max_vgprs;
	amd_validate(f, "gen");
	gen_run_ssa(a, f, j->gen.seed, 400, t);
	if (j->gen.seed & 4) {
		amd_value_number(f);
		amd_validate(f, "value_number");
		amd_combine(f);
		amd_validate(f, "combine");
	}
	amd_live(f);
	amd_validate(f, "live");
	amd_spill(f);
	amd_validate(f, "spill");
	spilled_vgprs += f->stats.spilled_vgprs;
	spilled_sgprs += f->stats.spilled_sgprs;
	if (j->gen.seed & 2) {
		amd_schedule(f);
		amd_validate(f, "schedule");
	}
	amd_regalloc(f);
	amd_validate(f, "regalloc");
	return f;
}

/* Exchanges the registers of two operands of one instruction that read different temporaries of a class; false: there are none. */
static bool swap_two(struct amd_func *f, uint32_t seed)
{
	struct gen g = {.rng = seed * 1000003u + 12345};
	for (uint32_t tries = 0; tries < 2000; tries++) {
		struct amd_block *b = f->blocks.data[rnd(&g, f->blocks.len)];
		struct amd_inst *i = b->insts.data[rnd(&g, b->insts.len)];
		if (i->nops < 2 || amd_is_phi(i))
			continue;
		struct amd_operand *x = &i->ops[rnd(&g, i->nops)], *y = &i->ops[rnd(&g, i->nops)];
		if (x->kind != AMD_OPND_TEMP || y->kind != AMD_OPND_TEMP || x->temp == y->temp || x->rc != y->rc || x->fixed || y->fixed)
			continue;
		uint16_t r = x->reg;
		x->reg = y->reg;
		y->reg = r;
		return true;
	}
	return false;
}

/* Runs a job; false: `failure` says why. */
static bool run(const struct job *j)
{
	struct trap trap;
	struct arena a;
	arena_init(&a, &trap);
	bool ok = true;
	if (setjmp(trap.env)) {
		snprintf(failure, sizeof failure, "seed %u/%u: %.900s", j->gen.seed, j->ra_seed, trap.msg);
		arena_free(&a);
		return false;
	}
	struct gen_trace *t = NEW(&a, struct gen_trace);
	struct amd_func *f = allocated(&a, j, t);
	if (j->mutate && !swap_two(f, j->gen.seed))
		ice(&a, "nothing to mutate: regalloc_check");
	amd_regalloc_check(f);
	if (!j->mutate) {
		amd_out_of_ssa(f);
		amd_validate(f, "out_of_ssa");
		amd_lower_pseudos(f);
		amd_validate(f, "lower_pseudos");
		const char *fault = gen_run_lowered(&a, f, t);
		if (fault) {
			snprintf(failure, sizeof failure, "seed %u/%u: %s", j->gen.seed, j->ra_seed, fault);
			ok = false;
		}
	}
	arena_free(&a);
	return ok;
}

START_TEST(random_functions)
{
	for (uint32_t seed = 1; seed <= 400; seed++)
		for (uint32_t ra = 0; ra < 3; ra++) {
			struct job j = {.gen = {.seed = seed, .size = 6 + seed % 20, .depth = seed % 4, .divergent = seed % 3 != 0, .vectors = 2 + seed % 12},
				.target = seed & 1 ? "gfx1030" : "gfx1100", .ra_seed = ra};
			ck_assert_msg(run(&j), "%s", failure);
		}
}
END_TEST

START_TEST(spilling)
{
	for (uint32_t seed = 1; seed <= 300; seed++)
		for (uint32_t ra = 0; ra < 2; ra++) {
			struct job j = {.gen = {.seed = seed, .size = 10 + seed % 30, .depth = seed % 4, .divergent = seed % 3 != 0, .vectors = 5 + seed % 60},
				.target = seed & 1 ? "gfx1030" : "gfx1100", .ra_seed = ra, .max_vgprs = 20 + seed % 5 * 8};
			ck_assert_msg(run(&j), "%s", failure);
		}
	printf("spilled %u vector and %u scalar temporaries\n", spilled_vgprs, spilled_sgprs);
	ck_assert_uint_gt(spilled_vgprs, 1000);
	ck_assert_uint_gt(spilled_sgprs, 100);
}
END_TEST

START_TEST(mutations_are_reported)
{
	for (uint32_t seed = 1; seed <= 150; seed++) {
		struct job j = {.gen = {.seed = seed, .size = 20, .depth = 2, .divergent = true, .vectors = 6}, .target = "gfx1030", .mutate = true};
		ck_assert_msg(!run(&j), "seed %u: a swapped register was not noticed", seed);
		ck_assert_msg(strstr(failure, "regalloc_check") != NULL, "%s", failure);
	}
}
END_TEST

/* Random parallel copies, executed. */
START_TEST(parallel_copies)
{
	struct gen g = {.rng = 424242};
	for (uint32_t round = 0; round < 3000; round++) {
		struct arena a;
		arena_init(&a, NULL);
		struct amd_func *f = amd_func_new(&a, amd_target_find("gfx1030"), "copies");
		struct amd_block *b = amd_block_new(f);
		struct machine *m = machine(&a, f, true);
		for (uint32_t r = 0; r < AMD_NREGS; r++)
			m->file[r][0] = r * 1000 + 7;
		m->file[AMD_SCC][0] = round & 1;
		m->active = 1;
		uint32_t want[AMD_NREGS], span = 2 + rnd(&g, 12);
		for (uint32_t r = 0; r < AMD_NREGS; r++)
			want[r] = m->file[r][0];
		struct amd_copies *c = amd_copies_new(f);
		amd_copies_start(c, b, 0);
		for (uint32_t k = 0; k < span; k++) {
			for (uint32_t vec = 0; vec < 2; vec++) {
				uint32_t base = vec ? AMD_VGPR0 : 0, dst = base + k, from = rnd(&g, span + 2);
				struct amd_operand o = from >= span ? amd_use_const(rnd(&g, 200) * 1000) : amd_use_reg((uint16_t)(base + from), vec ? AMD_V(1) : AMD_S(1));
				if (rnd(&g, 4) == 0)
					continue;
				amd_copies_add(c, (uint16_t)dst, &o, 0);
				want[dst] = o.kind == AMD_OPND_CONST ? (uint32_t)o.value : base * 1000 + from * 1000 + 7;
			}
		}
		if (rnd(&g, 3) == 0) {
			struct amd_operand o = amd_use_reg((uint16_t)rnd(&g, span), AMD_S(1)), scc = amd_use_reg(AMD_SCC, AMD_S(1));
			amd_copies_add(c, AMD_SCC, &o, 0);
			amd_copies_add(c, 60, &scc, 0);
			want[60] = round & 1;
			want[AMD_SCC] = 1;
		}
		amd_copies_emit(c);
		for (uint32_t k = 0; k < b->insts.len; k++)
			step(m, b->insts.data[k]);
		for (uint32_t r = 0; r < AMD_NREGS; r++)
			if (r != 105)
				ck_assert_msg(m->file[r][0] == want[r], "round %u: register %u is %u, not %u", round, r, m->file[r][0], want[r]);
		arena_free(&a);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("amd_regalloc");
	TCase *t = tcase_create("all");
	tcase_set_timeout(t, 120);
	tcase_add_test(t, parallel_copies);
	tcase_add_test(t, random_functions);
	tcase_add_test(t, spilling);
	tcase_add_test(t, mutations_are_reported);
	suite_add_tcase(s, t);
	return unit_run(s);
}
