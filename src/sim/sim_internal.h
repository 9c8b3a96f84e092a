/* What the parts of the simulator share: wave state, decoded instructions, operand access, faults.
 *
 * Registers. VGPRs are lane-contiguous: sim_vgpr(w, r)[lane]. Scalars have one numbering for all chips: s[0..105],
 * vcc 106-107, ttmp 108-123, m0 124, null 125, exec 126-127. In wave32 exec_hi stays 0, and vcc_hi is a plain register.
 *
 * Definedness. A never-written value may be moved and computed with; it faults where it reaches an address, stored
 * data, a branch, exec or a lane index. Every bit of a register counts: scalars in sdef; of VGPRs vdef has the lanes all of whose
 * bits are defined, vbits the defined bits of the others. While a handler runs, w->def has the lanes in which every source fetched so
 * far is wholly defined; sim_dst* give it to the destination, and to the other lanes w->undef where it is not NULL.
 * The fetch helpers narrow def, so a handler that uses them need not care; one that reads a register array directly does.
 *
 * Waits. The issue loop checks every register that an instruction names (inst.reads, inst.writes) against outstanding
 * loads before the handler runs; a handler that touches registers its text does not name sets them in its op row. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include <setjmp.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/vec.h"
#include "sim/sim.h"

enum { SIM_VCC = 106, SIM_TTMP = 108, SIM_M0 = 124, SIM_NULL = 125, SIM_EXEC = 126 };

struct sim_wave;
struct sim_inst;
typedef void sim_fn(struct sim_wave *w, const struct sim_inst *i);

/* ---- instructions ---- */

enum sim_opnd_kind {
	SIM_O_NONE,
	SIM_O_VGPR,    /* reg, n dwords */
	SIM_O_SGPR,    /* reg, n dwords; vcc, m0, null, exec by number */
	SIM_O_INT,     /* inline integer -16..64: imm, sign-extended to 64 bits */
	SIM_O_LIT,     /* 32-bit literal: imm, zero-extended (a 64-bit float operand takes it as its high half) */
	SIM_O_FP,      /* inline float: imm indexes sim_fp_const: 0.5 -0.5 1 -1 2 -2 4 -4 1/(2*pi) */
	SIM_O_SCC,     /* src_scc */
	SIM_O_VCCZ, SIM_O_EXECZ,
	SIM_O_SHARED_BASE, SIM_O_SHARED_LIMIT, SIM_O_PRIVATE_BASE, SIM_O_PRIVATE_LIMIT, SIM_O_POPS,
	SIM_O_LDS_DIRECT,
	SIM_O_OFF,     /* `off`: no address register */
	SIM_O_TARGET,  /* branch distance in dwords: imm */
	SIM_O_WORD,    /* a name that only one handler understands: text */
};

enum sim_half { SIM_FULL, SIM_LO16, SIM_HI16 }; /* v0, v0.l, v0.h */

struct sim_opnd {
	uint8_t kind, n;
	uint8_t half;             /* enum sim_half */
	uint8_t neg, abs, sext;   /* source modifiers; for integers neg is never set (it is in imm) */
	uint16_t reg;
	int64_t imm;
	const char *text;
};

extern const uint16_t sim_fp16_const[9];
extern const uint32_t sim_fp32_const[9];
extern const uint64_t sim_fp64_const[9];

enum sim_enc { SIM_ENC_NONE, SIM_ENC_E32, SIM_ENC_E64, SIM_ENC_DPP, SIM_ENC_E64_DPP, SIM_ENC_SDWA };

enum sim_dpp_kind {
	SIM_DPP_NONE, SIM_DPP_QUAD_PERM, SIM_DPP_ROW_SHL, SIM_DPP_ROW_SHR, SIM_DPP_ROW_ROR, SIM_DPP_ROW_MIRROR,
	SIM_DPP_ROW_HALF_MIRROR, SIM_DPP_ROW_SHARE, SIM_DPP_ROW_XMASK, SIM_DPP8,
	/* gfx9 */
	SIM_DPP_WAVE_SHL, SIM_DPP_WAVE_ROL, SIM_DPP_WAVE_SHR, SIM_DPP_WAVE_ROR, SIM_DPP_ROW_BCAST15, SIM_DPP_ROW_BCAST31,
	SIM_DPP_ROW_NEWBCAST
};

enum sim_sdwa_sel { SIM_SEL_BYTE_0, SIM_SEL_BYTE_1, SIM_SEL_BYTE_2, SIM_SEL_BYTE_3, SIM_SEL_WORD_0, SIM_SEL_WORD_1, SIM_SEL_DWORD };
enum sim_sdwa_unused { SIM_UNUSED_PAD, SIM_UNUSED_SEXT, SIM_UNUSED_PRESERVE };

