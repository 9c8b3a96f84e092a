/* Static code of single operations beside clang's: each row of operations.def as a kernel that loads its operands by thread, computes and stores.
 * clang's numbers are in operations.tsv, made by operations.sh, so that they need no clang here. */
#include "bench.h"

#include <stdlib.h>

#include "ptx.h"

static const struct operation {
	const char *name, *result, *operand;
	int n;
	const char *ptx, *llvm;
} operations[] = {
#define OPERATION(name, result, operand, n, ptx, llvm) {name, result, operand, n, ptx, llvm},
#include "operations.def"
#undef OPERATION
};
enum { NOPERATIONS = sizeof operations / sizeof *operations };

static int bits_of(const char *type)
{
	static const struct { const char *name; int bits; } types[] = {
		{"float", 32}, {"double", 64}, {"half", 16}, {"bfloat", 16}, {"i16", 16}, {"i32", 32}, {"i64", 64}};
	for (size_t k = 0; k < sizeof types / sizeof *types; k++)
		if (!strcmp(types[k].name, type))
			return types[k].bits;
	return 0;
}

/* The kernel in LLVM IR, for operations.sh. */
static void print_ll(const struct operation *o)
{
	const char *t = o->operand, *r = o->result;
	printf("define amdgpu_kernel void @k(ptr addrspace(1) noalias %%a, ptr addrspace(1) noalias %%b, ptr addrspace(1) noalias %%d) \"amdgpu-flat-work-group-size\"=\"1,1024\" {\n"
	       "%%i = call i32 @llvm.amdgcn.workitem.id.x()\n%%pa = getelementptr %s, ptr addrspace(1) %%a, i32 %%i\n%%x = load %s, ptr addrspace(1) %%pa\n", t, t);
	if (o->n == 2)
		printf("%%pb = getelementptr %s, ptr addrspace(1) %%b, i32 %%i\n%%y = load %s, ptr addrspace(1) %%pb\n", t, t);
	for (const char *p = o->llvm; *p; p++) {
		if (!strncmp(p, " !cr", 4))
			p += 3;
		else if (!strncmp(p, " !25", 4))
			printf(", !fpmath !0"), p += 3;
		else if (!strncmp(p, " !30", 4))
			printf(", !fpmath !1"), p += 3;
		else
			putchar(*p);
	}
	printf("\n%%pd = getelementptr %s, ptr addrspace(1) %%d, i32 %%i\nstore %s %%r, ptr addrspace(1) %%pd\nret void\n}\n", r, r);
	printf("declare i32 @llvm.amdgcn.workitem.id.x()\n!0 = !{float 2.5}\n!1 = !{float 3.0}\n");
}

bool operations_ll(const char *index)
{
	int n = index ? atoi(index) : -1;
	if (n < 0)
		printf("%d\n", NOPERATIONS);
	else if (n < NOPERATIONS)
		print_ll(&operations[n]);
	return n < NOPERATIONS;
}

static char *kernel(struct arena *a, const struct operation *o)
{
	int w = bits_of(o->operand), r = bits_of(o->result);
	const char *second = o->n < 2 ? "" : arena_printf(a, "ld.param.b64 p, [pb]; add.u64 p, p, o; ld.global.b%d b, [p];\n", w);
	return arena_printf(a, ".version 8.6\n.target sm_90\n.address_size 64\n"
		".visible .entry k(.param .b64 pa, .param .b64 pb, .param .b64 pd)\n{\n.reg .b%d a, b; .reg .b%d d; .reg .b64 p, o; .reg .b32 i;\n"
		"mov.u32 i, %%tid.x; mul.wide.u32 o, i, %d; ld.param.b64 p, [pa]; add.u64 p, p, o; ld.global.b%d a, [p];\n%s%s;\n"
		"mul.wide.u32 o, i, %d; ld.param.b64 p, [pd]; add.u64 p, p, o; st.global.b%d [p], d;\nret;\n}\n",
		w, r, w / 8, w, second, o->ptx, r / 8, r);
}

/* Instructions of assembly text; waits, scheduling hints and the end are not work. operations.sh counts clang's the same way. */
static unsigned count(const char *text)
{
	static const char *const skipped[] = {"s_waitcnt", "s_delay_alu", "s_nop", "s_clause", "s_endpgm", "s_code_end", "s_sendmsg"};
	static const char *const prefixes[] = {"s_", "v_", "global_", "ds_", "buffer_", "flat_", "scratch_"};
	unsigned n = 0;
	for (const char *p = text; p; p = strchr(p, '\n')) {
		while (*p == '\n' || *p == '\t' || *p == ' ')
			p++;
		bool is = false, skip = false;
		for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
			is |= !strncmp(p, prefixes[k], strlen(prefixes[k]));
		for (size_t k = 0; k < sizeof skipped / sizeof *skipped; k++)
			skip |= !strncmp(p, skipped[k], strlen(skipped[k]));
		n += is && !skip;
	}
	return n;
}

struct cost {
	unsigned insts, vgprs;
};

static struct cost ours(struct arena *a, struct ptx_context *ctx, const struct operation *o, int chip)
{
	struct ptx_options opt = {.gpu = chip_name[chip], .assembly = 1};
	const struct ptx_output *out;
	const char *text = kernel(a, o);
	if (ptx_compile(ctx, &opt, text, strlen(text), &out) != PTX_OK)
		return (struct cost){0, 0};
	return (struct cost){count(out->assembly), out->kernels[0].vgprs};
}

/* operations.tsv: name, then instructions and VGPRs for each chip. */
static bool theirs(const char *tsv, const char *name, struct cost c[CHIPS])
{
	size_t n = strlen(name);
	for (const char *p = tsv; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
		if (!strncmp(p, name, n) && p[n] == '\t')
			return sscanf(p + n, "%u %u %u %u", &c[0].insts, &c[0].vgprs, &c[1].insts, &c[1].vgprs) == 4;
	return false;
}

void write_operations(FILE *f, struct arena *a)
{
	size_t n;
	const char *tsv = read_file(a, "bench/operations.tsv", &n);
	struct ptx_context *ctx = ptx_context_new();
	fprintf(f, "\n## Single operations\n\nInstructions of a kernel that loads operands, computes and stores, and its VGPRs: ours / clang-22's -O3 (bench/operations.def "
	           "has the LLVM IR,\nbench/operations.sh made clang's numbers). Waits and scheduling hints are not counted. Ours give NVIDIA's bits: an f32 result takes one "
	           "instruction\nmore, for NaN; bench/operations.def says what else differs.\n\n"
	           "| operation | gfx1030 instructions | VGPRs | gfx1100 instructions | VGPRs | |\n| --- | --- | --- | --- | --- | --- |\n");
	for (int k = 0; k < NOPERATIONS; k++) {
		struct cost c[CHIPS] = {{0, 0}};
		bool known = tsv && theirs(tsv, operations[k].name, c), more = false;
		fprintf(f, "| %s |", operations[k].name);
		for (int chip = 0; chip < CHIPS; chip++) {
			struct cost o = ours(a, ctx, &operations[k], chip);
			if (known)
				fprintf(f, " %u / %u | %u / %u |", o.insts, c[chip].insts, o.vgprs, c[chip].vgprs);
			else
				fprintf(f, " %u / - | %u / - |", o.insts, o.vgprs);
			more |= known && o.insts > c[chip].insts;
		}
		fprintf(f, " %s |\n", more ? "more" : "");
	}
	ptx_context_free(ctx);
}
