/* The lexer's conditions and numbers, and the parser on input that no compiler wrote. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "lexer/ptx_lex.h"
#include "parser/ptx_gram.h"
#include "parser/parse.h"
#include "parser/ptx_parse.h"
#include "unit.h"

static struct arena arena;
static struct diags diags;
static struct trap trap;

static void setup(void)
{
	arena_init(&arena, &trap);
	diags_init(&diags, &arena);
}

static void teardown(void)
{
	arena_free(&arena);
}

/* Token numbers of `text`, compared with those given up to 0. */
static struct lex check_tokens(const char *text, const int *want)
{
	struct lex l;
	size_t n = strlen(text), k = 0;
	ptx_lex_init(&l, &arena, &diags, memcpy(NEWN(&arena, char, n + 9), text, n), n);
	for (int t; (t = ptx_lex(&l)); k++)
		ck_assert_msg(t == want[k], "token %zu of '%s': %d, not %d", k, text, t, want[k]);
	ck_assert_msg(!want[k], "'%s' ends at token %zu", text, k);
	return l;
}
#define TOKENS(text, ...) check_tokens(text, (const int[]){__VA_ARGS__, 0})

START_TEST(conditions)
{
	/* `.global` is a modifier behind an opcode, a declaration at a statement's start */
	TOKENS("ld.global.u32 %r1, [a];", T_OPCODE, T_IDENT, ',', '[', T_IDENT, ']', ';');
	TOKENS(".global .u32 add;", T_SPACE, T_TYPE, T_IDENT, ';');
	/* opcodes are names elsewhere */
	TOKENS("add.s32 add, exit, ld;", T_OPCODE, T_IDENT, ',', T_IDENT, ',', T_IDENT, ';');
	TOKENS("exit: exit;", T_LABEL, T_OPCODE, ';');
	TOKENS("$L__1 : @!%p bra $L__1;", T_LABEL, '@', '!', T_IDENT, T_OPCODE, T_IDENT, ';');
	TOKENS("ld .global\n.u32 a, [b];", T_OPCODE, T_IDENT, ',', '[', T_IDENT, ']', ';');
	TOKENS("cp.async.ca.shared::cta.global [a], [b], 4;", T_OPCODE, '[', T_IDENT, ']', ',', '[', T_IDENT, ']', ',', T_INT, ';');
	/* .loc has no `;` */
	TOKENS(".loc 1 2 3\nret;", T_LOC, T_INT, T_INT, T_INT, T_OPCODE, ';');
	TOKENS(".loc 1 2 3, function_name L, inlined_at 1 2 3\n@%p ret;", T_LOC, T_INT, T_INT, T_INT, ',', T_IDENT, T_IDENT, ',', T_IDENT,
	       T_INT, T_INT, T_INT, '@', T_IDENT, T_OPCODE, ';');
	TOKENS("call (a), f, (b, (1+2));", T_OPCODE, T_LIST, T_IDENT, ')', ',', T_IDENT, ',', T_LIST, T_IDENT, ',', '(', T_INT, '+', T_INT,
	       ')', ')', ';');
	TOKENS("{ } ; /* ; */ // ;\n;", '{', '}', ';', ';');
	TOKENS("mov.b64 {a, _}, %tid.x;", T_OPCODE, '{', T_IDENT, ',', T_IDENT, '}', ',', T_IDENT, T_SELECTOR, ';');
	ck_assert_uint_eq(diags.errors, 0);
}
END_TEST

static struct lex number(const char *text, int token)
{
	return check_tokens(arena_printf(&arena, "m a, %s;", text), (const int[]){T_OPCODE, T_IDENT, ',', token, ';', 0});
}

