/* Moving matrices between memory and lanes: wmma.load, wmma.store, ldmatrix, stmatrix, movmatrix. Layouts are those of
 * build_mma.c. */
#include "parser/build_matrix.h"

struct lanes {
	struct ir_inst *g, *t; /* lane / 4, lane % 4 */
};

static struct lanes lanes(struct build *B)
{
	struct ir_inst *lane = ir_bn(&B->c, IR_sreg, 32, IR_SREG_LANEID, NULL, 0);
	return (struct lanes){OP2(shr, lane, K(32, 2)), OP2(and, lane, K(32, 3))};
}

static struct ir_inst *plus(struct build *B, struct ir_inst *x, uint32_t n)
{
	return n ? OP2(add, x, K(32, n)) : x;
}

static struct ir_mem element_mem(uint32_t space, uint32_t bytes)
{
	return (struct ir_mem){
		.space = (uint8_t)space, .bits = (uint16_t)(8 * bytes), .align_log2 = (uint8_t)__builtin_ctz(bytes)};
}

/* --- wmma.load, wmma.store --- */

struct tile {
	struct addr base;
	struct ir_inst *stride; /* in elements */
	uint32_t bits;		/* of an element */
	bool major_first;	/* the first coordinate is the one that strides */
};

/* Address of the element (i, j). Sub-byte elements start at a whole byte. */
static struct addr element(struct build *B, const struct tile *t, struct ir_inst *i, struct ir_inst *j)
{
	struct ir_inst *outer = t->major_first ? i : j, *inner = t->major_first ? j : i;
	struct ir_inst *at = OP2(add, OPW2(umulwide, 64, outer, t->stride), OPW1(zext, 64, inner));
	if (t->bits >= 8)
		at = OP2(shl, at, K(32, __builtin_ctz(t->bits / 8)));
	else
		at = OP2(shr, at, K(32, t->bits == 4 ? 1 : 3));
	struct ir_inst *base = t->base.base;
	return (struct addr){OP2(add, base, resize(B, at, base->width, false)), t->base.imm, t->base.space};
}

/* Elements (i, j) and (i, j + 1).. of one register; together where they are neighbours in memory. */
static struct ir_inst *load_register(struct build *B, const struct tile *t, struct ir_inst *i, struct ir_inst *j,
				     uint32_t n, uint32_t reg_bits)
{
	if (n == 1 || t->major_first) {
		struct addr a = element(B, t, i, j);
		return load_at(B, &a, element_mem(a.space, reg_bits / 8), reg_bits, 0);
	}
	struct ir_inst *v = K(32, 0);
	for (uint32_t k = 0; k < n; k++) {
		struct addr a = element(B, t, i, plus(B, j, k));
		struct ir_inst *x = load_at(B, &a, element_mem(a.space, t->bits / 8), 32, 0);
		v = OP2(or, v, OP2(shl, x, K(32, k * t->bits)));
	}
	return v;
}

static bool tile_of(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *o,
		    const struct ptx_operand *stride, uint32_t rows, uint32_t cols, struct tile *t)
{
	bool row = MOD(layout) == PTX_W_row;
	t->stride = stride ? opd_width(B, stride, 32) : K(32, row ? cols : rows);
	return address(B, s, o, s->m->space, &t->base);
}

static void load_factor(struct build *B, const struct ptx_stmt *s, const struct mma_shape *m, bool is_a)
{
	struct tile t = {.bits = m->bits};
	if (!tile_of(B, s, &s->ops[1], s->nops > 2 ? &s->ops[2] : NULL, is_a ? m->m : m->k, is_a ? m->k : m->n, &t))
		return;
	/* coordinates: row of A or column of B, then k */
	t.major_first = is_a == (MOD(layout) == PTX_W_row);
	struct lanes l = lanes(B);
	struct ir_inst *k0 = OP2(mul, l.t, K(32, m->per_reg)), *v[16];
	struct ptx_operand to[MAX_LIST];
	uint32_t blocks = is_a ? m->mb : m->nb, used = blocks * m->kb, n = opd_list(B, &s->ops[0], to);
	for (uint32_t kb = 0; kb < m->kb; kb++) {
		for (uint32_t r = 0; r < blocks; r++) {
			struct ir_inst *k = plus(B, k0, kb * 4 * m->per_reg);
			v[is_a ? kb * blocks + r : r * m->kb + kb] =
				load_register(B, &t, plus(B, l.g, 8 * r), k, m->per_reg, m->reg_bits);
		}
	}
	for (uint32_t k = 0; k < n; k++)
		def(B, &to[k], k < used ? v[k] : K(m->reg_bits, 0), false);
}

