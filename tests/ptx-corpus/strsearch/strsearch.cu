/* String search with byte loads: a start position a thread, case-insensitive compare, several patterns from constant
 * memory; and a Horspool scan of one chunk a thread with its skip table in shared memory. */
#include "../cuda_compat.h"

#define PATTERNS 4
__constant__ char pattern[PATTERNS][16] = {"the", "kernel", "wavefront", "a"};
__constant__ int length[PATTERNS] = {3, 6, 9, 1};

static __device__ __forceinline__ char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

KERNEL search_all(const char *text, int n, unsigned *count, uint8_t *mask)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned m = 0;
	for (int p = 0; p < PATTERNS; p++) {
		int len = length[p], j = 0;
		if (i + len > n)
			continue;
		while (j < len && lower(text[i + j]) == pattern[p][j])
			j++;
		if (j == len) {
			m |= 1u << p;
			atomicAdd(&count[p], 1u);
		}
	}
	mask[i] = (uint8_t)m;
}

KERNEL search_horspool(const uint8_t *text, int n, int chunk, int which, int *first, unsigned *total)
{
	__shared__ uint8_t skip[256];
	int len = length[which];
	for (int c = threadIdx.x; c < 256; c += blockDim.x)
		skip[c] = (uint8_t)len;
	__syncthreads();
	if (threadIdx.x == 0)
		for (int j = 0; j < len - 1; j++)
			skip[(uint8_t)pattern[which][j]] = (uint8_t)(len - 1 - j);
	__syncthreads();
	int id = blockIdx.x * blockDim.x + threadIdx.x, at = id * chunk, end = at + chunk, found = -1;
	if (end > n - len + 1)
		end = n - len + 1;
	unsigned hits = 0;
	while (at < end) {
		int j = len - 1;
		while (text[at + j] == (uint8_t)pattern[which][j])
			if (j-- == 0) {
				if (found < 0)
					found = at;
				hits++;
				break;
			}
		at += skip[text[at + len - 1]];
	}
	first[id] = found;
	if (hits)
		atomicAdd(total, hits);
}
