/* NAME.golden.zst, decompressed:
 *
 *	golden FAMILY
 *	kind NAME HASH                     of every kind of operand: the inputs are the ones recorded
 *	form TARGET TUPLES KEEP HASH OFFSET TEXT
 *	                                   HASH over the outputs of all tuples; the kept rows lie at OFFSET of the data
 *	form TARGET - - - - TEXT           not recorded
 *	data
 *
 * TARGET is `-` where no ptxas takes the form. Forms with the same outputs share their data. */
#include "conformance.h"

uint64_t conf_hash(const void *p, size_t n)
{
	const uint8_t *b = p;
	uint64_t h = 0xcbf29ce484222325u, w;
	for (; n >= 8; n -= 8, b += 8) {
		memcpy(&w, b, 8);
		h = (h ^ w) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	for (; n; n--, b++)
		h = (h ^ *b) * 0x100000001b3u;
	return h ^ h >> 32;
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
	return b ? gcd(b, a % b) : a;
}

/* The edges first, then evenly over all. */
uint32_t conf_kept(const struct conf_form *f, uint32_t n)
{
	if (f->keep >= f->tuples)
		return n;
	if (n < CONF_EDGES)
		return conf_edge(f, n);
	uint32_t step = f->tuples * 5 / 8 + 3;
	while (gcd(step, f->tuples) != 1)
		step++;
	return (uint32_t)((uint64_t)n * step % f->tuples);
}

/* Columns written so far, by hash of their bytes. */
struct columns {
	struct column {
		const uint8_t *rows;
		uint64_t bytes, at;
	} *slot;
	uint32_t mask;
	uint64_t end;
};

/* Where a form's rows lie in the data: where an equal column does, or at its end. */
static uint64_t place(struct columns *c, const uint8_t *rows, uint64_t bytes)
{
	uint32_t h = (uint32_t)conf_hash(rows, bytes) & c->mask;
	for (; c->slot[h].rows; h = (h + 1) & c->mask)
		if (c->slot[h].bytes == bytes && !memcmp(c->slot[h].rows, rows, bytes))
			return c->slot[h].at;
	c->slot[h] = (struct column){rows, bytes, c->end};
	c->end += bytes;
	return c->slot[h].at;
}

bool conf_table_write(struct arena *a, const char *path, const struct conf_family *f, const struct conf_table *t)
{
	FILE *out = fopen(path, "wb");
	struct columns c = {.mask = 15};
	uint64_t written = 0;
	if (!out)
		return false;
	while (c.mask < 2 * t->records.len)
		c.mask = 2 * c.mask + 1;
	c.slot = NEWN(a, struct column, c.mask + 1);
	fprintf(out, "golden %s\n", f->name);
	for (int k = 0; k < CONF_KINDS; k++)
		fprintf(out, "kind %s %016llx\n", conf_kinds[k].name, (unsigned long long)conf_kind_hash((enum conf_kind)k));
	for (uint32_t i = 0; i < t->records.len; i++) {
		const struct conf_record *r = &t->records.data[i];
		if (!r->recorded)
			fprintf(out, "form %s - - - - %s\n", r->target, r->text);
		else
			fprintf(out, "form %s %u %u %016llx %llu %s\n", r->target, r->tuples, r->keep, (unsigned long long)r->hash,
			        (unsigned long long)place(&c, r->rows, (uint64_t)r->keep * r->row_bytes), r->text);
	}
	fprintf(out, "data\n");
	for (uint32_t i = 0; i < t->records.len; i++) {
		const struct conf_record *r = &t->records.data[i];
		uint64_t bytes = (uint64_t)r->keep * r->row_bytes;
		if (!r->recorded || place(&c, r->rows, bytes) != written)
			continue;
		fwrite(r->rows, 1, bytes, out);
		written += bytes;
	}
	return fclose(out) == 0;
}
