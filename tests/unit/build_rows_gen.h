/* Whole families of instructions over their types and modifiers, added to the rows of build_rows.h. */
#ifndef TESTS_BUILD_ROWS_GEN_H
#define TESTS_BUILD_ROWS_GEN_H

#include <stdarg.h>
#include <stdio.h>

#include "../../tests/unit/build_rows.h"

enum { MAX_ROWS = 2000, MAX_COMBOS = 3000 };
static struct row rows[MAX_ROWS];
static u32 nrows;

static void gen_row(u64 (*gen)(const struct row *, u64, u64, u64), const char *sig, int op, int p0, int p1, int p2, const char *fmt, ...)
	__attribute__((format(printf, 7, 8)));
static void gen_row(u64 (*gen)(const struct row *, u64, u64, u64), const char *sig, int op, int p0, int p1, int p2, const char *fmt, ...)
{
	char text[256];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (nrows == MAX_ROWS)
		abort();
	rows[nrows++] = (struct row){.text = strdup(text), .sig = strdup(sig), .gen = gen, .op = op, .p = {p0, p1, p2}};
}

struct itype {
	const char *name;
	int bits, sign;
	char letter;
};
static const struct itype itypes[] = {{"u8", 8, 0, 'h'},   {"s8", 8, 1, 'h'},   {"u16", 16, 0, 'h'}, {"s16", 16, 1, 'h'},
				      {"u32", 32, 0, 'w'}, {"s32", 32, 1, 'w'}, {"u64", 64, 0, 'l'}, {"s64", 64, 1, 'l'}};
static s128 ival(int t, u64 x)
{
	int b = itypes[t].bits;
	x = b == 64 ? x : x & (((u64)1 << b) - 1);
	return itypes[t].sign ? (s128)((s64)(x << (64 - b)) >> (64 - b)) : (s128)x;
}

/* --- integers --- */

static const char *const int_ops[] = {"add", "sub", "mul.lo", "mad.lo", "div", "rem", "min", "max", "mul.hi", "abs", "neg"};
static u64 int_ref(const struct row *r, u64 a, u64 b, u64 c)
{
	s128 x = ival(r->p[0], a), y = ival(r->p[0], b), z = ival(r->p[0], c), d = 0;
	int bits = itypes[r->p[0]].bits;
	switch (r->op) {
	case 0: d = x + y; break;
	case 1: d = x - y; break;
	case 2: d = (s128)((u128)x * (u128)y); break;
	case 3: d = (s128)((u128)x * (u128)y + (u128)z); break;
	case 4: d = y ? x / y : -1; break;
	case 5: d = y ? x % y : -1; break;
	case 6: d = x < y ? x : y; break;
	case 7: d = x > y ? x : y; break;
	case 8: d = itypes[r->p[0]].sign ? (x * y) >> bits : (s128)((u128)x * (u128)y >> bits); break;
	case 9: d = x < 0 ? -x : x; break;
	default: d = -x;
	}
	return (u64)d & (bits == 64 ? ~(u64)0 : ((u64)1 << bits) - 1);
}

static const char *const int_cmps[] = {"eq", "ne", "lt", "le", "gt", "ge"};
static u64 icmp_ref(const struct row *r, u64 a, u64 b, u64 c)
{
	s128 x = ival(r->p[0], a), y = ival(r->p[0], b);
	(void)c;
	switch (r->op) {
	case 0: return x == y;
	case 1: return x != y;
	case 2: return x < y;
	case 3: return x <= y;
	case 4: return x > y;
	default: return x >= y;
	}
}

static u64 carry_ref(const struct row *r, u64 a, u64 b, u64 c)
{
	/* {a:c} op {b:a}, the high word, and the carry out at the top of it */
	int bits = itypes[r->p[0]].bits;
	u128 m = ((u128)1 << bits) - 1, x = (a & m) << bits | (c & m), y = (b & m) << bits | (a & m);
	bool sub = r->op == 1;
	u128 d = sub ? x - y : x + y;
	u128 top = d >> bits & m;
	bool out = sub ? x < y : bits == 64 ? d < x : d >> 2 * bits & 1;
	return (u64)((top ^ (out ? 0x55 : 0)) & m);
}

