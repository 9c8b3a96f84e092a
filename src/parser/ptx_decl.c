/* Declarations of variables, registers and parameters. */
#include <string.h>

#include "parser/parse.h"
#include "parser/ptx_types.h"

void ptx_decl_space(struct parse *P, uint32_t space, bool bank)
{
	P->decl = (struct decl){.space = (uint8_t)space, .has_bank = bank, .vec = 1};
}

void ptx_decl_start(struct parse *P, uint32_t linkage)
{
	P->decl.linkage = (uint8_t)linkage;
	P->linkage = PTX_LINK_NONE;
	P->decl.line = P->lex.line;
}

void ptx_decl_align(struct parse *P, const struct ptx_operand *v)
{
	uint64_t n = (uint64_t)v->imm;
	if (!n || n & (n - 1) || n > 1u << 30)
		perr(P, v->reg, "Alignment must be a power of two");
	else if (P->decl.is_ptr)
		P->decl.ptr_align = (uint32_t)n;
	else
		P->decl.align = (uint32_t)n;
}

/* Behind the type an alignment may stand in parameters only. */
void ptx_decl_late_align(struct parse *P, const struct ptx_operand *n)
{
	if (!P->func || P->in_body)
		perr(P, n->reg, "Parsing error near '.align': syntax error");
	ptx_decl_align(P, n);
}

/* .ptr says what a kernel's parameter points to. */
void ptx_decl_ptr(struct parse *P)
{
	P->decl.is_ptr = true;
	if (!P->func || P->in_body || !P->func->is_entry)
		perr(P, P->lex.line, "Illegal placement of kernel parameter attribute");
}

void ptx_decl_vec(struct parse *P, uint32_t n)
{
	if (P->decl.vec != 1)
		perr(P, P->lex.line, "Duplicate vector modifier");
	P->decl.vec = (uint8_t)n;
}

void ptx_decl_type(struct parse *P, uint32_t type)
{
	if (!ptx_type_is_reg(type) && type != PTX_T_texref && type != PTX_T_samplerref && type != PTX_T_surfref)
		perr(P, P->lex.line, "Type .%s may only be used as an instruction type", ptx_type_name(type));
	P->decl.type = (uint8_t)type;
}

void ptx_decl_word(struct parse *P, struct lex_text w)
{
	perr(P, P->lex.line, "Unknown modifier '%.*s'", (int)w.n, w.p);
}

/* A second state space: only `.ptr .global` says one. */
void ptx_decl_ptr_space(struct parse *P, uint32_t space)
{
	if (!P->decl.is_ptr || (space != PTX_SPACE_CONST && space != PTX_SPACE_GLOBAL && space != PTX_SPACE_LOCAL &&
				space != PTX_SPACE_SHARED))
		perr(P, P->lex.line, "Illegal placement of kernel parameter attribute");
	P->decl.ptr_space = (uint8_t)space;
}

void ptx_do_unified(struct parse *P, uint64_t a, uint64_t b)
{
	P->attr_unified = true;
	P->unified[0] = a;
	P->unified[1] = b;
}

void ptx_decl_end(struct parse *P)
{
	P->attr_managed = P->attr_unified = false;
}

void ptx_var_name(struct parse *P, struct lex_text t)
{
	P->var_text = t;
	P->var_line = P->lex.line;
	if ((t.n == 7 && !memcmp(t.p, "WARP_SZ", 7)) || (t.n == 1 && t.p[0] == '_' && !P->is_proto && (!P->func || P->in_body)))
		ptx_syntax_near(P, P->var_line, t);
	else if (!P->func && ptx_name_get(P, t.p, t.n)->sreg)
		perr(P, P->var_line, "Inconsistent redefinition of variable '%.*s'", (int)t.n, t.p);
	P->dims.len = 0;
	P->dims_open = false;
	P->var = NULL;
}

