/* One vector ALU instruction: operands gathered and modified, the lane function, the result modified and written.
 *
 * Order, as the hardware has it: selection (op_sel, SDWA, DPP), abs, neg, input flush | operation, rounded once |
 * output flush, omod, clamp, masked write. omod acts only where MODE flushes results and IEEE is off. */
#include <fenv.h>

#include "sim/sim_core.h"
#include "sim/valu.h"
#include "sim/valu_fp.h"

/* ---- types ---- */

static const struct {
	uint8_t size; /* bits */
	bool fp;      /* MODE applies */
	bool mods;    /* neg and abs apply */
} types[] = {
	[VT_N] = {0, false, false},    [VT_U16] = {16, false, false}, [VT_I16] = {16, false, false},
	[VT_B16] = {16, false, true},  [VT_F16] = {16, true, true},   [VT_R16] = {16, true, true},
	[VT_U32] = {32, false, false}, [VT_I32] = {32, false, false}, [VT_B32] = {32, false, true},
	[VT_F32] = {32, true, true},   [VT_R32] = {32, true, true},   [VT_P32] = {32, false, false},
	[VT_U64] = {64, false, false}, [VT_I64] = {64, false, false}, [VT_F64] = {64, true, true},
	[VT_R64] = {64, true, true},   [VT_MASK] = {0, false, false},
};

struct source {
	const void *p; /* lanes */
	bool undef;    /* fetched are the operand's undefined bits, not its value */
	union {
		uint32_t b32[64];
		uint64_t b64[64];
	};
};

struct result {
	union {
		uint32_t d32[64];
		uint64_t d64[64];
	};
	uint8_t mask[64];
	uint64_t def, live; /* live: lanes that DPP lets write */
	bool partial;       /* undef has the undefined bits of lanes that def lacks, by dword; else all are undefined */
	uint32_t undef[2][64];
};

#define EACH_LANE(w) for (uint32_t l = 0, n_ = (w)->lanes; l < n_; l++)

/* ---- floating-point modes ---- */

static bool always_flushes(uint32_t flags)
{
	return flags & V_FLUSH || (flags & (V_TRANS | V_BY_MODE)) == V_TRANS;
}
static bool flush_in(uint32_t flags, uint32_t size, uint32_t mode)
{
	if (size == 32)
		return always_flushes(flags) || !(mode >> SIM_MODE_DENORM32 & 1);
	return !(mode >> SIM_MODE_DENORM64 & 1);
}
static bool flush_out(uint32_t flags, uint32_t size, uint32_t mode)
{
	if (size == 32)
		return always_flushes(flags) || !(mode >> SIM_MODE_DENORM32 & 2);
	return !(mode >> SIM_MODE_DENORM64 & 2);
}

static void flush16(uint32_t *v, uint32_t n)
{
	for (uint32_t l = 0; l < n; l++)
		v[l] = v[l] & INF16 ? v[l] : v[l] & 0x8000;
}
static void flush32(uint32_t *v, uint32_t n)
{
	for (uint32_t l = 0; l < n; l++)
		v[l] = v[l] & INF32 ? v[l] : v[l] & 0x80000000;
}
static void flush64(uint64_t *v, uint32_t n)
{
	for (uint32_t l = 0; l < n; l++)
		v[l] = v[l] & INF64 ? v[l] : v[l] & 1ull << 63;
}
static void flush(void *v, uint32_t size, uint32_t n)
{
	if (size == 16)
		flush16(v, n);
	else if (size == 32)
		flush32(v, n);
	else
		flush64(v, n);
}

