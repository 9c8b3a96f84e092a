#include "hip.h"
KERNEL int64(u32 n, const i64 *a, const i64 *b, i64 *out)
{
	u32 i = gid();
	if (i >= n)
		return;
	i64 x = a[i], y = b[i], *o = out + i * 10;
	u64 ux = (u64)x, uy = (u64)y;
	o[0] = (i64)(ux * uy);
	o[1] = y ? x / (y == -1 ? 1 : y) : 0;
	o[2] = y ? x % (y == -1 ? 1 : y) : 0;
	o[3] = uy ? (i64)(ux / uy) : 0;
	o[4] = uy ? (i64)(ux % uy) : 0;
	o[5] = (i64)((unsigned __int128)ux * uy >> 64);
	o[6] = (i64)((__int128)x * y >> 64);
	o[7] = (i64)(ux << (uy & 63)) ^ (x >> (uy & 63));
	o[8] = (i64)(u32)x / ((i32)y ? (u32)y : 1u) + (i32)x / ((i32)y > 1 ? (i32)y : 3);
	o[9] = (x > y) + 2 * (ux > uy) + 4 * (x == y) + (x < y ? x : y);
}
