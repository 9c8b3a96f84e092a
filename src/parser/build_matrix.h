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
	struct mma_shape s; /* of A as it is stored: a sparse one has half the columns */
	uint32_t atype, btype;
	bool is_float, bit_and, padded; /* padded: elements of six and four bits take eight */
	bool sparse;
	struct fmode mode;
	struct ir_inst **a, **b;
	struct ir_inst *t; /* lane % 4 */
	struct ir_inst *meta[2][2]; /* of a sparse A: for rows g and g + 8, both halves of k */
	uint32_t nscales; /* a row of A and a column of B have; 0: none */
	bool scale_ue8m0;
	struct ir_inst *scale_a[2], *scale_b[2]; /* for rows g and g + 8, columns 2 t and 2 t + 1; one to a byte */
};

void mma_shape(const struct ptx_stmt *s, struct mma_shape *m);			    /* m, n, k from the opcode's text */
void mma_element(struct mma_shape *m, uint32_t type);				    /* the rest */
struct ir_inst *mma_shuffle(struct build *B, struct ir_inst *x, struct ir_inst *lane, uint32_t c);
uint32_t mma_read_regs(struct build *B, const struct ptx_operand *o, uint32_t width, struct ir_inst **out);
/* C's values, D's values: halves of registers are f32 between. */
void mma_read_sums(struct build *B, const struct ptx_operand *o, uint32_t type, struct ir_inst **sums);
void mma_write_sums(struct build *B, const struct ptx_operand *o, uint32_t type, struct ir_inst **sums);
void mma_quad(struct build *B, const struct ptx_stmt *s); /* build_mma_quad.c */

/* build_mma_sparse.c: what a register of A meets of B, two registers of it; and sums of a chunk times its scales. */
void mma_sparse_prepare(struct build *B, const struct ptx_stmt *s, struct mma *m);
struct ir_inst *mma_sparse_select(struct build *B, const struct mma *m, uint32_t row, uint32_t step);
void mma_scale_prepare(struct build *B, const struct ptx_stmt *s, struct mma *m, uint32_t first);
void mma_scale_add(struct build *B, const struct mma *m, uint32_t chunk, struct ir_inst **part, struct ir_inst **sums);

/* Element k of a register: build_cvt_small.c */
struct ir_inst *small_to_half(struct build *B, uint32_t type, bool padded, struct ir_inst *x, uint32_t k);
struct ir_inst *add_sat_s32(struct build *B, struct ir_inst *x, struct ir_inst *y); /* build_arith.c */

#endif
