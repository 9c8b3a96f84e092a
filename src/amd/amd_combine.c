/* Operands that can be constants or SGPRs, pairs of instructions that are one, scalar instructions that are better vector ones,
 * and dead code.
 *
 * requires: SSA.
 * ensures: constants stand in the instructions that can take them; add, shift, and, or, xor, 24-bit multiply pairs are the three-operand
 *   instruction where the first is used once; a scalar result whose only use is a copy to a VGPR is computed there, and with it what makes
 *   one vector instruction of two scalar ones; what adds nothing is passed over; what nobody uses is gone.
 *
 * A source may become a constant or an SGPR where the scalar bus still suffices: two scalar values a VALU instruction, one of them a
 * literal (RDNA2/RDNA3 ISA, "VALU operand limits"). */
#include "amd/amd_dom.h"

struct combiner {
	struct amd_func *f;
	struct arena tmp;
	struct amd_dom wave;
	struct amd_inst **def;     /* by temporary */
	uint32_t *def_block, *uses;
	uint32_t *epoch;           /* by temporary: writes of EXEC before it in its block */
	bool *keeps_scc;           /* by temporary: what its instruction leaves in SCC is read */
};

static bool is_valu(const struct amd_inst *i)
{
	uint8_t cls = amd_op_info[i->op].cls;
	return cls == AMD_CLS_VALU || cls == AMD_CLS_TRANS || cls == AMD_CLS_VALU64;
}

static struct amd_shape shape_of(const struct amd_inst *i, uint32_t op)
{
	const char *s = amd_op_info[i->op].ops;
	struct amd_shape t = {AMD_SH_END, 0};
	for (uint32_t k = 0; k <= op; k++)
		t = amd_shape_next(&s);
	return t;
}

static bool is_literal(const struct amd_inst *i, uint32_t k)
{
	const struct amd_operand *o = &i->ops[k];
	return o->kind == AMD_OPND_RELOC || (o->kind == AMD_OPND_CONST && !amd_inline_const(i, k, o->value));
}

static bool same_source(const struct amd_operand *x, const struct amd_operand *y)
{
	if (x->kind != y->kind)
		return false;
	return x->kind == AMD_OPND_TEMP    ? x->temp == y->temp
	       : x->kind == AMD_OPND_REG   ? x->reg == y->reg
	       : x->kind == AMD_OPND_CONST ? x->value == y->value
	                                   : x->kind == AMD_OPND_RELOC && x->reloc.sym == y->reloc.sym;
}

/* Does the instruction, as it stands, keep to the limits? */
static bool legal(const struct amd_inst *i)
{
	uint32_t scalars = 0, literals = 0;
	bool shift64 = i->op == amd_v_lshlrev_b64 || i->op == amd_v_lshrrev_b64 || i->op == amd_v_ashrrev_i64;
	for (uint32_t k = 0; k < i->nops; k++) {
		const struct amd_operand *o = &i->ops[k];
		bool lit = is_literal(i, k), again = false;
		if (!lit && (o->kind == AMD_OPND_CONST || o->kind == AMD_OPND_UNDEF || amd_rc_vector(o->rc)))
			continue;
		for (uint32_t j = 0; j < k; j++)
			again |= same_source(&i->ops[j], o);
		if (again)
			continue;
		scalars++;
		literals += lit;
	}
	if (literals > 1 || (literals && (i->enc == AMD_ENC_DPP16 || i->enc == AMD_ENC_SDWA)))
		return false;
	return !is_valu(i) || scalars <= (shift64 ? 1u : 2u);
}

/* A plain operand: no selector, place or flag that a constant could not have. */
static bool plain(const struct amd_operand *o)
{
	return o->kind == AMD_OPND_TEMP && !o->fixed && !o->sel && !o->sext && !o->low;
}

static bool takes(const struct amd_inst *i, uint32_t k)
{
	if (i->enc == AMD_ENC_DPP16 || i->enc == AMD_ENC_SDWA)
		return false;
	if (amd_is_phi(i) || i->op == amd_p_create_vector)
		return amd_rc_size(i->ops[k].rc) == 1;
	switch (i->op) {
	case amd_v_readlane_b32:
	case amd_v_writelane_b32:
	case amd_v_permlane16_b32:
	case amd_v_permlanex16_b32:
		return false;
	default:
		break;
	}
	uint8_t cls = amd_op_info[i->op].cls, kind = shape_of(i, k).kind;
	if (i->ops[k].neg || i->ops[k].abs || amd_op_info[i->op].enc == AMD_ENC_VOP3P)
		return false;
	return (kind == AMD_SH_X && is_valu(i)) || (kind == AMD_SH_A && cls == AMD_CLS_SALU);
}

