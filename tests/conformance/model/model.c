/* Instructions by the PTX ISA 9.0 manual, "Floating Point Instructions", "Mixed Precision FP Instructions" and "cvt".
 *
 * What the manual leaves open and an H200 answered (its recordings agree): .ftz flushes a result that is below the
 * least normal when rounded to the full precision, as if exponents had no end; a NaN result is 0x7fffffff, 0x7fff for
 * 16 bits; .sat and .relu give +0 for -0; .ftz changes nothing in cvt.f16.f32; cvt.rna.tf32 only cuts a NaN off, with
 * .satfinite less one in the last place; the other roundings to tf32 give 0x7fffe000; the NaN that .oob looks for is
 * 0x7ff7 with any sign. */
#include "model.h"

#include <string.h>

enum op { OP_ADD, OP_SUB, OP_MUL, OP_FMA, OP_MIN, OP_MAX, OP_CVT };
enum type { T_F16, T_BF16, T_F32, T_F64, T_TF32, T_E4M3, T_E5M2, T_E2M1, T_E2M3, T_E3M2, T_UE8M0 };

static const struct {
	const char *name;
	uint8_t type, count, bits; /* of an element; bits: its place in the register */
} type_names[] = {
	{"f16", T_F16, 1, 16},	  {"f16x2", T_F16, 2, 16},    {"bf16", T_BF16, 1, 16},	{"bf16x2", T_BF16, 2, 16},
	{"f32", T_F32, 1, 32},	  {"f32x2", T_F32, 2, 32},    {"f64", T_F64, 1, 64},	{"tf32", T_TF32, 1, 32},
	{"e4m3x2", T_E4M3, 2, 8}, {"e5m2x2", T_E5M2, 2, 8},   {"e2m1x2", T_E2M1, 2, 4}, {"e2m3x2", T_E2M3, 2, 8},
	{"e3m2x2", T_E3M2, 2, 8}, {"ue8m0x2", T_UE8M0, 2, 8}, {"e4m3x4", T_E4M3, 4, 8},	{"e5m2x4", T_E5M2, 4, 8},
	{"e2m1x4", T_E2M1, 4, 4}, {"e2m3x4", T_E2M3, 4, 8},   {"e3m2x4", T_E3M2, 4, 8},
};
enum { NTYPES = sizeof type_names / sizeof *type_names };

static const struct format *const formats[] = {
	[T_F16] = &fmt_f16,   [T_BF16] = &fmt_bf16, [T_F32] = &fmt_f32,	  [T_F64] = &fmt_f64,	[T_TF32] = &fmt_tf32,
	[T_E4M3] = &fmt_e4m3, [T_E5M2] = &fmt_e5m2, [T_E2M1] = &fmt_e2m1, [T_E2M3] = &fmt_e2m3, [T_E3M2] = &fmt_e3m2,
};

/* --- the opcode --- */

static int index_of(const char *const *words, int n, const char *w, size_t len)
{
	for (int k = 0; k < n; k++)
		if (strlen(words[k]) == len && !memcmp(words[k], w, len))
			return k;
	return -1;
}

static bool modifier(struct model_op *m, const char *w, size_t len)
{
	static const char *const rounds[] = {"rn", "rz", "rm", "rp", "rna"};
	static const char *const flags[] = {"ftz", "sat", "satfinite", "relu", "NaN", "abs", "xorsign", "oob", "rs"};
	bool *const set[] = {&m->ftz, &m->sat, &m->satfinite, &m->relu, &m->nan, &m->abs, &m->xorsign, &m->oob, &m->rs};
	int k = index_of(rounds, 5, w, len);
	if (k >= 0)
		m->rnd = (enum rounding)k;
	int f = index_of(flags, 9, w, len);
	if (f >= 0)
		*set[f] = true;
	for (uint8_t t = 0; t < NTYPES; t++)
		if (strlen(type_names[t].name) == len && !memcmp(type_names[t].name, w, len) && m->ntypes < 3) {
			m->types[m->ntypes++] = t;
			return true;
		}
	return k >= 0 || f >= 0;
}

