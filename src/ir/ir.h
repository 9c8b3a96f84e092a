/* The SSA intermediate representation.
 *
 * A value is a bit vector of 1, 16, 32, 64, 128 or 256 bits; whether it is signed, unsigned or floating point is a property
 * of the operation that reads it. An instruction defines at most one value and is that value. Vectors in memory are wide values
 * taken apart by `unpack` and put together by `pack` (little end first).
 *
 * A 1-bit value is a predicate: one bit a lane. A 16-bit value's container has undefined upper bits.
 *
 * A NaN that float operations of 16 or 32 bits give is canonical: 0x7fff, 0x7fffffff, as NVIDIA's (f32tobf16: 0x7fff). Those of 64 bits hand
 * on a NaN operand, made quiet (of several the last, of ffma's the second factor's, then the addend's; of fdiv's the first), and give
 * 0xfff8000000000000 for an invalid operation; fptrunc from and fpext to 64 bits keep the leading bits of the payload. So it is until ir_nan; after
 * it, which quiet NaN a float operation gives is unspecified but for fnan, pkfnan, and what 64-bit operations do; the addend's comes before the first
 * factor's only in an ffma with `nan`, which ir_nan_f64 takes away.
 *
 * Constants (`const`, `undef`) belong to the function, not to a block; ir_const returns the same instruction for the same bits.
 * Every other instruction is in exactly one block; phis come first, one terminator comes last. A phi's arguments stand in the order
 * of block->preds.
 *
 * Ownership: everything lives in the function's arena, which is the module's. Not thread safe within one module. */
#ifndef IR_IR_H
#define IR_IR_H

#include <stdbool.h>

#include "base/bits.h"
#include "base/bitset.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum ir_op {
#define IR_OP(name, nargs, result, flags, expr) IR_##name,
#include "ir/ir_ops.def"
#undef IR_OP
	IR_OP_COUNT
};

/* What a row of ir_ops.def says of an opcode. */
enum ir_op_flags {
	IRF_PURE = 1 << 0,        /* same arguments, same result; may be moved, merged, deleted */
	IRF_COMMUTES = 1 << 1,    /* args[0] and args[1] may be exchanged */
	IRF_READS = 1 << 2,       /* reads memory or other state */
	IRF_WRITES = 1 << 3,      /* writes memory or has another effect: never deleted */
	IRF_TERMINATOR = 1 << 4,
	IRF_CONVERGENT = 1 << 5,  /* its result depends on which lanes are active: not moved over control flow */
	IRF_DIVERGENT = 1 << 6,   /* differs from lane to lane though its arguments do not */
	IRF_UNIFORM = 1 << 7,     /* the same in all active lanes though its arguments are not */
	IRF_FLOAT = 1 << 8,       /* obeys rnd, ftz, sat */
	IRF_HAS_COND = 1 << 9,
	IRF_HAS_MEM = 1 << 10,    /* ir_inst.mem and imm (byte offset) are meant */
	IRF_HAS_IMM = 1 << 11,
	IRF_HAS_SYM = 1 << 12,
	IRF_VARARGS = 1 << 13,
};

struct ir_op_info {
	const char *name;
	int8_t nargs;   /* -1: any number */
	uint8_t result; /* enum ir_result */
	uint16_t flags;
};
enum ir_result { IRR_NONE, IRR_SAME /* as wide as args[0] */, IRR_ANY /* as stated */, IRR_B1, IRR_B32, IRR_B64 };
extern const struct ir_op_info ir_op_info[IR_OP_COUNT];

/* Comparisons. Unordered forms (…U) are true when either side is NaN. */
enum ir_cond {
	IRC_EQ, IRC_NE,
	IRC_SLT, IRC_SLE, IRC_SGT, IRC_SGE,
	IRC_ULT, IRC_ULE, IRC_UGT, IRC_UGE,
	/* floating point */
	IRC_FEQ, IRC_FNE, IRC_FLT, IRC_FLE, IRC_FGT, IRC_FGE,
	IRC_FEQU, IRC_FNEU, IRC_FLTU, IRC_FLEU, IRC_FGTU, IRC_FGEU,
	IRC_NUM, IRC_NAN,
	IRC_COUNT
};

