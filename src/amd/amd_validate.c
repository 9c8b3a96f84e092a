/* Checks machine IR between passes.
 *
 * requires: nothing.
 * ensures: edges agree in both directions; no critical lane edge with copies on it; phis first, terminators last; before
 *   allocation each temporary is defined once and its definition dominates its uses on its graph (vectors: lane, scalars: wave);
 *   classes match the opcode table's shapes; fixed registers exist; at most two scalar reads (one for 64-bit shifts) and one
 *   literal per VALU instruction, one literal per SALU instruction; the opcode exists on the chip.
 * Source: RDNA2/RDNA3 ISA manuals, "Vector ALU operations"; LLVM SIInstrInfo::verifyInstruction. */
#include "amd/amd_dom.h"

struct checker {
	struct amd_func *f;
	struct arena tmp;
	const char *after;
	const struct amd_block *b;
	const struct amd_inst *i;
	uint32_t *def_block, *def_index;
	struct amd_dom lane, wave;
};

#define require(c, cond, ...)                                                                                           \
	do {                                                                                                            \
		if (!(cond)) {                                                                                          \
			arena_free(&(c)->tmp);                                                                          \
			amd_ice((c)->f, (c)->after, (c)->b, (c)->i, __VA_ARGS__);                                       \
		}                                                                                                       \
	} while (0)

static uint32_t count(const uint32_t *v, uint32_t n, uint32_t x)
{
	uint32_t c = 0;
	for (uint32_t k = 0; k < n; k++)
		c += v[k] == x;
	return c;
}

