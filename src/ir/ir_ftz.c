/* .ftz as NVIDIA's hardware has it: a product or fused multiply-add is a zero when it is below the least normal number after rounding as
 * if exponents had no end. Where that is known of the chip, too (amd_target: tiny_f32, tiny_f16_fma), nothing is to be done for f32, and products of
 * f16 become fused. Elsewhere, and on request, nothing here depends on when it flushes: where that could matter, results are not flushed.
 *
 * f32: an operation that ir_float_facts does not clear of that corner leaves subnormal results (`leave`): then it rounds onto multiples of 2^-149 as IEEE
 * has it, and the corner is where it gives 2^-126 exactly, the only number that both sides round to. That is tested for, of many operations at
 * once (a group, within a block), and a block apart does the whole group again: there one factor and the summand are scaled by 2^24, the
 * rounding is that without end, and what is below 2^-102 becomes a zero. In the corner the factors are below 2^24 and the summand below 2^-101,
 * so nothing overflows; where it does, the result is right as it is, and infinities and NaN compare false.
 * Subnormals that stay: all that is told to flush does so with operands, too; where bits are seen (as in ir_nan) they are flushed.
 * f16: decided by the result in f32, rounded so that it stays on its side of the bound, without branch.
 *
 * requires: SSA; ir_nan; before ir_legal_float.   ensures: ir_dominators' and ir_loops' order is lost.
 * source: PTX ISA, "mul", "fma": .ftz; RDNA2 and RDNA3 ISA, MODE.FP_DENORM: operands and results apart. */
#include "ir/ir_float_facts.h"
#include "ir/ir_legal.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

enum { LEAST_NORMAL = 0x00800000, POW_24 = 0x4b800000, POW_M102 = 0x0c800000, POW_M51 = 0x26000000, FACTOR = -51, MAX_GROUP = 48, WINDOW = 256 };

struct group {
	VEC(I *) members; /* corner operations and what is computed from them */
	uint32_t corners;
};

struct ftz {
	struct ir_func *f;
	struct ir_float_facts facts;
	uint32_t n;         /* instructions there were: index of the arrays below */
	bool quotients;     /* there are some */
	bool *corner;       /* may come out in the corner */
	bool *clean;        /* PTX has no subnormals here */
	bool *seen;         /* its bits are */
	bool *dirty;        /* may hold a subnormal that PTX has not */
	bool *member, *done;
	uint32_t *uses, *shared;
	I **clone;
	struct ir_fwd fwd;
	struct group g;
};

/* --- f16 --- */

static I *copy(struct ir_func *f, const I *i)
{
	I *r = ir_inst_new(f, (enum ir_op)i->op, i->width, i->nargs);
	uint32_t id = r->id;
	I **args = r->args;
	*r = *i;
	r->id = id;
	r->args = args;
	r->block = NULL;
	r->prev = r->next = NULL;
	memcpy(args, i->args, i->nargs * sizeof *args);
	return r;
}

static I *compare32(C *c, enum ir_cond cond, I *x, uint32_t with)
{
	I *i = ir_inst_new(c->f, IR_fcmp, 1, 2);
	i->args[0] = x;
	i->args[1] = ir_c32(c, with);
	i->cond = (uint8_t)cond;
	i->ftz = true;
	return ir_emit(c, i);
}

/* e, rounded to 11 bits, is below 2^-14 as i rounds. To nearest 2^-14 - 2^-26 is not, up all that is above 2^-14 - 2^-25. */
static I *is_tiny16(C *c, const I *i, I *e)
{
	bool up = i->rnd == IR_RP;
	if (i->rnd == IR_RN)
		return compare32(c, IRC_FLT, ir_b1(c, IR_fabs, 32, e), 0x387ff000);
	I *toward = compare32(c, up ? IRC_FLE : IRC_FGE, e, 0x387fe000 | (uint32_t)!up << 31);
	return ir_b2(c, IR_and, 1, toward, compare32(c, up ? IRC_FGT : IRC_FLT, e, 0x38800000 | (uint32_t)up << 31));
}

