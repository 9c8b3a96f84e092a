/* Any bytes are input to the parser: it answers with a tree or with diagnostics, and touches nothing outside. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "parser/ptx_dump.h"
#include "parser/ptx_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct trap trap;
	struct arena a;
	struct diags d;
	arena_init(&a, &trap);
	if (setjmp(trap.env))
		abort();
	diags_init(&d, &a);
	d.max_errors = 100;
	struct ptx_module *m = ptx_parse(&a, &d, (const char *)data, n, NULL);
	if (m && !d.errors) {
		struct strbuf sb;
		sb_init(&sb, &a);
		ptx_dump(&sb, m);
	}
	arena_free(&a);
	return 0;
}
