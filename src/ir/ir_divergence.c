/* Which values differ between the lanes of a wave.
 *
 * A value is divergent if its opcode makes it so, if an argument is, or if it is a phi where lanes arrive that a divergent branch
 * sent on different ways, or that left a loop in different iterations. The latter also makes every use, outside a loop that lanes
 * leave in different iterations, of a value made inside it divergent at that use (not the value itself).
 * Joins are found per divergent branch: each successor's label flows forward in block order; where two labels meet is a join. A
 * loop that some lanes leave while others go round it again sends its header's label to all its exits. In functions with irreducible
 * loops every phi is divergent as soon as one branch is.
 *
 * requires: ir_dominators, ir_loops.  ensures: inst->divergent, loop->divergent_exit.
 * source: Rosemann, Moll, Hack, "An Abstract Interpretation for SPMD Divergence on Reducible Control Flow Graphs". */
#include "ir/ir_util.h"

struct divergence {
	struct ir_func *f;
	bool changed, irreducible, local_pointers;
	bool *join;               /* by block order: its phis are divergent */
	bool *branch;             /* by block order: its branch was propagated */
	struct ir_block **label;  /* by block order, of the branch at hand */
	struct ir_block **header; /* by order of a loop's header: the label that came round */
	bool *left;               /* by order of a loop's header: some label left it */
	uint32_t pending;         /* labelled blocks and headers not yet passed */
	uint32_t furthest;        /* order of the last block labelled */
	struct ir_block *from;
};

static const bool sreg_divergent[IR_SREG_COUNT] = {
#define IR_SREG(name, text, divergent) divergent,
#include "ir/ir_sregs.def"
#undef IR_SREG
};

static bool sreg_differs(const struct ir_func *f, uint64_t sreg)
{
	uint32_t wave = f->module->wave_size, x = f->reqntid[0], y = f->reqntid[1];
	switch (sreg) {
	case IR_SREG_TID_X:
		return x != 1;
	case IR_SREG_TID_Y:
		return y != 1 && (!x || x % wave);
	case IR_SREG_TID_Z:
		return f->reqntid[2] != 1 && (!x || x * y % wave);
	case IR_SREG_WARPID:
		return wave != 32;
	default:
		return sreg_divergent[sreg];
	}
}

static bool load_differs(const struct divergence *d, const struct ir_inst *i)
{
	if (i->mem.space == IR_LOCAL || (i->mem.space == IR_GENERIC && d->local_pointers))
		return true;
	return i->mem.order != IR_WEAK || i->mem.is_volatile;
}

/* As seen from block b. */
static bool arg_differs(const struct ir_inst *x, const struct ir_block *b)
{
	if (x->divergent)
		return true;
	for (const struct ir_loop *l = x->block ? x->block->loop : NULL; l && !ir_loop_has(l, b); l = l->parent)
		if (l->divergent_exit)
			return true;
	return false;
}

static bool differs(const struct divergence *d, const struct ir_inst *i)
{
	uint16_t flags = ir_op_info[i->op].flags;
	if (i->force_divergent)
		return true;
	if (flags & IRF_UNIFORM)
		return false;
	if (flags & IRF_DIVERGENT)
		return true;
	switch (i->op) {
	case IR_ballot:
	case IR_activemask:
	case IR_matchall:
	case IR_redux:
		/* one result a warp */
		return d->f->module->wave_size != 32 || (i->nargs == 2 && arg_differs(i->args[1], i->block));
	case IR_amd_ballot64:
		return false;
	case IR_sreg:
		return sreg_differs(d->f, i->imm);
	case IR_load:
		if (load_differs(d, i))
			return true;
		break;
	case IR_phi:
		if (d->join[i->block->order])
			return true;
		break;
	}
	for (uint32_t k = 0; k < i->nargs; k++)
		if (arg_differs(i->args[k], i->block))
			return true;
	return false;
}

static void set_join(struct divergence *d, const struct ir_block *b)
{
	if (!d->join[b->order]) {
		d->join[b->order] = true;
		d->changed = true;
	}
}

static void arrive(struct divergence *d, struct ir_block **slot, struct ir_block *to, struct ir_block *label)
{
	if (!*slot) {
		*slot = label;
		d->pending++;
	} else if (*slot != label) {
		*slot = to;
		set_join(d, to);
	}
}