static void gen_ints(void)
{
	for (int t = 2; t < 8; t++) {
		char l = itypes[t].letter, s2[] = {l, l, '=', l, 0}, s3[] = {l, l, l, '=', l, 0}, s1[] = {l, '=', l, 0}, sc[] = {l, l, '=', 'w', 0};
		for (int op = 0; op < 9; op++)
			gen_row(int_ref, op == 3 ? s3 : s2, op, t, 0, 0, op == 3 ? "%s.%s $d, $a, $b, $c" : "%s.%s $d, $a, $b", int_ops[op],
				itypes[t].name);
		for (int op = 9; op < 11 && itypes[t].sign; op++)
			gen_row(int_ref, s1, op, t, 0, 0, "%s.%s $d, $a", int_ops[op], itypes[t].name);
		for (int op = 0; op < 6; op++)
			gen_row(icmp_ref, sc, op, t, 0, 0, ".reg .pred %%q1; setp.%s.%s %%q1, $a, $b; selp.b32 $d, 1, 0, %%q1", int_cmps[op],
				itypes[t].name);
	}
	for (int t = 4; t < 8; t += 2) {
		char l = itypes[t].letter, s3[] = {l, l, l, '=', l, 0};
		const char *n = itypes[t].name, *b = t == 4 ? "b32" : "b64";
		gen_row(carry_ref, s3, 0, t, 0, 0, ".reg .%s %%t<4>; add.cc.%s %%t0, $c, $a; addc.cc.%s $d, $a, $b; addc.%s %%t1, 0, 0;"
			" mul.lo.%s %%t1, %%t1, 85; xor.%s $d, $d, %%t1", b, n, n, n, n, b);
		gen_row(carry_ref, s3, 1, t, 0, 0, ".reg .%s %%t<4>; sub.cc.%s %%t0, $c, $a; subc.cc.%s $d, $a, $b; subc.%s %%t1, 0, 0;"
			" and.%s %%t1, %%t1, 85; xor.%s $d, $d, %%t1", b, n, n, n, b, b);
	}
}

/* --- floating point --- */

struct ftype {
	const char *name;
	struct fmt f;
	char letter;
};
static const struct ftype ftypes[] = {{"f16", {16, 10, 15}, 'x'}, {"f32", {32, 23, 127}, 'f'}, {"f64", {64, 52, 1023}, 'e'},
				      {"bf16", {16, 7, 127}, 'g'}};
static const char *const rnds[] = {"rn", "rz", "rm", "rp"};

static u64 flushed(struct fmt f, u64 x, bool ftz)
{
	u64 e = x >> f.mant & (((u64)1 << (f.width - 1 - f.mant)) - 1);
	return ftz && !e ? x & (u64)1 << (f.width - 1) : x;
}
static __float128 root(__float128 x)
{
	if (!(x > 0) || x == __builtin_inff())
		return x < 0 ? __builtin_nanf("") : x;
	__float128 scale = 1, s;
	while (x < 0x1p-200Q)
		x *= 0x1p200Q, scale *= 0x1p-100Q;
	s = sqrt((double)x);
	for (int k = 0; k < 3; k++)
		s = (s + x / s) / 2;
	return s * scale;
}

