#include "ir/ir.h"

const struct ir_op_info ir_op_info[IR_OP_COUNT] = {
#define IR_OP(name, nargs, result, flags, expr) {#name, nargs, IRR_##result, flags},
#include "ir/ir_ops.def"
#undef IR_OP
};

struct ir_module *ir_module_new(struct arena *a, struct diags *d)
{
	struct ir_module *m = NEW(a, struct ir_module);
	m->arena = a;
	m->diags = d;
	m->wave_size = 32;
	return m;
}

struct ir_func *ir_func_new(struct ir_module *m, const char *name)
{
	struct ir_func *f = NEW(m->arena, struct ir_func);
	f->name = name;
	f->module = m;
	f->arena = m->arena;
	vec_push(m->arena, &m->funcs, f);
	return f;
}

struct ir_block *ir_block_new(struct ir_func *f)
{
	struct ir_block *b = NEW(f->arena, struct ir_block);
	b->id = f->blocks.len;
	vec_push(f->arena, &f->blocks, b);
	return b;
}

struct ir_inst *ir_inst_new(struct ir_func *f, enum ir_op op, uint32_t width, uint32_t nargs)
{
	struct ir_inst *i = arena_alloc(f->arena, sizeof *i + nargs * sizeof *i->args);
	i->op = (uint16_t)op;
	i->width = (uint16_t)width;
	i->nargs = nargs;
	i->args = (struct ir_inst **)(i + 1);
	i->id = f->ninsts++;
	return i;
}

void ir_append(struct ir_block *b, struct ir_inst *i)
{
	i->block = b;
	i->next = NULL;
	i->prev = b->last;
	if (b->last)
		b->last->next = i;
	else
		b->first = i;
	b->last = i;
}

void ir_insert_before(struct ir_inst *pos, struct ir_inst *i)
{
	i->block = pos->block;
	i->next = pos;
	i->prev = pos->prev;
	if (pos->prev)
		pos->prev->next = i;
	else
		pos->block->first = i;
	pos->prev = i;
}

void ir_insert_after(struct ir_inst *pos, struct ir_inst *i)
{
	if (pos->next)
		ir_insert_before(pos->next, i);
	else
		ir_append(pos->block, i);
}

void ir_remove(struct ir_inst *i)
{
	if (i->prev)
		i->prev->next = i->next;
	else
		i->block->first = i->next;
	if (i->next)
		i->next->prev = i->prev;
	else
		i->block->last = i->prev;
	i->prev = i->next = NULL;
	i->block = NULL;
}

/* --- constants --- */

static uint32_t const_hash(uint32_t width, uint64_t bits)
{
	uint64_t h = (bits ^ width) * 0x9E3779B97F4A7C15u;
	return (uint32_t)(h >> 32);
}

static void const_grow(struct ir_func *f)
{
	f->const_cap = f->const_cap ? f->const_cap * 2 : 64;
	f->consts = NEWN(f->arena, struct ir_inst *, f->const_cap);
	for (uint32_t k = 0; k < f->const_list.len; k++) {
		struct ir_inst *i = f->const_list.data[k];
		uint32_t s = const_hash(i->width, i->imm) & (f->const_cap - 1);
		while (f->consts[s])
			s = (s + 1) & (f->const_cap - 1);
		f->consts[s] = i;
	}
}

struct ir_inst *ir_const(struct ir_func *f, uint32_t width, uint64_t bits)
{
	if (f->nconsts * 2 >= f->const_cap)
		const_grow(f);
	bits &= ir_mask(width);
	uint32_t s = const_hash(width, bits) & (f->const_cap - 1);
	for (; f->consts[s]; s = (s + 1) & (f->const_cap - 1))
		if (f->consts[s]->imm == bits && f->consts[s]->width == width)
			return f->consts[s];
	struct ir_inst *i = ir_inst_new(f, IR_const, width, 0);
	i->imm = bits;
	f->consts[s] = i;
	f->nconsts++;
	vec_push(f->arena, &f->const_list, i);
	return i;
}

struct ir_inst *ir_undef(struct ir_func *f, uint32_t width)
{
	struct ir_inst **u = &f->undefs[__builtin_ctz(width | 256)];
	if (!*u)
		*u = ir_inst_new(f, IR_undef, width, 0);
	return *u;
}

