/* The library's entry points: option checks, the order of the big steps, results as data. */
#include "ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/passes.h"
#include "parser/build.h"
#include "parser/ptx_parse.h"

enum { MAX_ERRORS = 100 };

struct ptx_context {
	struct trap trap;
	struct arena keep;    /* the context itself */
	struct arena work;    /* one compilation */
	struct ptx_output out;
	struct ptx_diagnostic error_diagnostic; /* outlives the arenas */
	char error[600];
};

static const char *const gpus[] = {
#define GPU(name) #name,
#include "api/gpus.def"
#undef GPU
};

const char *ptx_gpu_name(unsigned index)
{
	return index < sizeof gpus / sizeof *gpus ? gpus[index] : NULL;
}

const char *ptx_version(void)
{
	return "0.1";
}

struct ptx_context *ptx_context_new(void)
{
	struct trap trap;
	struct arena boot;
	arena_init(&boot, &trap);
	if (setjmp(trap.env))
		return NULL;
	struct ptx_context *c = NEW(&boot, struct ptx_context);
	c->keep = boot; /* the context lies in its own arena */
	c->keep.trap = &c->trap;
	arena_init(&c->work, &c->trap);
	return c;
}

void ptx_context_free(struct ptx_context *c)
{
	if (!c)
		return;
	arena_free(&c->work);
	struct arena keep = c->keep;
	arena_free(&keep);
}

/* --- one compilation --- */

struct job {
	struct ptx_context *ctx;
	const struct ptx_options *opt;
	struct arena *arena;
	struct diags *diags;
	const struct amd_target *target;
	struct ptx_parse_opts parse;
	const char *text;
	size_t size;
	bool check_only;
};

static bool check_names(struct job *j, const char *const *names, const char *what)
{
	for (; names && *names; names++)
		if (!passes_known(*names))
			diag_error(j->diags, 0, "unknown pass '%s' in %s", *names, what);
	return !j->diags->errors;
}

static bool check_disabled(struct job *j)
{
	if (!check_names(j, j->opt->disabled, "disabled"))
		return false;
	for (const char *const *name = j->opt->disabled; name && *name; name++)
		if (strcmp(*name, "all") && !passes_optional(*name))
			diag_error(j->diags, 0, "pass '%s' cannot be left out", *name);
	return !j->diags->errors;
}

static void at_most(struct job *j, const char *option, uint32_t value, uint32_t most)
{
	if (value > most)
		diag_error(j->diags, 0, "option %s is %u, %s has %u", option, value, j->target->name, most);
}

static bool check_options(struct job *j)
{
	const char *gpu = j->opt->gpu ? j->opt->gpu : "gfx1100";
	unsigned n = 0;
	while (ptx_gpu_name(n) && strcmp(ptx_gpu_name(n), gpu))
		n++;
	j->target = ptx_gpu_name(n) ? amd_target_find(gpu) : NULL;
	if (!j->target) {
		diag_add(j->diags, DIAG_FATAL, 0, "Value '%s' is not defined for option 'gpu'", gpu);
		return false;
	}
	if (j->opt->arch && !ptx_arch_known(j->opt->arch, &j->parse.max_target, &j->parse.max_suffix)) {
		diag_add(j->diags, DIAG_FATAL, 0, "Value '%s' is not defined for option 'gpu-name'", j->opt->arch);
		return false;
	}
	const char *stop[2] = {j->opt->stop_after, NULL};
	for (const char *const *name = j->opt->dumps; name && *name; name++)
		if (!strcmp(*name, "parse"))
			diag_error(j->diags, 0, "pass 'parse' has nothing to dump");
	at_most(j, "max_lds", j->opt->max_lds, j->target->lds_bytes);
	at_most(j, "max_scratch", j->opt->max_scratch, amd_max_scratch(j->target));
	at_most(j, "max_vgprs", j->opt->max_vgprs, j->target->max_vgprs);
	return !j->diags->errors && check_names(j, stop, "stop_after") && check_disabled(j) && check_names(j, j->opt->dumps, "dumps");
}

