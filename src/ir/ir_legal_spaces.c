/* ir_legal_spaces: shared memory beyond the LDS of a workgroup, and isspacep of spaces that lie in global memory.
 *
 * requires: inlining done, before ir_legal_atomic; m->target, m->dynamic_shared (the most that launches ask for).
 * ensures: the shared variables left fit the LDS; no `isspace` but of shared, local, global.
 *
 * Where a kernel's shared memory does not fit, a shared address is an offset in a window: below the LDS size it is one in the LDS, from
 * there on one in a region of global memory that belongs to the workgroup. Variables with most accesses a byte stay in the LDS (accesses
 * weigh 8 for each loop around them), dynamic shared memory follows them and runs on into the region, the other variables come after it.
 * An access whose variable is known becomes an LDS or a global one; others choose for each lane and become generic ones. The memory
 * model's barriers and fences make global memory as visible to the workgroup as LDS is.
 *
 * Regions are slots of a pool in the module. A workgroup's first thread takes one by compare-and-swap and leaves its address in the LDS;
 * the last threads to exit give it back. Such a kernel takes all LDS of a workgroup, so no more than two workgroups of one run on a
 * work-group processor, and the pool has a slot for each; were there fewer, workgroups would wait for those that run. */
#include "amd/amd.h"
#include "ir/ir_emit.h"

enum { SLOTS = 96, FIRST_SLOTS = 64, MAX_SHARED = 320 * 1024, REGION_ALIGN = 256 };
/* The control words in LDS: the region's address, the slot, threads that have exited. */
enum { CTL_BASE = 0, CTL_SLOT = 8, CTL_EXITED = 12, CTL_BYTES = 16 };

typedef struct ir_inst I;
typedef struct ir_cursor C;

/* Where a value comes from: the address of a variable (v; NULL: dynamic shared memory), none, or anything. */
enum kind { TOP, IN_VAR, ANY };
struct origin {
	uint8_t kind;
	struct ir_var *v;
};

struct placed {
	struct ir_var *v;
	double weight;
	uint64_t offset; /* in the window, where it is in the region */
	bool outside;
};

/* An instruction to rewrite, and where its address is: in LDS, in the region, or somewhere. */
enum side { IN_LDS, IN_REGION, UNKNOWN };
struct work {
	I *i;
	enum side side;
};

struct spaces {
	struct ir_func *f;
	struct ir_module *m;
	struct origin *of; /* by id */
	VEC(struct placed) vars;
	VEC(struct work) work;
	bool dynamic, mixed /* differences between variables */;
	uint64_t lds, region; /* bytes */
	I *base;              /* the region's address */
};

/* --- provenance --- */

static struct origin get(const struct spaces *s, const I *x)
{
	if (x->op == IR_undef)
		return (struct origin){TOP, NULL};
	return x->op == IR_const ? (struct origin){ANY, NULL} : s->of[x->id];
}

static struct origin meet(struct origin a, struct origin b)
{
	if (a.kind == TOP)
		return b;
	if (b.kind == TOP || (a.kind == b.kind && a.v == b.v))
		return a;
	return (struct origin){ANY, NULL};
}

static struct origin sum(struct spaces *s, struct origin a, struct origin b, bool sub)
{
	if (a.kind == TOP || b.kind == TOP)
		return a.kind == TOP ? b : a;
	if (b.kind == IN_VAR && (a.kind == IN_VAR || sub)) {
		s->mixed |= a.kind != IN_VAR || a.v != b.v;
		return (struct origin){ANY, NULL};
	}
	return b.kind == IN_VAR ? b : a;
}

