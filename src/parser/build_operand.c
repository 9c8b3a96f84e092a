/* Operands: registers, constants, special registers, vectors, addresses. */
#include "parser/build_internal.h"

const struct type_info type_info[PTX_T_COUNT] = {
	[PTX_T_none] = {0, 0},
#define CLS_U 'U'
#define CLS_S 'S'
#define CLS_B 'B'
#define CLS_F 'F'
#define CLS_H 'H'
#define CLS_A 'A'
#define CLS_P 'P'
#define CLS_O 'O'
#define X(name, bits, cls) [PTX_T_##name] = {bits, CLS_##cls},
#include "parser/types.def"
#undef X
};

/* --- registers and constants --- */

uint32_t opd_reg(struct build *B, const struct ptx_operand *o)
{
	if (B->vec_base && B->pf->regs[o->reg].vec > 1 && o->sel > 1)
		return B->vec_base[o->reg] + o->sel - 2u;
	return o->reg;
}

struct ir_inst *resize(struct build *B, struct ir_inst *v, uint32_t width, bool sign)
{
	if (v->width == width)
		return v;
	if (v->width > width)
		return width == 1 ? ICMP(NE, v, K(v->width, 0)) : OPW1(trunc, width, v);
	if (sign)
		return OPW1(sext, width, v);
	return OPW1(zext, width, v);
}

struct ir_inst *opd_raw(struct build *B, const struct ptx_operand *o)
{
	return reg_get(B, opd_reg(B, o));
}

static uint64_t float_bits(const struct ptx_operand *o, uint32_t width)
{
	if (width == 32 && o->is_f32)
		return o->f32bits;
	double d;
	memcpy(&d, &o->bits, 8);
	if (width == 64) /* ptxas takes 0f... for bits there too */
		return o->is_f32 ? o->f32bits : o->bits;
	float f = (float)d;
	uint32_t u;
	memcpy(&u, &f, 4);
	return u;
}

struct ir_inst *opd_width(struct build *B, const struct ptx_operand *o, uint32_t width)
{
	static const struct ptx_stmt none;
	switch (o->kind) {
	case PTX_OPD_REG:
		return resize(B, opd_raw(B, o), width, false);
	case PTX_OPD_IMM:
		if (width == 128) {
			struct ir_inst *h[] = {K(64, o->imm), K(64, o->imm < 0 ? -1 : 0)};
			return ir_pack(&B->c, 128, h, 2);
		}
		return K(width, width == 1 ? o->imm != 0 : o->imm);
	case PTX_OPD_FIMM:
		if (width == 32 || width == 64)
			return K(width, float_bits(o, width));
		diag_error(B->diags, B->c.line, "a floating-point constant cannot be an operand of %u bits", width);
		return K(width, 0);
	case PTX_OPD_SREG:
		return resize(B, sreg(B, &none, o), width, false);
	default:
		diag_error(B->diags, B->c.line, "operand is not a value");
		return ir_undef(B->f, width);
	}
}

struct ir_inst *opd(struct build *B, const struct ptx_operand *o, uint32_t type)
{
	return type == PTX_T_pred ? pred(B, o) : opd_width(B, o, type_width(type));
}

struct ir_inst *pred(struct build *B, const struct ptx_operand *o)
{
	struct ir_inst *p = opd_width(B, o, 1);
	return o->neg && o->kind == PTX_OPD_REG ? OP1(not, p) : p;
}

/* --- destinations --- */

void def(struct build *B, const struct ptx_operand *o, struct ir_inst *v, bool sign)
{
	if (!o || o->kind == PTX_OPD_SINK)
		return;
	if (o->kind == PTX_OPD_PAIR)
		o = &o->elems[0];
	if (o->kind != PTX_OPD_REG)
		return;
	uint32_t r = opd_reg(B, o);
	reg_set(B, r, resize(B, v, B->regs[r].width, sign));
}

const struct ptx_operand *pair_first(const struct ptx_operand *o)
{
	return o->kind == PTX_OPD_PAIR ? &o->elems[0] : o;
}

const struct ptx_operand *pair_second(const struct ptx_operand *o)
{
	return o->kind == PTX_OPD_PAIR ? &o->elems[1] : NULL;
}

