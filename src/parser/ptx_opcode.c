/* One distinct opcode text against the form table: which rows its modifiers fit, and how each decodes them.
 *
 * requires: nothing; runs once per distinct text of a module.
 * ensures:  o->rows are the rows that take exactly these modifiers, in table order, o->row_mods how each decodes
 *           them; or o->error says why there is none: the first modifier that no row of the opcode takes, the
 *           modifier that is missing, or the version or target that the module must have.
 * Modifiers other than types may come in any order, as NVIDIA's assembler takes them; types, state spaces and parts of
 * the instruction's name are matched in order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/parse.h"

enum { MAX_MODS = 32, MAX_ROWS = 64 };

struct mod_list {
	uint16_t word[MAX_MODS];
	struct lex_text text[MAX_MODS];
	uint32_t n;
};

/* "100a 103f 90": one of them holds. NNNf: NNN's family from NNN on, compiled for as `f` or `a`. */
bool ptx_target_ok(const struct ptx_module *m, const char *req)
{
	while (*req) {
		char *e;
		uint32_t sm = (uint32_t)strtoul(req, &e, 10);
		if (*e == 'a' || *e == 'f') {
			bool family = *e == 'f';
			e++;
			if (family ? m->target_suffix && m->target / 10 == sm / 10 && m->target >= sm
				   : m->target_suffix == 'a' && m->target == sm)
				return true;
		} else if (m->target >= sm) {
			return true;
		}
		req = e + (*e == ' ');
	}
	return false;
}

static uint32_t split(const struct lex_text t, struct mod_list *l, struct lex_text *op)
{
	uint32_t i = 0;
	while (i < t.n && t.p[i] != '.')
		i++;
	*op = (struct lex_text){t.p, i};
	while (i < t.n) {
		uint32_t b = ++i;
		while (i < t.n && t.p[i] != '.')
			i++;
		if (l->n == MAX_MODS)
			return 1;
		l->text[l->n] = (struct lex_text){t.p + b, i - b};
		l->word[l->n++] = (uint16_t)ptx_word_find(t.p + b, i - b);
	}
	return 0;
}

/* Fills `m` from the modifiers as row `r` takes them. *bad is the number of modifiers placed before the first that
 * the row has no place for. `why` gets a version or target message. */
struct match {
	struct ptx_mods m;
	uint32_t bad;          /* index of the modifier without a place, or n */
	int missing;           /* slot that is required and empty, or -1 */
	const char *need_ver;  /* word or NULL */
	uint8_t ver, req;
};

static const struct form_elem *elem_of(const struct form_slot *s, uint32_t word)
{
	for (uint32_t k = 0; k < s->nelems; k++)
		if (form_elems[s->elem + k].word == word)
			return &form_elems[s->elem + k];
	return NULL;
}

/* Whether the target meets form_reqs[req], kept once known. */
static bool req_ok(struct parse *P, uint32_t req)
{
	uint8_t *known = &P->req_known[req];
	if (!*known)
		*known = ptx_target_ok(P->mod, form_reqs[req]) ? 1 : 2;
	return *known == 1;
}

static bool older(struct parse *P, uint32_t ver, uint32_t req)
{
	return (ver && P->mod->version < ver) || (req && !req_ok(P, req));
}

static void note_need(struct parse *P, struct match *t, uint32_t ver, uint32_t req, const char *word)
{
	if (t->ver || t->req || !older(P, ver, req))
		return;
	t->need_ver = word;
	if (ver && P->mod->version < ver)
		t->ver = (uint8_t)ver;
	else
		t->req = (uint8_t)req;
}

static bool ties_hold(const struct form_row *r, uint32_t used)
{
	for (uint32_t s = 0; s < r->nslots; s++) {
		uint32_t tie = form_slots[r->slot + s].tie;
		if (!tie)
			continue;
		for (uint32_t q = 0; q < r->nslots; q++)
			if (form_slots[r->slot + q].tie == tie && (used >> s & 1) != (used >> q & 1))
				return false;
	}
	return true;
}

static bool is_space(const struct form_slot *s)
{
	return !s->is_type && (s->field == PTX_MOD_space || s->field == PTX_MOD_dspace);
}

