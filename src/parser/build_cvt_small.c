/* cvt to and from formats of 8 bits and less, two or (stochastically rounded) four at a time, stochastically to f16, and cvt.pack.
 *
 * Rounding is done on the bits of an f32: a normal result adds half an ulp to the mantissa (to even) after the exponent
 * is re-biased; a subnormal one is rounded by adding a constant whose ulp is the format's least number. */
#include "parser/build_matrix.h"

/* A format without its sign bit. */
struct small {
	uint8_t exp, mant, bias;
	uint16_t max, nan; /* codes: the greatest finite number; what NaN becomes */
	uint32_t max_f32; /* the greatest finite number */
};

static const struct small *small_of(uint32_t type)
{
	static const struct small e4m3 = {4, 3, 7, 0x7e, 0x7f, 0x43e00000}, e5m2 = {5, 2, 15, 0x7b, 0x7f, 0x47600000},
				  e2m1 = {2, 1, 1, 0x7, 0x7, 0x40c00000}, e2m3 = {2, 3, 1, 0x1f, 0x1f, 0x40f00000},
				  e3m2 = {3, 2, 3, 0x1f, 0x1f, 0x41e00000};
	switch (type) {
	case PTX_T_e4m3x2:
	case PTX_T_e4m3x4:
		return &e4m3;
	case PTX_T_e5m2x2:
	case PTX_T_e5m2x4:
		return &e5m2;
	case PTX_T_e2m1x2:
	case PTX_T_e2m1x4:
		return &e2m1;
	case PTX_T_e2m3x2:
	case PTX_T_e2m3x4:
		return &e2m3;
	default:
		return &e3m2;
	}
}

static struct ir_inst *bit(struct build *B, struct ir_inst *x, uint32_t n)
{
	return OP3(ubfe, x, K(32, n), K(32, 1));
}

/* The code of a magnitude with x's sign. NaN has none. */
static struct ir_inst *signed_code(struct build *B, const struct small *f, bool relu, struct ir_inst *x,
				   struct ir_inst *code)
{
	struct ir_inst *mag = OP2(and, x, K(32, 0x7fffffff)), *sign = OP2(shr, x, K(32, 31));
	code = OP2(or, code, OP2(shl, sign, K(32, f->exp + f->mant)));
	if (relu)
		code = SEL(ICMP(NE, sign, K(32, 0)), K(32, 0), code);
	return SEL(ICMP(UGT, mag, K(32, 0x7f800000)), K(32, f->nan), code);
}

/* f32 to a code with its sign, in 32 bits; out of range saturates. */
static struct ir_inst *encode(struct build *B, const struct small *f, bool relu, struct ir_inst *x)
{
	struct fmode m = {.any_nan = true};
	uint32_t drop = 23u - f->mant;
	struct ir_inst *abs = OP2(umin, OP2(and, x, K(32, 0x7fffffff)), K(32, f->max_f32));
	struct ir_inst *norm =
		OP2(add, OP2(add, abs, bit(B, abs, drop)), K(32, (1u << (drop - 1)) - 1 - ((127u - f->bias) << 23)));
	norm = OP2(shr, norm, K(32, drop));
	/* 2^(1 - bias - mant) is the ulp of this power of two */
	uint32_t magic = (127u + 1 - f->bias - f->mant + 23) << 23;
	struct ir_inst *sub = OP2(sub, fop(B, IR_fadd, 0, m, abs, K(32, magic), NULL), K(32, magic));
	struct ir_inst *code = SEL(ICMP(ULT, abs, K(32, (127u + 1 - f->bias) << 23)), sub, norm);
	return signed_code(B, f, relu, x, code);
}

/* The same, rounded up where the first `bits` bits that are cut off and as many of random carry. The greatest number has no
 * bits to cut off, so that no carry leaves the format. */
