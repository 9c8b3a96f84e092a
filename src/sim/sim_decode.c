/* Decoding: LLVM's disassembly of one instruction -> struct sim_inst. Done once per code address and wave size.
 *
 * LLVM says what the bytes mean (it shares nothing with our encoder); this file only parses its text: operands are
 * separated by commas outside brackets, modifiers follow the last operand, blank-separated. */
#include <ctype.h>
#include <stdlib.h>

#include "sim/sim_core.h"

/* ---- opcode rows ---- */

static void add_ops(struct sim *s, const struct sim_op *ops)
{
	for (; ops->name; ops++)
		strmap_put(&s->arena, &s->ops, intern(&s->names, ops->name, strlen(ops->name)), (void *)(uintptr_t)ops);
}

void sim_ops_init(struct sim *s)
{
	add_ops(s, sim_salu_ops);
	add_ops(s, sim_mem_ops);
	add_ops(s, sim_valu_ops);
}

static const struct {
	const char *suffix;
	uint8_t enc;
} suffixes[] = {
	{"_e64_dpp", SIM_ENC_E64_DPP}, {"_dpp8", SIM_ENC_DPP}, {"_dpp", SIM_ENC_DPP}, {"_sdwa", SIM_ENC_SDWA},
	{"_e32", SIM_ENC_E32},	       {"_e64", SIM_ENC_E64},
};

/* The row of a mnemonic; sets the encoding that its suffix names. */
static const struct sim_op *find_op(struct sim *s, const char *name, size_t len, uint8_t *enc)
{
	const struct sim_op *op = strmap_get(&s->ops, intern(&s->names, name, len));
	*enc = SIM_ENC_NONE;
	for (size_t k = 0; !op && k < sizeof suffixes / sizeof *suffixes; k++) {
		size_t n = strlen(suffixes[k].suffix);
		if (len <= n || memcmp(name + len - n, suffixes[k].suffix, n) != 0)
			continue;
		*enc = suffixes[k].enc;
		return strmap_get(&s->ops, intern(&s->names, name, len - n));
	}
	return op;
}

/* ---- operands ---- */

struct parser {
	struct sim *s;
	struct arena *a;
	const char *err;
};

static bool eat(const char **p, const char *word)
{
	size_t n = strlen(word);
	if (strncmp(*p, word, n) != 0)
		return false;
	*p += n;
	return true;
}

static const struct {
	const char *name;
	uint16_t reg;
	uint8_t n;
} scalar_names[] = {
	{"vcc_lo", SIM_VCC, 1},	 {"vcc_hi", SIM_VCC + 1, 1},   {"vcc", SIM_VCC, 2},   {"exec_lo", SIM_EXEC, 1},
	{"exec_hi", SIM_EXEC + 1, 1}, {"exec", SIM_EXEC, 2},   {"m0", SIM_M0, 1},     {"null", SIM_NULL, 1},
};

static const struct {
	const char *name;
	uint8_t kind;
} special_names[] = {
	{"src_scc", SIM_O_SCC},
	{"scc", SIM_O_SCC},
	{"src_vccz", SIM_O_VCCZ},
	{"src_execz", SIM_O_EXECZ},
	{"src_shared_base", SIM_O_SHARED_BASE},
	{"src_shared_limit", SIM_O_SHARED_LIMIT},
	{"src_private_base", SIM_O_PRIVATE_BASE},
	{"src_private_limit", SIM_O_PRIVATE_LIMIT},
	{"src_pops_exiting_wave_id", SIM_O_POPS},
	{"src_lds_direct", SIM_O_LDS_DIRECT},
	{"lds_direct", SIM_O_LDS_DIRECT},
	{"off", SIM_O_OFF},
};

static const struct {
	const char *text;
	uint8_t index;
} float_names[] = {
	{"0.5", 0}, {"-0.5", 1}, {"1.0", 2}, {"-1.0", 3}, {"2.0", 4}, {"-2.0", 5}, {"4.0", 6}, {"-4.0", 7},
	{"0.15915494309189532", 8}, {"0.15915494309189535", 8}, {"0.15915494", 8}, {"0.1592", 8}, {"0.159180", 8},
};

/* "5", "[2:3]" or "[7]" after a register file's letter. */
static bool reg_number(const char **p, unsigned limit, struct sim_opnd *o)
{
	char *end;
	unsigned long lo, hi;
	if (isdigit((unsigned char)**p)) {
		lo = hi = strtoul(*p, &end, 10);
	} else if (**p == '[' && isdigit((unsigned char)(*p)[1])) {
		lo = hi = strtoul(*p + 1, &end, 10);
		if (*end == ':')
			hi = strtoul(end + 1, &end, 10);
		if (*end++ != ']')
			return false;
	} else {
		return false;
	}
	if (hi < lo || hi >= limit)
		return false;
	o->reg = (uint16_t)lo;
	o->n = (uint8_t)(hi - lo + 1);
	*p = end;
	return true;
}

