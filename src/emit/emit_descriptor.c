/* The kernel descriptor, 64 bytes. Source: LLVM, User Guide for AMDGPU Backend, "Kernel Descriptor".
 * Modes: DX10_CLAMP on (clamp gives 0 for NaN, as PTX .sat), IEEE_MODE off (min and max give the operand that is a number, whatever
 * kind of NaN the other is; output modifiers work), WGP mode, memory ordered, forward progress. */
#include "emit/emit_internal.h"

static void put32(uint8_t *p, uint32_t v)
{
	for (int k = 0; k < 4; k++)
		p[k] = (uint8_t)(v >> 8 * k);
}

static uint32_t rsrc1(const struct amd_func *f, uint32_t vgprs)
{
	uint32_t granules = (vgprs ? vgprs : 1) + 7; /* units of 8 on wave32, of 4 on wave64 */
	granules = f->target->wave_size == 32 ? granules / 8 : (granules - 4) / 4;
	return (granules - 1) | (uint32_t)f->abi.float_mode << 12 | 1u << 21 /* DX10_CLAMP */ | 1u << 29 /* WGP_MODE */ |
	       1u << 30 /* MEM_ORDERED */ | 1u << 31 /* FWD_PROGRESS */;
}

static uint32_t rsrc2(const struct amd_func *f)
{
	const struct amd_abi *a = &f->abi;
	uint32_t ids = a->workitem_id[2] ? 2 : a->workitem_id[1] ? 1 : 0;
	return (uint32_t)a->scratch | (uint32_t)a->user_sgprs << 1 | (uint32_t)a->workgroup_id[0] << 7 | (uint32_t)a->workgroup_id[1] << 8 |
	       (uint32_t)a->workgroup_id[2] << 9 | ids << 11;
}

/* gfx11: cache lines of 128 bytes that are fetched ahead at the start. */
static uint32_t rsrc3(const struct amd_func *f)
{
	uint32_t lines = (f->stats.code_bytes + 127) / 128;
	return f->target->gen >= 11 ? (lines > 63 ? 63 : lines) << 4 : 0;
}

bool emit_has_flat_scratch_init(const struct amd_func *f)
{
	return f->abi.scratch && f->target->gen < 11;
}

void emit_descriptor(const struct amd_func *f, const struct emit_resources *r, uint8_t kd[64])
{
	const struct amd_abi *a = &f->abi;
	uint32_t flat_init = emit_has_flat_scratch_init(f);
	uint32_t properties = (uint32_t)a->dispatch_ptr << 1 | (uint32_t)a->kernarg_ptr << 3 |
	                      (uint32_t)a->dispatch_id << 4 | flat_init << 5 |
	                      (uint32_t)(f->target->wave_size == 32) << 10 | (uint32_t)a->dynamic_stack << 11;
	memset(kd, 0, 64);
	put32(kd, a->lds_bytes);
	put32(kd + 4, a->scratch_bytes);
	put32(kd + 8, emit_kernarg_size(f));
	put32(kd + 44, rsrc3(f));
	put32(kd + 48, rsrc1(f, r->vgprs));
	put32(kd + 52, rsrc2(f));
	kd[56] = (uint8_t)properties;
	kd[57] = (uint8_t)(properties >> 8);
}

uint32_t emit_kernarg_size(const struct amd_func *f)
{
	uint32_t explicit = (f->abi.kernarg_bytes + 7) & ~7u;
	return f->abi.hidden_mask ? explicit + 256 : f->abi.kernarg_bytes;
}
