/* Branches, barriers, waits, messages, hardware registers. */
#include "sim/sim_cache.h"
#include "sim/sim_flow.h"
#include "sim/sim_race.h"

static void need_defined(struct sim_wave *w, bool def, const char *what)
{
	if (!def && !w->core->s->opt.no_uninit)
		sim_fault(w, SIM_FAULT_UNINIT, -1, 0, "%s depends on a value that was never written", what);
}

/* ---- branches ---- */

static bool vccz(struct sim_wave *w)
{
	uint64_t v = w->vcc & w->lane_mask;
	uint64_t d = w->sdef[SIM_VCC] | (uint64_t)w->sdef[SIM_VCC + 1] << 32;
	need_defined(w, (v & d) || !(~d & w->lane_mask), "a branch");
	return v == 0;
}

void sim_s_branch(struct sim_wave *w, const struct sim_inst *i)
{
	bool taken = true;
	switch (i->op->arg) {
	case SIM_BR_SCC0:
	case SIM_BR_SCC1:
		need_defined(w, w->scc_def, "a branch");
		taken = w->scc == (i->op->arg == SIM_BR_SCC1);
		break;
	case SIM_BR_VCCZ:
		taken = vccz(w);
		break;
	case SIM_BR_VCCNZ:
		taken = !vccz(w);
		break;
	case SIM_BR_EXECZ:
		taken = w->exec == 0;
		break;
	case SIM_BR_EXECNZ:
		taken = w->exec != 0;
		break;
	}
	if (taken)
		w->pc = i->target;
}

void sim_s_getpc(struct sim_wave *w, const struct sim_inst *i)
{
	sim_sdst64(w, &i->ops[0], w->pc, true);
}

void sim_s_setpc(struct sim_wave *w, const struct sim_inst *i)
{
	uint64_t to = sim_scalar64(w, &i->ops[0], false);
	need_defined(w, w->def != 0, "a branch");
	w->pc = to;
}

void sim_s_swappc(struct sim_wave *w, const struct sim_inst *i)
{
	uint64_t to = sim_scalar64(w, &i->ops[1], false);
	need_defined(w, w->def != 0, "a branch");
	sim_sdst64(w, &i->ops[0], w->pc, true);
	w->pc = to;
}

void sim_s_call(struct sim_wave *w, const struct sim_inst *i)
{
	sim_sdst64(w, &i->ops[0], w->pc, true);
	w->pc = i->target;
}

void sim_s_endpgm(struct sim_wave *w, const struct sim_inst *i)
{
	(void)i;
	sim_race_end(w);
	sim_cache_finish(w);
	w->done = true;
}

/* ---- barriers, sleep, traps ---- */

/* Another wave may read what this one wrote before the barrier, or write what it read; without a wait the access may still
 * be under way. */
void sim_s_barrier(struct sim_wave *w, const struct sim_inst *i)
{
	(void)i;
	if (w->core->lds_ops)
		sim_fault(w, SIM_FAULT_WAIT, -1, 0, "LDS accesses are outstanding at a barrier (lgkmcnt not waited for)");
	w->at_barrier = true;
}

void sim_s_nop(struct sim_wave *w, const struct sim_inst *i)
{
	(void)w;
	(void)i;
}

void sim_s_sleep(struct sim_wave *w, const struct sim_inst *i)
{
	(void)i;
	w->core->yield = true;
}

void sim_s_sethalt(struct sim_wave *w, const struct sim_inst *i)
{
	if (i->raw & 1)
		sim_fault(w, SIM_FAULT_TRAP, -1, 0, "the wave halts itself");
}

void sim_s_trap(struct sim_wave *w, const struct sim_inst *i)
{
	if ((i->raw & 0xff) == 3)
		return; /* the debugger's; goes on where none is attached */
	sim_fault(w, SIM_FAULT_TRAP, -1, 0, "trap %u", i->raw & 0xff);
}

/* buffer_gl0_inv, buffer_gl1_inv: op->arg is the level. */
void sim_cache_inv(struct sim_wave *w, const struct sim_inst *i)
{
	sim_race_invalidate(w, i->op->arg);
	sim_cache_invalidate(w, i->op->arg);
}

void sim_s_dcache_inv(struct sim_wave *w, const struct sim_inst *i)
{
	(void)i;
	sim_cache_invalidate_scalar(w);
}

/* ---- messages ---- */

enum { MSG_INTERRUPT = 1, MSG_DEALLOC_VGPRS = 3, MSG_RTN_GET_REALTIME = 0x83 };

void sim_s_sendmsg(struct sim_wave *w, const struct sim_inst *i)
{
	unsigned msg = i->raw & 0xff;
	if (msg == MSG_DEALLOC_VGPRS && w->gfx11)
		w->nvgprs = 0;
	else if (msg != MSG_INTERRUPT)
		sim_fault(w, SIM_FAULT_OPERAND, -1, msg, "message %u means nothing to a compute wave", msg);
}

