/* Instruction forms, what they are fed with and what they must give. README.md explains the files. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum conf_kind {
#define KIND(name, reg, bits, values) CONF_##name,
#include "kinds.def"
#undef KIND
	CONF_KINDS
};

extern const struct conf_kind_info {
	const char *name, *reg;
	unsigned bits;
} conf_kinds[CONF_KINDS];

/* Up to 128 bits, low word first. */
struct conf_value {
	uint64_t lo, hi;
};

enum { CONF_OPDS = 12, CONF_BLOCK = 128, CONF_NAME = 8 };

struct conf_opd {
	char name[CONF_NAME];
	enum conf_kind kind;
	bool out;
	uint32_t offset; /* of an output, in its row */
};

struct conf_form {
	const char *text; /* `add.u32 d:u32, a:u32, 7`: the key of its recording */
	const char *body; /* PTX statements */
	const char *file;
	int line;
	struct conf_opd opd[CONF_OPDS];
	uint32_t nopd, nin, nout;
	uint32_t tuples, keep; /* how many tuples it runs on; how many outputs the recording keeps */
	uint32_t row_bytes;
	bool bounded;  /* not exact: at most the greatest of these away from the hardware, for inputs up to `domain` in size (0: all) */
	double absolute, relative, units, domain;
	bool unoptimised; /* `level 0`: recorded as ptxas -O0 compiles it */
	bool variant; /* made from the form before it, with an immediate operand */
};

/* How the kernels get their inputs: kernel.c. */
enum conf_feed { CONF_LANES, CONF_UNIFORM, CONF_EVEN, CONF_ODD, CONF_FEEDS };

struct conf_family {
	const char *name;
	VEC(struct conf_form) forms;
};

/* forms.c: DIR/NAME.forms, expanded. False, with a message in err, where the file is wrong. */
bool conf_read_family(struct arena *a, const char *dir, const char *name, struct conf_family *f, char err[256]);
/* The names of the families in a directory, sorted; -1 where it cannot be read. */
int conf_family_names(struct arena *a, const char *dir, const char ***names);

/* values.c: operand values. `stream` is the operand's place among the inputs, CONF_ONLY for the only one. */
enum { CONF_ONLY = 6, CONF_STREAMS };
struct conf_value conf_input(enum conf_kind k, uint32_t stream, uint32_t tuple);
uint32_t conf_kind_bytes(enum conf_kind k);
/* An edge value of the kind as a PTX literal; NULL where the kind has no immediates. */
const char *conf_literal(struct arena *a, enum conf_kind k, uint32_t which);
/* The values of one input on all tuples, as the kernels load them. */
uint8_t *conf_column(struct arena *a, const struct conf_form *f, uint32_t input, enum conf_feed feed);
uint32_t conf_stride(enum conf_kind k, enum conf_feed feed);
uint64_t conf_kind_hash(enum conf_kind k);
/* A tuple with the n-th edge value in a form's first input; n < CONF_EDGES. */
enum { CONF_EDGES = 64 };
uint32_t conf_edge(const struct conf_form *f, uint32_t n);
/* The stream of the n-th input of a form. */
uint32_t conf_stream(const struct conf_form *f, uint32_t input);
const struct conf_opd *conf_in(const struct conf_form *f, uint32_t n);

/* kernel.c: the PTX of a form as kernel number n (`f7`); the text before the first kernel. */
extern const char conf_feed_letter[CONF_FEEDS];
void conf_prologue(struct strbuf *sb, const char *version, const char *target);
void conf_kernel(struct strbuf *sb, const struct conf_form *f, uint32_t n, enum conf_feed feed);

/* table.c, table_read.c: what ptxas said and the hardware gave. */
struct conf_record {
	const char *text;
	const char *target; /* the least of sm_90, sm_100a ... that ptxas takes it for; "-": none */
	bool recorded;
	uint32_t tuples, keep, row_bytes; /* of the recording; row_bytes for writing */
	uint64_t hash;
	const uint8_t *rows; /* of the kept tuples, row_bytes each */
};

struct conf_table {
	VEC(struct conf_record) records;
	uint32_t *index; /* hash table over the text */
	uint32_t mask;
};

uint64_t conf_hash(const void *p, size_t n);
/* Which tuple the n-th kept row is of. */
uint32_t conf_kept(const struct conf_form *f, uint32_t n);
const struct conf_record *conf_find(const struct conf_table *t, const char *text);
void conf_table_index(struct arena *a, struct conf_table *t);
/* False where the file is none, or its inputs are others than values.c makes. */
bool conf_table_read(struct arena *a, const char *path, const struct conf_family *f, struct conf_table *t, char err[256]);
bool conf_table_write(struct arena *a, const char *path, const struct conf_family *f, const struct conf_table *t);

#endif
