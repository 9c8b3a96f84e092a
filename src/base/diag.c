#include "base/diag.h"

#include <stdio.h>

void diags_init(struct diags *d, struct arena *a)
{
	*d = (struct diags){.arena = a};
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
	vec_push(d->arena, &d->list, (struct diag){sev, line, arena_strndup(d->arena, buf, strlen(buf))});
}
