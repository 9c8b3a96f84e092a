/* Double-precision lane functions: valu_f64.def. */
#include "sim/valu_protos.h"
#include "sim/valu_gen.h"

static inline double fract64(double x)
{
	double r = x - floor(x);
	return r > 0x1.fffffffffffffp-1 ? 0x1.fffffffffffffp-1 : r;
}

struct scaled64 {
	double val;
	uint8_t post;
};
/* See div_scale32. */
static inline struct scaled64 div_scale64(double s, double d, double n, bool gfx11)
{
	if (gfx11) {
		struct div_scale k = div_scale_by_exponents((int)(bits64(n) >> 52 & 2047), (int)(bits64(d) >> 52 & 2047), bits64(s) == bits64(d), 768, 2045, 53);
		return (struct scaled64){n == 0 || d == 0 ? float64(NAN64) : k.by > 0 ? s * 0x1p128 : k.by < 0 ? s * 0x1p-128 : s, k.post};
	}
	int en = (int)(bits64(n) >> 52 & 2047), ed = (int)(bits64(d) >> 52 & 2047);
	int is_d = bits64(s) == bits64(d), is_n = bits64(s) == bits64(n);
	double inv = 1.0 / d, q = n / d;
	int inv_tiny = fabs(inv) < 0x1p-1022 && inv != 0, q_tiny = fabs(q) < 0x1p-1022 && (q != 0 || en - ed < -1022);
	if (n == 0 || d == 0)
		return (struct scaled64){float64(NAN64), 0};
	if (en - ed >= 768)
		return (struct scaled64){is_d ? s * 0x1p128 : s, 1};
	if (ed == 0)
		return (struct scaled64){s * 0x1p128, 0};
	if (inv_tiny && q_tiny)
		return (struct scaled64){is_d ? s * 0x1p-128 : s, 1};
	if (inv_tiny)
		return (struct scaled64){s * 0x1p-128, 0};
	if (q_tiny)
		return (struct scaled64){is_n ? s * 0x1p128 : s, 1};
	if (en <= 53)
		return (struct scaled64){s * 0x1p128, 0};
	return (struct scaled64){s, 0};
}

static inline uint64_t div_fixup64(uint64_t q, uint64_t d, uint64_t n, int rm)
{
	uint64_t sign = (d ^ n) & 1ull << 63, md = d & INT64_MAX, mn = n & INT64_MAX;
	if (isnan64(n))
		return n | 1ull << 51;
	if (isnan64(d))
		return d | 1ull << 51;
	if ((!md && !mn) || (md == INF64 && mn == INF64))
		return NAN64;
	if (!md || mn == INF64)
		return sign | INF64;
	if (md == INF64 || !mn)
		return sign;
	if ((int)(mn >> 52) - (int)(md >> 52) < -1075)
		return sign | (uint64_t)fixup_away(rm, sign != 0);
	return sign | ((q & INT64_MAX) >= INF64 ? INF64 - !(rm == 0 || fixup_away(rm, sign != 0)) : q & INT64_MAX);
}

#include "sim/valu_f64.def"
