/* The operands of an instruction against a row of the form table, as NVIDIA's assembler checks them.
 *
 * requires: names resolved where declared before; OPD_NAME operands fit anything here and are reported later.
 * ensures:  NULL: every operand has a kind and type that the row takes; else the message. */
#include "parser/parse.h"
#include "parser/ptx_types.h"

const char *ptx_check_mismatch(struct check *c)
{
	return arena_printf(c->P->arena, "Arguments mismatch for instruction '%s'", c->op);
}

static uint32_t wide(uint32_t type)
{
	switch (type) {
	case PTX_T_u16:
		return PTX_T_u32;
	case PTX_T_s16:
		return PTX_T_s32;
	case PTX_T_u32:
		return PTX_T_u64;
	case PTX_T_s32:
		return PTX_T_s64;
	case PTX_T_b32:
		return PTX_T_b64;
	case PTX_T_b64:
		return PTX_T_b128;
	default:
		return type;
	}
}

uint32_t ptx_operand_type(const struct ptx_mods *m, const struct form_opd *f)
{
	if (f->type >= FT_FIXED)
		return f->type - FT_FIXED;
	if (f->type > FT_WIDE)
		return wide(m->types[f->type - FT_WIDE - 1]);
	return f->type && f->type != FT_NONE ? m->types[f->type - 1] : PTX_T_none;
}

/* The number of lanes a register operand has as written: v.x is one. */
static uint32_t lanes_of(const struct check *c, const struct ptx_operand *o)
{
	return o->sel >= 1 && o->sel <= 4 ? 1 : c->P->regs.data[o->reg].vec;
}

static const char *result_expected(const struct check *c)
{
	return arena_printf(c->P->arena, "Result register required for instruction '%s'", c->op);
}

static bool is_integer(uint32_t type)
{
	return ptx_type_is_int(type) || ptx_type_is_bits(type);
}

static bool takes_sum(const struct form_opd *f, uint32_t type)
{
	return f->kind == FO_SRC && !(f->flags & (FO_SELECT | FO_REGONLY)) && ptx_type_bits(type) >= 16 && ptx_type_bits(type) <= 64;
}

/* r + 4 as a source: an integer sum, of which the operand takes the low bits (as on an H200; of wider operands ptxas leaves the upper
 * bits as they come). */
static bool offset_fits(const struct form_opd *f, uint32_t reg, uint32_t type)
{
	uint32_t bits = ptx_type_bits(type);
	if (!takes_sum(f, type) || !is_integer(reg) || bits > ptx_type_bits(reg))
		return false;
	if (bits == ptx_type_bits(reg))
		return is_integer(type) || ptx_type_is_bits(reg);
	return is_integer(type) && (f->type < FT_FIXED || f->flags & FO_WIDER);
}

/* A special register is a source of mov and of conversions between integers. */
static const char *check_sreg(struct check *c, const struct ptx_operand *o, uint32_t type)
{
	const struct ptx_sreg_info *s = ptx_sreg_info(o->reg);
	if (c->P->mod->version < s->ver || c->P->mod->target < s->sm)
		return arena_printf(c->P->arena, "Feature '%s' requires PTX ISA .version %u.%u or later", ptx_sreg_name(o->reg),
				    s->ver / 10u, s->ver % 10u);
	if (s->vec > 1 && !o->sel)
		return arena_printf(c->P->arena, "Argument vector size mismatch for instruction '%s'", c->op);
	/* %tid.x was 16 bits wide in old PTX and still may be read so */
	if (s->vec > 1 && ptx_type_bits(type) == 16 && (ptx_type_is_int(type) || ptx_type_is_bits(type)))
		return NULL;
	return ptx_reg_fits(s->type, type, false) ? NULL : ptx_check_mismatch(c);
}

