/* src/base: arenas, vectors, bitsets, interning, the trap. */
#include <stdio.h>
#include <stdlib.h>

#include "base/bitset.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "unit.h"

START_TEST(vec_keeps_elements)
{
	struct arena a;
	arena_init(&a, NULL);
	VEC(uint32_t) v = {0};
	for (uint32_t i = 0; i < 100000; i++)
		vec_push(&a, &v, i * 3);
	for (uint32_t i = 0; i < 100000; i++)
		CHECK(v.data[i] == i * 3);
	arena_free(&a);
}
END_TEST

START_TEST(arena_is_zeroed_after_reset)
{
	struct arena a;
	arena_init(&a, NULL);
	for (int round = 0; round < 3; round++) {
		unsigned char *p = arena_alloc(&a, 5000);
		for (int i = 0; i < 5000; i++)
			CHECK(!p[i]);
		memset(p, 0xAA, 5000);
		arena_reset(&a);
	}
	arena_free(&a);
}
END_TEST

START_TEST(interned_strings_are_unique)
{
	struct arena a;
	struct interner in;
	struct strmap m = {0};
	char buf[32];
	const char *first[2000];
	arena_init(&a, NULL);
	interner_init(&in, &a);
	for (int i = 0; i < 2000; i++) {
		int n = sprintf(buf, "%%r%d", i);
		first[i] = intern(&in, buf, (size_t)n);
		strmap_put(&a, &m, first[i], (void *)(intptr_t)(i + 1));
	}
	for (int i = 0; i < 2000; i++) {
		int n = sprintf(buf, "%%r%d", i);
		ck_assert_ptr_eq(intern(&in, buf, (size_t)n), first[i]);
		ck_assert_int_eq((intptr_t)strmap_get(&m, first[i]), i + 1);
	}
	arena_free(&a);
}
END_TEST

START_TEST(bitset_visits_members_in_order)
{
	struct arena a;
	arena_init(&a, NULL);
	bitword *s = bitset_new(&a, 300);
	static const uint32_t in[] = {0, 63, 64, 127, 200, 299};
	uint32_t n = 0;
	for (int i = 5; i >= 0; i--)
		bitset_add(s, in[i]);
	bitset_each(i, s, 300)
		ck_assert_uint_eq(i, in[n++]);
	ck_assert_uint_eq(n, 6);
	arena_free(&a);
}
END_TEST

START_TEST(ice_reaches_the_trap)
{
	struct trap t;
	struct arena a;
	arena_init(&a, &t);
	if (!setjmp(t.env))
		ice(&a, "pass %s: %d", "x", 7);
	ck_assert_str_eq(t.msg, "pass x: 7");
	arena_free(&a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("base");
	TCase *tc = tcase_create("base");
	tcase_add_test(tc, vec_keeps_elements);
	tcase_add_test(tc, arena_is_zeroed_after_reset);
	tcase_add_test(tc, interned_strings_are_unique);
	tcase_add_test(tc, bitset_visits_members_in_order);
	tcase_add_test(tc, ice_reaches_the_trap);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
