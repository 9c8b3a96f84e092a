/* Where clang's code for single operations gives other bits than NVIDIA's hardware, and what it takes to give the same (same_bits.def).
 * Ours stand for NVIDIA's: tests/conformance and tests/approx hold them to it. Numbers are in same_bits.tsv, made by same_bits.sh. */
#include "bench.h"

#include <stdlib.h>

#include "ptx.h"
#include "sim/sim.h"

static const struct row {
	const char *name, *llvm, *inputs;
	uint64_t ulps, seed;
	bool nan, gfx10;
} rows[] = {
#define SAME(name, ulps, seed, llvm, nan, inputs) {name, llvm, inputs, ulps, seed, nan, false},
#define SAME_GFX10(name, ulps, seed, llvm, nan, inputs) {name, llvm, inputs, ulps, seed, nan, true},
#include "same_bits.def"
#undef SAME_GFX10
#undef SAME
};
enum { NROWS = sizeof rows / sizeof *rows, MOST = 1024 };

struct data {
	int n, bits[4]; /* tuples; of each operand and the result */
	uint64_t in[3][MOST];
};

static uint64_t next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	return *s ^= *s << 17;
}

/* The row's tuples, then any: of any exponent, some of them zero, infinite or NaN. */
static int fill(struct data *d, const struct row *r, int nargs)
{
	int listed = 0;
	uint64_t s = 88172645463325252u;
	for (const char *p = r->inputs; *p; p += strcspn(p, ";"), p += *p == ';', listed++)
		for (int k = 0; k < nargs; k++)
			d->in[k][listed] = strtoull(p, (char **)&p, 16);
	for (int i = listed; i < MOST; i++)
		for (int k = 0; k < nargs; k++) {
			uint64_t x = next_random(&s) >> (64 - d->bits[k]);
			if (!(next_random(&s) & 7)) /* a zero or infinity, of either sign, or a NaN */
				x = (next_random(&s) & 1 ? x : 0) & ~((uint64_t)1 << (d->bits[k] - 2)) & (uint64_t)3 << (d->bits[k] - 2);
			d->in[k][i] = x;
		}
	d->n = MOST;
	return listed;
}

static bool run(const struct row *r, uint64_t seed, const char *gpu, const void *object, size_t size, const struct data *d, int nargs, uint64_t *out)
{
	struct sim_options opt = {.approx_seed = seed};
	struct sim_stats stats;
	struct sim_fault fault = {0};
	char err[512] = "";
	const char *why = "";
	uint64_t at[4], bytes[MOST];
	struct sim *sim = sim_new(gpu, &opt, &why);
	struct sim_module *m = sim ? sim_load(sim, object, size, err, sizeof err) : NULL;
	for (int k = 0; m && k < 4; k++) {
		int w = k == 3 ? d->bits[3] / 8 : k < nargs ? d->bits[k] / 8 : 8;
		at[k] = sim_alloc(sim, (uint64_t)w * MOST, SIM_MEM_READ | SIM_MEM_WRITE);
		for (int i = 0; k < nargs && i < d->n; i++)
			memcpy((char *)bytes + (size_t)i * (size_t)w, &d->in[k][i], (size_t)w);
		if (k < nargs)
			sim_write(sim, at[k], bytes, (uint64_t)w * MOST);
	}
	struct sim_launch l = {.kernel = m ? sim_kernel_find(m, "k") : NULL, .grid = {1, 1, 1}, .block = {MOST, 1, 1}, .args = at, .args_size = sizeof at};
	bool ok = m && sim_run(sim, &l, &stats, &fault);
	if (!ok)
		fprintf(stderr, "%s: %s%s%s\n", r->name, why, err, fault.text);
	int w = d->bits[3] / 8;
	if (ok)
		sim_read(sim, at[3], bytes, (uint64_t)w * MOST);
	for (int i = 0; ok && i < MOST; i++) {
		out[i] = 0;
		memcpy(&out[i], (char *)bytes + (size_t)i * (size_t)w, (size_t)w);
	}
	if (sim)
		sim_free(sim);
	return ok;
}

