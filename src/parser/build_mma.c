/* Matrix multiply-accumulate by shuffles and scalar arithmetic; AMD's matrix instructions have other shapes and
 * layouts.
 *
 * With g = lane / 4 and t = lane % 4, all of mma's layouts are one: a register of A holds row g (+ 8 r) and the columns
 * from 4 e kb + e t, where e elements fill a register; one of B the same columns (its rows) of column g; C and D rows g
 * (+ 8 r), columns 2 t and 2 t + 1. wmma's fragments are opaque: they use the same, register kb M/8 + r of A, nb K/4e +
 * kb of B, 2 (nb M/8 + r) + j of C and D. So D[r][j] needs A's registers of the lane's quad and B's of the quads 2 t
 * and 2 t + 1. A sparse A's registers are those of the stored elements, each against two of B's (build_mma_sparse.c). Sums are f32 fused multiply-adds in ascending order; half results are rounded once. Source: PTX ISA,
 * "Matrix Fragments for mma". */
#include "parser/build_matrix.h"

enum { MAX_ELEMENTS = 8 }; /* floats of a register */

void mma_shape(const struct ptx_stmt *s, struct mma_shape *m)
{
	const char *p = s->m->text;
	while (p[0] != '.' || p[1] != 'm' || p[2] < '0' || p[2] > '9')
		p++;
	char *end;
	m->m = (uint32_t)strtoul(p + 2, &end, 10);
	m->n = (uint32_t)strtoul(end + 1, &end, 10);
	m->k = (uint32_t)strtoul(end + 1, &end, 10);
}

void mma_element(struct mma_shape *m, uint32_t type)
{
	m->type = type;
	m->bits = type == PTX_T_tf32 ? 32 : type_bits(type);
	m->reg_bits = m->bits == 64 ? 64 : 32;
	m->per_reg = m->reg_bits / m->bits;
	m->mb = m->m / 8;
	m->nb = m->n / 8;
	m->kb = m->k / (4 * m->per_reg);
}

/* --- one register of A times one of B --- */

static struct ir_inst *integer_field(struct build *B, struct ir_inst *x, uint32_t k, uint32_t bits, bool sign)
{
	struct ir_inst *off = K(32, k * bits), *len = K(32, bits);
	return sign ? OP3(sbfe, x, off, len) : OP3(ubfe, x, off, len);
}

static struct ir_inst *dot_int(struct build *B, const struct mma *m, struct ir_inst *x, struct ir_inst *y,
			       struct ir_inst *sum)
{
	bool sa = type_signed(m->atype), sb = type_signed(m->btype);
	if (m->s.bits == 1) {
		struct ir_inst *v = m->bit_and ? OP2(and, x, y) : OP2(xor, x, y);
		return OP2(add, sum, OP1(popc, v));
	}
	if (m->s.bits == 8) {
		if (sa == sb)
			return sa ? OP3(dot4ss, x, y, sum) : OP3(dot4uu, x, y, sum);
		return sa ? OP3(dot4su, x, y, sum) : OP3(dot4su, y, x, sum);
	}
	sa = m->atype == PTX_T_s4;
	sb = m->btype == PTX_T_s4;
	for (uint32_t k = 0; k < 8; k++)
		sum = OP2(add, sum, OP2(mul, integer_field(B, x, k, 4, sa), integer_field(B, y, k, 4, sb)));
	return sum;
}

static uint32_t packed_pair(uint32_t type)
{
	switch (type) {
	case PTX_T_e4m3:
		return PTX_T_e4m3x2;
	case PTX_T_e5m2:
		return PTX_T_e5m2x2;
	case PTX_T_e2m1:
		return PTX_T_e2m1x2;
	case PTX_T_e2m3:
		return PTX_T_e2m3x2;
	default:
		return PTX_T_e3m2x2;
	}
}

/* Element k of a register as f32 (f64 is itself). */
static struct ir_inst *float_element(struct build *B, const struct mma *m, uint32_t type, struct ir_inst *x, uint32_t k)
{
	switch (type) {
	case PTX_T_f64:
		return x;
	case PTX_T_tf32:
		return OP2(and, x, K(32, 0xffffe000));
	case PTX_T_f16:
	case PTX_T_bf16:
		return widen(B, type, ir_unpack(&B->c, 16, x, k));
	default:
		return widen(B, PTX_T_f16, small_to_half(B, packed_pair(type), m->padded, x, k));
	}
}

/* A register and, of floats, its elements. */
struct factor {
	struct ir_inst *x, *e[MAX_ELEMENTS];
};