static uint8_t type_of(const struct model_op *m, uint32_t k)
{
	return type_names[m->types[k]].type;
}

/* What of the parsed opcodes is an instruction that is modelled. */
static bool known(const struct model_op *m)
{
	uint8_t d = m->ntypes ? type_of(m, 0) : T_UE8M0, count = m->ntypes ? type_names[m->types[0]].count : 0;
	bool packed32 = d == T_F32 && count == 2;
	if (m->op != OP_CVT && d > T_F32)
		return false;
	switch (m->op) {
	case OP_MIN:
	case OP_MAX:
		return m->ntypes == 1 && !packed32 && (m->nin == 2 || (m->nin == 3 && d == T_F32));
	case OP_FMA:
		return m->nin == 3 && m->ntypes <= 2 && (m->ntypes == 1 || d == T_F32) && (!m->oob || d <= T_BF16);
	case OP_MUL:
		return m->nin == 2 && m->ntypes == 1;
	case OP_ADD:
	case OP_SUB:
		return m->nin == 2 && m->ntypes <= 2 && (m->ntypes == 1 || d == T_F32);
	default:
		if (m->ntypes != 2 || d == T_F64 || type_of(m, 1) == T_F64 || (d == T_F32 && type_of(m, 1) == T_BF16))
			return false;
		if (d == T_F32 && type_of(m, 1) == T_F32)
			return false;
		if (count == 4 || m->rs)
			return m->rs && (count == 4 ? m->nin == 5 : (d == T_BF16 || d == T_F16) && count == 2 && m->nin == 3);
		return !m->ftz || d != T_BF16;
	}
}

bool model_parse(const char *opcode, uint32_t nin, struct model_op *m)
{
	static const char *const ops[] = {"add", "sub", "mul", "fma", "min", "max", "cvt"};
	size_t len = strcspn(opcode, ".");
	int op = index_of(ops, 7, opcode, len);
	*m = (struct model_op){.op = (uint16_t)op, .nin = (uint8_t)nin};
	if (op < 0)
		return false;
	while (opcode[len] == '.') {
		opcode += len + 1;
		len = strcspn(opcode, ".");
		if (!modifier(m, opcode, len))
			return false;
	}
	return known(m);
}

/* --- arithmetic on one element --- */

static struct number zero(bool neg)
{
	return (struct number){.cls = N_ZERO, .neg = neg};
}

static bool below_least_normal(const struct format *f, struct number x)
{
	struct number least = {.cls = N_FINITE, .m = 1, .e = 1 - f->bias};
	x.neg = false;
	return x.cls == N_FINITE && number_compare(x, least) < 0;
}

static struct number flushed(const struct format *f, bool ftz, struct number x)
{
	return ftz && below_least_normal(f, x) ? zero(x.neg) : x;
}

/* .sat: to [0, 1], NaN to +0. .relu: negative numbers and -0 to +0, NaN stays. */
static struct number limited(const struct model_op *m, struct number x)
{
	struct number one = {.cls = N_FINITE, .m = 1};
	if (m->sat && (x.cls == N_NAN || x.neg))
		return zero(false);
	if (m->sat && number_compare(x, one) > 0)
		return one;
	return m->relu && x.neg && x.cls != N_NAN ? zero(false) : x;
}

static uint64_t arithmetic(const struct model_op *m, const struct format *f, const struct format *narrow,
			   const uint64_t *in)
{
	struct number x = flushed(f, m->ftz, number_of(narrow, in[0])), d;
	if (m->oob && ((in[0] & 0x7fff) == 0x7ff7 || (in[1] & 0x7fff) == 0x7ff7))
		return 0;
	uint32_t last = m->op == OP_FMA ? 2 : 1;
	struct number y = flushed(f, m->ftz, number_of(m->op == OP_FMA || m->op == OP_MUL ? narrow : f, in[1]));
	if (m->op == OP_SUB)
		y.neg = !y.neg;
	if (m->op == OP_MUL)
		d = number_mul(x, y);
	else if (m->op == OP_FMA)
		d = number_add(m->rnd, number_mul(x, y), flushed(f, m->ftz, number_of(f, in[last])));
	else
		d = number_add(m->rnd, x, y);
	struct format wide = *f;
	wide.exp = 15, wide.bias = 16383, wide.max = UINT64_MAX >> 1;
	if (m->ftz && d.cls == N_FINITE &&
	    below_least_normal(f, number_of(&wide, number_code(&wide, m->rnd, false, d))))
		d = zero(d.neg);
	/* rounded before it is limited: a result that rounds to 1 is 1 */
	d = number_of(f, number_code(f, m->rnd, false, d));
	return number_code(f, m->rnd, false, limited(m, d));
}