void ptx_var_dim(struct parse *P, uint64_t n, bool given)
{
	if (!given && P->dims.len)
		perr(P, P->lex.line, "Only the first dimension of an array may be open");
	P->dims_open |= !given;
	if (given && (!n || n >> 40)) {
		perr(P, P->lex.line, "Positive non-zero value expected for array dimension");
		n = 1;
	}
	vec_push(P->arena, &P->dims, n);
}

static bool have_type(struct parse *P)
{
	if (P->decl.type && (P->decl.vec == 8 || ptx_type_bits(P->decl.type) * P->decl.vec > 128)) {
		perr(P, P->var_line, "Vector type too large, exceeds 128 bit limit");
		P->decl.vec = 1;
	}
	if (P->decl.type)
		return true;
	perr(P, P->var_line, "Parsing error near '%.*s': syntax error", (int)P->var_text.n, P->var_text.p);
	return false;
}

/* x3 is also the fourth of x<5>. */
static bool in_range(struct parse *P, const struct name *n)
{
	uint32_t i = n->len, v = 0, scale = 1;
	while (i > 1 && n->len - i < 9 && (unsigned)(n->str[i - 1] - '0') < 10) {
		v += (uint32_t)(n->str[--i] - '0') * scale;
		scale *= 10;
	}
	if (i == n->len || (n->str[i] == '0' && n->len - i > 1))
		return false;
	struct name *base = ptx_name_find(P, n->str, i);
	return base && base->range && base->range->depth == P->scopes.len && v < base->range->count;
}

/* A numbered name of this scope that NAME<count> would declare again, or NULL. */
static struct name *numbered(struct parse *P, const struct name *n, uint64_t count)
{
	for (struct name *e = n->numbered; e; e = e->next_numbered)
		if (e->number < count && (e->len == n->len + 1 || e->str[n->len] != '0') && e->bind && e->bind->depth == P->scopes.len)
			return e;
	return NULL;
}

static bool check_dup(struct parse *P, struct name *n, bool range)
{
	struct binding *b = range ? n->range : n->bind;
	if ((!b || b->depth != P->scopes.len) && (range || !in_range(P, n)))
		return true;
	perr(P, P->var_line, "Duplicate definition of variable '%s'", n->str);
	return false;
}

static struct binding *reg_binding(struct parse *P)
{
	struct binding *b = NEW(P->arena, struct binding);
	*b = (struct binding){.kind = BIND_REG, .type = P->decl.type, .vec = P->decl.vec, .line = P->var_line, .id = PTX_NO_REG};
	return b;
}

static void declare_reg(struct parse *P)
{
	struct name *n = ptx_name_get(P, P->var_text.p, P->var_text.n);
	if (P->decl.type == PTX_T_pred && P->decl.vec > 1)
		perr(P, P->var_line, "Predicate type can only be used to define scalar register variables");
	if (!ptx_type_is_reg(P->decl.type))
		perr(P, P->var_line, "Texture/surface variable must be at module or entry parameter scope");
	if (P->dims.len)
		perr(P, P->var_line, "Array of registers is not allowed: '%s'", n->str);
	if (!P->scopes.len)
		perr(P, P->var_line, "Module-scoped variables in .reg state space are not allowed with ABI");
	else if (check_dup(P, n, false))
		ptx_name_bind(P, n, reg_binding(P), false);
}