enum ir_rnd { IR_RN, IR_RZ, IR_RM, IR_RP, IR_RNA /* ties away, cvt only */ };

enum ir_space { IR_GENERIC, IR_GLOBAL, IR_CONST, IR_SHARED, IR_LOCAL, IR_PARAM /* the kernel's arguments, read only */ };

enum ir_order { IR_WEAK, IR_RELAXED, IR_ACQUIRE, IR_RELEASE, IR_ACQ_REL, IR_SEQ_CST };
enum ir_scope { IR_SCOPE_THREAD, IR_SCOPE_CTA, IR_SCOPE_CLUSTER, IR_SCOPE_GPU, IR_SCOPE_SYS };
enum ir_cache { IR_CACHE_DEFAULT, IR_CACHE_STREAM /* .cs, evict first */, IR_CACHE_L2 /* .cg: not in L0/L1 */, IR_CACHE_VOLATILE /* .cv, .mmio */ };

enum ir_atom {
	IR_ATOM_EXCH, IR_ATOM_CAS, IR_ATOM_ADD, IR_ATOM_INC, IR_ATOM_DEC, IR_ATOM_SMIN, IR_ATOM_SMAX, IR_ATOM_UMIN, IR_ATOM_UMAX,
	IR_ATOM_AND, IR_ATOM_OR, IR_ATOM_XOR, IR_ATOM_FADD, IR_ATOM_FMIN, IR_ATOM_FMAX,
	IR_ATOM_PK_FADD, IR_ATOM_PK_FMIN, IR_ATOM_PK_FMAX /* f16x2 */, IR_ATOM_PK_BFADD, IR_ATOM_PK_BFMIN, IR_ATOM_PK_BFMAX,
	IR_ATOM_COUNT
};

/* How a memory instruction accesses memory. `bits` is the width in memory; a load whose result is wider extends, by
 * sign where `sext`. The address is args[0] plus the byte offset imm: 64 bits for GENERIC, GLOBAL and CONST, 32 bits (an offset into
 * the space) for SHARED, LOCAL and PARAM. */
struct ir_mem {
	uint8_t space, order, scope, cache;
	uint16_t bits;
	uint8_t align_log2; /* known alignment of the address */
	uint8_t atom;       /* enum ir_atom */
	bool sext, is_volatile, readonly /* no one writes it while the kernel runs */;
	bool noclobber; /* by ir_noclobber: read before anything that may write it */
	bool whole; /* 128 bits, a load or store: atomic with respect to 128-bit atomics */
	bool keep_subnormals; /* an atomic on shared memory that ir_legal_spaces put elsewhere: addition as there */
};

struct ir_block;
struct ir_func;
struct ir_var;
struct amd_target;

struct ir_inst {
	uint16_t op;
	uint16_t width; /* of the result; 0: none */
	uint8_t cond;   /* enum ir_cond */
	uint8_t rnd;    /* enum ir_rnd */
	bool ftz, sat, approx;
	bool divergent; /* by ir_divergence: differs between lanes */
	bool force_divergent; /* a phi or branch that reconvergence cannot keep uniform: a seed of ir_divergence, which never clears it */
	bool contract;  /* fadd, fsub, fmul without a rounding modifier: may be fused */
	bool relu, nan; /* min/max/cvt: .relu; .NaN; fptosi, fptoui with nan: a NaN gives what the hardware gives; fneg, fabs: leaves a NaN; ffma: see above */
	bool any_nan;   /* a NaN result may have any bits: who built it sees to them */
	/* by ir_ftz, with ftz: a subnormal result is a zero to all that use it, so it may stay what it is, or has to stay */
	bool may_leave, leave;
	uint32_t id;    /* dense in the function: index of side tables */
	uint32_t nargs;
	uint32_t line;  /* of the PTX */
	uint32_t mark;  /* for passes; meaningless between them */
	struct ir_inst **args;
	struct ir_block *block; /* NULL: constant */
	struct ir_inst *prev, *next;
	uint64_t imm;   /* const: the bits; load, store, atom, symaddr: byte offset; sreg: enum ir_sreg; unpack, arg, callres: index; ... */
	struct ir_mem mem;
	void *sym;      /* symaddr: struct ir_var; call, funcaddr: struct ir_func */
	void *aux;      /* for the pass that owns it */
};

