/* What the integer kernels must compute. */
#include <stdlib.h>
#include <string.h>

#include "hip.h"

typedef uint8_t u8;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;
typedef int64_t i64;

static u32 *words(struct hip *h, size_t n)
{
	u32 *p = hip_mem(h, n * 4);
	for (size_t i = 0; i < n; i++)
		p[i] = (u32)hip_rnd(h);
	return p;
}

static bool histogram(struct hip *h)
{
	enum { N = 20000 };
	u8 *x = hip_mem(h, N);
	u32 want[256] = {0};
	for (int i = 0; i < N; i++)
		want[x[i] = (u8)(hip_rnd(h) % 13 ? hip_rnd(h) : 7)]++;
	u64 dx = hip_up(h, x, N), db = hip_up(h, NULL, 1024);
	hip_arg(h, N), hip_arg(h, dx), hip_arg(h, db);
	return hip_go(h, "histogram", 4, 1, 256, 1) && hip_same(h, "bins", hip_down(h, db, 1024), want, 256, 4);
}

static bool scan(struct hip *h, const char *kernel, u32 span)
{
	enum { N = 1024 };
	i32 *x = hip_mem(h, N * 4), *want = hip_mem(h, N * 4);
	for (u32 i = 0; i < N; i++) {
		x[i] = (i32)(hip_rnd(h) % 2001) - 1000;
		want[i] = (i % span ? want[i - 1] : 0) + x[i];
	}
	u64 dx = hip_up(h, x, N * 4), dy = hip_up(h, NULL, N * 4);
	hip_arg(h, dx), hip_arg(h, dy);
	return hip_go(h, kernel, 4, 1, 256, 1) && hip_same(h, "out", hip_down(h, dy, N * 4), want, N, 4);
}
static bool scan_shuffle(struct hip *h)
{
	return scan(h, "scan_shuffle", 256);
}
static bool scan_dpp(struct hip *h)
{
	return scan(h, "scan_dpp", 32);
}

static bool transpose(struct hip *h)
{
	enum { W = 75, H = 50 };
	u32 *x = words(h, W * H), *want = hip_mem(h, W * H * 4);
	for (int r = 0; r < H; r++)
		for (int c = 0; c < W; c++)
			want[c * H + r] = x[r * W + c];
	u64 dx = hip_up(h, x, W * H * 4), dy = hip_up(h, NULL, W * H * 4);
	hip_arg(h, W), hip_arg(h, H), hip_arg(h, dx), hip_arg(h, dy);
	return hip_go(h, "transpose", 3, 2, 32, 8) && hip_same(h, "out", hip_down(h, dy, W * H * 4), want, W * H, 4);
}

static void int64_host(i64 x, i64 y, i64 *o)
{
	u64 ux = (u64)x, uy = (u64)y;
	i64 d = y == -1 ? 1 : y;
	o[0] = (i64)(ux * uy);
	o[1] = y ? x / d : 0;
	o[2] = y ? x % d : 0;
	o[3] = uy ? (i64)(ux / uy) : 0;
	o[4] = uy ? (i64)(ux % uy) : 0;
	o[5] = (i64)(u64)((unsigned __int128)ux * uy >> 64);
	o[6] = (i64)((__int128)x * y >> 64);
	o[7] = (i64)(ux << (uy & 63)) ^ (x >> (uy & 63));
	o[8] = (i64)((u32)x / ((i32)y ? (u32)y : 1u)) + (i32)x / ((i32)y > 1 ? (i32)y : 3);
	o[9] = (i64)((u64)((x > y) + 2 * (ux > uy) + 4 * (x == y)) + (u64)(x < y ? x : y));
}

