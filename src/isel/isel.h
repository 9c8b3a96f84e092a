/* Instruction selection: IR to machine IR. */
#ifndef ISEL_ISEL_H
#define ISEL_ISEL_H

#include "amd/amd.h"
#include "ir/ir.h"

/* requires: the IR passes through legal_flow have run on f; shared and local variables have offsets.
 * ensures: SSA machine code with both graphs and exec handling. What cannot be selected is a diagnostic of the module with
 * the PTX line; the result is then NULL. */
struct amd_func *isel_function(struct arena *a, struct ir_func *f, const struct amd_target *t);

/* Gives the kernel's variables in shared and local memory their places. Shared ones that a function reaches, externs at
 * the end; false after a diagnostic naming variables and sizes if they do not fit. */
bool isel_layout(struct ir_func *f, const struct amd_target *t);

#endif
