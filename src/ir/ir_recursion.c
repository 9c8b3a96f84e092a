/* ir_recursion: recursive functions become loops around a stack in local memory.
 *
 * requires: SSA, ir_inline (the calls left are of recursive functions), no indirect calls.
 * ensures: no call, callres, arg or ret in kernels; SSA.
 *
 * Each call of a recursive function from outside its cycle gets a copy of the cycle of its own, a loop with one exit: lanes that
 * called together are together again behind it. Inside, a call pushes what is needed after it and the number of its place, sets the
 * arguments and jumps; a return jumps to the place on top of the stack. Arguments, results, the stack pointer and
 * every value that lives across a call are registers meanwhile (regset, regget); ir_ssa makes them values again. Lanes may be at
 * different depths: reconvergence takes any control flow. Local variables of a function are in its stack frame.
 *
 *   frame of a call:  saved values | ... | place number (last word), 16-byte aligned
 *   frame of a function: its local variables, allocated on entry
 *
 * A lane that would leave the stack traps. */
#include "ir/ir_util.h"

enum { STACK_BYTES = 16384, STACK_ALIGN = 16, MAX_COPIES = 200 };

/* A function's copy in the kernel. */
struct body {
	struct ir_func *from;
	uint32_t cycle; /* copies of one cycle, made for one call */
	struct ir_block *entry, *leave;
	uint32_t args, results; /* first register of each */
	uint64_t locals;        /* bytes of its frame */
	VEC(struct ir_block *) places; /* where its returns go, by number */
};

struct site {
	struct ir_inst *call;
	struct body *callee, *caller; /* caller NULL: the kernel itself */
	VEC(struct ir_inst *) live;
};

struct work {
	struct ir_func *f;
	struct ir_var *stack;
	uint32_t sp; /* register */
	VEC(struct body *) bodies;
	VEC(struct site *) sites;
	uint32_t ncycles;
	VEC(uint16_t) widths; /* of the registers */
	struct body **body_of_block; /* by block id; grown as blocks are made */
	uint32_t nblocks;
};

static uint32_t new_reg(struct work *w, uint32_t width)
{
	vec_push(w->f->arena, &w->widths, (uint16_t)width);
	return w->f->nregs++;
}

static uint64_t align_up(uint64_t x, uint64_t a)
{
	return (x + a - 1) / a * a;
}

static struct ir_inst *get(struct ir_cursor *c, struct work *w, uint32_t reg)
{
	struct ir_inst *i = ir_inst_new(c->f, IR_regget, w->widths.data[reg], 0);
	i->imm = reg;
	return ir_emit(c, i);
}

static void set(struct ir_cursor *c, uint32_t reg, struct ir_inst *v)
{
	struct ir_inst *i = ir_inst_new(c->f, IR_regset, 0, 1);
	i->imm = reg;
	i->args[0] = v;
	ir_emit(c, i);
}

/* --- copying functions into the kernel --- */

static struct body *find_body(struct work *w, const struct ir_func *from, uint32_t cycle)
{
	for (uint32_t k = 0; k < w->bodies.len; k++)
		if (w->bodies.data[k]->from == from && w->bodies.data[k]->cycle == cycle)
			return w->bodies.data[k];
	return NULL;
}

static void own_blocks(struct work *w, struct body *b)
{
	uint32_t n = w->f->blocks.len;
	if (n > w->nblocks) {
		struct body **grown = NEWN(w->f->arena, struct body *, n * 2);
		if (w->nblocks)
			memcpy(grown, w->body_of_block, w->nblocks * sizeof *grown);
		for (uint32_t k = w->nblocks; k < n; k++)
			grown[k] = b;
		w->body_of_block = grown;
		w->nblocks = n;
	}
}

