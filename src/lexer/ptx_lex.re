#include "lexer/ptx_lex.h"

#include <errno.h>
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
		else if (*p & 0x80)
			return p; /* refused even here */
	}
	diag_error(l->diags, line, "Unterminated comment");
	return l->end;
}

/* What `.section` holds: words of debug data, labels. Only its form is checked. */
struct section {
	struct lex *l;
	const char *p, *tok; /* tok: the word last read, up to p */
};

/* Next character of substance, with words and numbers as 'a' and '0', dotted words as '.'; 0 at the end. */
static int section_token(struct section *s)
{
	const char *p = s->p, *end = s->l->end;
	while (p < end) {
		if (*p == '\n')
			s->l->line++;
		else if (*p == '/' && p[1] == '/')
			while (p + 1 < end && p[1] != '\n')
				p++;
		else if (*p == '/' && p[1] == '*')
			p = skip_comment(s->l, p + 2) - 1;
		else if (*p != ' ' && *p != '\t' && *p != '\r')
			break;
		p++;
	}
	s->tok = p;
	s->p = p + (p < end);
	if (p >= end)
		return 0;
	unsigned char c = (unsigned char)*p, kind = c >= '0' && c <= '9' ? '0' : c == '.' ? '.' : c;
	bool word = kind == '0' || kind == '.' || c == '_' || c == '$' || c == '%' || ((c | 32) >= 'a' && (c | 32) <= 'z');
	if (!word)
		return c;
	for (p++; p < end && (*p == '_' || *p == '$' || (*p >= '0' && *p <= '9') || ((*p | 32) >= 'a' && (*p | 32) <= 'z')); p++)
		;
	s->p = p;
	return kind == '0' || kind == '.' ? kind : 'a';
}

static const char *section_error(struct section *s)
{
	uint32_t line = s->l->line;
	diag_error(s->l->diags, line, "Parsing error near '%.*s': syntax error", (int)(s->p - s->tok), s->tok);
	const char *close = memchr(s->p, '}', (size_t)(s->l->end - s->p));
	return close && *s->tok != '}' ? close + 1 : s->p;
}

/* One value: a number that fits, a label with an offset, the difference of two labels, a section with an offset. */
static bool section_value(struct section *s, uint32_t bits, int *t)
{
	bool neg = *t == '-';
	if (neg)
		*t = section_token(s);
	if (*t == '0') {
		char *e;
		uint64_t v = strtoull(s->tok, &e, 0), top = bits >= 32 ? UINT64_MAX : (uint64_t)1 << bits;
		if (e != s->p && !(e + 1 == s->p && *e == 'U'))
			return false;
		if (neg ? v > top / 2 : v >= top)
			diag_error(s->l->diags, s->l->line, "Value out of range for type .b%u %s%.*s", bits, neg ? "-" : "",
				   (int)(s->p - s->tok), s->tok);
		*t = section_token(s);
		return true;
	}
	if (neg || (*t != 'a' && *t != '.'))
		return false;
	bool label = *t == 'a';
	*t = section_token(s);
	if (*t != '+' && !(label && *t == '-'))
		return true;
	bool minus = *t == '-';
	*t = section_token(s);
	if (*t != '0' && !(minus && *t == 'a'))
		return false;
	*t = section_token(s);
	return true;
}

/* .section NAME { ... }: debug data, of which nothing is kept. */
static const char *skip_section(struct lex *l, const char *p)
{
	struct section s = {l, p, p};
	if (section_token(&s) != '.' || section_token(&s) != '{')
		return section_error(&s);
	for (int t = section_token(&s); t != '}';) {
		if (t == 'a') {
			if (section_token(&s) != ':')
				return section_error(&s);
			t = section_token(&s);
			continue;
		}
		uint32_t bits = t == '.' && s.p - s.tok > 2 && s.tok[1] == 'b' ? (uint32_t)strtoul(s.tok + 2, NULL, 10) : 0;
		if (t != '.')
			return section_error(&s);
		if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
			diag_error(l->diags, l->line, "Illegal type for dwarf data");
			bits = 64;
		}
		do {
			t = section_token(&s);
			if (!section_value(&s, bits, &t))
				return section_error(&s);
		} while (t == ',');
	}
	return s.p;
}

