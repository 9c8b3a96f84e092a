/* dump FILE.ptx: the resolved tree, or the diagnostics when there are errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/ptx_dump.h"
#include "parser/ptx_parse.h"

static char *slurp(const char *file, size_t *n)
{
	FILE *f = fopen(file, "rb");
	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	long size = ftell(f);
	rewind(f);
	char *s = malloc((size_t)size + 1);
	*n = s ? fread(s, 1, (size_t)size, f) : 0;
	fclose(f);
	return s;
}

int main(int argc, char **argv)
{
	size_t n;
	char *text = argc > 1 ? slurp(argv[1], &n) : NULL;
	if (!text)
		return 2;
	struct trap trap;
	struct arena a;
	arena_init(&a, &trap);
	if (setjmp(trap.env)) {
		printf("internal error: %s\n", trap.msg);
		return 1;
	}
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
	free(text);
	return 0;
}