static void put_tuple(const struct data *d, int nargs, int i)
{
	for (int k = 0; k < nargs; k++)
		printf("%s%0*llx", k ? ", " : "", d->bits[k] / 4, (unsigned long long)d->in[k][i]);
}

/* The first listed input at which clang's plain code differs from ours; false where the one made alike differs anywhere. */
static bool compare(struct arena *a, const struct row *r, const char *gpu, const char *plain, const char *same)
{
	static struct data d;
	static uint64_t ours[MOST], theirs[MOST];
	const struct operation *o = operation_find(r->name);
	struct ptx_context *ctx = ptx_context_new();
	struct ptx_options opt = {.gpu = gpu};
	const struct ptx_output *out;
	const char *text = operation_ptx(a, o);
	size_t size;
	if (ptx_compile(ctx, &opt, text, strlen(text), &out) != PTX_OK)
		return false;
	for (int k = 0; k < 4; k++)
		d.bits[k] = operation_bits(a, o, k == 3 ? -1 : k < o->n ? k : 0);
	int listed = fill(&d, r, o->n);
	const char *object = need_file(plain, read_file(a, plain, &size));
	if (!run(r, r->seed, gpu, out->object, out->object_size, &d, o->n, ours) || !run(r, r->seed, gpu, object, size, &d, o->n, theirs))
		return false;
	int i = 0;
	while (i < listed && ours[i] == theirs[i])
		i++;
	if (i < listed) {
		put_tuple(&d, o->n, i);
		printf(": %0*llx, not %0*llx%s\n", d.bits[3] / 4, (unsigned long long)theirs[i], d.bits[3] / 4, (unsigned long long)ours[i],
		       !r->seed ? "" : strncmp(r->name, "sqrt", 4) ? " (where v_rcp errs as far as its manual allows)" : " (where v_rsq errs as far as its manual allows)");
	} else {
		printf("-\n");
	}
	object = need_file(same, read_file(a, same, &size));
	for (int erring = 0; erring <= (r->seed != 0); erring++) {
		if (!run(r, erring ? r->seed : 0, gpu, out->object, out->object_size, &d, o->n, ours) ||
		    !run(r, erring ? r->seed : 0, gpu, object, size, &d, o->n, theirs))
			return false;
		for (i = 0; i < MOST; i++)
			if (ours[i] - theirs[i] + r->ulps > 2 * r->ulps) {
				fprintf(stderr, "%s ", r->name);
				put_tuple(&d, o->n, i);
				fprintf(stderr, " %llx %llx\n", (unsigned long long)theirs[i], (unsigned long long)ours[i]);
				return false;
			}
	}
	return true;
}

bool same_bits(int argc, char **argv)
{
	struct arena a;
	int k = argc ? atoi(argv[0]) : 0;
	for (k = 0; !argc && k < NROWS; k++)
		printf("%s\n", rows[k].name);
	if (!argc)
		return true;
	k = atoi(argv[0]);
	if (k < 0 || k >= NROWS || argc < 2)
		return false;
	arena_init(&a, NULL);
	bool ok = true;
	if (argc == 4)
		ok = compare(&a, &rows[k], argv[1], argv[2], argv[3]);
	else if (!strcmp(argv[1], "same") && argc == 3)
		operation_ll(&a, operation_find(rows[k].name), rows[k].gfx10 && !strncmp(argv[2], "gfx11", 5) ? NULL : rows[k].llvm, rows[k].nan);
	else
		operation_ll(&a, operation_find(rows[k].name), NULL, false);
	arena_free(&a);
	return ok;
}

void same_bits_columns(FILE *f, const char *tsv, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = tsv; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
		if (strncmp(p, name, n) || p[n] != '\t')
			continue;
		const char *counts = p + n + 1, *text = strchr(counts, '\t');
		if (text)
			fprintf(f, " %.*s | %.*s |\n", (int)(text - counts), counts, (int)strcspn(text + 1, "\n"), text + 1);
		return;
	}
	fprintf(f, "  |  |\n");
}
