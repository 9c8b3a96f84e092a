/* atom and red. Widths and operations that no AMD instruction has as they are (16 bits) become a loop of
 * compare-and-swap on the word around them; the rest is left to selection, which knows what each chip can do. */
#include "parser/build_internal.h"

static uint32_t atom_scope(uint32_t word)
{
	switch (word) {
	case PTX_W_cta:
	case PTX_W_cluster: /* one thread block */
		return IR_SCOPE_CTA;
	case PTX_W_sys:
		return IR_SCOPE_SYS;
	default:
		return IR_SCOPE_GPU;
	}
}

static struct ir_mem atom_mem(const struct ptx_stmt *s, uint32_t space, uint32_t bits, uint32_t atom)
{
	static const struct {
		uint16_t word;
		uint8_t order;
	} orders[] = {{PTX_W_acquire, IR_ACQUIRE},
		      {PTX_W_release, IR_RELEASE},
		      {PTX_W_acq_rel, IR_ACQ_REL},
		      {PTX_W_sc, IR_SEQ_CST}};
	struct ir_mem m = {.space = (uint8_t)space,
			   .bits = (uint16_t)bits,
			   .order = IR_RELAXED,
			   .atom = (uint8_t)atom,
			   .scope = (uint8_t)atom_scope(MOD(scope)),
			   .align_log2 = (uint8_t)__builtin_ctz(bits / 8)};
	for (uint32_t k = 0; k < 4; k++)
		if (orders[k].word == MOD(sem))
			m.order = orders[k].order;
	return m;
}

/* The operation by word and type; IR_ATOM_COUNT: none. */
static uint32_t atom_op(uint32_t word, uint32_t type)
{
	bool flt = type_float(type), sign = type_signed(type), pk = type == PTX_T_f16x2, bf = type == PTX_T_bf16x2;
	switch (word) {
	case PTX_W_exch:
		return IR_ATOM_EXCH;
	case PTX_W_cas:
		return IR_ATOM_CAS;
	case PTX_W_add:
		return pk ? IR_ATOM_PK_FADD : bf ? IR_ATOM_PK_BFADD : flt ? IR_ATOM_FADD : IR_ATOM_ADD;
	case PTX_W_inc:
		return IR_ATOM_INC;
	case PTX_W_dec:
		return IR_ATOM_DEC;
	case PTX_W_min:
		return pk     ? IR_ATOM_PK_FMIN
		       : bf   ? IR_ATOM_PK_BFMIN
		       : flt  ? IR_ATOM_FMIN
		       : sign ? IR_ATOM_SMIN
			      : IR_ATOM_UMIN;
	case PTX_W_max:
		return pk     ? IR_ATOM_PK_FMAX
		       : bf   ? IR_ATOM_PK_BFMAX
		       : flt  ? IR_ATOM_FMAX
		       : sign ? IR_ATOM_SMAX
			      : IR_ATOM_UMAX;
	case PTX_W_and:
		return IR_ATOM_AND;
	case PTX_W_or:
		return IR_ATOM_OR;
	case PTX_W_xor:
		return IR_ATOM_XOR;
	default:
		return IR_ATOM_COUNT;
	}
}

static struct ir_inst *atom_at(struct build *B, const struct addr *a, struct ir_mem m, uint32_t width, uint64_t off,
			       struct ir_inst *v, struct ir_inst *cmp)
{
	struct ir_inst *i = ir_inst_new(B->f, IR_atom, width, cmp ? 3 : 2);
	i->args[0] = a->base;
	i->args[1] = v;
	if (cmp)
		i->args[2] = cmp;
	i->imm = (uint64_t)a->imm + off;
	i->mem = m;
	return ir_emit(&B->c, i);
}

/* --- 16 bits --- */

struct half_word {
	struct addr word; /* aligned to 4 */
	struct ir_inst *shift, *mask;
	struct ir_mem load, cas;
};

static struct half_word half_word(struct build *B, const struct ptx_stmt *s, const struct addr *a, uint64_t off)
{
	struct addr at = *a;
	at.imm += (int64_t)off;
	struct ir_inst *p = addr_value(B, &at), *low = resize(B, p, 32, false);
	struct half_word h = {.word = {OP2(and, p, K(p->width, ~(uint64_t)3)), 0, a->space}};
	h.shift = OP2(shl, OP2(and, low, K(32, 2)), K(32, 3));
	h.mask = OP2(shl, K(32, 0xffff), h.shift);
	h.cas = atom_mem(s, a->space, 32, IR_ATOM_CAS);
	h.load = h.cas;
	h.load.order = IR_RELAXED;
	h.load.atom = 0;
	return h;
}

static struct ir_inst *half_result(struct build *B, const struct ptx_stmt *s, uint32_t type, uint32_t op,
				   struct ir_inst *old, struct ir_inst *v)
{
	struct ir_inst *in[] = {old, v};
	struct fmode m = {.nan = has(s, PTX_W_NaN)};
	if (op == IR_ATOM_EXCH)
		return v;
	enum ir_op fn = op == IR_ATOM_FADD ? IR_fadd : op == IR_ATOM_FMIN ? IR_fmin : IR_fmax;
	if (type == PTX_T_f16)
		return fop(B, fn, 0, m, in[0], in[1], NULL);
	return narrow(B, type, m, fop(B, fn, 0, m, widen(B, type, in[0]), widen(B, type, in[1]), NULL));
}

