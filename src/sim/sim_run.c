/* The issue loop, the waves of one workgroup interleaved, faults. */
#include <stdio.h>

#include "sim/sim_cache.h"

const char *sim_fault_name(enum sim_fault_kind k)
{
	static const char *const names[SIM_FAULT_KINDS] = {
		[SIM_FAULT_NONE] = "none",	   [SIM_FAULT_DECODE] = "unknown instruction",
		[SIM_FAULT_PC] = "execution outside code", [SIM_FAULT_MEMORY] = "invalid memory access",
		[SIM_FAULT_ALIGN] = "misaligned access", [SIM_FAULT_LDS] = "LDS access out of range",
		[SIM_FAULT_WAIT] = "missing wait", [SIM_FAULT_HAZARD] = "hazard",
		[SIM_FAULT_UNINIT] = "uninitialised value", [SIM_FAULT_BARRIER] = "barrier deadlock",
		[SIM_FAULT_RUNAWAY] = "instruction budget exhausted", [SIM_FAULT_TRAP] = "trap",
		[SIM_FAULT_REGISTER] = "register out of range", [SIM_FAULT_OPERAND] = "invalid operand",
		[SIM_FAULT_RACE] = "unordered memory access", [SIM_FAULT_LAUNCH] = "invalid launch",
	};
	return k < SIM_FAULT_KINDS ? names[k] : "?";
}

const char *sim_class_name(enum sim_class c)
{
	static const char *const names[SIM_CLASSES] = {"salu", "valu", "trans", "smem", "vmem_load", "vmem_store", "vmem_atomic",
						       "lds", "branch", "wait", "barrier", "other"};
	return c < SIM_CLASSES ? names[c] : "?";
}

/* ---- faults ---- */

static void place_fault(struct sim_wave *w, struct sim_fault *f)
{
	struct sim_launch_state *ls = w->core->l;
	f->kernel = ls->k->name;
	f->pc = (w->cur ? w->cur->addr : w->pc) - ls->k->entry;
	snprintf(f->inst, sizeof f->inst, "%s", w->cur ? w->cur->text : "?");
	memcpy(f->group, w->g->id, sizeof f->group);
	f->wave = w->index;
}

_Noreturn void sim_fault(struct sim_wave *w, enum sim_fault_kind kind, int lane, uint64_t addr, const char *fmt, ...)
{
	struct sim *s = w->core->s;
	struct sim_fault *f = s->fault;
	char what[256], where[64] = "", at[32] = "";
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	place_fault(w, f);
	f->kind = kind;
	f->lane = lane;
	f->addr = addr;
	if (lane >= 0)
		snprintf(where, sizeof where, " lane %d", lane);
	if (addr)
		snprintf(at, sizeof at, ", address 0x%llx", (unsigned long long)addr);
	snprintf(f->text, sizeof f->text, "%s: %s%s (kernel %s, workgroup %u,%u,%u, wave %u%s, pc 0x%llx: %.120s)",
		 sim_fault_name(kind), what, at, f->kernel, f->group[0], f->group[1], f->group[2], f->wave, where,
		 (unsigned long long)f->pc, f->inst);
	longjmp(s->fault_jmp, 1);
}

/* ---- issue ---- */

static const struct sim_inst *fetch_slow(struct sim_wave *w)
{
	struct sim_core *c = w->core;
	struct sim *s = c->s;
	const char *err = "";
	w->cur = NULL;
	c->code = NULL;
	for (uint32_t k = 0; k < s->codes.len; k++)
		if (w->pc - s->codes.data[k]->base < s->codes.data[k]->size)
			c->code = s->codes.data[k];
	if (!c->code || w->pc & 3)
		sim_fault(w, SIM_FAULT_PC, -1, w->pc, "the program counter is outside every code segment");
	const struct sim_inst *i = c->code->insts[((w->pc - c->code->base) >> 2) + (w->lanes == 64 ? c->code->slots : 0)];
	if (!i)
		i = sim_decode(s, c->code, w->pc, w->lanes, &err);
	if (!i)
		sim_fault(w, SIM_FAULT_DECODE, -1, 0, "%s", err);
	return i;
}

