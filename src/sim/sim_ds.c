/* LDS instructions: loads, stores, atomics, and the cross-lane ones that use its network. */
#include "sim/sim_cache.h"
#include "sim/sim_memory.h"

static bool same_address(const uint64_t *addr, uint64_t lanes)
{
	uint64_t first = addr[__builtin_ctzll(lanes)];
	for (uint64_t m = lanes; m; m &= m - 1)
		if (addr[__builtin_ctzll(m)] != first)
			return false;
	return true;
}

/* Extra passes over the 32 banks of 4 bytes. An access of n dwords a lane needs at least ceil(lanes * n / 32) passes; each
 * bank serves one dword address a pass, lanes that want the same dword share it. */
static uint32_t conflicts(struct sim_wave *w, const uint64_t *addr, uint64_t lanes, uint32_t bytes)
{
	uint32_t most = 0, n = (bytes + 3) / 4, total = 0, bank_dword[32][64];
	uint8_t in_bank[32] = {0};
	if (lanes && same_address(addr, lanes)) {
		w->core->st.lds_accesses++;
		return 0;
	}
	for (uint64_t m = lanes; m; m &= m - 1) {
		uint32_t dw = (uint32_t)(addr[__builtin_ctzll(m)] / 4);
		for (uint32_t k = 0; k < n; k++, dw++) {
			uint32_t *d = bank_dword[dw % 32], j = in_bank[dw % 32];
			while (j && d[j - 1] != dw)
				j--;
			if (j)
				continue;
			total++;
			d[in_bank[dw % 32]++] = dw;
			if (in_bank[dw % 32] > most)
				most = in_bank[dw % 32];
		}
	}
	uint32_t least = (total + 31) / 32, extra = most > least ? most - least : 0;
	w->core->st.lds_accesses++;
	w->core->st.lds_conflicts += extra;
	return extra;
}

static void addresses(struct sim_wave *w, const struct sim_inst *i, const struct sim_opnd *o, uint32_t off, uint64_t addr[64])
{
	uint32_t buf[64];
	if (i->gds)
		sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "GDS is not simulated");
	const uint32_t *v = sim_src32(w, o, buf);
	sim_need_address(w);
	for (uint32_t l = 0; l < w->lanes; l++)
		addr[l] = v[l] + off; /* wraps: a negative base is usual */
}

static void align_check(struct sim_wave *w, const uint64_t *addr, uint32_t bytes, uint32_t align)
{
	for (uint64_t m = w->exec; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		if (addr[l] & (align - 1))
			sim_fault(w, SIM_FAULT_ALIGN, l, addr[l], "LDS access of %u bytes is not aligned to %u", bytes, align);
	}
}

static uint32_t natural(uint32_t bytes)
{
	return bytes == 12 ? 16 : bytes;
}

/* ---- loads ---- */

/* Narrows r->def by the active lanes that read undefined bits. */
static void load(struct sim_wave *w, const uint64_t *addr, uint32_t bytes, struct sim_read *r)
{
	int first = w->exec ? __builtin_ctzll(w->exec) : 0;
	bool same = w->exec && same_address(addr, w->exec);
	for (uint64_t m = same ? w->exec & -w->exec : w->exec; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		if (addr[l] + bytes > w->g->lds_size)
			sim_lds(w, l, addr[l], bytes); /* faults */
		sim_read_lane(r, l, w->g->lds + addr[l], w->g->lds_def + addr[l], bytes);
	}
	for (uint32_t k = 0; same && 4 * k < bytes; k++) {
		if (!(r->def[k] >> first & 1))
			r->def[k] &= ~w->exec;
		for (uint32_t l = 0; l < w->lanes; l++) {
			r->val[k][l] = r->val[k][first];
			r->undef[k][l] = r->undef[k][first];
		}
	}
}

static void late_load(struct sim_wave *w, const struct sim_lds_op *op)
{
	struct sim_read r;
	uint64_t exec = w->exec;
	memset(r.def, 0xff, sizeof r.def);
	w->exec = op->exec;
	load(w, op->addr, op->bytes, &r);
	w->exec = exec;
	sim_load_result(w, &op->load->ops[0], (uint32_t)op->load->op->arg, &r, op->exec);
}

static bool load_later(struct sim_wave *w, const struct sim_inst *i, const uint64_t *addr, uint32_t bytes)
{
	for (uint64_t m = w->exec; w->core->mem && m; m &= m - 1)
		sim_lds(w, __builtin_ctzll(m), addr[__builtin_ctzll(m)], bytes);
	struct sim_lds_op *op = sim_cache_lds(w);
	if (!op)
		return false;
	op->load = i;
	op->bytes = bytes;
	memcpy(op->addr, addr, sizeof op->addr);
	return true;
}