/* A loop that replaces the half by a function of it; for cas, only while it equals cmp. The result is the old half. */
static struct ir_inst *half_loop(struct build *B, const struct ptx_stmt *s, const struct addr *a, uint64_t off,
				 uint32_t type, uint32_t op, struct ir_inst *v, struct ir_inst *cmp)
{
	struct half_word h = half_word(B, s, a, off);
	uint32_t t = temp_new(B);
	struct ir_block *loop = ir_block_new(B->f), *swap = cmp ? ir_block_new(B->f) : loop, *done = ir_block_new(B->f);
	temp_set(B, t, load_at(B, &h.word, h.load, 32, 0));
	ir_br(&B->c, loop);
	go_on(B, loop);
	struct ir_inst *word = temp_get(B, t, 32), *old = OPW1(trunc, 16, OP2(shr, word, h.shift));
	if (cmp) {
		ir_condbr(&B->c, ICMP(EQ, old, cmp), swap, done);
		go_on(B, swap);
	}
	struct ir_inst *next = cmp ? v : half_result(B, s, type, op, old, v);
	struct ir_inst *put = OP2(shl, resize(B, next, 32, false), h.shift);
	struct ir_inst *want = OP3(bitsel, h.mask, put, word), *seen = atom_at(B, &h.word, h.cas, 32, 0, want, word);
	temp_set(B, t, seen);
	ir_condbr(&B->c, ICMP(EQ, seen, word), done, loop);
	go_on(B, done);
	return OPW1(trunc, 16, OP2(shr, temp_get(B, t, 32), h.shift));
}

/* --- the instructions --- */

static struct ir_inst *one(struct build *B, const struct ptx_stmt *s, const struct addr *a, uint64_t off, uint32_t type,
			   struct ir_inst *v, struct ir_inst *cmp, bool wanted)
{
	uint32_t bits = type_bits(type), op = atom_op(MOD(op), type);
	if (bits == 16)
		return half_loop(B, s, a, off, type, op, v, cmp);
	return atom_at(B, a, atom_mem(s, a->space, bits, op), wanted ? bits : 0, off, v, cmp);
}

/* Generic addressing with the name of a local variable: no atomic operation reaches private memory. */
static bool refuse_local(struct build *B, const struct ptx_stmt *s, const struct addr *a)
{
	if (a->space == IR_LOCAL)
		refuse_why(B, s, "atomic operations do not reach local memory");
	return a->space == IR_LOCAL;
}

void atom_one(struct build *B, const struct ptx_stmt *s, const struct addr *a, uint32_t type, struct ir_inst *v)
{
	if (!refuse_local(B, s, a))
		one(B, s, a, 0, type, v, NULL, false);
}

/* A vector's elements are atomic one by one. */
static void vector_atom(struct build *B, const struct ptx_stmt *s, const struct addr *a, const struct ptx_operand *d,
			const struct ptx_operand *b, uint32_t type)
{
	struct ptx_operand from[8], to[8];
	struct ir_inst *old[8], *v[8];
	uint32_t n = opd_elems(B, b, s->m->vec, from), nd = d ? opd_elems(B, d, s->m->vec, to) : 0;
	for (uint32_t k = 0; k < n; k++)
		v[k] = opd(B, &from[k], type);
	for (uint32_t k = 0; k < n; k++)
		old[k] = one(B, s, a, k * type_bits(type) / 8, type, v[k], NULL, d != NULL);
	for (uint32_t k = 0; k < nd; k++)
		def(B, &to[k], old[k], false);
}

static void atom(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *d, const struct ptx_operand *ops)
{
	uint32_t type = s->m->types[0];
	struct addr a;
	bool system = type_bits(type) > 64 && MOD(scope) == PTX_W_sys;
	if (system || atom_op(MOD(op), type) == IR_ATOM_COUNT) {
		refuse_why(B, s, system ? "128 bits are exchanged under a lock of the GPU, which the host does not take" : "unknown operation");
		return;
	}
	if (!address(B, s, &ops[0], s->m->space, &a) || refuse_local(B, s, &a))
		return;
	if (s->m->vec > 1) {
		vector_atom(B, s, &a, d, &ops[1], type);
		return;
	}
	bool wanted = d && d->kind != PTX_OPD_SINK, cas = MOD(op) == PTX_W_cas;
	/* cas d, [a], compare, value */
	struct ir_inst *x = opd(B, &ops[1], type), *cmp = NULL;
	if (cas) {
		cmp = x;
		x = opd(B, &ops[2], type);
	}
	struct ir_inst *old = one(B, s, &a, 0, type, x, cmp, wanted);
	if (wanted)
		def(B, d, old, type_signed(type));
}

void atom_atom(struct build *B, const struct ptx_stmt *s)
{
	atom(B, s, &s->ops[0], &s->ops[1]);
}

void atom_red(struct build *B, const struct ptx_stmt *s)
{
	atom(B, s, NULL, &s->ops[0]);
}
