#include "hip.h"
KERNEL saxpy(u32 n, float a, const float *x, float *y)
{
	u32 i = gid();
	if (i < n)
		y[i] = __builtin_fmaf(a, x[i], y[i]);
}
