/* Inlines every call of a defined function that is not recursive, callees before callers; then drops device functions that nothing
 * refers to any more. Calls that remain (recursive, indirect, of functions without a body) are refused by selection.
 *
 * A callee's local variables are copied once per caller: two activations of one function are never alive at once without recursion.
 * Its shared variables stay the same objects.
 *
 * requires: SSA.  breaks: dominators, order. */
#include "ir/ir_util.h"

enum state { NEW_FUNC, ACTIVE, DONE };
enum { MAX_INSTS = 1 << 22 };

struct func_info {
	enum state state;
	bool recursive;
	VEC(struct ir_func *) callees;
};

struct inliner {
	struct ir_module *m;
	struct func_info *info; /* by index in m->funcs, which funcs keep in aux while the pass runs */
};

static struct func_info *info_of(struct inliner *w, struct ir_func *f)
{
	return &w->info[(uintptr_t)f->aux];
}

/* --- one call --- */

struct site {
	struct ir_func *to, *from;
	struct ir_inst *call;
	struct ir_block *rest;
	struct ir_block **blocks; /* of from, by id: their copies */
	struct ir_inst **values;  /* of from, by id */
	struct ir_inst **results; /* phis in rest */
};

static struct ir_var *copy_of_var(struct ir_func *to, struct ir_var *v)
{
	for (uint32_t k = 0; k < to->vars.len; k++)
		if (to->vars.data[k] == v || (to->vars.data[k]->copy_of == v))
			return to->vars.data[k];
	struct ir_var *c = v;
	if (v->space == IR_LOCAL) {
		c = NEW(to->arena, struct ir_var);
		*c = *v;
		c->copy_of = v;
	}
	vec_push(to->arena, &to->vars, c);
	return c;
}

static bool owns(const struct ir_func *f, const struct ir_var *v)
{
	for (uint32_t k = 0; k < f->vars.len; k++)
		if (f->vars.data[k] == v)
			return true;
	return false;
}

static struct ir_inst *copy_value(struct site *s, struct ir_inst *v)
{
	if (v->op == IR_const)
		return ir_const(s->to, v->width, v->imm);
	if (v->op == IR_undef)
		return ir_undef(s->to, v->width);
	return s->values[v->id];
}

static struct ir_inst *copy_inst(struct site *s, struct ir_inst *i)
{
	struct ir_inst *c = ir_inst_new(s->to, (enum ir_op)i->op, i->width, i->nargs), **args = c->args;
	uint32_t id = c->id;
	*c = *i;
	c->args = args;
	c->id = id;
	c->prev = c->next = NULL;
	if (c->op == IR_symaddr && owns(s->from, c->sym))
		c->sym = copy_of_var(s->to, c->sym);
	return c;
}

static void copy_edges(struct site *s, struct ir_block *b)
{
	struct ir_block *c = s->blocks[b->id];
	c->nsuccs = b->nsuccs;
	c->succs = NEWN(s->to->arena, struct ir_block *, b->nsuccs);
	for (uint32_t k = 0; k < b->nsuccs; k++)
		c->succs[k] = s->blocks[b->succs[k]->id];
	for (uint32_t k = 0; k < b->preds.len; k++)
		vec_push(s->to->arena, &c->preds, s->blocks[b->preds.data[k]->id]);
}

static void copy_return(struct site *s, struct ir_block *c, struct ir_inst *ret)
{
	struct ir_cursor at = {s->to, c, NULL, ret->line};
	for (uint32_t k = 0; k < ret->nargs && s->results; k++)
		ir_phi_append(s->to, s->results[k], copy_value(s, ret->args[k]));
	ir_br(&at, s->rest);
}

