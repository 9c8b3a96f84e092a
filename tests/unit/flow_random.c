/* Random control flow, gotos of any shape, against a host that follows each lane by itself; and plans with planted faults.
 *
 * A program is a list of blocks. Each mixes its number into x, burns fuel and goes on by a bit of x (lanes differ), by a bit of a kernel
 * parameter (all lanes agree) or always; when the fuel is gone the lane stores x and ends, in some programs by an early exit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/ir.h"
#include "isel/isel_reconverge.h"
#include "ptx.h"
#include "sim/sim.h"
#include "unit.h"

enum { MAX_BLOCKS = 24, LANES = 64, FUEL = 60 };

struct node {
	int kind; /* 0 goto, 1 by lane, 2 by parameter, 3 exit by lane (stores), 4 barrier-free detour: an inner loop by lane */
	uint32_t shift, to[2];
};
struct program {
	uint32_t n, seed;
	struct node node[MAX_BLOCKS];
};

static uint32_t next(uint32_t *s)
{
	*s = *s * 1664525u + 1013904223u;
	return *s >> 8;
}

static struct program make(uint32_t seed)
{
	struct program p = {.seed = seed};
	uint32_t s = seed * 2654435761u + 1;
	p.n = 2 + next(&s) % (MAX_BLOCKS - 2);
	for (uint32_t k = 0; k < p.n; k++) {
		uint32_t r = next(&s) % 10;
		p.node[k].kind = r < 2 ? 0 : r < 6 ? 1 : r < 8 ? 2 : r < 9 ? 3 : 4;
		p.node[k].shift = next(&s) % 24;
		for (int t = 0; t < 2; t++) /* mostly near and forward, as real code; sometimes anywhere */
			p.node[k].to[t] = next(&s) % 4 ? (k + 1 + next(&s) % 3) % p.n : next(&s) % p.n;
	}
	return p;
}

static uint32_t mix(uint32_t x, uint32_t k)
{
	return (x ^ (x >> 7)) * 2654435761u + k;
}

static uint32_t follow(const struct program *p, uint32_t lane, uint32_t param)
{
	uint32_t x = lane * 40503u + p->seed, fuel = FUEL, k = 0;
	for (;;) {
		const struct node *n = &p->node[k];
		x = mix(x, k);
		if (!--fuel)
			return x;
		switch (n->kind) {
		case 0:
			k = n->to[0];
			break;
		case 1:
			k = n->to[x >> n->shift & 1 ? 0 : 1];
			break;
		case 2:
			k = n->to[param >> n->shift & 1 ? 0 : 1];
			break;
		case 3:
			if ((x >> n->shift & 31) == 0)
				return x + 1;
			k = n->to[0];
			break;
		case 4:
			for (uint32_t c = x & 7; c; c--)
				x = mix(x, c);
			k = n->to[1];
			break;
		}
	}
}

