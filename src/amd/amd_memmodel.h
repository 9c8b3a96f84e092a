/* PTX memory orders and scopes on AMD hardware: cache policy bits of accesses, and what must stand before and after an ordered
 * access or a fence. Instructions are appended at the end of the block, in order; amd_waits later drops the waits that have
 * nothing to wait for. */
#ifndef AMD_AMD_MEMMODEL_H
#define AMD_AMD_MEMMODEL_H

#include "amd/amd.h"
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

/* The counters that an s_waitcnt can wait for, as fields of its immediate. AMD_WAIT_NONE: not waited for. */
enum { AMD_WAIT_NONE = 0xff };
struct amd_wait {
	uint8_t vm, exp, lgkm; /* s_waitcnt */
	uint8_t vs;            /* s_waitcnt_vscnt */
};
#define AMD_WAIT_NOTHING ((struct amd_wait){AMD_WAIT_NONE, AMD_WAIT_NONE, AMD_WAIT_NONE, AMD_WAIT_NONE})
int32_t amd_wait_encode(const struct amd_target *t, struct amd_wait w); /* the immediate of s_waitcnt (vm, exp, lgkm) */
struct amd_wait amd_wait_decode(const struct amd_target *t, int32_t imm);
struct amd_wait amd_wait_max(const struct amd_target *t); /* the largest values that can be told apart */

#endif
