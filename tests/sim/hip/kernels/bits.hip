#include "hip.h"
KERNEL bits(u32 n, const u32 *in, u32 *out)
{
	u32 i = gid();
	if (i >= n)
		return;
	u32 x = in[i * 3], y = in[i * 3 + 1], z = in[i * 3 + 2], *o = out + i * 20;
	u64 d = (u64)x << 32 | y;
	o[0] = (u32)__builtin_popcount(x) + (u32)__builtin_popcountll(d) * 256;
	o[1] = x ? (u32)__builtin_clz(x) : 99;
	o[2] = d ? (u32)__builtin_ctzll(d) : 99;
	o[3] = __builtin_bitreverse32(x);
	o[4] = __builtin_bswap32(y) ^ (u32)(__builtin_bitreverse64(d) >> 32);
	o[5] = __builtin_amdgcn_ubfe(x, y & 31, z & 31);
	o[6] = (u32)__builtin_amdgcn_sbfe((i32)x, y & 31, z & 31);
	o[7] = __builtin_amdgcn_perm(x, y, z & 0x0f0f0f0f);
	o[8] = __builtin_amdgcn_alignbit(x, y, z);
	o[9] = __builtin_amdgcn_alignbyte(x, y, z);
	o[10] = __builtin_amdgcn_sad_u8(x, y, z);
	o[11] = __builtin_amdgcn_msad_u8(x, y, z);
	o[12] = __builtin_amdgcn_lerp(x, y, z);
	i32 a = (i32)x, b = (i32)y, c = (i32)z;
	i32 hi = a > b ? a : b, lo = a < b ? a : b;
	o[13] = (u32)(c > hi ? hi : c < lo ? lo : c); // med3
	o[14] = (x > y ? x : y) > z ? (x > y ? x : y) : z;
	o[15] = (x & y) | (~x & z);
	o[16] = (x << (y & 7)) + z;
	o[17] = (x ^ y ^ z) + ((x + y) << (z & 15));
	u32 carry = (u32)__builtin_add_overflow(x, y, &o[18]);
	o[19] = carry + 2 * (u32)__builtin_mul_overflow((i32)x, (i32)y, (i32 *)&carry);
}
