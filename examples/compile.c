/* Compiles a PTX string for gfx1030 and gfx1100 and lists the kernels of each code object. Link with -lptx. */
#include <stdio.h>
#include <string.h>

#include "ptx.h"

static const char text[] =
	".version 7.0\n"
	".target sm_75\n"
	".address_size 64\n"
	".visible .entry twice(.param .u64 p, .param .u32 n)\n"
	"{\n"
	"	.reg .pred %q;\n"
	"	.reg .b32 %r<5>;\n"
	"	.reg .b64 %a<3>;\n"
	"	ld.param.u64 %a0, [p];\n"
	"	ld.param.u32 %r0, [n];\n"
	"	mov.u32 %r1, %tid.x;\n"
	"	setp.ge.u32 %q, %r1, %r0;\n"
	"	@%q ret;\n"
	"	mul.wide.u32 %a1, %r1, 4;\n"
	"	add.u64 %a2, %a0, %a1;\n"
	"	ld.global.u32 %r2, [%a2];\n"
	"	shl.b32 %r3, %r2, 1;\n"
	"	st.global.u32 [%a2], %r3;\n"
	"	ret;\n"
	"}\n";

int main(void)
{
	static const char *const gpus[] = {"gfx1030", "gfx1100"};
	struct ptx_context *ctx = ptx_context_new();
	if (!ctx)
		return 1;
	for (unsigned g = 0; g < 2; g++) {
		struct ptx_options opt = {.gpu = gpus[g]};
		const struct ptx_output *out;
		enum ptx_status status = ptx_compile(ctx, &opt, text, strlen(text), &out);
		for (uint32_t k = 0; k < out->ndiagnostics; k++)
			fprintf(stderr, "line %u: %s\n", out->diagnostics[k].line, out->diagnostics[k].text);
		if (status != PTX_OK)
			return 1;
		printf("%s: code object of %zu bytes\n", gpus[g], out->object_size);
		for (uint32_t k = 0; k < out->nkernels; k++)
			printf("  %s: %u VGPRs, %u SGPRs, %u bytes of code\n", out->kernels[k].name, out->kernels[k].vgprs,
			       out->kernels[k].sgprs, out->kernels[k].code_bytes);
	}
	ptx_context_free(ctx);
	return 0;
}
