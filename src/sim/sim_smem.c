/* Scalar memory: loads into SGPRs, out of order, counted in lgkm. */
#include "sim/sim_cache.h"
#include "sim/sim_memory.h"
#include "sim/sim_race.h"

static void load(struct sim_wave *w, const struct sim_inst *i, uint64_t addr)
{
	uint32_t n = (uint32_t)i->op->arg;
	if (addr & 3)
		sim_fault(w, SIM_FAULT_ALIGN, -1, addr, "scalar load is not aligned to 4");
	const uint8_t *p = sim_global(w, -1, addr, 4 * n, false);
	if (w->core->uid)
		sim_race_scalar_read(w, addr, 4 * n);
	uint8_t cached[64];
	if (w->core->mem) {
		sim_cache_scalar_read(w, addr, cached, 4 * n);
		p = cached;
	}
	const uint8_t *def = w->core->mem ? NULL : sim_global_def(w->core->s, addr);
	for (uint32_t k = 0; k < n; k++) {
		struct sim_opnd d = {.kind = SIM_O_SGPR, .n = 1, .reg = (uint16_t)(i->ops[0].reg + k)};
		uint32_t x, bits = ~0u;
		memcpy(&x, p + 4 * k, 4);
		if (def)
			memcpy(&bits, def + 4 * k, 4);
		sim_sdst_bits(w, &d, x, bits);
	}
	sim_pend_load(w, SIM_CNT_LGKM, true, &i->ops[0], n, sim_cycles_smem(w, n));
}

static int64_t offset(struct sim_wave *w, const struct sim_inst *i, const struct sim_opnd *o)
{
	/* An immediate prints signed or as hex of its 21 bits; with a register the immediate is a modifier. */
	if (o->kind == SIM_O_LIT || o->kind == SIM_O_INT)
		return o->imm + i->offset;
	return (int64_t)sim_scalar32(w, o) + i->offset;
}

static void need_scalar(struct sim_wave *w)
{
	if (!w->def && !w->core->s->opt.no_uninit)
		sim_fault(w, SIM_FAULT_UNINIT, -1, 0, "the address depends on a value that was never written");
}

void sim_s_load(struct sim_wave *w, const struct sim_inst *i)
{
	uint64_t base = sim_scalar64(w, &i->ops[1], false);
	int64_t off = offset(w, i, &i->ops[2]);
	need_scalar(w);
	load(w, i, base + (uint64_t)off);
}

void sim_s_buffer_load(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t word[3];
	for (unsigned k = 0; k < 3; k++) {
		struct sim_opnd o = {.kind = SIM_O_SGPR, .reg = (uint16_t)(i->ops[1].reg + k), .n = 1};
		word[k] = sim_scalar32(w, &o);
	}
	uint64_t off = (uint64_t)offset(w, i, &i->ops[2]);
	need_scalar(w);
	if (word[1] >> 16 & 0x3fff || off + 4u * (uint32_t)i->op->arg > word[2])
		sim_fault(w, SIM_FAULT_OPERAND, -1, off, "this buffer descriptor is not simulated, or the load leaves it");
	load(w, i, (word[0] | (uint64_t)(word[1] & 0xffff) << 32) + off);
}

void sim_s_memtime(struct sim_wave *w, const struct sim_inst *i)
{
	sim_sdst64(w, &i->ops[0], w->core->clk, true);
	sim_pend_load(w, SIM_CNT_LGKM, true, &i->ops[0], 2, sim_cycles_smem(w, 2));
}
