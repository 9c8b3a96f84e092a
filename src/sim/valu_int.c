/* Integer lane functions: valu_int.def. */
#include "sim/valu_protos.h"
#include "sim/valu_gen.h"

#define max(a, b) ((a) > (b) ? (a) : (b))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define med(a, b, c) max(min(a, b), min(max(a, b), c))

static inline uint32_t bit_reverse(uint32_t x)
{
	x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
	x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
	x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(x);
}
static inline uint32_t sat_u32(int64_t x)
{
	return x < 0 ? 0 : x > UINT32_MAX ? UINT32_MAX : (uint32_t)x;
}
static inline uint32_t sat_i32(int64_t x)
{
	return (uint32_t)(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x);
}
static inline uint32_t sat_u16(int64_t x)
{
	return x < 0 ? 0 : x > 65535 ? 65535 : (uint32_t)x;
}
static inline int32_t sat_i16(int64_t x)
{
	return (int32_t)(x < -32768 ? -32768 : x > 32767 ? 32767 : x);
}
static inline uint32_t sat_u8(int32_t x)
{
	return x < 0 ? 0 : x > 255 ? 255 : (uint32_t)x;
}
static inline int64_t i24(uint32_t x)
{
	return (int32_t)(x << 8) >> 8;
}
static inline uint64_t u24(uint32_t x)
{
	return x & 0xffffff;
}
/* The field of w bits from s, its top bit extended; bits shifted in from above are copies of a's sign. */
static inline int32_t bfe_i32(int32_t a, uint32_t s, uint32_t w)
{
	uint32_t f = (uint32_t)(a >> s) & ((1u << w) - 1), top = w ? 1u << (w - 1) : 0;
	return (int32_t)((f ^ top) - top);
}
static inline uint32_t perm_byte(uint64_t data, uint32_t sel)
{
	uint32_t plain = (uint32_t)(data >> (sel & 7) * 8) & 255;
	uint32_t sign = data >> ((sel & 3) * 16 + 15) & 1 ? 255 : 0;
	return sel < 8 ? plain : sel < 12 ? sign : sel == 12 ? 0 : 255;
}
static inline uint32_t perm_bytes(uint64_t data, uint32_t sel)
{
	return perm_byte(data, sel & 255) | perm_byte(data, sel >> 8 & 255) << 8 |
	       perm_byte(data, sel >> 16 & 255) << 16 | perm_byte(data, sel >> 24) << 24;
}
static inline uint32_t lerp_bytes(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t r = 0;
	for (uint32_t s = 0; s < 32; s += 8)
		r |= ((a >> s & 255) + (b >> s & 255) + (c >> s & 1)) >> 1 << s;
	return r;
}
static inline uint32_t absdiff(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}
static inline uint32_t sad_u8(uint32_t a, uint32_t b)
{
	uint32_t r = 0;
	for (uint32_t s = 0; s < 32; s += 8)
		r += absdiff(a >> s & 255, b >> s & 255);
	return r;
}
static inline uint32_t msad_u8(uint32_t a, uint32_t b)
{
	uint32_t r = 0;
	for (uint32_t s = 0; s < 32; s += 8)
		r += b >> s & 255 ? absdiff(a >> s & 255, b >> s & 255) : 0;
	return r;
}
static inline uint64_t qsad(uint64_t a, uint32_t b, uint64_t c)
{
	uint64_t r = 0;
	for (uint32_t n = 0; n < 4; n++)
		r |= (uint64_t)((sad_u8((uint32_t)(a >> n * 8), b) + (uint32_t)(c >> n * 16)) & 0xffff) << n * 16;
	return r;
}
static inline uint64_t mqsad(uint64_t a, uint32_t b, uint64_t c)
{
	uint64_t r = 0;
	for (uint32_t n = 0; n < 4; n++)
		r |= (uint64_t)((msad_u8((uint32_t)(a >> n * 8), b) + (uint32_t)(c >> n * 16)) & 0xffff) << n * 16;
	return r;
}
static inline int64_t dot2_i16(uint32_t a, uint32_t b)
{
	return (int64_t)((int16_t)a * (int16_t)b) + (int64_t)((int16_t)(a >> 16) * (int16_t)(b >> 16));
}
static inline int64_t dot2_u16(uint32_t a, uint32_t b)
{
	return (int64_t)(a & 0xffff) * (b & 0xffff) + (int64_t)(a >> 16) * (b >> 16);
}
/* Bits of sgn: the first, the second factor is signed. */
static inline int32_t dot4(uint32_t a, uint32_t b, uint32_t sgn)
{
	int32_t r = 0;
	for (uint32_t s = 0; s < 32; s += 8) {
		int32_t x = (int32_t)(a >> s & 255), y = (int32_t)(b >> s & 255);
		r += (sgn & 1 ? (int8_t)x : x) * (sgn & 2 ? (int8_t)y : y);
	}
	return r;
}
static inline int32_t dot8(uint32_t a, uint32_t b, uint32_t sgn)
{
	int32_t r = 0;
	for (uint32_t s = 0; s < 32; s += 4) {
		int32_t x = (int32_t)(a >> s & 15), y = (int32_t)(b >> s & 15);
		r += (sgn & 1 ? (x ^ 8) - 8 : x) * (sgn & 2 ? (y ^ 8) - 8 : y);
	}
	return r;
}

#include "sim/valu_int.def"
