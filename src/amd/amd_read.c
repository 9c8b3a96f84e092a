/* Reads the text form of machine IR.
 *
 *   function   ("kernel" | "func") NAME TARGET ["allocated"]
 *              ["abi" {FIELD=NUMBER}]
 *              {block}
 *   block      "block" ID ": lane" {PRED} ">" {SUCC} ", wave" {PRED} ">" {SUCC} [", depth" N] [", loop"] [", flow"] [", divergent"]
 *              {instruction}
 *   instruction  [def {"," def} "="] OPCODE [operand {"," operand}] ["enc=" ENCODING] {FIELD=NUMBER} ["->" BLOCK]
 *   def        "%"TEMP ":" CLASS [place] | REGISTER | "_:" CLASS
 *   operand    ["-"] ["|"] ["^"] (temp | REGISTER | NUMBER [":" CLASS] | "undef:" CLASS [place] | reloc) ["|"] ["." SELECTOR] [".late"] [".low"]
 *   temp       "%"TEMP [place]
 *   reloc      "reloc(" SYMBOL "," ADDEND "," ("lo" | "hi") ["," "abs"] ")"
 *   place      "!" REGISTER (must be there) | "@" REGISTER (allocated)
 *   CLASS      s1, s2, v4, ...           REGISTER  s5, s[4:7], v0, vcc, vcc_lo, exec, exec_lo, m0, null, scc
 *
 * One instruction a line; # starts a comment. Fields not given have the opcode's defaults. */
#include <stdlib.h>

#include "amd/amd_text.h"

struct reader {
	struct amd_func *f;
	struct arena *arena;
	struct diags *diags;
	const char *p, *end; /* of the current line */
	uint32_t line;
	bool bad;
};

static void fail(struct reader *r, const char *what)
{
	if (!r->bad)
		diag_error(r->diags, r->line, "%s at '%.*s'", what, (int)(r->end - r->p > 30 ? 30 : r->end - r->p), r->p);
	r->bad = true;
}

static void skip(struct reader *r)
{
	while (r->p < r->end && (*r->p == ' ' || *r->p == '\t'))
		r->p++;
}

static bool at_end(struct reader *r)
{
	skip(r);
	return r->p >= r->end || *r->p == '#';
}

static bool eat(struct reader *r, const char *s)
{
	skip(r);
	size_t n = strlen(s);
	if ((size_t)(r->end - r->p) < n || memcmp(r->p, s, n))
		return false;
	r->p += n;
	return true;
}

static void expect(struct reader *r, const char *s)
{
	if (!eat(r, s))
		fail(r, s);
}

static bool word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* A word without consuming it: its length. */
static size_t peek_word(struct reader *r)
{
	skip(r);
	const char *q = r->p;
	while (q < r->end && word_char(*q))
		q++;
	return (size_t)(q - r->p);
}

static bool eat_word(struct reader *r, const char *s)
{
	size_t n = peek_word(r);
	if (n != strlen(s) || memcmp(r->p, s, n))
		return false;
	r->p += n;
	return true;
}

static const char *word(struct reader *r)
{
	size_t n = peek_word(r);
	if (!n)
		fail(r, "name expected");
	const char *s = arena_strndup(r->arena, r->p, n);
	r->p += n;
	return s;
}

static bool at_number(struct reader *r)
{
	skip(r);
	return r->p < r->end && *r->p >= '0' && *r->p <= '9';
}

static uint64_t number(struct reader *r)
{
	skip(r);
	bool neg = eat(r, "-");
	if (!at_number(r)) {
		fail(r, "number expected");
		return 0;
	}
	char *q;
	uint64_t v = strtoull(r->p, &q, 0);
	r->p = q;
	return neg ? -v : v;
}

static amd_rc rc(struct reader *r)
{
	bool vector = eat(r, "v");
	if (!vector && !eat(r, "s"))
		fail(r, "register class expected");
	uint32_t n = (uint32_t)number(r);
	if (n > AMD_RC_SIZE)
		fail(r, "size");
	return vector ? AMD_V(n) : AMD_S(n);
}

