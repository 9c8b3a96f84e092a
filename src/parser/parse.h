/* Inside the parser: its state and the actions that the grammar calls. */
#ifndef PARSER_PARSE_H
#define PARSER_PARSE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/vec.h"
#include "lexer/ptx_lex.h"
#include "parser/forms.h"
#include "parser/ptx_ast.h"

/* Operand kinds that live only until the instruction is resolved. */
enum { OPD_NAME = 100 /* an identifier nothing is bound to: text in name, length in reg */ };

enum binding_kind { BIND_REG, BIND_SYM, BIND_LABEL };

struct binding {
	uint8_t kind, type, vec;
	uint32_t depth;
	uint32_t line;
	uint32_t id;              /* register (PTX_NO_REG until used), label */
	struct ptx_symbol *sym;
	struct binding *prev;
	/* parameterised registers: pages of ids + 1 */
	uint64_t count;
	uint32_t **pages;
};

struct name {
	const char *str;
	uint32_t len, hash;
	struct binding *bind;  /* the innermost declaration of the whole name */
	struct binding *range; /* ... of NAME<n> */
	bool has_numbered;     /* NAME followed by digits is also declared by itself */
	bool is_numbered;      /* is in the list of such names of its base */
	uint32_t number;
	struct name *numbered, *next_numbered;
	uint16_t sreg;
};

struct name_table {
	struct name **slots;
	uint32_t used, cap;
};

/* What is known of one distinct opcode text. */
struct opcode {
	struct lex_text text;
	uint32_t hash;
	struct ptx_mods m;
	uint16_t nrows;
	uint16_t *rows;           /* rows that the modifiers fit */
	const struct ptx_mods **row_mods; /* the modifiers as that row decodes them */
	const char *name;         /* of the instruction, for messages: "mul.wide" */
	const char *error;        /* or the reason why none does */
	bool bad_target;          /* error comes from the version or the target */
	bool bad_word;            /* error is a word that no instruction of the name takes */
};

struct opcode_table {
	struct opcode **slots;
	uint32_t used, cap;
};

struct label_ref {
	struct ptx_operand *opd; /* or */
	uint32_t *slot;
	struct name *name;
	uint32_t line;
	uint32_t depth;
};

struct undo {
	struct name *name;
	bool range;
};

struct scope {
	uint32_t undo;    /* length of undos when it was opened */
	uint32_t refs;
	uint32_t line;
};

/* A declaration being read. */
struct decl {
	uint8_t space, type, vec, linkage;
	bool is_ptr;
	uint8_t ptr_space;
	uint32_t ptr_align;
	uint32_t align, bank;
	bool has_bank, in_ptr;
	uint32_t line;
};

struct init_state {
	uint32_t depth;
	uint64_t start[16]; /* position where each open brace began */
	uint64_t pos;     /* in elements */
	uint64_t cap;
	uint8_t *bytes;
	bool bad, opaque;
	uint32_t line;
	VEC(struct ptx_reloc) relocs;
};

struct parse {
	struct arena *arena;
	struct diags *diags;
	struct ptx_module *mod;
	const struct ptx_parse_opts *opts;
	struct lex lex;
	int token, token2; /* the last two */
	bool ident_const;  /* the last identifier is a constant's name */
	bool seen_version, seen_target;
	uint8_t head; /* enum head: how far the module's first directives are read */
	uint32_t target_line;
	uint8_t texmode; /* which option of .target named one */

	struct name_table names;
	struct opcode_table opcodes;
	uint8_t req_known[256]; /* of form_reqs: 1 met, 2 not */
	VEC(struct scope) scopes;
	VEC(struct undo) undos;
	VEC(struct label_ref) refs;

	/* module lists */
	VEC(struct ptx_symbol *) vars;
	VEC(struct ptx_func *) funcs;
	VEC(struct ptx_file) files;
	VEC(const char *) pragmas;

	/* the declaration */
	struct decl decl;
	uint32_t linkage;
	bool attr_managed, attr_unified;
	uint64_t unified[2];
	struct lex_text var_text;
	uint32_t var_line;
	VEC(uint64_t) dims;
	bool dims_open;
	struct ptx_symbol *var;
	struct init_state init;

	/* the function */
	struct ptx_func *func;
	struct ptx_func *redecl; /* earlier declaration of the same name */
	bool is_proto, params_are_rets;
	uint32_t perf_line, nperfs;
	struct ptx_operand perf_dims[3];
	struct ptx_func *proto_outer;
	uint32_t proto_regs;
	struct lex_text proto_label;
	bool quiet; /* after a syntax error outside functions: no more of them until the next function */
	uint32_t func_linkage;
	VEC(struct ptx_symbol *) params;
	VEC(uint32_t) param_regs;
	VEC(struct ptx_stmt) stmts;
	VEC(struct ptx_reg) regs;
	VEC(struct ptx_label) labels;
	VEC(struct ptx_symbol *) fvars;
	VEC(const char *) fpragmas;
	bool in_body;

