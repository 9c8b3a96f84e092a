/* Constant folding gives the bits that the compiled instruction gives in the simulator: every opcode of ir_ops.def that folds, every width,
 * rounding direction and modifier that PTX makes of it, edge and random operands, on both chips. An opcode that folds and has no case
 * here fails the test.
 *
 * The folder may decline in two places (ir.h): which of several NaNs an f64 operation hands on, and a flushed result that rounds up to the
 * least normal number. */
#include <stdio.h>
#include <stdlib.h>

#include "api/passes.h"
#include "sim/sim.h"
#include "unit.h"

enum { TUPLES = 768, BATCH = 48, MAX_COMBOS = 4096 };

struct combo {
	uint16_t op, w[3], rw;
	uint8_t cond, rnd;
	bool ftz, sat, nan, relu;
};

/* --- which combinations there are --- */

static struct combo combos[MAX_COMBOS];
static uint32_t ncombos;
static bool covered[IR_OP_COUNT];

static void add(struct combo c)
{
	if (ncombos == MAX_COMBOS)
		abort();
	combos[ncombos++] = c;
	covered[c.op] = true;
}

/* Integer opcodes: widths to try; pattern of the arguments: w as wide, d twice as wide, s a 32-bit amount, p a predicate. */
static const struct {
	uint16_t op;
	const char *args;
	uint16_t widths[5];
	uint8_t result; /* as wide times this; 0: what the row says */
} ints[] = {
	{IR_add, "ww", {16, 32, 64}, 0}, {IR_sub, "ww", {16, 32, 64}, 0}, {IR_mul, "ww", {16, 32, 64}, 0}, {IR_umulhi, "ww", {16, 32, 64}, 0},
	{IR_smulhi, "ww", {16, 32, 64}, 0}, {IR_umulwide, "ww", {16, 32}, 2}, {IR_smulwide, "ww", {16, 32}, 2}, {IR_umul24, "ww", {32}, 0},
	{IR_smul24, "ww", {32}, 0}, {IR_umul24hi, "ww", {32}, 0}, {IR_smul24hi, "ww", {32}, 0}, {IR_udiv, "ww", {16, 32, 64}, 0},
	{IR_sdiv, "ww", {16, 32, 64}, 0}, {IR_urem, "ww", {16, 32, 64}, 0}, {IR_srem, "ww", {16, 32, 64}, 0}, {IR_and, "ww", {1, 16, 32, 64}, 0},
	{IR_or, "ww", {1, 16, 32, 64}, 0}, {IR_xor, "ww", {1, 16, 32, 64}, 0}, {IR_not, "w", {1, 16, 32, 64}, 0}, {IR_shl, "ws", {16, 32, 64}, 0},
	{IR_shr, "ws", {16, 32, 64}, 0}, {IR_sar, "ws", {16, 32, 64}, 0}, {IR_fshr, "wws", {32}, 0}, {IR_umin, "ww", {16, 32, 64}, 0},
	{IR_umax, "ww", {16, 32, 64}, 0}, {IR_smin, "ww", {16, 32, 64}, 0}, {IR_smax, "ww", {16, 32, 64}, 0}, {IR_iabs, "w", {16, 32, 64}, 0},
	{IR_popc, "w", {32, 64}, 0}, {IR_clz, "w", {32, 64}, 0}, {IR_ctz, "w", {32, 64}, 0}, {IR_brev, "w", {32, 64}, 0},
	{IR_amd_ffbh_u32, "w", {32}, 0}, {IR_amd_ffbh_i32, "w", {32}, 0}, {IR_amd_ffbl_b32, "w", {32}, 0}, {IR_ubfe, "wss", {32}, 0},
	{IR_sbfe, "wss", {32}, 0}, {IR_bitsel, "www", {32}, 0}, {IR_perm, "www", {32}, 0}, {IR_sad, "www", {32}, 0}, {IR_dp2auu, "www", {32}, 0}, {IR_dp2ass, "www", {32}, 0}, {IR_dp2ahiuu, "www", {32}, 0},
	{IR_dp2ahiss, "www", {32}, 0}, {IR_pksaddsat, "ww", {32}, 0}, {IR_pkssubsat, "ww", {32}, 0}, {IR_pkuaddsat, "ww", {32}, 0},
	{IR_pkusubsat, "ww", {32}, 0}, {IR_sad8, "www", {32}, 0}, {IR_sad16, "www", {32}, 0}, {IR_uaddc, "ww", {32, 64}, 0},
	{IR_usubb, "ww", {32, 64}, 0}, {IR_addc, "wwp", {32, 64}, 0}, {IR_addcc, "wwp", {32, 64}, 0}, {IR_subb, "wwp", {32, 64}, 0},
	{IR_subbb, "wwp", {32, 64}, 0}, {IR_dot4uu, "www", {32}, 0}, {IR_dot4ss, "www", {32}, 0}, {IR_dot4su, "www", {32}, 0},
	{IR_select, "pww", {16, 32, 64}, 1}, {IR_umadhi, "wwd", {32}, 0},
	{IR_saddsat, "ww", {32}, 0}, {IR_ssubsat, "ww", {32}, 0}, {IR_pkadd, "ww", {32}, 0}, {IR_pksub, "ww", {32}, 0},
	{IR_pkumin, "ww", {32}, 0}, {IR_pkumax, "ww", {32}, 0}, {IR_pksmin, "ww", {32}, 0}, {IR_pksmax, "ww", {32}, 0},
};

