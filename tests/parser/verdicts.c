/* verdicts FILE.zst PROLOGUE KNOWN: our verdict on every case that ptxas was asked about (gen_verdicts.py).
 *
 * KNOWN lists the cases where we mean to differ: OURS TAB TARGET TAB VERSION TAB INSTRUCTION, with the reason in the
 * comments above them. A case that differs and is not listed fails; so does a listed one that no longer differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness/files_zstd.h"
#include "../harness/verdict_table.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "parser/ptx_parse.h"

enum { FIRST_LINE = 5 };

struct counts {
	uint32_t passed, failed, known;
};

static const char *key(struct interner *in, struct strbuf *sb, const struct verdict_row *r)
{
	vec_clear(&sb->buf);
	sb_printf(sb, "%s %s %s", r->target, r->version, r->text);
	const char *s = sb_str(sb);
	return intern(in, s, strlen(s));
}

static void load_known(const char *file, struct arena *a, struct interner *in, struct strmap *known)
{
	struct strbuf sb;
	sb_init(&sb, a);
	for (char *l = strtok(need_file(file, read_file(a, file, NULL)), "\n"); l; l = strtok(NULL, "\n")) {
		struct verdict_row r;
		if (*l != '#' && verdict_row_split(l, &r))
			strmap_put(a, known, key(in, &sb, &r), (void *)1);
	}
}

/* One module with every case of a target and version: the lines that get an error are the refused ones. */
static void check_group(const struct verdict_row *rows, uint32_t n, const char *prologue, struct interner *in,
			const struct strmap *known, struct counts *c)
{
	struct arena a;
	struct diags d;
	struct strbuf text, sb;
	arena_init(&a, NULL);
	diags_init(&d, &a);
	sb_init(&text, &a);
	sb_init(&sb, &a);
	sb_printf(&text, ".version %s\n.target sm_%s\n.address_size 64\n%s\n", rows[0].version, rows[0].target, prologue);
	for (uint32_t i = 0; i < n; i++)
		sb_printf(&text, "%s\n", rows[i].text);
	sb_puts(&text, "LBL: ret;\n}\n");
	const char **why = NEWN(&a, const char *, n);
	ptx_parse(&a, &d, sb_str(&text), strlen(sb_str(&text)), NULL);
	for (uint32_t i = 0; i < d.list.len; i++) {
		uint32_t k = d.list.data[i].line - FIRST_LINE;
		if (d.list.data[i].severity < DIAG_ERROR)
			continue;
		if (k < n)
			why[k] = d.list.data[i].text;
		else
			printf("sm_%s %s: line %u: %s\n", rows[0].target, rows[0].version, d.list.data[i].line, d.list.data[i].text),
				c->failed++;
	}
	for (uint32_t i = 0; i < n; i++) {
		bool differs = !strcmp(rows[i].verdict, "ok") != !why[i];
		bool listed = strmap_get(known, key(in, &sb, &rows[i])) != NULL;
		if (differs && listed) {
			c->known++;
		} else if (differs || listed) {
			printf("sm_%s %s %s\n  ptxas: %s\n  ours:  %s%s\n", rows[i].target, rows[i].version, rows[i].text,
			       rows[i].verdict, why[i] ? why[i] : "ok", listed ? " (listed as differing)" : "");
			c->failed++;
		} else {
			c->passed++;
		}
	}
	arena_free(&a);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	struct arena a;
	struct interner in;
	struct strmap known = {0};
	struct counts c = {0};
	VEC(struct verdict_row) rows = {0};
	arena_init(&a, NULL);
	interner_init(&in, &a);
	char *text = need_file(argv[1], read_zstd(&a, argv[1], NULL)), *prologue = need_file(argv[2], read_file(&a, argv[2], NULL));
	for (char *p = prologue; *p; p++)
		if (*p == '\n')
			*p = ' ';
	load_known(argv[3], &a, &in, &known);
	for (char *l = strtok(text, "\n"); l; l = strtok(NULL, "\n")) {
		struct verdict_row r;
		if (verdict_row_split(l, &r))
			vec_push(&a, &rows, r);
	}
	for (uint32_t i = 0, k; i < rows.len; i = k) {
		for (k = i; k < rows.len && verdict_same_head(&rows.data[k], &rows.data[i]); k++)
			;
		check_group(rows.data + i, k - i, prologue, &in, &known, &c);
	}
	if (c.known)
		printf("skipped: %u one-instruction cases where the answer differs from ptxas on purpose\n", c.known);
	printf("%u passed, %u failed, %u skipped\n", c.passed, c.failed, c.known);
	return c.failed != 0;
}
