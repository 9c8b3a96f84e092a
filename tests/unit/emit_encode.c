/* Pins the encoder: for every row of the opcode table, encoding, address form and generation, instructions with random registers,
 * constants and modifiers are encoded; LLVM's assembler must make the same bytes of their text and accept it, LLVM's disassembler
 * must show the same opcode and registers. */

#include "emit/emit.h"
#include "emit/emit_asm.h"
#include "emit/mc_table.h"
#include "unit.h"

static uint64_t rng = 12345;

static uint32_t rnd(uint32_t n)
{
	rng = rng * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(rng >> 33) % n;
}

struct ctx {
	struct amd_func *f;
	const struct mc_form *form;
	uint32_t scalars; /* constant-bus reads so far */
	bool narrow;      /* v0-v127 only */
};

static uint16_t random_vgpr(struct ctx *c, uint32_t size)
{
	return (uint16_t)(AMD_VGPR0 + rnd((c->narrow ? 128 : 256) - size + 1));
}

static uint16_t random_sgpr(uint32_t size)
{
	static const uint16_t special[] = {AMD_VCC, AMD_VCC + 1, AMD_M0, AMD_NULL, AMD_EXEC};
	uint32_t align = size >= 3 ? 4 : size;
	if (size == 1 && rnd(6) == 0)
		return special[rnd(5)];
	if (size == 2 && rnd(6) == 0)
		return AMD_VCC;
	return (uint16_t)(rnd((106 - size) / align + 1) * align);
}

static uint64_t random_const(enum mc_type t, bool literal)
{
	static const uint64_t f16[] = {0x3800, 0xb800, 0x3c00, 0x4400, 0xc000, 0x3118};
	static const uint64_t f32[] = {0x3f000000, 0xbf800000, 0x40000000, 0xc0800000, 0x3e22f983, 0x3f800000};
	static const uint64_t f64[] = {0x3fe0000000000000, 0xbff0000000000000, 0x4000000000000000, 0xc010000000000000, 0x3fc45f306dc9c882, 0x3ff0000000000000};
	if (rnd(3) == 0)
		return (uint64_t)(int64_t)((int)rnd(81) - 16);
	if (t == MC_T_I16)
		return literal ? 1000 + rnd(30000) : rnd(65);
	if (!literal || rnd(2))
		return t == MC_T_F16 || t == MC_T_PF16 ? f16[rnd(6)] : t == MC_T_F64 || t == MC_T_I64 ? f64[rnd(6)] : f32[rnd(6)];
	if (t == MC_T_F64)
		return (uint64_t)(0x10000 + rnd(0x7fff0000)) << 32;
	return t == MC_T_F16 ? 1000 + rnd(10000) : 100 + rnd(0x3ffffff0);
}

static void set_def(struct ctx *c, struct amd_inst *i, uint32_t k, struct amd_shape s)
{
	struct amd_def *d = &i->defs[k];
	bool any = i->enc == AMD_ENC_VOP3 || (i->enc == AMD_ENC_SDWA && amd_op_info[i->op].enc == AMD_ENC_VOPC);
	switch (s.kind) {
	case AMD_SH_V:
		*d = amd_def_reg(random_vgpr(c, s.size), AMD_V(s.size));
		break;
	case AMD_SH_S:
		*d = amd_def_reg((uint16_t)(rnd((104 - s.size) / 4) * 4), AMD_S(s.size));
		break;
	case AMD_SH_M:
		*d = amd_def_reg(any ? (uint16_t)rnd(100) : AMD_VCC, AMD_S(1));
		break;
	case AMD_SH_VCC:
		*d = amd_def_reg(AMD_VCC, AMD_S(1));
		break;
	case AMD_SH_SCC:
		*d = amd_def_reg(AMD_SCC, AMD_S(1));
		break;
	default:
		*d = amd_def_reg(AMD_EXEC, AMD_S(1));
	}
}

static bool valu(const struct amd_inst *i)
{
	return i->enc >= AMD_ENC_VOP1 && i->enc <= AMD_ENC_SDWA;
}

