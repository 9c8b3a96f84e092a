/* What the kernels for scalar code and launches must compute. */
#include <stdio.h>
#include <string.h>

#include "hip.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;

static u32 reverse32(u32 x)
{
	u32 r = 0;
	for (int k = 0; k < 32; k++)
		r |= (x >> k & 1) << (31 - k);
	return r;
}

enum {
#define UNIFORM32(x) +1
#define UNIFORM64(x)
	N32 = 0
#include "kernels/uniform.h"
	,
#undef UNIFORM32
#undef UNIFORM64
#define UNIFORM32(x)
#define UNIFORM64(x) +1
	N64 = 0
#include "kernels/uniform.h"
#undef UNIFORM32
#undef UNIFORM64
};

#define REVERSE32 reverse32
static void uniform_host(u32 *o, u64 *q, u32 a, u32 b, u64 c, u64 d)
{
	i32 sa = (i32)a, sb = (i32)b;
	i64 sc = (i64)c, sd = (i64)d;
#define UNIFORM32(x) *o++ = (u32)(x);
#define UNIFORM64(x) *q++ = (u64)(x);
#include "kernels/uniform.h"
}

static u32 edge32(struct hip *h)
{
	static const u32 edges[] = {0, 1, 2, 7, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff8001, 0xfff0, 0x8000, 31, 32, 0xfffffffb};
	u64 r = hip_rnd(h);
	return r & 3 ? (u32)(r >> 32) >> (r >> 2 & 24) : edges[(r >> 8) % (sizeof edges / sizeof *edges)];
}
static u64 edge64(struct hip *h)
{
	u64 r = hip_rnd(h);
	return r & 1 ? hip_rnd(h) >> (r >> 8 & 31) : (u64)edge32(h) << (r & 2 ? 32 : 0) | edge32(h);
}

static bool uniform(struct hip *h)
{
	u64 d32 = hip_up(h, NULL, N32 * 4), d64 = hip_up(h, NULL, N64 * 8), q[N64];
	u32 o[N32];
	for (int k = 0; k < 50; k++) {
		u32 a = edge32(h), b = k % 8 ? edge32(h) : a;
		u64 c = edge64(h), d = k % 7 ? edge64(h) : c;
		uniform_host(o, q, a, b, c, d);
		hip_arg(h, d32), hip_arg(h, d64), hip_arg(h, a), hip_arg(h, b), hip_arg(h, c), hip_arg(h, d);
		if (!hip_go(h, "uniform", 1, 1, 1, 1) || !hip_same(h, "32 bits", hip_down(h, d32, N32 * 4), o, N32, 4) ||
		    !hip_same(h, "64 bits", hip_down(h, d64, N64 * 8), q, N64, 8))
			return false;
	}
	return true;
}

/* hip_go has two dimensions and scalar arguments only; these have all that a launch can have. */
static bool launch(struct hip *h, struct sim_launch *l, const char *kernel)
{
	struct sim_stats st;
	struct sim_fault f;
	l->kernel = sim_kernel_find(h->m, kernel);
	if (l->kernel && sim_run(h->s, l, &st, &f))
		return true;
	snprintf(h->why, sizeof h->why, "%s", l->kernel ? f.text : "no such kernel");
	return false;
}

static bool launch_ids(struct hip *h)
{
	enum { X = 12, Y = 4, Z = 6 };
	u32 want[X * Y * Z];
	u64 d = hip_up(h, NULL, sizeof want);
	struct {
		u32 nx, ny;
		u64 o;
	} args = {X, Y, d};
	struct sim_launch l = {.grid = {3, 2, 2}, .block = {4, 2, 3}, .args = &args, .args_size = sizeof args};
	for (u32 z = 0; z < Z; z++)
		for (u32 y = 0; y < Y; y++)
			for (u32 x = 0; x < X; x++)
				want[(z * Y + y) * X + x] = x | y << 8 | z << 16 | X << 24;
	return launch(h, &l, "launch_ids") && hip_same(h, "ids", hip_down(h, d, sizeof want), want, X * Y * Z, 4);
}

static bool launch_aggregate(struct hip *h)
{
	static const u32 table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
	struct {
		u32 a[20];
		i8 c;
		double d;
		u64 o, q;
	} args = {.c = -3, .d = 2.5};
	u32 want[64];
	double wantd[64];
	args.o = hip_up(h, NULL, sizeof want);
	args.q = hip_up(h, NULL, sizeof wantd);
	for (int k = 0; k < 20; k++)
		args.a[k] = (u32)hip_rnd(h);
	for (u32 k = 0; k < 64; k++) {
		want[k] = args.a[k % 20] - 3 + table[k & 15] + table[5];
		wantd[k] = 2.5 * k;
	}
	struct sim_launch l = {.block = {64, 1, 1}, .args = &args, .args_size = sizeof args};
	return launch(h, &l, "launch_aggregate") && hip_same(h, "words", hip_down(h, args.o, sizeof want), want, 64, 4) &&
	       hip_same(h, "doubles", hip_down(h, args.q, sizeof wantd), wantd, 64, 8);
}

static bool launch_lds(struct hip *h)
{
	enum { N = 200 };
	u32 x[N], want[N];
	for (int k = 0; k < N; k++)
		want[N - 1 - k] = x[k] = (u32)hip_rnd(h);
	u64 args[2] = {hip_up(h, x, sizeof x), hip_up(h, NULL, sizeof want)};
	struct sim_launch l = {.block = {N, 1, 1}, .args = args, .args_size = sizeof args, .dynamic_lds = sizeof x};
	return launch(h, &l, "launch_lds") && hip_same(h, "out", hip_down(h, args[1], sizeof want), want, N, 4);
}

static bool launch_grid(struct hip *h)
{
	enum { N = 24, ROUNDS = 5 };
	u32 want[ROUNDS * N * 64];
	for (u32 r = 0; r < ROUNDS; r++)
		for (u32 b = 0; b < N; b++)
			for (u32 t = 0; t < 64; t++)
				want[(r * N + b) * 64 + t] = (b + r) % N + r;
	u64 d = hip_up(h, NULL, sizeof want);
	hip_arg(h, d), hip_arg(h, hip_up(h, NULL, 4)), hip_arg(h, N);
	return hip_go(h, "launch_grid", N, 1, 64, 1) && hip_same(h, "out", hip_down(h, d, sizeof want), want, ROUNDS * N * 64, 4);
}

const struct hip_case hip_cases_core[] = {
	{"uniform", uniform, NULL},	      {"launch_ids", launch_ids, NULL},	  {"launch_aggregate", launch_aggregate, NULL},
	{"launch_lds", launch_lds, NULL}, {"launch_grid", launch_grid, NULL}, {NULL, NULL, NULL},
};
