/* Exact arithmetic where the host has no instruction for it, and the periodic functions. */
#include "sim/valu.h"
#include "sim/valu_fp.h"

typedef unsigned __int128 u128;

/* A finite nonzero double as m * 2^e. */
static uint64_t unpack(double x, int *e)
{
	uint64_t u = bits64(x), m = u & 0xfffffffffffff;
	int f = (int)(u >> 52 & 2047);
	*e = (f ? f : 1) - 1075;
	return f ? m | 1ull << 52 : m;
}

/* Shifts left until bit 125 is the top one. */
static u128 normalise(u128 m, int *e)
{
	uint64_t hi = (uint64_t)(m >> 64);
	int s = (hi ? __builtin_clzll(hi) : 64 + __builtin_clzll((uint64_t)m)) - 2;
	*e -= s;
	return s >= 0 ? m << s : m >> -s;
}

/* Shifts right; what is lost stays as a sticky last bit. */
static u128 shift_sticky(u128 m, int s)
{
	if (s <= 0)
		return m;
	if (s > 126)
		return m != 0;
	return m >> s | ((m & (((u128)1 << s) - 1)) != 0);
}

/* m * 2^e rounded to double; m's last bit may be sticky. */
static double pack(u128 m, int e, uint64_t sign, int rm)
{
	m = normalise(m, &e);
	int field = e + 125 + 1023, drop = 125 - 52 + (field < 1 ? 1 - field : 0);
	m = shift_sticky(m, drop - 8); /* eight bits beyond the last place */
	uint64_t near = near_mask(rm), away = away_mask(rm, sign), full = (uint64_t)m;
	uint64_t bias = (near & (127 + (full >> 8 & 1))) | (away & 255);
	uint64_t mag = ((full + bias) >> 8) + (field > 1 ? (uint64_t)(field - 1) << 52 : 0);
	uint64_t over = near | away ? INF64 : INF64 - 1;
	return float64((field >= 2047 || mag >= INF64 ? over : mag) | sign << 63);
}

double sim_fma_scaled64(double a, double b, double c, int scale, int rm)
{
	uint64_t sp = (bits64(a) ^ bits64(b)) >> 63, sc = bits64(c) >> 63;
	if (a - a != 0 || b - b != 0 || c - c != 0)
		return fma(a, b, c);
	u128 p = 0, q = 0;
	int ep = 0, ec = 0, ea, eb;
	if (a != 0 && b != 0) {
		p = (u128)unpack(a, &ea) * unpack(b, &eb);
		ep = ea + eb;
		p = normalise(p, &ep);
	}
	if (c != 0)
		q = normalise(unpack(c, &ec), &ec);
	if (!p && !q)
		return float64((sp == sc ? sp : rm == 2) << 63);
	if (!p || !q)
		return pack(p ? p : q, (p ? ep : ec) + scale, p ? sp : sc, rm);
	int e = ep > ec ? ep : ec;
	p = shift_sticky(p, e - ep);
	q = shift_sticky(q, e - ec);
	u128 r = sp == sc ? p + q : p > q ? p - q : q - p;
	if (!r)
		return float64((uint64_t)(rm == 2) << 63);
	return pack(r, e + scale, p > q ? sp : sc, rm);
}

/* Needs round-to-nearest: the product of two singles is exact in double, the sum is made sticky. */
float sim_fma_scaled32(float a, float b, float c, int scale, int rm)
{
	return float32(f32_from_f64(fma_odd(a, b, c, rm) * pow2(scale), rm));
}

/* sine of x whole turns, plus `quarter` quarter turns; exact at multiples of a quarter turn. */
static float turns(float x, int quarter)
{
	if (x - x != 0)
		return float32(NAN32);
	double r = ((double)x - rint((double)x)) * 4, n = rint(r), t = (r - n) * 1.57079632679489661923;
	int q = ((int)n + quarter) & 3;
	double v = q & 1 ? cos(t) : sin(t);
	return (float)((q & 2 ? -v : v) + 0.0);
}
float sim_sin_turns(float x)
{
	return x == 0 ? x : turns(x, 0);
}
float sim_cos_turns(float x)
{
	return turns(x, 1);
}

/* The fraction bits of 2/pi, most significant first. */
static const uint64_t two_over_pi[19] = {
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
	0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
	0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
	0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
	0x56033046fc7b6bab,
};

double sim_trig_preop(double x, uint32_t seg, int rm)
{
	(void)rm; /* the 53 bits are exact; only the scaling below the normal range rounds, and toward zero */
	int exp = (int)(bits64(x) >> 52 & 2047), shift = (int)seg * 53 + (exp > 1077 ? exp - 1077 : 0);
	uint64_t m = 0;
	for (int n = 0; n < 53; n++) {
		int bit = shift + n;
		uint64_t one = bit < 1201 ? two_over_pi[bit / 64] >> (63 - bit % 64) & 1 : 0;
		m = m << 1 | one;
	}
	if (!m)
		return 0;
	return pack(m, -53 - shift + (exp >= 1968 ? 128 : 0), 0, 3);
}
