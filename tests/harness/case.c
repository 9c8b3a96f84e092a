/* Reader of .case files. */
#include "case.h"
#include "files.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

const struct elem_info elem_info[E_TYPES] = {
	[E_U8] = {"u8", 1, false, false},  [E_S8] = {"s8", 1, false, true},   [E_U16] = {"u16", 2, false, false},
	[E_S16] = {"s16", 2, false, true}, [E_U32] = {"u32", 4, false, false}, [E_S32] = {"s32", 4, false, true},
	[E_U64] = {"u64", 8, false, false}, [E_S64] = {"s64", 8, false, true}, [E_F16] = {"f16", 2, true, true},
	[E_F32] = {"f32", 4, true, true},  [E_F64] = {"f64", 8, true, true},
};

struct reader {
	struct test_case *c;
	const char *path;
	int line;
	char *err;
	VEC(char *) words;
};

static bool fail(struct reader *r, const char *what, const char *word)
{
	snprintf(r->err, 256, "%s:%d: %s%s%s", r->path, r->line, what, word ? ": " : "", word ? word : "");
	return false;
}

static int find_type(const char *s, size_t n)
{
	for (int t = 0; t < E_TYPES; t++)
		if (strlen(elem_info[t].name) == n && !memcmp(elem_info[t].name, s, n))
			return t;
	return -1;
}

static struct buffer *find_buffer(struct test_case *c, const char *name, size_t n)
{
	for (uint32_t i = 0; i < c->buffers.len; i++)
		if (strlen(c->buffers.data[i].name) == n && !memcmp(c->buffers.data[i].name, name, n))
			return &c->buffers.data[i];
	return NULL;
}

static bool read_u64(const char *s, uint64_t *v)
{
	char *end;
	*v = strtoull(s, &end, 0);
	return *s && !*end;
}

/* X[,Y[,Z]] */
static bool read_dim(const char *s, uint32_t d[3])
{
	d[0] = d[1] = d[2] = 1;
	for (int i = 0; i < 3; i++) {
		char *end;
		unsigned long v = strtoul(s, &end, 10);
		if (end == s || v == 0 || v > 0x7fffffff)
			return false;
		d[i] = (uint32_t)v;
		if (!*end)
			return true;
		if (*end != ',')
			return false;
		s = end + 1;
	}
	return false;
}

/* TYPE=VALUE at s, up to `end`; writes the bytes to out. */
static int read_scalar(const char *s, const char *end, uint8_t out[8])
{
	const char *eq = memchr(s, '=', (size_t)(end - s));
	int t = eq ? find_type(s, (size_t)(eq - s)) : -1;
	if (t < 0)
		return -1;
	char num[64], *stop;
	size_t n = (size_t)(end - eq - 1);
	if (n == 0 || n >= sizeof num)
		return -1;
	memcpy(num, eq + 1, n);
	num[n] = 0;
	if (elem_info[t].is_float) {
		double v = strtod(num, &stop);
		float f = (float)v;
		uint16_t h = half_from_double(v);
		memcpy(out, t == E_F64 ? (void *)&v : t == E_F32 ? (void *)&f : (void *)&h, elem_info[t].size);
	} else {
		uint64_t v = num[0] == '-' ? (uint64_t)strtoll(num, &stop, 0) : strtoull(num, &stop, 0);
		memcpy(out, &v, elem_info[t].size);
	}
	return *stop ? -1 : t;
}

/* {TYPE=VALUE,...}: members at their natural alignment, the whole padded to the largest. */
static bool read_struct(struct reader *r, const char *s, struct arg *arg)
{
	uint8_t *bytes = arena_alloc(r->c->arena, 256);
	uint32_t at = 0, align = 1;
	for (s++; *s != '}';) {
		const char *end = s + strcspn(s, ",}");
		uint8_t v[8];
		int t = *end ? read_scalar(s, end, v) : -1;
		if (t < 0 || at + 16 > 256)
			return fail(r, "bad struct member", s);
		uint32_t size = elem_info[t].size;
		at = (at + size - 1) & ~(size - 1);
		memcpy(bytes + at, v, size);
		at += size;
		align = size > align ? size : align;
		s = *end == ',' ? end + 1 : end;
	}
	arg->bytes = bytes;
	arg->align = align;
	arg->size = (at + align - 1) & ~(align - 1);
	return true;
}

