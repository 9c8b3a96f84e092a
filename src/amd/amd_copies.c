/* A parallel copy as a sequence of moves, dword by dword. Source: the usual algorithm (Boissinot et al., "Revisiting Out-of-SSA
 * Translation", 2009, algorithm 1); VGPR cycles by v_swap_b32, SGPR cycles through the scratch SGPR. SCC is never clobbered: it is read
 * by s_cselect_b32 and written by s_cmp_lg_u32. */
#include "amd/amd_copies.h"
#include "amd/amd_ra.h"

struct copy {
	uint16_t dst, src;     /* src AMD_NOREG: value or sym */
	bool done;
	uint32_t value;
	struct amd_reloc_sym *sym;
};

struct amd_copies {
	struct amd_func *f;
	struct amd_block *out;
	uint32_t line;
	VEC(struct copy) list;
	uint16_t uses[AMD_NREGS];    /* pending copies that read the register */
	uint32_t writer[AMD_NREGS];  /* 1 + index of the pending copy that writes it */
	VEC(uint32_t) ready;
};

static struct amd_inst *emit(struct amd_copies *c, enum amd_op op, uint32_t nd, uint32_t no)
{
	struct amd_inst *i = amd_inst_new(c->f, op, nd, no);
	i->line = c->line;
	amd_append(c->f, c->out, i);
	return i;
}

static amd_rc rc_of(uint32_t reg, uint32_t n)
{
	return reg >= AMD_VGPR0 ? AMD_V(n) : AMD_S(n);
}

static struct amd_operand source(const struct copy *p)
{
	if (p->src != AMD_NOREG)
		return amd_use_reg(p->src, rc_of(p->src, 1));
	if (!p->sym)
		return amd_use_const(p->value);
	struct amd_operand o = {.kind = AMD_OPND_RELOC, .rc = AMD_S(1), .reg = AMD_NOREG};
	o.reloc.sym = p->sym;
	return o;
}

static void move_dword(struct amd_copies *c, const struct copy *p)
{
	struct amd_inst *i;
	if (p->dst == AMD_SCC) {
		i = emit(c, amd_s_cmp_lg_u32, 1, 2);
		i->ops[0] = source(p);
		i->ops[1] = amd_use_const(0);
	} else if (p->src == AMD_SCC) {
		i = emit(c, amd_s_cselect_b32, 1, 3);
		i->ops[0] = amd_use_const(1);
		i->ops[1] = amd_use_const(0);
		i->ops[2] = amd_use_reg(AMD_SCC, AMD_S(1));
	} else if (p->dst < AMD_VGPR0 && p->src == AMD_NOREG && !p->sym && (int32_t)p->value == (int16_t)p->value &&
		   ((int32_t)p->value > 64 || (int32_t)p->value < -16)) {
		i = emit(c, amd_s_movk_i32, 1, 0);
		i->imm = (int16_t)p->value;
	} else {
		i = emit(c, p->dst >= AMD_VGPR0 ? amd_v_mov_b32 : amd_s_mov_b32, 1, 1);
		i->ops[0] = source(p);
	}
	i->defs[0] = amd_def_reg(p->dst, rc_of(p->dst, 1));
}

static void finish(struct amd_copies *c, struct copy *p)
{
	p->done = true;
	c->writer[p->dst] = 0;
	if (p->src == AMD_NOREG || --c->uses[p->src])
		return;
	if (c->writer[p->src])
		vec_push(c->f->arena, &c->ready, c->writer[p->src] - 1);
}

/* Two dwords of aligned SGPR pairs at once. */
static bool move_pair(struct amd_copies *c, struct copy *p)
{
	if (p->dst >= AMD_M0 && p->dst != AMD_EXEC && p->dst != AMD_EXEC + 1)
		return false;
	uint32_t w = c->writer[p->dst ^ 1];
	if (!w)
		return false;
	struct copy *q = &c->list.data[w - 1];
	if (c->uses[q->dst] || p->sym || q->sym)
		return false;
	struct copy *lo = p->dst & 1 ? q : p, *hi = p->dst & 1 ? p : q;
	struct amd_operand o;
	if (p->src == AMD_NOREG && q->src == AMD_NOREG) {
		int64_t v = (int64_t)((uint64_t)hi->value << 32 | lo->value);
		if (v < -16 || v > 64)
			return false;
		o = amd_use_const(0);
		o.rc = AMD_S(2);
		o.value = (uint64_t)v;
	} else {
		if (p->src >= AMD_SCC || lo->src & 1 || hi->src != lo->src + 1)
			return false;
		o = amd_use_reg(lo->src, AMD_S(2));
	}
	struct amd_inst *i = emit(c, amd_s_mov_b64, 1, 1);
	i->defs[0] = amd_def_reg(lo->dst, AMD_S(2));
	i->ops[0] = o;
	finish(c, lo);
	finish(c, hi);
	return true;
}