void sim_ds_load(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t arg = (uint32_t)i->op->arg, bytes = arg & 0xff;
	uint64_t addr[64];
	struct sim_read r;
	addresses(w, i, &i->ops[1], (uint32_t)i->offset, addr);
	if (w->core->s->opt.strict_align)
		align_check(w, addr, bytes, natural(bytes));
	if (!load_later(w, i, addr, bytes)) {
		memset(r.def, 0xff, sizeof r.def);
		load(w, addr, bytes, &r);
		sim_load_result(w, &i->ops[0], arg, &r, w->exec);
	}
	sim_pend_lds(w, &i->ops[0], (bytes + 3) / 4,
		     sim_cycles_lds(w, bytes, conflicts(w, addr, w->exec, bytes)));
}

/* The two-address forms need element alignment in every mode. */
void sim_ds_load2(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t arg = (uint32_t)i->op->arg, bytes = arg & 0xff, unit = bytes * (arg & ST64 ? 64 : 1), extra = 0;
	struct sim_read r[2];
	uint64_t addr[64];
	for (int h = 0; h < 2; h++) {
		addresses(w, i, &i->ops[1], (uint32_t)(h ? i->offset1 : i->offset) * unit, addr);
		align_check(w, addr, bytes, bytes);
		memset(r[h].def, 0xff, sizeof r[h].def);
		load(w, addr, bytes, &r[h]);
		extra += conflicts(w, addr, w->exec, bytes);
	}
	for (unsigned h = 0; h < 2; h++) {
		struct sim_opnd d = i->ops[0];
		d.reg = (uint16_t)(d.reg + h * bytes / 4);
		sim_load_result(w, &d, bytes, &r[h], w->exec);
	}
	sim_pend_lds(w, &i->ops[0], bytes / 2, sim_cycles_lds(w, 2 * bytes, extra));
}

/* ---- stores ---- */

/* To LDS, or to what takes place later. */
static void store(struct sim_wave *w, const struct sim_opnd *data, const uint64_t *addr, uint32_t bytes, uint32_t shift,
		  struct sim_lds_op *later)
{
	for (uint64_t m = w->exec; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		uint8_t *p = sim_lds(w, l, addr[l], bytes), *d = w->g->lds_def + (p - w->g->lds);
		if (later) {
			p = later->data[l];
			d = later->def[l];
		}
		for (uint32_t k = 0; k < (bytes + 3) / 4; k++) {
			uint32_t x = sim_vgpr(w, data->reg + k)[l] >> shift, n = bytes < 4 ? bytes : 4;
			uint32_t bits = sim_lane_bits(w, data->reg + k, (uint32_t)l) >> shift;
			memcpy(p + 4 * k, &x, n);
			memcpy(d + 4 * k, &bits, n);
		}
	}
}

void sim_lds_settle(struct sim_wave *w)
{
	struct sim_lds_op *op = w->core->lds_late;
	if (!op || !op->late)
		return;
	op->late = false;
	if (op->load) {
		late_load(w, op);
		return;
	}
	for (uint64_t m = op->exec; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		memcpy(w->g->lds + op->addr[l], op->data[l], op->bytes);
		memcpy(w->g->lds_def + op->addr[l], op->def[l], op->bytes);
	}
}

void sim_ds_store(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t arg = (uint32_t)i->op->arg, bytes = arg & 0xff;
	uint64_t addr[64];
	addresses(w, i, &i->ops[0], (uint32_t)i->offset, addr);
	if (w->core->s->opt.strict_align)
		align_check(w, addr, bytes, natural(bytes));
	struct sim_lds_op *later = sim_cache_lds(w);
	store(w, &i->ops[1], addr, bytes, arg & HI || i->ops[1].half == SIM_HI16 ? 16 : 0, later);
	if (later) {
		later->load = NULL;
		later->bytes = bytes;
		memcpy(later->addr, addr, sizeof addr);
	}
	sim_pend_lds(w, NULL, 0, sim_cycles_lds(w, bytes, conflicts(w, addr, w->exec, bytes)));
}

void sim_ds_store2(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t arg = (uint32_t)i->op->arg, bytes = arg & 0xff, unit = bytes * (arg & ST64 ? 64 : 1), extra = 0;
	uint64_t addr[64];
	for (int h = 0; h < 2; h++) {
		addresses(w, i, &i->ops[0], (uint32_t)(h ? i->offset1 : i->offset) * unit, addr);
		align_check(w, addr, bytes, bytes);
		store(w, &i->ops[1 + h], addr, bytes, 0, NULL);
		extra += conflicts(w, addr, w->exec, bytes);
	}
	sim_pend_lds(w, NULL, 0, sim_cycles_lds(w, 2 * bytes, extra));
}

