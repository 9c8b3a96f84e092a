/* mbarrier objects in software, and the bulk copies that report to them. A cluster is one thread block.
 *
 * The 64-bit object: bits 0-20 arrivals still to come in this phase, 21-41 arrivals of the next phase, 42-62 the
 * transaction count (two's complement), 63 the parity of the phase. Every operation is a compare-and-swap loop of the
 * whole word; when both counts of the phase are zero the same swap starts the next. The state that arrive returns is
 * the word before it: of it only the parity and the count are looked at. Source: PTX ISA, "mbarrier", "cp.async.bulk".
 */
#include "parser/build_internal.h"

enum { PENDING = 0, NEXT = 21, TX = 42, PHASE = 63, COUNT_BITS = 21 };

static struct ir_mem barrier_mem(uint32_t order)
{
	return (struct ir_mem){
		.space = IR_SHARED, .bits = 64, .align_log2 = 3, .order = (uint8_t)order, .scope = IR_SCOPE_CTA};
}

static struct ir_inst *count_at(struct build *B, struct ir_inst *n, uint32_t shift)
{
	struct ir_inst *low = OP2(and, resize(B, n, 64, false), K(64, ir_mask(COUNT_BITS)));
	return OP2(shl, low, K(32, shift));
}

/* The word after `drop` fewer arrivals in every phase, `arrive` arrivals and `tx` more bytes to come (NULL: none).
 * Fields never carry into each other: each is taken out, changed and put back. */
static struct ir_inst *next_word(struct build *B, struct ir_inst *w, struct ir_inst *arrive, struct ir_inst *drop,
				 struct ir_inst *tx)
{
	uint64_t field = ir_mask(COUNT_BITS);
	struct ir_inst *pending = OP2(and, w, K(64, field)), *next = OP2(and, OP2(shr, w, K(32, NEXT)), K(64, field));
	struct ir_inst *bytes = OP2(and, OP2(shr, w, K(32, TX)), K(64, field)),
		       *phase = OP2(and, w, K(64, (uint64_t)1 << PHASE));
	if (arrive)
		pending = OP2(and, OP2(sub, pending, resize(B, arrive, 64, false)), K(64, field));
	if (drop)
		next = OP2(and, OP2(sub, next, resize(B, drop, 64, false)), K(64, field));
	if (tx)
		bytes = OP2(and, OP2(add, bytes, resize(B, tx, 64, true)), K(64, field));
	struct ir_inst *done = ICMP(EQ, OP2(or, pending, bytes), K(64, 0));
	phase = SEL(done, OP2(xor, phase, K(64, (uint64_t)1 << PHASE)), phase);
	pending = SEL(done, next, pending);
	struct ir_inst *r = OP2(or, pending, OP2(shl, next, K(32, NEXT)));
	return OP2(or, OP2(or, r, OP2(shl, bytes, K(32, TX))), phase);
}

/* Returns the word before. */
static struct ir_inst *update(struct build *B, const struct addr *a, uint32_t order, struct ir_inst *arrive,
			      struct ir_inst *drop, struct ir_inst *tx)
{
	uint32_t t = temp_new(B);
	struct ir_block *loop = ir_block_new(B->f), *done = ir_block_new(B->f);
	temp_set(B, t, load_at(B, a, barrier_mem(IR_RELAXED), 64, 0));
	ir_br(&B->c, loop);
	go_on(B, loop);
	struct ir_inst *old = temp_get(B, t, 64);
	struct ir_inst *i = ir_inst_new(B->f, IR_atom, 64, 3);
	i->args[0] = a->base;
	i->args[1] = next_word(B, old, arrive, drop, tx);
	i->args[2] = old;
	i->imm = (uint64_t)a->imm;
	i->mem = barrier_mem(order);
	i->mem.atom = IR_ATOM_CAS;
	struct ir_inst *seen = ir_emit(&B->c, i);
	temp_set(B, t, seen);
	ir_condbr(&B->c, ICMP(EQ, seen, old), done, loop);
	go_on(B, done);
	return temp_get(B, t, 64);
}

static bool barrier_addr(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *o, struct addr *a)
{
	if (!address(B, s, o, PTX_SPACE_SHARED, a))
		return false;
	if (a->space != IR_SHARED)
		refuse_why(B, s, "the barrier is not in shared memory");
	return a->space == IR_SHARED;
}

void mbarrier_init(struct build *B, const struct ptx_stmt *s)
{
	struct addr a;
	if (!barrier_addr(B, s, &s->ops[0], &a))
		return;
	struct ir_inst *n = opd_width(B, &s->ops[1], 32);
	store_at(B, &a, barrier_mem(IR_WEAK), OP2(or, count_at(B, n, PENDING), count_at(B, n, NEXT)), 0);
}