static void copy_body(struct site *s)
{
	ir_each_block(b, s->from) {
		struct ir_block *c = s->blocks[b->id];
		ir_each_inst(i, b) {
			if (i->op == IR_arg)
				s->values[i->id] = s->call->args[i->imm];
			else if (i->op != IR_ret)
				ir_append(c, s->values[i->id] = copy_inst(s, i));
		}
	}
	ir_each_block(b, s->from) {
		copy_edges(s, b);
		ir_each_inst(i, b) {
			struct ir_inst *c = s->values[i->id];
			for (uint32_t k = 0; i->op != IR_arg && i->op != IR_ret && k < i->nargs; k++)
				c->args[k] = copy_value(s, i->args[k]);
		}
		if (b->last->op == IR_ret)
			copy_return(s, s->blocks[b->id], b->last);
	}
}

/* Replaces the call; the results' uses go through fwd. Code after the call is in the block returned. */
struct ir_block *ir_inline_call(struct ir_func *to, struct ir_inst *call, struct ir_fwd *fwd)
{
	struct ir_func *from = call->sym;
	struct ir_block *before = call->block;
	struct site s = {.to = to, .from = from, .call = call, .rest = ir_split(to, call)};
	uint32_t nb = from->blocks.len, nr = from->ret_widths.len;
	s.blocks = NEWN(to->arena, struct ir_block *, nb);
	s.values = NEWN(to->arena, struct ir_inst *, from->ninsts);
	s.results = NEWN(to->arena, struct ir_inst *, nr);
	for (uint32_t k = 0; k < nr; k++)
		s.results[k] = ir_inst_new(to, IR_phi, from->ret_widths.data[k], 0);
	ir_each_block(b, from) {
		b->id = b_k;
		s.blocks[b_k] = ir_block_new(to);
		s.blocks[b_k]->line = b->line;
	}
	copy_body(&s);
	for (struct ir_inst *i = call->next, *next; i; i = next) {
		next = i->next;
		if (i->op != IR_callres || i->args[0] != call)
			continue;
		struct ir_inst *r = i->imm < nr && s.rest->preds.len ? s.results[i->imm] : ir_undef(to, i->width);
		ir_fwd_set(to, fwd, i, r);
		ir_remove(i);
	}
	for (uint32_t k = 0; k < nr && s.rest->preds.len; k++)
		ir_insert_before(s.rest->first, s.results[k]);
	struct ir_cursor at = {to, before, NULL, call->line};
	ir_remove(call);
	ir_br(&at, s.blocks[0]);
	return s.rest;
}

/* --- the call graph --- */

static bool can_inline(struct inliner *w, const struct ir_inst *i)
{
	struct ir_func *callee = i->sym;
	return i->op == IR_call && callee && !callee->is_decl && !callee->is_kernel && !info_of(w, callee)->recursive;
}

static void inline_into(struct inliner *w, struct ir_func *f)
{
	struct ir_fwd fwd = ir_fwd_new(f);
	bool any = false;
	for (uint32_t k = 0, n = f->blocks.len; k < n; k++) {
		struct ir_block *b = f->blocks.data[k];
		for (struct ir_inst *i = b->first, *next; i; i = next) {
			next = i->next;
			if (!can_inline(w, i))
				continue;
			if (f->ninsts + ((struct ir_func *)i->sym)->ninsts > MAX_INSTS) {
				diag_error(w->m->diags, i->line, "function '%s' is too large with '%s' inlined", f->name,
					   ((struct ir_func *)i->sym)->name);
				return;
			}
			b = ir_inline_call(f, i, &fwd);
			any = true;
			/* phis of results are in front: go on behind the call */
			while (next && !next->block)
				next = b->first;
		}
	}
	if (any)
		ir_fwd_apply(f, &fwd);
}

/* Marks every function of the cycle that a call of an active function closes. */
static void mark_cycle(struct inliner *w, struct ir_func **path, uint32_t depth, struct ir_func *f)
{
	while (depth-- > 0) {
		info_of(w, path[depth])->recursive = true;
		if (path[depth] == f)
			return;
	}
}

