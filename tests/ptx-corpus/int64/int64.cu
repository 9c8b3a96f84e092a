/* Wide integers: 64-bit division and remainder, high halves of products, Miller-Rabin with Montgomery products, 128-bit
 * sums, decimal conversion, 32-bit division by variables and constants. */
#include "../cuda_compat.h"

typedef unsigned long long u64;

static __device__ __forceinline__ u64 splitmix(u64 x)
{
	x += 0x9E3779B97F4A7C15ull;
	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
	x = (x ^ x >> 27) * 0x94D049BB133111EBull;
	return x ^ x >> 31;
}

KERNEL divmod(const u64 *a, const u64 *b, u64 *quot, u64 *rem, long long *squot, long long *srem, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	u64 x = a[i], y = b[i] >> (i & 63);
	if (y == 0)
		y = 1;
	quot[i] = x / y;
	rem[i] = x % y;
	long long sx = (long long)x, sy = (long long)y;
	if (sy == -1)
		sy = 3;
	squot[i] = sx / sy;
	srem[i] = sx % sy;
}

KERNEL div32(const unsigned *a, unsigned *out, int *sout, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned x = a[i], y = a[n - 1 - i] >> (i & 31) | 1;
	int sx = (int)x, sy = (int)(y >> 1) - 1000;
	if (sy == 0 || sy == -1)
		sy = 7;
	out[i] = x / y ^ x % y * 3 ^ x / 10 ^ x % 1000003;
	sout[i] = sx / sy ^ sx % sy ^ sx / 7 ^ sx % 12345;
}

static __device__ __forceinline__ u64 redc_mul(u64 a, u64 b, u64 m, u64 inv)
{
	u64 lo = a * b, hi = __umul64hi(a, b);
	u64 q = lo * inv, t = __umul64hi(q, m);
	u64 r = hi - t;
	return hi < t ? r + m : r;
}

/* For an odd m above 2: is it prime? Bases that settle every 64-bit number. */
static __device__ bool is_prime(u64 m)
{
	u64 inv = m;
	for (int i = 0; i < 5; i++)
		inv *= 2 - m * inv;
	u64 one = (0 - m) % m, minus = m - one;
	u64 r2 = one;
	for (int i = 0; i < 64; i++) {
		bool big = r2 >= m - r2;
		r2 = big ? r2 - (m - r2) : r2 + r2;
	}
	u64 d = m - 1;
	int s = 0;
	while (!(d & 1)) {
		d >>= 1;
		s++;
	}
	const unsigned base[7] = {2, 325, 9375, 28178, 450775, 9780504, 1795265022};
	for (int k = 0; k < 7; k++) {
		u64 a = base[k] % m;
		if (a == 0)
			continue;
		u64 x = one, p = redc_mul(a, r2, m, inv);
		for (u64 e = d; e; e >>= 1) {
			if (e & 1)
				x = redc_mul(x, p, m, inv);
			p = redc_mul(p, p, m, inv);
		}
		if (x == one || x == minus)
			continue;
		int j = 1;
		for (; j < s; j++) {
			x = redc_mul(x, x, m, inv);
			if (x == minus)
				break;
		}
		if (j == s)
			return false;
	}
	return true;
}

KERNEL primes(u64 start, int n, uint8_t *prime, unsigned *count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	bool p = i < n && is_prime(start + 2ull * i);
	unsigned b = __ballot_sync(0xffffffffu, p);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(count, (unsigned)__popc(b));
	if (i < n)
		prime[i] = p;
}

KERNEL sums128(const u64 *a, u64 *lo, u64 *hi, long long *shi, int n, int terms)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	u64 l = 0, h = 0;
	long long s = 0;
	for (int k = 0; k < terms; k++) {
		u64 x = a[i], y = splitmix(x + k);
		u64 pl = x * y, ph = __umul64hi(x, y);
		l += pl;
		h += ph + (l < pl);
		s += __mul64hi((long long)x, (long long)y) >> 3;
	}
	lo[i] = l;
	hi[i] = h;
	shi[i] = s;
}

KERNEL decimal(const u64 *a, uint8_t *text, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	u64 v = a[i] >> (i % 60);
	uint8_t *t = text + i * 20;
	for (int k = 19; k >= 0; k--) {
		t[k] = (uint8_t)('0' + v % 10);
		v /= 10;
	}
}