static bool int64(struct hip *h)
{
	enum { N = 500 };
	i64 *x = hip_mem(h, N * 8), *y = hip_mem(h, N * 8), *want = hip_mem(h, N * 80);
	static const i64 edge[] = {0, 1, -1, 2, INT64_MAX, INT64_MIN + 1, UINT32_MAX, 1ll << 32, -(1ll << 32), 10};
	for (int i = 0; i < N; i++) {
		x[i] = i < 100 ? edge[i / 10] : (i64)hip_rnd(h) >> hip_rnd(h) % 64;
		y[i] = i < 100 ? edge[i % 10] : (i64)hip_rnd(h) >> hip_rnd(h) % 64;
		int64_host(x[i], y[i], want + i * 10);
	}
	u64 dx = hip_up(h, x, N * 8), dy = hip_up(h, y, N * 8), dz = hip_up(h, NULL, N * 80);
	hip_arg(h, N), hip_arg(h, dx), hip_arg(h, dy), hip_arg(h, dz);
	return hip_go(h, "int64", 4, 1, 128, 1) && hip_same(h, "out", hip_down(h, dz, N * 80), want, N * 10, 8);
}

static bool bytes(struct hip *h)
{
	enum { N = 999 };
	u8 *rgb = (u8 *)words(h, N), *gray = hip_mem(h, N);
	int8_t *s = (int8_t *)words(h, N), *neg = hip_mem(h, N);
	int16_t *w = (int16_t *)words(h, N), *mix = hip_mem(h, N * 2);
	for (int i = 0; i < N; i++) {
		u32 r = rgb[i * 3], g = rgb[i * 3 + 1], b = rgb[i * 3 + 2];
		gray[i] = (u8)((r * 77 + g * 150 + b * 29 + 128) >> 8);
		mix[i] = (int16_t)(s[i] * 3 + w[i] - (int16_t)r);
		i32 v = -s[i] + (w[i] >> 9);
		neg[i] = (int8_t)(v > 127 ? 127 : v < -128 ? -128 : v);
	}
	u64 d0 = hip_up(h, rgb, N * 3), d1 = hip_up(h, s, N), d2 = hip_up(h, w, N * 2), o0 = hip_up(h, NULL, N),
	    o1 = hip_up(h, NULL, N * 2), o2 = hip_up(h, NULL, N);
	hip_arg(h, N), hip_arg(h, d0), hip_arg(h, d1), hip_arg(h, d2), hip_arg(h, o0), hip_arg(h, o1), hip_arg(h, o2);
	return hip_go(h, "bytes", 8, 1, 128, 1) && hip_same(h, "gray", hip_down(h, o0, N), gray, N, 1) &&
	       hip_same(h, "mix", hip_down(h, o1, N * 2), mix, N, 2) &&
	       hip_same(h, "neg", hip_down(h, o2, N), neg, N, 1);
}

