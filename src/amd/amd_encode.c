/* Encodings: inline constants, and whether a vector instruction fits its short form. Source: RDNA2 and RDNA3 ISA manuals, "Vector ALU
 * operations", "Scalar ALU operands". */
#include "amd/amd.h"

enum src_type { SRC_B16, SRC_F16, SRC_B32, SRC_B64, SRC_F64 };

/* By the last suffix of the mnemonic, which names the sources' type. */
static enum src_type source_type(const struct amd_inst *i, uint32_t op)
{
	const struct amd_op_info *info = &amd_op_info[i->op];
	const char *shape = info->ops;
	struct amd_shape t = {0, 0};
	for (uint32_t k = 0; k <= op; k++)
		t = amd_shape_next(&shape);
	const char *name = info->name;
	const char *suffix = strrchr(name, '_');
	if (!suffix)
		return SRC_B32;
	if (t.size == 2)
		return !strcmp(suffix, "_f64") ? SRC_F64 : SRC_B64;
	switch (i->op) {
	case amd_v_fma_mix_f32:
	case amd_v_fma_mixlo_f16:
	case amd_v_fma_mixhi_f16:
		return i->opsel_hi >> op & 1 ? SRC_F16 : SRC_B32;
	case amd_v_dot2_f32_f16:
		return op == 2 ? SRC_B32 : SRC_F16;
	case amd_v_ldexp_f16:
	case amd_v_cmp_class_f16:
		return op == 1 ? SRC_B16 : SRC_F16;
	case amd_v_mad_u32_u16:
	case amd_v_mad_i32_i16:
	case amd_v_dot2_i32_i16:
	case amd_v_dot2_u32_u16:
		return op == 2 ? SRC_B32 : SRC_B16;
	default:
		break;
	}
	if (amd_op_info[i->op].enc < AMD_ENC_VOP1)
		return SRC_B32;
	if (!strcmp(suffix, "_f16"))
		return SRC_F16;
	if (!strcmp(suffix, "_u16") || !strcmp(suffix, "_i16") || !strcmp(suffix, "_b16"))
		return SRC_B16;
	return SRC_B32;
}

static bool is_one_of(uint64_t bits, const uint64_t *list)
{
	for (; *list; list++)
		if (bits == *list)
			return true;
	return false;
}

bool amd_inline_const(const struct amd_inst *i, uint32_t op, uint64_t bits)
{
	static const uint64_t f16[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118, 0};
	static const uint64_t f32[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000,
		0x3e22f983, 0};
	static const uint64_t f64[] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x4000000000000000,
		0xc000000000000000, 0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882, 0};
	switch (source_type(i, op)) {
	case SRC_B16:
		return bits <= 64 || (bits >= 0xfff0 && bits <= 0xffff);
	case SRC_F16:
		return bits <= 64 || (bits >= 0xfff0 && bits <= 0xffff) || is_one_of(bits, f16);
	case SRC_B32:
		return (uint32_t)bits <= 64 || (uint32_t)bits >= 0xfffffff0 || is_one_of((uint32_t)bits, f32);
	case SRC_B64:
	case SRC_F64:
		return bits <= 64 || bits >= (uint64_t)-16 || is_one_of(bits, f64);
	}
	return false;
}

static bool is_vgpr(const struct amd_operand *o)
{
	return o->kind == AMD_OPND_UNDEF || (o->kind != AMD_OPND_CONST && o->kind != AMD_OPND_RELOC && o->reg != AMD_NOREG && o->reg >= AMD_VGPR0);
}

