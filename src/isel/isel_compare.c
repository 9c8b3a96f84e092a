/* Comparisons, selection and moves. */
#include "isel/isel_internal.h"

static const struct {
	uint16_t s32, v32, v64; /* amd_op; s32 0: floating point */
} icmp_ops[] = {
	[IRC_EQ] = {amd_s_cmp_eq_u32, amd_v_cmp_eq_u32, amd_v_cmp_eq_u64},
	[IRC_NE] = {amd_s_cmp_lg_u32, amd_v_cmp_ne_u32, amd_v_cmp_ne_u64},
	[IRC_SLT] = {amd_s_cmp_lt_i32, amd_v_cmp_lt_i32, amd_v_cmp_lt_i64},
	[IRC_SLE] = {amd_s_cmp_le_i32, amd_v_cmp_le_i32, amd_v_cmp_le_i64},
	[IRC_SGT] = {amd_s_cmp_gt_i32, amd_v_cmp_gt_i32, amd_v_cmp_gt_i64},
	[IRC_SGE] = {amd_s_cmp_ge_i32, amd_v_cmp_ge_i32, amd_v_cmp_ge_i64},
	[IRC_ULT] = {amd_s_cmp_lt_u32, amd_v_cmp_lt_u32, amd_v_cmp_lt_u64},
	[IRC_ULE] = {amd_s_cmp_le_u32, amd_v_cmp_le_u32, amd_v_cmp_le_u64},
	[IRC_UGT] = {amd_s_cmp_gt_u32, amd_v_cmp_gt_u32, amd_v_cmp_gt_u64},
	[IRC_UGE] = {amd_s_cmp_ge_u32, amd_v_cmp_ge_u32, amd_v_cmp_ge_u64},
};

static const struct {
	uint16_t f16, f32, f64;
} fcmp_ops[] = {
#define FCMP(cond, name) [cond] = {amd_v_cmp_##name##_f16, amd_v_cmp_##name##_f32, amd_v_cmp_##name##_f64}
	FCMP(IRC_FEQ, eq), FCMP(IRC_FNE, lg), FCMP(IRC_FLT, lt), FCMP(IRC_FLE, le), FCMP(IRC_FGT, gt), FCMP(IRC_FGE, ge),
	/* Unordered or ...: the negation of the opposite ordered comparison. */
	FCMP(IRC_FEQU, nlg), FCMP(IRC_FNEU, neq), FCMP(IRC_FLTU, nge), FCMP(IRC_FLEU, ngt), FCMP(IRC_FGTU, nle), FCMP(IRC_FGEU, nlt),
	FCMP(IRC_NUM, o), FCMP(IRC_NAN, u),
#undef FCMP
};

/* 16-bit operands of a comparison: v_cmp_*_{i,u}16 reads the low half. */
static uint16_t icmp16(uint32_t cond)
{
	static const uint16_t ops[] = {
		[IRC_EQ] = amd_v_cmp_eq_u16, [IRC_NE] = amd_v_cmp_ne_u16, [IRC_SLT] = amd_v_cmp_lt_i16, [IRC_SLE] = amd_v_cmp_le_i16,
		[IRC_SGT] = amd_v_cmp_gt_i16, [IRC_SGE] = amd_v_cmp_ge_i16, [IRC_ULT] = amd_v_cmp_lt_u16, [IRC_ULE] = amd_v_cmp_le_u16,
		[IRC_UGT] = amd_v_cmp_gt_u16, [IRC_UGE] = amd_v_cmp_ge_u16,
	};
	return ops[cond];
}

static bool scalar_args(const struct isel *c, const struct ir_inst *i)
{
	return c->loc[i->args[0]->id] != ISEL_LOC_VGPR && c->loc[i->args[1]->id] != ISEL_LOC_VGPR;
}

