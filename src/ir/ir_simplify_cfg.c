/* Simplifies control flow until nothing changes: unreachable blocks, branches that are decided, branches to one place, phis that
 * are one value, chains of blocks, empty blocks.
 *
 * ensures: ir_dominators. */
#include "ir/ir_util.h"

enum { MANY = 256 /* predecessors of a block with phis: searching them for each empty block would take long */ };

struct simplifier {
	struct ir_func *f;
	struct ir_fwd fwd;
	bool changed;
};

static void to_branch(struct simplifier *s, struct ir_block *b, struct ir_block *to)
{
	struct ir_inst *br = ir_inst_new(s->f, IR_br, 0, 0);
	br->line = b->last->line;
	ir_remove(b->last);
	ir_append(b, br);
	b->succs = NEWN(s->f->arena, struct ir_block *, 1);
	b->succs[0] = to;
	b->nsuccs = 1;
	s->changed = true;
}

/* The branch of b always takes edge `taken`. */
static void decide(struct simplifier *s, struct ir_block *b, uint32_t taken)
{
	struct ir_block *to = b->succs[taken];
	uint32_t same = 0; /* which of b's entries in to->preds stands for the edge */
	for (uint32_t k = 0; k < taken; k++)
		same += b->succs[k] == to;
	for (uint32_t k = 0; k < b->nsuccs; k++) {
		struct ir_block *t = b->succs[k];
		uint32_t seen = 0;
		bool first = true;
		for (uint32_t j = 0; j < k; j++)
			first = first && b->succs[j] != t;
		if (!first)
			continue;
		for (uint32_t p = 0; p < t->preds.len;) {
			if (t->preds.data[p] != b || (t == to && seen++ == same))
				p++;
			else
				ir_remove_pred(t, p);
		}
	}
	to_branch(s, b, to);
}

/* Both edges of a condbr lead to t: phis that tell them apart become selects. */
static void merge_edges(struct simplifier *s, struct ir_block *b)
{
	struct ir_block *t = b->succs[0];
	uint32_t p0 = ir_pred_index(t, b), p1 = p0 + 1;
	struct ir_cursor c = ir_at(s->f, b->last);
	while (t->preds.data[p1] != b)
		p1++;
	for (struct ir_inst *i = t->first; i && i->op == IR_phi; i = i->next)
		if (i->args[p0] != i->args[p1])
			i->args[p0] = ir_select(&c, b->last->args[0], i->args[p0], i->args[p1]);
	ir_remove_pred(t, p1);
	to_branch(s, b, t);
}

static bool all_same(const struct ir_block *b)
{
	for (uint32_t k = 1; k < b->nsuccs; k++)
		if (b->succs[k] != b->succs[0])
			return false;
	return true;
}

static void branches(struct simplifier *s)
{
	ir_each_block(b, s->f) {
		struct ir_inst *i = b->last;
		if (b->nsuccs < 2)
			continue;
		struct ir_inst *x = ir_fwd_get(&s->fwd, i->args[0]);
		if (x->op == IR_const)
			decide(s, b, i->op == IR_condbr ? !x->imm : x->imm < b->nsuccs ? (uint32_t)x->imm : 0);
		else if (x->op == IR_undef)
			decide(s, b, 0);
		else if (i->op == IR_condbr && b->succs[0] == b->succs[1])
			merge_edges(s, b);
		else if (i->op == IR_switch && all_same(b) && b->succs[0]->first->op != IR_phi)
			decide(s, b, 0);
		else if (i->op == IR_condbr && x->op == IR_not) {
			struct ir_block *t = b->succs[0];
			i->args[0] = x->args[0];
			b->succs[0] = b->succs[1];
			b->succs[1] = t;
			s->changed = true;
		}
	}
}

/* The one value that a phi can have, or NULL. */
static struct ir_inst *single_value(struct simplifier *s, struct ir_inst *phi)
{
	struct ir_inst *v = NULL;
	for (uint32_t k = 0; k < phi->nargs; k++) {
		struct ir_inst *x = ir_fwd_get(&s->fwd, phi->args[k]);
		if (x == phi || x == v)
			continue;
		if (v)
			return NULL;
		v = x;
	}
	return v ? v : ir_undef(s->f, phi->width);
}