static struct origin origin_of(struct spaces *s, const I *i)
{
	struct origin r = {ANY, NULL};
	struct ir_var *v = i->sym;
	switch (i->op) {
	case IR_symaddr:
		if (v->space == IR_SHARED)
			r = (struct origin){IN_VAR, v->dynamic ? NULL : v};
		return r;
	case IR_dynshared:
		return (struct origin){IN_VAR, NULL};
	case IR_add:
	case IR_or:
	case IR_sub:
		return sum(s, get(s, i->args[0]), get(s, i->args[1]), i->op == IR_sub);
	case IR_and:
		return i->args[1]->op == IR_const ? get(s, i->args[0]) : r;
	case IR_zext:
	case IR_sext:
	case IR_trunc:
	case IR_vcopy:
		return get(s, i->args[0]);
	case IR_phi:
		r.kind = TOP;
		for (uint32_t k = 0; k < i->nargs; k++)
			r = meet(r, get(s, i->args[k]));
		return r;
	case IR_select:
		return meet(get(s, i->args[1]), get(s, i->args[2]));
	default:
		return r;
	}
}

static void propagate(struct spaces *s)
{
	bool changed;
	s->of = NEWN(s->f->arena, struct origin, s->f->ninsts);
	do {
		changed = false;
		ir_each_block(b, s->f) ir_each_inst(i, b) {
			if (i->width < 32)
				continue;
			struct origin o = meet(s->of[i->id], origin_of(s, i));
			if (o.kind != s->of[i->id].kind || o.v != s->of[i->id].v) {
				s->of[i->id] = o;
				changed = true;
			}
		}
	} while (changed);
}

/* --- what there is, and where it goes --- */

static bool is_access(const I *i)
{
	return i->op == IR_load || i->op == IR_store || i->op == IR_atom;
}

static struct placed *find(struct spaces *s, const struct ir_var *v)
{
	for (uint32_t k = 0; k < s->vars.len; k++)
		if (s->vars.data[k].v == v)
			return &s->vars.data[k];
	return NULL;
}

static void collect(struct spaces *s)
{
	ir_each_block(b, s->f) ir_each_inst(i, b) {
		struct ir_var *v = i->op == IR_symaddr ? i->sym : NULL;
		s->dynamic |= i->op == IR_dynshared || (v && v->space == IR_SHARED && v->dynamic);
		if (v && v->space == IR_SHARED && !v->dynamic && !find(s, v))
			vec_push(s->f->arena, &s->vars, (struct placed){.v = v, .weight = v->pinned ? 1e30 : 1});
	}
}

/* Room for the variable wherever alignment, which later passes may raise to 16, puts it. */
static uint64_t room(const struct ir_var *v)
{
	uint64_t align = v->align > 16 ? v->align : 16;
	return (v->size + align - 1) / align * align + (align > 16 ? align - 16 : 0);
}

static uint64_t total_room(const struct spaces *s)
{
	uint64_t n = s->dynamic ? s->m->dynamic_shared : 0;
	for (uint32_t k = 0; k < s->vars.len; k++)
		n += room(s->vars.data[k].v);
	return n;
}

static void weigh(struct spaces *s)
{
	ir_each_block(b, s->f) ir_each_inst(i, b) {
		double w = 1;
		if (!is_access(i) || i->mem.space != IR_SHARED)
			continue;
		for (uint32_t d = b->loop ? b->loop->depth : 0; d && w < 1e9; d--)
			w *= 8;
		struct origin o = get(s, i->args[0]);
		struct placed *p = o.kind == IN_VAR && o.v ? find(s, o.v) : NULL;
		if (p)
			p->weight += w;
	}
}

static bool before(const struct placed *a, const struct placed *b)
{
	return a->weight * (double)(b->v->size + 1) > b->weight * (double)(a->v->size + 1);
}

static void place_all(struct spaces *s)
{
	uint64_t at = CTL_BYTES;
	for (uint32_t k = 1; k < s->vars.len; k++) { /* few; stable */
		struct placed p = s->vars.data[k];
		uint32_t n = k;
		for (; n && before(&p, &s->vars.data[n - 1]); n--)
			s->vars.data[n] = s->vars.data[n - 1];
		s->vars.data[n] = p;
	}
	for (uint32_t k = 0; k < s->vars.len; k++) {
		struct placed *p = &s->vars.data[k];
		p->outside = at + room(p->v) > s->lds;
		if (!p->outside)
			at += room(p->v);
	}
	at += s->dynamic ? s->m->dynamic_shared : 0;
	if (at < s->lds)
		at = s->lds;
	for (uint32_t k = 0; k < s->vars.len; k++) {
		struct placed *p = &s->vars.data[k];
		if (!p->outside)
			continue;
		uint64_t align = p->v->align > 16 ? p->v->align : 16;
		p->offset = at = (at + align - 1) / align * align;
		at += p->v->size;
	}
	s->region = (at - s->lds + REGION_ALIGN - 1) / REGION_ALIGN * REGION_ALIGN;
}

