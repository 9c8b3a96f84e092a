#include "lexer/ptx_lex.h"

#include <stdlib.h>
#include <string.h>

#include "parser/forms.h"
#include "parser/ptx_ast.h"
#include "parser/parse.h"
#include "parser/ptx_gram.h"

void ptx_lex_init(struct lex *l, struct arena *a, struct diags *d, const char *text, size_t n)
{
	*l = (struct lex){.cur = text, .end = text + n, .tok = text, .cond = LEX_STMT, .line = 1, .arena = a, .diags = d};
}

static const struct {
	uint16_t token, value;
} directive_tokens[] = {
	{0, 0},
#define X(word, token, value) {token, value},
#include "lexer/directives.def"
#undef X
};

static void count_lines(struct lex *l, const char *p, const char *e)
{
	while ((p = memchr(p, '\n', (size_t)(e - p)))) {
		l->line++;
		p++;
	}
}

/* A block comment: to its end, or to the end of the input with an error. */
static const char *skip_comment(struct lex *l, const char *p)
{
	uint32_t line = l->line;
	for (; p < l->end; p++) {
		if (*p == '\n')
			l->line++;
		else if (*p == '*' && p[1] == '/')
			return p + 2;
	}
	diag_error(l->diags, line, "Unterminated comment");
	return l->end;
}

/* .section NAME { ... }: debug data, not looked at. */
static const char *skip_section(struct lex *l, const char *p)
{
	uint32_t line = l->line, depth = 0;
	for (; p < l->end; p++) {
		if (*p == '\n')
			l->line++;
		else if (*p == '{')
			depth++;
		else if (*p == '}' && depth && !--depth)
			return p + 1;
	}
	diag_error(l->diags, line, "Unterminated .section");
	return l->end;
}

/* Preprocessor lines (# 12 "file") and @@DWARF lines: messages count the lines of the PTX text itself. */
static const char *skip_line(struct lex *l, const char *p)
{
	const char *nl = memchr(p, '\n', (size_t)(l->end - p));
	return nl ? nl : l->end;
}

static int string(struct lex *l, const char **cursor)
{
	const char *p = l->tok + 1;
	while (p < l->end && *p != '"' && *p != '\n')
		p += *p == '\\' && p[1] && p[1] != '\n' ? 2 : 1;
	if (p >= l->end || *p != '"') {
		diag_error(l->diags, l->line, "Unterminated string");
		*cursor = p < l->end ? p : l->end;
		l->word = (struct lex_text){l->tok + 1, (uint32_t)(*cursor - l->tok - 1)};
		return T_STRING;
	}
	l->word = (struct lex_text){l->tok + 1, (uint32_t)(p - l->tok - 1)};
	*cursor = p + 1;
	return T_STRING;
}

static int integer(struct lex *l, const char *p, const char *e, unsigned base)
{
	uint64_t v = 0;
	bool over = false;
	l->is_unsigned = e > p && e[-1] == 'U';
	if (l->is_unsigned)
		e--;
	for (; p < e; p++) {
		unsigned d = *p <= '9' ? (unsigned)(*p - '0') : (unsigned)((*p | 32) - 'a' + 10);
		over |= __builtin_mul_overflow(v, (uint64_t)base, &v);
		over |= __builtin_add_overflow(v, (uint64_t)d, &v);
	}
	if (over)
		diag_error(l->diags, l->line, "Integer constant out of range: '%.*s'", (int)l->word.n, l->word.p);
	l->num = v;
	if (v >> 63)
		l->is_unsigned = true;
	return T_INT;
}

static int hex_float(struct lex *l, const char *p, const char *e)
{
	uint64_t v = 0;
	for (const char *q = p; q < e; q++)
		v = v << 4 | (unsigned)(*q <= '9' ? *q - '0' : (*q | 32) - 'a' + 10);
	l->num = v;
	if (e - p == 8) {
		float f;
		uint32_t w = (uint32_t)v;
		memcpy(&f, &w, 4);
		l->fnum = f;
		return T_F32;
	}
	memcpy(&l->fnum, &v, 8);
	return T_FLOAT;
}

