/* PTX to IR: functions, blocks and guards.
 *
 * Straight-line code keeps the current value of each register in a table; `regset` is written at the end of a segment
 * for registers that other segments name, `regget` at the first read of one that has no known value. A guarded
 * instruction without effects becomes a selection between its result and the register's former value; memory accesses,
 * barriers, calls and long computations are branched around, a run with the same guard by one branch.
 *
 * Segments end at labels that something jumps to and at jumps. Inside one, a guarded region dominates nothing after it,
 * so registers that it redefines are written back on both sides and fetched again. */
#include "parser/build_internal.h"

#define LONG_RUN 8 /* guarded instructions that are better branched around */

static const struct {
	builder *fn;
	const char *why; /* there is none */
	uint8_t flags;
} forms[PTX_FORM_COUNT] = {
#define BUILD_FORM(form, fn, flags) [PTX_FORM_##form] = {fn, NULL, flags},
#define REFUSE_FORM(form, why) [PTX_FORM_##form] = {NULL, why, 0},
#include "parser/build_forms.def"
#undef BUILD_FORM
#undef REFUSE_FORM
};
enum {
#define BUILD_FORM(form, fn, flags) row_##form,
#define REFUSE_FORM(form, why) row_##form,
#include "parser/build_forms.def"
#undef BUILD_FORM
#undef REFUSE_FORM
	ROWS
};
_Static_assert(ROWS == PTX_FORM_COUNT - 1, "each form has a row, but for PTX_FORM_none");

void refuse_why(struct build *B, const struct ptx_stmt *s, const char *why)
{
	diag_error(B->diags, s->line, "instruction '%s' is not supported by the AMD back end: %s", s->m->text, why);
}

/* --- registers --- */

static void mark_dirty(struct build *B, uint32_t r)
{
	if (!B->regs[r].dirty) {
		B->regs[r].dirty = true;
		vec_push(B->arena, &B->dirty, r);
	}
}

static struct ir_inst *regset(struct build *B, uint32_t r, struct ir_inst *v)
{
	struct ir_inst *i = ir_inst_new(B->f, IR_regset, 0, 1);
	i->args[0] = v;
	i->imm = r;
	i->line = B->c.line;
	return i;
}

struct ir_inst *reg_get(struct build *B, uint32_t r)
{
	struct reg *x = &B->regs[r];
	if (x->epoch == B->epoch)
		return x->val;
	struct ir_inst *i = ir_inst_new(B->f, IR_regget, x->width, 0);
	i->imm = r;
	i->line = B->c.line;
	if (B->region) /* must dominate what follows the region */
		ir_insert_before(B->before->last, i);
	else
		ir_append(B->c.block, i);
	x->val = i;
	x->epoch = B->epoch;
	x->fetched = true;
	return x->val;
}

void reg_set(struct build *B, uint32_t r, struct ir_inst *v)
{
	struct reg *x = &B->regs[r];
	if (B->guard)
		v = SEL(B->guard, v, reg_get(B, r));
	if (B->region && x->region != B->region) {
		vec_push(B->arena, &B->undo, (struct reg_undo){r, *x});
		x->region = B->region;
		x->dirty = false;
	}
	x->val = v;
	x->epoch = B->epoch;
	mark_dirty(B, r);
}

void flush(struct build *B)
{
	for (uint32_t k = 0; k < B->dirty.len; k++) {
		struct reg *x = &B->regs[B->dirty.data[k]];
		if (x->dirty && (x->multi || x->fetched))
			ir_append(B->c.block, regset(B, B->dirty.data[k], x->val));
		x->dirty = false;
	}
	vec_clear(&B->dirty);
}

uint32_t temp_new(struct build *B)
{
	return B->f->nregs++;
}

void temp_set(struct build *B, uint32_t t, struct ir_inst *v)
{
	ir_append(B->c.block, regset(B, t, v));
}

struct ir_inst *temp_get(struct build *B, uint32_t t, uint32_t width)
{
	struct ir_inst *i = ir_inst_new(B->f, IR_regget, width, 0);
	i->imm = t;
	return ir_emit(&B->c, i);
}

/* --- blocks --- */

