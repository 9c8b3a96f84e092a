/* Litmus tests on the simulator's weak memory (sim_options.caches):
 *
 *	litmus [--seeds N] [--gpu GFX] [--only SHAPE] [--kind KIND] [--sample N] [--plant WHAT] [-O0] [-v] [--ptx]
 *
 * Compiles each test, runs it with N seeds; a forbidden outcome is a failure. The simulator must show the weak outcome where it is
 * allowed: each shape at least once, or the tests could not fail. --sample N: every N-th test. --plant takes an instruction out of
 * every code object: `gl0_inv`, `gl1_inv`, `vscnt`, `vmcnt`, `lgkmcnt` (waits), `release` (the waits for loads and LDS in front of one for
 * stores), and wants at least one test to fail. */
#include <stdio.h>
#include <stdlib.h>

#include "litmus.h"
#include "ptx.h"
#include "sim/sim.h"

enum plant { PLANT_NONE, PLANT_GL0_INV, PLANT_GL1_INV, PLANT_VSCNT, PLANT_VMCNT, PLANT_LGKMCNT, PLANT_RELEASE, PLANTS };
static const char *const plant_names[PLANTS] = {"none", "gl0_inv", "gl1_inv", "vscnt", "vmcnt", "lgkmcnt", "release"};

struct options {
	uint32_t seeds, sample;
	const char *gpu, *shape, *kind;
	enum plant plant;
	bool o0, verbose, ptx;
};

struct counts {
	uint32_t tests, forbidden, failed, weak_seen, weak_allowed;
	uint32_t by_shape[64]; /* allowed tests that showed the weak outcome */
	uint32_t shape_allowed[64];
};

/* ---- planted faults ---- */

static const uint32_t nop = 0xbf800000;

/* One dword of code, and the one behind it. Encodings: LLVM MC. */
static bool plant_dword(enum plant p, bool g11, uint32_t *d)
{
	switch (p) {
	case PLANT_GL0_INV:
	case PLANT_GL1_INV:
		if (d[0] != (p == PLANT_GL0_INV ? g11 ? 0xe0ac0000u : 0xe1c40000u : g11 ? 0xe0b00000u : 0xe1c80000u) || d[1])
			return false;
		d[0] = d[1] = nop;
		return true;
	case PLANT_VSCNT:
		if (d[0] != (g11 ? 0xbc7c0000u : 0xbbfd0000u))
			return false;
		d[0] = nop;
		return true;
	case PLANT_RELEASE:
		if (d[0] >> 16 != (g11 ? 0xbf89 : 0xbf8c) || d[1] != (g11 ? 0xbc7c0000u : 0xbbfd0000u))
			return false;
		d[0] = nop;
		return true;
	case PLANT_VMCNT:
	case PLANT_LGKMCNT:
		if (d[0] >> 16 != (g11 ? 0xbf89 : 0xbf8c))
			return false;
		if (p == PLANT_VMCNT)
			d[0] |= g11 ? 0xfc00 : 0xc00f;
		else
			d[0] |= g11 ? 0x03f0 : 0x3f00;
		return true;
	default:
		return false;
	}
}

/* A barrier wants its waits for reasons of its own. */
static bool before_barrier(bool g11, const uint8_t *code, size_t size)
{
	enum { NEAR = 10 };
	for (size_t k = 0; k < NEAR && 4 * k + 4 <= size; k++) {
		uint32_t d;
		memcpy(&d, code + 4 * k, 4);
		if (d == (g11 ? 0xbfbd0000u : 0xbf8a0000u))
			return true;
	}
	return false;
}

static uint32_t plant(enum plant p, bool g11, uint8_t *object, size_t size)
{
	uint32_t n = 0;
	for (size_t k = 0; k + 8 <= size; k += 4) {
		uint32_t d[2];
		memcpy(d, object + k, 8);
		if (p == PLANT_RELEASE && before_barrier(g11, object + k, size - k))
			continue;
		n += plant_dword(p, g11, d);
		memcpy(object + k, d, 8);
	}
	return n;
}

/* ---- one test ---- */

static void name_test(const struct litmus_test *t, char buf[160])
{
	snprintf(buf, 160, "%s %s, %s, %s", t->shape->name, t->kind->name, litmus_places[t->place], litmus_spaces[t->space]);
}

struct device {
	struct sim *sim;
	const struct sim_kernel *kernel;
	uint64_t out, mem;
};

