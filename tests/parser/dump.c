/* dump FILE.ptx: the resolved tree, or the diagnostics when there are errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness/files.h"
#include "parser/ptx_dump.h"
#include "parser/ptx_parse.h"

int main(int argc, char **argv)
{
	size_t n;
	struct trap trap;
	struct arena a;
	arena_init(&a, &trap);
	if (setjmp(trap.env)) {
		printf("internal error: %s\n", trap.msg);
		return 1;
	}
	char *text = argc > 1 ? read_file(&a, argv[1], &n) : NULL;
	if (!text)
		return 2;
	struct diags d;
	diags_init(&d, &a);
	struct ptx_module *m = ptx_parse(&a, &d, text, n, NULL);
	static const char *const sev[] = {"info", "warning", "error", "fatal"};
	for (uint32_t i = 0; i < d.list.len; i++)
		printf("line %u; %s: %s\n", d.list.data[i].line, sev[d.list.data[i].severity], d.list.data[i].text);
	if (!d.errors && m) {
		struct strbuf sb;
		sb_init(&sb, &a);
		ptx_dump(&sb, m);
		fputs(sb_str(&sb), stdout);
	}
	arena_free(&a);
	return 0;
}
