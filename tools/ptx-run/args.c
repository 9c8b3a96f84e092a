/* Argument specifications: TYPE=VALUE, TYPE:N, TYPE:N@FILE, bytes:N@FILE, and >FILE after a buffer. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static const struct {
	const char *name;
	uint8_t size;
} types[T_TYPES] = {
	{"u8", 1},  {"s8", 1},	{"b8", 1},  {"u16", 2}, {"s16", 2},  {"b16", 2}, {"u32", 4}, {"s32", 4},   {"b32", 4},
	{"u64", 8}, {"s64", 8}, {"b64", 8}, {"f16", 2}, {"bf16", 2}, {"f32", 4}, {"f64", 8}, {"bytes", 1},
};

uint32_t run_type_size(enum arg_type t)
{
	return types[t].size;
}

static bool bad(const char *spec, const char *why)
{
	fprintf(stderr, "ptx-run: argument `%s': %s\n", spec, why);
	return false;
}

/* ---- 16-bit floats, rounded to nearest even once ---- */

/* x = m * 2^e with the format's fraction and exponent bits. */
static uint16_t narrow(double x, int fraction, int exp_bits)
{
	int bias = (1 << (exp_bits - 1)) - 1, e;
	uint16_t sign = signbit(x) ? 0x8000 : 0, inf = (uint16_t)(((1 << exp_bits) - 1) << fraction);
	if (isnan(x))
		return sign | inf | (uint16_t)(1 << (fraction - 1));
	double m = frexp(fabs(x), &e); /* [0.5, 1) */
	if (isinf(x) || e - 1 > bias)
		return sign | inf;
	if (m == 0)
		return sign;
	int scale = e - 1 < 1 - bias ? fraction - 1 + bias : fraction + 1 - e; /* subnormals share the smallest exponent */
	double n = nearbyint(ldexp(fabs(x), scale));
	int field = e - 1 < 1 - bias ? 0 : e - 1 + bias - 1;
	uint32_t bits = (uint32_t)n + ((uint32_t)field << fraction);
	return sign | (bits >= inf ? inf : (uint16_t)bits);
}

static double widen(uint16_t u, int fraction, int exp_bits)
{
	int bias = (1 << (exp_bits - 1)) - 1, e = u >> fraction & ((1 << exp_bits) - 1), f = u & ((1 << fraction) - 1);
	double s = u & 0x8000 ? -1 : 1;
	if (e == (1 << exp_bits) - 1)
		return f ? NAN : s * INFINITY;
	return s * (e ? ldexp(f + (1 << fraction), e - bias - fraction) : ldexp(f, 1 - bias - fraction));
}

/* ---- values ---- */

static bool parse_float(struct run_arg *a, const char *v)
{
	char *end;
	if (v[0] == '0' && (v[1] == 'x' || v[1] == 'X') && !strpbrk(v, ".pP")) { /* the bits */
		uint64_t u = strtoull(v, &end, 16);
		if (*end || errno || (types[a->type].size < 8 && u >> (8 * types[a->type].size)))
			return bad(a->spec, "not a value of this type");
		memcpy(a->scalar, &u, 8);
		return true;
	}
	double d = strtod(v, &end);
	float f = strtof(v, NULL);
	uint16_t h = a->type == T_F16 ? narrow(d, 10, 5) : narrow(d, 7, 8);
	if (*end || end == v)
		return bad(a->spec, "not a number");
	if (a->type == T_F64)
		memcpy(a->scalar, &d, 8);
	else if (a->type == T_F32)
		memcpy(a->scalar, &f, 4);
	else
		memcpy(a->scalar, &h, 2);
	return true;
}

