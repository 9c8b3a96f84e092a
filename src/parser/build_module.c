/* Module scope: variables with their initialisers, functions with their signatures. */
#include "parser/build_internal.h"

static uint32_t linkage_of(const struct ptx_symbol *sym)
{
	switch (sym->linkage) {
	case PTX_LINK_EXTERN:
		return IR_EXTERN;
	case PTX_LINK_VISIBLE:
		return IR_VISIBLE;
	case PTX_LINK_WEAK:
		return IR_WEAK_DEF;
	case PTX_LINK_COMMON:
		return IR_COMMON;
	default:
		return IR_INTERNAL;
	}
}

static struct ir_var *new_var(struct build *B, const struct ptx_symbol *sym, const char *name)
{
	struct ir_var *v = NEW(B->arena, struct ir_var);
	v->name = name;
	v->space = (uint8_t)ir_space_of(sym->space);
	v->linkage = (uint8_t)linkage_of(sym);
	v->align = sym->align ? sym->align : 1;
	v->size = sym->size;
	v->line = sym->line;
	v->init = sym->init;
	v->dynamic = sym->space == PTX_SPACE_SHARED && sym->linkage == PTX_LINK_EXTERN;
	return v;
}

static void initialiser(struct build *B, struct ir_var *v, const struct ptx_symbol *sym)
{
	v->nrelocs = sym->nrelocs;
	v->relocs = NEWN(B->arena, struct ir_reloc, sym->nrelocs);
	for (uint32_t k = 0; k < sym->nrelocs; k++) {
		const struct ptx_reloc *p = &sym->relocs[k];
		struct ir_reloc *r = &v->relocs[k];
		r->offset = p->offset;
		r->addend = p->addend;
		r->bytes = p->mask ? 1 : p->size;
		r->shift = p->mask ? (uint8_t)__builtin_ctzll(p->mask) : 0;
		r->generic = p->generic;
		if (p->sym->kind == PTX_SYM_FUNC)
			r->func = func_of(B, p->sym);
		else
			r->var = var_of(B, p->sym);
		if (!r->func && !r->var)
			diag_error(B->diags, sym->line, "initialiser of '%s' needs the address of '%s', which has none",
				   sym->name, p->sym->name);
	}
	for (uint32_t k = 0; k < sym->nrelocs; k++) /* function-scope variables are not reachable from here */
		if (v->relocs[k].var)
			v->relocs[k].var->addr_taken = true;
}

static bool is_opaque(const struct ptx_symbol *sym)
{
	return sym->type == PTX_T_texref || sym->type == PTX_T_samplerref || sym->type == PTX_T_surfref;
}

static bool is_module_var(const struct build *B, const struct ptx_symbol *sym)
{
	return sym->id < B->pm->nvars && B->pm->vars[sym->id] == sym;
}

struct ir_var *local_var(struct build *B, const struct ptx_symbol *sym, const char *name)
{
	struct ir_var *v = new_var(B, sym, name);
	if (sym->space == PTX_SPACE_GLOBAL || sym->space == PTX_SPACE_CONST) {
		v->name = arena_printf(B->arena, "%s.%s", B->f->name, name);
		v->linkage = IR_INTERNAL;
		vec_push(B->arena, &B->m->vars, v);
		initialiser(B, v, sym);
		return v;
	}
	for (uint32_t k = 0; k < B->f->vars.len; k++)
		if (B->f->vars.data[k]->name == name) { /* of another scope */
			v->name = arena_printf(B->arena, "%s.%u", name, sym->id);
			break;
		}
	if (sym->space == PTX_SPACE_PARAM) { /* moved in whole words */
		v->space = IR_LOCAL;
		v->size = (v->size + 3) & ~(uint64_t)3;
		v->align = v->align < 4 ? 4 : v->align;
	}
	vec_push(B->arena, &B->f->vars, v);
	return v;
}

struct ir_var *var_of(struct build *B, const struct ptx_symbol *sym)
{
	if (sym->kind != PTX_SYM_VAR)
		return NULL;
	if (is_module_var(B, sym))
		return B->gvars[sym->id];
	if (!B->f || is_opaque(sym) || sym->is_entry_param)
		return NULL;
	/* variables, parameters and results are numbered apart */
	uint32_t id = sym->id;
	if (sym->is_func_param)
		id += B->pf->nvars;
	else if (sym->is_ret_param)
		id += B->pf->nvars + B->pf->nparams;
	if (id >= B->nlvars)
		ice(B->arena, "variable '%s' is none of the function's", sym->name);
	struct ir_var **v = &B->lvars[id];
	if (!*v)
		*v = local_var(B, sym, sym->name);
	return *v;
}

