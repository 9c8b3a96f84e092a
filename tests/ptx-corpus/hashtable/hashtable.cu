/* Open-addressing table of 64-bit keys filled with compare-and-swap, then looked up; a spin lock per bucket taken and
 * released inside one iteration; exchange, minimum, maximum, and, or, xor. */
#include "../cuda_compat.h"

typedef unsigned long long u64;

static __device__ __forceinline__ unsigned hash(u64 k)
{
	k ^= k >> 33;
	k *= 0xff51afd7ed558ccdull;
	k ^= k >> 29;
	return (unsigned)k;
}

KERNEL insert(const u64 *keys, int n, u64 *table, unsigned *counts, unsigned mask)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	u64 k = keys[i] % 5000 + 1;
	for (unsigned at = hash(k) & mask;; at = (at + 1) & mask) {
		u64 old = atomicCAS(&table[at], 0ull, k);
		if (old == 0 || old == k) {
			atomicAdd(&counts[at], 1u);
			return;
		}
	}
}

KERNEL lookup(const u64 *table, const unsigned *counts, unsigned mask, unsigned *found, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	u64 k = i + 1;
	unsigned at = hash(k) & mask, r = 0;
	while (table[at] != 0) {
		if (table[at] == k) {
			r = counts[at];
			break;
		}
		at = (at + 1) & mask;
	}
	found[i] = r;
}

/* Each thread adds to two fields of a bucket that no atomic covers at once. */
KERNEL locked(int *lock, int *sum, int *items, int buckets, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int b = (int)(hash(i) % (unsigned)buckets);
	bool done = i >= n;
	while (__any_sync(0xffffffffu, !done)) {
		if (!done && atomicCAS(&lock[b], 0, 1) == 0) {
			__threadfence();
			((volatile int *)sum)[b] = ((volatile int *)sum)[b] + i;
			((volatile int *)items)[b] = ((volatile int *)items)[b] + 1;
			__threadfence();
			atomicExch(&lock[b], 0);
			done = true;
		}
	}
}

KERNEL folds(const u64 *keys, int n, u64 *wide, int *narrow, unsigned *bits)
{
	__shared__ unsigned any, all, odd;
	__shared__ int lo;
	if (threadIdx.x == 0) {
		any = odd = 0;
		all = ~0u;
		lo = 0x7fffffff;
	}
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		u64 k = keys[i];
		atomicMin(&wide[0], k);
		atomicMax(&wide[1], k);
		atomicAdd(&wide[2], k);
		atomicMin((long long *)&wide[3], (long long)k);
		atomicMax(&narrow[0], (int)k);
		atomicMin(&lo, (int)k);
		atomicOr(&any, 1u << (k & 31));
		atomicAnd(&all, ~(1u << (k >> 5 & 31)) | (unsigned)(k >> 32));
		atomicXor(&odd, (unsigned)k);
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		atomicMin(&narrow[1], lo);
		bits[blockIdx.x * 3] = any;
		bits[blockIdx.x * 3 + 1] = all;
		bits[blockIdx.x * 3 + 2] = odd;
	}
}
