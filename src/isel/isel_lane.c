/* Addresses of symbols and spaces, special registers, barriers, operations across lanes. */
#include "isel/isel_internal.h"

#include "amd/amd_memmodel.h"

/* --- addresses --- */

static void symbol_address(struct isel *c, struct ir_inst *i, uint32_t d)
{
	const struct ir_var *v = i->sym;
	if (v->space == IR_SHARED || v->space == IR_LOCAL) {
		isel_copy(c, d, amd_use_const((uint32_t)(v->offset + i->imm)));
		return;
	}
	struct amd_reloc_sym *s = NEW(c->arena, struct amd_reloc_sym);
	s->name = v->name;
	s->addend = (int64_t)i->imm;
	struct amd_inst *m = isel_emit(c, amd_p_symaddr, 2, 1);
	m->defs[0] = amd_def_temp(c->f, d);
	m->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
	m->ops[0] = (struct amd_operand){.kind = AMD_OPND_RELOC, .rc = AMD_S(1), .reg = AMD_NOREG, .reloc = {s}};
}

/* High dword of the generic addresses of a space. */
static struct amd_operand aperture(struct isel *c, uint32_t space)
{
	uint32_t base = isel_new_s(c, 2);
	struct amd_inst *m = isel_emit(c, amd_s_mov_b64, 1, 1);
	m->defs[0] = amd_def_temp(c->f, base);
	m->ops[0] = amd_use_reg(space == IR_SHARED ? AMD_SHARED_BASE : AMD_PRIVATE_BASE, AMD_S(2));
	return isel_piece(c, isel_t(c, base), 1);
}

static void to_generic(struct isel *c, struct ir_inst *i, uint32_t d)
{
	if (i->imm != IR_SHARED && i->imm != IR_LOCAL) {
		isel_copy(c, d, c->loc[i->id] == ISEL_LOC_VGPR ? isel_vector(c, i->args[0]) : isel_sgpr(c, i->args[0]));
		return;
	}
	struct amd_operand low = isel_dword(c, i->args[0], 0);
	if (c->loc[i->id] == ISEL_LOC_SGPR)
		low = isel_to_sgpr(c, low);
	struct amd_operand part[2] = {low, aperture(c, (uint32_t)i->imm)};
	isel_create_vector(c, d, part, 2);
}

static void to_space(struct isel *c, struct ir_inst *i, uint32_t d)
{
	bool scalar = c->loc[i->id] == ISEL_LOC_SGPR;
	if (i->width == 64) {
		isel_copy(c, d, scalar ? isel_sgpr(c, i->args[0]) : isel_vector(c, i->args[0]));
		return;
	}
	struct amd_operand low = isel_dword(c, i->args[0], 0);
	isel_copy(c, d, scalar ? isel_to_sgpr(c, low) : low);
}

static uint32_t compare_high(struct isel *c, struct amd_operand high, uint32_t space)
{
	uint32_t m = isel_new_mask(c);
	struct amd_operand ap = aperture(c, space);
	struct amd_inst *e = isel_emit(c, amd_v_cmp_eq_u32, 1, 2);
	e->defs[0] = amd_def_temp(c->f, m);
	e->ops[0] = ap;
	e->ops[1] = high;
	isel_legalize_valu(c, e);
	return m;
}

static void is_space(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand high = isel_to_vgpr(c, isel_dword(c, i->args[0], 1));
	if (i->imm == IR_SHARED || i->imm == IR_LOCAL) {
		isel_copy(c, d, isel_t(c, compare_high(c, high, (uint32_t)i->imm)));
		return;
	}
	if (i->imm != IR_GLOBAL) {
		isel_refuse(c, i->line, "isspacep of this space has no meaning on AMD GPUs, where it lies in global memory");
		return;
	}
	uint32_t s = compare_high(c, high, IR_SHARED), l = compare_high(c, high, IR_LOCAL);
	uint32_t either = isel_mask2(c, amd_s_or_b32, isel_t(c, s), isel_t(c, l));
	isel_op1(c, isel_mask_op(c, amd_s_not_b32), d, isel_t(c, either));
}

