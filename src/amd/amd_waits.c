/* s_waitcnt: before each instruction the least waiting that makes its registers safe; waits that are already there (fences) stay only
 * as far as something may be outstanding.
 *
 * Forward dataflow over the wave graph. For each register a load may still write: how many later operations of its counter have been
 * issued (the least over all paths, so that waiting for that count is enough on each). vm returns in order; lgkm returns in order while
 * only LDS is outstanding, any order once scalar memory or messages are among it (then 0 is waited for). FLAT counts in vm and
 * lgkm. Stores are waited for by fences alone: their data are read when they issue, as are all addresses. A vector memory load may
 * write the registers of an earlier one without waiting, nothing else may. A store waits for a scalar load of memory that it may write. Calls and returns are crossed with no load outstanding.
 * With f->force_waits everything is waited for at once.
 *
 * An undefined source becomes the constant 0 where the encoding takes one, else a register that is waited for as any other.
 *
 * requires: registers, no pseudos.   ensures: no register is touched while a load into it is outstanding, on any wave path.
 * Source: RDNA2 and RDNA3 ISA manuals, "Data dependency resolution". */
#include "amd/amd_memmodel.h"

enum { MAX_COUNT = 63, NREGS = AMD_NREGS };
enum lgkm_type { T_LDS = 1, T_SMEM = 2, T_MSG = 4 };

/* State at a block's entry. Distances are stored plus one; 0: not outstanding. */
struct pending {
	uint16_t reg;
	uint8_t vm, lgkm;
};
struct entry {
	VEC(struct pending) regs; /* by register */
	uint8_t vm_out, lgkm_out, vs_out, types;
	bool reached, weak_smem;
};

/* Running state: operations are numbered as they issue; `done`: all up to it are over. */
struct waits {
	struct amd_func *f;
	bitword pend[NREGS / 64];
	uint32_t vm[NREGS], lgkm[NREGS]; /* number of the last operation that writes the register */
	uint32_t vm_now, vm_done, lgkm_now, lgkm_done, vs_out;
	uint8_t types;
	bool weak_smem; /* a scalar load of memory that may be written later is outstanding */
	struct entry *entries;
	struct amd_block *out; /* pass 2: the block as it is rebuilt */
};

static uint8_t min_nonzero(uint8_t a, uint8_t b)
{
	return !a ? b : !b ? a : a < b ? a : b;
}

/* --- entry states --- */
static void load_entry(struct waits *w, const struct entry *e)
{
	memset(w->pend, 0, sizeof w->pend);
	w->vm_now = w->lgkm_now = 2 * MAX_COUNT;
	w->vm_done = w->vm_now - e->vm_out;
	w->lgkm_done = w->lgkm_now - e->lgkm_out;
	w->vs_out = e->vs_out;
	w->types = e->types;
	w->weak_smem = e->weak_smem;
	for (uint32_t k = 0; k < e->regs.len; k++) {
		const struct pending *p = &e->regs.data[k];
		bitset_add(w->pend, p->reg);
		w->vm[p->reg] = p->vm ? w->vm_now - (p->vm - 1u) : 0;
		w->lgkm[p->reg] = p->lgkm ? w->lgkm_now - (p->lgkm - 1u) : 0;
	}
}

static uint8_t distance(uint32_t at, uint32_t now, uint32_t done)
{
	if (at <= done)
		return 0;
	return now - at + 1 < MAX_COUNT ? (uint8_t)(now - at + 1) : MAX_COUNT;
}

static bool raise_count(uint8_t *count, uint32_t to)
{
	/* Operations that return out of order pile up until all are waited for: more than can be counted are as many as can. */
	if (to > MAX_COUNT)
		to = MAX_COUNT;
	if (*count >= to)
		return false;
	*count = (uint8_t)to;
	return true;
}

