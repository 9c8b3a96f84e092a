#include "sim/sim_msgpack.h"

#include <string.h>

static uint64_t be(struct mp *m, unsigned n)
{
	uint64_t x = 0;
	if ((size_t)(m->end - m->p) < n) {
		m->bad = true;
		m->p = m->end;
		return 0;
	}
	while (n--)
		x = x << 8 | *m->p++;
	return x;
}

static struct mp_val bytes(struct mp *m, enum mp_kind kind, uint64_t n)
{
	struct mp_val v = {kind, n, (const char *)m->p};
	if ((uint64_t)(m->end - m->p) < n) {
		m->bad = true;
		v.n = 0;
		n = (uint64_t)(m->end - m->p);
	}
	m->p += n;
	return v;
}

struct mp_val sim_mp_next(struct mp *m)
{
	if (m->p >= m->end) {
		m->bad = true;
		return (struct mp_val){MP_END, 0, NULL};
	}
	uint8_t c = *m->p++;
	if (c < 0x80)
		return (struct mp_val){MP_INT, c, NULL};
	if (c < 0x90)
		return (struct mp_val){MP_MAP, c & 15, NULL};
	if (c < 0xa0)
		return (struct mp_val){MP_ARRAY, c & 15, NULL};
	if (c < 0xc0)
		return bytes(m, MP_STR, c & 31);
	if (c >= 0xe0)
		return (struct mp_val){MP_INT, (uint64_t)(int64_t)(int8_t)c, NULL};
	switch (c) {
	case 0xc0:
		return (struct mp_val){MP_NIL, 0, NULL};
	case 0xc2:
	case 0xc3:
		return (struct mp_val){MP_BOOL, c & 1, NULL};
	case 0xc4:
	case 0xc5:
	case 0xc6:
		return bytes(m, MP_OTHER, be(m, 1u << (c - 0xc4)));
	case 0xca:
	case 0xcb:
		return (struct mp_val){MP_OTHER, be(m, c == 0xca ? 4 : 8), NULL};
	case 0xcc:
	case 0xcd:
	case 0xce:
	case 0xcf:
		return (struct mp_val){MP_INT, be(m, 1u << (c - 0xcc)), NULL};
	case 0xd0:
		return (struct mp_val){MP_INT, (uint64_t)(int64_t)(int8_t)be(m, 1), NULL};
	case 0xd1:
		return (struct mp_val){MP_INT, (uint64_t)(int64_t)(int16_t)be(m, 2), NULL};
	case 0xd2:
		return (struct mp_val){MP_INT, (uint64_t)(int64_t)(int32_t)be(m, 4), NULL};
	case 0xd3:
		return (struct mp_val){MP_INT, be(m, 8), NULL};
	case 0xd9:
	case 0xda:
	case 0xdb:
		return bytes(m, MP_STR, be(m, 1u << (c - 0xd9)));
	case 0xdc:
	case 0xdd:
		return (struct mp_val){MP_ARRAY, be(m, c == 0xdc ? 2 : 4), NULL};
	case 0xde:
	case 0xdf:
		return (struct mp_val){MP_MAP, be(m, c == 0xde ? 2 : 4), NULL};
	}
	m->bad = true;
	return (struct mp_val){MP_END, 0, NULL};
}

void sim_mp_skip(struct mp *m)
{
	uint64_t left = 1;
	while (left && !m->bad) {
		struct mp_val v = sim_mp_next(m);
		left--;
		if (v.kind == MP_ARRAY)
			left += v.n;
		else if (v.kind == MP_MAP)
			left += 2 * v.n;
	}
}

bool sim_mp_is(const struct mp_val *v, const char *s)
{
	return v->kind == MP_STR && v->n == strlen(s) && memcmp(v->str, s, v->n) == 0;
}
