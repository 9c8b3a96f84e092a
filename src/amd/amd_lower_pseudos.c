/* Pseudo-instructions become instructions.
 *
 * requires: f->allocated, amd_out_of_ssa.
 * ensures: no AMD_CLS_PSEUDO; every instruction's encoding is chosen; blocks that only pass on are gone, cold ones stand behind the others and block numbers are new; branches
 *   fall through where they can; f->stats registers and occupancy; abi.uses_vcc.
 *
 * Vectors and parallel copies: amd_copies.c. Spills: SGPRs to lanes of the reserved VGPRs, VGPRs to scratch. */
#include "amd/amd_copies.h"
#include "amd/amd_ra.h"
#include "amd/amd_spill.h"

struct lower {
	struct amd_func *f;
	struct amd_copies *copies;
	struct amd_block *out;
};

static void add_all(struct lower *l, uint16_t dst, const struct amd_operand *o, uint32_t first, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		amd_copies_add(l->copies, (uint16_t)(dst + k), o, first + k);
}

static void lower_vector(struct lower *l, const struct amd_inst *i)
{
	uint32_t at = 0;
	amd_copies_start(l->copies, l->out, i->line);
	switch (i->op) {
	case amd_p_create_vector:
		for (uint32_t k = 0; k < i->nops; k++) {
			uint32_t n = amd_rc_size(i->ops[k].rc);
			add_all(l, (uint16_t)(i->defs[0].reg + at), &i->ops[k], 0, n);
			at += n;
		}
		if (at != amd_rc_size(i->defs[0].rc))
			amd_ice(l->f, "lower_pseudos", NULL, i, "parts of %u dwords", at);
		break;
	case amd_p_split_vector:
		for (uint32_t k = 0; k < i->ndefs; k++) {
			uint32_t n = amd_rc_size(i->defs[k].rc);
			if (!i->defs[k].kill)
				add_all(l, i->defs[k].reg, &i->ops[0], at, n);
			at += n;
		}
		break;
	case amd_p_extract_vector:
		at = amd_rc_size(i->defs[0].rc);
		add_all(l, i->defs[0].reg, &i->ops[0], (uint32_t)i->imm * at, at);
		break;
	default:
		for (uint32_t k = 0; k < i->ndefs; k++)
			add_all(l, i->defs[k].reg, &i->ops[k], 0, amd_rc_size(i->defs[k].rc));
	}
	amd_copies_emit(l->copies);
}

/* A 64-bit addend of which the low dword counts begins where that is; the next register need not be in use. In the last that there can be
 * at this occupancy it cannot: there a product and a sum do it. */
static void lower_low(struct lower *l, struct amd_inst *i)
{
	const struct amd_func *f = l->f;
	uint32_t most = amd_vgpr_limit(f), fit = f->spill_base ? amd_vgprs_at(f, amd_occupancy(f, f->spill_base + f->spill_vgprs)) : most;
	uint32_t end = AMD_VGPR0 + (fit < most ? fit : most);
	struct amd_operand low = amd_use_reg(i->defs[0].reg, AMD_V(1)), *addend = &i->ops[2];
	if (addend->reg + 1u < end) {
		*addend = amd_use_reg(addend->reg, AMD_V(2));
		addend->low = true;
		amd_append(l->f, l->out, i);
		return;
	}
	for (uint32_t k = 0; k < 2; k++) {
		struct amd_inst *m = amd_inst_new(l->f, k ? amd_v_add_nc_u32 : amd_v_mul_lo_u32, 1, 2);
		m->line = i->line;
		m->defs[0] = amd_def_reg(low.reg, AMD_V(1));
		m->ops[0] = k ? low : i->ops[0];
		m->ops[1] = k ? amd_use_reg(addend->reg, AMD_V(1)) : i->ops[1];
		amd_append(l->f, l->out, m);
	}
}

static void lower_inst(struct lower *l, struct amd_inst *i)
{
	switch (i->op) {
	case amd_p_parallelcopy:
	case amd_p_create_vector:
	case amd_p_split_vector:
	case amd_p_extract_vector:
		lower_vector(l, i);
		break;
	case amd_p_startpgm:
	case amd_p_use:
	case amd_p_lane_end:
	case amd_p_fence:
		break;
	case amd_p_spill:
	case amd_p_reload:
		amd_lower_spill(l->f, l->out, i);
		break;
	case amd_p_phi:
	case amd_p_wave_phi:
		amd_ice(l->f, "lower_pseudos", NULL, i, "phi");
	case amd_v_mad_u64_u32:
	case amd_v_mad_i64_i32:
		if (i->ops[2].low) {
			lower_low(l, i);
			break;
		}
		/* fall through */
	default:
		amd_append(l->f, l->out, i);
	}
}