static bool reg_file(struct reader *r, uint16_t *reg, amd_rc *c)
{
	const char *q = r->p + 1;
	bool vector = *r->p == 'v';
	uint16_t base = vector ? AMD_VGPR0 : AMD_SGPR0;
	if (q < r->end && *q >= '0' && *q <= '9') {
		r->p = q;
		*reg = (uint16_t)(base + number(r));
		*c = vector ? AMD_V(1) : AMD_S(1);
		return true;
	}
	if (q < r->end && *q == '[') {
		r->p = q + 1;
		uint32_t lo = (uint32_t)number(r);
		expect(r, ":");
		uint32_t n = (uint32_t)number(r) - lo + 1;
		expect(r, "]");
		*reg = (uint16_t)(base + lo);
		*c = vector ? AMD_V(n) : AMD_S(n);
		return true;
	}
	return false;
}

static bool reg(struct reader *r, uint16_t *reg, amd_rc *c)
{
	static const struct {
		const char *name;
		uint16_t reg;
		amd_rc rc;
	} special[] = {{"vcc_lo", AMD_VCC, 1}, {"vcc_hi", AMD_VCC + 1, 1}, {"vcc", AMD_VCC, 2}, {"m0", AMD_M0, 1}, {"null", AMD_NULL, 1},
		{"exec_lo", AMD_EXEC, 1}, {"exec_hi", AMD_EXEC + 1, 1}, {"exec", AMD_EXEC, 2}, {"scc", AMD_SCC, 1},
		{"src_shared_base", AMD_SHARED_BASE, 2}, {"src_private_base", AMD_PRIVATE_BASE, 2}};
	skip(r);
	if (r->p >= r->end)
		return false;
	if ((*r->p == 's' || *r->p == 'v') && reg_file(r, reg, c))
		return true;
	for (size_t k = 0; k < sizeof special / sizeof *special; k++)
		if (eat_word(r, special[k].name)) {
			*reg = special[k].reg;
			*c = special[k].rc;
			return true;
		}
	return false;
}

static amd_rc place(struct reader *r, bool *fixed, uint16_t *where)
{
	amd_rc c = 0;
	if (r->p < r->end && (*r->p == '!' || *r->p == '@')) {
		*fixed = *r->p++ == '!';
		if (!reg(r, where, &c))
			fail(r, "register expected");
	}
	return c;
}

static uint32_t temp(struct reader *r)
{
	uint32_t t = (uint32_t)number(r);
	if (!t || t > 1 << 24) {
		fail(r, "temporary");
		return 0;
	}
	while (r->f->ntemps <= t)
		amd_temp_new(r->f, 0);
	return t;
}

static void read_def(struct reader *r, struct amd_def *d)
{
	d->reg = AMD_NOREG;
	if (eat(r, "%")) {
		d->temp = temp(r);
		expect(r, ":");
		d->rc = rc(r);
		if (!r->bad)
			r->f->temp_rc.data[d->temp] = d->rc;
		place(r, &d->fixed, &d->reg);
	} else if (eat(r, "_:")) {
		d->rc = rc(r);
	} else if (reg(r, &d->reg, &d->rc)) {
		d->fixed = true;
	} else {
		fail(r, "definition expected");
	}
}

static void read_reloc(struct reader *r, struct amd_operand *o)
{
	struct amd_reloc_sym *s = NEW(r->arena, struct amd_reloc_sym);
	expect(r, "(");
	s->name = word(r);
	expect(r, ",");
	s->addend = (int64_t)number(r);
	expect(r, ",");
	s->hi = eat_word(r, "hi");
	if (!s->hi)
		expect(r, "lo");
	if (eat(r, ","))
		s->absolute = (expect(r, "abs"), true);
	expect(r, ")");
	o->kind = AMD_OPND_RELOC;
	o->rc = AMD_S(1);
	o->reloc.sym = s;
}

