/* Hazards: pairs of instructions that need distance or something between them, which the hardware does not see to.
 *
 * One row a hazard: on which chips, what reads (the later instruction), what an instruction before it does to the search, the fix.
 * From each later instruction the wave graph is searched backwards, through all predecessors, until the trigger is found or the window
 * is over on every path; a found hazard puts its fix in front.
 *
 *   hazard          chips              trigger                       then                          fix
 *   fp_atomic       gfx10              floating-point atomic         s_denorm_mode in 3 states     s_nop 2
 *   trans_use       gfx11.0            transcendental                VALU reads its result within  s_waitcnt_depctr 0x0fff (va_vdst 0)
 *                                                                    5 VALU and 1 trans
 *   vmem_scalar     gfx10.1            vector memory or LDS reads an  SALU or SMEM writes it        s_waitcnt_depctr 0xffe3
 *                                      SGPR, or EXEC
 *   smem_vector     gfx10.1            scalar load reads an SGPR     VALU writes it                s_mov_b32 null, 0
 *   mad64_overlap   gfx11.0            v_mad_[iu]64_*32 that writes a source of its own: the allocator may not do that
 *   lds_branch      gfx10.1            LDS (vector memory), branch, vector memory (LDS): s_waitcnt_vscnt 0 before a block's first
 *
 * v_cmpx before v_permlane and WMMA after WMMA have no rows: the opcode table has no v_cmpx and no WMMA. The partial-forwarding and
 * mask-write hazards of gfx11 are wave64's.
 * requires: amd_waits, amd_modes.   ensures: no row's pattern on any wave path.
 * Source: LLVM's GCNHazardRecognizer and subtarget features for these chips. */
#include "amd/amd.h"

enum verdict { GO_ON, OVER, FOUND };
struct window {
	uint32_t states, valus, trans;
};
struct hazard {
	const char *name;
	bool (*on_chip)(const struct amd_target *t);
	bool (*is_trigger)(const struct amd_inst *i);
	bool (*is_use)(const struct amd_inst *i);
	enum verdict (*step)(const struct amd_inst *before, const struct amd_inst *use, struct window *w);
	uint16_t fix;
	int32_t fix_imm;
};

static bool is_valu(const struct amd_inst *i)
{
	uint8_t c = amd_op_info[i->op].cls;
	return c == AMD_CLS_VALU || c == AMD_CLS_VALU64 || c == AMD_CLS_TRANS;
}

static bool is_trans(const struct amd_inst *i)
{
	return amd_op_info[i->op].cls == AMD_CLS_TRANS;
}

/* What has been issued on the other side of a call is not known. */
static bool is_call(const struct amd_inst *i)
{
	return i->op == amd_s_swappc_b64;
}

static bool is_memory(const struct amd_inst *i)
{
	uint8_t c = amd_op_info[i->op].cls;
	return c == AMD_CLS_VMEM || c == AMD_CLS_FLAT || c == AMD_CLS_SCRATCH || c == AMD_CLS_LDS;
}

static bool gfx10(const struct amd_target *t)
{
	return t->gen == 10;
}

static bool gfx110(const struct amd_target *t)
{
	return t->gen == 11 && !strncmp(t->name, "gfx110", 6);
}

static bool gfx101(const struct amd_target *t)
{
	return !strncmp(t->name, "gfx101", 6);
}

/* --- fp_atomic --- */
static bool is_fp_atomic(const struct amd_inst *i)
{
	const char *n = amd_op_info[i->op].name;
	if (!(amd_op_info[i->op].flags & AMDF_ATOMIC) || amd_op_info[i->op].cls == AMD_CLS_LDS)
		return false;
	return strstr(n, "_fmin") || strstr(n, "_fmax") || strstr(n, "_fcmpswap") || strstr(n, "_f32") || strstr(n, "_f16") ||
	       strstr(n, "_f64");
}

static bool is_denorm_mode(const struct amd_inst *i)
{
	return i->op == amd_s_denorm_mode;
}

static enum verdict fp_atomic_step(const struct amd_inst *i, const struct amd_inst *use, struct window *w)
{
	(void)use;
	if (is_fp_atomic(i) || is_call(i))
		return FOUND;
	if (is_valu(i) || i->op == amd_s_waitcnt || i->op == amd_s_waitcnt_vscnt)
		return OVER;
	w->states += i->op == amd_s_nop ? (uint32_t)(i->imm & 15) + 1 : 1;
	return w->states >= 3 ? OVER : GO_ON;
}

/* --- registers --- */
static bool overlap(uint32_t a, amd_rc arc, uint32_t b, amd_rc brc)
{
	return a < AMD_NREGS && b < AMD_NREGS && a < b + amd_rc_size(brc) && b < a + amd_rc_size(arc);
}

