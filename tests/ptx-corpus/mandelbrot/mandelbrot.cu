/* Escape counts, f32 and f64. Every rounding is spelled out, so the counts are exact. */
#include "../cuda_compat.h"

KERNEL mandel_f32(uint16_t *out, int w, int h, float x0, float y0, float step, int limit)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h)
		return;
	float cx = fmaf((float)x, step, x0), cy = fmaf((float)y, step, y0), zx = 0, zy = 0;
	int n = 0;
	while (n < limit) {
		float xx = __fmul_rn(zx, zx), yy = __fmul_rn(zy, zy);
		if (__fadd_rn(xx, yy) > 4.0f)
			break;
		zy = fmaf(__fadd_rn(zx, zx), zy, cy);
		zx = __fadd_rn(__fadd_rn(xx, -yy), cx);
		n++;
	}
	out[y * w + x] = (uint16_t)n;
}

KERNEL mandel_f64(uint16_t *out, int w, int h, double x0, double y0, double step, int limit)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h)
		return;
	double cx = fma((double)x, step, x0), cy = fma((double)y, step, y0), zx = 0, zy = 0;
	int n = 0;
	for (; n < limit; n++) {
		double xx = __dmul_rn(zx, zx), yy = __dmul_rn(zy, zy);
		if (__dadd_rn(xx, yy) > 4.0)
			break;
		zy = fma(__dadd_rn(zx, zx), zy, cy);
		zx = __dadd_rn(__dadd_rn(xx, -yy), cx);
	}
	out[y * w + x] = (uint16_t)n;
}
