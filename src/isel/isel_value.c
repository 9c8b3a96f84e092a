/* IR values as machine operands. */
#include "isel/isel_internal.h"

uint32_t isel_dwords(const struct isel *c, const struct ir_inst *v)
{
	return v->width == 1 ? amd_mask_dwords(c->f) : (v->width + 31u) / 32;
}

amd_rc isel_class(const struct isel *c, const struct ir_inst *v)
{
	uint32_t n = isel_dwords(c, v);
	return c->loc[v->id] == ISEL_LOC_VGPR ? AMD_V(n) : AMD_S(n);
}

uint32_t isel_wanted(struct isel *c, const struct ir_inst *v)
{
	return c->temp[v->id];
}

uint32_t isel_def(struct isel *c, struct ir_inst *v)
{
	if (!c->temp[v->id])
		c->temp[v->id] = amd_temp_new(c->f, isel_class(c, v));
	return c->temp[v->id];
}

bool isel_const_i32(const struct ir_inst *v, int64_t *x)
{
	if (v->op != IR_const || v->width < 16)
		return false;
	*x = v->width == 64 ? (int64_t)v->imm : v->width == 32 ? (int32_t)v->imm : (int16_t)v->imm;
	return true;
}

static struct amd_operand undef(amd_rc rc)
{
	return (struct amd_operand){.kind = AMD_OPND_UNDEF, .rc = rc, .reg = AMD_NOREG};
}

struct amd_operand isel_use(struct isel *c, struct ir_inst *v)
{
	uint32_t n = isel_dwords(c, v);
	/* Any value will do, but not any register: one may be waiting for memory. */
	if (v->op == IR_undef && n <= 2)
		return (struct amd_operand){.kind = AMD_OPND_CONST, .rc = AMD_S(n), .reg = AMD_NOREG};
	if (v->op == IR_undef)
		return undef(AMD_S(n));
	if (v->op != IR_const)
		return isel_t(c, isel_def(c, v));
	struct amd_operand o = amd_use_const((uint32_t)v->imm);
	if (v->width == 1) {
		o.rc = AMD_S(n);
		o.value = v->imm & 1 ? ~(uint64_t)0 >> (64 - 32 * n) : 0;
	} else if (v->width == 64) {
		o.rc = AMD_S(2);
		o.value = v->imm;
		if (!isel_is_inline(v->imm, 64)) {
			uint32_t d = isel_new_s(c, 2);
			struct amd_operand half[2] = {amd_use_const((uint32_t)v->imm), amd_use_const((uint32_t)(v->imm >> 32))};
			isel_create_vector(c, d, half, 2);
			return isel_t(c, d);
		}
	} else if (v->width > 64) {
		struct amd_operand part[8];
		for (uint32_t k = 0; k < n; k++)
			part[k] = amd_use_const(k < 2 ? (uint32_t)(v->imm >> 32 * k) : 0);
		uint32_t d = isel_new_s(c, n);
		isel_create_vector(c, d, part, n);
		return isel_t(c, d);
	}
	return o;
}

struct amd_operand isel_scalar(struct isel *c, struct ir_inst *v)
{
	struct amd_operand o = isel_use(c, v);
	return isel_to_sgpr(c, o);
}

struct amd_operand isel_vector(struct isel *c, struct ir_inst *v)
{
	struct amd_operand o = isel_use(c, v);
	return isel_to_vgpr(c, o);
}

struct amd_operand isel_sgpr(struct isel *c, struct ir_inst *v)
{
	struct amd_operand o = isel_scalar(c, v);
	if (o.kind != AMD_OPND_CONST)
		return o;
	uint32_t n = amd_rc_size(o.rc), d = isel_new_s(c, n);
	if (n == 2) {
		struct amd_operand half[2] = {isel_piece(c, o, 0), isel_piece(c, o, 1)};
		isel_create_vector(c, d, half, 2);
	} else {
		isel_copy(c, d, o);
	}
	return isel_t(c, d);
}

struct amd_operand isel_mask_use(struct isel *c, struct ir_inst *v)
{
	struct amd_operand o = isel_use(c, v);
	if (o.kind == AMD_OPND_UNDEF)
		o = (struct amd_operand){.kind = AMD_OPND_CONST, .rc = o.rc, .reg = AMD_NOREG};
	return o;
}

struct amd_operand isel_piece(struct isel *c, struct amd_operand whole, uint32_t k)
{
	if (amd_rc_size(whole.rc) == 1)
		return whole;
	amd_rc one = (amd_rc)(1 | (whole.rc & AMD_RC_VECTOR));
	if (whole.kind == AMD_OPND_UNDEF)
		return amd_use_const(0);
	if (whole.kind == AMD_OPND_CONST)
		return amd_use_const((uint32_t)(whole.value >> 32 * k));
	uint32_t d = amd_temp_new(c->f, one);
	struct amd_inst *i = isel_emit(c, amd_p_extract_vector, 1, 1);
	i->defs[0] = amd_def_temp(c->f, d);
	i->ops[0] = whole;
	i->imm = (int32_t)k;
	return isel_t(c, d);
}

struct amd_operand isel_dword(struct isel *c, struct ir_inst *v, uint32_t k)
{
	if (v->op == IR_const)
		return amd_use_const(k < 2 ? (uint32_t)(v->imm >> 32 * k) : 0);
	/* What a vector is made of, without making it. */
	if (v->op == IR_zext && v->args[0]->width >= 32)
		return k < isel_dwords(c, v->args[0]) ? isel_dword(c, v->args[0], k) : amd_use_const(0);
	for (uint32_t a = 0, at = 0; v->op == IR_pack && v->width > 32 && a < v->nargs; a++) {
		uint32_t n = v->args[a]->width / 32;
		if (!n)
			break;
		if (k < at + n)
			return isel_dword(c, v->args[a], k - at);
		at += n;
	}
	return isel_piece(c, isel_use(c, v), k);
}
