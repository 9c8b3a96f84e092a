/* A pool of slots in the module's global memory, of which each workgroup of a kernel has one while it runs.
 *
 * Its first thread takes one by compare-and-swap when the kernel starts and leaves its address in the LDS; the last threads to exit give
 * it back. Where all are taken a workgroup sleeps and polls: those that have one are resident and end. A kernel that takes slots of
 * several pools must take them in the order in which all kernels of the module do: the pool of the last ir_slot_take comes first. */
#ifndef IR_SLOTS_H
#define IR_SLOTS_H

#include "ir/ir_emit.h"

/* The control words in LDS: the slot's address, its number, threads that have exited. */
enum { IR_SLOT_BASE = 0, IR_SLOT_NUMBER = 8, IR_SLOT_EXITED = 12, IR_SLOT_BYTES = 16 };

struct ir_slots {
	struct ir_var *locks, *memory; /* module variables; memory: `count` times `bytes` */
	uint64_t bytes;                /* of a slot; below 4 GiB */
	uint32_t count;
};

/* In front of all else that the kernel does. Gives the slot's address, uniform, and in *c a place behind it, in front of the
 * kernel's code. words: of ir_shared_words, IR_SLOT_BYTES. */
struct ir_inst *ir_slot_take(struct ir_func *f, const struct ir_slots *pool, struct ir_var *words, struct ir_cursor *c);
/* Behind all exits. */
void ir_slot_give(struct ir_func *f, const struct ir_slots *pool, struct ir_var *words);

#endif
