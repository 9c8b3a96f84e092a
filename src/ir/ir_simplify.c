/* Algebra on one instruction, as it is built and again by ir_combine.
 *
 * A rule looks at the arguments' definitions and returns an older value or a constant, or rewrites the instruction in place into
 * a cheaper one over older values. It never makes a new instruction, so it costs nothing but the look.
 * Canonical forms that the rules and other passes rely on: constants right; sub by a constant is add; the first piece of a
 * value of 64 bits or less is trunc; pack with zeros above is zext; not of a comparison is the inverse comparison; xor with all
 * ones is not; multiplication by a power of two is shl. */
#include "ir/ir_fold.h"
#include "ir/ir_legal.h"

/* A rule's answer: NULL, nothing to do; i itself, rewritten, look again; else the replacement. */
typedef struct ir_inst *rule(struct ir_func *f, struct ir_inst *i);

static bool is_c(const struct ir_inst *x, uint64_t bits)
{
	return x->op == IR_const && x->imm == (bits & ir_mask(x->width));
}

static bool is_ones(const struct ir_inst *x)
{
	return is_c(x, ~(uint64_t)0);
}

static bool is_pow2(const struct ir_inst *x)
{
	return x->op == IR_const && x->imm && !(x->imm & (x->imm - 1));
}

static struct ir_inst *log2_of(struct ir_func *f, const struct ir_inst *x)
{
	return ir_const(f, 32, (uint64_t)__builtin_ctzll(x->imm));
}

static struct ir_inst *become1(struct ir_inst *i, enum ir_op op, struct ir_inst *x)
{
	i->op = (uint16_t)op;
	i->nargs = 1;
	i->args[0] = x;
	i->imm = 0;
	return i;
}

static struct ir_inst *become2(struct ir_inst *i, enum ir_op op, struct ir_inst *x, struct ir_inst *y)
{
	i->op = (uint16_t)op;
	i->nargs = 2;
	i->args[0] = x;
	i->args[1] = y;
	i->imm = 0;
	return i;
}

/* i may have been made with room for fewer arguments. */
static struct ir_inst *become3(struct ir_func *f, struct ir_inst *i, enum ir_op op, struct ir_inst *x, struct ir_inst *y, struct ir_inst *z)
{
	i->args = NEWN(f->arena, struct ir_inst *, 3);
	become2(i, op, x, y);
	i->nargs = 3;
	i->args[2] = z;
	return i;
}

/* i has an argument that is `op` by a constant (canonically its args[1]). */
static bool by_const(const struct ir_inst *x, enum ir_op op)
{
	return x->op == op && x->args[1]->op == IR_const;
}

static struct ir_inst *rule_add(struct ir_func *f, struct ir_inst *i)
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

static struct ir_inst *rule_sub(struct ir_func *f, struct ir_inst *i)
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

static struct ir_inst *rule_mul(struct ir_func *f, struct ir_inst *i)
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

static struct ir_inst *rule_mulwide(struct ir_func *f, struct ir_inst *i)
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

static struct ir_inst *rule_umulhi(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *y = i->args[1];
	if (is_c(y, 0) || is_c(y, 1))
		return ir_const(f, i->width, 0);
	if (is_pow2(y))
		return become2(i, IR_shr, i->args[0], ir_const(f, 32, i->width - (uint64_t)__builtin_ctzll(y->imm)));
	return NULL;
}

static struct ir_inst *rule_umadhi(struct ir_func *f, struct ir_inst *i)
{
	uint64_t x = ir_possible_bits(i->args[0]), y = ir_possible_bits(i->args[1]), z = ir_possible_bits(i->args[2]);
	return ((unsigned __int128)x * y + z) >> 64 ? NULL : ir_const(f, 32, 0);
}

static struct ir_inst *rule_divrem(struct ir_func *f, struct ir_inst *i)
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

static struct ir_inst *rule_and(struct ir_func *f, struct ir_inst *i)
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

static struct ir_inst *rule_or(struct ir_func *f, struct ir_inst *i)
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

static struct ir_inst *rule_xor(struct ir_func *f, struct ir_inst *i)
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

