/* mov with its packing forms, and the conversions between state spaces. */
#include "parser/build_internal.h"

#define TYPE (s->m->types[0])

/* --- mov --- */

/* {a, b, ..} as one value of `width` bits. Elements of 8 bits are put together by shifts: the IR has none so small. */
static struct ir_inst *pack_vector(struct build *B, const struct ptx_operand *o, uint32_t width)
{
	struct ir_inst *v[8];
	uint32_t piece = width / o->n;
	if (piece >= 16) {
		for (uint32_t k = 0; k < o->n; k++)
			v[k] = opd_width(B, &o->elems[k], piece);
		return o->n == 1 ? v[0] : ir_pack(&B->c, width, v, o->n);
	}
	struct ir_inst *d = K(32, 0);
	for (uint32_t k = 0; k < o->n; k++) {
		struct ir_inst *b = OP2(and, opd_width(B, &o->elems[k], 32), K(32, 255));
		d = OP2(or, d, OP2(shl, b, K(32, 8 * k)));
	}
	return resize(B, d, width, false);
}

static void unpack_vector(struct build *B, const struct ptx_operand *o, struct ir_inst *v)
{
	uint32_t piece = v->width / o->n;
	struct ir_inst *part[8];
	for (uint32_t k = 0; k < o->n; k++) {
		if (o->elems[k].kind == PTX_OPD_SINK)
			continue;
		if (piece >= 16)
			part[k] = o->n == 1 ? v : ir_unpack(&B->c, piece, v, k);
		else
			part[k] = OP3(ubfe, resize(B, v, 32, false), K(32, 8 * k), K(32, 8));
	}
	for (uint32_t k = 0; k < o->n; k++)
		if (o->elems[k].kind != PTX_OPD_SINK)
			def(B, &o->elems[k], part[k], false);
}

static struct ir_inst *symbol_value(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *o)
{
	const struct ptx_symbol *sym = o->sym;
	if (sym->kind == PTX_SYM_FUNC) {
		struct ir_inst *i = ir_inst_new(B->f, IR_funcaddr, 64, 0);
		i->sym = func_of(B, sym);
		return ir_emit(&B->c, i);
	}
	if (sym->is_entry_param)
		return K(32, sym->offset + (uint64_t)o->imm);
	struct ir_var *v = var_of(B, sym);
	if (v) {
		v->addr_taken = true;
		return sym_addr(B, v, (uint64_t)o->imm);
	}
	diag_error(B->diags, s->line, "'%s' has no address on an AMD GPU", sym->name);
	return K(64, 0);
}

static struct ir_inst *move_value(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *o,
				  uint32_t width)
{
	switch (o->kind) {
	case PTX_OPD_SYM:
		return resize(B, symbol_value(B, s, o), width, false);
	case PTX_OPD_VEC:
		return pack_vector(B, o, width);
	case PTX_OPD_REG:
		return TYPE == PTX_T_pred ? pred(B, o) : opd_width(B, o, width);
	case PTX_OPD_SREG:
		return resize(B, sreg(B, s, o), width, false);
	default:
		return opd_width(B, o, width);
	}
}

/* A vector register or special register moved whole. */
static bool move_components(struct build *B, const struct ptx_stmt *s)
{
	const struct ptx_operand *d = &s->ops[0], *a = &s->ops[1];
	if (d->kind != PTX_OPD_REG || B->pf->regs[d->reg].vec <= 1 || d->sel)
		return false;
	struct ptx_operand to[4], from[4];
	uint32_t n = opd_elems(B, d, B->pf->regs[d->reg].vec, to);
	struct ir_inst *v[4];
	if (a->kind == PTX_OPD_SREG) {
		for (uint32_t k = 0; k < n; k++) {
			from[k] = *a;
			from[k].sel = (uint8_t)(k + 1);
		}
	} else if (opd_elems(B, a, n, from) != n) {
		refuse_why(B, s, "the vectors differ in length");
		return true;
	}
	for (uint32_t k = 0; k < n; k++)
		v[k] = move_value(B, s, &from[k], type_width(B->pf->regs[d->reg].type));
	for (uint32_t k = 0; k < n; k++)
		def(B, &to[k], v[k], false);
	return true;
}

