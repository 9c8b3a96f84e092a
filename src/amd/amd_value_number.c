/* Copies, parts of vectors and repeated computations.
 *
 * requires: SSA.
 * ensures: no use of a copy of the same class; parts of vectors made of parts are the parts; equal pure instructions where the first dominates (vectors: on the lane graph, scalars: on the wave
 *   graph) are one. What is no longer used is left to amd_combine's dead code removal.
 *
 * One walk in block order with a hash table (Briggs, Cooper, Simpson, "Value Numbering", 1997), then a sweep over all operands. */
#include "amd/amd_dom.h"

struct numbering {
	struct amd_func *f;
	struct arena tmp;
	struct amd_dom lane, wave;
	uint32_t *repl;             /* by temporary: what stands for it */
	struct amd_inst **def;      /* by temporary */
	uint32_t *def_block;
	struct amd_inst **table;
	uint32_t *table_block, mask;
};

static uint32_t find(struct numbering *n, uint32_t t)
{
	while (n->repl[t] != t)
		t = n->repl[t] = n->repl[n->repl[t]];
	return t;
}

static void replace(struct numbering *n, uint32_t t, uint32_t by)
{
	n->repl[t] = find(n, by);
}

static void operands(struct numbering *n, struct amd_inst *i)
{
	for (uint32_t o = 0; o < i->nops; o++)
		if (i->ops[o].kind == AMD_OPND_TEMP)
			i->ops[o].temp = find(n, i->ops[o].temp);
}

static bool in_scc(const struct numbering *n, uint32_t t)
{
	const struct amd_inst *i = n->def[t];
	for (uint32_t d = 0; i && d < i->ndefs; d++)
		if (i->defs[d].temp == t)
			return i->defs[d].fixed && i->defs[d].reg == AMD_SCC;
	return false;
}

/* Dword `at` of operand o, of n dwords, as a temporary; 0: there is none. */
static uint32_t part_of(struct numbering *n, const struct amd_operand *o, uint32_t at, uint32_t size)
{
	struct amd_inst *i = o->kind == AMD_OPND_TEMP ? n->def[o->temp] : NULL;
	if (!i || i->op != amd_p_create_vector)
		return 0;
	uint32_t offset = 0;
	for (uint32_t k = 0; k < i->nops; offset += amd_rc_size(i->ops[k++].rc))
		if (offset == at)
			return i->ops[k].kind == AMD_OPND_TEMP && amd_rc_size(i->ops[k].rc) == size &&
			                       amd_rc_vector(i->ops[k].rc) == amd_rc_vector(o->rc)
			               ? find(n, i->ops[k].temp)
			               : 0;
	return 0;
}

/* A vector put together from all parts of another, in order. */
static uint32_t reassembled(struct numbering *n, const struct amd_inst *i)
{
	uint32_t from = 0, offset = 0;
	for (uint32_t k = 0; k < i->nops; offset += amd_rc_size(i->ops[k++].rc)) {
		const struct amd_inst *p = i->ops[k].kind == AMD_OPND_TEMP ? n->def[i->ops[k].temp] : NULL;
		if (!p || p->op != amd_p_extract_vector || p->ops[0].kind != AMD_OPND_TEMP ||
		    (uint32_t)p->imm * amd_rc_size(p->defs[0].rc) != offset || (from && p->ops[0].temp != from))
			return 0;
		from = p->ops[0].temp;
	}
	return from && n->f->temp_rc.data[from] == i->defs[0].rc ? from : 0;
}

static struct amd_inst *inner_vector(struct numbering *n, const struct amd_inst *i, uint32_t k)
{
	struct amd_inst *q = i->ops[k].kind == AMD_OPND_TEMP ? n->def[i->ops[k].temp] : NULL;
	if (!q || q->op != amd_p_create_vector || q == i)
		return NULL;
	for (uint32_t o = 0; o < q->nops; o++) {
		const struct amd_operand *p = &q->ops[o];
		bool temp = p->kind == AMD_OPND_TEMP && amd_rc_vector(p->rc) == amd_rc_vector(i->ops[k].rc);
		if (!temp && p->kind != AMD_OPND_CONST && p->kind != AMD_OPND_UNDEF)
			return NULL;
	}
	return q;
}

