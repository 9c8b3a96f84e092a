/* Records what an NVIDIA GPU gives:
 *
 *	conformance-cuda emit DIR TARGETS WORK            WORK/FAMILY.N.ptx: the forms that TARGETS/FAMILY.targets has for sm_90;
 *	                                                  WORK/FAMILY.N.O0.ptx: those of `level 0`
 *	conformance-cuda record DIR TARGETS WORK OUT      runs WORK/FAMILY.N*.cubin twice, writes OUT/FAMILY.golden
 *
 * record.sh runs ptxas between the two. */
#include <stdlib.h>

#include "../harness/cuda.h"
#include "../harness/files.h"
#include "conformance.h"

enum { MODULE = 100 };

struct targets {
	const char **target; /* of each form */
};

/* The lines of FAMILY.targets, which must be the family's forms in order. */
static bool read_targets(struct arena *a, const char *dir, const struct conf_family *f, struct targets *t)
{
	char *line = read_file(a, arena_printf(a, "%s/%s.targets", dir, f->name), NULL);
	t->target = NEWN(a, const char *, f->forms.len);
	for (uint32_t i = 0; i < f->forms.len; i++) {
		char *tab = line ? strchr(line, '\t') : NULL, *end = tab ? strchr(tab, '\n') : NULL;
		if (!end) {
			printf("%s: no targets; probe.py makes them\n", f->name);
			return false;
		}
		*tab = *end = 0;
		if (strcmp(tab + 1, f->forms.data[i].text) != 0) {
			printf("%s: the targets are those of other forms: %s\n", f->name, tab + 1);
			return false;
		}
		t->target[i] = line;
		line = end + 1;
	}
	return true;
}

static bool here(const struct targets *t, uint32_t i)
{
	return !strcmp(t->target[i], "sm_90");
}

static const char *module_path(struct arena *a, const struct conf_family *f, const char *work, uint32_t first, bool unoptimised, const char *ext)
{
	return arena_printf(a, "%s/%s.%u%s.%s", work, f->name, first / MODULE, unoptimised ? ".O0" : "", ext);
}

static bool emit_module(struct arena *a, const struct conf_family *f, const struct targets *t, const char *work, uint32_t first, bool unoptimised)
{
	struct strbuf sb;
	bool any = false;
	sb_init(&sb, a);
	conf_prologue(&sb, "9.0", "sm_90");
	for (uint32_t i = first; i < f->forms.len && i < first + MODULE; i++)
		if (here(t, i) && f->forms.data[i].unoptimised == unoptimised) {
			conf_kernel(&sb, &f->forms.data[i], i, CONF_LANES);
			any = true;
		}
	FILE *out = any ? fopen(module_path(a, f, work, first, unoptimised, "ptx"), "wb") : NULL;
	if (!out)
		return !any;
	fwrite(sb.buf.data, 1, sb.buf.len, out);
	return fclose(out) == 0;
}

static bool emit(struct arena *a, const struct conf_family *f, const struct targets *t, const char *work)
{
	for (uint32_t first = 0; first < f->forms.len; first += MODULE)
		if (!emit_module(a, f, t, work, first, false) || !emit_module(a, f, t, work, first, true))
			return false;
	return true;
}

/* Device copies of the inputs, by kind, stream and length. */
static dptr columns[CONF_KINDS][CONF_STREAMS][3];

static dptr column(const struct conf_form *f, uint32_t input)
{
	enum conf_kind k = conf_in(f, input)->kind;
	dptr *at = &columns[k][conf_stream(f, input)][f->tuples > 1 << 15 ? 2 : f->tuples > 2048];
	struct arena a;
	if (*at)
		return *at;
	size_t n = (size_t)f->tuples * conf_kind_bytes(k);
	arena_init(&a, NULL);
	if (!cuda_ok(cu_alloc(at, n), "cuMemAlloc", "inputs") ||
	    !cuda_ok(cu_htod(*at, conf_column(&a, f, input, CONF_LANES), n), "copy", "inputs"))
		exit(1);
	arena_free(&a);
	return *at;
}

static bool launch(const struct conf_form *f, void *fn, dptr out, uint8_t *rows)
{
	uint64_t args[CONF_OPDS + 1];
	size_t size = 8 * (f->nin + 1), bytes = (size_t)f->tuples * f->row_bytes;
	void *extra[] = {(void *)1, args, (void *)2, &size, NULL};
	for (uint32_t i = 0; i < f->nin; i++)
		args[i] = column(f, i);
	args[f->nin] = out;
	memset(rows, 0, bytes);
	return cuda_ok(cu_htod(out, rows, bytes), "copy", f->text) &&
	       cuda_ok(cu_launch(fn, f->tuples / CONF_BLOCK, 1, 1, CONF_BLOCK, 1, 1, 0, NULL, NULL, extra), "launch", f->text) &&
	       cuda_ok(cu_sync(), "kernel", f->text) && cuda_ok(cu_dtoh(rows, out, bytes), "copy", f->text);
}

