/* Counter-based generator (Philox 4x32-10): pi by counting, exact; option pricing with Box-Muller normals. */
#include "../cuda_compat.h"

static __device__ __forceinline__ uint4 philox(uint4 c, uint2 k)
{
	for (int i = 0; i < 10; i++) {
		unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
		unsigned h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
		c = make_uint4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
		k.x += 0x9E3779B9u;
		k.y += 0xBB67AE85u;
	}
	return c;
}

KERNEL mc_raw(uint4 *out, unsigned seed)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = philox(make_uint4(i, 0, 0, 0), make_uint2(seed, 0x1234567u));
}

KERNEL mc_pi(unsigned long long *hits, unsigned seed, int rounds)
{
	__shared__ unsigned total;
	unsigned id = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
	if (threadIdx.x == 0)
		total = 0;
	__syncthreads();
	for (int r = 0; r < rounds; r++) {
		uint4 v = philox(make_uint4(id, r, 0, 0), make_uint2(seed, 0));
		unsigned long long x = v.x >> 8, y = v.y >> 8;
		n += x * x + y * y < 1ull << 48;
		x = v.z >> 8;
		y = v.w >> 8;
		n += x * x + y * y < 1ull << 48;
	}
	for (int d = 16; d > 0; d >>= 1)
		n += __shfl_xor_sync(0xffffffffu, n, d);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(&total, n);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(hits, (unsigned long long)total);
}

static __device__ __forceinline__ float unit(unsigned v)
{
	return fmaf((float)(v >> 8), 1.0f / 16777216, 0.5f / 16777216);
}

KERNEL mc_option(float *payoff, unsigned seed, int paths, float s0, float strike, float drift, float vol)
{
	unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int r = 0; r < paths; r++) {
		uint4 v = philox(make_uint4(id, r, 1, 0), make_uint2(seed, 0));
		float rad = sqrtf(-2.0f * logf(unit(v.x))), s, c;
		sincosf(6.28318531f * unit(v.y), &s, &c);
		float a = s0 * expf(fmaf(vol, rad * c, drift)), b = s0 * expf(fmaf(vol, rad * s, drift));
		sum += fmaxf(a - strike, 0.0f) + fmaxf(b - strike, 0.0f);
	}
	payoff[id] = sum / (2 * paths);
}