/* Two or more uses of a literal are better off in a register, but where it costs nothing more: a short encoding's first source. */
static bool literal_pays(const struct combiner *c, const struct amd_inst *i, uint32_t k, uint32_t t)
{
	if (c->uses[t] == 1 || !is_valu(i))
		return true;
	uint8_t enc = amd_op_info[i->op].enc;
	if (enc == AMD_ENC_VOP1)
		return true;
	if (enc != AMD_ENC_VOP2 && enc != AMD_ENC_VOPC)
		return false;
	const struct amd_operand *other = &i->ops[1 - (k & 1)];
	return k < 2 && other->kind == AMD_OPND_TEMP && amd_rc_vector(other->rc) && (k == 0 || amd_op_info[i->op].flags & AMDF_COMMUTES);
}

static bool take_constant(struct combiner *c, struct amd_inst *i, uint32_t k, const struct amd_operand *src, uint32_t t)
{
	struct amd_operand old = i->ops[k];
	i->ops[k] = *src;
	i->ops[k].rc = AMD_S(1);
	if (amd_is_phi(i) || i->op == amd_p_create_vector)
		return true;
	if (legal(i) && (!is_literal(i, k) || literal_pays(c, i, k, t)))
		return true;
	i->ops[k] = old;
	return false;
}

static bool in_scc(const struct combiner *c, uint32_t t)
{
	const struct amd_inst *i = c->def[t];
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (i->defs[d].temp == t)
			return i->defs[d].fixed && i->defs[d].reg == AMD_SCC;
	return false;
}

static void sources(struct combiner *c, struct amd_inst *i, uint32_t block)
{
	for (uint32_t k = 0; k < i->nops; k++) {
		if (!plain(&i->ops[k]) || !takes(i, k))
			continue;
		uint32_t t = i->ops[k].temp;
		const struct amd_inst *d = c->def[t];
		if (!d || d->ndefs != 1 || d->enc == AMD_ENC_DPP16 || d->enc == AMD_ENC_SDWA || d->defs[0].fixed)
			continue;
		struct amd_operand k16 = amd_use_const((uint32_t)d->imm);
		const struct amd_operand *src = d->op == amd_s_movk_i32 ? &k16 : d->nops == 1 ? &d->ops[0] : NULL;
		if (!src || (d->op != amd_s_mov_b32 && d->op != amd_v_mov_b32 && d->op != amd_s_movk_i32))
			continue;
		if (src->kind == AMD_OPND_CONST || (src->kind == AMD_OPND_RELOC && c->uses[t] == 1 && !amd_is_phi(i))) {
			if (take_constant(c, i, k, src, t))
				c->uses[t]--;
			continue;
		}
		/* An SGPR that was copied to a VGPR. Copies out of a loop keep, lane by lane, what the SGPR was in the lane's last iteration. */
		if (c->def_block[t] != block && c->f->blocks.data[c->def_block[t]]->loop_depth)
			continue;
		if ((!is_valu(i) && (d->op == amd_v_mov_b32 || amd_is_phi(i))) || src->kind != AMD_OPND_TEMP ||
		    amd_rc_vector(src->rc) || src->fixed || !c->def[src->temp] || in_scc(c, src->temp) ||
		    !(c->def_block[src->temp] == block || amd_dominates(&c->wave, c->def_block[src->temp], block)))
			continue;
		struct amd_operand old = i->ops[k];
		i->ops[k] = *src;
		if (legal(i)) {
			c->uses[t]--;
			c->uses[src->temp]++;
		} else {
			i->ops[k] = old;
		}
	}
}

/* --- pairs --- */

/* min(max(x, low), high) is the median where low <= high. */
static const struct amd_operand *low_bound(const struct amd_inst *m)
{
	return m->ops[0].kind == AMD_OPND_CONST ? &m->ops[0] : &m->ops[1];
}

static bool clamps_i32(const struct amd_inst *m)
{
	const struct amd_operand *low = low_bound(m), *high = &m->ops[2];
	return low->kind == AMD_OPND_CONST && high->kind == AMD_OPND_CONST && (int32_t)low->value <= (int32_t)high->value;
}

