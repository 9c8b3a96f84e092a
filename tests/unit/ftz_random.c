/* Random programs of .ftz arithmetic on values next to the least normal number, its root and the like, against arithmetic on the host:
 * groups of operations that are tested together, subnormals that stay in registers, loops and branches; whenever the hardware flushes where the
 * code is told not to depend on it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"
#include "sim/sim.h"
#include "unit.h"

enum { REGS = 12, OPS = 40, THREADS = 256, PROGRAMS = 60 };
enum kind { MUL, FMA, ADD, SUB, MAX, MIN, ABS, NEG, SEL, XOR, MULF, ADDF, KINDS };

struct op {
	enum kind kind;
	uint32_t d, a, b, c, k; /* k: not 0: a constant instead of b */
	int guard;              /* 1, 2: only where a < c, where not */
};
struct program {
	struct op op[OPS];
	uint32_t rounds;
};

static uint64_t state;
static uint32_t rnd(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

static uint32_t value(void)
{
	static const uint32_t special[] = {0, 0x80000000, 0x00800000, 0x00800001, 0x007fffff, 1, 0x3f800000, 0x3f7fffff, 0x1f7fffff, 0x1f800000, 0x7f800000, 0x7fc00000};
	static const uint32_t exponents[] = {0, 1, 1, 2, 3, 24, 25, 26, 63, 63, 64, 64, 65, 76, 102, 126, 127, 128, 150, 230};
	static const uint32_t mantissas[] = {0, 1, 2, 0x7fffff, 0x7ffffe, 0x400000};
	uint32_t sign = rnd(2) << 31, m = rnd(2) ? mantissas[rnd(6)] : rnd(1 << 23);
	if (!rnd(5))
		return special[rnd(12)] | sign;
	return sign | exponents[rnd(20)] << 23 | m;
}

static void generate(struct program *p, bool products)
{
	static const uint32_t constants[] = {0x3f000000, 0x3f7fffff, 0x40400000, 0x3f800000, 0x1e3ce508, 0x3e800000, 0x00800000};
	p->rounds = 1 + rnd(3);
	for (uint32_t k = 0; k < OPS; k++) {
		struct op *o = &p->op[k];
		*o = (struct op){.kind = products || rnd(2) ? (enum kind)rnd(2) : (enum kind)rnd(KINDS), .d = rnd(REGS), .a = rnd(REGS), .b = rnd(REGS), .c = rnd(REGS)};
		o->k = rnd(6) ? 0 : constants[rnd(7)];
		o->guard = products || rnd(8) ? 0 : 1 + (int)rnd(2);
	}
}

/* --- on the host --- */

static float flush(float x)
{
	return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

/* x, exact or with a sticky last bit, is below the least normal number when rounded to 24 bits. */
static bool below(double x)
{
	return fabs((double)(float)(x * 0x1p60)) < 0x1p-66;
}

static double sum_odd(double x, double y)
{
	double s = x + y, t = s - x, e = (x - (s - t)) + (y - t);
	uint64_t u;
	memcpy(&u, &s, 8);
	if (e != 0 && !(u & 1))
		u += (e > 0) == (s > 0) ? 1 : (uint64_t)-1;
	memcpy(&s, &u, 8);
	return s;
}

static float product(float a, float b, float c, bool add)
{
	float r = add ? fmaf(a, b, c) : a * b;
	double p = (double)a * b, s = add ? sum_odd(p, c) : p;
	return fabsf(r) <= 0x1p-126f && below(s) ? copysignf(0, r) : r;
}

static float extreme(float a, float b, bool max)
{
	if (a != a || b != b)
		return a != a ? b : a;
	if (a == b)
		return !signbit(a) == !max ? b : a;
	return (a > b) == max ? a : b;
}

static uint32_t canonical(float x)
{
	return x != x ? 0x7fffffff : of_f32(x);
}

static uint32_t evaluate(const struct op *o, const uint32_t *r)
{
	float x = f32_of(r[o->a]), y = f32_of(o->k ? o->k : r[o->b]), z = f32_of(r[o->c]);
	float a = flush(x), b = flush(y), c = flush(z);
	switch (o->kind) {
	case MUL: return canonical(product(a, b, 0, false));
	case FMA: return canonical(product(a, b, c, true));
	case ADD: return canonical(flush(a + b));
	case SUB: return canonical(flush(a - b));
	case MAX: return canonical(extreme(a, b, true));
	case MIN: return canonical(extreme(a, b, false));
	case ABS: return x != x ? 0x7fffffff : of_f32(x) & 0x7fffffff;
	case NEG: return x != x ? 0x7fffffff : of_f32(x) ^ 0x80000000;
	case SEL: return a < c ? r[o->a] : of_f32(y);
	case XOR: return r[o->a] ^ 0x80000000;
	case MULF: return canonical(x * y);
	default: return canonical(x + y);
	}
}

static void interpret(const struct program *p, uint32_t *r)
{
	for (uint32_t n = 0; n < p->rounds; n++)
		for (uint32_t k = 0; k < OPS; k++) {
			const struct op *o = &p->op[k];
			bool less = flush(f32_of(r[o->a])) < flush(f32_of(r[o->c]));
			if (!o->guard || less == (o->guard == 1))
				r[o->d] = evaluate(o, r);
		}
}

/* --- as PTX --- */

static void text(const struct program *p, char *s, size_t size)
{
	static const char *const names[] = {"mul.ftz.f32", "fma.rn.ftz.f32", "add.rn.ftz.f32", "sub.rn.ftz.f32", "max.ftz.f32", "min.ftz.f32", "abs.f32",
					    "neg.f32", "selp.b32", "xor.b32", "mul.rn.f32", "add.rn.f32"};
	size_t n = 0;
#define ADD_TEXT(...) (n += (size_t)snprintf(s + n, size - n, __VA_ARGS__))
	ADD_TEXT(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b64 %%a; .reg .b32 %%i, %%r<%d>; .reg .pred %%p, %%q;\n"
		 "ld.param.u64 %%a, [p]; mov.u32 %%i, %%tid.x; mad.wide.u32 %%a, %%i, %d, %%a;\n", REGS, REGS * 4);
	for (int k = 0; k < REGS; k++)
		ADD_TEXT("ld.global.b32 %%r%d, [%%a+%d];\n", k, 4 * k);
	ADD_TEXT("mov.u32 %%i, 0;\nL:\n");
	for (int k = 0; k < OPS; k++) {
		const struct op *o = &p->op[k];
		char y[16];
		snprintf(y, sizeof y, o->k ? "0f%08x" : "%%r%u", o->k ? o->k : o->b);
		if (o->kind == SEL || o->guard)
			ADD_TEXT("setp.lt.ftz.f32 %%p, %%r%u, %%r%u;\n", o->a, o->c);
		if (o->guard)
			ADD_TEXT("@%s%%p bra M%d;\n", o->guard == 1 ? "!" : "", k);
		ADD_TEXT("%s %%r%u, %%r%u", names[o->kind], o->d, o->a);
		if (o->kind == XOR)
			ADD_TEXT(", 0x80000000");
		else if (o->kind != ABS && o->kind != NEG)
			ADD_TEXT(", %s", y);
		if (o->kind == FMA)
			ADD_TEXT(", %%r%u", o->c);
		ADD_TEXT("%s;\n", o->kind == SEL ? ", %p" : "");
		if (o->guard)
			ADD_TEXT("M%d:\n", k);
	}
	ADD_TEXT("add.u32 %%i, %%i, 1; setp.lt.u32 %%q, %%i, %u; @%%q bra L;\n", p->rounds);
	for (int k = 0; k < REGS; k++)
		ADD_TEXT("st.global.b32 [%%a+%d], %%r%d;\n", 4 * k, k);
	ADD_TEXT("ret;\n}\n");
	ck_assert(n < size);
}

static void run(const char *gpu, int level, int ftz, enum sim_tiny tiny, const char *ptx, const uint32_t *in, uint32_t *out)
{
	struct ptx_context *ctx = ptx_context_new();
	struct ptx_options opt = {.gpu = gpu, .opt_level = level, .ftz = ftz, .check = 1};
	const struct ptx_output *o;
	const char *why;
	char err[256];
	struct sim_stats stats;
	struct sim_fault fault;
	if (ptx_compile(ctx, &opt, ptx, strlen(ptx), &o) != PTX_OK)
		ck_abort_msg("%s: %s\n%s", gpu, o->diagnostics[0].text, ptx);
	struct sim *sim = sim_new(gpu, &(struct sim_options){.tiny = tiny}, &why);
	struct sim_module *m = sim_load(sim, o->object, o->object_size, err, sizeof err);
	ck_assert_msg(m != NULL, "%s", err);
	uint64_t at = sim_alloc(sim, THREADS * REGS * 4, SIM_MEM_READ | SIM_MEM_WRITE);
	sim_write(sim, at, in, THREADS * REGS * 4);
	struct sim_launch l = {.kernel = sim_kernel_find(m, "k"), .grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .args = &at, .args_size = sizeof at};
	if (!sim_run(sim, &l, &stats, &fault))
		ck_abort_msg("%s", fault.text);
	sim_read(sim, at, out, THREADS * REGS * 4);
	sim_free(sim);
	ptx_context_free(ctx);
}

START_TEST(as_the_host)
{
	static const struct { const char *gpu; int level, ftz; } targets[] = {{"gfx1100", PTX_O3, PTX_FTZ_EXACT}, {"gfx1030", PTX_O3, PTX_FTZ_EXACT},
		{"gfx1100", PTX_O0, PTX_FTZ_EXACT}, {"gfx1100", PTX_O3, PTX_FTZ_DEFAULT}, {"gfx1030", PTX_O3, PTX_FTZ_DEFAULT}};
	static uint32_t in[THREADS][REGS], want[THREADS][REGS], out[THREADS][REGS];
	static char ptx[1 << 15];
	struct program p;
	state = (uint64_t)_i * 0x9e3779b97f4a7c15u + 1;
	rnd(2);
	generate(&p, _i % 2);
	text(&p, ptx, sizeof ptx);
	for (uint32_t t = 0; t < THREADS; t++)
		for (uint32_t k = 0; k < REGS; k++)
			in[t][k] = want[t][k] = value();
	for (uint32_t t = 0; t < THREADS; t++)
		interpret(&p, want[t]);
	for (uint32_t k = 0; k < sizeof targets / sizeof *targets; k++) {
		bool any = targets[k].ftz == PTX_FTZ_EXACT;
		enum sim_tiny tiny = any ? (enum sim_tiny)((k + (uint32_t)_i) % 3) : SIM_TINY_UNBOUNDED;
		run(targets[k].gpu, targets[k].level, targets[k].ftz, tiny, ptx, in[0], out[0]);
		for (uint32_t t = 0; t < THREADS; t++)
			for (uint32_t r = 0; r < REGS; r++)
				if (out[t][r] != want[t][r])
					ck_abort_msg("%s -O%d, flushing %d: thread %u, register %u: got %08x, should be %08x\n%s", targets[k].gpu,
						     targets[k].level - PTX_O0, (int)tiny, t, r, out[t][r], want[t][r], ptx);
	}
}
END_TEST

/* ir_float_facts takes no square to round up to the least normal number: all whose results are near it. */
START_TEST(squares)
{
	for (uint32_t u = 0x1f800000 - (1 << 23); u <= 0x1f800000 + (1 << 23); u++) {
		double x = (double)f32_of(u), s = x * x;
		CHECK(below(s) == (fabsf((float)s) < 0x1p-126f));
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ftz_random");
	TCase *t = tcase_create("all");
	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, as_the_host, 0, PROGRAMS);
	tcase_add_test(t, squares);
	suite_add_tcase(s, t);
	return unit_run(s);
}
