/* Results of the transcendental unit as far from exact as the manuals allow, on request (sim_options.approx_seed): code that must be exact
 * has to be so for any of them. Which is a hash of the seed and the operand, so the same operand gives the same result. With an even seed f32 results are
 * as far off as can be.
 *
 * Bounds: RDNA2 and RDNA3 ISA: V_RCP_F32, V_RSQ_F32, V_SQRT_F32, V_EXP_F32, V_LOG_F32: 1 ulp; V_RCP_F64, V_RSQ_F64, V_SQRT_F64: 2^29 ulp. For
 * V_SIN_F32 and V_COS_F32 they state none: on gfx11 1.2542e-7 absolute, as AMD recorded (tests/approx/functions.def), on gfx10 2^-22 is taken. f16
 * results (0.51 ulp) stay correctly rounded. */
#include "sim/valu.h"
#include "sim/valu_fp.h"

static double rcp(double x)
{
	return 1 / x;
}
static double rsq(double x)
{
	return 1 / sqrt(x);
}
static double sine(double x)
{
	return sin((x - rint(x)) * 6.283185307179586477);
}
static double cosine(double x)
{
	return cos((x - rint(x)) * 6.283185307179586477);
}

static const struct {
	const char *name;
	double (*exact)(double);
	bool absolute;
} functions[] = {{"v_rcp_f32", rcp, false}, {"v_rcp_iflag_f32", rcp, false}, {"v_rsq_f32", rsq, false}, {"v_sqrt_f32", sqrt, false},
	{"v_exp_f32", exp2, false}, {"v_log_f32", log2, false}, {"v_sin_f32", sine, true}, {"v_cos_f32", cosine, true},
	{"v_rcp_f64", rcp, false}, {"v_rsq_f64", rsq, false}, {"v_sqrt_f64", sqrt, false}};

static uint64_t hash(uint64_t seed, uint64_t x)
{
	x = (x ^ seed) * 0x9E3779B97F4A7C15u;
	x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
	return x ^ x >> 32;
}

static uint32_t near32(uint32_t r, double exact, double absolute, bool farthest, uint64_t h)
{
	int e;
	if (!(fabs(exact) >= 0x1p-126) || !(fabs(exact) < 0x1p128))
		return r;
	if (absolute != 0)
		return bits32((float)fmin(fmax(exact + (double)(int64_t)h * 0x1p-63 * absolute, -1), 1));
	(void)frexp(exact, &e);
	uint32_t first = (uint32_t)(h % 3), pick = r;
	double most = -1;
	for (uint32_t k = 0; k < 3; k++) { /* r and its neighbours; the first that is close enough, or of those the farthest */
		uint32_t u = r + (first + k) % 3 - 1;
		double error = fabs((double)float32(u) - exact);
		if ((u & 0x7fffffff) < 0x00800000 || (u & 0x7fffffff) >= INF32 || error > ldexp(1, e - 24) || error <= most)
			continue;
		pick = u;
		most = farthest ? error : INFINITY;
	}
	return pick;
}

static uint64_t near64(uint64_t r, double exact, uint64_t h)
{
	if (!(fabs(exact) >= 0x1p-1021) || !(fabs(exact) < 0x1p1023))
		return r;
	return bits64(exact) + (uint64_t)((int64_t)h >> 34);
}

void sim_approx(const char *name, bool gfx11, uint64_t seed, const void *src, void *d, uint32_t n)
{
	const uint32_t *s32 = src;
	const uint64_t *s64 = src;
	uint32_t *d32 = d;
	uint64_t *d64 = d;
	for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
		if (strcmp(functions[k].name, name))
			continue;
		bool wide = strstr(name, "f64") != NULL;
		double absolute = !functions[k].absolute ? 0 : gfx11 ? 1.2542e-7 : 0x1p-22;
		for (uint32_t l = 0; l < n; l++)
			if (wide)
				d64[l] = near64(d64[l], functions[k].exact(float64(s64[l])), hash(seed, s64[l]));
			else
				d32[l] = near32(d32[l], functions[k].exact((double)float32(s32[l])), absolute, !(seed & 1), hash(seed, s32[l]));
	}
}
