/* Conversions that the hardware does not have in one instruction, each with a single rounding.
 *
 * To integers: rounded to integral in the mode asked for, then truncated; out of range clamps; NaN gives 0, but 2^(w-1) where the source
 * is f64 or the result has 64 bits (PTX ISA, "cvt"). From 64-bit integers to f32: the leading bits, the rest sticky (as LLVM's AMDGPU legalizer). f64 to f16: to f32
 * toward zero with a sticky last bit (rounding to odd), which the second rounding sees through.
 * ftz is made explicit: whether the hardware's conversions flush depends on mode bits that they do not share with arithmetic. */
#include "ir/ir_legal.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

static I *fp(C *c, enum ir_op op, I *x, I *y)
{
	return ir_fop(c, op, IR_RN, x->width, x, y, NULL);
}

static I *cf(C *c, uint32_t w, float x)
{
	return w == 32 ? ir_f32(c->f, x) : ir_f64(c->f, (double)x);
}

static I *convert(C *c, enum ir_op op, uint32_t w, I *x, enum ir_rnd rnd)
{
	return ir_fop(c, op, rnd, w, x, NULL, NULL);
}

static I *is_nan(C *c, I *x)
{
	return ir_cmp(c, IR_fcmp, IRC_NAN, x, x);
}

/* --- to integers --- */

/* x >= 0 integral and below 2^64, in two words; beyond that the upper one is all ones. */
static void two_words(C *c, I *x, enum ir_rnd rnd, I **high, I **low)
{
	uint32_t w = x->width;
	*high = w == 64 ? ir_fop(c, IR_amd_ldexp, IR_RN, 64, x, ir_c32(c, (uint32_t)-32), NULL) : fp(c, IR_fmul, x, cf(c, w, 0x1p-32f));
	*high = ir_fop(c, IR_frint, rnd, w, *high, NULL, NULL);
	*low = convert(c, IR_fptoui, 32, ir_fop(c, IR_ffma, IR_RN, w, *high, cf(c, w, -0x1p32f), x), IR_RZ);
}

/* The hardware's conversion, which clamps; NaN gives 0. */
static I *raw(C *c, enum ir_op op, I *x)
{
	I *r = ir_inst_new(c->f, op, 32, 1);
	r->args[0] = x;
	r->rnd = IR_RZ;
	r->nan = true;
	return ir_emit(c, r);
}

static I *to_uint64(C *c, I *x)
{
	uint32_t w = x->width;
	I *m = fp(c, IR_fmax, x, cf(c, w, 0)), *high, *low, *ones = ir_c32(c, 0xffffffff);
	two_words(c, m, IR_RZ, &high, &low);
	low = ir_select(c, ir_cmp(c, IR_fcmp, IRC_FGE, m, cf(c, w, 0x1p64f)), ones, low);
	high = ir_select(c, is_nan(c, x), ir_c32(c, 0x80000000), raw(c, IR_fptoui, high));
	return ir_pack64(c, low, high);
}

/* The upper word rounded down holds the sign; clamped from below, NaN goes there too. */
static I *f64_to_int64(C *c, I *x)
{
	I *m = fp(c, IR_fmax, x, cf(c, 64, -0x1p63f)), *high, *low;
	two_words(c, m, IR_RM, &high, &low);
	low = ir_select(c, ir_cmp(c, IR_fcmp, IRC_FGE, m, cf(c, 64, 0x1p63f)), ir_c32(c, 0xffffffff), low);
	return ir_pack64(c, low, raw(c, IR_fptosi, high));
}

/* f32 does not hold the lower word of a negative number: sign and magnitude. The median of a NaN is the least (RDNA ISA, V_MED3_F32). */
static I *f32_to_int64(C *c, I *x)
{
	I *m = ir_b3(c, IR_amd_med3f, 32, x, cf(c, 32, -0x1p63f), ir_c32(c, 0x5effffff)), *high, *low;
	two_words(c, ir_b1(c, IR_fabs, 32, m), IR_RZ, &high, &low);
	I *sign = ir_b2(c, IR_sar, 32, m, ir_c32(c, 31)), *s = ir_pack64(c, sign, sign);
	I *r = ir_b2(c, IR_sub, 64, ir_b2(c, IR_xor, 64, ir_pack64(c, low, raw(c, IR_fptoui, high)), s), s);
	return ir_select(c, ir_cmp(c, IR_fcmp, IRC_FGE, x, cf(c, 32, 0x1p63f)), ir_const(c->f, 64, ~(uint64_t)0 >> 1), r);
}

