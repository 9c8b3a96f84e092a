/* Generic addresses to the space they are in, by provenance: loads, stores and atomics through them become global, shared or local.
 *
 * A value of 64 bits is an address made from a space (togeneric, a global variable), an integer (what multiplications and shifts
 * give), a kernel argument (a global address, should it be one: the host cannot make others), or unknown. Addition keeps the space
 * of its address; phis and selects keep what all sides agree on. Where a kernel never turns a shared or local address
 * into a generic one, every generic address is global.
 *
 * ensures: no access is generic whose space is known. Needs: inlining done, ir_dominators. */
#include "ir/ir_util.h"

enum kind { TOP, INTEGER, ARGUMENT, IN_SPACE, UNKNOWN };
struct origin {
	uint8_t kind, space;
};

struct spaces {
	struct ir_func *f;
	struct origin *of; /* by id */
	bool only_global;
	bool changed;
};

static struct origin in_space(uint32_t space)
{
	if (space == IR_CONST || space == IR_PARAM)
		space = IR_GLOBAL;
	return (struct origin){space == IR_GENERIC ? UNKNOWN : IN_SPACE, (uint8_t)space};
}

static struct origin get(const struct spaces *s, const struct ir_inst *x)
{
	if (x->op == IR_undef || (x->op == IR_const && !x->imm))
		return (struct origin){TOP, 0};
	if (x->op == IR_const)
		return (struct origin){INTEGER, 0};
	return s->of[x->id];
}

static struct origin meet(struct origin a, struct origin b)
{
	if (a.kind == TOP)
		return b;
	if (b.kind == TOP || (a.kind == b.kind && a.space == b.space))
		return a;
	/* an argument and a global address meet in the weaker claim */
	if ((a.kind == ARGUMENT && b.kind == IN_SPACE && b.space == IR_GLOBAL) ||
	    (b.kind == ARGUMENT && a.kind == IN_SPACE && a.space == IR_GLOBAL))
		return (struct origin){ARGUMENT, IR_GLOBAL};
	return (struct origin){UNKNOWN, 0};
}

static struct origin sum(struct origin a, struct origin b)
{
	if (a.kind < b.kind && b.kind != UNKNOWN) {
		struct origin t = a;
		a = b;
		b = t;
	}
	if (a.kind == TOP || b.kind == TOP)
		return a.kind == TOP ? b : a;
	if (a.kind == IN_SPACE)
		return b.kind == IN_SPACE ? (struct origin){UNKNOWN, 0} : a;
	if (b.kind == IN_SPACE)
		return b;
	if (a.kind == UNKNOWN || b.kind == UNKNOWN)
		return (struct origin){UNKNOWN, 0};
	return a;
}

static struct origin origin_of(const struct spaces *s, const struct ir_inst *i)
{
	struct origin r = {TOP, 0};
	const struct ir_var *v = i->sym;
	switch (i->op) {
	case IR_togeneric:
		return in_space((uint32_t)i->imm);
	case IR_symaddr:
		return in_space(v->space);
	case IR_paramaddr:
		return in_space(IR_PARAM);
	case IR_load:
		if (i->mem.space == IR_PARAM && s->f->is_kernel && i->mem.bits == 64)
			return (struct origin){ARGUMENT, IR_GLOBAL};
		return (struct origin){i->mem.bits < 64 ? INTEGER : UNKNOWN, 0};
	case IR_add:
	case IR_or:
		return sum(get(s, i->args[0]), get(s, i->args[1]));
	case IR_sub:
		r = get(s, i->args[1]);
		return r.kind == INTEGER || r.kind == TOP ? get(s, i->args[0]) : r.kind == UNKNOWN ? r : (struct origin){INTEGER, 0};
	case IR_and:
		return i->args[1]->op == IR_const ? get(s, i->args[0]) : (struct origin){UNKNOWN, 0};
	case IR_phi:
		for (uint32_t k = 0; k < i->nargs; k++)
			r = meet(r, get(s, i->args[k]));
		return r;
	case IR_select:
		return meet(get(s, i->args[1]), get(s, i->args[2]));
	case IR_mul:
	case IR_shl:
	case IR_zext:
	case IR_sext:
	case IR_umulwide:
	case IR_smulwide:
	case IR_udiv:
	case IR_sdiv:
	case IR_urem:
	case IR_srem:
		return (struct origin){INTEGER, 0};
	default:
		return (struct origin){UNKNOWN, 0};
	}
}

static void propagate(struct spaces *s)
{
	do {
		s->changed = false;
		ir_each_block(b, s->f) ir_each_inst(i, b) {
			if (i->width != 64)
				continue;
			struct origin o = origin_of(s, i);
			/* only downwards, so that it ends */
			o = meet(s->of[i->id], o);
			if (o.kind != s->of[i->id].kind || o.space != s->of[i->id].space) {
				s->of[i->id] = o;
				s->changed = true;
			}
		}
	} while (s->changed);
}

