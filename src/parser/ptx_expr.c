/* Expressions of operands, initialisers and directives: constants with the manual's 64-bit rules, and the few shapes
 * that names take (-r, !p, p|q, sym+4, r+4, v.x, array[3]). */
#include <string.h>

#include "parser/parse.h"
#include "parser/ptx_gram.h"

/* In REG, SYM and NAME under construction: n is 1 once an offset was added. */
static bool is_name(const struct ptx_operand *o)
{
	return o->kind == PTX_OPD_REG || o->kind == PTX_OPD_SYM || o->kind == PTX_OPD_SREG || o->kind == OPD_NAME;
}

static void bad(struct parse *P, struct ptx_operand *out)
{
	perr(P, P->lex.line, "Constant expression type mismatch");
	*out = (struct ptx_operand){.kind = PTX_OPD_IMM};
}

static void set_int(struct ptx_operand *out, uint64_t v, bool uns)
{
	*out = (struct ptx_operand){.kind = PTX_OPD_IMM, .imm = (int64_t)v, .uns = uns};
}

static void set_float(struct ptx_operand *out, double v)
{
	*out = (struct ptx_operand){.kind = PTX_OPD_FIMM};
	memcpy(&out->bits, &v, 8);
}

static double get_float(const struct ptx_operand *o)
{
	double v;
	memcpy(&v, &o->bits, 8);
	return v;
}

void ptx_expr_ident(struct parse *P, struct ptx_operand *out, struct lex_text t)
{
	if (t.n == 1 && t.p[0] == '_') {
		*out = (struct ptx_operand){.kind = PTX_OPD_SINK};
		return;
	}
	if (t.n == 7 && !memcmp(t.p, "WARP_SZ", 7)) {
		set_int(out, 32, false);
		return;
	}
	ptx_name_resolve(P, t, out);
}

static const uint8_t *lanes(struct parse *P, const char *digits, uint32_t n)
{
	uint8_t *v = NEWN(P->arena, uint8_t, 4);
	for (uint32_t i = 0; i < n; i++)
		v[i] = (uint8_t)(digits[i] - '0');
	return v;
}

/* Two or three bytes of a mask, the last one repeated. */
static const uint8_t *mask_lanes(struct parse *P, const char *digits, uint32_t n)
{
	uint8_t *v = NEWN(P->arena, uint8_t, 4);
	for (uint32_t i = 0; i < 4; i++)
		v[i] = (uint8_t)(digits[i < n ? i : n - 1] - '0');
	return v;
}

static bool all_below(const char *s, uint32_t n, char top)
{
	for (uint32_t i = 0; i < n; i++)
		if (s[i] < '0' || s[i] > top)
			return false;
	return true;
}

void ptx_expr_select(struct parse *P, struct ptx_operand *o, struct lex_text sel)
{
	static const char comps[] = "xyzwrgba";
	const char *s = sel.p + 1;
	uint32_t n = sel.n - 1;
	const char *c = n == 1 ? memchr(comps, s[0], 8) : NULL;
	if (c && o->kind == PTX_OPD_REG && !o->sel && P->regs.data[o->reg].vec == 1) {
		perr(P, P->lex.line, "Unknown video selector: '.%c'", s[0]);
	} else if (!is_name(o) || o->sel || o->n) {
		perr(P, P->lex.line, "Unknown vector selector: '%.*s'", (int)n, s);
	} else if (c && (c - comps != 7 || o->kind != PTX_OPD_SREG)) {
		o->sel = (uint8_t)(1 + (c - comps) % 4);
	} else if (n == 2 && s[0] == 'b' && all_below(s + 1, 1, '3')) {
		o->sel = (uint8_t)(1 + 16 + s[1] - '0');
	} else if (n == 2 && s[0] == 'h' && all_below(s + 1, 1, '1')) {
		o->sel = (uint8_t)(1 + 20 + s[1] - '0');
	} else if (n == 5 && s[0] == 'b' && all_below(s + 1, 4, '7') && o->kind == PTX_OPD_REG) {
		o->sel = 32;
		o->sels = lanes(P, s + 1, 4);
	} else if ((n == 3 || n == 4) && s[0] == 'b' && all_below(s + 1, n - 1, '3') && s[n - 2] != s[n - 1] && o->kind == PTX_OPD_REG) {
		o->sel = 34;
		o->sels = mask_lanes(P, s + 1, n - 1);
	} else if (n == 3 && s[0] == 'h' && all_below(s + 1, 2, '3') && o->kind == PTX_OPD_REG) {
		o->sel = 33;
		o->sels = lanes(P, s + 1, 2);
	} else if (n == 1) {
		perr(P, P->lex.line, "Unknown vector selector: '%c'", s[0]);
	} else {
		perr(P, P->lex.line, "Unknown video selector: '%.*s'", (int)n, s);
	}
}