/* --- min, max --- */

static struct number lesser(const struct model_op *m, struct number x, struct number y)
{
	if (x.cls == N_NAN || y.cls == N_NAN) {
		bool both = x.cls == N_NAN && y.cls == N_NAN;
		struct number nan = {.cls = N_NAN};
		return both || m->nan ? nan : x.cls == N_NAN ? y : x;
	}
	bool less = number_compare(x, y) < 0;
	return less == (m->op == OP_MIN) ? x : y;
}

static uint64_t min_max(const struct model_op *m, const struct format *f, const uint64_t *in)
{
	struct number d = {0};
	bool sign = false;
	for (uint32_t k = 0; k < m->nin; k++) {
		struct number x = flushed(f, m->ftz, number_of(f, in[k]));
		sign ^= in[k] >> (f->exp + f->mant) & 1;
		if (m->abs)
			x.neg = false;
		d = k ? lesser(m, d, x) : x;
	}
	if (m->xorsign && d.cls != N_NAN)
		d.neg = sign;
	return number_code(f, RND_RN, false, d);
}

/* --- ue8m0: 2^(code - 127), 255 is NaN; signs are dropped --- */

static uint64_t ue8m0_code(const struct model_op *m, struct number x)
{
	if (x.cls == N_NAN)
		return 0xff;
	if (x.cls == N_INF)
		return m->satfinite ? 0xfe : 0xff;
	if (x.cls == N_ZERO)
		return 0;
	x.neg = false;
	struct number p = {.cls = N_FINITE, .m = 1, .e = -127};
	uint64_t code = 0;
	for (; number_compare(p, x) < 0; p.e++) /* the least power that is not below x */
		code++;
	if (m->rnd == RND_RZ && code && number_compare(p, x) > 0)
		code--;
	return code <= 0xfe ? code : m->satfinite ? 0xfe : 0xff;
}

static struct number ue8m0_value(uint64_t code)
{
	if (code == 0xff)
		return (struct number){.cls = N_NAN};
	return (struct number){.cls = N_FINITE, .m = 1, .e = (int)code - 127};
}

/* --- cvt --- */

/* Stochastic rounding to bf16: the 16 mantissa bits that are cut off and the random ones are added; a carry goes into
 * what is left. */
static uint64_t stochastic_bf16(const struct model_op *m, uint64_t in, uint64_t random)
{
	struct number x = number_of(&fmt_f32, in);
	if (x.cls == N_FINITE) {
		uint64_t mag = (in & 0x7fffffff) + random;
		x = number_of(&fmt_f32, (in & 0x80000000) | (mag & 0x7fff0000));
	}
	return number_code(&fmt_bf16, RND_RZ, m->satfinite, limited(m, x));
}

/* Stochastic rounding to fewer exponents: away from zero where the first `bits` bits that are cut off and the random ones carry,
 * which is where at least (2^bits - random) 2^-bits of a unit in the last place is cut off. */
static uint64_t stochastic(const struct model_op *m, const struct format *d, uint32_t bits, uint64_t in, uint64_t random)
{
	struct number x = number_of(&fmt_f32, in & 0x7fffffff);
	uint64_t code = number_code(d, RND_RZ, m->satfinite, x), sign = (in >> 31) << (d->exp + d->mant);
	if (x.cls == N_NAN)
		return d->nan;
	if (code < d->max || (code == d->max && !m->satfinite)) {
		struct number below = number_of(d, code), ulp = number_of(d, code ? code : 1),
			      part = {.cls = random ? N_FINITE : N_INF, .m = ((uint64_t)1 << bits) - random, .e = ulp.e - (int)bits};
		code += number_compare(x, number_add(RND_RN, below, part)) >= 0;
	}
	return number_code(d, RND_RN, m->satfinite, limited(m, number_of(d, code | sign)));
}

