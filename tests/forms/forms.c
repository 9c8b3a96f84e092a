/* forms VERDICTS.zst PROLOGUE REFUSED [--print | --only=PREFIX]: every instruction that ptxas accepts
 * (gen_verdicts.py), in a kernel of its own that loads its registers and stores them again, is compiled for both chips
 * at -O0 and -O3.
 *
 * REFUSED lists what we do not take: OPCODE TAB DIAGNOSTIC, of full opcodes, sorted. A form is refused if any of its
 * operand shapes is, by any of the four compilations. A refused form that is not listed fails; so does a listed one
 * that is taken. --print writes the list. Nothing may end in an internal error. What the front end refuses is
 * verdicts.known's matter and is only counted here. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/strbuf.h"
#include "../harness/files_zstd.h"
#include "../harness/verdict_table.h"
#include "ptx.h"

enum { BATCH = 64, HEADER = 5, LINES = 4, INSTRUCTION = 2 };

struct row {
	struct verdict_row v;
	const char *why; /* first diagnostic; NULL: taken so far */
	bool unparsed;	 /* it is the front end's */
};

struct form {
	const char *opcode;
	const char *why;
	const char *listed;
	uint32_t parsed; /* operand shapes that the front end takes */
	uint32_t taken;
};

struct state {
	struct arena arena;
	struct interner in;
	struct ptx_context *ctx;
	const char *prologue;
	uint32_t internal;
};

/* --- the kernel around an instruction --- */

/* Type of the register %TYPE_N at s; its length in *n. False: not such a register. */
static bool register_at(const char *s, uint32_t *n, char *type)
{
	uint32_t k = 1, t = 0;
	for (; (s[k] >= 'a' && s[k] <= 'z') || (s[k] >= '0' && s[k] <= '9'); k++)
		if (t < 15)
			type[t++] = s[k];
	type[t] = 0;
	if (s[k] != '_' || s[k + 1] < '0' || s[k + 1] > '9')
		return false;
	for (k++; s[k] >= '0' && s[k] <= '9'; k++)
		;
	*n = k;
	return true;
}

static uint32_t memory_bits(const char *type)
{
	return !strcmp(type, "f16x2") ? 32 : (uint32_t)atoi(type + strspn(type, "abcdefghijklmnopqrstuvwxyz"));
}

static void put_access(struct strbuf *sb, bool load, const char *r, const char *type, uint32_t off)
{
	if (!strcmp(type, "pred") && load)
		sb_printf(sb, "ld.global.u32 %%t32, [%%t64+%u]; setp.ne.u32 %s, %%t32, 0; ", off, r);
	else if (!strcmp(type, "pred"))
		sb_printf(sb, "selp.u32 %%t32, 1, 0, %s; st.global.u32 [%%t64+%u], %%t32; ", r, off);
	else if (!strcmp(type, "b128") && load)
		sb_printf(sb, "ld.global.v2.b64 {%%ta, %%tb}, [%%t64+%u]; mov.b128 %s, {%%ta, %%tb}; ", off, r);
	else if (!strcmp(type, "b128"))
		sb_printf(sb, "mov.b128 {%%ta, %%tb}, %s; st.global.v2.b64 [%%t64+%u], {%%ta, %%tb}; ", r, off);
	else if (load)
		sb_printf(sb, "ld.global.b%u %s, [%%t64+%u]; ", memory_bits(type), r, off);
	else
		sb_printf(sb, "st.global.b%u [%%t64+%u], %s; ", memory_bits(type), off, r);
}

