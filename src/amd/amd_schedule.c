/* List scheduling inside blocks: loads early, their uses late, within the registers that keep the occupancy.
 *
 * requires: amd_live; SSA; demand fits.
 * ensures: the same instructions in another order; demand still fits; liveness anew.
 *
 * A block is cut into regions at what nothing may cross (EXEC writes, barriers, waits, changes of the FP mode wanted). In a region the
 * ready instruction with the longest latency-weighted path to the end is next; where registers run short, the one that frees most. A
 * block whose demand would no longer fit keeps its order. Values in SCC, VCC, M0 stay in the order they had, so nothing comes between
 * a definition there and its use. */
#include "amd/amd_live.h"
#include "amd/amd_ra.h"

enum { REGION_MAX = 256, SCAN_MAX = 16, GOOD_OCCUPANCY = 10, TIGHT = 4, NREGS_TRACKED = 4 };

struct dep {
	uint32_t to, next;
	uint32_t latency;
};
struct node {
	struct amd_inst *i;
	uint32_t first;      /* 1 + index of the first dependency on it */
	uint32_t npreds, height, ready;
};

struct scheduler {
	struct amd_func *f;
	struct arena tmp;
	VEC(struct node) nodes;
	VEC(struct dep) deps;
	uint32_t *def_node;  /* by temporary: 1 + node of the region */
	uint32_t *def_region;
	uint32_t *uses;      /* by temporary: reads not yet scheduled in the block */
	bitword *live_out;   /* by temporary */
	VEC(uint32_t) mem;   /* nodes that access memory */
	uint32_t region;
	struct amd_demand now, limit;
	/* fixed registers: last writer and readers since */
	struct {
		uint32_t writer; /* 1 + node */
		VEC(uint32_t) readers, clobbers;
	} reg[NREGS_TRACKED];
};

static uint32_t latency(const struct amd_inst *i)
{
	switch (amd_op_info[i->op].cls) {
	case AMD_CLS_SMEM:
		return 60;
	case AMD_CLS_LDS:
		return 40;
	case AMD_CLS_VMEM:
	case AMD_CLS_FLAT:
	case AMD_CLS_SCRATCH:
		return 160;
	case AMD_CLS_TRANS:
	case AMD_CLS_VALU64:
		return 10;
	case AMD_CLS_VALU:
		return 5;
	case AMD_CLS_PSEUDO:
		return 0;
	default:
		return 2;
	}
}

static void depend(struct scheduler *s, uint32_t from, uint32_t to, uint32_t lat)
{
	if (from == to)
		return;
	vec_push(&s->tmp, &s->deps, (struct dep){to, s->nodes.data[from].first, lat});
	s->nodes.data[from].first = s->deps.len;
	s->nodes.data[to].npreds++;
}

static int tracked(uint32_t reg)
{
	switch (reg) {
	case AMD_SCC:
		return 0;
	case AMD_VCC:
	case AMD_VCC + 1:
		return 1;
	case AMD_M0:
		return 2;
	case AMD_NULL:
		return -1;
	default:
		return 3;
	}
}

/* --- regions --- */

static bool writes_exec(const struct amd_inst *i)
{
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (i->defs[d].fixed && (i->defs[d].reg == AMD_EXEC || i->defs[d].reg == AMD_EXEC + 1))
			return true;
	return false;
}

static bool is_barrier(const struct amd_inst *i)
{
	const struct amd_op_info *info = &amd_op_info[i->op];
	if (info->flags & (AMDF_TERMINATOR | AMDF_SIDE_EFFECT) && i->op != amd_p_use)
		return true;
	switch (i->op) {
	case amd_s_getpc_b64:
	case amd_s_getreg_b32:
	case amd_s_memtime:
	case amd_s_memrealtime:
	case amd_s_sendmsg_rtn_b32:
	case amd_s_sendmsg_rtn_b64:
		return true;
	default:
		return writes_exec(i);
	}
}

/* Which setting of MODE the instruction wants; 0: any. */
static uint32_t fp_mode(const struct amd_inst *i)
{
	if (!(amd_op_info[i->op].flags & (AMDF_FP32 | AMDF_FP16_64)) || !(i->fp_f32 || i->fp_f64))
		return 0;
	return 1u | (uint32_t)i->rnd << 1 | (uint32_t)i->ftz << 4 | (uint32_t)i->fp_f32 << 5 | (uint32_t)i->fp_f64 << 6;
}

