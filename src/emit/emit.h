/* Emission: finished machine functions and variables to an AMDGPU code object.
 *
 * emit_new sets LLVM's code emitter up once (0.3 ms); an emitter belongs to one thread at a time and serves any number of
 * modules of its chip. Errors of the user's program (an undefined symbol, too large an object) are diagnostics; what the passes
 * before may not leave behind is an internal error. */
#ifndef EMIT_EMIT_H
#define EMIT_EMIT_H

#include "amd/amd.h"
#include "ir/ir.h"

struct emitter;
/* NULL: LLVM does not know the chip. Memory of its own, freed by emit_free. */
struct emitter *emit_new(const struct amd_target *t);
void emit_free(struct emitter *e);

/* --- machine code of one function: emit_code.c --- */
enum emit_fixup_kind { EMIT_REL32_LO, EMIT_REL32_HI };
struct emit_fixup { /* a literal that names a symbol: value = symbol + addend - the literal's address */
	uint32_t offset;  /* of the literal in the function's code */
	uint8_t kind;
	const char *sym;
	int64_t addend;
	uint32_t line;
};
struct emit_line {
	uint32_t offset, line;
};
struct emit_code {
	const struct amd_func *func;
	VEC(uint8_t) bytes;
	VEC(struct emit_fixup) fixups;
	VEC(uint32_t) inst_offset; /* by amd_inst in layout order */
	VEC(struct emit_line) lines;
};
/* requires: f after the last machine pass. Instructions still AUTO get their encoding. */
void emit_code(struct emitter *e, struct amd_func *f, struct emit_code *out);

/* --- the whole object: emit_object.c --- */
struct emit_module {
	struct arena *arena;
	struct diags *diags;
	const struct amd_target *target;
	VEC(struct amd_func *) funcs;
	VEC(const struct ir_func *) ir_funcs; /* of funcs, by index: parameters for the metadata; NULL allowed */
	VEC(struct ir_var *) vars;            /* .global and .const variables; their `offset` becomes their address in the object */
};
/* The code object's bytes, in m->arena; NULL where a diagnostic was added. Deterministic. */
const uint8_t *emit_object(struct emitter *e, struct emit_module *m, size_t *size);

/* --- assembly text (-S): emit_asm.c --- */
void emit_asm_func(struct strbuf *sb, struct amd_func *f);

/* --- self-check, for tests: emit_verify.c --- LLVM's assembler makes the same bytes of our text, and LLVM's disassembler the
 * same text of our bytes. NULL, or what differs, in a. */
const char *emit_verify(struct arena *a, struct emitter *e, struct amd_func *f);

#endif
