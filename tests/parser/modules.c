/* modules FILE KNOWN: our verdict on every module that ptxas was asked about (gen_modules.py). Where ptxas refuses with a line, our first error
 * is on that line.
 *
 * KNOWN lists the modules where we mean to differ, NAME TAB WHY. One that differs and is not listed fails; so does a listed one that no
 * longer differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness/files.h"
#include "base/strbuf.h"
#include "parser/ptx_parse.h"

static const char head[] = ".version 9.0\n.target sm_90\n.address_size 64\n";

/* \xNN back to bytes, in place. */
static size_t unescape(char *s)
{
	char *o = s;
	for (char *p = s; *p; p++) {
		unsigned c;
		if (*p == '\\' && sscanf(p, "\\x%2x", &c) == 1) {
			*o++ = (char)c;
			p += 3;
		} else {
			*o++ = *p;
		}
	}
	*o = 0;
	return (size_t)(o - s);
}

static bool listed(const char *known, const char *name)
{
	size_t n = strlen(name);
	for (const char *p = known; (p = strstr(p, name)); p++)
		if ((p == known || p[-1] == '\n') && p[n] == '\t')
			return true;
	return false;
}

struct verdict {
	uint32_t line; /* of the first error */
	const char *text;
};

static struct verdict ours(struct arena *a, char *text, size_t n)
{
	struct diags d;
	diags_init(&d, a);
	ptx_parse(a, &d, text, n, NULL);
	for (uint32_t i = 0; i < d.list.len; i++)
		if (d.list.data[i].severity >= DIAG_ERROR)
			return (struct verdict){d.list.data[i].line, d.list.data[i].text};
	return (struct verdict){0, NULL};
}

int main(int argc, char **argv)
{
	uint32_t passed = 0, failed = 0, known = 0;
	if (argc != 3)
		return 2;
	struct arena files;
	arena_init(&files, NULL);
	char *list = need_file(argv[2], read_file(&files, argv[2], NULL));
	for (char *c = strstr(need_file(argv[1], read_file(&files, argv[1], NULL)), "\n=== "), *next; c; c = next) {
		char *name = c + 5, *verdict = strchr(name, '\t') + 1, *text = strchr(verdict, '\n') + 1;
		next = strstr(text - 1, "\n=== ");
		verdict[-1] = text[-1] = 0;
		if (next)
			*next = 0;
		else if (*text)
			text[strlen(text) - 1] = 0;
		struct arena a;
		struct strbuf sb;
		arena_init(&a, NULL);
		sb_init(&sb, &a);
		size_t n = unescape(text);
		char *whole = calloc(1, n + sizeof head);
		size_t h = strstr(text, ".version") || strstr(text, "NOHEAD") ? 0 : sizeof head - 1;
		memcpy(whole, head, h);
		memcpy(whole + h, text, n);
		struct verdict v = ours(&a, whole, n + h);
		bool ok = !strcmp(verdict, "ok");
		uint32_t line = (uint32_t)atoi(verdict);
		bool differs = ok != !v.text || (!ok && line && v.line != line), list_it = listed(list, name);
		if (differs == list_it) {
			passed += !differs;
			known += differs;
		} else {
			failed++;
			printf("%s\n  ptxas: %s\n  ours:  %u %s%s\n", name, verdict, v.line, v.text ? v.text : "ok", list_it ? " (listed as differing)" : "");
		}
		free(whole);
		arena_free(&a);
	}
	arena_free(&files);
	if (known)
		printf("skipped: %u modules where the answer differs from ptxas on purpose (tests/parser/modules.known)\n", known);
	printf("%u passed, %u failed, %u skipped\n", passed, failed, known);
	return failed != 0;
}
