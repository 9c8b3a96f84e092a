/* ptxas-amd: PTX to AMDGPU code objects, called as NVIDIA's ptxas is called. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../read_all.h"
#include "ptx.h"

enum { EXIT_FAILED = 255, MAX_NAMES = 64, MAX_GPUS = 16 };

/* Options of NVIDIA's that change nothing here. */
enum effect { MEANT, DROPPED };
static const struct foreign {
	const char *name, *brief, *value;
	enum effect effect;
} foreign[] = {
#define OPTION(name, brief, value, effect) {name, brief, value, effect},
#include "options.def"
#undef OPTION
};
enum { NFOREIGN = sizeof foreign / sizeof *foreign };

struct args {
	struct ptx_options opt;
	const char *input, *output;
	const char *gpus[MAX_GPUS + 1], *dumps[MAX_NAMES + 1], *disabled[MAX_NAMES + 1];
	unsigned ngpus, ndumps, ndisabled;
	bool verbose, assembly, no_warnings, warnings_are_errors;
	bool dropped[NFOREIGN];
	struct said *said;
};

/* A diagnostic of a chip before: what several chips have in common is printed once. */
struct said {
	struct said *next;
	unsigned line;
	char text[];
};

static void usage(FILE *f)
{
	fputs("usage: ptxas-amd [options] FILE.ptx        (- reads standard input)\n"
	      "  -arch, --gpu-name sm_XX     refuse modules that ptxas would not compile for this\n"
	      "  --gpu GFX[,GFX...]          chips to compile for (default gfx1100); several: one output each, named OUT.GFX\n"
	      "  -o, --output-file FILE      code object (default elf.o), or assembly with -S (default standard output); -: standard output\n"
	      "  -O0 .. -O3, --opt-level N   optimisation (default 3); -O0: only the passes that are needed, -O1 to -O3: all\n"
	      "  -v, --verbose               registers, memory and occupancy of each kernel\n"
	      "  --dynamic-shared=BYTES      the most dynamic shared memory that launches will ask for; beyond LDS it is global memory\n"
	      "  --ftz=exact|hardware        .ftz of mul and fma next to the least normal number: as NVIDIA's, with a test of the result where it is not\n"
	      "                              known that the chip does so (default) or wherever it matters (exact); or as the chip does\n"
	      "  --atomic-nan=hardware|exact NaN bits that f32 atom.add and red.add leave in memory: the chip's where a NaN of other bits was there or\n"
	      "                              infinities cancel (default), or NVIDIA's always, by compare-and-swap\n"
	      "  -S                          assembly text, with the PTX lines as comments\n"
	      "  -w, --disable-warnings      print no warnings; -Werror, --warning-as-error: fail where there is one\n"
	      "  --check                     validate after every pass and compare the encoded code with what was meant\n"
	      "  --dump=PASS                 print the code after a pass that runs (A,B: several; all: after every pass); --stop-after=PASS\n"
	      "  --no-PASS                   leave an optional pass out\n"
	      "  --max-vgprs=N  --max-lds=N  --max-scratch=N  --seed-ra=N  --force-waits   for testing\n"
	      "  --list-gpus  --list-passes  -V, --version  -h, --help\n"
	      "Of ptxas's other options those that ask for nothing here are taken silently (-m64, -c, --fmad ...), hints that are not followed\n"
	      "with a warning (-lineinfo, -g, --maxrregcount ...).\n"
	      "exit status: 0, or 255 where there is no output\n",
	      f);
}

/* The value of an option given as --name=value, --name value or -name value; NULL: not this option. */
static const char *value_of(int argc, char **argv, int *k, const char *name)
{
	const char *a = argv[*k];
	size_t n = strlen(name);
	if (strncmp(a, name, n))
		return NULL;
	if (a[n] == '=')
		return a + n + 1;
	if (a[n] || *k + 1 >= argc)
		return NULL;
	return argv[++*k];
}

/* false: a name is empty, or too many. */
static bool split(char *list, const char **out, unsigned *n, unsigned max)
{
	size_t len = strlen(list);
	if (!len || list[0] == ',' || list[len - 1] == ',' || strstr(list, ",,"))
		return false;
	char *p;
	for (p = strtok(list, ","); p && *n < max; p = strtok(NULL, ","))
		out[(*n)++] = p;
	return !p;
}