static bool parse_register(const char *t, struct sim_opnd *o)
{
	const char *p = t;
	if (eat(&p, "v") && reg_number(&p, 256, o)) {
		o->kind = SIM_O_VGPR;
		if (eat(&p, ".l"))
			o->half = SIM_LO16;
		else if (eat(&p, ".h"))
			o->half = SIM_HI16;
		return *p == 0;
	}
	p = t;
	if (eat(&p, "s") && reg_number(&p, 106, o)) {
		o->kind = SIM_O_SGPR;
		return *p == 0;
	}
	p = t;
	if (eat(&p, "ttmp") && reg_number(&p, 16, o)) {
		o->kind = SIM_O_SGPR;
		o->reg = (uint16_t)(o->reg + SIM_TTMP);
		return *p == 0;
	}
	for (size_t k = 0; k < sizeof scalar_names / sizeof *scalar_names; k++)
		if (!strcmp(t, scalar_names[k].name)) {
			o->kind = SIM_O_SGPR;
			o->reg = scalar_names[k].reg;
			o->n = scalar_names[k].n;
			return true;
		}
	for (size_t k = 0; k < sizeof special_names / sizeof *special_names; k++)
		if (!strcmp(t, special_names[k].name)) {
			o->kind = special_names[k].kind;
			return true;
		}
	return false;
}

static bool parse_number(const char *t, struct sim_opnd *o)
{
	for (size_t k = 0; k < sizeof float_names / sizeof *float_names; k++)
		if (!strcmp(t, float_names[k].text)) {
			o->kind = SIM_O_FP;
			o->imm = float_names[k].index;
			return true;
		}
	char *end;
	bool lit = eat(&t, "lit(") || eat(&t, "lit64(");
	bool hex = t[0] == '0' && (t[1] == 'x' || t[1] == 'X');
	if (!isdigit((unsigned char)(t[0] == '-' ? t[1] : t[0])))
		return false;
	o->imm = t[0] == '-' ? (int64_t)strtoll(t, &end, 0) : (int64_t)strtoull(t, &end, 0);
	if (lit && *end == ')')
		end++;
	o->kind = lit || hex ? SIM_O_LIT : SIM_O_INT;
	return *end == 0;
}

/* Source modifiers wrap the operand: -x, |x|, -|x|, neg(x), abs(x), sext(x). Returns the bare operand's text. */
static const char *strip_modifiers(struct parser *ps, const char *t, struct sim_opnd *o)
{
	for (;;) {
		size_t n = strlen(t);
		if (n > 2 && t[0] == '|' && t[n - 1] == '|') {
			o->abs = 1;
			t = arena_strndup(ps->a, t + 1, n - 2);
		} else if (n > 1 && t[0] == '-' && !isdigit((unsigned char)t[1])) {
			o->neg = 1;
			t++;
		} else if (n > 5 && (!strncmp(t, "neg(", 4) || !strncmp(t, "abs(", 4)) && t[n - 1] == ')') {
			*(t[0] == 'n' ? &o->neg : &o->abs) = 1;
			t = arena_strndup(ps->a, t + 4, n - 5);
		} else if (n > 6 && !strncmp(t, "sext(", 5) && t[n - 1] == ')') {
			o->sext = 1;
			t = arena_strndup(ps->a, t + 5, n - 6);
		} else {
			return t;
		}
	}
}

static void parse_operand(struct parser *ps, const char *t, struct sim_opnd *o)
{
	memset(o, 0, sizeof *o);
	o->text = t;
	const char *bare = strip_modifiers(ps, t, o);
	if (parse_register(bare, o) || parse_number(bare, o))
		return;
	o->kind = SIM_O_WORD;
}

/* ---- modifiers ---- */

/* "[0,1,0]" -> values; returns the count. */
static unsigned list_values(const char *t, uint8_t *out, unsigned max)
{
	unsigned n = 0;
	for (t += *t == '['; *t && *t != ']' && n < max;) {
		char *end;
		out[n++] = (uint8_t)strtol(t, &end, 0);
		if (end == t)
			return 0;
		t = end + (*end == ',');
	}
	return n;
}

