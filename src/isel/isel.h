/* Instruction selection: IR to machine IR. */
#ifndef ISEL_ISEL_H
#define ISEL_ISEL_H

#include "amd/amd.h"
#include "ir/ir.h"

/* requires: the IR passes through legal_flow have run on f.
 * ensures: SSA machine code with both graphs and exec handling. What cannot be selected is a diagnostic of the module with
 * the PTX line; the result is then NULL. check: the reconvergence plan is proven (isel_reconverge_check). */
struct amd_func *isel_function(struct arena *a, struct ir_func *f, const struct amd_target *t, bool check);

#endif