void ptx_var_range(struct parse *P, uint64_t n)
{
	if (!have_type(P))
		return;
	struct name *name = ptx_name_get(P, P->var_text.p, P->var_text.n);
	if (n > (P->decl.space == PTX_SPACE_REG ? 1u << 28 : 1u << 16)) {
		perr(P, P->var_line, "Too many parameterized variables: '%s<%llu>'", name->str, (unsigned long long)n);
		return;
	}
	if (P->decl.space != PTX_SPACE_REG) {
		uint32_t line = P->var_line;
		for (uint32_t i = 0; i < n; i++) {
			const char *s = arena_printf(P->arena, "%s%u", name->str, i);
			ptx_var_name(P, (struct lex_text){s, (uint32_t)strlen(s)});
			P->var_line = line;
			ptx_var_end(P);
		}
		return;
	}
	if (!P->scopes.len) {
		perr(P, P->var_line, "Module-scoped variables in .reg state space are not allowed with ABI");
		return;
	}
	if (!check_dup(P, name, true))
		return;
	struct name *again = numbered(P, name, n);
	if (again) {
		perr(P, P->var_line, "Duplicate definition of variable '%s'", again->str);
		return;
	}
	struct binding *b = reg_binding(P);
	b->count = n;
	b->pages = NEWN(P->arena, uint32_t *, n / 256 + 1);
	ptx_name_bind(P, name, b, true);
}

static uint64_t var_size(struct parse *P, struct ptx_symbol *s)
{
	uint64_t n = (uint64_t)(ptx_type_bits(s->type) + 7) / 8 * s->vec;
	s->count = 1;
	for (uint32_t i = 0; i < s->ndims; i++) {
		if (__builtin_mul_overflow(s->count, s->dims[i], &s->count) || s->count >> 48) {
			perr(P, P->var_line, "Size of variable '%s' is too large", s->name);
			s->count = 1;
			break;
		}
	}
	return n * s->count;
}

struct ptx_symbol *ptx_var_make(struct parse *P)
{
	struct ptx_symbol *s = NEW(P->arena, struct ptx_symbol);
	uint32_t elem = (ptx_type_bits(P->decl.type) + 7) / 8 * P->decl.vec;
	*s = (struct ptx_symbol){.name = ptx_name_get(P, P->var_text.p, P->var_text.n)->str,
				 .kind = PTX_SYM_VAR,
				 .space = P->decl.space,
				 .type = P->decl.type,
				 .vec = P->decl.vec,
				 .linkage = P->decl.linkage,
				 .is_array = P->dims.len != 0,
				 .managed = P->attr_managed,
				 .line = P->var_line,
				 .align = P->decl.align > elem ? P->decl.align : elem ? elem : 1,
				 .bank = P->decl.bank,
				 .ndims = P->dims.len,
				 .is_ptr = P->decl.is_ptr,
				 .ptr_space = P->decl.ptr_space,
				 .ptr_align = P->decl.ptr_align,
				 .has_unified = P->attr_unified,
				 .unified = {P->unified[0], P->unified[1]}};
	if (P->decl.align && P->decl.align < elem && P->decl.space != PTX_SPACE_REG)
		s->align = P->decl.align;
	if (s->ndims) {
		s->dims = NEWN(P->arena, uint64_t, s->ndims);
		memcpy(s->dims, P->dims.data, s->ndims * sizeof *s->dims);
	}
	s->size = var_size(P, s);
	return s;
}

/* What ptxas holds against a parameter of a device function, and of a call to one. */
void ptx_param_check(struct parse *P, const struct ptx_symbol *s)
{
	if (s->type == PTX_T_f16x2 && !s->is_array)
		perr(P, P->var_line, "Variable '%s' cannot be allocated in .param state space", s->name);
	else if (s->align > 128 && !s->is_entry_param)
		perr(P, P->var_line, "Parameter '%s' has illegal alignment (must be aligned to 1, 2, 4, 8, 16, 32, 64, or 128 bytes)", s->name);
}