static void follow_edge(struct divergence *d, const struct ir_block *b, struct ir_block *to, struct ir_block *label)
{
	for (struct ir_loop *l = d->from->loop; l; l = l->parent)
		if (ir_loop_has(l, b) && !ir_loop_has(l, to))
			d->left[l->header->order] = true;
	if (to->order > b->order) {
		if (to->order > d->furthest)
			d->furthest = to->order;
		arrive(d, &d->label[to->order], to, label);
		return;
	}
	/* going round a loop that does not contain the branch brings its header's own label back */
	for (struct ir_loop *l = d->from->loop; l; l = l->parent)
		if (l->header == to)
			arrive(d, &d->header[to->order], to, label);
}

/* The last block of l was passed. */
static void end_of_loop(struct divergence *d, struct ir_loop *l)
{
	uint32_t h = l->header->order;
	if (!d->header[h])
		return;
	d->pending--;
	if (!d->left[h])
		return;
	if (!l->divergent_exit) {
		l->divergent_exit = true;
		d->changed = true;
	}
	for (uint32_t k = h; k <= l->last; k++) {
		struct ir_block *b = d->f->blocks.data[k];
		for (uint32_t s = 0; s < b->nsuccs; s++)
			if (!ir_loop_has(l, b->succs[s]))
				follow_edge(d, b, b->succs[s], l->header);
	}
}

static void propagate(struct divergence *d, struct ir_block *from)
{
	d->from = from;
	d->pending = 0;
	d->furthest = from->order;
	for (uint32_t s = 0; s < from->nsuccs; s++)
		follow_edge(d, from, from->succs[s], from->succs[s]);
	for (struct ir_loop *l = from->loop; l && l->last == from->order; l = l->parent)
		end_of_loop(d, l);
	for (uint32_t k = from->order + 1; k < d->f->blocks.len && d->pending > 1; k++) {
		struct ir_block *b = d->f->blocks.data[k], *label = d->label[k];
		if (label) {
			d->pending--;
			for (uint32_t s = 0; s < b->nsuccs; s++)
				follow_edge(d, b, b->succs[s], label);
		}
		for (struct ir_loop *l = from->loop; l; l = l->parent)
			if (l->last == k)
				end_of_loop(d, l);
	}
	memset(d->label + from->order, 0, (d->furthest - from->order + 1) * sizeof *d->label);
	for (struct ir_loop *l = from->loop; l; l = l->parent) {
		d->header[l->header->order] = NULL;
		d->left[l->header->order] = false;
	}
}

static void branch_diverges(struct divergence *d, struct ir_block *b)
{
	d->branch[b->order] = true;
	if (!d->irreducible) {
		propagate(d, b);
		return;
	}
	for (uint32_t k = 0; k < d->f->blocks.len; k++)
		set_join(d, d->f->blocks.data[k]);
	for (uint32_t k = 0; k < d->f->loops.len; k++)
		d->f->loops.data[k]->divergent_exit = true;
}

static void visit(struct divergence *d, struct ir_block *b)
{
	ir_each_inst(i, b) {
		if (i->divergent || !differs(d, i))
			continue;
		i->divergent = true;
		d->changed = true;
	}
	if (b->nsuccs > 1 && b->last->divergent && !d->branch[b->order])
		branch_diverges(d, b);
}

static void prepare(struct divergence *d)
{
	struct ir_func *f = d->f;
	uint32_t nb = f->blocks.len;
	d->local_pointers = !f->is_kernel;
	ir_each_block(b, f) ir_each_inst(i, b) {
		i->divergent = false;
		d->local_pointers |= (i->op == IR_togeneric && i->imm == IR_LOCAL) || i->op == IR_call;
	}
	for (uint32_t k = 0; k < f->loops.len; k++) {
		f->loops.data[k]->divergent_exit = false;
		d->irreducible |= f->loops.data[k]->irreducible;
	}
	d->join = NEWN(f->arena, bool, nb);
	d->branch = NEWN(f->arena, bool, nb);
	d->label = NEWN(f->arena, struct ir_block *, nb);
	d->header = NEWN(f->arena, struct ir_block *, nb);
	d->left = NEWN(f->arena, bool, nb);
}

void ir_divergence(struct ir_func *f)
{
	struct divergence d = {.f = f};
	prepare(&d);
	do {
		d.changed = false;
		ir_each_block(b, f) visit(&d, b);
	} while (d.changed);
}
