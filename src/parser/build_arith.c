/* Integer arithmetic, extended precision, comparison and selection. */
#include "parser/build_matrix.h"

#define TYPE (s->m->types[0])
#define A (opd(B, &s->ops[1], TYPE))
#define B_ (opd(B, &s->ops[2], TYPE))

static bool is_packed(uint32_t type)
{
	return type == PTX_T_u16x2 || type == PTX_T_s16x2;
}

struct ir_inst *halves(struct build *B, struct ir_inst *lo, struct ir_inst *hi)
{
	struct ir_inst *v[] = {lo, hi};
	return ir_pack(&B->c, 32, v, 2);
}

static struct ir_inst *half(struct build *B, struct ir_inst *x, uint32_t k)
{
	return ir_unpack(&B->c, 16, x, k);
}

struct ir_inst *clamp_signed(struct build *B, struct ir_inst *x, int64_t lo, int64_t hi)
{
	return OP2(smin, OP2(smax, x, K(x->width, lo)), K(x->width, hi));
}

/* --- add, sub --- */

struct ir_inst *add_sat_s32(struct build *B, struct ir_inst *x, struct ir_inst *y)
{
	return OP2(saddsat, x, y);
}

typedef struct ir_inst *binary_fn(struct build *B, const struct ptx_stmt *s, bool which, struct ir_inst *x, struct ir_inst *y);

/* d of a and b; which: one of two operations. */
static void binary(struct build *B, const struct ptx_stmt *s, binary_fn *fn, bool which)
{
	def(B, &s->ops[0], fn(B, s, which, A, B_), false);
}

static struct ir_inst *add_or_sub(struct build *B, const struct ptx_stmt *s, bool sub, struct ir_inst *x,
				  struct ir_inst *y)
{
	if (MOD(sat)) /* only of s32 */
		return sub ? OP2(ssubsat, x, y) : OP2(saddsat, x, y);
	if (is_packed(TYPE))
		return sub ? OP2(pksub, x, y) : OP2(pkadd, x, y);
	return sub ? OP2(sub, x, y) : OP2(add, x, y);
}

void arith_add(struct build *B, const struct ptx_stmt *s)
{
	binary(B, s, add_or_sub, false);
}

void arith_sub(struct build *B, const struct ptx_stmt *s)
{
	binary(B, s, add_or_sub, true);
}

/* --- carry chains: CC.CF is a predicate register, the carry out of a + b, or of a + ~b + 1 (as an H200 has it: no borrow) --- */

static void def_carry(struct build *B, const struct ptx_stmt *s, struct ir_inst *d, struct ir_inst *carry)
{
	if (carry)
		reg_set(B, B->carry, carry);
	def(B, &s->ops[0], d, false);
}

/* x + y + in (NULL: 0), or x - y - in, of 64 bits: in words, whose sums and carries are one instruction each. */
static struct ir_inst *sum64(struct build *B, bool add, struct ir_inst *x, struct ir_inst *y, struct ir_inst *in, struct ir_inst **out)
{
	struct ir_inst *part[2];
	for (uint32_t k = 0; k < 2; k++) {
		struct ir_inst *a = ir_unpack(&B->c, 32, x, k), *b = ir_unpack(&B->c, 32, y, k);
		if (!in) {
			part[k] = add ? OP2(add, a, b) : OP2(sub, a, b);
			in = add ? OP2(uaddc, a, b) : OP2(usubb, a, b);
		} else {
			part[k] = add ? OP3(addc, a, b, in) : OP3(subb, a, b, in);
			in = add ? OP3(addcc, a, b, in) : OP3(subbb, a, b, in);
		}
	}
	*out = in;
	return ir_pack(&B->c, 64, part, 2);
}

void arith_add_cc(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_, *out;
	if (x->width == 64) {
		struct ir_inst *d = sum64(B, true, x, y, NULL, &out);
		def_carry(B, s, d, out);
		return;
	}
	def_carry(B, s, OP2(add, x, y), OP2(uaddc, x, y));
}

void arith_sub_cc(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_, *out;
	if (x->width == 64) {
		struct ir_inst *d = sum64(B, false, x, y, NULL, &out);
		def_carry(B, s, d, OP1(not, out));
		return;
	}
	def_carry(B, s, OP2(sub, x, y), OP1(not, OP2(usubb, x, y)));
}

void arith_addc(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_, *c = reg_get(B, B->carry), *out;
	if (x->width == 64) {
		struct ir_inst *d = sum64(B, true, x, y, c, &out);
		def_carry(B, s, d, MOD(cc) ? out : NULL);
		return;
	}
	def_carry(B, s, OP3(addc, x, y, c), MOD(cc) ? OP3(addcc, x, y, c) : NULL);
}