/* --- dependencies --- */

static uint32_t access_bytes(const struct amd_inst *i)
{
	const char *name = amd_op_info[i->op].name;
	uint32_t n = 4;
	if (strstr(name, "x4") || strstr(name, "b128"))
		n = 16;
	else if (strstr(name, "x3") || strstr(name, "b96"))
		n = 12;
	else if (strstr(name, "x2") || strstr(name, "b64"))
		n = 8;
	return n;
}

static bool same_operand(const struct amd_operand *x, const struct amd_operand *y)
{
	return x->kind == y->kind && (x->kind == AMD_OPND_TEMP ? x->temp == y->temp : x->kind == AMD_OPND_UNDEF);
}

static uint32_t saddr_index(const struct amd_inst *i)
{
	return amd_op_info[i->op].flags & AMDF_STORE ? 2 : 1;
}

static bool two_addresses(const struct amd_inst *i)
{
	return strstr(amd_op_info[i->op].name, "read2") || strstr(amd_op_info[i->op].name, "write2");
}

/* Same base, other bytes. */
static bool apart(const struct amd_inst *a, const struct amd_inst *b)
{
	uint8_t enc = amd_op_info[a->op].enc;
	if (enc != amd_op_info[b->op].enc || !same_operand(&a->ops[0], &b->ops[0]))
		return false;
	if ((amd_op_info[a->op].flags | amd_op_info[b->op].flags) & AMDF_ATOMIC || two_addresses(a) || two_addresses(b))
		return false;
	if ((enc == AMD_ENC_GLOBAL || enc == AMD_ENC_SCRATCH) && !same_operand(&a->ops[saddr_index(a)], &b->ops[saddr_index(b)]))
		return false;
	int64_t na = access_bytes(a), nb = access_bytes(b);
	return a->imm + na <= b->imm || b->imm + nb <= a->imm;
}

static bool is_memory(const struct amd_inst *i)
{
	return amd_op_info[i->op].flags & (AMDF_LOAD | AMDF_STORE | AMDF_ATOMIC);
}

static bool lane_exchange(const struct amd_inst *i)
{
	return i->op == amd_ds_swizzle_b32 || i->op == amd_ds_permute_b32 || i->op == amd_ds_bpermute_b32;
}

static bool pure_load(const struct amd_inst *i)
{
	uint32_t flags = amd_op_info[i->op].flags;
	return !(flags & (AMDF_STORE | AMDF_ATOMIC)) && !i->mem.is_volatile && !i->mem.order;
}

static bool ordered(const struct amd_inst *a, const struct amd_inst *b)
{
	if (pure_load(a) && pure_load(b))
		return false;
	if (a->mem.readonly || b->mem.readonly || lane_exchange(a) || lane_exchange(b))
		return false;
	if ((a->mem.is_volatile && b->mem.is_volatile) || a->mem.order || b->mem.order)
		return true;
	if (a->mem.space != b->mem.space && a->mem.space && b->mem.space)
		return false;
	return !apart(a, b);
}

static void memory_deps(struct scheduler *s, uint32_t n)
{
	const struct amd_inst *i = s->nodes.data[n].i;
	if (!is_memory(i))
		return;
	for (uint32_t k = 0; k < s->mem.len; k++)
		if (ordered(s->nodes.data[s->mem.data[k]].i, i))
			depend(s, s->mem.data[k], n, 1);
	vec_push(&s->tmp, &s->mem, n);
}

static void read_reg(struct scheduler *s, uint32_t n, uint32_t reg)
{
	int r = tracked(reg);
	if (r < 0 || reg == AMD_EXEC || reg == AMD_EXEC + 1)
		return;
	if (s->reg[r].writer)
		depend(s, s->reg[r].writer - 1, n, 2);
	vec_push(&s->tmp, &s->reg[r].readers, n);
}

/* Is what i leaves in a fixed register read by anyone? */
static bool read_later(const struct amd_inst *const *rest, uint32_t n, uint32_t reg, const struct amd_def *d)
{
	if (d->temp)
		return !d->kill;
	for (uint32_t k = 0; k < n; k++) {
		const struct amd_inst *i = rest[k];
		for (uint32_t o = 0; o < i->nops; o++)
			if (i->ops[o].kind == AMD_OPND_REG && tracked(i->ops[o].reg) == tracked(reg))
				return true;
		for (uint32_t e = 0; e < i->ndefs; e++)
			if (i->defs[e].fixed && tracked(i->defs[e].reg) == tracked(reg))
				return false;
	}
	return false;
}

