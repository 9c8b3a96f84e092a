/* The text form; its grammar is at the top of amd_read.c. */
#include "amd/amd_text.h"

const char *const amd_enc_names[AMD_ENC_COUNT] = {
	"auto", "pseudo", "sop1", "sop2", "sopc", "sopk", "sopp", "smem", "vop1", "vop2", "vopc", "vop3", "vop3p", "vopd", "dpp16", "sdwa",
	"ds", "flat", "global", "scratch", "mubuf",
};
const char *const amd_sel_names[7] = {"dword", "byte0", "byte1", "byte2", "byte3", "word0", "word1"};

const struct amd_field amd_inst_fields[] = {
#define F(name, member) {name, offsetof(struct amd_inst, member), sizeof ((struct amd_inst *)0)->member}
	F("rnd", rnd), F("ftz", ftz), F("may_leave", may_leave), F("leave", leave), F("fp_f32", fp_f32), F("fp_f64", fp_f64), F("clamp", clamp), F("omod", omod), F("opsel", opsel),
	F("opsel_hi", opsel_hi), F("neg_lo", neg_lo), F("neg_hi", neg_hi), F("dpp", dpp_ctrl), F("row_mask", dpp_row_mask),
	F("bank_mask", dpp_bank_mask), F("bound_ctrl", dpp_bound_ctrl), F("fi", dpp_fi), F("dst_sel", dst_sel), F("dst_unused", dst_unused),
	F("cache", cache), F("imm", imm), F("space", mem.space), F("order", mem.order), F("scope", mem.scope), F("load", mem.is_load),
	F("store", mem.is_store), F("atomic", mem.is_atomic), F("volatile", mem.is_volatile), F("readonly", mem.readonly), F("line", line),
	{NULL, 0, 0},
#undef F
};

const struct amd_field amd_abi_fields[] = {
#define F(name, member) {name, offsetof(struct amd_abi, member), sizeof ((struct amd_abi *)0)->member}
	F("workgroup_id_x", workgroup_id[0]), F("workgroup_id_y", workgroup_id[1]), F("workgroup_id_z", workgroup_id[2]),
	F("workitem_id_x", workitem_id[0]), F("workitem_id_y", workitem_id[1]), F("workitem_id_z", workitem_id[2]),
	F("kernarg_ptr", kernarg_ptr), F("dispatch_ptr", dispatch_ptr), F("dispatch_id", dispatch_id), F("scratch", scratch), F("dynamic_lds", dynamic_lds),
	F("uses_vcc", uses_vcc), F("dynamic_stack", dynamic_stack), F("user_sgprs", user_sgprs), F("kernarg_bytes", kernarg_bytes),
	F("hidden_mask", hidden_mask), F("lds_bytes", lds_bytes), F("max_dynamic", max_dynamic), F("scratch_bytes", scratch_bytes),
	F("max_flat_workgroup_size", max_flat_workgroup_size), F("reqd_x", reqd_workgroup_size[0]), F("reqd_y", reqd_workgroup_size[1]),
	F("reqd_z", reqd_workgroup_size[2]), F("float_mode", float_mode),
	{NULL, 0, 0},
#undef F
};

int64_t amd_field_get(const void *base, const struct amd_field *f)
{
	const char *p = (const char *)base + f->offset;
	switch (f->size) {
	case 1:
		return *(const uint8_t *)p;
	case 2:
		return *(const uint16_t *)p;
	default:
		return f->offset == offsetof(struct amd_inst, imm) ? *(const int32_t *)p : (int64_t) * (const uint32_t *)p;
	}
}

void amd_field_set(void *base, const struct amd_field *f, int64_t v)
{
	char *p = (char *)base + f->offset;
	switch (f->size) {
	case 1:
		*(uint8_t *)p = (uint8_t)v;
		break;
	case 2:
		*(uint16_t *)p = (uint16_t)v;
		break;
	default:
		*(uint32_t *)p = (uint32_t)v;
	}
}

