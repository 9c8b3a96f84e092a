/* Calls and parameters of device functions. A parameter is passed as register-sized pieces; inside a function it is a
 * local variable, which ir_promote makes a value. Caller and callee agree because pieces follow from the declared type
 * alone. */
#include "parser/build_internal.h"

uint32_t param_pieces(struct build *B, const struct ptx_symbol *p, struct piece **out)
{
	if (!p->is_array && p->vec <= 1 && p->count <= 1) {
		*out = NEWN(B->arena, struct piece, 1);
		(*out)[0] = (struct piece){type_width(p->type), 0};
		return 1;
	}
	if (!p->size) {
		diag_error(B->diags, p->line, "parameter '%s' without a size is not supported by the AMD back end",
			   p->name);
		return 0;
	}
	uint32_t size = (uint32_t)((p->size + 3) & ~(uint64_t)3), n = 0, off = 0;
	*out = NEWN(B->arena, struct piece, size / 4);
	for (; p->align >= 8 && off + 8 <= size; off += 8)
		(*out)[n++] = (struct piece){64, off};
	for (; off < size; off += 4)
		(*out)[n++] = (struct piece){32, off};
	return n;
}

static struct ir_mem piece_mem(const struct ir_var *v, const struct piece *p)
{
	uint32_t align = v->align | p->offset;
	return (struct ir_mem){
		.space = IR_LOCAL, .bits = (uint16_t)p->width, .align_log2 = (uint8_t)__builtin_ctz(align)};
}

static void store_piece(struct build *B, struct ir_var *v, const struct piece *p, struct ir_inst *x)
{
	struct addr a = {sym_addr(B, v, 0), 0, IR_LOCAL};
	store_at(B, &a, piece_mem(v, p), x, p->offset);
}

static struct ir_inst *load_piece(struct build *B, struct ir_var *v, const struct piece *p)
{
	struct addr a = {sym_addr(B, v, 0), 0, IR_LOCAL};
	return load_at(B, &a, piece_mem(v, p), p->width, p->offset);
}

void take_arguments(struct build *B)
{
	const struct ptx_func *pf = B->pf;
	uint32_t arg = 0;
	for (uint32_t k = 0; k < pf->nparams; k++) {
		struct piece *pieces;
		uint32_t n = param_pieces(B, pf->params[k], &pieces);
		for (uint32_t i = 0; i < n; i++) {
			struct ir_inst *x = ir_inst_new(B->f, IR_arg, pieces[i].width, 0);
			x->imm = arg++;
			x = ir_emit(&B->c, x);
			if (pf->param_regs && pf->param_regs[k] != PTX_NO_REG) {
				B->regs[pf->param_regs[k]].multi = true;
				reg_set(B, pf->param_regs[k], x);
			} else {
				store_piece(B, var_of(B, pf->params[k]), &pieces[i], x);
			}
		}
	}
}

/* s: the instruction, or NULL at the end of the body. */
void build_return(struct build *B, const struct ptx_stmt *s)
{
	const struct ptx_func *pf = B->pf;
	(void)s;
	B->dead = true;
	if (pf->is_entry) {
		ir_end(&B->c, IR_exit);
		return;
	}
	VEC(struct ir_inst *) v = {0};
	for (uint32_t k = 0; k < pf->nrets; k++) {
		struct piece *pieces;
		uint32_t n = param_pieces(B, pf->rets[k], &pieces);
		for (uint32_t i = 0; i < n; i++) {
			bool in_reg = pf->ret_regs && pf->ret_regs[k] != PTX_NO_REG;
			struct ir_inst *x = in_reg ? reg_get(B, pf->ret_regs[k])
						   : load_piece(B, var_of(B, pf->rets[k]), &pieces[i]);
			vec_push(B->arena, &v, x);
		}
	}
	struct ir_inst *ret = ir_inst_new(B->f, IR_ret, 0, v.len);
	if (v.len)
		memcpy(ret->args, v.data, v.len * sizeof *v.data);
	ret->line = B->c.line;
	ir_append(B->c.block, ret);
}

/* --- calls --- */

/* Functions that the CUDA driver provides, and what they need that is not there. */
static const struct {
	const char *name, *why;
} system_functions[] = {
	{"vprintf", "printing needs a service of the host"},
	{"malloc", "a heap needs a service of the host"},
	{"free", "a heap needs a service of the host"},
	{"cudaGetParameterBuffer", "kernels do not launch kernels"},
	{"cudaGetParameterBufferV2", "kernels do not launch kernels"},
	{"cudaLaunchDevice", "kernels do not launch kernels"},
	{"cudaLaunchDeviceV2", "kernels do not launch kernels"},
	{"cudaDeviceSynchronize", "kernels do not launch kernels"},
	{"cudaGetLastError", "kernels do not launch kernels"},
	{"__cnpGetParameterBufferV2", "kernels do not launch kernels"},
};

