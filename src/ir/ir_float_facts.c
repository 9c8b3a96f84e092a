/* Facts about f32 values, forward over SSA: how small they can be, of which power of two they are multiples, their sign.
 *
 * A lattice with a greatest element; values fall in it until nothing changes. One that still falls after some rounds (a sum around a loop, a
 * product by 1/2) falls to the bottom in that component. Rounding to nearest or in a direction keeps multiples of 2^g, g >= -149, and
 * lower bounds that are powers of two.
 *
 * requires: SSA; float operations as PTX has them. */
#include "ir/ir_float_facts.h"

typedef struct ir_inst I;
typedef struct ir_float_fact F;

enum { LEAST = -126, GRID = -149, NEVER = 1000 /* the bound of a value that is always zero */, ROUNDS = 6 };

static const F bottom = {LEAST, GRID, false, false, false}, top = {NEVER, NEVER, true, true, true};

static int16_t lower(int a, int b)
{
	return (int16_t)(a < b ? a : b);
}
static int16_t higher(int a, int b)
{
	return (int16_t)(a > b ? a : b);
}

/* A multiple of 2^g is zero or at least 2^g; a number of 24 bits of at least 2^e is a multiple of 2^(e - 23). */
static F closed(F x)
{
	if (x.least < LEAST)
		x.not_zero = false;
	x.least = higher(higher(x.least, x.grid), LEAST);
	x.grid = higher(higher(x.grid, x.least == NEVER ? NEVER : x.least - 23), GRID);
	return x;
}

static F meet(F x, F y)
{
	return (F){lower(x.least, y.least), lower(x.grid, y.grid), x.not_negative && y.not_negative,
		x.not_positive && y.not_positive, x.not_zero && y.not_zero};
}

static F negated(F x)
{
	return (F){x.least, x.grid, x.not_positive, x.not_negative, x.not_zero};
}

static F of_const(uint32_t bits)
{
	int e = (int)(bits >> 23 & 255);
	uint32_t m = (bits & 0x7fffff) | 0x800000;
	bool neg = bits >> 31;
	if (!e) /* zero, or flushed */
		return (F){NEVER, NEVER, true, true, false};
	if (e == 255)
		return top;
	return (F){(int16_t)(e - 127), (int16_t)(e - 150 + __builtin_ctz(m)), !neg, neg, true};
}

F ir_float_fact_of(const struct ir_float_facts *w, const I *x)
{
	if (x->width != 32)
		return bottom;
	if (x->op == IR_const)
		return of_const((uint32_t)x->imm);
	return x->block && x->id < w->n ? w->of[x->id] : bottom;
}

static const I *magnitude(const I *x)
{
	while (x->op == IR_fneg || x->op == IR_fabs)
		x = x->args[0];
	return x;
}

/* The factors differ in sign at most. */
static bool is_square(const I *x, const I *y)
{
	return magnitude(x) == magnitude(y);
}

/* The exact product: its bounds may lie below those of f32. */
static F product(F x, F y, bool same)
{
	bool never = x.least == NEVER || y.least == NEVER;
	return (F){
		.least = never ? NEVER : (int16_t)(x.least + y.least),
		.grid = never ? NEVER : (int16_t)(x.grid + y.grid),
		.not_negative = same || (x.not_negative && y.not_negative) || (x.not_positive && y.not_positive),
		.not_positive = (x.not_negative && y.not_positive) || (x.not_positive && y.not_negative),
		.not_zero = x.not_zero && y.not_zero,
	};
}

static F sum(F x, F y)
{
	if (x.least == NEVER || y.least == NEVER)
		return x.least == NEVER ? y : x;
	F r = {.grid = lower(x.grid, y.grid)};
	r.not_negative = x.not_negative && y.not_negative;
	r.not_positive = x.not_positive && y.not_positive;
	r.least = r.grid;
	if (!r.not_negative && !r.not_positive)
		return r;
	r.not_zero = x.not_zero || y.not_zero;
	int bound = lower(x.least, y.least);
	if (x.not_zero)
		bound = higher(bound, x.least);
	if (y.not_zero)
		bound = higher(bound, y.least);
	r.least = higher(r.least, bound);
	return r;
}

static F saturated(F x)
{
	return (F){lower(x.least, 0), lower(x.grid, 0), true, false, false};
}

/* max(x, y), or of the negated values min. */
static F greater(F x, F y, const I *cx, const I *cy)
{
	F r = meet(x, y);
	const I *k = cy->op == IR_const ? cy : cx->op == IR_const ? cx : NULL;
	F c = k == cy ? y : x;
	if (!k || (k->imm & 0x7fffffff) >= 0x7f800000 || !c.not_negative)
		return r;
	/* not below a constant, which wins over NaN */
	r.not_negative = true;
	if (c.not_zero) {
		r.not_zero = true;
		r.least = higher(r.least, c.least);
	}
	return r;
}

static F of_min_max(const struct ir_float_facts *w, const I *i)
{
	F x = ir_float_fact_of(w, i->args[0]), y = ir_float_fact_of(w, i->args[1]);
	if (i->op == IR_fmax)
		return greater(x, y, i->args[0], i->args[1]);
	return negated(greater(negated(x), negated(y), i->args[0], i->args[1]));
}

static F of_arithmetic(const struct ir_float_facts *w, const I *i)
{
	F x = ir_float_fact_of(w, i->args[0]), y = ir_float_fact_of(w, i->args[1]);
	bool same = i->args[0] == i->args[1];
	if (!i->ftz) /* subnormals count */
		return bottom;
	switch (i->op) {
	case IR_fadd:
		return sum(x, y);
	case IR_fsub:
		return sum(x, negated(y));
	case IR_fmul:
		return product(x, y, same);
	default:
		return sum(product(x, y, same), ir_float_fact_of(w, i->args[2]));
	}
}