static void read_operand(struct reader *r, struct amd_operand *o)
{
	*o = (struct amd_operand){.reg = AMD_NOREG};
	o->neg = eat(r, "-");
	o->abs = eat(r, "|");
	o->sext = eat(r, "^");
	if (eat(r, "%")) {
		o->kind = AMD_OPND_TEMP;
		o->temp = temp(r);
		o->rc = place(r, &o->fixed, &o->reg);
	} else if (at_number(r)) {
		o->kind = AMD_OPND_CONST;
		o->rc = AMD_S(1);
		o->value = number(r);
		if (eat(r, ":"))
			o->rc = rc(r);
	} else if (eat_word(r, "undef")) {
		expect(r, ":");
		o->rc = rc(r);
		place(r, &o->fixed, &o->reg);
	} else if (eat_word(r, "reloc")) {
		read_reloc(r, o);
	} else if (reg(r, &o->reg, &o->rc)) {
		o->kind = AMD_OPND_REG;
		o->fixed = true;
	} else {
		fail(r, "operand expected");
	}
	if (o->abs)
		expect(r, "|");
	while (!r->bad && eat(r, ".")) {
		if (eat_word(r, "late")) {
			o->late_kill = true;
			continue;
		}
		if (eat_word(r, "low")) {
			o->low = true;
			continue;
		}
		const char *s = word(r);
		for (uint8_t k = 1; k < 7; k++)
			if (!strcmp(s, amd_sel_names[k]))
				o->sel = k;
	}
}

static void read_fields(struct reader *r, void *base, const struct amd_field *fields)
{
	const char *name = word(r);
	expect(r, "=");
	if (fields == amd_inst_fields && !strcmp(name, "enc")) {
		const char *e = word(r);
		for (uint8_t k = 0; k < AMD_ENC_COUNT; k++)
			if (!strcmp(e, amd_enc_names[k])) {
				((struct amd_inst *)base)->enc = k;
				return;
			}
		fail(r, "unknown encoding");
		return;
	}
	for (; fields->name; fields++)
		if (!strcmp(fields->name, name)) {
			amd_field_set(base, fields, (int64_t)number(r));
			return;
		}
	fail(r, "unknown field");
}

static bool has_defs(struct reader *r)
{
	/* " = " stands between definitions and opcode; fields have no space around theirs. */
	for (const char *q = r->p; q + 2 < r->end && *q != '#'; q++)
		if (q[0] == ' ' && q[1] == '=' && q[2] == ' ')
			return true;
	return false;
}

static bool at_field(struct reader *r)
{
	size_t n = peek_word(r);
	return n && r->p + n < r->end && r->p[n] == '=';
}

static bool at_arrow(struct reader *r)
{
	skip(r);
	return r->end - r->p > 1 && r->p[0] == '-' && r->p[1] == '>';
}

static struct amd_inst *read_inst(struct reader *r, uint32_t *target)
{
	enum { MAX = 1000 };
	struct amd_def *defs = NEWN(r->arena, struct amd_def, MAX);
	struct amd_operand *ops = NEWN(r->arena, struct amd_operand, MAX);
	uint32_t nd = 0, no = 0;
	if (has_defs(r)) {
		do
			read_def(r, &defs[nd++]);
		while (!r->bad && nd < MAX && eat(r, ","));
		expect(r, "=");
	}
	const char *name = word(r);
	uint32_t op = 0;
	while (op < AMD_OP_COUNT && strcmp(amd_op_info[op].name, name))
		op++;
	if (op == AMD_OP_COUNT) {
		fail(r, "unknown opcode before");
		return NULL;
	}
	if (!at_end(r) && !at_field(r) && !at_arrow(r)) {
		do
			read_operand(r, &ops[no++]);
		while (!r->bad && no < MAX && eat(r, ","));
	}
	struct amd_inst *i = amd_inst_new(r->f, op, nd, no);
	if (nd)
		memcpy(i->defs, defs, nd * sizeof *defs);
	if (no)
		memcpy(i->ops, ops, no * sizeof *ops);
	while (!r->bad && at_field(r))
		read_fields(r, i, amd_inst_fields);
	*target = UINT32_MAX;
	if (!r->bad && eat(r, "->"))
		*target = (uint32_t)number(r);
	uint32_t none;
	if (!r->bad && eat(r, "::"))
		i->dual = read_inst(r, &none);
	if (!r->bad && !at_end(r))
		fail(r, "end of line expected");
	return i;
}

