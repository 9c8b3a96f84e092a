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
	P->func = NEW(P->arena, struct ptx_func);
	P->func->is_entry = entry;
	P->func->line = P->lex.line;
	P->func_linkage = P->linkage;
	P->linkage = PTX_LINK_NONE;
	P->redecl = NULL;
	P->is_proto = false;
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
	if (P->decl.type == PTX_T_pred && P->decl.space != PTX_SPACE_REG)
		perr(P, P->var_line, "Predicate variable '%.*s' must be in register state space", (int)P->var_text.n, P->var_text.p);
	if (P->dims_open)
		perr(P, P->var_line, "Parameter to %s function cannot be an incomplete array.", P->func->is_entry ? "entry" : "device");
	struct ptx_symbol *s = ptx_var_make(P);
	s->is_entry_param = P->func->is_entry;
	s->is_func_param = !P->func->is_entry && !P->params_are_rets;
	s->is_ret_param = P->params_are_rets;
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
		off = (off + s->align - 1) & ~(uint64_t)(s->align - 1);
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

/* Directives that exclude or require each other, and the size of the parameter block. */
static void check_entry(struct parse *P, const struct ptx_func *f)
{
	const struct ptx_perf *p = &f->perf;
	uint64_t max = P->mod->version >= 81 && P->mod->target >= 70 ? 0x7ffc : 0x1100;
	if (p->maxntid[0] && p->reqntid[0])
		perr(P, f->line, "Conflicting directives: .maxntid and .reqntid cannot both be specified");
	if (p->reqnctapercluster[0] && p->maxclusterrank)
		perr(P, f->line, "Conflicting directives: .reqnctapercluster and .maxclusterrank cannot both be specified");
	if (p->blocksareclusters && (!p->reqntid[0] || !p->reqnctapercluster[0]))
		perr(P, f->line, ".reqntid and .reqnctapercluster directive(s) required for directive '.blocksareclusters'");
	if (p->noreturn)
		perr(P, f->line, "Invalid directive '.noreturn' for function '%s'", f->sym->name);
	if (f->param_size > max)
		perr(P, f->line, "Entry function '%s' uses too much parameter space (0x%llx bytes, 0x%llx max).", f->sym->name,
		     (unsigned long long)f->param_size, (unsigned long long)max);
}

static const char *lists_differ(struct ptx_symbol *const *a, uint32_t na, struct ptx_symbol *const *b, uint32_t nb)
{
	if (na != nb)
		return "number of parameters";
	for (uint32_t i = 0; i < na; i++) {
		if (a[i]->size != b[i]->size)
			return "types";
		if (!a[i]->is_array && !ptx_reg_fits(a[i]->type, b[i]->type, false) && !ptx_reg_fits(b[i]->type, a[i]->type, false))
			return "types";
		if (a[i]->align != b[i]->align)
			return "alignment";
	}
	return NULL;
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
	if (body && f->sym->linkage == PTX_LINK_EXTERN && (!old || P->func_linkage == PTX_LINK_EXTERN)) {
		perr(P, f->line, "Function definition conflicts with '.extern' declaration for function '%s'", f->sym->name);
		return;
	}
	if (!old) {
		f->sym->func = f;
		vec_push(P->arena, &P->funcs, f);
		return;
	}
	if (old->has_body && body) {
		perr(P, f->line, "Duplicate definition of function '%s'", f->sym->name);
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
	f->sym->linkage = (uint8_t)(P->func_linkage ? P->func_linkage : f->sym->linkage);
	for (uint32_t i = 0; i < P->funcs.len; i++)
		if (P->funcs.data[i] == old)
			P->funcs.data[i] = f;
}

void ptx_func_end_decl(struct parse *P)
{
	ptx_scope_pop(P);
	file_func(P, false);
}

void ptx_body_start(struct parse *P)
{
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
		perr(P, P->lex.line, "Duplicate definition of label '%s'", n->str);
		return;
	}
	struct binding *b = NEW(P->arena, struct binding);
	*b = (struct binding){.kind = BIND_LABEL, .line = P->lex.line, .id = P->labels.len};
	ptx_name_bind(P, n, b, false);
	vec_push(P->arena, &P->labels, (struct ptx_label){n->str, P->lex.line, P->stmts.len});
	vec_push(P->arena, &P->stmts,
		 (struct ptx_stmt){.kind = PTX_STMT_LABEL, .line = P->lex.line, .guard = PTX_NO_REG, .label = b->id});
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
	ptx_scope_push(P);
}

