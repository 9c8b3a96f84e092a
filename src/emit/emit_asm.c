/* Machine instructions, after register allocation and amd_lower_pseudos, as assembly text in LLVM's syntax. The same text is the
 * probe from which gen_mc learns LLVM's operand layouts, the output of -S and what emit_verify compares with.
 * requires: enc chosen, registers assigned. */
#include "emit/emit_asm.h"

#include "amd/amd_wait.h"
#include "emit/emit.h"
#include "emit/mc_table.h"

static bool starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

bool emit_shape_word(const char *s, uint32_t k, char buf[8])
{
	for (;; k--) {
		size_t n = strcspn(s, " ");
		if (!n)
			return false;
		if (!k) {
			n = n < 7 ? n : 7;
			memcpy(buf, s, n);
			buf[n] = 0;
			return true;
		}
		s += n;
		s += *s == ' ';
	}
}

static bool implicit_word(const char *w)
{
	return !strcmp(w, "scc") || !strcmp(w, "exec") || !strcmp(w, "m0");
}

int emit_tied_operand(const struct amd_inst *i)
{
	char w[8];
	int tied = -1;
	if (!(amd_op_info[i->op].flags & AMDF_TIED))
		return -1;
	for (uint32_t k = 0; emit_shape_word(amd_op_info[i->op].ops, k, w); k++)
		if (!implicit_word(w) && strcmp(w, "saddr"))
			tied = (int)k;
	return tied;
}

/* --- registers and constants --- */
static const struct {
	uint16_t reg;
	uint8_t size;
	const char *name;
} named_regs[] = {
	{AMD_VCC, 1, "vcc_lo"}, {AMD_VCC + 1, 1, "vcc_hi"}, {AMD_VCC, 2, "vcc"}, {AMD_M0, 1, "m0"}, {AMD_NULL, 1, "null"},
	{AMD_NULL, 2, "null"}, {AMD_EXEC, 1, "exec_lo"}, {AMD_EXEC + 1, 1, "exec_hi"}, {AMD_EXEC, 2, "exec"},
	{AMD_SCC, 1, "src_scc"}, {235, 1, "src_shared_base"}, {236, 1, "src_shared_limit"}, {237, 1, "src_private_base"},
	{238, 1, "src_private_limit"}, {235, 2, "src_shared_base"}, {236, 2, "src_shared_limit"}, {237, 2, "src_private_base"},
	{238, 2, "src_private_limit"},
};

static void put_reg(struct strbuf *sb, uint32_t reg, uint32_t size)
{
	for (size_t k = 0; k < sizeof named_regs / sizeof *named_regs; k++)
		if (named_regs[k].reg == reg && named_regs[k].size == size) {
			sb_puts(sb, named_regs[k].name);
			return;
		}
	char file = reg >= AMD_VGPR0 ? 'v' : 's';
	uint32_t n = reg >= AMD_VGPR0 ? reg - AMD_VGPR0 : reg;
	if (size == 1)
		sb_printf(sb, "%c%u", file, n);
	else
		sb_printf(sb, "%c[%u:%u]", file, n, n + size - 1);
}