/* Address conversions take a variable of their state space. */
static const char *check_symbol(struct check *c, const struct form_opd *f, const struct ptx_operand *o, uint32_t type)
{
	uint32_t form = c->row->form;
	if (c->arg == 1 && (form == PTX_FORM_cvta || form == PTX_FORM_mapa || form == PTX_FORM_getctarank)) {
		uint32_t space = form == PTX_FORM_cvta ? c->m->space : (uint32_t)PTX_SPACE_SHARED;
		if (o->neg || o->sym->kind != PTX_SYM_VAR || !ptx_type_is_reg(o->sym->type))
			return ptx_check_mismatch(c);
		if (o->sym->space != space)
			return arena_printf(c->P->arena, "State space mismatch between instruction and address in instruction '%s'", c->op);
		return NULL;
	}
	if (o->n && !o->neg && (o->sym->kind == PTX_SYM_VAR || o->sym->kind == PTX_SYM_FUNC) && !(f->flags & (FO_IMMONLY | FO_REGONLY)))
		return (f->type < FT_FIXED || ptx_type_bits(type) < 64) && is_integer(type) && takes_sum(f, type) ? NULL : ptx_check_mismatch(c);
	return arena_printf(c->P->arena, "Argument %u of instruction '%s': must be register", c->arg, c->op);
}

/* A selector is a byte or a half-word; where the instruction works on parts, a source has one for each part and a destination names
 * the parts to write, the highest first. */
static bool selector_fits(const struct check *c, const struct form_opd *f, const struct ptx_operand *o)
{
	enum { B0 = 17, H0 = 21, H1 = 22, QUAD = 32, PAIR = 33, MASK = 34 };
	size_t n = strcspn(c->op, ".");
	char parts = n ? c->op[n - 1] : 0;
	bool falling = true;
	if (parts != '2' && parts != '4')
		return o->sel <= H1;
	if (f->kind != FO_DST)
		return o->sel == (parts == '4' ? QUAD : PAIR);
	if (o->sel == QUAD || o->sel == MASK)
		for (int i = 0; i < 3; i++)
			falling &= o->sels[i] > o->sels[i + 1] || (o->sel == MASK && i && o->sels[i] == o->sels[i + 1]);
	if (parts == '4')
		return o->sel < H0 || ((o->sel == QUAD || o->sel == MASK) && falling && o->sels[0] < 4);
	return o->sel == H0 || o->sel == H1 || (o->sel == PAIR && o->sels[0] == 1 && o->sels[1] == 0);
}

static const char *check_reg(struct check *c, const struct form_opd *f, const struct ptx_operand *o, uint32_t type)
{
	bool not_pred = o->uns && type == PTX_T_pred && f->kind == FO_SRC;
	if (o->neg && !(f->flags & FO_NEG) && !not_pred)
		return arena_printf(c->P->arena, "Operand negation not allowed for instruction '%s'", c->op);
	if (o->n && !offset_fits(f, c->P->regs.data[o->reg].type, type)) /* r + 4 outside an address */
		return f->kind == FO_DST ? result_expected(c) : ptx_check_mismatch(c);
	if (o->sel > 4 && !(f->flags & FO_SELECT))
		return arena_printf(c->P->arena, "Video selector is not allowed on source operand for instruction '%s'", c->op);
	if (o->sel > 4 && !selector_fits(c, f, o))
		return arena_printf(c->P->arena, "Incorrect video selector for operand %u", c->arg);
	if (type == PTX_T_none || o->n)
		return NULL;
	if (f->type >= FT_FIXED && ptx_type_is_int(type) && c->P->regs.data[o->reg].type == PTX_T_f16x2)
		return ptx_check_mismatch(c);
	return ptx_reg_fits(c->P->regs.data[o->reg].type, type, f->flags & FO_WIDER) ? NULL : ptx_check_mismatch(c);
}

static bool const_fits(const struct ptx_operand *o, uint32_t type)
{
	if (o->kind == PTX_OPD_IMM)
		return ptx_type_is_int(type) || ptx_type_is_bits(type) || type == PTX_T_pred || type == PTX_T_none;
	if (type == PTX_T_f32 || type == PTX_T_f64)
		return true;
	return o->is_f32 ? type == PTX_T_b32 : type == PTX_T_b64;
}

