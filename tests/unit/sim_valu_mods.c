/* Operand and result modifiers of vector instructions, through LLVM's assembler and the simulator's decoder. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/mc_asm.h"
#include "sim/sim_core.h"
#include "sim/valu_fp.h"

enum { G10 = 1, G11 = 2 };
enum { NREG = 10, VCC = SIM_VCC, EXEC = SIM_EXEC };

struct regs {
	uint32_t v[NREG][32], s[128];
};

static double half_value(uint32_t u)
{
	int e = (int)(u >> 10 & 31), m = (int)(u & 1023);
	double x = e == 31 ? (m ? (double)NAN : (double)INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
	return u >> 15 & 1 ? -x : x;
}
/* To nearest even; x is exact enough in double. */
static uint32_t half_bits(double x)
{
	uint32_t sign = signbit(x) ? 0x8000 : 0;
	int e;
	x = fabs(x);
	if (x == 0 || x >= 65520)
		return sign | (x == 0 ? 0 : 0x7c00);
	frexp(x, &e);
	int scale = e < -13 ? 24 : 11 - e;
	uint32_t n = (uint32_t)nearbyint(ldexp(x, scale));
	return sign | (e < -13 ? n : n - 1024 + ((uint32_t)(e + 14) << 10));
}

#define V(n) (r->v[n][l])
#define VL(n, lane) (r->v[n][lane])
#define S(n) (r->s[n])
#define OLD V(0)
#define ON(lane) (S(EXEC) >> (lane)&1)
#define DPP(from, none) (ON(from) ? VL(1, from) : (none))
#define F(u) float32(u)
#define FB(x) bits32(x)
#define H(u) half_value((u)&0xffff)
#define HB(x) half_bits(x)
#define CLAMP(x) fminf(fmaxf(x, 0.0f), 1.0f)
#define SATU16(x) ((x) > 0xffff ? 0xffffu : (uint32_t)(x))
#define SATU32(x) ((x) > 0xffffffff ? 0xffffffffu : (uint32_t)(x))
#define DOT4(A, B)                                                                                                     \
	(uint32_t)((A)V(1) * (B)V(2) + (A)(V(1) >> 8) * (B)(V(2) >> 8) + (A)(V(1) >> 16) * (B)(V(2) >> 16) +           \
		   (A)(V(1) >> 24) * (B)(V(2) >> 24))

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define WANT PASTE(want_, __LINE__)
#define T(chips, text, expr)                                                                                           \
	static uint32_t WANT(const struct regs *r, uint32_t l)                                                         \
	{                                                                                                              \
		(void)r, (void)l;                                                                                      \
		return (uint32_t)(expr);                                                                               \
	}
#define TF(chips, text, expr) T(chips, text, expr)
#define TM(chips, text, where, expr) T(chips, text, expr)
#include "sim_valu_mods.def"
#undef T
#undef TF
#undef TM

static const struct row {
	int chips;
	const char *text;
	int mask; /* 0: v0; else the scalar that holds the lane mask */
	bool flush;
	uint32_t (*want)(const struct regs *r, uint32_t l);
} rows[] = {
#define T(chips, text, expr) {chips, text, 0, false, WANT},
#define TF(chips, text, expr) {chips, text, 0, true, WANT},
#define TM(chips, text, where, expr) {chips, text, where, false, WANT},
#include "sim_valu_mods.def"
};

/* ---- the machine ---- */

static uint8_t bytes[64];
static uint32_t nbytes;

static void on_inst(void *ctx, const struct mc_asm_inst *i)
{
	(void)ctx;
	memcpy(bytes, i->bytes, i->nbytes);
	nbytes = i->nbytes;
}
static void on_error(void *ctx, uint32_t line, const char *msg)
{
	(void)line;
	ck_abort_msg("%s: %s", (const char *)ctx, msg);
}

static uint64_t seed = 88172645463325252;
static uint64_t rnd(void)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return seed * 0x2545f4914f6cdd1d >> 16;
}

