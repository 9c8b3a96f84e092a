#include "hip.h"
#if __GFX11__
// One wave multiplies 16x16 matrices: halves into single, signed by unsigned bytes into int.
typedef _Float16 half16 __attribute__((ext_vector_type(16)));
typedef float float8 __attribute__((ext_vector_type(8)));
typedef int int8v __attribute__((ext_vector_type(8)));
typedef int int4v __attribute__((ext_vector_type(4)));
KERNEL wmma(const _Float16 *a, const _Float16 *b, const float *c, float *d, const i8 *ia, const u8 *ib, i32 *id)
{
	u32 l = tid(), col = l & 15;
	half16 x = 0, y = 0;
	float8 z;
	int8v iz;
	u32 px[4] = {0, 0, 0, 0}, py[4] = {0, 0, 0, 0};
	for (u32 k = 0; k < 16; k++) {
		x[k] = a[col * 16 + k];
		y[k] = b[k * 16 + col];
		px[k / 4] |= (u32)(u8)ia[col * 16 + k] << k % 4 * 8;
		py[k / 4] |= (u32)ib[k * 16 + col] << k % 4 * 8;
	}
	for (u32 j = 0; j < 8; j++) {
		z[j] = c[(j * 2 + l / 16) * 16 + col];
		iz[j] = (i32)j;
	}
	int4v ix = {(i32)px[0], (i32)px[1], (i32)px[2], (i32)px[3]}, iy = {(i32)py[0], (i32)py[1], (i32)py[2], (i32)py[3]};
	z = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, z);
	iz = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, ix, false, iy, iz, false);
	for (u32 j = 0; j < 8; j++) {
		d[(j * 2 + l / 16) * 16 + col] = z[j];
		id[(j * 2 + l / 16) * 16 + col] = iz[j];
	}
}
#endif
