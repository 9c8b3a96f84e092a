/* Marks loads that read what memory held when the kernel began: no write, fence, barrier or call comes before them on any path.
 *
 * Such a load of a uniform address may go through the scalar cache, which does not see the kernel's own stores. It is not `readonly`:
 * a later store may write the same memory, so it stays in order (isel marks the instruction, amd_waits waits for it before a store).
 * A load with an order, or a volatile one, may make other waves' stores visible and counts as a write.
 * requires: nothing.   ensures: ir_mem.noclobber. */
#include "ir/ir.h"

static bool writes(const struct ir_inst *i)
{
	if (i->op == IR_load)
		return i->mem.order != IR_WEAK || i->mem.is_volatile;
	if (i->op == IR_store && i->mem.order == IR_WEAK && !i->mem.is_volatile && (i->mem.space == IR_SHARED || i->mem.space == IR_LOCAL))
		return false;
	return ir_op_info[i->op].flags & IRF_WRITES && !(ir_op_info[i->op].flags & IRF_TERMINATOR);
}

static bool is_candidate(const struct ir_inst *i)
{
	return i->op == IR_load && i->mem.order == IR_WEAK && !i->mem.is_volatile && i->mem.cache == IR_CACHE_DEFAULT &&
	       (i->mem.space == IR_GLOBAL || i->mem.space == IR_CONST);
}

static bool visit(struct ir_block *b, bool written)
{
	ir_each_inst(i, b)
	{
		if (is_candidate(i))
			i->mem.noclobber = !written;
		written |= writes(i);
	}
	return written;
}

void ir_noclobber(struct ir_func *f)
{
	bitword *dirty = bitset_new(f->arena, f->blocks.len);
	bool again = true;
	if (!f->is_kernel)
		return;
	for (uint32_t k = 0; k < f->blocks.len; k++)
		f->blocks.data[k]->id = k;
	while (again) {
		again = false;
		ir_each_block(b, f)
		{
			bool written = bitset_has(dirty, b->id);
			if (!visit(b, written))
				continue;
			for (uint32_t s = 0; s < b->nsuccs; s++)
				if (!bitset_has(dirty, b->succs[s]->id)) {
					bitset_add(dirty, b->succs[s]->id);
					again = true;
				}
		}
	}
}