enum { OUT_WORDS = (LITMUS_RESULTS + 1) * LITMUS_LANES, MEM_WORDS = LITMUS_VARS * LITMUS_STRIDE };

/* One launch: how many lanes saw the weak outcome; -1: it faulted. */
static int launch(struct device *d, const struct litmus_test *t, uint64_t seed, struct sim_fault *fault)
{
	static const uint32_t zero[OUT_WORDS + MEM_WORDS];
	uint32_t out[OUT_WORDS], mem[MEM_WORDS];
	struct sim_stats stats;
	struct {
		uint64_t out, mem;
		uint32_t shared, pad;
	} args = {d->out, d->mem, t->space == SPACE_GENERIC_SHARED, 0};
	struct sim_launch l = {.kernel = d->kernel, .grid = {t->grid, 1, 1}, .block = {t->block, 1, 1}, .args = &args, .args_size = 20};
	sim_opts(d->sim)->seed = seed;
	sim_write(d->sim, d->out, zero, sizeof out);
	sim_write(d->sim, d->mem, zero, sizeof mem);
	if (!sim_run(d->sim, &l, &stats, fault))
		return -1;
	sim_read(d->sim, d->out, out, sizeof out);
	sim_read(d->sim, d->mem, mem, sizeof mem);
	int n = 0;
	for (uint32_t lane = 0; lane < LITMUS_LANES; lane++)
		n += litmus_is_weak(t, out, mem, lane);
	return n;
}

static bool load(struct device *d, const char *gpu, const void *object, size_t size, char *err)
{
	struct sim_options opt = {.caches = true, .max_insts = 1000000};
	const char *why = NULL;
	d->sim = sim_new(gpu, &opt, &why);
	struct sim_module *m = d->sim ? sim_load(d->sim, object, size, err, 256) : NULL;
	if (!m)
		return false;
	d->kernel = sim_kernel_find(m, "t");
	d->out = sim_alloc(d->sim, OUT_WORDS * 4, SIM_MEM_READ | SIM_MEM_WRITE);
	d->mem = sim_alloc(d->sim, MEM_WORDS * 4, SIM_MEM_READ | SIM_MEM_WRITE);
	return d->kernel && d->out && d->mem;
}

/* How many launches showed the weak outcome; -1, with a message, where one failed. */
static int run_test(const struct options *o, struct ptx_context *ctx, const struct litmus_test *t, char err[1200])
{
	struct arena a;
	struct strbuf sb;
	struct device d = {0};
	const struct ptx_output *out;
	struct ptx_options opt = {.gpu = o->gpu, .opt_level = o->o0 ? PTX_O0 : PTX_O3};
	int weak = 0;
	arena_init(&a, NULL);
	sb_init(&sb, &a);
	litmus_ptx(&sb, t);
	const char *text = sb_str(&sb);
	if (o->ptx)
		fputs(text, stdout);
	if (ptx_compile(ctx, &opt, text, strlen(text), &out) != PTX_OK) {
		snprintf(err, 1200, "line %u: %s", out->diagnostics[0].line, out->diagnostics[0].text);
		weak = -1;
	} else {
		uint8_t *object = arena_alloc(&a, out->object_size);
		memcpy(object, out->object, out->object_size);
		plant(o->plant, o->gpu[3] == '1' && o->gpu[4] == '1', object, out->object_size);
		if (!load(&d, o->gpu, object, out->object_size, err))
			weak = -1;
	}
	for (uint32_t s = 0; weak >= 0 && s < o->seeds; s++) {
		struct sim_fault fault;
		int n = launch(&d, t, s + 1, &fault);
		if (n < 0) {
			snprintf(err, 1200, "seed %u: %s", s + 1, fault.text);
			weak = -1;
		} else if (n) {
			if (t->forbidden && !weak)
				snprintf(err, 1200, "seed %u: the forbidden outcome %s in %d lanes", s + 1, t->shape->outcome, n);
			weak++;
		}
	}
	if (d.sim)
		sim_free(d.sim);
	arena_free(&a);
	return weak;
}

/* ---- all ---- */

