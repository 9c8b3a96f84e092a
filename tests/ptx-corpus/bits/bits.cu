/* Bit tricks: population counts, leading zeros, reversal, funnel shifts, byte permutation, Morton codes, base64, xorshift. */
#include "../cuda_compat.h"

KERNEL bit_counts(const unsigned *in, unsigned *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned v = in[i], s = i & 31;
	unsigned long long w = (unsigned long long)v << 32 | in[n - 1 - i];
	unsigned r = __popc(v) | __clz((int)(v >> s)) << 8 | __ffs((int)(v << s)) << 16;
	r += (unsigned)__popcll(w) * 3 + (unsigned)__clzll((long long)(w >> s)) * 5;
	r ^= __brev(v) ^ (unsigned)(__brevll(w) >> 7);
	r += __funnelshift_l(v, r, s) ^ __funnelshift_r(r, v, s);
	r ^= __byte_perm(v, r, 0x5140) + __byte_perm(v, r, 0x2763);
	out[i] = r;
}

static __device__ __forceinline__ unsigned spread(unsigned v)
{
	v &= 0xffff;
	v = (v | v << 8) & 0x00ff00ff;
	v = (v | v << 4) & 0x0f0f0f0f;
	v = (v | v << 2) & 0x33333333;
	return (v | v << 1) & 0x55555555;
}

KERNEL morton(unsigned *out, int w)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	out[spread(x) | spread(y) << 1] = y * w + x;
}

__constant__ char digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

KERNEL base64(const uint8_t *in, uchar4 *out, int n3)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n3)
		return;
	unsigned v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
	out[i] = make_uchar4(digits[v >> 18], digits[v >> 12 & 63], digits[v >> 6 & 63], digits[v & 63]);
}

/* Sign-extended and odd-sized fields: the bit-field extract and insert patterns. */
KERNEL fields(const unsigned *in, int *out, short *halves, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned v = in[i];
	int a = (int)(v << 9) >> 21, b = (int8_t)(v >> 5), c = (short)v, p = v >> 27;
	unsigned ins = (v & ~0x00fff000u) | (unsigned)(a & 0xfff) << 12;
	out[i] = (int)((unsigned)(a * 3 + b - c) + (ins >> (p & 15)) + ((v >> p & 1) ? 77 : -5));
	halves[i] = (short)(c >> (p & 7)) + (short)(b * a);
}

KERNEL xorshift(unsigned long long *state, int n, int rounds)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned long long s = state[i] | 1;
	for (int k = 0; k < rounds; k++) {
		s ^= s >> 12;
		s ^= s << 25;
		s ^= s >> 27;
		s = s << (k & 7) | s >> (64 - (k & 7 ? k & 7 : 64)) % 64;
	}
	state[i] = s * 0x2545F4914F6CDD1Dull;
}
