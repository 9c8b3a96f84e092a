/* When outputs are right: the same bits, or what a form's bound or known.txt allows. */
#ifndef CONFORMANCE_COMPARE_H
#define CONFORMANCE_COMPARE_H

#include "conformance.h"

enum rule { K_NAN, K_ANY, K_REFUSED, RULES };

/* A line of known.txt. */
struct known {
	enum rule rule;
	const char *pattern, *why;
};

struct known_list {
	VEC(struct known) list;
};

/* False, with a message on stderr, where the file is wrong. */
bool known_read(struct arena *a, const char *path, struct known_list *k);
/* The line for a form that is refused, or that differs; NULL where there is none. */
const struct known *known_of(const struct known_list *k, const char *text, bool refused);

/* 0 equal, 1 a known difference, 2 different. */
int compare_row(const struct conf_form *f, const uint8_t *got, const uint8_t *want, const struct known *known);
/* Whether a bound says nothing about a tuple: the first input is beyond its domain. */
bool compare_outside(const struct conf_form *f, uint32_t tuple);
void print_tuple(FILE *out, const struct conf_form *f, uint32_t t, const uint8_t *got, const uint8_t *want);

#endif