static const uint8_t inverse[IRC_COUNT] = {
	[IRC_EQ] = IRC_NE,      [IRC_NE] = IRC_EQ,      [IRC_SLT] = IRC_SGE,   [IRC_SLE] = IRC_SGT,   [IRC_SGT] = IRC_SLE,
	[IRC_SGE] = IRC_SLT,    [IRC_ULT] = IRC_UGE,    [IRC_ULE] = IRC_UGT,   [IRC_UGT] = IRC_ULE,   [IRC_UGE] = IRC_ULT,
	[IRC_FEQ] = IRC_FNEU,   [IRC_FNE] = IRC_FEQU,   [IRC_FLT] = IRC_FGEU,  [IRC_FLE] = IRC_FGTU,  [IRC_FGT] = IRC_FLEU,
	[IRC_FGE] = IRC_FLTU,   [IRC_FEQU] = IRC_FNE,   [IRC_FNEU] = IRC_FEQ,  [IRC_FLTU] = IRC_FGE,  [IRC_FLEU] = IRC_FGT,
	[IRC_FGTU] = IRC_FLE,   [IRC_FGEU] = IRC_FLT,   [IRC_NUM] = IRC_NAN,   [IRC_NAN] = IRC_NUM};
static const uint8_t swapped[IRC_COUNT] = {
	[IRC_EQ] = IRC_EQ,      [IRC_NE] = IRC_NE,      [IRC_SLT] = IRC_SGT,   [IRC_SLE] = IRC_SGE,   [IRC_SGT] = IRC_SLT,
	[IRC_SGE] = IRC_SLE,    [IRC_ULT] = IRC_UGT,    [IRC_ULE] = IRC_UGE,   [IRC_UGT] = IRC_ULT,   [IRC_UGE] = IRC_ULE,
	[IRC_FEQ] = IRC_FEQ,    [IRC_FNE] = IRC_FNE,    [IRC_FLT] = IRC_FGT,   [IRC_FLE] = IRC_FGE,   [IRC_FGT] = IRC_FLT,
	[IRC_FGE] = IRC_FLE,    [IRC_FEQU] = IRC_FEQU,  [IRC_FNEU] = IRC_FNEU, [IRC_FLTU] = IRC_FGTU, [IRC_FLEU] = IRC_FGEU,
	[IRC_FGTU] = IRC_FLTU,  [IRC_FGEU] = IRC_FLEU,  [IRC_NUM] = IRC_NUM,   [IRC_NAN] = IRC_NAN};

static struct ir_inst *rule_not(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0];
	if (x->op == IR_not)
		return x->args[0];
	if (x->op == IR_icmp || x->op == IR_fcmp) {
		i->cond = inverse[x->cond];
		i->ftz = x->ftz;
		struct ir_inst *y = x->args[1];
		/* i was made with room for one argument */
		struct ir_inst **args = NEWN(f->arena, struct ir_inst *, 2);
		i->args = args;
		return become2(i, (enum ir_op)x->op, x->args[0], y);
	}
	return NULL;
}

static struct ir_inst *rule_shift(struct ir_func *f, struct ir_inst *i)
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

static struct ir_inst *rule_fshr(struct ir_func *f, struct ir_inst *i)
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

static struct ir_inst *rule_minmax(struct ir_func *f, struct ir_inst *i)
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

static struct ir_inst *rule_zext(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0];
	if (x->op == IR_zext)
		return become1(i, IR_zext, x->args[0]);
	(void)f;
	if (x->op == IR_trunc && i->width == 32 && x->args[0]->width == 32) {
		uint64_t mask = ir_mask(x->width);
		if (!(ir_possible_bits(x->args[0]) & ~mask))
			return x->args[0];
	}
	return NULL;
}

static struct ir_inst *rule_sext(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0];
	(void)f;
	if (x->op == IR_zext || x->op == IR_sext)
		return become1(i, (enum ir_op)x->op, x->args[0]);
	if (x->width > 1 && x->width <= 64 && !(ir_possible_bits(x) >> (x->width - 1)))
		return become1(i, IR_zext, x);
	if (x->op == IR_trunc && x->args[0]->width == i->width && ir_signed_bits(x->args[0]) <= x->width)
		return x->args[0];
	return NULL;
}

