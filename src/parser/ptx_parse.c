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

void ptx_syntax_near(struct parse *P, uint32_t line, struct lex_text t)
{
	perr(P, line, "Parsing error near '%.*s': syntax error", (int)(t.n > 60 ? 60 : t.n), t.p);
}

/* A module begins with .version, .target and perhaps .address_size, which stand nowhere else. */
enum head { HEAD_VERSION, HEAD_NUMBER, HEAD_TARGET, HEAD_TARGETS, HEAD_SIZE, HEAD_BODY };

static int head_token(struct parse *P, int t)
{
	struct lex *l = &P->lex;
	switch (P->head) {
	case HEAD_VERSION:
	case HEAD_NUMBER:
		if (t == (P->head == HEAD_VERSION ? T_VERSION : T_FLOAT)) {
			P->head++;
			return t;
		}
		perr(P, l->line, "Missing .version directive at start of file");
		break;
	case HEAD_TARGET:
		if (t == T_TARGET) {
			P->head = HEAD_TARGETS;
			return t;
		}
		perr(P, l->line, "Missing .target directive at start of file");
		break;
	case HEAD_TARGETS:
		if (t == T_IDENT || t == ',' || t == T_TARGET)
			return t;
		P->head = t == T_ADDRESS_SIZE ? HEAD_SIZE : HEAD_BODY;
		return t;
	case HEAD_SIZE:
		P->head = HEAD_BODY;
		return t;
	default:
		if (t != T_VERSION && t != T_TARGET && t != T_ADDRESS_SIZE)
			return t;
		ptx_syntax_near(P, l->line, l->word);
		return T_BAD;
	}
	P->head = HEAD_BODY;
	return 0;
}

/* Names do not take part in constant expressions, but for name + constant. */
static bool constant_operator(int t)
{
	switch (t) {
	case '*':
	case '/':
	case '%':
	case '-':
	case '&':
	case '^':
	case '?':
	case '<':
	case '>':
	case T_SHL:
	case T_SHR:
	case T_LE:
	case T_GE:
	case T_EQ:
	case T_NE:
	case T_ANDAND:
	case T_OROR:
		return true;
	default:
		return false;
	}
}

int ptx_next_token(void *vp, struct parse *P)
{
	PTX_YYSTYPE *v = vp;
	struct lex *l = &P->lex;
	bool operand = l->cond == LEX_OPND;
	int t = ptx_lex(l), before = P->token, before2 = P->token2;
	if (P->head < HEAD_BODY || t == T_VERSION || t == T_TARGET || t == T_ADDRESS_SIZE)
		t = head_token(P, t);
	bool stray = t == T_LINK && P->in_body && l->val != PTX_LINK_COMMON; /* what it should belong to is the error */
	if (stray)
		ptx_lex(l);
	if (stray || (operand && before == T_IDENT && constant_operator(t) && !P->ident_const)) {
		perr(P, l->line, "Parsing error near '%.*s': syntax error", (int)(l->cur - l->tok), l->tok);
		t = T_BAD;
	}
	P->token = t;
	P->token2 = before;
	if (t == T_IDENT)
		P->ident_const = l->word.n == 7 && !memcmp(l->word.p, "WARP_SZ", 7);
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
		v->opv = (struct ptx_operand){.kind = PTX_OPD_IMM, .imm = (int64_t)l->num, .uns = l->is_unsigned, .reg = l->line};
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
		perr(P, l->line, "Parsing error near '': syntax error");
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
	static const uint8_t last_minor[] = {0, 5, 3, 2, 3, 1, 5, 8, 8, 0};
	struct lex_text t = P->lex.word;
	uint32_t n[2] = {0, 0}, i = 0;
	(void)v;
	/* the token after the number has not been read: the grammar needs none to reduce */
	for (uint32_t k = 0; k < 2; k++) {
		uint32_t from = i;
		for (; i < t.n && t.p[i] >= '0' && t.p[i] <= '9' && n[k] < 1000; i++)
			n[k] = n[k] * 10 + (uint32_t)(t.p[i] - '0');
		if (i == from || (k ? i < t.n : i == t.n || t.p[i++] != '.')) {
			perr(P, P->lex.line, "Missing .version directive at start of file");
			return;
		}
	}
	P->seen_version = true;
	P->lex.old_dwarf = n[0] < 2;
	while (n[1] > 9 && n[1] % 10 == 0) /* 8.10 is 8.1 */
		n[1] /= 10;
	P->mod->version = n[0] * 10 + (n[1] > 9 ? 9 : n[1]);
	if (n[0] < 1 || n[0] > 9 || n[1] > last_minor[n[0]])
		perr(P, P->lex.line, "Unsupported .version %u.%u; current version is '9.0'", n[0], n[1]);
}

