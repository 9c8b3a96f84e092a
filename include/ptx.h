/* libptx: PTX text in, AMDGPU code object out.
 *
 * One call compiles one PTX module for one GPU. The library keeps no global state, prints nothing and never exits; any number of
 * threads may compile at the same time, each with a context of its own. A context holds what is worth keeping between compilations
 * (memory) and must be used by one thread at a time.
 *
 * The code object is what ROCm loads (hipModuleLoadData, HSA): ELF64 amdgpu-hsa, code object version 5; a kernel's explicit
 * arguments have the offsets of its PTX parameters. The compiler accepts PTX ISA 1.0 to 9.0 (NVIDIA, PTX ISA manual). */
#ifndef PTX_H
#define PTX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PTX_API __attribute__((visibility("default")))
#else
#define PTX_API
#endif

#define PTX_VERSION_MAJOR 0
#define PTX_VERSION_MINOR 1

enum ptx_status {
	PTX_OK = 0,
	PTX_ERROR_INPUT,    /* the module has errors or uses what is not supported: see the diagnostics */
	PTX_ERROR_OPTION,   /* unknown gpu, arch or pass name: see the diagnostics */
	PTX_ERROR_INTERNAL, /* a fault of the compiler, or out of memory; the one diagnostic says where */
};

enum ptx_severity { PTX_SEVERITY_INFO, PTX_SEVERITY_WARNING, PTX_SEVERITY_ERROR, PTX_SEVERITY_FATAL };

struct ptx_diagnostic {
	enum ptx_severity severity;
	uint32_t line;    /* of the PTX text, from 1; 0: the whole module */
	const char *text; /* one line, without position or severity */
};

/* What a kernel takes of the machine. */
struct ptx_kernel {
	const char *name;
	uint32_t vgprs, sgprs;               /* registers, granules not counted */
	uint32_t vgpr_spills, sgpr_spills;   /* registers kept in memory / in lanes of VGPRs */
	uint32_t lds_bytes;                  /* static shared memory */
	uint32_t scratch_bytes;              /* local memory and spills, a lane */
	uint32_t code_bytes;
	uint32_t occupancy;                  /* waves a SIMD can hold at once */
	uint32_t param_bytes;                /* explicit arguments */
	int dynamic_in_memory;               /* dynamic shared memory is not to be added to the LDS of a launch: lds_bytes is all of it */
};

/* Called with the text of a dump: `pass` as in ptx_pass_name, `function` NULL for dumps of the whole module. */
typedef void (*ptx_dump_fn)(void *ctx, const char *pass, const char *function, const char *text);

/* Zero-initialise, then set what differs from the default. */
struct ptx_options {
	const char *gpu;        /* "gfx1100" (default), "gfx1030", ...: ptx_gpu_name lists them */
	const char *arch;       /* "sm_90": a module that ptxas would not compile for it is refused; NULL: any */
	int opt_level;          /* PTX_OPT_DEFAULT, or PTX_O0 to PTX_O3 */
	int assembly;           /* also give the assembly text */
	uint32_t dynamic_shared; /* the most dynamic shared memory that a launch will ask for, in bytes: what does not fit the 64 KiB of
	                            LDS beside the static goes to global memory. 0: launches ask for no more than fits */
	int ftz;                /* .ftz of mul and fma next to the least normal number: PTX_FTZ_DEFAULT, ... */
	int exact_atomic_nan;   /* f32 additions by atom and red leave NVIDIA's NaN bits in memory always, by loops of compare-and-swap. 0: but where
	                           the memory held a NaN of other bits, or two infinities cancel */
	int check;              /* validate after every pass, replay register allocation, disassemble and compare the code */
	/* for testing */
	const char *stop_after; /* name of a pass: later ones do not run, there is no code object */
	const char *const *disabled; /* names of optional passes that do not run; NULL-terminated; NULL: none */
	const char *const *dumps;    /* names of passes after which to dump; "all"; NULL-terminated; NULL: none */
	ptx_dump_fn dump;
	void *dump_ctx;
	uint32_t max_vgprs;     /* 0: by the target */
	uint32_t max_lds;       /* shared memory beyond this goes to global memory; less than 256 counts as 256; 0: by the target */
	uint32_t max_scratch;   /* local memory beyond this goes to global memory; less than 256 counts as 256; 0: by the target */
	uint32_t seed;          /* permutes register choices; 0: none */
	int force_waits;        /* wait for everything before every instruction */
};
/* By default a product or fused operation is tested where it is not known that the chip flushes what NVIDIA's do. Exact: wherever it could matter,
 * so that nothing depends on the chip. Hardware: nowhere. */
enum { PTX_FTZ_DEFAULT, PTX_FTZ_EXACT, PTX_FTZ_HARDWARE };
/* O0: only the passes that are needed; the others: all of them. */
enum { PTX_OPT_DEFAULT, PTX_O0, PTX_O1, PTX_O2, PTX_O3 };

struct ptx_output {
	const void *object;     /* the code object; NULL where there is none */
	size_t object_size;
	const char *assembly;   /* NULL unless asked for */
	uint32_t ndiagnostics, nkernels;
	const struct ptx_diagnostic *diagnostics; /* in the order of their discovery */
	const struct ptx_kernel *kernels;
	uint32_t nlines;        /* of the PTX text */
};

struct ptx_context;

/* NULL: out of memory. */
PTX_API struct ptx_context *ptx_context_new(void);
PTX_API void ptx_context_free(struct ptx_context *ctx);

/* Compiles text (size bytes, no terminator needed, any bytes are accepted). *out is set whatever the status, belongs to the context
 * and is valid until its next ptx_compile, ptx_check or ptx_context_free. */
PTX_API enum ptx_status ptx_compile(struct ptx_context *ctx, const struct ptx_options *opt, const char *text, size_t size,
                                    const struct ptx_output **out);

/* Only parses and checks: diagnostics, no object. */
PTX_API enum ptx_status ptx_check(struct ptx_context *ctx, const struct ptx_options *opt, const char *text, size_t size,
                                  const struct ptx_output **out);

/* GPUs by index, NULL past the last; passes likewise, in the order in which they run. */
PTX_API const char *ptx_gpu_name(unsigned index);
PTX_API const char *ptx_pass_name(unsigned index);
PTX_API const char *ptx_version(void);

#ifdef __cplusplus
}
#endif
#endif