static struct ir_inst *rule_trunc(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0];
	switch (x->op) {
	case IR_zext:
	case IR_sext:
		if (x->args[0]->width == i->width)
			return x->args[0];
		return become1(i, x->args[0]->width > i->width ? IR_trunc : (enum ir_op)x->op, x->args[0]);
	case IR_trunc:
		return become1(i, IR_trunc, x->args[0]);
	case IR_pack:
		if (x->args[0]->width == i->width)
			return x->args[0];
		return x->args[0]->width > i->width ? become1(i, IR_trunc, x->args[0]) : NULL;
	case IR_and:
		if (x->args[1]->op == IR_const && (x->args[1]->imm & ir_mask(i->width)) == ir_mask(i->width))
			return become1(i, IR_trunc, x->args[0]);
		return NULL;
	case IR_unpack:
		if (i->width > 1 && x->width % i->width == 0) {
			uint64_t index = x->imm * (x->width / i->width);
			become1(i, IR_unpack, x->args[0]);
			i->imm = index;
			return i;
		}
		return NULL;
	case IR_shr:
	case IR_sar:
		if (x->args[1]->op == IR_const && i->width > 1 && x->args[1]->imm % i->width == 0 &&
		    x->args[1]->imm + i->width <= x->width) {
			uint64_t index = x->args[1]->imm / i->width;
			become1(i, IR_unpack, x->args[0]);
			i->imm = index;
			return i;
		}
		return NULL;
	case IR_undef:
		return ir_undef(f, i->width);
	}
	return NULL;
}

static struct ir_inst *rule_unpack(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0];
	uint32_t w = i->width, at = 0, from = (uint32_t)i->imm * w;
	if (w == x->width)
		return x;
	if (!i->imm && x->width <= 64)
		return become1(i, IR_trunc, x);
	switch (x->op) {
	case IR_undef:
		return ir_undef(f, w);
	case IR_pack:
		for (uint32_t k = 0; k < x->nargs; at += x->args[k++]->width) {
			uint32_t inside = x->args[k]->width;
			if (from < at || from + w > at + inside || (from - at) % w)
				continue;
			i->args[0] = x->args[k];
			i->imm = (from - at) / w;
			return i;
		}
		return NULL;
	case IR_unpack:
		i->args[0] = x->args[0];
		i->imm = (x->imm * x->width + from) / w;
		return i;
	case IR_zext:
		if (from >= x->args[0]->width)
			return ir_const(f, w, 0);
		if (from + w <= x->args[0]->width) {
			i->args[0] = x->args[0];
			return i;
		}
		return NULL;
	case IR_shl:
		if (x->args[1]->op != IR_const)
			return NULL;
		at = (uint32_t)x->args[1]->imm & (x->width - 1u);
		if (at >= from + w)
			return ir_const(f, w, 0);
		if (from < at || (from - at) % w)
			return NULL;
		i->args[0] = x->args[0];
		i->imm = (from - at) / w;
		return i;
	}
	return NULL;
}

/* Is x piece k of width w of some value? That value, or NULL. */
static struct ir_inst *piece_of(struct ir_inst *x, uint32_t k)
{
	if (x->op == IR_unpack && x->imm == k)
		return x->args[0];
	if (x->op == IR_trunc && !k)
		return x->args[0];
	return NULL;
}

static struct ir_inst *rule_pack(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *whole;
	bool zeros = i->nargs > 1, undefs = true, rest_undef = true;
	if (i->nargs == 1)
		return i->args[0];
	whole = piece_of(i->args[0], 0);
	for (uint32_t k = 0; k < i->nargs; k++) {
		struct ir_inst *x = i->args[k];
		if (k && !is_c(x, 0))
			zeros = false;
		if (x->op != IR_undef)
			undefs = false;
		if (k && x->op != IR_undef)
			rest_undef = false;
		if (whole && (x->width != i->args[0]->width || piece_of(x, k) != whole))
			whole = NULL;
	}
	if (whole && whole->width == i->width)
		return whole;
	if (undefs)
		return ir_undef(f, i->width);
	if (rest_undef && piece_of(i->args[0], 0) && piece_of(i->args[0], 0)->width == i->width)
		return piece_of(i->args[0], 0);
	if (zeros && i->width <= 64)
		return become1(i, IR_zext, i->args[0]);
	if (i->nargs == 2 && i->width <= 64 && i->args[1]->op == IR_sar && i->args[1]->args[0] == i->args[0] &&
	    is_c(i->args[1]->args[1], i->args[0]->width - 1u))
		return become1(i, IR_sext, i->args[0]);
	return NULL;
}

