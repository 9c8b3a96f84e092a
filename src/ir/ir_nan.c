/* NaN bits made explicit, where they can be seen.
 *
 * Before this pass a NaN that f16 or f32 arithmetic gives is the canonical one (fnan's; ir.h); the hardware's instructions hand on an
 * operand's payload. Arithmetic and comparisons do not see the difference: only memory, integer operations and other lanes' bits do.
 * So each value is given the set of ways to make it right: leave it (RIGHT), or canonicalise it as one f16, one f32 or two f16. Sets flow
 * forward through phis, selects, moves and lanes' exchanges, which meet; uses that see bits flow backward. A value that is seen and not
 * RIGHT gets one fnan, in the nearest block that dominates those uses. An fnan that nobody sees goes.
 *
 * f64: a NaN operand goes on, quiet, through arithmetic on both machines. v_min and v_max alone do not quiet it; that too is done where it is
 * seen. neg and abs of PTX leave a NaN's sign as it is (`nan` on fneg, fabs), the hardware's modifiers do not. That
 * is for ir_nan_f64 where sums and products take it (`nan` on those that are seen), else done here.
 *
 * requires: SSA; operations as PTX has them, so before ir_legal_float.
 * ensures: func.nan_explicit: from here on which NaN an operation gives is unspecified (ir.h). ir_dominators.
 * source: PTX ISA, "Floating Point Instructions"; tests/conformance for what an H200 gives. */
#include "ir/ir_legal.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

enum fix { RIGHT = 1, F16 = 2, F32 = 4, PK16 = 8, QUIET64 = 16, ALL = 31 };
enum seen {
	BITS = 1,
	DIRECT = 2, /* not only through f64 arithmetic */
	SIGN = 4,   /* f64: not only by operations that ir_nan_f64 looks after */
	PLAIN = BITS | DIRECT | SIGN
};

struct nans {
	struct ir_func *f;
	uint8_t *fix, *seen;
	VEC(I *) work;
	uint32_t n;
	bool any; /* some value is not RIGHT, or an fnan, f64 sign operation or fma is there */
};

static bool is_packed(const I *i)
{
	return (i->op >= IR_pkfadd && i->op <= IR_pkfmax) || i->op == IR_pkfnan;
}

static bool half_is_nan(uint64_t x)
{
	return (x & 0x7fff) > 0x7c00 && (x & 0xffff) != 0x7fff;
}

static uint8_t of_const(const I *i)
{
	uint64_t x = i->imm;
	if (i->width == 16)
		return half_is_nan(x) ? RIGHT : RIGHT | F16;
	if (i->width == 64)
		return ir_is_nan64(x) && !(x >> 51 & 1) ? RIGHT : RIGHT | QUIET64;
	if (i->width != 32)
		return RIGHT;
	bool nan = (x & 0x7fffffff) > 0x7f800000 && x != 0x7fffffff, half = half_is_nan(x) || half_is_nan(x >> 16);
	return (uint8_t)(RIGHT | (nan ? 0 : F32) | (half ? 0 : PK16));
}

static uint8_t fix_of(struct nans *w, const I *i)
{
	return i->op == IR_const ? of_const(i) : i->op == IR_undef ? ALL : i->id < w->n ? w->fix[i->id] : RIGHT;
}

static bool never_nan(struct nans *w, const I *i)
{
	uint8_t is = (uint8_t)(RIGHT | (i->width == 16 ? F16 : F32));
	return (fix_of(w, i) & is) == is;
}

/* What a float operation gives. */
static uint8_t of_float(struct nans *w, const I *i)
{
	uint8_t raw = is_packed(i) ? PK16 : i->width == 16 ? F16 : F32;
	if (i->width == 64)
		return (i->op == IR_fmin || i->op == IR_fmax) && !((fix_of(w, i->args[0]) & fix_of(w, i->args[1])) & QUIET64) ? QUIET64 : RIGHT | QUIET64;
	if (i->sat || i->relu)
		return RIGHT | raw;
	switch (i->op) {
	case IR_sitofp:
	case IR_uitofp:
		return RIGHT | raw;
	case IR_fptrunc:
		if (i->args[0]->width == 64)
			return RIGHT; /* its payload shortened */
		return never_nan(w, i->args[0]) ? RIGHT | raw : raw;
	case IR_fpext:
	case IR_frint:
	case IR_fcanon:
		return never_nan(w, i->args[0]) ? RIGHT | raw : raw;
	case IR_f32tobf16:
		return RIGHT;
	case IR_fmin:
	case IR_fmax:
		return i->nan || never_nan(w, i->args[0]) || never_nan(w, i->args[1]) ? RIGHT | raw : raw;
	case IR_pkfmin:
	case IR_pkfmax:
		return i->nan ? RIGHT | raw : raw;
	default:
		return i->any_nan ? ALL : raw;
	}
}

