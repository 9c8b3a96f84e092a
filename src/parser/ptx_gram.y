/* Structure of PTX only: no opcode or modifier is named here. Semantic work is in ptx_parse.c, ptx_decl.c,
 * ptx_inst.c and ptx_expr.c. A syntax error resumes behind the next `;`. */
%define api.pure full
%define api.prefix {ptx_yy}
%param {struct parse *P}
%expect 0

%code requires {
#include "parser/parse.h"
}
%code {
static int ptx_yylex(PTX_YYSTYPE *v, struct parse *P)
{
	return ptx_next_token(v, P);
}
static void ptx_yyerror(struct parse *P, const char *msg)
{
	if (msg[0] == 's') /* "syntax error"; else "memory exhausted" */
		ptx_syntax_error(P);
	else
		diag_error(P->diags, P->lex.line, "Input too deeply nested");
}
}

%union {
	struct lex_text text;
	uint32_t val;
	struct ptx_operand opv;
}

%token <text> T_IDENT T_LABEL T_OPCODE T_STRING T_SELECTOR T_WORD
%token <opv> T_INT T_F32 T_FLOAT T_OPERAND
%token <val> T_TYPE T_VECTOR T_SPACE T_LINK T_PERF0 T_PERF1 T_PERF3
%token T_VERSION T_TARGET T_ADDRESS_SIZE T_FILE T_LOC T_SECTION T_PRAGMA T_ENTRY T_FUNC T_ALIAS T_REG T_ALIGN T_PTR
%token T_ATTRIBUTE T_MANAGED T_UNIFIED T_BRANCHTARGETS T_CALLTARGETS T_CALLPROTOTYPE
%token T_LIST T_BAD
%token T_SHL T_SHR T_EQ T_NE T_LE T_GE T_ANDAND T_OROR

%type <opv> expr primary operand number init_elem lit
%type <val> operands operand_list

%right '?' ':'
%left T_OROR
%left T_ANDAND
%left '|'
%left '^'
%left '&'
%left T_EQ T_NE
%left '<' '>' T_LE T_GE
%left T_SHL T_SHR
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY

%%

module: %empty | module item ;

item:
	  T_VERSION T_FLOAT { ptx_do_version(P, &$2); }
	| T_TARGET target_list { ptx_do_target_end(P); }
	| T_ADDRESS_SIZE lit { ptx_do_address_size(P, &$2); }
	| file
	| section
	| pragma
	| variable
	| function
	| T_ALIAS T_IDENT ',' T_IDENT ';' { ptx_do_alias(P, $2, $4); }
	| error ';' { yyerrok; ptx_recover_module(P); }
	| error '}' { yyerrok; ptx_recover_module(P); }
	;

target_list:
	  T_IDENT { ptx_do_target(P, $1); }
	| target_list ',' T_IDENT { ptx_do_target(P, $3); }
	;

file:
	  T_FILE lit T_STRING { ptx_do_file(P, &$2, $3); }
	| T_FILE lit T_STRING ',' lit { ptx_do_file(P, &$2, $3); }
	| T_FILE lit T_STRING ',' lit ',' lit { ptx_do_file(P, &$2, $3); }
	;

section: T_SECTION ;

pragma: T_PRAGMA pragma_list ';' ;
pragma_list:
	  T_STRING { ptx_do_pragma(P, $1); }
	| pragma_list ',' T_STRING { ptx_do_pragma(P, $3); }
	;

loc: lit lit lit loc_inlined { ptx_do_loc(P, &$1, &$2, &$3); } ;
loc_inlined:
	  %empty
	| ',' T_IDENT T_IDENT loc_offset ',' T_IDENT lit lit lit { ptx_do_loc_inlined(P, $2, $3, $6, &$7, &$8, &$9); }
	;
loc_offset: %empty { P->loc.inl_func_off = 0; } | '+' lit { P->loc.inl_func_off = $2.imm; } ;

lit: T_INT { $$ = $1; } ; /* where no expression may stand */

/* ---- declarations */

variable: var_start attributes var_names ';' { ptx_decl_end(P); } ;

var_start:
	  space { ptx_decl_start(P, PTX_LINK_NONE); }
	| T_ALIGN lit space { ptx_decl_start(P, PTX_LINK_NONE); ptx_decl_align(P, &$2); }
	| linkage space { ptx_decl_start(P, P->linkage); }
	| attribute_list space { ptx_decl_start(P, PTX_LINK_NONE); }
	| linkage attribute_list space { ptx_decl_start(P, P->linkage); }
	;

linkage: T_LINK { P->linkage = $1; } ;

space:
	  T_SPACE { ptx_decl_space(P, $1, false); }
	| T_SPACE '[' lit ']' { ptx_decl_space(P, $1, true); P->decl.bank = (uint32_t)$3.imm; }
	| T_REG { ptx_decl_space(P, PTX_SPACE_REG, false); }
	;