static int host_round(int rm)
{
	static const int dir[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	return dir[rm & 3];
}

void sim_valu_call(const struct valu_row *row, struct valu_call *k, uint32_t mode, bool clamp)
{
	int r32 = (int)(mode >> SIM_MODE_ROUND32 & 3), r64 = (int)(mode >> SIM_MODE_ROUND64 & 3), host = 0;
	uint32_t size = types[row->d].size;
	k->rm = row->flags & (V_TRANS | V_RNE) ? 0 : size == 32 ? r32 : r64;
	k->ieee = mode & SIM_MODE_IEEE;
	if (row->flags & V_MIX && size == 32)
		host = r32;
	else if (!(row->flags & (V_TRANS | V_SOFT | V_RNE)) && types[row->d].fp && size != 16)
		host = k->rm;
	valu_fn *fn = clamp && row->sat ? row->sat : row->fn;
	if (host) {
		fesetround(host_round(host));
		fn(k);
		fesetround(FE_TONEAREST);
	} else {
		fn(k);
	}
}

/* ---- sources ---- */

static uint32_t sdwa_value(uint32_t v, uint32_t sel, bool sext)
{
	if (sel == SIM_SEL_DWORD)
		return v;
	if (sel >= SIM_SEL_WORD_0) {
		v = v >> (sel - SIM_SEL_WORD_0) * 16;
		return sext ? (uint32_t)(int16_t)v : v & 0xffff;
	}
	v = v >> sel * 8;
	return sext ? (uint32_t)(int8_t)v : v & 0xff;
}

/* The lane that DPP makes lane l read; -1: none. */
static int dpp_lane(const struct sim_inst *i, int l, int lanes)
{
	int row = l & ~15, n = i->dpp_arg[0], x = l & 15;
	switch (i->dpp) {
	case SIM_DPP_QUAD_PERM:
		return (l & ~3) | i->dpp_arg[l & 3];
	case SIM_DPP_ROW_SHL:
		return x + n < 16 ? l + n : -1;
	case SIM_DPP_ROW_SHR:
		return x - n >= 0 ? l - n : -1;
	case SIM_DPP_ROW_ROR:
		return row | ((x - n) & 15);
	case SIM_DPP_ROW_MIRROR:
		return row | (15 - x);
	case SIM_DPP_ROW_HALF_MIRROR:
		return (l & ~7) | (7 - (l & 7));
	case SIM_DPP_ROW_SHARE:
	case SIM_DPP_ROW_NEWBCAST:
		return row | (n & 15);
	case SIM_DPP_ROW_XMASK:
		return row | (x ^ (n & 15));
	case SIM_DPP8:
		return (l & ~7) | (i->dpp_arg[l & 7] & 7);
	case SIM_DPP_WAVE_SHL:
		return l + 1 < lanes ? l + 1 : -1;
	case SIM_DPP_WAVE_SHR:
		return l - 1;
	case SIM_DPP_WAVE_ROL:
		return (l + 1) % lanes;
	case SIM_DPP_WAVE_ROR:
		return (l + lanes - 1) % lanes;
	case SIM_DPP_ROW_BCAST15:
		return l >= 16 ? (l & ~15) - 1 : -1;
	case SIM_DPP_ROW_BCAST31:
		return l >= 32 ? 31 : -1;
	default:
		return -1;
	}
}

/* Moves a source between lanes. Lanes without a source read 0 (bound_ctrl, and DPP8) or do not write. */
static void dpp(struct sim_wave *w, const struct sim_inst *i, struct source *s, uint64_t src_def, uint64_t *live)
{
	uint32_t tmp[64];
	const uint32_t *p = s->p;
	uint64_t def = 0;
	EACH_LANE(w)
	{
		int from = dpp_lane(i, (int)l, (int)w->lanes);
		bool ok = from >= 0 && (i->fi || w->exec >> from & 1);
		tmp[l] = ok ? p[from] : 0;
		if (ok)
			def |= (src_def >> from & 1) << l;
		else if (i->bound_ctrl || i->dpp == SIM_DPP8)
			def |= 1ull << l;
		else
			*live &= ~(1ull << l);
		if (i->dpp != SIM_DPP8 && !(i->row_mask >> (l >> 4 & 3) & 1 && i->bank_mask >> (l >> 2 & 3) & 1))
			*live &= ~(1ull << l);
	}
	memcpy(s->b32, tmp, w->lanes * sizeof *tmp);
	s->p = s->b32;
	w->def &= def | ~*live;
}

static void modify(const struct sim_wave *w, struct source *s, uint32_t size, bool abs, bool neg)
{
	if (size == 64) {
		const uint64_t *p = s->p, keep = abs ? INT64_MAX : ~0ull, flip = neg && !s->undef ? 1ull << 63 : 0;
		EACH_LANE(w) s->b64[l] = (p[l] & keep) ^ flip;
	} else {
		const uint32_t *p = s->p, sign = size == 16 ? 0x8000 : 0x80000000, keep = abs ? ~sign : ~0u;
		const uint32_t flip = neg && !s->undef ? sign : 0;
		EACH_LANE(w) s->b32[l] = (p[l] & keep) ^ flip;
	}
	s->p = size == 64 ? (void *)s->b64 : (void *)s->b32;
}

static void high_half(const struct sim_wave *w, struct source *s)
{
	const uint32_t *p = s->p;
	EACH_LANE(w) s->b32[l] = p[l] >> 16;
	s->p = s->b32;
}

static bool has_halves(const struct sim_opnd *o)
{
	return (o->kind == SIM_O_VGPR || o->kind == SIM_O_SGPR) && o->half == SIM_FULL;
}

/* The operand's dwords, before halves are picked; DPP moves the first source. */
static void fetch32(struct sim_wave *w, const struct sim_inst *i, const struct sim_opnd *o, uint32_t n,
		    bool half_consts, struct source *s, uint64_t *live)
{
	uint64_t def = w->def;
	w->def = ~0ull;
	if (s->undef)
		s->p = half_consts ? sim_undef16(w, o, s->b32) : sim_undef32(w, o, s->b32);
	else
		s->p = half_consts ? sim_src16(w, o, s->b32) : sim_src32(w, o, s->b32);
	if (i->dpp && n == 0)
		dpp(w, i, s, w->def, live);
	w->def &= def;
}

/* v_fma_mix: op_sel_hi says f16, op_sel its half; all become f32. */
static void fetch_mix(struct sim_wave *w, const struct sim_inst *i, const struct sim_opnd *o, uint32_t n,
		      struct source *s, uint64_t *live)
{
	bool half = i->op_sel_hi >> n & 1, abs = o->abs | (i->neg_hi >> n & 1), neg = o->neg ^ (i->neg_lo >> n & 1);
	fetch32(w, i, o, n, half, s, live);
	if (half && i->op_sel >> n & 1)
		high_half(w, s);
	if (half && s->undef) {
		const uint32_t *p = s->p;
		EACH_LANE(w) s->b32[l] = p[l] & 0xffff;
		s->p = s->b32;
	} else if (half) {
		const uint32_t *p = s->p;
		bool fl = flush_in(0, 16, w->mode);
		EACH_LANE(w)
		{
			uint32_t h = fl && !(p[l] & INF16) ? p[l] & 0x8000 : p[l] & 0xffff;
			s->b32[l] = f32_from_f64(f64_from_f16(h), 0);
		}
		s->p = s->b32;
	}
	if (abs || neg)
		modify(w, s, 32, abs, neg);
}

/* A packed operand as a dword whose halves are those that op_sel and op_sel_hi name; neg_lo and neg_hi flip signs. */
static void fetch_pair(struct sim_wave *w, const struct sim_inst *i, const struct valu_row *row,
		       const struct sim_opnd *o, uint32_t n, struct source *s, uint64_t *live)
{
	uint32_t lo = i->op_sel >> n & 1, hi = i->op_sel_hi >> n & 1;
	uint32_t flip = (i->neg_lo >> n & 1 ? 0x8000u : 0) | (i->neg_hi >> n & 1 ? 0x80000000u : 0);
	fetch32(w, i, o, n, types[row->d].fp, s, live);
	flip = s->undef ? 0 : flip;
	if (!lo && hi && !flip)
		return;
	const uint32_t *p = s->p;
	EACH_LANE(w) s->b32[l] = ((p[l] >> lo * 16 & 0xffff) | (p[l] >> hi * 16) << 16) ^ flip;
	s->p = s->b32;
}

/* A 16 or 32-bit source: its half or SDWA field. Returns whether packed modifiers negate it. */
static bool fetch_narrow(struct sim_wave *w, const struct sim_inst *i, const struct valu_row *row, uint32_t n,
			 const struct sim_opnd *o, int half, struct source *s, uint64_t *live)
{
	enum valu_type t = row->s[n];
	bool small = types[t].size == 16;
	fetch32(w, i, o, n, small && (types[t].fp || half < 0), s, live);
	if (half >= 0) {
		if ((half ? i->op_sel_hi : i->op_sel) >> n & 1)
			high_half(w, s);
		return (half ? i->neg_hi : i->neg_lo) >> n & 1;
	}
	if (i->enc == SIM_ENC_SDWA && n < 2) {
		uint32_t sel = n ? i->src1_sel : i->src0_sel;
		const uint32_t *p = s->p;
		EACH_LANE(w) s->b32[l] = sdwa_value(p[l], sel, o->sext);
		s->p = s->b32;
	} else if (small && i->op_sel >> n & 1 && has_halves(o)) {
		high_half(w, s);
	}
	return types[t].fp && row->s[0] == VT_P32 && i->neg_lo >> n & 1;
}

static void flush_source(const struct sim_wave *w, struct source *s, uint32_t size)
{
	void *own = size == 64 ? (void *)s->b64 : s->b32;
	if (s->p != own)
		memcpy(own, s->p, w->lanes * (size == 64 ? sizeof *s->b64 : sizeof *s->b32));
	s->p = own;
	flush(own, size, w->lanes);
}

/* Source n of the row (operand o), as the lane function wants it. half: 0 or 1 of a packed operation, -1 else. */
static void fetch(struct sim_wave *w, const struct sim_inst *i, const struct valu_row *row, uint32_t n,
		  const struct sim_opnd *o, int half, struct source *s, uint64_t *live)
{
	enum valu_type t = row->s[n];
	uint32_t size = types[t].size;
	bool neg = o->neg, abs = o->abs;

	if (row->flags & V_MIX) {
		fetch_mix(w, i, o, n, s, live);
		neg = abs = false;
	} else if (t == VT_P32) {
		fetch_pair(w, i, row, o, n, s, live);
		return;
	} else if (size == 64) {
		s->p = s->undef ? sim_undef64(w, o, s->b64) : sim_src64(w, o, types[t].fp, s->b64);
	} else {
		neg ^= fetch_narrow(w, i, row, n, o, half, s, live);
	}
	if (neg || abs) {
		if (!types[t].mods)
			sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "neg or abs on an integer source");
		modify(w, s, size, abs, neg);
	}
	if (types[t].fp && !s->undef && !(row->flags & V_NO_IN) && flush_in(row->flags, size, w->mode))
		flush_source(w, s, size);
}

