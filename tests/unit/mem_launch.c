/* What kernels leave behind in their module: slots of shared and local memory's regions and entries of grids' workspaces are free again when a
 * launch has ended, however many there were. */
#include <stdio.h>
#include <stdlib.h>

#include "ptx.h"
#include "sim/sim.h"
#include "../harness/files.h"
#include "unit.h"

struct device {
	struct ptx_context *ctx;
	struct sim *sim;
	struct sim_module *module;
};

static struct device device(const char *gpu, const char *file, uint32_t dynamic)
{
	struct device d = {.ctx = ptx_context_new()};
	struct ptx_options opt = {.gpu = gpu, .check = 1, .dynamic_shared = dynamic};
	const struct ptx_output *out;
	const char *why = NULL;
	char err[512], *text;
	struct arena a;
	arena_init(&a, NULL);
	ck_assert_ptr_nonnull(text = read_file(&a, file, NULL));
	ck_assert_msg(ptx_compile(d.ctx, &opt, text, strlen(text), &out) == PTX_OK, "%s: %s", file, out->diagnostics[0].text);
	ck_assert_int_eq(out->nkernels, 1);
	ck_assert_int_eq(out->kernels[0].dynamic_in_memory, dynamic != 0);
	d.sim = sim_new(gpu, NULL, &why);
	d.module = sim_load(d.sim, out->object, out->object_size, err, sizeof err);
	ck_assert_msg(d.module != NULL, "%s", err);
	arena_free(&a);
	return d;
}

static void drop(struct device *d)
{
	sim_free(d->sim);
	ptx_context_free(d->ctx);
}

static void launch(struct device *d, struct sim_launch *l, const void *args, size_t size)
{
	struct sim_stats stats;
	struct sim_fault fault;
	l->kernel = sim_kernel_find(d->module, "k");
	l->args = args;
	l->args_size = size;
	ck_assert_msg(sim_run(d->sim, l, &stats, &fault), "%s", fault.text);
}

static const char *const gpus[] = {"gfx1030", "gfx1100"};

START_TEST(workspaces)
{
	enum { LAUNCHES = 70, N = 320 }; /* more than there are entries */
	struct device d = device(gpus[_i], "tests/mem/grid_sync.ptx", 0);
	uint32_t first[N], now[N];
	for (int k = 0; k < LAUNCHES; k++) {
		uint64_t args[2] = {sim_alloc(d.sim, 4 * N, SIM_MEM_READ | SIM_MEM_WRITE), sim_alloc(d.sim, 4 * N, SIM_MEM_READ | SIM_MEM_WRITE)};
		struct sim_launch l = {.grid = {5, 1, 1}, .block = {64, 1, 1}};
		launch(&d, &l, args, sizeof args);
		ck_assert(sim_read(d.sim, args[0], k ? now : first, sizeof now));
		if (k)
			ck_assert(!memcmp(now, first, sizeof now));
	}
	drop(&d);
}
END_TEST

START_TEST(regions)
{
	enum { LAUNCHES = 3, N = 130 * 96, BYTES = 100000 };
	struct device d = device(gpus[_i], "tests/mem/shared_dynamic.ptx", BYTES);
	uint32_t *first = calloc(N, 4), *now = calloc(N, 4);
	for (int k = 0; k < LAUNCHES; k++) {
		uint64_t args[1] = {sim_alloc(d.sim, 4 * N, SIM_MEM_READ | SIM_MEM_WRITE)};
		struct sim_launch l = {.grid = {130, 1, 1}, .block = {96, 1, 1}, .dynamic_lds = BYTES};
		launch(&d, &l, args, sizeof args);
		ck_assert(sim_read(d.sim, args[0], k ? now : first, 4 * N));
		if (k)
			ck_assert(!memcmp(now, first, 4 * N));
	}
	free(first);
	free(now);
	drop(&d);
}
END_TEST

/* The same of local memory's, of which there are three. */
START_TEST(threads)
{
	enum { LAUNCHES = 4, N = 80 * 9 };
	struct device d = device(gpus[_i], "tests/mem/local_512k.ptx", 0);
	uint32_t first[N], now[N];
	for (int k = 0; k < LAUNCHES; k++) {
		uint64_t args[1] = {sim_alloc(d.sim, 4 * N, SIM_MEM_READ | SIM_MEM_WRITE)};
		struct sim_launch l = {.grid = {9, 1, 1}, .block = {80, 1, 1}};
		launch(&d, &l, args, sizeof args);
		ck_assert(sim_read(d.sim, args[0], k ? now : first, sizeof now));
		if (k)
			ck_assert(!memcmp(now, first, sizeof now));
	}
	drop(&d);
}
END_TEST

/* A launch may not ask for more than the regions were made for. */
START_TEST(too_much)
{
	struct device d = device(gpus[_i], "tests/mem/shared_dynamic.ptx", 100000);
	uint64_t args[1] = {sim_alloc(d.sim, 4 * 96, SIM_MEM_READ | SIM_MEM_WRITE)};
	struct sim_launch l = {.kernel = sim_kernel_find(d.module, "k"), .grid = {1, 1, 1}, .block = {96, 1, 1}, .dynamic_lds = 100001,
	                       .args = args, .args_size = sizeof args};
	struct sim_stats stats;
	struct sim_fault fault;
	ck_assert(!sim_run(d.sim, &l, &stats, &fault));
	ck_assert_int_eq(fault.kind, SIM_FAULT_LAUNCH);
	drop(&d);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mem_launch");
	TCase *tc = tcase_create("launches");
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, workspaces, 0, 2);
	tcase_add_loop_test(tc, regions, 0, 2);
	tcase_add_loop_test(tc, threads, 0, 2);
	tcase_add_loop_test(tc, too_much, 0, 2);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
