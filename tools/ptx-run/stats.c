#include <inttypes.h>
#include <stdio.h>
#include <stddef.h>

#include "run.h"

#define ROW(f) {#f, offsetof(struct sim_stats, f), sizeof(((struct sim_stats *)0)->f)}
static const struct {
	const char *name;
	size_t at, size;
} rows[] = {
	ROW(cycles), ROW(wave_cycles), ROW(waves), ROW(groups), ROW(occupancy), ROW(vgprs), ROW(sgprs), ROW(lds_bytes),
	ROW(scratch_bytes), ROW(lane_insts), ROW(global_accesses), ROW(global_segments64), ROW(global_segments128),
	ROW(scratch_accesses), ROW(lds_accesses), ROW(lds_conflicts),
};

void run_print_stats(const struct run *r, const char *kernel, const struct sim_stats *st)
{
	uint64_t total = 0;
	for (int k = 0; k < SIM_CLASSES; k++)
		total += st->insts[k];
	const char *line = r->json ? ", \"%s\": %" PRIu64 : "%-20s %" PRIu64 "\n";
	if (r->json)
		printf("{\"kernel\": \"%s\", \"gpu\": \"%s\"", kernel, r->gpu);
	else
		printf("%-20s %s\n%-20s %s\n", "kernel", kernel, "gpu", r->gpu);
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		const char *p = (const char *)st + rows[k].at;
		printf(line, rows[k].name, rows[k].size == 8 ? *(const uint64_t *)(const void *)p : *(const uint32_t *)(const void *)p);
	}
	printf(line, "insts", total);
	for (int k = 0; k < SIM_CLASSES; k++) {
		char name[32];
		snprintf(name, sizeof name, "insts_%s", sim_class_name((enum sim_class)k));
		printf(line, name, st->insts[k]);
	}
	if (r->json)
		printf("}\n");
}
