/* ir_simplify: rules of integer arithmetic, logic, shifts. */
#include "ir/ir_simplify.h"

static struct ir_inst *log2_of(struct ir_func *f, const struct ir_inst *x)
{
	return ir_const(f, 32, (uint64_t)__builtin_ctzll(x->imm));
}

struct ir_inst *ir_rule_add(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	if (is_c(y, 0))
		return x;
	if (y->op == IR_const && by_const(x, IR_add))
		return become2(i, IR_add, x->args[0], ir_const(f, i->width, x->args[1]->imm + y->imm));
	if (y->op == IR_const && (x->op == IR_symaddr || x->op == IR_paramaddr) && i->width == x->width) {
		i->op = x->op;
		i->nargs = 0;
		i->sym = x->sym;
		i->imm = (x->imm + y->imm) & ir_mask(i->width);
		return i;
	}
	if (x->op == IR_sub && x->args[1] == y)
		return x->args[0];
	if (y->op == IR_sub && y->args[1] == x)
		return y->args[0];
	if (x->op == IR_sub && is_c(x->args[0], 0))
		return become2(i, IR_sub, y, x->args[1]);
	if (y->op == IR_sub && is_c(y->args[0], 0))
		return become2(i, IR_sub, x, y->args[1]);
	for (uint32_t k = 0; k < 2; k++) {
		struct ir_inst *s = i->args[k];
		if ((s->op == IR_sad || s->op == IR_sad8 || s->op == IR_sad16) && is_c(s->args[2], 0))
			return become3(f, i, (enum ir_op)s->op, s->args[0], s->args[1], i->args[1 - k]);
	}
	return NULL;
}

static bool same_pair(const struct ir_inst *x, const struct ir_inst *y)
{
	return (x->args[0] == y->args[0] && x->args[1] == y->args[1]) || (x->args[0] == y->args[1] && x->args[1] == y->args[0]);
}

struct ir_inst *ir_rule_sub(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	if (x == y)
		return ir_const(f, i->width, 0);
	if (y->op == IR_const)
		return become2(i, IR_add, x, ir_const(f, i->width, -y->imm));
	if (is_ones(x))
		return become1(i, IR_not, y);
	if (y->op == IR_sub && is_c(y->args[0], 0))
		return become2(i, IR_add, x, y->args[1]);
	if (x->op == IR_add && x->args[0] == y)
		return x->args[1];
	if (x->op == IR_add && x->args[1] == y)
		return x->args[0];
	if (i->width == 32 && x->op == IR_umax && y->op == IR_umin && same_pair(x, y))
		return become3(f, i, IR_sad, x->args[0], x->args[1], ir_const(f, 32, 0));
	return NULL;
}

struct ir_inst *ir_rule_mul(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	if (is_c(y, 0))
		return y;
	if (is_c(y, 1))
		return x;
	if (is_ones(y))
		return become2(i, IR_sub, ir_const(f, i->width, 0), x);
	if (is_pow2(y))
		return become2(i, IR_shl, x, log2_of(f, y));
	if (y->op == IR_const && by_const(x, IR_mul))
		return become2(i, IR_mul, x->args[0], ir_const(f, i->width, x->args[1]->imm * y->imm));
	if (y->op == IR_const && by_const(x, IR_shl))
		return become2(i, IR_mul, x->args[0], ir_const(f, i->width, y->imm << (x->args[1]->imm & (i->width - 1u))));
	return NULL;
}

struct ir_inst *ir_rule_mulwide(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	if (is_c(y, 0))
		return ir_const(f, i->width, 0);
	if (is_c(y, 1))
		return become1(i, i->op == IR_umulwide ? IR_zext : IR_sext, x);
	if (i->op == IR_smulwide && !((ir_possible_bits(x) | ir_possible_bits(y)) >> (x->width - 1)))
		return become2(i, IR_umulwide, x, y);
	return NULL;
}

struct ir_inst *ir_rule_umulhi(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *y = i->args[1];
	if (is_c(y, 0) || is_c(y, 1))
		return ir_const(f, i->width, 0);
	if (is_pow2(y))
		return become2(i, IR_shr, i->args[0], ir_const(f, 32, i->width - (uint64_t)__builtin_ctzll(y->imm)));
	return NULL;
}

