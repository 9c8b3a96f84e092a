/* The passes in the order in which they run, and their running. */
#ifndef API_PASSES_H
#define API_PASSES_H

#include "amd/amd.h"
#include "emit/emit.h"
#include "ir/ir.h"
#include "ptx.h"

struct pass_run {
	struct arena *arena;
	const struct ptx_options *opt;
	const struct amd_target *target;
	int level;
	bool stopped;     /* stop_after was reached */
};

/* All IR passes over the module; false where it stopped or a diagnostic was added. */
bool passes_ir(struct pass_run *r, struct ir_module *m);
/* Selection and all machine passes of one kernel; NULL where it stopped or a diagnostic was added. */
struct amd_func *passes_machine(struct pass_run *r, struct ir_func *f);

bool passes_known(const char *name);
bool passes_optional(const char *name); /* may be left out */
bool passes_dumped(const struct pass_run *r, const char *name);

#endif
