/* Matrices spread over the lanes of a warp. */
#ifndef PARSER_BUILD_MATRIX_H
#define PARSER_BUILD_MATRIX_H

#include <stdlib.h>

#include "parser/build_internal.h"

struct mma_shape {
	uint32_t m, n, k;
	uint32_t type, bits;	    /* of an element of A and B */
	uint32_t reg_bits, per_reg; /* a register of A and B, and its elements */
	uint32_t mb, nb, kb;	    /* blocks of 8 rows, 8 columns, 4 registers */
};

struct mma {
	struct mma_shape s;
	uint32_t atype, btype;
	bool is_float, bit_and;
	struct fmode mode;
	struct ir_inst **a, **b;
	struct ir_inst *t; /* lane % 4 */
};

void mma_shape(const struct ptx_stmt *s, struct mma_shape *m);			    /* m, n, k from the opcode's text */
void mma_element(struct mma_shape *m, uint32_t type);				    /* the rest */
struct ir_inst *small_to_half(struct build *B, uint32_t type, struct ir_inst *x, uint32_t k); /* byte k: build_cvt_small.c */
struct ir_inst *add_sat_s32(struct build *B, struct ir_inst *x, struct ir_inst *y); /* build_arith.c */

#endif
