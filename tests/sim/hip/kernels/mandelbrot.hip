#include "hip.h"
KERNEL mandelbrot(u32 w, u32 h, u32 limit, u32 *out)
{
	u32 x = bid() * bdim() + tid(), y = bidy();
	if (x >= w || y >= h)
		return;
	float cr = -2.0f + 2.5f * (float)x / (float)w, ci = -1.25f + 2.5f * (float)y / (float)h, zr = 0, zi = 0;
	u32 n = 0;
	while (n < limit && zr * zr + zi * zi < 4.0f) {
		float t = zr * zr - zi * zi + cr;
		zi = 2.0f * zr * zi + ci;
		zr = t;
		n++;
	}
	out[y * w + x] = n;
}
