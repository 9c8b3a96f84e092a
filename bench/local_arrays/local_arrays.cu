/* Shapes of local arrays, a kernel each: which of them become registers? `make bench-local-arrays` writes ../LOCAL_ARRAYS.md. */
#include "../../tests/ptx-corpus/cuda_compat.h"

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

/* constant indices */
extern "C" __global__ void constant_index(const float *in, float *out)
{
	float a[4];
	unsigned i = THREAD;
	a[0] = in[i];
	a[1] = a[0] * 2;
	a[2] = a[1] + a[0];
	a[3] = a[2] * a[1];
	out[i] = a[3] - a[0];
}

/* a loop that the front end unrolls */
extern "C" __global__ void unrolled_loop(const float *in, float *out, int n)
{
	float a[8];
	unsigned i = THREAD;
	for (int k = 0; k < 8; k++)
		a[k] = in[i * 8 + k];
	for (int r = 0; r < n; r++)
		for (int k = 0; k < 8; k++)
			a[k] = a[k] * 0.5f + a[(k + 1) % 8];
	for (int k = 0; k < 8; k++)
		out[i * 8 + k] = a[k];
}

/* the same, but the loops stay */
extern "C" __global__ void uniform_loop(const float *in, float *out, int n)
{
	float a[16];
	unsigned i = THREAD;
#pragma unroll 1
	for (int k = 0; k < 16; k++)
		a[k] = in[i * 16 + k];
#pragma unroll 1
	for (int k = 0; k < n; k++)
		a[k & 15] += a[(k + 5) & 15];
#pragma unroll 1
	for (int k = 0; k < 16; k++)
		out[i * 16 + k] = a[k];
}

/* a table of constants, read by a lane's index */
extern "C" __global__ void constant_table(const int *in, float *out)
{
	const float t[8] = {1, 2.5f, 3, 4.5f, 5, 6.5f, 7, 8.5f};
	unsigned i = THREAD;
	out[i] = t[in[i] & 7];
}

/* computed values, read by a lane's index */
extern "C" __global__ void computed_table(const int *in, const float *f, float *out)
{
	float t[8];
	unsigned i = THREAD;
	for (int k = 0; k < 8; k++)
		t[k] = f[i + k] * k;
	out[i] = t[in[i] & 7];
}

/* read and written by a lane's index */
extern "C" __global__ void dynamic_read_write(const int *in, int *out, int n)
{
	int h[8] = {0};
	unsigned i = THREAD;
	for (int k = 0; k < n; k++)
		h[in[i * n + k] & 7]++;
	for (int k = 0; k < 8; k++)
		out[i * 8 + k] = h[k];
}

/* a structure of arrays */
struct particles {
	float x[4], y[4];
	int n[4];
};
extern "C" __global__ void struct_of_arrays(const float *in, float *out, int n)
{
	particles p;
	unsigned i = THREAD;
	for (int k = 0; k < 4; k++) {
		p.x[k] = in[i + k];
		p.y[k] = in[i + 4 + k];
		p.n[k] = k;
	}
	for (int r = 0; r < n; r++)
		for (int k = 0; k < 4; k++) {
			p.x[k] += p.y[k];
			p.n[k] ^= r;
		}
	float s = 0;
	for (int k = 0; k < 4; k++)
		s += p.x[k] * p.n[k];
	out[i] = s + p.x[n & 3];
}

/* the array's address goes to a function that is not inlined */
__device__ __attribute__((noinline)) float sum(const float *p, int n)
{
	float s = 0;
	for (int k = 0; k < n; k++)
		s += p[k];
	return s;
}
extern "C" __global__ void pointer_to_call(const float *in, float *out)
{
	float a[6];
	unsigned i = THREAD;
	for (int k = 0; k < 6; k++)
		a[k] = in[i + k];
	out[i] = sum(a, 6) + sum(a + 1, 4);
}

