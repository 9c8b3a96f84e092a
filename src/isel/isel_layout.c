/* Places of a kernel's variables in shared and local memory, in order of first use; dynamic shared memory begins behind the static. */
#include "isel/isel_internal.h"

static uint32_t align_up(uint32_t x, uint32_t align)
{
	return (x + align - 1) / align * align;
}

static void report_overflow(struct isel *c, struct ir_var **vars, uint32_t n, uint64_t total, uint64_t limit, const char *what)
{
	struct strbuf sb;
	sb_init(&sb, c->arena);
	for (uint32_t k = 0; k < n; k++)
		sb_printf(&sb, "%s'%s' %llu", k ? ", " : "", vars[k]->name, (unsigned long long)vars[k]->size);
	isel_refuse(c, c->ir->line, "kernel '%s' uses too much %s data (0x%llx bytes, 0x%llx max): %s", c->ir->name, what,
	            (unsigned long long)total, (unsigned long long)limit, sb_str(&sb));
}

bool isel_layout(struct isel *c)
{
	const uint64_t max_scratch = amd_max_scratch(c->t);
	enum { DYNAMIC_ALIGN = 16 };
	VEC(struct ir_var *) vars[2] = {{0}, {0}}; /* shared, local */
	uint64_t end[2] = {0, 0};
	bool dynamic = false;
	ir_each_block(b, c->ir)
		ir_each_inst(i, b) {
			if (i->op == IR_dynshared)
				dynamic = true;
			struct ir_var *v = i->op == IR_symaddr ? i->sym : NULL;
			if (!v || (v->space != IR_SHARED && v->space != IR_LOCAL))
				continue;
			if (v->dynamic) {
				dynamic = true;
				continue;
			}
			uint32_t local = v->space == IR_LOCAL;
			bool seen = false;
			for (uint32_t k = 0; k < vars[local].len; k++)
				seen |= vars[local].data[k] == v;
			if (!seen)
				vec_push(c->arena, &vars[local], v);
		}
	for (uint32_t s = 0; s < 2; s++)
		for (uint32_t k = 0; k < vars[s].len; k++) {
			struct ir_var *v = vars[s].data[k];
			uint64_t align = v->align ? v->align : 1;
			v->offset = (end[s] + align - 1) / align * align;
			end[s] = v->offset + v->size;
		}
	if (end[0] > c->t->lds_bytes)
		report_overflow(c, vars[0].data, vars[0].len, end[0], c->t->lds_bytes, "shared");
	if (end[1] > max_scratch)
		report_overflow(c, vars[1].data, vars[1].len, end[1], max_scratch, "local");
	if (c->failed)
		return false;
	c->f->abi.lds_bytes = align_up((uint32_t)end[0], 4); /* whole words: 16-bit atomics are done in theirs */
	c->f->abi.scratch_bytes = align_up((uint32_t)end[1], 4);
	c->f->abi.scratch = end[1] > 0;
	c->f->abi.dynamic_lds = dynamic;
	if (dynamic)
		c->f->abi.lds_bytes = align_up(c->f->abi.lds_bytes, DYNAMIC_ALIGN);
	/* Externs share one place. */
	ir_each_block(b, c->ir)
		ir_each_inst(i, b)
			if (i->op == IR_symaddr && ((struct ir_var *)i->sym)->dynamic && ((struct ir_var *)i->sym)->space == IR_SHARED)
				((struct ir_var *)i->sym)->offset = c->f->abi.lds_bytes;
	c->dynamic_shared = c->f->abi.lds_bytes;
	if (c->ir->shared_overflow)
		c->f->abi.lds_bytes = c->t->lds_bytes;
	if (c->ir->shared_overflow || !dynamic) /* what launches ask for is elsewhere, or not looked at */
		c->f->abi.max_dynamic = c->ir->module->dynamic_shared;
	return true;
}
