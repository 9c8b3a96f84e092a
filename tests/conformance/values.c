/* What forms are fed with. The first seven eighths of the tuples cross edge values: the inputs run through lists whose lengths
 * have no common factor, so that every pair of edges meets; the rest is random. A form's only input runs through its edges
 * once, then through random values, or through everything where it has 16 bits. */
#include "conformance.h"

#define LEN(a) (sizeof(a) / sizeof(a)[0])

const struct conf_kind_info conf_kinds[CONF_KINDS] = {
#define KIND(name, reg, bits, values) {#name, #reg, bits},
#include "kinds.def"
#undef KIND
};

enum values { V_INT, V_COUNT, V_SELECTOR, V_INT16X2, V_INT8X4, V_F16, V_BF16, V_F16X2, V_BF16X2, V_F32, V_F32H, V_F64, V_F32X2, V_BYTES };

static const uint8_t kind_values[CONF_KINDS] = {
#define KIND(name, reg, bits, values) V_##values,
#include "kinds.def"
#undef KIND
};

static const uint8_t int8[] = {0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 100, 0x7e, 0x7f, 0x80, 0x81, 0xaa, 0xc0, 0xf0, 0xfe, 0xff};
static const uint16_t int16[] = {
	0,      1,      2,      3,      7,      8,      10,     15,     16,     17,     31,     32,     33,     63,     100,
	0x7e,   0x7f,   0x80,   0x81,   0xaa,   0xfe,   0xff,   0x100,  0x101,  0x17f,  0x180,  0xff7f, 0xff80, 0xff81, 0x3ff,
	0x1234, 0x5555, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xaaaa, 0xfeff, 0xff00, 0xfff0, 0xfffe, 0xffff, 0x80ff, 0x8080, 0x7f80,
};
static const uint32_t int32[] = {
	0,          1,          2,          3,          5,          7,          8,          10,         16,         31,
	32,         33,         63,         64,         0x7f,       0x80,       0xff,       0x100,      0x7fff,     0x8000,
	0xffff,     0x10000,    0x7f7f7f7f, 0x80808080, 0x7fffff,   0x800000,   0xffffff,   0x1000000,  0x1000001,  0x2000003,
	0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xffff0000, 0xffff7fff, 0xffff8000, 0xffffff7f, 0xffffff80, 0xffffffe0,
	0xfffffffd, 0xfffffffe, 0xffffffff, 0x12345678, 0x9abcdef0, 0x55555555, 0xaaaaaaaa, 0x7fff8000, 0x80007fff, 0x00ff00ff,
	0x7fffffc0, 0x7fffff80, 0xffffff01, 0xfeedface,
};
static const uint64_t int64[] = {
	0, 1, 2, 3, 7, 10, 31, 32, 33, 63, 64, 65, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
	0x80000001, 0xffffffff, 0x100000000, 0x100000001, 0x1fffffffe, 0x7fffffff00000000, 0x8000000000000000, 0x8000000000000001,
	0x7fffffffffffffff, 0x7ffffffffffffffe, 0x7ffffffffffffc00, 0x7ffffffffffffe00, 0x20000000000000, 0x20000000000001,
	0x20000000000003, 0x40000000000003, 0x1000001, 0x10000010000000, 0x80000080000001, 0xffffffff00000000, 0xffffffff7fffffff,
	0xffffffff80000000, 0xffffffffffff8000, 0xffffffffffffff80, 0xfffffffffffffffd, 0xfffffffffffffffe, 0xffffffffffffffff,
	0x123456789abcdef0, 0xfedcba9876543210, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x00ff00ff00ff00ff, 0xfffffffffffff400,
	0xfffffffffffffc00,
};
/* Zeros, denormals, the least normal and its neighbours, one and its neighbours, ties, halves, powers at the edges of integer types,
 * the greatest, infinities, quiet and signalling NaN with payloads; each sign. */
