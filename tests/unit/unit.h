/* What unit tests share. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <check.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"

/* Check's own assertions write to a pipe each time: too slow for loops. */
#define CHECK_MSG(x, ...)                                                                                               \
	do {                                                                                                            \
		if (!(x))                                                                                               \
			ck_abort_msg(__VA_ARGS__);                                                                      \
	} while (0)
#define CHECK(x) CHECK_MSG(x, "%s", #x)

#define f32_of(x) float32((uint32_t)(x))
#define of_f32 bits32
#define f64_of float64
#define of_f64 bits64

/* Runs the suite; main's status. */
static inline int unit_run(Suite *s)
{
	SRunner *r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}

#endif
