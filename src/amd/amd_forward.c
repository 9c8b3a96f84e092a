/* Copies of VGPRs within a block: what reads a copy reads its source where that still holds the value, and a copy that nobody reads before the
 * register is written again goes. Allocation copies the pieces of a vector that lives on; most of these copies end here.
 *
 * A copy holds for the lanes that EXEC had: a write of EXEC forgets all. Lane-crossing reads (DPP, v_readlane, ...) are left alone: they see
 * lanes that the copy did not write. What lives at the block's end is not known here: all but after s_endpgm.
 *
 * requires: registers, no pseudos.   ensures: no instruction is added; sources do not overlap destinations of several dwords where they
 * did not. */
#include "amd/amd.h"

enum { NVGPRS = AMD_NREGS - AMD_VGPR0 };

struct copies {
	uint16_t of[NVGPRS]; /* the register whose value this one has; itself: none known */
};

static bool is_vgpr(const struct amd_operand *o)
{
	return (o->kind == AMD_OPND_TEMP || o->kind == AMD_OPND_REG) && o->reg >= AMD_VGPR0 && o->reg < AMD_NREGS;
}

static bool is_valu(const struct amd_inst *i)
{
	uint8_t cls = amd_op_info[i->op].cls;
	return cls == AMD_CLS_VALU || cls == AMD_CLS_TRANS || cls == AMD_CLS_VALU64;
}

/* Works on each lane by itself and writes whole registers. */
static bool is_lanewise(const struct amd_inst *i)
{
	switch (i->op) {
	case amd_v_readlane_b32:
	case amd_v_readfirstlane_b32:
	case amd_v_writelane_b32:
	case amd_v_permlane16_b32:
	case amd_v_permlanex16_b32:
	case amd_v_swap_b32:
		return false;
	default:
		return is_valu(i) && i->enc != AMD_ENC_DPP16 && i->enc != AMD_ENC_SDWA && i->enc != AMD_ENC_VOPD && !(i->opsel & 8) &&
		       !strstr(amd_op_info[i->op].name, "permlane") && !strstr(amd_op_info[i->op].name, "wmma");
	}
}

static bool is_copy(const struct amd_inst *i)
{
	const struct amd_operand *o = &i->ops[0];
	return i->op == amd_v_mov_b32 && is_lanewise(i) && i->ndefs == 1 && i->nops == 1 && is_vgpr(o) && !o->neg && !o->abs && !o->sext && !o->sel &&
	       !i->clamp && !i->omod && !i->opsel && i->defs[0].reg >= AMD_VGPR0;
}

static bool writes_exec(const struct amd_inst *i)
{
	if (amd_op_info[i->op].flags & AMDF_EXEC_DEF)
		return true;
	for (uint32_t d = 0; d < i->ndefs; d++)
		if (i->defs[d].reg == AMD_EXEC || i->defs[d].reg == AMD_EXEC + 1)
			return true;
	return false;
}

static bool is_opaque(const struct amd_inst *i)
{
	return i->op == amd_s_swappc_b64 || i->op == amd_s_setpc_b64;
}

static void forget_all(struct copies *c)
{
	for (uint32_t r = 0; r < NVGPRS; r++)
		c->of[r] = (uint16_t)r;
}

static void forget(struct copies *c, uint32_t reg)
{
	c->of[reg] = (uint16_t)reg;
	for (uint32_t r = 0; r < NVGPRS; r++)
		if (c->of[r] == reg)
			c->of[r] = (uint16_t)r;
}

static bool in_wide_def(const struct amd_inst *i, uint32_t reg)
{
	for (uint32_t d = 0; d < i->ndefs; d++) {
		uint32_t first = i->defs[d].reg, n = amd_rc_size(i->defs[d].rc);
		if (n > 1 && first >= AMD_VGPR0 && reg >= first && reg < first + n)
			return true;
	}
	return false;
}

