/* What the files of instruction selection share.
 *
 * Blocks are selected in reverse order and each block from its end, so that a value is known to be wanted, and how, when its
 * instruction is met; what nobody asked for is not emitted. The machine instructions of one IR instruction are emitted forward into
 * `buf`, which is then taken over reversed; each block's list is turned round at its end.
 *
 * Where a value lives: predicates in lane masks; divergent values and those that only the vector ALU can compute in VGPRs; the rest
 * in SGPRs. A 16-bit value has a dword with undefined upper half. */
#ifndef ISEL_ISEL_INTERNAL_H
#define ISEL_ISEL_INTERNAL_H

#include "isel/isel.h"
#include "isel/isel_reconverge.h"

enum isel_loc { ISEL_LOC_NONE, ISEL_LOC_SGPR, ISEL_LOC_VGPR, ISEL_LOC_MASK };

/* Values that the hardware or the ABI provides at the start; p_startpgm defines those that are wanted. */
enum isel_env {
	ISEL_ENV_KERNARG, ISEL_ENV_DISPATCH_ID, ISEL_ENV_WG_X, ISEL_ENV_WG_Y, ISEL_ENV_WG_Z, ISEL_ENV_TID_X, ISEL_ENV_TID_Y, ISEL_ENV_TID_Z,
	ISEL_ENV_TID_PACKED /* gfx11: x | y << 10 | z << 20 */,
	ISEL_ENV_COUNT
};

struct isel_open_mask {
	uint32_t target, temp; /* temp 0: no lanes */
};

/* A block of its own for the wave edge from a block that has other successors. */
struct isel_split {
	struct amd_block *from, *block;
};

/* Blocks and masks of a plan's node. */
struct isel_node_out {
	struct amd_block *flow;  /* tests a join's mask; NULL: none */
	struct amd_block *block; /* the node's own code */
	struct amd_block *entry; /* flow or block */
	VEC(struct isel_split) splits; /* blocks on critical wave edges to the entry */
	VEC(struct isel_open_mask) in, out; /* masks of the joins that are open on entry, at the end */
	uint32_t saved; /* exec at the end, for the joins that restore it */
	VEC(struct amd_inst *) phis; /* of the masks, at the entry */
};

struct isel {
	struct arena *arena;
	struct ir_func *ir;
	struct amd_func *f;
	const struct amd_target *t;
	struct diags *diags;
	struct isel_plan *plan;
	struct isel_node_out *out;
	uint8_t *loc;            /* by IR id: enum isel_loc */
	uint32_t *temp;          /* by IR id: machine temporary; 0: not wanted (yet) */
	uint32_t *nuses;         /* by IR id */
	bool *in_sgpr;           /* by IR id: wanted in an SGPR by somebody */
	struct ir_inst **pair;   /* by IR id: the sum of a carry or the carry of a sum */
	bool *paired;            /* by IR id: emitted together with the later one of the pair */
	bool *no_mad;            /* by IR id of a sum: stays one beside its product */
	uint32_t *phi_first;     /* by IR id of a phi: index of its first operand in phi_ops */
	VEC(struct amd_operand) phi_ops;
	struct amd_block buf;    /* of the current IR instruction, forward */
	struct amd_block *cur;   /* of the current block, backward */
	uint32_t line, node;     /* being selected */
	bitword *comes_to_barrier; /* by block id: a barrier can be reached from there; NULL: not looked at yet */
	uint32_t dynamic_shared; /* offset of dynamic shared memory */
	uint32_t env[ISEL_ENV_COUNT]; /* temporaries, 0: not wanted */
	bool failed;
	bool wave64;
	bool only_tid_x;         /* of the thread's indices */
};

