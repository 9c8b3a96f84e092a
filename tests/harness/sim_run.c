/* The simulator as a back end of the harness. */
#include "sim_run.h"

static void add_stats(struct sim_stats *t, const struct sim_stats *s)
{
	for (int i = 0; i < SIM_CLASSES; i++)
		t->insts[i] += s->insts[i];
	t->lane_insts += s->lane_insts;
	t->global_segments64 += s->global_segments64;
	t->global_segments128 += s->global_segments128;
	t->global_accesses += s->global_accesses;
	t->scratch_accesses += s->scratch_accesses;
	t->lds_accesses += s->lds_accesses;
	t->lds_conflicts += s->lds_conflicts;
	t->waves += s->waves;
	t->groups += s->groups;
	t->cycles += s->cycles;
	t->wave_cycles += s->wave_cycles;
	t->vgprs = s->vgprs > t->vgprs ? s->vgprs : t->vgprs;
	t->sgprs = s->sgprs > t->sgprs ? s->sgprs : t->sgprs;
	t->lds_bytes = s->lds_bytes > t->lds_bytes ? s->lds_bytes : t->lds_bytes;
	t->scratch_bytes = s->scratch_bytes > t->scratch_bytes ? s->scratch_bytes : t->scratch_bytes;
	t->occupancy = !t->occupancy || s->occupancy < t->occupancy ? s->occupancy : t->occupancy;
}

static bool place_buffers(struct test_case *c, struct sim *s, const struct sim_module *m, FILE *f)
{
	for (uint32_t i = 0; i < c->buffers.len; i++) {
		struct buffer *b = &c->buffers.data[i];
		uint64_t size = buffer_bytes(b);
		b->addr = b->is_global ? sim_symbol(m, b->name, &size) : sim_alloc(s, size, SIM_MEM_READ | SIM_MEM_WRITE);
		if (!b->addr || size != buffer_bytes(b)) {
			fprintf(f, "  %s: %s: %s (%llu bytes)\n", c->program, b->name,
			        b->addr ? "variable of another size" : "no such variable, or no memory", (unsigned long long)size);
			return false;
		}
		if ((!b->is_global || b->gen) && !sim_write(s, b->addr, b->data, size)) {
			fprintf(f, "  %s: %s: cannot be written\n", c->program, b->name);
			return false;
		}
	}
	return true;
}

static bool run_launch(struct test_case *c, struct sim *s, const struct sim_module *m, const struct launch *l,
                       struct sim_result *result, FILE *f)
{
	struct sim_launch sl = {.kernel = sim_kernel_find(m, l->entry), .dynamic_lds = l->shared};
	struct sim_stats stats = {0};
	struct sim_fault fault = {0};
	if (!sl.kernel) {
		fprintf(f, "  %s: no kernel %s in the code object\n", c->program, l->entry);
		return false;
	}
	memcpy(sl.grid, l->grid, sizeof sl.grid);
	memcpy(sl.block, l->block, sizeof sl.block);
	sl.args = case_pack_args(c->arena, c, l, &sl.args_size);
	uint32_t n = sim_kernel_nargs(sl.kernel), offset = 0, size = 0;
	if (n)
		sim_kernel_arg(sl.kernel, n - 1, &offset, &size);
	if (n != l->args.len || offset + size != sl.args_size) {
		fprintf(f, "  %s: %s takes %u arguments, %u bytes; the case gives %u, %zu bytes\n", c->program, l->entry, n,
		        offset + size, l->args.len, sl.args_size);
		return false;
	}
	if (!sim_run(s, &sl, &stats, &fault)) {
		fprintf(f, "  %s: launch %td: %s\n", c->program, l - c->launches.data, fault.text);
		return false;
	}
	vec_push(c->arena, &result->launches, stats);
	add_stats(&result->total, &stats);
	return true;
}

bool sim_run_case(struct test_case *c, const char *gpu, const void *elf, size_t size, const struct sim_options *opt,
                  struct sim_result *result, FILE *f)
{
	char err[256];
	const char *why = NULL;
	memset(result, 0, sizeof *result);
	if (!case_generate(c, err)) {
		fprintf(f, "  %s\n", err);
		return false;
	}
	struct sim *s = sim_new(gpu, opt, &why);
	if (!s) {
		fprintf(f, "  %s: %s\n", gpu, why ? why : "no simulator");
		return false;
	}
	struct sim_module *m = sim_load(s, elf, size, err, sizeof err);
	bool ok = m && place_buffers(c, s, m, f);
	if (!m)
		fprintf(f, "  %s: the code object does not load: %s\n", c->program, err);
	for (uint32_t i = 0; ok && i < c->launches.len; i++)
		ok = run_launch(c, s, m, &c->launches.data[i], result, f);
	for (uint32_t i = 0; ok && i < c->buffers.len; i++)
		ok = sim_read(s, c->buffers.data[i].addr, c->buffers.data[i].data, buffer_bytes(&c->buffers.data[i]));
	sim_free(s);
	return ok;
}
