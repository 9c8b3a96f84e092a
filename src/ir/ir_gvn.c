/* Global value numbering: of two instructions that compute the same from the same, the dominated one goes.
 *
 * One walk in reverse post-order over a hash table. The table keeps the latest instruction of each kind; where that does not dominate,
 * it gives way to the one at hand. Pure operations, phis of one block, special registers that do not change, and weak loads
 * of memory that no one writes take part.
 *
 * requires: SSA.  ensures: ir_dominators. */
#include "ir/ir_util.h"

struct slot {
	struct ir_inst *i;
	uint32_t hash;
};

struct table {
	struct ir_func *f;
	struct slot *slots;
	uint32_t cap, used;
};

static bool is_constant_sreg(uint64_t sreg)
{
	return sreg != IR_SREG_CLOCK && sreg != IR_SREG_CLOCK_HI && sreg != IR_SREG_CLOCK64 && sreg != IR_SREG_GLOBALTIMER64 &&
	       sreg != IR_SREG_SMID;
}

static bool takes_part(const struct ir_inst *i)
{
	if (ir_op_info[i->op].flags & IRF_PURE)
		return true;
	if (i->op == IR_sreg)
		return is_constant_sreg(i->imm);
	return i->op == IR_load && i->mem.readonly && i->mem.order == IR_WEAK && !i->mem.is_volatile;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
	h = (h ^ x) * 0x9E3779B97F4A7C15u;
	return h ^ h >> 29;
}

static uint32_t hash(const struct ir_inst *i)
{
	uint64_t h = mix(i->op | (uint64_t)i->width << 16 | (uint64_t)i->cond << 32 | (uint64_t)i->rnd << 40, i->imm);
	uint32_t k = 0;
	if (i->op == IR_phi)
		h = mix(h, (uintptr_t)i->block);
	if (i->sym)
		h = mix(h, (uintptr_t)i->sym);
	if (ir_commutes(i)) {
		h = mix(h, (uint64_t)i->args[0]->id + i->args[1]->id);
		k = 2;
	}
	for (; k < i->nargs; k++)
		h = mix(h, i->args[k]->id);
	return (uint32_t)(h >> 32);
}

static bool same_args(const struct ir_inst *a, const struct ir_inst *b)
{
	uint32_t k = 0;
	if (ir_commutes(a)) {
		if (!(a->args[0] == b->args[0] && a->args[1] == b->args[1]) &&
		    !(a->args[0] == b->args[1] && a->args[1] == b->args[0]))
			return false;
		k = 2;
	}
	for (; k < a->nargs; k++)
		if (a->args[k] != b->args[k])
			return false;
	return true;
}

static bool same(const struct ir_inst *a, const struct ir_inst *b)
{
	if (a->op != b->op || a->width != b->width || a->nargs != b->nargs || a->imm != b->imm || a->cond != b->cond ||
	    a->rnd != b->rnd || a->ftz != b->ftz || a->sat != b->sat || a->approx != b->approx || a->relu != b->relu ||
	    a->nan != b->nan || a->any_nan != b->any_nan || a->may_leave != b->may_leave || a->leave != b->leave || a->sym != b->sym)
		return false;
	if (a->op == IR_phi && (a->block != b->block || a->force_divergent != b->force_divergent))
		return false;
	if (a->op == IR_load && (a->mem.space != b->mem.space || a->mem.bits != b->mem.bits || a->mem.sext != b->mem.sext))
		return false;
	return same_args(a, b);
}

static void grow(struct table *t)
{
	struct slot *old = t->slots;
	uint32_t n = t->cap;
	t->cap = n ? n * 2 : 1024;
	t->slots = NEWN(t->f->arena, struct slot, t->cap);
	for (uint32_t k = 0; k < n; k++) {
		if (!old[k].i)
			continue;
		uint32_t s = old[k].hash & (t->cap - 1);
		while (t->slots[s].i)
			s = (s + 1) & (t->cap - 1);
		t->slots[s] = old[k];
	}
}

/* The instruction that computes what i does and dominates it, or NULL; i is then in the table. */
static struct ir_inst *find(struct table *t, struct ir_inst *i)
{
	uint32_t s, h = hash(i);
	if ((t->used + 1) * 2 > t->cap)
		grow(t);
	for (s = h & (t->cap - 1); t->slots[s].i; s = (s + 1) & (t->cap - 1)) {
		struct ir_inst *j = t->slots[s].i;
		if (t->slots[s].hash != h || !same(i, j))
			continue;
		if (ir_dominates(j->block, i->block))
			return j;
		t->slots[s].i = i;
		return NULL;
	}
	t->slots[s] = (struct slot){i, h};
	t->used++;
	return NULL;
}

void ir_gvn(struct ir_func *f)
{
	ir_dominators(f);
	struct ir_fwd fwd = ir_fwd_new(f);
	struct table t = {.f = f};
	ir_each_block(b, f) ir_each_inst_safe(i, b)
	{
		ir_fwd_args(&fwd, i);
		if (!takes_part(i))
			continue;
		struct ir_inst *x = ir_op_info[i->op].flags & IRF_PURE && i->op != IR_phi ? ir_simplify(f, i) : i;
		if (x == i) {
			x = find(&t, i);
			if (!x)
				continue;
		}
		ir_fwd_set(f, &fwd, i, x);
		ir_remove(i);
	}
	ir_fwd_apply(f, &fwd);
}
