/* LLVM's AMDGPU assembler behind a C interface: assembly text in, instructions as LLVM holds them and their bytes out. Used
 * when the project is built (gen_mc) and by tests (emit_verify); the compiler itself does not assemble text. */
#ifndef EMIT_MC_ASM_H
#define EMIT_MC_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct mc_operand {
	bool is_reg, is_imm; /* neither: an expression */
	int64_t value;       /* LLVM's register number or the immediate */
};
struct mc_asm_inst {
	uint32_t line;       /* 1-based, of the text */
	uint32_t opcode;
	const struct mc_operand *ops;
	uint32_t nops;
	const uint8_t *bytes;
	uint32_t nbytes;     /* unresolved expressions are encoded as zero */
};
struct mc_asm_sink {
	void *ctx;
	void (*inst)(void *ctx, const struct mc_asm_inst *i);
	void (*error)(void *ctx, uint32_t line, const char *msg);
};
/* False where LLVM does not know gpu. Lines with errors are reported and skipped. */
bool mc_assemble(const char *gpu, const char *features, const char *text, size_t n, const struct mc_asm_sink *sink);

/* Names and numbers of LLVM's registers and opcodes. */
struct mc_names;
struct mc_names *mc_names_new(void);
void mc_names_free(struct mc_names *m);
uint32_t mc_names_reg(const struct mc_names *m, const char *name); /* 0: none of that name */
const char *mc_names_opcode(const struct mc_names *m, uint32_t opcode);

#ifdef __cplusplus
}
#endif

#endif
