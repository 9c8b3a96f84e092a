/* 256-bit arithmetic on 32-bit limbs with carry chains, as elliptic-curve code does it: addition, subtraction, the full
 * product and reduction modulo 2^256 - 2^32 - 977. On NVIDIA the chains are inline assembly. */
#include "../cuda_compat.h"

struct u256 {
	unsigned w[8];
};

/* r = a + b, returns the carry. */
static __device__ __forceinline__ unsigned add(u256 &r, const u256 &a, const u256 &b)
{
	unsigned carry;
#ifdef __HIP__
	uint64_t c = 0;
	for (int i = 0; i < 8; i++) {
		c += (uint64_t)a.w[i] + b.w[i];
		r.w[i] = (unsigned)c;
		c >>= 32;
	}
	carry = (unsigned)c;
#else
	asm("add.cc.u32 %0, %9, %17;\n\taddc.cc.u32 %1, %10, %18;\n\taddc.cc.u32 %2, %11, %19;\n\taddc.cc.u32 %3, %12, %20;\n\t"
	    "addc.cc.u32 %4, %13, %21;\n\taddc.cc.u32 %5, %14, %22;\n\taddc.cc.u32 %6, %15, %23;\n\taddc.cc.u32 %7, %16, %24;\n\t"
	    "addc.u32 %8, 0, 0;"
	    : "=&r"(r.w[0]), "=&r"(r.w[1]), "=&r"(r.w[2]), "=&r"(r.w[3]), "=&r"(r.w[4]), "=&r"(r.w[5]), "=&r"(r.w[6]),
	      "=&r"(r.w[7]), "=&r"(carry)
	    : "r"(a.w[0]), "r"(a.w[1]), "r"(a.w[2]), "r"(a.w[3]), "r"(a.w[4]), "r"(a.w[5]), "r"(a.w[6]), "r"(a.w[7]),
	      "r"(b.w[0]), "r"(b.w[1]), "r"(b.w[2]), "r"(b.w[3]), "r"(b.w[4]), "r"(b.w[5]), "r"(b.w[6]), "r"(b.w[7]));
#endif
	return carry;
}

/* r = a - b, returns the borrow. */
static __device__ __forceinline__ unsigned sub(u256 &r, const u256 &a, const u256 &b)
{
	unsigned borrow;
#ifdef __HIP__
	int64_t c = 0;
	for (int i = 0; i < 8; i++) {
		c += (int64_t)a.w[i] - b.w[i];
		r.w[i] = (unsigned)c;
		c >>= 32;
	}
	borrow = c ? 1 : 0;
#else
	asm("{\n\t.reg .u32 t;\n\tsub.cc.u32 %0, %9, %17;\n\tsubc.cc.u32 %1, %10, %18;\n\tsubc.cc.u32 %2, %11, %19;\n\t"
	    "subc.cc.u32 %3, %12, %20;\n\tsubc.cc.u32 %4, %13, %21;\n\tsubc.cc.u32 %5, %14, %22;\n\tsubc.cc.u32 %6, %15, %23;\n\t"
	    "subc.cc.u32 %7, %16, %24;\n\tsubc.u32 t, 0, 0;\n\tneg.s32 %8, t;\n\t}"
	    : "=&r"(r.w[0]), "=&r"(r.w[1]), "=&r"(r.w[2]), "=&r"(r.w[3]), "=&r"(r.w[4]), "=&r"(r.w[5]), "=&r"(r.w[6]),
	      "=&r"(r.w[7]), "=&r"(borrow)
	    : "r"(a.w[0]), "r"(a.w[1]), "r"(a.w[2]), "r"(a.w[3]), "r"(a.w[4]), "r"(a.w[5]), "r"(a.w[6]), "r"(a.w[7]),
	      "r"(b.w[0]), "r"(b.w[1]), "r"(b.w[2]), "r"(b.w[3]), "r"(b.w[4]), "r"(b.w[5]), "r"(b.w[6]), "r"(b.w[7]));
#endif
	return borrow;
}