START_TEST(numbers)
{
	ck_assert_uint_eq(number("0", T_INT).num, 0);
	ck_assert_uint_eq(number("017", T_INT).num, 15);
	ck_assert_uint_eq(number("0x1fU", T_INT).num, 31);
	ck_assert_uint_eq(number("0b101", T_INT).num, 5);
	ck_assert_uint_eq(number("18446744073709551615", T_INT).num, UINT64_MAX);
	ck_assert(number("18446744073709551615", T_INT).is_unsigned);
	ck_assert(!number("9223372036854775807", T_INT).is_unsigned);
	ck_assert(number("1.5", T_FLOAT).fnum == 1.5);
	ck_assert(number(".5e1", T_FLOAT).fnum == 5);
	ck_assert(number("2e3", T_FLOAT).fnum == 2000);
	ck_assert_uint_eq(number("0f7fC00001", T_F32).num, 0x7fc00001);
	ck_assert_uint_eq(number("0D3ff0000000000000", T_FLOAT).num, 0x3ff0000000000000);
	ck_assert_uint_eq(diags.errors, 0);
	number("18446744073709551616", T_INT);
	ck_assert_uint_eq(diags.errors, 1);
}
END_TEST

static const char head[] = ".version 9.0\n.target sm_90\n.address_size 64\n";

static uint32_t errors_of(const char *text, size_t n)
{
	if (setjmp(trap.env))
		ck_abort_msg("internal error: %s", trap.msg);
	uint32_t before = diags.errors;
	ptx_parse(&arena, &diags, text, n, NULL);
	return diags.errors - before;
}

START_TEST(hostile)
{
	static const char *const texts[] = {"", "\n", "/*", "/* \n", "\"", ".pragma \"x", "{", "}", "@", "@!", ".section x {", "(((((", "\xff\xfe",
		".version", ".version 9.0 .target", ".entry", ".entry k(", ".entry k() { add", ".entry k() { L:", ".entry k() { ld.u32 a, [",
		".global .u32 x = {", ".global .u32 x[2] = {{{{{{{{{{{{{{{{{{{{{{{{1}}}}}", ".func (.reg .u32 a", ".loc", ".file 1",
		".reg .u32 %r<4294967295>;", ".entry k() { .reg .b32 %r<300000000>; }", ".global .b8 x[1000000000000];",
		".global .align 3 .b8 x;", ".entry k() { @%p", ".entry k() { call (", "0x", ".entry k() { mov.b32 a, 1/0; }"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const char *s = arena_printf(&arena, "%s%s", head, texts[i]);
		errors_of(s, strlen(s));
		ck_assert_msg(errors_of(texts[i], strlen(texts[i])) > 0, "'%s' alone is no module", texts[i]);
	}
	/* cut everywhere */
	const char *whole = arena_printf(&arena, "%s.global .u32 g[2] = {1, 2};\n.entry k(.param .u64 p)\n{\n.reg .b32 %%r<5>;\nL: @%%r1 add.s32 "
						 "%%r1, %%r2, -(1+2);\nld.global.v2.u32 {%%r1, %%r2}, [g+4];\nbra L;\n}\n",
					 head);
	for (size_t n = 0; n < strlen(whole); n++)
		errors_of(whole, n);
	/* zero bytes inside */
	ck_assert_uint_gt(errors_of("a\0b\0", 4), 0);
}
END_TEST

START_TEST(large)
{
	struct strbuf sb;
	sb_init(&sb, &arena);
	sb_puts(&sb, head);
	sb_puts(&sb, ".entry k() { .reg .b32 a; ");
	for (int i = 0; i < 400000; i++)
		sb_puts(&sb, "add.s32 a, a, 1; ");
	sb_puts(&sb, "ret; }");
	ck_assert_uint_eq(errors_of(sb_str(&sb), strlen(sb_str(&sb))), 0);

	static const char *const nests[] = {"(", "{", "-", "[", "1+(", "!"};
	for (size_t i = 0; i < sizeof nests / sizeof *nests; i++) {
		struct strbuf deep;
		sb_init(&deep, &arena);
		sb_puts(&deep, head);
		sb_puts(&deep, ".entry k() { mov.b32 a, ");
		for (int k = 0; k < 200000; k++)
			sb_puts(&deep, nests[i]);
		ck_assert_uint_gt(errors_of(sb_str(&deep), strlen(sb_str(&deep))), 0);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ptx_lexer");
	TCase *t = tcase_create("lexer");
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, conditions);
	tcase_add_test(t, numbers);
	tcase_add_test(t, hostile);
	tcase_add_test(t, large);
	suite_add_tcase(s, t);
	return unit_run(s);
}
