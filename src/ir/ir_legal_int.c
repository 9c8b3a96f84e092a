/* Integer operations that no selector takes: 16-bit ones are done in 32 bits, but for those where the hardware's 16-bit form saves
 * extensions; 64-bit multiplications, divisions, extrema and carries in 32-bit pieces; 32-bit division by ir_legal_div.c.
 *
 * ensures: add, sub, and, or, xor, not, shl, shr on 32 or 64 bits; sar, icmp on 16, 32 or 64; umin, umax, smin, smax, iabs, umulwide,
 * smulwide on 16 or 32; popc, clz, ctz on 32 or 64; every other integer operation on 32. Moves, loads, stores, phis, selects and extensions keep their widths.
 * No comparison of predicates. */
#include "ir/ir_legal.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

/* x in 32 bits, upper bits undefined. */
static I *any32(C *c, I *x)
{
	if (x->op == IR_const)
		return ir_c32(c, x->imm);
	I *parts[3] = {x, ir_undef(c->f, x->width), ir_undef(c->f, 16)};
	return ir_pack(c, 32, parts, x->width == 8 ? 3 : 2);
}

static I *extend(C *c, enum ir_op op, I *x)
{
	return ir_b1(c, op, 32, x);
}

/* i over 32 bits with both arguments extended by `how` (pack: upper bits undefined). */
static I *widened(C *c, I *i, enum ir_op op, enum ir_op how)
{
	I *x = how == IR_pack ? any32(c, i->args[0]) : extend(c, how, i->args[0]);
	I *r;
	if (i->nargs == 1) {
		r = ir_b1(c, op, 32, x);
	} else {
		bool shift = op == IR_shl || op == IR_shr || op == IR_sar;
		I *y = i->args[1];
		if (shift)
			y = ir_b2(c, IR_and, 32, y, ir_c32(c, i->width - 1u));
		else
			y = how == IR_pack ? any32(c, y) : extend(c, how, y);
		r = ir_b2(c, op, 32, x, y);
	}
	return r;
}

/* Is the extension of x from 16 bits to 32 already there? */
static bool extends_free(const I *x, enum ir_op how)
{
	if (x->op == IR_const)
		return true;
	if (x->op != IR_trunc || x->args[0]->width != 32)
		return false;
	return how == IR_sext ? ir_signed_bits(x->args[0]) <= 16 : !(ir_possible_bits(x->args[0]) >> 16);
}

/* Better done in 16 bits: the extensions to 32 would cost instructions. */
static bool stays_narrow(const I *i)
{
	enum ir_op how = IR_sext;
	uint32_t n = i->nargs;
	switch (i->op) {
	case IR_umin:
	case IR_umax:
	case IR_umulwide:
		how = IR_zext;
		break;
	case IR_icmp:
		how = i->cond >= IRC_SLT && i->cond <= IRC_SGE ? IR_sext : IR_zext;
		break;
	case IR_sar:
		n = 1;
		break;
	case IR_smin:
	case IR_smax:
	case IR_iabs:
	case IR_smulwide:
	case IR_smulhi:
		break;
	default:
		return false;
	}
	bool dear = false;
	for (uint32_t k = 0; k < n; k++)
		dear |= !extends_free(i->args[k], how);
	return dear && i->args[0]->width == 16;
}

static bool is_value(const I *x, uint64_t value)
{
	return x->op == IR_const && x->imm == value;
}

/* n < 16 ? x << (n & 15) : 0, and of x >> (n & 15), with the shift already in 32 bits, where 16 shifts everything out. */
static I *shift_or_zero(C *c, I *i)
{
	I *p = i->args[0], *s = i->args[1]->op == IR_trunc ? i->args[1]->args[0] : NULL, *n;
	if (i->width != 16 || !s || s->width != 32 || (s->op != IR_shl && s->op != IR_shr) || !is_value(i->args[2], 0))
		return NULL;
	n = s->args[1];
	if (p->op != IR_icmp || p->cond != IRC_ULT || !is_value(p->args[1], 16) || n->op != IR_and || n->args[0] != p->args[0] ||
	    !is_value(n->args[1], 15) || (s->op == IR_shr && ir_possible_bits(s->args[0]) >> 16))
		return NULL;
	return ir_b1(c, IR_trunc, 16, ir_b2(c, (enum ir_op)s->op, 32, s->args[0], ir_b2(c, IR_umin, 32, n->args[0], ir_c32(c, 16))));
}

