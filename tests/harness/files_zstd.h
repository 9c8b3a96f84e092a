/* Whole files for test programs, compressed. */
#ifndef TESTS_FILES_ZSTD_H
#define TESTS_FILES_ZSTD_H

#include <zstd.h>

#include "files.h"

static inline char *read_zstd(struct arena *a, const char *path, size_t *size)
{
	size_t n;
	char *z = read_file(a, path, &n);
	unsigned long long full = z ? ZSTD_getFrameContentSize(z, n) : ZSTD_CONTENTSIZE_ERROR;
	if (full == ZSTD_CONTENTSIZE_ERROR)
		return NULL;
	if (full == ZSTD_CONTENTSIZE_UNKNOWN) /* zstd reading a pipe does not say */
		full = 64u << 20;
	char *p = arena_alloc(a, full + 1);
	size_t got = ZSTD_decompress(p, full, z, n);
	if (ZSTD_isError(got))
		return NULL;
	p[got] = 0;
	if (size)
		*size = got;
	return p;
}

#endif
