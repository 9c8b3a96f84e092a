/* Runs the HIP kernels' code objects on the simulator: run DIR [KERNEL...]. Results are checked against the host. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

#include "hip.h"

uint64_t hip_rnd(struct hip *h)
{
	uint64_t x = h->seed;
	x ^= x << 13, x ^= x >> 7, x ^= x << 17;
	return (h->seed = x) * 0x2545f4914f6cdd1d;
}

void *hip_mem(struct hip *h, size_t n)
{
	return arena_alloc(h->a, n);
}

uint64_t hip_up(struct hip *h, const void *p, size_t n)
{
	uint64_t d = sim_alloc(h->s, n, SIM_MEM_READ | SIM_MEM_WRITE);
	if (p)
		sim_write(h->s, d, p, n);
	return d;
}

void *hip_down(struct hip *h, uint64_t addr, size_t n)
{
	void *p = hip_mem(h, n);
	sim_read(h->s, addr, p, n);
	return p;
}

void hip_arg(struct hip *h, uint64_t x)
{
	h->args[h->nargs++] = x;
}

void hip_argf(struct hip *h, float x)
{
	uint32_t u;
	memcpy(&u, &x, 4);
	hip_arg(h, u);
}

bool hip_go(struct hip *h, const char *kernel, uint32_t gx, uint32_t gy, uint32_t bx, uint32_t by)
{
	unsigned char buf[256] = {0};
	struct sim_launch l = {.grid = {gx, gy, 1}, .block = {bx, by, 1}, .args = buf};
	struct sim_stats st;
	struct sim_fault fault;
	uint32_t n = h->nargs, off, size;
	h->nargs = 0;
	l.kernel = sim_kernel_find(h->m, kernel);
	if (!l.kernel || sim_kernel_nargs(l.kernel) != n) {
		snprintf(h->why, sizeof h->why, "%s: no such kernel, or not of %u arguments", kernel, n);
		return false;
	}
	for (uint32_t k = 0; k < n; k++) {
		sim_kernel_arg(l.kernel, k, &off, &size);
		memcpy(buf + off, &h->args[k], size);
		l.args_size = off + size;
	}
	bool ok = sim_run(h->s, &l, &st, &fault);
	if (!ok)
		snprintf(h->why, sizeof h->why, "%s", fault.text);
	for (int c = 0; c < SIM_CLASSES; c++)
		h->insts += st.insts[c];
	h->lane_insts += st.lane_insts;
	return ok;
}

bool hip_same(struct hip *h, const char *what, const void *got, const void *want, size_t n, size_t size)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t g = 0, w = 0;
		memcpy(&g, (const char *)got + i * size, size);
		memcpy(&w, (const char *)want + i * size, size);
		if (g != w) {
			snprintf(h->why, sizeof h->why, "%s[%zu]: %llx, not %llx", what, i, (unsigned long long)g,
				 (unsigned long long)w);
			return false;
		}
	}
	return true;
}

bool hip_near(struct hip *h, const char *what, size_t i, float got, double want, double ulp, double abs)
{
	float f = (float)want;
	if (isnan(want) ? isnan(got) : got == f)
		return true;
	double unit = fabs((double)nextafterf(f, INFINITY) - (double)f);
	if (!isinf(f) && !isinf(got) && fabs((double)got - want) <= fmax(unit * ulp, abs))
		return true;
	snprintf(h->why, sizeof h->why, "%s[%zu]: %a, not %a", what, i, (double)got, want);
	return false;
}

static void *load(struct arena *a, const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	size_t n = (size_t)ftell(f);
	rewind(f);
	void *z = arena_alloc(a, n);
	n = fread(z, 1, n, f);
	fclose(f);
	unsigned long long full = ZSTD_getFrameContentSize(z, n);
	if (full > 1 << 24)
		return NULL;
	void *p = arena_alloc(a, full);
	*size = ZSTD_decompress(p, full, z, n);
	return ZSTD_isError(*size) ? NULL : p;
}

struct tally {
	int passed, failed;
};

static void run_case(const struct hip_case *c, const char *gpu, const char *opt, const void *elf, size_t size, struct tally *t)
{
	struct arena a;
	struct sim_options o = {.seed = 1};
	const char *err = NULL;
	arena_init(&a, NULL);
	struct hip h = {.a = &a, .seed = 0x9e3779b97f4a7c15};
	clock_t start = clock();
	bool ok = false, there = true;
	h.s = sim_new(gpu, &o, &err);
	if (!h.s)
		snprintf(h.why, sizeof h.why, "%s", err);
	else if ((h.m = sim_load(h.s, elf, size, h.why, sizeof h.why)))
		there = strcmp(opt, "W64") != 0 || sim_kernel_find(h.m, c->name); /* a build of some of the kernels */
	if (h.m && there)
		ok = c->run(&h);
	if (!there) {
		sim_free(h.s);
		arena_free(&a);
		return;
	}
	double sec = (double)(clock() - start) / CLOCKS_PER_SEC;
	printf("%s %s %s %s", ok ? "ok  " : "FAIL", gpu, opt, c->name);
	if (ok)
		printf(" (%.0f ms, %.1f M lane instructions)\n", sec * 1e3, (double)h.lane_insts / 1e6);
	else
		printf(": %s\n", h.why);
	fflush(stdout);
	ok ? t->passed++ : t->failed++;
	if (h.s)
		sim_free(h.s);
	arena_free(&a);
}

static bool wanted(const char *name, int argc, char **argv)
{
	for (int k = 2; k < argc; k++)
		if (!strcmp(argv[k], name))
			return true;
	return argc <= 2;
}

int main(int argc, char **argv)
{
	static const char *const gpus[] = {"gfx1030", "gfx1100"}, *const opts[] = {"O0", "O3", "W64"};
	const struct hip_case *const tables[] = {hip_cases_int, hip_cases_float, hip_cases_core, hip_cases_mode};
	struct tally t = {0, 0};
	struct arena a;
	arena_init(&a, NULL);
	for (int g = 0; g < 2; g++)
		for (int o = 0; o < 3; o++) {
			char path[512];
			size_t size = 0;
			snprintf(path, sizeof path, "%s/%s.%s.co.zst", argc > 1 ? argv[1] : ".", gpus[g], opts[o]);
			void *elf = load(&a, path, &size);
			if (!elf) {
				printf("FAIL %s: cannot be read\n", path);
				t.failed++;
				continue;
			}
			for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
				for (const struct hip_case *c = tables[k]; c->name; c++)
					if (wanted(c->name, argc, argv) && (!c->gpu || !strcmp(c->gpu, gpus[g])))
						run_case(c, gpus[g], opts[o], elf, size, &t);
		}
	arena_free(&a);
	printf("%d passed, %d failed\n", t.passed, t.failed);
	return t.failed != 0;
}
