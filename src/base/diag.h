/* Diagnostics: collected in order, as data. Never printed by the library. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>

#include "base/vec.h"

enum diag_severity { DIAG_INFO, DIAG_WARNING, DIAG_ERROR, DIAG_FATAL };

struct diag {
	enum diag_severity severity;
	uint32_t line;    /* 1-based line of the PTX text; 0: the whole input */
	const char *text; /* without file, line or severity */
};

struct diags {
	struct arena *arena;
	VEC(struct diag) list;
	uint32_t errors; /* DIAG_ERROR and above; one that repeats the last ones of its line is counted, not kept */
	uint32_t max_errors; /* further errors are counted, not kept; 0: no limit */
};

void diags_init(struct diags *d, struct arena *a);
void diag_add(struct diags *d, enum diag_severity sev, uint32_t line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
#define diag_error(d, line, ...) diag_add((d), DIAG_ERROR, (line), __VA_ARGS__)
#define diag_warn(d, line, ...) diag_add((d), DIAG_WARNING, (line), __VA_ARGS__)

#endif
