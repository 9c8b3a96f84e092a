/* Parallel copies of dwords as move instructions. */
#ifndef AMD_AMD_COPIES_H
#define AMD_AMD_COPIES_H

#include "amd/amd.h"

struct amd_copies;
struct amd_copies *amd_copies_new(struct amd_func *f);
void amd_copies_start(struct amd_copies *c, struct amd_block *out, uint32_t line);
void amd_copies_add(struct amd_copies *c, uint16_t dst, const struct amd_operand *o, uint32_t dword); /* of o */
void amd_copies_emit(struct amd_copies *c); /* appends to out */

#endif
