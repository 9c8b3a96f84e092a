/* ir_legal_atomic: atomic operations that the memory of the chip does not have.
 *
 * requires: any IR before ir_legal_float; m->target.
 * ensures: the atomics left are those of isel_mem.c's table: 32 and 64 bits, in global, shared or generic memory.
 *
 * Most others become a loop around compare-and-swap; a lane whose swap fails goes round again while those that succeeded wait, so some
 * lane makes progress each time. An f32 addition through a generic pointer, which flushes subnormals in global memory alone, is one
 * of each space. 16 bits are done inside the word around them. Local memory belongs to one lane: there a load,
 * the operation and a store will do.
 *
 * 128 bits are exchanged under a lock, of a table in the module by bits of the generic address; atomic loads and stores of 128 bits
 * take it too. A lane takes it, does its work and gives it back within one iteration of its loop, while those that failed wait for the
 * iteration's end. Atomic among the kernels of one module, therefore; not towards the host. */
#include "amd/amd.h"
#include "ir/ir_emit.h"

enum { LOCKS = 256 };
#define LOCK_TABLE "ptx.locks"

static bool is_native(const struct ir_module *m, const struct ir_inst *i)
{
	if (i->mem.space == IR_LOCAL || (i->mem.bits != 32 && i->mem.bits != 64))
		return false;
	switch (i->mem.atom) {
	case IR_ATOM_FADD:
		return i->mem.bits == 32 && !m->exact_atomic_nan && !i->mem.keep_subnormals && (i->mem.space == IR_SHARED || (i->mem.space == IR_GLOBAL && m->target->has_global_fadd_f32));
	case IR_ATOM_FMIN:
	case IR_ATOM_FMAX:
	case IR_ATOM_PK_FADD:
	case IR_ATOM_PK_FMIN:
	case IR_ATOM_PK_FMAX:
	case IR_ATOM_PK_BFADD:
	case IR_ATOM_PK_BFMIN:
	case IR_ATOM_PK_BFMAX:
		return false;
	default:
		return true;
	}
}

static struct ir_inst *float_op(struct ir_cursor *c, enum ir_op op, uint32_t width, struct ir_inst *x, struct ir_inst *y, bool ftz)
{
	struct ir_inst *i = ir_inst_new(c->f, op, width, 2);
	i->args[0] = x;
	i->args[1] = y;
	i->ftz = ftz;
	return ir_emit(c, i);
}

static struct ir_inst *bf16_op(struct ir_cursor *c, enum ir_op op, struct ir_inst *x, struct ir_inst *y)
{
	struct ir_inst *a = ir_b1(c, IR_bf16tof32, 32, x), *b = ir_b1(c, IR_bf16tof32, 32, y);
	return ir_b1(c, IR_f32tobf16, 16, float_op(c, op, 32, a, b, false));
}

static struct ir_inst *bf16x2_op(struct ir_cursor *c, enum ir_op op, struct ir_inst *x, struct ir_inst *y)
{
	struct ir_inst *part[2];
	for (uint32_t k = 0; k < 2; k++)
		part[k] = bf16_op(c, op, ir_unpack(c, 16, x, k), ir_unpack(c, 16, y, k));
	return ir_pack(c, 32, part, 2);
}

/* (old >= y) ? 0 : old + 1;  (old == 0 || old > y) ? y : old - 1 */
static struct ir_inst *wrap_op(struct ir_cursor *c, bool inc, uint32_t width, struct ir_inst *old, struct ir_inst *y)
{
	struct ir_inst *zero = ir_const(c->f, width, 0), *one = ir_const(c->f, width, 1);
	if (inc)
		return ir_select(c, ir_cmp(c, IR_icmp, IRC_UGE, old, y), zero, ir_b2(c, IR_add, width, old, one));
	struct ir_inst *wrap = ir_b2(c, IR_or, 1, ir_cmp(c, IR_icmp, IRC_EQ, old, zero), ir_cmp(c, IR_icmp, IRC_UGT, old, y));
	return ir_select(c, wrap, y, ir_b2(c, IR_sub, width, old, one));
}

/* old == compare ? y : old */
static struct ir_inst *exchange128(struct ir_cursor *c, struct ir_inst *old, struct ir_inst *y, struct ir_inst *compare)
{
	struct ir_inst *half[2], *same = ir_const(c->f, 1, 1);
	for (uint32_t k = 0; k < 2; k++)
		same = ir_b2(c, IR_and, 1, same, ir_cmp(c, IR_icmp, IRC_EQ, ir_unpack(c, 64, old, k), ir_unpack(c, 64, compare, k)));
	for (uint32_t k = 0; k < 2; k++)
		half[k] = ir_select(c, same, ir_unpack(c, 64, y, k), ir_unpack(c, 64, old, k));
	return ir_pack(c, 128, half, 2);
}

