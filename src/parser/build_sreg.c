/* Special registers. There are no clusters: each is one thread block. */
#include "ir/ir_emit.h"
#include "parser/build_internal.h"

static struct ir_inst *read_sreg(struct build *B, uint32_t id, uint32_t width)
{
	struct ir_inst *i = ir_inst_new(B->f, IR_sreg, width, 0);
	i->imm = id;
	return ir_emit(&B->c, i);
}

struct ir_inst *lanemask(struct build *B, uint32_t id)
{
	struct ir_inst *lane = read_sreg(B, IR_SREG_LANEID, 32), *all = K(32, 0xffffffff);
	struct ir_inst *bit = OP2(shl, K(32, 1), lane), *up = OP2(shl, all, lane);
	switch (id) {
	case PTX_SREG_lanemask_eq:
		return bit;
	case PTX_SREG_lanemask_lt:
		return OP2(sub, bit, K(32, 1));
	case PTX_SREG_lanemask_le:
		return OP2(shr, all, OP2(xor, lane, K(32, 31)));
	case PTX_SREG_lanemask_ge:
		return up;
	default:
		return OP2(shl, up, K(32, 1));
	}
}

static struct ir_inst *triple(struct build *B, uint32_t first, uint32_t sel)
{
	return sel > 2 ? K(32, 0) : read_sreg(B, first + sel, 32);
}

static struct ir_inst *half64(struct build *B, uint32_t id, uint32_t half)
{
	return ir_unpack(&B->c, 32, read_sreg(B, id, 64), half);
}

/* The shared memory that NVIDIA's driver reserves in each block, of which cooperative groups use 288 bytes. Nobody sets it up: groups
 * clear the words of their barriers, before 64, bit by bit, and synchronise; those are zero here so that no bit is ever undefined. */
static struct ir_inst *reserved_shared(struct build *B)
{
	enum { BYTES = 1024, SYNC_BYTES = 64 };
	static const char name[] = "__reserved_shared_memory";
	struct ir_module *m = B->f->module;
	struct ir_var *v = NULL;
	if (!B->f->is_kernel)
		return NULL;
	for (uint32_t k = 0; k < m->vars.len; k++)
		if (m->vars.data[k]->space == IR_SHARED && !strcmp(m->vars.data[k]->name, name))
			v = m->vars.data[k];
	if (!v) {
		v = NEW(m->arena, struct ir_var);
		*v = (struct ir_var){.name = name, .space = IR_SHARED, .linkage = IR_INTERNAL, .align = 16, .size = BYTES, .addr_taken = true,
		                     .pinned = true};
		vec_push(m->arena, &m->vars, v);
	}
	struct ir_block *entry = B->f->blocks.data[0];
	if (!entry->first || entry->first->sym != v) {
		struct ir_cursor c = {B->f, entry, entry->first, B->c.line};
		struct ir_inst *at = ir_address_of(&c, v);
		for (uint32_t k = 0; k < SYNC_BYTES; k += 8)
			ir_access(&c, IR_store, 0, ir_word(IR_SHARED, 64, IR_WEAK, 0), at, k, K(64, 0), NULL);
	}
	return ir_address_of(&B->c, v);
}

/* Those that are one of the IR's. */
static const struct {
	uint16_t id, sreg, width;
} plain[] = {
	{PTX_SREG_laneid, IR_SREG_LANEID, 32},
	{PTX_SREG_warpid, IR_SREG_WARPID, 32},
	{PTX_SREG_nwarpid, IR_SREG_NWARPID, 32},
	{PTX_SREG_smid, IR_SREG_SMID, 32},
	{PTX_SREG_envreg1, IR_SREG_ENVREG1, 32},
	{PTX_SREG_envreg2, IR_SREG_ENVREG2, 32},
	{PTX_SREG_gridid, IR_SREG_GRIDID64, 64},
	{PTX_SREG_clock, IR_SREG_CLOCK, 32},
	{PTX_SREG_clock_hi, IR_SREG_CLOCK_HI, 32},
	{PTX_SREG_clock64, IR_SREG_CLOCK64, 64},
	{PTX_SREG_globaltimer, IR_SREG_GLOBALTIMER64, 64},
	{PTX_SREG_dynamic_smem_size, IR_SREG_DYN_SMEM_SIZE, 32},
	{PTX_SREG_total_smem_size, IR_SREG_TOTAL_SMEM_SIZE, 32},
	{PTX_SREG_aggr_smem_size, IR_SREG_TOTAL_SMEM_SIZE, 32}, /* nothing is reserved */
};

static struct ir_inst *value(struct build *B, uint32_t id, uint32_t sel)
{
	for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
		if (plain[k].id == id)
			return read_sreg(B, plain[k].sreg, plain[k].width);
	switch (id) {
	case PTX_SREG_tid:
		return triple(B, IR_SREG_TID_X, sel);
	case PTX_SREG_ntid:
		return triple(B, IR_SREG_NTID_X, sel);
	case PTX_SREG_ctaid:
	case PTX_SREG_clusterid:
		return triple(B, IR_SREG_CTAID_X, sel);
	case PTX_SREG_nctaid:
	case PTX_SREG_nclusterid:
		return triple(B, IR_SREG_NCTAID_X, sel);
	case PTX_SREG_is_explicit_cluster:
		return K(1, 0);
	case PTX_SREG_cluster_ctaid:
	case PTX_SREG_cluster_ctarank:
		return K(32, 0);
	case PTX_SREG_cluster_nctaid:
		return K(32, sel > 2 ? 0 : 1);
	case PTX_SREG_cluster_nctarank:
		return K(32, 1);
	case PTX_SREG_nsmid:
		return K(32, 256);		  /* of isel's numbering */
	case PTX_SREG_reserved_smem_offset_begin: /* an empty region */
	case PTX_SREG_reserved_smem_offset_end:
	case PTX_SREG_reserved_smem_offset_cap:
		return K(32, 0);
	case PTX_SREG_reserved_smem_offset_0:
	case PTX_SREG_reserved_smem_offset_1:
		return reserved_shared(B);
	case PTX_SREG_lanemask_eq:
	case PTX_SREG_lanemask_le:
	case PTX_SREG_lanemask_lt:
	case PTX_SREG_lanemask_ge:
	case PTX_SREG_lanemask_gt:
		return lanemask(B, id);
	case PTX_SREG_globaltimer_lo:
		return half64(B, IR_SREG_GLOBALTIMER64, 0);
	case PTX_SREG_globaltimer_hi:
		return half64(B, IR_SREG_GLOBALTIMER64, 1);
	case PTX_SREG_current_graph_exec: /* not launched from a graph on the device */
		return K(64, 0);
	default:
		return NULL;
	}
}

struct ir_inst *sreg(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *o)
{
	struct ir_inst *v = value(B, o->reg, o->sel ? o->sel - 1u : 0);
	if (v)
		return v;
	diag_error(B->diags, s->line ? s->line : B->c.line, "special register '%s' has no meaning on an AMD GPU",
		   ptx_sreg_name(o->reg));
	return K(32, 0);
}
