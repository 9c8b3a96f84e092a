/* The resolved syntax tree of one PTX module: what the parser hands to the builders.
 *
 * Every name is resolved, every modifier decoded, every operand counted and typed against a row of the form table
 * (src/parser/forms.def). A module with errors in its diagnostics must not be built. All of it lives in the arena
 * given to ptx_parse; names are interned, so equal names are equal pointers.
 *
 * Generated from forms.def into parser/ptx_words.h:
 *   enum ptx_op    PTX_OP_add, PTX_OP_ld, ...              the base opcode
 *   enum ptx_word  PTX_W_rn, PTX_W_global, PTX_W_L1__evict_last, PTX_W_m16n8k16, ...   one per modifier word
 *                  ("::" becomes "__"); 0 (PTX_W_none) is "not given"
 *   enum ptx_mod   PTX_MOD_rnd, PTX_MOD_ftz, PTX_MOD_space, PTX_MOD_cmp, ...   the field that a word was matched in
 *   enum ptx_form  PTX_FORM_...                             the row's handler name (several rows may share one)
 * So setp.lt.and.f32 has mod[PTX_MOD_cmp] == PTX_W_lt, mod[PTX_MOD_bool] == PTX_W_and, types[0] == PTX_T_f32. */
#ifndef PARSER_PTX_AST_H
#define PARSER_PTX_AST_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

#include "parser/ptx_words.h"

enum ptx_type {
	PTX_T_none,
#define X(name, bits, cls) PTX_T_##name,
#include "parser/types.def"
#undef X
	PTX_T_COUNT
};

enum ptx_space {
	PTX_SPACE_NONE, /* generic */
	PTX_SPACE_REG,
	PTX_SPACE_SREG,
	PTX_SPACE_CONST,
	PTX_SPACE_GLOBAL,
	PTX_SPACE_LOCAL,
	PTX_SPACE_PARAM,
	PTX_SPACE_SHARED,
	PTX_SPACE_TEX
};

enum ptx_linkage { PTX_LINK_NONE, PTX_LINK_EXTERN, PTX_LINK_VISIBLE, PTX_LINK_WEAK, PTX_LINK_COMMON };

#define PTX_NO_REG UINT32_MAX

struct ptx_func;

/* ---- symbols ---- */

enum ptx_symbol_kind { PTX_SYM_VAR, PTX_SYM_FUNC, PTX_SYM_PROTO, PTX_SYM_TARGETS };

/* One relocation of an initialiser: `size` bytes at `offset` become (address of sym + addend), converted to a
 * generic address if `generic`; `mask` (0xFF << 8*k, or 0: no mask) selects byte k of it, shifted to the bottom. */
struct ptx_reloc {
	uint64_t offset;
	struct ptx_symbol *sym;
	int64_t addend;
	uint64_t mask;
	uint8_t size;
	bool generic;
};

struct ptx_symbol {
	const char *name;
	uint8_t kind;    /* enum ptx_symbol_kind */
	uint8_t space;   /* variables: enum ptx_space */
	uint8_t type;    /* variables: element type, enum ptx_type */
	uint8_t vec;     /* 1, 2, 4, 8: vector width of one element */
	uint8_t linkage; /* enum ptx_linkage */
	bool is_array;   /* declared with [] */
	bool is_entry_param, is_func_param, is_ret_param; /* .param of the function that owns it; else call space */
	bool has_init;
	bool managed;    /* .attribute(.managed) */
	uint32_t line;
	uint32_t align;  /* bytes; never 0 for a variable */
	uint32_t id;     /* dense: module variables, functions each from 0; locals and params per function */
	uint32_t bank;   /* old `.const[n]`: n */
	uint64_t size;   /* bytes; 0 for an incomplete array (extern []) */
	uint64_t count;  /* total elements over all dimensions, 1 if no array */
	uint32_t ndims;
	uint64_t *dims;

	/* .ptr of an entry parameter: pointee's space and alignment */
	bool is_ptr;
	uint8_t ptr_space; /* PTX_SPACE_NONE: generic or not said */
	uint32_t ptr_align;
	uint64_t offset; /* parameters: byte offset in the parameter block, by size and alignment */

	const uint8_t *init; /* `size` bytes with relocated places zero, or NULL */
	struct ptx_reloc *relocs;
	uint32_t nrelocs;

