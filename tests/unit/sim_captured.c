/* Single results of the floating-point instructions of AMD's hardware (sim_captured.def), through LLVM's assembler and the simulator's decoder. */
#include <check.h>
#include <string.h>

#include "emit/mc_asm.h"
#include "sim/sim_core.h"

enum { G10 = 1, G11 = 2, BOTH = 3 };
enum { RN, RP, RM, RZ };
/* MODE: rounding of all, denormals of f32, of f16 and f64 (bit 0 operands, bit 1 results are kept). */
#define MODE(round, denorm32, denorm16) ((round) * 5 | (denorm32) << 4 | (denorm16) << 6)
enum { KEEP = MODE(RN, 3, 3), FLUSH = MODE(RN, 0, 0), IEEE = SIM_MODE_IEEE };

static const struct row {
	int chips;
	const char *text;
	uint32_t mode, v[4], want;
} rows[] = {
#define R(chips, text, mode, a, b, c, want) {chips, text, mode, {c, a, b, c}, want},
#include "sim_captured.def"
#undef R
};

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
	static uint32_t v[8 * 32];
	struct sim_core core = {.s = s};
	struct sim_wave w = {.v = v, .core = &core, .def = ~0ull, .lanes = 32, .lane_shift = 5, .lane_mask = 0xffffffff, .nvgprs = 8, .scc_def = true,
			     .gfx11 = !strncmp(gpu, "gfx11", 5), .mode = t->mode};
	memset(v, 0, sizeof v);
	for (int n = 0; n < 4; n++)
		for (int l = 0; l < 32; l++)
			v[n * 32 + l] = t->v[n];
	memset(w.sdef, 0xff, sizeof w.sdef);
	memset(w.vdef, 0xff, sizeof w.vdef);
	w.s[SIM_EXEC] = 0xffffffff;
	i->fn(&w, i);
	uint32_t mask = strstr(t->text, "f16 ") && !strstr(t->text, "pk_") && !strstr(t->text, "f32_f16") ? 0xffff : 0xffffffff;
	for (int l = 0; l < 32; l++)
		if ((v[l] & mask) != t->want)
			ck_abort_msg("%s: %s (%08x, %08x, %08x), MODE %x: %08x, not %08x", gpu, t->text, t->v[1], t->v[2], t->v[3], t->mode, v[l] & mask, t->want);
	sim_free(s);
}

START_TEST(captured)
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
	Suite *s = suite_create("sim_captured");
	TCase *t = tcase_create("captured");
	tcase_add_loop_test(t, captured, 0, sizeof rows / sizeof *rows);
	suite_add_tcase(s, t);
	SRunner *r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