static struct ir_inst *encode_rs(struct build *B, const struct small *f, uint32_t bits, bool relu, struct ir_inst *x,
				 struct ir_inst *random)
{
	struct fmode m = {.any_nan = true}, rz = {.rnd = IR_RZ};
	uint32_t drop = 23u - f->mant;
	struct ir_inst *abs = OP2(umin, OP2(and, x, K(32, 0x7fffffff)), K(32, f->max_f32));
	struct ir_inst *norm = OP2(add, OP2(add, abs, OP2(shl, random, K(32, drop - bits))),
				   K(32, 0u - ((127u - f->bias) << 23)));
	norm = OP2(shr, norm, K(32, drop));
	/* in units of 2^-bits of the least number */
	uint32_t scale = (127u + bits + f->bias + f->mant - 1) << 23;
	struct ir_inst *fixed = fop(B, IR_fptoui, 32, rz, fop(B, IR_fmul, 0, m, abs, K(32, scale), NULL), NULL, NULL);
	struct ir_inst *sub = OP2(shr, OP2(add, fixed, random), K(32, bits));
	return signed_code(B, f, relu, x, SEL(ICMP(ULT, abs, K(32, (127u + 1 - f->bias) << 23)), sub, norm));
}

/* Two codes, each at the top of a half. padded: e2m1 is in the middle four bits of a byte. */
static struct ir_inst *spread(struct build *B, uint32_t type, bool padded, struct ir_inst *x)
{
	const struct small *f = small_of(type);
	uint32_t total = f->exp + f->mant;
	if (type == PTX_T_e2m1x2 && !padded)
		return OP2(and, OP3(bitsel, K(32, 0xf0000000), OP2(shl, x, K(32, 24)), OP2(shl, x, K(32, 12))),
			   K(32, 0xf000f000));
	if (total == 7)
		return OP3(perm, x, x, K(32, 0x010c000c));
	struct ir_inst *v = OP2(shl, OP3(perm, x, x, K(32, 0x0c010c00)), K(32, 10));
	return OP2(and, v, K(32, padded && total < 5 ? 0xf000f000 : 0xfc00fc00));
}

/* 0xffff for each half whose top bit is set. */
static struct ir_inst *half_masks(struct build *B, struct ir_inst *tops)
{
	return OP2(sub, OP2(shl, tops, K(32, 1)), OP2(shr, tops, K(32, 15)));
}

/* Codes to f16, both halves at once: exponent and mantissa at their places are 2^(15 - bias) too small. */
static struct ir_inst *decode(struct build *B, uint32_t type, bool padded, bool relu, struct ir_inst *x)
{
	const struct small *f = small_of(type);
	struct fmode m = {.any_nan = true};
	struct ir_inst *tops = K(32, 0x80008000), *p = spread(B, type, padded, x);
	struct ir_inst *mag = OP2(and, p, K(32, 0x7fff7fff)), *sign = OP2(and, p, tops);
	struct ir_inst *v = f->exp < 5 ? OP2(shr, mag, K(32, 5u - f->exp)) : mag;
	if (f->bias != 15)
		v = fop(B, IR_pkfmul, 0, m, v, K(32, 0x00010001u * ((15u + 15 - f->bias) << 10)), NULL);
	v = relu ? OP2(and, v, OP1(not, half_masks(B, sign))) : OP2(or, v, sign);
	if (type != PTX_T_e4m3x2 && type != PTX_T_e5m2x2)
		return v;
	/* one more than the greatest code that is not a NaN carries into the top bit */
	uint32_t carry = 0x80 - (type == PTX_T_e4m3x2 ? 0x7f : 0x7d);
	struct ir_inst *nan = OP2(and, OP2(add, mag, K(32, carry * 0x01000100)), tops);
	return OP3(bitsel, half_masks(B, nan), K(32, 0x7fff7fff), v);
}

struct ir_inst *small_to_half(struct build *B, uint32_t type, bool padded, struct ir_inst *x, uint32_t k)
{
	uint32_t pair = type == PTX_T_e2m1x2 && !padded ? 8 : 16;
	x = k < 2 ? x : OP2(shr, x, K(32, k / 2 * pair));
	return ir_unpack(&B->c, 16, decode(B, type, padded, false, x), k % 2);
}

static uint32_t code_bits(uint32_t type)
{
	return type == PTX_T_e2m1x2 || type == PTX_T_e2m1x4 ? 4 : 8;
}