static void split(struct build *B, const struct mma *m, uint32_t type, struct ir_inst *x, struct factor *f)
{
	f->x = x;
	for (uint32_t k = 0; m->is_float && k < m->s.per_reg; k++)
		f->e[k] = float_element(B, m, type, x, k);
}

static struct ir_inst *dot(struct build *B, const struct mma *m, const struct factor *x, const struct factor *y,
			   struct ir_inst *sum)
{
	if (!m->is_float)
		return dot_int(B, m, x->x, y->x, sum);
	for (uint32_t k = 0; k < m->s.per_reg; k++)
		sum = fop(B, IR_ffma, 0, m->mode, x->e[k], y->e[k], sum);
	return sum;
}

/* --- the product --- */

struct ir_inst *mma_shuffle(struct build *B, struct ir_inst *x, struct ir_inst *lane, uint32_t c)
{
	struct ir_inst *h[2];
	for (uint32_t k = 0; k < 2; k++) {
		struct ir_inst *args[] = {x->width == 64 ? ir_unpack(&B->c, 32, x, k) : x, lane, K(32, c)};
		h[k] = ir_bn(&B->c, IR_shfl, 32, 3, args, 3);
		if (x->width == 32)
			return h[0];
	}
	return ir_pack(&B->c, 64, h, 2);
}

/* Register `reg` of B that holds column `col` of the pair, in lane s of the column's quad. */
static struct ir_inst *fetch_b(struct build *B, const struct mma *m, uint32_t reg, uint32_t col, uint32_t s)
{
	return mma_shuffle(B, m->b[reg], OP2(or, OP2(shl, m->t, K(32, 3)), K(32, 4 * col + s)), 0x1f);
}

/* Adds the products of columns kb * 4 e + s * e.. to all sums of this lane. */
static void step(struct build *B, const struct mma *m, uint32_t kb, uint32_t s, struct ir_inst **sums)
{
	struct factor a[4], b;
	struct ir_inst *select[2];
	for (uint32_t r = 0; r < m->s.mb; r++)
		split(B, m, m->atype, mma_shuffle(B, m->a[kb * m->s.mb + r], K(32, s), 0x1c1f), &a[r]);
	for (uint32_t r = 0; r < m->s.mb && m->sparse; r++)
		select[r] = mma_sparse_select(B, m, r, 4 * kb + s);
	for (uint32_t nb = 0; nb < m->s.nb; nb++) {
		for (uint32_t j = 0; j < 2; j++) {
			struct ir_inst *lo, *hi = NULL;
			if (m->sparse) {
				lo = fetch_b(B, m, 2 * kb + s / 2, j, 2 * s % 4);
				hi = fetch_b(B, m, 2 * kb + s / 2, j, 2 * s % 4 + 1);
			} else {
				lo = fetch_b(B, m, nb * m->s.kb + kb, j, s);
				split(B, m, m->btype, lo, &b);
			}
			for (uint32_t r = 0; r < m->s.mb; r++) {
				struct ir_inst **sum = &sums[2 * (nb * m->s.mb + r) + j];
				if (m->sparse)
					split(B, m, m->btype, OP3(perm, hi, lo, select[r]), &b);
				*sum = dot(B, m, &a[r], &b, *sum);
			}
		}
	}
}

/* sums: C in, D out. Where there are scales, they apply to the sum over each chunk of k. */
static void multiply(struct build *B, struct mma *m, struct ir_inst **sums)
{
	struct ir_inst *lane = ir_bn(&B->c, IR_sreg, 32, IR_SREG_LANEID, NULL, 0), *part[16];
	uint32_t steps = 4 * m->s.kb, chunk = m->nscales ? steps / m->nscales : 1;
	m->t = OP2(and, lane, K(32, 3));
	for (uint32_t q = 0; q < steps; q++) {
		for (uint32_t k = 0; k < 4 && m->nscales && q % chunk == 0; k++)
			part[k] = K(32, 0);
		step(B, m, q / 4, q % 4, m->nscales ? part : sums);
		if (m->nscales && (q + 1) % chunk == 0)
			mma_scale_add(B, m, q / chunk, part, sums);
	}
}

/* --- operands --- */

uint32_t mma_read_regs(struct build *B, const struct ptx_operand *o, uint32_t width, struct ir_inst **out)
{
	struct ptx_operand e[MAX_LIST];
	uint32_t n = opd_list(B, o, e);
	for (uint32_t k = 0; k < n; k++)
		out[k] = opd_width(B, &e[k], width);
	return n;
}