static const char *const inline_float[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"};
static const uint16_t inline_f16[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
static const uint32_t inline_f32[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000,
                                      0x40800000, 0xc0800000, 0x3e22f983};
static const uint64_t inline_f64[] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                      0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                      0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};

static void put_const(struct strbuf *sb, enum mc_type type, uint64_t v)
{
	int64_t s;
	switch (type) {
	case MC_T_F16:
	case MC_T_I16:
		v = (uint16_t)v;
		s = (int16_t)v;
		break;
	case MC_T_F64:
	case MC_T_I64:
		s = (int64_t)v;
		break;
	default:
		v = (uint32_t)v;
		s = (int32_t)v;
	}
	if (s >= -16 && s <= 64) {
		sb_printf(sb, "%d", (int)s);
		return;
	}
	for (size_t k = 0; k < sizeof inline_float / sizeof *inline_float; k++)
		if (((type == MC_T_F16 || type == MC_T_PF16) && v == inline_f16[k]) ||
		    ((type == MC_T_B32 || type == MC_T_NONE) && v == inline_f32[k]) ||
		    ((type == MC_T_F64 || type == MC_T_I64) && v == inline_f64[k])) {
			sb_puts(sb, type >= MC_T_F64 && type <= MC_T_I64 && k == 8 ? "0.15915494309189532" : inline_float[k]);
			return;
		}
	sb_printf(sb, "0x%x", type == MC_T_F64 ? (uint32_t)(v >> 32) : (uint32_t)v);
}

uint64_t emit_const(const struct amd_inst *i, uint32_t k)
{
	uint64_t v = i->ops[k].value;
	bool mix = i->op == amd_v_fma_mix_f32 || i->op == amd_v_fma_mixlo_f16 || i->op == amd_v_fma_mixhi_f16;
	for (size_t n = 0; mix && !(i->opsel_hi >> k & 1) && n < sizeof inline_f32 / sizeof *inline_f32; n++)
		if ((uint32_t)v == inline_f32[n])
			return inline_f16[n];
	return v;
}

static void put_operand(struct strbuf *sb, const struct amd_target *t, const struct amd_inst *i, uint32_t k)
{
	const struct amd_operand *o = &i->ops[k];
	bool func_neg = o->neg && o->kind == AMD_OPND_CONST;
	if (o->sext)
		sb_puts(sb, "sext(");
	if (o->neg)
		sb_puts(sb, func_neg ? "neg(" : "-");
	if (o->abs)
		sb_puts(sb, "|");
	switch (o->kind) {
	case AMD_OPND_TEMP:
	case AMD_OPND_REG:
		put_reg(sb, o->reg, amd_rc_size(o->rc));
		break;
	case AMD_OPND_CONST:
		put_const(sb, mc_operand_type(t, i->op, k), emit_const(i, k));
		break;
	case AMD_OPND_RELOC:
		sb_printf(sb, "%s@%s@%s%+lld", o->reloc.sym->name, o->reloc.sym->absolute ? "abs32" : "rel32",
		          o->reloc.sym->hi ? "hi" : "lo", (long long)o->reloc.sym->addend);
		break;
	default: /* undef: any register does */
		put_reg(sb, amd_rc_vector(o->rc) ? AMD_VGPR0 : AMD_SGPR0, amd_rc_size(o->rc) ? amd_rc_size(o->rc) : 1);
	}
	if (o->abs)
		sb_puts(sb, "|");
	if (func_neg)
		sb_puts(sb, ")");
	if (o->sext)
		sb_puts(sb, ")");
}

/* --- modifiers behind the operands --- */
static void put_bits(struct strbuf *sb, const char *name, uint32_t bits, uint32_t n)
{
	sb_printf(sb, " %s:[", name);
	for (uint32_t k = 0; k < n; k++)
		sb_printf(sb, "%s%u", k ? "," : "", bits >> k & 1);
	sb_puts(sb, "]");
}

static void put_vop_modifiers(struct strbuf *sb, const struct amd_inst *i, uint32_t nsrc)
{
	bool lane = i->op == amd_v_permlane16_b32 || i->op == amd_v_permlanex16_b32;
	if (lane && i->opsel)
		put_bits(sb, "op_sel", i->opsel, 2);
	else if (i->enc == AMD_ENC_VOP3 && i->opsel)
		put_bits(sb, "op_sel", (i->opsel & ((1u << nsrc) - 1)) | (i->opsel >> 3 & 1) << nsrc, nsrc + 1);
	else if (i->enc == AMD_ENC_VOP3P) {
		const char *name = amd_op_info[i->op].name;
		uint32_t all = (1u << nsrc) - 1, hi = starts(name, "v_fma_mix") ? 0 : all;
		if (i->opsel)
			put_bits(sb, "op_sel", i->opsel, nsrc);
		if ((i->opsel_hi & all) != hi && !starts(name, "v_dot4"))
			put_bits(sb, "op_sel_hi", i->opsel_hi, nsrc);
		if (i->neg_lo)
			put_bits(sb, "neg_lo", i->neg_lo, nsrc);
		if (i->neg_hi)
			put_bits(sb, "neg_hi", i->neg_hi, nsrc);
	}
	if (i->clamp)
		sb_puts(sb, " clamp");
	if (i->omod)
		sb_puts(sb, i->omod == 1 ? " mul:2" : i->omod == 2 ? " mul:4" : " div:2");
}

static void put_dpp(struct strbuf *sb, const struct amd_inst *i)
{
	static const struct {
		uint16_t first, last, base;
		const char *name;
	} ctrls[] = {{0x101, 0x10f, 0x100, "row_shl"}, {0x111, 0x11f, 0x110, "row_shr"}, {0x121, 0x12f, 0x120, "row_ror"},
	             {0x150, 0x15f, 0x150, "row_share"}, {0x160, 0x16f, 0x160, "row_xmask"}};
	uint32_t c = i->dpp_ctrl;
	if (c < 0x100)
		sb_printf(sb, " quad_perm:[%u,%u,%u,%u]", c & 3, c >> 2 & 3, c >> 4 & 3, c >> 6);
	else if (c == 0x140 || c == 0x141)
		sb_puts(sb, c == 0x140 ? " row_mirror" : " row_half_mirror");
	for (size_t k = 0; k < sizeof ctrls / sizeof *ctrls; k++)
		if (c >= ctrls[k].first && c <= ctrls[k].last)
			sb_printf(sb, " %s:%u", ctrls[k].name, c - ctrls[k].base);
	sb_printf(sb, " row_mask:0x%x bank_mask:0x%x", i->dpp_row_mask, i->dpp_bank_mask);
	if (i->dpp_bound_ctrl)
		sb_puts(sb, " bound_ctrl:1");
	if (i->dpp_fi)
		sb_puts(sb, " fi:1");
}

static void put_sdwa(struct strbuf *sb, const struct amd_inst *i, uint32_t nsrc)
{
	static const char *const sel[] = {"DWORD", "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1"};
	static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
	if (amd_op_info[i->op].enc != AMD_ENC_VOPC)
		sb_printf(sb, " dst_sel:%s dst_unused:%s", sel[i->dst_sel], unused[i->dst_unused]);
	for (uint32_t k = 0; k < nsrc && k < 2; k++)
		sb_printf(sb, " src%u_sel:%s", k, sel[i->ops[k].sel]);
}

static bool two_address(const struct amd_inst *i)
{
	const char *n = amd_op_info[i->op].name;
	return i->enc == AMD_ENC_DS && (starts(n, "ds_read2") || starts(n, "ds_write2"));
}

static void put_memory_modifiers(struct strbuf *sb, const struct amd_inst *i)
{
	if (two_address(i)) {
		if (i->imm & 0xff)
			sb_printf(sb, " offset0:%d", i->imm & 0xff);
		if (i->imm >> 8 & 0xff)
			sb_printf(sb, " offset1:%d", i->imm >> 8 & 0xff);
	} else if (i->imm && i->enc != AMD_ENC_SMEM)
		sb_printf(sb, " offset:%d", i->imm);
	if (i->cache & AMD_GLC)
		sb_puts(sb, " glc");
	if (i->cache & AMD_SLC)
		sb_puts(sb, " slc");
	if (i->cache & AMD_DLC)
		sb_puts(sb, " dlc");
}

/* --- the instruction --- */
static const char *mnemonic(const struct amd_target *t, uint32_t op)
{
	const struct amd_op_info *info = &amd_op_info[op];
	return t->gen >= 11 && info->name11[0] && strcmp(info->name11, "-") ? info->name11 : info->name;
}

static const char *suffix(const struct amd_inst *i)
{
	uint32_t natural = amd_op_info[i->op].enc;
	switch (i->enc) {
	case AMD_ENC_VOP1:
	case AMD_ENC_VOP2:
	case AMD_ENC_VOPC:
		return "_e32";
	case AMD_ENC_VOP3:
		return natural == AMD_ENC_VOP3 ? "" : "_e64";
	case AMD_ENC_DPP16:
		return "_dpp";
	case AMD_ENC_SDWA:
		return "_sdwa";
	case AMD_ENC_VOPD: /* its mnemonics say it in front */
	default:
		return "";
	}
}

static void sep(struct strbuf *sb, bool *first)
{
	sb_puts(sb, *first ? " " : ", ");
	*first = false;
}

/* Memory: absent address parts are written `off`. Returns true where the word was an address part and is dealt with. */
static bool put_address_word(struct strbuf *sb, const struct amd_target *t, const struct amd_inst *i, const char *w, uint32_t k,
                             bool *first)
{
	bool absent = i->ops[k].kind == AMD_OPND_UNDEF;
	if (strcmp(w, "vaddr") && strcmp(w, "saddr"))
		return false;
	sep(sb, first);
	if (absent)
		sb_puts(sb, "off");
	else
		put_operand(sb, t, i, k);
	return true;
}

static void put_smem_offset(struct strbuf *sb, const struct amd_target *t, const struct amd_inst *i, bool *first)
{
	if (i->nops < 1)
		return;
	sep(sb, first);
	if (i->nops > 1 && i->ops[1].kind != AMD_OPND_UNDEF) {
		put_operand(sb, t, i, 1);
		sb_printf(sb, " offset:0x%x", (uint32_t)i->imm);
	} else
		sb_printf(sb, i->imm < 0 ? "-0x%x" : "0x%x", i->imm < 0 ? -(uint32_t)i->imm : (uint32_t)i->imm);
}

static bool has_sopp_imm(uint32_t op)
{
	return op != amd_s_endpgm && op != amd_s_barrier && op != amd_s_icache_inv;
}

static void put_counters(struct strbuf *sb, const struct amd_target *t, const struct amd_inst *i)
{
	struct amd_wait w = amd_wait_of_imm(t->gen, i->imm);
	const uint8_t counts[3] = {w.vm, w.exp, w.lgkm};
	static const char *const names[3] = {"vmcnt", "expcnt", "lgkmcnt"};
	bool any = false, plain = amd_wait_imm(t->gen, w) == (uint16_t)i->imm; /* else unused bits are set */
	for (int k = 0; k < 3; k++)
		if (plain && counts[k] != AMD_WAIT_NONE) {
			sb_printf(sb, " %s(%u)", names[k], counts[k]);
			any = true;
		}
	if (!any)
		sb_printf(sb, " 0x%x", (uint16_t)i->imm);
}

static void put_scalar_imm(struct strbuf *sb, const struct amd_inst *i, const char *prefix, bool *first)
{
	if (i->target) {
		sep(sb, first);
		sb_printf(sb, "%s%u", prefix, i->target->id);
	} else if (i->enc == AMD_ENC_SOPK || (i->enc == AMD_ENC_SOPP && has_sopp_imm(i->op)) ||
	           starts(amd_op_info[i->op].name, "s_sendmsg_rtn")) {
		sep(sb, first);
		if (i->op == amd_s_waitcnt_vscnt)
			sb_puts(sb, "null, ");
		if (amd_op_info[i->op].flags & AMDF_TERMINATOR)
			sb_printf(sb, "%d", i->imm);
		else
			sb_printf(sb, "0x%x", (uint16_t)i->imm);
	}
}

static uint32_t put_sources(struct strbuf *sb, const struct amd_target *t, const struct amd_inst *i, bool *first)
{
	const struct amd_op_info *info = &amd_op_info[i->op];
	int tied = emit_tied_operand(i);
	uint32_t nsrc = 0;
	char w[8];
	if (i->op == amd_v_swap_b32)
		return 0; /* both definitions are written, and are the sources */
	for (uint32_t k = 0; emit_shape_word(info->ops, k, w); k++) {
		if (implicit_word(w) || !strcmp(w, "vcc") || (int)k == tied || k >= i->nops)
			continue;
		if (i->enc == AMD_ENC_SMEM && k == 1)
			continue;
		if (put_address_word(sb, t, i, w, k, first) || (i->enc == AMD_ENC_VOPD && *w == 'm'))
			continue;
		sep(sb, first);
		put_operand(sb, t, i, k);
		nsrc += strcmp(w, "m") != 0;
	}
	return nsrc;
}

void emit_asm_inst(struct strbuf *sb, const struct amd_target *t, const struct amd_inst *i, const char *prefix)
{
	const struct amd_op_info *info = &amd_op_info[i->op];
	bool first = true, setreg = i->op == amd_s_setreg_b32 || i->op == amd_s_setreg_imm32_b32;
	uint32_t nsrc;
	char w[8];

	if (i->enc == AMD_ENC_VOPD)
		sb_printf(sb, "v_dual_%s", mnemonic(t, i->op) + 2);
	else
		sb_printf(sb, "%s%s", mnemonic(t, i->op), suffix(i));
	if (setreg)
		put_scalar_imm(sb, i, prefix, &first);
	for (uint32_t k = 0; k < i->ndefs && emit_shape_word(info->defs, k, w); k++)
		if (!implicit_word(w)) {
			sep(sb, &first);
			put_reg(sb, i->defs[k].reg, amd_rc_size(i->defs[k].rc));
		}
	nsrc = put_sources(sb, t, i, &first);
	if (i->op == amd_s_waitcnt)
		put_counters(sb, t, i);
	else if (!setreg)
		put_scalar_imm(sb, i, prefix, &first);
	switch (i->enc) {
	case AMD_ENC_SMEM:
		put_smem_offset(sb, t, i, &first);
		/* fallthrough */
	case AMD_ENC_DS: case AMD_ENC_FLAT: case AMD_ENC_GLOBAL: case AMD_ENC_SCRATCH: case AMD_ENC_MUBUF:
		put_memory_modifiers(sb, i);
		break;
	case AMD_ENC_DPP16:
		put_dpp(sb, i);
		break;
	case AMD_ENC_SDWA:
		put_vop_modifiers(sb, i, nsrc);
		put_sdwa(sb, i, nsrc);
		break;
	default:
		put_vop_modifiers(sb, i, nsrc);
	}
	if (i->dual) {
		sb_puts(sb, " :: ");
		emit_asm_inst(sb, t, i->dual, prefix);
	}
}

/* Line n of the PTX as a comment, without indentation. */
static void put_source(struct strbuf *sb, const struct emit_source *s, uint32_t n)
{
	if (!s || !n || n > s->nlines)
		return;
	const char *p = s->text + s->starts[n - 1], *end = s->text + s->starts[n];
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	while (end > p && (unsigned char)end[-1] <= ' ')
		end--;
	sb_printf(sb, "\t; %u: ", n);
	for (; p < end; p++)
		sb_putc(sb, *p == '\r' || *p == '\n' || !*p ? ' ' : *p);
	sb_putc(sb, '\n');
}

void emit_asm_func(struct strbuf *sb, const struct emit_code *c, const struct emit_source *source)
{
	uint32_t line = 0;
	const struct amd_func *f = c->func;
	uint32_t k = 0;
	sb_printf(sb, "\t.globl\t%s\n\t.p2align\t8\n\t.type\t%s,@function\n%s:\n", f->name, f->name, f->name);
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		if (b)
			sb_printf(sb, ".L%s_%u:\n", f->name, b);
		for (; k < c->insts.len && c->inst_block.data[k] == b; k++) {
			if (c->insts.data[k]->line != line)
				put_source(sb, source, line = c->insts.data[k]->line);
			sb_putc(sb, '\t');
			emit_asm_inst(sb, f->target, c->insts.data[k], arena_printf(sb->arena, ".L%s_", f->name));
			sb_putc(sb, '\n');
		}
	}
}

void emit_asm_begin(struct strbuf *sb, const struct amd_target *t)
{
	sb_printf(sb, "\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n\t.text\n", t->name);
}
