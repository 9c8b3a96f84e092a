/* Speed and code quality over the corpus, beside NVIDIA's ptxas, clang-22 and llc-22 where they are installed. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "../tests/harness/case.h"
#include "../tests/harness/files.h"
#include "../tests/harness/files.h"

/* What one kernel did in the simulator, all its launches together. */
struct count {
	uint64_t launches, insts, lane_insts, cycles, code;
	uint32_t vgprs, sgprs, lds, scratch, occupancy;
};

enum { OURS, CLANG, SIDES };
enum { GFX1030, GFX1100, CHIPS };
extern const char *const chip_name[CHIPS];

struct kernel {
	const char *program, *name;
	struct count n[CHIPS][SIDES];
};

typedef VEC(struct kernel) kernels;

struct times {
	const char *program;
	uint64_t lines;
	double in_process[CHIPS], command[CHIPS], llc[CHIPS], clang[CHIPS], ptxas; /* ms; below 0: not measured */
};

typedef VEC(struct times) times;

/* quality.c: runs the corpus program and reads its --stats lines. */
void measure_quality(struct arena *a, const char *corpus_program, const char *objects, kernels *k);

/* speed.c */
struct rates {
	double parse_lines, compile_lines, ptxas_lines;        /* a second; below 0: not measured */
	double empty_ours, empty_ptxas;                        /* ms for a module with one empty kernel, as a command */
	uint64_t lines, bytes;
	unsigned files, compiled;
};
void measure_speed(struct arena *a, const char *corpus, const char *objects, times *t, struct rates *r);

/* operations.c: the table of single operations; one of them (by index; NULL: the names of all) as LLVM IR or as PTX on standard output. */
void write_operations(FILE *f, struct arena *a);
bool operations_text(const char *language, const char *index);

/* What same_bits.c shares with it: an operation by name (NULL: none), its texts. */
struct operation {
	const char *name, *result, *operand;
	int n;
	const char *ptx, *llvm;
	bool uniform;
};
const struct operation *operation_find(const char *name);
int operation_bits(struct arena *a, const struct operation *o, int k); /* of operand k; -1: the result */
char *operation_ptx(struct arena *a, const struct operation *o);
void operation_ll(struct arena *a, const struct operation *o, const char *llvm, bool nan); /* nan: a NaN result becomes NVIDIA's */

/* same_bits.c: bench --same-bits: its rows; --same-bits K plain|same GPU: as LLVM IR; --same-bits K GPU PLAIN SAME: runs clang's code objects beside ours. */
bool same_bits(int argc, char **argv);
/* The columns of the table, from same_bits.tsv. */
void same_bits_columns(FILE *f, const char *tsv, const char *name);

#endif
