/* The generator: structured control flow, uniform and divergent, with the wave graph that reconvergence makes. */
#include "gen.h"

#include "ir/ir.h"

enum { V1, V2, V4, S1, S2, S4, CLASSES };
static const amd_rc class_rc[CLASSES] = {AMD_V(1), AMD_V(2), AMD_V(4), AMD_S(1), AMD_S(2), AMD_S(4)};

struct pool {
	VEC(uint32_t) temps[CLASSES];
};

struct gen {
	struct amd_func *f;
	struct amd_block *b;
	struct pool pool;
	const struct gen_options *o;
	uint64_t rng;
	uint32_t depth;
};

static uint32_t rnd(struct gen *g, uint32_t n)
{
	g->rng ^= g->rng << 13;
	g->rng ^= g->rng >> 7;
	g->rng ^= g->rng << 17;
	return (uint32_t)(g->rng >> 33) % n;
}

static bool is_vec(uint32_t cls)
{
	return cls <= V4;
}

static void keep(struct gen *g, uint32_t cls, uint32_t t)
{
	vec_push(g->f->arena, &g->pool.temps[cls], t);
}

static uint32_t class_of(amd_rc rc)
{
	for (uint32_t c = 0; c < CLASSES; c++)
		if (class_rc[c] == rc)
			return c;
	return CLASSES;
}

static struct amd_inst *put(struct gen *g, enum amd_op op, uint32_t nd, uint32_t no)
{
	struct amd_inst *i = amd_inst_new(g->f, op, nd, no);
	amd_append(g->f, g->b, i);
	return i;
}

static uint32_t define(struct gen *g, struct amd_inst *i, uint32_t d, amd_rc rc)
{
	uint32_t t = amd_temp_new(g->f, rc);
	i->defs[d] = amd_def_temp(g->f, t);
	return t;
}

/* A value in scope; old ones are less likely, so `vectors` bounds what is in use. */
static uint32_t pick(struct gen *g, uint32_t cls)
{
	uint32_t n = g->pool.temps[cls].len, window = g->o->vectors;
	if (!n) {
		struct amd_inst *i;
		uint32_t parts = amd_rc_size(class_rc[cls]);
		if (parts == 1) {
			i = put(g, is_vec(cls) ? amd_v_mov_b32 : amd_s_mov_b32, 1, 1);
			i->ops[0] = amd_use_const(rnd(g, 100000));
		} else {
			i = put(g, amd_p_create_vector, 1, parts);
			for (uint32_t k = 0; k < parts; k++)
				i->ops[k] = amd_use_const(rnd(g, 100000));
		}
		keep(g, cls, define(g, i, 0, class_rc[cls]));
		n = 1;
	}
	uint32_t back = n < window || !rnd(g, 8) ? rnd(g, n) : rnd(g, window);
	return g->pool.temps[cls].data[n - 1 - back];
}

static struct amd_operand use(struct gen *g, uint32_t cls)
{
	return amd_use(g->f, pick(g, cls));
}

static struct amd_inst *put_scalar(struct gen *g, struct amd_operand x)
{
	static const uint16_t ops[] = {amd_s_add_u32, amd_s_add_u32, amd_s_add_u32, amd_s_sub_u32, amd_s_lshl_b32, amd_s_and_b32, amd_s_or_b32, amd_s_or_b32,
		amd_s_xor_b32, amd_s_not_b32, amd_s_andn2_b32, amd_s_max_u32, amd_s_min_u32, amd_s_min_u32};
	uint32_t op = ops[rnd(g, sizeof ops / sizeof *ops)];
	struct amd_operand y = rnd(g, 2) ? use(g, S1) : amd_use_const(rnd(g, 3) ? rnd(g, 70000) : 0);
	struct amd_inst *i = put(g, op, 2, op == amd_s_not_b32 ? 1 : 2);
	i->ops[0] = x;
	if (i->nops > 1)
		i->ops[1] = y;
	return i;
}

