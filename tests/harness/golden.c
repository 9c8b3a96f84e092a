/* Recorded outputs. A recording is a few text lines, then raw little-endian elements:
 *
 *	golden PROGRAM
 *	output NAME TYPE COUNT HASH STRIDE      for each output, in the order of the case
 *	data
 *
 * HASH is FNV-1a over the whole buffer; the data holds every STRIDE-th element, so STRIDE 1 is all of it. Outputs with a
 * bound, and small ones, are whole; others keep about 4096 samples. */
#include "case.h"

#include <math.h>
#include <stdlib.h>

enum { WHOLE_BYTES = 64 << 10, SAMPLES = 4096 };

static uint64_t fnv(const uint8_t *p, uint64_t n)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (uint64_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h;
}

static bool is_exact(const struct bound *b)
{
	return b->abs == 0 && b->rel == 0;
}

static uint64_t stride_of(const struct buffer *b)
{
	bool whole = !is_exact(&b->bound) || !is_exact(&b->clang_bound) || buffer_bytes(b) <= WHOLE_BYTES;
	return whole ? 1 : (b->count + SAMPLES - 1) / SAMPLES;
}

bool golden_write(const struct test_case *c, const char *path)
{
	FILE *f = fopen(path, "wb");
	if (!f)
		return false;
	fprintf(f, "golden %s\n", c->program);
	for (uint32_t i = 0; i < c->buffers.len; i++) {
		const struct buffer *b = &c->buffers.data[i];
		if (b->is_output)
			fprintf(f, "output %s %s %llu 0x%016llx %llu\n", b->name, elem_info[b->type].name,
			        (unsigned long long)b->count, (unsigned long long)fnv(b->data, buffer_bytes(b)),
			        (unsigned long long)stride_of(b));
	}
	fprintf(f, "data\n");
	for (uint32_t i = 0; i < c->buffers.len; i++) {
		const struct buffer *b = &c->buffers.data[i];
		if (b->is_output)
			for (uint64_t k = 0; k < b->count; k += stride_of(b))
				fwrite(b->data + k * elem_info[b->type].size, elem_info[b->type].size, 1, f);
	}
	return fclose(f) == 0;
}

static bool elem_ok(const struct buffer *b, const struct bound *bound, const uint8_t *got, const uint8_t *want)
{
	if (!memcmp(got, want, elem_info[b->type].size))
		return true;
	if (is_exact(bound))
		return false;
	double g = elem_value(b->type, got), w = elem_value(b->type, want);
	if (isnan(g) || isnan(w))
		return isnan(g) && isnan(w);
	return g == w || fabs(g - w) <= bound->abs + bound->rel * fabs(w);
}

/* True where the output is right. */
static bool compare(const struct test_case *c, const struct buffer *b, const struct bound *bound, const uint8_t *data,
                    uint64_t hash, uint64_t stride, FILE *f)
{
	uint32_t size = elem_info[b->type].size;
	uint64_t bad = 0, checked = 0;
	double worst = 0;
	for (uint64_t k = 0; k < b->count; k += stride, data += size) {
		const uint8_t *got = b->data + k * size;
		checked++;
		if (!is_exact(bound)) {
			double e = fabs(elem_value(b->type, got) - elem_value(b->type, data));
			worst = e > worst ? e : worst;
		}
		if (elem_ok(b, bound, got, data))
			continue;
		if (bad++ >= 3)
			continue;
		fprintf(f, "  %s: %s[%llu] is ", c->program, b->name, (unsigned long long)k);
		elem_print(f, b->type, got);
		fprintf(f, ", not ");
		elem_print(f, b->type, data);
		fprintf(f, "\n");
	}
	if (bad > bound->outliers) {
		fprintf(f, "  %s: %s: %llu of %llu elements differ (largest difference %.3g)\n", c->program, b->name,
		        (unsigned long long)bad, (unsigned long long)checked, worst);
		return false;
	}
	if (is_exact(bound) && bad == 0 && bound->outliers == 0 && fnv(b->data, buffer_bytes(b)) != hash) {
		fprintf(f, "  %s: %s: differs somewhere (the samples agree, the hash does not)\n", c->program, b->name);
		return false;
	}
	return true;
}

int golden_compare(const struct test_case *c, const char *golden, size_t size, bool clang_bounds, FILE *f)
{
	const char *end = golden + size, *data = memmem(golden, size, "\ndata\n", 6);
	if (!data) {
		fprintf(f, "  %s: not a recording\n", c->program);
		return -1;
	}
	const uint8_t *d = (const uint8_t *)data + 6;
	const char *line = golden;
	int bad = 0;
	for (uint32_t i = 0; i < c->buffers.len; i++) {
		const struct buffer *b = &c->buffers.data[i];
		if (!b->is_output)
			continue;
		char name[64], type[16];
		unsigned long long count, hash, stride;
		line = memchr(line, '\n', (size_t)(data - line) + 1);
		if (!line || sscanf(line + 1, "output %63s %15s %llu %llx %llu", name, type, &count, &hash, &stride) != 5 ||
		    strcmp(name, b->name) || strcmp(type, elem_info[b->type].name) || count != b->count || !stride ||
		    (uint64_t)((const uint8_t *)end - d) < (count + stride - 1) / stride * elem_info[b->type].size) {
			fprintf(f, "  %s: the recording does not fit the case at output %s\n", c->program, b->name);
			return -1;
		}
		line++;
		bad += !compare(c, b, clang_bounds ? &b->clang_bound : &b->bound, d, hash, stride, f);
		d += (count + stride - 1) / stride * elem_info[b->type].size;
	}
	return bad;
}