static inline const struct sim_inst *fetch(struct sim_wave *w)
{
	const struct sim_code *c = w->core->code;
	uint64_t off = w->pc - c->base;
	if (off < c->size && !(off & 3)) {
		const struct sim_inst *i = c->insts[(off >> 2) + (w->lanes == 64 ? c->slots : 0)];
		if (i)
			return i;
	}
	return fetch_slow(w);
}

/* One line an instruction: where, exec before it, the text, then what it wrote: scalars, and VGPRs in the first active lane.
 * What a load wrote is shown though it is not there before its wait. "?MASK": the active lanes where the value is not defined. */
static void trace_result(struct sim_wave *w, const struct sim_inst *i, char *at, size_t size)
{
	uint64_t lanes = w->exec ? w->exec : 1;
	int l = __builtin_ctzll(lanes), n = 0;
	for (unsigned k = 0; k < i->nwrites; k++)
		for (uint32_t r = i->writes[k].first; r < (uint32_t)i->writes[k].first + i->writes[k].n; r++) {
			uint32_t x = r < 256 ? sim_vgpr(w, r)[l] : w->s[r - 256];
			if ((size_t)n < size)
				n += snprintf(at + n, size - (size_t)n, "%s%s%u=0x%x", n ? " " : "  ; ", r < 256 ? "v" : "s",
					      r < 256 ? r : r - 256, x);
			if (r < 256 && w->exec & ~w->vdef[r] && (size_t)n < size)
				n += snprintf(at + n, size - (size_t)n, "?%llx", (unsigned long long)(w->exec & ~w->vdef[r]));
		}
}

static void trace(struct sim_wave *w, const struct sim_inst *i, uint64_t exec)
{
	char line[512], result[160] = "";
	struct sim *s = w->core->s;
	trace_result(w, i, result, sizeof result);
	snprintf(line, sizeof line, "%u,%u,%u w%u %06llx exec=%0*llx %s%s", w->g->id[0], w->g->id[1], w->g->id[2], w->index,
		 (unsigned long long)(i->addr - w->core->l->k->entry), w->lanes == 64 ? 16 : 8, (unsigned long long)exec, i->text,
		 result);
	s->opt.trace(s->opt.trace_ctx, line);
}

static void count(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_stats *st = &w->core->st;
	st->insts[i->cls]++;
	if (i->cls == SIM_C_VALU || i->cls == SIM_C_TRANS || (i->cls >= SIM_C_VMEM_LOAD && i->cls <= SIM_C_LDS))
		st->lane_insts += w->exec == w->lane_mask ? w->lanes : (uint64_t)__builtin_popcountll(w->exec);
}

static void step(struct sim_wave *w)
{
	struct sim_core *c = w->core;
	const struct sim_inst *i = fetch(w);
	w->cur = i;
	if (c->mem && sim_cache_stalls(w, i)) {
		c->yield = true;
		return;
	}
	if (i->vmax > w->nvgprs)
		sim_fault(w, SIM_FAULT_REGISTER, -1, 0, "v%u; the kernel has %u VGPRs", i->vmax - 1u, w->nvgprs);
	w->any = 0;
	if (c->pending)
		sim_check_pending(w, i);
	if (!c->s->opt.no_hazards)
		sim_check_hazards(w, i);
	uint64_t clk = c->clk;
	sim_cycles_issue(w, i);
	count(w, i);
	w->pc += i->len;
	w->def = ~UINT64_C(0);
	uint64_t exec = w->exec;
	if (i->cls == SIM_C_LDS)
		sim_lds_settle(w);
	i->fn(w, i);
	if (c->mem)
		sim_cache_some(w);
	if (c->s->opt.profile) {
		struct sim_inst *own = c->code->insts[((i->addr - c->code->base) >> 2) + (w->lanes == 64 ? c->code->slots : 0)];
		own->count++;
		own->cycles += c->clk - clk;
	}
	if (c->s->opt.trace)
		trace(w, i, exec);
}

