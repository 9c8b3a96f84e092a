/* The simulator: executes real AMDGPU machine code (gfx10.3, gfx11) of any code object v5, ours or clang's, and
 * stops at the first thing that hardware would leave undefined. README.md says what is checked and how cycles are
 * counted.
 *
 * One struct sim is one device: its memory, its loaded modules. Not thread safe; several may live side by side. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim;
struct sim_module;
struct sim_kernel;

enum sim_fault_kind {
	SIM_FAULT_NONE,
	SIM_FAULT_DECODE,   /* bytes that are no instruction, or one that the simulator does not know (named) */
	SIM_FAULT_PC,       /* execution left the code */
	SIM_FAULT_MEMORY,   /* outside every allocation, or a write to constant memory or code */
	SIM_FAULT_ALIGN,
	SIM_FAULT_LDS,      /* outside the workgroup's LDS */
	SIM_FAULT_WAIT,     /* a register touched while a load into it is outstanding */
	SIM_FAULT_HAZARD,   /* a hazard window of this chip */
	SIM_FAULT_UNINIT,   /* a never-written value reached an address, a store, a branch or exec */
	SIM_FAULT_BARRIER,  /* every live wave of the workgroup waits and none can go on */
	SIM_FAULT_RUNAWAY,  /* the instruction budget ran out */
	SIM_FAULT_TRAP,     /* s_trap */
	SIM_FAULT_REGISTER, /* a register outside of what the kernel allocated */
	SIM_FAULT_OPERAND,  /* an operand combination that the hardware does not define */
	SIM_FAULT_RACE,     /* on request: memory that another wave wrote may not be visible yet */
	SIM_FAULT_LAUNCH,   /* the launch itself is impossible (too much LDS, no such kernel, block too large) */
	SIM_FAULT_KINDS
};

struct sim_fault {
	enum sim_fault_kind kind;
	const char *kernel;
	uint64_t pc;     /* byte offset from the kernel's first instruction */
	char inst[192];  /* disassembly */
	uint32_t group[3];
	uint32_t wave;
	int lane;        /* -1: the whole wave */
	uint64_t addr;   /* where the kind has one */
	char text[1024]; /* the whole report, one line */
};

enum sim_class {
	SIM_C_SALU, SIM_C_VALU, SIM_C_TRANS, SIM_C_SMEM, SIM_C_VMEM_LOAD, SIM_C_VMEM_STORE, SIM_C_VMEM_ATOMIC,
	SIM_C_LDS, SIM_C_BRANCH, SIM_C_WAIT, SIM_C_BARRIER, SIM_C_OTHER, SIM_CLASSES
};

struct sim_stats {
	uint64_t insts[SIM_CLASSES]; /* wave instructions */
	uint64_t lane_insts;         /* active lanes, summed over vector instructions */
	uint64_t global_segments64, global_segments128; /* distinct segments touched, summed over wave accesses */
	uint64_t global_accesses, scratch_accesses;     /* wave instructions that reached that memory */
	uint64_t lds_accesses, lds_conflicts;           /* conflicts: extra passes over the 32 banks */
	uint64_t waves, groups;
	uint32_t vgprs, sgprs, lds_bytes, scratch_bytes; /* of the kernel, allocated */
	uint32_t occupancy;                              /* waves a SIMD can hold */
	uint64_t cycles;                                 /* see README.md */
	uint64_t wave_cycles;                            /* sum over waves of each wave's own time */
};

/* Which results of a product or fused multiply-add are flushed: those that are below the least normal number when rounded as if exponents had no end
 * (the hardware, as far as known: sim_tiny.c); subnormals after rounding onto their bits; those whose exact value is below. */
enum sim_tiny { SIM_TINY_UNBOUNDED, SIM_TINY_GRID, SIM_TINY_BEFORE };
bool sim_tiny_named(const char *name, enum sim_tiny *how); /* unbounded, grid, before */

