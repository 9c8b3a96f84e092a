/* A litmus test's PTX, and what its outcome means. */
#include "litmus.h"

#include <stdio.h>
#include <stdlib.h>

const struct litmus_shape litmus_shapes[] = {
#define SHAPE(name, threads, outcome, cls) {#name, threads, outcome, cls##_SHAPE},
#include "shapes.def"
#undef SHAPE
};
const struct litmus_kind litmus_kinds[] = {
#define KIND(name, data_st, data_ld, flag_st, flag_ld, atom, fence, scope, strong)                                            \
	{#name, data_st, data_ld, flag_st, flag_ld, atom, fence, SCOPE_##scope, STRONG_##strong},
#include "kinds.def"
#undef KIND
};
const uint32_t litmus_nshapes = sizeof litmus_shapes / sizeof *litmus_shapes;
const uint32_t litmus_nkinds = sizeof litmus_kinds / sizeof *litmus_kinds;
const char *const litmus_places[PLACES] = {"one block", "two a block", "a block each"};
const char *const litmus_spaces[SPACES] = {"global", "shared", "generic to global", "generic to shared", "x shared", "x global"};

/* ---- which tests make sense ---- */

static uint32_t count_threads(const char *s)
{
	uint32_t n = 1;
	for (; *s; s++)
		n += *s == '|';
	return n;
}

static uint32_t stores_to(const char *s, char var)
{
	uint32_t n = 0;
	for (; *s; s++)
		n += (*s == 'w' || *s == 'W') && s[1] == ' ' && s[2] == var;
	return n;
}

static bool uses(const struct litmus_shape *sh, char letter)
{
	for (const char *s = sh->threads; *s; s++)
		if (*s == letter && (s == sh->threads || s[-1] == ' ') && (s[1] == ' ' || s[1] == ',' || !s[1]))
			return true;
	return false;
}

static bool is_forbidden(const struct litmus_test *t)
{
	enum litmus_scope scope = t->kind->scope;
	bool near = t->place == PLACE_BLOCK || t->nthreads == 1, within = scope >= SCOPE_GPU || (scope == SCOPE_CTA && near);
	bool is_volatile = strstr(t->kind->flag_st, "volatile") != NULL;
	switch (t->shape->cls) {
	case CAUSAL_SHAPE:
		return within && t->kind->strong >= STRONG_CAUSAL;
	case SC_SHAPE:
		return within && t->kind->strong == STRONG_SC;
	case COHERENCE_SHAPE:
		return t->nthreads == 1 || ((within || is_volatile) && t->kind->strong >= STRONG_COHERENT);
	case ATOMIC_SHAPE:
		return within || t->kind->scope == SCOPE_NONE || is_volatile;
	default:
		return true;
	}
}

bool litmus_make(struct litmus_test *t, uint32_t shape, uint32_t kind, enum litmus_place p, enum litmus_space s)
{
	const struct litmus_shape *sh = &litmus_shapes[shape];
	const struct litmus_kind *k = &litmus_kinds[kind];
	uint32_t n = count_threads(sh->threads), wide = p == PLACE_BLOCK ? n : p == PLACE_PAIRS ? 2 : 1;
	*t = (struct litmus_test){.shape = sh, .kind = k, .place = p, .space = s, .nthreads = n, .block = wide * LITMUS_LANES,
	                          .grid = (n + wide - 1) / wide};
	t->forbidden = is_forbidden(t);
	if ((s == SPACE_SHARED || s >= SPACE_GENERIC_SHARED || sh->cls == BARRIER_SHAPE) && p != PLACE_BLOCK)
		return false;
	if (p == PLACE_PAIRS && n < 3)
		return false;
	if (sh->cls == BARRIER_SHAPE && k->strong > STRONG_COHERENT)
		return false;
	if (sh->cls == ATOMIC_SHAPE && k->fence[0])
		return false;
	if (uses(sh, 's') && !t->forbidden)
		return false; /* might never end */
	for (char v = 'x'; v <= 'z'; v++)
		if (strstr(k->flag_st, ".max") && stores_to(sh->threads, v) > 1)
			return false;
	return true;
}

/* ---- PTX ---- */

static bool in_shared(const struct litmus_test *t, char var)
{
	return t->space == SPACE_SHARED || (t->space == SPACE_X_SHARED && var == 'x') || (t->space == SPACE_X_GLOBAL && var != 'x');
}

static bool is_generic(const struct litmus_test *t)
{
	return t->space == SPACE_GENERIC || t->space == SPACE_GENERIC_SHARED;
}

static bool has_shared(const struct litmus_test *t)
{
	return t->space != SPACE_GLOBAL;
}

/* The opcode of an access to a variable, with its space. */
static void opcode(struct strbuf *sb, const struct litmus_test *t, const char *form, char var)
{
	const char *space = is_generic(t) ? "" : in_shared(t, var) ? ".shared" : ".global", *at = strstr(form, "%s");
	sb_putn(sb, form, (size_t)(at - form));
	sb_puts(sb, space);
	sb_puts(sb, at + 2);
	sb_puts(sb, strstr(at, ".exch") || strstr(at, ".or") ? ".b32" : ".u32");
}

static void store(struct strbuf *sb, const struct litmus_test *t, const char *form, char var, long n)
{
	sb_puts(sb, "\t");
	opcode(sb, t, form, var);
	sb_printf(sb, strncmp(form, "atom", 4) ? " [%%%c], %ld;\n" : " %%dead, [%%%c], %ld;\n", var, n);
}

static void load(struct strbuf *sb, const struct litmus_test *t, const char *form, char var, const char *to)
{
	sb_puts(sb, "\t");
	opcode(sb, t, form, var);
	sb_printf(sb, strncmp(form, "atom", 4) ? " %s, [%%%c];\n" : " %s, [%%%c], 0;\n", to, var);
}

static void access(struct strbuf *sb, const struct litmus_test *t, const char *s, uint32_t label)
{
	const struct litmus_kind *k = t->kind;
	char var = s[1] == ' ' ? s[2] : 0, to[8];
	long n = var && s[3] == ' ' ? strtol(s + 4, NULL, 10) : 0;
	snprintf(to, sizeof to, "%%r%ld", n);
	switch (*s) {
	case 'W':
	case 'w':
		store(sb, t, *s == 'W' ? k->data_st : k->flag_st, var, n);
		break;
	case 'R':
	case 'r':
		load(sb, t, *s == 'R' ? k->data_ld : k->flag_ld, var, to);
		break;
	case 'P':
		load(sb, t, "ld.weak%s", var, "%dead");
		sb_printf(sb, "\tst.global.u32 [%%out+%u], %%dead;\n", LITMUS_RESULTS * LITMUS_LANES * 4);
		break;
	case 's':
		sb_printf(sb, "S%u:\n", label);
		load(sb, t, k->flag_ld, var, "%dead");
		sb_printf(sb, "\tsetp.ne.u32 %%p, %%dead, %ld;\n\t@%%p bra S%u;\n", n, label);
		break;
	case 'a':
		sb_puts(sb, "\t");
		opcode(sb, t, arena_printf(sb->arena, "%s.add", k->atom), var);
		sb_printf(sb, " %s, [%%%c], 1;\n", to, var);
		break;
	case 'F':
		if (k->fence[0])
			sb_printf(sb, "\t%s;\n", k->fence);
		break;
	case 'B':
		sb_puts(sb, "\tbar.sync 0;\n");
		break;
	}
}

static const char *thread_text(const struct litmus_test *t, uint32_t n)
{
	const char *s = t->shape->threads;
	for (; n; s++)
		n -= *s == '|';
	return s;
}

static void thread(struct strbuf *sb, const struct litmus_test *t, uint32_t n)
{
	const char *s = thread_text(t, n);
	sb_printf(sb, "T%u:\n", n);
	while (*s && *s != '|') {
		if (*s != ' ' && *s != ',') {
			access(sb, t, s, n);
			s += strcspn(s, ",|");
		} else {
			s++;
		}
	}
	s = thread_text(t, n);
	for (const char *e = s + strcspn(s, "|"); s < e; s++)
		if ((*s == 'r' || *s == 'R' || *s == 'a') && s[1] == ' ')
			sb_printf(sb, "\tst.global.u32 [%%out+%d], %%r%c;\n", (s[4] - '0') * LITMUS_LANES * 4, s[4]);
	sb_puts(sb, "\tbra END;\n");
}

static void addresses(struct strbuf *sb, const struct litmus_test *t)
{
	for (uint32_t v = 0; v < LITMUS_VARS; v++) {
		char c = (char)('x' + v);
		sb_printf(sb, "\tadd.u64 %%g%c, %%mem, %u;\n", c, v * LITMUS_STRIDE * 4);
		if (has_shared(t))
			sb_printf(sb, "\tmov.u64 %%s%c, vars;\n\tadd.u64 %%s%c, %%s%c, %%off;\n\tadd.u64 %%s%c, %%s%c, %u;\n", c, c, c, c, c,
			          v * LITMUS_LANES * 4);
		if (is_generic(t))
			sb_printf(sb, "\tcvta.shared.u64 %%t, %%s%c;\n\tselp.u64 %%%c, %%t, %%g%c, %%q;\n", c, c, c);
		else
			sb_printf(sb, "\tmov.u64 %%%c, %%%c%c;\n", c, in_shared(t, c) ? 's' : 'g', c);
		if (has_shared(t))
			sb_printf(sb, "\tst.shared.u32 [%%s%c], 0;\n", c);
	}
	if (has_shared(t))
		sb_puts(sb, "\tbar.sync 0;\n");
}

void litmus_ptx(struct strbuf *sb, const struct litmus_test *t)
{
	sb_puts(sb, ".version 8.0\n.target sm_80\n.address_size 64\n");
	sb_puts(sb, ".visible .entry t(.param .u64 out, .param .u64 mem, .param .u32 shared)\n{\n");
	if (has_shared(t))
		sb_printf(sb, "\t.shared .align 4 .b8 vars[%u];\n", LITMUS_VARS * LITMUS_LANES * 4);
	sb_puts(sb, "\t.reg .u64 %x, %y, %z, %gx, %gy, %gz, %sx, %sy, %sz, %out, %mem, %off, %t;\n"
	            "\t.reg .u32 %r<8>, %dead, %id, %lane, %wide;\n\t.reg .pred %p, %q;\n"
	            "\tld.param.u64 %out, [out];\n\tld.param.u64 %mem, [mem];\n\tld.param.u32 %id, [shared];\n"
	            "\tsetp.ne.u32 %q, %id, 0;\n\tmov.u32 %id, %tid.x;\n\tand.b32 %lane, %id, 31;\n"
	            "\tmul.wide.u32 %off, %lane, 4;\n\tadd.u64 %out, %out, %off;\n\tadd.u64 %mem, %mem, %off;\n"
	            "\tshr.u32 %id, %id, 5;\n\tmov.u32 %wide, %ctaid.x;\n");
	sb_printf(sb, "\tmad.lo.u32 %%id, %%wide, %u, %%id;\n", t->block / LITMUS_LANES);
	addresses(sb, t);
	for (uint32_t n = 0; n < t->nthreads; n++)
		sb_printf(sb, "\tsetp.eq.u32 %%p, %%id, %u;\n\t@%%p bra T%u;\n", n, n);
	sb_puts(sb, "\tbra END;\n");
	for (uint32_t n = 0; n < t->nthreads; n++)
		thread(sb, t, n);
	sb_puts(sb, "END:\n");
	if (t->space == SPACE_SHARED || t->space >= SPACE_GENERIC_SHARED) {
		sb_puts(sb, "\tbar.sync 0;\n\tsetp.ne.u32 %p, %id, 0;\n\t@%p ret;\n");
		for (char c = 'x'; c <= 'z'; c++)
			if (in_shared(t, c) || t->space == SPACE_GENERIC_SHARED)
				sb_printf(sb, "\tld.shared.u32 %%dead, [%%s%c];\n\tst.global.u32 [%%g%c], %%dead;\n", c, c);
	}
	sb_puts(sb, "\tret;\n}\n");
}

bool litmus_is_weak(const struct litmus_test *t, const uint32_t *results, const uint32_t *vars, uint32_t lane)
{
	for (const char *s = t->shape->outcome; *s;) {
		uint32_t got;
		if (*s == 'r')
			got = results[(uint32_t)(s[1] - '0') * LITMUS_LANES + lane];
		else
			got = vars[(uint32_t)(*s - 'x') * LITMUS_STRIDE + lane];
		s = strchr(s, '=') + 1;
		if (got != (uint32_t)(*s - '0'))
			return false;
		s++;
		s += *s == ' ';
	}
	return true;
}