static void print_dump(void *ctx, const char *pass, const char *function, const char *text)
{
	(void)ctx;
	printf("# %s%s%s\n%s\n", pass, function ? ": " : "", function ? function : "", text);
}

static bool known_pass(const char *name)
{
	const char *p;
	for (unsigned k = 0; (p = ptx_pass_name(k)); k++)
		if (!strcmp(p, name))
			return true;
	return false;
}

static bool number(const char *s, uint32_t *out)
{
	char *end;
	errno = 0;
	unsigned long x = strtoul(s, &end, 0);
	*out = (uint32_t)x;
	return *s >= '0' && *s <= '9' && !*end && !errno && x <= UINT32_MAX;
}

static bool level(const char *s, struct args *a)
{
	if (*s < '0' || *s > '3' || s[1])
		return false;
	a->opt.opt_level = PTX_O0 + (*s - '0');
	return true;
}

/* Is v one of the words a|b|...? "" takes any integer. */
static bool takes(const char *words, const char *v)
{
	size_t n = strlen(v);
	if (!*words)
		return *(v += *v == '-') && v[strspn(v, "0123456789")] == 0;
	for (;; words++) {
		if (!strncmp(words, v, n) && (words[n] == '|' || !words[n]))
			return n > 0;
		words += strcspn(words, "|");
		if (!*words)
			return false;
	}
}

/* ptxas takes -name value, --name value, --name=value, and -m64. */
static bool foreign_option(int argc, char **argv, int *k, struct args *a)
{
	const char *s = argv[*k];
	for (unsigned n = 0; n < NFOREIGN; n++) {
		const struct foreign *f = &foreign[n];
		const char *v;
		bool is = !strcmp(s, f->name) || !strcmp(s, f->brief);
		if (f->value) {
			v = value_of(argc, argv, k, f->name);
			v = v ? v : value_of(argc, argv, k, f->brief);
			v = v ? v : !f->brief[2] && s[1] == f->brief[1] && s[2] >= '0' && s[2] <= '9' ? s + 2 : NULL;
			is = v && takes(f->value, v);
		}
		if (!is)
			continue;
		a->dropped[n] = f->effect == DROPPED;
		return true;
	}
	return false;
}

/* One option at argv[*k]; false: not understood. */
static bool option(int argc, char **argv, int *k, struct args *a)
{
	const char *s = argv[*k], *v;
	if (!strncmp(s, "-O", 2) && s[2] >= '0' && s[2] <= '9')
		return level(s + 2, a);
	if ((v = value_of(argc, argv, k, "--opt-level")) || (v = value_of(argc, argv, k, "-O")))
		return level(v, a);
	if ((v = value_of(argc, argv, k, "-arch")) || (v = value_of(argc, argv, k, "--gpu-name")))
		a->opt.arch = v;
	else if ((v = value_of(argc, argv, k, "--gpu")))
		return split((char *)v, a->gpus, &a->ngpus, MAX_GPUS);
	else if ((v = value_of(argc, argv, k, "-o")) || (v = value_of(argc, argv, k, "--output-file")))
		a->output = v;
	else if ((v = value_of(argc, argv, k, "--dump")))
		return split((char *)v, a->dumps, &a->ndumps, MAX_NAMES);
	else if ((v = value_of(argc, argv, k, "--stop-after")))
		a->opt.stop_after = v;
	else if ((v = value_of(argc, argv, k, "--dynamic-shared")))
		return number(v, &a->opt.dynamic_shared);
	else if ((v = value_of(argc, argv, k, "--ftz"))) {
		a->opt.ftz = !strcmp(v, "hardware") ? PTX_FTZ_HARDWARE : PTX_FTZ_EXACT;
		return a->opt.ftz == PTX_FTZ_HARDWARE || !strcmp(v, "exact");
	}
	else if ((v = value_of(argc, argv, k, "--atomic-nan"))) {
		a->opt.exact_atomic_nan = !strcmp(v, "exact");
		return a->opt.exact_atomic_nan || !strcmp(v, "hardware");
	}
	else if ((v = value_of(argc, argv, k, "--max-lds")))
		return number(v, &a->opt.max_lds);
	else if ((v = value_of(argc, argv, k, "--max-scratch")))
		return number(v, &a->opt.max_scratch);
	else if ((v = value_of(argc, argv, k, "--max-vgprs")))
		return number(v, &a->opt.max_vgprs);
	else if ((v = value_of(argc, argv, k, "--seed-ra")))
		return number(v, &a->opt.seed);
	else if (!strcmp(s, "--force-waits"))
		a->opt.force_waits = 1;
	else if (!strcmp(s, "--check"))
		a->opt.check = 1;
	else if (!strcmp(s, "-v") || !strcmp(s, "--verbose"))
		a->verbose = true;
	else if (!strcmp(s, "-S"))
		a->assembly = true;
	else if (!strcmp(s, "-w") || !strcmp(s, "--disable-warnings"))
		a->no_warnings = true;
	else if (!strcmp(s, "-Werror") || !strcmp(s, "--warning-as-error"))
		a->warnings_are_errors = true;
	else if (foreign_option(argc, argv, k, a))
		return true;
	else if (!strncmp(s, "--no-", 5) && known_pass(s + 5) && a->ndisabled < MAX_NAMES)
		a->disabled[a->ndisabled++] = s + 5;
	else if (s[0] == '-' && s[1])
		return false;
	else if (a->input) {
		fputs("ptxas fatal   : More than one input file\n", stderr);
		exit(EXIT_FAILED);
	}
	else
		a->input = s;
	return true;
}

