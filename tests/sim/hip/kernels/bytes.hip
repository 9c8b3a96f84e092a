#include "hip.h"
KERNEL bytes(u32 n, const u8 *rgb, const i8 *s, const i16 *w, u8 *gray, i16 *mix, i8 *neg)
{
	u32 i = gid();
	if (i >= n)
		return;
	u32 r = rgb[i * 3], g = rgb[i * 3 + 1], b = rgb[i * 3 + 2];
	gray[i] = (u8)((r * 77 + g * 150 + b * 29 + 128) >> 8);
	mix[i] = (i16)(s[i] * 3 + w[i] - (i16)r);
	i32 v = -s[i] + (w[i] >> 9);
	neg[i] = (i8)(v > 127 ? 127 : v < -128 ? -128 : v);
}