	uint64_t unified[2]; /* .attribute(.unified(a, b)) */
	bool has_unified;

	struct ptx_func *func;    /* PTX_SYM_FUNC, PTX_SYM_PROTO (a body-less signature) */
	uint32_t *labels;         /* PTX_SYM_TARGETS of .branchtargets: label ids, in order */
	struct ptx_symbol **funcs; /* PTX_SYM_TARGETS of .calltargets */
	uint32_t ntargets;
};

/* ---- instructions ---- */

/* One per distinct opcode text of a module; instructions point to it. */
struct ptx_mods {
	const char *text; /* "ld.global.nc.f32" */
	uint16_t op;      /* enum ptx_op */
	uint8_t ntypes;
	uint8_t types[5];              /* the type words in the order of the text */
	uint16_t mod[PTX_MOD_COUNT];   /* enum ptx_word, or 0 */
	uint8_t space;                 /* enum ptx_space of mod[PTX_MOD_space]; PTX_SPACE_NONE where there is none */
	uint8_t vec;                   /* .v2 .v4 .v8: 2, 4, 8; else 1 */
};

enum ptx_operand_kind {
	PTX_OPD_NONE,
	PTX_OPD_REG,    /* reg; neg for `-a` or `!p` */
	PTX_OPD_PAIR,   /* setp's `p|q`, shfl's `d|p`: elems[0], elems[1], each REG or SINK */
	PTX_OPD_IMM,    /* imm: integer, sign- or zero-extended to 64 bits as written and then negated etc.; fits the type */
	PTX_OPD_FIMM,   /* imm: bits of an IEEE double; a literal 0f.. is widened exactly (NaN payloads: see is_f32) */
	PTX_OPD_SREG,   /* special register: reg is enum ptx_sreg, sel the component */
	PTX_OPD_SYM,    /* address of sym plus imm (mov d, sym+4), a function's address, a texture, surface, prototype */
	PTX_OPD_ADDR,   /* memory: [reg+imm], [sym+imm], [imm]: see base */
	PTX_OPD_VEC,    /* {a, b, ..}: elems[0..n-1] */
	PTX_OPD_SINK,   /* _ */
	PTX_OPD_LABEL,  /* reg is the label id */
	PTX_OPD_LIST,   /* (a, b, ..): elems[0..n-1], possibly none */
	PTX_OPD_TENSOR, /* [a, {x, y}] and texture/surface operands [t, s, {x, y}]: elems[0..n-1] in order */
};

enum ptx_base { PTX_BASE_NONE, PTX_BASE_REG, PTX_BASE_SYM };

struct ptx_operand {
	uint8_t kind;  /* enum ptx_operand_kind */
	bool neg;      /* `-a`, `!p` */
	uint8_t base;  /* PTX_OPD_ADDR: enum ptx_base */
	uint8_t sel;   /* 0 none; 1..4: .x .y .z .w (.r .g .b .a); video: 17..20 .b0-.b3, 21 22 .h0 .h1;
	                * 32: four byte selectors in sels (.b0123); 33: two half selectors in sels (.h10); 34: two or three
	                * bytes of a mask in sels, the last one repeated (.b210) */
	uint8_t n;     /* number of elems */
	bool is_f32;   /* FIMM written as 0fXXXXXXXX: f32bits holds the exact bits */
	bool uns;      /* IMM written as unsigned (U, or above the signed range) */
	uint32_t reg;  /* REG, ADDR base register: function-wide dense register id; SREG; LABEL */
	union {
		int64_t imm; /* IMM, offset of SYM and ADDR */
		uint64_t bits; /* FIMM */
	};
	union {
		struct ptx_symbol *sym;
		struct ptx_operand *elems;
		uint32_t f32bits;
		const uint8_t *sels; /* SIMD video lane selectors, 4 or 2 of them */
	};
};

enum ptx_stmt_kind {
	PTX_STMT_INST,
	PTX_STMT_LABEL,  /* a.label */
	PTX_STMT_LOC,    /* a.loc */
	PTX_STMT_PRAGMA, /* a.text */
};

struct ptx_loc {
	uint32_t file, line, column;
	/* inlined_at: function name's label and the place it was inlined at; inl_file 0: none */
	const char *inl_func;
	int64_t inl_func_off;
	uint32_t inl_file, inl_line, inl_column;
};