static struct ir_inst *rule_select(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *c = i->args[0], *x = i->args[1], *y = i->args[2];
	(void)f;
	if (c->op == IR_const)
		return c->imm ? x : y;
	if (x == y)
		return x;
	if (x->op == IR_undef)
		return y;
	if (y->op == IR_undef)
		return x;
	if (c->op == IR_not) {
		i->args[0] = c->args[0];
		i->args[1] = y;
		i->args[2] = x;
		return i;
	}
	if (x->op == IR_select && x->args[0] == c) {
		i->args[1] = x->args[1];
		return i;
	}
	if (y->op == IR_select && y->args[0] == c) {
		i->args[2] = y->args[2];
		return i;
	}
	if (c->op == IR_icmp && i->width == 32 && c->args[0]->width == 32) {
		static const uint8_t extremum[][2] = {{IR_smin, IR_smax}, {IR_smin, IR_smax}, {IR_smax, IR_smin}, {IR_smax, IR_smin},
						      {IR_umin, IR_umax}, {IR_umin, IR_umax}, {IR_umax, IR_umin}, {IR_umax, IR_umin}};
		bool straight = c->args[0] == x && c->args[1] == y;
		if (c->cond >= IRC_SLT && (straight || (c->args[0] == y && c->args[1] == x)))
			return become2(i, (enum ir_op)extremum[c->cond - IRC_SLT][!straight], x, y);
	}
	if (i->width != 1)
		return NULL;
	if (is_c(x, 1))
		return is_c(y, 0) ? c : become2(i, IR_or, c, y);
	if (is_c(y, 0))
		return become2(i, IR_and, c, x);
	if (is_c(x, 0) && is_c(y, 1))
		return become1(i, IR_not, c);
	return NULL;
}

static struct ir_inst *truth(struct ir_func *f, bool x)
{
	return ir_const(f, 1, x);
}

/* Comparisons with a constant on the right. */
static struct ir_inst *icmp_const(struct ir_func *f, struct ir_inst *i, struct ir_inst *x, struct ir_inst *y)
{
	bool eq = i->cond == IRC_EQ, ne = i->cond == IRC_NE;
	uint64_t bits = ir_possible_bits(x);
	if (i->cond == IRC_ULT && y->imm > bits)
		return truth(f, true);
	if (i->cond == IRC_UGT && y->imm >= bits)
		return truth(f, false);
	if ((i->cond == IRC_UGE && !y->imm) || (i->cond == IRC_ULE && y->imm >= bits))
		return truth(f, true);
	if (i->cond == IRC_ULT && !y->imm)
		return truth(f, false);
	if (!eq && !ne)
		return NULL;
	if (y->imm & ~bits)
		return truth(f, ne);
	if (x->width == 1) {
		if (eq == (y->imm != 0))
			return x;
		return become1(i, IR_not, x);
	}
	if (by_const(x, IR_add))
		return become2(i, IR_icmp, x->args[0], ir_const(f, x->width, y->imm - x->args[1]->imm));
	if (x->op == IR_zext && x->args[0]->width == 1) {
		if (eq == (y->imm != 0))
			return x->args[0];
		return become1(i, IR_not, x->args[0]);
	}
	if (x->op == IR_sub && !y->imm)
		return become2(i, IR_icmp, x->args[0], x->args[1]);
	if (x->op == IR_xor && !y->imm)
		return become2(i, IR_icmp, x->args[0], x->args[1]);
	if (x->op == IR_select && x->args[1]->op == IR_const && x->args[2]->op == IR_const) {
		bool t = (x->args[1]->imm == y->imm) == eq, e = (x->args[2]->imm == y->imm) == eq;
		if (t == e)
			return truth(f, t);
		return t ? x->args[0] : become1(i, IR_not, x->args[0]);
	}
	return NULL;
}

static struct ir_inst *rule_icmp(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	if (x == y)
		return truth(f, i->cond == IRC_EQ || i->cond == IRC_SLE || i->cond == IRC_SGE || i->cond == IRC_ULE ||
					i->cond == IRC_UGE);
	if (x->op == IR_const) {
		i->args[0] = y;
		i->args[1] = x;
		i->cond = swapped[i->cond];
		return i;
	}
	if (y->op == IR_const)
		return icmp_const(f, i, x, y);
	uint32_t narrow = x->op == IR_zext && y->op == IR_zext && x->args[0]->width == y->args[0]->width ? x->args[0]->width : 0;
	if (i->cond <= IRC_NE && (narrow == 1 || narrow == 32)) /* no comparison of 16 bits: ir_legal_int widens them */
		return become2(i, IR_icmp, x->args[0], y->args[0]);
	return NULL;
}

static struct ir_inst *rule_fcmp(struct ir_func *f, struct ir_inst *i)
{
	(void)f;
	if (i->args[0]->op != IR_const || i->args[1]->op == IR_const)
		return NULL;
	struct ir_inst *x = i->args[0];
	i->args[0] = i->args[1];
	i->args[1] = x;
	i->cond = swapped[i->cond];
	return i;
}

