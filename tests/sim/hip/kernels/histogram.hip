#include "hip.h"
KERNEL histogram(u32 n, const u8 *x, u32 *bins)
{
	__shared__ u32 local[256];
	local[tid()] = 0;
	barrier();
	for (u32 i = gid(); i < n; i += bdim() * 4)
		__atomic_fetch_add(&local[x[i]], 1, __ATOMIC_RELAXED);
	barrier();
	__atomic_fetch_add(&bins[tid()], local[tid()], __ATOMIC_RELAXED);
}
