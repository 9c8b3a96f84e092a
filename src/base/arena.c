#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct arena_chunk {
	struct arena_chunk *next;
	size_t size; /* of the data behind this header */
	_Alignas(16) char data[];
};

enum { CHUNK_MIN = 8 * 1024, CHUNK_MAX = 4 * 1024 * 1024, HUGE_PAGE = 2 * 1024 * 1024, SPARSE = 64 * 1024 * 1024 };

void arena_init(struct arena *a, struct trap *trap)
{
	*a = (struct arena){.trap = trap};
}

static void free_chunks(struct arena_chunk *c)
{
	while (c) {
		struct arena_chunk *next = c->next;
		free(c);
		c = next;
	}
}

void arena_free(struct arena *a)
{
	free_chunks(a->chunks);
	arena_init(a, a->trap);
}

void arena_reset(struct arena *a)
{
	struct arena_chunk *c = a->chunks;
	if (!c)
		return;
	free_chunks(c->next);
	c->next = NULL;
	a->cur = c->data;
	a->end = c->data + c->size;
	a->total = c->size;
#ifdef ARENA_MALLOC
	arena_free(a);
#endif
}

/* Large chunks ask for huge pages: touching memory for the first time is otherwise half of the time that a large module takes.
 * Very large ones (the memory of a simulated GPU) may be hardly used: they are not touched here. */
static struct arena_chunk *new_chunk(size_t *size, bool *zeroed)
{
	size_t all = sizeof(struct arena_chunk) + *size;
	*zeroed = all >= SPARSE;
	if (*zeroed)
		return calloc(1, all);
#ifdef ARENA_MALLOC
	return malloc(all);
#endif
	if (all < HUGE_PAGE)
		return malloc(all);
	if (all > SIZE_MAX - HUGE_PAGE)
		return NULL;
	all = (all + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
	struct arena_chunk *c = aligned_alloc(HUGE_PAGE, all);
#ifdef MADV_HUGEPAGE
	if (c)
		madvise(c, all, MADV_HUGEPAGE);
#endif
	*size = all - sizeof *c;
	return c;
}

void *arena_alloc_slow(struct arena *a, size_t size)
{
	size_t want = a->total < CHUNK_MAX ? a->total : CHUNK_MAX;
	if (want < CHUNK_MIN)
		want = CHUNK_MIN;
	want -= sizeof(struct arena_chunk);
	if (want < size)
		want = size;
#ifdef ARENA_MALLOC
	want = size;
#endif
	if (want > SIZE_MAX - sizeof(struct arena_chunk))
		ice(a, "out of memory");
	bool zeroed;
	struct arena_chunk *c = new_chunk(&want, &zeroed);
	if (!c)
		ice(a, "out of memory");
	c->size = want;
	c->next = a->chunks;
	a->chunks = c;
	a->total += want;
	a->cur = c->data + size;
	a->end = c->data + want;
	return zeroed ? c->data : memset(c->data, 0, size);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);
	memcpy(p, s, n);
	return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	char *p = arena_alloc(a, (size_t)n + 1);
	vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return p;
}

_Noreturn void ice(struct arena *a, const char *fmt, ...)
{
	char local[512], *msg = a && a->trap ? a->trap->msg : local;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(msg, sizeof local, fmt, ap);
	va_end(ap);
	if (!a || !a->trap)
		abort();
	longjmp(a->trap->env, 1);
}
