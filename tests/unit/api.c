/* The public interface: results as data, errors with lines, contexts side by side, bit-reproducible output. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"
#include "unit.h"

static const char good[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
	".visible .entry k(.param .u64 p)\n{\n"
	"\t.reg .b32 %r<3>;\n\t.reg .b64 %a<2>;\n"
	"\tld.param.u64 %a0, [p];\n\tmov.u32 %r0, %tid.x;\n\tadd.u32 %r1, %r0, 1;\n\tst.global.u32 [%a0], %r1;\n\tret;\n}\n";

START_TEST(kernels_are_listed)
{
	struct ptx_context *c = ptx_context_new();
	const struct ptx_output *out;
	struct ptx_options opt = {.gpu = "gfx1030", .check = 1, .assembly = 1};
	ck_assert_int_eq(ptx_compile(c, &opt, good, strlen(good), &out), PTX_OK);
	ck_assert_uint_eq(out->nkernels, 1);
	ck_assert_str_eq(out->kernels[0].name, "k");
	ck_assert_uint_gt(out->kernels[0].code_bytes, 0);
	ck_assert_uint_eq(out->kernels[0].param_bytes, 8);
	ck_assert_int_eq(memcmp(out->object, "\177ELF", 4), 0);
	ck_assert_ptr_nonnull(strstr(out->assembly, "s_endpgm"));
	ptx_context_free(c);
}
END_TEST

START_TEST(errors_have_lines)
{
	static const struct {
		const char *from, *to;
		uint32_t line;
	} edits[] = {
		{"add.u32", "adx.u32", 10}, {"%r1, %r0, 1", "%r1, %r9, 1", 10}, {"st.global.u32", "st.global.f16", 11},
	};
	struct ptx_context *c = ptx_context_new();
	const struct ptx_output *out;
	struct ptx_options opt = {0};
	for (unsigned k = 0; k < sizeof edits / sizeof *edits; k++) {
		char text[1024];
		const char *at = strstr(good, edits[k].from);
		snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, edits[k].to, at + strlen(edits[k].from));
		ck_assert_int_eq(ptx_compile(c, &opt, text, strlen(text), &out), PTX_ERROR_INPUT);
		ck_assert_uint_ge(out->ndiagnostics, 1);
		ck_assert_uint_eq(out->diagnostics[0].line, edits[k].line);
		ck_assert_ptr_null(out->object);
	}
	ptx_context_free(c);
}
END_TEST

/* Where ptxas' optimiser gives other bits than the instruction. */
START_TEST(folded_fields_are_warned_of)
{
	static const struct {
		const char *text, *warning;
	} fields[] = {
		{"bfe.s32 %r1, %r0, 40, 3", "optimizing ptxas gives -1"}, {"bfe.s32 %r1, %r0, 255, 255", "optimizing ptxas gives -1"},
		{"bfi.b32 %r1, %r0, %r0, 5, 45", "cut to 27 bits as the hardware does; optimizing ptxas inserts 13"},
		{"bfi.b32 %r1, %r0, %r0, 31, 32", "cut to 1 bits as the hardware does; optimizing ptxas inserts 0"},
		{"bfe.s32 %r1, %r0, 40, 0", NULL}, {"bfe.u32 %r1, %r0, 40, 3", NULL}, {"bfe.s32 %r1, %r0, 31, 32", NULL},
		{"bfe.s32 %r1, %r0, 40, %r0", NULL}, {"bfi.b32 %r1, %r0, %r0, 5, 27", NULL}, {"bfi.b32 %r1, %r0, %r0, 8, 45", NULL},
		{"bfi.b32 %r1, %r0, %r0, 31, 33", NULL}, {"bfi.b32 %r1, %r0, %r0, 5, 253", NULL},
	};
	struct ptx_context *c = ptx_context_new();
	const struct ptx_output *out;
	struct ptx_options opt = {0};
	for (unsigned k = 0; k < sizeof fields / sizeof *fields; k++) {
		char text[1024];
		const char *at = strstr(good, "add.u32"), *end = strchr(at, ';');
		snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, fields[k].text, end);
		ck_assert_int_eq(ptx_compile(c, &opt, text, strlen(text), &out), PTX_OK);
		ck_assert_msg(out->ndiagnostics == (fields[k].warning != NULL), "%s", fields[k].text);
		if (fields[k].warning) {
			ck_assert_ptr_nonnull(strstr(out->diagnostics[0].text, fields[k].warning));
			ck_assert_uint_eq(out->diagnostics[0].line, 10);
		}
	}
	ptx_context_free(c);
}
END_TEST