static bool clamps_u32(const struct amd_inst *m)
{
	const struct amd_operand *low = low_bound(m), *high = &m->ops[2];
	return low->kind == AMD_OPND_CONST && high->kind == AMD_OPND_CONST && (uint32_t)low->value <= (uint32_t)high->value;
}

static bool clamps_positive(const struct amd_inst *m)
{
	return clamps_i32(m) && (int32_t)low_bound(m)->value >= 0;
}

/* outer(inner(a, b), c): operand `at` of outer is inner's result. order: which of a, b, c is each source of the result. */
static const struct pair {
	uint16_t outer, inner, result;
	int8_t at; /* -1: either */
	uint8_t order[3];
	bool (*check)(const struct amd_inst *result); /* NULL: always */
} pairs[] = {
	{amd_v_add_nc_u32, amd_v_add_nc_u32, amd_v_add3_u32, -1, {0, 1, 2}, NULL},
	{amd_v_add_nc_u32, amd_v_lshlrev_b32, amd_v_lshl_add_u32, -1, {1, 0, 2}, NULL},
	{amd_v_add_nc_u32, amd_v_mul_u32_u24, amd_v_mad_u32_u24, -1, {0, 1, 2}, NULL},
	{amd_v_add_nc_u32, amd_v_mul_i32_i24, amd_v_mad_i32_i24, -1, {0, 1, 2}, NULL},
	{amd_v_add_nc_u32, amd_v_xor_b32, amd_v_xad_u32, -1, {0, 1, 2}, NULL},
	{amd_v_lshlrev_b32, amd_v_add_nc_u32, amd_v_add_lshl_u32, 1, {0, 1, 2}, NULL},
	{amd_v_or_b32, amd_v_and_b32, amd_v_and_or_b32, -1, {0, 1, 2}, NULL},
	{amd_v_or_b32, amd_v_lshlrev_b32, amd_v_lshl_or_b32, -1, {1, 0, 2}, NULL},
	{amd_v_or_b32, amd_v_or_b32, amd_v_or3_b32, -1, {0, 1, 2}, NULL},
	{amd_v_xor_b32, amd_v_xor_b32, amd_v_xor3_b32, -1, {0, 1, 2}, NULL},
	{amd_v_min_u32, amd_v_min_u32, amd_v_min3_u32, -1, {0, 1, 2}, NULL},
	{amd_v_max_u32, amd_v_max_u32, amd_v_max3_u32, -1, {0, 1, 2}, NULL},
	{amd_v_min_i32, amd_v_min_i32, amd_v_min3_i32, -1, {0, 1, 2}, NULL},
	{amd_v_max_i32, amd_v_max_i32, amd_v_max3_i32, -1, {0, 1, 2}, NULL},
	{amd_v_min_i32, amd_v_max_i32, amd_v_med3_i32, -1, {0, 1, 2}, clamps_i32},
	{amd_v_min_u32, amd_v_max_u32, amd_v_med3_u32, -1, {0, 1, 2}, clamps_u32},
	{amd_v_min_u32, amd_v_max_i32, amd_v_med3_i32, -1, {0, 1, 2}, clamps_positive},
};

static bool unmodified(const struct amd_inst *i)
{
	if (i->enc == AMD_ENC_DPP16 || i->enc == AMD_ENC_SDWA || i->clamp || i->omod || i->opsel || i->ndefs != 1 || i->nops != 2)
		return false;
	for (uint32_t k = 0; k < i->nops; k++)
		if (i->ops[k].sel || i->ops[k].sext || i->ops[k].neg || i->ops[k].abs || i->ops[k].fixed || i->ops[k].late_kill)
			return false;
	return true;
}

/* --- scalar instructions and what does the same in a VGPR --- */

enum { ZERO = -1, ONES = -2, EIGHT = -3, SIXTEEN = -4 };

