/* Calls against the signature of the callee or the prototype. */
#include "parser/parse.h"
#include "parser/ptx_types.h"

/* ptxas places a parameter at its type's alignment where less is asked for. */
static uint32_t param_align(const struct ptx_symbol *s)
{
	uint32_t size = (ptx_type_bits(s->type) + 7) / 8;
	return s->align > size ? s->align : size;
}

/* One actual against one formal parameter: NULL or the message. */
static const char *check_arg(struct check *c, const struct ptx_operand *o, const struct ptx_symbol *formal)
{
	bool ok = true, aligned = true;
	uint64_t size = formal->size;
	switch (o->kind) {
	case PTX_OPD_SYM:
		ok = o->sym->kind == PTX_SYM_VAR && o->sym->space == PTX_SPACE_PARAM && !o->n &&
		     (o->sym->size == size || (formal->is_array && !size)) &&
		     o->sym->is_array == formal->is_array && o->sym->vec == formal->vec &&
		     (formal->is_array || ptx_reg_fits(o->sym->type, formal->type, false) || ptx_reg_fits(formal->type, o->sym->type, false));
		aligned = formal->space != PTX_SPACE_PARAM || param_align(o->sym) == param_align(formal);
		break;
	case PTX_OPD_REG:
		ok = !o->neg && !o->n && !formal->is_array && ptx_reg_fits(c->P->regs.data[o->reg].type, formal->type, false);
		break;
	case PTX_OPD_IMM:
		ok = !formal->is_array && !ptx_type_is_float(formal->type);
		break;
	case PTX_OPD_FIMM:
		ok = !formal->is_array && (ptx_type_is_float(formal->type) || ptx_type_is_bits(formal->type));
		break;
	case PTX_OPD_SINK:
		if (!formal->is_ret_param)
			return arena_printf(c->P->arena, "Illegal argument for formal parameter '%s'", formal->name);
		break;
	case OPD_NAME:
		break;
	default:
		ok = false;
	}
	if (ok && aligned)
		return NULL;
	return arena_printf(c->P->arena, "%s of argument does not match formal parameter '%s'", ok ? "Alignment" : "Type", formal->name);
}

static const char *check_list(struct check *c, const struct ptx_operand *list, struct ptx_symbol *const *formals, uint32_t n)
{
	if ((list ? list->n : 0u) != n)
		return "Call has wrong number of parameters";
	for (uint32_t i = 0; i < n; i++) {
		const char *msg = check_arg(c, &list->elems[i], formals[i]);
		if (msg)
			return msg;
	}
	return NULL;
}

const char *ptx_check_call(struct check *c, const struct ptx_operand *ops, uint32_t n)
{
	const struct ptx_operand *rets = ops[0].kind == PTX_OPD_LIST ? &ops[0] : NULL, *callee = &ops[rets != NULL];
	const struct ptx_operand *args = NULL, *proto = NULL;
	const struct ptx_func *f = NULL;
	for (const struct ptx_operand *o = callee + 1; o < ops + n; o++) {
		if (o->kind == PTX_OPD_LIST)
			args = o;
		else
			proto = o;
	}
	if (callee->kind == PTX_OPD_SYM) {
		if (proto)
			return arena_printf(c->P->arena, "Argument %u of instruction 'call': must be register", rets != NULL);
		f = callee->sym->func;
	} else if (callee->kind == PTX_OPD_REG) {
		if (!proto)
			return arena_printf(c->P->arena, "Label expected for argument %u of instruction 'call'", rets != NULL);
		if (proto->kind == PTX_OPD_SYM && proto->sym->kind == PTX_SYM_PROTO)
			f = proto->sym->func;
		else if (proto->kind == PTX_OPD_SYM && proto->sym->ntargets && proto->sym->funcs && proto->sym->funcs[0])
			f = proto->sym->funcs[0]->func;
	}
	if (!f) /* the function being defined, or an unknown name that is reported elsewhere */
		f = callee->kind == PTX_OPD_SYM && c->P->func && callee->sym == c->P->func->sym ? c->P->func : NULL;
	if (!f)
		return NULL;
	if (f->is_entry)
		return "Illegal call target, device function expected";
	const char *msg = check_list(c, rets, f->rets, f->nrets);
	return msg ? msg : check_list(c, args, f->params, f->nparams);
}
