/* Random programs in which bits that one type's arithmetic made are another type's operand, against a model of NVIDIA's hardware: a NaN that
 * keeps the AMD hardware's bits where they are seen shows. Loops, branches, selections, lanes' exchanges, memory; gfx1100 and gfx1030, -O0 and -O3.
 *
 *	random [--seed N] [--count N] [--emit DIR]
 *
 * A program that fails is made smaller and printed. --emit writes programs with inputs and expected outputs instead, to be run elsewhere. */
#include <stdio.h>
#include <stdlib.h>

#include "model.h"
#include "ptx.h"
#include "sim/sim.h"

enum { NR = 10, ND = 6, NH = 6, NP = 4, NM = 4, MOST = 120, LANES = 32, DEPTH = 3 };
enum { OPS, IF, ELSE, END, LOOP, AGAIN, SHFL /* or, k above 31, an exclusive or of all lanes */ }; /* kinds of statements */

static const struct {
	const char *sig, *text;
} rows[] = {
#define OP(sig, text, expr) {sig, text},
#include "ops.def"
#undef OP
};
enum { NROWS = sizeof rows / sizeof *rows };

struct stmt {
	uint8_t kind;
	bool off;
	uint32_t row, d, s[3], k;
};
struct program {
	struct stmt s[MOST];
	uint32_t n, rounds;
	bool exact; /* exact_atomic_nan */
};
struct regs {
	uint32_t r[NR];
	uint64_t d[ND];
	uint16_t h[NH];
	uint8_t p[NP];
	uint32_t s[NM], l[NM]; /* in shared and local memory: begin as sums, do not come back */
};