/* An extern declaration and its definition are one symbol. */
static bool merge_extern(struct parse *P, struct binding *b, struct ptx_symbol *s)
{
	struct ptx_symbol *old = b->sym;
	if (b->kind != BIND_SYM || old->kind != PTX_SYM_VAR || b->depth != P->scopes.len)
		return false;
	if (old->type != s->type || old->vec != s->vec || old->is_array != s->is_array || (old->size && s->size && old->size != s->size)) {
		perr(P, s->line, "Inconsistent redefinition of variable '%s'", s->name);
		return true;
	}
	if (old->linkage == PTX_LINK_EXTERN && s->linkage == PTX_LINK_NONE) {
		perr(P, s->line, "'.extern' variable '%s' cannot be resolved by a '.static'", s->name);
		return true;
	}
	if (old->space != s->space || (old->linkage != PTX_LINK_EXTERN && s->linkage != PTX_LINK_EXTERN))
		return false;
	if (s->linkage != PTX_LINK_EXTERN) {
		uint32_t id = old->id;
		*old = *s;
		old->id = id;
	}
	P->var = old;
	return true;
}

static bool legal_place(struct parse *P, const struct ptx_symbol *s)
{
	if (s->space == PTX_SPACE_TEX && P->mod->version >= 15) {
		perr(P, s->line, "Deprecated feature: '.tex' not supported as of PTX version 1.5");
		return false;
	}
	if (P->decl.has_bank && P->mod->version >= 22) {
		perr(P, s->line, "Deprecated feature: 'explicit constant banks' not supported as of PTX version 2.2");
		return false;
	}
	if (s->type == PTX_T_samplerref && !P->mod->texmode_independent) {
		perr(P, s->line, "Instruction or declaration violates .target texmode_unified setting");
		return false;
	}
	if (s->managed && s->space != PTX_SPACE_GLOBAL) {
		perr(P, s->line, "Illegal attribute '.managed' for symbol '%s'", s->name);
		return false;
	}
	if (s->linkage == PTX_LINK_COMMON && s->space != PTX_SPACE_GLOBAL) {
		perr(P, s->line, ".common variables must be declared in .global space");
		return false;
	}
	bool opaque = s->type == PTX_T_texref || s->type == PTX_T_samplerref || s->type == PTX_T_surfref;
	if (opaque && s->vec > 1) {
		perr(P, s->line, "Vector type only allowed over basic types");
		return false;
	}
	if (s->space == PTX_SPACE_SREG) {
		perr(P, s->line, "Declarations not allowed in .sreg space");
		return false;
	}
	if (s->type == PTX_T_pred) {
		perr(P, s->line, "Predicate variable '%s' must be in register state space", s->name);
		return false;
	}
	if (s->space == PTX_SPACE_PARAM && !P->func) {
		perr(P, s->line, "Parameter variables must be declared within .entry parameter list");
		return false;
	}
	if (s->space == PTX_SPACE_PARAM)
		ptx_param_check(P, s);
	if (s->space == PTX_SPACE_LOCAL && !P->func) {
		perr(P, s->line, "Module-scoped variables in .local state space are not allowed with ABI");
		return false;
	}
	if (opaque && P->func) {
		perr(P, s->line, "Texture/surface variable must be at module or entry parameter scope");
		return false;
	}
	if (opaque && s->space != PTX_SPACE_GLOBAL && s->space != PTX_SPACE_TEX) {
		perr(P, s->line, ".%s variables must be declared in .global space", ptx_type_name(s->type));
		return false;
	}
	return true;
}

static void bind_symbol(struct parse *P, struct name *n, struct ptx_symbol *s)
{
	struct binding *b = NEW(P->arena, struct binding);
	*b = (struct binding){.kind = BIND_SYM, .sym = s, .line = s->line};
	ptx_name_bind(P, n, b, false);
}

/* Called at the `=` of an initialiser, and again at the end. */
static void declare_var(struct parse *P)
{
	struct name *n = ptx_name_get(P, P->var_text.p, P->var_text.n);
	struct ptx_symbol *s = ptx_var_make(P);
	P->var = s;
	if (!legal_place(P, s))
		return;
	if (n->bind && merge_extern(P, n->bind, s))
		return;
	if (!check_dup(P, n, false))
		return;
	bind_symbol(P, n, s);
	if (P->func) {
		s->id = P->fvars.len;
		vec_push(P->arena, &P->fvars, s);
	} else {
		s->id = P->vars.len;
		vec_push(P->arena, &P->vars, s);
	}
}