/* 32 bytes. */
struct ptx_stmt {
	uint8_t kind;      /* enum ptx_stmt_kind */
	bool guard_neg;    /* @!p */
	uint8_t nops;
	uint8_t pad;
	uint16_t form;     /* enum ptx_form */
	uint16_t row;      /* row of the form table */
	uint32_t line;     /* of the PTX text */
	uint32_t guard;    /* register id, or PTX_NO_REG */
	union {
		const struct ptx_mods *m; /* PTX_STMT_INST */
		uint32_t label;
		const struct ptx_loc *loc;
		const char *text;
	};
	struct ptx_operand *ops;  /* in the order of the text; destinations first as written */
};

/* ---- functions ---- */

struct ptx_reg {
	const char *base; /* name, without the number of a parameterised one */
	uint32_t num;     /* number of a parameterised register, or UINT32_MAX */
	uint8_t type;     /* enum ptx_type */
	uint8_t vec;      /* 1, 2, 4 */
	uint32_t line;
};

struct ptx_label {
	const char *name;
	uint32_t line;
	uint32_t stmt; /* index of its PTX_STMT_LABEL */
};

/* Performance and property directives; 0 or absent: not given. */
struct ptx_perf {
	uint32_t maxntid[3], reqntid[3];       /* missing components are 1; all 0 if the directive is missing */
	uint32_t minnctapersm, maxnctapersm, maxnreg;
	uint32_t reqnctapercluster[3], maxclusterrank;
	bool explicitcluster, blocksareclusters, noreturn;
	uint32_t abi_preserve, abi_preserve_control; /* 1 + value */
	uint32_t local_maxnreg;
};

struct ptx_func {
	struct ptx_symbol *sym;
	bool is_entry, is_decl; /* is_decl: no body in this module */
	bool has_body;
	uint32_t line, end_line;
	struct ptx_symbol **rets;   /* return parameters: .param (or .reg) variables */
	uint32_t nrets;
	struct ptx_symbol **params;
	uint32_t nparams;
	uint32_t *ret_regs, *param_regs; /* id of the register where a parameter is `.reg`, else PTX_NO_REG */
	uint64_t param_size;        /* of the parameter block */
	struct ptx_perf perf;
	struct ptx_func *alias_of;  /* .alias a, b */

	struct ptx_stmt *stmts;     /* the body, flat: scopes are resolved */
	uint32_t nstmts;
	struct ptx_reg *regs;       /* only registers that some statement names */
	uint32_t nregs;
	struct ptx_label *labels;
	uint32_t nlabels;
	struct ptx_symbol **vars;   /* .local, .shared, .global, .const and call-space .param of any scope of the body */
	uint32_t nvars;
	const char **pragmas;       /* before the body's first instruction or the function */
	uint32_t npragmas;
};

/* ---- module ---- */

struct ptx_file {
	uint32_t index;
	const char *name;
};

struct ptx_module {
	uint32_t version;      /* major * 10 + minor: 90 is 9.0 */
	uint32_t target;       /* 90 for sm_90, sm_90a */
	char target_suffix;    /* 'a', 'f' or 0 */
	bool debug, texmode_independent, map_f64_to_f32;
	uint32_t address_size; /* 32 or 64 */
	struct ptx_symbol **vars; /* module scope */
	uint32_t nvars;
	struct ptx_func **funcs;  /* in order of first declaration; a prototype and its definition are one */
	uint32_t nfuncs;
	struct ptx_file *files;
	uint32_t nfiles;
	const char **pragmas;
	uint32_t npragmas;
	bool has_sections;     /* .section / @@DWARF seen (kept out of the tree) */
	uint64_t lines;
};

/* ---- names ---- */

enum ptx_sreg {
	PTX_SREG_none,
#define X(name, ...) PTX_SREG_##name,
#include "parser/sregs.def"
#undef X
	PTX_SREG_COUNT
};

const char *ptx_op_name(uint32_t op);
const char *ptx_word_name(uint32_t word); /* without the leading dot */
const char *ptx_form_name(uint32_t form);
const char *ptx_type_name(uint32_t type);
const char *ptx_space_name(uint32_t space);
const char *ptx_sreg_name(uint32_t sreg);
uint32_t ptx_type_bits(uint32_t type);
/* "%r17" */
const char *ptx_reg_name(struct arena *a, const struct ptx_func *f, uint32_t reg);

#endif
