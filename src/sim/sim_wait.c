/* Outstanding memory operations: the vm, vs and lgkm counters and the registers that loads will write.
 *
 * A load writes its registers when it issues, but until its counters have been waited for a read or a write of them
 * faults; only the high half of a 64-bit product's addend may be such a register, it is undefined then. vm and vs return in order. In lgkm LDS returns in order, SMEM in any order: with k SMEM operations among n
 * outstanding, waiting for m frees the n - m - k oldest LDS operations, and SMEM only where m is 0. FLAT is in both vm
 * and lgkm and is over when both have been waited for. */
#include <stdio.h>

#include "sim/sim_cache.h"
#include "sim/sim_race.h"

static uint8_t *pend_count(struct sim_core *c, uint32_t r)
{
	return r < 256 ? &c->vpend[r] : &c->spend[r - 256];
}

static void reg_name(uint32_t r, char buf[20])
{
	if (r < 256)
		snprintf(buf, 20, "v%u", r);
	else if (r - 256 < 106)
		snprintf(buf, 20, "s%u", r - 256);
	else
		snprintf(buf, 20, "%s", r - 256 < 108 ? "vcc" : r - 256 == SIM_M0 ? "m0" : "a special register");
}

/* Which counters still hold register r: SIM_CNT_*. */
static unsigned holders(const struct sim_core *c, uint32_t r)
{
	const struct sim_queue *q[2] = {&c->vm, &c->lgkm};
	unsigned in = 0;
	for (unsigned k = 0; k < 2; k++)
		for (uint32_t n = 0; n < q[k]->n; n++) {
			const struct sim_pend *p = &q[k]->e[(q[k]->head + n) % SIM_PEND_MAX];
			if (r >= p->r.first && r < (uint32_t)p->r.first + p->r.n)
				in |= 1u << k;
		}
	return in;
}

/* Compilers that want the low half of the sum alone take the addend's low half with whatever follows it. */
static bool is_high_half(const struct sim_inst *i, uint32_t r)
{
	const struct sim_opnd *addend = &i->ops[i->nops - 1];
	return sim_is_mad64(i) && addend->kind == SIM_O_VGPR && r == addend->reg + 1u;
}

static bool is_factor(const struct sim_inst *i, uint32_t r)
{
	for (unsigned k = 2; k + 1 < i->nops; k++)
		if (i->ops[k].kind == SIM_O_VGPR && i->ops[k].reg == r)
			return true;
	return false;
}

static void check(struct sim_wave *w, const struct sim_range *list, uint32_t n, const char *verb, bool vm_in_order)
{
	static const char *const names[] = {"", "vmcnt", "lgkmcnt", "vmcnt and lgkmcnt"};
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t r = list[k].first; r < (uint32_t)list[k].first + list[k].n; r++)
			if (*pend_count(w->core, r)) {
				unsigned in = holders(w->core, r);
				char name[20];
				if (vm_in_order && in == SIM_CNT_VM)
					continue;
				if (list == w->cur->reads && is_high_half(w->cur, r) && !is_factor(w->cur, r)) {
					w->any = (uint16_t)(r + 1);
					continue;
				}
				reg_name(r, name);
				sim_fault(w, SIM_FAULT_WAIT, -1, 0, "%s is %s while a load into it is outstanding (%s not waited for)",
					  name, verb, names[in]);
			}
}

/* Vector memory returns in order, so a second load may write the registers of a first. */
void sim_check_pending(struct sim_wave *w, const struct sim_inst *i)
{
	bool vmem = (i->cls == SIM_C_VMEM_LOAD || i->cls == SIM_C_VMEM_ATOMIC) && strncmp(i->op->name, "flat_", 5) != 0;
	check(w, i->reads, i->nreads, "read", false);
	check(w, i->writes, i->nwrites, "overwritten", vmem);
}

static void retire(struct sim_wave *w, struct sim_pend *p)
{
	struct sim_core *c = w->core;
	if (p->mem)
		sim_cache_perform(w, p->mem);
	if (p->lds)
		sim_lds_settle(w);
	for (uint32_t r = p->r.first; r < (uint32_t)p->r.first + p->r.n; r++) {
		(*pend_count(c, r))--;
		c->pending--;
	}
	c->lds_ops -= p->lds;
	if (p->done > c->clk)
		c->clk = p->done;
}

