/* 7-point heat step on a 3-D grid, z marched in registers with the plane in shared memory; 3-D blocks and grids too. */
#include "../cuda_compat.h"

#define BX 32
#define BY 8
KERNEL heat_march(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz, float k)
{
	__shared__ float s[BY + 2][BX + 2];
	int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
	int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
	int cx = min(x, nx - 1), cy = min(y, ny - 1), plane = nx * ny;
	int i = cy * nx + cx;
	float below = in[i], mid = in[i], above;
	for (int z = 0; z < nz; z++, i += plane) {
		above = z + 1 < nz ? in[i + plane] : mid;
		s[ty][tx] = mid;
		if (threadIdx.x == 0)
			s[ty][0] = in[i - (cx > 0)];
		if (threadIdx.x == BX - 1)
			s[ty][BX + 1] = in[i + (cx < nx - 1)];
		if (threadIdx.y == 0)
			s[0][tx] = in[i - (cy > 0 ? nx : 0)];
		if (threadIdx.y == BY - 1)
			s[BY + 1][tx] = in[i + (cy < ny - 1 ? nx : 0)];
		__syncthreads();
		float l = s[ty][tx - 1], r = x + 1 < nx ? s[ty][tx + 1] : mid;
		float u = s[ty - 1][tx], d = y + 1 < ny ? s[ty + 1][tx] : mid;
		float sum = l + r + u + d + below + above;
		if (x < nx && y < ny)
			out[i] = fmaf(k, fmaf(-6.0f, mid, sum), mid);
		__syncthreads();
		below = mid;
		mid = above;
	}
}

KERNEL heat_plain(const float *in, float *out, int nx, int ny, int nz, float k)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	int z = blockIdx.z * blockDim.z + threadIdx.z;
	if (x >= nx || y >= ny || z >= nz)
		return;
	int i = (z * ny + y) * nx + x;
	float c = in[i];
	float l = in[x > 0 ? i - 1 : i], r = in[x < nx - 1 ? i + 1 : i];
	float u = in[y > 0 ? i - nx : i], d = in[y < ny - 1 ? i + nx : i];
	float b = in[z > 0 ? i - nx * ny : i], a = in[z < nz - 1 ? i + nx * ny : i];
	float sum = l + r + u + d + b + a;
	out[i] = fmaf(k, fmaf(-6.0f, c, sum), c);
}