static struct addr sum_element(struct build *B, const struct tile *t, const struct lanes *l, const struct mma_shape *m,
			       uint32_t k)
{
	uint32_t block = k / 2, r = block % m->mb, nb = block / m->mb;
	struct ir_inst *row = plus(B, l->g, 8 * r), *col = plus(B, OP2(shl, l->t, K(32, 1)), 8 * nb + k % 2);
	return element(B, t, row, col);
}

static bool sum_tile(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *o, const struct mma_shape *m,
		     struct tile *t)
{
	*t = (struct tile){.bits = type_bits(s->m->types[0]), .major_first = MOD(layout) == PTX_W_row};
	return tile_of(B, s, o, s->nops > 2 ? &s->ops[2] : NULL, m->m, m->n, t);
}

static void load_sums(struct build *B, const struct ptx_stmt *s, const struct mma_shape *m)
{
	struct ptx_operand to[MAX_LIST];
	struct tile t;
	struct ir_inst *v[MAX_LIST];
	if (!sum_tile(B, s, &s->ops[1], m, &t))
		return;
	opd_list(B, &s->ops[0], to);
	struct lanes l = lanes(B);
	uint32_t n = 2 * m->mb * m->nb, pairs = t.bits == 16;
	for (uint32_t k = 0; k < n; k++) {
		struct addr a = sum_element(B, &t, &l, m, k);
		v[k] = load_at(B, &a, element_mem(a.space, t.bits / 8), t.bits, 0);
	}
	for (uint32_t k = 0; k < n >> pairs; k++)
		def(B, &to[k], pairs ? halves(B, v[2 * k], v[2 * k + 1]) : v[k], false);
}

void matrix_load(struct build *B, const struct ptx_stmt *s)
{
	struct mma_shape m;
	mma_shape(s, &m);
	mma_element(&m, s->m->types[0]);
	if (has(s, PTX_W_c))
		load_sums(B, s, &m);
	else
		load_factor(B, s, &m, has(s, PTX_W_a));
}

void matrix_store(struct build *B, const struct ptx_stmt *s)
{
	struct ptx_operand from[MAX_LIST];
	struct mma_shape m;
	struct tile t;
	mma_shape(s, &m);
	mma_element(&m, s->m->types[0]);
	if (!sum_tile(B, s, &s->ops[0], &m, &t))
		return;
	opd_list(B, &s->ops[1], from);
	struct lanes l = lanes(B);
	uint32_t n = 2 * m.mb * m.nb, pairs = t.bits == 16;
	for (uint32_t k = 0; k < n; k++) {
		struct ir_inst *v = opd_width(B, &from[k >> pairs], t.bits == 64 ? 64 : 32);
		struct addr a = sum_element(B, &t, &l, &m, k);
		store_at(B, &a, element_mem(a.space, t.bits / 8), pairs ? ir_unpack(&B->c, 16, v, k % 2) : v, 0);
	}
}

/* --- matrices in shared memory: lane 8 m + r has the address of row r of matrix m, each row 16 bytes --- */

static struct ir_inst *from_lane(struct build *B, struct ir_inst *x, struct ir_inst *lane)
{
	struct ir_inst *args[] = {x, lane, K(32, 0x1f)};
	return ir_bn(&B->c, IR_shfl, 32, 3, args, 3);
}

static struct addr row_addr(struct build *B, struct ir_inst *rows, uint32_t m, struct ir_inst *row,
			    struct ir_inst *byte)
{
	return (struct addr){OP2(add, from_lane(B, rows, plus(B, row, 8 * m)), byte), 0, IR_SHARED};
}

