/* Vector memory: GLOBAL, FLAT, SCRATCH, and MUBUF (scratch through a swizzled descriptor on gfx10, and plain raw buffers).
 * Loads write their registers at once and are recorded as outstanding (sim_wait.c).
 *
 * Scratch. A wave's scratch is one row of scratch_size bytes a lane. flat_scratch, or words 0-1 of the descriptor, must
 * be the base that the launch handed out, with the wave's offset added where the chip leaves that to the program. In the
 * swizzled buffer form soffset counts bytes of the whole wave: a lane's offset is soffset / lanes + voffset + offset. */
#include "sim/sim_cache.h"
#include "sim/sim_flow.h"
#include "sim/sim_memory.h"
#include "sim/sim_race.h"

enum space { S_GLOBAL, S_FLAT, S_SCRATCH, S_BUFFER };

/* Where one wave instruction goes: host bytes of each active lane, and the bytes that say what is defined. */
struct access {
	enum space space;
	uint64_t lanes;           /* those that access */
	uint64_t addr[64];
	int64_t offset;           /* FLAT: the part of addr that is not the VGPRs' */
	uint8_t *p[64];
	uint8_t *shadow[64];      /* NULL: all defined */
	bool lds;                 /* some lane went to LDS */
	uint64_t global;          /* lanes that went to global memory */
	uint32_t segments;
};

void sim_need_address(struct sim_wave *w)
{
	uint64_t bad = w->exec & ~w->def;
	if (bad && !w->core->s->opt.no_uninit)
		sim_fault(w, SIM_FAULT_UNINIT, __builtin_ctzll(bad), 0, "the address depends on a value that was never written");
}

void sim_need_data(struct sim_wave *w, uint64_t def, const char *what)
{
	uint64_t bad = w->exec & ~def;
	if (bad && !w->core->s->opt.no_uninit)
		sim_fault(w, SIM_FAULT_UNINIT, __builtin_ctzll(bad), 0, "%s was never written", what);
}

uint32_t sim_count_segments(struct sim_wave *w, const uint64_t *addr, uint64_t lanes, uint32_t bytes)
{
	struct sim_stats *st = &w->core->st;
	uint64_t seg[128];
	uint32_t n = 0, n128 = 0;
	st->global_accesses++;
	for (uint64_t m = lanes; m; m &= m - 1) {
		uint64_t a = addr[__builtin_ctzll(m)];
		for (uint64_t s = a >> 6; s <= (a + bytes - 1) >> 6; s++) {
			uint32_t k = n;
			while (k && seg[k - 1] != s)
				k--;
			if (!k && n < 128)
				seg[n++] = s;
		}
	}
	for (uint32_t k = 0; k < n; k++) {
		uint32_t j = k;
		while (j && seg[j - 1] >> 1 != seg[k] >> 1)
			j--;
		n128 += !j;
	}
	st->global_segments64 += n;
	st->global_segments128 += n128;
	return n;
}

/* ---- addresses ---- */

static void align_check(struct sim_wave *w, const struct access *a, uint32_t bytes, uint32_t align)
{
	for (uint64_t m = a->lanes; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		if (a->addr[l] & (align - 1))
			sim_fault(w, SIM_FAULT_ALIGN, l, a->addr[l], "access of %u bytes is not aligned to %u", bytes, align);
	}
}

static void place_scratch(struct sim_wave *w, struct access *a, int l, uint64_t off, uint32_t bytes)
{
	a->p[l] = sim_scratch(w, l, off, bytes);
	a->shadow[l] = w->core->scratch_def + (a->p[l] - w->core->scratch);
}

