/* String interning and a string-keyed map. Interned strings compare equal exactly when their pointers do. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/arena.h"

struct interner_slot {
	const char *str;
	uint32_t hash, len;
};

struct interner {
	struct arena *arena;
	struct interner_slot *slots;
	uint32_t used, cap; /* cap is a power of two */
};

void interner_init(struct interner *in, struct arena *a);
const char *intern(struct interner *in, const char *s, size_t n);
uint32_t hash_bytes(const void *p, size_t n);

/* Map from interned string (compared by pointer) to void pointer. Zero-initialised is empty. */
struct strmap {
	const char **keys;
	void **vals;
	uint32_t used, cap;
};
void *strmap_get(const struct strmap *m, const char *key);
void strmap_put(struct arena *a, struct strmap *m, const char *key, void *val);

#endif