/* --- isel.c --- */
void isel_select(struct isel *c, struct ir_inst *i);
void isel_flush(struct isel *c);
uint32_t isel_env(struct isel *c, enum isel_env e);
_Noreturn void isel_ice(struct isel *c, const struct ir_inst *i, const char *why);
void isel_refuse(struct isel *c, uint32_t line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* --- isel_value.c: temporaries and operands --- */
uint32_t isel_dwords(const struct isel *c, const struct ir_inst *v);
amd_rc isel_class(const struct isel *c, const struct ir_inst *v);
/* The temporary that v's instruction is to define; 0 if nobody wants it. */
uint32_t isel_wanted(struct isel *c, const struct ir_inst *v);
uint32_t isel_def(struct isel *c, struct ir_inst *v); /* ... made if there is none */
/* v as an operand: constant, or temporary where it lives. */
struct amd_operand isel_use(struct isel *c, struct ir_inst *v);
/* ... in an SGPR or constant (through v_readfirstlane if v lives in VGPRs), in VGPRs, in an SGPR and no constant */
struct amd_operand isel_scalar(struct isel *c, struct ir_inst *v);
struct amd_operand isel_vector(struct isel *c, struct ir_inst *v);
struct amd_operand isel_sgpr(struct isel *c, struct ir_inst *v);
struct amd_operand isel_mask_use(struct isel *c, struct ir_inst *v); /* a predicate's lane mask */
/* Half k of a 64-bit (or dword k of any wider) operand. */
struct amd_operand isel_dword(struct isel *c, struct ir_inst *v, uint32_t k);
struct amd_operand isel_piece(struct isel *c, struct amd_operand whole, uint32_t k);
/* The low half of x with zeros or sign above. */
struct amd_operand isel_extend16(struct isel *c, struct amd_operand x, bool sign, bool vector);
struct amd_operand isel_scalar_extended(struct isel *c, struct ir_inst *v, bool sign); /* 16 bits, in an SGPR or constant */
bool isel_is_inline(uint64_t bits, uint32_t width);
bool isel_const_i32(const struct ir_inst *v, int64_t *x); /* v is a constant; x its signed value */

/* --- isel_emit.c: building machine instructions --- */
struct amd_inst *isel_emit(struct isel *c, enum amd_op op, uint32_t ndefs, uint32_t nops);
/* A definition d (temporary) and operands; VALU operands are brought within the limits of the scalar bus. */
struct amd_inst *isel_op1(struct isel *c, enum amd_op op, uint32_t d, struct amd_operand x);
struct amd_inst *isel_op2(struct isel *c, enum amd_op op, uint32_t d, struct amd_operand x, struct amd_operand y);
struct amd_inst *isel_op3(struct isel *c, enum amd_op op, uint32_t d, struct amd_operand x, struct amd_operand y, struct amd_operand z);
struct amd_operand isel_t(struct isel *c, uint32_t temp);
uint32_t isel_new_s(struct isel *c, uint32_t dwords);
uint32_t isel_new_v(struct isel *c, uint32_t dwords);
uint32_t isel_new_mask(struct isel *c);
void isel_copy(struct isel *c, uint32_t d, struct amd_operand x);
void isel_create_vector(struct isel *c, uint32_t d, const struct amd_operand *x, uint32_t n);
struct amd_operand isel_to_vgpr(struct isel *c, struct amd_operand x);
struct amd_operand isel_to_sgpr(struct isel *c, struct amd_operand x);
void isel_legalize_valu(struct isel *c, struct amd_inst *i); /* scalar bus: appends copies before i, which is last in buf */
/* Mask arithmetic for the wave size: op is the 32-bit form, s_and_b32 and the like; returns a new mask. */
uint32_t isel_mask2(struct isel *c, enum amd_op op32, struct amd_operand x, struct amd_operand y);
struct amd_operand isel_exec(struct isel *c);
enum amd_op isel_mask_op(const struct isel *c, enum amd_op op32);
/* SCC := predicate v holds (in some active lane; v is uniform). */
void isel_scc(struct isel *c, struct ir_inst *v);

/* --- per family; each selects i, whose result is wanted or which has an effect --- */
void isel_int(struct isel *c, struct ir_inst *i);
void isel_compare(struct isel *c, struct ir_inst *i);
void isel_select_op(struct isel *c, struct ir_inst *i);
void isel_move(struct isel *c, struct ir_inst *i);
void isel_float(struct isel *c, struct ir_inst *i);
void isel_convert(struct isel *c, struct ir_inst *i);
/* A floating-point operand of `user`, with fneg and fabs folded into source modifiers. */
struct amd_operand isel_float_use(struct isel *c, struct ir_inst *v, const struct ir_inst *user);
/* Rounding, flushing and clamping as i asks for, on the machine instruction that computes it. */
void isel_float_flags(struct amd_inst *m, const struct ir_inst *i);
void isel_memory(struct isel *c, struct ir_inst *i);
void isel_atomic(struct isel *c, struct ir_inst *i);
void isel_address(struct isel *c, struct ir_inst *i);
void isel_lane(struct isel *c, struct ir_inst *i);
void isel_sreg(struct isel *c, struct ir_inst *i);
void isel_sync(struct isel *c, struct ir_inst *i);
/* Is there a scalar form, so that a uniform result can live in SGPRs? */
bool isel_has_salu(const struct ir_inst *i);
bool isel_int_has_salu(const struct ir_inst *i);
void isel_find_pairs(struct isel *c);
/* isel_mad.c: products and their sums; false where they are not better off there */
bool isel_mul24(struct isel *c, struct ir_inst *i, uint32_t d);
bool isel_mulwide(struct isel *c, struct ir_inst *i, uint32_t d);
bool isel_mad(struct isel *c, struct ir_inst *i, uint32_t d);
void isel_find_mads(struct isel *c); /* before selection */
/* Is `sum` x * y + z for umadhi(x, y, z), and nobody wants the product by itself? */
bool isel_sum_of_umadhi(const struct isel *c, const struct ir_inst *i, const struct ir_inst *sum);
void isel_mad_carry(struct isel *c, struct ir_inst *i); /* of umadhi or of the sum that it is paired with */
bool isel_is_carry_test(const struct isel *c, const struct ir_inst *i); /* of a umadhi in VGPRs, which nobody else wants */
/* A uniform comparison that ends in SCC; false: not one. Emits s_cmp now. */
bool isel_scalar_compare(struct isel *c, struct ir_inst *i, bool emit);

/* --- isel_layout.c: places of the kernel's variables in shared and local memory; externs of dynamic size lie behind the rest. false
 * after a diagnostic that names variables and sizes, if they do not fit. */
bool isel_layout(struct isel *c);

/* --- isel_wave_ssa.c: when all is selected --- */
void isel_wave_ssa(struct amd_func *f);

/* --- isel_flow.c: the plan's edges, exec and masks --- */
void isel_flow_blocks(struct isel *c);
void isel_flow_end(struct isel *c, uint32_t node);   /* terminator of a node, into buf */
void isel_flow_begin(struct isel *c, uint32_t node);
/* The lanes of the wave that wait elsewhere at the node being selected and may come to a barrier; active ones may be among them. */
struct amd_operand isel_parked(struct isel *c); /* what stands at its beginning, after phis, into buf */
void isel_flow_masks(struct isel *c);                /* mask temporaries of all nodes, before selection */

#endif