/* An H200's NaN bits: in shared memory those of f64 arithmetic, the old value's first; in global memory an operand as it is, not made quiet, the
 * instruction's first. */
static struct ir_inst *add_double(struct ir_cursor *c, struct ir_inst *old, struct ir_inst *y, bool shared)
{
	if (shared)
		return float_op(c, IR_fadd, 64, y, old, false);
	struct ir_inst *sum = float_op(c, IR_fadd, 64, old, y, false);
	struct ir_inst *any = ir_b1(c, IR_ballot, 32, ir_cmp(c, IR_fcmp, IRC_NAN, sum, sum)), *phi = ir_inst_new(c->f, IR_phi, 64, 2);
	struct ir_block *nan = ir_block_new(c->f), *rest = ir_block_new(c->f);
	ir_condbr(c, ir_cmp(c, IR_icmp, IRC_NE, any, ir_const(c->f, 32, 0)), nan, rest);
	phi->args[0] = sum;
	nan->line = rest->line = phi->line = c->line;
	nan->cold = true;
	c->block = nan;
	struct ir_inst *r = ir_select(c, ir_cmp(c, IR_fcmp, IRC_NAN, old, old), old, sum);
	phi->args[1] = ir_select(c, ir_cmp(c, IR_fcmp, IRC_NAN, y, y), y, r);
	ir_br(c, rest);
	c->block = rest;
	ir_append(rest, phi);
	return phi;
}

static struct ir_inst *add_in(struct ir_cursor *c, uint32_t w, struct ir_inst *old, struct ir_inst *y, bool shared)
{
	return w == 64 ? add_double(c, old, y, shared) : float_op(c, IR_fadd, w, old, y, w == 32 && !shared);
}

/* PTX ISA, atom: .f32 addition flushes subnormals in global memory and not in shared memory; a generic address may be of either. */
static struct ir_inst *add_float(struct ir_cursor *c, const struct ir_inst *i, struct ir_inst *old, struct ir_inst *y)
{
	uint32_t w = i->mem.bits;
	if (i->mem.space == IR_SHARED || i->mem.space == IR_LOCAL || i->mem.keep_subnormals || w == 16)
		return add_in(c, w, old, y, true);
	if (i->mem.space == IR_GLOBAL)
		return add_in(c, w, old, y, false);
	return ir_select(c, i->args[2], add_in(c, w, old, y, true), add_in(c, w, old, y, false));
}

/* What the operation makes of the old value. compare: of cas. */
static struct ir_inst *apply(struct ir_cursor *c, const struct ir_inst *i, struct ir_inst *old, struct ir_inst *y, struct ir_inst *compare)
{
	static const uint16_t integer[IR_ATOM_COUNT] = {
		[IR_ATOM_ADD] = IR_add, [IR_ATOM_SMIN] = IR_smin, [IR_ATOM_SMAX] = IR_smax, [IR_ATOM_UMIN] = IR_umin,
		[IR_ATOM_UMAX] = IR_umax, [IR_ATOM_AND] = IR_and, [IR_ATOM_OR] = IR_or, [IR_ATOM_XOR] = IR_xor,
	};
	uint32_t w = i->mem.bits;
	switch (i->mem.atom) {
	case IR_ATOM_EXCH:
		return y;
	case IR_ATOM_CAS:
		if (w == 128)
			return exchange128(c, old, y, compare);
		return ir_select(c, ir_cmp(c, IR_icmp, IRC_EQ, old, compare), y, old);
	case IR_ATOM_INC:
	case IR_ATOM_DEC:
		return wrap_op(c, i->mem.atom == IR_ATOM_INC, w, old, y);
	case IR_ATOM_FADD:
		return add_float(c, i, old, y);
	case IR_ATOM_FMIN:
		return float_op(c, IR_fmin, w, old, y, false);
	case IR_ATOM_FMAX:
		return float_op(c, IR_fmax, w, old, y, false);
	case IR_ATOM_PK_FADD:
		return float_op(c, IR_pkfadd, 32, old, y, false);
	case IR_ATOM_PK_FMIN:
		return float_op(c, IR_pkfmin, 32, old, y, false);
	case IR_ATOM_PK_FMAX:
		return float_op(c, IR_pkfmax, 32, old, y, false);
	case IR_ATOM_PK_BFADD:
	case IR_ATOM_PK_BFMIN:
	case IR_ATOM_PK_BFMAX: {
		enum ir_op op = i->mem.atom == IR_ATOM_PK_BFADD ? IR_fadd : i->mem.atom == IR_ATOM_PK_BFMIN ? IR_fmin : IR_fmax;
		return w == 16 ? bf16_op(c, op, old, y) : bf16x2_op(c, op, old, y);
	}
	default:
		return ir_b2(c, integer[i->mem.atom], w, old, y);
	}
}