	/* the statement */
	struct lex_text label;
	uint32_t label_line;
	uint32_t guard;
	bool guard_neg, guard_bad;
	bool opcode_bad; /* has been reported */
	uint32_t inst_line;
	struct opcode *opcode;
	VEC(struct ptx_operand) opds; /* stack of operands read */
	VEC(struct lex_text) idents;
	struct ptx_loc loc;
	struct strmap locs, file_indices; /* what .loc and .file named */
};

/* ---- the grammar's actions, by file */

/* ptx_parse.c */
int ptx_next_token(void *v, struct parse *P);
void ptx_syntax_error(struct parse *P);
void ptx_recover(struct parse *P);
void ptx_recover_module(struct parse *P);
void ptx_do_version(struct parse *P, const struct ptx_operand *v);
void ptx_do_target(struct parse *P, struct lex_text t);
void ptx_do_target_end(struct parse *P);
void ptx_do_address_size(struct parse *P, const struct ptx_operand *n);
void ptx_do_file(struct parse *P, const struct ptx_operand *index, struct lex_text name);
void ptx_do_pragma(struct parse *P, struct lex_text s);
void ptx_do_loc(struct parse *P, const struct ptx_operand *f, const struct ptx_operand *l, const struct ptx_operand *c);
void ptx_do_loc_inlined(struct parse *P, struct lex_text word, struct lex_text name, struct lex_text inlined, const struct ptx_operand *f,
			const struct ptx_operand *l, const struct ptx_operand *c);
void ptx_syntax_near(struct parse *P, uint32_t line, struct lex_text t);
bool ptx_target_ok(const struct ptx_module *m, const char *req);

/* names.c */
struct name *ptx_name_get(struct parse *P, const char *s, uint32_t n);
struct name *ptx_name_find(struct parse *P, const char *s, uint32_t n);
void ptx_name_bind(struct parse *P, struct name *n, struct binding *b, bool range);
bool ptx_name_resolve(struct parse *P, struct lex_text t, struct ptx_operand *o);
struct binding *ptx_name_lookup(struct parse *P, struct lex_text t);
uint32_t ptx_reg_id(struct parse *P, struct binding *b, struct name *n, uint32_t num);
void ptx_scope_push(struct parse *P);
void ptx_scope_pop(struct parse *P);
struct opcode *ptx_opcode_get(struct parse *P, struct lex_text t);

/* ptx_decl.c */
void ptx_decl_space(struct parse *P, uint32_t space, bool bank);
void ptx_decl_start(struct parse *P, uint32_t linkage);
void ptx_decl_align(struct parse *P, const struct ptx_operand *n);
void ptx_decl_late_align(struct parse *P, const struct ptx_operand *n);
void ptx_decl_ptr(struct parse *P);
void ptx_decl_vec(struct parse *P, uint32_t n);
void ptx_decl_type(struct parse *P, uint32_t type);
void ptx_decl_word(struct parse *P, struct lex_text w);
void ptx_decl_ptr_space(struct parse *P, uint32_t space);
void ptx_decl_end(struct parse *P);
void ptx_do_unified(struct parse *P, uint64_t a, uint64_t b);
void ptx_var_name(struct parse *P, struct lex_text t);
void ptx_var_dim(struct parse *P, uint64_t n, bool given);
void ptx_var_range(struct parse *P, uint64_t n);
void ptx_var_end(struct parse *P);
void ptx_param_end(struct parse *P);
struct ptx_symbol *ptx_var_make(struct parse *P);
void ptx_param_check(struct parse *P, const struct ptx_symbol *s);

void ptx_init_start(struct parse *P);
void ptx_init_end(struct parse *P);
void ptx_init_open(struct parse *P);
void ptx_init_close(struct parse *P);
void ptx_init_elem(struct parse *P, struct ptx_operand *v);
void ptx_init_field(struct parse *P, struct lex_text name);
void ptx_init_mask(struct parse *P, struct ptx_operand *out, const struct ptx_operand *mask, struct ptx_operand *v);
void ptx_init_generic(struct parse *P, struct ptx_operand *out, struct lex_text word, struct ptx_operand *v);

