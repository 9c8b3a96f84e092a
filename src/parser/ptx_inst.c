/* One instruction: opcode, guard and operands to a PTX_STMT_INST. */
#include <string.h>

#include "parser/parse.h"
#include "parser/ptx_types.h"

void ptx_do_guard(struct parse *P, struct lex_text t, bool neg)
{
	struct ptx_operand o;
	P->guard_neg = neg;
	P->guard = PTX_NO_REG;
	P->guard_bad = true;
	if (!ptx_name_resolve(P, t, &o))
		perr(P, P->lex.line, "Unknown symbol '%.*s'", (int)t.n, t.p);
	else if (o.kind != PTX_OPD_REG || P->regs.data[o.reg].type != PTX_T_pred)
		perr(P, P->lex.line, "Predicate expression expected");
	else
		P->guard = o.reg, P->guard_bad = false;
}

void ptx_inst_start(struct parse *P, struct lex_text t)
{
	P->inst_line = P->lex.line;
	P->opcode = ptx_opcode_get(P, t);
	P->opds.len = 0;
	P->opcode_bad = P->opcode->bad_word;
	if (P->opcode_bad) /* known before the operands are read */
		perr(P, P->inst_line, "%s", P->opcode->error);
}

void ptx_push_operand(struct parse *P, const struct ptx_operand *o)
{
	vec_push(P->arena, &P->opds, *o);
}

static struct ptx_operand *pop_operands(struct parse *P, uint32_t n)
{
	struct ptx_operand *e = NEWN(P->arena, struct ptx_operand, n ? n : 1);
	P->opds.len -= n;
	if (n)
		memcpy(e, P->opds.data + P->opds.len, n * sizeof *e);
	return e;
}

/* Names that nothing declares are an error in every place but a branch's target. */
static void unknown_names(struct parse *P, struct ptx_operand *o, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (o[i].kind == OPD_NAME)
			perr(P, P->inst_line, "Unknown symbol '%s'", ((struct name *)(void *)o[i].elems)->str);
		else if (o[i].kind == PTX_OPD_PAIR || o[i].kind == PTX_OPD_VEC || o[i].kind == PTX_OPD_LIST ||
			 o[i].kind == PTX_OPD_TENSOR)
			unknown_names(P, o[i].elems, o[i].n);
	}
}

void ptx_make_group(struct parse *P, struct ptx_operand *out, uint8_t kind, uint32_t n)
{
	if (n > 255) {
		perr(P, P->lex.line, "Too many operands for instruction '%s'", ptx_op_name(P->opcode ? P->opcode->m.op : 0));
		P->opds.len -= n - 255;
		n = 255;
	}
	*out = (struct ptx_operand){.kind = kind, .n = (uint8_t)n, .elems = pop_operands(P, n)};
}

void ptx_make_address(struct parse *P, struct ptx_operand *out, uint32_t n)
{
	struct ptx_operand *e = &P->opds.data[P->opds.len - 1];
	if (n != 1 || e->kind == PTX_OPD_VEC) {
		ptx_make_group(P, out, PTX_OPD_TENSOR, n);
		return;
	}
	P->opds.len--;
	*out = (struct ptx_operand){.kind = PTX_OPD_ADDR, .imm = e->imm};
	switch (e->kind) {
	case PTX_OPD_REG:
		out->base = PTX_BASE_REG;
		out->reg = e->reg;
		out->sel = e->sel;
		out->neg = e->neg;
		break;
	case PTX_OPD_SYM:
		out->base = PTX_BASE_SYM;
		out->sym = e->sym;
		out->neg = e->neg;
		break;
	case PTX_OPD_IMM:
		break;
	case OPD_NAME:
		unknown_names(P, e, 1);
		break;
	default:
		perr(P, P->lex.line, "Illegal operand type for address/array-index");
	}
}

/* [a].unified: a hint about 64-bit unified addressing; nothing else may follow an address. */
void ptx_address_suffix(struct parse *P, struct lex_text t)
{
	if (t.n != 8 || memcmp(t.p, ".unified", 8))
		perr(P, P->lex.line, "Parsing error near '%.*s': syntax error", (int)t.n, t.p);
}

/* Branch targets: the label may come later, so it is looked up when its scope ends. */
static void pend_label(struct parse *P, struct ptx_operand *o)
{
	struct name *n = NULL;
	if (o->kind == OPD_NAME)
		n = (struct name *)(void *)o->elems;
	if (n)
		vec_push(P->arena, &P->refs,
			 (struct label_ref){.opd = o, .name = n, .line = P->inst_line, .depth = P->scopes.len});
}

/* The row whose operands fit, or -1 with the message of the best one in *why. */
static int choose_row(struct parse *P, const struct opcode *oc, struct ptx_operand *ops, uint32_t n, const char **why)
{
	for (uint32_t i = 0; i < oc->nrows; i++) {
		const struct form_row *r = &form_rows[oc->rows[i]];
		if (n < r->min_opds || n > r->max_opds)
			continue;
		const char *msg = ptx_check_operands(P, oc, i, ops, n);
		if (!msg)
			return (int)i;
		if (!*why)
			*why = msg;
	}
	if (!*why)
		*why = arena_printf(P->arena, "Arguments mismatch for instruction '%s'", oc->name);
	return -1;
}