static void place(struct sim_wave *w, struct access *a, uint32_t bytes, bool write)
{
	struct sim *s = w->core->s;
	struct sim_region *r = a->lanes ? sim_region_find(s, a->addr[__builtin_ctzll(a->lanes)]) : NULL;
	uint64_t global = 0;
	if (r && (r->size < bytes || (write && !(r->flags & SIM_MEM_WRITE))))
		r = NULL; /* let sim_global report it */
	for (uint64_t m = a->lanes; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		/* the test for the apertures sees the VGPRs' address, not the offset (LLVM: SIInstrFlags::FLAT, inbounds offsets) */
		uint32_t hi = (uint32_t)((a->addr[l] - (uint64_t)a->offset) >> 32);
		if (a->space == S_SCRATCH) {
			place_scratch(w, a, l, a->addr[l], bytes);
		} else if (a->space == S_FLAT && hi == SIM_PRIVATE_HI) {
			place_scratch(w, a, l, (uint32_t)a->addr[l], bytes);
		} else if (a->space == S_FLAT && hi == SIM_SHARED_HI) {
			a->p[l] = sim_lds(w, l, (uint32_t)a->addr[l], bytes);
			a->shadow[l] = w->g->lds_def + (a->p[l] - w->g->lds);
			if (!a->lds)
				sim_lds_settle(w);
			a->lds = true;
		} else {
			bool inside = r && a->addr[l] - r->base <= r->size - bytes;
			a->p[l] = inside ? r->host + (a->addr[l] - r->base) : sim_global(w, l, a->addr[l], bytes, write);
			a->shadow[l] = sim_global_def(s, a->addr[l]);
			global |= UINT64_C(1) << l;
		}
	}
	a->global = global;
	if (global)
		a->segments = sim_count_segments(w, a->addr, global, bytes);
	if (a->lanes & ~global)
		w->core->st.scratch_accesses++;
}

/* Base + per-lane offset forms: v[0:1], off; v0, s[0:1]; v[0:1] (flat). */
static void flat_address(struct sim_wave *w, const struct sim_inst *i, const struct sim_opnd *va, const struct sim_opnd *sa,
			 struct access *a)
{
	int64_t off = i->offset;
	a->offset = off;
	if (sa && sa->kind != SIM_O_OFF && !(sa->kind == SIM_O_SGPR && sa->reg == SIM_NULL)) {
		uint32_t buf[64];
		uint64_t base = sim_scalar64(w, sa, false) + (uint64_t)off;
		const uint32_t *v = sim_src32(w, va, buf);
		for (uint32_t l = 0; l < w->lanes; l++)
			a->addr[l] = base + v[l];
	} else {
		const uint64_t *v = sim_src64(w, va, false, a->addr);
		for (uint32_t l = 0; l < w->lanes; l++)
			a->addr[l] = v[l] + (uint64_t)off;
	}
	sim_need_address(w);
}

static void scratch_address(struct sim_wave *w, const struct sim_inst *i, const struct sim_opnd *va, const struct sim_opnd *sa,
			    struct access *a)
{
	struct sim_core *c = w->core;
	uint32_t vbuf[64];
	if (c->flat_scratch != c->scratch_base)
		sim_fault(w, SIM_FAULT_OPERAND, -1, c->flat_scratch, "flat_scratch does not hold this wave's scratch base");
	uint32_t s = sa->kind == SIM_O_OFF ? 0 : sim_scalar32(w, sa);
	const uint32_t *v = sim_src32(w, va, vbuf);
	for (uint32_t l = 0; l < w->lanes; l++)
		a->addr[l] = (uint64_t)((int64_t)v[l] + s + i->offset);
	sim_need_address(w);
}

static void buffer_scratch(struct sim_wave *w, const struct sim_inst *i, uint64_t base, const uint32_t *voff, uint32_t soff,
			   struct access *a)
{
	if (base != w->core->scratch_base)
		sim_fault(w, SIM_FAULT_OPERAND, -1, base, "the scratch descriptor does not hold this wave's scratch base");
	if (soff & (w->lanes * 4 - 1))
		sim_fault(w, SIM_FAULT_ALIGN, -1, soff, "scratch soffset is no multiple of 4 bytes a lane");
	a->space = S_SCRATCH;
	for (uint32_t l = 0; l < w->lanes; l++)
		a->addr[l] = (uint64_t)(soff >> w->lane_shift) + voff[l] + (uint32_t)i->offset;
}

