/* Barriers and votes: counting and testing barriers, warp votes in divergent code, warp-synchronous reduction through
 * volatile shared memory, producer and consumer phases, single-warp blocks, early exit before a barrier. */
#include "../cuda_compat.h"

KERNEL votes(const int *in, unsigned *out, int n, int limit)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
	int v = i < n ? in[i] : 0;
	unsigned r = __ballot_sync(0xffffffffu, v > limit);
	if (v & 1) {
		unsigned m = __activemask();
		r ^= m * 3;
		if (__any_sync(m, v > 3 * limit))
			r += 5;
	} else {
		unsigned m = __activemask();
		if (__all_sync(m, v < 2 * limit))
			r += 11;
		r ^= __ballot_sync(m, v & 2);
	}
	__syncwarp();
	int c = __syncthreads_count(v > limit);
	int any = __syncthreads_or(v == limit);
	out[i] = r + c * 1000 + (any ? 7 : 0) + lane;
}

KERNEL volatile_reduce(const float *in, float *out)
{
	__shared__ volatile float s[256];
	int t = threadIdx.x;
	s[t] = in[blockIdx.x * 256 + t];
	__syncthreads();
	if (t < 128)
		s[t] = s[t] + s[t + 128];
	__syncthreads();
	if (t < 64)
		s[t] = s[t] + s[t + 64];
	__syncthreads();
	if (t < 32) {
		s[t] = s[t] + s[t + 32];
		for (int d = 16; d > 0; d >>= 1) {
			float v = s[t];
			float w = s[t + d];
			__syncwarp();
			s[t] = v + w;
			__syncwarp();
		}
	}
	if (t == 0)
		out[blockIdx.x] = s[0];
}

/* Half of the warps produce, half consume, through two buffers. */
KERNEL pipeline(const int *in, int *out, int steps)
{
	__shared__ int buf[2][64];
	int t = threadIdx.x, side = t >> 6, k = t & 63, base = blockIdx.x * steps * 64, acc = 0;
	if (side == 0)
		buf[0][k] = in[base + k] * 3;
	__syncthreads();
	for (int s = 0; s < steps; s++) {
		if (side == 0) {
			if (s + 1 < steps)
				buf[(s + 1) & 1][k] = in[base + (s + 1) * 64 + k] * 3 + s;
		} else {
			acc = acc * 5 + buf[s & 1][63 - k];
			out[base + s * 64 + k] = acc;
		}
		__syncthreads();
	}
}

/* Threads past n leave before the barriers; the others must not wait for them. */
KERNEL leavers(const int *in, int *out, int n)
{
	__shared__ int s[128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	s[threadIdx.x] = 0;
	__syncthreads();
	if ((threadIdx.x >> 5) == (blockIdx.x & 3))
		return;
	s[threadIdx.x] = i < n ? in[i] : 1;
	__syncthreads();
	out[i] = s[(threadIdx.x + 32) & 127] + s[(threadIdx.x + 64) & 127] * 2;
}
