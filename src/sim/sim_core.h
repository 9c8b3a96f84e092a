/* The simulator's own structures, behind what instruction semantics need (sim_internal.h). */
#ifndef SIM_CORE_H
#define SIM_CORE_H

#include <stdarg.h>

#include "emit/mc_disasm.h"
#include "sim/sim_internal.h"

/* ---- memory (sim_mem.c) ---- */

struct sim_region {
	uint64_t base, size;
	uint8_t *host;
	unsigned flags; /* enum sim_mem_flags */
	const char *what;
	struct arena mem; /* of sim_alloc */
	struct sim_shadow *shadow; /* sim_race.c: one a dword */
	uint8_t *def; /* the defined bits of each byte; NULL: all */
	const char *undef_by; /* the first instruction that stored others */
};

struct sim_shadow {
	uint32_t who;  /* bits 0-26: wave, counted from 1 in the launch; 27: by an atomic; 28-31: which bytes */
	uint32_t time; /* of the device's stores */
};

enum { SIM_CACHE_LINES = 256 };

struct sim_cache {
	struct sim_line {
		uint64_t line;
		uint32_t t0, t1, gen0, gen1; /* when L0 (GL1) read it; valid where the generation is current */
	} lines[SIM_CACHE_LINES];
	uint32_t gen0, gen1;
};

/* The flat apertures, as the kernel driver sets them up: high halves of shared and private addresses. */
enum { SIM_SHARED_HI = 0x10000, SIM_PRIVATE_HI = 0x20000 };

struct sim_region *sim_region_add(struct sim *s, uint64_t base, uint64_t size, uint8_t *host, unsigned flags,
				  const char *what);
struct sim_region *sim_region_find(struct sim *s, uint64_t addr);
void sim_region_del(struct sim *s, uint64_t base);

/* ---- code ---- */

/* One executable segment; insts[n] is the instruction at base + 4n, decoded when first reached. */
struct sim_code {
	uint64_t base, size;
	const uint8_t *bytes;
	struct sim_inst **insts; /* one array a wave size: [0] wave32, [1] wave64 at insts + slots */
	uint32_t slots;
	struct sim_module *module;
};

enum sim_arg_kind {
	SIM_ARG_EXPLICIT, SIM_ARG_NONE, SIM_ARG_BLOCK_COUNT, SIM_ARG_GROUP_SIZE, SIM_ARG_REMAINDER, SIM_ARG_GLOBAL_OFFSET,
	SIM_ARG_GRID_DIMS, SIM_ARG_DYNAMIC_LDS, SIM_ARG_PRIVATE_BASE, SIM_ARG_SHARED_BASE, SIM_ARG_QUEUE_PTR,
};

struct sim_arg {
	uint32_t offset, size;
	uint8_t kind, dim;
};

struct sim_kernel {
	const char *name;
	struct sim_module *module;
	uint64_t descriptor, entry; /* device addresses */
	uint32_t lds, scratch, kernarg_size;
	uint32_t rsrc1, rsrc2, rsrc3;
	uint16_t properties;
	VEC(struct sim_arg) args;
	uint32_t max_flat;    /* .max_flat_workgroup_size; 0: not said */
	uint32_t required[3]; /* .reqd_workgroup_size; 0: not said */
	uint32_t max_dynamic; /* .ptx_max_dynamic_shared: dynamic shared memory up to this size takes no LDS; 0: it does */
	bool dynamic_stack;
};

struct sim_symbol {
	const char *name;
	uint64_t addr, size;
};

struct sim_module {
	struct sim *s;
	uint64_t base;
	VEC(struct sim_kernel *) kernels;
	VEC(struct sim_symbol) symbols;
};

/* ---- waves and workgroups ---- */

enum { SIM_CNT_VM = 1, SIM_CNT_LGKM = 2 };
enum { SIM_PEND_MAX = 64 }; /* what the counters hold */

/* An outstanding operation of a counter, in issue order. */
struct sim_pend {
	struct sim_range r; /* n 0: no destination */
	bool smem;          /* may come back out of order */
	bool lds;           /* reaches LDS */
	uint32_t mem;       /* sim_cache.c: the access; 0: performed */
	uint32_t serial;    /* the same operation in the other counter has the same */
	uint64_t done;      /* cycle model */
};

struct sim_queue {
	struct sim_pend e[SIM_PEND_MAX];
	uint32_t head, n, nsmem;
};

