/* What amd_live finds out. Sets are over `global` temporaries: those live at some block boundary; all others live and die in one block. */
#ifndef AMD_AMD_LIVE_H
#define AMD_AMD_LIVE_H

#include "amd/amd.h"

struct amd_liveness {
	uint32_t nglobal;
	uint32_t *global; /* by temporary: its index among the global ones, or UINT32_MAX */
	uint32_t *temp;   /* by global index: the temporary */
	bitword **in;     /* by block: live at its start, before the phis; neither phi results nor phi operands */
	bitword **out;    /* by block: live at its end, with what the successors' phis read along these edges */
};

struct amd_demand {
	uint32_t vgprs, sgprs;
};

/* Registers that i needs at once. `after`: live after i, without its definitions. Needs kill flags. */
struct amd_demand amd_inst_demand(const struct amd_inst *i, struct amd_demand after);

/* New empty blocks at the function's end stand in critical wave edges. */
void amd_split_wave_edges(struct amd_func *f);

#endif
