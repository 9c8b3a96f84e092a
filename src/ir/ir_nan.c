/* NaN bits made explicit, where they can be seen.
 *
 * Before this pass a NaN that f16 or f32 arithmetic gives is the canonical one (fnan's; ir.h); the hardware's instructions hand on an
 * operand's payload. Arithmetic and comparisons of the same type do not see the difference: memory, integer operations and arithmetic of another
 * type do. Facts about each value flow forward, and meet in phis, selects, moves and lanes' exchanges: what makes its bits right (nothing; each
 * piece of 16 or 32 bits canonicalised), which types' arithmetic takes it for what NVIDIA's would as it is, and whether it can be a NaN at all. How
 * uses see bits flows backward. A value that is seen and not right gets one fnan, in the nearest block that dominates those uses; where no way
 * makes it right, what it hands on is made right before it. Stores and loads of what ir_cells finds hand on values, too. An fnan that nobody sees goes.
 *
 * f64: a NaN operand goes on, quiet, through arithmetic on both machines. v_min and v_max alone do not quiet it; that too is done where it is
 * seen. neg and abs of PTX leave a NaN's sign as it is (`nan` on fneg, fabs), the hardware's modifiers do not. That
 * is for ir_nan_f64 where sums and products take it (`nan` on those that are seen), else done here.
 *
 * requires: SSA; operations as PTX has them, so before ir_legal_float.
 * ensures: func.nan_explicit: from here on which NaN an operation gives is unspecified (ir.h). ir_dominators.
 * source: PTX ISA, "Floating Point Instructions"; tests/conformance for what an H200 gives. */
#include "ir/ir_cells.h"
#include "ir/ir_legal.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

/* Of a value. Those with a width are of each of its pieces of that width, be they bits of a float of that type or not. */
enum fact {
	RIGHT = 1 << 0, /* the bits are NVIDIA's, if those of what it is made of that are seen through it are */
	EXACT = 1 << 1, /* they are, whether seen or not */
	/* canonicalised (of 64 bits: made quiet) it is right */
	FIX16 = 1 << 2,
	FIX32 = 1 << 3,
	FIX64 = 1 << 4,
	/* as an operand of that type the same number, or a NaN too */
	SAME16 = 1 << 5,
	SAME32 = 1 << 6,
	SAME64 = 1 << 7,
	/* no NaN */
	NUM16 = 1 << 8,
	NUM32 = 1 << 9,
	NUM64 = 1 << 10,
	FINITE = 1 << 11, /* the whole value, as a float */
	ALL = (1 << 12) - 1,
	FIX = FIX16 | FIX32 | FIX64,
	SAME = SAME16 | SAME32 | SAME64,
	NUM = NUM16 | NUM32 | NUM64,
	BITS_ALIKE = RIGHT | EXACT | SAME,
};
enum seen {
	BITS = 1,
	DIRECT = 2, /* not only through f64 arithmetic */
	SIGN = 4,   /* f64: not only by operations that ir_nan_f64 looks after */
	PLAIN = BITS | DIRECT | SIGN
};

struct nans {
	struct ir_func *f;
	uint16_t *fact;
	uint8_t *seen;
	struct ir_cells cells;
	uint16_t *stored;   /* facts by cell, of all stores to it */
	uint8_t *cell_seen; /* by cell, of all loads from it */
	bool *at_stores;    /* by cell: made right before it is stored, else where it is loaded */
	VEC(I *) stores;    /* to cells */
	VEC(I *) work;
	uint32_t n;
	bool any; /* some value is not RIGHT, or an fnan, f64 sign operation or fma is there */
};

static bool is_packed(const I *i)
{
	return (i->op >= IR_pkfadd && i->op <= IR_pkfmax) || i->op == IR_pkfnan;
}

static bool is_float(const I *i)
{
	return ir_op_info[i->op].flags & IRF_FLOAT;
}

/* Facts about pieces of 16, 32 or 64 bits: those of `which` that belong to that width. */
static uint16_t of_width(uint32_t w, uint16_t which)
{
	return (uint16_t)(which & (w == 16 ? FIX16 | SAME16 | NUM16 : w == 32 ? FIX32 | SAME32 | NUM32 : FIX64 | SAME64 | NUM64));
}

