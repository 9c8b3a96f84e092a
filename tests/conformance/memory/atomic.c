/* atom and red: every operation and type by space, scope and order.
 *
 * `own`: each thread has a location of its own; the old value and what memory holds afterwards are results. `same`: the threads meet
 * in few locations with equal operands, so that the sum of the old values does not depend on the order. `mixed`: operands differ, only
 * what memory holds in the end counts. `loop`: a compare-and-swap loop adds one for each thread. */
#include "memory.h"

enum { INT = 1, MIXED = 2, RED = 4, ONLY_GLOBAL = 8, CAS = 16 };

struct op {
	const char *op, *type; /* with `.noftz` */
	uint32_t bytes;        /* of one element */
	uint32_t vec;
	const char *elem;      /* u32 ... f16x2: how operands are made */
	uint32_t flags;
};
static const struct op ops[] = {
	{"add", "u32", 4, 1, "b32", MIXED | RED}, {"add", "s32", 4, 1, "b32", MIXED | RED}, {"add", "u64", 8, 1, "b64", MIXED | RED},
	{"add", "f32", 4, 1, "f32", MIXED | RED}, {"add", "f64", 8, 1, "f64", MIXED | RED}, {"add.noftz", "f16", 2, 1, "f16", MIXED | RED},
	{"add.noftz", "f16x2", 4, 1, "f16x2", MIXED | RED}, {"add.noftz", "bf16", 2, 1, "bf16", RED},
	{"add.noftz", "bf16x2", 4, 1, "bf16x2", RED},
	{"min", "u32", 4, 1, "b32", MIXED | RED}, {"min", "s32", 4, 1, "b32", MIXED | RED}, {"min", "u64", 8, 1, "b64", MIXED | RED},
	{"min", "s64", 8, 1, "b64", MIXED | RED}, {"max", "u32", 4, 1, "b32", MIXED | RED}, {"max", "s32", 4, 1, "b32", MIXED | RED},
	{"max", "u64", 8, 1, "b64", MIXED | RED}, {"max", "s64", 8, 1, "b64", MIXED | RED},
	{"inc", "u32", 4, 1, "b32", RED}, {"dec", "u32", 4, 1, "b32", RED},
	{"and", "b32", 4, 1, "b32", MIXED | RED}, {"or", "b32", 4, 1, "b32", MIXED | RED}, {"xor", "b32", 4, 1, "b32", MIXED | RED},
	{"and", "b64", 8, 1, "b64", MIXED | RED}, {"or", "b64", 8, 1, "b64", MIXED | RED}, {"xor", "b64", 8, 1, "b64", MIXED | RED},
	{"exch", "b32", 4, 1, "b32", 0}, {"exch", "b64", 8, 1, "b64", 0}, {"exch", "b128", 16, 1, "b128", 0},
	{"cas", "b16", 2, 1, "b16", CAS}, {"cas", "b32", 4, 1, "b32", CAS}, {"cas", "b64", 8, 1, "b64", CAS}, {"cas", "b128", 16, 1, "b128", CAS},
	{"add", "f32", 4, 2, "f32", RED | ONLY_GLOBAL}, {"add", "f32", 4, 4, "f32", RED | ONLY_GLOBAL},
	{"add.noftz", "f16", 2, 2, "f16", RED | ONLY_GLOBAL}, {"add.noftz", "f16", 2, 4, "f16", RED | ONLY_GLOBAL},
	{"add.noftz", "f16", 2, 8, "f16", RED | ONLY_GLOBAL}, {"min.noftz", "f16", 2, 4, "f16", RED | ONLY_GLOBAL},
	{"max.noftz", "f16", 2, 8, "f16", RED | ONLY_GLOBAL}, {"add.noftz", "bf16", 2, 4, "bf16", RED | ONLY_GLOBAL},
	{"min.noftz", "bf16", 2, 8, "bf16", RED | ONLY_GLOBAL}, {"max.noftz", "bf16", 2, 2, "bf16", RED | ONLY_GLOBAL},
	{"add.noftz", "f16x2", 4, 2, "f16x2", RED | ONLY_GLOBAL}, {"add.noftz", "f16x2", 4, 4, "f16x2", RED | ONLY_GLOBAL},
	{"max.noftz", "f16x2", 4, 2, "f16x2", RED | ONLY_GLOBAL}, {"min.noftz", "bf16x2", 4, 4, "bf16x2", RED | ONLY_GLOBAL},
};
enum { OPS = sizeof ops / sizeof *ops };