/* Loads or stores every register that the instruction names. */
static void put_registers(struct strbuf *sb, const char *text, bool load)
{
	const char *seen[160];
	uint32_t lens[160], nseen = 0;
	for (const char *p = strchr(text, '%'); p; p = strchr(p + 1, '%')) {
		uint32_t n, k = 0;
		char type[16], name[32];
		if (!register_at(p, &n, type))
			continue;
		while (k < nseen && (lens[k] != n || memcmp(seen[k], p, n)))
			k++;
		if (k < nseen || nseen == 160)
			continue;
		seen[nseen] = p;
		lens[nseen++] = n;
		snprintf(name, sizeof name, "%.*s", (int)n, p);
		put_access(sb, load, name, type, 16 * nseen);
	}
	if (strstr(text, "%v2"))
		sb_puts(sb, load ? "ld.global.v2.b32 {%v2.x, %v2.y}, [%t64+8]; "
				 : "st.global.v2.b32 [%t64+8], {%v2.x, %v2.y}; ");
}

static void put_kernel(struct state *st, struct strbuf *sb, const char *text, uint32_t number)
{
	const char *entry = strstr(st->prologue, ".entry k");
	sb_printf(sb, ".entry k%u%s .reg .b32 %%t32; .reg .b64 %%t64, %%ta, %%tb; ld.param.b64 %%t64, [p0];\n", number,
		  entry + 8);
	put_registers(sb, text, true);
	sb_printf(sb, "\n%s\n", text);
	put_registers(sb, text, false);
	sb_puts(sb, "LBL: ret; }\n");
}

/* --- compiling --- */

static const char *keep(struct state *st, const char *s)
{
	return intern(&st->in, s, strlen(s));
}

/* Marks the rows that the diagnostics name. False: a diagnostic names none of them. */
static bool blame(struct state *st, struct row **rows, uint32_t n, const struct ptx_output *out)
{
	bool found = false;
	for (uint32_t i = 0; i < out->ndiagnostics; i++) {
		const struct ptx_diagnostic *d = &out->diagnostics[i];
		if (d->severity < PTX_SEVERITY_ERROR || d->line < HEADER)
			continue;
		uint32_t k = (d->line - HEADER) / LINES;
		if (k >= n)
			continue;
		if ((d->line - HEADER) % LINES != INSTRUCTION)
			fprintf(stderr, "%s: not at its line: %s\n", rows[k]->v.text, d->text);
		if (!rows[k]->why)
			rows[k]->why = keep(st, d->text);
		found = true;
	}
	return found;
}

/* Without options: only parsed and checked. */
static void compile_rows(struct state *st, const struct ptx_options *opt, struct row **rows, uint32_t n)
{
	while (n) {
		struct arena a;
		struct strbuf sb;
		const struct ptx_output *out;
		arena_init(&a, NULL);
		sb_init(&sb, &a);
		const char *entry = strstr(st->prologue, ".entry k");
		sb_printf(&sb, ".version %s\n.target sm_%s\n.address_size 64\n%.*s\n", rows[0]->v.version,
			  rows[0]->v.target, (int)(entry - st->prologue), st->prologue);
		for (uint32_t i = 0; i < n; i++)
			put_kernel(st, &sb, rows[i]->v.text, i);
		const char *text = sb_str(&sb);
		enum ptx_status status = opt ? ptx_compile(st->ctx, opt, text, strlen(text), &out)
					     : ptx_check(st->ctx, &(struct ptx_options){0}, text, strlen(text), &out);
		bool blamed = status != PTX_OK && blame(st, rows, n, out);
		if (status != PTX_OK && !blamed && n == 1) {
			rows[0]->why = keep(st, out->ndiagnostics ? out->diagnostics[0].text : "no diagnostic");
			printf("%s, sm_%s: %s\n  %s\n", opt ? opt->gpu : "parser", rows[0]->v.target, rows[0]->v.text,
			       rows[0]->why);
			st->internal++;
		}
		arena_free(&a);
		if (status == PTX_OK || n == 1)
			return;
		if (!blamed) { /* one of them: halve */
			compile_rows(st, opt, rows, n / 2);
			compile_rows(st, opt, rows + n / 2, n - n / 2);
			return;
		}
		uint32_t left = 0;
		for (uint32_t i = 0; i < n; i++)
			if (!rows[i]->why)
				rows[left++] = rows[i];
		n = left;
	}
}

