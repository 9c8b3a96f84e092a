/* The IR's text form. One statement a line; `;` starts a comment. ir_print writes it; for test inputs much may be left out.
 *
 *   module   = ["wave" N] { var | function }
 *   var      = "var" @name space "size" N "align" N { linkage | "dynamic" | "addr_taken" | "offset" N | "line" N | "init" hex "h"
 *              | "reloc" offset @name "addend" N "bytes" N "shift" N ["generic"] }
 *   function = ("kernel" | "func") @name { linkage | "maxntid" N N N | "reqntid" N N N | "minnctapersm" N | "maxnreg" N
 *              | "noreturn" | "nregs" N | "args" widths | "rets" widths | "param_bytes" N } ("decl" | "{" params vars blocks "}")
 *   param    = "param" @name "offset" N "size" N "align" N "type" N ["pointer" space]
 *   block    = bN ["(" predecessors ")"] ":" instructions       predecessors fix the order of phi arguments
 *   inst     = [%N ":" width "="] opcode{.flag} operands ["!" line]
 *   operand  = %N | N:width | "undef":width | @name | "#" imm | word (special register, space, reduction) | bN (successor);
 *              phi: "bN value" pairs */
#include <ctype.h>
#include <stdlib.h>

#include "ir/ir.h"

struct fixup {
	struct ir_inst *i;
	uint32_t arg, value, line;
};

struct reader {
	struct arena *a;
	struct diags *d;
	const char *p, *end;
	uint32_t line;
	bool failed;
	struct ir_module *m;
	struct ir_func *f;
	struct ir_block *b;
	VEC(struct ir_inst *) values; /* by number */
	VEC(struct fixup) fixups;
	VEC(struct ir_block *) blocks; /* by number */
	bitword *preds_given;
};

static void fail(struct reader *r, const char *what)
{
	if (!r->failed)
		diag_error(r->d, r->line, "ir: expected %s at '%.20s'", what, r->p < r->end ? r->p : "");
	r->failed = true;
	r->p = r->end;
}

static void skip_blank(struct reader *r)
{
	while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == ','))
		r->p++;
	if (r->p < r->end && *r->p == ';')
		while (r->p < r->end && *r->p != '\n')
			r->p++;
}

/* Skips to the first character of the next statement; false at the end. */
static bool next_line(struct reader *r)
{
	for (skip_blank(r); r->p < r->end && *r->p == '\n'; skip_blank(r)) {
		r->p++;
		r->line++;
	}
	return r->p < r->end;
}

