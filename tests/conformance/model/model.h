/* What an instruction gives, computed on the host from the PTX ISA manual's words with exact arithmetic: the truth for
 * forms that no recording exists of (sm_100 and later), and a second opinion on those that an H200 has. It shares no
 * code with the compiler. */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* --- exact numbers: number.c --- */

enum number_class { N_ZERO, N_FINITE, N_INF, N_NAN };

/* (-1)^neg m 2^e; m is not 0 exactly where the class is N_FINITE. */
struct number {
	enum number_class cls;
	bool neg;
	int e;
	unsigned __int128 m;
};

enum rounding { RND_RN, RND_RZ, RND_RM, RND_RP, RND_RNA };

/* A format with a sign bit above `exp` bits of exponent above `mant` bits; ue8m0 has functions of its own. */
struct format {
	const char *name;
	uint8_t exp, mant;
	int bias;
	bool inf;	   /* the greatest exponent means infinity and NaN */
	uint64_t max, nan; /* codes without sign: the greatest finite number, what a NaN becomes */
};
extern const struct format fmt_f16, fmt_bf16, fmt_f32, fmt_f64, fmt_tf32, fmt_e4m3, fmt_e5m2, fmt_e2m1, fmt_e2m3,
	fmt_e3m2;

struct number number_of(const struct format *f, uint64_t code);
/* Rounded once; beyond the greatest number by the rounding's rule, or, with satfinite, to it. */
uint64_t number_code(const struct format *f, enum rounding r, bool satfinite, struct number x);
/* The two operations that leave the formats: exact but for bits too low to matter to any rounding to 24 bits or less.
 */
struct number number_mul(struct number x, struct number y);
struct number number_add(enum rounding r, struct number x, struct number y); /* r: the sign of an exact zero */
int number_compare(struct number x, struct number y);			     /* not of NaN; -0 < +0 */

/* --- instructions: model.c --- */

struct model_value {
	uint64_t lo, hi;
};

struct model_op {
	uint16_t op;
	uint8_t ntypes, nin;
	uint8_t types[3];
	enum rounding rnd;
	bool ftz, sat, satfinite, relu, nan, abs, xorsign, oob, rs;
};

/* A full opcode, `cvt.rn.satfinite.e4m3x2.f32`, on nin inputs. False: not modelled. */
bool model_parse(const char *opcode, uint32_t nin, struct model_op *m);
/* Inputs in the order of the operands, low bits first; a vector operand's elements are inputs of their own. */
struct model_value model_apply(const struct model_op *m, const struct model_value *in);

#endif