static F of_function(const struct ir_float_facts *w, const I *i)
{
	F x = ir_float_fact_of(w, i->args[0]), r = bottom;
	if (!i->ftz) {
		r.least = (int16_t)(i->op == IR_fsqrt ? -76 : i->op == IR_frsqrt ? -65 : LEAST);
		r.not_negative = i->op == IR_fsqrt || i->op == IR_fex2;
		return r;
	}
	switch (i->op) {
	case IR_fsqrt:
		r.least = (int16_t)((x.least == NEVER ? 0 : (x.least - 1) / 2) - 1);
		r.not_negative = true;
		break;
	case IR_frsqrt: /* of at most 2^128 */
		r.least = -65;
		break;
	case IR_fex2:
		r.not_negative = true;
		if (x.not_negative)
			r.least = -1;
		break;
	case IR_frcp:
		r.not_negative = x.not_negative;
		r.not_positive = x.not_positive;
		break;
	case IR_fdiv:
	case IR_fdivfull: {
		F q = product(x, ir_float_fact_of(w, i->args[1]), false);
		r.not_negative = q.not_negative;
		r.not_positive = q.not_positive;
		break;
	}
	}
	return r;
}

static F of_float(const struct ir_float_facts *w, const I *i)
{
	switch (i->op) {
	case IR_fadd:
	case IR_fsub:
	case IR_fmul:
	case IR_ffma:
		return of_arithmetic(w, i);
	case IR_fmin:
	case IR_fmax:
		return of_min_max(w, i);
	case IR_fcanon:
	case IR_fnan:
		return ir_float_fact_of(w, i->args[0]);
	case IR_frint: {
		F x = ir_float_fact_of(w, i->args[0]);
		return (F){0, higher(x.grid == NEVER ? 0 : x.grid, 0), i->ftz && x.not_negative, i->ftz && x.not_positive, false};
	}
	case IR_sitofp:
	case IR_uitofp:
		return (F){0, 0, i->op == IR_uitofp, false, false};
	case IR_fpext: /* of f16, subnormals too */
		return (F){-24, -24, false, false, false};
	default:
		return of_function(w, i);
	}
}

static F transfer(const struct ir_float_facts *w, const I *i)
{
	F r = top;
	switch (i->op) {
	case IR_phi:
	case IR_select:
		for (uint32_t k = i->op == IR_select; k < i->nargs; k++)
			r = meet(r, ir_float_fact_of(w, i->args[k]));
		return r;
	case IR_fneg:
		return negated(ir_float_fact_of(w, i->args[0]));
	case IR_fabs:
		r = ir_float_fact_of(w, i->args[0]);
		r.not_negative = true;
		r.not_positive = false;
		return r;
	case IR_vcopy:
	case IR_shfl:
	case IR_bpermute:
	case IR_readlane:
	case IR_readfirstlane:
		return ir_float_fact_of(w, i->args[0]);
	case IR_bf16tof32:
		return (F){LEAST, -133, false, false, false};
	default:
		break;
	}
	if (!(ir_op_info[i->op].flags & IRF_FLOAT) || (i->op >= IR_pkfadd && i->op <= IR_pkfnan) || i->op == IR_fptosi || i->op == IR_fptoui)
		return bottom;
	r = of_float(w, i);
	if (i->sat || i->relu)
		r = saturated(r);
	return r;
}

static bool same_fact(F x, F y)
{
	return x.least == y.least && x.grid == y.grid && x.not_negative == y.not_negative && x.not_positive == y.not_positive &&
	       x.not_zero == y.not_zero;
}

static bool update(struct ir_float_facts *w, const I *i, int round)
{
	F was = w->of[i->id], now = meet(was, closed(transfer(w, i)));
	if (same_fact(was, now))
		return false;
	if (round >= ROUNDS) {
		now.least = now.least < was.least ? bottom.least : now.least;
		now.grid = now.grid < was.grid ? bottom.grid : now.grid;
	}
	w->of[i->id] = now;
	return true;
}

struct ir_float_facts ir_float_facts(struct ir_func *f)
{
	struct ir_float_facts w = {f, NEWN(f->arena, F, f->ninsts + 1), f->ninsts};
	for (uint32_t k = 0; k < w.n; k++)
		w.of[k] = top;
	bool again = true;
	for (int round = 0; again; round++) {
		again = false;
		ir_each_block(b, f) ir_each_inst(i, b) if (i->width == 32) again |= update(&w, i, round);
	}
	return w;
}

/* --- the corner --- */

/* No square rounds up to 2^-126 from below its own last place: (2^24 - 1)^2 2^-174 is below 2^-126 - 2^-149 + 2^-173. Rounded up it does. */
static bool is_safe_square(const I *i)
{
	return i->rnd == IR_RN && is_square(i->args[0], i->args[1]);
}

bool ir_float_skips_corner(const struct ir_float_facts *w, const I *i)
{
	F p = product(ir_float_fact_of(w, i->args[0]), ir_float_fact_of(w, i->args[1]), i->args[0] == i->args[1]);
	bool safe_product = p.least >= LEAST || is_safe_square(i);
	if (i->rnd == IR_RZ || p.grid >= GRID) /* rounds toward zero; is a multiple of 2^-149, as every c is */
		return true;
	if (i->op == IR_fmul)
		return safe_product;
	F c = ir_float_fact_of(w, i->args[2]);
	/* A product with bits below 2^-149 is below 2^-102, so it cannot cancel a c of 2^-101. */
	if (c.least >= -101)
		return safe_product || c.not_zero;
	bool same_sign = (p.not_negative && c.not_negative) || (p.not_positive && c.not_positive);
	return same_sign && safe_product;
}