/* ---- results ---- */

static double omod_factor(uint32_t omod)
{
	return omod == 1 ? 2.0 : omod == 2 ? 4.0 : 0.5;
}

static void scale_result(void *d, uint32_t size, uint32_t n, uint32_t omod)
{
	double f = omod_factor(omod);
	uint32_t *d32 = d;
	uint64_t *d64 = d;
	/* What is no normal number becomes +0, even if it would be scaled up; what is halved out of the normal ones, a zero of its sign. */
	for (uint32_t l = 0; l < n; l++)
		if (size == 16)
			d32[l] = !(d32[l] & INF16) ? 0 : f < 1 && !(d32[l] & (INF16 - 0x400)) ? d32[l] & 0x8000 : f16_from_f64(f64_from_f16(d32[l]) * f, 0);
		else if (size == 32)
			d32[l] = !(d32[l] & INF32) ? 0 : f < 1 && !(d32[l] & (INF32 - 0x800000)) ? d32[l] & 0x80000000 : bits32(float32(d32[l]) * (float)f);
		else
			d64[l] = !(d64[l] & INF64) ? 0 : f < 1 && !(d64[l] & (INF64 - (1ull << 52))) ? d64[l] & 1ull << 63 : bits64(float64(d64[l]) * f);
}

/* To [0, 1]; a NaN becomes 0 under DX10_CLAMP. */
static void clamp_result(void *d, uint32_t size, uint32_t n, bool nan0)
{
	uint32_t *d32 = d;
	uint64_t *d64 = d;
	if (size == 64)
		for (uint32_t l = 0; l < n; l++) {
			uint64_t u = d64[l], c = u >> 63 ? 0 : u > 0x3ff0000000000000 ? 0x3ff0000000000000 : u;
			d64[l] = isnan64(u) ? (nan0 ? 0 : u) : c;
		}
	else if (size == 32)
		for (uint32_t l = 0; l < n; l++) {
			uint32_t u = d32[l], c = u >> 31 ? 0 : u > 0x3f800000 ? 0x3f800000 : u;
			d32[l] = isnan32(u) ? (nan0 ? 0 : u) : c;
		}
	else
		for (uint32_t l = 0; l < n; l++) {
			uint32_t u = d32[l], c = u >> 15 & 1 ? 0 : u > 0x3c00 ? 0x3c00 : u;
			d32[l] = isnan16(u) ? (nan0 ? 0 : u) : c;
		}
}