static bool record_form(struct arena *a, const struct conf_form *f, void *mod, uint32_t n, dptr out, struct conf_record *r)
{
	size_t bytes = (size_t)f->tuples * f->row_bytes;
	uint8_t *rows[2] = {arena_alloc(a, bytes), arena_alloc(a, bytes)}, *kept = arena_alloc(a, (size_t)f->keep * f->row_bytes);
	void *fn;
	if (!cuda_ok(cu_function(&fn, mod, arena_printf(a, "f%u", n)), "cuModuleGetFunction", f->text) ||
	    !launch(f, fn, out, rows[0]) || !launch(f, fn, out, rows[1]))
		return false;
	if (memcmp(rows[0], rows[1], bytes) != 0)
		printf("not the same twice: %s\n", f->text);
	for (uint32_t i = 0; i < f->keep; i++)
		memcpy(kept + (size_t)i * f->row_bytes, rows[0] + (size_t)conf_kept(f, i) * f->row_bytes, f->row_bytes);
	*r = (struct conf_record){.text = f->text, .target = "sm_90", .recorded = true, .tuples = f->tuples, .keep = f->keep,
	                          .row_bytes = f->row_bytes, .hash = conf_hash(rows[0], bytes), .rows = kept};
	return true;
}

/* The forms of a module that were compiled at one level; table has a record of each. */
static bool record_module(struct arena *a, const struct conf_family *f, const struct targets *t, const char *work, uint32_t first,
                          bool unoptimised, dptr out, struct conf_table *table)
{
	void *mod = NULL;
	struct arena part;
	arena_init(&part, NULL);
	const char *path = module_path(a, f, work, first, unoptimised, "cubin");
	char *cubin = read_file(&part, path, NULL);
	bool ok = cubin && cuda_ok(cu_load(&mod, cubin, 0, NULL, NULL), "module load", path), missed = false;
	for (uint32_t i = first; i < f->forms.len && i < first + MODULE; i++) {
		if (!here(t, i) || f->forms.data[i].unoptimised != unoptimised)
			continue;
		missed |= !ok;
		if (ok && !record_form(a, &f->forms.data[i], mod, i, out, &table->records.data[i]))
			return false;
	}
	if (missed)
		printf("%s: no such file\n", path);
	if (mod)
		cu_unload(mod);
	arena_free(&part);
	return true;
}

static bool record(struct arena *a, const struct conf_family *f, const struct targets *t, const char *work, const char *dir)
{
	struct conf_table table = {0};
	dptr out;
	enum { MOST = 65536 * 16 * 4 };
	if (!cuda_ok(cu_alloc(&out, MOST), "cuMemAlloc", "outputs"))
		return false;
	for (uint32_t i = 0; i < f->forms.len; i++)
		vec_push(a, &table.records, (struct conf_record){.text = f->forms.data[i].text, .target = t->target[i]});
	for (uint32_t first = 0; first < f->forms.len; first += MODULE)
		if (!record_module(a, f, t, work, first, false, out, &table) || !record_module(a, f, t, work, first, true, out, &table))
			return false;
	cu_free(out);
	return conf_table_write(a, arena_printf(a, "%s/%s.golden", dir, f->name), f, &table);
}

int main(int argc, char **argv)
{
	bool recording = argc == 6 && !strcmp(argv[1], "record");
	struct arena a;
	const char **names;
	char err[256];
	if (!recording && (argc != 5 || strcmp(argv[1], "emit") != 0)) {
		printf("usage: conformance-cuda emit DIR TARGETS WORK | record DIR TARGETS WORK OUT\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (recording && !cuda_open())
		return 1;
	arena_init(&a, NULL);
	int n = conf_family_names(&a, argv[2], &names);
	for (int i = 0; i < n; i++) {
		struct conf_family f;
		struct targets t;
		struct arena part;
		arena_init(&part, NULL);
		if (!conf_read_family(&part, argv[2], names[i], &f, err)) {
			printf("%s\n", err);
			return 1;
		}
		if (!read_targets(&part, argv[3], &f, &t) ||
		    !(recording ? record(&part, &f, &t, argv[4], argv[5]) : emit(&part, &f, &t, argv[4])))
			return 1;
		printf("%s: %u forms\n", f.name, f.forms.len);
		arena_free(&part);
	}
	arena_free(&a);
	return 0;
}