/* r is the f16 result of i on v, subnormals left. */
static I *exact16(C *c, const I *i, I *r, I **v)
{
	I *e = ir_inst_new(c->f, i->nargs == 2 ? IR_fmul : IR_ffma, 32, i->nargs);
	for (uint32_t k = 0; k < i->nargs; k++)
		e->args[k] = ir_b1(c, IR_fpext, 32, ir_fcanonical(c, v[k], true, false));
	e->rnd = i->rnd == IR_RN ? IR_RZ : i->rnd; /* the side of each bound is then the exact result's */
	e->ftz = e->may_leave = true; /* it is no subnormal */
	return ir_select(c, is_tiny16(c, i, ir_emit(c, e)), ir_b2(c, IR_and, 16, r, ir_const(c->f, 16, 0x8000)), r);
}

static I *as_fused(C *c, const I *i, bool packed)
{
	I *r = ir_inst_new(c->f, packed ? IR_pkffma : IR_ffma, i->width, 3);
	r->args[0] = i->args[0];
	r->args[1] = i->args[1];
	r->args[2] = ir_const(c->f, i->width, packed ? 0x80008000 : 0x8000);
	r->rnd = i->rnd;
	r->ftz = true;
	r->sat = i->sat;
	return ir_emit(c, r);
}

static I *lower16(C *c, I *i)
{
	bool packed = i->op == IR_pkfmul || i->op == IR_pkffma, plain = (i->op == IR_fmul || i->op == IR_ffma) && i->width == 16;
	if ((!packed && !plain) || !i->ftz || i->leave || i->rnd == IR_RZ)
		return NULL;
	if (c->f->module->ftz16_by_fma)
		return i->nargs == 3 ? NULL : as_fused(c, i, packed);
	I *r = copy(c->f, i), *part[2], *v[3];
	r->leave = true;
	r = ir_emit(c, r);
	if (plain)
		return exact16(c, i, r, i->args);
	for (uint32_t h = 0; h < 2; h++) {
		for (uint32_t k = 0; k < i->nargs; k++)
			v[k] = ir_unpack(c, 16, i->args[k], h);
		part[h] = exact16(c, i, ir_unpack(c, 16, r, h), v);
	}
	return ir_pack(c, 32, part, 2);
}

/* --- which operations, and who looks at subnormals --- */

static bool is_float(const I *i)
{
	return ir_op_info[i->op].flags & IRF_FLOAT;
}

static bool is_candidate(const I *i)
{
	return (i->op == IR_fmul || i->op == IR_ffma) && i->width == 32 && i->ftz;
}

/* A product when it is lowered, near the exact quotient: flushed when that is subnormal and rounded so. */
static bool is_quotient(const I *i)
{
	return i->op == IR_fdiv && i->approx && i->width == 32 && i->ftz;
}

/* Zero and the least normal number, as argument k of i, give the same. */
static bool is_blind(const struct ftz *w, const I *i, uint32_t k)
{
	const I *other = i->nargs == 2 ? i->args[1 - k] : NULL;
	switch (i->op) {
	case IR_fcmp:
		return other->op == IR_const && (other->imm & 0x7fffffff) > LEAST_NORMAL;
	case IR_fex2:
		return true;
	case IR_fptosi:
	case IR_fptoui:
	case IR_fptrunc:
		return i->rnd != IR_RM && i->rnd != IR_RP;
	case IR_fadd:
	case IR_fsub: {
		struct ir_float_fact x = ir_float_fact_of(&w->facts, other);
		return i->rnd == IR_RN && other != i->args[k] && x.not_zero && x.least >= -100;
	}
	default:
		return false;
	}
}

/* Whether any operation may come out in the corner, as corner[] says then. */
static bool find_corners(struct ftz *w)
{
	bool any = false;
	bool *matters = NEWN(w->f->arena, bool, w->n);
	ir_each_block(b, w->f) ir_each_inst(i, b) {
		any |= is_candidate(i);
		w->quotients |= is_quotient(i);
	}
	if (!any)
		return false;
	w->facts = ir_float_facts(w->f);
	ir_each_block(b, w->f) ir_each_inst(i, b) for (uint32_t k = 0; k < i->nargs; k++)
		if (is_candidate(i->args[k]) && !is_blind(w, i, k))
			matters[i->args[k]->id] = true;
	any = false;
	ir_each_block(b, w->f) ir_each_inst(i, b) {
		w->corner[i->id] = is_candidate(i) && matters[i->id] && !ir_float_skips_corner(&w->facts, i);
		any |= w->corner[i->id];
	}
	return any;
}

