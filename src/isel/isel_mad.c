/* Products, and products plus sums: v_mad_u64_u32 and its like. */
#include "ir/ir_legal.h"
#include "isel/isel_internal.h"

/* carry: the mask of the lanes where the sum does not fit */
static void emit_mad64(struct isel *c, bool is_signed, uint32_t d, uint32_t carry, struct amd_operand x, struct amd_operand y, struct amd_operand z)
{
	struct amd_inst *m = isel_emit(c, is_signed ? amd_v_mad_i64_i32 : amd_v_mad_u64_u32, 2, 3);
	m->defs[0] = amd_def_temp(c->f, d);
	m->defs[1] = amd_def_temp(c->f, carry);
	m->ops[0] = x;
	m->ops[1] = y;
	m->ops[2] = z;
	isel_legalize_valu(c, m);
	for (uint32_t k = 0; k < 3; k++)
		m->ops[k].late_kill = c->t->gen >= 11; /* the destination must not overlap a source */
}

static bool factors24(const struct ir_inst *p, bool *is_signed)
{
	const struct ir_inst *x = p->args[0], *y = p->args[1];
	*is_signed = (ir_possible_bits(x) | ir_possible_bits(y)) >> 24;
	return !*is_signed || (ir_signed_bits(x) <= 24 && ir_signed_bits(y) <= 24);
}

/* --- 32 bits --- */

/* A product of factors of 24 bits in VGPRs: full rate. */
bool isel_mul24(struct isel *c, struct ir_inst *i, uint32_t d)
{
	bool is_signed;
	if (i->width != 32 || !factors24(i, &is_signed))
		return false;
	isel_op2(c, is_signed ? amd_v_mul_i32_i24 : amd_v_mul_u32_u24, d, isel_use(c, i->args[0]), isel_use(c, i->args[1]));
	return true;
}

static bool is_word(const struct isel *c, const struct ir_inst *v, enum ir_op op)
{
	return v->op == op && v->width == 32 && c->nuses[v->id] == 1 && c->loc[v->id] == ISEL_LOC_VGPR;
}

static bool is_literal(const struct ir_inst *v)
{
	return ir_is_const(v) && !isel_is_inline(v->imm, 32);
}

/* Which operand of a sum, or of a difference that subtracts it, is a product that no faster instruction computes; -1: none. */
static int product_of(const struct isel *c, const struct ir_inst *i)
{
	if ((i->op != IR_add && i->op != IR_sub) || i->width != 32 || c->loc[i->id] != ISEL_LOC_VGPR)
		return -1;
	for (int k = i->op == IR_sub; k < 2; k++) {
		const struct ir_inst *p = i->args[k], *z = i->args[1 - k];
		bool is_signed, literal = is_word(c, p, IR_mul) && (is_literal(p->args[0]) || is_literal(p->args[1]));
		if (!is_word(c, p, IR_mul) || factors24(p, &is_signed) || (i->op == IR_sub && !ir_is_const(p->args[1])) ||
		    (ir_is_const(z) ? is_literal(z) && literal : c->loc[z->id] != ISEL_LOC_VGPR))
			continue;
		return k;
	}
	return -1;
}

/* Does amd_combine make v and a sum of it one instruction? */
static bool joins_sum(const struct isel *c, const struct ir_inst *v, const struct ir_inst *sum)
{
	bool is_signed;
	if (v->block != sum->block)
		return false;
	return (is_word(c, v, IR_add) && product_of(c, v) < 0) || is_word(c, v, IR_xor) || (is_word(c, v, IR_shl) && ir_is_const(v->args[1])) ||
	       (is_word(c, v, IR_mul) && factors24(v, &is_signed));
}

/* The upper half of a product of 64 bits and what belongs there: does not wait for the one before the other. */
static bool is_upper_half(const struct isel *c, const struct ir_inst *i)
{
	for (uint32_t k = 0; k < 2; k++)
		if (i->op == IR_add && i->args[k]->op == IR_unpack && i->args[k]->args[0]->op == IR_umulwide)
			return is_word(c, i, IR_add);
	return false;
}

