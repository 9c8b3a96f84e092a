#include "ir/ir_legal.h"

void ir_lower_all(struct ir_func *f, ir_lowering *lower)
{
	struct ir_fwd fwd = ir_fwd_new(f);
	ir_each_block(b, f) {
		struct ir_inst *i = b->first;
		while (i) {
			if (i->op != IR_phi)
				ir_fwd_args(&fwd, i);
			struct ir_inst *prev = i->prev;
			struct ir_cursor c = ir_at(f, i);
			struct ir_inst *x = lower(&c, i);
			if (!x) {
				i = i->next;
				continue;
			}
			if (x != i) {
				if (i->width)
					ir_fwd_set(f, &fwd, i, x);
				ir_remove(i);
			}
			/* go back to the first of the new instructions */
			i = prev ? prev->next : b->first;
		}
	}
	ir_fwd_apply(f, &fwd);
}