void ptx_var_end(struct parse *P)
{
	if (!have_type(P))
		return;
	if (P->decl.space == PTX_SPACE_REG) {
		declare_reg(P);
		return;
	}
	if (P->var) /* declared before its initialiser */
		return;
	if (P->dims_open && P->decl.linkage != PTX_LINK_EXTERN)
		perr(P, P->var_line, "Array '%.*s' has incomplete type", (int)P->var_text.n, P->var_text.p);
	declare_var(P);
}

/* ---- initialisers: values go to consecutive elements; braces skip to the end of their dimension */

void ptx_init_start(struct parse *P)
{
	P->init = (struct init_state){.line = P->lex.line};
	if (!have_type(P)) {
		P->init.bad = true;
		P->decl.type = PTX_T_b8;
	}
	if (P->decl.space != PTX_SPACE_GLOBAL && P->decl.space != PTX_SPACE_CONST && P->decl.space != PTX_SPACE_TEX) {
		perr(P, P->var_line, "Initializers are not allowed for variable '%.*s' in .%s space", (int)P->var_text.n,
		     P->var_text.p, ptx_space_name(P->decl.space));
		P->init.bad = true;
	}
	if (P->decl.linkage == PTX_LINK_EXTERN)
		perr(P, P->var_line, "Initializers are not allowed for extern variable '%.*s'", (int)P->var_text.n, P->var_text.p);
	if (P->decl.space != PTX_SPACE_REG)
		declare_var(P);
}

/* Elements below one index of dimension `d`; the vector is the innermost dimension. */
static uint64_t stride(const struct ptx_symbol *s, uint32_t d)
{
	uint64_t n = d > s->ndims ? 1 : s->vec;
	for (uint32_t i = d; i < s->ndims; i++)
		n *= s->dims[i];
	return n;
}

void ptx_init_open(struct parse *P)
{
	struct init_state *in = &P->init;
	uint32_t max = P->var ? P->var->ndims + (P->var->vec > 1) : 0;
	if (in->depth >= 15 || (!in->opaque && P->var && P->var->type < PTX_T_texref && in->depth >= max)) {
		if (!in->bad)
			perr(P, P->lex.line, "Initial value type mismatch");
		in->bad = true;
	}
	if (in->depth < 15)
		in->start[in->depth] = in->pos;
	in->depth++;
}

void ptx_init_close(struct parse *P)
{
	struct init_state *in = &P->init;
	in->depth--;
	if (in->bad || !P->var || in->depth >= 15)
		return;
	if (in->depth == 0 && P->dims_open)
		return;
	uint64_t end = in->start[in->depth] + stride(P->var, in->depth);
	if (P->var->vec > 1 && in->depth == P->var->ndims && in->pos != end) {
		perr(P, P->lex.line, "Incorrect number of elements in vector initializer");
		in->bad = true;
	}
	if (in->pos > end && !in->bad) {
		perr(P, P->lex.line, "Too many initial values for variable '%s'", P->var->name);
		in->bad = true;
	}
	in->pos = end;
}

static uint8_t *init_bytes(struct parse *P, uint64_t end)
{
	struct init_state *in = &P->init;
	if (end > in->cap) {
		uint64_t cap = in->cap * 2 > end ? in->cap * 2 : end < 64 ? 64 : end;
		if (!P->dims_open && cap > P->var->size)
			cap = P->var->size;
		uint8_t *b = NEWN(P->arena, uint8_t, cap);
		if (in->cap)
			memcpy(b, in->bytes, in->cap);
		in->bytes = b;
		in->cap = cap;
	}
	return in->bytes;
}

