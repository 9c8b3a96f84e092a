/* Text of a resolved module: every declaration with what was worked out (sizes, offsets, relocations), every
 * instruction with its form, decoded modifiers and typed operands. */
#include "parser/ptx_dump.h"

#include <inttypes.h>

#include "base/arena.h"
#include "parser/forms.h"

static const char *const links[] = {"", "extern ", "visible ", "weak ", "common "};

static void dump_init(struct strbuf *sb, const struct ptx_symbol *s)
{
	uint64_t n = s->size < 64 ? s->size : 64;
	sb_puts(sb, "  init");
	for (uint64_t i = 0; i < n; i++)
		sb_printf(sb, "%s%02x", i % 4 ? "" : " ", s->init[i]);
	sb_puts(sb, n < s->size ? " ...\n" : "\n");
	for (uint32_t i = 0; i < s->nrelocs; i++) {
		const struct ptx_reloc *r = &s->relocs[i];
		sb_printf(sb, "  reloc %" PRIu64 ": %u bytes %s%s%+" PRId64, r->offset, r->size, r->generic ? "generic " : "",
			  r->sym->name, r->addend);
		if (r->mask)
			sb_printf(sb, " mask 0x%" PRIx64, r->mask);
		sb_putc(sb, '\n');
	}
}

static void dump_var(struct strbuf *sb, const struct ptx_symbol *s, const char *indent)
{
	sb_printf(sb, "%s%s%s %s", indent, links[s->linkage], ptx_space_name(s->space), ptx_type_name(s->type));
	if (s->vec > 1)
		sb_printf(sb, "x%u", s->vec);
	sb_printf(sb, " %s", s->name);
	for (uint32_t i = 0; i < s->ndims; i++)
		sb_printf(sb, "[%" PRIu64 "]", s->dims[i]);
	sb_printf(sb, " size %" PRIu64 " align %u", s->size, s->align);
	if (s->is_entry_param || s->is_func_param || s->is_ret_param)
		sb_printf(sb, " at %" PRIu64, s->offset);
	if (s->is_ptr)
		sb_printf(sb, " ptr %s align %u", ptx_space_name(s->ptr_space), s->ptr_align);
	if (s->managed)
		sb_puts(sb, " managed");
	if (s->has_unified)
		sb_printf(sb, " unified %" PRIu64 " %" PRIu64, s->unified[0], s->unified[1]);
	sb_putc(sb, '\n');
	if (s->init)
		dump_init(sb, s);
}

static void dump_reg(struct strbuf *sb, const struct ptx_func *f, const struct ptx_operand *o)
{
	static const char *const sel[] = {"", ".x", ".y", ".z", ".w"};
	sb_printf(sb, "%s%s", o->neg ? o->uns ? "!" : "-" : "", ptx_reg_name(sb->arena, f, o->reg));
	if (o->sel >= 1 && o->sel <= 4)
		sb_puts(sb, sel[o->sel]);
	else if (o->sel >= 17 && o->sel <= 20)
		sb_printf(sb, ".b%u", o->sel - 17u);
	else if (o->sel == 21 || o->sel == 22)
		sb_printf(sb, ".h%u", o->sel - 21u);
	else if (o->sel == 32)
		sb_printf(sb, ".b%u%u%u%u", o->sels[0], o->sels[1], o->sels[2], o->sels[3]);
	else if (o->sel == 34 && o->sels[2] == o->sels[1])
		sb_printf(sb, ".b%u%u", o->sels[0], o->sels[1]);
	else if (o->sel == 34)
		sb_printf(sb, ".b%u%u%u", o->sels[0], o->sels[1], o->sels[2]);
	else if (o->sel == 33)
		sb_printf(sb, ".h%u%u", o->sels[0], o->sels[1]);
}

static void dump_operand(struct strbuf *sb, const struct ptx_func *f, const struct ptx_operand *o);

static void dump_elems(struct strbuf *sb, const struct ptx_func *f, const struct ptx_operand *o, const char *open,
		       const char *sep, const char *close)
{
	sb_puts(sb, open);
	for (uint32_t i = 0; i < o->n; i++) {
		sb_puts(sb, i ? sep : "");
		dump_operand(sb, f, &o->elems[i]);
	}
	sb_puts(sb, close);
}