static const uint16_t f16[] = {
	0x0000, 0x8000, 0x0001, 0x8001, 0x0002, 0x0155, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401, 0x0800, 0x1400, 0x1801, 0x2e66,
	0x3555, 0x37ff, 0x3800, 0xb800, 0x3801, 0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x3e00, 0x4000, 0x4100, 0xc100, 0x4248, 0x4880,
	0x57f0, 0x57f8, 0x5bf8, 0x5bfc, 0x6400, 0x6401, 0x67ff, 0x77ff, 0x7800, 0x7bfe, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01,
	0xfd55, 0x7e00, 0xfe01, 0x7fff, 0xffff, 0xd800, 0xd801, 0xdbfc, 0xf800,
};
static const uint16_t bf16[] = {
	0x0000, 0x8000, 0x0001, 0x8001, 0x0040, 0x007f, 0x807f, 0x0080, 0x8080, 0x0081, 0x0100, 0x1f80, 0x2000, 0x3380, 0x3800,
	0x3dcd, 0x3eaa, 0x3eff, 0x3f00, 0xbf00, 0x3f01, 0x3f7f, 0x3f80, 0xbf80, 0x3f81, 0x3fc0, 0x4000, 0x4020, 0xc020, 0x4049,
	0x42fe, 0x4300, 0x437f, 0x4380, 0x46ff, 0x4700, 0x477f, 0x4780, 0x4eff, 0x4f00, 0x4f80, 0x5f00, 0x5f80, 0x7f7e, 0x7f7f,
	0xff7f, 0x7f80, 0xff80, 0x7f81, 0xffd5, 0x7fc0, 0xffff, 0xc300, 0xcf00,
};
static const uint32_t f32[] = {
	0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00000155, 0x00400000, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
	0x00800001, 0x00ffffff, 0x01000000, 0x1f800000, 0x20000000, 0x33000000, 0x33800000, 0x387fe000, 0x38800000, 0x3dcccccd, 0x3eaaaaab,
	0x3effffff, 0x3f000000, 0xbf000000, 0x3f000001, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f801000, 0x3f808000,
	0x3fc00000, 0x40200000, 0xc0200000, 0x40490fdb, 0x42fe0000, 0x437f8000, 0x46fffe00, 0x477fe000, 0x477ff000, 0xc77fefff,
	0x4b000001, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x5f7fffff, 0x7f7fffff, 0xff7fffff, 0x7f800000,
	0xff800000, 0x7f800001, 0xffa55555, 0x7fc00000, 0xffc12345, 0xffffffff, 0x7f7f8000,
};
static const uint64_t f64[] = {
	0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001, 0x0000000012345678, 0x000fffffffffffff,
	0x800fffffffffffff, 0x0010000000000000, 0x8010000000000000, 0x0010000000000001, 0x0020000000000000, 0x1ff0000000000000,
	0x2000000000000001, 0x369fffffffffffff, 0x36a0000000000000, 0x36a0000000000001, 0x380fffffffffffff, 0x3810000000000000,
	0x3e70000000000000, 0x3f0ffc0000000000, 0x3fb999999999999a, 0x3fd5555555555555, 0x3fdfffffffffffff, 0x3fe0000000000000,
	0xbfe0000000000000, 0x3fefffffffffffff, 0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001, 0x3ff0000010000000,
	0x3ff0020000000000, 0x3ff8000000000000, 0x4004000000000000, 0xc004000000000000, 0x400921fb54442d18, 0x406ff00000000000,
	0x40effc0000000000, 0x40effe0000000000, 0x40effdffffffffff, 0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000100000,
	0x41efffffffe00000, 0x41f0000000000000, 0x4330000000000001, 0x43dfffffffffffff, 0x43e0000000000000, 0xc3e0000000000000,
	0x43f0000000000000, 0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x7fefffffffffffff, 0xffefffffffffffff,
	0x7ff0000000000000, 0xfff0000000000000, 0x7ff0000000000001, 0xfff4000000000005, 0x7ff8000000000000, 0xfff8123456789abc,
};
static const uint32_t counts[] = {
	0,  1,  2,  3,  4,  7,  8,  9,  15, 16, 17, 23, 24, 30, 31, 32,  33,  34,  40,         47,         48,         62,         63,
	64, 65, 66, 80, 96, 97, 100, 127, 128, 129, 160, 192, 255, 256, 257, 0x10000, 0x80000000, 0x7fffffff, 0xffffffff, 0xffffff00,
	0x11f, 0x11110, 0xfffffffe, 0x1000001f,
};

