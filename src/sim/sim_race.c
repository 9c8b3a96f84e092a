/* Visibility of global memory between waves, on request (sim_options.races): what a program gets away with here because
 * memory is written and read at once, but not on hardware, where stores are under way until vscnt says otherwise and caches
 * keep what they have read.
 *
 * Each dword remembers its last writer in this launch and when. A plain load faults where another wave's store to these
 * bytes has not been waited for by its wave, or where the line was cached before the store and not invalidated since: L0 by
 * buffer_gl0_inv (one for each wave in WGP mode, for each workgroup in CU mode), GL1 by buffer_gl1_inv (one for each
 * workgroup). glc loads (dlc on gfx10 for GL1) pass by the caches, and are how flags are polled: not checked. Atomics are
 * done at L2 at once. Scalar loads fault on anything written in this launch. Racy programs fault, even if they do not
 * care; correct ones do not.
 *
 * Source: LLVM's AMDGPU usage guide, memory models of gfx10 and gfx11. */
#include "sim/sim_race.h"

enum { LINE_SHIFT = 7, ATOMIC = 1 << 27, UID = ATOMIC - 1 };

static bool same_group(const struct sim_wave *w, uint32_t uid)
{
	return (uid - 1) / w->g->nwaves == (w->core->uid - 1) / w->g->nwaves;
}

static struct sim_shadow *shadow_of(struct sim *s, uint64_t addr)
{
	struct sim_region *r = sim_region_find(s, addr);
	if (!r || !(r->flags & SIM_MEM_WRITE))
		return NULL;
	if (!r->shadow)
		r->shadow = NEWN(r->mem.chunks ? &r->mem : &s->arena, struct sim_shadow, r->size / 4 + 2);
	return r->shadow + ((addr - r->base) >> 2);
}

/* Which of the four bytes of the n-th dword that an access of `bytes` bytes at addr touches belong to it. */
static uint32_t byte_mask(uint64_t addr, uint32_t bytes, uint32_t n)
{
	uint32_t first = (uint32_t)(addr & 3), from = n ? 0 : first, to = first + bytes - 4 * n;
	return ((1u << (to < 4 ? to : 4)) - 1) & ~((1u << from) - 1);
}

static uint32_t dwords(uint64_t addr, uint32_t bytes)
{
	return (uint32_t)((addr & 3) + bytes + 3) / 4;
}

/* ---- writes ---- */

void sim_race_write(struct sim_wave *w, const uint64_t *addr, uint64_t lanes, uint32_t bytes, bool atomic)
{
	struct sim *s = w->core->s;
	uint32_t now = ++s->race_time;
	for (uint64_t m = lanes; m; m &= m - 1) {
		uint64_t a = addr[__builtin_ctzll(m)];
		struct sim_shadow *sh = shadow_of(s, a);
		for (uint32_t k = 0; sh && k < dwords(a, bytes); k++)
			sh[k] = (struct sim_shadow){w->core->uid | (atomic ? ATOMIC : 0) | byte_mask(a, bytes, k) << 28, now};
	}
	if (!atomic)
		w->core->vs_time = now;
}

/* ---- caches ---- */

/* When the line was read into the cache that a load now hits; a miss fills. *l0: it hits there. */
static uint32_t cached_at(struct sim_wave *w, uint64_t line, bool *l0)
{
	struct sim_cache *c = w->core->cache;
	struct sim_line *e = &c->lines[line % SIM_CACHE_LINES];
	uint32_t now = w->core->s->race_time;
	if (e->line != line)
		*e = (struct sim_line){.line = line, .gen0 = c->gen0 - 1, .gen1 = c->gen1 - 1};
	*l0 = e->gen0 == c->gen0;
	if (*l0)
		return e->t0;
	if (e->gen1 != c->gen1) {
		e->gen1 = c->gen1;
		e->t1 = now;
	}
	e->gen0 = c->gen0;
	e->t0 = e->t1;
	return e->t0;
}

static void drop(struct sim_wave *w, uint64_t line, bool l1)
{
	struct sim_cache *c = w->core->cache;
	struct sim_line *e = &c->lines[line % SIM_CACHE_LINES];
	if (e->line != line)
		return;
	e->gen0 = c->gen0 - 1;
	if (l1)
		e->gen1 = c->gen1 - 1;
}

