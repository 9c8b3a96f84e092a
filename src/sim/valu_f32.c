/* Single-precision lane functions: valu_f32.def. */
#include "sim/valu_protos.h"
#include "sim/valu_gen.h"

static inline uint32_t sat_u8(int32_t x)
{
	return x < 0 ? 0 : x > 255 ? 255 : (uint32_t)x;
}
static inline float fract32(float x)
{
	float r = x - floorf(x);
	return r > 0x1.fffffep-1f ? 0x1.fffffep-1f : r;
}

struct scaled32 {
	float val;
	uint8_t post;
};
/* s: the value to scale, d: denominator, n: numerator. The manual's table for gfx10. What AMD recorded of a gfx1100 (rocjitsu, shared/division.h,
 * "div_scale") looks at exponents alone, takes a quotient below 2^-96 for small, and sets the condition beside a zero, too. */
static inline struct scaled32 div_scale32(float s, float d, float n, bool gfx11)
{
	if (gfx11) {
		struct div_scale k = div_scale_by_exponents((int)(bits32(n) >> 23 & 255), (int)(bits32(d) >> 23 & 255), bits32(s) == bits32(d), 96, 253, 24);
		return (struct scaled32){n == 0 || d == 0 ? float32(NAN32) : k.by > 0 ? s * 0x1p64f : k.by < 0 ? s * 0x1p-64f : s, k.post};
	}
	int en = (int)(bits32(n) >> 23 & 255), ed = (int)(bits32(d) >> 23 & 255);
	uint32_t is_d = bits32(s) == bits32(d), is_n = bits32(s) == bits32(n);
	double inv = 1.0 / (double)d, q = (double)n / (double)d;
	int inv_tiny = fabs(inv) < 0x1p-126 && inv != 0, q_tiny = fabs(q) < 0x1p-126 && q != 0;
	if (n == 0 || d == 0)
		return (struct scaled32){float32(NAN32), 0};
	if (en - ed >= 96)
		return (struct scaled32){is_d ? s * 0x1p64f : s, 1};
	if (ed == 0)
		return (struct scaled32){s * 0x1p64f, 0};
	if (inv_tiny && q_tiny)
		return (struct scaled32){is_d ? s * 0x1p-64f : s, 1};
	if (inv_tiny)
		return (struct scaled32){s * 0x1p-64f, 0};
	if (q_tiny)
		return (struct scaled32){is_n ? s * 0x1p64f : s, 1};
	if (en <= 23)
		return (struct scaled32){s * 0x1p64f, 0};
	return (struct scaled32){s, 0};
}

static inline uint32_t div_fixup32(uint32_t q, uint32_t d, uint32_t n, int rm)
{
	uint32_t sign = (d ^ n) & 0x80000000, md = d & 0x7fffffff, mn = n & 0x7fffffff;
	if (isnan32(n))
		return n | 0x400000;
	if (isnan32(d))
		return d | 0x400000;
	if ((!md && !mn) || (md == INF32 && mn == INF32))
		return NAN32;
	if (!md || mn == INF32)
		return sign | INF32;
	if (md == INF32 || !mn)
		return sign;
	if ((int)(mn >> 23) - (int)(md >> 23) < -150)
		return sign | (uint32_t)fixup_away(rm, sign != 0);
	/* A quotient that overflowed in the refinement arrives as NaN. */
	return sign | ((q & 0x7fffffff) >= INF32 ? INF32 - !(rm == 0 || fixup_away(rm, sign != 0)) : q & 0x7fffffff);
}

/* A NaN keeps its payload, which the host's conversion makes quiet. */
static inline float widened(double half, uint32_t ieee)
{
	uint64_t u = bits64(half);
	return isnan64(u) ? float32((uint32_t)(u >> 32 & 0x80000000) | INF32 | (uint32_t)(u >> 29 & 0x7fffff) | (ieee ? 0x400000 : 0)) : (float)half;
}

struct cube {
	float id, sc, tc, ma;
};
static inline struct cube cube(float x, float y, float z)
{
	float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
	if (az >= ax && az >= ay)
		return (struct cube){z < 0 ? 5.0f : 4.0f, z < 0 ? -x : x, -y, z * 2};
	if (ay >= ax)
		return (struct cube){y < 0 ? 3.0f : 2.0f, x, y < 0 ? -z : z, y * 2};
	return (struct cube){x < 0 ? 1.0f : 0.0f, x < 0 ? z : -z, -y, x * 2};
}

static inline float dot_step(float a, float b, float c)
{
	return nan3f(a * b + c, a, b, c);
}
static inline float dot2_f16(uint32_t a, uint32_t b, float c)
{
	c = dot_step((float)f64_from_f16(a & 0xffff), (float)f64_from_f16(b & 0xffff), c);
	return dot_step((float)f64_from_f16(a >> 16), (float)f64_from_f16(b >> 16), c);
}
static inline float dot2_bf16(uint32_t a, uint32_t b, float c)
{
	c = dot_step(float32(a << 16), float32(b << 16), c);
	return dot_step(float32(a & 0xffff0000), float32(b & 0xffff0000), c);
}

#include "sim/valu_f32.def"
