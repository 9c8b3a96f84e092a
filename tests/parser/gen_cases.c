/* gen_cases [versions | operands]: one-instruction cases from the form table, one a line: TARGET TAB VERSION TAB INSTRUCTION.
 *
 * For every row: each word of each modifier, all combinations of types, operands as the row wants them; and invalid
 * neighbours: an operand less, one more, each operand of a wrong type, a constant instead, each modifier that the
 * opcode knows elsewhere, each other type. `versions`: the least version and target of each row; `operands`: each operand as everything that
 * may be written in its place, guards. gen_verdicts.py asks ptxas for the verdicts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/forms.h"
#include "parser/ptx_ast.h"

enum { MAXSLOTS = 32, MAXOPDS = 16 };

static const char *const targets[] = {"75", "90a", "100a", "120a"};
static uint64_t seed;

struct choice {
	int word[MAXSLOTS]; /* element index, or -1 */
};

static uint32_t rnd(uint32_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % n;
}

static const struct form_slot *slot(const struct form_row *r, uint32_t s)
{
	return &form_slots[r->slot + s];
}

static uint32_t nth_type(const struct form_row *r, const struct choice *c, uint32_t n)
{
	for (uint32_t s = 0; s < r->nslots; s++)
		if (slot(r, s)->is_type && c->word[s] >= 0 && !n--)
			return ptx_words[form_elems[slot(r, s)->elem + c->word[s]].word].type;
	return PTX_T_b32;
}

static uint32_t word_of(const struct form_row *r, const struct choice *c, uint32_t field)
{
	for (uint32_t s = 0; s < r->nslots; s++)
		if (!slot(r, s)->is_type && slot(r, s)->field == field && c->word[s] >= 0)
			return form_elems[slot(r, s)->elem + c->word[s]].word;
	return 0;
}

static uint32_t reg_type(uint32_t t)
{
	switch (ptx_type_bits(t)) {
	case 1:
		return t == PTX_T_pred ? t : PTX_T_b32;
	case 8:
		return t == PTX_T_u8 || t == PTX_T_s8 || t == PTX_T_b8 ? t : PTX_T_b8;
	case 16:
		return t == PTX_T_u16 || t == PTX_T_s16 || t == PTX_T_f16 || t == PTX_T_b16 ? t : PTX_T_b16;
	case 32:
		return t == PTX_T_u32 || t == PTX_T_s32 || t == PTX_T_f32 || t == PTX_T_f16x2 ? t : PTX_T_b32;
	case 64:
		return t == PTX_T_u64 || t == PTX_T_s64 || t == PTX_T_f64 ? t : PTX_T_b64;
	case 128:
		return PTX_T_b128;
	default:
		return PTX_T_b32;
	}
}

static uint32_t widened(uint32_t t)
{
	return t == PTX_T_u16 ? PTX_T_u32 : t == PTX_T_s16 ? PTX_T_s32 : t == PTX_T_u32 ? PTX_T_u64 : t == PTX_T_s32 ? PTX_T_s64 : t;
}

static uint32_t opd_reg_type(const struct form_row *r, const struct choice *c, const struct form_opd *o)
{
	uint32_t t = o->type >= FT_FIXED ? (uint32_t)o->type - FT_FIXED
		     : o->type > FT_WIDE ? widened(nth_type(r, c, o->type - FT_WIDE - 1u))
		     : o->type && o->type < FT_NONE ? nth_type(r, c, o->type - 1u)
						    : (uint32_t)PTX_T_b32;
	return reg_type(t);
}

static uint32_t lanes(const struct form_row *r, const struct choice *c, uint32_t count)
{
	const char *geom = ptx_word_name(word_of(r, c, PTX_MOD_geom)), *shape = ptx_word_name(word_of(r, c, PTX_MOD_shape));
	if (count == FC_VEC) {
		uint32_t v = word_of(r, c, PTX_MOD_vec);
		return v ? (uint32_t)(ptx_words[v].name[1] - '0') : 0;
	}
	if (count == FC_GEOMETRY)
		return strstr(geom, "1d") ? 0 : strstr(geom, "2d") ? 2 : 4;
	if (count != FC_FRAGMENT)
		return count;
	if (r->op == PTX_OP_wgmma) {
		uint32_t n = (uint32_t)strtoul(strchr(shape, 'n') + 1, NULL, 10);
		return nth_type(r, c, 0) == PTX_T_f16 ? n / 4 : n / 2;
	}
	uint32_t n = (uint32_t)strtoul(ptx_word_name(word_of(r, c, PTX_MOD_num)) + 1, NULL, 10);
	return n * (strstr(shape, "128b") ? 2 : strstr(shape, "256b") ? 4 : 1);
}

