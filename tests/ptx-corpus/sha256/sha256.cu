/* SHA-256 of messages of 0 to 119 bytes, one a thread, byte loads and padding included; and a nonce search over a midstate. */
#include "../cuda_compat.h"

__constant__ unsigned K[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static __device__ __forceinline__ unsigned ror(unsigned x, int n)
{
	return x >> n | x << (32 - n);
}

static __device__ __forceinline__ void compress(unsigned h[8], unsigned w[16])
{
	unsigned a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], k = h[7];
#pragma unroll
	for (int i = 0; i < 64; i++) {
		if (i >= 16) {
			unsigned x = w[(i + 1) & 15], y = w[(i + 14) & 15];
			w[i & 15] += (ror(x, 7) ^ ror(x, 18) ^ x >> 3) + w[(i + 9) & 15] +
			             (ror(y, 17) ^ ror(y, 19) ^ y >> 10);
		}
		unsigned t1 = k + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i & 15];
		unsigned t2 = (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
		k = g;
		g = f;
		f = e;
		e = d + t1;
		d = c;
		c = b;
		b = a;
		a = t1 + t2;
	}
	h[0] += a;
	h[1] += b;
	h[2] += c;
	h[3] += d;
	h[4] += e;
	h[5] += f;
	h[6] += g;
	h[7] += k;
}

static __device__ __forceinline__ void start(unsigned h[8])
{
	h[0] = 0x6a09e667;
	h[1] = 0xbb67ae85;
	h[2] = 0x3c6ef372;
	h[3] = 0xa54ff53a;
	h[4] = 0x510e527f;
	h[5] = 0x9b05688c;
	h[6] = 0x1f83d9ab;
	h[7] = 0x5be0cd19;
}

static __device__ __forceinline__ unsigned byte_at(const uint8_t *msg, int len, int blocks, int i)
{
	if (i < len)
		return msg[i];
	if (i == len)
		return 0x80;
	if (i >= blocks * 64 - 2)
		return i == blocks * 64 - 1 ? (len * 8) & 255 : (len * 8) >> 8;
	return 0;
}

KERNEL sha256_messages(const uint8_t *msgs, int stride, int n, unsigned *digest)
{
	int id = blockIdx.x * blockDim.x + threadIdx.x;
	if (id >= n)
		return;
	const uint8_t *msg = msgs + id * stride;
	int len = id % 120, blocks = len < 56 ? 1 : 2;
	unsigned h[8], w[16];
	start(h);
	for (int b = 0; b < blocks; b++) {
#pragma unroll
		for (int i = 0; i < 16; i++) {
			unsigned v = 0;
			for (int j = 0; j < 4; j++)
				v = v << 8 | byte_at(msg, len, blocks, b * 64 + i * 4 + j);
			w[i] = v;
		}
		compress(h, w);
	}
	for (int i = 0; i < 8; i++)
		digest[id * 8 + i] = h[i];
}

/* The smallest nonce whose hash starts with at least bits zeros, and how many do. */
KERNEL sha256_search(unsigned seed, int bits, unsigned *best, unsigned *found)
{
	unsigned nonce = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned h[8], w[16];
	start(h);
#pragma unroll
	for (int i = 0; i < 16; i++)
		w[i] = 0;
	w[0] = seed;
	w[1] = nonce;
	w[2] = 0x80000000u;
	w[15] = 64;
	compress(h, w);
	if (__clz(h[0]) >= bits) {
		atomicMin(best, nonce);
		atomicAdd(found, 1u);
	}
}