enum sim_op_flags {
	SIM_F_RMW = 1,          /* the first destination is also read (v_fmac) */
	SIM_F_EXEC_DST = 2,     /* writes exec though the text does not say so (v_cmpx) */
	SIM_F_VCC_SRC = 4,      /* reads vcc though the text does not say so (v_div_fmas) */
	SIM_F_NO_DST = 8,       /* no operand is written: the first is a source too (s_cmp, stores) */
	SIM_F_DST2 = 16,        /* the first two operands are written (v_add_co, v_div_scale) */
	SIM_F_IGNORE_EXEC = 32, /* acts on the wave whatever exec says (v_readlane, v_writelane) */
	SIM_F_M0_SRC = 64,      /* reads m0 */
	SIM_F_VCC_DST = 128,    /* writes vcc though the text does not say so */
	SIM_F_SWAP = 256,       /* both operands are read and written (v_swap) */
	SIM_F_PARTIAL = 512,    /* writes part of a destination register (d16) */
	SIM_F_TRANS = 1024,     /* transcendental unit */
	SIM_F_F64 = 2048,       /* double rate (cycle model) */
	SIM_F_ATOMIC_FP = 4096, /* floating-point atomic (hazards) */
	SIM_F_SEL_HI_0 = 8192   /* op_sel_hi is all zeros where the text has none (v_fma_mix) */
};

/* One row of an opcode table, by mnemonic without encoding suffix (_e32 _e64 _dpp _e64_dpp _sdwa).
 * A .def file has rows OP(name, class, flags, handler, arg); sim_decode.c joins the tables. */
struct sim_op {
	const char *name;
	sim_fn *fn;
	uint8_t cls; /* enum sim_class */
	uint16_t flags;
	int32_t arg; /* the handler's own */
};

extern const struct sim_op sim_salu_ops[], sim_mem_ops[], sim_valu_ops[]; /* each ends with a NULL name */

struct sim_range {
	uint16_t first; /* VGPRs 0..255; scalars 256 + number */
	uint8_t n;
};

struct sim_inst {
	sim_fn *fn;
	const struct sim_op *op;
	uint32_t raw; /* first dword of the encoding: simm16 of SOPP and SOPK */
	uint8_t len;  /* bytes */
	uint8_t nops;
	uint8_t enc; /* enum sim_enc */
	uint8_t cls;
	struct sim_opnd ops[6]; /* in the order of the text: destinations first */
	/* vector modifiers */
	uint8_t clamp, omod;    /* omod: 0 none, 1 mul:2, 2 mul:4, 3 div:2 */
	uint8_t op_sel, op_sel_hi, neg_lo, neg_hi; /* bit n: n-th source; op_sel's bit after the sources: destination.
	                                            * op_sel_hi defaults to all ones where the text has none; SIM_F_SEL_HI_0: to zeros */
	uint8_t dpp;            /* enum sim_dpp_kind */
	uint8_t dpp_arg[8];     /* quad_perm's 4, dpp8's 8, or the count in [0] */
	uint8_t row_mask, bank_mask, bound_ctrl, fi;
	uint8_t dst_sel, dst_unused, src0_sel, src1_sel; /* SDWA */
	/* memory modifiers */
	int32_t offset, offset1;
	uint8_t glc, slc, dlc, gds, lds, offen, idxen, scc_bit;
	/* what it touches, for the checks */
	uint8_t nreads, nwrites;
	struct sim_range reads[8], writes[4];
	uint16_t bitop3; /* v_bitop3, dot2 and other immediate tails */
	uint64_t addr;   /* of the instruction */
	uint64_t target; /* branches: address */
	uint16_t vmax;   /* one past the highest VGPR it names */
	uint8_t hazard;  /* what sim_hazard.c wants to know of its name */
	uint8_t rate;    /* row of sim_cycles.c's table */
	const struct sim_inst *dual; /* VOPD: the Y half; this is X, with its own op and operands */
	const char *text;
	uint64_t count, cycles;      /* sim_options.profile: executions, and by how much they moved their waves' clocks */
};

/* VOPD: fn of such an instruction. Both halves read before either writes. In valu_dual.c or wherever sim-valu likes. */
sim_fn sim_vopd;

/* ---- waves ---- */

/* MODE register fields. */
enum { SIM_MODE_ROUND32 = 0, SIM_MODE_ROUND64 = 2, SIM_MODE_DENORM32 = 4, SIM_MODE_DENORM64 = 6 };
enum { SIM_MODE_DX10_CLAMP = 1 << 8, SIM_MODE_IEEE = 1 << 9, SIM_MODE_FP16_OVFL = 1 << 23 };

struct sim_group;