static void dump_operand(struct strbuf *sb, const struct ptx_func *f, const struct ptx_operand *o)
{
	static const char *const comps[] = {"", ".x", ".y", ".z", ".w"};
	switch (o->kind) {
	case PTX_OPD_REG:
		dump_reg(sb, f, o);
		break;
	case PTX_OPD_PAIR:
		dump_elems(sb, f, o, "", "|", "");
		break;
	case PTX_OPD_IMM:
		sb_printf(sb, "%" PRId64 "%s", o->imm, o->uns ? "U" : "");
		break;
	case PTX_OPD_FIMM:
		if (o->is_f32)
			sb_printf(sb, "0f%08x", o->f32bits);
		else
			sb_printf(sb, "0d%016" PRIx64, o->bits);
		break;
	case PTX_OPD_SREG:
		sb_printf(sb, "%s%s", ptx_sreg_name(o->reg), comps[o->sel < 5 ? o->sel : 0]);
		break;
	case PTX_OPD_SYM:
		sb_printf(sb, "&%s", o->sym->name);
		if (o->imm)
			sb_printf(sb, "%+" PRId64, o->imm);
		break;
	case PTX_OPD_ADDR:
		sb_puts(sb, "[");
		if (o->base == PTX_BASE_REG)
			sb_puts(sb, ptx_reg_name(sb->arena, f, o->reg));
		else if (o->base == PTX_BASE_SYM)
			sb_printf(sb, "&%s", o->sym->name);
		if (o->imm || o->base == PTX_BASE_NONE)
			sb_printf(sb, "%+" PRId64, o->imm);
		sb_puts(sb, "]");
		break;
	case PTX_OPD_VEC:
		dump_elems(sb, f, o, "{", ", ", "}");
		break;
	case PTX_OPD_SINK:
		sb_puts(sb, "_");
		break;
	case PTX_OPD_LABEL:
		sb_printf(sb, "L%u", o->reg);
		break;
	case PTX_OPD_LIST:
		dump_elems(sb, f, o, "(", ", ", ")");
		break;
	case PTX_OPD_TENSOR:
		dump_elems(sb, f, o, "[", ", ", "]");
		break;
	default:
		sb_puts(sb, "?");
	}
}

static void dump_inst(struct strbuf *sb, const struct ptx_func *f, const struct ptx_stmt *s)
{
	sb_printf(sb, "  %u: ", s->line);
	if (s->guard != PTX_NO_REG)
		sb_printf(sb, "@%s%s ", s->guard_neg ? "!" : "", ptx_reg_name(sb->arena, f, s->guard));
	sb_puts(sb, ptx_op_name(s->m->op));
	for (uint32_t i = 0; i < s->m->ntypes; i++)
		sb_printf(sb, ".%s", ptx_type_name(s->m->types[i]));
	for (uint32_t i = 0; i < s->nops; i++) {
		sb_puts(sb, i ? ", " : " ");
		dump_operand(sb, f, &s->ops[i]);
	}
	sb_printf(sb, "  ; %s", ptx_form_name(s->form));
	for (uint32_t i = 1; i < PTX_MOD_COUNT; i++)
		if (s->m->mod[i])
			sb_printf(sb, " %s=%s", ptx_mod_names[i], ptx_word_name(s->m->mod[i]));
	sb_putc(sb, '\n');
}

static void dump_stmt(struct strbuf *sb, const struct ptx_func *f, const struct ptx_stmt *s)
{
	switch (s->kind) {
	case PTX_STMT_INST:
		dump_inst(sb, f, s);
		break;
	case PTX_STMT_LABEL:
		sb_printf(sb, " L%u: %s\n", s->label, f->labels[s->label].name);
		break;
	case PTX_STMT_LOC:
		sb_printf(sb, "  %u: loc %u %u %u", s->line, s->loc->file, s->loc->line, s->loc->column);
		if (s->loc->inl_file)
			sb_printf(sb, " inlined at %u %u %u", s->loc->inl_file, s->loc->inl_line, s->loc->inl_column);
		sb_putc(sb, '\n');
		break;
	case PTX_STMT_PRAGMA:
		sb_printf(sb, "  %u: pragma %s\n", s->line, s->text);
		break;
	}
}

