/* Logic, shifts and bits. PTX clamps shift amounts and fields; the IR's shifts are modulo the width, so clamping is
 * written out. */
#include "parser/build_internal.h"

#define TYPE (s->m->types[0])
#define A (opd(B, &s->ops[1], TYPE))
#define B_ (opd(B, &s->ops[2], TYPE))

/* `!p` is accepted on predicate operands. */
static struct ir_inst *logic_opd(struct build *B, const struct ptx_stmt *s, uint32_t k)
{
	return TYPE == PTX_T_pred ? pred(B, &s->ops[k]) : opd(B, &s->ops[k], TYPE);
}

void logic_and(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = logic_opd(B, s, 1), *y = logic_opd(B, s, 2);
	def(B, &s->ops[0], OP2(and, x, y), false);
}

void logic_or(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = logic_opd(B, s, 1), *y = logic_opd(B, s, 2);
	def(B, &s->ops[0], OP2(or, x, y), false);
}

void logic_xor(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = logic_opd(B, s, 1), *y = logic_opd(B, s, 2);
	def(B, &s->ops[0], OP2(xor, x, y), false);
}

void logic_not(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], OP1(not, logic_opd(B, s, 1)), false);
}

void logic_cnot(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A;
	def(B, &s->ops[0], OPW1(zext, x->width, ICMP(EQ, x, K(x->width, 0))), false);
}

/* --- lop3: one expression a truth table, in postfix over a b c 0 1 (all ones) ~ & | ^ and ? (bitsel) --- */

static const char *const lop3_expr[256] = {
#define LOP3(table, expr) [table] = expr,
#include "parser/lop3.def"
#undef LOP3
};

static struct ir_inst *lop3_value(struct build *B, uint32_t table, struct ir_inst **in)
{
	struct ir_inst *st[8];
	uint32_t n = 0;
	for (const char *e = lop3_expr[table]; *e; e++) {
		switch (*e) {
		case '0':
			st[n++] = K(32, 0);
			break;
		case '1':
			st[n++] = K(32, -1);
			break;
		case '~':
			st[n - 1] = OP1(not, st[n - 1]);
			break;
		case '&':
			n--, st[n - 1] = OP2(and, st[n - 1], st[n]);
			break;
		case '|':
			n--, st[n - 1] = OP2(or, st[n - 1], st[n]);
			break;
		case '^':
			n--, st[n - 1] = OP2(xor, st[n - 1], st[n]);
			break;
		case '?':
			n -= 2, st[n - 1] = OP3(bitsel, st[n - 1], st[n], st[n + 1]);
			break;
		default:
			st[n++] = in[*e - 'a'];
		}
	}
	return st[0];
}

void logic_lop3(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *in[3] = {opd_width(B, &s->ops[1], 32), opd_width(B, &s->ops[2], 32),
				 opd_width(B, &s->ops[3], 32)};
	struct ir_inst *d = lop3_value(B, s->ops[4].imm & 255, in), *p = NULL;
	const struct ptx_operand *q = pair_second(&s->ops[0]);
	if (q)
		p = bool_op(B, has(s, PTX_W_and) ? PTX_W_and : PTX_W_or, ICMP(NE, d, K(32, 0)), pred(B, &s->ops[5]));
	def(B, pair_first(&s->ops[0]), d, false);
	if (q)
		def(B, q, p, false);
}

/* --- shifts --- */

struct ir_inst *shl_clamp(struct build *B, struct ir_inst *x, struct ir_inst *n)
{
	return SEL(ICMP(ULT, n, K(32, x->width)), OP2(shl, x, n), K(x->width, 0));
}

struct ir_inst *shr_clamp(struct build *B, struct ir_inst *x, struct ir_inst *n)
{
	return SEL(ICMP(ULT, n, K(32, x->width)), OP2(shr, x, n), K(x->width, 0));
}

struct ir_inst *sar_clamp(struct build *B, struct ir_inst *x, struct ir_inst *n)
{
	return OP2(sar, x, OP2(umin, n, K(32, x->width - 1)));
}

/* A constant amount is of the instruction's type: ptxas cuts it to 16 bits where that has 16. */
static struct ir_inst *amount(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *n = opd_width(B, &s->ops[2], 32);
	return s->ops[2].kind == PTX_OPD_IMM && type_bits(TYPE) == 16 ? OP2(and, n, K(32, 0xffff)) : n;
}

void logic_shl(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], shl_clamp(B, A, amount(B, s)), false);
}

void logic_shr(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *n = amount(B, s);
	def(B, &s->ops[0], type_signed(TYPE) ? sar_clamp(B, x, n) : shr_clamp(B, x, n), false);
}