static uint8_t of_pieces(struct nans *w, const I *i)
{
	uint8_t all = ALL;
	for (uint32_t k = 0; k < i->nargs; k++)
		all &= fix_of(w, i->args[k]);
	if (i->width == 32 && i->nargs == 2 && all & F16)
		return (uint8_t)(PK16 | (all & RIGHT));
	return RIGHT;
}

/* Does i hand on the bits of argument k? */
static bool hands_on(const I *i, uint32_t k)
{
	return i->op == IR_pack || i->op == IR_unpack || i->op == IR_trunc || ir_hands_on(i, k);
}

static uint8_t transfer(struct nans *w, const I *i)
{
	uint8_t all = ALL, half;
	switch (i->op) {
	case IR_fnan:
		return i->width == 16 ? F16 : F32;
	case IR_pkfnan:
		return PK16;
	case IR_pack:
		return of_pieces(w, i);
	case IR_unpack:
	case IR_trunc:
		all = fix_of(w, i->args[0]);
		half = (uint8_t)((all & RIGHT) | (all & PK16 ? F16 : 0));
		return i->width == 16 && i->args[0]->width == 32 && half ? half : RIGHT;
	case IR_fneg:
	case IR_fabs:
		if (i->width == 64)
			return RIGHT | (fix_of(w, i->args[0]) & QUIET64);
		return never_nan(w, i->args[0]) ? fix_of(w, i->args[0]) : RIGHT;
	case IR_bf16tof32:
		return RIGHT;
	default:
		break;
	}
	if (i->op == IR_fptosi || i->op == IR_fptoui)
		return RIGHT;
	if (!hands_on(i, i->op == IR_select))
		return ir_op_info[i->op].flags & IRF_FLOAT ? of_float(w, i) : RIGHT;
	for (uint32_t k = i->op == IR_select; k < i->nargs; k++)
		if (hands_on(i, k))
			all &= fix_of(w, i->args[k]);
	return all ? all : RIGHT; /* not alike: each is made right on its way in */
}

static void flow_forward(struct nans *w)
{
	bool again = true, phis = false;
	memset(w->fix, ALL, w->n);
	while (again) {
		again = false;
		ir_each_block(b, w->f) ir_each_inst(i, b)
		{
			if (!i->width || i->width == 1)
				continue;
			uint8_t x = transfer(w, i);
			phis |= i->op == IR_phi;
			again |= phis && x != w->fix[i->id];
			w->fix[i->id] = x;
			w->any |= !(x & RIGHT) || (i->width == 64 && (i->op == IR_fneg || i->op == IR_fabs || i->op == IR_ffma));
		}
		again &= w->any;
	}
}

/* --- uses --- */

static bool is_float_atomic(const I *i)
{
	return i->op == IR_atom && i->mem.atom >= IR_ATOM_FADD;
}

/* ir_nan_f64 sees to the signs of its sources. */
static bool minds_signs(const I *i)
{
	return i->width == 64 && i->op >= IR_fadd && i->op <= IR_ffma;
}

/* The NaNs of which i, arithmetic of less than 64 bits or a cut, takes x to be. */
static uint8_t read_as(const I *i, const I *x)
{
	return is_packed(i) || (i->width == 16 && (i->op == IR_trunc || i->op == IR_unpack)) ? PK16 : x->width == 16 ? F16 : F32;
}

