/* Turns rows of the .def files into lane functions. Included by valu_int.c, valu_f32.c, ... with the helpers that their
 * expressions use already defined. Lanes go in blocks of 32, a constant trip count for the vectoriser. */
#include "sim/valu.h"
#include "sim/valu_fp.h"

/* One version for any x86-64 and one with AVX2, FMA and BMI, chosen when the program is loaded. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(VALU_NO_CLONES)
#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define CLONES
#endif

/* memory element and value type, load, store */
#define M_N void
#define M_U16 uint32_t
#define M_I16 uint32_t
#define M_B16 uint32_t
#define M_F16 uint32_t
#define M_R16 uint32_t
#define M_U32 uint32_t
#define M_I32 uint32_t
#define M_B32 uint32_t
#define M_P32 uint32_t
#define M_R32 uint32_t
#define M_F32 uint32_t
#define M_U64 uint64_t
#define M_I64 uint64_t
#define M_R64 uint64_t
#define M_F64 uint64_t
#define T_N int
#define T_U16 uint32_t
#define T_I16 int32_t
#define T_B16 uint32_t
#define T_F16 double
#define T_R16 uint32_t
#define T_U32 uint32_t
#define T_I32 int32_t
#define T_B32 uint32_t
#define T_P32 uint32_t
#define T_R32 uint32_t
#define T_F32 float
#define T_U64 uint64_t
#define T_I64 int64_t
#define T_R64 uint64_t
#define T_F64 double
#define L_N(p) 0
#define L_U16(p) ((p)[l] & 0xffff)
#define L_I16(p) ((int16_t)(p)[l])
#define L_B16(p) ((p)[l] & 0xffff)
#define L_F16(p) f64_from_f16((p)[l])
#define L_R16(p) ((p)[l] & 0xffff)
#define L_U32(p) ((p)[l])
#define L_I32(p) ((int32_t)(p)[l])
#define L_B32(p) ((p)[l])
#define L_P32(p) ((p)[l])
#define L_R32(p) ((p)[l])
#define L_F32(p) float32((p)[l])
#define L_U64(p) ((p)[l])
#define L_I64(p) ((int64_t)(p)[l])
#define L_R64(p) ((p)[l])
#define L_F64(p) float64((p)[l])
#define S_U16(x) ((uint32_t)(x)&0xffff)
#define S_I16(x) ((uint32_t)(x)&0xffff)
#define S_B16(x) ((uint32_t)(x)&0xffff)
#define S_F16(x) f16_from_f64(x, rm)
#define S_R16(x) ((uint32_t)(x)&0xffff)
#define S_U32(x) ((uint32_t)(x))
#define S_I32(x) ((uint32_t)(x))
#define S_B32(x) ((uint32_t)(x))
#define S_P32(x) ((uint32_t)(x))
#define S_R32(x) ((uint32_t)(x))
#define S_F32(x) bits32(x)
#define S_U64(x) ((uint64_t)(x))
#define S_I64(x) ((uint64_t)(x))
#define S_R64(x) ((uint64_t)(x))
#define S_F64(x) bits64(x)

#define LANES(NAME, MD, A, B, C, PRE, STMT)											\
	CLONES void NAME(const struct valu_call *k)									\
	{														\
		MD *restrict d = k->d;											\
		const M_##A *restrict pa = k->s[0];									\
		const M_##B *restrict pb = k->s[1];									\
		const M_##C *restrict pc = k->s[2];									\
		uint8_t *restrict o = k->o;										\
		const int rm = k->rm;											\
		const uint32_t ieee = k->ieee;										\
		const bool gfx11 = k->gfx11;										\
		(void)d, (void)pa, (void)pb, (void)pc, (void)o, (void)rm, (void)ieee, (void)gfx11;			\
		PRE;													\
		for (size_t l0 = 0, n = k->n; l0 < n; l0 += 32) {							\
			const uint32_t mw = (uint32_t)(k->mask >> l0);							\
			for (size_t j = 0; j < 32; j++) {								\
				const size_t l = l0 + j;								\
				const uint32_t m = mw >> j & 1;								\
				const T_##A a = L_##A(pa);								\
				const T_##B b = L_##B(pb);								\
				const T_##C c = L_##C(pc);								\
				(void)m, (void)a, (void)b, (void)c;							\
				STMT;											\
			}												\
		}													\
	}

#define V(name, flags, D, A, B, C, expr) LANES(sim_vl_##name, M_##D, A, B, C, , d[l] = S_##D(expr))
#define VS(name, flags, D, A, B, C, expr, sat)                                                                          \
	LANES(sim_vl_##name, M_##D, A, B, C, , d[l] = S_##D(expr))                                                      \
	LANES(sim_vs_##name, M_##D, A, B, C, , d[l] = S_##D(sat))
#define VC(name, flags, D, A, B, C, expr, out)                                                                          \
	LANES(sim_vl_##name, M_##D, A, B, C, , d[l] = S_##D(expr); o[l] = (uint8_t)(out))
#define CMP(name, flags, A, B, cond) LANES(sim_vl_v_cmp_##name, void, A, B, N, , o[l] = (uint8_t)(cond))
/* r: fused a * b + c; the root of a */
#define VFMA32(name, flags, D, A, B, C, expr)                                                                           \
	LANES(sim_vl_##name, M_##D, A, B, C, float pre[64]; sim_fused32(pre, k->s[0], k->s[1], k->s[2], k->n),          \
	      const float r = pre[l]; d[l] = S_##D(expr))
#define VFMA64(name, flags, D, A, B, C, expr)                                                                           \
	LANES(sim_vl_##name, M_##D, A, B, C, double pre[64]; sim_fused64(pre, k->s[0], k->s[1], k->s[2], k->n),         \
	      const double r = pre[l]; d[l] = S_##D(expr))
#define VROOT32(name, flags, D, A, B, C, expr)                                                                          \
	LANES(sim_vl_##name, M_##D, A, B, C, float pre[64]; sim_roots32(pre, k->s[0], k->n),                            \
	      const float r = pre[l]; d[l] = S_##D(expr))
#define VROOT64(name, flags, D, A, B, C, expr)                                                                          \
	LANES(sim_vl_##name, M_##D, A, B, C, double pre[64]; sim_roots64(pre, k->s[0], k->n),                           \
	      const double r = pre[l]; d[l] = S_##D(expr))
#define ALIAS(name, row)