/* The running state joins what is known at e; true where that changed it. */
static bool merge_into(struct waits *w, struct entry *e)
{
	bool changed = !e->reached;
	VEC(struct pending) was = {e->regs.data, e->regs.len, e->regs.cap};
	uint32_t k = 0;
	e->reached = true;
	changed |= raise_count(&e->vm_out, w->vm_now - w->vm_done);
	changed |= raise_count(&e->lgkm_out, w->lgkm_now - w->lgkm_done);
	changed |= raise_count(&e->vs_out, w->vs_out);
	if (w->weak_smem && !e->weak_smem)
		changed = e->weak_smem = true;
	if (w->types & ~e->types) {
		e->types |= w->types;
		changed = true;
	}
	e->regs.data = NULL;
	e->regs.len = e->regs.cap = 0;
	bitset_each (r, w->pend, NREGS) {
		struct pending p = {(uint16_t)r, distance(w->vm[r], w->vm_now, w->vm_done), distance(w->lgkm[r], w->lgkm_now, w->lgkm_done)};
		for (; k < was.len && was.data[k].reg < r; k++)
			vec_push(w->f->arena, &e->regs, was.data[k]);
		if (k < was.len && was.data[k].reg == r) {
			struct pending old = was.data[k++];
			p.vm = min_nonzero(p.vm, old.vm);
			p.lgkm = min_nonzero(p.lgkm, old.lgkm);
			changed |= p.vm != old.vm || p.lgkm != old.lgkm;
		} else if (p.vm || p.lgkm)
			changed = true;
		if (p.vm || p.lgkm)
			vec_push(w->f->arena, &e->regs, p);
	}
	for (; k < was.len; k++)
		vec_push(w->f->arena, &e->regs, was.data[k]);
	return changed;
}

/* --- one instruction --- */
static void need(uint8_t *count, uint32_t n)
{
	if (n < *count)
		*count = (uint8_t)n;
}

static void need_register(struct waits *w, uint32_t r, bool vm_in_order, struct amd_wait *need_)
{
	if (!bitset_has(w->pend, r))
		return;
	bool vm = w->vm[r] > w->vm_done, lgkm = w->lgkm[r] > w->lgkm_done;
	if (!vm && !lgkm) {
		bitset_del(w->pend, r);
		return;
	}
	if (vm && !(vm_in_order && !lgkm))
		need(&need_->vm, w->vm_now - w->vm[r]);
	if (lgkm)
		need(&need_->lgkm, w->types == T_LDS ? w->lgkm_now - w->lgkm[r] : 0);
}

static void need_range(struct waits *w, uint32_t reg, amd_rc rc, bool vm_in_order, struct amd_wait *n)
{
	uint32_t size = amd_rc_size(rc);
	for (uint32_t r = reg; reg != AMD_NOREG && r < reg + size && r < NREGS; r++)
		need_register(w, r, vm_in_order, n);
}

static bool crosses_functions(const struct amd_inst *i)
{
	return i->op == amd_s_swappc_b64 || i->op == amd_s_setpc_b64;
}

static struct amd_wait needs(struct waits *w, const struct amd_inst *i)
{
	struct amd_wait n = AMD_WAIT_NOTHING;
	const struct amd_op_info *info = &amd_op_info[i->op];
	bool vmem_load = (info->cls == AMD_CLS_VMEM || info->cls == AMD_CLS_SCRATCH) && info->flags & AMDF_LOAD;
	for (uint32_t k = 0; k < i->nops; k++)
		if (i->ops[k].kind == AMD_OPND_TEMP || i->ops[k].kind == AMD_OPND_REG)
			need_range(w, i->ops[k].reg, i->ops[k].low ? AMD_V(1) : i->ops[k].rc, false, &n);
	for (uint32_t k = 0; k < i->ndefs; k++)
		need_range(w, i->defs[k].reg, i->defs[k].rc, vmem_load, &n);
	if (i->op == amd_s_movrels_b32) /* reads any scalar register */
		need_range(w, AMD_SGPR0, AMD_S(63), false, &n), need_range(w, 63, AMD_S(43), false, &n);
	if (w->weak_smem && info->flags & (AMDF_STORE | AMDF_ATOMIC) && info->enc != AMD_ENC_DS && info->enc != AMD_ENC_SCRATCH)
		n.lgkm = 0; /* the store could overtake the load */
	if (crosses_functions(i))
		n.vm = n.lgkm = 0;
	if (i->op == amd_s_barrier && w->f->target->gen < 11) /* these chips cannot back off from a barrier for a memory fault */
		n.vm = n.lgkm = n.vs = 0;
	return n;
}

static void apply(struct waits *w, struct amd_wait n)
{
	if (n.vm != AMD_WAIT_NONE && w->vm_now - w->vm_done > n.vm)
		w->vm_done = w->vm_now - n.vm;
	if (n.lgkm == 0) {
		w->lgkm_done = w->lgkm_now;
		w->types = 0;
		w->weak_smem = false;
	} else if (n.lgkm != AMD_WAIT_NONE && w->types == T_LDS && w->lgkm_now - w->lgkm_done > n.lgkm)
		w->lgkm_done = w->lgkm_now - n.lgkm;
	if (n.vs != AMD_WAIT_NONE && w->vs_out > n.vs)
		w->vs_out = n.vs;
}

