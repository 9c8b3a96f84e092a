/* Single-pass prefix sum with decoupled look-back: blocks take tickets, publish aggregates and inclusive prefixes as one
 * 64-bit word, and spin on their predecessors. */
#include "../cuda_compat.h"

typedef unsigned long long u64;
enum { NOTHING, AGGREGATE, PREFIX };

KERNEL lookback_scan(const unsigned *in, unsigned *out, volatile u64 *state, unsigned *ticket, int n)
{
	__shared__ unsigned tile, before, warps[8];
	unsigned lane = threadIdx.x & 31, w = threadIdx.x >> 5;
	if (threadIdx.x == 0)
		tile = atomicAdd(ticket, 1u);
	__syncthreads();
	unsigned t = tile;
	int i = t * 1024 + threadIdx.x * 4;
	unsigned v[4], sum = 0;
#pragma unroll
	for (int k = 0; k < 4; k++) {
		v[k] = i + k < n ? in[i + k] : 0;
		sum += v[k];
	}
	unsigned x = sum;
	for (int d = 1; d < 32; d <<= 1) {
		unsigned y = __shfl_up_sync(0xffffffffu, x, d);
		if ((int)lane >= d)
			x += y;
	}
	if (lane == 31)
		warps[w] = x;
	__syncthreads();
	unsigned total = 0, mine = 0;
	for (unsigned k = 0; k < 8; k++) {
		if (k == w)
			mine = total;
		total += warps[k];
	}
	if (w == 0) {
		if (lane == 0) {
			state[t] = (u64)total << 2 | (t == 0 ? PREFIX : AGGREGATE);
			__threadfence();
		}
		unsigned acc = 0;
		for (int base = (int)t - 1; t > 0; base -= 32) {
			int at = base - (int)lane;
			u64 s = (u64)PREFIX;
			if (at >= 0)
				do
					s = state[at];
				while ((s & 3) == NOTHING);
			unsigned done = __ballot_sync(0xffffffffu, (s & 3) == PREFIX);
			unsigned part = (int)lane <= __ffs((int)done) - 1 || !done ? (unsigned)(s >> 2) : 0;
			for (int d = 16; d > 0; d >>= 1)
				part += __shfl_xor_sync(0xffffffffu, part, d);
			acc += part;
			if (done)
				break;
		}
		if (lane == 0) {
			before = acc;
			if (t > 0) {
				__threadfence();
				state[t] = (u64)(acc + total) << 2 | PREFIX;
			}
		}
	}
	__syncthreads();
	unsigned at = before + mine + x - sum;
#pragma unroll
	for (int k = 0; k < 4; k++) {
		if (i + k < n)
			out[i + k] = at;
		at += v[k];
	}
}
