/* Instructions across a warp as the builders make them, evaluated for 32 lanes: matrix instructions against plain matrix products through
 * the layouts of the PTX manual, votes and shuffles against the manual's loops. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parser/build.h"
#include "parser/ptx_parse.h"
#include "unit.h"

enum { LANES = 32, WORDS = 64, SHARED = 16384 };

/* Global memory at a constant address is a lane's own: inputs below 256, outputs above. Shared memory is shared. */
struct warp {
	uint64_t in[LANES][WORDS], out[LANES][WORDS];
	uint8_t shared[SHARED];
	uint64_t *v; /* by instruction and lane */
	uint32_t line;
};

static uint64_t *slot(struct warp *w, const struct ir_inst *i)
{
	return w->v + (size_t)i->id * LANES;
}

static uint64_t get(struct warp *w, const struct ir_inst *i, uint32_t lane)
{
	return i->op == IR_const ? i->imm : slot(w, i)[lane];
}

static uint64_t shared_read(struct warp *w, uint64_t at, uint32_t bits)
{
	uint64_t x = 0;
	ck_assert_uint_le(at + bits / 8, SHARED);
	ck_assert_uint_eq(at % (bits / 8), 0);
	memcpy(&x, w->shared + at, bits / 8);
	return x;
}

static uint64_t lane_value(struct warp *w, const struct ir_inst *i, uint32_t lane)
{
	struct ir_inst in[4], *ptr[4], tmp = *i;
	uint64_t r;
	for (uint32_t k = 0; k < i->nargs; k++) {
		in[k] = (struct ir_inst){.op = IR_const, .width = i->args[k]->width, .imm = get(w, i->args[k], lane)};
		ptr[k] = &in[k];
	}
	tmp.args = ptr;
	if (!ir_fold_const(&tmp, &r))
		ck_abort_msg("%s has no value", ir_op_info[i->op].name);
	return r & ir_mask(i->width);
}

static uint64_t shuffle(struct warp *w, const struct ir_inst *i, uint32_t lane)
{
	uint32_t b = get(w, i->args[1], lane) & 31, c = (uint32_t)get(w, i->args[2], lane), mask = c >> 8 & 31, cv = c & 31;
	uint32_t min = lane & mask, max = min | (cv & ~mask);
	int32_t j = i->imm == 0 ? (int32_t)lane - (int32_t)b : i->imm == 1 ? (int32_t)(lane + b)
		: i->imm == 2 ? (int32_t)(lane ^ b) : (int32_t)(min | (b & ~mask));
	bool ok = i->imm == 0 ? j >= (int32_t)max : j <= (int32_t)max;
	return get(w, i->args[0], ok ? (uint32_t)j : lane);
}

static void execute(struct warp *w, const struct ir_inst *i, uint32_t lane)
{
	bool local = i->mem.space == IR_GLOBAL;
	uint64_t at = i->nargs ? get(w, i->args[0], lane) + i->imm : 0;
	switch (i->op) {
	case IR_sreg:
		ck_assert_uint_eq(i->imm, IR_SREG_LANEID);
		slot(w, i)[lane] = lane;
		break;
	case IR_load:
		slot(w, i)[lane] = local ? w->in[lane][at / 8] & ir_mask(i->width) : shared_read(w, at, i->mem.bits);
		break;
	case IR_store:
		if (local) {
			w->out[lane][at / 8 - 32] = get(w, i->args[1], lane);
		} else {
			uint64_t x = get(w, i->args[1], lane);
			ck_assert_uint_le(at + i->mem.bits / 8, SHARED);
			memcpy(w->shared + at, &x, i->mem.bits / 8);
		}
		break;
	case IR_shfl:
		slot(w, i)[lane] = shuffle(w, i, lane);
		break;
	case IR_ballot:
		slot(w, i)[lane] = 0;
		for (uint32_t k = 0; k < LANES; k++)
			slot(w, i)[lane] |= get(w, i->args[0], k) << k;
		break;
	case IR_meetwarp:
	case IR_exit:
		break;
	default:
		slot(w, i)[lane] = lane_value(w, i, lane);
	}
}

static void run_for(struct warp *w, const char *target, const char *body)
{
	struct arena a;
	struct trap trap;
	struct diags d;
	struct strbuf sb;
	struct ptx_parse_opts opts = {0};
	arena_init(&a, &trap);
	if (setjmp(trap.env))
		ck_abort_msg("%s", trap.msg);
	diags_init(&d, &a);
	sb_init(&sb, &a);
	sb_printf(&sb, ".version 9.0\n.target %s\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %%r<64>; .reg .b64 %%d<64>;"
		       " .reg .pred %%p<8>;\nmov.b64 %%d60, 0;\n%s\nret;\n}\n", target, body);
	const char *text = sb_str(&sb);
	struct ptx_module *pm = ptx_parse(&a, &d, text, strlen(text), &opts);
	struct ir_module *m = d.errors ? NULL : ptx_build(&a, &d, pm);
	if (d.errors)
		ck_abort_msg("line %u: %s\n%s", d.list.data[0].line, d.list.data[0].text, text);
	struct ir_func *f = m->funcs.data[0];
	ir_validate(f, "ptx_build");
	w->v = NEWN(&a, uint64_t, (size_t)(f->ninsts + 1) * LANES);
	ck_assert_uint_eq(f->blocks.len, 1);
	ir_each_inst(i, f->blocks.data[0]) for (uint32_t lane = 0; lane < LANES; lane++) execute(w, i, lane);
	arena_free(&a);
}

