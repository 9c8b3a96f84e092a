/* Small local arrays accessed by a computed index: an access becomes accesses to every place where it can be, of which a load takes one
 * value by comparing the address, and a store writes back what the others hold. ir_promote then keeps the array in registers. So a
 * scratch access of some hundred cycles becomes two instructions for each place, as LLVM's AMDGPUPromoteAlloca does it.
 *
 * A variable qualifies where all that is done with its address is arithmetic, phis and selects that end in plain accesses. Accesses lie
 * at multiples of their alignment; what bits an index can have rules out more places.
 *
 * requires: SSA, addresses folded (ir_combine, ir_spaces), dead code removed.  ensures: SSA. */
#include "ir/ir_legal.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

enum { MAX_BYTES = 128, MAX_PLACES = 32, MAX_ALL = 256, MAX_WIDTH = 128 };

struct unindex {
	struct ir_func *f;
	struct ir_var *v;
	bool *derived; /* by id: an address in v */
	uint32_t ninsts;
	VEC(I *) computed; /* accesses whose address is not the variable's itself */
};

static bool is_plain(const I *i)
{
	return (i->op == IR_load || i->op == IR_store) && i->mem.space == IR_LOCAL && !i->mem.is_volatile;
}

static bool is_base(const struct unindex *u, const I *i)
{
	return i->op == IR_symaddr && i->sym == u->v;
}

static bool in(const struct unindex *u, const I *i)
{
	return i->id < u->ninsts && u->derived[i->id];
}

/* --- which values are addresses in the variable --- */

static uint32_t first_address(const I *i)
{
	return i->op == IR_select ? 1 : 0;
}

static bool passes_on(const I *i)
{
	switch (i->op) {
	case IR_add:
	case IR_sub:
	case IR_phi:
	case IR_select:
	case IR_togeneric:
	case IR_tospace:
		return true;
	case IR_zext:
	case IR_sext:
	case IR_trunc:
		return i->width >= 32;
	default:
		return false;
	}
}

static void find_derived(struct unindex *u)
{
	bool changed = true;
	while (changed) {
		changed = false;
		ir_each_block(b, u->f) ir_each_inst(i, b)
		{
			bool is = is_base(u, i);
			for (uint32_t k = first_address(i); !is && passes_on(i) && k < i->nargs; k++)
				is = in(u, i->args[k]);
			if (is && !u->derived[i->id]) {
				u->derived[i->id] = true;
				changed = true;
			}
		}
	}
}

static uint32_t addresses_among(const struct unindex *u, const I *i)
{
	uint32_t n = 0;
	for (uint32_t k = first_address(i); k < i->nargs; k++)
		n += in(u, i->args[k]);
	return n;
}

/* A derived value must be one whatever way it comes; one number and one address make an address. */
static bool well_formed(const struct unindex *u, const I *i)
{
	uint32_t n = addresses_among(u, i);
	switch (i->op) {
	case IR_phi:
		return n == i->nargs;
	case IR_select:
		return n == 2 && !in(u, i->args[0]);
	case IR_add:
		return n == 1;
	case IR_sub:
		return n == 1 && in(u, i->args[0]);
	default:
		return true;
	}
}

static bool collect(struct unindex *u)
{
	ir_each_block(b, u->f) ir_each_inst(i, b)
	{
		if (u->derived[i->id]) {
			if (!is_base(u, i) && !well_formed(u, i))
				return false;
			continue;
		}
		for (uint32_t k = 0; k < i->nargs; k++) {
			if (!in(u, i->args[k]))
				continue;
			if (k || !is_plain(i))
				return false;
			if (!is_base(u, i->args[0]))
				vec_push(u->f->arena, &u->computed, i);
		}
	}
	return u->computed.len > 0;
}

/* --- where an access can be --- */

/* The address as a constant place and a number: x + at. NULL x: constant. */
static I *split(const struct unindex *u, I *a, int64_t *at)
{
	for (;;) {
		if (is_base(u, a)) {
			*at += (int32_t)a->imm;
			return NULL;
		}
		if (a->op == IR_add && a->args[1]->op == IR_const)
			*at += (int64_t)a->args[1]->imm;
		else if (a->op == IR_add && is_base(u, a->args[0]))
			return *at += (int32_t)a->args[0]->imm, a->args[1];
		else if (a->op == IR_add && is_base(u, a->args[1]))
			return *at += (int32_t)a->args[1]->imm, a->args[0];
		else if (a->op != IR_togeneric && a->op != IR_tospace && a->op != IR_zext && a->op != IR_trunc)
			return a;
		a = a->args[0];
	}
}

