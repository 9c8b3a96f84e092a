#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static const char usage[] =
	"usage: ptx-run [options] MODULE\n"
	"  MODULE   PTX text or an AMDGPU code object; `-' reads PTX from standard input\n"
	"  --gpu GFX          chip to simulate (default: a code object's own, gfx1100 for PTX)\n"
	"  --entry NAME       kernel; needed where the module has several\n"
	"  --grid X[,Y[,Z]]   workgroups (default 1)\n"
	"  --block X[,Y[,Z]]  workitems of a workgroup (default 1)\n"
	"  --shared BYTES     dynamic shared memory\n"
	"  --arg SPEC         the next argument: TYPE=VALUE | TYPE:N[@FILE][>FILE] | bytes:N@FILE\n"
	"                     TYPE: u8 to u64, s8 to s64, b8 to b64, f16, bf16, f32, f64; TYPE:N is a pointer to N elements, filled from a\n"
	"                     file of raw bytes (else zero) and written to one after the run (>-: printed); bytes: a struct by value\n"
	"  --global NAME@FILE, --global NAME>FILE   fill or write out a module variable\n"
	"  --stats[=json]     counts and modelled cycles     --trace    each instruction, on stderr\n"
	"  --profile          each executed instruction: waves, cycles, text\n"
	"  --seed N           order of waves                 --max-insts N   budget of wave instructions (default 1 billion)\n"
	"  --tiny HOW         a product that rounds up to the least normal number is flushed if it would be below with exponents without end\n"
	"                     (unbounded, the default: the hardware as far as known), never (grid), or always (before)\n"
	"  --approx-seed N    reciprocals, roots, exponentials, ... err by as much as the hardware's manuals allow\n"
	"  --races            report what another wave wrote and may not be visible yet (racy kernels fail)\n"
	"  --caches           memory as weak as the hardware's, blocks and waves finely interleaved\n"
	"  --no-uninit, --no-hazards   leave out these checks\n"
	"exit status: 0 ran, 1 does not compile or load, 2 usage or a file, 3 the kernel faulted or ran away\n";

static bool parse_dims(const char *opt, const char *v, uint32_t out[3])
{
	const char *p = v;
	for (int d = 0; d < 3; d++) {
		char *end;
		errno = 0;
		unsigned long x = strtoul(p, &end, 0);
		if (end == p || *p == '-' || errno || !x || x > INT32_MAX)
			break;
		out[d] = (uint32_t)x;
		if (!*end)
			return true;
		if (*end != ',')
			break;
		p = end + 1;
	}
	fprintf(stderr, "ptx-run: %s %s: expected X[,Y[,Z]], each at least 1\n", opt, v);
	return false;
}

static bool parse_number(const char *opt, const char *v, uint64_t max, uint64_t *out)
{
	char *end;
	errno = 0;
	*out = strtoull(v, &end, 0);
	if (end != v && !*end && !errno && *v != '-' && *out <= max)
		return true;
	fprintf(stderr, "ptx-run: %s %s: expected a number\n", opt, v);
	return false;
}

