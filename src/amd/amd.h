/* Machine IR: AMD instructions over SSA temporaries, later over physical registers.
 *
 * A temporary is a number with a register class: scalar (SGPR) or vector (VGPR), of n dwords. A lane mask (a predicate, a saved
 * exec, a rejoin mask) is a scalar of mask_dwords(f) dwords: 1 on wave32, 2 on wave64. Bits of inactive lanes in a predicate mask are
 * undefined; a uniform predicate is 0 or all ones.
 *
 * Each block belongs to two graphs. Lane edges are the program's own control flow; vector temporaries live along them. Wave edges are
 * what the wave's program counter can do, including passing through code of other lanes with none of its own active; scalar temporaries
 * live along these. Vector phis (p_phi) have one operand per lane predecessor, scalar phis (p_wave_phi) one per wave predecessor.
 * A block with several lane predecessors is the only lane successor of each (no critical lane edges); critical wave edges may exist and
 * are split by amd_live. Phis of vectors become copies in the lane predecessors, at their p_lane_end: EXEC there must still be that of the
 * block's lane code. A block without p_lane_end gets them before its terminators (or before the first of the exec writes that
 * directly precede these). Where EXEC is narrowed inside a block (a guarded store), no VGPR may be defined until it is restored.
 *
 * A block ends with: p_branch; or p_cbranch_* to `target`, where the other wave successor is where control goes otherwise; or s_endpgm,
 * s_setpc_b64; or nothing (falls to its one wave successor).
 *
 * Defs and operands: definitions first those that the assembly writes (destination, then carry-out or mask), then implicit
 * ones (SCC, VCC, EXEC as fixed registers); operands in assembly order, then implicit ones (carry-in mask, SCC, EXEC where written
 * by partial update, M0). Before register allocation a def or operand that must be in one place says so with `fixed`.
 *
 * Everything lives in the function's arena. */
#ifndef AMD_AMD_H
#define AMD_AMD_H

#include <stdbool.h>

#include "base/bitset.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* --- target: amd_target.c, one row a chip --- */
struct amd_target {
	const char *name;    /* "gfx1100" */
	uint8_t gen;         /* 10 or 11: which column of the opcode table */
	uint8_t wave_size;   /* 32 or 64 */
	uint16_t elf_mach;   /* EF_AMDGPU_MACH_... */
	uint16_t max_vgprs;  /* addressable by one wave: 256 */
	uint16_t vgprs_per_simd, vgpr_granule, max_waves_per_simd; /* wave32: 1024/16/16 gfx1030..; 1536/24/16 gfx1100 */
	uint16_t max_sgprs;  /* 106: s0-s105 */
	uint32_t lds_bytes, lds_granule;
	bool has_vopd, has_dpp_permlane64, has_global_fadd_f32;
	bool has_scratch_st; /* scratch access by immediate offset alone */
	bool has_dot;        /* v_dot4 and v_dot2 */
	bool has_fma_legacy; /* v_fma_legacy_f32, v_fma_dx9_zero_f32 */
	bool scales_small;   /* v_div_scale_f32 scales all dividends below 2^-102, not 2^-103 */
	/* A result counts as subnormal where it would be when rounded as if exponents had no end: v_add, v_mul, v_fma of f32; v_fma of f16. */
	bool tiny_f32, tiny_f16_fma;
};
const struct amd_target *amd_target_find(const char *name); /* NULL: unknown */

/* --- registers --- */
enum {
	AMD_SGPR0 = 0,      /* s0..s105 */
	AMD_VCC = 106,      /* vcc_lo, vcc_hi = 107 */
	AMD_M0 = 124,
	AMD_NULL = 125,
	AMD_EXEC = 126,     /* exec_lo, exec_hi = 127 */
	AMD_SHARED_BASE = 235, AMD_PRIVATE_BASE = 237, /* src_shared_base, src_private_base: 64 bits, the high dword is the aperture's */
	AMD_SCC = 253,
	AMD_VGPR0 = 256,    /* v0..v255 */
	AMD_NREGS = 512,
	AMD_NOREG = 0xffff,
};

