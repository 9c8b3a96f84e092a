/* Loads, stores and copies. A vector access is one access of the whole width, taken apart or put together in registers.
 */
#include "parser/build_internal.h"

/* --- attributes --- */

static uint32_t scope_of(uint32_t word)
{
	switch (word) {
	case PTX_W_cta:
	case PTX_W_cluster: /* one thread block */
		return IR_SCOPE_CTA;
	case PTX_W_gpu:
		return IR_SCOPE_GPU;
	default:
		return IR_SCOPE_SYS;
	}
}

static uint32_t cache_of(uint32_t word)
{
	switch (word) {
	case PTX_W_cs:
	case PTX_W_lu:
		return IR_CACHE_STREAM;
	case PTX_W_cg:
		return IR_CACHE_L2;
	case PTX_W_cv:
	case PTX_W_wt:
		return IR_CACHE_VOLATILE;
	default:
		return IR_CACHE_DEFAULT;
	}
}

static struct ir_mem mem_of(const struct ptx_stmt *s, uint32_t space, uint32_t bits)
{
	struct ir_mem m = {.space = (uint8_t)space,
			   .bits = (uint16_t)bits,
			   .cache = (uint8_t)cache_of(MOD(cop)),
			   .align_log2 = (uint8_t)__builtin_ctz(bits / 8)};
	switch (MOD(sem)) {
	case PTX_W_none:
	case PTX_W_weak:
		break;
	case PTX_W_volatile: /* as relaxed with system scope */
		m.is_volatile = true;
		m.order = IR_RELAXED;
		m.scope = IR_SCOPE_SYS;
		break;
	default:
		m.order = MOD(sem) == PTX_W_acquire ? IR_ACQUIRE : MOD(sem) == PTX_W_release ? IR_RELEASE : IR_RELAXED;
		m.scope = (uint8_t)scope_of(MOD(scope));
	}
	if (MOD(mmio) != PTX_W_none) {
		m.is_volatile = true;
		m.cache = IR_CACHE_VOLATILE;
	}
	m.whole = m.order != IR_WEAK && MOD(mmio) == PTX_W_none && type_bits(s->m->types[0]) == 128;
	return m;
}

static uint32_t value_width(uint32_t bits)
{
	return bits <= 32 ? 32 : bits <= 64 ? 64 : bits <= 128 ? 128 : 256;
}

/* --- ld --- */

static void load_scalar(struct build *B, const struct ptx_stmt *s, const struct addr *a, struct ir_mem m, uint32_t type)
{
	uint32_t bits = type_bits(type), dst = bits;
	bool sign = type_signed(type);
	const struct ptx_operand *d = &s->ops[0];
	if (d->kind == PTX_OPD_REG)
		dst = B->regs[opd_reg(B, d)].width;
	if (bits < 32)
		dst = dst <= 16 ? 16 : 32;
	else
		dst = bits;
	m.sext = sign && dst > bits;
	def(B, d, load_at(B, a, m, dst, 0), sign);
}

/* Element k of a loaded value, extended to at least 16 bits. */
static struct ir_inst *element(struct build *B, struct ir_inst *v, uint32_t bits, uint32_t k, bool sign)
{
	if (bits == 8) {
		if (v->width > 32) {
			v = ir_unpack(&B->c, 32, v, k / 4);
			k %= 4;
		}
		return sign ? OP3(sbfe, v, K(32, 8 * k), K(32, 8)) : OP3(ubfe, v, K(32, 8 * k), K(32, 8));
	}
	return v->width == bits ? v : ir_unpack(&B->c, bits, v, k);
}

static void load_vector(struct build *B, const struct ptx_stmt *s, const struct addr *a, struct ir_mem m, uint32_t type)
{
	struct ptx_operand to[8];
	uint32_t n = opd_elems(B, &s->ops[0], s->m->vec, to), bits = type_bits(type);
	struct ir_inst *v = load_at(B, a, m, value_width(m.bits), 0), *e[8];
	for (uint32_t k = 0; k < n; k++)
		e[k] = to[k].kind == PTX_OPD_SINK ? NULL : element(B, v, bits, k, type_signed(type));
	for (uint32_t k = 0; k < n; k++)
		if (e[k])
			def(B, &to[k], e[k], type_signed(type));
}

static bool too_wide(struct build *B, const struct ptx_stmt *s, uint32_t bits)
{
	if (bits > 256)
		diag_error(B->diags, s->line, "'%s' accesses more than 256 bits", s->m->text);
	return bits > 256;
}

void mem_ld(struct build *B, const struct ptx_stmt *s)
{
	uint32_t type = s->m->types[0], bits = type_bits(type) * s->m->vec;
	struct addr a;
	if (too_wide(B, s, bits) || !address(B, s, &s->ops[1], s->m->space, &a))
		return;
	struct ir_mem m = mem_of(s, a.space, bits);
	m.readonly = MOD(nc) || a.space == IR_CONST || a.space == IR_PARAM;
	if (s->m->vec > 1)
		load_vector(B, s, &a, m, type);
	else
		load_scalar(B, s, &a, m, type);
}

/* --- st --- */

static struct ir_inst *store_value(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *o,
				   uint32_t type)
{
	struct ptx_operand from[8];
	struct ir_inst *v[8];
	uint32_t n = opd_elems(B, o, s->m->vec, from), bits = type_bits(type);
	if (s->m->vec <= 1)
		return opd(B, &from[0], type);
	if (bits == 8) {
		for (uint32_t k = 0; k < n; k++)
			v[k] = OP2(and, opd_width(B, &from[k], 32), K(32, 255));
		struct ir_inst *word[2] = {K(32, 0), K(32, 0)};
		for (uint32_t k = 0; k < n; k++)
			word[k / 4] = OP2(or, word[k / 4], OP2(shl, v[k], K(32, 8 * (k % 4))));
		return n > 4 ? ir_pack(&B->c, 64, word, 2) : n < 4 ? resize(B, word[0], 16, false) : word[0];
	}
	for (uint32_t k = 0; k < n; k++)
		v[k] = opd(B, &from[k], type);
	return ir_pack(&B->c, bits * n, v, n);
}

void mem_st(struct build *B, const struct ptx_stmt *s)
{
	uint32_t type = s->m->types[0], bits = type_bits(type) * s->m->vec;
	struct addr a;
	if (too_wide(B, s, bits) || !address(B, s, &s->ops[0], s->m->space, &a))
		return;
	if (a.space == IR_PARAM || a.space == IR_CONST) {
		diag_error(B->diags, s->line, "'%s' to read-only memory", s->m->text);
		return;
	}
	struct ir_inst *v = store_value(B, s, &s->ops[1], type);
	store_at(B, &a, mem_of(s, a.space, bits), v, 0);
}
