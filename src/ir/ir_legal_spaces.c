/* ir_legal_spaces: shared memory beyond the LDS of a workgroup, local memory beyond the scratch of a wave, and isspacep of spaces that
 * lie in global memory.
 *
 * requires: inlining done, before ir_legal_atomic; m->target, m->dynamic_shared (the most that launches ask for).
 * ensures: the shared and local variables left fit; no `isspace` but of shared, local, global.
 *
 * Where a kernel's variables of a space do not fit, an address is an offset in a window: below the limit it is one in the LDS or in
 * scratch, from there on one in a region of global memory that belongs to the workgroup (shared) or to the thread (local). Variables with
 * most accesses a byte stay (accesses weigh 8 for each loop around them), dynamic shared memory follows them and runs on into the
 * region, the other variables come after it. An access whose variable is known becomes one inside or a global one; others choose for
 * each lane and become generic ones. The memory model's barriers and fences make global memory as visible to the workgroup as LDS is.
 *
 * Regions are in slots of a pool in the module (ir_slots.h), one for shared and one for local memory. A kernel with too much shared
 * memory takes all LDS of a workgroup, so no more than two workgroups of one run on a work-group processor, and that pool has a slot for
 * each. A slot of local memory holds a region for each thread of the largest block that the kernel takes; the pool has as many as
 * fit LOCAL_POOL, further workgroups wait for those that run; where all may wait for each other (ir_legal_grid) they trap. */
#include "amd/amd.h"
#include "ir/ir_slots.h"

enum { SHARED_SLOTS = 96, LOCAL_SLOTS = 96, MAX_SHARED = 320 * 1024, MIN_ALIGN = 256 };
#define LOCAL_POOL (UINT64_C(2) << 30)

typedef struct ir_inst I;
typedef struct ir_cursor C;

/* Where a value comes from: the address of a variable of the space (v; NULL: dynamic shared memory), none, or anything. */
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

/* An instruction to rewrite, and where its address is: below the limit, in the region, or somewhere. */
enum side { INSIDE, IN_REGION, UNKNOWN };
struct work {
	I *i;
	enum side side;
};