/* Register class: size in dwords, and whether a vector. */
typedef uint8_t amd_rc;
enum { AMD_RC_VECTOR = 0x40, AMD_RC_SIZE = 0x3f };
#define AMD_S(n) ((amd_rc)(n))
#define AMD_V(n) ((amd_rc)((n) | AMD_RC_VECTOR))
static inline bool amd_rc_vector(amd_rc rc)
{
	return rc & AMD_RC_VECTOR;
}
static inline uint32_t amd_rc_size(amd_rc rc)
{
	return rc & AMD_RC_SIZE;
}

enum amd_opnd_kind { AMD_OPND_UNDEF, AMD_OPND_TEMP, AMD_OPND_REG /* fixed, no temporary */, AMD_OPND_CONST, AMD_OPND_RELOC /* literal filled by emission */ };

struct amd_operand {
	uint8_t kind;
	amd_rc rc;          /* size also for constants (1 or 2 dwords) and undef */
	bool fixed;         /* TEMP: must be in reg */
	bool kill;          /* last use on this path (liveness) */
	bool first_kill;    /* the first of several operands that kill the same temporary */
	bool late_kill;     /* stays live through the definitions (early clobber) */
	bool low;           /* of the instruction's 64-bit source only the low dword counts: the high one, and so the result's, is anything */
	bool neg, abs, sext;/* source modifiers */
	uint8_t sel;        /* SDWA selector, enum amd_sel */
	uint16_t reg;       /* after allocation, or where fixed */
	union {
		uint32_t temp;
		uint64_t value;     /* CONST: the 32 bits (a 64-bit operand: as the hardware extends it) */
		struct {
			struct amd_reloc_sym *sym;
		} reloc;
	};
};

struct amd_def {
	uint32_t temp;      /* 0: none wanted (a fixed register clobbered) */
	amd_rc rc;
	bool fixed, kill /* never read */;
	uint16_t reg;
};

/* What a literal refers to. `lo`/`hi` of the pc-relative distance of sym + addend. */
struct amd_reloc_sym {
	const char *name;
	int64_t addend;
	bool hi, absolute;
};

enum amd_op {
#define AMD_OP(name, ...) amd_##name,
#include "amd/amd_ops.def"
#undef AMD_OP
	AMD_OP_COUNT
};

/* How an instruction is encoded. A row of the opcode table names its natural encoding; VOP1, VOP2 and VOPC rows may also be
 * encoded as VOP3, DPP16 or SDWA. AMD_ENC_AUTO until amd_encode_choose (before register allocation assigns literals) decides. */
enum amd_enc {
	AMD_ENC_AUTO, AMD_ENC_PSEUDO,
	AMD_ENC_SOP1, AMD_ENC_SOP2, AMD_ENC_SOPC, AMD_ENC_SOPK, AMD_ENC_SOPP, AMD_ENC_SMEM,
	AMD_ENC_VOP1, AMD_ENC_VOP2, AMD_ENC_VOPC, AMD_ENC_VOP3, AMD_ENC_VOP3P, AMD_ENC_VOPD, AMD_ENC_DPP16, AMD_ENC_SDWA,
	AMD_ENC_DS, AMD_ENC_FLAT, AMD_ENC_GLOBAL, AMD_ENC_SCRATCH, AMD_ENC_MUBUF,
	AMD_ENC_COUNT
};

enum amd_sel { AMD_SEL_DWORD, AMD_SEL_BYTE0, AMD_SEL_BYTE1, AMD_SEL_BYTE2, AMD_SEL_BYTE3, AMD_SEL_WORD0, AMD_SEL_WORD1 };

/* Cache policy bits of memory instructions. */
enum { AMD_GLC = 1, AMD_SLC = 2, AMD_DLC = 4 };

struct amd_mem {            /* what a memory instruction touches, for scheduling and waits */
	uint8_t space;      /* enum ir_space */
	uint8_t order, scope;
	bool is_load, is_store, is_atomic, is_volatile, readonly;
};

struct amd_block;