void isel_address(struct isel *c, struct ir_inst *i)
{
	uint32_t d = c->temp[i->id];
	switch (i->op) {
	case IR_symaddr:
		symbol_address(c, i, d);
		break;
	case IR_dynshared:
		isel_copy(c, d, amd_use_const(c->dynamic_shared));
		break;
	case IR_togeneric:
		to_generic(c, i, d);
		break;
	case IR_tospace:
		to_space(c, i, d);
		break;
	case IR_isspace:
		is_space(c, i, d);
		break;
	case IR_paramaddr: {
		struct amd_operand base = isel_t(c, isel_env(c, ISEL_ENV_KERNARG)), part[2] = {isel_piece(c, base, 0), isel_piece(c, base, 1)};
		uint32_t lo = isel_new_s(c, 1), hi = isel_new_s(c, 1);
		isel_op2(c, amd_s_add_u32, lo, part[0], amd_use_const((uint32_t)i->imm));
		struct amd_inst *h = isel_emit(c, amd_s_addc_u32, 2, 3);
		h->defs[0] = amd_def_temp(c->f, hi);
		h->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
		h->ops[0] = part[1];
		h->ops[1] = amd_use_const(0);
		h->ops[2] = amd_use_reg(AMD_SCC, AMD_S(1));
		part[0] = isel_t(c, lo), part[1] = isel_t(c, hi);
		isel_create_vector(c, d, part, 2);
		break;
	}
	}
}

/* --- special registers --- */

static struct amd_operand hidden_dword(struct isel *c, uint32_t d, enum amd_hidden h, uint32_t bytes)
{
	uint32_t offset = amd_hidden_offset(h, c->ir->param_bytes);
	struct amd_inst *m = isel_emit(c, bytes == 8 ? amd_s_load_dwordx2 : amd_s_load_dword, 1, 2);
	m->defs[0] = amd_def_temp(c->f, d);
	m->ops[0] = isel_t(c, isel_env(c, ISEL_ENV_KERNARG));
	m->ops[1] = (struct amd_operand){.kind = AMD_OPND_UNDEF, .rc = AMD_S(1), .reg = AMD_NOREG};
	m->imm = (int32_t)(offset & ~3u);
	m->mem = (struct amd_mem){.space = IR_CONST, .is_load = true, .readonly = true};
	c->f->abi.hidden_mask |= 1u << h;
	return isel_t(c, d);
}

static struct amd_operand workitem_id(struct isel *c, uint32_t k)
{
	c->f->abi.workitem_id[k] = true;
	if (c->t->gen < 11)
		return isel_t(c, isel_env(c, ISEL_ENV_TID_X + k));
	if (c->only_tid_x) /* and then no other is packed with it: the descriptor asks for x alone */
		return isel_t(c, isel_env(c, ISEL_ENV_TID_X));
	uint32_t d = isel_new_v(c, 1);
	isel_op3(c, amd_v_bfe_u32, d, isel_t(c, isel_env(c, ISEL_ENV_TID_PACKED)), amd_use_const(10 * k), amd_use_const(10));
	return isel_t(c, d);
}

/* Threads of a block along x, y, z: known, or a 16-bit hidden argument. */
static struct amd_operand group_size(struct isel *c, uint32_t k)
{
	if (c->ir->reqntid[k])
		return amd_use_const(c->ir->reqntid[k]);
	uint32_t word = isel_new_s(c, 1), d = isel_new_s(c, 1);
	enum amd_hidden h = AMD_HIDDEN_group_size_x + k;
	hidden_dword(c, word, h, 4);
	uint32_t shift = amd_hidden_offset(h, c->ir->param_bytes) % 4 * 8;
	if (shift)
		isel_op2(c, amd_s_lshr_b32, d, isel_t(c, word), amd_use_const(16));
	else
		isel_op2(c, amd_s_and_b32, d, isel_t(c, word), amd_use_const(0xffff));
	return isel_t(c, d);
}

static struct amd_operand scalar2(struct isel *c, enum amd_op op, struct amd_operand x, struct amd_operand y)
{
	uint32_t d = isel_new_s(c, 1);
	if (x.kind == AMD_OPND_CONST && y.kind == AMD_OPND_CONST) {
		uint32_t t = isel_new_s(c, 1);
		isel_copy(c, t, x);
		x = isel_t(c, t);
	}
	isel_op2(c, op, d, x, y);
	return isel_t(c, d);
}

