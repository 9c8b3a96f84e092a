/* Where each operand of an instruction goes in its bytes, learned from LLVM's code emitter when the project is built.
 *
 * Every operand has a number (emit/mc_table.h): the source code of a register or constant, or an immediate's bits. The emitter is
 * asked for the bytes with every register that LLVM's class has, with constants, with each bit of an immediate; each bit of the
 * bytes must turn out to be constant, or one bit of one operand's number, or its complement. Then random operands must give the
 * emitter's bytes. What does not fails the build. */
#include "emit/gen/gen_encode.h"

#include <stdlib.h>

#include "emit/gen/mc_shim.h"

typedef unsigned __int128 word;

struct learner {
	struct arena *a;
	const struct mc_names *names;
	struct mc_encoder *mc[2];
	uint32_t reg[2][17][AMD_NREGS]; /* LLVM's; 0: none */
	uint32_t class_m0, class_null[2];
	VEC(struct mc_piece) pieces;
	VEC(struct mc_field) fields;
	VEC(struct mc_reg_set) sets;
};

/* An operand as LLVM takes it, and its number. */
struct sample {
	struct mc_value v;
	uint32_t bits;
};
typedef VEC(struct sample) samples;

struct work {
	struct learner *l;
	uint32_t gen, opcode, n;
	struct mc_value v[GEN_MAX_SLOTS];
	samples s[GEN_MAX_SLOTS]; /* by slot; the first is the probe's */
};

static const char *const lanes[] = {"SGPR", "VGPR"};

struct learner *learner_new(struct arena *a, const struct mc_names *names)
{
	struct learner *l = NEW(a, struct learner);
	*l = (struct learner){.a = a, .names = names};
	l->mc[0] = mc_encoder_new("gfx1030", "");
	l->mc[1] = mc_encoder_new("gfx1100", "-real-true16");
	l->class_m0 = mc_names_reg(names, "M0");
	l->class_null[0] = mc_names_reg(names, "SGPR_NULL");
	l->class_null[1] = mc_names_reg(names, "SGPR_NULL64");
	for (uint32_t size = 1; size <= 16; size++)
		for (uint32_t r = 0; r < AMD_VGPR0 + 256; r++) {
			bool v = r >= AMD_VGPR0;
			char buf[256];
			size_t at = 0;
			if (v ? r - AMD_VGPR0 + size > 256 : r + size > AMD_VCC)
				continue;
			for (uint32_t k = 0; k < size; k++)
				at += (size_t)snprintf(buf + at, sizeof buf - at, "%s%s%u", k ? "_" : "", lanes[v], r + k - (v ? AMD_VGPR0 : 0));
			l->reg[0][size][r] = l->reg[1][size][r] = mc_names_reg(names, buf);
		}
	vec_push(a, &l->fields, (struct mc_field){0}); /* field 0: goes nowhere */
	vec_push(a, &l->sets, (struct mc_reg_set){0}); /* set 0: no register */
	return l;
}

void learner_free(struct learner *l)
{
	mc_encoder_free(l->mc[0]);
	mc_encoder_free(l->mc[1]);
}

void learner_special(struct learner *l, uint32_t gen, uint32_t size, uint32_t reg, uint32_t mcreg)
{
	l->reg[gen][size][reg] = mcreg;
}

static word encode(const struct work *w, uint32_t *size)
{
	uint8_t bytes[24] = {0};
	word x = 0;
	*size = (uint32_t)mc_encode(w->l->mc[w->gen], w->opcode, w->v, w->n, bytes);
	for (uint32_t k = 0; k < 16; k++)
		x |= (word)bytes[k] << 8 * k;
	return x;
}

/* LLVM's classes hold m0 and null under names that are no chip's own. */
static bool in_class(const struct work *w, uint32_t slot, uint32_t own, uint32_t mcreg)
{
	const struct learner *l = w->l;
	const struct mc_encoder *mc = l->mc[w->gen];
	if (own == AMD_NULL)
		return mc_fits(mc, w->opcode, slot, l->class_null[0]) || mc_fits(mc, w->opcode, slot, l->class_null[1]);
	return mc_fits(mc, w->opcode, slot, own == AMD_M0 ? l->class_m0 : mcreg);
}

static uint16_t intern_set(struct learner *l, const struct mc_reg_set *set)
{
	for (uint32_t k = 0; k < l->sets.len; k++)
		if (!memcmp(&l->sets.data[k], set, sizeof *set))
			return (uint16_t)k;
	vec_push(l->a, &l->sets, *set);
	return (uint16_t)(l->sets.len - 1);
}