enum shape { OWN, SAME, MIXED_OPERANDS, LOOP, SHAPES };
static const char *const shape_names[SHAPES] = {"own", "same", "mixed", "loop"};

static const char *const sems[] = {"", ".relaxed", ".acquire", ".release", ".acq_rel"};
static const char *const scopes[] = {"", ".cta", ".cluster", ".gpu", ".sys"};
enum { SEMS = 5, SCOPES = 5 };

struct atomic {
	const struct op *op;
	enum mem_space space;
	enum shape shape;
	bool red;
	const char *sem, *scope;
};

static bool is_float(const struct op *o)
{
	return o->elem[0] == 'f' || !strncmp(o->elem, "bf", 2);
}

static uint32_t total(const struct op *o)
{
	return o->bytes * o->vec;
}

static char file_of(const struct op *o)
{
	if (!strcmp(o->elem, "f32") || !strcmp(o->elem, "f64"))
		return o->bytes == 4 ? 'f' : 'd';
	return o->bytes == 2 ? 'h' : o->bytes == 4 ? 'r' : o->bytes == 8 ? 'R' : 'q';
}

/* Registers: set 0 operands, 1 second operands, 2 results. */
static const char *reg(const struct op *o, uint32_t set, uint32_t k, struct arena *a)
{
	char f = file_of(o);
	uint32_t n = f == 'q' ? set : f == 'f' || f == 'd' ? set * 4 + k : 10 + set * 8 + k;
	return f == 'R' ? arena_printf(a, "%%rd%u", n) : arena_printf(a, "%%%c%u", f, n);
}

static const char *list(const struct op *o, uint32_t set, struct arena *a)
{
	struct strbuf sb;
	if (o->vec == 1)
		return reg(o, set, 0, a);
	sb_init(&sb, a);
	for (uint32_t k = 0; k < o->vec; k++)
		sb_printf(&sb, "%s%s", k ? ", " : "{", reg(o, set, k, a));
	sb_putc(&sb, '}');
	return sb_str(&sb);
}

/* A value of the operation's kind from the number in `%r20`. */
static void make_value(struct mem_code *c, const struct op *o, uint32_t set, uint32_t k)
{
	const char *d = reg(o, set, k, c->f->arena);
	struct strbuf *b = &c->body;
	if (!strcmp(o->elem, "f32") || !strcmp(o->elem, "f64"))
		sb_printf(b, "cvt.rn.%s.s32 %s, %%r20;\n", o->elem, d);
	else if (!strcmp(o->elem, "f16"))
		sb_printf(b, "cvt.rn.f16.s32 %s, %%r20;\n", d);
	else if (!strcmp(o->elem, "bf16"))
		sb_printf(b, "cvt.rn.f32.s32 %%f19, %%r20;\ncvt.rn.bf16.f32 %s, %%f19;\n", d);
	else if (!strcmp(o->elem, "f16x2"))
		sb_printf(b, "cvt.rn.f16.s32 %%h38, %%r20;\nmov.b16 %%h39, 0x3c00;\nmov.b32 %s, {%%h38, %%h39};\n", d);
	else if (!strcmp(o->elem, "bf16x2"))
		sb_printf(b, "cvt.rn.f32.s32 %%f19, %%r20;\ncvt.rn.bf16.f32 %%h38, %%f19;\nmov.b16 %%h39, 0x3f80;\nmov.b32 %s, {%%h38, %%h39};\n", d);
	else if (o->bytes == 2)
		sb_printf(b, "cvt.u16.u32 %s, %%r20;\n", d);
	else if (o->bytes == 4)
		sb_printf(b, "mov.b32 %s, %%r20;\n", d);
	else if (o->bytes == 8)
		sb_printf(b, "cvt.s64.s32 %s, %%r20;\n", d);
	else
		sb_printf(b, "cvt.s64.s32 %%rd30, %%r20;\nmov.b128 %s, {%%rd30, %%rd30};\n", d);
}

static void values(struct mem_code *c, const struct op *o, uint32_t set)
{
	for (uint32_t k = 0; k < o->vec; k++) {
		if (k)
			sb_puts(&c->body, "add.s32 %r20, %r20, 1;\n");
		make_value(c, o, set, k);
	}
}