static const struct twin {
	uint16_t salu, valu;
	uint8_t n;
	int8_t from[3]; /* which source of the scalar instruction, or a constant */
} twins[] = {
	{amd_s_add_u32, amd_v_add_nc_u32, 2, {0, 1}},
	{amd_s_add_i32, amd_v_add_nc_u32, 2, {0, 1}},
	{amd_s_sub_u32, amd_v_sub_nc_u32, 2, {0, 1}},
	{amd_s_sub_i32, amd_v_sub_nc_u32, 2, {0, 1}},
	{amd_s_min_i32, amd_v_min_i32, 2, {0, 1}},
	{amd_s_min_u32, amd_v_min_u32, 2, {0, 1}},
	{amd_s_max_i32, amd_v_max_i32, 2, {0, 1}},
	{amd_s_max_u32, amd_v_max_u32, 2, {0, 1}},
	{amd_s_and_b32, amd_v_and_b32, 2, {0, 1}},
	{amd_s_or_b32, amd_v_or_b32, 2, {0, 1}},
	{amd_s_xor_b32, amd_v_xor_b32, 2, {0, 1}},
	{amd_s_xnor_b32, amd_v_xnor_b32, 2, {0, 1}},
	{amd_s_andn2_b32, amd_v_bfi_b32, 3, {1, ZERO, 0}},
	{amd_s_orn2_b32, amd_v_bfi_b32, 3, {1, 0, ONES}},
	{amd_s_lshl_b32, amd_v_lshlrev_b32, 2, {1, 0}},
	{amd_s_lshr_b32, amd_v_lshrrev_b32, 2, {1, 0}},
	{amd_s_ashr_i32, amd_v_ashrrev_i32, 2, {1, 0}},
	{amd_s_not_b32, amd_v_not_b32, 1, {0}},
	{amd_s_brev_b32, amd_v_bfrev_b32, 1, {0}},
	{amd_s_flbit_i32_b32, amd_v_ffbh_u32, 1, {0}},
	{amd_s_flbit_i32, amd_v_ffbh_i32, 1, {0}},
	{amd_s_ff1_i32_b32, amd_v_ffbl_b32, 1, {0}},
	{amd_s_bcnt1_i32_b32, amd_v_bcnt_u32_b32, 2, {0, ZERO}},
	{amd_s_sext_i32_i8, amd_v_bfe_i32, 3, {0, ZERO, EIGHT}},
	{amd_s_sext_i32_i16, amd_v_bfe_i32, 3, {0, ZERO, SIXTEEN}},
	{amd_s_bfe_u32, amd_v_bfe_u32, 3, {0}},
	{amd_s_bfe_i32, amd_v_bfe_i32, 3, {0}},
};

/* The scalar instruction that makes t in this block for one use, and nothing else. */
static struct amd_inst *scalar_def(const struct combiner *c, uint32_t t, uint32_t block)
{
	struct amd_inst *i = c->def[t];
	if (!i || c->def_block[t] != block || c->uses[t] != 1 || c->keeps_scc[t] || amd_op_info[i->op].cls != AMD_CLS_SALU ||
	    i->defs[0].temp != t || i->defs[0].fixed)
		return NULL;
	if (i->ndefs > 1 && (!i->defs[1].fixed || i->defs[1].reg != AMD_SCC || (i->defs[1].temp && c->uses[i->defs[1].temp])))
		return NULL;
	for (uint32_t k = 0; k < i->nops; k++)
		if (i->ops[k].fixed || (i->ops[k].kind == AMD_OPND_TEMP ? in_scc(c, i->ops[k].temp) : i->ops[k].kind != AMD_OPND_CONST))
			return NULL;
	return i;
}

/* What does the same as i and defines d; NULL: there is none. */
static struct amd_inst *twin_of(struct combiner *c, const struct amd_inst *i, struct amd_def d)
{
	static const uint32_t constants[] = {0, ~0u, 8, 16};
	const struct twin *t = NULL;
	for (size_t k = 0; k < sizeof twins / sizeof *twins && !t; k++)
		t = twins[k].salu == i->op ? &twins[k] : NULL;
	bool field = i->op == amd_s_bfe_u32 || i->op == amd_s_bfe_i32;
	if (!t || (field && (i->ops[1].kind != AMD_OPND_CONST || !(i->ops[1].value >> 16 & 0x1f) || i->ops[1].value >> 16 & 0x60)))
		return NULL;
	struct amd_inst *m = amd_inst_new(c->f, t->valu, 1, t->n);
	m->line = i->line;
	m->defs[0] = d;
	for (uint32_t k = 0; k < t->n; k++)
		m->ops[k] = t->from[k] >= 0 ? i->ops[t->from[k]] : amd_use_const(constants[-1 - t->from[k]]);
	if (field) {
		m->ops[1] = amd_use_const(i->ops[1].value & 31);
		m->ops[2] = amd_use_const(i->ops[1].value >> 16 & 0x1f);
	}
	return legal(m) ? m : NULL;
}