static void run(struct warp *w, const char *body)
{
	run_for(w, "sm_100a", body);
}

static uint32_t rnd_state = 1;
static uint32_t rnd(void)
{
	rnd_state = rnd_state * 1664525 + 1013904223;
	return rnd_state >> 8;
}

/* --- mma --- */

/* The manual's formulas: element i of a lane's registers, e a register. */
struct layout {
	const char *op;
	uint32_t m, n, k, e; /* e elements a register */
	char type;           /* h f16, b bf16, t tf32, d f64, s s8, u u8, n s4, x b1 xor, 8 e4m3, 5 e5m2, 4 e2m1, 6 e2m3, 3 e3m2 */
	char acc;            /* f f32, h f16, d f64, s s32 */
	char btype;          /* of B, if another */
	bool sparse, padded;
	uint32_t scales; /* a row of A */
};
static const struct layout layouts[] = {
	{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, 2, 'h', 'f', 0, 0, 0, 0},
	{"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", 16, 8, 8, 2, 'h', 'h', 0, 0, 0, 0},
	{"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, 2, 'b', 'f', 0, 0, 0, 0},
	{"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, 1, 't', 'f', 0, 0, 0, 0},
	{"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 8, 32, 4, '8', 'f', 0, 0, 0, 0},
	{"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 4, 1, 'd', 'd', 0, 0, 0, 0},
	{"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", 16, 8, 16, 1, 'd', 'd', 0, 0, 0, 0},
	{"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", 8, 8, 16, 4, 's', 's', 0, 0, 0, 0},
	{"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32", 16, 8, 32, 4, 'u', 's', 0, 0, 0, 0},
	{"mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", 16, 8, 64, 8, 'n', 's', 0, 0, 0, 0},
	{"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 16, 8, 256, 32, 'x', 's', 0, 0, 0, 0},
	{"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e5m2.e2m1.f32", 16, 8, 32, 4, '5', 'f', '4', 0, 1, 0},
	{"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f16.e2m3.e3m2.f16", 16, 8, 32, 4, '6', 'h', '3', 0, 1, 0},
	{"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e4m3.f32", 16, 8, 32, 4, '4', 'f', '8', 0, 1, 0},
	{"mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e3m2.e2m1.f32.ue8m0", 16, 8, 32, 4, '3', 'f', '4', 0, 1, 1},
	{"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0", 16, 8, 64, 8, '4', 'f', 0, 0, 0, 2},
	{"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3", 16, 8, 64, 8, '4', 'f', 0, 0, 0, 4},
	{"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, 2, 'h', 'f', 0, 1, 0, 0},
	{"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16", 16, 8, 32, 2, 'h', 'h', 0, 1, 0, 0},
	{"mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32", 16, 8, 32, 2, 'b', 'f', 0, 1, 0, 0},
	{"mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, 1, 't', 'f', 0, 1, 0, 0},
	{"mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", 16, 8, 16, 1, 't', 'f', 0, 1, 0, 0},
	{"mma.sp.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", 16, 8, 32, 4, 's', 's', 0, 1, 0, 0},
	{"mma.sp.sync.aligned.m16n8k64.row.col.s32.u8.u8.s32", 16, 8, 64, 4, 'u', 's', 0, 1, 0, 0},
	{"mma.sp.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", 16, 8, 64, 8, 'n', 's', 0, 1, 0, 0},
	{"mma.sp.sync.aligned.m16n8k128.row.col.s32.s4.s4.s32", 16, 8, 128, 8, 'n', 's', 0, 1, 0, 0},
	{"mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e5m2.f32", 16, 8, 64, 4, '8', 'f', '5', 1, 0, 0},
	{"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale.f32.e2m1.e2m3.f32.ue8m0", 16, 8, 64, 4, '4', 'f', '6', 1, 1, 1},
	{"mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
	 16, 8, 128, 8, '4', 'f', 0, 1, 0, 4},
};

static uint64_t half_bits(int v)
{
	if (!v)
		return 0;
	int e = 0, m = abs(v);
	while (m >> (e + 1))
		e++;
	return (uint64_t)(v < 0) << 15 | (uint64_t)(e + 15) << 10 | (uint64_t)(m - (1 << e)) << (10 - e);
}

/* -3 to 3. */
static uint64_t small_bits(int sign, int one, int two, int three, int v)
{
	return (uint64_t)(v < 0) << sign | (uint64_t)(abs(v) == 0 ? 0 : abs(v) == 1 ? one : abs(v) == 2 ? two : three);
}

/* Small integers are exact in every type. */
static uint64_t element_bits(char type, int v)
{
	float f = (float)v;
	double d = v;
	uint32_t u;
	uint64_t l;
	memcpy(&u, &f, 4);
	memcpy(&l, &d, 8);
	switch (type) {
	case 'h':
		return half_bits(v);
	case 'b':
		return u >> 16;
	case '8':
		return small_bits(7, 0x38, 0x40, 0x44, v);
	case '5':
		return small_bits(7, 0x3c, 0x40, 0x42, v);
	case '4':
		return small_bits(3, 2, 4, 5, v);
	case '6':
		return small_bits(5, 0x08, 0x10, 0x14, v);
	case '3':
		return small_bits(5, 0x0c, 0x10, 0x12, v);
	case 'd':
		return l;
	case 't':
	case 'f':
		return u;
	default:
		return (uint64_t)(int64_t)v;
	}
}

static int random_element(char type)
{
	return type == 'x' ? (int)(rnd() & 1) : type == 'u' ? (int)(rnd() & 7) : (int)(rnd() % 7) - 3;
}

static int mat_a[32][256], mat_b[256][32], mat_c[32][32], mat_d[32][32];
/* Scales are 2^(value - 1); of a sparse A what is stored, and two bits for each part of a chunk that is. */
static int scale_a[16][4], scale_b[8][4], stored[16][128], position[16][64];

/* A chunk is four elements, of which two are stored; of tf32 two words of two parts; of four bits four pairs. */
static void fill_sparse(const struct layout *l)
{
	uint32_t group = l->e == 8 ? 2 : 1, chunk = l->e == 1 ? 2 : 4 * group;
	for (uint32_t i = 0; i < l->m; i++) {
		for (uint32_t c = 0; c < l->k / chunk; c++) {
			uint32_t p = rnd() % 3, q = p + 1 + rnd() % (3 - p);
			if (l->e == 1) {
				p = rnd() % 2 * 2;
				q = p + 1;
			}
			position[i][2 * c] = (int)p;
			position[i][2 * c + 1] = (int)q;
			for (uint32_t k = 0; k < chunk; k++) {
				uint32_t part = l->e == 1 ? 2 * k : k / group;
				bool kept = part == p || part == q;
				if (!kept)
					mat_a[i][chunk * c + k] = 0;
				else
					stored[i][chunk / 2 * c + (part == q) * group + k % group] = mat_a[i][chunk * c + k];
			}
		}
	}
}

static void fill(const struct layout *l)
{
	for (uint32_t i = 0; i < l->m; i++)
		for (uint32_t k = 0; k < l->k; k++)
			mat_a[i][k] = random_element(l->type);
	if (l->sparse)
		fill_sparse(l);
	for (uint32_t k = 0; k < l->k; k++)
		for (uint32_t j = 0; j < l->n; j++)
			mat_b[k][j] = random_element(l->type);
	for (uint32_t c = 0; c < 4; c++) {
		for (uint32_t i = 0; i < 16; i++)
			scale_a[i][c] = (int)(rnd() % 3) + 1;
		for (uint32_t j = 0; j < 8; j++)
			scale_b[j][c] = (int)(rnd() % 3) + 1;
	}
	for (uint32_t i = 0; i < l->m; i++) {
		for (uint32_t j = 0; j < l->n; j++) {
			mat_c[i][j] = (int)(rnd() % 20) - 10;
			mat_d[i][j] = mat_c[i][j];
			for (uint32_t k = 0; k < l->k; k++) {
				uint32_t c = l->scales ? k * l->scales / l->k : 0;
				int scale = l->scales ? 1 << (scale_a[i][c] - 1) << (scale_b[j][c] - 1) : 1;
				mat_d[i][j] += l->type == 'x' ? mat_a[i][k] ^ mat_b[k][j] : mat_a[i][k] * mat_b[k][j] * scale;
			}
		}
	}
}

/* Element i of A: rows alternate every register, columns move on by 4 registers every two (one, if there are 8 rows). */
static void a_place(const struct layout *l, uint32_t lane, uint32_t i, uint32_t *row, uint32_t *col)
{
	uint32_t reg = i / l->e, rows = l->m / 8;
	*row = lane / 4 + 8 * (reg % rows);
	*col = lane % 4 * l->e + i % l->e + reg / rows * 4 * l->e;
}

static void put(struct warp *w, uint32_t lane, uint32_t word, uint32_t e, uint32_t k, uint64_t bits)
{
	uint32_t width = e == 1 ? 64 : 32 / e;
	w->in[lane][word] |= (width == 64 ? bits : bits & ((1ull << width) - 1)) << k * width;
}

static uint64_t factor_bits(const struct layout *l, char type, int v)
{
	return element_bits(type, v) << (l->padded && type == '4' ? 2 : 0);
}

/* As an H200 has it (tests/conformance/matrix): of halves and words, four chunks of row g below four of row g + 8, the second half of k in
 * the next lane; of bytes and less, eight chunks a lane, row g in even lanes of the quad, row g + 8 in odd ones. The selector is the last
 * that there is. */
static uint32_t selector_of(const struct layout *l)
{
	uint32_t chunks = l->k / (l->e == 1 ? 2 : l->e == 8 ? 8 : 4);
	return chunks == 4 ? 3 : chunks == 8 ? 1 : 0;
}

static void put_metadata(struct warp *w, const struct layout *l)
{
	uint32_t chunks = l->k / (l->e == 1 ? 2 : l->e == 8 ? 8 : 4), selector = selector_of(l);
	for (uint32_t row = 0; row < 16; row++) {
		for (uint32_t c = 0; c < chunks; c++) {
			uint32_t bits = (uint32_t)(position[row][2 * c] | position[row][2 * c + 1] << 2), lane = row % 8 * 4;
			if (l->e <= 2)
				w->in[lane + selector * (chunks / 4) + c / 4][24] |= bits << (4 * (c % 4) + 16 * (row / 8));
			else
				w->in[lane + selector * 2 + row / 8 + c / 8 * 2][24] |= bits << 4 * (c % 8);
		}
	}
}

/* A's from the upper lanes of the quad, bytes from 2 on (of four from 0); B's from lane 1. */
static void put_scales(struct warp *w, const struct layout *l)
{
	bool power = l->scales < 4;
	for (uint32_t c = 0; c < l->scales; c++) {
		uint32_t byte = l->scales == 4 ? c : 2 + c;
		for (uint32_t row = 0; row < 16; row++)
			w->in[row % 8 * 4 + 2 + row / 8][25] |= (uint64_t)(power ? 126 + scale_a[row][c] : 0x30 + 8 * scale_a[row][c]) << 8 * byte;
		for (uint32_t col = 0; col < 8; col++)
			w->in[4 * col + 1][26] |= (uint64_t)(power ? 126 + scale_b[col][c] : 0x30 + 8 * scale_b[col][c]) << 8 * byte;
	}
}

static void inputs(struct warp *w, const struct layout *l)
{
	uint32_t na = l->m * l->k / 32 / (l->sparse ? 2 : 1), nb = l->n * l->k / 32, nc = l->m * l->n / 32;
	char tb = l->btype ? l->btype : l->type;
	if (l->sparse)
		put_metadata(w, l);
	put_scales(w, l);
	for (uint32_t lane = 0; lane < LANES; lane++) {
		for (uint32_t i = 0; i < na; i++) {
			uint32_t row, col;
			a_place(l, lane, i, &row, &col);
			put(w, lane, i / l->e, l->e, i % l->e, factor_bits(l, l->type, l->sparse ? stored[row][col] : mat_a[row][col]));
		}
		for (uint32_t i = 0; i < nb; i++) {
			uint32_t row = lane % 4 * l->e + i % l->e + i / l->e * 4 * l->e, col = lane / 4;
			put(w, lane, 8 + i / l->e, l->e, i % l->e, factor_bits(l, tb, mat_b[row][col]));
		}
		for (uint32_t i = 0; i < nc; i++) {
			int v = mat_c[lane / 4 + 8 * (i / 2)][lane % 4 * 2 + i % 2];
			if (l->acc == 'h')
				put(w, lane, 16 + i / 2, 2, i % 2, half_bits(v));
			else
				w->in[lane][16 + i] = element_bits(l->acc, v);
		}
	}
}

static void reg_list(char *out, char reg, uint32_t first, uint32_t n)
{
	*out = 0;
	for (uint32_t k = 0; k < n; k++)
		sprintf(out + strlen(out), "%s%%%c%u", k ? ", " : "", reg, first + k);
}

START_TEST(mma)
{
	const struct layout *l = &layouts[_i];
	struct warp *w = calloc(1, sizeof *w);
	char body[8192] = "", a[256], b[256], c[256], d[256];
	uint32_t na = l->m * l->k / 32 / l->e / (l->sparse ? 2 : 1), nb = l->n * l->k / 32 / l->e, nc = l->m * l->n / 32 / (l->acc == 'h' ? 2 : 1);
	char ra = l->type == 'd' ? 'd' : 'r', rc = l->acc == 'd' ? 'd' : 'r';
	fill(l);
	inputs(w, l);
	for (uint32_t k = 0; k < 24; k++) {
		char r = k < 16 ? ra : rc;
		sprintf(body + strlen(body), "ld.global.b%d %%%c%u, [%%d60+%u];\n", r == 'd' ? 64 : 32, r, k, 8 * k);
	}
	for (uint32_t k = 0; k < 3; k++)
		sprintf(body + strlen(body), "ld.global.b32 %%r%u, [%%d60+%u];\n", 40 + k, 8 * (24 + k));
	reg_list(a, ra, 0, na);
	reg_list(b, ra, 8, nb);
	reg_list(c, rc, 16, nc);
	reg_list(d, rc, 24, nc);
	sprintf(body + strlen(body), "%s {%s}, {%s}, {%s}, {%s}", l->op, d, a, b, c);
	if (l->sparse)
		sprintf(body + strlen(body), ", %%r40, %u", selector_of(l));
	if (l->scales)
		sprintf(body + strlen(body), ", %%r41, {%u, 1}, %%r42, {%u, 1}", l->scales == 4 ? 0 : 2, l->scales == 4 ? 0 : 2);
	strcat(body, ";\n");
	for (uint32_t k = 0; k < nc; k++)
		sprintf(body + strlen(body), "st.global.b%d [%%d60+%u], %%%c%u;\n", rc == 'd' ? 64 : 32, 256 + 8 * k, rc, 24 + k);
	run_for(w, l->padded || l->scales ? "sm_120a" : "sm_90", body);
	for (uint32_t lane = 0; lane < LANES; lane++) {
		for (uint32_t i = 0; i < l->m * l->n / 32; i++) {
			int want = mat_d[lane / 4 + 8 * (i / 2)][lane % 4 * 2 + i % 2];
			uint64_t got = l->acc == 'h' ? w->out[lane][i / 2] >> 16 * (i % 2) & 0xffff : w->out[lane][i];
			uint64_t bits = l->acc == 'h' ? half_bits(want) : element_bits(l->acc, want);
			if (l->acc == 's')
				bits &= 0xffffffff;
			if (got != bits)
				ck_abort_msg("%s lane %u element %u: got %llx, should be %llx (%d)", l->op, lane, i,
					     (unsigned long long)got, (unsigned long long)bits, want);
		}
	}
	free(w);
}
END_TEST

/* Four products of 8x8x4, each of lanes 4 i.. and 16 + 4 i.. */
static const char *const quads[] = {"row.col.f32.f16.f16.f32", "col.row.f32.f16.f16.f32", "row.row.f32.f16.f16.f16",
				    "col.col.f16.f16.f16.f16", "row.col.f16.f16.f16.f16", "col.row.f32.f16.f16.f16"};

START_TEST(mma_quads)
{
	const char *op = quads[_i];
	struct warp *w = calloc(1, sizeof *w);
	bool a_row = op[0] == 'r', b_row = op[4] == 'r', d_half = !strncmp(op + 8, "f16", 3), c_half = !strcmp(op + 20, "f16");
	int a[4][8][4], b[4][4][8], c[4][8][8];
	char body[4096] = "", cs[256], ds[256];
	for (uint32_t p = 0; p < 4; p++)
		for (uint32_t i = 0; i < 8; i++) {
			for (uint32_t k = 0; k < 4; k++) {
				a[p][i][k] = (int)(rnd() % 7) - 3;
				b[p][k][i] = (int)(rnd() % 7) - 3;
			}
			for (uint32_t j = 0; j < 8; j++)
				c[p][i][j] = (int)(rnd() % 20) - 10;
		}
	for (uint32_t lane = 0; lane < LANES; lane++) {
		uint32_t p = lane / 4 % 4, r = lane % 4, h = lane < 16 ? 0 : 4;
		for (uint32_t i = 0; i < 4; i++) {
			put(w, lane, i / 2, 2, i % 2, half_bits(a_row ? a[p][r + h][i] : a[p][i + h][r]));
			put(w, lane, 2 + i / 2, 2, i % 2, half_bits(b_row ? b[p][r][i + h] : b[p][i][r + h]));
		}
		for (uint32_t i = 0; i < 8; i++) {
			if (c_half)
				put(w, lane, 4 + i / 2, 2, i % 2, half_bits(c[p][r + h][i]));
			else
				w->in[lane][4 + i] = element_bits('f', c[p][(lane & 1) + (i & 2) + h][(i & 4) + (lane & 2) + (i & 1)]);
		}
	}
	for (uint32_t k = 0; k < 12; k++)
		sprintf(body + strlen(body), "ld.global.b32 %%r%u, [%%d60+%u];\n", k, 8 * k);
	reg_list(cs, 'r', 4, c_half ? 4 : 8);
	reg_list(ds, 'r', 12, d_half ? 4 : 8);
	sprintf(body + strlen(body), "mma.sync.aligned.m8n8k4.%s {%s}, {%%r0, %%r1}, {%%r2, %%r3}, {%s};\n", op, ds, cs);
	for (uint32_t k = 0; k < (d_half ? 4 : 8); k++)
		sprintf(body + strlen(body), "st.global.b32 [%%d60+%u], %%r%u;\n", 256 + 8 * k, 12 + k);
	run_for(w, "sm_70", body);
	for (uint32_t lane = 0; lane < LANES; lane++) {
		uint32_t p = lane / 4 % 4, h = lane < 16 ? 0 : 4;
		for (uint32_t i = 0; i < 8; i++) {
			uint32_t row = d_half ? lane % 4 + h : (lane & 1) + (i & 2) + h, col = d_half ? i : (i & 4) + (lane & 2) + (i & 1);
			int want = c[p][row][col];
			for (uint32_t k = 0; k < 4; k++)
				want += a[p][row][k] * b[p][k][col];
			ck_assert_uint_eq(d_half ? w->out[lane][i / 2] >> 16 * (i % 2) & 0xffff : w->out[lane][i],
					  d_half ? half_bits(want) : element_bits('f', want));
		}
	}
	free(w);
}
END_TEST

/* --- wmma: memory to memory --- */

struct wmma {
	const char *shape, *la, *lb, *lc, *types, *t; /* types of wmma.mma; element type of a and b */
	uint32_t m, n, k, na, nb, nc;
	char type, acc;
};
static const struct wmma wmmas[] = {
	{"m16n16k16", "row", "col", "row", "f32.f32", "f16", 16, 16, 16, 8, 8, 8, 'h', 'f'},
	{"m16n16k16", "col", "row", "col", "f32.f32", "f16", 16, 16, 16, 8, 8, 8, 'h', 'f'},
	{"m32n8k16", "row", "row", "row", "f16.f16", "f16", 32, 8, 16, 8, 8, 4, 'h', 'h'},
	{"m8n32k16", "col", "col", "row", "f32.bf16.bf16.f32", "bf16", 8, 32, 16, 2, 8, 8, 'b', 'f'},
	{"m16n16k16", "row", "row", "col", "s32.s8.s8.s32", "s8", 16, 16, 16, 2, 2, 8, 's', 's'},
	{"m32n8k16", "col", "col", "row", "s32.u8.u8.s32", "u8", 32, 8, 16, 4, 1, 8, 'u', 's'},
	{"m16n16k8", "row", "col", "row", "f32.tf32.tf32.f32", "tf32", 16, 16, 8, 4, 4, 8, 't', 'f'},
	{"m8n8k4", "row", "col", "row", "f64.f64.f64.f64", "f64", 8, 8, 4, 1, 1, 2, 'd', 'd'},
};

static uint32_t element_bytes(char t)
{
	return t == 'h' || t == 'b' ? 2 : t == 't' || t == 'f' ? 4 : t == 'd' ? 8 : t == 's' || t == 'u' ? 1 : 0;
}

static void put_shared(struct warp *w, uint32_t base, uint32_t index, uint32_t bytes, uint64_t bits)
{
	memcpy(w->shared + base + index * bytes, &bits, bytes);
}

START_TEST(wmma)
{
	const struct wmma *q = &wmmas[_i];
	struct layout l = {.m = q->m, .n = q->n, .k = q->k, .type = q->type};
	struct warp *w = calloc(1, sizeof *w);
	uint32_t ab = element_bytes(q->type), cb = q->acc == 's' ? 4 : element_bytes(q->acc), lda = 40, ldb = 48, ldc = 56;
	bool ra = !strcmp(q->la, "row"), rb = !strcmp(q->lb, "row"), rc = !strcmp(q->lc, "row");
	char body[4096], a[256], b[256], c[256], d[256], reg = q->type == 'd' ? 'd' : 'r';
	const char *ct = q->acc == 'f' ? "f32" : q->acc == 'h' ? "f16" : q->acc == 'd' ? "f64" : "s32";
	fill(&l);
	for (uint32_t i = 0; i < q->m; i++)
		for (uint32_t k = 0; k < q->k; k++)
			put_shared(w, 0, ra ? i * lda + k : k * lda + i, ab, element_bits(q->type, mat_a[i][k]));
	for (uint32_t k = 0; k < q->k; k++)
		for (uint32_t j = 0; j < q->n; j++)
			put_shared(w, 4096, rb ? k * ldb + j : j * ldb + k, ab, element_bits(q->type, mat_b[k][j]));
	for (uint32_t i = 0; i < q->m; i++)
		for (uint32_t j = 0; j < q->n; j++)
			put_shared(w, 8192, rc ? i * ldc + j : j * ldc + i, cb, element_bits(q->acc, mat_c[i][j]));
	reg_list(a, reg, 0, q->na);
	reg_list(b, reg, 8, q->nb);
	reg_list(c, reg, 16, q->nc);
	reg_list(d, reg, 24, q->nc);
	sprintf(body, "mov.b32 %%r50, 0; mov.b32 %%r51, 4096; mov.b32 %%r52, 8192;\n"
		      "wmma.load.a.sync.aligned.%s.%s.shared.%s {%s}, [%%r50], %u;\nwmma.load.b.sync.aligned.%s.%s.shared.%s {%s}, [%%r51], %u;\n"
		      "wmma.load.c.sync.aligned.%s.%s.shared.%s {%s}, [%%r52], %u;\n"
		      "wmma.mma.sync.aligned.%s.%s.%s.%s {%s}, {%s}, {%s}, {%s};\nwmma.store.d.sync.aligned.%s.%s.shared.%s [%%r52], {%s}, %u;\n",
		q->la, q->shape, q->t, a, lda, q->lb, q->shape, q->t, b, ldb, q->lc, q->shape, ct, c, ldc, q->la, q->lb, q->shape,
		q->types, d, a, b, c, q->lc, q->shape, ct, d, ldc);
	run(w, body);
	for (uint32_t i = 0; i < q->m; i++) {
		for (uint32_t j = 0; j < q->n; j++) {
			uint64_t got = shared_read(w, 8192 + (rc ? i * ldc + j : j * ldc + i) * cb, 8 * cb);
			uint64_t want = element_bits(q->acc, mat_d[i][j]) & ir_mask(8 * cb);
			if (got != want)
				ck_abort_msg("%s %s row %u column %u: got %llx, should be %llx", q->shape, q->types, i, j,
					     (unsigned long long)got, (unsigned long long)want);
		}
	}
	free(w);
}
END_TEST

/* --- 8x8 matrices --- */

static uint32_t tile_word(uint32_t lane, bool trans, uint32_t tile)
{
	uint32_t g = lane / 4, t = lane % 4, lo = trans ? 16 * t + g : 8 * g + 2 * t, hi = trans ? 16 * t + 8 + g : 8 * g + 2 * t + 1;
	return (tile << 8 | lo) | (tile << 8 | hi) << 16;
}

START_TEST(matrices_of_halves)
{
	struct warp *w = calloc(1, sizeof *w);
	for (uint32_t k = 0; k < LANES; k++)
		w->in[k][0] = 2048 - 64 * k;
	for (uint32_t m = 0; m < 4; m++)
		for (uint32_t e = 0; e < 64; e++)
			put_shared(w, 2048 - 64 * (8 * m + e / 8), e % 8, 2, m << 8 | e);
	run(w, "ld.global.b32 %r0, [%d60];\nldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r0];\n"
	       "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r5, %r6}, [%r0];\nmovmatrix.sync.aligned.m8n8.trans.b16 %r7, %r3;\n"
	       "st.global.b32 [%d60+256], %r1;\nst.global.b32 [%d60+264], %r4;\nst.global.b32 [%d60+272], %r6;\nst.global.b32 [%d60+280], %r7;\n"
	       "add.u32 %r8, %r0, 4096;\nstmatrix.sync.aligned.m8n8.x2.shared.b16 [%r8], {%r1, %r2};\nadd.u32 %r8, %r0, 8192;\n"
	       "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r8], {%r4};\n");
	for (uint32_t k = 0; k < LANES; k++) {
		ck_assert_uint_eq(w->out[k][0], tile_word(k, false, 0));
		ck_assert_uint_eq(w->out[k][1], tile_word(k, false, 3));
		ck_assert_uint_eq(w->out[k][2], tile_word(k, true, 1));
		ck_assert_uint_eq(w->out[k][3], tile_word(k, true, 2));
	}
	for (uint32_t e = 0; e < 64; e++) {
		ck_assert_uint_eq(shared_read(w, 4096 + 2048 - 64 * (8 + e / 8) + e % 8 * 2, 16), 1 << 8 | e);
		ck_assert_uint_eq(shared_read(w, 8192 + 2048 - 64 * (e / 8) + e % 8 * 2, 16), 3 << 8 | (e % 8 * 8 + e / 8));
	}
	free(w);
}
END_TEST

/* --- matrices of bytes, six and four bits; row r of matrix m at 16 bytes of its own --- */

static uint32_t packed_element(struct warp *w, uint32_t row, uint32_t i, uint32_t bits)
{
	uint32_t d = 0;
	for (uint32_t k = 0; k < bits; k++)
		d |= (uint32_t)(w->shared[64 * row + (i * bits + k) / 8] >> (i * bits + k) % 8 & 1) << k;
	return d;
}

static const struct {
	const char *op;
	uint32_t regs, bits, rows; /* of a matrix */
} byte_loads[] = {
	{"m16n16.x1.trans.shared.b8", 2, 8, 16},		  {"m16n16.x2.trans.shared.b8", 4, 8, 16},
	{"m16n16.x2.trans.shared.b8x16.b6x16_p32", 4, 6, 16}, {"m16n16.x1.trans.shared.b8x16.b4x16_p64", 2, 4, 16},
	{"m8n16.x4.shared.b8x16.b6x16_p32", 4, 6, 8},	  {"m8n16.x2.shared.b8x16.b4x16_p64", 2, 4, 8},
};

START_TEST(matrices_of_bytes)
{
	struct warp *w = calloc(1, sizeof *w);
	char body[1024], to[128];
	uint32_t n = byte_loads[_i].regs, bits = byte_loads[_i].bits;
	for (uint32_t k = 0; k < LANES; k++)
		w->in[k][0] = 64 * k;
	for (uint32_t k = 0; k < 2048; k++)
		w->shared[k] = (uint8_t)rnd();
	reg_list(to, 'r', 1, n);
	sprintf(body, "ld.global.b32 %%r0, [%%d60];\nldmatrix.sync.aligned.%s {%s}, [%%r0];\n", byte_loads[_i].op, to);
	for (uint32_t k = 0; k < n; k++)
		sprintf(body + strlen(body), "st.global.b32 [%%d60+%u], %%r%u;\n", 256 + 8 * k, 1 + k);
	run(w, body);
	for (uint32_t lane = 0; lane < LANES; lane++) {
		for (uint32_t k = 0; k < n; k++) {
			for (uint32_t b = 0; b < 4; b++) {
				uint32_t row = 8 * k + lane / 4, col = lane % 4 * 4 + b;
				if (byte_loads[_i].rows == 16) {
					row = k / 2 * 16 + lane % 4 * 4 + b;
					col = lane / 4 + 8 * (k % 2);
				}
				ck_assert_uint_eq(w->out[lane][k] >> 8 * b & 0xff, packed_element(w, row, col, bits));
			}
		}
	}
	free(w);
}
END_TEST

START_TEST(stores_of_bytes)
{
	struct warp *w = calloc(1, sizeof *w);
	for (uint32_t k = 0; k < LANES; k++) {
		w->in[k][0] = 64 * k;
		for (uint32_t r = 0; r < 4; r++)
			w->in[k][1 + r] = rnd() ^ rnd() << 16;
	}
	run(w, "ld.global.b32 %r0, [%d60];\nld.global.b32 %r1, [%d60+8];\nld.global.b32 %r2, [%d60+16];\nld.global.b32 %r3, [%d60+24];\n"
	       "ld.global.b32 %r4, [%d60+32];\nstmatrix.sync.aligned.m16n8.x4.trans.shared.b8 [%r0], {%r1, %r2, %r3, %r4};\n"
	       "add.u32 %r0, %r0, 8192;\nstmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r0], {%r2};\n");
	for (uint32_t m = 0; m < 4; m++) {
		for (uint32_t i = 0; i < 16; i++) {
			for (uint32_t j = 0; j < 8; j++) {
				uint32_t lane = i % 8 * 4 + j / 2, byte = i / 8 * 2 + j % 2;
				ck_assert_uint_eq(w->shared[64 * (8 * m + j) + i], w->in[lane][1 + m] >> 8 * byte & 0xff);
				if (!m)
					ck_assert_uint_eq(w->shared[8192 + 64 * j + i], w->in[lane][2] >> 8 * byte & 0xff);
			}
		}
	}
	free(w);
}
END_TEST

/* --- votes, shuffles --- */

START_TEST(votes)
{
	struct warp *w = calloc(1, sizeof *w);
	uint32_t bits = 0x00ff1234, mask = 0x0000fff0;
	for (uint32_t k = 0; k < LANES; k++)
		w->in[k][0] = bits >> k & 1;
	run(w, "ld.global.b32 %r0, [%d60];\nsetp.ne.u32 %p0, %r0, 0;\nvote.sync.ballot.b32 %r1, %p0, 0xfff0;\n"
	       "vote.sync.any.pred %p1, %p0, 0xfff0;\nvote.sync.all.pred %p2, %p0, 0xff0000;\nvote.sync.uni.pred %p3, %p0, 0xff000000;\n"
	       "vote.sync.uni.pred %p4, %p0, 0xfff0;\nselp.b32 %r2, 1, 0, %p1;\n@%p2 or.b32 %r2, %r2, 2;\n@%p3 or.b32 %r2, %r2, 4;\n"
	       "@%p4 or.b32 %r2, %r2, 8;\nelect.sync %r3|%p5, 0xfff0;\n@%p5 or.b32 %r2, %r2, 16;\nshfl.sync.down.b32 %r4, %r0, 3, 31, -1;\n"
	       "st.global.b32 [%d60+256], %r1;\nst.global.b32 [%d60+264], %r2;\nst.global.b32 [%d60+272], %r3;\nst.global.b32 [%d60+280], %r4;\n");
	for (uint32_t k = 0; k < LANES; k++) {
		ck_assert_uint_eq(w->out[k][0], bits & mask);
		ck_assert_uint_eq(w->out[k][1], 1 | 2 | 4 | (k == 4 ? 16 : 0));
		ck_assert_uint_eq(w->out[k][2], 4);
		ck_assert_uint_eq(w->out[k][3], bits >> (k + 3 < 32 ? k + 3 : k) & 1);
	}
	free(w);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("build_warp");
	TCase *tc = tcase_create("warp");
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, mma, 0, sizeof layouts / sizeof *layouts);
	tcase_add_loop_test(tc, wmma, 0, sizeof wmmas / sizeof *wmmas);
	tcase_add_loop_test(tc, mma_quads, 0, sizeof quads / sizeof *quads);
	tcase_add_test(tc, matrices_of_halves);
	tcase_add_loop_test(tc, matrices_of_bytes, 0, sizeof byte_loads / sizeof *byte_loads);
	tcase_add_test(tc, stores_of_bytes);
	tcase_add_test(tc, votes);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
