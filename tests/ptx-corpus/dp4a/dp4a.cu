/* 8-bit matrix product with 4-way dot products, requantised to bytes; and block matching with byte differences. */
#include "../cuda_compat.h"

KERNEL gemm_s8(const int *A, const int *B, int8_t *C, int M, int N, int K4, int mult, int shift)
{
	__shared__ int a[16][17], b[16][17];
	int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
	int acc = 0;
	for (int k0 = 0; k0 < K4; k0 += 16) {
		a[y][x] = row < M && k0 + x < K4 ? A[row * K4 + k0 + x] : 0;
		b[y][x] = blockIdx.x * 16 + y < (unsigned)N && k0 + x < K4 ? B[(blockIdx.x * 16 + y) * K4 + k0 + x] : 0;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++)
			acc = __dp4a(a[y][k], b[x][k], acc);
		__syncthreads();
	}
	if (row >= M || col >= N)
		return;
	int v = (int)(((long long)acc * mult + (1ll << (shift - 1))) >> shift);
	C[row * N + col] = (int8_t)max(-128, min(127, v));
}

/* For each 8 x 8 block of cur, the best of 9 x 9 displacements in ref (padded by 4). One warp a block. */
KERNEL motion(const uint8_t *cur, const uint8_t *ref, int w, int rw, int *best)
{
	int lane = threadIdx.x, bx = blockIdx.x * 8, by = blockIdx.y * 8;
	unsigned least = 0xffffffffu;
	for (int d = lane; d < 81; d += 32) {
		int dx = d % 9, dy = d / 9;
		unsigned sum = 0;
		for (int y = 0; y < 8; y++)
			for (int x = 0; x < 8; x += 4) {
				unsigned c = *(const unsigned *)(cur + (by + y) * w + bx + x);
				const uint8_t *r = ref + (by + y + dy) * rw + bx + x + dx;
				unsigned q = r[0] | r[1] << 8 | r[2] << 16 | (unsigned)r[3] << 24;
				unsigned diff = __vabsdiffu4(c, q);
				sum += (diff & 255) + (diff >> 8 & 255) + (diff >> 16 & 255) + (diff >> 24);
			}
		unsigned key = sum << 7 | (unsigned)d;
		least = min(least, key);
	}
	for (int d = 16; d > 0; d >>= 1)
		least = min(least, __shfl_xor_sync(0xffffffffu, least, d));
	if (lane == 0)
		best[blockIdx.y * gridDim.x + blockIdx.x] = (int)least;
}