/* Parts of the name stand before all other modifiers, and like state spaces in the order of the row. */
static bool in_order(const struct form_row *r, uint32_t slot, uint32_t used, uint32_t index)
{
	const struct form_slot *fs = &form_slots[r->slot + slot];
	uint32_t before = 0;
	if (!fs->name && !is_space(fs))
		return true;
	for (uint32_t q = 0; q < r->nslots; q++) {
		const struct form_slot *o = &form_slots[r->slot + q];
		bool taken = used >> q & 1;
		if (fs->name ? !o->name : !is_space(o))
			continue;
		if (q > slot && taken)
			return false;
		if (fs->name && q < slot && !taken && !o->optional)
			return false;
		before += taken;
	}
	return !fs->name || before == index;
}

/* A word that may be written again, and was. */
static bool repeated(const struct form_row *r, uint32_t word, uint32_t used, const struct ptx_mods *m)
{
	for (uint32_t s = 0; s < r->nslots && ptx_words[word].repeat; s++)
		if (used >> s & 1 && m->mod[form_slots[r->slot + s].field] == word)
			return true;
	return false;
}

static void match_row(struct parse *P, const struct form_row *r, const struct mod_list *l, struct match *t)
{
	uint32_t used = 0, type_slot = 0;
	*t = (struct match){.bad = l->n, .missing = -1};
	t->m.op = r->op;
	t->m.vec = 1;
	note_need(P, t, r->ver, r->req, NULL);
	for (uint32_t i = 0; i < l->n; i++) {
		bool is_type = ptx_words[l->word[i]].type, placed = false;
		for (uint32_t s = is_type ? type_slot : 0; s < r->nslots && !placed; s++) {
			const struct form_slot *fs = &form_slots[r->slot + s];
			if (fs->is_type != is_type || used >> s & 1 || !in_order(r, s, used, i))
				continue;
			const struct form_elem *e = l->word[i] ? elem_of(fs, l->word[i]) : NULL;
			if (!e) {
				if (is_type && !fs->optional)
					break;
				continue;
			}
			placed = true;
			used |= 1u << s;
			note_need(P, t, e->ver, e->req, ptx_words[e->word].name);
			if (is_type) {
				type_slot = s + 1;
				t->m.types[t->m.ntypes++] = ptx_words[e->word].type;
			} else {
				t->m.mod[fs->field] = e->word;
			}
		}
		if (!placed && !repeated(r, l->word[i], used, &t->m)) {
			t->bad = i;
			return;
		}
	}
	for (uint32_t s = 0; s < r->nslots && t->missing < 0; s++)
		if (!form_slots[r->slot + s].optional && !(used >> s & 1))
			t->missing = (int)s;
	if (t->missing < 0 && !ties_hold(r, used))
		t->missing = 0;
	t->m.space = t->m.mod[PTX_MOD_space] ? ptx_words[t->m.mod[PTX_MOD_space]].space : PTX_SPACE_NONE;
	uint32_t v = t->m.mod[PTX_MOD_vec];
	t->m.vec = v ? (uint8_t)(ptx_words[v].name[1] - '0') : 1;
}

static const char *version_text(struct parse *P, const struct match *t, const char *op)
{
	const char *what = t->need_ver ? arena_printf(P->arena, "Modifier '.%s'", t->need_ver)
				       : arena_printf(P->arena, "Instruction '%s'", op);
	if (t->ver)
		return arena_printf(P->arena, "%s requires PTX ISA .version %u.%u or later", what, t->ver / 10u, t->ver % 10u);
	const char *req = form_reqs[t->req];
	int n = (int)strcspn(req, " ");
	return arena_printf(P->arena, "%s requires .target sm_%.*s or higher", what, n, req);
}

/* ptxas words the lack of a rounding modifier, a comparison and so on by what is missing. */
static const char *missing_text(struct parse *P, const struct op_info *op, const struct form_row *r, int slot)
{
	const struct form_slot *s = &form_slots[r->slot + slot];
	if (s->is_type)
		return arena_printf(P->arena, "Unexpected instruction types specified for '%s'", op->name);
	switch (s->field) {
	case PTX_MOD_rnd:
		return arena_printf(P->arena, "Rounding modifier required for instruction '%s'", op->name);
	case PTX_MOD_cmp:
		return arena_printf(P->arena, "Comparison operator required for instruction '%s'", op->name);
	case PTX_MOD_bool:
		return arena_printf(P->arena, "Boolean operation is required for instruction '%s'", op->name);
	case PTX_MOD_op:
		return arena_printf(P->arena, "Reduction operation is required for instruction '%s'", op->name);
	default:
		return arena_printf(P->arena, "'.%s' modifier required for instruction '%s'",
				    ptx_words[form_elems[s->elem].word].name, op->name);
	}
}

