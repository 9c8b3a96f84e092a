/* VOPD: two independent VALU instructions issue as one (gfx11, wave32).
 *
 * From each instruction that can be half of a pair, a few instructions ahead in the block a partner is sought that could as well
 * stand right behind it: nothing between touches the partner's registers in a way that matters, no wait, mode or EXEC changes between.
 * Or the first goes down to its partner, if nothing soon behind that waits for it: copies of constants and scalars always, past waits too.
 * Both then execute at once, so the second may overwrite what the first reads, but not read or write what the first writes.
 * Besides: one destination even, one odd; sources in the same place from different banks (register number modulo 4), commuting
 * where that helps; together at most one literal and two scalar values; no modifiers. v_fma_f32 onto its own addend counts as
 * v_fmac_f32.
 * requires: amd_waits.   ensures: pairs are one instruction with `dual`, X half first.
 * Source: RDNA3 ISA manual, "Dual issue VALU". */
#include "amd/amd.h"
#include "emit/mc_table.h"

enum { WINDOW = 12, SINK = 32, LATENCY = 4 };

static bool is_reg(const struct amd_operand *o)
{
	return o->kind == AMD_OPND_TEMP || o->kind == AMD_OPND_REG;
}

static bool is_vgpr(const struct amd_operand *o)
{
	return is_reg(o) && o->reg >= AMD_VGPR0;
}

/* As the short encoding has it: any first source, a VGPR second, VCC as mask. */
static bool is_plain(const struct amd_inst *i)
{
	for (uint32_t k = 0; k < i->nops; k++)
		if (i->ops[k].neg || i->ops[k].abs || i->ops[k].sext || i->ops[k].sel || i->ops[k].kind == AMD_OPND_UNDEF ||
		    i->ops[k].kind == AMD_OPND_RELOC)
			return false;
	return !i->clamp && !i->omod && !i->opsel && i->enc != AMD_ENC_DPP16 && i->enc != AMD_ENC_SDWA && i->enc != AMD_ENC_VOPD;
}

/* v_fma_f32 d, a, b, d is v_fmac_f32; its constants must stay in the first source. */
static void fma_to_fmac(struct amd_inst *i)
{
	if (i->op != amd_v_fma_f32 || !is_plain(i) || !is_vgpr(&i->ops[2]) || i->ops[2].reg != i->defs[0].reg)
		return;
	if (!is_vgpr(&i->ops[1]) && !is_vgpr(&i->ops[0]))
		return;
	if (!is_vgpr(&i->ops[1])) {
		struct amd_operand t = i->ops[0];
		i->ops[0] = i->ops[1];
		i->ops[1] = t;
	}
	i->op = amd_v_fmac_f32;
	i->enc = AMD_ENC_VOP2;
}

static bool is_half(const struct amd_inst *i)
{
	if (mc_dual_index(i->op) < 0 || !is_plain(i) || i->defs[0].reg < AMD_VGPR0)
		return false;
	if (i->op == amd_v_mov_b32)
		return true;
	return is_vgpr(&i->ops[1]) && (i->op != amd_v_cndmask_b32 || i->ops[2].reg == AMD_VCC);
}

/* --- what stands between --- */
static bool overlap(uint32_t a, amd_rc arc, uint32_t b, amd_rc brc)
{
	return a < AMD_NREGS && b < AMD_NREGS && a < b + amd_rc_size(brc) && b < a + amd_rc_size(arc);
}

static bool reads(const struct amd_inst *i, const struct amd_def *d)
{
	for (uint32_t k = 0; k < i->nops; k++)
		if (is_reg(&i->ops[k]) && overlap(i->ops[k].reg, i->ops[k].rc, d->reg, d->rc))
			return true;
	return i->dual && reads(i->dual, d);
}

static bool writes_what(const struct amd_inst *i, const struct amd_inst *y)
{
	for (uint32_t k = 0; k < i->ndefs; k++)
		if (reads(y, &i->defs[k]) || overlap(i->defs[k].reg, i->defs[k].rc, y->defs[0].reg, y->defs[0].rc))
			return true;
	return i->dual && writes_what(i->dual, y);
}

/* y may not move over i. */
static bool blocks_move(const struct amd_inst *i, const struct amd_inst *y)
{
	return reads(i, &y->defs[0]) || writes_what(i, y);
}

/* Nothing moves over i; waits aside. */
static bool ends_window(const struct amd_inst *i)
{
	const struct amd_op_info *info = &amd_op_info[i->op];
	if (info->cls == AMD_CLS_WAIT)
		return false;
	if (info->cls == AMD_CLS_MSG || info->cls == AMD_CLS_BRANCH || info->cls == AMD_CLS_PSEUDO ||
	    info->flags & (AMDF_TERMINATOR | AMDF_SIDE_EFFECT | AMDF_EXEC_DEF))
		return true;
	for (uint32_t k = 0; k < i->ndefs; k++)
		if (overlap(i->defs[k].reg, i->defs[k].rc, AMD_EXEC, AMD_S(2)))
			return true;
	return false;
}

/* --- pairs --- */
static bool commutes(const struct amd_inst *i)
{
	return (amd_op_info[i->op].flags & AMDF_COMMUTES || i->op == amd_v_sub_f32 || i->op == amd_v_subrev_f32) && is_vgpr(&i->ops[0]);
}

