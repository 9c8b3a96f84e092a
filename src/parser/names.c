/* Names and scopes. A name's declarations form a stack, innermost first; closing a scope undoes its own.
 * Parameterised registers (%r<100>) are one declaration under the name without digits; a register gets its id the
 * first time a statement names it. */
#include <string.h>

#include "parser/parse.h"

static uint32_t find_slot(const struct name_table *t, const char *s, uint32_t n, uint32_t h)
{
	uint32_t i = h & (t->cap - 1);
	for (; t->slots[i]; i = (i + 1) & (t->cap - 1))
		if (t->slots[i]->hash == h && t->slots[i]->len == n && !memcmp(t->slots[i]->str, s, n))
			break;
	return i;
}

static void grow(struct parse *P, struct name_table *t)
{
	struct name_table old = *t;
	t->cap = old.cap ? old.cap * 2 : 256;
	t->slots = NEWN(P->arena, struct name *, t->cap);
	for (uint32_t i = 0; i < old.cap; i++) {
		if (!old.slots[i])
			continue;
		uint32_t j = old.slots[i]->hash & (t->cap - 1);
		while (t->slots[j])
			j = (j + 1) & (t->cap - 1);
		t->slots[j] = old.slots[i];
	}
}

struct name *ptx_name_find(struct parse *P, const char *s, uint32_t n)
{
	struct name_table *t = &P->names;
	return t->cap ? t->slots[find_slot(t, s, n, hash_bytes(s, n))] : NULL;
}

struct name *ptx_name_get(struct parse *P, const char *s, uint32_t n)
{
	struct name_table *t = &P->names;
	if ((t->used + 1) * 2 > t->cap)
		grow(P, t);
	uint32_t h = hash_bytes(s, n), i = find_slot(t, s, n, h);
	if (t->slots[i])
		return t->slots[i];
	struct name *e = NEW(P->arena, struct name);
	*e = (struct name){.str = arena_strndup(P->arena, s, n), .len = n, .hash = h};
	if (s[0] == '%')
		e->sreg = (uint16_t)ptx_sreg_find(s, n);
	t->slots[i] = e;
	t->used++;
	return e;
}

/* Length of NAME in NAMEnnn, and nnn (UINT32_MAX: too long); 0 if the text does not end in a digit. */
static uint32_t split_number(struct lex_text t, uint32_t *num)
{
	uint32_t i = t.n, v = 0, scale = 1;
	while (i > 1 && (unsigned)(t.p[i - 1] - '0') < 10) {
		v += (uint32_t)(t.p[--i] - '0') * scale;
		scale *= 10;
	}
	*num = t.n - i > 9 ? UINT32_MAX : v;
	return i == t.n ? 0 : i;
}

void ptx_name_bind(struct parse *P, struct name *n, struct binding *b, bool range)
{
	b->depth = P->scopes.len;
	if (range) {
		b->prev = n->range;
		n->range = b;
	} else {
		b->prev = n->bind;
		n->bind = b;
		uint32_t num, base = split_number((struct lex_text){n->str, n->len}, &num);
		if (base && !n->is_numbered) {
			struct name *bn = ptx_name_get(P, n->str, base);
			bn->has_numbered = n->is_numbered = true;
			n->next_numbered = bn->numbered;
			n->number = num;
			bn->numbered = n;
		}
	}
	if (P->scopes.len)
		vec_push(P->arena, &P->undos, (struct undo){n, range});
}

enum { PAGE = 256 };

uint32_t ptx_reg_id(struct parse *P, struct binding *b, struct name *n, uint32_t num)
{
	uint32_t *slot = &b->id;
	if (num != UINT32_MAX) {
		uint32_t **page = &b->pages[num / PAGE];
		if (!*page)
			*page = NEWN(P->arena, uint32_t, PAGE);
		slot = &(*page)[num % PAGE];
		if (*slot)
			return *slot - 1;
	} else if (*slot != PTX_NO_REG) {
		return *slot;
	}
	uint32_t id = P->regs.len;
	vec_push(P->arena, &P->regs, (struct ptx_reg){n->str, num, b->type, b->vec, b->line});
	*slot = num != UINT32_MAX ? id + 1 : id;
	return id;
}

