/* cvt between plain types: integers, f16, bf16, f32, f64, tf32. Packed small formats are in build_cvt_small.c.
 *
 * A conversion that hardware has no single rounding for goes by way of f32 rounded to odd (build_float.c). */
#include "parser/build_internal.h"

#define DTYPE (s->m->types[0])
#define ATYPE (s->m->types[1])

/* The low 8 bits of a 32-bit value, extended. */
static struct ir_inst *extend8(struct build *B, struct ir_inst *x, bool sign)
{
	return sign ? OP3(sbfe, x, K(32, 0), K(32, 8)) : OP3(ubfe, x, K(32, 0), K(32, 8));
}

/* The source at its type; 8 bits come extended to 32. */
static struct ir_inst *source(struct build *B, const struct ptx_operand *o, uint32_t type)
{
	if (type_bits(type) == 8)
		return extend8(B, opd_width(B, o, 32), type_signed(type));
	return opd(B, o, type);
}

/* 64 bits, signed or not, to 32. */
static struct ir_inst *saturate64(struct build *B, struct ir_inst *x, bool ss, bool ds)
{
	struct ir_inst *lo = ir_unpack(&B->c, 32, x, 0), *hi = ir_unpack(&B->c, 32, x, 1), *sign = OP2(sar, hi, K(32, 31));
	if (ds)
		return SEL(ICMP(EQ, hi, OP2(sar, lo, K(32, 31))), lo, OP2(xor, sign, K(32, INT32_MAX)));
	return SEL(ICMP(EQ, hi, K(32, 0)), lo, ss ? OP1(not, sign) : K(32, -1));
}

static struct ir_inst *saturate_int(struct build *B, struct ir_inst *x, uint32_t from, uint32_t to)
{
	uint32_t sb = type_bits(from), db = type_bits(to);
	bool ss = type_signed(from), ds = type_signed(to);
	if (sb == 64 && db <= 32) {
		x = saturate64(B, x, ss, ss && ds);
		sb = 32;
		ss &= ds; /* else no longer negative */
	}
	if (ss && ds)
		return db < sb ? clamp_signed(B, x, -((int64_t)1 << (db - 1)), ((int64_t)1 << (db - 1)) - 1) : x;
	if (ss)
		x = OP2(smax, x, K(x->width, 0));
	uint64_t max = ds ? ir_mask(db - 1) : ir_mask(db);
	bool fits = ds ? db > sb : db >= sb;
	return fits ? x : OP2(umin, x, K(x->width, max));
}

void cvt_int(struct build *B, const struct ptx_stmt *s)
{
	bool ss = type_signed(ATYPE), ds = type_signed(DTYPE);
	uint32_t db = type_bits(DTYPE);
	struct ir_inst *x = source(B, &s->ops[1], ATYPE);
	if (MOD(sat)) {
		uint32_t w = type_bits(ATYPE) > db ? type_bits(ATYPE) : db;
		x = resize(B, x, w < 32 ? 32 : w, ss);
		x = saturate_int(B, x, ATYPE, DTYPE);
	}
	if (db == 8)
		x = extend8(B, resize(B, x, 32, ss), ds);
	else
		x = resize(B, x, db, ss);
	def(B, &s->ops[0], x, ds);
}

/* --- between integers and floats --- */

static struct ir_inst *saturate_float(struct build *B, const struct ptx_stmt *s, struct ir_inst *x)
{
	struct fmode m = {.sat = true};
	return MOD(sat) ? fop(B, IR_fcanon, 0, m, x, NULL, NULL) : x;
}

void cvt_i2f(struct build *B, const struct ptx_stmt *s)
{
	struct fmode m = {.rnd = fmode_of(s).rnd}, down = {.rnd = IR_RM}, up = {.rnd = IR_RP};
	bool sign = type_signed(ATYPE);
	enum ir_op op = sign ? IR_sitofp : IR_uitofp;
	struct ir_inst *x = source(B, &s->ops[1], ATYPE), *d;
	if (x->width == 16)
		x = resize(B, x, 32, sign);
	if (DTYPE != PTX_T_bf16) {
		d = fop(B, op, type_bits(DTYPE), m, x, NULL, NULL);
	} else {
		d = type_bits(ATYPE) <= 16
			    ? fop(B, op, 32, m, x, NULL, NULL)
			    : to_odd(B, fop(B, op, 32, down, x, NULL, NULL), fop(B, op, 32, up, x, NULL, NULL));
		d = narrow(B, DTYPE, m, d);
	}
	def(B, &s->ops[0], saturate_float(B, s, d), false);
}

/* The source as f32 or f64. */
static struct ir_inst *float_source(struct build *B, const struct ptx_operand *o, uint32_t type)
{
	struct ir_inst *x = opd(B, o, type);
	return x->width == 16 ? widen(B, type, x) : x;
}