static void drain(struct amd_copies *c)
{
	while (c->ready.len) {
		struct copy *p = &c->list.data[vec_pop(&c->ready)];
		if (p->done)
			continue;
		if (p->dst < AMD_VGPR0 && p->dst != AMD_SCC && move_pair(c, p))
			continue;
		move_dword(c, p);
		finish(c, p);
	}
}

/* All that is left are cycles; p is in one. */
static void break_cycle(struct amd_copies *c, struct copy *p)
{
	if (p->dst >= AMD_VGPR0) {
		struct amd_inst *i = emit(c, amd_v_swap_b32, 2, 2);
		i->defs[0] = amd_def_reg(p->dst, AMD_V(1));
		i->defs[1] = amd_def_reg(p->src, AMD_V(1));
		i->ops[0] = amd_use_reg(p->src, AMD_V(1));
		i->ops[1] = amd_use_reg(p->dst, AMD_V(1));
		p->done = true;
		c->writer[p->dst] = 0;
		c->uses[p->src]--;
		for (uint32_t k = 0; k < c->list.len; k++) {
			struct copy *q = &c->list.data[k];
			if (q->done || q->src != p->dst)
				continue;
			q->src = p->src;
			c->uses[p->dst]--;
			if (q->dst == q->src) {
				q->done = true;
				c->writer[q->dst] = 0;
			} else {
				c->uses[p->src]++;
			}
		}
		return;
	}
	/* what stands in dst waits in the scratch register */
	struct copy save = {.dst = AMD_RA_SCRATCH, .src = p->dst};
	move_dword(c, &save);
	for (uint32_t k = 0; k < c->list.len; k++) {
		struct copy *q = &c->list.data[k];
		if (q->done || q->src != p->dst)
			continue;
		q->src = AMD_RA_SCRATCH;
		c->uses[p->dst]--;
		c->uses[AMD_RA_SCRATCH]++;
	}
	vec_push(c->f->arena, &c->ready, (uint32_t)(p - c->list.data));
	drain(c);
}

struct amd_copies *amd_copies_new(struct amd_func *f)
{
	struct amd_copies *c = NEW(f->arena, struct amd_copies);
	c->f = f;
	return c;
}

void amd_copies_start(struct amd_copies *c, struct amd_block *out, uint32_t line)
{
	c->out = out;
	c->line = line;
	vec_clear(&c->list);
}

void amd_copies_add(struct amd_copies *c, uint16_t dst, const struct amd_operand *o, uint32_t dword)
{
	struct copy p = {.dst = dst, .src = AMD_NOREG};
	switch (o->kind) {
	case AMD_OPND_UNDEF:
		return;
	case AMD_OPND_CONST:
		p.value = (uint32_t)(o->value >> (32 * dword));
		break;
	case AMD_OPND_RELOC:
		p.sym = o->reloc.sym;
		break;
	default:
		p.src = (uint16_t)(o->reg + dword);
		if (p.src == p.dst)
			return;
		if (p.src >= AMD_VGPR0 && p.dst < AMD_VGPR0)
			ice(c->f->arena, "lower_pseudos: %s: copy of vector register %u to scalar %u", c->f->name, p.src, p.dst);
	}
	vec_push(c->f->arena, &c->list, p);
}

void amd_copies_emit(struct amd_copies *c)
{
	for (uint32_t k = 0; k < c->list.len; k++) {
		struct copy *p = &c->list.data[k];
		if (c->writer[p->dst])
			ice(c->f->arena, "lower_pseudos: %s: register %u written twice by a parallel copy", c->f->name, p->dst);
		c->writer[p->dst] = k + 1;
		if (p->src != AMD_NOREG)
			c->uses[p->src]++;
	}
	for (uint32_t k = c->list.len; k-- > 0;)
		if (!c->uses[c->list.data[k].dst])
			vec_push(c->f->arena, &c->ready, k);
	drain(c);
	for (uint32_t k = 0; k < c->list.len; k++)
		while (!c->list.data[k].done)
			break_cycle(c, &c->list.data[k]);
}
