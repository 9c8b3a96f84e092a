/* The approximate functions within the manual's bounds, the rounded ones exact, over all exponents, on both chips.
 *
 *	approx [--count N] [--only TEXT] [--gpu GFX]... [--seed N]... [--errors]
 *
 * Each row of functions.def is a kernel; N operands (pairs) run through it in the simulator and are compared with the host's long double, or
 * for rounded functions with its arithmetic under the same rounding direction. Every function runs with the hardware's approximations
 * rounded to nearest and, per seed, off by as much as its manuals allow (src/sim/sim_approx.c). --errors prints the greatest error seen, in
 * units of the bound. */
#include <fenv.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"
#include "sim/sim.h"

typedef long double real;

enum type { F32, F64, F16, F16X2, BF16, BF16X2, I32, I64 };
static const struct {
	int bits, mant, bias, word; /* of one element; word: of the register */
} formats[] = {{32, 23, 127, 32}, {64, 52, 1023, 64}, {16, 10, 15, 16}, {16, 10, 15, 32}, {16, 7, 127, 16}, {16, 7, 127, 32}, {32, 0, 0, 32}, {64, 0, 0, 64}};

enum bound_kind { IN_ULP, RELATIVE, ABSOLUTE, IS_EXACT, BY_SINCOS, BY_LG2, BY_DIV, BY_FULL };
struct bound {
	enum bound_kind kind;
	double by;
};
struct function {
	const char *text;
	enum type type;
	int nargs;
	real (*ref)(real, real);
	struct bound bound;
	const char *section;
};

/* div and rem of integers go by way of v_rcp_f32 too. */
static real f_integers(real a, real b)
{
	return (void)b, a;
}
static real f_rcp(real a, real b)
{
	return (void)b, 1 / a;
}
static real f_root(real a, real b)
{
	return (void)b, sqrtl(a);
}
static real f_rsqrt(real a, real b)
{
	return (void)b, 1 / sqrtl(a);
}
static real f_quotient(real a, real b)
{
	return a / b;
}
#define ONE(fn)                                                                                                         \
	static real f_##fn(real a, real b)                                                                              \
	{                                                                                                               \
		return (void)b, fn(a);                                                                                  \
	}
ONE(sinl)
ONE(cosl)
ONE(log2l)
ONE(exp2l)
ONE(tanhl)

static const struct function functions[] = {
#define ULP(n) {IN_ULP, n}
#define REL(x) {RELATIVE, x}
#define ABS(x) {ABSOLUTE, x}
#define EXACT {IS_EXACT, 0}
#define SINCOS {BY_SINCOS, 0}
#define LG2 {BY_LG2, 0}
#define DIV {BY_DIV, 0}
#define FULL {BY_FULL, 0}
#define FN(text, type, nargs, ref, bound, section) {text, type, nargs, f_##ref, bound, section},
#include "functions.def"
#undef FN
};
enum { NFUNCTIONS = sizeof functions / sizeof *functions };

struct options {
	uint32_t count;
	const char *only, *gpus[8];
	uint64_t seeds[8];
	int ngpus, nseeds;
	bool errors;
};

/* --- numbers --- */

static uint64_t mask(int bits)
{
	return bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
}

static bool is_ftz(const struct function *f)
{
	return strstr(f->text, ".ftz") != NULL;
}

static real value(enum type t, uint64_t x, bool flush)
{
	int m = formats[t].mant, e = (int)(x >> m & mask(formats[t].bits - 1 - m));
	uint64_t frac = x & mask(m);
	real v;
	if (e == 2 * formats[t].bias + 1)
		v = frac ? NAN : INFINITY;
	else if (!e)
		v = flush ? 0 : ldexpl((real)frac, 1 - formats[t].bias - m);
	else
		v = ldexpl((real)(frac | (uint64_t)1 << m), e - formats[t].bias - m);
	return x >> (formats[t].bits - 1) & 1 ? -v : v;
}

/* The operand as the function sees it: of a double, approx.ftz.f64 reads the upper word alone ("1.11.20 format"). */
static real read_operand(const struct function *f, uint64_t x)
{
	bool top = f->type == F64 && strstr(f->text, ".approx.ftz");
	return value(f->type, top ? x & 0xffffffff00000000 : x, is_ftz(f));
}

static uint64_t state = 88172645463325252u;
static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* --- operands --- */

