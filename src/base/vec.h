/* Growable arrays in an arena. VEC(T) declares one; elements are v.data[0 .. v.len-1]. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <string.h>

#include "base/arena.h"

#define VEC(T)                                                                                                          \
	struct {                                                                                                        \
		T *data;                                                                                                \
		uint32_t len, cap;                                                                                      \
	}

void *vec_grow(struct arena *a, void *data, uint32_t *cap, uint32_t need, size_t elem);

#define vec_reserve(a, v, n)                                                                                            \
	((v)->cap >= (n) ? (void)0                                                                                      \
	                 : (void)((v)->data = vec_grow((a), (v)->data, &(v)->cap, (n), sizeof *(v)->data)))
#define vec_push(a, v, ...) (vec_reserve((a), (v), (v)->len + 1), (void)((v)->data[(v)->len++] = (__VA_ARGS__)))
#define vec_pop(v) ((v)->data[--(v)->len])
#define vec_last(v) ((v)->data[(v)->len - 1])
#define vec_clear(v) ((v)->len = 0)

#endif