static void rewrite(const struct copies *c, struct amd_inst *i)
{
	bool tied = amd_op_info[i->op].flags & AMDF_TIED;
	for (uint32_t k = 0; k < i->nops; k++) {
		struct amd_operand *o = &i->ops[k];
		if (!is_vgpr(o) || amd_rc_size(o->rc) != 1 || o->late_kill || (tied && i->ndefs && o->reg == i->defs[0].reg))
			continue;
		uint32_t from = c->of[o->reg - AMD_VGPR0] + AMD_VGPR0;
		if (from != o->reg && !in_wide_def(i, from)) {
			o->reg = (uint16_t)from;
			o->kind = AMD_OPND_REG;
			o->fixed = true;
		}
	}
}

static bool forward(struct amd_block *b)
{
	struct copies c;
	bool any = false;
	forget_all(&c);
	for (uint32_t n = 0; n < b->insts.len; n++) {
		struct amd_inst *i = b->insts.data[n];
		if (any && is_lanewise(i))
			rewrite(&c, i);
		uint32_t source = is_copy(i) ? i->ops[0].reg - AMD_VGPR0 : NVGPRS;
		for (uint32_t d = 0; any && d < i->ndefs; d++)
			for (uint32_t r = 0; r < amd_rc_size(i->defs[d].rc); r++)
				if (i->defs[d].reg + r >= AMD_VGPR0 && i->defs[d].reg + r < AMD_NREGS)
					forget(&c, i->defs[d].reg + r - AMD_VGPR0);
		if (any && (writes_exec(i) || is_opaque(i)))
			forget_all(&c);
		if (source < NVGPRS && source + AMD_VGPR0 != i->defs[0].reg) {
			c.of[i->defs[0].reg - AMD_VGPR0] = c.of[source];
			any = true;
		}
	}
	return any;
}

/* --- copies that nobody reads --- */

struct unread {
	bitword over[NVGPRS / 64 + 1]; /* written again under the same EXEC before it is read */
	bitword never[NVGPRS / 64 + 1]; /* not read until the program ends */
};

static void mark(struct unread *u, uint32_t first, uint32_t n, bool read)
{
	for (uint32_t r = first; r < first + n; r++) {
		if (r < AMD_VGPR0 || r >= AMD_NREGS)
			continue;
		if (read) {
			bitset_del(u->over, r - AMD_VGPR0);
			bitset_del(u->never, r - AMD_VGPR0);
		} else {
			bitset_add(u->over, r - AMD_VGPR0);
		}
	}
}

static void remove_unread(struct amd_block *b)
{
	struct unread u;
	uint32_t at = b->insts.len;
	memset(&u, 0, sizeof u);
	for (uint32_t n = b->insts.len; n-- > 0;) {
		struct amd_inst *i = b->insts.data[n];
		uint32_t d0 = i->ndefs ? i->defs[0].reg - AMD_VGPR0 : 0;
		if (is_copy(i) && (bitset_has(u.over, d0) || bitset_has(u.never, d0)))
			continue;
		b->insts.data[--at] = i;
		if (i->op == amd_s_endpgm)
			memset(u.never, 0xff, sizeof u.never);
		if (is_opaque(i))
			memset(&u, 0, sizeof u);
		if (writes_exec(i))
			memset(u.over, 0, sizeof u.over);
		for (uint32_t d = 0; is_lanewise(i) && d < i->ndefs; d++)
			mark(&u, i->defs[d].reg, amd_rc_size(i->defs[d].rc), false);
		for (uint32_t k = 0; k < i->nops; k++)
			if (is_vgpr(&i->ops[k]))
				mark(&u, i->ops[k].reg, amd_rc_size(i->ops[k].rc), true);
	}
	memmove(b->insts.data, b->insts.data + at, (b->insts.len - at) * sizeof *b->insts.data);
	b->insts.len -= at;
}

void amd_forward(struct amd_func *f)
{
	for (uint32_t k = 0; k < f->blocks.len; k++)
		if (forward(f->blocks.data[k]))
			remove_unread(f->blocks.data[k]);
}