static const char *no_row_text(struct parse *P, const struct op_info *op, const struct mod_list *l, uint32_t bad,
			       const struct form_row *row, int missing)
{
	if (bad >= l->n)
		return missing_text(P, op, row, missing);
	struct lex_text w = l->text[bad];
	uint32_t word = l->word[bad];
	bool part = false; /* of the instruction's name, but not where it belongs */
	for (uint32_t i = 0; i < op->nrows && word; i++)
		for (uint32_t s = 0; s < form_rows[op->row + i].nslots; s++)
			part |= form_slots[form_rows[op->row + i].slot + s].name && elem_of(&form_slots[form_rows[op->row + i].slot + s], word);
	if (!word || part)
		return arena_printf(P->arena, "Unknown modifier '.%.*s'", (int)w.n, w.p);
	if (ptx_words[word].type)
		return arena_printf(P->arena, "Unexpected instruction types specified for '%s'", op->name);
	bool fits = false;
	for (uint32_t i = 0; i < op->nrows; i++)
		for (uint32_t s = 0; s < form_rows[op->row + i].nslots; s++)
			fits |= elem_of(&form_slots[form_rows[op->row + i].slot + s], word) != NULL;
	if (fits)
		for (uint32_t i = 0; i < l->n; i++)
			if (ptx_words[l->word[i]].type)
				return arena_printf(P->arena, "Illegal modifier '.%.*s' for instruction '%s' with type '.%s'",
						    (int)w.n, w.p, op->name, ptx_words[l->word[i]].name);
	return arena_printf(P->arena, "Illegal modifier '.%.*s' for instruction '%s'", (int)w.n, w.p, op->name);
}

/* The opcode with those of its first modifiers that are part of the instruction's name. */
static const char *full_name(struct parse *P, const struct op_info *op, const struct form_row *r, const struct mod_list *l)
{
	uint32_t n = 0, bytes = 0;
	for (uint32_t s = 0; s < r->nslots && n < l->n; s++)
		if (form_slots[r->slot + s].name && elem_of(&form_slots[r->slot + s], l->word[n]))
			bytes += l->text[n++].n + 1;
	return n ? arena_printf(P->arena, "%s%.*s", op->name, (int)bytes, l->text[0].p - 1) : op->name;
}

void ptx_opcode_match(struct parse *P, struct opcode *o)
{
	struct mod_list l = {0};
	struct lex_text name;
	bool many = split(o->text, &l, &name);
	uint32_t op = ptx_op_find(name.p, name.n);
	if (!op) {
		o->error = arena_printf(P->arena, "Not a name of any known instruction: '%.*s'", (int)name.n, name.p);
		return;
	}
	o->m.op = (uint16_t)op;
	o->m.text = o->text.p;
	const struct op_info *info = &ptx_ops[op];
	if (many) {
		o->error = arena_printf(P->arena, "Too many modifiers for instruction '%s'", info->name);
		return;
	}
	uint16_t rows[MAX_ROWS];
	const struct ptx_mods *mods[MAX_ROWS];
	uint32_t n = 0, bad = 0;
	const struct form_row *missing_row = NULL;
	struct match need = {0};
	int missing = -1;
	for (uint32_t i = 0; i < info->nrows; i++) {
		const struct form_row *r = &form_rows[info->row + i];
		struct match t;
		match_row(P, r, &l, &t);
		if (t.bad < l.n || t.missing >= 0) {
			if (t.bad >= l.n && !missing_row) {
				missing_row = r;
				missing = t.missing;
			}
			if (t.bad > bad)
				bad = t.bad;
			continue;
		}
		if (t.ver || t.req) {
			if (!need.ver && !need.req)
				need = t;
			continue;
		}
		struct ptx_mods *m = NEW(P->arena, struct ptx_mods);
		*m = t.m;
		m->text = o->text.p;
		rows[n] = (uint16_t)(info->row + i);
		mods[n++] = m;
		if (n == MAX_ROWS)
			break;
	}
	if (!n) {
		o->bad_target = need.ver || need.req;
		o->bad_word = !o->bad_target && bad < l.n && !l.word[bad];
		o->error = o->bad_target ? version_text(P, &need, info->name)
					 : no_row_text(P, info, &l, bad, missing_row, missing);
		return;
	}
	o->nrows = (uint16_t)n;
	o->name = full_name(P, info, &form_rows[rows[0]], &l);
	o->rows = NEWN(P->arena, uint16_t, n);
	o->row_mods = NEWN(P->arena, const struct ptx_mods *, n);
	memcpy(o->rows, rows, n * sizeof *rows);
	memcpy(o->row_mods, mods, n * sizeof *mods);
}