/* Its sources are another's now. */
static void kill(struct amd_inst *i)
{
	i->nops = 0;
	i->ndefs = 0;
	i->op = amd_p_use;
}

/* Of two literals m has room for one: the other is put into a VGPR, in place of the inner instruction, which is not needed. */
static bool split_literals(struct combiner *c, struct amd_inst *m, struct amd_inst *inner, uint32_t t)
{
	bool scalar = !amd_rc_vector(inner->defs[0].rc);
	if (!is_literal(m, 0) && !is_literal(m, 1))
		return false;
	uint32_t low = is_literal(m, 0) ? 0 : 1;
	if (!is_literal(m, 2) || is_literal(m, 1 - low) || (scalar && (!c->f->target->has_vopd || c->epoch[t] != c->epoch[m->defs[0].temp])))
		return false;
	inner->op = amd_v_mov_b32;
	inner->nops = inner->ndefs = 1;
	inner->ops[0] = m->ops[2];
	inner->defs[0].rc = c->f->temp_rc.data[t] = AMD_V(1);
	m->ops[2] = amd_use(c->f, t);
	return true;
}

static bool try_pair(struct combiner *c, struct amd_inst **slot, const struct pair *p, uint32_t at, uint32_t block)
{
	struct amd_inst *i = *slot;
	uint32_t t = i->ops[at].kind == AMD_OPND_TEMP ? i->ops[at].temp : 0;
	struct amd_inst *inner = t ? c->def[t] : NULL, *as = inner;
	if (inner && (inner = scalar_def(c, t, block)) != NULL)
		as = twin_of(c, inner, inner->defs[0]);
	else
		inner = as;
	if (!as || as->op != p->inner || c->uses[t] != 1 || c->def_block[t] != block || !unmodified(as))
		return false;
	struct amd_operand v[3] = {as->ops[0], as->ops[1], i->ops[1 - at]};
	struct amd_inst *m = amd_inst_new(c->f, p->result, 1, 3);
	m->line = i->line;
	m->defs[0] = i->defs[0];
	for (uint32_t k = 0; k < 3; k++)
		m->ops[k] = v[p->order[k]];
	if (p->check && !p->check(m))
		return false;
	bool fits = legal(m);
	if (!fits && (!p->check || !split_literals(c, m, inner, t)))
		return false;
	c->uses[t] = !fits;
	if (fits)
		kill(inner);
	if (m->defs[0].temp)
		c->def[m->defs[0].temp] = m;
	*slot = m;
	return true;
}

static void fuse(struct combiner *c, struct amd_inst **slot, uint32_t block)
{
	if (!is_valu(*slot) || !unmodified(*slot))
		return;
	for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
		const struct pair *p = &pairs[k];
		if ((*slot)->op != p->outer)
			continue;
		for (uint32_t at = 0; at < 2; at++)
			if ((p->at < 0 || p->at == (int)at) && try_pair(c, slot, p, at, block))
				return;
	}
}

/* x & ~y, x | ~y where the negation is used once. */
static void scalar_not(struct combiner *c, struct amd_inst *i, uint32_t block)
{
	static const uint16_t ops[][3] = {{amd_s_and_b32, amd_s_not_b32, amd_s_andn2_b32}, {amd_s_or_b32, amd_s_not_b32, amd_s_orn2_b32},
		{amd_s_and_b64, amd_s_not_b64, amd_s_andn2_b64}, {amd_s_or_b64, amd_s_not_b64, amd_s_orn2_b64}};
	const uint16_t *row = NULL;
	for (size_t k = 0; k < sizeof ops / sizeof *ops && !row; k++)
		row = ops[k][0] == i->op ? ops[k] : NULL;
	for (uint32_t k = 0; k < 2 && row; k++) {
		uint32_t t = plain(&i->ops[k]) ? i->ops[k].temp : 0;
		struct amd_inst *n = t ? scalar_def(c, t, block) : NULL;
		if (!n || n->op != row[1])
			continue;
		struct amd_operand x = i->ops[1 - k];
		i->ops[1] = n->ops[0];
		i->ops[0] = x;
		i->op = row[2];
		c->uses[t] = 0;
		kill(n);
		return;
	}
}

