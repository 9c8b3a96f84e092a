/* Floating-point arithmetic.
 *
 * bf16 is computed in f32: sums and products are right after two roundings because 24 >= 2 * 8 + 2 bits (Figueroa,
 * "When is double rounding innocuous?"); a fused multiply-add is not, so it is rounded to odd first (Boldo and
 * Melquiond, "When double rounding is odd"). */
#include "parser/build_internal.h"

#define TYPE (s->m->types[0])

struct ir_inst *fop(struct build *B, enum ir_op op, uint32_t width, struct fmode m, struct ir_inst *x,
		    struct ir_inst *y, struct ir_inst *z)
{
	uint32_t n = 1u + (y != NULL) + (z != NULL);
	struct ir_inst *i = ir_inst_new(B->f, op, ir_op_info[op].result == IRR_SAME ? x->width : width, n);
	i->args[0] = x;
	if (y)
		i->args[1] = y;
	if (z)
		i->args[2] = z;
	i->rnd = m.rnd;
	i->ftz = m.ftz;
	i->sat = m.sat;
	i->approx = m.approx;
	i->nan = m.nan;
	i->any_nan = m.any_nan;
	i->contract =
		m.contract && (op == IR_fadd || op == IR_fsub || op == IR_fmul || op == IR_pkfadd || op == IR_pkfmul);
	return ir_emit(&B->c, i);
}

struct ir_inst *fcompare(struct build *B, enum ir_cond cond, bool ftz, struct ir_inst *x, struct ir_inst *y)
{
	struct ir_inst *i = ir_inst_new(B->f, IR_fcmp, 1, 2);
	i->args[0] = x;
	i->args[1] = y;
	i->cond = (uint8_t)cond;
	i->ftz = ftz;
	return ir_emit(&B->c, i);
}

static uint32_t rounding(uint32_t word)
{
	switch (word) {
	case PTX_W_rz:
	case PTX_W_rzi:
		return IR_RZ;
	case PTX_W_rm:
	case PTX_W_rmi:
		return IR_RM;
	case PTX_W_rp:
	case PTX_W_rpi:
		return IR_RP;
	case PTX_W_rna:
		return IR_RNA;
	default:
		return IR_RN;
	}
}

struct fmode fmode_of(const struct ptx_stmt *s)
{
	return (struct fmode){
		.rnd = (uint8_t)rounding(MOD(rnd)), .ftz = MOD(ftz) != 0, .sat = MOD(sat) != 0, .contract = !MOD(rnd)};
}

static struct fmode with_rnd(struct fmode m, uint32_t rnd)
{
	m.rnd = (uint8_t)rnd;
	return m;
}

struct ir_inst *widen(struct build *B, uint32_t type, struct ir_inst *x)
{
	struct fmode m = {0};
	return type == PTX_T_bf16 ? OP1(bf16tof32, x) : fop(B, IR_fpext, 32, m, x, NULL, NULL);
}

struct ir_inst *narrow(struct build *B, uint32_t type, struct fmode m, struct ir_inst *x)
{
	return fop(B, type == PTX_T_bf16 ? IR_f32tobf16 : IR_fptrunc, 16, m, x, NULL, NULL);
}

struct ir_inst *to_odd(struct build *B, struct ir_inst *down, struct ir_inst *up)
{
	uint32_t w = down->width;
	if (w == 32)
		return OP3(bitsel, OP3(sbfe, down, K(32, 0), K(32, 1)), down, up);
	return SEL(ICMP(NE, OP2(and, down, K(w, 1)), K(w, 0)), down, up);
}

/* max(x, +0) with NaN kept. */
static struct ir_inst *relu(struct build *B, struct ir_inst *x)
{
	struct fmode m = {.nan = true};
	return fop(B, IR_fmax, 0, m, x, K(x->width, 0), NULL);
}

/* --- element types --- */

/* What a packed type is made of; PTX_T_none for a plain one. */
static uint32_t element(uint32_t type)
{
	switch (type) {
	case PTX_T_f16x2:
		return PTX_T_f16;
	case PTX_T_bf16x2:
		return PTX_T_bf16;
	case PTX_T_f32x2:
		return PTX_T_f32;
	default:
		return PTX_T_none;
	}
}