struct ir_func *func_of(struct build *B, const struct ptx_symbol *sym)
{
	const struct ptx_func *pf = sym->func;
	if (pf->alias_of)
		return func_of(B, pf->alias_of->sym);
	struct ir_func **f = &B->funcs[sym->id];
	if (!*f) {
		*f = ir_func_new(B->m, sym->name);
		build_signature(B, *f, pf);
	}
	return *f;
}

static void kernel_params(struct build *B, struct ir_func *f, const struct ptx_func *pf)
{
	f->nparams = pf->nparams;
	f->param_bytes = (uint32_t)pf->param_size;
	f->params = NEWN(B->arena, struct ir_param, pf->nparams);
	for (uint32_t k = 0; k < pf->nparams; k++) {
		const struct ptx_symbol *p = pf->params[k];
		f->params[k] = (struct ir_param){.name = p->name,
						 .offset = (uint32_t)p->offset,
						 .size = (uint32_t)p->size,
						 .align = p->align,
						 .type = p->type,
						 .is_pointer = p->is_ptr,
						 .pointee_space = (uint8_t)ir_space_of(p->ptr_space)};
		if (is_opaque(p))
			diag_error(B->diags, p->line,
				   "parameter '%s': textures and surfaces are not supported by the AMD back end",
				   p->name);
	}
}

static void device_params(struct build *B, struct ir_func *f, const struct ptx_func *pf)
{
	struct piece *pieces;
	for (uint32_t k = 0; k < pf->nparams; k++)
		for (uint32_t n = param_pieces(B, pf->params[k], &pieces), i = 0; i < n; i++)
			vec_push(B->arena, &f->arg_widths, (uint16_t)pieces[i].width);
	for (uint32_t k = 0; k < pf->nrets; k++)
		for (uint32_t n = param_pieces(B, pf->rets[k], &pieces), i = 0; i < n; i++)
			vec_push(B->arena, &f->ret_widths, (uint16_t)pieces[i].width);
}

void build_signature(struct build *B, struct ir_func *f, const struct ptx_func *pf)
{
	f->is_kernel = pf->is_entry;
	f->is_decl = !pf->has_body;
	f->noreturn = pf->perf.noreturn;
	f->linkage = (uint8_t)linkage_of(pf->sym);
	f->line = pf->line;
	memcpy(f->maxntid, pf->perf.maxntid, sizeof f->maxntid);
	memcpy(f->reqntid, pf->perf.reqntid, sizeof f->reqntid);
	f->minnctapersm = pf->perf.minnctapersm;
	f->maxnreg = pf->perf.maxnreg;
	for (uint32_t k = 0; k < 3; k++)
		if (pf->perf.reqnctapercluster[k] > 1)
			diag_error(B->diags, pf->line, "'%s' needs thread block clusters, which AMD GPUs do not have",
				   f->name);
	if (pf->is_entry)
		kernel_params(B, f, pf);
	else
		device_params(B, f, pf);
}

void build_globals(struct build *B)
{
	const struct ptx_module *pm = B->pm;
	B->gvars = NEWN(B->arena, struct ir_var *, pm->nvars);
	B->funcs = NEWN(B->arena, struct ir_func *, pm->nfuncs);
	for (uint32_t k = 0; k < pm->nvars; k++) {
		const struct ptx_symbol *sym = pm->vars[k];
		if (is_opaque(sym))
			continue;
		if (ir_space_of(sym->space) == IR_LOCAL)
			diag_error(B->diags, sym->line,
				   "module-scope .local variable '%s' is not supported by the AMD back end", sym->name);
		B->gvars[k] = new_var(B, sym, sym->name);
		vec_push(B->arena, &B->m->vars, B->gvars[k]);
	}
	for (uint32_t k = 0; k < pm->nfuncs; k++)
		if (pm->funcs[k]->has_body)
			func_of(B, pm->funcs[k]->sym);
	for (uint32_t k = 0; k < pm->nvars; k++)
		if (B->gvars[k])
			initialiser(B, B->gvars[k], pm->vars[k]);
}