static void finish(struct sim_wave *w, const struct sim_inst *i, const struct valu_row *row, void *d)
{
	uint32_t size = types[row->d].size;
	if (!types[row->d].mods) {
		if (i->clamp && !row->sat && !(row->flags & V_CLAMP_NOP) && row->d != VT_MASK)
			sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "clamp on an operation that has none");
		return;
	}
	if (types[row->d].fp) {
		if (size == 16 && w->mode & SIM_MODE_FP16_OVFL)
			sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "MODE.FP16_OVFL is not modelled");
		/* What rounds up to the least normal number stays, unless sim_tiny.c has flushed it. */
		bool fl = flush_out(row->flags, size, w->mode);
		if (fl && !(row->flags & V_NO_OUT))
			flush(d, size, w->lanes);
		if (i->omod && fl && !(w->mode & SIM_MODE_IEEE))
			scale_result(d, size, w->lanes, i->omod);
	}
	if (i->clamp)
		clamp_result(d, size, w->lanes, w->mode & SIM_MODE_DX10_CLAMP);
}

static uint64_t gather_mask(const uint8_t *o, uint32_t lanes)
{
	uint64_t r = 0;
	for (uint32_t l = 0; l < lanes; l += 8) {
		uint64_t x;
		memcpy(&x, o + l, 8);
		r |= (x * 0x0102040810204080 >> 56) << l;
	}
	return r;
}

