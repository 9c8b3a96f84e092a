/* Hazard windows: places where the hardware does not interlock and the program must keep its distance.
 *
 * FP atomic -> s_denorm_mode   gfx10: 3 wait states, or a VALU instruction or any s_waitcnt between
 * v_cmpx -> v_permlane*        gfx10.1, gfx11: a VALU instruction other than v_nop between
 * TRANS result -> VALU         gfx11: more than 5 VALU or more than 1 TRANS between, or va_vdst(0), or a memory instruction
 * WMMA D -> WMMA A, B          gfx11: a VALU instruction between
 * v_mad_[iu]64 dst == source   gfx11.0: never (forwarding bug)
 *
 * Source: LLVM's hazard recognizer for these chips; wave64-only hazards are checked for wave64 alone. */
#include "sim/sim_core.h"

enum { FP_ATOMIC_WINDOW = 3, TRANS_MAX_VALU = 5, TRANS_MAX_TRANS = 1, EXPIRED = 255 };

enum hazard_name { H_NONE, H_DENORM_MODE, H_S_NOP, H_V_NOP, H_CMPX, H_PERMLANE, H_WMMA, H_MAD64, H_CACHE };

uint8_t sim_hazard_name(const char *name)
{
	static const struct {
		const char *prefix;
		uint8_t kind;
	} names[] = {
		{"s_denorm_mode", H_DENORM_MODE}, {"s_nop", H_S_NOP},	 {"v_nop", H_V_NOP},	     {"v_cmpx_", H_CMPX},
		{"v_permlane", H_PERMLANE},	  {"v_wmma_", H_WMMA}, {"v_mad_u64_u32", H_MAD64}, {"v_mad_i64_i32", H_MAD64},
		{"buffer_gl", H_CACHE},
	};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (!strncmp(name, names[k].prefix, strlen(names[k].prefix)))
			return names[k].kind;
	return H_NONE;
}

bool sim_is_mad64(const struct sim_inst *i)
{
	return i->hazard == H_MAD64;
}

void sim_hazard_init(struct sim_wave *w)
{
	memset(&w->core->hz, 0, sizeof w->core->hz);
	w->core->hz.fp_atomic = EXPIRED;
}

static bool is_valu(const struct sim_inst *i)
{
	return i->cls == SIM_C_VALU || i->cls == SIM_C_TRANS;
}

static bool is_vmem(const struct sim_inst *i)
{
	return i->cls == SIM_C_VMEM_LOAD || i->cls == SIM_C_VMEM_STORE || i->cls == SIM_C_VMEM_ATOMIC;
}

static void settle_trans(struct sim_hazard *h)
{
	memset(h->trans_live, 0, sizeof h->trans_live);
	h->any_trans = false;
}

/* va_vdst is in the top four bits. */
void sim_hazard_depctr(struct sim_wave *w, uint32_t imm)
{
	if (imm >> 12 == 0)
		settle_trans(&w->core->hz);
	if (w->core->s->chip->bugs & SIM_CHIP_GFX101)
		sim_hazard101_depctr(w, imm);
}

static void fp_atomic(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_hazard *h = &w->core->hz;
	if (h->fp_atomic < FP_ATOMIC_WINDOW && i->hazard == H_DENORM_MODE)
		sim_fault(w, SIM_FAULT_HAZARD, -1, 0, "s_denorm_mode %u wait states after a floating-point atomic; %u are needed",
			  h->fp_atomic, FP_ATOMIC_WINDOW);
	if (is_valu(i) || i->cls == SIM_C_WAIT)
		h->fp_atomic = EXPIRED;
	else if (h->fp_atomic < FP_ATOMIC_WINDOW)
		h->fp_atomic += i->hazard == H_S_NOP ? (i->raw & 15) + 1 : 1;
	if (i->op->flags & SIM_F_ATOMIC_FP && is_vmem(i))
		h->fp_atomic = 0;
}

