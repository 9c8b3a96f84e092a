/* Algebra over more than one instruction, and simplification of each again.
 *
 * - constants move outward through sums, products and shifts, and from addresses into the offsets of accesses
 * - a product and a sum that PTX allows to be contracted become one fused operation (PTX ISA, "add": no rounding modifier)
 * - the low half of a 64-bit operation is the operation on low halves
 * - loads narrower than a register fill one
 * - mad.lo.cc and madc.hi of one product are a product and a sum of 64 bits
 *
 * requires: SSA; ir_dominators' block order.  ensures: nothing worse than before; leaves dead code. */
#include "ir/ir_legal.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

/* A product and a sum in words: lo = x * y + z[0], the carry of that, and with it hi = the upper word of x * y + z[1]. */
struct mad_words {
	I *low, *high, *lo, *carry; /* words of the product; sum and carry of the lower ones */
	I *x, *y, *z[2];
	bool is_signed;
	I *sum, *carry_out; /* what stands for it: 64 bits; the carry of the upper words, NULL: signed */
};

struct combiner {
	struct ir_func *f;
	struct ir_fwd fwd;
	uint32_t *uses; /* by id, as counted before the pass */
	uint32_t n;
	struct mad_words words; /* the latest */
};

static bool by_const(const I *x, enum ir_op op)
{
	return x->op == op && x->args[1]->op == IR_const;
}

/* (x + c) + y: (x + y) + c */
static I *combine_add(C *c, I *i)
{
	I *x = i->args[0], *y = i->args[1];
	if (y->op == IR_const)
		return NULL;
	if (!by_const(x, IR_add)) {
		I *t = x;
		x = y;
		y = t;
	}
	if (!by_const(x, IR_add))
		return NULL;
	return ir_b2(c, IR_add, i->width, ir_b2(c, IR_add, i->width, x->args[0], y), x->args[1]);
}

/* (x + c) * k, (x + c) << k */
static I *combine_scale(C *c, I *i)
{
	I *x = i->args[0], *k = i->args[1];
	if (k->op != IR_const || !by_const(x, IR_add))
		return NULL;
	uint64_t by = i->op == IR_mul ? k->imm : (uint64_t)1 << (k->imm & (i->width - 1u));
	I *scaled = ir_b2(c, (enum ir_op)i->op, i->width, x->args[0], k);
	return ir_b2(c, IR_add, i->width, scaled, ir_const(c->f, i->width, x->args[1]->imm * by));
}

/* A product as ir_legal_int makes it, plus z: the sum starts with the lower halves' product. */
static I *combine_mad64(const struct combiner *w, C *c, I *m, I *z)
{
	if (m->op != IR_pack || m->nargs != 2 || m->id >= w->n || w->uses[m->id] != 1 || m->args[0]->op != IR_trunc || m->args[0]->args[0]->op != IR_umulwide)
		return NULL;
	I *p = m->args[0]->args[0], *outer = m->args[1], *inner = outer->op == IR_add ? outer->args[0] : NULL;
	if (!inner || p->width != 64 || inner->op != IR_add || inner->args[0]->op != IR_unpack || inner->args[0]->args[0] != p || inner->args[0]->imm != 1)
		return NULL;
	I *sum = ir_b2(c, IR_add, 64, p, z);
	I *h = ir_b2(c, IR_add, 32, ir_b2(c, IR_add, 32, ir_hi32(c, sum), inner->args[1]), outer->args[1]);
	return ir_pack64(c, ir_lo32(c, sum), h);
}

/* --- mad.lo.cc, madc.hi --- */

/* Are low and high the words of one product? */
static bool is_product64(struct mad_words *m)
{
	const I *l = m->low, *h = m->high;
	if (l->op == IR_trunc && h->op == IR_unpack && h->imm == 1 && l->args[0] == h->args[0])
		h = l->args[0];
	else if (l->op != IR_mul || l->width != 32 || (h->op != IR_umulhi && h->op != IR_smulhi) ||
	         !((l->args[0] == h->args[0] && l->args[1] == h->args[1]) || (l->args[0] == h->args[1] && l->args[1] == h->args[0])))
		return false;
	bool high = h->op == IR_smulhi || h->op == IR_umulhi, wide = (h->op == IR_umulwide || h->op == IR_smulwide) && h->width == 64;
	if (!high && !wide)
		return false;
	m->is_signed = h->op == IR_smulhi || h->op == IR_smulwide;
	m->x = h->args[0];
	m->y = h->args[1];
	return true;
}

