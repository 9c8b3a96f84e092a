/* gen_forms forms.def OUT.h OUT.c: compiles the form table.
 *
 * Syntax of forms.def:
 *   # comment
 *   .name = .w1 .w2@7.8/90 ..   at the start of a line: a group for the whole file; indented: for the rows above it,
 *                               up to the blank line. @version/target: the word's own minimum.
 *   .name:field = .w1 .w2       a group that fills another field than that of its name
 *   %field = .w1 .w2            the field of words that rows write out (default: the word's own name)
 *   %repeat = .w1 .w2           words that may be written more than once
 *   %name op = .w1 .w2          words that are part of the instruction's name: they may not move
 *   op.word{.opt}{.a.b}.group d, a{, b} | name | version target
 * A group of types fills the type slots in order; any other group fills the field of the group's name.
 *
 * Operands: NAME{:TYPE}{*COUNT}{FLAGS}.
 *   NAME  d.. destination, p q predicate destination, {!}c predicate source, else source; [a] address, [a:space];
 *         d|p pair, d{|p} pair or plain; @kind: one of the special kinds of forms.h, in lower case
 *   TYPE  1-5: that type word (default 1), w1: twice as wide, a type's name; COUNT a number; v: of .vec; n: of the
 *         fragment; g: of the geometry
 *   FLAGS # constant only, ^ register only, > wider register accepted, - negation accepted, % sink accepted,
 *         $ video selector accepted, ~ integer constant not accepted */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/forms.h"

#define MAX 16384
#define MAXNAMES 1024

struct names {
	const char *v[MAXNAMES];
	int n;
};

struct group {
	char name[40], field[40];
	struct form_elem e[128];
	int n;
};

static struct names ops, words, mods, forms, reqs;
static struct group globals[128], locals[64];
static int nglobals, nlocals;
static struct { char field[40]; int word; } literals[512];
static int nliterals;
static struct { char op[32]; int word; } parts[512]; /* of instructions' names */
static int nparts;
static bool repeats[MAXNAMES];
static struct form_elem elems[MAX];
static struct form_slot slots[MAX];
static struct form_opd opds[MAX];
static struct form_row rows[MAX];
static int nelems, nslots, nopds, nrows;
static const char *const types[] = {"none",
#define X(name, bits, cls) #name,
#include "parser/types.def"
#undef X
};
static const char *const spaces[] = {"none", "reg", "sreg", "const", "global", "local", "param", "shared", "tex"};
static const char *const sregs[] = {"none",
#define X(name, ...) "%" #name,
#include "parser/sregs.def"
#undef X
};
static const char *const directives[] = {"none",
#define X(name, ...) #name,
#include "lexer/directives.def"
#undef X
};
static const char *const kinds[] = {"dst", "src", "pdst", "psrc", "addr", "movsrc", "label", "callee", "list", "proto",
	"targets", "tex", "surf", "query", "tensor", "coords", "amat"};
#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static int lineno;

static _Noreturn void die(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fprintf(stderr, "forms.def:%d: ", lineno);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	exit(1);
}

static int name_id(struct names *t, const char *s)
{
	for (int i = 0; i < t->n; i++)
		if (!strcmp(t->v[i], s))
			return i;
	if (t->n == MAXNAMES)
		die("too many names");
	t->v[t->n] = strdup(s);
	return t->n++;
}

static int find(const char *const *v, int n, const char *s)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(v[i], s))
			return i;
	return -1;
}

static bool wordch(int c)
{
	return isalnum(c) || c == '_' || c == ':';
}

static int version(const char *s)
{
	int a = 0, b = 0;
	if (sscanf(s, "%d.%d", &a, &b) != 2)
		die("version '%s'", s);
	return a * 10 + b;
}

/* ".w1 .w2@7.8/90" */
static void parse_group(char *s, struct group *g)
{
	for (char *t = strtok(s, " \t,{}"); t; t = strtok(NULL, " \t,{}")) {
		struct form_elem e = {0};
		char *at = strchr(t, '@');
		if (at) {
			*at++ = 0;
			char *slash = strchr(at, '/');
			if (slash)
				*slash++ = 0;
			if (*at)
				e.ver = (uint8_t)version(at);
			if (slash) {
				for (char *c = slash; *c; c++)
					if (*c == '+')
						*c = ' ';
				e.req = (uint8_t)name_id(&reqs, slash);
			}
		}
		if (t[0] != '.')
			die("group element '%s'", t);
		e.word = (uint16_t)name_id(&words, t + 1);
		g->e[g->n++] = e;
	}
}

