/* Encoding checked against LLVM's own assembler and disassembler. */
#include <ctype.h>

#include "emit/emit_internal.h"
#include "emit/mc_asm.h"
#include "emit/mc_disasm.h"

/* LLVM's feature string. 16-bit operands of gfx11 in the syntax and layout where a register is the low half (the short encodings
 * then reach v0-v127). */
static const char *features(const struct amd_target *t)
{
	return t->gen >= 11 ? "-real-true16" : "";
}

struct verify {
	struct arena *a;
	const struct emit_code *c;
	const char *fault;
	VEC(const char *) text; /* by instruction */
	bitword *seen;
};

static const char *hex(struct arena *a, const uint8_t *p, uint32_t n)
{
	struct strbuf sb;
	sb_init(&sb, a);
	for (uint32_t k = 0; k < n; k++)
		sb_printf(&sb, " %02x", p[k]);
	return sb_str(&sb);
}

static void fault(struct verify *v, uint32_t n, const char *what)
{
	if (!v->fault)
		v->fault = arena_printf(v->a, "%s: instruction %u: %s: %s", v->c->func->name, n, v->text.data[n], what);
}

static uint32_t inst_size(const struct emit_code *c, uint32_t n)
{
	/* an island may stand behind it: then the next instruction's offset says too much, but no instruction has more than 20 bytes */
	uint32_t end = n + 1 < c->inst_offset.len ? c->inst_offset.data[n + 1] : c->bytes.len;
	return end - c->inst_offset.data[n];
}

static void on_inst(void *ctx, const struct mc_asm_inst *i)
{
	struct verify *v = ctx;
	uint32_t n = i->line - 1;
	const uint8_t *ours = v->c->bytes.data + v->c->inst_offset.data[n];
	bitset_add(v->seen, n);
	if (i->nbytes > inst_size(v->c, n) || memcmp(i->bytes, ours, i->nbytes))
		fault(v, n, arena_printf(v->a, "assembles to%s, encoded as%s", hex(v->a, i->bytes, i->nbytes),
		                         hex(v->a, ours, inst_size(v->c, n))));
}

static void on_error(void *ctx, uint32_t line, const char *msg)
{
	struct verify *v = ctx;
	if (line && line <= v->text.len)
		fault(v, line - 1, arena_printf(v->a, "%s", msg));
	else if (!v->fault)
		v->fault = arena_printf(v->a, "%s", msg);
}

/* The instruction with addresses as they are encoded now. */
static struct amd_inst as_encoded(struct verify *v, uint32_t n)
{
	struct amd_inst i = *v->c->insts.data[n];
	const uint8_t *p = v->c->bytes.data + v->c->inst_offset.data[n];
	if (i.target) {
		i.target = NULL;
		i.imm = (int16_t)(p[0] | p[1] << 8);
	}
	i.ops = NEWN(v->a, struct amd_operand, i.nops + 1u);
	for (uint32_t k = 0; k < i.nops; k++) {
		i.ops[k] = v->c->insts.data[n]->ops[k];
		if (i.ops[k].kind == AMD_OPND_RELOC)
			i.ops[k] = amd_use_const(EMIT_LITERAL);
	}
	return i;
}

/* The next word of s that is a register; or, for the first call, the mnemonic without its encoding's suffix. */
static bool next_word(const char **s, char *out, size_t size, bool mnemonic, bool nulls)
{
	static const char *const suffixes[] = {"_e32", "_e64", "_dpp", "_sdwa"};
	for (;;) {
		while (**s && !isalnum((unsigned char)**s))
			(*s)++;
		if (!**s)
			return false;
		size_t n = 0;
		bool bracket = false;
		for (; **s && (isalnum((unsigned char)**s) || **s == '_' || **s == '[' || **s == ':' || **s == ']'); (*s)++) {
			bracket |= **s == '[';
			if (n + 1 < size)
				out[n++] = **s;
			if (**s == ':' && !bracket)
				break;
		}
		out[n] = 0;
		if (mnemonic) {
			for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++)
				if (n > strlen(suffixes[k]) && !strcmp(out + n - strlen(suffixes[k]), suffixes[k]))
					out[n - strlen(suffixes[k])] = 0;
			return true;
		}
		if (((*out == 's' || *out == 'v') && (isdigit((unsigned char)out[1]) || out[1] == '[')) || !strncmp(out, "vcc", 3) ||
		    !strncmp(out, "exec", 4) || !strcmp(out, "m0") || !strcmp(out, "off") || (nulls && !strcmp(out, "null")))
			return true;
	}
}

static void disassemble(struct verify *v)
{
	const struct amd_target *t = v->c->func->target;
	struct mc_disasm *d = mc_disasm_new(t->name, features(t));
	for (uint32_t n = 0; n < v->c->insts.len && !v->fault; n++) {
		char buf[256], ours[64], theirs[64];
		uint32_t at = v->c->inst_offset.data[n];
		const char *p = v->text.data[n], *q = buf;
		if (!d || !mc_disasm_one(d, v->c->bytes.data + at, v->c->bytes.len - at, at, buf, sizeof buf)) {
			fault(v, n, "does not disassemble");
			break;
		}
		for (bool first = true;; first = false) {
			bool nulls = v->c->insts.data[n]->enc != AMD_ENC_SMEM; /* an offset of 0 is shown as null */
			bool a = next_word(&p, ours, sizeof ours, first, nulls);
			bool b = next_word(&q, theirs, sizeof theirs, first, nulls);
			if (a != b || (a && strcmp(ours, theirs)))
				fault(v, n, arena_printf(v->a, "disassembles to %s", buf));
			if (!a || !b)
				break;
		}
	}
	mc_disasm_free(d);
}

const char *emit_verify(struct arena *a, const struct emit_code *c)
{
	struct verify v = {.a = a, .c = c};
	struct mc_asm_sink sink = {&v, on_inst, on_error};
	const struct amd_target *t = c->func->target;
	struct strbuf text;

	sb_init(&text, a);
	v.seen = bitset_new(a, c->insts.len + 1);
	for (uint32_t n = 0; n < c->insts.len; n++) {
		struct amd_inst i = as_encoded(&v, n);
		uint32_t from = text.buf.len;
		emit_asm_inst(&text, t, &i, "");
		vec_push(a, &v.text, arena_strndup(a, text.buf.data + from, text.buf.len - from));
		sb_putc(&text, '\n');
	}
	if (!mc_assemble(t->name, features(t), text.buf.data, text.buf.len, &sink))
		return "LLVM does not know the chip";
	for (uint32_t n = 0; n < c->insts.len && !v.fault; n++)
		if (!bitset_has(v.seen, n))
			fault(&v, n, "not assembled");
	if (!v.fault)
		disassemble(&v);
	return v.fault;
}
