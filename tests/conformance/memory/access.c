/* Loads and stores: every space by type, vector width and kind of address; then by qualifier. */
#include "memory.h"

struct type {
	const char *name;
	uint32_t bytes;
	char reg; /* `i` an integer, which may go to a wider register; `f`, `d`, `q` */
};
static const struct type types[] = {
	{"b8", 1, 'i'},  {"u8", 1, 'i'},  {"s8", 1, 'i'},  {"b16", 2, 'i'}, {"u16", 2, 'i'}, {"s16", 2, 'i'}, {"b32", 4, 'i'}, {"u32", 4, 'i'},
	{"s32", 4, 'i'}, {"f32", 4, 'f'}, {"b64", 8, 'i'}, {"u64", 8, 'i'}, {"s64", 8, 'i'}, {"f64", 8, 'd'}, {"b128", 16, 'q'},
};
enum { TYPES = sizeof types / sizeof *types };

enum offset { O_REG, O_PLUS, O_MINUS, O_LARGE, O_LARGE_MINUS, O_THREAD, O_SYMBOL, O_SYMBOL_PLUS, O_SHORT, OFFSETS };
static const char *const offset_names[OFFSETS] = {"reg", "reg+imm", "reg-imm", "reg+large", "reg-large", "base+thread", "symbol",
                                                  "symbol+imm", "32-bit reg+imm"};

/* One access. */
struct access {
	enum mem_space space;
	const struct type *type;
	uint32_t vec;
	enum offset offset;
	const char *before, *after; /* qualifiers before and after the space */
	const char *op;
	uint32_t width; /* of the registers */
	uint32_t at;    /* byte of the slot */
	uint32_t large;
};

static bool is_shared(enum mem_space s)
{
	return s == MEM_SHARED || s == MEM_DYNAMIC;
}

static bool valid(const struct access *a)
{
	enum mem_space s = a->space, u = mem_under(s);
	if (a->type->bytes * a->vec > 16)
		return false;
	switch (a->offset) {
	case O_LARGE:
	case O_LARGE_MINUS:
		return u == MEM_GLOBAL || u == MEM_GVAR || is_shared(u);
	case O_SYMBOL:
	case O_SYMBOL_PLUS:
		return !mem_is_generic(s) && s != MEM_GLOBAL;
	case O_SHORT:
		return is_shared(s);
	default:
		return true;
	}
}

/* The address operand; may change %rd4's copy %rd8. */
static const char *operand(struct mem_code *c, const struct access *a)
{
	struct arena *ar = c->f->arena;
	const char *sym = mem_symbol(mem_under(a->space));
	uint32_t step = 16 + a->at;
	switch (a->offset) {
	case O_REG:
		sb_printf(&c->body, "add.u64 %%rd8, %%rd4, %u;\n", a->at);
		return "%rd8";
	case O_MINUS:
		sb_printf(&c->body, "add.u64 %%rd8, %%rd4, %u;\n", step + a->at);
		return arena_printf(ar, "%%rd8+-%u", step);
	case O_LARGE:
		sb_printf(&c->body, "sub.u64 %%rd8, %%rd4, %u;\n", a->large - a->at);
		return arena_printf(ar, "%%rd8+%u", a->large);
	case O_LARGE_MINUS:
		sb_printf(&c->body, "add.u64 %%rd8, %%rd4, %u;\n", a->large + a->at);
		return arena_printf(ar, "%%rd8+-%u", a->large);
	case O_SYMBOL:
		return sym;
	case O_SYMBOL_PLUS:
		return arena_printf(ar, "%s+%u", sym, 16 + a->at % 16 / (a->type->bytes * a->vec) * (a->type->bytes * a->vec));
	case O_SHORT:
		sb_puts(&c->body, "cvt.u32.u64 %r8, %rd4;\n");
		return arena_printf(ar, "%%r8+%u", a->at);
	default:
		return arena_printf(ar, "%%rd4+%u", a->at);
	}
}

