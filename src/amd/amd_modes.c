/* The MODE register: rounding and denormals of f32 and of f16/f64, which PTX states per instruction.
 *
 * An instruction with fp_f32 needs the f32 fields, one with fp_f64 those of f16 and f64: rounding `rnd`, denormals flushed where
 * `ftz`: of operands by the lower bit of a field, of results by the upper one, which is free with `may_leave` and where no result is denormal, and
 * set with `leave`. One with both is a conversion: `ftz` is then about its f32 side alone. What most instructions of a kernel need (weighed
 * by loop depth) is its default, set by its descriptor (abi.float_mode); elsewhere s_round_mode and s_denorm_mode are inserted, where
 * the value is not known to be right already by forward dataflow over the wave graph. A loop that starts in need of another mode gets
 * the switch in front of it. Across calls and returns, and at the entry of a function that is called, MODE is AMD_MODE_ABI.
 *
 * requires: registers, no pseudos.   ensures: MODE is right at each instruction on each path; abi.float_mode.
 * Source: RDNA2 and RDNA3 ISA manuals, MODE register. */
#include "amd/amd.h"
#include "ir/ir.h"

/* Fields of the byte: round f32, round f16/f64, denormals f32, denormals f16/f64, two bits each. */
enum { ROUND = 0x0f, DENORM = 0xf0, DENORM_OUT = 0xa0, F32 = 0x33, F64 = 0xcc, AMD_MODE_ABI = 0xf0 };

struct mode {
	uint8_t mask, val; /* fields that are needed, or known */
};
struct state {
	struct mode in, at_end; /* at_end: needed by the loop that follows */
	bool reached;
};
struct modes {
	struct amd_func *f;
	struct state *s; /* by block */
};

static bool crosses_functions(const struct amd_inst *i)
{
	return i->op == amd_s_swappc_b64 || i->op == amd_s_setpc_b64;
}

static bool has_prefix(uint32_t op, const char *const *list, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (!strncmp(amd_op_info[op].name, list[k], strlen(list[k])))
			return true;
	return false;
}

/* The result needs no rounding whatever the mode says. */
static bool is_exact(uint32_t op)
{
	static const char *const exact[] = {"v_cmp", "v_min", "v_max", "v_med3", "v_trunc", "v_ceil", "v_floor", "v_rndne", "v_frexp",
		"v_cvt_f32_f16", "v_cvt_f64_", "v_cvt_i", "v_cvt_u", "v_cvt_f32_ubyte", "v_pk_min", "v_pk_max", "v_cvt_pkrtz"};
	return has_prefix(op, exact, sizeof exact / sizeof *exact);
}

/* The result is no denormal once the operands are flushed; transcendental functions of f32 flush it whatever the mode says. */
static bool flushes_anyway(const struct amd_inst *i)
{
	static const char *const picks[] = {"v_cmp", "v_min", "v_max", "v_med3", "v_pk_min", "v_pk_max"};
	return (amd_op_info[i->op].cls == AMD_CLS_TRANS && i->fp_f32) || has_prefix(i->op, picks, sizeof picks / sizeof *picks);
}

static struct mode needs(const struct amd_inst *i)
{
	static const uint8_t round[] = {[IR_RN] = 0, [IR_RP] = 1, [IR_RM] = 2, [IR_RZ] = 3};
	struct mode m = {0, 0};
	if (crosses_functions(i))
		return (struct mode){0xff, AMD_MODE_ABI};
	uint8_t fields = (uint8_t)((i->fp_f32 ? F32 : 0) | (i->fp_f64 ? F64 : 0));
	if (!fields)
		return m;
	m.mask = fields & DENORM;
	m.val = i->ftz ? 0 : fields & DENORM;
	if (i->fp_f32 && i->fp_f64)
		m.val |= F64 & DENORM;
	else if (i->ftz && i->leave)
		m.val |= fields & DENORM_OUT;
	else if (i->ftz && (i->may_leave || flushes_anyway(i)))
		m.mask &= (uint8_t)~DENORM_OUT;
	if (i->rnd < sizeof round && !is_exact(i->op)) {
		m.mask |= fields & ROUND;
		m.val |= (uint8_t)(round[i->rnd] * 5) & fields & ROUND;
	}
	return m;
}

