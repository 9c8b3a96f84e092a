/* Instructions across the lanes of a warp. Member masks choose among active lanes; lanes named by a mask that are not
 * there are undefined in PTX, except that they may come by another way (ir_legal_meet). */
#include "parser/build_internal.h"

void warp_meet(struct build *B, const struct ptx_stmt *s)
{
	uint64_t opcode = s->m->op;
	for (uint32_t k = 0; k < PTX_MOD_COUNT; k++)
		opcode = (opcode * 31 + s->m->mod[k]) & INT32_MAX;
	struct ir_inst *mask = opd_width(B, &s->ops[s->nops - 1], 32);
	ir_bn(&B->c, IR_meetwarp, 0, opcode, &mask, 1);
}

static struct ir_inst *ballot(struct build *B, struct ir_inst *p)
{
	return OP1(ballot, p);
}

static struct ir_inst *active(struct build *B)
{
	return ir_emit(&B->c, ir_inst_new(B->f, IR_activemask, 32, 0));
}

/* The lanes of `mask` where p holds. NULL: no mask was given. */
static struct ir_inst *members(struct build *B, struct ir_inst *p, struct ir_inst *mask)
{
	struct ir_inst *b = ballot(B, p);
	return mask ? OP2(and, b, mask) : b;
}

static void vote(struct build *B, const struct ptx_stmt *s, struct ir_inst *mask)
{
	struct ir_inst *p = pred(B, &s->ops[1]), *zero = K(32, 0), *d;
	if (has(s, PTX_W_ballot)) {
		d = members(B, p, mask);
	} else if (has(s, PTX_W_any)) {
		d = ICMP(NE, members(B, p, mask), zero);
	} else if (has(s, PTX_W_all)) {
		d = ICMP(EQ, members(B, OP1(not, p), mask), zero);
	} else {
		struct ir_inst *none = ICMP(EQ, members(B, p, mask), zero);
		d = OP2(or, none, ICMP(EQ, members(B, OP1(not, p), mask), zero));
	}
	def(B, &s->ops[0], d, false);
}

void warp_vote(struct build *B, const struct ptx_stmt *s)
{
	vote(B, s, NULL);
}

void warp_vote_sync(struct build *B, const struct ptx_stmt *s)
{
	warp_meet(B, s);
	vote(B, s, opd_width(B, &s->ops[2], 32));
}

void warp_shfl(struct build *B, const struct ptx_stmt *s)
{
	struct ir_inst *v = opd_width(B, &s->ops[1], 32), *b = opd_width(B, &s->ops[2], 32),
		       *c = opd_width(B, &s->ops[3], 32);
	uint32_t mode = has(s, PTX_W_up) ? 0 : has(s, PTX_W_down) ? 1 : has(s, PTX_W_bfly) ? 2 : 3;
	struct ir_inst *args[] = {v, b, c};
	struct ir_inst *d = ir_bn(&B->c, IR_shfl, 32, mode, args, 3), *ok = NULL;
	const struct ptx_operand *p = pair_second(&s->ops[0]);
	if (p && p->kind != PTX_OPD_SINK)
		ok = ir_bn(&B->c, IR_shflok, 1, mode, args + 1, 2);
	def(B, pair_first(&s->ops[0]), d, false);
	if (ok)
		def(B, p, ok, false);
}

void warp_shfl_sync(struct build *B, const struct ptx_stmt *s)
{
	warp_meet(B, s);
	warp_shfl(B, s);
}

void warp_match_any(struct build *B, const struct ptx_stmt *s)
{
	warp_meet(B, s);
	struct ir_inst *v = opd(B, &s->ops[1], s->m->types[0]);
	def(B, &s->ops[0], OP2(matchany, v, opd_width(B, &s->ops[2], 32)), false);
}

void warp_match_all(struct build *B, const struct ptx_stmt *s)
{
	warp_meet(B, s);
	struct ir_inst *v = opd(B, &s->ops[1], s->m->types[0]), *d = OP2(matchall, v, opd_width(B, &s->ops[2], 32));
	const struct ptx_operand *p = pair_second(&s->ops[0]);
	struct ir_inst *same = p && p->kind != PTX_OPD_SINK ? ICMP(NE, d, K(32, 0)) : NULL;
	def(B, pair_first(&s->ops[0]), d, false);
	if (same)
		def(B, p, same, false);
}

void warp_activemask(struct build *B, const struct ptx_stmt *s)
{
	def(B, &s->ops[0], active(B), false);
}

static uint32_t redux_op(const struct ptx_stmt *s)
{
	bool sign = type_signed(s->m->types[0]), flt = type_float(s->m->types[0]);
	switch (MOD(op)) {
	case PTX_W_add:
		return IR_ATOM_ADD;
	case PTX_W_min:
		return flt ? IR_ATOM_FMIN : sign ? IR_ATOM_SMIN : IR_ATOM_UMIN;
	case PTX_W_max:
		return flt ? IR_ATOM_FMAX : sign ? IR_ATOM_SMAX : IR_ATOM_UMAX;
	case PTX_W_and:
		return IR_ATOM_AND;
	case PTX_W_or:
		return IR_ATOM_OR;
	default:
		return IR_ATOM_XOR;
	}
}

void warp_redux(struct build *B, const struct ptx_stmt *s)
{
	warp_meet(B, s);
	struct ir_inst *v = opd(B, &s->ops[1], s->m->types[0]);
	if (has(s, PTX_W_abs))
		v = OP1(fabs, v);
	struct ir_inst *i = ir_inst_new(B->f, IR_redux, v->width, 2);
	i->args[0] = v;
	i->args[1] = opd_width(B, &s->ops[2], 32);
	i->imm = redux_op(s);
	i->nan = has(s, PTX_W_NaN);
	ir_emit(&B->c, i);
	def(B, &s->ops[0], s->m->types[0] == PTX_T_f32 ? OP1(fnan, i) : i, false);
}

/* The lowest lane of the mask. */
void warp_elect(struct build *B, const struct ptx_stmt *s)
{
	warp_meet(B, s);
	struct ir_inst *leader = OP1(ctz, opd_width(B, &s->ops[1], 32));
	struct ir_inst *lane = ir_bn(&B->c, IR_sreg, 32, IR_SREG_LANEID, NULL, 0);
	struct ir_inst *is = ICMP(EQ, lane, leader);
	def(B, pair_first(&s->ops[0]), leader, false);
	def(B, pair_second(&s->ops[0]), is, false);
}
