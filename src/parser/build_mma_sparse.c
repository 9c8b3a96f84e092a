/* What mma.sp and block-scaled mma add to the product of build_mma.c.
 *
 * A sparse A holds half of each row. A register of it stands for twice its elements: a chunk of four halves (of two
 * words: .tf32) or two chunks of four bytes (a byte of .u4 and .s4 is two elements that stay together), of which the
 * metadata names two each by two bits. So it meets two neighbouring registers of B, of which v_perm picks the partners.
 * Metadata of halves and words: a lane of the quad has 16 bits of row g below those of row g + 8, the next lane those for the
 * second half of k. Of bytes and less: a lane has 32 bits of one row, the next lane those of the other row, the next two
 * those for the second half of k.
 * Source: PTX ISA, "Sparse matrix storage", "Block Scaling for mma.sync". Which lane has which metadata is in figures there,
 * and as an H200 has it; the lanes with scales are those of CUTLASS, include/cute/atom/mma_traits_sm120.hpp. */
#include "parser/build_matrix.h"

static bool by_halves(const struct mma *m)
{
	return m->s.per_reg <= 2;
}

static struct ir_inst *of_quad(struct build *B, struct ir_inst *x, struct ir_inst *t)
{
	return mma_shuffle(B, x, t, 0x1c1f);
}

void mma_sparse_prepare(struct build *B, const struct ptx_stmt *s, struct mma *m)
{
	struct ir_inst *meta = opd_width(B, &s->ops[4], 32), *selector = opd_width(B, &s->ops[5], 32);
	uint32_t lanes = (by_halves(m) ? 1 : 2) * m->s.kb;
	struct ir_inst *first = OP2(mul, selector, K(32, lanes));
	for (uint32_t r = 0; r < 2; r++) {
		for (uint32_t h = 0; h < m->s.kb; h++) {
			uint32_t lane = by_halves(m) ? h : r + 2 * h;
			struct ir_inst *x = of_quad(B, meta, OP2(add, first, K(32, lane)));
			m->meta[r][h] = by_halves(m) ? OP2(shr, x, K(32, 16 * r)) : x;
		}
	}
}

/* v_perm's selector for the register that is `step` times a register's elements from the row's start. */
struct ir_inst *mma_sparse_select(struct build *B, const struct mma *m, uint32_t row, uint32_t step)
{
	uint32_t n = by_halves(m) ? 2 : 4, bit = step % 4 * 2 * n;
	struct ir_inst *meta = m->meta[row][step / 4], *d = K(32, n == 2 ? 0x01000100 : 0x04040000);
	for (uint32_t k = 0; k < n; k++) {
		struct ir_inst *index = OP3(ubfe, meta, K(32, bit + 2 * k), K(32, 2));
		if (n == 2) /* bytes 2 index and 2 index + 1 */
			index = OP2(mul, index, K(32, 0x0202));
		d = OP2(add, d, OP2(shl, index, K(32, 32 / n * k)));
	}
	return d;
}

/* --- scales --- */

/* Operands from the first: A's scales, {byte, half of the quad}; B's, {byte, lane of the quad}. */
void mma_scale_prepare(struct build *B, const struct ptx_stmt *s, struct mma *m, uint32_t first)
{
	struct ptx_operand a[MAX_LIST], b[MAX_LIST], at_a[MAX_LIST], at_b[MAX_LIST];
	opd_list(B, &s->ops[first], a);
	opd_list(B, &s->ops[first + 1], at_a);
	opd_list(B, &s->ops[first + 2], b);
	opd_list(B, &s->ops[first + 3], at_b);
	struct ir_inst *lane = ir_bn(&B->c, IR_sreg, 32, IR_SREG_LANEID, NULL, 0);
	struct ir_inst *column = OP2(shl, OP2(and, lane, K(32, 3)), K(32, 3));
	struct ir_inst *sa = opd_width(B, &a[0], 32), *sb = opd_width(B, &b[0], 32);
	struct ir_inst *byte_a = resize(B, opd(B, &at_a[0], PTX_T_u16), 32, false);
	struct ir_inst *byte_b = resize(B, opd(B, &at_b[0], PTX_T_u16), 32, false);
	struct ir_inst *pair = OP2(shl, resize(B, opd(B, &at_a[1], PTX_T_u16), 32, false), K(32, 1));
	struct ir_inst *lane_b = OP2(add, column, resize(B, opd(B, &at_b[1], PTX_T_u16), 32, false));
	for (uint32_t k = 0; k < 2; k++) {
		m->scale_a[k] = OP2(shr, of_quad(B, sa, OP2(add, pair, K(32, k))), OP2(shl, byte_a, K(32, 3)));
		m->scale_b[k] = OP2(shr, mma_shuffle(B, sb, OP2(add, lane_b, K(32, 4 * k)), 0x1f),
				    OP2(shl, byte_b, K(32, 3)));
	}
	m->scale_ue8m0 = s->m->types[4] == PTX_T_ue8m0;
	m->nscales = has(s, PTX_W_scale_vec__4X) ? 4 : has(s, PTX_W_kind__mxf8f6f4) ? 1 : 2;
}

/* 2^e times x in two halves: 2^-254 to 2^254, of which 2^-127 is subnormal. */
static struct ir_inst *times_power(struct build *B, struct ir_inst *x, struct ir_inst *e)
{
	struct fmode m = {0};
	struct ir_inst *half[] = {OP2(sar, e, K(32, 1)), NULL};
	half[1] = OP2(sub, e, half[0]);
	for (uint32_t k = 0; k < 2; k++)
		x = fop(B, IR_fmul, 0, m, x, OP2(umax, OP2(shl, OP2(add, half[k], K(32, 127)), K(32, 23)), K(32, 1 << 22)), NULL);
	return x;
}

void mma_scale_add(struct build *B, const struct mma *m, uint32_t chunk, struct ir_inst **part, struct ir_inst **sums)
{
	for (uint32_t k = 0; k < 4; k++) {
		struct ir_inst *a = OP3(ubfe, m->scale_a[k / 2], K(32, 8 * chunk), K(32, 8));
		struct ir_inst *b = OP3(ubfe, m->scale_b[k % 2], K(32, 8 * chunk), K(32, 8));
		if (m->scale_ue8m0) {
			struct ir_inst *nan = ICMP(EQ, OP2(umax, a, b), K(32, 255)), *x;
			x = times_power(B, part[k], OP2(sub, OP2(add, a, b), K(32, 254)));
			sums[k] = fop(B, IR_fadd, 0, m->mode, sums[k], SEL(nan, K(32, 0x7fffffff), x), NULL);
		} else {
			a = widen(B, PTX_T_f16, small_to_half(B, PTX_T_e4m3x2, false, OP2(and, a, K(32, 0x7f)), 0));
			b = widen(B, PTX_T_f16, small_to_half(B, PTX_T_e4m3x2, false, OP2(and, b, K(32, 0x7f)), 0));
			sums[k] = fop(B, IR_ffma, 0, m->mode, part[k], fop(B, IR_fmul, 0, m->mode, a, b, NULL), sums[k]);
		}
	}
}
