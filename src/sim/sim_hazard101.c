/* The hazards of gfx10.1 that later chips do not have.
 *
 * vector memory or LDS reads an SGPR -> SALU or SMEM writes it    VALU, s_waitcnt 0 or vm_vsrc(0) between
 * SMEM reads an SGPR -> VALU writes it                            SALU other than SOPP, or lgkmcnt(0) between
 * exec read by anything but VALU -> v_cmpx                        VALU that writes a scalar, or sa_sdst(0) between
 * LDS, branch, vector memory (or the other way round)             s_waitcnt_vscnt null, 0 between
 * branch by 0x3f dwords; FLAT with an offset                      never
 *
 * Source: LLVM's hazard recognizer and its feature list of gfx1010. */
#include "sim/sim_core.h"

enum { LDS, VMEM };

static bool is_vmem(const struct sim_inst *i)
{
	return i->cls == SIM_C_VMEM_LOAD || i->cls == SIM_C_VMEM_STORE || i->cls == SIM_C_VMEM_ATOMIC;
}

static bool is_valu(const struct sim_inst *i)
{
	return i->cls == SIM_C_VALU || i->cls == SIM_C_TRANS;
}

static bool touches(const struct sim_range *list, uint32_t n, const uint64_t set[2], uint32_t *which)
{
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t r = list[k].first; r < (uint32_t)list[k].first + list[k].n; r++)
			if (r >= 256 && set[(r - 256) / 64] >> (r % 64) & 1) {
				*which = r - 256;
				return true;
			}
	return false;
}

static void add(const struct sim_range *list, uint32_t n, uint64_t set[2])
{
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t r = list[k].first; r < (uint32_t)list[k].first + list[k].n; r++)
			if (r >= 256)
				set[(r - 256) / 64] |= UINT64_C(1) << (r % 64);
}

static bool writes_scalar(const struct sim_inst *i)
{
	for (uint32_t k = 0; k < i->nwrites; k++)
		if (i->writes[k].first >= 256)
			return true;
	return i->op->flags & (SIM_F_EXEC_DST | SIM_F_VCC_DST);
}

static void scalar_write(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_hazard101 *h = &w->core->hz101;
	uint32_t r = 0;
	if ((i->cls == SIM_C_SALU || i->cls == SIM_C_SMEM) && touches(i->writes, i->nwrites, h->vmem_reads, &r))
		sim_fault(w, SIM_FAULT_HAZARD, -1, 0, "scalar register %u is written while a memory instruction may still read it", r);
	if (is_valu(i) && touches(i->writes, i->nwrites, h->smem_reads, &r))
		sim_fault(w, SIM_FAULT_HAZARD, -1, 0, "a VALU instruction writes scalar register %u, which a scalar load reads", r);
	if (is_valu(i) || (i->cls == SIM_C_WAIT && !strcmp(i->op->name, "s_waitcnt") && !(i->raw & 0xffff)))
		memset(h->vmem_reads, 0, sizeof h->vmem_reads);
	if (i->cls == SIM_C_SALU || (i->cls == SIM_C_WAIT && !strcmp(i->op->name, "s_waitcnt") && !(i->raw >> 8 & 63)))
		memset(h->smem_reads, 0, sizeof h->smem_reads);
	if (is_vmem(i) || i->cls == SIM_C_LDS) {
		add(i->reads, i->nreads, h->vmem_reads);
		h->vmem_reads[SIM_EXEC / 64] |= UINT64_C(3) << (SIM_EXEC % 64);
	}
	if (i->cls == SIM_C_SMEM)
		add(i->reads, i->nreads, h->smem_reads);
}

static void exec_war(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_hazard101 *h = &w->core->hz101;
	static const uint64_t exec[2] = {0, UINT64_C(3) << (SIM_EXEC % 64)};
	uint32_t r;
	if (is_valu(i)) {
		if (h->exec_read && !strncmp(i->op->name, "v_cmpx", 6))
			sim_fault(w, SIM_FAULT_HAZARD, -1, 0, "v_cmpx writes exec while an earlier instruction may still read it");
		if (writes_scalar(i))
			h->exec_read = false;
		return;
	}
	if (is_vmem(i) || i->cls == SIM_C_LDS || touches(i->reads, i->nreads, exec, &r) ||
	    (i->cls == SIM_C_SALU && i->op->flags & SIM_F_EXEC_DST) || strstr(i->op->name, "execz") || strstr(i->op->name, "execnz"))
		h->exec_read = true;
}

static void lds_branch(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_hazard101 *h = &w->core->hz101;
	if (i->cls == SIM_C_BRANCH) {
		for (int k = 0; k < 2; k++)
			h->branch[k] = h->branch[k] ? 2 : 0;
		if (!strncmp(i->op->name, "s_c", 3) || !strcmp(i->op->name, "s_branch"))
			if ((i->raw & 0xffff) == 0x3f)
				sim_fault(w, SIM_FAULT_HAZARD, -1, 0, "a branch by 0x3f dwords");
	}
	if (i->cls == SIM_C_WAIT && !strcmp(i->op->name, "s_waitcnt_vscnt") && !(i->raw & 0xffff))
		memset(h->branch, 0, sizeof h->branch);
	if (!is_vmem(i) && i->cls != SIM_C_LDS)
		return;
	int me = is_vmem(i) ? VMEM : LDS, other = !me;
	if (h->branch[other] == 2)
		sim_fault(w, SIM_FAULT_HAZARD, -1, 0, "LDS and vector memory with only a branch between, without s_waitcnt_vscnt null, 0");
	h->branch[other] = 0;
	if (!h->branch[me])
		h->branch[me] = 1;
}

/* From s_waitcnt_depctr: vm_vsrc is bits 2-4, sa_sdst bit 0. */
void sim_hazard101_depctr(struct sim_wave *w, uint32_t imm)
{
	struct sim_hazard101 *h = &w->core->hz101;
	if (!(imm >> 2 & 7))
		memset(h->vmem_reads, 0, sizeof h->vmem_reads);
	if (!(imm & 1))
		h->exec_read = false;
}

void sim_hazard101_check(struct sim_wave *w, const struct sim_inst *i)
{
	scalar_write(w, i);
	exec_war(w, i);
	lds_branch(w, i);
	if (!strncmp(i->op->name, "flat_", 5) && i->offset)
		sim_fault(w, SIM_FAULT_HAZARD, -1, 0, "a FLAT instruction with an offset");
}