/* --- building at a cursor --- */

static struct ir_inst *insert(struct ir_cursor *c, struct ir_inst *i)
{
	if (c->before)
		ir_insert_before(c->before, i);
	else
		ir_append(c->block, i);
	return i;
}

struct ir_inst *ir_emit(struct ir_cursor *c, struct ir_inst *i)
{
	if (!i->line)
		i->line = c->line;
	if (ir_op_info[i->op].flags & IRF_PURE) {
		struct ir_inst *r = ir_simplify(c->f, i);
		if (r != i)
			return r;
	}
	return insert(c, i);
}

/* The instruction is made on the stack first: most of what folds away never reaches the arena. */
static struct ir_inst *emit_temp(struct ir_cursor *c, struct ir_inst *t)
{
	t->line = c->line;
	if (ir_op_info[t->op].flags & IRF_PURE) {
		struct ir_inst *r = ir_simplify(c->f, t);
		if (r != t)
			return r;
	}
	struct ir_inst *i = arena_alloc(c->f->arena, sizeof *i + t->nargs * sizeof *i->args);
	*i = *t;
	i->args = (struct ir_inst **)(i + 1);
	if (t->nargs)
		memcpy(i->args, t->args, t->nargs * sizeof *i->args);
	i->id = c->f->ninsts++;
	return insert(c, i);
}

uint32_t ir_result_width(enum ir_op op, uint32_t width, const struct ir_inst *x)
{
	switch (ir_op_info[op].result) {
	case IRR_SAME:
		return x ? x->width : width;
	case IRR_B1:
		return 1;
	case IRR_B32:
		return 32;
	case IRR_B64:
		return 64;
	case IRR_NONE:
		return 0;
	default:
		return width;
	}
}

struct ir_inst *ir_b0(struct ir_cursor *c, enum ir_op op, uint32_t width)
{
	struct ir_inst t = {.op = (uint16_t)op, .width = (uint16_t)ir_result_width(op, width, NULL)};
	return emit_temp(c, &t);
}

struct ir_inst *ir_b1(struct ir_cursor *c, enum ir_op op, uint32_t width, struct ir_inst *x)
{
	struct ir_inst *args[] = {x};
	struct ir_inst t = {.op = (uint16_t)op, .width = (uint16_t)ir_result_width(op, width, x), .nargs = 1, .args = args};
	return emit_temp(c, &t);
}

struct ir_inst *ir_b2(struct ir_cursor *c, enum ir_op op, uint32_t width, struct ir_inst *x, struct ir_inst *y)
{
	struct ir_inst *args[] = {x, y};
	struct ir_inst t = {.op = (uint16_t)op, .width = (uint16_t)ir_result_width(op, width, x), .nargs = 2, .args = args};
	return emit_temp(c, &t);
}

struct ir_inst *ir_b3(struct ir_cursor *c, enum ir_op op, uint32_t width, struct ir_inst *x, struct ir_inst *y,
		      struct ir_inst *z)
{
	struct ir_inst *args[] = {x, y, z};
	struct ir_inst t = {.op = (uint16_t)op, .width = (uint16_t)ir_result_width(op, width, x), .nargs = 3, .args = args};
	return emit_temp(c, &t);
}

struct ir_inst *ir_cmp(struct ir_cursor *c, enum ir_op op, enum ir_cond cond, struct ir_inst *x, struct ir_inst *y)
{
	struct ir_inst *args[] = {x, y};
	struct ir_inst t = {.op = (uint16_t)op, .width = 1, .cond = (uint8_t)cond, .nargs = 2, .args = args};
	return emit_temp(c, &t);
}

struct ir_inst *ir_select(struct ir_cursor *c, struct ir_inst *cond, struct ir_inst *x, struct ir_inst *y)
{
	return ir_b3(c, IR_select, x->width, cond, x, y);
}

struct ir_inst *ir_unpack(struct ir_cursor *c, uint32_t width, struct ir_inst *x, uint32_t index)
{
	struct ir_inst *args[] = {x};
	struct ir_inst t = {.op = IR_unpack, .width = (uint16_t)width, .nargs = 1, .args = args, .imm = index};
	return emit_temp(c, &t);
}