static bool system_call(struct build *B, const struct ptx_stmt *s, const struct ptx_func *callee)
{
	const char *name = callee->sym->name;
	if (callee->has_body || callee->alias_of)
		return false;
	if (!strcmp(name, "__assertfail")) {
		/* Its message cannot be shown; that the kernel stops can. */
		diag_add(B->diags, DIAG_INFO, s->line, "a failing assertion stops the kernel without its message");
		ir_end(&B->c, IR_trap);
		B->dead = true;
		return true;
	}
	for (uint32_t k = 0; k < sizeof system_functions / sizeof *system_functions; k++) {
		if (strcmp(name, system_functions[k].name))
			continue;
		diag_error(B->diags, s->line, "call to '%s', which is not supported by the AMD back end: %s", name,
			   system_functions[k].why);
		return true;
	}
	return false;
}

struct call {
	const struct ptx_operand *rets, *callee, *args;
	const struct ptx_func *sig;
};

static bool split_call(struct build *B, const struct ptx_stmt *s, struct call *c)
{
	uint32_t k = 0;
	*c = (struct call){0};
	if (s->ops[0].kind == PTX_OPD_LIST)
		c->rets = &s->ops[k++];
	c->callee = &s->ops[k++];
	if (k < s->nops && s->ops[k].kind == PTX_OPD_LIST)
		c->args = &s->ops[k++];
	if (c->callee->kind == PTX_OPD_SYM && c->callee->sym->kind == PTX_SYM_FUNC) {
		c->sig = c->callee->sym->func;
		return true;
	}
	const struct ptx_symbol *proto = k < s->nops && s->ops[k].kind == PTX_OPD_SYM ? s->ops[k].sym : NULL;
	if (proto && proto->kind == PTX_SYM_PROTO)
		c->sig = proto->func;
	else if (proto && proto->kind == PTX_SYM_TARGETS && proto->funcs && proto->ntargets)
		c->sig = proto->funcs[0]->func;
	if (!c->sig)
		diag_error(B->diags, s->line, "indirect call without a prototype");
	return c->sig != NULL;
}

static struct ir_inst *argument_piece(struct build *B, const struct ptx_operand *o, const struct piece *p)
{
	if (o->kind == PTX_OPD_SYM)
		return load_piece(B, var_of(B, o->sym), p);
	return opd_width(B, o, p->width);
}

static void call_results(struct build *B, const struct ptx_stmt *s, const struct call *c, struct ir_inst *call)
{
	uint32_t index = 0;
	for (uint32_t k = 0; k < c->sig->nrets && c->rets && k < c->rets->n; k++) {
		struct piece *pieces;
		const struct ptx_operand *o = &c->rets->elems[k];
		uint32_t n = param_pieces(B, c->sig->rets[k], &pieces);
		for (uint32_t i = 0; i < n; i++) {
			struct ir_inst *r = ir_inst_new(B->f, IR_callres, pieces[i].width, 1);
			r->args[0] = call;
			r->imm = index++;
			r->line = s->line;
			ir_append(B->c.block, r);
			if (o->kind == PTX_OPD_SYM)
				store_piece(B, var_of(B, o->sym), &pieces[i], r);
			else
				def(B, o, r, false);
		}
	}
}

static void build_call(struct build *B, const struct ptx_stmt *s)
{
	struct call c;
	if (!split_call(B, s, &c))
		return;
	bool direct = c.callee->kind == PTX_OPD_SYM && c.callee->sym->kind == PTX_SYM_FUNC;
	if (direct && system_call(B, s, c.sig))
		return;
	VEC(struct ir_inst *) v = {0};
	if (!direct)
		vec_push(B->arena, &v, opd_width(B, c.callee, 64));
	if (c.sig->nparams != (c.args ? c.args->n : 0)) {
		diag_error(B->diags, s->line, "call with %u arguments of a function that takes %u",
			   c.args ? c.args->n : 0, c.sig->nparams);
		return;
	}
	for (uint32_t k = 0; k < c.sig->nparams; k++) {
		struct piece *pieces;
		uint32_t n = param_pieces(B, c.sig->params[k], &pieces);
		for (uint32_t i = 0; i < n; i++)
			vec_push(B->arena, &v, argument_piece(B, &c.args->elems[k], &pieces[i]));
	}
	struct ir_inst *call = ir_inst_new(B->f, IR_call, 0, v.len);
	if (v.len)
		memcpy(call->args, v.data, v.len * sizeof *v.data);
	call->sym = direct ? func_of(B, c.callee->sym) : NULL;
	call->line = s->line;
	ir_append(B->c.block, call);
	call_results(B, s, &c, call);
}

void flow_call(struct build *B, const struct ptx_stmt *s)
{
	build_call(B, s);
}
