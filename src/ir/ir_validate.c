/* Checks what every pass may rely on. Violations are internal errors.
 *
 * - blocks, predecessors and successors agree; the entry has no predecessors; one terminator, at the end
 * - phis first, as many arguments as predecessors
 * - argument counts and widths per opcode
 * - a definition dominates its uses (a phi's use is at the end of the predecessor)
 * - what memory instructions say is consistent */
#include "ir/ir.h"

struct checker {
	struct ir_func *f;
	const char *after;
	struct ir_inst *at;
	struct ir_block *block;
};

static void bad(struct checker *c, const char *what)
{
	struct strbuf sb;
	sb_init(&sb, c->f->arena);
	if (c->at)
		ir_print_inst(&sb, c->at);
	ice(c->f->arena, "after %s: @%s b%u: %s: %s", c->after, c->f->name, c->block ? c->block->id : 0, what, sb_str(&sb));
}
#define CHECK(c, cond) ((cond) ? (void)0 : bad((c), #cond))

static uint32_t count(struct ir_block *const *list, uint32_t n, const struct ir_block *b)
{
	uint32_t k = 0;
	for (uint32_t j = 0; j < n; j++)
		k += list[j] == b;
	return k;
}

static void check_edges(struct checker *c, struct ir_block *b)
{
	for (uint32_t k = 0; k < b->nsuccs; k++) {
		struct ir_block *s = b->succs[k];
		CHECK(c, s->id < c->f->blocks.len && c->f->blocks.data[s->id] == s);
		CHECK(c, count(b->succs, b->nsuccs, s) == count(s->preds.data, s->preds.len, b));
	}
	for (uint32_t k = 0; k < b->preds.len; k++) {
		struct ir_block *p = b->preds.data[k];
		CHECK(c, p->id < c->f->blocks.len && c->f->blocks.data[p->id] == p);
		CHECK(c, count(p->succs, p->nsuccs, b) > 0);
	}
}

static void check_structure(struct checker *c, struct ir_block *b)
{
	bool phis = true;
	struct ir_inst *prev = NULL;
	c->block = b;
	c->at = NULL;
	CHECK(c, b->last && ir_op_info[b->last->op].flags & IRF_TERMINATOR);
	ir_each_inst(i, b) {
		c->at = i;
		CHECK(c, i->block == b && i->prev == prev);
		CHECK(c, i->op < IR_OP_COUNT && i->id < c->f->ninsts);
		CHECK(c, i->op != IR_const && i->op != IR_undef);
		CHECK(c, i->op != IR_phi || phis);
		CHECK(c, i == b->last || !(ir_op_info[i->op].flags & IRF_TERMINATOR));
		phis = phis && i->op == IR_phi;
		prev = i;
	}
	CHECK(c, prev == b->last);
	switch (b->last->op) {
	case IR_br:
		CHECK(c, b->nsuccs == 1);
		break;
	case IR_condbr:
		CHECK(c, b->nsuccs == 2);
		break;
	case IR_switch:
		CHECK(c, b->nsuccs > 0);
		break;
	default:
		CHECK(c, b->nsuccs == 0);
	}
	c->at = NULL;
	check_edges(c, b);
}

static bool is_width(uint32_t w)
{
	return w == 1 || w == 8 || w == 16 || w == 32 || w == 64 || w == 128 || w == 256;
}

static void check_result(struct checker *c, const struct ir_inst *i)
{
	switch (ir_op_info[i->op].result) {
	case IRR_NONE:
		CHECK(c, i->width == 0);
		break;
	case IRR_SAME:
		CHECK(c, i->nargs && i->width == i->args[0]->width);
		break;
	case IRR_B1:
		CHECK(c, i->width == 1);
		break;
	case IRR_B32:
		CHECK(c, i->width == 32);
		break;
	case IRR_B64:
		CHECK(c, i->width == 64);
		break;
	default:
		CHECK(c, is_width(i->width) || ((i->op == IR_atom || i->op == IR_barred) && i->width == 0));
	}
}

static void check_mem(struct checker *c, const struct ir_inst *i)
{
	const struct ir_mem *m = &i->mem;
	if (i->op == IR_fence)
		return;
	bool narrow = m->space == IR_SHARED || m->space == IR_LOCAL || m->space == IR_PARAM;
	CHECK(c, m->space <= IR_PARAM && m->order <= IR_SEQ_CST && m->scope <= IR_SCOPE_SYS && m->cache <= IR_CACHE_VOLATILE);
	CHECK(c, i->args[0]->width == (narrow ? 32 : 64));
	if (i->op == IR_prefetch)
		return;
	CHECK(c, is_width(m->bits) && m->bits != 1);
	if (i->op == IR_load) {
		CHECK(c, i->width >= m->bits && i->width > 1);
	} else if (i->op == IR_store) {
		CHECK(c, i->args[1]->width >= m->bits);
		CHECK(c, m->space != IR_PARAM && m->space != IR_CONST);
	} else {
		CHECK(c, m->atom < IR_ATOM_COUNT && (i->nargs == (m->atom == IR_ATOM_CAS ? 3u : 2u) ||
		                                                          (m->atom == IR_ATOM_FADD && i->nargs == 3)));
		CHECK(c, m->space == IR_GLOBAL || m->space == IR_SHARED || m->space == IR_GENERIC);
		CHECK(c, i->width == 0 || i->width == m->bits);
		CHECK(c, i->args[1]->width == m->bits && (i->nargs < 3 || i->args[2]->width == (m->atom == IR_ATOM_CAS ? m->bits : 1)));
	}
}