void move_mov(struct build *B, const struct ptx_stmt *s)
{
	const struct ptx_operand *d = &s->ops[0];
	if (move_components(B, s))
		return;
	uint32_t width = type_width(TYPE);
	struct ir_inst *v = move_value(B, s, &s->ops[1], width);
	if (d->kind == PTX_OPD_VEC)
		unpack_vector(B, d, v);
	else
		def(B, d, v, false);
}

/* {d0, d1, ..} from as many elements, or from a special register of four. */
void move_vec(struct build *B, const struct ptx_stmt *s)
{
	const struct ptx_operand *a = &s->ops[1];
	struct ptx_operand to[4], from[4];
	struct ir_inst *v[4];
	uint32_t n = MOD(vec) == PTX_W_v2 ? 2 : 4;
	opd_elems(B, &s->ops[0], n, to);
	if (a->kind != PTX_OPD_SREG)
		opd_elems(B, a, n, from);
	for (uint32_t k = 0; k < n; k++) {
		if (a->kind == PTX_OPD_SREG) {
			from[k] = *a;
			from[k].sel = (uint8_t)(k + 1);
		}
		v[k] = move_value(B, s, &from[k], type_width(TYPE));
	}
	for (uint32_t k = 0; k < n; k++)
		def(B, &to[k], v[k], false);
}

/* --- state spaces --- */

static uint32_t space_of(struct build *B, const struct ptx_stmt *s)
{
	uint32_t space = ir_space_of(s->m->space);
	return space == IR_PARAM && !B->pf->is_entry ? IR_LOCAL : space;
}

static struct ir_inst *param_base(struct build *B)
{
	return ir_emit(&B->c, ir_inst_new(B->f, IR_paramaddr, 64, 0));
}

static struct ir_inst *convert(struct build *B, enum ir_op op, uint32_t width, uint32_t space, struct ir_inst *x)
{
	return ir_bn(&B->c, op, width, space, &x, 1);
}

/* The operand is a register or a variable's name. */
static struct ir_inst *pointer(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *o)
{
	if (o->kind == PTX_OPD_SYM)
		return symbol_value(B, s, o);
	if (o->kind == PTX_OPD_ADDR)
		return o->base == PTX_BASE_REG ? OP2(add, opd_width(B, o, 64), K(64, o->imm)) : K(64, o->imm);
	return opd_width(B, o, type_width(TYPE));
}

void move_cvta(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = pointer(B, s, &s->ops[1]);
	uint32_t space = space_of(B, s);
	if (space == IR_PARAM)
		x = OP2(add, param_base(B), resize(B, x, 64, false));
	else if (space == IR_SHARED || space == IR_LOCAL)
		x = convert(B, IR_togeneric, 64, space, resize(B, x, 32, false));
	else
		x = convert(B, IR_togeneric, 64, space, resize(B, x, 64, false));
	def(B, &s->ops[0], x, false);
}

void move_cvta_to(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = resize(B, pointer(B, s, &s->ops[1]), 64, false);
	uint32_t space = space_of(B, s);
	if (space == IR_PARAM)
		x = OPW1(trunc, 32, OP2(sub, x, param_base(B)));
	else
		x = convert(B, IR_tospace, space == IR_SHARED || space == IR_LOCAL ? 32 : 64, space, x);
	def(B, &s->ops[0], x, false);
}

void move_isspacep(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = opd_width(B, &s->ops[1], 64);
	def(B, &s->ops[0], convert(B, IR_isspace, 1, space_of(B, s), x), false);
}

/* A cluster is one thread block: the address of rank 0 is the address, whose rank is 0. */
void move_mapa(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], resize(B, pointer(B, s, &s->ops[1]), type_width(TYPE), false), false);
}

void move_getctarank(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], K(32, 0), false);
}