static char *put(char *p, const char *s)
{
	return stpcpy(p, s);
}

static char *put_regs(char *p, uint32_t type, uint32_t n, const char *as)
{
	if (!n)
		return p + sprintf(p, "%%%s_%u", as ? as : ptx_type_name(type), 1 + rnd(3));
	p = put(p, "{");
	for (uint32_t i = 0; i < n; i++)
		p += sprintf(p, "%s%%%s_%u", i ? "," : "", as ? as : ptx_type_name(type), i);
	return put(p, "}");
}

static const char *coords(const char *geom)
{
	return !strcmp(geom, "1d") ? "{%s32_0}" : !strcmp(geom, "2d") || !strcmp(geom, "a1d") ? "{%s32_0,%s32_1}" : "{%s32_0,%s32_1,%s32_2,%s32_3}";
}

static char *put_coords(char *p, const struct form_row *r, const struct choice *c, bool tex)
{
	const char *t = coords(ptx_word_name(word_of(r, c, PTX_MOD_geom)));
	const char *geom = ptx_word_name(word_of(r, c, PTX_MOD_geom));
	bool flt = tex && (nth_type(r, c, 1) == PTX_T_f32), array = tex && geom[0] == 'a', first = true;
	for (; *t; t++) {
		if (first && array && *t == '%') {
			p = put(p, "%u32");
			t += 3;
			first = false;
		} else if (flt && !strncmp(t, "%s32", 4)) {
			p = put(p, "%f32");
			t += 3;
		} else {
			*p++ = *t;
		}
	}
	*p = 0;
	return p;
}

static char *put_opd(char *p, const struct form_row *r, const struct choice *c, const struct form_opd *o)
{
	uint32_t space = o->space == 255 ? 0 : o->space;
	uint32_t sw = word_of(r, c, PTX_MOD_space);
	if (!space && sw)
		space = ptx_words[sw].space;
	static const char *const addr[] = {"[%b64_1]", "", "", "[cv]", "[gv]", "[lv]", "[p0]", "[sv]", ""};
	switch (o->kind) {
	case FO_DST: /* gradients are vectors, even of one */
		if (o->type == FT_NONE)
			return put(p, "_");
		p = put_regs(p, opd_reg_type(r, c, o), lanes(r, c, o->count), NULL);
		return o->flags & FO_PAIRREQ ? put(p, "|%pred_1") : p;
	case FO_SRC:
		if (o->flags & FO_IMMONLY)
			return put(p, o->type == FT_FIXED + PTX_T_f32 ? "0.5" : "1");
		if (o->count == FC_GEOMETRY && o->type == FT_FIXED + PTX_T_f32 && !lanes(r, c, o->count))
			return put_regs(p, PTX_T_f32, 1, NULL);
		return put_regs(p, opd_reg_type(r, c, o), lanes(r, c, o->count), NULL);
	case FO_PDST:
	case FO_PSRC:
		return put(p, "%pred_1");
	case FO_ADDR:
		return put(p, r->op == PTX_OP_tcgen05 && !space ? "[%b32_1]" : addr[space]);
	case FO_MOVSRC:
		return put_regs(p, reg_type(nth_type(r, c, 0)), 0, NULL);
	case FO_LABEL:
		return put(p, "LBL");
	case FO_CALLEE:
		return put(p, "fn");
	case FO_LIST:
		return put(p, "()");
	case FO_PROTO:
		return put(p, "proto");
	case FO_TARGETS:
		return put(p, "tgts");
	case FO_TEX:
		p = put_coords(put(p, "[tx, "), r, c, true);
		return put(p, "]");
	case FO_SURF:
		p = put_coords(put(p, "[sf, "), r, c, false);
		return put(p, "]");
	case FO_QUERY:
		return put(p, r->op == PTX_OP_suq ? "[sf]" : "[tx]");
	case FO_TENSOR: {
		uint32_t n = (uint32_t)(ptx_word_name(word_of(r, c, PTX_MOD_dim))[0] - '0');
		const char *mode = ptx_word_name(word_of(r, c, PTX_MOD_tmode));
		p = put_regs(put(p, "[%b64_1, "), PTX_T_b32, strstr(mode, "er4") ? 5 : n, NULL);
		return put(p, "]");
	}
	case FO_COORDS: {
		int n = ptx_word_name(word_of(r, c, PTX_MOD_dim))[0] - '0' - 2;
		return put_regs(p, PTX_T_b16, n > 0 ? (uint32_t)n : 1, NULL);
	}
	case FO_AMAT:
		return put(p, "%b64_1");
	default:
		return put(p, "?");
	}
}

