/* Floats as bits. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t bits32(float x)
{
	uint32_t u;
	memcpy(&u, &x, 4);
	return u;
}
static inline float float32(uint32_t u)
{
	float x;
	memcpy(&x, &u, 4);
	return x;
}
static inline uint64_t bits64(double x)
{
	uint64_t u;
	memcpy(&u, &x, 8);
	return u;
}
static inline double float64(uint64_t u)
{
	double x;
	memcpy(&x, &u, 8);
	return x;
}

#endif