struct tree {
	i32 v[6];
};
static i32 walk(struct tree t, i32 depth)
{
	if (depth == 0)
		return t.v[0] + t.v[5];
	t.v[0] += depth;
	t.v[5] ^= t.v[0];
	return walk(t, depth - 1) + t.v[depth % 6];
}
static u32 fib(u32 n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static bool calls(struct hip *h)
{
	enum { N = 200 };
	i32 *in = hip_mem(h, N * 4), *want = hip_mem(h, N * 4);
	for (int i = 0; i < N; i++) {
		in[i] = (i32)(hip_rnd(h) % 20000);
		i32 x = in[i] % 3 == 0 ? in[i] + i : in[i] % 3 == 1 ? in[i] * i * 2 : (in[i] - i) * 3;
		x += (i32)fib((u32)i % 9);
		want[i] = x + walk((struct tree){{x, 1, 2, 3, 4, i}}, i % 5);
	}
	u64 dx = hip_up(h, in, N * 4), dy = hip_up(h, NULL, N * 4);
	hip_arg(h, N), hip_arg(h, dx), hip_arg(h, dy);
	return hip_go(h, "calls", 4, 1, 64, 1) && hip_same(h, "out", hip_down(h, dy, N * 4), want, N, 4);
}

static void interpret_host(u32 i, const u8 *code, u32 len, u32 *out)
{
	u32 a = i, b = 1, steps = 0;
	for (u32 pc = i % 4; pc < len && steps < 200; pc++, steps++) {
		u32 op = code[pc], t = a;
		if (op == 0)
			a += b;
		else if (op == 1)
			b ^= a;
		else if (op == 2)
			a = a << 3 | a >> 29;
		else if (op == 3)
			pc += a & 1 ? 2 : 0;
		else if (op == 4)
			b += pc;
		else if (op == 5)
			a -= b * 3;
		else if (op == 6)
			pc -= b % 5 == 0 && pc > 6 ? 5 : 0;
		else if (op == 7)
			a = b, b = t;
		else if (op == 11)
			a *= 2654435761u;
		else if (op == 200)
			b = ~b;
		else
			a ^= op;
	}
	out[0] = a;
	out[1] = b + steps;
}

static bool interpret(struct hip *h)
{
	enum { N = 150, LEN = 60 };
	u8 code[LEN];
	u32 want[N * 2];
	for (int i = 0; i < LEN; i++)
		code[i] = i % 11 == 9 ? 200 : i % 7 == 3 ? 11 : (u8)(hip_rnd(h) % 13);
	for (u32 i = 0; i < N; i++)
		interpret_host(i, code, LEN, want + i * 2);
	u64 dc = hip_up(h, code, LEN), dy = hip_up(h, NULL, sizeof want);
	hip_arg(h, N), hip_arg(h, dc), hip_arg(h, LEN), hip_arg(h, dy);
	return hip_go(h, "interpret", 3, 1, 64, 1) && hip_same(h, "out", hip_down(h, dy, sizeof want), want, N * 2, 4);
}

static u32 irreducible_host(u32 x)
{
	u32 c = 0;
	bool odd = x & 1;
	for (;;) {
		if (!odd) {
			x = x / 2 + 7;
			c += 1;
			if (c > 60)
				break;
			if (x % 3 == 0)
				continue;
		}
		x = x * 3 + 1;
		c += 2;
		odd = x % 5 == 0;
		if (!odd && c >= 50)
			break;
	}
	return x ^ c << 24;
}

static bool irreducible(struct hip *h)
{
	enum { N = 300 };
	u32 *x = words(h, N), want[N];
	for (int i = 0; i < N; i++)
		want[i] = irreducible_host(x[i]);
	u64 dx = hip_up(h, x, N * 4), dy = hip_up(h, NULL, N * 4);
	hip_arg(h, N), hip_arg(h, dx), hip_arg(h, dy);
	return hip_go(h, "irreducible", 5, 1, 64, 1) && hip_same(h, "out", hip_down(h, dy, N * 4), want, N, 4);
}

static bool flat(struct hip *h)
{
	enum { N = 192 };
	u8 *in = (u8 *)words(h, N * 6), *want = hip_mem(h, N * 24);
	for (u32 i = 0; i < N; i++) {
		u8 mid[24];
		memcpy(mid, in + i * 24, 22);
		mid[22] = (u8)(i % 64);
		mid[23] = (u8)(mid[3] + mid[21]);
		for (u32 j = 0; j < 24; j++)
			want[i * 24 + j] = (u8)(mid[23 - j] + 1);
	}
	for (u32 pick = 0; pick < 3; pick++) {
		u64 dx = hip_up(h, in, N * 24), dy = hip_up(h, NULL, N * 24);
		hip_arg(h, dx), hip_arg(h, dy), hip_arg(h, pick);
		if (!hip_go(h, "flat", 3, 1, 64, 1) || !hip_same(h, "out", hip_down(h, dy, N * 24), want, N * 24, 1))
			return false;
	}
	return true;
}

/* Messages of one block, padded here; the digests come from a published test vector and from each other. */
static bool sha256(struct hip *h)
{
	enum { N = 100 };
	static const char *const text[] = {"", "abc", "The quick brown fox jumps over the lazy dog"};
	static const u8 digest[][32] = {
		{0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
		 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55},
		{0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
		 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad},
		{0xd7, 0xa8, 0xfb, 0xb3, 0x07, 0xd7, 0x80, 0x94, 0x69, 0xca, 0x9a, 0xbc, 0xb0, 0x08, 0x2e, 0x4f,
		 0x8d, 0x56, 0x51, 0xe4, 0x6d, 0x3c, 0xdb, 0x76, 0x2d, 0x02, 0xd0, 0xbf, 0x37, 0xc9, 0xe5, 0x92},
	};
	u8 *in = hip_mem(h, N * 64);
	u32 *want = hip_mem(h, N * 32);
	for (u32 i = 0; i < N; i++) {
		size_t len = strlen(text[i % 3]);
		memcpy(in + i * 64, text[i % 3], len);
		in[i * 64 + len] = 0x80;
		in[i * 64 + 62] = (u8)(len * 8 >> 8);
		in[i * 64 + 63] = (u8)(len * 8);
		for (u32 k = 0; k < 8; k++) {
			const u8 *d = digest[i % 3] + k * 4;
			want[i * 8 + k] = (u32)d[0] << 24 | (u32)d[1] << 16 | (u32)d[2] << 8 | d[3];
		}
	}
	u64 dx = hip_up(h, in, N * 64), dy = hip_up(h, NULL, N * 32);
	hip_arg(h, N), hip_arg(h, dx), hip_arg(h, dy);
	return hip_go(h, "sha256", 2, 1, 64, 1) && hip_same(h, "digest", hip_down(h, dy, N * 32), want, N * 8, 4);
}

struct atomics_want {
	u32 a32[16];
	u64 a64[9];
	float f;
};

static void atomics_host(const u32 *x, u32 n, struct atomics_want *w)
{
	w->a32[2] = w->a32[5] = ~0u;
	w->a32[6] = 0x80000000;
	w->a64[2] = ~0ull;
	for (u32 i = 0; i < n; i++) {
		u64 y = (u64)x[i] << 20 | i;
		u32 b = i / 64;
		i32 s = (i32)(x[i] - 0x40000000u);
		w->a32[0] += x[i];
		w->a32[1] = x[i] > w->a32[1] ? x[i] : w->a32[1];
		w->a32[2] = x[i] < w->a32[2] ? x[i] : w->a32[2];
		w->a32[3] |= 1u << (x[i] & 31);
		w->a32[4] ^= x[i];
		w->a32[5] &= ~(1u << (x[i] & 15));
		w->a32[6] = (u32)(s > (i32)w->a32[6] ? s : (i32)w->a32[6]);
		w->a32[7]++;
		w->a32[8 + b * 2] += x[i] & 0xff;
		w->a32[9 + b * 2] = x[i] > w->a32[9 + b * 2] ? x[i] : w->a32[9 + b * 2];
		w->a64[0] += y;
		w->a64[1] = y > w->a64[1] ? y : w->a64[1];
		w->a64[2] = y < w->a64[2] ? y : w->a64[2];
		w->a64[3] ^= y * 0x9e3779b97f4a7c15;
		w->a64[4] += y * 3;
		w->a64[5 + b] += y;
		w->f += (float)(x[i] & 7);
	}
}

static bool atomics(struct hip *h)
{
	enum { N = 256 };
	u32 *x = words(h, N), a32[16] = {0};
	u64 a64[9] = {0};
	struct atomics_want w = {0};
	a32[2] = a32[5] = ~0u;
	a32[6] = 0x80000000;
	a64[2] = ~0ull;
	atomics_host(x, N, &w);
	u64 dx = hip_up(h, x, N * 4), d32 = hip_up(h, a32, sizeof a32), d64 = hip_up(h, a64, sizeof a64),
	    df = hip_up(h, NULL, 4), dord = hip_up(h, NULL, N * 4);
	hip_arg(h, dx), hip_arg(h, d32), hip_arg(h, d64), hip_arg(h, df), hip_arg(h, dord);
	if (!hip_go(h, "atomics", 4, 1, 64, 1))
		return false;
	/* The order of arrival is free, but each lane arrives once. */
	u32 *order = hip_down(h, dord, N * 4), count[N] = {0}, ones[N];
	for (int i = 0; i < N; i++) {
		count[order[i] % N]++;
		ones[i] = 1;
	}
	return hip_same(h, "a32", hip_down(h, d32, sizeof a32), w.a32, 16, 4) &&
	       hip_same(h, "a64", hip_down(h, d64, sizeof a64), w.a64, 9, 8) &&
	       hip_same(h, "f", hip_down(h, df, 4), &w.f, 1, 4) && hip_same(h, "order", count, ones, N, 4);
}

static int order_i32(const void *a, const void *b)
{
	i32 x, y;
	memcpy(&x, a, 4);
	memcpy(&y, b, 4);
	return (x > y) - (x < y);
}
static int order_u32(const void *a, const void *b)
{
	u32 x, y;
	memcpy(&x, a, 4);
	memcpy(&y, b, 4);
	return (x > y) - (x < y);
}

static bool sort_private(struct hip *h)
{
	enum { N = 70 };
	u32 *x = words(h, N * 24), *want = hip_mem(h, N * 96);
	memcpy(want, x, N * 96);
	for (int i = 0; i < N; i++)
		qsort(want + i * 24, 24, 4, order_i32);
	u64 dx = hip_up(h, x, N * 96), dy = hip_up(h, NULL, N * 96);
	hip_arg(h, N), hip_arg(h, dx), hip_arg(h, dy);
	return hip_go(h, "sort_private", 2, 1, 64, 1) && hip_same(h, "out", hip_down(h, dy, N * 96), want, N * 24, 4);
}

static bool dynamic_stack(struct hip *h)
{
	enum { N = 300 };
	u32 want[N] = {0};
	for (u32 i = 0; i < N; i++) {
		u32 n = 20 + (i / 64 * 32 + i % 64 / 32) % 50;
		for (u32 k = 2, d; k <= n; k++) {
			for (d = 2; d < k && k % d; d++)
				;
			want[i] += d == k;
		}
	}
	u64 dy = hip_up(h, NULL, N * 4);
	hip_arg(h, N), hip_arg(h, dy);
	return hip_go(h, "dynamic_stack", 5, 1, 64, 1) && hip_same(h, "primes", hip_down(h, dy, N * 4), want, N, 4);
}

static bool bitonic(struct hip *h)
{
	enum { N = 1024 };
	u32 *x = words(h, N), *want = hip_mem(h, N * 4);
	memcpy(want, x, N * 4);
	qsort(want, 512, 4, order_u32);
	qsort(want + 512, 512, 4, order_u32);
	u64 d = hip_up(h, x, N * 4);
	hip_arg(h, d);
	return hip_go(h, "bitonic", 2, 1, 256, 1) && hip_same(h, "data", hip_down(h, d, N * 4), want, N, 4);
}

static u32 sad(u32 x, u32 y, u32 z, bool masked)
{
	for (int k = 0; k < 32; k += 8) {
		int a = (int)(x >> k & 255), b = (int)(y >> k & 255);
		z += masked && !b ? 0 : (u32)abs(a - b);
	}
	return z;
}
static u32 perm(u32 x, u32 y, u32 sel)
{
	u64 d = (u64)x << 32 | y;
	u32 r = 0;
	for (int k = 0; k < 32; k += 8) {
		u32 s = sel >> k & 255, v;
		if (s < 8)
			v = (u32)(d >> s * 8) & 255;
		else if (s < 12)
			v = d >> ((s - 8) * 16 + 15) & 1 ? 255 : 0;
		else
			v = s == 12 ? 0 : 255;
		r |= v << k;
	}
	return r;
}
static u64 reverse(u64 x, int bits)
{
	u64 r = 0;
	for (int k = 0; k < bits; k++)
		r |= (x >> k & 1) << (bits - 1 - k);
	return r;
}

static void bits_host(u32 x, u32 y, u32 z, u32 *o)
{
	u64 d = (u64)x << 32 | y;
	u32 w = z & 31, sh = y & 31, f = w ? (u32)((u64)x >> sh & ((1ull << w) - 1)) : 0;
	i64 sf = (i64)(i32)x >> sh;
	o[0] = (u32)__builtin_popcount(x) + (u32)__builtin_popcountll(d) * 256;
	o[1] = x ? (u32)__builtin_clz(x) : 99;
	o[2] = d ? (u32)__builtin_ctzll(d) : 99;
	o[3] = (u32)reverse(x, 32);
	o[4] = __builtin_bswap32(y) ^ (u32)(reverse(d, 64) >> 32);
	o[5] = f;
	o[6] = w ? (u32)((i64)((u64)sf << (64 - w)) >> (64 - w)) : 0;
	o[7] = perm(x, y, z & 0x0f0f0f0f);
	o[8] = (u32)(d >> (z & 31));
	o[9] = (u32)(d >> (z & 3) * 8);
	o[10] = sad(x, y, z, false);
	o[11] = sad(x, y, z, true);
	o[12] = 0;
	for (int k = 0; k < 32; k += 8)
		o[12] |= ((x >> k & 255) + (y >> k & 255) + (z >> k & 1)) / 2 << k;
	i32 a = (i32)x, b = (i32)y, c = (i32)z, hi = a > b ? a : b, lo = a < b ? a : b;
	o[13] = (u32)(c > hi ? hi : c < lo ? lo : c);
	o[14] = x > y ? x : y;
	o[14] = o[14] > z ? o[14] : z;
	o[15] = (x & y) | (~x & z);
	o[16] = (x << (y & 7)) + z;
	o[17] = (x ^ y ^ z) + ((x + y) << (z & 15));
	i64 wide = (i64)a * b;
	o[18] = x + y;
	o[19] = (o[18] < x) + 2 * (u32)(wide != (i32)wide);
}

static bool bits(struct hip *h)
{
	enum { N = 300 };
	u32 *x = words(h, N * 3), *want = hip_mem(h, N * 80);
	for (int i = 0; i < 20; i++)
		x[i * 5] = i & 1 ? 0 : ~0u;
	for (int i = 0; i < N; i++)
		bits_host(x[i * 3], x[i * 3 + 1], x[i * 3 + 2], want + i * 20);
	u64 dx = hip_up(h, x, N * 12), dy = hip_up(h, NULL, N * 80);
	hip_arg(h, N), hip_arg(h, dx), hip_arg(h, dy);
	return hip_go(h, "bits", 5, 1, 64, 1) && hip_same(h, "out", hip_down(h, dy, N * 80), want, N * 20, 4);
}

/* One wave: x is its 32 inputs. */
static void lanes_host(const u32 *x, u32 *o)
{
	u32 odd = 0, rest = 0;
	for (u32 l = 0; l < 32; l++) {
		odd |= (x[l] & 1) << l;
		rest |= (u32)(l % 3 != 0) << l;
	}
	for (u32 l = 0; l < 32; l++, o += 10) {
		u32 row = l & 16;
		o[0] = x[0];
		o[1] = x[17];
		o[2] = odd;
		o[3] = x[l ^ 3];
		o[4] = x[row | ((l - 4) & 15)];
		o[5] = x[row | (15 - (l & 15))];
		o[6] = x[l];
		o[7] = x[l ^ 7];
		/* Third lanes are active alone: a row_shl:1 source is inactive or past the row, so the old value stays.
		 */
		o[8] = l % 3 == 0 ? x[0] : rest;
		o[9] = l % 3 == 0 ? l : (l ^ 1) % 3 ? x[l ^ 1] : 0;
	}
}

static bool lanes(struct hip *h)
{
	enum { N = 128 };
	u32 *x = words(h, N), *want = hip_mem(h, N * 40);
	for (int w = 0; w < N; w += 32)
		lanes_host(x + w, want + w * 10);
	u64 dx = hip_up(h, x, N * 4), dy = hip_up(h, NULL, N * 40);
	hip_arg(h, dx), hip_arg(h, dy);
	return hip_go(h, "lanes", 2, 1, 64, 1) && hip_same(h, "out", hip_down(h, dy, N * 40), want, N * 10, 4);
}

const struct hip_case hip_cases_int[] = {
	{"histogram", histogram, NULL},
	{"scan_shuffle", scan_shuffle, NULL},
	{"scan_dpp", scan_dpp, NULL},
	{"transpose", transpose, NULL},
	{"int64", int64, NULL},
	{"bytes", bytes, NULL},
	{"calls", calls, NULL},
	{"interpret", interpret, NULL},
	{"irreducible", irreducible, NULL},
	{"flat", flat, NULL},
	{"sha256", sha256, NULL},
	{"atomics", atomics, NULL},
	{"sort_private", sort_private, NULL},
	{"dynamic_stack", dynamic_stack, NULL},
	{"bitonic", bitonic, NULL},
	{"bits", bits, NULL},
	{"lanes", lanes, NULL},
	{NULL, NULL, NULL},
};