static bool parse_scalar(struct run_arg *a, const char *v)
{
	char *end;
	errno = 0;
	if (a->type >= T_F16)
		return a->type == T_BYTES ? bad(a->spec, "bytes needs :N@FILE") : parse_float(a, v);
	unsigned bits = types[a->type].size * 8u;
	bool neg = v[0] == '-';
	uint64_t u = strtoull(v + neg, &end, 0);
	if (end == v + neg || *end || errno || v[neg] == '-' || v[neg] == '+')
		return bad(a->spec, "not a number");
	uint64_t limit = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
	if (neg ? u > (UINT64_C(1) << (bits - 1)) : u > limit)
		return bad(a->spec, "out of the type's range");
	u = neg ? -u : u;
	memcpy(a->scalar, &u, 8);
	return true;
}

/* Cuts `text` at its first c; returns what follows, or NULL. */
static const char *cut(char *text, char c)
{
	char *at = strchr(text, c);
	if (!at)
		return NULL;
	*at = 0;
	return at + 1;
}

bool run_parse_arg(struct run *r, const char *spec, struct run_arg *a)
{
	char *t = arena_strndup(&r->arena, spec, strlen(spec));
	size_t n = strcspn(t, "=:");
	*a = (struct run_arg){.spec = spec, .type = T_TYPES};
	for (int k = 0; k < T_TYPES; k++)
		if (strlen(types[k].name) == n && !memcmp(t, types[k].name, n))
			a->type = (enum arg_type)k;
	if (a->type == T_TYPES)
		return bad(spec, "unknown type");
	if (t[n] == '=')
		return parse_scalar(a, t + n + 1);
	if (t[n] != ':')
		return bad(spec, "expected = or : after the type");
	char *end, *rest = t + n + 1;
	a->out = cut(rest, '>');
	a->in = cut(rest, '@');
	a->buffer = a->type != T_BYTES;
	errno = 0;
	a->count = strtoull(rest, &end, 0);
	if (end == rest || *end || errno || *rest == '-' || a->count > UINT64_C(1) << 36)
		return bad(spec, "expected a number of elements after `:'");
	if ((a->in && !*a->in) || (a->out && !*a->out))
		return bad(spec, "a file name is missing");
	if (a->type == T_BYTES && (!a->in || a->out))
		return bad(spec, "expected bytes:N@FILE");
	return true;
}

bool run_parse_global(struct run *r, const char *spec, struct run_global *g)
{
	char *t = arena_strndup(&r->arena, spec, strlen(spec));
	*g = (struct run_global){0};
	g->out = cut(t, '>');
	g->in = cut(t, '@');
	g->name = t;
	if (!*t || (!g->in && !g->out) || (g->in && !*g->in) || (g->out && !*g->out)) {
		fprintf(stderr, "ptx-run: `%s': expected NAME@FILE or NAME>FILE\n", spec);
		return false;
	}
	return true;
}

/* ---- printing ---- */

static void print_one(enum arg_type t, const uint8_t *p)
{
	uint64_t u = 0;
	unsigned size = types[t].size;
	double d = 0;
	float f = 0;
	memcpy(&u, p, size);
	memcpy(&d, p, t == T_F64 ? 8 : 0);
	memcpy(&f, p, t == T_F32 ? 4 : 0);
	int64_t s = (int64_t)(u << (64 - 8 * size)) >> (64 - 8 * size);
	switch (t) {
	case T_S8:
	case T_S16:
	case T_S32:
	case T_S64:
		printf("%" PRId64 "\n", s);
		break;
	case T_B8:
	case T_B16:
	case T_B32:
	case T_B64:
		printf("0x%0*" PRIx64 "\n", (int)size * 2, u);
		break;
	case T_F16:
		printf("%.5g\n", widen((uint16_t)u, 10, 5));
		break;
	case T_BF16:
		printf("%.4g\n", widen((uint16_t)u, 7, 8));
		break;
	case T_F32:
		printf("%.9g\n", (double)f);
		break;
	case T_F64:
		printf("%.17g\n", d);
		break;
	default:
		printf("%" PRIu64 "\n", u);
	}
}

void run_print_elements(enum arg_type t, const uint8_t *p, uint64_t count)
{
	for (uint64_t k = 0; k < count; k++)
		print_one(t, p + k * types[t].size);
}