static const struct group *find_group(const char *name)
{
	for (int i = 0; i < nlocals; i++)
		if (!strcmp(locals[i].name, name))
			return &locals[i];
	for (int i = 0; i < nglobals; i++)
		if (!strcmp(globals[i].name, name))
			return &globals[i];
	return NULL;
}

static void add_slot(struct form_row *r, const char *name, bool optional, int tie, const char *own)
{
	struct form_slot s = {.elem = (uint16_t)nelems, .optional = optional, .tie = (uint8_t)tie};
	const struct group *g = find_group(name);
	const char *field = name;
	if (g) {
		struct group all = {0};
		if (*own) { /* {.group@ver/sm}: the minimum of elements that have none of their own */
			char buf[160];
			snprintf(buf, sizeof buf, ".none%s", own);
			parse_group(buf, &all);
		}
		memcpy(&elems[nelems], g->e, sizeof *g->e * (size_t)g->n);
		for (int i = 0; i < g->n && all.n; i++) {
			struct form_elem *e = &elems[nelems + i];
			if (!e->ver)
				e->ver = all.e[0].ver;
			if (!e->req)
				e->req = all.e[0].req;
		}
		nelems += g->n;
		s.nelems = (uint8_t)g->n;
		field = g->field;
	} else {
		struct group one = {0};
		char buf[128];
		snprintf(buf, sizeof buf, ".%s%s", name, own);
		parse_group(buf, &one);
		elems[nelems++] = one.e[0];
		s.nelems = 1;
		for (int i = 0; i < nliterals; i++)
			if (literals[i].word == one.e[0].word)
				field = literals[i].field;
	}
	s.is_type = find(types, COUNT(types), words.v[elems[s.elem].word]) > 0;
	for (int i = 0; i < nparts; i++)
		s.name |= parts[i].word == elems[s.elem].word && !strcmp(parts[i].op, ops.v[r->op]);
	for (int i = 0; i < s.nelems; i++)
		if ((find(types, COUNT(types), words.v[elems[s.elem + i].word]) > 0) != s.is_type)
			die("group '%s' mixes types and other words", name);
	if (!s.is_type) {
		char f[64];
		int n = 0;
		for (const char *c = field; *c; c++)
			f[n++] = (char)(*c == ':' ? '_' : *c);
		f[n] = 0;
		s.field = (uint8_t)name_id(&mods, f);
		if (mods.n > 255)
			die("too many fields");
	}
	slots[nslots++] = s;
	r->nslots++;
}

static const char *parse_mods(struct form_row *r, const char *s)
{
	int optional = 0, tie = 0, ties = 0;
	for (;;) {
		if (*s == '{' && s[1] == '.') {
			const char *e = strchr(s, '}');
			int dots = 0;
			for (const char *c = s; c < e; c++)
				dots += *c == '.' && (c[-1] == '{' || wordch(c[-1])) && !(isdigit(c[-1]) && isdigit(c[1]));
			optional = 1;
			tie = dots > 1 ? ++ties : 0;
			s++;
		} else if (*s == '}' && optional) {
			optional = tie = 0;
			s++;
		} else if (*s == '.') {
			char name[64], own[64] = "";
			int n = 0, m = 0;
			for (s++; wordch((unsigned char)*s); s++)
				name[n++] = *s;
			name[n] = 0;
			if (*s == '@') {
				for (; *s && !strchr("{} \t", *s) && !(*s == '.' && !isdigit((unsigned char)s[1])); s++)
					own[m++] = *s;
				own[m] = 0;
			}
			add_slot(r, name, optional, tie, own);
		} else {
			return s;
		}
	}
}

static void opd_type(struct form_opd *o, const char *t)
{
	int id = find(types, COUNT(types), t);
	if (id == 0)
		o->type = FT_NONE;
	else if (id > 0)
		o->type = (uint8_t)(FT_FIXED + id);
	else if (t[0] == 'w' && isdigit((unsigned char)t[1]))
		o->type = (uint8_t)(FT_WIDE + t[1] - '0');
	else if (isdigit((unsigned char)t[0]) && !t[1])
		o->type = (uint8_t)(t[0] - '0');
	else
		die("operand type '%s'", t);
}