static void note_sum(struct isel *c, const struct ir_inst *i)
{
	int product = product_of(c, i);
	for (uint32_t k = 0; k < i->nargs; k++) {
		const struct ir_inst *x = i->args[k], *other = i->nargs == 2 ? i->args[1 - k] : NULL;
		bool shifted = i->op == IR_shl && !k && ir_is_const(other), added = i->op == IR_add && product < 0 && !joins_sum(c, other, i);
		if (is_word(c, x, IR_add) && x->block == i->block && (shifted || added))
			c->no_mad[x->id] = true;
		if (i->op == IR_phi && c->t->gen >= 11)
			c->no_mad[x->id] = true;
	}
	if (product >= 0 && is_upper_half(c, i->args[1 - product]))
		c->no_mad[i->id] = c->no_mad[i->args[1 - product]->id] = true;
	if (product >= 0 && joins_sum(c, i->args[1 - product], i))
		c->no_mad[i->id] = true;
}

/* Sums that are better off without: another instruction takes in the sum, or it goes round a loop, where the destination, which must
 * not overlap a source, would need a copy. */
void isel_find_mads(struct isel *c)
{
	ir_each_block(b, c->ir)
		ir_each_inst(i, b)
			if (i->op == IR_phi || (i->width == 32 && (i->op == IR_add || i->op == IR_sub || i->op == IR_shl)))
				note_sum(c, i);
}

/* x * y + z is the low half of a sum of 64 bits, whatever the high half of z. */
static bool mad32(struct isel *c, struct ir_inst *i, uint32_t d)
{
	int k = c->no_mad[i->id] ? -1 : product_of(c, i);
	if (k < 0)
		return false;
	struct ir_inst *p = i->args[k];
	struct amd_operand x = isel_use(c, p->args[0]), y = isel_use(c, p->args[1]), z = isel_use(c, i->args[1 - k]);
	if (i->op == IR_sub)
		y = amd_use_const(-(uint32_t)y.value);
	if (z.kind == AMD_OPND_CONST) {
		z.rc = AMD_S(2);
		z.value = (uint64_t)(int32_t)z.value;
	} else {
		z.low = true;
	}
	uint32_t sum = isel_new_v(c, 2);
	emit_mad64(c, false, sum, isel_new_mask(c), x, y, z);
	isel_copy(c, d, isel_piece(c, isel_t(c, sum), 0));
	return true;
}

/* --- the product is wider than its factors --- */

/* Of 16 bits, and a sum of 32. */
static void mulwide16(struct isel *c, struct ir_inst *i, uint32_t d, struct amd_operand sum)
{
	bool s = i->op == IR_smulwide;
	if (c->loc[i->id] == ISEL_LOC_VGPR)
		isel_op3(c, s ? amd_v_mad_i32_i16 : amd_v_mad_u32_u16, d, isel_use(c, i->args[0]), isel_use(c, i->args[1]), sum);
	else
		isel_op2(c, amd_s_mul_i32, d, isel_scalar_extended(c, i->args[0], s), isel_scalar_extended(c, i->args[1], s));
}

bool isel_mulwide(struct isel *c, struct ir_inst *i, uint32_t d)
{
	bool s = i->op == IR_smulwide;
	if (i->width == 32) {
		mulwide16(c, i, d, amd_use_const(0));
		return true;
	}
	if (c->loc[i->id] == ISEL_LOC_SGPR) {
		struct amd_operand x = isel_scalar(c, i->args[0]), y = isel_scalar(c, i->args[1]), part[2];
		uint32_t lo = isel_new_s(c, 1), hi = isel_new_s(c, 1);
		isel_op2(c, amd_s_mul_i32, lo, x, y);
		isel_op2(c, s ? amd_s_mul_hi_i32 : amd_s_mul_hi_u32, hi, x, y);
		part[0] = isel_t(c, lo), part[1] = isel_t(c, hi);
		isel_create_vector(c, d, part, 2);
		return true;
	}
	struct amd_operand zero = amd_use_const(0);
	zero.rc = AMD_S(2);
	emit_mad64(c, s, d, isel_new_mask(c), isel_use(c, i->args[0]), isel_use(c, i->args[1]), zero);
	return true;
}

/* base + x * y with a product of 64 bits, or of 16-bit factors, when only this sum wants it. */
static bool mad_wide(struct isel *c, struct ir_inst *i, uint32_t d)
{
	if (i->op != IR_add || i->width < 32)
		return false;
	for (uint32_t k = 0; k < 2; k++) {
		struct ir_inst *p = i->args[k];
		if ((p->op != IR_umulwide && p->op != IR_smulwide) || c->nuses[p->id] != 1 || c->loc[p->id] != ISEL_LOC_VGPR)
			continue;
		if (i->width == 32)
			mulwide16(c, p, d, isel_use(c, i->args[1 - k]));
		else
			emit_mad64(c, p->op == IR_smulwide, d, isel_new_mask(c), isel_use(c, p->args[0]), isel_use(c, p->args[1]), isel_use(c, i->args[1 - k]));
		return true;
	}
	return false;
}

