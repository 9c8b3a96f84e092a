/* PTX text to a resolved tree (ptx_ast.h). Never fails silently: on any error the diagnostics say so and the module
 * is returned for inspection only (NULL when not even .version, .target could be read). Any bytes are accepted as
 * input; nothing of `text` is kept after the return. */
#ifndef PARSER_PTX_PARSE_H
#define PARSER_PTX_PARSE_H

#include "base/arena.h"
#include "base/diag.h"
#include "parser/ptx_ast.h"

struct ptx_parse_opts {
	uint32_t max_target; /* refuse modules that cannot be compiled for this sm (90: sm_90); 0: take any that is known */
	char max_suffix;     /* and its suffix: 'a', 'f' or 0 */
};

struct ptx_module *ptx_parse(struct arena *a, struct diags *d, const char *text, size_t n,
			     const struct ptx_parse_opts *opts);

/* "sm_90a": 90 and 'a'; false where there is no such architecture. */
bool ptx_arch_known(const char *name, uint32_t *sm, char *suffix);

#endif