/* Two f32, or the halves of an f16x2: the first above. */
void cvt_to_small(struct build *B, const struct ptx_stmt *s)
{
	uint32_t type = s->m->types[0];
	struct ir_inst *hi, *lo;
	if (s->m->types[1] == PTX_T_f32) {
		hi = opd_width(B, &s->ops[1], 32);
		lo = opd_width(B, &s->ops[2], 32);
	} else {
		struct ir_inst *x = opd_width(B, &s->ops[1], 32);
		hi = widen(B, PTX_T_f16, ir_unpack(&B->c, 16, x, 1));
		lo = widen(B, PTX_T_f16, ir_unpack(&B->c, 16, x, 0));
	}
	const struct small *f = small_of(type);
	hi = encode(B, f, MOD(relu), hi);
	lo = encode(B, f, MOD(relu), lo);
	def(B, &s->ops[0], OP2(or, lo, OP2(shl, hi, K(32, code_bits(type)))), false);
}

/* Four f32, the first uppermost. The upper two share 16 random bits, and so do the lower two: halves of the word, of
 * e2m1x4 its odd and its even bytes. The first of the two reads them from the lowest bit on. */
void cvt_x4_rs(struct build *B, const struct ptx_stmt *s)
{
	uint32_t type = s->m->types[0], bits = code_bits(type);
	struct ir_inst *word = opd_width(B, &s->ops[2], 32), *d = NULL;
	if (bits == 4)
		word = OP3(perm, word, word, K(32, 0x03010200));
	struct ir_inst *back = OP1(brev, word), *low = K(32, 0xffff);
	struct ir_inst *random[] = {OP2(and, back, low), OP2(shr, word, K(32, 16)), OP2(shr, back, K(32, 16)),
				    OP2(and, word, low)};
	for (uint32_t k = 0; k < 4; k++) {
		struct ir_inst *x = opd_width(B, &s->ops[1].elems[k], 32);
		x = encode_rs(B, small_of(type), 16, MOD(relu), x, random[k]);
		d = d ? OP2(or, x, OP2(shl, d, K(32, bits))) : x;
	}
	def(B, &s->ops[0], d, false);
}

/* Finite numbers of 65536 and more, for which nothing says whether they become infinity or 65504, stop the kernel. */
static void trap_beyond_f16(struct build *B, const struct ptx_stmt *s, struct ir_inst *const x[2])
{
	struct ir_inst *any = NULL;
	for (uint32_t k = 0; k < 2; k++) { /* with .relu, negative numbers are 0 whatever their magnitude is */
		struct ir_inst *mag = MOD(relu) ? x[k] : OP2(and, x[k], K(32, 0x7fffffff));
		struct ir_inst *beyond = ICMP(ULT, OP2(sub, mag, K(32, 0x47800000)), K(32, 0x7f800000 - 0x47800000));
		any = any ? OP2(or, any, beyond) : beyond;
	}
	diag_warn(B->diags, s->line,
		  "the result of this conversion for finite numbers of 65536 and more is not documented; the kernel traps there (.satfinite does not)");
	struct ir_block *fits = ir_block_new(B->f), *not = ir_block_new(B->f);
	ir_condbr(&B->c, any, not, fits);
	go_on(B, not);
	ir_end(&B->c, IR_trap);
	go_on(B, fits);
}

/* Two f32, each with 13 random bits of its half of the word. Without .satfinite a carry out of 65504 is infinity. */
void cvt_f16x2_rs(struct build *B, const struct ptx_stmt *s)
{
	static const struct small finite = {5, 10, 15, 0x7bff, 0x7fff, 0x477fe000}, open = {5, 10, 15, 0x7c00, 0x7fff, 0x47800000};
	const struct small *f = has(s, PTX_W_satfinite) ? &finite : &open;
	struct ir_inst *x[2] = {opd_width(B, &s->ops[1], 32), opd_width(B, &s->ops[2], 32)};
	struct ir_inst *word = opd_width(B, &s->ops[3], 32);
	if (f == &open)
		trap_beyond_f16(B, s, x);
	struct ir_inst *hi = encode_rs(B, f, 13, MOD(relu), x[0], OP3(ubfe, word, K(32, 16), K(32, 13)));
	struct ir_inst *lo = encode_rs(B, f, 13, MOD(relu), x[1], OP3(ubfe, word, K(32, 0), K(32, 13)));
	def(B, &s->ops[0], OP2(or, lo, OP2(shl, hi, K(32, 16))), false);
}

