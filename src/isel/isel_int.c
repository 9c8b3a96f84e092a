/* Integer arithmetic and logic. isel_int.def says what is one instruction, and which function below does the rest. */
#include "ir/ir_legal.h"
#include "isel/isel_internal.h"

enum order { AB, BA };
enum { amd_none = AMD_OP_COUNT };

static const struct int_row {
	uint16_t op, width, salu, valu;
	uint8_t order;
} int_rows[] = {
#define ISEL_INT(op, width, salu, valu, order) {IR_##op, width, amd_##salu, amd_##valu, order},
#include "isel/isel_int.def"
};

static const struct int_row *find_row(const struct ir_inst *i, bool salu)
{
	uint32_t width = i->nargs ? i->args[0]->width : i->width;
	for (uint32_t k = 0; k < sizeof int_rows / sizeof *int_rows; k++) {
		const struct int_row *r = &int_rows[k];
		if (r->op == i->op && r->width == width && (salu ? r->salu : r->valu) != amd_none)
			return r;
	}
	return NULL;
}

bool isel_int_has_salu(const struct ir_inst *i)
{
	switch (i->op) {
	case IR_add:
	case IR_sub:
	case IR_umulwide:
	case IR_smulwide:
		return i->width >= 32;
	case IR_clz:
	case IR_ctz:
	case IR_bitsel:
	case IR_fshr:
	case IR_sad:
	case IR_umadhi:
		return true;
	case IR_ubfe:
	case IR_sbfe:
		return ir_is_const(i->args[1]) && ir_is_const(i->args[2]);
	default:
		return find_row(i, true) != NULL;
	}
}

/* --- predicates --- */

static void predicate_logic(struct isel *c, struct ir_inst *i, uint32_t d)
{
	static const uint16_t ops[IR_OP_COUNT] = {[IR_and] = amd_s_and_b32, [IR_or] = amd_s_or_b32, [IR_xor] = amd_s_xor_b32};
	struct amd_operand x = isel_mask_use(c, i->args[0]);
	if (i->op == IR_not) {
		isel_op1(c, isel_mask_op(c, amd_s_not_b32), d, x);
		return;
	}
	/* a & ~b, a | ~b where the negation is not wanted by itself */
	for (uint32_t k = 0; k < 2 && i->op != IR_xor; k++) {
		struct ir_inst *n = i->args[k];
		if (n->op != IR_not || n->width != 1 || c->nuses[n->id] != 1)
			continue;
		isel_op2(c, isel_mask_op(c, i->op == IR_and ? amd_s_andn2_b32 : amd_s_orn2_b32), d, isel_mask_use(c, i->args[1 - k]),
		         isel_mask_use(c, n->args[0]));
		return;
	}
	isel_op2(c, isel_mask_op(c, ops[i->op]), d, x, isel_mask_use(c, i->args[1]));
}

/* --- 64 bits in halves --- */

static bool add64(struct isel *c, struct ir_inst *i, uint32_t d)
{
	bool add = i->op == IR_add, vector = c->loc[i->id] == ISEL_LOC_VGPR;
	struct amd_operand part[2], x[2], y[2];
	if (i->width != 64)
		return false;
	for (uint32_t k = 0; k < 2; k++) {
		x[k] = isel_dword(c, i->args[0], k);
		y[k] = isel_dword(c, i->args[1], k);
	}
	if (!vector) {
		for (uint32_t k = 0; k < 2; k++)
			x[k] = isel_to_sgpr(c, x[k]), y[k] = isel_to_sgpr(c, y[k]);
		uint32_t lo = isel_new_s(c, 1), hi = isel_new_s(c, 1);
		/* Literals first, so that nothing comes between the two. */
		isel_op2(c, add ? amd_s_add_u32 : amd_s_sub_u32, lo, x[0], y[0]);
		struct amd_inst *h = isel_emit(c, add ? amd_s_addc_u32 : amd_s_subb_u32, 2, 3);
		h->defs[0] = amd_def_temp(c->f, hi);
		h->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
		h->ops[0] = x[1], h->ops[1] = y[1];
		h->ops[2] = amd_use_reg(AMD_SCC, AMD_S(1));
		part[0] = isel_t(c, lo), part[1] = isel_t(c, hi);
	} else {
		uint32_t lo = isel_new_v(c, 1), hi = isel_new_v(c, 1), carry = isel_new_mask(c);
		struct amd_inst *l = isel_emit(c, add ? amd_v_add_co_u32 : amd_v_sub_co_u32, 2, 2);
		l->defs[0] = amd_def_temp(c->f, lo);
		l->defs[1] = amd_def_temp(c->f, carry);
		l->ops[0] = x[0], l->ops[1] = y[0];
		isel_legalize_valu(c, l);
		struct amd_inst *h = isel_emit(c, add ? amd_v_add_co_ci_u32 : amd_v_sub_co_ci_u32, 2, 3);
		h->defs[0] = amd_def_temp(c->f, hi);
		h->defs[1] = amd_def_temp(c->f, isel_new_mask(c));
		h->ops[0] = x[1], h->ops[1] = y[1];
		h->ops[2] = isel_t(c, carry);
		isel_legalize_valu(c, h);
		part[0] = isel_t(c, lo), part[1] = isel_t(c, hi);
	}
	isel_create_vector(c, d, part, 2);
	return true;
}

