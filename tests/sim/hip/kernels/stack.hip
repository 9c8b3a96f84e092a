#include "hip.h"
// Arrays in scratch: indexed by data, and of a size known only when the kernel runs.
KERNEL sort_private(u32 n, const i32 *in, i32 *out)
{
	u32 i = gid();
	if (i >= n)
		return;
	i32 v[24];
	for (u32 j = 0; j < 24; j++)
		v[j] = in[i * 24 + j];
	for (u32 j = 1; j < 24; j++) {
		i32 x = v[j];
		u32 k = j;
		for (; k && v[k - 1] > x; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
	for (u32 j = 0; j < 24; j++)
		out[i * 24 + j] = v[j];
}
static __device__ NOINLINE u32 sieve(u32 n)
{
	u8 *p = (u8 *)__builtin_alloca(n + 1);
	u32 count = 0;
	for (u32 k = 0; k <= n; k++)
		p[k] = 1;
	for (u32 k = 2; k <= n; k++) {
		if (!p[k])
			continue;
		count++;
		for (u32 m = k * k; m <= n; m += k)
			p[m] = 0;
	}
	return count;
}
KERNEL dynamic_stack(u32 n, u32 *out)
{
	u32 i = gid();
	if (i < n)
		out[i] = sieve(20 + (bid() * 32 + tid() / 32) % 50);
}