static const char *reg(const struct access *a, uint32_t k, struct arena *ar)
{
	switch (a->type->reg) {
	case 'f':
		return arena_printf(ar, "%%f%u", k);
	case 'd':
		return arena_printf(ar, "%%d%u", k);
	case 'q':
		return "%q0";
	default:
		return arena_printf(ar, "%%%s%u", a->width == 16 ? "h" : a->width == 32 ? "r" : "rd", 10 + k);
	}
}

/* `{%r10, %r11}` */
static const char *registers(const struct access *a, struct arena *ar)
{
	struct strbuf sb;
	if (a->vec == 1)
		return reg(a, 0, ar);
	sb_init(&sb, ar);
	for (uint32_t k = 0; k < a->vec; k++)
		sb_printf(&sb, "%s%s", k ? ", " : "{", reg(a, k, ar));
	sb_putc(&sb, '}');
	return sb_str(&sb);
}

/* Registers to and from memory at %rd3 or %rd9, 8 bytes each. */
static void plain(struct mem_code *c, const struct access *a, bool load)
{
	uint32_t bits = a->type->reg == 'f' ? 32 : a->type->reg == 'd' ? 64 : a->width;
	if (a->type->reg == 'q') {
		if (load)
			sb_puts(&c->body, "ld.global.v2.b64 {%rd10, %rd11}, [%rd9];\nmov.b128 %q0, {%rd10, %rd11};\n");
		else
			sb_puts(&c->body, "mov.b128 {%rd10, %rd11}, %q0;\nst.global.v2.b64 [%rd3], {%rd10, %rd11};\n");
		return;
	}
	for (uint32_t k = 0; k < a->vec; k++)
		if (load)
			sb_printf(&c->body, "ld.global.b%u %s, [%%rd9+%u];\n", bits, reg(a, k, c->f->arena), 8 * k);
		else
			sb_printf(&c->body, "st.global.b%u [%%rd3+%u], %s;\n", bits, 8 * k, reg(a, k, c->f->arena));
}

static const char *opcode(const struct access *a, struct arena *ar)
{
	return arena_printf(ar, "%s%s%s%s%s.%s", a->op, a->before, mem_suffix(a->space), a->after,
	                    a->vec == 1 ? "" : a->vec == 2 ? ".v2" : ".v4", a->type->name);
}

static void finish(struct mem_code *c, const struct access *a)
{
	uint32_t own = a->type->bytes < 2 ? 16 : a->type->bytes * 8;
	mem_end(c, "%s%s, %s%s", opcode(a, c->f->arena), mem_is_generic(a->space) || a->space == MEM_GVAR || a->space == MEM_DYNAMIC
	                                                     ? arena_printf(c->f->arena, " (%s)", mem_space_names[a->space]) : "",
	        offset_names[a->offset],
	        a->type->reg == 'i' && a->width != own ? arena_printf(c->f->arena, ", b%u register", a->width) : "");
}

static uint32_t pad(const struct access *a)
{
	return is_shared(mem_under(a->space)) && (a->offset == O_LARGE || a->offset == O_LARGE_MINUS) ? a->large : 0;
}

static void one_load(struct mem_forms *f, const struct access *a)
{
	struct mem_code c;
	mem_begin(&c, f);
	mem_slot(&c, a->space, a->offset != O_THREAD, pad(a));
	const char *where = operand(&c, a);
	sb_printf(&c.body, "%s %s, [%s];\n", opcode(a, f->arena), registers(a, f->arena), where);
	plain(&c, a, false);
	finish(&c, a);
}

/* A store into the thread's own slot; then the slot's 32 bytes, of another thread where others can see it. A variable is stored to by
 * one thread. */