static void check_same_widths(struct checker *c, const struct ir_inst *i, uint32_t from, uint32_t to)
{
	for (uint32_t k = from + 1; k < to; k++)
		CHECK(c, i->args[k]->width == i->args[from]->width);
}

static void check_moves(struct checker *c, const struct ir_inst *i)
{
	uint32_t sum = 0;
	switch (i->op) {
	case IR_phi:
		CHECK(c, i->nargs == i->block->preds.len);
		for (uint32_t k = 0; k < i->nargs; k++)
			CHECK(c, i->args[k]->width == i->width);
		break;
	case IR_pack:
		for (uint32_t k = 0; k < i->nargs; k++)
			sum += i->args[k]->width;
		CHECK(c, sum == i->width);
		break;
	case IR_unpack:
		CHECK(c, (i->imm + 1) * i->width <= i->args[0]->width);
		break;
	case IR_zext:
	case IR_sext:
		CHECK(c, i->width > i->args[0]->width);
		break;
	case IR_trunc:
		CHECK(c, i->width < i->args[0]->width);
		break;
	case IR_select:
		CHECK(c, i->args[0]->width == 1 && i->args[1]->width == i->width && i->args[2]->width == i->width);
		break;
	}
}

/* The widths of the arguments of opcodes whose rows do not already say all. */
static void check_widths(struct checker *c, const struct ir_inst *i)
{
	uint32_t w = i->nargs ? i->args[0]->width : 0;
	switch (i->op) {
	case IR_shl:
	case IR_shr:
	case IR_sar:
		CHECK(c, i->args[1]->width == 32);
		break;
	case IR_condbr:
	case IR_ballot:
		CHECK(c, w == 1);
		break;
	case IR_switch:
		CHECK(c, w == 32);
		break;
	case IR_addc:
	case IR_addcc:
	case IR_subb:
	case IR_subbb:
		CHECK(c, i->args[1]->width == w && i->args[2]->width == 1);
		break;
	case IR_umadhi:
		CHECK(c, w == 32 && i->args[1]->width == 32 && i->args[2]->width == 64);
		break;
	case IR_umulwide:
	case IR_smulwide:
		CHECK(c, i->width == 2 * w && i->args[1]->width == w);
		break;
	case IR_icmp:
		CHECK(c, i->cond <= IRC_UGE && i->args[1]->width == w);
		break;
	case IR_fcmp:
		CHECK(c, i->cond >= IRC_FEQ && i->cond < IRC_COUNT && i->args[1]->width == w);
		break;
	case IR_fpext:
		CHECK(c, i->width > w);
		break;
	case IR_fptrunc:
		CHECK(c, i->width < w);
		break;
	case IR_amd_ldexp:
	case IR_ftestclass:
		CHECK(c, i->args[1]->width == 32);
		break;
	case IR_readlane:
	case IR_bpermute:
	case IR_matchany:
	case IR_matchall:
		CHECK(c, i->args[1]->width == 32);
		break;
	case IR_callres:
		CHECK(c, i->args[0]->op == IR_call);
		break;
	case IR_symaddr:
		CHECK(c, i->sym && (i->width == 32 || i->width == 64));
		break;
	case IR_amd_div_fmas:
		check_same_widths(c, i, 0, 3);
		CHECK(c, i->args[3]->width == 1);
		break;
	default:
		if (ir_op_info[i->op].result == IRR_SAME && ir_op_info[i->op].flags & IRF_PURE)
			check_same_widths(c, i, 0, i->nargs);
	}
	if (ir_op_info[i->op].flags & IRF_FLOAT && ir_op_info[i->op].result == IRR_SAME)
		CHECK(c, w == 16 || w == 32 || w == 64);
}

static void check_inst(struct checker *c, struct ir_inst *i)
{
	const struct ir_op_info *info = &ir_op_info[i->op];
	c->at = i;
	CHECK(c, info->nargs < 0 || i->nargs == (uint32_t)info->nargs);
	for (uint32_t k = 0; k < i->nargs; k++) {
		CHECK(c, i->args[k] != NULL);
		CHECK(c, i->args[k]->width || i->op == IR_callres);
		CHECK(c, i->args[k]->block || i->args[k]->op == IR_const || i->args[k]->op == IR_undef);
	}
	check_result(c, i);
	check_moves(c, i);
	check_widths(c, i);
	if (info->flags & IRF_HAS_MEM)
		check_mem(c, i);
}