/* MUBUF: vaddr, rsrc, soffset. Raw buffers return 0 for what is out of range and drop such stores. */
static void buffer_address(struct sim_wave *w, const struct sim_inst *i, const struct sim_opnd *va, uint32_t bytes,
			   struct access *a)
{
	const struct sim_opnd *rs = va + 1, *so = va + 2;
	uint32_t buf[64], word[4];
	if (rs->kind != SIM_O_SGPR || rs->n != 4 || i->idxen || i->lds)
		sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "this buffer addressing is not simulated");
	for (unsigned k = 0; k < 4; k++) {
		struct sim_opnd o = {.kind = SIM_O_SGPR, .reg = (uint16_t)(rs->reg + k), .n = 1};
		word[k] = sim_scalar32(w, &o);
	}
	uint64_t base = word[0] | (uint64_t)(word[1] & 0xffff) << 32;
	uint32_t soff = sim_scalar32(w, so);
	const uint32_t *voff = i->offen ? sim_src32(w, va, buf) : memset(buf, 0, sizeof buf);
	sim_need_address(w);
	if (word[3] >> 23 & 1) { /* add_tid: the swizzled scratch descriptor */
		buffer_scratch(w, i, base, voff, soff, a);
		return;
	}
	if (word[1] >> 16 & 0x3fff || word[1] >> 31)
		sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "structured and swizzled buffers are not simulated");
	for (uint32_t l = 0; l < w->lanes; l++) {
		uint64_t off = (uint64_t)voff[l] + (uint32_t)i->offset;
		a->addr[l] = base + off + soff;
		if (off + bytes > word[2])
			a->lanes &= ~(UINT64_C(1) << l);
	}
}

static enum space space_of(const struct sim_inst *i)
{
	switch (i->op->name[0]) {
	case 'f':
		return S_FLAT;
	case 's':
		return S_SCRATCH;
	case 'b':
		return S_BUFFER;
	default:
		return S_GLOBAL;
	}
}

/* va: the first address operand. bytes: of one lane's access. */
static void resolve(struct sim_wave *w, const struct sim_inst *i, const struct sim_opnd *va, const struct sim_opnd *sa,
		    uint32_t bytes, bool write, bool atomic, struct access *a)
{
	a->space = space_of(i);
	a->lanes = w->exec;
	a->lds = false;
	a->segments = 0;
	if (i->lds)
		sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "loads to LDS are not simulated");
	if (a->space == S_SCRATCH)
		scratch_address(w, i, va, sa, a);
	else if (a->space == S_BUFFER)
		buffer_address(w, i, va, bytes, a);
	else
		flat_address(w, i, va, a->space == S_FLAT ? NULL : sa, a);
	if (atomic || (w->core->s->opt.strict_align && write && a->space != S_SCRATCH))
		align_check(w, a, bytes, bytes == 12 ? 4 : bytes);
	else if (w->core->s->opt.strict_align) /* may be several of the program's dwords */
		align_check(w, a, bytes, bytes < 4 ? bytes : 4);
	else if (a->space == S_SCRATCH && i->op->name[0] == 'b' && bytes >= 4)
		align_check(w, a, bytes, 4); /* swizzled elements are dwords */
	place(w, a, bytes, write);
}

/* ---- loads and stores ---- */

static uint32_t extend(uint32_t x, uint32_t arg)
{
	return !(arg & SGN) ? x : (arg & 0xff) == 1 ? (uint32_t)(int8_t)x : (uint32_t)(int16_t)x;
}

/* What a lane's register becomes, the half that a d16 load leaves as it was. */
static uint32_t merge(uint32_t old, uint32_t x, bool d16, bool hi)
{
	return !d16 ? x : hi ? (old & 0xffff) | x << 16 : (old & 0xffff0000) | (x & 0xffff);
}

