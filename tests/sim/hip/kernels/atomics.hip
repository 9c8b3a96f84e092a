#include "hip.h"
KERNEL atomics(const u32 *in, u32 *a32, u64 *a64, float *f, u32 *order)
{
	u32 i = gid(), x = in[i];
	u64 y = (u64)x << 20 | i;
	__atomic_fetch_add(&a32[0], x, __ATOMIC_RELAXED);
	__atomic_fetch_max(&a32[1], x, __ATOMIC_RELAXED);
	__atomic_fetch_min(&a32[2], x, __ATOMIC_RELAXED);
	__atomic_fetch_or(&a32[3], 1u << (x & 31), __ATOMIC_RELAXED);
	__atomic_fetch_xor(&a32[4], x, __ATOMIC_RELAXED);
	__atomic_fetch_and(&a32[5], ~(1u << (x & 15)), __ATOMIC_RELAXED);
	__atomic_fetch_max((i32 *)&a32[6], (i32)(x - 0x40000000u), __ATOMIC_RELAXED);
	order[__atomic_fetch_add(&a32[7], 1, __ATOMIC_RELAXED)] = i;
	__atomic_fetch_add(&a64[0], y, __ATOMIC_RELAXED);
	__atomic_fetch_max(&a64[1], y, __ATOMIC_RELAXED);
	__atomic_fetch_min(&a64[2], y, __ATOMIC_RELAXED);
	__atomic_fetch_xor(&a64[3], y * 0x9e3779b97f4a7c15, __ATOMIC_RELAXED);
	u64 old = __atomic_load_n(&a64[4], __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&a64[4], &old, old + y * 3, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		;
	u32 seen = __atomic_load_n((u32 *)&f[0], __ATOMIC_RELAXED), want;
	do
		want = __builtin_bit_cast(u32, __builtin_bit_cast(float, seen) + (float)(x & 7));
	while (!__atomic_compare_exchange_n((u32 *)&f[0], &seen, want, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	__shared__ u32 s[2];
	__shared__ u64 d;
	if (!tid())
		s[0] = 0, s[1] = 0, d = 0;
	barrier();
	__atomic_fetch_add(&s[0], x & 0xff, __ATOMIC_RELAXED);
	__atomic_fetch_max(&s[1], x, __ATOMIC_RELAXED);
	__atomic_fetch_add(&d, y, __ATOMIC_RELAXED);
	barrier();
	if (!tid()) {
		a32[8 + bid() * 2] = s[0];
		a32[9 + bid() * 2] = s[1];
		a64[5 + bid()] = d;
	}
}
