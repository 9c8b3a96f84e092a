/* Between amd_spill.c (what to spill) and amd_spill_apply.c (the code for it). */
#ifndef AMD_AMD_SPILL_INTERNAL_H
#define AMD_AMD_SPILL_INTERNAL_H

#include "amd/amd_live.h"

struct spiller {
	struct amd_func *f;
	struct amd_liveness *lv;
	struct arena tmp;
	bool vec;              /* which class is being spilled */
	uint32_t limit;
	uint32_t slots;        /* dwords in use */
	bool *victim;          /* by temporary: to be spilled in this round */
	bool *no_spill;
	uint32_t chosen;
	bool failed;           /* a diagnostic was given */
	uint32_t *dist;        /* by block and global temporary: instructions from the block's start to the next use */
};

void amd_spill_apply(struct spiller *s);

#endif