struct edit {
	int drop, extra, swap, retype;      /* operand numbers, or -1 */
	const char *with;                   /* what `swap` becomes */
	const char *mod, *guard;            /* modifier added, guard before it */
	int type_slot;
	const char *type;                   /* ... written instead */
};

static const struct edit none = {.drop = -1, .extra = -1, .swap = -1, .retype = -1, .type_slot = -1};

static void emit(const struct form_row *r, const struct choice *c, uint32_t nopds, const struct edit *e, const char *target,
		 const char *version)
{
	static char buf[8192];
	char *p = put(put(buf, e->guard ? e->guard : ""), ptx_ops[r->op].name);
	for (uint32_t s = 0; s < r->nslots; s++) {
		if (c->word[s] < 0)
			continue;
		p = put(p, ".");
		p = put(p, e->type_slot == (int)s ? e->type : ptx_word_name(form_elems[slot(r, s)->elem + c->word[s]].word));
	}
	if (e->mod)
		p = put(put(p, "."), e->mod);
	bool first = true;
	for (uint32_t k = 0; k < nopds; k++) {
		if (e->drop == (int)k)
			continue;
		p = put(p, first ? " " : ", ");
		first = false;
		p = e->swap == (int)k ? put(p, e->with) : put_opd(p, r, c, &form_opds[r->opd + k]);
	}
	if (e->extra >= 0)
		p = put(p, first ? " %b32_1" : ", %b32_1");
	put(p, ";");
	if (target) {
		printf("%s\t%s\t%s\n", target, version, buf);
		return;
	}
	for (uint32_t i = 0; i < sizeof targets / sizeof *targets; i++)
		printf("%s\t9.0\t%s\n", targets[i], buf);
}

static void base_choice(const struct form_row *r, struct choice *c)
{
	for (uint32_t s = 0; s < r->nslots; s++)
		c->word[s] = slot(r, s)->optional ? -1 : 0;
}

static void all_types(const struct form_row *r, struct choice *c, uint32_t s, uint32_t *budget)
{
	if (!*budget)
		return;
	while (s < r->nslots && !slot(r, s)->is_type)
		s++;
	if (s >= r->nslots) {
		emit(r, c, r->max_opds, &none, NULL, NULL);
		--*budget;
		return;
	}
	int was = c->word[s];
	for (int k = slot(r, s)->optional ? -1 : 0; k < slot(r, s)->nelems; k++) {
		c->word[s] = k;
		all_types(r, c, s + 1, budget);
	}
	c->word[s] = was;
}

/* One modifier at a time, each with every type of the first type slot when that is cheap. */
static void one_at_a_time(const struct form_row *r)
{
	struct choice c;
	base_choice(r, &c);
	for (uint32_t s = 0; s < r->nslots; s++) {
		if (slot(r, s)->is_type)
			continue;
		int was = c.word[s];
		for (int k = 0; k < slot(r, s)->nelems; k++) {
			if (k == was || (slot(r, s)->nelems > 24 && k % 7))
				continue;
			c.word[s] = k;
			struct choice tied = c;
			for (uint32_t q = 0; q < r->nslots; q++)
				if (slot(r, s)->tie && slot(r, q)->tie == slot(r, s)->tie && tied.word[q] < 0)
					tied.word[q] = 0;
			uint32_t budget = 6;
			all_types(r, &tied, 0, &budget);
			/* a second optional modifier with it */
			uint32_t q = rnd(r->nslots);
			if (q != s && !slot(r, q)->is_type && tied.word[q] < 0 && !slot(r, q)->tie) {
				tied.word[q] = (int)rnd(slot(r, q)->nelems);
				emit(r, &tied, r->max_opds, &none, NULL, NULL);
			}
		}
		c.word[s] = was;
	}
	for (uint32_t n = r->min_opds; n < r->max_opds; n++)
		emit(r, &c, n, &none, NULL, NULL);
}

