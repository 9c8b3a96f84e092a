#include "ir/ir.h"
bool ir_fold_const(const struct ir_inst *i, uint64_t *bits) { (void)i; (void)bits; return false; }
struct ir_inst *ir_simplify(struct ir_func *f, struct ir_inst *i) { (void)f; return i; }