static void sample_registers(struct work *w, const struct mc_form *f, struct mc_slot *s, uint32_t slot, uint32_t size)
{
	struct mc_reg_set set = {.size = (uint8_t)size};
	bool def = s->role != MC_OP;
	for (uint32_t r = 0; r < AMD_NREGS; r++) {
		uint32_t mcreg = w->l->reg[w->gen][size][r];
		if (!mcreg || !in_class(w, slot, r, mcreg))
			continue;
		set.regs[r / 32] |= 1u << r % 32;
		vec_push(w->l->a, &w->s[slot], (struct sample){{true, mcreg}, mc_reg_code(w->gen, f, def, r)});
	}
	s->regs = intern_set(w->l, &set);
}

static const uint64_t constants[] = {0, 1, 31, 64, 0x3800, 0x3c00, 0x3118, 0x3f800000, 0xc0800000, 0x3e22f983, 0x3fe0000000000000,
	0x4010000000000000, 0x3fc45f306dc9c882, (uint64_t)-1, (uint64_t)-16, 0xffff, 0xfff0, 0xfffffff0, 65, 0x1234, 0x12345678,
	(uint64_t)-17, 0xc080, 0x4059000000000000};

/* Literals are a dword behind the instruction and not part of what is learned, but their code is. */
static const char *check_constants(struct work *w, enum mc_type type, uint32_t slot)
{
	struct mc_value was = w->v[slot];
	const char *why = NULL;
	for (uint32_t k = 0; k < sizeof constants / sizeof *constants && !why; k++) {
		struct mc_const c;
		uint32_t size, base;
		encode(w, &base);
		if (!mc_const(type, constants[k], &c))
			continue;
		w->v[slot] = (struct mc_value){false, c.mc};
		word x = encode(w, &size);
		vec_push(w->l->a, &w->s[slot], (struct sample){w->v[slot], c.code});
		if ((size != base) != (c.code == MC_LITERAL))
			why = arena_printf(w->l->a, "constant %#llx: a literal or not?", (unsigned long long)constants[k]);
		else if (c.code == MC_LITERAL && (uint32_t)(x >> 8 * base) != c.literal)
			why = arena_printf(w->l->a, "constant %#llx: literal %#x, not %#x", (unsigned long long)constants[k],
			                   (uint32_t)(x >> 8 * base), c.literal);
		w->v[slot] = was;
	}
	return why;
}

static void sample_immediates(struct work *w, uint32_t slot, uint32_t width)
{
	for (uint32_t b = 0; b < width; b++) {
		int64_t v = w->v[slot].value ^ (int64_t)1 << b;
		vec_push(w->l->a, &w->s[slot], (struct sample){{false, v}, (uint32_t)v});
	}
}

static bool register_slot(const struct mc_slot *s)
{
	return s->role == MC_DEF || s->role == MC_OP;
}

static const char *sample_slot(struct work *w, const struct mc_form *f, struct mc_slot *s, uint32_t slot, uint32_t size)
{
	if (register_slot(s) && w->v[slot].is_reg) {
		sample_registers(w, f, s, slot, size);
		if (s->role == MC_OP && s->index < 4 && f->types[s->index] != MC_T_NONE)
			return check_constants(w, (enum mc_type)f->types[s->index], slot);
	} else if (s->role != MC_CONST && s->role != MC_CONST_REG)
		sample_immediates(w, slot, s->role == MC_IMM || s->role == MC_OP ? 32 : 10);
	return NULL;
}

static uint16_t intern_field(struct learner *l, const struct mc_piece *p, uint32_t n)
{
	for (uint32_t k = 0; k < l->fields.len; k++)
		if (l->fields.data[k].n == n && !memcmp(&l->pieces.data[l->fields.data[k].first], p, sizeof *p * n))
			return (uint16_t)k;
	vec_push(l->a, &l->fields, (struct mc_field){(uint16_t)l->pieces.len, (uint16_t)n});
	for (uint32_t k = 0; k < n; k++)
		vec_push(l->a, &l->pieces, p[k]);
	return (uint16_t)(l->fields.len - 1);
}

/* The bit of the numbers that bit `out` of the bytes is, or -1. */
static int source_bit(const struct sample *s, const word *x, uint32_t n, uint32_t out)
{
	for (int b = 0; b < 32; b++) {
		bool same = true, opposite = true;
		for (uint32_t k = 0; k < n && (same || opposite); k++) {
			bool is = x[k] >> out & 1, in = s[k].bits >> b & 1;
			same &= is == in;
			opposite &= is != in;
		}
		if (same || opposite)
			return b;
	}
	return -1;
}