struct amd_inst {
	uint16_t op;        /* enum amd_op */
	uint8_t enc;        /* enum amd_enc */
	uint16_t ndefs, nops;
	uint8_t rnd;        /* float: enum ir_rnd wanted */
	bool ftz;           /* float: denormals flushed (inputs and output) */
	bool may_leave, leave; /* with ftz: inputs are flushed; a denormal result may stay, has to stay */
	bool fp_f32, fp_f64;/* which mode fields it reads: f32; f16/f64 */
	bool clamp;
	uint8_t omod;       /* 0, 1: *2, 2: *4, 3: /2 */
	uint8_t opsel, opsel_hi, neg_lo, neg_hi; /* VOP3 op_sel / VOP3P, a bit an operand; bit 3 of opsel: destination */
	uint16_t dpp_ctrl;  /* DPP16 control field as encoded by the ISA */
	uint8_t dpp_row_mask, dpp_bank_mask;
	bool dpp_bound_ctrl, dpp_fi;
	uint8_t dst_sel, dst_unused; /* SDWA */
	uint8_t cache;      /* AMD_GLC | ... */
	int32_t imm;        /* memory: byte offset (DS two-address: offset0 | offset1 << 8); SOPK, SOPP: the immediate; others by op */
	struct amd_mem mem;
	uint32_t line;      /* of the PTX */
	uint32_t id;        /* for passes */
	struct amd_block *target; /* branches */
	struct amd_inst *dual; /* AMD_ENC_VOPD: the other instruction, which issues together with this one; by amd_vopd */
	struct amd_def *defs;
	struct amd_operand *ops;
};

struct amd_block {
	uint32_t id;        /* index in func->blocks, which is the final layout order */
	VEC(struct amd_inst *) insts; /* phis first, branch(es) last */
	VEC(uint32_t) lane_preds, lane_succs, wave_preds, wave_succs;
	uint32_t loop_depth;
	bool is_loop_header, is_flow /* made by reconvergence: no lane code of its own */;
	bool cold;          /* hardly ever executed: amd_lower_pseudos puts it behind all others */
	bool divergent;     /* some lanes of the wave may be inactive here */
	/* by amd_live */
	uint16_t vgpr_demand, sgpr_demand;
};

struct amd_abi {            /* what the kernel needs from its environment; becomes the descriptor and the metadata */
	bool workgroup_id[3], workitem_id[3];
	bool kernarg_ptr, dispatch_ptr, dispatch_id, scratch, dynamic_lds;
	uint32_t max_dynamic;    /* not 0: launches do not add their dynamic shared memory to lds_bytes, and ask for no more than this */
	bool uses_vcc, dynamic_stack;
	uint16_t user_sgprs;
	uint32_t kernarg_bytes;    /* explicit arguments */
	uint32_t hidden_mask;      /* 1 << enum amd_hidden: hidden arguments that are read */
	uint32_t lds_bytes;        /* static */
	uint32_t scratch_bytes;    /* per lane, fixed part; gfx10: amd_spill adds the set-up of FLAT_SCRATCH, its two user SGPRs behind
	                            * the others, and shifts the system SGPRs that p_startpgm defines */
	uint32_t max_flat_workgroup_size;
	uint32_t reqd_workgroup_size[3];
	uint8_t float_mode;        /* the descriptor's FLOAT_MODE byte (round 32, round 16/64, denorm 32, denorm 16/64: 2 bits each) */
};

/* v5 hidden arguments, in the order and at the offsets of the code object v5 ABI (amd_hidden.def). */
enum amd_hidden {
#define AMD_HIDDEN(name, offset, size) AMD_HIDDEN_##name,
#include "amd/amd_hidden.def"
#undef AMD_HIDDEN
	AMD_HIDDEN_COUNT
};
uint32_t amd_hidden_offset(enum amd_hidden h, uint32_t kernarg_bytes); /* in the kernel's argument block */

struct amd_stats {
	uint32_t vgprs, sgprs, spilled_vgprs, spilled_sgprs, code_bytes, occupancy;
};

struct amd_func {
	const char *name;
	struct arena *arena;
	struct diags *diags;
	const struct amd_target *target;
	bool is_kernel;
	uint32_t line;
	VEC(struct amd_block *) blocks;
	uint32_t ntemps;          /* temporaries are 1 .. ntemps-1 */
	VEC(amd_rc) temp_rc;      /* by temporary; entry 0 unused */
	struct amd_abi abi;
	struct amd_stats stats;
	/* options that passes obey */
	uint32_t max_vgprs;       /* 0: by target and occupancy */
	uint32_t seed;            /* --seed-ra; 0: none */
	bool force_waits;
	/* by passes */
	bool allocated;           /* operands and definitions have registers; names are no longer SSA */
	struct amd_liveness *live; /* by amd_live (amd_live.h) */
	uint32_t spill_vgprs;     /* reserved by amd_spill for SGPRs in their lanes; from spill_base on, by amd_regalloc */
	uint32_t spill_base;
	uint32_t spill_scratch;   /* bytes of scratch before the spill slots */
};