static bool vector_sum(struct isel *c, struct ir_inst *i, uint32_t d)
{
	return isel_mad(c, i, d) || add64(c, i, d);
}

/* (x << n) | (y >> 64 - n) in VGPRs, which rotates where x is y: each dword of two neighbours. */
static bool funnel64(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct ir_inst *l = i->args[0]->op == IR_shl ? i->args[0] : i->args[1], *r = i->args[0] == l ? i->args[1] : i->args[0];
	if (i->op != IR_or || i->width != 64 || l->op != IR_shl || r->op != IR_shr || !ir_is_const(l->args[1]) || !ir_is_const(r->args[1]) ||
	    c->nuses[l->id] != 1 || c->nuses[r->id] != 1)
		return false;
	uint32_t n = (uint32_t)l->args[1]->imm & 63;
	if (!n || n % 32 == 0 || ((uint32_t)r->args[1]->imm & 63) != 64 - n)
		return false;
	/* the dwords from which the result is taken, n modulo 32 below the top */
	struct amd_operand x0 = isel_dword(c, l->args[0], 0), y1 = isel_dword(c, r->args[0], 1), part[2];
	struct amd_operand far = n < 32 ? isel_dword(c, l->args[0], 1) : isel_dword(c, r->args[0], 0), by = amd_use_const(32 - n % 32);
	for (uint32_t k = 0; k < 2; k++) {
		uint32_t t = isel_new_v(c, 1);
		/* n < 32: {x0, y1}, {x1, x0}; else {y1, y0}, {x0, y1} */
		struct amd_operand hi = n < 32 ? (k ? far : x0) : (k ? x0 : y1), lo = n < 32 ? (k ? x0 : y1) : (k ? y1 : far);
		isel_op3(c, amd_v_alignbit_b32, t, hi, lo, by);
		part[k] = isel_t(c, t);
	}
	isel_create_vector(c, d, part, 2);
	return true;
}

/* Would a scalar register pair have to be put together by copies: of a constant that is no operand, or of one dword twice? */
static bool pair_is_dear(const struct ir_inst *x)
{
	return (ir_is_const(x) && !isel_is_inline(x->imm, 64)) || (x->op == IR_pack && x->nargs == 2 && x->args[0] == x->args[1]);
}