/* A copy to a VGPR of what could be computed there. */
static void copy_of_scalar(struct combiner *c, struct amd_inst **slot, uint32_t block)
{
	struct amd_inst *i = *slot;
	if (i->op != amd_v_mov_b32 || !plain(&i->ops[0]) || amd_rc_vector(i->ops[0].rc) || i->enc == AMD_ENC_DPP16 || i->enc == AMD_ENC_SDWA)
		return;
	struct amd_inst *s = scalar_def(c, i->ops[0].temp, block), *m = s ? twin_of(c, s, i->defs[0]) : NULL;
	if (!m)
		return;
	c->uses[i->ops[0].temp] = 0;
	kill(s);
	if (m->defs[0].temp)
		c->def[m->defs[0].temp] = m;
	*slot = m;
}

/* What makes a scalar source of instruction n in the block, made in a VGPR: where it is copied to one anyway, or where it is two scalar
 * instructions that are one vector instruction. */
static void vector_sources(struct combiner *c, struct amd_block *b, uint32_t n, uint32_t block, uint32_t epoch)
{
	struct amd_inst *i = b->insts.data[n];
	bool vector = i->op == amd_p_create_vector;
	if ((!vector && !is_valu(i)) || i->op == amd_v_mov_b32 || i->ndefs != 1 || !amd_rc_vector(i->defs[0].rc))
		return;
	for (uint32_t k = 0; k < i->nops; k++) {
		uint32_t t = plain(&i->ops[k]) && i->ops[k].rc == AMD_S(1) && (vector || takes(i, k)) ? i->ops[k].temp : 0, at = n;
		struct amd_inst *s = t && c->epoch[t] == epoch ? scalar_def(c, t, block) : NULL;
		struct amd_def d = {.temp = t, .rc = AMD_V(1), .reg = AMD_NOREG};
		struct amd_inst *m = s ? twin_of(c, s, d) : NULL, *was = m;
		if (!m)
			continue;
		while (b->insts.data[at] != s)
			at--;
		fuse(c, &m, block);
		if (m == was && !vector)
			continue;
		c->def[t] = m;
		b->insts.data[at] = m;
		c->f->temp_rc.data[t] = i->ops[k].rc = AMD_V(1);
		vector_sources(c, b, at, block, epoch);
	}
}

/* x + 0, x | 0, x ^ 0, x << 0 as a copy. */
static void scalar_identity(struct combiner *c, struct amd_inst *i)
{
	bool commutes = i->op == amd_s_add_u32 || i->op == amd_s_or_b32 || i->op == amd_s_xor_b32;
	bool right = commutes || i->op == amd_s_sub_u32 || i->op == amd_s_lshl_b32 || i->op == amd_s_lshr_b32 || i->op == amd_s_ashr_i32;
	if (!right || i->defs[1].temp || c->keeps_scc[i->defs[0].temp])
		return;
	uint32_t x = commutes && i->ops[0].kind == AMD_OPND_CONST && !i->ops[0].value;
	if (i->ops[1 - x].kind != AMD_OPND_CONST || i->ops[1 - x].value)
		return;
	i->ops[0] = i->ops[x];
	i->op = amd_s_mov_b32;
	i->nops = i->ndefs = 1;
}

static void identity(struct combiner *c, struct amd_inst *i)
{
	uint32_t x;
	scalar_identity(c, i);
	switch (i->op) {
	case amd_v_add_nc_u32:
	case amd_v_or_b32:
	case amd_v_xor_b32:
		x = i->ops[0].kind == AMD_OPND_CONST && !i->ops[0].value ? 1 : 0;
		break;
	case amd_v_lshlrev_b32:
	case amd_v_lshrrev_b32:
		x = 1;
		break;
	default:
		return;
	}
	if (!unmodified(i) || i->ops[1 - x].kind != AMD_OPND_CONST || i->ops[1 - x].value)
		return;
	i->ops[0] = i->ops[x];
	i->nops = 1;
	i->op = i->ops[0].kind == AMD_OPND_TEMP && i->ops[0].rc == i->defs[0].rc ? amd_p_parallelcopy : amd_v_mov_b32;
}