static const char *opd_suffix(struct form_opd *o, const char *s)
{
	for (;; s++) {
		if (*s == ':') {
			char t[32];
			int n = 0;
			for (s++; isalnum((unsigned char)*s) || *s == '_'; s++)
				t[n++] = *s;
			t[n] = 0;
			opd_type(o, t);
			s--;
		} else if (*s == '*' && strchr("vng", s[1])) {
			o->count = s[1] == 'v' ? FC_VEC : s[1] == 'n' ? FC_FRAGMENT : FC_GEOMETRY;
			s++;
		} else if (*s == '*') {
			o->count = (uint8_t)strtol(s + 1, (char **)&s, 10);
			s--;
		} else if (*s == '#') {
			o->flags |= FO_IMMONLY;
		} else if (*s == '^') {
			o->flags |= FO_REGONLY;
		} else if (*s == '>') {
			o->flags |= FO_WIDER;
		} else if (*s == '-') {
			o->flags |= FO_NEG;
		} else if (*s == '$') {
			o->flags |= FO_SELECT;
		} else if (*s == '%') {
			o->flags |= FO_SINK;
		} else if (*s == '~') {
			o->flags |= FO_NOINT;
		} else {
			return s;
		}
	}
}

static const char *parse_opd(const char *s, struct form_opd *o)
{
	*o = (struct form_opd){.type = FORM_DEFAULT_TYPE};
	if (*s == '[') {
		o->kind = FO_ADDR;
		o->space = 255;
		for (s++; isalnum((unsigned char)*s); s++)
			;
		if (*s == ':') {
			char t[32];
			int n = 0;
			for (s++; isalnum((unsigned char)*s); s++)
				t[n++] = *s;
			t[n] = 0;
			int id = find(spaces, COUNT(spaces), t);
			if (id < 0)
				die("space '%s'", t);
			o->space = (uint8_t)id;
		}
		if (*s != ']')
			die("operand '%s'", s);
		return opd_suffix(o, s + 1);
	}
	if (*s == '@') {
		char t[32];
		int n = 0;
		for (s++; isalpha((unsigned char)*s); s++)
			t[n++] = *s;
		t[n] = 0;
		int id = find(kinds, COUNT(kinds), t);
		if (id < 0)
			die("operand kind '%s'", t);
		o->kind = (uint8_t)id;
		return opd_suffix(o, s);
	}
	if (!strncmp(s, "{!}", 3)) {
		o->kind = FO_PSRC;
		o->flags |= FO_NEG;
		s += 3;
	} else {
		o->kind = *s == 'd' ? FO_DST : *s == 'p' || *s == 'q' ? FO_PDST : FO_SRC;
	}
	while (isalnum((unsigned char)*s))
		s++;
	s = opd_suffix(o, s);
	if (!strncmp(s, "{|", 2)) {
		o->flags |= FO_PAIR;
		s = strchr(s, '}') + 1;
	} else if (*s == '|') {
		o->flags |= FO_PAIR | FO_PAIRREQ;
		for (s++; isalnum((unsigned char)*s); s++)
			;
	}
	return opd_suffix(o, s);
}

static void parse_opds(struct form_row *r, const char *s)
{
	int optional = 0;
	while (*s) {
		if (isspace((unsigned char)*s) || *s == ',') {
			s++;
		} else if (*s == '{' && strncmp(s, "{!}", 3)) {
			optional++;
			s++;
		} else if (*s == '}') {
			s++;
		} else {
			const char *was = s;
			s = parse_opd(s, &opds[nopds]);
			if (s == was)
				die("operand '%s'", s);
			nopds++;
			r->max_opds++;
			if (!optional)
				r->min_opds++;
		}
	}
}

static void trim(char *s)
{
	char *e = s + strlen(s);
	while (e > s && isspace((unsigned char)e[-1]))
		*--e = 0;
	char *b = s;
	while (isspace((unsigned char)*b))
		b++;
	memmove(s, b, strlen(b) + 1);
}

static void parse_row(char *line)
{
	struct form_row *r = &rows[nrows++];
	char *name = strchr(line, '|');
	/* a '|' of d|p is followed by a letter or stands in braces */
	while (name && name[1] != ' ')
		name = strchr(name + 1, '|');
	if (!name)
		die("no name");
	*name++ = 0;
	char *min = strchr(name, '|');
	if (!min)
		die("no version");
	*min++ = 0;
	trim(line);
	trim(name);
	trim(min);
	r->text = strdup(line);
	char op[32];
	const char *s = line;
	int n = 0;
	for (; isalnum((unsigned char)*s) || *s == '_'; s++)
		op[n++] = *s;
	op[n] = 0;
	r->op = (uint16_t)name_id(&ops, op);
	r->form = (uint16_t)name_id(&forms, name);
	r->slot = (uint16_t)nslots;
	r->opd = (uint16_t)nopds;
	char *sm = strchr(min, ' ');
	if (!sm)
		die("no target");
	*sm++ = 0;
	r->ver = (uint8_t)version(min);
	trim(sm);
	r->req = (uint8_t)name_id(&reqs, sm);
	s = parse_mods(r, s);
	parse_opds(r, s);
}

