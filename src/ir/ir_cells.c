/* Which loads and stores belong to which cell: a variable each, all dynamic shared memory one; a whole space where an address does not tell its
 * variable; none where a generic address or an atomic operation may come there. An address and an integer make one of the same variable. */
#include "ir/ir_cells.h"
#include "ir/ir_util.h"

typedef struct ir_inst I;

enum { MOST = 200 };

struct finder {
	struct ir_func *f;
	struct ir_cells cells;
	const void **var;           /* by id, what an address is in: a variable, or a name below; NULL: not known yet */
	const void *base[MOST + 1]; /* of a cell */
	bool bad[MOST + 1];
	bool vague[IR_PARAM + 1];   /* by space: some address is of no known variable */
	bool generic, mixed;
};

static const char integer, dynamic, many, whole[IR_PARAM + 1];

static bool is_mine(uint32_t space)
{
	return space == IR_SHARED || space == IR_LOCAL;
}

/* --- of which variable --- */

static const void *var_of(const struct finder *w, const I *x)
{
	return x->op == IR_const ? &integer : x->op == IR_undef ? NULL : w->var[x->id];
}

static const void *meet(const void *a, const void *b)
{
	return !a || a == b ? b : !b ? a : &many;
}

static const void *sum(struct finder *w, const I *i)
{
	const void *a = var_of(w, i->args[0]), *b = var_of(w, i->args[1]);
	if (!a || !b || a == &integer || b == &integer) {
		const void *v = !a || a == &integer ? b : a;
		return i->op == IR_sub && v == b && b && b != &integer ? &many : v;
	}
	w->mixed = true; /* one variable's address may be told by another's */
	return &many;
}

static const void *transfer(struct finder *w, const I *i)
{
	const struct ir_var *v = i->sym;
	const void *r = NULL;
	switch (i->op) {
	case IR_symaddr:
		return !is_mine(v->space) ? (const void *)&integer : v->dynamic ? (const void *)&dynamic : v;
	case IR_dynshared:
		return &dynamic;
	case IR_add:
	case IR_sub:
	case IR_or:
		return sum(w, i);
	case IR_phi:
	case IR_select:
		for (uint32_t k = i->op == IR_select; k < i->nargs; k++)
			r = meet(r, var_of(w, i->args[k]));
		return r;
	case IR_zext:
	case IR_trunc:
	case IR_vcopy:
	case IR_readfirstlane:
		return var_of(w, i->args[0]);
	case IR_load:
	case IR_atom:
		return &integer;
	default:
		break;
	}
	for (uint32_t k = 0; k < i->nargs; k++) {
		const void *a = var_of(w, i->args[k]);
		if (a && a != &integer)
			return &many;
	}
	return &integer;
}

static void propagate(struct finder *w)
{
	bool again = true;
	while (again) {
		again = false;
		ir_each_block(b, w->f) ir_each_inst(i, b)
		{
			if (i->width < 32)
				continue;
			const void *v = meet(w->var[i->id], transfer(w, i));
			again |= v != w->var[i->id];
			w->var[i->id] = v;
		}
	}
}

/* --- cells --- */

static uint32_t cell(struct finder *w, const I *i)
{
	const void *v = var_of(w, i->args[0]);
	uint32_t k = 1, space = i->mem.space;
	if (w->mixed || w->vague[space])
		v = &whole[space];
	while (k <= w->cells.n && w->base[k] != v)
		k++;
	if (k > MOST)
		return 0;
	if (k > w->cells.n) {
		w->cells.n = k;
		w->base[k] = v;
		w->cells.unit[k] = 64;
	}
	return k;
}

static void add_access(struct finder *w, const I *i)
{
	uint32_t k = cell(w, i), width = i->op == IR_store ? i->args[1]->width : i->width;
	uint32_t unit = 8u << (i->mem.align_log2 < 3 ? i->mem.align_log2 : 3);
	unit = unit < i->mem.bits ? unit : i->mem.bits;
	if (unit < w->cells.unit[k])
		w->cells.unit[k] = (uint8_t)unit;
	w->bad[k] |= i->op == IR_atom || unit < 16 || width != i->mem.bits;
	w->cells.of[i->id] = (uint16_t)k;
}

static bool look(struct finder *w)
{
	bool any = false;
	ir_each_block(b, w->f) ir_each_inst(i, b)
	{
		if (!(ir_op_info[i->op].flags & IRF_HAS_MEM) || !i->nargs)
			continue;
		w->generic |= i->mem.space == IR_GENERIC && i->op != IR_prefetch;
		any |= is_mine(i->mem.space) && i->op == IR_load;
	}
	return any && !w->generic;
}

struct ir_cells ir_cells(struct ir_func *f)
{
	struct finder w = {.f = f, .cells = {.nids = f->ninsts}};
	w.cells.of = NEWN(f->arena, uint16_t, f->ninsts + 1);
	w.cells.unit = NEWN(f->arena, uint8_t, MOST + 1);
	if (!look(&w))
		return w.cells;
	w.var = NEWN(f->arena, const void *, f->ninsts + 1);
	propagate(&w);
	ir_each_block(b, f) ir_each_inst(i, b) if (ir_op_info[i->op].flags & IRF_HAS_MEM && i->nargs && is_mine(i->mem.space))
	{
		const void *v = var_of(&w, i->args[0]);
		w.vague[i->mem.space] |= !v || v == &integer || v == &many;
	}
	ir_each_block(b, f) ir_each_inst(i, b) if ((i->op == IR_load || i->op == IR_store || i->op == IR_atom) && is_mine(i->mem.space))
		add_access(&w, i);
	ir_each_block(b, f) ir_each_inst(i, b) if (w.bad[w.cells.of[i->id]])
		w.cells.of[i->id] = 0;
	return w.cells;
}
