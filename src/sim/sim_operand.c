/* Operand fetch and result write for instruction semantics: registers, constants, lane masks, definedness. */
#include "sim/sim_core.h"

const uint16_t sim_fp16_const[9] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
const uint32_t sim_fp32_const[9] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
				    0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
const uint64_t sim_fp64_const[9] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
				    0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
				    0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};

void sim_execv_fill(struct sim_wave *w)
{
	for (uint32_t l = 0; l < w->lanes; l++)
		w->execv[l] = (uint32_t) - (int32_t)(w->exec >> l & 1);
	w->execv_of = w->exec;
	w->execv_valid = true;
}

static uint32_t sgpr(struct sim_wave *w, uint32_t r)
{
	if (r == SIM_NULL)
		return 0;
	if (w->sdef[r] != ~0u)
		w->def = 0;
	return w->s[r];
}

uint32_t sim_scalar32(struct sim_wave *w, const struct sim_opnd *o)
{
	switch (o->kind) {
	case SIM_O_SGPR:
		return sgpr(w, o->reg);
	case SIM_O_INT:
	case SIM_O_LIT:
		return (uint32_t)o->imm;
	case SIM_O_FP:
		return sim_fp32_const[o->imm];
	case SIM_O_SCC:
		if (!w->scc_def)
			w->def = 0;
		return w->scc;
	case SIM_O_VCCZ:
		return (w->vcc & w->lane_mask) == 0;
	case SIM_O_EXECZ:
		return w->exec == 0;
	case SIM_O_OFF:
		return 0;
	default:
		sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "`%s' is no 32-bit scalar operand", o->text ? o->text : "?");
	}
}

uint64_t sim_scalar64(struct sim_wave *w, const struct sim_opnd *o, bool fp)
{
	switch (o->kind) {
	case SIM_O_SGPR:
		if (o->reg == SIM_NULL)
			return 0;
		if (o->n < 2)
			sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "`%s' is no 64-bit operand", o->text ? o->text : "?");
		return sgpr(w, o->reg) | (uint64_t)sgpr(w, o->reg + 1u) << 32;
	case SIM_O_INT:
		return (uint64_t)o->imm;
	case SIM_O_LIT:
		return fp && (uint64_t)o->imm <= UINT32_MAX ? (uint64_t)o->imm << 32 : (uint64_t)o->imm;
	case SIM_O_FP:
		return sim_fp64_const[o->imm];
	case SIM_O_SHARED_BASE:
		return (uint64_t)SIM_SHARED_HI << 32;
	case SIM_O_SHARED_LIMIT:
		return (uint64_t)SIM_SHARED_HI << 32 | 0xffffffff;
	case SIM_O_PRIVATE_BASE:
		return (uint64_t)SIM_PRIVATE_HI << 32;
	case SIM_O_PRIVATE_LIMIT:
		return (uint64_t)SIM_PRIVATE_HI << 32 | 0xffffffff;
	default:
		return sim_scalar32(w, o);
	}
}

static const uint32_t *broadcast(const struct sim_wave *w, uint32_t x, uint32_t *buf)
{
	for (uint32_t l = 0, n = w->lanes; l < n; l++)
		buf[l] = x;
	return buf;
}

const uint32_t *sim_src32(struct sim_wave *w, const struct sim_opnd *o, uint32_t buf[64])
{
	if (o->kind == SIM_O_VGPR) {
		w->def &= w->vdef[o->reg];
		return sim_vgpr(w, o->reg);
	}
	return broadcast(w, sim_scalar32(w, o), buf);
}

const uint64_t *sim_src64(struct sim_wave *w, const struct sim_opnd *o, bool fp, uint64_t buf[64])
{
	if (o->kind == SIM_O_VGPR) {
		const uint32_t *lo = sim_vgpr(w, o->reg), *hi = sim_vgpr(w, o->reg + 1u);
		w->def &= w->vdef[o->reg] & (w->any == o->reg + 2 ? 0 : w->vdef[o->reg + 1]);
		for (uint32_t l = 0, n = w->lanes; l < n; l++)
			buf[l] = lo[l] | (uint64_t)hi[l] << 32;
		return buf;
	}
	uint64_t x = sim_scalar64(w, o, fp);
	for (uint32_t l = 0, n = w->lanes; l < n; l++)
		buf[l] = x;
	return buf;
}

const uint32_t *sim_src16(struct sim_wave *w, const struct sim_opnd *o, uint32_t buf[64])
{
	if (o->kind == SIM_O_VGPR && o->half) {
		const uint32_t *v = sim_src32(w, o, buf);
		unsigned shift = o->half == SIM_HI16 ? 16 : 0;
		for (uint32_t l = 0, n = w->lanes; l < n; l++)
			buf[l] = v[l] >> shift & 0xffff;
		return buf;
	}
	if (o->kind == SIM_O_FP)
		return broadcast(w, sim_fp16_const[o->imm], buf);
	return sim_src32(w, o, buf);
}

