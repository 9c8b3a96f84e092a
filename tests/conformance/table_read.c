/* Reads what table.c writes, compressed. */
#include "../harness/files_zstd.h"
#include "conformance.h"

#include <stdlib.h>

void conf_table_index(struct arena *a, struct conf_table *t)
{
	uint32_t size = 16;
	while (size < 2 * t->records.len)
		size *= 2;
	t->mask = size - 1;
	t->index = NEWN(a, uint32_t, size);
	for (uint32_t i = 0; i < t->records.len; i++) {
		const char *s = t->records.data[i].text;
		uint32_t h = (uint32_t)conf_hash(s, strlen(s)) & t->mask;
		while (t->index[h])
			h = (h + 1) & t->mask;
		t->index[h] = i + 1;
	}
}

const struct conf_record *conf_find(const struct conf_table *t, const char *text)
{
	if (!t->index)
		return NULL;
	for (uint32_t h = (uint32_t)conf_hash(text, strlen(text)) & t->mask; t->index[h]; h = (h + 1) & t->mask)
		if (!strcmp(t->records.data[t->index[h] - 1].text, text))
			return &t->records.data[t->index[h] - 1];
	return NULL;
}

/* False where the recording was made with other inputs. */
static bool kind_line(const char *line, char err[256])
{
	char name[16];
	unsigned long long h;
	if (sscanf(line, "kind %15s %llx", name, &h) != 2)
		return false;
	for (int k = 0; k < CONF_KINDS; k++)
		if (!strcmp(conf_kinds[k].name, name) && conf_kind_hash((enum conf_kind)k) != h) {
			snprintf(err, 256, "values.c makes other inputs of kind %s than were recorded", name);
			return false;
		}
	return true;
}

static bool form_line(struct arena *a, struct conf_table *t, char *line, const uint8_t *data)
{
	enum { WORDS = 7 };
	char *word[WORDS];
	for (int i = 0; i < WORDS; i++) {
		word[i] = line;
		line = i < WORDS - 1 ? strchr(line, ' ') : NULL;
		if (i < WORDS - 1 && !line)
			return false;
		if (line)
			*line++ = 0;
	}
	struct conf_record r = {.text = word[6], .target = word[1], .recorded = word[2][0] != '-'};
	if (r.recorded) {
		r.tuples = (uint32_t)strtoul(word[2], NULL, 10);
		r.keep = (uint32_t)strtoul(word[3], NULL, 10);
		r.hash = strtoull(word[4], NULL, 16);
		r.rows = data + strtoull(word[5], NULL, 10);
	}
	vec_push(a, &t->records, r);
	return true;
}

bool conf_table_read(struct arena *a, const char *path, const struct conf_family *f, struct conf_table *t, char err[256])
{
	size_t size;
	char *p = read_zstd(a, path, &size), *data = p ? memmem(p, size, "\ndata\n", 6) : NULL;
	memset(t, 0, sizeof *t);
	snprintf(err, 256, "%s: no recording of %s", path, f->name);
	if (!data)
		return false;
	data[1] = 0;
	for (char *line = p, *next; line < data; line = next) {
		next = strchr(line, '\n') + 1;
		next[-1] = 0;
		bool ok = !strncmp(line, "golden ", 7) ? !strcmp(line + 7, f->name)
		          : line[0] == 'k'             ? kind_line(line, err)
		                                       : form_line(a, t, line, (const uint8_t *)data + 6);
		if (!ok)
			return false;
	}
	conf_table_index(a, t);
	return true;
}
