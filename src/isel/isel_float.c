/* Floating-point arithmetic. One-instruction cases are rows of isel_float.def. */
#include "isel/isel_internal.h"

static const struct {
	uint16_t ir, width, op;
} float_rows[] = {
#define ISEL_FLOAT(ir, width, op) {IR_##ir, width, amd_##op},
#include "isel/isel_float.def"
#undef ISEL_FLOAT
};

void isel_float_flags(struct amd_inst *m, const struct ir_inst *i)
{
	uint32_t flags = amd_op_info[m->op].flags;
	m->rnd = i->rnd;
	m->ftz = i->ftz;
	m->may_leave = i->may_leave;
	m->leave = i->leave;
	m->clamp = i->sat;
	m->fp_f32 = flags & AMDF_FP32;
	m->fp_f64 = flags & AMDF_FP16_64;
}

static bool packed(uint32_t op)
{
	return op == IR_pkfadd || op == IR_pkfmul || op == IR_pkffma || op == IR_pkfmin || op == IR_pkfmax;
}

struct amd_operand isel_float_use(struct isel *c, struct ir_inst *v, const struct ir_inst *user)
{
	bool neg = false, abs = false;
	struct ir_inst *x = v;
	if (!packed(user->op)) {
		while (x->op == IR_fneg || x->op == IR_fabs) {
			if (x->op == IR_fneg)
				neg ^= !abs;
			abs |= x->op == IR_fabs;
			x = x->args[0];
		}
	}
	/* a literal is the upper word of an f64 */
	if (x == v && x->op == IR_const && x->width == 64 && !(x->imm & 0xffffffff))
		return (struct amd_operand){.kind = AMD_OPND_CONST, .rc = AMD_S(2), .reg = AMD_NOREG, .value = x->imm};
	struct amd_operand o = isel_use(c, x);
	if (x != v && o.kind == AMD_OPND_CONST) /* modifiers of constants: keep it plain */
		return isel_use(c, v);
	o.neg = neg;
	o.abs = abs;
	return o;
}

static void emit_float(struct isel *c, struct ir_inst *i, enum amd_op op, uint32_t d)
{
	struct amd_operand o[3];
	for (uint32_t k = 0; k < i->nargs && k < 3; k++) {
		bool integer = i->op == IR_amd_ldexp && k == 1;
		o[k] = integer ? isel_use(c, i->args[k]) : isel_float_use(c, i->args[k], i);
	}
	if (i->width == 64 && ir_op_info[i->op].flags & IRF_COMMUTES) { /* of two NaNs NVIDIA's arithmetic gives the second */
		struct amd_operand first = o[0];
		o[0] = o[1];
		o[1] = first;
	}
	struct amd_inst *m = i->nargs == 1 ? isel_op1(c, op, d, o[0]) : i->nargs == 2 ? isel_op2(c, op, d, o[0], o[1]) :
		isel_op3(c, op, d, o[0], o[1], o[2]);
	isel_float_flags(m, i);
	if (packed(i->op))
		m->opsel_hi = (uint8_t)((1u << i->nargs) - 1);
	if (i->op == IR_amd_max3f && i->ftz)
		m->fp_f32 = false;
}

/* fneg, fabs by themselves: the sign bit, nothing else. */
static void sign_op(struct isel *c, struct ir_inst *i, uint32_t d)
{
	bool neg = i->op == IR_fneg;
	uint32_t n = isel_dwords(c, i), bit = i->width == 16 ? 0x8000 : 0x80000000;
	struct amd_operand part[2];
	for (uint32_t k = 0; k < n; k++) {
		part[k] = isel_dword(c, i->args[0], k);
		if (k + 1 < n)
			continue;
		uint32_t t = n == 1 ? d : isel_new_v(c, 1);
		isel_op2(c, neg ? amd_v_xor_b32 : amd_v_and_b32, t, amd_use_const(neg ? bit : i->width == 16 ? 0x7fff : 0x7fffffff), part[k]);
		part[k] = isel_t(c, t);
	}
	if (n > 1)
		isel_create_vector(c, d, part, n);
}

static void canonicalize(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand x = isel_float_use(c, i->args[0], i), one = {.kind = AMD_OPND_CONST, .rc = AMD_S(2), .reg = AMD_NOREG, .value = 0x3ff0000000000000};
	enum amd_op op = i->width == 64 ? amd_v_mul_f64 : i->width == 32 ? amd_v_max_f32 : amd_v_max_f16;
	isel_float_flags(isel_op2(c, op, d, x, i->width == 64 ? one : x), i); /* v_max_f64 would not quiet a NaN */
}

