/* Vector instructions that move data between lanes, registers or the scalar unit. */
#include "sim/sim_core.h"
#include "sim/valu.h"

#define EACH_LANE(w) for (uint32_t l = 0, n_ = (w)->lanes; l < n_; l++)

void sim_v_nop(struct sim_wave *w, const struct sim_inst *i)
{
	(void)w, (void)i;
}

static void read_lane(struct sim_wave *w, const struct sim_inst *i, uint32_t lane)
{
	uint32_t buf[64], und[64], x = sim_src32(w, &i->ops[1], buf)[lane];
	sim_sdst_bits(w, &i->ops[0], x, w->def >> lane & 1 ? ~0u : ~sim_undef32(w, &i->ops[1], und)[lane]);
}

void sim_v_readfirstlane(struct sim_wave *w, const struct sim_inst *i)
{
	read_lane(w, i, w->exec ? (uint32_t)__builtin_ctzll(w->exec) : 0);
}

static uint32_t lane_select(struct sim_wave *w, const struct sim_opnd *o)
{
	uint64_t def = w->def;
	w->def = ~0ull;
	uint32_t lane = sim_scalar32(w, o) & (w->lanes - 1);
	if (!w->def && !w->core->s->opt.no_uninit)
		sim_fault(w, SIM_FAULT_UNINIT, -1, 0, "the lane number was never written");
	w->def = def;
	return lane;
}

void sim_v_readlane(struct sim_wave *w, const struct sim_inst *i)
{
	read_lane(w, i, lane_select(w, &i->ops[2]));
}

void sim_v_writelane(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t lane = lane_select(w, &i->ops[2]), reg = i->ops[0].reg, buf[64];
	sim_vgpr(w, reg)[lane] = sim_scalar32(w, &i->ops[1]);
	sim_set_lane_bits(w, reg, lane, ~sim_undef32(w, &i->ops[1], buf)[lane]);
}

/* op_sel:[fi,bound_ctrl]; arg 1: the other row of the pair. */
void sim_v_permlane16(struct sim_wave *w, const struct sim_inst *i)
{
	int8_t from[64];
	uint64_t live = ~0ull, exec = w->exec;
	bool fi = i->op_sel & 1, zero = i->op_sel >> 1 & 1;
	uint64_t sel = sim_scalar32(w, &i->ops[2]) | (uint64_t)sim_scalar32(w, &i->ops[3]) << 32;
	EACH_LANE(w)
	{
		uint32_t row = (l & ~15u) ^ (i->op->arg ? 16 : 0), lane = row | (uint32_t)(sel >> (l & 15) * 4 & 15);
		bool ok = fi || exec >> lane & 1;
		from[l] = ok ? (int8_t)lane : -1;
		if (!ok && !zero)
			live &= ~(1ull << l);
	}
	w->exec = exec & live;
	sim_move_lanes(w, &i->ops[0], &i->ops[1], from);
	w->exec = exec;
}

/* Exchanges the halves of a wave64; a wave32 does nothing. */
void sim_v_permlane64(struct sim_wave *w, const struct sim_inst *i)
{
	int8_t from[64];
	if (w->lanes == 32)
		return;
	EACH_LANE(w) from[l] = (int8_t)(l ^ 32);
	sim_move_lanes(w, &i->ops[0], &i->ops[1], from);
}

void sim_v_swap(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t val[2][64], und[2][64], buf[64];
	bool half = i->op->arg;
	for (int k = 0; k < 2; k++) {
		const struct sim_opnd *o = &i->ops[k];
		memcpy(val[k], half ? sim_src16(w, o, buf) : sim_src32(w, o, buf), w->lanes * sizeof *buf);
		half ? sim_undef16(w, o, und[k]) : sim_undef32(w, o, und[k]);
	}
	w->def = 0;
	for (int k = 0; k < 2; k++) {
		w->undef[0] = und[!k];
		if (half)
			sim_dst16(w, &i->ops[k], false, val[!k]);
		else
			sim_dst32(w, &i->ops[k], val[!k]);
	}
	w->undef[0] = NULL;
}

/* arg: 1 the source is relative to m0, 2 the destination, 3 both, 4 both by the two halves of m0. */
void sim_v_movrel(struct sim_wave *w, const struct sim_inst *i)
{
	int8_t from[64];
	uint32_t m0 = w->m0;
	struct sim_opnd d = i->ops[0], s = i->ops[1];
	if (w->sdef[SIM_M0] != ~0u && !w->core->s->opt.no_uninit)
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
	EACH_LANE(w) from[l] = (int8_t)l;
	sim_move_lanes(w, &d, &s, from);
}
