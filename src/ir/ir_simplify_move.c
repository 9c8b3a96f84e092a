/* ir_simplify: rules of widths, pieces, address spaces. */
#include "ir/ir_simplify.h"

struct ir_inst *ir_rule_zext(struct ir_func *f, struct ir_inst *i)
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

struct ir_inst *ir_rule_sext(struct ir_func *f, struct ir_inst *i)
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

struct ir_inst *ir_rule_trunc(struct ir_func *f, struct ir_inst *i)
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

struct ir_inst *ir_rule_unpack(struct ir_func *f, struct ir_inst *i)
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

struct ir_inst *ir_rule_pack(struct ir_func *f, struct ir_inst *i)
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

struct ir_inst *ir_rule_spaces(struct ir_func *f, struct ir_inst *i)
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
