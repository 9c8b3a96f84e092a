/* Launching a kernel: arguments, the registers that the command processor initialises, one workgroup after another.
 * Source: LLVM's AMDGPU usage guide, "Initial kernel execution state" and "Kernel argument metadata" (code object v5). */
#include <stdio.h>

#include "sim/sim_cache.h"
#include "sim/sim_race.h"

enum { DEFAULT_STACK = 16384, MAX_LDS = 65536, MAX_BLOCK = 1024 };
enum { MAX_RESIDENT = 256, FINE_RESIDENT = 8, FIRST_SLICE = 1 << 20, TIME_SLICE = 1 << 14, FINE_SLICE = 32 };
#define RESIDENT_BYTES (UINT64_C(1) << 30)
#define DEFAULT_BUDGET UINT64_C(1000000000)

/* ---- checks ---- */

static bool refuse(struct sim_launch_state *ls, struct sim_fault *f, const char *fmt, ...)
{
	char what[256];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	*f = (struct sim_fault){.kind = SIM_FAULT_LAUNCH, .kernel = ls->k->name, .lane = -1};
	snprintf(f->text, sizeof f->text, "%s: %s (kernel %s)", sim_fault_name(f->kind), what, ls->k->name);
	return false;
}

static uint32_t user_sgprs(const struct sim_kernel *k)
{
	return k->rsrc2 >> 1 & 31;
}

static uint32_t system_sgprs(const struct sim_launch_state *ls)
{
	uint32_t r = ls->k->rsrc2, n = 0;
	for (unsigned b = 7; b <= 10; b++)
		n += r >> b & 1;
	return n + (!ls->s->gfx11 && r & 1);
}

static uint64_t all_waves(const struct sim_launch_state *ls)
{
	return (uint64_t)ls->grid[0] * ls->grid[1] * ls->grid[2] * ls->nwaves;
}

static bool check_launch(struct sim_launch_state *ls, struct sim_fault *f)
{
	const struct sim_kernel *k = ls->k;
	uint64_t threads = (uint64_t)ls->block[0] * ls->block[1] * ls->block[2];
	if (threads > MAX_BLOCK || (k->max_flat && threads > k->max_flat))
		return refuse(ls, f, "a workgroup of %llu workitems; the kernel allows %u", (unsigned long long)threads,
			      k->max_flat && k->max_flat < MAX_BLOCK ? k->max_flat : (uint32_t)MAX_BLOCK);
	for (int d = 0; d < 3; d++)
		if (k->required[0] && k->required[d] != ls->block[d])
			return refuse(ls, f, "the kernel requires workgroups of %u,%u,%u", k->required[0], k->required[1],
				      k->required[2]);
	if (k->max_dynamic && ls->l->dynamic_lds > k->max_dynamic)
		return refuse(ls, f, "%u bytes of dynamic shared memory; the kernel was compiled for %u", ls->l->dynamic_lds, k->max_dynamic);
	if (ls->lds_size > MAX_LDS)
		return refuse(ls, f, "%u bytes of LDS; a workgroup can have %u", ls->lds_size, (uint32_t)MAX_LDS);
	if (ls->s->opt.races && all_waves(ls) >= 1 << 27)
		return refuse(ls, f, "the check for races counts waves in 27 bits");
	for (uint32_t n = 0; n < sim_kernel_nargs(k); n++)
		if (k->args.data[n].offset + k->args.data[n].size > ls->l->args_size)
			return refuse(ls, f, "argument %u is missing", n);
	if (ls->lanes == 32 && ls->s->chip->bugs & SIM_CHIP_INIT16 && !ls->s->opt.no_hazards &&
	    user_sgprs(k) + system_sgprs(ls) < 16)
		return refuse(ls, f, "%u user and system SGPRs; this chip needs 16 initialised", user_sgprs(k) + system_sgprs(ls));
	return true;
}

/* ---- arguments ---- */

static uint64_t hidden_value(const struct sim_launch_state *ls, const struct sim_arg *a)
{
	switch (a->kind) {
	case SIM_ARG_BLOCK_COUNT:
		return ls->grid[a->dim];
	case SIM_ARG_GROUP_SIZE:
		return ls->block[a->dim];
	case SIM_ARG_GRID_DIMS:
		return ls->grid[2] * ls->block[2] > 1 ? 3 : ls->grid[1] * ls->block[1] > 1 ? 2 : 1;
	case SIM_ARG_DYNAMIC_LDS:
		return ls->l->dynamic_lds;
	case SIM_ARG_PRIVATE_BASE:
		return SIM_PRIVATE_HI;
	case SIM_ARG_SHARED_BASE:
		return SIM_SHARED_HI;
	case SIM_ARG_QUEUE_PTR:
		return ls->queue;
	default:
		return 0;
	}
}