/* And of that width or less. */
static uint16_t within(uint32_t w, uint16_t which)
{
	return (uint16_t)(of_width(16, which) | (w >= 32 ? of_width(32, which) : 0) | (w >= 64 ? of_width(64, which) : 0));
}

static uint64_t magnitude(uint64_t x, uint32_t w)
{
	return x & ir_mask(w - 1);
}

static uint64_t infinity(uint32_t w)
{
	return w == 16 ? 0x7c00 : w == 32 ? 0x7f800000 : 0x7ff0000000000000;
}

static uint16_t of_const(const I *i)
{
	uint16_t all = ALL;
	uint32_t w = i->width < 64 ? i->width : 64;
	for (uint32_t t = 16; t <= w; t *= 2)
		for (uint32_t at = 0; at < w; at += t) {
			uint64_t x = i->imm >> at & ir_mask(t), m = magnitude(x, t), quiet = t == 64 ? m | (uint64_t)1 << 51 : ir_mask(t - 1);
			if (m <= infinity(t))
				continue;
			all &= (uint16_t)~of_width(t, NUM);
			if (t == 64 ? m != quiet : x != quiet)
				all &= (uint16_t)~of_width(t, FIX);
		}
	return magnitude(i->imm, w) < infinity(w) ? all : (uint16_t)(all & ~FINITE);
}

static uint16_t fact_of(const struct nans *w, const I *i)
{
	return i->op == IR_const ? of_const(i) : i->op == IR_undef ? (uint16_t)ALL : i->id < w->n ? w->fact[i->id] : (uint16_t)BITS_ALIKE;
}

/* An operation of type t takes i for what NVIDIA's would. */
static bool reads_right(const struct nans *w, const I *i, uint32_t t)
{
	return fact_of(w, i) & (t > i->width ? EXACT : of_width(t, SAME));
}

static bool is_number(const struct nans *w, const I *i)
{
	return fact_of(w, i) & of_width(i->width, NUM);
}

static bool is_finite(const struct nans *w, const I *i)
{
	return fact_of(w, i) & FINITE;
}

/* No NaN but the canonical one, as it is. */
static bool is_canonical(const struct nans *w, const I *i)
{
	uint16_t x = fact_of(w, i);
	return x & EXACT && x & of_width(i->width, FIX);
}

/* --- forward: what float operations give --- */

/* The type of what i makes or, a comparison, compares. */
static uint32_t type_of(const I *i)
{
	return is_packed(i) ? 16 : i->width;
}

/* A constant that is neither zero nor, flushed, becomes one. */
static bool is_factor(const I *x)
{
	return x->op == IR_const && magnitude(x->imm, x->width) > infinity(x->width) / (x->width == 16 ? 31 : x->width == 32 ? 255 : 2047);
}

/* The product of numbers is a number: no infinity times zero. */
static bool is_product_number(const struct nans *w, const I *x, const I *y)
{
	return is_number(w, x) && is_number(w, y) && ((is_finite(w, x) && is_finite(w, y)) || (is_factor(y) && is_finite(w, y)));
}

/* Does arithmetic on these numbers give no NaN? Of a sum one must be finite. */
static bool gives_number(const struct nans *w, const I *i)
{
	const I *x = i->nargs > 0 ? i->args[0] : NULL, *y = i->nargs > 1 ? i->args[1] : NULL;
	switch (i->op) {
	case IR_sitofp:
	case IR_uitofp:
		return true;
	case IR_fmin:
	case IR_fmax:
		return i->nan ? is_number(w, x) && is_number(w, y) : is_number(w, x) || is_number(w, y);
	case IR_fadd:
	case IR_fsub:
		return is_number(w, x) && is_number(w, y) && (is_finite(w, x) || is_finite(w, y));
	case IR_fmul:
		return is_product_number(w, x, y);
	case IR_ffma:
		return is_product_number(w, x, y) && is_number(w, i->args[2]) && ((is_finite(w, x) && is_finite(w, y)) || is_finite(w, i->args[2]));
	case IR_fptrunc:
	case IR_fpext:
	case IR_frint:
	case IR_fcanon:
	case IR_fex2:
	case IR_ftanh:
	case IR_frcp:
		return is_number(w, x);
	default:
		return false;
	}
}

