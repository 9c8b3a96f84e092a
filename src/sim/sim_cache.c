/* Global memory as weak as the hardware's manual and LLVM's memory model allow, on request (sim_options.caches).
 *
 * Time. A load, store or atomic that has been issued is performed at once or at any later moment until its counter has been
 * waited for, in any order with the wave's other accesses, except that accesses of one wave to one line, or to one result
 * register, keep their order. So a missing s_waitcnt lets another wave see effects out of order. What a wave has issued also
 * takes place while the wave does nothing (sim_cache_some).
 *
 * Place. L2 is the memory. Loads go through the L0 of the wave's CU and the L1 of its shader array, each with 128-byte lines that
 * hold what was read until buffer_gl0_inv, buffer_gl1_inv or a conflict removes it. glc passes L0 by and evicts there; L1 as well
 * on gfx11, on gfx10 with dlc. Stores and atomics take place in L2; a store updates the lines of its own CU and array, an atomic evicts
 * them. Scalar loads have a cache for each WGP, emptied by s_dcache_inv. A launch starts with empty caches.
 *
 * The chip is small: WGPS work group processors of two CUs, two to a shader array, so that groups meet in one and stand apart in
 * another. In WGP mode a wave of a group is on either CU; in CU mode all are on one. The accesses of one wave to LDS are performed in
 * order, the last one late.
 *
 * Source: LLVM's AMDGPU usage guide, memory models of gfx10 and gfx11. */
#include "sim/sim_cache.h"
#include "sim/sim_flow.h"

enum { LINE = 128, L0_LINES = 64, L1_LINES = 256, K_LINES = 64, WGPS = 8, ARRAYS = WGPS / 2, MAX_OPS = 2 * SIM_PEND_MAX };

struct line {
	uint64_t tag; /* line number + 1 */
	uint8_t data[LINE];
};

struct sim_caches {
	struct line l0[WGPS][2][L0_LINES], l1[ARRAYS][L1_LINES], k[WGPS][K_LINES];
};

/* A wave's. */
struct sim_mem_queue {
	struct line *l0, *l1, *k;
	struct sim_mem_op *op[MAX_OPS]; /* by id; those behind n are free, or NULL */
	uint32_t n, next_id;
	struct sim_lds_op lds;
};

uint32_t sim_cache_random(struct sim_launch_state *ls, uint32_t n)
{
	uint64_t z = ls->cache_rng += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ z >> 31) >> 16) % n;
}

void sim_cache_start(struct sim *s, struct sim_launch_state *ls)
{
	if (!s->opt.caches)
		return;
	ls->caches = NEW(&ls->arena, struct sim_caches);
	ls->cache_rng = s->opt.seed * 2 + 1;
	ls->wgp_mode = ls->k->rsrc1 >> 29 & 1;
}

void sim_cache_wave(struct sim_wave *w)
{
	struct sim_launch_state *ls = w->core->l;
	if (!ls->caches)
		return;
	struct sim_mem_queue *q = w->g->mem_queues[w->index];
	if (!q)
		q = w->g->mem_queues[w->index] = NEW(&ls->arena, struct sim_mem_queue);
	if (w->index == 0)
		w->g->place = sim_cache_random(ls, 2 * WGPS);
	uint32_t wgp = w->g->place / 2, cu = ls->wgp_mode ? sim_cache_random(ls, 2) : w->g->place % 2;
	q->l0 = ls->caches->l0[wgp][cu];
	q->l1 = ls->caches->l1[wgp % ARRAYS];
	q->k = ls->caches->k[wgp];
	q->n = 0;
	w->core->mem = q;
	w->core->lds_late = &q->lds;
	q->lds.late = false;
}

/* ---- lines ---- */

static struct line *slot(struct line *cache, uint32_t lines, uint64_t line)
{
	return &cache[line % lines];
}

static void fill_from_memory(struct sim *s, uint64_t line, uint8_t data[LINE], uint64_t want)
{
	struct sim_region *r = sim_region_find(s, want);
	for (uint32_t k = 0; r && k < LINE; k++) {
		uint64_t off = line * LINE + k - r->base;
		data[k] = off < r->size ? r->host[off] : 0;
	}
}

