/* Operand checks of textures, surfaces, tensors and matrix fragments, and those of whole instructions that no single
 * operand shows. */
#include <stdlib.h>
#include <string.h>

#include "parser/parse.h"
#include "parser/ptx_types.h"

/* Coordinates, gradients and offsets of a geometry; 3-element vectors are written with four. */
static uint32_t geometry_lanes(const struct ptx_mods *m)
{
	switch (m->mod[PTX_MOD_geom]) {
	case PTX_W_1d:
		return 1;
	case PTX_W_2d:
	case PTX_W_a1d:
		return 2;
	default:
		return 4;
	}
}

/* Gradients and offsets leave an array's index out. */
static uint32_t gradient_lanes(const struct ptx_mods *m)
{
	switch (m->mod[PTX_MOD_geom]) {
	case PTX_W_1d:
	case PTX_W_a1d:
		return 1;
	case PTX_W_2d:
	case PTX_W_a2d:
	case PTX_W_2dms:
	case PTX_W_a2dms:
		return 2;
	default:
		return 4;
	}
}

static uint32_t fragment_lanes(const struct ptx_mods *m)
{
	const char *shape = ptx_word_name(m->mod[PTX_MOD_shape]);
	if (m->op == PTX_OP_wgmma) {
		uint32_t n = (uint32_t)strtoul(strchr(shape, 'n') + 1, NULL, 10);
		return m->types[0] == PTX_T_f16 ? n / 4 : n / 2;
	}
	uint32_t times = (uint32_t)strtoul(ptx_word_name(m->mod[PTX_MOD_num]) + 1, NULL, 10);
	return times * (!strcmp(shape, "16x128b") ? 2 : !strcmp(shape, "16x256b") ? 4 : 1);
}

uint32_t ptx_check_count(const struct ptx_mods *m, uint32_t count)
{
	return count == FC_VEC ? m->vec : count == FC_FRAGMENT ? fragment_lanes(m) : count == FC_GEOMETRY ? gradient_lanes(m) : count;
}

static bool is_reg32(const struct check *c, const struct ptx_operand *o)
{
	return o->kind == OPD_NAME || o->kind == PTX_OPD_IMM || o->kind == PTX_OPD_FIMM ||
	       (o->kind == PTX_OPD_REG && !o->neg && !o->n && ptx_type_bits(c->P->regs.data[o->reg].type) == 32);
}

/* Coordinates are of the type that the instruction says last (tex, tld4), or integers; an array's index is unsigned. */
static const char *check_coordinates(struct check *c, const struct ptx_operand *o, uint32_t n)
{
	uint32_t geom = c->m->mod[PTX_MOD_geom];
	bool tex = c->row->form == PTX_FORM_tex || c->row->form == PTX_FORM_tld4;
	uint32_t t = tex ? c->m->types[c->m->ntypes - 1] : (uint32_t)PTX_T_s32;
	bool index = tex && (geom == PTX_W_a1d || geom == PTX_W_a2d || geom == PTX_W_acube || geom == PTX_W_a2dms);
	struct elements e;
	if (o->kind == PTX_OPD_REG && !o->n && !o->neg && (o->sel ? 1 : c->P->regs.data[o->reg].vec) == n)
		return ptx_reg_fits(c->P->regs.data[o->reg].type, t, false) ? NULL : ptx_check_mismatch(c);
	if (o->kind != PTX_OPD_VEC || o->n != n)
		return arena_printf(c->P->arena, "Operand vector size doesn't match geometry for instruction '%s'", c->op);
	const char *msg = ptx_check_elements(c, o, index, &e);
	for (uint32_t i = 0; i < n && !msg; i++) {
		const struct ptx_operand *v = &o->elems[i];
		if (index && i == 0 && (v->kind == PTX_OPD_FIMM ||
					(v->kind == PTX_OPD_REG && !ptx_reg_fits(c->P->regs.data[v->reg].type, PTX_T_u32, false))))
			return arena_printf(c->P->arena, "Array index in the '%s' instruction has unexpected type. Expecting type .u32", c->op);
		if (!is_reg32(c, v))
			return ptx_check_mismatch(c);
		if (e.loose || ptx_int_for_float(c, false, e.type, t) || v->kind == OPD_NAME)
			continue;
		bool fits = v->kind == PTX_OPD_REG ? ptx_reg_fits(c->P->regs.data[v->reg].type, t, false)
						   : (v->kind == PTX_OPD_IMM) == (t != PTX_T_f32);
		msg = fits ? NULL : ptx_check_mismatch(c);
	}
	return msg;
}