/* What a field of a register becomes, and what is in the rest of it by dst_unused. */
static uint32_t sdwa_place(const struct sim_inst *i, uint32_t x, uint32_t old, uint32_t shift, uint32_t bits)
{
	uint32_t field = (bits == 16 ? 0xffffu : 0xffu) << shift, v = x << shift & field;
	if (i->dst_unused == SIM_UNUSED_PRESERVE)
		v |= old & ~field;
	else if (i->dst_unused == SIM_UNUSED_SEXT && x >> (bits - 1) & 1)
		v |= (uint32_t)((uint64_t)~0u << (shift + bits));
	return v;
}

/* Puts the result where dst_sel says. */
static void write_sdwa(struct sim_wave *w, const struct sim_inst *i, const struct sim_opnd *o, uint32_t *d)
{
	uint32_t sel = i->dst_sel, bits = sel >= SIM_SEL_WORD_0 ? 16 : 8, undef[64];
	uint32_t shift = sel == SIM_SEL_DWORD ? 0 : sel >= SIM_SEL_WORD_0 ? (sel - SIM_SEL_WORD_0) * 16 : sel * 8;
	if (sel != SIM_SEL_DWORD) {
		const uint32_t *old = sim_vgpr(w, o->reg);
		uint64_t def = 0;
		EACH_LANE(w)
		{
			uint32_t u = w->def >> l & 1 ? 0 : w->undef[0] ? w->undef[0][l] : ~0u;
			d[l] = sdwa_place(i, d[l], old[l], shift, bits);
			undef[l] = sdwa_place(i, u, ~sim_lane_bits(w, o->reg, l), shift, bits);
			def |= (uint64_t)!undef[l] << l;
		}
		w->def = def;
		w->undef[0] = undef;
	}
	sim_dst32(w, o, d);
	w->undef[0] = NULL;
}

/* ---- the instruction ---- */

static struct sim_opnd vcc_operand(const struct sim_wave *w)
{
	return (struct sim_opnd){.kind = SIM_O_SGPR, .reg = SIM_VCC, .n = (uint8_t)(w->lanes / 32)};
}

/* One instruction's operands: text of them are in its text after `first` destinations; V_ACC's last is the destination.
 */
struct operands {
	const struct sim_inst *i;
	const struct valu_row *row;
	uint32_t first, text;
	struct source src[3];
};

