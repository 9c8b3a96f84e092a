/* Floating-point folding in integers: every format, rounding mode, ftz and sat the same on every host.
 *
 * A finite value is m * 2^(exp - TOP), its leading bit at TOP, bit 0 sticky: it is exact or carries at least 7 bits more than
 * any format keeps, so one rounding at the end is the correct rounding. Of a NaN, m is the payload at f64's place, quiet.
 * Source: PTX ISA, "Floating Point Instructions", "Half Precision ...", "cvt". */
#include "ir/ir_fold.h"

typedef unsigned __int128 u128;
enum { TOP = 125 };

struct format {
	uint32_t width, mant; /* stored mantissa bits */
	int32_t bias;
};
static const struct format F16 = {16, 10, 15}, F32 = {32, 23, 127}, F64 = {64, 52, 1023}, BF16 = {16, 7, 127};

enum kind { ZERO, FINITE, INFINITE, NAN_KIND };
enum { QUIET = 51 };
struct num {
	enum kind kind;
	bool neg;
	int32_t exp;
	u128 m;
};

static const struct format *format_of(uint32_t width)
{
	return width == 16 ? &F16 : width == 32 ? &F32 : width == 64 ? &F64 : NULL;
}

static u128 shift_right_sticky(u128 m, uint32_t n)
{
	if (n == 0)
		return m;
	if (n > 127)
		return m != 0;
	return m >> n | ((m & (((u128)1 << n) - 1)) != 0);
}

static struct num normalize(struct num x)
{
	if (!x.m) {
		x.kind = ZERO;
		return x;
	}
	uint64_t hi = (uint64_t)(x.m >> 64);
	int32_t top = hi ? 127 - __builtin_clzll(hi) : 63 - __builtin_clzll((uint64_t)x.m);
	x.m = top > TOP ? shift_right_sticky(x.m, (uint32_t)(top - TOP)) : x.m << (TOP - top);
	x.exp += top - TOP;
	return x;
}

static struct num unpack(uint64_t bits, const struct format *f, bool ftz)
{
	struct num x = {.neg = bits >> (f->width - 1) & 1};
	uint64_t mant = bits & ir_mask(f->mant);
	int32_t e = (int32_t)(bits >> f->mant & ir_mask(f->width - 1 - f->mant)), emax = 2 * f->bias + 1;
	if (e == emax) {
		x.kind = mant ? NAN_KIND : INFINITE;
		if (mant)
			x.m = mant << (52 - f->mant) | (uint64_t)1 << QUIET;
		return x;
	}
	if (!e && (!mant || ftz))
		return x;
	x.kind = FINITE;
	x.exp = (e ? e : 1) - f->bias + TOP - (int32_t)f->mant;
	x.m = e ? mant | (uint64_t)1 << f->mant : mant;
	return normalize(x);
}

static bool round_up(u128 rest, u128 half, bool odd, bool neg, uint32_t rnd)
{
	switch (rnd) {
	case IR_RN:
		return rest > half || (rest == half && odd);
	case IR_RNA:
		return rest >= half;
	case IR_RM:
		return neg && rest;
	case IR_RP:
		return !neg && rest;
	default:
		return false;
	}
}

static uint64_t infinity(const struct format *f)
{
	return (uint64_t)(2 * f->bias + 1) << f->mant;
}

static struct num invalid(void)
{
	return (struct num){.kind = NAN_KIND, .neg = true, .m = (uint64_t)1 << QUIET};
}

/* The NaN of an operation with a NaN operand: of two the second. */
static struct num either_nan(struct num x, struct num y)
{
	return y.kind == NAN_KIND ? y : x;
}

/* f16, bf16 and f32 have one NaN. */
static uint64_t pack_nan(struct num x, const struct format *f)
{
	return f->width == 64 ? (uint64_t)x.neg << 63 | infinity(f) | (uint64_t)x.m : ir_mask(f->width - 1);
}

/* x is below the least normal number of f; rounded as if exponents had no end it is that number. */
static bool rounds_to_least(struct num x, const struct format *f, uint32_t rnd)
{
	uint32_t drop = TOP - f->mant;
	uint64_t q = (uint64_t)(x.m >> drop);
	q += round_up(x.m & (((u128)1 << drop) - 1), (u128)1 << (drop - 1), q & 1, x.neg, rnd);
	return x.exp + f->bias == 0 && q >> (f->mant + 1);
}

