/* Machine code of one function: every instruction through LLVM's code emitter, branches resolved, far branches through islands.
 *
 * An s_branch reaches 32767 dwords. A branch to a block further away goes to an island on the way, a lone `s_branch` between two
 * blocks that control does not fall through (or jumps over), and from there on, as often as needed: no register is needed.
 * requires: f after the last machine pass. */
#include "emit/emit_internal.h"

enum { REACH = 32767 - 64 };

struct branch {
	uint32_t offset; /* of the instruction */
	uint32_t target; /* block, or the number of blocks + island */
};
struct island {
	uint32_t offset, target; /* stands before the instruction at offset */
};

struct coder {
	struct emitter *e;
	struct amd_func *f;
	struct emit_code *out;
	struct arena *a;
	uint32_t *block_offset;
	VEC(struct branch) branches;
	VEC(uint32_t) places;    /* where an island may stand */
	VEC(struct island) islands;
	uint32_t undivided;      /* instructions that may not be parted from the next */
	bitword *padded;         /* branches by number, with an s_nop behind */
};

/* --- one instruction --- */
uint32_t mc_form_bits(const struct amd_inst *i)
{
	uint32_t bits = 0;
	const struct amd_op_info *info = &amd_op_info[i->op];
	if (i->enc == AMD_ENC_SMEM)
		return i->nops > 1 && i->ops[1].kind != AMD_OPND_UNDEF ? MC_FORM_SADDR : 0;
	if (i->enc == AMD_ENC_GLOBAL || i->enc == AMD_ENC_SCRATCH) {
		const char *s = info->ops;
		for (uint32_t k = 0; k < i->nops; k++) {
			struct amd_shape sh = amd_shape_next(&s);
			if (i->ops[k].kind == AMD_OPND_UNDEF)
				continue;
			bits |= sh.kind == AMD_SH_VADDR ? MC_FORM_VADDR : sh.kind == AMD_SH_SADDR ? MC_FORM_SADDR : 0;
		}
	}
	if (info->flags & AMDF_ATOMIC && i->enc != AMD_ENC_DS && i->ndefs)
		bits |= MC_FORM_RETURNS;
	return bits;
}

const struct mc_form *mc_form_find(const struct amd_target *t, const struct amd_inst *i)
{
	uint32_t g = t->gen >= 11, bits = mc_form_bits(i);
	for (uint32_t k = mc_first[g][i->op]; k < mc_first[g][i->op + 1]; k++)
		if (mc_forms[k].enc == i->enc && mc_forms[k].form == bits)
			return &mc_forms[k];
	return NULL;
}

int mc_dual_index(uint32_t op)
{
	static const uint16_t duals[] = {
#define DUAL(name) amd_##name,
		MC_DUALS(DUAL)
#undef DUAL
	};
	for (int k = 0; k < MC_DUAL_Y; k++)
		if (duals[k] == op)
			return k;
	return -1;
}

enum mc_type mc_operand_type(const struct amd_target *t, uint32_t op, uint32_t operand)
{
	uint32_t g = t->gen >= 11;
	for (uint32_t k = mc_first[g][op]; k < mc_first[g][op + 1] && operand < 4; k++)
		if (mc_forms[k].types[operand])
			return mc_forms[k].types[operand];
	return MC_T_NONE;
}

static struct mc_value reg_value(const struct amd_target *t, uint32_t reg, uint32_t size)
{
	uint32_t n = 0, g = t->gen >= 11;
	if (reg >= AMD_VGPR0 && reg < AMD_NREGS && size <= 16)
		n = mc_vgpr[size][reg - AMD_VGPR0];
	else if (reg < t->max_sgprs && size <= 16)
		n = mc_sgpr[size][reg];
	else if (reg < AMD_VGPR0 && size <= 2)
		n = mc_special[g][size][reg];
	return (struct mc_value){true, n};
}

