/* Removes what nothing needs: instructions without effect whose result reaches no effect, and the results of atomics that no one reads.
 *
 * ensures: every value is used, directly or not, by an effect or a terminator. */
#include "ir/ir_util.h"

static bool is_root(const struct ir_inst *i)
{
	return ir_has_effect(i);
}

/* One sweep from the end; true if something before which the sweep had already passed has become needed. */
static bool sweep(struct ir_func *f, bitword *needed, bitword *used)
{
	bool again = false;
	for (uint32_t k = f->blocks.len; k-- > 0;)
		for (struct ir_inst *i = f->blocks.data[k]->last; i; i = i->prev) {
			if (!bitset_has(needed, i->id)) {
				if (!is_root(i))
					continue;
				bitset_add(needed, i->id);
			}
			for (uint32_t a = 0; a < i->nargs; a++) {
				struct ir_inst *x = i->args[a];
				bitset_add(used, x->id);
				if (bitset_has(needed, x->id))
					continue;
				bitset_add(needed, x->id);
				again |= x->block && (x->block->id > k || (x->block->id == k && i->op == IR_phi));
			}
		}
	return again;
}

void ir_dce(struct ir_func *f)
{
	bitword *needed = bitset_new(f->arena, f->ninsts), *used = bitset_new(f->arena, f->ninsts);
	ir_each_block(b, f) b->id = b_k;
	while (sweep(f, needed, used))
		;
	ir_each_block(b, f) ir_each_inst_safe(i, b)
	{
		if (!bitset_has(needed, i->id))
			ir_remove(i);
		else if (i->op == IR_atom && !bitset_has(used, i->id))
			i->width = 0;
	}
}