static uint16_t result_width(uint32_t op, uint32_t w, uint32_t times)
{
	switch (ir_op_info[op].result) {
	case IRR_B1: return 1;
	case IRR_B32: return 32;
	case IRR_B64: return 64;
	default: return (uint16_t)(w * (times ? times : 1));
	}
}

static void integer_combos(void)
{
	for (size_t k = 0; k < sizeof ints / sizeof *ints; k++)
		for (int n = 0; ints[k].widths[n]; n++) {
			uint16_t w = ints[k].widths[n];
			struct combo c = {.op = ints[k].op, .rw = result_width(ints[k].op, w, ints[k].result)};
			for (int a = 0; ints[k].args[a]; a++)
				c.w[a] = ints[k].args[a] == 'w' ? w : ints[k].args[a] == 'd' ? 2 * w : ints[k].args[a] == 's' ? 32 : 1;
			add(c);
		}
	static const uint16_t extensions[][2] = {{1, 16}, {1, 32}, {1, 64}, {16, 32}, {16, 64}, {32, 64}};
	for (int k = 0; k < 6; k++) {
		add((struct combo){.op = IR_zext, .w = {extensions[k][0]}, .rw = extensions[k][1]});
		add((struct combo){.op = IR_sext, .w = {extensions[k][0]}, .rw = extensions[k][1]});
		if (extensions[k][0] > 1)
			add((struct combo){.op = IR_trunc, .w = {extensions[k][1]}, .rw = extensions[k][0]});
	}
	for (uint8_t cond = IRC_EQ; cond <= IRC_UGE; cond++)
		for (uint16_t w = 16; w <= 64; w *= 2)
			add((struct combo){.op = IR_icmp, .w = {w, w}, .rw = 1, .cond = cond});
}

static void modified(struct combo c, bool rnds, bool ftz, bool sat)
{
	for (uint8_t rnd = IR_RN; rnd <= (rnds ? IR_RP : IR_RN); rnd++)
		for (int m = 0; m < 4; m++) {
			c.rnd = rnd;
			c.ftz = m & 1;
			c.sat = m & 2;
			if ((ftz || !c.ftz) && (sat || !c.sat))
				add(c);
		}
}