/* ---- atomics ---- */

static void atomic(struct sim_wave *w, const struct sim_inst *i, const struct sim_opnd *va, const struct sim_opnd *dst)
{
	unsigned op = (unsigned)i->op->arg & 0xff;
	uint32_t bytes = (uint32_t)i->op->arg >> 8;
	struct sim_read r;
	uint64_t addr[64], b1[64], b2[64];
	bool flush32 = (w->mode >> SIM_MODE_DENORM32 & 3) != 3;
	addresses(w, i, va, (uint32_t)i->offset, addr);
	align_check(w, addr, bytes, bytes);
	memset(r.def, 0xff, sizeof r.def);
	const struct sim_opnd *d2 = sim_atomic_two_data(op) ? va + 2 : va + 1;
	uint32_t n1[64], n2[64];
	const uint32_t *x32 = bytes == 4 ? sim_src32(w, va + 1, n1) : NULL, *y32 = bytes == 4 ? sim_src32(w, d2, n2) : NULL;
	const uint64_t *x64 = bytes == 8 ? sim_src64(w, va + 1, false, b1) : NULL;
	const uint64_t *y64 = bytes == 8 ? sim_src64(w, d2, false, b2) : NULL;
	const uint64_t data_def = w->def;
	for (uint64_t m = w->exec; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		uint8_t *p = sim_lds(w, l, addr[l], bytes), *d = w->g->lds_def + (p - w->g->lds), def[8];
		uint64_t was = 0, now;
		bool all = data_def >> l & 1 && sim_all_defined(d, bytes);
		memcpy(&was, p, bytes);
		memcpy(def, d, bytes);
		if (!all) {
			struct sim_atomic_lane x = {op, bytes, (uint32_t)l, va[1].reg, d2->reg, was, d};
			if (!sim_atomic_undef(w, &x, &all) && !w->core->s->opt.no_uninit)
				sim_fault(w, SIM_FAULT_UNINIT, l, addr[l],
					  data_def >> l & 1 ? "an atomic on LDS that was never written" : "an atomic's data was never written");
		}
		now = sim_atomic(op, bytes, was, x32 ? x32[l] : x64[l], y32 ? y32[l] : y64[l], flush32);
		sim_read_lane(&r, l, p, all ? NULL : def, bytes);
		memcpy(p, &now, bytes);
	}
	uint64_t done = sim_cycles_lds(w, bytes, conflicts(w, addr, w->exec, bytes));
	if (dst) {
		sim_load_result(w, dst, bytes, &r, w->exec);
		sim_pend_lds(w, dst, bytes / 4, done);
	}
	if (!dst)
		sim_pend_lds(w, NULL, 0, done);
}

void sim_ds_atomic(struct sim_wave *w, const struct sim_inst *i)
{
	atomic(w, i, &i->ops[0], NULL);
}

void sim_ds_atomic_rtn(struct sim_wave *w, const struct sim_inst *i)
{
	atomic(w, i, &i->ops[1], &i->ops[0]);
}

/* Two exchanges in one instruction; element alignment in every mode. */
void sim_ds_exchange2(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t arg = (uint32_t)i->op->arg, bytes = arg & 0xff, unit = bytes * (arg & ST64 ? 64 : 1), extra = 0;
	struct sim_read r[2];
	uint64_t addr[64], exec = w->exec;
	for (unsigned h = 0; h < 2; h++) {
		memset(r[h].def, 0xff, sizeof r[h].def);
		addresses(w, i, &i->ops[1], (uint32_t)(h ? i->offset1 : i->offset) * unit, addr);
		align_check(w, addr, bytes, bytes);
		extra += conflicts(w, addr, exec, bytes);
		for (uint64_t m = exec; m; m &= m - 1) { /* lane by lane: two may name one address */
			w->exec = m & -m;
			int l = __builtin_ctzll(m);
			uint8_t *p = sim_lds(w, l, addr[l], bytes);
			sim_read_lane(&r[h], l, p, w->g->lds_def + (p - w->g->lds), bytes);
			store(w, &i->ops[2 + h], addr, bytes, 0, NULL);
		}
		w->exec = exec;
	}
	for (unsigned h = 0; h < 2; h++) {
		struct sim_opnd d = i->ops[0];
		d.reg = (uint16_t)(d.reg + h * bytes / 4);
		sim_load_result(w, &d, bytes, &r[h], exec);
	}
	sim_pend_lds(w, &i->ops[0], bytes / 2, sim_cycles_lds(w, 2 * bytes, extra));
}