static uint8_t list_bits(const char *t)
{
	uint8_t v[8], bits = 0;
	unsigned n = list_values(t, v, 8);
	for (unsigned k = 0; k < n; k++)
		bits |= (uint8_t)((v[k] & 1) << k);
	return bits;
}

static const struct {
	const char *name;
	uint8_t kind;
	bool arg;
} dpp_names[] = {
	{"row_shl:", SIM_DPP_ROW_SHL, true},	 {"row_shr:", SIM_DPP_ROW_SHR, true},
	{"row_ror:", SIM_DPP_ROW_ROR, true},	 {"row_mirror", SIM_DPP_ROW_MIRROR, false},
	{"row_half_mirror", SIM_DPP_ROW_HALF_MIRROR, false}, {"row_share:", SIM_DPP_ROW_SHARE, true},
	{"row_xmask:", SIM_DPP_ROW_XMASK, true}, {"wave_shl:", SIM_DPP_WAVE_SHL, true},
	{"wave_rol:", SIM_DPP_WAVE_ROL, true},	 {"wave_shr:", SIM_DPP_WAVE_SHR, true},
	{"wave_ror:", SIM_DPP_WAVE_ROR, true},	 {"row_bcast:15", SIM_DPP_ROW_BCAST15, false},
	{"row_bcast:31", SIM_DPP_ROW_BCAST31, false}, {"row_newbcast:", SIM_DPP_ROW_NEWBCAST, true},
};