static const char *vector(const struct op *o)
{
	return o->vec == 1 ? "" : o->vec == 2 ? ".v2" : o->vec == 4 ? ".v4" : ".v8";
}

/* The location at [%rd8], in the space. */
static void instruction(struct mem_code *c, const struct atomic *a)
{
	const struct op *o = a->op;
	struct arena *ar = c->f->arena;
	const char *space = mem_suffix(a->space);
	sb_printf(&c->body, "%s%s%s%s.%s%s.%s ", a->red ? "red" : "atom", a->sem, a->scope, space, o->op, vector(o), o->type);
	if (!a->red)
		sb_printf(&c->body, "%s, ", list(o, 2, ar));
	if (o->flags & CAS)
		sb_printf(&c->body, "[%%rd8], %s, %s;\n", list(o, 1, ar), list(o, 0, ar));
	else
		sb_printf(&c->body, "[%%rd8], %s;\n", list(o, 0, ar));
}

/* Moves a set of registers to memory: `space` and address. */
static void put(struct mem_code *c, const struct op *o, uint32_t set, const char *space, const char *at, uint32_t off)
{
	struct arena *ar = c->f->arena;
	if (o->bytes == 16) {
		sb_printf(&c->body, "mov.b128 {%%rd30, %%rd31}, %s;\nst%s.v2.b64 [%s+%u], {%%rd30, %%rd31};\n", reg(o, set, 0, ar), space,
		          at, off);
		return;
	}
	for (uint32_t k = 0; k < o->vec; k++)
		sb_printf(&c->body, "st%s.b%u [%s+%u], %s;\n", space, o->bytes * 8, at, off + k * o->bytes, reg(o, set, k, ar));
}

/* The first result as a number in %rd32. */
static void number(struct mem_code *c, const struct op *o)
{
	const char *d = reg(o, 2, 0, c->f->arena);
	struct strbuf *b = &c->body;
	if (!strcmp(o->elem, "f32") || !strcmp(o->elem, "f64") || !strcmp(o->elem, "f16"))
		sb_printf(b, "cvt.rzi.s64.%s %%rd32, %s;\n", o->elem, d);
	else if (!strcmp(o->elem, "bf16"))
		sb_printf(b, "cvt.f32.bf16 %%f19, %s;\ncvt.rzi.s64.f32 %%rd32, %%f19;\n", d);
	else if (!strcmp(o->elem, "f16x2"))
		sb_printf(b, "mov.b32 {%%h38, %%h39}, %s;\ncvt.rzi.s64.f16 %%rd32, %%h39;\n", d);
	else if (!strcmp(o->elem, "bf16x2"))
		sb_printf(b, "mov.b32 {%%h38, %%h39}, %s;\ncvt.f32.bf16 %%f19, %%h39;\ncvt.rzi.s64.f32 %%rd32, %%f19;\n", d);
	else if (o->bytes == 2)
		sb_printf(b, "cvt.u64.u16 %%rd32, %s;\n", d);
	else if (o->bytes == 4)
		sb_printf(b, "cvt.u64.u32 %%rd32, %s;\n", d);
	else if (o->bytes == 8)
		sb_printf(b, "mov.b64 %%rd32, %s;\n", d);
	else
		sb_printf(b, "mov.b128 {%%rd32, %%rd33}, %s;\n", d);
}

static bool in_shared(const struct atomic *a)
{
	return mem_under(a->space) == MEM_SHARED;
}

/* Zeroes the block's locations of shared memory: `sv$`, a thread's 32 bytes each; %rd4 the thread's own. */
static void shared_zero(struct mem_code *c)
{
	sb_printf(&c->decls, ".shared .align 32 .b8 sv$[%d];\n", MEM_BLOCK * MEM_ROW);
	sb_puts(&c->body, "mov.u64 %rd4, sv$;\nmul.wide.u32 %rd6, %r0, 32;\nadd.u64 %rd4, %rd4, %rd6;\nmov.b64 %rd7, 0;\n");
	for (uint32_t k = 0; k < MEM_ROW; k += 8)
		sb_printf(&c->body, "st.shared.b64 [%%rd4+%u], %%rd7;\n", k);
	sb_puts(&c->body, "bar.sync 0;\n");
}

/* %rd8: the address for the atomic, from %rd9 in its plain space. */
static void address(struct mem_code *c, const struct atomic *a)
{
	if (a->space == MEM_G_SHARED)
		sb_puts(&c->body, "cvta.shared.u64 %rd8, %rd9;\n");
	else
		sb_puts(&c->body, "mov.u64 %rd8, %rd9;\n");
}