static void mark_defs(struct waits *w, const struct amd_inst *i, bool vm, bool lgkm)
{
	for (uint32_t k = 0; k < i->ndefs; k++)
		for (uint32_t r = i->defs[k].reg, end = r + amd_rc_size(i->defs[k].rc); r < end && r < NREGS && r != AMD_SCC; r++) {
			if (!bitset_has(w->pend, r))
				w->vm[r] = w->lgkm[r] = 0;
			if (vm)
				w->vm[r] = w->vm_now;
			if (lgkm)
				w->lgkm[r] = w->lgkm_now;
			bitset_add(w->pend, r);
		}
}

static void count_lgkm(struct waits *w, enum lgkm_type type)
{
	w->lgkm_now++;
	w->types |= type;
	if (w->lgkm_now - w->lgkm_done > MAX_COUNT && w->types == T_LDS)
		w->lgkm_done = w->lgkm_now - MAX_COUNT;
}

/* What i leaves outstanding. */
static bool issue(struct waits *w, const struct amd_inst *i)
{
	const struct amd_op_info *info = &amd_op_info[i->op];
	bool returns = i->ndefs > 0, flat = info->enc == AMD_ENC_FLAT;
	switch (info->enc) {
	case AMD_ENC_SMEM:
		count_lgkm(w, T_SMEM);
		w->weak_smem |= i->mem.is_load && !i->mem.readonly;
		mark_defs(w, i, false, true);
		return true;
	case AMD_ENC_DS:
		count_lgkm(w, T_LDS);
		mark_defs(w, i, false, true);
		return true;
	case AMD_ENC_FLAT:
	case AMD_ENC_GLOBAL:
	case AMD_ENC_SCRATCH:
		if (flat)
			count_lgkm(w, T_LDS);
		if (returns) {
			w->vm_now++;
			if (w->vm_now - w->vm_done > MAX_COUNT)
				w->vm_done = w->vm_now - MAX_COUNT;
		} else if (w->vs_out < MAX_COUNT)
			w->vs_out++;
		mark_defs(w, i, returns, flat && returns);
		return true;
	default:
		if (i->op == amd_s_sendmsg || i->op == amd_s_sendmsg_rtn_b32 || i->op == amd_s_sendmsg_rtn_b64) {
			count_lgkm(w, T_MSG);
			mark_defs(w, i, false, true);
			return true;
		}
		return false;
	}
}

/* --- undefined sources --- */
static void settle_undef(struct amd_inst *i, uint32_t k, struct amd_shape s)
{
	struct amd_operand *o = &i->ops[k];
	uint32_t size = amd_rc_size(o->rc) ? amd_rc_size(o->rc) : 1;
	bool is_short = i->enc == AMD_ENC_VOP1 || i->enc == AMD_ENC_VOP2 || i->enc == AMD_ENC_VOPC || i->enc == AMD_ENC_DPP16 ||
	                i->enc == AMD_ENC_SDWA;
	if (s.kind == AMD_SH_VADDR || s.kind == AMD_SH_SADDR || (amd_op_info[i->op].enc == AMD_ENC_SMEM && k == 1))
		return; /* an absent part of an address */
	if (s.kind == AMD_SH_A || (s.kind == AMD_SH_X && (!is_short || !k) && i->enc != AMD_ENC_DPP16 && i->enc != AMD_ENC_SDWA)) {
		*o = amd_use_const(0);
		o->rc = AMD_S(size);
		return;
	}
	bool vector = s.kind == AMD_SH_X || s.kind == AMD_SH_V || (s.kind == AMD_SH_ANY && amd_rc_vector(o->rc));
	*o = amd_use_reg(vector ? AMD_VGPR0 : AMD_SGPR0, (amd_rc)(size | (vector ? AMD_RC_VECTOR : 0)));
	if (vector && i->ndefs && i->defs[0].reg >= AMD_VGPR0 && amd_rc_size(i->defs[0].rc) == size)
		o->reg = i->defs[0].reg; /* about to be overwritten: not outstanding */
}

static void settle_undefs(struct amd_func *f)
{
	for (uint32_t b = 0; b < f->blocks.len; b++)
		for (uint32_t n = 0; n < f->blocks.data[b]->insts.len; n++) {
			struct amd_inst *i = f->blocks.data[b]->insts.data[n];
			const char *shape = amd_op_info[i->op].ops;
			for (uint32_t k = 0; k < i->nops; k++) {
				struct amd_shape s = amd_shape_next(&shape);
				if (i->ops[k].kind == AMD_OPND_UNDEF && amd_op_info[i->op].cls != AMD_CLS_PSEUDO)
					settle_undef(i, k, s);
			}
		}
}

