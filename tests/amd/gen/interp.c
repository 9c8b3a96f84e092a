/* The interpreter. */
#include "gen.h"

enum { LANES = 32, DWORDS = 16, SCRATCH = 4096 };

struct machine {
	struct arena *a;
	const struct amd_func *f;
	bool lowered;
	uint32_t (*file)[LANES];            /* lowered: by register; scalars use lane 0 */
	uint32_t (*temps)[DWORDS][GEN_LANES];
	uint32_t (*scratch)[GEN_LANES];     /* by dword */
	uint8_t active;
	struct gen_trace *trace;            /* SSA: filled */
	const struct gen_trace *want;       /* lowered: compared */
	uint32_t nstores;
	const char *fault;
};

static uint32_t mix(uint32_t h, uint32_t x)
{
	h ^= x + 0x9e3779b9u + (h << 6) + (h >> 2);
	h *= 0x85ebca6bu;
	return h ^ (h >> 13);
}

static uint32_t read(const struct machine *m, const struct amd_operand *o, uint32_t k, uint32_t lane)
{
	if (o->kind == AMD_OPND_CONST)
		return (uint32_t)(o->value >> (32 * k));
	if (o->kind == AMD_OPND_UNDEF)
		return 0;
	if (!amd_rc_vector(o->rc))
		lane = 0;
	if (!m->lowered)
		return o->kind == AMD_OPND_TEMP ? m->temps[o->temp][k][lane] : 0;
	return o->reg == AMD_EXEC ? 0 : m->file[o->reg + k][lane];
}

static void write(struct machine *m, const struct amd_def *d, uint32_t k, uint32_t lane, uint32_t v)
{
	if (d->reg == AMD_SCC)
		v &= 1;
	if (!amd_rc_vector(d->rc))
		lane = 0;
	if (m->lowered)
		m->file[d->reg + k][lane] = v;
	else if (d->temp)
		m->temps[d->temp][k][lane] = v;
}

static bool runs_in(const struct machine *m, const struct amd_def *d, uint32_t lane)
{
	return amd_rc_vector(d->rc) ? m->active >> lane & 1 : lane == 0;
}

/* The dwords of the operands, one after another. */
static uint32_t gather(const struct machine *m, const struct amd_inst *i, uint32_t lane, uint32_t *v)
{
	uint32_t n = 0;
	for (uint32_t o = 0; o < i->nops; o++)
		for (uint32_t k = 0; k < amd_rc_size(i->ops[o].rc) && n < 64; k++)
			v[n++] = read(m, &i->ops[o], k, lane);
	return n;
}

static void moves(struct machine *m, const struct amd_inst *i)
{
	uint32_t v[GEN_LANES][64];
	for (uint32_t lane = 0; lane < GEN_LANES; lane++)
		gather(m, i, lane, v[lane]);
	uint32_t at = i->op == amd_p_extract_vector ? (uint32_t)i->imm * amd_rc_size(i->defs[0].rc) : 0;
	for (uint32_t d = 0; d < i->ndefs; d++)
		for (uint32_t k = 0; k < amd_rc_size(i->defs[d].rc); k++, at++)
			for (uint32_t lane = 0; lane < GEN_LANES; lane++)
				if (runs_in(m, &i->defs[d], lane))
					write(m, &i->defs[d], k, lane, v[lane][at]);
}

static uint32_t hash_operands(const struct machine *m, const struct amd_inst *i, uint32_t lane)
{
	uint32_t h = mix(1, i->op), first = 0;
	if (amd_op_info[i->op].flags & AMDF_COMMUTES || i->op == amd_v_cmp_eq_u32) {
		first = 2;
		for (uint32_t k = 0; k < amd_rc_size(i->ops[0].rc); k++)
			h = mix(h, read(m, &i->ops[0], k, lane) + read(m, &i->ops[1], k, lane));
	}
	for (uint32_t o = first; o < i->nops; o++)
		for (uint32_t k = 0; i->ops[o].kind != AMD_OPND_UNDEF && k < amd_rc_size(i->ops[o].rc); k++)
			h = mix(h, read(m, &i->ops[o], k, lane));
	return h;
}

