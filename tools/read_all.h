/* A file to its end; zero-terminated, to be freed. */
#ifndef TOOLS_READ_ALL_H
#define TOOLS_READ_ALL_H

#include <stdio.h>
#include <stdlib.h>

/* NULL: an error, or no memory. */
static inline char *read_all(FILE *f, size_t *size)
{
	size_t n = 0, cap = 1 << 16;
	char *buf = malloc(cap);
	for (size_t got; buf && (got = fread(buf + n, 1, cap - n - 1, f)) > 0;) {
		n += got;
		if (n + 1 < cap)
			continue;
		char *more = realloc(buf, cap *= 2);
		if (!more)
			free(buf);
		buf = more;
	}
	if (buf && ferror(f)) {
		free(buf);
		return NULL;
	}
	if (buf)
		buf[n] = 0;
	*size = n;
	return buf;
}

#endif
