/* Handlers of sim_flow.c, for the scalar opcode table. */
#ifndef SIM_FLOW_H
#define SIM_FLOW_H

#include "sim/sim_internal.h"

enum { SIM_BR_ALWAYS, SIM_BR_SCC0, SIM_BR_SCC1, SIM_BR_VCCZ, SIM_BR_VCCNZ, SIM_BR_EXECZ, SIM_BR_EXECNZ };
enum { SIM_W_VM, SIM_W_VS, SIM_W_LGKM, SIM_W_EXP };

sim_fn sim_s_branch, sim_s_getpc, sim_s_setpc, sim_s_swappc, sim_s_call, sim_s_endpgm, sim_s_barrier, sim_s_waitcnt,
	sim_s_waitcnt_one, sim_s_depctr, sim_s_wait_idle, sim_s_nop, sim_cache_inv, sim_s_dcache_inv, sim_s_sleep, sim_s_sethalt, sim_s_trap,
	sim_s_sendmsg, sim_s_sendmsg_rtn, sim_s_getreg, sim_s_setreg, sim_s_round_mode, sim_s_denorm_mode;

#endif