void sim_race_invalidate(struct sim_wave *w, int level)
{
	struct sim_cache *c = w->core->cache;
	if (!c)
		return;
	if (level == 0)
		c->gen0++;
	else
		c->gen1++;
}

/* ---- reads ---- */

static void describe(struct sim_wave *w, uint32_t uid, char *buf, size_t size)
{
	uint32_t n = w->g->nwaves;
	snprintf(buf, size, "wave %u of workgroup number %u", (uid - 1) % n, (uid - 1) / n);
}

static void check_dword(struct sim_wave *w, int lane, uint64_t a, struct sim_shadow sh, uint32_t cached, bool l0)
{
	struct sim_launch_state *ls = w->core->l;
	uint32_t uid = sh.who & UID;
	bool near = same_group(w, uid);
	char who[64];
	if (uid == w->core->uid)
		return;
	describe(w, uid, who, sizeof who);
	if (!(sh.who & ATOMIC) && ls->race_complete[uid] < sh.time && !(near && !ls->wgp_mode))
		sim_fault(w, SIM_FAULT_RACE, lane, a, "reads what %s stored and has not waited for (vscnt)", who);
	if (sh.time > cached && (l0 ? !near || ls->wgp_mode : !near))
		sim_fault(w, SIM_FAULT_RACE, lane, a, "may hit a line cached before %s wrote it: no buffer_gl%d_inv since", who,
			  l0 ? 0 : 1);
}

void sim_race_read(struct sim_wave *w, const struct sim_inst *i, const uint64_t *addr, uint64_t lanes, uint32_t bytes)
{
	struct sim *s = w->core->s;
	uint64_t line = ~UINT64_C(0);
	uint32_t cached = 0;
	bool l0 = false;
	for (uint64_t m = lanes; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		if (i->glc) {
			drop(w, addr[l] >> LINE_SHIFT, w->gfx11 || i->dlc);
			continue;
		}
		struct sim_shadow *sh = shadow_of(s, addr[l]);
		for (uint32_t k = 0; sh && k < dwords(addr[l], bytes); k++) {
			uint64_t a = (addr[l] & ~UINT64_C(3)) + 4 * k;
			if (a >> LINE_SHIFT != line) {
				line = a >> LINE_SHIFT;
				cached = cached_at(w, line, &l0);
			}
			if (sh[k].time > w->core->l->race_start && sh[k].who >> 28 & byte_mask(addr[l], bytes, k))
				check_dword(w, l, a, sh[k], cached, l0);
		}
	}
}

void sim_race_scalar_read(struct sim_wave *w, uint64_t addr, uint32_t bytes)
{
	struct sim_shadow *sh = shadow_of(w->core->s, addr);
	char who[64];
	for (uint32_t k = 0; sh && k < bytes / 4; k++)
		if (sh[k].time > w->core->l->race_start) {
			describe(w, sh[k].who & UID, who, sizeof who);
			sim_fault(w, SIM_FAULT_RACE, -1, addr + 4 * k, "a scalar load of what %s wrote in this launch", who);
		}
}

/* ---- the life of a wave ---- */

void sim_race_start(struct sim_wave *w, uint64_t group_number)
{
	struct sim_launch_state *ls = w->core->l;
	if (!ls->race_complete)
		return;
	w->core->uid = (uint32_t)(group_number * ls->nwaves + w->index + 1);
	/* In CU mode the waves of a workgroup share their L0. */
	w->core->cache = ls->wgp_mode || w->index == 0 ? w->g->caches + w->index : w->g->caches;
	memset(w->core->cache->lines, 0xff, sizeof w->core->cache->lines);
	w->core->cache->gen0 = w->core->cache->gen1 = 1;
}

void sim_race_end(struct sim_wave *w)
{
	if (w->core->uid)
		w->core->l->race_complete[w->core->uid] = UINT32_MAX;
}

void sim_race_waited(struct sim_wave *w, uint32_t time)
{
	if (w->core->uid && w->core->l->race_complete[w->core->uid] < time)
		w->core->l->race_complete[w->core->uid] = time;
}