/* --- 16 bits within a word --- */

struct place {
	struct ir_inst *address; /* of the word that is swapped */
	struct ir_inst *shift;   /* of the half in it; NULL: the word is the operand */
	uint64_t offset;
	uint32_t bits;
};

static struct place find_place(struct ir_cursor *c, const struct ir_inst *i)
{
	struct place p = {.address = i->args[0], .offset = i->imm, .bits = i->mem.bits};
	if (i->mem.bits != 16)
		return p;
	uint32_t w = i->args[0]->width;
	struct ir_inst *at = ir_b2(c, IR_add, w, i->args[0], ir_const(c->f, w, i->imm & ir_mask(w)));
	p.address = ir_b2(c, IR_and, w, at, ir_const(c->f, w, ~(uint64_t)3 & ir_mask(w)));
	p.offset = 0;
	p.bits = 32;
	struct ir_inst *low = w == 64 ? ir_b1(c, IR_trunc, 32, at) : at;
	p.shift = ir_b2(c, IR_shl, 32, ir_b2(c, IR_and, 32, low, ir_const(c->f, 32, 2)), ir_const(c->f, 32, 3));
	return p;
}

static struct ir_inst *extract(struct ir_cursor *c, const struct place *p, struct ir_inst *word)
{
	return p->shift ? ir_b1(c, IR_trunc, 16, ir_b2(c, IR_shr, 32, word, p->shift)) : word;
}

static struct ir_inst *insert(struct ir_cursor *c, const struct place *p, struct ir_inst *word, struct ir_inst *half)
{
	if (!p->shift)
		return half;
	struct ir_inst *mask = ir_b2(c, IR_shl, 32, ir_const(c->f, 32, 0xffff), p->shift);
	struct ir_inst *in = ir_b2(c, IR_shl, 32, ir_b1(c, IR_zext, 32, half), p->shift);
	return ir_b2(c, IR_or, 32, ir_b2(c, IR_and, 32, word, ir_b1(c, IR_not, 32, mask)), in);
}

static struct ir_inst *access(struct ir_cursor *c, const struct ir_inst *i, const struct place *p, enum ir_op op, uint32_t width,
                              struct ir_inst *x, struct ir_inst *y)
{
	uint32_t n = 1 + (x != NULL) + (y != NULL);
	struct ir_inst *m = ir_inst_new(c->f, op, width, n);
	m->args[0] = p->address;
	if (x)
		m->args[1] = x;
	if (y)
		m->args[2] = y;
	m->imm = p->offset;
	m->mem = i->mem;
	m->mem.bits = (uint16_t)p->bits;
	m->mem.atom = IR_ATOM_CAS;
	if (op != IR_atom) {
		m->mem.atom = 0;
		if (m->mem.order >= IR_RELAXED)
			m->mem.order = IR_RELAXED;
	}
	return ir_emit(c, m);
}

static void replace(struct ir_func *f, struct ir_fwd *fwd, struct ir_inst *i, struct ir_inst *by)
{
	if (i->width)
		ir_fwd_set(f, fwd, i, by);
	ir_remove(i);
}

static void lower_local(struct ir_func *f, struct ir_fwd *fwd, struct ir_inst *i)
{
	struct ir_cursor c = ir_at(f, i);
	struct place p = {.address = i->args[0], .offset = i->imm, .bits = i->mem.bits};
	i->mem.order = IR_WEAK;
	struct ir_inst *old = access(&c, i, &p, IR_load, p.bits, NULL, NULL);
	access(&c, i, &p, IR_store, 0, apply(&c, i, old, i->args[1], i->nargs > 2 ? i->args[2] : NULL), NULL);
	replace(f, fwd, i, old);
}