/* Bounded, whatever the operands. */
static bool gives_finite(const struct nans *w, const I *i)
{
	if (i->sat)
		return true;
	switch (i->op) {
	case IR_sitofp:
	case IR_uitofp:
		return i->width >= 32;
	case IR_fpext:
	case IR_frint:
	case IR_fcanon:
		return is_finite(w, i->args[0]);
	case IR_fmin:
	case IR_fmax:
		return is_finite(w, i->args[0]) && is_finite(w, i->args[1]);
	case IR_ftanh:
		return is_number(w, i->args[0]);
	default:
		return false;
	}
}

static uint16_t of_double(const struct nans *w, const I *i)
{
	uint16_t r = RIGHT | FIX64 | SAME64;
	bool extreme = i->op == IR_fmin || i->op == IR_fmax;
	bool may_be_loud = extreme && (fact_of(w, i->args[0]) & fact_of(w, i->args[1]) & (RIGHT | FIX64)) != (RIGHT | FIX64);
	return may_be_loud ? FIX64 | SAME64 : r;
}

static uint16_t of_float(const struct nans *w, const I *i)
{
	uint32_t t = type_of(i);
	uint16_t raw = of_width(t, FIX | SAME), canonical = (uint16_t)(BITS_ALIKE | of_width(t, FIX));
	if (i->op == IR_fptosi || i->op == IR_fptoui || i->op == IR_f32tobf16)
		return BITS_ALIKE;
	if (i->sat || (i->op != IR_pkfnan && i->op != IR_fnan && gives_number(w, i)))
		return (uint16_t)(canonical | of_width(t, NUM) | (!is_packed(i) && gives_finite(w, i) ? FINITE : 0));
	if (i->width == 64)
		return of_double(w, i);
	if (i->relu || i->any_nan)
		return canonical;
	switch (i->op) {
	case IR_fptrunc:
		if (i->args[0]->width == 64)
			return (uint16_t)(RIGHT | of_width(t, SAME)); /* its payload shortened */
		return is_canonical(w, i->args[0]) ? canonical : raw;
	case IR_frint:
	case IR_fcanon:
		return is_canonical(w, i->args[0]) ? canonical : raw;
	case IR_fmin:
	case IR_fmax:
		return i->nan || (is_canonical(w, i->args[0]) && is_canonical(w, i->args[1])) ? canonical : raw;
	case IR_pkfmin:
	case IR_pkfmax:
		return i->nan ? canonical : raw;
	default:
		return raw;
	}
}

/* --- what hands on bits --- */

/* Types of which i, an operation with a constant, changes signs alone, as a mask of SAME. */
static uint16_t signs_of(const I *i)
{
	static const uint64_t signs[] = {0x8000800080008000, 0x8000000080000000, (uint64_t)1 << 63};
	uint16_t types = 0;
	if ((i->op != IR_xor && i->op != IR_and && i->op != IR_or) || i->width < 16 || i->width > 64 || i->args[1]->op != IR_const)
		return 0;
	uint64_t changed = (i->op == IR_and ? ~i->args[1]->imm : i->args[1]->imm) & ir_mask(i->width);
	for (uint32_t k = 0, t = 16; t <= i->width; k++, t *= 2)
		if (!(changed & ~signs[k]))
			types |= of_width(t, SAME);
	return types;
}

/* Integer operations count too. */
static bool is_sign_op(const I *i)
{
	return i->op == IR_fneg || i->op == IR_fabs || signs_of(i);
}

/* Does i hand on the bits of argument k? */
static bool hands_on(const I *i, uint32_t k)
{
	return i->op == IR_pack || i->op == IR_unpack || i->op == IR_trunc || ir_hands_on(i, k) || (k == 0 && is_sign_op(i));
}

