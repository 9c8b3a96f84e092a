/* Spheres over a checkered plane, a scene struct passed by value, hard shadows and two mirror bounces. */
#include "../cuda_compat.h"

struct scene {
	float3 eye, light;
	int width, height, spheres;
	float fov;
	uint8_t bounces;
};

struct sphere {
	float3 c;
	float r;
	float3 colour;
	float mirror;
};

static __device__ __forceinline__ float3 sub(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
static __device__ __forceinline__ float3 mul(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
static __device__ __forceinline__ float dot(float3 a, float3 b)
{
	return fmaf(a.z, b.z, fmaf(a.y, b.y, __fmul_rn(a.x, b.x)));
}
static __device__ __forceinline__ float3 axpy(float s, float3 a, float3 b)
{
	return make_float3(fmaf(s, a.x, b.x), fmaf(s, a.y, b.y), fmaf(s, a.z, b.z));
}
static __device__ __forceinline__ float3 unit(float3 a) { return mul(a, __fdiv_rn(1.0f, __fsqrt_rn(dot(a, a)))); }

static __device__ float hit(const sphere *s, int n, float3 o, float3 d, int &which)
{
	float best = 1e30f;
	which = -1;
	for (int i = 0; i < n; i++) {
		float3 oc = sub(o, s[i].c);
		float b = dot(oc, d), q = fmaf(b, b, -fmaf(-s[i].r, s[i].r, dot(oc, oc)));
		if (q < 0)
			continue;
		float root = __fsqrt_rn(q), t = -b - root;
		if (t < 1e-3f)
			t = root - b;
		if (t > 1e-3f && t < best) {
			best = t;
			which = i;
		}
	}
	if (d.y < -1e-4f) {
		float t = __fdiv_rn(-1.0f - o.y, d.y);
		if (t > 1e-3f && t < best) {
			best = t;
			which = n;
		}
	}
	return best;
}

KERNEL render(scene sc, const sphere *s, float4 *out)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= sc.width || y >= sc.height)
		return;
	float3 d = unit(make_float3(((float)x - sc.width * 0.5f) * sc.fov, (sc.height * 0.5f - (float)y) * sc.fov, 1.0f));
	float3 o = sc.eye, colour = make_float3(0, 0, 0);
	float weight = 1.0f;
	for (int bounce = 0; bounce <= sc.bounces; bounce++) {
		int which;
		float t = hit(s, sc.spheres, o, d, which);
		if (which < 0) {
			float k = 0.5f * (d.y + 1.0f);
			colour = axpy(weight, make_float3(1.0f - 0.5f * k, 1.0f - 0.3f * k, 1.0f), colour);
			break;
		}
		float3 p = axpy(t, d, o), n, c;
		float mirror;
		if (which == sc.spheres) {
			n = make_float3(0, 1, 0);
			int check = ((int)floorf(p.x) + (int)floorf(p.z)) & 1;
			c = check ? make_float3(0.9f, 0.9f, 0.9f) : make_float3(0.1f, 0.1f, 0.1f);
			mirror = 0.2f;
		} else {
			n = unit(sub(p, s[which].c));
			c = s[which].colour;
			mirror = s[which].mirror;
		}
		float3 l = unit(sub(sc.light, p));
		int blocker;
		float shade = fmaxf(dot(n, l), 0.0f);
		if (shade > 0) {
			hit(s, sc.spheres, p, l, blocker);
			if (blocker >= 0 && blocker < sc.spheres)
				shade = 0;
		}
		colour = axpy(weight * (1.0f - mirror) * (0.1f + 0.9f * shade), c, colour);
		weight *= mirror;
		if (weight < 0.01f)
			break;
		o = p;
		d = axpy(-2.0f * dot(d, n), n, d);
	}
	out[y * sc.width + x] = make_float4(colour.x, colour.y, colour.z, 1.0f);
}