/* Architectures: the least PTX version for the plain one and for those with suffix `a` and `f`. */
static const struct {
	uint8_t sm, plain, a, f;
} archs[] = {{10, 10, 0, 0}, {11, 10, 0, 0}, {12, 12, 0, 0}, {13, 12, 0, 0}, {20, 20, 0, 0}, {21, 20, 0, 0}, {30, 30, 0, 0}, {32, 40, 0, 0},
	     {35, 31, 0, 0}, {37, 41, 0, 0}, {50, 40, 0, 0}, {52, 41, 0, 0}, {53, 42, 0, 0}, {60, 50, 0, 0}, {61, 50, 0, 0}, {62, 50, 0, 0},
	     {70, 60, 0, 0}, {72, 61, 0, 0}, {75, 63, 0, 0}, {80, 70, 0, 0}, {86, 71, 0, 0}, {87, 74, 0, 0}, {88, 73, 0, 0}, {89, 78, 0, 0},
	     {90, 78, 80, 0}, {100, 86, 86, 88}, {101, 86, 86, 88}, {103, 88, 88, 88}, {110, 90, 90, 90}, {120, 87, 87, 88}, {121, 88, 88, 88}};

/* The least version of sm_NNNs, or 0. */
static uint32_t arch_version(uint32_t sm, char suffix)
{
	for (uint32_t i = 0; i < sizeof archs / sizeof *archs; i++)
		if (archs[i].sm == sm)
			return !suffix ? archs[i].plain : suffix == 'a' ? archs[i].a : suffix == 'f' ? archs[i].f : 0;
	return 0;
}

enum arch_read { NO_ARCH, UNKNOWN_ARCH, KNOWN_ARCH };

/* sm_NNN or compute_NNN with a suffix or without. */
static enum arch_read arch_read(struct lex_text t, uint32_t *sm, char *suffix)
{
	uint32_t v = 0, i = t.n > 3 && !memcmp(t.p, "sm_", 3) ? 3 : t.n > 8 && !memcmp(t.p, "compute_", 8) ? 8 : 0, from = i;
	if (!i)
		return NO_ARCH;
	for (; i < t.n && t.p[i] >= '0' && t.p[i] <= '9' && v < 10000; i++)
		v = v * 10 + (uint32_t)(t.p[i] - '0');
	*sm = v;
	*suffix = i < t.n ? t.p[i++] : 0;
	return i == t.n && t.p[from] != '0' && arch_version(v, *suffix) ? KNOWN_ARCH : UNKNOWN_ARCH;
}

bool ptx_arch_known(const char *name, uint32_t *sm, char *suffix)
{
	return arch_read((struct lex_text){name, (uint32_t)strlen(name)}, sm, suffix) == KNOWN_ARCH;
}

static bool target_arch(struct parse *P, struct lex_text t)
{
	struct ptx_module *m = P->mod;
	enum arch_read is = arch_read(t, &m->target, &m->target_suffix);
	if (is == NO_ARCH)
		return false;
	if (is == UNKNOWN_ARCH)
		perr(P, P->lex.line, "Unsupported .target '%.*s'", (int)t.n, t.p);
	P->seen_target = true;
	return true;
}

