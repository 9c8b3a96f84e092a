/* Phis become parallel copies.
 *
 * requires: f->allocated.
 * ensures: no phis. Copies of vectors stand in the lane predecessor where its lane code ends, copies of scalars before the terminator of
 *   the wave predecessor; or at the block's start where its one predecessor has several successors. */
#include "amd/amd.h"

static void insert(struct amd_func *f, struct amd_block *b, uint32_t at, struct amd_inst *i)
{
	vec_push(f->arena, &b->insts, NULL);
	memmove(b->insts.data + at + 1, b->insts.data + at, (b->insts.len - 1 - at) * sizeof *b->insts.data);
	b->insts.data[at] = i;
}

static uint32_t first_terminator(const struct amd_block *b)
{
	uint32_t k = b->insts.len;
	while (k > 0 && amd_op_info[b->insts.data[k - 1]->op].flags & AMDF_TERMINATOR)
		k--;
	return k;
}

static bool writes_exec(const struct amd_inst *i)
{
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (i->defs[d].reg == AMD_EXEC)
			return true;
	return false;
}

static uint32_t lane_end(const struct amd_block *b)
{
	uint32_t k = first_terminator(b);
	for (uint32_t n = k; n-- > 0;)
		if (b->insts.data[n]->op == amd_p_lane_end)
			return n;
	while (k > 0 && writes_exec(b->insts.data[k - 1]))
		k--;
	return k;
}

/* The copies that pred's edge (operand `edge` of the phis) asks for; NULL: none. */
static struct amd_inst *copies(struct amd_func *f, const struct amd_block *b, uint32_t op, uint32_t edge)
{
	uint32_t n = 0;
	for (int pass = 0;; pass++) {
		struct amd_inst *c = pass ? amd_inst_new(f, amd_p_parallelcopy, n, n) : NULL;
		n = 0;
		for (uint32_t k = 0; k < b->insts.len && amd_is_phi(b->insts.data[k]); k++) {
			const struct amd_inst *i = b->insts.data[k];
			const struct amd_operand *o = &i->ops[edge];
			if (i->op != op || i->defs[0].kill || o->kind == AMD_OPND_UNDEF ||
			    (o->kind == AMD_OPND_TEMP && o->reg == i->defs[0].reg))
				continue;
			if (c) {
				c->defs[n] = i->defs[0];
				c->ops[n] = *o;
			}
			n++;
		}
		if (!n || pass)
			return c;
	}
}

static void leave(struct amd_func *f, struct amd_block *b, bool vec)
{
	const uint32_t *preds = vec ? b->lane_preds.data : b->wave_preds.data;
	uint32_t n = vec ? b->lane_preds.len : b->wave_preds.len;
	for (uint32_t k = 0; k < n; k++) {
		struct amd_inst *c = copies(f, b, vec ? amd_p_phi : amd_p_wave_phi, k);
		if (!c)
			continue;
		struct amd_block *p = f->blocks.data[preds[k]];
		uint32_t succs = vec ? p->lane_succs.len : p->wave_succs.len;
		if (succs > 1 && n > 1)
			amd_ice(f, "out_of_ssa", b, c, "critical edge from block %u", p->id);
		if (succs > 1) {
			uint32_t at = 0;
			while (at < b->insts.len && amd_is_phi(b->insts.data[at]))
				at++;
			insert(f, b, at, c);
		} else {
			insert(f, p, vec ? lane_end(p) : first_terminator(p), c);
		}
	}
}

void amd_out_of_ssa(struct amd_func *f)
{
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k];
		if (!b->insts.len || !amd_is_phi(b->insts.data[0]))
			continue;
		leave(f, b, true);
		leave(f, b, false);
	}
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k];
		uint32_t n = 0;
		for (uint32_t j = 0; j < b->insts.len; j++)
			if (!amd_is_phi(b->insts.data[j]))
				b->insts.data[n++] = b->insts.data[j];
		b->insts.len = n;
	}
}
