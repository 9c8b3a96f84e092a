/* Instructions as assembly text in LLVM's syntax. */
#ifndef EMIT_EMIT_ASM_H
#define EMIT_EMIT_ASM_H

#include "amd/amd.h"

/* One instruction. A branch with a target prints `prefix` and the target's number, one without its immediate. */
void emit_asm_inst(struct strbuf *sb, const struct amd_target *t, const struct amd_inst *i, const char *prefix);
/* Parts of a row's shape: the k-th word of s (kept in buf), false after the last. */
bool emit_shape_word(const char *s, uint32_t k, char buf[8]);
/* The operand that AMDF_TIED means, -1 where there is none. */
int emit_tied_operand(const struct amd_inst *i);
/* The constant operand k as LLVM holds it: v_fma_mix's f32 sources take the inline constants under their f16 names. */
uint64_t emit_const(const struct amd_inst *i, uint32_t k);

#endif