/* array[i]: the element's address. */
void ptx_expr_index(struct parse *P, struct ptx_operand *out, struct lex_text t, const struct ptx_operand *i)
{
	ptx_expr_ident(P, out, t);
	if (out->kind == OPD_NAME)
		return;
	if (out->kind != PTX_OPD_SYM || out->sym->kind != PTX_SYM_VAR || i->kind != PTX_OPD_IMM) {
		perr(P, P->lex.line, "Illegal operand type for address/array-index");
		return;
	}
	uint64_t elem = (uint64_t)(ptx_type_bits(out->sym->type) / 8) * out->sym->vec;
	out->imm = (int64_t)((uint64_t)i->imm * elem);
	out->n = 1;
}

/* Parentheses are for constants. */
void ptx_expr_paren(struct parse *P, struct ptx_operand *o)
{
	if (is_name(o) || o->kind == PTX_OPD_SINK) {
		perr(P, P->lex.line, "Parsing error near '%s': syntax error", o->kind == PTX_OPD_SYM ? o->sym->name : "(");
		*o = (struct ptx_operand){.kind = PTX_OPD_IMM};
	}
}

void ptx_expr_unary(struct parse *P, struct ptx_operand *out, int op, const struct ptx_operand *a)
{
	*out = *a;
	if (a->kind == PTX_OPD_FIMM && (a->is_f32 || op == '!')) {
		perr(P, P->lex.line, a->is_f32 ? "Parsing error near '0f': syntax error" : "Integer constant expression expected");
		return;
	}
	if (a->kind == PTX_OPD_IMM) {
		uint64_t v = (uint64_t)a->imm;
		if (op == '!')
			set_int(out, !v, false);
		else
			set_int(out, op == '-' ? -v : op == '~' ? ~v : v, a->uns);
	} else if (a->kind == PTX_OPD_FIMM && op != '~') {
		if (op == '-')
			out->bits ^= (uint64_t)1 << 63;
	} else if (is_name(a) && !a->n && !a->neg && (op == '-' || op == '!')) {
		out->neg = true;
		out->uns = op == '!';
	} else {
		bad(P, out);
	}
}

void ptx_expr_cast(struct parse *P, struct ptx_operand *out, uint32_t type, const struct ptx_operand *a)
{
	if (a->kind == PTX_OPD_IMM)
		set_int(out, (uint64_t)a->imm, type == PTX_T_u64);
	else if (a->kind == PTX_OPD_FIMM)
		perr(P, P->lex.line, "Integer constant expression expected");
	else
		bad(P, out);
}

static bool float_binary(struct ptx_operand *out, int op, double x, double y)
{
	switch (op) {
	case '*':
		set_float(out, x * y);
		return true;
	case '/':
		set_float(out, x / y);
		return true;
	case '+':
		set_float(out, x + y);
		return true;
	case '-':
		set_float(out, x - y);
		return true;
	case '<':
		set_int(out, x < y, false);
		return true;
	case '>':
		set_int(out, x > y, false);
		return true;
	case T_LE:
		set_int(out, x <= y, false);
		return true;
	case T_GE:
		set_int(out, x >= y, false);
		return true;
	case T_EQ:
		set_int(out, x == y, false);
		return true;
	case T_NE:
		set_int(out, x != y, false);
		return true;
	default:
		return false;
	}
}

static uint64_t divide(struct parse *P, int op, uint64_t x, uint64_t y, bool uns)
{
	if (!y) {
		perr(P, P->lex.line, "Division by zero in constant expression");
		return 0;
	}
	if (uns)
		return op == '/' ? x / y : x % y;
	if (y == UINT64_MAX)
		return op == '/' ? -x : 0;
	return (uint64_t)(op == '/' ? (int64_t)x / (int64_t)y : (int64_t)x % (int64_t)y);
}