static bool at_end_of_line(struct reader *r)
{
	skip_blank(r);
	return r->p >= r->end || *r->p == '\n';
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool accept(struct reader *r, const char *s)
{
	skip_blank(r);
	size_t n = strlen(s);
	if ((size_t)(r->end - r->p) < n || memcmp(r->p, s, n))
		return false;
	if (is_word_char(s[n - 1]) && r->p + n < r->end && is_word_char(r->p[n]))
		return false;
	r->p += n;
	return true;
}

static void expect(struct reader *r, const char *s)
{
	if (!accept(r, s))
		fail(r, s);
}

static uint64_t number(struct reader *r)
{
	skip_blank(r);
	if (r->p >= r->end || !(isdigit((unsigned char)*r->p) || *r->p == '-')) {
		fail(r, "a number");
		return 0;
	}
	char *e;
	uint64_t x = *r->p == '-' ? (uint64_t)strtoll(r->p, &e, 0) : strtoull(r->p, &e, 0);
	r->p = e;
	return x;
}

static const char *name(struct reader *r)
{
	expect(r, "@");
	const char *s = r->p;
	while (r->p < r->end && (is_word_char(*r->p) || *r->p == '%' || *r->p == '.'))
		r->p++;
	if (s == r->p)
		fail(r, "a name");
	return arena_strndup(r->a, s, (size_t)(r->p - s));
}

/* The index in names of the word at the cursor, which is then skipped; -1: none. */
static int one_of(struct reader *r, const char *const *names, int n)
{
	skip_blank(r);
	for (int k = 0; k < n; k++)
		if (accept(r, names[k]))
			return k;
	return -1;
}
#define ONE_OF(r, names) one_of((r), (names), (int)(sizeof(names) / sizeof *(names)))

static uint8_t space(struct reader *r)
{
	int k = ONE_OF(r, ir_space_names);
	if (k < 0)
		fail(r, "a space");
	return (uint8_t)k;
}

static struct ir_func *find_func(struct reader *r, const char *s)
{
	for (uint32_t k = 0; k < r->m->funcs.len; k++)
		if (!strcmp(r->m->funcs.data[k]->name, s))
			return r->m->funcs.data[k];
	return NULL;
}

static struct ir_var *find_var(struct reader *r, const char *s)
{
	for (uint32_t k = 0; r->f && k < r->f->vars.len; k++)
		if (!strcmp(r->f->vars.data[k]->name, s))
			return r->f->vars.data[k];
	for (uint32_t k = 0; k < r->m->vars.len; k++)
		if (!strcmp(r->m->vars.data[k]->name, s))
			return r->m->vars.data[k];
	return NULL;
}

static void read_init(struct reader *r, struct ir_var *v)
{
	uint8_t *bytes = NEWN(r->a, uint8_t, v->size);
	uint64_t n = 0;
	skip_blank(r);
	for (; r->end - r->p >= 2 && isxdigit((unsigned char)r->p[0]) && n < v->size; n++, r->p += 2)
		bytes[n] = (uint8_t)strtoul((char[]){r->p[0], r->p[1], 0}, NULL, 16);
	expect(r, "h");
	v->init = bytes;
}

static void read_reloc(struct reader *r, struct ir_var *v)
{
	struct ir_reloc c = {.offset = number(r)};
	const char *s = name(r);
	c.var = find_var(r, s);
	c.func = c.var ? NULL : find_func(r, s);
	if (!c.var && !c.func)
		fail(r, "a known name");
	expect(r, "addend");
	c.addend = (int64_t)number(r);
	expect(r, "bytes");
	c.bytes = (uint8_t)number(r);
	expect(r, "shift");
	c.shift = (uint8_t)number(r);
	c.generic = accept(r, "generic");
	struct ir_reloc *old = v->relocs;
	v->relocs = NEWN(r->a, struct ir_reloc, v->nrelocs + 1);
	if (old)
		memcpy(v->relocs, old, v->nrelocs * sizeof *old);
	v->relocs[v->nrelocs++] = c;
}

static void read_var(struct reader *r, struct ir_var *v)
{
	v->space = space(r);
	expect(r, "size");
	v->size = number(r);
	expect(r, "align");
	v->align = (uint32_t)number(r);
	while (!at_end_of_line(r)) {
		int linkage = ONE_OF(r, ir_linkage_names);
		if (linkage >= 0)
			v->linkage = (uint8_t)linkage;
		else if (accept(r, "dynamic"))
			v->dynamic = true;
		else if (accept(r, "addr_taken"))
			v->addr_taken = true;
		else if (accept(r, "offset"))
			v->offset = number(r);
		else if (accept(r, "line"))
			v->line = (uint32_t)number(r);
		else if (accept(r, "init"))
			read_init(r, v);
		else if (accept(r, "reloc"))
			read_reloc(r, v);
		else
			fail(r, "an attribute of a variable");
	}
}

/* --- instructions --- */

static enum ir_op read_op(struct reader *r)
{
	for (int op = 0; op < IR_OP_COUNT; op++)
		if (accept(r, ir_op_info[op].name))
			return (enum ir_op)op;
	fail(r, "an opcode");
	return IR_unreachable;
}

static bool read_mem_flag(struct reader *r, struct ir_inst *i)
{
	struct ir_mem *m = &i->mem;
	int k;
	if ((k = ONE_OF(r, ir_space_names)) >= 0)
		m->space = (uint8_t)k;
	else if (i->op == IR_atom && (k = ONE_OF(r, ir_atom_names)) >= 0)
		m->atom = (uint8_t)k;
	else if ((k = ONE_OF(r, ir_order_names)) >= 0)
		m->order = (uint8_t)k;
	else if ((k = ONE_OF(r, ir_scope_names)) >= 0)
		m->scope = (uint8_t)k;
	else if ((k = ONE_OF(r, ir_cache_names)) >= 0)
		m->cache = (uint8_t)k;
	else if (accept(r, "sext"))
		m->sext = true;
	else if (accept(r, "volatile"))
		m->is_volatile = true;
	else if (accept(r, "readonly"))
		m->readonly = true;
	else if (accept(r, "noclobber"))
		m->noclobber = true;
	else if (accept(r, "whole"))
		m->whole = true;
	else if (accept(r, "subnormals"))
		m->keep_subnormals = true;
	else if (*r->p == 'b' && r->p++)
		m->bits = (uint16_t)number(r);
	else if (*r->p == 'a' && r->p++)
		m->align_log2 = (uint8_t)__builtin_ctz((uint32_t)number(r) | 0x80);
	else
		return false;
	return true;
}

static void read_flags(struct reader *r, struct ir_inst *i)
{
	uint16_t flags = ir_op_info[i->op].flags;
	int k;
	while (r->p < r->end && *r->p == '.') {
		r->p++;
		if (accept(r, "div"))
			i->divergent = true;
		else if (flags & IRF_HAS_COND && (k = ONE_OF(r, ir_cond_names)) >= 0)
			i->cond = (uint8_t)k;
		else if (flags & IRF_HAS_MEM && read_mem_flag(r, i))
			;
		else if ((k = ONE_OF(r, ir_rnd_names)) >= 0)
			i->rnd = (uint8_t)k;
		else if (accept(r, "ftz"))
			i->ftz = true;
		else if (accept(r, "sat"))
			i->sat = true;
		else if (accept(r, "approx"))
			i->approx = true;
		else if (accept(r, "relu"))
			i->relu = true;
		else if (accept(r, "any_nan"))
			i->any_nan = true;
		else if (accept(r, "nan"))
			i->nan = true;
		else if (accept(r, "contract"))
			i->contract = true;
		else if (accept(r, "may_leave"))
			i->may_leave = true;
		else if (accept(r, "leave"))
			i->leave = true;
		else
			fail(r, "a flag of this opcode");
	}
}

static struct ir_block *read_block_ref(struct reader *r)
{
	skip_blank(r);
	if (r->end - r->p < 2 || *r->p != 'b' || !isdigit((unsigned char)r->p[1])) {
		fail(r, "a block");
		return r->b;
	}
	r->p++;
	uint32_t n = (uint32_t)number(r);
	if (n >= r->blocks.len) {
		fail(r, "a block of this function");
		return r->b;
	}
	return r->blocks.data[n];
}

struct operands {
	VEC(struct ir_inst *) args; /* NULL: by number */
	VEC(uint32_t) numbers;
	VEC(struct ir_block *) blocks;
};

static void push_arg(struct reader *r, struct operands *o, struct ir_inst *i, uint32_t n)
{
	vec_push(r->a, &o->args, i);
	vec_push(r->a, &o->numbers, n);
}

static void read_name_operand(struct reader *r, struct ir_inst *i)
{
	const char *s = name(r);
	if (i->op == IR_symaddr)
		i->sym = find_var(r, s);
	else
		i->sym = find_func(r, s);
	if (!i->sym)
		fail(r, "a known name");
}

static void read_word_operand(struct reader *r, struct ir_inst *i)
{
	int k = -1;
	if (i->op == IR_sreg) {
		/* one name may be the beginning of another: match the whole */
		size_t n = 0;
		while (r->p + n < r->end && (is_word_char(r->p[n]) || r->p[n] == '.'))
			n++;
		for (int s = 0; s < IR_SREG_COUNT; s++)
			if (strlen(ir_sreg_names[s]) == n && !memcmp(ir_sreg_names[s], r->p, n))
				k = s;
		r->p += n;
	} else if (i->op == IR_redux) {
		k = ONE_OF(r, ir_atom_names);
	} else if (i->op == IR_togeneric || i->op == IR_tospace || i->op == IR_isspace) {
		k = ONE_OF(r, ir_space_names);
	}
	if (k < 0)
		fail(r, "an operand");
	i->imm = (uint64_t)k;
}

static void read_operands(struct reader *r, struct ir_inst *i, struct operands *o)
{
	while (!at_end_of_line(r)) {
		if (accept(r, "!")) {
			i->line = (uint32_t)number(r);
		} else if (accept(r, "%")) {
			push_arg(r, o, NULL, (uint32_t)number(r));
		} else if (accept(r, "#")) {
			i->imm = number(r);
		} else if (*r->p == '@') {
			read_name_operand(r, i);
		} else if (accept(r, "undef")) {
			expect(r, ":");
			push_arg(r, o, ir_undef(r->f, (uint32_t)number(r)), 0);
		} else if (isdigit((unsigned char)*r->p) || *r->p == '-') {
			uint64_t bits = number(r);
			expect(r, ":");
			push_arg(r, o, ir_const(r->f, (uint32_t)number(r), bits), 0);
		} else if (*r->p == 'b' && r->end - r->p > 1 && isdigit((unsigned char)r->p[1])) {
			vec_push(r->a, &o->blocks, read_block_ref(r));
		} else {
			read_word_operand(r, i);
		}
	}
}

static void set_value(struct reader *r, uint32_t n, struct ir_inst *i)
{
	if (n > 1u << 24) {
		fail(r, "a smaller value number");
		return;
	}
	while (r->values.len <= n)
		vec_push(r->a, &r->values, NULL);
	if (r->values.data[n])
		fail(r, "a value that is defined once");
	r->values.data[n] = i;
}

static void set_succs(struct reader *r, struct operands *o)
{
	struct ir_block *b = r->b;
	b->nsuccs = o->blocks.len;
	b->succs = o->blocks.data;
	for (uint32_t k = 0; k < b->nsuccs; k++)
		if (!bitset_has(r->preds_given, b->succs[k]->id))
			vec_push(r->a, &b->succs[k]->preds, b);
}

static void read_inst(struct reader *r)
{
	uint32_t n = 0, width = 0;
	bool named = accept(r, "%");
	if (named) {
		n = (uint32_t)number(r);
		if (accept(r, ":"))
			width = (uint32_t)number(r);
		expect(r, "=");
	}
	struct ir_inst head = {.op = (uint16_t)read_op(r)};
	struct operands o = {0};
	read_flags(r, &head);
	read_operands(r, &head, &o);
	if (r->failed)
		return;
	if (head.op == IR_phi && o.blocks.len)
		o.blocks.len = 0; /* the block's head has them */
	if (!width)
		width = ir_result_width((enum ir_op)head.op, 0, o.args.len ? o.args.data[0] : NULL);
	struct ir_inst *i = ir_inst_new(r->f, (enum ir_op)head.op, width, o.args.len);
	struct ir_inst **args = i->args;
	uint32_t id = i->id;
	head.width = i->width;
	*i = head;
	i->id = id;
	i->nargs = o.args.len;
	i->args = args;
	for (uint32_t k = 0; k < i->nargs; k++) {
		args[k] = o.args.data[k];
		if (!args[k])
			vec_push(r->a, &r->fixups, (struct fixup){i, k, o.numbers.data[k], r->line});
	}
	if (i->op == IR_load && !i->mem.bits)
		i->mem.bits = i->width;
	ir_append(r->b, i);
	if (named)
		set_value(r, n, i);
	if (ir_op_info[i->op].flags & IRF_TERMINATOR)
		set_succs(r, &o);
}

/* --- functions --- */

static void resolve(struct reader *r)
{
	for (uint32_t k = 0; k < r->fixups.len && !r->failed; k++) {
		struct fixup *x = &r->fixups.data[k];
		struct ir_inst *v = x->value < r->values.len ? r->values.data[x->value] : NULL;
		if (!v) {
			diag_error(r->d, x->line, "ir: %%%u is not defined", x->value);
			r->failed = true;
			return;
		}
		x->i->args[x->arg] = v;
		if (!x->i->width && ir_op_info[x->i->op].result == IRR_SAME && !x->arg)
			x->i->width = v->width;
	}
}

static bool at_label(struct reader *r)
{
	const char *q = r->p;
	if (q >= r->end || *q++ != 'b' || q >= r->end || !isdigit((unsigned char)*q))
		return false;
	while (q < r->end && isdigit((unsigned char)*q))
		q++;
	return q < r->end && (*q == ':' || *q == ' ' || *q == '(');
}

/* Makes the blocks before anything refers to them. */
static void scan_blocks(struct reader *r)
{
	struct reader look = *r;
	while (next_line(&look) && *look.p != '}') {
		if (at_label(&look)) {
			look.p++;
			uint32_t n = (uint32_t)number(&look);
			if (n > 1u << 20) {
				fail(r, "a smaller block number");
				return;
			}
			while (r->blocks.len <= n)
				vec_push(r->a, &r->blocks, NULL);
			if (!r->blocks.data[n])
				r->blocks.data[n] = ir_block_new(r->f);
		}
		while (look.p < look.end && *look.p != '\n')
			look.p++;
	}
	for (uint32_t k = 0; k < r->blocks.len; k++)
		if (!r->blocks.data[k])
			fail(r, "block numbers without gaps");
	r->preds_given = bitset_new(r->a, r->f->blocks.len);
	look.line = r->line;
	look.p = r->p;
	look.blocks.data = r->blocks.data;
	look.blocks.len = r->blocks.len;
	while (next_line(&look) && *look.p != '}') {
		if (at_label(&look)) {
			struct ir_block *b = read_block_ref(&look);
			if (accept(&look, "(")) {
				bitset_add(r->preds_given, b->id);
				while (!accept(&look, ")") && !look.failed)
					vec_push(r->a, &b->preds, read_block_ref(&look));
			}
		}
		while (look.p < look.end && *look.p != '\n')
			look.p++;
	}
	r->failed |= look.failed;
}

static struct ir_param read_param(struct reader *r)
{
	struct ir_param q = {.name = name(r)};
	expect(r, "offset");
	q.offset = (uint32_t)number(r);
	expect(r, "size");
	q.size = (uint32_t)number(r);
	expect(r, "align");
	q.align = (uint32_t)number(r);
	expect(r, "type");
	q.type = (uint8_t)number(r);
	q.is_pointer = accept(r, "pointer");
	if (q.is_pointer)
		q.pointee_space = space(r);
	return q;
}

static void read_widths(struct reader *r, struct ir_func *f, bool args)
{
	while (!at_end_of_line(r) && isdigit((unsigned char)*r->p)) {
		uint16_t w = (uint16_t)number(r);
		if (args)
			vec_push(r->a, &f->arg_widths, w);
		else
			vec_push(r->a, &f->ret_widths, w);
	}
}

static void read_dims(struct reader *r, uint32_t d[3])
{
	for (int k = 0; k < 3; k++)
		d[k] = (uint32_t)number(r);
}

/* Up to the `{` or the end of a declaration. */
static void read_func_head(struct reader *r, struct ir_func *f)
{
	while (!r->failed) {
		int linkage = ONE_OF(r, ir_linkage_names);
		if (linkage >= 0)
			f->linkage = (uint8_t)linkage;
		else if (accept(r, "maxntid"))
			read_dims(r, f->maxntid);
		else if (accept(r, "reqntid"))
			read_dims(r, f->reqntid);
		else if (accept(r, "minnctapersm"))
			f->minnctapersm = (uint32_t)number(r);
		else if (accept(r, "maxnreg"))
			f->maxnreg = (uint32_t)number(r);
		else if (accept(r, "noreturn"))
			f->noreturn = true;
		else if (accept(r, "nregs"))
			f->nregs = (uint32_t)number(r);
		else if (accept(r, "line"))
			f->line = (uint32_t)number(r);
		else if (accept(r, "args"))
			read_widths(r, f, true);
		else if (accept(r, "rets"))
			read_widths(r, f, false);
		else if (accept(r, "param_bytes"))
			f->param_bytes = (uint32_t)number(r);
		else if (accept(r, "decl"))
			f->is_decl = true;
		else if (accept(r, "{") || (f->is_decl && at_end_of_line(r)))
			return;
		else
			fail(r, "an attribute of a function");
	}
}

static void read_func(struct reader *r, bool is_kernel)
{
	const char *s = name(r);
	struct ir_func *f = find_func(r, s);
	VEC(struct ir_param) params = {0};
	if (!f)
		return;
	f->is_kernel = is_kernel;
	r->f = f;
	read_func_head(r, f);
	if (f->is_decl)
		return;
	vec_clear(&r->values);
	vec_clear(&r->fixups);
	vec_clear(&r->blocks);
	scan_blocks(r);
	r->b = NULL;
	while (next_line(r) && *r->p != '}') {
		if (at_label(r)) {
			r->b = read_block_ref(r);
			if (accept(r, "("))
				while (r->p < r->end && *r->p++ != ')')
					;
			expect(r, ":");
		} else if (!r->b && accept(r, "param")) {
			vec_push(r->a, &params, read_param(r));
		} else if (!r->b && accept(r, "var")) {
			struct ir_var *v = NEW(r->a, struct ir_var);
			v->name = name(r);
			read_var(r, v);
			vec_push(r->a, &f->vars, v);
		} else if (r->b) {
			read_inst(r);
		} else {
			fail(r, "a label");
		}
	}
	expect(r, "}");
	resolve(r);
	f->params = params.data;
	f->nparams = params.len;
	r->f = NULL;
}

/* Functions and variables may be used before they are defined: make them first. */
static void scan_names(struct reader *r)
{
	struct reader look = *r;
	while (next_line(&look)) {
		bool indented = look.p > r->p && look.p[-1] == '\t';
		if (!indented && (accept(&look, "kernel") || accept(&look, "func"))) {
			ir_func_new(r->m, name(&look));
		} else if (!indented && accept(&look, "var")) {
			struct ir_var *v = NEW(r->a, struct ir_var);
			v->name = name(&look);
			vec_push(r->a, &r->m->vars, v);
		}
		while (look.p < look.end && *look.p != '\n')
			look.p++;
	}
	r->failed |= look.failed;
}

struct ir_module *ir_read(struct arena *a, struct diags *d, const char *text, size_t n)
{
	struct reader r = {.a = a, .d = d, .p = text, .end = text + n, .line = 1, .m = ir_module_new(a, d)};
	scan_names(&r);
	while (!r.failed && next_line(&r)) {
		if (accept(&r, "wave")) {
			r.m->wave_size = (uint32_t)number(&r);
		} else if (accept(&r, "var")) {
			struct ir_var *v = find_var(&r, name(&r));
			if (v)
				read_var(&r, v);
		} else if (accept(&r, "kernel")) {
			read_func(&r, true);
		} else if (accept(&r, "func")) {
			read_func(&r, false);
		} else if (!accept(&r, "}")) {
			fail(&r, "a declaration");
		}
	}
	return r.failed ? NULL : r.m;
}