struct rows {
	struct lanes l;
	struct ir_inst *addr, *t2, *g2, *t4;
};

static bool rows_of(struct build *B, const struct ptx_stmt *s, const struct ptx_operand *o, struct rows *r)
{
	struct addr a;
	if (!address(B, s, o, PTX_SPACE_SHARED, &a))
		return false;
	if (a.space != IR_SHARED) {
		refuse_why(B, s, "the matrix is not in shared memory");
		return false;
	}
	r->addr = addr_value(B, &a);
	r->l = lanes(B);
	r->t2 = OP2(shl, r->l.t, K(32, 1));
	r->t4 = OP2(shl, r->l.t, K(32, 2));
	r->g2 = OP2(shl, r->l.g, K(32, 1));
	return true;
}

/* Elements of a row from `first` on as bytes, n of them (4 or 1), where they are `bits` (8, 6 or 4) each in memory: the
 * first in the lowest bits, padding behind the last. */
static struct ir_inst *load_bytes(struct build *B, struct ir_inst *row, struct ir_inst *first, uint32_t n, uint32_t bits)
{
	struct ir_mem byte = element_mem(IR_SHARED, 1);
	struct ir_inst *bit = OP2(mul, first, K(32, bits)), *at = OP2(add, row, OP2(shr, bit, K(32, 3))), *v = NULL;
	struct addr a = {at, 0, IR_SHARED};
	if (bits == 8)
		return load_at(B, &a, element_mem(IR_SHARED, n), 32, 0);
	/* four start at a byte; one of six bits may reach into the next */
	uint32_t bytes = n == 4 ? n * bits / 8 : bits == 6 ? 2 : 1;
	for (uint32_t k = 0; k < bytes; k++) {
		struct addr b = {at, (int64_t)k, IR_SHARED};
		struct ir_inst *x = OP2(shl, load_at(B, &b, byte, 32, 0), K(32, 8 * k));
		v = v ? OP2(or, v, x) : x;
	}
	v = OP2(shr, v, OP2(and, bit, K(32, 7)));
	struct ir_inst *d = NULL;
	for (uint32_t k = 0; k < n; k++) {
		struct ir_inst *x = OP2(shl, OP3(ubfe, v, K(32, k * bits), K(32, bits)), K(32, 8 * k));
		d = d ? OP2(or, d, x) : x;
	}
	return d;
}

/* 16x16 matrices, transposed: lane 16 m + r has the address of row r; byte b of register q of lane (g, t) is element
 * (4 t + b, g + 8 q). Source: PTX ISA, "ldmatrix"; CUTLASS, SM100_U8x8_LDSM_T (copy_traits_sm100.hpp, copy_sm100.hpp). */
static struct ir_inst *load_transposed(struct build *B, const struct rows *r, uint32_t m, uint32_t q, uint32_t bits)
{
	struct ir_inst *v = NULL;
	for (uint32_t b = 0; b < 4; b++) {
		struct addr a = row_addr(B, r->addr, 2 * m, plus(B, r->t4, b), K(32, 0));
		struct ir_inst *x = OP2(shl, load_bytes(B, a.base, plus(B, r->l.g, 8 * q), 1, bits), K(32, 8 * b));
		v = v ? OP2(or, v, x) : x;
	}
	return v;
}

static struct ir_inst *load_matrix(struct build *B, const struct ptx_stmt *s, const struct rows *r, uint32_t m)
{
	uint32_t from = s->m->types[s->m->ntypes - 1u], bits = from == PTX_T_b4x16_p64 ? 4 : from == PTX_T_b6x16_p32 ? 6 : 8;
	if (has(s, PTX_W_m16n16))
		return load_transposed(B, r, m / 2, m % 2, bits);
	if (has(s, PTX_W_m8n16))
		return load_bytes(B, row_addr(B, r->addr, m, r->l.g, K(32, 0)).base, r->t4, 4, bits);
	if (!has(s, PTX_W_trans)) {
		struct addr a = row_addr(B, r->addr, m, r->l.g, r->t4);
		return load_at(B, &a, element_mem(IR_SHARED, 4), 32, 0);
	}
	struct addr lo = row_addr(B, r->addr, m, r->t2, r->g2), hi = row_addr(B, r->addr, m, plus(B, r->t2, 1), r->g2);
	struct ir_inst *x = load_at(B, &lo, element_mem(IR_SHARED, 2), 16, 0);
	return halves(B, x, load_at(B, &hi, element_mem(IR_SHARED, 2), 16, 0));
}

