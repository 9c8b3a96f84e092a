/* Runs the corpus in the simulator: every program, dialect and chip is one test, in a process of its own.
 *
 *	corpus [--only NAME]... [--dialect D]... [--gpu G]... [--corpus DIR] [--objects DIR] [--jobs N] [--seed N] [--stats]
 *	       [--no-uninit] [--no-hazards] [-O0..-O3] [--check] [--force-waits] [--disable PASS]... [--seed-ra N] [--max-vgprs N] [--max-lds N] [--max-scratch N]
 *
 * Dialects sm_75, sm_100 and clang are PTX and go through this compiler; amdgpu is clang's code object for the same source
 * (DIR/NAME.GPU.co in --objects). --stats prints a line of counts for each launch that ran. */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files_zstd.h"
#include "product.h"
#include "sim_run.h"

enum { MAX_WORDS = 64, MAX_JOBS = 64, CPU_S = 60, WALL_S = 900, WRONG = 1, SKIPPED = 3 };

struct options {
	const char *only[MAX_WORDS], *dialects[MAX_WORDS], *gpus[MAX_WORDS];
	int only_n, dialects_n, gpus_n;
	const char *corpus, *objects;
	int jobs;
	bool stats;
	struct sim_options sim;
	struct ptx_options ptx;
	const char *disabled[MAX_WORDS];
	int disabled_n;
};

struct task {
	const char *program, *dialect, *gpu;
	pid_t pid;
	FILE *out;
};

/* Size of a function's symbol in a 64-bit ELF file, 0 where there is none. */
static uint64_t code_bytes(const void *elf, size_t size, const char *name)
{
	const Elf64_Ehdr *e = elf;
	const char *base = elf;
	if (size < sizeof *e || e->e_shoff + (uint64_t)e->e_shnum * sizeof(Elf64_Shdr) > size)
		return 0;
	const Elf64_Shdr *sh = (const void *)(base + e->e_shoff);
	for (int i = 0; i < e->e_shnum; i++) {
		if ((sh[i].sh_type != SHT_SYMTAB && sh[i].sh_type != SHT_DYNSYM) || sh[i].sh_link >= e->e_shnum)
			continue;
		const Elf64_Sym *sym = (const void *)(base + sh[i].sh_offset);
		const char *str = base + sh[sh[i].sh_link].sh_offset;
		for (uint64_t k = 0; k < sh[i].sh_size / sizeof *sym; k++)
			if (ELF64_ST_TYPE(sym[k].st_info) == STT_FUNC && !strcmp(str + sym[k].st_name, name))
				return sym[k].st_size;
	}
	return 0;
}

static void print_stats(const struct task *t, const struct test_case *c, const struct sim_result *r, const void *elf,
                        size_t elf_size, FILE *f)
{
	for (uint32_t i = 0; i < r->launches.len; i++) {
		const struct sim_stats *s = &r->launches.data[i];
		uint64_t insts = 0;
		for (int k = 0; k < SIM_CLASSES; k++)
			insts += s->insts[k];
		fprintf(f, "stats\t%s\t%s\t%s\t%s\t%llu\t%llu\t%llu\t%u\t%u\t%u\t%u\t%u\t%llu\n", t->program, t->dialect, t->gpu,
		        c->launches.data[i].entry, (unsigned long long)insts, (unsigned long long)s->lane_insts,
		        (unsigned long long)s->cycles, s->vgprs, s->sgprs, s->lds_bytes, s->scratch_bytes, s->occupancy,
		        (unsigned long long)code_bytes(elf, elf_size, c->launches.data[i].entry));
	}
}

/* The code object to run; NULL and *rc where there is none. */
static const void *code_object(struct arena *a, const struct options *o, const struct task *t, size_t *size, int *rc)
{
	if (!strcmp(t->dialect, "amdgpu")) {
		const char *path = arena_printf(a, "%s/%s.%s.co", o->objects, t->program, t->gpu);
		void *elf = read_file(a, path, size);
		*rc = SKIPPED;
		if (!elf)
			fprintf(t->out, "skipped: %s %s: no %s (regenerate.sh makes it with clang-22)\n", t->program, t->gpu, path);
		return elf;
	}
	const char *path = arena_printf(a, "%s/%s/%s.%s.ptx", o->corpus, t->program, t->program, t->dialect);
	char *ptx = read_file(a, path, size);
	*rc = WRONG;
	if (!ptx) {
		fprintf(t->out, "  %s cannot be read\n", path);
		return NULL;
	}
	struct ptx_options opt = o->ptx;
	opt.gpu = t->gpu;
	opt.disabled = o->disabled;
	return product_compile(a, path, ptx, *size, &opt, size, t->out);
}

