#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "run.h"

uint8_t *run_read_file(struct run *r, const char *path, size_t most, size_t *size)
{
	bool in = !strcmp(path, "-");
	FILE *f = in ? stdin : fopen(path, "rb");
	struct {
		uint8_t *data;
		size_t len, cap;
	} buf = {0};
	if (!f) {
		fprintf(stderr, "ptx-run: %s: %s\n", path, strerror(errno));
		return NULL;
	}
	for (size_t n = 1; n && buf.len < most; buf.len += n) {
		if (buf.len + 1 >= buf.cap) {
			size_t cap = buf.cap ? 2 * buf.cap : 65536;
			uint8_t *p = NEWN(&r->arena, uint8_t, cap);
			if (buf.len)
				memcpy(p, buf.data, buf.len);
			buf.data = p;
			buf.cap = cap;
		}
		size_t room = buf.cap - buf.len - 1;
		n = fread(buf.data + buf.len, 1, room < most - buf.len ? room : most - buf.len, f);
	}
	bool ok = !ferror(f);
	if (!ok)
		fprintf(stderr, "ptx-run: %s: %s\n", path, strerror(errno));
	if (!in)
		fclose(f);
	*size = buf.len;
	return !ok ? NULL : buf.data ? buf.data : NEWN(&r->arena, uint8_t, 1);
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
