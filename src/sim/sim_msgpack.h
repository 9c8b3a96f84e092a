/* Reader for the MessagePack of code object metadata. */
#ifndef SIM_MSGPACK_H
#define SIM_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mp_kind { MP_END, MP_NIL, MP_BOOL, MP_INT, MP_STR, MP_ARRAY, MP_MAP, MP_OTHER };

struct mp {
	const uint8_t *p, *end;
	bool bad;
};

struct mp_val {
	enum mp_kind kind;
	uint64_t n;      /* value, length of the string, or number of elements (pairs for maps) */
	const char *str; /* not terminated */
};

/* The next value; the elements of an array or map follow it. */
struct mp_val sim_mp_next(struct mp *m);
/* Skips one whole value. */
void sim_mp_skip(struct mp *m);
bool sim_mp_is(const struct mp_val *v, const char *s);

#endif
