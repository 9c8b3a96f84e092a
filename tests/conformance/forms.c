/* Reads FAMILY.forms: patterns become forms, and forms with an immediate operand instead of a register. */
#include "../harness/files.h"
#include "conformance.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

struct reader {
	struct arena *a;
	struct conf_family *f;
	const char *file;
	int line;
	uint32_t tuples, keep, immediates, cycle;
	bool unoptimised;
	struct conf_form bound; /* its bounds are those of the forms that follow */
	char *err;
};

enum { ERR = 256, WHOLE_UNARY = 2048, MOST_KEPT = 8192 };

static bool fail(struct reader *r, const char *what, const char *text)
{
	snprintf(r->err, ERR, "%s:%d: %s: %s", r->file, r->line, what, text);
	return false;
}

/* The length of `name:kind` at s, 0 where there is none. */
static size_t operand_at(const char *text, const char *s, char name[CONF_NAME], int *kind)
{
	size_t n = 0, k = 0;
	if (!islower((unsigned char)*s) || (s > text && (isalnum((unsigned char)s[-1]) || strchr("._%:", s[-1]))))
		return 0;
	while (islower((unsigned char)s[n]) || isdigit((unsigned char)s[n]))
		n++;
	if (n >= CONF_NAME || s[n] != ':' || s[n + 1] == ':')
		return 0;
	while (isalnum((unsigned char)s[n + 1 + k]))
		k++;
	memcpy(name, s, n);
	name[n] = 0;
	*kind = -1;
	for (int i = 0; i < CONF_KINDS; i++)
		if (strlen(conf_kinds[i].name) == k && !memcmp(conf_kinds[i].name, s + n + 1, k))
			*kind = i;
	return n + 1 + k;
}

static void place_outputs(struct conf_form *f)
{
	uint32_t at = 0, align = 1;
	for (uint32_t i = 0; i < f->nopd; i++) {
		uint32_t size = conf_kind_bytes(f->opd[i].kind);
		if (!f->opd[i].out)
			continue;
		at = (at + size - 1) / size * size;
		f->opd[i].offset = at;
		at += size;
		align = size > align ? size : align;
	}
	f->row_bytes = (at + align - 1) / align * align;
}

static bool parse_form(struct reader *r, const char *text, struct conf_form *f)
{
	struct strbuf body;
	sb_init(&body, r->a);
	*f = r->bound;
	f->text = text;
	f->file = r->file;
	f->line = r->line;
	f->tuples = r->tuples;
	f->keep = r->keep;
	f->unoptimised = r->unoptimised;
	for (const char *s = text; *s;) {
		char name[CONF_NAME];
		int kind;
		size_t n = operand_at(text, s, name, &kind);
		if (!n) {
			sb_putc(&body, *s++);
			continue;
		}
		if (kind < 0 || f->nopd == CONF_OPDS)
			return fail(r, kind < 0 ? "unknown operand kind" : "too many operands", s);
		struct conf_opd *o = &f->opd[f->nopd++];
		strcpy(o->name, name);
		o->kind = (enum conf_kind)kind;
		o->out = strchr("dpq", name[0]) != NULL;
		*(o->out ? &f->nout : &f->nin) += 1;
		sb_puts(&body, name);
		s += n;
	}
	sb_putc(&body, ';');
	f->body = sb_str(&body);
	if (!f->nout)
		return fail(r, "no output", text);
	place_outputs(f);
	if (f->nin == 1 && f->tuples > WHOLE_UNARY && conf_kinds[conf_in(f, 0)->kind].bits <= 16)
		f->tuples = 1u << conf_kinds[conf_in(f, 0)->kind].bits;
	if (f->keep > f->tuples)
		f->keep = f->tuples;
	if (f->keep > MOST_KEPT)
		f->keep = MOST_KEPT;
	return true;
}