typedef struct ir_inst *elem_fn(struct build *B, const struct ptx_stmt *s, uint32_t type, struct ir_inst **v);

/* Applies fn to the operand, or to each of its elements. */
static void each(struct build *B, const struct ptx_stmt *s, uint32_t nargs, elem_fn *fn)
{
	uint32_t e = element(TYPE);
	struct ir_inst *v[3], *d;
	for (uint32_t k = 0; k < nargs; k++)
		v[k] = opd(B, &s->ops[k + 1], TYPE);
	if (e) {
		struct ir_inst *part[2], *in[3];
		for (uint32_t h = 0; h < 2; h++) {
			for (uint32_t k = 0; k < nargs; k++)
				in[k] = ir_unpack(&B->c, type_bits(e), v[k], h);
			part[h] = fn(B, s, e, in);
		}
		d = ir_pack(&B->c, 2 * type_bits(e), part, 2);
	} else {
		d = fn(B, s, TYPE, v);
	}
	def(B, &s->ops[0], d, false);
}

static struct ir_inst *sign_of_halves(struct build *B, struct ir_inst *x)
{
	return OP2(xor, x, K(32, 0x80008000));
}

/* --- add, sub, mul, fma --- */

static struct ir_inst *binary(struct build *B, enum ir_op op, const struct ptx_stmt *s, uint32_t type,
			      struct ir_inst **v)
{
	struct fmode m = fmode_of(s);
	if (type != PTX_T_bf16) {
		m.contract = !MOD(rnd);
		return fop(B, op, 0, m, v[0], v[1], NULL);
	}
	return narrow(B, type, m, fop(B, op, 0, m, widen(B, type, v[0]), widen(B, type, v[1]), NULL));
}

/* Which of several NaNs f64 arithmetic gives depends on the order of operands (ir.h), and for ptxas a literal comes second, a factor of zero
 * excepted; it writes a literal's sign itself, a NaN's too. */

static bool is_literal64(const struct ptx_stmt *s, uint32_t k)
{
	return TYPE == PTX_T_f64 && (s->ops[k].kind == PTX_OPD_FIMM || s->ops[k].kind == PTX_OPD_IMM);
}

static bool is_nan_literal(const struct ptx_stmt *s, uint32_t k, const struct ir_inst *x)
{
	return is_literal64(s, k) && ir_is_nan64(x->imm);
}

static void literal_second(const struct ptx_stmt *s, struct ir_inst **v)
{
	if (!is_literal64(s, 1) || is_literal64(s, 2) || (s->nops > 3 && !(v[0]->imm << 1)))
		return;
	struct ir_inst *x = v[0];
	v[0] = v[1];
	v[1] = x;
}

static struct ir_inst *quiet_literal(struct build *B, uint64_t bits)
{
	return K(64, bits | (uint64_t)1 << 51);
}

enum { SIGN64 = 63 };

static struct ir_inst *add_elem(struct build *B, const struct ptx_stmt *s, uint32_t type, struct ir_inst **v)
{
	literal_second(s, v);
	return binary(B, IR_fadd, s, type, v);
}

static struct ir_inst *sub_elem(struct build *B, const struct ptx_stmt *s, uint32_t type, struct ir_inst **v)
{
	if (is_nan_literal(s, 2, v[1]))
		return quiet_literal(B, v[1]->imm ^ (uint64_t)1 << SIGN64);
	return is_nan_literal(s, 1, v[0]) ? quiet_literal(B, v[0]->imm) : binary(B, IR_fsub, s, type, v);
}

static struct ir_inst *mul_elem(struct build *B, const struct ptx_stmt *s, uint32_t type, struct ir_inst **v)
{
	literal_second(s, v);
	return binary(B, IR_fmul, s, type, v);
}