static bool read_arg(struct reader *r, const char *w, struct arg *arg)
{
	*arg = (struct arg){.buffer = -1};
	if (*w == '@') {
		size_t n = strcspn(w + 1, "+");
		struct buffer *b = find_buffer(r->c, w + 1, n);
		if (!b || b->is_global)
			return fail(r, "no such buffer", w);
		arg->buffer = (int)(b - r->c->buffers.data);
		arg->size = arg->align = 8;
		return w[1 + n] ? read_u64(w + 2 + n, &arg->offset) || fail(r, "bad offset", w) : true;
	}
	if (*w == '{')
		return read_struct(r, w, arg);
	uint8_t *v = arena_alloc(r->c->arena, 8);
	int t = read_scalar(w, w + strlen(w), v);
	if (t < 0)
		return fail(r, "bad argument", w);
	arg->bytes = v;
	arg->size = arg->align = elem_info[t].size;
	return true;
}

static bool read_launch(struct reader *r)
{
	struct launch l = {.line = r->line, .grid = {1, 1, 1}, .block = {1, 1, 1}};
	if (r->words.len < 2)
		return fail(r, "launch ENTRY grid X,Y,Z block X,Y,Z [shared N] args ...", NULL);
	l.entry = r->words.data[1];
	uint32_t i = 2;
	for (; i + 1 < r->words.len && strcmp(r->words.data[i], "args"); i += 2) {
		const char *k = r->words.data[i], *v = r->words.data[i + 1];
		uint64_t n;
		if (!strcmp(k, "grid") || !strcmp(k, "block")) {
			if (!read_dim(v, *k == 'g' ? l.grid : l.block))
				return fail(r, "bad dimension", v);
		} else if (!strcmp(k, "shared") && read_u64(v, &n)) {
			l.shared = (uint32_t)n;
		} else {
			return fail(r, "unknown launch word", k);
		}
	}
	for (i++; i < r->words.len; i++) {
		struct arg a;
		if (!read_arg(r, r->words.data[i], &a))
			return false;
		vec_push(r->c->arena, &l.args, a);
	}
	vec_push(r->c->arena, &r->c->launches, l);
	return true;
}

/* buffer NAME TYPE COUNT GENERATOR; global NAME TYPE COUNT [GENERATOR] */
static bool read_buffer(struct reader *r, bool global)
{
	struct buffer b = {.line = r->line, .is_global = global};
	if (r->words.len != 5 && !(global && r->words.len == 4))
		return fail(r, "buffer NAME TYPE COUNT GENERATOR", NULL);
	b.name = r->words.data[1];
	int t = find_type(r->words.data[2], strlen(r->words.data[2]));
	if (t < 0)
		return fail(r, "no such type", r->words.data[2]);
	b.type = (enum elem)t;
	if (!read_u64(r->words.data[3], &b.count) || b.count == 0)
		return fail(r, "bad count", r->words.data[3]);
	if (find_buffer(r->c, b.name, strlen(b.name)))
		return fail(r, "defined twice", b.name);
	b.gen = r->words.len == 5 ? r->words.data[4] : NULL;
	vec_push(r->c->arena, &r->c->buffers, b);
	return true;
}

/* output NAME exact | output NAME [abs A] [rel R] [outliers N] [clang ...] because "..." */
static bool read_output(struct reader *r)
{
	struct buffer *b = r->words.len > 2 ? find_buffer(r->c, r->words.data[1], strlen(r->words.data[1])) : NULL;
	if (!b)
		return fail(r, "output of no known buffer", r->words.len > 1 ? r->words.data[1] : NULL);
	b->is_output = true;
	struct bound *to = &b->bound;
	bool exact = false, clang = false;
	for (uint32_t i = 2; i < r->words.len; i++) {
		const char *k = r->words.data[i], *v = i + 1 < r->words.len ? r->words.data[i + 1] : "";
		if (!strcmp(k, "exact")) {
			exact = true;
			continue;
		}
		if (!strcmp(k, "clang")) {
			to = &b->clang_bound;
			clang = true;
			continue;
		}
		char *end;
		double x = strtod(v, &end);
		if (!strcmp(k, "because"))
			b->why = v;
		else if (end == v || *end)
			return fail(r, "bad number", v);
		else if (!strcmp(k, "abs"))
			to->abs = x;
		else if (!strcmp(k, "rel"))
			to->rel = x;
		else if (!strcmp(k, "outliers"))
			to->outliers = (uint64_t)x;
		else
			return fail(r, "unknown output word", k);
		i++;
	}
	if (!clang)
		b->clang_bound = b->bound;
	bool loose = b->bound.abs > 0 || b->bound.rel > 0;
	if (exact == loose)
		return fail(r, "an output is either exact or has a bound", b->name);
	if ((loose || clang) && (!elem_info[b->type].is_float || !b->why))
		return fail(r, "a bound is for floats, and has a reason", b->name);
	return true;
}