static void verify_code(struct job *j, struct amd_func *f)
{
	struct emit_code code = {.func = f};
	emit_code(f, &code);
	const char *fault = emit_verify(j->arena, &code);
	if (fault)
		ice(j->arena, "emit_verify: %s: %s", f->name, fault);
}

static struct emit_source line_table(struct job *j)
{
	uint32_t n = j->ctx->out.nlines, *starts = NEWN(j->arena, uint32_t, n + 2), k = 0;
	const char *p = j->text, *end = j->text + j->size;
	while (p < end && k < n) {
		starts[k++] = (uint32_t)(p - j->text);
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		p = nl ? nl + 1 : end;
	}
	starts[k] = (uint32_t)j->size;
	return (struct emit_source){j->text, starts, k};
}

static void assembly(struct job *j, struct emit_module *em)
{
	struct strbuf sb;
	struct emit_source source = line_table(j);
	sb_init(&sb, j->arena);
	emit_asm_begin(&sb, j->target);
	for (uint32_t k = 0; k < em->funcs.len; k++) {
		struct emit_code code = {.func = em->funcs.data[k]};
		emit_code(em->funcs.data[k], &code);
		emit_asm_func(&sb, &code, &source);
	}
	j->ctx->out.assembly = sb_str(&sb);
}

static void report_kernels(struct job *j, struct emit_module *em)
{
	struct ptx_kernel *k = NEWN(j->arena, struct ptx_kernel, em->funcs.len ? em->funcs.len : 1);
	struct ptx_output *out = &j->ctx->out;
	for (uint32_t n = 0; n < em->funcs.len; n++) {
		const struct amd_func *f = em->funcs.data[n];
		if (!f->is_kernel)
			continue;
		k[out->nkernels++] = (struct ptx_kernel){
			.name = f->name, .vgprs = f->stats.vgprs, .sgprs = f->stats.sgprs, .vgpr_spills = f->stats.spilled_vgprs,
			.sgpr_spills = f->stats.spilled_sgprs, .lds_bytes = f->abi.lds_bytes, .scratch_bytes = f->abi.scratch_bytes,
			.code_bytes = f->stats.code_bytes, .occupancy = f->stats.occupancy, .param_bytes = f->abi.kernarg_bytes,
			.dynamic_in_memory = f->abi.max_dynamic != 0,
		};
	}
	out->kernels = k;
}

static bool back_end(struct job *j, struct pass_run *run, struct ir_module *m)
{
	struct emit_module em = {.arena = j->arena, .diags = j->diags, .target = j->target};
	for (uint32_t k = 0; k < m->funcs.len; k++) {
		struct ir_func *f = m->funcs.data[k];
		if (f->is_decl || !f->is_kernel)
			continue;
		struct amd_func *a = passes_machine(run, f);
		if (!a)
			continue;
		vec_push(j->arena, &em.funcs, a);
		vec_push(j->arena, &em.ir_funcs, f);
	}
	if (run->stopped || j->diags->errors)
		return !j->diags->errors;
	for (uint32_t k = 0; k < m->vars.len; k++)
		if (m->vars.data[k]->space == IR_GLOBAL || m->vars.data[k]->space == IR_CONST)
			vec_push(j->arena, &em.vars, m->vars.data[k]);
	for (uint32_t k = 0; j->opt->check && k < em.funcs.len; k++)
		verify_code(j, em.funcs.data[k]);
	j->ctx->out.object = emit_object(&em, &j->ctx->out.object_size);
	if (j->ctx->out.object && j->opt->assembly)
		assembly(j, &em);
	report_kernels(j, &em);
	return j->ctx->out.object != NULL;
}

