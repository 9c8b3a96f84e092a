/* p_spill and p_reload: imm is the slot. A slot is a dword: of a lane of the reserved VGPRs (scalars), of the lane's scratch from
 * f->spill_scratch on (vectors). */
#ifndef AMD_AMD_SPILL_H
#define AMD_AMD_SPILL_H

#include "amd/amd.h"

void amd_lower_spill(struct amd_func *f, struct amd_block *out, const struct amd_inst *i);

#endif
