/* The visibility check of global memory: sim_race.c. */
#ifndef SIM_RACE_H
#define SIM_RACE_H

#include <stdio.h>

#include "sim/sim_core.h"

/* All of these do nothing to speak of unless core.uid is set, which the caller tests. */
void sim_race_write(struct sim_wave *w, const uint64_t *addr, uint64_t lanes, uint32_t bytes, bool atomic);
void sim_race_read(struct sim_wave *w, const struct sim_inst *i, const uint64_t *addr, uint64_t lanes, uint32_t bytes);
void sim_race_scalar_read(struct sim_wave *w, uint64_t addr, uint32_t bytes);
void sim_race_invalidate(struct sim_wave *w, int level);
void sim_race_start(struct sim_wave *w, uint64_t group_number);
void sim_race_end(struct sim_wave *w);
void sim_race_waited(struct sim_wave *w, uint32_t time);

#endif
