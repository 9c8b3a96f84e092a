/* ptx_parse: PTX text to the resolved tree; the module's own directives. */
#include "parser/ptx_parse.h"

#include <stdlib.h>
#include <string.h>

#include "parser/parse.h"
#include "parser/ptx_gram.h"

int ptx_yyparse(struct parse *P);

/* Most operands are one name or number between commas: those skip the expression grammar. */
static bool whole_operand(const struct parse *P, int before, int before2)
{
	const char *p = P->lex.cur;
	if (before != T_OPCODE && before != ',' && before != '{' && (before != '[' || before2 == T_IDENT))
		return false;
	while (*p == ' ')
		p++;
	return *p == ',' || *p == ';' || *p == '}' || *p == ']';
}

int ptx_next_token(void *vp, struct parse *P)
{
	PTX_YYSTYPE *v = vp;
	struct lex *l = &P->lex;
	bool operand = l->cond == LEX_OPND;
	int t = ptx_lex(l), before = P->token, before2 = P->token2;
	P->token = t;
	P->token2 = before;
	if (operand && t == T_IDENT && whole_operand(P, before, before2)) {
		ptx_expr_ident(P, &v->opv, l->word);
		return T_OPERAND;
	}
	switch (t) {
	case T_IDENT:
	case T_LABEL:
	case T_OPCODE:
	case T_STRING:
	case T_SELECTOR:
	case T_WORD:
		v->text = l->word;
		break;
	case T_INT:
		v->opv = (struct ptx_operand){.kind = PTX_OPD_IMM, .imm = (int64_t)l->num, .uns = l->is_unsigned};
		if (operand && whole_operand(P, before, before2))
			return T_OPERAND;
		break;
	case T_F32:
		v->opv = (struct ptx_operand){.kind = PTX_OPD_FIMM, .is_f32 = true, .f32bits = (uint32_t)l->num};
		memcpy(&v->opv.bits, &l->fnum, 8);
		if (operand && whole_operand(P, before, before2))
			return T_OPERAND;
		break;
	case T_FLOAT:
		v->opv = (struct ptx_operand){.kind = PTX_OPD_FIMM};
		memcpy(&v->opv.bits, &l->fnum, 8);
		break;
	case T_TYPE:
	case T_VECTOR:
	case T_SPACE:
	case T_LINK:
	case T_PERF0:
	case T_PERF1:
	case T_PERF3:
		v->val = l->val;
		break;
	default:
		break;
	}
	return t;
}

void ptx_syntax_error(struct parse *P)
{
	struct lex *l = &P->lex;
	if (P->quiet)
		return;
	if (P->token == 0)
		perr(P, l->line, "Unexpected EOF encountered on line %u", l->line);
	else if (P->token != T_BAD) /* the lexer has said it */
		perr(P, l->line, "Parsing error near '%.*s': syntax error", (int)(l->cur - l->tok > 60 ? 60 : l->cur - l->tok),
		     l->tok);
}

void ptx_recover(struct parse *P)
{
	P->opds.len = 0;
	P->guard = PTX_NO_REG;
	P->guard_bad = false;
	P->lex.depth = 0;
	P->lex.in_init = false;
	P->lex.cond = LEX_STMT;
	memset(&P->init, 0, sizeof P->init);
	P->var = NULL;
}

/* Outside functions, or in a function's head: whatever was open is given up. */
void ptx_recover_module(struct parse *P)
{
	ptx_recover(P);
	P->refs.len = 0;
	while (P->scopes.len)
		ptx_scope_pop(P);
	P->func = NULL;
	P->in_body = false;
	P->quiet = true;
}

void ptx_do_version(struct parse *P, const struct ptx_operand *v)
{
	struct lex_text t = P->lex.word;
	uint32_t major = 0, minor = 0, i = 0;
	(void)v;
	/* the token after the number has not been read: the grammar needs none to reduce */
	for (; i < t.n && t.p[i] >= '0' && t.p[i] <= '9' && major < 1000; i++)
		major = major * 10 + (uint32_t)(t.p[i] - '0');
	for (i += i < t.n && t.p[i] == '.'; i < t.n && t.p[i] >= '0' && t.p[i] <= '9' && minor < 1000; i++)
		minor = minor * 10 + (uint32_t)(t.p[i] - '0');
	if (P->seen_version)
		perr(P, P->lex.line, "Duplicate .version directive");
	P->seen_version = true;
	P->mod->version = major * 10 + (minor > 9 ? 9 : minor);
	if (major < 1 || P->mod->version > 90)
		perr(P, P->lex.line, "Unsupported .version %u.%u; current version is '9.0'", major, minor);
}

void ptx_do_target(struct parse *P, struct lex_text t)
{
	static const char *const options[] = {"debug", "map_f64_to_f32", "texmode_unified", "texmode_independent"};
	struct ptx_module *m = P->mod;
	if (t.n > 3 && !memcmp(t.p, "sm_", 3)) {
		uint32_t v = 0, i = 3;
		for (; i < t.n && t.p[i] >= '0' && t.p[i] <= '9' && v < 10000; i++)
			v = v * 10 + (uint32_t)(t.p[i] - '0');
		m->target = v;
		m->target_suffix = i < t.n ? t.p[i++] : 0;
		P->seen_target = true;
		if (i == t.n && v >= 10 && (!m->target_suffix || ((m->target_suffix == 'a' || m->target_suffix == 'f') && v >= 90)))
			return;
	}
	for (uint32_t k = 0; k < sizeof options / sizeof *options; k++) {
		if (strlen(options[k]) != t.n || memcmp(options[k], t.p, t.n))
			continue;
		m->debug |= k == 0;
		m->map_f64_to_f32 |= k == 1;
		m->texmode_independent |= k == 3;
		return;
	}
	perr(P, P->lex.line, "Unrecognized target architecture '%.*s'", (int)t.n, t.p);
}

