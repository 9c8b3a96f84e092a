/* What the builders share: the state of the function being built, operands, and short names for making instructions. */
#ifndef PARSER_BUILD_INTERNAL_H
#define PARSER_BUILD_INTERNAL_H

#include "ir/ir_util.h"
#include "parser/build.h"

/* One PTX register (a component of a vector register is one of its own). Within straight-line code the current value is
 * `val`; `regset` is written where control flow joins, for registers that are seen elsewhere too. */
struct reg {
	struct ir_inst *val; /* meaningful if epoch is the builder's */
	uint32_t epoch;
	uint32_t seg;	 /* straight-line segment that names it, 1-based */
	uint32_t region; /* guarded region that last redefined it */
	uint16_t width;
	bool multi;   /* more than one segment names it */
	bool fetched; /* a regget exists */
	bool dirty;   /* val is newer than the last regset */
};

/* A register redefined in a guarded region, with what it was before. */
struct reg_undo {
	uint32_t reg;
	struct reg old;
};

struct build {
	struct arena *arena;
	struct diags *diags;
	const struct ptx_module *pm;
	struct ir_module *m;
	struct ir_var **gvars;	/* by id of a module variable's symbol */
	struct ir_func **funcs; /* by id of a function's symbol */

	/* the function */
	const struct ptx_func *pf;
	struct ir_func *f;
	struct ir_cursor c;
	bool dead;	       /* after a terminator: nothing is built up to the next label */
	struct ir_inst *guard; /* not NULL: results are selected by it */
	struct reg *regs;
	uint32_t nregs;	    /* of PTX; then vector components, then the carry flag */
	uint32_t *vec_base; /* first component's number beyond .x, by PTX register; NULL: no vectors */
	uint32_t carry;	    /* CC.CF */
	uint32_t epoch;
	VEC(uint32_t) dirty;
	uint32_t region;	 /* of the guarded region being built; 0: none */
	struct ir_block *before; /* the block that branches into it */
	uint32_t regions;
	VEC(struct reg_undo) undo;
	struct ir_block **label_blocks; /* NULL: no one jumps there */
	struct ir_var **lvars;		/* by id of a variable's symbol; then those of parameters, results */
	uint32_t nlvars;
	struct ir_func *stack_of; /* whose these are: the stack of alloca and the register that holds its pointer */
	struct ir_var *stack;
	uint32_t stack_ptr;
};

typedef void builder(struct build *B, const struct ptx_stmt *s);

enum form_flags {
	BF_EFFECT = 1, /* under a guard it is branched around */
	BF_COSTLY = 2, /* the same, because it is long */
	BF_JUMP = 4,   /* ends the block; other code of the function goes on elsewhere */
	BF_END = 8,    /* ends the block; nothing of the function goes on */
};

/* --- build.c --- */
void refuse_why(struct build *B, const struct ptx_stmt *s, const char *why);
struct ir_inst *reg_get(struct build *B, uint32_t r);
void reg_set(struct build *B, uint32_t r, struct ir_inst *v);
void flush(struct build *B);			 /* regset what later code may read */
void enter(struct build *B, struct ir_block *b); /* go on in b, knowing no register */
void go_on(struct build *B, struct ir_block *b); /* go on in b, which the present block dominates */
/* A loop over the offsets k = 0, step, ... below n: what is built between the two is its body. */
struct offsets {
	struct ir_block *head, *done;
	struct ir_inst *k;
	uint32_t temp;
};
struct offsets offsets_begin(struct build *B, struct ir_inst *n);
void offsets_end(struct build *B, const struct offsets *o, uint32_t step);
uint32_t temp_new(struct build *B);		 /* a register of the builder's own, for values over its own branches */
void temp_set(struct build *B, uint32_t t, struct ir_inst *v);
struct ir_inst *temp_get(struct build *B, uint32_t t, uint32_t width);

