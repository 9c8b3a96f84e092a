/* Scalar ALU semantics (SOP1, SOP2, SOPC, SOPK): handlers made from sim_salu.def, and the scalar opcode table.
 * Source: RDNA2 and RDNA3 instruction set manuals, section "Scalar ALU operations". */
#include "sim/sim_core.h"
#include "sim/sim_flow.h"

typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;

static u64 bfe_u(u64 a, unsigned off, unsigned width, unsigned bits)
{
	if (!width)
		return 0;
	if (off + width >= bits)
		return a >> off;
	return a >> off & ((UINT64_C(1) << width) - 1);
}

static i64 bfe_i(i64 a, unsigned off, unsigned width, unsigned bits)
{
	if (!width)
		return 0;
	if (off + width >= bits)
		return a >> off;
	return (i64)((u64)a << (64 - off - width)) >> (64 - width);
}

static u32 reverse32(u32 a)
{
	a = __builtin_bswap32(a);
	a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
	a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
	return (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
}

static u64 replicate(u32 a)
{
	u64 d = 0;
	for (int k = 0; k < 32; k++)
		if (a >> k & 1)
			d |= UINT64_C(3) << (2 * k);
	return d;
}

static u64 whole_quads(u64 a)
{
	u64 q = (a | a >> 1 | a >> 2 | a >> 3) & UINT64_C(0x1111111111111111);
	return q * 15;
}

static u64 quad_mask(u64 a)
{
	u64 d = 0;
	for (int k = 0; k < 16; k++)
		if (a >> (4 * k) & 15)
			d |= UINT64_C(1) << k;
	return d;
}

/* The RDNA2 manual leaves open which of two equal sources counts as the maximum; RDNA3's says the first. */
static bool max_scc(struct sim_wave *w, bool gt, bool eq)
{
	if (eq && !w->gfx11)
		w->scc_def = false;
	return gt || eq;
}

/* Scalar fetch and write by type. */
#define GET(T, o) (sizeof(T) == 8 ? (T)get64(w, (o), (T)-1 < 1) : (T)sim_scalar32(w, (o)))

/* A 32-bit literal of a 64-bit operation is extended by the operation's signedness. */
static u64 get64(struct sim_wave *w, const struct sim_opnd *o, bool sign)
{
	u64 x = sim_scalar64(w, o, false);
	return sign && o->kind == SIM_O_LIT && x <= UINT32_MAX ? (u64)(i64)(i32)x : x;
}

static void put(struct sim_wave *w, const struct sim_opnd *o, u64 d, size_t size, bool def)
{
	if (size == 8)
		sim_sdst64(w, o, d, def);
	else
		sim_sdst32(w, o, (u32)d, def);
}

static u64 def_bits(struct sim_wave *w, const struct sim_opnd *o, size_t size)
{
	if (o->kind == SIM_O_SGPR && o->reg != SIM_NULL)
		return size == 8 ? w->sdef[o->reg] | (u64)w->sdef[o->reg + 1] << 32 : w->sdef[o->reg] | ~(u64)UINT32_MAX;
	return o->kind == SIM_O_SCC && !w->scc_def ? 0 : ~UINT64_C(0);
}

static void put_bits(struct sim_wave *w, const struct sim_opnd *o, u64 d, u64 def, size_t size, bool scc)
{
	u64 all = size == 8 ? ~UINT64_C(0) : UINT32_MAX;
	if (o->kind == SIM_O_SGPR && o->reg < SIM_NULL && (def & all) != all) {
		w->s[o->reg] = (u32)d;
		w->sdef[o->reg] = (u32)def;
		if (size == 8) {
			w->s[o->reg + 1] = (u32)(d >> 32);
			w->sdef[o->reg + 1] = (u32)(def >> 32);
		}
	} else {
		put(w, o, d, size, (def & all) == all);
	}
	if (scc) {
		w->scc = (d & all) != 0;
		w->scc_def = (d & def & all) != 0 || (def & all) == all;
	}
}

/* Which bits are defined where the sources' defined bits are da and db: */
enum how {
	ANY,  /* all or none */
	BITS, /* a bit of the result takes at most one bit of each source */
	MOVE, /* of the first one; the second says which, in the bits of `ctl` */
	SUM,  /* a sum of two */
	LOW   /* bits depend on none that are higher */
};
typedef u64 binary(struct sim_wave *w, u64 a, u64 b);

/* SUM: the carry into a bit is the greater the greater the summands (valu_undef.c). */
static u64 result_def(struct sim_wave *w, binary *f, enum how how, u64 ctl, u64 a, u64 b, u64 da, u64 db)
{
	u64 ua = ~da, ub = ~db, all = ~UINT64_C(0), r, any = ua | ub;
	if (!any)
		return all;
	switch (how) {
	case BITS:
		r = f(w, a & da, b & db);
		return ~((r ^ f(w, a | ua, b & db)) | (r ^ f(w, a & da, b | ub)) | (r ^ f(w, a | ua, b | ub)));
	case MOVE:
		return ub & ctl ? 0 : ~(f(w, a & da, b) ^ f(w, a | ua, b));
	case SUM:
		return ~((f(w, a & da, b & db) ^ f(w, a | ua, b | ub)) | f(w, ua, 0) | f(w, 0, ub));
	case LOW:
		return ~(any | -any);
	default:
		return 0;
	}
}

#define OF_BITS(name, expr)                                                                                             \
	static u64 f_##name(struct sim_wave *w, u64 a, u64 b)                                                           \
	{                                                                                                               \
		(void)w;                                                                                                \
		return expr;                                                                                            \
	}
#define BIT2(name, T, expr)                                                                                             \
	OF_BITS(name, expr)                                                                                             \
	static void name(struct sim_wave *w, const struct sim_inst *i)                                                  \
	{                                                                                                               \
		const struct sim_opnd *oa = &i->ops[1], *ob = &i->ops[2];                                               \
		u64 a = GET(T, oa), b = GET(T, ob), da = def_bits(w, oa, sizeof(T)), db = def_bits(w, ob, sizeof(T));   \
		u64 d = (T)f_##name(w, a, b), def = result_def(w, f_##name, BITS, 0, a, b, da, db);                     \
		put_bits(w, &i->ops[0], d, def, sizeof(T), true);                                                       \
	}
#define BIT1(name, T, expr, scc)                                                                                        \
	static void name(struct sim_wave *w, const struct sim_inst *i)                                                  \
	{                                                                                                               \
		T a = GET(T, &i->ops[1]);                                                                               \
		put_bits(w, &i->ops[0], (T)(expr), def_bits(w, &i->ops[1], sizeof(T)), sizeof(T), scc);                 \
	}
#define KEEP w->scc
/* SCC: defined where all is; that a result is not zero, too where one of its defined bits is not. */
#define BINARY(name, T, TB, how, ctl, expr, sccexpr, readscc)                                                           \
	static u64 f_##name(struct sim_wave *w, u64 a_, u64 b_)                                                         \
	{                                                                                                               \
		const T a = (T)a_;                                                                                      \
		const TB b = (TB)b_;                                                                                    \
		const bool c = w->scc;                                                                                  \
		(void)a, (void)b, (void)c;                                                                              \
		return (u64)(T)(expr);                                                                                  \
	}                                                                                                               \
	static void name(struct sim_wave *w, const struct sim_inst *i)                                                  \
	{                                                                                                               \
		const struct sim_opnd *oa = &i->ops[1], *ob = &i->ops[2];                                               \
		T a = GET(T, oa);                                                                                       \
		TB b = GET(TB, ob);                                                                                     \
		const bool c = w->scc;                                                                                  \
		bool whole = w->def != 0 && (!(readscc) || w->scc_def), keep = sizeof(#sccexpr) == sizeof "KEEP";       \
		T d = (T)f_##name(w, (u64)a, (u64)b);                                                                   \
		u64 def = whole ? ~UINT64_C(0) : (readscc) && !w->scc_def ? 0 :                                         \
			result_def(w, f_##name, how, ctl, (u64)a, (u64)b, def_bits(w, oa, sizeof(T)), def_bits(w, ob, sizeof(TB))); \
		(void)c;                                                                                                \
		if (!keep)                                                                                              \
			w->scc_def = whole || (!strcmp(#sccexpr, "d != 0") && ((u64)d & def));                  \
		bool scc = (sccexpr);                                                                                   \
		put_bits(w, &i->ops[0], (u64)d, def, sizeof(T), false);                                                 \
		w->scc = scc;                                                                                           \
	}
#define OP2(name, T, expr, sccexpr) BINARY(name, T, T, ANY, 0, expr, sccexpr, false)
#define BITS2(name, T, expr, sccexpr) BINARY(name, T, T, BITS, 0, expr, sccexpr, false)
#define SUM2(name, T, expr, sccexpr) BINARY(name, T, T, SUM, 0, expr, sccexpr, false)
#define LOW2(name, T, expr, sccexpr) BINARY(name, T, T, LOW, 0, expr, sccexpr, false)
#define OP2C(name, T, expr, sccexpr) BINARY(name, T, T, BITS, 0, expr, sccexpr, true)
#define LOW2C(name, T, expr, sccexpr) BINARY(name, T, T, LOW, 0, expr, sccexpr, true)
#define SHIFT(name, T, ctl, expr, sccexpr) BINARY(name, T, u32, MOVE, ctl, expr, sccexpr, false)
#define UNARY(name, TD, TA, bits, expr, sccexpr)                                                                        \
	static TD f_##name(TA a)                                                                                        \
	{                                                                                                               \
		return (TD)(expr);                                                                                      \
	}                                                                                                               \
	static void name(struct sim_wave *w, const struct sim_inst *i)                                                  \
	{                                                                                                               \
		TA a = GET(TA, &i->ops[1]), da = (TA)def_bits(w, &i->ops[1], sizeof(TA));                               \
		bool keep = sizeof(#sccexpr) == sizeof "KEEP";                                                          \
		TD d = f_##name(a);                                                                                     \
		u64 def = w->def ? ~UINT64_C(0) : (bits) ? ~(u64)(f_##name(a & da) ^ f_##name(a | ~da)) : 0;            \
		if (!keep)                                                                                              \
			w->scc_def = w->def != 0;                                                                       \
		bool scc = (sccexpr);                                                                                   \
		put_bits(w, &i->ops[0], (u64)d, def, sizeof(TD), false);                                                \
		w->scc = scc;                                                                                           \
	}
#define OP1(name, TD, TA, expr, sccexpr) UNARY(name, TD, TA, false, expr, sccexpr)
#define BITS1(name, TD, TA, expr, sccexpr) UNARY(name, TD, TA, true, expr, sccexpr)
#define RMW1(name, TD, TA, how, ctl, expr, sdef)                                                                        \
	static u64 f_##name(struct sim_wave *w, u64 d_, u64 a_)                                                         \
	{                                                                                                               \
		const TD d = (TD)d_;                                                                                    \
		const TA a = (TA)a_;                                                                                    \
		const bool c = w->scc;                                                                                  \
		(void)c;                                                                                                \
		return (TD)(expr);                                                                                      \
	}                                                                                                               \
	static void name(struct sim_wave *w, const struct sim_inst *i)                                                  \
	{                                                                                                               \
		const struct sim_opnd *oa = &i->ops[1], *od = &i->ops[0];                                               \
		u64 a = GET(TA, oa), d = GET(TD, od), def = !(sdef) ? 0 : w->def ? ~UINT64_C(0) :                       \
			result_def(w, f_##name, how, ctl, d, a, def_bits(w, od, sizeof(TD)), def_bits(w, oa, sizeof(TA))); \
		put_bits(w, od, f_##name(w, d, a), def, sizeof(TD), false);                                             \
	}
/* One bit of a. */
#define BITCMP(name, TA, ctl, expr)                                                                                     \
	OF_BITS(name, expr)                                                                                             \
	static void name(struct sim_wave *w, const struct sim_inst *i)                                                  \
	{                                                                                                               \
		const struct sim_opnd *oa = &i->ops[0], *ob = &i->ops[1];                                               \
		u64 a = GET(TA, oa), b = GET(u32, ob);                                                                  \
		w->scc = f_##name(w, a, b);                                                                             \
		w->scc_def = w->def || result_def(w, f_##name, MOVE, ctl, a, b, def_bits(w, oa, sizeof(TA)), def_bits(w, ob, 4)) == ~UINT64_C(0); \
	}
#define CMP(name, TA, TB, expr)                                                                                         \
	static void name(struct sim_wave *w, const struct sim_inst *i)                                                  \
	{                                                                                                               \
		TA a = GET(TA, &i->ops[0]);                                                                             \
		TB b = GET(TB, &i->ops[1]);                                                                             \
		w->scc = (expr);                                                                                        \
		w->scc_def = w->def != 0;                                                                               \
	}
#define CMPK(name, T, expr)                                                                                             \
	static void name(struct sim_wave *w, const struct sim_inst *i)                                                  \
	{                                                                                                               \
		T a = GET(T, &i->ops[0]);                                                                               \
		i16 k = (i16)i->raw;                                                                                    \
		w->scc = (expr);                                                                                        \
		w->scc_def = w->def != 0;                                                                               \
	}
static void change_exec(struct sim_wave *w, const struct sim_inst *i, size_t size, u64 exec, bool def, bool wr)
{
	u64 old = w->exec;
	if (!def && !w->core->s->opt.no_uninit)
		sim_fault(w, SIM_FAULT_UNINIT, -1, 0, "exec is given a value that was never written");
	sim_set_exec(w, size == 8 ? exec : (old & ~(u64)UINT32_MAX) | (u32)exec);
	put(w, &i->ops[0], wr ? w->exec : old, size, true);
	w->scc = (size == 8 ? w->exec : (u32)w->exec) != 0;
	w->scc_def = true;
}
/* Bit by bit: a bit that was never written does not matter where the other operand decides the result. */
#define EXEC_OP(name, expr, wr)                                                                                         \
	static void name##_b32(struct sim_wave *w, const struct sim_inst *i)                                            \
	{                                                                                                               \
		u32 v = sim_scalar32(w, &i->ops[1]), e = (u32)w->exec, d = (u32)def_bits(w, &i->ops[1], 4), a = v & d;  \
		u32 r = (u32)(expr);                                                                                    \
		a = v | ~d;                                                                                             \
		change_exec(w, i, 4, r, r == (u32)(expr), wr);                                                          \
	}                                                                                                               \
	static void name##_b64(struct sim_wave *w, const struct sim_inst *i)                                            \
	{                                                                                                               \
		u64 v = sim_scalar64(w, &i->ops[1], false), e = w->exec, d = def_bits(w, &i->ops[1], 8), a = v & d;     \
		u64 r = (expr);                                                                                         \
		a = v | ~d;                                                                                             \
		change_exec(w, i, 8, r, r == (expr), wr);                                                               \
	}
#define EXEC(name, expr) EXEC_OP(name, expr, false)
#define WREXEC(name, expr) EXEC_OP(name, expr, true)
#include "sim/sim_salu.def"
#undef BIT2
#undef BIT1
#undef OP2
#undef BITS2
#undef SUM2
#undef LOW2
#undef OP2C
#undef LOW2C
#undef SHIFT
#undef OP1
#undef BITS1
#undef RMW1
#undef BITCMP
#undef CMP
#undef CMPK
#undef EXEC
#undef WREXEC

static void s_movk_i32(struct sim_wave *w, const struct sim_inst *i)
{
	sim_sdst32(w, &i->ops[0], (u32)(i16)i->raw, true);
}

static void s_cmovk_i32(struct sim_wave *w, const struct sim_inst *i)
{
	u32 d = sim_scalar32(w, &i->ops[0]);
	sim_sdst32(w, &i->ops[0], w->scc ? (u32)(i16)i->raw : d, w->def && w->scc_def);
}

static void s_addk_i32(struct sim_wave *w, const struct sim_inst *i)
{
	i32 a = (i32)sim_scalar32(w, &i->ops[0]), k = (i16)i->raw, d;
	w->scc = __builtin_add_overflow(a, k, &d);
	w->scc_def = w->def != 0;
	sim_sdst32(w, &i->ops[0], (u32)d, w->def != 0);
}

static void s_mulk_i32(struct sim_wave *w, const struct sim_inst *i)
{
	u32 a = sim_scalar32(w, &i->ops[0]);
	sim_sdst32(w, &i->ops[0], a * (u32)(i16)i->raw, w->def != 0);
}

static void s_bfm_b64(struct sim_wave *w, const struct sim_inst *i)
{
	u32 a = sim_scalar32(w, &i->ops[1]), b = sim_scalar32(w, &i->ops[2]);
	sim_sdst64(w, &i->ops[0], ((UINT64_C(1) << (a & 63)) - 1) << (b & 63), w->def != 0);
}

/* Relative moves: the register number is the operand's plus m0. */
static struct sim_opnd relative(struct sim_wave *w, const struct sim_opnd *o)
{
	struct sim_opnd r = *o, m0 = {.kind = SIM_O_SGPR, .reg = SIM_M0, .n = 1};
	u32 n = o->reg + sim_scalar32(w, &m0);
	if (!w->def && !w->core->s->opt.no_uninit)
		sim_fault(w, SIM_FAULT_UNINIT, -1, 0, "m0 was never written");
	if (o->kind != SIM_O_SGPR || n + o->n > 106)
		sim_fault(w, SIM_FAULT_REGISTER, -1, n, "relative register s%u", n);
	r.reg = (u16)n;
	return r;
}

static void s_movrels_b32(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_opnd r = relative(w, &i->ops[1]);
	u32 a = sim_scalar32(w, &r);
	sim_sdst32(w, &i->ops[0], a, w->def != 0);
}

static void s_movrels_b64(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_opnd r = relative(w, &i->ops[1]);
	u64 a = sim_scalar64(w, &r, false);
	sim_sdst64(w, &i->ops[0], a, w->def != 0);
}

static void s_movreld_b32(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_opnd r = relative(w, &i->ops[0]);
	u32 a = sim_scalar32(w, &i->ops[1]);
	sim_sdst32(w, &r, a, w->def != 0);
}

static void s_movreld_b64(struct sim_wave *w, const struct sim_inst *i)
{
	struct sim_opnd r = relative(w, &i->ops[0]);
	u64 a = sim_scalar64(w, &i->ops[1], false);
	sim_sdst64(w, &r, a, w->def != 0);
}

const struct sim_op sim_salu_ops[] = {
#define ROW(name, flags) {#name, name, SIM_C_SALU, flags, 0},
#define BIT2(name, T, expr) ROW(name, 0)
#define BIT1(name, T, expr, scc) ROW(name, 0)
#define OP2(name, T, expr, sccexpr) ROW(name, 0)
#define BITS2 OP2
#define SUM2 OP2
#define LOW2 OP2
#define OP2C OP2
#define LOW2C OP2
#define SHIFT(name, T, ctl, expr, sccexpr) ROW(name, 0)
#define OP1(name, TD, TA, expr, sccexpr) ROW(name, 0)
#define BITS1 OP1
#define RMW1(name, TD, TA, how, ctl, expr, sdef) ROW(name, SIM_F_RMW)
#define BITCMP(name, TA, ctl, expr) ROW(name, SIM_F_NO_DST)
#define CMP(name, TA, TB, expr) ROW(name, SIM_F_NO_DST)
#define CMPK(name, T, expr) ROW(name, SIM_F_NO_DST)
#define EXEC(name, expr) ROW(name##_b32, SIM_F_EXEC_DST) ROW(name##_b64, SIM_F_EXEC_DST)
#define WREXEC(name, expr) EXEC(name, expr)
#include "sim/sim_salu.def"
	ROW(s_movk_i32, 0) ROW(s_cmovk_i32, SIM_F_RMW) ROW(s_addk_i32, SIM_F_RMW) ROW(s_mulk_i32, SIM_F_RMW)
	ROW(s_bfm_b64, 0) ROW(s_movrels_b32, SIM_F_M0_SRC) ROW(s_movrels_b64, SIM_F_M0_SRC)
	ROW(s_movreld_b32, SIM_F_M0_SRC) ROW(s_movreld_b64, SIM_F_M0_SRC)
#define OP(name, cls, flags, fn, arg) {#name, fn, cls, flags, arg},
#include "sim/sim_flow.def"
	{0},
};