/* arrive{.expect_tx}, arrive_drop{.expect_tx}, .noComplete: d, [a]{, count or bytes} */
static void arrive(struct build *B, const struct ptx_stmt *s, bool expect, bool drop)
{
	struct addr a;
	if (!barrier_addr(B, s, &s->ops[1], &a))
		return;
	struct ir_inst *n = s->nops > 2 ? opd_width(B, &s->ops[2], 32) : NULL, *one = K(32, 1);
	struct ir_inst *count = expect || !n ? one : n;
	uint32_t order = MOD(sem) == PTX_W_relaxed ? IR_RELAXED : IR_RELEASE;
	struct ir_inst *old = update(B, &a, order, count, drop ? count : NULL, expect ? n : NULL);
	def(B, &s->ops[0], old, false);
}

void mbarrier_arrive(struct build *B, const struct ptx_stmt *s)
{
	arrive(B, s, false, false);
}

void mbarrier_arrive_expect(struct build *B, const struct ptx_stmt *s)
{
	arrive(B, s, true, false);
}

void mbarrier_arrive_drop(struct build *B, const struct ptx_stmt *s)
{
	arrive(B, s, false, true);
}

void mbarrier_arrive_drop_expect(struct build *B, const struct ptx_stmt *s)
{
	arrive(B, s, true, true);
}

static void transactions(struct build *B, const struct ptx_stmt *s, bool complete)
{
	struct addr a;
	if (!barrier_addr(B, s, &s->ops[0], &a))
		return;
	struct ir_inst *n = opd_width(B, &s->ops[1], 32);
	update(B, &a, IR_RELAXED, NULL, NULL, complete ? OP2(sub, K(32, 0), n) : n);
}

void mbarrier_expect_tx(struct build *B, const struct ptx_stmt *s)
{
	transactions(B, s, false);
}

void mbarrier_complete_tx(struct build *B, const struct ptx_stmt *s)
{
	transactions(B, s, true);
}

/* A phase is over when the parity is no longer its own. A try_wait may give up at once. */
static void wait(struct build *B, const struct ptx_stmt *s, struct ir_inst *parity)
{
	struct addr a;
	if (!barrier_addr(B, s, &s->ops[1], &a))
		return;
	struct ir_inst *w = load_at(B, &a, barrier_mem(MOD(sem) == PTX_W_relaxed ? IR_RELAXED : IR_ACQUIRE), 64, 0);
	struct ir_inst *now = ir_unpack(&B->c, 32, w, 1);
	def(B, &s->ops[0], ICMP(NE, OP2(shr, now, K(32, 31)), parity), false);
}

void mbarrier_wait(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *state = opd_width(B, &s->ops[2], 64);
	wait(B, s, OP2(shr, ir_unpack(&B->c, 32, state, 1), K(32, 31)));
}

void mbarrier_wait_parity(struct build *B, const struct ptx_stmt *s)
{
	wait(B, s, OP2(and, opd_width(B, &s->ops[2], 32), K(32, 1)));
}

void mbarrier_pending_count(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *low = OPW1(trunc, 32, opd_width(B, &s->ops[1], 64));
	def(B, &s->ops[0], OP2(and, low, K(32, ir_mask(COUNT_BITS))), false);
}

/* Earlier cp.async are done. Without .noinc the arrival is counted as one more to come: nothing is left of it. */
void mbarrier_cp_async_arrive(struct build *B, const struct ptx_stmt *s)
{
	struct addr a;
	if (!barrier_addr(B, s, &s->ops[0], &a) || !has(s, PTX_W_noinc))
		return;
	update(B, &a, IR_RELEASE, K(32, 1), NULL, NULL);
}

/* --- bulk copies --- */

static struct ir_mem chunk_mem(uint32_t space, uint32_t bytes)
{
	return (struct ir_mem){
		.space = (uint8_t)space, .bits = (uint16_t)(8 * bytes), .align_log2 = (uint8_t)__builtin_ctz(bytes)};
}

static struct addr element_addr(struct build *B, const struct addr *a, struct ir_inst *k)
{
	struct ir_inst *base = addr_value(B, a);
	return (struct addr){OP2(add, base, resize(B, k, base->width, false)), 0, a->space};
}

typedef void chunk_fn(struct build *B, const struct ptx_stmt *s, const struct addr *to, const struct addr *from);

/* fn for every `step` bytes of n. */
static void each_chunk(struct build *B, const struct ptx_stmt *s, const struct addr *to, const struct addr *from,
		       struct ir_inst *n, uint32_t step, chunk_fn *fn)
{
	struct offsets o = offsets_begin(B, n);
	struct addr d = element_addr(B, to, o.k), f = element_addr(B, from, o.k);
	fn(B, s, &d, &f);
	offsets_end(B, &o, step);
}

