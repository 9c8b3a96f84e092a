#include "bench.h"

#include <stdlib.h>

const char *const chip_name[CHIPS] = {"gfx1030", "gfx1100"};

static struct kernel *find(struct arena *a, kernels *k, const char *program, const char *name)
{
	for (uint32_t i = 0; i < k->len; i++)
		if (!strcmp(k->data[i].program, program) && !strcmp(k->data[i].name, name))
			return &k->data[i];
	struct kernel n = {.program = arena_printf(a, "%s", program), .name = arena_printf(a, "%s", name)};
	vec_push(a, k, n);
	return &vec_last(k);
}

static void add(struct count *c, const struct count *x)
{
	c->launches++;
	c->insts += x->insts;
	c->lane_insts += x->lane_insts;
	c->cycles += x->cycles;
	c->code = x->code;
	c->vgprs = x->vgprs;
	c->sgprs = x->sgprs;
	c->lds = x->lds;
	c->scratch = x->scratch;
	c->occupancy = x->occupancy;
}

void measure_quality(struct arena *a, const char *corpus_program, const char *objects, kernels *k)
{
	char line[4096], program[64], dialect[16], gpu[16], entry[64];
	const char *cmd = arena_printf(a, "%s --stats --dialect sm_75 --dialect amdgpu --objects %s", corpus_program, objects);
	FILE *p = popen(cmd, "r");
	while (p && fgets(line, sizeof line, p)) {
		unsigned long long insts, lanes, cycles, code;
		struct count c = {0};
		if (sscanf(line, "stats\t%63s\t%15s\t%15s\t%63s\t%llu\t%llu\t%llu\t%u\t%u\t%u\t%u\t%u\t%llu", program, dialect,
		           gpu, entry, &insts, &lanes, &cycles, &c.vgprs, &c.sgprs, &c.lds, &c.scratch, &c.occupancy,
		           &code) != 13) {
			fputs(line, stdout);
			continue;
		}
		c.insts = insts, c.lane_insts = lanes, c.cycles = cycles, c.code = code;
		int chip = !strcmp(gpu, chip_name[GFX1100]) ? GFX1100 : GFX1030;
		add(&find(a, k, program, entry)->n[chip][!strcmp(dialect, "amdgpu") ? CLANG : OURS], &c);
	}
	if (p)
		pclose(p);
}