/* Mantissas that are hard for something: ends, all ones, near the root of two, a single bit. */
static uint64_t hard_mantissa(int mant, uint32_t k)
{
	uint64_t top = (uint64_t)1 << mant;
	switch (k & 7) {
	case 0: return k >> 3 & 3;
	case 1: return top - 1 - (k >> 3 & 3);
	case 2: return top / 2 + (k >> 3 & 3) - 1;
	case 3: return (uint64_t)1 << (k >> 3) % (unsigned)mant;
	case 4: return (uint64_t)((real)top * 0.41421356237309504880L) + (k >> 3 & 3) - 1;
	default: return next_random() & (top - 1);
	}
}

static uint64_t operand(enum type t, uint32_t k, uint32_t count)
{
	int bits = formats[t].bits, m = formats[t].mant;
	if (bits == 16)
		return k & 0xffff;
	if (k & 1 && bits == 32) /* even steps over all encodings */
		return (uint64_t)(k >> 1) * (0xffffffffu / (count / 2) | 1) & 0xffffffff;
	uint64_t exponent = (k >> 1) % (2u * (unsigned)formats[t].bias + 2), sign = next_random() & 1;
	if (k & 2 && next_random() & 1)
		exponent = (uint64_t)formats[t].bias - 4 + next_random() % 16;
	return sign << (bits - 1) | exponent << m | hard_mantissa(m, (uint32_t)next_random());
}

static uint64_t encode(enum type t, real x)
{
	uint64_t u = 0;
	float f = (float)x;
	double d = (double)x;
	if (t == F32)
		memcpy(&u, &f, 4);
	else
		memcpy(&u, &d, 8);
	return u;
}

/* The quotient of a = N 2^e and b = D 2^f nearest to a tie or, with shift 0, to a number: 2^(p + 1) N = D (2 Q + 1) +- 1 for significands of p
 * bits, so 2 Q + 1 is an inverse of D. */
static bool hardest(enum type t, uint64_t *a, uint64_t *b)
{
	int p = formats[t].mant + 1;
	uint64_t top = (uint64_t)1 << (p - 1), d = top | (next_random() & (top - 1)) | 1, odd;
	bool tie = next_random() & 1;
	if (!(next_random() & 3)) /* where an ulp of 1 / d matters most */
		d = 2 * top - 1 - 2 * (next_random() % 64);
	uint64_t inverse = d;
	int k = tie ? p + 1 : p;
	for (int step = 0; step < 6; step++)
		inverse *= 2 - d * inverse;
	odd = (next_random() & 1 ? inverse : -inverse) & mask(k); /* 2 Q + 1, or Q */
	uint64_t n = (uint64_t)(((unsigned __int128)d * odd + ((unsigned __int128)1 << (k - 1))) >> k);
	if (odd >> (k - 1) != 1 || n < top || n >= 2 * top)
		return false;
	uint64_t most = 2u * (unsigned)formats[t].bias, ea = 1 + next_random() % most, eb = 1 + next_random() % most;
	if (next_random() & 1) /* where AMD's division starts and stops scaling */
		ea = (t == F32 ? 20 : 50) + next_random() % 8, eb = ea - 4 + next_random() % 8;
	*a = ea << (p - 1) | (n - top);
	*b = eb << (p - 1) | (d - top);
	return true;
}

/* An operand of which the root is nearly half way between two numbers: (2 Q + 1)^2 + c = 2^k N for significands N, Q of p bits, k p + 1 or p + 2,
 * c = -1 modulo 8. */
static bool hardest_root(enum type t, uint64_t *a)
{
	int p = formats[t].mant + 1, k = p + 1 + (int)(next_random() & 1);
	uint64_t top = (uint64_t)1 << (p - 1), c = 8 * (next_random() % 64) - 257, odd = 1;
	for (int b = 3; b < k; b++)
		odd += ((odd * odd + c) >> b & 1) << (b - 1);
	odd = ((next_random() & 1 ? odd : -odd) + (next_random() & 1) * (mask(k) / 2 + 1)) & mask(k);
	uint64_t n = (uint64_t)(((unsigned __int128)odd * odd + (unsigned __int128)(__int128)(int64_t)c) >> k);
	if (odd >> p != 1 || n < top || n >= 2 * top)
		return false;
	uint64_t e = (uint64_t)formats[t].bias - 40 + 2 * (next_random() % 40); /* even, biased: root of N in [1, 2) */
	*a = (e + (uint64_t)(k == p + 2) + (e + (uint64_t)formats[t].bias) % 2) << (p - 1) | (n - top);
	return true;
}

