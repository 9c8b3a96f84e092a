/* s_clause in front of runs of two and more memory instructions of one kind, so that the hardware issues them without another
 * wave's in between; and branches to the next block in layout removed.
 *
 * Kinds as LLVM forms them: scalar loads; vector memory (gfx10: loads and atomics that return; gfx11: loads, apart from atomics);
 * FLAT apart. At most 63 instructions on gfx10, 32 on gfx11. Stores are left alone.
 * requires: amd_waits, amd_hazards (a clause holds nothing else).
 * Source: RDNA2 and RDNA3 ISA manuals, S_CLAUSE; LLVM's SIInsertHardClauses. */
#include "amd/amd.h"

enum kind { K_NONE, K_SMEM, K_LOAD, K_ATOMIC, K_FLAT_LOAD, K_FLAT_ATOMIC };

static enum kind kind_of(const struct amd_target *t, const struct amd_inst *i)
{
	const struct amd_op_info *info = &amd_op_info[i->op];
	bool atomic = info->flags & AMDF_ATOMIC && t->gen >= 11;
	if (!(info->flags & AMDF_LOAD) || !i->ndefs)
		return K_NONE;
	switch (info->enc) {
	case AMD_ENC_SMEM:
		return info->ops[0] ? K_SMEM : K_NONE; /* not the clock */
	case AMD_ENC_GLOBAL:
	case AMD_ENC_SCRATCH:
		return atomic ? K_ATOMIC : K_LOAD;
	case AMD_ENC_FLAT:
		return atomic ? K_FLAT_ATOMIC : K_FLAT_LOAD;
	default:
		return K_NONE;
	}
}

static void form_clauses(struct amd_func *f, struct amd_block *b)
{
	struct amd_block was = *b;
	uint32_t max = f->target->gen >= 11 ? 32 : 63;
	b->insts.data = NULL;
	b->insts.len = b->insts.cap = 0;
	for (uint32_t k = 0; k < was.insts.len;) {
		enum kind kind = kind_of(f->target, was.insts.data[k]);
		uint32_t n = 1;
		while (kind != K_NONE && n < max && k + n < was.insts.len && kind_of(f->target, was.insts.data[k + n]) == kind)
			n++;
		if (n > 1) {
			struct amd_inst *c = amd_inst_new(f, amd_s_clause, 0, 0);
			c->enc = AMD_ENC_SOPP;
			c->imm = (int32_t)n - 1;
			c->line = was.insts.data[k]->line;
			amd_append(f, b, c);
		}
		while (n--)
			amd_append(f, b, was.insts.data[k++]);
	}
}

/* Nothing at all in the blocks from a up to b. */
static bool falls_through(const struct amd_func *f, uint32_t a, uint32_t b)
{
	for (; a < b; a++)
		if (f->blocks.data[a]->insts.len)
			return false;
	return a == b;
}

static void drop_branch_to_next(struct amd_func *f, struct amd_block *b)
{
	while (b->insts.len) {
		const struct amd_inst *i = vec_last(&b->insts);
		bool branch = i->target && (i->op == amd_s_branch || i->op == amd_s_cbranch_scc0 || i->op == amd_s_cbranch_scc1 ||
		                            i->op == amd_s_cbranch_vccz || i->op == amd_s_cbranch_vccnz || i->op == amd_s_cbranch_execz ||
		                            i->op == amd_s_cbranch_execnz);
		if (!branch || i->target->id <= b->id || !falls_through(f, b->id + 1, i->target->id))
			return;
		b->insts.len--;
	}
}

void amd_clauses(struct amd_func *f)
{
	for (uint32_t k = f->blocks.len; k--;)
		drop_branch_to_next(f, f->blocks.data[k]);
	for (uint32_t k = 0; k < f->blocks.len; k++)
		form_clauses(f, f->blocks.data[k]);
}
