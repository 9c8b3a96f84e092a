/* Functions: heads, parameters, bodies, labels, prototypes, target lists, performance directives. */
#include <string.h>

#include "parser/parse.h"
#include "parser/ptx_types.h"

static void clear_func(struct parse *P)
{
	memset(&P->params, 0, sizeof P->params);
	memset(&P->param_regs, 0, sizeof P->param_regs);
	memset(&P->stmts, 0, sizeof P->stmts);
	memset(&P->regs, 0, sizeof P->regs);
	memset(&P->labels, 0, sizeof P->labels);
	memset(&P->fvars, 0, sizeof P->fvars);
	memset(&P->fpragmas, 0, sizeof P->fpragmas);
}

void ptx_func_start(struct parse *P, bool entry)
{
	P->quiet = false;
	if (P->linkage == PTX_LINK_COMMON)
		ptx_syntax_near(P, P->lex.line, P->lex.word);
	P->nperfs = 0;
	P->func = NEW(P->arena, struct ptx_func);
	P->func->is_entry = entry;
	P->func->line = P->lex.line;
	P->func_linkage = P->linkage;
	P->linkage = PTX_LINK_NONE;
	P->redecl = NULL;
	P->is_proto = false;
	P->refs.len = 0; /* what a syntax error has left open */
	while (P->scopes.len)
		ptx_scope_pop(P);
	clear_func(P);
	ptx_scope_push(P);
}

/* At module scope: the head's own scope is open already and must not hold the function's name. */
static void bind_func(struct parse *P, struct name *n, struct ptx_symbol *s)
{
	struct binding *b = NEW(P->arena, struct binding);
	*b = (struct binding){.kind = BIND_SYM, .sym = s, .line = s->line, .depth = 0};
	struct binding **top = &n->bind;
	while (*top && (*top)->depth > 0)
		top = &(*top)->prev;
	b->prev = *top;
	*top = b;
}

void ptx_func_name(struct parse *P, struct lex_text t)
{
	struct name *n = ptx_name_get(P, t.p, t.n);
	struct binding *b = n->bind;
	while (b && b->depth > 0)
		b = b->prev;
	if (b && b->kind == BIND_SYM && b->sym->kind == PTX_SYM_FUNC) {
		P->func->sym = b->sym;
		P->redecl = b->sym->func;
		return;
	}
	struct ptx_symbol *s = NEW(P->arena, struct ptx_symbol);
	*s = (struct ptx_symbol){.name = n->str, .kind = PTX_SYM_FUNC, .linkage = (uint8_t)P->func_linkage,
				 .line = P->lex.line, .func = P->func, .align = 1, .id = P->funcs.len};
	P->func->sym = s;
	if (b) {
		perr(P, P->lex.line, "Duplicate definition of function '%s'", n->str);
		return;
	}
	bind_func(P, n, s);
}

void ptx_params_start(struct parse *P, bool rets)
{
	P->params_are_rets = rets;
	P->params.len = 0;
	P->param_regs.len = 0;
}