/* (threads of the block + 31) / 32 */
static void warp_count(struct isel *c, uint32_t d)
{
	struct amd_operand n = scalar2(c, amd_s_mul_i32, scalar2(c, amd_s_mul_i32, group_size(c, 0), group_size(c, 1)), group_size(c, 2));
	isel_op2(c, amd_s_lshr_b32, d, scalar2(c, amd_s_add_u32, n, amd_use_const(31)), amd_use_const(5));
}

/* Linear thread index / 32; all lanes of a PTX warp agree, so in wave32 the first lane speaks for all. */
static void warp_id(struct isel *c, uint32_t d)
{
	struct amd_operand nx = group_size(c, 0), nxy = scalar2(c, amd_s_mul_i32, nx, group_size(c, 1));
	uint32_t row = isel_new_v(c, 1), plane = isel_new_v(c, 1), a = isel_new_v(c, 1), b = isel_new_v(c, 1), w = isel_new_v(c, 1);
	struct amd_operand x = workitem_id(c, 0), y = workitem_id(c, 1), z = workitem_id(c, 2);
	isel_op2(c, amd_v_mul_lo_u32, row, nx, y);
	isel_op2(c, amd_v_mul_lo_u32, plane, nxy, z);
	isel_op2(c, amd_v_add_nc_u32, a, isel_t(c, row), x);
	isel_op2(c, amd_v_add_nc_u32, b, isel_t(c, a), isel_t(c, plane));
	isel_op2(c, amd_v_lshrrev_b32, w, amd_use_const(5), isel_t(c, b));
	isel_copy(c, d, isel_to_sgpr(c, isel_t(c, w)));
}

static void lane_id(struct isel *c, uint32_t d)
{
	if (!c->wave64) {
		isel_op2(c, amd_v_mbcnt_lo_u32_b32, d, amd_use_const(~0u), amd_use_const(0));
		return;
	}
	uint32_t lo = isel_new_v(c, 1), hi = isel_new_v(c, 1);
	isel_op2(c, amd_v_mbcnt_lo_u32_b32, lo, amd_use_const(~0u), amd_use_const(0));
	isel_op2(c, amd_v_mbcnt_hi_u32_b32, hi, amd_use_const(~0u), isel_t(c, lo));
	isel_op2(c, amd_v_and_b32, d, amd_use_const(31), isel_t(c, hi));
}

/* Clocks: s_memtime counts core cycles, s_memrealtime 100 MHz. gfx11 has a cycle counter of 20 bits only, so its %clock is the 100 MHz
 * counter times 24, near the core's rate: differences of any length are right. */
static void clock_value(struct isel *c, struct ir_inst *i, uint32_t d)
{
	bool real = i->imm == IR_SREG_GLOBALTIMER64, scaled = real || c->t->gen >= 11;
	uint32_t t = isel_new_s(c, 2);
	if (c->t->gen >= 11) {
		enum { MSG_RTN_GET_REALTIME = 0x83 };
		struct amd_inst *m = isel_emit(c, amd_s_sendmsg_rtn_b64, 1, 0);
		m->defs[0] = amd_def_temp(c->f, t);
		m->imm = MSG_RTN_GET_REALTIME;
	} else {
		struct amd_inst *m = isel_emit(c, real ? amd_s_memrealtime : amd_s_memtime, 1, 0);
		m->defs[0] = amd_def_temp(c->f, t);
		m->mem = (struct amd_mem){.is_load = true, .is_volatile = true};
	}
	if (scaled) { /* 10 ns a tick */
		uint32_t lo = isel_new_s(c, 1), a = isel_new_s(c, 1), b = isel_new_s(c, 1), hi = isel_new_s(c, 1), v = isel_new_s(c, 2);
		struct amd_operand l = isel_piece(c, isel_t(c, t), 0), h = isel_piece(c, isel_t(c, t), 1), n = amd_use_const(real ? 10 : 24);
		isel_op2(c, amd_s_mul_i32, lo, l, n);
		isel_op2(c, amd_s_mul_hi_u32, a, l, n);
		isel_op2(c, amd_s_mul_i32, b, h, n);
		isel_op2(c, amd_s_add_u32, hi, isel_t(c, a), isel_t(c, b));
		struct amd_operand part[2] = {isel_t(c, lo), isel_t(c, hi)};
		isel_create_vector(c, v, part, 2);
		t = v;
	}
	if (isel_dwords(c, i) == 2)
		isel_copy(c, d, isel_t(c, t));
	else
		isel_copy(c, d, isel_piece(c, isel_t(c, t), i->imm == IR_SREG_CLOCK_HI));
}