/* Fields of rounding in which a and b differ, both bits set; bits of denormals. */
static uint8_t differing(uint8_t a, uint8_t b)
{
	uint8_t d = a ^ b;
	return (uint8_t)((((d | d << 1) & 0xaa) | ((d | d >> 1) & 0x55)) & ROUND) | (d & DENORM);
}

static bool wrong(struct mode need, struct mode known, uint8_t nibble)
{
	uint8_t m = need.mask & nibble;
	return (m & ~known.mask) || (m & differing(need.val, known.val));
}

static void take(struct mode *m, struct mode n)
{
	uint8_t fresh = n.mask & (uint8_t)~m->mask;
	m->val |= n.val & fresh;
	m->mask |= fresh;
}

/* --- the default --- */
static void vote(uint64_t votes[4][4], uint64_t all[4], struct mode m, uint64_t weight)
{
	for (int fld = 0; fld < 4; fld++) {
		int mask = m.mask >> 2 * fld & 3, val = m.val >> 2 * fld & 3;
		for (int v = 0; v < 4; v++)
			votes[fld][v] += mask && (v & mask) == (val & mask) ? weight : 0;
		all[fld] += mask ? weight : 0;
	}
}

static uint8_t majority(const struct amd_func *f, bool *uniform)
{
	uint64_t votes[4][4] = {{0}}, all[4] = {0};
	uint8_t mode = AMD_MODE_ABI;
	*uniform = true;
	for (uint32_t b = 0; b < f->blocks.len; b++) {
		const struct amd_block *blk = f->blocks.data[b];
		uint64_t weight = 1ull << 3 * (blk->loop_depth > 8 ? 8 : blk->loop_depth);
		for (uint32_t k = 0; k < blk->insts.len; k++) {
			struct mode m = needs(blk->insts.data[k]);
			if (crosses_functions(blk->insts.data[k]))
				*uniform = false;
			else
				vote(votes, all, m, weight);
		}
	}
	for (int fld = 0; fld < 4; fld++) {
		int best = AMD_MODE_ABI >> 2 * fld & 3;
		for (int v = 0; v < 4; v++)
			if (votes[fld][v] > votes[fld][best])
				best = v;
		*uniform &= votes[fld][best] == all[fld];
		mode = (uint8_t)((mode & ~(3 << 2 * fld)) | best << 2 * fld);
	}
	return mode;
}

/* --- switches --- */
static void put_switch(struct modes *m, struct amd_block *out, uint8_t nibble, uint8_t val, uint32_t line)
{
	struct amd_inst *i = amd_inst_new(m->f, nibble == ROUND ? amd_s_round_mode : amd_s_denorm_mode, 0, 0);
	i->enc = AMD_ENC_SOPP;
	i->imm = nibble == ROUND ? val & 15 : val >> 4;
	i->line = line;
	amd_append(m->f, out, i);
}

/* Makes `need` true; what else the switched half holds is what comes next in b after `from`, or stays. */
static void provide(struct modes *m, struct amd_block *out, const struct amd_block *b, uint32_t from, struct mode need,
                    struct mode *known, uint32_t line)
{
	for (uint8_t nibble = ROUND; nibble; nibble = nibble == ROUND ? DENORM : 0) {
		if (!wrong(need, *known, nibble))
			continue;
		struct mode v = {need.mask & nibble, need.val & nibble & need.mask};
		for (uint32_t k = from; k < b->insts.len && k < from + 64 && v.mask != nibble; k++) {
			struct mode n = needs(b->insts.data[k]);
			take(&v, (struct mode){n.mask & nibble, n.val & nibble});
		}
		take(&v, (struct mode){known->mask & nibble, known->val & nibble});
		take(&v, (struct mode){nibble, m->f->abi.float_mode & nibble});
		known->val = (uint8_t)((known->val & ~nibble) | v.val);
		known->mask |= nibble;
		if (out)
			put_switch(m, out, nibble, v.val, line);
	}
}

static bool is_terminator(const struct amd_inst *i)
{
	return amd_op_info[i->op].flags & AMDF_TERMINATOR && !crosses_functions(i);
}

