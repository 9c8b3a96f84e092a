/* Host-side checks of corpus programs whose results are simple to recompute. */
#include "case.h"

struct check {
	const struct test_case *in, *out;
	FILE *f;
	int bad;
};

static struct buffer *find(const struct test_case *c, const char *name)
{
	for (uint32_t i = 0; i < c->buffers.len; i++)
		if (!strcmp(c->buffers.data[i].name, name))
			return &c->buffers.data[i];
	return NULL;
}

#define IN(T, NAME) ((const T *)find(k->in, NAME)->data)
#define OUT(T, NAME) ((const T *)find(k->out, NAME)->data)
#define COUNT(NAME) (find(k->in, NAME)->count)
#define EXPECT(NAME, I, COND)                                                                                           \
	do {                                                                                                            \
		if (!(COND)) {                                                                                          \
			fprintf(k->f, "  host check: %s[%llu]: not (%s)\n", NAME, (unsigned long long)(I), #COND);      \
			k->bad++;                                                                                       \
			return;                                                                                         \
		}                                                                                                       \
	} while (0)

static void check_saxpy(struct check *k)
{
	for (uint64_t i = 0; i < COUNT("x"); i++) {
		double want = 2.5 * (double)IN(float, "x")[i] + (double)IN(float, "y")[i];
		double d = OUT(float, "y")[i] - want;
		EXPECT("y", i, d < 1e-5 && d > -1e-5);
	}
}

static void check_reduce(struct check *k)
{
	long long sum = 0;
	double f = 0, g = 0;
	for (uint64_t i = 0; i < COUNT("ints"); i++)
		sum += (long long)IN(int, "ints")[i] * IN(int, "ints")[i];
	EXPECT("square", 0, OUT(long long, "square")[0] == sum);
	for (uint64_t i = 0; i < COUNT("floats"); i++)
		f += IN(float, "floats")[i];
	g = OUT(float, "total")[0];
	EXPECT("total", 0, g - f < 0.05 && f - g < 0.05);
}

static void check_histogram(struct check *k)
{
	unsigned h[256] = {0};
	for (uint64_t i = 0; i < COUNT("data"); i++)
		for (int s = 0; s < 32; s += 8)
			h[IN(unsigned, "data")[i] >> s & 255]++;
	for (int i = 0; i < 256; i++)
		EXPECT("hist", i, OUT(unsigned, "hist")[i] == h[i]);
}

static void check_scan(struct check *k)
{
	unsigned sum = 0;
	for (uint64_t i = 0; i < COUNT("in"); i++) {
		EXPECT("out", i, OUT(unsigned, "out")[i] == sum);
		sum += IN(unsigned, "in")[i];
	}
}

static void check_transpose(struct check *k)
{
	enum { W = 500, H = 390 };
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++) {
			EXPECT("fout", x * H + y, OUT(unsigned, "fout")[x * H + y] == IN(unsigned, "fin")[y * W + x]);
			EXPECT("bout", x * H + y, OUT(uint8_t, "bout")[x * H + y] == IN(uint8_t, "bin")[y * W + x]);
		}
}

/* A sort of (key, index) pairs: ordered, and every pair one of the input's, each once. */
static void check_sort(struct check *k, const char *key_in, const char *key, const char *val, bool stable)
{
	uint64_t n = COUNT(key_in), seen = 0;
	for (uint64_t i = 0; i < n; i++) {
		unsigned v = OUT(unsigned, val)[i], u = OUT(unsigned, key)[i];
		EXPECT(val, i, v < n && IN(unsigned, key_in)[v] == u);
		EXPECT(key, i, i == 0 || OUT(unsigned, key)[i - 1] <= u);
		EXPECT(val, i, !stable || i == 0 || OUT(unsigned, key)[i - 1] < u || OUT(unsigned, val)[i - 1] < v);
		seen += v;
	}
	EXPECT(val, n, seen == n * (n - 1) / 2);
}

static void check_bitonic(struct check *k)
{
	check_sort(k, "key", "key", "val", false);
}

static void check_radix(struct check *k)
{
	check_sort(k, "key", "key", "val", true);
}

static void check_matmul(struct check *k)
{
	enum { M = 250, N = 190, K = 130 };
	for (int y = 0; y < M; y += 7)
		for (int x = 0; x < N; x += 5) {
			double s = 0;
			for (int i = 0; i < K; i++)
				s += (double)IN(float, "A")[y * K + i] * IN(float, "B")[i * N + x];
			double d = OUT(float, "C")[y * N + x] - s;
			EXPECT("C", y * N + x, d < 1e-4 && d > -1e-4);
		}
}