uint64_t sim_src_mask(struct sim_wave *w, const struct sim_opnd *o)
{
	if (o->kind == SIM_O_SGPR && o->reg != SIM_NULL) {
		uint64_t m = w->s[o->reg], d = w->sdef[o->reg];
		if (w->lanes == 64) {
			m |= (uint64_t)w->s[o->reg + 1] << 32;
			d |= (uint64_t)w->sdef[o->reg + 1] << 32;
		}
		w->def &= d | ~w->lane_mask;
		return m & w->lane_mask;
	}
	return (w->lanes == 64 ? sim_scalar64(w, o, false) : sim_scalar32(w, o)) & w->lane_mask;
}

/* ---- undefined bits ---- */

static uint64_t scalar_undef(const struct sim_wave *w, const struct sim_opnd *o)
{
	if (o->kind == SIM_O_SCC)
		return w->scc_def ? 0 : ~UINT64_C(0);
	if (o->kind != SIM_O_SGPR || o->reg == SIM_NULL)
		return 0;
	return ~(w->sdef[o->reg] | (o->n > 1 ? (uint64_t)w->sdef[o->reg + 1] << 32 : (uint64_t)UINT32_MAX << 32));
}

static void vgpr_undef(const struct sim_wave *w, uint32_t r, uint32_t buf[64])
{
	for (uint32_t l = 0, n = w->lanes; l < n; l++)
		buf[l] = ~sim_lane_bits(w, r, l);
}

const uint32_t *sim_undef32(const struct sim_wave *w, const struct sim_opnd *o, uint32_t buf[64])
{
	if (o->kind == SIM_O_VGPR)
		vgpr_undef(w, o->reg, buf);
	else
		broadcast(w, (uint32_t)scalar_undef(w, o), buf);
	return buf;
}

const uint32_t *sim_undef16(const struct sim_wave *w, const struct sim_opnd *o, uint32_t buf[64])
{
	sim_undef32(w, o, buf);
	for (uint32_t l = 0, n = w->lanes; o->half && l < n; l++)
		buf[l] = buf[l] >> (o->half == SIM_HI16 ? 16 : 0) & 0xffff;
	return buf;
}

const uint64_t *sim_undef64(const struct sim_wave *w, const struct sim_opnd *o, uint64_t buf[64])
{
	bool any = w->any == o->reg + 2;
	for (uint32_t l = 0, n = w->lanes; l < n; l++)
		buf[l] = o->kind == SIM_O_VGPR
				 ? ~(sim_lane_bits(w, o->reg, l) | (any ? 0 : (uint64_t)sim_lane_bits(w, o->reg + 1u, l) << 32))
				 : scalar_undef(w, o);
	return buf;
}

void sim_set_lane_bits(struct sim_wave *w, uint32_t r, uint32_t l, uint32_t bits)
{
	uint64_t lane = UINT64_C(1) << l;
	if (bits == ~0u) {
		w->vdef[r] |= lane;
		return;
	}
	w->vdef[r] &= ~lane;
	w->vbits[((size_t)r << w->lane_shift) + l] = bits;
	w->partial |= bits != 0;
}

/* Lanes of r that vdef lacks now. */
static void set_undef(struct sim_wave *w, uint32_t r, uint64_t lanes, const uint32_t *undef)
{
	if (!undef && !w->partial)
		return;
	for (uint64_t m = lanes; m; m &= m - 1) {
		uint32_t l = (uint32_t)__builtin_ctzll(m);
		sim_set_lane_bits(w, r, l, undef ? ~undef[l] : 0);
	}
}

/* ---- results ---- */

static void write_vgpr(struct sim_wave *w, uint32_t r, const uint32_t *val, const uint32_t *undef)
{
	uint32_t *d = sim_vgpr(w, r);
	if (w->exec == w->lane_mask) {
		memmove(d, val, w->lanes * sizeof *d);
		w->vdef[r] = w->def;
	} else {
		const uint32_t *m = sim_execv(w);
		for (uint32_t l = 0, n = w->lanes; l < n; l++)
			d[l] = (val[l] & m[l]) | (d[l] & ~m[l]);
		w->vdef[r] = (w->vdef[r] & ~w->exec) | (w->def & w->exec);
	}
	if (w->exec & ~w->def)
		set_undef(w, r, w->exec & ~w->def, undef);
}

void sim_dst32(struct sim_wave *w, const struct sim_opnd *o, const uint32_t *val)
{
	if (o->kind != SIM_O_VGPR)
		sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "`%s' is no vector destination", o->text ? o->text : "?");
	write_vgpr(w, o->reg, val, w->undef[0]);
}