/* --- taking and giving back a slot --- */

struct pool {
	struct ir_var *locks, *memory;
	uint64_t stride;
};

/* The loop of the workgroup's first thread; leaves the words for the others in the LDS and goes on in `then`. */
static void take_slot(C *c, const struct pool *pool, struct ir_var *ctl, struct ir_block *then)
{
	struct ir_func *f = c->f;
	struct ir_block *loop = ir_block_new(f), *next = ir_block_new(f), *got = ir_block_new(f);
	I *group = ir_b2(c, IR_add, 32, ir_sreg32(c, IR_SREG_CTAID_X), ir_b2(c, IR_add, 32, ir_sreg32(c, IR_SREG_CTAID_Y), ir_sreg32(c, IR_SREG_CTAID_Z)));
	I *first = ir_b2(c, IR_and, 32, group, ir_k32(c, FIRST_SLOTS - 1)), *locks = ir_address_of(c, pool->locks);
	ir_br(c, loop);
	c->block = loop;
	I *slot = ir_inst_new(f, IR_phi, 32, 2);
	slot->line = c->line;
	slot->args[0] = slot->args[1] = ir_undef(f, 32); /* until the loop is there */
	ir_append(loop, slot);
	struct ir_mem cas = ir_word(IR_GLOBAL, 32, IR_ACQUIRE, IR_ATOM_CAS);
	I *lock = ir_b2(c, IR_add, 64, locks, ir_b1(c, IR_zext, 64, ir_b2(c, IR_shl, 32, slot, ir_k32(c, 2))));
	I *was = ir_access(c, IR_atom, 32, cas, lock, 0, ir_k32(c, 1), ir_k32(c, 0));
	ir_condbr(c, ir_cmp(c, IR_icmp, IRC_EQ, was, ir_k32(c, 0)), got, next);
	c->block = next;
	I *more = ir_b2(c, IR_add, 32, slot, ir_k32(c, 1));
	slot->args[0] = first;
	slot->args[1] = ir_select(c, ir_cmp(c, IR_icmp, IRC_EQ, more, ir_k32(c, SLOTS)), ir_k32(c, 0), more);
	ir_br(c, loop);
	c->block = got;
	I *words = ir_address_of(c, ctl);
	I *start = ir_b2(c, IR_umulwide, 64, slot, ir_k32(c, pool->stride));
	ir_access(c, IR_store, 0, ir_word(IR_SHARED, 64, IR_WEAK, 0), words, CTL_BASE, ir_b2(c, IR_add, 64, ir_address_of(c, pool->memory), start), NULL);
	ir_access(c, IR_store, 0, ir_word(IR_SHARED, 32, IR_WEAK, 0), words, CTL_SLOT, slot, NULL);
	ir_access(c, IR_store, 0, ir_word(IR_SHARED, 32, IR_WEAK, 0), words, CTL_EXITED, ir_k32(c, 0), NULL);
	ir_br(c, then);
}

/* At the kernel's start. */
static void begin(struct spaces *s, const struct pool *pool, struct ir_var *ctl)
{
	struct ir_func *f = s->f;
	struct ir_block *head = f->blocks.data[0], *rest = ir_split(f, head->first), *take = ir_block_new(f), *then = ir_block_new(f);
	C c = {f, head, NULL, f->line};
	ir_condbr(&c, ir_first_thread(&c), take, then);
	c.block = take;
	take_slot(&c, pool, ctl, then);
	c.block = then;
	ir_barrier_at(&c);
	ir_fence_at(&c, IR_ACQUIRE, IR_SCOPE_GPU); /* no cache may hold what another workgroup had there */
	I *base = ir_access(&c, IR_load, 64, ir_word(IR_SHARED, 64, IR_WEAK, 0), ir_address_of(&c, ctl), CTL_BASE, NULL, NULL);
	s->base = ir_b1(&c, IR_readfirstlane, 64, base);
	ir_br(&c, rest);
}