static uint32_t space_of(const struct spaces *s, const struct ir_inst *address)
{
	struct origin o = get(s, address);
	if (o.kind == IN_SPACE || o.kind == ARGUMENT)
		return o.space;
	return s->only_global ? IR_GLOBAL : IR_GENERIC;
}

static bool is_access(const struct ir_inst *i)
{
	return i->op == IR_load || i->op == IR_store || i->op == IR_atom || i->op == IR_prefetch;
}

static void rewrite(struct spaces *s, struct ir_inst *i)
{
	uint32_t space = space_of(s, i->args[0]);
	if (space == IR_GENERIC || (space == IR_LOCAL && i->op == IR_atom))
		return;
	i->mem.space = (uint8_t)space;
	if (space == IR_GLOBAL)
		return;
	struct ir_cursor c = ir_at(s->f, i);
	i->args[0] = ir_bn(&c, IR_tospace, 32, space, i->args, 1);
}

/* The offset of an address in its space: through additions and choices, so that constants end up in the access. NULL: no better. */
static struct ir_inst *offset_of(struct ir_cursor *c, struct ir_inst *x, uint32_t space, uint32_t depth)
{
	struct ir_inst *low[2];
	bool constant = x->nargs == 2 && x->args[1]->op == IR_const;
	if (!depth)
		return ir_bn(c, IR_tospace, 32, space, &x, 1);
	if ((x->op == IR_add || x->op == IR_or) && constant) {
		low[0] = offset_of(c, x->args[0], space, depth - 1);
		low[1] = ir_const(c->f, 32, x->args[1]->imm);
		const struct ir_var *v = low[0]->op == IR_symaddr ? low[0]->sym : NULL;
		bool apart = v && v->align && (low[0]->imm | low[1]->imm) < v->align && !(low[0]->imm & low[1]->imm);
		return ir_b2(c, x->op == IR_or && !apart ? IR_or : IR_add, 32, low[0], low[1]);
	}
	if (x->op == IR_select) {
		low[0] = offset_of(c, x->args[1], space, depth - 1);
		low[1] = offset_of(c, x->args[2], space, depth - 1);
		return ir_select(c, x->args[0], low[0], low[1]);
	}
	return ir_bn(c, IR_tospace, 32, space, &x, 1);
}

static void lower_tospace(struct spaces *s, struct ir_inst *i, struct ir_fwd *fwd)
{
	struct ir_inst *x = i->args[0];
	if (i->imm == IR_GLOBAL || (x->op != IR_add && x->op != IR_or && x->op != IR_select))
		return;
	struct ir_cursor c = ir_at(s->f, i);
	ir_fwd_set(s->f, fwd, i, offset_of(&c, x, (uint32_t)i->imm, 4));
	ir_remove(i);
}

static bool has_constants(const struct ir_module *m)
{
	for (uint32_t k = 0; k < m->vars.len; k++)
		if (m->vars.data[k]->space == IR_CONST)
			return true;
	return false;
}

void ir_spaces(struct ir_func *f)
{
	struct spaces s = {.f = f, .of = NEWN(f->arena, struct origin, f->ninsts), .only_global = f->is_kernel};
	bool any = false;
	ir_each_block(b, f) ir_each_inst(i, b) {
		any |= is_access(i) && i->mem.space == IR_GENERIC;
		any |= i->op == IR_isspace;
		if (i->op == IR_call || (i->op == IR_togeneric && (i->imm == IR_SHARED || i->imm == IR_LOCAL)))
			s.only_global = false;
	}
	if (!any)
		return;
	propagate(&s);
	struct ir_fwd fwd = ir_fwd_new(f);
	ir_each_block(b, f) ir_each_inst_safe(i, b)
	{
		ir_fwd_args(&fwd, i);
		if (is_access(i) && i->mem.space == IR_GENERIC) {
			rewrite(&s, i);
		} else if (i->op == IR_isspace && (i->imm == IR_SHARED || i->imm == IR_LOCAL || i->imm == IR_GLOBAL)) {
			uint32_t space = space_of(&s, i->args[0]);
			if (space == IR_GENERIC || (space == i->imm && space == IR_GLOBAL && has_constants(f->module)))
				continue; /* not known, or perhaps a constant's */
			ir_fwd_set(f, &fwd, i, ir_const(f, 1, space == i->imm));
			ir_remove(i);
		}
	}
	ir_each_block(b, f) ir_each_inst_safe(i, b)
	{
		ir_fwd_args(&fwd, i);
		if (i->op == IR_tospace && i->width == 32)
			lower_tospace(&s, i, &fwd);
	}
	ir_fwd_apply(f, &fwd);
}