/* `use` reads what i writes: only vector, or only scalar registers looked at. */
static bool reads_result(const struct amd_inst *use, const struct amd_inst *i, bool vector)
{
	for (uint32_t k = 0; k < use->nops; k++)
		for (uint32_t d = 0; d < i->ndefs; d++)
			if ((use->ops[k].kind == AMD_OPND_TEMP || use->ops[k].kind == AMD_OPND_REG) &&
			    (i->defs[d].reg >= AMD_VGPR0) == vector && i->defs[d].reg != AMD_SCC && i->defs[d].reg != AMD_NULL &&
			    overlap(use->ops[k].reg, use->ops[k].rc, i->defs[d].reg, i->defs[d].rc))
				return true;
	return use->dual && reads_result(use->dual, i, vector);
}

static bool writes_sgpr(const struct amd_inst *i)
{
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (i->defs[d].reg < AMD_VGPR0 && i->defs[d].reg != AMD_SCC && i->defs[d].reg != AMD_NULL)
			return true;
	return false;
}

static bool writes_exec(const struct amd_inst *i)
{
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (overlap(i->defs[d].reg, i->defs[d].rc, AMD_EXEC, AMD_S(2)))
			return true;
	return false;
}

/* --- trans_use --- */
static enum verdict trans_use_step(const struct amd_inst *i, const struct amd_inst *use, struct window *w)
{
	if (is_memory(i) || (i->op == amd_s_waitcnt_depctr && !(i->imm & 0xf000)))
		return OVER; /* these wait for all VALU results themselves */
	if (is_call(i))
		return FOUND;
	if (!is_valu(i))
		return GO_ON;
	if (is_trans(i) && reads_result(use, i, true))
		return FOUND;
	w->valus++;
	w->trans += is_trans(i);
	return w->valus > 5 || w->trans > 1 ? OVER : GO_ON;
}

/* --- vmem_scalar --- */
static bool is_scalar_write(const struct amd_inst *i)
{
	uint8_t c = amd_op_info[i->op].cls;
	return (c == AMD_CLS_SALU || c == AMD_CLS_SMEM || c == AMD_CLS_MSG || c == AMD_CLS_BRANCH || i->op == amd_p_symaddr) && writes_sgpr(i);
}

static enum verdict vmem_scalar_step(const struct amd_inst *i, const struct amd_inst *use, struct window *w)
{
	(void)w;
	if (is_memory(i) && (writes_exec(use) || reads_result(i, use, false)))
		return FOUND;
	if (is_valu(i) || (i->op == amd_s_waitcnt && !i->imm) || (i->op == amd_s_waitcnt_depctr && !(i->imm & 0x1c)))
		return OVER;
	return is_call(i) ? FOUND : GO_ON;
}

/* --- smem_vector --- */
static bool is_smem(const struct amd_inst *i)
{
	return amd_op_info[i->op].cls == AMD_CLS_SMEM;
}

static bool is_vector_sgpr_write(const struct amd_inst *i)
{
	return is_valu(i) && writes_sgpr(i);
}

static enum verdict smem_vector_step(const struct amd_inst *i, const struct amd_inst *use, struct window *w)
{
	(void)w;
	if (is_smem(i) && reads_result(i, use, false))
		return FOUND;
	if (amd_op_info[i->op].cls == AMD_CLS_SALU)
		return OVER; /* depends on the load, and then has waited for it, or breaks the chain */
	return is_call(i) ? FOUND : GO_ON;
}

static const struct hazard hazards[] = {
	{"vmem_scalar", gfx101, is_memory, is_scalar_write, vmem_scalar_step, amd_s_waitcnt_depctr, 0xffe3},
	{"smem_vector", gfx101, is_smem, is_vector_sgpr_write, smem_vector_step, amd_s_mov_b32, 0},
	{"fp_atomic", gfx10, is_fp_atomic, is_denorm_mode, fp_atomic_step, amd_s_nop, 2},
	{"trans_use", gfx110, is_trans, is_valu, trans_use_step, amd_s_waitcnt_depctr, 0x0fff},
};

/* --- search --- */
struct visit {
	uint32_t search; /* the number of the search that was here last */
	struct window least; /* of the window used up when the block's end was entered */
};
struct search {
	struct amd_func *f;
	const struct hazard *h;
	const struct amd_inst *use;
	struct visit *visits; /* by block */
	uint32_t number;
};

static bool nearer(struct window a, struct window b)
{
	return a.states < b.states || a.valus < b.valus || a.trans < b.trans;
}

static bool search_block(struct search *s, const struct amd_block *b, uint32_t end, struct window w)
{
	while (end--) {
		enum verdict v = s->h->step(b->insts.data[end], s->use, &w);
		if (v != GO_ON)
			return v == FOUND;
	}
	if (!b->id && !s->f->is_kernel)
		return true;
	for (uint32_t k = 0; k < b->wave_preds.len; k++) {
		uint32_t p = b->wave_preds.data[k];
		struct visit *v = &s->visits[p];
		struct window in = w;
		if (v->search == s->number && !nearer(in, v->least))
			continue;
		if (v->search == s->number) { /* both: the least of each */
			in.states = in.states < v->least.states ? in.states : v->least.states;
			in.valus = in.valus < v->least.valus ? in.valus : v->least.valus;
			in.trans = in.trans < v->least.trans ? in.trans : v->least.trans;
		}
		*v = (struct visit){s->number, in};
		if (search_block(s, s->f->blocks.data[p], s->f->blocks.data[p]->insts.len, in))
			return true;
	}
	return false;
}

