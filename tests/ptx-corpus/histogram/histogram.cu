/* 256-bin histogram of bytes: one shared copy a block, merged with global atomics; and 4096 wide bins straight in
 * global memory with minimum and maximum. */
#include "../cuda_compat.h"

KERNEL hist256(const unsigned *data, unsigned *hist, int n4)
{
	__shared__ unsigned h[256];
	h[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
		unsigned v = data[i];
		atomicAdd(&h[v & 255], 1u);
		atomicAdd(&h[v >> 8 & 255], 1u);
		atomicAdd(&h[v >> 16 & 255], 1u);
		atomicAdd(&h[v >> 24], 1u);
	}
	__syncthreads();
	if (h[threadIdx.x])
		atomicAdd(&hist[threadIdx.x], h[threadIdx.x]);
}

KERNEL hist_wide(const float *x, int n, float lo, float scale, unsigned *bins, int nbins, int *range)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float f = (x[i] - lo) * scale;
	int b = (int)floorf(f);
	b = b < 0 ? 0 : b >= nbins ? nbins - 1 : b;
	atomicAdd(&bins[b], 1u);
	atomicMin(&range[0], b);
	atomicMax(&range[1], b);
}