static bool opaque(const struct check *c, const struct ptx_operand *o, uint32_t type)
{
	if (o->kind == OPD_NAME)
		return true;
	if (o->kind == PTX_OPD_SYM)
		return o->sym->kind == PTX_SYM_VAR && !o->n && (o->sym->type == type || o->sym->space == PTX_SPACE_TEX);
	return o->kind == PTX_OPD_REG && !o->n && !o->neg && ptx_reg_fits(c->P->regs.data[o->reg].type, PTX_T_u64, false);
}

static const char *check_tex(struct check *c, const struct ptx_operand *o)
{
	if (o->kind != PTX_OPD_TENSOR || o->n < 2 || o->n > 3)
		return ptx_check_mismatch(c);
	if (!opaque(c, &o->elems[0], PTX_T_texref))
		return arena_printf(c->P->arena, "Argument %u of instruction '%s': .texref or .u64 register expected", c->arg, c->op);
	if (o->n == 3 && !opaque(c, &o->elems[1], PTX_T_samplerref) && !opaque(c, &o->elems[1], PTX_T_texref))
		return arena_printf(c->P->arena, "Argument %u of instruction '%s': .samplerref or .u64 register expected", c->arg + 1,
				    c->op);
	return check_coordinates(c, &o->elems[o->n - 1], geometry_lanes(c->m));
}

static const char *check_surf(struct check *c, const struct ptx_operand *o)
{
	if (o->kind != PTX_OPD_TENSOR || o->n != 2)
		return ptx_check_mismatch(c);
	if (!opaque(c, &o->elems[0], PTX_T_surfref))
		return arena_printf(c->P->arena, "Argument %u of instruction '%s': .surfref or .u64 register expected", c->arg, c->op);
	return check_coordinates(c, &o->elems[1], geometry_lanes(c->m));
}

static const char *check_query(struct check *c, const struct ptx_operand *o)
{
	if (o->kind != PTX_OPD_ADDR || o->imm || o->base == PTX_BASE_NONE)
		return ptx_check_mismatch(c);
	if (o->base == PTX_BASE_REG)
		return ptx_reg_fits(c->P->regs.data[o->reg].type, PTX_T_u64, false) ? NULL : ptx_check_mismatch(c);
	uint32_t t = o->sym->type;
	if (c->m->mod[PTX_MOD_query] == PTX_W_force_unnormalized_coords && t != PTX_T_samplerref)
		return arena_printf(c->P->arena, "Argument %u of instruction '%s': .samplerref expected", c->arg, c->op);
	if (c->row->op == PTX_OP_suq && t == PTX_T_texref)
		return arena_printf(c->P->arena, "Argument %u of instruction '%s': .surfref or .u64 register expected", c->arg, c->op);
	if (c->row->op == PTX_OP_txq && t == PTX_T_surfref)
		return arena_printf(c->P->arena, "Argument %u of instruction '%s': .texref or .u64 register expected", c->arg, c->op);
	return t == PTX_T_texref || t == PTX_T_samplerref || t == PTX_T_surfref || o->sym->space == PTX_SPACE_TEX
		       ? NULL
		       : ptx_check_mismatch(c);
}

static bool needs_offsets(uint32_t mode)
{
	return mode == PTX_W_im2col || mode == PTX_W_im2col__w || mode == PTX_W_im2col__w__128;
}

static bool has_offsets(const struct form_row *r)
{
	for (uint32_t i = 0; i < r->max_opds; i++)
		if (form_opds[r->opd + i].kind == FO_COORDS)
			return true;
	return false;
}