static void fill_arguments(struct sim *s, struct sim_launch_state *ls)
{
	const struct sim_kernel *k = ls->k;
	uint8_t *p = sim_region_find(s, ls->kernarg)->host;
	uint32_t size = k->kernarg_size;
	for (uint32_t n = 0; n < k->args.len; n++) {
		const struct sim_arg *a = &k->args.data[n];
		if (a->offset > size || a->size > size - a->offset)
			continue;
		if (a->kind == SIM_ARG_EXPLICIT) {
			memcpy(p + a->offset, (const char *)ls->l->args + a->offset, a->size);
		} else {
			uint64_t x = hidden_value(ls, a);
			memcpy(p + a->offset, &x, a->size < 8 ? a->size : 8);
		}
	}
}

/* The AQL packet that the queue would hold, and the part of the queue that programs read: aperture bases. */
static void fill_packet(struct sim *s, struct sim_launch_state *ls)
{
	uint8_t *p = sim_region_find(s, ls->packet)->host, *q = sim_region_find(s, ls->queue)->host;
	uint16_t half[6] = {2, 3, (uint16_t)ls->block[0], (uint16_t)ls->block[1], (uint16_t)ls->block[2], 0};
	uint32_t word[5] = {ls->grid[0] * ls->block[0], ls->grid[1] * ls->block[1], ls->grid[2] * ls->block[2],
			    ls->scratch_size, ls->lds_size};
	uint64_t wide[2] = {ls->k->descriptor, ls->kernarg};
	uint32_t bases[2] = {SIM_SHARED_HI, SIM_PRIVATE_HI};
	memcpy(p, half, sizeof half);
	memcpy(p + 12, word, sizeof word);
	memcpy(p + 32, wide, sizeof wide);
	memcpy(q + 0x40, bases, sizeof bases);
}

/* ---- initial registers ---- */

static void put_sgpr(struct sim_wave *w, uint32_t *n, uint32_t x)
{
	if (*n < 106) {
		w->s[*n] = x;
		w->sdef[*n] = ~0u;
	}
	(*n)++;
}

static void put_pair(struct sim_wave *w, uint32_t *n, uint64_t x)
{
	put_sgpr(w, n, (uint32_t)x);
	put_sgpr(w, n, (uint32_t)(x >> 32));
}

static void init_sgprs(struct sim_launch_state *ls, struct sim_wave *w, uint64_t wave_offset)
{
	const struct sim_kernel *k = ls->k;
	uint32_t n = 0, p = k->properties, sys = user_sgprs(k);
	if (p & 1) { /* the private segment's descriptor: swizzled, element 4, a lane's id added */
		put_pair(w, &n, w->g->scratch_base | UINT64_C(1) << 63);
		put_sgpr(w, &n, ls->scratch_size * ls->lanes * ls->nwaves);
		put_sgpr(w, &n, 1u << 23 | (ls->lanes == 64 ? 3u : 2u) << 21 | 0x14fac);
	}
	if (p & 2)
		put_pair(w, &n, ls->packet);
	if (p & 4)
		put_pair(w, &n, ls->queue);
	if (p & 8)
		put_pair(w, &n, ls->kernarg);
	if (p & 16)
		put_pair(w, &n, 1);
	if (p & 32)
		put_pair(w, &n, w->g->scratch_base);
	if (p & 64)
		put_sgpr(w, &n, ls->scratch_size);
	for (unsigned d = 0; d < 3; d++)
		if (k->rsrc2 >> (7 + d) & 1)
			put_sgpr(w, &sys, w->g->id[d]);
	if (k->rsrc2 >> 10 & 1)
		put_sgpr(w, &sys, w->index | ls->nwaves << 6);
	if (!w->gfx11 && k->rsrc2 & 1)
		put_sgpr(w, &sys, (uint32_t)wave_offset);
}