void go_on(struct build *B, struct ir_block *b)
{
	b->line = B->c.line;
	B->c.block = b;
	B->dead = false;
}

void enter(struct build *B, struct ir_block *b)
{
	B->epoch++;
	go_on(B, b);
}

struct offsets offsets_begin(struct build *B, struct ir_inst *n)
{
	struct ir_block *body;
	struct offsets o = {.temp = temp_new(B), .head = ir_block_new(B->f)};
	body = ir_block_new(B->f);
	o.done = ir_block_new(B->f);
	temp_set(B, o.temp, K(32, 0));
	ir_br(&B->c, o.head);
	go_on(B, o.head);
	o.k = temp_get(B, o.temp, 32);
	ir_condbr(&B->c, ICMP(ULT, o.k, n), body, o.done);
	go_on(B, body);
	return o;
}

void offsets_end(struct build *B, const struct offsets *o, uint32_t step)
{
	temp_set(B, o->temp, OP2(add, o->k, K(32, step)));
	ir_br(&B->c, o->head);
	go_on(B, o->done);
}

/* The guard's value as `taken if true`. */
static struct ir_inst *guard_value(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *p = reg_get(B, s->guard);
	return s->guard_neg ? OP1(not, p) : p;
}

static bool names_reg(const struct ptx_operand *o, uint32_t reg)
{
	switch (o->kind) {
	case PTX_OPD_REG:
		return o->reg == reg;
	case PTX_OPD_PAIR:
	case PTX_OPD_VEC:
	case PTX_OPD_LIST:
		for (uint32_t k = 0; k < o->n; k++)
			if (names_reg(&o->elems[k], reg))
				return true;
		return false;
	default:
		return false;
	}
}

static bool same_guard(const struct build *B, const struct ptx_stmt *s, const struct ptx_stmt *first)
{
	if (s->kind == PTX_STMT_LABEL)
		return !B->label_blocks[s->label];
	return s->kind != PTX_STMT_INST || (s->guard == first->guard && s->guard_neg == first->guard_neg);
}

/* The run of statements from `first` under its guard, up to one that names the guard's register or ends the block.
 * Returns the union of their flags; *end is the index after the run. */
static uint32_t guarded_run(const struct build *B, uint32_t first, uint32_t *end)
{
	const struct ptx_func *pf = B->pf;
	const struct ptx_stmt *g = &pf->stmts[first];
	uint32_t flags = 0, k = first, insts = 0;
	for (*end = first; k < pf->nstmts && same_guard(B, &pf->stmts[k], g); k++) {
		const struct ptx_stmt *s = &pf->stmts[k];
		if (s->kind != PTX_STMT_INST)
			continue;
		*end = k + 1;
		insts++;
		flags |= forms[s->form].flags;
		bool names = false;
		for (uint32_t o = 0; o < s->nops && !names; o++)
			names = names_reg(&s->ops[o], g->guard);
		if (names || forms[s->form].flags & (BF_JUMP | BF_END))
			break;
	}
	return insts >= LONG_RUN ? flags | BF_COSTLY : flags;
}

static void statement(struct build *B, const struct ptx_stmt *s)
{
	B->c.line = s->line;
	if (s->kind == PTX_STMT_LABEL) {
		struct ir_block *b = B->label_blocks[s->label];
		if (!b)
			return;
		if (!B->dead) {
			flush(B);
			ir_br(&B->c, b);
		}
		enter(B, b);
	} else if (s->kind == PTX_STMT_INST && !B->dead) {
		if (forms[s->form].fn)
			forms[s->form].fn(B, s);
		else
			refuse_why(B, s, forms[s->form].why);
	}
}

/* A region that reaches its end: what it redefined is fetched again after it. */
static void join_region(struct build *B, struct ir_block *join)
{
	for (uint32_t k = 0; k < B->undo.len; k++) {
		struct reg_undo *u = &B->undo.data[k];
		struct reg *x = &B->regs[u->reg];
		if (u->old.dirty)
			ir_insert_before(B->before->last, regset(B, u->reg, u->old.val));
		ir_append(B->c.block, regset(B, u->reg, x->val));
		x->epoch = 0;
		x->dirty = false;
	}
	ir_br(&B->c, join);
}

