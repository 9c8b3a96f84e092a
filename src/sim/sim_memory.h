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

/* An atomic of a lane on `was`, with data in registers a and, where there are two, b. Some bits of all these were never written. False: it
 * depends on them. Else `defined` (memory's, NULL: all) is brought up to date; false in *returned: what it returns is not all defined. */
struct sim_atomic_lane {
	unsigned op;
	uint32_t bytes, lane, a, b;
	uint64_t was;
	uint8_t *defined;
};
bool sim_atomic_undef(struct sim_wave *w, const struct sim_atomic_lane *x, bool *returned);


void sim_need_address(struct sim_wave *w);
void sim_need_data(struct sim_wave *w, uint64_t def, const char *what);
/* A wave's access to global memory, for the statistics and the cycle model. Returns the number of 64-byte segments. */
uint32_t sim_count_segments(struct sim_wave *w, const uint64_t *addr, uint64_t lanes, uint32_t bytes);

/* Dwords that lanes have read. */
struct sim_read {
	uint32_t val[4][64];
	uint64_t def[4];       /* by dword, lanes all of whose bits are defined */
	uint32_t undef[4][64]; /* the undefined bits of the others */
};

/* One lane's bytes and the bytes that say which bits of them are defined (NULL: all). */
static inline void sim_read_lane(struct sim_read *r, int l, const uint8_t *p, const uint8_t *defined, uint32_t bytes)
{
	for (uint32_t k = 0; 4 * k < bytes; k++) {
		uint32_t n = bytes < 4 ? bytes : 4, x = 0, d = ~0u;
		memcpy(&x, p + 4 * k, n);
		r->val[k][l] = x;
		if (defined)
			memcpy(&d, defined + 4 * k, n);
		if (d != ~0u) {
			r->undef[k][l] = ~d;
			r->def[k] &= ~(UINT64_C(1) << l);
		}
	}
}
static inline bool sim_all_defined(const uint8_t *defined, uint32_t bytes)
{
	for (uint32_t k = 0; k < bytes; k++)
		if (defined[k] != 0xff)
			return false;
	return true;
}
#define SIM_ALL_DWORDS {~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0)}

/* Writes element dwords of lanes with d16 and sign rules. */
void sim_load_result(struct sim_wave *w, const struct sim_opnd *dst, uint32_t arg, const struct sim_read *r, uint64_t lanes);

sim_fn sim_s_load, sim_s_buffer_load, sim_s_memtime, sim_ds_swizzle, sim_ds_permute, sim_ds_bpermute, sim_ds_append,
	sim_ds_load, sim_ds_load2, sim_ds_store, sim_ds_store2, sim_ds_atomic, sim_ds_atomic_rtn, sim_ds_exchange2;

#endif