void arith_subc(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_, *borrow = OP1(not, reg_get(B, B->carry)), *out;
	if (x->width == 64) {
		struct ir_inst *d = sum64(B, false, x, y, borrow, &out);
		def_carry(B, s, d, MOD(cc) ? OP1(not, out) : NULL);
		return;
	}
	def_carry(B, s, OP3(subb, x, y, borrow), MOD(cc) ? OP1(not, OP3(subbb, x, y, borrow)) : NULL);
}

static struct ir_inst *product(struct build *B, const struct ptx_stmt *s, struct ir_inst *x, struct ir_inst *y)
{
	if (!has(s, PTX_W_hi))
		return OP2(mul, x, y);
	return type_signed(TYPE) ? OP2(smulhi, x, y) : OP2(umulhi, x, y);
}

void arith_mad_cc(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *p = product(B, s, A, B_), *z = opd(B, &s->ops[3], TYPE);
	def_carry(B, s, OP2(add, p, z), OP2(uaddc, p, z));
}

void arith_madc(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *p = product(B, s, A, B_), *z = opd(B, &s->ops[3], TYPE), *c = reg_get(B, B->carry);
	def_carry(B, s, OP3(addc, p, z, c), MOD(cc) ? OP3(addcc, p, z, c) : NULL);
}

/* 16-bit links: no flag out. */

static struct ir_inst *carry16(struct build *B)
{
	return SEL(reg_get(B, B->carry), K(16, 1), K(16, 0));
}

void arith_addc16(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_;
	def(B, &s->ops[0], OP2(add, OP2(add, x, y), carry16(B)), false);
}

void arith_subc16(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_;
	def(B, &s->ops[0], OP2(add, OP2(add, x, OP1(not, y)), carry16(B)), false);
}

void arith_madc16(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_, *z = opd(B, &s->ops[3], TYPE);
	def(B, &s->ops[0], OP2(add, OP2(add, OP2(mul, x, y), z), carry16(B)), false);
}

/* --- multiply --- */

void arith_mul(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], product(B, s, A, B_), false);
}

static struct ir_inst *wide(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_;
	uint32_t w = 2u * x->width;
	return type_signed(TYPE) ? OPW2(smulwide, w, x, y) : OPW2(umulwide, w, x, y);
}

void arith_mul_wide(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], wide(B, s), false);
}

void arith_mad_wide(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *p = wide(B, s);
	def(B, &s->ops[0], OP2(add, p, opd_width(B, &s->ops[3], p->width)), false);
}

void arith_mad(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *p = product(B, s, A, B_), *z = opd(B, &s->ops[3], TYPE);
	def(B, &s->ops[0], MOD(sat) ? OP2(saddsat, p, z) : OP2(add, p, z), false);
}

/* .hi is bits 16 to 47 of the 48-bit product. */
static struct ir_inst *product24(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_;
	bool sign = type_signed(TYPE);
	struct ir_inst *lo = sign ? OP2(smul24, x, y) : OP2(umul24, x, y);
	if (!has(s, PTX_W_hi))
		return lo;
	return OP3(fshr, lo, sign ? OP2(smul24hi, x, y) : OP2(umul24hi, x, y), K(32, 16));
}

void arith_mul24(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], product24(B, s), false);
}

void arith_mad24(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *p = product24(B, s), *z = opd(B, &s->ops[3], TYPE);
	def(B, &s->ops[0], MOD(sat) ? OP2(saddsat, p, z) : OP2(add, p, z), false);
}

/* --- the rest of the arithmetic --- */

void arith_div(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_;
	def(B, &s->ops[0], type_signed(TYPE) ? OP2(sdiv, x, y) : OP2(udiv, x, y), false);
}

void arith_rem(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_;
	def(B, &s->ops[0], type_signed(TYPE) ? OP2(srem, x, y) : OP2(urem, x, y), false);
}

void arith_sad(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_, *z = opd(B, &s->ops[3], TYPE), *d;
	if (TYPE == PTX_T_u32) {
		d = OP3(sad, x, y, z);
	} else if (x->width == 64) { /* -t is ~t + 1: the one is the carry in */
		struct ir_inst *less = type_signed(TYPE) ? ICMP(SLT, x, y) : ICMP(ULT, x, y), *out, *ones = SEL(less, K(32, -1), K(32, 0)), *part[2];
		struct ir_inst *t = OP2(sub, x, y);
		for (uint32_t k = 0; k < 2; k++)
			part[k] = OP2(xor, ir_unpack(&B->c, 32, t, k), ones);
		d = sum64(B, true, ir_pack(&B->c, 64, part, 2), z, less, &out);
	} else if (type_signed(TYPE)) {
		d = OP2(add, OP2(sub, OP2(smax, x, y), OP2(smin, x, y)), z);
	} else {
		d = OP2(add, OP2(sub, OP2(umax, x, y), OP2(umin, x, y)), z);
	}
	def(B, &s->ops[0], d, false);
}

