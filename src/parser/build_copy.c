/* Asynchronous copies, done in place: a group is complete when it is committed, waits have nothing to wait for. */
#include "parser/build_internal.h"

static struct ir_mem copy_mem(uint32_t space, uint32_t bytes, uint32_t align)
{
	return (struct ir_mem){
		.space = (uint8_t)space, .bits = (uint16_t)(8 * bytes), .align_log2 = (uint8_t)__builtin_ctz(align)};
}

static void copy_all(struct build *B, const struct addr *to, const struct addr *from, uint32_t size)
{
	struct ir_inst *v = load_at(B, from, copy_mem(from->space, size, size), size * 8, 0);
	store_at(B, to, copy_mem(to->space, size, size), v, 0);
}

static void fill_zero(struct build *B, const struct addr *to, uint32_t size)
{
	struct ir_inst *zero[] = {K(32, 0), K(32, 0), K(32, 0), K(32, 0)};
	struct ir_inst *v = size == 4 ? zero[0] : ir_pack(&B->c, 8 * size, zero, size / 4);
	store_at(B, to, copy_mem(to->space, size, size), v, 0);
}

/* The first n bytes, n < size: one by one, since no byte beyond may be read. */
static void copy_bytes(struct build *B, const struct addr *to, const struct addr *from, struct ir_inst *n)
{
	struct ir_inst *dst = addr_value(B, to), *src = addr_value(B, from);
	struct offsets o = offsets_begin(B, n);
	struct addr d = {OP2(add, dst, resize(B, o.k, dst->width, false)), 0, to->space};
	struct addr f = {OP2(add, src, resize(B, o.k, src->width, false)), 0, from->space};
	store_at(B, &d, copy_mem(to->space, 1, 1), load_at(B, &f, copy_mem(from->space, 1, 1), 32, 0), 0);
	offsets_end(B, &o, 1);
}

static void copy_part(struct build *B, const struct addr *to, const struct addr *from, uint32_t size, struct ir_inst *n)
{
	if (ir_is_const(n) && n->imm >= size) {
		copy_all(B, to, from, size);
		return;
	}
	if (ir_is_const(n) && !n->imm) {
		fill_zero(B, to, size);
		return;
	}
	struct ir_block *whole = ir_block_new(B->f), *part = ir_block_new(B->f), *done = ir_block_new(B->f);
	ir_condbr(&B->c, ICMP(UGE, n, K(32, size)), whole, part);
	go_on(B, whole);
	copy_all(B, to, from, size);
	ir_br(&B->c, done);
	go_on(B, part);
	fill_zero(B, to, size);
	copy_bytes(B, to, from, n);
	ir_br(&B->c, done);
	go_on(B, done);
}

static bool copy_ends(struct build *B, const struct ptx_stmt *s, struct addr *to, struct addr *from)
{
	uint64_t size = (uint64_t)s->ops[2].imm;
	if (size != 16 && (has(s, PTX_W_cg) || (size != 4 && size != 8))) {
		diag_error(B->diags, s->line,
			   "Argument 2 of instruction 'cp.async': unexpected value '%llu', expected to be %s",
			   (unsigned long long)size, has(s, PTX_W_cg) ? "16" : "4 or 8 or 16");
		return false;
	}
	return address(B, s, &s->ops[0], PTX_SPACE_SHARED, to) && address(B, s, &s->ops[1], PTX_SPACE_GLOBAL, from);
}

/* [dst], [src], size{, src-size}{, policy}: with a cache hint the last operand is the policy. */
void copy_async(struct build *B, const struct ptx_stmt *s)
{
	struct addr to, from;
	if (!copy_ends(B, s, &to, &from))
		return;
	uint32_t size = (uint32_t)s->ops[2].imm, nops = s->nops - (has(s, PTX_W_L2__cache_hint) ? 1u : 0u);
	copy_part(B, &to, &from, size, nops > 3 ? opd_width(B, &s->ops[3], 32) : K(32, size));
}

/* [dst], [src], size, ignore-src: zeros where the predicate is true. */
void copy_async_ignore(struct build *B, const struct ptx_stmt *s)
{
	struct addr to, from;
	if (!copy_ends(B, s, &to, &from))
		return;
	uint32_t size = (uint32_t)s->ops[2].imm;
	copy_part(B, &to, &from, size, SEL(pred(B, &s->ops[3]), K(32, 0), K(32, size)));
}

/* The policy is a hint; it is carried in a register, so it is some value. */
void copy_policy(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], K(64, 0), false);
}

/* st.bulk: a multiple of 8 bytes of zeros to shared memory. */
void copy_bulk_zero(struct build *B, const struct ptx_stmt *s)
{
	struct addr to;
	if (!address(B, s, &s->ops[0], PTX_SPACE_SHARED, &to))
		return;
	struct ir_inst *n = opd_width(B, &s->ops[1], 32), *dst = addr_value(B, &to);
	struct offsets o = offsets_begin(B, n);
	struct addr d = {OP2(add, dst, o.k), 0, to.space};
	store_at(B, &d, copy_mem(to.space, 8, 8), K(64, 0), 0);
	offsets_end(B, &o, 8);
}
