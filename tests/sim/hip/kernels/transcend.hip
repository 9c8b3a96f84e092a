#include "hip.h"
KERNEL transcend(u32 n, const float *in, float *out)
{
	u32 i = gid();
	if (i >= n)
		return;
	float x = in[i], *o = out + i * 12;
	o[0] = __builtin_amdgcn_sinf(x);
	o[1] = __builtin_amdgcn_cosf(x);
	o[2] = __builtin_amdgcn_exp2f(x);
	o[3] = __builtin_amdgcn_logf(__builtin_fabsf(x));
	o[4] = __builtin_amdgcn_rcpf(x);
	o[5] = __builtin_amdgcn_rsqf(__builtin_fabsf(x));
	o[6] = __builtin_sqrtf(__builtin_fabsf(x));
	o[7] = 1.0f / x;
	o[8] = __builtin_exp2f(x);
	o[9] = __builtin_log2f(__builtin_fabsf(x));
	o[10] = x / 3.7f;
	o[11] = __builtin_expf(x) + __builtin_logf(__builtin_fabsf(x));
}