static void init_vgprs(struct sim_launch_state *ls, struct sim_wave *w)
{
	uint32_t ids = ls->k->rsrc2 >> 11 & 3, n = w->gfx11 ? 1 : ids + 1;
	memset(w->v, 0xa5, (size_t)ls->nvgprs * ls->lanes * 4);
	for (uint32_t l = 0; l < ls->lanes; l++) {
		uint32_t t = w->index * ls->lanes + l;
		uint32_t x = t % ls->block[0], y = t / ls->block[0] % ls->block[1], z = t / ls->block[0] / ls->block[1];
		if (w->gfx11) {
			sim_vgpr(w, 0)[l] = x | (ids >= 1 ? y << 10 : 0) | (ids >= 2 ? z << 20 : 0);
			continue;
		}
		sim_vgpr(w, 0)[l] = x;
		if (ids >= 1)
			sim_vgpr(w, 1)[l] = y;
		if (ids >= 2)
			sim_vgpr(w, 2)[l] = z;
	}
	for (uint32_t r = 0; r < n; r++)
		w->vdef[r] = w->exec;
}

static void init_wave(struct sim_launch_state *ls, struct sim_group *g, uint32_t index)
{
	struct sim_wave *w = &g->waves[index];
	struct sim_core *c = w->core;
	struct sim *s = ls->s;
	uint32_t r1 = ls->k->rsrc1, threads = ls->block[0] * ls->block[1] * ls->block[2];
	size_t row = (size_t)ls->scratch_size * ls->lanes, file = (size_t)ls->nvgprs * ls->lanes;
	if (w->partial)
		memset(w->vbits, 0, file * sizeof *w->vbits);
	memset(c, 0, sizeof *c);
	memset(w, 0, sizeof *w);
	w->core = c;
	w->g = g;
	w->index = index;
	w->gfx11 = s->gfx11;
	w->lanes = ls->lanes;
	w->lane_shift = ls->lanes == 64 ? 6 : 5;
	w->lane_mask = ls->lanes == 64 ? ~UINT64_C(0) : UINT32_MAX;
	w->nvgprs = ls->nvgprs;
	w->nsgprs = 106;
	w->v = g->vgprs + index * file;
	w->vbits = g->vbits + index * file;
	uint32_t left = threads - index * ls->lanes;
	w->exec = left >= ls->lanes ? w->lane_mask : (UINT64_C(1) << left) - 1;
	w->mode = (r1 >> 12 & 0xff) | (r1 >> 21 & 1) << 8 | (r1 >> 23 & 1) << 9 | (r1 >> 26 & 1) << 23;
	w->sdef[SIM_EXEC] = w->sdef[SIM_EXEC + 1] = w->sdef[SIM_NULL] = ~0u;
	w->pc = ls->k->entry;
	c->s = s;
	c->l = ls;
	c->code = s->codes.data[0];
	c->scratch = g->scratch + row * index;
	c->scratch_def = g->scratch_def + row * index;
	c->scratch_size = ls->scratch_size;
	c->scratch_base = g->scratch_base + row * index;
	c->flat_scratch = s->gfx11 ? c->scratch_base : 0;
	sim_hazard_init(w);
	sim_race_start(w, g->number);
	sim_cache_wave(w);
	init_sgprs(ls, w, row * index);
	init_vgprs(ls, w);
}

/* ---- workgroups ---- */

static void add_stats(struct sim_launch_state *ls, const struct sim_group *g)
{
	struct sim_stats *t = ls->st;
	for (uint32_t k = 0; k < ls->nwaves; k++) {
		const struct sim_core *c = g->waves[k].core;
		const struct sim_stats *st = &c->st;
		for (int n = 0; n < SIM_CLASSES; n++)
			t->insts[n] += st->insts[n];
		t->lane_insts += st->lane_insts;
		t->global_segments64 += st->global_segments64;
		t->global_segments128 += st->global_segments128;
		t->global_accesses += st->global_accesses;
		t->scratch_accesses += st->scratch_accesses;
		t->lds_accesses += st->lds_accesses;
		t->lds_conflicts += st->lds_conflicts;
		t->wave_cycles += c->clk;
		for (int n = 0; n < SIM_BUSY_KINDS; n++)
			ls->busy[n] += c->busy[n];
	}
	t->waves += ls->nwaves;
	t->groups++;
}