static void float_combos(void)
{
	static const struct { uint16_t op; uint8_t nargs; bool rnds, sat, nan; } ops[] = {
		{IR_fadd, 2, 1, 1, 0}, {IR_fsub, 2, 1, 1, 0}, {IR_fmul, 2, 1, 1, 0}, {IR_ffma, 3, 1, 1, 0}, {IR_fmin, 2, 0, 0, 1}, {IR_fmax, 2, 0, 0, 1},
		{IR_fcanon, 1, 0, 1, 0}, {IR_fdiv, 2, 1, 0, 0}, {IR_frcp, 1, 1, 0, 0}, {IR_fsqrt, 1, 1, 0, 0}, {IR_frint, 1, 1, 0, 0}};
	for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
		for (uint16_t w = 16; w <= 64; w *= 2) {
			struct combo c = {.op = ops[k].op, .w = {w, ops[k].nargs > 1 ? w : 0, ops[k].nargs > 2 ? w : 0}, .rw = w};
			modified(c, ops[k].rnds, w == 32 || (w == 16 && k < 7), ops[k].sat && w < 64);
			c.nan = true;
			if (ops[k].nan && w < 64)
				modified(c, false, true, false);
			c.nan = false;
			c.relu = true;
			if (c.op == IR_ffma && w == 16)
				modified(c, false, true, false);
		}
	for (uint16_t op = IR_pkfadd; op <= IR_pkfmax; op++) {
		struct combo c = {.op = op, .w = {32, 32, op == IR_pkffma ? 32 : 0}, .rw = 32};
		bool minmax = op == IR_pkfmin || op == IR_pkfmax;
		modified(c, false, true, !minmax);
		c.nan = minmax;
		c.relu = op == IR_pkffma;
		if (c.nan || c.relu)
			modified(c, false, true, false);
	}
	for (uint16_t w = 16; w <= 64; w *= 2) {
		add((struct combo){.op = IR_fneg, .w = {w}, .rw = w, .nan = w == 64});
		add((struct combo){.op = IR_fabs, .w = {w}, .rw = w, .nan = w == 64});
		add((struct combo){.op = IR_ftestclass, .w = {w, 32}, .rw = 1});
		for (uint8_t cond = IRC_FEQ; cond < IRC_COUNT; cond++)
			modified((struct combo){.op = IR_fcmp, .w = {w, w}, .rw = 1, .cond = cond}, false, w == 32, false);
		if (w < 64)
			add((struct combo){.op = IR_fnan, .w = {w}, .rw = w});
	}
	add((struct combo){.op = IR_fneg, .w = {64}, .rw = 64});
	add((struct combo){.op = IR_fabs, .w = {64}, .rw = 64});
	add((struct combo){.op = IR_pkfnan, .w = {32}, .rw = 32});
}

static void conversion_combos(void)
{
	for (uint16_t from = 16; from <= 64; from *= 2)
		for (uint16_t to = 16; to <= 64; to *= 2) {
			modified((struct combo){.op = IR_fptosi, .w = {from}, .rw = to}, true, from == 32, false);
			modified((struct combo){.op = IR_fptoui, .w = {from}, .rw = to}, true, from == 32, false);
			modified((struct combo){.op = IR_sitofp, .w = {from}, .rw = to}, true, false, false);
			modified((struct combo){.op = IR_uitofp, .w = {from}, .rw = to}, true, false, false);
			if (from < to)
				modified((struct combo){.op = IR_fpext, .w = {from}, .rw = to}, false, from == 32, false);
			if (from > to)
				modified((struct combo){.op = IR_fptrunc, .w = {from}, .rw = to}, true, from + to != 80, false);
		}
	add((struct combo){.op = IR_bf16tof32, .w = {16}, .rw = 32});
	modified((struct combo){.op = IR_f32tobf16, .w = {32}, .rw = 16}, true, true, false);
	add((struct combo){.op = IR_f32tobf16, .w = {32}, .rw = 16, .rnd = IR_RNA});
}

/* --- operands --- */

static uint64_t seed = 0x9E3779B97F4A7C15u;
static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