static bool set_option(struct run *r, const char *opt, const char *v)
{
	uint64_t x = 0;
	if (!strcmp(opt, "--gpu")) {
		r->gpu = v;
		r->gpu_given = true;
	} else if (!strcmp(opt, "--entry")) {
		r->entry = v;
	} else if (!strcmp(opt, "--grid")) {
		return parse_dims(opt, v, r->grid);
	} else if (!strcmp(opt, "--block")) {
		return parse_dims(opt, v, r->block);
	} else if (!strcmp(opt, "--shared")) {
		if (!parse_number(opt, v, UINT32_MAX, &x))
			return false;
		r->shared = (uint32_t)x;
	} else if (!strcmp(opt, "--seed")) {
		return parse_number(opt, v, UINT64_MAX, &r->opt.seed);
	} else if (!strcmp(opt, "--approx-seed")) {
		return parse_number(opt, v, UINT64_MAX, &r->opt.approx_seed);
	} else if (!strcmp(opt, "--tiny")) {
		if (!sim_tiny_named(v, &r->opt.tiny)) {
			fprintf(stderr, "ptx-run: --tiny %s: expected unbounded, grid or before\n", v);
			return false;
		}
	} else if (!strcmp(opt, "--max-insts")) {
		return parse_number(opt, v, UINT64_MAX, &r->opt.max_insts);
	} else if (!strcmp(opt, "--arg")) {
		struct run_arg a;
		if (!run_parse_arg(r, v, &a))
			return false;
		vec_push(&r->arena, &r->args, a);
	} else if (!strcmp(opt, "--global")) {
		struct run_global g;
		if (!run_parse_global(r, v, &g))
			return false;
		vec_push(&r->arena, &r->globals, g);
	} else {
		fprintf(stderr, "ptx-run: unknown option %s\n%s", opt, usage);
		return false;
	}
	return true;
}

static bool set_flag(struct run *r, const char *opt)
{
	if (!strcmp(opt, "--stats"))
		return r->stats = true;
	if (!strcmp(opt, "--stats=json"))
		return r->stats = r->json = true;
	if (!strcmp(opt, "--trace"))
		return r->trace = true;
	if (!strcmp(opt, "--profile"))
		return r->profile = r->opt.profile = true;
	if (!strcmp(opt, "--no-uninit"))
		return r->opt.no_uninit = true;
	if (!strcmp(opt, "--no-hazards"))
		return r->opt.no_hazards = true;
	if (!strcmp(opt, "--races"))
		return r->opt.races = true;
	if (!strcmp(opt, "--caches"))
		return r->opt.caches = true;
	return false;
}

static bool parse_options(struct run *r, int argc, char **argv)
{
	for (int k = 1; k < argc; k++) {
		char *opt = argv[k], *eq = strchr(opt, '=');
		if (opt[0] != '-' || !opt[1]) {
			if (r->module) {
				fprintf(stderr, "ptx-run: more than one module: %s and %s\n", r->module, opt);
				return false;
			}
			r->module = opt;
		} else if (set_flag(r, opt)) {
			continue;
		} else if (eq && !strncmp(opt, "--", 2)) {
			if (!set_option(r, arena_strndup(&r->arena, opt, (size_t)(eq - opt)), eq + 1))
				return false;
		} else if (k + 1 < argc) {
			if (!set_option(r, opt, argv[++k]))
				return false;
		} else {
			fprintf(stderr, "ptx-run: option %s is unknown or lacks its value\n%s", opt, usage);
			return false;
		}
	}
	if (!r->module)
		fprintf(stderr, "ptx-run: no module given\n%s", usage);
	return r->module != NULL;
}

/* ---- the run ---- */

static const struct sim_kernel *find_kernel(const struct run *r, const struct sim_module *m)
{
	const struct sim_kernel *k = r->entry ? sim_kernel_find(m, r->entry) : sim_kernel_count(m) == 1 ? sim_kernel_at(m, 0) : NULL;
	if (k)
		return k;
	if (r->entry)
		fprintf(stderr, "ptx-run: %s has no kernel %s; it has", r->module, r->entry);
	else
		fprintf(stderr, "ptx-run: --entry is needed: %s has %u kernels:", r->module, sim_kernel_count(m));
	for (uint32_t n = 0; n < sim_kernel_count(m); n++)
		fprintf(stderr, " %s", sim_kernel_name(sim_kernel_at(m, n)));
	fprintf(stderr, "\n");
	return NULL;
}

