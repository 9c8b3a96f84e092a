/* What the opcode rows' expressions call. */
#ifndef IR_FOLD_H
#define IR_FOLD_H

#include "ir/ir.h"

/* ir_fold_float.c: false where the result is not fixed (flushing at the edge of the normal range). */
#define IR_FOLD_FLOAT(X)                                                                                                \
	X(fadd) X(fsub) X(fmul) X(ffma) X(fmin) X(fmax) X(fcanon) X(fcmp) X(fdiv) X(frcp) X(fsqrt) X(frint)             \
	X(pkfadd) X(pkfmul) X(pkffma) X(pkfmin) X(pkfmax)                                                               \
	X(fptosi) X(fptoui) X(sitofp) X(uitofp) X(fpext) X(fptrunc) X(f32tobf16)
#define IR_FOLD_DECL(name) bool ir_fold_##name(const struct ir_inst *i, uint64_t *bits);
IR_FOLD_FLOAT(IR_FOLD_DECL)
#undef IR_FOLD_DECL
uint64_t ir_fold_canonical(uint64_t x, uint32_t w);
uint64_t ir_fold_class(uint64_t x, uint64_t mask, uint32_t w);

static inline int64_t ir_sext(uint64_t x, uint32_t w)
{
	return w >= 64 ? (int64_t)x : (int64_t)(x << (64 - w)) >> (64 - w);
}

#endif