static struct amd_operand hw_id1(struct isel *c, uint32_t first, uint32_t bits)
{
	enum { HW_REG_HW_ID1 = 23 };
	uint32_t d = isel_new_s(c, 1);
	struct amd_inst *m = isel_emit(c, amd_s_getreg_b32, 1, 0);
	m->defs[0] = amd_def_temp(c->f, d);
	m->imm = (int32_t)(HW_REG_HW_ID1 | first << 6 | (bits - 1) << 11);
	return isel_t(c, d);
}

/* A block runs on one work-group processor: its number in the shader array, the array's in the engine, the engine's (%nsmid: 256). */
static void multiprocessor_id(struct isel *c, uint32_t d)
{
	struct amd_operand wgp = hw_id1(c, 10, 4), array = hw_id1(c, 16, 1), engine = hw_id1(c, 18, c->t->gen >= 11 ? 3 : 2);
	struct amd_operand x = scalar2(c, amd_s_lshl_b32, engine, amd_use_const(5)), y = scalar2(c, amd_s_lshl_b32, array, amd_use_const(4));
	isel_op2(c, amd_s_or_b32, d, scalar2(c, amd_s_or_b32, x, y), wgp);
}

void isel_sreg(struct isel *c, struct ir_inst *i)
{
	uint32_t d = c->temp[i->id];
	bool vector = c->loc[i->id] == ISEL_LOC_VGPR;
	if (i->imm <= IR_SREG_TID_Z) {
		isel_copy(c, d, workitem_id(c, (uint32_t)i->imm - IR_SREG_TID_X));
		return;
	}
	if (i->imm == IR_SREG_LANEID) {
		lane_id(c, d);
		return;
	}
	uint32_t s = vector ? isel_new_s(c, isel_dwords(c, i)) : d;
	switch (i->imm) {
	case IR_SREG_NTID_X:
	case IR_SREG_NTID_Y:
	case IR_SREG_NTID_Z:
		isel_copy(c, s, group_size(c, (uint32_t)i->imm - IR_SREG_NTID_X));
		break;
	case IR_SREG_CTAID_X:
	case IR_SREG_CTAID_Y:
	case IR_SREG_CTAID_Z:
		isel_copy(c, s, isel_t(c, isel_env(c, ISEL_ENV_WG_X + (uint32_t)i->imm - IR_SREG_CTAID_X)));
		break;
	case IR_SREG_NCTAID_X:
	case IR_SREG_NCTAID_Y:
	case IR_SREG_NCTAID_Z:
		hidden_dword(c, s, AMD_HIDDEN_block_count_x + (uint32_t)i->imm - IR_SREG_NCTAID_X, 4);
		break;
	case IR_SREG_DYN_SMEM_SIZE:
		hidden_dword(c, s, AMD_HIDDEN_dynamic_lds_size, 4);
		break;
	case IR_SREG_TOTAL_SMEM_SIZE: {
		uint32_t dynamic = isel_new_s(c, 1);
		hidden_dword(c, dynamic, AMD_HIDDEN_dynamic_lds_size, 4);
		isel_op2(c, amd_s_add_u32, s, isel_t(c, dynamic), amd_use_const(c->dynamic_shared));
		break;
	}
	case IR_SREG_WARPID:
		warp_id(c, s);
		break;
	case IR_SREG_NWARPID:
		warp_count(c, s);
		break;
	case IR_SREG_CLOCK:
	case IR_SREG_CLOCK_HI:
	case IR_SREG_CLOCK64:
	case IR_SREG_GLOBALTIMER64:
		clock_value(c, i, s);
		break;
	case IR_SREG_SMID:
		multiprocessor_id(c, s);
		break;
	case IR_SREG_GRIDID64: /* the dispatch's number in its queue */
		isel_copy(c, s, isel_t(c, isel_env(c, ISEL_ENV_DISPATCH_ID)));
		break;
	default:
		isel_refuse(c, i->line, "this special register has no counterpart on AMD GPUs");
		return;
	}
	if (s != d)
		isel_copy(c, d, isel_t(c, s));
}