void sim_load_result(struct sim_wave *w, const struct sim_opnd *dst, uint32_t arg, const struct sim_read *r, uint64_t lanes)
{
	uint32_t bytes = arg & 0xff;
	bool hi = arg & HI || dst->half == SIM_HI16, d16 = arg & D16 || dst->half;
	for (uint32_t k = 0; k < (bytes + 3) / 4; k++) {
		uint32_t reg = dst->reg + k, *d = sim_vgpr(w, reg);
		uint64_t whole = lanes & r->def[k] & (d16 ? w->vdef[reg] : ~UINT64_C(0));
		if (lanes == w->lane_mask && bytes >= 4 && !dst->half)
			memcpy(d, r->val[k], w->lanes * sizeof *d);
		else
			for (uint64_t m = lanes; m; m &= m - 1) {
				int l = __builtin_ctzll(m);
				d[l] = merge(d[l], extend(r->val[k][l], arg), d16, hi);
			}
		w->vdef[reg] |= whole;
		for (uint64_t m = lanes & ~whole; m; m &= m - 1) {
			uint32_t l = (uint32_t)__builtin_ctzll(m), undef = r->def[k] >> l & 1 ? 0 : extend(r->undef[k][l], arg);
			sim_set_lane_bits(w, reg, l, ~merge(~sim_lane_bits(w, reg, l), undef, d16, hi));
		}
	}
}

static unsigned counters(const struct access *a)
{
	return a->space == S_FLAT ? SIM_CNT_VM | SIM_CNT_LGKM : SIM_CNT_VM;
}

/* Where caches are simulated: an access all of whose lanes go to global memory. One of which some do takes place now, in memory, behind
 * what the wave did before. */
static struct sim_mem_op *cached(struct sim_wave *w, const struct sim_inst *i, const struct access *a)
{
	if (!w->core->mem)
		return NULL;
	if (a->global == a->lanes)
		return sim_cache_op(w, i, a->addr, a->p, a->lanes);
	if (a->global)
		sim_cache_finish(w);
	for (uint64_t m = a->global; m && i->cls != SIM_C_VMEM_LOAD; m &= m - 1)
		sim_cache_drop(w, a->addr[__builtin_ctzll(m)]);
	return NULL;
}

static void vmem_load(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t arg = (uint32_t)i->op->arg, bytes = arg & 0xff;
	struct access a;
	resolve(w, i, &i->ops[1], &i->ops[2], bytes, false, false, &a);
	if (w->core->uid)
		sim_race_read(w, i, a.addr, a.global, bytes);
	struct sim_mem_op *op = cached(w, i, &a);
	if (op) {
		sim_cache_issue(w, op);
		sim_pend_load(w, counters(&a), false, &i->ops[0], (bytes + 3) / 4, sim_cycles_vmem(w, a.segments, bytes));
		return;
	}
	sim_cache_settle(w, i);
	struct sim_read r;
	static const uint8_t nothing[16]; /* out of a buffer's range */
	memset(r.def, 0xff, sizeof r.def);
	for (uint64_t m = w->exec; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		bool in = a.lanes >> l & 1;
		sim_read_lane(&r, l, in ? a.p[l] : nothing, in ? a.shadow[l] : NULL, bytes);
	}
	sim_load_result(w, &i->ops[0], arg, &r, w->exec);
	sim_pend_load(w, counters(&a), false, &i->ops[0], (bytes + 3) / 4, sim_cycles_vmem(w, a.segments, bytes));
}

/* A lane's data and their defined bits. Data to global memory must be defined, or with `padding` some bits of them. */
static void store_lane(struct sim_wave *w, struct access *a, int l, uint32_t reg, uint32_t bytes, uint32_t shift, uint8_t *to)
{
	uint32_t x[4], bits[4], n = (bytes + 3) / 4, all = bytes < 4 ? (1u << 8 * bytes) - 1 : ~0u, some = 0, each = all, bad = 0;
	for (uint32_t k = 0; k < n; k++) {
		x[k] = sim_vgpr(w, reg + k)[l] >> shift;
		bits[k] = sim_lane_bits(w, reg + k, (uint32_t)l) >> shift & all;
		some |= bits[k];
		bad = each == all ? k : bad;
		each &= bits[k];
	}
	if (each != all && a->global >> l & 1 && !w->core->s->opt.no_uninit) {
		if (!some || !w->core->s->opt.padding)
			sim_fault(w, SIM_FAULT_UNINIT, l, a->addr[l], "v%u, which was never written, is stored", reg + bad);
		if (!a->shadow[l] && !w->core->mem) {
			sim_global_track(w, a->addr[l]);
			for (uint64_t m = a->global; m; m &= m - 1)
				a->shadow[__builtin_ctzll(m)] = sim_global_def(w->core->s, a->addr[__builtin_ctzll(m)]);
		}
	}
	memcpy(to, x, bytes);
	if (a->shadow[l])
		memcpy(a->shadow[l], bits, bytes);
}