static struct mc_value operand_value(const struct amd_target *t, const struct amd_inst *i, uint32_t k)
{
	const struct amd_operand *o = &i->ops[k];
	uint32_t size = amd_rc_size(o->rc) ? amd_rc_size(o->rc) : 1;
	switch (o->kind) {
	case AMD_OPND_CONST: {
		enum mc_type type = mc_operand_type(t, i->op, k);
		uint64_t v = emit_const(i, k);
		if (type == MC_T_F64 || type == MC_T_I64)
			return (struct mc_value){false, (int64_t)v};
		if (type == MC_T_F16 || (type == MC_T_I16 && (int16_t)v < -16))
			return (struct mc_value){false, (uint16_t)v};
		return (struct mc_value){false, type == MC_T_I16 ? (int16_t)v : (int32_t)v};
	}
	case AMD_OPND_RELOC:
		return (struct mc_value){false, EMIT_LITERAL};
	case AMD_OPND_UNDEF:
		return reg_value(t, amd_rc_vector(o->rc) ? AMD_VGPR0 : AMD_SGPR0, size);
	default:
		return reg_value(t, o->reg, size);
	}
}

static bool is_vmem_atomic(const struct amd_inst *i)
{
	return amd_op_info[i->op].flags & AMDF_ATOMIC && i->enc != AMD_ENC_DS;
}

/* What the instruction asks of its form, as MC_CAN_ bits. */
static uint32_t needs(const struct amd_inst *i)
{
	uint32_t cache = is_vmem_atomic(i) ? i->cache & ~AMD_GLC : i->cache; /* there it selects the form */
	uint32_t n = (uint32_t)i->clamp << MC_CAN_CLAMP | (uint32_t)(i->omod != 0) << MC_CAN_OMOD | (uint32_t)i->opsel << MC_CAN_OPSEL |
	             (cache & 7) << MC_CAN_CACHE;
	for (uint32_t k = 0; k < i->nops && k < 3; k++)
		n |= (uint32_t)i->ops[k].neg << (MC_CAN_NEG + k) | (uint32_t)i->ops[k].abs << (MC_CAN_ABS + k) |
		     (uint32_t)i->ops[k].sext << (MC_CAN_SEXT + k);
	if (i->enc == AMD_ENC_VOP3P)
		n |= (uint32_t)i->neg_lo << MC_CAN_NEG_LO | (uint32_t)i->neg_hi << MC_CAN_NEG_HI;
	return n;
}

static int64_t modifiers(const struct amd_inst *i, uint32_t k, uint32_t caps)
{
	const struct amd_operand *o = &i->ops[k];
	int64_t m = (o->neg ? 1 : 0) | (o->abs ? 2 : 0) | (o->sext ? 16 : 0) | (i->opsel >> k & 1) << 2;
	if (i->enc == AMD_ENC_VOP3P) {
		m |= (i->neg_lo >> k & 1) | (i->neg_hi >> k & 1) << 1;
		if (caps >> (MC_CAN_OPSEL_HI + k) & 1)
			m |= (i->opsel_hi >> k & 1) << 3;
	} else if (!k)
		m |= i->opsel & 8;
	return m;
}

static const uint8_t sdwa_sel[] = {[AMD_SEL_DWORD] = 6, [AMD_SEL_BYTE0] = 0, [AMD_SEL_BYTE1] = 1, [AMD_SEL_BYTE2] = 2,
	[AMD_SEL_BYTE3] = 3, [AMD_SEL_WORD0] = 4, [AMD_SEL_WORD1] = 5};

static struct mc_value slot_value(const struct amd_target *t, const struct amd_inst *i, const struct mc_form *form, struct mc_slot s)
{
	int64_t v = 0;
	switch ((enum mc_role)s.role) {
	case MC_CONST: v = s.value; break;
	case MC_CONST_REG: return reg_value(t, (uint32_t)s.value, 1);
	case MC_DEF: return reg_value(t, i->defs[s.index].reg, amd_rc_size(i->defs[s.index].rc));
	case MC_OP: return operand_value(t, i, s.index);
	case MC_MODS: v = s.value | modifiers(i, s.index, form->caps); break;
	case MC_SEL: v = sdwa_sel[i->ops[s.index].sel]; break;
	case MC_IMM: v = i->imm; break;
	case MC_IMM_LO8: v = i->imm & 0xff; break;
	case MC_IMM_HI8: v = i->imm >> 8 & 0xff; break;
	case MC_CACHE: v = i->cache; break;
	case MC_CLAMP: v = i->clamp; break;
	case MC_OMOD: v = i->omod; break;
	case MC_OPSEL: v = i->opsel; break;
	case MC_OPSEL_HI: v = i->opsel_hi; break;
	case MC_NEG_LO: v = i->neg_lo; break;
	case MC_NEG_HI: v = i->neg_hi; break;
	case MC_DPP_CTRL: v = i->dpp_ctrl; break;
	case MC_ROW_MASK: v = i->dpp_row_mask; break;
	case MC_BANK_MASK: v = i->dpp_bank_mask; break;
	case MC_BOUND_CTRL: v = i->dpp_bound_ctrl; break;
	case MC_FI: v = i->dpp_fi; break;
	case MC_DST_SEL: v = sdwa_sel[i->dst_sel]; break;
	case MC_DST_UNUSED: v = i->dst_unused; break;
	}
	return (struct mc_value){false, v};
}