static uint64_t convert(const struct model_op *m, uint64_t in, uint64_t random)
{
	uint8_t dt = type_of(m, 0), st = type_of(m, 1);
	if (m->rs && dt == T_BF16)
		return stochastic_bf16(m, in, random);
	if (m->rs)
		return stochastic(m, formats[dt], dt == T_F16 ? 13 : 16, in, random);
	struct number x = st == T_UE8M0 ? ue8m0_value(in) : number_of(formats[st], in);
	if (dt == T_UE8M0)
		return ue8m0_code(m, x);
	const struct format *d = formats[dt];
	if (dt == T_TF32 && m->rnd == RND_RNA && x.cls == N_NAN)
		return (in & 0xffffe000) - (m->satfinite ? 0x2000 : 0);
	x = flushed(&fmt_f32, m->ftz && dt == T_F32, x);
	uint64_t code = number_code(d, m->rnd, m->satfinite, x);
	if (m->sat || m->relu)
		code = x.cls == N_NAN && !m->sat ? d->nan
						 : number_code(d, m->rnd, m->satfinite, limited(m, number_of(d, code)));
	return dt == T_TF32 ? code << 13 : code;
}

/* --- elements of registers --- */

static uint64_t element(uint8_t type, struct model_value v, uint32_t k)
{
	uint32_t bits = type_names[type].bits, at = bits * k;
	uint64_t x = v.lo >> at;
	return bits < 64 ? x & (((uint64_t)1 << bits) - 1) : x;
}

/* The value that becomes element k of the result: of the packed operand, or operand number k from the last. */
static uint64_t cvt_source(const struct model_op *m, const struct model_value *in, uint32_t k)
{
	uint32_t n = type_names[m->types[0]].count;
	if (type_names[m->types[1]].count == n)
		return element(m->types[1], in[0], k);
	return element(m->types[1], in[n - 1 - k], 0);
}

/* The random bits of element k: of two, those of its half, 13 for f16; of four, 16. Two of those share them; the upper of the two takes the lowest as its highest.
 * The bits of a pair are a half of the operand, for four bits the bytes 1 and 3, or 0 and 2. */
static uint64_t random_bits(const struct model_op *m, uint64_t operand, uint32_t k)
{
	uint64_t half = operand >> 16 * (k / 2) & 0xffff, back = 0;
	if (type_names[m->types[0]].count == 2)
		return operand >> 16 * k & (type_of(m, 0) == T_F16 ? 0x1fff : 0xffff);
	if (type_names[m->types[0]].bits == 4)
		half = (operand >> (16 + 8 * (k / 2)) & 0xff) << 8 | (operand >> 8 * (k / 2) & 0xff);
	for (int b = 0; b < 16; b++)
		back |= (half >> b & 1) << (15 - b);
	return k % 2 ? back : half;
}

struct model_value model_apply(const struct model_op *m, const struct model_value *in)
{
	struct model_value d = {0, 0};
	uint8_t dt = m->types[0], st = m->ntypes > 1 ? m->types[1] : dt;
	for (uint32_t k = 0; k < type_names[dt].count; k++) {
		uint64_t v[3], r;
		if (m->op == OP_CVT) {
			r = convert(m, cvt_source(m, in, k), m->rs ? random_bits(m, in[m->nin - 1].lo, k) : 0);
		} else {
			uint32_t narrow = m->op == OP_FMA ? 2 : 1; /* operands of the second type */
			for (uint32_t j = 0; j < m->nin; j++)
				v[j] = element(j < narrow ? st : dt, in[j], k);
			const struct format *f = formats[type_names[dt].type];
			r = m->op == OP_MIN || m->op == OP_MAX ? min_max(m, f, v)
							       : arithmetic(m, f, formats[type_names[st].type], v);
		}
		d.lo |= r << type_names[dt].bits * k;
	}
	return d;
}
