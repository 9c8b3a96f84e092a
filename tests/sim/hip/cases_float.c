/* What the floating-point kernels must compute: bit for bit, but for the approximate instructions. */
#include <math.h>
#include <string.h>

#include "hip.h"

typedef uint32_t u32;
typedef uint64_t u64;

static float rand_float(struct hip *h)
{
	return (float)((double)(int64_t)hip_rnd(h) * 0x1p-62);
}
static float *floats(struct hip *h, size_t n)
{
	float *p = hip_mem(h, n * 4);
	for (size_t i = 0; i < n; i++)
		p[i] = rand_float(h);
	return p;
}

static bool saxpy(struct hip *h)
{
	enum { N = 1000 };
	float *x = floats(h, N), *y = floats(h, N), want[N], a = 1.7f;
	for (int i = 0; i < N; i++)
		want[i] = fmaf(a, x[i], y[i]);
	u64 dx = hip_up(h, x, N * 4), dy = hip_up(h, y, N * 4);
	hip_arg(h, N), hip_argf(h, a), hip_arg(h, dx), hip_arg(h, dy);
	return hip_go(h, "saxpy", 8, 1, 128, 1) && hip_same(h, "y", hip_down(h, dy, N * 4), want, N, 4);
}

static bool reduce(struct hip *h)
{
	enum { N = 1900, BLOCKS = 8 };
	float *x = floats(h, N), want[BLOCKS], s[256];
	u32 *k = hip_mem(h, N * 4), total = 0;
	for (int i = 0; i < N; i++)
		total += k[i] = (u32)hip_rnd(h);
	for (int b = 0; b < BLOCKS; b++) {
		for (int i = 0; i < 256; i++)
			s[i] = b * 256 + i < N ? x[b * 256 + i] : 0;
		for (int w = 128; w; w /= 2)
			for (int i = 0; i < w; i++)
				s[i] += s[i + w];
		want[b] = s[0];
	}
	u64 dx = hip_up(h, x, N * 4), dk = hip_up(h, k, N * 4), dp = hip_up(h, NULL, sizeof want),
	    dt = hip_up(h, NULL, 4);
	hip_arg(h, N), hip_arg(h, dx), hip_arg(h, dk), hip_arg(h, dp), hip_arg(h, dt);
	return hip_go(h, "reduce", BLOCKS, 1, 256, 1) &&
	       hip_same(h, "partial", hip_down(h, dp, sizeof want), want, BLOCKS, 4) &&
	       hip_same(h, "total", hip_down(h, dt, 4), &total, 1, 4);
}

static bool matmul_f32(struct hip *h)
{
	enum { N = 64 };
	float *a = floats(h, N * N), *b = floats(h, N * N), *c = hip_mem(h, N * N * 4);
	for (int r = 0; r < N; r++)
		for (int q = 0; q < N; q++)
			for (int k = 0; k < N; k++)
				c[r * N + q] = fmaf(a[r * N + k], b[k * N + q], c[r * N + q]);
	u64 da = hip_up(h, a, N * N * 4), db = hip_up(h, b, N * N * 4), dc = hip_up(h, NULL, N * N * 4);
	hip_arg(h, N), hip_arg(h, da), hip_arg(h, db), hip_arg(h, dc);
	return hip_go(h, "matmul_f32", N / 16, N / 16, 16, 16) &&
	       hip_same(h, "c", hip_down(h, dc, N * N * 4), c, N * N, 4);
}

static bool matmul_f64(struct hip *h)
{
	enum { N = 48 };
	double *a = hip_mem(h, N * N * 8), *b = hip_mem(h, N * N * 8), *c = hip_mem(h, N * N * 8);
	for (int i = 0; i < N * N; i++) {
		a[i] = (double)(int64_t)hip_rnd(h) * 0x1p-60;
		b[i] = (double)(int64_t)hip_rnd(h) * 0x1p-63;
	}
	for (int r = 0; r < N; r++)
		for (int q = 0; q < N; q++)
			for (int k = 0; k < N; k++)
				c[r * N + q] = fma(a[r * N + k], b[k * N + q], c[r * N + q]);
	u64 da = hip_up(h, a, N * N * 8), db = hip_up(h, b, N * N * 8), dc = hip_up(h, NULL, N * N * 8);
	hip_arg(h, N), hip_arg(h, da), hip_arg(h, db), hip_arg(h, dc);
	return hip_go(h, "matmul_f64", N / 16, N / 16, 16, 16) &&
	       hip_same(h, "c", hip_down(h, dc, N * N * 8), c, N * N, 8);
}