/* The bytes of one line. */
static void read_line(struct sim_wave *w, uint64_t addr, uint8_t *buf, uint32_t bytes, bool by_l0, bool by_l1)
{
	struct sim_mem_queue *q = w->core->mem;
	uint64_t line = addr / LINE;
	struct line *e0 = slot(q->l0, L0_LINES, line), *e1 = slot(q->l1, L1_LINES, line), once;
	if (by_l0 && e0->tag == line + 1)
		e0->tag = 0;
	if (by_l1 && e1->tag == line + 1)
		e1->tag = 0;
	const struct line *from = e0;
	if (by_l0 || e0->tag != line + 1) {
		struct line *below = by_l1 ? &once : e1;
		if (by_l1 || e1->tag != line + 1) {
			fill_from_memory(w->core->s, line, below->data, addr);
			below->tag = line + 1;
		}
		from = below;
		if (!by_l0)
			*e0 = *below;
	}
	memcpy(buf, from->data + addr % LINE, bytes);
}

void sim_cache_read(struct sim_wave *w, const struct sim_inst *i, uint64_t addr, void *buf, uint32_t bytes)
{
	bool by_l1 = w->gfx11 ? i->glc : i->dlc;
	for (uint32_t done = 0, n; done < bytes; done += n) {
		n = LINE - (uint32_t)((addr + done) % LINE);
		n = n < bytes - done ? n : bytes - done;
		read_line(w, addr + done, (uint8_t *)buf + done, n, i->glc, by_l1);
	}
}

void sim_cache_wrote(struct sim_wave *w, uint64_t addr, const void *p, uint32_t bytes)
{
	struct sim_mem_queue *q = w->core->mem;
	for (uint32_t k = 0; k < bytes; k++) {
		uint64_t line = (addr + k) / LINE;
		struct line *e[2] = {slot(q->l0, L0_LINES, line), slot(q->l1, L1_LINES, line)};
		for (int j = 0; j < 2; j++)
			if (e[j]->tag == line + 1)
				e[j]->data[(addr + k) % LINE] = ((const uint8_t *)p)[k];
	}
}

void sim_cache_drop(struct sim_wave *w, uint64_t addr)
{
	struct sim_mem_queue *q = w->core->mem;
	struct line *e[2] = {slot(q->l0, L0_LINES, addr / LINE), slot(q->l1, L1_LINES, addr / LINE)};
	for (int j = 0; j < 2; j++)
		if (e[j]->tag == addr / LINE + 1)
			e[j]->tag = 0;
}

void sim_cache_invalidate(struct sim_wave *w, int level)
{
	struct sim_mem_queue *q = w->core->mem;
	if (!q)
		return;
	uint32_t n = level ? L1_LINES : L0_LINES;
	for (uint32_t k = 0; k < n; k++)
		(level ? q->l1 : q->l0)[k].tag = 0;
}

void sim_cache_invalidate_scalar(struct sim_wave *w)
{
	for (uint32_t k = 0; w->core->mem && k < K_LINES; k++)
		w->core->mem->k[k].tag = 0;
}

void sim_cache_scalar_read(struct sim_wave *w, uint64_t addr, uint8_t *buf, uint32_t bytes)
{
	for (uint32_t k = 0; k < bytes; k++) {
		uint64_t line = (addr + k) / LINE;
		struct line *e = slot(w->core->mem->k, K_LINES, line);
		if (e->tag != line + 1) {
			fill_from_memory(w->core->s, line, e->data, addr + k);
			e->tag = line + 1;
		}
		buf[k] = e->data[(addr + k) % LINE];
	}
}

/* ---- the accesses of a wave ---- */

static uint32_t result_dwords(const struct sim_inst *i)
{
	if (i->cls == SIM_C_VMEM_STORE || (i->cls == SIM_C_VMEM_ATOMIC && !i->glc))
		return 0;
	return i->ops[0].n;
}

static bool same_line(const struct sim_mem_op *a, const struct sim_mem_op *b)
{
	for (uint64_t m = a->lanes; m; m &= m - 1)
		for (uint64_t n = b->lanes; n; n &= n - 1) {
			uint64_t x = a->addr[__builtin_ctzll(m)], y = b->addr[__builtin_ctzll(n)];
			if (x / LINE == y / LINE || (x > y ? x - y : y - x) < 16)
				return true;
		}
	return false;
}

