/* ir_possible_bits and ir_signed_bits never claim too much: random expressions over loads, evaluated with random inputs. */
#include <check.h>

#include "ir/ir_legal.h"

static uint64_t seed = 0x2545F4914F6CDD1Du;
static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static uint64_t some_constant(uint32_t w)
{
	uint64_t x = next_random() >> (next_random() & 63);
	return (next_random() & 3 ? x : ~x) & ir_mask(w);
}

enum { VALUES = 14 };
static struct arena arena;
static struct diags diags;

static struct ir_inst *leaf(struct ir_cursor *c, uint32_t w)
{
	struct ir_inst *l = ir_inst_new(c->f, IR_load, w, 1);
	uint32_t bits = 8u << (next_random() % 4);
	l->args[0] = ir_const(c->f, 64, 0);
	l->mem = (struct ir_mem){.space = IR_GLOBAL, .bits = (uint16_t)(bits < w ? bits : w), .sext = next_random() & 1};
	return ir_emit(c, l);
}

/* An operand of width w: a constant, or the latest value of that width, or one before it. */
static struct ir_inst *operand(struct ir_cursor *c, struct ir_inst **v, uint32_t n, uint32_t w)
{
	if (next_random() % 3 == 0)
		return ir_const(c->f, w, some_constant(w));
	for (uint32_t k = n; k-- > 0;)
		if (v[k]->width == w && next_random() % 3)
			return v[k];
	return leaf(c, w);
}

static struct ir_inst *random_op(struct ir_cursor *c, struct ir_inst **v, uint32_t n)
{
	static const uint16_t same[] = {IR_add, IR_mul, IR_and, IR_or, IR_xor, IR_umin, IR_umax, IR_smin, IR_smax, IR_smin, IR_smax, IR_umulhi};
	static const uint16_t shifts[] = {IR_shl, IR_shr, IR_sar};
	uint32_t w = next_random() & 1 ? 32 : 64;
	struct ir_inst *x = operand(c, v, n, w);
	switch (next_random() % 9) {
	case 0:
		return ir_b2(c, (enum ir_op)shifts[next_random() % 3], w, x, ir_const(c->f, 32, next_random() % w));
	case 1:
		return ir_b1(c, next_random() & 1 ? IR_zext : IR_sext, w, operand(c, v, n, w / 2));
	case 2:
		return ir_b1(c, IR_trunc, w / 2, x);
	case 3:
		x = operand(c, v, n, 32);
		return ir_b3(c, next_random() & 1 ? IR_ubfe : IR_sbfe, 32, x, ir_const(c->f, 32, next_random() % 32), ir_const(c->f, 32, next_random() % 32));
	case 4:
		return ir_select(c, ir_cmp(c, IR_icmp, IRC_SLT, x, operand(c, v, n, w)), operand(c, v, n, w), operand(c, v, n, w));
	case 5:
		return ir_b3(c, IR_umadhi, 32, operand(c, v, n, 32), operand(c, v, n, 32), operand(c, v, n, 64));
	default:
		return ir_b2(c, (enum ir_op)same[next_random() % (sizeof same / sizeof *same)], w, x, operand(c, v, n, w));
	}
}

static uint64_t evaluate(const struct ir_inst *i, const uint64_t *v)
{
	struct ir_inst consts[3], *ptrs[3], copy = *i;
	uint64_t r = some_constant(i->width);
	if (i->op == IR_load) {
		r &= ir_mask(i->mem.bits);
		return i->mem.sext && r >> (i->mem.bits - 1) ? (r | ~ir_mask(i->mem.bits)) & ir_mask(i->width) : r;
	}
	for (uint32_t k = 0; k < i->nargs; k++) {
		consts[k] = (struct ir_inst){.op = IR_const, .width = i->args[k]->width,
					     .imm = i->args[k]->op == IR_const ? i->args[k]->imm : v[i->args[k]->id]};
		ptrs[k] = &consts[k];
	}
	copy.args = ptrs;
	ck_assert(ir_fold_const(&copy, &r));
	return r;
}

START_TEST(never_too_much)
{
	for (int round = 0; round < 3000; round++) {
		arena_init(&arena, NULL);
		diags_init(&diags, &arena);
		struct ir_func *f = ir_func_new(ir_module_new(&arena, &diags), "k");
		struct ir_cursor c = {f, ir_block_new(f), NULL, 0};
		struct ir_inst *v[VALUES];
		for (uint32_t n = 0; n < VALUES; n++)
			v[n] = random_op(&c, v, n);
		uint64_t *x = NEWN(&arena, uint64_t, f->ninsts);
		for (int sample = 0; sample < 60; sample++)
			ir_each_inst(i, c.block) {
				if (i->width == 1 && i->op != IR_icmp)
					continue;
				uint64_t r = x[i->id] = evaluate(i, x), bits = ir_possible_bits(i);
				uint32_t n = ir_signed_bits(i), up = 64 - n;
				ck_assert_msg(!(r & ~bits), "%s.%u: %llx is not in %llx", ir_op_info[i->op].name, i->width, (unsigned long long)r, (unsigned long long)bits);
				uint64_t back = n ? (uint64_t)((int64_t)(r << up) >> up) & ir_mask(i->width) : 0;
				ck_assert_msg(i->width == 1 || back == r, "%s.%u: %llx has more than %u bits", ir_op_info[i->op].name, i->width, (unsigned long long)r, n);
			}
		arena_free(&arena);
	}
}
END_TEST

/* Of what is cut from a wide value nothing is known; it is not looked into (a shift by its width would be without meaning). */
START_TEST(cut_from_wide)
{
	arena_init(&arena, NULL);
	diags_init(&diags, &arena);
	struct ir_func *f = ir_func_new(ir_module_new(&arena, &diags), "k");
	struct ir_cursor c = {f, ir_block_new(f), NULL, 0};
	for (uint32_t wide = 128; wide <= 256; wide *= 2)
		for (uint32_t w = 16; w <= 64; w *= 2) {
			struct ir_inst *cut = ir_b1(&c, IR_trunc, w, leaf(&c, wide));
			ck_assert_uint_eq(ir_signed_bits(cut), w);
			ck_assert(ir_possible_bits(cut) == ir_mask(w));
			ck_assert_uint_eq(ir_signed_bits(cut->args[0]), wide);
		}
	arena_free(&arena);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ir_bits");
	TCase *t = tcase_create("all");
	tcase_set_timeout(t, 120);
	tcase_add_test(t, never_too_much);
	tcase_add_test(t, cut_from_wide);
	suite_add_tcase(s, t);
	SRunner *r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