static bool nbody(struct hip *h)
{
	enum { N = 70 };
	double b[N * 4], want[N * 3] = {0};
	for (int i = 0; i < N * 4; i++)
		b[i] = (double)(int64_t)hip_rnd(h) * 0x1p-61;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double dx = b[j * 4] - b[i * 4], dy = b[j * 4 + 1] - b[i * 4 + 1],
			       dz = b[j * 4 + 2] - b[i * 4 + 2];
			double r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, 0.01))), s = b[j * 4 + 3] / (r2 * sqrt(r2));
			want[i * 3] = fma(dx, s, want[i * 3]);
			want[i * 3 + 1] = fma(dy, s, want[i * 3 + 1]);
			want[i * 3 + 2] = fma(dz, s, want[i * 3 + 2]);
		}
	u64 db = hip_up(h, b, sizeof b), da = hip_up(h, NULL, sizeof want);
	hip_arg(h, N), hip_arg(h, db), hip_arg(h, da);
	return hip_go(h, "nbody", 2, 1, 64, 1) && hip_same(h, "acc", hip_down(h, da, sizeof want), want, N * 3, 8);
}

/* ---- half precision: exact in double, rounded to nearest even once ---- */

static uint16_t to_half(double x)
{
	uint16_t sign = signbit(x) ? 0x8000 : 0;
	int e;
	if (x != x)
		return 0x7e00;
	x = fabs(x);
	if (x == 0)
		return sign;
	if (x >= 65520)
		return sign | 0x7c00;
	frexp(x, &e); /* x in [2^(e-1), 2^e) */
	int scale = e < -13 ? 24 : 11 - e;
	double n = nearbyint(ldexp(x, scale));
	return (uint16_t)(sign | (e < -13 ? (int)n : (int)n - 1024 + ((e + 14) << 10)));
}
static double from_half(uint16_t u)
{
	int e = u >> 10 & 31, m = u & 1023;
	double x = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
	return u >> 15 ? -x : x;
}

static void half_host(double x, double y, uint16_t *o)
{
	o[0] = to_half(x + y);
	o[2] = to_half(x * y);
	o[4] = to_half(fma(x, y, x));
	o[6] = to_half(x - y);
	o[8] = to_half(x / y);
	o[10] = to_half(fmax(x, y));
}

static bool half_math(struct hip *h)
{
	enum { N = 300 };
	uint16_t a[N * 2], b[N * 2], want[N * 16];
	float mixed[N];
	for (int i = 0; i < N * 2; i++) {
		/* exponents near one another, some denormal results, no zero divisors, no infinities */
		a[i] = to_half(ldexp((double)(rand_float(h)), (int)(hip_rnd(h) % 8) - (i % 5 == 0 ? 15 : 3)));
		b[i] = to_half(ldexp((double)rand_float(h), (int)(hip_rnd(h) % 6) - 2));
		if (!(b[i] & 0x7fff))
			b[i] = 0x3c00;
	}
	for (int i = 0; i < N; i++) {
		for (int k = 0; k < 2; k++)
			half_host(from_half(a[i * 2 + k]), from_half(b[i * 2 + k]), want + i * 16 + k);
		double x = from_half(a[i * 2]), x1 = from_half(a[i * 2 + 1]), y1 = from_half(b[i * 2 + 1]);
		want[i * 16 + 12] = to_half((double)sqrtf((float)fabs(x)));
		want[i * 16 + 13] = to_half((double)(int)from_half(to_half(x1 * 8)));
		want[i * 16 + 14] = to_half(floor(x));
		want[i * 16 + 15] = to_half(trunc(y1));
		mixed[i] = fmaf((float)x, (float)y1, (float)x1);
	}
	u64 da = hip_up(h, a, sizeof a), db = hip_up(h, b, sizeof b), dz = hip_up(h, NULL, sizeof want),
	    dm = hip_up(h, NULL, sizeof mixed);
	hip_arg(h, N), hip_arg(h, da), hip_arg(h, db), hip_arg(h, dz), hip_arg(h, dm);
	return hip_go(h, "half_math", 5, 1, 64, 1) &&
	       hip_same(h, "out", hip_down(h, dz, sizeof want), want, N * 16, 2) &&
	       hip_same(h, "mixed", hip_down(h, dm, sizeof mixed), mixed, N, 4);
}