static void scalar_alu(struct gen *g)
{
	struct amd_inst *i = put_scalar(g, use(g, S1));
	keep(g, S1, define(g, i, 0, AMD_S(1)));
	uint32_t scc = amd_temp_new(g->f, AMD_S(1));
	i->defs[1] = rnd(g, 2) ? amd_def_fixed(g->f, scc, AMD_SCC) : amd_def_reg(AMD_SCC, AMD_S(1));
	if (!i->defs[1].temp)
		return;
	/* reads SCC now, or after something else has overwritten it, or keeps it for a distant use */
	if (rnd(g, 3) == 0)
		keep(g, S1, scc);
	if (rnd(g, 2)) {
		struct amd_inst *c = put(g, amd_s_cmp_eq_u32, 1, 2);
		c->ops[0] = use(g, S1);
		c->ops[1] = use(g, S1);
		c->defs[0] = amd_def_reg(AMD_SCC, AMD_S(1));
	}
	struct amd_inst *s = put(g, rnd(g, 2) ? amd_s_cselect_b32 : amd_s_addc_u32, 1, 3);
	s->ops[0] = use(g, S1);
	s->ops[1] = use(g, S1);
	s->ops[2] = amd_use_fixed(g->f, scc, AMD_SCC);
	if (s->op == amd_s_addc_u32) {
		struct amd_inst *wide = amd_inst_new(g->f, amd_s_addc_u32, 2, 3);
		memcpy(wide->ops, s->ops, 3 * sizeof *s->ops);
		wide->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
		vec_last(&g->b->insts) = s = wide;
	}
	keep(g, S1, define(g, s, 0, AMD_S(1)));
}

/* The low half of a product plus a sum. */
static void low_sum(struct gen *g)
{
	struct amd_operand ops[3] = {rnd(g, 3) ? use(g, V1) : amd_use_const(rnd(g, 100000)), use(g, V1), use(g, V1)};
	struct amd_inst *i = put(g, amd_v_mad_u64_u32, 2, 3);
	bool late = rnd(g, 2);
	memcpy(i->ops, ops, sizeof ops);
	for (uint32_t k = 0; k < 3; k++)
		i->ops[k].late_kill = late;
	i->ops[2].low = true;
	uint32_t sum = define(g, i, 0, AMD_V(2));
	i->defs[1] = (struct amd_def){.rc = AMD_S(1), .reg = AMD_NOREG};
	i = put(g, amd_p_split_vector, 2, 1);
	i->ops[0] = amd_use(g->f, sum);
	keep(g, V1, define(g, i, 0, AMD_V(1)));
	define(g, i, 1, AMD_V(1));
}

static void vector_alu(struct gen *g)
{
	static const uint16_t ops[] = {amd_v_add_nc_u32, amd_v_mul_lo_u32, amd_v_xor_b32, amd_v_add3_u32, amd_v_fmac_f32, amd_v_mad_u64_u32,
		amd_v_fmac_f32, amd_v_and_or_b32, amd_v_add_nc_u32, amd_v_lshlrev_b32, amd_v_or_b32, amd_v_and_b32, amd_v_mul_u32_u24};
	uint32_t op = ops[rnd(g, sizeof ops / sizeof *ops)];
	uint32_t n = op == amd_v_add3_u32 || op == amd_v_and_or_b32 || op == amd_v_fmac_f32 || op == amd_v_mad_u64_u32 ? 3 : 2;
	struct amd_inst *i = put(g, op, op == amd_v_mad_u64_u32 ? 2 : 1, n);
	(void)vec_pop(&g->b->insts);
	i->ops[0] = rnd(g, 3) ? use(g, V1) : rnd(g, 2) ? use(g, S1) : amd_use_const(rnd(g, 2) * rnd(g, 100));
	i->ops[1] = use(g, V1);
	if (n == 3)
		i->ops[2] = use(g, op == amd_v_mad_u64_u32 ? V2 : V1);
	if (op == amd_v_mad_u64_u32) {
		i->ops[0].late_kill = i->ops[1].late_kill = i->ops[2].late_kill = true;
		keep(g, V2, define(g, i, 0, AMD_V(2)));
		i->defs[1] = (struct amd_def){.rc = AMD_S(1), .reg = AMD_NOREG};
	} else {
		keep(g, V1, define(g, i, 0, AMD_V(1)));
	}
	amd_append(g->f, g->b, i);
}