static void one_store(struct mem_forms *f, const struct access *a)
{
	struct mem_code c;
	enum mem_space u = mem_under(a->space);
	bool by_name = a->offset == O_SYMBOL || a->offset == O_SYMBOL_PLUS;
	mem_begin(&c, f);
	if (u == MEM_GLOBAL)
		sb_puts(&c.body, "mov.u64 %rd4, %rd3;\n");
	else
		mem_slot(&c, a->space, u == MEM_LOCAL, pad(a));
	sb_puts(&c.body, "mul.wide.u32 %rd9, %r3, 32;\nadd.u64 %rd9, %rd1, %rd9;\n");
	plain(&c, a, true);
	const char *where = operand(&c, a);
	if (u == MEM_GVAR) /* the variable is everybody's */
		sb_puts(&c.body, "setp.ne.u32 %p1, %r2, 5;\n@%p1 ret;\n");
	if (by_name)
		sb_puts(&c.body, "setp.eq.u32 %p1, %r0, 5;\n");
	sb_printf(&c.body, "%s%s [%s], %s;\n", by_name ? "@%p1 " : "", opcode(a, f->arena), where, registers(a, f->arena));
	if (u == MEM_GLOBAL) {
		finish(&c, a);
		return;
	}
	if (is_shared(u)) {
		sb_puts(&c.body, "bar.sync 0;\n");
		if (by_name)
			sb_printf(&c.body, "mov.u64 %%rd4, %s;\n", mem_symbol(u));
		else
			sb_puts(&c.body, "xor.b32 %r9, %r0, 33;\nsub.s32 %r9, %r9, %r0;\nmul.wide.s32 %rd6, %r9, 32;\nadd.s64 %rd4, %rd4, %rd6;\n");
	} else if (by_name) {
		sb_printf(&c.body, "mov.u64 %%rd4, %s;\n", mem_symbol(u));
	}
	mem_copy_out(&c, a->space);
	finish(&c, a);
}

/* Register widths take turns. */
static uint32_t width_of(const struct type *t, uint32_t n)
{
	static const uint8_t widths[] = {16, 32, 64};
	uint32_t least = t->bytes <= 2 ? 0 : t->bytes == 4 ? 1 : 2;
	return widths[least + n % (3 - least)];
}

static const uint32_t large[] = {2048, 4080, 4096, 8192, 65536, 1 << 20, 0x7fffff0};

static struct access make(enum mem_space s, uint32_t t, uint32_t vec, enum offset o, uint32_t n)
{
	struct access a = {.space = s, .type = &types[t], .vec = vec, .offset = o, .before = "", .after = ""};
	uint32_t size = a.type->bytes * vec, places = size > MEM_ROW ? 1 : MEM_ROW / size;
	a.at = o == O_SYMBOL ? 0 : n * 5 % places * size;
	a.width = width_of(a.type, n);
	a.large = large[n % (is_shared(mem_under(s)) ? 4 : 7)];
	return a;
}

static void by_address(struct mem_forms *f, bool stores)
{
	uint32_t n = 0;
	f->group = stores ? "store" : "load";
	for (uint32_t s = 0; s < MEM_SPACES; s++) {
		enum mem_space u = mem_under(s);
		if (stores && (u == MEM_CONST || u == MEM_PARAM))
			continue;
		for (uint32_t t = 0; t < TYPES; t++)
			for (uint32_t v = 1; v <= 4; v *= 2)
				for (uint32_t o = 0; o < OFFSETS; o++) {
					struct access a = make(s, t, v, o, n);
					a.op = stores ? "st" : "ld";
					if (!valid(&a) || (types[t].reg == 'q' && v > 1))
						continue;
					n++;
					(stores ? one_store : one_load)(f, &a);
				}
	}
}