static bool takes_constant(const struct amd_inst *i, const struct mc_form *m, uint32_t k)
{
	uint64_t v = i->ops[k].value;
	bool mix = i->op == amd_v_fma_mix_f32 || i->op == amd_v_fma_mixlo_f16 || i->op == amd_v_fma_mixhi_f16;
	if (i->op == amd_s_setreg_imm32_b32)
		return true;
	if (k > 3 || m->types[k] == MC_T_NONE)
		return false;
	/* a 64-bit operand's literal has 32 bits: the upper ones of a float, the lower ones, extended by sign, of an integer */
	if (m->types[k] == MC_T_F64 && (uint32_t)v && !amd_inline_const(i, k, v))
		return false;
	if (m->types[k] == MC_T_I64 && (int64_t)v != (int32_t)v && !amd_inline_const(i, k, v))
		return false;
	return !mix || amd_inline_const(i, k, i->ops[k].value);
}

static bool fits(struct coder *c, const struct amd_inst *i, const struct mc_form *m, const struct mc_value *v)
{
	struct mc_value w[24];
	uint32_t g = c->f->target->gen >= 11, bad;
	for (uint32_t k = 0; k < m->nslots; k++) {
		const struct mc_slot *s = &mc_slots[m->slots + k];
		w[k] = v[k];
		if (v[k].is_reg && v[k].value == mc_special[g][1][AMD_M0])
			w[k].value = mc_class_m0;
		else if (v[k].is_reg && v[k].value == mc_special[g][1][AMD_NULL])
			w[k].value = mc_class_null;
		if (s->role == MC_OP && !v[k].is_reg && !takes_constant(i, m, s->index))
			return false;
	}
	bad = mc_misfit(c->e->mc, m->opcode, w, m->nslots);
	if (bad < m->nslots && w[bad].value == mc_class_null) {
		w[bad].value = mc_class_null64;
		bad = mc_misfit(c->e->mc, m->opcode, w, m->nslots);
	}
	return bad == m->nslots;
}

/* NULL, or why i cannot be encoded as it stands. */
static const char *prepare(struct coder *c, const struct amd_inst *i, const struct mc_form **form, struct mc_value *v)
{
	const struct amd_target *t = c->f->target;
	const struct mc_form *m = *form = mc_form_find(t, i);
	if (!m)
		return "the chip has no such instruction in this encoding";
	if (needs(i) & ~m->caps)
		return "the encoding has no room for a modifier";
	if (is_vmem_atomic(i) && (i->cache & AMD_GLC) != (i->ndefs ? AMD_GLC : 0))
		return "GLC and a result go together";
	for (uint32_t k = 0; k < m->nslots; k++)
		v[k] = slot_value(t, i, m, mc_slots[m->slots + k]);
	if (!strncmp(t->name, "gfx101", 6) &&
	    ((i->enc == AMD_ENC_FLAT && i->imm) || (i->enc == AMD_ENC_SCRATCH && i->imm < 0 && i->imm % 4)))
		return "the chip computes such an offset wrong";
	if (!fits(c, i, m, v))
		return "the encoding cannot take an operand's register";
	return NULL;
}

/* One half's sources, without the mask. */
static uint32_t dual_sources(const struct amd_target *t, const struct amd_inst *i, struct mc_value *v)
{
	uint32_t n = i->op == amd_v_cndmask_b32 ? 2 : i->nops;
	for (uint32_t k = 0; k < n; k++)
		v[k] = operand_value(t, i, k);
	return n;
}