/* What the hazard checks remember; see sim_hazard.c. */
struct sim_hazard {
	uint32_t fp_atomic;     /* wait states since an FP atomic on memory, saturating; 255: none */
	bool cmpx;              /* a v_cmpx with no VALU instruction after it */
	uint32_t valu, trans;   /* how many so far */
	uint32_t trans_at[256]; /* valu when a transcendental wrote this VGPR; checked where trans_live says */
	uint32_t trans_n[256];  /* trans then */
	uint64_t trans_live[4];
	bool any_trans;
	struct sim_opnd wmma_d; /* of the last VALU instruction, where that was a WMMA */
};

/* gfx10.1; see sim_hazard101.c. */
struct sim_hazard101 {
	uint64_t vmem_reads[2], smem_reads[2]; /* scalar registers that may still be read */
	bool exec_read;
	uint8_t branch[2]; /* LDS, vector memory: 1 seen, 2 and then a branch */
};

enum sim_busy { SIM_BUSY_VALU, SIM_BUSY_SALU, SIM_BUSY_VMEM, SIM_BUSY_LDS, SIM_BUSY_SMEM, SIM_BUSY_KINDS };

struct sim_core {
	struct sim *s;
	struct sim_launch_state *l;
	struct sim_code *code;       /* of pc */
	struct sim_queue vm, lgkm;
	uint32_t vs;                 /* outstanding stores */
	uint32_t lds_ops;            /* of lgkm's entries */
	bool yield;                  /* let another wave go on */
	uint64_t vs_done[SIM_PEND_MAX];
	uint32_t vs_times[SIM_PEND_MAX], vs_time; /* sim_race.c: of the outstanding stores, of the last one */
	uint32_t uid;                             /* 0: not checked */
	struct sim_cache *cache;
	struct sim_mem_queue *mem;                /* sim_cache.c; NULL: not simulated */
	uint32_t issued;                          /* its access that is being issued */
	struct sim_lds_op *lds_late;              /* and its last one to LDS */
	uint32_t vs_mem[SIM_PEND_MAX];            /* of the outstanding stores */
	uint32_t serial;
	uint32_t pending;            /* registers outstanding: sum of the two below */
	uint8_t vpend[256], spend[128];
	struct sim_hazard hz;
	struct sim_hazard101 hz101;
	uint8_t *scratch, *scratch_def; /* lanes rows of scratch_size bytes; their defined bits */
	uint32_t scratch_size;
	uint64_t scratch_base;       /* what flat_scratch and the buffer descriptor must say */
	uint64_t flat_scratch;
	uint64_t insts;
	/* cycle model (sim_cycles.c) */
	uint64_t clk;
	uint64_t vready[256], sready[128];
	uint64_t busy[SIM_BUSY_KINDS];
	struct sim_stats st;
};

struct sim_group {
	struct sim *s;
	uint32_t id[3];
	uint64_t number;
	uint8_t *lds, *lds_def; /* bytes, their defined bits */
	uint32_t lds_size;
	struct sim_wave *waves;
	uint32_t nwaves;
	uint32_t *vgprs, *vbits;
	uint8_t *scratch, *scratch_def;
	uint64_t scratch_base;
	struct sim_cache *caches;
	struct sim_mem_queue **mem_queues; /* sim_cache.c: one a wave */
	uint32_t place;                    /* and the CU */
	struct sim_group *next; /* free, or resident */
};

/* One launch. */
struct sim_launch_state {
	const struct sim_launch *l;
	const struct sim_kernel *k;
	struct arena arena;
	uint32_t grid[3], block[3];
	uint32_t lanes, nvgprs, nwaves, scratch_size, lds_size;
	uint64_t kernarg, packet, queue;
	uint64_t scratch_base; /* of the first group; each has scratch_stride bytes */
	uint64_t scratch_stride;
	uint32_t ngroups;      /* made so far */
	uint64_t insts, max_insts;
	uint64_t busy[SIM_BUSY_KINDS];
	uint64_t rng;
	struct sim_stats *st;
	struct sim *s;
	struct sim_group *spare, *running;
	/* sim_race.c */
	uint32_t *race_complete; /* by wave: its stores up to this time are visible; NULL: not checked */
	uint32_t race_start;
	bool wgp_mode;
	struct sim_caches *caches; /* sim_cache.c; NULL: not simulated */
	uint64_t cache_rng;
};

