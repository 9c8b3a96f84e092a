/* A .case file: the inputs, launches and outputs of one program of the corpus. README.md defines the format. */
#ifndef HARNESS_CASE_H
#define HARNESS_CASE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/vec.h"

enum elem { E_U8, E_S8, E_U16, E_S16, E_U32, E_S32, E_U64, E_S64, E_F16, E_F32, E_F64, E_TYPES };

extern const struct elem_info {
	const char *name;
	uint8_t size;
	bool is_float, is_signed;
} elem_info[E_TYPES];

/* How an output may differ: |got - want| <= abs + rel |want|, for all but `outliers` elements. All zero: same bits. */
struct bound {
	double abs, rel;
	uint64_t outliers;
};

struct buffer {
	const char *name;
	enum elem type;
	uint64_t count;
	const char *gen; /* NULL for a global that keeps its initialiser */
	bool is_global;  /* a module-scope variable */
	bool is_output;
	struct bound bound;       /* for code made from the same PTX */
	struct bound clang_bound; /* for clang's AMDGPU code, whose mathematical functions are others */
	const char *why;
	int line;

	uint8_t *data; /* initial contents, then what the last run left there */
	uint64_t addr; /* device address, a back end's business */
};

struct arg {
	int buffer; /* index, or -1 */
	uint64_t offset;
	uint32_t size, align;
	const uint8_t *bytes; /* where it is no buffer */
};

struct launch {
	const char *entry;
	uint32_t grid[3], block[3], shared;
	VEC(struct arg) args;
	int line;
};

struct test_case {
	struct arena *arena;
	const char *file, *program;
	VEC(const char *) not; /* dialects that the program has no code in */
	VEC(struct buffer) buffers;
	VEC(struct launch) launches;
};

/* NULL, and a message in err, where the file cannot be read. */
struct test_case *case_read(struct arena *a, const char *path, char err[256]);
/* Fills every buffer's data anew. False, with a message, where a generator is wrong. */
bool case_generate(struct test_case *c, char err[256]);
/* The arguments of a launch as one block, each at its natural alignment; buffers by their addr. */
uint8_t *case_pack_args(struct arena *a, const struct test_case *c, const struct launch *l, size_t *size);

static inline uint64_t buffer_bytes(const struct buffer *b)
{
	return b->count * elem_info[b->type].size;
}
double elem_value(enum elem t, const void *p);
void elem_print(FILE *f, enum elem t, const void *p);
uint16_t half_from_double(double v);

/* The programs under a corpus directory (DIR/NAME/NAME.case), sorted. Returns their number, -1 where DIR cannot be read. */
int corpus_programs(struct arena *a, const char *dir, const char ***names);

/* golden.c: the outputs of a case as recorded on hardware. */
bool golden_write(const struct test_case *c, const char *path);
/* Compares the outputs with a recording; prints up to three differences of each to f. Returns the number of outputs
 * that are wrong, or -1, with a message in f, where the recording does not fit the case. */
int golden_compare(const struct test_case *c, const char *golden, size_t size, bool clang_bounds, FILE *f);

/* host.c: outputs recomputed on the host. `in` is the same case as generated, `out` what a run left. The number of wrong
 * outputs, or -1 where there is no check for the program. */
int host_check(const struct test_case *in, const struct test_case *out, FILE *f);

#endif
