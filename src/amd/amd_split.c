/* A vector of which only pieces are used is split once, where it is defined.
 *
 * Selection takes pieces by p_extract_vector where they are used; as long as the last is to come the whole vector is live, and each
 * piece is a copy. Where every use of a vector is such an extraction, and the pieces do not overlap, one p_split_vector behind its
 * definition gives them all: the allocator lets them stay where they are.
 * requires: SSA, before amd_live.   ensures: the same values. */
#include "amd/amd.h"

enum { MAX_DWORDS = 16 };

struct vec {
	uint16_t uses, extracts;
	bool overlap;
	uint8_t size[MAX_DWORDS];  /* of the piece that begins at this dword; 0: none */
	uint32_t temp[MAX_DWORDS];
};
struct split {
	struct amd_func *f;
	struct vec **vecs;  /* by temporary; NULL: not looked at */
	uint32_t *renamed;  /* by temporary: what stands for it, 0: itself */
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

static void count_uses(struct split *s)
{
	struct amd_func *f = s->f;
	for (uint32_t b = 0; b < f->blocks.len; b++)
		for (uint32_t n = 0; n < f->blocks.data[b]->insts.len; n++) {
			const struct amd_inst *i = f->blocks.data[b]->insts.data[n];
			for (uint32_t k = 0; k < i->nops; k++) {
				const struct amd_operand *o = &i->ops[k];
				uint32_t size = amd_rc_size(o->rc);
				if (o->kind != AMD_OPND_TEMP || size < 2 || size > MAX_DWORDS)
					continue;
				if (!s->vecs[o->temp])
					s->vecs[o->temp] = NEW(f->arena, struct vec);
				s->vecs[o->temp]->uses++;
				if (i->op == amd_p_extract_vector && i->defs[0].temp)
					add_piece(s->vecs[o->temp], size, i);
			}
		}
}

static bool worthwhile(const struct vec *v)
{
	return v && v->extracts == v->uses && !v->overlap;
}

static void put_split(struct split *s, struct amd_block *out, struct amd_def d, uint32_t line)
{
	struct amd_func *f = s->f;
	struct vec *v = s->vecs[d.temp];
	uint32_t total = amd_rc_size(d.rc), n = 0;
	for (uint32_t k = 0; k < total; k += v->size[k] ? v->size[k] : 1)
		n++;
	struct amd_inst *i = amd_inst_new(f, amd_p_split_vector, n, 1);
	i->line = line;
	i->ops[0] = amd_use(f, d.temp);
	n = 0;
	for (uint32_t k = 0; k < total; k += v->size[k] ? v->size[k] : 1) {
		v->temp[k] = amd_temp_new(f, (amd_rc)((v->size[k] ? v->size[k] : 1) | (d.rc & AMD_RC_VECTOR)));
		i->defs[n++] = amd_def_temp(f, v->temp[k]);
	}
	amd_append(f, out, i);
}

/* Splits behind definitions; those of phis behind the last phi. */
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
			for (uint32_t k = 0; k < i->ndefs; k++)
				if (i->defs[k].temp && i->defs[k].temp < s->n && worthwhile(s->vecs[i->defs[k].temp]))
					put_split(s, blk, i->defs[k], i->line);
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
	struct split s = {.f = f, .n = f->ntemps};
	s.vecs = NEWN(f->arena, struct vec *, s.n);
	s.renamed = NEWN(f->arena, uint32_t, s.n);
	count_uses(&s);
	insert_splits(&s);
	drop_extracts(&s);
	rename_uses(&s);
}
