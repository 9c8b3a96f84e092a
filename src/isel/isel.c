/* isel_function: instruction selection over a function (see isel_internal.h for how).
 *
 * requires: legalised IR (ir_passes.def), reconvergence plan.
 * ensures: machine code in SSA form that amd_validate accepts; nothing is left out without a diagnostic. */
#include "ir/ir_util.h"
#include "isel/isel_internal.h"

#include <stdio.h>

typedef void (*selector)(struct isel *, struct ir_inst *);

static void phi_or_constant(struct isel *c, struct ir_inst *i)
{
	(void)c, (void)i; /* phis are emitted with their block, constants as operands */
}

static void refuse_call(struct isel *c, struct ir_inst *i)
{
	const struct ir_func *callee = i->sym;
	if (callee)
		isel_refuse(c, i->line, "call of function '%s', which has no body in this module, is not supported", callee->name);
	else
		isel_refuse(c, i->line, "indirect call is not supported");
}

static void refuse_arg(struct isel *c, struct ir_inst *i)
{
	isel_ice(c, i, "left to selection");
}

/* Selectors by IR opcode, in the order of ir_ops.def. */
static const selector selectors[IR_OP_COUNT] = {
	[IR_const] = phi_or_constant, [IR_undef] = phi_or_constant, [IR_phi] = phi_or_constant,
	[IR_regget] = refuse_arg, [IR_regset] = refuse_arg, [IR_arg] = refuse_arg,
	[IR_call] = refuse_call, [IR_callres] = refuse_call, [IR_funcaddr] = refuse_call,
	[IR_brkpt] = isel_sync, [IR_nanosleep] = isel_sync,
	[IR_pack] = isel_move, [IR_unpack] = isel_move, [IR_vcopy] = isel_move, [IR_zext] = isel_move, [IR_sext] = isel_move,
	[IR_trunc] = isel_move, [IR_select] = isel_select_op,
	[IR_add] = isel_int, [IR_sub] = isel_int, [IR_mul] = isel_int, [IR_umulhi] = isel_int, [IR_smulhi] = isel_int,
	[IR_umulwide] = isel_int, [IR_smulwide] = isel_int, [IR_umul24] = isel_int, [IR_smul24] = isel_int, [IR_umul24hi] = isel_int, [IR_umadhi] = isel_int,
	[IR_smul24hi] = isel_int, [IR_and] = isel_int, [IR_or] = isel_int, [IR_xor] = isel_int, [IR_not] = isel_int, [IR_shl] = isel_int,
	[IR_shr] = isel_int, [IR_sar] = isel_int, [IR_fshr] = isel_int, [IR_umin] = isel_int, [IR_umax] = isel_int, [IR_smin] = isel_int,
	[IR_smax] = isel_int, [IR_iabs] = isel_int, [IR_popc] = isel_int, [IR_clz] = isel_int, [IR_ctz] = isel_int, [IR_brev] = isel_int,
	[IR_amd_ffbh_u32] = isel_int, [IR_amd_ffbh_i32] = isel_int, [IR_amd_ffbl_b32] = isel_int,
	[IR_ubfe] = isel_int, [IR_sbfe] = isel_int, [IR_bitsel] = isel_int, [IR_perm] = isel_int, [IR_sad] = isel_int,
	[IR_uaddc] = isel_int, [IR_usubb] = isel_int, [IR_addc] = isel_int, [IR_addcc] = isel_int, [IR_subb] = isel_int, [IR_subbb] = isel_int,
	[IR_dot4uu] = isel_int, [IR_dot4ss] = isel_int, [IR_dot4su] = isel_int, [IR_dp2auu] = isel_int, [IR_dp2ass] = isel_int, [IR_dp2ahiuu] = isel_int, [IR_dp2ahiss] = isel_int,
	[IR_pksaddsat] = isel_int, [IR_pkssubsat] = isel_int, [IR_pkuaddsat] = isel_int, [IR_pkusubsat] = isel_int,
	[IR_sad8] = isel_int, [IR_sad16] = isel_int,
	[IR_saddsat] = isel_int, [IR_ssubsat] = isel_int, [IR_pkadd] = isel_int, [IR_pksub] = isel_int, [IR_pkumin] = isel_int,
	[IR_pkumax] = isel_int, [IR_pksmin] = isel_int, [IR_pksmax] = isel_int,
	[IR_icmp] = isel_compare, [IR_fcmp] = isel_compare, [IR_ftestclass] = isel_compare,
	[IR_fadd] = isel_float, [IR_fsub] = isel_float, [IR_fmul] = isel_float, [IR_ffma] = isel_float, [IR_fneg] = isel_float,
	[IR_fabs] = isel_float, [IR_fmin] = isel_float, [IR_fmax] = isel_float, [IR_fcanon] = isel_float, [IR_frint] = isel_float,
	[IR_pkfadd] = isel_float, [IR_pkfmul] = isel_float, [IR_pkffma] = isel_float, [IR_pkfmin] = isel_float, [IR_pkfmax] = isel_float,
	[IR_fnan] = isel_float, [IR_pkfnan] = isel_float,
	[IR_amd_rcp] = isel_float, [IR_amd_rsq] = isel_float, [IR_amd_sqrt] = isel_float, [IR_amd_exp] = isel_float, [IR_amd_log] = isel_float,
	[IR_amd_sin] = isel_float, [IR_amd_cos] = isel_float, [IR_amd_ldexp] = isel_float,
	[IR_amd_frexp_mant] = isel_float, [IR_amd_frexp_exp] = isel_float, [IR_amd_div_scale] = isel_float,
	[IR_amd_div_scale_cc] = isel_float, [IR_amd_div_fmas] = isel_float, [IR_amd_div_fixup] = isel_float, [IR_amd_med3f] = isel_float,
	[IR_amd_max3f] = isel_float, [IR_amd_fma_zero] = isel_float, [IR_amd_min3f] = isel_float,
	[IR_fptosi] = isel_convert, [IR_fptoui] = isel_convert, [IR_sitofp] = isel_convert, [IR_uitofp] = isel_convert,
	[IR_fpext] = isel_convert, [IR_fptrunc] = isel_convert, [IR_bf16tof32] = isel_convert, [IR_amd_cvt_u32_f32] = isel_convert,
	[IR_symaddr] = isel_address, [IR_dynshared] = isel_address, [IR_togeneric] = isel_address, [IR_tospace] = isel_address,
	[IR_isspace] = isel_address, [IR_paramaddr] = isel_address,
	[IR_load] = isel_memory, [IR_store] = isel_memory, [IR_atom] = isel_atomic, [IR_prefetch] = isel_sync,
	[IR_fence] = isel_sync, [IR_barrier] = isel_sync, [IR_bararrive] = isel_sync, [IR_barred] = isel_sync, [IR_sreg] = isel_sreg,
	[IR_ballot] = isel_lane, [IR_activemask] = isel_lane, [IR_readlane] = isel_lane, [IR_readfirstlane] = isel_lane,
	[IR_bpermute] = isel_lane, [IR_parked] = isel_lane,
};

