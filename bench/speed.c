#include "bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "parser/ptx_parse.h"
#include "ptx.h"

extern char **environ;

static double now_ms(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* CPU time of a command, the least of `times` runs; below 0 where it cannot run or fails. */
static double command_ms(int runs, const char *const argv[])
{
	double best = -1;
	posix_spawn_file_actions_t fa;
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&fa, 2, "/dev/null", O_WRONLY, 0);
	for (int i = 0; i < runs; i++) {
		pid_t pid;
		int status;
		struct rusage ru;
		if (posix_spawnp(&pid, argv[0], &fa, NULL, (char **)argv, environ) != 0 || wait4(pid, &status, 0, &ru) != pid ||
		    status != 0) {
			best = -1;
			break;
		}
		double ms = (double)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * 1e3 +
		            (double)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) * 1e-3;
		best = best < 0 || ms < best ? ms : best;
	}
	posix_spawn_file_actions_destroy(&fa);
	return best;
}

/* CPU time of one compilation in this process, in a context that is used again; the least of `runs`. */
static double in_process_ms(struct ptx_context *ctx, int runs, const char *ptx, size_t size, const char *gpu)
{
	double best = -1;
	struct ptx_options opt = {.gpu = gpu};
	const struct ptx_output *out;
	for (int i = 0; i < runs; i++) {
		double t = now_ms(CLOCK_PROCESS_CPUTIME_ID);
		enum ptx_status st = ptx_compile(ctx, &opt, ptx, size, &out);
		t = now_ms(CLOCK_PROCESS_CPUTIME_ID) - t;
		if (st != PTX_OK)
			return -1;
		best = best < 0 || t < best ? t : best;
	}
	return best;
}

static double parse_ms(int runs, const char *ptx, size_t size)
{
	double best = -1;
	for (int i = 0; i < runs; i++) {
		struct arena a;
		struct diags d;
		struct ptx_parse_opts opts = {0};
		arena_init(&a, NULL);
		diags_init(&d, &a);
		double t = now_ms(CLOCK_PROCESS_CPUTIME_ID);
		ptx_parse(&a, &d, ptx, size, &opts);
		t = now_ms(CLOCK_PROCESS_CPUTIME_ID) - t;
		arena_free(&a);
		best = best < 0 || t < best ? t : best;
	}
	return best;
}

static uint64_t count_lines(const char *s, size_t n)
{
	uint64_t lines = 0;
	for (size_t i = 0; i < n; i++)
		lines += s[i] == '\n';
	return lines;
}

static const char *tool(const char *variable, const char *fallback)
{
	const char *v = getenv(variable);
	return v && *v ? v : fallback;
}

#define OURS_TOOL tool("PTXAS_AMD", "build/ptxas-amd")
#define PTXAS_TOOL tool("PTXAS", "/usr/local/cuda/bin/ptxas")
#define LLC_TOOL tool("LLC", "llc-22")
#define CLANG_TOOL tool("CLANG", "clang-22")

static void measure_program(struct arena *a, struct ptx_context *ctx, const char *corpus, const char *objects,
                            const char *name, struct times *t)
{
	size_t size;
	const char *path = arena_printf(a, "%s/%s/%s.sm_75.ptx", corpus, name, name);
	const char *cu = arena_printf(a, "%s/%s/%s.cu", corpus, name, name);
	const char *ptx = read_file(a, path, &size);
	*t = (struct times){.program = name, .ptxas = -1};
	t->lines = ptx ? count_lines(ptx, size) : 0;
	t->ptxas = command_ms(2, (const char *[]){PTXAS_TOOL, "-O3", "-arch=sm_75", path, "-o", "/dev/null", NULL});
	for (int g = 0; g < CHIPS; g++) {
		const char *cpu = arena_printf(a, "-mcpu=%s", chip_name[g]);
		const char *arch = arena_printf(a, "--offload-arch=%s", chip_name[g]);
		const char *ll = arena_printf(a, "%s/%s.%s.ll", objects, name, chip_name[g]);
		t->in_process[g] = ptx ? in_process_ms(ctx, 5, ptx, size, chip_name[g]) : -1;
		t->command[g] =
		        command_ms(3, (const char *[]){OURS_TOOL, "--gpu", chip_name[g], path, "-o", "/dev/null", NULL});
		t->llc[g] = command_ms(
		        1, (const char *[]){LLC_TOOL, "-O3", "-mtriple=amdgcn-amd-amdhsa", cpu, "-filetype=obj", ll, "-o", "/dev/null", NULL});
		t->clang[g] = command_ms(1, (const char *[]){CLANG_TOOL, "-x", "hip", "--offload-device-only", arch, "-nogpuinc",
		                                             "-nogpulib", "-O3", "--no-gpu-bundle-output", cu, "-o", "/dev/null",
		                                             NULL});
	}
}

/* Rates over all PTX of the corpus, three dialects. */
static void measure_rates(struct arena *a, struct ptx_context *ctx, const char *corpus, const char **names, int n,
                          const times *t, struct rates *r)
{
	static const char *const dialects[] = {"sm_75", "sm_100", "clang"};
	double parse = 0, compile = 0, ptxas = 0;
	uint64_t compiled_lines = 0, ptxas_lines = 0;
	for (int i = 0; i < n; i++)
		for (int d = 0; d < 3; d++) {
			size_t size;
			const char *path = arena_printf(a, "%s/%s/%s.%s.ptx", corpus, names[i], names[i], dialects[d]);
			const char *ptx = read_file(a, path, &size);
			if (!ptx)
				continue;
			uint64_t lines = count_lines(ptx, size);
			r->files++;
			r->lines += lines;
			r->bytes += size;
			parse += parse_ms(5, ptx, size);
			double c = in_process_ms(ctx, 3, ptx, size, chip_name[GFX1100]);
			if (c >= 0) {
				r->compiled++;
				compile += c;
				compiled_lines += lines;
			}
		}
	for (uint32_t i = 0; i < t->len; i++)
		if (t->data[i].ptxas > 0) {
			ptxas += t->data[i].ptxas;
			ptxas_lines += t->data[i].lines;
		}
	r->parse_lines = parse > 0 ? (double)r->lines / parse * 1e3 : -1;
	r->compile_lines = compile > 0 ? (double)compiled_lines / compile * 1e3 : -1;
	r->ptxas_lines = ptxas > 0 ? (double)ptxas_lines / ptxas * 1e3 : -1;
}

void measure_speed(struct arena *a, const char *corpus, const char *objects, times *t, struct rates *r)
{
	const char **names;
	int n = corpus_programs(a, corpus, &names);
	memset(r, 0, sizeof *r);
	struct ptx_context *ctx = ptx_context_new();
	if (!ctx)
		return;
	for (int i = 0; i < n; i++) {
		struct times one;
		measure_program(a, ctx, corpus, objects, names[i], &one);
		vec_push(a, t, one);
	}
	measure_rates(a, ctx, corpus, names, n, t, r);
	ptx_context_free(ctx);
	r->empty_ours =
	        command_ms(20, (const char *[]){OURS_TOOL, "--gpu", "gfx1100", "bench/empty.ptx", "-o", "/dev/null", NULL});
	r->empty_ptxas =
	        command_ms(10, (const char *[]){PTXAS_TOOL, "-O3", "-arch=sm_75", "bench/empty.ptx", "-o", "/dev/null", NULL});
}