static bool is_hazard(struct search *s, const struct amd_block *b, uint32_t at)
{
	struct window w = {0, 0, 0};
	s->use = b->insts.data[at];
	/* mostly decided inside the block */
	for (uint32_t k = at; k--;) {
		enum verdict v = s->h->step(b->insts.data[k], s->use, &w);
		if (v != GO_ON)
			return v == FOUND;
	}
	s->number++;
	return search_block(s, b, at, (struct window){0, 0, 0});
}

static void insert_before(struct amd_func *f, struct amd_block *b, uint32_t at, enum amd_op op, int32_t imm)
{
	bool move = op == amd_s_mov_b32;
	struct amd_inst *i = amd_inst_new(f, op, move, move);
	if (move) {
		i->defs[0] = amd_def_reg(AMD_NULL, AMD_S(1));
		i->ops[0] = amd_use_const(0);
	}
	i->enc = amd_op_info[op].enc;
	i->imm = imm;
	i->line = b->insts.data[at]->line;
	vec_push(f->arena, &b->insts, i);
	memmove(&b->insts.data[at + 1], &b->insts.data[at], (b->insts.len - 1 - at) * sizeof i);
	b->insts.data[at] = i;
}

static bool is_lds(const struct amd_inst *i)
{
	return amd_op_info[i->op].cls == AMD_CLS_LDS;
}

/* The order across a branch is lost: before the first access of each block all stores are waited for. */
static void order_across_branches(struct amd_func *f)
{
	bool kinds[2] = {!f->is_kernel, !f->is_kernel};
	for (uint32_t k = 0; k < f->blocks.len; k++)
		for (uint32_t n = 0; n < f->blocks.data[k]->insts.len; n++) {
			const struct amd_inst *i = f->blocks.data[k]->insts.data[n];
			kinds[0] |= is_lds(i) || is_call(i);
			kinds[1] |= (is_memory(i) && !is_lds(i)) || is_call(i);
		}
	for (uint32_t k = f->is_kernel; k < f->blocks.len && kinds[0] && kinds[1]; k++) {
		struct amd_block *b = f->blocks.data[k];
		uint32_t n = 0;
		while (n < b->insts.len && !is_memory(b->insts.data[n]))
			n++;
		if (n < b->insts.len)
			insert_before(f, b, n, amd_s_waitcnt_vscnt, 0);
	}
}

static void check_mad64(struct amd_func *f, const struct amd_block *b, const struct amd_inst *i)
{
	if ((i->op != amd_v_mad_u64_u32 && i->op != amd_v_mad_i64_i32) || !gfx110(f->target))
		return;
	for (uint32_t k = 0; k < i->nops; k++)
		if ((i->ops[k].kind == AMD_OPND_TEMP || i->ops[k].kind == AMD_OPND_REG) &&
		    overlap(i->ops[k].reg, i->ops[k].low ? AMD_V(1) : i->ops[k].rc, i->defs[0].reg, i->defs[0].rc))
			amd_ice(f, "amd_hazards", b, i, "the destination overlaps a source");
}

static bool has_trigger(const struct amd_func *f, const struct hazard *h)
{
	if (!f->is_kernel)
		return true;
	for (uint32_t k = 0; k < f->blocks.len; k++)
		for (uint32_t n = 0; n < f->blocks.data[k]->insts.len; n++)
			if (h->is_trigger(f->blocks.data[k]->insts.data[n]) || is_call(f->blocks.data[k]->insts.data[n]))
				return true;
	return false;
}

void amd_hazards(struct amd_func *f)
{
	struct search s = {.f = f, .visits = NEWN(f->arena, struct visit, f->blocks.len)};
	for (size_t n = 0; n < sizeof hazards / sizeof *hazards; n++) {
		const struct hazard *h = &hazards[n];
		if (!h->on_chip(f->target) || !has_trigger(f, h))
			continue;
		s.h = h;
		for (uint32_t k = 0; k < f->blocks.len; k++) {
			struct amd_block *b = f->blocks.data[k];
			for (uint32_t at = 0; at < b->insts.len; at++)
				if (h->is_use(b->insts.data[at]) && is_hazard(&s, b, at))
					insert_before(f, b, at++, (enum amd_op)h->fix, h->fix_imm);
		}
	}
	if (gfx101(f->target))
		order_across_branches(f);
	for (uint32_t k = 0; k < f->blocks.len; k++)
		for (uint32_t n = 0; n < f->blocks.data[k]->insts.len; n++)
			check_mad64(f, f->blocks.data[k], f->blocks.data[k]->insts.data[n]);
}
