/* Bytes and half-words are selected where they are read: SDWA.
 *
 * What takes a byte or half-word out of a VGPR (v_bfe, v_and, a shift) and is read once, in its block, by an instruction whose SDWA
 * encoding can select it goes; the instruction reads the VGPR. Literals, constants and SGPRs have no place in that encoding here.
 * requires: SSA, after amd_combine, whose three-operand instructions do better.   ensures: the same values. gfx11 has no SDWA.
 * Source: RDNA2 ISA manual, "SDWA". */
#include "amd/amd.h"

/* How many bits of a source an instruction looks at that selects; 0: it does not. */
static uint32_t sdwa_bits(uint32_t op)
{
	switch (op) {
	case amd_v_add_nc_u32:
	case amd_v_sub_nc_u32:
	case amd_v_subrev_nc_u32:
	case amd_v_and_b32:
	case amd_v_or_b32:
	case amd_v_xor_b32:
	case amd_v_xnor_b32:
	case amd_v_min_u32:
	case amd_v_max_u32:
	case amd_v_min_i32:
	case amd_v_max_i32:
	case amd_v_mul_u32_u24:
	case amd_v_mul_i32_i24:
	case amd_v_lshlrev_b32:
	case amd_v_lshrrev_b32:
	case amd_v_ashrrev_i32:
	case amd_v_not_b32:
	case amd_v_bfrev_b32:
	case amd_v_ffbh_u32:
	case amd_v_ffbl_b32:
	case amd_v_cvt_f32_u32:
	case amd_v_cvt_f32_i32:
		return 32;
	case amd_v_cvt_f32_f16:
	case amd_v_add_f16:
	case amd_v_sub_f16:
	case amd_v_mul_f16:
	case amd_v_min_f16:
	case amd_v_max_f16:
		return 16;
	default:
		if (op >= amd_v_cmp_lt_i32 && op <= amd_v_cmp_ge_u32)
			return 32;
		return op >= amd_v_cmp_lt_i16 && op <= amd_v_cmp_ge_u16 ? 16 : 0;
	}
}

static bool plain(const struct amd_operand *o)
{
	return o->kind == AMD_OPND_TEMP && amd_rc_vector(o->rc) && !o->fixed && !o->sel && !o->sext && !o->neg && !o->abs && !o->low && !o->late_kill;
}

static bool constant(const struct amd_inst *i, uint32_t k, uint32_t *v)
{
	*v = (uint32_t)i->ops[k].value;
	return i->ops[k].kind == AMD_OPND_CONST;
}

/* Is d a byte or half-word of a VGPR, extended? piece becomes the operand that says so. */
static bool is_piece(const struct amd_inst *d, struct amd_operand *piece)
{
	static const struct {
		uint8_t at, bits, sel;
	} pieces[] = {{0, 8, AMD_SEL_BYTE0}, {8, 8, AMD_SEL_BYTE1}, {16, 8, AMD_SEL_BYTE2}, {24, 8, AMD_SEL_BYTE3},
		{0, 16, AMD_SEL_WORD0}, {16, 16, AMD_SEL_WORD1}};
	uint32_t at = 0, bits = 0, source = 0;
	bool sign = d->op == amd_v_bfe_i32 || d->op == amd_v_ashrrev_i32;
	switch (d->op) {
	case amd_v_bfe_u32:
	case amd_v_bfe_i32:
		if (!constant(d, 1, &at) || !constant(d, 2, &bits))
			return false;
		break;
	case amd_v_and_b32:
		source = d->ops[0].kind == AMD_OPND_CONST;
		if (!constant(d, 1 - source, &bits) || (bits != 0xff && bits != 0xffff))
			return false;
		bits = bits == 0xff ? 8 : 16;
		break;
	case amd_v_lshrrev_b32:
	case amd_v_ashrrev_i32:
		source = 1;
		if (!constant(d, 0, &at))
			return false;
		bits = 32 - at;
		break;
	default:
		return false;
	}
	if (d->enc != AMD_ENC_AUTO || d->ndefs != 1 || !plain(&d->ops[source]))
		return false;
	for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++)
		if (pieces[k].at == at && pieces[k].bits == bits) {
			*piece = d->ops[source];
			piece->sel = pieces[k].sel;
			piece->sext = sign;
			return true;
		}
	return false;
}

struct selector {
	uint32_t *uses;        /* by temporary */
	struct amd_inst **def; /* by temporary: in the block at hand, before the instruction at hand */
};

static void select_pieces(struct selector *s, struct amd_inst *i)
{
	uint32_t bits = i->enc == AMD_ENC_AUTO && !i->clamp && !i->omod && !i->opsel && i->ndefs == 1 ? sdwa_bits(i->op) : 0;
	for (uint32_t k = 0; k < i->nops; k++)
		if (!plain(&i->ops[k]))
			return;
	for (uint32_t k = 0; k < i->nops && bits; k++) {
		uint32_t t = i->ops[k].temp;
		struct amd_inst *d = s->uses[t] == 1 ? s->def[t] : NULL;
		struct amd_operand piece;
		if (!d || !is_piece(d, &piece) || (bits == 16 && piece.sel < AMD_SEL_WORD0))
			continue;
		piece.sext &= bits == 32;
		i->ops[k] = piece;
		i->enc = AMD_ENC_SDWA;
		d->op = amd_p_use; /* of nothing: dropped */
		d->nops = d->ndefs = 0;
	}
}

static void count_uses(const struct amd_func *f, uint32_t *uses)
{
	for (uint32_t b = 0; b < f->blocks.len; b++)
		for (uint32_t n = 0; n < f->blocks.data[b]->insts.len; n++) {
			const struct amd_inst *i = f->blocks.data[b]->insts.data[n];
			for (uint32_t k = 0; k < i->nops; k++)
				if (i->ops[k].kind == AMD_OPND_TEMP)
					uses[i->ops[k].temp]++;
		}
}

static void drop(struct amd_block *b)
{
	uint32_t kept = 0;
	for (uint32_t n = 0; n < b->insts.len; n++)
		if (b->insts.data[n]->op != amd_p_use || b->insts.data[n]->nops)
			b->insts.data[kept++] = b->insts.data[n];
	b->insts.len = kept;
}

void amd_sdwa(struct amd_func *f)
{
	if (f->target->gen != 10)
		return;
	struct arena tmp;
	arena_init(&tmp, f->arena->trap);
	struct selector s = {NEWN(&tmp, uint32_t, f->ntemps), NEWN(&tmp, struct amd_inst *, f->ntemps)};
	count_uses(f, s.uses);
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k];
		for (uint32_t n = 0; n < b->insts.len; n++) {
			struct amd_inst *i = b->insts.data[n];
			select_pieces(&s, i);
			if (i->ndefs == 1 && i->defs[0].temp)
				s.def[i->defs[0].temp] = i;
		}
		for (uint32_t n = 0; n < b->insts.len; n++)
			if (b->insts.data[n]->ndefs == 1)
				s.def[b->insts.data[n]->defs[0].temp] = NULL;
		drop(b);
	}
	arena_free(&tmp);
}
