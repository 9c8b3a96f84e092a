#include "hip.h"
// The MODE register: rounding directions and denormals, by instructions that the compiler cannot move.
#define ROUNDED(n)                                                                                                      \
	asm volatile("s_round_mode " #n "*5\n\t"                                                                        \
		     "v_fma_f32 %0, %5, %6, %7\n\t"                                                                     \
		     "v_fma_f64 %1, %8, %9, %10\n\t"                                                                    \
		     "v_cvt_f32_f64_e32 %2, %8\n\t"                                                                     \
		     "v_cvt_f32_u32_e32 %3, %11\n\t"                                                                    \
		     "v_add_f64 %4, %8, %9\n\t"                                                                         \
		     "s_round_mode 0"                                                                                   \
		     : "=&v"(f), "=&v"(d), "=&v"(g), "=&v"(h), "=&v"(e)                                                 \
		     : "v"(x), "v"(y), "v"(z), "v"(p), "v"(q), "v"(r), "v"(u));                                         \
	o[n * 5] = (double)f, o[n * 5 + 1] = d, o[n * 5 + 2] = (double)g, o[n * 5 + 3] = (double)h, o[n * 5 + 4] = e
#define DENORM(n)                                                                                                       \
	asm volatile("s_denorm_mode 0xc|" #n "\n\tv_mul_f32_e32 %0, %1, %2\n\ts_denorm_mode 0xf"                        \
		     : "=&v"(f)                                                                                         \
		     : "v"(x), "v"(z));                                                                                 \
	m[n] = f
KERNEL modes(u32 n, const float *in, const double *din, double *out, float *mul)
{
	u32 i = gid();
	if (i >= n)
		return;
	float x = in[i * 3], y = in[i * 3 + 1], z = in[i * 3 + 2], f, g, h, *m = mul + i * 4;
	double p = din[i * 3], q = din[i * 3 + 1], r = din[i * 3 + 2], d, e, *o = out + i * 20;
	u32 u = __builtin_bit_cast(u32, x);
	ROUNDED(0);
	ROUNDED(1);
	ROUNDED(2);
	ROUNDED(3);
	DENORM(0);
	DENORM(1);
	DENORM(2);
	DENORM(3);
}