/* Every exit goes here: with the last thread the slot goes back. */
static void end(struct spaces *s, const struct pool *pool, struct ir_var *ctl)
{
	struct ir_block *done = ir_block_new(s->f);
	C c = ir_common_exit(s->f);
	ir_fence_at(&c, IR_RELEASE, IR_SCOPE_GPU);
	I *words = ir_address_of(&c, ctl);
	ir_last_thread(&c, words, CTL_EXITED, done);
	I *slot = ir_access(&c, IR_load, 32, ir_word(IR_SHARED, 32, IR_WEAK, 0), words, CTL_SLOT, NULL, NULL);
	I *lock = ir_b2(&c, IR_add, 64, ir_address_of(&c, pool->locks), ir_b1(&c, IR_zext, 64, ir_b2(&c, IR_shl, 32, slot, ir_k32(&c, 2))));
	ir_access(&c, IR_store, 0, ir_word(IR_GLOBAL, 32, IR_RELEASE, 0), lock, 0, ir_k32(&c, 0), NULL);
	ir_br(&c, done);
	c.block = done;
	ir_end(&c, IR_exit);
}

/* --- rewriting --- */

static I *in_region(struct spaces *s, C *c, I *offset)
{
	return ir_b2(c, IR_add, 64, s->base, ir_b1(c, IR_zext, 64, ir_b2(c, IR_sub, 32, offset, ir_k32(c, s->lds))));
}

static I *to_generic(struct spaces *s, C *c, I *offset)
{
	I *low = offset->width > 32 ? ir_b1(c, IR_trunc, 32, offset) : offset;
	I *lds = ir_bn(c, IR_togeneric, 64, IR_SHARED, &low, 1);
	return ir_select(c, ir_cmp(c, IR_icmp, IRC_ULT, low, ir_k32(c, s->lds)), lds, in_region(s, c, low));
}

static I *region_test(struct spaces *s, C *c, I *generic)
{
	return ir_cmp(c, IR_icmp, IRC_ULT, ir_b2(c, IR_sub, 64, generic, s->base), ir_const(c->f, 64, s->region));
}

static enum side side_of(struct spaces *s, const I *i)
{
	struct origin o = i->nargs ? get(s, i->args[0]) : (struct origin){ANY, NULL};
	const struct placed *p = o.kind == IN_VAR && o.v && !s->mixed ? find(s, o.v) : NULL;
	return !p ? UNKNOWN : p->outside ? IN_REGION : IN_LDS;
}

static void rewrite_access(struct spaces *s, I *i, enum side side)
{
	if (side == IN_LDS)
		return;
	C c = ir_at(s->f, i);
	I *at = ir_b2(&c, IR_add, 32, i->args[0], ir_k32(&c, i->imm));
	i->args[0] = side == IN_REGION ? in_region(s, &c, at) : to_generic(s, &c, at);
	i->imm = 0;
	i->mem.space = side == IN_REGION ? IR_GLOBAL : IR_GENERIC;
	i->mem.keep_subnormals = true;
}

