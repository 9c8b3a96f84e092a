/* Memory: addresses, loads, stores, atomics. */
#include "isel/isel_internal.h"

#include "amd/amd_memmodel.h"
#include "ir/ir_legal.h"

/* Address operands of a memory instruction. */
struct address {
	struct amd_operand vaddr, saddr;
	int32_t offset;
};

static struct amd_operand absent(void)
{
	return (struct amd_operand){.kind = AMD_OPND_UNDEF, .rc = AMD_S(1), .reg = AMD_NOREG};
}

static bool offset_fits(const struct isel *c, uint32_t space, int64_t x)
{
	int64_t half = c->t->gen >= 11 ? 4096 : 2048;
	switch (space) {
	case IR_SHARED:
		return x >= 0 && x <= 0xffff;
	case IR_GENERIC:
		return x >= 0 && x < half;
	case IR_PARAM:
		return x >= -(1 << 20) && x < 1 << 20;
	default:
		return x >= -half && x < half;
	}
}

/* The variable part of an address that is a constant in its space, or NULL with its value in *k. */
static struct ir_inst *split_constant(struct ir_inst *a, int64_t *k)
{
	for (;;) {
		int64_t x;
		if (isel_const_i32(a, &x)) {
			*k += x;
			return NULL;
		}
		if (a->op == IR_symaddr && a->width == 32) {
			*k += (int64_t)(((struct ir_var *)a->sym)->offset + a->imm);
			return NULL;
		}
		if (a->op == IR_add && isel_const_i32(a->args[1], &x)) {
			*k += x;
			a = a->args[0];
			continue;
		}
		return a;
	}
}

/* 64-bit x + k in VGPRs. */
static struct amd_operand add_constant64(struct isel *c, struct amd_operand x, int64_t k)
{
	uint32_t lo = isel_new_v(c, 1), hi = isel_new_v(c, 1), carry = isel_new_mask(c), d = isel_new_v(c, 2);
	struct amd_operand part[2] = {isel_piece(c, x, 0), isel_piece(c, x, 1)};
	struct amd_inst *l = isel_emit(c, amd_v_add_co_u32, 2, 2);
	l->defs[0] = amd_def_temp(c->f, lo);
	l->defs[1] = amd_def_temp(c->f, carry);
	l->ops[0] = amd_use_const((uint32_t)k);
	l->ops[1] = part[0];
	isel_legalize_valu(c, l);
	struct amd_inst *h = isel_emit(c, amd_v_add_co_ci_u32, 2, 3);
	h->defs[0] = amd_def_temp(c->f, hi);
	h->defs[1] = amd_def_temp(c->f, isel_new_mask(c));
	h->ops[0] = amd_use_const((uint32_t)(k >> 32));
	h->ops[1] = part[1];
	h->ops[2] = isel_t(c, carry);
	isel_legalize_valu(c, h);
	part[0] = isel_t(c, lo);
	part[1] = isel_t(c, hi);
	isel_create_vector(c, d, part, 2);
	return isel_t(c, d);
}

/* a = uniform base + zero-extended 32-bit offset? */
static bool base_plus_offset(struct isel *c, struct ir_inst *a, struct ir_inst **base, struct ir_inst **index)
{
	if (a->op != IR_add)
		return false;
	for (uint32_t k = 0; k < 2; k++) {
		struct ir_inst *b = a->args[k], *x = a->args[1 - k];
		if (c->loc[b->id] == ISEL_LOC_SGPR && !ir_is_const(b) && x->op == IR_zext && x->args[0]->width == 32) {
			*base = b;
			*index = x->args[0];
			return true;
		}
	}
	return false;
}

