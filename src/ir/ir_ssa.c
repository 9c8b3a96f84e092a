/* PTX registers to SSA: regget and regset disappear, phis appear where two definitions of a live register meet.
 *
 * requires: registers numbered below f->nregs; all gets and sets of one of the same width.
 * ensures: no regget, regset; pruned SSA; reads of a never-written register give undef; ir_dominators holds.
 * source: Cytron et al., with liveness per register found backwards from its uses, so the cost is that of the live ranges. */
#include "ir/ir_util.h"

struct sites {
	VEC(struct ir_block *) b;
};

struct ssa {
	struct ir_func *f;
	struct sites *df;         /* dominance frontier, by block id */
	uint16_t *width;          /* by register */
	struct sites *defs, *uses; /* by register: blocks that set it; that read it before any set */
	uint32_t *live, *defined, *placed; /* by block id: register last marked */
	struct ir_inst **cur;     /* by register: its value here */
	struct ir_fwd fwd;
	VEC(struct ir_block *) work;
	uint32_t *edge_first; /* by block id: its first entry in edges */
	struct edge *edges;   /* every edge, by its source */
};

struct edge {
	struct ir_block *to;
	uint32_t pred; /* which predecessor of `to` the edge is */
};

static void dominance_frontiers(struct ssa *s)
{
	s->df = NEWN(s->f->arena, struct sites, s->f->blocks.len);
	ir_each_block(b, s->f) {
		if (b->preds.len < 2)
			continue;
		for (uint32_t p = 0; p < b->preds.len; p++)
			for (struct ir_block *r = b->preds.data[p]; r && r != b->idom; r = r->idom) {
				struct sites *d = &s->df[r->id];
				if (d->b.len && vec_last(&d->b) == b)
					break; /* the rest of the way was walked for another predecessor */
				vec_push(s->f->arena, &d->b, b);
			}
	}
}

static void find_sites(struct ssa *s)
{
	struct arena *a = s->f->arena;
	uint32_t *seen = NEWN(a, uint32_t, s->f->nregs); /* block id + 1; the top bit: set there */
	const uint32_t is_set = 0x80000000;
	ir_each_block(b, s->f) ir_each_inst(i, b) {
		if (i->op != IR_regget && i->op != IR_regset)
			continue;
		uint32_t r = (uint32_t)i->imm, here = b->id + 1;
		if (r >= s->f->nregs)
			ice(a, "ir_ssa: @%s: register %u of %u", s->f->name, r, s->f->nregs);
		s->width[r] = i->op == IR_regget ? i->width : i->args[0]->width;
		if ((seen[r] & ~is_set) != here) {
			seen[r] = here;
			if (i->op == IR_regget)
				vec_push(a, &s->uses[r].b, b);
		}
		if (i->op == IR_regset && !(seen[r] & is_set)) {
			seen[r] |= is_set;
			vec_push(a, &s->defs[r].b, b);
		}
	}
}

/* Marks the blocks in which r is live on entry. */
static void find_live(struct ssa *s, uint32_t r)
{
	uint32_t stamp = r + 1;
	for (uint32_t k = 0; k < s->defs[r].b.len; k++)
		s->defined[s->defs[r].b.data[k]->id] = stamp;
	vec_clear(&s->work);
	for (uint32_t k = 0; k < s->uses[r].b.len; k++) {
		struct ir_block *b = s->uses[r].b.data[k];
		s->live[b->id] = stamp;
		vec_push(s->f->arena, &s->work, b);
	}
	while (s->work.len) {
		struct ir_block *b = vec_pop(&s->work);
		for (uint32_t p = 0; p < b->preds.len; p++) {
			struct ir_block *q = b->preds.data[p];
			if (s->live[q->id] == stamp || s->defined[q->id] == stamp)
				continue;
			s->live[q->id] = stamp;
			vec_push(s->f->arena, &s->work, q);
		}
	}
}

static void place_phis(struct ssa *s, uint32_t r)
{
	uint32_t stamp = r + 1;
	for (uint32_t k = 0; k < s->defs[r].b.len; k++)
		vec_push(s->f->arena, &s->work, s->defs[r].b.data[k]);
	while (s->work.len) {
		struct sites *d = &s->df[vec_pop(&s->work)->id];
		for (uint32_t k = 0; k < d->b.len; k++) {
			struct ir_block *y = d->b.data[k];
			if (s->placed[y->id] == stamp || s->live[y->id] != stamp)
				continue;
			s->placed[y->id] = stamp;
			struct ir_inst *phi = ir_inst_new(s->f, IR_phi, s->width[r], y->preds.len);
			phi->imm = stamp;
			phi->line = y->first->line;
			ir_insert_before(y->first, phi);
			vec_push(s->f->arena, &s->work, y);
		}
	}
}