static uint64_t state;
static uint32_t rnd(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

/* --- values and programs --- */

static uint32_t value16(void)
{
	static const uint16_t special[] = {0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7fff, 0x7c01, 0xfd23, 0x7f80, 0xff80, 0x7fc0, 0x3c00, 0x3f80, 0, 0x8000, 0x7bff};
	return rnd(3) ? special[rnd(15)] : rnd(1 << 16);
}

static uint32_t value32(void)
{
	static const uint32_t special[] = {0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7fffffff, 0x7f800001, 0xff812345, 0x3f800000, 0, 0x80000000, 0x7f7fffff, 1};
	return rnd(2) ? special[rnd(12)] : rnd(2) ? value16() | value16() << 16 : (rnd(1 << 16) << 16 | rnd(1 << 16));
}

static uint64_t value64(void)
{
	static const uint64_t special[] = {0x7ff0, 0xfff0, 0x7ff8, 0xfff8, 0x7fff, 0x3ff0, 0, 0x8000};
	return rnd(2) ? special[rnd(8)] << 48 | (rnd(3) ? 0 : value32()) : (uint64_t)value32() << 32 | value32();
}

static uint32_t registers; /* of a kind, at most: with few, values meet */

static uint32_t pick(char kind)
{
	uint32_t n = kind == 'r' ? NR : kind == 'd' ? ND : kind == 'h' ? NH : kind == 'p' ? NP : NM;
	return rnd(n < registers ? n : registers);
}

static void add(struct program *p, struct stmt s)
{
	p->s[p->n++] = s;
}

static void generate(struct program *p)
{
	static const uint32_t constants[] = {0x7fff, 0x80000000, 0x7fffffff, 0x8000, 0xffff0000, 0x00400000, 0x200, 1, 0x7fc00000, 0x10001};
	uint32_t open[DEPTH], depth = 0, length = 15 + rnd(60), favourite[12], few = 3 + rnd(10);
	*p = (struct program){.rounds = 1 + rnd(3), .exact = !rnd(3)};
	for (uint32_t k = 0; k < few; k++)
		favourite[k] = rnd(NROWS);
	registers = rnd(2) ? 3 : 10;
	for (uint32_t k = 0; k < length; k++) {
		uint32_t what = rnd(24);
		if (what == 0 && depth < DEPTH) {
			open[depth++] = rnd(3) ? IF : LOOP;
			add(p, (struct stmt){.kind = (uint8_t)open[depth - 1], .d = pick('p'), .k = 2 + rnd(2)});
		} else if (what == 1 && depth && open[depth - 1] == IF) {
			open[depth - 1] = ELSE;
			add(p, (struct stmt){.kind = ELSE});
		} else if (what == 2 && depth) {
			add(p, (struct stmt){.kind = open[--depth] == LOOP ? AGAIN : END});
		} else if (what == 3 && !depth) {
			add(p, (struct stmt){.kind = SHFL, .d = pick('r'), .s = {pick('r')}, .k = rnd(36)});
		} else {
			struct stmt s = {.row = rnd(3) ? favourite[rnd(few)] : rnd(NROWS), .k = constants[rnd(10)]};
			if (*rows[s.row].text == '!' && !p->exact)
				continue;
			const char *sig = rows[s.row].sig;
			s.d = pick(sig[0]);
			for (uint32_t a = 0; sig[a + 1]; a++)
				s.s[a] = pick(sig[a + 1]);
			add(p, s);
		}
	}
	while (depth)
		add(p, (struct stmt){.kind = open[--depth] == LOOP ? AGAIN : END});
}

/* --- on the host --- */

static uint64_t evaluate(uint32_t row, uint64_t a, uint64_t b, uint64_t c, uint64_t k)
{
	uint32_t at = 0;
#define OP(sig, text, expr)                                                                                             \
	if (row == at++)                                                                                                \
		return (uint64_t)(expr);
#include "ops.def"
#undef OP
	abort();
}

static uint64_t get(const struct regs *g, char kind, uint32_t n)
{
	const uint32_t *words = kind == 's' ? g->s : kind == 'l' ? g->l : g->r;
	return kind == 'd' ? g->d[n] : kind == 'h' ? g->h[n] : kind == 'p' ? g->p[n] : words[n];
}

static void set(struct regs *g, char kind, uint32_t n, uint64_t x)
{
	switch (kind) {
	case 'r':
		g->r[n] = (uint32_t)x;
		break;
	case 's':
		g->s[n] = (uint32_t)x;
		break;
	case 'l':
		g->l[n] = (uint32_t)x;
		break;
	case 'd':
		g->d[n] = x;
		break;
	case 'h':
		g->h[n] = (uint16_t)x;
		break;
	default:
		g->p[n] = x != 0;
	}
}

static void operate(const struct stmt *s, struct regs *g)
{
	const char *sig = rows[s->row].sig;
	uint64_t v[3] = {0};
	for (uint32_t a = 0; sig[a + 1]; a++)
		v[a] = get(g, sig[a + 1], s->s[a]);
	set(g, sig[0], s->d, evaluate(s->row, v[0], v[1], v[2], s->k));
}

static uint32_t end_of(const struct program *p, uint32_t at, bool or_else)
{
	uint32_t depth = 0;
	for (uint32_t k = at + 1;; k++) {
		uint8_t kind = p->s[k].kind;
		if (!depth && (kind == END || kind == AGAIN || (or_else && kind == ELSE)))
			return k;
		depth += kind == IF || kind == LOOP;
		depth -= kind == END || kind == AGAIN;
	}
}

/* Statements from..to, in the lanes of `on`, one after the other: all but exchanges belong to a lane. */
static void interpret(const struct program *p, uint32_t from, uint32_t to, struct regs *g, uint32_t on)
{
	for (uint32_t k = from; k < to; k++) {
		const struct stmt *s = &p->s[k];
		uint32_t taken = 0, end, other;
		switch (s->kind) {
		case IF:
			for (uint32_t l = 0; l < LANES; l++)
				taken |= (uint32_t)g[l].p[s->d] << l;
			end = end_of(p, k, false);
			other = end_of(p, k, true);
			interpret(p, k + 1, other, g, on & taken);
			if (other != end)
				interpret(p, other + 1, end, g, on & ~taken);
			k = end;
			break;
		case LOOP:
			end = end_of(p, k, false);
			for (uint32_t n = 0; n < s->k; n++)
				interpret(p, k + 1, end, g, on);
			k = end;
			break;
		case SHFL: {
			uint32_t from_lane[LANES];
			uint32_t all = 0;
			for (uint32_t l = 0; l < LANES; l++)
				all ^= g[l].r[s->s[0]];
			for (uint32_t l = 0; l < LANES; l++)
				from_lane[l] = s->k < LANES ? g[l ^ s->k].r[s->s[0]] : all;
			for (uint32_t l = 0; l < LANES && !s->off; l++)
				g[l].r[s->d] = from_lane[l];
			break;
		}
		default:
			for (uint32_t l = 0; l < LANES && !s->off; l++)
				if (on >> l & 1)
					operate(s, &g[l]);
		}
	}
}

/* --- as PTX --- */

struct text {
	size_t n;
	char s[1 << 16];
};
#define ADD_TEXT(...) (t->n += (size_t)snprintf(t->s + t->n, sizeof t->s - t->n, __VA_ARGS__))

static void operand(struct text *t, char kind, uint32_t n)
{
	if (kind == 's' || kind == 'l')
		ADD_TEXT(kind == 's' ? "[%%fm+%u]" : "[M+%u]", n * 4);
	else
		ADD_TEXT("%%%c%u", kind, n);
}

static void operation(struct text *t, const struct stmt *s)
{
	const char *sig = rows[s->row].sig;
	for (const char *c = rows[s->row].text + (*rows[s->row].text == '!'); *c; c++) {
		if (*c != '$') {
			ADD_TEXT("%c", *c);
			continue;
		}
		char what = *++c;
		if (what == 'd')
			operand(t, sig[0], s->d);
		else if (what == 'k')
			ADD_TEXT("0x%x", s->k);
		else if (what == 'A')
			ADD_TEXT("%u", s->s[0] * 4);
		else if (what == 's' || what == 'S')
			ADD_TEXT("%s", what == 's' ? "%sm" : "%gm");
		else
			operand(t, sig[what - 'a' + 1], s->s[what - 'a']);
	}
	ADD_TEXT("\n");
}

static void body(struct text *t, const struct program *p)
{
	uint32_t open[DEPTH], counter[DEPTH], depth = 0;
	for (uint32_t k = 0; k < p->n; k++) {
		const struct stmt *s = &p->s[k];
		switch (s->kind) {
		case IF:
			open[depth++] = k;
			ADD_TEXT("@!%%p%u bra E%u;\n", s->d, k);
			break;
		case ELSE:
			ADD_TEXT("bra.uni X%u;\nE%u:\n", open[depth - 1], open[depth - 1]);
			break;
		case END: {
			uint32_t at = open[--depth];
			bool has_else = p->s[end_of(p, at, true)].kind == ELSE;
			ADD_TEXT("%c%u:\n", has_else ? 'X' : 'E', at);
			break;
		}
		case LOOP:
			counter[depth] = s->k;
			open[depth++] = k;
			ADD_TEXT("mov.u32 %%n%u, 0;\nL%u:\n", depth, k);
			break;
		case AGAIN:
			ADD_TEXT("add.u32 %%n%u, %%n%u, 1; setp.lt.u32 %%q, %%n%u, %u; @%%q bra L%u;\n", depth, depth, depth, counter[depth - 1], open[depth - 1]);
			depth--;
			break;
		case SHFL:
			if (!s->off && s->k >= LANES)
				ADD_TEXT("redux.sync.xor.b32 %%r%u, %%r%u, 0xffffffff;\n", s->d, s->s[0]);
			else if (!s->off)
				ADD_TEXT("shfl.sync.bfly.b32 %%r%u, %%r%u, %u, 31, 0xffffffff;\n", s->d, s->s[0], s->k);
			break;
		default:
			if (!s->off)
				operation(t, s);
		}
	}
}

static void transfers(struct text *t, const char *op)
{
	bool load = op[0] == 'l';
	for (uint32_t pass = 0; pass < 3; pass++) {
		char kind = "rdh"[pass];
		uint32_t n = pass == 0 ? NR : pass == 1 ? ND : NH, size = pass == 0 ? 4 : pass == 1 ? 8 : 2;
		size_t base = pass == 0 ? offsetof(struct regs, r) : pass == 1 ? offsetof(struct regs, d) : offsetof(struct regs, h);
		for (uint32_t k = 0; k < n; k++)
			if (load)
				ADD_TEXT("ld.global.b%u %%%c%u, [%%a+%zu];\n", size * 8, kind, k, base + k * size);
			else
				ADD_TEXT("st.global.b%u [%%a+%zu], %%%c%u;\n", size * 8, base + k * size, kind, k);
	}
	for (uint32_t k = 0; k < NP; k++)
		if (load)
			ADD_TEXT("ld.global.u8 %%t, [%%a+%zu]; setp.ne.u16 %%p%u, %%t, 0;\n", offsetof(struct regs, p) + k, k);
		else
			ADD_TEXT("selp.u16 %%t, 1, 0, %%p%u; st.global.u8 [%%a+%zu], %%t;\n", k, offsetof(struct regs, p) + k);
}

static void write_text(struct text *t, const struct program *p)
{
	t->n = 0;
	ADD_TEXT(".version 8.1\n.target sm_90\n.address_size 64\n"
		 ".func (.param .b32 z) add32(.param .b32 x, .param .b32 y)\n{\n.reg .f32 a, b; ld.param.f32 a, [x]; ld.param.f32 b, [y]; add.rn.f32 a, a, b; "
		 "st.param.f32 [z], a; ret;\n}\n"
		 ".func (.param .b64 z) high(.param .b32 x, .param .b64 y)\n{\n.reg .b32 a, b, c; .reg .b64 d; ld.param.b32 a, [x]; ld.param.b64 d, [y]; "
		 "mov.b64 {b, c}, d; mov.b64 d, {a, c}; st.param.b64 [z], d; ret;\n}\n"
		 ".visible .entry k(.param .u64 p, .param .u64 q)\n{\n.reg .b64 %%a, %%gm, %%d<%d>; .reg .b32 %%i, %%sm, %%fm, %%n<%d>, %%r<%d>; .reg .b16 %%t, %%h<%d>;\n"
		 ".reg .pred %%q, %%p<%d>;\n.local .align 16 .b8 L[16]; .shared .align 16 .b8 S[%d]; .local .align 16 .b8 M[16]; .shared .align 16 .b8 F[%d];\n"
		 "mov.u32 %%i, %%tid.x; mov.u32 %%fm, F; mad.lo.u32 %%fm, %%i, 16, %%fm; mov.u32 %%sm, S; mad.lo.u32 %%sm, %%i, 16, %%sm;\nld.param.u64 %%gm, [q]; mad.wide.u32 %%gm, %%i, 16, %%gm;\n"
		 "ld.param.u64 %%a, [p]; mad.wide.u32 %%a, %%i, %zu, %%a;\n",
		 ND, DEPTH + 1, NR, NH, NP, LANES * 16, LANES * 16, sizeof(struct regs));
	transfers(t, "ld");
	for (uint32_t k = 0; k < NM; k++)
		ADD_TEXT("{.reg .b32 t; add.rn.f32 t, %%r%u, 0f3f800000; st.shared.b32 [%%fm+%u], t; add.rn.f16x2 t, %%r%u, %%r%u; st.local.b32 [M+%u], t;}\n", k,
			 k * 4, k, k, k * 4);
	ADD_TEXT("mov.u32 %%n0, 0;\nTOP:\n");
	body(t, p);
	ADD_TEXT("add.u32 %%n0, %%n0, 1; setp.lt.u32 %%q, %%n0, %u; @%%q bra TOP;\n", p->rounds);
	transfers(t, "st");
	ADD_TEXT("ret;\n}\n");
	if (t->n >= sizeof t->s)
		abort();
}

/* --- runs --- */

static const struct {
	const char *gpu;
	int level;
} targets[] = {{"gfx1100", PTX_O3}, {"gfx1030", PTX_O3}, {"gfx1100", PTX_O0}, {"gfx1030", PTX_O0}};
enum { NTARGETS = 4 };

/* false: not compiled, or a fault; why is on standard output. */
static bool run(uint32_t target, const struct text *t, bool exact, const struct regs *in, struct regs *out)
{
	struct ptx_context *ctx = ptx_context_new();
	struct ptx_options opt = {.gpu = targets[target].gpu, .opt_level = targets[target].level, .exact_atomic_nan = exact};
	const struct ptx_output *o;
	const char *why;
	char err[256];
	struct sim_stats stats;
	struct sim_fault fault;
	bool ok = ptx_compile(ctx, &opt, t->s, t->n, &o) == PTX_OK;
	if (!ok) {
		printf("%s: line %u: %s\n", opt.gpu, o->diagnostics[0].line, o->diagnostics[0].text);
		ptx_context_free(ctx);
		return false;
	}
	struct sim *sim = sim_new(opt.gpu, &(struct sim_options){0}, &why);
	struct sim_module *m = sim_load(sim, o->object, o->object_size, err, sizeof err);
	uint64_t args[2] = {sim_alloc(sim, LANES * sizeof *in, SIM_MEM_READ | SIM_MEM_WRITE), sim_alloc(sim, LANES * 16, SIM_MEM_READ | SIM_MEM_WRITE)};
	static const uint8_t zeros[LANES * 16];
	sim_write(sim, args[0], in, LANES * sizeof *in);
	sim_write(sim, args[1], zeros, sizeof zeros);
	struct sim_launch l = {.kernel = m ? sim_kernel_find(m, "k") : NULL, .grid = {1, 1, 1}, .block = {LANES, 1, 1}, .args = args, .args_size = sizeof args};
	ok = l.kernel && sim_run(sim, &l, &stats, &fault);
	if (!ok)
		printf("%s: %s\n", opt.gpu, m ? fault.text : err);
	else
		sim_read(sim, args[0], out, LANES * sizeof *out);
	sim_free(sim);
	ptx_context_free(ctx);
	return ok;
}

struct test {
	struct program p;
	struct regs in[LANES], want[LANES], out[LANES];
	struct text t;
};

static void expect(struct test *x)
{
	memcpy(x->want, x->in, sizeof x->in);
	for (uint32_t n = 0; n < x->p.rounds; n++)
		interpret(&x->p, 0, x->p.n, x->want, 0xffffffff);
	write_text(&x->t, &x->p);
}

static bool passes(struct test *x, uint32_t target)
{
	bool same = true;
	memset(x->out, 0, sizeof x->out);
	expect(x);
	if (!run(target, &x->t, x->p.exact, x->in, x->out))
		return false;
	for (uint32_t l = 0; l < LANES; l++)
		same &= !memcmp(&x->out[l], &x->want[l], offsetof(struct regs, s));
	return same;
}

static void reduce(struct test *x, uint32_t target)
{
	bool again = true;
	while (x->p.rounds > 1) {
		x->p.rounds--;
		if (passes(x, target)) {
			x->p.rounds++;
			break;
		}
	}
	while (again) {
		again = false;
		for (uint32_t k = x->p.n; k--;) {
			struct stmt *s = &x->p.s[k];
			if (s->off || (s->kind != OPS && s->kind != SHFL))
				continue;
			s->off = true;
			if (passes(x, target))
				s->off = false;
			else
				again = true;
		}
	}
	passes(x, target);
}

static void report(const struct test *x, uint32_t target)
{
	uint32_t shown = 0;
	const char *top = strstr(x->t.s, "TOP:");
	printf("%s -O%d:\n%.*s", targets[target].gpu, targets[target].level - PTX_O0, (int)(strstr(top, "st.global.b32 [%a+0]") - top), top);
	for (uint32_t l = 0; l < LANES && shown < 4; l++)
		for (uint32_t k = 0; k < 4; k++)
			for (uint32_t n = 0; n < (k == 0 ? NR : k == 1 ? ND : k == 2 ? NH : NP); n++) {
				char kind = "rdhp"[k];
				uint64_t got = get(&x->out[l], kind, n), want = get(&x->want[l], kind, n);
				if (got != want && shown++ < 4)
					printf("lane %u, %%%c%u: got %llx, should be %llx\n", l, kind, n, (unsigned long long)got, (unsigned long long)want);
			}
	if (shown) /* operands of the first lane that differs */
		for (uint32_t l = 0; l < LANES; l++)
			if (memcmp(&x->out[l], &x->want[l], offsetof(struct regs, s))) {
				printf("lane %u has:", l);
				for (uint32_t n = 0; n < NR; n++)
					printf(" r%u %x", n, x->in[l].r[n]);
				for (uint32_t n = 0; n < ND; n++)
					printf(" d%u %llx", n, (unsigned long long)x->in[l].d[n]);
				for (uint32_t n = 0; n < NH; n++)
					printf(" h%u %x", n, x->in[l].h[n]);
				printf("\n");
				return;
			}
}

static void emit(const struct test *x, const char *dir, uint64_t n)
{
	char name[512];
	for (int k = 0; k < 3; k++) {
		snprintf(name, sizeof name, "%s/%llu.%s", dir, (unsigned long long)n, k == 0 ? "ptx" : k == 1 ? "in" : "want");
		FILE *f = fopen(name, "wb");
		if (!f)
			exit(2);
		fwrite(k == 0 ? (const void *)x->t.s : k == 1 ? (const void *)x->in : (const void *)x->want, 1, k == 0 ? x->t.n : sizeof x->in, f);
		fclose(f);
	}
}

static void make(struct test *x, uint64_t seed)
{
	state = seed * 0x9e3779b97f4a7c15u + 1;
	rnd(2);
	memset(x, 0, sizeof *x);
	generate(&x->p);
	for (uint32_t l = 0; l < LANES; l++) {
		for (uint32_t k = 0; k < NR; k++)
			x->in[l].r[k] = value32();
		for (uint32_t k = 0; k < ND; k++)
			x->in[l].d[k] = value64();
		for (uint32_t k = 0; k < NH; k++)
			x->in[l].h[k] = (uint16_t)value16();
		for (uint32_t k = 0; k < NP; k++)
			x->in[l].p[k] = (uint8_t)rnd(2);
		for (uint32_t k = 0; k < NM; k++) {
			uint32_t r = x->in[l].r[k];
			x->in[l].s[k] = (uint32_t)single(f32(r) + 1);
			x->in[l].l[k] = (uint32_t)pair(half(2 * f16(r)), half(2 * f16(r >> 16)));
		}
	}
	expect(x);
}

int main(int argc, char **argv)
{
	uint64_t seed = 1, count = 100, passed = 0, failed = 0;
	const char *dir = NULL;
	static struct test x;
	for (int k = 1; k + 1 < argc; k += 2) {
		if (!strcmp(argv[k], "--seed"))
			seed = strtoull(argv[k + 1], NULL, 0);
		else if (!strcmp(argv[k], "--count"))
			count = strtoull(argv[k + 1], NULL, 0);
		else if (!strcmp(argv[k], "--emit"))
			dir = argv[k + 1];
		else
			return 2;
	}
	for (uint64_t n = seed; n < seed + count && failed < 5; n++) {
		make(&x, n);
		if (dir) {
			emit(&x, dir, n);
			continue;
		}
		bool ok = true;
		for (uint32_t t = 0; t < NTARGETS && ok; t++) {
			ok = passes(&x, t);
			if (!ok) {
				printf("program %llu\n", (unsigned long long)n);
				reduce(&x, t);
				report(&x, t);
			}
		}
		passed += ok;
		failed += !ok;
	}
	printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
	return failed != 0;
}
