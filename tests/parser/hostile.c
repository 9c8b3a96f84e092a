/* hostile FILE.ptx...: input that nobody should write ends in a message with its line, in little stack and in linear time: long lines, deep
 * nesting, a great many names, cut files, bytes that are no text. Each FILE is cut at many places and changed at random. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/strbuf.h"
#include "parser/ptx_parse.h"

enum { REPEAT = 50000, GROWTH = 4 };

#define HEAD ".version 9.0\n.target sm_90\n.address_size 64\n"
#define BODY HEAD ".entry k() {\n.reg .pred %p<9>; .reg .b32 %r<9>;\n"
#define END "\nret;\n}\n"

/* `unit` and then `close` are repeated, `$` in them being the number of the repetition. line: of the first error, 0: none, -1: any. */
static const struct shape {
	const char *name, *open, *unit, *middle, *close, *end;
	int line;
} shapes[] = {
	{"statements on one line", BODY, "add.s32 %r1, %r2, %r3; ", "", "", END, 0},
	{"a long word", BODY, "aaaaaaaaaaaaaaaa", ";", "", END, 6},
	{"a long opcode", BODY "add", ".rn", " %r1;", "", END, 6},
	{"a long comment", "// ", "aaaaaaaaaaaaaaaa", "\n" BODY, "", END, 0},
	{"an open comment", HEAD "/*", "a\n", "", "", "", 4},
	{"a long string", HEAD ".file 1 \"", "aaaaaaaaaaaaaaaa", "\"\n.entry k() {", "", END, 0},
	{"an open string", HEAD ".file 1 \"", "aaaaaaaaaaaaaaaa", "", "", "", 4},
	{"a long number", HEAD ".global .u64 x = ", "99999999", ";", "", "\n", 4},
	{"a long initialiser", HEAD ".global .u32 x[] = {", "$, ", "1};", "", "\n", 0},
	{"deep scopes", BODY, "{", "", "}", END, 6},
	{"deep parentheses", HEAD ".global .u32 x = ", "(", "1", ")", ";\n", 4},
	{"deep parentheses in an operand", BODY "mov.u32 %r1, ", "(", "1", ")", ";" END, 6},
	{"deep negation", BODY "mov.u32 %r1, ", "~", "1", "", ";" END, 6},
	{"deep conditionals", BODY "mov.u32 %r1, ", "1 ? ", "1", " : 1", ";" END, 6},
	{"deep vectors", BODY "mov.u32 %r1, ", "{", "1", "}", ";" END, 6},
	{"deep addresses", BODY "ld.global.u32 %r1, ", "[", "1", "]", ";" END, 6},
	{"deep initialisers", HEAD ".global .u32 x = ", "{", "1", "}", ";\n", 4},
	{"a long sum", BODY "mov.u32 %r1, 1", "+1", ";", "", END, 0},
	{"many operands", BODY "add.s32 ", "%r1, ", "%r1;", "", END, 6},
	{"many labels", BODY, "L$:\n", "", "", END, 0},
	{"many branches ahead", BODY, "bra L$;\n", "", "L$:\n", END, 0},
	{"many unknown labels", BODY, "bra L$;\n", "", "", END, 6},
	{"many registers", BODY, ".reg .b32 a$;\n", "", "mov.b32 a$, 1;\n", END, 0},
	{"numbered registers", BODY ".reg .b32 a<400000>;\n", "mov.b32 a$, 1;\n", "", "", END, 0},
	{"many ranges", BODY ".reg .b32 a99999;\n", "{ .reg .b32 a<90000>; }\n", "", "", END, 0},
	{"many variables", HEAD, ".global .u32 g$;\n", "", "", "", 0},
	{"many functions", HEAD, ".func f$();\n", "", ".func f$() { ret; }\n", "", 0},
	{"many files", HEAD, ".file $ \"a\"\n", "", "", ".entry k() {" END, 0},
	{"many places", HEAD ".file 1 \"a\"\n.entry k() {\n", ".loc 1 $ 0\n", "", "", END, 0},
	{"many errors", BODY, "foo;\n", "", "", END, 6},
	{"many syntax errors", BODY, "add add,,;\n", "", "", END, 6},
	{"many parameters", HEAD ".entry k(", ".param .u32 p$,\n", ".param .u32 q", "", ") {" END, -1},
	{"many dimensions", HEAD ".global .u32 x", "[1]", ";\n", "", "", 0},
	{"debug data", HEAD ".section .debug_x {", ".b8 1\n", "}\n.entry k() {", "", END, 0},
	{"zero bytes", "", "\001", "", "", "", 1},
	{"braces that close", HEAD, "}", "", "", "", 4},
	{"dots", HEAD, ".", "", "", "", 4},
	{"guards", BODY, "@%p1 ", "ret;", "", END, 6},
	{"targets", ".version 9.0\n.target ", "sm_90, ", "sm_90\n.entry k() {", "", END, 0},
};

