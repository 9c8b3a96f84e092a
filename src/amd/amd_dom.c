/* Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001. */
#include "amd/amd_dom.h"

struct edges {
	const uint32_t *v;
	uint32_t n;
};

static struct edges succs(const struct amd_block *b, bool wave)
{
	return wave ? (struct edges){b->wave_succs.data, b->wave_succs.len} : (struct edges){b->lane_succs.data, b->lane_succs.len};
}

static struct edges preds(const struct amd_block *b, bool wave)
{
	return wave ? (struct edges){b->wave_preds.data, b->wave_preds.len} : (struct edges){b->lane_preds.data, b->lane_preds.len};
}

/* Fills rpo from its end; returns the index of its start. */
static uint32_t post_order(const struct amd_func *f, bool wave, struct arena *a, uint32_t *rpo, uint32_t *number)
{
	uint32_t n = f->blocks.len, at = n, depth = 0;
	uint32_t *stack = NEWN(a, uint32_t, n), *next = NEWN(a, uint32_t, n);
	bitword *seen = bitset_new(a, n);
	stack[depth++] = 0;
	bitset_add(seen, 0);
	while (depth) {
		uint32_t b = stack[depth - 1];
		struct edges s = succs(f->blocks.data[b], wave);
		if (next[b] < s.n) {
			uint32_t to = s.v[next[b]++];
			if (!bitset_has(seen, to)) {
				bitset_add(seen, to);
				stack[depth++] = to;
			}
			continue;
		}
		rpo[--at] = b;
		number[b] = at;
		depth--;
	}
	return at;
}

static void number_tree(const struct amd_func *f, struct arena *a, struct amd_dom *d)
{
	uint32_t n = f->blocks.len;
	uint32_t *size = NEWN(a, uint32_t, n), *given = NEWN(a, uint32_t, n);
	for (uint32_t k = d->nrpo; k-- > 0;) {
		uint32_t b = d->rpo[k];
		size[b]++;
		if (d->idom[b] != b)
			size[d->idom[b]] += size[b];
	}
	for (uint32_t k = 0; k < d->nrpo; k++) {
		uint32_t b = d->rpo[k], p = d->idom[b];
		d->pre[b] = p == b ? 0 : d->pre[p] + 1 + given[p];
		if (p != b)
			given[p] += size[b];
		d->last[b] = d->pre[b] + size[b] - 1;
	}
}

void amd_dominators(const struct amd_func *f, bool wave, struct arena *a, struct amd_dom *d)
{
	uint32_t n = f->blocks.len;
	*d = (struct amd_dom){NEWN(a, uint32_t, n), NEWN(a, uint32_t, n), NEWN(a, uint32_t, n), NEWN(a, uint32_t, n), 0};
	memset(d->idom, 0xff, n * sizeof *d->idom);
	if (!n)
		return;
	uint32_t *number = NEWN(a, uint32_t, n);
	uint32_t start = post_order(f, wave, a, d->rpo, number);
	d->rpo += start;
	d->nrpo = n - start;
	d->idom[0] = 0;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t k = 1; k < d->nrpo; k++) {
			uint32_t b = d->rpo[k], dom = UINT32_MAX;
			struct edges p = preds(f->blocks.data[b], wave);
			for (uint32_t e = 0; e < p.n; e++) {
				uint32_t x = p.v[e];
				if (d->idom[x] == UINT32_MAX)
					continue;
				if (dom == UINT32_MAX)
					dom = x;
				while (dom != x) {
					while (number[dom] > number[x])
						dom = d->idom[dom];
					while (number[x] > number[dom])
						x = d->idom[x];
				}
			}
			if (dom != d->idom[b]) {
				d->idom[b] = dom;
				changed = true;
			}
		}
	}
	number_tree(f, a, d);
}