struct ir_inst *ir_pack(struct ir_cursor *c, uint32_t width, struct ir_inst **parts, uint32_t n)
{
	return ir_bn(c, IR_pack, width, 0, parts, n);
}

struct ir_inst *ir_bn(struct ir_cursor *c, enum ir_op op, uint32_t width, uint64_t imm, struct ir_inst **args, uint32_t n)
{
	struct ir_inst *own[32]; /* simplification may reorder */
	if (n > 32)
		ice(c->f->arena, "%s of %u arguments", ir_op_info[op].name, n);
	for (uint32_t k = 0; k < n; k++)
		own[k] = args[k];
	struct ir_inst t = {.op = (uint16_t)op, .width = (uint16_t)ir_result_width(op, width, n ? args[0] : NULL), .nargs = n,
			    .args = own, .imm = imm};
	return emit_temp(c, &t);
}

/* --- control flow --- */

static void terminate(struct ir_cursor *c, enum ir_op op, struct ir_inst *arg, struct ir_block **to, uint32_t n)
{
	struct ir_inst *i = ir_inst_new(c->f, op, 0, arg ? 1 : 0);
	struct ir_block *b = c->before ? c->before->block : c->block;
	if (arg)
		i->args[0] = arg;
	i->line = c->line;
	ir_append(b, i);
	b->nsuccs = n;
	b->succs = NEWN(c->f->arena, struct ir_block *, n);
	for (uint32_t k = 0; k < n; k++) {
		b->succs[k] = to[k];
		vec_push(c->f->arena, &to[k]->preds, b);
	}
}

void ir_br(struct ir_cursor *c, struct ir_block *to)
{
	terminate(c, IR_br, NULL, &to, 1);
}

void ir_condbr(struct ir_cursor *c, struct ir_inst *cond, struct ir_block *yes, struct ir_block *no)
{
	terminate(c, IR_condbr, cond, (struct ir_block *[]){yes, no}, 2);
}

void ir_switch(struct ir_cursor *c, struct ir_inst *index, struct ir_block **to, uint32_t n)
{
	terminate(c, IR_switch, index, to, n);
}

void ir_end(struct ir_cursor *c, enum ir_op op)
{
	terminate(c, op, NULL, NULL, 0);
}

struct ir_block *ir_split(struct ir_func *f, struct ir_inst *at)
{
	struct ir_block *b = at->block, *rest = ir_block_new(f);
	rest->line = at->line;
	rest->first = at;
	rest->last = b->last;
	b->last = at->prev;
	if (at->prev)
		at->prev->next = NULL;
	else
		b->first = NULL;
	at->prev = NULL;
	for (struct ir_inst *i = at; i; i = i->next)
		i->block = rest;
	rest->succs = b->succs;
	rest->nsuccs = b->nsuccs;
	b->succs = NULL;
	b->nsuccs = 0;
	for (uint32_t s = 0; s < rest->nsuccs; s++) {
		struct ir_block *to = rest->succs[s];
		for (uint32_t p = 0; p < to->preds.len; p++)
			if (to->preds.data[p] == b)
				to->preds.data[p] = rest;
	}
	return rest;
}

void ir_remove_pred(struct ir_block *b, uint32_t k)
{
	for (struct ir_inst *i = b->first; i && i->op == IR_phi; i = i->next) {
		memmove(i->args + k, i->args + k + 1, (i->nargs - k - 1) * sizeof *i->args);
		i->nargs--;
	}
	memmove(b->preds.data + k, b->preds.data + k + 1, (b->preds.len - k - 1) * sizeof *b->preds.data);
	b->preds.len--;
}

uint32_t ir_pred_index(const struct ir_block *b, const struct ir_block *pred)
{
	uint32_t k = 0;
	while (b->preds.data[k] != pred)
		k++;
	return k;
}

void ir_phi_append(struct ir_func *f, struct ir_inst *phi, struct ir_inst *x)
{
	struct ir_inst **args = NEWN(f->arena, struct ir_inst *, phi->nargs + 1);
	memcpy(args, phi->args, phi->nargs * sizeof *args);
	args[phi->nargs++] = x;
	phi->args = args;
}
