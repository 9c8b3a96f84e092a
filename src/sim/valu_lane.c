/* Vector instructions that move data between lanes, registers or the scalar unit. */
#include "sim/valu.h"

#define EACH_LANE(w) for (uint32_t l = 0, n_ = (w)->lanes; l < n_; l++)

void sim_v_nop(struct sim_wave *w, const struct sim_inst *i)
{
	(void)w, (void)i;
}

void sim_v_readfirstlane(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t buf[64], lane = w->exec ? (uint32_t)__builtin_ctzll(w->exec) : 0;
	const uint32_t *v = sim_src32(w, &i->ops[1], buf);
	sim_sdst32(w, &i->ops[0], v[lane], w->def >> lane & 1);
}

static uint32_t lane_select(struct sim_wave *w, const struct sim_opnd *o)
{
	uint64_t def = w->def;
	w->def = ~0ull;
	uint32_t lane = sim_scalar32(w, o) & (w->lanes - 1);
	if (!w->def)
		sim_fault(w, SIM_FAULT_UNINIT, -1, 0, "the lane number was never written");
	w->def = def;
	return lane;
}

void sim_v_readlane(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t buf[64], lane = lane_select(w, &i->ops[2]);
	const uint32_t *v = sim_src32(w, &i->ops[1], buf);
	sim_sdst32(w, &i->ops[0], v[lane], w->def >> lane & 1);
}

/* A VGPR lane has one definedness bit. Lane masks are spilled this way, and bits of lanes that are off may be
 * unwritten in them, so a partly written scalar counts as written. */
void sim_v_writelane(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t lane = lane_select(w, &i->ops[2]), reg = i->ops[0].reg;
	const struct sim_opnd *src = &i->ops[1];
	uint32_t x = sim_scalar32(w, src);
	uint64_t def = src->kind != SIM_O_SGPR || src->reg == SIM_NULL || w->sdef[src->reg];
	sim_vgpr(w, reg)[lane] = x;
	w->vdef[reg] = (w->vdef[reg] & ~(1ull << lane)) | def << lane;
}

/* op_sel:[fi,bound_ctrl]; arg 1: the other row of the pair. */
void sim_v_permlane16(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t buf[64], out[64];
	uint64_t before = w->def, live = ~0ull, def = 0, exec = w->exec;
	bool fi = i->op_sel & 1, zero = i->op_sel >> 1 & 1;
	w->def = ~0ull;
	uint64_t sel = sim_scalar32(w, &i->ops[2]) | (uint64_t)sim_scalar32(w, &i->ops[3]) << 32;
	uint64_t sel_def = w->def;
	w->def = ~0ull;
	const uint32_t *v = sim_src32(w, &i->ops[1], buf);
	EACH_LANE(w)
	{
		uint32_t row = (l & ~15u) ^ (i->op->arg ? 16 : 0), from = row | (uint32_t)(sel >> (l & 15) * 4 & 15);
		bool ok = fi || exec >> from & 1;
		out[l] = ok ? v[from] : 0;
		if (ok)
			def |= (w->def >> from & 1) << l;
		else if (zero)
			def |= 1ull << l;
		else
			live &= ~(1ull << l);
	}
	w->def = before & sel_def & def;
	w->exec = exec & live;
	sim_dst32(w, &i->ops[0], out);
	w->exec = exec;
}

/* Exchanges the halves of a wave64; a wave32 does nothing. */
void sim_v_permlane64(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t buf[64], out[64];
	if (w->lanes == 32)
		return;
	const uint32_t *v = sim_src32(w, &i->ops[1], buf);
	EACH_LANE(w) out[l] = v[l ^ 32];
	w->def = w->def << 32 | w->def >> 32;
	sim_dst32(w, &i->ops[0], out);
}

void sim_v_swap(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t x[64], y[64], bx[64], by[64];
	uint64_t all = w->def, dx, dy;
	bool half = i->op->arg;
	memcpy(x, half ? sim_src16(w, &i->ops[0], bx) : sim_src32(w, &i->ops[0], bx), w->lanes * sizeof *x);
	dx = w->def;
	w->def = all;
	memcpy(y, half ? sim_src16(w, &i->ops[1], by) : sim_src32(w, &i->ops[1], by), w->lanes * sizeof *y);
	dy = w->def;
	for (int k = 0; k < 2; k++) {
		w->def = k ? dx : dy;
		if (half)
			sim_dst16(w, &i->ops[k], false, k ? x : y);
		else
			sim_dst32(w, &i->ops[k], k ? x : y);
	}
}

/* arg: 1 the source is relative to m0, 2 the destination, 3 both, 4 both by the two halves of m0. */
void sim_v_movrel(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t buf[64], out[64], m0 = w->m0;
	struct sim_opnd d = i->ops[0], s = i->ops[1];
	if (w->sdef[SIM_M0] != ~0u)
		sim_fault(w, SIM_FAULT_UNINIT, -1, 0, "m0 was never written");
	uint32_t so = i->op->arg == 2 ? 0 : i->op->arg == 4 ? m0 & 0x3ff : m0;
	uint32_t dof = i->op->arg == 1 ? 0 : i->op->arg == 4 ? m0 >> 16 & 0x3ff : m0;
	if (so) {
		if (s.kind != SIM_O_VGPR || s.reg + (uint64_t)so >= w->nvgprs)
			sim_fault(w, SIM_FAULT_REGISTER, -1, 0, "m0 moves the source out of the registers");
		s.reg = (uint16_t)(s.reg + so);
	}
	if (d.reg + (uint64_t)dof >= w->nvgprs)
		sim_fault(w, SIM_FAULT_REGISTER, -1, 0, "m0 moves the destination out of the registers");
	d.reg = (uint16_t)(d.reg + dof);
	memcpy(out, sim_src32(w, &s, buf), w->lanes * sizeof *out);
	sim_dst32(w, &d, out);
}
