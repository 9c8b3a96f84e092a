/* What is known of f32 values (ir_float_facts.c). */
#ifndef IR_FLOAT_FACTS_H
#define IR_FLOAT_FACTS_H

#include "ir/ir_util.h"

/* A value, as an operation that flushes subnormal operands sees it, is NaN, an infinity, zero, or of magnitude 2^least at least and a multiple
 * of 2^grid. The signs speak of values that are neither NaN nor infinite. */
struct ir_float_fact {
	int16_t least, grid;
	bool not_negative, not_positive, not_zero;
};

struct ir_float_facts {
	struct ir_func *f;
	struct ir_float_fact *of; /* by id */
	uint32_t n;
};

struct ir_float_facts ir_float_facts(struct ir_func *f);
struct ir_float_fact ir_float_fact_of(const struct ir_float_facts *w, const struct ir_inst *x);

/* An f32 fmul or ffma cannot come out between the greatest subnormal and the least normal number: its exact result is zero, at least
 * 2^-126, or a multiple of 2^-149. */
bool ir_float_skips_corner(const struct ir_float_facts *w, const struct ir_inst *i);

#endif
