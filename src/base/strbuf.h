/* Text building in an arena. sb_str returns the NUL-terminated text so far. */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include "base/vec.h"

struct strbuf {
	struct arena *arena;
	VEC(char) buf;
};

void sb_init(struct strbuf *sb, struct arena *a);
void sb_printf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sb_puts(struct strbuf *sb, const char *s);
void sb_putn(struct strbuf *sb, const char *s, size_t n);
void sb_putc(struct strbuf *sb, char c);
const char *sb_str(struct strbuf *sb);

#endif