/* [map, {coordinates}]: as many as dimensions; gather and scatter name a column and four rows. */
static const char *check_tensor(struct check *c, const struct ptx_operand *o)
{
	uint32_t dim = (uint32_t)(ptx_word_name(c->m->mod[PTX_MOD_dim])[0] - '0'), mode = c->m->mod[PTX_MOD_tmode];
	uint32_t n = mode == PTX_W_tile__gather4 || mode == PTX_W_tile__scatter4 ? 5 : dim;
	if (o->kind != PTX_OPD_TENSOR || o->n != 2)
		return ptx_check_mismatch(c);
	if (c->row->op == PTX_OP_cp && needs_offsets(mode) && !has_offsets(c->row))
		return ptx_check_mismatch(c);
	if ((dim < 3 && mode && !strncmp(ptx_word_name(mode), "im2col", 6)) || (n == 5 && dim != 2 && dim != 5))
		return arena_printf(c->P->arena, "Modifier '.%ud' cannot be combined with modifier '.%s'", dim, ptx_word_name(mode));
	const struct ptx_operand *map = &o->elems[0], *v = &o->elems[1];
	if (map->kind == PTX_OPD_SYM && (map->sym->space == PTX_SPACE_PARAM || map->sym->space == PTX_SPACE_CONST))
		return arena_printf(c->P->arena, "State space mismatch between instruction and address in instruction '%s'", c->op);
	bool ok = map->kind == OPD_NAME || (map->kind == PTX_OPD_SYM && map->sym->kind == PTX_SYM_VAR) ||
		  (map->kind == PTX_OPD_REG && !map->neg && ptx_type_bits(c->P->regs.data[map->reg].type) == 64);
	if (!ok || v->kind != PTX_OPD_VEC || v->n != n)
		return ptx_check_mismatch(c);
	for (uint32_t i = 0; i < v->n; i++)
		if (!is_reg32(c, &v->elems[i]))
			return ptx_check_mismatch(c);
	return NULL;
}

/* im2col offsets: 16-bit, two fewer than dimensions; for im2col::w two */
static const char *check_coords(struct check *c, const struct ptx_operand *o)
{
	uint32_t mode = c->m->mod[PTX_MOD_tmode], dim = (uint32_t)(ptx_word_name(c->m->mod[PTX_MOD_dim])[0] - '0');
	if (o->kind != PTX_OPD_VEC || !needs_offsets(mode))
		return ptx_check_mismatch(c);
	if (o->n != (mode == PTX_W_im2col ? dim - 2 : 2))
		return ptx_check_mismatch(c);
	for (uint32_t i = 0; i < o->n; i++) {
		const struct ptx_operand *e = &o->elems[i];
		if (e->kind != PTX_OPD_IMM && e->kind != OPD_NAME &&
		    (e->kind != PTX_OPD_REG || ptx_type_bits(c->P->regs.data[e->reg].type) != 16))
			return ptx_check_mismatch(c);
	}
	return NULL;
}

static const char *check_amat(struct check *c, const struct ptx_operand *o)
{
	if (o->kind == OPD_NAME)
		return NULL;
	if (o->kind == PTX_OPD_ADDR && o->base == PTX_BASE_REG) {
		uint32_t t = c->P->regs.data[o->reg].type;
		return !o->imm && ptx_reg_fits(t, PTX_T_u32, false) ? NULL : ptx_check_mismatch(c);
	}
	return o->kind == PTX_OPD_IMM ||
			       (o->kind == PTX_OPD_REG && !o->neg && !o->n && ptx_reg_fits(c->P->regs.data[o->reg].type, PTX_T_u64, false))
		       ? NULL
		       : ptx_check_mismatch(c);
}

const char *ptx_check_mem(struct check *c, const struct form_opd *f, const struct ptx_operand *o)
{
	switch (f->kind) {
	case FO_TEX:
		return check_tex(c, o);
	case FO_SURF:
		return check_surf(c, o);
	case FO_QUERY:
		return check_query(c, o);
	case FO_TENSOR:
		return check_tensor(c, o);
	case FO_COORDS:
		return check_coords(c, o);
	case FO_AMAT:
		return check_amat(c, o);
	default:
		return ptx_check_mismatch(c);
	}
}

/* ---- whole instructions */

/* Integers and bits compare by their signedness; floats have the unordered forms. */
static const char *check_comparison(struct check *c)
{
	uint32_t t = c->m->types[c->m->ntypes - 1];
	bool ok;
	switch (c->m->mod[PTX_MOD_cmp]) {
	case PTX_W_eq:
	case PTX_W_ne:
		ok = true;
		break;
	case PTX_W_lt:
	case PTX_W_le:
	case PTX_W_gt:
	case PTX_W_ge:
		ok = !ptx_type_is_bits(t);
		break;
	case PTX_W_lo:
	case PTX_W_ls:
	case PTX_W_hi:
	case PTX_W_hs:
		ok = t == PTX_T_u16 || t == PTX_T_u32 || t == PTX_T_u64;
		break;
	default:
		ok = !ptx_type_is_bits(t) && !ptx_type_is_int(t);
	}
	return ok ? NULL : "Mismatch between instruction type and comparison qualifier";
}