static I *rewrite_value(struct spaces *s, I *i, enum side side)
{
	C c = ir_at(s->f, i);
	I *x = i->args[0], *lds, *at, *near;
	switch (i->op) {
	case IR_togeneric:
		return side == IN_LDS ? NULL : to_generic(s, &c, x);
	case IR_tospace:
		/* also of addresses to in front of either, to which offsets will be added */
		at = ir_b2(&c, IR_sub, 64, x, s->base);
		near = ir_cmp(&c, IR_icmp, IRC_ULT, ir_b2(&c, IR_add, 64, at, ir_const(s->f, 64, UINT64_C(1) << 31)), ir_const(s->f, 64, UINT64_C(1) << 32));
		at = ir_b2(&c, IR_add, 32, ir_b1(&c, IR_trunc, 32, at), ir_k32(&c, s->lds));
		return ir_select(&c, near, at, ir_bn(&c, IR_tospace, 32, IR_SHARED, &x, 1));
	default:
		lds = ir_bn(&c, IR_isspace, 1, i->imm, &x, 1);
		if (i->imm == IR_GLOBAL)
			return ir_b2(&c, IR_and, 1, lds, ir_b1(&c, IR_not, 1, region_test(s, &c, x)));
		return ir_b2(&c, IR_or, 1, lds, region_test(s, &c, x));
	}
}

static bool is_value(const I *i)
{
	if (i->op == IR_isspace)
		return i->imm == IR_SHARED || i->imm == IR_GLOBAL;
	return (i->op == IR_togeneric || i->op == IR_tospace) && i->imm == IR_SHARED;
}

/* An addition through a generic pointer keeps subnormals where it is to shared memory. */
static void rewrite_addition(struct spaces *s, I *i)
{
	C c = ir_at(s->f, i);
	I **args = NEWN(s->f->arena, I *, 3), *lds = ir_bn(&c, IR_isspace, 1, IR_SHARED, i->args, 1);
	args[0] = i->args[0];
	args[1] = i->args[1];
	args[2] = ir_b2(&c, IR_or, 1, lds, region_test(s, &c, i->args[0]));
	i->args = args;
	i->nargs = 3;
}

static bool is_addition(const I *i)
{
	return i->op == IR_atom && i->mem.space == IR_GENERIC && i->mem.atom == IR_ATOM_FADD && i->mem.bits == 32 && i->nargs == 2;
}

/* What there is to do is found before the variables' addresses, which tell it, become constants. */
static void find_work(struct spaces *s, struct ir_block **old, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		ir_each_inst(i, old[k])
			if (is_value(i) || is_addition(i) || (is_access(i) && i->mem.space == IR_SHARED))
				vec_push(s->f->arena, &s->work, (struct work){i, side_of(s, i)});
}

static void replace_addresses(struct spaces *s, struct ir_block **old, uint32_t n)
{
	struct ir_fwd fwd = ir_fwd_new(s->f);
	for (uint32_t k = 0; k < n; k++)
		ir_each_inst_safe(i, old[k])
		{
			struct placed *p = i->op == IR_symaddr ? find(s, i->sym) : NULL;
			if (!p || !p->outside)
				continue;
			ir_fwd_set(s->f, &fwd, i, ir_const(s->f, 32, p->offset + i->imm));
			ir_remove(i);
		}
	ir_fwd_apply(s->f, &fwd);
}

static void rewrite_all(struct spaces *s)
{
	struct ir_fwd fwd = ir_fwd_new(s->f);
	for (uint32_t k = 0; k < s->work.len; k++) {
		I *i = s->work.data[k].i, *by;
		ir_fwd_args(&fwd, i);
		if (is_addition(i)) {
			rewrite_addition(s, i);
		} else if (is_access(i)) {
			rewrite_access(s, i, s->work.data[k].side);
		} else if ((by = rewrite_value(s, i, s->work.data[k].side))) {
			ir_fwd_set(s->f, &fwd, i, by);
			ir_remove(i);
		}
	}
	ir_fwd_apply(s->f, &fwd);
}

/* --- isspacep of what lies in global memory --- */

static I *within(C *c, I *x, I *start, uint64_t size)
{
	return ir_cmp(c, IR_icmp, IRC_ULT, ir_b2(c, IR_sub, 64, x, start), ir_const(c->f, 64, size));
}

/* Is it in one of the module's constants? */
static I *in_constants(C *c, I *x)
{
	I *r = ir_const(c->f, 1, 0);
	for (uint32_t k = 0; k < c->f->module->vars.len; k++) {
		struct ir_var *v = c->f->module->vars.data[k];
		if (v->space == IR_CONST)
			r = ir_b2(c, IR_or, 1, r, within(c, x, ir_address_of(c, v), v->size));
	}
	return r;
}

