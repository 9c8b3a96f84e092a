/* What the kernels of the memory family share.
 *
 * Registers: %rd0 output, %rd1 input, %rd3 the thread's row, %rd4 the slot, %rd5 the thread's row of the input; %r0 thread, %r1
 * block, %r2 thread of the grid, %r3 a permutation of them. Forms use those from 8 on. */
#include <stdarg.h>

#include "memory.h"

enum { VARIABLE = 256, SLOTS = VARIABLE / MEM_ROW };

const char *const mem_space_names[MEM_SPACES] = {
	"global", "global variable", "const", "param", "local", "shared", "dynamic shared", "generic global", "generic global variable",
	"generic const", "generic param", "generic local", "generic shared", "generic dynamic shared",
};

bool mem_is_generic(enum mem_space s)
{
	return s >= MEM_G_GLOBAL;
}

enum mem_space mem_under(enum mem_space s)
{
	return mem_is_generic(s) ? s - MEM_G_GLOBAL : s;
}

static const char *suffix_of(enum mem_space s)
{
	static const char *const names[] = {".global", ".global", ".const", ".param", ".local", ".shared", ".shared"};
	return names[s];
}

const char *mem_suffix(enum mem_space s)
{
	return mem_is_generic(s) ? "" : suffix_of(s);
}

const char *mem_symbol(enum mem_space s)
{
	static const char *const names[MEM_SPACES] = {[MEM_GVAR] = "gv$", [MEM_CONST] = "cv$", [MEM_PARAM] = "blob", [MEM_LOCAL] = "lv",
	                                              [MEM_SHARED] = "sv$", [MEM_DYNAMIC] = "dyn"};
	return names[s];
}

uint8_t mem_byte(uint32_t stream, uint32_t n)
{
	uint32_t x = (n / 4 + 1) * 0x9e3779b1u ^ (stream + 1) * 0x85ebca6bu;
	x ^= x >> 15;
	x *= 0x2c1b3c6du;
	x ^= x >> 12;
	return (uint8_t)(x >> 8 * (n % 4));
}

void mem_begin(struct mem_code *c, struct mem_forms *f)
{
	memset(c, 0, sizeof *c);
	c->f = f;
	sb_init(&c->decls, f->arena);
	sb_init(&c->body, f->arena);
}

static void variable(struct mem_code *c, const char *space, const char *name)
{
	sb_printf(&c->decls, "%s .align 32 .b32 %s[%d] = {", space, name, VARIABLE / 4);
	for (uint32_t k = 0; k < VARIABLE / 4; k++)
		sb_printf(&c->decls, "%s%u", k ? ", " : "", (k + 3) * 2654435761u ^ k << 7);
	sb_puts(&c->decls, "};\n");
}

/* Each thread fills its 32 bytes of a shared variable from its row of the input. */
static void fill_shared(struct mem_code *c, const char *name, uint32_t at)
{
	sb_printf(&c->body, "mov.u64 %%rd4, %s;\nmul.wide.u32 %%rd6, %%r0, 32;\nadd.u64 %%rd4, %%rd4, %%rd6;\n", name);
	for (uint32_t k = 0; k < MEM_ROW; k += 8)
		sb_printf(&c->body, "ld.global.b64 %%rd7, [%%rd5+%u];\nst.shared.b64 [%%rd4+%u], %%rd7;\n", k, k + at);
	sb_puts(&c->body, "bar.sync 0;\n");
}

static void fill_local(struct mem_code *c)
{
	sb_printf(&c->body, ".local .align 32 .b8 lv[%d];\nmov.u64 %%rd4, lv;\nmov.u32 %%r4, 0;\nmul.lo.u32 %%r5, %%r2, 40503;\n"
	                    "FILL:\nst.local.u32 [%%rd4], %%r5;\nadd.u64 %%rd4, %%rd4, 4;\nmad.lo.u32 %%r5, %%r5, 69069, %%r4;\n"
	                    "add.u32 %%r4, %%r4, 1;\nsetp.lt.u32 %%p0, %%r4, %d;\n@%%p0 bra FILL;\n", VARIABLE, VARIABLE / 4);
}

/* %r6: which slot. */
static void choose(struct mem_code *c, bool gather, uint32_t slots)
{
	sb_printf(&c->body, "and.b32 %%r6, %%r%d, %u;\n", gather ? 3 : 0, slots - 1);
}