bool isel_scalar_compare(struct isel *c, struct ir_inst *i, bool emit)
{
	uint32_t width = i->args[0]->width;
	if (i->op != IR_icmp || i->divergent || !scalar_args(c, i))
		return false;
	uint32_t op = width == 32 || width == 16 ? icmp_ops[i->cond].s32 : 0;
	if (width == 64)
		op = i->cond == IRC_EQ ? amd_s_cmp_eq_u64 : i->cond == IRC_NE ? amd_s_cmp_lg_u64 : 0;
	if (!op)
		return false;
	if (!emit)
		return true;
	struct amd_operand x, y;
	if (width == 16) {
		bool sign = i->cond >= IRC_SLT && i->cond <= IRC_SGE;
		x = isel_scalar_extended(c, i->args[0], sign);
		y = isel_scalar_extended(c, i->args[1], sign);
	} else {
		x = isel_scalar(c, i->args[0]);
		y = isel_scalar(c, i->args[1]);
	}
	if (x.kind == AMD_OPND_CONST && y.kind == AMD_OPND_CONST) {
		uint32_t t = isel_new_s(c, 1);
		if (width < 64)
			isel_copy(c, t, x);
		x = width < 64 ? isel_t(c, t) : isel_sgpr(c, i->args[0]);
	}
	struct amd_inst *m = isel_emit(c, op, 1, 2);
	m->defs[0] = amd_def_reg(AMD_SCC, AMD_S(1));
	m->ops[0] = x;
	m->ops[1] = y;
	return true;
}

/* mask d := SCC on all lanes */
static void mask_from_scc(struct isel *c, uint32_t d)
{
	struct amd_inst *m = isel_emit(c, isel_mask_op(c, amd_s_cselect_b32), 1, 3);
	m->defs[0] = amd_def_temp(c->f, d);
	m->ops[0] = amd_use_const(~0u);
	m->ops[1] = amd_use_const(0);
	if (c->wave64)
		m->ops[0].rc = m->ops[1].rc = AMD_S(2), m->ops[0].value = ~(uint64_t)0;
	m->ops[2] = amd_use_reg(AMD_SCC, AMD_S(1));
}

static struct amd_inst *vector_compare(struct isel *c, enum amd_op op, uint32_t d, struct amd_operand x, struct amd_operand y)
{
	struct amd_inst *m = isel_emit(c, op, 1, 2);
	m->defs[0] = amd_def_temp(c->f, d);
	m->ops[0] = x;
	m->ops[1] = y;
	isel_legalize_valu(c, m);
	return m;
}

void isel_compare(struct isel *c, struct ir_inst *i)
{
	uint32_t d = c->temp[i->id], width = i->args[0]->width;
	if (i->op == IR_ftestclass) {
		vector_compare(c, width == 64 ? amd_v_cmp_class_f64 : width == 32 ? amd_v_cmp_class_f32 : amd_v_cmp_class_f16, d,
		               isel_use(c, i->args[0]), isel_use(c, i->args[1]));
		return;
	}
	if (i->op == IR_fcmp) {
		struct amd_operand x = isel_float_use(c, i->args[0], i), y = isel_float_use(c, i->args[1], i);
		uint16_t op = width == 64 ? fcmp_ops[i->cond].f64 : width == 32 ? fcmp_ops[i->cond].f32 : fcmp_ops[i->cond].f16;
		isel_float_flags(vector_compare(c, op, d, x, y), i);
		return;
	}
	if (width == 1) { /* predicates: eq is xnor, ne is xor */
		uint32_t x = i->cond == IRC_EQ ? isel_new_mask(c) : d;
		isel_op2(c, isel_mask_op(c, amd_s_xor_b32), x, isel_mask_use(c, i->args[0]), isel_mask_use(c, i->args[1]));
		if (i->cond == IRC_EQ)
			isel_op1(c, isel_mask_op(c, amd_s_not_b32), d, isel_t(c, x));
		else if (i->cond != IRC_NE)
			isel_ice(c, i, "order of predicates");
		return;
	}
	if (isel_scalar_compare(c, i, true)) {
		mask_from_scc(c, d);
		return;
	}
	if (isel_is_carry_test(c, i)) { /* the instruction that carries gives the mask */
		c->temp[i->args[0]->id] = d;
		return;
	}
	uint16_t op = width == 64 ? icmp_ops[i->cond].v64 : width == 32 ? icmp_ops[i->cond].v32 : icmp16(i->cond);
	vector_compare(c, op, d, isel_use(c, i->args[0]), isel_use(c, i->args[1]));
}