/* Instructions that amd_combine rewrites compute what they do. */
static bool exact(uint32_t op, const uint32_t *x, uint32_t *r)
{
	uint32_t lo, hi;
	switch (op) {
	case amd_s_add_u32:
	case amd_v_add_nc_u32:
		*r = x[0] + x[1];
		return true;
	case amd_s_sub_u32:
	case amd_v_sub_nc_u32:
		*r = x[0] - x[1];
		return true;
	case amd_s_lshl_b32:
		*r = x[0] << (x[1] & 31);
		return true;
	case amd_v_lshlrev_b32:
		*r = x[1] << (x[0] & 31);
		return true;
	case amd_s_and_b32:
	case amd_v_and_b32:
		*r = x[0] & x[1];
		return true;
	case amd_s_or_b32:
	case amd_v_or_b32:
		*r = x[0] | x[1];
		return true;
	case amd_s_xor_b32:
	case amd_v_xor_b32:
		*r = x[0] ^ x[1];
		return true;
	case amd_s_not_b32:
	case amd_v_not_b32:
		*r = ~x[0];
		return true;
	case amd_s_andn2_b32:
		*r = x[0] & ~x[1];
		return true;
	case amd_s_orn2_b32:
		*r = x[0] | ~x[1];
		return true;
	case amd_v_bfi_b32:
		*r = (x[0] & x[1]) | (~x[0] & x[2]);
		return true;
	case amd_s_max_u32:
	case amd_v_max_u32:
		*r = x[0] > x[1] ? x[0] : x[1];
		return true;
	case amd_s_min_u32:
	case amd_v_min_u32:
		*r = x[0] < x[1] ? x[0] : x[1];
		return true;
	case amd_v_max3_u32:
		*r = x[0] > x[1] ? x[0] : x[1];
		*r = *r > x[2] ? *r : x[2];
		return true;
	case amd_v_min3_u32:
		*r = x[0] < x[1] ? x[0] : x[1];
		*r = *r < x[2] ? *r : x[2];
		return true;
	case amd_v_med3_u32:
		lo = x[0] < x[1] ? x[0] : x[1];
		hi = x[0] < x[1] ? x[1] : x[0];
		*r = x[2] < lo ? lo : x[2] > hi ? hi : x[2];
		return true;
	case amd_v_add3_u32:
		*r = x[0] + x[1] + x[2];
		return true;
	case amd_v_lshl_add_u32:
		*r = (x[0] << (x[1] & 31)) + x[2];
		return true;
	case amd_v_add_lshl_u32:
		*r = (x[0] + x[1]) << (x[2] & 31);
		return true;
	case amd_v_lshl_or_b32:
		*r = x[0] << (x[1] & 31) | x[2];
		return true;
	case amd_v_and_or_b32:
		*r = (x[0] & x[1]) | x[2];
		return true;
	case amd_v_or3_b32:
		*r = x[0] | x[1] | x[2];
		return true;
	case amd_v_xor3_b32:
		*r = x[0] ^ x[1] ^ x[2];
		return true;
	case amd_v_xad_u32:
		*r = (x[0] ^ x[1]) + x[2];
		return true;
	case amd_v_mul_lo_u32:
		*r = x[0] * x[1];
		return true;
	case amd_v_mul_u32_u24:
		*r = (x[0] & 0xffffff) * (x[1] & 0xffffff);
		return true;
	case amd_v_mad_u32_u24:
		*r = (x[0] & 0xffffff) * (x[1] & 0xffffff) + x[2];
		return true;
	default:
		return false;
	}
}

/* What else it writes is anything. */
static void compute_low(struct machine *m, const struct amd_inst *i)
{
	uint32_t sum[GEN_LANES];
	for (uint32_t lane = 0; lane < GEN_LANES; lane++)
		sum[lane] = read(m, &i->ops[0], 0, lane) * read(m, &i->ops[1], 0, lane) + read(m, &i->ops[2], 0, lane);
	for (uint32_t lane = 0; lane < GEN_LANES; lane++)
		if (runs_in(m, &i->defs[0], lane)) {
			write(m, &i->defs[0], 0, lane, sum[lane]);
			write(m, &i->defs[0], 1, lane, m->lowered);
		}
	write(m, &i->defs[1], 0, 0, m->lowered);
}

