#include "hip.h"
KERNEL double_math(u32 n, const double *in, double *out)
{
	u32 i = gid();
	if (i >= n)
		return;
	double x = in[i * 2], y = in[i * 2 + 1], *o = out + i * 14;
	o[0] = x / y;
	o[1] = __builtin_sqrt(__builtin_fabs(x));
	o[2] = __builtin_fma(x, y, -x);
	o[3] = __builtin_floor(x) + __builtin_ceil(y);
	o[4] = __builtin_trunc(x) - __builtin_rint(y);
	o[5] = (double)(float)x;
	o[6] = (double)(i32)(x > 1e9 ? 1e9 : x < -1e9 ? -1e9 : x);
	o[7] = (double)(i64)(x > 1e17 ? 1e17 : x < -1e17 ? -1e17 : x);
	o[8] = (double)(u64)(__builtin_fabs(y) > 1e17 ? 1e17 : __builtin_fabs(y));
	o[9] = x > y ? x : y;
	o[10] = __builtin_ldexp(x, (i32)i - 40);
	o[11] = __builtin_copysign(x, y) * 0.1;
	o[12] = (double)((float)x / (float)y);
	o[13] = (double)__builtin_sqrtf(__builtin_fabsf((float)y));
}
