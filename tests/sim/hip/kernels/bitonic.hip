#include "hip.h"
KERNEL bitonic(u32 *data)
{
	__shared__ u32 s[512];
	u32 t = tid();
	s[t] = data[bid() * 512 + t];
	s[t + 256] = data[bid() * 512 + t + 256];
	for (u32 k = 2; k <= 512; k *= 2)
		for (u32 j = k / 2; j; j /= 2) {
			barrier();
			u32 lo = (t & ~(j - 1)) * 2 + (t & (j - 1)), hi = lo + j;
			u32 a = s[lo], b = s[hi];
			if ((a > b) == !(lo & k))
				s[lo] = b, s[hi] = a;
		}
	barrier();
	data[bid() * 512 + t] = s[t];
	data[bid() * 512 + t + 256] = s[t + 256];
}
