/* Emission: finished machine functions and variables to an AMDGPU code object.
 *
 * Nothing is set up: the encodings are a table, learned from LLVM when the project is built. Errors of the user's program (an undefined symbol, too large an object) are diagnostics; what the passes
 * before may not leave behind is an internal error. */
#ifndef EMIT_EMIT_H
#define EMIT_EMIT_H

#include "amd/amd.h"
#include "ir/ir.h"

/* --- machine code of one function: emit_code.c --- */
enum emit_fixup_kind { EMIT_REL32_LO, EMIT_REL32_HI, EMIT_ABS32_LO, EMIT_ABS32_HI };
struct emit_fixup { /* a literal that names a symbol: symbol + addend, REL: minus the literal's address */
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
	VEC(struct amd_inst *) insts; /* as encoded, in order (p_symaddr is three) */
	VEC(uint32_t) inst_offset, inst_block; /* of each */
	VEC(struct emit_line) lines;
	uint32_t vgprs, sgprs; /* one more than the highest in use */
};
/* requires: f after the last machine pass. Instructions still AUTO get their encoding. */
void emit_code(struct amd_func *f, struct emit_code *out);

/* --- the whole object: emit_elf.c --- */
struct emit_module {
	struct arena *arena;
	struct diags *diags;
	const struct amd_target *target;
	VEC(struct amd_func *) funcs;
	VEC(const struct ir_func *) ir_funcs; /* of funcs, by index: parameters for the metadata; NULL allowed */
	VEC(struct ir_var *) vars;            /* .global and .const variables; their `offset` becomes their address in the object */
};
/* The code object's bytes, in m->arena; NULL where a diagnostic was added. Deterministic. */
const uint8_t *emit_object(struct emit_module *m, size_t *size);

/* --- assembly text (-S): emit_asm.c --- */
/* `source`: the PTX text, whose lines become comments before the instructions made of them; NULL: none. */
struct emit_source {
	const char *text;
	const uint32_t *starts; /* offset of each line, and one more behind the last */
	uint32_t nlines;
};
void emit_asm_begin(struct strbuf *sb, const struct amd_target *t); /* once, first */
void emit_asm_func(struct strbuf *sb, const struct emit_code *c, const struct emit_source *source);

/* --- self-check, for tests: emit_verify.c --- LLVM's assembler makes the same bytes of our text (and finds no fault with it), and
 * LLVM's disassembler the same opcode and registers of our bytes. NULL, or what differs, in a. */
const char *emit_verify(struct arena *a, const struct emit_code *c);

#endif
