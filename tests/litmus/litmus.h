/* Litmus tests of the memory model: shapes.def, kinds.def. */
#ifndef LITMUS_H
#define LITMUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strbuf.h"

enum litmus_class { CAUSAL_SHAPE, SC_SHAPE, COHERENCE_SHAPE, ATOMIC_SHAPE, BARRIER_SHAPE };
enum litmus_scope { SCOPE_NONE, SCOPE_CTA, SCOPE_GPU, SCOPE_SYS };
enum litmus_strength { STRONG_WEAK, STRONG_COHERENT, STRONG_CAUSAL, STRONG_SC };

struct litmus_shape {
	const char *name, *threads, *outcome;
	enum litmus_class cls;
};
struct litmus_kind {
	const char *name, *data_st, *data_ld, *flag_st, *flag_ld, *atom, *fence;
	enum litmus_scope scope;
	enum litmus_strength strong;
};
extern const struct litmus_shape litmus_shapes[];
extern const struct litmus_kind litmus_kinds[];
extern const uint32_t litmus_nshapes, litmus_nkinds;

/* Where the threads of a test are: all in one block, two and two, each in a block of its own. A thread is a wave's lanes, each
 * with variables of its own. */
enum litmus_place { PLACE_BLOCK, PLACE_PAIRS, PLACE_GRID, PLACES };
/* Where the variables are: x, then the others. */
enum litmus_space { SPACE_GLOBAL, SPACE_SHARED, SPACE_GENERIC, SPACE_GENERIC_SHARED, SPACE_X_SHARED, SPACE_X_GLOBAL, SPACES };
extern const char *const litmus_places[PLACES], *const litmus_spaces[SPACES];

enum { LITMUS_VARS = 3, LITMUS_RESULTS = 4, LITMUS_LANES = 32 };

struct litmus_test {
	const struct litmus_shape *shape;
	const struct litmus_kind *kind;
	enum litmus_place place;
	enum litmus_space space;
	uint32_t nthreads, block, grid;
	bool forbidden; /* the weak outcome */
};

/* False where the combination makes no sense. */
bool litmus_make(struct litmus_test *t, uint32_t shape, uint32_t kind, enum litmus_place p, enum litmus_space s);
/* Entry `t`, parameters: results (LITMUS_RESULTS x LITMUS_LANES words), variables (words lane + var * LITMUS_STRIDE), both zero before.
 * Variables in shared memory are copied there at the end. */
enum { LITMUS_STRIDE = 1024 };
void litmus_ptx(struct strbuf *sb, const struct litmus_test *t);
/* Whether a lane's results and variables are the weak outcome. */
bool litmus_is_weak(const struct litmus_test *t, const uint32_t *results, const uint32_t *vars, uint32_t lane);

#endif
