/* The cycle model; README.md states it. Each wave has its own clock, which its operands, waits and issue move forward;
 * sim_cycles_total turns the sums over all waves into the time of the launch. */
#include "sim/sim_core.h"

enum rate { R_PLAIN, R_SALU, R_VALU, R_INT64, R_MUL, R_F64, R_TRANS, R_TRANS64, R_BRANCH, R_MATRIX, R_MATRIX4 };

/* Issue: cycles that the SIMD's port is busy with one wave32. Latency: from issue until a dependent may issue. */
static const struct {
	uint16_t issue, latency;
} cost[] = {
	[R_PLAIN] = {1, 1}, [R_SALU] = {1, 2},	  [R_VALU] = {1, 5},   [R_INT64] = {2, 6},  [R_MUL] = {4, 8},
	[R_F64] = {16, 22}, [R_TRANS] = {4, 10}, [R_TRANS64] = {16, 24}, [R_BRANCH] = {4, 1},
	[R_MATRIX] = {32, 38}, [R_MATRIX4] = {16, 22},
};
enum { VMEM_LATENCY = 320, LDS_LATENCY = 20, SMEM_LATENCY = 20 };

uint8_t sim_cycles_rate(const struct sim_op *op)
{
	bool f64 = strstr(op->name, "f64") != NULL;
	switch (op->cls) {
	case SIM_C_SALU:
		return R_SALU;
	case SIM_C_BRANCH:
		return R_BRANCH;
	case SIM_C_TRANS:
		return f64 ? R_TRANS64 : R_TRANS;
	case SIM_C_VALU:
		if (strstr(op->name, "v_wmma"))
			return strstr(op->name, "iu4") ? R_MATRIX4 : R_MATRIX;
		if (!(op->flags & SIM_F_F64))
			return R_VALU;
		return f64 ? R_F64 : strstr(op->name, "mul") || strstr(op->name, "mad") || strstr(op->name, "sad") ? R_MUL : R_INT64;
	default:
		return R_PLAIN;
	}
}

static uint64_t latest(const uint64_t *v, const uint64_t *s, const struct sim_inst *i, uint64_t t)
{
	for (unsigned k = 0; k < i->nreads; k++) {
		const struct sim_range *r = &i->reads[k];
		for (uint32_t n = r->first; n < (uint32_t)r->first + r->n; n++) {
			uint64_t ready = n < 256 ? v[n] : s[n - 256];
			t = ready > t ? ready : t;
		}
	}
	return t;
}

void sim_cycles_issue(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_core *c = w->core;
	bool vector = i->cls == SIM_C_VALU || i->cls == SIM_C_TRANS;
	uint64_t t = latest(c->vready, c->sready, i, c->clk);
	uint32_t issue = cost[i->rate].issue, latency = cost[i->rate].latency;
	if (vector && w->lanes == 64) {
		latency += issue;
		issue *= 2;
	}
	c->clk = t + issue;
	if (vector)
		c->busy[SIM_BUSY_VALU] += issue;
	else if (i->cls == SIM_C_SALU || i->cls == SIM_C_BRANCH)
		c->busy[SIM_BUSY_SALU]++;
	for (unsigned k = 0; k < i->nwrites; k++) {
		const struct sim_range *r = &i->writes[k];
		for (uint32_t n = r->first; n < (uint32_t)r->first + r->n; n++)
			*(n < 256 ? &c->vready[n] : &c->sready[n - 256]) = t + latency;
	}
}

/* Memory: when the data are back. A wave's access to global memory costs its CU one cycle for each 64-byte segment; to
 * scratch, where lanes are interleaved, one for each 64 bytes. */
uint64_t sim_cycles_vmem(struct sim_wave *w, uint32_t segments, uint32_t bytes)
{
	uint32_t n = segments ? segments : (w->lanes * bytes + 63) / 64;
	w->core->busy[SIM_BUSY_VMEM] += n;
	return w->core->clk + VMEM_LATENCY + n;
}

uint64_t sim_cycles_lds(struct sim_wave *w, uint32_t bytes, uint32_t conflicts)
{
	uint32_t n = (w->lanes * bytes + 127) / 128 + conflicts;
	w->core->busy[SIM_BUSY_LDS] += n;
	return w->core->clk + LDS_LATENCY + n;
}

uint64_t sim_cycles_smem(struct sim_wave *w, uint32_t dwords)
{
	w->core->busy[SIM_BUSY_SMEM] += (dwords + 15) / 16;
	return w->core->clk + SMEM_LATENCY;
}

/* Waves spread evenly over the chip's SIMDs; each SIMD runs its share in rounds of as many as fit. A round takes as long
 * as the mean wave alone, or as the busiest unit needs for all of them. CU-wide units serve two SIMDs. */
uint64_t sim_cycles_total(const struct sim_launch_state *ls, const uint64_t busy[SIM_BUSY_KINDS])
{
	const struct sim_stats *st = ls->st;
	uint64_t simds = ls->s->chip->simds;
	if (!st->waves)
		return 0;
	uint64_t share = (st->waves + simds - 1) / simds, resident = share < st->occupancy ? share : st->occupancy;
	double round = (double)st->wave_cycles / (double)st->waves;
	for (unsigned k = 0; k < SIM_BUSY_KINDS; k++) {
		double unit = (double)busy[k] / (double)st->waves * (double)resident;
		if (k == SIM_BUSY_VMEM || k == SIM_BUSY_LDS || k == SIM_BUSY_SMEM)
			unit *= 2;
		round = unit > round ? unit : round;
	}
	return (uint64_t)(round * (double)share / (double)(resident ? resident : 1) + 0.5);
}
