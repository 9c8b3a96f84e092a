/* Writes bench/RESULTS.md: bench CORPUS-PROGRAM OBJECTS [OUT].
 * bench --operations: only the table of single operations, to standard output. bench --ll, --ptx [N]: the text
 * of row N of that table, or the names of all rows; operations.sh needs it. */
#include "bench.h"

#include <math.h>
#include <sys/resource.h>

static void put_ms(FILE *f, double v)
{
	if (v < 0)
		fprintf(f, " - |");
	else
		fprintf(f, " %.*f |", v < 10 ? 2 : v < 100 ? 1 : 0, v);
}

static void put_rate(FILE *f, const char *what, double v, const char *unit)
{
	if (v < 0)
		fprintf(f, "| %s | not measured |\n", what);
	else
		fprintf(f, "| %s | %.*f %s |\n", what, v < 100 ? 2 : 0, v, unit);
}

/* The geometric mean of ours/theirs over what has both. */
struct mean {
	double log_sum;
	unsigned n;
};

static void mean_add(struct mean *m, double ours, double theirs)
{
	if (ours > 0 && theirs > 0) {
		m->log_sum += log(ours / theirs);
		m->n++;
	}
}

static void put_mean(FILE *f, const struct mean *m)
{
	if (m->n)
		fprintf(f, " **%.3f** |", exp(m->log_sum / m->n));
	else
		fprintf(f, " - |");
}

static void put_pair(FILE *f, bool ours, bool theirs, uint64_t a, uint64_t b, struct mean *m)
{
	char x[32] = "-", y[32] = "-";
	if (ours)
		snprintf(x, sizeof x, "%llu", (unsigned long long)a);
	if (theirs)
		snprintf(y, sizeof y, "%llu", (unsigned long long)b);
	fprintf(f, " %s / %s |", x, y);
	if (ours && theirs)
		mean_add(m, (double)a, (double)b);
}

static void write_quality(FILE *f, const kernels *k, int chip)
{
	struct mean m[4] = {{0}};
	fprintf(f, "\n## Code on %s\n\n"
	           "Ours (from the sm_75 PTX) / clang-22 -O3 (from the same source), all launches of a kernel together.\n\n"
	           "| kernel | wave instructions | cycles | VGPRs | code bytes |\n| --- | --- | --- | --- | --- |\n",
	        chip_name[chip]);
	for (uint32_t i = 0; i < k->len; i++) {
		const struct count *o = &k->data[i].n[chip][OURS], *c = &k->data[i].n[chip][CLANG];
		bool ours = o->launches, theirs = c->launches;
		if (!ours && !theirs)
			continue;
		fprintf(f, "| %s: %s |", k->data[i].program, k->data[i].name);
		put_pair(f, ours, theirs, o->insts, c->insts, &m[0]);
		put_pair(f, ours, theirs, o->cycles, c->cycles, &m[1]);
		put_pair(f, ours, theirs, o->vgprs, c->vgprs, &m[2]);
		put_pair(f, ours, theirs, o->code, c->code, &m[3]);
		fprintf(f, "\n");
	}
	fprintf(f, "| **geometric mean of ours/clang, %u kernels** |", m[0].n);
	for (int i = 0; i < 4; i++)
		put_mean(f, &m[i]);
	fprintf(f, "\n");
}

static void write_speed(FILE *f, const times *t, int chip)
{
	struct mean to_ptxas = {0}, to_llc = {0};
	fprintf(f, "\n## Compile time for %s\n\n"
	           "CPU milliseconds, the least of several runs. llc-22 starts from optimised LLVM IR, clang-22 from source.\n\n"
	           "| program | PTX lines | ours, in process | ours, command | ptxas | llc-22 | clang-22 |\n"
	           "| --- | --- | --- | --- | --- | --- | --- |\n",
	        chip_name[chip]);
	for (uint32_t i = 0; i < t->len; i++) {
		const struct times *x = &t->data[i];
		fprintf(f, "| %s | %llu |", x->program, (unsigned long long)x->lines);
		put_ms(f, x->in_process[chip]);
		put_ms(f, x->command[chip]);
		put_ms(f, x->ptxas);
		put_ms(f, x->llc[chip]);
		put_ms(f, x->clang[chip]);
		fprintf(f, "\n");
		mean_add(&to_ptxas, x->command[chip], x->ptxas);
		mean_add(&to_llc, x->command[chip], x->llc[chip]);
	}
	fprintf(f, "| **geometric mean of our command/theirs** | | | |");
	put_mean(f, &to_ptxas);
	put_mean(f, &to_llc);
	fprintf(f, " |\n");
}

static void write_rates(FILE *f, const struct rates *r)
{
	fprintf(f, "\n## Rates\n\n%u PTX files of the corpus, %llu lines, %llu bytes; %u compile.\n\n| | |\n| --- | --- |\n",
	        r->files, (unsigned long long)r->lines, (unsigned long long)r->bytes, r->compiled);
	put_rate(f, "parse and resolve", r->parse_lines, "lines a CPU second");
	put_rate(f, "compile for gfx1100, in process", r->compile_lines, "lines a CPU second");
	put_rate(f, "ptxas -O3, sm_75 files, as commands", r->ptxas_lines, "lines a CPU second");
	put_rate(f, "ptxas-amd on one empty kernel", r->empty_ours, "ms");
	put_rate(f, "ptxas on one empty kernel", r->empty_ptxas, "ms");
}

int main(int argc, char **argv)
{
	struct arena a;
	kernels k = {0};
	times t = {0};
	struct rates r;
	const char *out = argc > 3 ? argv[3] : "bench/RESULTS.md";
	if (argc > 1 && (!strcmp(argv[1], "--ll") || !strcmp(argv[1], "--ptx")))
		return !operations_text(argv[1], argv[2]);
	if (argc > 1 && !strcmp(argv[1], "--same-bits"))
		return !same_bits(argc - 2, argv + 2);
	if (argc > 1 && !strcmp(argv[1], "--operations")) {
		arena_init(&a, NULL);
		write_operations(stdout, &a);
		return 0;
	}
	if (argc < 3) {
		fprintf(stderr, "usage: bench CORPUS-PROGRAM OBJECTS [OUT]\n");
		return 2;
	}
	/* For the compilers that are measured, ours in this process included. */
	setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)3 << 30, (rlim_t)3 << 30});
	arena_init(&a, NULL);
	measure_quality(&a, argv[1], argv[2], &k);
	measure_speed(&a, "tests/ptx-corpus", argv[2], &t, &r);
	FILE *f = fopen(out, "w");
	if (!f) {
		fprintf(stderr, "%s cannot be written\n", out);
		return 1;
	}
	fprintf(f, "# Measurements\n\nWritten by `make bench`. Instructions and cycles are the simulator's (src/sim/README.md has "
	           "the cycle\nmodel), the same model for everybody's code. \"-\" is not available: the tool is not installed, or "
	           "the program does not\ncompile or gives a wrong result.\n");
	write_rates(f, &r);
	for (int chip = 0; chip < CHIPS; chip++)
		write_quality(f, &k, chip);
	write_operations(f, &a);
	for (int chip = 0; chip < CHIPS; chip++)
		write_speed(f, &t, chip);
	fclose(f);
	arena_free(&a);
	return 0;
}