/* A target that takes the row. */
static const char *target_of(const struct form_row *r, uint32_t nth)
{
	const char *req = form_reqs[r->req];
	if (strstr(req, "90a"))
		return "90a";
	if (strstr(req, "120a") && !strstr(req, "100a"))
		return "120a";
	return (req[0] == '1' && req[1] != '0' ? 0 : strlen(req) > 2) ? "100a" : targets[nth % 2 + 1];
}

/* Each operand as everything that may be written in its place; guards. */
static void operands(const struct form_row *r, uint32_t nth)
{
	static const char *const places[] = {"%pred_1", "!%pred_1", "%b8_1", "%u8_1", "%s8_1", "%b16_1", "%u16_1", "%s16_1", "%f16_1", "%b32_1", "%u32_1",
		"%s32_1", "%f32_1", "%f16x2_1", "%b64_1", "%u64_1", "%s64_1", "%f64_1", "%b128_1", "%v2", "%v2.x", "%v2.y", "-%s32_1", "-%f32_1",
		"_", "%tid.x", "%tid", "%laneid", "%clock64", "WARP_SZ", "gv", "sv", "cv", "lv", "p0", "fn", "tx", "LBL", "nowhere", "gv+4", "sv+4",
		"%b32_1+4", "%u64_1+-8", "0", "1", "-1", "2", "7", "16", "31", "32", "33", "64", "127", "128", "255", "256", "0xffffffff",
		"0x100000000", "-2147483649", "3U", "(1+2)", "1<<3", "0.0", "1.0", "1.5", "-0.5", "1e30", "0f3F800000", "0d3FF0000000000000",
		"{%b32_1}", "{%b32_1,%b32_2}", "{%f32_1,%f32_2}", "{%b32_1,%f32_2,%b32_0,%b32_3}", "{%u32_1,%f32_2}", "{%u16_1,%b16_2}", "{1,2}",
		"{%f64_1,%f64_2}", "[gv]", "[gv+4]", "[gv+-4]", "[sv]", "[sv+8]", "[cv]",
		"[lv]", "[p0]", "[p0+4]", "[%b64_1]", "[%b64_1+8]", "[%b32_1]", "[%u32_1+4]", "[%u16_1]", "[%f32_1]", "[%pred_1]", "[16]", "[fn]", "[tx]", "[sf]",
		"[tx, {%f32_0}]"};
	struct choice c;
	base_choice(r, &c);
	const char *t = target_of(r, nth);
	for (uint32_t s = 0; s < r->nslots; s++)
		if (slot(r, s)->is_type && c.word[s] >= 0)
			c.word[s] = (int)rnd(slot(r, s)->nelems);
	for (uint32_t k = 0; k < r->max_opds; k++) {
		for (uint32_t i = 0; i < sizeof places / sizeof *places; i++) {
			struct edit e = none;
			e.swap = (int)k;
			e.with = places[i];
			emit(r, &c, r->max_opds, &e, t, "9.0");
		}
	}
	static const char *const guards[] = {"@%pred_1 ", "@!%pred_2 ", "@%b32_1 ", "@%pred_9 "};
	for (uint32_t i = 0; i < sizeof guards / sizeof *guards; i++) {
		struct edit e = none;
		e.guard = guards[i];
		emit(r, &c, r->max_opds, &e, t, "9.0");
	}
}