/* The declaration that a use of `t` means; *num is the number of a parameterised register, else UINT32_MAX. */
static struct binding *lookup(struct parse *P, struct lex_text t, struct name **name, uint32_t *num)
{
	uint32_t base = split_number(t, num);
	struct binding *range = NULL;
	struct name *bn = base ? ptx_name_find(P, t.p, base) : NULL;
	if (bn && bn->range && *num < bn->range->count)
		range = bn->range;
	if (range && !bn->has_numbered) {
		*name = bn;
		return range;
	}
	struct name *n = ptx_name_find(P, t.p, t.n);
	if (range && (!n || !n->bind || n->bind->depth < range->depth)) {
		*name = bn;
		return range;
	}
	*name = n;
	*num = UINT32_MAX;
	return n ? n->bind : NULL;
}

struct binding *ptx_name_lookup(struct parse *P, struct lex_text t)
{
	struct name *n;
	uint32_t num;
	return lookup(P, t, &n, &num);
}

bool ptx_name_resolve(struct parse *P, struct lex_text t, struct ptx_operand *o)
{
	struct name *n;
	uint32_t num;
	struct binding *b = lookup(P, t, &n, &num);
	*o = (struct ptx_operand){0};
	if (b && b->kind == BIND_REG) {
		o->kind = PTX_OPD_REG;
		o->reg = ptx_reg_id(P, b, n, num);
		return true;
	}
	if (b && b->kind == BIND_SYM) {
		o->kind = PTX_OPD_SYM;
		o->sym = b->sym;
		return true;
	}
	uint32_t sreg = n ? n->sreg : t.p[0] == '%' ? ptx_name_get(P, t.p, t.n)->sreg : 0;
	if (sreg) {
		o->kind = PTX_OPD_SREG;
		o->reg = sreg;
		return true;
	}
	n = ptx_name_get(P, t.p, t.n);
	o->kind = OPD_NAME;
	o->reg = n->len;
	o->elems = (struct ptx_operand *)(void *)n;
	return false;
}

void ptx_scope_push(struct parse *P)
{
	vec_push(P->arena, &P->scopes, (struct scope){P->undos.len, P->refs.len, P->lex.line});
}

static void set_label(struct label_ref *r, uint32_t id)
{
	if (r->opd) {
		r->opd->kind = PTX_OPD_LABEL;
		r->opd->reg = id;
		r->opd->elems = NULL;
	} else {
		*r->slot = id;
	}
}

/* Label references that this scope resolves are done; the others are the enclosing scope's. */
static void resolve_labels(struct parse *P, uint32_t from)
{
	uint32_t keep = from;
	for (uint32_t i = from; i < P->refs.len; i++) {
		struct label_ref *r = &P->refs.data[i];
		struct binding *b = r->name->bind;
		if (b && b->depth == P->scopes.len && b->kind == BIND_LABEL)
			set_label(r, b->id);
		else
			P->refs.data[keep++] = *r;
	}
	P->refs.len = keep;
}

void ptx_scope_pop(struct parse *P)
{
	struct scope s = vec_last(&P->scopes);
	resolve_labels(P, s.refs);
	while (P->undos.len > s.undo) {
		struct undo u = vec_pop(&P->undos);
		struct binding **b = u.range ? &u.name->range : &u.name->bind;
		*b = (*b)->prev;
	}
	P->scopes.len--;
}

/* ---- distinct opcode texts */

static uint32_t opcode_slot(const struct opcode_table *t, struct lex_text s, uint32_t h)
{
	uint32_t i = h & (t->cap - 1);
	for (; t->slots[i]; i = (i + 1) & (t->cap - 1))
		if (t->slots[i]->hash == h && t->slots[i]->text.n == s.n && !memcmp(t->slots[i]->text.p, s.p, s.n))
			break;
	return i;
}

static void grow_opcodes(struct parse *P, struct opcode_table *t)
{
	struct opcode_table old = *t;
	t->cap = old.cap ? old.cap * 2 : 256;
	t->slots = NEWN(P->arena, struct opcode *, t->cap);
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.slots[i])
			t->slots[opcode_slot(t, old.slots[i]->text, old.slots[i]->hash)] = old.slots[i];
}

struct opcode *ptx_opcode_get(struct parse *P, struct lex_text s)
{
	struct opcode_table *t = &P->opcodes;
	if ((t->used + 1) * 2 > t->cap)
		grow_opcodes(P, t);
	uint32_t h = hash_bytes(s.p, s.n), i = opcode_slot(t, s, h);
	if (t->slots[i])
		return t->slots[i];
	struct opcode *o = NEW(P->arena, struct opcode);
	o->text = (struct lex_text){arena_strndup(P->arena, s.p, s.n), s.n};
	o->hash = h;
	t->slots[i] = o;
	t->used++;
	ptx_opcode_match(P, o);
	return o;
}
