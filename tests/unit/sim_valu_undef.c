/* What undefined bits do to a vector operation's result (valu_undef.def), against every choice of them: a bit of the result that changes
 * is undefined; where the table says BITS, no other is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/valu.h"
#include "unit.h"

enum { CHOICES = 64, LOOPS = 300 }; /* at most 6 undefined bits */

static uint64_t seed = 88172645463325252;
static uint64_t rnd(void)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return seed * 0x2545f4914f6cdd1d >> 16 ^ seed << 40;
}

static uint32_t width(uint8_t type)
{
	return type >= VT_U64 && type <= VT_R64 ? 64 : type <= VT_R16 ? 16 : 32;
}

union lanes {
	uint32_t d32[64];
	uint64_t d64[64];
};

static void put(union lanes *v, uint32_t size, int l, uint64_t x)
{
	if (size == 64)
		v->d64[l] = x;
	else
		v->d32[l] = (uint32_t)x;
}

static uint64_t get(const union lanes *v, uint32_t size, int l)
{
	return size == 64 ? v->d64[l] : v->d32[l];
}

/* Values with few, many or one-sided bits, so that shifts and carries matter. */
static uint64_t operand(uint32_t size)
{
	uint64_t x = rnd();
	switch (rnd() % 4) {
	case 0:
		x &= 63;
		break;
	case 1:
		x = ~(x & 63);
		break;
	case 2:
		x = 0;
	}
	return size == 64 ? x : x & ((1ull << size) - 1);
}

struct instance {
	const struct valu_row *row;
	uint64_t val[3], und[3];
	bool mask;
};

static void results(const struct instance *in, uint64_t r[CHOICES])
{
	static union lanes src[3], d;
	uint8_t out[64];
	const struct valu_row *row = in->row;
	for (int l = 0; l < CHOICES; l++) {
		int bit = 0;
		for (int n = 0; n < row->nsrc; n++) {
			uint64_t x = in->val[n] & ~in->und[n];
			for (uint64_t m = in->und[n]; m; m &= m - 1)
				x |= l >> bit++ & 1 ? m & -m : 0;
			put(&src[n], width(row->s[n]), l, x);
		}
	}
	struct valu_call k = {.d = &d, .o = out, .n = 64, .mask = in->mask ? ~0ull : 0};
	for (int n = 0; n < row->nsrc; n++)
		k.s[n] = &src[n];
	sim_valu_call(row, &k, 0xf0, false);
	for (int l = 0; l < CHOICES; l++)
		r[l] = get(&d, width(row->d), l);
}

static uint64_t claimed(const struct instance *in, const struct valu_undef *how, bool *lost)
{
	static union lanes src[3], d;
	static uint64_t u[3][64], undef[64];
	struct valu_call k = {.d = &d, .n = 64, .mask = in->mask ? ~0ull : 0};
	for (int n = 0; n < in->row->nsrc; n++) {
		for (int l = 0; l < 64; l++) { /* other lanes have nothing undefined */
			put(&src[n], width(in->row->s[n]), l, in->val[n]);
			u[n][l] = l == 5 ? in->und[n] : 0;
		}
		k.s[n] = &src[n];
	}
	sim_valu_undef(in->row, how, &k, false, u, undef);
	for (int l = 0; l < 64; l++)
		CHECK_MSG(l == 5 || !undef[l], "lane %d", l);
	*lost = false;
	for (int n = 0; n < in->row->nsrc; n++)
		*lost |= how->ctl >> n & 1 && u[n][5];
	uint32_t size = width(in->row->d);
	return size == 64 ? undef[5] : undef[5] & ((1ull << size) - 1);
}

static void instance(struct instance *in)
{
	int bits = 0;
	for (int n = 0; n < in->row->nsrc; n++) {
		uint32_t size = width(in->row->s[n]);
		in->val[n] = operand(size);
		in->und[n] = 0;
		for (int many = (int)(rnd() % 4); many > 0 && bits < 6; many--) {
			uint64_t bit = 1ull << rnd() % size;
			bits += !(in->und[n] & bit);
			in->und[n] |= bit;
		}
	}
	in->mask = rnd() & 1;
}

START_TEST(every_row)
{
	uint32_t rows = 0, exact = 0, kept = 0;
	for (const struct sim_op *op = sim_valu_ops; op->name; op++) {
		if (op->fn != sim_valu || sim_valu_rows[op->arg].d == VT_MASK || strstr(op->name, "mbcnt"))
			continue; /* v_mbcnt depends on the lane */
		const struct valu_row *row = &sim_valu_rows[op->arg];
		const struct valu_undef *how = &sim_valu_undefs[op->arg];
		rows++;
		for (int loop = 0; loop < LOOPS; loop++) {
			struct instance in = {.row = row};
			uint64_t r[CHOICES], differ = 0;
			bool lost;
			instance(&in);
			results(&in, r);
			for (int l = 1; l < CHOICES; l++)
				differ |= r[l] ^ r[0];
			uint64_t undef = claimed(&in, how, &lost);
			CHECK_MSG(!(differ & ~undef), "%s: bits %llx depend on undefined ones, claimed are %llx", op->name,
				      (unsigned long long)differ, (unsigned long long)undef);
			if (how->kind == VU_BITS && !lost) {
				CHECK_MSG(differ == undef, "%s: bits %llx depend on undefined ones, claimed are %llx", op->name,
					      (unsigned long long)differ, (unsigned long long)undef);
				exact++;
			}
			kept += how->kind != VU_BITS && differ && undef != (width(row->d) == 64 ? ~0ull : (1ull << width(row->d)) - 1);
		}
	}
	ck_assert_uint_gt(rows, 200);
	ck_assert_uint_gt(exact, 5000);
	ck_assert_uint_gt(kept, 1000);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sim_valu_undef");
	TCase *t = tcase_create("undef");
	tcase_add_test(t, every_row);
	suite_add_tcase(s, t);
	return unit_run(s);
}