/* A parameter: a variable in .param space, or a register of a device function. */
void ptx_param_end(struct parse *P)
{
	bool sink = P->var_text.n == 1 && P->var_text.p[0] == '_';
	uint32_t reg = PTX_NO_REG;
	if (!P->decl.type) {
		perr(P, P->var_line, "Parsing error near '%.*s': syntax error", (int)P->var_text.n, P->var_text.p);
		return;
	}
	if (P->decl.space != PTX_SPACE_REG && P->decl.space != PTX_SPACE_PARAM)
		perr(P, P->var_line, "Function parameter '%.*s' has illegal state space", (int)P->var_text.n, P->var_text.p);
	if (P->decl.space == PTX_SPACE_REG && P->func->is_entry)
		perr(P, P->var_line, "Function parameter '%.*s' has illegal state space", (int)P->var_text.n, P->var_text.p);
	if (P->decl.type == PTX_T_pred && P->decl.space != PTX_SPACE_REG && !P->is_proto)
		perr(P, P->var_line, "Predicate variable '%.*s' must be in register state space", (int)P->var_text.n, P->var_text.p);
	if (P->dims_open && P->func->is_entry)
		perr(P, P->var_line, "Parameter to entry function cannot be an incomplete array.");
	if (P->dims.len > 1)
		perr(P, P->var_line, "Parsing error near '[': syntax error");
	if (P->decl.space == PTX_SPACE_PARAM && (P->decl.vec > 1 || (!P->func->is_entry && !ptx_type_is_reg(P->decl.type))))
		perr(P, P->var_line, "Variable '%.*s' cannot be allocated in .param state space", (int)P->var_text.n, P->var_text.p);
	if (P->decl.type == PTX_T_samplerref && !P->mod->texmode_independent)
		perr(P, P->var_line, "Instruction or declaration violates .target texmode_unified setting");
	if (P->attr_managed)
		perr(P, P->var_line, "Illegal attribute '.managed' for symbol '%.*s'", (int)P->var_text.n, P->var_text.p);
	if (sink && !P->is_proto && !P->func->is_entry)
		perr(P, P->var_line, "Illegal parameter name '_'");
	struct ptx_symbol *s = ptx_var_make(P);
	s->is_entry_param = P->func->is_entry;
	s->is_func_param = !P->func->is_entry && !P->params_are_rets;
	s->is_ret_param = P->params_are_rets;
	if (P->decl.space == PTX_SPACE_PARAM && !P->is_proto)
		ptx_param_check(P, s);
	s->id = P->params.len;
	if (!sink) {
		struct name *n = ptx_name_get(P, P->var_text.p, P->var_text.n);
		struct binding *b = NEW(P->arena, struct binding);
		*b = (struct binding){.kind = BIND_SYM, .sym = s, .line = s->line, .id = PTX_NO_REG};
		if (P->decl.space == PTX_SPACE_REG) {
			b->kind = BIND_REG;
			b->type = P->decl.type;
			b->vec = P->decl.vec;
		}
		if (n->bind && n->bind->depth == P->scopes.len)
			perr(P, P->var_line, "Formal parameter names must be all different.");
		else
			ptx_name_bind(P, n, b, false);
		if (b->kind == BIND_REG)
			reg = ptx_reg_id(P, b, n, UINT32_MAX);
	}
	vec_push(P->arena, &P->params, s);
	vec_push(P->arena, &P->param_regs, reg);
}

void ptx_params_end(struct parse *P)
{
	struct ptx_func *f = P->func;
	uint64_t off = 0;
	for (uint32_t i = 0; i < P->params.len; i++) {
		struct ptx_symbol *s = P->params.data[i];
		uint64_t align = f->is_entry && s->align > 16 ? 16 : s->align; /* as ptxas places a kernel's */
		off = (off + align - 1) & ~(align - 1);
		s->offset = off;
		off += s->size;
	}
	if (P->params_are_rets) {
		for (uint32_t i = 0; i < P->params.len && P->params.len > 1; i++)
			if (P->params.data[i]->space != PTX_SPACE_REG) {
				perr(P, P->lex.line, "Multiple return parameters require .register state space");
				break;
			}
		f->rets = P->params.data;
		f->nrets = P->params.len;
		f->ret_regs = P->param_regs.data;
	} else {
		f->params = P->params.data;
		f->nparams = P->params.len;
		f->param_regs = P->param_regs.data;
		f->param_size = off;
	}
	memset(&P->params, 0, sizeof P->params);
	memset(&P->param_regs, 0, sizeof P->param_regs);
}

/* The size of the parameter block. */
static void check_entry(struct parse *P, const struct ptx_func *f)
{
	uint64_t max = P->mod->version >= 81 && P->mod->target >= 70 ? 0x7ffc : 0x1100;
	if (f->param_size > max)
		perr(P, f->line, "Entry function '%s' uses too much parameter space (0x%llx bytes, 0x%llx max).", f->sym->name,
		     (unsigned long long)f->param_size, (unsigned long long)max);
}

static const char *lists_differ(struct ptx_symbol *const *a, uint32_t na, struct ptx_symbol *const *b, uint32_t nb)
{
	if (na != nb)
		return "number of parameters";
	for (uint32_t i = 0; i < na; i++) {
		if (a[i]->size != b[i]->size || a[i]->type != b[i]->type)
			return "types";
		if (a[i]->align != b[i]->align)
			return "alignment";
	}
	return NULL;
}