void mma_read_sums(struct build *B, const struct ptx_operand *o, uint32_t type, struct ir_inst **sums)
{
	struct ir_inst *v[16];
	uint32_t n = mma_read_regs(B, o, type == PTX_T_f64 ? 64 : 32, v);
	for (uint32_t k = 0; k < n; k++) {
		if (type != PTX_T_f16) {
			sums[k] = v[k];
			continue;
		}
		for (uint32_t h = 0; h < 2; h++)
			sums[2 * k + h] = widen(B, PTX_T_f16, ir_unpack(&B->c, 16, v[k], h));
	}
}

void mma_write_sums(struct build *B, const struct ptx_operand *o, uint32_t type, struct ir_inst **sums)
{
	struct fmode m = {0};
	struct ptx_operand e[MAX_LIST];
	uint32_t n = opd_list(B, o, e);
	for (uint32_t k = 0; k < n; k++) {
		struct ir_inst *v = sums[k];
		if (type == PTX_T_f16)
			v = halves(B, narrow(B, PTX_T_f16, m, sums[2 * k]), narrow(B, PTX_T_f16, m, sums[2 * k + 1]));
		def(B, &e[k], v, false);
	}
}

/* With .satfinite integers are clamped: the products alone cannot overflow, so C is added last. */
static void run(struct build *B, const struct ptx_stmt *s, struct mma *m, uint32_t dtype, uint32_t ctype)
{
	struct ir_inst *a[16], *b[16], *c[16], *sums[16];
	bool sat = has(s, PTX_W_satfinite);
	uint32_t n = 2 * m->s.mb * m->s.nb;
	mma_read_regs(B, &s->ops[1], m->s.reg_bits, a);
	mma_read_regs(B, &s->ops[2], m->s.reg_bits, b);
	mma_read_sums(B, &s->ops[3], ctype, c);
	m->a = a;
	m->b = b;
	for (uint32_t k = 0; k < n; k++)
		sums[k] = sat ? K(32, 0) : c[k];
	multiply(B, m, sums);
	for (uint32_t k = 0; k < n && sat; k++)
		sums[k] = add_sat_s32(B, sums[k], c[k]);
	mma_write_sums(B, &s->ops[0], dtype, sums);
}

static bool is_integer(uint32_t type)
{
	return type == PTX_T_u8 || type == PTX_T_s8 || type == PTX_T_u4 || type == PTX_T_s4 || type == PTX_T_b1;
}

static bool prepare(struct build *B, const struct ptx_stmt *s, struct mma *m, uint32_t atype, uint32_t btype)
{
	*m = (struct mma){.atype = atype, .btype = btype, .is_float = !is_integer(atype), .mode = fmode_of(s)};
	m->bit_and = has(s, PTX_W_and);
	m->mode.sat = false;
	m->padded = has(s, PTX_W_kind__f8f6f4) || has(s, PTX_W_kind__mxf8f6f4);
	m->sparse = has(s, PTX_W_sp) || has(s, PTX_W_sp__ordered_metadata);
	mma_shape(s, &m->s);
	if (m->sparse)
		m->s.k /= 2;
	mma_element(&m->s, m->padded ? (uint32_t)PTX_T_e4m3 : atype);
	if (m->sparse)
		mma_sparse_prepare(B, s, m);
	if (m->is_float && has(s, PTX_W_satfinite)) {
		refuse_why(B, s, "saturation to finite numbers");
		return false;
	}
	return true;
}

void mma_mma(struct build *B, const struct ptx_stmt *s)
{
	const uint8_t *t = s->m->types;
	struct mma m;
	if (!prepare(B, s, &m, t[1], t[2]))
		return;
	if (m.s.kb)
		run(B, s, &m, t[0], t[3]);
	else
		mma_quad(B, s);
}

void mma_block_scale(struct build *B, const struct ptx_stmt *s)
{
	const uint8_t *t = s->m->types;
	struct mma m;
	if (!prepare(B, s, &m, t[1], t[2]))
		return;
	mma_scale_prepare(B, s, &m, m.sparse ? 6 : 4);
	run(B, s, &m, t[0], t[3]);
}

/* Half-precision forms state only the types of D and C. */
void mma_wmma(struct build *B, const struct ptx_stmt *s)
{
	const uint8_t *t = s->m->types;
	bool half = s->m->ntypes == 2;
	struct mma m;
	if (prepare(B, s, &m, half ? PTX_T_f16 : t[1], half ? PTX_T_f16 : t[2]))
		run(B, s, &m, t[0], half ? t[1] : t[3]);
}
