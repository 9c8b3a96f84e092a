/* C = A B, row major: 16 x 16 shared tiles with ragged edges, and 64 x 64 tiles with 4 x 4 results a thread. */
#include "../cuda_compat.h"

#define T 16
KERNEL matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
	__shared__ float a[T][T], b[T][T];
	int x = threadIdx.x, y = threadIdx.y;
	int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
	float acc = 0;
	for (int k0 = 0; k0 < K; k0 += T) {
		a[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
		b[y][x] = col < N && k0 + y < K ? B[(k0 + y) * N + col] : 0.0f;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < T; k++)
			acc = fmaf(a[y][k], b[k][x], acc);
		__syncthreads();
	}
	if (row < M && col < N)
		C[row * N + col] = acc;
}

/* M, N multiples of 64, K of 16; 256 threads. */
KERNEL __launch_bounds__(256) matmul_blocked(const float *__restrict__ A, const float *__restrict__ B,
                                             float *__restrict__ C, int M, int N, int K)
{
	__shared__ float a[16][64 + 4];
	__shared__ __align__(16) float b[16][64];
	int t = threadIdx.x, tx = t & 15, ty = t >> 4;
	int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
	float acc[4][4] = {};
	for (int k0 = 0; k0 < K; k0 += 16) {
		int r = t >> 2, c = (t & 3) * 4;
		float4 v = *(const float4 *)&A[(row0 + r) * K + k0 + c];
		a[c][r] = v.x;
		a[c + 1][r] = v.y;
		a[c + 2][r] = v.z;
		a[c + 3][r] = v.w;
		*(float4 *)&b[t >> 4][(t & 15) * 4] = *(const float4 *)&B[(k0 + (t >> 4)) * N + col0 + (t & 15) * 4];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float x[4], y[4];
#pragma unroll
			for (int i = 0; i < 4; i++) {
				y[i] = a[k][ty * 4 + i];
				x[i] = b[k][tx * 4 + i];
			}
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					acc[i][j] = fmaf(y[i], x[j], acc[i][j]);
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		*(float4 *)&C[(row0 + ty * 4 + i) * N + col0 + tx * 4] =
		        make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}
