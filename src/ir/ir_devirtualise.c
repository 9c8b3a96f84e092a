/* ir_devirtualise: calls through pointers become a choice among the functions whose address is taken.
 *
 * requires: SSA.  ensures: no funcaddr, no call without a callee, no relocation to a function.
 *
 * The address of a function is its number in the module, from 1: unique and not null, which is all that PTX lets a program see of
 * it. A call through a pointer compares with each function of that signature that the pointer may be, and traps if it is none (with a
 * warning where there is no such function). A pointer
 * that constants, phis and selects make is one of those constants; any other may be every function. */
#include "ir/ir_util.h"

enum { MAX_DEPTH = 64 };

struct targets {
	struct ir_module *m;
	VEC(struct ir_func *) taken; /* address of taken.data[k]: k + 1 */
};

static uint64_t address_of(struct targets *t, struct ir_func *f)
{
	for (uint32_t k = 0; k < t->taken.len; k++)
		if (t->taken.data[k] == f)
			return k + 1;
	vec_push(t->m->arena, &t->taken, f);
	return t->taken.len;
}

/* Function addresses in an initialiser become numbers there. */
static void settle_relocs(struct targets *t, struct ir_var *v)
{
	uint32_t kept = 0;
	uint8_t *init = NULL;
	for (uint32_t k = 0; k < v->nrelocs; k++) {
		struct ir_reloc *r = &v->relocs[k];
		if (!r->func) {
			v->relocs[kept++] = *r;
			continue;
		}
		if (!init) {
			init = NEWN(t->m->arena, uint8_t, v->size);
			if (v->init)
				memcpy(init, v->init, v->size);
			v->init = init;
		}
		uint64_t x = (address_of(t, r->func) + (uint64_t)r->addend) >> r->shift;
		for (uint32_t b = 0; b < r->bytes; b++)
			init[r->offset + b] = (uint8_t)(x >> 8 * b);
	}
	v->nrelocs = kept;
}

static bool same_signature(const struct ir_func *f, const struct ir_inst *call)
{
	if (f->is_kernel || f->is_decl || f->arg_widths.len != call->nargs - 1)
		return false;
	for (uint32_t k = 0; k < f->arg_widths.len; k++)
		if (f->arg_widths.data[k] != call->args[k + 1]->width)
			return false;
	for (const struct ir_inst *r = call->next; r; r = r->next)
		if (r->op == IR_callres && r->args[0] == call && (r->imm >= f->ret_widths.len || f->ret_widths.data[r->imm] != r->width))
			return false;
	return true;
}

/* The results of the call being replaced: phis in the block behind it. */
struct results {
	struct ir_inst *old[64], *phi[64];
	uint32_t n;
};

static void direct_call(struct ir_func *f, struct ir_block *b, struct ir_func *callee, const struct ir_inst *call, struct results *r,
                        struct ir_block *rest)
{
	struct ir_cursor c = {f, b, NULL, call->line};
	struct ir_inst *d = ir_inst_new(f, IR_call, 0, call->nargs - 1);
	memcpy(d->args, call->args + 1, d->nargs * sizeof *d->args);
	d->sym = callee;
	d->line = call->line;
	ir_append(b, d);
	for (uint32_t k = 0; k < r->n; k++) {
		struct ir_inst *res = ir_inst_new(f, IR_callres, r->old[k]->width, 1);
		res->args[0] = d;
		res->imm = r->old[k]->imm;
		res->line = call->line;
		ir_append(b, res);
		ir_phi_append(f, r->phi[k], res);
	}
	ir_br(&c, rest);
}

/* Adds the functions that v may be the address of; false: any. */
static bool possible(struct targets *t, bitword *set, bitword *seen, const struct ir_inst *v, uint32_t depth)
{
	if (v->op == IR_const) {
		if (v->imm && v->imm <= t->taken.len)
			bitset_add(set, (uint32_t)v->imm - 1);
		return true;
	}
	if ((v->op != IR_phi && v->op != IR_select) || depth == MAX_DEPTH)
		return v->op == IR_undef;
	if (bitset_has(seen, v->id))
		return true;
	bitset_add(seen, v->id);
	for (uint32_t k = v->op == IR_select; k < v->nargs; k++)
		if (!possible(t, set, seen, v->args[k], depth + 1))
			return false;
	return true;
}

static void choose(struct targets *t, struct ir_func *f, struct ir_fwd *fwd, struct ir_inst *call)
{
	struct ir_block *at = call->block, *rest = ir_split(f, call);
	struct results r = {.n = 0};
	for (struct ir_inst *i = call->next; i; i = i->next)
		if (i->op == IR_callres && i->args[0] == call) {
			if (r.n == 64)
				ice(f->arena, "ir_devirtualise: %s: more than 64 results", f->name);
			r.old[r.n] = i;
			r.phi[r.n++] = ir_inst_new(f, IR_phi, i->width, 0);
		}
	struct ir_cursor c = {f, at, NULL, call->line};
	bitword *set = bitset_new(f->arena, t->taken.len);
	bool any = !possible(t, set, bitset_new(f->arena, f->ninsts), call->args[0], 0);
	for (uint32_t k = 0; k < t->taken.len; k++) {
		if ((!any && !bitset_has(set, k)) || !same_signature(t->taken.data[k], call))
			continue;
		struct ir_block *yes = ir_block_new(f), *no = ir_block_new(f);
		ir_condbr(&c, ir_cmp(&c, IR_icmp, IRC_EQ, call->args[0], ir_const(f, call->args[0]->width, k + 1)), yes, no);
		direct_call(f, yes, t->taken.data[k], call, &r, rest);
		c.block = no;
	}
	if (c.block == at)
		diag_warn(t->m->diags, call->line, "this call reaches no function: none whose address is taken has its signature; it traps");
	ir_end(&c, IR_trap);
	for (uint32_t k = 0; k < r.n; k++) {
		if (rest->preds.len)
			ir_insert_before(rest->first, r.phi[k]);
		ir_fwd_set(f, fwd, r.old[k], rest->preds.len ? r.phi[k] : ir_undef(f, r.old[k]->width));
		ir_remove(r.old[k]);
	}
	ir_remove(call);
}

static void lower_calls(struct targets *t, struct ir_func *f)
{
	struct ir_fwd fwd = ir_fwd_new(f);
	bool any = false;
	for (uint32_t k = 0; k < f->blocks.len; k++)
		ir_each_inst(i, f->blocks.data[k])
			if (i->op == IR_call && !i->sym) {
				choose(t, f, &fwd, i);
				any = true;
				break; /* the rest is a later block */
			}
	if (any)
		ir_fwd_apply(f, &fwd);
	if (any)
		ir_dominators(f);
}

void ir_devirtualise(struct ir_module *m)
{
	struct targets t = {.m = m};
	for (uint32_t k = 0; k < m->vars.len; k++)
		settle_relocs(&t, m->vars.data[k]);
	for (uint32_t k = 0; k < m->funcs.len; k++) {
		struct ir_func *f = m->funcs.data[k];
		struct ir_fwd fwd = ir_fwd_new(f);
		ir_each_block(b, f)
			ir_each_inst_safe(i, b)
				if (i->op == IR_funcaddr) {
					ir_fwd_set(f, &fwd, i, ir_const(f, 64, address_of(&t, i->sym)));
					ir_remove(i);
				}
		ir_fwd_apply(f, &fwd);
	}
	for (uint32_t k = 0; k < m->funcs.len; k++)
		lower_calls(&t, m->funcs.data[k]);
}