static void gather(struct sim_wave *w, struct operands *o, int half, bool undef, struct valu_call *k, uint64_t *live)
{
	for (uint32_t n = 0; n < o->row->nsrc; n++) {
		const struct sim_opnd *opnd = n < o->text ? &o->i->ops[o->first + n] : &o->i->ops[0];
		o->src[n].undef = undef;
		fetch(w, o->i, o->row, n, opnd, half, &o->src[n], live);
		k->s[n] = o->src[n].p;
	}
}

/* Sources with undefined bits in lanes that will write: which bits of the result they make undefined. masked: lanes whose bit of the lane
 * mask is defined. */
static void undefined(struct sim_wave *w, const struct operands *o, int half, const struct valu_call *k, uint64_t masked,
		      struct result *r)
{
	const struct valu_row *row = o->row;
	struct operands from = {.i = o->i, .row = row, .first = o->first, .text = o->text};
	struct valu_call uk;
	uint64_t u[3][64], undef[64], def = w->def, live = ~0ull;
	gather(w, &from, half, true, &uk, &live);
	w->def = def;
	for (uint32_t n = 0; n < row->nsrc; n++) {
		uint32_t size = types[row->s[n]].size;
		EACH_LANE(w)
		u[n][l] = size == 64 ? ((const uint64_t *)uk.s[n])[l] : ((const uint32_t *)uk.s[n])[l] & (size == 16 ? 0xffff : ~0u);
	}
	sim_valu_undef(row, &sim_valu_undefs[o->i->op->arg], k, o->i->clamp, u, undef);
	uint32_t shift = half > 0 ? 16 : 0, field = half < 0 && types[row->d].size != 16 ? ~0u : 0xffff;
	EACH_LANE(w)
	{
		uint64_t x = masked >> l & 1 ? undef[l] : ~0ull, any = 0;
		for (uint32_t n = 0; n < row->nsrc; n++)
			any |= u[n][l];
		r->undef[0][l] = half > 0 ? r->undef[0][l] | (uint32_t)(x & field) << shift : (uint32_t)x & field;
		r->undef[1][l] = (uint32_t)(x >> 32);
		if (any || !(masked >> l & 1))
			r->def &= ~(1ull << l);
	}
	r->partial = true;
}

static bool all_defined(const struct sim_wave *w, const struct result *r)
{
	return !(w->exec & r->live & ~w->def);
}

static void tiny(struct sim_wave *w, const struct operands *o, const struct valu_call *k)
{
	enum sim_tiny how = w->core->s->opt.tiny;
	uint32_t size = types[o->row->d].size;
	bool mixed = o->row->flags & V_MIX && size == 16; /* not recorded */
	if (how != SIM_TINY_GRID && size <= 32 && types[o->row->d].fp && !mixed && flush_out(o->row->flags, size, w->mode))
		sim_tiny(how, o->i->op->name, k, o->row->nsrc, size);
}

static void compute_packed(struct sim_wave *w, struct operands *o, struct valu_call *k, struct result *r)
{
	uint32_t lo[64];
	for (int half = 0; half < 2; half++) {
		gather(w, o, half, false, k, &r->live);
		if (!all_defined(w, r))
			undefined(w, o, half, k, ~0ull, r);
		sim_valu_call(o->row, k, w->mode, o->i->clamp);
		tiny(w, o, k);
		finish(w, o->i, o->row, r->d32);
		if (!half)
			memcpy(lo, r->d32, sizeof lo);
	}
	EACH_LANE(w) r->d32[l] = (lo[l] & 0xffff) | r->d32[l] << 16;
}

static void check_form(struct sim_wave *w, const struct sim_inst *i, const struct operands *o)
{
	const struct valu_row *row = o->row;
	if (i->nops < o->first + o->text)
		sim_fault(w, SIM_FAULT_DECODE, -1, 0, "%s has %u operands", i->op->name, i->nops);
	if ((i->dpp && types[row->s[0]].size == 64) ||
	    (i->enc == SIM_ENC_SDWA &&
	     (row->flags & (V_PACK | V_MIX) || row->s[0] == VT_P32 || types[row->d].size == 64)))
		sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "an operation that has no DPP or SDWA form");
}

