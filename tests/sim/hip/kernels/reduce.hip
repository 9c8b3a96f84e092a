#include "hip.h"
// Tree in LDS; one partial sum a block, and the total of the integers by one atomic a block.
KERNEL reduce(u32 n, const float *x, const u32 *k, float *partial, u32 *total)
{
	__shared__ float s[256];
	__shared__ u32 t[256];
	u32 i = gid();
	s[tid()] = i < n ? x[i] : 0.0f;
	t[tid()] = i < n ? k[i] : 0;
	barrier();
	for (u32 w = 128; w; w /= 2) {
		if (tid() < w) {
			s[tid()] += s[tid() + w];
			t[tid()] += t[tid() + w];
		}
		barrier();
	}
	if (!tid()) {
		partial[bid()] = s[0];
		__atomic_fetch_add(total, t[0], __ATOMIC_RELAXED);
	}
}
