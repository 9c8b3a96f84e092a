/* amd-as: machine IR after register allocation, as text, to a code object.
 *
 *   amd-as [-S] [--verify] [--PASS]... [--force-waits] [--drop=N] [-o OUTPUT] FILE     ("-": standard input)
 *
 * FILE holds functions in amd_read.c's text form, one after the other, and between them (a line each)
 *   global|const NAME ALIGN SIZE [HEX]     a variable; HEX: its first bytes
 *   address OFFSET SYMBOL ADDEND           in the variable above: the address of a symbol
 *   param OFFSET SIZE                      of the kernel below
 * --modes, --waits, --hazards, --clauses run these passes first. -S prints assembly text; --verify checks the encoding with LLVM.
 * --drop=N plants a fault: the N-th s_waitcnt, s_nop or s_waitcnt_depctr is left out and named on standard error; exit status 1 where
 * there are not so many. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "emit/emit.h"

static const struct {
	const char *name;
	void (*run)(struct amd_func *);
} passes[] = {
#define AMD_PASS(name) {"--" #name, amd_##name},
#include "../tools/amd-as/amd_as_passes.def"
#undef AMD_PASS
	{NULL, NULL},
};

struct as {
	struct arena *a;
	struct diags diags;
	struct emit_module m;
	struct ir_func *next; /* parameters so far */
	bool asm_text, verify, force_waits;
	int npasses, pass[16], drop;
	const char *file, *out;
};

static char *slurp(struct arena *a, const char *name)
{
	FILE *in = !strcmp(name, "-") ? stdin : fopen(name, "r");
	VEC(char) v = {0};
	int c;
	if (!in) {
		perror(name);
		return NULL;
	}
	while ((c = getc(in)) != EOF)
		vec_push(a, &v, (char)c);
	vec_push(a, &v, 0);
	bool ok = !ferror(in);
	if (!ok)
		perror(name);
	fclose(in);
	return ok ? v.data : NULL;
}

static bool starts(const char *s, const char *word)
{
	size_t n = strlen(word);
	return !strncmp(s, word, n) && s[n] == ' ';
}

static struct ir_func *next_func(struct as *s)
{
	if (!s->next) {
		s->next = NEW(s->a, struct ir_func);
		s->next->params = NEWN(s->a, struct ir_param, 32);
	}
	return s->next;
}

static bool read_variable(struct as *s, const char *line)
{
	char name[128], hex[4096] = "", kind[8];
	unsigned align, size;
	struct ir_var *v = NEW(s->a, struct ir_var);
	if (sscanf(line, "%7s %127s %u %u %4095s", kind, name, &align, &size, hex) < 4)
		return false;
	v->name = arena_printf(s->a, "%s", name);
	v->space = *kind == 'g' ? IR_GLOBAL : IR_CONST;
	v->align = align;
	v->size = size;
	v->relocs = NEWN(s->a, struct ir_reloc, 16);
	if (*hex) {
		uint8_t *init = NEWN(s->a, uint8_t, size + 1);
		for (size_t k = 0; k < size && hex[2 * k]; k++) {
			char byte[3] = {hex[2 * k], hex[2 * k + 1], 0};
			init[k] = (uint8_t)strtoul(byte, NULL, 16);
		}
		v->init = init;
	}
	vec_push(s->a, &s->m.vars, v);
	return true;
}

static bool read_address(struct as *s, const char *line)
{
	char name[128];
	unsigned offset;
	long addend;
	if (!s->m.vars.len || sscanf(line, "address %u %127s %ld", &offset, name, &addend) != 3)
		return false;
	struct ir_var *v = vec_last(&s->m.vars);
	struct ir_var *to = NEW(s->a, struct ir_var); /* found again by its name */
	to->name = arena_printf(s->a, "%s", name);
	v->relocs[v->nrelocs++] = (struct ir_reloc){.offset = offset, .var = to, .addend = addend, .bytes = 8};
	return true;
}

static bool read_param(struct as *s, const char *line)
{
	struct ir_func *f = next_func(s);
	unsigned offset, size;
	if (sscanf(line, "param %u %u", &offset, &size) != 2)
		return false;
	f->params[f->nparams++] = (struct ir_param){.offset = offset, .size = size};
	return true;
}

static bool read_function(struct as *s, const char **text)
{
	const char *p = *text, *end = p;
	do {
		end = strchr(end, '\n');
		end = end ? end + 1 : p + strlen(p);
	} while (*end && !starts(end, "kernel") && !starts(end, "func") && !starts(end, "global") && !starts(end, "const") &&
	         !starts(end, "param"));
	struct amd_func *f = amd_read_func(s->a, &s->diags, s->m.target, p, (size_t)(end - p));
	if (!f)
		return false;
	*text = end;
	s->m.target = f->target;
	f->diags = &s->diags;
	f->force_waits |= s->force_waits;
	vec_push(s->a, &s->m.funcs, f);
	vec_push(s->a, &s->m.ir_funcs, s->next);
	s->next = NULL;
	return true;
}