bool ptx_all_sinks(const struct ptx_operand *o)
{
	for (uint32_t i = 0; i < o->n; i++)
		if (o->elems[i].kind != PTX_OPD_SINK)
			return false;
	return o->kind == PTX_OPD_VEC;
}

/* Vectors hold 128 bits; from sm_100 on, 256 bits in global memory. */
static const char *check_vector_width(struct check *c, const struct ptx_operand *ops)
{
	uint32_t bits = ptx_type_bits(c->m->types[0]) * c->m->vec;
	bool wide = bits == 256 && c->m->vec > 2;
	if (c->m->mod[PTX_MOD_l2ep] && !wide)
		return arena_printf(c->P->arena, "Instruction '%s' requires '.v8.b32/.v4.b64' type with '.%s'", c->op,
				    ptx_word_name(c->m->mod[PTX_MOD_l2ep]));
	if (c->row->op != PTX_OP_st && ptx_all_sinks(&ops[0]))
		return "Unable to infer type of vector elements (assuming .b8)";
	if (c->m->vec == 1 || bits <= 128)
		return NULL;
	if (wide && c->row->op != PTX_OP_ldu && c->row->form != PTX_FORM_st_async && (c->m->space == PTX_SPACE_GLOBAL || c->m->space == PTX_SPACE_NONE) &&
	    c->P->mod->target >= 100 && c->P->mod->version >= 88)
		return NULL;
	return arena_printf(c->P->arena, "Vector of size %u is not allowed for type .%s in instruction '%s'", c->m->vec,
			    ptx_type_name(c->m->types[0]), c->op);
}

static const char *check_load(struct check *c, const struct ptx_operand *ops)
{
	if (ops[1].kind == PTX_OPD_ADDR && ops[1].base == PTX_BASE_SYM && ops[1].sym->is_ret_param)
		return arena_printf(c->P->arena, "Illegal to read function return parameter '%s'", ops[1].sym->name);
	return check_vector_width(c, ops);
}

static const char *check_store(struct check *c, const struct ptx_operand *ops)
{
	if (ops[0].kind == PTX_OPD_ADDR && ops[0].base == PTX_BASE_SYM && (ops[0].sym->is_entry_param || ops[0].sym->is_func_param))
		return arena_printf(c->P->arena, "Illegal to write to function input parameter '%s'", ops[0].sym->name);
	return check_vector_width(c, ops);
}

/* cp.async copies 4, 8 or 16 bytes, past L1 16; it reads no more than it writes. */
static const char *check_cp_async(struct check *c, const struct ptx_operand *ops, uint32_t nops)
{
	int64_t n = ops[2].imm;
	bool cg = c->m->mod[PTX_MOD_cop] == PTX_W_cg;
	if (cg ? n != 16 : n != 4 && n != 8 && n != 16)
		return arena_printf(c->P->arena, "Argument 2 of instruction 'cp.async': unexpected value '%lld', expected to be %s",
				    (long long)n, cg ? "16" : "4, 8 or 16");
	if (nops > 3 && ops[3].kind == PTX_OPD_IMM && (ops[3].imm < 0 || ops[3].imm > n))
		return arena_printf(c->P->arena, "Argument 3 of instruction 'cp.async': value '%lld' out of range, expected to be in range "
						 "[0..%lld]",
				    (long long)ops[3].imm, (long long)n);
	return NULL;
}

static void int_range(uint32_t t, double *lo, double *hi)
{
	uint32_t bits = ptx_type_bits(t);
	bool is_signed = t == PTX_T_s8 || t == PTX_T_s16 || t == PTX_T_s32 || t == PTX_T_s64;
	*lo = is_signed ? -(double)((uint64_t)1 << (bits - 1)) : 0;
	*hi = (double)(UINT64_MAX >> (64 - bits + is_signed));
}