static bool find_words(const I *i, struct mad_words *m)
{
	I *carry = i->args[2];
	if (i->args[0]->width != 32 || carry->op != IR_uaddc)
		return false;
	for (uint32_t k = 0; k < 4; k++) {
		*m = (struct mad_words){.carry = carry, .high = i->args[k & 1], .z = {NULL, i->args[1 - (k & 1)]}};
		m->low = carry->args[k >> 1];
		m->z[0] = carry->args[1 - (k >> 1)];
		if (is_product64(m))
			return true;
	}
	return false;
}

static bool same_words(const struct mad_words *a, const struct mad_words *b)
{
	return a->carry == b->carry && a->high == b->high && a->z[1] == b->z[1] && a->low == b->low;
}

/* Is every use of the carry the upper words' sum, or its carry where there is one? Also finds lo. */
static bool only_words(const struct combiner *w, struct mad_words *m)
{
	enum { WINDOW = 100 };
	uint32_t uses = 0, k = 0;
	if (m->carry->id >= w->n)
		return false;
	for (I *i = m->carry->prev; i && i->op == IR_add && !m->lo; i = i->prev)
		if ((i->args[0] == m->low && i->args[1] == m->z[0]) || (i->args[1] == m->low && i->args[0] == m->z[0]))
			m->lo = i;
	for (I *i = m->carry->next; i && k < WINDOW; i = i->next, k++) {
		struct mad_words n;
		if (i->op == IR_add && !m->lo &&
		    ((i->args[0] == m->low && i->args[1] == m->z[0]) || (i->args[1] == m->low && i->args[0] == m->z[0])))
			m->lo = i;
		if ((i->op == IR_addc || (i->op == IR_addcc && !m->is_signed)) && find_words(i, &n) && same_words(m, &n))
			uses++;
	}
	return uses == w->uses[m->carry->id];
}

/* Where the sum can stand: before lo, if the upper words are there by then; before `end`, if nobody reads lo until then; NULL: nowhere. */
static I *place_for_words(const struct mad_words *m, I *end)
{
	bool late = false, used = false;
	if (!m->lo)
		return end;
	for (I *i = m->lo->next; i && i != end; i = i->next) {
		late |= i == m->z[1] || i == m->x || i == m->y || i == m->z[0];
		late |= m->low->op == IR_trunc && i == m->low->args[0];
		for (uint32_t k = 0; k < i->nargs; k++)
			used |= i->args[k] == m->lo;
	}
	return !late ? m->lo : !used ? end : NULL;
}

static I *combine_words(struct combiner *w, I *i)
{
	struct mad_words m;
	if (!find_words(i, &m) || m.carry->block != i->block)
		return NULL;
	if (!same_words(&m, &w->words)) {
		I *at = only_words(w, &m) ? place_for_words(&m, i) : NULL;
		if (!at)
			return NULL;
		C c = ir_at(w->f, at);
		I *p = m.low->op == IR_trunc ? m.low->args[0] : ir_b2(&c, m.is_signed ? IR_smulwide : IR_umulwide, 64, m.x, m.y);
		I *z = ir_pack64(&c, m.z[0], m.z[1]);
		m.sum = ir_b2(&c, IR_add, 64, p, z);
		if (!m.is_signed)
			m.carry_out = ir_cmp(&c, IR_icmp, IRC_NE, ir_b3(&c, IR_umadhi, 32, m.x, m.y, z), ir_c32(&c, 0));
		if (m.lo) {
			ir_fwd_set(w->f, &w->fwd, m.lo, ir_lo32(&c, m.sum));
			ir_remove(m.lo);
		}
		w->words = m;
	}
	C c = ir_at(w->f, i);
	return i->op == IR_addcc ? w->words.carry_out : ir_hi32(&c, w->words.sum);
}