static void vmem_store(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t arg = (uint32_t)i->op->arg, bytes = arg & 0xff;
	enum space sp = space_of(i);
	/* buffer: data, vaddr, rsrc, soffset; the others: vaddr, data, saddr */
	const struct sim_opnd *va = sp == S_BUFFER ? &i->ops[1] : &i->ops[0], *data = sp == S_BUFFER ? &i->ops[0] : &i->ops[1];
	struct access a;
	resolve(w, i, va, &i->ops[2], bytes, true, false, &a);
	if (w->core->uid)
		sim_race_write(w, a.addr, a.global, bytes, false);
	uint32_t shift = arg & HI || data->half == SIM_HI16 ? 16 : 0;
	struct sim_mem_op *op = cached(w, i, &a);
	for (uint64_t m = a.lanes; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		store_lane(w, &a, l, data->reg, bytes, shift, op ? (uint8_t *)op->data[l].dword : a.p[l]);
	}
	if (op)
		sim_cache_issue(w, op);
	sim_pend_store(w, sim_cycles_vmem(w, a.segments, bytes));
	if (a.space == S_FLAT && a.lds)
		sim_pend_lds(w, NULL, 0, w->core->clk);
	else if (a.space == S_FLAT)
		sim_pend_load(w, SIM_CNT_LGKM, false, NULL, 0, w->core->clk);
}

/* ---- atomics ---- */

static uint64_t data_at(struct sim_wave *w, uint32_t reg, uint32_t bytes, int l)
{
	uint64_t x = sim_vgpr(w, reg)[l];
	return bytes == 8 ? x | (uint64_t)sim_vgpr(w, reg + 1)[l] << 32 : x;
}

/* What the lanes give to an atomic whose turn comes later. */
static void atomic_data(struct sim_wave *w, const struct sim_inst *i, struct sim_mem_op *op, const struct sim_opnd *data)
{
	uint32_t bytes = (uint32_t)i->op->arg >> 8;
	bool two = sim_atomic_two_data((unsigned)i->op->arg & 0xff);
	for (uint64_t m = op->lanes; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		op->data[l].qword[0] = data_at(w, data->reg, bytes, l);
		op->data[l].qword[1] = two ? data_at(w, data->reg + bytes / 4, bytes, l) : 0;
	}
}

static void atomic_lanes(struct sim_wave *w, const struct sim_inst *i, const struct access *a, const struct sim_opnd *data,
			 uint64_t data_def, struct sim_read *r)
{
	unsigned op = (unsigned)i->op->arg & 0xff;
	uint32_t bytes = (uint32_t)i->op->arg >> 8, n = bytes / 4;
	for (uint64_t m = a->lanes; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		uint64_t was = 0, x = data_at(w, data->reg, bytes, l);
		uint64_t y = sim_atomic_two_data(op) ? data_at(w, data->reg + n, bytes, l) : 0;
		bool data_all = data_def >> l & 1, all = data_all && (!a->shadow[l] || sim_all_defined(a->shadow[l], bytes));
		memcpy(&was, a->p[l], bytes);
		uint8_t def[8];
		if (a->shadow[l])
			memcpy(def, a->shadow[l], bytes);
		if (!all) {
			struct sim_atomic_lane z = {op, bytes, (uint32_t)l, data->reg, data->reg + n, was, a->shadow[l]};
			if (!sim_atomic_undef(w, &z, &all) && !w->core->s->opt.no_uninit)
				sim_fault(w, SIM_FAULT_UNINIT, l, a->addr[l],
					  data_all ? "an atomic on memory that was never written" : "an atomic's data was never written");
		}
		uint64_t now = sim_atomic(op, bytes, was, x, y, true);
		memcpy(a->p[l], &now, bytes);
		sim_read_lane(r, l, (const uint8_t *)&was, all || !a->shadow[l] ? NULL : def, bytes);
	}
}