static bool read_all(struct as *s, const char *text)
{
	while (*text) {
		bool ok = true;
		if (starts(text, "kernel") || starts(text, "func")) {
			if (!read_function(s, &text))
				return false;
			continue;
		}
		if (starts(text, "global") || starts(text, "const"))
			ok = read_variable(s, text);
		else if (starts(text, "address"))
			ok = read_address(s, text);
		else if (starts(text, "param"))
			ok = read_param(s, text);
		else if (*text != '#' && *text != '\n')
			ok = false;
		if (!ok) {
			fprintf(stderr, "amd-as: cannot read '%.*s'\n", (int)strcspn(text, "\n"), text);
			return false;
		}
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	if (!s->m.funcs.len)
		fprintf(stderr, "amd-as: %s has no function\n", s->file);
	return s->m.funcs.len > 0;
}

static void drop_one(struct as *s, struct amd_func *f)
{
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k];
		for (uint32_t n = 0; n < b->insts.len; n++) {
			struct amd_inst *i = b->insts.data[n];
			if ((i->op != amd_s_waitcnt && i->op != amd_s_nop && i->op != amd_s_waitcnt_depctr) || s->drop-- != 0)
				continue;
			struct strbuf sb;
			sb_init(&sb, s->a);
			amd_print_inst(&sb, i);
			fprintf(stderr, "%s of %s, block %u\n", sb_str(&sb), f->name, k);
			memmove(&b->insts.data[n], &b->insts.data[n + 1], (--b->insts.len - n) * sizeof i);
			return;
		}
	}
}

static bool each_function(struct as *s, FILE *out)
{
	for (uint32_t k = 0; k < s->m.funcs.len; k++) {
		struct amd_func *f = s->m.funcs.data[k];
		struct emit_code code;
		const char *why;
		for (int n = 0; n < s->npasses; n++)
			passes[s->pass[n]].run(f);
		if (s->drop >= 0)
			drop_one(s, f);
		if (!s->asm_text && !s->verify)
			continue;
		emit_code(f, &code);
		if (s->verify && (why = emit_verify(s->a, &code))) {
			fprintf(stderr, "amd-as: %s\n", why);
			return false;
		}
		if (s->asm_text) {
			struct strbuf sb;
			sb_init(&sb, s->a);
			emit_asm_func(&sb, &code, NULL);
			fputs(sb_str(&sb), out);
		}
	}
	return s->drop < 0;
}

static int assemble(struct as *s)
{
	const char *text = slurp(s->a, s->file);
	diags_init(&s->diags, s->a);
	s->m.arena = s->a;
	s->m.diags = &s->diags;
	bool ok = text && read_all(s, text);
	FILE *out = s->out ? fopen(s->out, "wb") : stdout;
	size_t size = 0;
	const uint8_t *elf = NULL;
	if (ok && out && each_function(s, out) && !s->asm_text)
		elf = emit_object(&s->m, &size);
	for (uint32_t k = 0; k < s->diags.list.len; k++)
		fprintf(stderr, "%s:%u: %s\n", s->file, s->diags.list.data[k].line, s->diags.list.data[k].text);
	if (elf)
		fwrite(elf, 1, size, out);
	if (!out || (s->out && fclose(out)))
		perror(s->out);
	return elf || (s->asm_text && ok && out) ? 0 : 1;
}

static bool parse_args(struct as *s, int argc, char **argv)
{
	for (int k = 1; k < argc; k++) {
		int n = 0;
		while (passes[n].name && strcmp(argv[k], passes[n].name))
			n++;
		if (passes[n].name && s->npasses < 16)
			s->pass[s->npasses++] = n;
		else if (!strcmp(argv[k], "-S"))
			s->asm_text = true;
		else if (!strcmp(argv[k], "--verify"))
			s->verify = true;
		else if (!strcmp(argv[k], "--force-waits"))
			s->force_waits = true;
		else if (!strncmp(argv[k], "--drop=", 7))
			s->drop = atoi(argv[k] + 7);
		else if (!strcmp(argv[k], "-o") && k + 1 < argc)
			s->out = argv[++k];
		else if (!s->file && (argv[k][0] != '-' || !argv[k][1]))
			s->file = argv[k];
		else
			return false;
	}
	return s->file != NULL;
}

int main(int argc, char **argv)
{
	struct arena arena;
	struct trap trap;
	struct as s = {.a = &arena, .drop = -1};
	int rc = 2;
	static const char usage[] = "usage: amd-as [-S] [--verify] [--modes] [--waits] [--hazards] [--clauses] [--force-waits] [--drop=N] [-o OUTPUT] FILE\n";
	if (argc > 1 && !strcmp(argv[1], "--help"))
		return fputs(usage, stdout) == EOF;
	arena_init(&arena, &trap);
	if (!parse_args(&s, argc, argv))
		fputs(usage, stderr);
	else if (setjmp(trap.env)) {
		fprintf(stderr, "amd-as: internal error: %s\n", trap.msg);
		rc = 4;
	} else
		rc = assemble(&s);
	arena_free(&arena);
	return rc;
}
