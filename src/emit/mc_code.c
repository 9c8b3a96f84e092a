/* Numbers of operands: see emit/mc_table.h. Also part of the generator, which holds them against LLVM's. */
#include "emit/mc_table.h"

/* Source codes 240 to 248: 0.5 -0.5 1 -1 2 -2 4 -4 1/(2 pi). */
static const uint16_t floats16[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
static const uint32_t floats32[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000,
	0x3e22f983};
static const uint64_t floats64[] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000, 0xbff0000000000000,
	0x4000000000000000, 0xc000000000000000, 0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};
enum { FLOATS = 9, CODE_FLOAT = 240, CODE_INT = 128, CODE_NEGATIVE = 192 };

/* The code of v among a type's inline constants: its integers, and its floats in the width given. */
static uint32_t inline_code(int64_t v, uint32_t float_bits)
{
	if (v >= 0 && v <= 64)
		return CODE_INT + (uint32_t)v;
	if (v < 0 && v >= -16)
		return CODE_NEGATIVE + (uint32_t)-v;
	for (uint32_t k = 0; k < FLOATS; k++)
		if ((float_bits == 16 && (uint64_t)v == floats16[k]) || (float_bits == 32 && (uint32_t)v == floats32[k]) ||
		    (float_bits == 64 && (uint64_t)v == floats64[k]))
			return CODE_FLOAT + k;
	return MC_LITERAL;
}

bool mc_const(enum mc_type type, uint64_t value, struct mc_const *c)
{
	int64_t v = (int64_t)value;
	switch (type) {
	case MC_T_NONE:
		return false;
	case MC_T_F16:
	case MC_T_I16:
		c->mc = (int16_t)v < -16 || type == MC_T_F16 ? (uint16_t)v : (int16_t)v;
		c->literal = (uint16_t)v;
		c->code = inline_code((int16_t)v, 0);
		if (c->code == MC_LITERAL && type == MC_T_F16)
			c->code = inline_code((uint16_t)v, 16);
		return true;
	case MC_T_F64:
	case MC_T_I64:
		/* a literal has 32 bits: the upper ones of a float, the lower ones, extended by sign, of an integer */
		c->mc = v;
		c->code = inline_code(v, 64);
		c->literal = type == MC_T_F64 ? (uint32_t)(value >> 32) : (uint32_t)value;
		return c->code != MC_LITERAL || (type == MC_T_F64 ? !(uint32_t)value : v == (int32_t)v);
	case MC_T_B32:
	case MC_T_PF16:
		c->mc = (int32_t)v;
		c->literal = (uint32_t)v;
		c->code = inline_code((int32_t)v, type == MC_T_B32 ? 32 : 16);
		return true;
	}
	return false;
}

uint32_t mc_reg_code(uint32_t gen, const struct mc_form *f, bool def, uint32_t reg)
{
	/* a comparison's destination in SDWA: VCC is all zeros, another mask its number and a flag */
	if (def && f->enc == AMD_ENC_SDWA && reg < AMD_VGPR0)
		return reg == AMD_VCC ? 0 : reg | 0x200;
	if (gen && (reg == AMD_M0 || reg == AMD_NULL))
		return reg == AMD_M0 ? AMD_NULL : AMD_M0; /* exchanged in gfx11 */
	return reg;
}