static void check_life(struct check *k)
{
	enum { W = 300, H = 200, STEPS = 4 };
	static uint8_t g[2][W * H];
	memcpy(g[0], IN(uint8_t, "cells"), W * H);
	for (int s = 0; s < STEPS; s++)
		for (int y = 0; y < H; y++)
			for (int x = 0; x < W; x++) {
				int n = -g[s & 1][y * W + x];
				for (int dy = H - 1; dy <= H + 1; dy++)
					for (int dx = W - 1; dx <= W + 1; dx++)
						n += g[s & 1][(y + dy) % H * W + (x + dx) % W];
				g[~s & 1][y * W + x] = n == 3 || (n == 2 && g[s & 1][y * W + x]);
			}
	for (int i = 0; i < W * H; i++)
		EXPECT("cells", i, OUT(uint8_t, "cells")[i] == g[STEPS & 1][i]);
}

/* Message 0 is empty. */
static void check_sha256(struct check *k)
{
	static const unsigned empty[8] = {0xe3b0c442, 0x98fc1c14, 0x9afbf4c8, 0x996fb924,
	                                  0x27ae41e4, 0x649b934c, 0xa495991b, 0x7852b855};
	for (int i = 0; i < 8; i++)
		EXPECT("digest", i, OUT(unsigned, "digest")[i] == empty[i]);
}

static void check_divmod(struct check *k)
{
	for (uint64_t i = 0; i < COUNT("a"); i++) {
		uint64_t x = IN(uint64_t, "a")[i], y = IN(uint64_t, "b")[i] >> (i & 63);
		y = y ? y : 1;
		EXPECT("quot", i, OUT(uint64_t, "quot")[i] == x / y);
		EXPECT("rem", i, OUT(uint64_t, "rem")[i] == x % y);
		int64_t sx = (int64_t)x, sy = (int64_t)y;
		sy = sy == -1 ? 3 : sy;
		EXPECT("squot", i, OUT(int64_t, "squot")[i] == sx / sy);
		EXPECT("srem", i, OUT(int64_t, "srem")[i] == sx % sy);
	}
}

static void check_collatz(struct check *k)
{
	for (uint64_t i = 0; i < COUNT("steps"); i++) {
		unsigned x = (unsigned)i + 1, s = 0;
		while (x != 1 && s <= 300 && !(x & 1 && x > 0x50000000u)) {
			x = x & 1 ? 3 * x + 1 : x >> 1;
			s++;
		}
		if (x != 1 && s <= 300)
			s |= 0x80000000u;
		EXPECT("steps", i, OUT(unsigned, "steps")[i] == s);
	}
}

static void check_crc(struct check *k)
{
	enum { ROW = 96 };
	for (uint64_t i = 0; i < COUNT("crc"); i++) {
		unsigned c = ~0u;
		for (int b = 0; b < ROW; b++) {
			c ^= IN(uint8_t, "bytes")[i * ROW + (uint64_t)b];
			for (int j = 0; j < 8; j++)
				c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
		}
		EXPECT("crc", i, OUT(unsigned, "crc")[i] == ~c);
	}
}

static void check_queens(struct check *k)
{
	EXPECT("total", 0, OUT(uint64_t, "total")[0] == 92);
}

static void check_hashtable(struct check *k)
{
	static unsigned want[5000];
	memset(want, 0, sizeof want);
	for (uint64_t i = 0; i < COUNT("keys"); i++)
		want[IN(uint64_t, "keys")[i] % 5000]++;
	for (int i = 0; i < 5000; i++)
		EXPECT("found", i, OUT(unsigned, "found")[i] == want[i]);
}

static const struct {
	const char *program;
	void (*check)(struct check *k);
} checks[] = {
	{"saxpy", check_saxpy},     {"reduce", check_reduce},   {"histogram", check_histogram}, {"scan", check_scan},
	{"transpose", check_transpose}, {"bitonic", check_bitonic}, {"radix", check_radix},     {"matmul_f32", check_matmul},
	{"life", check_life},       {"sha256", check_sha256},   {"int64", check_divmod},        {"divergent", check_collatz},
	{"globals", check_crc},     {"dynlocal", check_queens}, {"hashtable", check_hashtable},
};

int host_check(const struct test_case *in, const struct test_case *out, FILE *f)
{
	struct check k = {in, out, f, 0};
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
		if (!strcmp(checks[i].program, in->program)) {
			checks[i].check(&k);
			return k.bad;
		}
	return -1;
}