/* `turn`: each batch is validated after every pass in one of four calls. */
static void compile_batches(struct state *st, struct ptx_options *opt, struct row *rows, uint32_t n, uint32_t turn)
{
	for (uint32_t i = 0, k; i < n; i = k) {
		struct row *batch[BATCH];
		uint32_t len = 0;
		for (k = i; k < n && len < BATCH && verdict_same_head(&rows[k].v, &rows[i].v); k++)
			if (!rows[k].why)
				batch[len++] = &rows[k];
		if (opt)
			opt->check = turn++ % 4 == 0;
		compile_rows(st, opt, batch, len);
	}
}

static void compile_all(struct state *st, struct row *rows, uint32_t n)
{
	static const char *const gpus[] = {"gfx1030", "gfx1100"};
	static const int levels[] = {PTX_O0, PTX_O3};
	compile_batches(st, NULL, rows, n, 0);
	for (uint32_t i = 0; i < n; i++)
		rows[i].unparsed = rows[i].why != NULL;
	for (uint32_t c = 0; c < 4; c++) {
		struct ptx_options opt = {.gpu = gpus[c / 2], .opt_level = levels[c % 2]};
		compile_batches(st, &opt, rows, n, c);
	}
}

/* --- the list --- */

/* The opcode with its modifiers: the text up to a space or semicolon, without the guard. */
static const char *opcode_of(struct state *st, const char *text)
{
	if (*text == '@')
		text = strchr(text, ' ') + 1;
	return intern(&st->in, text, strcspn(text, " ;"));
}

/* What the diagnostic says without the instruction's own name. */
static const char *kind_of(struct state *st, const char *why)
{
	char buf[256];
	const char *open = strchr(why, '\''), *close = open ? strchr(open + 1, '\'') : NULL;
	if (!close || strncmp(why, "instruction", 11))
		return why;
	snprintf(buf, sizeof buf, "%.*s...%s", (int)(open - why), why, close + 1);
	return keep(st, buf);
}

/* The reason of a form that is compiled with other operands. */
static const char *partly(struct state *st, const char *why)
{
	char buf[256];
	snprintf(buf, sizeof buf, "with some operands: %s", why);
	return keep(st, buf);
}

static int by_opcode(const void *a, const void *b)
{
	return strcmp(((const struct form *)a)->opcode, ((const struct form *)b)->opcode);
}

static struct form *form_of(struct state *st, struct strmap *map, const char *opcode, uint32_t *nforms,
			    struct form *forms)
{
	uintptr_t k = (uintptr_t)strmap_get(map, opcode);
	if (!k) {
		forms[*nforms] = (struct form){.opcode = opcode};
		k = ++*nforms;
		strmap_put(&st->arena, map, opcode, (void *)k);
	}
	return &forms[k - 1];
}

/* `all`: every listed form must be there. */
static uint32_t load_list(struct state *st, char *text, const struct strmap *map, struct form *forms, uint32_t nforms,
			  bool all)
{
	uint32_t failed = 0;
	for (char *l = strtok(text, "\n"); l; l = strtok(NULL, "\n")) {
		if (*l == '#')
			continue;
		char *tab = strchr(l, '\t');
		if (tab)
			*tab = 0;
		const char *opcode = keep(st, l);
		uintptr_t k = (uintptr_t)strmap_get(map, opcode);
		if (k && k <= nforms) {
			forms[k - 1].listed = tab ? tab + 1 : "";
		} else if (all) {
			printf("%s: listed, but ptxas's table has no such form\n", opcode);
			failed++;
		}
	}
	return failed;
}

/* Forms and refused forms of each family: the opcode's first word. */
static void report(const struct form *forms, uint32_t n)
{
	for (uint32_t i = 0, k; i < n; i = k) {
		uint32_t len = (uint32_t)strcspn(forms[i].opcode, "."), refused = 0, unparsed = 0;
		for (k = i;
		     k < n && strcspn(forms[k].opcode, ".") == len && !memcmp(forms[k].opcode, forms[i].opcode, len);
		     k++) {
			refused += forms[k].why != NULL;
			unparsed += !forms[k].parsed;
		}
		printf("%-20.*s forms %4u  taken %4u  refused %4u  by the front end %4u\n", (int)len, forms[i].opcode,
		       k - i, k - i - refused - unparsed, refused, unparsed);
	}
}