static bool passable(const struct ptx_symbol *s)
{
	return s->is_array || s->type == PTX_T_none || (s->type != PTX_T_pred && (!ptx_type_is_int(s->type) || ptx_type_bits(s->type) >= 32));
}

static void check_abi(struct parse *P, const struct ptx_func *f)
{
	for (uint32_t i = 0; i < f->nrets + f->nparams; i++) {
		bool ret = i < f->nrets;
		if (!passable(ret ? f->rets[i] : f->params[i - f->nrets])) {
			perr(P, f->line, "In ABI compilation, %s is not supported",
			     ret ? "returning predicate, 8-bit and 16-bit values from device functions"
				 : "passing predicate, 8-bit and 16-bit parameters to device functions");
			return;
		}
		if (!ret && f->params[i - f->nrets]->is_array && !f->params[i - f->nrets]->size && i + 1 < f->nrets + f->nparams)
			perr(P, f->line, "Only the last input parameter can be an incomplete array.");
	}
}

/* Files the function under its symbol; an earlier declaration is replaced by a definition. */
static void file_func(struct parse *P, bool body)
{
	struct ptx_func *f = P->func, *old = P->redecl;
	f->is_decl = !body;
	f->has_body = body;
	f->regs = P->regs.data;
	f->nregs = P->regs.len;
	f->pragmas = P->fpragmas.data;
	f->npragmas = P->fpragmas.len;
	P->func = NULL;
	if (!f->sym)
		return;
	if (f->is_entry)
		check_entry(P, f);
	else if (body)
		check_abi(P, f);
	if (body && f->sym->linkage == PTX_LINK_EXTERN && (!old || P->func_linkage == PTX_LINK_EXTERN)) {
		perr(P, f->line, "Function definition conflicts with '.extern' declaration for function '%s'", f->sym->name);
		return;
	}
	if (!old) {
		f->sym->func = f;
		f->sym->id = P->funcs.len;
		vec_push(P->arena, &P->funcs, f);
		return;
	}
	if (old->has_body || (body && old->alias_of)) {
		perr(P, f->line, "Duplicate definition of function '%s'", f->sym->name);
		return;
	}
	if (P->func_linkage != f->sym->linkage && (P->func_linkage != PTX_LINK_NONE || f->sym->linkage == PTX_LINK_EXTERN)) {
		perr(P, f->line, "Inconsistent redefinition of variable '%s'", f->sym->name);
		return;
	}
	const char *differ = old->is_entry != f->is_entry ? "kinds"
							  : lists_differ(old->rets, old->nrets, f->rets, f->nrets);
	if (!differ)
		differ = lists_differ(old->params, old->nparams, f->params, f->nparams);
	if (differ)
		perr(P, f->line, "Mismatch between declaration and definition of function '%s', %s differ", f->sym->name, differ);
	if (!body)
		return;
	f->sym->func = f;
	if (f->sym->id < P->funcs.len && P->funcs.data[f->sym->id] == old)
		P->funcs.data[f->sym->id] = f;
}

/* Directives that exclude or require each other. */
static void check_perfs(struct parse *P)
{
	const struct ptx_perf *p = &P->func->perf;
	if (p->maxntid[0] && p->reqntid[0])
		perr(P, P->lex.line, "Conflicting directives: .maxntid and .reqntid cannot both be specified");
	if (p->blocksareclusters && (!p->reqntid[0] || !p->reqnctapercluster[0]))
		perr(P, P->lex.line, ".reqntid and .reqnctapercluster directive(s) required for directive '.blocksareclusters'");
	if (p->noreturn && P->func->nrets)
		perr(P, P->lex.line, "Invalid directive '.noreturn' for function '%s'", P->func->sym ? P->func->sym->name : "?");
}

void ptx_func_end_decl(struct parse *P)
{
	if (P->nperfs && P->func->is_entry)
		perr(P, P->lex.line, "Parsing error near ';': syntax error");
	check_perfs(P);
	ptx_scope_pop(P);
	file_func(P, false);
}

void ptx_body_start(struct parse *P)
{
	check_perfs(P);
	P->in_body = true;
	P->guard = PTX_NO_REG;
}

