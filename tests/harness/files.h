/* Whole files for test programs; zero-terminated. */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"

/* NULL: it cannot be read. size may be NULL. */
static inline char *read_file(struct arena *a, const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	if (size)
		*size = 0;
	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	long n = ftell(f);
	rewind(f);
	char *p = n < 0 ? NULL : arena_alloc(a, (size_t)n + 1);
	if (p && fread(p, 1, (size_t)n, f) != (size_t)n)
		p = NULL;
	fclose(f);
	if (p)
		p[n] = 0;
	if (size)
		*size = p ? (size_t)n : 0;
	return p;
}

/* A file that a test cannot go on without. */
static inline void *need_file(const char *path, void *data)
{
	if (data)
		return data;
	fprintf(stderr, "%s: cannot be read\n", path);
	exit(2);
}

#endif