static void masks(struct gen *g)
{
	struct amd_inst *c = put(g, amd_v_cmp_eq_u32, 1, 2);
	(void)vec_pop(&g->b->insts);
	c->ops[0] = use(g, V1);
	c->ops[1] = use(g, V1);
	uint32_t m = define(g, c, 0, AMD_S(1));
	amd_append(g->f, g->b, c);
	if (rnd(g, 3) == 0) {
		uint32_t vcc = amd_temp_new(g->f, AMD_S(1));
		struct amd_operand a = use(g, V1), b = use(g, V1), d = use(g, V1);
		struct amd_inst *s = put(g, amd_v_div_scale_f32, 2, 3);
		s->ops[0] = a;
		s->ops[1] = b;
		s->ops[2] = d;
		keep(g, V1, define(g, s, 0, AMD_V(1)));
		s->defs[1] = amd_def_fixed(g->f, vcc, AMD_VCC);
		a = use(g, V1);
		struct amd_inst *q = put(g, amd_v_div_fmas_f32, 1, 4);
		q->ops[0] = q->ops[1] = a;
		q->ops[2] = b;
		q->ops[3] = amd_use_fixed(g->f, vcc, AMD_VCC);
		keep(g, V1, define(g, q, 0, AMD_V(1)));
	}
	struct amd_operand a = use(g, V1), b = use(g, V1);
	struct amd_inst *s = put(g, amd_v_cndmask_b32, 1, 3);
	s->ops[0] = a;
	s->ops[1] = b;
	s->ops[2] = amd_use(g->f, m);
	keep(g, V1, define(g, s, 0, AMD_V(1)));
	keep(g, S1, m);
}

static void vectors(struct gen *g)
{
	uint32_t cls = (uint32_t[]){V2, V4, S2, S4}[rnd(g, 4)], one = is_vec(cls) ? V1 : S1, parts = amd_rc_size(class_rc[cls]);
	struct amd_operand ops[4];
	if (rnd(g, 2)) {
		for (uint32_t k = 0; k < parts; k++)
			ops[k] = rnd(g, 6) ? use(g, one) : amd_use_const(rnd(g, 100000));
		struct amd_inst *i = put(g, amd_p_create_vector, 1, parts);
		memcpy(i->ops, ops, parts * sizeof *ops);
		keep(g, cls, define(g, i, 0, class_rc[cls]));
	} else if (rnd(g, 2)) {
		ops[0] = use(g, cls);
		struct amd_inst *i = put(g, amd_p_split_vector, parts, 1);
		i->ops[0] = ops[0];
		for (uint32_t k = 0; k < parts; k++)
			keep(g, one, define(g, i, k, class_rc[one]));
	} else {
		ops[0] = use(g, cls);
		struct amd_inst *i = put(g, amd_p_extract_vector, 1, 1);
		i->ops[0] = ops[0];
		i->imm = (int32_t)rnd(g, parts);
		keep(g, one, define(g, i, 0, class_rc[one]));
	}
}

static struct amd_operand none(amd_rc rc)
{
	return (struct amd_operand){.kind = AMD_OPND_UNDEF, .rc = rc, .reg = AMD_NOREG};
}

static void memory(struct gen *g)
{
	uint32_t wide = rnd(g, 2);
	struct amd_operand addr = use(g, V2), data = use(g, V1), base = use(g, S2);
	struct amd_inst *i;
	switch (rnd(g, 3)) {
	case 0:
		i = put(g, wide ? amd_global_load_dwordx4 : amd_global_load_dword, 1, 2);
		i->ops[0] = addr;
		i->ops[1] = none(AMD_S(2));
		keep(g, wide ? V4 : V1, define(g, i, 0, wide ? AMD_V(4) : AMD_V(1)));
		break;
	case 1:
		i = put(g, wide ? amd_s_load_dwordx4 : amd_s_load_dwordx2, 1, 2);
		i->ops[0] = base;
		i->ops[1] = none(AMD_S(1));
		keep(g, wide ? S4 : S2, define(g, i, 0, wide ? AMD_S(4) : AMD_S(2)));
		break;
	default:
		i = put(g, amd_global_store_dword, 0, 3);
		i->ops[0] = addr;
		i->ops[1] = data;
		i->ops[2] = none(AMD_S(2));
	}
}

