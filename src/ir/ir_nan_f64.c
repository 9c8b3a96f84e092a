/* NaNs that f64 arithmetic hands on, where NVIDIA's hardware and the VALU differ and it is seen (`nan`, by ir_nan).
 *
 * Of several NaNs NVIDIA's fma gives the second factor's, then the addend's, then the first factor's; the VALU has the addend's last. A
 * source's sign modifier leaves a NaN alone there, not here. What may meet this stands in two versions behind a test: as it is, and exact.
 * The test is of f32, one compare for two values: the high word of an f64 NaN is a NaN of f32, though that of an infinity or of a
 * number beyond 2^1017 is one too. Operations of a block share a test, with the sums and products that use them, as long as nothing else does.
 *
 * NaNs are alike that come from one value by arithmetic, and so are those that arithmetic makes of numbers: see `origin`.
 *
 * requires: func.nan_explicit. ir_legal_warp has run: ballots are the target's.
 * ensures: no fadd, fsub, fmul, ffma has `nan`.
 * source: tests/conformance/float64.forms on an H200; isel_float.c for the order of factors. */
#include "ir/ir_legal.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

enum { MOST = 32, MOST_TESTED = 3 * MOST };

/* Where a value's NaN comes from. Of one that stems from the value with id k (FROM + k): where that is a NaN, the value is the same one, quiet;
 * where it is none, the value is a number or the NaN that arithmetic makes. */
enum origin { UNKNOWN, NEVER, MADE, FROM };

struct group {
	struct ir_func *f;
	struct ir_fwd fwd;
	uint32_t *origin;         /* by id */
	I *op[MOST], *right[MOST]; /* of the block at hand, in order; what stands for them in the exact version */
	I *tested[MOST_TESTED];   /* values that decide between the versions */
	uint32_t n, ntested;
	VEC(I *) phis; /* of a fast and an exact value each */
};

static uint32_t origin(const struct group *g, const I *x)
{
	if (x->op == IR_undef || (x->op == IR_const && !ir_is_nan64(x->imm)))
		return NEVER;
	uint32_t from = g->origin[x->id];
	return from ? from : FROM + x->id;
}

static bool never(const struct group *g, const I *i)
{
	bool all = true, any = false;
	for (uint32_t k = i->op == IR_select; k < i->nargs; k++) {
		bool x = i->args[k]->width == 64 && origin(g, i->args[k]) == NEVER;
		all &= x;
		any |= x;
	}
	switch (i->op) {
	case IR_sitofp:
	case IR_uitofp:
		return true;
	case IR_fmin:
	case IR_fmax:
		return any;
	case IR_phi:
	case IR_select:
		return all;
	case IR_pack:
		return i->nargs == 2 && i->args[1]->width == 32 && ~ir_possible_bits(i->args[1]) & 0x7ff00000;
	default:
		return false;
	}
}

static uint32_t origin_of(const struct group *g, const I *i)
{
	uint32_t from = NEVER, own = FROM + i->id;
	if (never(g, i))
		return NEVER;
	switch (i->op) {
	case IR_fneg:
	case IR_fabs:
		return origin(g, i->args[0]);
	case IR_fadd:
	case IR_fsub:
	case IR_fmul:
	case IR_ffma:
	case IR_fdiv:
	case IR_frcp:
	case IR_fsqrt:
	case IR_frint:
	case IR_fcanon:
		break;
	default:
		return own;
	}
	for (uint32_t k = 0; k < i->nargs; k++) {
		uint32_t x = origin(g, i->args[k]);
		if (from != NEVER && x != NEVER && x != from)
			return own;
		from = x == NEVER ? from : x;
	}
	return from != NEVER ? from : MADE;
}

static I *unsigned_of(I *x)
{
	while (x->op == IR_fneg || x->op == IR_fabs)
		x = x->args[0];
	return x;
}

static I *member(struct group *g, const I *x, I **of)
{
	for (uint32_t k = 0; k < g->n; k++)
		if (g->op[k] == x)
			return of[k];
	return NULL;
}

