/* Dominators of a function's lane or wave graph. */
#ifndef AMD_AMD_DOM_H
#define AMD_AMD_DOM_H

#include "amd/amd.h"

struct amd_dom {
	uint32_t *idom;      /* by block; UINT32_MAX: unreachable; the entry is its own */
	uint32_t *pre, *last; /* dominator tree interval: a dominates b where pre[a] <= pre[b] <= last[a] */
	uint32_t *rpo;       /* reachable blocks in reverse post-order */
	uint32_t nrpo;
};
void amd_dominators(const struct amd_func *f, bool wave, struct arena *a, struct amd_dom *d);

static inline bool amd_dominates(const struct amd_dom *d, uint32_t a, uint32_t b)
{
	return d->idom[a] != UINT32_MAX && d->idom[b] != UINT32_MAX && d->pre[a] <= d->pre[b] && d->pre[b] <= d->last[a];
}

#endif
