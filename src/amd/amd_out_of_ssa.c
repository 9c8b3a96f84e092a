/* Phis become parallel copies.
 *
 * requires: f->allocated.
 * ensures: no phis. Copies of vectors stand in the lane predecessor where its lane code ends, copies of scalars before the terminator of
 *   the wave predecessor; or at the block's start where its one predecessor has several successors. */
#include "amd/amd.h"

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
			at = vec ? amd_lane_begin(b) : at;
			amd_insert(f, b, at, c);
		} else {
			amd_insert(f, p, amd_copy_point(p, vec), c);
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