/* A stub block calls the function; inlining that call copies the body, whose arguments and results then are registers. */
static struct body *add_body(struct work *w, struct ir_func *from, uint32_t cycle)
{
	struct ir_func *f = w->f;
	struct body *b = NEW(f->arena, struct body);
	b->from = from;
	b->cycle = cycle;
	vec_push(f->arena, &w->bodies, b);
	own_blocks(w, NULL);
	b->args = f->nregs;
	for (uint32_t k = 0; k < from->arg_widths.len; k++)
		new_reg(w, from->arg_widths.data[k]);
	b->results = f->nregs;
	for (uint32_t k = 0; k < from->ret_widths.len; k++)
		new_reg(w, from->ret_widths.data[k]);
	for (uint32_t k = 0; k < from->vars.len; k++)
		if (from->vars.data[k]->space == IR_LOCAL) {
			struct ir_var *v = from->vars.data[k];
			b->locals = align_up(b->locals, v->align ? v->align : 1);
			v->offset = b->locals;
			b->locals += v->size;
		}
	b->locals = align_up(b->locals, STACK_ALIGN);
	b->entry = ir_block_new(f);
	struct ir_cursor c = {f, b->entry, NULL, from->line};
	struct ir_inst *call = ir_inst_new(f, IR_call, 0, from->arg_widths.len);
	call->sym = from;
	call->line = from->line;
	for (uint32_t k = 0; k < from->arg_widths.len; k++)
		call->args[k] = get(&c, w, b->args + k);
	ir_append(b->entry, call);
	struct ir_inst **res = NEWN(f->arena, struct ir_inst *, from->ret_widths.len);
	for (uint32_t k = 0; k < from->ret_widths.len; k++) {
		res[k] = ir_inst_new(f, IR_callres, from->ret_widths.data[k], 1);
		res[k]->args[0] = call;
		res[k]->imm = k;
		ir_append(b->entry, res[k]);
	}
	c.before = NULL;
	for (uint32_t k = 0; k < from->ret_widths.len; k++)
		set(&c, b->results + k, res[k]);
	ir_end(&c, IR_unreachable); /* becomes the jump to the caller */
	struct ir_fwd fwd = ir_fwd_new(f);
	b->leave = ir_inline_call(f, call, &fwd);
	ir_fwd_apply(f, &fwd);
	own_blocks(w, b);
	return b;
}

/* --- calls --- */

static bool is_call(const struct ir_inst *i)
{
	return i->op == IR_call && i->sym && !((struct ir_func *)i->sym)->is_decl;
}

struct seen {
	VEC(const struct ir_func *) funcs;
};

static bool reaches(struct arena *a, struct seen *seen, const struct ir_func *from, const struct ir_func *to)
{
	if (from == to)
		return true;
	for (uint32_t k = 0; k < seen->funcs.len; k++)
		if (seen->funcs.data[k] == from)
			return false;
	vec_push(a, &seen->funcs, from);
	ir_each_block(b, from)
		ir_each_inst(i, b)
			if (is_call(i) && reaches(a, seen, i->sym, to))
				return true;
	return false;
}

/* Lanes that recurse to different depths do not meet inside: right for programs whose warps recurse as one, which is not known here. */
static void warn_of_warp_operations(struct work *w, const struct ir_func *func)
{
	for (uint32_t k = 0; k < w->bodies.len; k++)
		if (w->bodies.data[k]->from == func)
			return;
	ir_each_block(b, func)
		ir_each_inst(i, b)
			if (ir_op_info[i->op].flags & IRF_CONVERGENT && i->op != IR_call && i->op != IR_activemask && i->op != IR_meetwarp) {
				diag_warn(w->f->module->diags, i->line,
				          "'%s' is recursive: lanes at different depths do not meet at its warp and block operations",
				          func->name);
				return;
			}
}

/* The copy that a call in `caller` (NULL: the kernel) goes to: of the caller's cycle where it is called back, else a new one. */
static struct body *callee_of(struct work *w, const struct body *caller, struct ir_func *func)
{
	struct seen seen = {0};
	bool inside = caller && reaches(w->f->arena, &seen, func, caller->from);
	uint32_t cycle = inside ? caller->cycle : w->ncycles++;
	struct body *b = find_body(w, func, cycle);
	if (!b && w->bodies.len == MAX_COPIES) {
		diag_error(w->f->module->diags, func->line, "'%s': recursive functions are called from more than %u places", func->name,
		           MAX_COPIES);
		return NULL;
	}
	if (b)
		return b;
	warn_of_warp_operations(w, func);
	b = add_body(w, func, cycle);
	if (b->locals + STACK_ALIGN <= STACK_BYTES)
		return b;
	diag_error(w->f->module->diags, func->line, "'%s' is recursive and has %llu bytes of local data: the stack of recursion has %d", func->name,
	           (unsigned long long)b->locals, STACK_BYTES);
	return NULL;
}