static int decimal_float(struct lex *l, const char *e)
{
	char buf[128];
	size_t n = (size_t)(e - l->tok);
	if (n >= sizeof buf) {
		char *s = arena_strndup(l->arena, l->tok, n);
		l->fnum = strtod(s, NULL);
	} else {
		memcpy(buf, l->tok, n);
		buf[n] = 0;
		l->fnum = strtod(buf, NULL);
	}
	memcpy(&l->num, &l->fnum, 8);
	return T_FLOAT;
}

/* A dotted word in a declaration or at a statement's start. */
static int directive(struct lex *l, const char **cursor)
{
	size_t n = (size_t)(*cursor - l->tok) - 1;
	uint32_t id = ptx_directive_find(l->tok + 1, n);
	l->word = (struct lex_text){l->tok, (uint32_t)n + 1};
	if (id) {
		int t = directive_tokens[id].token;
		l->val = directive_tokens[id].value;
		l->cond = t == T_LOC || t == T_FILE ? LEX_LOC : LEX_DECL;
		l->loc_word = false;
		if (t == T_SECTION) {
			*cursor = skip_section(l, *cursor);
			l->has_sections = true;
			l->cond = LEX_STMT;
		}
		return t;
	}
	uint32_t w = ptx_word_find(l->tok + 1, n);
	if (w && ptx_words[w].type) {
		l->val = ptx_words[w].type;
		l->cond = LEX_DECL;
		return T_TYPE;
	}
	l->cond = LEX_DECL;
	return T_WORD;
}

/* A dotted word in operands: a cast's type or a selector such as .x, .b0, .h1. */
static int selector(struct lex *l, const char *e)
{
	size_t n = (size_t)(e - l->tok) - 1;
	l->word = (struct lex_text){l->tok, (uint32_t)n + 1};
	uint32_t w = ptx_word_find(l->tok + 1, n);
	l->val = w ? ptx_words[w].type : 0;
	return l->val == PTX_T_s64 || l->val == PTX_T_u64 ? T_TYPE : T_SELECTOR;
}

/* An opcode whose modifiers stand apart: joined without the white space. */
static void join_opcode(struct lex *l, const char *e)
{
	char *s = NEWN(l->arena, char, e - l->tok + 1);
	uint32_t n = 0;
	for (const char *p = l->tok; p < e; p++)
		if ((unsigned char)*p > ' ')
			s[n++] = *p;
	l->word = (struct lex_text){s, n};
	count_lines(l, l->tok, e);
}

static int opcode(struct lex *l)
{
	l->depth = 0;
	l->cond = LEX_OPND;
	l->is_call = l->word.n >= 4 && !memcmp(l->word.p, "call", 4) && (l->word.n == 4 || l->word.p[4] == '.');
	return T_OPCODE;
}

static int bad_char(struct lex *l)
{
	unsigned char c = (unsigned char)*l->tok;
	if (c > ' ' && c < 127)
		diag_error(l->diags, l->line, "Parsing error near '%c': syntax error", c);
	else
		diag_error(l->diags, l->line, "Unexpected non-ASCII character encountered on line %u", l->line);
	return T_BAD;
}