void arith_abs(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], OP1(iabs, A), false);
}

void arith_neg(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A;
	def(B, &s->ops[0], OP2(sub, K(x->width, 0), x), false);
}

static struct ir_inst *extreme(struct build *B, const struct ptx_stmt *s, bool max, struct ir_inst *x,
			       struct ir_inst *y)
{
	struct ir_inst *d;
	if (TYPE == PTX_T_u16x2)
		return max ? OP2(pkumax, x, y) : OP2(pkumin, x, y);
	if (TYPE == PTX_T_s16x2) {
		d = max ? OP2(pksmax, x, y) : OP2(pksmin, x, y);
		return MOD(relu) ? OP2(pksmax, d, K(32, 0)) : d;
	}
	if (type_signed(TYPE))
		d = max ? OP2(smax, x, y) : OP2(smin, x, y);
	else
		d = max ? OP2(umax, x, y) : OP2(umin, x, y);
	return MOD(relu) ? OP2(smax, d, K(d->width, 0)) : d;
}

void arith_min(struct build *B, const struct ptx_stmt *s)
{
	binary(B, s, extreme, false);
}

void arith_max(struct build *B, const struct ptx_stmt *s)
{
	binary(B, s, extreme, true);
}

/* types[0] is a's, types[1] b's; the accumulator wraps. */
void arith_dp4a(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = opd_width(B, &s->ops[1], 32), *y = opd_width(B, &s->ops[2], 32),
		       *z = opd_width(B, &s->ops[3], 32);
	bool sa = type_signed(s->m->types[0]), sb = type_signed(s->m->types[1]);
	struct ir_inst *d;
	if (sa == sb)
		d = sa ? OP3(dot4ss, x, y, z) : OP3(dot4uu, x, y, z);
	else
		d = sa ? OP3(dot4su, x, y, z) : OP3(dot4su, y, x, z);
	def(B, &s->ops[0], d, false);
}

static struct ir_inst *field(struct build *B, struct ir_inst *x, uint32_t off, uint32_t len, bool sign)
{
	return sign ? OP3(sbfe, x, K(32, off), K(32, len)) : OP3(ubfe, x, K(32, off), K(32, len));
}

void arith_dp2a(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = opd_width(B, &s->ops[1], 32), *y = opd_width(B, &s->ops[2], 32),
		       *d = opd_width(B, &s->ops[3], 32);
	bool sa = type_signed(s->m->types[0]), sb = type_signed(s->m->types[1]);
	bool high = has(s, PTX_W_hi);
	uint32_t first = high ? 16 : 0;
	if (sa && sb)
		d = high ? OP3(dp2ahiss, x, y, d) : OP3(dp2ass, x, y, d);
	else if (!sa && !sb)
		d = high ? OP3(dp2ahiuu, x, y, d) : OP3(dp2auu, x, y, d);
	for (uint32_t k = 0; k < 2 && sa != sb; k++)
		d = OP2(add, d, OP2(mul, field(B, x, 16 * k, 16, sa), field(B, y, first + 8 * k, 8, sb)));
	def(B, &s->ops[0], d, false);
}

/* --- comparison --- */

enum { NO = 0xff };
static const struct {
	uint16_t word;
	uint8_t sign, uns, flt;
} conds[] = {
	{PTX_W_eq, IRC_EQ, IRC_EQ, IRC_FEQ},   {PTX_W_ne, IRC_NE, IRC_NE, IRC_FNE},
	{PTX_W_lt, IRC_SLT, IRC_ULT, IRC_FLT}, {PTX_W_le, IRC_SLE, IRC_ULE, IRC_FLE},
	{PTX_W_gt, IRC_SGT, IRC_UGT, IRC_FGT}, {PTX_W_ge, IRC_SGE, IRC_UGE, IRC_FGE},
	{PTX_W_lo, NO, IRC_ULT, NO},	       {PTX_W_ls, NO, IRC_ULE, NO},
	{PTX_W_hi, NO, IRC_UGT, NO},	       {PTX_W_hs, NO, IRC_UGE, NO},
	{PTX_W_equ, NO, NO, IRC_FEQU},	       {PTX_W_neu, NO, NO, IRC_FNEU},
	{PTX_W_ltu, NO, NO, IRC_FLTU},	       {PTX_W_leu, NO, NO, IRC_FLEU},
	{PTX_W_gtu, NO, NO, IRC_FGTU},	       {PTX_W_geu, NO, NO, IRC_FGEU},
	{PTX_W_num, NO, NO, IRC_NUM},	       {PTX_W_nan, NO, NO, IRC_NAN},
};