static bool upload(struct run *r, struct sim *s, const struct sim_module *m)
{
	for (uint32_t n = 0; n < r->args.len; n++) {
		struct run_arg *a = &r->args.data[n];
		size_t size, want = a->count * run_type_size(a->type);
		if (!a->buffer)
			continue;
		a->addr = sim_alloc(s, (want + 3) & ~(size_t)3, SIM_MEM_READ | SIM_MEM_WRITE); /* GPUs have no smaller pieces */
		if (!a->addr) {
			fprintf(stderr, "ptx-run: argument `%s': out of memory\n", a->spec);
			return false;
		}
		uint8_t *p = a->in ? run_read_file(r, a->in, want, &size) : NULL;
		if (a->in && (!p || !sim_write(s, a->addr, p, size < want ? size : want)))
			return false;
	}
	for (uint32_t n = 0; n < r->globals.len; n++) {
		struct run_global *g = &r->globals.data[n];
		uint64_t size, at = sim_symbol(m, g->name, &size);
		size_t have;
		if (!at) {
			fprintf(stderr, "ptx-run: the module has no variable %s\n", g->name);
			return false;
		}
		uint8_t *p = g->in ? run_read_file(r, g->in, size, &have) : NULL;
		if (g->in && (!p || !sim_write(s, at, p, have < size ? have : size)))
			return false;
	}
	return true;
}

/* The kernel's argument bytes: each --arg at the offset that the metadata gives. */
static uint8_t *pack(struct run *r, const struct sim_kernel *k, size_t *size)
{
	uint32_t n = sim_kernel_nargs(k), off = 0, len = 0;
	if (n != r->args.len) {
		fprintf(stderr, "ptx-run: %s takes %u arguments, %u given\n", sim_kernel_name(k), n, r->args.len);
		return NULL;
	}
	for (uint32_t a = 0; a < n; a++) {
		sim_kernel_arg(k, a, &off, &len);
		*size = off + len > *size ? off + len : *size;
	}
	uint8_t *p = NEWN(&r->arena, uint8_t, *size + 1);
	for (uint32_t a = 0; a < n; a++) {
		struct run_arg *v = &r->args.data[a];
		uint64_t have = v->buffer ? 8 : v->type == T_BYTES ? v->count : run_type_size(v->type);
		sim_kernel_arg(k, a, &off, &len);
		if (have != len) {
			fprintf(stderr, "ptx-run: argument %u of %s has %u bytes, `%s' gives %llu\n", a, sim_kernel_name(k), len,
				v->spec, (unsigned long long)have);
			return NULL;
		}
		if (v->type == T_BYTES) {
			size_t got;
			uint8_t *f = run_read_file(r, v->in, len, &got);
			if (!f)
				return NULL;
			memcpy(p + off, f, got < len ? got : len);
		} else {
			memcpy(p + off, v->buffer ? (void *)&v->addr : (void *)v->scalar, len);
		}
	}
	return p;
}

/* Reads what the kernel has left in memory, with a warning where a value was never computed. */
static uint8_t *read_back(struct run *r, struct sim *s, const char *what, uint64_t addr, uint64_t size)
{
	uint8_t *p = NEWN(&r->arena, uint8_t, size + 1);
	const char *by;
	uint64_t first, n = sim_undefined(s, addr, size, &first, &by);
	if (n)
		fprintf(stderr, "ptx-run: warning: `%s': %llu bytes have bits that were never given a value, the first is byte %llu (%s)\n",
			what, (unsigned long long)n, (unsigned long long)first, by);
	return sim_read(s, addr, p, size) ? p : NULL;
}

static bool download(struct run *r, struct sim *s, const struct sim_module *m)
{
	bool ok = true;
	for (uint32_t n = 0; n < r->args.len; n++) {
		struct run_arg *a = &r->args.data[n];
		size_t size = a->count * run_type_size(a->type);
		if (!a->out)
			continue;
		uint8_t *p = read_back(r, s, a->spec, a->addr, size);
		if (p && !strcmp(a->out, "-"))
			run_print_elements(a->type, p, a->count);
		else
			ok &= p && run_write_file(a->out, p, size);
	}
	for (uint32_t n = 0; n < r->globals.len; n++) {
		struct run_global *g = &r->globals.data[n];
		uint64_t size, at = sim_symbol(m, g->name, &size);
		if (!g->out)
			continue;
		uint8_t *p = read_back(r, s, g->name, at, size);
		if (p && !strcmp(g->out, "-"))
			run_print_elements(T_B8, p, size);
		else
			ok &= p && run_write_file(g->out, p, size);
	}
	return ok;
}