/* bytes of words */
extern "C" __global__ void bytes_of_words(const unsigned *in, unsigned *out)
{
	unsigned w[4];
	unsigned char *b = (unsigned char *)w;
	unsigned i = THREAD, s = 0;
	for (int k = 0; k < 4; k++)
		w[k] = in[i + k];
	for (int k = 0; k < 16; k++)
		s = s * 31 + b[k];
	b[3] = (unsigned char)s;
	b[10] ^= 0x55;
	out[i] = s + w[0] + w[2];
}

/* two dimensions, the outer index a lane's */
extern "C" __global__ void two_dimensions(const int *in, float *out)
{
	float m[3][4];
	unsigned i = THREAD;
	int r = in[i] % 3u;
	for (int k = 0; k < 3; k++)
		for (int j = 0; j < 4; j++)
			m[k][j] = (float)(k * j) + in[i + j];
	out[i] = m[r][0] + m[r][1] * m[r][2] - m[r][3];
}

/* a pointer to one array or another */
extern "C" __global__ void pointer_select(const int *in, float *out)
{
	float a[4], b[4];
	unsigned i = THREAD;
	for (int k = 0; k < 4; k++) {
		a[k] = in[i + k] * 2.0f;
		b[k] = in[i + k] * 3.0f;
	}
	float *p = in[i] > 7 ? a : b;
	p[1] += 1;
	out[i] = p[0] + p[1] + p[2] + p[3] + a[1] - b[1];
}

/* copies of whole structures */
struct __attribute__((aligned(16))) block {
	float v[8];
};
extern "C" __global__ void vector_copy(const block *in, block *out, int n)
{
	unsigned i = THREAD;
	block a = in[i], b = in[i + 1], c = a;
	for (int k = 0; k < n; k++) {
		block t = a;
		a = b;
		b = t;
		c.v[k & 3] += a.v[0];
	}
	for (int k = 0; k < 8; k++)
		c.v[k] += a.v[k] * b.v[7 - k];
	out[i] = c;
}

/* accesses of different sizes that overlap */
extern "C" __global__ void overlap(const unsigned long long *in, unsigned *out)
{
	union {
		unsigned long long q[2];
		unsigned d[4];
		unsigned short h[8];
	} u;
	unsigned i = THREAD;
	u.q[0] = in[i];
	u.q[1] = in[i + 1];
	u.h[3] = 7;
	u.d[2] ^= u.d[1];
	out[i] = u.d[0] + u.h[5] + (unsigned)(u.q[1] >> 20) + u.d[3];
}

/* more than registers hold */
extern "C" __global__ void large(const int *in, int *out, int n)
{
	int a[512];
	unsigned i = THREAD;
	for (int k = 0; k < 512; k++)
		a[k] = k * n;
	for (int k = 0; k < n; k++)
		a[in[k] & 511] += in[i];
	out[i] = a[in[i] & 511];
}

/* sorted in place */
extern "C" __global__ void insertion_sort(const int *in, int *out)
{
	int a[8];
	unsigned i = THREAD;
	for (int k = 0; k < 8; k++)
		a[k] = in[i * 8 + k];
	for (int k = 1; k < 8; k++)
		for (int j = k; j > 0 && a[j - 1] > a[j]; j--) {
			int t = a[j];
			a[j] = a[j - 1];
			a[j - 1] = t;
		}
	for (int k = 0; k < 8; k++)
		out[i * 8 + k] = a[k];
}

/* a function that calls itself, with an array in each frame */
__device__ __attribute__((noinline)) int walk(int n, int x)
{
	int a[3] = {x, x + 1, x + 2};
	if (n <= 0)
		return a[x & 1];
	return walk(n - 1, a[n % 3u]) + a[1];
}
extern "C" __global__ void recursion(const int *in, int *out, int n)
{
	unsigned i = THREAD;
	out[i] = walk(n & 7, in[i]);
}