/* What code for an architecture may be compiled for, as ptxas has it: `a` for that one alone, `f` for its family. */
static void check_max_target(struct parse *P)
{
	const struct ptx_module *m = P->mod;
	uint32_t most = P->opts ? P->opts->max_target : 0;
	if (!most)
		return;
	if (m->target > most)
		perr(P, P->target_line, "SM version specified by .target is higher than default SM version assumed");
	else if (m->target_suffix == 'a' && m->target != most)
		perr(P, P->target_line, "Program with .target 'sm_%ua' cannot be compiled to future architecture", m->target);
	else if (m->target_suffix == 'a' && P->opts->max_suffix != 'a')
		perr(P, P->target_line, "PTX with .target 'sm_%ua' cannot be compiled for architecture 'sm_%u%.1s'", m->target, most,
		     &P->opts->max_suffix);
	else if (m->target_suffix == 'f' && m->target / 10 != most / 10)
		perr(P, P->target_line, "Program with .target 'sm_%uf' cannot be compiled to different SM-family architecture", m->target);
}

void ptx_do_target(struct parse *P, struct lex_text t)
{
	static const char *const options[] = {"debug", "map_f64_to_f32", "texmode_unified", "texmode_independent"};
	struct ptx_module *m = P->mod;
	P->target_line = P->lex.line;
	if (target_arch(P, t))
		return;
	if (!P->seen_target) {
		perr(P, P->lex.line, "Target architecture not defined at start of file");
		P->seen_target = true;
		return;
	}
	for (uint32_t k = 0; k < sizeof options / sizeof *options; k++) {
		if (strlen(options[k]) != t.n || memcmp(options[k], t.p, t.n))
			continue;
		if (k == 1 && m->target >= 13)
			perr(P, P->lex.line, "Directive map_f64_to_f32 is not supported with SM 1.3 or higher");
		if (k >= 2 && P->texmode && P->texmode != k)
			perr(P, P->lex.line, "Conflicting .target option '%s'", options[k]);
		if (k >= 2)
			P->texmode = (uint8_t)k;
		m->debug |= k == 0;
		m->map_f64_to_f32 |= k == 1;
		m->texmode_independent |= k == 3;
		return;
	}
	perr(P, P->lex.line, "Unrecognized target architecture '%.*s'", (int)t.n, t.p);
}

void ptx_do_target_end(struct parse *P)
{
	struct ptx_module *m = P->mod;
	uint32_t since = arch_version(m->target, m->target_suffix);
	if (since && m->version < since)
		perr(P, P->target_line, "PTX .version %u.%u does not support .target sm_%u%.1s", m->version / 10, m->version % 10, m->target,
		     m->target_suffix ? &m->target_suffix : "");
	check_max_target(P);
}

void ptx_do_address_size(struct parse *P, const struct ptx_operand *n)
{
	if (n->imm != 32 && n->imm != 64)
		perr(P, n->reg, "Illegal value for .address_size directive (must be 32 or 64)");
	else
		P->mod->address_size = (uint32_t)n->imm;
	if (n->imm == 32 && P->mod->target >= 90)
		perr(P, n->reg, "32-Bit ABI (--machine 32 or 32-Bit addressing) is not supported on sm_90 or higher");
}

/* A place in a source as a key that no pointer to a name equals. */
static const char *place_key(uint32_t file, uint32_t line, uint32_t column)
{
	uint64_t k = ((uint64_t)file * 0x9E3779B97F4A7C15u + line) * 0xD6E8FEB86659FD93u + column * 0xA0761D6478BD642Fu;
	return (const char *)(uintptr_t)((k ^ k >> 29) | 1);
}

