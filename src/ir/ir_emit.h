/* Memory accesses, fences and special registers as passes make them, at a cursor. */
#ifndef IR_EMIT_H
#define IR_EMIT_H

#include "ir/ir_util.h"

static inline struct ir_inst *ir_k32(struct ir_cursor *c, uint64_t x)
{
	return ir_const(c->f, 32, x);
}

static inline struct ir_inst *ir_sreg32(struct ir_cursor *c, enum ir_sreg which)
{
	return ir_bn(c, IR_sreg, 32, which, NULL, 0);
}

static inline struct ir_inst *ir_address_of(struct ir_cursor *c, struct ir_var *v)
{
	struct ir_inst *i = ir_inst_new(c->f, IR_symaddr, v->space == IR_SHARED || v->space == IR_LOCAL ? 32 : 64, 0);
	i->sym = v;
	return ir_emit(c, i);
}

/* load, store (value) or atom (value; compare of cas) at address + offset. */
static inline struct ir_inst *ir_access(struct ir_cursor *c, enum ir_op op, uint32_t width, struct ir_mem m, struct ir_inst *address,
                                        uint64_t offset, struct ir_inst *value, struct ir_inst *compare)
{
	struct ir_inst *i = ir_inst_new(c->f, op, width, 1 + (value != NULL) + (compare != NULL));
	i->args[0] = address;
	if (value)
		i->args[1] = value;
	if (compare)
		i->args[2] = compare;
	i->imm = offset;
	i->mem = m;
	return ir_emit(c, i);
}

/* An access of 32 or 64 bits that the workgroup (shared) or the GPU (global) sees. */
static inline struct ir_mem ir_word(enum ir_space space, uint32_t bits, enum ir_order order, enum ir_atom atom)
{
	return (struct ir_mem){.space = (uint8_t)space, .bits = (uint16_t)bits, .align_log2 = bits == 64 ? 3 : 2, .order = (uint8_t)order,
	                       .atom = (uint8_t)atom, .scope = space == IR_SHARED ? IR_SCOPE_CTA : IR_SCOPE_GPU};
}

static inline void ir_fence_at(struct ir_cursor *c, enum ir_order order, enum ir_scope scope)
{
	struct ir_inst *i = ir_inst_new(c->f, IR_fence, 0, 0);
	i->mem.order = (uint8_t)order;
	i->mem.scope = (uint8_t)scope;
	ir_emit(c, i);
}

/* The workgroup's barrier. */
static inline void ir_barrier_at(struct ir_cursor *c)
{
	struct ir_inst *i = ir_inst_new(c->f, IR_barrier, 0, 1);
	i->args[0] = ir_k32(c, 0);
	ir_emit(c, i);
}

/* One lane of those that are active. */
static inline struct ir_inst *ir_leader(struct ir_cursor *c)
{
	struct ir_inst *lane = ir_sreg32(c, IR_SREG_LANEID), *first = ir_b1(c, IR_readfirstlane, 32, lane);
	return ir_cmp(c, IR_icmp, IRC_EQ, lane, first);
}

/* The workgroup's first thread. */
static inline struct ir_inst *ir_first_thread(struct ir_cursor *c)
{
	struct ir_inst *yz = ir_b2(c, IR_or, 32, ir_sreg32(c, IR_SREG_TID_Y), ir_sreg32(c, IR_SREG_TID_Z));
	return ir_cmp(c, IR_icmp, IRC_EQ, ir_b2(c, IR_or, 32, ir_sreg32(c, IR_SREG_TID_X), yz), ir_k32(c, 0));
}

static inline struct ir_inst *ir_product(struct ir_cursor *c, enum ir_sreg x)
{
	struct ir_inst *xy = ir_b2(c, IR_mul, 32, ir_sreg32(c, x), ir_sreg32(c, x + 1));
	return ir_b2(c, IR_mul, 32, xy, ir_sreg32(c, x + 2));
}

/* Every exit of the kernel goes to one block. The cursor is there; what is built runs as lanes leave, and must end in `exit`. */
static inline struct ir_cursor ir_common_exit(struct ir_func *f)
{
	struct ir_block *out = ir_block_new(f);
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct ir_block *b = f->blocks.data[k];
		struct ir_inst *t = ir_terminator(b);
		if (!t || t->op != IR_exit)
			continue;
		struct ir_cursor c = {f, b, NULL, t->line};
		ir_remove(t);
		ir_br(&c, out);
	}
	return (struct ir_cursor){f, out, NULL, f->line};
}

/* Counts the active lanes in a word of shared memory at address + offset. Goes on in a new block with the lane that makes it the whole
 * block's, others go to `done`. */
static inline void ir_last_thread(struct ir_cursor *c, struct ir_inst *address, uint64_t offset, struct ir_block *done)
{
	struct ir_func *f = c->f;
	struct ir_block *leader = ir_block_new(f), *last = ir_block_new(f);
	struct ir_inst *n = ir_b1(c, IR_popc, 32, ir_bn(c, IR_activemask, 32, 0, NULL, 0));
	ir_condbr(c, ir_leader(c), leader, done);
	c->block = leader;
	struct ir_mem add = ir_word(IR_SHARED, 32, IR_RELAXED, IR_ATOM_ADD);
	struct ir_inst *exited = ir_b2(c, IR_add, 32, ir_access(c, IR_atom, 32, add, address, offset, n, NULL), n);
	ir_condbr(c, ir_cmp(c, IR_icmp, IRC_EQ, exited, ir_product(c, IR_SREG_NTID_X)), last, done);
	c->block = last;
}

static inline struct ir_var *ir_module_var(struct ir_module *m, const char *name, uint64_t size, uint32_t align)
{
	struct ir_var *v = NEW(m->arena, struct ir_var);
	*v = (struct ir_var){.name = name, .space = IR_GLOBAL, .linkage = IR_INTERNAL, .align = align, .size = size};
	vec_push(m->arena, &m->vars, v);
	return v;
}

/* Shared memory of a pass's own, in the LDS whatever else there is. */
static inline struct ir_var *ir_shared_words(struct ir_func *f, const char *name, uint32_t bytes)
{
	struct ir_var *v = NEW(f->arena, struct ir_var);
	*v = (struct ir_var){.name = name, .space = IR_SHARED, .size = bytes, .align = 8, .line = f->line, .pinned = true};
	vec_push(f->arena, &f->vars, v);
	return v;
}

#endif