struct sim_wave {
	/* hot */
	uint32_t *v;        /* VGPRs: nvgprs rows of `lanes` */
	uint64_t def;       /* see above */
	const uint32_t *undef[2]; /* by dword of the result, the undefined bits of lanes that def lacks; NULL: all bits */
	uint32_t lanes, lane_shift; /* 32 or 64; 5 or 6 */
	uint64_t lane_mask; /* 2^lanes - 1 */
	uint32_t mode;
	bool scc, scc_def;
	bool done, at_barrier;
	uint64_t pc;        /* while a handler runs: of the next instruction */
	const struct sim_inst *cur;
	union {
		_Alignas(16) uint32_t s[128];
		struct {
			uint32_t sgpr_[106];
			uint64_t vcc;
			uint32_t ttmp[16];
			uint32_t m0, null_;
			uint64_t exec;
		};
	};
	uint32_t sdef[128];   /* bit n: bit n of the scalar register has been written */
	uint64_t vdef[256];   /* bit n: all of lane n is defined */
	uint32_t *vbits;      /* as v: the defined bits of a lane that vdef lacks */
	bool partial;         /* not all of vbits is 0 */
	uint16_t any;         /* not 0: 1 + the VGPR that the instruction reads as the high half of an addend while a load will write it */
	uint32_t nvgprs, nsgprs;
	uint32_t execv[64];   /* exec spread out: 0 or ~0; valid for execv_of, see sim_execv */
	uint64_t execv_of;
	bool execv_valid;
	struct sim_group *g;
	struct sim_core *core; /* the rest: sim_core.h, not for instruction semantics */
	uint32_t index;       /* in the workgroup */
	bool gfx11;           /* else gfx10 */
};

_Noreturn void sim_fault(struct sim_wave *w, enum sim_fault_kind kind, int lane, uint64_t addr, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

static inline uint32_t *sim_vgpr(struct sim_wave *w, uint32_t r)
{
	return w->v + ((size_t)r << w->lane_shift);
}

/* The defined bits of a register in one lane. */
static inline uint32_t sim_lane_bits(const struct sim_wave *w, uint32_t r, uint32_t l)
{
	return w->vdef[r] >> l & 1 ? ~0u : w->vbits[((size_t)r << w->lane_shift) + l];
}
void sim_set_lane_bits(struct sim_wave *w, uint32_t r, uint32_t l, uint32_t bits);

/* exec as one 0 or ~0 word a lane, for blends that a compiler vectorises. */
void sim_execv_fill(struct sim_wave *w);
static inline const uint32_t *sim_execv(struct sim_wave *w)
{
	if (!w->execv_valid || w->execv_of != w->exec)
		sim_execv_fill(w);
	return w->execv;
}

/* ---- operands (sim_operand.c) ----
 *
 * Lane arrays hold w->lanes elements. sim_src32 may return the register itself, so a handler must finish reading before
 * it writes (or write through a buffer with sim_dst32). Modifiers neg/abs/sext/op_sel are NOT applied. */
const uint32_t *sim_src32(struct sim_wave *w, const struct sim_opnd *o, uint32_t buf[64]);
const uint64_t *sim_src64(struct sim_wave *w, const struct sim_opnd *o, bool fp, uint64_t buf[64]);
/* A 16-bit source as its operand says it (v0.h, inline float as f16, literal's low half), before op_sel:
 * the whole dword for a register without .l/.h. */
const uint32_t *sim_src16(struct sim_wave *w, const struct sim_opnd *o, uint32_t buf[64]);
/* The undefined bits of such sources. def stays. */
const uint32_t *sim_undef32(const struct sim_wave *w, const struct sim_opnd *o, uint32_t buf[64]);
const uint32_t *sim_undef16(const struct sim_wave *w, const struct sim_opnd *o, uint32_t buf[64]);
const uint64_t *sim_undef64(const struct sim_wave *w, const struct sim_opnd *o, uint64_t buf[64]);
/* A scalar or constant operand. */
uint32_t sim_scalar32(struct sim_wave *w, const struct sim_opnd *o);
uint64_t sim_scalar64(struct sim_wave *w, const struct sim_opnd *o, bool fp);
/* A lane mask operand (vcc, an SGPR or pair): only the wave's lanes. Narrows def by its undefined bits. */
uint64_t sim_src_mask(struct sim_wave *w, const struct sim_opnd *o);

/* Write the active lanes of a VGPR (pair); their definedness becomes w->def and w->undef. */
void sim_dst32(struct sim_wave *w, const struct sim_opnd *o, const uint32_t *val);
void sim_dst64(struct sim_wave *w, const struct sim_opnd *o, const uint64_t *val);
/* The low or high half of a VGPR, as o->half or hi says; the other half is kept. */
void sim_dst16(struct sim_wave *w, const struct sim_opnd *o, bool hi, const uint32_t *val);
/* A lane mask to an SGPR (pair) or vcc or exec: inactive lanes get 0 (callers pass it so); bits that w->def lacks are
 * undefined among the active lanes. */
void sim_dst_mask(struct sim_wave *w, const struct sim_opnd *o, uint64_t mask);
/* Active lane l of the destination gets lane from[l] of the source; -1: zero. */
void sim_move_lanes(struct sim_wave *w, const struct sim_opnd *dst, const struct sim_opnd *src, const int8_t from[64]);
/* A scalar: the bits that are defined, or all bits as defined as `defined`. Writing exec with undefined bits faults. */
void sim_sdst_bits(struct sim_wave *w, const struct sim_opnd *o, uint32_t val, uint32_t def);
void sim_sdst32(struct sim_wave *w, const struct sim_opnd *o, uint32_t val, bool defined);
void sim_sdst64(struct sim_wave *w, const struct sim_opnd *o, uint64_t val, bool defined);
void sim_set_exec(struct sim_wave *w, uint64_t exec);

#endif