/* One half of the threads compares with what is there. */
static void own(struct mem_code *c, const struct atomic *a)
{
	const struct op *o = a->op;
	const char *space = in_shared(a) ? ".shared" : ".global";
	if (in_shared(a))
		shared_zero(c);
	sb_printf(&c->body, "mov.u64 %%rd9, %%rd%d;\n", in_shared(a) ? 4 : 3);
	address(c, a);
	sb_printf(&c->body, is_float(o) ? "and.b32 %%r20, %%r3, 15;\nsub.s32 %%r20, %%r20, 7;\n" : "ld.global.b32 %%r20, [%%rd5];\n");
	values(c, o, 2);
	put(c, o, 2, space, "%rd9", 0);
	if (o->flags & CAS) {
		sb_puts(&c->body, "and.b32 %r21, %r2, 1;\nadd.s32 %r20, %r20, %r21;\n");
		values(c, o, 1);
	}
	sb_puts(&c->body, is_float(o) ? "and.b32 %r20, %r2, 31;\nsub.s32 %r20, %r20, 9;\n" : "ld.global.b32 %r20, [%rd5+8];\n");
	values(c, o, 0);
	instruction(c, a);
	if (!a->red)
		put(c, o, 2, ".global", "%rd3", 16);
	if (in_shared(a))
		for (uint32_t k = 0; k < total(o); k += 2)
			sb_printf(&c->body, "ld.shared.b16 %%h30, [%%rd4+%u];\nst.global.b16 [%%rd3+%u], %%h30;\n", k, k);
}

/* %rd9: where the threads meet. */
static void meet(struct mem_code *c, const struct atomic *a, uint32_t places)
{
	c->zero = true;
	if (in_shared(a))
		shared_zero(c);
	sb_printf(&c->body, "rem.u32 %%r22, %%r%d, %u;\nmul.wide.u32 %%rd6, %%r22, 32;\n", in_shared(a) ? 0 : 2, places);
	if (in_shared(a))
		sb_puts(&c->body, "mov.u64 %rd9, sv$;\nadd.u64 %rd9, %rd9, %rd6;\n");
	else
		sb_puts(&c->body, "add.u64 %rd9, %rd0, %rd6;\n");
	address(c, a);
}

static void leave(struct mem_code *c, const struct atomic *a, bool sum)
{
	if (sum) {
		number(c, a->op);
		sb_printf(&c->body, "red%s.add.u64 [%%rd9+16], %%rd32;\n", in_shared(a) ? ".shared" : ".global");
	}
	if (in_shared(a)) {
		sb_puts(&c->body, "bar.sync 0;\n");
		mem_copy_out(c, MEM_SHARED);
	}
}

static void same(struct mem_code *c, const struct atomic *a, uint32_t places)
{
	meet(c, a, places);
	if (a->op->flags & CAS) {
		sb_puts(&c->body, "mov.b32 %r20, 0;\n");
		values(c, a->op, 1);
	}
	sb_printf(&c->body, "mov.b32 %%r20, %s;\n", is_float(a->op) ? "1" : !strcmp(a->op->op, "inc") || !strcmp(a->op->op, "dec") ? "10" : "-7");
	values(c, a->op, 0);
	instruction(c, a);
	leave(c, a, !a->red);
}

static void mixed(struct mem_code *c, const struct atomic *a, uint32_t places)
{
	meet(c, a, places);
	sb_puts(&c->body, is_float(a->op) ? "and.b32 %r20, %r3, 7;\n" : "ld.global.b32 %r20, [%rd5];\n");
	values(c, a->op, 0);
	instruction(c, a);
	leave(c, a, false);
}

