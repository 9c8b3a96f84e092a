/* All passes, readable from top to bottom. */
#include "api/passes.h"

#include <string.h>

#include "isel/isel.h"

enum pass_kind { MODULE, FUNC, SELECT, MACHINE };

static const struct pass {
	const char *name;
	uint8_t kind;
	bool optional; /* not run at -O0 and removable by its --no- option */
	union {
		void (*module)(struct ir_module *);
		void (*func)(struct ir_func *);
		void (*machine)(struct amd_func *);
	};
} passes[] = {
#define M(pass) {.name = #pass, .kind = MODULE, .module = pass}
#define F(pass, opt) {.name = #pass, .kind = FUNC, .optional = opt, .func = pass}
#define A(pass, opt) {.name = #pass, .kind = MACHINE, .optional = opt, .machine = pass}
	F(ir_ssa, false),
	M(ir_devirtualise),
	M(ir_inline),
	M(ir_recursion),
	F(ir_simplify_cfg, true),
	F(ir_combine, true),
	F(ir_spaces, true),
	F(ir_dce, true),
	F(ir_unindex, true),
	F(ir_promote, true),
	F(ir_simplify_cfg, true),
	F(ir_combine, true),
	F(ir_gvn, true),
	F(ir_if_convert, true),
	F(ir_dce, true),
	F(ir_legal_switch, false),
	F(ir_legal_meet, false),
	F(ir_legal_barrier, false),
	M(ir_legal_grid),
	M(ir_legal_spaces),
	F(ir_legal_atomic, false),
	F(ir_legal_warp, false),
	F(ir_nan, false),
	F(ir_nan_f64, false),
	F(ir_ftz, false),
	F(ir_legal_float, false),
	F(ir_legal_int, false),
	F(ir_simplify_cfg, true),
	F(ir_combine, true),
	F(ir_gvn, true),
	F(ir_licm, true),
	F(ir_dce, true),
	F(ir_merge_loads, true),
	F(ir_noclobber, true),
	F(ir_legal_flow, false),
	{.name = "isel", .kind = SELECT},
	A(amd_value_number, true),
	A(amd_combine, true),
	A(amd_sdwa, true),
	A(amd_split, true),
	A(amd_merge_lds, true),
	A(amd_live, false),
	A(amd_spill, false),
	A(amd_schedule, true),
	A(amd_regalloc, false),
	A(amd_regalloc_check, true),
	A(amd_out_of_ssa, false),
	A(amd_lower_pseudos, false),
	A(amd_forward, true),
	A(amd_modes, false),
	A(amd_waits, false),
	A(amd_vopd, true),
	A(amd_hazards, false),
	A(amd_clauses, true),
#undef M
#undef F
#undef A
};
enum { NPASSES = sizeof passes / sizeof *passes };

static bool listed(const char *const *list, const char *name)
{
	for (; list && *list; list++)
		if (!strcmp(*list, name) || !strcmp(*list, "all"))
			return true;
	return false;
}

const char *ptx_pass_name(unsigned index)
{
	static const char *const outer[] = {"parse", "build"};
	if (index < 2)
		return outer[index];
	return index - 2 < NPASSES ? passes[index - 2].name : NULL;
}

bool passes_known(const char *name)
{
	const char *p;
	for (unsigned k = 0; (p = ptx_pass_name(k)); k++)
		if (!strcmp(p, name))
			return true;
	return !strcmp(name, "all");
}

bool passes_optional(const char *name)
{
	for (unsigned k = 0; k < NPASSES; k++)
		if (passes[k].optional && !strcmp(passes[k].name, name))
			return true;
	return false;
}

bool passes_dumped(const struct pass_run *r, const char *name)
{
	return r->opt->dump && listed(r->opt->dumps, name);
}

static bool runs(const struct pass_run *r, const struct pass *p)
{
	if (p->kind == MACHINE && p->machine == amd_regalloc_check)
		return r->opt->check && !listed(r->opt->disabled, p->name);
	if (!p->optional)
		return true;
	return r->level > 0 && !listed(r->opt->disabled, p->name);
}

static void after_func(struct pass_run *r, const struct pass *p, struct ir_func *f)
{
	if (r->opt->check)
		ir_validate(f, p->name);
	if (!passes_dumped(r, p->name))
		return;
	struct strbuf sb;
	sb_init(&sb, r->arena);
	ir_print_func(&sb, f);
	r->opt->dump(r->opt->dump_ctx, p->name, f->name, sb_str(&sb));
}

static void after_machine(struct pass_run *r, const struct pass *p, struct amd_func *f)
{
	if (r->opt->check)
		amd_validate(f, p->name);
	if (!passes_dumped(r, p->name))
		return;
	struct strbuf sb;
	sb_init(&sb, r->arena);
	amd_print_func(&sb, f);
	r->opt->dump(r->opt->dump_ctx, p->name, f->name, sb_str(&sb));
}

static bool stops_at(struct pass_run *r, const struct pass *p)
{
	r->stopped = r->opt->stop_after && !strcmp(r->opt->stop_after, p->name);
	return r->stopped;
}

bool passes_ir(struct pass_run *r, struct ir_module *m)
{
	for (const struct pass *p = passes; p->kind != SELECT; p++) {
		if (!runs(r, p))
			continue;
		if (p->kind == MODULE)
			p->module(m);
		for (uint32_t k = 0; k < m->funcs.len; k++) {
			struct ir_func *f = m->funcs.data[k];
			if (f->is_decl)
				continue;
			if (p->kind == FUNC)
				p->func(f);
			after_func(r, p, f);
		}
		if (m->diags->errors || stops_at(r, p))
			return false;
	}
	return true;
}

struct amd_func *passes_machine(struct pass_run *r, struct ir_func *f)
{
	const struct pass *p = passes;
	while (p->kind != SELECT)
		p++;
	struct amd_func *m = isel_function(r->arena, f, r->target, r->opt->check);
	if (!m)
		return NULL;
	m->max_vgprs = r->opt->max_vgprs;
	m->seed = r->opt->seed;
	m->force_waits = r->opt->force_waits;
	after_machine(r, p, m);
	for (; !stops_at(r, p) && ++p < passes + NPASSES;) {
		if (!runs(r, p))
			continue;
		p->machine(m);
		if (f->module->diags->errors)
			return NULL;
		after_machine(r, p, m);
	}
	return r->stopped ? NULL : m;
}