/* Runs one wave for at most n instructions, or until it ends, waits or yields. */
static uint32_t run_wave(struct sim_wave *w, uint32_t n)
{
	uint32_t done = 0;
	w->core->yield = false;
	while (done < n && !w->done && !w->at_barrier && !w->core->yield) {
		step(w);
		done++;
	}
	return done;
}

/* ---- the waves of a workgroup ---- */

static uint64_t next_random(uint64_t *x)
{
	uint64_t z = *x += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* All live waves have arrived: all go on, from the time of the last. */
static void release_barrier(struct sim_group *g)
{
	uint64_t t = 0;
	for (uint32_t k = 0; k < g->nwaves; k++)
		if (g->waves[k].at_barrier && g->waves[k].core->clk > t)
			t = g->waves[k].core->clk;
	for (uint32_t k = 0; k < g->nwaves; k++)
		if (g->waves[k].at_barrier) {
			g->waves[k].at_barrier = false;
			g->waves[k].core->clk = t;
		}
}

/* For how many instructions a wave goes on. */
static uint32_t turn(struct sim_launch_state *ls, bool alone, uint32_t r)
{
	if (ls->caches)
		return 1 + r % (r >> 16 & 7 ? 8 : 64);
	return alone ? 4096 : 1 + r % 128;
}

static void check_budget(struct sim_launch_state *ls, struct sim_wave *w, uint32_t waiting)
{
	if (ls->insts <= ls->max_insts)
		return;
	if (waiting)
		sim_fault(w, SIM_FAULT_BARRIER, -1, 0,
			  "%u of %u waves wait at a barrier that this wave did not reach within %llu instructions", waiting,
			  w->g->nwaves, (unsigned long long)ls->insts);
	sim_fault(w, SIM_FAULT_RUNAWAY, -1, 0, "%llu instructions executed", (unsigned long long)ls->insts);
}

bool sim_run_group(struct sim_launch_state *ls, struct sim_group *g, uint64_t n)
{
	uint64_t end = ls->insts + n;
	while (ls->insts < end) {
		uint32_t ready[64], nready = 0, waiting = 0;
		for (uint32_t k = 0; k < g->nwaves; k++) {
			if (g->waves[k].at_barrier)
				waiting++;
			else if (!g->waves[k].done)
				ready[nready++] = k;
		}
		if (!nready && !waiting)
			return true;
		if (!nready) {
			release_barrier(g);
			continue;
		}
		if (ls->caches)
			for (uint32_t k = 0; k < g->nwaves; k++)
				sim_cache_some(&g->waves[k]);
		uint64_t r = next_random(&ls->rng);
		struct sim_wave *w = &g->waves[ready[(uint32_t)r % nready]];
		uint64_t left = ls->max_insts - ls->insts;
		uint32_t most = turn(ls, nready == 1 && !waiting, (uint32_t)(r >> 32));
		ls->insts += run_wave(w, left < most ? (uint32_t)left + 1 : most);
		check_budget(ls, w, waiting);
	}
	return false;
}

void sim_profile(struct sim *s, const struct sim_kernel *k,
		 void (*line)(void *ctx, int64_t offset, const char *text, uint64_t count, uint64_t cycles), void *ctx)
{
	for (uint32_t n = 0; n < s->codes.len; n++) {
		const struct sim_code *c = s->codes.data[n];
		for (uint32_t j = 0; c->module == k->module && j < 2 * c->slots; j++)
			if (c->insts[j] && c->insts[j]->count)
				line(ctx, (int64_t)(c->insts[j]->addr - k->entry), c->insts[j]->text, c->insts[j]->count,
				     c->insts[j]->cycles);
	}
}
