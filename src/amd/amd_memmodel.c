/* The memory model of gfx10 and gfx11 in WGP mode: the waves of a workgroup may run on two CUs with an L0 cache each, all
 * CUs of a shader array share an L1 (GL1) and everything shares L2; L0 and GL1 write through, so a release only waits and an
 * acquire only invalidates.
 * Caches are invalidated from the outside in, or L0 could take a stale line from L1 in between. LDS is coherent: an acquire of it orders
 * what the workgroup's other waves did, which is L0's matter.
 * tests/amd/memmodel holds what LLVM does for every operation, order, scope and space; a unit test compares.
 * Source: LLVM, User Guide for AMDGPU Backend, "Memory Model gfx10-gfx11". */
#include "amd/amd_memmodel.h"

enum { INV_GL0 = 1, INV_GL1 = 2 };

/* By scope: cache bits of a load that must see other waves' stores, and what an acquire invalidates. */
static const struct {
	uint8_t load10, load11, inv;
} by_scope[] = {
	[IR_SCOPE_THREAD] = {0, 0, 0},
	[IR_SCOPE_CTA] = {AMD_GLC, AMD_GLC, INV_GL0},
	[IR_SCOPE_CLUSTER] = {AMD_GLC | AMD_DLC, AMD_GLC, INV_GL0 | INV_GL1},
	[IR_SCOPE_GPU] = {AMD_GLC | AMD_DLC, AMD_GLC, INV_GL0 | INV_GL1},
	[IR_SCOPE_SYS] = {AMD_GLC | AMD_DLC, AMD_GLC, INV_GL0 | INV_GL1},
};

/* By ir_cache: bits of loads and of stores. gfx11's DLC keeps the line out of the MALL. */
static const struct {
	uint8_t load10, store10, load11, store11;
} by_cache[] = {
	[IR_CACHE_DEFAULT] = {0, 0, 0, 0},
	[IR_CACHE_STREAM] = {AMD_SLC, AMD_SLC, AMD_SLC | AMD_DLC, AMD_SLC | AMD_DLC},
	[IR_CACHE_L2] = {AMD_GLC | AMD_DLC, 0, AMD_GLC, 0},
	[IR_CACHE_VOLATILE] = {AMD_GLC | AMD_DLC, 0, AMD_GLC | AMD_DLC, AMD_DLC},
};

static bool in_lds_or_scratch(const struct ir_mem *m)
{
	return m->space == IR_SHARED || m->space == IR_LOCAL;
}

uint8_t amd_mem_cache(const struct amd_target *t, const struct ir_mem *m, bool is_load, bool is_atomic)
{
	bool g11 = t->gen >= 11;
	if (in_lds_or_scratch(m))
		return 0;
	if (is_atomic) /* done in L2 whatever the policy */
		return m->cache == IR_CACHE_STREAM ? AMD_SLC : 0;
	uint8_t cache = m->is_volatile ? IR_CACHE_VOLATILE : m->cache;
	if (!is_load)
		return g11 ? by_cache[cache].store11 : by_cache[cache].store10;
	uint8_t bits = g11 ? by_cache[cache].load11 : by_cache[cache].load10;
	if (m->order >= IR_RELAXED)
		bits |= g11 ? by_scope[m->scope].load11 : by_scope[m->scope].load10;
	return bits;
}

static void append(struct amd_func *f, struct amd_block *b, enum amd_op op, int32_t imm)
{
	struct amd_inst *i = amd_inst_new(f, op, 0, 0);
	i->imm = imm;
	i->enc = amd_op_info[op].enc;
	if (b->insts.len)
		i->line = vec_last(&b->insts)->line;
	vec_push(f->arena, &b->insts, i);
}

enum { VM = 1, LGKM = 2, VS = 4 };

/* What an access leaves outstanding: by family, with a result (loads, atomics that return) and without. */
static const struct {
	uint8_t result, none;
} outstanding[] = {
	[IR_GENERIC] = {VM | LGKM, LGKM | VS},
	[IR_GLOBAL] = {VM, VS},
	[IR_CONST] = {VM, VS},
	[IR_SHARED] = {LGKM, LGKM},
	[IR_LOCAL] = {VM, VS},
	[IR_PARAM] = {VM, VS},
};

static void wait(struct amd_func *f, struct amd_block *b, uint32_t counters)
{
	struct amd_wait w = {counters & VM ? 0 : AMD_WAIT_NONE, AMD_WAIT_NONE, counters & LGKM ? 0 : AMD_WAIT_NONE, AMD_WAIT_NONE};
	if (counters & (VM | LGKM))
		append(f, b, amd_s_waitcnt, amd_wait_encode(f->target, w));
	if (counters & VS)
		append(f, b, amd_s_waitcnt_vscnt, 0);
}

static void wait_all(struct amd_func *f, struct amd_block *b)
{
	wait(f, b, VM | LGKM | VS);
}

static void invalidate(struct amd_func *f, struct amd_block *b, enum ir_scope scope)
{
	if (by_scope[scope].inv & INV_GL1)
		append(f, b, amd_buffer_gl1_inv, 0);
	if (by_scope[scope].inv & INV_GL0)
		append(f, b, amd_buffer_gl0_inv, 0);
}

static bool acquires(enum ir_order o)
{
	return o == IR_ACQUIRE || o == IR_ACQ_REL || o == IR_SEQ_CST;
}
static bool releases(enum ir_order o)
{
	return o == IR_RELEASE || o == IR_ACQ_REL || o == IR_SEQ_CST;
}

void amd_fence_before(struct amd_func *f, struct amd_block *b, const struct ir_mem *m)
{
	if (releases(m->order) && m->scope > IR_SCOPE_THREAD)
		wait_all(f, b);
}

void amd_fence_after(struct amd_func *f, struct amd_block *b, const struct ir_mem *m, bool returns)
{
	uint32_t left = returns ? outstanding[m->space].result : outstanding[m->space].none;
	enum ir_scope scope = m->scope;
	if (m->is_volatile && !in_lds_or_scratch(m) && !acquires(m->order))
		wait(f, b, left & (VM | VS));
	if (!acquires(m->order) || scope == IR_SCOPE_THREAD)
		return;
	wait(f, b, left);
	invalidate(f, b, m->space == IR_SHARED ? IR_SCOPE_CTA : scope);
}

void amd_fence(struct amd_func *f, struct amd_block *b, enum ir_order order, enum ir_scope scope)
{
	if (scope == IR_SCOPE_THREAD) { /* one wave's accesses are done in order */
		append(f, b, amd_p_fence, 0);
		return;
	}
	wait_all(f, b);
	if (acquires(order))
		invalidate(f, b, scope);
}

void amd_barrier_before(struct amd_func *f, struct amd_block *b)
{
	amd_fence(f, b, IR_RELEASE, IR_SCOPE_CTA);
}

void amd_barrier_after(struct amd_func *f, struct amd_block *b)
{
	invalidate(f, b, IR_SCOPE_CTA);
}
