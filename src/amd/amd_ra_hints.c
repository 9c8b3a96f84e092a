/* Where temporaries would like to be: phis and tied operands with their results, parts of vectors side by side, masks in VCC, values for
 * fixed operands in these. Wishes, never needs. */
#include "amd/amd_ra.h"

uint32_t ra_rep(struct ra *r, uint32_t t)
{
	while (r->rep[t] != t)
		t = r->rep[t] = r->rep[r->rep[t]];
	return t;
}

uint32_t ra_random(struct ra *r, uint32_t n)
{
	r->random = r->random * 1664525 + 1013904223;
	return (uint32_t)(((uint64_t)r->random * n) >> 32);
}

static void join(struct ra *r, uint32_t a, uint32_t b)
{
	a = ra_rep(r, a);
	b = ra_rep(r, b);
	r->rep[a > b ? a : b] = a > b ? b : a;
}

static void vector_slots(struct ra *r, const struct amd_inst *i)
{
	uint32_t offset = 0;
	for (uint32_t k = 0; k < i->nops; k++) {
		const struct amd_operand *o = &i->ops[k];
		if (o->kind == AMD_OPND_TEMP && o->first_kill && amd_rc_vector(o->rc) == amd_rc_vector(i->defs[0].rc) && !r->slot[o->temp].vector)
			r->slot[o->temp] = (struct ra_vector_slot){i->defs[0].temp, i, (uint16_t)offset};
		offset += amd_rc_size(o->rc);
	}
}

static void only_part(struct ra *r, const struct amd_inst *i)
{
	struct ra_part part = {0, 0};
	uint32_t read = 0, offset = 0;
	for (uint32_t d = 0; d < i->ndefs; offset += amd_rc_size(i->defs[d++].rc))
		if (!i->defs[d].kill && ++read == 1)
			part = (struct ra_part){i->defs[d].temp, (uint16_t)offset};
	if (read == 1 && i->ops[0].kind == AMD_OPND_TEMP && i->ops[0].kill)
		r->part[i->ops[0].temp] = part;
}

/* A mask that the short encoding reads in VCC. */
static bool short_mask_use(const struct amd_inst *i, uint32_t op)
{
	const struct amd_op_info *info = &amd_op_info[i->op];
	if (!(info->flags & AMDF_VCC_USE) || info->enc != AMD_ENC_VOP2 || op != 2 || i->enc == AMD_ENC_VOP3 || i->clamp || i->omod)
		return false;
	return !(i->ops[0].neg | i->ops[0].abs | i->ops[1].neg | i->ops[1].abs);
}

/* A mask that the short encoding writes to VCC. */
static bool short_mask_def(const struct amd_inst *i)
{
	uint8_t enc = amd_op_info[i->op].enc;
	if ((enc != AMD_ENC_VOPC && enc != AMD_ENC_VOP2) || i->enc == AMD_ENC_VOP3 || i->clamp || i->omod)
		return false;
	return !(i->ops[0].neg | i->ops[0].abs | i->ops[1].neg | i->ops[1].abs);
}

static void hints_of(struct ra *r, const struct amd_inst *i)
{
	if (amd_is_phi(i))
		for (uint32_t k = 0; k < i->nops; k++)
			if (i->ops[k].kind == AMD_OPND_TEMP)
				join(r, i->defs[0].temp, i->ops[k].temp);
	if (i->op == amd_p_create_vector)
		vector_slots(r, i);
	if (i->op == amd_p_split_vector)
		only_part(r, i);
	if (i->op == amd_p_parallelcopy)
		for (uint32_t k = 0; k < i->nops; k++)
			if (i->ops[k].kind == AMD_OPND_TEMP && i->ops[k].kill && i->ops[k].rc == i->defs[k].rc)
				join(r, i->defs[k].temp, i->ops[k].temp);
	if (amd_op_info[i->op].flags & AMDF_TIED) {
		const struct amd_operand *o = &i->ops[amd_tied_operand(i)];
		if (o->kind == AMD_OPND_TEMP && o->kill && i->defs[0].temp)
			join(r, i->defs[0].temp, o->temp);
	}
	if ((i->op == amd_v_fma_f32 || i->op == amd_v_fma_f16) && i->ops[2].kind == AMD_OPND_TEMP && i->ops[2].kill && i->defs[0].temp &&
	    i->ops[2].rc == i->defs[0].rc)
		join(r, i->defs[0].temp, i->ops[2].temp);
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (amd_op_info[i->op].flags & AMDF_VCC_DEF && !amd_rc_vector(i->defs[d].rc) && i->defs[d].temp && !i->defs[d].fixed &&
		    short_mask_def(i) && r->lv->global[i->defs[d].temp] == UINT32_MAX && r->want[i->defs[d].temp] == AMD_NOREG)
			r->want[i->defs[d].temp] = AMD_VCC;
	for (uint32_t k = 0; k < i->nops; k++) {
		const struct amd_operand *o = &i->ops[k];
		if (o->kind != AMD_OPND_TEMP || r->lv->global[o->temp] != UINT32_MAX)
			continue;
		if (o->fixed && o->reg != AMD_SCC)
			r->want[o->temp] = o->reg;
		else if (short_mask_use(i, k))
			r->want[o->temp] = AMD_VCC;
	}
}