_Noreturn void isel_ice(struct isel *c, const struct ir_inst *i, const char *why)
{
	ice(c->arena, "isel: %s: %%%u = %s.b%u (line %u): %s", c->ir->name, i->id, ir_op_info[i->op].name, i->width, i->line, why);
}

void isel_refuse(struct isel *c, uint32_t line, const char *fmt, ...)
{
	char buf[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(buf, sizeof buf, fmt, ap);
	va_end(ap);
	diag_error(c->diags, line, "%s", buf);
	c->failed = true;
}

uint32_t isel_env(struct isel *c, enum isel_env e)
{
	if (!c->env[e])
		c->env[e] = amd_temp_new(c->f, e <= ISEL_ENV_DISPATCH_ID ? AMD_S(2) : e < ISEL_ENV_TID_X ? AMD_S(1) : AMD_V(1));
	return c->env[e];
}

void isel_select(struct isel *c, struct ir_inst *i)
{
	c->line = i->line;
	if (!selectors[i->op])
		isel_ice(c, i, "no selector");
	selectors[i->op](c, i);
	isel_flush(c);
}

void isel_flush(struct isel *c)
{
	for (uint32_t k = c->buf.insts.len; k-- > 0;)
		vec_push(c->arena, &c->cur->insts, c->buf.insts.data[k]);
	vec_clear(&c->buf.insts);
}

/* A phi is vector if it is divergent or if what it joins is made by the vector ALU. */
static enum isel_loc phi_loc(const struct ir_inst *i)
{
	if (i->width == 1)
		return ISEL_LOC_MASK;
	if (i->divergent)
		return ISEL_LOC_VGPR;
	for (uint32_t k = 0; k < i->nargs; k++) {
		const struct ir_inst *a = i->args[k];
		if (a->block && a->op != IR_phi && !isel_has_salu(a))
			return ISEL_LOC_VGPR;
	}
	return ISEL_LOC_SGPR;
}

bool isel_has_salu(const struct ir_inst *i)
{
	switch (i->op) {
	case IR_load:
		if (i->mem.space == IR_PARAM)
			return i->mem.bits >= 32 || ir_is_const(i->args[0]);
		return ((i->mem.readonly || i->mem.noclobber) && i->mem.bits >= 32 && i->mem.bits <= 128 && !i->mem.is_volatile &&
			i->mem.order == IR_WEAK && (i->mem.space == IR_GLOBAL || i->mem.space == IR_CONST));
	case IR_sreg:
		return i->imm != IR_SREG_LANEID && i->imm > IR_SREG_TID_Z;
	case IR_pack:
	case IR_unpack:
	case IR_zext:
	case IR_sext:
	case IR_trunc:
	case IR_select:
	case IR_ballot:
	case IR_activemask:
	case IR_readlane:
	case IR_readfirstlane:
	case IR_symaddr:
	case IR_dynshared:
	case IR_togeneric:
	case IR_tospace:
	case IR_paramaddr:
	case IR_bf16tof32:
	case IR_barred:
	case IR_parked:
		return true;
	default:
		return isel_int_has_salu(i);
	}
}

/* Is operand k of i as good in a VGPR as in an SGPR, where i's own result is? */
static bool takes_vector(const struct isel *c, const struct ir_inst *i, uint32_t k)
{
	if (i->op == IR_store)
		return k == 1;
	if (!(ir_op_info[i->op].flags & IRF_PURE) || ir_op_info[i->op].flags & IRF_CONVERGENT || i->width == 1)
		return false;
	if (i->op == IR_phi)
		return phi_loc(i) == ISEL_LOC_VGPR;
	if (i->divergent || !isel_has_salu(i)) /* a 64-bit sum may be an address with its base in SGPRs */
		return i->width <= 32 && i->args[k]->width <= 32;
	switch (i->op) {
	case IR_pack:
	case IR_unpack:
	case IR_trunc:
	case IR_select:
	case IR_add:
	case IR_sub:
	case IR_and:
	case IR_or:
	case IR_xor:
	case IR_umin:
	case IR_umax:
	case IR_smin:
	case IR_smax:
	case IR_fshr:
	case IR_sad:
	case IR_bitsel:
		return !c->in_sgpr[i->id] && (i->width <= 32 || i->op == IR_pack);
	default:
		return false;
	}
}

/* Which values somebody wants in SGPRs. */
static void find_scalar_uses(struct isel *c)
{
	for (uint32_t n = c->ir->blocks.len; n-- > 0;)
		for (struct ir_inst *i = c->ir->blocks.data[n]->last; i; i = i->prev)
			for (uint32_t k = 0; k < i->nargs; k++)
				c->in_sgpr[i->args[k]->id] |= !takes_vector(c, i, k);
}

/* A uniform value that takes fewer instructions in a VGPR, and is only wanted there. */
static bool better_vector(struct isel *c, struct ir_inst *i)
{
	if (c->in_sgpr[i->id])
		return false;
	switch (i->op) {
	case IR_sad:
	case IR_fshr:
	case IR_bitsel:
		return true;
	case IR_select: /* of a lane mask */
		return i->width <= 32 && (!isel_scalar_compare(c, i->args[0], false) || c->nuses[i->args[0]->id] > 1);
	default:
		return false;
	}
}

static bool needs_other_tids(const struct ir_inst *i)
{
	return i->op == IR_sreg && (i->imm == IR_SREG_TID_Y || i->imm == IR_SREG_TID_Z || i->imm == IR_SREG_WARPID);
}

static void locate(struct isel *c)
{
	c->only_tid_x = true;
	find_scalar_uses(c);
	ir_each_block(b, c->ir)
		ir_each_inst(i, b)
			for (uint32_t k = 0; k < i->nargs; k++)
				c->nuses[i->args[k]->id]++;
	ir_each_block(b, c->ir)
		ir_each_inst(i, b) {
			c->only_tid_x &= !needs_other_tids(i);
			if (!i->width)
				continue;
			if (i->op == IR_phi) {
				c->loc[i->id] = (uint8_t)phi_loc(i);
			} else if (i->width == 1) {
				c->loc[i->id] = ISEL_LOC_MASK;
			} else if (i->divergent || !isel_has_salu(i)) {
				c->loc[i->id] = ISEL_LOC_VGPR;
			} else {
				/* A scalar operation on values in VGPRs stays there, but for what reads lanes or memory. */
				bool vector = better_vector(c, i);
				if (!(ir_op_info[i->op].flags & (IRF_CONVERGENT | IRF_READS)))
					for (uint32_t k = 0; k < i->nargs; k++)
						vector |= c->loc[i->args[k]->id] == ISEL_LOC_VGPR;
				c->loc[i->id] = vector ? ISEL_LOC_VGPR : ISEL_LOC_SGPR;
			}
		}
	for (uint32_t k = 0; k < c->ir->const_list.len; k++) {
		struct ir_inst *v = c->ir->const_list.data[k];
		c->loc[v->id] = v->width == 1 ? ISEL_LOC_MASK : ISEL_LOC_SGPR;
	}
	for (uint32_t k = 0; k < 9; k++)
		if (c->ir->undefs[k])
			c->loc[c->ir->undefs[k]->id] = k ? ISEL_LOC_SGPR : ISEL_LOC_MASK;
}

/* Loops are selected backwards, so what a phi gets from a later block must be asked for beforehand. */
static void want_phis(struct isel *c)
{
	ir_each_block(b, c->ir)
		for (struct ir_inst *i = b->first; i && i->op == IR_phi; i = i->next) {
			isel_def(c, i);
			c->phi_first[i->id] = c->phi_ops.len;
			for (uint32_t k = 0; k < i->nargs; k++) {
				if (i->args[k]->block)
					isel_def(c, i->args[k]);
				vec_push(c->arena, &c->phi_ops, (struct amd_operand){.kind = AMD_OPND_UNDEF, .rc = isel_class(c, i), .reg = AMD_NOREG});
			}
		}
}

/* At the end of b: what the phis of its successor take from it, in the class of the phi. */
static void phi_operands(struct isel *c, struct ir_block *b)
{
	for (uint32_t s = 0; s < b->nsuccs; s++) {
		struct ir_block *to = b->succs[s];
		for (struct ir_inst *i = to->first; i && i->op == IR_phi; i = i->next)
			for (uint32_t k = 0; k < i->nargs; k++) {
				if (to->preds.data[k] != b || i->args[k]->op == IR_undef)
					continue;
				struct amd_operand o = i->width == 1 ? isel_mask_use(c, i->args[k]) : isel_use(c, i->args[k]);
				if (c->loc[i->id] == ISEL_LOC_VGPR)
					o = o.kind == AMD_OPND_CONST && amd_rc_size(o.rc) == 1 ? o : isel_to_vgpr(c, o);
				else if (i->width != 1)
					o = isel_to_sgpr(c, o);
				c->phi_ops.data[c->phi_first[i->id] + k] = o;
			}
	}
}

static void emit_phis(struct isel *c, uint32_t node)
{
	struct ir_block *b = c->plan->nodes[node].block;
	struct amd_block *at = c->out[node].block;
	for (struct ir_inst *i = b->first; i && i->op == IR_phi; i = i->next) {
		bool vector = c->loc[i->id] == ISEL_LOC_VGPR;
		const uint32_t *preds = vector ? at->lane_preds.data : at->wave_preds.data;
		uint32_t npreds = vector ? at->lane_preds.len : at->wave_preds.len;
		struct amd_inst *p = isel_emit(c, vector ? amd_p_phi : amd_p_wave_phi, 1, npreds);
		p->defs[0] = amd_def_temp(c->f, c->temp[i->id]);
		for (uint32_t k = 0; k < npreds; k++) {
			p->ops[k] = (struct amd_operand){.kind = AMD_OPND_UNDEF, .rc = p->defs[0].rc, .reg = AMD_NOREG};
			for (uint32_t j = 0; j < i->nargs; j++)
				if (c->out[c->plan->block_node[b->preds.data[j]->id]].block->id == preds[k])
					p->ops[k] = c->phi_ops.data[c->phi_first[i->id] + j];
		}
	}
}

static void reverse(struct amd_block *b)
{
	for (uint32_t i = 0, j = b->insts.len; i + 1 < j; i++) {
		struct amd_inst *t = b->insts.data[i];
		b->insts.data[i] = b->insts.data[--j];
		b->insts.data[j] = t;
	}
}

static void select_node(struct isel *c, uint32_t node)
{
	struct isel_node *n = &c->plan->nodes[node];
	c->cur = c->out[node].block;
	c->node = node;
	struct ir_inst *last = n->block ? ir_terminator(n->block) : NULL;
	c->line = last ? last->line : 0;
	isel_flow_end(c, node);
	isel_flush(c);
	if (n->block) {
		phi_operands(c, n->block);
		isel_flush(c);
		for (struct ir_inst *i = last ? last->prev : NULL; i && i->op != IR_phi; i = i->prev)
			if (c->temp[i->id] || ir_has_effect(i) || (c->pair[i->id] && c->paired[i->id]))
				isel_select(c, i);
	}
	isel_flow_begin(c, node);
	isel_flush(c);
}

/* The entry's p_startpgm: the wanted part of the environment, with what each definition is in ops. */
static void start(struct isel *c)
{
	uint32_t n = 0;
	for (uint32_t e = 0; e < ISEL_ENV_COUNT; e++)
		n += c->env[e] != 0;
	struct amd_inst *i = isel_emit(c, amd_p_startpgm, n, 0);
	struct amd_abi *abi = &c->f->abi;
	n = 0;
	uint32_t sgpr = 0;
	if (c->env[ISEL_ENV_KERNARG]) {
		abi->kernarg_ptr = true;
		i->defs[n++] = amd_def_fixed(c->f, c->env[ISEL_ENV_KERNARG], AMD_SGPR0);
		sgpr = 2;
	}
	if (c->env[ISEL_ENV_DISPATCH_ID]) {
		abi->dispatch_id = true;
		i->defs[n++] = amd_def_fixed(c->f, c->env[ISEL_ENV_DISPATCH_ID], (uint16_t)(AMD_SGPR0 + sgpr));
		sgpr += 2;
	}
	/* gfx11: at least 16 user and system SGPRs must be initialised; surplus user SGPRs hold nothing */
	uint32_t system = 0;
	for (uint32_t k = 0; k < 3; k++)
		system += c->env[ISEL_ENV_WG_X + k] != 0;
	if (c->f->target->gen == 11 && sgpr + system < 16)
		sgpr = 16 - system;
	abi->user_sgprs = (uint16_t)sgpr;
	for (uint32_t k = 0; k < 3; k++)
		if (c->env[ISEL_ENV_WG_X + k]) {
			abi->workgroup_id[k] = true;
			i->defs[n++] = amd_def_fixed(c->f, c->env[ISEL_ENV_WG_X + k], (uint16_t)(AMD_SGPR0 + sgpr++));
		}
	for (uint32_t k = 0; k < 3; k++)
		if (c->env[ISEL_ENV_TID_X + k])
			i->defs[n++] = amd_def_fixed(c->f, c->env[ISEL_ENV_TID_X + k], (uint16_t)(AMD_VGPR0 + k));
	if (c->env[ISEL_ENV_TID_PACKED])
		i->defs[n++] = amd_def_fixed(c->f, c->env[ISEL_ENV_TID_PACKED], AMD_VGPR0);
	abi->workitem_id[0] = true;
	struct amd_block *entry = c->out[0].block;
	vec_push(c->arena, &entry->insts, NULL);
	memmove(entry->insts.data + 1, entry->insts.data, (entry->insts.len - 1) * sizeof *entry->insts.data);
	entry->insts.data[0] = i;
	vec_clear(&c->buf.insts);
}

static void kernel_attributes(struct isel *c)
{
	struct amd_abi *abi = &c->f->abi;
	uint32_t threads = 1;
	for (uint32_t k = 0; k < 3; k++) {
		abi->reqd_workgroup_size[k] = c->ir->reqntid[k];
		uint32_t n = c->ir->reqntid[k] ? c->ir->reqntid[k] : c->ir->maxntid[k];
		threads *= n ? n : 1;
	}
	bool given = c->ir->reqntid[0] || c->ir->maxntid[0];
	abi->max_flat_workgroup_size = given && threads <= 1024 ? threads : 1024;
	abi->kernarg_bytes = c->ir->param_bytes;
}

struct amd_func *isel_function(struct arena *a, struct ir_func *f, const struct amd_target *t, bool check)
{
	struct isel c = {.arena = a, .ir = f, .t = t, .diags = f->module->diags, .wave64 = t->wave_size == 64};
	ir_dominators(f);
	ir_loops(f);
	ir_divergence(f);
	c.plan = isel_reconverge(a, f);
	if (check)
		isel_reconverge_check(c.plan);
	ir_legal_exits(f);
	c.f = amd_func_new(a, t, f->name);
	c.f->diags = c.diags;
	c.f->is_kernel = f->is_kernel;
	c.f->line = f->line;
	c.loc = NEWN(a, uint8_t, f->ninsts);
	c.temp = NEWN(a, uint32_t, f->ninsts);
	c.nuses = NEWN(a, uint32_t, f->ninsts);
	c.in_sgpr = NEWN(a, bool, f->ninsts);
	c.pair = NEWN(a, struct ir_inst *, f->ninsts);
	c.paired = NEWN(a, bool, f->ninsts);
	c.no_mad = NEWN(a, bool, f->ninsts);
	c.phi_first = NEWN(a, uint32_t, f->ninsts);
	if (!isel_layout(&c))
		return NULL;
	kernel_attributes(&c);
	locate(&c);
	isel_find_pairs(&c);
	isel_find_mads(&c);
	isel_flow_blocks(&c);
	isel_flow_masks(&c);
	want_phis(&c);
	for (uint32_t n = c.plan->nnodes; n-- > 0;)
		if (c.out[n].block)
			select_node(&c, n);
	for (uint32_t n = 0; n < c.plan->nnodes; n++) {
		if (!c.out[n].block)
			continue;
		struct amd_block *b = c.out[n].block;
		if (c.plan->nodes[n].block) {
			emit_phis(&c, n);
			c.cur = b;
			isel_flush(&c);
		}
		reverse(b);
	}
	start(&c);
	if (c.failed)
		return NULL;
	isel_wave_ssa(c.f);
	return c.f;
}