/* Pairs of which the quotient lies near a number or half way between two, and any pairs. */
static void pair(enum type t, uint32_t k, uint32_t count, uint64_t *a, uint64_t *b)
{
	*a = operand(t, k * 7 + (uint32_t)next_random() % 64, count);
	*b = operand(t, (uint32_t)next_random() & 0xfffff, count);
	if ((k & 3) == 2)
		for (int n = 0; n < 8; n++)
			if (hardest(t, a, b))
				return;
	if (k & 3)
		return;
	int m = formats[t].mant;
	real d = value(t, *b, false), q = ldexpl((real)(((uint64_t)1 << m | hard_mantissa(m, (uint32_t)next_random())) * 2 + (k >> 2 & 1)), -m - 1);
	if (d == d && d - d == 0 && d != 0)
		*a = (encode(t, q * d) + next_random() % 3 - 1) & mask(formats[t].bits);
}

/* --- expected --- */

static bool tiny_quotient(const struct function *f, real a, real b)
{
	if (f->nargs == 1)
		b = a, a = 1;
	return f->ref != f_root && isfinite(a) && b != 0 && fabsl(a) < fabsl(b) * 0x1p-126L;
}

static uint64_t exact_integer(const struct function *f, const uint64_t *x)
{
	bool is_rem = !strncmp(f->text, "rem", 3), is_signed = f->text[4] == 's';
	int unused = 64 - formats[f->type].bits;
	int64_t a = (int64_t)(x[0] << unused) >> unused, b = (int64_t)(x[1] << unused) >> unused;
	if (!b)
		return mask(formats[f->type].bits);
	uint64_t u = is_signed ? b == -1 ? (is_rem ? 0 : -(uint64_t)a) : (uint64_t)(is_rem ? a % b : a / b) : is_rem ? x[0] % x[1] : x[0] / x[1];
	return u & mask(formats[f->type].bits);
}

static uint64_t exact(const struct function *f, const uint64_t *x)
{
	if (f->ref == f_integers)
		return exact_integer(f, x);
	static const int directions[] = {['n'] = FE_TONEAREST, ['z'] = FE_TOWARDZERO, ['m'] = FE_DOWNWARD, ['p'] = FE_UPWARD};
	bool ftz = is_ftz(f), root = f->ref == f_root;
	real a = value(f->type, x[0], ftz), b = value(f->type, x[1], ftz);
	if (f->nargs == 1 && !root)
		b = a, a = 1;
	uint64_t u = 0;
	fesetround(directions[(int)strchr(f->text, '.')[2]]);
	if (f->type == F32) {
		volatile float p = (float)a, q = (float)b, r;
		r = root ? __builtin_sqrtf(p) : p / q;
		memcpy(&u, (const float *)&r, 4);
	} else {
		volatile double p = (double)a, q = (double)b, r;
		r = root ? __builtin_sqrt(p) : p / q;
		memcpy(&u, (const double *)&r, 8);
	}
	fesetround(FE_TONEAREST);
	return ftz && tiny_quotient(f, value(f->type, x[0], ftz), value(f->type, x[1], ftz)) ? u & 0x80000000 : u;
}

/* The ulp of y rounded. */
static real ulp(enum type t, real y)
{
	y *= 1 + ldexpl(1, -formats[t].mant - 1);
	int e = y == 0 || ilogbl(y) < 1 - formats[t].bias ? 1 - formats[t].bias : ilogbl(y);
	return ldexpl(1, e - formats[t].mant);
}

/* The error allowed; negative: none is stated. */
static real allowed(const struct function *f, real a, real b, real y)
{
	const real pi = 3.14159265358979323846L;
	real least = ulp(f->type, 0) / 2;
	switch (f->bound.kind) {
	case IN_ULP:
		return f->bound.by * ulp(f->type, y);
	case RELATIVE:
		return f->bound.by * fabsl(y) + least;
	case ABSOLUTE:
		return f->bound.by;
	case BY_SINCOS:
		return fabsl(a) <= 2 * pi ? 6.7435e-7L : fabsl(a) <= 100 * pi ? 3.7572e-5L : -1;
	case BY_LG2:
		return a > 0.5L && a < 2 ? 0x1p-22L : 0x1p-22L * fabsl(y);
	case BY_DIV:
		if (fabsl(b) < 0x1p-126L || fabsl(b) > 0x1p126L)
			return -1;
		break;
	default:
		break;
	}
	return 2 * ulp(f->type, y);
}