/* --- build_operand.c --- */
struct type_info {
	uint8_t bits;
	char cls;
};
extern const struct type_info type_info[PTX_T_COUNT];
static inline uint32_t type_bits(uint32_t t)
{
	return type_info[t].bits;
}
static inline bool type_signed(uint32_t t)
{
	return type_info[t].cls == 'S';
}
/* Width of the IR value that holds one. */
static inline uint32_t type_width(uint32_t t)
{
	uint32_t b = type_info[t].bits;
	return t == PTX_T_pred ? 1 : b <= 16 ? 16 : b <= 32 ? 32 : b <= 64 ? 64 : 128;
}
static inline bool type_float(uint32_t t)
{
	return t == PTX_T_f32 || t == PTX_T_f64 || t == PTX_T_f16 || t == PTX_T_bf16 || t == PTX_T_f16x2 ||
	       t == PTX_T_bf16x2 || t == PTX_T_f32x2;
}
uint32_t opd_reg(struct build *B, const struct ptx_operand *o);	       /* REG: number of the register or component */
struct ir_inst *opd_raw(struct build *B, const struct ptx_operand *o); /* REG: at the register's own width */
struct ir_inst *opd_width(struct build *B, const struct ptx_operand *o, uint32_t width);
struct ir_inst *opd(struct build *B, const struct ptx_operand *o, uint32_t type);
struct ir_inst *pred(struct build *B, const struct ptx_operand *o);
/* Write a register; a wider one is filled by sign or by zeros. `_` is nothing. */
void def(struct build *B, const struct ptx_operand *o, struct ir_inst *v, bool sign);
const struct ptx_operand *pair_first(const struct ptx_operand *o);
const struct ptx_operand *pair_second(const struct ptx_operand *o); /* NULL: none */
/* The elements of a vector operand: {..}, a vector register, or the operand itself. */
uint32_t opd_elems(struct build *B, const struct ptx_operand *o, uint32_t n, struct ptx_operand *out);
/* The same without a count: at most MAX_LIST. */
enum { MAX_LIST = 16 };
uint32_t opd_list(struct build *B, const struct ptx_operand *o, struct ptx_operand *out);
struct ir_inst *resize(struct build *B, struct ir_inst *v, uint32_t width, bool sign);

struct addr {
	struct ir_inst *base;
	int64_t imm;
	uint8_t space; /* enum ir_space */
};
/* False: refused. */
bool address(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *o, uint32_t ptx_space,
	     struct addr *a);
struct ir_inst *addr_value(struct build *B, const struct addr *a); /* base plus imm */
uint32_t ir_space_of(uint32_t ptx_space);
struct ir_inst *sym_addr(struct build *B, struct ir_var *v, uint64_t imm);
struct ir_inst *sreg(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *o);
struct ir_inst *load_at(struct build *B, const struct addr *a, struct ir_mem mem, uint32_t width, uint64_t off);
void store_at(struct build *B, const struct addr *a, struct ir_mem mem, struct ir_inst *v, uint64_t off);

/* --- build_module.c --- */
void build_globals(struct build *B);
struct ir_var *var_of(struct build *B, const struct ptx_symbol *sym);
struct ir_func *func_of(struct build *B, const struct ptx_symbol *sym);
struct ir_var *local_var(struct build *B, const struct ptx_symbol *sym, const char *name);
void build_signature(struct build *B, struct ir_func *f, const struct ptx_func *pf);

/* --- build_call.c --- */
struct piece {
	uint32_t width, offset;
};
/* How a parameter is passed: register-sized pieces of it. Returns their number. */
uint32_t param_pieces(struct build *B, const struct ptx_symbol *p, struct piece **out);
void take_arguments(struct build *B);
void build_return(struct build *B, const struct ptx_stmt *s);