static void commute(struct amd_inst *i)
{
	struct amd_operand t = i->ops[0];
	i->ops[0] = i->ops[1];
	i->ops[1] = t;
	if (i->op == amd_v_sub_f32)
		i->op = amd_v_subrev_f32;
	else if (i->op == amd_v_subrev_f32)
		i->op = amd_v_sub_f32;
}

static bool same_bank(const struct amd_operand *a, const struct amd_operand *b)
{
	return is_vgpr(a) && is_vgpr(b) && (a->reg & 3) == (b->reg & 3);
}

static bool banks_differ(const struct amd_inst *x, const struct amd_inst *y)
{
	if (same_bank(&x->ops[0], &y->ops[0]))
		return false;
	return x->op == amd_v_mov_b32 || y->op == amd_v_mov_b32 || !same_bank(&x->ops[1], &y->ops[1]);
}

/* Scalar values that the two read: registers, the mask, a literal. */
static bool bus_allows(const struct amd_inst *x, const struct amd_inst *y)
{
	const struct amd_inst *both[2] = {x, y};
	uint32_t seen[4], n = 0;
	const struct amd_operand *literal = NULL;
	for (int h = 0; h < 2; h++) {
		const struct amd_operand *o = &both[h]->ops[0];
		if (o->kind == AMD_OPND_CONST && !amd_inline_const(both[h], 0, o->value)) {
			if (literal && literal->value != o->value)
				return false;
			literal = o;
		}
		for (int m = 0; m < 2; m++) {
			uint32_t reg = m ? AMD_VCC : o->reg;
			if (m ? both[h]->op != amd_v_cndmask_b32 : !is_reg(o) || o->reg >= AMD_VGPR0)
				continue;
			bool old = false;
			for (uint32_t k = 0; k < n; k++)
				old |= seen[k] == reg;
			if (!old)
				seen[n++] = reg;
		}
	}
	return n + (literal != NULL) <= 2;
}

/* Whether b, behind a, can issue with a; sources are commuted as needed. */
static bool pair(struct amd_inst *a, struct amd_inst *b)
{
	if (((a->defs[0].reg ^ b->defs[0].reg) & 1) == 0 || reads(b, &a->defs[0]) || !bus_allows(a, b))
		return false;
	if (mc_dual_index(a->op) >= MC_DUAL_X && mc_dual_index(b->op) >= MC_DUAL_X)
		return false;
	for (uint32_t k = 0; k < 4; k++) {
		if (banks_differ(a, b))
			return true;
		struct amd_inst *i = k & 1 ? b : a; /* a, both, b, as it was */
		if (commutes(i))
			commute(i);
	}
	return false;
}

static struct amd_inst *fuse(struct amd_inst *a, struct amd_inst *b)
{
	bool swap = mc_dual_index(a->op) >= MC_DUAL_X;
	struct amd_inst *x = swap ? b : a, *y = swap ? a : b;
	x->enc = y->enc = AMD_ENC_VOPD;
	x->dual = y;
	return x;
}

struct partner {
	uint32_t at; /* 0: none */
	bool sink;   /* the first goes down to it, not it up to the first */
};

/* Does an instruction shortly behind number k read what a gives? */
static bool read_soon(const struct amd_block *b, uint32_t k, const struct amd_inst *a)
{
	for (uint32_t n = k + 1; n < b->insts.len && n <= k + LATENCY; n++)
		if (reads(b->insts.data[n], &a->defs[0]))
			return true;
	return false;
}

static struct partner find_partner(const struct amd_block *b, uint32_t at)
{
	struct amd_inst *a = b->insts.data[at];
	bool copy = a->op == amd_v_mov_b32 && !is_vgpr(&a->ops[0]), sinks = true, rises = true;
	for (uint32_t k = at + 1; k < b->insts.len && k <= at + (sinks ? SINK : WINDOW) && (sinks || rises); k++) {
		struct amd_inst *y = b->insts.data[k];
		if (ends_window(y))
			break;
		bool movable = rises && k <= at + WINDOW && is_half(y);
		for (uint32_t n = at + 1; n < k && movable; n++)
			movable = !blocks_move(b->insts.data[n], y);
		if (movable && pair(a, y))
			return (struct partner){k, false};
		if (sinks && is_half(y) && (copy || !read_soon(b, k, a)) && pair(a, y))
			return (struct partner){k, true};
		bool wait = amd_op_info[y->op].cls == AMD_CLS_WAIT;
		rises &= !wait;
		sinks &= (copy || !wait) && !blocks_move(y, a);
	}
	return (struct partner){0, false};
}

void amd_vopd(struct amd_func *f)
{
	if (!f->target->has_vopd || f->target->wave_size != 32)
		return;
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k];
		for (uint32_t n = 0; n < b->insts.len; n++)
			fma_to_fmac(b->insts.data[n]);
		for (uint32_t n = 0; n < b->insts.len; n++) {
			struct partner with = is_half(b->insts.data[n]) ? find_partner(b, n) : (struct partner){0, false};
			if (!with.at)
				continue;
			struct amd_inst *both = fuse(b->insts.data[n], b->insts.data[with.at]);
			uint32_t stays = with.sink ? with.at : n, goes = with.sink ? n : with.at;
			b->insts.data[stays] = both;
			b->insts.len--;
			memmove(&b->insts.data[goes], &b->insts.data[goes + 1], (b->insts.len - goes) * sizeof b->insts.data[0]);
			n -= with.sink; /* another stands here now */
		}
	}
}
