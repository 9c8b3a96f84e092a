/* Which bits of a value can be one: a short look at its definition. */
#include "ir/ir_legal.h"

/* Bounds that PTX sets: 1024 threads a block, 2^31 - 1 blocks in x, 65535 in y and z. */
static uint64_t sreg_bits(uint64_t sreg)
{
	switch (sreg) {
	case IR_SREG_TID_X:
	case IR_SREG_TID_Y:
	case IR_SREG_TID_Z:
		return 1023;
	case IR_SREG_NTID_X:
	case IR_SREG_NTID_Y:
	case IR_SREG_NTID_Z:
		return 2047;
	case IR_SREG_CTAID_X:
	case IR_SREG_NCTAID_X:
		return 0x7fffffff;
	case IR_SREG_CTAID_Y:
	case IR_SREG_CTAID_Z:
	case IR_SREG_NCTAID_Y:
	case IR_SREG_NCTAID_Z:
		return 0xffff;
	case IR_SREG_LANEID:
	case IR_SREG_WARPID:
		return 31;
	case IR_SREG_WAVE_LANE:
		return 63;
	default:
		return ~(uint64_t)0;
	}
}

static uint32_t bit_length(uint64_t x)
{
	return x ? 64 - (uint32_t)__builtin_clzll(x) : 0;
}

static uint64_t possible_bits(const struct ir_inst *x, uint32_t depth);

static uint64_t extremum_bits(const struct ir_inst *x, uint32_t depth)
{
	uint64_t a = possible_bits(x->args[0], depth), b = possible_bits(x->args[1], depth), all = ir_mask(x->width);
	const struct ir_inst *in = x->args[0];
	bool a_small = !(a >> (x->width - 1)), b_small = !(b >> (x->width - 1));
	if (x->op == IR_smin && a_small && b_small)
		return ir_mask(bit_length(a < b ? a : b));
	if (x->op == IR_umax || (a_small && b_small))
		return a | b;
	/* max(y, 0), and min(max(y, 0), b) where the former is too deep */
	if (x->op == IR_smax && x->args[1]->op == IR_const && b_small)
		return all >> 1;
	if (x->op == IR_smin && b_small && in->op == IR_smax && in->args[1]->op == IR_const && !(in->args[1]->imm >> (x->width - 1)))
		return ir_mask(bit_length(b));
	return all;
}

/* depth: how many definitions are looked through. */
static uint64_t possible_bits(const struct ir_inst *x, uint32_t depth)
{
	uint64_t all = ir_mask(x->width), y;
	uint32_t n;
	if (x->op == IR_const)
		return x->imm;
	if (!depth)
		return all;
	bool by_const = x->nargs == 2 && x->args[1]->op == IR_const;
	switch (x->op) {
	case IR_zext:
		return possible_bits(x->args[0], depth - 1);
	case IR_trunc:
		return possible_bits(x->args[0], depth - 1) & all;
	case IR_and:
		return possible_bits(x->args[0], depth - 1) & possible_bits(x->args[1], depth - 1);
	case IR_or:
	case IR_xor:
		return possible_bits(x->args[0], depth - 1) | possible_bits(x->args[1], depth - 1);
	case IR_shr:
		return by_const ? possible_bits(x->args[0], depth - 1) >> (x->args[1]->imm & (x->width - 1u)) : all;
	case IR_shl:
		return by_const ? possible_bits(x->args[0], depth - 1) << (x->args[1]->imm & (x->width - 1u)) & all : all;
	case IR_add: /* below the next power of two of the larger, doubled */
		y = possible_bits(x->args[0], depth - 1) | possible_bits(x->args[1], depth - 1);
		return y >> (x->width - 1) ? all : ir_mask(bit_length(y) + (y != 0));
	case IR_select:
		return possible_bits(x->args[1], depth - 1) | possible_bits(x->args[2], depth - 1);
	case IR_load:
		return x->width <= 64 && !x->mem.sext ? ir_mask(x->mem.bits) : all;
	case IR_ubfe:
		return x->args[2]->op == IR_const ? ir_mask(x->args[2]->imm & 31) : all;
	case IR_sreg:
		return sreg_bits(x->imm) & all;
	case IR_mul:
	case IR_umulwide:
		return ir_mask(bit_length(possible_bits(x->args[0], depth - 1)) + bit_length(possible_bits(x->args[1], depth - 1))) & all;
	case IR_umulhi:
		n = bit_length(possible_bits(x->args[0], depth - 1)) + bit_length(possible_bits(x->args[1], depth - 1));
		return n > x->width ? ir_mask(n - x->width) : 0;
	case IR_umadhi:
		return 1;
	case IR_umin: /* below both bounds */
		y = possible_bits(x->args[0], depth - 1);
		all = possible_bits(x->args[1], depth - 1);
		return ir_mask(bit_length(y < all ? y : all));
	case IR_smin: /* of what is not negative */
	case IR_smax:
	case IR_umax:
		return extremum_bits(x, depth - 1);
	case IR_popc:
	case IR_clz:
	case IR_ctz:
		return 127;
	default:
		return all;
	}
}

uint64_t ir_possible_bits(const struct ir_inst *x)
{
	return x->width > 64 ? ~(uint64_t)0 : possible_bits(x, 4);
}

/* depth as above */
static uint32_t signed_bits(const struct ir_inst *x, uint32_t depth)
{
	uint32_t w = x->width, n = w, m;
	uint64_t bits = possible_bits(x, depth);
	if (w > 64)
		return w;
	if (x->op == IR_const)
		return bit_length(bits >> (w - 1) ? ~bits & ir_mask(w) : bits) + 1;
	if (!(bits >> (w - 1)))
		n = bit_length(bits) + 1;
	if (!depth)
		return n;
	bool by_const = x->nargs > 1 && x->args[1]->op == IR_const;
	switch (x->op) {
	case IR_sext:
		return signed_bits(x->args[0], depth - 1);
	case IR_trunc:
		m = signed_bits(x->args[0], depth - 1);
		return m < n ? m : n;
	case IR_load:
		return x->mem.sext && x->mem.bits < w ? x->mem.bits : n;
	case IR_sar:
		m = signed_bits(x->args[0], depth - 1);
		if (by_const)
			m = m > x->args[1]->imm + 1 ? m - (uint32_t)x->args[1]->imm : 1;
		return m < n ? m : n;
	case IR_sbfe:
		return x->args[2]->op == IR_const && x->args[2]->imm & 31 ? x->args[2]->imm & 31 : n;
	case IR_smin:
	case IR_smax: { /* a clamp is within its bounds, whatever it clamps */
		const struct ir_inst *in = x->args[0];
		bool clamp = by_const && (in->op == IR_smin || in->op == IR_smax) && in->op != x->op && in->args[1]->op == IR_const;
		uint32_t a = clamp ? signed_bits(in->args[1], 0) : signed_bits(in, depth - 1);
		m = signed_bits(x->args[1], depth - 1);
		m = a > m ? a : m;
		return m < n ? m : n;
	}
	case IR_select:
		m = signed_bits(x->args[1], depth - 1);
		bits = signed_bits(x->args[2], depth - 1);
		m = bits > m ? (uint32_t)bits : m;
		return m < n ? m : n;
	default:
		return n;
	}
}

uint32_t ir_signed_bits(const struct ir_inst *x)
{
	return x->width == 1 || x->width > 64 ? x->width : signed_bits(x, 4);
}