static const char *check_scalar(struct check *c, const struct form_opd *f, const struct ptx_operand *o, uint32_t type)
{
	switch (o->kind) {
	case OPD_NAME:
		return NULL;
	case PTX_OPD_REG:
		if (f->flags & FO_IMMONLY)
			return arena_printf(c->P->arena, "Argument %u of instruction '%s': must be constant", c->arg, c->op);
		if (lanes_of(c, o) != 1)
			return arena_printf(c->P->arena, "Vector operand is not allowed for instruction '%s'", c->op);
		return check_reg(c, f, o, type);
	case PTX_OPD_IMM:
	case PTX_OPD_FIMM:
		if (f->kind == FO_DST)
			return result_expected(c);
		if (f->flags & FO_REGONLY)
			return arena_printf(c->P->arena, "Argument %u of instruction '%s': must be register", c->arg, c->op);
		return const_fits(o, type) && !(f->flags & FO_NOINT && o->kind == PTX_OPD_IMM) ? NULL : ptx_check_mismatch(c);
	case PTX_OPD_SREG:
		if (c->row->form == PTX_FORM_cvt_int && f->kind == FO_SRC && !o->n)
			return check_sreg(c, o, type);
		return arena_printf(c->P->arena, "Special register argument not allowed for instruction '%s'", c->op);
	case PTX_OPD_SYM:
		return f->kind == FO_SRC ? check_symbol(c, f, o, type) : result_expected(c);
	case PTX_OPD_SINK:
		if (f->kind == FO_DST && f->flags & FO_SINK)
			return NULL;
		return f->kind == FO_DST
			       ? arena_printf(c->P->arena, "Sink '_' not allowed as a destination operand for instruction '%s'", c->op)
			       : "Sink '_' not allowed as a source operand";
	case PTX_OPD_VEC:
		return arena_printf(c->P->arena, "Vector operand is not allowed for instruction '%s'", c->op);
	default:
		return ptx_check_mismatch(c);
	}
}

/* Elements are of one type, or of several that agree because some are untyped or they differ in signedness or precision
 * only: then only their size counts. */
const char *ptx_check_elements(struct check *c, const struct ptx_operand *o, bool index, struct elements *e)
{
	*e = (struct elements){0};
	uint32_t kind = 0, bits = 0;
	for (uint32_t i = 0; i < o->n; i++) {
		const struct ptx_operand *v = &o->elems[i];
		uint32_t t = v->kind == PTX_OPD_REG ? c->P->regs.data[v->reg].type : v->kind == PTX_OPD_IMM ? (uint32_t)ELEM_INT
			      : v->kind == PTX_OPD_FIMM ? (uint32_t)(v->is_f32 ? PTX_T_f32 : PTX_T_f64) : PTX_T_none;
		if (!t)
			continue;
		uint32_t k = t == ELEM_INT ? 'I' : ptx_type_kind(t);
		e->regs |= v->kind == PTX_OPD_REG;
		if (v->kind == PTX_OPD_REG && bits && bits != ptx_type_bits(t))
			return "Incompatible elements of vector expression";
		if (v->kind == PTX_OPD_REG)
			bits = ptx_type_bits(t);
		e->loose |= e->type && e->type != t;
		e->type = t;
		if (index && i == 0)
			continue;
		if (k != 'B' && kind && k != kind)
			return arena_printf(c->P->arena, "Vector with elements of different types are not allowed in %s instruction", c->op);
		kind = k == 'B' ? kind : k;
	}
	return NULL;
}

bool ptx_int_for_float(const struct check *c, bool gradient, uint32_t elem, uint32_t type)
{
	switch (c->row->op) {
	case PTX_OP_tex:
	case PTX_OP_tld4:
		if (gradient)
			return false;
		break;
	case PTX_OP_ld:
	case PTX_OP_ldu:
	case PTX_OP_st:
	case PTX_OP_atom:
	case PTX_OP_red:
	case PTX_OP_multimem:
		break;
	default:
		return false;
	}
	return elem != ELEM_INT && ptx_type_is_int(elem) && ptx_type_is_float(type) && ptx_type_bits(elem) == ptx_type_bits(type);
}