/* Scalar results of which only a VGPR comes. */
static void scalar_to_vector(struct gen *g)
{
	struct amd_operand x = use(g, S1);
	for (uint32_t n = 1 + rnd(g, 3); n > 0; n--) {
		struct amd_inst *i = put_scalar(g, x);
		uint32_t t = define(g, i, 0, AMD_S(1));
		x = amd_use(g->f, t);
		i->defs[1] = amd_def_reg(AMD_SCC, AMD_S(1));
	}
	bool copy = rnd(g, 2);
	struct amd_operand y = use(g, V1);
	struct amd_inst *v = put(g, copy ? amd_v_mov_b32 : rnd(g, 2) ? amd_v_or_b32 : amd_v_add_nc_u32, 1, copy ? 1 : 2);
	v->ops[0] = x;
	if (!copy)
		v->ops[1] = y;
	keep(g, V1, define(g, v, 0, AMD_V(1)));
}

static void lane_ops(struct gen *g)
{
	struct amd_operand v = use(g, V1);
	struct amd_operand s = use(g, S1);
	if (rnd(g, 2)) {
		struct amd_inst *i = put(g, amd_v_mov_b32, 1, 1);
		i->ops[0] = s;
		keep(g, V1, define(g, i, 0, AMD_V(1)));
	} else {
		struct amd_operand w = use(g, V1);
		struct amd_inst *i = put(g, amd_p_parallelcopy, 2, 2);
		i->ops[0] = v;
		i->ops[1] = w;
		keep(g, V1, define(g, i, 0, AMD_V(1)));
		keep(g, V1, define(g, i, 1, AMD_V(1)));
	}
}

static void straight(struct gen *g)
{
	static void (*const kinds[])(struct gen *) = {scalar_alu, vector_alu, vector_alu, masks, vectors, vectors, memory, lane_ops,
		low_sum, scalar_to_vector};
	for (uint32_t n = rnd(g, g->o->size) + 1; n > 0; n--)
		kinds[rnd(g, sizeof kinds / sizeof *kinds)](g);
}

/* --- control flow --- */

static struct amd_block *open(struct gen *g)
{
	g->b = amd_block_new(g->f);
	g->b->loop_depth = g->depth;
	struct amd_inst *mark = put(g, amd_s_nop, 0, 0);
	mark->imm = (int32_t)g->b->id;
	return g->b;
}

static struct pool copy_pool(struct gen *g)
{
	struct pool p = {0};
	for (uint32_t c = 0; c < CLASSES; c++)
		for (uint32_t k = 0; k < g->pool.temps[c].len; k++)
			vec_push(g->f->arena, &p.temps[c], g->pool.temps[c].data[k]);
	return p;
}

/* A block with phis was opened with its marker first; the phi goes before it. */
static void put_phi(struct gen *g, struct amd_block *b, uint32_t cls, const uint32_t *from, uint32_t n)
{
	struct amd_inst *phi = amd_inst_new(g->f, is_vec(cls) ? amd_p_phi : amd_p_wave_phi, 1, n);
	for (uint32_t k = 0; k < n; k++)
		phi->ops[k] = from[k] ? amd_use(g->f, from[k]) : amd_use_const(7 + k);
	uint32_t t = define(g, phi, 0, class_rc[cls]);
	vec_push(g->f->arena, &b->insts, NULL);
	memmove(b->insts.data + 1, b->insts.data, (b->insts.len - 1) * sizeof *b->insts.data);
	b->insts.data[0] = phi;
	keep(g, cls, t);
}

static uint32_t any(struct gen *g, const struct pool *p, uint32_t cls)
{
	return p->temps[cls].len ? p->temps[cls].data[p->temps[cls].len - 1 - rnd(g, p->temps[cls].len < 6 ? p->temps[cls].len : 6)] : 0;
}

static void edge(struct gen *g, struct amd_block *from, struct amd_block *to, bool lane, bool wave)
{
	if (lane)
		amd_lane_edge(g->f, from, to);
	if (wave)
		amd_wave_edge(g->f, from, to);
}