struct sim_options {
	uint64_t seed;       /* order of the waves of a workgroup */
	uint64_t max_insts;  /* wave instructions a launch may execute; 0: 1 billion */
	bool no_uninit;      /* do not report never-written values */
	bool padding;        /* a store to global memory may have undefined bits beside defined ones (padding of structs): sim_undefined */
	bool no_hazards;
	bool races;          /* check the visibility of global memory between waves: sim_race.c */
	bool caches;         /* global memory as weak as the hardware allows, waves finely interleaved: sim_cache.c */
	bool strict_align;   /* a store must be aligned to its size, as PTX demands, a load to dwords: it may be merged of several */
	uint64_t approx_seed; /* not 0: v_rcp, v_rsq, v_sqrt, v_exp, v_log, v_sin, v_cos err as far as the manuals allow: sim_approx.c */
	enum sim_tiny tiny;  /* for code that must not depend on it */
	bool profile;        /* count each instruction: sim_profile */
	void (*trace)(void *ctx, const char *line); /* each instruction as it issues; NULL: none */
	void *trace_ctx;
};

struct sim_launch {
	const struct sim_kernel *kernel;
	uint32_t grid[3], block[3]; /* grid in workgroups; zero counts as one */
	uint32_t dynamic_lds;
	const void *args;           /* the explicit part of the kernel arguments */
	size_t args_size;
};

enum sim_mem_flags { SIM_MEM_READ = 1, SIM_MEM_WRITE = 2, SIM_MEM_CODE = 4 };

/* NULL and *err (static or owned by nothing) where the gpu is unknown. */
struct sim *sim_new(const char *gpu, const struct sim_options *opt, const char **err);
void sim_free(struct sim *s);
struct sim_options *sim_opts(struct sim *s);

/* Loads an ELF code object; NULL and a message in err where it cannot be used. */
struct sim_module *sim_load(struct sim *s, const void *elf, size_t size, char *err, size_t err_size);
/* The gpu that a code object was made for ("gfx1100"), NULL where it is no AMDGPU code object. */
const char *sim_elf_gpu(const void *elf, size_t size);
uint32_t sim_kernel_count(const struct sim_module *m);
const struct sim_kernel *sim_kernel_at(const struct sim_module *m, uint32_t n);
const struct sim_kernel *sim_kernel_find(const struct sim_module *m, const char *name);
const char *sim_kernel_name(const struct sim_kernel *k);
/* Explicit arguments of a kernel: count, and offset and size of each. */
uint32_t sim_kernel_nargs(const struct sim_kernel *k);
void sim_kernel_arg(const struct sim_kernel *k, uint32_t n, uint32_t *offset, uint32_t *size);
uint64_t sim_symbol(const struct sim_module *m, const char *name, uint64_t *size); /* device address; 0: none */

/* Device memory: zeroed, a guard gap on both sides. */
uint64_t sim_alloc(struct sim *s, uint64_t size, unsigned flags);
bool sim_dealloc(struct sim *s, uint64_t addr);
bool sim_write(struct sim *s, uint64_t addr, const void *p, uint64_t n);
bool sim_read(struct sim *s, uint64_t addr, void *p, uint64_t n);

/* How many of these bytes have bits that were never given a value; the first, and the first instruction that stored such to the allocation. */
uint64_t sim_undefined(struct sim *s, uint64_t addr, uint64_t n, uint64_t *first, const char **by);

/* Runs to the end or to the first fault; true where it ran. Stats are filled either way. */
bool sim_run(struct sim *s, const struct sim_launch *l, struct sim_stats *stats, struct sim_fault *fault);

/* Every executed instruction of the module's code so far in order of address: offset from the kernel's first, text, how often a
 * wave executed it, cycles by which that moved the waves' clocks. */
void sim_profile(struct sim *s, const struct sim_kernel *k,
		 void (*line)(void *ctx, int64_t offset, const char *text, uint64_t count, uint64_t cycles), void *ctx);

const char *sim_fault_name(enum sim_fault_kind k);
const char *sim_class_name(enum sim_class c);

#endif