/* The canonical NaN before x and after: of two NaNs v_max gives the first by RDNA3's manual, the second by RDNA2's ("V_MAX_F32"). */
static void canonical_nan(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand x = isel_float_use(c, i->args[0], i), k = amd_use_const(i->width == 16 ? 0x7fff : 0x7fffffff);
	struct amd_inst *m = isel_op3(c, i->width == 16 ? amd_v_max3_f16 : amd_v_max3_f32, d, k, x, k);
	isel_float_flags(m, i);
	if (i->ftz && !i->may_leave)
		m->fp_f32 = m->fp_f64 = false; /* no subnormals: any mode will do */
}

/* Of two NaNs gfx11's v_pk_max_f16 gives the first (tests/unit/sim_captured.def). */
static void canonical_nans(struct isel *c, struct ir_inst *i, uint32_t d)
{
	bool once = c->f->target->gen == 11;
	uint32_t k = isel_new_s(c, 1), t = once ? d : isel_new_v(c, 1);
	isel_copy(c, k, amd_use_const(0x7fff7fff));
	struct amd_inst *m[2] = {isel_op2(c, amd_v_pk_max_f16, t, isel_t(c, k), isel_use(c, i->args[0]))};
	if (!once)
		m[1] = isel_op2(c, amd_v_pk_max_f16, d, isel_t(c, t), isel_t(c, k));
	for (int n = 0; n < (once ? 1 : 2); n++) {
		isel_float_flags(m[n], i);
		m[n]->opsel_hi = 3;
		if (i->ftz)
			m[n]->fp_f64 = false;
	}
}

static void round_integral(struct isel *c, struct ir_inst *i, uint32_t d)
{
	static const uint16_t ops[3][4] = {
		{amd_v_rndne_f16, amd_v_trunc_f16, amd_v_floor_f16, amd_v_ceil_f16},
		{amd_v_rndne_f32, amd_v_trunc_f32, amd_v_floor_f32, amd_v_ceil_f32},
		{amd_v_rndne_f64, amd_v_trunc_f64, amd_v_floor_f64, amd_v_ceil_f64},
	};
	struct amd_inst *m = isel_op1(c, ops[i->width == 64 ? 2 : i->width == 32][i->rnd], d, isel_float_use(c, i->args[0], i));
	isel_float_flags(m, i);
	m->rnd = IR_RN;
}

/* A NaN subtrahend keeps its sign, which a source modifier would change. */
static void fsub64(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand x = isel_float_use(c, i->args[0], i), y = isel_float_use(c, i->args[1], i);
	struct amd_operand minus_one = {.kind = AMD_OPND_CONST, .rc = AMD_S(2), .reg = AMD_NOREG, .value = 0xbff0000000000000};
	isel_float_flags(isel_op3(c, amd_v_fma_f64, d, y, minus_one, x), i);
}

/* Value and condition of v_div_scale come from one instruction; asked for one at a time, since the other is cheap to repeat only
 * when nobody wants it. */
static void div_scale(struct isel *c, struct ir_inst *i)
{
	bool value = i->op == IR_amd_div_scale;
	struct ir_inst *other = NULL;
	for (struct ir_inst *p = i->prev; p && !other; p = p->prev)
		if ((p->op == IR_amd_div_scale || p->op == IR_amd_div_scale_cc) && p->op != i->op && p->args[0] == i->args[0] &&
		    p->args[1] == i->args[1] && p->args[2] == i->args[2])
			other = p;
	/* The earlier one defines both. */
	if (other && c->temp[other->id]) {
		c->pair[other->id] = i;
		return;
	}
	struct ir_inst *later = c->pair[i->id];
	uint32_t width = i->args[0]->width, n = width / 32;
	uint32_t mine = c->temp[i->id], theirs = later ? c->temp[later->id] : 0;
	uint32_t dv = value ? mine : theirs ? theirs : isel_new_v(c, n), dm = value ? (theirs ? theirs : isel_new_mask(c)) : mine;
	struct amd_operand o[3];
	for (uint32_t k = 0; k < 3; k++)
		o[k] = ir_is_const(i->args[k]) && isel_is_inline(i->args[k]->imm, width) ? isel_use(c, i->args[k]) : isel_vector(c, i->args[k]);
	struct amd_inst *m = isel_emit(c, width == 64 ? amd_v_div_scale_f64 : amd_v_div_scale_f32, 2, 3);
	m->defs[0] = amd_def_temp(c->f, dv);
	m->defs[1] = amd_def_temp(c->f, dm);
	memcpy(m->ops, o, sizeof o);
	isel_float_flags(m, i);
}