static void dump_perf(struct strbuf *sb, const struct ptx_perf *p)
{
	if (p->maxntid[0])
		sb_printf(sb, " maxntid %u %u %u\n", p->maxntid[0], p->maxntid[1], p->maxntid[2]);
	if (p->reqntid[0])
		sb_printf(sb, " reqntid %u %u %u\n", p->reqntid[0], p->reqntid[1], p->reqntid[2]);
	if (p->reqnctapercluster[0])
		sb_printf(sb, " reqnctapercluster %u %u %u\n", p->reqnctapercluster[0], p->reqnctapercluster[1],
			  p->reqnctapercluster[2]);
	if (p->minnctapersm || p->maxnctapersm || p->maxnreg || p->maxclusterrank)
		sb_printf(sb, " minnctapersm %u maxnctapersm %u maxnreg %u maxclusterrank %u\n", p->minnctapersm,
			  p->maxnctapersm, p->maxnreg, p->maxclusterrank);
	if (p->noreturn)
		sb_puts(sb, " noreturn\n");
}

static void dump_params(struct strbuf *sb, const char *what, struct ptx_symbol *const *v, const uint32_t *regs, uint32_t n,
			const struct ptx_func *f)
{
	for (uint32_t i = 0; i < n; i++) {
		if (regs[i] != PTX_NO_REG)
			sb_printf(sb, " %s %s in %s\n", what, ptx_type_name(v[i]->type), ptx_reg_name(sb->arena, f, regs[i]));
		else
			dump_var(sb, v[i], what[0] == 'r' ? " ret " : " ");
	}
}

static void dump_func(struct strbuf *sb, const struct ptx_func *f)
{
	sb_printf(sb, "%s%s %s%s", links[f->sym->linkage], f->is_entry ? "entry" : "func", f->sym->name,
		  f->has_body ? "" : " declared");
	if (f->alias_of)
		sb_printf(sb, " alias of %s", f->alias_of->sym->name);
	sb_printf(sb, " params %" PRIu64 " bytes\n", f->param_size);
	dump_params(sb, "ret", f->rets, f->ret_regs, f->nrets, f);
	dump_params(sb, "param", f->params, f->param_regs, f->nparams, f);
	dump_perf(sb, &f->perf);
	for (uint32_t i = 0; i < f->nvars; i++)
		dump_var(sb, f->vars[i], " ");
	for (uint32_t i = 0; i < f->nregs; i++)
		sb_printf(sb, "%s%s:%s%s%s", i ? " " : " regs ", ptx_reg_name(sb->arena, f, i), ptx_type_name(f->regs[i].type),
			  f->regs[i].vec > 1 ? "x" : "", f->regs[i].vec == 4 ? "4" : f->regs[i].vec == 2 ? "2" : "");
	if (f->nregs)
		sb_putc(sb, '\n');
	for (uint32_t i = 0; i < f->nstmts; i++)
		dump_stmt(sb, f, &f->stmts[i]);
}

void ptx_dump(struct strbuf *sb, const struct ptx_module *m)
{
	sb_printf(sb, "module version %u.%u target sm_%u", m->version / 10, m->version % 10, m->target);
	if (m->target_suffix)
		sb_putc(sb, m->target_suffix);
	sb_printf(sb, " address_size %u%s\n", m->address_size, m->debug ? " debug" : "");
	for (uint32_t i = 0; i < m->nfiles; i++)
		sb_printf(sb, "file %u %s\n", m->files[i].index, m->files[i].name);
	for (uint32_t i = 0; i < m->npragmas; i++)
		sb_printf(sb, "pragma %s\n", m->pragmas[i]);
	for (uint32_t i = 0; i < m->nvars; i++)
		dump_var(sb, m->vars[i], "");
	for (uint32_t i = 0; i < m->nfuncs; i++)
		dump_func(sb, m->funcs[i]);
}