static bool transcend(struct hip *h)
{
	enum { N = 400 };
	const double tau = 6.283185307179586476925;
	float in[N];
	for (int i = 0; i < N; i++)
		in[i] = i < 100 ? (float)(i - 50) / 8 + 0.03f : rand_float(h) * 20;
	u64 dx = hip_up(h, in, sizeof in), dy = hip_up(h, NULL, N * 48);
	hip_arg(h, N), hip_arg(h, dx), hip_arg(h, dy);
	if (!hip_go(h, "transcend", 4, 1, 128, 1))
		return false;
	float *o = hip_down(h, dy, N * 48);
	for (size_t i = 0; i < N; i++, o += 12) {
		double x = (double)in[i], a = fabs(x), f = x - floor(x);
		if (!hip_near(h, "sin", i, o[0], sin(tau * f), 2, 1e-6) ||
		    !hip_near(h, "cos", i, o[1], cos(tau * f), 2, 1e-6) ||
		    !hip_near(h, "exp2 instruction", i, o[2], exp2(x), 1, 0) ||
		    !hip_near(h, "log2 instruction", i, o[3], log2(a), 1, 1e-7) ||
		    !hip_near(h, "rcp", i, o[4], 1 / x, 1, 0) || !hip_near(h, "rsq", i, o[5], 1 / sqrt(a), 1, 0) ||
		    !hip_near(h, "sqrt", i, o[6], (double)sqrtf((float)a), 0, 0) ||
		    !hip_near(h, "1/x", i, o[7], (double)(1.0f / in[i]), 0, 0) ||
		    !hip_near(h, "exp2", i, o[8], exp2(x), 1, 0) || !hip_near(h, "log2", i, o[9], log2(a), 1, 1e-7) ||
		    !hip_near(h, "x/3.7", i, o[10], (double)(in[i] / 3.7f), 0, 0) ||
		    !hip_near(h, "exp+log", i, o[11], exp(x) + log(a), 4, 1e-6))
			return false;
	}
	return true;
}

static bool mandelbrot(struct hip *h)
{
	enum { W = 96, H = 40, LIMIT = 200 };
	u32 *want = hip_mem(h, W * H * 4);
	for (u32 y = 0; y < H; y++)
		for (u32 x = 0; x < W; x++) {
			float cr = -2.0f + 2.5f * (float)x / (float)W, ci = -1.25f + 2.5f * (float)y / (float)H, zr = 0,
			      zi = 0;
			u32 n = 0;
			for (; n < LIMIT && zr * zr + zi * zi < 4.0f; n++) {
				float t = zr * zr - zi * zi + cr;
				zi = 2.0f * zr * zi + ci;
				zr = t;
			}
			want[y * W + x] = n;
		}
	u64 d = hip_up(h, NULL, W * H * 4);
	hip_arg(h, W), hip_arg(h, H), hip_arg(h, LIMIT), hip_arg(h, d);
	return hip_go(h, "mandelbrot", 1, H, 128, 1) && hip_same(h, "out", hip_down(h, d, W * H * 4), want, W * H, 4);
}

static double clamp(double x, double hi)
{
	return x > hi ? hi : x < -hi ? -hi : x;
}

static void double_host(double x, double y, int i, double *o)
{
	o[0] = x / y;
	o[1] = sqrt(fabs(x));
	o[2] = fma(x, y, -x);
	o[3] = floor(x) + ceil(y);
	o[4] = trunc(x) - rint(y);
	o[5] = (double)(float)x;
	o[6] = (double)(int32_t)clamp(x, 1e9);
	o[7] = (double)(int64_t)clamp(x, 1e17);
	o[8] = (double)(uint64_t)clamp(fabs(y), 1e17);
	o[9] = x > y ? x : y;
	o[10] = ldexp(x, i - 40);
	o[11] = copysign(x, y) * 0.1;
	o[12] = (double)((float)x / (float)y);
	o[13] = (double)sqrtf(fabsf((float)y));
}