void ra_make_hints(struct ra *r)
{
	uint32_t n = r->f->ntemps;
	r->rep = NEWN(&r->tmp, uint32_t, n);
	r->rep_reg = NEWN(&r->tmp, uint16_t, n);
	r->want = NEWN(&r->tmp, uint16_t, n);
	r->slot = NEWN(&r->tmp, struct ra_vector_slot, n);
	r->part = NEWN(&r->tmp, struct ra_part, n);
	r->vector_base = NEWN(&r->tmp, uint16_t, n);
	for (uint32_t t = 0; t < n; t++) {
		r->rep[t] = t;
		r->rep_reg[t] = r->want[t] = r->vector_base[t] = AMD_NOREG;
	}
	for (uint32_t k = 0; k < r->f->blocks.len; k++)
		for (uint32_t j = 0; j < r->f->blocks.data[k]->insts.len; j++)
			hints_of(r, r->f->blocks.data[k]->insts.data[j]);
}

void ra_note_place(struct ra *r, uint32_t temp, uint16_t reg)
{
	if (!temp || reg == AMD_SCC)
		return;
	r->rep_reg[ra_rep(r, temp)] = reg;
	const struct ra_vector_slot *s = &r->slot[temp];
	if (!s->vector || r->vector_base[s->vector] != AMD_NOREG || reg < s->offset + ra_base(reg >= AMD_VGPR0))
		return;
	r->vector_base[s->vector] = (uint16_t)(reg - s->offset);
	for (uint32_t k = 0; k < amd_rc_size(r->f->temp_rc.data[s->vector]) && reg - s->offset + k < AMD_NREGS; k++)
		r->held[reg - s->offset + k] = s->vector;
}

/* Where the operands of the instruction lie that the definition could take over: k-th, or AMD_NOREG. */
static uint16_t operand_hint(struct ra *r, uint32_t def, uint32_t k)
{
	const struct amd_inst *i = r->i;
	if (i->op == amd_p_create_vector) {
		uint32_t offset = 0;
		for (uint32_t o = 0; o < i->nops; offset += amd_rc_size(i->ops[o++].rc)) {
			const struct amd_operand *p = &i->ops[o];
			if (p->kind != AMD_OPND_TEMP || r->dying[p->temp] != r->now || k--)
				continue;
			uint32_t reg = r->loc[p->temp];
			return reg == AMD_SCC || reg < offset ? 0x8000 : (uint16_t)(reg - offset);
		}
		return AMD_NOREG;
	}
	if (k || !i->nops)
		return AMD_NOREG;
	const struct amd_operand *p = &i->ops[i->op == amd_p_parallelcopy ? def : 0];
	if (p->kind != AMD_OPND_TEMP || r->dying[p->temp] != r->now)
		return AMD_NOREG;
	uint32_t offset = 0;
	if (i->op == amd_p_split_vector)
		for (uint32_t d = 0; d < def; d++)
			offset += amd_rc_size(i->defs[d].rc);
	else if (i->op == amd_p_extract_vector)
		offset = (uint32_t)i->imm * amd_rc_size(i->defs[0].rc);
	else if (i->op != amd_p_parallelcopy)
		return AMD_NOREG;
	return (uint16_t)(r->loc[p->temp] + offset);
}

uint16_t ra_next_hint(struct ra *r, uint32_t temp, uint32_t def, struct ra_hint_iter *it)
{
	/* a vector of which one part is read goes where that would go */
	struct ra_part part = temp ? r->part[temp] : (struct ra_part){0, 0};
	uint32_t read = part.temp ? part.temp : temp;
	for (;;) {
		uint16_t reg = AMD_NOREG;
		switch (it->stage) {
		case 0:
			reg = r->i ? operand_hint(r, def, it->k++) : AMD_NOREG;
			if (reg == AMD_NOREG)
				it->stage++;
			else
				return reg;
			break;
		case 1:
			it->stage++;
			reg = temp ? r->want[read] : AMD_NOREG;
			/* a carry that nobody reads */
			if (!temp && r->i && amd_op_info[r->i->op].flags & AMDF_VCC_DEF && !amd_rc_vector(r->i->defs[def].rc))
				reg = AMD_VCC;
			break;
		case 2:
			it->stage++;
			reg = temp ? r->rep_reg[ra_rep(r, read)] : AMD_NOREG;
			break;
		case 3:
			it->stage++;
			if (temp && r->slot[read].vector && r->vector_base[r->slot[read].vector] != AMD_NOREG)
				reg = (uint16_t)(r->vector_base[r->slot[read].vector] + r->slot[read].offset);
			break;
		default:
			return AMD_NOREG;
		}
		if (reg != AMD_NOREG && reg >= part.offset)
			return (uint16_t)(reg - part.offset);
	}
}