static void vmem_atomic(struct sim_wave *w, const struct sim_inst *i)
{
	unsigned op = (unsigned)i->op->arg & 0xff;
	uint32_t bytes = (uint32_t)i->op->arg >> 8, n = bytes / 4;
	struct sim_read r = {.def = SIM_ALL_DWORDS};
	bool rtn = i->glc != 0, buffer = i->op->name[0] == 'b';
	/* buffer: data (also the result), vaddr, rsrc, soffset; the others: [result,] vaddr, data[, saddr] */
	const struct sim_opnd *va = buffer ? &i->ops[1] : &i->ops[rtn], *data = buffer ? &i->ops[0] : va + 1;
	struct access a;
	resolve(w, i, va, va + 2, bytes, true, true, &a);
	uint64_t def = ~UINT64_C(0);
	for (uint32_t k = 0; k < (sim_atomic_two_data(op) ? 2 * n : n); k++)
		def &= w->vdef[data->reg + k];
	if (w->core->uid)
		sim_race_write(w, a.addr, a.global, bytes, true);
	struct sim_mem_op *later = cached(w, i, &a);
	if (later) {
		sim_need_data(w, def, "an atomic's data");
		atomic_data(w, i, later, data);
		sim_cache_issue(w, later);
	} else {
		sim_cache_settle(w, i);
		atomic_lanes(w, i, &a, data, def, &r);
	}
	uint64_t done = sim_cycles_vmem(w, a.segments, bytes);
	if (rtn) {
		if (!later)
			sim_load_result(w, &i->ops[0], bytes, &r, w->exec);
		sim_pend_load(w, counters(&a), false, &i->ops[0], n, done);
	} else {
		sim_pend_store(w, done);
		if (a.space == S_FLAT && a.lds)
			sim_pend_lds(w, NULL, 0, done);
		else if (a.space == S_FLAT)
			sim_pend_load(w, SIM_CNT_LGKM, false, NULL, 0, done);
	}
}

/* ---- what sim_cache.c has put off ---- */

static void perform_load(struct sim_wave *w, const struct sim_mem_op *op)
{
	uint32_t arg = (uint32_t)op->inst->op->arg, bytes = arg & 0xff;
	struct sim_read r = {.def = SIM_ALL_DWORDS};
	for (uint64_t m = op->exec; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		uint32_t x[4] = {0};
		if (op->lanes >> l & 1)
			sim_cache_read(w, op->inst, op->addr[l], x, bytes);
		sim_read_lane(&r, l, (const uint8_t *)x, NULL, bytes);
	}
	sim_load_result(w, &op->inst->ops[0], arg, &r, op->exec);
}

static void perform_store(struct sim_wave *w, const struct sim_mem_op *op)
{
	uint32_t bytes = (uint32_t)op->inst->op->arg & 0xff;
	for (uint64_t m = op->lanes; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		memcpy(op->p[l], op->data[l].dword, bytes);
		sim_cache_wrote(w, op->addr[l], op->data[l].dword, bytes);
	}
}

static void perform_atomic(struct sim_wave *w, const struct sim_mem_op *op)
{
	const struct sim_inst *i = op->inst;
	uint32_t bytes = (uint32_t)i->op->arg >> 8;
	struct sim_read r = {.def = SIM_ALL_DWORDS};
	for (uint64_t m = op->lanes; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		uint64_t was = 0;
		memcpy(&was, op->p[l], bytes);
		uint64_t now = sim_atomic((unsigned)i->op->arg & 0xff, bytes, was, op->data[l].qword[0], op->data[l].qword[1], true);
		memcpy(op->p[l], &now, bytes);
		sim_cache_drop(w, op->addr[l]);
		r.val[0][l] = (uint32_t)was;
		r.val[1][l] = (uint32_t)(was >> 32);
	}
	if (i->glc)
		sim_load_result(w, &i->ops[0], bytes, &r, op->exec);
}

