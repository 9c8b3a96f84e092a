/* A vector of which only pieces are used is split once, where it is defined.
 *
 * Selection takes pieces by p_extract_vector where they are used; as long as the last is to come the whole vector is live, and each
 * piece is a copy. Where every use of a vector is such an extraction, and the pieces do not overlap, one p_split_vector behind its
 * definition gives them all: the allocator lets them stay where they are. Where the block that defines it also uses it whole, and what
 * the pieces are for comes later, p_split_vector stands behind the last such use (amd_schedule keeps it there). So that this holds for
 * vectors that are made of pieces, too, pieces that are used again behind p_create_vector are taken from it: it may then be made where they are.
 * requires: SSA, before amd_live.   ensures: the same values. */
#include "amd/amd.h"

enum { MAX_DWORDS = 16 };

struct vec {
	uint16_t uses, extracts;
	bool overlap;
	bool elsewhere;            /* used in another block than its own, or before lane code begins */
	uint32_t block, whole, piece; /* where it is defined; its last use as a whole, the first use of a piece (1 + index there; 0: none) */
	uint8_t size[MAX_DWORDS];  /* of the piece that begins at this dword; 0: none */
	uint32_t temp[MAX_DWORDS];
};
struct split {
	struct amd_func *f;
	struct vec **vecs;  /* by temporary; NULL: not looked at */
	uint32_t *renamed;  /* by temporary: what stands for it, 0: itself */
	uint32_t *from;     /* by temporary: the vector that it is a piece of, 0: none */
	uint32_t n;
};

static void add_piece(struct vec *v, uint32_t total, const struct amd_inst *i)
{
	uint32_t size = amd_rc_size(i->defs[0].rc), at = (uint32_t)i->imm * size;
	v->extracts++;
	if (at + size > total || i->defs[0].fixed) {
		v->overlap = true;
		return;
	}
	for (uint32_t k = 0; k < total; k++) {
		bool same = k == at && v->size[k] == size;
		if (v->size[k] && !same && k < at + size && at < k + v->size[k])
			v->overlap = true;
	}
	v->size[at] = (uint8_t)size;
}

/* --- pieces that outlive the vector made of them --- */

struct uses {
	uint32_t all, block, here, seen; /* everywhere; where it is defined: how many there, how many so far */
	uint32_t now;                    /* what stands for it from here to the block's end; 0: itself */
};

static void count_piece_uses(const struct amd_func *f, struct uses *u)
{
	for (uint32_t b = 0; b < f->blocks.len; b++)
		for (uint32_t n = 0; n < f->blocks.data[b]->insts.len; n++) {
			const struct amd_inst *i = f->blocks.data[b]->insts.data[n];
			for (uint32_t k = 0; k < i->nops; k++)
				if (i->ops[k].kind == AMD_OPND_TEMP) {
					struct uses *p = &u[i->ops[k].temp];
					p->all++;
					p->here += p->block == b + 1 && !amd_is_phi(i);
				}
			for (uint32_t k = 0; k < i->ndefs; k++)
				if (i->defs[k].temp)
					u[i->defs[k].temp].block = b + 1;
		}
}

static uint32_t count_in(const struct amd_inst *i, uint32_t temp)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < i->nops; k++)
		n += i->ops[k].kind == AMD_OPND_TEMP && i->ops[k].temp == temp;
	return n;
}

/* Is operand k of the vector that i makes used again behind it, and both in this block alone? */
static bool outlives(const struct amd_inst *i, uint32_t k, const struct uses *all)
{
	const struct amd_operand *o = &i->ops[k];
	const struct uses *u = &all[o->temp], *v = &all[i->defs[0].temp];
	return o->rc == (amd_rc)(1 | (i->defs[0].rc & AMD_RC_VECTOR)) && count_in(i, o->temp) == 1 && u->all == u->here && u->seen < u->here &&
	       v->all == v->here;
}