static char *write_ptx(const struct program *p)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	fputs(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 bits)\n{\n"
	      "\t.reg .pred %p<3>;\n\t.reg .b32 %r<12>;\n\t.reg .b64 %a<4>;\n"
	      "\tld.param.u64 %a0, [out];\n\tld.param.u32 %r1, [bits];\n\tmov.u32 %r2, %tid.x;\n", f);
	fprintf(f, "\tmad.lo.u32 %%r0, %%r2, 40503, %u;\n\tmov.u32 %%r3, %d;\n\tmul.wide.u32 %%a1, %%r2, 4;\n\tadd.u64 %%a2, %%a0, %%a1;\n",
	        p->seed, FUEL);
	for (uint32_t k = 0; k < p->n; k++) {
		const struct node *n = &p->node[k];
		fprintf(f, "B%u:\n\tshr.u32 %%r4, %%r0, 7;\n\txor.b32 %%r4, %%r4, %%r0;\n\tmad.lo.u32 %%r0, %%r4, %u, %u;\n", k, 2654435761u, k);
		fputs("\tsub.u32 %r3, %r3, 1;\n\tsetp.eq.u32 %p0, %r3, 0;\n\t@%p0 bra DONE;\n", f);
		switch (n->kind) {
		case 0:
			fprintf(f, "\tbra B%u;\n", n->to[0]);
			break;
		case 1:
		case 2:
			fprintf(f, "\tshr.u32 %%r5, %%r%d, %u;\n\tand.b32 %%r5, %%r5, 1;\n\tsetp.ne.u32 %%p1, %%r5, 0;\n\t@%%p1 bra B%u;\n\tbra B%u;\n",
			        n->kind == 1 ? 0 : 1, n->shift, n->to[0], n->to[1]);
			break;
		case 3:
			fprintf(f, "\tshr.u32 %%r5, %%r0, %u;\n\tand.b32 %%r5, %%r5, 31;\n\tsetp.ne.u32 %%p1, %%r5, 0;\n\t@%%p1 bra B%u;\n"
			           "\tadd.u32 %%r0, %%r0, 1;\n\tst.global.u32 [%%a2], %%r0;\n\texit;\n", n->shift, n->to[0]);
			break;
		case 4:
			fprintf(f, "\tand.b32 %%r6, %%r0, 7;\nL%u:\n\tsetp.eq.u32 %%p1, %%r6, 0;\n\t@%%p1 bra B%u;\n\tshr.u32 %%r4, %%r0, 7;\n"
			           "\txor.b32 %%r4, %%r4, %%r0;\n\tmad.lo.u32 %%r0, %%r4, %u, %%r6;\n\tsub.u32 %%r6, %%r6, 1;\n\tbra L%u;\n",
			        k, n->to[1], 2654435761u, k);
			break;
		}
	}
	fputs("DONE:\n\tst.global.u32 [%a2], %r0;\n\tret;\n}\n", f);
	fclose(f);
	return text;
}

static void run_program(uint32_t seed, const char *gpu, int level, uint32_t ra_seed, uint32_t max_vgprs)
{
	struct program p = make(seed);
	char *text = write_ptx(&p), err[256];
	if (getenv("FLOW_PRINT"))
		puts(text);
	struct ptx_context *ctx = ptx_context_new();
	struct ptx_options opt = {.gpu = gpu, .check = 1, .opt_level = level, .seed = ra_seed, .max_vgprs = max_vgprs};
	const struct ptx_output *out;
	enum ptx_status status = ptx_compile(ctx, &opt, text, strlen(text), &out);
	ck_assert_msg(status == PTX_OK, "seed %u %s: %s", seed, gpu, out->ndiagnostics ? out->diagnostics[0].text : "?");
	struct sim_options so = {.seed = seed};
	const char *why;
	struct sim *s = sim_new(gpu, &so, &why);
	struct sim_module *m = sim_load(s, out->object, out->object_size, err, sizeof err);
	ck_assert_msg(m != NULL, "%s", err);
	uint64_t buf = sim_alloc(s, LANES * 4, SIM_MEM_READ | SIM_MEM_WRITE);
	struct {
		uint64_t out;
		uint32_t bits;
	} args = {buf, seed * 0x9E3779B9u};
	struct sim_launch l = {.kernel = sim_kernel_find(m, "k"), .grid = {1, 1, 1}, .block = {LANES, 1, 1}, .args = &args, .args_size = 12};
	struct sim_stats st;
	struct sim_fault fault;
	bool ran = sim_run(s, &l, &st, &fault);
	ck_assert_msg(ran, "seed %u %s: %s", seed, gpu, fault.text);
	uint32_t got[LANES];
	sim_read(s, buf, got, sizeof got);
	for (uint32_t k = 0; k < LANES; k++)
		ck_assert_msg(got[k] == follow(&p, k, args.bits), "seed %u %s level %d lane %u: %08x, expected %08x", seed, gpu, level, k, got[k],
		              follow(&p, k, args.bits));
	sim_free(s);
	ptx_context_free(ctx);
	free(text);
}

