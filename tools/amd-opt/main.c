/* amd-opt: runs machine passes over the text form.
 *
 *   amd-opt [--max-vgprs=N] [--seed-ra=N] [--force-waits] [--wave-ssa] [--quiet] [PASS]... FILE     ("-": standard input)
 *
 * Reads one function (--wave-ssa: as selection leaves it before isel_wave_ssa, which runs then), validates it, runs the passes named (each followed by the validator), prints the function. The text ends at a line
 * "====". Without a pass it checks that printing and reading give the same text. */
#include <stdio.h>
#include <stdlib.h>

#include "amd/amd.h"
#include "isel/isel_internal.h"

static const struct {
	const char *name;
	void (*run)(struct amd_func *);
} passes[] = {
#define AMD_PASS(name) {#name, amd_##name},
#include "../tools/amd-opt/amd_opt_passes.def"
#undef AMD_PASS
	{NULL, NULL},
};

static char *slurp(struct arena *a, FILE *in, size_t *n)
{
	VEC(char) v = {0};
	int c;
	while ((c = getc(in)) != EOF)
		vec_push(a, &v, (char)c);
	vec_push(a, &v, 0);
	*n = v.len - 1;
	char *cut = strstr(v.data, "\n====");
	if (cut)
		*n = (size_t)(cut - v.data) + 1;
	return v.data;
}

static void run_pass(struct amd_func *f, const char *name)
{
	for (size_t k = 0; passes[k].name; k++)
		if (!strcmp(passes[k].name, name)) {
			passes[k].run(f);
			amd_validate(f, name);
			return;
		}
	ice(f->arena, "no pass %s", name);
}

static bool round_trip(struct amd_func *f, struct diags *d)
{
	struct strbuf one, two;
	sb_init(&one, f->arena);
	sb_init(&two, f->arena);
	amd_print_func(&one, f);
	struct amd_func *g = amd_read_func(f->arena, d, NULL, sb_str(&one), strlen(sb_str(&one)));
	if (!g)
		return false;
	amd_print_func(&two, g);
	return !strcmp(sb_str(&one), sb_str(&two));
}

struct options {
	uint32_t max_vgprs, seed;
	bool force_waits, wave_ssa, quiet;
	const char *passes[32], *file;
	int npasses;
};

static int run(struct arena *a, const struct options *o)
{
	struct diags d;
	diags_init(&d, a);
	FILE *in = !strcmp(o->file, "-") ? stdin : fopen(o->file, "r");
	if (!in) {
		perror(o->file);
		return 2;
	}
	size_t n;
	char *text = slurp(a, in, &n);
	bool read = !ferror(in);
	if (!read)
		perror(o->file);
	fclose(in);
	if (!read)
		return 2;
	struct amd_func *f = amd_read_func(a, &d, NULL, text, n);
	if (f) {
		f->max_vgprs = o->max_vgprs;
		f->seed = o->seed;
		f->force_waits = o->force_waits;
		if (o->wave_ssa)
			isel_wave_ssa(f);
		amd_validate(f, "read");
		for (int k = 0; k < o->npasses && !d.errors; k++)
			run_pass(f, o->passes[k]);
		if (!round_trip(f, &d))
			diag_error(&d, 0, "the text form does not read back");
	}
	for (uint32_t k = 0; k < d.list.len; k++)
		printf("%s:%u: %s\n", d.list.data[k].severity >= DIAG_ERROR ? "error" : "note", d.list.data[k].line, d.list.data[k].text);
	if (f && !o->quiet) {
		struct strbuf sb;
		sb_init(&sb, a);
		amd_print_func(&sb, f);
		fputs(sb_str(&sb), stdout);
	}
	return d.errors ? 1 : 0;
}

static const char usage[] = "usage: amd-opt [--max-vgprs=N] [--seed-ra=N] [--force-waits] [--wave-ssa] [--quiet] [PASS]... FILE\n";

static int help(void)
{
	printf("%spasses:", usage);
	for (size_t k = 0; passes[k].name; k++)
		printf(" %s", passes[k].name);
	printf("\n");
	return 0;
}

int main(int argc, char **argv)
{
	struct options o = {0};
	for (int k = 1; k < argc; k++) {
		if (!strcmp(argv[k], "--help"))
			return help();
		if (!strncmp(argv[k], "--max-vgprs=", 12))
			o.max_vgprs = (uint32_t)atoi(argv[k] + 12);
		else if (!strncmp(argv[k], "--seed-ra=", 10))
			o.seed = (uint32_t)atoi(argv[k] + 10);
		else if (!strcmp(argv[k], "--force-waits"))
			o.force_waits = true;
		else if (!strcmp(argv[k], "--wave-ssa"))
			o.wave_ssa = true;
		else if (!strcmp(argv[k], "--quiet"))
			o.quiet = true;
		else if (k == argc - 1)
			o.file = argv[k];
		else if (o.npasses < 32)
			o.passes[o.npasses++] = argv[k];
	}
	if (!o.file) {
		fputs(usage, stderr);
		return 2;
	}
	struct trap trap;
	struct arena a;
	arena_init(&a, &trap);
	int rc;
	if (setjmp(trap.env)) {
		printf("internal error: %s\n", trap.msg);
		rc = 3;
	} else {
		rc = run(&a, &o);
	}
	arena_free(&a);
	return rc;
}
