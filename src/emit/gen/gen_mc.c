/* Writes the table (emit/mc_table.h) that turns machine instructions into bytes: run when the project is built.
 *
 * For every row of amd_ops.def, chip generation, encoding and address form it prints a probe instruction as assembly text, and then
 * the same with one thing varied (another destination, a negated source, an offset ...). LLVM assembles all of it; the operands of
 * the LLVM instruction that change with the variation are those which carry that thing. A row whose natural encoding does not
 * assemble for a generation that it claims fails the build, and so does a modifier whose value is not what the encoder would give.
 * gen_encode.c then learns where each operand goes in the bytes. */
#include <stdio.h>
#include <stdlib.h>

#include "emit/emit_asm.h"
#include "emit/gen/gen_encode.h"

const struct amd_op_info amd_op_info[AMD_OP_COUNT] = {
#define AMD_OP(name, name11, enc, cls, gens, flags, defs, ops)                                                                    \
	{#name, name11, AMD_ENC_##enc, AMD_CLS_##cls, gens, flags, defs, ops},
#include "amd/amd_ops.def"
#undef AMD_OP
};

enum mc_type mc_operand_type(const struct amd_target *t, uint32_t op, uint32_t operand)
{
	(void)t, (void)op, (void)operand;
	return MC_T_B32;
}

enum { MAX_OPS = GEN_MAX_SLOTS, MAX_VARIANTS = 96 };

struct result {
	bool ok;
	uint32_t opcode, nops;
	struct mc_operand ops[MAX_OPS];
	const char *error;
};

enum what { BASE, DEF, OP, NEG, ABS, SEXT, OPSEL, OPSEL_HI, NEG_LO, NEG_HI, CLAMP, OMOD, IMM, IMM_LO8, IMM_HI8, CACHE, DPP_CTRL,
	ROW_MASK, BANK_MASK, BOUND_CTRL, FI, DST_SEL, DST_UNUSED, SEL, C_FLOAT, C_ONE, C_LITERAL, C_LITERAL16 };

struct variant {
	uint8_t what, k;
	uint32_t line;
};
struct probe {
	uint32_t op, enc, form, gen, nsrc;
	struct variant v[MAX_VARIANTS];
	uint32_t nv;
};

struct gen {
	struct arena *a;
	struct strbuf text;
	uint32_t lines;
	VEC(struct probe *) probes;
	VEC(struct result) results; /* by line - 1 */
	VEC(struct mc_slot) slots;
	VEC(struct mc_form) forms;
	struct mc_names *names;
	struct learner *learner;
	uint32_t failures;
};

static const struct amd_target targets[2] = {{.name = "gfx1030", .gen = 10, .wave_size = 32}, {.name = "gfx1100", .gen = 11, .wave_size = 32}};

/* --- probes --- */
static uint16_t reg_of(bool vector, uint32_t k, bool def)
{
	if (vector)
		return (uint16_t)(AMD_VGPR0 + (def ? 16 : 80) + 16 * k);
	return (uint16_t)((def ? 16 : 64) + 8 * k + (def && k ? 16 : 0));
}

static void set_def(struct amd_inst *i, uint32_t k, const char *w, uint32_t shift)
{
	struct amd_def *d = &i->defs[k];
	if (*w == 'v' && w[1] >= '1' && w[1] <= '9') {
		d->rc = (amd_rc)(AMD_RC_VECTOR | strtoul(w + 1, NULL, 10));
		d->reg = (uint16_t)(reg_of(true, k, true) + shift);
	} else if (*w == 's' && w[1] >= '1' && w[1] <= '9') {
		d->rc = (amd_rc)strtoul(w + 1, NULL, 10);
		d->reg = (uint16_t)(reg_of(false, k, true) + shift);
	} else if (!strcmp(w, "m") || !strcmp(w, "vcc")) {
		bool any = i->enc == AMD_ENC_VOP3 || (i->enc == AMD_ENC_SDWA && amd_op_info[i->op].enc == AMD_ENC_VOPC);
		d->rc = AMD_S(1);
		d->reg = any && *w == 'm' ? (uint16_t)(reg_of(false, k, true) + shift) : AMD_VCC;
	} else {
		d->rc = AMD_S(1);
		d->reg = !strcmp(w, "scc") ? AMD_SCC : AMD_EXEC;
	}
}

static void set_op(struct amd_inst *i, uint32_t k, const char *w, uint32_t form, uint32_t shift)
{
	struct amd_operand *o = &i->ops[k];
	uint32_t size = (uint32_t)strtoul(w + 1, NULL, 10);
	bool vector = *w == 'x' || (*w == 'v' && size), flat64 = i->enc == AMD_ENC_GLOBAL && !(form & MC_FORM_SADDR);
	o->kind = AMD_OPND_REG;
	if (!strcmp(w, "vaddr")) {
		o->kind = form & MC_FORM_VADDR ? AMD_OPND_REG : AMD_OPND_UNDEF;
		vector = true;
		size = flat64 ? 2 : 1;
	} else if (!strcmp(w, "saddr")) {
		o->kind = form & MC_FORM_SADDR ? AMD_OPND_REG : AMD_OPND_UNDEF;
		size = i->enc == AMD_ENC_GLOBAL ? 2 : 1;
	} else if (i->enc == AMD_ENC_SMEM && k == 1)
		o->kind = form & MC_FORM_SADDR ? AMD_OPND_REG : AMD_OPND_UNDEF;
	else if (!strcmp(w, "m")) {
		o->rc = AMD_S(1);
		o->reg = i->enc == AMD_ENC_VOP3 ? (uint16_t)(reg_of(false, k, false) + shift) : AMD_VCC;
		return;
	} else if (!size) {
		o->rc = AMD_S(1);
		o->reg = !strcmp(w, "scc") ? AMD_SCC : !strcmp(w, "vcc") ? AMD_VCC : !strcmp(w, "m0") ? AMD_M0 : AMD_EXEC;
		return;
	}
	o->rc = (amd_rc)(size | (vector ? AMD_RC_VECTOR : 0));
	o->reg = (uint16_t)(reg_of(vector, k, false) + shift);
}

static struct amd_inst *base_inst(struct gen *g, uint32_t op, uint32_t enc, uint32_t form)
{
	const struct amd_op_info *info = &amd_op_info[op];
	struct amd_inst *i = NEW(g->a, struct amd_inst);
	char w[8];
	i->op = (uint16_t)op;
	i->enc = (uint8_t)enc;
	i->defs = NEWN(g->a, struct amd_def, 4);
	i->ops = NEWN(g->a, struct amd_operand, 8);
	i->dpp_ctrl = 0x1b;
	i->dpp_row_mask = i->dpp_bank_mask = 15;
	if (enc == AMD_ENC_VOP3P && strncmp(info->name, "v_fma_mix", 9))
		i->opsel_hi = 7;
	if (info->flags & AMDF_ATOMIC && enc != AMD_ENC_DS && form & MC_FORM_RETURNS)
		i->cache = AMD_GLC;
	if (!(info->flags & AMDF_ATOMIC && enc != AMD_ENC_DS) || form & MC_FORM_RETURNS)
		for (; emit_shape_word(info->defs, i->ndefs, w); i->ndefs++)
			set_def(i, i->ndefs, w, 0);
	for (; emit_shape_word(info->ops, i->nops, w); i->nops++)
		set_op(i, i->nops, w, form, 0);
	int tied = emit_tied_operand(i);
	if (tied >= 0)
		i->ops[tied].reg = i->defs[0].reg;
	if (op == amd_s_setreg_imm32_b32)
		i->ops[0] = amd_use_const(0x1234);
	return i;
}

static void put_variant(struct gen *g, struct probe *p, const struct amd_inst *i, enum what what, uint32_t k)
{
	if (p->nv == MAX_VARIANTS) {
		fprintf(stderr, "gen_mc: too many variants\n");
		exit(1);
	}
	emit_asm_inst(&g->text, &targets[p->gen], i, "");
	sb_putc(&g->text, '\n');
	p->v[p->nv++] = (struct variant){(uint8_t)what, (uint8_t)k, ++g->lines};
}

static bool is_source(const char *w)
{
	return *w == 'x' || *w == 'a' || ((*w == 's' || *w == 'v') && w[1] >= '1' && w[1] <= '9') || !strcmp(w, "m");
}

#define VARY(what, k, stmt)                                                                                                       \
	do {                                                                                                                      \
		struct amd_inst *i = base_inst(g, p->op, p->enc, p->form);                                                        \
		stmt;                                                                                                             \
		put_variant(g, p, i, what, k);                                                                                    \
	} while (0)

static void vary_registers(struct gen *g, struct probe *p)
{
	const struct amd_op_info *info = &amd_op_info[p->op];
	struct amd_inst *b = base_inst(g, p->op, p->enc, p->form);
	int tied = emit_tied_operand(b);
	char w[8];
	for (uint32_t k = 0; k < b->ndefs; k++)
		if (b->defs[k].reg < AMD_VCC || b->defs[k].reg >= AMD_VGPR0)
			VARY(DEF, k, {
				i->defs[k].reg += 4;
				if (tied >= 0 && !k)
					i->ops[tied].reg += 4;
			});
	if (p->op == amd_s_setreg_imm32_b32)
		VARY(OP, 0, i->ops[0].value++);
	if (p->op == amd_v_swap_b32)
		return; /* the sources are the definitions */
	for (uint32_t k = 0; k < b->nops; k++) {
		emit_shape_word(info->ops, k, w);
		if ((int)k == tied || b->ops[k].kind != AMD_OPND_REG || (b->ops[k].reg >= AMD_VCC && b->ops[k].reg < AMD_VGPR0))
			continue;
		VARY(OP, k, i->ops[k].reg += 4);
		if (!is_source(w) || k > 3)
			continue;
		p->nsrc = k + 1 > p->nsrc && strcmp(w, "m") ? k + 1 : p->nsrc;
		VARY(C_FLOAT, k, (i->ops[k].kind = AMD_OPND_CONST, i->ops[k].value = 0x3f800000));
		VARY(C_ONE, k, (i->ops[k].kind = AMD_OPND_CONST, i->ops[k].value = 1));
		VARY(C_LITERAL, k, (i->ops[k].kind = AMD_OPND_CONST, i->ops[k].value = 0x40590000));
		VARY(C_LITERAL16, k, (i->ops[k].kind = AMD_OPND_CONST, i->ops[k].value = 0x1234));
	}
}

static void vary_valu(struct gen *g, struct probe *p)
{
	for (uint32_t k = 0; k < p->nsrc && k < 3; k++) {
		if (p->enc == AMD_ENC_VOP3P) {
			VARY(OPSEL_HI, k, i->opsel_hi ^= 1u << k);
			VARY(NEG_LO, k, i->neg_lo = (uint8_t)(1u << k));
			VARY(NEG_HI, k, i->neg_hi = (uint8_t)(1u << k));
			VARY(OPSEL, k, i->opsel = (uint8_t)(1u << k));
			continue;
		}
		VARY(NEG, k, i->ops[k].neg = true);
		VARY(ABS, k, i->ops[k].abs = true);
		if (p->enc == AMD_ENC_SDWA)
			VARY(SEXT, k, i->ops[k].sext = true);
		if (p->enc == AMD_ENC_SDWA && k < 2)
			VARY(SEL, k, i->ops[k].sel = AMD_SEL_BYTE1);
		if (p->enc == AMD_ENC_VOP3)
			VARY(OPSEL, k, i->opsel = (uint8_t)(1u << k));
	}
	if (p->enc == AMD_ENC_VOP3)
		VARY(OPSEL, 3, i->opsel = 8);
	VARY(CLAMP, 0, i->clamp = true);
	VARY(OMOD, 0, i->omod = 2);
	if (p->enc == AMD_ENC_DPP16) {
		VARY(DPP_CTRL, 0, i->dpp_ctrl = 0x111);
		VARY(ROW_MASK, 0, i->dpp_row_mask = 10);
		VARY(BANK_MASK, 0, i->dpp_bank_mask = 5);
		VARY(BOUND_CTRL, 0, i->dpp_bound_ctrl = true);
		VARY(FI, 0, i->dpp_fi = true);
	}
	if (p->enc == AMD_ENC_SDWA) {
		VARY(DST_SEL, 0, i->dst_sel = AMD_SEL_WORD1);
		VARY(DST_UNUSED, 0, i->dst_unused = 2);
	}
}

static void vary_rest(struct gen *g, struct probe *p)
{
	const char *name = amd_op_info[p->op].name;
	if (p->enc == AMD_ENC_DS && (!strncmp(name, "ds_read2", 8) || !strncmp(name, "ds_write2", 9))) {
		VARY(IMM_LO8, 0, i->imm = 9);
		VARY(IMM_HI8, 0, i->imm = 9 << 8);
	} else
		VARY(IMM, 0, i->imm = 16);
	for (uint32_t k = 0; k < 3; k++)
		VARY(CACHE, k, i->cache ^= (uint8_t)(1u << k));
}

static void put_probe(struct gen *g, uint32_t gen, uint32_t op, uint32_t enc, uint32_t form)
{
	struct probe *p = NEW(g->a, struct probe);
	*p = (struct probe){.op = op, .enc = enc, .form = form, .gen = gen};
	vec_push(g->a, &g->probes, p);
	VARY(BASE, 0, (void)0);
	vary_registers(g, p);
	if (enc >= AMD_ENC_VOP1 && enc <= AMD_ENC_SDWA)
		vary_valu(g, p);
	else
		vary_rest(g, p);
}

static void put_row(struct gen *g, uint32_t gen, uint32_t op)
{
	const struct amd_op_info *info = &amd_op_info[op];
	bool atomic = info->flags & AMDF_ATOMIC;
	if (info->enc == AMD_ENC_PSEUDO || !(info->gens >> gen & 1))
		return;
	for (uint32_t r = 0; r < 2; r++) {
		uint32_t ret = r ? MC_FORM_RETURNS : 0;
		if (r && (!atomic || info->enc == AMD_ENC_DS))
			continue;
		switch (info->enc) {
		case AMD_ENC_GLOBAL:
			put_probe(g, gen, op, info->enc, ret | MC_FORM_VADDR);
			put_probe(g, gen, op, info->enc, ret | MC_FORM_VADDR | MC_FORM_SADDR);
			break;
		case AMD_ENC_SCRATCH:
			for (uint32_t f = 0; f < 4; f++)
				put_probe(g, gen, op, info->enc, f);
			break;
		case AMD_ENC_SMEM:
			put_probe(g, gen, op, info->enc, 0);
			if (info->ops[0])
				put_probe(g, gen, op, info->enc, MC_FORM_SADDR);
			break;
		default:
			put_probe(g, gen, op, info->enc, ret);
		}
	}
	if (info->enc != AMD_ENC_VOP1 && info->enc != AMD_ENC_VOP2 && info->enc != AMD_ENC_VOPC)
		return;
	put_probe(g, gen, op, AMD_ENC_VOP3, 0);
	if (info->enc != AMD_ENC_VOPC)
		put_probe(g, gen, op, AMD_ENC_DPP16, 0);
	if (gen == 0)
		put_probe(g, gen, op, AMD_ENC_SDWA, 0);
}

/* --- results --- */
static void on_inst(void *ctx, const struct mc_asm_inst *i)
{
	struct gen *g = ctx;
	if (!i->line || i->line > g->results.len || i->nops > MAX_OPS) {
		fprintf(stderr, "gen_mc: line %u, %u operands\n", i->line, i->nops);
		exit(1);
	}
	struct result *r = &g->results.data[i->line - 1];
	r->ok = true;
	r->opcode = i->opcode;
	r->nops = i->nops;
	if (i->nops)
		memcpy(r->ops, i->ops, sizeof *i->ops * i->nops);
}

static void on_error(void *ctx, uint32_t line, const char *msg)
{
	struct gen *g = ctx;
	if (line && line <= g->results.len)
		g->results.data[line - 1].error = arena_printf(g->a, "%s", msg);
}

static void assemble(struct gen *g, uint32_t gen)
{
	struct mc_asm_sink sink = {g, on_inst, on_error};
	struct result none = {0};
	vec_clear(&g->results);
	for (uint32_t k = 0; k < g->lines; k++)
		vec_push(g->a, &g->results, none);
	if (!mc_assemble(targets[gen].name, "", g->text.buf.data, g->text.buf.len, &sink)) {
		fprintf(stderr, "gen_mc: LLVM does not know %s\n", targets[gen].name);
		exit(1);
	}
}

static const char *line_text(struct gen *g, uint32_t line)
{
	const char *s = sb_str(&g->text);
	while (--line)
		s = strchr(s, '\n') + 1;
	return arena_strndup(g->a, s, strcspn(s, "\n"));
}

static void fail(struct gen *g, const struct probe *p, uint32_t line, const char *why)
{
	fprintf(stderr, "amd_ops.def: %s (%s): %s: %s\n", amd_op_info[p->op].name, targets[p->gen].name, line_text(g, line), why);
	g->failures++;
}

/* --- from variations to roles --- */
static const uint8_t simple_role[] = {
	[IMM] = MC_IMM, [IMM_LO8] = MC_IMM_LO8, [IMM_HI8] = MC_IMM_HI8, [CACHE] = MC_CACHE, [CLAMP] = MC_CLAMP, [OMOD] = MC_OMOD,
	[DPP_CTRL] = MC_DPP_CTRL, [ROW_MASK] = MC_ROW_MASK, [BANK_MASK] = MC_BANK_MASK, [BOUND_CTRL] = MC_BOUND_CTRL, [FI] = MC_FI,
	[DST_SEL] = MC_DST_SEL, [DST_UNUSED] = MC_DST_UNUSED, [SEL] = MC_SEL, [DEF] = MC_DEF, [OP] = MC_OP,
};

/* Source modifiers share one operand a source; what each adds to it. */
static const struct {
	uint8_t bit, cap, role; /* role: of a second operand that changes too */
} modifier[] = {
	[NEG] = {1, MC_CAN_NEG, 0}, [ABS] = {2, MC_CAN_ABS, 0}, [SEXT] = {16, MC_CAN_SEXT, 0}, [OPSEL] = {4, MC_CAN_OPSEL, MC_OPSEL},
	[OPSEL_HI] = {8, MC_CAN_OPSEL_HI, MC_OPSEL_HI}, [NEG_LO] = {1, MC_CAN_NEG_LO, MC_NEG_LO}, [NEG_HI] = {2, MC_CAN_NEG_HI, MC_NEG_HI},
};

/* What LLVM made of the constants 1.0, 1, 0x40590000, 0x1234 as one operand. */
struct constants {
	bool ok[4];
	uint64_t value[4];
};

static void learn_constant(struct constants *c, const struct variant *v, const struct result *base, const struct result *r)
{
	for (uint32_t n = 0; n < base->nops; n++)
		if (base->ops[n].is_reg && r->ops[n].is_imm) {
			c[v->k].ok[v->what - C_FLOAT] = true;
			c[v->k].value[v->what - C_FLOAT] = (uint64_t)r->ops[n].value;
		}
}

static enum mc_type type_of(const struct constants *c, bool packed)
{
	bool wide = c->value[2] >> 32;
	if (!c->ok[0])
		return c->ok[1] ? MC_T_I16 : MC_T_NONE;
	if (c->value[0] == 0x3c00)
		return packed ? MC_T_PF16 : MC_T_F16;
	if (c->value[0] >> 32)
		return c->ok[2] && !wide ? MC_T_I64 : MC_T_F64;
	return c->ok[3] && !c->ok[2] ? MC_T_I16 : MC_T_B32;
}

static enum mc_type operand_type(const struct probe *p, const struct constants *c)
{
	const char *name = amd_op_info[p->op].name;
	enum mc_type t = type_of(c, p->enc == AMD_ENC_VOP3P || !strncmp(name, "v_pk_", 5));
	if (p->op == amd_v_pk_fmac_f16)
		return MC_T_NONE; /* the same inline constant is one half in gfx10 and both in gfx11 */
	if (t != MC_T_NONE && !strncmp(name, "v_fma_mix", 9))
		return MC_T_F16; /* as LLVM writes the inline constants, whichever width is read (emit_const) */
	return t;
}

/* The operand of the LLVM instruction that holds the modifiers of operand k: the one before its register. */
static bool learn_modifier(struct mc_form *f, struct mc_slot *s, const struct variant *v, const struct result *base,
                           const struct result *r)
{
	bool changed = false;
	uint32_t k = v->what == OPSEL && v->k == 3 ? 0 : v->k, bit = v->what == OPSEL && v->k == 3 ? 8 : modifier[v->what].bit;
	for (uint32_t n = 0; n < base->nops; n++) {
		int64_t x = base->ops[n].value ^ r->ops[n].value;
		if (!x)
			continue;
		changed = true;
		if (n + 1 < base->nops && base->ops[n + 1].is_reg && s[n + 1].role == MC_OP && s[n + 1].index == k) {
			if (x != (int64_t)bit)
				return false;
			if (s[n].role != MC_MODS)
				s[n].value = (int16_t)base->ops[n].value;
			s[n].role = MC_MODS;
			s[n].index = (uint8_t)k;
		} else if (modifier[v->what].role)
			s[n].role = modifier[v->what].role;
		else
			return false;
	}
	f->caps |= (uint32_t)changed << (modifier[v->what].cap + v->k);
	return true;
}

static bool learn(struct mc_form *f, struct mc_slot *s, struct constants *c, const struct variant *v, const struct result *base,
                  const struct result *r)
{
	if (r->nops != base->nops || r->opcode != base->opcode)
		return true; /* another instruction: not this form's */
	if (v->what >= C_FLOAT) {
		learn_constant(c, v, base, r);
		return true;
	}
	if (v->what >= NEG && v->what <= NEG_HI)
		return learn_modifier(f, s, v, base, r);
	bool changed = false;
	for (uint32_t n = 0; n < base->nops; n++)
		if (base->ops[n].value != r->ops[n].value) {
			if (s[n].role != MC_CONST && s[n].role != MC_CONST_REG && s[n].role != simple_role[v->what])
				return false;
			s[n].role = simple_role[v->what];
			s[n].index = v->what == CACHE ? 0 : v->k;
			s[n].value = 0;
			changed = true;
		}
	if (changed && v->what == CLAMP)
		f->caps |= 1u << MC_CAN_CLAMP;
	if (changed && v->what == OMOD)
		f->caps |= 1u << MC_CAN_OMOD;
	if (changed && v->what == CACHE)
		f->caps |= 1u << (MC_CAN_CACHE + v->k);
	if (changed && v->what >= IMM && v->what <= IMM_HI8)
		f->caps |= 1u << MC_CAN_IMM;
	return changed || (v->what != DEF && v->what != OP);
}

static int16_t own_reg(const struct gen *g, uint32_t gen, int64_t mcreg)
{
	if (mcreg == mc_names_reg(g->names, gen ? "SGPR_NULL_gfx11plus" : "SGPR_NULL_gfxpre11"))
		return AMD_NULL;
	if (mcreg == mc_names_reg(g->names, "VCC_LO"))
		return AMD_VCC;
	return -1;
}

static const char *learn_form(struct gen *g, const struct probe *p, struct mc_form *f, struct mc_slot *s, const struct result *base)
{
	const struct amd_inst *i = base_inst(g, p->op, p->enc, p->form);
	uint8_t size[MAX_OPS] = {0};
	for (uint32_t n = 0; n < f->nslots; n++)
		size[n] = s[n].role == MC_DEF  ? (uint8_t)amd_rc_size(i->defs[s[n].index].rc)
		          : s[n].role == MC_OP ? (uint8_t)amd_rc_size(i->ops[s[n].index].rc)
		                               : 0;
	return learn_encoding(g->learner, p->gen, f, s, base->ops, size);
}

static uint16_t intern_slots(struct gen *g, const struct mc_slot *s, uint32_t n)
{
	for (uint32_t at = 0; at + n <= g->slots.len; at++)
		if (!memcmp(&g->slots.data[at], s, sizeof *s * n))
			return (uint16_t)at;
	uint16_t at = (uint16_t)g->slots.len;
	for (uint32_t k = 0; k < n; k++)
		vec_push(g->a, &g->slots, s[k]);
	return at;
}

static void put_form(struct gen *g, const struct probe *p)
{
	const struct result *base = &g->results.data[p->v[0].line - 1];
	const struct amd_op_info *info = &amd_op_info[p->op];
	struct mc_slot s[MAX_OPS] = {0};
	struct mc_form f = {.enc = (uint8_t)p->enc, .form = (uint8_t)p->form};
	struct constants constants[4] = {0};
	if (!base->ok) {
		if (p->enc == info->enc && !(p->enc == AMD_ENC_SCRATCH && p->form == 3))
			fail(g, p, p->v[0].line, base->error ? base->error : "no instruction");
		return;
	}
	f.opcode = (uint16_t)base->opcode;
	f.nslots = (uint8_t)base->nops;
	for (uint32_t n = 0; n < base->nops; n++) {
		s[n].role = base->ops[n].is_reg ? MC_CONST_REG : MC_CONST;
		s[n].value = (int16_t)base->ops[n].value;
	}
	for (uint32_t v = 1; v < p->nv; v++) {
		const struct result *r = &g->results.data[p->v[v].line - 1];
		if (!r->ok) {
			if (p->v[v].what == DEF || p->v[v].what == OP)
				fail(g, p, p->v[v].line, r->error ? r->error : "no instruction");
		} else if (!learn(&f, s, constants, &p->v[v], base, r))
			fail(g, p, p->v[v].line, "unexpected change of LLVM's operands");
	}
	for (uint32_t n = 0; n < base->nops; n++) {
		if (s[n].role == MC_CONST_REG)
			s[n].value = own_reg(g, p->gen, base->ops[n].value);
		if (s[n].role == MC_MODS && f.caps >> (MC_CAN_OPSEL_HI + s[n].index) & 1)
			s[n].value = 0;
		if (s[n].role == MC_CONST_REG && s[n].value < 0)
			fail(g, p, p->v[0].line, "a register operand of LLVM's that nothing varies");
	}
	for (uint32_t k = 0; k < 4; k++)
		f.types[k] = (uint8_t)operand_type(p, &constants[k]);
	const char *why = learn_form(g, p, &f, s, base);
	if (why)
		fail(g, p, p->v[0].line, why);
	f.slots = intern_slots(g, s, f.nslots);
	vec_push(g->a, &g->forms, f);
}
/* --- special registers --- */
static const struct {
	uint16_t reg;
	uint8_t size;
	const char *text;
} specials[] = {
	{AMD_VCC, 1, "vcc_lo"}, {AMD_VCC + 1, 1, "vcc_hi"}, {AMD_VCC, 2, "vcc"}, {AMD_M0, 1, "m0"}, {AMD_NULL, 1, "null"},
	{AMD_NULL, 2, "null"}, {AMD_EXEC, 1, "exec_lo"}, {AMD_EXEC + 1, 1, "exec_hi"}, {AMD_EXEC, 2, "exec"}, {AMD_SCC, 1, "src_scc"},
	{235, 1, "src_shared_base"}, {236, 1, "src_shared_limit"}, {237, 1, "src_private_base"}, {238, 1, "src_private_limit"},
	{235, 2, "src_shared_base"}, {236, 2, "src_shared_limit"}, {237, 2, "src_private_base"}, {238, 2, "src_private_limit"},
};

static void learn_specials(struct gen *g, uint32_t gen)
{
	uint32_t n = sizeof specials / sizeof *specials;
	sb_init(&g->text, g->a);
	g->lines = n;
	for (uint32_t k = 0; k < n; k++)
		sb_printf(&g->text, "%s, %s\n", specials[k].size == 1 ? "s_mov_b32 s0" : "s_mov_b64 s[0:1]", specials[k].text);
	assemble(g, gen);
	for (uint32_t k = 0; k < n; k++) {
		const struct result *r = &g->results.data[k];
		if (r->ok)
			learner_special(g->learner, gen, specials[k].size, specials[k].reg, (uint32_t)r->ops[1].value);
		else {
			fprintf(stderr, "gen_mc: %s\n", line_text(g, k + 1));
			g->failures++;
		}
	}
}

/* --- pairs --- */
static const uint16_t duals[] = {
#define DUAL(name) amd_##name,
	MC_DUALS(DUAL)
#undef DUAL
};

static struct amd_inst *dual_half(struct gen *g, uint32_t op, uint16_t base)
{
	struct amd_inst *i = base_inst(g, op, AMD_ENC_VOP2, 0);
	i->enc = AMD_ENC_VOPD;
	for (uint32_t k = 0; k < i->nops; k++)
		if (i->ops[k].reg >= AMD_VGPR0)
			i->ops[k].reg = (uint16_t)(base + 4 * k);
	i->defs[0].reg = base;
	if (emit_tied_operand(i) >= 0)
		i->ops[emit_tied_operand(i)].reg = base;
	return i;
}

/* LLVM's operands are the definitions, then X's sources, then Y's. */
static void check_dual(struct gen *g, const struct amd_inst *x, const struct amd_inst *y, uint32_t line)
{
	const struct result *r = &g->results.data[line];
	uint32_t want[8], n = 0;
	want[n++] = x->defs[0].reg;
	want[n++] = y->defs[0].reg;
	for (uint32_t k = 0; k + (x->op == amd_v_cndmask_b32) < x->nops; k++)
		want[n++] = x->ops[k].reg;
	for (uint32_t k = 0; k + (y->op == amd_v_cndmask_b32) < y->nops; k++)
		want[n++] = y->ops[k].reg;
	bool ok = r->ok && r->nops == n;
	for (uint32_t k = 0; k < n && ok; k++) {
		char name[16];
		snprintf(name, sizeof name, "VGPR%u", want[k] - AMD_VGPR0);
		ok = r->ops[k].value == mc_names_reg(g->names, name);
	}
	if (!ok) {
		fprintf(stderr, "gen_mc: %s: %s\n", line_text(g, line + 1), r->error ? r->error : "unexpected operands");
		g->failures++;
	}
}

/* The first source of a half may be a constant, no other. */
static void learn_dual(struct gen *g, const struct amd_inst *x, uint32_t line, struct mc_form *f)
{
	const struct result *r = &g->results.data[line];
	struct mc_slot s[MAX_OPS] = {{.role = MC_DEF}, {.role = MC_DEF, .index = 1}};
	uint8_t size[MAX_OPS];
	uint32_t y_first = 2 + x->nops - (x->op == amd_v_cndmask_b32);
	*f = (struct mc_form){.opcode = (uint16_t)r->opcode, .enc = AMD_ENC_VOPD, .nslots = (uint8_t)r->nops, .types = {MC_T_B32}};
	memset(size, 1, sizeof size);
	for (uint32_t k = 2; k < r->nops; k++)
		s[k] = (struct mc_slot){.role = MC_OP, .index = k == 2 || k == y_first ? 0 : 3};
	const char *why = learn_encoding(g->learner, 1, f, s, r->ops, size);
	if (why) {
		fprintf(stderr, "gen_mc: %s: %s\n", line_text(g, line + 1), why);
		g->failures++;
	}
	f->slots = intern_slots(g, s, f->nslots);
}

static void learn_duals(struct gen *g, struct mc_form dual[MC_DUAL_X * MC_DUAL_Y])
{
	struct amd_inst *x[MC_DUAL_X * MC_DUAL_Y], *y[MC_DUAL_X * MC_DUAL_Y];
	sb_init(&g->text, g->a);
	g->lines = MC_DUAL_X * MC_DUAL_Y;
	for (uint32_t k = 0; k < g->lines; k++) {
		x[k] = dual_half(g, duals[k / MC_DUAL_Y], AMD_VGPR0 + 16);
		y[k] = dual_half(g, duals[k % MC_DUAL_Y], AMD_VGPR0 + 49);
		x[k]->dual = y[k];
		emit_asm_inst(&g->text, &targets[1], x[k], "");
		sb_putc(&g->text, '\n');
	}
	assemble(g, 1);
	for (uint32_t k = 0; k < g->lines; k++) {
		check_dual(g, x[k], y[k], k);
		learn_dual(g, x[k], k, &dual[k]);
	}
}

/* --- output --- */
static void print_form(const struct gen *g, FILE *out, const struct mc_form *f)
{
	fprintf(out, "\t{%u, %u, %u, %u, %u, {%u, %u, %u, %u}, %u, {0x%x, 0x%x, 0x%x}, 0x%x}, /* %s */\n", f->opcode, f->slots, f->enc,
	        f->form, f->nslots, f->types[0], f->types[1], f->types[2], f->types[3], f->size, f->base[0], f->base[1], f->base[2],
	        f->caps, mc_names_opcode(g->names, f->opcode));
}

static void print_table(struct gen *g, FILE *out, uint16_t first[2][AMD_OP_COUNT + 1], const struct mc_form *dual)
{
	fprintf(out, "const uint16_t mc_first[2][AMD_OP_COUNT + 1] = {\n");
	for (uint32_t gen = 0; gen < 2; gen++) {
		fprintf(out, "\t{");
		for (uint32_t op = 0; op <= AMD_OP_COUNT; op++)
			fprintf(out, "%u,", first[gen][op]);
		fprintf(out, "},\n");
	}
	fprintf(out, "};\nconst struct mc_slot mc_slots[] = {\n");
	for (uint32_t k = 0; k < g->slots.len; k++) {
		const struct mc_slot *s = &g->slots.data[k];
		fprintf(out, "\t{%u, %u, %d, %u, %u},\n", s->role, s->index, s->value, s->field, s->regs);
	}
	fprintf(out, "};\nconst struct mc_form mc_forms[] = {\n");
	for (uint32_t k = 0; k < g->forms.len; k++)
		print_form(g, out, &g->forms.data[k]);
	fprintf(out, "};\nconst struct mc_form mc_dual[MC_DUAL_X][MC_DUAL_Y] = {\n");
	for (uint32_t k = 0; k < MC_DUAL_X * MC_DUAL_Y; k++) {
		fprintf(out, "%s", k % MC_DUAL_Y ? "" : "{\n");
		print_form(g, out, &dual[k]);
		fprintf(out, "%s", (k + 1) % MC_DUAL_Y ? "" : "},\n");
	}
	fprintf(out, "};\n");
}

static void learn_generation(struct gen *g, uint32_t gen, uint16_t first[AMD_OP_COUNT + 1])
{
	learn_specials(g, gen);
	sb_init(&g->text, g->a);
	g->lines = 0;
	vec_clear(&g->probes);
	for (uint32_t op = 0; op < AMD_OP_COUNT; op++)
		put_row(g, gen, op);
	assemble(g, gen);
	uint32_t next = 0;
	for (uint32_t op = 0; op < AMD_OP_COUNT; op++) {
		first[op] = (uint16_t)g->forms.len;
		for (; next < g->probes.len && g->probes.data[next]->op == op; next++)
			put_form(g, g->probes.data[next]);
	}
	first[AMD_OP_COUNT] = (uint16_t)g->forms.len;
}

int main(int argc, char **argv)
{
	static uint16_t first[2][AMD_OP_COUNT + 1];
	static struct mc_form dual[MC_DUAL_X * MC_DUAL_Y];
	struct arena arena;
	struct gen g = {.a = &arena};
	FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;
	if (!out) {
		fprintf(stderr, "usage: gen_mc OUTPUT\n");
		return 2;
	}
	arena_init(&arena, NULL);
	g.names = mc_names_new();
	g.learner = learner_new(&arena, g.names);
	learn_generation(&g, 0, first[0]);
	learn_generation(&g, 1, first[1]);
	learn_duals(&g, dual);
	fprintf(out, "/* made by gen_mc */\n#include \"emit/mc_table.h\"\n\n");
	print_table(&g, out, first, dual);
	print_encodings(g.learner, out);
	if (fclose(out) || g.failures) {
		remove(argv[1]);
		fprintf(stderr, "gen_mc: %u failures\n", g.failures);
		return 1;
	}
	learner_free(g.learner);
	mc_names_free(g.names);
	arena_free(&arena);
	return 0;
}