static uint32_t compare(const struct form *forms, uint32_t n)
{
	uint32_t failed = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct form *f = &forms[i];
		if (f->why && (!f->listed || strcmp(f->why, f->listed)))
			printf("refused: %s\t%s%s\n", f->opcode, f->why,
			       f->listed ? " (listed with another reason)" : ""),
				failed++;
		else if (!f->why && f->listed)
			printf("taken, but listed as refused: %s\n", f->opcode), failed++;
	}
	return failed;
}

static uint32_t load_rows(struct state *st, char *text, const char *only, struct row **out)
{
	struct strmap seen = {0};
	VEC(struct row) rows = {0};
	for (char *l = strtok(text, "\n"); l; l = strtok(NULL, "\n")) {
		struct row r = {0};
		if (!verdict_row_split(l, &r.v) || strcmp(r.v.verdict, "ok"))
			continue;
		r.v.text = keep(st, r.v.text);
		if (strncmp(r.v.text, only, strlen(only)) || strmap_get(&seen, r.v.text))
			continue;
		strmap_put(&st->arena, &seen, r.v.text, (void *)1);
		vec_push(&st->arena, &rows, r);
	}
	*out = rows.data;
	return rows.len;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	struct state st = {.ctx = ptx_context_new()};
	bool print = argc > 4 && !strcmp(argv[4], "--print");
	const char *only = argc > 4 && !strncmp(argv[4], "--only=", 7) ? argv[4] + 7 : "";
	arena_init(&st.arena, NULL);
	interner_init(&st.in, &st.arena);
	char *prologue = need_file(argv[2], read_file(&st.arena, argv[2], NULL));
	for (char *p = prologue; *p; p++)
		if (*p == '\n')
			*p = ' ';
	st.prologue = prologue;
	struct row *rows;
	uint32_t n = load_rows(&st, need_file(argv[1], read_zstd(&st.arena, argv[1], NULL)), only, &rows), nforms = 0, failed = 0, refused = 0, unparsed = 0;
	compile_all(&st, rows, n);
	struct strmap map = {0};
	struct form *forms = NEWN(&st.arena, struct form, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		struct form *f = form_of(&st, &map, opcode_of(&st, rows[i].v.text), &nforms, forms);
		f->parsed += !rows[i].unparsed;
		if (rows[i].why && !rows[i].unparsed && !f->why)
			f->why = kind_of(&st, rows[i].why);
		f->taken += !rows[i].why;
	}
	for (uint32_t i = 0; i < nforms; i++)
		if (forms[i].why && forms[i].taken)
			forms[i].why = partly(&st, forms[i].why);
	failed += load_list(&st, need_file(argv[3], read_file(&st.arena, argv[3], NULL)), &map, forms, nforms, !*only && !print);
	qsort(forms, nforms, sizeof *forms, by_opcode);
	if (print) {
		for (uint32_t i = 0; i < nforms; i++)
			if (forms[i].why)
				printf("%s\t%s\n", forms[i].opcode, forms[i].why);
		return st.internal != 0;
	}
	report(forms, nforms);
	failed += compare(forms, nforms) + st.internal;
	for (uint32_t i = 0; i < nforms; i++) {
		refused += forms[i].why != NULL;
		unparsed += !forms[i].parsed;
	}
	if (refused)
		printf("skipped: %u instruction forms that the compiler refuses by name (tests/forms/refused.list)\n",
		       refused);
	printf("%u forms are the front end's to refuse (tests/parser/verdicts.known)\n", unparsed);
	printf("%u passed, %u failed, %u skipped\n", nforms - refused - unparsed, failed, refused);
	ptx_context_free(st.ctx);
	return failed != 0;
}