static bool is_arithmetic(const I *i)
{
	return i->width == 64 && i->op >= IR_fadd && i->op <= IR_ffma;
}

/* Does it matter that the addend's NaN comes before the first factor's? */
static bool minds_order(const struct group *g, const I *i)
{
	if (i->op != IR_ffma || i->args[1] == i->args[0] || i->args[1] == i->args[2])
		return false;
	uint32_t x = origin(g, i->args[0]), z = origin(g, i->args[2]);
	return x != NEVER && z != NEVER && x != z;
}

static bool minds_sign(const struct group *g, const I *i, uint32_t k)
{
	return unsigned_of(i->args[k]) != i->args[k] && origin(g, i->args[k]) != NEVER;
}

static bool minds(const struct group *g, const I *i)
{
	return is_arithmetic(i) && i->nan &&
	       (minds_order(g, i) || minds_sign(g, i, 0) || minds_sign(g, i, 1) || (i->op == IR_ffma && minds_sign(g, i, 2)));
}

static void add_tested(struct group *g, I *x)
{
	for (uint32_t k = 0; k < g->ntested; k++)
		if (g->tested[k] == x)
			return;
	g->tested[g->ntested++] = x;
}

/* Of first factor and addend either will do; NULL: both are of the group. */
static I *order_tested(struct group *g, const I *i)
{
	I *x = unsigned_of(i->args[0]), *z = unsigned_of(i->args[2]);
	return !member(g, x, g->op) ? x : !member(g, z, g->op) ? z : NULL;
}

static void take(struct group *g, I *i)
{
	for (uint32_t k = 0; minds(g, i) && k < i->nargs; k++)
		if (minds_sign(g, i, k))
			add_tested(g, unsigned_of(i->args[k]));
	if (minds(g, i) && minds_order(g, i))
		add_tested(g, order_tested(g, i));
	g->op[g->n++] = i;
}

/* What decides about i can be tested before the group. */
static bool fits(struct group *g, const I *i)
{
	for (uint32_t k = 0; k < i->nargs; k++)
		if (minds_sign(g, i, k) && member(g, unsigned_of(i->args[k]), g->op))
			return false;
	return g->n < MOST && (!minds_order(g, i) || order_tested(g, i));
}

static bool uses(struct group *g, const I *i)
{
	for (uint32_t k = 0; k < i->nargs; k++)
		if (member(g, i->args[k], g->op))
			return true;
	return false;
}

/* Must the group be placed before i? */
static bool ends(struct group *g, const I *i)
{
	if (!g->n || ir_op_info[i->op].flags & IRF_TERMINATOR)
		return g->n;
	if (minds(g, i))
		return !fits(g, i);
	return uses(g, i) && (!is_arithmetic(i) || g->n == MOST);
}

/* Some lane has a tested value whose high word is a NaN of f32. */
static I *test(struct group *g, C *c)
{
	I *any = NULL;
	for (uint32_t k = 0; k < g->ntested; k += 2) {
		I *x = ir_hi32(c, g->tested[k]), *y = k + 1 < g->ntested ? ir_hi32(c, g->tested[k + 1]) : x;
		I *p = ir_cmp(c, IR_fcmp, IRC_NAN, x, y);
		any = any ? ir_b2(c, IR_or, 1, any, p) : p;
	}
	bool wave64 = g->f->module->wave_size == 64;
	I *lanes = wave64 ? ir_b1(c, IR_amd_ballot64, 64, any) : ir_b1(c, IR_ballot, 32, any);
	return ir_cmp(c, IR_icmp, IRC_NE, lanes, ir_const(c->f, lanes->width, 0));
}

/* neg and abs as products, which leave a NaN's sign alone. */
static I *exact_sign(struct group *g, C *c, I *x)
{
	I *right = member(g, x, g->right);
	if (right || (x->op != IR_fneg && x->op != IR_fabs))
		return right ? right : x;
	I *y = exact_sign(g, c, x->args[0]);
	return ir_b2(c, IR_fmul, 64, y, x->op == IR_fabs ? ir_signed_one(c, y) : ir_f64(c->f, -1));
}