static struct ptx_operand temporary(struct parse *P, uint32_t type)
{
	vec_push(P->arena, &P->regs, (struct ptx_reg){"%offset", P->regs.len, (uint8_t)type, 1, P->inst_line});
	return (struct ptx_operand){.kind = PTX_OPD_REG, .reg = P->regs.len - 1};
}

static void push_inst(struct parse *P, const char *text, const struct ptx_operand *ops, uint32_t n)
{
	struct opcode *oc = ptx_opcode_get(P, (struct lex_text){text, (uint32_t)strlen(text)});
	struct ptx_operand *e = NEWN(P->arena, struct ptx_operand, n);
	memcpy(e, ops, n * sizeof *e);
	vec_push(P->arena, &P->stmts,
		 (struct ptx_stmt){.kind = PTX_STMT_INST, .nops = (uint8_t)n, .form = form_rows[oc->rows[0]].form, .row = oc->rows[0],
				   .line = P->inst_line, .guard = PTX_NO_REG, .m = oc->row_mods[0], .ops = e});
}

/* Of a register of `bits` bits the low `n`. */
static struct ptx_operand low_bits(struct parse *P, struct ptx_operand x, uint32_t bits, uint32_t n)
{
	if (!n || n >= bits)
		return x;
	struct ptx_operand t[2] = {temporary(P, n == 16 ? PTX_T_b16 : PTX_T_b32), x};
	push_inst(P, n == 32 ? "cvt.u32.u64" : bits == 32 ? "cvt.u16.u32" : "cvt.u16.u64", t, 2);
	return t[0];
}

/* Sources r + 4, symbol + 4 and special registers of instructions other than mov become registers of their own. */
static void lower_sources(struct parse *P, const struct form_row *r, const struct ptx_mods *m, struct ptx_operand *ops, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct ptx_operand *o = &ops[i];
		const struct form_opd *f = &form_opds[r->opd + i];
		bool sum = o->kind == PTX_OPD_REG && o->n, sym = o->kind == PTX_OPD_SYM && o->n && f->kind == FO_SRC;
		if (!sum && !(r->op != PTX_OP_mov && r->form != PTX_FORM_cvta && r->op != PTX_OP_mapa && r->op != PTX_OP_getctarank &&
			      (sym || (o->kind == PTX_OPD_SREG && f->kind == FO_SRC))))
			continue;
		uint32_t type = sum ? P->regs.data[o->reg].type
				: sym ? ptx_operand_type(m, f) : ptx_sreg_info(o->reg)->type;
		struct ptx_operand t[3] = {temporary(P, type), *o, {.kind = PTX_OPD_IMM, .imm = o->imm}};
		uint32_t bits = ptx_type_bits(type);
		if (sum) {
			t[1].n = 0;
			t[1].imm = 0;
			push_inst(P, bits == 16 ? "add.u16" : bits == 32 ? "add.u32" : "add.u64", t, 3);
			t[0] = low_bits(P, t[0], bits, ptx_type_bits(ptx_operand_type(m, f)));
		} else {
			push_inst(P, bits == 16 ? "mov.u16" : bits == 32 ? "mov.u32" : "mov.u64", t, 2);
		}
		*o = t[0];
	}
}

void ptx_inst_end(struct parse *P, uint32_t nops)
{
	struct opcode *oc = P->opcode;
	struct ptx_operand *ops = pop_operands(P, nops);
	uint32_t guard = P->guard, line = P->inst_line;
	const char *why = NULL;
	P->guard = PTX_NO_REG;
	bool guard_bad = P->guard_bad;
	P->guard_bad = false;
	if (P->opcode_bad)
		return;
	if (oc->error) {
		perr(P, line, "%s", oc->error);
		return;
	}
	int i = choose_row(P, oc, ops, nops, &why);
	if (i < 0) {
		uint32_t before = P->diags->errors;
		unknown_names(P, ops, nops);
		if (P->diags->errors == before)
			perr(P, line, "%s", why);
		return;
	}
	const struct form_row *r = &form_rows[oc->rows[i]];
	for (uint32_t k = 0; k < nops; k++) {
		if (form_opds[r->opd + k].kind == FO_LABEL)
			pend_label(P, &ops[k]);
		else
			unknown_names(P, &ops[k], 1);
	}
	if (guard_bad)
		return;
	lower_sources(P, r, oc->row_mods[i], ops, nops);
	vec_push(P->arena, &P->stmts,
		 (struct ptx_stmt){.kind = PTX_STMT_INST, .guard_neg = P->guard_neg && guard != PTX_NO_REG,
				   .nops = (uint8_t)nops, .form = r->form, .row = oc->rows[i], .line = line, .guard = guard,
				   .m = oc->row_mods[i], .ops = ops});
}