/* All calls, in the kernel and in the copies, which are made as calls of them are met. False after an error. */
static bool find_sites(struct work *w)
{
	for (uint32_t k = 0; k < w->f->blocks.len; k++) {
		own_blocks(w, NULL);
		ir_each_inst(i, w->f->blocks.data[k]) {
			if (!is_call(i))
				continue;
			struct site *s = NEW(w->f->arena, struct site);
			s->call = i;
			s->caller = w->body_of_block[i->block->id];
			s->callee = callee_of(w, s->caller, i->sym);
			if (!s->callee)
				return false;
			vec_push(w->f->arena, &w->sites, s);
		}
	}
	return true;
}

/* What lives at b's end, from what lives where its successors begin, phis not counted. */
static void live_out(const struct ir_block *b, bitword *const *in, bitword *live, uint32_t n)
{
	bitset_clear(live, n);
	for (uint32_t s = 0; s < b->nsuccs; s++) {
		const struct ir_block *to = b->succs[s];
		bitset_union(live, in[to->id], n);
		for (const struct ir_inst *i = to->first; i && i->op == IR_phi; i = i->next)
			for (uint32_t p = 0; p < to->preds.len; p++)
				if (to->preds.data[p] == b && i->args[p]->block)
					bitset_add(live, i->args[p]->id);
	}
}

/* Values that live after each call, other than its results. Backward liveness by bitsets over the whole kernel. */
static void find_live(struct work *w)
{
	struct ir_func *f = w->f;
	uint32_t n = f->ninsts;
	bitword **in = NEWN(f->arena, bitword *, f->blocks.len), *live = bitset_new(f->arena, n);
	struct ir_inst **by_id = NEWN(f->arena, struct ir_inst *, n);
	ir_each_block(b, f) {
		b->id = b_k;
		in[b_k] = bitset_new(f->arena, n);
		ir_each_inst(i, b) by_id[i->id] = i;
	}
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t k = f->blocks.len; k-- > 0;) {
			struct ir_block *b = f->blocks.data[k];
			live_out(b, in, live, n);
			for (struct ir_inst *i = b->last; i; i = i->prev) {
				bitset_del(live, i->id);
				for (uint32_t a = 0; a < i->nargs && i->op != IR_phi; a++)
					if (i->args[a]->block)
						bitset_add(live, i->args[a]->id);
			}
			changed |= bitset_union(in[k], live, n);
		}
	}
	/* Once more, noting what lives at each call. */
	for (uint32_t s = 0; s < w->sites.len; s++) {
		struct site *site = w->sites.data[s];
		struct ir_block *b = site->call->block;
		live_out(b, in, live, n);
		for (struct ir_inst *i = b->last; i != site->call; i = i->prev) {
			bitset_del(live, i->id);
			for (uint32_t a = 0; a < i->nargs; a++)
				if (i->args[a]->block && i->args[a] != site->call)
					bitset_add(live, i->args[a]->id);
		}
		bitset_del(live, site->call->id);
		bitset_each(v, live, n)
			if (by_id[v])
				vec_push(f->arena, &site->live, by_id[v]);
	}
}

/* Values that live across some call go through a register: set where they are made, read where they are used. */
static uint32_t *demote(struct work *w)
{
	struct ir_func *f = w->f;
	uint32_t n = f->ninsts, *reg = NEWN(f->arena, uint32_t, n);
	for (uint32_t k = 0; k < n; k++)
		reg[k] = UINT32_MAX;
	for (uint32_t s = 0; s < w->sites.len; s++)
		for (uint32_t k = 0; k < w->sites.data[s]->live.len; k++) {
			struct ir_inst *v = w->sites.data[s]->live.data[k];
			if (reg[v->id] == UINT32_MAX)
				reg[v->id] = new_reg(w, v->width);
		}
	ir_each_block(b, f)
		ir_each_inst_safe(i, b)
			for (uint32_t a = 0; a < i->nargs && i->id < n; a++) {
				struct ir_inst *v = i->args[a];
				if (v->id >= n || reg[v->id] == UINT32_MAX)
					continue;
				struct ir_block *at = i->op == IR_phi ? b->preds.data[a] : b;
				struct ir_cursor c = {f, at, i->op == IR_phi ? ir_terminator(at) : i, i->line};
				i->args[a] = get(&c, w, reg[v->id]);
			}
	ir_each_block(b, f)
		ir_each_inst_safe(i, b) {
			if (i->id >= n || reg[i->id] == UINT32_MAX)
				continue;
			struct ir_inst *next = i->next;
			/* results stand right behind their call, phis in front of their block */
			while (next && (next->op == IR_phi || (i->op == IR_callres && next->op == IR_callres)))
				next = next->next;
			struct ir_cursor c = {f, b, next, i->line};
			set(&c, reg[i->id], i);
		}
	return reg;
}

