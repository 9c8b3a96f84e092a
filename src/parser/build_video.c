/* Video instructions: scalar ones on 33-bit inputs, kept in 64 bits; SIMD ones on bytes and half-words, kept in 32.
 * Source: PTX ISA, "Video Instructions". */
#include "parser/build_internal.h"

/* Selectors of an operand: .b0 to .b3, .h0, .h1; two or four digits of .hXY, .bXYZW, most significant first; bytes of a mask. */
enum { SEL_B0 = 17, SEL_H0 = 21, SEL_QUAD = 32, SEL_PAIR = 33, SEL_MASK = 34 };

static bool sel_is_byte(const struct ptx_operand *o)
{
	return o->sel >= SEL_B0 && o->sel < SEL_B0 + 4;
}
static bool sel_is_half(const struct ptx_operand *o)
{
	return o->sel >= SEL_H0 && o->sel < SEL_H0 + 2;
}

/* The operand's register whatever its selector. */
static struct ir_inst *word(struct build *B, const struct ptx_operand *o)
{
	struct ptx_operand plain = *o;
	plain.sel = 0;
	return opd_width(B, &plain, 32);
}

static struct ir_inst *field(struct build *B, struct ir_inst *x, uint32_t off, uint32_t len, bool sign)
{
	return sign ? OP3(sbfe, x, K(32, off), K(32, len)) : OP3(ubfe, x, K(32, off), K(32, len));
}

/* --- scalar --- */

static struct ir_inst *part_word(struct build *B, const struct ptx_operand *o, bool sign)
{
	struct ir_inst *x = word(B, o);
	if (sel_is_byte(o))
		return field(B, x, 8u * (o->sel - SEL_B0), 8, sign);
	if (sel_is_half(o))
		return field(B, x, 16u * (o->sel - SEL_H0), 16, sign);
	return x;
}

static struct ir_inst *part(struct build *B, const struct ptx_operand *o, uint32_t type)
{
	return resize(B, part_word(B, o, type_signed(type)), 64, type_signed(type));
}

static struct ir_inst *saturate(struct build *B, struct ir_inst *x, uint32_t bits, bool sign)
{
	if (sign)
		return clamp_signed(B, x, -((int64_t)1 << (bits - 1)), ((int64_t)1 << (bits - 1)) - 1);
	return clamp_signed(B, x, 0, ((int64_t)1 << bits) - 1);
}

static uint32_t result_bits(const struct ptx_operand *d)
{
	return sel_is_byte(d) ? 8 : sel_is_half(d) ? 16 : 32;
}

static bool is_shift(uint32_t op)
{
	return op == PTX_OP_vshl || op == PTX_OP_vshr;
}

/* What .sat makes of the exact result t. NVIDIA's GPUs have had no such instructions since sm_50, and ptxas' sequences, recorded on an
 * H200, are what counts: a sum or difference beyond 2^32 - 1 is not held there, only one below zero is; shifts are held to the
 * bounds of 32 bits after sign extension from 34 and whatever part of the destination is written; the bounds of a byte or half-word
 * turn a negative result into the greatest one. */
static struct ir_inst *hold(struct build *B, const struct ptx_stmt *s, struct ir_inst *t, uint32_t bits, bool sign)
{
	if (is_shift(s->m->op))
		return saturate(B, OP2(sar, OP2(shl, t, K(32, 30)), K(32, 30)), 32, sign);
	if (bits < 32)
		return OP2(umin, t, K(64, ir_mask(bits - sign)));
	return sign ? saturate(B, t, 32, true) : OP2(smax, t, K(64, 0));
}

/* min and max compare in 64 bits; what sums, differences and held shifts compare is their low word, as a signed number. */
static struct ir_inst *least_or_most(struct build *B, const struct ptx_stmt *s, struct ir_inst *t, bool sign)
{
	uint32_t op = s->m->op;
	struct ir_inst *c = resize(B, word(B, &s->ops[3]), 64, sign);
	if (op == PTX_OP_vadd || op == PTX_OP_vsub || (is_shift(op) && MOD(sat)))
		t = resize(B, OPW1(trunc, 32, t), 64, true);
	if (MOD(op2) == PTX_W_min)
		return sign ? OP2(smin, t, c) : OP2(umin, t, c);
	return sign ? OP2(smax, t, c) : OP2(umax, t, c);
}

