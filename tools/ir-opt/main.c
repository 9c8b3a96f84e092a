/* ir-opt PASS... < in.ir > out.ir
 *
 * Reads IR text, runs the named passes in order, validates after each, prints the result. Pass names are those of ir_passes.def, of
 * the analyses and of the module passes; `print` is no pass at all: a round trip; the name of a chip (default gfx1100) makes it the target,
 * dynamic=N says how much dynamic shared memory launches ask for. `time` after the passes prints nothing but
 * the nanoseconds per instruction of each. Exit: 0; 1 with the reason on standard error. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../read_all.h"
#include "amd/amd.h"
#include "ir/ir.h"

struct pass {
	const char *name;
	void (*on_func)(struct ir_func *);
	void (*on_module)(struct ir_module *);
};
static const struct pass passes[] = {
	{"dominators", ir_dominators, NULL},
	{"postdominators", ir_postdominators, NULL},
	{"loops", ir_loops, NULL},
	{"divergence", ir_divergence, NULL},
	{"ssa", ir_ssa, NULL},
	{"dce", ir_dce, NULL},
	{"simplify_cfg", ir_simplify_cfg, NULL},
	{"legal_switch", ir_legal_switch, NULL},
	{"legal_flow", ir_legal_flow, NULL},
	{"legal_int", ir_legal_int, NULL},
	{"nan", ir_nan, NULL},
	{"ftz", ir_ftz, NULL},
	{"nan_f64", ir_nan_f64, NULL},
	{"legal_float", ir_legal_float, NULL},
	{"legal_warp", ir_legal_warp, NULL},
	{"legal_meet", ir_legal_meet, NULL},
	{"legal_barrier", ir_legal_barrier, NULL},
	{"legal_atomic", ir_legal_atomic, NULL},
	{"legal_exits", ir_legal_exits, NULL},
	{"spaces", ir_spaces, NULL},
	{"gvn", ir_gvn, NULL},
	{"unindex", ir_unindex, NULL},
	{"promote", ir_promote, NULL},
	{"licm", ir_licm, NULL},
	{"if_convert", ir_if_convert, NULL},
	{"merge_loads", ir_merge_loads, NULL},
	{"noclobber", ir_noclobber, NULL},
	{"combine", ir_combine, NULL},
	{"devirtualise", NULL, ir_devirtualise},
	{"inline", NULL, ir_inline},
	{"legal_spaces", NULL, ir_legal_spaces},
	{"recursion", NULL, ir_recursion},
};

static uint32_t count_insts(struct ir_module *m)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < m->funcs.len; k++)
		ir_each_block(b, m->funcs.data[k]) ir_each_inst(i, b) n++;
	return n;
}

static void each_func(struct ir_module *m, void (*fn)(struct ir_func *))
{
	for (uint32_t k = 0; k < m->funcs.len; k++)
		if (!m->funcs.data[k]->is_decl)
			fn(m->funcs.data[k]);
}

static void run(struct ir_module *m, const struct pass *p, bool timed)
{
	struct timespec t0, t1;
	uint32_t n = count_insts(m);
	clock_gettime(CLOCK_MONOTONIC, &t0);
	if (p->on_module)
		p->on_module(m);
	else
		each_func(m, p->on_func);
	clock_gettime(CLOCK_MONOTONIC, &t1);
	double ns = (double)(t1.tv_sec - t0.tv_sec) * 1e9 + (double)(t1.tv_nsec - t0.tv_nsec);
	if (timed)
		printf("%-16s %9u insts %8.1f ns each\n", p->name, n, n ? ns / n : 0);
	for (uint32_t k = 0; k < m->funcs.len; k++)
		ir_validate(m->funcs.data[k], p->name);
}

static const struct pass *find(const char *name)
{
	for (size_t k = 0; k < sizeof passes / sizeof *passes; k++)
		if (!strcmp(passes[k].name, name))
			return &passes[k];
	return NULL;
}

static int help(void)
{
	printf("usage: ir-opt [GFX] [dynamic=N] [PASS]... [time] <IN.ir >OUT.ir\npasses: print");
	for (size_t k = 0; k < sizeof passes / sizeof *passes; k++)
		printf(" %s", passes[k].name);
	printf("\n");
	return 0;
}

static int opt(int argc, char **argv, const char *text, size_t n)
{
	struct trap trap;
	struct arena a;
	struct diags d;
	struct strbuf sb;
	arena_init(&a, &trap);
	if (setjmp(trap.env)) {
		fprintf(stderr, "ir-opt: internal error: %s\n", trap.msg);
		arena_free(&a);
		return 1;
	}
	diags_init(&d, &a);
	struct ir_module *m = ir_read(&a, &d, text, n);
	bool timed = argc > 1 && !strcmp(argv[argc - 1], "time");
	for (uint32_t k = 0; m && k < m->funcs.len; k++)
		ir_validate(m->funcs.data[k], "reading");
	if (m)
		m->target = amd_target_find("gfx1100");
	for (int k = 1; m && k < argc - timed; k++) {
		const struct amd_target *t = amd_target_find(argv[k]);
		if (!strncmp(argv[k], "dynamic=", 8)) {
			m->dynamic_shared = (uint32_t)strtoul(argv[k] + 8, NULL, 0);
			continue;
		}
		if (t) {
			m->target = t;
			continue;
		}
		const struct pass *p = find(argv[k]);
		if (!p && strcmp(argv[k], "print")) {
			fprintf(stderr, "ir-opt: no pass '%s'\n", argv[k]);
			arena_free(&a);
			return 1;
		}
		if (p)
			run(m, p, timed);
	}
	sb_init(&sb, &a);
	if (m && !timed) {
		ir_print(&sb, m);
		fputs(sb_str(&sb), stdout);
	}
	for (uint32_t k = 0; k < d.list.len; k++)
		fprintf(stderr, "%u: %s\n", d.list.data[k].line, d.list.data[k].text);
	arena_free(&a);
	return d.errors != 0;
}

int main(int argc, char **argv)
{
	size_t n;
	if (argc > 1 && !strcmp(argv[1], "--help"))
		return help();
	char *text = read_all(stdin, &n);
	if (!text) {
		perror("ir-opt");
		return 1;
	}
	int rc = opt(argc, argv, text, n);
	free(text);
	return rc;
}