/* Takes a subnormal operand for a zero. An fnan shows it, but can be told to flush where PTX has none. */
static bool flushes(const I *i)
{
	return is_float(i) && i->ftz && i->op != IR_fnan && i->op != IR_ftanh;
}

/* Gives subnormals where MODE lets it. */
static bool makes_subnormals(const I *i)
{
	if (!is_float(i) || !i->ftz || i->width != 32)
		return false;
	switch (i->op) {
	case IR_fadd:
	case IR_fsub:
	case IR_fmul:
	case IR_ffma:
		return true;
	case IR_fdiv:
	case IR_frcp:
	case IR_fsqrt:
	case IR_frsqrt:
	case IR_fsin:
	case IR_fcos:
	case IR_flg2:
	case IR_fex2:
		return i->approx;
	default:
		return false;
	}
}

static bool is_clean(const struct ftz *w, const I *i)
{
	bool all = true;
	if (i->op == IR_const)
		return i->imm & 0x7f800000 || !(i->imm & 0x7fffffff);
	if (!ir_hands_on(i, i->op == IR_select) && i->op != IR_fnan)
		return is_float(i) && (i->ftz || i->op == IR_sitofp || i->op == IR_uitofp || i->op == IR_fpext);
	for (uint32_t k = 0; k < i->nargs && all; k++)
		if (i->op == IR_fnan || ir_hands_on(i, k))
			all = i->args[k]->op == IR_const ? is_clean(w, i->args[k]) : i->args[k]->block && w->clean[i->args[k]->id];
	return all;
}

static bool look(struct ftz *w, const I *i)
{
	bool changed = false;
	for (uint32_t k = 0; k < i->nargs; k++) {
		I *x = i->args[k];
		if (x->width != 32 || w->seen[x->id] || (ir_hands_on(i, k) ? !w->seen[i->id] : flushes(i)))
			continue;
		changed = w->seen[x->id] = true;
	}
	return changed;
}

static bool is_dirty(const struct ftz *w, const I *i)
{
	bool any = makes_subnormals(i);
	for (uint32_t k = 0; k < i->nargs && !any; k++)
		any = ir_hands_on(i, k) && w->dirty[i->args[k]->id] && (w->clean[i->id] || !w->seen[i->id]);
	return any;
}

static void find_dirt(struct ftz *w)
{
	bool again = true;
	memset(w->clean, true, w->n);
	while (again) {
		again = false;
		ir_each_block(b, w->f) ir_each_inst(i, b) {
			bool clean = i->width == 32 && is_clean(w, i);
			again |= clean != w->clean[i->id];
			w->clean[i->id] = clean;
		}
	}
	for (again = true; again;) {
		again = false;
		for (uint32_t b = w->f->blocks.len; b-- > 0;)
			for (I *i = w->f->blocks.data[b]->last; i; i = i->prev)
				again |= look(w, i);
	}
	for (again = true; again;) {
		again = false;
		ir_each_block(b, w->f) ir_each_inst(i, b) if (i->width == 32 && !w->dirty[i->id] && is_dirty(w, i))
			again = w->dirty[i->id] = true;
	}
}

static I *flushed(struct ftz *w, I *x)
{
	if (w->clone[x->id])
		return w->clone[x->id];
	I *i = ir_inst_new(w->f, IR_fcanon, 32, 1), *at = x;
	i->args[0] = x;
	i->ftz = true;
	i->line = x->line;
	while (x->op == IR_phi && at->next && at->next->op == IR_phi)
		at = at->next;
	ir_insert_after(at, i);
	return w->clone[x->id] = i;
}

