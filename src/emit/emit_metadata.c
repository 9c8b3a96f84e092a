/* The NT_AMDGPU_METADATA note: a msgpack map, keys in alphabetical order as LLVM writes them. Source: LLVM, User Guide for AMDGPU
 * Backend, "Code Object V5 Metadata"; msgpack specification. */
#include "emit/emit_internal.h"

static void put(struct emit_buf *b, uint32_t v)
{
	vec_push(b->arena, &b->bytes, (uint8_t)v);
}

static void put_be(struct emit_buf *b, uint8_t tag, uint64_t v, int bytes)
{
	put(b, tag);
	while (bytes--)
		put(b, (uint8_t)(v >> 8 * bytes));
}

static void put_uint(struct emit_buf *b, uint64_t v)
{
	if (v < 128)
		put(b, (uint32_t)v);
	else if (v < 256)
		put_be(b, 0xcc, v, 1);
	else if (v < 65536)
		put_be(b, 0xcd, v, 2);
	else
		put_be(b, 0xce, v, 4);
}

static void put_str(struct emit_buf *b, const char *s)
{
	size_t n = strlen(s);
	if (n < 32)
		put(b, 0xa0 | (uint32_t)n);
	else if (n < 256)
		put_be(b, 0xd9, n, 1);
	else
		put_be(b, 0xda, n, 2);
	for (; *s; s++)
		put(b, (uint8_t)*s);
}

static void put_count(struct emit_buf *b, uint32_t small, uint32_t big, uint32_t n)
{
	if (n < 16)
		put(b, small | n);
	else
		put_be(b, (uint8_t)big, n, 2);
}

static void put_array(struct emit_buf *b, uint32_t n)
{
	put_count(b, 0x90, 0xdc, n);
}

static void put_map(struct emit_buf *b, uint32_t n)
{
	put_count(b, 0x80, 0xde, n);
}

static void put_field(struct emit_buf *b, const char *key, uint64_t v)
{
	put_str(b, key);
	put_uint(b, v);
}

static void put_text(struct emit_buf *b, const char *key, const char *v)
{
	put_str(b, key);
	put_str(b, v);
}

static const struct {
	const char *kind;
	uint8_t size;
} hidden[] = {
#define AMD_HIDDEN(name, offset, size) {"hidden_" #name, size},
#include "amd/amd_hidden.def"
#undef AMD_HIDDEN
};

static void put_args(struct emit_buf *b, const struct amd_func *f, const struct ir_func *irf)
{
	uint32_t n = irf ? irf->nparams : 0;
	put_str(b, ".args");
	put_array(b, n + (uint32_t)__builtin_popcount(f->abi.hidden_mask));
	for (uint32_t k = 0; k < n; k++) {
		const struct ir_param *p = &irf->params[k];
		bool global = p->is_pointer && p->size == 8 && p->pointee_space != IR_SHARED;
		put_map(b, global ? 4 : 3);
		if (global)
			put_text(b, ".address_space", "global");
		put_field(b, ".offset", p->offset);
		put_field(b, ".size", p->size);
		put_text(b, ".value_kind", global ? "global_buffer" : "by_value");
	}
	for (uint32_t h = 0; h < AMD_HIDDEN_COUNT; h++) {
		if (!(f->abi.hidden_mask >> h & 1))
			continue;
		put_map(b, 3);
		put_field(b, ".offset", amd_hidden_offset((enum amd_hidden)h, f->abi.kernarg_bytes));
		put_field(b, ".size", hidden[h].size);
		put_text(b, ".value_kind", hidden[h].kind);
	}
}

static void put_kernel(struct emit_buf *b, const struct amd_func *f, const struct ir_func *irf, const struct emit_resources *r)
{
	const struct amd_abi *a = &f->abi;
	bool reqd = a->reqd_workgroup_size[0] != 0;
	put_map(b, 16u + reqd + (a->max_dynamic != 0));
	put_args(b, f, irf);
	put_field(b, ".group_segment_fixed_size", a->lds_bytes);
	put_field(b, ".kernarg_segment_align", 8);
	put_field(b, ".kernarg_segment_size", emit_kernarg_size(f));
	put_field(b, ".max_flat_workgroup_size", a->max_flat_workgroup_size ? a->max_flat_workgroup_size : 1024);
	put_text(b, ".name", f->name);
	put_field(b, ".private_segment_fixed_size", a->scratch_bytes);
	if (a->max_dynamic) /* ours: dynamic shared memory up to this size is not added to the group segment */
		put_field(b, ".ptx_max_dynamic_shared", a->max_dynamic);
	if (reqd) {
		put_str(b, ".reqd_workgroup_size");
		put_array(b, 3);
		for (int k = 0; k < 3; k++)
			put_uint(b, a->reqd_workgroup_size[k]);
	}
	put_field(b, ".sgpr_count", r->sgprs);
	put_field(b, ".sgpr_spill_count", f->stats.spilled_sgprs);
	put_text(b, ".symbol", arena_printf(b->arena, "%s.kd", f->name));
	put_field(b, ".uniform_work_group_size", 1);
	put_str(b, ".uses_dynamic_stack");
	put(b, a->dynamic_stack ? 0xc3 : 0xc2);
	put_field(b, ".vgpr_count", r->vgprs);
	put_field(b, ".vgpr_spill_count", f->stats.spilled_vgprs);
	put_field(b, ".wavefront_size", f->target->wave_size);
	put_field(b, ".workgroup_processor_mode", 1);
}

void emit_metadata(struct emit_buf *b, const struct emit_module *m, const struct emit_resources *r)
{
	uint32_t kernels = 0;
	for (uint32_t k = 0; k < m->funcs.len; k++)
		kernels += m->funcs.data[k]->is_kernel;
	put_map(b, 3);
	put_str(b, "amdhsa.kernels");
	put_array(b, kernels);
	for (uint32_t k = 0; k < m->funcs.len; k++)
		if (m->funcs.data[k]->is_kernel)
			put_kernel(b, m->funcs.data[k], k < m->ir_funcs.len ? m->ir_funcs.data[k] : NULL, &r[k]);
	put_text(b, "amdhsa.target", arena_printf(b->arena, "amdgcn-amd-amdhsa--%s", m->target->name));
	put_str(b, "amdhsa.version");
	put_array(b, 2);
	put_uint(b, 1);
	put_uint(b, 2);
}
