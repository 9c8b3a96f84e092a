/* One k-means step: nearest of k centroids in 4 dimensions, sums in fixed point with shared then global atomics, new
 * centroids. Fixed point makes the result independent of the order of the atomics. */
#include "../cuda_compat.h"

#define KMAX 32
KERNEL kmeans_assign(const float4 *points, const float4 *centroid, int n, int k, int *label, long long *sums,
                     unsigned *counts)
{
	__shared__ float4 c[KMAX];
	__shared__ unsigned long long s[KMAX][4];
	__shared__ unsigned cnt[KMAX];
	if ((int)threadIdx.x < k) {
		c[threadIdx.x] = centroid[threadIdx.x];
		cnt[threadIdx.x] = 0;
		for (int d = 0; d < 4; d++)
			s[threadIdx.x][d] = 0;
	}
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float4 p = points[i];
		float best = 3.4e38f;
		int at = 0;
		for (int j = 0; j < k; j++) {
			float a = p.x - c[j].x, b = p.y - c[j].y, e = p.z - c[j].z, f = p.w - c[j].w;
			float d = fmaf(f, f, fmaf(e, e, fmaf(b, b, __fmul_rn(a, a))));
			if (d < best) {
				best = d;
				at = j;
			}
		}
		label[i] = at;
		const float q = 65536.0f;
		atomicAdd(&s[at][0], (unsigned long long)(long long)__float2int_rn(p.x * q));
		atomicAdd(&s[at][1], (unsigned long long)(long long)__float2int_rn(p.y * q));
		atomicAdd(&s[at][2], (unsigned long long)(long long)__float2int_rn(p.z * q));
		atomicAdd(&s[at][3], (unsigned long long)(long long)__float2int_rn(p.w * q));
		atomicAdd(&cnt[at], 1u);
	}
	__syncthreads();
	if ((int)threadIdx.x < k && cnt[threadIdx.x]) {
		for (int d = 0; d < 4; d++)
			atomicAdd((unsigned long long *)&sums[threadIdx.x * 4 + d], s[threadIdx.x][d]);
		atomicAdd(&counts[threadIdx.x], cnt[threadIdx.x]);
	}
}

KERNEL kmeans_update(float *centroid, long long *sums, unsigned *counts, int k)
{
	int t = threadIdx.x;
	if (t >= k * 4)
		return;
	unsigned n = counts[t >> 2];
	if (n)
		centroid[t] = (float)((double)sums[t] / ((double)n * 65536.0));
	__syncthreads();
	sums[t] = 0;
	if ((t & 3) == 0)
		counts[t >> 2] = 0;
}