/* A region that does not: the registers are what they were. Those that were dirty are still listed. */
static void leave_region(struct build *B)
{
	for (uint32_t k = B->undo.len; k-- > 0;) {
		struct reg_undo *u = &B->undo.data[k];
		bool fetched = B->regs[u->reg].fetched;
		B->regs[u->reg] = u->old;
		B->regs[u->reg].fetched |= fetched;
		if (u->old.dirty) {
			B->regs[u->reg].dirty = false;
			mark_dirty(B, u->reg);
		}
	}
}

static void guarded_region(struct build *B, uint32_t first, uint32_t end, uint32_t flags)
{
	const struct ptx_stmt *g = &B->pf->stmts[first];
	B->before = B->c.block;
	B->c.line = g->line;
	struct ir_inst *p = guard_value(B, g);
	if (flags & BF_JUMP)
		flush(B);
	struct ir_block *then = ir_block_new(B->f), *join = ir_block_new(B->f);
	ir_condbr(&B->c, p, then, join);
	B->region = ++B->regions;
	vec_clear(&B->undo);
	go_on(B, then);
	for (uint32_t k = first; k < end; k++)
		statement(B, &B->pf->stmts[k]);
	B->region = 0;
	if (B->dead)
		leave_region(B);
	else
		join_region(B, join);
	go_on(B, join);
}

/* `@p bra L` alone needs no block of its own. */
static bool guarded_jump(struct build *B, const struct ptx_stmt *s)
{
	if (s->form != PTX_FORM_bra)
		return false;
	B->c.line = s->line;
	struct ir_inst *p = guard_value(B, s);
	flush(B);
	struct ir_block *next = ir_block_new(B->f);
	ir_condbr(&B->c, p, B->label_blocks[s->ops[0].reg], next);
	go_on(B, next);
	return true;
}

/* Builds the guarded run that starts at statement k; returns the index after it. */
static uint32_t guarded(struct build *B, uint32_t k)
{
	uint32_t end;
	if (guarded_jump(B, &B->pf->stmts[k]))
		return k + 1;
	uint32_t flags = guarded_run(B, k, &end);
	if (flags) {
		guarded_region(B, k, end, flags);
		return end;
	}
	for (; k < end; k++) {
		const struct ptx_stmt *s = &B->pf->stmts[k];
		if (s->kind != PTX_STMT_INST)
			continue;
		B->c.line = s->line;
		B->guard = guard_value(B, s);
		statement(B, s);
		B->guard = NULL;
	}
	return end;
}

/* --- functions --- */

static void name_reg(struct build *B, uint32_t reg, uint32_t seg)
{
	if (reg >= B->nregs)
		return;
	struct reg *x = &B->regs[reg];
	if (!x->seg)
		x->seg = seg;
	else if (x->seg != seg)
		x->multi = true;
}

static void name_operand(struct build *B, const struct ptx_operand *o, uint32_t seg)
{
	switch (o->kind) {
	case PTX_OPD_REG:
		name_reg(B, o->reg, seg);
		break;
	case PTX_OPD_ADDR:
		if (o->base == PTX_BASE_REG)
			name_reg(B, o->reg, seg);
		break;
	case PTX_OPD_PAIR:
	case PTX_OPD_VEC:
	case PTX_OPD_LIST:
	case PTX_OPD_TENSOR:
		for (uint32_t k = 0; k < o->n; k++)
			name_operand(B, &o->elems[k], seg);
		break;
	case PTX_OPD_LABEL:
		if (!B->label_blocks[o->reg])
			B->label_blocks[o->reg] = ir_block_new(B->f);
		break;
	case PTX_OPD_SYM:
		if (o->sym->kind == PTX_SYM_TARGETS)
			for (uint32_t k = 0; k < o->sym->ntargets && o->sym->labels; k++)
				if (!B->label_blocks[o->sym->labels[k]])
					B->label_blocks[o->sym->labels[k]] = ir_block_new(B->f);
		break;
	}
}

/* Which labels are jumped to, which registers more than one segment names. A label may be jumped to before and after
 * it stands, so the labels come first. */