static struct ir_inst *fma_bf16(struct build *B, struct ir_inst **v)
{
	struct fmode m = {.any_nan = true}, exact = {0};
	struct ir_inst *x = widen(B, PTX_T_bf16, v[0]), *y = widen(B, PTX_T_bf16, v[1]),
		       *z = widen(B, PTX_T_bf16, v[2]);
	struct ir_inst *up = fop(B, IR_ffma, 0, with_rnd(m, IR_RP), x, y, z);
	struct ir_inst *down = fop(B, IR_ffma, 0, with_rnd(m, IR_RM), x, y, z);
	return narrow(B, PTX_T_bf16, exact, to_odd(B, down, up));
}

static struct ir_inst *fma_elem(struct build *B, const struct ptx_stmt *s, uint32_t type, struct ir_inst **v)
{
	literal_second(s, v);
	struct ir_inst *d = type == PTX_T_bf16 ? fma_bf16(B, v) : fop(B, IR_ffma, 0, fmode_of(s), v[0], v[1], v[2]);
	if (MOD(relu))
		d = type == PTX_T_bf16 ? narrow(B, type, fmode_of(s), relu(B, widen(B, type, d))) : relu(B, d);
	if (!has(s, PTX_W_oob))
		return d;
	/* a factor that is this NaN, with which tensor copies fill what lies outside, makes it zero (found on an H200) */
	struct ir_inst *outside = K(16, 0x7ff7), *x = OP2(and, v[0], K(16, 0x7fff)), *y = OP2(and, v[1], K(16, 0x7fff));
	return SEL(OP2(or, ICMP(EQ, x, outside), ICMP(EQ, y, outside)), K(16, 0), d);
}

static struct ir_inst *packed(struct build *B, enum ir_op op, const struct ptx_stmt *s, bool negate)
{
	struct ir_inst *x = opd(B, &s->ops[1], TYPE), *y = opd(B, &s->ops[2], TYPE);
	struct fmode m = fmode_of(s);
	m.contract = !MOD(rnd);
	return fop(B, op, 0, m, x, negate ? sign_of_halves(B, y) : y, NULL);
}

void float_add(struct build *B, const struct ptx_stmt *s)
{
	if (TYPE == PTX_T_f16x2)
		def(B, &s->ops[0], packed(B, IR_pkfadd, s, false), false);
	else
		each(B, s, 2, add_elem);
}

void float_sub(struct build *B, const struct ptx_stmt *s)
{
	if (TYPE == PTX_T_f16x2)
		def(B, &s->ops[0], packed(B, IR_pkfadd, s, true), false);
	else
		each(B, s, 2, sub_elem);
}

void float_mul(struct build *B, const struct ptx_stmt *s)
{
	if (TYPE == PTX_T_f16x2)
		def(B, &s->ops[0], packed(B, IR_pkfmul, s, false), false);
	else
		each(B, s, 2, mul_elem);
}

void float_fma(struct build *B, const struct ptx_stmt *s)
{
	if (TYPE != PTX_T_f16x2 || has(s, PTX_W_oob)) {
		each(B, s, 3, fma_elem);
		return;
	}
	struct ir_inst *x = opd(B, &s->ops[1], TYPE), *y = opd(B, &s->ops[2], TYPE), *z = opd(B, &s->ops[3], TYPE);
	struct ir_inst *d = fop(B, IR_pkffma, 0, fmode_of(s), x, y, z);
	if (MOD(relu)) {
		struct fmode m = {.nan = true};
		d = fop(B, IR_pkfmax, 0, m, d, K(32, 0), NULL);
	}
	def(B, &s->ops[0], d, false);
}

/* types[1] is that of the narrower operands, which are widened exactly. */
static struct ir_inst *mixed_opd(struct build *B, const struct ptx_stmt *s, uint32_t k)
{
	uint32_t type = s->m->types[1];
	return widen(B, type, opd(B, &s->ops[k], type));
}

void float_add_mixed(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = mixed_opd(B, s, 1);
	def(B, &s->ops[0], fop(B, IR_fadd, 0, fmode_of(s), x, opd_width(B, &s->ops[2], 32), NULL), false);
}

void float_sub_mixed(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = mixed_opd(B, s, 1);
	def(B, &s->ops[0], fop(B, IR_fsub, 0, fmode_of(s), x, opd_width(B, &s->ops[2], 32), NULL), false);
}

