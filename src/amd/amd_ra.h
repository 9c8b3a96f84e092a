/* The register allocator's state, shared by its files: amd_regalloc.c (the walk), amd_ra_place.c (where one instruction's registers
 * are), amd_ra_hints.c (where they would like to be). */
#ifndef AMD_AMD_RA_H
#define AMD_AMD_RA_H

#include "amd/amd_live.h"

/* The SGPR that is never allocated: scratch for the cycles of parallel copies. */
enum { AMD_RA_SCRATCH = 105, AMD_RA_SGPRS = 105 };

enum { RA_COPY = 0xfffffffe, RA_COPY_LATE = 0xffffffff }; /* in ra.file: a copy made for one operand */

struct ra_place {
	uint32_t temp;
	uint16_t reg;
};
struct ra_move {
	uint32_t temp;
	uint16_t from, to;
};
typedef VEC(struct ra_place) ra_places;

struct ra_vector_slot {
	uint32_t vector; /* the temporary that a p_create_vector makes of this one; 0: none */
	const struct amd_inst *inst; /* that p_create_vector */
	uint16_t offset; /* in dwords */
};

struct ra_part {
	uint32_t temp;   /* the only part of a vector that is read after its p_split_vector; 0: not one */
	uint16_t offset; /* in dwords */
};

struct ra {
	struct amd_func *f;
	struct amd_liveness *lv;
	struct arena tmp;
	const struct amd_block *b;
	struct amd_inst *i;
	uint32_t file[AMD_NREGS]; /* by register: the temporary in it before i; 0 free; RA_COPY... */
	uint32_t taken[AMD_NREGS]; /* == now: a definition of i */
	uint16_t *loc;            /* by temporary */
	uint32_t now;             /* number of the instruction */
	uint32_t *dying;          /* by temporary: == now: i is the last to read it, before its definitions are written */
	uint32_t *pinned;         /* == now: a fixed operand, in place */
	uint32_t *moved, *move_index; /* == now: moves.data[move_index] is its */
	VEC(struct ra_move) moves, copies;
	uint32_t limit[2];        /* by vector: general registers */
	uint8_t from_top;         /* 1: what takes one VGPR is given the highest; 2: what takes more */
	ra_places *entry, *exit;  /* by block */
	bool *done;               /* by block */
	/* hints */
	uint32_t *rep;            /* union-find of temporaries that want the same register */
	uint16_t *rep_reg;        /* by representative: the last register given */
	uint16_t *want;           /* by temporary: a fixed register it is used in */
	struct ra_vector_slot *slot;
	struct ra_part *part;     /* by temporary */
	uint16_t *vector_base;    /* by temporary made by p_create_vector: where the first of its parts implied it */
	uint32_t number, *made_at, *dies_at; /* of the block's instructions; by temporary: those that define it and read it for the last time */
	uint32_t held[AMD_NREGS]; /* the vector, not made yet in this block, for whose other parts the register should stay free */
	uint32_t random;
};

static inline uint32_t ra_base(bool vec)
{
	return vec ? AMD_VGPR0 : AMD_SGPR0;
}
static inline uint32_t ra_align(amd_rc rc)
{
	uint32_t n = amd_rc_size(rc);
	return amd_rc_vector(rc) || n == 1 || n == 3 ? 1 : n == 2 ? 2 : 4;
}
uint32_t ra_random(struct ra *r, uint32_t n);
uint32_t ra_rep(struct ra *r, uint32_t t);

/* amd_ra_hints.c */
void ra_make_hints(struct ra *r);
/* The k-th register that definition d of r->i would like, or AMD_NOREG after the last. */
struct ra_hint_iter {
	uint32_t stage, k;
};
uint16_t ra_next_hint(struct ra *r, uint32_t temp, uint32_t def, struct ra_hint_iter *it);
void ra_note_place(struct ra *r, uint32_t temp, uint16_t reg);

/* amd_ra_place.c */
void ra_place_inst(struct ra *r, struct amd_inst *i);   /* registers of operands and definitions; fills moves and copies */
void ra_spare_scc(struct ra *r, struct amd_inst *i);    /* after ra_place_inst: what lives on in SCC moves to an SGPR */
void ra_commit_inst(struct ra *r, struct amd_inst *i);  /* the file after i */
bool ra_free(const struct ra *r, uint32_t reg, uint32_t n);
/* Lowest aligned free window of class rc (file only), or AMD_NOREG. */
uint16_t ra_first_fit(struct ra *r, amd_rc rc);

#endif