static void compute(struct machine *m, const struct amd_inst *i)
{
	uint32_t h[GEN_LANES], all = 0;
	for (uint32_t lane = 0; lane < GEN_LANES; lane++) {
		h[lane] = hash_operands(m, i, lane);
		if (m->active >> lane & 1)
			all = mix(all, h[lane]);
	}
	for (uint32_t lane = 0; lane < GEN_LANES; lane++) {
		uint32_t x[64] = {0}, r;
		gather(m, i, lane, x);
		if (!exact(i->op, x, &r))
			break;
		if (runs_in(m, &i->defs[0], lane))
			h[lane] = r;
		if (lane == GEN_LANES - 1) {
			bool logic = i->op == amd_s_and_b32 || i->op == amd_s_or_b32 || i->op == amd_s_andn2_b32 || i->op == amd_s_orn2_b32;
			if (i->ndefs > 1)
				write(m, &i->defs[1], 0, 0, logic ? h[0] != 0 : mix(hash_operands(m, i, 0), 16));
			for (lane = 0; lane < GEN_LANES; lane++)
				if (runs_in(m, &i->defs[0], lane))
					write(m, &i->defs[0], 0, lane, h[lane]);
			return;
		}
	}
	uint8_t cls = amd_op_info[i->op].cls;
	bool from_lanes = cls == AMD_CLS_VALU || cls == AMD_CLS_VALU64;
	for (uint32_t d = 0; d < i->ndefs; d++)
		for (uint32_t k = 0; k < amd_rc_size(i->defs[d].rc); k++)
			for (uint32_t lane = 0; lane < GEN_LANES; lane++)
				if (runs_in(m, &i->defs[d], lane))
					write(m, &i->defs[d], k, lane,
						mix(!amd_rc_vector(i->defs[d].rc) && from_lanes ? all : h[lane], d * 16 + k));
}

static void store(struct machine *m, const struct amd_inst *i)
{
	for (uint32_t lane = 0; lane < GEN_LANES; lane++) {
		if (!(m->active >> lane & 1))
			continue;
		uint64_t v = (uint64_t)hash_operands(m, i, lane) << 8 | lane;
		if (!m->lowered)
			vec_push(m->a, &m->trace->stores, v);
		else if (m->nstores >= m->want->stores.len || m->want->stores.data[m->nstores] != v)
			m->fault = "a store sees other values";
		m->nstores++;
	}
}

static void spill_memory(struct machine *m, const struct amd_inst *i, bool is_store)
{
	const struct amd_operand *base = &i->ops[is_store ? 2 : 1];
	uint32_t at = ((uint32_t)i->imm + read(m, base, 0, 0)) / 4;
	uint32_t n = amd_rc_size(is_store ? i->ops[1].rc : i->defs[0].rc);
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t lane = 0; lane < GEN_LANES; lane++) {
			if (!(m->active >> lane & 1) || at + k >= SCRATCH)
				continue;
			if (is_store)
				m->scratch[at + k][lane] = read(m, &i->ops[1], k, lane);
			else
				write(m, &i->defs[0], k, lane, m->scratch[at + k][lane]);
		}
}

