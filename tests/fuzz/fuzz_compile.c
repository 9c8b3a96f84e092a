/* libFuzzer: the whole compiler with all its checks, both chips. An internal error is a finding. */
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ptx_context *ctx;
	if (!ctx && !(ctx = ptx_context_new()))
		abort();
	for (int k = 0; k < 2; k++) {
		struct ptx_options opt = {.gpu = k ? "gfx1030" : "gfx1100", .check = 1};
		const struct ptx_output *out;
		if (ptx_compile(ctx, &opt, (const char *)data, size, &out) == PTX_ERROR_INTERNAL)
			abort();
	}
	return 0;
}