static const char *check_vector(struct check *c, const struct form_opd *f, const struct ptx_operand *o, uint32_t type,
				uint32_t count)
{
	struct elements e;
	if (o->kind == OPD_NAME)
		return NULL;
	if (c->row->form == PTX_FORM_mma_block_scale && count == 1 && o->kind != PTX_OPD_VEC && o->kind != PTX_OPD_IMM)
		return check_scalar(c, f, o, type); /* a scale needs no braces */
	if (f->count != FC_VEC && o->kind != PTX_OPD_VEC && (o->kind != PTX_OPD_REG || o->sel || lanes_of(c, o) == 1))
		return arena_printf(c->P->arena, "Vector expected for argument %u", c->arg);
	if (o->kind == PTX_OPD_REG && o->sel == 0 && lanes_of(c, o) == count && c->row->op != PTX_OP_multimem)
		return check_reg(c, f, o, type);
	if (o->kind != PTX_OPD_VEC || o->n != count)
		return arena_printf(c->P->arena, "Argument vector size mismatch for instruction '%s'", c->op);
	if (f->kind == FO_DST && ptx_all_sinks(o))
		return "Unable to infer type of vector elements (assuming .b8)";
	const char *msg = ptx_check_elements(c, o, false, &e);
	if (msg)
		return msg;
	if (f->count != FC_VEC && e.type == ELEM_INT && !e.loose && !ptx_type_is_int(type))
		return ptx_check_mismatch(c);
	bool bits_only = e.loose || ptx_int_for_float(c, f->count == FC_GEOMETRY, e.type, type);
	for (uint32_t i = 0; i < o->n; i++) {
		const struct ptx_operand *v = &o->elems[i];
		if (v->kind == PTX_OPD_SINK && f->kind == FO_DST)
			continue;
		if (v->n && v->kind != OPD_NAME)
			return ptx_check_mismatch(c);
		if (bits_only && (v->kind == PTX_OPD_IMM || v->kind == PTX_OPD_FIMM) && f->kind != FO_DST)
			continue;
		bool untyped = bits_only && v->kind == PTX_OPD_REG && type != PTX_T_pred && c->P->regs.data[v->reg].type != PTX_T_pred;
		msg = check_scalar(c, f, v, untyped ? ptx_type_untyped(type) : type);
		if (msg)
			return msg;
	}
	return NULL;
}

static const char *check_value(struct check *c, const struct form_opd *f, const struct ptx_operand *o)
{
	uint32_t type = ptx_operand_type(c->m, f);
	uint32_t count = ptx_check_count(c->m, f->count);
	if (c->row->form == PTX_FORM_mov_vec && f->kind == FO_SRC && o->kind == PTX_OPD_SREG && !o->sel && !o->n &&
	    ptx_sreg_info(o->reg)->vec == count && !ptx_type_is_float(type))
		return NULL;
	if (f->type == FT_NONE)
		return o->kind == PTX_OPD_SINK ? NULL
					       : arena_printf(c->P->arena, "Sink '_' is expected as a destination operand for instruction '%s'",
							      c->op);
	if (f->flags & FO_PAIR && o->kind == PTX_OPD_PAIR) {
		const struct ptx_operand *q = &o->elems[1];
		if (c->row->op == PTX_OP_shfl && o->elems[0].kind == PTX_OPD_SINK)
			return "Result discard mode is not allowed for instruction 'shfl'";
		const char *msg = check_value(c, &(struct form_opd){.kind = f->kind, .type = f->type, .flags = FO_SINK}, &o->elems[0]);
		if (msg)
			return msg;
		if (q->kind == PTX_OPD_SINK || q->kind == OPD_NAME)
			return NULL;
		return q->kind == PTX_OPD_REG && !q->neg && c->P->regs.data[q->reg].type == PTX_T_pred ? NULL : ptx_check_mismatch(c);
	}
	if (f->flags & FO_PAIRREQ)
		return arena_printf(c->P->arena, "Predicate output expected for instruction '%s'", c->op);
	if (o->kind == PTX_OPD_PAIR)
		return arena_printf(c->P->arena, "Predicate output not allowed for instruction '%s'", c->op);
	if (c->row->form == PTX_FORM_suld || c->row->form == PTX_FORM_sust) {
		if (o->kind == PTX_OPD_VEC && count == 1) /* a vector where none is asked for */
			count = o->n == 2 || o->n == 4 ? o->n : 1;
		else if (o->kind != PTX_OPD_VEC && (count == 1 || f->kind == FO_SRC) && !(o->kind == PTX_OPD_REG && lanes_of(c, o) > 1))
			return check_scalar(c, f, o, type);
		return check_vector(c, f, o, type, count);
	}
	if (f->count == FC_GEOMETRY && type == PTX_T_s32) /* offsets: one for all, or at least as many as coordinates */
		return o->kind == PTX_OPD_VEC && (o->n == 2 || o->n == 4) && o->n >= count ? check_vector(c, f, o, type, o->n)
		       : o->kind == PTX_OPD_VEC						    ? check_vector(c, f, o, type, count)
											    : check_scalar(c, f, o, type);
	if (count > 1 || (count == 1 && f->count != FC_VEC))
		return check_vector(c, f, o, type, count);
	return check_scalar(c, f, o, type);
}