static void trace_line(void *ctx, const char *line)
{
	fprintf(ctx, "%s\n", line);
}

static void profile_line(void *ctx, int64_t offset, const char *text, uint64_t count, uint64_t cycles)
{
	(void)ctx;
	printf("%10llu %12llu  %6llx  %s\n", (unsigned long long)count, (unsigned long long)cycles, (unsigned long long)offset, text);
}

static int launch(struct run *r, struct sim *s, const uint8_t *elf, size_t size)
{
	char err[512];
	struct sim_module *m = sim_load(s, elf, size, err, sizeof err);
	if (!m) {
		fprintf(stderr, "ptx-run: %s: %s\n", r->module, err);
		return NO_COMPILE;
	}
	const struct sim_kernel *k = find_kernel(r, m);
	struct sim_launch l = {.kernel = k, .dynamic_lds = r->shared};
	memcpy(l.grid, r->grid, sizeof l.grid);
	memcpy(l.block, r->block, sizeof l.block);
	if (!k || !upload(r, s, m) || !(l.args = pack(r, k, &l.args_size)))
		return USAGE;
	struct sim_stats st;
	struct sim_fault f;
	if (!sim_run(s, &l, &st, &f)) {
		fflush(stdout);
		fprintf(stderr, "ptx-run: %s\n", f.text);
		return FAULTED;
	}
	if (!download(r, s, m))
		return USAGE;
	if (r->profile)
		sim_profile(s, k, profile_line, NULL);
	if (r->stats)
		run_print_stats(r, sim_kernel_name(k), &st);
	return RAN;
}

enum { MOST_MODULE = 1 << 30 };

static int run_module(struct run *r)
{
	size_t size;
	const char *err;
	uint8_t *bytes = run_read_file(r, r->module, MOST_MODULE, &size);
	if (!bytes)
		return USAGE;
	bool elf = size >= 4 && !memcmp(bytes, "\177ELF", 4);
	if (elf && !r->gpu_given && sim_elf_gpu(bytes, size))
		r->gpu = sim_elf_gpu(bytes, size);
	struct sim *s = sim_new(r->gpu, &r->opt, &err);
	if (!s) {
		fprintf(stderr, "ptx-run: %s: %s\n", r->gpu, err);
		return USAGE;
	}
	sim_opts(s)->strict_align = !elf;
	sim_opts(s)->padding = true;
	if (!elf)
		bytes = run_compile(r, (const char *)bytes, size, &size);
	int status = bytes ? launch(r, s, bytes, size) : NO_COMPILE;
	sim_free(s);
	return status;
}

/* What went to standard output is there, too. */
static int flushed(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	fprintf(stderr, "ptx-run: standard output: %s\n", strerror(errno));
	return status == RAN ? USAGE : status;
}

int ptx_run(int argc, char **argv)
{
	static struct run r; /* static: longjmp leaves it alone */
	struct trap trap;
	r = (struct run){.gpu = "gfx1100", .grid = {1, 1, 1}, .block = {1, 1, 1}};
	arena_init(&r.arena, &trap);
	if (setjmp(trap.env)) {
		fprintf(stderr, "ptx-run: %s\n", trap.msg);
		return USAGE;
	}
	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(usage, stdout);
		return flushed(RAN);
	}
	if (!parse_options(&r, argc, argv))
		return USAGE;
	if (r.trace) {
		r.opt.trace = trace_line;
		r.opt.trace_ctx = stderr;
	}
	int status = run_module(&r);
	arena_free(&r.arena);
	return flushed(status);
}
