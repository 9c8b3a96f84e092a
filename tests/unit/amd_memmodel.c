/* Every operation, order, scope and space on both generations: the waits, cache bits and invalidates around it are those that LLVM's memory
 * legaliser gives the same access (tests/amd/memmodel/llvm.tsv, recorded by record.py). */
#include <stdio.h>
#include <stdlib.h>

#include "amd/amd_memmodel.h"
#include "unit.h"

static const char *const orders[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};

struct text {
	char s[256];
};

static void add(struct text *t, const char *word)
{
	size_t n = strlen(t->s);
	snprintf(t->s + n, sizeof t->s - n, "%s%s", n ? "; " : "", word);
}

/* What stands in the block, neighbouring waits as one. */
static void describe(struct text *t, const struct amd_func *f, const struct amd_block *b)
{
	bool vm = false, lgkm = false, vs = false;
	for (uint32_t k = 0; k <= b->insts.len; k++) {
		const struct amd_inst *i = k < b->insts.len ? b->insts.data[k] : NULL;
		if (i && i->op == amd_s_waitcnt) {
			struct amd_wait w = amd_wait_decode(f->target, i->imm);
			vm |= w.vm == 0;
			lgkm |= w.lgkm == 0;
			continue;
		}
		if (i && i->op == amd_s_waitcnt_vscnt) {
			vs |= i->imm == 0;
			continue;
		}
		if (vm || lgkm || vs) {
			char wait[32];
			snprintf(wait, sizeof wait, "wait%s%s%s", vm ? " vm" : "", lgkm ? " lgkm" : "", vs ? " vs" : "");
			add(t, wait);
			vm = lgkm = vs = false;
		}
		if (!i || i->op == amd_p_fence)
			continue;
		ck_assert(i->op == amd_buffer_gl0_inv || i->op == amd_buffer_gl1_inv);
		add(t, i->op == amd_buffer_gl0_inv ? "inv gl0" : "inv gl1");
	}
}

static uint32_t find(const char *word, const char *const *list, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		if (!strcmp(word, list[k]))
			return k;
	ck_abort_msg("'%s'?", word);
}

static struct ir_mem access_of(const char *order, const char *scope, const char *space)
{
	static const char *const scopes[] = {"thread", "cta", "cluster", "gpu", "sys"};
	static const char *const spaces[] = {"generic", "global", "const", "shared"};
	struct ir_mem m = {.bits = 32, .space = (uint8_t)find(space, spaces, 4), .scope = (uint8_t)find(scope, scopes, 5)};
	m.is_volatile = !strcmp(order, "volatile");
	m.order = m.is_volatile ? IR_RELAXED : (uint8_t)find(order, orders, 6);
	return m;
}

static void ours(struct text *t, struct amd_func *f, const char *op, const struct ir_mem *m)
{
	struct amd_block before = {0}, after = {0};
	bool load = !strcmp(op, "load"), store = !strcmp(op, "store"), red = !strcmp(op, "red");
	if (!strcmp(op, "fence")) {
		amd_fence(f, &before, m->order, m->scope);
		describe(t, f, &before);
		return;
	}
	amd_fence_before(f, &before, m);
	amd_fence_after(f, &after, m, !store && !red);
	uint32_t cache = amd_mem_cache(f->target, m, load, !load && !store);
	if (!load && !store && !red && m->space != IR_SHARED) /* isel_atomic: returns */
		cache |= AMD_GLC;
	char word[32];
	snprintf(word, sizeof word, "access%s%s%s", cache & AMD_GLC ? " glc" : "", cache & AMD_SLC ? " slc" : "", cache & AMD_DLC ? " dlc" : "");
	describe(t, f, &before);
	add(t, word);
	describe(t, f, &after);
}

static void check_row(struct arena *a, char *line)
{
	char *gpu = strtok(line, "\t"), *name = strtok(NULL, "\t"), *want = strtok(NULL, "\t\n");
	char *op = strtok(name, "."), *order = strtok(NULL, "."), *scope = strtok(NULL, "."), *space = strtok(NULL, ".");
	struct amd_func *f = amd_func_new(a, amd_target_find(gpu), "f");
	struct text t = {{0}};
	struct ir_mem m = access_of(order, scope, space);
	ours(&t, f, op, &m);
	ck_assert_msg(!strcmp(t.s, want ? want : ""), "%s %s.%s.%s.%s: '%s', LLVM has '%s'", gpu, op, order, scope, space, t.s, want ? want : "");
}

START_TEST(as_llvm)
{
	FILE *f = fopen("tests/amd/memmodel/llvm.tsv", "r");
	char line[512];
	struct arena a;
	uint32_t rows = 0;
	ck_assert_ptr_nonnull(f);
	arena_init(&a, NULL);
	for (; fgets(line, sizeof line, f); rows++)
		check_row(&a, line);
	ck_assert_uint_ge(rows, 500);
	fclose(f);
	arena_free(&a);
}
END_TEST

/* Around the workgroup's barrier: everything is done before, L0 forgets after. */
START_TEST(barriers)
{
	struct arena a;
	arena_init(&a, NULL);
	struct amd_func *f = amd_func_new(&a, amd_target_find("gfx1030"), "f");
	struct amd_block before = {0}, after = {0};
	struct text t = {{0}};
	amd_barrier_before(f, &before);
	amd_barrier_after(f, &after);
	describe(&t, f, &before);
	describe(&t, f, &after);
	ck_assert_str_eq(t.s, "wait vm lgkm vs; inv gl0");
	arena_free(&a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("amd_memmodel");
	TCase *tc = tcase_create("rows");
	tcase_add_test(tc, as_llvm);
	tcase_add_test(tc, barriers);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
