/* Floating-point atomics: f32 and f64 additions in global and shared memory, a compare-and-swap maximum of floats,
 * increment with wrap-around. Whole numbers, so that any order gives the same sums. */
#include "../cuda_compat.h"

KERNEL scatter_add(const int *bin, const float *weight, float *sums, double *wide, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	atomicAdd(&sums[bin[i]], weight[i]);
	atomicAdd(&wide[bin[i] & 15], (double)weight[i] * 0.5);
}

KERNEL block_profile(const int *bin, const float *weight, float *out, int bins, int n)
{
	__shared__ float s[128];
	__shared__ double all;
	for (int b = threadIdx.x; b < bins; b += blockDim.x)
		s[b] = 0;
	if (threadIdx.x == 0)
		all = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		atomicAdd(&s[bin[i] % bins], weight[i]);
		atomicAdd(&all, (double)weight[i]);
	}
	__syncthreads();
	for (int b = threadIdx.x; b < bins; b += blockDim.x)
		atomicAdd(&out[b], s[b]);
	if (threadIdx.x == 0)
		atomicAdd(&out[bins], (float)all);
}

static __device__ float atomic_max(float *p, float v)
{
	int old = *(volatile int *)p;
	while (__int_as_float(old) < v) {
		int seen = atomicCAS((int *)p, old, __float_as_int(v));
		if (seen == old)
			break;
		old = seen;
	}
	return __int_as_float(old);
}

KERNEL extremes(const float *x, float *most, unsigned *ring, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	atomic_max(&most[i & 7], x[i]);
	atomicInc(&ring[i & 3], 99u);
}
