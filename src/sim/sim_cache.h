/* Caches and reordering of vector memory, on request: sim_cache.c. */
#ifndef SIM_CACHE_H
#define SIM_CACHE_H

#include "sim/sim_core.h"

/* An access that has been issued and not been performed. */
struct sim_mem_op {
	const struct sim_inst *inst;
	uint32_t id;      /* counts up in a wave */
	uint64_t lanes;   /* that access */
	uint64_t exec;    /* that get a result */
	uint64_t addr[64];
	uint8_t *p[64];
	union {
		uint32_t dword[4];
		uint64_t qword[2];
	} data[64];       /* of stores and atomics */
};

/* A wave's last access to LDS, not performed yet: the next one, whose turn comes after it, performs it first. */
struct sim_lds_op {
	const struct sim_inst *load; /* NULL: a store */
	bool late;
	uint64_t exec;
	uint32_t bytes;
	uint64_t addr[64];
	uint8_t data[64][16], def[64][16];
};

/* Sets a launch up (before its first group), places a wave. */
void sim_cache_start(struct sim *s, struct sim_launch_state *ls);
void sim_cache_wave(struct sim_wave *w);

/* A new access of `lanes`, all of them to global memory; NULL where caches are not simulated. Fill the data, then issue: it may
 * be performed at once or any time until it is waited for. */
struct sim_mem_op *sim_cache_op(struct sim_wave *w, const struct sim_inst *i, const uint64_t *addr, uint8_t *const *p,
				uint64_t lanes);
void sim_cache_issue(struct sim_wave *w, struct sim_mem_op *op);

/* Where to put an access to LDS that takes place later; NULL: it takes place now. */
struct sim_lds_op *sim_cache_lds(struct sim_wave *w);
void sim_lds_settle(struct sim_wave *w); /* sim_ds.c: performs it */

void sim_cache_perform(struct sim_wave *w, uint32_t id); /* it has been waited for */
void sim_cache_settle(struct sim_wave *w, const struct sim_inst *i); /* i writes its result at once: after those outstanding */
void sim_cache_finish(struct sim_wave *w);               /* all */
void sim_cache_some(struct sim_wave *w);                 /* time passes: perhaps one of the outstanding */
bool sim_cache_stalls(struct sim_wave *w, const struct sim_inst *i); /* at a wait, for now */
void sim_cache_invalidate(struct sim_wave *w, int level);
void sim_cache_invalidate_scalar(struct sim_wave *w);
void sim_cache_scalar_read(struct sim_wave *w, uint64_t addr, uint8_t *buf, uint32_t bytes);
uint32_t sim_cache_random(struct sim_launch_state *ls, uint32_t n);

/* sim_vmem.c: what an access does once its turn has come. */
void sim_vmem_perform(struct sim_wave *w, const struct sim_mem_op *op);
void sim_cache_read(struct sim_wave *w, const struct sim_inst *i, uint64_t addr, void *buf, uint32_t bytes);
void sim_cache_wrote(struct sim_wave *w, uint64_t addr, const void *p, uint32_t bytes);
void sim_cache_drop(struct sim_wave *w, uint64_t addr);

#endif