struct blockline {
	char *text;
	int line;
};

static void flush(struct blockline *b, int *n)
{
	for (int i = 0; i < *n; i++) {
		lineno = b[i].line;
		parse_row(b[i].text);
	}
	*n = 0;
	nlocals = 0;
}

static void parse_groupline(char *line, struct group *g)
{
	char *eq = strchr(line, '=');
	if (!eq)
		die("no '='");
	*eq++ = 0;
	trim(line);
	*g = (struct group){0};
	char *colon = strchr(line, ':');
	if (colon)
		*colon++ = 0;
	snprintf(g->name, sizeof g->name, "%s", line + 1);
	snprintf(g->field, sizeof g->field, "%s", colon ? colon : line + 1);
	parse_group(eq, g);
}

/* What a %line says of one of its words. */
static void describe_word(const struct group *g, int word)
{
	if (!strcmp(g->name, "repeat")) {
		repeats[word] = true;
	} else if (!strncmp(g->name, "name ", 5)) {
		if (nparts == COUNT(parts))
			die("too many parts of names");
		snprintf(parts[nparts].op, sizeof parts[0].op, "%s", g->name + 5);
		parts[nparts++].word = word;
	} else {
		snprintf(literals[nliterals].field, sizeof literals[0].field, "%s", g->name);
		literals[nliterals++].word = word;
	}
}

static void read_forms(const char *file)
{
	FILE *f = fopen(file, "r");
	if (!f)
		die("cannot open");
	static char line[4096];
	static struct blockline block[1024];
	int nblock = 0;
	while (fgets(line, sizeof line, f)) {
		lineno++;
		if (line[0] == '#')
			continue;
		bool indented = isspace((unsigned char)line[0]);
		trim(line);
		if (!line[0]) {
			flush(block, &nblock);
		} else if (line[0] == '%') {
			struct group g;
			parse_groupline(line, &g);
			for (int i = 0; i < g.n; i++)
				describe_word(&g, g.e[i].word);
		} else if (line[0] == '.') {
			parse_groupline(line, indented ? &locals[nlocals++] : &globals[nglobals++]);
		} else {
			block[nblock++] = (struct blockline){strdup(line), lineno};
		}
	}
	flush(block, &nblock);
	fclose(f);
}

static const char *c_name(const char *s)
{
	static char buf[4][128];
	static int k;
	char *b = buf[k++ & 3];
	int n = 0;
	for (; *s; s++)
		b[n++] = (char)(isalnum((unsigned char)*s) ? *s : '_');
	b[n] = 0;
	return b;
}

static void emit_enum(FILE *h, const char *tag, const char *prefix, const struct names *t)
{
	fprintf(h, "enum %s {\n", tag);
	for (int i = 0; i < t->n; i++)
		fprintf(h, "\t%s_%s,\n", prefix, c_name(t->v[i]));
	fprintf(h, "\t%s_COUNT\n};\n\n", prefix);
}

static void emit_hash(FILE *c, const char *fn, const char *const *v, int n)
{
	int cap = 64;
	while (cap < 4 * n)
		cap *= 2;
	uint16_t *slot = calloc((size_t)cap, sizeof *slot);
	fprintf(c, "uint32_t %s(const char *s, size_t n)\n{\n\tstatic const struct {\n\t\tuint16_t id, len;\n\t} t[%d] = {\n", fn,
		cap);
	for (int i = 1; i < n; i++) {
		uint32_t j = form_hash(v[i], strlen(v[i])) & (uint32_t)(cap - 1);
		while (slot[j])
			j = (j + 1) & (uint32_t)(cap - 1);
		slot[j] = (uint16_t)i;
	}
	for (int j = 0; j < cap; j++)
		if (slot[j])
			fprintf(c, "\t\t[%d] = {%d, %zu},\n", j, slot[j], strlen(v[slot[j]]));
	fprintf(c, "\t};\n\tstatic const char *const names[] = {\n");
	for (int i = 0; i < n; i++)
		fprintf(c, "\t\t\"%s\",\n", v[i]);
	fprintf(c, "\t};\n\tfor (uint32_t i = form_hash(s, n) & %d; t[i].id; i = (i + 1) & %d)\n", cap - 1, cap - 1);
	fprintf(c, "\t\tif (t[i].len == n && !memcmp(names[t[i].id], s, n))\n\t\t\treturn t[i].id;\n\treturn 0;\n}\n\n");
	free(slot);
}