static I *narrow_op(C *c, I *i)
{
	uint32_t w = i->args[0]->width;
	I *r;
	if (stays_narrow(i)) {
		if (i->op != IR_smulhi)
			return NULL;
		r = ir_b2(c, IR_shr, 32, ir_b2(c, IR_smulwide, 32, i->args[0], i->args[1]), ir_c32(c, 16));
		return ir_b1(c, IR_trunc, 16, r);
	}
	switch (i->op) {
	case IR_add:
	case IR_sub:
	case IR_and:
	case IR_or:
	case IR_xor:
	case IR_not:
	case IR_shl:
		r = widened(c, i, (enum ir_op)i->op, IR_pack);
		break;
	case IR_mul:
		r = widened(c, i, IR_umul24, IR_pack);
		break;
	case IR_shr:
	case IR_udiv:
	case IR_urem:
	case IR_umin:
	case IR_umax:
	case IR_popc:
	case IR_ctz:
		r = widened(c, i, (enum ir_op)i->op, IR_zext);
		break;
	case IR_sar:
	case IR_sdiv:
	case IR_srem:
	case IR_smin:
	case IR_smax:
	case IR_iabs:
		r = widened(c, i, (enum ir_op)i->op, IR_sext);
		break;
	case IR_umulwide:
		return widened(c, i, IR_umul24, IR_zext);
	case IR_smulwide:
		return widened(c, i, IR_smul24, IR_sext);
	case IR_umulhi:
		r = ir_b2(c, IR_shr, 32, widened(c, i, IR_umul24, IR_zext), ir_c32(c, w));
		break;
	case IR_smulhi:
		r = ir_b2(c, IR_shr, 32, widened(c, i, IR_smul24, IR_sext), ir_c32(c, w));
		break;
	case IR_brev:
		r = ir_b2(c, IR_shr, 32, widened(c, i, IR_brev, IR_pack), ir_c32(c, 32 - w));
		break;
	case IR_clz:
		return ir_b2(c, IR_sub, 32, widened(c, i, IR_clz, IR_zext), ir_c32(c, 32 - w));
	default:
		return NULL;
	}
	if (i->op == IR_popc)
		return r;
	if (i->op == IR_ctz) /* of zero: the width */
		return ir_b2(c, IR_umin, 32, r, ir_c32(c, w));
	return ir_b1(c, IR_trunc, i->width, r);
}

static I *narrow_icmp(C *c, I *i)
{
	if (stays_narrow(i))
		return NULL;
	bool is_signed = i->cond >= IRC_SLT && i->cond <= IRC_SGE;
	enum ir_op how = is_signed ? IR_sext : IR_zext;
	return ir_cmp(c, IR_icmp, (enum ir_cond)i->cond, extend(c, how, i->args[0]), extend(c, how, i->args[1]));
}

/* --- 64 bits --- */

static bool is_zext32(const I *x)
{
	return !(ir_possible_bits(x) >> 32);
}

static bool is_sext32(const I *x)
{
	if (x->op == IR_const)
		return (int64_t)x->imm == (int32_t)x->imm;
	return x->op == IR_sext && x->args[0]->width <= 32;
}

static I *mul64(C *c, I *x, I *y)
{
	I *xl = ir_lo32(c, x), *xh = ir_hi32(c, x), *yl = ir_lo32(c, y), *yh = ir_hi32(c, y);
	if (is_zext32(x) && is_zext32(y))
		return ir_b2(c, IR_umulwide, 64, xl, yl);
	if (is_sext32(x) && is_sext32(y))
		return ir_b2(c, IR_smulwide, 64, xl, yl);
	I *p = ir_b2(c, IR_umulwide, 64, xl, yl);
	I *h = ir_b2(c, IR_add, 32, ir_hi32(c, p), ir_b2(c, IR_mul, 32, xl, yh));
	h = ir_b2(c, IR_add, 32, h, ir_b2(c, IR_mul, 32, xh, yl));
	return ir_pack64(c, ir_lo32(c, p), h);
}

static I *zext64(C *c, I *x)
{
	return ir_b1(c, IR_zext, 64, x);
}