/* (x << n) & c: (x & c >> n) << n, for the shift then joins an or or add, and x may be masked like that elsewhere. */
static I *combine_and(struct combiner *w, C *c, I *i)
{
	I *x = i->args[0], *k = i->args[1];
	if (k->op != IR_const || !by_const(x, IR_shl) || x->id >= w->n || w->uses[x->id] != 1 || i->width < 32)
		return NULL;
	uint32_t n = (uint32_t)x->args[1]->imm & (i->width - 1u);
	return ir_b2(c, IR_shl, i->width, ir_b2(c, IR_and, i->width, x->args[0], ir_const(c->f, i->width, k->imm >> n)), x->args[1]);
}

/* x >> k << m >> n where k <= m <= n: x << m - k >> n */
static I *combine_shr(C *c, I *i)
{
	I *left = i->args[0], *n = i->args[1];
	if (n->op != IR_const || !by_const(left, IR_shl) || !(by_const(left->args[0], IR_shr) || by_const(left->args[0], IR_sar)))
		return NULL;
	I *right = left->args[0];
	uint64_t k = right->args[1]->imm & (i->width - 1u), m = left->args[1]->imm & (i->width - 1u);
	if (k > m || m > (n->imm & (i->width - 1u)))
		return NULL;
	return ir_b2(c, (enum ir_op)i->op, i->width, ir_b2(c, IR_shl, i->width, right->args[0], ir_const(c->f, 32, m - k)), n);
}

/* A product of 64 bits that fits in 32. */
static I *combine_mulwide(C *c, I *i)
{
	I *x = i->args[0], *y = i->args[1];
	if (x->width != 32 || y->op != IR_const || ir_possible_bits(x) * y->imm >> 32)
		return NULL;
	return ir_b1(c, IR_zext, 64, ir_b2(c, IR_mul, 32, x, y));
}

/* The low 32 bits of a 64-bit shift by less than 32, to the right of what is a word extended. */
static I *narrow_shift(C *c, I *x)
{
	I *a = x->args[0], *n = x->args[1];
	if (ir_possible_bits(n) >> 5 || (x->op == IR_shr && ir_possible_bits(a) >> 32) || (x->op == IR_sar && ir_signed_bits(a) > 32))
		return NULL;
	return ir_b2(c, (enum ir_op)x->op, 32, ir_b1(c, IR_trunc, 32, a), n);
}

/* The low 32 bits of what 64-bit arithmetic gives. */
static I *combine_trunc(struct combiner *w, C *c, I *i)
{
	I *x = i->args[0], *low[2];
	if (i->width != 32 || x->width != 64 || x->id >= w->n || w->uses[x->id] != 1)
		return NULL;
	switch (x->op) {
	case IR_add:
	case IR_sub:
	case IR_mul:
	case IR_and:
	case IR_or:
	case IR_xor:
		break;
	case IR_shl:
		if (x->args[1]->op == IR_const && x->args[1]->imm < 32)
			return ir_b2(c, IR_shl, 32, ir_b1(c, IR_trunc, 32, x->args[0]), x->args[1]);
		return narrow_shift(c, x);
	case IR_shr:
	case IR_sar:
		return narrow_shift(c, x);
	case IR_umulwide:
	case IR_smulwide:
		return ir_b2(c, IR_mul, 32, x->args[0], x->args[1]);
	default:
		return NULL;
	}
	for (uint32_t k = 0; k < 2; k++)
		low[k] = ir_b1(c, IR_trunc, 32, x->args[k]);
	return ir_b2(c, (enum ir_op)x->op, 32, low[0], low[1]);
}

/* --- contraction --- */

static bool is_product(const struct combiner *w, const I *x, const I *sum, enum ir_op mul)
{
	return x->op == mul && x->contract && x->id < w->n && w->uses[x->id] == 1 && x->ftz == sum->ftz && !x->sat && !x->relu &&
	       x->rnd == sum->rnd;
}