static void lower_isspace(struct ir_func *f)
{
	struct ir_fwd fwd = ir_fwd_new(f);
	bool any = false;
	ir_each_block(b, f) ir_each_inst_safe(i, b)
	{
		if (i->op != IR_isspace || (i->imm != IR_CONST && i->imm != IR_PARAM && i->imm != IR_GLOBAL))
			continue;
		C c = ir_at(f, i);
		I *r;
		if (i->imm == IR_PARAM)
			r = within(&c, i->args[0], ir_bn(&c, IR_paramaddr, 64, 0, NULL, 0), f->param_bytes);
		else
			r = in_constants(&c, i->args[0]);
		if (i->imm == IR_GLOBAL)
			r = ir_b2(&c, IR_and, 1, ir_bn(&c, IR_isspace, 1, IR_GLOBAL, i->args, 1), ir_b1(&c, IR_not, 1, r));
		ir_fwd_set(f, &fwd, i, r);
		ir_remove(i);
		any = true;
	}
	if (any)
		ir_fwd_apply(f, &fwd);
}

/* --- the module --- */

static bool overflows(struct spaces *s)
{
	collect(s);
	if (total_room(s) <= s->lds)
		return false;
	if (total_room(s) <= MAX_SHARED)
		return true;
	struct strbuf sb;
	sb_init(&sb, s->f->arena);
	if (s->dynamic)
		sb_printf(&sb, "dynamic %u", s->m->dynamic_shared);
	for (uint32_t k = 0; k < s->vars.len; k++)
		sb_printf(&sb, "%s'%s' %llu", k || s->dynamic ? ", " : "", s->vars.data[k].v->name, (unsigned long long)s->vars.data[k].v->size);
	diag_error(s->m->diags, s->f->line, "kernel '%s' uses too much shared data (0x%llx bytes, 0x%x max): %s", s->f->name,
	           (unsigned long long)total_room(s), MAX_SHARED, sb_str(&sb));
	return false;
}

static void lower(struct spaces *s, const struct pool *pool)
{
	struct ir_func *f = s->f;
	struct ir_var *ctl = ir_shared_words(f, "shared.region", CTL_BYTES);
	struct ir_block **old = NEWN(f->arena, struct ir_block *, f->blocks.len + 1);
	uint32_t n = f->blocks.len;
	I *first = f->blocks.data[0]->first;
	begin(s, pool, ctl);
	memcpy(old, f->blocks.data, n * sizeof *old);
	old[0] = first->block; /* the rest of the entry */
	find_work(s, old, n);
	replace_addresses(s, old, n);
	rewrite_all(s);
	end(s, pool, ctl);
	f->shared_overflow = true;
	ir_dominators(f);
}

void ir_legal_spaces(struct ir_module *m)
{
	VEC(struct spaces) found = {0};
	struct pool pool = {.stride = 0};
	for (uint32_t k = 0; k < m->funcs.len; k++) {
		struct ir_func *f = m->funcs.data[k];
		if (f->is_decl || !f->is_kernel)
			continue;
		lower_isspace(f);
		struct spaces s = {.f = f, .m = m, .lds = m->max_lds ? m->max_lds : m->target->lds_bytes};
		if (!overflows(&s))
			continue;
		ir_dominators(f);
		ir_loops(f);
		propagate(&s);
		weigh(&s);
		place_all(&s);
		if (s.region > pool.stride)
			pool.stride = s.region;
		vec_push(m->arena, &found, s);
	}
	if (!found.len)
		return;
	pool.locks = ir_module_var(m, "ptx.shared.locks", SLOTS * 4, 4);
	pool.memory = ir_module_var(m, "ptx.shared.regions", SLOTS * pool.stride, REGION_ALIGN);
	for (uint32_t k = 0; k < found.len; k++)
		lower(&found.data[k], &pool);
}