static const char *const severities[] = {"info    ", "warning ", "error   ", "fatal   "};

static bool said(struct args *a, const struct ptx_diagnostic *d)
{
	for (const struct said *s = a->said; s; s = s->next)
		if (s->line == d->line && !strcmp(s->text, d->text))
			return true;
	size_t n = strlen(d->text) + 1;
	struct said *s = a->ngpus > 1 ? malloc(sizeof *s + n) : NULL;
	if (s) {
		s->next = a->said;
		s->line = d->line;
		memcpy(s->text, d->text, n);
		a->said = s;
	}
	return false;
}

static void forget(struct args *a)
{
	for (struct said *s = a->said, *next; s; s = next) {
		next = s->next;
		free(s);
	}
}

/* Returns the number of warnings. */
static uint32_t print_diagnostics(struct args *a, const struct ptx_output *out)
{
	uint32_t warnings = 0;
	for (uint32_t k = 0; k < out->ndiagnostics; k++) {
		const struct ptx_diagnostic *d = &out->diagnostics[k];
		const char *file = a->input;
		warnings += d->severity == PTX_SEVERITY_WARNING;
		if ((a->no_warnings && d->severity == PTX_SEVERITY_WARNING) || said(a, d))
			continue;
		if (d->line)
			fprintf(stderr, "ptxas %s, line %u; %s: %s\n", file, d->line, severities[d->severity], d->text);
		else
			fprintf(stderr, "ptxas %s: %s\n", severities[d->severity], d->text);
	}
	return warnings;
}

static uint32_t warn_of_options(const struct args *a)
{
	uint32_t warnings = 0;
	for (unsigned n = 0; n < NFOREIGN; n++) {
		warnings += a->dropped[n];
		if (a->dropped[n] && !a->no_warnings)
			fprintf(stderr, "ptxas warning : Option '%s' has no effect\n", foreign[n].name);
	}
	return warnings;
}

static bool gpus_known(const struct args *a)
{
	for (unsigned k = 0; k < a->ngpus; k++) {
		const char *p = NULL;
		for (unsigned n = 0; (p = ptx_gpu_name(n)) && strcmp(p, a->gpus[k]); n++)
			;
		if (!p) {
			fprintf(stderr, "ptxas fatal   : Value '%s' is not defined for option 'gpu'\n", a->gpus[k]);
			return false;
		}
	}
	return true;
}

static void print_kernels(const char *gpu, const struct ptx_output *out)
{
	for (uint32_t k = 0; k < out->nkernels; k++) {
		const struct ptx_kernel *n = &out->kernels[k];
		fprintf(stderr, "ptxas info    : Compiling entry function '%s' for '%s'\n", n->name, gpu);
		fprintf(stderr, "ptxas info    : Function properties for %s\n", n->name);
		fprintf(stderr, "    %u bytes stack frame, %u VGPR spills, %u SGPR spills\n", n->scratch_bytes, n->vgpr_spills, n->sgpr_spills);
		fprintf(stderr, "ptxas info    : Used %u VGPRs, %u SGPRs, %u bytes smem, %u bytes params, %u bytes code, occupancy %u waves\n",
		        n->vgprs, n->sgprs, n->lds_bytes, n->param_bytes, n->code_bytes, n->occupancy);
	}
}

