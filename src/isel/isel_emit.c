/* Building machine instructions for selection: legal operands, copies, lane masks. */
#include "isel/isel_internal.h"

struct amd_inst *isel_emit(struct isel *c, enum amd_op op, uint32_t ndefs, uint32_t nops)
{
	struct amd_inst *i = amd_inst_new(c->f, op, ndefs, nops);
	i->line = c->line;
	vec_push(c->arena, &c->buf.insts, i);
	return i;
}

struct amd_operand isel_t(struct isel *c, uint32_t temp)
{
	return amd_use(c->f, temp);
}

uint32_t isel_new_s(struct isel *c, uint32_t dwords)
{
	return amd_temp_new(c->f, AMD_S(dwords));
}

uint32_t isel_new_v(struct isel *c, uint32_t dwords)
{
	return amd_temp_new(c->f, AMD_V(dwords));
}

uint32_t isel_new_mask(struct isel *c)
{
	return isel_new_s(c, amd_mask_dwords(c->f));
}

bool isel_is_inline(uint64_t bits, uint32_t width)
{
	int64_t x = width == 64 ? (int64_t)bits : (int32_t)bits;
	if (x >= -16 && x <= 64)
		return true;
	static const uint32_t f32[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
	static const uint64_t f64[] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000, 0xbff0000000000000,
		0x4000000000000000, 0xc000000000000000, 0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};
	for (uint32_t k = 0; k < 9; k++)
		if (width == 64 ? f64[k] == bits : f32[k] == (uint32_t)bits)
			return true;
	return false;
}

static bool is_literal(const struct amd_operand *o)
{
	return o->kind == AMD_OPND_RELOC || (o->kind == AMD_OPND_CONST && !isel_is_inline(o->value, amd_rc_size(o->rc) * 32));
}

static bool is_scalar(const struct amd_operand *o)
{
	return (o->kind == AMD_OPND_TEMP || o->kind == AMD_OPND_REG) && !amd_rc_vector(o->rc) && o->reg != AMD_SCC;
}

static bool same_scalar(const struct amd_operand *x, const struct amd_operand *y)
{
	if (x->kind != y->kind)
		return false;
	return x->kind == AMD_OPND_TEMP ? x->temp == y->temp : x->kind == AMD_OPND_CONST ? x->value == y->value : false;
}

/* Takes i, the last of buf, out, so that code for its operands can be emitted before it. */
static void before(struct isel *c, struct amd_inst *i)
{
	if (vec_last(&c->buf.insts) != i)
		ice(c->arena, "isel: operands of an instruction that is not the last");
	(void)vec_pop(&c->buf.insts);
}

/* At most two scalar sources, one of them at most a literal (RDNA ISA, "VALU: scalar operand limits"). */
void isel_legalize_valu(struct isel *c, struct amd_inst *i)
{
	uint32_t limit = 2, nscalar = 0, nliteral = 0;
	struct amd_operand seen[2];
	/* Masks come last but cannot move: they count first. */
	for (uint32_t k = i->nops; k-- > 0;) {
		struct amd_operand *o = &i->ops[k];
		bool literal = is_literal(o);
		if (!literal && !is_scalar(o))
			continue;
		bool again = false;
		for (uint32_t j = 0; j < nscalar && j < 2; j++)
			again |= same_scalar(&seen[j], o);
		if (again)
			continue;
		if (nscalar < limit && !(literal && nliteral)) {
			seen[nscalar++] = *o;
			nliteral += literal;
			continue;
		}
		struct amd_operand plain = *o;
		plain.neg = plain.abs = plain.sext = false;
		before(c, i);
		struct amd_operand v = isel_to_vgpr(c, plain);
		vec_push(c->arena, &c->buf.insts, i);
		v.neg = o->neg, v.abs = o->abs, v.sext = o->sext;
		*o = v;
	}
}