/* What `identity` copies is read where it comes from. */
static void through_copies(struct combiner *c, struct amd_inst *i)
{
	for (uint32_t o = 0; o < i->nops; o++) {
		const struct amd_inst *d = i->ops[o].kind == AMD_OPND_TEMP ? c->def[i->ops[o].temp] : NULL;
		if (!d || d->op != amd_p_parallelcopy || d->ndefs != 1 || d->defs[0].fixed || !plain(&d->ops[0]) || !amd_rc_vector(d->ops[0].rc) ||
		    d->ops[0].rc != d->defs[0].rc)
			continue;
		c->uses[i->ops[o].temp]--;
		i->ops[o].temp = d->ops[0].temp;
		c->uses[i->ops[o].temp]++;
	}
}

/* --- dead code --- */

static bool removable(const struct combiner *c, const struct amd_inst *i, bool scc_read)
{
	const struct amd_op_info *info = &amd_op_info[i->op];
	if (i->op == amd_p_use && !i->nops)
		return true;
	if (info->flags & (AMDF_TERMINATOR | AMDF_SIDE_EFFECT | AMDF_STORE | AMDF_ATOMIC | AMDF_EXEC_DEF) || !i->ndefs || i->mem.is_volatile ||
	    i->mem.order)
		return false;
	if (i->op == amd_s_sendmsg_rtn_b32 || i->op == amd_s_sendmsg_rtn_b64 || i->op == amd_s_memtime || i->op == amd_s_memrealtime)
		return false;
	for (uint32_t d = 0; d < i->ndefs; d++) {
		const struct amd_def *p = &i->defs[d];
		if (p->temp ? c->uses[p->temp] != 0 : p->fixed && (p->reg != AMD_SCC || scc_read))
			return false;
	}
	return true;
}

static bool reads_raw_scc(const struct amd_inst *i)
{
	for (uint32_t o = 0; o < i->nops; o++)
		if (i->ops[o].kind == AMD_OPND_REG && i->ops[o].reg == AMD_SCC)
			return true;
	return false;
}

static bool writes_scc(const struct amd_inst *i)
{
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (i->defs[d].fixed && i->defs[d].reg == AMD_SCC)
			return true;
	return false;
}

static bool remove_dead(struct combiner *c, struct amd_block *b)
{
	uint32_t at = b->insts.len;
	bool scc_read = false, changed = false;
	for (uint32_t k = b->insts.len; k-- > 0;) {
		struct amd_inst *i = b->insts.data[k];
		if (removable(c, i, scc_read)) {
			for (uint32_t o = 0; o < i->nops; o++)
				if (i->ops[o].kind == AMD_OPND_TEMP)
					c->uses[i->ops[o].temp]--;
			changed = true;
			continue;
		}
		if (writes_scc(i))
			scc_read = false;
		if (reads_raw_scc(i))
			scc_read = true;
		b->insts.data[--at] = i;
	}
	memmove(b->insts.data, b->insts.data + at, (b->insts.len - at) * sizeof *b->insts.data);
	b->insts.len -= at;
	return changed;
}

static bool writes_exec(const struct amd_inst *i)
{
	bool does = amd_op_info[i->op].flags & AMDF_EXEC_DEF;
	for (uint32_t d = 0; d < i->ndefs; d++)
		does |= i->defs[d].fixed && (i->defs[d].reg == AMD_EXEC || i->defs[d].reg == AMD_EXEC + 1);
	return does;
}

static void count_uses(struct combiner *c)
{
	for (uint32_t k = 0; k < c->f->blocks.len; k++) {
		const struct amd_block *b = c->f->blocks.data[k];
		uint32_t epoch = 0;
		for (uint32_t j = 0; j < b->insts.len; j++) {
			struct amd_inst *i = b->insts.data[j];
			epoch += writes_exec(i);
			for (uint32_t o = 0; o < i->nops; o++)
				if (i->ops[o].kind == AMD_OPND_TEMP)
					c->uses[i->ops[o].temp]++;
			for (uint32_t d = 0; d < i->ndefs; d++) {
				c->def[i->defs[d].temp] = i;
				c->def_block[i->defs[d].temp] = k;
				c->epoch[i->defs[d].temp] = epoch;
			}
		}
		bool scc_read = false;
		for (uint32_t j = b->insts.len; j-- > 0;) {
			struct amd_inst *i = b->insts.data[j];
			if (i->ndefs)
				c->keeps_scc[i->defs[0].temp] = scc_read;
			if (writes_scc(i))
				scc_read = false;
			if (reads_raw_scc(i))
				scc_read = true;
		}
	}
}