/* High word of {hi:lo} << n mod 32. fshr shifts right; ~n mod 32 after one more place is 32 - n without its hole at 0.
 */
static struct ir_inst *funnel_left(struct build *B, struct ir_inst *lo, struct ir_inst *hi, struct ir_inst *n)
{
	if (ir_is_const(n))
		return n->imm & 31 ? OP3(fshr, lo, hi, K(32, 32 - (n->imm & 31))) : hi;
	if (lo == hi)
		return OP3(fshr, lo, hi, OP2(sub, K(32, 0), n));
	return OP3(fshr, OP3(fshr, lo, hi, K(32, 1)), OP2(shr, hi, K(32, 1)), OP1(not, n));
}

void logic_shf(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *lo = opd_width(B, &s->ops[1], 32), *hi = opd_width(B, &s->ops[2], 32),
		       *n = opd_width(B, &s->ops[3], 32);
	bool left = has(s, PTX_W_l);
	struct ir_inst *d = left ? funnel_left(B, lo, hi, n) : OP3(fshr, lo, hi, n);
	if (has(s, PTX_W_clamp))
		d = SEL(ICMP(ULT, n, K(32, 32)), d, left ? lo : hi);
	def(B, &s->ops[0], d, false);
}

/* --- fields --- */

struct ir_inst *field_mask(struct build *B, uint32_t width, struct ir_inst *len)
{
	struct ir_inst *m = OP2(sub, OP2(shl, K(width, 1), len), K(width, 1));
	return SEL(ICMP(ULT, len, K(32, width)), m, K(width, -1));
}

/* Position or length of a field: the low byte for 32-bit fields, the whole word for 64-bit ones (measured on an H200). */
static struct ir_inst *field_operand(struct build *B, const struct ptx_operand *o, uint32_t width)
{
	struct ir_inst *n = opd_width(B, o, 32);
	return width == 64 ? n : OP2(and, n, K(32, 255));
}

static struct ir_inst *extract32(struct build *B, struct ir_inst *x, struct ir_inst *pos, struct ir_inst *len,
				 bool sign)
{
	if (ir_is_const(pos) && ir_is_const(len) && pos->imm + len->imm <= 32 && len->imm < 32)
		return sign ? OP3(sbfe, x, pos, len) : OP3(ubfe, x, pos, len);
	struct ir_inst *t = sign ? sar_clamp(B, x, pos) : shr_clamp(B, x, pos);
	return SEL(ICMP(ULT, len, K(32, 32)), sign ? OP3(sbfe, t, K(32, 0), len) : OP3(ubfe, t, K(32, 0), len), t);
}

static struct ir_inst *extract64(struct build *B, struct ir_inst *x, struct ir_inst *pos, struct ir_inst *len,
				 bool sign)
{
	if (!sign)
		return OP2(and, shr_clamp(B, x, pos), field_mask(B, 64, len));
	struct ir_inst *t = sar_clamp(B, x, pos);
	struct ir_inst *n = OP2(sub, K(32, 64), OP2(umin, len, K(32, 64))); /* 0..64; 64 only where len is 0 */
	struct ir_inst *d = OP2(sar, OP2(shl, t, n), n);
	return SEL(ICMP(EQ, len, K(32, 0)), K(64, 0), d);
}

/* ptxas -O1 and above folds fields of constant place that do not lie within the word in its own way, whatever its -O0, the hardware and the manual
 * say (every position and length tried, sm_75 to sm_120). */
static void warn_of_folding(struct build *B, const struct ptx_stmt *s)
{
	const struct ptx_operand *o = &s->ops[s->m->op == PTX_OP_bfi ? 3 : 2];
	if (o[0].kind != PTX_OPD_IMM || o[1].kind != PTX_OPD_IMM)
		return;
	uint32_t pos = o[0].imm & 255, len = o[1].imm & 255, ones = ~(uint32_t)0;
	if (TYPE == PTX_T_s32 && pos > 31 && len)
		diag_warn(B->diags, s->line, "Field of 'bfe.s32' at %u gives the sign as the hardware does; optimizing ptxas gives -1", pos);
	if (TYPE == PTX_T_b32 && pos < 32 && pos & 7 && len > 31 && pos + len < 256 && ~(ones << (len & 31)) << pos != ones << pos)
		diag_warn(B->diags, s->line, "Field of 'bfi.b32' at %u is cut to %u bits as the hardware does; optimizing ptxas inserts %u", pos,
		          32 - pos, len & 31);
}