/* Saturation, the secondary operation or the merge with c, and the write. A merge into the upper half takes the upper half of
 * the result, as ptxas' sequence does; into a byte or the lower half, its low bits. */
static void finish(struct build *B, const struct ptx_stmt *s, uint32_t dtype, struct ir_inst *t)
{
	const struct ptx_operand *d = &s->ops[0];
	uint32_t bits = result_bits(d);
	bool sign = type_signed(dtype);
	if (MOD(sat))
		t = hold(B, s, t, bits, sign);
	struct ir_inst *r;
	if (bits < 32) {
		uint32_t off = bits == 8 ? 8u * (d->sel - SEL_B0) : 16u * (d->sel - SEL_H0), up = bits == 8 ? off : 0;
		struct ir_inst *mask = K(32, ir_mask(bits) << off);
		r = OP3(bitsel, mask, OP2(shl, OPW1(trunc, 32, t), K(32, up)), word(B, &s->ops[3]));
	} else if (MOD(op2) == PTX_W_add) {
		r = OP2(add, OPW1(trunc, 32, t), word(B, &s->ops[3]));
	} else if (MOD(op2)) {
		r = OPW1(trunc, 32, least_or_most(B, s, t, sign));
	} else {
		r = OPW1(trunc, 32, t);
	}
	struct ptx_operand plain = *d;
	plain.sel = 0;
	def(B, &plain, r, false);
}

static struct ir_inst *basic(struct build *B, uint32_t op, struct ir_inst *x, struct ir_inst *y)
{
	switch (op) {
	case PTX_OP_vadd:
		return OP2(add, x, y);
	case PTX_OP_vsub:
		return OP2(sub, x, y);
	case PTX_OP_vabsdiff:
		return OP1(iabs, OP2(sub, x, y));
	case PTX_OP_vmin:
		return OP2(smin, x, y);
	default:
		return OP2(smax, x, y);
	}
}

/* Where both inputs are signed or neither is, their distance fits in 32 bits. */
static struct ir_inst *distance(struct build *B, struct ir_inst *x, struct ir_inst *y, bool sign)
{
	struct ir_inst *bias = K(32, sign ? 0x80000000 : 0);
	return OPW1(zext, 64, OP3(sad, OP2(xor, x, bias), OP2(xor, y, bias), K(32, 0)));
}

/* Does the operand, as a signed number, fit in a word? */
static bool is_s32(const struct ptx_operand *o, uint32_t type)
{
	return type_signed(type) || sel_is_byte(o) || sel_is_half(o);
}

/* A sum or difference that is to be held within a word, in a word: NULL where there is no short way. */
static struct ir_inst *saturated(struct build *B, const struct ptx_stmt *s)
{
	const struct ptx_operand *a = &s->ops[1], *b = &s->ops[2];
	const uint8_t *types = s->m->types;
	bool add = s->m->op == PTX_OP_vadd, sub = s->m->op == PTX_OP_vsub, sign = type_signed(types[0]);
	if (!MOD(sat) || !(add || sub) || result_bits(&s->ops[0]) < 32)
		return NULL;
	struct ir_inst *x = part_word(B, a, type_signed(types[1])), *y = part_word(B, b, type_signed(types[2]));
	if (sign && is_s32(a, types[1]) && is_s32(b, types[2]))
		return OPW1(sext, 64, add ? OP2(saddsat, x, y) : OP2(ssubsat, x, y));
	if (!sign && sub && !type_signed(types[1]) && !type_signed(types[2]))
		return OPW1(zext, 64, OP2(sub, OP2(umax, x, y), y));
	return NULL;
}

void video_basic(struct build *B, const struct ptx_stmt *s)
{
	bool sign = type_signed(s->m->types[1]);
	if (s->m->op == PTX_OP_vabsdiff && sign == type_signed(s->m->types[2])) {
		struct ir_inst *a = part_word(B, &s->ops[1], sign), *b = part_word(B, &s->ops[2], sign);
		finish(B, s, s->m->types[0], distance(B, a, b, sign));
		return;
	}
	struct ir_inst *held = saturated(B, s);
	if (held) {
		finish(B, s, s->m->types[0], held);
		return;
	}
	struct ir_inst *x = part(B, &s->ops[1], s->m->types[1]), *y = part(B, &s->ops[2], s->m->types[2]);
	finish(B, s, s->m->types[0], basic(B, s->m->op, x, y));
}

