/* Functions that stay calls: scalar, pointer and struct arguments and results, a local array passed by address, a chain
 * four deep with values live across calls, and recursion. */
#include "../cuda_compat.h"

struct stat {
	int lo, hi;
	float mean;
	long long sum;
};

static __device__ __noinline__ unsigned mix(unsigned a, unsigned b)
{
	a ^= b * 0x9E3779B1u;
	a = a << 13 | a >> 19;
	return a * 5 + 0xe6546b64u;
}

static __device__ __noinline__ double poly(double x, int degree)
{
	double r = 0;
	for (int i = degree; i >= 0; i--)
		r = fma(r, x, 1.0 / (i + 1));
	return r;
}

static __device__ __noinline__ void sort_local(int *a, int n)
{
	for (int i = 1; i < n; i++) {
		int v = a[i], j = i;
		for (; j > 0 && a[j - 1] > v; j--)
			a[j] = a[j - 1];
		a[j] = v;
	}
}

static __device__ __noinline__ stat summarise(const int *a, int n)
{
	stat s = {a[0], a[n - 1], 0, 0};
	for (int i = 0; i < n; i++)
		s.sum += (long long)a[i] * (i + 1);
	s.mean = (float)s.sum / (float)n;
	return s;
}

static __device__ __noinline__ bool better(stat a, stat b)
{
	return a.sum != b.sum ? a.sum > b.sum : a.lo < b.lo;
}

KERNEL calls_sort(const int *in, int *median, float *mean, long long *sum, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int a[12], b[12];
	for (int k = 0; k < 12; k++) {
		a[k] = in[(i + k * 37) % n];
		b[k] = (int)(mix(i, k) % 1000) - 500;
	}
	sort_local(a, 12);
	sort_local(b, 12);
	stat s = summarise(a, 12), t = summarise(b, 12);
	if (better(t, s))
		s = t;
	median[i] = a[6] ^ b[6];
	mean[i] = s.mean;
	sum[i] = s.sum + s.hi - s.lo;
}

KERNEL calls_poly(const double *in, double *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double x = in[i], y = poly(x, 5 + (i & 3));
	if (i & 1)
		y = poly(y, 3) - poly(x * 0.5, 4);
	out[i] = y;
}

static __device__ __noinline__ unsigned fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* Two functions that call each other; depth differs from lane to lane. */
static __device__ unsigned odd_walk(unsigned n, unsigned acc);
static __device__ __noinline__ unsigned even_walk(unsigned n, unsigned acc)
{
	return n == 0 ? acc : mix(odd_walk(n / 2, acc ^ n), n);
}
static __device__ __noinline__ unsigned odd_walk(unsigned n, unsigned acc)
{
	return n < 3 ? acc + 1 : n & 1 ? even_walk(n - 3, acc * 3) + n : odd_walk(n / 2 - 1, acc + 7) ^ n;
}

KERNEL calls_recursive(unsigned *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned v = fib(i % 9);
	out[i] = mix(v, even_walk(i * 7u + 1, v));
}
