/* Branches, returns, barriers and what stops a thread. */
#include "parser/build_internal.h"

void flow_bra(struct build *B, const struct ptx_stmt *s)
{
	flush(B);
	ir_br(&B->c, B->label_blocks[s->ops[0].reg]);
	B->dead = true;
}

void flow_brx(struct build *B, const struct ptx_stmt *s)
{
	const struct ptx_symbol *t = s->ops[1].sym;
	struct ir_inst *index = opd_width(B, &s->ops[0], 32);
	struct ir_block **to = NEWN(B->arena, struct ir_block *, t->ntargets);
	for (uint32_t k = 0; k < t->ntargets; k++)
		to[k] = B->label_blocks[t->labels[k]];
	flush(B);
	ir_switch(&B->c, index, to, t->ntargets);
	B->dead = true;
}

void flow_ret(struct build *B, const struct ptx_stmt *s)
{
	build_return(B, s);
}

static void stop(struct build *B, enum ir_op op)
{
	ir_end(&B->c, op);
	B->dead = true;
}

void flow_exit(struct build *B, const struct ptx_stmt *s)
{
	(void)s;
	stop(B, IR_exit);
}

void flow_trap(struct build *B, const struct ptx_stmt *s)
{
	(void)s;
	stop(B, IR_trap);
}

/* Without a debugger the kernel fails here, as on NVIDIA's hardware. */
void flow_brkpt(struct build *B, const struct ptx_stmt *s)
{
	(void)s;
	struct ir_inst *i = ir_inst_new(B->f, IR_brkpt, 0, 0);
	i->imm = 2;
	ir_emit(&B->c, i);
}

void flow_nanosleep(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *i = ir_inst_new(B->f, IR_nanosleep, 0, 1);
	i->args[0] = opd_width(B, &s->ops[0], 32);
	ir_emit(&B->c, i);
}

/* Hints and requests that ask for nothing here: performance events, register donation, early launch of the next kernel
 * (kernels of one stream run one after the other). */
void flow_nothing(struct build *B, const struct ptx_stmt *s)
{
	(void)B;
	(void)s;
}

/* --- barriers --- */

static struct ir_inst *barrier_inst(struct build *B, enum ir_op op, uint32_t width, struct ir_inst **v, uint32_t n)
{
	struct ir_inst *i = ir_inst_new(B->f, op, width, n);
	memcpy(i->args, v, n * sizeof *v);
	return ir_emit(&B->c, i);
}

/* Without .aligned lanes of a warp may come to a barrier by different ways. A wave's lanes do not make progress on their own. */
static void barrier_begin(struct build *B, const struct ptx_stmt *s)
{
	if (!strncmp(s->m->text, "barrier", 7) && !has(s, PTX_W_aligned))
		ir_emit(&B->c, ir_inst_new(B->f, IR_wholewarp, 0, 0));
}

void flow_bar_sync(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *v[2];
	barrier_begin(B, s);
	for (uint32_t k = 0; k < s->nops; k++)
		v[k] = opd_width(B, &s->ops[k], 32);
	barrier_inst(B, IR_barrier, 0, v, s->nops);
}

void flow_bar_arrive(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *v[] = {opd_width(B, &s->ops[0], 32), opd_width(B, &s->ops[1], 32)};
	barrier_begin(B, s);
	barrier_inst(B, IR_bararrive, 0, v, 2);
}

void flow_bar_red(struct build *B, const struct ptx_stmt *s)
{
	uint32_t op = has(s, PTX_W_popc) ? 0 : has(s, PTX_W_and) ? 1 : 2;
	uint32_t last = s->nops - 1u, n = 2;
	struct ir_inst *v[3] = {opd_width(B, &s->ops[1], 32), pred(B, &s->ops[last])};
	barrier_begin(B, s);
	if (last == 3)
		v[n++] = opd_width(B, &s->ops[2], 32);
	struct ir_inst *i = ir_inst_new(B->f, IR_barred, op ? 1 : 32, n);
	memcpy(i->args, v, n * sizeof *v);
	i->imm = op;
	def(B, &s->ops[0], ir_emit(&B->c, i), false);
}

static void fence(struct build *B, uint32_t order, uint32_t scope)
{
	struct ir_inst *i = ir_inst_new(B->f, IR_fence, 0, 0);
	i->mem.order = (uint8_t)order;
	i->mem.scope = (uint8_t)scope;
	ir_emit(&B->c, i);
}

/* The lanes of a wave run together; what is left is the order of their memory accesses. */
void flow_bar_warp(struct build *B, const struct ptx_stmt *s)
{
	warp_meet(B, s);
	fence(B, IR_ACQ_REL, IR_SCOPE_THREAD);
}

/* A cluster is one thread block. */
void flow_barrier_cluster(struct build *B, const struct ptx_stmt *s)
{
	if (has(s, PTX_W_arrive)) { /* the wait does it all; what came before must be seen after it */
		fence(B, IR_RELEASE, IR_SCOPE_CTA);
		return;
	}
	struct ir_inst *id = K(32, 0);
	barrier_inst(B, IR_barrier, 0, &id, 1);
}

static uint32_t scope_of(uint32_t word)
{
	switch (word) {
	case PTX_W_cta:
		return IR_SCOPE_CTA;
	case PTX_W_cluster: /* one thread block */
		return IR_SCOPE_CTA;
	case PTX_W_gl:
	case PTX_W_gpu:
		return IR_SCOPE_GPU;
	default:
		return IR_SCOPE_SYS;
	}
}

void flow_membar(struct build *B, const struct ptx_stmt *s)
{
	fence(B, IR_SEQ_CST, scope_of(MOD(level)));
}

void flow_fence(struct build *B, const struct ptx_stmt *s)
{
	uint32_t sem = MOD(sem), order = sem == PTX_W_sc ? IR_SEQ_CST : IR_ACQ_REL;
	if (sem == PTX_W_acquire)
		order = IR_ACQUIRE;
	else if (sem == PTX_W_release)
		order = IR_RELEASE;
	fence(B, order, scope_of(MOD(scope)));
}

/* All accesses go one way here (asynchronous copies are done in place), so proxies need no more than order. */
void flow_fence_proxy(struct build *B, const struct ptx_stmt *s)
{
	(void)s;
	fence(B, IR_ACQ_REL, MOD(scope) ? scope_of(MOD(scope)) : IR_SCOPE_GPU);
}