static const char *check_pred(struct check *c, const struct form_opd *f, const struct ptx_operand *o)
{
	if (o->kind == OPD_NAME)
		return NULL;
	if (f->kind == FO_PSRC && o->kind == PTX_OPD_IMM)
		return f->flags & FO_REGONLY ? ptx_check_mismatch(c) : NULL;
	if (f->kind == FO_PDST && o->kind == PTX_OPD_SINK)
		return f->flags & FO_SINK ? NULL
					  : arena_printf(c->P->arena, "Sink '_' not allowed as a destination operand for instruction '%s'",
							 c->op);
	if (f->kind == FO_PDST && o->kind == PTX_OPD_PAIR) {
		if (!(f->flags & FO_PAIR))
			return arena_printf(c->P->arena, "Predicate output not allowed for instruction '%s'", c->op);
		for (uint32_t i = 0; i < 2; i++) {
			struct form_opd one = {.kind = FO_PDST, .flags = FO_SINK};
			const char *msg = check_pred(c, &one, &o->elems[i]);
			if (msg)
				return msg;
		}
		return NULL;
	}
	if (o->kind != PTX_OPD_REG || o->n || c->P->regs.data[o->reg].type != PTX_T_pred)
		return ptx_check_mismatch(c);
	if (o->neg && !(f->flags & FO_NEG))
		return ptx_check_mismatch(c);
	return NULL;
}

static bool spaces_agree(uint32_t inst, uint32_t var)
{
	return inst == var || (inst == PTX_SPACE_NONE && var != PTX_SPACE_PARAM && var != PTX_SPACE_CONST);
}

/* Bits that an address register must have. */
static uint32_t least_address(const struct form_row *r)
{
	switch (r->op) {
	case PTX_OP_multimem:
		return r->form == PTX_FORM_multimem_red ? 64 : 16;
	case PTX_OP_tcgen05:
	case PTX_OP_wmma:
	case PTX_OP_tensormap:
	case PTX_OP_createpolicy:
	case PTX_OP_ldmatrix:
	case PTX_OP_stmatrix:
		return 32;
	default:
		return r->form == PTX_FORM_st_async || r->form == PTX_FORM_red_async || r->form == PTX_FORM_prefetch_tensormap ? 32 : 16;
	}
}

static const char *check_addr(struct check *c, const struct form_opd *f, const struct ptx_operand *o)
{
	uint32_t space = f->space == 255 ? c->m->space : f->space;
	if (space == PTX_SPACE_SHARED && !c->m->mod[PTX_MOD_space] && !c->m->mod[PTX_MOD_dspace])
		space = PTX_SPACE_NONE; /* these take a generic address when no state space is written */
	if (o->kind == OPD_NAME)
		return NULL;
	if (o->kind != PTX_OPD_ADDR)
		return ptx_check_mismatch(c);
	if (o->base == PTX_BASE_REG) {
		uint32_t t = c->P->regs.data[o->reg].type;
		if (o->neg || !(ptx_type_is_int(t) || ptx_type_is_bits(t)) || ptx_type_bits(t) > 64)
			return arena_printf(c->P->arena, "Illegal operand type to instruction '%s'", c->op);
		if (c->row->op == PTX_OP_tcgen05 && f->space == 255 && (ptx_type_bits(t) != 32 || (o->imm && c->m->mod[PTX_MOD_kind])))
			return ptx_check_mismatch(c);
		if (ptx_type_bits(t) < least_address(c->row))
			return ptx_check_mismatch(c);
		return NULL;
	}
	if (o->base == PTX_BASE_SYM) {
		if (o->sym->kind != PTX_SYM_VAR || o->neg || !ptx_type_is_reg(o->sym->type))
			return arena_printf(c->P->arena, "Illegal operand type to instruction '%s'", c->op);
		if (c->row->op == PTX_OP_tcgen05 && f->space == 255) /* tensor memory */
			return arena_printf(c->P->arena, "Argument %u of instruction '%s': must be register", c->arg, c->op);
		if (c->row->op == PTX_OP_mbarrier && o->sym->space != PTX_SPACE_SHARED)
			return arena_printf(c->P->arena, "Illegal state space for address operand '%s' with instruction '%s'", o->sym->name,
					    c->op);
		if (!spaces_agree(space, o->sym->space))
			return arena_printf(c->P->arena, "State space mismatch between instruction and address in instruction '%s'",
					    c->op);
		return NULL;
	}
	return space == PTX_SPACE_LOCAL ? NULL : "Immediate addresses allowed only for .local state space";
}