void cvt_f2i(struct build *B, const struct ptx_stmt *s)
{
	struct fmode m = {.rnd = fmode_of(s).rnd, .ftz = MOD(ftz) && ATYPE == PTX_T_f32};
	uint32_t db = type_bits(DTYPE), w = db < 32 ? 32 : db;
	bool sign = type_signed(DTYPE);
	struct ir_inst *x = float_source(B, &s->ops[1], ATYPE);
	struct ir_inst *d = fop(B, sign ? IR_fptosi : IR_fptoui, w, m, x, NULL, NULL);
	if (db < 32 && sign)
		d = clamp_signed(B, d, -((int64_t)1 << (db - 1)), ((int64_t)1 << (db - 1)) - 1);
	else if (db < 32)
		d = OP2(umin, d, K(32, ir_mask(db)));
	if (db < 32 && !sign && ATYPE == PTX_T_f64)
		d = SEL(fcompare(B, IRC_NAN, false, x, x), K(32, 1u << (db - 1)), d);
	def(B, &s->ops[0], d, sign);
}

/* To an integral value. */
void cvt_round(struct build *B, const struct ptx_stmt *s)
{
	struct fmode m = {.rnd = fmode_of(s).rnd, .ftz = MOD(ftz) && ATYPE == PTX_T_f32}, exact = {0};
	struct ir_inst *x = ATYPE == PTX_T_bf16 ? float_source(B, &s->ops[1], ATYPE) : opd(B, &s->ops[1], ATYPE);
	if (DTYPE != ATYPE) {
		refuse_why(B, s, "rounding to an integral value keeps the type");
		return;
	}
	x = fop(B, IR_frint, 0, m, x, NULL, NULL);
	if (DTYPE == PTX_T_bf16)
		x = narrow(B, DTYPE, exact, x);
	def(B, &s->ops[0], saturate_float(B, s, x), false);
}

/* --- between floats --- */

static struct ir_inst *relu_sat(struct build *B, const struct ptx_stmt *s, uint32_t dtype, struct ir_inst *x)
{
	struct fmode keep = {.nan = true};
	if (has(s, PTX_W_satfinite)) {
		uint32_t max = dtype == PTX_T_bf16 ? 0x7f7f0000 : 0x477fe000;
		x = fop(B, IR_fmin, 0, keep, fop(B, IR_fmax, 0, keep, x, K(32, max | 0x80000000), NULL), K(32, max),
			NULL);
	}
	if (MOD(relu))
		x = fop(B, IR_fmax, 0, keep, x, K(32, 0), NULL);
	return x;
}

/* f64 to f32 for a further rounding. */
static struct ir_inst *odd32(struct build *B, struct ir_inst *x)
{
	struct fmode down = {.rnd = IR_RM, .any_nan = true}, up = {.rnd = IR_RP, .any_nan = true};
	return to_odd(B, fop(B, IR_fptrunc, 32, down, x, NULL, NULL), fop(B, IR_fptrunc, 32, up, x, NULL, NULL));
}

static struct ir_inst *to_half(struct build *B, const struct ptx_stmt *s, uint32_t dtype, struct ir_inst *x)
{
	/* to f16 .ftz changes nothing: subnormals of f32 round to f16's or to zero, and those are not flushed (H200) */
	struct fmode m = {.rnd = fmode_of(s).rnd, .ftz = MOD(ftz) && dtype == PTX_T_bf16};
	if (x->width == 64 && dtype == PTX_T_f16 && !has(s, PTX_W_satfinite) && !MOD(relu))
		return narrow(B, dtype, m, x);
	struct ir_inst *wide = x->width == 64 ? x : NULL;
	if (wide)
		x = odd32(B, x);
	else if (m.ftz)
		x = fop(B, IR_fcanon, 0, m, x, NULL, NULL);
	struct ir_inst *d = narrow(B, dtype, m, relu_sat(B, s, dtype, x));
	/* a NaN of f64 keeps what bits of its payload fit */
	return wide && dtype == PTX_T_bf16 && !MOD(relu)
		       ? SEL(fcompare(B, IRC_NAN, false, wide, wide), ir_unpack(&B->c, 16, x, 1), d)
		       : d;
}

void cvt_float(struct build *B, const struct ptx_stmt *s)
{
	struct fmode m = {.rnd = fmode_of(s).rnd, .ftz = MOD(ftz) && (ATYPE == PTX_T_f32 || DTYPE == PTX_T_f32)},
		     sat = m, exact = {0};
	uint32_t db = type_bits(DTYPE);
	struct ir_inst *d;
	sat.sat = MOD(sat) != 0;
	if (ATYPE == DTYPE && ATYPE != PTX_T_bf16) {
		d = opd(B, &s->ops[1], ATYPE);
		if (sat.sat || sat.ftz)
			d = fop(B, IR_fcanon, 0, sat, d, NULL, NULL);
		else if (ATYPE == PTX_T_f16)
			d = OP1(fnan, d); /* as an H200; f32 and f64 stay as they are */
		def(B, &s->ops[0], d, false);
		return;
	}
	/* f16 to f64 in one: by way of f32 a NaN would lose its payload */
	struct ir_inst *x =
		db == 64 && ATYPE == PTX_T_f16 ? opd(B, &s->ops[1], ATYPE) : float_source(B, &s->ops[1], ATYPE);
	if (db == 16)
		d = to_half(B, s, DTYPE, x);
	else if (db > x->width)
		d = fop(B, IR_fpext, db, exact, m.ftz && db == 64 ? fop(B, IR_fcanon, 0, m, x, NULL, NULL) : x, NULL,
			NULL);
	else if (db < x->width)
		d = fop(B, IR_fptrunc, db, m, x, NULL, NULL);
	else
		d = m.ftz ? fop(B, IR_fcanon, 0, m, x, NULL, NULL) : x;
	if (DTYPE == PTX_T_bf16 && sat.sat)
		d = narrow(B, DTYPE, m, saturate_float(B, s, widen(B, DTYPE, d)));
	else
		d = saturate_float(B, s, d);
	def(B, &s->ops[0], d, false);
}