/* v1-v3 integers, v4 v5 halves, v6 v7 v9 singles of ordinary size, v8 small integers; v0 fits what it accumulates. */
static void fill(struct regs *r, bool all_lanes)
{
	for (int l = 0; l < 32; l++) {
		for (int n = 0; n < NREG; n++)
			r->v[n][l] = (uint32_t)rnd();
		for (int n = 4; n <= 6; n++)
			r->v[n][l] = (uint32_t)(half_bits(ldexp((double)(rnd() % 2001) - 1000, -9)) |
						half_bits(ldexp((double)(rnd() % 2001) - 1000, -8)) << 16);
		r->v[6][l] = bits32((float)((double)(rnd() % 20001) - 10000) / 1024);
		r->v[7][l] = bits32((float)((double)(rnd() % 20001) - 10000) / 4096);
		r->v[9][l] = r->v[7][l];
		r->v[8][l] = (uint32_t)(rnd() % 41) - 20;
	}
	for (int n = 0; n < 128; n++)
		r->s[n] = (uint32_t)rnd();
	r->s[EXEC] = all_lanes ? ~0u : (uint32_t)rnd();
	r->s[EXEC + 1] = 0;
}

static void execute(struct sim *s, const struct row *t, struct regs *r, const struct sim_inst *i)
{
	static uint32_t v[NREG * 32];
	struct sim_core core = {.s = s};
	struct sim_wave w = {.v = v,
			     .core = &core,
			     .def = ~0ull,
			     .lanes = 32,
			     .lane_shift = 5,
			     .lane_mask = 0xffffffff,
			     .nvgprs = NREG,
			     .scc_def = true,
			     .gfx11 = t->chips & G11};
	w.mode = t->flush ? SIM_MODE_DX10_CLAMP | 0xc0 : 0xf0 | SIM_MODE_DX10_CLAMP | SIM_MODE_IEEE;
	memcpy(v, r->v, sizeof v);
	memcpy(w.s, r->s, sizeof w.s);
	memset(w.sdef, 0xff, sizeof w.sdef);
	memset(w.vdef, 0xff, sizeof w.vdef);
	i->fn(&w, i);
	memcpy(r->v, v, sizeof v);
	memcpy(r->s, w.s, sizeof w.s);
	for (uint32_t l = 0; l < 32; l++)
		ck_assert_msg(w.vdef[0] >> l & 1, "%s: lane %u became undefined", t->text, l);
}

/* v_pk_fma and such read v6 as halves. */
static bool wants_half6(const char *text)
{
	return strstr(text, "v_pk_fma") || strstr(text, "v_fma_f16");
}

static void check_row(const char *gpu, const struct row *t)
{
	struct sim_options opt = {0};
	const char *err = NULL;
	struct sim *s = sim_new(gpu, &opt, &err);
	struct mc_asm_sink sink = {(void *)t->text, on_inst, on_error};
	nbytes = 0;
	ck_assert(mc_assemble(gpu, NULL, t->text, strlen(t->text), &sink) && nbytes);
	struct sim_inst *slots[32] = {0};
	struct sim_code c = {.base = 0x1000, .size = sizeof bytes, .bytes = bytes, .insts = slots, .slots = 16};
	const struct sim_inst *i = sim_decode(s, &c, 0x1000, 32, &err);
	ck_assert_msg(i != NULL, "%s", err);
	for (int round = 0; round < 12; round++) {
		struct regs before, after;
		fill(&before, round < 3);
		for (int l = 0; l < 32 && (wants_half6(t->text) || strstr(t->text, "fmac")); l++) {
			if (wants_half6(t->text))
				before.v[6][l] = before.v[5][31 - l];
			before.v[0][l] = strstr(t->text, "pk_fmac") ? before.v[5][l ^ 3] : before.v[7][l ^ 1];
		}
		after = before;
		execute(s, t, &after, i);
		for (uint32_t l = 0; l < 32; l++) {
			bool on = before.s[EXEC] >> l & 1;
			uint32_t want = t->mask ? on && t->want(&before, l) : on ? t->want(&before, l) : before.v[0][l];
			uint32_t got = t->mask ? after.s[t->mask] >> l & 1 : after.v[0][l];
			if (got != want)
				ck_abort_msg("%s: %s: lane %u of exec %x: %x, not %x (was %x)", gpu, t->text, l,
					     before.s[EXEC], got, want, before.v[0][l]);
		}
	}
	sim_free(s);
}

START_TEST(modifiers)
{
	const struct row *t = &rows[_i];
	if (t->chips & G10)
		check_row("gfx1030", t);
	if (t->chips & G11)
		check_row("gfx1100", t);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sim_valu_mods");
	TCase *t = tcase_create("modifiers");
	tcase_add_loop_test(t, modifiers, 0, sizeof rows / sizeof *rows);
	suite_add_tcase(s, t);
	SRunner *r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