bool isel_mad(struct isel *c, struct ir_inst *i, uint32_t d)
{
	return mad_wide(c, i, d) || mad32(c, i, d);
}

/* Is `sum` x * y + z for umadhi(x, y, z), and nobody wants the product by itself? */
bool isel_sum_of_umadhi(const struct isel *c, const struct ir_inst *i, const struct ir_inst *sum)
{
	for (uint32_t k = 0; k < 2 && sum->op == IR_add && sum->width == 64; k++) {
		const struct ir_inst *p = sum->args[k];
		if (p->op == IR_umulwide && p->width == 64 && c->nuses[p->id] == 1 && sum->args[1 - k] == i->args[2] &&
		    ((p->args[0] == i->args[0] && p->args[1] == i->args[1]) || (p->args[0] == i->args[1] && p->args[1] == i->args[0])))
			return c->loc[sum->id] == c->loc[i->id];
	}
	return false;
}

bool isel_is_carry_test(const struct isel *c, const struct ir_inst *i)
{
	const struct ir_inst *x = i->args[0], *y = i->args[1];
	return i->op == IR_icmp && i->cond == IRC_NE && x->op == IR_umadhi && x->block == i->block && c->nuses[x->id] == 1 &&
	       c->loc[x->id] == ISEL_LOC_VGPR && ir_is_const(y) && !y->imm;
}

static void scalar_mad_carry(struct isel *c, struct ir_inst *i, uint32_t sum, uint32_t d)
{
	struct amd_operand x = isel_scalar(c, i->args[0]), y = isel_scalar(c, i->args[1]), z[2], part[2];
	uint32_t lo = isel_new_s(c, 1), hi = isel_new_s(c, 1), t[3] = {isel_new_s(c, 1), isel_new_s(c, 1), d};
	for (uint32_t k = 0; k < 2; k++)
		z[k] = isel_to_sgpr(c, isel_dword(c, i->args[2], k));
	isel_op2(c, amd_s_mul_i32, lo, x, y);
	isel_op2(c, amd_s_mul_hi_u32, hi, x, y);
	isel_op2(c, amd_s_add_u32, t[0], isel_t(c, lo), z[0]);
	for (uint32_t k = 1; k < 3; k++) {
		struct amd_inst *h = isel_emit(c, amd_s_addc_u32, 2, 3);
		h->defs[0] = amd_def_temp(c->f, t[k]);
		h->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
		h->ops[0] = k == 1 ? isel_t(c, hi) : amd_use_const(0);
		h->ops[1] = k == 1 ? z[1] : amd_use_const(0);
		h->ops[2] = amd_use_reg(AMD_SCC, AMD_S(1));
	}
	part[0] = isel_t(c, t[0]), part[1] = isel_t(c, t[1]);
	if (sum)
		isel_create_vector(c, sum, part, 2);
}

/* The carry of x * y + z, together with the sum where somebody wants that. */
void isel_mad_carry(struct isel *c, struct ir_inst *i)
{
	struct ir_inst *sum = c->pair[i->id];
	if (sum && c->temp[sum->id] && !c->paired[i->id] && i->op == IR_umadhi) { /* met first: the sum stands before it */
		c->paired[sum->id] = true;
		return;
	}
	struct ir_inst *hi = i->op == IR_umadhi ? i : sum;
	uint32_t d = c->temp[hi->id], ds = hi == i ? 0 : c->temp[i->id];
	if (c->loc[hi->id] != ISEL_LOC_VGPR) {
		scalar_mad_carry(c, hi, ds, d);
		return;
	}
	bool as_mask = !amd_rc_vector(c->f->temp_rc.data[d]);
	uint32_t carry = as_mask ? d : isel_new_mask(c);
	emit_mad64(c, false, ds ? ds : isel_new_v(c, 2), carry, isel_use(c, hi->args[0]), isel_use(c, hi->args[1]), isel_use(c, hi->args[2]));
	if (!as_mask)
		isel_op3(c, amd_v_cndmask_b32, d, amd_use_const(0), amd_use_const(1), isel_t(c, carry));
}