static struct ir_inst *value_of(struct ssa *s, uint32_t r)
{
	return s->cur[r] ? s->cur[r] : ir_undef(s->f, s->width[r]);
}

struct undo {
	uint32_t reg;
	struct ir_inst *old;
};
typedef VEC(struct undo) undo_list;

static void set_current(struct ssa *s, undo_list *undo, uint32_t r, struct ir_inst *v)
{
	vec_push(s->f->arena, undo, (struct undo){r, s->cur[r]});
	s->cur[r] = v;
}

static void rename_block(struct ssa *s, struct ir_block *b, undo_list *undo)
{
	ir_each_inst_safe(i, b) {
		if (i->op == IR_phi) {
			if (i->imm)
				set_current(s, undo, (uint32_t)i->imm - 1, i);
			continue;
		}
		ir_fwd_args(&s->fwd, i);
		if (i->op == IR_regget) {
			ir_fwd_set(s->f, &s->fwd, i, value_of(s, (uint32_t)i->imm));
			ir_remove(i);
		} else if (i->op == IR_regset) {
			set_current(s, undo, (uint32_t)i->imm, i->args[0]);
			ir_remove(i);
		}
	}
	for (uint32_t k = s->edge_first[b->id]; k < s->edge_first[b->id + 1]; k++)
		for (struct ir_inst *i = s->edges[k].to->first; i && i->op == IR_phi; i = i->next)
			if (i->imm)
				i->args[s->edges[k].pred] = value_of(s, (uint32_t)i->imm - 1);
}

/* Sorts the edges by source, so that finding a predecessor's place takes no search. */
static void list_edges(struct ssa *s)
{
	uint32_t nb = s->f->blocks.len, *next = NEWN(s->f->arena, uint32_t, nb);
	s->edge_first = NEWN(s->f->arena, uint32_t, nb + 1);
	ir_each_block(b, s->f) s->edge_first[b->id + 1] = s->edge_first[b->id] + b->nsuccs;
	s->edges = NEWN(s->f->arena, struct edge, s->edge_first[nb]);
	ir_each_block(b, s->f) for (uint32_t p = 0; p < b->preds.len; p++)
	{
		uint32_t from = b->preds.data[p]->id;
		s->edges[s->edge_first[from] + next[from]++] = (struct edge){b, p};
	}
}

/* Walks the dominator tree in pre-order. */
static void rename_all(struct ssa *s)
{
	uint32_t nb = s->f->blocks.len, sp = 0;
	struct ir_block **order = NEWN(s->f->arena, struct ir_block *, nb), **path = NEWN(s->f->arena, struct ir_block *, nb);
	uint32_t *mark = NEWN(s->f->arena, uint32_t, nb);
	undo_list undo = {0};
	ir_each_block(b, s->f) order[b->dom_pre] = b;
	for (uint32_t k = 0; k < nb; k++) {
		struct ir_block *b = order[k];
		while (sp && path[sp - 1] != b->idom) {
			sp--;
			while (undo.len > mark[sp]) {
				struct undo u = vec_pop(&undo);
				s->cur[u.reg] = u.old;
			}
		}
		mark[sp] = undo.len;
		path[sp++] = b;
		rename_block(s, b, &undo);
	}
}

void ir_ssa(struct ir_func *f)
{
	struct arena *a = f->arena;
	ir_dominators(f);
	uint32_t nb = f->blocks.len, nr = f->nregs ? f->nregs : 1;
	struct ssa s = {.f = f};
	s.width = NEWN(a, uint16_t, nr);
	s.defs = NEWN(a, struct sites, nr);
	s.uses = NEWN(a, struct sites, nr);
	s.live = NEWN(a, uint32_t, nb);
	s.defined = NEWN(a, uint32_t, nb);
	s.placed = NEWN(a, uint32_t, nb);
	s.cur = NEWN(a, struct ir_inst *, nr);
	dominance_frontiers(&s);
	find_sites(&s);
	for (uint32_t r = 0; r < f->nregs; r++) {
		if (!s.uses[r].b.len || !s.defs[r].b.len)
			continue;
		find_live(&s, r);
		place_phis(&s, r);
	}
	s.fwd = ir_fwd_new(f);
	list_edges(&s);
	rename_all(&s);
	ir_each_block(b, f) for (struct ir_inst *i = b->first; i && i->op == IR_phi; i = i->next) {
		i->imm = 0;
		ir_fwd_args(&s.fwd, i);
	}
	f->nregs = 0;
}