static struct address global_address(struct isel *c, struct ir_inst *a, int64_t k, bool generic)
{
	struct address r = {.vaddr = absent(), .saddr = absent()};
	struct ir_inst *base, *index, *rest = a;
	int64_t x;
	if (generic) { /* a FLAT access goes where the VGPRs alone point: whether to LDS, scratch or global memory does not depend on its offset */
		r.vaddr = isel_vector(c, a);
		if (k)
			r.vaddr = add_constant64(c, r.vaddr, k);
		return r;
	}
	while (rest->op == IR_add && isel_const_i32(rest->args[1], &x)) {
		k += x;
		rest = rest->args[0];
	}
	if (offset_fits(c, IR_GLOBAL, k)) {
		if (c->loc[rest->id] == ISEL_LOC_SGPR) {
			uint32_t zero = isel_new_v(c, 1);
			r.saddr = isel_sgpr(c, rest);
			isel_copy(c, zero, amd_use_const(0));
			r.vaddr = isel_t(c, zero);
			r.offset = (int32_t)k;
			return r;
		}
		if (base_plus_offset(c, rest, &base, &index)) {
			r.saddr = isel_sgpr(c, base);
			r.vaddr = isel_vector(c, index);
			r.offset = (int32_t)k;
			return r;
		}
	}
	r.vaddr = isel_vector(c, rest);
	if (offset_fits(c, IR_GLOBAL, k))
		r.offset = (int32_t)k;
	else
		r.vaddr = add_constant64(c, r.vaddr, k);
	return r;
}

static struct amd_operand add_constant32(struct isel *c, struct amd_operand x, int64_t k)
{
	uint32_t t = isel_new_v(c, 1);
	isel_op2(c, amd_v_add_nc_u32, t, amd_use_const((uint32_t)k), x);
	return isel_t(c, t);
}

/* Scratch, and global memory beside an SGPR, takes the VGPR as unsigned: with the offset it does not wrap around at 32 bits. */
static bool is_unsigned(const struct ir_inst *base)
{
	return !(ir_possible_bits(base) >> 31);
}

static struct address shared_address(struct isel *c, struct ir_inst *a, int64_t k)
{
	struct address r = {.saddr = absent()};
	struct ir_inst *rest = split_constant(a, &k);
	if (!rest) {
		uint32_t zero = isel_new_v(c, 1);
		bool fits = offset_fits(c, IR_SHARED, k);
		isel_copy(c, zero, amd_use_const(fits ? 0 : (uint32_t)k));
		r.vaddr = isel_t(c, zero);
		r.offset = fits ? (int32_t)k : 0;
		return r;
	}
	if (offset_fits(c, IR_SHARED, k)) {
		r.vaddr = isel_vector(c, rest);
		r.offset = (int32_t)k;
	} else {
		r.vaddr = add_constant32(c, isel_vector(c, rest), k);
	}
	return r;
}

static struct address local_address(struct isel *c, struct ir_inst *a, int64_t k)
{
	struct address r = {.vaddr = absent(), .saddr = absent()};
	struct ir_inst *rest = split_constant(a, &k);
	if (!rest) {
		bool fits = offset_fits(c, IR_LOCAL, k) && k >= 0;
		r.offset = fits ? (int32_t)k : 0;
		if (!fits || !c->t->has_scratch_st) {
			uint32_t s = isel_new_s(c, 1);
			isel_copy(c, s, amd_use_const(fits ? 0 : (uint32_t)k));
			r.saddr = isel_t(c, s);
		}
		return r;
	}
	r.vaddr = isel_vector(c, rest);
	if (k >= 0 && offset_fits(c, IR_LOCAL, k) && is_unsigned(rest))
		r.offset = (int32_t)k;
	else if (k)
		r.vaddr = add_constant32(c, r.vaddr, k);
	return r;
}

static struct address param_address(struct isel *c, struct ir_inst *a, int64_t k)
{
	struct address r;
	r.saddr = isel_t(c, isel_env(c, ISEL_ENV_KERNARG));
	r.vaddr = isel_vector(c, a);
	r.offset = 0;
	if (k >= 0 && offset_fits(c, IR_GLOBAL, k) && is_unsigned(a))
		r.offset = (int32_t)k;
	else if (k)
		r.vaddr = add_constant32(c, r.vaddr, k);
	return r;
}

