#include "emit/emit_internal.h"

/* 16-bit operands of gfx11 in the syntax and layout where a register is the low half (the short encodings then reach v0-v127). */
const char *emit_features(const struct amd_target *t)
{
	return t->gen >= 11 ? "-real-true16" : "";
}

struct emitter *emit_new(struct arena *a, const struct amd_target *t)
{
	struct emitter *e = NEW(a, struct emitter);
	e->target = t;
	e->mc = mc_encoder_new(t->name, emit_features(t));
	return e->mc ? e : NULL;
}

void emit_free(struct emitter *e)
{
	if (e)
		mc_encoder_free(e->mc);
}