static inline uint32_t amd_mask_dwords(const struct amd_func *f)
{
	return f->target->wave_size / 32;
}

/* --- opcode table: amd_ops.def --- */
enum amd_op_class { AMD_CLS_PSEUDO, AMD_CLS_SALU, AMD_CLS_SMEM, AMD_CLS_VALU, AMD_CLS_TRANS, AMD_CLS_VALU64 /* double rate class */,
	AMD_CLS_LDS, AMD_CLS_VMEM, AMD_CLS_FLAT, AMD_CLS_SCRATCH, AMD_CLS_BRANCH, AMD_CLS_WAIT, AMD_CLS_MSG };
enum amd_op_flags {
	AMDF_COMMUTES = 1 << 0,  /* ops[0], ops[1] may be exchanged (see `swap` for the name after it) */
	AMDF_SCC_DEF = 1 << 1, AMDF_SCC_USE = 1 << 2,
	AMDF_VCC_DEF = 1 << 3,   /* e32 form writes VCC; as VOP3 any mask */
	AMDF_VCC_USE = 1 << 4,   /* e32 form reads VCC; as VOP3 any mask */
	AMDF_EXEC_DEF = 1 << 5,
	AMDF_LOAD = 1 << 6, AMDF_STORE = 1 << 7, AMDF_ATOMIC = 1 << 8,
	AMDF_TIED = 1 << 9,      /* the last operand is the old destination: same register as defs[0] (v_fmac, v_readlane-less d16_hi loads, v_writelane) */
	AMDF_TERMINATOR = 1 << 10,
	AMDF_SIDE_EFFECT = 1 << 11,
	AMDF_NO_MOVE = 1 << 12,  /* depends on exec or order beyond its operands: not scheduled over others of its kind */
	AMDF_FP32 = 1 << 13, AMDF_FP16_64 = 1 << 14, /* mode fields it obeys */
	AMDF_M0 = 1 << 15,
};
struct amd_op_info {
	const char *name;       /* assembly mnemonic of gfx10; the gfx11 one where it differs is in the row */
	const char *name11;
	uint8_t enc;            /* natural encoding */
	uint8_t cls;
	uint8_t gens;           /* bit 0: gfx10, bit 1: gfx11 */
	uint32_t flags;
	const char *defs, *ops; /* shapes, e.g. "v1", "s2", "m" (mask), "v1 s1c": see amd_ops.def */
};
extern const struct amd_op_info amd_op_info[AMD_OP_COUNT];

/* --- amd_core.c: building --- */
struct amd_func *amd_func_new(struct arena *a, const struct amd_target *t, const char *name);
struct amd_block *amd_block_new(struct amd_func *f);
void amd_lane_edge(struct amd_func *f, struct amd_block *from, struct amd_block *to);
void amd_wave_edge(struct amd_func *f, struct amd_block *from, struct amd_block *to);
uint32_t amd_temp_new(struct amd_func *f, amd_rc rc);
struct amd_inst *amd_inst_new(struct amd_func *f, enum amd_op op, uint32_t ndefs, uint32_t nops); /* in no block; enc AUTO */
static inline void amd_append(struct amd_func *f, struct amd_block *b, struct amd_inst *i)
{
	vec_push(f->arena, &b->insts, i);
}
void amd_insert(struct amd_func *f, struct amd_block *b, uint32_t at, struct amd_inst *i);
/* Where the copies for the successors' phis go: an index into b->insts. */
uint32_t amd_copy_point(const struct amd_block *b, bool vector);
/* Where lane code may begin: behind the phis and the writes of EXEC at the block's head. */
uint32_t amd_lane_begin(const struct amd_block *b);
bool amd_is_phi(const struct amd_inst *i);
/* AMDF_TIED: index of the operand that is the old destination. */
uint32_t amd_tied_operand(const struct amd_inst *i);
/* Inline constant of a 32-bit / 64-bit source (f16 sources: bits of the half). */
bool amd_inline_const(const struct amd_inst *i, uint32_t op, uint64_t bits);
/* VOP1/VOP2/VOPC that cannot stay in their short encoding, as registers or modifiers stand, become VOP3; AUTO becomes natural. */
void amd_encode_choose(struct amd_func *f, struct amd_inst *i);
/* Waves per SIMD that fit by registers, LDS and workgroup size; the most VGPRs that keep `waves`. */
uint32_t amd_occupancy(const struct amd_func *f, uint32_t vgprs);
/* Bytes of scratch a lane: a wave's is a field of COMPUTE_TMPRING_SIZE, 8191 units of 1 KiB (gfx10), 32767 of 256 bytes (gfx11). */
uint32_t amd_max_scratch(const struct amd_target *t);
uint32_t amd_vgpr_limit(const struct amd_func *f); /* by workgroup size, chip and max_vgprs */
uint32_t amd_vgprs_at(const struct amd_func *f, uint32_t waves);