static const char *const float_ops[] = {"add", "sub", "mul", "fma", "div", "rcp", "sqrt", "min", "max"};
/* p: type, rounding, bits ftz 1, sat 2, NaN 4 */
static u64 float_ref(const struct row *r, u64 a, u64 b, u64 c)
{
	struct fmt f = ftypes[r->p[0]].f;
	bool ftz = r->p[2] & 1, sat = r->p[2] & 2, nan = r->p[2] & 4;
	__float128 x = decode(f, flushed(f, a, ftz)), y = decode(f, flushed(f, b, ftz)), z = decode(f, flushed(f, c, ftz)), d = 0;
	switch (r->op) {
	case 0: d = sum(x, y); break;
	case 1: d = sum(x, -y); break;
	case 2: d = x * y; break;
	case 3: d = sum(x * y, z); break;
	case 4: d = x / y; break;
	case 5: d = 1 / x; break;
	case 6: d = root(x); break;
	default:
		if (x != x || y != y)
			d = nan ? __builtin_nanf("") : x != x ? y : x;
		else if (x == 0 && y == 0)
			d = (__builtin_signbit(x) != 0) == (r->op == 7) ? x : y;
		else
			d = (x < y) == (r->op == 7) ? x : y;
	}
	/* an exact zero sum is -0 when rounding down */
	if ((r->op <= 1 || r->op == 3) && d == 0 && r->p[1] == RM) {
		__float128 p = r->op == 3 ? x * y : x, q = r->op == 3 ? z : r->op == 1 ? -y : y;
		if (!(p == 0 && q == 0 && !__builtin_signbit(p) && !__builtin_signbit(q)))
			d = -0.0Q;
	}
	if (sat)
		d = !(d > 0) ? 0 : d > 1 ? 1 : d;
	u64 e = encode(f, d, r->p[1]), sign = (u64)1 << (f.width - 1);
	/* products are flushed by how they round with exponents without end */
	if (ftz && (r->op == 2 || r->op == 3) && (e & ~sign) == (u64)1 << f.mant && (encode(f, d * 256, r->p[1]) & ~sign) < (u64)9 << f.mant)
		return e & sign;
	return flushed(f, e, ftz);
}

