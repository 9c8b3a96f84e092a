#include "hip.h"
// Moves between lanes: readlane, ballot, quad permutes, rotations, permlane, in divergent code too.
KERNEL lanes(const u32 *in, u32 *out)
{
	u32 x = in[gid()], *o = out + gid() * 10;
	u32 l = lane();
	o[0] = __builtin_amdgcn_readfirstlane(x);
	o[1] = __builtin_amdgcn_readlane(x, 17);
	o[2] = __builtin_amdgcn_ballot_w32(x & 1);
	o[3] = (u32)__builtin_amdgcn_mov_dpp((i32)x, 0x1b, 0xf, 0xf, true);   // quad_perm:[3,2,1,0]
	o[4] = (u32)__builtin_amdgcn_mov_dpp((i32)x, 0x124, 0xf, 0xf, true);  // row_ror:4
	o[5] = (u32)__builtin_amdgcn_mov_dpp((i32)x, 0x140, 0xf, 0xf, true);  // row_mirror
	o[6] = __builtin_amdgcn_permlane16(x, x, 0x76543210, 0xfedcba98, true, false);
	o[7] = (u32)__builtin_amdgcn_mov_dpp8((i32)x, 0x053977); // octal 01234567: lanes reversed
	if (l % 3 == 0) {
		o[8] = __builtin_amdgcn_readfirstlane(x + l);
		o[9] = (u32)__builtin_amdgcn_update_dpp((i32)l, (i32)x, 0x101, 0xf, 0xf, false); // row_shl:1, sources inactive
	} else {
		o[8] = __builtin_amdgcn_ballot_w32(true);
		o[9] = (u32)__builtin_amdgcn_ds_swizzle((i32)x, 0x041f); // lane ^ 1
	}
}
