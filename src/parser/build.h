/* A resolved PTX module (ptx_ast.h) to IR (ir/ir.h). What has no meaning on an AMD GPU, or is not taken yet, is refused
 * by name and line in the diagnostics; then the result must not be compiled further. */
#ifndef PARSER_BUILD_H
#define PARSER_BUILD_H

#include "ir/ir.h"
#include "parser/ptx_ast.h"

/* requires: no errors in pm's diagnostics. ensures: every function of the result passes ir_validate; PTX registers are
 * `regget`/`regset`, which ir_ssa takes away. pm must outlive the result's construction only; names are shared with it.
 */
struct ir_module *ptx_build(struct arena *a, struct diags *d, const struct ptx_module *pm);

#endif