/* --- barriers and the like --- */

void isel_sync(struct isel *c, struct ir_inst *i)
{
	switch (i->op) {
	case IR_fence:
		amd_fence(c->f, &c->buf, i->mem.order, i->mem.scope);
		break;
	case IR_barrier:
		if (i->nargs > 1)
			isel_ice(c, i, "barrier left to selection");
		amd_barrier_before(c->f, &c->buf);
		isel_emit(c, amd_s_barrier, 0, 0);
		amd_barrier_after(c->f, &c->buf);
		break;
	case IR_nanosleep:
		isel_emit(c, amd_s_sleep, 0, 0)->imm = 1;
		break;
	case IR_brkpt:
		isel_emit(c, amd_s_trap, 0, 0)->imm = i->imm ? (int32_t)i->imm : 3;
		break;
	case IR_prefetch:
		break;
	default:
		isel_ice(c, i, "barrier left to selection");
	}
}

/* --- lanes --- */

static void bpermute(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand lane = isel_use(c, i->args[1]), part[8];
	uint32_t address = isel_new_v(c, 1), n = isel_dwords(c, i);
	isel_op2(c, amd_v_lshlrev_b32, address, amd_use_const(2), lane);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t t = n == 1 ? d : isel_new_v(c, 1);
		struct amd_operand data = isel_to_vgpr(c, isel_dword(c, i->args[0], k));
		struct amd_inst *m = isel_emit(c, amd_ds_bpermute_b32, 1, 2);
		m->defs[0] = amd_def_temp(c->f, t);
		m->ops[0] = isel_t(c, address);
		m->ops[1] = data;
		part[k] = isel_t(c, t);
	}
	if (n > 1)
		isel_create_vector(c, d, part, n);
}

/* The warp's 32 bits of a mask. On wave64 a warp is one half of the wave; legalisation has left only what is alike in both. */
static void warp_mask(struct isel *c, struct ir_inst *i, uint32_t d)
{
	if (c->wave64)
		isel_ice(c, i, "ballot left to selection on wave64");
	if (i->op == IR_activemask) {
		isel_copy(c, d, isel_exec(c));
		return;
	}
	struct amd_operand m = isel_mask_use(c, i->args[0]);
	if (c->loc[i->id] == ISEL_LOC_SGPR) {
		isel_op2(c, amd_s_and_b32, d, m, isel_exec(c));
		return;
	}
	uint32_t s = isel_new_s(c, 1);
	isel_op2(c, amd_s_and_b32, s, m, isel_exec(c));
	isel_copy(c, d, isel_t(c, s));
}

static void read_lane(struct isel *c, struct ir_inst *i, uint32_t d)
{
	struct amd_operand x = isel_vector(c, i->args[0]), part[8];
	struct amd_operand lane = i->op == IR_readlane ? isel_scalar(c, i->args[1]) : amd_use_const(0);
	uint32_t n = isel_dwords(c, i);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t t = isel_new_s(c, 1);
		struct amd_operand piece = isel_piece(c, x, k);
		if (i->op == IR_readlane)
			isel_op2(c, amd_v_readlane_b32, t, piece, lane);
		else
			isel_op1(c, amd_v_readfirstlane_b32, t, piece);
		part[k] = isel_t(c, t);
	}
	if (n == 1)
		isel_copy(c, d, part[0]);
	else
		isel_create_vector(c, d, part, n);
}

void isel_lane(struct isel *c, struct ir_inst *i)
{
	uint32_t d = c->temp[i->id];
	switch (i->op) {
	case IR_parked: {
		struct amd_operand lanes = isel_parked(c);
		isel_op2(c, amd_s_andn2_b32, d, lanes, isel_exec(c));
		break;
	}
	case IR_bpermute:
		bpermute(c, i, d);
		break;
	case IR_ballot:
	case IR_activemask:
		warp_mask(c, i, d);
		break;
	default:
		read_lane(c, i, d);
	}
}
