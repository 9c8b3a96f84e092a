/* Local variables in registers: every variable whose accesses all have constant offsets and whose address goes nowhere else.
 *
 * Accesses that overlap form a group; a group is cut into pieces of one size, the greatest that every access is a whole number of,
 * and each piece becomes a register (regset, regget), which ir_ssa makes values. Wider accesses put single bytes together and take words
 * apart. Narrow pieces live in 32 bits; bits above the piece are cut off when read.
 *
 * requires: SSA, addresses folded (ir_combine, ir_spaces).  ensures: SSA, ir_dominators; such variables are gone.
 * breaks: loops, order. */
#include "ir/ir_util.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

enum { MAX_BYTES = 16384, MAX_PIECES = 32 };

struct var_info {
	struct ir_var *v;
	bool escapes;
	uint32_t *end;   /* by byte that begins an access: where the longest one ends */
	uint32_t *first; /* by byte: where its group begins, + 1; 0: no access */
	uint32_t *unit;  /* by a group's first byte: the size of its pieces in bytes */
	uint32_t *reg;   /* by byte that begins a piece: its register + 1 */
};

struct promotion {
	struct ir_func *f;
	struct var_info *info;
	uint32_t n, nregs;
};

static struct var_info *info_of(struct promotion *p, const I *address)
{
	const struct ir_var *v = address->sym;
	if (address->op != IR_symaddr || v->space != IR_LOCAL)
		return NULL;
	for (uint32_t k = 0; k < p->n; k++)
		if (p->info[k].v == v)
			return &p->info[k];
	return NULL;
}

/* The byte that the access begins at; false where it is not inside the variable. */
static bool place(const I *i, const struct var_info *x, uint32_t *at)
{
	int64_t a = (int64_t)(int32_t)i->args[0]->imm + (int64_t)(int32_t)i->imm;
	*at = (uint32_t)a;
	return a >= 0 && (uint64_t)a + i->mem.bits / 8u <= x->v->size && x->v->size <= MAX_BYTES;
}

static bool is_plain(const I *i)
{
	return (i->op == IR_load || i->op == IR_store) && i->mem.space == IR_LOCAL && !i->mem.is_volatile;
}

static void note_uses(struct promotion *p, I *i)
{
	uint32_t at;
	for (uint32_t k = 0; k < i->nargs; k++) {
		struct var_info *x = info_of(p, i->args[k]);
		if (!x)
			continue;
		if (k || !is_plain(i) || !place(i, x, &at)) {
			x->escapes = true;
			continue;
		}
		uint32_t bytes = i->mem.bits / 8u;
		if (at + bytes > x->end[at])
			x->end[at] = at + bytes;
	}
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t t = a % b;
		a = b;
		b = t;
	}
	return a;
}

static void find_groups(struct var_info *x)
{
	uint32_t size = (uint32_t)x->v->size, first = 0, end = 0;
	for (uint32_t at = 0; at < size; at++) {
		if (x->end[at] && at >= end) {
			first = at;
			x->unit[first] = 8;
		}
		if (x->end[at] > end)
			end = x->end[at];
		x->first[at] = at < end ? first + 1 : 0;
	}
}

static void find_unit(struct var_info *x, const I *i, uint32_t at)
{
	uint32_t first = x->first[at] - 1;
	x->unit[first] = gcd(gcd(x->unit[first], i->mem.bits / 8u), at - first);
}

static uint32_t unit_at(const struct var_info *x, uint32_t at)
{
	return x->unit[x->first[at] - 1];
}

static void each_access(struct promotion *p, void (*fn)(struct var_info *, const I *, uint32_t))
{
	ir_each_block(b, p->f) ir_each_inst(i, b) {
		struct var_info *x = is_plain(i) ? info_of(p, i->args[0]) : NULL;
		uint32_t at;
		if (x && !x->escapes && place(i, x, &at))
			fn(x, i, at);
	}
}

static void check_fit(struct var_info *x, const I *i, uint32_t at)
{
	uint32_t bytes = i->mem.bits / 8u, unit = unit_at(x, at);
	if (bytes / unit > MAX_PIECES)
		x->escapes = true;
}

/* --- rewriting --- */

static uint32_t piece_reg(struct promotion *p, struct var_info *x, uint32_t at)
{
	if (!x->reg[at])
		x->reg[at] = ++p->nregs;
	return x->reg[at] - 1;
}

static uint32_t reg_width(uint32_t unit)
{
	return unit == 8 ? 64 : 32;
}

