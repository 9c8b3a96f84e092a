/* Compiles the memory family, runs it in the simulator and compares with what the hardware gave:
 *
 *	memory [--gpu G] [-O0|-O3] [--only WORD] [--sample N] [--seeds N] [--golden FILE] [--verbose]
 *	memory --ptx | --emit DIR       all kernels in one module; each form as DIR/N.ptx
 *
 * Runs with several orders of waves and blocks, and once on weak memory (sim_options.caches), where only accesses that are ordered
 * agree with the hardware. */
#include <stdlib.h>

#include "memory.h"
#include "ptx.h"
#include "sim/sim.h"

enum { MODULE = 64, GROUPS = 16 };

struct options {
	const char *gpu, *only, *golden;
	int level; /* -1: -O0 and -O3 */
	uint32_t sample, seeds;
	bool verbose;
};

struct group {
	const char *name;
	uint32_t known, taken, equal;
};

struct run {
	const struct options *o;
	const char *gpu;
	int level;
	const struct mem_forms *f;
	const struct conf_table *table;
	struct group groups[GROUPS];
	uint32_t ngroups, passed, failed, known[4];
};

static struct group *group_of(struct run *r, const char *text)
{
	size_t n = (size_t)(strchr(text, ':') - text);
	for (uint32_t k = 0; k < r->ngroups; k++)
		if (!strncmp(r->groups[k].name, text, n) && r->groups[k].name[n] == ':')
			return &r->groups[k];
	r->groups[r->ngroups].name = text;
	return &r->groups[r->ngroups++];
}

/* Refusals and differences that stay. */
static const struct {
	const char *form, *message, *why;
} known[] = {
	{".b128", "128 bits are exchanged under a lock", "128-bit atomics of .sys scope need an instruction that the chips have not"},
};
enum { KNOWN = sizeof known / sizeof *known };

static bool is_known(struct run *r, const struct mem_form *f, const char *what)
{
	for (int k = 0; k < KNOWN; k++)
		if (strstr(f->text, known[k].form) && strstr(what, known[k].message)) {
			r->known[k]++;
			return true;
		}
	return false;
}

static void fail(struct run *r, const struct mem_form *f, const char *what)
{
	if (is_known(r, f, what))
		return;
	r->failed++;
	printf("FAILED %s -O%d %s: %s\n", r->gpu, r->level, f->text, what);
}

/* ---- compilation */

struct module {
	const struct mem_form *form[MODULE];
	bool out[MODULE]; /* refused */
	uint32_t line[MODULE], n;
};

static void text_of(struct strbuf *sb, struct module *m)
{
	uint32_t line = 1, seen = 0;
	mem_prologue(sb, m->n && m->form[0]->wide);
	for (uint32_t k = 0; k < m->n; k++) {
		for (; seen < sb->buf.len; seen++)
			line += sb->buf.data[seen] == '\n';
		m->line[k] = line;
		if (!m->out[k])
			mem_kernel(sb, m->form[k], k);
	}
}

/* Takes out the forms that the messages name; how many. */
static uint32_t refuse(struct run *r, struct module *m, const struct ptx_output *out)
{
	uint32_t n = 0;
	for (uint32_t d = 0; d < out->ndiagnostics; d++)
		for (uint32_t k = m->n; out->diagnostics[d].severity >= PTX_SEVERITY_ERROR && k-- > 0;) {
			if (m->out[k] || out->diagnostics[d].line < m->line[k])
				continue;
			m->out[k] = true;
			n++;
			fail(r, m->form[k], out->diagnostics[d].text);
			break;
		}
	return n;
}

static const struct ptx_output *compile(struct run *r, struct module *m, struct ptx_context *ctx, struct arena *a)
{
	struct ptx_options opt = {.gpu = r->gpu, .opt_level = PTX_O0 + r->level};
	for (;;) {
		struct strbuf sb;
		const struct ptx_output *out;
		sb_init(&sb, a);
		text_of(&sb, m);
		enum ptx_status st = ptx_compile(ctx, &opt, sb_str(&sb), sb.buf.len, &out);
		if (st == PTX_OK)
			return out;
		if (st != PTX_ERROR_INPUT || !refuse(r, m, out)) {
			for (uint32_t k = 0; k < m->n; k++)
				if (!m->out[k])
					fail(r, m->form[k], out->ndiagnostics ? out->diagnostics[0].text : "does not compile");
			return NULL;
		}
	}
}

/* ---- simulation */

struct device {
	struct sim *sim;
	struct sim_module *module;
	uint64_t in, out;
};

static void before(uint8_t *p, const struct mem_form *f)
{
	for (uint32_t k = 0; k < MEM_IN; k++)
		p[k] = f->zero ? 0 : mem_byte(1, k);
}