static const char *prepare_dual(struct coder *c, const struct amd_inst *i, uint16_t *opcode, struct mc_value *v, uint32_t *n)
{
	const struct amd_target *t = c->f->target;
	int x = mc_dual_index(i->op), y = i->dual ? mc_dual_index(i->dual->op) : -1;
	if (x < 0 || x >= MC_DUAL_X || y < 0 || !t->has_vopd)
		return "no such pair";
	if (needs(i) || needs(i->dual))
		return "the encoding has no room for a modifier";
	*opcode = mc_dual[x][y];
	v[0] = reg_value(t, i->defs[0].reg, 1);
	v[1] = reg_value(t, i->dual->defs[0].reg, 1);
	*n = 2 + dual_sources(t, i, v + 2);
	*n += dual_sources(t, i->dual, v + *n);
	return mc_misfit(c->e->mc, *opcode, v, *n) == *n ? NULL : "the encoding cannot take an operand's register";
}

static bool may_widen(const struct amd_inst *i)
{
	return i->enc == AMD_ENC_VOP1 || i->enc == AMD_ENC_VOP2 || i->enc == AMD_ENC_VOPC;
}

static void check_tied(struct coder *c, const struct amd_block *b, const struct amd_inst *i)
{
	int tied = emit_tied_operand(i);
	if (tied >= 0 && tied < (int)i->nops && i->ops[tied].kind != AMD_OPND_UNDEF && i->ops[tied].reg != i->defs[0].reg)
		amd_ice(c->f, "emit_code", b, i, "tied operand in another register");
}

static void put_fixup(struct coder *c, const struct amd_inst *i, uint32_t literal)
{
	for (uint32_t k = 0; k < i->nops; k++) {
		if (i->ops[k].kind != AMD_OPND_RELOC)
			continue;
		const struct amd_reloc_sym *s = i->ops[k].reloc.sym;
		struct emit_fixup fx = {literal, s->hi ? EMIT_REL32_HI : EMIT_REL32_LO, s->name, s->addend, i->line};
		if (s->absolute)
			fx.kind = s->hi ? EMIT_ABS32_HI : EMIT_ABS32_LO;
		vec_push(c->a, &c->out->fixups, fx);
	}
}

static void put_bytes(struct coder *c, const uint8_t *p, size_t n)
{
	vec_reserve(c->a, &c->out->bytes, c->out->bytes.len + n);
	memcpy(c->out->bytes.data + c->out->bytes.len, p, n);
	c->out->bytes.len += (uint32_t)n;
}

static void count_register(struct coder *c, uint32_t reg, amd_rc rc)
{
	uint32_t end = reg + amd_rc_size(rc);
	if (reg >= AMD_VGPR0 && reg < AMD_NREGS)
		c->out->vgprs = end - AMD_VGPR0 > c->out->vgprs ? end - AMD_VGPR0 : c->out->vgprs;
	else if (reg < c->f->target->max_sgprs)
		c->out->sgprs = end > c->out->sgprs ? end : c->out->sgprs;
}

static void count_registers(struct coder *c, const struct amd_inst *i)
{
	for (uint32_t k = 0; k < i->ndefs; k++)
		count_register(c, i->defs[k].reg, i->defs[k].rc);
	for (uint32_t k = 0; k < i->nops; k++)
		if (i->ops[k].kind == AMD_OPND_REG || i->ops[k].kind == AMD_OPND_TEMP)
			count_register(c, i->ops[k].reg, i->ops[k].rc);
		else if (i->ops[k].kind == AMD_OPND_UNDEF && amd_rc_vector(i->ops[k].rc))
			count_register(c, AMD_VGPR0, i->ops[k].rc);
}

static void note_inst(struct coder *c, const struct amd_block *b, struct amd_inst *i)
{
	check_tied(c, b, i);
	count_registers(c, i);
	if (i->dual) {
		check_tied(c, b, i->dual);
		count_registers(c, i->dual);
	}
	vec_push(c->a, &c->out->insts, i);
	vec_push(c->a, &c->out->inst_offset, c->out->bytes.len);
	vec_push(c->a, &c->out->inst_block, b->id);
}

