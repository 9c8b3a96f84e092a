/* How a row of the opcode table becomes bytes: learned from LLVM's assembler and code emitter when the project is built
 * (src/emit/gen). A form is an instruction of LLVM's; each operand of that, a slot, says what of ours it holds and where in the
 * bytes its number goes.
 *
 * The number of a register or constant is its source code (RDNA2 ISA, section 13.1; RDNA3 ISA, section 15.1), of anything else the
 * immediate's bits. Bytes = base of the form, exclusive or every slot's bits at their places. */
#ifndef EMIT_MC_TABLE_H
#define EMIT_MC_TABLE_H

#include "amd/amd.h"

/* Where the value of one operand of the LLVM instruction comes from. `index`: of the definition or operand. */
enum mc_role {
	MC_CONST,     /* value */
	MC_CONST_REG, /* the own register number in value */
	MC_DEF, MC_OP,
	MC_MODS,      /* source modifiers of operand index */
	MC_SEL,       /* SDWA selector of operand index */
	MC_IMM, MC_IMM_LO8, MC_IMM_HI8, /* amd_inst.imm; its bytes */
	MC_CACHE, MC_CLAMP, MC_OMOD, MC_OPSEL, MC_OPSEL_HI, MC_NEG_LO, MC_NEG_HI,
	MC_DPP_CTRL, MC_ROW_MASK, MC_BANK_MASK, MC_BOUND_CTRL, MC_FI, MC_DST_SEL, MC_DST_UNUSED,
};
struct mc_slot {
	uint8_t role, index;
	int16_t value;
	uint16_t field; /* of mc_fields: where the number goes */
	uint16_t regs;  /* of mc_reg_sets: the registers it takes; 0: it is an immediate */
};
struct mc_field {
	uint16_t first, n; /* of mc_pieces */
};
/* Bits in .. in + width - 1 of the number are bits out .. of the bytes. */
struct mc_piece {
	uint8_t in, out, width;
};
struct mc_reg_set {
	uint8_t size; /* dwords */
	uint32_t regs[AMD_NREGS / 32]; /* own numbers of the first register */
};

/* What a form can express; a bit an operand where it says `op`. */
enum {
	MC_CAN_NEG = 0,      /* op: neg, three bits from here */
	MC_CAN_ABS = 3, MC_CAN_SEXT = 6, MC_CAN_OPSEL = 9 /* bit 3: destination */, MC_CAN_OPSEL_HI = 13, MC_CAN_NEG_LO = 16, MC_CAN_NEG_HI = 19,
	MC_CAN_CLAMP = 22, MC_CAN_OMOD = 23, MC_CAN_CACHE = 24 /* AMD_GLC, AMD_SLC, AMD_DLC */, MC_CAN_IMM = 27,
};

/* How a constant is read by an operand. */
enum mc_type { MC_T_NONE /* registers only */, MC_T_B32, MC_T_F16, MC_T_I16, MC_T_F64, MC_T_I64, MC_T_PF16 /* packed: 16-bit inline constants, 32-bit literals */ };

/* Which address parts are there and whether an atomic returns: selects among the forms of a row in one encoding. */
enum { MC_FORM_VADDR = 1, MC_FORM_SADDR = 2, MC_FORM_RETURNS = 4 };

struct mc_form {
	uint16_t opcode, slots;  /* LLVM's opcode; first of nslots in mc_slots */
	uint8_t enc, form, nslots;
	uint8_t types[4];        /* of the operands, enum mc_type */
	uint8_t size;            /* bytes, without a literal */
	uint32_t base[3];
	uint32_t caps;
};

/* By gen - 10 and opcode: forms mc_first[g][op] .. mc_first[g][op + 1] - 1. */
extern const uint16_t mc_first[2][AMD_OP_COUNT + 1];
extern const struct mc_form mc_forms[];
extern const struct mc_slot mc_slots[];
/* What may be half of a VOPD instruction; the first MC_DUAL_X may be its X half, all its Y half. */
#define MC_DUALS(X)                                                                                                               \
	X(v_fmac_f32) X(v_mul_f32) X(v_add_f32) X(v_sub_f32) X(v_subrev_f32) X(v_mov_b32) X(v_cndmask_b32) X(v_max_f32) X(v_min_f32)   \
	X(v_add_nc_u32) X(v_lshlrev_b32) X(v_and_b32)
enum { MC_DUAL_X = 9, MC_DUAL_Y = 12 };
int mc_dual_index(uint32_t op); /* -1: none */
/* By the halves' indices. The slots: X's definition, Y's, X's sources, Y's, old destinations among them. */
extern const struct mc_form mc_dual[MC_DUAL_X][MC_DUAL_Y];

extern const struct mc_field mc_fields[];
extern const struct mc_piece mc_pieces[];
extern const struct mc_reg_set mc_reg_sets[];

/* A constant operand. */
enum { MC_LITERAL = 255 };
struct mc_const {
	uint32_t code;    /* of an inline constant, or MC_LITERAL */
	uint32_t literal; /* the dword behind the instruction */
	int64_t mc;       /* as LLVM holds it */
};
/* False where an operand of the type cannot have the value. */
bool mc_const(enum mc_type type, uint64_t value, struct mc_const *c);
/* The number of a register; gen: 0 for gfx10, 1 for gfx11; def: as a definition of the form. */
uint32_t mc_reg_code(uint32_t gen, const struct mc_form *f, bool def, uint32_t reg);

/* The form that i takes; NULL: none in that encoding. */
const struct mc_form *mc_form_find(const struct amd_target *t, const struct amd_inst *i);
/* The operand's type in whatever encoding (same in all). */
enum mc_type mc_operand_type(const struct amd_target *t, uint32_t op, uint32_t operand);
/* The address parts and result of i, as MC_FORM_ bits. */
uint32_t mc_form_bits(const struct amd_inst *i);

#endif
