/* PTX memory orders and scopes on AMD hardware: cache policy bits of accesses, and what must stand before and after an ordered
 * access or a fence. Instructions are appended at the end of the block, in order; amd_waits later drops the waits that have
 * nothing to wait for. */
#ifndef AMD_AMD_MEMMODEL_H
#define AMD_AMD_MEMMODEL_H

#include "amd/amd.h"
#include "amd/amd_wait.h"
#include "ir/ir.h"

/* AMD_GLC | AMD_SLC | AMD_DLC of an access. Atomics: without the bit that asks for the old value; or in AMD_GLC for that. */
uint8_t amd_mem_cache(const struct amd_target *t, const struct ir_mem *m, bool is_load, bool is_atomic);

/* Before and after one ordered access (m->order, m->scope, m->is_volatile). A fence of its own is amd_fence. `returns`: the
 * access gives a value (loads, atomics with a result). */
void amd_fence_before(struct amd_func *f, struct amd_block *b, const struct ir_mem *m);
void amd_fence_after(struct amd_func *f, struct amd_block *b, const struct ir_mem *m, bool returns);

/* fence.* and membar.*: order is IR_ACQUIRE, IR_RELEASE, IR_ACQ_REL or IR_SEQ_CST. */
void amd_fence(struct amd_func *f, struct amd_block *b, enum ir_order order, enum ir_scope scope);

/* Around s_barrier: memory accesses before it are visible after it to the waves of the workgroup. */
void amd_barrier_before(struct amd_func *f, struct amd_block *b);
void amd_barrier_after(struct amd_func *f, struct amd_block *b);

static inline int32_t amd_wait_encode(const struct amd_target *t, struct amd_wait w)
{
	return amd_wait_imm(t->gen, w);
}
static inline struct amd_wait amd_wait_decode(const struct amd_target *t, int32_t imm)
{
	return amd_wait_of_imm(t->gen, imm);
}

#endif
