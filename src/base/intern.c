#include "base/intern.h"

#include <string.h>

uint32_t hash_bytes(const void *p, size_t n)
{
	const unsigned char *s = p;
	uint64_t h = 0x9E3779B97F4A7C15u ^ n, w;
	for (; n >= 8; s += 8, n -= 8) {
		memcpy(&w, s, 8);
		h = (h ^ w) * 0xD6E8FEB86659FD93u;
		h ^= h >> 32;
	}
	w = 0;
	memcpy(&w, s, n);
	h = (h ^ w) * 0xD6E8FEB86659FD93u;
	return (uint32_t)(h ^ h >> 32);
}

void interner_init(struct interner *in, struct arena *a)
{
	*in = (struct interner){.arena = a, .cap = 256, .slots = NEWN(a, struct interner_slot, 256)};
}

static void interner_grow(struct interner *in)
{
	uint32_t cap = in->cap * 2;
	struct interner_slot *slots = NEWN(in->arena, struct interner_slot, cap);
	for (uint32_t i = 0; i < in->cap; i++) {
		if (!in->slots[i].str)
			continue;
		uint32_t j = in->slots[i].hash & (cap - 1);
		while (slots[j].str)
			j = (j + 1) & (cap - 1);
		slots[j] = in->slots[i];
	}
	in->slots = slots;
	in->cap = cap;
}

const char *intern(struct interner *in, const char *s, size_t n)
{
	uint32_t h = hash_bytes(s, n), i = h & (in->cap - 1);
	for (; in->slots[i].str; i = (i + 1) & (in->cap - 1))
		if (in->slots[i].hash == h && in->slots[i].len == n && !memcmp(in->slots[i].str, s, n))
			return in->slots[i].str;
	const char *str = arena_strndup(in->arena, s, n);
	in->slots[i] = (struct interner_slot){str, h, (uint32_t)n};
	if (++in->used * 2 > in->cap)
		interner_grow(in);
	return str;
}

static uint32_t ptr_slot(const struct strmap *m, const char *key)
{
	uint32_t i = (uint32_t)(((uintptr_t)key >> 4) * 0x9E3779B1u) & (m->cap - 1);
	while (m->keys[i] && m->keys[i] != key)
		i = (i + 1) & (m->cap - 1);
	return i;
}

void *strmap_get(const struct strmap *m, const char *key)
{
	return m->cap ? m->vals[ptr_slot(m, key)] : NULL;
}

void strmap_put(struct arena *a, struct strmap *m, const char *key, void *val)
{
	if ((m->used + 1) * 2 > m->cap) {
		struct strmap old = *m;
		m->cap = old.cap ? old.cap * 2 : 16;
		m->keys = NEWN(a, const char *, m->cap);
		m->vals = NEWN(a, void *, m->cap);
		for (uint32_t i = 0; i < old.cap; i++) {
			if (!old.keys[i])
				continue;
			uint32_t j = ptr_slot(m, old.keys[i]);
			m->keys[j] = old.keys[i];
			m->vals[j] = old.vals[i];
		}
	}
	uint32_t i = ptr_slot(m, key);
	if (!m->keys[i])
		m->used++;
	m->keys[i] = key;
	m->vals[i] = val;
}