/* The carry and the upper half of xh * yl + xl * yh + the upper half of xl * yl, unsigned: bits 64 to 96 of x * y but for xh * yh. */
static I *middle64(C *c, I *x, I *y)
{
	I *xl = ir_lo32(c, x), *xh = ir_hi32(c, x), *yl = ir_lo32(c, y), *yh = ir_hi32(c, y);
	I *low = zext64(c, ir_b2(c, IR_umulhi, 32, xl, yl));
	I *t = ir_b2(c, IR_add, 64, ir_b2(c, IR_umulwide, 64, xl, yh), low);
	I *u = ir_b2(c, IR_add, 64, ir_b2(c, IR_umulwide, 64, xh, yl), t);
	return ir_pack64(c, ir_hi32(c, u), ir_b3(c, IR_umadhi, 32, xh, yl, t));
}

static I *umulhi64(C *c, I *x, I *y)
{
	I *middle = middle64(c, x, y);
	return ir_b2(c, IR_add, 64, ir_b2(c, IR_umulwide, 64, ir_hi32(c, x), ir_hi32(c, y)), middle);
}

/* The upper halves are signed: where one is negative, the middle has 2^32 times the other's lower half too much. */
static I *smulhi64(C *c, I *x, I *y)
{
	I *xh = ir_hi32(c, x), *yh = ir_hi32(c, y), *middle = middle64(c, x, y);
	I *of_x = ir_b2(c, IR_and, 32, ir_b2(c, IR_sar, 32, xh, ir_c32(c, 31)), ir_lo32(c, y));
	I *of_y = ir_b2(c, IR_and, 32, ir_b2(c, IR_sar, 32, yh, ir_c32(c, 31)), ir_lo32(c, x));
	middle = ir_b2(c, IR_sub, 64, middle, zext64(c, of_x));
	middle = ir_b2(c, IR_sub, 64, middle, zext64(c, of_y));
	return ir_b2(c, IR_add, 64, ir_b2(c, IR_smulwide, 64, xh, yh), middle);
}

static I *sign64(C *c, I *x)
{
	I *s = ir_b2(c, IR_sar, 32, ir_hi32(c, x), ir_c32(c, 31));
	return ir_pack64(c, s, s);
}

static I *extremum64(C *c, I *i)
{
	enum ir_cond cond = i->op == IR_umin ? IRC_ULT : i->op == IR_umax ? IRC_UGT : i->op == IR_smin ? IRC_SLT : IRC_SGT;
	return ir_select(c, ir_cmp(c, IR_icmp, cond, i->args[0], i->args[1]), i->args[0], i->args[1]);
}

static I *bitsel64(C *c, I *i)
{
	I *r[2];
	for (uint32_t k = 0; k < 2; k++)
		r[k] = ir_b3(c, IR_bitsel, 32, ir_unpack(c, 32, i->args[0], k), ir_unpack(c, 32, i->args[1], k),
			     ir_unpack(c, 32, i->args[2], k));
	return ir_pack64(c, r[0], r[1]);
}

/* x << n | y >> 64 - n, which rotations are: two funnel shifts. */
static I *funnel64(C *c, I *i)
{
	I *l = i->args[0]->op == IR_shl ? i->args[0] : i->args[1], *r = l == i->args[0] ? i->args[1] : i->args[0];
	if (l->op != IR_shl || r->op != IR_shr || l->args[1]->op != IR_const || r->args[1]->op != IR_const)
		return NULL;
	uint32_t n = l->args[1]->imm & 63, m = r->args[1]->imm & 63;
	if (n + m != 64)
		return NULL;
	I *words[4] = {ir_lo32(c, r->args[0]), ir_hi32(c, r->args[0]), ir_lo32(c, l->args[0]), ir_hi32(c, l->args[0])};
	I **first = words + m / 32, *by = ir_c32(c, m % 32);
	return ir_pack64(c, ir_b3(c, IR_fshr, 32, first[0], first[1], by), ir_b3(c, IR_fshr, 32, first[1], first[2], by));
}

