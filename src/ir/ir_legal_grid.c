/* ir_legal_grid: the workspace of a grid, in which cooperative groups keep the barrier of all blocks (%envreg1:%envreg2 is its address).
 *
 * requires: inlining done, before ir_legal_atomic.  ensures: no sreg envreg1, envreg2.
 *
 * NVIDIA's driver gives each cooperative launch such memory. Here it is an entry of a table in the module, found by the launch's kernel
 * arguments: their address is no other launch's that runs at the same time. Under the table's lock a workgroup's first thread looks for
 * the launch's entry, or takes a free one, zeroed; the workgroup that is the last of its grid to exit frees it. Grids beyond the number
 * of entries wait. Only the barrier word at offset 4 is used by cooperative groups; 16 bytes are there. */
#include "ir/ir_emit.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

/* The table: a lock; entries of a key, the workgroups that have exited, the workspace. The words in LDS: the entry's address, threads that
 * have exited. */
enum { ENTRIES = 64, ENTRY = 32, FIRST = 32, KEY = 0, EXITED = 8, WORKSPACE = 16, CTL_ENTRY = 0, CTL_EXITED = 8, CTL_BYTES = 16 };

static bool wants(const I *i)
{
	return i->op == IR_sreg && (i->imm == IR_SREG_ENVREG1 || i->imm == IR_SREG_ENVREG2);
}

static I *global(C *c, enum ir_op op, uint32_t bits, I *address, uint64_t offset, I *value)
{
	return ir_access(c, op, op == IR_load ? bits : 0, ir_word(IR_GLOBAL, bits, IR_RELAXED, 0), address, offset, value, NULL);
}

/* Goes on in a new block, with the lock. */
static void lock(C *c, I *table)
{
	struct ir_block *spin = ir_block_new(c->f), *got = ir_block_new(c->f);
	ir_br(c, spin);
	c->block = spin;
	struct ir_mem cas = ir_word(IR_GLOBAL, 32, IR_ACQUIRE, IR_ATOM_CAS);
	I *was = ir_access(c, IR_atom, 32, cas, table, 0, ir_k32(c, 1), ir_k32(c, 0));
	ir_condbr(c, ir_cmp(c, IR_icmp, IRC_EQ, was, ir_k32(c, 0)), got, spin);
	c->block = got;
}

static void unlock(C *c, I *table)
{
	ir_access(c, IR_store, 0, ir_word(IR_GLOBAL, 32, IR_RELEASE, 0), table, 0, ir_k32(c, 0), NULL);
}

static I *phi2(C *c, I *x)
{
	I *p = ir_inst_new(c->f, IR_phi, x->width, 2);
	p->line = c->line;
	p->args[0] = p->args[1] = x; /* the second until the loop is there */
	ir_append(c->block, p);
	return p;
}

/* Under the lock: the entry with the key, else the last free one with the key put in; where there is neither the search begins again. */
static void find_entry(C *c, I *table, I *key, struct ir_var *ctl, struct ir_block *then)
{
	struct ir_func *f = c->f;
	struct ir_block *again = ir_block_new(f), *loop = ir_block_new(f), *next = ir_block_new(f), *over = ir_block_new(f),
	                *full = ir_block_new(f), *fresh = ir_block_new(f), *found = ir_block_new(f);
	I *zero = ir_const(f, 64, 0);
	ir_br(c, again);
	c->block = again;
	lock(c, table);
	I *first = ir_b2(c, IR_add, 64, table, ir_const(f, 64, FIRST));
	ir_br(c, loop);
	c->block = loop;
	I *at = phi2(c, first), *empty = phi2(c, zero), *k = phi2(c, ir_k32(c, 0));
	I *here = global(c, IR_load, 64, at, KEY, NULL);
	ir_condbr(c, ir_cmp(c, IR_icmp, IRC_EQ, here, key), found, next);
	c->block = next;
	empty->args[1] = ir_select(c, ir_cmp(c, IR_icmp, IRC_EQ, here, zero), at, empty);
	at->args[1] = ir_b2(c, IR_add, 64, at, ir_const(f, 64, ENTRY));
	k->args[1] = ir_b2(c, IR_add, 32, k, ir_k32(c, 1));
	ir_condbr(c, ir_cmp(c, IR_icmp, IRC_ULT, k->args[1], ir_k32(c, ENTRIES)), loop, over);
	c->block = over;
	I *free_one = empty->args[1];
	ir_condbr(c, ir_cmp(c, IR_icmp, IRC_EQ, free_one, zero), full, fresh);
	c->block = full;
	unlock(c, table);
	ir_br(c, again);
	c->block = fresh;
	global(c, IR_store, 64, free_one, KEY, key);
	ir_br(c, found);
	c->block = found;
	I *entry = ir_inst_new(f, IR_phi, 64, 2);
	entry->line = c->line;
	entry->args[ir_pred_index(found, loop)] = at;
	entry->args[ir_pred_index(found, fresh)] = free_one;
	ir_append(found, entry);
	unlock(c, table);
	I *words = ir_address_of(c, ctl);
	ir_access(c, IR_store, 0, ir_word(IR_SHARED, 64, IR_WEAK, 0), words, CTL_ENTRY, entry, NULL);
	ir_access(c, IR_store, 0, ir_word(IR_SHARED, 32, IR_WEAK, 0), words, CTL_EXITED, ir_k32(c, 0), NULL);
	ir_br(c, then);
}