static void legalize_salu(struct isel *c, struct amd_inst *i)
{
	const struct amd_operand *literal = NULL;
	for (uint32_t k = 0; k < i->nops; k++) {
		struct amd_operand *o = &i->ops[k];
		if (!is_literal(o))
			continue;
		if (!literal || same_scalar(literal, o)) {
			literal = o;
			continue;
		}
		before(c, i);
		uint32_t d = isel_new_s(c, 1);
		isel_copy(c, d, *o);
		vec_push(c->arena, &c->buf.insts, i);
		*o = isel_t(c, d);
	}
}

static struct amd_inst *finish(struct isel *c, struct amd_inst *i)
{
	uint8_t cls = amd_op_info[i->op].cls;
	if (cls == AMD_CLS_VALU || cls == AMD_CLS_TRANS || cls == AMD_CLS_VALU64)
		isel_legalize_valu(c, i);
	else if (cls == AMD_CLS_SALU)
		legalize_salu(c, i);
	return i;
}

/* Definitions beside the destination that a scalar operation has: SCC, unread. */
static struct amd_inst *emit_op(struct isel *c, enum amd_op op, uint32_t d, uint32_t nops)
{
	bool scc = amd_op_info[op].flags & AMDF_SCC_DEF;
	struct amd_inst *i = isel_emit(c, op, 1 + scc, nops);
	i->defs[0] = amd_def_temp(c->f, d);
	if (scc)
		i->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
	return i;
}

struct amd_inst *isel_op1(struct isel *c, enum amd_op op, uint32_t d, struct amd_operand x)
{
	struct amd_inst *i = emit_op(c, op, d, 1);
	i->ops[0] = x;
	return finish(c, i);
}

struct amd_inst *isel_op2(struct isel *c, enum amd_op op, uint32_t d, struct amd_operand x, struct amd_operand y)
{
	struct amd_inst *i = emit_op(c, op, d, 2);
	i->ops[0] = x;
	i->ops[1] = y;
	return finish(c, i);
}

struct amd_inst *isel_op3(struct isel *c, enum amd_op op, uint32_t d, struct amd_operand x, struct amd_operand y, struct amd_operand z)
{
	struct amd_inst *i = emit_op(c, op, d, 3);
	i->ops[0] = x;
	i->ops[1] = y;
	i->ops[2] = z;
	return finish(c, i);
}

void isel_copy(struct isel *c, uint32_t d, struct amd_operand x)
{
	amd_rc rc = c->f->temp_rc.data[d];
	struct amd_inst *i;
	if (x.kind == AMD_OPND_CONST && amd_rc_size(rc) == 1)
		i = isel_emit(c, amd_rc_vector(rc) ? amd_v_mov_b32 : amd_s_mov_b32, 1, 1);
	else
		i = isel_emit(c, amd_p_parallelcopy, 1, 1);
	i->defs[0] = amd_def_temp(c->f, d);
	i->ops[0] = x;
}

void isel_create_vector(struct isel *c, uint32_t d, const struct amd_operand *x, uint32_t n)
{
	struct amd_inst *i = isel_emit(c, amd_p_create_vector, 1, n);
	i->defs[0] = amd_def_temp(c->f, d);
	memcpy(i->ops, x, n * sizeof *x);
}

struct amd_operand isel_to_vgpr(struct isel *c, struct amd_operand x)
{
	if ((x.kind == AMD_OPND_TEMP || x.kind == AMD_OPND_UNDEF) && amd_rc_vector(x.rc))
		return x;
	uint32_t d = isel_new_v(c, amd_rc_size(x.rc));
	if (x.kind == AMD_OPND_CONST && amd_rc_size(x.rc) == 2) {
		struct amd_operand half[2] = {isel_piece(c, x, 0), isel_piece(c, x, 1)};
		isel_create_vector(c, d, half, 2);
	} else if (amd_rc_size(x.rc) == 1) {
		isel_emit(c, amd_v_mov_b32, 1, 1)->ops[0] = x;
		vec_last(&c->buf.insts)->defs[0] = amd_def_temp(c->f, d);
	} else {
		isel_copy(c, d, x);
	}
	return isel_t(c, d);
}

