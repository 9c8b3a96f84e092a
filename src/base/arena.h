/* Memory and failure for one compilation.
 *
 * An arena owns everything allocated from it; arena_free releases all of it at once. Memory is zeroed
 * and aligned to 16 bytes. Nothing outside src/base calls malloc.
 *
 * A failure that the caller of the library cannot have caused (out of memory, a broken invariant) leaves
 * through the arena's trap: ice() records a message and jumps to the place that armed the trap. The library
 * neither exits nor prints. Not thread safe: one arena belongs to one thread at a time. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct trap {
	jmp_buf env;
	char msg[512];
};

struct arena_chunk;

struct arena {
	char *cur, *end;
	struct arena_chunk *chunks;
	size_t total;      /* bytes obtained from malloc */
	struct trap *trap; /* where ice() goes; NULL: abort() */
};

void arena_init(struct arena *a, struct trap *trap);
void arena_free(struct arena *a);
/* Forget the contents, keep one chunk for reuse. */
void arena_reset(struct arena *a);
void *arena_alloc_slow(struct arena *a, size_t size);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Internal error: does not return. */
_Noreturn void ice(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline void *arena_alloc(struct arena *a, size_t size)
{
#ifndef ARENA_MALLOC
	size = (size + 15) & ~(size_t)15;
	if (size <= (size_t)(a->end - a->cur)) {
		void *p = a->cur;
		a->cur += size;
		return memset(p, 0, size);
	}
#endif
	return arena_alloc_slow(a, size);
}

#define NEW(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define NEWN(a, T, n) ((T *)arena_alloc((a), sizeof(T) * (size_t)(n)))

#endif