static void reuse_vectors(struct split *s)
{
	struct amd_func *f = s->f;
	uint32_t ntemps = f->ntemps;
	struct uses *u = NEWN(f->arena, struct uses, ntemps);
	count_piece_uses(f, u);
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		struct amd_block *blk = f->blocks.data[b], was = *blk;
		uint32_t head = amd_lane_begin(blk);
		blk->insts.data = NULL;
		blk->insts.len = blk->insts.cap = 0;
		for (uint32_t n = 0; n < was.insts.len; n++) {
			struct amd_inst *i = was.insts.data[n];
			amd_append(f, blk, i);
			for (uint32_t k = 0; k < i->nops && !amd_is_phi(i); k++) {
				struct amd_operand *o = &i->ops[k];
				if (o->kind != AMD_OPND_TEMP || o->temp >= ntemps || u[o->temp].block != b + 1)
					continue;
				u[o->temp].seen++;
				if (u[o->temp].now)
					o->temp = u[o->temp].now;
			}
			if (i->op != amd_p_create_vector || n < head || i->defs[0].fixed)
				continue;
			for (uint32_t k = 0, at = 0; k < i->nops; at += amd_rc_size(i->ops[k++].rc)) {
				struct amd_operand *o = &i->ops[k];
				if (o->kind != AMD_OPND_TEMP || o->temp >= ntemps || u[o->temp].block != b + 1 || !outlives(i, k, u))
					continue;
				struct amd_inst *e = amd_inst_new(f, amd_p_extract_vector, 1, 1);
				e->line = i->line;
				e->imm = (int32_t)at;
				e->ops[0] = amd_use(f, i->defs[0].temp);
				u[o->temp].now = amd_temp_new(f, o->rc);
				e->defs[0] = amd_def_temp(f, u[o->temp].now);
				amd_append(f, blk, e);
			}
		}
	}
}

/* --- splits --- */

static struct vec *vec_of(struct split *s, uint32_t temp)
{
	if (!s->vecs[temp]) {
		s->vecs[temp] = NEW(s->f->arena, struct vec);
		s->vecs[temp]->block = UINT32_MAX;
	}
	return s->vecs[temp];
}

static void piece_used(struct vec *v, uint32_t block, uint32_t at)
{
	if (!v->piece)
		v->piece = v->block == block ? at + 1 : UINT32_MAX;
}

static void count_use(struct split *s, const struct amd_inst *i, const struct amd_operand *o, uint32_t block, uint32_t at, bool in_head)
{
	uint32_t size = amd_rc_size(o->rc);
	if (o->kind != AMD_OPND_TEMP)
		return;
	if (s->from[o->temp])
		piece_used(s->vecs[s->from[o->temp]], block, at);
	if (size < 2 || size > MAX_DWORDS)
		return;
	struct vec *v = vec_of(s, o->temp);
	v->uses++;
	v->elsewhere |= v->block != block || in_head;
	if (i->op == amd_p_extract_vector && i->defs[0].temp) {
		add_piece(v, size, i);
		s->from[i->defs[0].temp] = o->temp;
		if (amd_rc_size(i->defs[0].rc) > 1) /* may be split where it stands */
			piece_used(v, block, at);
	} else if (v->block == block) {
		v->whole = at + 1;
	}
}

static void count_uses(struct split *s)
{
	struct amd_func *f = s->f;
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		uint32_t head = amd_lane_begin(f->blocks.data[b]);
		for (uint32_t n = 0; n < f->blocks.data[b]->insts.len; n++) {
			const struct amd_inst *i = f->blocks.data[b]->insts.data[n];
			for (uint32_t k = 0; k < i->nops; k++)
				count_use(s, i, &i->ops[k], b, n, n < head);
			for (uint32_t k = 0; k < i->ndefs; k++)
				if (i->defs[k].temp && amd_rc_size(i->defs[k].rc) > 1)
					vec_of(s, i->defs[k].temp)->block = b;
		}
	}
}

static bool only_pieces(const struct vec *v)
{
	return v->extracts == v->uses;
}

static bool worthwhile(const struct vec *v)
{
	if (!v || v->overlap || !v->extracts)
		return false;
	return only_pieces(v) || (!v->elsewhere && v->piece > v->whole);
}

