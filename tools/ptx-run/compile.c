/* The one place where ptx-run meets the compiler. */
#include <stdio.h>
#include <string.h>

#include "ptx.h"
#include "run.h"

static void print_diagnostic(const struct run *r, const struct ptx_diagnostic *d)
{
	static const char *const words[] = {"info   ", "warning", "error  ", "fatal  "};
	if (d->line && d->severity <= PTX_SEVERITY_ERROR)
		fprintf(stderr, "ptxas %s, line %u; %s : %s\n", r->module, d->line, words[d->severity], d->text);
	else
		fprintf(stderr, "ptxas %s : %s\n", words[d->severity], d->text);
}

uint8_t *run_compile(struct run *r, const char *text, size_t n, size_t *size)
{
	struct ptx_context *ctx = ptx_context_new();
	struct ptx_options opt = {.gpu = r->gpu, .dynamic_shared = r->shared};
	const struct ptx_output *out = NULL;
	uint8_t *p = NULL;
	*size = 0;
	if (!ctx) {
		fprintf(stderr, "ptxas fatal   : out of memory\n");
		return NULL;
	}
	enum ptx_status st = ptx_compile(ctx, &opt, text, n, &out);
	for (uint32_t k = 0; k < out->ndiagnostics; k++)
		print_diagnostic(r, &out->diagnostics[k]);
	if (st == PTX_OK && out->object) {
		*size = out->object_size;
		p = NEWN(&r->arena, uint8_t, *size + 1);
		memcpy(p, out->object, *size);
	} else if (st == PTX_ERROR_INPUT) {
		fprintf(stderr, "ptxas fatal   : Ptx assembly aborted due to errors\n");
	} else if (!out->ndiagnostics) {
		fprintf(stderr, "ptxas fatal   : %s: no code was generated\n", r->module);
	}
	ptx_context_free(ctx);
	return p;
}
