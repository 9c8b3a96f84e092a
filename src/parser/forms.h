/* The form table as generated from forms.def: rows, their modifier slots and operand specifications. */
#ifndef PARSER_FORMS_H
#define PARSER_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One word a slot takes, with its own minimum version and target (0: the row's). */
struct form_elem {
	uint16_t word;
	uint8_t ver;
	uint8_t req; /* index of form_reqs */
};

struct form_slot {
	uint16_t elem; /* first of form_elems */
	uint8_t nelems;
	uint8_t field; /* enum ptx_mod; unused for types */
	bool optional;
	bool is_type;
	bool name;     /* part of the instruction's name: stands right behind it, in the order of the row */
	uint8_t tie;   /* slots of one {.a.b} share a non-zero number: all or none */
};

enum form_opd_kind {
	FO_DST,    /* register of the type; `_` unless FO_NOSINK */
	FO_SRC,    /* register or constant of the type */
	FO_PDST,   /* predicate destination */
	FO_PSRC,   /* predicate source, maybe negated with FO_NEG */
	FO_ADDR,   /* [address] */
	FO_MOVSRC, /* mov's source: anything mov takes */
	FO_LABEL,
	FO_CALLEE, /* function or register */
	FO_LIST,   /* (a, b, ...) */
	FO_PROTO,  /* prototype, call targets */
	FO_TARGETS, /* branch targets */
	FO_TEX,    /* [tex{, sampler}, coordinates] */
	FO_SURF,   /* [surf, coordinates] */
	FO_QUERY,  /* [tex], [surf] or [sampler] */
	FO_TENSOR, /* [tensor map, {coordinates}] */
	FO_COORDS, /* {c0, c1, ..} */
	FO_AMAT,   /* tcgen05.mma's A: [tensor memory] or a descriptor */
	FO_KIND_COUNT
};

enum {
	FO_PAIR = 1,     /* d|p accepted */
	FO_NEG = 2,      /* !p or -a accepted */
	FO_IMMONLY = 4,
	FO_REGONLY = 8,
	FO_WIDER = 16,   /* a register wider than the type is accepted */
	FO_SELECT = 32,  /* a video selector (.b0, .h1, .b3210) accepted */
	FO_PAIRREQ = 64, /* d|p required */
	FO_SINK = 128,   /* `_` accepted */
	FO_NOINT = 256,  /* no integer constant */
};

/* Counts that the modifiers give. */
enum { FC_VEC = 255, FC_FRAGMENT = 254, FC_GEOMETRY = 253 };

/* Type of an operand: 0 any; 1..5 the n-th type word; FT_WIDE + n its double width; FT_FIXED + enum ptx_type. */
enum { FT_NONE = 7 /* the sink only */, FT_WIDE = 8, FT_FIXED = 16 };

struct form_opd {
	uint8_t kind;
	uint8_t type;
	uint16_t flags;
	uint8_t count;   /* vector elements; 0: scalar; or FC_* */
	uint8_t space;   /* FO_ADDR: enum ptx_space of the address, 255: the instruction's */
	uint8_t field;
};

enum { FORM_DEFAULT_TYPE = 1 };

struct form_row {
	const char *text;
	uint16_t op, form;
	uint16_t slot, opd;
	uint8_t nslots, min_opds, max_opds;
	uint8_t ver;
	uint8_t req;
};

struct word_info {
	const char *name;
	uint8_t type;  /* enum ptx_type, if the word is a type */
	uint8_t space; /* enum ptx_space */
	bool repeat;   /* may be written again */
};

struct op_info {
	const char *name;
	uint16_t row, nrows;
};

extern const struct form_elem form_elems[];
extern const struct form_slot form_slots[];
extern const struct form_opd form_opds[];
extern const struct form_row form_rows[];
extern const struct word_info ptx_words[];
extern const struct op_info ptx_ops[];
/* A requirement is text such as "90" or "100a 101a 120f": any of them suffices. */
extern const char *const form_reqs[];
extern const char *const ptx_form_names[];
extern const char *const ptx_mod_names[];

/* Name to number; 0 if there is none. */
uint32_t ptx_op_find(const char *s, size_t n);
uint32_t ptx_word_find(const char *s, size_t n);
uint32_t ptx_sreg_find(const char *s, size_t n);
uint32_t ptx_directive_find(const char *s, size_t n);

/* The hash that the generator lays the tables out with. */
static inline uint32_t form_hash(const char *s, size_t n)
{
	uint32_t h = 0x811C9DC5u;
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 0x01000193u;
	return h ^ h >> 15;
}

#endif
