/* Which bits of a lane function's result depend on undefined bits of its sources: valu_undef.def.
 *
 * BITS and SUM run the function itself on the sources with their undefined bits all 0 and all 1. Where a bit of the result takes one
 * bit of each source that shows each dependence. For a sum it shows where carries differ: the carry into a bit is the greater the greater
 * the summands, so it is fixed where the least and the greatest ones agree (as in Valgrind's Memcheck; Seward, Nethercote 2005). */
#include "sim/valu.h"

#define EACH_LANE(k) for (uint32_t l = 0, n_ = (k)->n; l < n_; l++)

/* The sources of a call, and a call of the function on other values of them. */
struct probe {
	const struct valu_row *row;
	struct valu_call k;
	union {
		uint32_t d32[64];
		uint64_t d64[64];
	} src[3], d;
	uint8_t out[64];
};

static bool wide(uint8_t type)
{
	return type >= VT_U64 && type <= VT_R64;
}

static uint64_t value(const struct valu_call *k, const struct valu_row *row, uint32_t n, uint32_t l)
{
	return wide(row->s[n]) ? ((const uint64_t *)k->s[n])[l] : ((const uint32_t *)k->s[n])[l];
}

static void set(struct probe *p, uint32_t n, uint32_t l, uint64_t x)
{
	if (wide(p->row->s[n]))
		p->src[n].d64[l] = x;
	else
		p->src[n].d32[l] = (uint32_t)x;
}

static void call(struct probe *p, uint64_t r[64])
{
	sim_valu_call(p->row, &p->k, 0, false);
	EACH_LANE(&p->k) r[l] = wide(p->row->d) ? p->d.d64[l] : p->d.d32[l];
}

/* The result where source n has bit n of ones' choice in its undefined bits. */
static void extreme(struct probe *p, const struct valu_call *k, uint64_t u[3][64], unsigned ones, uint64_t r[64])
{
	for (uint32_t n = 0; n < p->row->nsrc; n++)
		EACH_LANE(k) set(p, n, l, (value(k, p->row, n, l) & ~u[n][l]) | (ones >> n & 1 ? u[n][l] : 0));
	call(p, r);
}

static void bits(struct probe *p, const struct valu_call *k, uint64_t u[3][64], unsigned some, uint64_t undef[64])
{
	uint64_t first[64], r[64];
	extreme(p, k, u, 0, first);
	for (unsigned ones = 1; ones < 8; ones++) {
		if (ones & ~some)
			continue;
		extreme(p, k, u, ones, r);
		EACH_LANE(k) undef[l] |= r[l] ^ first[l];
	}
}

static void sum(struct probe *p, const struct valu_call *k, uint64_t u[3][64], unsigned ctl, uint64_t undef[64])
{
	uint64_t least[64], most[64], moved[64];
	extreme(p, k, u, 0, least);
	extreme(p, k, u, 7, most);
	EACH_LANE(k) undef[l] |= least[l] ^ most[l];
	for (uint32_t one = 0; one < p->row->nsrc; one++) {
		if (ctl >> one & 1)
			continue;
		for (uint32_t n = 0; n < p->row->nsrc; n++)
			EACH_LANE(k) set(p, n, l, ctl >> n & 1 ? value(k, p->row, n, l) : n == one ? u[n][l] : 0);
		call(p, moved);
		EACH_LANE(k) undef[l] |= moved[l];
	}
}

/* Kinds that need no call. */
static uint64_t plain(unsigned kind, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t any = a | b | c;
	switch (kind) {
	case VU_LOW:
		return any | -any;
	case VU_HALVES:
		return (a ? 0xffff : 0) | (b ? 0xffff0000 : 0);
	default:
		return any ? ~0ull : 0;
	}
}

void sim_valu_undef(const struct valu_row *row, const struct valu_undef *how, const struct valu_call *k, bool clamp,
		    uint64_t u[3][64], uint64_t undef[64])
{
	unsigned kind = clamp && row->sat ? VU_ANY : how->kind, some = 0;
	uint64_t lost[64];
	for (uint32_t n = 0; n < row->nsrc; n++)
		EACH_LANE(k)
		{
			bool ctl = how->ctl >> n & 1;
			if (how->use && (ctl || (!how->ctl && n < 2)))
				u[n][l] &= how->use;
			some |= u[n][l] ? 1u << n : 0;
		}
	EACH_LANE(k)
	{
		lost[l] = 0;
		for (uint32_t n = 0; n < 3; n++)
			if (how->ctl >> n & 1 && u[n][l])
				lost[l] = ~0ull;
		undef[l] = 0;
	}
	if (kind == VU_BITS || kind == VU_SUM) {
		struct probe p = {.row = row, .k = *k};
		p.k.d = &p.d;
		p.k.o = p.out;
		for (uint32_t n = 0; n < 3; n++)
			p.k.s[n] = &p.src[n];
		if (kind == VU_BITS)
			bits(&p, k, u, some, undef);
		else
			sum(&p, k, u, how->ctl, undef);
	} else {
		EACH_LANE(k) undef[l] = plain(kind, u[0][l], row->nsrc > 1 ? u[1][l] : 0, row->nsrc > 2 ? u[2][l] : 0);
	}
	EACH_LANE(k) undef[l] |= lost[l];
}