static void read_edges(struct reader *r, const char *name, struct amd_block *b, bool lane)
{
	expect(r, name);
	while (at_number(r)) {
		uint32_t n = (uint32_t)number(r);
		if (lane)
			vec_push(r->arena, &b->lane_preds, n);
		else
			vec_push(r->arena, &b->wave_preds, n);
	}
	expect(r, ">");
	while (at_number(r)) {
		uint32_t n = (uint32_t)number(r);
		if (lane)
			vec_push(r->arena, &b->lane_succs, n);
		else
			vec_push(r->arena, &b->wave_succs, n);
	}
}

static struct amd_block *read_block(struct reader *r)
{
	struct amd_block *b = amd_block_new(r->f);
	if (number(r) != b->id)
		fail(r, "blocks must be numbered in order");
	expect(r, ":");
	read_edges(r, "lane", b, true);
	expect(r, ",");
	read_edges(r, "wave", b, false);
	while (!r->bad && eat(r, ",")) {
		if (eat_word(r, "depth"))
			b->loop_depth = (uint32_t)number(r);
		else if (eat_word(r, "loop"))
			b->is_loop_header = true;
		else if (eat_word(r, "flow"))
			b->is_flow = true;
		else if (eat_word(r, "divergent"))
			b->divergent = true;
		else
			fail(r, "unknown property");
	}
	return b;
}

static void read_head(struct reader *r, const struct amd_target *t)
{
	bool kernel = eat_word(r, "kernel");
	if (!kernel)
		expect(r, "func");
	const char *name = word(r);
	const char *target = word(r);
	if (!r->bad && !t && !(t = amd_target_find(target)))
		fail(r, "unknown target before");
	r->f = amd_func_new(r->arena, t, name);
	r->f->is_kernel = kernel;
	r->f->diags = r->diags;
	r->f->allocated = eat_word(r, "allocated");
}

struct jump {
	struct amd_inst *i;
	uint32_t target, line;
};

/* What needs the whole text: branch targets, classes of operands. */
static void resolve(struct reader *r, const struct jump *jumps, uint32_t n)
{
	struct amd_func *f = r->f;
	for (uint32_t k = 0; k < n && !r->bad; k++) {
		r->line = jumps[k].line;
		if (jumps[k].target >= f->blocks.len)
			fail(r, "no such block");
		else
			jumps[k].i->target = f->blocks.data[jumps[k].target];
	}
	for (uint32_t b = 0; b < f->blocks.len; b++)
		for (uint32_t k = 0; k < f->blocks.data[b]->insts.len; k++) {
			struct amd_inst *i = f->blocks.data[b]->insts.data[k];
			for (uint32_t o = 0; o < i->nops; o++)
				if (i->ops[o].kind == AMD_OPND_TEMP) {
					/* its definition may have been lowered away */
					amd_rc *c = &f->temp_rc.data[i->ops[o].temp];
					*c = *c ? *c : i->ops[o].rc;
					i->ops[o].rc = *c;
				}
		}
}

struct amd_func *amd_read_func(struct arena *a, struct diags *d, const struct amd_target *t, const char *text, size_t n)
{
	struct reader r = {.arena = a, .diags = d};
	struct amd_block *b = NULL;
	VEC(struct jump) jumps = {0};
	const char *stop = text + n;
	while (text < stop && !r.bad) {
		const char *nl = memchr(text, '\n', (size_t)(stop - text));
		r.p = text;
		r.end = nl ? nl : stop;
		text = nl ? nl + 1 : stop;
		r.line++;
		if (at_end(&r))
			continue;
		if (!r.f) {
			read_head(&r, t);
		} else if (!b && eat_word(&r, "abi")) {
			while (!r.bad && !at_end(&r))
				read_fields(&r, &r.f->abi, amd_abi_fields);
		} else if (eat_word(&r, "block")) {
			b = read_block(&r);
		} else if (!b) {
			fail(&r, "block expected");
		} else {
			uint32_t target;
			struct amd_inst *i = read_inst(&r, &target);
			if (r.bad)
				break;
			amd_append(r.f, b, i);
			if (target != UINT32_MAX)
				vec_push(a, &jumps, (struct jump){i, target, r.line});
		}
	}
	if (!r.f)
		fail(&r, "function expected");
	else
		resolve(&r, jumps.data, jumps.len);
	return r.bad ? NULL : r.f;
}