/* div.approx with a divisor beyond 2^126: zero, NaN for an infinite dividend. */
static bool huge_divisor(real a, real b, real got)
{
	return isnan(a) || isnan(b) || isinf(a) ? isnan(got) : got == 0;
}

/* error: in units of what is allowed. */
static bool within(const struct function *f, const uint64_t *x, uint64_t bits, real *error)
{
	enum type t = f->type;
	bool ftz = is_ftz(f);
	real a = read_operand(f, x[0]), b = read_operand(f, x[1]), got = value(t, bits, false), y = f->ref(a, b);
	real least = ldexpl(1, 1 - formats[t].bias), most = ldexpl(2, formats[t].bias);
	*error = 0;
	if (f->bound.kind == BY_DIV && fabsl(b) > 0x1p126L && !isinf(b))
		return huge_divisor(a, b, got);
	if (isnan(y) || isnan(got))
		return isnan(y) && isnan(got);
	if (fabsl(y) >= most * (1 - ldexpl(1, -formats[t].mant)))
		return (isinf(got) && (got > 0) == (y > 0)) || (!isinf(y) && fabsl(got - y) <= fabsl(y) * ldexpl(4, -formats[t].mant));
	if (y == 0)
		return got == 0 && signbit(got) == signbit(y);
	if (ftz && fabsl(y) < least * (1 + 0x1p-20L) && got == 0)
		return signbit(got) == signbit(y);
	if (ftz && fabsl(y) < least * (1 - 0x1p-20L) && f->bound.kind != BY_SINCOS)
		return false;
	real most_error = allowed(f, a, b, y);
	if (most_error < 0)
		return f->bound.kind != BY_SINCOS || fabsl(got) <= 1;
	*error = fabsl(got - y) / most_error;
	return *error <= 1;
}

/* --- running --- */

struct text {
	char *s;
	size_t n, cap;
};

static void add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	if (t->cap - t->n < 4096)
		t->s = realloc(t->s, t->cap = t->cap * 2 + 65536);
	va_start(ap, fmt);
	t->n += (size_t)vsnprintf(t->s + t->n, t->cap - t->n, fmt, ap);
	va_end(ap);
}

static void kernel(struct text *t, const struct function *f, int index)
{
	int word = formats[f->type].word;
	add(t, ".visible .entry k%d(.param .b64 pa, .param .b64 pb, .param .b64 pd)\n{\n.reg .b%d a, b, d; .reg .b64 p, o; .reg .b32 i, j;\n", index, word);
	add(t, "mov.u32 i, %%ctaid.x; mov.u32 j, %%tid.x; mad.lo.u32 i, i, 256, j; mul.wide.u32 o, i, %d;\n", word / 8);
	add(t, "ld.param.b64 p, [pa]; add.u64 p, p, o; ld.global.b%d a, [p];\nld.param.b64 p, [pb]; add.u64 p, p, o; ld.global.b%d b, [p];\n", word, word);
	add(t, "%s d, a%s;\nld.param.b64 p, [pd]; add.u64 p, p, o; st.global.b%d [p], d;\nret;\n}\n", f->text, f->nargs == 2 ? ", b" : "", word);
}

struct device {
	struct sim *sim;
	struct sim_module *module;
};

static bool open_device(struct device *d, struct ptx_context *ctx, const char *gpu, const struct text *t)
{
	struct ptx_options opt = {.gpu = gpu, .check = 1};
	const struct ptx_output *out;
	const char *why = "";
	char err[512] = "";
	if (ptx_compile(ctx, &opt, t->s, t->n, &out) != PTX_OK) {
		printf("FAILED %s: line %u: %s\n", gpu, out->diagnostics[0].line, out->diagnostics[0].text);
		return false;
	}
	d->sim = sim_new(gpu, NULL, &why);
	d->module = d->sim ? sim_load(d->sim, out->object, out->object_size, err, sizeof err) : NULL;
	if (!d->module)
		printf("FAILED %s: %s%s\n", gpu, why, err);
	return d->module != NULL;
}

