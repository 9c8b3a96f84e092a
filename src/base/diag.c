#include "base/diag.h"

#include <stdio.h>

void diags_init(struct diags *d, struct arena *a)
{
	*d = (struct diags){.arena = a};
}

/* Just before: one fault that is met twice, as a name that a statement uses twice. */
static bool said(const struct diags *d, uint32_t line, const char *text)
{
	for (uint32_t k = d->list.len; k > 0 && k + 16 > d->list.len && d->list.data[k - 1].line == line; k--)
		if (!strcmp(d->list.data[k - 1].text, text))
			return true;
	return false;
}

void diag_add(struct diags *d, enum diag_severity sev, uint32_t line, const char *fmt, ...)
{
	char buf[1024];
	if (sev >= DIAG_ERROR && d->errors++ >= d->max_errors && d->max_errors)
		return;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(buf, sizeof buf, fmt, ap);
	va_end(ap);
	if (!said(d, line, buf))
		vec_push(d->arena, &d->list, (struct diag){sev, line, arena_strndup(d->arena, buf, strlen(buf))});
}