static struct address address_of(struct isel *c, struct ir_inst *i)
{
	int64_t k = (int64_t)i->imm;
	switch (i->mem.space) {
	case IR_SHARED:
		return shared_address(c, i->args[0], (int32_t)k);
	case IR_LOCAL:
		return local_address(c, i->args[0], (int32_t)k);
	case IR_PARAM:
		return param_address(c, i->args[0], k);
	default:
		return global_address(c, i->args[0], k, i->mem.space == IR_GENERIC);
	}
}

static void describe(struct amd_inst *m, const struct ir_inst *i, bool load, bool store)
{
	m->mem.space = i->mem.space == IR_PARAM ? IR_CONST : i->mem.space;
	m->mem.order = i->mem.order;
	m->mem.scope = i->mem.scope;
	m->mem.is_load = load;
	m->mem.is_store = store;
	m->mem.is_atomic = i->op == IR_atom;
	m->mem.is_volatile = i->mem.is_volatile;
	m->mem.readonly = i->mem.readonly || i->mem.space == IR_PARAM;
}

enum { GLOBAL, FLAT, SCRATCH, LDS };

static uint32_t family(uint32_t space)
{
	return space == IR_SHARED ? LDS : space == IR_LOCAL ? SCRATCH : space == IR_GENERIC ? FLAT : GLOBAL;
}

/* By width (8, 16, 32, 64, 128) and family. */
static const uint16_t load_ops[5][4] = {
	{amd_global_load_ubyte, amd_flat_load_ubyte, amd_scratch_load_ubyte, amd_ds_read_u8},
	{amd_global_load_ushort, amd_flat_load_ushort, amd_scratch_load_ushort, amd_ds_read_u16},
	{amd_global_load_dword, amd_flat_load_dword, amd_scratch_load_dword, amd_ds_read_b32},
	{amd_global_load_dwordx2, amd_flat_load_dwordx2, amd_scratch_load_dwordx2, amd_ds_read_b64},
	{amd_global_load_dwordx4, amd_flat_load_dwordx4, amd_scratch_load_dwordx4, amd_ds_read_b128},
};
static const uint16_t signed_load_ops[2][4] = {
	{amd_global_load_sbyte, amd_flat_load_sbyte, amd_scratch_load_sbyte, amd_ds_read_i8},
	{amd_global_load_sshort, amd_flat_load_sshort, amd_scratch_load_sshort, amd_ds_read_i16},
};
static const uint16_t store_ops[6][4] = {
	{amd_global_store_byte, amd_flat_store_byte, amd_scratch_store_byte, amd_ds_write_b8},
	{amd_global_store_short, amd_flat_store_short, amd_scratch_store_short, amd_ds_write_b16},
	{amd_global_store_dword, amd_flat_store_dword, amd_scratch_store_dword, amd_ds_write_b32},
	{amd_global_store_dwordx2, amd_flat_store_dwordx2, amd_scratch_store_dwordx2, amd_ds_write_b64},
	{amd_global_store_dwordx4, amd_flat_store_dwordx4, amd_scratch_store_dwordx4, amd_ds_write_b128},
	{amd_global_store_short_d16_hi, amd_flat_store_short_d16_hi, amd_scratch_store_short_d16_hi, amd_ds_write_b16_d16_hi},
};
enum { UPPER_HALF = 5 };

static uint32_t width_index(struct isel *c, const struct ir_inst *i, uint32_t bits)
{
	switch (bits) {
	case 8:
		return 0;
	case 16:
		return 1;
	case 32:
		return 2;
	case 64:
		return 3;
	case 128:
		return 4;
	}
	isel_ice(c, i, "access width");
}

