/* What the memory instructions share: operations, access kinds, statistics. */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "sim/sim_core.h"

/* arg of a load or store row: bytes in the low 8 bits, and */
enum { SGN = 0x100, D16 = 0x200, HI = 0x400, ST64 = 0x800 };

enum sim_atomic { A_SWAP, A_CMPSWAP, A_CMPST, A_ADD, A_SUB, A_RSUB, A_CSUB, A_SMIN, A_UMIN, A_SMAX, A_UMAX, A_AND, A_OR,
		  A_XOR, A_INC, A_DEC, A_MSKOR, A_WRAP, A_FCMPSWAP, A_FCMPST, A_FMIN, A_FMAX, A_FADD };
/* arg of an atomic row: operation | bytes << 8 */

/* The new value of memory. cmpswap: a is the new value, b what is compared; cmpst: the other way round (the handlers
 * swap). denorm_flush: FP adds flush subnormal inputs and outputs. */
uint64_t sim_atomic(unsigned op, uint32_t bytes, uint64_t old, uint64_t a, uint64_t b, bool denorm_flush);
bool sim_atomic_two_data(unsigned op);

void sim_need_address(struct sim_wave *w);
void sim_need_data(struct sim_wave *w, uint64_t def, const char *what);
/* A wave's access to global memory, for the statistics and the cycle model. Returns the number of 64-byte segments. */
uint32_t sim_count_segments(struct sim_wave *w, const uint64_t *addr, uint64_t lanes, uint32_t bytes);

/* Writes element dwords of active lanes with d16 and sign rules; def: by dword, lanes whose bytes were defined. */
void sim_load_result(struct sim_wave *w, const struct sim_opnd *dst, uint32_t arg, uint32_t val[4][64], uint64_t lanes,
		     const uint64_t def[4]);
#define SIM_ALL_DWORDS(lanes) ((const uint64_t[4]){(lanes), (lanes), (lanes), (lanes)})

sim_fn sim_s_load, sim_s_buffer_load, sim_s_memtime, sim_ds_swizzle, sim_ds_permute, sim_ds_bpermute, sim_ds_append,
	sim_ds_load, sim_ds_load2, sim_ds_store, sim_ds_store2, sim_ds_atomic, sim_ds_atomic_rtn, sim_ds_exchange2;

#endif