/* What a new instruction of this opcode has: fields that differ are printed. */
void amd_inst_defaults(const struct amd_inst *i, struct amd_inst *d)
{
	*d = (struct amd_inst){.op = i->op, .dpp_row_mask = 0xf, .dpp_bank_mask = 0xf};
	if (amd_op_info[i->op].enc == AMD_ENC_VOP3P && i->op != amd_v_fma_mix_f32 && i->op != amd_v_fma_mixlo_f16 &&
	    i->op != amd_v_fma_mixhi_f16)
		d->opsel_hi = 7;
}

void amd_print_reg(struct strbuf *sb, uint32_t reg, uint32_t size)
{
	static const struct {
		uint16_t reg;
		const char *one, *two;
	} special[] = {{AMD_VCC, "vcc_lo", "vcc"}, {AMD_VCC + 1, "vcc_hi", NULL}, {AMD_M0, "m0", NULL}, {AMD_NULL, "null", NULL},
		{AMD_EXEC, "exec_lo", "exec"}, {AMD_EXEC + 1, "exec_hi", NULL}, {AMD_SCC, "scc", NULL},
		{AMD_SHARED_BASE, "src_shared_base", "src_shared_base"}, {AMD_PRIVATE_BASE, "src_private_base", "src_private_base"}};
	for (size_t k = 0; k < sizeof special / sizeof *special; k++)
		if (special[k].reg == reg && (size == 1 || special[k].two)) {
			sb_puts(sb, size == 1 ? special[k].one : special[k].two);
			return;
		}
	char c = reg >= AMD_VGPR0 ? 'v' : 's';
	uint32_t n = reg >= AMD_VGPR0 ? reg - AMD_VGPR0 : reg;
	if (size == 1)
		sb_printf(sb, "%c%u", c, n);
	else
		sb_printf(sb, "%c[%u:%u]", c, n, n + size - 1);
}

static void print_rc(struct strbuf *sb, amd_rc rc)
{
	sb_printf(sb, "%c%u", amd_rc_vector(rc) ? 'v' : 's', amd_rc_size(rc));
}

static void print_place(struct strbuf *sb, bool fixed, uint32_t reg, amd_rc rc)
{
	if (reg == AMD_NOREG)
		return;
	sb_putc(sb, fixed ? '!' : '@');
	amd_print_reg(sb, reg, amd_rc_size(rc));
}

static void print_def(struct strbuf *sb, const struct amd_def *d)
{
	if (d->temp) {
		sb_printf(sb, "%%%u:", d->temp);
		print_rc(sb, d->rc);
		print_place(sb, d->fixed, d->reg, d->rc);
	} else if (d->reg != AMD_NOREG) {
		amd_print_reg(sb, d->reg, amd_rc_size(d->rc));
	} else {
		sb_puts(sb, "_:");
		print_rc(sb, d->rc);
	}
}

static void print_operand(struct strbuf *sb, const struct amd_operand *o)
{
	if (o->neg)
		sb_putc(sb, '-');
	if (o->abs)
		sb_putc(sb, '|');
	if (o->sext)
		sb_putc(sb, '^');
	switch (o->kind) {
	case AMD_OPND_UNDEF:
		sb_puts(sb, "undef:");
		print_rc(sb, o->rc);
		print_place(sb, o->fixed, o->reg, o->rc);
		break;
	case AMD_OPND_TEMP:
		sb_printf(sb, "%%%u", o->temp);
		print_place(sb, o->fixed, o->reg, o->rc);
		break;
	case AMD_OPND_REG:
		amd_print_reg(sb, o->reg, amd_rc_size(o->rc));
		break;
	case AMD_OPND_CONST:
		sb_printf(sb, "0x%llx", (unsigned long long)o->value);
		if (o->rc != AMD_S(1)) {
			sb_putc(sb, ':');
			print_rc(sb, o->rc);
		}
		break;
	case AMD_OPND_RELOC:
		sb_printf(sb, "reloc(%s, %lld, %s%s)", o->reloc.sym->name, (long long)o->reloc.sym->addend, o->reloc.sym->hi ? "hi" : "lo",
			o->reloc.sym->absolute ? ", abs" : "");
		break;
	}
	if (o->abs)
		sb_putc(sb, '|');
	if (o->sel)
		sb_printf(sb, ".%s", amd_sel_names[o->sel]);
	if (o->late_kill)
		sb_puts(sb, ".late");
	if (o->low)
		sb_puts(sb, ".low");
}