static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

uint32_t conf_kind_bytes(enum conf_kind k)
{
	return conf_kinds[k].bits / 8;
}

/* Random bits: all of them, or few low ones, or many leading ones. */
static uint64_t random_int(uint64_t r, unsigned bits)
{
	uint64_t v = mix(r), shape = r % 4, n = (r >> 2) % bits;
	if (bits < 64)
		v &= ((uint64_t)1 << bits) - 1;
	return shape < 2 ? v : shape == 2 ? v >> n : ~(v >> n);
}

/* Random bits, or a number near one, where sums cancel and products round. */
static uint64_t random_float(uint64_t r, unsigned bits, unsigned mantissa)
{
	uint64_t v = mix(r), one = ((uint64_t)1 << (bits - 2 - mantissa)) - 1;
	if (r % 4 == 0)
		return v;
	uint64_t exponent = one + (r >> 8) % 13 - 6, sign = r >> 4 & 1;
	uint64_t m = v >> (64 - mantissa);
	if (r % 4 == 1)
		m &= ~(((uint64_t)1 << mantissa / 2) - 1);
	return sign << (bits - 1) | exponent << mantissa | m;
}

/* f32 whose finite numbers are below 2^16, many of them where f16 is subnormal or ends. */
static uint64_t near_f16(uint64_t x, uint64_t r)
{
	uint64_t mag = x & 0x7fffffff;
	if (r % 5 == 4 && mag < 0x7f800000)
		return (x & 0x807fffff) | (0x65 + (r >> 8) % 16) << 23;
	return mag >= 0x47800000 && mag < 0x7f800000 ? (x & 0x807fffff) | 0x47000000 : x;
}

/* The n-th edge of a 64-bit or narrower element, or, past the edges, a random value. */
static uint64_t element(enum values v, unsigned bits, uint64_t n, uint64_t r)
{
#define EDGE(table)                                                                                                          \
	if (n < LEN(table))                                                                                                  \
		return (table)[n];
	switch (v) {
	case V_COUNT:
	case V_SELECTOR:
		if (v == V_COUNT) {
			EDGE(counts)
		}
		return r % 3 ? mix(r) % 70 : mix(r);
	case V_F16:
		EDGE(f16)
		return random_float(r, 16, 10);
	case V_BF16:
		EDGE(bf16)
		return random_float(r, 16, 7);
	case V_F32:
		EDGE(f32)
		return random_float(r, 32, 23);
	case V_F32H:
		return near_f16(element(V_F32, bits, n, r), r);
	case V_F64:
		EDGE(f64)
		return random_float(r, 64, 52);
	case V_BYTES:
		return mix(r);
	default:
		break;
	}
	if (bits == 8) {
		EDGE(int8)
	} else if (bits == 16) {
		EDGE(int16)
	} else if (bits == 32) {
		EDGE(int32)
	} else {
		EDGE(int64)
	}
	return random_int(r, bits);
#undef EDGE
}

static struct conf_value value(enum conf_kind k, uint64_t n, uint64_t r)
{
	static const struct {
		uint8_t v, bits, count;
	} packed[] = {[V_INT16X2] = {V_INT, 16, 2}, [V_INT8X4] = {V_INT, 8, 4},  [V_F16X2] = {V_F16, 16, 2},
	              [V_BF16X2] = {V_BF16, 16, 2}, [V_F32X2] = {V_F32, 32, 2}};
	enum values v = kind_values[k];
	unsigned bits = conf_kinds[k].bits;
	struct conf_value x = {0, 0};
	if (bits == 128)
		return (struct conf_value){element(V_INT, 64, n, r), element(V_INT, 64, mix(r) % 80, mix(r + 1))};
	if (v == V_SELECTOR && n < 64)
		x.lo = n < 8 ? n : mix(r) & 0xffff;
	else if (v >= LEN(packed) || !packed[v].count)
		x.lo = element(v, bits, n, r);
	else
		for (unsigned i = 0; i < packed[v].count; i++) {
			uint64_t s = i ? mix(r + i) : r;
			unsigned w = packed[v].bits;
			uint64_t e = element(packed[v].v, w, i ? s % 72 : n, s);
			x.lo |= (e & (((uint64_t)1 << w) - 1)) << (i * w);
		}
	if (bits < 64)
		x.lo &= ((uint64_t)1 << bits) - 1;
	return x;
}