static void int_binary(struct parse *P, struct ptx_operand *out, int op, const struct ptx_operand *a,
		       const struct ptx_operand *b)
{
	uint64_t x = (uint64_t)a->imm, y = (uint64_t)b->imm;
	bool uns = a->uns || b->uns;
	bool lt = uns ? x < y : (int64_t)x < (int64_t)y;
	switch (op) {
	case '*':
		set_int(out, x * y, uns);
		break;
	case '/':
	case '%':
		set_int(out, divide(P, op, x, y, uns), uns);
		break;
	case '+':
		set_int(out, x + y, uns);
		break;
	case '-':
		set_int(out, x - y, uns);
		break;
	case T_SHL: /* ptxas shifts by the low six bits */
		set_int(out, x << (y & 63), a->uns);
		break;
	case T_SHR:
		set_int(out, a->uns ? x >> (y & 63) : (uint64_t)((int64_t)x >> (y & 63)), a->uns);
		break;
	case '<':
		set_int(out, lt, false);
		break;
	case '>':
		set_int(out, !lt && x != y, false);
		break;
	case T_LE:
		set_int(out, lt || x == y, false);
		break;
	case T_GE:
		set_int(out, !lt, false);
		break;
	case T_EQ:
		set_int(out, x == y, false);
		break;
	case T_NE:
		set_int(out, x != y, false);
		break;
	case '&':
		set_int(out, x & y, uns);
		break;
	case '^':
		set_int(out, x ^ y, uns);
		break;
	case '|':
		set_int(out, x | y, uns);
		break;
	case T_ANDAND:
		set_int(out, x && y, false);
		break;
	case T_OROR:
		set_int(out, x || y, false);
		break;
	default:
		bad(P, out);
	}
}

static void make_pair(struct parse *P, struct ptx_operand *out, const struct ptx_operand *a, const struct ptx_operand *b)
{
	struct ptx_operand *e = NEWN(P->arena, struct ptx_operand, 2);
	e[0] = *a;
	e[1] = *b;
	*out = (struct ptx_operand){.kind = PTX_OPD_PAIR, .n = 2, .elems = e};
}

void ptx_expr_binary(struct parse *P, struct ptx_operand *out, int op, const struct ptx_operand *a,
		     const struct ptx_operand *b)
{
	struct ptx_operand x = *a, y = *b;
	bool name_a = is_name(&x) || x.kind == PTX_OPD_SINK || x.kind == PTX_OPD_VEC;
	if (x.kind == PTX_OPD_IMM && y.kind == PTX_OPD_IMM) {
		int_binary(P, out, op, &x, &y);
	} else if (x.kind == PTX_OPD_FIMM && y.kind == PTX_OPD_FIMM && !x.is_f32 && !y.is_f32) {
		if (!float_binary(out, op, get_float(&x), get_float(&y)))
			bad(P, out);
	} else if (op == '|' && x.kind == PTX_OPD_SINK && y.kind == PTX_OPD_SINK) {
		perr(P, P->lex.line, "Parsing error near '_': syntax error");
		*out = x;
	} else if (op == '|' && name_a && (is_name(&y) || y.kind == PTX_OPD_SINK)) {
		make_pair(P, out, &x, &y);
	} else if (op == '+' && is_name(&x) && !x.neg && x.kind != PTX_OPD_SREG && y.kind == PTX_OPD_IMM) {
		*out = x;
		out->imm = (int64_t)((uint64_t)x.imm + (uint64_t)y.imm);
		out->n = 1;
	} else if ((op == '+' || op == '-') && (is_name(&x) || is_name(&y))) { /* only name + constant is an expression */
		perr(P, P->lex.line, "Parsing error near '%c': syntax error", op);
		*out = (struct ptx_operand){.kind = PTX_OPD_IMM};
	} else {
		bad(P, out);
	}
}

void ptx_expr_cond(struct parse *P, struct ptx_operand *out, const struct ptx_operand *c, const struct ptx_operand *a,
		   const struct ptx_operand *b)
{
	struct ptx_operand x = *a, y = *b;
	if (c->kind != PTX_OPD_IMM || (x.kind != PTX_OPD_IMM && x.kind != PTX_OPD_FIMM) || x.kind != y.kind) {
		bad(P, out);
		return;
	}
	bool uns = x.uns || y.uns;
	*out = c->imm ? x : y;
	out->uns = x.kind == PTX_OPD_IMM && uns;
}