static int run_task(const struct options *o, const struct task *t)
{
	struct arena a;
	char err[256] = "";
	int rc;
	size_t size, golden_size;
	arena_init(&a, NULL);
	const char *base = arena_printf(&a, "%s/%s/%s", o->corpus, t->program, t->program);
	const char *path = arena_printf(&a, "%s.case", base);
	struct test_case *in = case_read(&a, path, err), *c = case_read(&a, path, err);
	if (!in || !c || !case_generate(in, err)) {
		fprintf(t->out, "  %s\n", err);
		return WRONG;
	}
	char *golden = read_zstd(&a, arena_printf(&a, "%s.golden.zst", base), &golden_size);
	if (!golden) {
		fprintf(t->out, "  %s.golden.zst cannot be read\n", base);
		return WRONG;
	}
	const void *elf = code_object(&a, o, t, &size, &rc);
	if (!elf)
		return rc;
	struct sim_result result;
	if (!sim_run_case(c, t->gpu, elf, size, &o->sim, &result, t->out))
		return WRONG;
	bool ok = golden_compare(c, golden, golden_size, !strcmp(t->dialect, "amdgpu"), t->out) == 0;
	if (host_check(in, c, t->out) > 0)
		ok = false;
	if (ok && o->stats)
		print_stats(t, c, &result, elf, size, t->out);
	return ok ? 0 : WRONG;
}

/* What one test may take; a test that needs more is wrong, and must not take others along. */
#ifdef __SANITIZE_ADDRESS__ /* reserves terabytes of addresses */
static const rlim_t MEMORY_BYTES = RLIM_INFINITY;
#else
static const rlim_t MEMORY_BYTES = (rlim_t)4 << 30;
#endif

static bool start(const struct options *o, struct task *t)
{
	t->out = tmpfile();
	fflush(stdout);
	t->pid = t->out ? fork() : -1;
	if (t->pid == 0) {
		alarm(WALL_S);
		setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_S, CPU_S + 5});
		setrlimit(RLIMIT_AS, &(struct rlimit){MEMORY_BYTES, MEMORY_BYTES});
		int rc = run_task(o, t);
		fflush(t->out);
		_exit(rc);
	}
	return t->pid > 0;
}

/* Prints what the task said; 0 passed, 1 failed, 2 skipped. */
static int finish(struct task *t, int status)
{
	int rc = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	if (rc != 0 && rc != SKIPPED)
		printf("FAILED %s %s %s%s\n", t->program, t->dialect, t->gpu,
		       rc >= 0                                                                           ? ""
		       : WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU) ? ": ran out of time"
		                                                                                         : ": crashed");
	char line[4096];
	rewind(t->out);
	for (int n = 0; n < 40 && fgets(line, sizeof line, t->out); n++)
		fputs(line, stdout);
	fclose(t->out);
	return rc == 0 ? 0 : rc == SKIPPED ? 2 : 1;
}

static void run_all(const struct options *o, struct task *tasks, int n, int count[3])
{
	int next = 0, running = 0;
	while (next < n || running > 0) {
		while (next < n && running < o->jobs) {
			if (!start(o, &tasks[next])) {
				printf("FAILED %s: cannot start: %s\n", tasks[next].program, strerror(errno));
				count[1]++;
			} else {
				running++;
			}
			next++;
		}
		int status;
		pid_t pid = wait(&status);
		for (int i = 0; i < next; i++)
			if (pid > 0 && tasks[i].pid == pid)
				count[finish(&tasks[i], status)]++;
		running -= pid > 0;
	}
}

static bool selected(const char *const *list, int n, const char *word)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(list[i], word))
			return true;
	return n == 0;
}

static bool exists(struct arena *a, const struct options *o, const char *program, const char *dialect)
{
	char err[256];
	struct test_case *c = case_read(a, arena_printf(a, "%s/%s/%s.case", o->corpus, program, program), err);
	for (uint32_t i = 0; c && i < c->not.len; i++)
		if (!strcmp(c->not.data[i], dialect))
			return false;
	return true;
}