/* A NaN's sign changes: what was canonical is not, but for a sign taken away. */
static uint16_t of_sign(const struct nans *w, const I *i)
{
	uint16_t x = fact_of(w, i->args[0]), types = i->op == IR_fneg || i->op == IR_fabs ? (uint16_t)SAME : signs_of(i);
	bool clears = i->op == IR_fabs || i->op == IR_and;
	if (i->nan && !(x & NUM64)) /* of f64; what the hardware does to a NaN is not what is asked */
		return (uint16_t)(RIGHT | (x & (FIX64 | SAME64)));
	uint16_t r = x & (RIGHT | EXACT | FINITE);
	for (uint32_t t = 16; t <= i->width && t <= 64; t *= 2)
		if (types & of_width(t, SAME)) {
			bool kept = t == 64 || clears || x & of_width(t, NUM);
			r |= x & of_width(t, kept ? ALL : SAME | NUM);
		}
	if (!(r & of_width(i->width, NUM)))
		r &= (uint16_t)~FINITE;
	return (uint16_t)(r & EXACT ? r | SAME : r);
}

static uint16_t of_pieces(const struct nans *w, const I *i)
{
	uint16_t all = ALL & ~FINITE;
	uint32_t piece = i->args[0]->width;
	for (uint32_t k = 0; k < i->nargs; k++) {
		all &= fact_of(w, i->args[k]);
		piece = i->args[k]->width < piece ? i->args[k]->width : piece;
	}
	return (uint16_t)((all & (RIGHT | EXACT)) | (all & EXACT ? SAME : 0) | within(piece, all));
}

static uint16_t of_piece(const struct nans *w, const I *i)
{
	uint16_t x = fact_of(w, i->args[0]);
	return (uint16_t)((x & (RIGHT | EXACT)) | (x & EXACT ? SAME : 0) | within(i->width, x));
}

static uint16_t in_cell(const struct nans *w, uint32_t k, uint32_t width)
{
	uint16_t x = w->stored[k];
	uint32_t unit = w->cells.unit[k] < width ? w->cells.unit[k] : width;
	if (w->at_stores[k] && !(x & EXACT))
		x &= (uint16_t)~FIX;
	return (uint16_t)((x & (RIGHT | EXACT)) | (x & EXACT ? SAME : 0) | within(unit, x));
}

static uint16_t transfer(const struct nans *w, const I *i)
{
	uint16_t all = ALL, x;
	uint32_t k = ir_cell_of(&w->cells, i);
	if (k)
		return in_cell(w, k, i->width);
	switch (i->op) {
	case IR_fnan:
	case IR_pkfnan:
		x = fact_of(w, i->args[0]);
		all = of_width(type_of(i), FIX | SAME);
		return (uint16_t)(all | (x & of_width(type_of(i), NUM)) | (x & FINITE) | (x & EXACT && x & of_width(type_of(i), FIX) ? BITS_ALIKE : 0));
	case IR_pack:
		return of_pieces(w, i);
	case IR_unpack:
	case IR_trunc:
		return of_piece(w, i);
	case IR_fneg:
	case IR_fabs:
	case IR_xor:
	case IR_and:
	case IR_or:
		return is_sign_op(i) ? of_sign(w, i) : BITS_ALIKE;
	default:
		break;
	}
	if (!hands_on(i, i->op == IR_select))
		return is_float(i) ? of_float(w, i) : BITS_ALIKE;
	for (k = i->op == IR_select; k < i->nargs; k++)
		if (hands_on(i, k))
			all &= fact_of(w, i->args[k]);
	return all;
}

static bool store_in_cell(struct nans *w, const I *i)
{
	uint32_t k = i->op == IR_store ? ir_cell_of(&w->cells, i) : 0;
	uint16_t was = w->stored[k];
	if (k)
		w->stored[k] &= fact_of(w, i->args[1]);
	return was != w->stored[k];
}

static bool is_sign64(const I *i)
{
	return i->width == 64 && (i->op == IR_fneg || i->op == IR_fabs);
}