struct amd_operand isel_to_sgpr(struct isel *c, struct amd_operand x)
{
	if (!amd_rc_vector(x.rc))
		return x;
	uint32_t n = amd_rc_size(x.rc);
	if (x.kind == AMD_OPND_UNDEF)
		return (struct amd_operand){.kind = AMD_OPND_UNDEF, .rc = AMD_S(n), .reg = AMD_NOREG};
	struct amd_operand part[16];
	for (uint32_t k = 0; k < n; k++) {
		uint32_t s = isel_new_s(c, 1);
		struct amd_operand piece = isel_piece(c, x, k);
		isel_op1(c, amd_v_readfirstlane_b32, s, piece);
		part[k] = isel_t(c, s);
	}
	if (n == 1)
		return part[0];
	uint32_t d = isel_new_s(c, n);
	isel_create_vector(c, d, part, n);
	return isel_t(c, d);
}

struct amd_operand isel_exec(struct isel *c)
{
	return amd_use_reg(AMD_EXEC, AMD_S(amd_mask_dwords(c->f)));
}

enum amd_op isel_mask_op(const struct isel *c, enum amd_op op32)
{
	static const struct {
		uint16_t w32, w64;
	} ops[] = {
		{amd_s_mov_b32, amd_s_mov_b64},
		{amd_s_not_b32, amd_s_not_b64},
		{amd_s_and_b32, amd_s_and_b64},
		{amd_s_or_b32, amd_s_or_b64},
		{amd_s_xor_b32, amd_s_xor_b64},
		{amd_s_andn2_b32, amd_s_andn2_b64},
		{amd_s_orn2_b32, amd_s_orn2_b64},
		{amd_s_cselect_b32, amd_s_cselect_b64},
		{amd_s_bcnt1_i32_b32, amd_s_bcnt1_i32_b64},
		{amd_s_ff1_i32_b32, amd_s_ff1_i32_b64},
		{amd_s_and_saveexec_b32, amd_s_and_saveexec_b64},
		{amd_s_andn1_saveexec_b32, amd_s_andn1_saveexec_b64},
	};
	if (!c->wave64)
		return op32;
	for (uint32_t k = 0; k < sizeof ops / sizeof *ops; k++)
		if (ops[k].w32 == op32)
			return ops[k].w64;
	ice(c->arena, "isel: no 64-bit form of %s", amd_op_info[op32].name);
}

uint32_t isel_mask2(struct isel *c, enum amd_op op32, struct amd_operand x, struct amd_operand y)
{
	uint32_t d = isel_new_mask(c);
	isel_op2(c, isel_mask_op(c, op32), d, x, y);
	return d;
}

/* p, of a test in its block whether any lane has p. */
static struct ir_inst *any_lane(const struct isel *c, const struct ir_inst *v)
{
	const struct ir_inst *b = v->op == IR_icmp && v->cond == IRC_NE && ir_is_const(v->args[1]) && !v->args[1]->imm ? v->args[0] : NULL;
	bool alone = b && b->op == IR_ballot && b->block == v->block && c->nuses[v->id] == 1 && c->nuses[b->id] == 1;
	const struct ir_inst *end = v->block ? ir_terminator(v->block) : NULL;
	return alone && end && end->op == IR_condbr && v == end->args[0] ? b->args[0] : NULL;
}

void isel_scc(struct isel *c, struct ir_inst *v)
{
	struct ir_inst *any = any_lane(c, v);
	if (any)
		v = any;
	else if (v->op == IR_icmp && c->nuses[v->id] == 1 && isel_scalar_compare(c, v, true))
		return;
	struct amd_operand m = isel_mask_use(c, v);
	struct amd_inst *i = isel_emit(c, isel_mask_op(c, amd_s_and_b32), 2, 2);
	i->defs[0] = amd_def_temp(c->f, isel_new_mask(c));
	i->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
	i->ops[0] = m;
	i->ops[1] = isel_exec(c);
}