static void put_address(struct amd_inst *m, const struct address *a, uint32_t fam, uint32_t first)
{
	m->ops[0] = a->vaddr;
	if (fam == GLOBAL || fam == SCRATCH)
		m->ops[first] = a->saddr;
	m->imm = a->offset;
}

static void one_load(struct isel *c, struct ir_inst *i, const struct address *a, uint32_t bits, uint32_t d)
{
	uint32_t fam = family(i->mem.space), w = width_index(c, i, bits);
	enum amd_op op = bits < 32 && i->mem.sext ? signed_load_ops[w][fam] : load_ops[w][fam];
	struct amd_inst *m = isel_emit(c, op, 1, fam == GLOBAL || fam == SCRATCH ? 2 : 1);
	m->defs[0] = amd_def_temp(c->f, d);
	put_address(m, a, fam, 1);
	m->cache = amd_mem_cache(c->t, &i->mem, true, false);
	describe(m, i, true, false);
}

static struct address advance(struct isel *c, const struct ir_inst *i, struct address a, uint32_t bytes)
{
	if (offset_fits(c, i->mem.space, (int64_t)a.offset + bytes)) {
		a.offset += (int32_t)bytes;
		return a;
	}
	uint32_t fam = family(i->mem.space);
	if (fam == LDS || (fam == SCRATCH && a.vaddr.kind == AMD_OPND_TEMP))
		a.vaddr = add_constant32(c, a.vaddr, bytes);
	else if (a.saddr.kind == AMD_OPND_UNDEF && a.vaddr.kind == AMD_OPND_TEMP)
		a.vaddr = add_constant64(c, a.vaddr, bytes);
	else if (a.vaddr.kind == AMD_OPND_TEMP)
		a.vaddr = add_constant32(c, a.vaddr, bytes);
	else
		isel_ice(c, i, "offset of a wide access");
	return a;
}

/* Sign or zero extension of a loaded dword to the result's width. */
static void widen(struct isel *c, const struct ir_inst *i, uint32_t low, uint32_t d)
{
	struct amd_operand part[8];
	uint32_t n = isel_dwords(c, i);
	bool vector = c->loc[i->id] == ISEL_LOC_VGPR;
	part[0] = isel_t(c, low);
	for (uint32_t k = 1; k < n; k++) {
		part[k] = amd_use_const(0);
		if (!i->mem.sext)
			continue;
		if (k == 1) {
			uint32_t t = vector ? isel_new_v(c, 1) : isel_new_s(c, 1);
			if (vector)
				isel_op2(c, amd_v_ashrrev_i32, t, amd_use_const(31), part[0]);
			else
				isel_op2(c, amd_s_ashr_i32, t, part[0], amd_use_const(31));
			part[1] = isel_t(c, t);
		} else {
			part[k] = part[1];
		}
	}
	isel_create_vector(c, d, part, n);
}

static void vector_load(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct address a = address_of(c, i);
	uint32_t bits = i->mem.bits;
	if (bits == 256) {
		struct amd_operand part[8];
		for (uint32_t h = 0; h < 2; h++) {
			uint32_t t = isel_new_v(c, 4);
			struct address at = h ? advance(c, i, a, 16) : a;
			one_load(c, i, &at, 128, t);
			for (uint32_t k = 0; k < 4; k++)
				part[4 * h + k] = isel_piece(c, isel_t(c, t), k);
		}
		isel_create_vector(c, d, part, 8);
		return;
	}
	if ((bits + 31) / 32 == isel_dwords(c, i)) {
		one_load(c, i, &a, bits, d);
		return;
	}
	uint32_t low = isel_new_v(c, 1);
	one_load(c, i, &a, bits, low);
	widen(c, i, low, d);
}

static enum amd_op smem_op(struct isel *c, const struct ir_inst *i, uint32_t dwords)
{
	switch (dwords) {
	case 1:
		return amd_s_load_dword;
	case 2:
		return amd_s_load_dwordx2;
	case 4:
		return amd_s_load_dwordx4;
	case 8:
		return amd_s_load_dwordx8;
	}
	isel_ice(c, i, "scalar load width");
}

