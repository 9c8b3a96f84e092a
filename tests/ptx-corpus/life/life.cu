/* Game of Life on a torus: a byte a cell, and 32 cells a word with bit-parallel adders. */
#include "../cuda_compat.h"

KERNEL life_bytes(const uint8_t *in, uint8_t *out, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h)
		return;
	int l = x ? x - 1 : w - 1, r = x + 1 < w ? x + 1 : 0;
	const uint8_t *u = in + (y ? y - 1 : h - 1) * w, *m = in + y * w, *d = in + (y + 1 < h ? y + 1 : 0) * w;
	int n = u[l] + u[x] + u[r] + m[l] + m[r] + d[l] + d[x] + d[r];
	out[y * w + x] = n == 3 || (n == 2 && m[x]);
}

static __device__ __forceinline__ void add3(unsigned a, unsigned b, unsigned c, unsigned &sum, unsigned &carry)
{
	sum = a ^ b ^ c;
	carry = (a & b) | (c & (a ^ b));
}

KERNEL life_bits(const unsigned *in, unsigned *out, int words, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= words || y >= h)
		return;
	int lx = x ? x - 1 : words - 1, rx = x + 1 < words ? x + 1 : 0;
	int row[3] = {y ? y - 1 : h - 1, y, y + 1 < h ? y + 1 : 0};
	unsigned s[3], c[3], mid = 0;
	for (int i = 0; i < 3; i++) {
		const unsigned *p = in + row[i] * words;
		unsigned m = p[x], l = __funnelshift_l(p[lx], m, 1), r = __funnelshift_r(m, p[rx], 1);
		if (i == 1) {
			mid = m;
			s[i] = l ^ r;
			c[i] = l & r;
		} else {
			add3(l, m, r, s[i], c[i]);
		}
	}
	unsigned ones, c1, twos, fours, t;
	add3(s[0], s[1], s[2], ones, c1);
	add3(c[0], c[1], c[2], t, fours);
	twos = t ^ c1;
	fours |= t & c1;
	out[y * words + x] = twos & ~fours & (ones | mid);
}