static void survey(struct build *B)
{
	const struct ptx_func *pf = B->pf;
	uint32_t seg = 1;
	for (uint32_t k = 0; k < pf->nstmts; k++)
		if (pf->stmts[k].kind == PTX_STMT_INST && forms[pf->stmts[k].form].flags & BF_JUMP)
			for (uint32_t o = 0; o < pf->stmts[k].nops; o++)
				name_operand(B, &pf->stmts[k].ops[o], 0);
	for (uint32_t k = 0; k < pf->nstmts; k++) {
		const struct ptx_stmt *s = &pf->stmts[k];
		if (s->kind == PTX_STMT_LABEL && B->label_blocks[s->label])
			seg++;
		if (s->kind != PTX_STMT_INST)
			continue;
		if (s->guard != PTX_NO_REG)
			name_reg(B, s->guard, seg);
		for (uint32_t o = 0; o < s->nops; o++)
			name_operand(B, &s->ops[o], seg);
		if (forms[s->form].flags & BF_JUMP)
			seg++;
	}
}

static void number_registers(struct build *B)
{
	const struct ptx_func *pf = B->pf;
	uint32_t total = pf->nregs;
	B->nregs = pf->nregs;
	B->vec_base = NULL;
	for (uint32_t r = 0; r < pf->nregs; r++)
		total += pf->regs[r].vec > 1 ? pf->regs[r].vec - 1u : 0;
	if (total > pf->nregs)
		B->vec_base = NEWN(B->arena, uint32_t, pf->nregs);
	B->regs = NEWN(B->arena, struct reg, total + 1);
	uint32_t next = pf->nregs;
	for (uint32_t r = 0; r < pf->nregs; r++) {
		B->regs[r].width = (uint16_t)type_width(pf->regs[r].type);
		if (pf->regs[r].vec <= 1)
			continue;
		B->vec_base[r] = next;
		for (uint32_t k = 1; k < pf->regs[r].vec; k++, next++) {
			B->regs[next].width = B->regs[r].width;
			B->regs[next].multi = true;
		}
		B->regs[r].multi = true;
	}
	B->carry = total;
	B->regs[total].width = 1;
	B->regs[total].multi = true;
	B->f->nregs = total + 1;
}

static void build_body(struct build *B)
{
	const struct ptx_func *pf = B->pf;
	for (uint32_t k = 0; k < pf->nstmts;) {
		const struct ptx_stmt *s = &pf->stmts[k];
		if (s->kind == PTX_STMT_INST && s->guard != PTX_NO_REG && !B->dead) {
			k = guarded(B, k);
		} else {
			statement(B, s);
			k++;
		}
	}
	if (!B->dead) {
		B->c.line = pf->end_line;
		build_return(B, NULL);
	}
}

static void build_func(struct build *B, const struct ptx_func *pf)
{
	B->pf = pf;
	B->f = func_of(B, pf->sym);
	B->c = (struct ir_cursor){.f = B->f, .line = pf->line};
	B->guard = NULL;
	B->epoch = 0;
	B->region = B->regions = 0;
	vec_clear(&B->dirty);
	vec_clear(&B->undo);
	B->nlvars = pf->nvars + pf->nparams + pf->nrets;
	B->lvars = NEWN(B->arena, struct ir_var *, B->nlvars);
	number_registers(B);
	struct ir_block *entry = ir_block_new(B->f);
	B->label_blocks = NEWN(B->arena, struct ir_block *, pf->nlabels + 1);
	survey(B);
	enter(B, entry);
	if (!pf->is_entry)
		take_arguments(B);
	build_body(B);
}

struct ir_module *ptx_build(struct arena *a, struct diags *d, const struct ptx_module *pm)
{
	struct build B = {.arena = a, .diags = d, .pm = pm, .m = ir_module_new(a, d)};
	if (pm->address_size == 32) {
		diag_add(d, DIAG_FATAL, 0, "32-Bit compilation is no longer supported");
		return B.m;
	}
	build_globals(&B);
	for (uint32_t k = 0; k < pm->nfuncs; k++)
		if (pm->funcs[k]->has_body)
			build_func(&B, pm->funcs[k]);
	return B.m;
}