/* .sat is for conversions that can leave the destination's range. */
static const char *check_cvt(struct check *c)
{
	double dlo, dhi, slo, shi;
	if (c->row->form != PTX_FORM_cvt_int || !c->m->mod[PTX_MOD_sat])
		return NULL;
	int_range(c->m->types[0], &dlo, &dhi);
	int_range(c->m->types[1], &slo, &shi);
	if (slo < dlo || shi > dhi)
		return NULL;
	return arena_printf(c->P->arena, "Illegal modifier '.sat' for instruction 'cvt' with type '.%s', '.%s'",
			    ptx_type_name(c->m->types[0]), ptx_type_name(c->m->types[1]));
}

static const struct {
	uint16_t form;
	uint8_t arg;
	int64_t lo, hi;
	uint32_t multiple;
} ranges[] = {
#define X(form, arg, lo, hi, multiple) {PTX_FORM_##form, arg, lo, hi, multiple},
#include "parser/ranges.def"
#undef X
};

static const char *check_ranges(struct check *c, const struct ptx_operand *ops, uint32_t n)
{
	for (uint32_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
		if (ranges[i].form != c->row->form || ranges[i].arg >= n || ops[ranges[i].arg].kind != PTX_OPD_IMM ||
		    form_opds[c->row->opd + ranges[i].arg].kind == FO_PSRC ||
		    (c->row->form == PTX_FORM_tensormap_replace && n < 3))
			continue;
		int64_t v = ops[ranges[i].arg].imm;
		if (c->row->op == PTX_OP_bar || c->row->op == PTX_OP_barrier) /* what is left of it */
			v = (int32_t)v;
		const char *what = NULL;
		if (v < ranges[i].lo || v > ranges[i].hi)
			what = ranges[i].lo == ranges[i].hi
				       ? arena_printf(c->P->arena, "unexpected value '%lld', expected to be %lld", (long long)v,
						      (long long)ranges[i].lo)
				       : arena_printf(c->P->arena, "value '%lld' out of range, expected to be in range [%lld..%lld]",
						      (long long)v, (long long)ranges[i].lo, (long long)ranges[i].hi);
		else if (v % ranges[i].multiple)
			what = arena_printf(c->P->arena, "unexpected value '%lld', expected to be multiple of %u", (long long)v,
					    ranges[i].multiple);
		if (what)
			return arena_printf(c->P->arena, "Argument %u of instruction '%s': %s", ranges[i].arg, c->op, what);
	}
	return NULL;
}

/* Gradients are vectors even of one element. */
static const char *check_gradient(struct check *c, const struct ptx_operand *ops, uint32_t n)
{
	if (!c->m->mod[PTX_MOD_grad])
		return NULL;
	if (c->P->mod->target >= 90 && n > 5 && c->m->vec == 4 && ops[4].kind != PTX_OPD_VEC) /* with a depth to compare, the offset is a vector too */
		return arena_printf(c->P->arena, "Vector expected for argument 5");
	for (uint32_t i = 2; i < 4; i++)
		if (ops[i].kind != PTX_OPD_VEC && (ops[i].kind != PTX_OPD_REG || c->P->regs.data[ops[i].reg].vec == 1))
			return arena_printf(c->P->arena, "Vector expected for argument %u", i + 1);
	return NULL;
}

static const char *bounded(struct check *c, const struct ptx_operand *o, uint32_t arg, int64_t lo, int64_t hi)
{
	if (o->kind != PTX_OPD_IMM || (o->imm >= lo && o->imm <= hi))
		return NULL;
	return arena_printf(c->P->arena, "Argument %u of instruction '%s': value '%lld' out of range, expected to be in range [%lld..%lld]",
			    arg, c->op, (long long)o->imm, (long long)lo, (long long)hi);
}