static const char *learn_slot(struct work *w, struct mc_slot *s, uint32_t slot, uint32_t bytes)
{
	struct sample *sm = w->s[slot].data;
	uint32_t n = w->s[slot].len, np = 0, size;
	struct mc_piece p[96];
	word *x = NEWN(w->l->a, word, n + 1), varies = 0;
	struct mc_value was = w->v[slot];
	for (uint32_t k = 0; k < n; k++) {
		w->v[slot] = sm[k].v;
		x[k] = encode(w, &size);
		varies |= x[k] ^ x[0];
	}
	w->v[slot] = was;
	for (uint32_t out = 0; out < 8 * bytes; out++) {
		if (!(varies >> out & 1))
			continue;
		int b = source_bit(sm, x, n, out);
		if (b < 0)
			return arena_printf(w->l->a, "operand %u: bit %u of the bytes is no bit of its number", slot, out);
		if (np && p[np - 1].in + p[np - 1].width == b && p[np - 1].out + p[np - 1].width == (int)out)
			p[np - 1].width++;
		else
			p[np++] = (struct mc_piece){(uint8_t)b, (uint8_t)out, 1};
	}
	s->field = intern_field(w->l, p, np);
	return NULL;
}

static word contribution(const struct learner *l, const struct mc_slot *s, uint32_t bits)
{
	word x = 0;
	const struct mc_field *f = &l->fields.data[s->field];
	for (uint32_t k = 0; k < f->n; k++) {
		const struct mc_piece *p = &l->pieces.data[f->first + k];
		x ^= (word)(bits >> p->in & (uint32_t)((1ull << p->width) - 1)) << p->out;
	}
	return x;
}

static const char *try_random(struct work *w, const struct mc_form *f, const struct mc_slot *s)
{
	struct mc_value was[GEN_MAX_SLOTS];
	word base = f->base[0] | (word)f->base[1] << 32 | (word)f->base[2] << 64, mask = ((word)1 << 8 * f->size) - 1;
	uint32_t seed = 1, size;
	memcpy(was, w->v, sizeof was);
	for (uint32_t t = 0; t < 16; t++) {
		word want = base;
		for (uint32_t k = 0; k < w->n; k++) {
			seed = seed * 1664525 + 1013904223;
			struct sample *sm = &w->s[k].data[(seed >> 8) % w->s[k].len];
			if (sm->bits == MC_LITERAL && register_slot(&s[k]) && sm->v.is_reg == false)
				sm = &w->s[k].data[0]; /* one literal at most */
			w->v[k] = sm->v;
			want ^= contribution(w->l, &s[k], sm->bits);
		}
		if ((encode(w, &size) ^ want) & mask)
			return "the operands' bits are not independent";
	}
	memcpy(w->v, was, sizeof was);
	return NULL;
}

const char *learn_encoding(struct learner *l, uint32_t gen, struct mc_form *f, struct mc_slot *s, const struct mc_operand *base,
                           const uint8_t *size)
{
	struct work w = {.l = l, .gen = gen, .opcode = f->opcode, .n = f->nslots};
	const char *why = NULL;
	uint32_t bytes;
	for (uint32_t k = 0; k < w.n; k++)
		w.v[k] = (struct mc_value){base[k].is_reg, base[k].value};
	word x = encode(&w, &bytes);
	for (uint32_t k = 0; k < w.n && !why; k++) {
		uint32_t bits = (uint32_t)base[k].value;
		for (uint32_t r = 0; base[k].is_reg && r < AMD_NREGS; r++)
			if (l->reg[gen][size[k]][r] == base[k].value)
				bits = mc_reg_code(gen, f, s[k].role != MC_OP, r);
		vec_push(l->a, &w.s[k], (struct sample){w.v[k], bits});
		why = sample_slot(&w, f, &s[k], k, size[k]);
		if (!why)
			why = learn_slot(&w, &s[k], k, bytes);
		if (!why)
			x ^= contribution(l, &s[k], bits);
	}
	f->size = (uint8_t)bytes;
	for (uint32_t k = 0; k < 3; k++)
		f->base[k] = (uint32_t)(x >> 32 * k);
	return why ? why : try_random(&w, f, s);
}

void print_encodings(const struct learner *l, FILE *out)
{
	fprintf(out, "const struct mc_piece mc_pieces[] = {\n");
	for (uint32_t k = 0; k < l->pieces.len; k++)
		fprintf(out, "\t{%u, %u, %u},\n", l->pieces.data[k].in, l->pieces.data[k].out, l->pieces.data[k].width);
	fprintf(out, "};\nconst struct mc_field mc_fields[] = {\n");
	for (uint32_t k = 0; k < l->fields.len; k++)
		fprintf(out, "\t{%u, %u},\n", l->fields.data[k].first, l->fields.data[k].n);
	fprintf(out, "};\nconst struct mc_reg_set mc_reg_sets[] = {\n");
	for (uint32_t k = 0; k < l->sets.len; k++) {
		fprintf(out, "\t{%u, {", l->sets.data[k].size);
		for (uint32_t n = 0; n < AMD_NREGS / 32; n++)
			fprintf(out, "0x%x,", l->sets.data[k].regs[n]);
		fprintf(out, "}},\n");
	}
	fprintf(out, "};\n");
}