void cvt_from_small(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], decode(B, s->m->types[1], false, MOD(relu), opd_width(B, &s->ops[1], 32)), false);
}

/* --- ue8m0: powers of two --- */

/* By .rz or .rp. Beyond 2^127 is 2^127 with .satfinite, else NaN, which is 255; what is below 2^-127 becomes it. Signs
 * are dropped. */
static struct ir_inst *encode_ue8m0(struct build *B, bool up, bool satfinite, struct ir_inst *x)
{
	struct ir_inst *mag = OP2(and, x, K(32, 0x7fffffff)), *e = OP2(shr, mag, K(32, 23));
	if (up) { /* to the next power of two; 2^-127 is the subnormal 0x00400000 */
		struct ir_inst *frac = OP2(and, mag, K(32, 0x7fffff));
		struct ir_inst *more = ICMP(UGT, frac, SEL(ICMP(EQ, e, K(32, 0)), K(32, 0x400000), K(32, 0)));
		e = OP2(add, e, OPW1(zext, 32, more));
	}
	e = OP2(umin, e, K(32, satfinite ? 254 : 255));
	return SEL(ICMP(UGT, mag, K(32, 0x7f800000)), K(32, 255), e);
}

void cvt_to_ue8m0(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *hi, *lo, *x = opd_width(B, &s->ops[1], 32);
	if (s->m->types[1] == PTX_T_f32) {
		hi = x;
		lo = opd_width(B, &s->ops[2], 32);
	} else {
		hi = OP2(and, x, K(32, 0xffff0000));
		lo = OP2(shl, x, K(32, 16));
	}
	bool up = MOD(rnd) == PTX_W_rp, sat = has(s, PTX_W_satfinite);
	hi = encode_ue8m0(B, up, sat, hi);
	lo = encode_ue8m0(B, up, sat, lo);
	def(B, &s->ops[0], OP2(or, lo, OP2(shl, hi, K(32, 8))), false);
}

static struct ir_inst *decode_ue8m0(struct build *B, struct ir_inst *e)
{
	struct ir_inst *v = SEL(ICMP(EQ, e, K(32, 0)), K(32, 0x40), OP2(shl, e, K(32, 7)));
	return SEL(ICMP(EQ, e, K(32, 255)), K(32, 0x7fff), v);
}

void cvt_from_ue8m0(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = opd_width(B, &s->ops[1], 32), *lo = OP2(and, x, K(32, 255)),
		       *hi = OP3(ubfe, x, K(32, 8), K(32, 8));
	def(B, &s->ops[0], OP2(or, decode_ue8m0(B, lo), OP2(shl, decode_ue8m0(B, hi), K(32, 16))), false);
}

/* --- cvt.pack: two saturated integers; with three operands above them what fits of c --- */

static uint32_t pack_bits(uint32_t type)
{
	return type == PTX_T_u16 || type == PTX_T_s16 ? 16
	       : type == PTX_T_u8 || type == PTX_T_s8 ? 8
	       : type == PTX_T_u4 || type == PTX_T_s4 ? 4
						      : 2;
}

void cvt_pack(struct build *B, const struct ptx_stmt *s)
{
	uint32_t type = s->m->types[0], bits = pack_bits(type);
	bool sign = type == PTX_T_s16 || type == PTX_T_s8 || type == PTX_T_s4 || type == PTX_T_s2;
	int64_t lo = sign ? -((int64_t)1 << (bits - 1)) : 0, hi = (int64_t)ir_mask(sign ? bits - 1 : bits);
	struct ir_inst *mask = K(32, ir_mask(bits));
	struct ir_inst *x = OP2(and, clamp_signed(B, opd_width(B, &s->ops[1], 32), lo, hi), mask);
	struct ir_inst *y = OP2(and, clamp_signed(B, opd_width(B, &s->ops[2], 32), lo, hi), mask);
	struct ir_inst *d = OP2(or, y, OP2(shl, x, K(32, bits)));
	if (bits < 16)
		d = OP2(or, d, OP2(shl, opd_width(B, &s->ops[3], 32), K(32, 2 * bits)));
	def(B, &s->ops[0], d, false);
}
