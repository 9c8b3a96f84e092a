/* Exclusive prefix sum in three kernels: blocks (warp shuffles), block totals, offsets. Also an inclusive f32 maximum scan. */
#include "../cuda_compat.h"

static __device__ __forceinline__ unsigned block_scan(unsigned v, unsigned *warps, unsigned *total)
{
	unsigned lane = threadIdx.x & 31, w = threadIdx.x >> 5, x = v;
	for (int d = 1; d < 32; d <<= 1) {
		unsigned y = __shfl_up_sync(0xffffffffu, x, d);
		if (lane >= (unsigned)d)
			x += y;
	}
	if (lane == 31)
		warps[w] = x;
	__syncthreads();
	if (w == 0) {
		unsigned s = lane < blockDim.x >> 5 ? warps[lane] : 0;
		for (int d = 1; d < 32; d <<= 1) {
			unsigned y = __shfl_up_sync(0xffffffffu, s, d);
			if (lane >= (unsigned)d)
				s += y;
		}
		warps[lane] = s;
	}
	__syncthreads();
	if (w)
		x += warps[w - 1];
	*total = warps[(blockDim.x >> 5) - 1];
	return x - v;
}

KERNEL scan_blocks(const unsigned *in, unsigned *out, unsigned *sums, int n)
{
	__shared__ unsigned warps[32];
	unsigned total;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned v = block_scan(i < n ? in[i] : 0, warps, &total);
	if (i < n)
		out[i] = v;
	if (threadIdx.x == 0)
		sums[blockIdx.x] = total;
}

KERNEL scan_sums(unsigned *sums, int n)
{
	__shared__ unsigned warps[32];
	unsigned total;
	unsigned v = block_scan((int)threadIdx.x < n ? sums[threadIdx.x] : 0, warps, &total);
	if ((int)threadIdx.x < n)
		sums[threadIdx.x] = v;
}

KERNEL scan_add(unsigned *out, const unsigned *sums, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] += sums[blockIdx.x];
}

KERNEL scan_max(const float *in, float *out, int n)
{
	__shared__ float s[2][256];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, p = 0;
	s[0][t] = i < n ? in[i] : 0.0f;
	__syncthreads();
	for (int d = 1; d < (int)blockDim.x; d *= 2) {
		s[p ^ 1][t] = t >= d ? fmaxf(s[p][t], s[p][t - d]) : s[p][t];
		p ^= 1;
		__syncthreads();
	}
	if (i < n)
		out[i] = s[p][t];
}