int ptx_lex(struct lex *l)
{
	const char *p = l->cur, *m = p;
	const char *e = NULL;
	int t;
	(void)m;
#define RETURN(tok_)                                                                                                    \
	do {                                                                                                            \
		l->cur = p;                                                                                             \
		return (tok_);                                                                                          \
	} while (0)
#define WORD(from, to) (l->word = (struct lex_text){(from), (uint32_t)((to) - (from))})
next:
	l->tok = p;
	switch (l->cond) {
	case LEX_STMT:
		goto stmt;
	case LEX_GUARD:
		goto guard;
	case LEX_OPND:
		goto opnd;
	case LEX_DECL:
		goto decl;
	case LEX_LOC:
		goto loc;
	}
/*!re2c
	re2c:define:YYCTYPE = "unsigned char";
	re2c:define:YYCURSOR = p;
	re2c:define:YYMARKER = m;
	re2c:yyfill:enable = 0;

	ws = [ \t\r\f\v];
	alpha = [a-zA-Z];
	digit = [0-9];
	follow = [a-zA-Z0-9_$];
	id = alpha follow* | [_$%] follow+ | "_";
	modword = "." [a-zA-Z0-9_:]+;
	dot = "." [a-zA-Z_] [a-zA-Z0-9_:]* | "." digit [a-zA-Z0-9_]*;
	dec = digit+ "U"?;
	hex = "0" [xX] [0-9a-fA-F]+ "U"?;
	bin = "0" [bB] [01]+ "U"?;
	oct = "0" [0-7]+ "U"?;
	flt = digit+ "." digit* ([eE] [+-]? digit+)? | digit* "." digit+ ([eE] [+-]? digit+)? | digit+ [eE] [+-]? digit+;
	f32 = "0" [fF] [0-9a-fA-F]{8};
	f64 = "0" [dD] [0-9a-fA-F]{16};
*/
stmt:
	l->tok = p;
/*!re2c
	ws+ { goto stmt; }
	"\n" { l->line++; goto stmt; }
	"//" [^\n\x00]* { goto stmt; }
	"/*" { p = skip_comment(l, p); goto stmt; }
	"#" { p = skip_line(l, p); goto stmt; }
	"@@" { p = skip_line(l, p); l->has_sections = true; goto stmt; }
	"@" { l->cond = LEX_GUARD; RETURN('@'); }
	id { WORD(l->tok, p); e = p; goto label_or_opcode; }
	id modword+ { WORD(l->tok, p); t = opcode(l); RETURN(t); }
	id modword* ((ws | "\n")+ modword)+ { join_opcode(l, p); t = opcode(l); RETURN(t); }
	dot { t = directive(l, &p); RETURN(t); }
	"{" { RETURN('{'); }
	"}" { RETURN('}'); }
	";" { RETURN(';'); }
	"\x00" { p--; if (p >= l->end) RETURN(0); p++; t = bad_char(l); RETURN(t); }
	* { t = bad_char(l); l->cond = LEX_OPND; l->depth = 0; RETURN(t); }
*/
label_or_opcode:
	/* `name :` is a label; `a::b` is not. */
	while (*e == ' ' || *e == '\t')
		e++;
	if (*e == ':' && e[1] != ':') {
		p = e + 1;
		RETURN(T_LABEL);
	}
	t = opcode(l);
	RETURN(t);
guard:
	l->tok = p;
/*!re2c
	ws+ { goto guard; }
	"\n" { l->line++; goto guard; }
	"!" { RETURN('!'); }
	id { WORD(l->tok, p); l->cond = LEX_STMT; RETURN(T_IDENT); }
	"\x00" { p--; if (p >= l->end) RETURN(0); p++; t = bad_char(l); RETURN(t); }
	* { l->cond = LEX_OPND; l->depth = 0; t = bad_char(l); RETURN(t); }
*/
opnd:
	l->tok = p;
/*!re2c
	ws+ { goto opnd; }
	"\n" { l->line++; goto opnd; }
	"//" [^\n\x00]* { goto opnd; }
	"/*" { p = skip_comment(l, p); goto opnd; }
	id { WORD(l->tok, p); RETURN(T_IDENT); }
	oct { WORD(l->tok, p); t = integer(l, l->tok + 1, p, 8); RETURN(t); }
	dec { WORD(l->tok, p); t = integer(l, l->tok, p, 10); RETURN(t); }
	hex { WORD(l->tok, p); t = integer(l, l->tok + 2, p, 16); RETURN(t); }
	bin { WORD(l->tok, p); t = integer(l, l->tok + 2, p, 2); RETURN(t); }
	flt { WORD(l->tok, p); t = decimal_float(l, p); RETURN(t); }
	f32 | f64 { WORD(l->tok, p); t = hex_float(l, l->tok + 2, p); RETURN(t); }
	dot { t = selector(l, p); RETURN(t); }
	";" { l->cond = LEX_STMT; RETURN(';'); }
	"(" { t = l->is_call && !l->depth ? T_LIST : '('; l->depth++; RETURN(t); }
	[[{] { l->depth++; RETURN((unsigned char)*l->tok); }
	[\])}] { if (l->depth) l->depth--; else if (*l->tok == '}') l->cond = LEX_STMT; RETURN((unsigned char)*l->tok); }
	[,|!+\-*/%&^~?:<>] { RETURN((unsigned char)*l->tok); }
	"<<" { RETURN(T_SHL); }
	">>" { RETURN(T_SHR); }
	"==" { RETURN(T_EQ); }
	"!=" { RETURN(T_NE); }
	"<=" { RETURN(T_LE); }
	">=" { RETURN(T_GE); }
	"&&" { RETURN(T_ANDAND); }
	"||" { RETURN(T_OROR); }
	"\x00" { p--; if (p >= l->end) RETURN(0); p++; t = bad_char(l); RETURN(t); }
	* { t = bad_char(l); RETURN(t); }