/* The length of the operand `name` at s, written with or without its kind; 0 where it is none. */
static size_t mention_at(const char *text, const char *s, const char *name)
{
	char n[CONF_NAME];
	int kind;
	size_t len = operand_at(text, s, n, &kind), plain = strlen(name);
	if (len)
		return strcmp(n, name) ? 0 : len;
	bool start = s == text || !(isalnum((unsigned char)s[-1]) || strchr("._%:", s[-1]));
	return start && !strncmp(s, name, plain) && !isalnum((unsigned char)s[plain]) && s[plain] != '.' ? plain : 0;
}

/* `text` with an operand replaced by a literal. */
static const char *with_literal(struct reader *r, const char *text, const char *name, const char *literal)
{
	struct strbuf sb;
	sb_init(&sb, r->a);
	for (const char *s = text; *s;) {
		size_t len = mention_at(text, s, name);
		if (len) {
			sb_puts(&sb, literal);
			s += len;
		} else {
			sb_putc(&sb, *s++);
		}
	}
	return sb_str(&sb);
}

/* Immediates take the last input's place, then the first's, then those between. */
static bool add_variants(struct reader *r, const struct conf_form *f)
{
	uint32_t made = 0;
	for (uint32_t k = 0; k < f->nin && made < r->immediates; k++) {
		uint32_t n = k == 0 ? f->nin - 1 : k - 1;
		const struct conf_opd *o = conf_in(f, n);
		const char *literal = conf_literal(r->a, o->kind, (uint32_t)(conf_hash(f->text, strlen(f->text)) >> 8) + k);
		struct conf_form v;
		if (!literal)
			continue;
		if (!parse_form(r, with_literal(r, f->text, o->name, literal), &v))
			return false;
		v.variant = true;
		vec_push(r->a, &r->f->forms, v);
		made++;
	}
	return true;
}

static bool add_form(struct reader *r, const char *text)
{
	struct conf_form f;
	if (!parse_form(r, text, &f))
		return false;
	vec_push(r->a, &r->f->forms, f);
	return add_variants(r, &f);
}

/* Replaces [open, close] by a word and every $name by it. */
static const char *substitute(struct reader *r, const char *s, const char *open, const char *close, const char *word, size_t n,
                              char name)
{
	struct strbuf sb;
	sb_init(&sb, r->a);
	for (const char *p = s; *p;) {
		if (p == open) {
			sb_putn(&sb, word, n);
			p = close + 1;
		} else if (name && p[0] == '$' && p[1] == name) {
			sb_putn(&sb, word, n);
			p += 2;
		} else {
			sb_putc(&sb, *p++);
		}
	}
	return sb_str(&sb);
}

static const char *nth_word(const char *list, const char *end, uint32_t n, size_t *len)
{
	for (const char *w = list;; w++) {
		const char *e = w;
		while (e < end && *e != '|')
			e++;
		if (!n--) {
			*len = (size_t)(e - w);
			return w;
		}
		if (e == end)
			return NULL;
		w = e;
	}
}

/* Crossed lists first; where none is left, the cycled ones take their next words. */
static bool expand(struct reader *r, const char *s, bool cycled)
{
	const char *open = strchr(s, '[');
	while (open && !cycled && open[1] == '*')
		open = strchr(open + 1, '[');
	if (!open && !cycled) {
		bool ok = expand(r, s, true);
		r->cycle++;
		return ok;
	}
	if (!open)
		return strchr(s, '$') ? fail(r, "unbound name", s) : add_form(r, s);
	const char *close = strchr(open, ']'), *list = open + 1 + (open[1] == '*');
	char name = 0;
	if (!close)
		return fail(r, "no ]", open);
	if (islower((unsigned char)list[0]) && list[1] == '=') {
		name = list[0];
		list += 2;
	}
	uint32_t words = 1;
	size_t n = 0;
	for (const char *p = list; p < close; p++)
		words += *p == '|';
	for (uint32_t i = 0; i < words; i++) {
		const char *w = nth_word(list, close, cycled ? r->cycle % words : i, &n);
		if (!expand(r, substitute(r, s, open, close, w, n, name), cycled))
			return false;
		if (cycled)
			break;
	}
	return true;
}

