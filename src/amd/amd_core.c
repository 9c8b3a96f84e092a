#include "amd/amd.h"

#include <stdio.h>

const struct amd_op_info amd_op_info[AMD_OP_COUNT] = {
#define AMD_OP(name, name11, enc, cls, gens, flags, defs, ops)                                                          \
	[amd_##name] = {#name, name11, AMD_ENC_##enc, AMD_CLS_##cls, gens, flags, defs, ops},
#include "amd/amd_ops.def"
#undef AMD_OP
};

uint32_t amd_hidden_offset(enum amd_hidden h, uint32_t kernarg_bytes)
{
	static const uint16_t offset[AMD_HIDDEN_COUNT] = {
#define AMD_HIDDEN(name, offset, size) [AMD_HIDDEN_##name] = offset,
#include "amd/amd_hidden.def"
#undef AMD_HIDDEN
	};
	return ((kernarg_bytes + 7) & ~7u) + offset[h];
}

struct amd_func *amd_func_new(struct arena *a, const struct amd_target *t, const char *name)
{
	struct amd_func *f = NEW(a, struct amd_func);
	f->name = name;
	f->arena = a;
	f->target = t;
	f->ntemps = 1;
	vec_push(a, &f->temp_rc, 0);
	return f;
}

struct amd_block *amd_block_new(struct amd_func *f)
{
	struct amd_block *b = NEW(f->arena, struct amd_block);
	b->id = f->blocks.len;
	vec_push(f->arena, &f->blocks, b);
	return b;
}

void amd_lane_edge(struct amd_func *f, struct amd_block *from, struct amd_block *to)
{
	vec_push(f->arena, &from->lane_succs, to->id);
	vec_push(f->arena, &to->lane_preds, from->id);
}

void amd_wave_edge(struct amd_func *f, struct amd_block *from, struct amd_block *to)
{
	vec_push(f->arena, &from->wave_succs, to->id);
	vec_push(f->arena, &to->wave_preds, from->id);
}

uint32_t amd_temp_new(struct amd_func *f, amd_rc rc)
{
	vec_push(f->arena, &f->temp_rc, rc);
	return f->ntemps++;
}

struct amd_inst *amd_inst_new(struct amd_func *f, enum amd_op op, uint32_t ndefs, uint32_t nops)
{
	struct amd_inst *i = arena_alloc(f->arena, sizeof *i + nops * sizeof *i->ops + ndefs * sizeof *i->defs);
	i->op = op;
	i->ndefs = (uint16_t)ndefs;
	i->nops = (uint16_t)nops;
	i->ops = (struct amd_operand *)(i + 1);
	i->defs = (struct amd_def *)(i->ops + nops);
	i->dpp_row_mask = i->dpp_bank_mask = 0xf;
	if (amd_op_info[op].enc == AMD_ENC_VOP3P && op != amd_v_fma_mix_f32 && op != amd_v_fma_mixlo_f16 && op != amd_v_fma_mixhi_f16)
		i->opsel_hi = 7;
	for (uint32_t k = 0; k < ndefs; k++)
		i->defs[k].reg = AMD_NOREG;
	for (uint32_t k = 0; k < nops; k++)
		i->ops[k].reg = AMD_NOREG;
	return i;
}

void amd_insert(struct amd_func *f, struct amd_block *b, uint32_t at, struct amd_inst *i)
{
	vec_push(f->arena, &b->insts, NULL);
	memmove(b->insts.data + at + 1, b->insts.data + at, (b->insts.len - 1 - at) * sizeof *b->insts.data);
	b->insts.data[at] = i;
}

static bool writes_exec(const struct amd_inst *i)
{
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (i->defs[d].fixed && i->defs[d].reg == AMD_EXEC)
			return true;
	return false;
}

uint32_t amd_copy_point(const struct amd_block *b, bool vector)
{
	uint32_t k = b->insts.len;
	while (k > 0 && amd_op_info[b->insts.data[k - 1]->op].flags & AMDF_TERMINATOR)
		k--;
	if (!vector)
		return k;
	for (uint32_t n = k; n-- > 0;)
		if (b->insts.data[n]->op == amd_p_lane_end)
			return n;
	while (k > 0 && writes_exec(b->insts.data[k - 1]))
		k--;
	return k;
}

uint32_t amd_lane_begin(const struct amd_block *b)
{
	uint32_t k = 0;
	while (k < b->insts.len && amd_is_phi(b->insts.data[k]))
		k++;
	uint32_t begin = k;
	for (; k < b->insts.len; k++) {
		const struct amd_inst *i = b->insts.data[k];
		if (i->op == amd_p_lane_end || amd_op_info[i->op].flags & AMDF_TERMINATOR)
			break;
		for (uint32_t d = 0; d < i->ndefs; d++)
			if (amd_rc_vector(i->defs[d].rc))
				return begin;
		for (uint32_t o = 0; o < i->nops; o++)
			if (amd_rc_vector(i->ops[o].rc))
				return begin;
		if (writes_exec(i))
			begin = k + 1;
	}
	return begin;
}

bool amd_is_phi(const struct amd_inst *i)
{
	return i->op == amd_p_phi || i->op == amd_p_wave_phi;
}

/* Longest keyword first where one is the start of another. */
static const struct {
	const char *text;
	uint8_t kind;
} shape_words[] = {
	{"scc", AMD_SH_SCC}, {"vcc", AMD_SH_VCC}, {"exec", AMD_SH_EXEC}, {"m0", AMD_SH_M0}, {"m", AMD_SH_M},
	{"vaddr", AMD_SH_VADDR}, {"saddr", AMD_SH_SADDR}, {"*", AMD_SH_ANY},
};

struct amd_shape amd_shape_next(const char **s)
{
	const char *p = *s;
	while (*p == ' ')
		p++;
	struct amd_shape r = {AMD_SH_END, 0};
	if (!*p) {
		*s = p;
		return r;
	}
	size_t n = strcspn(p, " ");
	*s = p + n;
	for (size_t i = 0; i < sizeof shape_words / sizeof *shape_words; i++)
		if (strlen(shape_words[i].text) == n && !memcmp(shape_words[i].text, p, n)) {
			r.kind = shape_words[i].kind;
			r.size = r.kind == AMD_SH_SCC || r.kind == AMD_SH_M0 ? 1 : 0;
			return r;
		}
	r.kind = *p == 's' ? AMD_SH_S : *p == 'v' ? AMD_SH_V : *p == 'a' ? AMD_SH_A : AMD_SH_X;
	for (p++; *p >= '0' && *p <= '9'; p++)
		r.size = (uint8_t)(r.size * 10 + (*p - '0'));
	return r;
}

uint32_t amd_tied_operand(const struct amd_inst *i)
{
	const char *s = amd_op_info[i->op].ops;
	uint32_t last = 0, k = 0;
	for (struct amd_shape t; (t = amd_shape_next(&s)).kind != AMD_SH_END; k++)
		if (t.kind == AMD_SH_S || t.kind == AMD_SH_V)
			last = k;
	return last;
}

void amd_ice(const struct amd_func *f, const char *pass, const struct amd_block *b, const struct amd_inst *i, const char *fmt, ...)
{
	char msg[256];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(msg, sizeof msg, fmt, ap);
	va_end(ap);
	struct strbuf sb;
	sb_init(&sb, f->arena);
	if (i)
		amd_print_inst(&sb, i);
	ice(f->arena, "%s: %s: block %d: %s: %s", pass, f->name, b ? (int)b->id : -1, msg, i ? sb_str(&sb) : "");
}