attributes: modifiers T_TYPE { ptx_decl_type(P, $2); } pointer ;
modifiers: %empty | modifiers modifier ;
modifier:
	  T_ALIGN lit { ptx_decl_align(P, &$2); }
	| T_VECTOR { ptx_decl_vec(P, $1); }
	| T_WORD { ptx_decl_word(P, $1); }
	| attribute_list
	;
pointer: %empty | T_ALIGN lit { ptx_decl_late_align(P, &$2); } | T_PTR { ptx_decl_ptr(P); } pointee ;
pointee:
	  %empty
	| T_SPACE { ptx_decl_ptr_space(P, $1); }
	| T_ALIGN lit { ptx_decl_align(P, &$2); }
	| T_SPACE T_ALIGN lit { ptx_decl_ptr_space(P, $1); ptx_decl_align(P, &$3); }
	;
attribute_list: T_ATTRIBUTE '(' attr_items ')' ;
attr_items: attr_item | attr_items ',' attr_item ;
attr_item:
	  T_MANAGED { P->attr_managed = true; }
	| T_UNIFIED '(' lit ',' lit ')' { ptx_do_unified(P, (uint64_t)$3.imm, (uint64_t)$5.imm); }
	;

var_names: %empty | var_list ;
var_list: var | var_list ',' var ;
var:
	  var_name dims { ptx_var_end(P); }
	| var_name dims '=' { ptx_init_start(P); } init { ptx_init_end(P); ptx_var_end(P); }
	| var_name '<' T_INT '>' { ptx_var_range(P, (uint64_t)$3.imm); }
	;
var_name: T_IDENT { ptx_var_name(P, $1); } ;
dims:
	  %empty
	| dims '[' ']' { ptx_var_dim(P, 0, false); }
	| dims '[' lit ']' { ptx_var_dim(P, (uint64_t)$3.imm, true); }
	;

init:
	  init_elem { ptx_init_elem(P, &$1); }
	| init_open init_list '}' { ptx_init_close(P); }
	| init_open '}' { ptx_init_close(P); }
	;
init_open: '{' { ptx_init_open(P); } ;
init_list: init_item | init_list ',' init_item ;
init_item:
	  init
	| T_IDENT '=' expr { ptx_init_field(P, $1); }
	;
init_elem:
	  expr { $$ = $1; }
	| T_INT '(' expr ')' { ptx_init_mask(P, &$$, &$1, &$3); }
	;

/* ---- functions */

function: func_head func_tail | linkage func_head func_tail ;

func_head:
	  T_ENTRY { ptx_func_start(P, true); } T_IDENT { ptx_func_name(P, $3); } params_opt
	| func_kw func_attrs ret_opt T_IDENT { ptx_func_name(P, $4); } params_opt
	;
func_kw: T_FUNC { ptx_func_start(P, false); } ;
func_attrs: %empty | func_attrs attribute_list ;
ret_opt:
	  %empty
	| ret_open ')' { ptx_params_end(P); }
	| ret_open param_list ')' { ptx_params_end(P); }
	;
ret_open: '(' { ptx_params_start(P, true); } ;
params_opt:
	  %empty
	| param_open ')' { ptx_params_end(P); }
	| param_open param_list ')' { ptx_params_end(P); }
	;
param_open: '(' { ptx_params_start(P, false); } ;
param_list: param | param_list ',' param ;
param: space { ptx_decl_start(P, PTX_LINK_NONE); } attributes var_name dims { ptx_param_end(P); } ;

func_tail:
	  perfs ';' { ptx_func_end_decl(P); }
	| perfs '{' { ptx_body_start(P); } stmts '}' { ptx_body_end(P); }
	;
perfs: %empty | perfs perf ;
perf:
	  T_PERF0 { ptx_do_perf0(P, $1); }
	| T_PERF1 { ptx_perf_start(P, $1); } lit { ptx_do_perf1(P, $1, &$3); }
	| T_PERF3 { ptx_perf_start(P, $1); } perf3 { ptx_do_perf3(P, $1); }
	| T_PRAGMA T_STRING ';' { ptx_do_pragma(P, $2); }
	;
perf3:
	  lit { ptx_perf_dims(P, &$1, NULL, NULL); }
	| lit ',' lit { ptx_perf_dims(P, &$1, &$3, NULL); }
	| lit ',' lit ',' lit { ptx_perf_dims(P, &$1, &$3, &$5); }
	;

stmts: %empty | stmts stmt ;
stmt:
	  instruction
	| '@' T_IDENT { ptx_do_guard(P, $2, false); } instruction
	| '@' '!' T_IDENT { ptx_do_guard(P, $3, true); } instruction
	| label { ptx_do_label(P, P->label); }
	| label T_BRANCHTARGETS ident_list ';' { ptx_do_targets(P, false); }
	| label T_CALLTARGETS ident_list ';' { ptx_do_targets(P, true); }
	| label proto_kw ret_opt T_IDENT { ptx_proto_name(P, $4); } params_opt perfs ';' { ptx_proto_end(P); }
	| '{' { ptx_scope_open(P); } stmts '}' { ptx_scope_close(P); }
	| local
	| T_LOC loc
	| pragma
	| section
	| error ';' { yyerrok; ptx_recover(P); }
	;