static void write_reg(struct scheduler *s, uint32_t n, uint32_t reg, bool live)
{
	int r = tracked(reg);
	if (r < 0)
		return;
	/* after what the last live value's readers are */
	if (s->reg[r].writer)
		depend(s, s->reg[r].writer - 1, n, 1);
	for (uint32_t k = 0; k < s->reg[r].readers.len; k++)
		depend(s, s->reg[r].readers.data[k], n, 0);
	if (!live) {
		vec_push(&s->tmp, &s->reg[r].clobbers, n);
		return;
	}
	for (uint32_t k = 0; k < s->reg[r].clobbers.len; k++)
		depend(s, s->reg[r].clobbers.data[k], n, 0);
	vec_clear(&s->reg[r].clobbers);
	vec_clear(&s->reg[r].readers);
	s->reg[r].writer = n + 1;
}

static bool takes_piece(const struct amd_inst *i)
{
	return i->op == amd_p_split_vector || i->op == amd_p_extract_vector;
}

/* A vector is taken to pieces behind the uses of all of it: before, every piece is a copy. */
static void split_deps(struct scheduler *s, uint32_t k)
{
	const struct amd_inst *i = s->nodes.data[k].i;
	if (!takes_piece(i) || i->ops[0].kind != AMD_OPND_TEMP || s->uses[i->ops[0].temp] < 2)
		return;
	for (uint32_t n = 0; n < k; n++) {
		const struct amd_inst *p = s->nodes.data[n].i;
		for (uint32_t o = 0; o < p->nops && !takes_piece(p); o++)
			if (p->ops[o].kind == AMD_OPND_TEMP && p->ops[o].temp == i->ops[0].temp) {
				depend(s, n, k, 0);
				break;
			}
	}
}

static void build(struct scheduler *s, struct amd_inst **v, uint32_t n, uint32_t rest)
{
	vec_clear(&s->nodes);
	vec_clear(&s->deps);
	vec_clear(&s->mem);
	for (uint32_t r = 0; r < NREGS_TRACKED; r++) {
		s->reg[r].writer = 0;
		vec_clear(&s->reg[r].readers);
		vec_clear(&s->reg[r].clobbers);
	}
	s->region++;
	for (uint32_t k = 0; k < n; k++)
		vec_push(&s->tmp, &s->nodes, (struct node){.i = v[k]});
	for (uint32_t k = 0; k < n; k++) {
		struct amd_inst *i = v[k];
		for (uint32_t o = 0; o < i->nops; o++) {
			const struct amd_operand *p = &i->ops[o];
			if (p->kind == AMD_OPND_TEMP && s->def_region[p->temp] == s->region)
				depend(s, s->def_node[p->temp] - 1, k, latency(v[s->def_node[p->temp] - 1]));
			if (p->fixed && (p->kind == AMD_OPND_TEMP || p->kind == AMD_OPND_REG))
				read_reg(s, k, p->reg);
		}
		memory_deps(s, k);
		split_deps(s, k);
		for (uint32_t d = 0; d < i->ndefs; d++) {
			if (i->defs[d].temp) {
				s->def_node[i->defs[d].temp] = k + 1;
				s->def_region[i->defs[d].temp] = s->region;
			}
			if (i->defs[d].fixed)
				write_reg(s, k, i->defs[d].reg,
					read_later((const struct amd_inst *const *)v + k + 1, n + rest - k - 1, i->defs[d].reg, &i->defs[d]));
		}
	}
	for (uint32_t k = n; k-- > 0;) {
		struct node *p = &s->nodes.data[k];
		for (uint32_t e = p->first; e; e = s->deps.data[e - 1].next) {
			const struct dep *d = &s->deps.data[e - 1];
			uint32_t h = s->nodes.data[d->to].height + d->latency;
			p->height = h > p->height ? h : p->height;
		}
		p->height++;
	}
}

/* --- pressure --- */

struct delta {
	int32_t vgprs, sgprs;
};

static void count(struct delta *d, amd_rc rc, int32_t sign)
{
	if (amd_rc_vector(rc))
		d->vgprs += sign * (int32_t)amd_rc_size(rc);
	else
		d->sgprs += sign * (int32_t)amd_rc_size(rc);
}

