#include "product.h"

const void *product_compile(struct arena *a, const char *path, const char *ptx, size_t size, const struct ptx_options *opt,
                            size_t *elf_size, FILE *f)
{
	struct ptx_context *ctx = ptx_context_new();
	const struct ptx_output *out;
	void *elf = NULL;
	if (!ctx) {
		fprintf(f, "  out of memory\n");
		return NULL;
	}
	enum ptx_status st = ptx_compile(ctx, opt, ptx, size, &out);
	for (uint32_t i = 0; i < out->ndiagnostics && (st != PTX_OK || opt->check); i++)
		fprintf(f, "  %s:%u: %s\n", path, out->diagnostics[i].line, out->diagnostics[i].text);
	if (st == PTX_OK && out->object) {
		elf = arena_alloc(a, out->object_size);
		memcpy(elf, out->object, out->object_size);
		*elf_size = out->object_size;
	} else {
		fprintf(f, "  %s does not compile (status %d)\n", path, st);
	}
	ptx_context_free(ctx);
	return elf;
}