/* A vector made of vectors is made of their parts. */
static void flatten(struct numbering *n, struct amd_inst *i)
{
	uint32_t count = 0;
	bool any = false;
	for (uint32_t k = 0; k < i->nops; k++) {
		struct amd_inst *q = inner_vector(n, i, k);
		count += q ? q->nops : 1;
		any |= q != NULL;
	}
	if (!any)
		return;
	struct amd_operand *ops = NEWN(n->f->arena, struct amd_operand, count);
	uint32_t at = 0;
	for (uint32_t k = 0; k < i->nops; k++) {
		struct amd_inst *q = inner_vector(n, i, k);
		for (uint32_t o = 0; q && o < q->nops; o++)
			ops[at++] = q->ops[o];
		if (!q)
			ops[at++] = i->ops[k];
	}
	i->ops = ops;
	i->nops = (uint16_t)count;
	operands(n, i);
}

/* A copy to VGPRs of a vector that is made of SGPRs and constants is made of these. */
static void vector_of_scalars(struct numbering *n, struct amd_inst *i)
{
	struct amd_inst *q = i->ndefs == 1 && i->ops[0].kind == AMD_OPND_TEMP && !i->ops[0].fixed ? n->def[i->ops[0].temp] : NULL;
	if (!q || q->op != amd_p_create_vector || !amd_rc_vector(i->defs[0].rc))
		return;
	for (uint32_t k = 0; k < q->nops; k++) {
		const struct amd_operand *o = &q->ops[k];
		bool temp = o->kind == AMD_OPND_TEMP;
		if (amd_rc_size(o->rc) != 1 || amd_rc_vector(o->rc) || (!temp && o->kind != AMD_OPND_CONST) || o->fixed || (temp && in_scc(n, o->temp)))
			return;
	}
	i->op = amd_p_create_vector;
	i->nops = q->nops;
	i->ops = NEWN(n->f->arena, struct amd_operand, q->nops);
	memcpy(i->ops, q->ops, q->nops * sizeof *q->ops);
	operands(n, i);
}

static void simplify(struct numbering *n, struct amd_inst *i)
{
	uint32_t t;
	switch (i->op) {
	case amd_p_parallelcopy:
		for (uint32_t k = 0; k < i->ndefs; k++)
			if (i->ops[k].kind == AMD_OPND_TEMP && i->ops[k].rc == i->defs[k].rc && !i->defs[k].fixed && !i->ops[k].fixed &&
			    !in_scc(n, i->ops[k].temp))
				replace(n, i->defs[k].temp, i->ops[k].temp);
		if (i->ndefs == 1 && i->defs[0].rc == AMD_V(1) && !amd_rc_vector(i->ops[0].rc) && i->ops[0].kind != AMD_OPND_UNDEF)
			i->op = amd_v_mov_b32;
		else if (i->ndefs == 1 && i->defs[0].rc == AMD_S(1) && i->ops[0].kind == AMD_OPND_CONST)
			i->op = amd_s_mov_b32;
		else
			vector_of_scalars(n, i);
		break;
	case amd_p_extract_vector:
		t = amd_rc_size(i->defs[0].rc);
		if (i->ops[0].rc == i->defs[0].rc && i->ops[0].kind == AMD_OPND_TEMP)
			replace(n, i->defs[0].temp, i->ops[0].temp);
		else if ((t = part_of(n, &i->ops[0], (uint32_t)i->imm * t, t)) && n->f->temp_rc.data[t] == i->defs[0].rc)
			replace(n, i->defs[0].temp, t);
		break;
	case amd_p_split_vector:
		for (uint32_t d = 0, at = 0; d < i->ndefs; at += amd_rc_size(i->defs[d++].rc))
			if ((t = part_of(n, &i->ops[0], at, amd_rc_size(i->defs[d].rc))) && i->defs[d].temp && n->f->temp_rc.data[t] == i->defs[d].rc)
				replace(n, i->defs[d].temp, t);
		break;
	case amd_p_create_vector:
		flatten(n, i);
		if (i->nops == 1 && i->ops[0].kind == AMD_OPND_TEMP && i->ops[0].rc == i->defs[0].rc)
			replace(n, i->defs[0].temp, i->ops[0].temp);
		else if ((t = reassembled(n, i)))
			replace(n, i->defs[0].temp, t);
		break;
	default:
		break;
	}
}