static void put_dual(struct coder *c, const struct amd_block *b, struct amd_inst *i)
{
	struct mc_value v[24];
	uint8_t bytes[24];
	uint16_t opcode;
	uint32_t n;
	const char *why = prepare_dual(c, i, &opcode, v, &n);
	if (why)
		amd_ice(c->f, "emit_code", b, i, "%s", why);
	note_inst(c, b, i);
	put_bytes(c, bytes, mc_encode(c->e->mc, opcode, v, n, bytes));
}

static void put_real(struct coder *c, const struct amd_block *b, struct amd_inst *i)
{
	struct mc_value v[24];
	const struct mc_form *form;
	uint8_t bytes[24];
	uint32_t at = c->out->bytes.len;
	bool reloc = false;

	amd_encode_choose(c->f, i);
	const char *why = prepare(c, i, &form, v);
	if (why && may_widen(i)) {
		uint8_t was = i->enc;
		i->enc = AMD_ENC_VOP3;
		if (prepare(c, i, &form, v))
			i->enc = was;
		else
			why = NULL;
	}
	if (why)
		amd_ice(c->f, "emit_code", b, i, "%s", why);
	note_inst(c, b, i);
	size_t n = mc_encode(c->e->mc, form->opcode, v, form->nslots, bytes);
	for (uint32_t k = 0; k < i->nops; k++)
		reloc |= i->ops[k].kind == AMD_OPND_RELOC;
	if (reloc)
		put_fixup(c, i, at + (uint32_t)n - 4);
	put_bytes(c, bytes, n);
	if (!i->target)
		return;
	vec_push(c->a, &c->branches, (struct branch){at, i->target->id});
	if (bitset_has(c->padded, c->branches.len - 1)) {
		struct amd_inst *nop = amd_inst_new(c->f, amd_s_nop, 0, 0);
		nop->enc = AMD_ENC_SOPP;
		put_real(c, b, nop);
	}
}

/* s_getpc_b64 d; s_add_u32 d.lo, d.lo, sym@rel32@lo+4; s_addc_u32 d.hi, d.hi, sym@rel32@hi+12: the literals' distances from
 * what s_getpc_b64 gives. */
static void put_symaddr(struct coder *c, const struct amd_block *b, const struct amd_inst *i)
{
	uint16_t reg = i->defs[0].reg;
	struct amd_inst *pc = amd_inst_new(c->f, amd_s_getpc_b64, 1, 0);
	if (i->ops[0].kind != AMD_OPND_RELOC)
		amd_ice(c->f, "emit_code", b, i, "no symbol");
	pc->defs[0] = amd_def_reg(reg, AMD_S(2));
	put_real(c, b, pc);
	for (uint16_t half = 0; half < 2; half++) {
		struct amd_inst *add = amd_inst_new(c->f, half ? amd_s_addc_u32 : amd_s_add_u32, 2, half ? 3 : 2);
		struct amd_reloc_sym *sym = NEW(c->a, struct amd_reloc_sym);
		*sym = *i->ops[0].reloc.sym;
		sym->hi = half;
		sym->addend += half ? 12 : 4;
		add->line = i->line;
		add->enc = AMD_ENC_SOP2;
		add->defs[0] = amd_def_reg((uint16_t)(reg + half), AMD_S(1));
		add->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
		add->ops[0] = amd_use_reg((uint16_t)(reg + half), AMD_S(1));
		add->ops[1] = (struct amd_operand){.kind = AMD_OPND_RELOC, .rc = AMD_S(1), .reg = AMD_NOREG, .reloc = {sym}};
		if (half)
			add->ops[2] = amd_use_reg(AMD_SCC, AMD_S(1));
		put_real(c, b, add);
	}
}

static void put_inst(struct coder *c, const struct amd_block *b, struct amd_inst *i)
{
	uint32_t at = c->out->bytes.len;
	if (i->op == amd_p_startpgm || i->op == amd_p_lane_end || i->op == amd_p_use)
		return;
	if (!c->undivided && (!c->places.len || at - vec_last(&c->places) >= 1024))
		vec_push(c->a, &c->places, at);
	c->undivided -= c->undivided > 0;
	if (i->op == amd_s_clause)
		c->undivided = (uint32_t)i->imm + 2;
	else if (i->op == amd_s_delay_alu)
		c->undivided = 8;
	if (i->line && (!c->out->lines.len || vec_last(&c->out->lines).line != i->line))
		vec_push(c->a, &c->out->lines, (struct emit_line){at, i->line});
	if (i->op == amd_p_symaddr)
		put_symaddr(c, b, i);
	else if (i->enc == AMD_ENC_VOPD)
		put_dual(c, b, i);
	else
		put_real(c, b, i);
}

