/* The memory family: every way to reach memory, as kernels whose results NVIDIA hardware recorded. README.md explains. */
#ifndef CONFORMANCE_MEMORY_H
#define CONFORMANCE_MEMORY_H

#include "../conformance.h"

enum { MEM_BLOCK = 64, MEM_GRID = 2, MEM_THREADS = MEM_BLOCK * MEM_GRID, MEM_ROW = 32, MEM_BLOB = 256, MEM_IN = MEM_THREADS * MEM_ROW };

/* Spaces, and how they are reached. GVAR: a module's .global variable; the G_ ones: by generic address. */
enum mem_space {
	MEM_GLOBAL, MEM_GVAR, MEM_CONST, MEM_PARAM, MEM_LOCAL, MEM_SHARED, MEM_DYNAMIC,
	MEM_G_GLOBAL, MEM_G_GVAR, MEM_G_CONST, MEM_G_PARAM, MEM_G_LOCAL, MEM_G_SHARED, MEM_G_DYNAMIC, MEM_SPACES
};

struct mem_form {
	const char *text;
	const char *decls, *body; /* of the module, of the kernel; `$` stands for the kernel's number */
	bool zero;                /* the output starts as zeros, else as mem_byte() says */
	uint32_t dynamic;         /* bytes of dynamic shared memory */
	bool wide;                /* for sm_100, not recorded: compares by itself and leaves zeros */
};

struct mem_forms {
	struct arena *arena;
	VEC(struct mem_form) list;
	const char *group; /* of those being made */
};

void mem_all(struct arena *a, struct mem_forms *f);
void mem_accesses(struct mem_forms *f); /* access.c */
void mem_atomics(struct mem_forms *f);  /* atomic.c */
void mem_others(struct mem_forms *f);   /* other.c */

/* forms.c: what the kernels share. */
struct mem_code {
	struct mem_forms *f;
	struct strbuf decls, body;
	uint32_t dynamic;
	bool zero, wide;
};
extern const char *const mem_space_names[MEM_SPACES];
bool mem_is_generic(enum mem_space s);
enum mem_space mem_under(enum mem_space s); /* what a generic address points to */
const char *mem_suffix(enum mem_space s);   /* `.global`, or nothing for generic */
void mem_begin(struct mem_code *c, struct mem_forms *f);
/* Leaves in %rd4 the address of 32 bytes with known contents, 32-aligned: another thread's (`gather`) or the thread's own. `pad` bytes lie
 * before it and behind it within the variable. */
void mem_slot(struct mem_code *c, enum mem_space s, bool gather, uint32_t pad);
/* Copies the 32 bytes at %rd4 to the thread's row. */
void mem_copy_out(struct mem_code *c, enum mem_space s);
const char *mem_symbol(enum mem_space s); /* of the slot's variable; NULL: none */
void mem_end(struct mem_code *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void mem_prologue(struct strbuf *sb, bool wide);
void mem_kernel(struct strbuf *sb, const struct mem_form *f, uint32_t n);
/* The family as forms.c's relatives know it, for the recordings. */
void mem_family(struct arena *a, const struct mem_forms *f, struct conf_family *fam);
uint8_t mem_byte(uint32_t stream, uint32_t n); /* streams: 0 input, 1 output before, 2 the parameter */

#endif