static void compute(struct sim_wave *w, const struct sim_inst *i, struct result *r)
{
	const struct valu_row *row = &sim_valu_rows[i->op->arg];
	struct valu_call k = {.d = r->d32, .o = r->mask, .n = w->lanes, .gfx11 = w->gfx11};
	struct operands o;
	o.i = i;
	o.row = row;
	o.first = (row->flags & V_CMPX ? 0 : 1) + (row->flags & V_MASK_DST ? 1 : 0);
	o.text = row->nsrc - (row->flags & V_ACC ? 1 : 0);
	check_form(w, i, &o);
	r->live = r->def = ~0ull;
	r->partial = false;
	if (row->flags & (V_MASK_SRC | V_MASK_VCC)) {
		struct sim_opnd vcc = vcc_operand(w);
		bool named = row->flags & V_MASK_SRC && i->nops > o.first + o.text;
		k.mask = sim_src_mask(w, named ? &i->ops[o.first + o.text] : &vcc);
	}
	if (row->flags & V_PACK) {
		compute_packed(w, &o, &k, r);
		return;
	}
	uint64_t masked = w->def;
	gather(w, &o, -1, false, &k, &r->live);
	if (row->flags & V_DOT)
		k.bits = i->neg_lo;
	if (!all_defined(w, r))
		undefined(w, &o, -1, &k, masked, r);
	sim_valu_call(row, &k, w->mode, i->clamp);
	if (row->flags & V_TRANS && w->core->s->opt.approx_seed)
		sim_approx(i->op->name, w->gfx11, w->core->s->opt.approx_seed, k.s[0], r->d32, w->lanes);
	tiny(w, &o, &k);
	finish(w, i, row, r->d32);
}

static void write_result(struct sim_wave *w, const struct sim_inst *i, struct result *r)
{
	const struct valu_row *row = &sim_valu_rows[i->op->arg];
	uint64_t exec = w->exec;
	w->exec &= r->live;
	if (row->d == VT_MASK || row->flags & V_MASK_DST) {
		uint64_t mask = gather_mask(r->mask, w->lanes) & w->exec;
		struct sim_opnd x = {.kind = SIM_O_SGPR, .reg = SIM_EXEC, .n = (uint8_t)(w->lanes / 32)};
		if (row->flags & V_CMPX) {
			sim_dst_mask(w, &x, mask);
			return;
		}
		/* The vector result first: the scalar write must see exec as it was. */
		if (row->d != VT_MASK) {
			if (types[row->d].size == 64)
				sim_dst64(w, &i->ops[0], r->d64);
			else
				sim_dst32(w, &i->ops[0], r->d32);
		}
		sim_dst_mask(w, &i->ops[row->d == VT_MASK ? 0 : 1], mask);
		if (w->exec != (exec & r->live))
			return; /* the mask went to exec */
	} else if (i->enc == SIM_ENC_SDWA) {
		write_sdwa(w, i, &i->ops[0], r->d32);
	} else if (types[row->d].size == 64) {
		sim_dst64(w, &i->ops[0], r->d64);
	} else if (types[row->d].size == 16 && !(row->flags & V_PACK)) {
		uint32_t text = row->nsrc - (row->flags & V_ACC ? 1 : 0);
		sim_dst16(w, &i->ops[0], row->flags & V_HI || (!(row->flags & V_MIX) && i->op_sel >> text & 1), r->d32);
	} else {
		sim_dst32(w, &i->ops[0], r->d32);
	}
	w->exec = exec;
}

static void commit(struct sim_wave *w, const struct sim_inst *i, struct result *r)
{
	w->def = r->def;
	w->undef[0] = r->partial ? r->undef[0] : NULL;
	w->undef[1] = r->partial ? r->undef[1] : NULL;
	write_result(w, i, r);
	w->undef[0] = w->undef[1] = NULL;
}

void sim_valu(struct sim_wave *w, const struct sim_inst *i)
{
	struct result r;
	compute(w, i, &r);
	commit(w, i, &r);
}

/* Both halves read before either writes. */
void sim_vopd(struct sim_wave *w, const struct sim_inst *i)
{
	struct result x, y;
	uint64_t def = w->def;
	compute(w, i, &x);
	w->def = def;
	compute(w, i->dual, &y);
	commit(w, i, &x);
	commit(w, i->dual, &y);
}
