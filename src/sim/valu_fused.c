/* Fused multiply-add over lanes, in a file of its own: gcc vectorises fma only without -frounding-math, and a loop with
 * nothing but the call rounds as the host's mode says with or without. */
#include <math.h>

#include "sim/valu_gen.h"

CLONES void sim_fused32(float *restrict d, const float *a, const float *b, const float *c, uint32_t n)
{
	for (size_t l0 = 0; l0 < n; l0 += 32)
		for (size_t j = 0; j < 32; j++)
			d[l0 + j] = fmaf(a[l0 + j], b[l0 + j], c[l0 + j]);
}

CLONES void sim_fused64(double *restrict d, const double *a, const double *b, const double *c, uint32_t n)
{
	for (size_t l0 = 0; l0 < n; l0 += 32)
		for (size_t j = 0; j < 32; j++)
			d[l0 + j] = fma(a[l0 + j], b[l0 + j], c[l0 + j]);
}

CLONES void sim_roots32(float *restrict d, const float *a, uint32_t n)
{
	for (size_t l0 = 0; l0 < n; l0 += 32)
		for (size_t j = 0; j < 32; j++)
			d[l0 + j] = sqrtf(a[l0 + j]);
}

CLONES void sim_roots64(double *restrict d, const double *a, uint32_t n)
{
	for (size_t l0 = 0; l0 < n; l0 += 32)
		for (size_t j = 0; j < 32; j++)
			d[l0 + j] = sqrt(a[l0 + j]);
}