static I *carry64(C *c, I *i)
{
	I *x = i->args[0], *y = i->args[1], *in;
	switch (i->op) {
	case IR_uaddc:
		in = ir_b2(c, IR_uaddc, 1, ir_lo32(c, x), ir_lo32(c, y));
		return ir_b3(c, IR_addcc, 1, ir_hi32(c, x), ir_hi32(c, y), in);
	case IR_usubb:
		return ir_cmp(c, IR_icmp, IRC_ULT, x, y);
	case IR_addc:
		return ir_b2(c, IR_add, 64, ir_b2(c, IR_add, 64, x, y), zext64(c, i->args[2]));
	case IR_subb:
		return ir_b2(c, IR_sub, 64, ir_b2(c, IR_sub, 64, x, y), zext64(c, i->args[2]));
	case IR_addcc:
		in = ir_b3(c, IR_addcc, 1, ir_lo32(c, x), ir_lo32(c, y), i->args[2]);
		return ir_b3(c, IR_addcc, 1, ir_hi32(c, x), ir_hi32(c, y), in);
	default:
		in = ir_b2(c, IR_and, 1, ir_cmp(c, IR_icmp, IRC_EQ, x, y), i->args[2]);
		return ir_b2(c, IR_or, 1, ir_cmp(c, IR_icmp, IRC_ULT, x, y), in);
	}
}

static I *wide_op(C *c, I *i)
{
	I *x = i->args[0], *s;
	switch (i->op) {
	case IR_mul:
		return mul64(c, x, i->args[1]);
	case IR_or:
		return funnel64(c, i);
	case IR_umulhi:
		return umulhi64(c, x, i->args[1]);
	case IR_smulhi:
		return smulhi64(c, x, i->args[1]);
	case IR_umin:
	case IR_umax:
	case IR_smin:
	case IR_smax:
		return extremum64(c, i);
	case IR_brev:
		return ir_pack64(c, ir_b1(c, IR_brev, 32, ir_hi32(c, x)), ir_b1(c, IR_brev, 32, ir_lo32(c, x)));
	case IR_iabs:
		s = sign64(c, x);
		return ir_b2(c, IR_sub, 64, ir_b2(c, IR_xor, 64, x, s), s);
	case IR_bitsel:
		return bitsel64(c, i);
	case IR_uaddc:
	case IR_usubb:
	case IR_addc:
	case IR_subb:
	case IR_addcc:
	case IR_subbb:
		return carry64(c, i);
	default:
		return NULL;
	}
}

static I *to_predicate(C *c, I *x)
{
	if (x->width == 64)
		x = ir_lo32(c, x);
	else if (x->width < 32)
		x = any32(c, x);
	return ir_cmp(c, IR_icmp, IRC_NE, ir_b2(c, IR_and, 32, x, ir_c32(c, 1)), ir_c32(c, 0));
}

static I *compare_predicates(C *c, I *i)
{
	I *x = i->args[0], *y = i->args[1];
	switch (i->cond) {
	case IRC_EQ:
		return ir_b1(c, IR_not, 1, ir_b2(c, IR_xor, 1, x, y));
	case IRC_NE:
		return ir_b2(c, IR_xor, 1, x, y);
	case IRC_ULT:
	case IRC_SGT:
		return ir_b2(c, IR_and, 1, ir_b1(c, IR_not, 1, x), y);
	case IRC_UGT:
	case IRC_SLT:
		return ir_b2(c, IR_and, 1, x, ir_b1(c, IR_not, 1, y));
	case IRC_ULE:
	case IRC_SGE:
		return ir_b2(c, IR_or, 1, ir_b1(c, IR_not, 1, x), y);
	default:
		return ir_b2(c, IR_or, 1, x, ir_b1(c, IR_not, 1, y));
	}
}

static I *lower(C *c, I *i)
{
	uint32_t w = i->nargs ? i->args[0]->width : 0;
	if (i->op == IR_trunc && i->width == 1)
		return to_predicate(c, i->args[0]);
	if (i->op == IR_select)
		return shift_or_zero(c, i);
	if (!(ir_op_info[i->op].flags & IRF_PURE) || ir_op_info[i->op].flags & IRF_FLOAT)
		return NULL;
	if (i->op == IR_icmp && w == 1)
		return compare_predicates(c, i);
	if (i->op == IR_icmp && w < 32)
		return narrow_icmp(c, i);
	if (w > 1 && w < 32)
		return narrow_op(c, i);
	if ((i->op == IR_udiv || i->op == IR_sdiv || i->op == IR_urem || i->op == IR_srem))
		return ir_lower_div(c, i);
	return w == 64 ? wide_op(c, i) : NULL;
}

void ir_legal_int(struct ir_func *f)
{
	ir_lower_all(f, lower);
}