struct spaces {
	struct ir_func *f;
	struct ir_module *m;
	uint8_t space;     /* IR_SHARED, IR_LOCAL */
	struct origin *of; /* by id */
	VEC(struct placed) vars;
	VEC(struct work) work;
	bool dynamic, mixed /* differences between variables */;
	bool all_outside;
	uint64_t limit, region, align; /* bytes */
	I *base;                       /* the region's address */
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
		if (v->space == s->space)
			r = (struct origin){IN_VAR, v->dynamic ? NULL : v};
		return r;
	case IR_dynshared:
		return s->space == IR_SHARED ? (struct origin){IN_VAR, NULL} : r;
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
		s->dynamic |= s->space == IR_SHARED && (i->op == IR_dynshared || (v && v->space == IR_SHARED && v->dynamic));
		if (v && v->space == s->space && !v->dynamic && !find(s, v))
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
		if (!is_access(i) || i->mem.space != s->space)
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

static void sort_by_weight(struct spaces *s)
{
	for (uint32_t k = 1; k < s->vars.len; k++) { /* few; stable */
		struct placed p = s->vars.data[k];
		uint32_t n = k;
		for (; n && before(&p, &s->vars.data[n - 1]); n--)
			s->vars.data[n] = s->vars.data[n - 1];
		s->vars.data[n] = p;
	}
}

static void place_all(struct spaces *s)
{
	uint64_t at = s->space == IR_SHARED ? IR_SLOT_BYTES : 0;
	sort_by_weight(s);
	s->align = MIN_ALIGN;
	s->all_outside = !s->dynamic;
	for (uint32_t k = 0; k < s->vars.len; k++) {
		struct placed *p = &s->vars.data[k];
		p->outside = at + room(p->v) > s->limit;
		s->all_outside &= p->outside;
		if (!p->outside)
			at += room(p->v);
		else if (p->v->align > s->align)
			s->align = p->v->align;
	}
	if (!s->dynamic)
		s->limit = (s->limit + s->align - 1) / s->align * s->align;
	at += s->dynamic ? s->m->dynamic_shared : 0;
	if (at < s->limit)
		at = s->limit;
	for (uint32_t k = 0; k < s->vars.len; k++) {
		struct placed *p = &s->vars.data[k];
		if (!p->outside)
			continue;
		uint64_t align = p->v->align > 16 ? p->v->align : 16;
		p->offset = at = s->limit + (at - s->limit + align - 1) / align * align;
		at += p->v->size;
	}
	s->region = (at - s->limit + s->align - 1) / s->align * s->align;
}

/* --- rewriting --- */

static I *in_region(struct spaces *s, C *c, I *offset)
{
	return ir_b2(c, IR_add, 64, s->base, ir_b1(c, IR_zext, 64, ir_b2(c, IR_sub, 32, offset, ir_k32(c, s->limit))));
}

static I *low_word(C *c, I *offset)
{
	return offset->width > 32 ? ir_b1(c, IR_trunc, 32, offset) : offset;
}

static I *to_generic(struct spaces *s, C *c, I *offset)
{
	I *low = low_word(c, offset);
	I *inside = ir_bn(c, IR_togeneric, 64, s->space, &low, 1);
	return ir_select(c, ir_cmp(c, IR_icmp, IRC_ULT, low, ir_k32(c, s->limit)), inside, in_region(s, c, low));
}

static I *region_test(struct spaces *s, C *c, I *generic)
{
	return ir_cmp(c, IR_icmp, IRC_ULT, ir_b2(c, IR_sub, 64, generic, s->base), ir_const(c->f, 64, s->region));
}

static enum side side_of(struct spaces *s, const I *i)
{
	struct origin o = i->nargs ? get(s, i->args[0]) : (struct origin){ANY, NULL};
	if (s->all_outside)
		return IN_REGION;
	const struct placed *p = o.kind == IN_VAR && o.v && !s->mixed ? find(s, o.v) : NULL;
	return !p ? UNKNOWN : p->outside ? IN_REGION : INSIDE;
}

static void rewrite_access(struct spaces *s, I *i, enum side side)
{
	if (side == INSIDE)
		return;
	C c = ir_at(s->f, i);
	I *at = ir_b2(&c, IR_add, 32, i->args[0], ir_k32(&c, i->imm));
	i->args[0] = side == IN_REGION ? in_region(s, &c, at) : to_generic(s, &c, at);
	i->imm = 0;
	i->mem.space = side == IN_REGION ? IR_GLOBAL : IR_GENERIC;
	i->mem.keep_subnormals = true;
	i->mem.whole &= s->space == IR_SHARED; /* local memory is one thread's */
}

static I *rewrite_value(struct spaces *s, I *i, enum side side)
{
	C c = ir_at(s->f, i);
	I *x = i->args[0], *inside, *at, *near;
	switch (i->op) {
	case IR_togeneric:
		return side == INSIDE ? NULL : side == IN_REGION ? in_region(s, &c, low_word(&c, x)) : to_generic(s, &c, x);
	case IR_tospace:
		/* also of addresses to in front of either, to which offsets will be added */
		at = ir_b2(&c, IR_sub, 64, x, s->base);
		near = ir_cmp(&c, IR_icmp, IRC_ULT, ir_b2(&c, IR_add, 64, at, ir_const(s->f, 64, UINT64_C(1) << 31)), ir_const(s->f, 64, UINT64_C(1) << 32));
		at = ir_b2(&c, IR_add, 32, ir_b1(&c, IR_trunc, 32, at), ir_k32(&c, s->limit));
		return s->all_outside ? at : ir_select(&c, near, at, ir_bn(&c, IR_tospace, 32, s->space, &x, 1));
	default:
		inside = ir_bn(&c, IR_isspace, 1, i->imm, &x, 1);
		if (i->imm == IR_GLOBAL)
			return ir_b2(&c, IR_and, 1, inside, ir_b1(&c, IR_not, 1, region_test(s, &c, x)));
		return ir_b2(&c, IR_or, 1, inside, region_test(s, &c, x));
	}
}

static bool is_value(const struct spaces *s, const I *i)
{
	if (i->op == IR_isspace)
		return i->imm == s->space || i->imm == IR_GLOBAL;
	return (i->op == IR_togeneric || i->op == IR_tospace) && i->imm == s->space;
}

/* An addition through a generic pointer keeps subnormals of f32, and has other NaNs of f64, where it is to shared memory. */
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

static bool is_addition(const struct spaces *s, const I *i)
{
	return s->space == IR_SHARED && i->op == IR_atom && i->mem.space == IR_GENERIC && i->mem.atom == IR_ATOM_FADD && i->mem.bits >= 32 && i->nargs == 2;
}

/* What there is to do is found before the variables' addresses, which tell it, become constants. */
static void find_work(struct spaces *s, struct ir_block **old, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		ir_each_inst(i, old[k])
			if (is_value(s, i) || is_addition(s, i) || (is_access(i) && i->mem.space == s->space))
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
		if (is_addition(s, i)) {
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

static uint32_t threads_of(const struct ir_func *f)
{
	const uint32_t *n = f->reqntid[0] ? f->reqntid : f->maxntid;
	uint64_t all = (uint64_t)n[0] * n[1] * n[2];
	return all && all < 1024 ? (uint32_t)all : 1024;
}

/* Bytes from one thread's region to the next one's: an odd multiple, so that threads' accesses spread over the cache. */
static uint64_t thread_stride(const struct spaces *s)
{
	return (s->region / s->align | 1) * s->align;
}

static uint64_t slot_bytes(const struct spaces *s)
{
	return s->space == IR_SHARED ? s->region : thread_stride(s) * threads_of(s->f);
}

static void refuse(struct spaces *s, uint64_t most)
{
	struct strbuf sb;
	sb_init(&sb, s->f->arena);
	if (s->dynamic)
		sb_printf(&sb, "dynamic %u", s->m->dynamic_shared);
	for (uint32_t k = 0; k < s->vars.len; k++)
		sb_printf(&sb, "%s'%s' %llu", k || s->dynamic ? ", " : "", s->vars.data[k].v->name, (unsigned long long)s->vars.data[k].v->size);
	diag_error(s->m->diags, s->f->line, "kernel '%s' uses too much %s data (0x%llx bytes, 0x%llx max): %s", s->f->name,
	           ir_space_names[s->space], (unsigned long long)total_room(s), (unsigned long long)most, sb_str(&sb));
}

static bool overflows(struct spaces *s)
{
	uint64_t most = s->space == IR_SHARED ? MAX_SHARED : LOCAL_POOL / threads_of(s->f) - 2 * MIN_ALIGN;
	collect(s);
	if (total_room(s) <= s->limit)
		return false;
	if (total_room(s) <= most)
		return true;
	refuse(s, most);
	return false;
}

static void find_base(struct spaces *s, const struct ir_slots *pool, struct ir_var *words)
{
	C c;
	s->base = ir_slot_take(s->f, pool, words, &c);
	if (s->space == IR_SHARED)
		return;
	I *row = ir_b2(&c, IR_add, 32, ir_b2(&c, IR_mul, 32, ir_sreg32(&c, IR_SREG_TID_Z), ir_sreg32(&c, IR_SREG_NTID_Y)), ir_sreg32(&c, IR_SREG_TID_Y));
	I *thread = ir_b2(&c, IR_add, 32, ir_b2(&c, IR_mul, 32, row, ir_sreg32(&c, IR_SREG_NTID_X)), ir_sreg32(&c, IR_SREG_TID_X));
	s->base = ir_b2(&c, IR_add, 64, s->base, ir_b2(&c, IR_umulwide, 64, thread, ir_k32(&c, thread_stride(s))));
}

/* A barrier of more blocks than there are slots would wait for ever. */
static void trap_large_grid(struct ir_func *f, const struct ir_slots *pool)
{
	struct ir_block *head = f->blocks.data[0], *rest = ir_split(f, head->first), *large = ir_block_new(f);
	C c = {f, head, NULL, f->line};
	I *blocks = ir_product(&c, IR_SREG_NCTAID_X);
	ir_condbr(&c, ir_cmp(&c, IR_icmp, IRC_UGT, blocks, ir_k32(&c, pool->count)), large, rest);
	c.block = large;
	ir_end(&c, IR_trap);
}

static void lower(struct spaces *s, const struct ir_slots *pool)
{
	struct ir_func *f = s->f;
	struct ir_var *words = ir_shared_words(f, s->space == IR_SHARED ? "shared.region" : "local.region", IR_SLOT_BYTES);
	struct ir_block **old = NEWN(f->arena, struct ir_block *, f->blocks.len + 1);
	uint32_t n = f->blocks.len;
	I *first = f->blocks.data[0]->first;
	find_base(s, pool, words);
	memcpy(old, f->blocks.data, n * sizeof *old);
	old[0] = first->block; /* the rest of the entry */
	find_work(s, old, n);
	replace_addresses(s, old, n);
	rewrite_all(s);
	ir_slot_give(f, pool, words);
	if (f->grid_barrier)
		trap_large_grid(f, pool);
	f->shared_overflow |= s->space == IR_SHARED;
	ir_dominators(f);
}

static void warn(const struct spaces *s, const struct ir_slots *pool)
{
	diag_warn(s->m->diags, s->f->line,
	          "kernel '%s': 0x%llx bytes of %s data a %s are in global memory, which is slower, with room for %u blocks at a time in %llu MiB%s",
	          s->f->name, (unsigned long long)s->region, ir_space_names[s->space], s->space == IR_SHARED ? "block" : "thread", pool->count,
	          (unsigned long long)(pool->count * pool->bytes >> 20), s->f->grid_barrier ? "; larger grids trap, for there may be a barrier of all" : "");
}

static uint64_t limit_of(const struct ir_module *m, uint32_t space)
{
	enum { SPILLS = 8192 }; /* at least so much is left for them */
	if (space == IR_SHARED)
		return m->max_lds ? m->max_lds : m->target->lds_bytes;
	return m->max_scratch ? m->max_scratch : (amd_max_scratch(m->target) - SPILLS) / SPILLS * SPILLS;
}

static void lower_space(struct ir_module *m, uint8_t space)
{
	VEC(struct spaces) found = {0};
	struct ir_slots pool = {.count = space == IR_SHARED ? SHARED_SLOTS : LOCAL_SLOTS};
	uint32_t align = MIN_ALIGN;
	for (uint32_t k = 0; k < m->funcs.len; k++) {
		struct spaces s = {.f = m->funcs.data[k], .m = m, .space = space, .limit = limit_of(m, space)};
		if (s.f->is_decl || !s.f->is_kernel || !overflows(&s))
			continue;
		ir_dominators(s.f);
		ir_loops(s.f);
		propagate(&s);
		weigh(&s);
		place_all(&s);
		pool.bytes = slot_bytes(&s) > pool.bytes ? slot_bytes(&s) : pool.bytes;
		align = s.align > align ? (uint32_t)s.align : align;
		vec_push(m->arena, &found, s);
	}
	if (!found.len)
		return;
	pool.bytes = (pool.bytes + align - 1) / align * align;
	if (pool.count * pool.bytes > LOCAL_POOL)
		pool.count = pool.bytes < LOCAL_POOL ? (uint32_t)(LOCAL_POOL / pool.bytes) : 1;
	pool.locks = ir_module_var(m, space == IR_SHARED ? "ptx.shared.locks" : "ptx.local.locks", pool.count * 4, 4);
	pool.memory = ir_module_var(m, space == IR_SHARED ? "ptx.shared.regions" : "ptx.local.regions", pool.count * pool.bytes, align);
	for (uint32_t k = 0; k < found.len; k++) {
		warn(&found.data[k], &pool);
		lower(&found.data[k], &pool);
	}
}

/* Local memory first: its control words are shared memory, and every kernel takes its slot of the shared pool first. */
void ir_legal_spaces(struct ir_module *m)
{
	for (uint32_t k = 0; k < m->funcs.len; k++)
		if (!m->funcs.data[k]->is_decl && m->funcs.data[k]->is_kernel)
			lower_isspace(m->funcs.data[k]);
	lower_space(m, IR_LOCAL);
	lower_space(m, IR_SHARED);
}