/* At the kernel's start. Returns the workspace's address. */
static I *begin(struct ir_func *f, struct ir_var *table, struct ir_var *ctl)
{
	struct ir_block *head = f->blocks.data[0], *rest = ir_split(f, head->first), *take = ir_block_new(f), *then = ir_block_new(f);
	C c = {f, head, NULL, f->line};
	ir_condbr(&c, ir_first_thread(&c), take, then);
	c.block = take;
	find_entry(&c, ir_address_of(&c, table), ir_bn(&c, IR_paramaddr, 64, 0, NULL, 0), ctl, then);
	c.block = then;
	ir_barrier_at(&c);
	I *entry = ir_access(&c, IR_load, 64, ir_word(IR_SHARED, 64, IR_WEAK, 0), ir_address_of(&c, ctl), CTL_ENTRY, NULL, NULL);
	entry = ir_b1(&c, IR_readfirstlane, 64, entry);
	I *workspace = ir_b2(&c, IR_add, 64, entry, ir_const(f, 64, WORKSPACE));
	ir_br(&c, rest);
	return workspace;
}

/* Every exit goes here: with the grid's last workgroup the entry becomes free and zero. */
static void end(struct ir_func *f, struct ir_var *var, struct ir_var *ctl)
{
	struct ir_block *done = ir_block_new(f), *leave = ir_block_new(f), *clear = ir_block_new(f), *out = ir_block_new(f);
	C c = ir_common_exit(f);
	I *words = ir_address_of(&c, ctl);
	ir_last_thread(&c, words, CTL_EXITED, done);
	I *table = ir_address_of(&c, var);
	lock(&c, table);
	I *entry = ir_access(&c, IR_load, 64, ir_word(IR_SHARED, 64, IR_WEAK, 0), words, CTL_ENTRY, NULL, NULL);
	I *exited = ir_b2(&c, IR_add, 32, global(&c, IR_load, 32, entry, EXITED, NULL), ir_k32(&c, 1));
	ir_condbr(&c, ir_cmp(&c, IR_icmp, IRC_EQ, exited, ir_product(&c, IR_SREG_NCTAID_X)), clear, leave);
	c.block = clear;
	for (uint32_t k = 0; k < ENTRY; k += 8)
		global(&c, IR_store, 64, entry, k, ir_const(f, 64, 0));
	ir_br(&c, out);
	c.block = leave;
	global(&c, IR_store, 32, entry, EXITED, exited);
	ir_br(&c, out);
	c.block = out;
	unlock(&c, table);
	ir_br(&c, done);
	c.block = done;
	ir_end(&c, IR_exit);
}

static bool reads_workspace(struct ir_func *f)
{
	ir_each_block(b, f) ir_each_inst(i, b) if (wants(i)) return true;
	return false;
}

void ir_legal_grid(struct ir_module *m)
{
	struct ir_var *table = NULL;
	for (uint32_t n = 0; n < m->funcs.len; n++) {
		struct ir_func *f = m->funcs.data[n];
		if (f->is_decl || !f->is_kernel || !reads_workspace(f))
			continue;
		if (!table)
			table = ir_module_var(m, "ptx.grids", FIRST + ENTRIES * ENTRY, 8);
		struct ir_var *ctl = ir_shared_words(f, "grid.workspace", CTL_BYTES);
		struct ir_fwd fwd = ir_fwd_new(f);
		I *workspace = begin(f, table, ctl);
		ir_each_block(b, f) ir_each_inst_safe(i, b)
		{
			if (!wants(i))
				continue;
			C c = ir_at(f, i);
			ir_fwd_set(f, &fwd, i, ir_unpack(&c, 32, workspace, i->imm == IR_SREG_ENVREG1));
			ir_remove(i);
		}
		ir_fwd_apply(f, &fwd);
		end(f, table, ctl);
		f->grid_barrier = true;
	}
}