void logic_bfe(struct build *B, const struct ptx_stmt *s)
{
	warn_of_folding(B, s);
	struct ir_inst *x = A, *pos = field_operand(B, &s->ops[2], x->width), *len = field_operand(B, &s->ops[3], x->width);
	bool sign = type_signed(TYPE);
	def(B, &s->ops[0], x->width == 32 ? extract32(B, x, pos, len, sign) : extract64(B, x, pos, len, sign), false);
}

void logic_bfi(struct build *B, const struct ptx_stmt *s)
{
	warn_of_folding(B, s);
	struct ir_inst *x = A, *y = B_, *pos = field_operand(B, &s->ops[3], x->width), *len = field_operand(B, &s->ops[4], x->width);
	struct ir_inst *mask = shl_clamp(B, field_mask(B, x->width, len), pos), *v = shl_clamp(B, x, pos);
	def(B, &s->ops[0], OP3(bitsel, mask, v, y), false);
}

/* Sign- or zero-extends the low b bits. */
void logic_szext(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A, *n = opd_width(B, &s->ops[2], 32), *zero = K(32, 0);
	struct ir_inst *d =
		type_signed(TYPE) ? OP3(sbfe, x, zero, n) : OP3(ubfe, x, zero, n); /* 0 where n mod 32 is 0 */
	if (has(s, PTX_W_clamp))
		d = SEL(ICMP(ULT, n, K(32, 32)), d, x);
	def(B, &s->ops[0], d, false);
}

/* b ones from bit a up. */
void logic_bmsk(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *pos = opd_width(B, &s->ops[1], 32), *len = opd_width(B, &s->ops[2], 32), *d;
	if (has(s, PTX_W_clamp)) {
		d = shl_clamp(B, field_mask(B, 32, len), pos);
	} else {
		struct ir_inst *mask = OP2(sub, OP2(shl, K(32, 1), len), K(32, 1));
		d = OP2(shl, mask, pos);
	}
	def(B, &s->ops[0], d, false);
}

/* --- counting and finding --- */

void logic_popc(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], OP1(popc, A), false);
}

void logic_clz(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], OP1(clz, A), false);
}

void logic_brev(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], OP1(brev, A), false);
}

void logic_bfind(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = A;
	uint32_t w = x->width;
	if (MOD(shiftamt) && w == 32) {
		def(B, &s->ops[0], type_signed(TYPE) ? OP1(amd_ffbh_i32, x) : OP1(amd_ffbh_u32, x), false);
		return;
	}
	struct ir_inst *d;
	if (type_signed(TYPE))
		x = OP2(xor, x, OP2(sar, x, K(32, w - 1)));
	if (!MOD(shiftamt))
		d = OP2(sub, K(32, w - 1), OP1(clz, x)); /* clz 0 is w: -1 */
	else if (w == 32)
		d = OP1(amd_ffbh_u32, x);
	else /* -1 stays -1 */
		d = OP2(umin, OP1(amd_ffbh_u32, ir_unpack(&B->c, 32, x, 1)), OP2(or, OP1(amd_ffbh_u32, ir_unpack(&B->c, 32, x, 0)), K(32, 32)));
	def(B, &s->ops[0], d, false);
}

/* Position of set bit number n (0: the lowest); all ones if there are not so many. */
static struct ir_inst *nth_bit(struct build *B, struct ir_inst *m, struct ir_inst *n)
{
	struct ir_inst *pos = K(32, 0), *left = n, *all = OP1(popc, m);
	for (uint32_t w = 16; w; w /= 2) {
		struct ir_inst *low = OP1(popc, OP3(ubfe, m, pos, K(32, w)));
		struct ir_inst *up = ICMP(UGE, left, low);
		left = SEL(up, OP2(sub, left, low), left);
		pos = SEL(up, OP2(add, pos, K(32, w)), pos);
	}
	return SEL(ICMP(ULT, n, all), pos, K(32, -1));
}

/* Upwards from base for offset > 0, downwards (upwards in the reversed word) for offset < 0; offset 0 asks for base
 * itself, which is what a search of one bit finds. */
void logic_fns(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *m = opd_width(B, &s->ops[1], 32), *base = opd_width(B, &s->ops[2], 32),
		       *off = opd_width(B, &s->ops[3], 32);
	struct ir_inst *down = ICMP(SLT, off, K(32, 0)), *here = ICMP(EQ, off, K(32, 0));
	struct ir_inst *word = SEL(down, OP1(brev, m), m), *from = SEL(down, OP2(sub, K(32, 31), base), base);
	struct ir_inst *upper = OP2(and, word, OP2(shl, K(32, -1), from)), *bit = OP2(and, m, OP2(shl, K(32, 1), base));
	struct ir_inst *n = SEL(here, K(32, 0), OP2(sub, OP1(iabs, off), K(32, 1)));
	struct ir_inst *pos = nth_bit(B, SEL(here, bit, upper), n);
	struct ir_inst *found = SEL(down, OP2(sub, K(32, 31), pos), pos);
	struct ir_inst *bad = OP2(or, ICMP(EQ, pos, K(32, -1)), ICMP(UGT, base, K(32, 31)));
	/* the least offset has no magnitude: hardware answers 0 */
	struct ir_inst *least = ICMP(EQ, off, K(32, 0x80000000));
	def(B, &s->ops[0], SEL(least, K(32, 0), SEL(bad, K(32, -1), found)), false);
}