void ptx_proto_end(struct parse *P)
{
	struct ptx_func *f = P->func;
	ptx_scope_pop(P);
	P->regs.len = P->proto_regs;
	P->func = P->proto_outer;
	P->label = P->proto_label;
	f->is_decl = true;
	f->sym = bind_list(P, PTX_SYM_PROTO);
	f->sym->func = f;
}

/* ---- performance and property directives */

void ptx_do_perf0(struct parse *P, uint32_t d)
{
	if (!P->func)
		return;
	struct ptx_perf *p = &P->func->perf;
	p->noreturn |= d == DIR_NORETURN;
	p->explicitcluster |= d == DIR_EXPLICITCLUSTER;
	p->blocksareclusters |= d == DIR_BLOCKSARECLUSTERS;
}

void ptx_do_perf1(struct parse *P, uint32_t d, uint64_t n)
{
	if (!P->func)
		return;
	struct ptx_perf *p = &P->func->perf;
	uint32_t v = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
	switch (d) {
	case DIR_MINNCTAPERSM:
		p->minnctapersm = v;
		break;
	case DIR_MAXNCTAPERSM:
		p->maxnctapersm = v;
		break;
	case DIR_MAXNREG:
		p->maxnreg = v;
		break;
	case DIR_MAXCLUSTERRANK:
		p->maxclusterrank = v;
		break;
	case DIR_ABI_PRESERVE:
		p->abi_preserve = v + 1;
		break;
	case DIR_ABI_PRESERVE_CONTROL:
		p->abi_preserve_control = v + 1;
		break;
	default:
		break;
	}
}

void ptx_do_perf3(struct parse *P, uint32_t d, uint64_t x, uint64_t y, uint64_t z)
{
	if (!P->func)
		return;
	struct ptx_perf *p = &P->func->perf;
	uint32_t *v = d == DIR_MAXNTID ? p->maxntid : d == DIR_REQNTID ? p->reqntid : p->reqnctapercluster;
	if (!x || !y || !z || x > INT32_MAX || y > INT32_MAX || z > INT32_MAX) {
		perr(P, P->lex.line, "Positive non-zero value expected for %s",
		     d == DIR_MAXNTID ? ".maxntid" : d == DIR_REQNTID ? ".reqntid" : ".reqnctapercluster");
		return;
	}
	if (!P->func->is_entry)
		perr(P, P->lex.line, "Invalid directive '%s' for function '%s'",
		     d == DIR_MAXNTID ? ".maxntid" : d == DIR_REQNTID ? ".reqntid" : ".reqnctapercluster",
		     P->func->sym ? P->func->sym->name : "?");
	v[0] = (uint32_t)x;
	v[1] = (uint32_t)y;
	v[2] = (uint32_t)z;
}

static struct ptx_func *named_func(struct parse *P, struct lex_text t)
{
	struct binding *b = ptx_name_lookup(P, t);
	if (b && b->kind == BIND_SYM && b->sym->kind == PTX_SYM_FUNC)
		return b->sym->func;
	perr(P, P->lex.line, "Unknown symbol '%.*s'", (int)t.n, t.p);
	return NULL;
}

void ptx_do_alias(struct parse *P, struct lex_text a, struct lex_text b)
{
	struct ptx_func *alias = named_func(P, a), *target = named_func(P, b);
	if (!alias || !target)
		return;
	if (alias->has_body) {
		perr(P, P->lex.line, "Illegal redefinition of function '%s' as alias", alias->sym->name);
		return;
	}
	const char *differ = lists_differ(alias->params, alias->nparams, target->params, target->nparams);
	if (differ)
		perr(P, P->lex.line, "Mismatch in prototype of alias '%s' and aliasee '%s'. %s differ(s)", alias->sym->name,
		     target->sym->name, differ);
	alias->alias_of = target;
}