struct data {
	uint32_t n;       /* elements */
	uint64_t *x[2], *r;
	uint8_t *raw;
};

/* Of every length, near multiples of the divisor, near powers of two. */
static void integers(const struct function *f, uint64_t *a, uint64_t *b)
{
	int bits = formats[f->type].bits;
	*a = (next_random() & mask(bits)) >> next_random() % (unsigned)bits;
	*b = (next_random() & mask(bits)) >> next_random() % (unsigned)bits;
	switch (next_random() & 3) {
	case 0:
		*a = *b * *a + next_random() % 3 - 1;
		break;
	case 1:
		*a = -*a;
		break;
	case 2:
		*b = next_random() & 1 ? -*b : (uint64_t)1 << next_random() % (unsigned)bits;
		*a = next_random() & 1 ? mask(bits) - next_random() % 4 : *a;
		break;
	default: /* whose conversion rounds down, as far as it can or nearly */
		*b = ((uint64_t)1 << next_random() % (unsigned)bits) + next_random() % 4;
		break;
	}
	*a &= mask(bits);
	*b &= mask(bits);
}

static void operands(const struct function *f, struct data *d, uint32_t count)
{
	state = 88172645463325252u;
	for (uint32_t k = 0; k < d->n; k++) {
		if (f->ref == f_integers) {
			integers(f, &d->x[0][k], &d->x[1][k]);
			continue;
		}
		d->x[0][k] = operand(f->type, k, count);
		if (f->ref == f_root && formats[f->type].bits > 16 && k % 4 == 2)
			hardest_root(f->type, &d->x[0][k]);
		d->x[1][k] = d->x[0][k];
		if (f->nargs == 2)
			pair(f->type, k, count, &d->x[0][k], &d->x[1][k]);
	}
}

static bool run(struct device *dev, const struct function *f, int index, struct data *d)
{
	uint32_t size = (uint32_t)formats[f->type].bits / 8, threads = d->n / (uint32_t)(formats[f->type].word / formats[f->type].bits);
	uint64_t p[3];
	char name[16];
	struct sim_stats stats;
	struct sim_fault fault;
	for (int k = 0; k < 3; k++) {
		p[k] = sim_alloc(dev->sim, (uint64_t)d->n * size, SIM_MEM_READ | SIM_MEM_WRITE);
		for (uint32_t i = 0; k < 2 && i < d->n; i++)
			memcpy(d->raw + (size_t)i * size, &d->x[k][i], size);
		if (k < 2)
			sim_write(dev->sim, p[k], d->raw, (uint64_t)d->n * size);
	}
	snprintf(name, sizeof name, "k%d", index);
	struct sim_launch l = {.kernel = sim_kernel_find(dev->module, name), .grid = {threads / 256, 1, 1}, .block = {256, 1, 1}, .args = p, .args_size = sizeof p};
	bool ok = sim_run(dev->sim, &l, &stats, &fault);
	if (!ok)
		printf("%s\n", fault.text);
	sim_read(dev->sim, p[2], d->raw, (uint64_t)d->n * size);
	for (uint32_t i = 0; i < d->n; i++) {
		d->r[i] = 0;
		memcpy(&d->r[i], d->raw + (size_t)i * size, size);
	}
	for (int k = 0; k < 3; k++)
		sim_dealloc(dev->sim, p[k]);
	return ok;
}