/* --- dominance, on its own small computation: the pass under test may have left idom stale --- */

struct tree {
	uint32_t *rpo, *idom, *pre, *post; /* by block id; rpo 0: unreachable */
	struct ir_block **order;
	uint32_t n;
};

static void order_blocks(struct ir_func *f, struct tree *t)
{
	uint32_t nb = f->blocks.len, sp = 0, left = nb;
	struct ir_block **stack = NEWN(f->arena, struct ir_block *, nb), **post = NEWN(f->arena, struct ir_block *, nb);
	uint32_t *next = NEWN(f->arena, uint32_t, nb);
	bitword *seen = bitset_new(f->arena, nb);
	stack[sp++] = f->blocks.data[0];
	bitset_add(seen, 0);
	while (sp) {
		struct ir_block *b = stack[sp - 1];
		if (next[b->id] < b->nsuccs) {
			struct ir_block *s = b->succs[next[b->id]++];
			if (!bitset_has(seen, s->id)) {
				bitset_add(seen, s->id);
				stack[sp++] = s;
			}
		} else {
			post[--left] = b;
			sp--;
		}
	}
	t->order = post + left;
	t->n = nb - left;
	for (uint32_t k = 0; k < t->n; k++)
		t->rpo[t->order[k]->id] = k + 1;
}

static void build_tree(struct ir_func *f, struct tree *t)
{
	uint32_t nb = f->blocks.len;
	t->rpo = NEWN(f->arena, uint32_t, nb);
	t->idom = NEWN(f->arena, uint32_t, nb + 1); /* by rpo number */
	order_blocks(f, t);
	t->idom[1] = 1;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t k = 2; k <= t->n; k++) {
			struct ir_block *b = t->order[k - 1];
			uint32_t d = 0;
			for (uint32_t p = b->preds.len; p-- > 0;) {
				uint32_t q = t->rpo[b->preds.data[p]->id];
				if (!q || !t->idom[q])
					continue;
				if (!d)
					d = q;
				while (d != q) {
					if (d > q)
						d = t->idom[d];
					else
						q = t->idom[q];
				}
			}
			changed |= t->idom[k] != d;
			t->idom[k] = d;
		}
	}
	/* intervals: a node's subtree size by one backward sweep, its start by one forward sweep */
	t->pre = NEWN(f->arena, uint32_t, nb + 2);
	t->post = NEWN(f->arena, uint32_t, nb + 2);
	uint32_t *used = NEWN(f->arena, uint32_t, nb + 2);
	for (uint32_t k = t->n; k >= 1; k--) {
		t->post[k]++;
		if (k > 1)
			t->post[t->idom[k]] += t->post[k];
	}
	for (uint32_t k = 1; k <= t->n; k++) {
		if (k > 1) {
			t->pre[k] = t->pre[t->idom[k]] + 1 + used[t->idom[k]];
			used[t->idom[k]] += t->post[k];
		}
	}
	for (uint32_t k = 1; k <= t->n; k++)
		t->post[k] += t->pre[k];
}

static bool dominates(const struct tree *t, const struct ir_block *a, const struct ir_block *b)
{
	uint32_t x = t->rpo[a->id], y = t->rpo[b->id];
	return x && (!y || (t->pre[x] <= t->pre[y] && t->post[y] <= t->post[x]));
}

static void check_uses(struct checker *c, const struct tree *t, struct ir_block *b, const uint32_t *place)
{
	if (!t->rpo[b->id])
		return;
	c->block = b;
	ir_each_inst(i, b) {
		c->at = i;
		for (uint32_t k = 0; k < i->nargs; k++) {
			struct ir_inst *v = i->args[k];
			if (!v->block)
				continue;
			CHECK(c, v->id < c->f->ninsts && place[v->id]);
			if (i->op == IR_phi)
				CHECK(c, !t->rpo[b->preds.data[k]->id] || dominates(t, v->block, b->preds.data[k]));
			else if (v->block == b)
				CHECK(c, place[v->id] < place[i->id]);
			else
				CHECK(c, dominates(t, v->block, b));
		}
	}
}

void ir_validate(struct ir_func *f, const char *after)
{
	struct checker c = {f, after, NULL, NULL};
	struct tree t = {0};
	if (f->is_decl)
		return;
	CHECK(&c, f->blocks.len > 0 && f->blocks.data[0]->preds.len == 0);
	ir_each_block(b, f) CHECK(&c, b->id == b_k);
	ir_each_block(b, f) check_structure(&c, b);
	uint32_t *place = NEWN(f->arena, uint32_t, f->ninsts), n = 0;
	ir_each_block(b, f) {
		c.block = b;
		ir_each_inst(i, b) {
			c.at = i;
			CHECK(&c, !place[i->id]);
			place[i->id] = ++n;
		}
	}
	ir_each_block(b, f) {
		c.block = b;
		ir_each_inst(i, b) check_inst(&c, i);
	}
	build_tree(f, &t);
	ir_each_block(b, f) check_uses(&c, &t, b, place);
}
