/* Integer division and remainder of 32 and 64 bits.
 *
 * By a constant: multiplication by its scaled reciprocal, exact for every dividend (Granlund, Montgomery, "Division by Invariant
 * Integers using Multiplication"). By a variable: a reciprocal in f32 from below, refined by Newton steps in integers, then at most two
 * corrections; as LLVM's AMDGPU expansion, but for a scale of 32 bits that is low enough for a reciprocal that errs by 1 ulp. Quotient and remainder by zero are
 * all ones, as on NVIDIA hardware. */
#include "ir/ir_legal.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;
typedef unsigned __int128 u128;

static I *k(C *c, uint32_t w, uint64_t x)
{
	return ir_const(c->f, w, x);
}

/* --- constants --- */

static uint32_t log2_ceil(uint64_t d)
{
	return d <= 1 ? 0 : 64 - (uint32_t)__builtin_clzll(d - 1);
}

/* x / d for x < 2^bits, where 2^(w + s) / d rounded up fits in w bits for some s; else false. */
static bool find_magic(uint64_t d, uint32_t w, uint32_t bits, uint64_t *m, uint32_t *s)
{
	for (*s = 0; *s < log2_ceil(d); ++*s) {
		u128 n = (u128)1 << (w + *s), q = (n + d - 1) / d;
		u128 error = q * d - n; /* x * error / d must stay below 2^(w + s) / d */
		if (q >> w == 0 && error <= (u128)1 << (w + *s - bits)) {
			*m = (uint64_t)q;
			return true;
		}
	}
	return false;
}

static I *udiv_const(C *c, I *x, uint64_t d)
{
	uint32_t w = x->width, s, even = (uint32_t)__builtin_ctzll(d);
	uint64_t m;
	if (find_magic(d, w, w, &m, &s))
		return ir_b2(c, IR_shr, w, ir_b2(c, IR_umulhi, w, x, k(c, w, m)), k(c, 32, s));
	if (even && find_magic(d >> even, w, w - even, &m, &s)) {
		x = ir_b2(c, IR_shr, w, x, k(c, 32, even));
		return ir_b2(c, IR_shr, w, ir_b2(c, IR_umulhi, w, x, k(c, w, m)), k(c, 32, s));
	}
	/* the multiplier has w + 1 bits; its leading one is added by hand */
	uint32_t l = log2_ceil(d);
	u128 n = l == 64 ? -(u128)d << 64 >> 64 : ((u128)1 << l) - d;
	m = (uint64_t)((n << w) / d) + 1;
	I *q = ir_b2(c, IR_umulhi, w, x, k(c, w, m));
	I *t = ir_b2(c, IR_shr, w, ir_b2(c, IR_sub, w, x, q), k(c, 32, 1));
	return ir_b2(c, IR_shr, w, ir_b2(c, IR_add, w, t, q), k(c, 32, l - 1));
}

static I *sdiv_pow2(C *c, I *x, uint64_t abs)
{
	uint32_t w = x->width, n = (uint32_t)__builtin_ctzll(abs);
	I *t = ir_b2(c, IR_shr, w, ir_b2(c, IR_sar, w, x, k(c, 32, w - 1)), k(c, 32, w - n));
	return ir_b2(c, IR_sar, w, ir_b2(c, IR_add, w, x, t), k(c, 32, n));
}

/* For |d| >= 3: the least p >= w with 2^p > nc * (|d| - 2^p mod |d|), nc the largest dividend that leaves remainder |d| - 1. */
static I *sdiv_magic(C *c, I *x, uint64_t abs)
{
	uint32_t w = x->width, p = w;
	u128 half = (u128)1 << (w - 1), nc = half - 1 - half % abs, n;
	while (n = (u128)1 << p, p < 127 && n <= nc * (abs - (uint64_t)(n % abs)))
		p++;
	uint64_t m = (uint64_t)((n + abs - (uint64_t)(n % abs)) / abs);
	I *q = ir_b2(c, IR_smulhi, w, x, k(c, w, m));
	if (m >> (w - 1) & 1)
		q = ir_b2(c, IR_add, w, q, x);
	q = ir_b2(c, IR_sar, w, q, k(c, 32, p - w));
	return ir_b2(c, IR_add, w, q, ir_b2(c, IR_shr, w, x, k(c, 32, w - 1)));
}

static I *div_const(C *c, I *i, uint64_t d)
{
	I *x = i->args[0], *q;
	uint32_t w = x->width;
	if (i->op == IR_udiv || i->op == IR_urem) {
		q = udiv_const(c, x, d);
	} else {
		bool neg = d >> (w - 1) & 1;
		uint64_t abs = neg ? -d & ir_mask(w) : d;
		q = abs == 1 ? x : abs & (abs - 1) ? sdiv_magic(c, x, abs) : sdiv_pow2(c, x, abs);
		if (neg)
			q = ir_b2(c, IR_sub, w, k(c, w, 0), q);
	}
	if (i->op == IR_udiv || i->op == IR_sdiv)
		return q;
	return ir_b2(c, IR_sub, w, x, ir_b2(c, IR_mul, w, q, k(c, w, d)));
}