static void enter(struct inliner *w, struct ir_func **path, uint32_t *depth, struct ir_func *f)
{
	info_of(w, f)->state = ACTIVE;
	path[(*depth)++] = f;
}

/* Depth-first over calls, callees first; the path is the stack of active functions. Once cycles are known (`inlining`), what is
 * inlined into each function is done then. */
static void walk(struct inliner *w, bool inlining)
{
	uint32_t n = w->m->funcs.len, *next = NEWN(w->m->arena, uint32_t, n);
	struct ir_func **path = NEWN(w->m->arena, struct ir_func *, n);
	for (uint32_t k = 0; k < n; k++)
		w->info[k].state = NEW_FUNC;
	for (uint32_t root = 0; root < n; root++) {
		uint32_t depth = 0;
		if (w->info[root].state == NEW_FUNC)
			enter(w, path, &depth, w->m->funcs.data[root]);
		while (depth) {
			struct ir_func *f = path[depth - 1];
			struct func_info *x = info_of(w, f);
			if (next[x - w->info] < x->callees.len) {
				struct ir_func *callee = x->callees.data[next[x - w->info]++];
				enum state state = info_of(w, callee)->state;
				if (state == NEW_FUNC)
					enter(w, path, &depth, callee);
				else if (state == ACTIVE)
					mark_cycle(w, path, depth, callee);
				continue;
			}
			if (inlining)
				inline_into(w, f);
			x->state = DONE;
			depth--;
		}
	}
}

static void find_callees(struct inliner *w)
{
	for (uint32_t k = 0; k < w->m->funcs.len; k++) {
		struct ir_func *f = w->m->funcs.data[k];
		ir_each_block(b, f) ir_each_inst(i, b) if (i->op == IR_call && i->sym)
			vec_push(w->m->arena, &w->info[k].callees, i->sym);
	}
}

static void reference(struct inliner *w, struct ir_func *f, struct ir_func **work, uint32_t *n)
{
	if (info_of(w, f)->state != ACTIVE) {
		info_of(w, f)->state = ACTIVE;
		work[(*n)++] = f;
	}
}

/* Keeps kernels, declarations and what they or initialisers still refer to. */
static void drop_unused(struct inliner *w)
{
	struct ir_module *m = w->m;
	struct ir_func **work = NEWN(m->arena, struct ir_func *, m->funcs.len + 1);
	uint32_t n = 0, kept = 0;
	for (uint32_t k = 0; k < m->funcs.len; k++) {
		w->info[k].state = NEW_FUNC;
		if (m->funcs.data[k]->is_kernel)
			reference(w, m->funcs.data[k], work, &n);
	}
	for (uint32_t k = 0; k < m->vars.len; k++)
		for (uint32_t r = 0; r < m->vars.data[k]->nrelocs; r++)
			if (m->vars.data[k]->relocs[r].func)
				reference(w, m->vars.data[k]->relocs[r].func, work, &n);
	while (n) {
		struct ir_func *f = work[--n];
		ir_each_block(b, f) ir_each_inst(i, b) if ((i->op == IR_call || i->op == IR_funcaddr) && i->sym)
			reference(w, i->sym, work, &n);
	}
	for (uint32_t k = 0; k < m->funcs.len; k++)
		if (info_of(w, m->funcs.data[k])->state == ACTIVE)
			m->funcs.data[kept++] = m->funcs.data[k];
	m->funcs.len = kept;
}

void ir_inline(struct ir_module *m)
{
	uint32_t n = m->funcs.len;
	struct inliner w = {m, NEWN(m->arena, struct func_info, n + 1)};
	for (uint32_t k = 0; k < n; k++)
		m->funcs.data[k]->aux = (void *)(uintptr_t)k;
	find_callees(&w);
	walk(&w, false);
	walk(&w, true);
	drop_unused(&w);
	for (uint32_t k = 0; k < m->funcs.len; k++)
		m->funcs.data[k]->aux = NULL;
}