static void emit_smem(struct isel *c, const struct ir_inst *i, uint32_t dwords, uint32_t d, struct amd_operand base, int64_t offset)
{
	struct amd_operand index = absent();
	if (!offset_fits(c, IR_PARAM, offset)) {
		uint32_t s = isel_new_s(c, 1);
		isel_copy(c, s, amd_use_const((uint32_t)offset));
		index = isel_t(c, s);
		offset = 0;
	}
	struct amd_inst *m = isel_emit(c, smem_op(c, i, dwords), 1, 2);
	m->defs[0] = amd_def_temp(c->f, d);
	m->ops[0] = base;
	m->ops[1] = index;
	m->imm = (int32_t)offset;
	m->mem = (struct amd_mem){.space = IR_CONST, .is_load = true, .readonly = true};
	if (i->mem.space != IR_PARAM && !i->mem.readonly) { /* a later store may write it */
		m->mem.space = i->mem.space;
		m->mem.readonly = false;
	}
}

/* 64-bit uniform base + (high << 32 | index), which does not fit the instruction. */
static struct amd_operand scalar_base(struct isel *c, struct amd_operand base, struct amd_operand index, uint32_t high)
{
	struct amd_operand part[2] = {isel_piece(c, base, 0), isel_piece(c, base, 1)};
	uint32_t lo = isel_new_s(c, 1), hi = isel_new_s(c, 1), d = isel_new_s(c, 2);
	isel_op2(c, amd_s_add_u32, lo, part[0], index);
	struct amd_inst *h = isel_emit(c, amd_s_addc_u32, 2, 3);
	h->defs[0] = amd_def_temp(c->f, hi);
	h->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
	h->ops[0] = part[1];
	h->ops[1] = amd_use_const(high);
	h->ops[2] = amd_use_reg(AMD_SCC, AMD_S(1));
	part[0] = isel_t(c, lo);
	part[1] = isel_t(c, hi);
	isel_create_vector(c, d, part, 2);
	return isel_t(c, d);
}

/* Uniform, never written while the kernel runs: through the scalar cache. Parts of a dword are taken from the dword around. */
static void scalar_load(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand base;
	int64_t offset = (int64_t)i->imm, x;
	struct ir_inst *a = i->args[0];
	if (i->mem.space == IR_PARAM) {
		base = isel_t(c, isel_env(c, ISEL_ENV_KERNARG));
		while (a && a->op == IR_add && isel_const_i32(a->args[1], &x)) {
			offset += x;
			a = a->args[0];
		}
		if (isel_const_i32(a, &x))
			offset += x;
		else {
			struct amd_operand index = isel_scalar(c, a);
			if (offset && !is_unsigned(a)) {
				uint32_t sum = isel_new_s(c, 1);
				isel_op2(c, amd_s_add_u32, sum, index, amd_use_const((uint32_t)offset));
				index = isel_t(c, sum);
				offset = 0;
			}
			base = scalar_base(c, base, index, 0);
		}
	} else {
		while (a->op == IR_add && isel_const_i32(a->args[1], &x) && offset_fits(c, IR_PARAM, offset + x)) {
			offset += x;
			a = a->args[0];
		}
		base = isel_sgpr(c, a);
		if (!offset_fits(c, IR_PARAM, offset))
			base = scalar_base(c, base, amd_use_const((uint32_t)offset), (uint32_t)((uint64_t)offset >> 32)), offset = 0;
	}
	uint32_t bits = i->mem.bits, dwords = (bits + 31) / 32;
	if (bits >= 32) {
		if (dwords == isel_dwords(c, i)) {
			emit_smem(c, i, dwords, d, base, offset);
			return;
		}
		uint32_t low = isel_new_s(c, 1);
		emit_smem(c, i, 1, low, base, offset);
		widen(c, i, low, d);
		return;
	}
	uint32_t word = isel_new_s(c, 1), low = isel_dwords(c, i) == 1 ? d : isel_new_s(c, 1);
	bool exact = i->mem.space == IR_PARAM && (isel_const_i32(i->args[0], &x) || i->mem.align_log2 >= 2);
	if (!exact)
		isel_ice(c, i, "scalar load of part of a dword at an unknown place");
	emit_smem(c, i, 1, word, base, offset & ~(int64_t)3);
	isel_op2(c, i->mem.sext ? amd_s_bfe_i32 : amd_s_bfe_u32, low, isel_t(c, word),
	         amd_use_const((uint32_t)(offset & 3) * 8 | bits << 16));
	if (low != d)
		widen(c, i, low, d);
}

