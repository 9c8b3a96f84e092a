/* Half-precision lane functions: valu_f16.def. */
#include "sim/valu_protos.h"
#include "sim/valu_gen.h"

static inline double fract16(double x)
{
	double r = x - floor(x);
	return r > 0x1.ffcp-1 ? 0x1.ffcp-1 : r;
}

static inline uint32_t div_fixup16(uint32_t q, uint32_t d, uint32_t n, int rm)
{
	uint32_t sign = (d ^ n) & 0x8000, md = d & 0x7fff, mn = n & 0x7fff;
	if (isnan16(n))
		return n | 0x200;
	if (isnan16(d))
		return d | 0x200;
	if ((!md && !mn) || (md == INF16 && mn == INF16))
		return NAN16;
	if (!md || mn == INF16)
		return sign | INF16;
	if (md == INF16 || !mn)
		return sign;
	return sign | ((q & 0x7fff) >= INF16 ? INF16 - !(rm == 0 || fixup_away(rm, sign != 0)) : q & 0x7fff);
}

/* Rounds to f16 after each term, low half first. */
static inline double dot_step(double a, double b, double c)
{
	return nan3d(fma_odd(a, b, c, 0), a, b, c);
}
static inline double dot2_f16_f16(uint32_t a, uint32_t b, double c)
{
	double t = dot_step(f64_from_f16(a & 0xffff), f64_from_f16(b & 0xffff), c);
	return dot_step(f64_from_f16(a >> 16), f64_from_f16(b >> 16), f64_from_f16(f16_from_f64(t, 0)));
}
static inline uint32_t dot2_bf16_bf16(uint32_t a, uint32_t b, uint32_t c)
{
	double t = dot_step(float32(a << 16), float32(b << 16), float32(c << 16));
	t = float32(bf16_from_f64(t, 0) << 16);
	return bf16_from_f64(dot_step(float32(a & 0xffff0000), float32(b & 0xffff0000), t), 0);
}

#include "sim/valu_f16.def"