static I *exact(struct group *g, C *c, const I *i)
{
	I *copy = ir_inst_new(g->f, (enum ir_op)i->op, 64, i->nargs);
	for (uint32_t k = 0; k < i->nargs; k++) {
		copy->args[k] = exact_sign(g, c, i->args[k]);
	}
	copy->rnd = i->rnd;
	I *y = copy->args[1], *z = copy->args[i->nargs - 1], *r = ir_emit(c, copy);
	if (!i->nan || !minds_order(g, i))
		return r;
	I *addend = ir_b2(c, IR_and, 1, ir_cmp(c, IR_fcmp, IRC_NAN, z, z), ir_cmp(c, IR_fcmp, IRC_NUM, y, y));
	return ir_select(c, addend, ir_b1(c, IR_fcanon, 64, z), r);
}

static void join(struct group *g, struct ir_block *rest, I *i, I *right)
{
	I *phi = ir_inst_new(g->f, IR_phi, 64, 2);
	phi->line = i->line;
	phi->args[0] = i;
	phi->args[1] = right;
	ir_insert_before(rest->first, phi);
	ir_fwd_set(g->f, &g->fwd, i, phi);
	vec_push(g->f->arena, &g->phis, phi);
}

/* Places the group before `at`, which begins what is left of its block. */
static void place(struct group *g, I *at)
{
	struct ir_block *head = at->block, *rest = ir_split(g->f, at), *fast = ir_block_new(g->f), *slow = ir_block_new(g->f);
	uint32_t line = fast->line = slow->line = g->op[0]->line;
	C c = {g->f, head, NULL, line}, out = {g->f, fast, NULL, line};
	for (uint32_t k = 0; k < g->n; k++) {
		ir_remove(g->op[k]);
		ir_append(fast, g->op[k]);
	}
	ir_condbr(&c, test(g, &c), slow, fast);
	ir_br(&out, rest);
	c.block = slow;
	for (uint32_t k = 0; k < g->n; k++) {
		c.line = g->op[k]->line;
		g->right[k] = exact(g, &c, g->op[k]);
	}
	ir_br(&c, rest);
	for (uint32_t k = 0; k < g->n; k++)
		join(g, rest, g->op[k], g->right[k]);
	for (uint32_t k = 0; k < g->n; k++)
		g->op[k]->nan = false;
	g->n = g->ntested = 0;
}

/* Uses go to the phis, but for those of the phis themselves and those within a fast version. */
static void apply(struct group *g)
{
	ir_each_block(b, g->f) ir_each_inst(i, b) i->mark = 0;
	for (uint32_t k = 0; k < g->phis.len; k++)
		g->phis.data[k]->mark = 1;
	ir_each_block(b, g->f) ir_each_inst(i, b) for (uint32_t k = 0; !i->mark && k < i->nargs; k++)
		if (i->args[k]->block != b)
			i->args[k] = ir_fwd_get(&g->fwd, i->args[k]);
}

void ir_nan_f64(struct ir_func *f)
{
	struct group g = {.f = f, .fwd = ir_fwd_new(f), .origin = NEWN(f->arena, uint32_t, f->ninsts)};
	uint32_t n = f->blocks.len;
	ir_each_block(b, f) ir_each_inst(i, b) if (i->width == 64) g.origin[i->id] = origin_of(&g, i);
	for (uint32_t b = 0; b < n; b++)
		for (I *i = f->blocks.data[b]->first, *next; i; i = next) {
			if (ends(&g, i))
				place(&g, i);
			next = i->next;
			if (minds(&g, i) || (uses(&g, i) && is_arithmetic(i)))
				take(&g, i);
			else if (is_arithmetic(i))
				i->nan = false;
		}
	if (g.phis.len)
		apply(&g);
}