/* Each dword by itself: logic of 64 bits in VGPRs or where that saves copies, of more anywhere. */
static bool logic_wide(struct isel *c, struct ir_inst *i, uint32_t d)
{
	static const uint16_t ops[IR_OP_COUNT][2] = {[IR_and] = {amd_s_and_b32, amd_v_and_b32}, [IR_or] = {amd_s_or_b32, amd_v_or_b32},
		[IR_xor] = {amd_s_xor_b32, amd_v_xor_b32}, [IR_not] = {amd_s_not_b32, amd_v_not_b32}};
	bool vector = c->loc[i->id] == ISEL_LOC_VGPR, dear = false;
	struct amd_operand part[8];
	uint32_t n = isel_dwords(c, i);
	for (uint32_t k = 0; k < i->nargs; k++)
		dear |= pair_is_dear(i->args[k]);
	if (n == 1 || (n == 2 && !vector && !dear))
		return false;
	for (uint32_t k = 0; k < n; k++) {
		struct amd_operand x = isel_dword(c, i->args[0], k), y = i->op == IR_not ? x : isel_dword(c, i->args[1], k);
		if (!vector)
			x = isel_to_sgpr(c, x), y = isel_to_sgpr(c, y);
		bool constant = i->op != IR_not && y.kind == AMD_OPND_CONST, zero = constant && !y.value, ones = constant && (uint32_t)y.value == ~0u;
		if (i->op == IR_and ? ones : zero) {
			part[k] = x;
			continue;
		}
		if (i->op == IR_and && zero) {
			part[k] = y;
			continue;
		}
		uint32_t t = vector ? isel_new_v(c, 1) : isel_new_s(c, 1);
		if (i->op == IR_not)
			isel_op1(c, ops[IR_not][vector], t, x);
		else
			isel_op2(c, ops[i->op][vector], t, x, y);
		part[k] = isel_t(c, t);
	}
	isel_create_vector(c, d, part, n);
	return true;
}

/* x & ~y, x | ~y where the negation is not wanted by itself. */
static bool and_not(struct isel *c, struct ir_inst *i, uint32_t d)
{
	for (uint32_t k = 0; k < 2 && (i->op == IR_and || i->op == IR_or) && i->width == 32; k++) {
		struct ir_inst *n = i->args[k];
		if (n->op != IR_not || c->nuses[n->id] != 1)
			continue;
		struct amd_operand x = isel_use(c, i->args[1 - k]), y = isel_use(c, n->args[0]);
		isel_op3(c, amd_v_bfi_b32, d, y, i->op == IR_and ? amd_use_const(0) : x, i->op == IR_and ? x : amd_use_const(~0u));
		return true;
	}
	return false;
}

static bool vector_logic(struct isel *c, struct ir_inst *i, uint32_t d)
{
	return funnel64(c, i, d) || and_not(c, i, d) || logic_wide(c, i, d);
}

/* --- bits --- */

/* clz, ctz: the hardware gives -1 for zero, PTX the width. */
static bool count_zeros(struct isel *c, struct ir_inst *i, uint32_t d)
{
	uint32_t width = i->args[0]->width;
	bool vector = c->loc[i->id] == ISEL_LOC_VGPR, lead = i->op == IR_clz;
	if (!vector) {
		struct amd_operand x = isel_scalar(c, i->args[0]);
		uint32_t t = isel_new_s(c, 1);
		enum amd_op op = width == 64 ? (lead ? amd_s_flbit_i32_b64 : amd_s_ff1_i32_b64) : (lead ? amd_s_flbit_i32_b32 : amd_s_ff1_i32_b32);
		isel_op1(c, op, t, x);
		isel_op2(c, amd_s_min_u32, d, isel_t(c, t), amd_use_const(width));
		return true;
	}
	enum amd_op op = lead ? amd_v_ffbh_u32 : amd_v_ffbl_b32;
	uint32_t t = isel_new_v(c, 1);
	isel_op1(c, op, t, isel_dword(c, i->args[0], lead && width == 64));
	if (width == 64) { /* -1 stays -1 */
		uint32_t rest = isel_new_v(c, 1), far = isel_new_v(c, 1), least = isel_new_v(c, 1);
		isel_op1(c, op, rest, isel_dword(c, i->args[0], !lead));
		isel_op2(c, amd_v_or_b32, far, amd_use_const(32), isel_t(c, rest));
		isel_op2(c, amd_v_min_u32, least, isel_t(c, t), isel_t(c, far));
		t = least;
	}
	isel_op2(c, amd_v_min_u32, d, amd_use_const(width), isel_t(c, t));
	return true;
}

static bool popcount(struct isel *c, struct ir_inst *i, uint32_t d)
{
	uint32_t n = isel_dwords(c, i->args[0]);
	struct amd_operand sum = amd_use_const(0);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t t = k + 1 == n ? d : isel_new_v(c, 1);
		isel_op2(c, amd_v_bcnt_u32_b32, t, isel_dword(c, i->args[0], k), sum);
		sum = isel_t(c, t);
	}
	return true;
}

