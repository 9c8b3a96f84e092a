/* Bitonic sort of key and value pairs: 1024 elements a block in shared memory, larger strides in global memory. */
#include "../cuda_compat.h"

static __device__ __forceinline__ void order(unsigned &ka, unsigned &va, unsigned &kb, unsigned &vb, bool up)
{
	if ((ka > kb) == up) {
		unsigned t = ka;
		ka = kb;
		kb = t;
		t = va;
		va = vb;
		vb = t;
	}
}

KERNEL bitonic_block(unsigned *key, unsigned *val)
{
	__shared__ unsigned k[1024], v[1024];
	int t = threadIdx.x, base = blockIdx.x * 1024;
	k[t] = key[base + t];
	v[t] = val[base + t];
	k[t + 512] = key[base + t + 512];
	v[t + 512] = val[base + t + 512];
	for (int size = 2; size <= 1024; size <<= 1)
		for (int stride = size >> 1; stride > 0; stride >>= 1) {
			__syncthreads();
			int a = 2 * t - (t & (stride - 1)), b = a + stride;
			order(k[a], v[a], k[b], v[b], ((base + a) & size) == 0);
		}
	__syncthreads();
	key[base + t] = k[t];
	val[base + t] = v[t];
	key[base + t + 512] = k[t + 512];
	val[base + t + 512] = v[t + 512];
}

KERNEL bitonic_merge_block(unsigned *key, unsigned *val, int size)
{
	__shared__ unsigned k[1024], v[1024];
	int t = threadIdx.x, base = blockIdx.x * 1024;
	bool up = (base & size) == 0;
	k[t] = key[base + t];
	v[t] = val[base + t];
	k[t + 512] = key[base + t + 512];
	v[t + 512] = val[base + t + 512];
	for (int stride = 512; stride > 0; stride >>= 1) {
		__syncthreads();
		int a = 2 * t - (t & (stride - 1)), b = a + stride;
		order(k[a], v[a], k[b], v[b], up);
	}
	__syncthreads();
	key[base + t] = k[t];
	val[base + t] = v[t];
	key[base + t + 512] = k[t + 512];
	val[base + t + 512] = v[t + 512];
}

KERNEL bitonic_merge_global(unsigned *key, unsigned *val, int size, int stride)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	int a = 2 * t - (t & (stride - 1)), b = a + stride;
	unsigned ka = key[a], kb = key[b];
	if ((ka > kb) == ((a & size) == 0)) {
		key[a] = kb;
		key[b] = ka;
		unsigned va = val[a];
		val[a] = val[b];
		val[b] = va;
	}
}
