/* Records the memory family on an NVIDIA GPU:
 *
 *	memory-cuda emit DIR            each form as DIR/N.ptx
 *	memory-cuda record DIR OUT      runs DIR/N.cubin where there is one, three times; writes OUT/memory.golden
 *
 * record.sh runs ptxas between the two. A form without cubin is one that ptxas refuses. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../harness/cuda.h"
#include "../../harness/files.h"
#include "memory.h"

static void fill(uint8_t *p, uint32_t stream, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		p[k] = mem_byte(stream, k);
}

static int emit(const struct mem_forms *f, const char *dir, struct arena *a)
{
	for (uint32_t k = 0; k < f->list.len; k++) {
		struct strbuf sb;
		if (f->list.data[k].wide)
			continue;
		sb_init(&sb, a);
		mem_prologue(&sb, false);
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

static bool launch(void *fn, const struct mem_form *f, dptr in, dptr out, uint8_t *rows)
{
	struct {
		uint64_t out, in;
		uint8_t blob[MEM_BLOB];
	} args = {.out = out, .in = in};
	size_t size = sizeof args;
	void *extra[] = {(void *)1, &args, (void *)2, &size, NULL};
	fill(args.blob, 2, MEM_BLOB);
	fill(rows, 1, MEM_IN);
	if (f->zero)
		memset(rows, 0, MEM_IN);
	return cuda_ok(cu_htod(out, rows, MEM_IN), "copy", f->text) &&
	       cuda_ok(cu_launch(fn, MEM_GRID, 1, 1, MEM_BLOCK, 1, 1, f->dynamic, NULL, NULL, extra), "launch", f->text) &&
	       cuda_ok(cu_sync(), "kernel", f->text) && cuda_ok(cu_dtoh(rows, out, MEM_IN), "copy", f->text);
}

/* What a child process leaves: a form that faults on the GPU takes its process with it. */
enum status { NOT_RUN, RECORDED, UNSTABLE, REFUSED, FAULTED };
struct result {
	uint8_t status, rows[MEM_IN];
};

static void record_form(struct arena *a, const struct mem_form *f, const char *cubin, uint32_t n, dptr in, dptr out, struct result *r)
{
	void *mod, *fn;
	uint8_t again[MEM_IN];
	r->status = FAULTED;
	if (!cuda_ok(cu_load(&mod, cubin, 0, NULL, NULL), "module load", f->text) ||
	    !cuda_ok(cu_function(&fn, mod, arena_printf(a, "f%u", n)), "cuModuleGetFunction", f->text) || !launch(fn, f, in, out, r->rows))
		_exit(1);
	bool stable = true;
	for (int k = 0; k < 2; k++) {
		if (!launch(fn, f, in, out, again))
			_exit(1);
		stable &= !memcmp(again, r->rows, MEM_IN);
	}
	r->status = stable ? RECORDED : UNSTABLE;
	cu_unload(mod);
}

/* From a form to the last, in this process. */
static void record_from(const struct mem_forms *f, uint32_t first, const char *dir, struct result *results)
{
	uint8_t bytes[MEM_IN];
	dptr in, out;
	if (!cuda_open() || !cuda_ok(cu_alloc(&in, MEM_IN), "cuMemAlloc", "in") || !cuda_ok(cu_alloc(&out, MEM_IN), "cuMemAlloc", "out"))
		_exit(2);
	fill(bytes, 0, MEM_IN);
	if (!cuda_ok(cu_htod(in, bytes, MEM_IN), "copy", "in"))
		_exit(2);
	for (uint32_t k = first; k < f->list.len; k++) {
		struct arena a;
		arena_init(&a, NULL);
		alarm(10);
		char *cubin = read_file(&a, arena_printf(&a, "%s/%u.cubin", dir, k), NULL);
		if (cubin)
			record_form(&a, &f->list.data[k], cubin, k, in, out, &results[k]);
		else
			results[k].status = REFUSED;
		arena_free(&a);
	}
	_exit(0);
}

static int record(const struct mem_forms *f, const char *dir, const char *to, struct arena *a)
{
	static const char *const names[] = {"not run", "recorded", "not the same twice", "refused by ptxas", "fault on the GPU"};
	enum { MOST_FAULTS = 40 };
	struct conf_family fam;
	struct conf_table table = {0};
	uint32_t count[5] = {0}, next = 0, faults = 0;
	struct result *r = mmap(NULL, f->list.len * sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	while (next < f->list.len && faults < MOST_FAULTS) {
		int status;
		pid_t pid = fork();
		if (!pid)
			record_from(f, next, dir, r);
		if (pid < 0 || waitpid(pid, &status, 0) < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 2))
			return 1;
		while (next < f->list.len && r[next].status && r[next].status != FAULTED)
			next++;
		if (next < f->list.len) {
			r[next++].status = FAULTED;
			faults++;
		}
	}
	mem_family(a, f, &fam);
	for (uint32_t k = 0; k < f->list.len; k++) {
		struct conf_record rec = {.text = f->list.data[k].text, .target = "-"};
		count[r[k].status]++;
		if (r[k].status == RECORDED)
			rec = (struct conf_record){.text = rec.text, .target = "sm_90", .recorded = true, .tuples = MEM_THREADS, .keep = MEM_THREADS,
			                           .row_bytes = MEM_ROW, .hash = conf_hash(r[k].rows, MEM_IN), .rows = r[k].rows};
		else
			printf("%s: %s\n", names[r[k].status], rec.text);
		vec_push(a, &table.records, rec);
	}
	for (int k = 0; k < 5; k++)
		printf("%u %s\n", count[k], names[k]);
	return !conf_table_write(a, arena_printf(a, "%s/memory.golden", to), &fam, &table);
}

int main(int argc, char **argv)
{
	struct arena a;
	struct mem_forms f;
	arena_init(&a, NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	mem_all(&a, &f);
	if (argc == 3 && !strcmp(argv[1], "emit"))
		return emit(&f, argv[2], &a);
	if (argc == 4 && !strcmp(argv[1], "record"))
		return record(&f, argv[2], argv[3], &a);
	printf("usage: memory-cuda emit DIR | record DIR OUT\n");
	return 2;
}