/* Runs over b from what is known at its entry; rebuilds it into `out` where given. */
static struct mode run_block(struct modes *m, const struct amd_block *b, struct amd_block *out)
{
	struct mode known = m->s[b->id].in;
	bool at_end = false;
	for (uint32_t k = 0; k < b->insts.len; k++) {
		struct amd_inst *i = b->insts.data[k];
		if (is_terminator(i) && !at_end) {
			provide(m, out, b, k, m->s[b->id].at_end, &known, i->line);
			at_end = true;
		}
		provide(m, out, b, k, needs(i), &known, i->line);
		if (out)
			amd_append(m->f, out, i);
	}
	if (!at_end)
		provide(m, out, b, b->insts.len, m->s[b->id].at_end, &known, 0);
	return known;
}

static bool meet(struct state *s, struct mode known)
{
	struct mode was = s->in;
	if (!s->reached) {
		s->in = known;
		s->reached = true;
		return true;
	}
	s->in.mask &= known.mask & (uint8_t)~differing(s->in.val, known.val);
	s->in.val &= s->in.mask;
	return was.mask != s->in.mask;
}

static void flow(struct modes *m)
{
	struct amd_func *f = m->f;
	bool again = true;
	for (uint32_t k = 0; k < f->blocks.len; k++)
		m->s[k].reached = false;
	m->s[0].in = (struct mode){0xff, f->is_kernel ? f->abi.float_mode : AMD_MODE_ABI};
	m->s[0].reached = true;
	while (again) {
		again = false;
		for (uint32_t k = 0; k < f->blocks.len; k++) {
			const struct amd_block *b = f->blocks.data[k];
			if (!m->s[k].reached)
				continue;
			struct mode out = run_block(m, b, NULL);
			for (uint32_t n = 0; n < b->wave_succs.len; n++)
				again |= meet(&m->s[b->wave_succs.data[n]], out);
		}
	}
}

/* --- loops --- */
/* What the loop at h needs first. */
static struct mode loop_needs(const struct modes *m, const struct amd_block *h)
{
	struct mode v = {0, 0};
	for (uint32_t b = h->id; b < m->f->blocks.len && v.mask != 0xff; b++) {
		const struct amd_block *blk = m->f->blocks.data[b];
		if (blk->loop_depth < h->loop_depth || (b != h->id && blk->is_loop_header && blk->loop_depth == h->loop_depth))
			break;
		for (uint32_t k = 0; k < blk->insts.len && v.mask != 0xff; k++)
			take(&v, needs(blk->insts.data[k]));
	}
	return v;
}

static bool hoist(struct modes *m)
{
	bool changed = false;
	for (uint32_t k = 0; k < m->f->blocks.len; k++) {
		const struct amd_block *h = m->f->blocks.data[k];
		struct mode need = h->is_loop_header ? loop_needs(m, h) : (struct mode){0, 0};
		need.mask &= (uint8_t)~m->s[k].in.mask;
		need.val &= need.mask;
		for (uint32_t n = 0; n < h->wave_preds.len && need.mask; n++) {
			uint32_t p = h->wave_preds.data[n];
			struct mode *end = &m->s[p].at_end, was = *end;
			if (p >= k || m->f->blocks.data[p]->wave_succs.len != 1)
				continue;
			take(end, need);
			changed |= end->mask != was.mask;
		}
	}
	return changed;
}

void amd_modes(struct amd_func *f)
{
	struct modes m = {.f = f};
	bool uniform;
	uint8_t best = majority(f, &uniform);
	if (f->is_kernel)
		f->abi.float_mode = best;
	if (!f->blocks.len || (uniform && (f->is_kernel || best == AMD_MODE_ABI)))
		return;
	m.s = NEWN(f->arena, struct state, f->blocks.len);
	do
		flow(&m);
	while (hoist(&m));
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		struct amd_block *b = f->blocks.data[k], was = *b;
		b->insts.data = NULL;
		b->insts.len = b->insts.cap = 0;
		if (!m.s[k].reached)
			m.s[k].in = (struct mode){0, 0};
		run_block(&m, &was, b);
	}
}
