/* LLVM's AMDGPU disassembler behind a C interface: bytes in, assembly text out. One object per gpu and thread. */
#ifndef EMIT_MC_DISASM_H
#define EMIT_MC_DISASM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct mc_disasm;

/* features: as llvm-mc's -mattr, may be NULL ("+wavefrontsize64,-wavefrontsize32"). NULL where LLVM does not know gpu. */
struct mc_disasm *mc_disasm_new(const char *gpu, const char *features);
void mc_disasm_free(struct mc_disasm *d);
/* Disassembles the instruction at bytes; returns its length, 0 where there is none. The text goes to buf, without
 * leading blanks or comment; branch targets are distances in dwords. */
size_t mc_disasm_one(struct mc_disasm *d, const uint8_t *bytes, size_t n, uint64_t addr, char *buf, size_t size);

#ifdef __cplusplus
}
#endif

#endif