START_TEST(bad_options_are_refused)
{
	struct ptx_context *c = ptx_context_new();
	const struct ptx_output *out;
	const char *none[] = {"no_such_pass", NULL};
	struct ptx_options opts[] = {{.gpu = "gfx9999"}, {.arch = "banana"}, {.stop_after = "x"}, {.disabled = none}, {.dumps = none}};
	for (unsigned k = 0; k < sizeof opts / sizeof *opts; k++) {
		ck_assert_int_eq(ptx_compile(c, &opts[k], good, strlen(good), &out), PTX_ERROR_OPTION);
		ck_assert_uint_ge(out->ndiagnostics, 1);
	}
	ptx_context_free(c);
}
END_TEST

/* Every prefix of a module, and the module with each byte changed, is answered. */
START_TEST(truncated_and_damaged_modules)
{
	struct ptx_context *c = ptx_context_new();
	const struct ptx_output *out;
	struct ptx_options opt = {.check = 1};
	size_t n = strlen(good);
	char *text = malloc(n);
	for (size_t k = 0; k < n; k++) {
		ck_assert_int_ne(ptx_compile(c, &opt, good, k, &out), PTX_ERROR_INTERNAL);
		memcpy(text, good, n);
		text[k] = (char)(text[k] ^ 0x5b);
		ck_assert_int_ne(ptx_compile(c, &opt, text, n, &out), PTX_ERROR_INTERNAL);
	}
	free(text);
	ptx_context_free(c);
}
END_TEST

START_TEST(one_long_line_and_junk)
{
	enum { N = 10 << 20 };
	struct ptx_context *c = ptx_context_new();
	const struct ptx_output *out;
	struct ptx_options opt = {0};
	char *text = malloc(N);
	memset(text, 'a', N);
	ck_assert_int_eq(ptx_compile(c, &opt, text, N, &out), PTX_ERROR_INPUT);
	ck_assert_uint_ge(out->ndiagnostics, 1);
	memcpy(text, "/*", 2);
	ck_assert_int_eq(ptx_compile(c, &opt, text, N, &out), PTX_ERROR_INPUT);
	for (uint32_t k = 0, x = 1; k < N; k++, x = x * 1664525 + 1013904223)
		text[k] = (char)(x >> 24);
	ck_assert_int_eq(ptx_compile(c, &opt, text, N, &out), PTX_ERROR_INPUT);
	free(text);
	ptx_context_free(c);
}
END_TEST

struct thread_result {
	void *object;
	size_t size;
};

static void *compile_many(void *arg)
{
	struct thread_result *r = arg;
	struct ptx_context *c = ptx_context_new();
	struct ptx_options opt = {.gpu = "gfx1100"};
	for (int k = 0; k < 20; k++) {
		const struct ptx_output *out;
		if (ptx_compile(c, &opt, good, strlen(good), &out) != PTX_OK)
			break;
		free(r->object);
		r->object = malloc(out->object_size);
		r->size = out->object_size;
		memcpy(r->object, out->object, out->object_size);
	}
	ptx_context_free(c);
	return NULL;
}

START_TEST(threads_compile_the_same_bytes)
{
	enum { THREADS = 4 };
	pthread_t t[THREADS];
	struct thread_result r[THREADS] = {{0}};
	for (int k = 0; k < THREADS; k++)
		ck_assert_int_eq(pthread_create(&t[k], NULL, compile_many, &r[k]), 0);
	for (int k = 0; k < THREADS; k++)
		pthread_join(t[k], NULL);
	for (int k = 0; k < THREADS; k++) {
		ck_assert_ptr_nonnull(r[k].object);
		ck_assert_uint_eq(r[k].size, r[0].size);
		ck_assert_mem_eq(r[k].object, r[0].object, r[0].size);
	}
	for (int k = 0; k < THREADS; k++)
		free(r[k].object);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("api");
	TCase *tc = tcase_create("api");
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, kernels_are_listed);
	tcase_add_test(tc, errors_have_lines);
	tcase_add_test(tc, folded_fields_are_warned_of);
	tcase_add_test(tc, bad_options_are_refused);
	tcase_add_test(tc, truncated_and_damaged_modules);
	tcase_add_test(tc, one_long_line_and_junk);
	tcase_add_test(tc, threads_compile_the_same_bytes);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