static bool double_math(struct hip *h)
{
	enum { N = 300 };
	static const double edge[] = {1, -1, 0.5, 3, 1e300, -1e-300, 0x1p-1074, 0x1.fffffffffffffp+1023, 1e-310, 7e22};
	double in[N * 2], want[N * 14];
	for (int i = 0; i < N; i++) {
		for (int k = 0; k < 2; k++) {
			double m = (double)(int64_t)hip_rnd(h) * 0x1p-63 + 0x1p-70;
			in[i * 2 + k] = i < 100 ? edge[k ? i % 10 : i / 10] : ldexp(m, (int)(hip_rnd(h) % 120) - 60);
		}
		double_host(in[i * 2], in[i * 2 + 1], i, want + i * 14);
	}
	u64 dx = hip_up(h, in, sizeof in), dy = hip_up(h, NULL, sizeof want);
	hip_arg(h, N), hip_arg(h, dx), hip_arg(h, dy);
	if (!hip_go(h, "double_math", 5, 1, 64, 1))
		return false;
	/* A NaN's payload is free. */
	double *got = hip_down(h, dy, sizeof want);
	for (int i = 0; i < N * 14; i++)
		if (got[i] != got[i] && want[i] != want[i])
			got[i] = want[i];
	return hip_same(h, "out", got, want, N * 14, 8);
}

/* Small integers: every sum is exact whatever its order. */
static bool wmma(struct hip *h)
{
	uint16_t a[256], b[256];
	float c[256], want[256];
	int8_t ia[256];
	uint8_t ib[256];
	int32_t iwant[256];
	double va[256], vb[256];
	for (int i = 0; i < 256; i++) {
		a[i] = to_half(va[i] = (double)(hip_rnd(h) % 65) - 32);
		b[i] = to_half(vb[i] = (double)(hip_rnd(h) % 65) - 32);
		c[i] = (float)(hip_rnd(h) % 2001) - 1000;
		ia[i] = (int8_t)hip_rnd(h);
		ib[i] = (uint8_t)hip_rnd(h);
	}
	for (int r = 0; r < 16; r++)
		for (int q = 0; q < 16; q++) {
			double sum = (double)c[r * 16 + q];
			iwant[r * 16 + q] = r / 2;
			for (int k = 0; k < 16; k++) {
				sum += va[r * 16 + k] * vb[k * 16 + q];
				iwant[r * 16 + q] += ia[r * 16 + k] * ib[k * 16 + q];
			}
			want[r * 16 + q] = (float)sum;
		}
	u64 da = hip_up(h, a, sizeof a), db = hip_up(h, b, sizeof b), dc = hip_up(h, c, sizeof c),
	    dd = hip_up(h, NULL, sizeof c), dia = hip_up(h, ia, sizeof ia), dib = hip_up(h, ib, sizeof ib),
	    did = hip_up(h, NULL, sizeof iwant);
	hip_arg(h, da), hip_arg(h, db), hip_arg(h, dc), hip_arg(h, dd), hip_arg(h, dia), hip_arg(h, dib),
		hip_arg(h, did);
	return hip_go(h, "wmma", 1, 1, 32, 1) && hip_same(h, "d", hip_down(h, dd, sizeof want), want, 256, 4) &&
	       hip_same(h, "id", hip_down(h, did, sizeof iwant), iwant, 256, 4);
}

const struct hip_case hip_cases_float[] = {
	{"saxpy", saxpy, NULL},
	{"reduce", reduce, NULL},
	{"matmul_f32", matmul_f32, NULL},
	{"matmul_f64", matmul_f64, NULL},
	{"nbody", nbody, NULL},
	{"half_math", half_math, NULL},
	{"transcend", transcend, NULL},
	{"mandelbrot", mandelbrot, NULL},
	{"double_math", double_math, NULL},
	{"wmma", wmma, "gfx1100"},
	{NULL, NULL, NULL},
};
