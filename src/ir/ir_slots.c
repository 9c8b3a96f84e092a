#include "ir/ir_slots.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

static I *lock_of(C *c, const struct ir_slots *pool, I *slot)
{
	return ir_b2(c, IR_add, 64, ir_address_of(c, pool->locks), ir_b1(c, IR_zext, 64, ir_b2(c, IR_shl, 32, slot, ir_k32(c, 2))));
}

/* Where a workgroup begins to look. */
static I *first_choice(C *c, const struct ir_slots *pool)
{
	I *group = ir_b2(c, IR_add, 32, ir_sreg32(c, IR_SREG_CTAID_X), ir_b2(c, IR_add, 32, ir_sreg32(c, IR_SREG_CTAID_Y), ir_sreg32(c, IR_SREG_CTAID_Z)));
	uint32_t n = 1;
	while (n * 2 <= pool->count)
		n *= 2;
	return ir_b2(c, IR_and, 32, group, ir_k32(c, n - 1));
}

/* The loop of the workgroup's first thread; leaves the words for the others in the LDS and goes on in `then`. */
static void search(C *c, const struct ir_slots *pool, struct ir_var *words, struct ir_block *then)
{
	struct ir_func *f = c->f;
	struct ir_block *loop = ir_block_new(f), *next = ir_block_new(f), *got = ir_block_new(f);
	I *first = first_choice(c, pool);
	ir_br(c, loop);
	c->block = loop;
	I *slot = ir_inst_new(f, IR_phi, 32, 2);
	slot->line = c->line;
	slot->args[0] = slot->args[1] = ir_undef(f, 32); /* until the loop is there */
	ir_append(loop, slot);
	struct ir_mem cas = ir_word(IR_GLOBAL, 32, IR_ACQUIRE, IR_ATOM_CAS);
	I *was = ir_access(c, IR_atom, 32, cas, lock_of(c, pool, slot), 0, ir_k32(c, 1), ir_k32(c, 0));
	ir_condbr(c, ir_cmp(c, IR_icmp, IRC_EQ, was, ir_k32(c, 0)), got, next);
	c->block = next;
	I *nap = ir_inst_new(f, IR_nanosleep, 0, 1);
	nap->args[0] = ir_k32(c, 0);
	ir_emit(c, nap);
	I *more = ir_b2(c, IR_add, 32, slot, ir_k32(c, 1));
	slot->args[0] = first;
	slot->args[1] = ir_select(c, ir_cmp(c, IR_icmp, IRC_EQ, more, ir_k32(c, pool->count)), ir_k32(c, 0), more);
	ir_br(c, loop);
	c->block = got;
	I *at = ir_address_of(c, words), *start = ir_b2(c, IR_umulwide, 64, slot, ir_k32(c, pool->bytes));
	ir_access(c, IR_store, 0, ir_word(IR_SHARED, 64, IR_WEAK, 0), at, IR_SLOT_BASE, ir_b2(c, IR_add, 64, ir_address_of(c, pool->memory), start), NULL);
	ir_access(c, IR_store, 0, ir_word(IR_SHARED, 32, IR_WEAK, 0), at, IR_SLOT_NUMBER, slot, NULL);
	ir_access(c, IR_store, 0, ir_word(IR_SHARED, 32, IR_WEAK, 0), at, IR_SLOT_EXITED, ir_k32(c, 0), NULL);
	ir_br(c, then);
}

struct ir_inst *ir_slot_take(struct ir_func *f, const struct ir_slots *pool, struct ir_var *words, C *c)
{
	struct ir_block *head = f->blocks.data[0], *rest = ir_split(f, head->first), *take = ir_block_new(f), *then = ir_block_new(f);
	*c = (C){f, head, NULL, f->line};
	ir_condbr(c, ir_first_thread(c), take, then);
	c->block = take;
	search(c, pool, words, then);
	c->block = then;
	ir_barrier_at(c);
	ir_fence_at(c, IR_ACQUIRE, IR_SCOPE_GPU); /* no cache may hold what another workgroup had there */
	I *base = ir_access(c, IR_load, 64, ir_word(IR_SHARED, 64, IR_WEAK, 0), ir_address_of(c, words), IR_SLOT_BASE, NULL, NULL);
	base = ir_b1(c, IR_readfirstlane, 64, base);
	ir_br(c, rest);
	c->before = then->last;
	return base;
}

void ir_slot_give(struct ir_func *f, const struct ir_slots *pool, struct ir_var *words)
{
	struct ir_block *done = ir_block_new(f);
	C c = ir_common_exit(f);
	ir_fence_at(&c, IR_RELEASE, IR_SCOPE_GPU);
	I *at = ir_address_of(&c, words);
	ir_last_thread(&c, at, IR_SLOT_EXITED, done);
	I *slot = ir_access(&c, IR_load, 32, ir_word(IR_SHARED, 32, IR_WEAK, 0), at, IR_SLOT_NUMBER, NULL, NULL);
	ir_access(&c, IR_store, 0, ir_word(IR_GLOBAL, 32, IR_RELEASE, 0), lock_of(&c, pool, slot), 0, ir_k32(&c, 0), NULL);
	ir_br(&c, done);
	c.block = done;
	ir_end(&c, IR_exit);
}
