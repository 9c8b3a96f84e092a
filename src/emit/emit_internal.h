#ifndef EMIT_EMIT_INTERNAL_H
#define EMIT_EMIT_INTERNAL_H

#include "emit/emit.h"
#include "emit/emit_asm.h"
#include "emit/mc_table.h"

/* Stands for a literal whose value depends on addresses. */
enum { EMIT_LITERAL = 0x7eadbee5 };

struct emit_buf {
	struct arena *arena;
	VEC(uint8_t) bytes;
};

/* What a kernel needs together with all functions that it can reach. */
struct emit_resources {
	uint32_t vgprs, sgprs;
};

uint32_t emit_kernarg_size(const struct amd_func *f);
/* The user SGPRs hold the scratch base (gfx10); later chips set FLAT_SCRATCH themselves. */
bool emit_has_flat_scratch_init(const struct amd_func *f);
/* All but the distance to the code, at byte 16. */
void emit_descriptor(const struct amd_func *f, const struct emit_resources *r, uint8_t kd[64]);
void emit_metadata(struct emit_buf *b, const struct emit_module *m, const struct emit_resources *r);

#endif