static struct delta effect(const struct scheduler *s, const struct amd_inst *i)
{
	struct delta d = {0, 0};
	for (uint32_t o = 0; o < i->nops; o++) {
		if (i->ops[o].kind != AMD_OPND_TEMP)
			continue;
		uint32_t t = i->ops[o].temp, here = 0;
		bool first = true;
		for (uint32_t q = 0; q < i->nops; q++) {
			if (i->ops[q].kind != AMD_OPND_TEMP || i->ops[q].temp != t)
				continue;
			here++;
			first &= q >= o;
		}
		if (first && s->uses[t] == here && !bitset_has(s->live_out, t))
			count(&d, i->ops[o].rc, -1);
	}
	for (uint32_t k = 0; k < i->ndefs; k++) {
		uint32_t t = i->defs[k].temp;
		if (t && (s->uses[t] || bitset_has(s->live_out, t)))
			count(&d, i->defs[k].rc, 1);
	}
	return d;
}

static void issue(struct scheduler *s, const struct amd_inst *i)
{
	struct delta d = effect(s, i);
	s->now.vgprs += (uint32_t)d.vgprs;
	s->now.sgprs += (uint32_t)d.sgprs;
	for (uint32_t o = 0; o < i->nops; o++)
		if (i->ops[o].kind == AMD_OPND_TEMP)
			s->uses[i->ops[o].temp]--;
}

/* --- picking --- */

struct choice {
	bool fits;
	int32_t frees;
};

static struct choice weigh(const struct scheduler *s, const struct amd_inst *i)
{
	struct delta d = effect(s, i);
	int32_t room_v = (int32_t)s->limit.vgprs - (int32_t)s->now.vgprs, room_s = (int32_t)s->limit.sgprs - (int32_t)s->now.sgprs;
	struct choice c = {(d.vgprs <= 0 || d.vgprs <= room_v) && (d.sgprs <= 0 || d.sgprs <= room_s), 0};
	if (room_v < TIGHT)
		c.frees -= d.vgprs;
	if (room_s < TIGHT)
		c.frees -= d.sgprs;
	return c;
}

/* ready is in the order of falling height; what is taken is the first that fits and needs not wait. */
static uint32_t pick(const struct scheduler *s, const uint32_t *ready, uint32_t n, uint32_t cycle)
{
	uint32_t best = 0;
	struct choice have = weigh(s, s->nodes.data[ready[0]].i);
	for (uint32_t k = 1; k < n && k < SCAN_MAX; k++) {
		const struct node *p = &s->nodes.data[ready[k]], *b = &s->nodes.data[ready[best]];
		struct choice c = weigh(s, p->i);
		bool better = false;
		if (c.fits != have.fits)
			better = c.fits;
		else if (c.frees != have.frees)
			better = c.frees > have.frees;
		else if (p->i->op == amd_p_split_vector && p->ready <= (b->ready > cycle ? b->ready : cycle))
			better = true; /* costs nothing, and shows where the pieces are */
		else if (b->ready > cycle)
			better = p->ready < b->ready;
		if (better) {
			best = k;
			have = c;
		}
	}
	return best;
}

static void make_ready(const struct scheduler *s, uint32_t *ready, uint32_t *n, uint32_t k)
{
	uint32_t at = (*n)++;
	uint32_t h = s->nodes.data[k].height;
	for (; at > 0; at--) {
		uint32_t p = ready[at - 1], hp = s->nodes.data[p].height;
		if (hp > h || (hp == h && p < k))
			break;
		ready[at] = p;
	}
	ready[at] = k;
}

static void schedule_region(struct scheduler *s, struct amd_inst **v, uint32_t n, uint32_t rest)
{
	if (n < 2) {
		for (uint32_t k = 0; k < n; k++)
			issue(s, v[k]);
		return;
	}
	build(s, v, n, rest);
	uint32_t ready[REGION_MAX], nready = 0, cycle = 0;
	for (uint32_t k = 0; k < n; k++)
		if (!s->nodes.data[k].npreds)
			make_ready(s, ready, &nready, k);
	for (uint32_t out = 0; out < n; out++) {
		uint32_t at = pick(s, ready, nready, cycle), k = ready[at];
		memmove(ready + at, ready + at + 1, (--nready - at) * sizeof *ready);
		struct node *p = &s->nodes.data[k];
		if (p->ready > cycle)
			cycle = p->ready;
		issue(s, p->i);
		v[out] = p->i;
		for (uint32_t e = p->first; e; e = s->deps.data[e - 1].next) {
			const struct dep *d = &s->deps.data[e - 1];
			struct node *q = &s->nodes.data[d->to];
			if (q->ready < cycle + d->latency)
				q->ready = cycle + d->latency;
			if (--q->npreds == 0)
				make_ready(s, ready, &nready, d->to);
		}
		cycle += amd_op_info[p->i->op].cls != AMD_CLS_PSEUDO;
	}
}