uint32_t opd_elems(struct build *B, const struct ptx_operand *o, uint32_t n, struct ptx_operand *out)
{
	if (o->kind == PTX_OPD_VEC) {
		for (uint32_t k = 0; k < o->n && k < n; k++)
			out[k] = o->elems[k];
		return o->n < n ? o->n : n;
	}
	if (n > 1 && o->kind == PTX_OPD_REG && B->pf->regs[o->reg].vec > 1 && !o->sel) {
		for (uint32_t k = 0; k < n; k++) {
			out[k] = *o;
			out[k].sel = (uint8_t)(k + 1);
		}
		return n;
	}
	out[0] = *o;
	return 1;
}

uint32_t opd_list(struct build *B, const struct ptx_operand *o, struct ptx_operand *out)
{
	uint32_t vec = o->kind == PTX_OPD_REG ? B->pf->regs[o->reg].vec : 1;
	return opd_elems(B, o, o->kind == PTX_OPD_VEC ? o->n : vec ? vec : 1, out);
}

/* --- addresses --- */

uint32_t ir_space_of(uint32_t ptx_space)
{
	switch (ptx_space) {
	case PTX_SPACE_CONST:
		return IR_CONST;
	case PTX_SPACE_GLOBAL:
		return IR_GLOBAL;
	case PTX_SPACE_LOCAL:
		return IR_LOCAL;
	case PTX_SPACE_PARAM:
		return IR_PARAM;
	case PTX_SPACE_SHARED:
		return IR_SHARED;
	default:
		return IR_GENERIC;
	}
}

struct ir_inst *sym_addr(struct build *B, struct ir_var *v, uint64_t imm)
{
	struct ir_inst *i = ir_inst_new(B->f, IR_symaddr, v->space == IR_SHARED || v->space == IR_LOCAL ? 32 : 64, 0);
	i->sym = v;
	i->imm = imm;
	return ir_emit(&B->c, i);
}

static bool symbol_address(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *o, struct addr *a)
{
	const struct ptx_symbol *sym = o->sym;
	a->imm = o->imm;
	if (sym->is_entry_param) {
		a->space = IR_PARAM;
		a->base = K(32, 0);
		a->imm += (int64_t)sym->offset;
		return true;
	}
	struct ir_var *v = sym->kind == PTX_SYM_VAR ? var_of(B, sym) : NULL;
	if (!v) {
		diag_error(B->diags, s->line, "'%s' has no address that '%s' could access", sym->name, s->m->text);
		return false;
	}
	a->space = v->space;
	a->base = sym_addr(B, v, 0);
	return true;
}

bool address(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *o, uint32_t ptx_space, struct addr *a)
{
	if (o->kind == PTX_OPD_ADDR && o->base == PTX_BASE_SYM)
		return symbol_address(B, s, o, a);
	/* In a device function .param names the function's own variables, which are local memory. */
	a->space = (uint8_t)(ptx_space == PTX_SPACE_PARAM && !B->pf->is_entry ? IR_LOCAL : ir_space_of(ptx_space));
	uint32_t width = a->space == IR_SHARED || a->space == IR_LOCAL || a->space == IR_PARAM ? 32 : 64;
	if (o->kind != PTX_OPD_ADDR) {
		a->base = opd_width(B, o, width);
		a->imm = 0;
	} else if (o->base == PTX_BASE_REG) {
		a->base = resize(B, opd_raw(B, o), width, false);
		a->imm = o->imm;
	} else {
		a->base = K(width, o->imm);
		a->imm = 0;
	}
	return true;
}

struct ir_inst *addr_value(struct build *B, const struct addr *a)
{
	return a->imm ? OP2(add, a->base, K(a->base->width, a->imm)) : a->base;
}

struct ir_inst *load_at(struct build *B, const struct addr *a, struct ir_mem mem, uint32_t width, uint64_t off)
{
	struct ir_inst *i = ir_inst_new(B->f, IR_load, width, 1);
	i->args[0] = a->base;
	i->imm = (uint64_t)a->imm + off;
	i->mem = mem;
	return ir_emit(&B->c, i);
}

void store_at(struct build *B, const struct addr *a, struct ir_mem mem, struct ir_inst *v, uint64_t off)
{
	struct ir_inst *i = ir_inst_new(B->f, IR_store, 0, 2);
	i->args[0] = a->base;
	i->args[1] = v;
	i->imm = (uint64_t)a->imm + off;
	i->mem = mem;
	ir_emit(&B->c, i);
}