static void div_fmas(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand o[3], cond = isel_mask_use(c, i->args[3]);
	for (uint32_t k = 0; k < 3; k++)
		o[k] = isel_float_use(c, i->args[k], i);
	if (cond.kind == AMD_OPND_CONST) {
		uint32_t t = isel_new_mask(c);
		isel_copy(c, t, cond);
		cond = isel_t(c, t);
	}
	struct amd_inst *m = isel_emit(c, i->width == 64 ? amd_v_div_fmas_f64 : amd_v_div_fmas_f32, 1, 4);
	m->defs[0] = amd_def_temp(c->f, d);
	memcpy(m->ops, o, sizeof o);
	m->ops[3] = cond;
	m->ops[3].fixed = true;
	m->ops[3].reg = AMD_VCC;
	isel_float_flags(m, i);
	isel_legalize_valu(c, m);
}

void isel_float(struct isel *c, struct ir_inst *i)
{
	uint32_t d = c->temp[i->id], width = i->op == IR_amd_frexp_exp ? i->args[0]->width : i->width;
	switch (i->op) {
	case IR_fneg:
	case IR_fabs:
		sign_op(c, i, d);
		return;
	case IR_fcanon:
		canonicalize(c, i, d);
		return;
	case IR_fnan:
		canonical_nan(c, i, d);
		return;
	case IR_pkfnan:
		canonical_nans(c, i, d);
		return;
	case IR_frint:
		round_integral(c, i, d);
		return;
	case IR_amd_div_scale:
	case IR_amd_div_scale_cc:
		div_scale(c, i);
		return;
	case IR_amd_div_fmas:
		div_fmas(c, i, d);
		return;
	case IR_fsub:
		if (width == 64) {
			fsub64(c, i, d);
			return;
		}
		break;
	}
	for (uint32_t k = 0; k < sizeof float_rows / sizeof *float_rows; k++)
		if (float_rows[k].ir == i->op && float_rows[k].width == width) {
			emit_float(c, i, float_rows[k].op, d);
			return;
		}
	isel_ice(c, i, "no instruction for this width");
}

/* --- conversions --- */

static const struct {
	uint16_t ir, from, to, op;
} conversions[] = {
	{IR_fptosi, 16, 16, amd_v_cvt_i16_f16}, {IR_fptoui, 16, 16, amd_v_cvt_u16_f16},
	{IR_fptosi, 32, 32, amd_v_cvt_i32_f32}, {IR_fptoui, 32, 32, amd_v_cvt_u32_f32},
	{IR_fptosi, 64, 32, amd_v_cvt_i32_f64}, {IR_fptoui, 64, 32, amd_v_cvt_u32_f64},
	{IR_sitofp, 16, 16, amd_v_cvt_f16_i16}, {IR_uitofp, 16, 16, amd_v_cvt_f16_u16},
	{IR_sitofp, 32, 32, amd_v_cvt_f32_i32}, {IR_uitofp, 32, 32, amd_v_cvt_f32_u32},
	{IR_sitofp, 32, 64, amd_v_cvt_f64_i32}, {IR_uitofp, 32, 64, amd_v_cvt_f64_u32},
	{IR_fpext, 16, 32, amd_v_cvt_f32_f16}, {IR_fpext, 32, 64, amd_v_cvt_f64_f32},
	{IR_fptrunc, 32, 16, amd_v_cvt_f16_f32}, {IR_fptrunc, 64, 32, amd_v_cvt_f32_f64},
	{IR_amd_cvt_u32_f32, 32, 32, amd_v_cvt_u32_f32},
};

void isel_convert(struct isel *c, struct ir_inst *i)
{
	uint32_t d = c->temp[i->id], from = i->args[0]->width;
	if (i->op == IR_bf16tof32) {
		if (c->loc[i->id] == ISEL_LOC_VGPR)
			isel_op2(c, amd_v_lshlrev_b32, d, amd_use_const(16), isel_use(c, i->args[0]));
		else
			isel_op2(c, amd_s_lshl_b32, d, isel_scalar(c, i->args[0]), amd_use_const(16));
		return;
	}
	for (uint32_t k = 0; k < sizeof conversions / sizeof *conversions; k++)
		if (conversions[k].ir == i->op && conversions[k].from == from && conversions[k].to == i->width) {
			bool from_int = i->op == IR_sitofp || i->op == IR_uitofp;
			struct amd_operand x = from_int ? isel_use(c, i->args[0]) : isel_float_use(c, i->args[0], i);
			isel_float_flags(isel_op1(c, conversions[k].op, d, x), i);
			return;
		}
	isel_ice(c, i, "no conversion for these widths");
}