void float_fma_mixed(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = mixed_opd(B, s, 1), *y = mixed_opd(B, s, 2);
	def(B, &s->ops[0], fop(B, IR_ffma, 0, fmode_of(s), x, y, opd_width(B, &s->ops[3], 32)), false);
}

/* --- abs, neg: sign bits alone, after flushing where .ftz says so; a NaN is made canonical, of f64 left alone --- */

static struct ir_inst *flushed(struct build *B, const struct ptx_stmt *s, struct ir_inst *x)
{
	struct fmode m = {.ftz = true};
	return MOD(ftz) ? fop(B, IR_fcanon, 0, m, x, NULL, NULL) : x;
}

static struct ir_inst *sign_elem(struct build *B, const struct ptx_stmt *s, uint32_t type, struct ir_inst *x)
{
	struct fmode m = {.nan = type == PTX_T_f64};
	bool bf = type == PTX_T_bf16, neg = s->m->op == PTX_OP_neg;
	if (is_nan_literal(s, 1, x))
		return quiet_literal(B, neg ? x->imm ^ (uint64_t)1 << SIGN64 : x->imm & ~((uint64_t)1 << SIGN64));
	x = flushed(B, s, bf ? widen(B, type, x) : x);
	x = fop(B, neg ? IR_fneg : IR_fabs, 0, m, x, NULL, NULL);
	if (type != PTX_T_f64)
		x = OP1(fnan, x);
	return bf ? ir_unpack(&B->c, 16, x, 1) : x;
}

static struct ir_inst *sign_of_elem(struct build *B, const struct ptx_stmt *s, uint32_t type, struct ir_inst **v)
{
	return sign_elem(B, s, type, v[0]);
}

static bool plain_halves(const struct ptx_stmt *s)
{
	return !MOD(ftz) && TYPE == PTX_T_f16x2;
}

void float_abs(struct build *B, const struct ptx_stmt *s)
{
	if (plain_halves(s))
		def(B, &s->ops[0], OP1(pkfnan, OP2(and, opd_width(B, &s->ops[1], 32), K(32, 0x7fff7fff))), false);
	else
		each(B, s, 1, sign_of_elem);
}

void float_neg(struct build *B, const struct ptx_stmt *s)
{
	if (plain_halves(s))
		def(B, &s->ops[0], OP1(pkfnan, sign_of_halves(B, opd_width(B, &s->ops[1], 32))), false);
	else
		each(B, s, 1, sign_of_elem);
}

/* --- min, max --- */

static struct ir_inst *min_max(struct build *B, const struct ptx_stmt *s, uint32_t type, struct ir_inst *x,
			       struct ir_inst *y)
{
	struct fmode m = {.ftz = MOD(ftz) != 0, .nan = MOD(NaN) != 0};
	bool xorsign = has(s, PTX_W_xorsign), bf = type == PTX_T_bf16;
	struct ir_inst *sign = xorsign ? OP2(xor, x, y) : NULL;
	if (has(s, PTX_W_abs)) {
		x = OP1(fabs, x);
		y = OP1(fabs, y);
	}
	bool max = s->m->op == PTX_OP_max;
	struct ir_inst *d =
		fop(B, max ? IR_fmax : IR_fmin, 0, m, bf ? widen(B, type, x) : x, bf ? widen(B, type, y) : y, NULL);
	if (bf)
		d = narrow(B, type, m, d);
	if (!xorsign)
		return d;
	/* a NaN takes no sign */
	struct ir_inst *top = K(d->width, (uint64_t)1 << (d->width - 1)), *r = OP2(or, OP1(fabs, d), OP2(and, sign, top));
	if (!bf)
		return OP1(fnan, r);
	return SEL(ICMP(UGT, OP1(fabs, d), K(16, 0x7f80)), K(16, 0x7fff), r);
}

static struct ir_inst *min_max_elem(struct build *B, const struct ptx_stmt *s, uint32_t type, struct ir_inst **v)
{
	return min_max(B, s, type, v[0], v[1]);
}

static struct ir_inst *min_max3_elem(struct build *B, const struct ptx_stmt *s, uint32_t type, struct ir_inst **v)
{
	return min_max(B, s, type, min_max(B, s, type, v[0], v[1]), v[2]);
}