static void step(struct machine *m, const struct amd_inst *i)
{
	uint32_t v;
	switch (i->op) {
	case amd_s_nop:
	case amd_p_use:
	case amd_p_lane_end:
	case amd_s_endpgm:
		return;
	case amd_p_startpgm:
		for (uint32_t d = 0; d < i->ndefs; d++)
			for (uint32_t k = 0; k < amd_rc_size(i->defs[d].rc); k++)
				for (uint32_t lane = 0; lane < GEN_LANES; lane++)
					write(m, &i->defs[d], k, lane, mix(i->defs[d].reg + k, amd_rc_vector(i->defs[d].rc) ? lane : 0));
		return;
	case amd_p_create_vector:
	case amd_p_split_vector:
	case amd_p_extract_vector:
	case amd_p_parallelcopy:
	case amd_s_mov_b32:
	case amd_v_mov_b32:
	case amd_v_swap_b32:
		moves(m, i);
		return;
	case amd_s_mov_b64:
		for (uint32_t k = 0, w[2] = {read(m, &i->ops[0], 0, 0), read(m, &i->ops[0], 1, 0)}; k < 2; k++)
			write(m, &i->defs[0], k, 0, w[k]);
		return;
	case amd_s_movk_i32:
		write(m, &i->defs[0], 0, 0, (uint32_t)i->imm);
		return;
	case amd_s_add_u32: /* amd_combine makes v_add_nc_u32 of it */
		v = read(m, &i->ops[0], 0, 0);
		for (uint32_t sum = v + read(m, &i->ops[1], 0, 0), k = 0; k < 2; k++)
			write(m, &i->defs[k], 0, 0, k ? sum < v : sum);
		return;
	case amd_s_cselect_b32:
		write(m, &i->defs[0], 0, 0, read(m, &i->ops[read(m, &i->ops[2], 0, 0) ? 0 : 1], 0, 0));
		return;
	case amd_s_cmp_lg_u32:
		write(m, &i->defs[0], 0, 0, read(m, &i->ops[0], 0, 0) != read(m, &i->ops[1], 0, 0));
		return;
	case amd_v_readlane_b32:
		m->file[i->defs[0].reg][0] = m->file[i->ops[0].reg][i->ops[1].value];
		return;
	case amd_v_writelane_b32:
		v = read(m, &i->ops[0], 0, 0);
		m->file[i->defs[0].reg][i->ops[1].value] = v;
		return;
	case amd_global_store_dword:
		store(m, i);
		return;
	default:
		if (i->op == amd_v_mad_u64_u32 && i->ops[2].low)
			compute_low(m, i);
		else if (amd_op_info[i->op].cls == AMD_CLS_SCRATCH)
			spill_memory(m, i, amd_op_info[i->op].flags & AMDF_STORE);
		else if (!(amd_op_info[i->op].flags & AMDF_TERMINATOR))
			compute(m, i);
	}
}

static struct machine *machine(struct arena *a, const struct amd_func *f, bool lowered)
{
	struct machine *m = NEW(a, struct machine);
	m->a = a;
	m->f = f;
	m->lowered = lowered;
	m->file = arena_alloc(a, AMD_NREGS * sizeof *m->file);
	m->scratch = arena_alloc(a, SCRATCH * sizeof *m->scratch);
	if (!lowered)
		m->temps = arena_alloc(a, f->ntemps * sizeof *m->temps);
	return m;
}

static uint32_t index_of(const uint32_t *v, uint32_t n, uint32_t x)
{
	uint32_t k = 0;
	while (k < n && v[k] != x)
		k++;
	return k;
}

static void run_phis(struct machine *m, const struct amd_block *b, uint32_t wave_from, const uint32_t *lane_from)
{
	uint32_t n = 0;
	while (n < b->insts.len && amd_is_phi(b->insts.data[n]))
		n++;
	uint32_t (*v)[DWORDS][GEN_LANES] = arena_alloc(m->a, (n + 1) * sizeof *v);
	for (uint32_t k = 0; k < n; k++) {
		const struct amd_inst *i = b->insts.data[k];
		for (uint32_t lane = 0; lane < GEN_LANES; lane++) {
			bool vec = i->op == amd_p_phi;
			uint32_t e = vec ? index_of(b->lane_preds.data, b->lane_preds.len, lane_from[lane])
					 : index_of(b->wave_preds.data, b->wave_preds.len, wave_from);
			for (uint32_t d = 0; e < i->nops && d < amd_rc_size(i->defs[0].rc); d++)
				v[k][d][lane] = read(m, &i->ops[e], d, lane);
		}
	}
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t d = 0; d < amd_rc_size(b->insts.data[k]->defs[0].rc); d++)
			for (uint32_t lane = 0; lane < GEN_LANES; lane++)
				if (runs_in(m, &b->insts.data[k]->defs[0], lane))
					write(m, &b->insts.data[k]->defs[0], d, lane, v[k][d][lane]);
}

