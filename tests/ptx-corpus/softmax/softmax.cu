/* Row-wise softmax (a warp a row), layer normalisation (a block a row) and GELU, as in a transformer layer. */
#include "../cuda_compat.h"

KERNEL softmax_rows(const float *in, float *out, int rows, int cols)
{
	int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), lane = threadIdx.x & 31;
	if (row >= rows)
		return;
	const float *p = in + row * cols;
	float top = -3.0e38f, sum = 0;
	for (int i = lane; i < cols; i += 32)
		top = fmaxf(top, p[i]);
	for (int d = 16; d > 0; d >>= 1)
		top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, d));
	for (int i = lane; i < cols; i += 32)
		sum += expf(p[i] - top);
	for (int d = 16; d > 0; d >>= 1)
		sum += __shfl_xor_sync(0xffffffffu, sum, d);
	float inv = 1.0f / sum;
	for (int i = lane; i < cols; i += 32)
		out[row * cols + i] = expf(p[i] - top) * inv;
}

KERNEL layernorm(const float *in, const float *gain, const float *bias, float *out, int cols, float eps)
{
	__shared__ float part[2][8];
	const float *p = in + blockIdx.x * cols;
	float s = 0, q = 0;
	for (int i = threadIdx.x; i < cols; i += blockDim.x) {
		s += p[i];
		q = fmaf(p[i], p[i], q);
	}
	for (int d = 16; d > 0; d >>= 1) {
		s += __shfl_down_sync(0xffffffffu, s, d);
		q += __shfl_down_sync(0xffffffffu, q, d);
	}
	if ((threadIdx.x & 31) == 0) {
		part[0][threadIdx.x >> 5] = s;
		part[1][threadIdx.x >> 5] = q;
	}
	__syncthreads();
	s = q = 0;
	for (unsigned w = 0; w < blockDim.x >> 5; w++) {
		s += part[0][w];
		q += part[1][w];
	}
	float mean = s / cols, var = q / cols - mean * mean, inv = rsqrtf(var + eps);
	for (int i = threadIdx.x; i < cols; i += blockDim.x)
		out[blockIdx.x * cols + i] = fmaf((p[i] - mean) * inv, gain[i], bias[i]);
}

KERNEL gelu(float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float v = x[i], u = 0.79788456f * fmaf(0.044715f * v * v, v, v);
	float e = expf(-2.0f * fabsf(u)), t = (1.0f - e) / (1.0f + e);
	x[i] = 0.5f * v * (1.0f + (u < 0 ? -t : t));
}