/* --- blocks that only pass on --- */

static bool passes_on(const struct amd_block *b)
{
	if (b->id == 0 || b->wave_succs.len != 1 || b->lane_succs.len > 1 || b->wave_succs.data[0] == b->id)
		return false;
	return !b->insts.len || (b->insts.len == 1 && b->insts.data[0]->op == amd_p_branch);
}

static bool contains(const uint32_t *v, uint32_t n, uint32_t x)
{
	for (uint32_t k = 0; k < n; k++)
		if (v[k] == x)
			return true;
	return false;
}

#define remove_id(v, x)                                                                                                 \
	do {                                                                                                            \
		uint32_t n_ = 0;                                                                                        \
		for (uint32_t k_ = 0; k_ < (v)->len; k_++)                                                              \
			if ((v)->data[k_] != (x))                                                                       \
				(v)->data[n_++] = (v)->data[k_];                                                        \
		(v)->len = n_;                                                                                          \
	} while (0)

static void bypass(struct amd_func *f, struct amd_block *b)
{
	struct amd_block **blocks = f->blocks.data;
	struct amd_block *to = blocks[b->wave_succs.data[0]];
	for (uint32_t k = 0; k < b->wave_preds.len; k++) {
		struct amd_block *p = blocks[b->wave_preds.data[k]];
		remove_id(&p->wave_succs, b->id);
		if (!contains(p->wave_succs.data, p->wave_succs.len, to->id)) {
			vec_push(f->arena, &p->wave_succs, to->id);
			vec_push(f->arena, &to->wave_preds, p->id);
		}
		for (uint32_t j = 0; j < p->insts.len; j++)
			if (p->insts.data[j]->target == b)
				p->insts.data[j]->target = to;
	}
	remove_id(&to->wave_preds, b->id);
	struct amd_block *lane = b->lane_succs.len ? blocks[b->lane_succs.data[0]] : NULL;
	for (uint32_t k = 0; k < b->lane_preds.len; k++) {
		struct amd_block *p = blocks[b->lane_preds.data[k]];
		remove_id(&p->lane_succs, b->id);
		if (lane && !contains(p->lane_succs.data, p->lane_succs.len, lane->id)) {
			vec_push(f->arena, &p->lane_succs, lane->id);
			vec_push(f->arena, &lane->lane_preds, p->id);
		}
	}
	if (lane)
		remove_id(&lane->lane_preds, b->id);
	to->is_loop_header |= b->is_loop_header;
	b->wave_preds.len = b->wave_succs.len = b->lane_preds.len = b->lane_succs.len = 0;
	b->insts.len = 0;
}

/* Drops what is gone and moves cold blocks behind the others. */
static void renumber(struct amd_func *f, const bool *gone)
{
	uint32_t n = 0, count = f->blocks.len;
	uint32_t *now = NEWN(f->arena, uint32_t, count);
	struct amd_block **was = NEWN(f->arena, struct amd_block *, count);
	memcpy(was, f->blocks.data, count * sizeof *was);
	for (int cold = 0; cold < 2; cold++)
		for (uint32_t k = 0; k < count; k++)
			if (!gone[k] && was[k]->cold == cold) {
				now[k] = n;
				f->blocks.data[n] = was[k];
				f->blocks.data[n]->id = n;
				n++;
			}
	f->blocks.len = n;
	for (uint32_t k = 0; k < n; k++) {
		struct amd_block *b = f->blocks.data[k];
		for (uint32_t e = 0; e < b->wave_preds.len; e++)
			b->wave_preds.data[e] = now[b->wave_preds.data[e]];
		for (uint32_t e = 0; e < b->wave_succs.len; e++)
			b->wave_succs.data[e] = now[b->wave_succs.data[e]];
		for (uint32_t e = 0; e < b->lane_preds.len; e++)
			b->lane_preds.data[e] = now[b->lane_preds.data[e]];
		for (uint32_t e = 0; e < b->lane_succs.len; e++)
			b->lane_succs.data[e] = now[b->lane_succs.data[e]];
	}
}

/* --- branches --- */

