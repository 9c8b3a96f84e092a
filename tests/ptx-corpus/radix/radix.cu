/* Least-significant-digit radix sort, 8 bits a pass: digit counts a block, scan of the counts, stable scatter with warp
 * ranks. Ranks come from eight ballots in one kernel and from match in the other. */
#include "../cuda_compat.h"

#define WARPS 8
#define ITEMS 4
#define TILE (WARPS * 32 * ITEMS)

KERNEL radix_count(const unsigned *key, unsigned *counts, int n, int shift)
{
	__shared__ unsigned h[256];
	h[threadIdx.x] = 0;
	__syncthreads();
#pragma unroll
	for (int j = 0; j < ITEMS; j++) {
		int i = blockIdx.x * TILE + j * 256 + threadIdx.x;
		if (i < n)
			atomicAdd(&h[key[i] >> shift & 255], 1u);
	}
	__syncthreads();
	counts[threadIdx.x * gridDim.x + blockIdx.x] = h[threadIdx.x];
}

/* Exclusive scan of m counters by one block of 1024. */
KERNEL __launch_bounds__(1024) radix_scan(unsigned *counts, int m)
{
	__shared__ unsigned warps[32];
	unsigned lane = threadIdx.x & 31, w = threadIdx.x >> 5, carry = 0;
	for (int base = 0; base < m; base += 1024) {
		int i = base + threadIdx.x;
		unsigned v = i < m ? counts[i] : 0, x = v;
		for (int d = 1; d < 32; d <<= 1) {
			unsigned y = __shfl_up_sync(0xffffffffu, x, d);
			if ((int)lane >= d)
				x += y;
		}
		if (lane == 31)
			warps[w] = x;
		__syncthreads();
		if (w == 0) {
			unsigned s = warps[lane];
			for (int d = 1; d < 32; d <<= 1) {
				unsigned y = __shfl_up_sync(0xffffffffu, s, d);
				if ((int)lane >= d)
					s += y;
			}
			warps[lane] = s;
		}
		__syncthreads();
		unsigned before = carry + (w ? warps[w - 1] : 0);
		if (i < m)
			counts[i] = before + x - v;
		carry += warps[31];
		__syncthreads();
	}
}

template <bool MATCH>
static __device__ __forceinline__ void scatter(const unsigned *key, const unsigned *val, unsigned *key_out,
                                               unsigned *val_out, const unsigned *offsets, int n, int shift)
{
	__shared__ unsigned warp_hist[WARPS][256];
	unsigned lane = threadIdx.x & 31, w = threadIdx.x >> 5;
	for (int i = threadIdx.x; i < WARPS * 256; i += 256)
		warp_hist[0][i] = 0;
	__syncthreads();
	unsigned k[ITEMS], rank[ITEMS];
	int base = blockIdx.x * TILE + w * 32 * ITEMS;
#pragma unroll
	for (int j = 0; j < ITEMS; j++) {
		int i = base + j * 32 + lane;
		bool valid = i < n;
		k[j] = valid ? key[i] : 0xffffffffu;
		unsigned digit = k[j] >> shift & 255, peers;
		if (MATCH) {
			peers = __match_any_sync(0xffffffffu, digit);
		} else {
			peers = 0xffffffffu;
#pragma unroll
			for (int b = 0; b < 8; b++) {
				bool bit = digit >> b & 1;
				unsigned v = __ballot_sync(0xffffffffu, bit);
				peers &= bit ? v : ~v;
			}
		}
		unsigned below = __popc(peers & ((1u << lane) - 1));
		int leader = __ffs(peers) - 1;
		unsigned first = 0;
		if ((int)lane == leader) {
			first = warp_hist[w][digit];
			warp_hist[w][digit] = first + __popc(peers);
		}
		__syncwarp();
		first = __shfl_sync(0xffffffffu, first, leader);
		rank[j] = first + below;
	}
	__syncthreads();
	unsigned sum = offsets[threadIdx.x * gridDim.x + blockIdx.x];
#pragma unroll
	for (int i = 0; i < WARPS; i++) {
		unsigned c = warp_hist[i][threadIdx.x];
		warp_hist[i][threadIdx.x] = sum;
		sum += c;
	}
	__syncthreads();
#pragma unroll
	for (int j = 0; j < ITEMS; j++) {
		int i = base + j * 32 + lane;
		if (i < n) {
			unsigned to = warp_hist[w][k[j] >> shift & 255] + rank[j];
			key_out[to] = k[j];
			val_out[to] = val[i];
		}
	}
}

KERNEL radix_scatter_ballot(const unsigned *key, const unsigned *val, unsigned *key_out, unsigned *val_out,
                            const unsigned *offsets, int n, int shift)
{
	scatter<false>(key, val, key_out, val_out, offsets, n, shift);
}

KERNEL radix_scatter_match(const unsigned *key, const unsigned *val, unsigned *key_out, unsigned *val_out,
                           const unsigned *offsets, int n, int shift)
{
	scatter<true>(key, val, key_out, val_out, offsets, n, shift);
}