/* --- variables --- */

static I *float_op(C *c, enum ir_op op, I *x, uint32_t constant)
{
	return ir_b2(c, op, 32, x, k(c, 32, constant));
}

/* 2^32/y from below: the conversion, the reciprocal and the product are together less than 2^-22 above. */
static I *reciprocal32(C *c, I *y, I *neg_y)
{
	I *r = ir_b1(c, IR_amd_rcp, 32, ir_b1(c, IR_uitofp, 32, y));
	I *z = ir_b1(c, IR_amd_cvt_u32_f32, 32, float_op(c, IR_fmul, r, 0x4f7ffffc));
	return ir_b2(c, IR_add, 32, z, ir_b2(c, IR_umulhi, 32, z, ir_b2(c, IR_mul, 32, neg_y, z)));
}

static I *reciprocal64(C *c, I *y, I *neg_y)
{
	I *lo = ir_b1(c, IR_uitofp, 32, ir_lo32(c, y)), *hi = ir_b1(c, IR_uitofp, 32, ir_hi32(c, y));
	I *r = ir_b1(c, IR_amd_rcp, 32, ir_b3(c, IR_ffma, 32, hi, k(c, 32, 0x4f800000), lo));
	I *m = float_op(c, IR_fmul, r, 0x5f7ffffc);
	I *t = ir_fop(c, IR_frint, IR_RZ, 32, float_op(c, IR_fmul, m, 0x2f800000), NULL, NULL);
	lo = ir_b1(c, IR_amd_cvt_u32_f32, 32, ir_b3(c, IR_ffma, 32, t, k(c, 32, 0xcf800000), m));
	I *z = ir_pack64(c, lo, ir_b1(c, IR_amd_cvt_u32_f32, 32, t));
	for (int round = 0; round < 2; round++) {
		I *e = ir_b2(c, IR_mul, 64, neg_y, z);
		z = ir_b2(c, IR_add, 64, z, ir_b2(c, IR_umulhi, 64, z, e));
	}
	return z;
}

/* r - y where that is not negative, for r < 3 y: the lesser of the two, for a difference below zero wraps beyond r. */
static I *reduced(C *c, I *r, I *y)
{
	I *d = ir_b2(c, IR_sub, r->width, r, y);
	if (r->width == 32)
		return ir_b2(c, IR_umin, 32, r, d);
	return ir_select(c, ir_cmp(c, IR_icmp, IRC_UGE, r, y), d, r);
}

/* x - q * y */
static I *remainder_of(C *c, I *x, I *q, I *neg_y)
{
	return ir_b2(c, IR_add, x->width, ir_b2(c, IR_mul, x->width, q, neg_y), x);
}

static I *quotient32(C *c, I *x, I *y, I *neg_y)
{
	I *q = ir_b2(c, IR_umulhi, 32, x, reciprocal32(c, y, neg_y));
	I *r = remainder_of(c, x, q, neg_y);
	/* q + 1 where y does not borrow from r */
	I *less = ir_b2(c, IR_sub, 32, r, y);
	q = ir_b3(c, IR_subb, 32, q, k(c, 32, 0xffffffff), ir_b2(c, IR_usubb, 1, r, y));
	r = ir_b2(c, IR_umin, 32, r, less);
	return ir_b3(c, IR_addc, 32, q, k(c, 32, 0), ir_cmp(c, IR_icmp, IRC_UGE, r, y));
}

static I *quotient64(C *c, I *x, I *y, I *neg_y)
{
	I *q = ir_b2(c, IR_umulhi, 64, x, reciprocal64(c, y, neg_y));
	I *r = remainder_of(c, x, q, neg_y);
	for (int round = 0; round < 2; round++) {
		I *over = ir_cmp(c, IR_icmp, IRC_UGE, r, y);
		q = ir_select(c, over, ir_b2(c, IR_add, 64, q, k(c, 64, 1)), q);
		if (!round)
			r = ir_select(c, over, ir_b2(c, IR_sub, 64, r, y), r);
	}
	return q;
}

/* Quotient or remainder of x by y, unsigned; y not zero. */
static I *unsigned_variable(C *c, I *x, I *y, I *neg_y, bool want_rem)
{
	uint32_t w = x->width;
	if (!want_rem)
		return w == 32 ? quotient32(c, x, y, neg_y) : quotient64(c, x, y, neg_y);
	I *z = w == 32 ? reciprocal32(c, y, neg_y) : reciprocal64(c, y, neg_y);
	I *r = remainder_of(c, x, ir_b2(c, IR_umulhi, w, x, z), neg_y);
	return reduced(c, reduced(c, r, y), y);
}

/* All ones where x is negative, else zero. */
static I *sign(C *c, I *x)
{
	I *s = ir_b2(c, IR_sar, 32, x->width == 32 ? x : ir_hi32(c, x), k(c, 32, 31));
	return x->width == 32 ? s : ir_pack64(c, s, s);
}