static void flow_forward(struct nans *w)
{
	bool again = true, phis = w->cells.n, floats = false; /* loads may stand before the stores, as phis before what they meet */
	for (uint32_t k = 0; k < w->n; k++)
		w->fact[k] = ALL;
	for (uint32_t k = 0; k <= w->cells.n; k++)
		w->stored[k] = ALL;
	while (again) {
		again = w->any = false;
		ir_each_block(b, w->f) ir_each_inst(i, b)
		{
			again |= store_in_cell(w, i);
			if (i->width < 16)
				continue;
			uint16_t x = w->fact[i->id] & transfer(w, i);
			phis |= i->op == IR_phi;
			floats |= is_float(i);
			again |= phis && x != w->fact[i->id];
			w->fact[i->id] = x;
			w->any |= !(x & RIGHT) || is_sign64(i) || (i->width == 64 && i->op == IR_ffma) || i->op == IR_fnan || i->op == IR_pkfnan;
		}
		again &= floats;
	}
}

/* --- backward: uses --- */

/* ir_nan_f64 sees to the signs of its sources. */
static bool minds_signs(const I *i)
{
	return i->width == 64 && i->op >= IR_fadd && i->op <= IR_ffma;
}

/* No one canonicalisation makes it right: what it hands on is, before. */
static bool is_forced(const struct nans *w, const I *i)
{
	return !(w->fact[i->id] & (RIGHT | FIX));
}

static bool quiets(const struct nans *w, const I *i)
{
	return w->fact[i->id] & FIX64;
}

/* How what is seen so shows what it is made of: not where it is made right behind it; in f64 it is still the same NaN. */
static uint8_t through(uint16_t fact, uint8_t seen)
{
	return !(fact & RIGHT) && fact & FIX ? seen & (fact & FIX64 ? BITS | SIGN : 0) : seen;
}

/* Of an f64 what has neither the sign nor the bit that tells a quiet NaN. */
static bool is_low_piece(const I *i)
{
	bool piece = (i->op == IR_unpack || i->op == IR_trunc) && i->width < 64 && i->args[0]->width >= 64;
	return piece && (i->op == IR_trunc || (i->imm + 1) * i->width % 64);
}

/* How use k of i sees its argument, given how i is seen. */
static uint8_t sees(struct nans *w, const I *i, uint32_t k)
{
	const I *x = i->args[k];
	uint8_t mine = i->width ? w->seen[i->id] : 0;
	uint32_t c = ir_cell_of(&w->cells, i);
	if (c && i->op == IR_store && k == 1) {
		mine = through(in_cell(w, c, 64), w->cell_seen[c]);
		return !mine ? 0 : w->cells.unit[c] < 64 ? PLAIN : (uint8_t)(mine | SIGN);
	}
	if (hands_on(i, k)) {
		mine = through(w->fact[i->id], mine);
		if (is_low_piece(i))
			return mine ? BITS : 0;
		if (i->op == IR_pack && x->width < 64)
			return mine ? PLAIN : 0;
		return (uint8_t)(mine | (mine && !is_sign_op(i) ? SIGN : 0));
	}
	if (i->op == IR_ftestclass) {
		uint64_t mask = i->args[1]->imm;
		bool alike = i->args[1]->op == IR_const && ((mask + 1) & 3) < 2; /* both kinds of NaN, or none */
		if (k || !alike)
			return k ? 0 : PLAIN;
		return reads_right(w, x, x->width) ? 0 : x->width < 64 ? PLAIN : BITS;
	}
	if (!is_float(i) || i->op == IR_sitofp || i->op == IR_uitofp)
		return PLAIN;
	bool right = reads_right(w, x, is_packed(i) ? 16 : x->width);
	if (!right && x->width < 64)
		return PLAIN;
	if (i->op == IR_fcmp || i->op == IR_fptosi || i->op == IR_fptoui || (i->width != 64 && x->width != 64) || !(mine & BITS))
		return right ? 0 : BITS;
	return minds_signs(i) ? BITS : BITS | SIGN;
}

static void see(struct nans *w, I *x, uint8_t how)
{
	if (x->id >= w->n || !x->block || (w->seen[x->id] | how) == w->seen[x->id])
		return;
	w->seen[x->id] |= how;
	vec_push(w->f->arena, &w->work, x);
}

/* What sees a load sees what is stored. */
static void see_stores(struct nans *w, const I *load, uint32_t k)
{
	if ((w->cell_seen[k] | w->seen[load->id]) == w->cell_seen[k])
		return;
	w->cell_seen[k] |= w->seen[load->id];
	for (uint32_t n = 0; n < w->stores.len; n++)
		if (ir_cell_of(&w->cells, w->stores.data[n]) == k)
			see(w, w->stores.data[n]->args[1], sees(w, w->stores.data[n], 1));
}