struct ir_inst *ir_rule_umadhi(struct ir_func *f, struct ir_inst *i)
{
	uint64_t x = ir_possible_bits(i->args[0]), y = ir_possible_bits(i->args[1]), z = ir_possible_bits(i->args[2]);
	return ((unsigned __int128)x * y + z) >> 64 ? NULL : ir_const(f, 32, 0);
}

struct ir_inst *ir_rule_divrem(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	bool div = i->op == IR_udiv || i->op == IR_sdiv, is_signed = i->op == IR_sdiv || i->op == IR_srem;
	if (is_c(y, 1))
		return div ? x : ir_const(f, i->width, 0);
	if (is_signed || !is_pow2(y))
		return NULL;
	if (div)
		return become2(i, IR_shr, x, log2_of(f, y));
	return become2(i, IR_and, x, ir_const(f, i->width, y->imm - 1));
}

struct ir_inst *ir_rule_and(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	if (is_c(y, 0) || x == y)
		return y;
	if (is_ones(y))
		return x;
	if (y->op == IR_const && !(ir_possible_bits(x) & ~y->imm))
		return x;
	if (y->op == IR_const && !(ir_possible_bits(x) & y->imm))
		return ir_const(f, i->width, 0);
	if (y->op == IR_const && by_const(x, IR_and))
		return become2(i, IR_and, x->args[0], ir_const(f, i->width, x->args[1]->imm & y->imm));
	if ((x->op == IR_not && x->args[0] == y) || (y->op == IR_not && y->args[0] == x))
		return ir_const(f, i->width, 0);
	return NULL;
}

struct ir_inst *ir_rule_or(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	if (is_c(y, 0) || x == y)
		return x;
	if (is_ones(y))
		return y;
	if (y->op == IR_const && by_const(x, IR_or))
		return become2(i, IR_or, x->args[0], ir_const(f, i->width, x->args[1]->imm | y->imm));
	if ((x->op == IR_not && x->args[0] == y) || (y->op == IR_not && y->args[0] == x))
		return ir_const(f, i->width, ~(uint64_t)0);
	return NULL;
}

struct ir_inst *ir_rule_xor(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	if (x == y)
		return ir_const(f, i->width, 0);
	if (is_c(y, 0))
		return x;
	if (is_ones(y))
		return become1(i, IR_not, x);
	if (y->op == IR_const && by_const(x, IR_xor))
		return become2(i, IR_xor, x->args[0], ir_const(f, i->width, x->args[1]->imm ^ y->imm));
	if (x->op == IR_xor && (x->args[0] == y || x->args[1] == y))
		return x->args[x->args[0] == y];
	if (y->op == IR_xor && (y->args[0] == x || y->args[1] == x))
		return y->args[y->args[0] == x];
	return NULL;
}

struct ir_inst *ir_rule_shift(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	uint32_t w = i->width;
	if (is_c(x, 0))
		return x;
	if (by_const(y, IR_and) && (y->args[1]->imm & (w - 1)) == w - 1) {
		i->args[1] = y->args[0];
		return i;
	}
	if (y->op != IR_const)
		return NULL;
	uint32_t n = (uint32_t)y->imm & (w - 1);
	if (!n)
		return x;
	if (n != y->imm) {
		i->args[1] = ir_const(f, 32, n);
		return i;
	}
	if (by_const(x, (enum ir_op)i->op)) {
		uint32_t sum = n + ((uint32_t)x->args[1]->imm & (w - 1));
		if (sum < w)
			return become2(i, (enum ir_op)i->op, x->args[0], ir_const(f, 32, sum));
		if (i->op == IR_sar)
			return become2(i, IR_sar, x->args[0], ir_const(f, 32, w - 1));
		return ir_const(f, w, 0);
	}
	if (i->op == IR_shr && x->op == IR_shl && x->args[1] == y)
		return become2(i, IR_and, x->args[0], ir_const(f, w, ir_mask(w) >> n));
	if (i->op == IR_shl && (x->op == IR_shr || x->op == IR_sar) && x->args[1] == y)
		return become2(i, IR_and, x->args[0], ir_const(f, w, ir_mask(w) << n));
	if (i->op == IR_shr && !(ir_possible_bits(x) >> n))
		return ir_const(f, w, 0);
	if (i->op == IR_sar && !(ir_possible_bits(x) >> (w - 1)))
		return become2(i, IR_shr, x, y);
	return NULL;
}