struct qualifier {
	const char *op, *before, *after, *spaces; /* spaces: g global, s shared, x generic */
};
static const struct qualifier load_qualifiers[] = {
	{"ld", ".weak", "", "gsx"},
	{"ld", ".volatile", "", "gsx"},
	{"ld", ".relaxed.cta", "", "gsx"}, {"ld", ".relaxed.gpu", "", "gsx"}, {"ld", ".relaxed.sys", "", "gsx"},
	{"ld", ".relaxed.cluster", "", "gsx"},
	{"ld", ".acquire.cta", "", "gsx"}, {"ld", ".acquire.gpu", "", "gsx"}, {"ld", ".acquire.sys", "", "gsx"},
	{"ld", ".acquire.cluster", "", "gsx"},
	{"ld", ".mmio.relaxed.sys", "", "gx"},
	{"ld", "", ".ca", "gsx"}, {"ld", "", ".cg", "gsx"}, {"ld", "", ".cs", "gsx"}, {"ld", "", ".lu", "gsx"}, {"ld", "", ".cv", "gsx"},
	{"ld", "", ".nc", "g"}, {"ld", "", ".ca.nc", "g"}, {"ld", "", ".cg.nc", "g"}, {"ld", "", ".cs.nc", "g"},
	{"ld", "", ".nc.L1::no_allocate", "g"}, {"ld", "", ".nc.L1::evict_last.L2::128B", "g"}, {"ld", "", ".nc.L2::256B", "g"},
	{"ld", "", ".L1::evict_normal", "gx"}, {"ld", "", ".L1::evict_unchanged", "gx"}, {"ld", "", ".L1::evict_first", "gx"},
	{"ld", "", ".L1::evict_last", "gx"}, {"ld", "", ".L1::no_allocate", "gx"}, {"ld", "", ".L2::64B", "gx"}, {"ld", "", ".L2::128B", "gx"},
	{"ld", "", ".L1::evict_first.L2::256B", "gx"},
	{"ldu", "", "", "gx"},
};
static const struct qualifier store_qualifiers[] = {
	{"st", ".weak", "", "gsx"},
	{"st", ".volatile", "", "gsx"},
	{"st", ".relaxed.cta", "", "gsx"}, {"st", ".relaxed.gpu", "", "gsx"}, {"st", ".relaxed.sys", "", "gsx"},
	{"st", ".relaxed.cluster", "", "gsx"},
	{"st", ".release.cta", "", "gsx"}, {"st", ".release.gpu", "", "gsx"}, {"st", ".release.sys", "", "gsx"},
	{"st", ".release.cluster", "", "gsx"},
	{"st", ".mmio.relaxed.sys", "", "gx"},
	{"st", "", ".wb", "gsx"}, {"st", "", ".cg", "gsx"}, {"st", "", ".cs", "gsx"}, {"st", "", ".wt", "gsx"},
	{"st", "", ".L1::evict_normal", "gx"}, {"st", "", ".L1::evict_first", "gx"}, {"st", "", ".L1::evict_last", "gx"},
	{"st", "", ".L1::no_allocate", "gx"},
};

static void by_qualifier(struct mem_forms *f, bool stores)
{
	static const struct {
		char letter;
		enum mem_space space;
	} where[] = {{'g', MEM_GLOBAL}, {'g', MEM_GVAR}, {'s', MEM_SHARED}, {'s', MEM_DYNAMIC}, {'x', MEM_G_GLOBAL}, {'x', MEM_G_SHARED}};
	const struct qualifier *q = stores ? store_qualifiers : load_qualifiers;
	uint32_t nq = stores ? sizeof store_qualifiers / sizeof *q : sizeof load_qualifiers / sizeof *q, n = 0;
	f->group = stores ? "store qualified" : "load qualified";
	for (uint32_t k = 0; k < nq; k++)
		for (uint32_t w = 0; w < sizeof where / sizeof *where; w++)
			for (uint32_t t = 0; t < TYPES; t++)
				for (uint32_t v = 1; v <= 4; v *= 2) {
					struct access a = make(where[w].space, t, v, O_REG + n % 3, n);
					a.op = q[k].op;
					a.before = q[k].before;
					a.after = q[k].after;
					/* one vector width and one variable of each letter a type, in turn */
					if (!strchr(q[k].spaces, where[w].letter) || !valid(&a) || (types[t].reg == 'q' && v > 1))
						continue;
					if (n++ % 3 && !(w == 0 && v == 1))
						continue;
					(stores ? one_store : one_load)(f, &a);
				}
}

void mem_accesses(struct mem_forms *f)
{
	by_address(f, false);
	by_address(f, true);
	by_qualifier(f, false);
	by_qualifier(f, true);
}
