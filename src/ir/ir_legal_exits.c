/* ir_legal_exits: values whose lanes disagree about when they were made.
 *
 * requires: ir_loops, final ir_divergence (after reconvergence planning); critical edges into phis split.
 * ensures: no scalar and no predicate is used outside a loop with a divergent exit that it is made in; no divergent predicate phi.
 *
 * A scalar register holds one value for the whole wave. When a lane has left a loop and the others go on, the register moves on with
 * them; so what that lane needs is copied to a vector inside the loop, where writes of later iterations do not reach it. A predicate
 * is copied as 1 or 0, and a merge of predicates, which would have to combine masks, becomes a merge of 1s and 0s. */
#include "ir/ir_util.h"

/* Where code after v's definition goes: behind the phis if v is one. */
static struct ir_cursor after(struct ir_func *f, struct ir_inst *v)
{
	struct ir_inst *next = v->next;
	while (next && next->op == IR_phi)
		next = next->next;
	return (struct ir_cursor){f, v->block, next, v->line};
}

static struct ir_inst *insert(struct ir_cursor *c, enum ir_op op, uint32_t width, struct ir_inst *const *args, uint32_t n)
{
	struct ir_inst *i = ir_inst_new(c->f, op, width, n);
	memcpy(i->args, args, n * sizeof *args);
	i->line = c->line;
	i->divergent = true;
	if (c->before)
		ir_insert_before(c->before, i);
	else
		ir_append(c->block, i);
	return i;
}

static struct ir_inst *bit_to_word(struct ir_cursor *c, struct ir_inst *bit)
{
	if (bit->op == IR_const)
		return ir_const(c->f, 32, bit->imm & 1);
	if (bit->op == IR_undef)
		return ir_undef(c->f, 32);
	struct ir_inst *args[] = {bit, ir_const(c->f, 32, 1), ir_const(c->f, 32, 0)};
	return insert(c, IR_select, 32, args, 3);
}

static struct ir_inst *word_to_bit(struct ir_cursor *c, struct ir_inst *word)
{
	struct ir_inst *args[] = {word, ir_const(c->f, 32, 0)};
	struct ir_inst *i = insert(c, IR_icmp, 1, args, 2);
	i->cond = IRC_NE;
	return i;
}

/* --- predicate phis --- */

static void lower_phi(struct ir_func *f, struct ir_fwd *fwd, struct ir_inst *phi)
{
	struct ir_inst *word = ir_inst_new(f, IR_phi, 32, phi->nargs);
	word->line = phi->line;
	word->divergent = true;
	ir_insert_before(phi, word);
	struct ir_cursor c = after(f, phi);
	ir_fwd_set(f, fwd, phi, word_to_bit(&c, word));
	for (uint32_t k = 0; k < phi->nargs; k++) {
		struct ir_cursor end = {f, phi->block->preds.data[k], ir_terminator(phi->block->preds.data[k]), phi->line};
		word->args[k] = bit_to_word(&end, phi->args[k]);
	}
	ir_remove(phi);
}

static void lower_phis(struct ir_func *f)
{
	struct ir_fwd fwd = ir_fwd_new(f);
	bool any = false;
	ir_each_block(b, f)
		ir_each_inst_safe(i, b)
			if (i->op == IR_phi && i->width == 1 && i->divergent) {
				lower_phi(f, &fwd, i);
				any = true;
			}
	if (any)
		ir_fwd_apply(f, &fwd);
}

/* --- loop exits --- */

static bool leaves_divergent_loop(const struct ir_inst *v, const struct ir_block *use)
{
	for (const struct ir_loop *l = v->block->loop; l && !ir_loop_has(l, use); l = l->parent)
		if (l->divergent_exit)
			return true;
	return false;
}

static void copy_exits(struct ir_func *f)
{
	uint32_t n = f->ninsts;
	struct ir_inst **copy = NEWN(f->arena, struct ir_inst *, n);
	ir_each_block(b, f)
		ir_each_inst(i, b)
			for (uint32_t k = 0; k < i->nargs; k++) {
				struct ir_inst *v = i->args[k];
				if (!v->block || v->id >= n || (v->divergent && v->width != 1))
					continue;
				struct ir_block *use = i->op == IR_phi ? b->preds.data[k] : b;
				if (!leaves_divergent_loop(v, use))
					continue;
				struct ir_cursor c = after(f, v);
				if (!copy[v->id])
					copy[v->id] = v->width == 1 ? bit_to_word(&c, v) : insert(&c, IR_vcopy, v->width, &v, 1);
				struct ir_inst *got = copy[v->id];
				if (v->width == 1) {
					struct ir_cursor at = {f, use, i->op == IR_phi ? ir_terminator(use) : i, i->line};
					got = word_to_bit(&at, got);
				}
				i->args[k] = got;
			}
}

void ir_legal_exits(struct ir_func *f)
{
	lower_phis(f);
	bool any = false;
	for (uint32_t k = 0; k < f->loops.len; k++)
		any |= f->loops.data[k]->divergent_exit;
	if (any)
		copy_exits(f);
}
