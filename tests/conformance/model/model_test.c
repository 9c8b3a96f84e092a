/* model_test RECORDING: the model against what it was not made from: the host's own arithmetic in all rounding modes, a
 * search for the nearest code of each small format, and H200 outputs (RECORDING: opcode, inputs, output, in
 * hexadecimal). */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "model.h"

static unsigned passed, failed;

static void expect(bool ok, const char *what, uint64_t a, uint64_t b, uint64_t got, uint64_t want)
{
	if (ok) {
		passed++;
		return;
	}
	if (failed++ < 20)
		printf("%s of %llx, %llx: %llx, should be %llx\n", what, (unsigned long long)a, (unsigned long long)b,
		       (unsigned long long)got, (unsigned long long)want);
}

static uint64_t seed = 1;

static uint32_t random32(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 32);
}

/* NaNs are PTX's. */
static uint32_t result_bits(float f)
{
	return f != f ? 0x7fffffff : bits32(f);
}

/* An f32 that is often special or near one. */
static uint32_t random_float(void)
{
	static const uint32_t edges[] = {0,	     1,		 0x7fffff,   0x800000,	 0x800001,
					 0x3f800000, 0x3f7fffff, 0x3f800001, 0x7f7fffff, 0x7f800000,
					 0x7fc00000, 0x00ffffff, 0x33800000, 0x4b800000};
	uint32_t r = random32(), sign = r & 0x80000000;
	switch (r % 3) {
	case 0:
		return edges[random32() % 14] | sign;
	case 1:
		return random32();
	default:
		return sign | (127 - 13 + random32() % 27) << 23 | (random32() & 0x7fffff);
	}
}

/* --- against the host --- */

static float host(int op, float x, float y, float z)
{
	volatile float a = x, b = y, c = z, d;
	switch (op) {
	case 0:
		d = a + b;
		break;
	case 1:
		d = a - b;
		break;
	case 2:
		d = a * b;
		break;
	default:
		d = fmaf(a, b, c);
	}
	return d;
}

static void against_host(void)
{
	static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
	static const char *const rnd[] = {"rn", "rz", "rm", "rp"}, *const ops[] = {"add", "sub", "mul", "fma"};
	for (int op = 0; op < 4; op++) {
		for (int r = 0; r < 4; r++) {
			char opcode[32];
			struct model_op m;
			snprintf(opcode, sizeof opcode, "%s.%s.f32", ops[op], rnd[r]);
			if (!model_parse(opcode, op == 3 ? 3 : 2, &m))
				exit(2);
			for (int k = 0; k < 20000; k++) {
				struct model_value in[3] = {
					{random_float(), 0}, {random_float(), 0}, {random_float(), 0}};
				fesetround(modes[r]);
				float f = host(op, float32((uint32_t)in[0].lo), float32((uint32_t)in[1].lo),
					       float32((uint32_t)in[2].lo));
				fesetround(FE_TONEAREST);
				uint64_t got = model_apply(&m, in).lo;
				expect(got == result_bits(f), opcode, in[0].lo, in[1].lo, got, result_bits(f));
			}
		}
	}
}

/* --- against a search among all codes --- */

static long double value(const struct format *f, uint64_t code)
{
	struct number x = number_of(f, code);
	long double v = x.cls == N_ZERO ? 0 : ldexpl((long double)(uint64_t)x.m, x.e);
	return x.neg ? -v : v;
}

/* The nearest finite code to |x|, of two the even one. */
static uint64_t nearest(const struct format *f, long double x)
{
	uint64_t best = 0;
	for (uint64_t c = 1; c <= f->max; c++) {
		long double d = fabsl(value(f, c) - x), e = fabsl(value(f, best) - x);
		if (d < e || (d == e && !(c & 1)))
			best = c;
	}
	return best;
}

static void against_search(void)
{
	static const struct format *const small[] = {&fmt_e4m3, &fmt_e5m2, &fmt_e2m1, &fmt_e2m3, &fmt_e3m2};
	for (int k = 0; k < 5; k++) {
		const struct format *f = small[k];
		uint64_t sign = (uint64_t)1 << (f->exp + f->mant);
		for (uint64_t c = 0; c <= f->max; c++) {
			long double v = value(f, c), up = c < f->max ? value(f, c + 1) : v * 1.5L;
			long double near[] = {v, (v + up) / 2, (v + up) / 2 * (1 - 0x1p-20L),
					      (v + up) / 2 * (1 + 0x1p-20L)};
			for (int j = 0; j < 4; j++) {
				uint32_t bits = result_bits((float)near[j]);
				uint64_t want = nearest(f, float32(bits));
				uint64_t got = number_code(f, RND_RN, true, number_of(&fmt_f32, bits));
				expect(got == want, f->name, bits, 0, got, want);
				got = number_code(f, RND_RN, true, number_of(&fmt_f32, bits | 0x80000000));
				expect(got == (want | sign), f->name, bits | 0x80000000, 0, got, want | sign);
			}
		}
	}
}