/* t[0..8] += a * x; one row of the schoolbook product. */
static __device__ __forceinline__ void row(unsigned *t, const u256 &a, unsigned x)
{
#ifdef __HIP__
	uint64_t c = 0;
	for (int i = 0; i < 8; i++) {
		c += (uint64_t)a.w[i] * x + t[i];
		t[i] = (unsigned)c;
		c >>= 32;
	}
	t[8] = (unsigned)c;
#else
	asm("mad.lo.cc.u32 %0, %9, %17, %0;\n\tmadc.lo.cc.u32 %1, %10, %17, %1;\n\tmadc.lo.cc.u32 %2, %11, %17, %2;\n\t"
	    "madc.lo.cc.u32 %3, %12, %17, %3;\n\tmadc.lo.cc.u32 %4, %13, %17, %4;\n\tmadc.lo.cc.u32 %5, %14, %17, %5;\n\t"
	    "madc.lo.cc.u32 %6, %15, %17, %6;\n\tmadc.lo.cc.u32 %7, %16, %17, %7;\n\taddc.u32 %8, 0, 0;\n\t"
	    "mad.hi.cc.u32 %1, %9, %17, %1;\n\tmadc.hi.cc.u32 %2, %10, %17, %2;\n\tmadc.hi.cc.u32 %3, %11, %17, %3;\n\t"
	    "madc.hi.cc.u32 %4, %12, %17, %4;\n\tmadc.hi.cc.u32 %5, %13, %17, %5;\n\tmadc.hi.cc.u32 %6, %14, %17, %6;\n\t"
	    "madc.hi.cc.u32 %7, %15, %17, %7;\n\tmadc.hi.u32 %8, %16, %17, %8;"
	    : "+r"(t[0]), "+r"(t[1]), "+r"(t[2]), "+r"(t[3]), "+r"(t[4]), "+r"(t[5]), "+r"(t[6]), "+r"(t[7]), "=&r"(t[8])
	    : "r"(a.w[0]), "r"(a.w[1]), "r"(a.w[2]), "r"(a.w[3]), "r"(a.w[4]), "r"(a.w[5]), "r"(a.w[6]), "r"(a.w[7]),
	      "r"(x));
#endif
}

/* The prime's distance from 2^256. */
static __device__ __forceinline__ u256 fold()
{
	u256 c = {{977, 1, 0, 0, 0, 0, 0, 0}};
	return c;
}

static __device__ __forceinline__ void mulmod(u256 &r, const u256 &a, const u256 &b)
{
	unsigned t[16] = {};
#pragma unroll
	for (int i = 0; i < 8; i++)
		row(t + i, a, b.w[i]);
	/* hi * 2^256 = hi * (2^32 + 977), twice. */
	u256 lo, hi;
	for (int i = 0; i < 8; i++) {
		lo.w[i] = t[i];
		hi.w[i] = t[i + 8];
	}
	unsigned s[9];
	for (int i = 0; i < 8; i++)
		s[i] = lo.w[i];
	row(s, hi, 977);
	u256 shifted = {{0, hi.w[0], hi.w[1], hi.w[2], hi.w[3], hi.w[4], hi.w[5], hi.w[6]}}, sum, part;
	for (int i = 0; i < 8; i++)
		part.w[i] = s[i];
	unsigned carry = add(sum, part, shifted);
	uint64_t top = (uint64_t)s[8] + hi.w[7] + carry, low = top * 977;
	u256 x = {{(unsigned)low, 0, 0, 0, 0, 0, 0, 0}};
	uint64_t mid = (low >> 32) + (unsigned)top;
	x.w[1] = (unsigned)mid;
	x.w[2] = (unsigned)(mid >> 32) + (unsigned)(top >> 32);
	carry = add(r, sum, x);
	u256 c = fold();
	if (carry)
		add(r, r, c);
	/* r >= p exactly when r + c overflows */
	if (add(sum, r, c))
		r = sum;
}

KERNEL big_add(const u256 *a, const u256 *b, u256 *sum, u256 *diff, unsigned *flags, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	u256 s, d;
	unsigned f = add(s, a[i], b[i]);
	f |= sub(d, a[i], b[i]) << 1;
	sum[i] = s;
	diff[i] = d;
	flags[i] = f;
}

/* a^(2^k) * b^... a short ladder of squarings and products. */
KERNEL big_pow(const u256 *a, u256 *out, int n, unsigned exponent)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	u256 x = a[i], r = {{1, 0, 0, 0, 0, 0, 0, 0}};
	for (unsigned e = exponent; e; e >>= 1) {
		if (e & 1)
			mulmod(r, r, x);
		mulmod(x, x, x);
	}
	out[i] = r;
}