static const char *const sel_names[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
static const char *const unused_names[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};

static bool parse_sel(const char *t, const char *const *names, unsigned n, uint8_t *out)
{
	for (unsigned k = 0; k < n; k++)
		if (!strcmp(t, names[k])) {
			*out = (uint8_t)k;
			return true;
		}
	return false;
}

static bool parse_dpp(const char *m, struct sim_inst *i)
{
	if (eat(&m, "quad_perm:")) {
		i->dpp = SIM_DPP_QUAD_PERM;
		return list_values(m, i->dpp_arg, 8) == 4;
	}
	if (eat(&m, "dpp8:")) {
		i->dpp = SIM_DPP8;
		return list_values(m, i->dpp_arg, 8) == 8;
	}
	for (size_t k = 0; k < sizeof dpp_names / sizeof *dpp_names; k++)
		if (eat(&m, dpp_names[k].name)) {
			i->dpp = dpp_names[k].kind;
			if (dpp_names[k].arg)
				i->dpp_arg[0] = (uint8_t)strtol(m, NULL, 0);
			return true;
		}
	return false;
}

/* The pattern of ds_swizzle_b32 comes from its encoded offset, so that its symbolic forms need no parser. */
static bool parse_modifier(const char *m, struct sim_inst *i)
{
	static const struct {
		const char *name;
		size_t at;
	} flags[] = {
#define FLAG(n, f) {n, offsetof(struct sim_inst, f)}
		FLAG("clamp", clamp), FLAG("glc", glc),	 FLAG("slc", slc),     FLAG("dlc", dlc), FLAG("gds", gds),
		FLAG("lds", lds),     FLAG("offen", offen), FLAG("idxen", idxen), FLAG("scc", scc_bit),
#undef FLAG
	};
	for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
		if (!strcmp(m, flags[k].name)) {
			((uint8_t *)i)[flags[k].at] = 1;
			return true;
		}
	static const struct {
		const char *name;
		size_t at;
		uint8_t size;
		bool list;
	} values[] = {
#define VALUE(n, f, l) {n, offsetof(struct sim_inst, f), sizeof(((struct sim_inst *)0)->f), l}
		VALUE("offset0:", offset, false),     VALUE("offset1:", offset1, false),   VALUE("offset:", offset, false),
		VALUE("op_sel:", op_sel, true),	      VALUE("op_sel_hi:", op_sel_hi, true), VALUE("neg_lo:", neg_lo, true),
		VALUE("neg_hi:", neg_hi, true),	      VALUE("row_mask:", row_mask, false), VALUE("bank_mask:", bank_mask, false),
		VALUE("bound_ctrl:", bound_ctrl, false), VALUE("fi:", fi, false),	   VALUE("bitop3:", bitop3, false),
#undef VALUE
	};
	for (size_t k = 0; k < sizeof values / sizeof *values; k++)
		if (eat(&m, values[k].name)) {
			long x = values[k].list ? list_bits(m) : strtol(m, NULL, 0);
			void *at = (char *)i + values[k].at;
			if (values[k].size == 1)
				*(uint8_t *)at = (uint8_t)x;
			else if (values[k].size == 2)
				*(uint16_t *)at = (uint16_t)x;
			else
				*(int32_t *)at = (int32_t)x;
			return true;
		}
	if (eat(&m, "mul:"))
		return (i->omod = *m == '2' ? 1 : *m == '4' ? 2 : 0) != 0;
	if (!strcmp(m, "div:2"))
		return (i->omod = 3) != 0;
	if (eat(&m, "dst_sel:"))
		return parse_sel(m, sel_names, 7, &i->dst_sel);
	if (eat(&m, "dst_unused:"))
		return parse_sel(m, unused_names, 3, &i->dst_unused);
	if (eat(&m, "src0_sel:"))
		return parse_sel(m, sel_names, 7, &i->src0_sel);
	if (eat(&m, "src1_sel:"))
		return parse_sel(m, sel_names, 7, &i->src1_sel);
	return parse_dpp(m, i);
}

/* ---- instructions ---- */

static void add_range(struct sim_range *list, uint8_t *n, size_t max, const struct sim_opnd *o)
{
	if ((o->kind != SIM_O_VGPR && o->kind != SIM_O_SGPR) || (o->kind == SIM_O_SGPR && o->reg == SIM_NULL) || *n >= max)
		return;
	list[(*n)++] = (struct sim_range){(uint16_t)(o->reg + (o->kind == SIM_O_SGPR ? 256 : 0)), o->n};
}

static void add_scalar(struct sim_range *list, uint8_t *n, size_t max, uint32_t reg, uint8_t count)
{
	if (*n < max)
		list[(*n)++] = (struct sim_range){(uint16_t)(256 + reg), count};
}

/* Which operands are written: the table says so, but for vector memory atomics the glc bit does. */
static unsigned dst_count(const struct sim_inst *i, unsigned flags)
{
	if (i->cls == SIM_C_VMEM_ATOMIC)
		return i->glc && !(flags & SIM_F_NO_DST) ? 1 : 0;
	return flags & SIM_F_NO_DST ? 0 : flags & SIM_F_DST2 ? 2 : 1;
}

static void find_touched(struct sim_inst *into, const struct sim_inst *i, uint32_t lanes)
{
	unsigned flags = i->op->flags, ndst = dst_count(i, flags);
	uint8_t mask = lanes == 64 ? 2 : 1;
	enum { NR = sizeof into->reads / sizeof *into->reads, NW = sizeof into->writes / sizeof *into->writes };
	for (unsigned k = 0; k < i->nops; k++) {
		const struct sim_opnd *o = &i->ops[k];
		bool both = (flags & SIM_F_SWAP && k < 2) || (flags & SIM_F_RMW && k == 0);
		if (k < ndst || (flags & SIM_F_SWAP && k < 2))
			add_range(into->writes, &into->nwrites, NW, o);
		if (k >= ndst || both)
			add_range(into->reads, &into->nreads, NR, o);
		if (o->kind == SIM_O_VGPR && o->reg + o->n > into->vmax)
			into->vmax = (uint16_t)(o->reg + o->n);
	}
	if (flags & SIM_F_VCC_SRC)
		add_scalar(into->reads, &into->nreads, NR, SIM_VCC, mask);
	if (flags & SIM_F_VCC_DST)
		add_scalar(into->writes, &into->nwrites, NW, SIM_VCC, mask);
	if (flags & SIM_F_M0_SRC)
		add_scalar(into->reads, &into->nreads, NR, SIM_M0, 1);
}

/* Cuts at the next comma or blank outside brackets; returns the piece, sets *sep to what ended it. */
static const char *next_piece(struct arena *a, const char **p, char *sep)
{
	while (**p == ' ' || **p == '\t')
		(*p)++;
	const char *start = *p;
	int depth = 0;
	bool bar = false;
	for (; **p; (*p)++) {
		char c = **p;
		depth += (c == '[' || c == '(') - (c == ']' || c == ')');
		if (c == '|')
			bar = !bar;
		if (!depth && !bar && (c == ',' || c == ' ' || c == '\t'))
			break;
	}
	const char *piece = arena_strndup(a, start, (size_t)(*p - start));
	while (**p == ' ' || **p == '\t')
		(*p)++;
	*sep = **p;
	if (**p == ',')
		(*p)++;
	return piece;
}

/* Instructions whose operands only their encoding says (SOPP and friends): the text stays one word. */
static bool raw_operands(const char *name)
{
	static const char *const names[] = {"s_waitcnt", "s_delay_alu", "s_sendmsg", "s_sendmsghalt", "s_waitcnt_depctr",
					    "s_nop", "s_sleep", "s_clause", "s_trap", "s_sethalt", "s_setprio",
					    "s_inst_prefetch", "s_set_inst_prefetch_distance", "s_round_mode",
					    "s_denorm_mode", "s_endpgm", "s_code_end", "s_wait_event", "s_setkill",
					    "s_incperflevel", "s_decperflevel", "s_version", "s_ttracedata_imm",
					    "s_wait_idle", "s_icache_inv", "s_barrier"};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (!strcmp(name, names[k]))
			return true;
	return false;
}

static void defaults(struct sim_inst *i)
{
	i->op_sel_hi = i->op->flags & SIM_F_SEL_HI_0 ? 0 : 0xff;
	i->row_mask = i->bank_mask = 0xf;
	i->dst_sel = i->src0_sel = i->src1_sel = SIM_SEL_DWORD;
	i->dst_unused = SIM_UNUSED_PRESERVE;
}

/* One instruction's text, or one half of a VOPD's. */
static bool parse_inst(struct parser *ps, struct sim_inst *i, const char *text, bool half)
{
	size_t len = strcspn(text, " \t");
	const char *name = arena_strndup(ps->a, text, len), *p = text + len;
	if (half && !strncmp(name, "v_dual_", 7)) {
		char *plain = arena_printf(ps->a, "v_%s", name + 7);
		name = plain;
	}
	i->op = find_op(ps->s, name, strlen(name), &i->enc);
	if (!i->op) {
		ps->err = arena_printf(ps->a, "the simulator does not know `%s'", name);
		return false;
	}
	i->fn = i->op->fn;
	i->cls = i->op->cls;
	i->hazard = sim_hazard_name(i->op->name);
	i->rate = sim_cycles_rate(i->op);
	defaults(i);
	if (raw_operands(i->op->name))
		return true;
	bool more = *p != 0, operand = true;
	while (more) {
		char sep;
		const char *piece = next_piece(ps->a, &p, &sep);
		more = sep != 0;
		if (!*piece && !more)
			break;
		if (operand) {
			if (i->nops == sizeof i->ops / sizeof *i->ops) {
				ps->err = "too many operands";
				return false;
			}
			parse_operand(ps, piece, &i->ops[i->nops++]);
			/* v_nop and s_waitcnt-like words: a modifier may stand first. */
		} else if (!parse_modifier(piece, i)) {
			ps->err = arena_printf(ps->a, "the simulator does not know the modifier `%s'", piece);
			return false;
		}
		operand = sep == ',';
	}
	if (half && !strcmp(i->op->name, "v_cndmask_b32") && i->nops == 3)
		parse_operand(ps, "vcc_lo", &i->ops[i->nops++]);
	return true;
}

static bool parse_text(struct parser *ps, struct sim_inst *i, const char *text, uint32_t lanes)
{
	const char *y = strstr(text, " :: ");
	if (!y) {
		if (!parse_inst(ps, i, text, false))
			return false;
		find_touched(i, i, lanes);
		return true;
	}
	struct sim_inst *dual = NEW(ps->a, struct sim_inst);
	const char *x = arena_strndup(ps->a, text, (size_t)(y - text));
	y += 4;
	while (*y == ' ')
		y++;
	if (!parse_inst(ps, i, x, true) || !parse_inst(ps, dual, y, true))
		return false;
	find_touched(i, i, lanes);
	find_touched(i, dual, lanes);
	i->dual = dual;
	i->fn = sim_vopd;
	return true;
}

const struct sim_inst *sim_decode(struct sim *s, struct sim_code *c, uint64_t addr, uint32_t lanes, const char **err)
{
	uint32_t slot = (uint32_t)((addr - c->base) / 4) + (lanes == 64 ? c->slots : 0);
	char text[256];
	struct parser ps = {s, &s->arena, NULL};
	size_t n = mc_disasm_one(s->dis[lanes == 64], c->bytes + (addr - c->base), (size_t)(c->base + c->size - addr), addr,
				 text, sizeof text);
	if (!n) {
		*err = "these bytes are no instruction";
		return NULL;
	}
	struct sim_inst *i = NEW(&s->arena, struct sim_inst);
	i->len = (uint8_t)n;
	i->addr = addr;
	memcpy(&i->raw, c->bytes + (addr - c->base), 4);
	i->target = addr + 4 + (uint64_t)((int64_t)(int16_t)i->raw * 4);
	i->text = arena_strndup(&s->arena, text, strlen(text));
	if (!parse_text(&ps, i, i->text, lanes)) {
		*err = arena_printf(&s->arena, "%s (%s)", ps.err, text);
		return NULL;
	}
	c->insts[slot] = i;
	return i;
}