static void check_edges(struct checker *c, const struct amd_block *b)
{
	struct amd_block *const *blocks = c->f->blocks.data;
	uint32_t n = c->f->blocks.len;
#define AGREE(from, to)                                                                                                 \
	for (uint32_t k = 0; k < b->from.len; k++) {                                                                    \
		uint32_t s = b->from.data[k];                                                                           \
		require(c, s < n, #from " names block %u", s);                                                          \
		require(c, count(b->from.data, b->from.len, s) == count(blocks[s]->to.data, blocks[s]->to.len, b->id),  \
			#from " and " #to " of block %u disagree", s);                                                  \
	}
	AGREE(lane_succs, lane_preds)
	AGREE(lane_preds, lane_succs)
	AGREE(wave_succs, wave_preds)
	AGREE(wave_preds, wave_succs)
#undef AGREE
	if (!c->f->allocated && b->lane_preds.len > 1)
		for (uint32_t k = 0; k < b->lane_preds.len; k++)
			require(c, blocks[b->lane_preds.data[k]]->lane_succs.len == 1, "critical lane edge from block %u",
				b->lane_preds.data[k]);
}

static void check_order(struct checker *c, const struct amd_block *b)
{
	bool phis = true, ended = false;
	for (uint32_t k = 0; k < b->insts.len; k++) {
		const struct amd_inst *i = c->i = b->insts.data[k];
		require(c, i->op < AMD_OP_COUNT, "opcode %u", i->op);
		require(c, phis || !amd_is_phi(i), "phi after other instructions");
		phis &= amd_is_phi(i);
		bool term = amd_op_info[i->op].flags & AMDF_TERMINATOR;
		require(c, term || !ended, "instruction after a terminator");
		ended |= term;
		if (i->target)
			require(c, count(b->wave_succs.data, b->wave_succs.len, i->target->id), "target is no wave successor");
		uint32_t preds = i->op == amd_p_phi ? b->lane_preds.len : b->wave_preds.len;
		if (amd_is_phi(i))
			require(c, i->nops == preds && i->ndefs == 1, "%u operands for %u predecessors", i->nops, preds);
	}
	c->i = NULL;
	require(c, b->wave_succs.len <= 1 || ended || c->f->allocated, "several successors and no terminator");
}

static bool scalar_place(uint32_t reg, uint32_t size)
{
	if (reg == AMD_SHARED_BASE || reg == AMD_PRIVATE_BASE)
		return size == 2;
	if (reg == AMD_SCC || reg == AMD_M0 || reg == AMD_NULL)
		return size == 1 || reg == AMD_NULL;
	uint32_t align = size == 1 ? 1 : size == 2 ? 2 : 4;
	if (reg % align && !(size == 3))
		return false;
	return reg + size <= 106 || (reg >= AMD_VCC && reg + size <= AMD_VCC + 2) || (reg >= AMD_EXEC && reg + size <= AMD_EXEC + 2);
}

static void check_place(struct checker *c, amd_rc rc, uint32_t reg, bool fixed)
{
	if (reg == AMD_NOREG) {
		require(c, !fixed, "fixed without register");
		return;
	}
	if (amd_rc_vector(rc))
		require(c, reg >= AMD_VGPR0 && reg + amd_rc_size(rc) <= AMD_NREGS, "vector in register %u", reg);
	else
		require(c, scalar_place(reg, amd_rc_size(rc)), "scalar of %u dwords in register %u", amd_rc_size(rc), reg);
}

static void check_def_shape(struct checker *c, const struct amd_def *d, struct amd_shape t)
{
	bool vec = amd_rc_vector(d->rc);
	uint32_t size = amd_rc_size(d->rc);
	switch (t.kind) {
	case AMD_SH_ANY:
		break;
	case AMD_SH_S:
		require(c, !vec && size == t.size, "definition should be s%u", t.size);
		break;
	case AMD_SH_V:
		require(c, vec && size == t.size, "definition should be v%u", t.size);
		break;
	case AMD_SH_M:
		require(c, !vec && size == amd_mask_dwords(c->f), "definition should be a mask");
		break;
	case AMD_SH_SCC:
		require(c, d->fixed && d->reg == AMD_SCC, "definition should be in scc");
		break;
	case AMD_SH_VCC:
		require(c, d->fixed && d->reg == AMD_VCC && size == amd_mask_dwords(c->f), "definition should be in vcc");
		break;
	case AMD_SH_EXEC:
		require(c, d->fixed && d->reg == AMD_EXEC && size == amd_mask_dwords(c->f), "definition should be exec");
		break;
	default:
		require(c, false, "too many definitions");
	}
}

/* The low part of a source is enough where the result's low part is all that is wanted and takes it from there. */
static void check_low(struct checker *c, const struct amd_inst *i, uint32_t k)
{
	bool mad = i->op == amd_v_mad_u64_u32 || i->op == amd_v_mad_i64_i32;
	require(c, mad && k == 2 && amd_rc_vector(i->ops[k].rc), "operand %u is the low part of none", k);
}

static void check_op_shape(struct checker *c, const struct amd_operand *o, struct amd_shape t)
{
	bool vec = amd_rc_vector(o->rc), reg = o->kind == AMD_OPND_TEMP || o->kind == AMD_OPND_REG;
	uint32_t size = amd_rc_size(o->rc);
	bool lit = o->kind == AMD_OPND_CONST || o->kind == AMD_OPND_RELOC;
	switch (t.kind) {
	case AMD_SH_ANY:
		break;
	case AMD_SH_S:
		require(c, !lit && !vec && size == t.size, "operand should be s%u", t.size);
		break;
	case AMD_SH_V:
		require(c, !lit && vec && size == t.size, "operand should be v%u", t.size);
		break;
	case AMD_SH_A:
		require(c, o->kind == AMD_OPND_UNDEF || lit || (!vec && size == t.size), "operand should be scalar or constant of %u dwords",
			t.size);
		break;
	case AMD_SH_X:
		require(c, lit || size == t.size || (o->low && size == 1), "operand should have %u dwords", t.size);
		break;
	case AMD_SH_M:
		require(c, !lit && !vec && size == amd_mask_dwords(c->f), "operand should be a mask");
		break;
	case AMD_SH_SCC:
		require(c, reg && o->fixed && o->reg == AMD_SCC, "operand should be in scc");
		break;
	case AMD_SH_VCC:
		require(c, reg && o->fixed && o->reg == AMD_VCC && size == amd_mask_dwords(c->f), "operand should be in vcc");
		break;
	case AMD_SH_EXEC:
		require(c, reg && o->fixed && o->reg == AMD_EXEC && size == amd_mask_dwords(c->f), "operand should be exec");
		break;
	case AMD_SH_M0:
		require(c, reg && o->fixed && o->reg == AMD_M0, "operand should be in m0");
		break;
	case AMD_SH_VADDR:
		require(c, o->kind == AMD_OPND_UNDEF || (!lit && vec && size <= 2), "operand should be an address in v1 or v2");
		break;
	case AMD_SH_SADDR:
		require(c, o->kind == AMD_OPND_UNDEF || (!lit && !vec && size <= 2), "operand should be an address in s1 or s2");
		break;
	default:
		require(c, false, "too many operands");
	}
}

static void check_shapes(struct checker *c, const struct amd_inst *i)
{
	const struct amd_op_info *info = &amd_op_info[i->op];
	const char *s = info->defs;
	if (*s != '*' && !((info->flags & AMDF_ATOMIC) && !i->ndefs)) {
		for (uint32_t k = 0; k < i->ndefs; k++)
			check_def_shape(c, &i->defs[k], amd_shape_next(&s));
		require(c, amd_shape_next(&s).kind == AMD_SH_END, "too few definitions");
	}
	s = info->ops;
	if (*s != '*') {
		for (uint32_t k = 0; k < i->nops; k++)
			check_op_shape(c, &i->ops[k], amd_shape_next(&s));
		require(c, amd_shape_next(&s).kind == AMD_SH_END, "too few operands");
	}
	if (info->flags & AMDF_TIED)
		require(c, i->ops[amd_tied_operand(i)].rc == i->defs[0].rc, "tied operand of another class");
	require(c, info->gens >> (c->f->target->gen - 10) & 1, "not an instruction of %s", c->f->target->name);
}

static bool valu(uint32_t cls)
{
	return cls == AMD_CLS_VALU || cls == AMD_CLS_TRANS || cls == AMD_CLS_VALU64;
}

/* Counts distinct scalar registers (or temporaries) and literals. */
static void check_constant_bus(struct checker *c, const struct amd_inst *i)
{
	uint64_t seen[8];
	uint32_t n = 0;
	bool literal = false;
	uint64_t literal_bits = 0;
	uint32_t cls = amd_op_info[i->op].cls;
	for (uint32_t k = 0; k < i->nops; k++) {
		const struct amd_operand *o = &i->ops[k];
		uint64_t key;
		if (o->kind == AMD_OPND_RELOC || (o->kind == AMD_OPND_CONST && !amd_inline_const(i, k, o->value))) {
			uint64_t bits = o->kind == AMD_OPND_RELOC ? (uintptr_t)o->reloc.sym : o->value;
			require(c, !literal || bits == literal_bits, "two literals");
			if (literal)
				continue;
			literal = true;
			literal_bits = bits;
			key = UINT64_MAX;
		} else if (o->kind == AMD_OPND_CONST || o->kind == AMD_OPND_UNDEF || amd_rc_vector(o->rc)) {
			continue;
		} else {
			key = c->f->allocated || o->kind == AMD_OPND_REG ? o->reg : (uint64_t)o->temp << 16;
		}
		uint32_t at = 0;
		while (at < n && seen[at] != key)
			at++;
		if (at == n && n < 8)
			seen[n++] = key;
	}
	if (!valu(cls) || i->op == amd_v_writelane_b32 || i->op == amd_v_permlane16_b32 || i->op == amd_v_permlanex16_b32)
		return;
	bool shift64 = i->op == amd_v_lshlrev_b64 || i->op == amd_v_lshrrev_b64 || i->op == amd_v_ashrrev_i64;
	require(c, n <= (shift64 ? 1u : 2u), "%u scalar reads", n);
	if (i->enc == AMD_ENC_DPP16 || i->enc == AMD_ENC_SDWA)
		require(c, !literal, "literal with DPP or SDWA");
}

static void check_inst(struct checker *c, const struct amd_inst *i)
{
	c->i = i;
	for (uint32_t k = 0; k < i->ndefs; k++) {
		const struct amd_def *d = &i->defs[k];
		require(c, !d->temp || (d->temp < c->f->ntemps && c->f->temp_rc.data[d->temp] == d->rc), "class of %%%u", d->temp);
		require(c, amd_rc_size(d->rc), "definition without class");
		check_place(c, d->rc, d->reg, d->fixed);
	}
	for (uint32_t k = 0; k < i->nops; k++) {
		const struct amd_operand *o = &i->ops[k];
		if (o->kind == AMD_OPND_TEMP)
			require(c, o->temp && o->temp < c->f->ntemps && c->f->temp_rc.data[o->temp] == o->rc, "class of %%%u", o->temp);
		if (o->low)
			check_low(c, i, k);
		if (o->kind == AMD_OPND_TEMP || o->kind == AMD_OPND_REG)
			check_place(c, o->rc, o->reg, o->fixed);
		if (c->f->allocated && o->kind == AMD_OPND_TEMP)
			require(c, o->reg != AMD_NOREG, "operand without register");
	}
	check_shapes(c, i);
	if (amd_op_info[i->op].enc != AMD_ENC_PSEUDO && i->op != amd_s_setreg_imm32_b32)
		check_constant_bus(c, i);
	c->i = NULL;
}

static void note_defs(struct checker *c, const struct amd_block *b)
{
	for (uint32_t k = 0; k < b->insts.len; k++) {
		const struct amd_inst *i = c->i = b->insts.data[k];
		for (uint32_t d = 0; d < i->ndefs; d++) {
			uint32_t t = i->defs[d].temp;
			if (!t)
				continue;
			require(c, c->def_block[t] == UINT32_MAX, "%%%u defined twice", t);
			c->def_block[t] = b->id;
			c->def_index[t] = k;
		}
	}
	c->i = NULL;
}

static void check_use(struct checker *c, uint32_t t, uint32_t block, uint32_t index)
{
	bool vec = amd_rc_vector(c->f->temp_rc.data[t]);
	const struct amd_dom *d = vec ? &c->lane : &c->wave;
	uint32_t at = c->def_block[t];
	require(c, at != UINT32_MAX, "%%%u is not defined", t);
	require(c, at == block ? c->def_index[t] < index : amd_dominates(d, at, block), "%%%u does not dominate this use on the %s graph", t,
		vec ? "lane" : "wave");
}

static void check_ssa(struct checker *c, const struct amd_block *b)
{
	for (uint32_t k = 0; k < b->insts.len; k++) {
		const struct amd_inst *i = c->i = b->insts.data[k];
		if (amd_is_phi(i))
			require(c, amd_rc_vector(i->defs[0].rc) == (i->op == amd_p_phi), "phi of the other graph");
		for (uint32_t o = 0; o < i->nops; o++) {
			if (i->ops[o].kind != AMD_OPND_TEMP)
				continue;
			if (amd_is_phi(i)) {
				require(c, i->ops[o].rc == i->defs[0].rc, "operand of another class");
				uint32_t from = i->op == amd_p_phi ? b->lane_preds.data[o] : b->wave_preds.data[o];
				const struct amd_dom *d = i->op == amd_p_phi ? &c->lane : &c->wave;
				if (d->idom[from] != UINT32_MAX)
					check_use(c, i->ops[o].temp, from, UINT32_MAX);
			} else {
				check_use(c, i->ops[o].temp, b->id, k);
			}
		}
	}
	c->i = NULL;
}

void amd_validate(struct amd_func *f, const char *after)
{
	struct checker c = {.f = f, .after = after};
	arena_init(&c.tmp, f->arena->trap);
	c.def_block = NEWN(&c.tmp, uint32_t, f->ntemps);
	c.def_index = NEWN(&c.tmp, uint32_t, f->ntemps);
	memset(c.def_block, 0xff, f->ntemps * sizeof *c.def_block);
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k];
		c.b = b;
		require(&c, b->id == k, "id is %u", b->id);
		check_edges(&c, b);
		check_order(&c, b);
		for (uint32_t n = 0; n < b->insts.len; n++)
			check_inst(&c, b->insts.data[n]);
		if (!f->allocated)
			note_defs(&c, b);
	}
	if (!f->allocated) {
		amd_dominators(f, false, &c.tmp, &c.lane);
		amd_dominators(f, true, &c.tmp, &c.wave);
		for (uint32_t k = 0; k < f->blocks.len; k++) {
			c.b = f->blocks.data[k];
			check_ssa(&c, c.b);
		}
	}
	arena_free(&c.tmp);
}