struct conf_value conf_input(enum conf_kind k, uint32_t stream, uint32_t t)
{
	static const uint8_t length[CONF_ONLY] = {64, 63, 61, 59, 55, 53};
	uint64_t r = mix((uint64_t)k << 40 | (uint64_t)stream << 32 | t);
	if (stream == CONF_ONLY) {
		if (conf_kinds[k].bits <= 16)
			return (struct conf_value){t & (((uint64_t)1 << conf_kinds[k].bits) - 1), 0};
		return value(k, t, r);
	}
	if (t % 8 == 7)
		return value(k, 1000, r);
	uint32_t n = (t - t / 8) % length[stream];
	/* The lists are permuted, so that each leaves out other edges where it is too short for all. */
	if (stream)
		n = (n * (2 * stream + 1) + stream * 7) % 64;
	return value(k, n, mix((uint64_t)k << 40 | (uint64_t)stream << 32 | 1u << 31 | n));
}

const struct conf_opd *conf_in(const struct conf_form *f, uint32_t n)
{
	for (uint32_t i = 0; i < f->nopd; i++)
		if (!f->opd[i].out && !n--)
			return &f->opd[i];
	return NULL;
}

uint32_t conf_stream(const struct conf_form *f, uint32_t input)
{
	return f->nin == 1 && f->tuples > 2048 ? CONF_ONLY : input % CONF_ONLY;
}

uint32_t conf_edge(const struct conf_form *f, uint32_t n)
{
	const struct conf_opd *o = conf_in(f, 0);
	if (f->nin == 1 && conf_stream(f, 0) == CONF_ONLY && conf_kinds[o->kind].bits <= 16)
		return (uint32_t)value(o->kind, n, n).lo % f->tuples;
	return n;
}

uint32_t conf_stride(enum conf_kind k, enum conf_feed feed)
{
	return feed != CONF_LANES && conf_kinds[k].bits < 32 ? 4 : conf_kind_bytes(k);
}

uint8_t *conf_column(struct arena *a, const struct conf_form *f, uint32_t input, enum conf_feed feed)
{
	enum conf_kind k = conf_in(f, input)->kind;
	uint32_t stride = conf_stride(k, feed), stream = conf_stream(f, input);
	uint8_t *p = arena_alloc(a, (size_t)f->tuples * stride);
	for (uint32_t t = 0; t < f->tuples; t++) {
		struct conf_value v = conf_input(k, stream, t);
		memcpy(p + (size_t)t * stride, &v, stride);
	}
	return p;
}

uint64_t conf_kind_hash(enum conf_kind k)
{
	uint64_t h = 0;
	for (uint32_t s = 0; s < CONF_STREAMS; s++)
		for (uint32_t t = 0; t < 256; t++) {
			struct conf_value v = conf_input(k, s, t);
			h = mix(h ^ mix(v.lo) ^ mix(v.hi + 1));
		}
	return h;
}

const char *conf_literal(struct arena *a, enum conf_kind k, uint32_t which)
{
	unsigned bits = conf_kinds[k].bits;
	const char *name = conf_kinds[k].name;
	enum values v = kind_values[k];
	uint64_t x = value(k, which % 64, mix(which)).lo;
	if (k == CONF_pred || bits < 16 || bits > 64 || k == CONF_u8 || k == CONF_s8)
		return NULL;
	if (v == V_F32 || v == V_F32H)
		return arena_printf(a, "0f%08llx", (unsigned long long)x);
	if (v == V_F64)
		return arena_printf(a, "0d%016llx", (unsigned long long)x);
	if (v == V_F16 || v == V_BF16 || v == V_F16X2 || v == V_BF16X2 || v == V_F32X2 || v == V_BYTES)
		return NULL;
	if (name[0] == 's' && v == V_INT)
		return arena_printf(a, "%lld", (long long)(x << (64 - bits)) >> (64 - bits));
	return arena_printf(a, which % 2 ? "%llu" : "0x%llx", (unsigned long long)x);
}