/* --- select --- */

static void select_mask(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand p = isel_mask_use(c, i->args[0]), x = isel_mask_use(c, i->args[1]), y = isel_mask_use(c, i->args[2]);
	uint32_t a = isel_mask2(c, amd_s_and_b32, p, x), b = isel_mask2(c, amd_s_andn2_b32, y, p);
	isel_op2(c, isel_mask_op(c, amd_s_or_b32), d, isel_t(c, a), isel_t(c, b));
}

static void select_scalar(struct isel *c, struct ir_inst *i, uint32_t d)
{
	uint32_t n = isel_dwords(c, i);
	struct amd_operand x[8], y[8], part[8];
	for (uint32_t k = 0; k < n; k++) {
		x[k] = isel_to_sgpr(c, isel_dword(c, i->args[1], k));
		y[k] = isel_to_sgpr(c, isel_dword(c, i->args[2], k));
		bool two_literals = x[k].kind == AMD_OPND_CONST && y[k].kind == AMD_OPND_CONST && !isel_is_inline(x[k].value, 32) &&
			!isel_is_inline(y[k].value, 32);
		if (two_literals) {
			uint32_t t = isel_new_s(c, 1);
			isel_copy(c, t, x[k]);
			x[k] = isel_t(c, t);
		}
	}
	isel_scc(c, i->args[0]);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t t = n == 1 ? d : isel_new_s(c, 1);
		struct amd_inst *m = isel_emit(c, amd_s_cselect_b32, 1, 3);
		m->defs[0] = amd_def_temp(c->f, t);
		m->ops[0] = x[k];
		m->ops[1] = y[k];
		m->ops[2] = amd_use_reg(AMD_SCC, AMD_S(1));
		part[k] = isel_t(c, t);
	}
	if (n > 1)
		isel_create_vector(c, d, part, n);
}

void isel_select_op(struct isel *c, struct ir_inst *i)
{
	uint32_t d = c->temp[i->id], n = isel_dwords(c, i);
	if (i->width == 1) {
		select_mask(c, i, d);
		return;
	}
	if (c->loc[i->id] == ISEL_LOC_SGPR) {
		select_scalar(c, i, d);
		return;
	}
	struct amd_operand p = isel_mask_use(c, i->args[0]), part[8];
	if (p.kind == AMD_OPND_CONST) {
		uint32_t m = isel_new_mask(c);
		isel_copy(c, m, p);
		p = isel_t(c, m);
	}
	for (uint32_t k = 0; k < n; k++) {
		uint32_t t = n == 1 ? d : isel_new_v(c, 1);
		isel_op3(c, amd_v_cndmask_b32, t, isel_dword(c, i->args[2], k), isel_dword(c, i->args[1], k), p);
		part[k] = isel_t(c, t);
	}
	if (n > 1)
		isel_create_vector(c, d, part, n);
}

/* --- moves --- */

struct amd_operand isel_extend16(struct isel *c, struct amd_operand x, bool sign, bool vector)
{
	if (x.kind == AMD_OPND_CONST)
		return amd_use_const(sign ? (uint32_t)(int16_t)x.value : (uint16_t)x.value);
	uint32_t t = vector ? isel_new_v(c, 1) : isel_new_s(c, 1);
	if (vector && sign)
		isel_op3(c, amd_v_bfe_i32, t, x, amd_use_const(0), amd_use_const(16));
	else if (vector)
		isel_op2(c, amd_v_and_b32, t, amd_use_const(0xffff), x);
	else if (sign)
		isel_op1(c, amd_s_sext_i32_i16, t, x);
	else
		isel_op2(c, amd_s_and_b32, t, x, amd_use_const(0xffff));
	return isel_t(c, t);
}

