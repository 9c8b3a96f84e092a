/* The table of ptxas's verdicts (gen_verdicts.py): VERDICT TAB TARGET TAB VERSION TAB INSTRUCTION. */
#ifndef VERDICT_TABLE_H
#define VERDICT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct verdict_row {
	const char *verdict, *target, *version, *text;
};

/* Cuts the line up. */
static inline bool verdict_row_split(char *line, struct verdict_row *r)
{
	char *f[4] = {line};
	for (int i = 1; i < 4; i++) {
		f[i] = strchr(f[i - 1], '\t');
		if (!f[i])
			return false;
		*f[i]++ = 0;
	}
	*r = (struct verdict_row){f[0], f[1], f[2], f[3]};
	return true;
}

/* They can be in one module. */
static inline bool verdict_same_head(const struct verdict_row *x, const struct verdict_row *y)
{
	return !strcmp(x->target, y->target) && !strcmp(x->version, y->version);
}

#endif