void sim_s_sendmsg_rtn(struct sim_wave *w, const struct sim_inst *i)
{
	unsigned msg = i->raw & 0xff; /* the message is the SSRC0 field, a plain number */
	if (msg != MSG_RTN_GET_REALTIME || i->op->arg != 2)
		sim_fault(w, SIM_FAULT_OPERAND, -1, msg, "message 0x%x is not simulated", msg);
	sim_sdst64(w, &i->ops[0], w->core->clk, true);
	sim_pend_load(w, SIM_CNT_LGKM, true, &i->ops[0], 2, w->core->clk + 40);
}

/* ---- waits ---- */

void sim_s_waitcnt(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t r = i->raw, vm, lgkm;
	if (w->gfx11) {
		lgkm = r >> 4 & 63;
		vm = r >> 10 & 63;
	} else {
		lgkm = r >> 8 & 63;
		vm = (r & 15) | (r >> 14 & 3) << 4;
	}
	sim_wait_vm(w, vm);
	sim_wait_lgkm(w, lgkm);
}

void sim_s_waitcnt_one(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t n = i->raw & 0xffff;
	if (i->ops[0].kind != SIM_O_SGPR || i->ops[0].reg != SIM_NULL)
		sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "the count comes from a register");
	switch (i->op->arg) {
	case SIM_W_VM:
		sim_wait_vm(w, n);
		break;
	case SIM_W_VS:
		sim_wait_vs(w, n);
		break;
	case SIM_W_LGKM:
		sim_wait_lgkm(w, n);
		break;
	default:
		break; /* no exports */
	}
}

void sim_s_depctr(struct sim_wave *w, const struct sim_inst *i)
{
	sim_hazard_depctr(w, i->raw & 0xffff);
}

void sim_s_wait_idle(struct sim_wave *w, const struct sim_inst *i)
{
	(void)i;
	sim_wait_vm(w, 0);
	sim_wait_lgkm(w, 0);
	sim_wait_vs(w, 0);
	sim_hazard_depctr(w, 0);
}

/* ---- hardware registers ---- */

enum { HWREG_MODE = 1, HWREG_STATUS = 2, HWREG_TRAPSTS = 3, HWREG_SH_MEM_BASES = 15, HWREG_FLAT_SCR_LO = 20,
       HWREG_FLAT_SCR_HI = 21, HWREG_HW_ID1 = 23, HWREG_HW_ID2 = 24, HWREG_SHADER_CYCLES = 29 };

static uint32_t hwreg_get(struct sim_wave *w, uint32_t id)
{
	switch (id) {
	case HWREG_MODE:
		return w->mode;
	case HWREG_STATUS:
		return (uint32_t)w->scc | (uint32_t)(w->exec == 0) << 9 | (uint32_t)((w->vcc & w->lane_mask) == 0) << 10;
	case HWREG_TRAPSTS:
		return 0;
	case HWREG_SH_MEM_BASES:
		return SIM_PRIVATE_HI >> 16 | (SIM_SHARED_HI >> 16) << 16;
	case HWREG_FLAT_SCR_LO:
		return (uint32_t)w->core->flat_scratch;
	case HWREG_FLAT_SCR_HI:
		return (uint32_t)(w->core->flat_scratch >> 32);
	case HWREG_HW_ID1:
		return w->index;
	case HWREG_HW_ID2:
		return 0;
	case HWREG_SHADER_CYCLES:
		return (uint32_t)w->core->clk & 0xfffff;
	}
	sim_fault(w, SIM_FAULT_OPERAND, -1, id, "hardware register %u is not simulated", id);
}

static void hwreg_set(struct sim_wave *w, uint32_t id, uint32_t mask, uint32_t val)
{
	uint64_t *fs = &w->core->flat_scratch;
	switch (id) {
	case HWREG_MODE:
		w->mode = (w->mode & ~mask) | (val & mask);
		return;
	case HWREG_FLAT_SCR_LO:
		*fs = (*fs & ~(uint64_t)mask) | (val & mask);
		return;
	case HWREG_FLAT_SCR_HI:
		*fs = (*fs & ~((uint64_t)mask << 32)) | (uint64_t)(val & mask) << 32;
		return;
	}
	sim_fault(w, SIM_FAULT_OPERAND, -1, id, "hardware register %u cannot be written", id);
}

void sim_s_getreg(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t id = i->raw & 63, off = i->raw >> 6 & 31, size = (i->raw >> 11 & 31) + 1;
	uint32_t v = hwreg_get(w, id) >> off;
	sim_sdst32(w, &i->ops[0], size == 32 ? v : v & ((UINT32_C(1) << size) - 1), true);
}

void sim_s_setreg(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t id = i->raw & 63, off = i->raw >> 6 & 31, size = (i->raw >> 11 & 31) + 1;
	uint32_t mask = (size == 32 ? ~0u : (UINT32_C(1) << size) - 1) << off;
	uint32_t v = sim_scalar32(w, &i->ops[1]);
	need_defined(w, w->def != 0, "a hardware register");
	hwreg_set(w, id, mask, v << off);
}

void sim_s_round_mode(struct sim_wave *w, const struct sim_inst *i)
{
	w->mode = (w->mode & ~0xfu) | (i->raw & 0xf);
}

void sim_s_denorm_mode(struct sim_wave *w, const struct sim_inst *i)
{
	w->mode = (w->mode & ~0xf0u) | (i->raw & 0xf) << 4;
}