static I *div_variable(C *c, I *i)
{
	I *x = i->args[0], *y = i->args[1], *s = NULL, *neg_y, *r;
	uint32_t w = i->width;
	bool is_signed = i->op == IR_sdiv || i->op == IR_srem, want_rem = i->op == IR_urem || i->op == IR_srem;
	I *by_zero = w == 64 ? ir_cmp(c, IR_icmp, IRC_EQ, y, k(c, w, 0)) : NULL;
	if (is_signed) {
		s = sign(c, want_rem ? x : ir_b2(c, IR_xor, w, x, y));
		x = ir_b1(c, IR_iabs, w, x);
		y = ir_b1(c, IR_iabs, w, y);
	}
	neg_y = ir_b2(c, IR_sub, w, k(c, w, 0), y); /* 32 bits: borrows unless y is 0 */
	I *no_zero = w == 32 ? ir_b2(c, IR_usubb, 1, k(c, w, 0), y) : ir_b1(c, IR_not, 1, by_zero);
	r = unsigned_variable(c, x, y, neg_y, want_rem);
	if (is_signed)
		r = ir_b2(c, IR_sub, w, ir_b2(c, IR_xor, w, r, s), s);
	return ir_select(c, no_zero, r, k(c, w, ~(uint64_t)0));
}

/* --- short dividends --- */

/* x < 2^20 by y, in f32: (x + 1/2) / y is at least 1/(2y) from an integer and relatively 2^-21, while the reciprocal (1 ulp) and the
 * roundings of y and of the product are together below 2^-22; so it truncates to the quotient. By zero: infinity, which clamps to
 * all ones. */
static I *short_unsigned(C *c, I *i)
{
	I *x = i->args[0], *y = i->args[1];
	I *a = float_op(c, IR_fadd, ir_b1(c, IR_uitofp, 32, x), 0x3f000000);
	I *r = ir_b1(c, IR_amd_rcp, 32, ir_b1(c, IR_uitofp, 32, y));
	I *q = ir_b1(c, IR_amd_cvt_u32_f32, 32, ir_b2(c, IR_fmul, 32, a, r));
	if (i->op == IR_udiv)
		return q;
	r = ir_b2(c, IR_sub, 32, x, ir_b2(c, IR_mul, 32, q, y));
	return ir_select(c, ir_cmp(c, IR_icmp, IRC_EQ, y, k(c, 32, 0)), k(c, 32, 0xffffffff), r);
}

/* |x| <= 2^15 by y: as above, but moved away from zero by 2^-20 of it, for x / y is relatively 2^-15 from the next integer. */
static I *short_signed(C *c, I *i)
{
	I *x = i->args[0], *y = i->args[1];
	I *a = float_op(c, IR_fmul, ir_b1(c, IR_sitofp, 32, x), 0x3f800008);
	I *r = ir_b1(c, IR_amd_rcp, 32, ir_b1(c, IR_sitofp, 32, y));
	I *q = ir_fop(c, IR_fptosi, IR_RZ, 32, ir_b2(c, IR_fmul, 32, a, r), NULL, NULL);
	q->nan = true;
	if (i->op == IR_srem)
		q = ir_b2(c, IR_sub, 32, x, ir_b2(c, IR_mul, 32, q, y));
	return ir_select(c, ir_cmp(c, IR_icmp, IRC_EQ, y, k(c, 32, 0)), k(c, 32, 0xffffffff), q);
}

I *ir_lower_div(C *c, I *i)
{
	I *x = i->args[0], *y = i->args[1];
	bool is_signed = i->op == IR_sdiv || i->op == IR_srem;
	uint16_t op = i->op;
	I *simple = ir_simplify(c->f, i);
	if (simple != i || i->op != op)
		return simple;
	uint64_t top = (uint64_t)1 << (i->width - 1), bits = ir_possible_bits(x) | ir_possible_bits(y);
	if (is_signed && !(bits & top))
		is_signed = false; /* both are non-negative */
	if (i->width == 64 && !(bits >> 32) && y->op != IR_const) {
		/* by zero: all ones in 64 bits */
		bool rem = i->op == IR_urem || i->op == IR_srem;
		I *q = ir_b2(c, rem ? IR_urem : IR_udiv, 32, ir_lo32(c, x), ir_lo32(c, y));
		q = ir_b1(c, IR_zext, 64, q);
		return ir_select(c, ir_cmp(c, IR_icmp, IRC_EQ, y, k(c, 64, 0)), k(c, 64, ~(uint64_t)0), q);
	}
	if (is_signed != (i->op == IR_sdiv || i->op == IR_srem))
		return ir_b2(c, i->op == IR_sdiv ? IR_udiv : IR_urem, i->width, x, y);
	if (y->op == IR_const && y->imm)
		return div_const(c, i, y->imm);
	if (y->op == IR_const)
		return k(c, i->width, ~(uint64_t)0);
	if (!is_signed && i->width == 32 && !(ir_possible_bits(x) >> 20))
		return short_unsigned(c, i);
	if (is_signed && i->width == 32 && ir_signed_bits(x) <= 16)
		return short_signed(c, i);
	return div_variable(c, i);
}