static I *to_int64(C *c, I *x, bool is_signed)
{
	return !is_signed ? to_uint64(c, x) : x->width == 64 ? f64_to_int64(c, x) : f32_to_int64(c, x);
}

static I *narrow(C *c, I *r, uint32_t w, bool is_signed)
{
	if (is_signed) {
		r = ir_b2(c, IR_smax, 32, r, ir_c32(c, -((uint64_t)1 << (w - 1))));
		r = ir_b2(c, IR_smin, 32, r, ir_c32(c, ir_mask(w - 1)));
	} else {
		r = ir_b2(c, IR_umin, 32, r, ir_c32(c, ir_mask(w)));
	}
	return ir_b1(c, IR_trunc, w, r);
}

static I *to_int(C *c, I *i)
{
	I *x = i->args[0], *r;
	uint32_t from = x->width, w = i->width;
	bool is_signed = i->op == IR_fptosi, flush = i->ftz && (i->rnd == IR_RM || i->rnd == IR_RP) && from == 32;
	if (from != 16 && w == 32 && i->rnd == IR_RZ && !i->ftz && !i->sat && (from == 32 || i->nan))
		return NULL;
	x = ir_fcanonical(c, x, flush, false);
	if (from == 16)
		x = convert(c, IR_fpext, 32, x, IR_RN);
	if (i->rnd != IR_RZ || w == 64)
		x = ir_fop(c, IR_frint, (enum ir_rnd)i->rnd, x->width, x, NULL, NULL);
	if (w == 64)
		return to_int64(c, x, is_signed);
	r = ir_inst_new(c->f, (enum ir_op)i->op, 32, 1);
	r->args[0] = x;
	r->rnd = IR_RZ;
	r->nan = from == 64; /* NaN is seen to here */
	r = ir_emit(c, r);
	if (w < 32)
		r = narrow(c, r, w, is_signed);
	if (from == 64)
		r = ir_select(c, is_nan(c, i->args[0]), ir_const(c->f, w, (uint64_t)1 << (w - 1)), r);
	return r;
}

/* --- from integers --- */

static I *int64_to_f64(C *c, I *x, bool is_signed, enum ir_rnd rnd)
{
	I *hi = ir_b1(c, is_signed ? IR_sitofp : IR_uitofp, 64, ir_hi32(c, x)), *lo = ir_b1(c, IR_uitofp, 64, ir_lo32(c, x));
	return ir_fop(c, IR_ffma, rnd, 64, hi, ir_f64(c->f, 0x1p32), lo);
}

/* The leading 32 bits, of a signed number with its sign, the last sticky for all others; scaled back exactly. */
static I *int64_to_f32(C *c, I *x, bool is_signed, enum ir_rnd rnd)
{
	I *hi = ir_hi32(c, x), *n = ir_b1(c, IR_clz, 32, hi);
	if (is_signed) { /* one sign bit stays */
		I *most = ir_b2(c, IR_add, 32, ir_b2(c, IR_sar, 32, ir_b2(c, IR_xor, 32, hi, ir_lo32(c, x)), ir_c32(c, 31)), ir_c32(c, 32));
		n = ir_b2(c, IR_umin, 32, ir_b2(c, IR_add, 32, ir_b1(c, IR_amd_ffbh_i32, 32, hi), ir_c32(c, 0xffffffff)), most);
	}
	x = ir_b2(c, IR_shl, 64, x, n);
	I *m = ir_b2(c, IR_or, 32, ir_hi32(c, x), ir_b2(c, IR_umin, 32, ir_lo32(c, x), ir_c32(c, 1)));
	I *f = convert(c, is_signed ? IR_sitofp : IR_uitofp, 32, m, rnd);
	return ir_fop(c, IR_amd_ldexp, IR_RN, 32, f, ir_b2(c, IR_sub, 32, ir_c32(c, 32), n), NULL);
}

static I *from_int(C *c, I *i)
{
	I *x = i->args[0], *r;
	uint32_t from = x->width, w = i->width;
	bool is_signed = i->op == IR_sitofp;
	enum ir_rnd rnd = (enum ir_rnd)i->rnd;
	if (from == 32 && w != 16)
		return NULL;
	if (from < 32) {
		x = ir_b1(c, is_signed ? IR_sext : IR_zext, 32, x);
		is_signed = true;
	}
	enum ir_op op = is_signed ? IR_sitofp : IR_uitofp;
	if (w == 16) {
		/* integers that f32 does not hold exactly are beyond f16's range anyway */
		r = convert(c, op, 32, x, rnd);
		r = convert(c, IR_fptrunc, 16, r, rnd);
	} else if (from == 64) {
		r = w == 64 ? int64_to_f64(c, x, is_signed, rnd) : int64_to_f32(c, x, is_signed, rnd);
	} else {
		r = convert(c, op, w, x, rnd);
	}
	return ir_fcanonical(c, r, false, i->sat);
}

