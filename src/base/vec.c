#include "base/vec.h"

void *vec_grow(struct arena *a, void *data, uint32_t *cap, uint32_t need, size_t elem)
{
	uint32_t n = *cap ? *cap : 8;
	while (n < need) {
		if (n > UINT32_MAX / 2)
			ice(a, "vector too long");
		n *= 2;
	}
	void *p = arena_alloc(a, n * elem);
	if (*cap)
		memcpy(p, data, *cap * elem);
	*cap = n;
	return p;
}