/* Options without a value; false where k is none. */
static bool parse_switch(struct options *o, const char *k)
{
	if (!strcmp(k, "--stats"))
		o->stats = true;
	else if (!strcmp(k, "--no-uninit"))
		o->sim.no_uninit = true;
	else if (!strcmp(k, "--no-hazards"))
		o->sim.no_hazards = true;
	else if (!strcmp(k, "--races"))
		o->sim.races = true;
	else if (!strcmp(k, "--caches"))
		o->sim.caches = true;
	else if (!strcmp(k, "--check"))
		o->ptx.check = 1;
	else if (!strcmp(k, "--force-waits"))
		o->ptx.force_waits = 1;
	else if (!strncmp(k, "-O", 2) && k[2] >= '0' && k[2] <= '3' && !k[3])
		o->ptx.opt_level = PTX_O0 + (k[2] - '0');
	else
		return false;
	return true;
}

static bool parse_options(struct options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *k = argv[i];
		if (parse_switch(o, k))
			continue;
		if (i + 1 == argc)
			return false;
		char *v = argv[++i];
		if (!strcmp(k, "--only") && o->only_n < MAX_WORDS)
			o->only[o->only_n++] = v;
		else if (!strcmp(k, "--dialect") && o->dialects_n < MAX_WORDS)
			o->dialects[o->dialects_n++] = v;
		else if (!strcmp(k, "--gpu") && o->gpus_n < MAX_WORDS)
			o->gpus[o->gpus_n++] = v;
		else if (!strcmp(k, "--disable") && o->disabled_n < MAX_WORDS - 1)
			o->disabled[o->disabled_n++] = v;
		else if (!strcmp(k, "--corpus"))
			o->corpus = v;
		else if (!strcmp(k, "--objects"))
			o->objects = v;
		else if (!strcmp(k, "--jobs"))
			o->jobs = atoi(v);
		else if (!strcmp(k, "--seed"))
			o->sim.seed = strtoull(v, NULL, 0);
		else if (!strcmp(k, "--seed-ra"))
			o->ptx.seed = (uint32_t)strtoul(v, NULL, 0);
		else if (!strcmp(k, "--max-scratch"))
			o->ptx.max_scratch = (uint32_t)strtoul(v, NULL, 0);
		else if (!strcmp(k, "--max-lds"))
			o->ptx.max_lds = (uint32_t)strtoul(v, NULL, 0);
		else if (!strcmp(k, "--max-vgprs"))
			o->ptx.max_vgprs = (uint32_t)strtoul(v, NULL, 0);
		else
			return false;
	}
	return o->jobs > 0 && o->jobs <= MAX_JOBS;
}

int main(int argc, char **argv)
{
	struct options o = {.corpus = "tests/ptx-corpus", .objects = "build/ptx-corpus", .jobs = 2};
	if (!parse_options(&o, argc, argv)) {
		fprintf(stderr, "usage: corpus [--only NAME] [--dialect sm_75|sm_100|clang|amdgpu] [--gpu GFX] [--corpus DIR]\n"
		                "              [--objects DIR] [--jobs N] [--seed N] [--stats] [--no-uninit] [--no-hazards] [--races] [--caches]\n"
		                "              [-O0..-O3] [--check] [--force-waits] [--disable PASS] [--seed-ra N] [--max-vgprs N] [--max-lds N] [--max-scratch N]\n");
		return 2;
	}
	if (!o.dialects_n)
		for (const char *const *d = (const char *const[]){"sm_75", "sm_100", "clang", NULL}; *d; d++)
			o.dialects[o.dialects_n++] = *d;
	if (!o.gpus_n)
		for (const char *const *g = (const char *const[]){"gfx1030", "gfx1100", NULL}; *g; g++)
			o.gpus[o.gpus_n++] = *g;
	struct arena a;
	const char **names;
	arena_init(&a, NULL);
	int programs = corpus_programs(&a, o.corpus, &names), n = 0, count[3] = {0};
	if (programs < 0) {
		fprintf(stderr, "no corpus in %s\n", o.corpus);
		return 2;
	}
	struct task *tasks = arena_alloc(&a, sizeof *tasks * (size_t)(programs * o.dialects_n * o.gpus_n + 1));
	for (int p = 0; p < programs; p++)
		for (int d = 0; d < o.dialects_n; d++)
			for (int g = 0; g < o.gpus_n; g++)
				if (selected(o.only, o.only_n, names[p]) && exists(&a, &o, names[p], o.dialects[d]))
					tasks[n++] = (struct task){names[p], o.dialects[d], o.gpus[g], 0, NULL};
	run_all(&o, tasks, n, count);
	printf("%d passed, %d failed", count[0], count[1]);
	if (count[2])
		printf(", %d skipped", count[2]);
	printf("\n");
	arena_free(&a);
	return count[1] || n == 0;
}