static bool brev64(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand part[2];
	if (i->width != 64)
		return false;
	for (uint32_t k = 0; k < 2; k++) {
		uint32_t t = isel_new_v(c, 1);
		isel_op1(c, amd_v_bfrev_b32, t, isel_dword(c, i->args[0], 1 - k));
		part[k] = isel_t(c, t);
	}
	isel_create_vector(c, d, part, 2);
	return true;
}

static bool scalar_bfe(struct isel *c, struct ir_inst *i, uint32_t d)
{
	uint32_t field = ((uint32_t)i->args[1]->imm & 31) | ((uint32_t)i->args[2]->imm & 31) << 16;
	isel_op2(c, i->op == IR_ubfe ? amd_s_bfe_u32 : amd_s_bfe_i32, d, isel_scalar(c, i->args[0]), amd_use_const(field));
	return true;
}

static bool scalar_bitsel(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand m = isel_scalar(c, i->args[0]), x = isel_scalar(c, i->args[1]), y = isel_scalar(c, i->args[2]);
	uint32_t a = isel_new_s(c, 1), b = isel_new_s(c, 1);
	isel_op2(c, amd_s_and_b32, a, m, x);
	isel_op2(c, amd_s_andn2_b32, b, y, m);
	isel_op2(c, amd_s_or_b32, d, isel_t(c, a), isel_t(c, b));
	return true;
}

static bool scalar_fshr(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand part[2] = {isel_scalar(c, i->args[0]), isel_scalar(c, i->args[1])}, n = isel_scalar(c, i->args[2]);
	uint32_t pair = isel_new_s(c, 2), shifted = isel_new_s(c, 2), amount = isel_new_s(c, 1);
	isel_create_vector(c, pair, part, 2);
	if (ir_is_const(i->args[2])) {
		n = amd_use_const((uint32_t)i->args[2]->imm & 31);
	} else {
		isel_op2(c, amd_s_and_b32, amount, n, amd_use_const(31));
		n = isel_t(c, amount);
	}
	isel_op2(c, amd_s_lshr_b64, shifted, isel_t(c, pair), n);
	isel_copy(c, d, isel_piece(c, isel_t(c, shifted), 0));
	return true;
}

/* v_alignbit_b32 takes the high word first, the amount last. */
static bool vector_fshr(struct isel *c, struct ir_inst *i, uint32_t d)
{
	isel_op3(c, amd_v_alignbit_b32, d, isel_use(c, i->args[1]), isel_use(c, i->args[0]), isel_use(c, i->args[2]));
	return true;
}

static bool scalar_sad(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand x = isel_scalar(c, i->args[0]), y = isel_scalar(c, i->args[1]), z = isel_scalar(c, i->args[2]);
	uint32_t hi = isel_new_s(c, 1), lo = isel_new_s(c, 1), diff = isel_new_s(c, 1);
	isel_op2(c, amd_s_max_u32, hi, x, y);
	isel_op2(c, amd_s_min_u32, lo, x, y);
	if (ir_is_const(i->args[2]) && !i->args[2]->imm) {
		isel_op2(c, amd_s_sub_u32, d, isel_t(c, hi), isel_t(c, lo));
		return true;
	}
	isel_op2(c, amd_s_sub_u32, diff, isel_t(c, hi), isel_t(c, lo));
	isel_op2(c, amd_s_add_u32, d, isel_t(c, diff), z);
	return true;
}

static bool vector_iabs(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand x = isel_use(c, i->args[0]);
	uint32_t neg = isel_new_v(c, 1);
	isel_op2(c, amd_v_sub_nc_u32, neg, amd_use_const(0), x);
	isel_op2(c, i->width == 16 ? amd_v_max_i16 : amd_v_max_i32, d, x, isel_t(c, neg));
	return true;
}