/* Each thread adds one by compare and swap. The first guess is zero: loads of 128 bits need no form of their own. */
static void loop(struct mem_code *c, const struct atomic *a, uint32_t places)
{
	const struct op *o = a->op;
	struct arena *ar = c->f->arena;
	const char *want = reg(o, 1, 0, ar), *got = reg(o, 2, 0, ar), *next = reg(o, 0, 0, ar);
	meet(c, a, places);
	sb_puts(&c->body, "mov.b32 %r20, 0;\n");
	values(c, o, 1);
	sb_puts(&c->body, "AGAIN:\n");
	if (o->bytes == 16) {
		sb_printf(&c->body, "mov.b128 {%%rd30, %%rd31}, %s;\nadd.u64 %%rd30, %%rd30, 1;\nadd.u64 %%rd31, %%rd31, 3;\n"
		                    "mov.b128 %s, {%%rd30, %%rd31};\n", want, next);
		instruction(c, a);
		sb_printf(&c->body, "mov.b128 {%%rd32, %%rd33}, %s;\nsub.u64 %%rd30, %%rd30, 1;\nsetp.ne.u64 %%p1, %%rd30, %%rd32;\n", got);
		sb_printf(&c->body, "mov.b128 %s, {%%rd32, %%rd33};\n", want);
	} else {
		sb_printf(&c->body, "add.u%u %s, %s, 1;\n", o->bytes * 8, next, want);
		instruction(c, a);
		sb_printf(&c->body, "setp.ne.u%u %%p1, %s, %s;\nmov.b%u %s, %s;\n", o->bytes * 8, want, got, o->bytes * 8, want, got);
	}
	sb_puts(&c->body, "@%p1 bra AGAIN;\n");
	leave(c, a, false);
}

static bool valid(const struct atomic *a)
{
	const struct op *o = a->op;
	if (a->red && (!(o->flags & RED)))
		return false;
	if ((o->flags & ONLY_GLOBAL) && mem_under(a->space) != MEM_GLOBAL)
		return false;
	if (a->shape == MIXED_OPERANDS && !(o->flags & MIXED))
		return false;
	if (a->shape == LOOP && (!(o->flags & CAS) || a->red))
		return false;
	if (a->red && (!strcmp(a->sem, ".acquire") || !strcmp(a->sem, ".acq_rel")))
		return false;
	return true;
}

static void one(struct mem_forms *f, const struct atomic *a, uint32_t places)
{
	struct mem_code c;
	mem_begin(&c, f);
	switch (a->shape) {
	case OWN:
		own(&c, a);
		break;
	case SAME:
		same(&c, a, places);
		break;
	case MIXED_OPERANDS:
		mixed(&c, a, places);
		break;
	default:
		loop(&c, a, places);
		break;
	}
	const char *where = mem_is_generic(a->space) ? arena_printf(f->arena, " (%s)", mem_space_names[a->space]) : "";
	const char *many = a->shape == OWN ? "" : arena_printf(f->arena, " in %u", places);
	mem_end(&c, "%s%s%s%s.%s%s.%s%s, %s%s", a->red ? "red" : "atom", a->sem, a->scope, mem_suffix(a->space), a->op->op, vector(a->op),
	        a->op->type, where, shape_names[a->shape], many);
}

void mem_atomics(struct mem_forms *f)
{
	static const enum mem_space spaces[] = {MEM_GLOBAL, MEM_SHARED, MEM_G_GLOBAL, MEM_G_SHARED};
	static const uint32_t places[] = {1, 5, 3};
	uint32_t n = 0;
	/* every operation, space and shape; orders and scopes take turns */
	for (uint32_t o = 0; o < OPS; o++)
		for (uint32_t s = 0; s < 4; s++)
			for (uint32_t shape = 0; shape < SHAPES; shape++)
				for (uint32_t red = 0; red < 2; red++) {
					struct atomic a = {&ops[o], spaces[s], shape, red, "", ""};
					f->group = red ? "red" : "atom";
					if (!valid(&a))
						continue;
					a.sem = sems[red ? (n % 3 == 2 ? 3 : n % 3) : n % SEMS];
					a.scope = *a.sem || n % 2 ? scopes[n / 2 % SCOPES] : "";
					if (*a.sem && !*a.scope)
						a.scope = ".gpu";
					one(f, &a, places[n++ % 3]);
				}
	/* every operation, order and scope, in a space in turn */
	for (uint32_t o = 0; o < OPS; o++)
		for (uint32_t sem = 1; sem < SEMS; sem++)
			for (uint32_t scope = 1; scope < SCOPES; scope++)
				for (uint32_t red = 0; red < 2; red++) {
					struct atomic a = {&ops[o], spaces[n % 4], n % 2 ? OWN : SAME, red, sems[sem], scopes[scope]};
					f->group = red ? "red by order" : "atom by order";
					if (ops[o].flags & ONLY_GLOBAL)
						a.space = spaces[n % 2 * 2];
					if (valid(&a))
						one(f, &a, places[n++ % 3]);
				}
}