static bool split(struct reader *r, char *s)
{
	vec_clear(&r->words);
	while (*s) {
		while (isspace((unsigned char)*s))
			s++;
		if (!*s || *s == '#')
			break;
		char *start = s;
		if (*s == '"') {
			start++;
			s = strchr(start, '"');
			if (!s)
				return fail(r, "unclosed quote", NULL);
		} else {
			while (*s && !isspace((unsigned char)*s))
				s++;
		}
		if (*s)
			*s++ = 0;
		vec_push(r->c->arena, &r->words, start);
	}
	return true;
}

static bool read_line(struct reader *r, char *s)
{
	if (!split(r, s))
		return false;
	if (!r->words.len)
		return true;
	const char *k = r->words.data[0];
	if (!strcmp(k, "program") && r->words.len == 2)
		r->c->program = r->words.data[1];
	else if (!strcmp(k, "not") && r->words.len == 2)
		vec_push(r->c->arena, &r->c->not, r->words.data[1]);
	else if (!strcmp(k, "buffer") || !strcmp(k, "global"))
		return read_buffer(r, *k == 'g');
	else if (!strcmp(k, "launch"))
		return read_launch(r);
	else if (!strcmp(k, "output"))
		return read_output(r);
	else
		return fail(r, "unknown line", k);
	return true;
}

struct test_case *case_read(struct arena *a, const char *path, char err[256])
{
	struct test_case *c = NEW(a, struct test_case);
	c->arena = a;
	c->file = path;
	struct reader r = {.c = c, .path = path, .err = err};
	char *text = read_file(a, path, NULL);
	if (!text) {
		fail(&r, "cannot be read", NULL);
		return NULL;
	}
	for (char *line = text; line; ) {
		char *next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		r.line++;
		if (!read_line(&r, line))
			return NULL;
		line = next;
	}
	uint32_t outputs = 0;
	for (uint32_t i = 0; i < c->buffers.len; i++)
		outputs += c->buffers.data[i].is_output;
	if (!c->program || !c->launches.len || !outputs) {
		fail(&r, "a case needs a program, a launch and an output", NULL);
		return NULL;
	}
	return c;
}

uint8_t *case_pack_args(struct arena *a, const struct test_case *c, const struct launch *l, size_t *size)
{
	size_t at = 0;
	uint8_t *p = arena_alloc(a, l->args.len * 272 + 1);
	for (uint32_t i = 0; i < l->args.len; i++) {
		const struct arg *x = &l->args.data[i];
		at = (at + x->align - 1) & ~(size_t)(x->align - 1);
		uint64_t addr = x->buffer >= 0 ? c->buffers.data[x->buffer].addr + x->offset : 0;
		memcpy(p + at, x->buffer >= 0 ? (const void *)&addr : x->bytes, x->size);
		at += x->size;
	}
	*size = at;
	return p;
}

int corpus_programs(struct arena *a, const char *dir, const char ***names)
{
	struct dirent **list;
	int n = scandir(dir, &list, NULL, alphasort), found = 0;
	if (n < 0)
		return -1;
	*names = arena_alloc(a, ((size_t)n + 1) * sizeof **names);
	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;
		if (*name != '.' && !access(arena_printf(a, "%s/%s/%s.case", dir, name, name), R_OK))
			(*names)[found++] = arena_printf(a, "%s", name);
		free(list[i]);
	}
	free(list);
	return found;
}
