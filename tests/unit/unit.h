/* What unit tests share. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <check.h>
#include <stdint.h>
#include <string.h>

/* Check's own assertions write to a pipe each time: too slow for loops. */
#define CHECK_MSG(x, ...)                                                                                               \
	do {                                                                                                            \
		if (!(x))                                                                                               \
			ck_abort_msg(__VA_ARGS__);                                                                      \
	} while (0)
#define CHECK(x) CHECK_MSG(x, "%s", #x)

static inline float f32_of(uint64_t x)
{
	uint32_t u = (uint32_t)x;
	float f;
	memcpy(&f, &u, 4);
	return f;
}
static inline uint32_t of_f32(float f)
{
	uint32_t u;
	memcpy(&u, &f, 4);
	return u;
}
static inline double f64_of(uint64_t x)
{
	double d;
	memcpy(&d, &x, 8);
	return d;
}
static inline uint64_t of_f64(double d)
{
	uint64_t u;
	memcpy(&u, &d, 8);
	return u;
}

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