void matrix_ldmatrix(struct build *B, const struct ptx_stmt *s)
{
	struct ptx_operand to[MAX_LIST];
	uint32_t n = opd_list(B, &s->ops[0], to);
	struct ir_inst *v[4];
	struct rows r;
	if (!rows_of(B, s, &s->ops[1], &r))
		return;
	for (uint32_t m = 0; m < n; m++)
		v[m] = load_matrix(B, s, &r, m);
	for (uint32_t m = 0; m < n; m++)
		def(B, &to[m], v[m], false);
}

/* One of 16x8 bytes, transposed: byte 2 i + j of lane (g, t) is element (g + 8 i, 2 t + j), in memory byte g + 8 i of row
 * 2 t + j. Source: PTX ISA, "stmatrix"; CUTLASS, SM100_U8x4_STSM_T. */
static void store_bytes(struct build *B, const struct rows *r, uint32_t m, struct ir_inst *v)
{
	for (uint32_t b = 0; b < 4; b++) {
		struct addr a = row_addr(B, r->addr, m, plus(B, r->t2, b % 2), plus(B, r->l.g, b / 2 * 8));
		store_at(B, &a, element_mem(IR_SHARED, 1), OP2(shr, v, K(32, 8 * b)), 0);
	}
}

void matrix_stmatrix(struct build *B, const struct ptx_stmt *s)
{
	struct ptx_operand from[MAX_LIST];
	uint32_t n = opd_list(B, &s->ops[1], from);
	struct rows r;
	if (!rows_of(B, s, &s->ops[0], &r))
		return;
	for (uint32_t m = 0; m < n; m++) {
		struct ir_inst *v = opd_width(B, &from[m], 32);
		if (has(s, PTX_W_m16n8)) {
			store_bytes(B, &r, m, v);
			continue;
		}
		if (!has(s, PTX_W_trans)) {
			struct addr a = row_addr(B, r.addr, m, r.l.g, r.t4);
			store_at(B, &a, element_mem(IR_SHARED, 4), v, 0);
			continue;
		}
		struct addr lo = row_addr(B, r.addr, m, r.t2, r.g2),
			    hi = row_addr(B, r.addr, m, plus(B, r.t2, 1), r.g2);
		store_at(B, &lo, element_mem(IR_SHARED, 2), ir_unpack(&B->c, 16, v, 0), 0);
		store_at(B, &hi, element_mem(IR_SHARED, 2), ir_unpack(&B->c, 16, v, 1), 0);
	}
}

/* Element (r, c) is half c % 2 of lane 4 r + c / 2; lane (g, t) gets (2 t, g) and (2 t + 1, g). */
void matrix_movmatrix(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = opd_width(B, &s->ops[1], 32);
	struct lanes l = lanes(B);
	struct ir_inst *from = OP2(add, OP2(shl, l.t, K(32, 3)), OP2(shr, l.g, K(32, 1)));
	struct ir_inst *lo = from_lane(B, x, from), *hi = from_lane(B, x, plus(B, from, 4));
	struct ir_inst *odd = ICMP(NE, OP2(and, l.g, K(32, 1)), K(32, 0));
	struct ir_inst *a = SEL(odd, ir_unpack(&B->c, 16, lo, 1), ir_unpack(&B->c, 16, lo, 0));
	struct ir_inst *b = SEL(odd, ir_unpack(&B->c, 16, hi, 1), ir_unpack(&B->c, 16, hi, 0));
	def(B, &s->ops[0], halves(B, a, b), false);
}
