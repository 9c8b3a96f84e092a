#include "hip.h"
KERNEL transpose(u32 w, u32 h, const u32 *in, u32 *out)
{
	__shared__ u32 t[32][33];
	u32 x = bid() * 32 + tid(), y = bidy() * 32 + tidy();
	for (u32 j = 0; j < 32; j += 8)
		if (x < w && y + j < h)
			t[tidy() + j][tid()] = in[(y + j) * w + x];
	barrier();
	x = bidy() * 32 + tid(), y = bid() * 32 + tidy();
	for (u32 j = 0; j < 32; j += 8)
		if (x < h && y + j < w)
			out[(y + j) * h + x] = t[tid()][tidy() + j];
}