/* --- insertion --- */
static void put_wait(struct waits *w, struct amd_wait n, uint32_t line)
{
	struct amd_func *f = w->f;
	for (int vs = 0; vs < 2; vs++) {
		if (vs ? n.vs == AMD_WAIT_NONE : n.vm == AMD_WAIT_NONE && n.lgkm == AMD_WAIT_NONE && n.exp == AMD_WAIT_NONE)
			continue;
		struct amd_inst *i = amd_inst_new(f, vs ? amd_s_waitcnt_vscnt : amd_s_waitcnt, 0, 0);
		i->enc = amd_op_info[i->op].enc;
		i->imm = vs ? n.vs : amd_wait_encode(f->target, n);
		i->line = line;
		amd_append(f, w->out, i);
	}
}

static void narrow(struct amd_wait *n, struct amd_wait m)
{
	need(&n->vm, m.vm);
	need(&n->exp, m.exp);
	need(&n->lgkm, m.lgkm);
	need(&n->vs, m.vs);
}

/* n without what cannot be outstanding any more. */
static struct amd_wait useful(const struct waits *w, struct amd_wait n)
{
	if (n.vm >= w->vm_now - w->vm_done)
		n.vm = AMD_WAIT_NONE;
	if (n.lgkm >= w->lgkm_now - w->lgkm_done)
		n.lgkm = AMD_WAIT_NONE;
	if (n.vs >= w->vs_out)
		n.vs = AMD_WAIT_NONE;
	return n;
}

static bool is_wait(const struct amd_inst *i)
{
	return i->op == amd_s_waitcnt || i->op == amd_s_waitcnt_vscnt;
}

static void wait_now(struct waits *w, struct amd_wait n, uint32_t line)
{
	n = useful(w, n);
	if (w->out)
		put_wait(w, n, line);
	apply(w, n);
}

/* Waits asked for in a row are gathered and stand together before the next instruction. */
static void run_block(struct waits *w, struct amd_block *b)
{
	struct amd_wait asked = AMD_WAIT_NOTHING;
	static const struct amd_wait all = {0, AMD_WAIT_NONE, 0, 0};
	uint32_t n = b->insts.len, line = 0;
	for (uint32_t k = 0; k < n; k++) {
		struct amd_inst *i = b->insts.data[k];
		line = i->line;
		if (is_wait(i)) {
			struct amd_wait m = AMD_WAIT_NOTHING;
			if (i->op == amd_s_waitcnt)
				m = amd_wait_decode(w->f->target, i->imm);
			else
				m.vs = (uint8_t)(i->imm > MAX_COUNT ? MAX_COUNT : i->imm);
			narrow(&asked, m);
			continue;
		}
		narrow(&asked, needs(w, i));
		wait_now(w, asked, line);
		asked = AMD_WAIT_NOTHING;
		if (w->out)
			amd_append(w->f, w->out, i);
		if (issue(w, i) && w->f->force_waits)
			wait_now(w, all, line);
		if (crosses_functions(i)) /* the callee may have stores under way */
			w->vs_out = MAX_COUNT;
	}
	wait_now(w, asked, line);
}

static void find_entries(struct waits *w)
{
	struct amd_func *f = w->f;
	bitword *dirty = bitset_new(f->arena, f->blocks.len);
	bool again = true;
	w->entries = NEWN(f->arena, struct entry, f->blocks.len);
	w->entries[0].reached = true;
	if (!f->is_kernel)
		w->entries[0].vs_out = MAX_COUNT;
	bitset_add(dirty, 0);
	while (again) {
		again = false;
		for (uint32_t k = 0; k < f->blocks.len; k++) {
			struct amd_block *b = f->blocks.data[k];
			if (!bitset_has(dirty, k))
				continue;
			bitset_del(dirty, k);
			load_entry(w, &w->entries[k]);
			run_block(w, b);
			for (uint32_t s = 0; s < b->wave_succs.len; s++) {
				uint32_t to = b->wave_succs.data[s];
				if (!merge_into(w, &w->entries[to]))
					continue;
				bitset_add(dirty, to);
				again |= to <= k;
			}
		}
	}
}

void amd_waits(struct amd_func *f)
{
	struct waits *w = NEW(f->arena, struct waits);
	w->f = f;
	if (!f->blocks.len)
		return;
	settle_undefs(f);
	find_entries(w);
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k], was = *b;
		load_entry(w, &w->entries[k]);
		b->insts.data = NULL;
		b->insts.len = b->insts.cap = 0;
		w->out = b;
		run_block(w, &was);
	}
}