/* --- values --- */
#define K(w, v) ir_const(B->f, (w), (uint64_t)(v))
#define OP1(op, x) ir_b1(&B->c, IR_##op, 0, (x))
#define OP2(op, x, y) ir_b2(&B->c, IR_##op, 0, (x), (y))
#define OP3(op, x, y, z) ir_b3(&B->c, IR_##op, 0, (x), (y), (z))
#define OPW1(op, w, x) ir_b1(&B->c, IR_##op, (w), (x))
#define OPW2(op, w, x, y) ir_b2(&B->c, IR_##op, (w), (x), (y))
#define ICMP(cond, x, y) ir_cmp(&B->c, IR_icmp, IRC_##cond, (x), (y))
#define SEL(p, x, y) ir_select(&B->c, (p), (x), (y))
#define MOD(name) (s->m->mod[PTX_MOD_##name])

/* Is the word among the instruction's modifiers? */
static inline bool has(const struct ptx_stmt *s, uint32_t word)
{
	for (uint32_t k = 0; k < PTX_MOD_COUNT; k++)
		if (s->m->mod[k] == word)
			return true;
	return false;
}

/* How a floating-point operation rounds and so on. */
struct fmode {
	uint8_t rnd;
	bool ftz, sat, approx, nan, contract, any_nan;
};
struct ir_inst *fop(struct build *B, enum ir_op op, uint32_t width, struct fmode m, struct ir_inst *x,
		    struct ir_inst *y, struct ir_inst *z);
struct ir_inst *fcompare(struct build *B, enum ir_cond cond, bool ftz, struct ir_inst *x, struct ir_inst *y);
struct fmode fmode_of(const struct ptx_stmt *s);

/* --- shared by families --- */
/* PTX's shifts: amounts of the width and beyond are clamped. The amount is 32 bits. */
struct ir_inst *shl_clamp(struct build *B, struct ir_inst *x, struct ir_inst *n);
struct ir_inst *shr_clamp(struct build *B, struct ir_inst *x, struct ir_inst *n);
struct ir_inst *sar_clamp(struct build *B, struct ir_inst *x, struct ir_inst *n);
struct ir_inst *field_mask(struct build *B, uint32_t width,
			   struct ir_inst *len); /* len low ones; all if len >= width */
struct ir_inst *clamp_signed(struct build *B, struct ir_inst *x, int64_t lo, int64_t hi);
struct ir_inst *halves(struct build *B, struct ir_inst *lo, struct ir_inst *hi); /* two 16-bit values to one of 32 */
struct ir_inst *compare(struct build *B, uint32_t cmp_word, uint32_t type, bool ftz, struct ir_inst *x,
			struct ir_inst *y);
struct ir_inst *bool_op(struct build *B, uint32_t word, struct ir_inst *x, struct ir_inst *y);
struct ir_inst *widen(struct build *B, uint32_t type, struct ir_inst *x);		   /* f16, bf16 to f32 */
struct ir_inst *narrow(struct build *B, uint32_t type, struct fmode m, struct ir_inst *x); /* f32 to f16, bf16 */
/* The two neighbours of an inexact result, rounded down and up, to the one whose last bit is 1: rounding that once more
 * to a narrower format (2 bits less or more) is as if done from the exact value (round to odd). */
struct ir_inst *to_odd(struct build *B, struct ir_inst *down, struct ir_inst *up);
struct ir_inst *lanemask(struct build *B, uint32_t sreg_id);
struct ir_inst *shift_amount(struct build *B, const struct ptx_operand *o);

/* n bytes are reported to the barrier object that the operand names. */
void mbarrier_bytes(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *barrier, uint32_t n);

/* One reduction without a result, by the instruction's .op. */
void atom_one(struct build *B, const struct ptx_stmt *s, const struct addr *a, uint32_t type, struct ir_inst *v);

/* The lanes of the mask that is the statement's last operand come together for it. */
void warp_meet(struct build *B, const struct ptx_stmt *s);

#define BUILD_FORM(form, fn, flags) builder fn;
#define REFUSE_FORM(form, why)
#include "parser/build_forms.def"
#undef BUILD_FORM
#undef REFUSE_FORM

#endif