static void set_source(struct ctx *c, struct amd_inst *i, uint32_t k, struct amd_shape s)
{
	struct amd_operand *o = &i->ops[k];
	bool is_short = i->enc == AMD_ENC_VOP1 || i->enc == AMD_ENC_VOP2 || i->enc == AMD_ENC_VOPC;
	bool scalar_ok = s.kind == AMD_SH_A || (s.kind == AMD_SH_X && i->enc != AMD_ENC_DPP16 && !(is_short && k) && !c->scalars);
	bool constant_ok = scalar_ok && c->form->types[k] != MC_T_NONE && i->enc != AMD_ENC_SDWA && !c->scalars &&
	                   i->op != amd_v_readlane_b32 && i->op != amd_v_writelane_b32;
	bool literal_ok = constant_ok && i->op != amd_v_permlane16_b32 && i->op != amd_v_permlanex16_b32 && c->form->types[k] != MC_T_I16;
	if (constant_ok && rnd(3) == 0) {
		*o = amd_use_const(0);
		o->rc = AMD_S(s.size);
		o->value = strstr(amd_op_info[i->op].name, "fma_mix") ? rnd(65) : random_const((enum mc_type)c->form->types[k], literal_ok);
		c->scalars++;
	} else if (s.kind == AMD_SH_A || (scalar_ok && rnd(3) == 0)) {
		uint16_t r = valu(i) ? (uint16_t)(rnd(25) * 4) : random_sgpr(s.size);
		*o = amd_use_reg(r, AMD_S(s.size));
		c->scalars++;
	} else
		*o = amd_use_reg(random_vgpr(c, s.size), AMD_V(s.size));
}

static void set_op(struct ctx *c, struct amd_inst *i, uint32_t k, struct amd_shape s)
{
	struct amd_operand *o = &i->ops[k];
	uint32_t form = c->form->form;
	bool wide = i->enc == AMD_ENC_GLOBAL && !(form & MC_FORM_SADDR);
	switch (s.kind) {
	case AMD_SH_VADDR:
		if (form & MC_FORM_VADDR)
			*o = amd_use_reg(random_vgpr(c, wide ? 2 : 1), wide ? AMD_V(2) : AMD_V(1));
		break;
	case AMD_SH_SADDR:
		if (form & MC_FORM_SADDR)
			*o = amd_use_reg((uint16_t)(rnd(50) * 2), i->enc == AMD_ENC_GLOBAL ? AMD_S(2) : AMD_S(1));
		break;
	case AMD_SH_M:
		*o = amd_use_reg(i->enc == AMD_ENC_VOP3 ? (uint16_t)rnd(100) : AMD_VCC, AMD_S(1));
		break;
	case AMD_SH_V:
		*o = amd_use_reg(random_vgpr(c, s.size), AMD_V(s.size));
		break;
	case AMD_SH_S:
		*o = amd_use_reg((uint16_t)(rnd(25) * 4), AMD_S(s.size));
		break;
	case AMD_SH_A:
	case AMD_SH_X:
		if (i->enc == AMD_ENC_SMEM)
			*o = form & MC_FORM_SADDR ? amd_use_reg((uint16_t)rnd(100), AMD_S(1)) : (struct amd_operand){.rc = AMD_S(1)};
		else
			set_source(c, i, k, s);
		break;
	default:
		*o = amd_use_reg(s.kind == AMD_SH_SCC ? AMD_SCC : s.kind == AMD_SH_VCC ? AMD_VCC : s.kind == AMD_SH_M0 ? AMD_M0 : AMD_EXEC, AMD_S(1));
	}
}

static bool can(const struct mc_form *f, uint32_t bit)
{
	return f->caps >> bit & 1 && rnd(3) == 0;
}