START_TEST(lanes_go_their_own_way)
{
	for (uint32_t seed = 0; seed < 150; seed++)
		run_program((uint32_t)_i * 1000 + seed, seed & 1 ? "gfx1030" : "gfx1100", seed % 5 ? PTX_O3 : PTX_O0, seed % 3, seed % 7 ? 0 : 24);
}
END_TEST

/* --- planted faults: the plan's checker must find each --- */

static const char diamond[] =
	"kernel @k visible line 1 param_bytes 0 {\n"
	"b0:\n\t%0:32 = sreg tid.x\n\t%1:1 = icmp.ult %0, 7:32\n\tcondbr %1, b1, b2\n"
	"b1 (b0):\n\t%2:1 = icmp.ult %0, 3:32\n\tcondbr %2, b3, b4\n"
	"b2 (b0):\n\tbr b5\n"
	"b3 (b1):\n\tbr b5\n"
	"b4 (b1):\n\texit\n"
	"b5 (b2, b3):\n\tfence.acq_rel.gpu\n\texit\n"
	"}\n";

static struct isel_plan *plan_of(struct arena *a, struct diags *d)
{
	struct ir_module *m = ir_read(a, d, diamond, strlen(diamond));
	ck_assert_msg(m != NULL, "%s", d->list.len ? d->list.data[0].text : "not read");
	struct ir_func *f = m->funcs.data[0];
	ir_dominators(f);
	ir_loops(f);
	ir_divergence(f);
	return isel_reconverge(a, f);
}

/* Each changes one thing in the plan; false: there is nothing to change at that node. */
static bool forget_waiting(struct isel_plan *p, uint32_t node)
{
	for (uint32_t t = 0; t < p->nnodes; t++)
		if (bitset_has(p->nodes[node].in, t))
			return bitset_del(p->nodes[node].in, t), true;
	return false;
}
static bool drop_edge(struct isel_plan *p, uint32_t node)
{
	if (p->nodes[node].end != ISEL_END_DIRECT || !p->nodes[node].wave_succs.len)
		return false;
	p->nodes[node].wave_succs.len--;
	return true;
}
static bool wrong_saved_mask(struct isel_plan *p, uint32_t node)
{
	if (p->nodes[node].join != ISEL_JOIN_MASK)
		return false;
	p->nodes[node].join = ISEL_JOIN_SAVED;
	p->nodes[node].saved_at = 0;
	return true;
}
static bool no_join(struct isel_plan *p, uint32_t node)
{
	if (p->nodes[node].join == ISEL_JOIN_NONE)
		return false;
	p->nodes[node].join = ISEL_JOIN_NONE;
	return true;
}

START_TEST(planted_faults_are_reported)
{
	static bool (*const faults[])(struct isel_plan *, uint32_t) = {forget_waiting, drop_edge, wrong_saved_mask, no_join};
	struct trap trap;
	struct arena a;
	struct diags d;
	volatile uint32_t planted = 0, found = 0, node = 0;
	volatile bool there = true;
	for (; there; node++) {
		arena_init(&a, &trap);
		if (setjmp(trap.env)) {
			found++;
		} else {
			diags_init(&d, &a);
			struct isel_plan *p = plan_of(&a, &d);
			isel_reconverge_check(p);
			there = node + 1 < p->nnodes;
			if (faults[_i](p, node)) {
				planted++;
				isel_reconverge_check(p);
			}
		}
		arena_free(&a);
	}
	ck_assert_uint_gt(planted, 0);
	ck_assert_uint_eq(found, planted);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("flow_random");
	TCase *tc = tcase_create("flow_random");
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, lanes_go_their_own_way, 0, 4);
	tcase_add_loop_test(tc, planted_faults_are_reported, 0, 4);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