static struct ir_inst *stack_address(struct ir_cursor *c, struct work *w, struct ir_inst *at)
{
	struct ir_inst *base = ir_inst_new(c->f, IR_symaddr, 32, 0);
	base->sym = w->stack;
	return ir_b2(c, IR_add, 32, at, ir_emit(c, base));
}

static struct ir_inst *stack_access(struct ir_cursor *c, enum ir_op op, uint32_t width, struct ir_inst *address, uint32_t offset, struct ir_inst *v)
{
	struct ir_inst *m = ir_inst_new(c->f, op, op == IR_load ? width : 0, v ? 2 : 1);
	m->args[0] = address;
	if (v)
		m->args[1] = v;
	m->imm = offset;
	m->mem = (struct ir_mem){.space = IR_LOCAL, .bits = (uint16_t)width, .align_log2 = (uint8_t)(width >= 128 ? 4 : width == 64 ? 3 : width == 16 ? 1 : 2)};
	return ir_emit(c, m);
}

static uint32_t saved_bits(const struct ir_inst *v)
{
	return v->width == 1 ? 32 : v->width;
}

/* Frame of the call: offsets of its saved values; returns its size. */
static uint32_t frame_layout(const struct site *s, uint32_t *offset)
{
	uint32_t at = 0;
	for (uint32_t k = 0; k < s->live.len; k++) {
		uint32_t bytes = saved_bits(s->live.data[k]) / 8;
		at = (uint32_t)align_up(at, bytes > 16 ? 16 : bytes);
		offset[k] = at;
		at += bytes;
	}
	return (uint32_t)align_up(at + 4, STACK_ALIGN);
}

/* The kernel's own values are not overwritten while it waits: only copies of functions save theirs. */
static void lower_site(struct work *w, struct site *s, const uint32_t *reg, struct ir_fwd *fwd)
{
	struct ir_func *f = w->f;
	struct ir_inst *call = s->call;
	if (!s->caller)
		s->live.len = 0;
	uint32_t *offset = NEWN(f->arena, uint32_t, s->live.len + 1), frame = frame_layout(s, offset);
	struct ir_block *head = call->block, *rest = ir_split(f, call), *push = ir_block_new(f), *full = ir_block_new(f);
	struct ir_cursor c = {f, head, NULL, call->line};
	struct ir_inst *sp = get(&c, w, w->sp), *top = ir_b2(&c, IR_add, 32, sp, ir_const(f, 32, frame));
	uint32_t need = (uint32_t)s->callee->locals;
	struct ir_inst *fits = ir_cmp(&c, IR_icmp, IRC_ULE, ir_b2(&c, IR_add, 32, top, ir_const(f, 32, need)), ir_const(f, 32, STACK_BYTES));
	ir_condbr(&c, fits, push, full);
	c.block = full;
	ir_end(&c, IR_trap);
	c.block = push;
	struct ir_inst *base = stack_address(&c, w, sp);
	for (uint32_t k = 0; k < s->live.len; k++) {
		struct ir_inst *v = get(&c, w, reg[s->live.data[k]->id]);
		if (v->width == 1)
			v = ir_b1(&c, IR_zext, 32, v);
		stack_access(&c, IR_store, v->width, base, offset[k], v);
	}
	stack_access(&c, IR_store, 32, base, frame - 4, ir_const(f, 32, s->callee->places.len));
	set(&c, w->sp, ir_b2(&c, IR_add, 32, top, ir_const(f, 32, need)));
	for (uint32_t k = 0; k < call->nargs; k++)
		set(&c, s->callee->args + k, call->args[k]);
	ir_br(&c, s->callee->entry);
	/* Behind the call: pop, then the results. */
	struct ir_block *back = ir_block_new(f);
	vec_push(f->arena, &s->callee->places, back);
	c.block = back;
	sp = ir_b2(&c, IR_sub, 32, get(&c, w, w->sp), ir_const(f, 32, frame));
	set(&c, w->sp, sp);
	base = stack_address(&c, w, sp);
	for (uint32_t k = 0; k < s->live.len; k++) {
		struct ir_inst *v = s->live.data[k], *x = stack_access(&c, IR_load, saved_bits(v), base, offset[k], NULL);
		if (v->width == 1)
			x = ir_cmp(&c, IR_icmp, IRC_NE, x, ir_const(f, 32, 0));
		set(&c, reg[v->id], x);
	}
	ir_br(&c, rest);
	for (struct ir_inst *i = call->next, *next; i; i = next) {
		next = i->next;
		if (i->op != IR_callres || i->args[0] != call)
			continue;
		struct ir_cursor at = {f, rest, i, i->line};
		ir_fwd_set(f, fwd, i, get(&at, w, s->callee->results + (uint32_t)i->imm));
		ir_remove(i);
	}
	ir_remove(call);
}

