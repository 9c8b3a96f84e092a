/* Wave matrix multiply-accumulate of gfx11: D = A * B + C, 16 by 16 by 16.
 *
 * Lane l holds row l % 16 of A and column l % 16 of B, sixteen elements packed into consecutive registers; every group
 * of 16 lanes must hold the same A and B, and exec must be all ones: both are checked. Register j of C and D holds, in
 * lane l, row j * (lanes / 16) + l / 16, column l % 16; 16-bit C and D lie in the half that op_sel[2] names.
 * The manual leaves the order of the sum open: here k ascends, single precision, each product and sum rounded once;
 * 16-bit results round once more at the end. */
#include "sim/valu.h"
#include "sim/valu_fp.h"

enum { WMMA_F32_F16, WMMA_F32_BF16, WMMA_F16_F16, WMMA_BF16_BF16, WMMA_I32_IU8, WMMA_I32_IU4 };

#define EACH_LANE(w) for (uint32_t l = 0, n_ = (w)->lanes; l < n_; l++)

static uint32_t reg_of(struct sim_wave *w, const struct sim_opnd *o, uint32_t n)
{
	if (o->kind != SIM_O_VGPR || o->n != n)
		sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "a matrix operand of %u registers is not %u", o->n, n);
	return o->reg;
}

/* The row of A, or the column of B, that lanes l, l + 16, ... hold: dwords. */
static void load(struct sim_wave *w, const struct sim_opnd *o, uint32_t n, uint32_t m[16][8], char which)
{
	uint32_t reg = reg_of(w, o, n);
	for (uint32_t j = 0; j < n; j++) {
		const uint32_t *v = sim_vgpr(w, reg + j);
		if ((w->vdef[reg + j] & w->lane_mask) != w->lane_mask)
			w->def = 0;
		EACH_LANE(w)
		{
			if (l >= 16 && v[l] != v[l & 15])
				sim_fault(w, SIM_FAULT_OPERAND, (int)l, 0, "lanes %u and %u hold different %c", l & 15,
					  l, which);
			m[l & 15][j] = v[l];
		}
	}
}

/* Element k of a 16-bit row, sign flipped as neg_lo and neg_hi say. */
static float element(const uint32_t *row, uint32_t k, bool bf16, bool neg_lo, bool neg_hi)
{
	uint32_t h = row[k / 2] >> (k & 1) * 16 & 0xffff;
	if (k & 1 ? neg_hi : neg_lo)
		h ^= 0x8000;
	return bf16 ? float32(h << 16) : (float)f64_from_f16(h);
}

static float dot_float(const struct sim_inst *i, const uint32_t *a, const uint32_t *b, float c, bool bf16)
{
	for (uint32_t k = 0; k < 16; k++)
		c += element(a, k, bf16, i->neg_lo & 1, i->neg_hi & 1) *
		     element(b, k, bf16, i->neg_lo & 2, i->neg_hi & 2);
	return c;
}

static uint32_t dot_int(const struct sim_inst *i, const uint32_t *a, const uint32_t *b, uint32_t c, uint32_t bits)
{
	int64_t sum = (int32_t)c;
	for (uint32_t k = 0, per = 32 / bits; k < 16; k++) {
		int64_t x = a[k / per] >> k % per * bits & ((1u << bits) - 1),
			y = b[k / per] >> k % per * bits & ((1u << bits) - 1);
		x -= i->neg_lo & 1 && x >> (bits - 1) ? 1ll << bits : 0;
		y -= i->neg_lo & 2 && y >> (bits - 1) ? 1ll << bits : 0;
		sum += x * y;
	}
	if (i->clamp)
		sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
	return (uint32_t)sum;
}

/* C's modifiers: neg_lo negates, neg_hi takes the magnitude. */
static uint32_t sign_c(const struct sim_inst *i, uint32_t u, uint32_t sign)
{
	u = i->neg_hi & 4 ? u & ~sign : u;
	return i->neg_lo & 4 ? u ^ sign : u;
}

static uint32_t cell(const struct sim_inst *i, const uint32_t *a, const uint32_t *b, uint32_t c)
{
	uint32_t shift = i->op_sel & 4 ? 16 : 0, half = sign_c(i, c >> shift & 0xffff, 0x8000);
	switch (i->op->arg) {
	case WMMA_F32_F16:
	case WMMA_F32_BF16:
		return bits32(dot_float(i, a, b, float32(sign_c(i, c, 0x80000000)), i->op->arg == WMMA_F32_BF16));
	case WMMA_F16_F16:
		return f16_from_f64((double)dot_float(i, a, b, (float)f64_from_f16(half), false), 0);
	case WMMA_BF16_BF16:
		return bf16_from_f64((double)dot_float(i, a, b, float32(half << 16), true), 0);
	default:
		return dot_int(i, a, b, c, i->op->arg == WMMA_I32_IU8 ? 8 : 4);
	}
}

void sim_v_wmma(struct sim_wave *w, const struct sim_inst *i)
{
	static const uint8_t regs[] = {8, 8, 8, 8, 4, 2};
	uint32_t a[16][8], b[16][8], n = 256 / w->lanes, out[16][64], kind = (uint32_t)i->op->arg;
	uint64_t defs[16], def;
	bool half = kind == WMMA_F16_F16 || kind == WMMA_BF16_BF16, hi = i->op_sel & 4;
	uint32_t field = !half ? ~0u : hi ? 0xffff0000 : 0xffff;
	const struct sim_opnd *oc = &i->ops[3];
	if (w->exec != w->lane_mask)
		sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "a matrix instruction needs all lanes active");
	uint32_t dst = reg_of(w, &i->ops[0], n);
	load(w, &i->ops[1], regs[kind], a, 'A');
	load(w, &i->ops[2], regs[kind], b, 'B');
	def = w->def;
	for (uint32_t j = 0; j < n; j++) {
		struct sim_opnd c = *oc;
		uint32_t buf[64], und[64];
		if (c.kind == SIM_O_VGPR)
			c.reg = (uint16_t)(reg_of(w, oc, n) + j);
		const uint32_t *v = half ? sim_src16(w, &c, buf) : sim_src32(w, &c, buf);
		const uint32_t *u = half ? sim_undef16(w, &c, und) : sim_undef32(w, &c, und);
		defs[j] = def;
		EACH_LANE(w)
		{
			out[j][l] = cell(i, a[j * (w->lanes / 16) + l / 16], b[l & 15], v[l]);
			if (u[l] & field)
				defs[j] &= ~(1ull << l);
		}
	}
	for (uint32_t j = 0; j < n; j++) {
		struct sim_opnd d = {.kind = SIM_O_VGPR, .n = 1, .reg = (uint16_t)(dst + j)};
		w->def = defs[j];
		if (half)
			sim_dst16(w, &d, hi, out[j]);
		else
			sim_dst32(w, &d, out[j]);
	}
}