/* Register files, LDS and scratch of one more group. */
static struct sim_group *make_group(struct sim_launch_state *ls)
{
	struct arena *a = &ls->arena;
	struct sim_group *g = NEW(a, struct sim_group);
	size_t scratch = (size_t)ls->scratch_size * ls->lanes * ls->nwaves;
	g->s = ls->s;
	g->vgprs = NEWN(a, uint32_t, (size_t)ls->nvgprs * ls->lanes * ls->nwaves);
	g->vbits = NEWN(a, uint32_t, (size_t)ls->nvgprs * ls->lanes * ls->nwaves);
	g->scratch = NEWN(a, uint8_t, scratch + 1);
	g->scratch_def = NEWN(a, uint8_t, scratch + 1);
	g->scratch_base = ls->scratch_base + ls->ngroups++ * ls->scratch_stride;
	g->lds_size = ls->lds_size;
	g->lds = NEWN(a, uint8_t, ls->lds_size + 1);
	g->lds_def = NEWN(a, uint8_t, ls->lds_size + 1);
	g->nwaves = ls->nwaves;
	if (ls->race_complete)
		g->caches = NEWN(a, struct sim_cache, ls->nwaves);
	g->mem_queues = NEWN(a, struct sim_mem_queue *, ls->nwaves);
	g->waves = NEWN(a, struct sim_wave, ls->nwaves);
	for (uint32_t k = 0; k < ls->nwaves; k++)
		g->waves[k].core = NEW(a, struct sim_core);
	return g;
}

static struct sim_group *start_group(struct sim_launch_state *ls, uint64_t n)
{
	struct sim_group *g = ls->spare;
	if (g)
		ls->spare = g->next;
	else
		g = make_group(ls);
	g->next = NULL;
	g->number = n;
	g->id[0] = (uint32_t)(n % ls->grid[0]);
	g->id[1] = (uint32_t)(n / ls->grid[0] % ls->grid[1]);
	g->id[2] = (uint32_t)(n / ls->grid[0] / ls->grid[1]);
	memset(g->lds, 0xa5, g->lds_size);
	memset(g->lds_def, 0, g->lds_size);
	memset(g->scratch_def, 0, (size_t)ls->scratch_size * ls->lanes * ls->nwaves);
	for (uint32_t k = 0; k < ls->nwaves; k++)
		init_wave(ls, g, k);
	return g;
}

static void start_races(struct sim *s, struct sim_launch_state *ls)
{
	if (!s->opt.races)
		return;
	ls->race_complete = NEWN(&ls->arena, uint32_t, all_waves(ls) + 1);
	ls->race_start = s->race_time;
	ls->wgp_mode = ls->k->rsrc1 >> 29 & 1;
}

static uint32_t max_resident(const struct sim_launch_state *ls)
{
	uint64_t lane = (uint64_t)ls->nvgprs * 4 + (uint64_t)ls->scratch_size * 2;
	uint64_t n = RESIDENT_BYTES / (lane * ls->lanes * ls->nwaves + (uint64_t)ls->lds_size * 2);
	return n < 1 ? 1 : n > MAX_RESIDENT ? MAX_RESIDENT : (uint32_t)n;
}

/* Instructions that a group executes before it is another's turn. */
static uint64_t slice(struct sim_launch_state *ls, uint32_t resident)
{
	if (ls->caches)
		return 1 + sim_cache_random(ls, 1 + sim_cache_random(ls, FINE_SLICE));
	return resident == 1 ? FIRST_SLICE : TIME_SLICE;
}

/* Groups run one after another, so that a launch needs the memory of few; but one that does not end within a time slice
 * stays resident while the next starts, for kernels whose groups wait for each other. */
static void run_grid(struct sim_launch_state *ls)
{
	uint64_t total = (uint64_t)ls->grid[0] * ls->grid[1] * ls->grid[2], next = 0;
	struct sim_group *resident = NULL, **at = &resident;
	uint32_t n = 0, most = max_resident(ls), few = most < FINE_RESIDENT ? most : FINE_RESIDENT;
	while (next < total || n) {
		if (ls->caches && next < total && n < few)
			while (*at)
				at = &(*at)->next; /* let it start */
		if (!*at && next < total && n < most) {
			*at = start_group(ls, next++);
			n++;
		}
		if (!*at) {
			at = &resident;
			continue;
		}
		ls->running = *at;
		if (!sim_run_group(ls, *at, slice(ls, n))) {
			at = &(*at)->next;
			continue;
		}
		struct sim_group *g = *at;
		*at = g->next;
		add_stats(ls, g);
		g->next = ls->spare;
		ls->spare = g;
		n--;
	}
}