static void pop_front(struct sim_wave *w, struct sim_queue *q)
{
	struct sim_pend *p = &q->e[q->head];
	q->nsmem -= p->smem;
	retire(w, p);
	q->head = (q->head + 1) % SIM_PEND_MAX;
	q->n--;
}

/* Retires the n oldest that return in order; the others keep their place. */
static void pop_ordered(struct sim_wave *w, struct sim_queue *q, uint32_t n)
{
	uint32_t kept = 0;
	for (uint32_t k = 0; k < q->n; k++) {
		struct sim_pend *p = &q->e[(q->head + k) % SIM_PEND_MAX];
		if (!p->smem && n) {
			retire(w, p);
			n--;
		} else {
			q->e[(q->head + kept++) % SIM_PEND_MAX] = *p;
		}
	}
	q->n = kept;
}

static void push(struct sim_wave *w, struct sim_queue *q, bool lgkm, struct sim_pend p)
{
	if (q->n == SIM_PEND_MAX - 1) { /* the counter is full: issue stalls */
		if (lgkm)
			sim_wait_lgkm(w, q->nsmem ? 0 : q->n - 1);
		else
			sim_wait_vm(w, q->n - 1);
	}
	q->e[(q->head + q->n++) % SIM_PEND_MAX] = p;
	q->nsmem += p.smem;
	for (uint32_t r = p.r.first; r < (uint32_t)p.r.first + p.r.n; r++) {
		(*pend_count(w->core, r))++;
		w->core->pending++;
	}
}

static struct sim_pend entry(const struct sim_opnd *dst, uint32_t dwords, uint64_t done)
{
	struct sim_pend p = {.done = done};
	if (dst && !(dst->kind == SIM_O_SGPR && dst->reg == SIM_NULL))
		p.r = (struct sim_range){(uint16_t)(dst->reg + (dst->kind == SIM_O_SGPR ? 256 : 0)), (uint8_t)dwords};
	return p;
}

void sim_pend_load(struct sim_wave *w, unsigned counters, bool smem, const struct sim_opnd *dst, uint32_t dwords,
		   uint64_t done)
{
	struct sim_pend p = entry(dst, dwords, done);
	p.smem = smem;
	p.mem = w->core->issued;
	w->core->issued = 0;
	if (counters & SIM_CNT_VM)
		push(w, &w->core->vm, false, p);
	if (counters & SIM_CNT_LGKM)
		push(w, &w->core->lgkm, true, p);
}

void sim_pend_lds(struct sim_wave *w, const struct sim_opnd *dst, uint32_t dwords, uint64_t done)
{
	struct sim_pend p = entry(dst, dwords, done);
	p.lds = true;
	push(w, &w->core->lgkm, true, p);
	w->core->lds_ops++;
}

void sim_pend_store(struct sim_wave *w, uint64_t done)
{
	struct sim_core *c = w->core;
	if (c->vs == SIM_PEND_MAX - 1)
		sim_wait_vs(w, c->vs - 1);
	c->vs_times[c->vs] = c->vs_time;
	c->vs_mem[c->vs] = c->issued;
	c->issued = 0;
	c->vs_done[c->vs++] = done;
}

void sim_wait_vm(struct sim_wave *w, uint32_t n)
{
	while (w->core->vm.n > n)
		pop_front(w, &w->core->vm);
}

void sim_wait_lgkm(struct sim_wave *w, uint32_t n)
{
	struct sim_queue *q = &w->core->lgkm;
	if (n == 0 || !q->nsmem) {
		while (q->n > n)
			pop_front(w, q);
		return;
	}
	if (q->n > n + q->nsmem)
		pop_ordered(w, q, q->n - n - q->nsmem);
}

void sim_wait_vs(struct sim_wave *w, uint32_t n)
{
	struct sim_core *c = w->core;
	if (c->vs <= n)
		return;
	uint32_t gone = c->vs - n;
	for (uint32_t k = 0; k < gone; k++) {
		if (c->vs_done[k] > c->clk)
			c->clk = c->vs_done[k];
		if (c->vs_mem[k])
			sim_cache_perform(w, c->vs_mem[k]);
	}
	sim_race_waited(w, c->vs_times[gone - 1]);
	memmove(c->vs_times, c->vs_times + gone, n * sizeof *c->vs_times);
	memmove(c->vs_mem, c->vs_mem + gone, n * sizeof *c->vs_mem);
	memmove(c->vs_done, c->vs_done + gone, n * sizeof *c->vs_done);
	c->vs = n;
}
