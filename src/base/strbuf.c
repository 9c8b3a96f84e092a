#include "base/strbuf.h"

#include <stdio.h>

void sb_init(struct strbuf *sb, struct arena *a)
{
	*sb = (struct strbuf){.arena = a};
}

void sb_putn(struct strbuf *sb, const char *s, size_t n)
{
	vec_reserve(sb->arena, &sb->buf, sb->buf.len + (uint32_t)n + 1);
	memcpy(sb->buf.data + sb->buf.len, s, n);
	sb->buf.len += (uint32_t)n;
}

void sb_puts(struct strbuf *sb, const char *s)
{
	sb_putn(sb, s, strlen(s));
}

void sb_putc(struct strbuf *sb, char c)
{
	sb_putn(sb, &c, 1);
}

void sb_printf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	vec_reserve(sb->arena, &sb->buf, sb->buf.len + (uint32_t)n + 1);
	vsnprintf(sb->buf.data + sb->buf.len, (size_t)n + 1, fmt, again);
	va_end(again);
	sb->buf.len += (uint32_t)n;
}

const char *sb_str(struct strbuf *sb)
{
	vec_reserve(sb->arena, &sb->buf, sb->buf.len + 1);
	sb->buf.data[sb->buf.len] = 0;
	return sb->buf.data;
}