/* Little endian, as PTX is; zeros behind what is shorter than the element: a 0f.. in 64 bits, too, as ptxas has it. */
static void store_value(uint8_t *b, const struct ptx_operand *v, uint32_t type)
{
	uint32_t size = (ptx_type_bits(type) + 7) / 8;
	uint64_t x = v->is_f32 ? v->f32bits : v->bits;
	if (v->kind == PTX_OPD_FIMM && size == 4 && !v->is_f32) {
		double d;
		memcpy(&d, &v->bits, 8);
		float f = (float)d;
		memcpy(b, &f, 4);
		return;
	}
	memset(b, 0, size);
	memcpy(b, &x, size < 8 ? size : 8);
}

static bool value_fits(const struct ptx_operand *v, uint32_t type)
{
	if (v->kind == PTX_OPD_IMM)
		return ptx_type_is_int(type) || ptx_type_is_bits(type);
	if (v->kind == PTX_OPD_FIMM)
		return type == PTX_T_f32 || type == PTX_T_f64 || type == PTX_T_b32 || type == PTX_T_b64;
	return false;
}

static void init_symbol(struct parse *P, const struct ptx_operand *v, uint64_t off, uint32_t size)
{
	struct init_state *in = &P->init;
	bool masked = v->sel != 0;
	bool var = v->sym->kind == PTX_SYM_VAR;
	if (var && v->sym->space != PTX_SPACE_GLOBAL && v->sym->space != PTX_SPACE_CONST) {
		perr(P, P->lex.line, "Variable used as initial value not in .global or .const state space");
		return;
	}
	if ((!var && v->sym->kind != PTX_SYM_FUNC) || v->sym == P->var || v->neg) {
		perr(P, P->lex.line, "Invalid initial value symbol '%s'", v->sym->name);
		return;
	}
	if (!var && (v->imm || v->base == 1)) {
		perr(P, P->lex.line, "Invalid initial value expression");
		return;
	}
	uint32_t type = P->var->type;
	if (masked ? type != PTX_T_u8 : type != PTX_T_u32 && type != PTX_T_u64) {
		perr(P, P->lex.line, "Initial value type mismatch");
		return;
	}
	vec_push(P->arena, &in->relocs,
		 (struct ptx_reloc){.offset = off, .sym = v->sym, .addend = v->imm, .size = masked ? 1 : (uint8_t)size,
				    .mask = masked ? (uint64_t)0xFF << 8 * (v->sel - 1) : 0, .generic = v->base == 1});
}

void ptx_init_elem(struct parse *P, struct ptx_operand *v)
{
	struct init_state *in = &P->init;
	if (v->kind == OPD_NAME) {
		perr(P, P->lex.line, "Unknown symbol '%s'", ((struct name *)(void *)v->elems)->str);
		return;
	}
	if (in->bad || !P->var)
		return;
	uint32_t size = (ptx_type_bits(P->var->type) + 7) / 8;
	uint64_t off = in->pos * size;
	if (in->depth < P->var->ndims + (P->var->vec > 1)) { /* a value where braces belong */
		perr(P, P->lex.line, "Greater number of elements in array initializer");
		in->bad = true;
		return;
	}
	if (!P->dims_open && off + size > P->var->size) {
		perr(P, P->lex.line, "Too many initial values for variable '%s'", P->var->name);
		in->bad = true;
		return;
	}
	in->pos++;
	uint8_t *b = init_bytes(P, off + size) + off;
	if (v->kind == PTX_OPD_SYM)
		init_symbol(P, v, off, size);
	else if (value_fits(v, P->var->type))
		store_value(b, v, P->var->type);
	else
		perr(P, P->lex.line, "Initial value type mismatch");
}