/* Amounts are at most 32. */
void video_shift(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = part(B, &s->ops[1], s->m->types[1]), *n = OPW1(trunc, 32, part(B, &s->ops[2], PTX_T_u32));
	n = has(s, PTX_W_clamp) ? OP2(umin, n, K(32, 32)) : OP2(and, n, K(32, 31));
	finish(B, s, s->m->types[0], s->m->op == PTX_OP_vshl ? OP2(shl, x, n) : OP2(sar, x, n));
}

void video_set(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = part(B, &s->ops[1], s->m->types[0]), *y = part(B, &s->ops[2], s->m->types[1]);
	struct ir_inst *t = compare(B, MOD(cmp), PTX_T_s64, false, x, y);
	finish(B, s, s->m->types[0], OPW1(zext, 64, t));
}

/* a b + c in 64 bits, where whole words are signed whatever their types: ptxas' sequence, as above. */
void video_mad(struct build *B, const struct ptx_stmt *s)
{
	const struct ptx_operand *a = &s->ops[1], *b = &s->ops[2], *c = &s->ops[3];
	bool sa = type_signed(s->m->types[1]), sb = type_signed(s->m->types[2]), po = has(s, PTX_W_po);
	bool negated = a->neg != b->neg, sign = sa || sb || negated || c->neg;
	struct ir_inst *x = resize(B, part_word(B, a, sa), 64, true), *y = resize(B, part_word(B, b, sb), 64, true);
	struct ir_inst *t = OP2(mul, x, y), *z = word(B, c), *one = K(64, 1);
	if (!po && negated)
		t = OP1(not, t);
	else if (!po && c->neg)
		z = OP1(not, z);
	t = OP2(add, t, resize(B, z, 64, true));
	if (po || negated || c->neg)
		t = OP2(add, t, one);
	uint32_t scale = has(s, PTX_W_shr7) ? 7 : has(s, PTX_W_shr15) ? 15 : 0;
	if (scale)
		t = sign ? OP2(sar, t, K(32, scale)) : OP2(shr, t, K(32, scale));
	if (MOD(sat))
		t = saturate(B, t, 32, sign);
	def(B, &s->ops[0], OPW1(trunc, 32, t), false);
}

/* --- SIMD --- */

struct simd {
	uint32_t n, bits; /* elements and their width */
	struct ir_inst *a, *b, *c;
	bool sa, sb, sd;
	uint8_t asel[4], bsel[4]; /* element 0 first; from n: b's */
};

static void selectors(const struct ptx_operand *o, uint32_t n, uint32_t first, uint8_t *out)
{
	for (uint32_t k = 0; k < n; k++)
		out[k] = (uint8_t)(o->sel == SEL_QUAD || o->sel == SEL_PAIR ? o->sels[n - 1 - k] : first + k);
}

static struct ir_inst *lane(struct build *B, const struct simd *v, uint32_t sel, bool sign)
{
	return field(B, sel < v->n ? v->a : v->b, (sel % v->n) * v->bits, v->bits, sign);
}

/* Which elements are written: the selected one, or all. */
static uint32_t write_mask(const struct ptx_operand *d, uint32_t n)
{
	if (sel_is_byte(d))
		return 1u << (d->sel - SEL_B0);
	if (sel_is_half(d))
		return 1u << (d->sel - SEL_H0);
	if (d->sel != SEL_QUAD && d->sel != SEL_PAIR && d->sel != SEL_MASK)
		return (1u << n) - 1;
	uint32_t mask = 0;
	for (uint32_t k = 0; k < n; k++)
		mask |= 1u << d->sels[k];
	return mask;
}

