/* Device memory: regions with guard gaps, and the checks of one lane's access. */
#include "sim/sim_core.h"

enum { GUARD = 1 << 16 };

/* ---- regions, sorted by base ---- */

static uint32_t region_after(struct sim *s, uint64_t addr)
{
	uint32_t lo = 0, hi = s->regions.len;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (s->regions.data[mid]->base <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct sim_region *sim_region_find(struct sim *s, uint64_t addr)
{
	struct sim_region *r = s->last;
	if (r && addr - r->base < r->size)
		return r;
	uint32_t n = region_after(s, addr);
	if (!n)
		return NULL;
	r = s->regions.data[n - 1];
	if (addr - r->base >= r->size)
		return NULL;
	return s->last = r;
}

struct sim_region *sim_region_add(struct sim *s, uint64_t base, uint64_t size, uint8_t *host, unsigned flags,
				  const char *what)
{
	struct sim_region *r = NEW(&s->arena, struct sim_region);
	*r = (struct sim_region){.base = base, .size = size, .host = host, .flags = flags, .what = what};
	uint32_t n = region_after(s, base);
	vec_push(&s->arena, &s->regions, r);
	memmove(s->regions.data + n + 1, s->regions.data + n, (s->regions.len - 1 - n) * sizeof(struct sim_region *));
	s->regions.data[n] = r;
	return r;
}

void sim_region_del(struct sim *s, uint64_t base)
{
	uint32_t n = region_after(s, base);
	if (!n || s->regions.data[n - 1]->base != base)
		return;
	memmove(s->regions.data + n - 1, s->regions.data + n, (s->regions.len - n) * sizeof(struct sim_region *));
	s->regions.len--;
	s->last = NULL;
}

/* ---- definedness ---- */

uint8_t *sim_global_def(struct sim *s, uint64_t addr)
{
	const struct sim_region *r = s->tracked ? sim_region_find(s, addr) : NULL;
	return r && r->def ? r->def + (addr - r->base) : NULL;
}

void sim_global_track(struct sim_wave *w, uint64_t addr)
{
	struct sim *s = w->core->s;
	struct sim_region *r = sim_region_find(s, addr);
	if (!r || r->def)
		return;
	struct arena *a = r->mem.chunks ? &r->mem : &s->arena;
	r->def = NEWN(a, uint8_t, r->size);
	r->undef_by = arena_printf(a, "pc 0x%llx: %s", (unsigned long long)(w->cur->addr - w->core->l->k->entry), w->cur->text);
	memset(r->def, 0xff, r->size);
	s->tracked = true;
}

uint64_t sim_undefined(struct sim *s, uint64_t addr, uint64_t n, uint64_t *first, const char **by)
{
	const uint8_t *def = n ? sim_global_def(s, addr) : NULL;
	uint64_t count = 0;
	if (!def)
		return 0;
	for (uint64_t k = n; k-- > 0;)
		if (def[k] != 0xff) {
			count++;
			*first = k;
		}
	*by = sim_region_find(s, addr)->undef_by;
	return count;
}

/* ---- one lane's access ---- */

uint8_t *sim_global(struct sim_wave *w, int lane, uint64_t addr, uint32_t size, bool write)
{
	struct sim *s = w->core->s;
	struct sim_region *r = sim_region_find(s, addr);
	const char *verb = write ? "write" : "read";
	if (!r || r->size - (addr - r->base) < size) {
		struct sim_region *near = r;
		uint32_t n = region_after(s, addr);
		if (!near && n)
			near = s->regions.data[n - 1];
		if (near && addr - near->base < near->size + GUARD)
			sim_fault(w, SIM_FAULT_MEMORY, lane, addr,
				  "%s of %u bytes at offset %llu of %s, which has %llu bytes", verb, size,
				  (unsigned long long)(addr - near->base), near->what, (unsigned long long)near->size);
		sim_fault(w, SIM_FAULT_MEMORY, lane, addr, "%s of %u bytes outside every allocation", verb, size);
	}
	if (write && !(r->flags & SIM_MEM_WRITE))
		sim_fault(w, SIM_FAULT_MEMORY, lane, addr, "write to %s, which is read-only", r->what);
	return r->host + (addr - r->base);
}

uint8_t *sim_lds(struct sim_wave *w, int lane, uint64_t addr, uint32_t size)
{
	if (addr + size > w->g->lds_size)
		sim_fault(w, SIM_FAULT_LDS, lane, addr, "LDS access of %u bytes; the workgroup has %u bytes", size,
			  w->g->lds_size);
	return w->g->lds + addr;
}

uint8_t *sim_scratch(struct sim_wave *w, int lane, uint64_t addr, uint32_t size)
{
	struct sim_core *c = w->core;
	if (addr + size > c->scratch_size || addr + size < addr)
		sim_fault(w, SIM_FAULT_MEMORY, lane, addr, "scratch access of %u bytes; a lane has %u bytes", size,
			  c->scratch_size);
	return c->scratch + (size_t)lane * c->scratch_size + addr;
}