/* false: the value is subnormal but rounds to the least normal number, where flushing hardware may differ. */
static bool round_pack(struct num x, const struct format *f, uint32_t rnd, bool ftz, uint64_t *out)
{
	uint64_t sign = (uint64_t)x.neg << (f->width - 1);
	if (x.kind != FINITE) {
		*out = x.kind == NAN_KIND ? pack_nan(x, f) : sign | (x.kind == INFINITE ? infinity(f) : 0);
		return true;
	}
	int32_t e = x.exp + f->bias;
	uint32_t drop = TOP - f->mant;
	bool tiny = e < 1;
	if (tiny) {
		x.m = shift_right_sticky(x.m, e < -200 ? 200 : (uint32_t)(1 - e));
		e = 0;
	}
	u128 rest = x.m & (((u128)1 << drop) - 1), half = (u128)1 << (drop - 1);
	uint64_t q = (uint64_t)(x.m >> drop);
	if (!tiny)
		q -= (uint64_t)1 << f->mant;
	q += (uint64_t)e << f->mant;
	q += round_up(rest, half, q & 1, x.neg, rnd);
	if (e > 2 * f->bias || q >= infinity(f)) {
		bool to_max = rnd == IR_RZ || (rnd == IR_RM && !x.neg) || (rnd == IR_RP && x.neg);
		q = infinity(f) - to_max;
	}
	if (ftz && tiny) {
		if (q >> f->mant)
			return false;
		q = 0;
	}
	*out = sign | q;
	return true;
}

static struct num add(struct num x, struct num y, uint32_t rnd)
{
	if (x.kind == NAN_KIND || y.kind == NAN_KIND)
		return either_nan(x, y);
	if (x.kind == INFINITE || y.kind == INFINITE) {
		if (x.kind == y.kind && x.neg != y.neg)
			return invalid();
		return x.kind == INFINITE ? x : y;
	}
	if (x.kind == ZERO && y.kind == ZERO)
		return (struct num){.neg = x.neg == y.neg ? x.neg : rnd == IR_RM};
	if (x.kind == ZERO || y.kind == ZERO)
		return x.kind == ZERO ? y : x;
	if (x.exp < y.exp || (x.exp == y.exp && x.m < y.m)) {
		struct num t = x;
		x = y;
		y = t;
	}
	u128 m = shift_right_sticky(y.m, (uint32_t)(x.exp - y.exp));
	if (x.neg == y.neg) {
		x.m += m;
	} else {
		x.m -= m;
		if (!x.m)
			return (struct num){.neg = rnd == IR_RM};
	}
	return normalize(x);
}

static struct num mul(struct num x, struct num y)
{
	struct num r = {.neg = x.neg != y.neg};
	if (x.kind == NAN_KIND || y.kind == NAN_KIND) {
		r = either_nan(x, y);
	} else if ((x.kind == INFINITE && y.kind == ZERO) || (x.kind == ZERO && y.kind == INFINITE)) {
		r = invalid();
	} else if (x.kind == INFINITE || y.kind == INFINITE) {
		r.kind = INFINITE;
	} else if (x.kind == FINITE && y.kind == FINITE) {
		/* both are exact in 53 bits */
		r.kind = FINITE;
		r.m = (u128)(uint64_t)(x.m >> (TOP - 52)) * (uint64_t)(y.m >> (TOP - 52));
		r.exp = x.exp + y.exp + TOP - 104;
		r = normalize(r);
	}
	return r;
}

static struct num divide(struct num x, struct num y)
{
	struct num r = {.neg = x.neg != y.neg};
	if (x.kind == NAN_KIND || y.kind == NAN_KIND) {
		r = either_nan(y, x);
	} else if (x.kind == y.kind && x.kind != FINITE) {
		r = invalid();
	} else if (x.kind == INFINITE || y.kind == ZERO) {
		r.kind = INFINITE;
	} else if (x.kind == FINITE && y.kind == FINITE) {
		u128 n = x.m >> (TOP - 52) << 70;
		uint64_t d = (uint64_t)(y.m >> (TOP - 52));
		r.kind = FINITE;
		r.m = n / d << 1 | (n % d != 0);
		r.exp = x.exp - y.exp + TOP - 71;
		r = normalize(r);
	}
	return r;
}

