/* Static code of single operations beside clang's: each row of operations.def as a kernel that loads its operands by thread, computes and stores.
 * clang's numbers are in operations.tsv, made by operations.sh, so that they need no clang here. */
#include "bench.h"

#include <stdlib.h>

#include "ptx.h"

static const struct operation operations[] = {
#define OPERATION(name, result, operand, n, ptx, llvm) {name, result, operand, n, ptx, llvm, false},
#define OPERATION2(name, result, operand, n, ptx, llvm) {name, result, operand, n, ptx, llvm, false}, {name ", uniform", result, operand, n, ptx, llvm, true},
#include "operations.def"
#undef OPERATION
#undef OPERATION2
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

/* The type of operand k: all have the one that is named, or each has its own in a list. */
static const char *operand_type(struct arena *a, const struct operation *o, int k)
{
	const char *p = o->operand, *comma;
	while (k-- && (comma = strchr(p, ',')))
		p = comma + 1;
	return arena_printf(a, "%.*s", (int)strcspn(p, ","), p);
}

const struct operation *operation_find(const char *name)
{
	for (int k = 0; k < NOPERATIONS; k++)
		if (!strcmp(operations[k].name, name))
			return &operations[k];
	return NULL;
}

int operation_bits(struct arena *a, const struct operation *o, int k)
{
	return bits_of(k < 0 ? o->result : operand_type(a, o, k));
}

/* A NaN made NVIDIA's: as an integer, as which NaN a float is does not matter to LLVM. */
static void put_nan(const struct operation *o)
{
	int bits = bits_of(o->result);
	printf("\n%%is.nan = fcmp uno %s %%r, 0.0\n%%bits = bitcast %s %%r to i%d\n%%same = select i1 %%is.nan, i%d %d, i%d %%bits", o->result, o->result, bits, bits,
	       bits == 16 ? 0x7fff : 0x7fffffff, bits);
}

/* The kernel in LLVM IR, for the scripts. */
void operation_ll(struct arena *a, const struct operation *o, const char *llvm, bool nan)
{
	printf("define amdgpu_kernel void @k(ptr addrspace(1) noalias %%in.a, ptr addrspace(1) noalias %%in.b, ptr addrspace(1) noalias %%in.c, ptr addrspace(1) noalias %%in.d) "
	       "\"amdgpu-flat-work-group-size\"=\"1,1024\"%s {\n%%i = %s\n", strstr(o->name, ".ftz") ? " \"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\"" : "",
	       o->uniform ? "add i32 0, 0" : "call i32 @llvm.amdgcn.workitem.id.x()");
	for (int k = 0; k < o->n; k++) {
		const char *t = operand_type(a, o, k);
		printf("%%at.%c = getelementptr %s, ptr addrspace(1) %%in.%c, i32 %%i\n%%%c = load %s, ptr addrspace(1) %%at.%c\n", 'a' + k, t, 'a' + k, 'x' + k, t, 'a' + k);
	}
	for (const char *p = llvm ? llvm : o->llvm; *p; p++) {
		if (!strncmp(p, " !cr", 4))
			p += 3;
		else if (!strncmp(p, " !25", 4))
			printf(", !fpmath !0"), p += 3;
		else if (!strncmp(p, " !30", 4))
			printf(", !fpmath !1"), p += 3;
		else
			putchar(*p);
	}
	if (nan)
		put_nan(o);
	printf("\n%%at.d = getelementptr %s, ptr addrspace(1) %%in.d, i32 %%i\nstore %s, ptr addrspace(1) %%at.d\nret void\n}\n", o->result,
	       !nan ? arena_printf(a, "%s %%r", o->result) : bits_of(o->result) == 16 ? "i16 %same" : "i32 %same");
	printf("declare i32 @llvm.amdgcn.workitem.id.x()\n!0 = !{float 2.5}\n!1 = !{float 3.0}\n");
}

static const char *address(struct arena *a, const struct operation *o, char name, int bits)
{
	if (o->uniform)
		return arena_printf(a, "ld.param.b64 p, [p%c];\n", name);
	return arena_printf(a, "mul.wide.u32 o, i, %d; ld.param.b64 p, [p%c]; add.u64 p, p, o;\n", bits / 8, name);
}

char *operation_ptx(struct arena *a, const struct operation *o)
{
	int r = bits_of(o->result);
	char *text = arena_printf(a, ".version 8.6\n.target sm_90\n.address_size 64\n"
		".visible .entry k(.param .b64 pa, .param .b64 pb, .param .b64 pc, .param .b64 pd)\n{\n.reg .b64 p, o; .reg .b32 i, t<9>; .reg .b64 u<9>; .reg .pred q<4>;\n"
		".reg .b16 h<9>; .reg .b%d d; mov.u32 i, %%tid.x;\n", r);
	for (int k = 0; k < o->n; k++) {
		int w = bits_of(operand_type(a, o, k));
		text = arena_printf(a, "%s.reg .b%d %c; %sld.global.b%d %c, [p];\n", text, w, 'a' + k, address(a, o, (char)('a' + k), w), w, 'a' + k);
	}
	return arena_printf(a, "%s%s;\n%sst.global.b%d [p], d;\nret;\n}\n", text, o->ptx, address(a, o, 'd', r), r);
}

bool operations_text(const char *language, const char *index)
{
	struct arena a;
	int n = index ? atoi(index) : -1;
	arena_init(&a, NULL);
	if (n < 0)
		for (n = 0; n < NOPERATIONS; n++)
			printf("%s\n", operations[n].name);
	else if (n < NOPERATIONS && !strcmp(language, "--ll"))
		operation_ll(&a, &operations[n], NULL, false);
	else if (n < NOPERATIONS)
		printf("%s", operation_ptx(&a, &operations[n]));
	arena_free(&a);
	return n <= NOPERATIONS;
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
	const char *text = operation_ptx(a, o);
	if (ptx_compile(ctx, &opt, text, strlen(text), &out) != PTX_OK) {
		fprintf(stderr, "bench/operations.def: %s does not compile for %s\n", o->name, chip_name[chip]);
		return (struct cost){0, 0};
	}
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
	const char *tsv = read_file(a, "bench/operations.tsv", &n), *same = read_file(a, "bench/same_bits.tsv", &n);
	struct ptx_context *ctx = ptx_context_new();
	fprintf(f, "\n## Single operations\n\nInstructions of a kernel that loads operands, computes and stores, and its VGPRs: ours / clang-22's -O3 (bench/operations.def "
	           "has the LLVM IR,\nbench/operations.sh made clang's numbers). Waits and scheduling hints are not counted.\n\nOurs give NVIDIA's bits, clang's do not "
	           "always: \"same bits\" is what clang takes to give them too, on gfx1030 / gfx1100, \"differs at\" an input\nwhere its code as it is gives "
	           "others (bench/same_bits.def; found by running both, bench/same_bits.sh).\n\n"
	           "| operation | gfx1030 instructions | VGPRs | gfx1100 instructions | VGPRs | | same bits | differs at |\n"
	           "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
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
		fprintf(f, " %s |", more ? "more" : "");
		same_bits_columns(f, same, operations[k].name);
	}
	ptx_context_free(ctx);
}