static uint32_t occupancy(const struct sim_launch_state *ls)
{
	const struct sim_chip *c = ls->s->chip;
	uint32_t wide = ls->lanes == 64 ? 2 : 1, granule = c->granule / wide, most = c->waves;
	uint32_t alloc = (ls->nvgprs + granule - 1) / granule * granule, by_vgprs = c->vgprs / wide / alloc;
	uint32_t lds = (ls->lds_size + 511) / 512 * 512;
	/* 64 KiB of LDS serve two SIMDs */
	uint32_t by_lds = lds ? MAX_LDS / lds * ls->nwaves / 2 : most;
	uint32_t n = by_vgprs < most ? by_vgprs : most;
	n = by_lds < n ? by_lds : n;
	return n ? n : 1;
}

/* Scratch is reached through its own instructions only: the addresses are names, no region lies there. */
static void name_scratch(struct sim *s, struct sim_launch_state *ls)
{
	size_t scratch = (size_t)ls->scratch_size * ls->lanes * ls->nwaves;
	ls->scratch_stride = (scratch + 0x1ffff) & ~(uint64_t)0xffff;
	ls->scratch_base = s->next_addr;
	s->next_addr += ls->scratch_stride * MAX_RESIDENT;
}

/* Buffers of one launch; freed by release. */
static bool allocate(struct sim *s, struct sim_launch_state *ls)
{
	/* Wide scalar loads may reach past the arguments within their 64-byte line. */
	ls->kernarg = sim_alloc(s, ((uint64_t)ls->k->kernarg_size + 64) & ~UINT64_C(63), SIM_MEM_READ);
	ls->packet = sim_alloc(s, 64, SIM_MEM_READ);
	ls->queue = sim_alloc(s, 256, SIM_MEM_READ);
	if (!ls->kernarg || !ls->packet || !ls->queue)
		return false;
	sim_region_find(s, ls->kernarg)->what = "the kernel's arguments";
	return true;
}

static void release(struct sim *s, struct sim_launch_state *ls)
{
	sim_dealloc(s, ls->kernarg);
	sim_dealloc(s, ls->packet);
	sim_dealloc(s, ls->queue);
	arena_free(&ls->arena);
}

static void shape(struct sim *s, struct sim_launch_state *ls, const struct sim_launch *l, struct sim_stats *st)
{
	const struct sim_kernel *k = l->kernel;
	ls->l = l;
	ls->k = k;
	ls->st = st;
	ls->s = s;
	for (int d = 0; d < 3; d++) {
		ls->grid[d] = l->grid[d] ? l->grid[d] : 1;
		ls->block[d] = l->block[d] ? l->block[d] : 1;
	}
	ls->lanes = k->properties >> 10 & 1 ? 32 : 64;
	ls->nvgprs = ((k->rsrc1 & 63) + 1) * (ls->lanes == 32 ? 8 : 4);
	if (ls->nvgprs > 256)
		ls->nvgprs = 256;
	ls->scratch_size = (k->scratch + (k->dynamic_stack ? DEFAULT_STACK : 0) + 15) & ~15u;
	ls->lds_size = k->lds + (k->max_dynamic ? 0 : l->dynamic_lds);
	ls->nwaves = (uint32_t)(((uint64_t)ls->block[0] * ls->block[1] * ls->block[2] + ls->lanes - 1) / ls->lanes);
	ls->max_insts = s->opt.max_insts ? s->opt.max_insts : DEFAULT_BUDGET;
	ls->rng = s->opt.seed;
}

bool sim_run(struct sim *s, const struct sim_launch *l, struct sim_stats *st, struct sim_fault *f)
{
	struct sim_launch_state ls = {0};
	volatile bool ok = false;
	memset(st, 0, sizeof *st);
	memset(f, 0, sizeof *f);
	s->fault = f;
	shape(s, &ls, l, st);
	if (!check_launch(&ls, f))
		return false;
	arena_init(&ls.arena, &s->trap);
	if (!allocate(s, &ls)) {
		release(s, &ls);
		return refuse(&ls, f, "out of memory");
	}
	fill_arguments(s, &ls);
	fill_packet(s, &ls);
	if (setjmp(s->trap.env)) {
		refuse(&ls, f, "%s", s->trap.msg);
	} else if (!setjmp(s->fault_jmp)) {
		name_scratch(s, &ls);
		start_races(s, &ls);
		sim_cache_start(s, &ls);
		st->vgprs = ls.nvgprs;
		st->sgprs = 106;
		st->lds_bytes = ls.lds_size;
		st->scratch_bytes = ls.scratch_size;
		st->occupancy = occupancy(&ls);
		run_grid(&ls);
		st->cycles = sim_cycles_total(&ls, ls.busy);
		ok = true;
	} else {
		if (ls.running)
			add_stats(&ls, ls.running);
	}
	release(s, &ls);
	return ok;
}
