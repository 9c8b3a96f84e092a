#include "hip.h"
// Inclusive scans of 256 elements a block: in a wave by ds_bpermute, within rows of 16 by DPP, across waves in LDS.
KERNEL scan_shuffle(const i32 *in, i32 *out)
{
	__shared__ i32 sums[8];
	i32 x = in[gid()];
	for (u32 d = 1; d < 32; d *= 2) {
		i32 y = shfl(x, lane() - d);
		if (lane() >= d)
			x += y;
	}
	u32 wave = tid() / 32;
	if (lane() == 31)
		sums[wave] = x;
	barrier();
	for (u32 w = 0; w < wave; w++)
		x += sums[w];
	out[gid()] = x;
}
KERNEL scan_dpp(const i32 *in, i32 *out)
{
	i32 x = in[gid()];
	x += __builtin_amdgcn_update_dpp(0, x, 0x111, 0xf, 0xf, false); // row_shr:1
	x += __builtin_amdgcn_update_dpp(0, x, 0x112, 0xf, 0xf, false);
	x += __builtin_amdgcn_update_dpp(0, x, 0x114, 0xf, 0xf, false);
	x += __builtin_amdgcn_update_dpp(0, x, 0x118, 0xf, 0xf, false);
	i32 low = (i32)__builtin_amdgcn_permlanex16(0, (u32)x, ~0u, ~0u, false, false); // lane 15 of the other row
	if (lane() & 16)
		x += low;
	out[gid()] = x;
}