/* --- equal instructions --- */

static bool pure(const struct amd_inst *i)
{
	const struct amd_op_info *info = &amd_op_info[i->op];
	if (info->flags & (AMDF_NO_MOVE | AMDF_SIDE_EFFECT | AMDF_TERMINATOR | AMDF_SCC_USE | AMDF_TIED | AMDF_M0 | AMDF_EXEC_DEF) || !i->ndefs)
		return false;
	bool pseudo = i->op == amd_p_create_vector || i->op == amd_p_extract_vector || i->op == amd_p_split_vector;
	bool valu = info->cls == AMD_CLS_VALU || info->cls == AMD_CLS_TRANS || info->cls == AMD_CLS_VALU64;
	if (!pseudo && !valu && info->cls != AMD_CLS_SALU)
		return false;
	if (i->enc == AMD_ENC_DPP16)
		return false;
	if ((i->op == amd_s_mov_b32 || i->op == amd_v_mov_b32 || i->op == amd_s_movk_i32) && (!i->nops || i->ops[0].kind != AMD_OPND_TEMP))
		return false; /* made again where needed, or an operand after amd_combine */
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (i->defs[d].fixed || (valu && !amd_rc_vector(i->defs[d].rc) && i->defs[d].temp))
			return false;
	for (uint32_t o = 0; o < i->nops; o++)
		if (i->ops[o].kind == AMD_OPND_REG || i->ops[o].kind == AMD_OPND_UNDEF || i->ops[o].fixed)
			return false;
	return true;
}

/* SALU instructions define SCC beside their result; nobody may read it. */
static bool only_clobbers_scc(const struct amd_block *b, uint32_t k)
{
	const struct amd_inst *i = b->insts.data[k];
	if (i->ndefs != 2 || !i->defs[1].fixed || i->defs[1].reg != AMD_SCC || i->defs[1].temp || i->defs[0].fixed)
		return false;
	for (uint32_t j = k + 1; j < b->insts.len; j++) {
		const struct amd_inst *q = b->insts.data[j];
		for (uint32_t o = 0; o < q->nops; o++)
			if (q->ops[o].kind == AMD_OPND_REG && q->ops[o].reg == AMD_SCC)
				return false;
		for (uint32_t d = 0; d < q->ndefs; d++)
			if (q->defs[d].fixed && q->defs[d].reg == AMD_SCC)
				return true;
	}
	return true;
}

static uint32_t hash(const struct amd_inst *i)
{
	uint32_t h = i->op * 0x9e3779b9u + (uint32_t)i->imm;
	for (uint32_t o = 0; o < i->nops; o++) {
		uint64_t v = i->ops[o].kind == AMD_OPND_TEMP ? i->ops[o].temp : i->ops[o].value;
		h = (h ^ (uint32_t)v ^ (uint32_t)(v >> 32) ^ (uint32_t)i->ops[o].kind << 28) * 0x85ebca6bu;
		h ^= h >> 15;
	}
	return h;
}

static bool same_operand(const struct amd_operand *x, const struct amd_operand *y)
{
	if (x->kind != y->kind || x->rc != y->rc || x->neg != y->neg || x->abs != y->abs || x->sext != y->sext || x->sel != y->sel ||
	    x->late_kill != y->late_kill || x->low != y->low)
		return false;
	return x->kind == AMD_OPND_TEMP    ? x->temp == y->temp
	       : x->kind == AMD_OPND_CONST ? x->value == y->value
	                                   : x->reloc.sym == y->reloc.sym;
}

