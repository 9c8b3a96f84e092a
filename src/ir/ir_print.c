#include "ir/ir.h"

/* Values and blocks are numbered by their place in the text, so that equal functions print equally. */
struct printer {
	struct strbuf *sb;
	uint32_t *number; /* by id; NULL: ids are printed */
};

const char *const ir_cond_names[IRC_COUNT] = {"eq",  "ne",  "slt", "sle",  "sgt",  "sge",  "ult",  "ule",
					      "ugt", "uge", "feq", "fne",  "flt",  "fle",  "fgt",  "fge",
					      "fequ", "fneu", "fltu", "fleu", "fgtu", "fgeu", "num", "isnan"};
const char *const ir_atom_names[IR_ATOM_COUNT] = {"exch", "cas",  "add",    "inc",    "dec",    "smin",    "smax",
						  "umin", "umax", "and",    "or",     "xor",    "fadd",    "fmin",
						  "fmax", "pkfadd", "pkfmin", "pkfmax", "pkbfadd", "pkbfmin", "pkbfmax"};
const char *const ir_space_names[6] = {"generic", "global", "const", "shared", "local", "param"};
const char *const ir_rnd_names[5] = {"rn", "rz", "rm", "rp", "rna"};
const char *const ir_order_names[6] = {"weak", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
const char *const ir_scope_names[5] = {"thread", "cta", "cluster", "gpu", "sys"};
const char *const ir_cache_names[4] = {"default", "stream", "l2", "volatilecache"};
const char *const ir_sreg_names[] = {
#define IR_SREG(name, text, divergent) text,
#include "ir/ir_sregs.def"
#undef IR_SREG
};
const char *const ir_linkage_names[5] = {"internal", "extern", "visible", "weak_def", "common"};

static bool has_name(const struct ir_inst *i)
{
	return i->width || i->op == IR_call;
}

static void print_bits(struct strbuf *sb, uint64_t x)
{
	if (x < 4096)
		sb_printf(sb, "%u", (unsigned)x);
	else
		sb_printf(sb, "0x%llx", (unsigned long long)x);
}

static void print_value(struct printer *p, const struct ir_inst *i)
{
	if (!i) {
		sb_puts(p->sb, "NULL");
	} else if (i->op == IR_const) {
		print_bits(p->sb, i->imm);
		sb_printf(p->sb, ":%u", i->width);
	} else if (i->op == IR_undef) {
		sb_printf(p->sb, "undef:%u", i->width);
	} else {
		sb_printf(p->sb, "%%%u", p->number ? p->number[i->id] : i->id);
	}
}

static void print_mem(struct printer *p, const struct ir_inst *i)
{
	const struct ir_mem *m = &i->mem;
	struct strbuf *sb = p->sb;
	if (i->op != IR_fence)
		sb_printf(sb, ".%s", ir_space_names[m->space]);
	if (i->op == IR_load || i->op == IR_store || i->op == IR_atom)
		sb_printf(sb, ".b%u", m->bits);
	if (i->op == IR_atom)
		sb_printf(sb, ".%s", ir_atom_names[m->atom]);
	if (m->order)
		sb_printf(sb, ".%s", ir_order_names[m->order]);
	if (m->scope)
		sb_printf(sb, ".%s", ir_scope_names[m->scope]);
	if (m->cache)
		sb_printf(sb, ".%s", ir_cache_names[m->cache]);
	if (m->align_log2)
		sb_printf(sb, ".a%u", 1u << m->align_log2);
	if (m->sext)
		sb_puts(sb, ".sext");
	if (m->is_volatile)
		sb_puts(sb, ".volatile");
	if (m->readonly)
		sb_puts(sb, ".readonly");
	if (m->noclobber)
		sb_puts(sb, ".noclobber");
	if (m->whole)
		sb_puts(sb, ".whole");
	if (m->keep_subnormals)
		sb_puts(sb, ".subnormals");
}

static void print_flags(struct printer *p, const struct ir_inst *i)
{
	uint16_t flags = ir_op_info[i->op].flags;
	struct strbuf *sb = p->sb;
	if (flags & IRF_HAS_COND)
		sb_printf(sb, ".%s", ir_cond_names[i->cond]);
	if (flags & IRF_HAS_MEM)
		print_mem(p, i);
	if (i->rnd)
		sb_printf(sb, ".%s", ir_rnd_names[i->rnd]);
	static const struct { size_t at; const char *name; } bools[] = {
		{offsetof(struct ir_inst, ftz), ".ftz"},   {offsetof(struct ir_inst, sat), ".sat"},
		{offsetof(struct ir_inst, approx), ".approx"}, {offsetof(struct ir_inst, relu), ".relu"},
		{offsetof(struct ir_inst, nan), ".nan"}, {offsetof(struct ir_inst, any_nan), ".any_nan"}, {offsetof(struct ir_inst, contract), ".contract"},
		{offsetof(struct ir_inst, may_leave), ".may_leave"}, {offsetof(struct ir_inst, leave), ".leave"}};
	for (size_t k = 0; k < sizeof bools / sizeof *bools; k++)
		if (*(const bool *)((const char *)i + bools[k].at))
			sb_puts(sb, bools[k].name);
	if (i->divergent)
		sb_puts(sb, ".div");
}

static void print_imm(struct printer *p, const struct ir_inst *i)
{
	switch (i->op) {
	case IR_sreg:
		sb_puts(p->sb, i->imm < IR_SREG_COUNT ? ir_sreg_names[i->imm] : "?");
		break;
	case IR_togeneric:
	case IR_tospace:
	case IR_isspace:
		sb_puts(p->sb, i->imm < 6 ? ir_space_names[i->imm] : "?");
		break;
	case IR_redux:
		sb_puts(p->sb, i->imm < IR_ATOM_COUNT ? ir_atom_names[i->imm] : "?");
		break;
	default:
		sb_putc(p->sb, '#');
		print_bits(p->sb, i->imm);
	}
}

static void separate(struct printer *p, bool *first)
{
	sb_puts(p->sb, *first ? " " : ", ");
	*first = false;
}

static void print_inst(struct printer *p, const struct ir_inst *i)
{
	struct strbuf *sb = p->sb;
	uint16_t flags = ir_op_info[i->op].flags;
	bool first = true;
	if (has_name(i)) {
		print_value(p, i);
		sb_printf(sb, ":%u = ", i->width);
	}
	sb_puts(sb, ir_op_info[i->op].name);
	print_flags(p, i);
	if (flags & IRF_HAS_SYM && i->sym) {
		separate(p, &first);
		bool is_var = i->op == IR_symaddr;
		sb_printf(sb, "@%s", is_var ? ((struct ir_var *)i->sym)->name : ((struct ir_func *)i->sym)->name);
	}
	for (uint32_t k = 0; k < i->nargs; k++) {
		separate(p, &first);
		if (i->op == IR_phi && i->block && k < i->block->preds.len)
			sb_printf(sb, "b%u ", i->block->preds.data[k]->id);
		print_value(p, i->args[k]);
	}
	if (flags & IRF_HAS_IMM || (flags & IRF_HAS_MEM && i->imm)) {
		separate(p, &first);
		print_imm(p, i);
	}
	if (flags & IRF_TERMINATOR && i->block)
		for (uint32_t k = 0; k < i->block->nsuccs; k++) {
			separate(p, &first);
			sb_printf(sb, "b%u", i->block->succs[k]->id);
		}
	if (i->line)
		sb_printf(sb, " !%u", i->line);
}

void ir_print_inst(struct strbuf *sb, struct ir_inst *i)
{
	print_inst(&(struct printer){sb, NULL}, i);
}

static void print_block(struct printer *p, const struct ir_block *b)
{
	sb_printf(p->sb, "b%u", b->id);
	for (uint32_t k = 0; k < b->preds.len; k++)
		sb_printf(p->sb, "%sb%u", k ? ", " : " (", b->preds.data[k]->id);
	sb_puts(p->sb, b->preds.len ? "):\n" : ":\n");
	ir_each_inst(i, b) {
		sb_putc(p->sb, '\t');
		print_inst(p, i);
		sb_putc(p->sb, '\n');
	}
}

static void print_var(struct strbuf *sb, const struct ir_var *v, const char *indent)
{
	sb_printf(sb, "%svar @%s %s size %llu align %u", indent, v->name, ir_space_names[v->space],
		  (unsigned long long)v->size, v->align);
	if (v->linkage)
		sb_printf(sb, " %s", ir_linkage_names[v->linkage]);
	if (v->dynamic)
		sb_puts(sb, " dynamic");
	if (v->addr_taken)
		sb_puts(sb, " addr_taken");
	if (v->offset)
		sb_printf(sb, " offset %llu", (unsigned long long)v->offset);
	if (v->line)
		sb_printf(sb, " line %u", v->line);
	if (v->init) {
		sb_puts(sb, " init ");
		for (uint64_t k = 0; k < v->size; k++)
			sb_printf(sb, "%02x", v->init[k]);
		sb_puts(sb, "h");
	}
	for (uint32_t k = 0; k < v->nrelocs; k++) {
		const struct ir_reloc *r = &v->relocs[k];
		sb_printf(sb, " reloc %llu @%s addend %lld bytes %u shift %u%s", (unsigned long long)r->offset,
			  r->var ? r->var->name : r->func->name, (long long)r->addend, r->bytes, r->shift,
			  r->generic ? " generic" : "");
	}
	sb_putc(sb, '\n');
}

static void print_dims(struct strbuf *sb, const char *name, const uint32_t d[3])
{
	if (d[0])
		sb_printf(sb, " %s %u %u %u", name, d[0], d[1], d[2]);
}

static void print_head(struct strbuf *sb, struct ir_func *f)
{
	sb_printf(sb, "%s @%s", f->is_kernel ? "kernel" : "func", f->name);
	if (f->linkage)
		sb_printf(sb, " %s", ir_linkage_names[f->linkage]);
	print_dims(sb, "maxntid", f->maxntid);
	print_dims(sb, "reqntid", f->reqntid);
	if (f->minnctapersm)
		sb_printf(sb, " minnctapersm %u", f->minnctapersm);
	if (f->maxnreg)
		sb_printf(sb, " maxnreg %u", f->maxnreg);
	if (f->noreturn)
		sb_puts(sb, " noreturn");
	if (f->nregs)
		sb_printf(sb, " nregs %u", f->nregs);
	if (f->line)
		sb_printf(sb, " line %u", f->line);
	for (uint32_t k = 0; k < f->arg_widths.len; k++)
		sb_printf(sb, "%s%u", k ? " " : " args ", f->arg_widths.data[k]);
	for (uint32_t k = 0; k < f->ret_widths.len; k++)
		sb_printf(sb, "%s%u", k ? " " : " rets ", f->ret_widths.data[k]);
	if (f->param_bytes)
		sb_printf(sb, " param_bytes %u", f->param_bytes);
}

void ir_print_func(struct strbuf *sb, struct ir_func *f)
{
	struct printer p = {sb, NEWN(f->arena, uint32_t, f->ninsts ? f->ninsts : 1)};
	uint32_t n = 0;
	print_head(sb, f);
	if (f->is_decl) {
		sb_puts(sb, " decl\n");
		return;
	}
	sb_puts(sb, " {\n");
	for (uint32_t k = 0; k < f->nparams; k++) {
		const struct ir_param *q = &f->params[k];
		sb_printf(sb, "\tparam @%s offset %u size %u align %u type %u", q->name, q->offset, q->size, q->align, q->type);
		if (q->is_pointer)
			sb_printf(sb, " pointer %s", ir_space_names[q->pointee_space]);
		sb_putc(sb, '\n');
	}
	for (uint32_t k = 0; k < f->vars.len; k++)
		print_var(sb, f->vars.data[k], "\t");
	ir_each_block(b, f) {
		b->id = b_k;
		ir_each_inst(i, b) if (has_name(i)) p.number[i->id] = n++;
	}
	ir_each_block(b, f) print_block(&p, b);
	sb_puts(sb, "}\n");
}

void ir_print(struct strbuf *sb, struct ir_module *m)
{
	if (m->wave_size != 32)
		sb_printf(sb, "wave %u\n", m->wave_size);
	for (uint32_t k = 0; k < m->vars.len; k++)
		print_var(sb, m->vars.data[k], "");
	for (uint32_t k = 0; k < m->funcs.len; k++)
		ir_print_func(sb, m->funcs.data[k]);
}