static bool write_output(const char *path, const void *data, size_t size)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "wb") : stdout;
	bool ok = f && fwrite(data, 1, size, f) == size;
	if (f && f != stdout)
		ok &= fclose(f) == 0;
	else if (f)
		ok &= fflush(f) == 0;
	if (!ok)
		fprintf(stderr, "ptxas fatal   : Could not write '%s': %s\n", path, strerror(errno));
	return ok;
}

/* What went to standard output is there, too. */
static int flushed(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	fputs("ptxas fatal   : Could not write to standard output\n", stderr);
	return EXIT_FAILED;
}

static bool compile(struct ptx_context *ctx, struct args *a, const char *gpu, const char *text, size_t size)
{
	const struct ptx_output *out;
	a->opt.gpu = gpu;
	enum ptx_status status = ptx_compile(ctx, &a->opt, text, size, &out);
	uint32_t warnings = print_diagnostics(a, out);
	if (status != PTX_OK || (warnings && a->warnings_are_errors)) {
		fprintf(stderr, "ptxas fatal   : Ptx assembly aborted due to errors\n");
		return false;
	}
	if (a->verbose)
		print_kernels(gpu, out);
	if (!out->object)
		return true;
	const char *path = a->output ? a->output : a->assembly ? "-" : "elf.o";
	char *named = NULL;
	if (a->ngpus > 1 && strcmp(path, "-")) {
		size_t n = strlen(path) + strlen(gpu) + 2;
		named = malloc(n);
		if (!named)
			return false;
		snprintf(named, n, "%s.%s", path, gpu);
	}
	bool ok = a->assembly ? write_output(named ? named : path, out->assembly, strlen(out->assembly))
	                      : write_output(named ? named : path, out->object, out->object_size);
	free(named);
	return ok;
}

static int list(const char *(*name)(unsigned))
{
	const char *p;
	for (unsigned k = 0; (p = name(k)); k++)
		puts(p);
	return flushed(0);
}

static int run(struct args *a)
{
	size_t size;
	if (!gpus_known(a) || (warn_of_options(a) && a->warnings_are_errors))
		return EXIT_FAILED;
	FILE *f = strcmp(a->input, "-") ? fopen(a->input, "rb") : stdin;
	char *text = f ? read_all(f, &size) : NULL;
	if (!text) {
		fprintf(stderr, "ptxas fatal   : Could not open input file '%s': %s\n", a->input, strerror(errno));
		return EXIT_FAILED;
	}
	if (f != stdin)
		fclose(f);
	struct ptx_context *ctx = ptx_context_new();
	bool ok = ctx != NULL;
	if (!ok)
		fputs("ptxas fatal   : Memory allocation failure\n", stderr);
	for (unsigned k = 0; ok && k < a->ngpus; k++)
		ok = compile(ctx, a, a->gpus[k], text, size);
	ptx_context_free(ctx);
	forget(a);
	free(text);
	return ok ? flushed(0) : EXIT_FAILED;
}

int main(int argc, char **argv)
{
	struct args a = {0};
	for (int k = 1; k < argc; k++) {
		if (!strcmp(argv[k], "--help") || !strcmp(argv[k], "-h"))
			return usage(stdout), flushed(0);
		if (!strcmp(argv[k], "--version") || !strcmp(argv[k], "-V"))
			return printf("ptxas-amd %s\n", ptx_version()), flushed(0);
		if (!strcmp(argv[k], "--list-gpus"))
			return list(ptx_gpu_name);
		if (!strcmp(argv[k], "--list-passes"))
			return list(ptx_pass_name);
		int at = k;
		if (!option(argc, argv, &k, &a)) {
			fprintf(stderr, "ptxas fatal   : Unknown option or bad value: '%s'\n", argv[at]);
			return EXIT_FAILED;
		}
	}
	if (!a.input) {
		fputs("ptxas fatal   : No input files specified; use option --help for more information\n", stderr);
		return EXIT_FAILED;
	}
	if (a.ngpus > 1 && a.output && !strcmp(a.output, "-") && !a.assembly) {
		fputs("ptxas fatal   : Code objects of several chips cannot go to standard output\n", stderr);
		return EXIT_FAILED;
	}
	if (!a.ngpus)
		a.gpus[a.ngpus++] = "gfx1100";
	a.opt.assembly = a.assembly;
	a.opt.dumps = a.dumps;
	a.opt.disabled = a.disabled;
	a.opt.dump = print_dump;
	return run(&a);
}