/* Which byte of a scale and which lanes hold it: by the number of scales. */
static const char *check_scales(struct check *c, const struct ptx_operand *ops, uint32_t n)
{
	uint32_t size = c->m->mod[PTX_MOD_svec], kind = c->m->mod[PTX_MOD_kind];
	bool four = size == PTX_W_scale_vec__4X, two = size == PTX_W_scale_vec__2X || kind == PTX_W_kind__mxf4;
	for (uint32_t k = n - 3, side = 0; side < 2; k += 2, side++) {
		const struct ptx_operand *v = &ops[k], *e = v->elems;
		if (v->kind != PTX_OPD_VEC)
			continue;
		if (e[0].kind == PTX_OPD_IMM && (e[0].imm < 0 || e[0].imm > 3 || (four && e[0].imm) || (two && e[0].imm & 1)))
			return arena_printf(c->P->arena, "Argument %u of instruction '%s': unexpected value '%lld', expected to be %s", k, c->op,
					    (long long)e[0].imm, four ? "0" : two ? "0 or 2" : "in range [0..3]");
		const char *msg = bounded(c, &e[1], k, 0, side ? 3 : 1);
		if (msg)
			return msg;
	}
	return check_ranges(c, ops, n);
}

/* The stack's alignment. */
static const char *check_alloca(const struct ptx_operand *ops, uint32_t n)
{
	uint64_t v = n > 2 && ops[2].kind == PTX_OPD_IMM ? (uint64_t)ops[2].imm : 1;
	return !v || v & (v - 1) || v > UINT32_MAX
		       ? "Alignment must be a power of two"
		       : NULL;
}

/* a*b + c + 1 takes no negation. */
static const char *check_vmad(struct check *c, const struct ptx_operand *ops, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (c->m->mod[PTX_MOD_po] && ops[i].kind == PTX_OPD_REG && ops[i].neg)
			return "Conflicting use of '.po' modifier with operand negation";
	return NULL;
}

/* A priority is for a fraction of the accesses. */
static const char *check_fraction(struct check *c, const struct ptx_operand *ops, uint32_t n)
{
	double v = 1;
	if (n > 1 && ops[1].kind == PTX_OPD_FIMM)
		memcpy(&v, &ops[1].bits, 8);
	if (v > 0 && v <= 1)
		return NULL;
	return arena_printf(c->P->arena,
			    "Argument 2 of instruction '%s': value '%f' out of range, expected to be in range (0.000000 .. 1.000000]", c->op, v);
}

/* The sparsity selector names threads of a quad: fewer the more metadata an element takes. */
static const char *check_mma_sp(struct check *c, const struct ptx_operand *ops)
{
	uint32_t t = c->m->types[1];
	bool wide = ptx_type_bits(t) >= 16, whole = form_opds[c->row->opd + 1].count == 4;
	return bounded(c, &ops[5], 6, 0, wide ? (whole ? 1 : 3) : (whole ? 0 : 1));
}

/* wgmma: the selector as above; scales are 1 or -1, transposes 0 or 1. */
static const char *check_wgmma(struct check *c, const struct ptx_operand *ops, uint32_t n)
{
	bool sp = c->row->form == PTX_FORM_wgmma_sp;
	const char *msg = sp ? bounded(c, &ops[4], 5, 0, ptx_type_bits(c->m->types[1]) >= 16 ? 1 : 0) : NULL;
	uint32_t first = sp ? 6 : 4;
	if (!msg)
		msg = bounded(c, &ops[first - 1], first - 1, 0, 1);
	for (uint32_t i = first; i < n && !msg; i++) {
		msg = bounded(c, &ops[i], i, i < first + 2 ? -1 : 0, 1);
		if (!msg && i < first + 2 && ops[i].kind == PTX_OPD_IMM && ops[i].imm == 0)
			msg = arena_printf(c->P->arena, "Argument %u of instruction '%s': unexpected value '0', expected to be 1 or -1", i,
					   c->op);
	}
	return msg;
}

/* .ashift shifts an A in tensor memory; the lane mask has a word for every 32 lanes of the CTA pair. */
static const char *check_tcgen05_mma(struct check *c, const struct ptx_operand *ops, uint32_t n)
{
	if (c->m->mod[PTX_MOD_ashift] && ops[1].kind != PTX_OPD_ADDR)
		return arena_printf(c->P->arena, "Illegal modifier '.ashift' for instruction '%s'", c->op);
	for (uint32_t i = 3; i < n; i++)
		if (ops[i].kind == PTX_OPD_VEC && ops[i].n != (c->m->mod[PTX_MOD_cta_grp] == PTX_W_cta_group__2 ? 8 : 4))
			return arena_printf(c->P->arena, "Argument vector size mismatch for instruction '%s'", c->op);
	return form_opds[c->row->opd + n - 1].kind == FO_SRC ? bounded(c, &ops[n - 1], n, 0, 15) : NULL;
}

