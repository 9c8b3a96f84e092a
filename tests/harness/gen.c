/* Deterministic contents of buffers. */
#include "case.h"

#include <math.h>
#include <stdlib.h>

struct gen {
	const char *name;
	int min_args, max_args;
	void (*fill)(struct buffer *b, const double *arg, int n);
};

static uint64_t mix(uint64_t *state)
{
	uint64_t x = *state += 0x9E3779B97F4A7C15u;
	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
	x = (x ^ x >> 27) * 0x94D049BB133111EBu;
	return x ^ x >> 31;
}

uint16_t half_from_double(double v)
{
	uint16_t sign = signbit(v) ? 0x8000 : 0;
	v = fabs(v);
	if (isnan(v))
		return 0x7e00;
	if (v >= 65520)
		return sign | 0x7c00;
	if (v < 0x1p-14)
		return sign | (uint16_t)nearbyint(v * 0x1p24);
	int e;
	double m = frexp(v, &e); /* v = m 2^e, m in [0.5, 1) */
	return sign | (uint16_t)(((e + 13) << 10) + (int)nearbyint(m * 2048));
}

static double half_value(uint16_t h)
{
	int e = h >> 10 & 31, m = h & 1023;
	double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
	return h & 0x8000 ? -v : v;
}

double elem_value(enum elem t, const void *p)
{
	uint64_t u = 0;
	memcpy(&u, p, elem_info[t].size);
	float f;
	double d;
	switch (t) {
	case E_F16: return half_value((uint16_t)u);
	case E_F32: memcpy(&f, p, 4); return f;
	case E_F64: memcpy(&d, p, 8); return d;
	default: break;
	}
	int sh = 64 - 8 * elem_info[t].size;
	return elem_info[t].is_signed ? (double)((int64_t)(u << sh) >> sh) : (double)u;
}

void elem_print(FILE *f, enum elem t, const void *p)
{
	uint64_t u = 0;
	memcpy(&u, p, elem_info[t].size);
	if (elem_info[t].is_float)
		fprintf(f, "%.9g (0x%0*llx)", elem_value(t, p), elem_info[t].size * 2, (unsigned long long)u);
	else if (elem_info[t].is_signed)
		fprintf(f, "%lld", (long long)((int64_t)(u << (64 - 8 * elem_info[t].size)) >> (64 - 8 * elem_info[t].size)));
	else
		fprintf(f, "%llu", (unsigned long long)u);
}

static void put(struct buffer *b, uint64_t i, double v)
{
	uint8_t *p = b->data + i * elem_info[b->type].size;
	float f = (float)v;
	uint16_t h;
	int64_t n;
	switch (b->type) {
	case E_F64: memcpy(p, &v, 8); break;
	case E_F32: memcpy(p, &f, 4); break;
	case E_F16: h = half_from_double(v); memcpy(p, &h, 2); break;
	default: n = v < 0 ? (int64_t)v : (int64_t)(uint64_t)v; memcpy(p, &n, elem_info[b->type].size); break;
	}
}

static void fill_zero(struct buffer *b, const double *arg, int n)
{
	(void)b, (void)arg, (void)n;
}

static void fill_fill(struct buffer *b, const double *arg, int n)
{
	(void)n;
	for (uint64_t i = 0; i < b->count; i++)
		put(b, i, arg[0]);
}

/* iota(start, step) */
static void fill_iota(struct buffer *b, const double *arg, int n)
{
	for (uint64_t i = 0; i < b->count; i++)
		put(b, i, (n > 0 ? arg[0] : 0) + (double)i * (n > 1 ? arg[1] : 1));
}

/* uniform(lo, hi, seed): integers include both ends. */
static void fill_uniform(struct buffer *b, const double *arg, int n)
{
	(void)n;
	uint64_t s = (uint64_t)arg[2];
	for (uint64_t i = 0; i < b->count; i++) {
		uint64_t r = mix(&s) >> 11;
		if (elem_info[b->type].is_float)
			put(b, i, arg[0] + (arg[1] - arg[0]) * ((double)r * 0x1p-53));
		else
			put(b, i, arg[0] + (double)(r % (uint64_t)(arg[1] - arg[0] + 1)));
	}
}