void float_min_max(struct build *B, const struct ptx_stmt *s)
{
	if (TYPE != PTX_T_f16x2 || has(s, PTX_W_xorsign)) {
		each(B, s, 2, min_max_elem);
		return;
	}
	struct fmode m = {.ftz = MOD(ftz) != 0, .nan = MOD(NaN) != 0};
	enum ir_op op = s->m->op == PTX_OP_max ? IR_pkfmax : IR_pkfmin;
	struct ir_inst *x = opd(B, &s->ops[1], TYPE), *y = opd(B, &s->ops[2], TYPE);
	def(B, &s->ops[0], fop(B, op, 0, m, x, y, NULL), false);
}

void float_min_max3(struct build *B, const struct ptx_stmt *s)
{
	each(B, s, 3, min_max3_elem);
}

/* --- division and functions --- */

void float_div(struct build *B, const struct ptx_stmt *s)
{
	struct fmode m = fmode_of(s);
	m.approx = has(s, PTX_W_approx);
	struct ir_inst *x = opd(B, &s->ops[1], TYPE), *y = opd(B, &s->ops[2], TYPE);
	def(B, &s->ops[0], fop(B, has(s, PTX_W_full) ? IR_fdivfull : IR_fdiv, 0, m, x, y, NULL), false);
}

static enum ir_op function_op(uint32_t op)
{
	switch (op) {
	case PTX_OP_rcp:
		return IR_frcp;
	case PTX_OP_sqrt:
		return IR_fsqrt;
	case PTX_OP_rsqrt:
		return IR_frsqrt;
	case PTX_OP_sin:
		return IR_fsin;
	case PTX_OP_cos:
		return IR_fcos;
	case PTX_OP_lg2:
		return IR_flg2;
	case PTX_OP_ex2:
		return IR_fex2;
	default:
		return IR_ftanh;
	}
}

/* f16 and bf16 by way of f32, whose approximation is within their error bounds. */
static struct ir_inst *function_elem(struct build *B, const struct ptx_stmt *s, uint32_t type, struct ir_inst **v)
{
	struct fmode m = fmode_of(s), exact = {0};
	bool half = type == PTX_T_f16 || type == PTX_T_bf16;
	m.approx = has(s, PTX_W_approx);
	m.ftz &= type != PTX_T_f64 || m.approx; /* the exact reciprocal takes the word and keeps subnormals (H200) */
	struct ir_inst *x = half ? widen(B, type, v[0]) : v[0];
	if (type == PTX_T_f64 && m.approx && MOD(ftz)) /* of the high word alone, which makes some NaNs infinities */
		x = OP2(and, x, K(64, 0xffffffff00000000));
	struct ir_inst *d = fop(B, function_op(s->m->op), 0, m, x, NULL, NULL);
	return half ? narrow(B, type, exact, d) : d;
}

void float_function(struct build *B, const struct ptx_stmt *s)
{
	each(B, s, 1, function_elem);
}

/* --- bits of floats --- */

/* The sign of a, the magnitude of b. */
void float_copysign(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = opd(B, &s->ops[1], TYPE), *y = opd(B, &s->ops[2], TYPE);
	uint64_t top = (uint64_t)1 << (x->width - 1);
	struct ir_inst *d = x->width == 32 ? OP3(bitsel, K(32, top - 1), y, x)
					   : OP2(or, OP2(and, x, K(64, top)), OP2(and, y, K(64, top - 1)));
	def(B, &s->ops[0], d, false);
}

void float_testp(struct build *B, const struct ptx_stmt *s)
{
	/* bits of v_cmp_class; zeros count as normal */
	static const struct {
		uint16_t word, mask;
	} classes[] = {{PTX_W_finite, 0x1f8},	{PTX_W_infinite, 0x204}, {PTX_W_number, 0x3fc},
		       {PTX_W_notanumber, 0x3}, {PTX_W_normal, 0x168},	 {PTX_W_subnormal, 0x90}};
	uint32_t k = 0;
	while (!has(s, classes[k].word))
		k++;
	def(B, &s->ops[0], OP2(ftestclass, opd(B, &s->ops[1], TYPE), K(32, classes[k].mask)), false);
}