static void neighbours(const struct form_row *r, uint32_t nth)
{
	static const char *const wrong[] = {"%f64_1", "%b8_1", "%pred_1", "%b64_1", "%f32_1", "%b16_1", "%f16_1", "%s32_1", "1", "1.5", "gv",
		"[gv]", "{%b32_1,%b32_2}", "%tid.x", "-1", "0x1ffffffff", "!%pred_1", "0f3F800000", "%v2.x", "%v2"};
	struct choice c;
	base_choice(r, &c);
	for (uint32_t s = 0; s < r->nslots; s++)
		if (slot(r, s)->is_type)
			c.word[s] = (int)rnd(slot(r, s)->nelems);
	const char *t = target_of(r, nth);
	struct edit e = none;
	for (uint32_t k = 0; k < r->max_opds; k++) {
		e = none;
		e.drop = (int)k;
		emit(r, &c, r->max_opds, &e, t, "9.0");
		for (uint32_t i = 0; i < 4; i++) {
			e = none;
			e.swap = (int)k;
			e.with = wrong[rnd(sizeof wrong / sizeof *wrong)];
			emit(r, &c, r->max_opds, &e, t, "9.0");
		}
	}
	e = none;
	e.extra = 1;
	emit(r, &c, r->max_opds, &e, t, "9.0");
	for (uint32_t i = 0; i < 8; i++) { /* a word of another row of the opcode */
		const struct form_row *o = &form_rows[ptx_ops[r->op].row + rnd(ptx_ops[r->op].nrows)];
		if (!o->nslots)
			continue;
		const struct form_slot *fs = slot(o, rnd(o->nslots));
		e = none;
		e.mod = ptx_word_name(form_elems[fs->elem + rnd(fs->nelems)].word);
		emit(r, &c, r->max_opds, &e, t, "9.0");
	}
	for (uint32_t s = 0; s < r->nslots; s++) {
		for (uint32_t i = 0; slot(r, s)->is_type && i < 4; i++) {
			e = none;
			e.type_slot = (int)s;
			e.type = ptx_type_name(1 + rnd(PTX_T_texref - 1));
			emit(r, &c, r->max_opds, &e, t, "9.0");
		}
	}
	for (uint32_t s = 0; s < r->nslots; s++) { /* a required modifier left out */
		if (slot(r, s)->optional)
			continue;
		struct choice m = c;
		m.word[s] = -1;
		emit(r, &m, r->max_opds, &none, t, "9.0");
	}
}

static void versions(const struct form_row *r)
{
	struct choice c;
	base_choice(r, &c);
	const char *req = form_reqs[r->req];
	char target[16];
	snprintf(target, sizeof target, "%.*s", (int)strcspn(req, " "), req);
	if (atoi(target) < 20)
		snprintf(target, sizeof target, "20");
	static const uint8_t known[] = {20, 21, 22, 23, 30, 31, 32, 40, 41, 42, 43, 50, 60, 61, 62, 63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77,
		78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90};
	for (uint32_t i = 1; i < sizeof known; i++) {
		char v[8];
		if (known[i] != r->ver)
			continue;
		snprintf(v, sizeof v, "%d.%d", r->ver / 10, r->ver % 10);
		emit(r, &c, r->max_opds, &none, target, v);
		snprintf(v, sizeof v, "%d.%d", known[i - 1] / 10, known[i - 1] % 10);
		emit(r, &c, r->max_opds, &none, target, v);
	}
}

int main(int argc, char **argv)
{
	bool vers = argc > 1 && !strcmp(argv[1], "versions"), opds = argc > 1 && !strcmp(argv[1], "operands");
	static bool seen[PTX_FORM_COUNT][8]; /* a row or two of each form, by how many operands it has */
	for (uint32_t op = 1; op < PTX_OP_COUNT; op++) {
		for (uint32_t i = 0; i < ptx_ops[op].nrows; i++) {
			const struct form_row *r = &form_rows[ptx_ops[op].row + i];
			seed = form_hash(r->text, strlen(r->text)); /* a row's cases do not depend on other rows */
			if (vers) {
				versions(r);
				continue;
			}
			if (opds) {
				bool *s = &seen[r->form][r->max_opds & 7];
				if (!*s || rnd(64) == 0)
					operands(r, i);
				*s = true;
				continue;
			}
			struct choice c;
			base_choice(r, &c);
			uint32_t budget = 150;
			all_types(r, &c, 0, &budget);
			one_at_a_time(r);
			neighbours(r, i);
		}
	}
	return 0;
}
