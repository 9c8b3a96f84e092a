/* Runs the corpus on an NVIDIA GPU through the driver API and records the outputs:
 *
 *	corpus-cuda [--out DIR] CORPUS DIALECT [DIALECT...]
 *
 * The first dialect's outputs are written to DIR/NAME.golden; each further dialect is run and compared with the first, by
 * the case's bounds and bit by bit. Needs no CUDA headers: libcuda.so.1 is opened at run time. */
#include <stdlib.h>

#include "case.h"
#include "cuda.h"
#include "files.h"

static bool run_launch(struct test_case *c, void *mod, const struct launch *l)
{
	void *fn;
	size_t size;
	enum { DYNAMIC_SHARED = 8 };
	uint8_t *args = case_pack_args(c->arena, c, l, &size);
	void *extra[] = {(void *)1, args, (void *)2, &size, NULL};
	if (!cuda_ok(cu_function(&fn, mod, l->entry), "cuModuleGetFunction", l->entry))
		return false;
	if (l->shared > 48 << 10 && !cuda_ok(cu_attr(fn, DYNAMIC_SHARED, (int)l->shared), "cuFuncSetAttribute", l->entry))
		return false;
	return cuda_ok(cu_launch(fn, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->shared, NULL,
	                    NULL, extra),
	          "launch", l->entry) &&
	       cuda_ok(cu_sync(), "kernel", l->entry);
}

static bool run_case(struct test_case *c, const char *ptx)
{
	void *mod;
	char err[256];
	static char log[8192];
	int opt[2] = {5, 6}; /* error log buffer, its size */
	void *val[2] = {log, (void *)(uintptr_t)sizeof log};
	if (!case_generate(c, err)) {
		printf("  %s\n", err);
		return false;
	}
	if (!cuda_ok(cu_load(&mod, ptx, 2, opt, val), "module load", c->program)) {
		printf("%s\n", log);
		return false;
	}
	bool good = true;
	for (uint32_t i = 0; good && i < c->buffers.len; i++) {
		struct buffer *b = &c->buffers.data[i];
		size_t n = buffer_bytes(b);
		if (b->is_global)
			good = cuda_ok(cu_global(&b->addr, &n, mod, b->name), "cuModuleGetGlobal", b->name);
		else
			good = cuda_ok(cu_alloc(&b->addr, n), "cuMemAlloc", b->name);
		if (n != buffer_bytes(b)) {
			printf("  %s: variable %s has %zu bytes\n", c->program, b->name, n);
			good = false;
		}
		if (good && (!b->is_global || b->gen))
			good = cuda_ok(cu_htod(b->addr, b->data, n), "copy", b->name);
	}
	for (uint32_t i = 0; good && i < c->launches.len; i++)
		good = run_launch(c, mod, &c->launches.data[i]);
	for (uint32_t i = 0; good && i < c->buffers.len; i++)
		good = cuda_ok(cu_dtoh(c->buffers.data[i].data, c->buffers.data[i].addr, buffer_bytes(&c->buffers.data[i])), "copy",
		          c->buffers.data[i].name);
	for (uint32_t i = 0; good && i < c->buffers.len; i++)
		if (!c->buffers.data[i].is_global)
			cu_free(c->buffers.data[i].addr);
	cu_unload(mod);
	return good;
}

static void report_bits(const struct test_case *c, const struct test_case *first, const char *dialect)
{
	for (uint32_t i = 0; i < c->buffers.len; i++) {
		const struct buffer *b = &c->buffers.data[i], *f = &first->buffers.data[i];
		uint64_t differ = 0, size = elem_info[b->type].size;
		double worst = 0, worst_rel = 0;
		if (!b->is_output)
			continue;
		for (uint64_t k = 0; k < b->count; k++) {
			if (!memcmp(b->data + k * size, f->data + k * size, size))
				continue;
			differ++;
			double x = elem_value(b->type, b->data + k * size), y = elem_value(b->type, f->data + k * size);
			double d = x > y ? x - y : y - x, m = y < 0 ? -y : y;
			worst = d > worst ? d : worst;
			worst_rel = m > 0 && d / m > worst_rel ? d / m : worst_rel;
		}
		printf("  %s %s %s: %llu of %llu differ in bits, abs %.3g rel %.3g\n", c->program, dialect, b->name,
		       (unsigned long long)differ, (unsigned long long)b->count, worst, worst_rel);
	}
}

static bool program(const char *corpus, const char *name, const char *out, char **dialects)
{
	struct arena a;
	char err[256];
	bool good = true;
	arena_init(&a, NULL);
	const char *path = arena_printf(&a, "%s/%s/%s.case", corpus, name, name), *golden = NULL;
	struct test_case *first = case_read(&a, path, err), *c = case_read(&a, path, err), *in = case_read(&a, path, err);
	size_t size = 0;
	if (!c || !in || !first || !case_generate(in, err)) {
		printf("  %s\n", err);
		return false;
	}
	for (char **d = dialects; good && *d; d++) {
		char *ptx = read_file(&a, arena_printf(&a, "%s/%s/%s.%s.ptx", corpus, name, name, *d), NULL);
		struct test_case *run = d == dialects ? first : c;
		if (!ptx || !run_case(run, ptx)) {
			printf("%s %s failed\n", name, *d);
			good = false;
			break;
		}
		int host = host_check(in, run, stdout);
		printf("%s %s ran%s\n", name, *d, host < 0 ? "" : host ? ", WRONG by the host's check" : ", host check agrees");
		good = host <= 0;
		if (d == dialects) {
			golden = arena_printf(&a, "%s/%s.golden", out, name);
			good &= golden_write(first, golden);
			golden = read_file(&a, golden, &size);
		} else {
			good &= golden && golden_compare(c, golden, size, false, stdout) == 0;
			report_bits(c, first, *d);
		}
	}
	arena_free(&a);
	return good;
}

int main(int argc, char **argv)
{
	const char *out = ".";
	struct arena a;
	const char **names;
	if (argc > 2 && !strcmp(argv[1], "--out")) {
		out = argv[2];
		argv += 2;
		argc -= 2;
	}
	if (argc < 3) {
		printf("usage: corpus-cuda [--out DIR] CORPUS DIALECT [DIALECT...]\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!cuda_open())
		return 1;
	arena_init(&a, NULL);
	int n = corpus_programs(&a, argv[1], &names), passed = 0;
	for (int i = 0; i < n; i++)
		passed += program(argv[1], names[i], out, argv + 2);
	printf("%d passed, %d failed\n", passed, n - passed);
	arena_free(&a);
	return passed == n ? 0 : 1;
}
