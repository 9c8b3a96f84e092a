/* alloca, stacksave, stackrestore: a stack in local memory of each function that uses them, of a fixed size; what does not fit traps.
 * Source: PTX ISA, "Stack Manipulation Instructions". */
#include "parser/build_internal.h"

enum { STACK_BYTES = 16384, STACK_ALIGN = 128, DEFAULT_ALIGN = 8 };

/* The function's stack; its pointer is an offset in it, zero at the function's start. */
static struct ir_var *stack(struct build *B)
{
	if (B->stack_of == B->f)
		return B->stack;
	B->stack = NEW(B->arena, struct ir_var);
	*B->stack = (struct ir_var){.name = "alloca.stack", .space = IR_LOCAL, .align = STACK_ALIGN, .size = STACK_BYTES, .line = B->c.line, .addr_taken = true};
	vec_push(B->arena, &B->f->vars, B->stack);
	B->stack_of = B->f;
	B->stack_ptr = temp_new(B);
	struct ir_block *entry = B->f->blocks.data[0];
	struct ir_inst *set = ir_inst_new(B->f, IR_regset, 0, 1);
	set->imm = B->stack_ptr;
	set->args[0] = K(32, 0);
	if (entry->first)
		ir_insert_before(entry->first, set);
	else
		ir_append(entry, set);
	return B->stack;
}

void stack_alloca(struct build *B, const struct ptx_stmt *s)
{
	struct ir_var *v = stack(B);
	uint32_t align = s->nops > 2 ? (uint32_t)s->ops[2].imm : DEFAULT_ALIGN;
	if (!align || align & (align - 1) || align > STACK_ALIGN) {
		refuse_why(B, s, "an alignment that is no power of two up to 128");
		return;
	}
	struct ir_inst *size = opd_width(B, &s->ops[1], 64), *sp = temp_get(B, B->stack_ptr, 32);
	struct ir_inst *base = OP2(and, OP2(add, sp, K(32, align - 1)), K(32, 0u - align));
	struct ir_inst *left = OP2(sub, K(64, STACK_BYTES), OPW1(zext, 64, base));
	struct ir_block *fits = ir_block_new(B->f), *full = ir_block_new(B->f);
	struct ir_inst *ok = ICMP(ULE, size, left);
	if (align > 1) /* the round-up may have passed the end */
		ok = OP2(and, ok, ICMP(ULE, base, K(32, STACK_BYTES)));
	ir_condbr(&B->c, ok, fits, full);
	go_on(B, full);
	ir_end(&B->c, IR_trap);
	go_on(B, fits);
	temp_set(B, B->stack_ptr, OP2(add, base, OPW1(trunc, 32, size)));
	def(B, &s->ops[0], OP2(add, sym_addr(B, v, 0), base), false);
}

void stack_save(struct build *B, const struct ptx_stmt *s)
{
	stack(B);
	def(B, &s->ops[0], temp_get(B, B->stack_ptr, 32), false);
}

void stack_restore(struct build *B, const struct ptx_stmt *s)
{
	stack(B);
	temp_set(B, B->stack_ptr, opd_width(B, &s->ops[0], 32));
}