/* Subnormals may stay in registers, and do not get out of them. */
static void leave_subnormals(struct ftz *w)
{
	find_dirt(w);
	ir_each_block(b, w->f) ir_each_inst(i, b) {
		if (i->id >= w->n)
			continue;
		i->may_leave = makes_subnormals(i);
		i->leave = w->corner[i->id] || is_quotient(i);
		for (uint32_t k = 0; k < i->nargs; k++) {
			I *x = i->args[k];
			if (x->id >= w->n || !w->dirty[x->id])
				continue;
			if (i->op == IR_fnan)
				i->ftz = i->may_leave = true;
			else if (ir_hands_on(i, k) ? w->seen[i->id] && !w->clean[i->id] : !flushes(i))
				i->args[k] = flushed(w, x);
		}
	}
}

/* --- groups --- */

static I *flushing(C *c, enum ir_op op, const I *like, I *x, I *y, I *z)
{
	I *i = ir_inst_new(c->f, op, 32, z ? 3 : 2);
	i->args[0] = x;
	i->args[1] = y;
	if (z)
		i->args[2] = z;
	i->rnd = like ? like->rnd : IR_RN;
	i->ftz = i->may_leave = true;
	return ir_emit(c, i);
}

/* i again, without end of exponents. */
static I *exact32(C *c, I *i)
{
	I *by = ir_c32(c, POW_24), *r = i;
	I *x = flushing(c, IR_fmul, NULL, i->args[0], by, NULL);
	I *z = i->op == IR_ffma ? flushing(c, IR_fmul, NULL, i->args[2], by, NULL) : NULL;
	I *scaled = flushing(c, (enum ir_op)i->op, i, x, i->args[1], z);
	I *tiny = compare32(c, IRC_FLT, ir_b1(c, IR_fabs, 32, scaled), POW_M102);
	return ir_select(c, tiny, ir_b2(c, IR_and, 32, r, ir_c32(c, 0x80000000)), r);
}

/* --- is any result of the group in the corner? --- */

/* One bit, the same in all lanes, so that the branch takes no mask. */
static I *any_lane(C *c, I *is)
{
	bool wide = c->f->module->wave_size == 64;
	I *lanes = ir_bn(c, wide ? IR_amd_ballot64 : IR_ballot, wide ? 64 : 32, 0, &is, 1);
	return ir_cmp(c, IR_icmp, IRC_NE, lanes, ir_const(c->f, lanes->width, 0));
}

static I *any_least(struct ftz *w, C *at)
{
	I *any = NULL;
	for (uint32_t k = 0; k < w->g.members.len; k++) {
		I *i = w->g.members.data[k];
		if (!w->corner[i->id])
			continue;
		C c = ir_at(w->f, i->next);
		I *is = compare32(&c, IRC_FEQ, ir_b1(&c, IR_fabs, 32, i), LEAST_NORMAL);
		any = any ? ir_b2(at, IR_or, 1, any, is) : is;
	}
	return any_lane(at, any);
}

/* The least magnitude of several values, two with each instruction, in chains that do not wait for each other. */
enum { CHAINS = 4 };
struct least {
	I *chain[CHAINS], *held[2];
	uint32_t nheld, next, chains;
};

static I *least_of(C *c, I *x, I *y, I *z)
{
	I *i = ir_inst_new(c->f, z ? IR_amd_min3f : IR_fmin, 32, z ? 3 : 2);
	i->args[0] = x;
	i->args[1] = y;
	if (z)
		i->args[2] = z;
	i->ftz = true;
	return ir_emit(c, i);
}

static void least_add(struct least *m, C *c, I *x)
{
	I **chain = &m->chain[m->next];
	x = ir_b1(c, IR_fabs, 32, x);
	if (m->nheld + (*chain != NULL) < 2) {
		m->held[m->nheld++] = x;
		return;
	}
	*chain = least_of(c, m->held[0], x, *chain ? *chain : m->held[1]);
	m->next = (m->next + 1) % m->chains;
	m->nheld = 0;
}