/* The frame's base while the function runs is sp less its size. */
static void lower_locals(struct work *w)
{
	struct ir_func *f = w->f;
	struct ir_fwd fwd = ir_fwd_new(f);
	for (uint32_t k = 0; k < w->nblocks; k++) {
		struct body *b = w->body_of_block[k];
		if (!b)
			continue;
		ir_each_inst_safe(i, f->blocks.data[k]) {
			struct ir_var *v = i->op == IR_symaddr ? i->sym : NULL;
			if (!v || v->space != IR_LOCAL || v == w->stack)
				continue;
			struct ir_cursor c = ir_at(f, i);
			const struct ir_var *original = v->copy_of ? v->copy_of : v;
			uint32_t at = (uint32_t)original->offset + (uint32_t)i->imm - (uint32_t)b->locals;
			struct ir_inst *x = stack_address(&c, w, ir_b2(&c, IR_add, 32, get(&c, w, w->sp), ir_const(f, 32, at)));
			ir_fwd_set(f, &fwd, i, x);
			ir_remove(i);
		}
	}
	ir_fwd_apply(f, &fwd);
}

static void lower_return(struct work *w, struct body *b)
{
	struct ir_func *f = w->f;
	struct ir_block *at = b->leave;
	ir_remove(at->last);
	struct ir_cursor c = {f, at, NULL, b->from->line};
	struct ir_inst *sp = ir_b2(&c, IR_sub, 32, get(&c, w, w->sp), ir_const(f, 32, b->locals));
	set(&c, w->sp, sp);
	struct ir_inst *word = ir_b2(&c, IR_sub, 32, sp, ir_const(f, 32, 4));
	struct ir_inst *place = stack_access(&c, IR_load, 32, stack_address(&c, w, word), 0, NULL);
	if (b->places.len == 1)
		ir_br(&c, b->places.data[0]);
	else
		ir_switch(&c, place, b->places.data, b->places.len);
}

static void lower_kernel(struct ir_func *f)
{
	struct work w = {.f = f};
	f->nregs = 0;
	ir_each_block(b, f) b->id = b_k;
	w.sp = new_reg(&w, 32);
	own_blocks(&w, NULL);
	w.stack = NEW(f->arena, struct ir_var);
	w.stack->name = "recursion.stack";
	w.stack->space = IR_LOCAL;
	w.stack->size = STACK_BYTES;
	w.stack->align = STACK_ALIGN;
	vec_push(f->arena, &f->vars, w.stack);
	if (!find_sites(&w))
		return;
	own_blocks(&w, NULL);
	ir_each_block(b, f) b->id = b_k;
	find_live(&w);
	uint32_t *reg = demote(&w);
	lower_locals(&w);
	struct ir_fwd fwd = ir_fwd_new(f);
	for (uint32_t s = 0; s < w.sites.len; s++)
		lower_site(&w, w.sites.data[s], reg, &fwd);
	ir_fwd_apply(f, &fwd);
	for (uint32_t k = 0; k < w.bodies.len; k++)
		lower_return(&w, w.bodies.data[k]);
	struct ir_inst *first = f->blocks.data[0]->first;
	struct ir_cursor c = {f, f->blocks.data[0], first, f->line};
	set(&c, w.sp, ir_const(f, 32, 0));
	ir_ssa(f);
}

void ir_recursion(struct ir_module *m)
{
	uint32_t kept = 0;
	for (uint32_t k = 0; k < m->funcs.len; k++) {
		struct ir_func *f = m->funcs.data[k];
		bool calls = false;
		if (f->is_kernel)
			ir_each_block(b, f)
				ir_each_inst(i, b)
					calls |= is_call(i);
		if (calls)
			lower_kernel(f);
	}
	for (uint32_t k = 0; k < m->funcs.len; k++)
		if (m->funcs.data[k]->is_kernel || m->funcs.data[k]->is_decl)
			m->funcs.data[kept++] = m->funcs.data[k];
	m->funcs.len = kept;
}
