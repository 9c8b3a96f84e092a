/* What the checks know of types and special registers. */
#ifndef PARSER_PTX_TYPES_H
#define PARSER_PTX_TYPES_H

#include "parser/ptx_ast.h"

struct ptx_sreg_info {
	uint8_t type, vec;
	uint8_t ver;  /* PTX version * 10 */
	uint8_t sm;
};

const struct ptx_sreg_info *ptx_sreg_info(uint32_t sreg);
bool ptx_type_is_int(uint32_t type);
bool ptx_type_is_bits(uint32_t type);
bool ptx_type_is_float(uint32_t type);
/* The class of types.def, integers 'I'. */
uint32_t ptx_type_kind(uint32_t type);
/* .bN of the same size */
uint32_t ptx_type_untyped(uint32_t type);
/* A register may be declared with it. */
bool ptx_type_is_reg(uint32_t type);
/* A register of type `reg` is an operand of type `type`; `wider`: ld, st and cvt take wider registers too. */
bool ptx_reg_fits(uint32_t reg, uint32_t type, bool wider);

#endif