/* --- prmt --- */

static struct ir_inst *sign_bytes(struct build *B, struct ir_inst *x)
{
	struct ir_inst *top = OP2(and, OP2(shr, x, K(32, 7)), K(32, 0x01010101));
	return OP2(mul, top, K(32, 255));
}

/* A selector known when compiling: bytes and replicated signs are picked apart and or-ed. */
static struct ir_inst *prmt_const(struct build *B, struct ir_inst *x, struct ir_inst *y, uint32_t sel)
{
	uint32_t plain = 0, sign = 0, nsign = 0;
	for (uint32_t k = 0; k < 4; k++) {
		uint32_t nib = sel >> 4 * k & 15;
		plain |= (nib & 8 ? 12 : nib) << 8 * k;
		sign |= (nib & 8 ? nib & 7 : 12) << 8 * k;
		nsign += nib >> 3;
	}
	struct ir_inst *p = nsign < 4 ? OP3(perm, y, x, K(32, plain)) : NULL;
	if (!nsign)
		return p;
	struct ir_inst *m = OP3(perm, y, x, K(32, sign)); /* zero bytes have no sign */
	return p ? OP2(or, p, sign_bytes(B, m)) : sign_bytes(B, m);
}

static struct ir_inst *prmt_var(struct build *B, struct ir_inst *x, struct ir_inst *y, struct ir_inst *sel)
{
	struct ir_inst *n = OP2(and, sel, K(32, 0xffff));
	n = OP2(and, OP2(or, n, OP2(shl, n, K(32, 8))), K(32, 0x00ff00ff));
	n = OP2(and, OP2(or, n, OP2(shl, n, K(32, 4))), K(32, 0x0f0f0f0f));
	struct ir_inst *v = OP3(perm, y, x, OP2(and, n, K(32, 0x07070707)));
	struct ir_inst *mask = OP2(mul, OP2(shr, OP2(and, n, K(32, 0x08080808)), K(32, 3)), K(32, 255));
	return OP3(bitsel, mask, sign_bytes(B, v), v);
}

void logic_prmt(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = opd_width(B, &s->ops[1], 32), *y = opd_width(B, &s->ops[2], 32),
		       *sel = opd_width(B, &s->ops[3], 32);
	def(B, &s->ops[0], ir_is_const(sel) ? prmt_const(B, x, y, (uint32_t)sel->imm) : prmt_var(B, x, y, sel), false);
}

static const struct prmt_mode {
	uint16_t word;
	uint32_t sel[4]; /* by c mod 4: byte selectors */
} prmt_modes[] = {
	{PTX_W_f4e, {0x03020100, 0x04030201, 0x05040302, 0x06050403}},
	{PTX_W_b4e, {0x05060700, 0x06070001, 0x07000102, 0x00010203}},
	{PTX_W_rc8, {0x00000000, 0x01010101, 0x02020202, 0x03030303}},
	{PTX_W_ecl, {0x03020100, 0x03020101, 0x03020202, 0x03030303}},
	{PTX_W_ecr, {0x00000000, 0x01010100, 0x02020100, 0x03020100}},
	{PTX_W_rc16, {0x01000100, 0x03020302, 0x01000100, 0x03020302}},
};

void logic_prmt_mode(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *x = opd_width(B, &s->ops[1], 32), *y = opd_width(B, &s->ops[2], 32),
		       *c = opd_width(B, &s->ops[3], 32);
	const struct prmt_mode *m = prmt_modes;
	while (!has(s, m->word))
		m++;
	struct ir_inst *low = ICMP(NE, OP2(and, c, K(32, 1)), K(32, 0)),
		       *high = ICMP(NE, OP2(and, c, K(32, 2)), K(32, 0));
	struct ir_inst *sel =
		SEL(high, SEL(low, K(32, m->sel[3]), K(32, m->sel[2])), SEL(low, K(32, m->sel[1]), K(32, m->sel[0])));
	def(B, &s->ops[0], OP3(perm, y, x, sel), false);
}