/* `exact`, or any of `abs X`, `rel X`, `ulp X`, `domain X`. */
static bool read_bound(struct reader *r, char *words)
{
	char *save, *word = strtok_r(words, " ", &save);
	r->bound = (struct conf_form){0};
	for (; word && strcmp(word, "exact") != 0; word = strtok_r(NULL, " ", &save)) {
		char *number = strtok_r(NULL, " ", &save);
		double *to = !strcmp(word, "abs")      ? &r->bound.absolute
		             : !strcmp(word, "rel")    ? &r->bound.relative
		             : !strcmp(word, "ulp")    ? &r->bound.units
		             : !strcmp(word, "domain") ? &r->bound.domain
		                                       : NULL;
		if (!to || !number)
			return fail(r, "bound exact, or abs X, rel X, ulp X, domain X", word);
		*to = strtod(number, NULL);
		r->bound.bounded = true;
	}
	return true;
}

static bool directive(struct reader *r, char *line, bool *is)
{
	char word[16], arg[32];
	int n = sscanf(line, "%15s %31s", word, arg);
	*is = true;
	if (n == 2 && !strcmp(word, "tuples")) {
		r->tuples = (uint32_t)strtoul(arg, NULL, 0);
		if (!r->tuples || r->tuples % CONF_BLOCK)
			return fail(r, "tuples come in blocks", line);
	} else if (n == 2 && !strcmp(word, "keep")) {
		r->keep = !strcmp(arg, "all") ? UINT32_MAX : (uint32_t)strtoul(arg, NULL, 0);
	} else if (n == 2 && !strcmp(word, "immediates")) {
		r->immediates = (uint32_t)strtoul(arg, NULL, 0);
	} else if (n == 2 && !strcmp(word, "level")) {
		if (strcmp(arg, "0") != 0 && strcmp(arg, "3") != 0)
			return fail(r, "level 0 or 3", line);
		r->unoptimised = arg[0] == '0';
	} else if (n == 2 && !strcmp(word, "bound")) {
		return read_bound(r, line + strlen("bound"));
	} else {
		*is = false;
	}
	return true;
}

bool conf_read_family(struct arena *a, const char *dir, const char *name, struct conf_family *f, char err[256])
{
	struct reader r = {.a = a, .f = f, .tuples = 4608, .keep = 512, .immediates = 2, .err = err};
	r.file = arena_printf(a, "%s/%s.forms", dir, name);
	*f = (struct conf_family){.name = name};
	char *text = read_file(a, r.file, NULL), *save, *next = text;
	if (!text) {
		snprintf(err, ERR, "%s: %s", r.file, strerror(errno));
		return false;
	}
	while ((save = next)) {
		bool is = false;
		next = strchr(save, '\n');
		if (next)
			*next++ = 0;
		r.line++;
		save += strspn(save, " \t");
		char *end = save + strlen(save);
		while (end > save && isspace((unsigned char)end[-1]))
			*--end = 0;
		if (!*save || *save == '#')
			continue;
		if (!directive(&r, save, &is))
			return false;
		r.cycle = 0;
		if (!is && !expand(&r, save, false))
			return false;
	}
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int conf_family_names(struct arena *a, const char *dir, const char ***names)
{
	VEC(const char *) v = {0};
	DIR *d = opendir(dir);
	if (!d)
		return -1;
	for (struct dirent *e; (e = readdir(d));) {
		size_t n = strlen(e->d_name);
		if (n > 6 && !strcmp(e->d_name + n - 6, ".forms"))
			vec_push(a, &v, arena_strndup(a, e->d_name, n - 6));
	}
	closedir(d);
	if (v.len)
		qsort(v.data, v.len, sizeof *v.data, by_name);
	*names = v.data;
	return (int)v.len;
}