static void repeat(struct strbuf *sb, const char *unit, uint32_t n)
{
	for (uint32_t i = 0; *unit && i < n; i++)
		for (const char *c = unit; *c; c++) {
			if (*c == '$')
				sb_printf(sb, "%u", i);
			else
				sb_putc(sb, *c);
		}
}

/* Line of the first error, 0: none, -1: an internal error. */
static int parse(const char *text, size_t n, double *seconds)
{
	struct arena a;
	struct trap trap;
	struct diags d;
	clock_t start = clock();
	arena_init(&a, &trap);
	if (setjmp(trap.env)) {
		printf("internal error: %s\n", trap.msg);
		arena_free(&a);
		return -1;
	}
	diags_init(&d, &a);
	ptx_parse(&a, &d, text, n, NULL);
	int line = 0;
	for (uint32_t i = d.list.len; i-- > 0;)
		if (d.list.data[i].severity >= DIAG_ERROR)
			line = (int)d.list.data[i].line;
	arena_free(&a);
	*seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
	return line;
}

static bool try_shape(const struct shape *s)
{
	double seconds[2];
	for (uint32_t k = 0; k < 2; k++) {
		struct arena a;
		struct strbuf sb;
		arena_init(&a, NULL);
		sb_init(&sb, &a);
		uint32_t n = k ? REPEAT * GROWTH : REPEAT;
		sb_puts(&sb, s->open);
		repeat(&sb, s->unit, n);
		sb_puts(&sb, s->middle);
		repeat(&sb, s->close, n);
		sb_puts(&sb, s->end);
		const char *text = sb_str(&sb);
		int line = parse(text, strlen(text), &seconds[k]);
		arena_free(&a);
		if (line < 0 || (s->line >= 0 && line != s->line)) {
			printf("FAILED %s, %u times: first error on line %d, not %d\n", s->name, n, line, s->line);
			return false;
		}
	}
	/* generous: the machine may be busy, caches are small */
	if (seconds[1] > seconds[0] * GROWTH * 4 + 0.5) {
		printf("FAILED %s: %.3f s, %u times as much takes %.3f s\n", s->name, seconds[0], GROWTH, seconds[1]);
		return false;
	}
	return true;
}

static uint32_t rnd(uint64_t *seed, uint32_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33) % n;
}

static bool try_file(const char *file)
{
	FILE *f = fopen(file, "rb");
	if (!f) {
		printf("FAILED %s: cannot open\n", file);
		return false;
	}
	static char text[1 << 16], changed[1 << 16];
	size_t n = fread(text, 1, sizeof text - 1, f);
	double s;
	uint64_t seed = n;
	bool ok = true;
	fclose(f);
	for (uint32_t i = 0; i < 400 && ok; i++)
		ok = parse(text, rnd(&seed, (uint32_t)n), &s) >= 0;
	for (uint32_t i = 0; i < 400 && ok; i++) {
		memcpy(changed, text, n);
		for (uint32_t k = 1 + rnd(&seed, 8); k-- > 0;) {
			uint32_t at = rnd(&seed, (uint32_t)n), from = rnd(&seed, (uint32_t)n), len = rnd(&seed, 24);
			if (rnd(&seed, 2))
				changed[at] = (char)rnd(&seed, 256);
			else
				memmove(changed + at, text + from, at + len < n && from + len < n ? len : 0);
		}
		ok = parse(changed, n, &s) >= 0;
	}
	for (size_t k = 0; k < n; k++)
		changed[k] = (char)rnd(&seed, 256);
	ok = ok && parse(changed, n, &s) > 0;
	if (!ok)
		printf("FAILED %s, cut or changed\n", file);
	return ok;
}

int main(int argc, char **argv)
{
	uint32_t passed = 0, failed = 0;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		*(try_shape(&shapes[i]) ? &passed : &failed) += 1;
	for (int i = 1; i < argc; i++)
		*(try_file(argv[i]) ? &passed : &failed) += 1;
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