void ptx_do_target_end(struct parse *P)
{
	static const struct {
		uint32_t sm, version;
	} since[] = {{20, 20}, {30, 31}, {32, 40}, {35, 31}, {37, 41}, {50, 40}, {52, 41}, {53, 42}, {60, 50}, {61, 50},
		     {62, 50}, {70, 60}, {72, 61}, {75, 63}, {80, 70}, {86, 71}, {87, 74}, {88, 90}, {89, 78}, {90, 78},
		     {100, 86}, {101, 86}, {103, 88}, {110, 90}, {120, 87}, {121, 88}};
	struct ptx_module *m = P->mod;
	if (!P->seen_version)
		perr(P, P->lex.line, "Missing .version directive at start of file");
	for (uint32_t i = 0; i < sizeof since / sizeof *since; i++)
		if (since[i].sm == m->target && m->version < since[i].version)
			perr(P, P->lex.line, "PTX .version %u.%u does not support .target sm_%u", m->version / 10, m->version % 10,
			     m->target);
	if (P->opts && P->opts->max_target && m->target > P->opts->max_target)
		perr(P, P->lex.line, "SM version specified by .target is higher than default SM version assumed");
}

void ptx_do_address_size(struct parse *P, uint64_t n)
{
	if (n != 32 && n != 64)
		perr(P, P->lex.line, "Illegal value for .address_size directive (must be 32 or 64)");
	else
		P->mod->address_size = (uint32_t)n;
}

void ptx_do_file(struct parse *P, uint64_t index, struct lex_text name)
{
	for (uint32_t i = 0; i < P->files.len; i++) {
		if (P->files.data[i].index == index) {
			perr(P, P->lex.line, "Duplicate file index #%u", (uint32_t)index);
			return;
		}
	}
	vec_push(P->arena, &P->files, (struct ptx_file){(uint32_t)index, arena_strndup(P->arena, name.p, name.n)});
}

void ptx_do_pragma(struct parse *P, struct lex_text s)
{
	const char *text = arena_strndup(P->arena, s.p, s.n);
	if (P->in_body)
		vec_push(P->arena, &P->stmts,
			 (struct ptx_stmt){.kind = PTX_STMT_PRAGMA, .line = P->lex.line, .guard = PTX_NO_REG, .text = text});
	if (P->func)
		vec_push(P->arena, &P->fpragmas, text);
	else
		vec_push(P->arena, &P->pragmas, text);
}

void ptx_do_loc_func(struct parse *P, struct lex_text word, struct lex_text name, int64_t off)
{
	if (word.n != 13 || memcmp(word.p, "function_name", 13)) {
		perr(P, P->lex.line, "Parsing error near '%.*s': syntax error", (int)word.n, word.p);
		return;
	}
	P->loc.inl_func = arena_strndup(P->arena, name.p, name.n);
	P->loc.inl_func_off = off;
}

void ptx_do_loc_inlined(struct parse *P, struct lex_text word, const struct ptx_operand *f, const struct ptx_operand *l,
			const struct ptx_operand *c)
{
	if (word.n != 10 || memcmp(word.p, "inlined_at", 10)) {
		perr(P, P->lex.line, "Parsing error near '%.*s': syntax error", (int)word.n, word.p);
		return;
	}
	P->loc.inl_file = (uint32_t)f->imm;
	P->loc.inl_line = (uint32_t)l->imm;
	P->loc.inl_column = (uint32_t)c->imm;
}

void ptx_do_loc(struct parse *P, const struct ptx_operand *f, const struct ptx_operand *l, const struct ptx_operand *c)
{
	struct ptx_loc loc = P->loc;
	P->loc = (struct ptx_loc){0};
	if (!P->in_body)
		return;
	loc.file = (uint32_t)f->imm;
	loc.line = (uint32_t)l->imm;
	loc.column = (uint32_t)c->imm;
	struct ptx_loc *keep = NEW(P->arena, struct ptx_loc);
	*keep = loc;
	vec_push(P->arena, &P->stmts,
		 (struct ptx_stmt){.kind = PTX_STMT_LOC, .line = P->lex.line, .guard = PTX_NO_REG, .loc = keep});
}

struct ptx_module *ptx_parse(struct arena *a, struct diags *d, const char *text, size_t n, const struct ptx_parse_opts *opts)
{
	struct parse *P = NEW(a, struct parse);
	char *copy = arena_alloc(a, n + 16);
	memcpy(copy, text, n);
	P->arena = a;
	P->diags = d;
	P->opts = opts;
	P->guard = PTX_NO_REG;
	P->mod = NEW(a, struct ptx_module);
	P->mod->address_size = 32;
	ptx_lex_init(&P->lex, a, d, copy, n);
	uint32_t errors = d->errors;
	if (ptx_yyparse(P) && d->errors == errors)
		perr(P, P->lex.line, "Parsing error: syntax error");
	if (!P->seen_version && d->errors == errors)
		perr(P, 1, "Missing .version directive at start of file");
	if (!P->seen_target && d->errors == errors)
		perr(P, 1, "Missing .target directive at start of file");
	P->mod->vars = P->vars.data;
	P->mod->nvars = P->vars.len;
	P->mod->funcs = P->funcs.data;
	P->mod->nfuncs = P->funcs.len;
	P->mod->files = P->files.data;
	P->mod->nfiles = P->files.len;
	P->mod->pragmas = P->pragmas.data;
	P->mod->npragmas = P->pragmas.len;
	P->mod->has_sections = P->lex.has_sections;
	P->mod->lines = P->lex.line;
	return P->seen_version && P->seen_target ? P->mod : NULL;
}