void sim_dst64(struct sim_wave *w, const struct sim_opnd *o, const uint64_t *val)
{
	uint32_t half[64];
	for (int h = 0; h < 2; h++) {
		for (uint32_t l = 0, n = w->lanes; l < n; l++)
			half[l] = (uint32_t)(val[l] >> (32 * h));
		write_vgpr(w, o->reg + (uint32_t)h, half, w->undef[h]);
	}
}

void sim_dst16(struct sim_wave *w, const struct sim_opnd *o, bool hi, const uint32_t *val)
{
	uint32_t *d = sim_vgpr(w, o->reg), field;
	if (o->half)
		hi = o->half == SIM_HI16;
	const uint32_t *m = sim_execv(w), shift = hi ? 16 : 0;
	field = 0xffffu << shift;
	for (uint32_t l = 0, n = w->lanes; l < n; l++)
		d[l] = (val[l] << shift & field & m[l]) | (d[l] & ~(field & m[l]));
	for (uint64_t bad = w->exec & ~(w->def & w->vdef[o->reg]); bad; bad &= bad - 1) {
		uint32_t l = (uint32_t)__builtin_ctzll(bad);
		uint32_t undef = w->def >> l & 1 ? 0 : w->undef[0] ? w->undef[0][l] << shift : ~0u;
		sim_set_lane_bits(w, o->reg, l, (sim_lane_bits(w, o->reg, l) & ~field) | (~undef & field));
	}
}

void sim_move_lanes(struct sim_wave *w, const struct sim_opnd *dst, const struct sim_opnd *src, const int8_t from[64])
{
	uint32_t buf[64], out[64], und[64];
	uint64_t all = w->def, def = 0;
	w->def = ~UINT64_C(0);
	const uint32_t *v = sim_src32(w, src, buf);
	for (uint32_t l = 0, n = w->lanes; l < n; l++) {
		out[l] = from[l] < 0 ? 0 : v[from[l]];
		def |= (from[l] < 0 ? 1 : w->def >> from[l] & 1) << l;
	}
	w->def = all & def;
	if (w->exec & all & ~def) {
		const uint32_t *u = sim_undef32(w, src, buf);
		for (uint32_t l = 0, n = w->lanes; l < n; l++)
			und[l] = !(all >> l & 1) ? ~0u : from[l] < 0 ? 0 : u[from[l]];
		w->undef[0] = und;
	}
	sim_dst32(w, dst, out);
	w->undef[0] = NULL;
}

static void write_sgpr(struct sim_wave *w, uint32_t r, uint32_t val, uint32_t def)
{
	if (r == SIM_NULL)
		return;
	if (r >= SIM_EXEC) {
		if (r == SIM_EXEC + 1 && w->lanes == 32)
			return; /* no lanes there */
		if (def != ~0u && !w->core->s->opt.no_uninit)
			sim_fault(w, SIM_FAULT_UNINIT, -1, 0, "exec is given a value that was never written");
		def = ~0u;
	}
	w->s[r] = val;
	w->sdef[r] = def;
}

void sim_dst_mask(struct sim_wave *w, const struct sim_opnd *o, uint64_t mask)
{
	uint64_t def = w->def | ~w->exec;
	if (o->kind != SIM_O_SGPR)
		sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "`%s' is no lane mask", o->text ? o->text : "?");
	if (o->reg == SIM_NULL)
		return;
	write_sgpr(w, o->reg, (uint32_t)mask, (uint32_t)def);
	if (w->lanes == 64)
		write_sgpr(w, o->reg + 1u, (uint32_t)(mask >> 32), (uint32_t)(def >> 32));
}

void sim_sdst_bits(struct sim_wave *w, const struct sim_opnd *o, uint32_t val, uint32_t def)
{
	if (o->kind != SIM_O_SGPR)
		sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "`%s' is no scalar destination", o->text ? o->text : "?");
	write_sgpr(w, o->reg, val, def);
}

void sim_sdst32(struct sim_wave *w, const struct sim_opnd *o, uint32_t val, bool defined)
{
	sim_sdst_bits(w, o, val, defined ? ~0u : 0);
}

void sim_sdst64(struct sim_wave *w, const struct sim_opnd *o, uint64_t val, bool defined)
{
	if (o->kind != SIM_O_SGPR || (o->n < 2 && o->reg != SIM_NULL))
		sim_fault(w, SIM_FAULT_OPERAND, -1, 0, "`%s' is no 64-bit scalar destination", o->text ? o->text : "?");
	if (o->reg == SIM_NULL)
		return;
	write_sgpr(w, o->reg, (uint32_t)val, defined ? ~0u : 0);
	write_sgpr(w, o->reg + 1u, (uint32_t)(val >> 32), defined ? ~0u : 0);
}

void sim_set_exec(struct sim_wave *w, uint64_t exec)
{
	w->exec = exec & w->lane_mask;
}