static struct ir_inst *simd_element(struct build *B, const struct ptx_stmt *s, const struct simd *v, struct ir_inst *x,
				    struct ir_inst *y)
{
	struct ir_inst *t;
	switch (s->m->op) {
	case PTX_OP_vadd2:
	case PTX_OP_vadd4:
		t = OP2(add, x, y);
		break;
	case PTX_OP_vsub2:
	case PTX_OP_vsub4:
		t = OP2(sub, x, y);
		break;
	case PTX_OP_vavrg2:
	case PTX_OP_vavrg4: /* halves are rounded away from zero */
		t = OP2(add, x, y);
		t = OP2(sar, OP2(add, t, OPW1(zext, 32, ICMP(SGE, t, K(32, 0)))), K(32, 1));
		break;
	case PTX_OP_vabsdiff2:
	case PTX_OP_vabsdiff4:
		t = OP1(iabs, OP2(sub, x, y));
		break;
	case PTX_OP_vmin2:
	case PTX_OP_vmin4:
		t = OP2(smin, x, y);
		break;
	case PTX_OP_vmax2:
	case PTX_OP_vmax4:
		t = OP2(smax, x, y);
		break;
	default:
		return OPW1(zext, 32, compare(B, MOD(cmp), PTX_T_s32, false, x, y));
	}
	return MOD(sat) ? saturate(B, t, v->bits, v->sd) : t;
}

/* The bits of the elements in `mask`. */
static uint64_t written(const struct simd *v, uint32_t mask)
{
	uint64_t bits = 0;
	for (uint32_t k = 0; k < v->n; k++)
		bits |= mask >> k & 1 ? ir_mask(v->bits) << k * v->bits : 0;
	return bits;
}

/* The elements that `sels` selects, in a word, without those that are not in `keep`. */
static struct ir_inst *gathered(struct build *B, const struct simd *v, const uint8_t *sels, uint32_t keep)
{
	uint32_t bytes = v->bits / 8, by = 0;
	for (uint32_t k = 0; k < 4; k++)
		by |= (sels[k / bytes] * bytes + k % bytes) << 8 * k;
	return OP2(and, OP3(perm, v->b, v->a, K(32, by)), K(32, written(v, keep)));
}

/* The distances of elements summed are one instruction, of unsigned ones: signed ones are moved up by half their range. */
static bool sum_of_distances(struct build *B, const struct ptx_stmt *s, const struct simd *v, uint32_t mask, struct ir_inst **d)
{
	bool absdiff = s->m->op == PTX_OP_vabsdiff2 || s->m->op == PTX_OP_vabsdiff4;
	if (!absdiff || !has(s, PTX_W_add) || v->sa != v->sb || (MOD(sat) && v->sd))
		return false;
	struct ir_inst *x = gathered(B, v, v->asel, mask), *y = gathered(B, v, v->bsel, mask);
	struct ir_inst *bias = K(32, !v->sa ? 0 : v->n == 4 ? 0x80808080 : 0x80008000);
	x = OP2(xor, x, bias), y = OP2(xor, y, bias);
	*d = v->n == 4 ? OP3(sad8, x, y, v->c) : OP3(sad16, x, y, v->c);
	return true;
}

static struct ir_inst *pairs_extreme(struct build *B, bool max, bool sign, struct ir_inst *x, struct ir_inst *y)
{
	if (sign)
		return max ? OP2(pksmax, x, y) : OP2(pksmin, x, y);
	return max ? OP2(pkumax, x, y) : OP2(pkumin, x, y);
}

/* Bytes: as the upper ones of half-words, first those that are so already, then those below them, moved up. */
static struct ir_inst *quads_extreme(struct build *B, bool max, bool sign, struct ir_inst *x, struct ir_inst *y)
{
	struct ir_inst *upper = pairs_extreme(B, max, sign, x, y), *eight = K(32, 8), *lower;
	if (sign)
		lower = OP2(shr, pairs_extreme(B, max, true, OP2(shl, x, eight), OP2(shl, y, eight)), eight);
	else
		lower = pairs_extreme(B, max, false, OP2(and, x, K(32, 0x00ff00ff)), OP2(and, y, K(32, 0x00ff00ff)));
	return OP3(bitsel, K(32, 0x00ff00ff), lower, upper);
}

static struct ir_inst *quads_sum(struct build *B, bool add, struct ir_inst *x, struct ir_inst *y)
{
	struct ir_inst *top = K(32, 0x80808080), *rest = K(32, 0x7f7f7f7f);
	if (add)
		return OP2(xor, OP2(add, OP2(and, x, rest), OP2(and, y, rest)), OP2(and, OP2(xor, x, y), top));
	return OP2(xor, OP2(sub, OP2(or, x, top), OP2(and, y, rest)), OP2(and, OP1(not, OP2(xor, x, y)), top));
}

