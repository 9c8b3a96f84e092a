#include "amd/amd.h"

/* Sources: LLVM's GCNProcessors.td and AMDGPUBaseInfo.cpp (granules, totals), BinaryFormat/ELF.h (machine numbers). tiny_f32, tiny_f16_fma: AMD's
 * emulator rocjitsu (ROCm/rocm-systems), shared/fp_mode.h "fma_f32", "round_fma_f16", and its tests of MODE (binary_f32_policy_cases, dx9_fma_cases,
 * f16_fma_omod_cases): recorded from a gfx1100; for f32 they say that RDNA1 and RDNA2 are the same, for f16 they do not name them.
 * scales_small: there, shared/division.h "div_scale", checked on a gfx1100; the manuals have 2^-103. */
#define GFX101(name, mach) {name, 10, 32, mach, 256, 1024, 8, 20, 106, 65536, 512, false, false, false, false, false, false, false, true, false}
#define GFX103(name, mach) {name, 10, 32, mach, 256, 1024, 16, 16, 106, 65536, 512, false, false, false, true, true, true, false, true, false}
#define GFX11(name, mach, vgprs, granule) {name, 11, 32, mach, 256, vgprs, granule, 16, 106, 65536, 512, true, true, true, true, true, true, true, true, true}

static const struct amd_target targets[] = {
	GFX101("gfx1010", 0x33),
	GFX103("gfx1030", 0x36),
	GFX103("gfx1031", 0x37),
	GFX103("gfx1032", 0x38),
	GFX103("gfx1033", 0x39),
	GFX103("gfx1034", 0x3e),
	GFX103("gfx1035", 0x3d),
	GFX103("gfx1036", 0x45),
	GFX11("gfx1100", 0x41, 1536, 24),
	GFX11("gfx1101", 0x46, 1536, 24),
	GFX11("gfx1102", 0x47, 1024, 16),
	GFX11("gfx1103", 0x44, 1024, 16),
};

const struct amd_target *amd_target_find(const char *name)
{
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (!strcmp(targets[i].name, name))
			return &targets[i];
	return NULL;
}

uint32_t amd_max_scratch(const struct amd_target *t)
{
	return (t->gen >= 11 ? 256u * 32767 : 1024u * 8191) / t->wave_size & ~3u;
}

static uint32_t div_up(uint32_t a, uint32_t b)
{
	return (a + b - 1) / b;
}

/* A workgroup runs on a WGP: 4 SIMDs, 128 KiB of LDS. */
enum { SIMDS = 4, WGP_LDS = 128 * 1024 };

static uint32_t workgroup_waves(const struct amd_func *f)
{
	uint32_t lanes = f->abi.max_flat_workgroup_size ? f->abi.max_flat_workgroup_size : 1024;
	return div_up(lanes, f->target->wave_size);
}

uint32_t amd_occupancy(const struct amd_func *f, uint32_t vgprs)
{
	const struct amd_target *t = f->target;
	uint32_t granule = t->vgpr_granule;
	uint32_t alloc = div_up(vgprs ? vgprs : 1, granule) * granule;
	uint32_t waves = t->vgprs_per_simd / alloc;
	if (waves > t->max_waves_per_simd)
		waves = t->max_waves_per_simd;
	uint32_t lds = div_up(f->abi.lds_bytes, t->lds_granule) * t->lds_granule;
	if (lds) {
		uint32_t by_lds = div_up(WGP_LDS / lds * workgroup_waves(f), SIMDS);
		if (waves > by_lds)
			waves = by_lds;
	}
	return waves;
}

uint32_t amd_vgprs_at(const struct amd_func *f, uint32_t waves)
{
	const struct amd_target *t = f->target;
	uint32_t n = t->vgprs_per_simd / (waves ? waves : 1) / t->vgpr_granule * t->vgpr_granule;
	return n > t->max_vgprs ? t->max_vgprs : n;
}

uint32_t amd_vgpr_limit(const struct amd_func *f)
{
	uint32_t most = amd_vgprs_at(f, div_up(workgroup_waves(f), SIMDS));
	return f->max_vgprs && f->max_vgprs < most ? f->max_vgprs : most;
}