static bool uniform(const struct amd_block *b)
{
	const struct amd_inst *last = vec_last(&b->insts);
	return !last->nops || last->ops[0].reg != AMD_EXEC;
}

static uint32_t marker(const struct amd_block *b)
{
	for (uint32_t k = 0; k < b->insts.len; k++)
		if (b->insts.data[k]->op == amd_s_nop)
			return (uint32_t)b->insts.data[k]->imm;
	return UINT32_MAX;
}

void gen_run_ssa(struct arena *a, const struct amd_func *f, uint32_t seed, uint32_t steps, struct gen_trace *t)
{
	struct machine *m = machine(a, f, false);
	m->trace = t;
	uint32_t at = 0, from = 0, lane_at[GEN_LANES] = {0}, lane_from[GEN_LANES] = {0}, rng = seed * 77777 + 1;
	for (;; steps--) {
		const struct amd_block *b = f->blocks.data[at];
		m->active = 0;
		for (uint32_t lane = 0; lane < GEN_LANES; lane++)
			m->active |= (uint8_t)((lane_at[lane] == at && !b->is_flow) << lane);
		vec_push(a, &t->blocks, marker(b));
		vec_push(a, &t->active, m->active);
		run_phis(m, b, from, lane_from);
		for (uint32_t k = 0; k < b->insts.len; k++)
			if (!amd_is_phi(b->insts.data[k]))
				step(m, b->insts.data[k]);
		if (!b->wave_succs.len || !steps)
			return;
		uint32_t same = (rng = mix(rng, 5)) % 3;
		for (uint32_t lane = 0; lane < GEN_LANES && b->lane_succs.len; lane++) {
			if (!(m->active >> lane & 1))
				continue;
			uint32_t way = uniform(b) ? same : (rng = mix(rng, lane)) % 3;
			lane_from[lane] = at;
			lane_at[lane] = b->lane_succs.data[b->lane_succs.len == 1 ? 0 : way != 0];
		}
		uint32_t k = 0;
		for (; k + 1 < b->wave_succs.len; k++) {
			bool waits = false;
			for (uint32_t lane = 0; lane < GEN_LANES; lane++)
				waits |= lane_at[lane] == b->wave_succs.data[k];
			if (waits)
				break;
		}
		from = at;
		at = b->wave_succs.data[k];
	}
}

const char *gen_run_lowered(struct arena *a, const struct amd_func *f, const struct gen_trace *t)
{
	struct machine *m = machine(a, f, true);
	m->want = t;
	/* what amd_lower_pseudos took away */
	struct amd_inst *start = amd_inst_new((struct amd_func *)f, amd_p_startpgm, 3, 0);
	start->defs[0] = amd_def_reg(0, AMD_S(2));
	start->defs[1] = amd_def_reg(2, AMD_S(1));
	start->defs[2] = amd_def_reg(AMD_VGPR0, AMD_V(1));
	step(m, start);
	/* the set-up of FLAT_SCRATCH takes two user SGPRs before the workgroup's id */
	m->file[f->abi.user_sgprs][0] = m->file[2][0];
	uint32_t at = 0;
	for (uint32_t n = 0; n < t->blocks.len;) {
		const struct amd_block *b = f->blocks.data[at];
		if (marker(b) != UINT32_MAX) {
			if (marker(b) != t->blocks.data[n])
				return "another block";
			m->active = t->active.data[n++];
		}
		for (uint32_t k = 0; k < b->insts.len && !m->fault; k++)
			step(m, b->insts.data[k]);
		if (m->fault)
			return m->fault;
		if (n == t->blocks.len)
			break;
		uint32_t next = UINT32_MAX;
		for (uint32_t k = 0; k < b->wave_succs.len; k++) {
			const struct amd_block *s = f->blocks.data[b->wave_succs.data[k]];
			uint32_t id = marker(s);
			if (id == UINT32_MAX)
				id = marker(f->blocks.data[s->wave_succs.data[0]]);
			if (id == t->blocks.data[n])
				next = s->id;
		}
		if (next == UINT32_MAX)
			return "no way to the next block";
		at = next;
	}
	return m->nstores == t->stores.len ? NULL : "fewer stores";
}