struct ir_inst *ir_rule_fshr(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *lo = i->args[0], *hi = i->args[1], *n = i->args[2];
	if (n->op != IR_const)
		return NULL;
	uint32_t k = n->imm & 31;
	if (!k)
		return lo;
	if (is_c(hi, 0))
		return become2(i, IR_shr, lo, ir_const(f, 32, k));
	if (is_c(lo, 0))
		return become2(i, IR_shl, hi, ir_const(f, 32, 32 - k));
	return NULL;
}

struct ir_inst *ir_rule_minmax(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	uint64_t top = (uint64_t)1 << (i->width - 1), bits;
	(void)f;
	if (x == y)
		return x;
	if (y->op != IR_const)
		return NULL;
	bits = ir_possible_bits(x);
	if (!(bits >> (i->width - 1)) && i->op == IR_smax && is_c(y, 0))
		return x;
	if (i->op == IR_smin || i->op == IR_smax) {
		int64_t most = (int64_t)(ir_mask(ir_signed_bits(x)) >> 1), bound = ir_sext(y->imm, i->width);
		if (i->op == IR_smin ? bound >= most : bound <= ~most)
			return x;
	}
	if (bits <= y->imm && (i->op == IR_umin || (i->op == IR_smin && y->imm < top)))
		return x;
	switch (i->op) {
	case IR_umin:
		return is_c(y, 0) ? y : is_ones(y) ? x : NULL;
	case IR_umax:
		return is_c(y, 0) ? x : is_ones(y) ? y : NULL;
	case IR_smin:
		return is_c(y, top) ? y : is_c(y, top - 1) ? x : NULL;
	default:
		return is_c(y, top) ? x : is_c(y, top - 1) ? y : NULL;
	}
}

struct ir_inst *ir_rule_carry(struct ir_func *f, struct ir_inst *i)
{
	switch (i->op) {
	case IR_uaddc:
	case IR_usubb:
		return is_c(i->args[1], 0) ? truth(f, false) : NULL;
	case IR_addc:
		return is_c(i->args[2], 0) ? become2(i, IR_add, i->args[0], i->args[1]) : NULL;
	case IR_subb:
		return is_c(i->args[2], 0) ? become2(i, IR_sub, i->args[0], i->args[1]) : NULL;
	case IR_addcc:
		return is_c(i->args[2], 0) ? become2(i, IR_uaddc, i->args[0], i->args[1]) : NULL;
	default:
		return is_c(i->args[2], 0) ? become2(i, IR_usubb, i->args[0], i->args[1]) : NULL;
	}
}

struct ir_inst *ir_rule_bfe(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *at = i->args[1], *n = i->args[2];
	if (n->op == IR_const && !(n->imm & 31))
		return ir_const(f, i->width, 0);
	if (at->op != IR_const || n->op != IR_const)
		return NULL;
	uint32_t offset = at->imm & 31, width = n->imm & 31;
	if (!offset && (i->op == IR_sbfe ? ir_signed_bits(x) <= width : !(ir_possible_bits(x) & ~ir_mask(width))))
		return x;
	if (offset + width >= 32)
		return become2(i, i->op == IR_ubfe ? IR_shr : IR_sar, x, ir_const(f, 32, offset));
	if (!offset && i->op == IR_ubfe)
		return become2(i, IR_and, x, ir_const(f, 32, ir_mask(width)));
	return NULL;
}

struct ir_inst *ir_rule_perm(struct ir_func *f, struct ir_inst *i)
{
	(void)f;
	if (is_c(i->args[2], 0x03020100))
		return i->args[1];
	if (is_c(i->args[2], 0x07060504))
		return i->args[0];
	return NULL;
}

struct ir_inst *ir_rule_bitsel(struct ir_func *f, struct ir_inst *i)
{
	(void)f;
	if (is_c(i->args[0], 0))
		return i->args[2];
	if (is_ones(i->args[0]))
		return i->args[1];
	return i->args[1] == i->args[2] ? i->args[1] : NULL;
}

struct ir_inst *ir_rule_brev(struct ir_func *f, struct ir_inst *i)
{
	(void)f;
	return i->args[0]->op == IR_brev ? i->args[0]->args[0] : NULL;
}

/* Leading zeros of the reversed word are trailing ones. */
struct ir_inst *ir_rule_clz(struct ir_func *f, struct ir_inst *i)
{
	(void)f;
	return i->args[0]->op == IR_brev ? become1(i, i->op == IR_clz ? IR_ctz : IR_clz, i->args[0]->args[0]) : NULL;
}