*/
decl:
	l->tok = p;
/*!re2c
	ws+ { goto decl; }
	"\n" { l->line++; goto decl; }
	"//" [^\n\x00]* { goto decl; }
	"/*" { p = skip_comment(l, p); goto decl; }
	"#" { p = skip_line(l, p); goto decl; }
	"@@" { p = skip_line(l, p); l->has_sections = true; goto decl; }
	dot { t = l->in_init ? selector(l, p) : directive(l, &p); RETURN(t); }
	id { WORD(l->tok, p); RETURN(T_IDENT); }
	oct { WORD(l->tok, p); t = integer(l, l->tok + 1, p, 8); RETURN(t); }
	dec { WORD(l->tok, p); t = integer(l, l->tok, p, 10); RETURN(t); }
	hex { WORD(l->tok, p); t = integer(l, l->tok + 2, p, 16); RETURN(t); }
	bin { WORD(l->tok, p); t = integer(l, l->tok + 2, p, 2); RETURN(t); }
	flt { WORD(l->tok, p); t = decimal_float(l, p); RETURN(t); }
	f32 | f64 { WORD(l->tok, p); t = hex_float(l, l->tok + 2, p); RETURN(t); }
	["] { t = string(l, &p); RETURN(t); }
	";" { l->cond = LEX_STMT; l->in_init = false; RETURN(';'); }
	"=" { l->in_init = true; RETURN('='); }
	[{}] { if (!l->in_init) l->cond = LEX_STMT; RETURN((unsigned char)*l->tok); }
	[,()[\]<>|!+\-*/%&^~?:] { RETURN((unsigned char)*l->tok); }
	"<<" { RETURN(T_SHL); }
	">>" { RETURN(T_SHR); }
	"==" { RETURN(T_EQ); }
	"!=" { RETURN(T_NE); }
	"<=" { RETURN(T_LE); }
	">=" { RETURN(T_GE); }
	"&&" { RETURN(T_ANDAND); }
	"||" { RETURN(T_OROR); }
	"\x00" { p--; if (p >= l->end) RETURN(0); p++; t = bad_char(l); RETURN(t); }
	* { t = bad_char(l); RETURN(t); }
*/
loc:
	/* .loc and .file have no `;`: an identifier that no comma or keyword announces starts the next statement. */
	l->tok = p;
/*!re2c
	ws+ { goto loc; }
	"\n" { l->line++; goto loc; }
	"//" [^\n\x00]* { goto loc; }
	"/*" { p = skip_comment(l, p); goto loc; }
	dec { WORD(l->tok, p); l->loc_word = false; t = integer(l, l->tok, p, 10); RETURN(t); }
	["] { l->loc_word = false; t = string(l, &p); RETURN(t); }
	"," { l->loc_word = true; RETURN(','); }
	"+" { RETURN('+'); }
	id {
		if (!l->loc_word) {
			p = l->tok;
			l->cond = LEX_STMT;
			goto stmt;
		}
		WORD(l->tok, p);
		l->loc_word = l->word.n == 13 && !memcmp(l->tok, "function_name", 13);
		RETURN(T_IDENT);
	}
	"\x00" { p = l->tok; l->cond = LEX_STMT; goto next; }
	* { p = l->tok; l->cond = LEX_STMT; goto next; }
*/
}