static uint64_t edge(uint32_t w, uint32_t k)
{
	static const uint16_t e16[] = {0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x83ff, 0x3c00, 0xbc00, 0x3bff, 0x7bff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xffff, 0x7fff,
				       0x3800, 0x4100, 0x5555};
	static const uint32_t e32[] = {0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x807fffff, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x7f7fffff, 0x7f800000,
				       0xff800000, 0x7f800001, 0x7fc00000, 0xffffffff, 0x7fffffff, 0x3f000000, 0x40200000, 0x4f000000};
	static const uint64_t e64[] = {0, 0x8000000000000000, 1, 0x000fffffffffffff, 0x0010000000000000, 0x800fffffffffffff, 0x3ff0000000000000, 0xbff0000000000000,
				       0x3fefffffffffffff, 0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff0000000000001, 0x7ff8000000000000,
				       0xfff8123456789abc, 0xffffffffffffffff, 0x7fffffffffffffff, 0x41e0000000000000, 0x4004000000000000, 0x380fffffe0000000};
	k %= 20;
	return w == 1 ? k & 1 : w == 16 ? e16[k] : w == 32 ? e32[k] : e64[k];
}

static uint64_t sample(uint32_t w, uint32_t arg, uint32_t n)
{
	if (n < 400)
		return edge(w, arg == 0 ? n % 20 : arg == 1 ? n / 20 : n * 7 + 3);
	uint64_t r = next_random() & ir_mask(w);
	if (w >= 16 && next_random() & 1) { /* exponents near one another */
		uint32_t mant = w == 16 ? 10 : w == 32 ? 23 : 52;
		uint64_t bias = ir_mask(w - 2 - mant);
		r = (r & ~(ir_mask(w - 1 - mant) << mant)) | (bias - 6 + next_random() % 14) << mant;
	} else if (next_random() & 1) {
		r >>= next_random() % w;
	}
	return r;
}

/* --- one combination as a kernel --- */

static uint32_t nargs_of(const struct combo *c)
{
	return 1u + (c->w[1] != 0) + (c->w[2] != 0);
}

/* Thread i takes its operands from word i of three arrays and puts the result into word i of a fourth. */
static void kernel(struct strbuf *sb, const struct combo *c, uint32_t index)
{
	uint32_t v = 3, arg[3];
	sb_printf(sb, "kernel @k%u param_bytes 32 {\n", index);
	for (uint32_t k = 0; k < 4; k++)
		sb_printf(sb, "\tparam @p%u offset %u size 8 align 8 type 10\n", k, 8 * k);
	sb_puts(sb, "b0:\n\t%0:32 = sreg tid.x\n\t%1:32 = sreg ctaid.x\n\t%2:32 = mul %1, 256:32\n\t%3:32 = add %2, %0\n\t%4:64 = umulwide %3, 8:32\n");
	v = 5;
	for (uint32_t k = 0; k < nargs_of(c); k++) {
		uint32_t w = c->w[k] == 1 ? 32 : c->w[k];
		sb_printf(sb, "\t%%%u:64 = load.param.b64.readonly %u:32\n\t%%%u:64 = add %%%u, %%4\n\t%%%u:%u = load.global.b%u %%%u\n", v, 8 * k, v + 1, v,
			  v + 2, w, w, v + 1);
		v += 3;
		if (c->w[k] == 1)
			sb_printf(sb, "\t%%%u:32 = and %%%u, 1:32\n\t%%%u:1 = icmp.ne %%%u, 0:32\n", v, v - 1, v + 1, v), v += 2;
		arg[k] = v - 1;
	}
	sb_printf(sb, "\t%%%u:%u = %s", v, c->rw, ir_op_info[c->op].name);
	if (ir_op_info[c->op].flags & IRF_HAS_COND)
		sb_printf(sb, ".%s", ir_cond_names[c->cond]);
	sb_printf(sb, "%s%s%s%s%s%s", c->rnd ? "." : "", c->rnd ? ir_rnd_names[c->rnd] : "", c->ftz ? ".ftz" : "", c->sat ? ".sat" : "", c->relu ? ".relu" : "",
		  c->nan ? ".nan" : "");
	for (uint32_t k = 0; k < nargs_of(c); k++)
		sb_printf(sb, "%s %%%u", k ? "," : "", arg[k]);
	uint32_t result = v, w = c->rw;
	v++;
	sb_puts(sb, "\n");
	if (w == 1) {
		sb_printf(sb, "\t%%%u:32 = zext %%%u\n", v, result);
		result = v++;
		w = 32;
	}
	sb_printf(sb, "\t%%%u:64 = load.param.b64.readonly 24:32\n\t%%%u:64 = add %%%u, %%4\n\tstore.global.b%u %%%u, %%%u\n\texit\n}\n", v, v + 1, v, w, v + 1,
		  result);
}