label: T_LABEL { P->label = $1; P->label_line = P->lex.line; } ;
local: local_start attributes var_names ';' { ptx_decl_end(P); } ;
local_start:
	  space { ptx_decl_start(P, PTX_LINK_NONE); }
	| attribute_list space { ptx_decl_start(P, PTX_LINK_NONE); }
	;
proto_kw: T_CALLPROTOTYPE { ptx_proto_start(P); } ;
ident_list:
	  T_IDENT { ptx_list_start(P); ptx_list_ident(P, $1); }
	| ident_list ',' T_IDENT { ptx_list_ident(P, $3); }
	;

instruction: opcode operands ';' { ptx_inst_end(P, $2); } ;
opcode: T_OPCODE { ptx_inst_start(P, $1); } ;

operands: %empty { $$ = 0; } | operand_list { $$ = $1; } ;
operand_list:
	  operand { ptx_push_operand(P, &$1); $$ = 1; }
	| operand_list ',' operand { ptx_push_operand(P, &$3); $$ = $1 + 1; }
	;

operand:
	  T_OPERAND { $$ = $1; }
	| expr { $$ = $1; }
	| '{' operands '}' { ptx_make_group(P, &$$, PTX_OPD_VEC, $2); }
	| T_LIST operands ')' { ptx_make_group(P, &$$, PTX_OPD_LIST, $2); }
	| '[' operand_list ']' { ptx_make_address(P, &$$, $2); }
	| '[' operand_list ']' T_SELECTOR { ptx_make_address(P, &$$, $2); ptx_address_suffix(P, $4); }
	;

expr:
	  primary { $$ = $1; }
	| '-' expr %prec UNARY { ptx_expr_unary(P, &$$, '-', &$2); }
	| '+' expr %prec UNARY { ptx_expr_unary(P, &$$, '+', &$2); }
	| '!' expr %prec UNARY { ptx_expr_unary(P, &$$, '!', &$2); }
	| '~' expr %prec UNARY { ptx_expr_unary(P, &$$, '~', &$2); }
	| '(' T_TYPE ')' expr %prec UNARY { ptx_expr_cast(P, &$$, $2, &$4); }
	| expr '*' expr { ptx_expr_binary(P, &$$, '*', &$1, &$3); }
	| expr '/' expr { ptx_expr_binary(P, &$$, '/', &$1, &$3); }
	| expr '%' expr { ptx_expr_binary(P, &$$, '%', &$1, &$3); }
	| expr '+' expr { ptx_expr_binary(P, &$$, '+', &$1, &$3); }
	| expr '-' expr { ptx_expr_binary(P, &$$, '-', &$1, &$3); }
	| expr T_SHL expr { ptx_expr_binary(P, &$$, T_SHL, &$1, &$3); }
	| expr T_SHR expr { ptx_expr_binary(P, &$$, T_SHR, &$1, &$3); }
	| expr '<' expr { ptx_expr_binary(P, &$$, '<', &$1, &$3); }
	| expr '>' expr { ptx_expr_binary(P, &$$, '>', &$1, &$3); }
	| expr T_LE expr { ptx_expr_binary(P, &$$, T_LE, &$1, &$3); }
	| expr T_GE expr { ptx_expr_binary(P, &$$, T_GE, &$1, &$3); }
	| expr T_EQ expr { ptx_expr_binary(P, &$$, T_EQ, &$1, &$3); }
	| expr T_NE expr { ptx_expr_binary(P, &$$, T_NE, &$1, &$3); }
	| expr '&' expr { ptx_expr_binary(P, &$$, '&', &$1, &$3); }
	| expr '^' expr { ptx_expr_binary(P, &$$, '^', &$1, &$3); }
	| expr '|' expr { ptx_expr_binary(P, &$$, '|', &$1, &$3); }
	| expr T_ANDAND expr { ptx_expr_binary(P, &$$, T_ANDAND, &$1, &$3); }
	| expr T_OROR expr { ptx_expr_binary(P, &$$, T_OROR, &$1, &$3); }
	| expr '?' expr ':' expr { ptx_expr_cond(P, &$$, &$1, &$3, &$5); }
	;

primary:
	  number { $$ = $1; }
	| T_IDENT { ptx_expr_ident(P, &$$, $1); }
	| primary T_SELECTOR { $$ = $1; ptx_expr_select(P, &$$, $2); }
	| T_IDENT '[' expr ']' { ptx_expr_index(P, &$$, $1, &$3); }
	| T_IDENT '(' expr ')' { ptx_init_generic(P, &$$, $1, &$3); }
	| '(' expr ')' { $$ = $2; ptx_expr_paren(P, &$$); }
	;
number: T_INT { $$ = $1; } | T_F32 { $$ = $1; } | T_FLOAT { $$ = $1; } ;

%%