void ptx_body_end(struct parse *P)
{
	struct ptx_func *f = P->func;
	P->in_body = false;
	ptx_scope_pop(P);
	for (uint32_t i = 0; i < P->refs.len; i++)
		perr(P, P->refs.data[i].line, "Unknown symbol '%s'", P->refs.data[i].name->str);
	P->refs.len = 0;
	f->end_line = P->lex.line;
	f->stmts = P->stmts.data;
	f->nstmts = P->stmts.len;
	f->labels = P->labels.data;
	f->nlabels = P->labels.len;
	f->vars = P->fvars.data;
	f->nvars = P->fvars.len;
	file_func(P, true);
}

void ptx_scope_open(struct parse *P)
{
	ptx_scope_push(P);
}

void ptx_scope_close(struct parse *P)
{
	ptx_scope_pop(P);
}

/* ---- labels and lists of them */

void ptx_do_label(struct parse *P, struct lex_text t)
{
	struct name *n = ptx_name_get(P, t.p, t.n);
	if (n->bind && n->bind->depth == P->scopes.len) {
		perr(P, P->label_line, "Duplicate definition of label '%s'", n->str);
		return;
	}
	struct binding *b = NEW(P->arena, struct binding);
	*b = (struct binding){.kind = BIND_LABEL, .line = P->label_line, .id = P->labels.len};
	ptx_name_bind(P, n, b, false);
	vec_push(P->arena, &P->labels, (struct ptx_label){n->str, P->label_line, P->stmts.len});
	vec_push(P->arena, &P->stmts,
		 (struct ptx_stmt){.kind = PTX_STMT_LABEL, .line = P->label_line, .guard = PTX_NO_REG, .label = b->id});
}

void ptx_list_start(struct parse *P)
{
	P->idents.len = 0;
}

void ptx_list_ident(struct parse *P, struct lex_text t)
{
	vec_push(P->arena, &P->idents, t);
}

static struct ptx_symbol *bind_list(struct parse *P, uint8_t kind)
{
	struct name *n = ptx_name_get(P, P->label.p, P->label.n);
	struct ptx_symbol *s = NEW(P->arena, struct ptx_symbol);
	*s = (struct ptx_symbol){.name = n->str, .kind = kind, .line = P->lex.line, .align = 1};
	if (n->bind && n->bind->depth == P->scopes.len) {
		perr(P, P->lex.line, "Duplicate definition of label '%s'", n->str);
		return s;
	}
	struct binding *b = NEW(P->arena, struct binding);
	*b = (struct binding){.kind = BIND_SYM, .sym = s, .line = s->line};
	ptx_name_bind(P, n, b, false);
	return s;
}

void ptx_do_targets(struct parse *P, bool calls)
{
	struct ptx_symbol *s = bind_list(P, PTX_SYM_TARGETS);
	uint32_t n = P->idents.len;
	s->ntargets = n;
	if (calls)
		s->funcs = NEWN(P->arena, struct ptx_symbol *, n);
	else
		s->labels = NEWN(P->arena, uint32_t, n);
	for (uint32_t i = 0; i < n; i++) {
		struct lex_text t = P->idents.data[i];
		if (!calls) {
			vec_push(P->arena, &P->refs,
				 (struct label_ref){.slot = &s->labels[i], .name = ptx_name_get(P, t.p, t.n), .line = P->lex.line,
						    .depth = P->scopes.len});
			continue;
		}
		struct binding *b = ptx_name_lookup(P, t);
		if (!b)
			perr(P, P->lex.line, "Unknown symbol '%.*s'", (int)t.n, t.p);
		else if (b->kind != BIND_SYM || b->sym->kind != PTX_SYM_FUNC)
			perr(P, P->lex.line, "Illegal call target, device function expected");
		else
			s->funcs[i] = b->sym;
	}
}

/* A prototype's parameters are read as a function's would be, in a scope of their own. */
void ptx_proto_start(struct parse *P)
{
	P->proto_outer = P->func;
	P->func = NEW(P->arena, struct ptx_func);
	P->func->line = P->lex.line;
	P->proto_regs = P->regs.len;
	P->proto_label = P->label;
	P->is_proto = true;
	ptx_scope_push(P);
}

