/* ptx-run: loads PTX or a code object and launches one kernel on the simulator. */
#ifndef PTX_RUN_H
#define PTX_RUN_H

#include "base/strbuf.h"
#include "sim/sim.h"

enum exit_code { RAN = 0, NO_COMPILE = 1, USAGE = 2, FAULTED = 3 };

enum arg_type { T_U8, T_S8, T_B8, T_U16, T_S16, T_B16, T_U32, T_S32, T_B32, T_U64, T_S64, T_B64, T_F16, T_BF16, T_F32, T_F64,
		T_BYTES, T_TYPES };

struct run_arg {
	enum arg_type type;
	bool buffer;
	uint64_t count;       /* elements of a buffer, or bytes of an aggregate */
	uint8_t scalar[8];
	const char *in, *out; /* files; out "-": print */
	uint64_t addr;        /* of the buffer on the device */
	const char *spec;
};

struct run_global {
	const char *name, *in, *out;
};

struct run {
	struct arena arena;
	const char *gpu, *entry, *module;
	uint32_t grid[3], block[3], shared;
	VEC(struct run_arg) args;
	VEC(struct run_global) globals;
	bool stats, json, trace, profile, gpu_given;
	struct sim_options opt;
};

/* run.c: the whole command; its exit status. */
int ptx_run(int argc, char **argv);

/* args.c: false after a message on stderr. */
bool run_parse_arg(struct run *r, const char *spec, struct run_arg *a);
bool run_parse_global(struct run *r, const char *spec, struct run_global *g);
uint32_t run_type_size(enum arg_type t);
void run_print_elements(enum arg_type t, const uint8_t *p, uint64_t count);

/* files.c: the first `most` bytes of a file, with a zero behind them; NULL after a message on stderr. "-": standard input. */
uint8_t *run_read_file(struct run *r, const char *path, size_t most, size_t *size);
bool run_write_file(const char *path, const void *p, size_t n);

/* compile.c: PTX text to a code object for r->gpu; NULL after ptxas-style messages on stderr. */
uint8_t *run_compile(struct run *r, const char *text, size_t n, size_t *size);

void run_print_stats(const struct run *r, const char *kernel, const struct sim_stats *st);

#endif