/* Fills `places`; how many, MAX_PLACES + 1 for too many. */
static uint32_t places_of(const struct unindex *u, const I *i, uint32_t places[MAX_PLACES])
{
	int64_t at = (int32_t)i->imm;
	I *x = split(u, i->args[0], &at);
	uint32_t step = 1u << i->mem.align_log2, bytes = i->mem.bits / 8u, n = 0;
	uint64_t bits = !x ? 0 : in(u, x) ? UINT32_MAX : ir_possible_bits(x) & UINT32_MAX;
	for (uint32_t o = 0; o + bytes <= u->v->size; o += step) {
		if (((uint32_t)(o - at) & ~bits) || (!x && (int64_t)o != (int32_t)at))
			continue;
		if (n == MAX_PLACES)
			return n + 1;
		places[n++] = o;
	}
	return n;
}

static uint32_t value_width(const I *i)
{
	return i->op == IR_load ? i->width : i->args[1]->width;
}

static bool worthwhile(struct unindex *u)
{
	uint32_t all = 0, places[MAX_PLACES];
	for (uint32_t k = 0; k < u->computed.len; k++) {
		const I *i = u->computed.data[k];
		uint32_t n = places_of(u, i, places);
		if (!n || n > MAX_PLACES || value_width(i) > MAX_WIDTH || 1u << i->mem.align_log2 > u->v->align)
			return false;
		all += n;
	}
	return all <= MAX_ALL;
}

/* --- rewriting --- */

static I *access(C *c, const struct unindex *u, const I *i, uint32_t at, I *value)
{
	I *base = ir_inst_new(c->f, IR_symaddr, 32, 0);
	base->sym = u->v;
	I *m = ir_inst_new(c->f, value ? IR_store : IR_load, value ? 0 : (uint16_t)value_width(i), value ? 2 : 1);
	m->args[0] = ir_emit(c, base);
	if (value)
		m->args[1] = value;
	m->imm = at;
	m->mem = i->mem;
	return ir_emit(c, m);
}

static I *address32(C *c, I *a)
{
	return a->width > 32 ? ir_b1(c, IR_trunc, 32, a) : a;
}

static void rewrite(struct unindex *u, I *i, struct ir_fwd *fwd)
{
	uint32_t places[MAX_PLACES], n = places_of(u, i, places);
	C c = ir_at(u->f, i);
	I *a = n > 1 ? address32(&c, i->args[0]) : NULL, *r = NULL;
	for (uint32_t k = 0; k < n; k++) {
		I *here = n > 1 ? ir_cmp(&c, IR_icmp, IRC_EQ, a, ir_const(u->f, 32, (uint32_t)(places[k] - i->imm))) : NULL;
		if (i->op == IR_load) {
			I *x = access(&c, u, i, places[k], NULL);
			r = r ? ir_select(&c, here, x, r) : x;
		} else {
			I *x = i->args[1];
			if (here)
				x = ir_select(&c, here, x, access(&c, u, i, places[k], NULL));
			access(&c, u, i, places[k], x);
		}
	}
	if (r)
		ir_fwd_set(u->f, fwd, i, r);
	ir_remove(i);
}

/* The variable begins at 0: what remains of its address are numbers. */
static void number_addresses(struct unindex *u)
{
	ir_each_block(b, u->f) ir_each_inst(i, b)
	{
		if (!in(u, i) || is_base(u, i))
			continue;
		if (i->op == IR_togeneric || i->op == IR_tospace) {
			uint32_t from = i->args[0]->width;
			i->op = from == i->width ? IR_or : from < i->width ? IR_zext : IR_trunc;
			i->imm = 0;
			if (i->op == IR_or) { /* a copy */
				I *same = i->args[0];
				i->nargs = 2;
				i->args = NEWN(u->f->arena, I *, 2);
				i->args[0] = i->args[1] = same;
			}
		}
		for (uint32_t k = 0; k < i->nargs; k++)
			if (is_base(u, i->args[k]))
				i->args[k] = ir_const(u->f, i->args[k]->width, (uint32_t)i->args[k]->imm);
	}
}

static bool unindex(struct ir_func *f, struct ir_var *v)
{
	struct unindex u = {.f = f, .v = v, .ninsts = f->ninsts, .derived = NEWN(f->arena, bool, f->ninsts + 1)};
	find_derived(&u);
	if (!collect(&u) || !worthwhile(&u))
		return false;
	struct ir_fwd fwd = ir_fwd_new(f);
	for (uint32_t k = 0; k < u.computed.len; k++)
		rewrite(&u, u.computed.data[k], &fwd);
	ir_fwd_apply(f, &fwd);
	number_addresses(&u);
	return true;
}

void ir_unindex(struct ir_func *f)
{
	bool any = false;
	for (uint32_t k = 0; k < f->vars.len; k++) {
		struct ir_var *v = f->vars.data[k];
		if (v->space == IR_LOCAL && v->size <= MAX_BYTES)
			any |= unindex(f, v);
	}
	if (any)
		ir_dce(f);
}