/* Signed bytes: gfx10.3 has i8 x i8; gfx11 chooses signedness by operand. gfx10.1 has none, of unsigned bytes neither. */
static bool dot4(struct isel *c, struct ir_inst *i, uint32_t d)
{
	bool sa = i->op != IR_dot4uu, sb = i->op == IR_dot4ss;
	if (!sa && c->t->has_dot)
		return false;
	if (c->t->gen >= 11) {
		struct amd_inst *m = isel_op3(c, amd_v_dot4_i32_iu8, d, isel_use(c, i->args[0]), isel_use(c, i->args[1]), isel_use(c, i->args[2]));
		m->neg_lo = i->op == IR_dot4ss ? 3 : 1;
		return true;
	}
	if (i->op == IR_dot4ss && c->t->has_dot) {
		isel_op3(c, amd_v_dot4_i32_i8, d, isel_use(c, i->args[0]), isel_use(c, i->args[1]), isel_use(c, i->args[2]));
		return true;
	}
	struct amd_operand a = isel_use(c, i->args[0]), b = isel_use(c, i->args[1]), sum = isel_use(c, i->args[2]);
	if (i->op == IR_dot4su && c->t->has_dot) { /* b = (b - 128) + 64 + 64, each signed */
		uint32_t low = isel_new_v(c, 1), t[2] = {isel_new_v(c, 1), isel_new_v(c, 1)};
		isel_op2(c, amd_v_xor_b32, low, amd_use_const(0x80808080), b);
		isel_op3(c, amd_v_dot4_i32_i8, t[0], a, isel_t(c, low), sum);
		isel_op3(c, amd_v_dot4_i32_i8, t[1], a, amd_use_const(0x40404040), isel_t(c, t[0]));
		isel_op3(c, amd_v_dot4_i32_i8, d, a, amd_use_const(0x40404040), isel_t(c, t[1]));
		return true;
	}
	for (uint32_t k = 0; k < 4; k++) {
		uint32_t x = isel_new_v(c, 1), y = isel_new_v(c, 1), s = k == 3 ? d : isel_new_v(c, 1);
		isel_op3(c, sa ? amd_v_bfe_i32 : amd_v_bfe_u32, x, a, amd_use_const(8 * k), amd_use_const(8));
		isel_op3(c, sb ? amd_v_bfe_i32 : amd_v_bfe_u32, y, b, amd_use_const(8 * k), amd_use_const(8));
		isel_op3(c, amd_v_mad_i32_i24, s, isel_t(c, x), isel_t(c, y), sum);
		sum = isel_t(c, s);
	}
	return true;
}

/* gfx10.3 has products of half-words: v_perm_b32 extends the bytes, from {b, b << 8} where they are signed. */
static bool dp2a(struct isel *c, struct ir_inst *i, uint32_t d)
{
	bool sign = i->op == IR_dp2ass || i->op == IR_dp2ahiss, high = i->op == IR_dp2ahiuu || i->op == IR_dp2ahiss;
	struct amd_operand a = isel_use(c, i->args[0]), b = isel_use(c, i->args[1]), sum = isel_use(c, i->args[2]);
	if (c->t->gen == 10 && c->t->has_dot && a.kind != AMD_OPND_CONST) {
		uint32_t up = isel_new_v(c, 1), bytes = isel_new_v(c, 1);
		uint32_t sel = sign ? (high ? 0x0b070906 : 0x0a050804) : (high ? 0x0c070c06 : 0x0c050c04);
		if (sign)
			isel_op2(c, amd_v_lshlrev_b32, up, amd_use_const(8), b);
		isel_op3(c, amd_v_perm_b32, bytes, b, sign ? isel_t(c, up) : b, amd_use_const(sel));
		isel_op3(c, sign ? amd_v_dot2_i32_i16 : amd_v_dot2_u32_u16, d, a, isel_t(c, bytes), sum);
		return true;
	}
	for (uint32_t k = 0; k < 2; k++) {
		uint32_t x = isel_new_v(c, 1), y = isel_new_v(c, 1), s = k ? d : isel_new_v(c, 1);
		isel_op3(c, sign ? amd_v_bfe_i32 : amd_v_bfe_u32, x, a, amd_use_const(16 * k), amd_use_const(16));
		isel_op3(c, sign ? amd_v_bfe_i32 : amd_v_bfe_u32, y, b, amd_use_const((high ? 16 : 0) + 8 * k), amd_use_const(8));
		isel_op3(c, amd_v_mad_i32_i24, s, isel_t(c, x), isel_t(c, y), sum);
		sum = isel_t(c, s);
	}
	return true;
}

/* --- carries --- */

static bool is_carry(uint32_t op)
{
	return op == IR_uaddc || op == IR_usubb || op == IR_addcc || op == IR_subbb;
}

