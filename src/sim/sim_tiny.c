/* When results are flushed. A product or fused multiply-add of f32 or f16 that rounds up to the least normal number, as it would without
 * flushing, comes here: whether it counts as subnormal. AMD recorded it for v_mul_f32, v_fma_f32 and v_fma_f16 of a gfx1100, and takes RDNA1 and RDNA2
 * to do the same (amd_target.c has the source); v_mul_f16 of a gfx1201, too. The manuals do not say it. Code that must not depend on it is run in
 * every way (sim_options.tiny). */
#include <math.h>

#include "sim/valu.h"
#include "sim/valu_fp.h"

bool sim_tiny_named(const char *name, enum sim_tiny *how)
{
	static const char *const names[] = {"unbounded", "grid", "before"};
	for (uint32_t k = 0; k < 3; k++)
		if (!strcmp(names[k], name)) {
			*how = (enum sim_tiny)k;
			return true;
		}
	return false;
}

static bool is_product(const char *name)
{
	static const char *const stems[] = {"mul_f32", "mul_f16", "mul_legacy_f32", "mul_dx9_zero_f32", "fma", "pk_mul_f16", "pk_fma"};
	name += name[0] == 'v' && name[1] == '_' ? 2 : 0;
	for (size_t k = 0; k < sizeof stems / sizeof *stems; k++)
		if (!strncmp(name, stems[k], strlen(stems[k])))
			return true;
	return false;
}

static double operand(const struct valu_call *k, uint32_t n, uint32_t size, uint32_t l)
{
	uint32_t u = ((const uint32_t *)k->s[n])[l];
	return size == 16 ? f64_from_f16(u & 0xffff) : (double)float32(u);
}

/* |exact|, rounded with as many bits as a normal number has, is below the least one. */
static bool below(enum sim_tiny how, double exact, uint32_t size, int rm)
{
	double least = size == 16 ? 0x1p-14 : 0x1p-126;
	if (how == SIM_TINY_BEFORE)
		return fabs(exact) < least;
	if (size == 16)
		return fabs(f64_from_f16(f16_from_f64(exact * 0x1p12, rm))) < 0x1p-2;
	return fabs((double)float32(f32_from_f64(exact * 0x1p32, rm))) < 0x1p-94;
}

void sim_tiny(enum sim_tiny how, const char *name, const struct valu_call *k, uint32_t nsrc, uint32_t size)
{
	uint32_t *d = k->d, mag = size == 16 ? 0x7fff : 0x7fffffff, least = size == 16 ? 0x400 : 0x800000;
	bool any = false;
	for (uint32_t l = 0; l < k->n; l++)
		any |= (d[l] & mag) == least;
	if (!any || !is_product(name))
		return;
	for (uint32_t l = 0; l < k->n; l++) {
		if ((d[l] & mag) != least)
			continue;
		double a = operand(k, 0, size, l), b = operand(k, 1, size, l), p = a * b;
		double exact = nsrc == 3 ? fma_odd(a, b, operand(k, 2, size, l), k->rm) : p;
		if (below(how, exact, size, k->rm))
			d[l] &= ~mag;
	}
}