/* Fields of texrefs and samplerrefs configure hardware that is set up at run time. */
void ptx_init_field(struct parse *P, struct lex_text name)
{
	static const char *const fields[] = {"width", "height", "depth", "channel_data_type", "channel_order",
		"normalized_coords", "filter_mode", "addr_mode_0", "addr_mode_1", "addr_mode_2", "force_unnormalized_coords"};
	for (uint32_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (strlen(fields[i]) == name.n && !memcmp(fields[i], name.p, name.n))
			return;
	perr(P, P->lex.line, "Unknown field '%.*s' in initializer", (int)name.n, name.p);
}

void ptx_init_mask(struct parse *P, struct ptx_operand *out, const struct ptx_operand *mask, struct ptx_operand *v)
{
	struct ptx_operand m = *mask;
	*out = *v;
	for (uint8_t k = 0; k < 8; k++) {
		if ((uint64_t)m.imm != (uint64_t)0xFF << 8 * k)
			continue;
		if (out->kind == PTX_OPD_SYM)
			out->sel = k + 1;
		else if (out->kind == PTX_OPD_IMM)
			out->imm = (int64_t)((uint64_t)out->imm >> 8 * k & 0xFF);
		return;
	}
	perr(P, P->lex.line, "Invalid mask value '0x%llx' used in initializer", (unsigned long long)m.imm);
}

void ptx_init_generic(struct parse *P, struct ptx_operand *out, struct lex_text word, struct ptx_operand *v)
{
	*out = *v;
	if (word.n != 7 || memcmp(word.p, "generic", 7))
		perr(P, P->lex.line, "Invalid initial value expression");
	else if (out->kind == PTX_OPD_SYM && !out->n && !out->base)
		out->base = 1;
	else if (out->kind != OPD_NAME)
		perr(P, P->lex.line, "Parsing error near 'generic': syntax error");
}

void ptx_init_end(struct parse *P)
{
	struct init_state *in = &P->init;
	struct ptx_symbol *s = P->var;
	if (!s || in->bad)
		return;
	uint64_t per = stride(s, 1) ? stride(s, 1) : 1, size = (ptx_type_bits(s->type) + 7) / 8;
	if (P->dims_open && s->ndims && !in->pos)
		perr(P, P->lex.line, "Initial value type mismatch");
	if (P->dims_open && s->ndims) {
		s->dims[0] = (in->pos + per - 1) / per;
		s->count = s->dims[0] * (per / s->vec);
		s->size = s->count * s->vec * size;
	}
	s->has_init = true;
	if (s->size > 1u << 30) {
		perr(P, s->line, "Initialized variable '%s' is too large", s->name);
		return;
	}
	if (in->cap < s->size) {
		uint8_t *b = NEWN(P->arena, uint8_t, s->size);
		if (in->cap)
			memcpy(b, in->bytes, in->cap);
		in->bytes = b;
	}
	s->init = in->bytes;
	s->relocs = in->relocs.data;
	s->nrelocs = in->relocs.len;
}

/* --- the bank of constants --- */

enum { CONST_BANK = 0x10000 };

static uint64_t add_constants(uint64_t at, struct ptx_symbol *const *vars, uint32_t n, uint32_t *line)
{
	for (uint32_t k = 0; k < n; k++) {
		const struct ptx_symbol *v = vars[k];
		if (v->space != PTX_SPACE_CONST)
			continue;
		at = (at + v->align - 1) / v->align * v->align + v->size;
		if (at > CONST_BANK && !*line)
			*line = v->line;
	}
	return at;
}

/* All constants of the file lie in one bank, in the order of their declaration, those of functions last. */
void ptx_check_constants(struct parse *P)
{
	uint32_t line = 0;
	uint64_t total = add_constants(0, P->vars.data, P->vars.len, &line);
	for (uint32_t k = 0; k < P->funcs.len; k++)
		total = add_constants(total, P->funcs.data[k]->vars, P->funcs.data[k]->nvars, &line);
	if (total > CONST_BANK)
		perr(P, line, "File uses too much global constant data (0x%llx bytes, 0x%x max)", (unsigned long long)total, CONST_BANK);
}