void sim_vmem_perform(struct sim_wave *w, const struct sim_mem_op *op)
{
	if (op->inst->cls == SIM_C_VMEM_LOAD)
		perform_load(w, op);
	else if (op->inst->cls == SIM_C_VMEM_STORE)
		perform_store(w, op);
	else
		perform_atomic(w, op);
}

const struct sim_op sim_mem_ops[] = {
#define OP(name, cls, flags, fn, arg) {#name, fn, cls, flags, arg},
#define LOAD4(n, arg, flags)                                                                                            \
	{"buffer_" #n, vmem_load, SIM_C_VMEM_LOAD, flags, arg}, {"global_" #n, vmem_load, SIM_C_VMEM_LOAD, flags, arg}, \
		{"flat_" #n, vmem_load, SIM_C_VMEM_LOAD, flags, arg},                                                   \
		{"scratch_" #n, vmem_load, SIM_C_VMEM_LOAD, flags, arg},
#define LOAD(a, b, arg) LOAD4(a, arg, ((arg) & D16 ? SIM_F_PARTIAL : 0)) LOAD4(b, arg, ((arg) & D16 ? SIM_F_PARTIAL : 0))
#define STORE4(n, arg)                                                                                                  \
	{"buffer_" #n, vmem_store, SIM_C_VMEM_STORE, SIM_F_NO_DST, arg},                                                \
		{"global_" #n, vmem_store, SIM_C_VMEM_STORE, SIM_F_NO_DST, arg},                                        \
		{"flat_" #n, vmem_store, SIM_C_VMEM_STORE, SIM_F_NO_DST, arg},                                          \
		{"scratch_" #n, vmem_store, SIM_C_VMEM_STORE, SIM_F_NO_DST, arg},
#define STORE(a, b, arg) STORE4(a, arg) STORE4(b, arg)
#define ATOMIC3(n, op, bytes, flags)                                                                                    \
	{"buffer_" #n, vmem_atomic, SIM_C_VMEM_ATOMIC, flags, (op) | (bytes) << 8},                                     \
		{"global_" #n, vmem_atomic, SIM_C_VMEM_ATOMIC, flags, (op) | (bytes) << 8},                             \
		{"flat_" #n, vmem_atomic, SIM_C_VMEM_ATOMIC, flags, (op) | (bytes) << 8},
#define ATOMIC(a, b, op, bytes, flags) ATOMIC3(a, op, bytes, flags) ATOMIC3(b, op, bytes, flags)
#define DS_ROW(n, fn, flags, arg) {#n, fn, SIM_C_LDS, flags, arg},
#define DS_LOAD(a, b, arg)                                                                                              \
	DS_ROW(a, sim_ds_load, ((arg) & D16 ? SIM_F_PARTIAL : 0), arg)                                                  \
	DS_ROW(b, sim_ds_load, ((arg) & D16 ? SIM_F_PARTIAL : 0), arg)
#define DS_LOAD2(a, b, arg) DS_ROW(a, sim_ds_load2, 0, arg) DS_ROW(b, sim_ds_load2, 0, arg)
#define DS_STORE(a, b, arg) DS_ROW(a, sim_ds_store, SIM_F_NO_DST, arg) DS_ROW(b, sim_ds_store, SIM_F_NO_DST, arg)
#define DS_STORE2(a, b, arg) DS_ROW(a, sim_ds_store2, SIM_F_NO_DST, arg) DS_ROW(b, sim_ds_store2, SIM_F_NO_DST, arg)
#define DS_ATOMIC(a, b, op, bytes)                                                                                      \
	DS_ROW(a, sim_ds_atomic, SIM_F_NO_DST, (op) | (bytes) << 8) DS_ROW(b, sim_ds_atomic_rtn, 0, (op) | (bytes) << 8)
#define SMEM(a, b, fn, dwords) {#a, fn, SIM_C_SMEM, 0, dwords}, {#b, fn, SIM_C_SMEM, 0, dwords},
#include "sim/sim_memory.def"
	{0},
};
