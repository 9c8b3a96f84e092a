#include "hip.h"
KERNEL half_math(u32 n, const half2 *a, const half2 *b, half2 *out, float *mixed)
{
	u32 i = gid();
	if (i >= n)
		return;
	half2 x = a[i], y = b[i], *o = out + i * 8;
	o[0] = x + y;
	o[1] = x * y;
	o[2] = __builtin_elementwise_fma(x, y, x);
	o[3] = x - y;
	o[4] = x / y;
	o[5] = __builtin_elementwise_max(x, y);
	half2 m = {(_Float16)__builtin_sqrtf((float)__builtin_elementwise_abs(x.x)), (_Float16)(float)(i32)(x.y * (_Float16)8)};
	o[6] = m;
	half2 f = {__builtin_elementwise_floor(x.x), __builtin_elementwise_trunc(y.y)};
	o[7] = f;
	mixed[i] = __builtin_fmaf((float)x.x, (float)y.y, (float)x.y);
}
