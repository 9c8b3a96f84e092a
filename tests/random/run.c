/* run [--only CONFIG] [--few N] [--all] [--no PASS]... [--no-uninit] [--dump FILE] (PACK.zst | PTX EXPECTED)...
 *
 * Compiles a generated program's PTX in several configurations (--all: in all; --few: in N, other ones for each program of a pack), runs
 * it on the simulator and compares with what the host computed. A process for each, so that a crash or a hang is one failure among
 * others. --dump: a wrong output buffer as it is. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "ptx.h"
#include "sim/sim.h"
#include "../harness/case.h"
#include "../harness/files_zstd.h"

enum { IN_BYTES = 256 * 4, OUT_PER = 32, ATOM_BYTES = 64 * 4, BYTES_PER = 64, SECONDS = 60 };

static const struct config {
	const char *gpu;
	int level;
	bool check, races;
	uint32_t seed, max_vgprs;
	uint64_t order;
	bool force_waits, slow;
} configs[] = {
	{"gfx1100", PTX_O3, .check = true, .races = true},
	{"gfx1030", PTX_O0, .check = true, .order = 3},
	{"gfx1100", PTX_O0, .order = 2},
	{"gfx1030", PTX_O3, .races = true},
	{"gfx1100", PTX_O3, .seed = 11, .max_vgprs = 40, .order = 5, .slow = true},
	{"gfx1030", PTX_O3, .seed = 12, .max_vgprs = 32, .check = true, .slow = true},
	{"gfx1100", PTX_O0, .seed = 13, .check = true, .slow = true},
	{"gfx1030", PTX_O0, .seed = 14, .max_vgprs = 48, .races = true, .slow = true},
	{"gfx1100", PTX_O3, .force_waits = true, .seed = 15, .check = true, .slow = true},
	{"gfx1030", PTX_O3, .seed = 16, .order = 9, .slow = true},
};
enum { NCONFIGS = sizeof configs / sizeof *configs };
static const char *disabled[16];
static int ndisabled;
static bool no_uninit;
static const char *dump; /* where wrong outputs go */

static void failed(const char *ptx, int n, const char *kind, const char *text)
{
	const struct config *c = &configs[n];
	printf("FAIL %s config %d (%s -O%d%s): %s: %s\n", ptx, n, c->gpu, c->level == PTX_O0 ? 0 : 3, c->seed ? ", seed" : "", kind, text);
	fflush(stdout);
	_exit(1);
}

static const void *compile(const char *path, int n, const char *text, size_t size, size_t *elf_size)
{
	const struct config *c = &configs[n];
	struct ptx_options opt = {.gpu = c->gpu, .opt_level = c->level, .check = c->check, .seed = c->seed, .max_vgprs = c->max_vgprs,
	                          .force_waits = c->force_waits, .disabled = disabled};
	const struct ptx_output *out;
	char msg[1200];
	enum ptx_status st = ptx_compile(ptx_context_new(), &opt, text, size, &out);
	for (uint32_t i = 0; i < out->ndiagnostics && st != PTX_OK; i++)
		if (out->diagnostics[i].severity >= PTX_SEVERITY_ERROR) {
			snprintf(msg, sizeof msg, "line %u: %s", out->diagnostics[i].line, out->diagnostics[i].text);
			failed(path, n, st == PTX_ERROR_INTERNAL ? "internal" : "refused", msg);
		}
	if (st != PTX_OK || !out->object)
		failed(path, n, "refused", "no message");
	*elf_size = out->object_size;
	return out->object;
}

static void compare(const char *path, int n, struct sim *s, const char *name, uint64_t addr, const uint8_t *want, size_t size)
{
	uint8_t *got = malloc(size);
	char msg[200];
	size_t bad = 0, first = 0;
	sim_read(s, addr, got, size);
	for (size_t i = size; i--;)
		if (got[i] != want[i])
			bad++, first = i;
	FILE *f = bad && dump ? fopen(dump, "wb") : NULL;
	if (f) {
		fwrite(got, 1, size, f);
		fclose(f);
	}
	if (bad) {
		first &= ~(size_t)7;
		unsigned long long g, w;
		memcpy(&g, got + first, 8), memcpy(&w, want + first, 8);
		snprintf(msg, sizeof msg, "%s: %zu bytes differ, first at %zu: %016llx, expected %016llx", name, bad, first, g, w);
		failed(path, n, "wrong", msg);
	}
	free(got);
}

