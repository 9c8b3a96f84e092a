/* Machine code of one function: every instruction by the table learned from LLVM, branches resolved, far branches through islands.
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

/* The number of an operand. */
struct number {
	uint32_t bits;
	uint32_t reg;     /* own number, or NO_REG */
	uint8_t size;     /* of the register, in dwords */
	bool literal, impossible;
	uint32_t literal_bits;
};
enum { NO_REG = AMD_NREGS };

static struct number reg_number(const struct amd_target *t, const struct mc_form *f, bool def, uint32_t reg, uint32_t size)
{
	return (struct number){.bits = mc_reg_code(t->gen >= 11, f, def, reg), .reg = reg, .size = (uint8_t)size};
}

/* raw: the constant is no source but a field of the instruction. */
static struct number const_number(const struct amd_target *t, const struct amd_inst *i, uint32_t k, bool raw)
{
	bool mix = i->op == amd_v_fma_mix_f32 || i->op == amd_v_fma_mixlo_f16 || i->op == amd_v_fma_mixhi_f16;
	uint64_t v = emit_const(i, k);
	struct mc_const c = {0};
	if (raw)
		return (struct number){.bits = (uint32_t)v, .reg = NO_REG};
	bool can = mc_const(mc_operand_type(t, i->op, k), v, &c);
	if (mix && !amd_inline_const(i, k, i->ops[k].value))
		can = false;
	return (struct number){.bits = c.code, .reg = NO_REG, .literal = c.code == MC_LITERAL, .literal_bits = c.literal, .impossible = !can};
}

