/* What the builders make of each instruction means what the PTX manual says: the IR of `OP d, a, b, c` is evaluated by the folder over edge
 * values and compared with a plain C rendering of the manual's semantics. */
#include <stdio.h>
#include <stdlib.h>

#include "../../tests/unit/build_rows_gen.h"
#include "parser/build.h"
#include "parser/ptx_parse.h"
#include "unit.h"

/* --- building and evaluating --- */

static const char *kernel(struct arena *a, const struct row *r)
{
	struct strbuf sb;
	sb_init(&sb, a);
	uint32_t n = (uint32_t)strcspn(r->sig, "=");
	uint32_t db = sets[set_of(r->sig[n + 1])].bits;
	sb_puts(&sb, ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .b64 p0, .param .b64 p1, .param .b64 p2)\n{\n");
	for (uint32_t k = 0; k < n; k++)
		sb_printf(&sb, ".reg .b%u %%x%u;\n", sets[set_of(r->sig[k])].bits, k);
	sb_printf(&sb, ".reg .b%u %%d; .reg .b64 %%q;\n", db);
	for (uint32_t k = 0; k < n; k++)
		sb_printf(&sb, "ld.param.b%u %%x%u, [p%u];\n", sets[set_of(r->sig[k])].bits, k, k);
	for (const char *c = r->text; *c; c++) {
		if (*c != '$')
			sb_putc(&sb, *c);
		else if (*++c == 'd')
			sb_puts(&sb, "%d");
		else
			sb_printf(&sb, "%%x%d", *c - 'a');
	}
	sb_printf(&sb, ";\nmov.b64 %%q, 16;\nst.global.b%u [%%q], %%d;\nret;\n}\n", db);
	return sb_str(&sb);
}

struct value {
	u64 bits;
	bool known;
};

static struct value eval_inst(const struct ir_inst *i, struct value *v, const u64 *args)
{
	struct ir_inst in[4], *ptr[4], tmp = *i;
	struct value r = {0, false};
	if (i->op == IR_load)
		return (struct value){args[i->imm / 8] & ir_mask(i->width), true};
	ck_assert_uint_le(i->nargs, 4);
	for (uint32_t k = 0; k < i->nargs; k++) {
		const struct ir_inst *x = i->args[k];
		struct value xv = x->op == IR_const ? (struct value){x->imm, true} : v[x->id];
		if (i->op == IR_select && k && (u64)(k == 1) != in[0].imm)
			xv.known = true; /* not chosen */
		if (!xv.known)
			return r;
		in[k] = (struct ir_inst){.op = IR_const, .width = x->width, .imm = xv.bits};
		ptr[k] = &in[k];
	}
	tmp.args = ptr;
	r.known = ir_fold_const(&tmp, &r.bits);
	r.bits &= ir_mask(i->width);
	return r;
}

static struct value eval(struct ir_func *f, struct value *v, const u64 *args)
{
	ir_each_inst(i, f->blocks.data[0])
	{
		if (i->op == IR_store) {
			const struct ir_inst *x = i->args[1];
			return x->op == IR_const ? (struct value){x->imm, true} : v[x->id];
		}
		v[i->id] = eval_inst(i, v, args);
	}
	ck_abort_msg("no store");
}

static struct ir_func *build(struct arena *a, const struct row *r)
{
	struct diags d;
	struct ptx_parse_opts opts = {0};
	const char *text = kernel(a, r);
	diags_init(&d, a);
	struct ptx_module *pm = ptx_parse(a, &d, text, strlen(text), &opts);
	struct ir_module *m = d.errors ? NULL : ptx_build(a, &d, pm);
	if (d.errors)
		ck_abort_msg("%s: %s", r->text, d.list.data[0].text);
	ir_validate(m->funcs.data[0], "ptx_build");
	return m->funcs.data[0];
}

static void check_row(const struct row *r)
{
	struct arena a;
	struct trap trap;
	arena_init(&a, &trap);
	if (setjmp(trap.env))
		ck_abort_msg("%s: %s", r->text, trap.msg);
	struct ir_func *f = build(&a, r);
	struct value *v = NEWN(&a, struct value, f->ninsts + 1);
	uint32_t nargs = (uint32_t)strcspn(r->sig, "="), known = 0, total = samples(r);
	for (uint32_t i = 0; i < total; i++) {
		u64 args[3];
		combo(r, i, args);
		struct value got = eval(f, v, args);
		u64 want = row_ref(r, args);
		if (!got.known) /* the folder leaves NaNs to the hardware */
			continue;
		known++;
		if (!same(want, got.bits, r->sig[nargs + 1]))
			ck_abort_msg("%s: a %llx b %llx c %llx: got %llx, should be %llx", r->text, (unsigned long long)args[0],
				     (unsigned long long)args[1], (unsigned long long)args[2], (unsigned long long)got.bits,
				     (unsigned long long)want);
	}
	if (known * 4 < total)
		ck_abort_msg("%s: only %u of %u results are known", r->text, known, total);
	arena_free(&a);
}

/* Every truth table of lop3: over these inputs each bit of the result is one row of the table. */
static u64 lop3_table;
static u64 lop3_ref(u64 a, u64 b, u64 c)
{
	u64 d = 0;
	for (u32 k = 0; k < 32; k++)
		d |= (lop3_table >> (4 * (a >> k & 1) + 2 * (b >> k & 1) + (c >> k & 1)) & 1) << k;
	return d;
}
START_TEST(lop3_tables)
{
	char text[64];
	struct row r = {.text = text, .sig = "ttt=w", .ref = lop3_ref};
	for (lop3_table = 0; lop3_table < 256; lop3_table++) {
		snprintf(text, sizeof text, "lop3.b32 $d, $a, $b, $c, %d", (int)lop3_table);
		check_row(&r);
	}
}
END_TEST

START_TEST(instruction_rows)
{
	for (u32 k = (u32)_i * 16; k < nrows && k < (u32)_i * 16 + 16; k++)
		check_row(&rows[k]);
}
END_TEST

int main(void)
{
	make_rows();
	Suite *s = suite_create("build_values");
	TCase *tc = tcase_create("rows");
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, lop3_tables);
	tcase_add_loop_test(tc, instruction_rows, 0, (int)(nrows + 15) / 16);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