static struct ir_inst *rule_carry(struct ir_func *f, struct ir_inst *i)
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

static struct ir_inst *rule_bfe(struct ir_func *f, struct ir_inst *i)
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

static struct ir_inst *rule_perm(struct ir_func *f, struct ir_inst *i)
{
	(void)f;
	if (is_c(i->args[2], 0x03020100))
		return i->args[1];
	if (is_c(i->args[2], 0x07060504))
		return i->args[0];
	return NULL;
}

static struct ir_inst *rule_bitsel(struct ir_func *f, struct ir_inst *i)
{
	(void)f;
	if (is_c(i->args[0], 0))
		return i->args[2];
	if (is_ones(i->args[0]))
		return i->args[1];
	return i->args[1] == i->args[2] ? i->args[1] : NULL;
}

static struct ir_inst *rule_brev(struct ir_func *f, struct ir_inst *i)
{
	(void)f;
	return i->args[0]->op == IR_brev ? i->args[0]->args[0] : NULL;
}

/* Leading zeros of the reversed word are trailing ones. */
static struct ir_inst *rule_clz(struct ir_func *f, struct ir_inst *i)
{
	(void)f;
	return i->args[0]->op == IR_brev ? become1(i, i->op == IR_clz ? IR_ctz : IR_clz, i->args[0]->args[0]) : NULL;
}

static struct ir_inst *rule_fsign(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0];
	(void)f;
	if (i->nan || x->nan) /* made quiet on the way */
		return NULL;
	if (i->op == IR_fneg && x->op == IR_fneg)
		return x->args[0];
	if (i->op == IR_fabs && x->op == IR_fabs)
		return x;
	if (i->op == IR_fabs && x->op == IR_fneg)
		return become1(i, IR_fabs, x->args[0]);
	return NULL;
}

static uint64_t float_one(uint32_t w)
{
	return w == 16 ? 0x3c00 : w == 32 ? 0x3f800000 : 0x3ff0000000000000;
}

/* No signalling NaN. */
static bool is_quiet64(const struct ir_inst *x)
{
	return ir_op_info[x->op].flags & IRF_FLOAT && x->op != IR_fmin && x->op != IR_fmax;
}

/* i is args[0] but for the bits of a NaN. */
static struct ir_inst *same_number(struct ir_func *f, struct ir_inst *i)
{
	if (i->width == 64)
		return is_quiet64(i->args[0]) ? i->args[0] : NULL;
	if (f->nan_explicit || i->any_nan)
		return i->args[0];
	i->rnd = 0;
	i->contract = false;
	return become1(i, IR_fnan, i->args[0]);
}

/* A NaN on the right is the result of f64 arithmetic. */
static struct ir_inst *nan_right(struct ir_func *f, const struct ir_inst *i)
{
	const struct ir_inst *y = i->args[1];
	return i->width == 64 && y->op == IR_const && ir_is_nan64(y->imm) ? ir_const(f, 64, y->imm | (uint64_t)1 << 51) : NULL;
}

static struct ir_inst *rule_fmul(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *y = i->args[1];
	if (i->ftz || i->sat || i->relu)
		return NULL;
	return is_c(y, float_one(i->width)) ? same_number(f, i) : nan_right(f, i);
}

static struct ir_inst *rule_fadd(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *y = i->args[1];
	if (i->ftz || i->sat || i->relu)
		return NULL;
	return is_c(y, (uint64_t)1 << (i->width - 1)) && i->rnd != IR_RM ? same_number(f, i) : nan_right(f, i);
}

static struct ir_inst *rule_fsub(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0], *y = i->args[1];
	if (i->width != 64 || y->op != IR_const || ir_is_nan64(y->imm))
		return nan_right(f, i);
	return become2(i, IR_fadd, x, ir_const(f, 64, y->imm ^ (uint64_t)1 << 63));
}

static struct ir_inst *rule_ffma(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *y = i->args[1], *z = i->args[2];
	if (is_c(y, float_one(i->width)))
		return become2(i, IR_fadd, i->args[0], z);
	if (is_c(i->args[0], float_one(i->width)))
		return become2(i, IR_fadd, z, y);
	if (is_c(z, (uint64_t)1 << (i->width - 1)) && i->rnd != IR_RM && !i->ftz)
		return become2(i, IR_fmul, i->args[0], y);
	return nan_right(f, i);
}