/* Saturation of floating-point wmma went away in PTX 6.5. */
static const char *check_wmma(struct check *c)
{
	if (!c->m->mod[PTX_MOD_satfinite] || ptx_type_is_int(c->m->types[0]) || c->P->mod->version < 65)
		return NULL;
	return "Instruction ''wmma.mma' with floating point type' with '.satfinite' is not supported from PTX ISA version 6.5";
}

/* Before Volta's independent threads these needed no member mask. */
static const char *check_unsynced(struct check *c)
{
	if (c->m->mod[PTX_MOD_sync] || c->P->mod->target < 70 || c->P->mod->version < 64)
		return NULL;
	return arena_printf(c->P->arena,
			    "Instruction '%s' without '.sync' is not supported on .target sm_70 and higher from PTX ISA version 6.4", c->op);
}

const char *ptx_check_inst(struct check *c, const struct ptx_operand *ops, uint32_t n)
{
	switch (c->row->op) {
	case PTX_OP_ld:
	case PTX_OP_ldu:
		return check_load(c, ops);
	case PTX_OP_st:
		return c->row->form == PTX_FORM_st         ? check_store(c, ops)
		       : c->row->form == PTX_FORM_st_async ? check_vector_width(c, ops)
							   : check_ranges(c, ops, n);
	case PTX_OP_set:
	case PTX_OP_setp:
		return check_comparison(c);
	case PTX_OP_cvt:
		return check_cvt(c);
	case PTX_OP_tex:
		return check_gradient(c, ops, n);
	case PTX_OP_call:
		return ptx_check_call(c, ops, n);
	case PTX_OP_wmma:
		return c->row->form == PTX_FORM_wmma_mma ? check_wmma(c) : NULL;
	case PTX_OP_alloca:
		return check_alloca(ops, n);
	case PTX_OP_vmad:
		return check_vmad(c, ops, n);
	case PTX_OP_prefetchu:
		return ops[0].kind == PTX_OPD_ADDR && ops[0].base == PTX_BASE_SYM && ops[0].sym->space != PTX_SPACE_GLOBAL
			       ? "Non-generic address is not supported as operand for prefetchu instruction"
			       : NULL;
	case PTX_OP_createpolicy:
		return c->row->form == PTX_FORM_createpolicy ? check_fraction(c, ops, n) : NULL;
	case PTX_OP_suld:
	case PTX_OP_sust:
		return ptx_type_bits(c->m->types[0]) * c->m->vec > 128 ? "Vector type too large, exceeds 128 bit limit" : NULL;
	case PTX_OP_mma:
		if (c->row->form == PTX_FORM_mma_block_scale)
			return check_scales(c, ops, n);
		return c->row->form == PTX_FORM_mma_sp ? check_mma_sp(c, ops) : NULL;
	case PTX_OP_wgmma:
		return c->row->form == PTX_FORM_wgmma || c->row->form == PTX_FORM_wgmma_sp ? check_wgmma(c, ops, n) : check_ranges(c, ops, n);
	case PTX_OP_tcgen05:
		return c->row->form == PTX_FORM_tcgen05_mma || c->row->form == PTX_FORM_tcgen05_mma_sp ? check_tcgen05_mma(c, ops, n)
												   : check_ranges(c, ops, n);
	case PTX_OP_shfl:
	case PTX_OP_vote:
		return check_unsynced(c);
	case PTX_OP_mad:
		return c->row->form == PTX_FORM_mad_float && !c->m->mod[PTX_MOD_rnd] && c->P->mod->target >= 20
			       ? "Rounding modifier required for instruction 'mad'"
			       : NULL;
	case PTX_OP_cp:
		return c->row->form == PTX_FORM_cp_async || c->row->form == PTX_FORM_cp_async_ignore ? check_cp_async(c, ops, n)
												       : check_ranges(c, ops, n);
	case PTX_OP_add: /* the frequent ones have nothing to check */
	case PTX_OP_mov:
	case PTX_OP_mul:
	case PTX_OP_fma:
	case PTX_OP_and:
	case PTX_OP_xor:
	case PTX_OP_shl:
	case PTX_OP_shr:
		return NULL;
	default:
		return check_ranges(c, ops, n);
	}
}