static void start_block(struct scheduler *s, const struct amd_block *b)
{
	struct amd_liveness *lv = s->f->live;
	bitset_clear(s->live_out, s->f->ntemps);
	bitset_each(g, lv->out[b->id], lv->nglobal) bitset_add(s->live_out, lv->temp[g]);
	struct delta d = {0, 0};
	bitset_each(h, lv->in[b->id], lv->nglobal) count(&d, s->f->temp_rc.data[lv->temp[h]], 1);
	for (uint32_t k = 0; k < b->insts.len; k++) {
		const struct amd_inst *i = b->insts.data[k];
		if (amd_is_phi(i))
			count(&d, i->defs[0].rc, 1);
		for (uint32_t o = 0; !amd_is_phi(i) && o < i->nops; o++)
			if (i->ops[o].kind == AMD_OPND_TEMP)
				s->uses[i->ops[o].temp]++;
	}
	s->now = (struct amd_demand){(uint32_t)d.vgprs, (uint32_t)d.sgprs};
}

static void schedule_block(struct scheduler *s, struct amd_block *b)
{
	start_block(s, b);
	uint32_t k = 0, n = b->insts.len;
	while (k < n && amd_is_phi(b->insts.data[k]))
		k++;
	while (k < n) {
		struct amd_inst **v = b->insts.data + k;
		if (is_barrier(v[0])) {
			issue(s, v[0]);
			k++;
			continue;
		}
		uint32_t len = 0, mode = 0;
		while (k + len < n && len < REGION_MAX && !is_barrier(v[len])) {
			uint32_t m = fp_mode(v[len]);
			if (m && mode && m != mode)
				break;
			mode = m ? m : mode;
			len++;
		}
		schedule_region(s, v, len, n - k - len);
		k += len;
	}
}

static struct amd_demand limits(const struct amd_func *f)
{
	uint32_t vgprs = 1;
	for (uint32_t k = 0; k < f->blocks.len; k++)
		vgprs = f->blocks.data[k]->vgpr_demand > vgprs ? f->blocks.data[k]->vgpr_demand : vgprs;
	vgprs += f->spill_vgprs;
	uint32_t waves = amd_occupancy(f, vgprs), most = amd_vgpr_limit(f);
	uint32_t limit = amd_vgprs_at(f, waves > GOOD_OCCUPANCY ? GOOD_OCCUPANCY : waves);
	limit = limit < most ? limit : most;
	return (struct amd_demand){limit - f->spill_vgprs, AMD_RA_SGPRS - 5};
}

void amd_schedule(struct amd_func *f)
{
	struct scheduler s = {.f = f};
	arena_init(&s.tmp, f->arena->trap);
	struct amd_demand hard = limits(f);
	s.limit = (struct amd_demand){hard.vgprs > 8 ? hard.vgprs - 2 : hard.vgprs, hard.sgprs - 4};
	s.def_node = NEWN(&s.tmp, uint32_t, f->ntemps);
	s.def_region = NEWN(&s.tmp, uint32_t, f->ntemps);
	s.uses = NEWN(&s.tmp, uint32_t, f->ntemps);
	s.live_out = bitset_new(&s.tmp, f->ntemps);
	struct amd_inst ***old = NEWN(&s.tmp, struct amd_inst **, f->blocks.len);
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k];
		old[k] = NEWN(&s.tmp, struct amd_inst *, b->insts.len + 1);
		if (b->insts.len)
			memcpy(old[k], b->insts.data, b->insts.len * sizeof *old[k]);
		schedule_block(&s, b);
	}
	amd_live(f);
	bool undone = false;
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k];
		if (b->vgpr_demand <= hard.vgprs && b->sgpr_demand <= hard.sgprs)
			continue;
		memcpy(b->insts.data, old[k], b->insts.len * sizeof *old[k]);
		undone = true;
	}
	if (undone)
		amd_live(f);
	arena_free(&s.tmp);
}
