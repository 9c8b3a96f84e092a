/* Vector ALU: what its parts share.
 *
 * Meaning and plumbing are apart. A lane function (valu_*.def: one C expression a row) maps source arrays to a result
 * array for every lane of the wave, whatever exec says; valu.c does all that is the same for every opcode: operand
 * selection (op_sel, SDWA, DPP, packed halves), neg/abs/sext, denormal flushing by MODE, rounding, omod, clamp,
 * the masked write.
 *
 * Rounding. Rows whose result is f32 or f64 run under the host's rounding direction (the files are compiled with
 * -frounding-math); rows with f16 results, and those flagged V_SOFT, run under round-to-nearest and round by `rm`.
 *
 * Sources: RDNA2 and RDNA3 instruction set manuals, chapters on vector ALU and instruction listings. */
#ifndef SIM_VALU_H
#define SIM_VALU_H

#include "sim/sim_internal.h"

/* Operand types. F and R are floats (their modifiers and MODE apply), R as raw bits; B is untyped data that takes float
 * modifiers but is never flushed; U and I are integers; P is a packed pair, fetched whole. */
enum valu_type {
	VT_N,
	VT_U16, VT_I16, VT_B16, VT_F16, VT_R16,
	VT_U32, VT_I32, VT_B32, VT_F32, VT_R32, VT_P32,
	VT_U64, VT_I64, VT_F64, VT_R64,
	VT_MASK /* lane mask: compares' destination */
};

enum valu_flags {
	V_TRANS = 1,       /* transcendental unit: rounds to nearest, f32 denormals are flushed whatever MODE says */
	V_SOFT = 2,        /* rounds by rm itself */
	V_NO_IN = 4,       /* does not flush denormal inputs */
	V_NO_OUT = 8,      /* does not flush denormal results */
	V_MASK_SRC = 16,   /* one more source: a lane mask */
	V_MASK_VCC = 32,   /* vcc is such a source though the text does not say so */
	V_MASK_DST = 64,   /* second destination: a lane mask */
	V_CMPX = 128,      /* compare that writes exec */
	V_ACC = 256,       /* the destination is the last source */
	V_PACK = 512,      /* the lane function runs on both halves */
	V_CLAMP_NOP = 1024, /* clamp changes no result (it enables exceptions) */
	V_MIX = 2048,      /* v_fma_mix: op_sel_hi picks f16 sources, neg_hi is abs */
	V_DOT = 4096,      /* v_dot: op_sel picks halves of the packed sources; neg_lo is signedness where integer */
	V_BY_MODE = 8192,  /* with V_TRANS: f32 denormals are flushed where MODE says so */
	V_RNE = 16384,     /* to nearest whatever MODE says */
	V_64 = 32768,      /* runs at the double rate */
	V_HI = 65536,      /* writes the high half */
	V_FLUSH = 131072   /* f32 denormals are flushed whatever MODE says */
};

struct valu_call {
	void *d;
	const void *s[3];
	uint8_t *o;          /* lane mask result, a byte a lane */
	uint64_t mask;       /* lane mask source */
	uint32_t n;          /* 32 or 64 */
	int rm;              /* 0 nearest even, 1 up, 2 down, 3 toward zero */
	int rm2;             /* the other width's: f32 where the row is f16 */
	uint32_t ieee;       /* MODE.IEEE */
	uint32_t bits;       /* V_DOT: neg_lo; else unused */
	bool gfx11;
};

typedef void valu_fn(const struct valu_call *k);

/* sim_approx.c: replaces the results d of instruction `name` on src. */
void sim_approx(const char *name, bool gfx11, uint64_t seed, const void *src, void *d, uint32_t n);

/* sim_tiny.c: flushes results of instruction `name` by `how`. */
void sim_tiny(enum sim_tiny how, const char *name, const struct valu_call *k, uint32_t nsrc, uint32_t size);

/* valu_fused.c */
void sim_fused32(float *d, const float *a, const float *b, const float *c, uint32_t n);
void sim_fused64(double *d, const double *a, const double *b, const double *c, uint32_t n);
void sim_roots32(float *d, const float *a, uint32_t n);
void sim_roots64(double *d, const double *a, uint32_t n);

struct valu_row {
	valu_fn *fn, *sat; /* sat: with integer clamp */
	uint8_t d, s[3], nsrc;
	uint32_t flags;
};

extern const struct valu_row sim_valu_rows[];

/* How undefined bits get through a row: valu_undef.def. */
struct valu_undef {
	enum { VU_ANY, VU_BITS, VU_SUM, VU_LOW, VU_HALVES } kind;
	unsigned ctl;
	uint32_t use; /* 0: all bits */
};

extern const struct valu_undef sim_valu_undefs[]; /* by row */

/* The undefined bits of a row's result, in lanes of the sources as the lane function gets them; u: their undefined bits, in
 * words as wide as the source (this narrows them to the bits that count). */
void sim_valu_undef(const struct valu_row *row, const struct valu_undef *how, const struct valu_call *k, bool clamp,
		    uint64_t u[3][64], uint64_t undef[64]);

/* Runs one row on gathered operands; for the unit tests too. */
void sim_valu_call(const struct valu_row *row, struct valu_call *k, uint32_t mode, bool clamp);

sim_fn sim_valu, sim_v_nop, sim_v_readlane, sim_v_readfirstlane, sim_v_writelane, sim_v_permlane16, sim_v_permlane64,
	sim_v_swap, sim_v_movrel, sim_v_wmma;

/* valu_soft.c: exact where the host has no instruction for it. */
double sim_fma_scaled64(double a, double b, double c, int scale, int rm);
float sim_fma_scaled32(float a, float b, float c, int scale, int rm);
float sim_sin_turns(float x);
float sim_cos_turns(float x);
double sim_trig_preop(double x, uint32_t seg, int rm);

#endif