void amd_print_inst(struct strbuf *sb, const struct amd_inst *i)
{
	for (uint32_t k = 0; k < i->ndefs; k++) {
		sb_puts(sb, k ? ", " : "");
		print_def(sb, &i->defs[k]);
	}
	sb_printf(sb, "%s%s", i->ndefs ? " = " : "", amd_op_info[i->op].name);
	for (uint32_t k = 0; k < i->nops; k++) {
		sb_puts(sb, k ? ", " : " ");
		print_operand(sb, &i->ops[k]);
	}
	if (i->enc != AMD_ENC_AUTO)
		sb_printf(sb, " enc=%s", amd_enc_names[i->enc]);
	struct amd_inst defaults;
	amd_inst_defaults(i, &defaults);
	for (const struct amd_field *f = amd_inst_fields; f->name; f++) {
		int64_t v = amd_field_get(i, f);
		if (v != amd_field_get(&defaults, f))
			sb_printf(sb, " %s=%lld", f->name, (long long)v);
	}
	if (i->target)
		sb_printf(sb, " -> %u", i->target->id);
	if (i->dual) {
		sb_puts(sb, " :: ");
		amd_print_inst(sb, i->dual);
	}
}

static void print_edges(struct strbuf *sb, const char *name, const uint32_t *preds, uint32_t np, const uint32_t *succs, uint32_t ns)
{
	sb_printf(sb, "%s", name);
	for (uint32_t k = 0; k < np; k++)
		sb_printf(sb, " %u", preds[k]);
	sb_puts(sb, " >");
	for (uint32_t k = 0; k < ns; k++)
		sb_printf(sb, " %u", succs[k]);
}

static void print_block(struct strbuf *sb, const struct amd_block *b)
{
	sb_printf(sb, "block %u:", b->id);
	print_edges(sb, " lane", b->lane_preds.data, b->lane_preds.len, b->lane_succs.data, b->lane_succs.len);
	print_edges(sb, ", wave", b->wave_preds.data, b->wave_preds.len, b->wave_succs.data, b->wave_succs.len);
	if (b->loop_depth)
		sb_printf(sb, ", depth %u", b->loop_depth);
	if (b->is_loop_header)
		sb_puts(sb, ", loop");
	if (b->is_flow)
		sb_puts(sb, ", flow");
	if (b->divergent)
		sb_puts(sb, ", divergent");
	sb_putc(sb, '\n');
	for (uint32_t k = 0; k < b->insts.len; k++) {
		sb_putc(sb, '\t');
		amd_print_inst(sb, b->insts.data[k]);
		sb_putc(sb, '\n');
	}
}

void amd_print_func(struct strbuf *sb, const struct amd_func *f)
{
	sb_printf(sb, "%s %s %s%s\n", f->is_kernel ? "kernel" : "func", f->name, f->target->name, f->allocated ? " allocated" : "");
	bool any = false;
	for (const struct amd_field *p = amd_abi_fields; p->name; p++) {
		int64_t v = amd_field_get(&f->abi, p);
		if (v)
			sb_printf(sb, "%s %s=%lld", any ? "" : "abi", p->name, (long long)v);
		any |= v != 0;
	}
	if (any)
		sb_putc(sb, '\n');
	for (uint32_t k = 0; k < f->blocks.len; k++)
		print_block(sb, f->blocks.data[k]);
}