/* Bits above the piece are undefined. */
static I *read_piece(struct promotion *p, C *c, struct var_info *x, uint32_t at, uint32_t unit)
{
	I *r = ir_inst_new(p->f, IR_regget, reg_width(unit), 0);
	r->imm = piece_reg(p, x, at);
	return ir_emit(c, r);
}

static I *to_width(C *c, I *x, uint32_t width, bool sext)
{
	if (x->width == width)
		return x;
	return ir_b1(c, x->width > width ? IR_trunc : sext ? IR_sext : IR_zext, width, x);
}

/* Two or four single bytes as a word. */
static I *read_bytes(struct promotion *p, C *c, struct var_info *x, uint32_t at, uint32_t n)
{
	I *word = NULL;
	for (uint32_t k = 0; k < n; k++) {
		I *byte = ir_b2(c, IR_and, 32, read_piece(p, c, x, at + k, 1), ir_const(p->f, 32, 255));
		byte = ir_b2(c, IR_shl, 32, byte, ir_const(p->f, 32, 8 * k));
		word = word ? ir_b2(c, IR_or, 32, word, byte) : byte;
	}
	return word;
}

/* Words and wider. */
static I *read_units(struct promotion *p, C *c, struct var_info *x, const I *i, uint32_t at, uint32_t unit)
{
	I *parts[MAX_PIECES];
	uint32_t bytes = i->mem.bits / 8u, n = unit == 1 ? bytes / 4 : bytes / unit;
	for (uint32_t k = 0; k < n; k++) {
		parts[k] = unit == 1 ? read_bytes(p, c, x, at + k * 4, 4) : read_piece(p, c, x, at + k * unit, unit);
		if (unit == 2)
			parts[k] = ir_b1(c, IR_trunc, 16, parts[k]);
	}
	return n == 1 ? parts[0] : ir_pack(c, i->mem.bits, parts, n);
}

static I *replace_load(struct promotion *p, C *c, struct var_info *x, const I *i, uint32_t at)
{
	uint32_t bytes = i->mem.bits / 8u, unit = unit_at(x, at);
	I *r, *cut = ir_const(p->f, 32, 32 - i->mem.bits);
	if (bytes >= 4)
		return to_width(c, read_units(p, c, x, i, at, unit), i->width, i->mem.sext);
	r = bytes == unit ? read_piece(p, c, x, at, unit) : read_bytes(p, c, x, at, bytes);
	if (i->width != i->mem.bits && i->mem.sext)
		r = ir_b2(c, IR_sar, 32, ir_b2(c, IR_shl, 32, r, cut), cut);
	else if (i->width != i->mem.bits)
		r = ir_b2(c, IR_and, 32, r, ir_const(p->f, 32, ir_mask(i->mem.bits)));
	return to_width(c, r, i->width, i->mem.sext);
}

/* Piece k of a stored value; bits above it do not matter. */
static I *cut_piece(struct promotion *p, C *c, I *value, uint32_t k, uint32_t unit)
{
	if (unit > 1)
		return to_width(c, ir_unpack(c, unit * 8, value, k), reg_width(unit), false);
	I *word = value->width > 32 ? ir_unpack(c, 32, value, k / 4) : value;
	return ir_b2(c, IR_shr, 32, word, ir_const(p->f, 32, 8 * (k % 4)));
}

static void replace_store(struct promotion *p, C *c, struct var_info *x, const I *i, uint32_t at)
{
	uint32_t bytes = i->mem.bits / 8u, unit = unit_at(x, at);
	I *value = i->args[1];
	if (bytes < 4 && (bytes == unit || unit == 1))
		value = to_width(c, value, 32, false);
	else
		value = to_width(c, value, i->mem.bits, false);
	for (uint32_t k = 0; k < bytes / unit; k++) {
		I *set = ir_inst_new(p->f, IR_regset, 0, 1);
		set->imm = piece_reg(p, x, at + k * unit);
		set->args[0] = bytes > unit ? cut_piece(p, c, value, k, unit) : value;
		ir_emit(c, set);
	}
}

static void rewrite(struct promotion *p)
{
	struct ir_fwd fwd = ir_fwd_new(p->f);
	ir_each_block(b, p->f) ir_each_inst_safe(i, b)
	{
		struct var_info *x = is_plain(i) ? info_of(p, i->args[0]) : NULL;
		uint32_t at;
		ir_fwd_args(&fwd, i);
		if (!x || x->escapes || !place(i, x, &at))
			continue;
		C c = ir_at(p->f, i);
		if (i->op == IR_load)
			ir_fwd_set(p->f, &fwd, i, replace_load(p, &c, x, i, at));
		else
			replace_store(p, &c, x, i, at);
		ir_remove(i);
	}
	ir_fwd_apply(p->f, &fwd);
}