/* --- islands --- */
/* Where what is now at offset will be: after the islands before it. A group of them begins with a branch over it. */
static uint32_t moved(const struct coder *c, uint32_t offset, bool after)
{
	uint32_t add = 0, last = UINT32_MAX;
	for (uint32_t k = 0; k < c->islands.len; k++) { /* in order of offset */
		uint32_t o = c->islands.data[k].offset;
		if (o > offset || (o == offset && !after))
			break;
		add += o == last ? 4 : 8;
		last = o;
	}
	return offset + add;
}

static uint32_t island_place(const struct coder *c, uint32_t n)
{
	uint32_t at = moved(c, c->islands.data[n].offset, false) + 4, o = c->islands.data[n].offset;
	for (uint32_t k = 0; k < n; k++)
		at += c->islands.data[k].offset == o ? 4 : 0;
	return at;
}

static uint32_t target_place(const struct coder *c, uint32_t target)
{
	uint32_t nblocks = c->f->blocks.len;
	return target < nblocks ? moved(c, c->block_offset[target], true) : island_place(c, target - nblocks);
}

static bool reaches(uint32_t from, uint32_t to)
{
	int64_t d = (int64_t)to - from;
	return d < REACH * 4 && d > -REACH * 4;
}

static uint32_t insert_island(struct coder *c, uint32_t offset, uint32_t target)
{
	uint32_t n = 0, nblocks = c->f->blocks.len;
	while (n < c->islands.len && c->islands.data[n].offset <= offset)
		n++;
	vec_push(c->a, &c->islands, (struct island){offset, target});
	for (uint32_t k = c->islands.len - 1; k > n; k--)
		c->islands.data[k] = c->islands.data[k - 1];
	c->islands.data[n] = (struct island){offset, target};
	for (uint32_t k = 0; k < c->branches.len; k++)
		c->branches.data[k].target += c->branches.data[k].target >= nblocks + n;
	for (uint32_t k = 0; k < c->islands.len; k++)
		c->islands.data[k].target += k != n && c->islands.data[k].target >= nblocks + n;
	return nblocks + n;
}

/* The block that a chain of islands ends at. */
static uint32_t final_target(const struct coder *c, uint32_t target)
{
	while (target >= c->f->blocks.len)
		target = c->islands.data[target - c->f->blocks.len].target;
	return target;
}

/* An island for target that `from` reaches: one that is there, or a new one as far on the way as can be. */
static uint32_t bridge(struct coder *c, uint32_t from, uint32_t target)
{
	uint32_t to = target_place(c, target), best = UINT32_MAX, nblocks = c->f->blocks.len;
	for (uint32_t k = 0; k < c->islands.len; k++) {
		uint32_t at = island_place(c, k);
		if (final_target(c, nblocks + k) == target && reaches(from, at) && (to > from ? at > from : at < from))
			return nblocks + k;
	}
	for (uint32_t k = 0; k < c->places.len; k++) {
		uint32_t at = moved(c, c->places.data[k], true);
		int64_t room = (int64_t)REACH * 4 - 4096; /* islands made later move things a little */
		if (to > from ? at > from && at - from < room : at < from && from - at < room)
			if (best == UINT32_MAX || to > from)
				best = k;
	}
	if (best == UINT32_MAX)
		ice(c->a, "emit_code: %s: no place for a branch island", c->f->name);
	return insert_island(c, c->places.data[best], target);
}

static void place_islands(struct coder *c)
{
	bool again = true;
	while (again) {
		again = false;
		for (uint32_t k = 0; k < c->branches.len; k++) {
			uint32_t from = moved(c, c->branches.data[k].offset, true), t = c->branches.data[k].target;
			if (reaches(from, target_place(c, t)))
				continue;
			t = bridge(c, from, final_target(c, t));
			c->branches.data[k].target = t;
			again = true;
		}
		for (uint32_t k = 0; k < c->islands.len; k++) {
			uint32_t from = island_place(c, k), t = c->islands.data[k].target, n = c->islands.len;
			if (reaches(from, target_place(c, t)))
				continue;
			t = bridge(c, from, final_target(c, t));
			k += c->islands.len > n && t <= c->f->blocks.len + k;
			c->islands.data[k].target = t;
			again = true;
		}
	}
}