void ptx_proto_name(struct parse *P, struct lex_text t)
{
	if (t.n != 1 || t.p[0] != '_')
		ptx_syntax_near(P, P->lex.line, t);
}

void ptx_proto_end(struct parse *P)
{
	struct ptx_func *f = P->func;
	if (f->perf.noreturn && f->nrets)
		perr(P, P->lex.line, "Invalid directive '.noreturn' for function 'prototype with return parameters'");
	P->is_proto = false;
	ptx_scope_pop(P);
	P->regs.len = P->proto_regs;
	P->func = P->proto_outer;
	P->label = P->proto_label;
	f->is_decl = true;
	f->sym = bind_list(P, PTX_SYM_PROTO);
	f->sym->func = f;
}

/* ---- performance and property directives */

static const struct {
	const char *name;
	bool entry, func; /* where it may stand */
	bool positive;
} perf_info[] = {
	[DIR_MAXNTID] = {"maxntid", true, false, true},
	[DIR_REQNTID] = {"reqntid", true, false, true},
	[DIR_REQNCTAPERCLUSTER] = {"reqnctapercluster", true, false, false},
	[DIR_MINNCTAPERSM] = {"minnctapersm", true, false, true},
	[DIR_MAXNCTAPERSM] = {"maxnctapersm", true, false, true},
	[DIR_MAXNREG] = {"maxnreg", true, false, true},
	[DIR_MAXCLUSTERRANK] = {"maxclusterrank", true, false, false},
	[DIR_ABI_PRESERVE] = {"abi_preserve", false, true, false},
	[DIR_ABI_PRESERVE_CONTROL] = {"abi_preserve_control", false, true, false},
	[DIR_NORETURN] = {"noreturn", false, true, false},
	[DIR_EXPLICITCLUSTER] = {"explicitcluster", true, false, false},
	[DIR_BLOCKSARECLUSTERS] = {"blocksareclusters", true, false, false},
};

void ptx_perf_start(struct parse *P, uint32_t d)
{
	P->perf_line = P->lex.line;
	P->nperfs++;
	if (P->func && !(P->func->is_entry ? perf_info[d].entry : perf_info[d].func))
		perr(P, P->perf_line, "Parsing error near '.%s': syntax error", perf_info[d].name);
}

void ptx_do_perf0(struct parse *P, uint32_t d)
{
	ptx_perf_start(P, d);
	if (!P->func)
		return;
	struct ptx_perf *p = &P->func->perf;
	if (d == DIR_NORETURN && p->noreturn)
		perr(P, P->perf_line, "Parsing error near '.noreturn': syntax error");
	p->noreturn |= d == DIR_NORETURN;
	p->explicitcluster |= d == DIR_EXPLICITCLUSTER;
	p->blocksareclusters |= d == DIR_BLOCKSARECLUSTERS;
}

static uint32_t perf_value(struct parse *P, uint32_t d, const struct ptx_operand *v)
{
	if ((uint64_t)v->imm > UINT32_MAX) {
		perr(P, v->reg, "Constant overflow");
		return 1;
	}
	if (perf_info[d].positive && !v->imm)
		perr(P, P->lex.line, "Positive non-zero value expected for %s", perf_info[d].name);
	return (uint32_t)v->imm;
}

static void check_ranks(struct parse *P, const struct ptx_perf *p)
{
	if (p->reqnctapercluster[0] && p->maxclusterrank)
		perr(P, P->perf_line, "Conflicting directives: .reqnctapercluster and .maxclusterrank cannot both be specified");
}

void ptx_do_perf1(struct parse *P, uint32_t d, const struct ptx_operand *n)
{
	if (!P->func)
		return;
	struct ptx_perf *p = &P->func->perf;
	uint32_t v = perf_value(P, d, n);
	switch (d) {
	case DIR_MINNCTAPERSM:
		p->minnctapersm = v;
		break;
	case DIR_MAXNCTAPERSM:
		p->maxnctapersm = v;
		if (P->mod->version >= 21)
			perr(P, P->perf_line, "Deprecated feature: '.maxnctapersm directive' not supported as of PTX version 2.1");
		break;
	case DIR_MAXNREG:
		p->maxnreg = v;
		break;
	case DIR_MAXCLUSTERRANK:
		p->maxclusterrank = v;
		check_ranks(P, p);
		break;
	case DIR_ABI_PRESERVE:
		if (v > 255)
			perr(P, n->reg, ".abi_preserve %u is invalid for sm_%u", v, P->mod->target);
		p->abi_preserve = v + 1;
		break;
	case DIR_ABI_PRESERVE_CONTROL:
		p->abi_preserve_control = v + 1;
		break;
	default:
		break;
	}
}