static const char *const float_cmps[] = {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
static u64 fcmp_ref(const struct row *r, u64 a, u64 b, u64 c)
{
	struct fmt f = ftypes[r->p[0]].f;
	__float128 x = decode(f, flushed(f, a, r->p[2])), y = decode(f, flushed(f, b, r->p[2]));
	bool un = x != x || y != y;
	(void)c;
	if (r->op >= 12)
		return un == (r->op == 13);
	if (un)
		return r->op >= 6;
	switch (r->op % 6) {
	case 0: return x == y;
	case 1: return x != y;
	case 2: return x < y;
	case 3: return x <= y;
	case 4: return x > y;
	default: return x >= y;
	}
}

static void gen_arith(int t, int op, int rnd, int flags)
{
	char l = ftypes[t].letter, sig[8];
	int n = op == 3 ? 3 : op == 5 || op == 6 ? 1 : 2;
	snprintf(sig, sizeof sig, "%.*s=%c", n, (char[]){l, l, l, 0}, l);
	gen_row(float_ref, sig, op, t, rnd, flags, "%s%s%s%s%s%s.%s $d, $a%s%s", float_ops[op], op < 7 ? "." : "", op < 7 ? rnds[rnd] : "",
		flags & 1 ? ".ftz" : "", flags & 2 ? ".sat" : "", flags & 4 ? ".NaN" : "", ftypes[t].name, n > 1 ? ", $b" : "",
		n > 2 ? ", $c" : "");
}

/* Both halves as the scalar operation. */
static u64 packed_ref(const struct row *r, u64 a, u64 b, u64 c)
{
	u64 d = 0;
	for (int k = 0; k < 32; k += 16) {
		u64 h = float_ref(r, a >> k & 0xffff, b >> k & 0xffff, c >> k & 0xffff);
		if (r->p[2] & 8 && !is_nan(h, ftypes[r->p[0]].letter) && (h >> 15 || !h)) /* relu */
			h = 0;
		d |= h << k;
	}
	return d;
}

static void gen_packed(int t, const char *name, char l)
{
	char s2[] = {l, l, '=', l, 0}, s3[] = {l, l, l, '=', l, 0};
	for (int op = 0; op <= 2; op++)
		gen_row(packed_ref, s2, op, t, RN, 0, "%s.rn.%s $d, $a, $b", float_ops[op], name);
	gen_row(packed_ref, s3, 3, t, RN, 0, "fma.rn.%s $d, $a, $b, $c", name);
	gen_row(packed_ref, s3, 3, t, RN, 8, "fma.rn.relu.%s $d, $a, $b, $c", name);
	for (int op = 7; op <= 8; op++) {
		gen_row(packed_ref, s2, op, t, RN, 0, "%s.%s $d, $a, $b", float_ops[op], name);
		gen_row(packed_ref, s2, op, t, RN, 4, "%s.NaN.%s $d, $a, $b", float_ops[op], name);
	}
	if (t)
		return;
	gen_row(packed_ref, s2, 0, t, RN, 2, "add.rn.sat.%s $d, $a, $b", name);
	gen_row(packed_ref, s3, 3, t, RN, 2, "fma.rn.sat.%s $d, $a, $b, $c", name);
	gen_row(packed_ref, s2, 2, t, RN, 1, "mul.rn.ftz.%s $d, $a, $b", name);
}

static void gen_floats(void)
{
	gen_packed(0, "f16x2", 'z');
	gen_packed(3, "bf16x2", 'v');
	for (int t = 1; t <= 2; t++)
		for (int op = 0; op <= 6; op++)
			for (int rnd = 0; rnd < 4; rnd++)
				gen_arith(t, op, rnd, 0);
	for (int op = 0; op <= 3; op++) {
		gen_arith(0, op, RN, 0);
		gen_arith(0, op, RN, 2);
		gen_arith(1, op, RN, 2);
	}
	gen_arith(1, 0, RN, 1);
	gen_arith(1, 0, RZ, 3);
	for (int op = 7; op <= 8; op++) {
		for (int t = 0; t < 4; t++) {
			gen_arith(t, op, RN, 0);
			if (t != 2)
				gen_arith(t, op, RN, 4);
		}
		gen_arith(1, op, RN, 1);
		gen_arith(1, op, RN, 5);
		gen_arith(0, op, RN, 1);
	}
	for (int t = 0; t < 4; t++) {
		char l = ftypes[t].letter, sig[] = {l, l, '=', 'w', 0};
		for (int op = 0; op < 14; op++)
			for (int ftz = 0; ftz <= (t == 1); ftz++)
				gen_row(fcmp_ref, sig, op, t, 0, ftz, ".reg .pred %%q1; setp.%s%s.%s %%q1, $a, $b; selp.b32 $d, 1, 0, %%q1",
					float_cmps[op], ftz ? ".ftz" : "", ftypes[t].name);
	}
}

/* --- conversions --- */

/* NaN is 0, or the top bit alone where 64 bits are on either side. */
static u64 f2i_ref(const struct row *r, u64 a, u64 b, u64 c)
{
	const struct itype *t = &itypes[r->p[0]];
	struct fmt f = ftypes[r->p[1]].f;
	__float128 x = decode(f, a);
	s128 hi = t->sign ? ((s128)1 << (t->bits - 1)) - 1 : ((s128)1 << t->bits) - 1, lo = t->sign ? -hi - 1 : 0, n;
	(void)b;
	(void)c;
	if (x != x) {
		n = f.width == 64 || t->bits == 64 ? (t->sign ? lo : (s128)((u128)1 << (t->bits - 1))) : 0;
	} else if (x > (__float128)hi) {
		n = hi;
	} else if (x < (__float128)lo) {
		n = lo;
	} else {
		n = (s128)x;
		__float128 rest = x - n;
		int up = r->p[2] == RP && rest > 0, down = r->p[2] == RM && rest < 0;
		if (r->p[2] == RN && (rest > 0.5Q || (rest == 0.5Q && n & 1)))
			up = 1;
		if (r->p[2] == RN && (rest < -0.5Q || (rest == -0.5Q && n & 1)))
			down = 1;
		n += up - down;
		n = n < lo ? lo : n > hi ? hi : n;
	}
	int db = t->bits < 32 ? 16 : t->bits;
	return (u64)n & (db == 64 ? ~(u64)0 : ((u64)1 << db) - 1);
}

static u64 i2f_ref(const struct row *r, u64 a, u64 b, u64 c)
{
	(void)b;
	(void)c;
	return encode(ftypes[r->p[1]].f, (__float128)ival(r->p[0], a), r->p[2]);
}

static u64 f2f_ref(const struct row *r, u64 a, u64 b, u64 c)
{
	(void)b;
	(void)c;
	return encode(ftypes[r->p[1]].f, decode(ftypes[r->p[0]].f, a), r->p[2]);
}

static u64 i2i_ref(const struct row *r, u64 a, u64 b, u64 c)
{
	const struct itype *to = &itypes[r->p[1]];
	s128 x = ival(r->p[0], a), hi = to->sign ? ((s128)1 << (to->bits - 1)) - 1 : ((s128)1 << to->bits) - 1, lo = to->sign ? -hi - 1 : 0;
	(void)b;
	(void)c;
	if (r->p[2])
		x = x < lo ? lo : x > hi ? hi : x;
	x = ival(r->p[1], (u64)x);
	int db = to->bits < 32 ? 16 : to->bits;
	return (u64)x & (db == 64 ? ~(u64)0 : ((u64)1 << db) - 1);
}

static bool range_holds(int from, int to)
{
	const struct itype *f = &itypes[from], *t = &itypes[to];
	return f->sign == t->sign ? t->bits >= f->bits : !f->sign && t->bits > f->bits;
}

static void gen_cvts(void)
{
	for (int i = 0; i < 8; i++) {
		for (int f = 0; f < 4; f++) {
			char fi[] = {ftypes[f].letter, '=', itypes[i].letter, 0}, lf[] = {itypes[i].letter, '=', ftypes[f].letter, 0};
			const char *n = itypes[i].name;
			for (int rnd = 0; rnd < 4; rnd++) {
				if (ftypes[f].letter == 'g' && itypes[i].bits == 8) { /* bf16 takes no wider registers */
					gen_row(f2i_ref, fi, 0, i, f, rnd, ".reg .b8 %%t; cvt.%si.%s.bf16 %%t, $a; cvt.%c16.%s $d, %%t", rnds[rnd], n,
						n[0], n);
					gen_row(i2f_ref, lf, 0, i, f, rnd, ".reg .b8 %%t; cvt.%s.u16 %%t, $a; cvt.%s.bf16.%s $d, %%t", n, rnds[rnd], n);
					continue;
				}
				gen_row(f2i_ref, fi, 0, i, f, rnd, "cvt.%si.%s.%s $d, $a", rnds[rnd], itypes[i].name, ftypes[f].name);
				gen_row(i2f_ref, lf, 0, i, f, rnd, "cvt.%s.%s.%s $d, $a", rnds[rnd], ftypes[f].name, itypes[i].name);
			}
		}
		for (int j = 0; j < 8; j++)
			for (int sat = 0; sat <= !range_holds(i, j); sat++) /* where it can matter */
				gen_row(i2i_ref, (char[]){itypes[i].letter, '=', itypes[j].letter, 0}, 0, i, j, sat, "cvt%s.%s.%s $d, $a",
					sat ? ".sat" : "", itypes[j].name, itypes[i].name);
	}
	for (int from = 0; from < 4; from++) {
		for (int to = 0; to < 4; to++) {
			if (from == to)
				continue;
			char sig[] = {ftypes[from].letter, '=', ftypes[to].letter, 0};
			bool exact = ftypes[to].f.mant >= ftypes[from].f.mant && ftypes[to].f.bias >= ftypes[from].f.bias;
			for (int rnd = 0; rnd < (exact ? 1 : 4); rnd++)
				gen_row(f2f_ref, sig, 0, from, to, rnd, "cvt%s%s.%s.%s $d, $a", exact ? "" : ".", exact ? "" : rnds[rnd],
					ftypes[to].name, ftypes[from].name);
		}
	}
}

static void make_rows(void)
{
	for (u32 k = 0; k < sizeof hand_rows / sizeof *hand_rows; k++)
		rows[nrows++] = hand_rows[k];
	gen_ints();
	gen_floats();
	gen_cvts();
}

static u64 row_ref(const struct row *r, const u64 *v)
{
	return r->gen ? r->gen(r, v[0], v[1], v[2]) : r->ref(v[0], v[1], v[2]);
}

/* All combinations of a row's edge values, or a sample of them. */
static u32 combos(const struct row *r)
{
	u32 n = 1;
	for (const char *c = r->sig; *c != '='; c++)
		n *= sets[set_of(*c)].n;
	return n;
}
static u32 samples(const struct row *r)
{
	u32 n = combos(r);
	return n < MAX_COMBOS ? n : MAX_COMBOS;
}
static void combo(const struct row *r, u32 i, u64 *v)
{
	u32 n = combos(r);
	if (n > MAX_COMBOS)
		i = (u32)((u64)i * 2654435761u % n);
	v[0] = v[1] = v[2] = 0;
	for (u32 k = 0; r->sig[k] != '='; k++) {
		u32 set = set_of(r->sig[k]);
		v[k] = sets[set].v[i % sets[set].n];
		i /= sets[set].n;
	}
}

#endif