/* Every code of a format is its own value's code, in every rounding. */
static void round_trips(void)
{
	static const struct format *const all[] = {&fmt_f16,  &fmt_bf16, &fmt_e4m3, &fmt_e5m2,
						   &fmt_e2m1, &fmt_e2m3, &fmt_e3m2};
	for (int k = 0; k < 7; k++) {
		const struct format *f = all[k];
		for (uint64_t c = 0; c < (uint64_t)2 << (f->exp + f->mant); c++) {
			struct number x = number_of(f, c);
			for (int r = RND_RN; r <= RND_RNA; r++) {
				uint64_t got = number_code(f, (enum rounding)r, false, x),
					 want = x.cls == N_NAN ? f->nan : c;
				expect(got == want, f->name, c, (uint64_t)r, got, want);
			}
		}
	}
}

/* --- what the manual and NVIDIA's headers say of single values --- */

static void said_values(void)
{
	static const struct {
		const char *opcode;
		uint32_t nin;
		uint64_t in[5], want;
	} said[] = {
		/* NaN: of fp8 the code 0x7f, of fp6 and fp4 the greatest positive number, of ue8m0 0xff */
		{"cvt.rn.satfinite.e4m3x2.f32", 2, {0xffc00000, 0x7f800000}, 0x7f7e},
		{"cvt.rn.satfinite.e5m2x2.f32", 2, {0xffc00000, 0xff800000}, 0x7ffb},
		{"cvt.rn.satfinite.e2m1x2.f32", 2, {0xffc00000, 0xff800000}, 0x7f},
		{"cvt.rn.satfinite.e2m3x2.f32", 2, {0xffc00000, 0xff800000}, 0x1f3f},
		{"cvt.rn.satfinite.e3m2x2.f32", 2, {0x7fc00000, 0x41e00000}, 0x1f1f},
		{"cvt.rn.satfinite.relu.e2m1x2.f32", 2, {0xc0c00000, 0x80000000}, 0},
		{"cvt.rn.f16x2.e2m1x2", 1, {0xf1}, 0xc6003800},
		{"cvt.rn.f16x2.e4m3x2", 1, {0xff01}, 0x7fff1800},
		{"cvt.rn.relu.f16x2.e2m3x2", 1, {0x3f1f}, 0x00004780},
		/* ue8m0: powers of two; beyond 2^127 NaN, or with .satfinite 2^127; zero is 2^-127 */
		{"cvt.rz.ue8m0x2.f32", 2, {0x7f800000, 0x7fc00000}, 0xffff},
		{"cvt.rz.satfinite.ue8m0x2.f32", 2, {0x7f800000, 0x7fc00000}, 0xfeff},
		{"cvt.rp.ue8m0x2.f32", 2, {0x7f000001, 0x7f000000}, 0xfffe},
		{"cvt.rp.satfinite.ue8m0x2.f32", 2, {0x7f000001, 0x00400001}, 0xfe01},
		{"cvt.rp.satfinite.ue8m0x2.f32", 2, {0xbfc00000, 0x00400000}, 0x8000},
		{"cvt.rz.ue8m0x2.bf16x2", 1, {0x0000007f}, 0x0000},
		{"cvt.rp.ue8m0x2.bf16x2", 1, {0x3f810041}, 0x8001},
		{"cvt.rn.bf16x2.ue8m0x2", 1, {0xff00}, 0x7fff0040},
		/* tf32 */
		{"cvt.rna.tf32.f32", 1, {0x3f801000}, 0x3f802000},
		{"cvt.rn.tf32.f32", 1, {0x3f801000}, 0x3f800000},
		{"cvt.rz.satfinite.tf32.f32", 1, {0xff800000}, 0xff7fe000},
		/* stochastic rounding: a carry out of the discarded bits */
		{"cvt.rs.bf16x2.f32", 3, {0x3f800001, 0x3f80ffff, 0xfffe0001}, 0x3f803f81},
		{"cvt.rs.bf16x2.f32", 3, {0x3f800001, 0x7f7fffff, 0xffff0001}, 0x3f817f80},
		{"cvt.rs.satfinite.bf16x2.f32", 3, {0xff7fffff, 0x7f800000, 0xffffffff}, 0xff7f7f7f},
		{"cvt.rs.relu.bf16x2.f32", 3, {0xbf800001, 0xffc00000, 0}, 0x00007fff},
		/* f16: 13 bits, aligned with the first one that is cut off; the greatest number; NaN */
		{"cvt.rs.satfinite.f16x2.f32", 3, {0x3f800001, 0x3f801fff, 0x1ffe0001}, 0x3c003c01},
		{"cvt.rs.satfinite.f16x2.f32", 3, {0x33000000, 0xb3800001, 0x1000ffff}, 0x00018001},
		{"cvt.rs.satfinite.f16x2.f32", 3, {0xff800000, 0x477fffff, 0x1fff1fff}, 0xfbff7bff},
		{"cvt.rs.relu.f16x2.f32", 3, {0x477fffff, 0xffc00000, 0x00010000}, 0x7c007fff},
		/* of four: one random bit, the highest of an element, and one half to round up with it. Which bit that is was
		 * measured on a B200 (README.md); subnormal and normal elements, the greatest number, NaN */
		{"cvt.rs.satfinite.e4m3x4.f32", 5, {0x3f880000, 0x3f880000, 0x3f880000, 0x3f880000, 0x00010000}, 0x39383838},
		{"cvt.rs.satfinite.e5m2x4.f32", 5, {0x3f900000, 0x3f900000, 0x3f900000, 0x3f900000, 0x80000000}, 0x3c3d3c3c},
		{"cvt.rs.satfinite.e3m2x4.f32", 5, {0x3f900000, 0x3f900000, 0x3f900000, 0x3f900000, 0x00000001}, 0x0c0c0d0c},
		{"cvt.rs.satfinite.e2m3x4.f32", 5, {0x3f880000, 0x3f880000, 0x3f880000, 0x3f880000, 0x00008000}, 0x08080809},
		{"cvt.rs.satfinite.e2m1x4.f32", 5, {0x3fa00000, 0x3fa00000, 0x3fa00000, 0x3fa00000, 0x00000100}, 0x3222},
		{"cvt.rs.satfinite.e2m1x4.f32", 5, {0x3fa00000, 0x3fa00000, 0x3fa00000, 0x3fa00000, 0x80000000}, 0x2322},
		{"cvt.rs.satfinite.e2m1x4.f32", 5, {0x3fa00000, 0x3fa00000, 0x3fa00000, 0x3fa00000, 0x00000001}, 0x2232},
		{"cvt.rs.satfinite.e2m1x4.f32", 5, {0x3fa00000, 0x3fa00000, 0x3fa00000, 0x3fa00000, 0x00800000}, 0x2223},
		{"cvt.rs.satfinite.e4m3x4.f32", 5, {0xba800000, 0x3a800000, 0xba800000, 0x3a800000, 0xffff0000}, 0x81018000},
		{"cvt.rs.satfinite.e4m3x4.f32", 5, {0xffc00000, 0xc3df0000, 0x447a0000, 0x00000001, 0xffffffff}, 0x7ffe7e00},
		{"cvt.rs.relu.satfinite.e2m1x4.f32", 5, {0xc0c00000, 0x80000000, 0x7fc00000, 0x40a00000, 0}, 0x0076},
		/* three inputs */
		{"min.f32", 3, {0x7fc00000, 0x3f800000, 0xbf800000}, 0xbf800000},
		{"max.NaN.abs.f32", 3, {0x3f800000, 0xff800000, 0x7fc00000}, 0x7fffffff},
		{"max.abs.f32", 3, {0x3f800000, 0xc0000000, 0x7fc00000}, 0x40000000},
		{"min.ftz.f32", 3, {0x00000001, 0x80000001, 0x3f800000}, 0x80000000},
		/* mixed precision, packed f32 */
		{"add.rz.f32.f16", 2, {0x7bff, 0x33000000}, 0x477fe000},
		{"add.rp.f32.bf16", 2, {0x7f7f, 0x00000001}, 0x7f7f0001},
		{"fma.rn.sat.f32.bf16", 3, {0x4000, 0x4000, 0xc0800000}, 0},
		{"sub.sat.f32.f16", 2, {0x7e00, 0}, 0},
		{"fma.rn.oob.f16", 3, {0xfff7, 0x3c00, 0x3c00}, 0},
		{"fma.rn.oob.relu.bf16x2", 3, {0x7ff63f80, 0x3f807ff7, 0x3f803f80}, 0x7fff0000},
		{"mul.ftz.f32x2", 2, {0x0080000000800000, 0x3f0000003f800000}, 0x0000000000800000},
		{"fma.rm.f32x2", 3, {0x3f8000003f800000, 0x3f8000003f800000, 0xbf800000bf800000}, 0x8000000080000000},
	};
	for (unsigned k = 0; k < sizeof said / sizeof *said; k++) {
		struct model_op m;
		struct model_value in[5] = {{0, 0}};
		for (int i = 0; i < 5; i++)
			in[i].lo = said[k].in[i];
		bool ok = model_parse(said[k].opcode, said[k].nin, &m);
		uint64_t got = ok ? model_apply(&m, in).lo : ~said[k].want;
		expect(got == said[k].want, said[k].opcode, in[0].lo, in[1].lo, got, said[k].want);
	}
}

/* --- against hardware --- */

static void against_recording(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[256], opcode[64];
	if (!f) {
		fprintf(stderr, "%s: cannot open\n", path);
		exit(2);
	}
	while (fgets(line, sizeof line, f)) {
		unsigned long long v[4];
		int n = sscanf(line, "%63s %llx %llx %llx %llx", opcode, &v[0], &v[1], &v[2], &v[3]) - 2;
		struct model_op m;
		if (line[0] == '#')
			continue;
		bool ok = n > 0 && model_parse(opcode, (uint32_t)n, &m);
		struct model_value in[3] = {{v[0], 0}, {v[1], 0}, {v[2], 0}};
		uint64_t got = ok ? model_apply(&m, in).lo : ~v[n];
		expect(got == v[n], opcode, v[0], v[1], got, v[n]);
	}
	fclose(f);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	against_host();
	against_search();
	round_trips();
	said_values();
	against_recording(argv[1]);
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