static struct number operand_number(const struct amd_target *t, const struct mc_form *f, const struct mc_slot *s,
                                    const struct amd_inst *i, uint32_t k)
{
	const struct amd_operand *o = &i->ops[k];
	uint32_t size = amd_rc_size(o->rc) ? amd_rc_size(o->rc) : 1;
	switch (o->kind) {
	case AMD_OPND_CONST:
		return const_number(t, i, k, !s->regs);
	case AMD_OPND_RELOC:
		return (struct number){.bits = MC_LITERAL, .reg = NO_REG, .literal = true, .literal_bits = EMIT_LITERAL};
	case AMD_OPND_UNDEF:
		return reg_number(t, f, false, amd_rc_vector(o->rc) ? AMD_VGPR0 : AMD_SGPR0, size);
	default:
		return reg_number(t, f, false, o->reg, size);
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

static struct number slot_number(const struct amd_target *t, const struct amd_inst *i, const struct mc_form *form,
                                 const struct mc_slot *s)
{
	int64_t v = 0;
	switch ((enum mc_role)s->role) {
	case MC_CONST:
	case MC_CONST_REG: break; /* part of the base */
	case MC_DEF: return reg_number(t, form, true, i->defs[s->index].reg, amd_rc_size(i->defs[s->index].rc));
	case MC_OP: return operand_number(t, form, s, i, s->index);
	case MC_MODS: v = s->value | modifiers(i, s->index, form->caps); break;
	case MC_SEL: v = sdwa_sel[i->ops[s->index].sel]; break;
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
	return (struct number){.bits = (uint32_t)v, .reg = NO_REG};
}

/* Bytes of one instruction, put together by put_number. */
struct bits {
	unsigned __int128 word;
	uint32_t size, literal;
	bool has_literal;
};

static struct bits base_bits(const struct mc_form *f)
{
	return (struct bits){.word = f->base[0] | (unsigned __int128)f->base[1] << 32 | (unsigned __int128)f->base[2] << 64,
	                     .size = f->size};
}

/* False where the slot cannot take it. */
static bool put_number(struct bits *b, const struct mc_slot *s, const struct number *n)
{
	const struct mc_reg_set *set = &mc_reg_sets[s->regs];
	const struct mc_field *f = &mc_fields[s->field];
	if (n->impossible || (n->reg != NO_REG && (set->size != n->size || !(set->regs[n->reg / 32] >> n->reg % 32 & 1))))
		return false;
	for (const struct mc_piece *p = &mc_pieces[f->first], *end = p + f->n; p < end; p++)
		b->word ^= (unsigned __int128)(n->bits >> p->in & (uint32_t)((1ull << p->width) - 1)) << p->out;
	if (n->literal) {
		b->has_literal = true;
		b->literal = n->literal_bits;
	}
	return true;
}

static uint32_t finish_bits(const struct bits *b, uint8_t out[16])
{
	unsigned __int128 w = b->word | (b->has_literal ? (unsigned __int128)b->literal << 8 * b->size : 0);
	memcpy(out, &w, sizeof w);
	return b->size + (b->has_literal ? 4 : 0);
}

/* NULL, or why i cannot be encoded as it stands. */
static const char *encode(struct coder *c, const struct amd_inst *i, struct bits *b)
{
	const struct amd_target *t = c->f->target;
	const struct mc_form *m = mc_form_find(t, i);
	if (!m)
		return "the chip has no such instruction in this encoding";
	if (needs(i) & ~m->caps)
		return "the encoding has no room for a modifier";
	if (is_vmem_atomic(i) && (i->cache & AMD_GLC) != (i->ndefs ? AMD_GLC : 0))
		return "GLC and a result go together";
	if (!strncmp(t->name, "gfx101", 6) &&
	    ((i->enc == AMD_ENC_FLAT && i->imm) || (i->enc == AMD_ENC_SCRATCH && i->imm < 0 && i->imm % 4)))
		return "the chip computes such an offset wrong";
	*b = base_bits(m);
	for (uint32_t k = 0; k < m->nslots; k++) {
		const struct mc_slot *s = &mc_slots[m->slots + k];
		struct number n = slot_number(t, i, m, s);
		if (!put_number(b, s, &n))
			return "the encoding cannot take an operand";
	}
	return NULL;
}

static const char *encode_dual(struct coder *c, const struct amd_inst *i, struct bits *b)
{
	const struct amd_target *t = c->f->target;
	const struct amd_inst *half[2] = {i, i->dual};
	int x = mc_dual_index(i->op), y = i->dual ? mc_dual_index(i->dual->op) : -1;
	if (x < 0 || x >= MC_DUAL_X || y < 0 || !t->has_vopd)
		return "no such pair";
	if (needs(i) || needs(i->dual))
		return "the encoding has no room for a modifier";
	const struct mc_form *m = &mc_dual[x][y];
	const struct mc_slot *s = &mc_slots[m->slots];
	*b = base_bits(m);
	for (uint32_t h = 0; h < 2; h++, s++) {
		struct number n = reg_number(t, m, true, half[h]->defs[0].reg, 1);
		if (!put_number(b, s, &n))
			return "the encoding cannot take a result";
	}
	for (uint32_t h = 0; h < 2; h++)
		for (uint32_t k = 0; k < (half[h]->op == amd_v_cndmask_b32 ? 2u : half[h]->nops); k++, s++) {
			struct number n = operand_number(t, m, s, half[h], k);
			if (!put_number(b, s, &n))
				return "the encoding cannot take an operand";
		}
	return NULL;
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
	struct bits bits;
	uint8_t bytes[16];
	const char *why = encode_dual(c, i, &bits);
	if (why)
		amd_ice(c->f, "emit_code", b, i, "%s", why);
	note_inst(c, b, i);
	put_bytes(c, bytes, finish_bits(&bits, bytes));
}

static void put_real(struct coder *c, const struct amd_block *b, struct amd_inst *i)
{
	struct bits bits;
	uint8_t bytes[16];
	uint32_t at = c->out->bytes.len;
	bool reloc = false;

	amd_encode_choose(c->f, i);
	const char *why = encode(c, i, &bits);
	if (why && may_widen(i)) {
		uint8_t was = i->enc;
		i->enc = AMD_ENC_VOP3;
		if (encode(c, i, &bits))
			i->enc = was;
		else
			why = NULL;
	}
	if (why)
		amd_ice(c->f, "emit_code", b, i, "%s", why);
	note_inst(c, b, i);
	uint32_t n = finish_bits(&bits, bytes);
	for (uint32_t k = 0; k < i->nops; k++)
		reloc |= i->ops[k].kind == AMD_OPND_RELOC;
	if (reloc)
		put_fixup(c, i, at + n - 4);
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
	uint8_t branch[16], *old = out->bytes.data;
	uint32_t n = out->bytes.len, from = 0, k = 0;
	struct amd_inst s_branch = {.op = amd_s_branch, .enc = AMD_ENC_SOPP};
	struct bits bits;

	if (encode(c, &s_branch, &bits))
		amd_ice(c->f, "emit_code", NULL, &s_branch, "no s_branch");
	finish_bits(&bits, branch);
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

static uint32_t code_once(struct amd_func *f, struct emit_code *out, bitword *padded, uint32_t bits)
{
	struct coder c = {.f = f, .out = out, .a = f->arena, .padded = padded};
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

void emit_code(struct amd_func *f, struct emit_code *out)
{
	uint32_t bits = f->blocks.len * 4 + 64, bad; /* more than there are branches */
	for (uint32_t k = 0; k < f->blocks.len; k++)
		bits += f->blocks.data[k]->insts.len;
	bitword *padded = bitset_new(f->arena, bits);
	while ((bad = code_once(f, out, padded, bits)) != bits)
		bitset_add(padded, bad);
}