static void trans_read(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_hazard *h = &w->core->hz;
	for (unsigned k = 0; k < i->nreads; k++)
		for (uint32_t r = i->reads[k].first; r < (uint32_t)i->reads[k].first + i->reads[k].n && r < 256; r++)
			if (h->trans_live[r / 64] >> (r % 64) & 1 && h->valu - h->trans_at[r] <= TRANS_MAX_VALU &&
			    h->trans - h->trans_n[r] <= TRANS_MAX_TRANS)
				sim_fault(w, SIM_FAULT_HAZARD, -1, 0,
					  "v%u is read %u VALU instructions after a transcendental wrote it, without va_vdst(0)", r,
					  h->valu - h->trans_at[r]);
}

static void trans(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_hazard *h = &w->core->hz;
	if (is_vmem(i) || i->cls == SIM_C_LDS || i->hazard == H_CACHE) {
		settle_trans(h);
		return;
	}
	if (!is_valu(i))
		return;
	if (h->any_trans)
		trans_read(w, i);
	h->valu++;
	bool tr = i->cls == SIM_C_TRANS || i->op->flags & SIM_F_TRANS;
	h->trans += tr;
	for (unsigned k = 0; k < i->nwrites; k++)
		for (uint32_t r = i->writes[k].first; r < (uint32_t)i->writes[k].first + i->writes[k].n && r < 256; r++) {
			h->trans_live[r / 64] &= ~(UINT64_C(1) << (r % 64));
			if (!tr)
				continue;
			h->trans_live[r / 64] |= UINT64_C(1) << (r % 64);
			h->trans_at[r] = h->valu;
			h->trans_n[r] = h->trans;
			h->any_trans = true;
		}
}

static bool overlap(const struct sim_opnd *a, const struct sim_opnd *b)
{
	return a->kind == SIM_O_VGPR && b->kind == SIM_O_VGPR && a->reg < b->reg + b->n && b->reg < a->reg + a->n;
}

static void cmpx_permlane(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_hazard *h = &w->core->hz;
	if (h->cmpx && i->hazard == H_PERMLANE)
		sim_fault(w, SIM_FAULT_HAZARD, -1, 0, "v_permlane after v_cmpx without a VALU instruction between");
	if (i->hazard != H_V_NOP)
		h->cmpx = i->hazard == H_CMPX;
}

static void wmma(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_hazard *h = &w->core->hz;
	bool is = i->hazard == H_WMMA;
	if (is && h->wmma_d.kind == SIM_O_VGPR && (overlap(&i->ops[1], &h->wmma_d) || overlap(&i->ops[2], &h->wmma_d)))
		sim_fault(w, SIM_FAULT_HAZARD, -1, 0, "WMMA reads the result of the WMMA before it as A or B");
	h->wmma_d.kind = SIM_O_NONE;
	if (is)
		h->wmma_d = i->ops[0];
}

/* A source register that was never written is one whose value does not matter. */
static void mad64(struct sim_wave *w, const struct sim_inst *i)
{
	for (unsigned k = 2; k < i->nops; k++)
		for (uint32_t r = i->ops[k].reg; r < (uint32_t)i->ops[k].reg + i->ops[k].n; r++) {
			struct sim_opnd one = {.kind = i->ops[k].kind, .reg = (uint16_t)r, .n = 1};
			if (!overlap(&i->ops[0], &one) || !(w->vdef[r] & w->exec))
				continue;
			/* The low result is written over the addend's high half: only the high result is lost. */
			if (r == i->ops[0].reg && r == i->ops[k].reg + 1u)
				for (uint64_t m = w->exec; m; m &= m - 1)
					sim_set_lane_bits(w, r, (uint32_t)__builtin_ctzll(m), 0);
			else
				sim_fault(w, SIM_FAULT_HAZARD, -1, 0, "the destination overlaps source v%u", r);
		}
}

void sim_check_hazards(struct sim_wave *w, const struct sim_inst *i)
{
	if (!w->gfx11) {
		fp_atomic(w, i);
		if (w->core->s->chip->bugs & SIM_CHIP_GFX101) {
			sim_hazard101_check(w, i);
			if (is_valu(i))
				cmpx_permlane(w, i);
		}
		return;
	}
	trans(w, i);
	if (is_valu(i)) {
		cmpx_permlane(w, i);
		if (i->hazard == H_WMMA || w->core->hz.wmma_d.kind)
			wmma(w, i);
		if (i->hazard == H_MAD64)
			mad64(w, i);
	}
}