static void lower_to_loop(struct ir_func *f, struct ir_fwd *fwd, struct ir_inst *i)
{
	struct ir_block *head = i->block, *rest = ir_split(f, i), *loop = ir_block_new(f);
	struct ir_cursor c = {f, head, NULL, i->line};
	struct place p = find_place(&c, i);
	struct ir_inst *first = access(&c, i, &p, IR_load, p.bits, NULL, NULL);
	ir_br(&c, loop);
	c.block = loop;
	struct ir_inst *seen = ir_inst_new(f, IR_phi, p.bits, 2);
	seen->line = i->line;
	seen->args[0] = seen->args[1] = ir_undef(f, p.bits); /* until the loop is there */
	ir_append(loop, seen);
	struct ir_inst *old = extract(&c, &p, seen);
	struct ir_inst *word = insert(&c, &p, seen, apply(&c, i, old, i->args[1], i->nargs > 2 ? i->args[2] : NULL));
	struct ir_inst *got = access(&c, i, &p, IR_atom, p.bits, word, seen);
	ir_condbr(&c, ir_cmp(&c, IR_icmp, IRC_EQ, got, seen), rest, loop);
	seen->args[0] = first;
	seen->args[1] = got;
	replace(f, fwd, i, old);
}

/* --- addition where the space decides about f32's subnormals and f64's NaNs --- */

static bool asks_space(const struct ir_inst *i)
{
	return i->op == IR_atom && i->mem.space == IR_GENERIC && i->mem.atom == IR_ATOM_FADD && i->mem.bits >= 32 && i->nargs == 2;
}

static struct ir_inst *in_space(struct ir_cursor *c, const struct ir_inst *i, struct ir_inst *address, enum ir_space space, struct ir_block *rest)
{
	struct ir_mem m = i->mem;
	m.space = (uint8_t)space;
	struct ir_inst *old = ir_access(c, IR_atom, i->width, m, address, 0, i->args[1], NULL);
	ir_br(c, rest);
	return old;
}

static void split_by_space(struct ir_func *f, struct ir_fwd *fwd, struct ir_inst *i)
{
	struct ir_block *head = i->block, *rest = ir_split(f, i), *shared = ir_block_new(f), *global = ir_block_new(f);
	struct ir_cursor c = {f, head, NULL, i->line};
	struct ir_inst *at = ir_b2(&c, IR_add, 64, i->args[0], ir_const(f, 64, i->imm)), *old = ir_inst_new(f, IR_phi, i->width, 2);
	ir_condbr(&c, ir_bn(&c, IR_isspace, 1, IR_SHARED, &at, 1), shared, global);
	c.block = shared;
	old->args[0] = in_space(&c, i, ir_bn(&c, IR_tospace, 32, IR_SHARED, &at, 1), IR_SHARED, rest);
	c.block = global;
	old->args[1] = in_space(&c, i, at, IR_GLOBAL, rest);
	old->line = i->line;
	if (i->width)
		ir_insert_before(rest->first, old);
	replace(f, fwd, i, old);
}

/* --- 128 bits --- */

static struct ir_inst *lock_table(struct ir_cursor *c)
{
	struct ir_module *m = c->f->module;
	struct ir_var *v = NULL;
	for (uint32_t k = 0; k < m->vars.len; k++)
		if (!strcmp(m->vars.data[k]->name, LOCK_TABLE))
			v = m->vars.data[k];
	return ir_address_of(c, v ? v : ir_module_var(m, LOCK_TABLE, LOCKS * 4, 4));
}

static struct ir_inst *lock_of(struct ir_cursor *c, const struct ir_inst *i)
{
	uint32_t w = i->args[0]->width;
	struct ir_inst *at = ir_b2(c, IR_add, w, i->args[0], ir_const(c->f, w, i->imm & ir_mask(w)));
	if (i->mem.space == IR_SHARED)
		at = ir_bn(c, IR_togeneric, 64, IR_SHARED, &at, 1);
	struct ir_inst *low = ir_b1(c, IR_trunc, 32, at), *key = ir_b2(c, IR_shr, 32, low, ir_const(c->f, 32, 2));
	key = ir_b2(c, IR_and, 32, key, ir_const(c->f, 32, (LOCKS - 1) * 4));
	return ir_b2(c, IR_add, 64, lock_table(c), ir_b1(c, IR_zext, 64, key));
}

static struct ir_inst *lock_access(struct ir_cursor *c, enum ir_op op, struct ir_inst *lock, uint32_t value)
{
	struct ir_mem m = ir_word(IR_GLOBAL, 32, IR_RELAXED, op == IR_atom ? IR_ATOM_CAS : 0);
	return ir_access(c, op, op == IR_atom ? 32 : 0, m, lock, 0, ir_k32(c, value), op == IR_atom ? ir_k32(c, 0) : NULL);
}