static uint32_t sum_of(uint32_t carry)
{
	return carry == IR_uaddc ? IR_add : carry == IR_usubb ? IR_sub : carry == IR_addcc ? IR_addc : IR_subb;
}

static bool same_args(const struct ir_inst *x, const struct ir_inst *y)
{
	if (x->nargs != y->nargs)
		return false;
	bool same = true, swapped = x->op != IR_usubb && x->op != IR_subbb;
	for (uint32_t k = 0; k < x->nargs; k++)
		same &= x->args[k] == y->args[k];
	swapped &= x->args[0] == y->args[1] && x->args[1] == y->args[0] && (x->nargs < 3 || x->args[2] == y->args[2]);
	return same || swapped;
}

/* A carry and the sum that it belongs to come from one instruction, if they stand near each other. */
void isel_find_pairs(struct isel *c)
{
	enum { WINDOW = 16 };
	ir_each_block(b, c->ir)
		ir_each_inst(i, b) {
			for (struct ir_inst *p = i->prev; i->op == IR_umadhi && p && !c->pair[i->id]; p = p->prev)
				if (!c->pair[p->id] && isel_sum_of_umadhi(c, i, p)) {
					c->pair[i->id] = p;
					c->pair[p->id] = i;
				}
			if (!is_carry(i->op) || i->args[0]->width != 32)
				continue;
			struct ir_inst *before = i->prev, *after = i->next;
			for (int k = 0; k < WINDOW && !c->pair[i->id]; k++) {
				struct ir_inst *near[2] = {before, after};
				for (int s = 0; s < 2; s++) {
					struct ir_inst *p = near[s];
					if (!p || p->op != sum_of(i->op) || p->width != 32 || c->pair[p->id] || !same_args(i, p))
						continue;
					c->pair[i->id] = p;
					c->pair[p->id] = i;
					c->loc[p->id] = ISEL_LOC_VGPR;
					break;
				}
				before = before ? before->prev : NULL;
				after = after ? after->next : NULL;
			}
		}
}

static void carry_op(struct isel *c, struct ir_inst *i)
{
	struct ir_inst *p = c->pair[i->id];
	/* The later of a pair leaves the work to the earlier, where the operands are there and the users are not yet. */
	if (p && !c->paired[i->id]) {
		bool p_is_earlier = false;
		for (struct ir_inst *k = i->prev; k && !p_is_earlier; k = k->prev)
			p_is_earlier = k == p;
		if (p_is_earlier && c->temp[p->id]) {
			c->paired[p->id] = true;
			return;
		}
		if (p_is_earlier) { /* its users stand between the two: each for itself */
			c->pair[p->id] = c->pair[i->id] = NULL;
			p = NULL;
		}
	}
	bool is_sum = !is_carry(i->op);
	struct ir_inst *sum = is_sum ? i : p, *carry = is_sum ? p : i;
	uint32_t op = carry ? carry->op : i->op == IR_addc ? IR_addcc : i->op == IR_subb ? IR_subbb : i->op == IR_add ? IR_uaddc : IR_usubb;
	bool add = op == IR_uaddc || op == IR_addcc, with_in = op == IR_addcc || op == IR_subbb;
	uint32_t ds = sum && c->temp[sum->id] ? c->temp[sum->id] : isel_new_v(c, 1);
	uint32_t dc = carry && c->temp[carry->id] ? c->temp[carry->id] : isel_new_mask(c);
	struct amd_operand x = isel_use(c, i->args[0]), y = isel_use(c, i->args[1]);
	struct amd_operand in = with_in ? isel_mask_use(c, i->args[2]) : x;
	if (with_in && in.kind == AMD_OPND_CONST) {
		uint32_t m = isel_new_mask(c);
		isel_copy(c, m, in);
		in = isel_t(c, m);
	}
	enum amd_op mop = with_in ? (add ? amd_v_add_co_ci_u32 : amd_v_sub_co_ci_u32) : (add ? amd_v_add_co_u32 : amd_v_sub_co_u32);
	struct amd_inst *m = isel_emit(c, mop, 2, 2 + with_in);
	m->defs[0] = amd_def_temp(c->f, ds);
	m->defs[1] = amd_def_temp(c->f, dc);
	m->ops[0] = x;
	m->ops[1] = y;
	if (with_in)
		m->ops[2] = in;
	isel_legalize_valu(c, m);
}

