/* 2-D convolution, 5 x 5 taps from constant memory, halo tile in shared memory, clamped borders; 8-bit RGB to grey first. */
#include "../cuda_compat.h"

#define R 2
#define BX 32
#define BY 16
__constant__ float taps[(2 * R + 1) * (2 * R + 1)] = {
        1 / 273.f, 4 / 273.f,  7 / 273.f,  4 / 273.f,  1 / 273.f,  4 / 273.f, 16 / 273.f, 26 / 273.f, 16 / 273.f,
        4 / 273.f, 7 / 273.f,  26 / 273.f, 41 / 273.f, 26 / 273.f, 7 / 273.f, 4 / 273.f,  16 / 273.f, 26 / 273.f,
        16 / 273.f, 4 / 273.f, 1 / 273.f,  4 / 273.f,  7 / 273.f,  4 / 273.f, 1 / 273.f};

KERNEL grey(const uint8_t *rgb, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = (float)((rgb[3 * i] * 77 + rgb[3 * i + 1] * 150 + rgb[3 * i + 2] * 29) >> 8);
}

KERNEL convolve5(const float *in, float *out, int w, int h)
{
	__shared__ float s[BY + 2 * R][BX + 2 * R];
	int x0 = blockIdx.x * BX - R, y0 = blockIdx.y * BY - R;
	for (int j = threadIdx.y; j < BY + 2 * R; j += BY)
		for (int i = threadIdx.x; i < BX + 2 * R; i += BX) {
			int x = min(max(x0 + i, 0), w - 1), y = min(max(y0 + j, 0), h - 1);
			s[j][i] = in[y * w + x];
		}
	__syncthreads();
	int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
	if (x >= w || y >= h)
		return;
	float acc = 0;
#pragma unroll
	for (int j = 0; j <= 2 * R; j++)
#pragma unroll
		for (int i = 0; i <= 2 * R; i++)
			acc = fmaf(s[threadIdx.y + j][threadIdx.x + i], taps[j * (2 * R + 1) + i], acc);
	out[y * w + x] = acc;
}

KERNEL quantise(const float *in, uint8_t *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = (uint8_t)__float2int_rn(fminf(fmaxf(in[i], 0.0f), 255.0f));
}