static void branch(struct gen *g, struct amd_block *b, struct amd_block *target, bool on_exec)
{
	struct amd_block *save = g->b;
	g->b = b;
	struct amd_inst *i;
	if (on_exec) {
		put(g, amd_p_lane_end, 0, 0);
		i = put(g, amd_p_cbranch_z, 0, 1);
		i->ops[0] = amd_use_reg(AMD_EXEC, AMD_S(1));
	} else {
		struct amd_inst *c = put(g, amd_s_cmp_lg_u32, 1, 2);
		(void)vec_pop(&b->insts);
		c->ops[0] = use(g, S1);
		c->ops[1] = use(g, S1);
		uint32_t scc = amd_temp_new(g->f, AMD_S(1));
		c->defs[0] = amd_def_fixed(g->f, scc, AMD_SCC);
		amd_append(g->f, b, c);
		i = put(g, amd_p_cbranch_nz, 0, 1);
		i->ops[0] = amd_use_fixed(g->f, scc, AMD_SCC);
		if (rnd(g, 4) == 0)
			keep(g, S1, scc);
	}
	i->target = target;
	g->b = save;
}

static void region(struct gen *g, uint32_t depth);

static void uniform_if(struct gen *g, uint32_t depth)
{
	struct amd_block *head = g->b;
	struct pool outer = copy_pool(g);
	struct amd_block *t = open(g);
	edge(g, head, t, true, true);
	region(g, depth - 1);
	struct amd_block *t_end = g->b;
	struct pool in_t = g->pool;
	g->pool = outer;
	g->pool = copy_pool(g);
	struct amd_block *e = open(g);
	edge(g, head, e, true, true);
	region(g, depth - 1);
	struct amd_block *e_end = g->b;
	struct pool in_e = g->pool;
	g->pool = outer;
	branch(g, head, e, false);
	struct amd_block *join = open(g);
	edge(g, t_end, join, true, true);
	edge(g, e_end, join, true, true);
	g->b = t_end;
	put(g, amd_p_branch, 0, 0)->target = join;
	g->b = join;
	for (uint32_t c = 0; c < CLASSES; c++)
		for (uint32_t k = rnd(g, 3); k > 0; k--) {
			uint32_t from[2] = {any(g, &in_t, c), any(g, &in_e, c)};
			if ((from[0] && from[1]) || amd_rc_size(class_rc[c]) == 1)
				put_phi(g, join, c, from, 2);
		}
}

static void divergent_if(struct gen *g, uint32_t depth)
{
	struct amd_block *head = g->b;
	struct pool outer = copy_pool(g);
	struct amd_block *t = open(g);
	edge(g, head, t, true, true);
	region(g, depth - 1);
	struct amd_block *t_end = g->b;
	struct pool in_t = g->pool;
	g->pool = outer;
	g->pool = copy_pool(g);
	struct amd_block *flow = open(g);
	flow->is_flow = true;
	edge(g, head, flow, false, true);
	edge(g, t_end, flow, false, true);
	branch(g, head, flow, true);
	uint32_t masks[2] = {any(g, &outer, S1), any(g, &in_t, S1)};
	if (masks[0] && masks[1])
		put_phi(g, flow, S1, masks, 2);
	struct amd_block *e = open(g);
	edge(g, head, e, true, false);
	edge(g, flow, e, false, true);
	struct pool at_flow = copy_pool(g);
	region(g, depth - 1);
	struct amd_block *e_end = g->b;
	struct pool in_e = g->pool;
	g->pool = at_flow;
	struct amd_block *join = open(g);
	join->divergent = true;
	edge(g, flow, join, false, true);
	edge(g, t_end, join, true, false);
	edge(g, e_end, join, true, true);
	branch(g, flow, join, true);
	for (uint32_t c = 0; c < CLASSES; c++)
		for (uint32_t k = rnd(g, 3); k > 0; k--) {
			uint32_t from[2] = {is_vec(c) ? any(g, &in_t, c) : any(g, &at_flow, c), any(g, &in_e, c)};
			if ((from[0] && from[1]) || amd_rc_size(class_rc[c]) == 1)
				put_phi(g, join, c, from, 2);
		}
	g->b = join;
}