static void count(const struct options *o, struct ptx_context *ctx, const struct litmus_test *t, struct counts *c)
{
	char name[160], err[1200] = "";
	uint32_t shape = (uint32_t)(t->shape - litmus_shapes);
	int weak = run_test(o, ctx, t, err);
	name_test(t, name);
	c->tests++;
	c->forbidden += t->forbidden;
	bool bad = weak < 0 || (t->forbidden && weak);
	c->failed += bad;
	if (!t->forbidden) {
		c->weak_allowed++;
		c->shape_allowed[shape]++;
		c->weak_seen += weak > 0;
		c->by_shape[shape] += weak > 0;
	}
	if (o->verbose || (bad && !o->plant))
		printf("%s %s: %s%s%s\n", o->gpu, name, bad ? "FAILED" : t->forbidden ? "never" : weak ? "weak" : "not seen", bad ? ": " : "",
		       err);
}

static void run_gpu(const struct options *o, struct counts *c)
{
	struct ptx_context *ctx = ptx_context_new();
	uint32_t n = 0;
	for (uint32_t s = 0; s < litmus_nshapes; s++)
		for (uint32_t k = 0; k < litmus_nkinds; k++)
			for (int p = 0; p < PLACES; p++)
				for (int v = 0; v < SPACES; v++) {
					struct litmus_test t;
					if (o->shape && strcmp(o->shape, litmus_shapes[s].name))
						continue;
					if (o->kind && strcmp(o->kind, litmus_kinds[k].name))
						continue;
					if (litmus_make(&t, s, k, p, v) && n++ % o->sample == 0)
						count(o, ctx, &t, c);
				}
	ptx_context_free(ctx);
}

/* The weak outcome of each shape must have been possible here. */
static uint32_t unseen(const struct options *o, const struct counts *c)
{
	uint32_t bad = 0;
	for (uint32_t s = 0; s < litmus_nshapes; s++) {
		enum litmus_class cls = litmus_shapes[s].cls;
		if (!c->shape_allowed[s] || o->kind || o->sample > 1 || cls == COHERENCE_SHAPE || cls == ATOMIC_SHAPE)
			continue;
		if (!c->by_shape[s]) {
			printf("%s %s: the weak outcome was never seen where it is allowed\n", o->gpu, litmus_shapes[s].name);
			bad++;
		}
	}
	return bad;
}

static bool option(struct options *o, int argc, char **argv, int *k)
{
	const char *s = argv[*k], *v = *k + 1 < argc ? argv[*k + 1] : "";
	if (!strcmp(s, "-O0"))
		return (o->o0 = true);
	if (!strcmp(s, "-v"))
		return (o->verbose = true);
	if (!strcmp(s, "--ptx"))
		return (o->ptx = true);
	++*k;
	if (!strcmp(s, "--seeds"))
		return (o->seeds = (uint32_t)strtoul(v, NULL, 10)) > 0;
	if (!strcmp(s, "--sample"))
		return (o->sample = (uint32_t)strtoul(v, NULL, 10)) > 0;
	if (!strcmp(s, "--gpu"))
		return (o->gpu = v) != NULL;
	if (!strcmp(s, "--only"))
		return (o->shape = v) != NULL;
	if (!strcmp(s, "--kind"))
		return (o->kind = v) != NULL;
	for (int p = 1; !strcmp(s, "--plant") && p < PLANTS; p++)
		if (!strcmp(v, plant_names[p]))
			return (o->plant = (enum plant)p) != PLANT_NONE;
	return false;
}

int main(int argc, char **argv)
{
	static const char *const gpus[] = {"gfx1030", "gfx1100"};
	struct options o = {.seeds = 20, .sample = 1};
	uint32_t passed = 0, failed = 0;
	for (int k = 1; k < argc; k++)
		if (!option(&o, argc, argv, &k)) {
			fprintf(stderr, "litmus: what is %s?\n", argv[k < argc ? k : argc - 1]);
			return 2;
		}
	const char *only = o.gpu;
	for (int g = 0; g < 2; g++) {
		struct counts c = {0};
		o.gpu = gpus[g];
		if (only && strcmp(only, o.gpu))
			continue;
		run_gpu(&o, &c);
		printf("%s: %u tests of %u seeds, %u forbidden, %u failed; of %u allowed ones %u show the weak outcome\n", o.gpu, c.tests, o.seeds,
		       c.forbidden, c.failed, c.weak_allowed, c.weak_seen);
		if (o.plant) {
			printf("%s without %s: %u tests fail\n", o.gpu, plant_names[o.plant], c.failed);
			passed += c.failed > 0;
			failed += c.failed == 0;
			continue;
		}
		uint32_t bad = unseen(&o, &c);
		passed += c.tests - c.failed;
		failed += c.failed + bad;
	}
	printf("%u passed, %u failed\n", passed, failed);
	return failed ? 1 : 0;
}
