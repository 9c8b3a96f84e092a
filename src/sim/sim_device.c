/* A device: its chip's facts, its memory as the host sees it. */
#include <stdio.h>

#include "sim/sim_core.h"

enum { FIRST_ADDR_HI = 0x7f00, GUARD = 1 << 16 };

/* VGPRs a SIMD lane has and their granule, in wave32. */
static const struct sim_chip chips[] = {
	{"gfx1010", false, 1024, 8, 80, 20, SIM_CHIP_GFX101},
	{"gfx1030", false, 1024, 16, 160, 16, 0},
	{"gfx1031", false, 1024, 16, 80, 16, 0},
	{"gfx1032", false, 1024, 16, 64, 16, 0},
	{"gfx1033", false, 1024, 16, 16, 16, 0},
	{"gfx1034", false, 1024, 16, 32, 16, 0},
	{"gfx1035", false, 1024, 16, 24, 16, 0},
	{"gfx1036", false, 1024, 16, 4, 16, 0},
	{"gfx1100", true, 1536, 24, 192, 16, SIM_CHIP_INIT16},
	{"gfx1101", true, 1536, 24, 120, 16, 0},
	{"gfx1102", true, 1024, 16, 64, 16, SIM_CHIP_INIT16},
	{"gfx1103", true, 1024, 16, 24, 16, 0},
};

struct sim_options *sim_opts(struct sim *s)
{
	return &s->opt;
}

static const struct sim_chip *find_chip(const char *gpu)
{
	for (size_t k = 0; k < sizeof chips / sizeof *chips; k++)
		if (!strcmp(chips[k].name, gpu))
			return &chips[k];
	return NULL;
}

/* The device lives in its own arena; NULL: out of memory. */
static struct sim *create(void)
{
	struct trap boot;
	struct arena a;
	arena_init(&a, &boot);
	if (setjmp(boot.env))
		return NULL;
	struct sim *s = NEW(&a, struct sim);
	s->arena = a;
	s->arena.trap = &s->trap;
	return s;
}

static const char *set_up(struct sim *s, const struct sim_chip *chip, const struct sim_options *opt)
{
	if (setjmp(s->trap.env))
		return "out of memory";
	s->chip = chip;
	s->gpu = chip->name;
	s->gfx11 = chip->gfx11;
	s->next_addr = (uint64_t)FIRST_ADDR_HI << 32;
	if (opt)
		s->opt = *opt;
	interner_init(&s->names, &s->arena);
	sim_ops_init(s);
	s->dis[0] = mc_disasm_new(s->gpu, NULL);
	s->dis[1] = mc_disasm_new(s->gpu, "-wavefrontsize32,+wavefrontsize64");
	return s->dis[0] && s->dis[1] ? NULL : "LLVM has no disassembler for this gpu";
}

struct sim *sim_new(const char *gpu, const struct sim_options *opt, const char **err)
{
	const struct sim_chip *chip = find_chip(gpu);
	struct sim *s = chip ? create() : NULL;
	*err = !chip ? "the simulator does not know this gpu" : !s ? "out of memory" : set_up(s, chip, opt);
	if (*err) {
		sim_free(s);
		return NULL;
	}
	return s;
}

void sim_free(struct sim *s)
{
	if (!s)
		return;
	for (uint32_t k = 0; k < s->regions.len; k++)
		arena_free(&s->regions.data[k]->mem);
	for (int k = 0; k < 2; k++)
		if (s->dis[k])
			mc_disasm_free(s->dis[k]);
	struct arena a = s->arena;
	arena_free(&a);
}

uint64_t sim_alloc(struct sim *s, uint64_t size, unsigned flags)
{
	if (setjmp(s->trap.env))
		return 0;
	uint64_t base = s->next_addr;
	struct sim_region *r = sim_region_add(s, base, size, NULL, 0, "an empty allocation");
	arena_init(&r->mem, &s->trap);
	r->size = size;
	r->host = NEWN(&r->mem, uint8_t, size ? size : 1);
	r->flags = flags ? flags : (unsigned)(SIM_MEM_READ | SIM_MEM_WRITE);
	r->what = arena_printf(&s->arena, "allocation 0x%llx", (unsigned long long)base);
	s->next_addr += ((size + GUARD - 1) & ~(uint64_t)(GUARD - 1)) + GUARD;
	return base;
}

bool sim_dealloc(struct sim *s, uint64_t addr)
{
	struct sim_region *r = NULL;
	for (uint32_t k = 0; k < s->regions.len; k++)
		if (s->regions.data[k]->base == addr && s->regions.data[k]->mem.chunks)
			r = s->regions.data[k];
	if (!r)
		return false;
	arena_free(&r->mem);
	sim_region_del(s, addr);
	return true;
}

static uint8_t *host_range(struct sim *s, uint64_t addr, uint64_t n)
{
	struct sim_region *r = sim_region_find(s, addr);
	return r && r->size - (addr - r->base) >= n ? r->host + (addr - r->base) : NULL;
}

bool sim_write(struct sim *s, uint64_t addr, const void *p, uint64_t n)
{
	uint8_t *h = n ? host_range(s, addr, n) : NULL;
	uint8_t *def = h ? sim_global_def(s, addr) : NULL;
	if (h)
		memcpy(h, p, n);
	if (def)
		memset(def, 0xff, n);
	return h || !n;
}

bool sim_read(struct sim *s, uint64_t addr, void *p, uint64_t n)
{
	uint8_t *h = n ? host_range(s, addr, n) : NULL;
	if (h)
		memcpy(p, h, n);
	return h || !n;
}
