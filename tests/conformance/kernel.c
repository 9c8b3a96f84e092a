/* Kernels of a form: a parameter for each input, its column of values, then one for the rows of outputs.
 *
 * Fed by lanes, each thread takes the tuple of its number. Fed uniformly, a block takes the tuple that a list names for it, so that all
 * lanes have the same values and the compiler may use scalar registers; mixed, every other input comes from an address to which a
 * zero has been added that the compiler must take for a different one in each lane. */
#include "conformance.h"

void conf_prologue(struct strbuf *sb, const char *version, const char *target)
{
	sb_printf(sb, ".version %s\n.target %s\n.address_size 64\n", version, target);
}

static void declare(struct strbuf *sb, const struct conf_form *f)
{
	sb_puts(sb, "\t.reg .b64 %at, %offset;\n\t.reg .b32 %n, %word, %zero;\n");
	for (uint32_t i = 0; i < f->nopd; i++)
		sb_printf(sb, "\t.reg .%s %s;\n", conf_kinds[f->opd[i].kind].reg, f->opd[i].name);
	for (uint32_t i = 0; i < f->nopd; i++)
		if (f->opd[i].kind == CONF_b128) {
			sb_puts(sb, "\t.reg .b64 %low, %high;\n");
			break;
		}
}

/* %at = parameter + %n * size */
static void address(struct strbuf *sb, const char *param, uint32_t size)
{
	sb_printf(sb, "\tld.param.u64 %%at, [%s];\n\tmul.wide.u32 %%offset, %%n, %u;\n\tadd.u64 %%at, %%at, %%offset;\n", param, size);
}

static void load(struct strbuf *sb, const struct conf_opd *o, enum conf_feed feed)
{
	if (feed != CONF_LANES && conf_kinds[o->kind].bits < 32) { /* scalar loads have 32 bits at least */
		sb_puts(sb, "\tld.global.u32 %word, [%at];\n");
		sb_printf(sb, conf_kinds[o->kind].bits == 8 ? "\tcvt.u8.u32 %s, %%word;\n" : "\tmov.b32 {%s, _}, %%word;\n", o->name);
	} else if (o->kind == CONF_pred)
		sb_printf(sb, "\tld.global.u32 %%word, [%%at];\n\tand.b32 %%word, %%word, 1;\n\tsetp.ne.u32 %s, %%word, 0;\n", o->name);
	else if (o->kind == CONF_b128)
		sb_printf(sb, "\tld.global.v2.b64 {%%low, %%high}, [%%at];\n\tmov.b128 %s, {%%low, %%high};\n", o->name);
	else
		sb_printf(sb, "\tld.global.b%u %s, [%%at];\n", conf_kinds[o->kind].bits, o->name);
}

static void store(struct strbuf *sb, const struct conf_opd *o)
{
	if (o->kind == CONF_pred)
		sb_printf(sb, "\tselp.b32 %%word, 1, 0, %s;\n\tst.global.b32 [%%at+%u], %%word;\n", o->name, o->offset);
	else if (o->kind == CONF_b128)
		sb_printf(sb, "\tmov.b128 {%%low, %%high}, %s;\n\tst.global.v2.b64 [%%at+%u], {%%low, %%high};\n", o->name, o->offset);
	else
		sb_printf(sb, "\tst.global.b%u [%%at+%u], %s;\n", conf_kinds[o->kind].bits, o->offset, o->name);
}

const char conf_feed_letter[CONF_FEEDS] = {'f', 'u', 'm', 'n'};

/* %n: the number of the thread's tuple. */
static void tuple(struct strbuf *sb, enum conf_feed feed)
{
	sb_puts(sb, "\tmov.u32 %word, %ctaid.x;\n\tmov.u32 %n, %tid.x;\n");
	if (feed == CONF_LANES) {
		sb_printf(sb, "\tmad.lo.u32 %%n, %%word, %u, %%n;\n", CONF_BLOCK);
		return;
	}
	if (feed != CONF_UNIFORM) {
		address(sb, "zeros", 4);
		sb_puts(sb, "\tld.global.u32 %zero, [%at];\n");
	}
	sb_puts(sb, "\tmov.u32 %n, %word;\n");
	address(sb, "tuples", 4);
	sb_puts(sb, "\tld.global.u32 %n, [%at];\n");
}

void conf_kernel(struct strbuf *sb, const struct conf_form *f, uint32_t n, enum conf_feed feed)
{
	sb_printf(sb, ".visible .entry %c%u(", conf_feed_letter[feed], n);
	for (uint32_t i = 0; i < f->nin; i++)
		sb_printf(sb, ".param .u64 in%u, ", i);
	sb_printf(sb, ".param .u64 out%s)\n{\n", feed == CONF_LANES ? "" : ", .param .u64 tuples, .param .u64 zeros");
	declare(sb, f);
	tuple(sb, feed);
	for (uint32_t i = 0; i < f->nin; i++) {
		char param[16];
		snprintf(param, sizeof param, "in%u", i);
		address(sb, param, conf_stride(conf_in(f, i)->kind, feed));
		if (feed == (i % 2 ? CONF_ODD : CONF_EVEN))
			sb_puts(sb, "\tcvt.u64.u32 %offset, %zero;\n\tadd.u64 %at, %at, %offset;\n");
		load(sb, conf_in(f, i), feed);
	}
	sb_printf(sb, "\t%s\n", f->body);
	address(sb, "out", f->row_bytes);
	for (uint32_t i = 0; i < f->nopd; i++)
		if (f->opd[i].out)
			store(sb, &f->opd[i]);
	sb_puts(sb, "\tret;\n}\n");
}
