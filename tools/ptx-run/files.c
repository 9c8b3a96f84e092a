#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "run.h"

uint8_t *run_read_file(struct run *r, const char *path, size_t *size)
{
	bool in = !strcmp(path, "-");
	FILE *f = in ? stdin : fopen(path, "rb");
	VEC(char) buf = {0};
	if (!f) {
		fprintf(stderr, "ptx-run: %s: %s\n", path, strerror(errno));
		return NULL;
	}
	size_t n;
	do {
		vec_reserve(&r->arena, &buf, buf.len + 65536 + 1);
		n = fread(buf.data + buf.len, 1, 65536, f);
		buf.len += (uint32_t)n;
	} while (n);
	bool ok = !ferror(f);
	if (!ok)
		fprintf(stderr, "ptx-run: %s: %s\n", path, strerror(errno));
	if (!in)
		fclose(f);
	buf.data[buf.len] = 0;
	*size = buf.len;
	return ok ? (uint8_t *)buf.data : NULL;
}

bool run_write_file(const char *path, const void *p, size_t n)
{
	FILE *f = fopen(path, "wb");
	bool ok = f && fwrite(p, 1, n, f) == n;
	if (f && fclose(f) != 0)
		ok = false;
	if (!ok)
		fprintf(stderr, "ptx-run: %s: %s\n", path, strerror(errno));
	return ok;
}
