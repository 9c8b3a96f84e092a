/* Runs one case in the simulator. */
#ifndef HARNESS_SIM_RUN_H
#define HARNESS_SIM_RUN_H

#include "case.h"
#include "sim/sim.h"

struct sim_result {
	struct sim_stats total;               /* all launches; registers and occupancy: of the largest */
	VEC(struct sim_stats) launches;       /* one a launch */
};

/* Leaves the outputs in the case's buffers. False, with a message in f, where anything goes wrong. */
bool sim_run_case(struct test_case *c, const char *gpu, const void *elf, size_t size, const struct sim_options *opt,
                  struct sim_result *result, FILE *f);

#endif
