/* Removes what nothing needs: instructions without effect whose result reaches no effect, and the results of atomics that no one reads.
 *
 * ensures: every value is used, directly or not, by an effect or a terminator. */
#include "ir/ir_util.h"

typedef VEC(struct ir_inst *) inst_list;

static bool is_root(const struct ir_inst *i)
{
	return ir_has_effect(i) || (i->op == IR_load && i->mem.is_volatile);
}

static void need(struct ir_func *f, bitword *needed, inst_list *work, struct ir_inst *i)
{
	if (!bitset_has(needed, i->id)) {
		bitset_add(needed, i->id);
		vec_push(f->arena, work, i);
	}
}

void ir_dce(struct ir_func *f)
{
	bitword *needed = bitset_new(f->arena, f->ninsts), *used = bitset_new(f->arena, f->ninsts);
	inst_list work = {0};
	ir_each_block(b, f) ir_each_inst(i, b) if (is_root(i)) need(f, needed, &work, i);
	while (work.len) {
		struct ir_inst *i = vec_pop(&work);
		for (uint32_t k = 0; k < i->nargs; k++) {
			bitset_add(used, i->args[k]->id);
			need(f, needed, &work, i->args[k]);
		}
	}
	ir_each_block(b, f) ir_each_inst_safe(i, b)
	{
		if (!bitset_has(needed, i->id))
			ir_remove(i);
		else if (i->op == IR_atom && !bitset_has(used, i->id))
			i->width = 0;
	}
}
