/* Fixed-size sets of small integers: arrays of 64-bit words in an arena. */
#ifndef BASE_BITSET_H
#define BASE_BITSET_H

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"

typedef uint64_t bitword;

static inline uint32_t bitset_words(uint32_t nbits)
{
	return (nbits + 63) / 64;
}
static inline bitword *bitset_new(struct arena *a, uint32_t nbits)
{
	return NEWN(a, bitword, bitset_words(nbits) ? bitset_words(nbits) : 1);
}
static inline bool bitset_has(const bitword *s, uint32_t i)
{
	return s[i / 64] >> (i % 64) & 1;
}
static inline void bitset_add(bitword *s, uint32_t i)
{
	s[i / 64] |= (bitword)1 << (i % 64);
}
static inline void bitset_del(bitword *s, uint32_t i)
{
	s[i / 64] &= ~((bitword)1 << (i % 64));
}
/* dst |= src; true if dst changed. */
static inline bool bitset_union(bitword *dst, const bitword *src, uint32_t nbits)
{
	bitword changed = 0;
	for (uint32_t w = 0, n = bitset_words(nbits); w < n; w++) {
		changed |= src[w] & ~dst[w];
		dst[w] |= src[w];
	}
	return changed != 0;
}
static inline void bitset_copy(bitword *dst, const bitword *src, uint32_t nbits)
{
	memcpy(dst, src, bitset_words(nbits) * sizeof *dst);
}
static inline void bitset_clear(bitword *s, uint32_t nbits)
{
	memset(s, 0, bitset_words(nbits) * sizeof *s);
}

/* Visits the members of s in ascending order. */
#define bitset_each(i, s, nbits)                                                                                        \
	for (uint32_t i##_w = 0, i = 0, i##_n = bitset_words(nbits); i##_w < i##_n; i##_w++)                            \
		for (bitword i##_b = (s)[i##_w]; i##_b && (i = i##_w * 64 + (uint32_t)__builtin_ctzll(i##_b), 1);       \
		     i##_b &= i##_b - 1)

#endif