enum {
	SIM_CHIP_INIT16 = 1, /* at least 16 user and system SGPRs must be initialised (wave32) */
	SIM_CHIP_GFX101 = 2, /* the hazards of sim_hazard101.c */
};

struct sim_chip {
	const char *name;
	bool gfx11;
	uint16_t vgprs, granule; /* a SIMD lane's VGPRs, allocation granule: wave32 */
	uint16_t simds, waves; /* waves: most that a SIMD holds */
	unsigned bugs;
};

struct sim {
	struct arena arena; /* lives as long as the device */
	struct trap trap;   /* where running out of memory goes */
	struct sim_options opt;
	struct interner names;
	struct strmap ops;  /* mnemonic -> struct sim_op */
	const struct sim_chip *chip;
	const char *gpu;
	bool gfx11; /* packed workitem ids, architected flat scratch */
	struct mc_disasm *dis[2];       /* wave32, wave64 */
	VEC(struct sim_region *) regions; /* by base */
	struct sim_region *last;        /* found last */
	uint64_t next_addr;
	bool tracked;                   /* some region has def */
	uint32_t race_time;
	VEC(struct sim_code *) codes;
	struct sim_fault *fault;        /* of the running launch */
	jmp_buf fault_jmp;
};

/* ---- the parts ---- */

/* sim_decode.c: NULL and a message where there is no instruction or the simulator has no row for it. */
void sim_ops_init(struct sim *s);
const struct sim_inst *sim_decode(struct sim *s, struct sim_code *c, uint64_t addr, uint32_t lanes, const char **err);

/* sim_run.c: until every wave has ended (true), or about n instructions have been executed. */
bool sim_run_group(struct sim_launch_state *ls, struct sim_group *g, uint64_t n);

/* sim_wait.c: before the handler, and the counters. */
void sim_check_pending(struct sim_wave *w, const struct sim_inst *i);
void sim_check_hazards(struct sim_wave *w, const struct sim_inst *i);
void sim_pend_load(struct sim_wave *w, unsigned counters, bool smem, const struct sim_opnd *dst, uint32_t dwords,
		   uint64_t done);
/* dst NULL: a store. */
void sim_pend_lds(struct sim_wave *w, const struct sim_opnd *dst, uint32_t dwords, uint64_t done);
void sim_pend_store(struct sim_wave *w, uint64_t done);
void sim_wait_vm(struct sim_wave *w, uint32_t n);
void sim_wait_lgkm(struct sim_wave *w, uint32_t n);
void sim_wait_vs(struct sim_wave *w, uint32_t n);

/* sim_hazard.c */
void sim_hazard_depctr(struct sim_wave *w, uint32_t imm);
void sim_hazard101_depctr(struct sim_wave *w, uint32_t imm);
void sim_hazard101_check(struct sim_wave *w, const struct sim_inst *i);
void sim_hazard_init(struct sim_wave *w);
uint8_t sim_hazard_name(const char *name); /* sim_inst.hazard */
bool sim_is_mad64(const struct sim_inst *i); /* v_mad_u64_u32, v_mad_i64_i32 */

/* sim_cycles.c */
uint64_t sim_cycles_vmem(struct sim_wave *w, uint32_t segments, uint32_t bytes);
uint64_t sim_cycles_lds(struct sim_wave *w, uint32_t bytes, uint32_t conflicts);
uint64_t sim_cycles_smem(struct sim_wave *w, uint32_t dwords);
uint8_t sim_cycles_rate(const struct sim_op *op); /* sim_inst.rate */
void sim_cycles_issue(struct sim_wave *w, const struct sim_inst *i);
uint64_t sim_cycles_total(const struct sim_launch_state *ls, const uint64_t busy[SIM_BUSY_KINDS]);

/* sim_mem.c: the defined bits of global memory at an address that is in a region; NULL: all bits are. Tracking starts so, too. */
uint8_t *sim_global_def(struct sim *s, uint64_t addr);
void sim_global_track(struct sim_wave *w, uint64_t addr);

/* sim_mem.c: one lane's bytes, or a fault. */
uint8_t *sim_global(struct sim_wave *w, int lane, uint64_t addr, uint32_t size, bool write);
uint8_t *sim_lds(struct sim_wave *w, int lane, uint64_t addr, uint32_t size);
uint8_t *sim_scratch(struct sim_wave *w, int lane, uint64_t addr, uint32_t size);

#endif