/* All elements at once, or NULL. */
static struct ir_inst *whole(struct build *B, const struct ptx_stmt *s, const struct simd *v)
{
	bool same = v->sa == v->sb, sat = MOD(sat), pairs = v->n == 2, sign = v->sa;
	bool sum = s->m->op == PTX_OP_vadd2 || s->m->op == PTX_OP_vadd4, diff = s->m->op == PTX_OP_vsub2 || s->m->op == PTX_OP_vsub4;
	bool max = s->m->op == PTX_OP_vmax2 || s->m->op == PTX_OP_vmax4, min = s->m->op == PTX_OP_vmin2 || s->m->op == PTX_OP_vmin4;
	bool apart = s->m->op == PTX_OP_vabsdiff2 || s->m->op == PTX_OP_vabsdiff4;
	if (has(s, PTX_W_add) || !(sum || diff || max || min || apart) || (sat && (!same || v->sd != sign)) || (apart && sat && sign))
		return NULL;
	if ((sum || diff) ? sat && !pairs : !same)
		return NULL;
	struct ir_inst *x = gathered(B, v, v->asel, 15), *y = gathered(B, v, v->bsel, 15);
	if ((sum || diff) && !pairs)
		return quads_sum(B, sum, x, y);
	if (sum)
		return !sat ? OP2(pkadd, x, y) : sign ? OP2(pksaddsat, x, y) : OP2(pkuaddsat, x, y);
	if (diff)
		return !sat ? OP2(pksub, x, y) : sign ? OP2(pkssubsat, x, y) : OP2(pkusubsat, x, y);
	if (max || min)
		return pairs ? pairs_extreme(B, max, sign, x, y) : quads_extreme(B, max, sign, x, y);
	if (pairs)
		return OP2(pksub, pairs_extreme(B, true, sign, x, y), pairs_extreme(B, false, sign, x, y));
	struct ir_inst *most = quads_extreme(B, true, sign, x, y), *least = quads_extreme(B, false, sign, x, y);
	return sign ? quads_sum(B, false, most, least) : OP2(sub, most, least); /* no byte borrows */
}

static bool is_quad(uint32_t op)
{
	return op == PTX_OP_vadd4 || op == PTX_OP_vsub4 || op == PTX_OP_vavrg4 || op == PTX_OP_vabsdiff4 ||
	       op == PTX_OP_vmin4 || op == PTX_OP_vmax4 || op == PTX_OP_vset4;
}

void video_simd(struct build *B, const struct ptx_stmt *s)
{
	struct simd v = {.n = is_quad(s->m->op) ? 4 : 2};
	bool set = s->m->op == PTX_OP_vset2 || s->m->op == PTX_OP_vset4;
	const uint8_t *types = s->m->types + !set; /* of a and b; vset has no type of d */
	v.bits = 32 / v.n;
	v.a = word(B, &s->ops[1]);
	v.b = word(B, &s->ops[2]);
	v.c = word(B, &s->ops[3]);
	v.sa = type_signed(types[0]);
	v.sb = type_signed(types[1]);
	v.sd = !set && type_signed(s->m->types[0]);
	selectors(&s->ops[1], v.n, 0, v.asel);
	selectors(&s->ops[2], v.n, v.n, v.bsel);
	uint32_t mask = write_mask(&s->ops[0], v.n);
	bool accumulate = has(s, PTX_W_add);
	struct ir_inst *d = accumulate ? v.c : OP2(and, v.c, K(32, 0));
	bool done = sum_of_distances(B, s, &v, mask, &d);
	struct ir_inst *all = done ? NULL : whole(B, s, &v);
	if (all) {
		d = OP3(bitsel, K(32, written(&v, mask)), all, v.c);
		done = true;
	}
	for (uint32_t k = 0; k < v.n && !done; k++) {
		uint32_t off = k * v.bits;
		struct ir_inst *t;
		if (mask >> k & 1)
			t = simd_element(B, s, &v, lane(B, &v, v.asel[k], v.sa), lane(B, &v, v.bsel[k], v.sb));
		else if (accumulate)
			continue;
		else
			t = field(B, v.c, off, v.bits, false);
		d = accumulate ? OP2(add, d, t) : OP2(or, d, OP2(shl, OP2(and, t, K(32, ir_mask(v.bits))), K(32, off)));
	}
	struct ptx_operand plain = s->ops[0];
	plain.sel = 0;
	def(B, &plain, d, false);
}