static bool same_result(const struct sim_inst *a, const struct sim_inst *b)
{
	uint32_t n = result_dwords(a), k = result_dwords(b), x = a->ops[0].reg, y = b->ops[0].reg;
	return n && k && x < y + k && y < x + n;
}

static bool ordered(const struct sim_mem_op *a, const struct sim_mem_op *b)
{
	return same_result(a->inst, b->inst) || same_line(a, b);
}

/* Performs the k-th and, before it, those that must come first. */
static void perform(struct sim_wave *w, uint32_t k)
{
	struct sim_mem_queue *q = w->core->mem;
	struct sim_mem_op *op = q->op[k];
	for (uint32_t j = 0; j < q->n && q->op[j] != op; j++)
		if (ordered(q->op[j], op)) {
			perform(w, j);
			j = UINT32_MAX; /* the queue has changed: from the start */
		}
	sim_vmem_perform(w, op);
	for (k = 0; q->op[k] != op; k++)
		;
	q->n--;
	memmove(q->op + k, q->op + k + 1, (q->n - k) * sizeof *q->op);
	q->op[q->n] = op;
}

struct sim_mem_op *sim_cache_op(struct sim_wave *w, const struct sim_inst *i, const uint64_t *addr, uint8_t *const *p,
				uint64_t lanes)
{
	struct sim_mem_queue *q = w->core->mem;
	if (!q || !lanes)
		return NULL;
	if (q->n == MAX_OPS)
		perform(w, 0);
	if (!q->op[q->n])
		q->op[q->n] = NEW(&w->core->l->arena, struct sim_mem_op);
	struct sim_mem_op *op = q->op[q->n];
	op->inst = i;
	op->lanes = lanes;
	op->exec = w->exec;
	memcpy(op->addr, addr, sizeof op->addr);
	memcpy(op->p, p, sizeof op->p);
	return op;
}

void sim_cache_issue(struct sim_wave *w, struct sim_mem_op *op)
{
	struct sim_mem_queue *q = w->core->mem;
	op->id = w->core->issued = ++q->next_id;
	q->n++;
	if (sim_cache_random(w->core->l, 2))
		perform(w, q->n - 1);
}

void sim_cache_perform(struct sim_wave *w, uint32_t id)
{
	struct sim_mem_queue *q = w->core->mem;
	for (uint32_t k = 0; k < q->n; k++)
		if (q->op[k]->id == id) {
			perform(w, k);
			return;
		}
}

/* Vector memory returns in order, scratch and global alike. */
void sim_cache_settle(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_mem_queue *q = w->core->mem;
	for (uint32_t k = 0; q && k < q->n; k++)
		if (same_result(q->op[k]->inst, i)) {
			perform(w, k);
			k = UINT32_MAX;
		}
}

struct sim_lds_op *sim_cache_lds(struct sim_wave *w)
{
	if (!w->core->mem || !w->exec || sim_cache_random(w->core->l, 2))
		return NULL;
	w->core->lds_late->late = true;
	w->core->lds_late->exec = w->exec;
	return w->core->lds_late;
}

void sim_cache_finish(struct sim_wave *w)
{
	sim_lds_settle(w);
	while (w->core->mem && w->core->mem->n)
		perform(w, 0);
}

/* A wave that waits for memory, or ends before its stores are out, lets the others run meanwhile. */
bool sim_cache_stalls(struct sim_wave *w, const struct sim_inst *i)
{
	return (i->cls == SIM_C_WAIT || i->fn == sim_s_endpgm) && (w->core->mem->n || w->core->lds_late->late) &&
	       sim_cache_random(w->core->l, 8);
}

void sim_cache_some(struct sim_wave *w)
{
	struct sim_mem_queue *q = w->core->mem;
	if (q->lds.late && !sim_cache_random(w->core->l, 12))
		sim_lds_settle(w);
	if (q->n && !sim_cache_random(w->core->l, 12))
		perform(w, sim_cache_random(w->core->l, q->n));
}