/* The least is small, one way (of none: NULL); or `is`. */
static I *least_is(struct least *m, C *c, enum ir_cond cond, uint32_t bound, I *is)
{
	I *v[CHAINS + 2], *least;
	uint32_t n = 0;
	for (uint32_t k = 0; k < m->nheld; k++)
		v[n++] = m->held[k];
	for (uint32_t k = 0; k < CHAINS; k++)
		if (m->chain[k])
			v[n++] = m->chain[k];
	if (!n)
		return is;
	for (least = v[--n]; n >= 2; n -= 2)
		least = least_of(c, v[n - 1], v[n - 2], least);
	if (n)
		least = least_of(c, v[0], least, NULL);
	I *small = compare32(c, cond, least, bound);
	return is ? ir_b2(c, IR_or, 1, is, small) : small;
}

/* A factor that has to be looked at to know that it is zero or 2^-51, as which two of them make a product clear of the corner. */
static bool is_open(const struct ftz *w, const I *x)
{
	return ir_float_fact_of(&w->facts, x).least < FACTOR;
}

/* Half the group's operations that each open factor is in; the same factors in several are looked at instead of the results. */
static bool by_factors(const struct ftz *w, const I *i)
{
	double cost = 0;
	for (uint32_t k = 0; k < 2; k++) {
		if (i->args[k]->op == IR_const && is_open(w, i->args[k]))
			return false;
		if (is_open(w, i->args[k]))
			cost += 1.0 / (i->args[k]->id < w->n ? w->shared[i->args[k]->id] : 1);
	}
	return cost < 1;
}

/* Counts (by: 1) or forgets (0) the operations that each factor is in. */
static void count_factors(struct ftz *w, uint32_t by)
{
	for (uint32_t k = 0; k < w->g.members.len; k++) {
		const I *i = w->g.members.data[k];
		for (uint32_t n = 0; n < 2 && w->corner[i->id]; n++)
			if (i->args[n]->id < w->n)
				w->shared[i->args[n]->id] = by ? w->shared[i->args[n]->id] + by : 0;
	}
}

struct values {
	I **of;
	uint32_t n;
};

/* The distinct open factors of corner operations: of all, or where they are looked at instead of the results. */
static struct values open_factors(struct ftz *w, bool all)
{
	struct values v = {.n = 0};
	v.of = NEWN(w->f->arena, I *, 2 * w->g.corners);
	for (uint32_t k = 0; k < w->g.members.len; k++) {
		const I *i = w->g.members.data[k];
		if (!w->corner[i->id] || (!all && !by_factors(w, i)))
			continue;
		for (uint32_t n = 0; n < 2; n++) {
			uint32_t j = 0;
			while (j < v.n && v.of[j] != i->args[n])
				j++;
			if (j == v.n && is_open(w, i->args[n]))
				v.of[v.n++] = i->args[n];
		}
	}
	return v;
}

/* Some result or factor is small or zero: what takes the fewest instructions. */
static I *any_small(struct ftz *w, C *at)
{
	uint32_t chains = w->g.corners < 8 ? 1 : w->g.corners < 16 ? 2 : CHAINS;
	struct least results = {.chains = chains}, factors = {.chains = chains};
	count_factors(w, 1);
	for (uint32_t k = 0; k < w->g.members.len; k++) {
		I *i = w->g.members.data[k];
		C c = ir_at(w->f, i->next);
		if (w->corner[i->id] && !by_factors(w, i))
			least_add(&results, &c, i);
	}
	struct values v = open_factors(w, false);
	for (uint32_t k = 0; k < v.n; k++)
		least_add(&factors, at, v.of[k]);
	count_factors(w, 0);
	I *is = least_is(&results, at, IRC_FLE, LEAST_NORMAL, NULL);
	return any_lane(at, least_is(&factors, at, IRC_FLT, POW_M51, is));
}

/* Some factor is below 2^-51 and not zero. */
static I *any_small_factor(struct ftz *w, C *c)
{
	struct values v = open_factors(w, true);
	I *least = NULL;
	for (uint32_t k = 0; k < v.n; k++) {
		I *mag = ir_b2(c, IR_add, 32, ir_b2(c, IR_shl, 32, v.of[k], ir_c32(c, 1)), ir_c32(c, 0xffffffff));
		least = least ? ir_b2(c, IR_umin, 32, least, mag) : mag;
	}
	return any_lane(c, ir_cmp(c, IR_icmp, IRC_ULT, least, ir_c32(c, POW_M51 * 2 - 1)));
}

