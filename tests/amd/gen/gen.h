/* Random machine functions and an interpreter for them, for the tests of the register allocator and the spiller.
 *
 * The interpreter runs two lanes of a wave. An instruction's results are a hash of its operands; moves do what they do. A function is run
 * once as SSA, where branches take random ways that are recorded, and once lowered to registers along the same way; what the stores see
 * must agree. */
#ifndef TESTS_AMD_GEN_H
#define TESTS_AMD_GEN_H

#include "amd/amd.h"

enum { GEN_LANES = 2 };

struct gen_options {
	uint32_t seed, size; /* size: instructions a block, about */
	uint32_t depth;
	bool divergent;
	uint32_t vectors;    /* how many values of a class are kept in use: pressure */
};
struct amd_func *gen_func(struct arena *a, const struct amd_target *t, const struct gen_options *o);

struct gen_trace {
	VEC(uint32_t) blocks;              /* markers, in the order the wave went */
	VEC(uint8_t) active;               /* lanes active in each */
	VEC(uint64_t) stores;
};
/* Runs f before allocation; at most `steps` blocks. */
void gen_run_ssa(struct arena *a, const struct amd_func *f, uint32_t seed, uint32_t steps, struct gen_trace *t);
/* Runs f after amd_lower_pseudos along t->blocks; returns NULL, or what differs from t->stores. */
const char *gen_run_lowered(struct arena *a, const struct amd_func *f, const struct gen_trace *t);

#endif