static bool launch(struct device *d, const struct mem_form *f, uint32_t n, uint8_t rows[MEM_IN], struct sim_fault *fault)
{
	struct {
		uint64_t out, in;
		uint8_t blob[MEM_BLOB];
	} args = {.out = d->out, .in = d->in};
	char name[16];
	struct sim_stats stats;
	for (uint32_t k = 0; k < MEM_BLOB; k++)
		args.blob[k] = mem_byte(2, k);
	snprintf(name, sizeof name, "f%u", n);
	struct sim_launch l = {.kernel = sim_kernel_find(d->module, name), .grid = {MEM_GRID, 1, 1}, .block = {MEM_BLOCK, 1, 1},
	                       .dynamic_lds = f->dynamic, .args = &args, .args_size = sizeof args};
	before(rows, f);
	sim_write(d->sim, d->out, rows, MEM_IN);
	if (!l.kernel || !sim_run(d->sim, &l, &stats, fault))
		return false;
	return sim_read(d->sim, d->out, rows, MEM_IN);
}

static void describe(char *buf, size_t size, uint64_t seed, const uint8_t *got, const uint8_t *want)
{
	uint32_t n = 0;
	while (got[n] == want[n])
		n++;
	n = n / MEM_ROW * MEM_ROW;
	int at = snprintf(buf, size, "seed %llu, thread %u: got", (unsigned long long)seed, n / MEM_ROW);
	for (uint32_t k = 0; k < MEM_ROW; k++)
		at += snprintf(buf + at, size - (size_t)at, "%s%02x", k % 4 ? "" : " ", got[n + k]);
	at += snprintf(buf + at, size - (size_t)at, ", want");
	for (uint32_t k = 0; k < MEM_ROW; k++)
		at += snprintf(buf + at, size - (size_t)at, "%s%02x", k % 4 ? "" : " ", want[n + k]);
}

static bool run_form(struct run *r, struct device *d, const struct mem_form *f, uint32_t n, const uint8_t *want)
{
	uint8_t rows[MEM_IN];
	struct sim_fault fault;
	char what[512];
	for (uint32_t seed = 1; seed <= r->o->seeds; seed++) {
		sim_opts(d->sim)->seed = seed;
		sim_opts(d->sim)->caches = seed == r->o->seeds && seed > 1;
		if (!launch(d, f, n, rows, &fault)) {
			fail(r, f, fault.text);
			return false;
		}
		if (memcmp(rows, want, MEM_IN) != 0) {
			describe(what, sizeof what, seed, rows, want);
			fail(r, f, what);
			return false;
		}
	}
	return true;
}

static bool open_device(struct device *d, const char *gpu, const struct ptx_output *out, char err[256])
{
	struct sim_options opt = {.strict_align = true, .max_insts = 10000000};
	const char *why = NULL;
	uint8_t in[MEM_IN];
	d->sim = sim_new(gpu, &opt, &why);
	d->module = d->sim ? sim_load(d->sim, out->object, out->object_size, err, 256) : NULL;
	if (!d->module)
		return false;
	d->in = sim_alloc(d->sim, MEM_IN, SIM_MEM_READ | SIM_MEM_WRITE);
	d->out = sim_alloc(d->sim, MEM_IN, SIM_MEM_READ | SIM_MEM_WRITE);
	for (uint32_t k = 0; k < MEM_IN; k++)
		in[k] = mem_byte(0, k);
	return sim_write(d->sim, d->in, in, MEM_IN);
}

static void run_module(struct run *r, struct module *m, struct ptx_context *ctx)
{
	static const uint8_t zeros[MEM_IN];
	struct arena a;
	struct device d = {0};
	char err[256] = "";
	arena_init(&a, NULL);
	const struct ptx_output *out = compile(r, m, ctx, &a);
	bool ok = out && open_device(&d, r->gpu, out, err);
	for (uint32_t k = 0; out && k < m->n; k++) {
		const struct mem_form *f = m->form[k];
		struct group *g = group_of(r, f->text);
		if (m->out[k])
			continue;
		g->taken++;
		if (!ok) {
			fail(r, f, err);
		} else if (run_form(r, &d, f, k, f->wide ? zeros : conf_find(r->table, f->text)->rows)) {
			g->equal++;
			r->passed++;
		}
	}
	if (d.sim)
		sim_free(d.sim);
	arena_free(&a);
}