/* --- branches --- */
static void patch_branch(uint8_t *code, uint32_t at, uint32_t to)
{
	int32_t d = ((int32_t)to - (int32_t)at - 4) / 4;
	code[at] = (uint8_t)d;
	code[at + 1] = (uint8_t)(d >> 8);
}

static void insert_groups(struct coder *c)
{
	struct emit_code *out = c->out;
	uint8_t branch[24], *old = out->bytes.data;
	uint32_t n = out->bytes.len, from = 0, k = 0;
	struct amd_inst s_branch = {.op = amd_s_branch, .enc = AMD_ENC_SOPP};
	struct mc_value v[24];
	const struct mc_form *form;

	if (prepare(c, &s_branch, &form, v))
		amd_ice(c->f, "emit_code", NULL, &s_branch, "no s_branch");
	mc_encode(c->e->mc, form->opcode, v, form->nslots, branch);
	out->bytes.data = NULL;
	out->bytes.len = out->bytes.cap = 0;
	while (k < c->islands.len) {
		uint32_t at = c->islands.data[k].offset, first = k, start;
		put_bytes(c, old + from, at - from);
		from = at;
		start = out->bytes.len;
		put_bytes(c, branch, 4);
		for (; k < c->islands.len && c->islands.data[k].offset == at; k++)
			put_bytes(c, branch, 4);
		patch_branch(out->bytes.data, start, start + 4 + 4 * (k - first));
	}
	put_bytes(c, old + from, n - from);
	for (k = 0; k < c->islands.len; k++)
		patch_branch(out->bytes.data, island_place(c, k), target_place(c, c->islands.data[k].target));
	for (k = 0; k < out->fixups.len; k++)
		out->fixups.data[k].offset = moved(c, out->fixups.data[k].offset, true);
	for (k = 0; k < out->lines.len; k++)
		out->lines.data[k].offset = moved(c, out->lines.data[k].offset, true);
	for (k = 0; k < out->inst_offset.len; k++)
		out->inst_offset.data[k] = moved(c, out->inst_offset.data[k], true);
}

/* gfx10.1: a branch by 0x3f dwords goes wrong. The first such one not padded yet, or BITS. */
static uint32_t bad_branch(const struct coder *c, uint32_t bits)
{
	if (strncmp(c->f->target->name, "gfx101", 6))
		return bits;
	for (uint32_t k = 0; k < c->branches.len; k++) {
		const uint8_t *p = c->out->bytes.data + moved(c, c->branches.data[k].offset, true);
		if (p[0] == 0x3f && p[1] == 0 && !bitset_has(c->padded, k))
			return k;
	}
	return bits;
}

static uint32_t code_once(struct emitter *e, struct amd_func *f, struct emit_code *out, bitword *padded, uint32_t bits)
{
	struct coder c = {.e = e, .f = f, .out = out, .a = f->arena, .padded = padded};
	*out = (struct emit_code){.func = f};
	c.block_offset = NEWN(c.a, uint32_t, f->blocks.len);
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k];
		c.block_offset[k] = out->bytes.len;
		for (uint32_t n = 0; n < b->insts.len; n++)
			put_inst(&c, b, b->insts.data[n]);
	}
	if (out->bytes.len > REACH * 4) {
		place_islands(&c);
		insert_groups(&c);
	}
	for (uint32_t k = 0; k < c.branches.len; k++)
		patch_branch(out->bytes.data, moved(&c, c.branches.data[k].offset, true), target_place(&c, c.branches.data[k].target));
	f->stats.code_bytes = out->bytes.len;
	return bad_branch(&c, bits);
}

void emit_code(struct emitter *e, struct amd_func *f, struct emit_code *out)
{
	uint32_t bits = f->blocks.len * 4 + 64, bad; /* more than there are branches */
	for (uint32_t k = 0; k < f->blocks.len; k++)
		bits += f->blocks.data[k]->insts.len;
	bitword *padded = bitset_new(f->arena, bits);
	while ((bad = code_once(e, f, out, padded, bits)) != bits)
		bitset_add(padded, bad);
}