/* --- between formats --- */

static I *f64_to_f16(C *c, I *x, enum ir_rnd rnd)
{
	I *t = convert(c, IR_fptrunc, 32, x, IR_RZ);
	I *inexact = ir_cmp(c, IR_fcmp, IRC_FNE, convert(c, IR_fpext, 64, t, IR_RN), x);
	t = ir_b2(c, IR_or, 32, t, ir_b1(c, IR_zext, 32, inexact));
	return convert(c, IR_fptrunc, 16, t, rnd);
}

/* x is made by operations that flush. */
static bool has_no_subnormals(const I *x, int depth)
{
	if (x->op == IR_fneg || x->op == IR_fabs)
		return has_no_subnormals(x->args[0], depth);
	if (x->op == IR_select)
		return depth && has_no_subnormals(x->args[1], depth - 1) && has_no_subnormals(x->args[2], depth - 1);
	return x->ftz && ir_op_info[x->op].flags & IRF_FLOAT && x->op != IR_fptrunc;
}

/* A NaN is made the one that rounds to NVIDIA's, 0x7fff, as a number would: v_max3 as in isel_float.c, canonical_nan. */
static I *f32_to_bf16(C *c, I *x, enum ir_rnd rnd)
{
	I *k = ir_c32(c, 0x7fff0000), *m = ir_inst_new(c->f, IR_amd_max3f, 32, 3);
	m->args[0] = m->args[2] = k;
	m->args[1] = x;
	m->ftz = has_no_subnormals(x, 3);
	x = ir_emit(c, m);
	I *r = x, *sign = ir_b2(c, IR_sar, 32, x, ir_c32(c, 31)), *add = NULL;
	if (rnd == IR_RN) {
		r = ir_b2(c, IR_add, 32, x, ir_b3(c, IR_ubfe, 32, x, ir_c32(c, 16), ir_c32(c, 1)));
		add = ir_c32(c, 0x7fff);
	}
	if (rnd == IR_RNA)
		add = ir_c32(c, 0x8000);
	else if (rnd == IR_RM)
		add = ir_b2(c, IR_and, 32, sign, ir_c32(c, 0xffff));
	else if (rnd == IR_RP)
		add = ir_b2(c, IR_and, 32, ir_b1(c, IR_not, 32, sign), ir_c32(c, 0xffff));
	if (add)
		r = ir_b2(c, IR_add, 32, r, add);
	return ir_unpack(c, 16, r, 1);
}

static I *between(C *c, I *i)
{
	I *x = i->args[0], *r;
	uint32_t from = x->width, w = i->width;
	bool bf16 = i->op == IR_f32tobf16, two_steps = from + w == 80;
	/* a subnormal f32 rounds to a zero of f16 whether flushed or not, except up or down */
	bool flush_in = i->ftz && from == 32 && (w != 16 || bf16 || i->rnd == IR_RM || i->rnd == IR_RP);
	bool flush_out = i->ftz && w == 32 && from == 64;
	if (!bf16 && !two_steps && !i->ftz)
		return NULL;
	if (bf16)
		x = ir_fcanonical(c, x, flush_in, i->sat);
	else
		x = ir_fcanonical(c, x, flush_in, false);
	if (bf16)
		return f32_to_bf16(c, x, (enum ir_rnd)i->rnd);
	if (two_steps && w == 64)
		r = convert(c, IR_fpext, 64, convert(c, IR_fpext, 32, x, IR_RN), IR_RN);
	else if (two_steps)
		r = f64_to_f16(c, x, (enum ir_rnd)i->rnd);
	else
		r = convert(c, (enum ir_op)i->op, w, x, (enum ir_rnd)i->rnd);
	return ir_fcanonical(c, r, flush_out, i->sat);
}

I *ir_lower_convert(C *c, I *i)
{
	switch (i->op) {
	case IR_fptosi:
	case IR_fptoui:
		return to_int(c, i);
	case IR_sitofp:
	case IR_uitofp:
		return from_int(c, i);
	default:
		return between(c, i);
	}
}