static struct ir_inst *rule_spaces(struct ir_func *f, struct ir_inst *i)
{
	struct ir_inst *x = i->args[0];
	switch (i->op) {
	case IR_togeneric:
		if (i->imm == IR_GLOBAL || i->imm == IR_CONST)
			return x;
		return x->op == IR_tospace && x->imm == i->imm ? x->args[0] : NULL;
	case IR_tospace:
		if (i->width == x->width && (i->imm == IR_GLOBAL || i->imm == IR_CONST))
			return x;
		if (x->op != IR_togeneric || x->imm != i->imm)
			return NULL;
		if (x->args[0]->width == i->width)
			return x->args[0];
		return become1(i, x->args[0]->width > i->width ? IR_trunc : IR_zext, x->args[0]);
	default:
		if (x->op == IR_togeneric)
			return truth(f, x->imm == i->imm);
		if (x->op == IR_symaddr) {
			const struct ir_var *v = x->sym;
			return v->space == IR_GLOBAL || v->space == IR_CONST ? truth(f, i->imm == v->space) : NULL;
		}
		return NULL;
	}
}

static rule *const rules[IR_OP_COUNT] = {
	[IR_add] = rule_add,       [IR_sub] = rule_sub,         [IR_mul] = rule_mul,       [IR_umulwide] = rule_mulwide,
	[IR_smulwide] = rule_mulwide, [IR_umulhi] = rule_umulhi, [IR_umadhi] = rule_umadhi, [IR_udiv] = rule_divrem,  [IR_sdiv] = rule_divrem,
	[IR_urem] = rule_divrem,   [IR_srem] = rule_divrem,     [IR_and] = rule_and,       [IR_or] = rule_or,
	[IR_xor] = rule_xor,       [IR_not] = rule_not,         [IR_shl] = rule_shift,     [IR_shr] = rule_shift,
	[IR_sar] = rule_shift,     [IR_fshr] = rule_fshr,       [IR_umin] = rule_minmax,   [IR_umax] = rule_minmax,
	[IR_smin] = rule_minmax,   [IR_smax] = rule_minmax,     [IR_zext] = rule_zext,     [IR_sext] = rule_sext,
	[IR_trunc] = rule_trunc,   [IR_unpack] = rule_unpack,   [IR_pack] = rule_pack,     [IR_select] = rule_select,
	[IR_icmp] = rule_icmp,     [IR_fcmp] = rule_fcmp,       [IR_uaddc] = rule_carry,   [IR_usubb] = rule_carry,
	[IR_addc] = rule_carry,    [IR_subb] = rule_carry,      [IR_addcc] = rule_carry,   [IR_subbb] = rule_carry,
	[IR_ubfe] = rule_bfe,      [IR_sbfe] = rule_bfe,        [IR_perm] = rule_perm,     [IR_bitsel] = rule_bitsel,
	[IR_clz] = rule_clz,       [IR_ctz] = rule_clz,         [IR_brev] = rule_brev,     [IR_fneg] = rule_fsign,      [IR_fabs] = rule_fsign,    [IR_fmul] = rule_fmul,
	[IR_fadd] = rule_fadd,     [IR_fsub] = rule_fsub,       [IR_ffma] = rule_ffma,     [IR_togeneric] = rule_spaces,
	[IR_tospace] = rule_spaces, [IR_isspace] = rule_spaces,
};

static bool constant_goes_right(const struct ir_inst *i)
{
	if (!(ir_op_info[i->op].flags & IRF_COMMUTES))
		return false;
	const struct ir_inst *x = i->args[0];
	if (x->op != IR_const || i->args[1]->op == IR_const)
		return false;
	return ir_commutes(i) || (i->op != IR_ffma && !ir_is_nan64(x->imm)); /* else the order tells which NaN goes on */
}

struct ir_inst *ir_simplify(struct ir_func *f, struct ir_inst *i)
{
	uint64_t bits;
	for (;;) {
		if (i->nargs && i->args[i->nargs - 1]->op == IR_const && ir_fold_const(i, &bits))
			return ir_const(f, i->width, bits);
		if (constant_goes_right(i)) {
			struct ir_inst *x = i->args[0];
			i->args[0] = i->args[1];
			i->args[1] = x;
		}
		rule *r = rules[i->op];
		struct ir_inst *x = r ? r(f, i) : NULL;
		if (x != i)
			return x ? x : i;
	}
}