struct device {
	struct sim *sim;
	struct sim_module *module;
};

static struct device compile(struct arena *a, const char *gpu, int level, const char *text, size_t n)
{
	struct diags diags;
	struct device d;
	const char *why;
	char err[256];
	diags_init(&diags, a);
	struct ir_module *m = ir_read(a, &diags, text, n);
	if (!m)
		ck_abort_msg("line %u: %s", diags.list.data[0].line, diags.list.data[0].text);
	struct ptx_options opt = {.gpu = gpu, .check = 1};
	struct pass_run run = {.arena = a, .opt = &opt, .target = amd_target_find(gpu), .level = level};
	m->wave_size = run.target->wave_size;
	m->target = run.target;
	ck_assert(passes_ir(&run, m));
	struct emit_module em = {.arena = a, .diags = &diags, .target = run.target};
	for (uint32_t k = 0; k < m->funcs.len; k++) {
		vec_push(a, &em.funcs, passes_machine(&run, m->funcs.data[k]));
		ck_assert_ptr_nonnull(vec_last(&em.funcs));
		vec_push(a, &em.ir_funcs, m->funcs.data[k]);
	}
	size_t size;
	const uint8_t *object = emit_object(&em, &size);
	ck_assert_ptr_nonnull(object);
	d.sim = sim_new(gpu, NULL, &why);
	d.module = sim_load(d.sim, object, size, err, sizeof err);
	ck_assert_msg(d.module != NULL, "%s", err);
	return d;
}

static bool fold(const struct combo *c, const uint64_t *x, uint64_t *bits)
{
	struct ir_inst in[3], *ptrs[3] = {&in[0], &in[1], &in[2]};
	struct ir_inst i = {.op = c->op, .width = c->rw, .cond = c->cond, .rnd = c->rnd, .ftz = c->ftz, .sat = c->sat, .nan = c->nan, .relu = c->relu,
			    .nargs = nargs_of(c), .args = ptrs};
	for (uint32_t k = 0; k < 3; k++)
		in[k] = (struct ir_inst){.op = IR_const, .width = c->w[k], .imm = x[k]};
	return ir_fold_const(&i, bits);
}

/* Where the folder may decline: the two places of the header. */
static bool may_decline(const struct combo *c, const uint64_t *x, uint64_t got)
{
	bool packed = c->op >= IR_pkfadd && c->op <= IR_pkfmax;
	uint64_t least = c->op == IR_f32tobf16 ? 0x80 : c->rw == 64 ? (uint64_t)1 << 52 : c->rw == 32 && !packed ? 0x00800000 : 0x0400;
	uint64_t mag = got & ir_mask(c->rw - 1u);
	uint32_t nans = 0;
	for (uint32_t k = 0; k < nargs_of(c); k++)
		nans += c->w[k] == 64 && (x[k] & ir_mask(63)) > 0x7ff0000000000000;
	if (c->rw == 64 && nans && mag > 0x7ff0000000000000)
		return true;
	if (packed)
		return c->ftz && ((mag & 0x7fff) == least || mag >> 16 == least || !(mag & 0x7fff) || !(mag >> 16));
	return c->ftz && (mag == least || !mag);
}

static void describe(char *s, size_t n, const struct combo *c)
{
	snprintf(s, n, "%s%s%s.%s%s%s%s%s %u,%u,%u -> %u", ir_op_info[c->op].name, ir_op_info[c->op].flags & IRF_HAS_COND ? "." : "",
		 ir_op_info[c->op].flags & IRF_HAS_COND ? ir_cond_names[c->cond] : "", ir_rnd_names[c->rnd], c->ftz ? ".ftz" : "", c->sat ? ".sat" : "",
		 c->relu ? ".relu" : "", c->nan ? ".nan" : "", c->w[0], c->w[1], c->w[2], c->rw);
}