static I *contract(struct combiner *w, C *c, I *i)
{
	bool packed = i->op == IR_pkfadd;
	enum ir_op mul = packed ? IR_pkfmul : IR_fmul;
	I *x = i->args[0], *y = i->args[1];
	if (!i->contract)
		return NULL;
	bool first = is_product(w, x, i, mul), second = is_product(w, y, i, mul);
	if (!first && !second)
		return NULL;
	I *p = first ? x : y, *z = first ? y : x, *a = p->args[0], *b = p->args[1];
	if (i->op == IR_fsub && first)
		z = ir_b1(c, IR_fneg, i->width, z);
	else if (i->op == IR_fsub)
		a = ir_b1(c, IR_fneg, i->width, a);
	I *r = ir_inst_new(c->f, packed ? IR_pkffma : IR_ffma, i->width, 3);
	r->args[0] = a;
	r->args[1] = b;
	r->args[2] = z;
	r->rnd = i->rnd;
	r->ftz = i->ftz;
	r->sat = i->sat;
	r->relu = i->relu;
	return ir_emit(c, r);
}

/* --- memory --- */

/* Local and shared offsets are added without wrapping on some chips: the base must not be negative. */
static bool may_split(const I *i, const I *base)
{
	if (i->mem.space != IR_LOCAL && i->mem.space != IR_SHARED)
		return true;
	return base->op == IR_symaddr || base->op == IR_dynshared || !(ir_possible_bits(base) >> 31);
}

static void fold_address(I *i)
{
	while (by_const(i->args[0], IR_add) && may_split(i, i->args[0]->args[0])) {
		I *x = i->args[0];
		int64_t sum = (int64_t)i->imm + (x->width == 64 ? (int64_t)x->args[1]->imm : (int32_t)x->args[1]->imm);
		if (sum != (int32_t)sum)
			return;
		i->imm = (uint64_t)sum;
		i->args[0] = x->args[0];
	}
}

static I *widen_load(C *c, I *i)
{
	if (i->width != 16 || i->mem.bits > 16)
		return NULL;
	I *l = ir_inst_new(c->f, IR_load, 32, 1);
	l->args[0] = i->args[0];
	l->imm = i->imm;
	l->mem = i->mem;
	l->line = i->line;
	ir_insert_before(i, l);
	return ir_b1(c, IR_trunc, 16, l);
}

static I *combine(struct combiner *w, C *c, I *i)
{
	I *x;
	switch (i->op) {
	case IR_add:
		x = combine_mad64(w, c, i->args[0], i->args[1]);
		x = x ? x : combine_mad64(w, c, i->args[1], i->args[0]);
		return x ? x : combine_add(c, i);
	case IR_addc:
	case IR_addcc:
		return combine_words(w, i);
	case IR_mul:
	case IR_shl:
		return combine_scale(c, i);
	case IR_and:
		return combine_and(w, c, i);
	case IR_shr:
	case IR_sar:
		return combine_shr(c, i);
	case IR_umulwide:
		return combine_mulwide(c, i);
	case IR_trunc:
		return combine_trunc(w, c, i);
	case IR_fadd:
	case IR_fsub:
	case IR_pkfadd:
		return contract(w, c, i);
	case IR_load:
		fold_address(i);
		return widen_load(c, i);
	case IR_store:
	case IR_atom:
	case IR_prefetch:
		fold_address(i);
		return NULL;
	default:
		return NULL;
	}
}

void ir_combine(struct ir_func *f)
{
	struct combiner w = {.f = f, .fwd = ir_fwd_new(f), .uses = NEWN(f->arena, uint32_t, f->ninsts + 1), .n = f->ninsts};
	ir_each_block(b, f) ir_each_inst(i, b) for (uint32_t k = 0; k < i->nargs; k++) w.uses[i->args[k]->id]++;
	ir_each_block(b, f) ir_each_inst_safe(i, b)
	{
		if (i->op == IR_phi)
			continue;
		ir_fwd_args(&w.fwd, i);
		C c = ir_at(f, i);
		I *x = ir_op_info[i->op].flags & IRF_PURE ? ir_simplify(f, i) : i;
		if (x == i)
			x = combine(&w, &c, i);
		if (!x || x == i)
			continue;
		ir_fwd_set(f, &w.fwd, i, x);
		ir_remove(i);
	}
	ir_fwd_apply(f, &w.fwd);
}
