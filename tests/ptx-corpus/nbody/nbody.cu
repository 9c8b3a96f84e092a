/* All-pairs gravitation, bodies tiled through shared memory, then one leapfrog step. */
#include "../cuda_compat.h"

KERNEL nbody_force(const float4 *pos, float4 *acc, int n, float eps2)
{
	__shared__ float4 tile[128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 p = i < n ? pos[i] : make_float4(0, 0, 0, 0);
	float ax = 0, ay = 0, az = 0;
	for (int j0 = 0; j0 < n; j0 += 128) {
		int j = j0 + threadIdx.x;
		tile[threadIdx.x] = j < n ? pos[j] : make_float4(0, 0, 0, 0);
		__syncthreads();
#pragma unroll 8
		for (int k = 0; k < 128; k++) {
			float4 q = tile[k];
			float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
			float r2 = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, eps2)));
			float inv = rsqrtf(r2);
			float s = q.w * inv * inv * inv;
			ax = fmaf(dx, s, ax);
			ay = fmaf(dy, s, ay);
			az = fmaf(dz, s, az);
		}
		__syncthreads();
	}
	if (i < n)
		acc[i] = make_float4(ax, ay, az, 0);
}

KERNEL nbody_step(float4 *pos, float4 *vel, const float4 *acc, int n, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float4 p = pos[i], v = vel[i], a = acc[i];
	v.x = fmaf(dt, a.x, v.x);
	v.y = fmaf(dt, a.y, v.y);
	v.z = fmaf(dt, a.z, v.z);
	p.x = fmaf(dt, v.x, p.x);
	p.y = fmaf(dt, v.y, p.y);
	p.z = fmaf(dt, v.z, p.z);
	pos[i] = p;
	vel[i] = v;
}