/* Two floats into the halves of one register: a above, b below. */
void cvt_pack2(struct build *B, const struct ptx_stmt *s)
{
	uint32_t half = DTYPE == PTX_T_f16x2 ? PTX_T_f16 : PTX_T_bf16;
	struct ir_inst *hi = to_half(B, s, half, opd_width(B, &s->ops[1], 32));
	struct ir_inst *lo = to_half(B, s, half, opd_width(B, &s->ops[2], 32));
	def(B, &s->ops[0], halves(B, lo, hi), false);
}

/* Stochastic rounding to bf16: a carry out of the sum of the 16 mantissa bits that are cut off and 16 random ones
 * rounds the magnitude up. Both formats have the same exponents, so subnormals are no exception. */
static struct ir_inst *stochastic(struct build *B, const struct ptx_stmt *s, struct ir_inst *x, struct ir_inst *random)
{
	struct ir_inst *mag = OP2(and, x, K(32, 0x7fffffff)), *sign = OP2(and, x, K(32, 0x80000000));
	struct ir_inst *r = OP2(add, mag, random);
	r = OP2(umin, r, K(32, has(s, PTX_W_satfinite) ? 0x7f7fffff : 0x7f800000)); /* infinity gets no carry */
	r = OP2(or, r, sign);
	if (MOD(relu))
		r = SEL(ICMP(NE, sign, K(32, 0)), K(32, 0), r);
	return SEL(ICMP(UGT, mag, K(32, 0x7f800000)), K(32, 0x7fff0000), r);
}

void cvt_bf16x2_rs(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *random = opd_width(B, &s->ops[3], 32);
	struct ir_inst *hi = stochastic(B, s, opd_width(B, &s->ops[1], 32), OP2(shr, random, K(32, 16)));
	struct ir_inst *lo = stochastic(B, s, opd_width(B, &s->ops[2], 32), OP2(and, random, K(32, 0xffff)));
	def(B, &s->ops[0], OP2(or, OP2(and, hi, K(32, 0xffff0000)), OP2(shr, lo, K(32, 16))), false);
}

/* tf32 is f32 without its low 13 bits. .rna only cuts a NaN off, and with .satfinite takes one from it as from
 * infinity; the other roundings give one NaN (measured on an H200). */
static struct ir_inst *tf32_away(struct build *B, const struct ptx_stmt *s, struct ir_inst *x)
{
	struct ir_inst *inf = K(32, 0x7f800000), *magnitude = K(32, 0x7fffffff);
	struct ir_inst *finite = ICMP(ULT, OP2(and, x, magnitude), inf);
	struct ir_inst *r = OP2(and, OP2(add, x, SEL(finite, K(32, 0x1000), K(32, 0))), K(32, 0xffffe000));
	if (!has(s, PTX_W_satfinite))
		return r;
	return SEL(ICMP(ULT, OP2(and, r, magnitude), inf), r, OP2(sub, r, K(32, 0x2000)));
}

void cvt_tf32(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = opd_width(B, &s->ops[1], 32), *mag = OP2(and, x, K(32, 0x7fffffff)), *r = mag;
	struct ir_inst *sign = OP2(and, x, K(32, 0x80000000));
	if (MOD(rnd) == PTX_W_rna) {
		def(B, &s->ops[0], tf32_away(B, s, x), false);
		return;
	}
	if (MOD(rnd) == PTX_W_rn)
		r = OP2(add, mag, OP2(add, OP3(ubfe, mag, K(32, 13), K(32, 1)), K(32, 0xfff)));
	r = OP2(and, r, K(32, 0xffffe000));
	if (has(s, PTX_W_satfinite))
		r = OP2(umin, r, K(32, 0x7f7fe000));
	else
		r = SEL(ICMP(EQ, mag, K(32, 0x7f800000)), mag, r);
	r = OP2(or, r, sign);
	if (MOD(relu))
		r = SEL(ICMP(NE, sign, K(32, 0)), K(32, 0), r);
	def(B, &s->ops[0], SEL(ICMP(UGT, mag, K(32, 0x7f800000)), K(32, 0x7fffe000), r), false);
}
