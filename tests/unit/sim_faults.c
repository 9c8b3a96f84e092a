/* Every seeded fault of tests/sim/asm/faults.s is reported as what it is, where it is; every sound twin runs. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"

enum { LANES = 64, GFX103 = 1, GFX11 = 2, GFX101 = 4, GFX10 = 5, BOTH = 7 };

static const struct expect {
	const char *kernel;
	enum sim_fault_kind kind;
	uint8_t chips;
	const char *inst; /* start of the faulting instruction's text, gfx10 names; NULL: not checked */
	const char *text; /* part of the report */
} expected[] = {
	{"plain", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"wait_read", SIM_FAULT_WAIT, BOTH, "v_add_nc_u32", "v2 is read while a load into it is outstanding (vmcnt"},
	{"wait_read_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"wait_high_half_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"wait_high_half", SIM_FAULT_UNINIT, BOTH, "global_store", "v5"},
	{"wait_low_half", SIM_FAULT_WAIT, BOTH, "v_mad_u64_u32", "v2 is read"},
	{"wait_factor", SIM_FAULT_WAIT, BOTH, "v_mad_u64_u32", "v3 is read"},
	{"wait_overwrite", SIM_FAULT_WAIT, BOTH, "v_mov_b32", "v2 is overwritten"},
	{"wait_count", SIM_FAULT_WAIT, BOTH, "v_add_nc_u32", "v3 is read"},
	{"wait_count_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"wait_smem", SIM_FAULT_WAIT, BOTH, "v_mov_b32", "s4 is read while a load into it is outstanding (lgkmcnt"},
	{"wait_lds", SIM_FAULT_WAIT, BOTH, "global_store", "v2 is read"},
	{"wait_lds_smem", SIM_FAULT_WAIT, BOTH, "global_store", "v2 is read"},
	{"wait_store_data_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"wait_flat", SIM_FAULT_WAIT, BOTH, "global_store", "(lgkmcnt"},
	{"wait_barrier", SIM_FAULT_WAIT, BOTH, "s_barrier", "LDS accesses are outstanding"},
	{"wait_barrier_read", SIM_FAULT_WAIT, BOTH, "s_barrier", "LDS accesses are outstanding"},
	{"uninit_store", SIM_FAULT_UNINIT, BOTH, "global_store", "v5"},
	{"uninit_move_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"uninit_compute", SIM_FAULT_UNINIT, BOTH, "global_store", "v5"},
	{"uninit_lanes", SIM_FAULT_UNINIT, BOTH, "global_store", "lane 16"},
	{"uninit_address", SIM_FAULT_UNINIT, BOTH, "global_store", "the address"},
	{"uninit_branch", SIM_FAULT_UNINIT, BOTH, "s_cbranch_scc1", "a branch"},
	{"uninit_exec", SIM_FAULT_UNINIT, BOTH, "s_mov_b32", "exec"},
	{"uninit_mask_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"uninit_lds", SIM_FAULT_UNINIT, BOTH, "global_store", "v2"},
	{"uninit_half_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"uninit_half", SIM_FAULT_UNINIT, BOTH, "global_store", "v3"},
	{"uninit_atomic_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"uninit_atomic", SIM_FAULT_UNINIT, BOTH, "ds_or_b32", "LDS that was never written"},
	{"uninit_swap_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"uninit_swap", SIM_FAULT_UNINIT, BOTH, "ds_cmpst", "never written"},
	{"uninit_field_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"uninit_field", SIM_FAULT_UNINIT, BOTH, "global_store", "v4"},
	{"uninit_bytes_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"uninit_bytes", SIM_FAULT_UNINIT, BOTH, "global_store", "v2"},
	{"uninit_sum_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"uninit_sum", SIM_FAULT_UNINIT, BOTH, "global_store", "v2"},
	{"uninit_d16_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"uninit_d16", SIM_FAULT_UNINIT, BOTH, "global_store", "v3"},
	{"uninit_float", SIM_FAULT_UNINIT, BOTH, "global_store", "v2"},
	{"uninit_shift", SIM_FAULT_UNINIT, BOTH, "global_store", "v2"},
	{"uninit_move_lanes_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"uninit_scalar_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"uninit_scalar", SIM_FAULT_UNINIT, BOTH, "s_cbranch_scc0", "a branch"},
	{"uninit_spilled_mask", SIM_FAULT_UNINIT, BOTH, "s_mov_b32", "exec"},
	{"uninit_sdwa_ok", SIM_FAULT_NONE, GFX10, NULL, NULL},
	{"uninit_sdwa", SIM_FAULT_UNINIT, GFX10, "global_store", "v4"},
	{"padding_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"padding_none", SIM_FAULT_UNINIT, BOTH, "global_store", "v2"},
	{"padding_used", SIM_FAULT_UNINIT, BOTH, "s_cbranch_vccz", "a branch"},
	{"oob_global", SIM_FAULT_MEMORY, BOTH, "global_store", "of allocation 0x"},
	{"oob_lds", SIM_FAULT_LDS, BOTH, NULL, "the workgroup has 256 bytes"},
	{"oob_null", SIM_FAULT_MEMORY, BOTH, "global_load", "outside every allocation"},
	{"write_code", SIM_FAULT_MEMORY, BOTH, "global_store", "read-only"},
	{"misaligned_atomic", SIM_FAULT_ALIGN, BOTH, "global_atomic", "not aligned to 4"},
	{"misaligned_load_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"runaway", SIM_FAULT_RUNAWAY, BOTH, "s_branch", "instructions executed"},
	{"deadlock", SIM_FAULT_BARRIER, BOTH, NULL, "1 of 2 waves wait at a barrier"},
	{"early_end_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"bad_pc", SIM_FAULT_PC, BOTH, NULL, "0x1000"},
	{"bad_code", SIM_FAULT_DECODE, BOTH, NULL, NULL},
	{"trap", SIM_FAULT_TRAP, BOTH, "s_trap", "trap 2"},
	{"bad_vgpr", SIM_FAULT_REGISTER, BOTH, "v_mov_b32", "v100"},
	{"race_store", SIM_FAULT_RACE, BOTH, "global_load", "stored and has not waited for"},
	{"race_stale", SIM_FAULT_RACE, BOTH, "global_load", "no buffer_gl0_inv since"},
	{"race_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"race_polling_ok", SIM_FAULT_NONE, BOTH, NULL, NULL},
	{"race_scalar", SIM_FAULT_RACE, BOTH, "s_load", "a scalar load of what"},
	{"fp_atomic_mode", SIM_FAULT_HAZARD, GFX10, "s_denorm_mode", "1 wait states"},
	{"fp_atomic_mode_ok", SIM_FAULT_NONE, GFX10, NULL, NULL},
	{"trans_use", SIM_FAULT_HAZARD, GFX11, "v_add_f32", "v2 is read"},
	{"trans_use_ok", SIM_FAULT_NONE, GFX11, NULL, NULL},
	{"trans_near", SIM_FAULT_HAZARD, GFX11, "v_add_f32", "v2 is read 5 VALU"},
	{"trans_far_ok", SIM_FAULT_NONE, GFX11, NULL, NULL},
	{"cmpx_permlane", SIM_FAULT_HAZARD, GFX11, "v_permlane16", "v_cmpx"},
	{"cmpx_permlane_ok", SIM_FAULT_NONE, GFX11, NULL, NULL},
	{"mad64_overlap", SIM_FAULT_HAZARD, GFX11, "v_mad_u64_u32", "overlaps"},
	{"vmem_sgpr", SIM_FAULT_HAZARD, GFX101, "s_mov_b32", "scalar register 1 is written"},
	{"vmem_sgpr_ok", SIM_FAULT_NONE, GFX101, NULL, NULL},
	{"smem_sgpr", SIM_FAULT_HAZARD, GFX101, "v_readfirstlane", "scalar register 0"},
	{"smem_sgpr_ok", SIM_FAULT_NONE, GFX101, NULL, NULL},
	{"cmpx_exec", SIM_FAULT_HAZARD, GFX101, "v_cmpx", "exec"},
	{"cmpx_exec_ok", SIM_FAULT_NONE, GFX101, NULL, NULL},
	{"lds_branch", SIM_FAULT_HAZARD, GFX101, "global_store", "only a branch between"},
	{"lds_branch_ok", SIM_FAULT_NONE, GFX101, NULL, NULL},
	{"branch_3f", SIM_FAULT_HAZARD, GFX101, "s_branch", "0x3f"},
};

static const struct chip {
	const char *gpu;
	uint8_t bit;
} chips[] = {{"gfx1030", GFX103}, {"gfx1100", GFX11}, {"gfx1010", GFX101}};

static void *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	ck_assert_msg(f != NULL, "cannot open %s", path);
	static char buf[1 << 17];
	*size = fread(buf, 1, sizeof buf, f);
	fclose(f);
	return buf;
}

static struct sim *s[3];
static struct sim_module *m[3];

static struct sim *chip_sim(const char *gpu)
{
	return s[!strcmp(gpu, "gfx1100") ? 1 : !strcmp(gpu, "gfx1010") ? 2 : 0];
}

static bool run(const char *gpu, const char *kernel, struct sim_stats *st, struct sim_fault *f)
{
	int n = !strcmp(gpu, "gfx1100") ? 1 : !strcmp(gpu, "gfx1010") ? 2 : 0;
	char path[64], why[256];
	const char *err;
	if (!s[n]) {
		size_t size;
		struct sim_options opt = {.seed = 1, .max_insts = 10000};
		s[n] = sim_new(gpu, &opt, &err);
		ck_assert_msg(s[n] != NULL, "%s", err);
		snprintf(path, sizeof path, "tests/sim/asm/faults.%s.co", gpu);
		void *elf = read_file(path, &size);
		m[n] = sim_load(s[n], elf, size, why, sizeof why);
		ck_assert_msg(m[n] != NULL, "%s", why);
	}
	sim_opts(s[n])->races = !strncmp(kernel, "race_", 5);
	sim_opts(s[n])->padding = !strncmp(kernel, "padding_", 8);
	uint32_t zero[LANES] = {0};
	uint64_t buf = sim_alloc(s[n], sizeof zero, SIM_MEM_READ | SIM_MEM_WRITE);
	struct sim_launch l = {.kernel = sim_kernel_find(m[n], kernel), .block = {LANES, 1, 1}, .args = &buf, .args_size = 8};
	ck_assert_msg(l.kernel != NULL, "no kernel %s", kernel);
	bool ok = sim_run(s[n], &l, st, f);
	ck_assert(sim_dealloc(s[n], buf));
	return ok;
}

START_TEST(reports)
{
	const struct expect *e = &expected[_i];
	for (size_t c = 0; c < sizeof chips / sizeof *chips; c++) {
		struct sim_stats st;
		struct sim_fault f;
		if (!(e->chips & chips[c].bit))
			continue;
		bool ok = run(chips[c].gpu, e->kernel, &st, &f);
		ck_assert_msg(ok == (e->kind == SIM_FAULT_NONE) && f.kind == e->kind, "%s %s: %s %s", chips[c].gpu, e->kernel,
			      ok ? "ran" : "faulted:", f.text);
		if (ok)
			continue;
		ck_assert_str_eq(f.kernel, e->kernel);
		ck_assert_msg(!e->inst || !strncmp(f.inst, e->inst, strlen(e->inst)), "%s: at %s", e->kernel, f.inst);
		ck_assert_msg(!e->text || strstr(f.text, e->text), "%s: the report is: %s", e->kernel, f.text);
	}
}
END_TEST

/* The report names lane and address: lane 16 of wave 0 is the first past 192 + 4 * lane = 256. */
START_TEST(lane_and_address)
{
	struct sim_stats st;
	struct sim_fault f;
	ck_assert(!run("gfx1100", "oob_global", &st, &f));
	ck_assert_int_eq(f.lane, f.wave == 0 ? 16 : 0);
	ck_assert_uint_eq(f.addr & 0xff, f.wave == 0 ? 0 : 0x40);
	ck_assert(!run("gfx1030", "oob_lds", &st, &f));
	ck_assert_int_eq(f.lane, f.wave == 0 ? 1 : 0);
}
END_TEST

/* The same seed gives the same interleaving; counts do not depend on it. */
START_TEST(counts)
{
	struct sim_stats a, b;
	struct sim_fault f;
	ck_assert(run("gfx1100", "wait_count_ok", &a, &f));
	ck_assert(run("gfx1100", "wait_count_ok", &b, &f));
	ck_assert_mem_eq(&a, &b, sizeof a);
	ck_assert_uint_eq(a.waves, 2);
	ck_assert_uint_eq(a.insts[SIM_C_VMEM_LOAD], 4);
	ck_assert_uint_eq(a.insts[SIM_C_VMEM_STORE], 2);
	ck_assert_uint_eq(a.insts[SIM_C_SMEM], 2);
	ck_assert_uint_eq(a.global_segments64, 12);
	ck_assert_uint_eq(a.global_segments128, 6);
}
END_TEST

/* The instruction budget holds to the instruction, for one wave and for two. */
START_TEST(budget)
{
	struct sim_stats st;
	struct sim_fault f;
	uint64_t n = 0;
	ck_assert(run("gfx1100", "plain", &st, &f));
	struct sim_options *o = sim_opts(chip_sim("gfx1100"));
	uint64_t kept = o->max_insts;
	for (int k = 0; k < SIM_CLASSES; k++)
		n += st.insts[k];
	o->max_insts = n;
	ck_assert(run("gfx1100", "plain", &st, &f));
	o->max_insts = n - 1;
	ck_assert(!run("gfx1100", "plain", &st, &f) && f.kind == SIM_FAULT_RUNAWAY);
	o->max_insts = 1000;
	ck_assert(!run("gfx1100", "runaway", &st, &f));
	for (int k = n = 0; k < SIM_CLASSES; k++)
		n += st.insts[k];
	ck_assert_uint_eq(n, 1001);
	o->max_insts = kept;
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sim_faults");
	TCase *t = tcase_create("faults");
	tcase_add_loop_test(t, reports, 0, sizeof expected / sizeof *expected);
	tcase_add_test(t, lane_and_address);
	tcase_add_test(t, counts);
	tcase_add_test(t, budget);
	suite_add_tcase(suite, t);
	SRunner *r = srunner_create(suite);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_NORMAL);
	int failed = srunner_ntests_failed(r), all = srunner_ntests_run(r);
	srunner_free(r);
	printf("%d passed, %d failed\n", all - failed, failed);
	return failed != 0;
}
