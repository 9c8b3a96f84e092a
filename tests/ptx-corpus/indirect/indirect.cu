/* Calls through pointers: a table of functions, a function chosen by data, and virtual methods of objects built on the
 * device in local memory. */
#include "../cuda_compat.h"

typedef int (*binary)(int, int);
static __device__ __noinline__ int op_add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
static __device__ __noinline__ int op_sub(int a, int b) { return (int)((unsigned)a - (unsigned)b); }
static __device__ __noinline__ int op_mul(int a, int b) { return (int)((unsigned)a * (unsigned)b); }
static __device__ __noinline__ int op_gcd(int a, int b)
{
	unsigned x = a < 0 ? -(unsigned)a : a, y = b < 0 ? -(unsigned)b : b;
	while (y) {
		unsigned t = x % y;
		x = y;
		y = t;
	}
	return (int)x;
}
__device__ binary ops[4] = {op_add, op_sub, op_mul, op_gcd};

KERNEL call_table(const int *a, const int *b, const uint8_t *which, int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int v = a[i];
	for (int k = 0; k < 3; k++)
		v = ops[which[(i + k) % n] & 3](v, b[i] + k);
	out[i] = v;
}

struct shape {
	__device__ virtual float area() const = 0;
	__device__ virtual int corners() const { return 0; }
};
struct rect : shape {
	float w, h;
	__device__ rect(float w, float h) : w(w), h(h) {}
	__device__ float area() const override { return w * h; }
	__device__ int corners() const override { return 4; }
};
struct circle : shape {
	float r;
	__device__ circle(float r) : r(r) {}
	__device__ float area() const override { return 3.14159265f * r * r; }
};

static __device__ __noinline__ float measure(const shape *s)
{
	return s->area() + (float)s->corners();
}

KERNEL call_virtual(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	rect r(in[i], in[(i + 1) % n]);
	circle c(in[i]);
	out[i] = measure((i * 7 >> 2) & 1 ? (const shape *)&r : (const shape *)&c);
}