struct amd_operand isel_scalar_extended(struct isel *c, struct ir_inst *v, bool sign)
{
	/* the scalar unit's 32-bit operations on extended operands */
	bool there = sign ? v->op == IR_smin || v->op == IR_smax || v->op == IR_sar : v->op == IR_umin || v->op == IR_umax;
	struct amd_operand o = isel_scalar(c, v);
	return there && c->loc[v->id] == ISEL_LOC_SGPR ? o : isel_extend16(c, o, sign, false);
}

static struct amd_operand high_word(struct isel *c, struct amd_operand low, bool sign, bool vector)
{
	if (!sign)
		return amd_use_const(0);
	uint32_t t = vector ? isel_new_v(c, 1) : isel_new_s(c, 1);
	if (vector)
		isel_op2(c, amd_v_ashrrev_i32, t, amd_use_const(31), low);
	else
		isel_op2(c, amd_s_ashr_i32, t, low, amd_use_const(31));
	return isel_t(c, t);
}

static void extend(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct ir_inst *x = i->args[0];
	bool vector = c->loc[i->id] == ISEL_LOC_VGPR, sign = i->op == IR_sext;
	uint32_t n = isel_dwords(c, i);
	struct amd_operand part[8];
	if (x->width == 1) { /* 1 or 0, -1 or 0 */
		struct amd_operand one = amd_use_const(sign ? ~0u : 1);
		uint32_t t = n == 1 ? d : vector ? isel_new_v(c, 1) : isel_new_s(c, 1);
		if (vector) {
			struct amd_operand m = isel_mask_use(c, x);
			isel_op3(c, amd_v_cndmask_b32, t, amd_use_const(0), one, m);
		} else {
			isel_scc(c, x);
			struct amd_inst *s = isel_emit(c, amd_s_cselect_b32, 1, 3);
			s->defs[0] = amd_def_temp(c->f, t);
			s->ops[0] = one;
			s->ops[1] = amd_use_const(0);
			s->ops[2] = amd_use_reg(AMD_SCC, AMD_S(1));
		}
		part[0] = isel_t(c, t);
		if (n == 1)
			return;
		for (uint32_t k = 1; k < n; k++)
			part[k] = sign ? part[0] : amd_use_const(0);
		isel_create_vector(c, d, part, n);
		return;
	}
	uint32_t from = isel_dwords(c, x);
	struct amd_operand whole = vector ? isel_use(c, x) : isel_scalar(c, x);
	for (uint32_t k = 0; k < from; k++)
		part[k] = isel_piece(c, whole, k);
	if (x->width == 16)
		part[0] = vector ? isel_extend16(c, part[0], sign, true) : isel_scalar_extended(c, x, sign);
	for (uint32_t k = from; k < n; k++)
		part[k] = k == from ? high_word(c, part[from - 1], sign, vector) : part[from];
	if (n == 1)
		isel_copy(c, d, part[0]);
	else
		isel_create_vector(c, d, part, n);
}

/* The dword in which a 16-bit value of a VGPR lies, and its first byte there: halves of others are not moved first. */
static struct amd_operand half_of(struct isel *c, struct ir_inst *x, uint32_t *byte)
{
	struct ir_inst *from = x->op == IR_unpack ? x->args[0] : NULL;
	*byte = 0;
	if (!from || from->width % 32 || c->loc[from->id] != ISEL_LOC_VGPR)
		return isel_use(c, x);
	*byte = 2 * (x->imm & 1);
	return isel_dword(c, from, (uint32_t)x->imm / 2);
}

