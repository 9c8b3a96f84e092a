/* The MODE register, against the host's own rounding directions. Compiled with -frounding-math. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "hip.h"

static float flush(float x)
{
	return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

/* The products and sums of one lane in one direction; volatile keeps them between the changes of direction. */
static void rounded(int dir, const volatile float *x, const volatile double *p, double *o)
{
	uint32_t u;
	float x0 = x[0];
	memcpy(&u, &x0, 4);
	volatile uint32_t vu = u;
	fesetround(dir);
	volatile float f = fmaf(x[0], x[1], x[2]);
	volatile double d = fma(p[0], p[1], p[2]), e = p[0] + p[1];
	volatile float g = (float)p[0], h = (float)vu;
	fesetround(FE_TONEAREST);
	o[0] = (double)f;
	o[1] = d;
	o[2] = (double)g;
	o[3] = (double)h;
	o[4] = e;
}

static bool modes(struct hip *h)
{
	enum { N = 256 };
	static const int dirs[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	float in[N * 3], mul[N * 4];
	double din[N * 3], out[N * 20];
	for (int i = 0; i < N * 3; i++) {
		in[i] = (float)ldexp((double)(int64_t)hip_rnd(h), (int)(hip_rnd(h) % 6) - 64);
		din[i] = ldexp((double)(int64_t)hip_rnd(h), (int)(hip_rnd(h) % 6) - (i % 7 ? 64 : 1120));
	}
	/* Every other lane multiplies to or from a denormal. */
	for (int i = 0; i < N; i += 2) {
		in[i * 3] = ldexpf(in[i * 3], i % 4 ? -126 : -60);
		in[i * 3 + 2] = ldexpf(in[i * 3 + 2], i % 4 ? 20 : -68);
	}
	for (int i = 0; i < N; i++)
		for (int m = 0; m < 4; m++) {
			rounded(dirs[m], in + i * 3, din + i * 3, out + i * 20 + m * 5);
			volatile float x = m & 1 ? in[i * 3] : flush(in[i * 3]),
				       z = m & 1 ? in[i * 3 + 2] : flush(in[i * 3 + 2]);
			volatile float product = x * z;
			mul[i * 4 + m] = m & 2 ? product : flush(product);
		}
	uint64_t dx = hip_up(h, in, sizeof in), dd = hip_up(h, din, sizeof din), dy = hip_up(h, NULL, sizeof out),
		 dm = hip_up(h, NULL, sizeof mul);
	hip_arg(h, N), hip_arg(h, dx), hip_arg(h, dd), hip_arg(h, dy), hip_arg(h, dm);
	return hip_go(h, "modes", 4, 1, 64, 1) && hip_same(h, "rounded", hip_down(h, dy, sizeof out), out, N * 20, 8) &&
	       hip_same(h, "denormals", hip_down(h, dm, sizeof mul), mul, N * 4, 4);
}

const struct hip_case hip_cases_mode[] = {
	{"modes", modes, NULL},
	{NULL, NULL, NULL},
};