struct ir_loop {
	struct ir_block *header;
	struct ir_loop *parent;
	uint32_t depth;
	uint32_t last;       /* order of its last block; its first is the header */
	bool divergent_exit; /* lanes may leave in different iterations */
	bool irreducible;    /* has more than one entry; header is then the first in order */
};

struct ir_block {
	uint32_t id; /* index in func->blocks */
	uint32_t line;
	bool cold;   /* hardly ever executed: laid out behind all others */
	struct ir_inst *first, *last;
	VEC(struct ir_block *) preds;
	struct ir_block **succs; /* of the terminator: br 1; condbr 2 (taken when args[0] is true, else); switch n */
	uint32_t nsuccs;
	/* valid after ir_dominators / ir_loops */
	struct ir_block *idom, *ipdom;
	uint32_t dom_pre, dom_post;   /* dominator tree interval */
	uint32_t pdom_pre, pdom_post;
	uint32_t order;               /* reverse post-order with loops contiguous, by ir_loops */
	struct ir_loop *loop;
	void *aux;
};

/* A variable in memory: module scope (global, const, shared) or function scope (local, shared). */
struct ir_reloc {
	uint64_t offset;      /* in the variable */
	struct ir_var *var;   /* or */
	struct ir_func *func;
	int64_t addend;
	uint8_t bytes;        /* 1..8 written */
	uint8_t shift;        /* bits shifted right first, for mask() operators */
	bool generic;
};
enum ir_linkage { IR_INTERNAL, IR_EXTERN, IR_VISIBLE, IR_WEAK_DEF, IR_COMMON };
struct ir_var {
	const char *name;
	uint8_t space, linkage;
	uint32_t align;
	uint64_t size;         /* bytes; 0 with `dynamic` */
	bool dynamic;          /* .extern .shared x[]: at the end of the static shared memory */
	const uint8_t *init;   /* NULL: zero (shared, local: undefined) */
	struct ir_reloc *relocs;
	uint32_t nrelocs;
	uint64_t offset;       /* shared and local: place assigned by layout; global: by emission */
	uint32_t line;
	bool addr_taken;
	bool pinned; /* shared: must be in the LDS */
	struct ir_var *copy_of; /* of which callee's variable ir_inline made it */
};

struct ir_param {
	const char *name;
	uint32_t offset, size, align; /* bytes, in the kernel's argument block */
	uint8_t type;                 /* enum ptx_type, for metadata */
	bool is_pointer;
	uint8_t pointee_space;        /* enum ir_space */
};

struct ir_func {
	const char *name;
	struct ir_module *module;
	struct arena *arena;
	bool is_kernel, is_decl, noreturn;
	uint8_t linkage;
	uint32_t line;
	VEC(struct ir_block *) blocks; /* blocks.data[0] is the entry, without predecessors */
	uint32_t ninsts;               /* ids handed out */
	VEC(struct ir_var *) vars;     /* local and function-scope shared */
	/* kernel */
	struct ir_param *params;
	uint32_t nparams, param_bytes;
	uint32_t maxntid[3], reqntid[3], minnctapersm, maxnreg; /* 0: not given */
	bool grid_barrier; /* by ir_legal_grid: all its blocks may have to run at once */
	bool shared_overflow; /* by ir_legal_spaces: takes all LDS, the rest of its shared memory is elsewhere */
	/* device function: the widths of its arguments (`arg` k) and results (args of `ret`) */
	VEC(uint16_t) arg_widths;
	VEC(uint16_t) ret_widths;
	uint32_t nregs; /* PTX registers, before ir_ssa: regget/regset numbers */
	bool nan_explicit; /* by ir_nan: which NaN a float operation gives is unspecified */
	/* constants, hashed by width and bits */
	struct ir_inst **consts;
	uint32_t nconsts, const_cap;
	VEC(struct ir_inst *) const_list;
	struct ir_inst *undefs[9]; /* by log2 of the width */
	VEC(struct ir_loop *) loops;
	void *aux;
};