static void phis(struct simplifier *s)
{
	for (bool again = true; again;) {
		again = false;
		ir_each_block(b, s->f) ir_each_inst_safe(i, b)
		{
			if (i->op != IR_phi)
				break;
			struct ir_inst *v = single_value(s, i);
			if (!v)
				continue;
			ir_fwd_set(s->f, &s->fwd, i, v);
			ir_remove(i);
			again = s->changed = true;
		}
	}
}

/* Appends s to b, its only predecessor, which goes nowhere else. */
static void merge_into(struct simplifier *x, struct ir_block *b, struct ir_block *s)
{
	ir_each_inst_safe(i, s)
	{
		if (i->op != IR_phi)
			break;
		ir_fwd_set(x->f, &x->fwd, i, i->args[0]);
		ir_remove(i);
	}
	ir_remove(b->last);
	ir_each_inst(i, s) i->block = b;
	if (s->first) {
		s->first->prev = b->last;
		if (b->last)
			b->last->next = s->first;
		else
			b->first = s->first;
		b->last = s->last;
	}
	b->succs = s->succs;
	b->nsuccs = s->nsuccs;
	for (uint32_t k = 0; k < b->nsuccs; k++)
		for (uint32_t p = 0; p < b->succs[k]->preds.len; p++)
			if (b->succs[k]->preds.data[p] == s)
				b->succs[k]->preds.data[p] = b;
	s->first = s->last = NULL;
	s->nsuccs = 0;
	s->preds.len = 0;
	x->changed = true;
}

static void chains(struct simplifier *s)
{
	ir_each_block(b, s->f) {
		while (b->last && b->nsuccs == 1 && b->succs[0]->preds.len == 1 && b->succs[0] != b &&
		       b->succs[0] != s->f->blocks.data[0])
			merge_into(s, b, b->succs[0]);
	}
}

static bool has_pred(const struct ir_block *b, const struct ir_block *p)
{
	for (uint32_t k = 0; k < b->preds.len; k++)
		if (b->preds.data[k] == p)
			return true;
	return false;
}

/* e does nothing but branch to t: its predecessors go there themselves. */
static void skip_empty(struct simplifier *s, struct ir_block *e)
{
	struct ir_block *t = e->succs[0];
	bool has_phis = t->first->op == IR_phi;
	if (t == e || !e->preds.len || e == s->f->blocks.data[0] || (has_phis && t->preds.len > MANY))
		return;
	uint32_t at = ir_pred_index(t, e);
	for (uint32_t k = 0; has_phis && k < e->preds.len; k++)
		if (has_pred(t, e->preds.data[k]) || e->preds.data[k]->nsuccs > 1)
			return; /* the edge would have to be split again */
	for (uint32_t k = 0; k < e->preds.len; k++) {
		struct ir_block *p = e->preds.data[k];
		bool again = k && e->preds.data[k - 1] == p; /* a switch with many edges to e */
		for (uint32_t j = 0; j < p->nsuccs && !again; j++)
			if (p->succs[j] == e)
				p->succs[j] = t;
		vec_push(s->f->arena, &t->preds, p);
		for (struct ir_inst *i = t->first; i && i->op == IR_phi; i = i->next)
			ir_phi_append(s->f, i, i->args[at]);
	}
	ir_remove_pred(t, at);
	e->preds.len = 0;
	e->nsuccs = 0;
	e->first = e->last = NULL;
	s->changed = true;
}

static void empties(struct simplifier *s)
{
	ir_each_block(b, s->f) if (b->first && b->first->op == IR_br) skip_empty(s, b);
}

/* Blocks emptied by the steps above have lost their edges; the dominator walk drops them, with unreachable ones. */
void ir_simplify_cfg(struct ir_func *f)
{
	struct simplifier s = {.f = f, .fwd = ir_fwd_new(f)};
	do {
		s.changed = false;
		branches(&s);
		ir_dominators(f);
		phis(&s);
		chains(&s);
		empties(&s);
	} while (s.changed);
	ir_fwd_apply(f, &s.fwd);
}
