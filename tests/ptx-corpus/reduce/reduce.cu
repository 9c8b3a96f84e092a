/* Block reductions with warp shuffles and shared memory: sums in two kernels, the last block to finish, arg max. */
#include "../cuda_compat.h"

static __device__ __forceinline__ float warp_sum(float v)
{
	for (int d = 16; d > 0; d >>= 1)
		v += __shfl_down_sync(0xffffffffu, v, d);
	return v;
}

static __device__ __forceinline__ float block_sum(float v)
{
	__shared__ float part[32];
	int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	v = warp_sum(v);
	if (lane == 0)
		part[warp] = v;
	__syncthreads();
	if (warp == 0) {
		v = lane < (int)(blockDim.x >> 5) ? part[lane] : 0.0f;
		v = warp_sum(v);
	}
	__syncthreads();
	return v;
}

KERNEL reduce_sum(const float *in, float *out, int n)
{
	float v = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
		v += in[i];
	v = block_sum(v);
	if (threadIdx.x == 0)
		out[blockIdx.x] = v;
}

/* The block that finds itself last adds up what all blocks wrote. */
KERNEL reduce_last(const int *in, long long *part, unsigned *ticket, long long *out, int n)
{
	__shared__ long long s[256];
	__shared__ bool last;
	unsigned t = threadIdx.x;
	long long v = 0;
	for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x)
		v += (long long)in[i] * in[i];
	s[t] = v;
	__syncthreads();
	for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
		if (t < d)
			s[t] += s[t + d];
		__syncthreads();
	}
	if (t == 0) {
		part[blockIdx.x] = s[0];
		__threadfence();
		last = atomicAdd(ticket, 1u) == gridDim.x - 1;
	}
	__syncthreads();
	if (!last)
		return;
	__threadfence();
	v = 0;
	for (unsigned i = t; i < gridDim.x; i += blockDim.x)
		v += ((volatile long long *)part)[i];
	s[t] = v;
	__syncthreads();
	if (t == 0) {
		v = 0;
		for (unsigned i = 0; i < blockDim.x; i++)
			v += s[i];
		*out = v;
	}
}

KERNEL reduce_argmax(const float *in, float *out, int *where, int n)
{
	__shared__ float sv[8];
	__shared__ int si[8];
	float best = __int_as_float(0xff800000);
	int at = 0x7fffffff;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
		float v = in[i];
		if (v > best) {
			best = v;
			at = i;
		}
	}
	for (int d = 16; d > 0; d >>= 1) {
		float v = __shfl_xor_sync(0xffffffffu, best, d);
		int i = __shfl_xor_sync(0xffffffffu, at, d);
		if (v > best || (v == best && i < at)) {
			best = v;
			at = i;
		}
	}
	if ((threadIdx.x & 31) == 0) {
		sv[threadIdx.x >> 5] = best;
		si[threadIdx.x >> 5] = at;
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		for (unsigned w = 1; w < blockDim.x >> 5; w++)
			if (sv[w] > best || (sv[w] == best && si[w] < at)) {
				best = sv[w];
				at = si[w];
			}
		out[blockIdx.x] = best;
		where[blockIdx.x] = at;
	}
}
