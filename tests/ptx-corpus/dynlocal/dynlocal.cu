/* Dynamic shared memory carved into arrays of several types, and local arrays indexed by data: queens by backtracking, a
 * median filter by counting, digit-wise permutations. */
#include "../cuda_compat.h"

extern __shared__ __align__(16) unsigned char arena[];

KERNEL queens(unsigned *solutions, int n, unsigned long long *total)
{
	unsigned long long *sum = (unsigned long long *)arena;
	int id = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x == 0)
		*sum = 0;
	__syncthreads();
	unsigned count = 0;
	if (id < n * n) {
		int col[16];
		unsigned used[16], ldiag[16], rdiag[16];
		int a = id / n, b = id % n, full = (1 << n) - 1;
		if (a != b && a - b != 1 && b - a != 1) {
			used[2] = 1u << a | 1u << b;
			ldiag[2] = (1u << a) << 2 | (1u << b) << 1;
			rdiag[2] = (1u << a) >> 2 | (1u << b) >> 1;
			int r = 2;
			col[2] = full & ~(used[2] | ldiag[2] | rdiag[2]);
			while (r >= 2) {
				if (r == n) {
					count++;
					r--;
					continue;
				}
				int free = col[r];
				if (!free) {
					r--;
					continue;
				}
				unsigned bit = free & -free;
				col[r] = free ^ bit;
				used[r + 1] = used[r] | bit;
				ldiag[r + 1] = (ldiag[r] | bit) << 1;
				rdiag[r + 1] = (rdiag[r] | bit) >> 1;
				r++;
				col[r] = full & ~(used[r] | ldiag[r] | rdiag[r]);
			}
		}
		solutions[id] = count;
	}
	atomicAdd(sum, (unsigned long long)count);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(total, *sum);
}

/* Median of 5 x 5 bytes through a 16-bucket, then 16-value local histogram. */
KERNEL median5(const uint8_t *in, uint8_t *out, int w, int h)
{
	uint8_t *tile = arena;
	int tw = blockDim.x + 4, th = blockDim.y + 4;
	for (int k = threadIdx.y * blockDim.x + threadIdx.x; k < tw * th; k += blockDim.x * blockDim.y) {
		int x = (int)(blockIdx.x * blockDim.x) + k % tw - 2, y = (int)(blockIdx.y * blockDim.y) + k / tw - 2;
		tile[k] = in[min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)];
	}
	__syncthreads();
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h)
		return;
	unsigned char bucket[16] = {}, fine[16] = {};
	for (int j = 0; j < 5; j++)
		for (int i = 0; i < 5; i++)
			bucket[tile[(threadIdx.y + j) * tw + threadIdx.x + i] >> 4]++;
	int left = 13, b = 0;
	while (bucket[b] < left)
		left -= bucket[b++];
	for (int j = 0; j < 5; j++)
		for (int i = 0; i < 5; i++) {
			int v = tile[(threadIdx.y + j) * tw + threadIdx.x + i];
			if (v >> 4 == b)
				fine[v & 15]++;
		}
	int f = 0;
	while (fine[f] < left)
		left -= fine[f++];
	out[y * w + x] = (uint8_t)(b << 4 | f);
}

/* floats first, then as many ints, then shorts; all sizes from the launch. */
KERNEL carve(const float *in, float *fout, int *iout, short *sout, int per)
{
	float *f = (float *)arena;
	int *k = (int *)(f + per);
	short *s = (short *)(k + per);
	int t = threadIdx.x, base = blockIdx.x * per;
	for (int i = t; i < per; i += blockDim.x) {
		f[i] = in[base + i];
		k[i] = (int)(in[base + i] * 1000.0f);
		s[i] = (short)(i * 7 + blockIdx.x);
	}
	__syncthreads();
	double local[8];
	for (int i = 0; i < 8; i++)
		local[i] = f[(t * 8 + i) % per];
	for (int i = t; i < per; i += blockDim.x) {
		int j = (i * 17 + 5) % per;
		fout[base + i] = f[j] + (float)local[k[j] & 7];
		iout[base + i] = k[per - 1 - i];
		sout[base + i] = (short)(s[j] + s[i]);
	}
}