static void loop(struct gen *g, uint32_t depth, bool divergent)
{
	struct amd_block *before = g->b;
	g->depth++;
	struct amd_block *head = open(g);
	head->is_loop_header = true;
	edge(g, before, head, true, true);
	uint32_t nphi = 0;
	struct pool entry = copy_pool(g);
	for (uint32_t c = 0; c < CLASSES; c++)
		for (uint32_t k = rnd(g, 4); k > 0; k--) {
			uint32_t from[2] = {any(g, &entry, c), 0};
			if (!from[0] && amd_rc_size(class_rc[c]) > 1)
				continue;
			from[1] = from[0];
			put_phi(g, head, c, from, 2);
			nphi++;
		}
	region(g, depth - 1);
	struct amd_block *latch = g->b;
	for (uint32_t k = 0; k < nphi; k++) {
		struct amd_inst *phi = head->insts.data[k];
		uint32_t t = any(g, &g->pool, class_of(phi->defs[0].rc));
		phi->ops[1] = amd_use(g->f, t);
	}
	struct amd_block *back = open(g);
	edge(g, latch, back, true, true);
	edge(g, back, head, true, true);
	put(g, amd_p_branch, 0, 0)->target = head;
	g->depth--;
	g->b = latch;
	struct amd_block *exit = open(g);
	edge(g, latch, exit, true, true);
	branch(g, latch, exit, divergent);
	g->b = exit;
}

static void region(struct gen *g, uint32_t depth)
{
	straight(g);
	for (uint32_t n = depth ? rnd(g, 3) : 0; n > 0; n--) {
		switch (rnd(g, g->o->divergent ? 4 : 2)) {
		case 0:
			uniform_if(g, depth);
			break;
		case 1:
			loop(g, depth, false);
			break;
		case 2:
			divergent_if(g, depth);
			break;
		default:
			loop(g, depth, true);
		}
		straight(g);
	}
}

struct amd_func *gen_func(struct arena *a, const struct amd_target *t, const struct gen_options *o)
{
	struct gen g = {.f = amd_func_new(a, t, "random"), .o = o, .rng = o->seed * 0x9e3779b97f4a7c15u + 88172645463325252u};
	for (int k = 0; k < 10; k++)
		rnd(&g, 2);
	g.f->is_kernel = true;
	g.f->abi.max_flat_workgroup_size = 64;
	g.f->abi.user_sgprs = 2;
	g.f->abi.kernarg_ptr = g.f->abi.workgroup_id[0] = true;
	struct amd_block *b = g.b = amd_block_new(g.f);
	struct amd_inst *start = put(&g, amd_p_startpgm, 3, 0);
	uint32_t s = amd_temp_new(g.f, AMD_S(2)), w = amd_temp_new(g.f, AMD_S(1)), v = amd_temp_new(g.f, AMD_V(1));
	start->defs[0] = amd_def_fixed(g.f, s, 0);
	start->defs[1] = amd_def_fixed(g.f, w, 2);
	start->defs[2] = amd_def_fixed(g.f, v, AMD_VGPR0);
	keep(&g, S2, s);
	keep(&g, S1, w);
	keep(&g, V1, v);
	put(&g, amd_s_nop, 0, 0)->imm = (int32_t)b->id;
	region(&g, o->depth);
	for (uint32_t c = 0; c < CLASSES; c++)
		for (uint32_t k = 0; k < g.pool.temps[c].len && k < o->vectors; k++) {
			struct amd_operand p = amd_use(g.f, g.pool.temps[c].data[rnd(&g, g.pool.temps[c].len)]);
			put(&g, amd_p_use, 0, 1)->ops[0] = p;
		}
	struct amd_operand addr = use(&g, V2), data = use(&g, V1);
	struct amd_inst *st = put(&g, amd_global_store_dword, 0, 3);
	st->ops[0] = addr;
	st->ops[1] = data;
	st->ops[2] = none(AMD_S(2));
	put(&g, amd_s_endpgm, 0, 0);
	return g.f;
}
