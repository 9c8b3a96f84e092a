/* mma.m8n8k4 of halves, the shape of the first tensor cores: lanes 4 i.. and 16 + 4 i.. (i < 4) compute a product each.
 *
 * With q = lane & 12, r = lane & 3, h = lane & 16: by rows of A, a lane has row r + h / 4; by columns, column r of the four
 * rows h / 4... B is the same, transposed. f16 sums are row r + h / 4, columns 0 to 7; f32 sum i is row (r & 1) + (i & 2) +
 * h / 4, column (i & 4) + (r & 2) + (i & 1). Source: PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16". */
#include "parser/build_matrix.h"

struct quad {
	struct ir_inst *q, *r, *h;
	struct ir_inst *a[2], *b[2], *c[8];
	bool a_lines, b_lines; /* a lane has whole rows of A, whole columns of B */
	struct fmode mode;
};

static struct ir_inst *bit_set(struct build *B, struct ir_inst *x, uint32_t bit)
{
	return ICMP(NE, OP2(and, x, K(32, bit)), K(32, 0));
}

/* The four elements of one of eight rows of A or columns of B, as f32: number low (0 to 3) of the half h. */
static void line(struct build *B, const struct quad *m, struct ir_inst *const *x, bool whole, struct ir_inst *low,
		 struct ir_inst *h, struct ir_inst **out)
{
	struct ir_inst *base = OP2(or, m->q, h), *v[2];
	for (uint32_t k = 0; k < 4; k++) {
		struct ir_inst *lane = OP2(or, base, whole ? low : K(32, k)), *half;
		for (uint32_t w = 0; w < 2; w++)
			v[w] = mma_shuffle(B, x[w], lane, 0x1f);
		if (whole) {
			half = ir_unpack(&B->c, 16, v[k / 2], k % 2);
		} else {
			struct ir_inst *word = SEL(bit_set(B, low, 2), v[1], v[0]);
			half = SEL(bit_set(B, low, 1), ir_unpack(&B->c, 16, word, 1), ir_unpack(&B->c, 16, word, 0));
		}
		out[k] = widen(B, PTX_T_f16, half);
	}
}

static struct ir_inst *product(struct build *B, const struct quad *m, struct ir_inst *row, struct ir_inst *col, uint32_t high,
			       struct ir_inst *sum)
{
	struct ir_inst *a[4], *b[4];
	line(B, m, m->a, m->a_lines, row, m->h, a);
	line(B, m, m->b, m->b_lines, col, K(32, high ? 16 : 0), b);
	for (uint32_t k = 0; k < 4; k++)
		sum = fop(B, IR_ffma, 0, m->mode, a[k], b[k], sum);
	return sum;
}

/* C where it is of halves and D is not. */
static struct ir_inst *half_sum(struct build *B, const struct quad *m, struct ir_inst *row, uint32_t i)
{
	struct ir_inst *lane = OP2(or, OP2(or, m->q, m->h), row), *v[2];
	for (uint32_t w = 0; w < 2; w++)
		v[w] = mma_shuffle(B, m->c[(i & 4) / 2 + w], lane, 0x1f);
	struct ir_inst *word = SEL(bit_set(B, m->r, 2), v[1], v[0]);
	return widen(B, PTX_T_f16, ir_unpack(&B->c, 16, word, i & 1));
}

void mma_quad(struct build *B, const struct ptx_stmt *s)
{
	uint32_t dtype = s->m->types[0], ctype = s->m->types[3];
	struct ir_inst *lane = ir_bn(&B->c, IR_sreg, 32, IR_SREG_LANEID, NULL, 0), *sums[8];
	struct quad m = {.q = OP2(and, lane, K(32, 12)), .r = OP2(and, lane, K(32, 3)), .h = OP2(and, lane, K(32, 16))};
	m.a_lines = MOD(alayout) == PTX_W_row;
	m.b_lines = MOD(blayout) == PTX_W_col;
	mma_read_regs(B, &s->ops[1], 32, m.a);
	mma_read_regs(B, &s->ops[2], 32, m.b);
	if (dtype == ctype)
		mma_read_sums(B, &s->ops[3], ctype, sums);
	else
		mma_read_regs(B, &s->ops[3], 32, m.c);
	for (uint32_t i = 0; i < 8; i++) {
		struct ir_inst *row = m.r, *col = K(32, i & 3);
		if (dtype == PTX_T_f32) {
			row = OP2(or, OP2(and, m.r, K(32, 1)), K(32, i & 2));
			col = OP2(or, OP2(and, m.r, K(32, 2)), K(32, i & 1));
		}
		if (dtype != ctype)
			sums[i] = half_sum(B, &m, row, i);
		sums[i] = product(B, &m, row, col, i & 4, sums[i]);
	}
	mma_write_sums(B, &s->ops[0], dtype, sums);
}