static void run_all(struct run *r)
{
	struct ptx_context *ctx = ptx_context_new();
	struct module m = {.n = 0};
	uint32_t at = 0;
	for (uint32_t k = 0; k < r->f->list.len; k++) {
		const struct mem_form *f = &r->f->list.data[k];
		const struct conf_record *rec = conf_find(r->table, f->text);
		if (r->o->only && !strstr(f->text, r->o->only))
			continue;
		if (at++ % r->o->sample)
			continue;
		if (!rec && !f->wide) {
			fail(r, f, "has no recording");
			continue;
		}
		if (rec && !rec->recorded) /* ptxas refuses it */
			continue;
		group_of(r, f->text)->known++;
		if (m.n && m.form[0]->wide != f->wide) {
			run_module(r, &m, ctx);
			m = (struct module){.n = 0};
		}
		m.form[m.n++] = f;
		if (m.n == MODULE) {
			run_module(r, &m, ctx);
			m = (struct module){.n = 0};
		}
	}
	if (m.n)
		run_module(r, &m, ctx);
	ptx_context_free(ctx);
	for (int k = 0; k < KNOWN; k++)
		if (r->known[k])
			printf("skipped: %u forms on %s at -O%d: %s\n", r->known[k], r->gpu, r->level, known[k].why);
	for (uint32_t k = 0; k < r->ngroups; k++) {
		const struct group *g = &r->groups[k];
		printf("%-16.*s %s -O%d: %5u known to ptxas, %5u taken, %5u equal\n", (int)(strchr(g->name, ':') - g->name), g->name, r->gpu,
		       r->level, g->known, g->taken, g->equal);
	}
}

/* ---- */

static int emit(const struct mem_forms *f, const char *dir, struct arena *a)
{
	for (uint32_t k = 0; k < f->list.len; k++) {
		struct strbuf sb;
		sb_init(&sb, a);
		mem_prologue(&sb, f->list.data[k].wide);
		mem_kernel(&sb, &f->list.data[k], k);
		FILE *out = fopen(arena_printf(a, "%s/%u.ptx", dir, k), "wb");
		if (!out)
			return 1;
		fwrite(sb.buf.data, 1, sb.buf.len, out);
		fclose(out);
	}
	printf("%u forms\n", f->list.len);
	return 0;
}

static int print_ptx(const struct mem_forms *f, const struct options *o, struct arena *a)
{
	struct strbuf sb;
	sb_init(&sb, a);
	mem_prologue(&sb, true);
	for (uint32_t k = 0; k < f->list.len; k++)
		if (k % o->sample == 0 && (!o->only || strstr(f->list.data[k].text, o->only)))
			mem_kernel(&sb, &f->list.data[k], k);
	fputs(sb_str(&sb), stdout);
	return 0;
}

static bool parse(struct options *o, int argc, char **argv, bool *ptx, const char **dir)
{
	for (int k = 1; k < argc; k++) {
		const char *s = argv[k], *v = k + 1 < argc ? argv[k + 1] : NULL;
		if (!strcmp(s, "--verbose"))
			o->verbose = true;
		else if (!strcmp(s, "--ptx"))
			*ptx = true;
		else if (!strcmp(s, "-O0") || !strcmp(s, "-O3"))
			o->level = s[2] - '0';
		else if (!v)
			return false;
		else if (!strcmp(s, "--emit") && ++k)
			*dir = v;
		else if (!strcmp(s, "--gpu") && ++k)
			o->gpu = v;
		else if (!strcmp(s, "--only") && ++k)
			o->only = v;
		else if (!strcmp(s, "--golden") && ++k)
			o->golden = v;
		else if (!strcmp(s, "--sample") && ++k)
			o->sample = (uint32_t)strtoul(v, NULL, 10);
		else if (!strcmp(s, "--seeds") && ++k)
			o->seeds = (uint32_t)strtoul(v, NULL, 10);
		else
			return false;
	}
	return o->sample && o->seeds;
}

int main(int argc, char **argv)
{
	static const char *const gpus[] = {"gfx1030", "gfx1100"};
	struct options o = {.level = -1, .sample = 1, .seeds = 4, .golden = "tests/conformance/memory/memory.golden.zst"};
	struct arena a;
	struct mem_forms f;
	struct conf_family fam;
	struct conf_table table;
	const char *dir = NULL;
	char err[256];
	bool ptx = false;
	uint32_t passed = 0, failed = 0, skipped = 0;
	arena_init(&a, NULL);
	if (!parse(&o, argc, argv, &ptx, &dir)) {
		fprintf(stderr, "usage: memory [--gpu GFX] [-O0|-O3] [--only WORD] [--sample N] [--seeds N] [--golden FILE] | --ptx | --emit DIR\n");
		return 2;
	}
	mem_all(&a, &f);
	if (ptx || dir)
		return dir ? emit(&f, dir, &a) : print_ptx(&f, &o, &a);
	mem_family(&a, &f, &fam);
	if (!conf_table_read(&a, o.golden, &fam, &table, err)) {
		printf("%s\n", err);
		return 1;
	}
	for (int g = 0; g < 2; g++)
		for (int level = 0; level <= 3; level += 3) {
			struct run r = {.o = &o, .gpu = gpus[g], .level = level, .f = &f, .table = &table};
			if ((o.gpu && strcmp(o.gpu, gpus[g])) || (o.level >= 0 && o.level != level))
				continue;
			run_all(&r);
			passed += r.passed;
			failed += r.failed;
			for (int k = 0; k < KNOWN; k++)
				skipped += r.known[k];
		}
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	arena_free(&a);
	return failed || !passed;
}