/* The access itself, by a lane that has the lock; the value read, if any. */
static struct ir_inst *locked_access(struct ir_cursor *c, struct ir_inst *i)
{
	struct place p = {.address = i->args[0], .offset = i->imm, .bits = 128};
	struct ir_inst *old = NULL;
	i->mem.scope = IR_SCOPE_GPU;
	i->mem.whole = i->mem.is_volatile = false;
	if (i->op != IR_store)
		old = access(c, i, &p, IR_load, 128, NULL, NULL);
	if (i->op == IR_store)
		access(c, i, &p, IR_store, 0, i->args[1], NULL);
	else if (i->op == IR_atom)
		access(c, i, &p, IR_store, 0, apply(c, i, old, i->args[1], i->nargs > 2 ? i->args[2] : NULL), NULL);
	return old;
}

static void lower_to_lock(struct ir_func *f, struct ir_fwd *fwd, struct ir_inst *i)
{
	uint8_t order = i->mem.order, scope = i->mem.scope;
	struct ir_block *head = i->block, *rest = ir_split(f, i), *loop = ir_block_new(f), *work = ir_block_new(f), *latch = ir_block_new(f),
	                *done = ir_block_new(f);
	struct ir_cursor c = {f, head, NULL, i->line};
	struct ir_inst *lock = lock_of(&c, i), *value = ir_inst_new(f, IR_phi, 128, 2), *had = ir_inst_new(f, IR_phi, 1, 2);
	if (order == IR_RELEASE || order >= IR_ACQ_REL)
		ir_fence_at(&c, IR_RELEASE, scope);
	ir_br(&c, loop);
	c.block = loop;
	struct ir_inst *got = ir_cmp(&c, IR_icmp, IRC_EQ, lock_access(&c, IR_atom, lock, 1), ir_const(f, 32, 0));
	ir_condbr(&c, got, work, latch);
	c.block = work;
	struct ir_inst *old = locked_access(&c, i);
	ir_fence_at(&c, IR_RELEASE, IR_SCOPE_GPU);
	lock_access(&c, IR_store, lock, 0);
	ir_br(&c, latch);
	c.block = latch;
	value->line = had->line = i->line;
	ir_append(latch, had);
	had->args[ir_pred_index(latch, loop)] = ir_const(f, 1, 0);
	had->args[ir_pred_index(latch, work)] = ir_const(f, 1, 1);
	if (old) {
		ir_append(latch, value);
		value->args[ir_pred_index(latch, loop)] = ir_undef(f, 128);
		value->args[ir_pred_index(latch, work)] = old;
	}
	ir_condbr(&c, had, done, loop);
	c.block = done;
	if (order == IR_ACQUIRE || order >= IR_ACQ_REL)
		ir_fence_at(&c, IR_ACQUIRE, scope);
	ir_br(&c, rest);
	replace(f, fwd, i, value);
}

/* The memory keeps the bits of an operand's NaN: NVIDIA's, then. */
static void canonical_operand(struct ir_func *f, struct ir_inst *i)
{
	struct ir_cursor c = ir_at(f, i);
	if (i->op == IR_atom && i->mem.atom == IR_ATOM_FADD && i->args[1]->op != IR_fnan)
		i->args[1] = ir_b1(&c, IR_fnan, 32, i->args[1]);
}

static bool needs_lock(const struct ir_inst *i)
{
	bool shared = i->mem.space == IR_GLOBAL || i->mem.space == IR_SHARED || i->mem.space == IR_GENERIC;
	return shared && i->mem.bits == 128 && (i->op == IR_atom || ((i->op == IR_load || i->op == IR_store) && i->mem.whole));
}

void ir_legal_atomic(struct ir_func *f)
{
	struct ir_fwd fwd = ir_fwd_new(f);
	bool any = false;
	for (uint32_t k = 0; k < f->blocks.len; k++)
		for (struct ir_inst *i = f->blocks.data[k]->first, *next; i; i = next) {
			next = i->next;
			bool lock = needs_lock(i);
			if (!lock && (i->op != IR_atom || is_native(f->module, i))) {
				canonical_operand(f, i);
				continue;
			}
			any = true;
			if (!lock && i->mem.space == IR_LOCAL) {
				lower_local(f, &fwd, i);
				continue;
			}
			if (lock)
				lower_to_lock(f, &fwd, i);
			else if (asks_space(i))
				split_by_space(f, &fwd, i);
			else
				lower_to_loop(f, &fwd, i);
			break; /* the rest of the block is a later one */
		}
	if (any)
		ir_fwd_apply(f, &fwd);
}