void ptx_do_file(struct parse *P, const struct ptx_operand *index, struct lex_text name)
{
	uint32_t n = (uint32_t)index->imm;
	if (strmap_get(&P->file_indices, place_key(n, 0, 0))) {
		perr(P, P->lex.line, "Duplicate file index #%u", n);
		return;
	}
	strmap_put(P->arena, &P->file_indices, place_key(n, 0, 0), P);
	vec_push(P->arena, &P->files, (struct ptx_file){n, arena_strndup(P->arena, name.p, name.n)});
}

void ptx_do_pragma(struct parse *P, struct lex_text s)
{
	static const char *const in_functions[] = {"used_bytes_mask", "enable_smem_spilling", "frequency"};
	const char *text = arena_strndup(P->arena, s.p, s.n);
	if (!P->func) {
		for (uint32_t i = 0; i < sizeof in_functions / sizeof *in_functions; i++)
			if (!strncmp(text, in_functions[i], strlen(in_functions[i])))
				perr(P, P->lex.line, "Pragma '%s' is allowed only within function scope", text);
		if (strcmp(text, "nounroll") && P->diags->errors == 0)
			perr(P, P->lex.line, "Pragma '%s' not supported", text);
	}
	if (P->in_body)
		vec_push(P->arena, &P->stmts,
			 (struct ptx_stmt){.kind = PTX_STMT_PRAGMA, .line = P->lex.line, .guard = PTX_NO_REG, .text = text});
	if (P->func)
		vec_push(P->arena, &P->fpragmas, text);
	else
		vec_push(P->arena, &P->pragmas, text);
}

static bool overflows(struct parse *P, const struct ptx_operand *v)
{
	if ((uint64_t)v->imm <= UINT32_MAX)
		return false;
	perr(P, v->reg, "Constant overflow");
	return true;
}

void ptx_do_loc_inlined(struct parse *P, struct lex_text word, struct lex_text name, struct lex_text inlined, const struct ptx_operand *f,
			const struct ptx_operand *l, const struct ptx_operand *c)
{
	if (word.n != 13 || memcmp(word.p, "function_name", 13)) {
		ptx_syntax_near(P, f->reg, word);
		return;
	}
	if (inlined.n != 10 || memcmp(inlined.p, "inlined_at", 10)) {
		ptx_syntax_near(P, f->reg, inlined);
		return;
	}
	P->loc.inl_func = arena_strndup(P->arena, name.p, name.n);
	P->loc.inl_file = (uint32_t)f->imm;
	P->loc.inl_line = (uint32_t)l->imm;
	P->loc.inl_column = (uint32_t)c->imm;
	if (!strmap_get(&P->locs, place_key(P->loc.inl_file, P->loc.inl_line, P->loc.inl_column)))
		perr(P, f->reg, "Source location %u %u %u used in inlined_at directive must be used in a preceding .loc", P->loc.inl_file,
		     P->loc.inl_line, P->loc.inl_column);
}

void ptx_do_loc(struct parse *P, const struct ptx_operand *f, const struct ptx_operand *l, const struct ptx_operand *c)
{
	struct ptx_loc loc = P->loc;
	P->loc = (struct ptx_loc){0};
	if (overflows(P, f) || overflows(P, l) || overflows(P, c))
		return;
	loc.file = (uint32_t)f->imm;
	loc.line = (uint32_t)l->imm;
	loc.column = (uint32_t)c->imm;
	struct ptx_loc *keep = NEW(P->arena, struct ptx_loc);
	*keep = loc;
	strmap_put(P->arena, &P->locs, place_key(loc.file, loc.line, loc.column), keep);
	vec_push(P->arena, &P->stmts, (struct ptx_stmt){.kind = PTX_STMT_LOC, .line = f->reg, .guard = PTX_NO_REG, .loc = keep});
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
	if (d->errors == errors)
		ptx_check_functions(P);
	if (d->errors == errors)
		ptx_check_constants(P);
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
