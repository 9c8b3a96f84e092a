/* The value of an instruction over constants: each opcode's expression in ir_ops.def, evaluated. */
#include "ir/ir_fold.h"

static uint64_t ir_fold_sdiv(uint64_t a, uint64_t b, uint32_t w)
{
	int64_t x = ir_sext(a, w), y = ir_sext(b, w);
	if (!y)
		return ~(uint64_t)0;
	return y == -1 ? -(uint64_t)x : (uint64_t)(x / y);
}

static uint64_t ir_fold_srem(uint64_t a, uint64_t b, uint32_t w)
{
	int64_t x = ir_sext(a, w), y = ir_sext(b, w);
	if (!y)
		return ~(uint64_t)0;
	return y == -1 ? 0 : (uint64_t)(x % y);
}

static uint64_t ir_fold_brev(uint64_t a, uint32_t w)
{
	uint64_t r = 0;
	for (uint32_t k = 0; k < w; k++)
		r |= (a >> k & 1) << (w - 1 - k);
	return r;
}

static uint64_t ir_fold_ffbh(int64_t x)
{
	uint64_t differ = (uint64_t)(x < 0 ? ~x : x);
	return differ ? (uint64_t)__builtin_clzll(differ) - 32 : ~(uint64_t)0;
}

static uint64_t ir_fold_ubfe(uint64_t a, uint64_t b, uint64_t c)
{
	return a >> (b & 31) & (((uint64_t)1 << (c & 31)) - 1);
}

static uint64_t ir_fold_sbfe(uint64_t a, uint64_t b, uint64_t c)
{
	uint32_t offset = b & 31, width = c & 31;
	if (!width)
		return 0;
	if (offset + width >= 32)
		return (uint64_t)((int64_t)(int32_t)a >> offset);
	return (uint64_t)((int64_t)(a << (64 - offset - width)) >> (64 - width));
}

/* Selector bytes: 0-3 of b, 4-7 of a, 8-11 the sign of b's and a's halves, 12 zero, above all ones. */
static uint64_t ir_fold_perm(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t both = a << 32 | b, r = 0;
	for (uint32_t k = 0; k < 4; k++) {
		uint32_t s = c >> (8 * k) & 0xff;
		uint64_t byte = 0xff;
		if (s < 8)
			byte = both >> (8 * s) & 0xff;
		else if (s < 12)
			byte = both >> (16 * (s - 8) + 15) & 1 ? 0xff : 0;
		else if (s == 12)
			byte = 0;
		r |= byte << (8 * k);
	}
	return r;
}

static uint64_t ir_fold_sat(int64_t x)
{
	return (uint64_t)(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x);
}

/* The lesser or greater of each pair of 16-bit halves. */
static uint64_t ir_fold_halves(uint64_t a, uint64_t b, bool sign, bool max)
{
	uint64_t r = 0;
	for (uint32_t k = 0; k < 32; k += 16) {
		uint64_t x = a >> k & 0xffff, y = b >> k & 0xffff, flip = sign ? 0x8000 : 0;
		r |= (((x ^ flip) > (y ^ flip)) == max ? x : y) << k;
	}
	return r;
}

static uint64_t ir_fold_sad(uint64_t a, uint64_t b, uint64_t c, uint32_t bits)
{
	for (uint32_t k = 0; k < 32; k += bits) {
		uint64_t x = a >> k & ir_mask(bits), y = b >> k & ir_mask(bits);
		c += x > y ? x - y : y - x;
	}
	return c;
}

static uint64_t ir_fold_dot4(uint64_t a, uint64_t b, uint64_t c, bool sa, bool sb)
{
	for (uint32_t k = 0; k < 32; k += 8) {
		int64_t x = a >> k & 0xff, y = b >> k & 0xff;
		c += (uint64_t)((sa ? (int8_t)x : x) * (sb ? (int8_t)y : y));
	}
	return c;
}

static uint64_t ir_fold_dp2a(uint64_t a, uint64_t b, uint64_t c, uint32_t first, bool sign)
{
	for (uint32_t k = 0; k < 2; k++) {
		int64_t x = a >> (16 * k) & 0xffff, y = b >> (first + 8 * k) & 0xff;
		c += (uint64_t)((sign ? (int16_t)x : x) * (sign ? (int8_t)y : y));
	}
	return c;
}

static uint64_t ir_fold_halves_sat(uint64_t a, uint64_t b, bool sign, bool add)
{
	int64_t least = sign ? INT16_MIN : 0, most = sign ? INT16_MAX : UINT16_MAX;
	uint64_t r = 0;
	for (uint32_t k = 0; k < 32; k += 16) {
		int64_t x = a >> k & 0xffff, y = b >> k & 0xffff;
		if (sign)
			x = (int16_t)x, y = (int16_t)y;
		x = add ? x + y : x - y;
		r |= ((uint64_t)(x < least ? least : x > most ? most : x) & 0xffff) << k;
	}
	return r;
}

static uint64_t ir_fold_icmp(uint64_t a, uint64_t b, uint32_t w, uint32_t cond)
{
	int64_t x = ir_sext(a, w), y = ir_sext(b, w);
	switch (cond) {
	case IRC_EQ:
		return a == b;
	case IRC_NE:
		return a != b;
	case IRC_SLT:
		return x < y;
	case IRC_SLE:
		return x <= y;
	case IRC_SGT:
		return x > y;
	case IRC_SGE:
		return x >= y;
	case IRC_ULT:
		return a < b;
	case IRC_ULE:
		return a <= b;
	case IRC_UGT:
		return a > b;
	default:
		return a >= b;
	}
}

static uint64_t ir_fold_sign(const struct ir_inst *i, uint64_t x, uint64_t changed)
{
	bool is_nan = i->width == 64 && (x & ~((uint64_t)1 << 63)) > 0x7ff0000000000000;
	return i->nan && is_nan ? x | (uint64_t)1 << 51 : changed;
}

static bool fold_row(const struct ir_inst *i, uint64_t *bits)
{
	uint64_t a = i->nargs > 0 ? i->args[0]->imm : 0, b = i->nargs > 1 ? i->args[1]->imm : 0,
		 c = i->nargs > 2 ? i->args[2]->imm : 0, r = 0;
	uint32_t w = i->nargs ? i->args[0]->width : 0, cond = i->cond;
	bool ok = true;
#define S(x) ((uint64_t)ir_sext((x), w))
#define FOLD_NONE (ok = false, 0)
#define FOLD_F(fn) (ok = ir_fold_##fn(i, &r), r)
	switch (i->op) {
#define IR_OP(name, nargs, result, flags, expr)                                                                         \
	case IR_##name:                                                                                                 \
		r = (uint64_t)(expr);                                                                                   \
		break;
#include "ir/ir_ops.def"
#undef IR_OP
	default:
		return false;
	}
	*bits = r & ir_mask(i->width);
	return ok;
}

bool ir_fold_const(const struct ir_inst *i, uint64_t *bits)
{
	if (!i->nargs || i->width > 64)
		return false;
	for (uint32_t k = 0; k < i->nargs; k++)
		if (i->args[k]->op != IR_const)
			return false;
	if (i->op == IR_pack) {
		uint32_t at = 0;
		*bits = 0;
		for (uint32_t k = 0; k < i->nargs; at += i->args[k++]->width)
			*bits |= i->args[k]->imm << at;
		return true;
	}
	if (i->op == IR_unpack) {
		uint64_t shift = i->imm * i->width;
		*bits = shift < 64 ? i->args[0]->imm >> shift & ir_mask(i->width) : 0;
		return true;
	}
	return fold_row(i, bits);
}
