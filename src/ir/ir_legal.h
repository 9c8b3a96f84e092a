/* What the legalisation passes share: each walks the function once, replacing instructions by cheaper ones before them. */
#ifndef IR_LEGAL_H
#define IR_LEGAL_H

#include "ir/ir_util.h"

/* The value that stands for i, built at c (before i); NULL: i is legal. */
typedef struct ir_inst *ir_lowering(struct ir_cursor *c, struct ir_inst *i);

/* Applies `lower` to every instruction; what it builds is itself offered to `lower`. */
void ir_lower_all(struct ir_func *f, ir_lowering *lower);

/* ir_legal_div.c: udiv, sdiv, urem, srem of 32 or 64 bits */
struct ir_inst *ir_lower_div(struct ir_cursor *c, struct ir_inst *i);
/* ir_legal_divsqrt.c: correctly rounded fdiv, frcp, fsqrt; ir_legal_approx.c: their approximations and the approximate functions;
 * ir_legal_convert.c: conversions. Like every ir_lowering they return NULL where the hardware has the operation. */
struct ir_inst *ir_lower_divsqrt(struct ir_cursor *c, struct ir_inst *i);
struct ir_inst *ir_lower_approx(struct ir_cursor *c, struct ir_inst *i);
struct ir_inst *ir_lower_convert(struct ir_cursor *c, struct ir_inst *i);
/* A float operation without ftz or sat; y and z may be NULL. */
struct ir_inst *ir_fop(struct ir_cursor *c, enum ir_op op, enum ir_rnd rnd, uint32_t width, struct ir_inst *x, struct ir_inst *y,
		       struct ir_inst *z);
/* x flushed and saturated as asked; x itself where neither is. */
struct ir_inst *ir_fcanonical(struct ir_cursor *c, struct ir_inst *x, bool ftz, bool sat);
/* Bits of x that can be one, as far as a short look tells. */
uint64_t ir_possible_bits(const struct ir_inst *x);
/* How many low bits, sign-extended, give x: at most its width. */
uint32_t ir_signed_bits(const struct ir_inst *x);

/* Short names for building at a cursor `c`. */
static inline struct ir_inst *ir_lo32(struct ir_cursor *c, struct ir_inst *x)
{
	return ir_unpack(c, 32, x, 0);
}
static inline struct ir_inst *ir_hi32(struct ir_cursor *c, struct ir_inst *x)
{
	return ir_unpack(c, 32, x, 1);
}
static inline struct ir_inst *ir_pack64(struct ir_cursor *c, struct ir_inst *lo, struct ir_inst *hi)
{
	struct ir_inst *parts[] = {lo, hi};
	return ir_pack(c, 64, parts, 2);
}
/* The f64 one with the sign of x. */
static inline struct ir_inst *ir_signed_one(struct ir_cursor *c, struct ir_inst *x)
{
	struct ir_inst *hi = ir_b3(c, IR_bitsel, 32, ir_const(c->f, 32, 0x7fffffff), ir_const(c->f, 32, 0x3ff00000), ir_hi32(c, x));
	return ir_pack64(c, ir_const(c->f, 32, 0), hi);
}
static inline struct ir_inst *ir_c32(struct ir_cursor *c, uint64_t x)
{
	return ir_const(c->f, 32, x);
}

#endif
