/* Two LDS loads from one address at different offsets become one two-address load.
 *
 * ds_read_b32 (b64) pairs in a block with the same address register, offsets in reach (255 elements), nothing between them that may
 * write LDS or order accesses. The pair stands at the first one's place; its halves are split again. Neighbouring dwords that could be
 * one wide access are already (ir_merge_loads); what remains is strided or not known to be aligned.
 * requires: SSA, before amd_live.   ensures: the same values.
 * Source: RDNA2 and RDNA3 ISA manuals, DS_READ2_B32, DS_READ2_B64. */
#include "amd/amd.h"

#include "ir/ir.h"

enum { DISTANCE = 24, MAX_OFFSET = 255 };

static bool is_load(const struct amd_inst *i)
{
	return (i->op == amd_ds_read_b32 || i->op == amd_ds_read_b64) && i->ops[0].kind == AMD_OPND_TEMP && i->mem.order == IR_WEAK &&
	       !i->mem.is_volatile && i->defs[0].temp && !i->defs[0].fixed;
}

static int32_t element(const struct amd_inst *i)
{
	return i->op == amd_ds_read_b32 ? 4 : 8;
}

static bool in_reach(const struct amd_inst *i)
{
	return i->imm % element(i) == 0 && i->imm / element(i) <= MAX_OFFSET;
}

/* Loads do not move over i. */
static bool orders(const struct amd_inst *i)
{
	const struct amd_op_info *info = &amd_op_info[i->op];
	if (info->cls == AMD_CLS_LDS || info->cls == AMD_CLS_FLAT)
		return info->flags & AMDF_STORE;
	if (info->cls == AMD_CLS_VMEM || info->cls == AMD_CLS_SCRATCH)
		return info->flags & AMDF_ATOMIC || info->flags & AMDF_SIDE_EFFECT;
	return info->flags & (AMDF_SIDE_EFFECT | AMDF_TERMINATOR | AMDF_EXEC_DEF);
}

static bool writes_exec(const struct amd_inst *i)
{
	for (uint32_t k = 0; k < i->ndefs; k++)
		if (i->defs[k].reg == AMD_EXEC || i->defs[k].reg == AMD_EXEC + 1)
			return true;
	return false;
}

static uint32_t find_partner(const struct amd_block *b, uint32_t at)
{
	const struct amd_inst *a = b->insts.data[at];
	for (uint32_t k = at + 1; k < b->insts.len && k <= at + DISTANCE; k++) {
		const struct amd_inst *i = b->insts.data[k];
		if (i && is_load(i) && i->op == a->op && i->ops[0].temp == a->ops[0].temp && in_reach(i) && i->imm != a->imm)
			return k;
		if (i && (orders(i) || writes_exec(i)))
			return 0;
	}
	return 0;
}

static void put_pair(struct amd_func *f, struct amd_block *out, const struct amd_inst *x, const struct amd_inst *y)
{
	bool wide = x->op == amd_ds_read_b64;
	uint32_t both = amd_temp_new(f, wide ? AMD_V(4) : AMD_V(2));
	struct amd_inst *i = amd_inst_new(f, wide ? amd_ds_read2_b64 : amd_ds_read2_b32, 1, 1);
	struct amd_inst *split = amd_inst_new(f, amd_p_split_vector, 2, 1);
	i->defs[0] = amd_def_temp(f, both);
	i->ops[0] = x->ops[0];
	i->imm = x->imm / element(x) | y->imm / element(y) << 8;
	i->mem = x->mem;
	i->cache = x->cache;
	i->line = split->line = x->line;
	split->defs[0] = x->defs[0];
	split->defs[1] = y->defs[0];
	split->ops[0] = amd_use(f, both);
	amd_append(f, out, i);
	amd_append(f, out, split);
}

void amd_merge_lds(struct amd_func *f)
{
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k], was = *b;
		b->insts.data = NULL;
		b->insts.len = b->insts.cap = 0;
		for (uint32_t n = 0; n < was.insts.len; n++) {
			struct amd_inst *i = was.insts.data[n];
			if (!i)
				continue;
			uint32_t with = is_load(i) && in_reach(i) ? find_partner(&was, n) : 0;
			if (with) {
				put_pair(f, b, i, was.insts.data[with]);
				was.insts.data[with] = NULL;
			} else
				amd_append(f, b, i);
		}
	}
}
