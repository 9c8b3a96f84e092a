/* ir_legal_barrier: barriers that reduce a predicate over the block (barrier.red).
 *
 * requires: any IR before ir_legal_int.  ensures: no `barred`.
 *
 * A word of shared memory counts the threads whose predicate holds (for `and`: does not hold). It is cleared before the first barrier,
 * counted up to the second, read before the third; so the next reduction cannot clear it too early.
 * Source: PTX ISA, barrier: popc, and, or over the threads of the barrier. */
#include "ir/ir_util.h"

enum { RED_POPC, RED_AND, RED_OR };

static struct ir_inst *barrier(struct ir_cursor *c, const struct ir_inst *like)
{
	struct ir_inst *b = ir_inst_new(c->f, IR_barrier, 0, like->nargs - 1);
	b->args[0] = like->args[0];
	if (like->nargs > 2)
		b->args[1] = like->args[2];
	return ir_emit(c, b);
}

static struct ir_inst *counter_access(struct ir_cursor *c, enum ir_op op, uint32_t width, struct ir_inst *address, struct ir_inst *value)
{
	struct ir_inst *m = ir_inst_new(c->f, op, width, value ? 2 : 1);
	m->args[0] = address;
	if (value)
		m->args[1] = value;
	m->mem = (struct ir_mem){.space = IR_SHARED, .bits = 32, .align_log2 = 2, .atom = op == IR_atom ? IR_ATOM_ADD : 0};
	if (op == IR_atom) {
		m->mem.order = IR_RELAXED;
		m->mem.scope = IR_SCOPE_CTA;
	}
	return ir_emit(c, m);
}

static struct ir_inst *lower(struct ir_func *f, struct ir_var *counter, struct ir_inst *i)
{
	struct ir_cursor c = ir_at(f, i);
	struct ir_inst *address = ir_inst_new(f, IR_symaddr, 32, 0);
	address->sym = counter;
	address = ir_emit(&c, address);
	struct ir_inst *counts = i->imm == RED_AND ? ir_b1(&c, IR_not, 1, i->args[1]) : i->args[1];
	counter_access(&c, IR_store, 0, address, ir_const(f, 32, 0));
	barrier(&c, i);
	counter_access(&c, IR_atom, 0, address, ir_b1(&c, IR_zext, 32, counts));
	barrier(&c, i);
	struct ir_inst *sum = counter_access(&c, IR_load, 32, address, NULL);
	barrier(&c, i);
	if (i->imm == RED_POPC)
		return sum;
	return ir_cmp(&c, IR_icmp, i->imm == RED_AND ? IRC_EQ : IRC_NE, sum, ir_const(f, 32, 0));
}

void ir_legal_barrier(struct ir_func *f)
{
	struct ir_fwd fwd = ir_fwd_new(f);
	struct ir_var *counter = NULL;
	ir_each_block(b, f)
		ir_each_inst_safe(i, b) {
			if (i->op != IR_barred)
				continue;
			if (!counter) {
				counter = NEW(f->arena, struct ir_var);
				counter->name = "barrier.red";
				counter->space = IR_SHARED;
				counter->size = counter->align = 4;
				vec_push(f->arena, &f->vars, counter);
			}
			ir_fwd_set(f, &fwd, i, lower(f, counter, i));
			ir_remove(i);
		}
	if (counter)
		ir_fwd_apply(f, &fwd);
}
