/* ptx-ir [--ssa] [--quiet] [--time] [FILE]
 *
 * Parses PTX (FILE, or standard input), builds IR, prints it; --ssa runs ir_ssa first, --quiet prints nothing, --time
 * the PTX instructions a second of parsing and of building. Diagnostics go to standard output as `line N: error: text`,
 * so that tests pin them. Exit: 0, 1 with diagnostics, 2 bad usage or an internal error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../read_all.h"
#include "parser/build.h"
#include "parser/ptx_parse.h"

struct options {
	bool ssa, quiet, time;
	const char *file;
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void print_diags(const struct diags *d)
{
	static const char *const names[] = {"info", "warning", "error", "fatal"};
	for (uint32_t k = 0; k < d->list.len; k++)
		printf("line %u: %s: %s\n", d->list.data[k].line, names[d->list.data[k].severity],
		       d->list.data[k].text);
}

static uint64_t count(const struct ptx_module *pm)
{
	uint64_t n = 0;
	for (uint32_t k = 0; k < pm->nfuncs; k++)
		for (uint32_t i = 0; i < pm->funcs[k]->nstmts; i++)
			n += pm->funcs[k]->stmts[i].kind == PTX_STMT_INST;
	return n;
}

static void run_ssa(struct ir_module *m)
{
	for (uint32_t k = 0; k < m->funcs.len; k++)
		if (!m->funcs.data[k]->is_decl)
			ir_ssa(m->funcs.data[k]);
}

static void validate(struct ir_module *m, const char *after)
{
	for (uint32_t k = 0; k < m->funcs.len; k++)
		if (!m->funcs.data[k]->is_decl)
			ir_validate(m->funcs.data[k], after);
}

static int compile(struct arena *a, const struct options *o, const char *text, size_t n)
{
	struct diags d;
	struct ptx_parse_opts opts = {0};
	diags_init(&d, a);
	double t0 = now();
	struct ptx_module *pm = ptx_parse(a, &d, text, n, &opts);
	double t1 = now();
	struct ir_module *m = pm && !d.errors ? ptx_build(a, &d, pm) : NULL;
	double t2 = now();
	print_diags(&d);
	if (!m || d.errors)
		return 1;
	validate(m, "ptx_build");
	double t3 = now();
	if (o->ssa)
		run_ssa(m);
	double t4 = now(), insts = (double)count(pm);
	if (o->ssa)
		validate(m, "ir_ssa");
	if (o->time)
		printf("%.0f instructions; a second: parse %.0f build %.0f ssa %.0f\n", insts, insts / (t1 - t0),
		       insts / (t2 - t1), insts / (t4 - t3));
	if (o->quiet)
		return 0;
	struct strbuf sb;
	sb_init(&sb, a);
	ir_print(&sb, m);
	fputs(sb_str(&sb), stdout);
	return 0;
}

static bool parse_args(int argc, char **argv, struct options *o)
{
	for (int k = 1; k < argc; k++) {
		if (!strcmp(argv[k], "--ssa"))
			o->ssa = true;
		else if (!strcmp(argv[k], "--quiet"))
			o->quiet = true;
		else if (!strcmp(argv[k], "--time"))
			o->time = true;
		else if (argv[k][0] == '-' || o->file)
			return false;
		else
			o->file = argv[k];
	}
	return true;
}

static int guarded(const struct options *o, const char *text, size_t n)
{
	struct trap trap;
	struct arena a;
	volatile int rc = 2;
	arena_init(&a, &trap);
	if (setjmp(trap.env) == 0)
		rc = compile(&a, o, text, n);
	else
		printf("internal error: %s\n", trap.msg);
	arena_free(&a);
	return rc;
}

int main(int argc, char **argv)
{
	static const char usage[] = "usage: ptx-ir [--ssa] [--quiet] [--time] [FILE]\n";
	struct options o = {0};
	if (argc > 1 && !strcmp(argv[1], "--help"))
		return fputs(usage, stdout) == EOF;
	if (!parse_args(argc, argv, &o)) {
		fputs(usage, stderr);
		return 2;
	}
	FILE *f = o.file ? fopen(o.file, "rb") : stdin;
	size_t n;
	char *text = f ? read_all(f, &n) : NULL;
	if (!text) {
		fprintf(stderr, "ptx-ir: cannot read %s\n", o.file ? o.file : "standard input");
		return 2;
	}
	int rc = guarded(&o, text, n);
	free(text);
	return rc;
}