static bool compare(const struct function *f, const struct data *d, const char *gpu, uint64_t seed, bool errors)
{
	uint32_t bad = 0;
	real worst = 0, error = 0;
	uint64_t at = 0;
	for (uint32_t k = 0; k < d->n; k++) {
		uint64_t x[2] = {d->x[0][k], d->x[1][k]}, want = 0;
		if (strstr(f->text, ".approx.ftz.f64")) /* looks at the upper word alone: a NaN without bits there counts as an infinity */
			x[0] &= ~(uint64_t)0xffffffff;
		bool ok;
		if (f->bound.kind == IS_EXACT) {
			want = exact(f, x);
			ok = d->r[k] == want || (f->ref != f_integers && isnan(value(f->type, want, false)) && isnan(value(f->type, d->r[k], false)));
		} else {
			ok = within(f, x, d->r[k], &error);
			if (error > worst)
				worst = error, at = x[0];
		}
		bad += !ok;
		if (ok || bad > 3)
			continue;
		if (f->ref == f_integers)
			printf("FAILED %s %s seed %llu: %llx %llx: %llx, not %llx\n", gpu, f->text, (unsigned long long)seed, (unsigned long long)x[0],
			       (unsigned long long)x[1], (unsigned long long)d->r[k], (unsigned long long)want);
		else
			printf("FAILED %s %s seed %llu: %llx %llx: %llx (%.9Lg), not %.9Lg\n", gpu, f->text, (unsigned long long)seed,
			       (unsigned long long)x[0], (unsigned long long)x[1], (unsigned long long)d->r[k], value(f->type, d->r[k], false),
			       f->bound.kind == IS_EXACT ? value(f->type, want, false) : f->ref(read_operand(f, x[0]), read_operand(f, x[1])));
	}
	if (bad)
		printf("  %u of %u differ (PTX ISA, \"%s\")\n", bad, d->n, f->section);
	if (errors && f->bound.kind != IS_EXACT)
		printf("%s %s seed %llu: %.3Lf of the bound, at %llx\n", gpu, f->text, (unsigned long long)seed, worst, (unsigned long long)at);
	return !bad;
}

static bool parse(int argc, char **argv, struct options *o)
{
	*o = (struct options){.count = 1 << 20};
	for (int k = 1; k < argc; k++) {
		if (!strcmp(argv[k], "--errors"))
			o->errors = true;
		else if (k + 1 == argc)
			return false;
		else if (!strcmp(argv[k], "--count"))
			o->count = (uint32_t)strtoul(argv[++k], NULL, 0) / 512 * 512;
		else if (!strcmp(argv[k], "--only"))
			o->only = argv[++k];
		else if (!strcmp(argv[k], "--gpu") && o->ngpus < 8)
			o->gpus[o->ngpus++] = argv[++k];
		else if (!strcmp(argv[k], "--seed") && o->nseeds < 8)
			o->seeds[o->nseeds++] = strtoull(argv[++k], NULL, 0);
		else
			return false;
	}
	if (!o->ngpus) {
		o->gpus[o->ngpus++] = "gfx1030";
		o->gpus[o->ngpus++] = "gfx1100";
		o->gpus[o->ngpus++] = "gfx1010";
	}
	if (!o->nseeds)
		o->seeds[o->nseeds++] = 0, o->seeds[o->nseeds++] = 1, o->seeds[o->nseeds++] = 2;
	return o->count >= 512;
}

int main(int argc, char **argv)
{
	struct options o;
	struct text t = {0};
	unsigned passed = 0, failed = 0;
	if (!parse(argc, argv, &o)) {
		fprintf(stderr, "usage: approx [--count N] [--only TEXT] [--gpu GFX]... [--seed N]... [--errors]\n");
		return 2;
	}
	add(&t, ".version 8.6\n.target sm_90\n.address_size 64\n");
	for (int k = 0; k < NFUNCTIONS; k++)
		kernel(&t, &functions[k], k);
	struct data d = {.n = o.count, .x = {malloc(o.count * 8ull), malloc(o.count * 8ull)}, .r = malloc(o.count * 8ull), .raw = malloc(o.count * 8ull)};
	struct ptx_context *ctx = ptx_context_new();
	for (int g = 0; g < o.ngpus; g++) {
		struct device dev = {0};
		if (!open_device(&dev, ctx, o.gpus[g], &t)) {
			failed++;
			continue;
		}
		for (int k = 0; k < NFUNCTIONS; k++) {
			if (o.only && !strstr(functions[k].text, o.only))
				continue;
			if (!strcmp(o.gpus[g], "gfx1010") && functions[k].bound.kind != BY_DIV && functions[k].bound.kind != BY_FULL)
				continue; /* as gfx1030 */
			d.n = formats[functions[k].type].bits == 16 && o.count > 1 << 16 ? 1 << 16 : o.count; /* all of them */
			operands(&functions[k], &d, o.count);
			for (int s = 0; s < o.nseeds; s++) {
				sim_opts(dev.sim)->approx_seed = o.seeds[s];
				bool ok = run(&dev, &functions[k], k, &d) && compare(&functions[k], &d, o.gpus[g], o.seeds[s], o.errors);
				passed += ok;
				failed += !ok;
			}
		}
		sim_free(dev.sim);
	}
	ptx_context_free(ctx);
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