static void jump(struct amd_func *f, struct amd_block *b, enum amd_op op, const struct amd_operand *o, uint32_t to, uint32_t line)
{
	struct amd_inst *i = amd_inst_new(f, op, 0, o ? 1 : 0);
	if (o)
		i->ops[0] = *o;
	i->target = f->blocks.data[to];
	i->line = line;
	amd_encode_choose(f, i);
	amd_append(f, b, i);
}

static enum amd_op condition(const struct amd_func *f, const struct amd_inst *i, bool nz)
{
	switch (i->ops[0].reg) {
	case AMD_SCC:
		return nz ? amd_s_cbranch_scc1 : amd_s_cbranch_scc0;
	case AMD_VCC:
		return nz ? amd_s_cbranch_vccnz : amd_s_cbranch_vccz;
	case AMD_EXEC:
		return nz ? amd_s_cbranch_execnz : amd_s_cbranch_execz;
	default:
		amd_ice(f, "lower_pseudos", NULL, i, "branch on another register");
	}
}

static void lower_branches(struct amd_func *f, struct amd_block *b)
{
	struct amd_inst *last = b->insts.len ? vec_last(&b->insts) : NULL;
	uint32_t next = b->id + 1, line = last ? last->line : 0;
	bool cond = last && (last->op == amd_p_cbranch_z || last->op == amd_p_cbranch_nz);
	if (cond || (last && last->op == amd_p_branch))
		b->insts.len--;
	else if (last && amd_op_info[last->op].flags & AMDF_TERMINATOR)
		return;
	if (!b->wave_succs.len)
		return;
	uint32_t to = b->wave_succs.data[0];
	if (cond && b->wave_succs.len == 2) {
		uint32_t target = last->target->id, other = to == target ? b->wave_succs.data[1] : to;
		bool nz = last->op == amd_p_cbranch_nz;
		if (target == next) {
			target = other;
			other = next;
			nz = !nz;
		}
		jump(f, b, condition(f, last, nz), &last->ops[0], target, line);
		to = other;
	}
	if (to != next)
		jump(f, b, amd_s_branch, NULL, to, line);
}

/* --- what was used --- */

static void use_reg(struct amd_func *f, uint32_t reg, uint32_t n)
{
	if (reg >= AMD_VGPR0 && reg < AMD_NREGS && f->stats.vgprs < reg - AMD_VGPR0 + n)
		f->stats.vgprs = reg - AMD_VGPR0 + n;
	if (reg < AMD_VCC && f->stats.sgprs < reg + n)
		f->stats.sgprs = reg + n;
	f->abi.uses_vcc |= reg == AMD_VCC || reg == AMD_VCC + 1;
}

static void count_registers(struct amd_func *f)
{
	for (uint32_t k = 0; k < f->blocks.len; k++)
		for (uint32_t j = 0; j < f->blocks.data[k]->insts.len; j++) {
			const struct amd_inst *i = f->blocks.data[k]->insts.data[j];
			for (uint32_t d = 0; d < i->ndefs; d++)
				use_reg(f, i->defs[d].reg, amd_rc_size(i->defs[d].rc));
			for (uint32_t o = 0; o < i->nops; o++)
				if (i->ops[o].kind == AMD_OPND_TEMP || i->ops[o].kind == AMD_OPND_REG)
					use_reg(f, i->ops[o].reg, amd_rc_size(i->ops[o].rc));
		}
	f->stats.occupancy = amd_occupancy(f, f->stats.vgprs);
}

void amd_lower_pseudos(struct amd_func *f)
{
	struct lower l = {.f = f, .copies = amd_copies_new(f)};
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k], out = {0};
		l.out = &out;
		vec_reserve(f->arena, &out.insts, b->insts.len);
		for (uint32_t j = 0; j < b->insts.len; j++)
			lower_inst(&l, b->insts.data[j]);
		for (uint32_t j = 0; j < out.insts.len; j++)
			if (amd_op_info[out.insts.data[j]->op].cls != AMD_CLS_PSEUDO)
				amd_encode_choose(f, out.insts.data[j]);
		b->insts.data = out.insts.data;
		b->insts.len = out.insts.len;
		b->insts.cap = out.insts.cap;
	}
	bool *gone = NEWN(f->arena, bool, f->blocks.len);
	for (uint32_t k = 1; k < f->blocks.len; k++)
		if (passes_on(f->blocks.data[k])) {
			bypass(f, f->blocks.data[k]);
			gone[k] = true;
		}
	renumber(f, gone);
	for (uint32_t k = 0; k < f->blocks.len; k++)
		lower_branches(f, f->blocks.data[k]);
	count_registers(f);
}