/* `# 12 "file"`, `#line 12 "file"`: the next line is line 12. Anything else behind `#` is an error. */
static const char *hash_line(struct lex *l, const char *p)
{
	const char *nl = memchr(p, '\n', (size_t)(l->end - p)), *e = nl ? nl : l->end;
	char *rest;
	while (p < e && (*p == ' ' || *p == '\t'))
		p++;
	if (e - p > 5 && !memcmp(p, "line ", 5))
		p += 5;
	if (p == e || *p < '0' || *p > '9') {
		diag_error(l->diags, l->line, "Parsing error near '#': syntax error");
		return e;
	}
	unsigned long n = strtoul(p, &rest, 10);
	while (rest < e && (*rest == ' ' || *rest == '\t'))
		rest++;
	if (*rest != '"') {
		diag_error(l->diags, l->line, "Parsing error near '#': syntax error");
		return e;
	}
	l->line = (uint32_t)n - (nl != NULL);
	return e;
}

/* @@DWARF lines, of PTX before 2.0. */
static const char *dwarf_line(struct lex *l, const char *p)
{
	const char *nl = memchr(p, '\n', (size_t)(l->end - p));
	if (l->end - p < 5 || memcmp(p, "DWARF", 5))
		diag_error(l->diags, l->line, "Parsing error near '@': syntax error");
	else if (!l->old_dwarf)
		diag_error(l->diags, l->line, "Deprecated feature: '@@DWARF directive' not supported as of PTX version 2.0");
	l->has_sections = true;
	return nl ? nl : l->end;
}

static int bad_char(struct lex *l);

static int string(struct lex *l, const char **cursor)
{
	const char *p = l->tok + 1;
	while (p < l->end && *p != '"' && *p != '\n' && !(*p & 0x80))
		p++;
	*cursor = p < l->end ? p : l->end;
	l->word = (struct lex_text){l->tok + 1, (uint32_t)(p - l->tok - 1)};
	if (p < l->end && *p & 0x80) {
		l->tok = p;
		(*cursor)++;
		return bad_char(l);
	}
	if (p >= l->end || *p != '"') {
		diag_error(l->diags, l->line, "Unterminated string");
		return T_STRING;
	}
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
	errno = 0;
	if (n >= sizeof buf) {
		char *s = arena_strndup(l->arena, l->tok, n);
		l->fnum = strtod(s, NULL);
	} else {
		memcpy(buf, l->tok, n);
		buf[n] = 0;
		l->fnum = strtod(buf, NULL);
	}
	memcpy(&l->num, &l->fnum, 8);
	if (errno == ERANGE)
		diag_error(l->diags, l->line, "Constant overflow");
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
	if (l->bad_line == l->line) /* one a line is enough */
		return T_BAD;
	l->bad_line = l->line;
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

	ws = [ \t\r];
	alpha = [a-zA-Z];
	digit = [0-9];
	follow = [a-zA-Z0-9_$];
	id = alpha follow* | [_$%] follow+ | "_";
	modword = "." [a-zA-Z0-9_:]+;
	dot = "." [a-zA-Z_] [a-zA-Z0-9_:]* | "." digit [a-zA-Z0-9_]*;
	dec = ("0" | [1-9] digit*) "U"?;
	comment = "//" [\x01-\x09\x0b-\x7f]*; /* anything but the end of the line: bytes over 127 are refused even here */
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
	comment { goto stmt; }
	"/*" { p = skip_comment(l, p); goto stmt; }
	"#" { p = hash_line(l, p); goto stmt; }
	"@@" { p = dwarf_line(l, p); goto stmt; }
	"@" { l->cond = LEX_GUARD; RETURN('@'); }
	"_" { diag_error(l->diags, l->line, "Parsing error near '_': syntax error"); l->cond = LEX_OPND; l->depth = 0; RETURN(T_BAD); }
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
	while (*e == ' ' || *e == '\t' || *e == '\n' || *e == '\r')
		e++;
	if (*e == ':' && e[1] != ':') {
		count_lines(l, p, e);
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
	comment { goto opnd; }
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
	comment { goto decl; }
	"/*" { p = skip_comment(l, p); goto decl; }
	"#" { p = hash_line(l, p); goto decl; }
	"@@" { p = dwarf_line(l, p); goto decl; }
	id { WORD(l->tok, p); RETURN(T_IDENT); }
	oct { WORD(l->tok, p); t = integer(l, l->tok + 1, p, 8); RETURN(t); }
	dec { WORD(l->tok, p); t = integer(l, l->tok, p, 10); RETURN(t); }
	hex { WORD(l->tok, p); t = integer(l, l->tok + 2, p, 16); RETURN(t); }
	bin { WORD(l->tok, p); t = integer(l, l->tok + 2, p, 2); RETURN(t); }
	flt { WORD(l->tok, p); t = decimal_float(l, p); RETURN(t); }
	f32 | f64 { WORD(l->tok, p); t = hex_float(l, l->tok + 2, p); RETURN(t); }
	dot { t = l->in_init ? selector(l, p) : directive(l, &p); RETURN(t); }
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
	comment { goto loc; }
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