static bool same(const struct amd_inst *x, const struct amd_inst *y)
{
	if (x->op != y->op || x->enc != y->enc || x->ndefs != y->ndefs || x->nops != y->nops || x->imm != y->imm || x->rnd != y->rnd ||
	    x->ftz != y->ftz || x->may_leave != y->may_leave || x->leave != y->leave || x->fp_f32 != y->fp_f32 || x->fp_f64 != y->fp_f64 || x->clamp != y->clamp || x->omod != y->omod ||
	    x->opsel != y->opsel || x->opsel_hi != y->opsel_hi || x->neg_lo != y->neg_lo || x->neg_hi != y->neg_hi ||
	    x->dst_sel != y->dst_sel || x->dst_unused != y->dst_unused)
		return false;
	for (uint32_t d = 0; d < x->ndefs; d++)
		if (x->defs[d].rc != y->defs[d].rc)
			return false;
	for (uint32_t o = 0; o < x->nops; o++)
		if (!same_operand(&x->ops[o], &y->ops[o]))
			return false;
	return true;
}

static bool reaches(const struct numbering *n, const struct amd_inst *i, uint32_t from, uint32_t to)
{
	return from == to || amd_dominates(amd_rc_vector(i->defs[0].rc) ? &n->lane : &n->wave, from, to);
}

static void merge(struct numbering *n, struct amd_block *b, uint32_t k)
{
	struct amd_inst *i = b->insts.data[k];
	if (!pure(i) && !(amd_op_info[i->op].cls == AMD_CLS_SALU && only_clobbers_scc(b, k) &&
	                  !(amd_op_info[i->op].flags & (AMDF_SCC_USE | AMDF_TIED | AMDF_EXEC_DEF))))
		return;
	for (uint32_t o = 0; o < i->nops; o++)
		if (i->ops[o].kind == AMD_OPND_REG || i->ops[o].fixed)
			return;
	for (uint32_t h = hash(i) & n->mask;; h = (h + 1) & n->mask) {
		struct amd_inst *q = n->table[h];
		if (!q) {
			n->table[h] = i;
			n->table_block[h] = b->id;
			return;
		}
		if (!same(q, i))
			continue;
		if (!reaches(n, i, n->table_block[h], b->id)) {
			n->table[h] = i;
			n->table_block[h] = b->id;
			return;
		}
		for (uint32_t d = 0; d < i->ndefs; d++)
			if (i->defs[d].temp && q->defs[d].temp)
				replace(n, i->defs[d].temp, q->defs[d].temp);
		return;
	}
}

static void sweep(struct numbering *n)
{
	for (uint32_t k = 0; k < n->f->blocks.len; k++)
		for (uint32_t j = 0; j < n->f->blocks.data[k]->insts.len; j++) {
			struct amd_inst *i = n->f->blocks.data[k]->insts.data[j];
			for (uint32_t o = 0; o < i->nops; o++)
				if (i->ops[o].kind == AMD_OPND_TEMP)
					i->ops[o].temp = find(n, i->ops[o].temp);
		}
}

void amd_value_number(struct amd_func *f)
{
	struct numbering n = {.f = f};
	arena_init(&n.tmp, f->arena->trap);
	amd_dominators(f, false, &n.tmp, &n.lane);
	amd_dominators(f, true, &n.tmp, &n.wave);
	uint32_t count = f->ntemps, ninsts = 0;
	n.repl = NEWN(&n.tmp, uint32_t, count);
	n.def = NEWN(&n.tmp, struct amd_inst *, count);
	for (uint32_t t = 0; t < count; t++)
		n.repl[t] = t;
	for (uint32_t k = 0; k < f->blocks.len; k++)
		ninsts += f->blocks.data[k]->insts.len;
	for (n.mask = 64; n.mask < 2 * ninsts; n.mask *= 2)
		;
	n.table = NEWN(&n.tmp, struct amd_inst *, n.mask);
	n.table_block = NEWN(&n.tmp, uint32_t, n.mask);
	n.mask--;
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k];
		for (uint32_t j = 0; j < b->insts.len; j++) {
			struct amd_inst *i = b->insts.data[j];
			for (uint32_t d = 0; d < i->ndefs; d++)
				n.def[i->defs[d].temp] = i;
			if (amd_is_phi(i))
				continue;
			operands(&n, i);
			simplify(&n, i);
			merge(&n, b, j);
		}
	}
	sweep(&n);
	arena_free(&n.tmp);
}
