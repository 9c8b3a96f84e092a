/* Any text that parses builds IR that validates, and its SSA form does too, or is refused with a diagnostic. */
#include "ir/ir.h"
#include "parser/build.h"
#include "parser/ptx_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void build(struct arena *a, const char *text, size_t size)
{
	struct diags d;
	struct ptx_parse_opts opts = {0};
	diags_init(&d, a);
	struct ptx_module *pm = ptx_parse(a, &d, text, size, &opts);
	struct ir_module *m = pm && !d.errors ? ptx_build(a, &d, pm) : NULL;
	for (uint32_t k = 0; m && !d.errors && k < m->funcs.len; k++) {
		if (m->funcs.data[k]->is_decl)
			continue;
		ir_validate(m->funcs.data[k], "ptx_build");
		ir_ssa(m->funcs.data[k]);
		ir_validate(m->funcs.data[k], "ir_ssa");
	}
}

/* Without a trap an internal error aborts. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	arena_init(&a, NULL);
	build(&a, (const char *)data, size);
	arena_free(&a);
	return 0;
}