static void flow_backward(struct nans *w)
{
	ir_each_block(b, w->f) ir_each_inst(i, b)
	{
		if (i->op == IR_store && ir_cell_of(&w->cells, i))
			vec_push(w->f->arena, &w->stores, i);
		for (uint32_t k = 0; k < i->nargs; k++)
			see(w, i->args[k], sees(w, i, k));
	}
	while (w->work.len) {
		I *i = vec_pop(&w->work);
		uint32_t c = ir_cell_of(&w->cells, i);
		if (c)
			see_stores(w, i, c);
		for (uint32_t k = 0; k < i->nargs; k++)
			see(w, i->args[k], sees(w, i, k));
	}
}

/* Cells of which that is less to do are made right at their stores: then all is looked at again. */
static bool prefer_stores(struct nans *w)
{
	int32_t *more = NEWN(w->f->arena, int32_t, w->cells.n + 1);
	bool any = false;
	ir_each_block(b, w->f) ir_each_inst(i, b)
	{
		uint32_t k = ir_cell_of(&w->cells, i);
		const I *x = i->op == IR_store ? i->args[1] : i;
		if (!k || w->at_stores[k] || fact_of(w, x) & RIGHT || !(fact_of(w, x) & FIX))
			continue;
		int32_t pieces = x->width / w->cells.unit[k];
		more[k] += i->op == IR_store ? -pieces : w->seen[i->id] & (quiets(w, i) ? DIRECT : BITS) ? pieces : 0;
	}
	for (uint32_t k = 1; k <= w->cells.n; k++) {
		w->at_stores[k] |= more[k] > 0;
		any |= more[k] > 0;
	}
	return any;
}

static void flow(struct nans *w)
{
	do {
		flow_forward(w);
		w->stores.len = 0;
		memset(w->seen, 0, w->n);
		memset(w->cell_seen, 0, w->cells.n + 1);
		if (w->any)
			flow_backward(w);
	} while (w->any && prefer_stores(w));
}

/* --- rewriting --- */

static struct ir_block *common(struct ir_block *a, struct ir_block *b)
{
	while (!ir_dominates(a, b))
		a = a->idom;
	return a;
}

static bool needs_fix(struct nans *w, const I *i, uint32_t k)
{
	const I *x = i->args[k];
	if (!x->block || x->id >= w->n || w->fact[x->id] & RIGHT || is_forced(w, x))
		return false;
	return sees(w, i, k) & (quiets(w, x) ? DIRECT : BITS);
}

/* Neither flushes nor minds the mode: x is made by operations that flush. */
static bool has_no_subnormals(const I *x)
{
	return x->ftz && ir_op_info[x->op].flags & IRF_FLOAT && x->op != IR_fptrunc;
}

static bool is_given_nan(const struct nans *w, const I *x)
{
	return (x->op == IR_fnan || x->op == IR_pkfnan) && x->id < w->n;
}

static I *canonical(C *c, enum ir_op op, I *x)
{
	I *i = ir_inst_new(c->f, op, x->width, 1);
	i->args[0] = x;
	i->ftz = has_no_subnormals(x);
	return ir_emit(c, i);
}

/* x with each piece of t bits made right. What a pack is made of may be already. */
static I *made_right(struct nans *w, C *c, uint32_t t, I *x, bool in_pack)
{
	I *part[16];
	uint32_t unit = t == 64 ? 64 : 32;
	bool pack = x->op == IR_pack && x->width > 32;
	enum ir_op op = t == 64 ? IR_fcanon : t < x->width ? IR_pkfnan : IR_fnan;
	if (in_pack && (fact_of(w, x) & of_width(t, NUM) || x->op == op))
		return x;
	if (!pack && x->width <= unit)
		return canonical(c, op, x);
	uint32_t n = pack ? x->nargs : x->width / unit;
	for (uint32_t k = 0; k < n; k++)
		part[k] = made_right(w, c, t, pack ? x->args[k] : ir_unpack(c, unit, x, k), pack);
	return ir_pack(c, x->width, part, n);
}