/* mov: registers, constants, special registers, addresses of variables and functions, and packing {a, b}. */
static const char *check_mov(struct check *c, const struct form_opd *f, struct ptx_operand *o)
{
	uint32_t type = c->m->types[0];
	struct form_opd scalar = {.kind = FO_SRC, .type = FORM_DEFAULT_TYPE, .flags = type == PTX_T_pred ? FO_NEG : 0};
	(void)f;
	if (o->kind == PTX_OPD_SREG)
		return o->n ? ptx_check_mismatch(c) : check_sreg(c, o, type);
	if (o->kind == PTX_OPD_SYM) {
		if (o->neg)
			return ptx_check_mismatch(c);
		if (o->sym->kind == PTX_SYM_VAR && !ptx_type_is_reg(o->sym->type) && ptx_type_bits(type) != 64)
			return ptx_check_mismatch(c);
		if (o->sym->kind == PTX_SYM_FUNC || o->sym->kind == PTX_SYM_VAR)
			return ptx_type_is_int(type) || ptx_type_is_bits(type) ? NULL : ptx_check_mismatch(c);
		return ptx_check_mismatch(c);
	}
	return check_scalar(c, &scalar, o, type);
}

static const char *check_pack(struct check *c, const struct ptx_operand *v, struct ptx_operand *s, bool dst)
{
	struct elements all;
	uint32_t total = ptx_type_bits(c->m->types[0]);
	const char *why = "Illegal vector-vector operands for vector-scalar or scalar-vector mov instruction";
	if (s->kind == PTX_OPD_VEC || total % v->n)
		return why;
	if (v->n != 2 && v->n != 4)
		return arena_printf(c->P->arena, "Illegal vector size: %u", v->n);
	if (dst && ptx_all_sinks(v))
		return "Unable to infer type of vector elements (assuming .b8)";
	uint32_t bits = total / v->n;
	const char *msg = ptx_check_elements(c, v, false, &all);
	if (msg)
		return msg;
	for (uint32_t i = 0; i < v->n; i++) {
		const struct ptx_operand *e = &v->elems[i];
		if (e->kind == OPD_NAME || e->kind == PTX_OPD_SINK)
			continue;
		if (!dst && (e->kind == PTX_OPD_IMM || (e->kind == PTX_OPD_FIMM && (all.loose || bits == (e->is_f32 ? 32 : 64)))))
			continue;
		if (e->kind != PTX_OPD_REG || e->neg || e->n || ptx_type_bits(c->P->regs.data[e->reg].type) != bits ||
		    lanes_of(c, e) != 1)
			return ptx_check_mismatch(c);
	}
	struct form_opd f = {.kind = dst ? FO_SRC : FO_DST, .type = FORM_DEFAULT_TYPE};
	if (!ptx_type_is_bits(c->m->types[0]))
		return ptx_check_mismatch(c);
	return dst ? check_mov(c, &f, s) : check_scalar(c, &f, s, c->m->types[0]);
}

static const char *check_mov_row(struct check *c, struct ptx_operand *ops, uint32_t n)
{
	if (n == 2 && ops[0].kind == PTX_OPD_VEC)
		return check_pack(c, &ops[0], &ops[1], true);
	if (n == 2 && ops[1].kind == PTX_OPD_VEC)
		return check_pack(c, &ops[1], &ops[0], false);
	/* a whole vector register to another */
	if (n == 2 && ops[0].kind == PTX_OPD_REG && !ops[0].sel && c->P->regs.data[ops[0].reg].vec > 1) {
		uint32_t lanes = c->P->regs.data[ops[0].reg].vec;
		if (ops[1].kind == PTX_OPD_SREG && !ops[1].sel && ptx_sreg_info(ops[1].reg)->vec == lanes)
			return NULL;
		if (ops[1].kind == PTX_OPD_REG && !ops[1].sel && c->P->regs.data[ops[1].reg].vec == lanes)
			return NULL;
		return arena_printf(c->P->arena, "Argument vector size mismatch for instruction '%s'", c->op);
	}
	c->arg = 0;
	struct form_opd d = {.kind = FO_DST, .type = FORM_DEFAULT_TYPE};
	const char *msg = check_scalar(c, &d, &ops[0], c->m->types[0]);
	c->arg = 1;
	return msg ? msg : check_mov(c, &form_opds[c->row->opd + 1], &ops[1]);
}