static void put_split(struct split *s, struct amd_block *out, uint32_t temp, uint32_t line)
{
	struct amd_func *f = s->f;
	struct vec *v = s->vecs[temp];
	amd_rc rc = f->temp_rc.data[temp];
	uint32_t total = amd_rc_size(rc), n = 0;
	for (uint32_t k = 0; k < total; k += v->size[k] ? v->size[k] : 1)
		n++;
	struct amd_inst *i = amd_inst_new(f, amd_p_split_vector, n, 1);
	i->line = line;
	i->ops[0] = amd_use(f, temp);
	n = 0;
	for (uint32_t k = 0; k < total; k += v->size[k] ? v->size[k] : 1) {
		v->temp[k] = amd_temp_new(f, (amd_rc)((v->size[k] ? v->size[k] : 1) | (rc & AMD_RC_VECTOR)));
		i->defs[n++] = amd_def_temp(f, v->temp[k]);
	}
	amd_append(f, out, i);
}

/* Behind i, number n of its block: splits of what it defines or is the last to use whole. */
static void splits_behind(struct split *s, struct amd_block *out, const struct amd_inst *i, uint32_t n)
{
	for (uint32_t k = 0; k < i->ndefs; k++) {
		uint32_t t = i->defs[k].temp;
		if (t && t < s->n && worthwhile(s->vecs[t]) && only_pieces(s->vecs[t]))
			put_split(s, out, t, i->line);
	}
	for (uint32_t k = 0; k < i->nops && !amd_is_phi(i); k++) {
		uint32_t t = i->ops[k].kind == AMD_OPND_TEMP ? i->ops[k].temp : 0;
		bool seen = false;
		for (uint32_t j = 0; j < k; j++)
			seen |= i->ops[j].kind == AMD_OPND_TEMP && i->ops[j].temp == t;
		if (t && !seen && worthwhile(s->vecs[t]) && !only_pieces(s->vecs[t]) && s->vecs[t]->whole == n + 1)
			put_split(s, out, t, i->line);
	}
}

/* Splits behind definitions or last uses; those of phis behind the last phi. */
static void insert_splits(struct split *s)
{
	struct amd_func *f = s->f;
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		struct amd_block *blk = f->blocks.data[b], was = *blk;
		uint32_t head = amd_lane_begin(blk), copied = 0; /* pieces of vectors are lane code */
		blk->insts.data = NULL;
		blk->insts.len = blk->insts.cap = 0;
		while (copied < head)
			amd_append(f, blk, was.insts.data[copied++]);
		for (uint32_t n = 0; n < was.insts.len; n++) {
			struct amd_inst *i = was.insts.data[n];
			if (n >= head)
				amd_append(f, blk, i);
			splits_behind(s, blk, i, n);
		}
	}
}

static void drop_extracts(struct split *s)
{
	struct amd_func *f = s->f;
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		struct amd_block *blk = f->blocks.data[b];
		uint32_t kept = 0;
		for (uint32_t n = 0; n < blk->insts.len; n++) {
			struct amd_inst *i = blk->insts.data[n];
			if (i->op == amd_p_extract_vector && i->ops[0].kind == AMD_OPND_TEMP && i->ops[0].temp < s->n && i->defs[0].temp &&
			    worthwhile(s->vecs[i->ops[0].temp])) {
				uint32_t at = (uint32_t)i->imm * amd_rc_size(i->defs[0].rc);
				s->renamed[i->defs[0].temp] = s->vecs[i->ops[0].temp]->temp[at];
				continue;
			}
			blk->insts.data[kept++] = i;
		}
		blk->insts.len = kept;
	}
}

static void rename_uses(struct split *s)
{
	struct amd_func *f = s->f;
	for (uint32_t b = 0; b < f->blocks.len; b++)
		for (uint32_t n = 0; n < f->blocks.data[b]->insts.len; n++) {
			struct amd_inst *i = f->blocks.data[b]->insts.data[n];
			for (uint32_t k = 0; k < i->nops; k++) {
				struct amd_operand *o = &i->ops[k];
				if (o->kind == AMD_OPND_TEMP && o->temp < s->n && s->renamed[o->temp])
					o->temp = s->renamed[o->temp];
			}
		}
}

void amd_split(struct amd_func *f)
{
	struct split s = {.f = f};
	reuse_vectors(&s);
	s.n = f->ntemps;
	s.vecs = NEWN(f->arena, struct vec *, s.n);
	s.renamed = NEWN(f->arena, uint32_t, s.n);
	s.from = NEWN(f->arena, uint32_t, s.n);
	count_uses(&s);
	insert_splits(&s);
	drop_extracts(&s);
	rename_uses(&s);
}
