#include "amd/amd_ra.h"
#include "amd/amd_spill.h"
#include "ir/ir.h"

static struct amd_inst *emit(struct amd_func *f, struct amd_block *out, enum amd_op op, uint32_t nd, uint32_t no, uint32_t line)
{
	struct amd_inst *i = amd_inst_new(f, op, nd, no);
	i->line = line;
	i->enc = amd_op_info[op].enc;
	amd_append(f, out, i);
	return i;
}

static void scalar(struct amd_func *f, struct amd_block *out, const struct amd_inst *i, uint32_t reg, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		uint32_t slot = (uint32_t)i->imm + k, lanes = f->target->wave_size;
		if (slot / lanes >= f->spill_vgprs)
			amd_ice(f, "lower_pseudos", NULL, i, "no lane for the slot");
		uint16_t home = (uint16_t)(AMD_VGPR0 + f->spill_base + slot / lanes);
		struct amd_inst *m;
		if (i->op == amd_p_spill) {
			m = emit(f, out, amd_v_writelane_b32, 1, 3, i->line);
			m->defs[0] = amd_def_reg(home, AMD_V(1));
			m->ops[0] = amd_use_reg((uint16_t)(reg + k), AMD_S(1));
			m->ops[1] = amd_use_const(slot % lanes);
			m->ops[2] = amd_use_reg(home, AMD_V(1));
		} else {
			m = emit(f, out, amd_v_readlane_b32, 1, 2, i->line);
			m->defs[0] = amd_def_reg((uint16_t)(reg + k), AMD_S(1));
			m->ops[0] = amd_use_reg(home, AMD_V(1));
			m->ops[1] = amd_use_const(slot % lanes);
		}
	}
}

static void vector(struct amd_func *f, struct amd_block *out, const struct amd_inst *i, uint32_t reg, uint32_t n)
{
	static const uint16_t stores[] = {amd_scratch_store_dword, amd_scratch_store_dwordx2, amd_scratch_store_dwordx3,
		amd_scratch_store_dwordx4};
	static const uint16_t loads[] = {amd_scratch_load_dword, amd_scratch_load_dwordx2, amd_scratch_load_dwordx3, amd_scratch_load_dwordx4};
	int32_t most = f->target->gen == 10 ? 2047 : 4095;
	for (uint32_t k = 0; k < n;) {
		uint32_t w = n - k < 4 ? n - k : 4;
		int32_t offset = (int32_t)(f->spill_scratch + ((uint32_t)i->imm + k) * 4);
		struct amd_operand none = {.kind = AMD_OPND_UNDEF, .rc = AMD_V(1), .reg = AMD_NOREG}, base = none;
		base.rc = AMD_S(1);
		if (offset > most || !f->target->has_scratch_st) {
			struct amd_inst *s = emit(f, out, amd_s_mov_b32, 1, 1, i->line);
			s->defs[0] = amd_def_reg(AMD_RA_SCRATCH, AMD_S(1));
			s->ops[0] = amd_use_const((uint32_t)offset);
			base = amd_use_reg(AMD_RA_SCRATCH, AMD_S(1));
			offset = 0;
		}
		bool store = i->op == amd_p_spill;
		struct amd_inst *m = emit(f, out, store ? stores[w - 1] : loads[w - 1], store ? 0 : 1, store ? 3 : 2, i->line);
		m->imm = offset;
		m->mem = (struct amd_mem){.space = IR_LOCAL, .is_load = !store, .is_store = store};
		m->ops[0] = none;
		m->ops[store ? 2 : 1] = base;
		if (store)
			m->ops[1] = amd_use_reg((uint16_t)(reg + k), AMD_V(w));
		else
			m->defs[0] = amd_def_reg((uint16_t)(reg + k), AMD_V(w));
		k += w;
	}
}

void amd_lower_spill(struct amd_func *f, struct amd_block *out, const struct amd_inst *i)
{
	bool store = i->op == amd_p_spill;
	amd_rc rc = store ? i->ops[0].rc : i->defs[0].rc;
	uint32_t reg = store ? i->ops[0].reg : i->defs[0].reg;
	if (amd_rc_vector(rc))
		vector(f, out, i, reg, amd_rc_size(rc));
	else
		scalar(f, out, i, reg, amd_rc_size(rc));
}