/* ptx_func.c */
void ptx_func_start(struct parse *P, bool entry);
void ptx_func_name(struct parse *P, struct lex_text t);
void ptx_params_start(struct parse *P, bool rets);
void ptx_params_end(struct parse *P);
void ptx_func_end_decl(struct parse *P);
void ptx_body_start(struct parse *P);
void ptx_body_end(struct parse *P);
void ptx_scope_open(struct parse *P);
void ptx_scope_close(struct parse *P);
void ptx_do_perf0(struct parse *P, uint32_t d);
void ptx_perf_start(struct parse *P, uint32_t d);
void ptx_perf_dims(struct parse *P, const struct ptx_operand *x, const struct ptx_operand *y, const struct ptx_operand *z);
void ptx_do_perf1(struct parse *P, uint32_t d, const struct ptx_operand *n);
void ptx_do_perf3(struct parse *P, uint32_t d);
void ptx_check_functions(struct parse *P);
void ptx_check_constants(struct parse *P);
void ptx_do_alias(struct parse *P, struct lex_text a, struct lex_text b);
void ptx_proto_start(struct parse *P);
void ptx_proto_name(struct parse *P, struct lex_text t);
void ptx_proto_end(struct parse *P);
void ptx_do_label(struct parse *P, struct lex_text t);
void ptx_do_targets(struct parse *P, bool calls);
void ptx_list_start(struct parse *P);
void ptx_list_ident(struct parse *P, struct lex_text t);

/* ptx_inst.c */
void ptx_do_guard(struct parse *P, struct lex_text t, bool neg);
void ptx_inst_start(struct parse *P, struct lex_text t);
void ptx_inst_end(struct parse *P, uint32_t nops);
void ptx_push_operand(struct parse *P, const struct ptx_operand *o);
void ptx_make_group(struct parse *P, struct ptx_operand *out, uint8_t kind, uint32_t n);
void ptx_make_address(struct parse *P, struct ptx_operand *out, uint32_t n);
void ptx_address_suffix(struct parse *P, struct lex_text t);

/* ptx_opcode.c: matches modifiers against the form table */
void ptx_opcode_match(struct parse *P, struct opcode *o);

/* ptx_check_mem.c: textures, surfaces, tensors, fragment sizes */
struct check;
const char *ptx_check_mem(struct check *c, const struct form_opd *f, const struct ptx_operand *o);
uint32_t ptx_check_count(const struct ptx_mods *m, uint32_t count);
const char *ptx_check_inst(struct check *c, const struct ptx_operand *ops, uint32_t n);
bool ptx_all_sinks(const struct ptx_operand *o);

/* ptx_call.c */
const char *ptx_check_call(struct check *c, const struct ptx_operand *ops, uint32_t n);

/* ptx_check.c: operands against a row; returns NULL or the message */
const char *ptx_check_operands(struct parse *P, const struct opcode *oc, uint32_t row, struct ptx_operand *ops, uint32_t n);

/* The type that row operand `f` has under modifiers `m`. */
uint32_t ptx_operand_type(const struct ptx_mods *m, const struct form_opd *f);

/* ptx_expr.c */
void ptx_expr_ident(struct parse *P, struct ptx_operand *out, struct lex_text t);
void ptx_expr_select(struct parse *P, struct ptx_operand *o, struct lex_text sel);
void ptx_expr_index(struct parse *P, struct ptx_operand *out, struct lex_text t, const struct ptx_operand *i);
void ptx_expr_paren(struct parse *P, struct ptx_operand *o);
void ptx_expr_unary(struct parse *P, struct ptx_operand *out, int op, const struct ptx_operand *a);
void ptx_expr_cast(struct parse *P, struct ptx_operand *out, uint32_t type, const struct ptx_operand *a);
void ptx_expr_binary(struct parse *P, struct ptx_operand *out, int op, const struct ptx_operand *a,
		     const struct ptx_operand *b);
void ptx_expr_cond(struct parse *P, struct ptx_operand *out, const struct ptx_operand *c, const struct ptx_operand *a,
		   const struct ptx_operand *b);

/* What the operand checks pass around. */
struct check {
	struct parse *P;
	const struct ptx_mods *m;
	const struct form_row *row;
	const char *op;
	uint32_t arg; /* number of the operand, for messages */
};
const char *ptx_check_mismatch(struct check *c);

/* The elements of a vector expression as one type. */
enum { ELEM_INT = 255 /* an integer constant */ };
struct elements {
	uint8_t type; /* of all of them, or of the last */
	bool loose;   /* they differ: only the size counts */
	bool regs;
};
/* `index`: the first element is an array index, of whatever type. */
const char *ptx_check_elements(struct check *c, const struct ptx_operand *o, bool index, struct elements *e);
/* Memory and texture instructions take vectors of integers for floats. */
bool ptx_int_for_float(const struct check *c, bool gradient, uint32_t elem, uint32_t type);

#define perr(P, line, ...) diag_error((P)->diags, (line), __VA_ARGS__)

#endif