void mem_slot(struct mem_code *c, enum mem_space s, bool gather, uint32_t pad)
{
	enum mem_space u = mem_under(s);
	const char *name = mem_symbol(u);
	uint32_t at = 0;
	switch (u) {
	case MEM_GLOBAL:
		sb_printf(&c->body, "mul.wide.u32 %%rd4, %%r%d, 32;\nadd.u64 %%rd4, %%rd1, %%rd4;\n", gather ? 3 : 2);
		break;
	case MEM_GVAR:
	case MEM_CONST:
		variable(c, u == MEM_GVAR ? ".global" : ".const", name);
		choose(c, gather, SLOTS);
		break;
	case MEM_PARAM:
		choose(c, gather, SLOTS);
		break;
	case MEM_LOCAL:
		fill_local(c);
		choose(c, gather, SLOTS);
		break;
	default:
		at = pad;
		if (u == MEM_SHARED)
			sb_printf(&c->decls, ".shared .align 32 .b8 %s[%u];\n", name, MEM_BLOCK * MEM_ROW + 2 * pad);
		else
			c->dynamic = MEM_BLOCK * MEM_ROW + 2 * pad;
		fill_shared(c, name, at);
		choose(c, gather, MEM_BLOCK);
		break;
	}
	if (u != MEM_GLOBAL)
		sb_printf(&c->body, "mul.wide.u32 %%rd6, %%r6, 32;\nmov.u64 %%rd4, %s;\nadd.u64 %%rd4, %%rd4, %%rd6;\n", name);
	if (at)
		sb_printf(&c->body, "add.u64 %%rd4, %%rd4, %u;\n", at);
	if (mem_is_generic(s))
		sb_printf(&c->body, "cvta%s.u64 %%rd4, %%rd4;\n", suffix_of(u));
}

void mem_copy_out(struct mem_code *c, enum mem_space s)
{
	for (uint32_t k = 0; k < MEM_ROW; k += 4)
		sb_printf(&c->body, "ld%s.b32 %%r7, [%%rd4+%u];\nst.global.b32 [%%rd3+%u], %%r7;\n", mem_suffix(s), k, k);
}

void mem_end(struct mem_code *c, const char *fmt, ...)
{
	va_list ap;
	char text[256];
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	struct mem_form form = {.text = arena_printf(c->f->arena, "%s: %s", c->f->group, text), .decls = sb_str(&c->decls),
	                        .body = sb_str(&c->body), .zero = c->zero, .dynamic = c->dynamic, .wide = c->wide};
	vec_push(c->f->arena, &c->f->list, form);
}

void mem_all(struct arena *a, struct mem_forms *f)
{
	memset(f, 0, sizeof *f);
	f->arena = a;
	mem_accesses(f);
	mem_atomics(f);
	mem_others(f);
}

/* ---- PTX ---- */

static void put(struct strbuf *sb, const char *s, uint32_t n)
{
	for (; *s; s++)
		if (*s == '$')
			sb_printf(sb, "%u", n);
		else
			sb_putc(sb, *s);
}

void mem_prologue(struct strbuf *sb, bool wide)
{
	sb_puts(sb, wide ? ".version 8.8\n.target sm_100\n" : ".version 8.6\n.target sm_90\n");
	sb_puts(sb, ".address_size 64\n.extern .shared .align 32 .b8 dyn[];\n");
}

void mem_kernel(struct strbuf *sb, const struct mem_form *f, uint32_t n)
{
	sb_printf(sb, "// %s\n", f->text);
	put(sb, f->decls, n);
	sb_printf(sb,
	          ".visible .entry f%u(.param .u64 pout, .param .u64 pin, .param .align 16 .b8 blob[%d])\n{\n"
	          ".reg .b64 %%rd<40>;\n.reg .b32 %%r<40>;\n.reg .b16 %%h<40>;\n.reg .f32 %%f<20>;\n.reg .f64 %%d<20>;\n"
	          ".reg .b128 %%q<4>;\n.reg .pred %%p<8>;\n"
	          "ld.param.u64 %%rd0, [pout];\nld.param.u64 %%rd1, [pin];\nmov.u32 %%r0, %%tid.x;\nmov.u32 %%r1, %%ctaid.x;\n"
	          "mad.lo.u32 %%r2, %%r1, %d, %%r0;\nmul.wide.u32 %%rd2, %%r2, %d;\nadd.u64 %%rd3, %%rd0, %%rd2;\n"
	          "add.u64 %%rd5, %%rd1, %%rd2;\nmad.lo.u32 %%r3, %%r2, 37, 11;\nand.b32 %%r3, %%r3, %d;\n",
	          n, MEM_BLOB, MEM_BLOCK, MEM_ROW, MEM_THREADS - 1);
	put(sb, f->body, n);
	sb_puts(sb, "ret;\n}\n");
}

void mem_family(struct arena *a, const struct mem_forms *f, struct conf_family *fam)
{
	memset(fam, 0, sizeof *fam);
	fam->name = "memory";
	for (uint32_t k = 0; k < f->list.len; k++) {
		struct conf_form form = {.text = f->list.data[k].text, .tuples = MEM_THREADS, .keep = MEM_THREADS, .row_bytes = MEM_ROW};
		vec_push(a, &fam->forms, form);
	}
}