struct ir_module {
	struct arena *arena;
	struct diags *diags;
	VEC(struct ir_var *) vars;
	VEC(struct ir_func *) funcs;
	uint32_t wave_size; /* 32 or 64: a property of the target */
	uint32_t max_lds;        /* for testing: shared memory beyond this is elsewhere; 0: by the target */
	uint32_t max_scratch;    /* for testing: local memory beyond this is elsewhere; 0: by the target */
	bool ftz32_by_hardware, ftz16_by_hardware; /* nothing is left for ir_ftz to do */
	bool ftz16_by_fma;       /* fused operations of f16 are right as they are */
	bool exact_atomic_nan;   /* no f32 addition in memory by the hardware */
	uint32_t dynamic_shared; /* the most dynamic shared memory that a launch will ask for, in bytes; 0: no more than fits */
	const struct amd_target *target; /* for legalisation */
};

/* Special registers that have a meaning on an AMD GPU. */
enum ir_sreg {
#define IR_SREG(name, text, divergent) IR_SREG_##name,
#include "ir/ir_sregs.def"
#undef IR_SREG
	IR_SREG_COUNT
};

/* --- ir_core.c: building --- */
struct ir_module *ir_module_new(struct arena *a, struct diags *d);
struct ir_func *ir_func_new(struct ir_module *m, const char *name);
struct ir_block *ir_block_new(struct ir_func *f);
/* The width of op's result on x, its first argument; width where the row leaves it open. */
uint32_t ir_result_width(enum ir_op op, uint32_t width, const struct ir_inst *x);
/* An instruction with room for nargs arguments, in no block. */
struct ir_inst *ir_inst_new(struct ir_func *f, enum ir_op op, uint32_t width, uint32_t nargs);
void ir_append(struct ir_block *b, struct ir_inst *i);
void ir_insert_before(struct ir_inst *pos, struct ir_inst *i);
void ir_insert_after(struct ir_inst *pos, struct ir_inst *i);
void ir_remove(struct ir_inst *i);
struct ir_inst *ir_const(struct ir_func *f, uint32_t width, uint64_t bits);
struct ir_inst *ir_undef(struct ir_func *f, uint32_t width);
static inline struct ir_inst *ir_f32(struct ir_func *f, float x)
{
	return ir_const(f, 32, bits32(x));
}
static inline struct ir_inst *ir_f64(struct ir_func *f, double x)
{
	return ir_const(f, 64, bits64(x));
}

/* A cursor for building: new instructions go before `before`, or at the end of `block` where that is NULL. Simple algebra
 * and constant folding are applied as values are made (ir_fold.c), so the result may be an older value. */
struct ir_cursor {
	struct ir_func *f;
	struct ir_block *block;
	struct ir_inst *before;
	uint32_t line;
};
struct ir_inst *ir_b0(struct ir_cursor *c, enum ir_op op, uint32_t width);
struct ir_inst *ir_b1(struct ir_cursor *c, enum ir_op op, uint32_t width, struct ir_inst *x);
struct ir_inst *ir_b2(struct ir_cursor *c, enum ir_op op, uint32_t width, struct ir_inst *x, struct ir_inst *y);
struct ir_inst *ir_b3(struct ir_cursor *c, enum ir_op op, uint32_t width, struct ir_inst *x, struct ir_inst *y, struct ir_inst *z);
struct ir_inst *ir_cmp(struct ir_cursor *c, enum ir_op op /* icmp, fcmp */, enum ir_cond cond, struct ir_inst *x, struct ir_inst *y);
struct ir_inst *ir_select(struct ir_cursor *c, struct ir_inst *cond, struct ir_inst *x, struct ir_inst *y);
struct ir_inst *ir_unpack(struct ir_cursor *c, uint32_t width, struct ir_inst *x, uint32_t index);
struct ir_inst *ir_pack(struct ir_cursor *c, uint32_t width, struct ir_inst **parts, uint32_t n);
/* Any opcode by its arguments and imm: sreg, arg, callres, togeneric, shfl, ... */
struct ir_inst *ir_bn(struct ir_cursor *c, enum ir_op op, uint32_t width, uint64_t imm, struct ir_inst **args, uint32_t n);
/* An instruction made by ir_inst_new and filled in: folded if possible, else inserted at the cursor. */
struct ir_inst *ir_emit(struct ir_cursor *c, struct ir_inst *i);
/* Terminators. They set succs and the successors' preds. */
void ir_br(struct ir_cursor *c, struct ir_block *to);
void ir_condbr(struct ir_cursor *c, struct ir_inst *cond, struct ir_block *yes, struct ir_block *no);
void ir_switch(struct ir_cursor *c, struct ir_inst *index, struct ir_block **to, uint32_t n); /* index >= n: undefined */
void ir_end(struct ir_cursor *c, enum ir_op op /* exit, trap, unreachable */);
/* Splits the block of i before i: the rest goes to a new block, which is returned; the first part ends without terminator. */
struct ir_block *ir_split(struct ir_func *f, struct ir_inst *i);
/* Takes predecessor k away from b and its phis. */
void ir_remove_pred(struct ir_block *b, uint32_t k);
void ir_phi_append(struct ir_func *f, struct ir_inst *phi, struct ir_inst *x);
uint32_t ir_pred_index(const struct ir_block *b, const struct ir_block *pred); /* the first */