/* Later blocks first, so that what becomes dead is met afterwards; loops need another round. */
static void dead_code(struct combiner *c)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t k = c->f->blocks.len; k-- > 0;)
			changed |= remove_dead(c, c->f->blocks.data[k]);
	}
}

/* --- constants left in VGPRs --- */

static bool is_constant_copy(const struct amd_inst *i)
{
	return i->op == amd_v_mov_b32 && i->enc != AMD_ENC_DPP16 && i->enc != AMD_ENC_SDWA && i->ops[0].kind == AMD_OPND_CONST &&
	       !i->defs[0].fixed;
}

enum { NEAR = 24, KEPT = 4 };

struct kept_constant {
	uint32_t temp, used; /* 0: none; 1 + where last */
	uint64_t value;
};

/* The one that holds the value, or else the one that was not used for longest. */
static struct kept_constant *kept_for(struct kept_constant *kept, uint64_t value)
{
	struct kept_constant *oldest = kept;
	for (struct kept_constant *k = kept; k < kept + KEPT; k++) {
		if (k->temp && k->value == value)
			return k;
		if (k->used < oldest->used)
			oldest = k;
	}
	return oldest;
}

/* A copy that is wanted again within a few instructions keeps its register for that; the other is dead then. */
static void share_constants(struct combiner *c, const struct amd_block *b, uint32_t block)
{
	struct kept_constant kept[KEPT] = {{0, 0, 0}};
	uint32_t epoch = 0;
	for (uint32_t n = 0; n < b->insts.len; n++) {
		struct amd_inst *i = b->insts.data[n];
		if (writes_exec(i)) {
			memset(kept, 0, sizeof kept);
			epoch++;
		}
		if (amd_is_phi(i) || amd_op_info[i->op].flags & AMDF_TIED)
			continue;
		for (uint32_t o = 0; o < i->nops; o++) {
			uint32_t t = i->ops[o].kind == AMD_OPND_TEMP ? i->ops[o].temp : 0;
			if (!t || !c->def[t] || c->def_block[t] != block || c->epoch[t] != epoch || !is_constant_copy(c->def[t]) || i->ops[o].fixed ||
			    i->ops[o].late_kill)
				continue;
			struct kept_constant *k = kept_for(kept, c->def[t]->ops[0].value);
			if (k->temp && k->value == c->def[t]->ops[0].value && n - k->used < NEAR) {
				c->uses[t]--;
				c->uses[k->temp]++;
				i->ops[o].temp = k->temp;
			} else {
				k->temp = t;
				k->value = c->def[t]->ops[0].value;
			}
			k->used = n + 1;
		}
	}
}

void amd_combine(struct amd_func *f)
{
	struct combiner c = {.f = f};
	arena_init(&c.tmp, f->arena->trap);
	c.def = NEWN(&c.tmp, struct amd_inst *, f->ntemps);
	c.def_block = NEWN(&c.tmp, uint32_t, f->ntemps);
	c.uses = NEWN(&c.tmp, uint32_t, f->ntemps);
	c.epoch = NEWN(&c.tmp, uint32_t, f->ntemps);
	c.keeps_scc = NEWN(&c.tmp, bool, f->ntemps);
	amd_dominators(f, true, &c.tmp, &c.wave);
	count_uses(&c);
	dead_code(&c);
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k];
		uint32_t epoch = 0;
		for (uint32_t j = 0; j < b->insts.len; j++) {
			epoch += writes_exec(b->insts.data[j]);
			through_copies(&c, b->insts.data[j]);
			sources(&c, b->insts.data[j], k);
			identity(&c, b->insts.data[j]);
			scalar_not(&c, b->insts.data[j], k);
			copy_of_scalar(&c, &b->insts.data[j], k);
			fuse(&c, &b->insts.data[j], k);
			vector_sources(&c, b, j, k, epoch);
		}
		share_constants(&c, b, k);
	}
	for (uint32_t k = 0; k < f->blocks.len; k++) /* values that come around a loop */
		for (uint32_t j = 0; j < f->blocks.data[k]->insts.len && amd_is_phi(f->blocks.data[k]->insts.data[j]); j++)
			through_copies(&c, f->blocks.data[k]->insts.data[j]);
	dead_code(&c);
	arena_free(&c.tmp);
}