/* A token of a shape string. */
enum amd_shape_kind { AMD_SH_END, AMD_SH_S, AMD_SH_V, AMD_SH_A, AMD_SH_X, AMD_SH_M, AMD_SH_SCC, AMD_SH_VCC, AMD_SH_EXEC, AMD_SH_M0,
	AMD_SH_VADDR, AMD_SH_SADDR, AMD_SH_ANY };
struct amd_shape {
	uint8_t kind, size;
};
struct amd_shape amd_shape_next(const char **s); /* size of m: 0 */

static inline struct amd_operand amd_use(const struct amd_func *f, uint32_t temp)
{
	return (struct amd_operand){.kind = AMD_OPND_TEMP, .rc = f->temp_rc.data[temp], .reg = AMD_NOREG, .temp = temp};
}
static inline struct amd_operand amd_use_fixed(const struct amd_func *f, uint32_t temp, uint16_t reg)
{
	return (struct amd_operand){.kind = AMD_OPND_TEMP, .rc = f->temp_rc.data[temp], .fixed = true, .reg = reg, .temp = temp};
}
static inline struct amd_operand amd_use_reg(uint16_t reg, amd_rc rc)
{
	return (struct amd_operand){.kind = AMD_OPND_REG, .rc = rc, .fixed = true, .reg = reg};
}
static inline struct amd_operand amd_use_const(uint32_t bits)
{
	return (struct amd_operand){.kind = AMD_OPND_CONST, .rc = AMD_S(1), .reg = AMD_NOREG, .value = bits};
}
static inline struct amd_def amd_def_temp(const struct amd_func *f, uint32_t temp)
{
	return (struct amd_def){.temp = temp, .rc = f->temp_rc.data[temp], .reg = AMD_NOREG};
}
static inline struct amd_def amd_def_fixed(const struct amd_func *f, uint32_t temp, uint16_t reg)
{
	return (struct amd_def){.temp = temp, .rc = f->temp_rc.data[temp], .fixed = true, .reg = reg};
}
static inline struct amd_def amd_def_reg(uint16_t reg, amd_rc rc)
{
	return (struct amd_def){.rc = rc, .fixed = true, .reg = reg};
}

/* --- text: amd_print.c, amd_read.c; reads back what it prints, before and after allocation --- */
void amd_print_func(struct strbuf *sb, const struct amd_func *f);
void amd_print_inst(struct strbuf *sb, const struct amd_inst *i);
struct amd_func *amd_read_func(struct arena *a, struct diags *d, const struct amd_target *t, const char *text, size_t n);

/* Internal error in a pass, naming function, block and instruction (NULL: none). */
_Noreturn void amd_ice(const struct amd_func *f, const char *pass, const struct amd_block *b, const struct amd_inst *i, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* --- amd_validate.c: SSA, classes, both graphs, fixed registers; ice() naming `after` --- */
void amd_validate(struct amd_func *f, const char *after);

/* --- passes, in order (amd_passes.def); each is `void amd_NAME(struct amd_func *)` --- */
#define AMD_PASS(name) void amd_##name(struct amd_func *f);
#include "amd/amd_passes.def"
#undef AMD_PASS

#endif