static struct num square_root(struct num x)
{
	if (x.kind == NAN_KIND || x.kind == ZERO)
		return x;
	if (x.neg)
		return invalid();
	if (x.kind == INFINITE)
		return x;
	/* m * 2^(exp - TOP) = n * 2^(2 h): root of n has 62 bits */
	uint32_t odd = (uint32_t)x.exp & 1;
	u128 n = x.m >> (TOP - 52) << (70 + odd);
	u128 root = 0;
	for (u128 bit = (u128)1 << 124; bit; bit >>= 2) {
		if (n >= root + bit) {
			n -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	struct num r = {.kind = FINITE, .exp = (x.exp - (int32_t)odd) / 2 + TOP - 62, .m = root << 1 | (n != 0)};
	return normalize(r);
}

static bool is_product(const struct ir_inst *i)
{
	return i->op == IR_fmul || i->op == IR_ffma || i->op == IR_pkfmul || i->op == IR_pkffma;
}

/* sat, relu and rounding into the result. */
static bool finish(const struct ir_inst *i, struct num x, const struct format *f, bool ftz, uint64_t *bits)
{
	const struct num one = {.kind = FINITE, .exp = 0, .m = (u128)1 << TOP};
	if (i->sat) {
		if (x.kind == NAN_KIND || x.neg || x.kind == ZERO)
			x = (struct num){.kind = ZERO};
		else if (x.kind == INFINITE || x.exp >= 0)
			x = one;
	}
	if (i->relu && x.neg && x.kind != NAN_KIND)
		x = (struct num){.kind = ZERO};
	if (ftz && is_product(i) && x.kind == FINITE && x.exp + f->bias < 1) {
		*bits = (uint64_t)x.neg << (f->width - 1) | (uint64_t)rounds_to_least(x, f, i->rnd) << f->mant;
		return true;
	}
	return round_pack(x, f, i->rnd, ftz, bits);
}

static struct num arg(const struct ir_inst *i, uint32_t k)
{
	const struct format *f = format_of(i->args[k]->width);
	return unpack(i->args[k]->imm, f, i->ftz);
}

static struct num negated(struct num x)
{
	x.neg = x.neg != (x.kind != NAN_KIND);
	return x;
}

bool ir_fold_fadd(const struct ir_inst *i, uint64_t *bits)
{
	return finish(i, add(arg(i, 0), arg(i, 1), i->rnd), format_of(i->width), i->ftz, bits);
}

bool ir_fold_fsub(const struct ir_inst *i, uint64_t *bits)
{
	return finish(i, add(arg(i, 0), negated(arg(i, 1)), i->rnd), format_of(i->width), i->ftz, bits);
}

bool ir_fold_fmul(const struct ir_inst *i, uint64_t *bits)
{
	return finish(i, mul(arg(i, 0), arg(i, 1)), format_of(i->width), i->ftz, bits);
}

bool ir_fold_ffma(const struct ir_inst *i, uint64_t *bits)
{
	struct num y = arg(i, 1), r = y.kind == NAN_KIND ? y : add(mul(arg(i, 0), y), arg(i, 2), i->rnd);
	return finish(i, r, format_of(i->width), i->ftz, bits);
}

bool ir_fold_fdiv(const struct ir_inst *i, uint64_t *bits)
{
	if (i->approx)
		return false;
	return finish(i, divide(arg(i, 0), arg(i, 1)), format_of(i->width), i->ftz, bits);
}

bool ir_fold_frcp(const struct ir_inst *i, uint64_t *bits)
{
	const struct num one = {.kind = FINITE, .exp = 0, .m = (u128)1 << TOP};
	if (i->approx)
		return false;
	return finish(i, divide(one, arg(i, 0)), format_of(i->width), i->ftz, bits);
}

bool ir_fold_fsqrt(const struct ir_inst *i, uint64_t *bits)
{
	if (i->approx)
		return false;
	return finish(i, square_root(arg(i, 0)), format_of(i->width), i->ftz, bits);
}

bool ir_fold_fcanon(const struct ir_inst *i, uint64_t *bits)
{
	return finish(i, arg(i, 0), format_of(i->width), i->ftz, bits);
}

static int order(struct num x, struct num y)
{
	if (x.kind == ZERO && y.kind == ZERO)
		return 0;
	if (x.kind == ZERO)
		return y.neg ? 1 : -1;
	if (y.kind == ZERO || x.neg != y.neg)
		return x.neg ? -1 : 1;
	int r = x.kind != y.kind ? (x.kind == INFINITE ? 1 : -1)
	        : x.kind == INFINITE ? 0
	        : x.exp != y.exp     ? (x.exp > y.exp ? 1 : -1)
	                             : (x.m > y.m) - (x.m < y.m);
	return x.neg ? -r : r;
}

static bool min_max(const struct ir_inst *i, bool max, uint64_t *bits)
{
	struct num x = arg(i, 0), y = arg(i, 1), r;
	if (x.kind == NAN_KIND || y.kind == NAN_KIND) {
		r = i->nan || x.kind == y.kind ? either_nan(x, y) : x.kind == NAN_KIND ? y : x;
	} else {
		int o = order(x, y);
		if (o == 0)
			o = (int)y.neg - (int)x.neg; /* -0 < +0 */
		r = (o < 0) == max ? y : x;
	}
	return finish(i, r, format_of(i->width), i->ftz, bits);
}

bool ir_fold_fmin(const struct ir_inst *i, uint64_t *bits)
{
	return min_max(i, false, bits);
}

bool ir_fold_fmax(const struct ir_inst *i, uint64_t *bits)
{
	return min_max(i, true, bits);
}

bool ir_fold_fcmp(const struct ir_inst *i, uint64_t *bits)
{
	struct num x = arg(i, 0), y = arg(i, 1);
	bool unordered = x.kind == NAN_KIND || y.kind == NAN_KIND;
	int o = unordered ? 0 : order(x, y);
	bool r = false;
	switch (i->cond) {
	case IRC_NUM:
		*bits = !unordered;
		return true;
	case IRC_NAN:
		*bits = unordered;
		return true;
	case IRC_FEQ:
	case IRC_FEQU:
		r = o == 0;
		break;
	case IRC_FNE:
	case IRC_FNEU:
		r = o != 0;
		break;
	case IRC_FLT:
	case IRC_FLTU:
		r = o < 0;
		break;
	case IRC_FLE:
	case IRC_FLEU:
		r = o <= 0;
		break;
	case IRC_FGT:
	case IRC_FGTU:
		r = o > 0;
		break;
	default:
		r = o >= 0;
	}
	*bits = unordered ? i->cond >= IRC_FEQU : r;
	return true;
}

/* |x| rounded to an integer; sets *exact range in 127 bits, false where it does not fit. */
static bool to_integer(struct num x, uint32_t rnd, u128 *out)
{
	*out = 0;
	if (x.kind == ZERO)
		return true;
	if (x.exp >= 100)
		return false;
	int32_t drop = TOP - x.exp;
	if (drop > 127) {
		x.m = 1; /* below any half */
		drop = 127;
	}
	u128 rest = x.m & (((u128)1 << drop) - 1), half = (u128)1 << (drop - 1), q = x.m >> drop;
	*out = q + round_up(rest, half, q & 1, x.neg, rnd);
	return true;
}

bool ir_fold_frint(const struct ir_inst *i, uint64_t *bits)
{
	struct num x = arg(i, 0);
	u128 q;
	if (x.kind == FINITE && x.exp < 64) {
		to_integer(x, i->rnd, &q);
		x.m = q;
		x.exp = TOP;
		x = normalize(x);
	}
	return finish(i, x, format_of(i->width), i->ftz, bits);
}

static bool float_to_int(const struct ir_inst *i, bool is_signed, uint64_t *bits)
{
	const struct format *f = format_of(i->args[0]->width);
	struct num x = unpack(i->args[0]->imm, f, i->ftz && f->width == 32);
	u128 limit = is_signed ? ((u128)1 << (i->width - 1)) - !x.neg : x.neg ? 0 : ((u128)1 << i->width) - 1, q;
	if (x.kind == NAN_KIND) {
		*bits = f->width == 64 || i->width == 64 ? (uint64_t)1 << (i->width - 1) : 0;
		return true;
	}
	if (x.kind == INFINITE || !to_integer(x, i->rnd, &q) || q > limit)
		q = limit;
	*bits = (x.neg ? -(uint64_t)q : (uint64_t)q) & ir_mask(i->width);
	return true;
}

bool ir_fold_fptosi(const struct ir_inst *i, uint64_t *bits)
{
	return float_to_int(i, true, bits);
}

bool ir_fold_fptoui(const struct ir_inst *i, uint64_t *bits)
{
	return float_to_int(i, false, bits);
}

bool ir_fold_sitofp(const struct ir_inst *i, uint64_t *bits)
{
	int64_t v = ir_sext(i->args[0]->imm, i->args[0]->width);
	struct num x = {.kind = FINITE, .neg = v < 0, .exp = TOP, .m = v < 0 ? -(uint64_t)v : (uint64_t)v};
	return finish(i, normalize(x), format_of(i->width), false, bits);
}

bool ir_fold_uitofp(const struct ir_inst *i, uint64_t *bits)
{
	struct num x = {.kind = FINITE, .exp = TOP, .m = i->args[0]->imm};
	return finish(i, normalize(x), format_of(i->width), false, bits);
}

/* Conversions flush on their 32-bit side only. */
static bool convert(const struct ir_inst *i, const struct format *to, uint64_t *bits)
{
	const struct format *from = format_of(i->args[0]->width);
	struct num x = unpack(i->args[0]->imm, from, i->ftz && from->width == 32);
	if (x.kind == NAN_KIND && !i->sat && from->width == 64 && to != &BF16) {
		*bits = (uint64_t)x.neg << (to->width - 1) | infinity(to) | (uint64_t)x.m >> (52 - to->mant);
		return true;
	}
	return finish(i, x, to, i->ftz && to->width == 32, bits);
}

bool ir_fold_fpext(const struct ir_inst *i, uint64_t *bits)
{
	return convert(i, format_of(i->width), bits);
}

bool ir_fold_fptrunc(const struct ir_inst *i, uint64_t *bits)
{
	return convert(i, format_of(i->width), bits);
}

bool ir_fold_f32tobf16(const struct ir_inst *i, uint64_t *bits)
{
	return convert(i, &BF16, bits);
}

/* --- packed f16 --- */

static bool halves(const struct ir_inst *i, bool (*fn)(const struct ir_inst *, uint64_t *), uint64_t *bits)
{
	struct ir_inst part[3] = {{0}}, *args[3], one = *i;
	*bits = 0;
	for (uint32_t h = 0; h < 32; h += 16) {
		uint64_t r;
		for (uint32_t k = 0; k < i->nargs; k++) {
			part[k] = (struct ir_inst){.op = IR_const, .width = 16, .imm = i->args[k]->imm >> h & 0xffff};
			args[k] = &part[k];
		}
		one.args = args;
		one.width = 16;
		if (!fn(&one, &r))
			return false;
		*bits |= r << h;
	}
	return true;
}

bool ir_fold_pkfadd(const struct ir_inst *i, uint64_t *bits)
{
	return halves(i, ir_fold_fadd, bits);
}

bool ir_fold_pkfmul(const struct ir_inst *i, uint64_t *bits)
{
	return halves(i, ir_fold_fmul, bits);
}

bool ir_fold_pkffma(const struct ir_inst *i, uint64_t *bits)
{
	return halves(i, ir_fold_ffma, bits);
}

bool ir_fold_pkfmin(const struct ir_inst *i, uint64_t *bits)
{
	return halves(i, ir_fold_fmin, bits);
}

bool ir_fold_pkfmax(const struct ir_inst *i, uint64_t *bits)
{
	return halves(i, ir_fold_fmax, bits);
}

uint64_t ir_fold_canonical(uint64_t x, uint32_t w)
{
	return w < 64 && (x & ir_mask(w - 1)) > infinity(format_of(w)) ? ir_mask(w - 1) : x;
}

/* v_cmp_class: signalling NaN, quiet NaN, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf */
uint64_t ir_fold_class(uint64_t x, uint64_t mask, uint32_t w)
{
	const struct format *f = format_of(w);
	uint64_t mag = x & ir_mask(w - 1);
	bool neg = x >> (w - 1) & 1;
	uint32_t k;
	if (mag > infinity(f))
		k = mag >> (f->mant - 1) & 1;
	else if (mag == infinity(f))
		k = neg ? 2 : 9;
	else if (mag >> f->mant)
		k = neg ? 3 : 8;
	else if (mag)
		k = neg ? 4 : 7;
	else
		k = neg ? 5 : 6;
	return mask >> k & 1;
}