static inline bool ir_is_const(const struct ir_inst *i)
{
	return i->op == IR_const;
}
static inline uint64_t ir_mask(uint32_t width)
{
	return width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1;
}
static inline struct ir_inst *ir_terminator(const struct ir_block *b)
{
	return b->last && ir_op_info[b->last->op].flags & IRF_TERMINATOR ? b->last : NULL;
}
#define ir_each_inst(i, b) for (struct ir_inst *i = (b)->first; i; i = i->next)
/* Safe against removal of i. */
#define ir_each_inst_safe(i, b) for (struct ir_inst *i = (b)->first, *i##_next; i && (i##_next = i->next, 1); i = i##_next)
#define ir_each_block(b, f)                                                                                             \
	for (uint32_t b##_k = 0; b##_k < (f)->blocks.len; b##_k++)                                                      \
		for (struct ir_block *b = (f)->blocks.data[b##_k]; b; b = NULL)

/* --- ir_print.c, ir_read.c: text --- (grammar at the top of ir_read.c) */
void ir_print_inst(struct strbuf *sb, struct ir_inst *i); /* one line, values by id */
void ir_print_func(struct strbuf *sb, struct ir_func *f);
void ir_print(struct strbuf *sb, struct ir_module *m);
struct ir_module *ir_read(struct arena *a, struct diags *d, const char *text, size_t n); /* NULL, with diagnostics */
extern const char *const ir_cond_names[IRC_COUNT], *const ir_atom_names[IR_ATOM_COUNT], *const ir_space_names[6],
	*const ir_rnd_names[5], *const ir_order_names[6], *const ir_scope_names[5], *const ir_cache_names[4],
	*const ir_sreg_names[], *const ir_linkage_names[5];

/* --- ir_validate.c --- calls ice() naming `after`, the function and the instruction */
void ir_validate(struct ir_func *f, const char *after);

/* --- ir_fold.c --- the constant result of i, if its arguments are constants and the opcode has a meaning here */
bool ir_fold_const(const struct ir_inst *i, uint64_t *bits);
struct ir_inst *ir_simplify(struct ir_func *f, struct ir_inst *i); /* an equal value or constant, or i */

/* --- analyses, one file each --- */
void ir_dominators(struct ir_func *f);      /* idom, dom_pre/post; unreachable blocks are removed */
void ir_postdominators(struct ir_func *f);  /* ipdom; NULL: the virtual exit */
void ir_loops(struct ir_func *f);           /* loop, order; sorts func->blocks by order */
void ir_divergence(struct ir_func *f);      /* inst->divergent, loop->divergent_exit */
static inline bool ir_dominates(const struct ir_block *a, const struct ir_block *b)
{
	return a->dom_pre <= b->dom_pre && b->dom_post <= a->dom_post;
}

static inline bool ir_loop_has(const struct ir_loop *l, const struct ir_block *b)
{
	return b->order >= l->header->order && b->order <= l->last;
}

/* --- passes over a module --- */
void ir_devirtualise(struct ir_module *m);
void ir_inline(struct ir_module *m);
void ir_recursion(struct ir_module *m);
void ir_legal_grid(struct ir_module *m);
void ir_legal_spaces(struct ir_module *m);

/* --- passes: ir_passes.def lists them in order; each is `void ir_NAME(struct ir_func *)` --- */
#define IR_PASS(name) void ir_##name(struct ir_func *f);
#include "ir/ir_passes.def"
#undef IR_PASS

#endif
