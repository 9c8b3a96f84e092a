/* Parts of shared and local memory that nothing but this function's loads and stores of whole values reaches: what a load gives was stored by
 * one of the stores of its cell, in pieces of `unit` bits. */
#ifndef IR_CELLS_H
#define IR_CELLS_H

#include "ir/ir.h"

struct ir_cells {
	uint16_t *of;   /* by id of loads and stores; 0: none */
	uint8_t *unit;  /* by cell; 16, 32 or 64 */
	uint32_t n;     /* cells, from 1 on */
	uint32_t nids;
};

struct ir_cells ir_cells(struct ir_func *f);

static inline uint32_t ir_cell_of(const struct ir_cells *c, const struct ir_inst *i)
{
	return (i->op == IR_load || i->op == IR_store) && i->id < c->nids ? c->of[i->id] : 0;
}

#endif