static void copy_chunk(struct build *B, const struct ptx_stmt *s, const struct addr *to, const struct addr *from)
{
	(void)s;
	store_at(B, to, chunk_mem(to->space, 16), load_at(B, from, chunk_mem(from->space, 16), 128, 0), 0);
}

static void reduce_chunk(struct build *B, const struct ptx_stmt *s, const struct addr *to, const struct addr *from)
{
	uint32_t type = s->m->types[0], bytes = type_bits(type) / 8;
	atom_one(B, s, to, type, load_at(B, from, chunk_mem(from->space, bytes), type_width(type), 0));
}

struct bulk {
	struct addr to, from, barrier;
	bool has_barrier;
	struct ir_inst *n;
};

/* [dst], [src], size{, [mbar]} */
static bool bulk_operands(struct build *B, const struct ptx_stmt *s, struct bulk *b)
{
	bool to_global = MOD(dspace) == PTX_W_global, from_global = MOD(space) == PTX_W_global || has(s, PTX_W_global);
	b->has_barrier = s->nops > 3 && s->ops[3].kind == PTX_OPD_ADDR;
	if (!address(B, s, &s->ops[0], to_global ? PTX_SPACE_GLOBAL : PTX_SPACE_SHARED, &b->to) ||
	    !address(B, s, &s->ops[1], !to_global && from_global ? PTX_SPACE_GLOBAL : PTX_SPACE_SHARED, &b->from))
		return false;
	b->n = opd_width(B, &s->ops[2], 32);
	return !b->has_barrier || barrier_addr(B, s, &s->ops[3], &b->barrier);
}

static void report(struct build *B, const struct bulk *b)
{
	if (b->has_barrier)
		update(B, &b->barrier, IR_RELEASE, NULL, NULL, OP2(sub, K(32, 0), b->n));
}

/* .cp_mask: bit k of the mask, the last operand, says whether byte k of each 16 is copied. */
static void copy_masked(struct build *B, const struct bulk *b, struct ir_inst *mask)
{
	uint32_t t = temp_new(B);
	struct ir_block *head = ir_block_new(B->f), *test = ir_block_new(B->f), *byte = ir_block_new(B->f), *next = ir_block_new(B->f),
			*done = ir_block_new(B->f);
	temp_set(B, t, K(32, 0));
	ir_br(&B->c, head);
	go_on(B, head);
	struct ir_inst *k = temp_get(B, t, 32);
	ir_condbr(&B->c, ICMP(ULT, k, b->n), test, done);
	go_on(B, test);
	struct ir_inst *bit = OP2(and, OP2(shr, mask, OP2(and, k, K(32, 15))), K(32, 1));
	ir_condbr(&B->c, ICMP(NE, bit, K(32, 0)), byte, next);
	go_on(B, byte);
	struct addr d = element_addr(B, &b->to, k), f = element_addr(B, &b->from, k);
	store_at(B, &d, chunk_mem(d.space, 1), load_at(B, &f, chunk_mem(f.space, 1), 32, 0), 0);
	ir_br(&B->c, next);
	go_on(B, next);
	temp_set(B, t, OP2(add, k, K(32, 1)));
	ir_br(&B->c, head);
	go_on(B, done);
}

void mbarrier_bulk_copy(struct build *B, const struct ptx_stmt *s)
{
	struct bulk b;
	if (!bulk_operands(B, s, &b))
		return;
	if (has(s, PTX_W_cp_mask)) {
		copy_masked(B, &b, opd_width(B, &s->ops[s->nops - 1], 32));
		return;
	}
	each_chunk(B, s, &b.to, &b.from, b.n, 16, copy_chunk);
	report(B, &b);
}

void mbarrier_bulk_reduce(struct build *B, const struct ptx_stmt *s)
{
	struct bulk b;
	if (!bulk_operands(B, s, &b))
		return;
	each_chunk(B, s, &b.to, &b.from, b.n, type_bits(s->m->types[0]) / 8, reduce_chunk);
	report(B, &b);
}

void mbarrier_bytes(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *barrier, uint32_t n)
{
	struct addr a;
	if (barrier_addr(B, s, barrier, &a))
		update(B, &a, IR_RELEASE, NULL, NULL, K(32, -(int64_t)n));
}

/* st.async, red.async [a], b, [mbar]: with a barrier, its bytes are reported to it. */
static void report_store(struct build *B, const struct ptx_stmt *s)
{
	if (s->nops > 2 && s->ops[2].kind == PTX_OPD_ADDR)
		mbarrier_bytes(B, s, &s->ops[2], type_bits(s->m->types[0]) / 8 * s->m->vec);
}

void mbarrier_st_async(struct build *B, const struct ptx_stmt *s)
{
	mem_st(B, s);
	report_store(B, s);
}

void mbarrier_red_async(struct build *B, const struct ptx_stmt *s)
{
	atom_red(B, s);
	report_store(B, s);
}