static void one(const char *path, int n, const char *text, size_t size, const uint8_t *want, size_t want_size)
{
	const struct config *c = &configs[n];
	struct sim_options so = {.seed = c->order, .races = c->races, .no_uninit = no_uninit, .max_insts = 30000000};
	struct sim_stats stats;
	struct sim_fault fault;
	uint32_t head[2];
	size_t elf_size;
	char err[256];
	const char *why = NULL;
	const void *elf = compile(path, n, text, size, &elf_size);
	struct sim *s = sim_new(c->gpu, &so, &why);
	struct sim_module *m = sim_load(s, elf, elf_size, err, sizeof err);
	if (!m)
		failed(path, n, "load", err);
	memcpy(head, want, sizeof head);
	size_t threads = (size_t)head[0] * head[1], sizes[] = {IN_BYTES, threads * OUT_PER, ATOM_BYTES, threads * BYTES_PER}, at = sizeof head;
	uint64_t addr[4];
	static const char *const names[] = {"in", "out", "atom", "bytes"};
	if (want_size != sizeof head + sizes[0] + sizes[1] + sizes[2] + sizes[3])
		failed(path, n, "load", "the expected outputs have another size");
	for (int k = 0; k < 4; k++)
		addr[k] = sim_alloc(s, sizes[k], SIM_MEM_READ | SIM_MEM_WRITE);
	sim_write(s, addr[0], want + at, sizes[0]);
	struct sim_launch l = {.kernel = sim_kernel_at(m, 0), .grid = {head[0], 1, 1}, .block = {head[1], 1, 1}, .args = addr, .args_size = sizeof addr};
	if (!sim_run(s, &l, &stats, &fault))
		failed(path, n, "fault", fault.text);
	for (int k = 0; k < 4; at += sizes[k++])
		compare(path, n, s, names[k], addr[k], want + at, sizes[k]);
	_exit(0);
}

static bool forked(const char *path, int n, const char *text, size_t size, const uint8_t *want, size_t want_size)
{
	int st;
	pid_t p = fork();
	if (!p) {
		struct rlimit as = {3000000000u, 3000000000u};
		if (!getenv("NO_LIMIT"))
			setrlimit(RLIMIT_AS, &as);
		alarm(SECONDS);
		one(path, n, text, size, want, want_size);
	}
	waitpid(p, &st, 0);
	if (WIFSIGNALED(st))
		printf("FAIL %s config %d (%s -O%d): %s: signal %d\n", path, n, configs[n].gpu, configs[n].level == PTX_O0 ? 0 : 3,
		       WTERMSIG(st) == SIGALRM ? "hang" : "crash", WTERMSIG(st));
	return !st;
}

static int passed, bad;

/* Program number `p` runs in `few` configurations, other ones each time; few 0: in all that are not slow, -1: in all, else only config `only`. */
static void program(const char *name, int p, int few, int only, const char *text, size_t size, const uint8_t *want, size_t want_size)
{
	for (int k = 0; k < (few > 0 ? few : NCONFIGS); k++) {
		int n = few > 0 ? (p * few + k) % NCONFIGS : k;
		if (only >= 0 ? n != only : few == 0 && configs[n].slow)
			continue;
		fflush(stdout);
		if (forked(name, n, text, size, want, want_size))
			passed++;
		else
			bad++;
	}
}

/* A file of pack.py: a line "NAME BYTES-OF-PTX BYTES-OF-OUTPUTS", then both, and so on. */
static bool pack(struct arena *a, const char *path, int few, int only)
{
	size_t size, done;
	char *data = read_zstd(a, path, &size), name[64];
	if (!data)
		return false;
	for (int p = 0; size; p++) {
		int head = 0;
		size_t ptx, want;
		if (sscanf(data, "%63s %zu %zu%n", name, &ptx, &want, &head) != 3 || (done = (size_t)head + 1 + ptx + want) > size)
			return false;
		program(name, p, few, only, data + head + 1, ptx, (const uint8_t *)data + head + 1 + ptx, want);
		data += done;
		size -= done;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct arena arena, *a = &arena;
	int only = -1, few = 0, k = 1;
	arena_init(a, NULL);
	for (; k < argc && argv[k][0] == '-'; k++) {
		if (!strcmp(argv[k], "--only") && k + 1 < argc)
			only = atoi(argv[++k]);
		else if (!strcmp(argv[k], "--few") && k + 1 < argc)
			few = atoi(argv[++k]);
		else if (!strcmp(argv[k], "--no") && k + 1 < argc && ndisabled < 15)
			disabled[ndisabled++] = argv[++k];
		else if (!strcmp(argv[k], "--no-uninit"))
			no_uninit = true;
		else if (!strcmp(argv[k], "--dump") && k + 1 < argc)
			dump = argv[++k];
		else if (!strcmp(argv[k], "--all"))
			few = -1;
		else
			return 2;
	}
	for (; k < argc; k++) {
		size_t size = 0, want_size = 0, n = strlen(argv[k]);
		if (n > 4 && !strcmp(argv[k] + n - 4, ".zst")) {
			if (!pack(a, argv[k], few, only)) {
				printf("FAIL %s: cannot be read\n", argv[k]);
				bad++;
			}
			continue;
		}
		const char *text = read_file(a, argv[k], &size);
		const uint8_t *want = k + 1 < argc ? (const uint8_t *)read_file(a, argv[k + 1], &want_size) : NULL;
		if (!text || !want || want_size < 8) {
			printf("FAIL %s: cannot be read\n", argv[k]);
			bad++;
			break;
		}
		program(argv[k++], 0, few, only, text, size, want, want_size);
	}
	printf("%d passed, %d failed\n", passed, bad);
	arena_free(a);
	return bad != 0;
}