static void again(struct ftz *w, C *c)
{
	for (uint32_t k = 0; k < w->g.members.len; k++) {
		I *i = w->g.members.data[k], *r = copy(w->f, i);
		for (uint32_t n = 0; n < r->nargs; n++) {
			I *x = r->args[n];
			if (x->id < w->n && w->clone[x->id])
				r->args[n] = w->clone[x->id];
		}
		ir_append(c->block, r);
		if (w->corner[i->id])
			r->may_leave = false; /* no use to merge it with i, which would live until here */
		w->clone[i->id] = w->corner[i->id] ? exact32(c, r) : r;
	}
}

/* What is used beyond the group gets a phi of both ways. */
static void join(struct ftz *w, struct ir_block *rest)
{
	I *first = rest->first;
	for (uint32_t k = 0; k < w->g.members.len; k++)
		for (uint32_t n = 0; n < w->g.members.data[k]->nargs; n++) {
			I *x = w->g.members.data[k]->args[n];
			if (x->id < w->n && w->clone[x->id])
				w->uses[x->id]--;
		}
	for (uint32_t k = 0; k < w->g.members.len; k++) {
		I *i = w->g.members.data[k];
		if (w->uses[i->id]) {
			I *phi = ir_inst_new(w->f, IR_phi, i->width, rest->preds.len);
			for (uint32_t p = 0; p < rest->preds.len; p++)
				phi->args[p] = i;
			phi->args[rest->preds.len - 1] = w->clone[i->id];
			phi->line = i->line;
			ir_insert_before(first, phi);
			ir_fwd_set(w->f, &w->fwd, i, phi);
		}
		w->clone[i->id] = NULL;
	}
}

static bool has_small_constants(const struct ftz *w)
{
	for (uint32_t k = 0; k < w->g.members.len; k++) {
		const I *i = w->g.members.data[k];
		for (uint32_t n = 0; n < 2 && w->corner[i->id]; n++)
			if (i->args[n]->op == IR_const && is_open(w, i->args[n]))
				return true;
	}
	return false;
}

/* Few results are tested for 2^-126 itself. Many for being that small, which zeros are; then a block looks at the factors more closely. */
static void close_group(struct ftz *w, I *pos)
{
	struct ir_block *b = pos->block;
	C at = ir_at(w->f, pos);
	bool few = w->g.corners <= 2, closer = !few && !has_small_constants(w);
	I *cond = few ? any_least(w, &at) : any_small(w, &at);
	struct ir_block *rest = ir_split(w->f, pos), *look = closer ? ir_block_new(w->f) : NULL, *slow = ir_block_new(w->f);
	C end = {w->f, b, NULL, pos->line}, mid = {w->f, look, NULL, pos->line}, c = {w->f, slow, NULL, pos->line};
	slow->line = rest->line = pos->line;
	slow->cold = true;
	rest->cold = b->cold;
	ir_condbr(&end, cond, closer ? look : slow, rest);
	if (closer) {
		look->line = pos->line;
		look->cold = true;
		ir_condbr(&mid, any_small_factor(w, &mid), slow, rest);
	}
	again(w, &c);
	ir_br(&c, rest);
	join(w, rest);
	vec_clear(&w->g.members);
	w->g.corners = 0;
}

static bool is_expensive(const I *i)
{
	switch (i->op) {
	case IR_fdiv:
	case IR_frcp:
	case IR_fsqrt:
		return !i->approx;
	case IR_udiv:
	case IR_sdiv:
	case IR_urem:
	case IR_srem:
		return true;
	default:
		return false;
	}
}

/* May be done twice: pure, cheap, and a value that a phi can hold. */
static bool may_join(const I *i)
{
	return ir_op_info[i->op].flags & IRF_PURE && i->op != IR_phi && i->width > 1 && !is_expensive(i);
}

static bool belongs(const struct ftz *w, const I *i)
{
	if (w->corner[i->id])
		return true;
	for (uint32_t k = 0; k < i->nargs; k++)
		if (i->args[k]->id < w->n && w->member[i->args[k]->id])
			return true;
	return false;
}