/* The comparison with its sides exchanged, or op. */
static uint32_t swapped(uint32_t op)
{
	static const struct {
		const char *from, *to;
	} cond[] = {{"_lt_", "_gt_"}, {"_gt_", "_lt_"}, {"_le_", "_ge_"}, {"_ge_", "_le_"}, {"_nlt_", "_ngt_"}, {"_ngt_", "_nlt_"},
		{"_nle_", "_nge_"}, {"_nge_", "_nle_"}, {"_eq_", "_eq_"}, {"_ne_", "_ne_"}, {"_lg_", "_lg_"}, {"_neq_", "_neq_"},
		{"_nlg_", "_nlg_"}, {"_o_", "_o_"}, {"_u_", "_u_"}};
	static const struct {
		uint16_t from, to;
	} rev[] = {{amd_v_sub_f32, amd_v_subrev_f32}, {amd_v_sub_f16, amd_v_subrev_f16}, {amd_v_sub_nc_u32, amd_v_subrev_nc_u32},
		{amd_v_sub_co_ci_u32, amd_v_subrev_co_ci_u32}};
	const struct amd_op_info *info = &amd_op_info[op];
	if (info->flags & AMDF_COMMUTES)
		return op;
	for (size_t k = 0; k < sizeof rev / sizeof *rev; k++) {
		if (op == rev[k].from)
			return rev[k].to;
		if (op == rev[k].to)
			return rev[k].from;
	}
	if (info->enc != AMD_ENC_VOPC)
		return AMD_OP_COUNT;
	for (size_t k = 0; k < sizeof cond / sizeof *cond; k++) {
		const char *at = strstr(info->name, cond[k].from);
		if (!at)
			continue;
		char name[32];
		size_t n = (size_t)(at - info->name), m = strlen(cond[k].from);
		memcpy(name, info->name, n);
		strcpy(name + n, cond[k].to);
		strcat(name, at + m);
		for (uint32_t o = amd_v_cmp_lt_i32; o <= amd_v_cmp_class_f64; o++)
			if (!strcmp(amd_op_info[o].name, name))
				return o;
	}
	return AMD_OP_COUNT;
}

static void swap_sources(struct amd_inst *i, uint32_t op)
{
	struct amd_operand t = i->ops[0];
	i->ops[0] = i->ops[1];
	i->ops[1] = t;
	i->op = (uint16_t)op;
}

/* Reads or writes a mask that is not where the short form has it. */
static bool mask_elsewhere(const struct amd_inst *i, const struct amd_op_info *info)
{
	if (info->flags & AMDF_VCC_USE && i->ops[2].reg != AMD_VCC)
		return true;
	return info->flags & AMDF_VCC_DEF && i->defs[i->ndefs - 1].reg != AMD_VCC;
}

/* d = a * b + d has a short form. */
static void accumulate(struct amd_inst *i)
{
	uint16_t op = i->op == amd_v_fma_f32 ? amd_v_fmac_f32 : i->op == amd_v_fma_f16 ? amd_v_fmac_f16 : i->op;
	if (op == i->op || i->enc != AMD_ENC_AUTO || i->clamp || i->omod || i->opsel || i->ops[2].kind == AMD_OPND_CONST ||
	    i->ops[2].kind == AMD_OPND_RELOC || i->defs[0].reg == AMD_NOREG || i->ops[2].reg != i->defs[0].reg)
		return;
	for (uint32_t k = 0; k < 3; k++)
		if (i->ops[k].neg || i->ops[k].abs)
			return;
	if (is_vgpr(&i->ops[0]) || is_vgpr(&i->ops[1]))
		i->op = op;
}

void amd_encode_choose(struct amd_func *f, struct amd_inst *i)
{
	(void)f;
	accumulate(i);
	const struct amd_op_info *info = &amd_op_info[i->op];
	if (i->enc != AMD_ENC_AUTO)
		return;
	i->enc = info->enc;
	if (info->enc != AMD_ENC_VOP1 && info->enc != AMD_ENC_VOP2 && info->enc != AMD_ENC_VOPC)
		return;
	bool modifiers = i->clamp || i->omod || i->opsel;
	for (uint32_t k = 0; k < i->nops; k++)
		modifiers |= i->ops[k].neg || i->ops[k].abs;
	if (modifiers || mask_elsewhere(i, info)) {
		i->enc = AMD_ENC_VOP3;
		return;
	}
	if (info->enc == AMD_ENC_VOP1 || is_vgpr(&i->ops[1]))
		return;
	uint32_t op = is_vgpr(&i->ops[0]) ? swapped(i->op) : AMD_OP_COUNT;
	if (op == AMD_OP_COUNT)
		i->enc = AMD_ENC_VOP3;
	else
		swap_sources(i, op);
}