struct ir_inst *compare(struct build *B, uint32_t cmp_word, uint32_t type, bool ftz, struct ir_inst *x,
			struct ir_inst *y)
{
	uint32_t k = 0;
	while (conds[k].word != cmp_word)
		k++;
	uint32_t cond = type_float(type) ? conds[k].flt : type_signed(type) ? conds[k].sign : conds[k].uns;
	if (cond == NO) {
		diag_error(B->diags, B->c.line, "Mismatch between instruction type and comparison qualifier");
		return K(1, 0);
	}
	if (type == PTX_T_bf16)
		return fcompare(B, cond, false, OP1(bf16tof32, x), OP1(bf16tof32, y));
	if (type_float(type))
		return fcompare(B, cond, ftz, x, y);
	return ir_cmp(&B->c, IR_icmp, cond, x, y);
}

struct ir_inst *bool_op(struct build *B, uint32_t word, struct ir_inst *x, struct ir_inst *y)
{
	return word == PTX_W_and ? OP2(and, x, y) : word == PTX_W_or ? OP2(or, x, y) : OP2(xor, x, y);
}

static uint32_t element_type(uint32_t packed)
{
	return packed == PTX_T_f16x2 ? PTX_T_f16 : packed == PTX_T_bf16x2 ? PTX_T_bf16 : PTX_T_none;
}

/* One comparison of halves k, or of the whole, and its combination with operand c. */
struct comparison {
	struct ir_inst *x, *y, *c;
	uint32_t type, elem, cmp, bool_word;
	bool ftz;
};

static struct comparison comparison(struct build *B, const struct ptx_stmt *s, uint32_t type)
{
	struct comparison c = {opd(B, &s->ops[1], type),
			       opd(B, &s->ops[2], type),
			       NULL,
			       type,
			       element_type(type),
			       MOD(cmp),
			       MOD(bool),
			       MOD(ftz) != 0};
	if (c.bool_word)
		c.c = pred(B, &s->ops[3]);
	return c;
}

static struct ir_inst *outcome(struct build *B, const struct comparison *c, uint32_t k)
{
	if (c->elem)
		return compare(B, c->cmp, c->elem, c->ftz, half(B, c->x, k), half(B, c->y, k));
	return compare(B, c->cmp, c->type, c->ftz, c->x, c->y);
}

static struct ir_inst *combined(struct build *B, const struct comparison *c, struct ir_inst *t)
{
	return c->c ? bool_op(B, c->bool_word, t, c->c) : t;
}

/* p|q: q is of the negated comparison; for packed types, of the upper halves. Of p|p it is the first that stays. */
void arith_setp(struct build *B, const struct ptx_stmt *s)
{
	struct comparison c = comparison(B, s, TYPE);
	const struct ptx_operand *q = pair_second(&s->ops[0]);
	struct ir_inst *t = outcome(B, &c, 0), *u = NULL;
	if (q && q->kind != PTX_OPD_SINK)
		u = combined(B, &c, c.elem ? outcome(B, &c, 1) : OP1(not, t));
	t = combined(B, &c, t);
	if (u)
		def(B, q, u, false);
	def(B, pair_first(&s->ops[0]), t, false);
}

/* types[0] is the result's, types[1] that of the comparison. */
static struct ir_inst *truth(struct build *B, uint32_t dtype, struct ir_inst *t)
{
	uint32_t w = type_width(dtype);
	switch (dtype) {
	case PTX_T_f32:
		return SEL(t, K(32, 0x3f800000), K(32, 0));
	case PTX_T_f16:
		return SEL(t, K(16, 0x3c00), K(16, 0));
	case PTX_T_bf16:
		return SEL(t, K(16, 0x3f80), K(16, 0));
	default:
		return SEL(t, K(w, -1), K(w, 0));
	}
}

void arith_set(struct build *B, const struct ptx_stmt *s)
{
	uint32_t dtype = s->m->types[0];
	struct comparison c = comparison(B, s, s->m->types[1]);
	struct ir_inst *d = combined(B, &c, outcome(B, &c, 0));
	if (c.elem) {
		uint32_t e = element_type(dtype) ? element_type(dtype) : PTX_T_u16;
		d = halves(B, truth(B, e, d), truth(B, e, combined(B, &c, outcome(B, &c, 1))));
	} else {
		d = truth(B, dtype, d);
	}
	def(B, &s->ops[0], d, type_signed(dtype));
}

void arith_selp(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_;
	def(B, &s->ops[0], SEL(pred(B, &s->ops[3]), x, y), false);
}

void arith_slct(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *y = B_, *c = opd_width(B, &s->ops[3], 32), *t;
	if (s->m->types[1] == PTX_T_f32)
		t = fcompare(B, IRC_FGE, MOD(ftz) != 0, c, K(32, 0));
	else
		t = ICMP(SGE, c, K(32, 0));
	def(B, &s->ops[0], SEL(t, x, y), false);
}