static void add_member(struct ftz *w, I *i)
{
	w->member[i->id] = true;
	w->g.corners += w->corner[i->id];
	vec_push(w->f->arena, &w->g.members, i);
}

/* The group is to be closed before pos: takes in later operations of the block that could stand there. */
static void gather(struct ftz *w, I *pos)
{
	struct ir_block *b = pos->block;
	I *next;
	uint32_t left = WINDOW;
	for (I *i = pos; i && left-- && w->g.members.len < MAX_GROUP; i = next) {
		bool ready = i->id < w->n && may_join(i);
		next = i->next;
		if (!ready)
			continue;
		ir_fwd_args(&w->fwd, i);
		for (uint32_t k = 0; k < i->nargs && ready; k++) {
			const I *x = i->args[k];
			ready = x->block != b || x->id >= w->n || w->done[x->id];
		}
		if (!ready || !belongs(w, i) || i == pos)
			continue;
		ir_remove(i);
		ir_insert_before(pos, i);
		w->done[i->id] = true;
		add_member(w, i);
	}
}

static void group(struct ftz *w, struct ir_block *b)
{
	for (I *i = b->first; i; i = i->next) {
		if (i->op == IR_phi) {
			w->done[i->id] = true;
			continue;
		}
		ir_fwd_args(&w->fwd, i);
		bool in = belongs(w, i), fits = may_join(i) && w->g.members.len < MAX_GROUP;
		if (w->g.members.len && ((in && !fits) || ir_op_info[i->op].flags & IRF_TERMINATOR)) {
			gather(w, i);
			for (uint32_t k = 0; k < w->g.members.len; k++)
				w->member[w->g.members.data[k]->id] = false;
			close_group(w, i);
			ir_fwd_args(&w->fwd, i);
			in = belongs(w, i);
		}
		if (in)
			add_member(w, i);
		w->done[i->id] = true;
	}
}

static void make_groups(struct ftz *w)
{
	struct ir_func *f = w->f;
	uint32_t nb = f->blocks.len;
	w->n = f->ninsts;
	w->member = NEWN(f->arena, bool, w->n);
	w->done = NEWN(f->arena, bool, w->n);
	w->uses = NEWN(f->arena, uint32_t, w->n);
	w->shared = NEWN(f->arena, uint32_t, w->n);
	w->clone = NEWN(f->arena, I *, w->n);
	w->fwd = ir_fwd_new(f);
	ir_each_block(b, f) ir_each_inst(i, b) {
		for (uint32_t k = 0; k < i->nargs; k++)
			w->uses[i->args[k]->id]++;
	}
	for (uint32_t k = 0; k < nb; k++)
		group(w, f->blocks.data[k]);
	/* loops: uses that come before the definitions */
	ir_each_block(b, f) ir_each_inst(i, b) if (i->id < w->n && i->op == IR_phi) ir_fwd_args(&w->fwd, i);
}

void ir_ftz(struct ir_func *f)
{
	struct ftz w = {.f = f};
	bool flushes_any = false;
	if (!f->module->ftz16_by_hardware)
		ir_lower_all(f, lower16);
	if (f->module->ftz32_by_hardware)
		return;
	ir_each_block(b, f) ir_each_inst(i, b) if (is_float(i) && i->ftz) {
		flushes_any = true;
		i->contract = false; /* the sum would be of another product */
	}
	if (!flushes_any)
		return;
	w.n = f->ninsts;
	w.corner = NEWN(f->arena, bool, w.n + 1);
	bool corners = find_corners(&w);
	if (!corners && !w.quotients)
		return;
	w.clean = NEWN(f->arena, bool, w.n);
	w.seen = NEWN(f->arena, bool, w.n);
	w.dirty = NEWN(f->arena, bool, w.n);
	w.clone = NEWN(f->arena, I *, w.n);
	leave_subnormals(&w);
	if (!corners)
		return;
	ir_dominators(f);
	ir_loops(f);
	w.corner = memcpy(NEWN(f->arena, bool, f->ninsts), w.corner, w.n);
	make_groups(&w);
}