static void set_modifiers(struct ctx *c, struct amd_inst *i)
{
	const struct mc_form *f = c->form;
	for (uint32_t k = 0; k < i->nops && k < 3; k++) {
		/* LLVM's parser takes no modifiers on literals of 64 bits */
		if (i->ops[k].kind == AMD_OPND_CONST && f->types[k] == MC_T_F64)
			continue;
		i->ops[k].neg = can(f, MC_CAN_NEG + k);
		i->ops[k].abs = can(f, MC_CAN_ABS + k);
		if (f->caps >> (MC_CAN_SEXT + k) & 1 && !i->ops[k].neg && !i->ops[k].abs)
			i->ops[k].sext = rnd(3) == 0 && !(f->caps >> MC_CAN_NEG & 1);
		i->opsel |= (uint8_t)(can(f, MC_CAN_OPSEL + k) << k);
		if (can(f, MC_CAN_OPSEL_HI + k))
			i->opsel_hi ^= (uint8_t)(1 << k);
		i->neg_lo |= (uint8_t)(can(f, MC_CAN_NEG_LO + k) << k);
		i->neg_hi |= (uint8_t)(can(f, MC_CAN_NEG_HI + k) << k);
	}
	i->opsel |= (uint8_t)(can(f, MC_CAN_OPSEL + 3) << 3);
	i->clamp = can(f, MC_CAN_CLAMP);
	if (can(f, MC_CAN_OMOD))
		i->omod = (uint8_t)rnd(4);
}

static void set_memory(struct ctx *c, struct amd_inst *i)
{
	const char *name = amd_op_info[i->op].name;
	if (!(c->form->caps >> MC_CAN_IMM & 1))
		return;
	switch (i->enc) {
	case AMD_ENC_DS:
		i->imm = (int32_t)rnd(65536);
		if (i->op == amd_ds_swizzle_b32)
			i->imm = (int32_t)rnd(32768);
		break;
	case AMD_ENC_FLAT:
		i->imm = (int32_t)rnd(2048);
		break;
	case AMD_ENC_GLOBAL:
	case AMD_ENC_SCRATCH:
		i->imm = (int32_t)rnd(4096) - 2048;
		if (i->enc == AMD_ENC_SCRATCH && c->form->form == 2)
			i->imm &= 2047;
		break;
	case AMD_ENC_SMEM:
		i->imm = (int32_t)(strstr(name, "buffer") ? rnd(1 << 20) : rnd(1 << 21)) - (strstr(name, "buffer") ? 0 : 1 << 20);
		if (c->form->form & MC_FORM_SADDR)
			i->imm &= 0xfffff;
		break;
	default:
		i->imm = (int32_t)rnd(65536);
		if (amd_op_info[i->op].flags & AMDF_TERMINATOR)
			i->imm = (int16_t)i->imm;
	}
	if (i->op == amd_s_sendmsg || i->op == amd_s_sendmsg_rtn_b32 || i->op == amd_s_sendmsg_rtn_b64)
		i->imm = 1; /* only messages that there are */
	if (i->op == amd_s_getreg_b32 || i->op == amd_s_setreg_b32 || i->op == amd_s_setreg_imm32_b32)
		i->imm = (int16_t)(1 | rnd(31) << 6 | rnd(32) << 11);
	if (i->op == amd_s_delay_alu)
		i->imm = (int32_t)rnd(5);
	for (uint32_t k = 0; k < 3; k++) {
		bool atomic_glc = k == 0 && amd_op_info[i->op].flags & AMDF_ATOMIC;
		if (!atomic_glc && c->form->caps >> (MC_CAN_CACHE + k) & 1 && rnd(3) == 0)
			i->cache |= (uint8_t)(1u << k);
	}
}

static void set_dpp_sdwa(struct amd_inst *i)
{
	static const uint16_t ctrl[] = {0x1b, 0xe4, 0x101, 0x11f, 0x125, 0x140, 0x141, 0x150, 0x15f, 0x163};
	if (i->enc == AMD_ENC_DPP16) {
		i->dpp_ctrl = ctrl[rnd(10)];
		i->dpp_row_mask = (uint8_t)rnd(16);
		i->dpp_bank_mask = (uint8_t)rnd(16);
		i->dpp_bound_ctrl = rnd(2);
		i->dpp_fi = rnd(2);
	}
	if (i->enc != AMD_ENC_SDWA)
		return;
	i->dst_sel = (uint8_t)rnd(7);
	i->dst_unused = (uint8_t)rnd(3);
	for (uint32_t k = 0; k < i->nops; k++)
		i->ops[k].sel = (uint8_t)rnd(7);
	if (amd_op_info[i->op].enc == AMD_ENC_VOPC)
		i->dst_sel = i->dst_unused = 0;
}

