/* The immediate of s_waitcnt. */
#ifndef AMD_AMD_WAIT_H
#define AMD_AMD_WAIT_H

#include <stdint.h>

/* The counters that a wait names. AMD_WAIT_NONE: not waited for. */
enum { AMD_WAIT_NONE = 0xff };
struct amd_wait {
	uint8_t vm, exp, lgkm; /* s_waitcnt */
	uint8_t vs;            /* s_waitcnt_vscnt */
};
#define AMD_WAIT_NOTHING ((struct amd_wait){AMD_WAIT_NONE, AMD_WAIT_NONE, AMD_WAIT_NONE, AMD_WAIT_NONE})

/* Fields: gfx10 vm 3:0 and 15:14, exp 6:4, lgkm 13:8; gfx11 exp 2:0, lgkm 9:4, vm 15:10. All ones: not waited for. */
static inline uint32_t amd_wait_cut(uint8_t v, uint32_t max)
{
	return v > max ? max : v;
}
static inline int32_t amd_wait_imm(uint32_t gen, struct amd_wait w)
{
	uint32_t vm = amd_wait_cut(w.vm, 63), exp = amd_wait_cut(w.exp, 7), lgkm = amd_wait_cut(w.lgkm, 63);
	if (gen >= 11)
		return (int32_t)(exp | lgkm << 4 | vm << 10);
	return (int32_t)((vm & 15) | exp << 4 | lgkm << 8 | (vm >> 4) << 14);
}
static inline struct amd_wait amd_wait_of_imm(uint32_t gen, int32_t imm)
{
	struct amd_wait w = AMD_WAIT_NOTHING;
	uint32_t u = (uint32_t)imm;
	uint32_t vm = gen >= 11 ? u >> 10 & 63 : (u & 15) | (u >> 14 & 3) << 4;
	uint32_t exp = gen >= 11 ? u & 7 : u >> 4 & 7, lgkm = gen >= 11 ? u >> 4 & 63 : u >> 8 & 63;
	if (vm < 63)
		w.vm = (uint8_t)vm;
	if (exp < 7)
		w.exp = (uint8_t)exp;
	if (lgkm < 63)
		w.lgkm = (uint8_t)lgkm;
	return w;
}

#endif