static void pack(struct isel *c, struct ir_inst *i, uint32_t d)
{
	bool vector = c->loc[i->id] == ISEL_LOC_VGPR;
	struct amd_operand part[8];
	uint32_t n = 0;
	for (uint32_t k = 0; k < i->nargs; k++) {
		struct ir_inst *x = i->args[k];
		if (x->width == 16) {
			uint32_t lo_byte = 0, hi_byte = 0;
			struct amd_operand lo = vector ? half_of(c, x, &lo_byte) : isel_scalar(c, x);
			struct amd_operand hi = vector ? half_of(c, i->args[k + 1], &hi_byte) : isel_scalar(c, i->args[k + 1]);
			uint32_t t = i->width == 32 ? d : vector ? isel_new_v(c, 1) : isel_new_s(c, 1);
			if (vector)
				isel_op3(c, amd_v_perm_b32, t, hi, lo,
				         amd_use_const(0x05040100 + lo_byte * 0x0101 + hi_byte * 0x01010000));
			else
				isel_op2(c, amd_s_pack_ll_b32_b16, t, lo, hi);
			part[n++] = isel_t(c, t);
			k++;
			continue;
		}
		for (uint32_t j = 0; j < isel_dwords(c, x); j++)
			part[n++] = vector ? isel_dword(c, x, j) : isel_to_sgpr(c, isel_dword(c, x, j));
	}
	if (i->width > 32)
		isel_create_vector(c, d, part, n);
}

static void unpack(struct isel *c, struct ir_inst *i, uint32_t d)
{
	bool vector = c->loc[i->id] == ISEL_LOC_VGPR;
	struct amd_operand whole = vector ? isel_use(c, i->args[0]) : isel_scalar(c, i->args[0]);
	uint32_t n = isel_dwords(c, i);
	if (i->width == 16) {
		struct amd_operand word = isel_piece(c, whole, (uint32_t)i->imm / 2);
		if (i->imm % 2 == 0)
			isel_copy(c, d, word);
		else if (vector)
			isel_op2(c, amd_v_lshrrev_b32, d, amd_use_const(16), word);
		else
			isel_op2(c, amd_s_lshr_b32, d, word, amd_use_const(16));
		return;
	}
	if (n == 1) {
		isel_copy(c, d, isel_piece(c, whole, (uint32_t)i->imm));
		return;
	}
	struct amd_operand part[8];
	for (uint32_t k = 0; k < n; k++)
		part[k] = isel_piece(c, whole, (uint32_t)i->imm * n + k);
	isel_create_vector(c, d, part, n);
}

static void truncate(struct isel *c, struct ir_inst *i, uint32_t d)
{
	bool vector = c->loc[i->id] == ISEL_LOC_VGPR;
	if (i->width == 1) {
		struct amd_operand low = isel_dword(c, i->args[0], 0);
		uint32_t bit = isel_new_v(c, 1);
		isel_op2(c, amd_v_and_b32, bit, amd_use_const(1), low);
		vector_compare(c, amd_v_cmp_ne_u32, d, amd_use_const(0), isel_t(c, bit));
		return;
	}
	struct amd_operand whole = vector ? isel_use(c, i->args[0]) : isel_scalar(c, i->args[0]), part[8];
	uint32_t n = isel_dwords(c, i);
	for (uint32_t k = 0; k < n; k++)
		part[k] = isel_piece(c, whole, k);
	if (n == 1)
		isel_copy(c, d, part[0]);
	else
		isel_create_vector(c, d, part, n);
}

void isel_move(struct isel *c, struct ir_inst *i)
{
	uint32_t d = c->temp[i->id];
	switch (i->op) {
	case IR_pack:
		pack(c, i, d);
		break;
	case IR_unpack:
		unpack(c, i, d);
		break;
	case IR_zext:
	case IR_sext:
		extend(c, i, d);
		break;
	case IR_trunc:
		truncate(c, i, d);
		break;
	case IR_vcopy:
		isel_copy(c, d, isel_vector(c, i->args[0]));
		break;
	}
}