static const char *check_kind(struct check *c, const struct form_opd *f, struct ptx_operand *o)
{
	switch (f->kind) {
	case FO_DST:
	case FO_SRC:
		return check_value(c, f, o);
	case FO_PDST:
	case FO_PSRC:
		return check_pred(c, f, o);
	case FO_ADDR:
		return check_addr(c, f, o);
	case FO_LABEL:
		if (o->kind == OPD_NAME && !o->neg && !o->n && !o->sel)
			return NULL;
		return arena_printf(c->P->arena, "Label expected for argument %u of instruction '%s'", c->arg, c->op);
	case FO_CALLEE:
		if (o->kind == OPD_NAME || (o->kind == PTX_OPD_SYM && o->sym->kind == PTX_SYM_FUNC && !o->n))
			return NULL;
		if (o->kind == PTX_OPD_REG) {
			uint32_t t = c->P->regs.data[o->reg].type;
			return !o->neg && !o->n && t != PTX_T_f16x2 && (ptx_reg_fits(t, PTX_T_u32, false) || ptx_reg_fits(t, PTX_T_u64, false))
				       ? NULL
				       : ptx_check_mismatch(c);
		}
		return "Illegal call target, device function expected";
	case FO_LIST:
		return o->kind == PTX_OPD_LIST ? NULL : ptx_check_mismatch(c);
	case FO_PROTO:
		if (o->kind == OPD_NAME ||
		    (o->kind == PTX_OPD_SYM && (o->sym->kind == PTX_SYM_PROTO || o->sym->kind == PTX_SYM_TARGETS)))
			return NULL;
		return ptx_check_mismatch(c);
	case FO_TARGETS:
		if (o->kind == PTX_OPD_SYM && o->sym->kind == PTX_SYM_TARGETS && !o->sym->funcs)
			return NULL;
		return arena_printf(c->P->arena, "Label with '.branchtargets' directive expected for argument %u of instruction '%s'",
				    c->arg, c->op);
	default:
		return ptx_check_mem(c, f, o);
	}
}

/* What is written in another way: a result without its predicate, and a vector of one where a scalar belongs. */
static void plain_operands(const struct check *c, struct ptx_operand *ops, uint32_t n)
{
	if (n && ops[0].kind == PTX_OPD_PAIR && ops[0].elems[1].kind == PTX_OPD_SINK && ops[0].elems[0].kind != OPD_NAME)
		ops[0] = ops[0].elems[0];
	bool mov = c->row->op == PTX_OP_mov && ptx_type_is_bits(c->m->types[0]);
	if (!mov && (c->m->vec > 1 || (c->row->op != PTX_OP_ld && c->row->op != PTX_OP_ldu && c->row->op != PTX_OP_st)))
		return;
	for (uint32_t k = 0; k < n && k < 2; k++)
		if (ops[k].kind == PTX_OPD_VEC && ops[k].n == 1 && ops[!k].kind != PTX_OPD_VEC)
			ops[k] = ops[k].elems[0];
}

const char *ptx_check_operands(struct parse *P, const struct opcode *oc, uint32_t i, struct ptx_operand *ops, uint32_t n)
{
	const struct form_row *r = &form_rows[oc->rows[i]];
	struct check c = {P, oc->row_mods[i], r, oc->name, 0};
	plain_operands(&c, ops, n);
	if (r->op == PTX_OP_mov && r->form != PTX_FORM_mov_vec)
		return check_mov_row(&c, ops, n);
	for (uint32_t k = 0; k < n; k++) {
		c.arg = k;
		const char *msg = check_kind(&c, &form_opds[r->opd + k], &ops[k]);
		if (msg)
			return msg;
	}
	return ptx_check_inst(&c, ops, n);
}