/* ds_append, ds_consume: one counter for the wave, moved by the number of active lanes. */
void sim_ds_append(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_opnd m0 = {.kind = SIM_O_SGPR, .reg = SIM_M0, .n = 1};
	uint32_t base = sim_scalar32(w, &m0), was;
	struct sim_read r;
	sim_need_address(w);
	if (!w->exec)
		return;
	uint8_t *p = sim_lds(w, -1, (base & 0xffff) + (uint64_t)i->offset, 4);
	memset(r.def, 0xff, sizeof r.def);
	memcpy(&was, p, 4);
	uint32_t now = was + (uint32_t)(i->op->arg * __builtin_popcountll(w->exec));
	for (uint64_t m = w->exec; m; m &= m - 1)
		sim_read_lane(&r, __builtin_ctzll(m), p, w->g->lds_def + (p - w->g->lds), 4);
	memcpy(p, &now, 4);
	sim_load_result(w, &i->ops[0], 4, &r, w->exec);
	sim_pend_lds(w, &i->ops[0], 1, sim_cycles_lds(w, 4, 0));
}

/* ---- lane exchange: no memory, but the LDS pipe and its counter ---- */

static void exchange(struct sim_wave *w, const struct sim_inst *i, const struct sim_opnd *src, const int8_t from[64])
{
	w->def = ~UINT64_C(0);
	sim_move_lanes(w, &i->ops[0], src, from);
	sim_pend_load(w, SIM_CNT_LGKM, false, &i->ops[0], 1, sim_cycles_lds(w, 4, 0));
}

/* Pushes: lane l's data go to lane addr / 4; the highest lane wins. Lanes nobody sends to get 0. Halves of a wave64 do not
 * mix. */
void sim_ds_permute(struct sim_wave *w, const struct sim_inst *i)
{
	uint64_t addr[64];
	int8_t from[64];
	addresses(w, i, &i->ops[1], (uint32_t)i->offset, addr);
	memset(from, -1, sizeof from);
	for (uint64_t m = w->exec; m; m &= m - 1) {
		uint32_t l = (uint32_t)__builtin_ctzll(m);
		from[(l & 32) | (addr[l] / 4 & 31)] = (int8_t)l;
	}
	exchange(w, i, &i->ops[2], from);
}

/* Pulls: lane l reads lane addr / 4; a disabled lane gives 0. */
void sim_ds_bpermute(struct sim_wave *w, const struct sim_inst *i)
{
	uint64_t addr[64];
	int8_t from[64];
	addresses(w, i, &i->ops[1], (uint32_t)i->offset, addr);
	memset(from, -1, sizeof from);
	for (uint64_t m = w->exec; m; m &= m - 1) {
		uint32_t l = (uint32_t)__builtin_ctzll(m), lane = (l & 32) | (addr[l] / 4 & 31);
		from[l] = w->exec >> lane & 1 ? (int8_t)lane : -1;
	}
	exchange(w, i, &i->ops[2], from);
}

static uint32_t swizzle_from(uint32_t l, uint32_t pattern)
{
	if (pattern >= 0xe000) /* FFT */
		return ~0u;
	if (pattern >= 0xc000) { /* rotate */
		uint32_t n = pattern >> 5 & 31, mask = pattern & 31, dir = pattern >> 10 & 1;
		uint32_t rot = dir ? (l + 32 - n) & 31 : (l + n) & 31;
		return (l & mask) | (rot & ~mask & 31);
	}
	if (pattern & 0x8000) /* quad permute */
		return (l & ~3u) | (pattern >> (2 * (l & 3)) & 3);
	return ((l & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
}

void sim_ds_swizzle(struct sim_wave *w, const struct sim_inst *i)
{
	uint32_t pattern = i->raw & 0xffff;
	int8_t from[64];
	memset(from, -1, sizeof from);
	for (uint64_t m = w->exec; m; m &= m - 1) {
		uint32_t l = (uint32_t)__builtin_ctzll(m), lane = swizzle_from(l & 31, pattern);
		if (lane == ~0u)
			sim_fault(w, SIM_FAULT_OPERAND, -1, pattern, "this swizzle pattern is not simulated");
		lane |= l & 32;
		from[l] = w->exec >> lane & 1 ? (int8_t)lane : -1;
	}
	exchange(w, i, &i->ops[1], from);
}