static void run(struct device *d, const struct combo *c, uint32_t index, const char *where)
{
	static uint64_t x[3][TUPLES], out[TUPLES];
	uint64_t p[4];
	char name[16], what[128];
	struct sim_stats stats;
	struct sim_fault fault;
	for (uint32_t k = 0; k < 4; k++) {
		p[k] = sim_alloc(d->sim, sizeof out, SIM_MEM_READ | SIM_MEM_WRITE);
		for (uint32_t n = 0; k < nargs_of(c) && k < 3 && n < TUPLES; n++)
			x[k][n] = sample(c->w[k], k, n);
		if (k < 3)
			sim_write(d->sim, p[k], x[k], sizeof out);
	}
	snprintf(name, sizeof name, "k%u", index);
	describe(what, sizeof what, c);
	struct sim_launch l = {.kernel = sim_kernel_find(d->module, name), .grid = {TUPLES / 256, 1, 1}, .block = {256, 1, 1}, .args = p, .args_size = sizeof p};
	if (!sim_run(d->sim, &l, &stats, &fault))
		ck_abort_msg("%s: %s: %s", where, what, fault.text);
	sim_read(d->sim, p[3], out, sizeof out);
	for (uint32_t n = 0; n < TUPLES; n++) {
		uint64_t in[3] = {x[0][n], x[1][n], x[2][n]}, want, got = out[n] & ir_mask(c->rw);
		bool known = fold(c, in, &want);
		if (known ? got != want : !may_decline(c, in, got))
			ck_abort_msg("%s: %s: %llx %llx %llx: computed %llx, %s %llx", where, what, (unsigned long long)in[0], (unsigned long long)in[1],
				     (unsigned long long)in[2], (unsigned long long)got, known ? "folded" : "not folded", known ? (unsigned long long)want : 0);
	}
	for (uint32_t k = 0; k < 4; k++)
		sim_dealloc(d->sim, p[k]);
}

static const struct { const char *gpu; int level; } targets[] = {{"gfx1030", 3}, {"gfx1100", 3}, {"gfx1100", 0}};

START_TEST(as_the_simulator)
{
	const char *gpu = targets[_i % 3].gpu;
	int level = targets[_i % 3].level;
	uint32_t first = (uint32_t)(_i / 3) * BATCH, end = first + BATCH < ncombos ? first + BATCH : ncombos;
	char where[32];
	struct arena a;
	struct trap trap;
	struct strbuf sb;
	if (first >= end)
		return;
	arena_init(&a, &trap);
	if (setjmp(trap.env))
		ck_abort_msg("%s", trap.msg);
	sb_init(&sb, &a);
	for (uint32_t k = first; k < end; k++)
		kernel(&sb, &combos[k], k);
	snprintf(where, sizeof where, "%s -O%d", gpu, level);
	struct device d = compile(&a, gpu, level, sb_str(&sb), strlen(sb_str(&sb)));
	for (uint32_t k = first; k < end; k++)
		run(&d, &combos[k], k, where);
	sim_free(d.sim);
	arena_free(&a);
}
END_TEST

START_TEST(every_opcode)
{
	static const struct { const char *name, *expr; } rows[] = {
#define IR_OP(name, nargs, result, flags, expr) {#name, #expr},
#include "ir/ir_ops.def"
#undef IR_OP
	};
	for (uint32_t k = 0; k < IR_OP_COUNT; k++)
		if (strcmp(rows[k].expr, "FOLD_NONE") && !covered[k])
			ck_abort_msg("%s folds and has no case in this test", rows[k].name);
}
END_TEST

int main(void)
{
	integer_combos();
	float_combos();
	conversion_combos();
	Suite *s = suite_create("ir_fold_sim");
	TCase *t = tcase_create("all");
	tcase_set_timeout(t, 120);
	tcase_add_test(t, every_opcode);
	tcase_add_loop_test(t, as_the_simulator, 0, (int)((ncombos + BATCH - 1) / BATCH) * 3);
	suite_add_tcase(s, t);
	return unit_run(s);
}
