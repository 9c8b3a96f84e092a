/* Control flow that splits warps: a bytecode interpreter (switch), loops with several exits, early returns, goto between
 * loops, nested breaks and continues, short-circuit conditions. */
#include "../cuda_compat.h"

KERNEL interpret(const uint8_t *code, int programs, int len, const int *input, int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const uint8_t *p = code + (i % programs) * len;
	unsigned a = input[i], b = i, c = 1;
	int steps = 0, pc = 0;
	while (steps++ < 200) {
		uint8_t op = p[pc];
		int arg = op >> 4;
		pc = pc + 1 < len ? pc + 1 : 0;
		switch (op & 15) {
		case 0: a += b + arg; break;
		case 1: a -= c; break;
		case 2: b ^= a << (arg & 7); break;
		case 3: c = c * 3 + arg; break;
		case 4:
			if ((int)a > (int)b)
				pc = (pc + arg) % len;
			break;
		case 5: a = (int)a > 0 ? (int)a / (arg + 1) : 0 - a; break;
		case 6: b = (b >> (arg & 3)) + 1; break;
		case 7: c ^= b; /* falls through */
		case 8: a ^= c; break;
		case 9:
			if ((a & 1) && (b & 2 || c & 4))
				b -= arg;
			else
				c += a;
			break;
		case 10: {
			unsigned t = a;
			a = b;
			b = t;
			break;
		}
		case 11:
			if ((int)c % 7 == arg)
				goto done;
			c++;
			break;
		case 12: a = min((int)a, (int)b); break;
		case 13: b = max((int)b, (int)c); break;
		case 14: a = __popc(a) * arg; break;
		default:
			if ((int)(a ^ b ^ c) % 31 == 0) {
				out[i] = -steps;
				return;
			}
		}
	}
done:
	out[i] = a ^ (b * 31) ^ (c * 1009) ^ ((unsigned)steps << 24);
}

KERNEL collatz(unsigned *steps, unsigned *peak, int n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if ((int)i >= n)
		return;
	unsigned x = i + 1, s = 0, top = x;
	for (;;) {
		if (x == 1)
			break;
		if (x & 1) {
			if (x > 0x50000000u) {
				s |= 0x80000000u;
				break;
			}
			x = 3 * x + 1;
		} else {
			x >>= 1;
		}
		if (x > top)
			top = x;
		if (++s > 300)
			break;
	}
	steps[i] = s;
	peak[i] = top;
}

/* Nested search: the inner loop leaves both loops, skips a row, or returns. */
KERNEL nested(const int *grid, int w, int h, int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int want = i % 97, seen = 0, y, x;
	for (y = 0; y < h; y++) {
		const int *row = grid + y * w;
		if (row[0] % 5 == i % 5)
			continue;
		for (x = i % 3; x < w; x += 1 + (i & 1)) {
			int v = row[x];
			if (v == want)
				goto found;
			if (v == 99)
				break;
			if (v == 98 && seen > 40) {
				out[i] = -seen;
				return;
			}
			if ((v ^ i) % 11 == 0) {
				seen += 2;
				continue;
			}
			seen++;
		}
	}
	out[i] = seen;
	return;
found:
	out[i] = seen * 1000000 + y * 1000 + x;
}