static bool ends_with_16(const char *name)
{
	return strstr(name, "_f16") || strstr(name, "_u16") || strstr(name, "_i16") || strstr(name, "_b16");
}

static struct amd_inst *random_inst(struct amd_func *f, uint32_t op, const struct mc_form *form)
{
	const struct amd_op_info *info = &amd_op_info[op];
	struct ctx c = {f, form, 0, false};
	const char *ds = info->defs, *os = info->ops;
	uint32_t nd = 0, no = 0;
	while (amd_shape_next(&ds).kind)
		nd++;
	while (amd_shape_next(&os).kind)
		no++;
	if (info->flags & AMDF_ATOMIC && form->enc != AMD_ENC_DS && !(form->form & MC_FORM_RETURNS))
		nd = 0;
	struct amd_inst *i = amd_inst_new(f, (enum amd_op)op, nd, no);
	i->enc = form->enc;
	c.narrow = f->target->gen >= 11 && ends_with_16(info->name) && i->enc != AMD_ENC_VOP3 && i->enc != AMD_ENC_VOP3P && valu(i);
	if (info->flags & AMDF_ATOMIC && form->form & MC_FORM_RETURNS)
		i->cache = AMD_GLC;
	ds = info->defs;
	os = info->ops;
	if (i->enc == AMD_ENC_VOP3 && strstr(info->ops, " m"))
		c.scalars = 1; /* the mask reads the bus too */
	for (uint32_t k = 0; k < nd; k++)
		set_def(&c, i, k, amd_shape_next(&ds));
	for (uint32_t k = 0; k < no; k++)
		set_op(&c, i, k, amd_shape_next(&os));
	int tied = emit_tied_operand(i);
	if (tied >= 0)
		i->ops[tied] = amd_use_reg(i->defs[0].reg, i->defs[0].rc);
	if (op == amd_s_setreg_imm32_b32)
		i->ops[0] = amd_use_const(rnd(1 << 20));
	if (valu(i))
		set_modifiers(&c, i);
	else
		set_memory(&c, i);
	set_dpp_sdwa(i);
	if (op == amd_v_swap_b32)
		i->ops[0].reg = i->defs[1].reg, i->ops[1].reg = i->defs[0].reg;
	return i;
}

static void check_chip(const char *chip)
{
	struct arena a;
	struct trap trap;
	arena_init(&a, &trap);
	const struct amd_target *t = amd_target_find(chip);
	struct amd_func *f = amd_func_new(&a, t, "all");
	struct amd_block *b = amd_block_new(f);
	struct emit_code code;
	uint32_t g = t->gen >= 11;
	if (setjmp(trap.env))
		ck_abort_msg("%s", trap.msg);
	for (uint32_t op = 0; op < AMD_OP_COUNT; op++)
		for (uint32_t k = mc_first[g][op]; k < mc_first[g][op + 1]; k++)
			for (int n = 0; n < 24; n++)
				amd_append(f, b, random_inst(f, op, &mc_forms[k]));
	ck_assert_uint_gt(b->insts.len, 24000);
	emit_code(f, &code);
	const char *why = emit_verify(&a, &code);
	ck_assert_msg(!why, "%s", why);
	arena_free(&a);
}

START_TEST(gfx1030)
{
	check_chip("gfx1030");
}
END_TEST
START_TEST(gfx1100)
{
	check_chip("gfx1100");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("emit_encode");
	TCase *tc = tcase_create("encode");
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, gfx1030);
	tcase_add_test(tc, gfx1100);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