/* whole(lo, hi, seed): whole numbers, both ends included. */
static void fill_whole(struct buffer *b, const double *arg, int n)
{
	(void)n;
	uint64_t s = (uint64_t)arg[2];
	for (uint64_t i = 0; i < b->count; i++)
		put(b, i, arg[0] + (double)((mix(&s) >> 11) % (uint64_t)(arg[1] - arg[0] + 1)));
}

/* bits(seed): random bytes. */
static void fill_bits(struct buffer *b, const double *arg, int n)
{
	(void)n;
	uint64_t s = (uint64_t)arg[0], bytes = buffer_bytes(b);
	for (uint64_t i = 0; i < bytes; i += 8) {
		uint64_t r = mix(&s);
		memcpy(b->data + i, &r, bytes - i < 8 ? bytes - i : 8);
	}
}

/* text(seed): words with spaces, capitals and line ends. */
static void fill_text(struct buffer *b, const double *arg, int n)
{
	(void)n;
	static const char *const words[] = {"the", "kernel", "a", "wavefront", "of", "lane", "register", "Kernel", "The",
	                                    "memory", "wave", "fronts", "shared", "barrier", "then", "ATE", "theory", "kern"};
	uint64_t s = (uint64_t)arg[0], bytes = buffer_bytes(b);
	for (uint64_t i = 0; i < bytes;) {
		uint64_t r = mix(&s);
		const char *w = words[r % (sizeof words / sizeof *words)];
		for (; *w && i < bytes; w++)
			b->data[i++] = (uint8_t)*w;
		if (i < bytes)
			b->data[i++] = (r >> 40) % 9 ? ' ' : '\n';
	}
}

/* csr(most, seed): row starts of a sparse matrix whose rows hold 0 to `most` elements, the last entry being their number;
 * rows are skewed, one in 16 is empty. */
static void fill_csr(struct buffer *b, const double *arg, int n)
{
	(void)n;
	uint64_t s = (uint64_t)arg[1], at = 0;
	for (uint64_t i = 0; i < b->count; i++) {
		put(b, i, (double)at);
		uint64_t r = mix(&s), len = (r >> 8) % ((uint64_t)arg[0] + 1);
		at += r % 16 == 0 ? 0 : r % 4 == 0 ? len : len / 4;
	}
}

static void fill_values(struct buffer *b, const double *arg, int n)
{
	for (uint64_t i = 0; i < b->count; i++)
		put(b, i, arg[i % (uint64_t)n]);
}

static const struct gen gens[] = {
	{"zero", 0, 0, fill_zero},       {"fill", 1, 1, fill_fill}, {"iota", 0, 2, fill_iota},
	{"uniform", 3, 3, fill_uniform}, {"bits", 1, 1, fill_bits}, {"text", 1, 1, fill_text},
	{"whole", 3, 3, fill_whole},     {"csr", 2, 2, fill_csr},         {"values", 1, 64, fill_values},
};

static bool generate(struct test_case *c, struct buffer *b, char err[256])
{
	double arg[64];
	int n = 0;
	const char *s = b->gen;
	size_t len = strcspn(s, "(");
	bool ok = true;
	if (s[len]) {
		const char *p = s + len + 1;
		while (ok && n < 64) {
			char *end;
			arg[n++] = strtod(p, &end);
			ok = end != p && (*end == ',' || *end == ')');
			p = end + 1;
			if (*end == ')')
				break;
		}
	}
	for (size_t g = 0; ok && g < sizeof gens / sizeof *gens; g++)
		if (strlen(gens[g].name) == len && !memcmp(gens[g].name, s, len) && n >= gens[g].min_args &&
		    n <= gens[g].max_args) {
			gens[g].fill(b, arg, n);
			return true;
		}
	snprintf(err, 256, "%s:%d: bad generator: %s", c->file, b->line, s);
	return false;
}

bool case_generate(struct test_case *c, char err[256])
{
	for (uint32_t i = 0; i < c->buffers.len; i++) {
		struct buffer *b = &c->buffers.data[i];
		if (!b->data)
			b->data = arena_alloc(c->arena, buffer_bytes(b));
		memset(b->data, 0, buffer_bytes(b));
		if (b->gen && !generate(c, b, err))
			return false;
	}
	return true;
}
