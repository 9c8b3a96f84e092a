/* LLVM's code emitter behind a C interface, for the generator. */
#ifndef EMIT_GEN_MC_SHIM_H
#define EMIT_GEN_MC_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct mc_encoder;
struct mc_value {
	bool is_reg;
	int64_t value; /* LLVM's register number or the immediate */
};

/* NULL where LLVM does not know gpu. One object per thread. */
struct mc_encoder *mc_encoder_new(const char *gpu, const char *features);
void mc_encoder_free(struct mc_encoder *e);
/* Bytes of one instruction; out has room for 24. */
size_t mc_encode(struct mc_encoder *e, uint32_t opcode, const struct mc_value *ops, uint32_t n, uint8_t *out);
/* May the opcode's operand be the register? */
bool mc_fits(const struct mc_encoder *e, uint32_t opcode, uint32_t operand, uint32_t reg);

#ifdef __cplusplus
}
#endif

#endif