/* --- all of it --- */

/* Operand k for the 32-bit scalar instruction that does i in 16 bits. */
static struct amd_operand scalar16(struct isel *c, struct ir_inst *i, uint32_t k)
{
	bool sign = i->op == IR_smin || i->op == IR_smax || i->op == IR_iabs || i->op == IR_sar;
	if (i->op == IR_sar && k == 1) {
		struct amd_operand o = isel_scalar(c, i->args[k]);
		if (o.kind == AMD_OPND_CONST)
			return amd_use_const(o.value & 15);
		uint32_t t = isel_new_s(c, 1);
		isel_op2(c, amd_s_and_b32, t, o, amd_use_const(15));
		return isel_t(c, t);
	}
	return sign || i->op == IR_umin || i->op == IR_umax ? isel_scalar_extended(c, i->args[k], sign) : isel_scalar(c, i->args[k]);
}

static bool is_saturating(uint32_t op)
{
	return op == IR_saddsat || op == IR_ssubsat || (op >= IR_pksaddsat && op <= IR_pkusubsat);
}

static bool is_packed(uint32_t op)
{
	return amd_op_info[op].enc == AMD_ENC_VOP3P && op != amd_v_dot4_u32_u8;
}

static void one_instruction(struct isel *c, struct ir_inst *i, uint32_t d)
{
	bool vector = c->loc[i->id] == ISEL_LOC_VGPR;
	const struct int_row *r = find_row(i, !vector);
	if (!r)
		isel_ice(c, i, "no instruction for this width");
	struct amd_operand o[3];
	for (uint32_t k = 0; k < i->nargs; k++)
		o[k] = vector ? isel_use(c, i->args[k]) : i->width == 16 ? scalar16(c, i, k) : isel_scalar(c, i->args[k]);
	if (vector && i->op == IR_sar && i->width == 16 && o[1].kind == AMD_OPND_CONST)
		o[1].value &= 15;
	if (vector && r->order == BA) {
		struct amd_operand t = o[0];
		o[0] = o[1];
		o[1] = t;
	}
	enum amd_op op = vector ? r->valu : r->salu;
	for (uint32_t k = 0; k < i->nargs && is_packed(op); k++)
		if (o[k].kind == AMD_OPND_CONST && o[k].value) { /* which halves an inline constant fills depends on the constant */
			uint32_t t = isel_new_s(c, 1);
			isel_copy(c, t, o[k]);
			o[k] = isel_t(c, t);
		}
	struct amd_inst *m = i->nargs == 1 ? isel_op1(c, op, d, o[0]) : i->nargs == 2 ? isel_op2(c, op, d, o[0], o[1]) :
		isel_op3(c, op, d, o[0], o[1], o[2]);
	m->clamp = is_saturating(i->op);
	if (is_packed(op))
		m->opsel_hi = (uint8_t)((1u << i->nargs) - 1);
}

/* Answers false where one instruction does it. */
typedef bool special(struct isel *c, struct ir_inst *i, uint32_t d);

static special *const specials[IR_OP_COUNT][2] = {
#define ISEL_INT_BY(op, scalar, vector) [IR_##op] = {scalar, vector},
#include "isel/isel_int.def"
};

void isel_int(struct isel *c, struct ir_inst *i)
{
	if (i->op == IR_umadhi || (c->pair[i->id] && c->pair[i->id]->op == IR_umadhi && c->paired[i->id])) {
		isel_mad_carry(c, i);
		return;
	}
	if (c->pair[i->id] && c->pair[i->id]->op == IR_umadhi)
		c->pair[i->id] = NULL; /* the carry is not wanted, or came without it */
	if (is_carry(i->op) || i->op == IR_addc || i->op == IR_subb || c->pair[i->id]) {
		carry_op(c, i);
		return;
	}
	uint32_t d = c->temp[i->id];
	special *by = specials[i->op][c->loc[i->id] == ISEL_LOC_VGPR];
	if (i->width == 1)
		predicate_logic(c, i, d);
	else if (!by || !by(c, i, d))
		one_instruction(c, i, d);
}