void ptx_perf_dims(struct parse *P, const struct ptx_operand *x, const struct ptx_operand *y, const struct ptx_operand *z)
{
	struct ptx_operand one = {.kind = PTX_OPD_IMM, .imm = 1};
	P->perf_dims[0] = *x;
	P->perf_dims[1] = y ? *y : one;
	P->perf_dims[2] = z ? *z : one;
}

void ptx_do_perf3(struct parse *P, uint32_t d)
{
	if (!P->func)
		return;
	struct ptx_perf *p = &P->func->perf;
	uint32_t *v = d == DIR_MAXNTID ? p->maxntid : d == DIR_REQNTID ? p->reqntid : p->reqnctapercluster;
	for (uint32_t i = 0; i < 3; i++)
		v[i] = perf_value(P, d, &P->perf_dims[i]);
	check_ranks(P, p);
}

static struct ptx_func *named_func(struct parse *P, struct lex_text t)
{
	struct binding *b = ptx_name_lookup(P, t);
	if (b && b->kind == BIND_SYM && b->sym->kind == PTX_SYM_FUNC)
		return b->sym->func;
	perr(P, P->lex.line, "Unknown symbol '%.*s'", (int)t.n, t.p);
	return NULL;
}

/* Why `alias` cannot stand for `target`, or NULL. */
static const char *alias_error(struct parse *P, const struct ptx_func *alias, const struct ptx_func *target)
{
	const char *a = alias->sym->name, *b = target->sym->name;
	if (alias->is_entry || target->is_entry)
		return arena_printf(P->arena, "Cannot define alias to entry function '%s'", alias->is_entry ? a : b);
	if (alias == target)
		return "Cannot alias a function to itself";
	if (alias->alias_of)
		return arena_printf(P->arena, "'%s' is already aliased to '%s' and cannot be redefined", a, alias->alias_of->sym->name);
	if (target->alias_of)
		return arena_printf(P->arena, "Alias '%s' cannot be aliased", b);
	if (alias->has_body)
		return arena_printf(P->arena, "Illegal redefinition of function '%s' as alias", a);
	if (target->sym->linkage == PTX_LINK_WEAK || target->sym->linkage == PTX_LINK_EXTERN)
		return arena_printf(P->arena, "Function '%s' with .%s scope cannot be aliased", b,
				    target->sym->linkage == PTX_LINK_WEAK ? "weak" : "extern");
	const char *differ = alias->perf.noreturn != target->perf.noreturn ? ".noreturn directive"
									  : lists_differ(alias->rets, alias->nrets, target->rets, target->nrets);
	if (!differ)
		differ = lists_differ(alias->params, alias->nparams, target->params, target->nparams);
	return differ ? arena_printf(P->arena, "Mismatch in prototype of alias '%s' and aliasee '%s'. %s differ(s)", a, b, differ) : NULL;
}

void ptx_do_alias(struct parse *P, struct lex_text a, struct lex_text b)
{
	struct ptx_func *alias = named_func(P, a), *target = named_func(P, b);
	const char *why = alias && target ? alias_error(P, alias, target) : NULL;
	if (why)
		perr(P, P->lex.line, "%s", why);
	else if (alias && target)
		alias->alias_of = target;
}

/* At the end of the module: what is declared is defined, aliased or external. */
void ptx_check_functions(struct parse *P)
{
	for (uint32_t i = 0; i < P->funcs.len; i++) {
		const struct ptx_func *f = P->funcs.data[i];
		if (!f->has_body && !f->alias_of && f->sym->linkage != PTX_LINK_EXTERN)
			perr(P, f->line, "Unresolved extern function '%s'", f->sym->name);
	}
}