static void store(struct isel *c, struct ir_inst *i)
{
	struct address a = address_of(c, i);
	struct ir_inst *x = i->args[1];
	uint32_t fam = family(i->mem.space), bits = i->mem.bits, pieces = bits == 256 ? 2 : 1;
	bool upper = bits == 16 && x->op == IR_unpack && x->width == 16 && x->imm == 1 && x->args[0]->width == 32;
	struct amd_operand v = isel_vector(c, upper ? x->args[0] : x);
	bool has_saddr = fam == GLOBAL || fam == SCRATCH;
	if (bits <= 32 && amd_rc_size(v.rc) > 1)
		v = isel_piece(c, v, 0);
	for (uint32_t h = 0; h < pieces; h++) {
		struct amd_operand data = v;
		struct address at = h ? advance(c, i, a, 16) : a;
		if (pieces == 2) {
			struct amd_operand part[4];
			uint32_t t = isel_new_v(c, 4);
			for (uint32_t k = 0; k < 4; k++)
				part[k] = isel_piece(c, v, 4 * h + k);
			isel_create_vector(c, t, part, 4);
			data = isel_t(c, t);
		}
		struct amd_inst *m = isel_emit(c, store_ops[upper ? UPPER_HALF : width_index(c, i, bits / pieces)][fam], 0, has_saddr ? 3 : 2);
		put_address(m, &at, fam, 2);
		m->ops[1] = data;
		m->cache = amd_mem_cache(c->t, &i->mem, false, false);
		describe(m, i, false, true);
	}
}

void isel_memory(struct isel *c, struct ir_inst *i)
{
	uint32_t d = c->temp[i->id];
	if (i->op == IR_load && c->loc[i->id] != ISEL_LOC_VGPR) {
		scalar_load(c, i, d);
		return;
	}
	amd_fence_before(c->f, &c->buf, &i->mem);
	if (i->op == IR_store)
		store(c, i);
	else
		vector_load(c, i, d ? d : amd_temp_new(c->f, isel_class(c, i)));
	amd_fence_after(c->f, &c->buf, &i->mem, i->op == IR_load);
}

/* --- atomics --- */

/* By operation: global and flat 32, 64 bits, LDS without and with result. 0: none. */
static const struct atomic_row {
	uint8_t atom;
	uint16_t global32, global64, flat32, flat64, lds32, lds64, lds32_rtn, lds64_rtn;
} atomic_rows[] = {
#define ROW(atom, g, d, s) {IR_ATOM_##atom, amd_global_atomic_##g, amd_global_atomic_##g##_x2, amd_flat_atomic_##g, \
	amd_flat_atomic_##g##_x2, amd_ds_##d##_##s##32, amd_ds_##d##_##s##64, amd_ds_##d##_rtn_##s##32, amd_ds_##d##_rtn_##s##64}
	ROW(ADD, add, add, u), ROW(INC, inc, inc, u), ROW(DEC, dec, dec, u), ROW(SMIN, smin, min, i), ROW(SMAX, smax, max, i),
	ROW(UMIN, umin, min, u), ROW(UMAX, umax, max, u), ROW(AND, and, and, b), ROW(OR, or, or, b), ROW(XOR, xor, xor, b),
	ROW(CAS, cmpswap, cmpst, b),
#undef ROW
	{IR_ATOM_EXCH, amd_global_atomic_swap, amd_global_atomic_swap_x2, amd_flat_atomic_swap, amd_flat_atomic_swap_x2,
	 amd_ds_wrxchg_rtn_b32, amd_ds_wrxchg_rtn_b64, amd_ds_wrxchg_rtn_b32, amd_ds_wrxchg_rtn_b64},
	{IR_ATOM_FADD, amd_global_atomic_add_f32, 0, amd_flat_atomic_add_f32, 0, amd_ds_add_f32, 0, amd_ds_add_rtn_f32, 0},
};