static void drop_variables(struct promotion *p)
{
	uint32_t kept = 0;
	for (uint32_t k = 0; k < p->f->vars.len; k++) {
		struct ir_var *v = p->f->vars.data[k];
		bool gone = false;
		for (uint32_t j = 0; j < p->n; j++)
			gone |= p->info[j].v == v && !p->info[j].escapes;
		if (!gone)
			p->f->vars.data[kept++] = v;
	}
	p->f->vars.len = kept;
}

/* --- an address that is one of two --- */

static I *local_place(I *address, uint32_t *offset)
{
	*offset = 0;
	if (address->op == IR_add && address->args[1]->op == IR_const) {
		*offset = (uint32_t)address->args[1]->imm;
		address = address->args[0];
	}
	const struct ir_var *v = address->op == IR_symaddr ? address->sym : NULL;
	return v && v->space == IR_LOCAL && v->size <= MAX_BYTES ? address : NULL;
}

static I *access_at(C *c, const I *i, I *address, uint32_t offset, enum ir_op op, I *value)
{
	I *m = ir_inst_new(c->f, op, op == IR_load ? i->op == IR_load ? i->width : i->args[1]->width : 0, value ? 2 : 1);
	m->args[0] = address;
	if (value)
		m->args[1] = value;
	m->imm = i->imm + offset;
	m->mem = i->mem;
	return ir_emit(c, m);
}

/* Loads from one of two places read both; stores write back what the place held that is not meant. */
static void split_choices(struct ir_func *f)
{
	struct ir_fwd fwd = ir_fwd_new(f);
	bool any = false;
	ir_each_block(b, f) ir_each_inst_safe(i, b)
	{
		I *choice = is_plain(i) ? i->args[0] : NULL, *at[2], *v[2];
		uint32_t offset[2];
		if (!choice || choice->op != IR_select || (i->op == IR_load ? i->width : i->args[1]->width) > 64 || !(at[0] = local_place(choice->args[1], &offset[0])) ||
		    !(at[1] = local_place(choice->args[2], &offset[1])))
			continue;
		C c = ir_at(f, i);
		any = true;
		for (uint32_t k = 0; k < 2; k++)
			v[k] = access_at(&c, i, at[k], offset[k], IR_load, NULL);
		if (i->op == IR_load) {
			ir_fwd_set(f, &fwd, i, ir_select(&c, choice->args[0], v[0], v[1]));
		} else {
			access_at(&c, i, at[0], offset[0], IR_store, ir_select(&c, choice->args[0], i->args[1], v[0]));
			v[1] = access_at(&c, i, at[1], offset[1], IR_load, NULL); /* which may be the same place */
			access_at(&c, i, at[1], offset[1], IR_store, ir_select(&c, choice->args[0], v[1], i->args[1]));
		}
		ir_remove(i);
	}
	if (!any)
		return;
	ir_fwd_apply(f, &fwd);
	ir_dce(f);
}

void ir_promote(struct ir_func *f)
{
	split_choices(f);
	struct promotion p = {.f = f, .info = NEWN(f->arena, struct var_info, f->vars.len + 1)};
	for (uint32_t k = 0; k < f->vars.len; k++) {
		struct ir_var *v = f->vars.data[k];
		uint32_t n = v->size <= MAX_BYTES ? (uint32_t)v->size : 0;
		if (v->space != IR_LOCAL || !n)
			continue;
		p.info[p.n++] = (struct var_info){v, false, NEWN(f->arena, uint32_t, n), NEWN(f->arena, uint32_t, n),
						  NEWN(f->arena, uint32_t, n), NEWN(f->arena, uint32_t, n)};
	}
	if (!p.n)
		return;
	ir_each_block(b, f) ir_each_inst(i, b) note_uses(&p, i);
	for (uint32_t k = 0; k < p.n; k++)
		if (!p.info[k].escapes)
			find_groups(&p.info[k]);
	each_access(&p, find_unit);
	each_access(&p, check_fit);
	rewrite(&p);
	drop_variables(&p);
	f->nregs = p.nregs;
	if (p.nregs)
		ir_ssa(f);
}
