/* The rows of build_rows.h compiled and run on the simulator, for gfx1030 and gfx1100, with and without optimisation. */
#include <stdio.h>

#include "../../tests/unit/build_rows_gen.h"
#include "ptx.h"
#include "sim/sim.h"
#include "unit.h"

enum { BATCH = 16 };

static struct ptx_context *ctx;

struct text {
	char s[16384];
	size_t n;
};
#define ADD(t, ...) ((t)->n += (size_t)snprintf((t)->s + (t)->n, sizeof (t)->s - (t)->n, __VA_ARGS__))

/* Thread i takes its operands from word i of three arrays and puts the result into word i of a fourth. */
static void kernel(struct text *t, const struct row *r, uint32_t index)
{
	uint32_t n = (uint32_t)strcspn(r->sig, "="), db = sets[set_of(r->sig[n + 1])].bits;
	ADD(t, ".visible .entry k%u(.param .b64 p0, .param .b64 p1, .param .b64 p2, .param .b64 pd, .param .b32 pn)\n{\n", index);
	for (uint32_t k = 0; k < n; k++)
		ADD(t, ".reg .b%u %%x%u;\n", sets[set_of(r->sig[k])].bits, k);
	ADD(t, ".reg .b%u %%d; .reg .b64 %%a<4>; .reg .b32 %%i<4>; .reg .b64 %%o; .reg .pred %%out;\n"
	       "mov.u32 %%i0, %%ctaid.x; mov.u32 %%i1, %%ntid.x; mov.u32 %%i2, %%tid.x; mad.lo.u32 %%i0, %%i0, %%i1, %%i2;\n"
	       "ld.param.b32 %%i1, [pn]; setp.ge.u32 %%out, %%i0, %%i1; @%%out ret;\nmul.wide.u32 %%o, %%i0, 8;\n", db);
	for (uint32_t k = 0; k < n; k++)
		ADD(t, "ld.param.b64 %%a%u, [p%u]; add.u64 %%a%u, %%a%u, %%o; ld.global.b%u %%x%u, [%%a%u];\n", k, k, k, k,
		    sets[set_of(r->sig[k])].bits, k, k);
	for (const char *c = r->text; *c; c++) {
		if (*c != '$')
			ADD(t, "%c", *c);
		else if (*++c == 'd')
			ADD(t, "%%d");
		else
			ADD(t, "%%x%d", *c - 'a');
	}
	ADD(t, ";\nld.param.b64 %%a3, [pd]; add.u64 %%a3, %%a3, %%o; st.global.b%u [%%a3], %%d;\nret;\n}\n", db);
}

struct device {
	struct sim *sim;
	struct sim_module *module;
};

static struct device device(const char *gpu, int level, const char *text, size_t n)
{
	struct ptx_options opt = {.gpu = gpu, .opt_level = level, .check = 1};
	struct device d = {0};
	const struct ptx_output *out;
	const char *why = NULL;
	char err[512];
	if (ptx_compile(ctx, &opt, text, n, &out) != PTX_OK)
		ck_abort_msg("%s -O%d line %u: %s", gpu, level - PTX_O0, out->diagnostics[0].line, out->diagnostics[0].text);
	d.sim = sim_new(gpu, NULL, &why);
	ck_assert_msg(d.sim != NULL, "%s: %s", gpu, why);
	d.module = sim_load(d.sim, out->object, out->object_size, err, sizeof err);
	ck_assert_msg(d.module != NULL, "%s: %s", gpu, err);
	return d;
}

struct values {
	uint32_t n;
	u64 *arg[3], *out;
};

static struct values values(const struct row *r)
{
	struct values v = {.n = samples(r)};
	for (uint32_t k = 0; k < 3; k++)
		v.arg[k] = calloc(v.n, 8);
	v.out = calloc(v.n, 8);
	for (uint32_t i = 0; i < v.n; i++) {
		u64 c[3];
		combo(r, i, c);
		for (uint32_t k = 0; k < 3; k++)
			v.arg[k][i] = c[k];
	}
	return v;
}

static void compare(const struct row *r, const char *where, const struct values *v)
{
	char type = r->sig[strcspn(r->sig, "=") + 1];
	for (uint32_t i = 0; i < v->n; i++) {
		u64 in[] = {v->arg[0][i], v->arg[1][i], v->arg[2][i]}, want = row_ref(r, in), got = v->out[i];
		if (!same(want, got, type))
			ck_abort_msg("%s: %s: a %llx b %llx c %llx: got %llx, should be %llx", where, r->text,
				     (unsigned long long)v->arg[0][i], (unsigned long long)v->arg[1][i],
				     (unsigned long long)v->arg[2][i], (unsigned long long)got, (unsigned long long)want);
	}
}

static void run(struct device *d, const struct row *r, uint32_t index, const char *where)
{
	struct values v = values(r);
	struct {
		u64 p[4];
		u32 n;
	} args = {.n = v.n};
	char name[16];
	struct sim_stats stats;
	struct sim_fault fault;
	for (uint32_t k = 0; k < 4; k++)
		args.p[k] = sim_alloc(d->sim, v.n * 8ull, SIM_MEM_READ | SIM_MEM_WRITE);
	for (uint32_t k = 0; k < 3; k++)
		ck_assert(sim_write(d->sim, args.p[k], v.arg[k], v.n * 8ull));
	snprintf(name, sizeof name, "k%u", index);
	struct sim_launch l = {.kernel = sim_kernel_find(d->module, name), .grid = {(v.n + 255) / 256, 1, 1}, .block = {256, 1, 1},
			       .args = &args, .args_size = sizeof args};
	ck_assert_ptr_nonnull(l.kernel);
	if (!sim_run(d->sim, &l, &stats, &fault))
		ck_abort_msg("%s: %s: %s", where, r->text, fault.text);
	ck_assert(sim_read(d->sim, args.p[3], v.out, v.n * 8ull));
	compare(r, where, &v);
	for (uint32_t k = 0; k < 4; k++)
		sim_dealloc(d->sim, args.p[k]);
	for (uint32_t k = 0; k < 3; k++)
		free(v.arg[k]);
	free(v.out);
}

static void batch(uint32_t first, const char *gpu, int level)
{
	static struct text t;
	char where[32];
	uint32_t end = first + BATCH < nrows ? first + BATCH : nrows;
	snprintf(where, sizeof where, "%s -O%d", gpu, level - PTX_O0);
	t.n = 0;
	ADD(&t, ".version 9.0\n.target sm_100a\n.address_size 64\n");
	for (uint32_t k = first; k < end; k++)
		kernel(&t, &rows[k], k);
	ck_assert_uint_lt(t.n, sizeof t.s);
	struct device d = device(gpu, level, t.s, t.n);
	for (uint32_t k = first; k < end; k++)
		run(&d, &rows[k], k, where);
	sim_free(d.sim);
}

START_TEST(rows_on_the_simulator)
{
	static const char *const gpus[] = {"gfx1100", "gfx1030"};
	ctx = ptx_context_new();
	for (uint32_t g = 0; g < 2; g++)
		for (int level = PTX_O0; level <= PTX_O3; level += PTX_O3 - PTX_O0)
			batch((uint32_t)_i * BATCH, gpus[g], level);
	ptx_context_free(ctx);
}
END_TEST

int main(void)
{
	make_rows();
	Suite *s = suite_create("build_run");
	TCase *tc = tcase_create("rows");
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, rows_on_the_simulator, 0, (int)(nrows + BATCH - 1) / BATCH);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