static enum amd_op atomic_op(struct isel *c, const struct ir_inst *i, uint32_t fam, bool returns)
{
	bool wide = i->mem.bits == 64;
	for (uint32_t k = 0; k < sizeof atomic_rows / sizeof *atomic_rows; k++) {
		const struct atomic_row *r = &atomic_rows[k];
		if (r->atom != i->mem.atom)
			continue;
		enum amd_op op = fam == GLOBAL ? (wide ? r->global64 : r->global32) : fam == FLAT ? (wide ? r->flat64 : r->flat32) :
			returns ? (wide ? r->lds64_rtn : r->lds32_rtn) : (wide ? r->lds64 : r->lds32);
		if (op && amd_op_info[op].gens & (c->t->gen >= 11 ? 2 : 1))
			return op;
	}
	isel_ice(c, i, "atomic left to selection");
}

void isel_atomic(struct isel *c, struct ir_inst *i)
{
	uint32_t fam = family(i->mem.space);
	if (fam == SCRATCH || (i->mem.bits != 32 && i->mem.bits != 64))
		isel_ice(c, i, "atomic left to selection");
	uint32_t n = i->mem.bits / 32;
	bool cas = i->mem.atom == IR_ATOM_CAS;
	bool returns = c->temp[i->id] != 0, must_return = fam == LDS && i->mem.atom == IR_ATOM_EXCH;
	uint32_t d = returns ? c->temp[i->id] : must_return ? isel_new_v(c, n) : 0;
	amd_fence_before(c->f, &c->buf, &i->mem);
	struct address a = address_of(c, i);
	struct amd_operand v = isel_vector(c, i->args[1]), cmp = cas ? isel_vector(c, i->args[2]) : v;
	if (cas && fam != LDS) {
		struct amd_operand part[4];
		uint32_t both = isel_new_v(c, 2 * n);
		for (uint32_t k = 0; k < n; k++) {
			part[k] = isel_piece(c, v, k);
			part[n + k] = isel_piece(c, cmp, k);
		}
		isel_create_vector(c, both, part, 2 * n);
		v = isel_t(c, both);
	}
	uint32_t nops = fam == LDS && cas ? 3 : fam == GLOBAL ? 3 : 2;
	struct amd_inst *m = isel_emit(c, atomic_op(c, i, fam, d != 0), d != 0, nops);
	if (d)
		m->defs[0] = amd_def_temp(c->f, d);
	put_address(m, &a, fam, 2);
	m->ops[1] = v;
	if (fam == LDS && cas) {
		m->ops[1] = c->t->gen >= 11 ? v : cmp;
		m->ops[2] = c->t->gen >= 11 ? cmp : v;
	}
	m->fp_f32 = fam == LDS && i->mem.atom == IR_ATOM_FADD; /* by MODE; global memory rounds to nearest and flushes always */
	m->cache = amd_mem_cache(c->t, &i->mem, false, true);
	if (d && fam != LDS)
		m->cache |= AMD_GLC;
	describe(m, i, true, true);
	amd_fence_after(c->f, &c->buf, &i->mem, d != 0);
}