static I *canonicalised(struct nans *w, I *x, struct ir_block *at)
{
	I *pos = at->first;
	if (at == x->block && x->op != IR_phi)
		pos = x->next;
	while (pos->op == IR_phi)
		pos = pos->next;
	C c = {w->f, at, pos, x->line};
	return made_right(w, &c, quiets(w, x) ? 64 : w->fact[x->id] & FIX32 ? 32 : 16, x, false);
}

/* What use k of i is given: a value made right, or one without the canonicalisations that nobody sees. */
static I *given(struct nans *w, struct ir_block **at, I **right, const I *i, uint32_t k)
{
	I *x = i->args[k];
	for (; x->block && x->id < w->n; i = x, k = 0, x = x->args[0]) {
		if (!needs_fix(w, i, k)) {
			if (is_given_nan(w, x))
				continue;
			break;
		}
		if (is_given_nan(w, x))
			break;
		if (!right[x->id])
			right[x->id] = canonicalised(w, x, at[x->id]);
		return right[x->id];
	}
	return x;
}

static void place(struct nans *w)
{
	struct ir_block **at = NEWN(w->f->arena, struct ir_block *, w->n);
	I **right = NEWN(w->f->arena, I *, w->n);
	ir_each_block(b, w->f) ir_each_inst(i, b) for (uint32_t k = 0; k < i->nargs; k++)
	{
		if (!needs_fix(w, i, k))
			continue;
		struct ir_block *use = i->op == IR_phi ? b->preds.data[k] : b, **p = &at[i->args[k]->id];
		*p = *p ? common(*p, use) : use;
	}
	ir_each_block(b, w->f) ir_each_inst(i, b) for (uint32_t k = 0; i->id < w->n && k < i->nargs; k++)
		if (i->op != IR_fnan && i->op != IR_pkfnan)
			i->args[k] = given(w, at, right, i, k);
	ir_each_block(b, w->f) ir_each_inst(i, b) if (is_given_nan(w, i))
		i->args[0] = given(w, at, right, i, 0);
}

static void become_product(struct nans *w, I *i, I *x, I *y)
{
	i->op = IR_fmul;
	i->nargs = 2;
	i->args = NEWN(w->f->arena, I *, 2);
	i->args[0] = x;
	i->args[1] = y;
}

/* f64 sign operations of which the bits are seen: times one or minus one, which leaves a NaN's sign alone and quiets it. */
static void sign64(struct nans *w, I *i)
{
	C c = ir_at(w->f, i);
	if (i->nan && w->seen[i->id] & SIGN)
		become_product(w, i, i->args[0], i->op == IR_fneg ? ir_f64(w->f, -1) : ir_signed_one(&c, i->args[0]));
	i->nan = false;
}

static bool has_modifier(const I *i)
{
	for (uint32_t k = 0; k < i->nargs; k++)
		if (i->args[k]->op == IR_fneg || i->args[k]->op == IR_fabs)
			return true;
	return false;
}

void ir_nan(struct ir_func *f)
{
	struct nans w = {.f = f, .n = f->ninsts};
	w.fact = NEWN(f->arena, uint16_t, w.n + 1);
	w.seen = NEWN(f->arena, uint8_t, w.n + 1);
	w.cells = ir_cells(f);
	w.stored = NEWN(f->arena, uint16_t, w.cells.n + 1);
	w.cell_seen = NEWN(f->arena, uint8_t, w.cells.n + 1);
	w.at_stores = NEWN(f->arena, bool, w.cells.n + 1);
	flow(&w);
	f->nan_explicit = true;
	if (!w.any)
		return;
	ir_dominators(f);
	place(&w);
	ir_each_block(b, f) ir_each_inst_safe(i, b) if (i->width == 64 && i->id < w.n && (i->op == IR_fneg || i->op == IR_fabs)) sign64(&w, i);
	ir_each_block(b, f) ir_each_inst(i, b) if (i->id < w.n && minds_signs(i)) i->nan = w.seen[i->id] & BITS && (i->op == IR_ffma || has_modifier(i));
}