/* How use k of i sees its argument, given how i is seen. */
static uint8_t sees(struct nans *w, const I *i, uint32_t k)
{
	const I *x = i->args[k];
	uint8_t mine = i->width ? w->seen[i->id] : 0;
	bool other_type = x->width < 64 && !(fix_of(w, x) & (RIGHT | read_as(i, x)));
	if (other_type && (i->op == IR_trunc || i->op == IR_unpack))
		return PLAIN;
	if (i->op == IR_pack && x->width == 16 && !(fix_of(w, x) & RIGHT) && !(w->fix[i->id] & PK16))
		return PLAIN;
	if (hands_on(i, k)) {
		bool modifies = i->op == IR_fneg || i->op == IR_fabs;
		if (!(w->fix[i->id] & RIGHT)) /* made right behind i; in f64 it is still the same NaN */
			mine &= w->fix[i->id] == QUIET64 ? BITS | SIGN : 0;
		return (uint8_t)(mine | (mine && !modifies ? SIGN : 0));
	}
	if (i->op == IR_fnan || i->op == IR_pkfnan)
		return 0;
	if (i->op == IR_bf16tof32) /* what is a NaN of f16 need not be one of bf16 */
		return PLAIN;
	if (i->op == IR_ftestclass)
		return k || (i->args[1]->op == IR_const && ((i->args[1]->imm + 1) & 3) < 2) ? 0 : PLAIN; /* both kinds of NaN, or none */
	if (is_float_atomic(i))
		return k == 1 ? 0 : PLAIN;
	if (!(ir_op_info[i->op].flags & IRF_FLOAT) || i->op == IR_sitofp || i->op == IR_uitofp)
		return PLAIN;
	if (other_type)
		return PLAIN;
	if (i->op == IR_fcmp || i->op == IR_fptosi || i->op == IR_fptoui || (i->width != 64 && x->width != 64) || !(mine & BITS))
		return 0;
	return minds_signs(i) ? BITS : BITS | SIGN;
}

static void see(struct nans *w, I *x, uint8_t how)
{
	if (x->id >= w->n || !x->block || (w->seen[x->id] | how) == w->seen[x->id])
		return;
	w->seen[x->id] |= how;
	vec_push(w->f->arena, &w->work, x);
}

static void flow_backward(struct nans *w)
{
	ir_each_block(b, w->f) ir_each_inst(i, b) for (uint32_t k = 0; k < i->nargs; k++) see(w, i->args[k], sees(w, i, k));
	while (w->work.len) {
		I *i = vec_pop(&w->work);
		for (uint32_t k = 0; k < i->nargs; k++)
			see(w, i->args[k], sees(w, i, k));
	}
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
	return x->block && x->id < w->n && !(w->fix[x->id] & RIGHT) && sees(w, i, k) & (w->fix[x->id] == QUIET64 ? DIRECT : BITS);
}

/* Neither flushes nor minds the mode: x is made by operations that flush. */
static bool has_no_subnormals(const I *x)
{
	return x->ftz && ir_op_info[x->op].flags & IRF_FLOAT && x->op != IR_fptrunc;
}

static I *canonicalised(struct nans *w, I *x, struct ir_block *at)
{
	enum ir_op op = w->fix[x->id] & PK16 ? IR_pkfnan : w->fix[x->id] & QUIET64 ? IR_fcanon : IR_fnan;
	I *i = ir_inst_new(w->f, op, x->width, 1), *pos = at->first;
	i->args[0] = x;
	i->line = x->line;
	i->ftz = has_no_subnormals(x);
	if (at == x->block && x->op != IR_phi) {
		ir_insert_after(x, i);
		return i;
	}
	while (pos->op == IR_phi)
		pos = pos->next;
	ir_insert_before(pos, i);
	return i;
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
	{
		I *x = i->args[k];
		bool fixed = x->op == IR_fnan || x->op == IR_pkfnan;
		if (!needs_fix(w, i, k)) {
			while (x->op == IR_fnan || x->op == IR_pkfnan)
				x = x->args[0];
			i->args[k] = x;
			continue;
		}
		if (fixed)
			continue;
		if (!right[x->id])
			right[x->id] = canonicalised(w, x, at[x->id]);
		i->args[k] = right[x->id];
	}
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
	w.fix = NEWN(f->arena, uint8_t, w.n + 1);
	flow_forward(&w);
	f->nan_explicit = true;
	if (!w.any)
		return;
	w.seen = NEWN(f->arena, uint8_t, w.n + 1);
	ir_dominators(f);
	flow_backward(&w);
	place(&w);
	ir_each_block(b, f) ir_each_inst_safe(i, b) if (i->width == 64 && i->id < w.n && (i->op == IR_fneg || i->op == IR_fabs)) sign64(&w, i);
	ir_each_block(b, f) ir_each_inst(i, b) if (i->id < w.n && minds_signs(i)) i->nan = w.seen[i->id] & BITS && (i->op == IR_ffma || has_modifier(i));
}
