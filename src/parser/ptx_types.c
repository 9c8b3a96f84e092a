/* Types and names of the syntax tree. */
#include "parser/ptx_types.h"

#include "base/arena.h"
#include "parser/forms.h"

static const char *const type_names[] = {"none",
#define X(name, bits, cls) #name,
#include "parser/types.def"
#undef X
};

static const uint8_t type_bits[] = {0,
#define X(name, bits, cls) bits,
#include "parser/types.def"
#undef X
};

enum { CLASS_U = 'U', CLASS_S = 'S', CLASS_B = 'B', CLASS_F = 'F', CLASS_H = 'H', CLASS_A = 'A', CLASS_P = 'P', CLASS_O = 'O' };

static const uint8_t type_class[] = {0,
#define X(name, bits, cls) CLASS_##cls,
#include "parser/types.def"
#undef X
};

static const char *const space_names[] = {"generic", "reg", "sreg", "const", "global", "local", "param", "shared", "tex"};

static const char *const sreg_names[] = {"none",
#define X(name, ...) "%" #name,
#include "parser/sregs.def"
#undef X
};

static const struct ptx_sreg_info sreg_infos[] = {{0, 0, 0, 0},
#define X(name, type, vec, ver, sm) {PTX_T_##type, vec, ver, sm},
#include "parser/sregs.def"
#undef X
};

const char *ptx_op_name(uint32_t op)
{
	return op < PTX_OP_COUNT ? ptx_ops[op].name : "?";
}

const char *ptx_word_name(uint32_t word)
{
	return word < PTX_W_COUNT ? ptx_words[word].name : "?";
}

const char *ptx_form_name(uint32_t form)
{
	return form < PTX_FORM_COUNT ? ptx_form_names[form] : "?";
}

const char *ptx_type_name(uint32_t type)
{
	return type < PTX_T_COUNT ? type_names[type] : "?";
}

const char *ptx_space_name(uint32_t space)
{
	return space <= PTX_SPACE_TEX ? space_names[space] : "?";
}

const char *ptx_sreg_name(uint32_t sreg)
{
	return sreg < PTX_SREG_COUNT ? sreg_names[sreg] : "?";
}

const struct ptx_sreg_info *ptx_sreg_info(uint32_t sreg)
{
	return &sreg_infos[sreg < PTX_SREG_COUNT ? sreg : 0];
}

uint32_t ptx_type_bits(uint32_t type)
{
	return type < PTX_T_COUNT ? type_bits[type] : 0;
}

bool ptx_type_is_int(uint32_t type)
{
	return type_class[type] == CLASS_U || type_class[type] == CLASS_S;
}

bool ptx_type_is_bits(uint32_t type)
{
	return type_class[type] == CLASS_B;
}

bool ptx_type_is_float(uint32_t type)
{
	return type_class[type] == CLASS_F;
}

uint32_t ptx_type_kind(uint32_t type)
{
	return ptx_type_is_int(type) ? 'I' : type_class[type];
}

uint32_t ptx_type_untyped(uint32_t type)
{
	switch (type_bits[type]) {
	case 8:
		return PTX_T_b8;
	case 16:
		return PTX_T_b16;
	case 32:
		return PTX_T_b32;
	case 64:
		return PTX_T_b64;
	case 128:
		return PTX_T_b128;
	default:
		return type;
	}
}

bool ptx_type_is_reg(uint32_t type)
{
	return type_class[type] != CLASS_A && type_class[type] != CLASS_O && type != PTX_T_f32x2;
}

bool ptx_reg_fits(uint32_t reg, uint32_t type, bool wider)
{
	uint8_t rc = type_class[reg], tc = type_class[type];
	uint32_t rb = type_bits[reg], tb = type_bits[type];
	if (type == PTX_T_pred || reg == PTX_T_pred)
		return type == reg;
	if (tc == CLASS_O)
		return reg == type || (rb == 64 && (rc == CLASS_U || rc == CLASS_B));
	if (tc == CLASS_A || type == PTX_T_f32x2)
		return rb == tb && (rc == CLASS_B || ((type == PTX_T_u16x2 || type == PTX_T_s16x2) && reg == PTX_T_f16x2));
	if (wider ? rb < tb : rb != tb)
		return false;
	if (rc == CLASS_B)
		return true;
	if (rc == CLASS_F || tc == CLASS_F)
		return reg == type || tc == CLASS_B;
	if (tc == CLASS_H)
		return reg == type;
	return true;
}

const char *ptx_reg_name(struct arena *a, const struct ptx_func *f, uint32_t reg)
{
	const struct ptx_reg *r = &f->regs[reg];
	return r->num == UINT32_MAX ? r->base : arena_printf(a, "%s%u", r->base, r->num);
}