static void emit_c(FILE *c)
{
	fprintf(c, "#include <string.h>\n\n#include \"parser/forms.h\"\n#include \"parser/ptx_ast.h\"\n\n");
	fprintf(c, "const struct form_elem form_elems[] = {\n");
	for (int i = 0; i < nelems; i++)
		fprintf(c, "\t{%u, %u, %u},\n", elems[i].word, elems[i].ver, elems[i].req);
	fprintf(c, "};\nconst struct form_slot form_slots[] = {\n");
	for (int i = 0; i < nslots; i++)
		fprintf(c, "\t{%u, %u, %u, %d, %d, %d, %u},\n", slots[i].elem, slots[i].nelems, slots[i].field,
			slots[i].optional, slots[i].is_type, slots[i].name, slots[i].tie);
	fprintf(c, "};\nconst struct form_opd form_opds[] = {\n");
	for (int i = 0; i < nopds; i++)
		fprintf(c, "\t{%u, %u, %u, %u, %u, %u},\n", opds[i].kind, opds[i].type, opds[i].flags, opds[i].count,
			opds[i].space, opds[i].field);
	fprintf(c, "};\nconst struct form_row form_rows[] = {\n");
	for (int i = 0; i < nrows; i++)
		fprintf(c, "\t{\"%s\", %u, %u, %u, %u, %u, %u, %u, %u, %u},\n", rows[i].text, rows[i].op, rows[i].form,
			rows[i].slot, rows[i].opd, rows[i].nslots, rows[i].min_opds, rows[i].max_opds, rows[i].ver,
			rows[i].req);
	fprintf(c, "};\nconst struct word_info ptx_words[] = {\n");
	for (int i = 0; i < words.n; i++) {
		int t = find(types, COUNT(types), words.v[i]), s = find(spaces, COUNT(spaces), words.v[i]);
		if (!strncmp(words.v[i], "shared::", 8))
			s = find(spaces, COUNT(spaces), "shared");
		if (!strncmp(words.v[i], "param::", 7))
			s = find(spaces, COUNT(spaces), "param");
		fprintf(c, "\t{\"%s\", %d, %d, %d},\n", words.v[i], t < 0 ? 0 : t, s < 0 ? 0 : s, repeats[i]);
	}
	fprintf(c, "};\nconst struct op_info ptx_ops[] = {\n");
	for (int i = 0; i < ops.n; i++) {
		int first = 0, n = 0;
		for (int j = 0; j < nrows; j++) {
			if (rows[j].op != i)
				continue;
			if (!n)
				first = j;
			else if (rows[j - 1].op != i)
				die("rows of '%s' are not together", ops.v[i]);
			n++;
		}
		fprintf(c, "\t{\"%s\", %d, %d},\n", ops.v[i], first, n);
	}
	fprintf(c, "};\nconst char *const form_reqs[] = {\n");
	for (int i = 0; i < reqs.n; i++)
		fprintf(c, "\t\"%s\",\n", reqs.v[i]);
	fprintf(c, "};\nconst char *const ptx_form_names[] = {\n");
	for (int i = 0; i < forms.n; i++)
		fprintf(c, "\t\"%s\",\n", forms.v[i]);
	fprintf(c, "};\nconst char *const ptx_mod_names[] = {\n");
	for (int i = 0; i < mods.n; i++)
		fprintf(c, "\t\"%s\",\n", mods.v[i]);
	fprintf(c, "};\n\n");
	emit_hash(c, "ptx_op_find", ops.v, ops.n);
	emit_hash(c, "ptx_word_find", words.v, words.n);
	emit_hash(c, "ptx_sreg_find", sregs, COUNT(sregs));
	emit_hash(c, "ptx_directive_find", directives, COUNT(directives));
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	name_id(&ops, "none");
	name_id(&words, "none");
	name_id(&mods, "none");
	name_id(&forms, "none");
	name_id(&reqs, "");
	read_forms(argv[1]);
	if (reqs.n > 255)
		die("too many target requirements");
	FILE *h = fopen(argv[2], "w"), *c = fopen(argv[3], "w");
	if (!h || !c)
		return 1;
	fprintf(h, "/* Generated by gen_forms from forms.def. */\n#ifndef PARSER_PTX_WORDS_H\n#define PARSER_PTX_WORDS_H\n\n");
	emit_enum(h, "ptx_op", "PTX_OP", &ops);
	emit_enum(h, "ptx_word", "PTX_W", &words);
	emit_enum(h, "ptx_mod", "PTX_MOD", &mods);
	emit_enum(h, "ptx_form", "PTX_FORM", &forms);
	fprintf(h, "#endif\n");
	emit_c(c);
	return fclose(h) || fclose(c);
}
