/* What several passes share. */
#ifndef IR_UTIL_H
#define IR_UTIL_H

#include "ir/ir.h"

/* Replacements gathered during a walk: an instruction to the value that stands for it. Instructions made later have none. */
struct ir_fwd {
	struct ir_inst **to; /* by id */
	uint32_t n;
};

static inline struct ir_fwd ir_fwd_new(struct ir_func *f)
{
	return (struct ir_fwd){NEWN(f->arena, struct ir_inst *, f->ninsts + 1), f->ninsts};
}
static inline void ir_fwd_set(struct ir_func *f, struct ir_fwd *w, struct ir_inst *i, struct ir_inst *to)
{
	if (i->id >= w->n) {
		uint32_t n = f->ninsts * 2;
		struct ir_inst **grown = NEWN(f->arena, struct ir_inst *, n);
		memcpy(grown, w->to, w->n * sizeof *grown);
		w->to = grown;
		w->n = n;
	}
	w->to[i->id] = to;
}
static inline struct ir_inst *ir_fwd_get(struct ir_fwd *w, struct ir_inst *i)
{
	if (i->id >= w->n || !w->to[i->id])
		return i;
	struct ir_inst *end = w->to[i->id];
	while (end->id < w->n && w->to[end->id])
		end = w->to[end->id];
	while (i != end) {
		struct ir_inst *next = w->to[i->id];
		w->to[i->id] = end;
		i = next;
	}
	return end;
}
static inline void ir_fwd_args(struct ir_fwd *w, struct ir_inst *i)
{
	for (uint32_t k = 0; k < i->nargs; k++)
		i->args[k] = ir_fwd_get(w, i->args[k]);
}
/* Applies the map to the whole function. */
static inline void ir_fwd_apply(struct ir_func *f, struct ir_fwd *w)
{
	ir_each_block(b, f) ir_each_inst(i, b) ir_fwd_args(w, i);
}

/* ir_inline.c: replaces the call by a copy of its function; the results' uses go through fwd. Returns the block of what follows. */
struct ir_block *ir_inline_call(struct ir_func *to, struct ir_inst *call, struct ir_fwd *fwd);

static inline struct ir_cursor ir_at(struct ir_func *f, struct ir_inst *before)
{
	return (struct ir_cursor){f, before->block, before, before->line};
}
static inline bool ir_is_nan64(uint64_t x)
{
	return (x & ~((uint64_t)1 << 63)) > 0x7ff0000000000000;
}
/* The arguments may be exchanged. Of two NaNs f64 arithmetic gives the last. */
static inline bool ir_commutes(const struct ir_inst *i)
{
	uint16_t flags = ir_op_info[i->op].flags;
	return flags & IRF_COMMUTES && !(flags & IRF_FLOAT && i->width == 64);
}
/* Argument k goes on as it is, at most with another sign: to this lane, to others, or as one of several. */
static inline bool ir_hands_on(const struct ir_inst *i, uint32_t k)
{
	switch (i->op) {
	case IR_phi:
	case IR_fneg:
	case IR_fabs:
	case IR_vcopy:
	case IR_readfirstlane:
		return true;
	case IR_select:
		return k > 0;
	case IR_shfl:
	case IR_bpermute:
	case IR_readlane:
		return k == 0;
	default:
		return false;
	}
}
static inline bool ir_has_effect(const struct ir_inst *i)
{
	if (i->op == IR_load) /* done though no one wants the value */
		return i->mem.is_volatile || i->mem.order >= IR_ACQUIRE;
	return ir_op_info[i->op].flags & (IRF_WRITES | IRF_TERMINATOR);
}

#endif