static bool compile(struct job *j)
{
	struct pass_run run = {.arena = j->arena, .opt = j->opt, .target = j->target};
	run.level = j->opt->opt_level == PTX_OPT_DEFAULT ? 3 : j->opt->opt_level - PTX_O0;
	struct ptx_module *pm = ptx_parse(j->arena, j->diags, j->text, j->size, &j->parse);
	if (j->diags->errors || !pm)
		return false;
	if (j->check_only || (j->opt->stop_after && !strcmp(j->opt->stop_after, "parse")))
		return true;
	struct ir_module *m = ptx_build(j->arena, j->diags, pm);
	if (j->diags->errors)
		return false;
	m->wave_size = j->target->wave_size;
	m->target = j->target;
	m->dynamic_shared = j->opt->dynamic_shared;
	m->max_scratch = j->opt->max_scratch && j->opt->max_scratch < 256 ? 256 : j->opt->max_scratch;
	bool known = j->opt->ftz == PTX_FTZ_DEFAULT, trusted = j->opt->ftz == PTX_FTZ_HARDWARE;
	m->ftz32_by_hardware = trusted || (known && j->target->tiny_f32);
	m->ftz16_by_hardware = trusted;
	m->ftz16_by_fma = known && j->target->tiny_f16_fma;
	m->exact_atomic_nan = j->opt->exact_atomic_nan != 0;
	m->max_lds = j->opt->max_lds && j->opt->max_lds < 256 ? 256 : j->opt->max_lds;
	if (passes_dumped(&run, "build")) {
		struct strbuf sb;
		sb_init(&sb, j->arena);
		ir_print(&sb, m);
		j->opt->dump(j->opt->dump_ctx, "build", NULL, sb_str(&sb));
	}
	if (j->opt->stop_after && !strcmp(j->opt->stop_after, "build"))
		return true;
	if (!passes_ir(&run, m))
		return run.stopped && !j->diags->errors;
	return back_end(j, &run, m);
}

static void publish(struct ptx_context *c, struct diags *d)
{
	struct ptx_diagnostic *list = NEWN(&c->work, struct ptx_diagnostic, d->list.len ? d->list.len : 1);
	for (uint32_t k = 0; k < d->list.len; k++)
		list[k] = (struct ptx_diagnostic){(enum ptx_severity)d->list.data[k].severity, d->list.data[k].line, d->list.data[k].text};
	c->out.diagnostics = list;
	c->out.ndiagnostics = d->list.len;
}

static uint32_t count_lines(const char *text, size_t n)
{
	uint32_t lines = 0;
	for (const char *p = text, *end = text + n; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
		lines++;
	return lines + (n && text[n - 1] != '\n');
}

static enum ptx_status internal_error(struct ptx_context *c, const struct ptx_output **out)
{
	snprintf(c->error, sizeof c->error, "internal error: %s", c->trap.msg);
	c->error_diagnostic = (struct ptx_diagnostic){PTX_SEVERITY_FATAL, 0, c->error};
	c->out = (struct ptx_output){.ndiagnostics = 1, .diagnostics = &c->error_diagnostic};
	*out = &c->out;
	return PTX_ERROR_INTERNAL;
}

static enum ptx_status run(struct ptx_context *c, const struct ptx_options *opt, const char *text, size_t size, bool check_only,
                           const struct ptx_output **out)
{
	arena_reset(&c->work);
	memset(&c->out, 0, sizeof c->out);
	if (setjmp(c->trap.env))
		return internal_error(c, out);
	struct diags diags;
	diags_init(&diags, &c->work);
	diags.max_errors = MAX_ERRORS;
	struct job j = {.ctx = c, .opt = opt, .arena = &c->work, .diags = &diags, .text = text, .size = size, .check_only = check_only};
	c->out.nlines = count_lines(text, size);
	*out = &c->out;
	enum ptx_status status = PTX_ERROR_OPTION;
	if (check_options(&j))
		status = compile(&j) ? PTX_OK : PTX_ERROR_INPUT;
	publish(c, &diags);
	return status;
}

enum ptx_status ptx_compile(struct ptx_context *ctx, const struct ptx_options *opt, const char *text, size_t size,
                            const struct ptx_output **out)
{
	return run(ctx, opt, text, size, false, out);
}

enum ptx_status ptx_check(struct ptx_context *ctx, const struct ptx_options *opt, const char *text, size_t size,
                          const struct ptx_output **out)
{
	return run(ctx, opt, text, size, true, out);
}
