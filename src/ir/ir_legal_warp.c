/* Operations across the lanes of a PTX warp (32 lanes) on a wave of 32 or 64.
 *
 * shfl reads by bpermute from a lane computed as the PTX manual defines it; shflok is that definition's range test. On a wave
 * of 64 a warp is one half: lane numbers get the half's first lane added, ballots are the half's word. match.any goes round
 * over the distinct values; redux reads one member after another with scalars where the mask is a constant (the wave has 32 lanes), else
 * lets every lane read all 32.
 *
 * ensures: of the warp operations only ballot (wave of 32), amd_ballot64, readlane, readfirstlane, bpermute of 32 bits remain.
 * breaks: dominators, order.  source: PTX ISA, "shfl.sync", "match.sync", "redux.sync". */
#include "ir/ir_legal.h"

typedef struct ir_inst I;
typedef struct ir_cursor C;

static bool wave64(const C *c)
{
	return c->f->module->wave_size == 64;
}

static I *lane_id(C *c)
{
	return ir_bn(c, IR_sreg, 32, IR_SREG_LANEID, NULL, 0);
}

static I *wave_lane(C *c)
{
	return ir_bn(c, IR_sreg, 32, IR_SREG_WAVE_LANE, NULL, 0);
}

/* --- operations on values wider or narrower than a register --- */

static I *on_words(C *c, I *x, I *(*word)(C *, I *, I *), I *arg)
{
	uint32_t n = x->width / 32;
	I *parts[8];
	if (x->width < 32) {
		I *r = word(c, ir_b1(c, IR_zext, 32, x), arg);
		return ir_b1(c, IR_trunc, x->width, r);
	}
	if (n == 1)
		return word(c, x, arg);
	for (uint32_t k = 0; k < n; k++)
		parts[k] = word(c, ir_unpack(c, 32, x, k), arg);
	return ir_pack(c, x->width, parts, n);
}

static I *bpermute_word(C *c, I *x, I *lane)
{
	return ir_b2(c, IR_bpermute, 32, x, lane);
}

static I *readlane_word(C *c, I *x, I *lane)
{
	return ir_b2(c, IR_readlane, 32, x, lane);
}

static I *readfirst_word(C *c, I *x, I *unused)
{
	(void)unused;
	return ir_b1(c, IR_readfirstlane, 32, x);
}

/* x of lane `lane` of this warp. */
static I *read_warp_lane(C *c, I *x, I *lane)
{
	if (wave64(c))
		lane = ir_b2(c, IR_or, 32, lane, ir_b2(c, IR_and, 32, wave_lane(c), ir_c32(c, 32)));
	return on_words(c, x, bpermute_word, lane);
}

static I *ballot(C *c, I *p)
{
	if (!wave64(c))
		return ir_b1(c, IR_ballot, 32, p);
	I *all = ir_b1(c, IR_amd_ballot64, 64, p);
	I *upper = ir_cmp(c, IR_icmp, IRC_UGE, wave_lane(c), ir_c32(c, 32));
	return ir_select(c, upper, ir_hi32(c, all), ir_lo32(c, all));
}

/* --- shfl --- */

enum { UP, DOWN, BFLY, IDX };

/* The source lane before the range test, and the test. */
static I *shfl_source(C *c, uint32_t mode, I *b, I *clamp, I **ok)
{
	I *lane = lane_id(c), *all = ir_c32(c, 31);
	I *seg = ir_b2(c, IR_and, 32, ir_b2(c, IR_shr, 32, clamp, ir_c32(c, 8)), all);
	I *outside = ir_b2(c, IR_xor, 32, seg, all);
	I *min = ir_b2(c, IR_and, 32, lane, seg);
	I *max = ir_b2(c, IR_or, 32, min, ir_b2(c, IR_and, 32, clamp, outside));
	b = ir_b2(c, IR_and, 32, b, all);
	if (mode == UP) {
		*ok = ir_cmp(c, IR_icmp, IRC_UGE, lane, ir_b2(c, IR_add, 32, max, b));
		return ir_b2(c, IR_sub, 32, lane, b);
	}
	I *j;
	if (mode == DOWN)
		j = ir_b2(c, IR_add, 32, lane, b);
	else if (mode == BFLY)
		j = ir_b2(c, IR_xor, 32, lane, b);
	else
		j = ir_b2(c, IR_or, 32, min, ir_b2(c, IR_and, 32, b, outside));
	*ok = ir_cmp(c, IR_icmp, IRC_ULE, j, max);
	return j;
}

static I *shfl(C *c, I *i)
{
	I *ok, *j = shfl_source(c, (uint32_t)i->imm, i->args[1], i->args[2], &ok);
	return read_warp_lane(c, i->args[0], ir_select(c, ok, j, lane_id(c)));
}

static I *shflok(C *c, I *i)
{
	I *ok;
	shfl_source(c, (uint32_t)i->imm, i->args[0], i->args[1], &ok);
	return ok;
}

/* --- match --- */

static I *equal(C *c, I *x, I *y)
{
	return ir_cmp(c, IR_icmp, IRC_EQ, x, y);
}

static I *matchall(C *c, I *i)
{
	I *x = i->args[0], *mask = i->args[1], *first;
	if (mask->op == IR_const && !wave64(c))
		first = on_words(c, x, readfirst_word, NULL);
	else
		first = read_warp_lane(c, x, ir_b1(c, IR_ctz, 32, mask));
	I *differ = ballot(c, ir_b1(c, IR_not, 1, equal(c, x, first)));
	differ = ir_b2(c, IR_and, 32, differ, mask);
	return ir_select(c, equal(c, differ, ir_c32(c, 0)), mask, ir_c32(c, 0));
}

static void phi_from(struct ir_func *f, I *phi, I *x)
{
	ir_phi_append(f, phi, x);
}

/* The rest of the block of i, which follows the new block `loop`, entered from what stands before i. */
static struct ir_block *make_loop(C *c, I *i, struct ir_block **loop)
{
	struct ir_block *before = i->block, *rest = ir_split(c->f, i);
	*loop = ir_block_new(c->f);
	(*loop)->line = i->line;
	C at = {c->f, before, NULL, i->line};
	ir_br(&at, *loop);
	return rest;
}

/* loop: v = the first lane's value; the lanes that have it take their ballot and leave. */
static I *matchany(C *c, I *i)
{
	struct ir_block *loop, *rest = make_loop(c, i, &loop);
	C in = {c->f, loop, NULL, i->line};
	I *first = on_words(&in, i->args[0], readfirst_word, NULL);
	I *same = equal(&in, i->args[0], first), *m = ballot(&in, same);
	ir_condbr(&in, same, rest, loop);
	C at = ir_at(c->f, i);
	return ir_b2(&at, IR_and, 32, m, i->args[1]);
}

/* --- redux --- */

static uint64_t identity(const I *i)
{
	switch (i->imm) {
	case IR_ATOM_AND:
	case IR_ATOM_UMIN:
		return 0xffffffff;
	case IR_ATOM_SMIN:
		return 0x7fffffff;
	case IR_ATOM_SMAX:
		return 0x80000000;
	case IR_ATOM_FMIN: /* NaN loses, unless .nan asks that it win */
		return i->nan ? 0x7f800000 : 0x7fffffff;
	case IR_ATOM_FMAX:
		return i->nan ? 0xff800000 : 0x7fffffff;
	default:
		return 0;
	}
}

static I *reduce_step(C *c, const I *i, I *acc, I *x)
{
	static const uint16_t ops[IR_ATOM_COUNT] = {
		[IR_ATOM_ADD] = IR_add,   [IR_ATOM_AND] = IR_and,   [IR_ATOM_OR] = IR_or,     [IR_ATOM_XOR] = IR_xor,
		[IR_ATOM_UMIN] = IR_umin, [IR_ATOM_UMAX] = IR_umax, [IR_ATOM_SMIN] = IR_smin, [IR_ATOM_SMAX] = IR_smax,
		[IR_ATOM_FMIN] = IR_fmin, [IR_ATOM_FMAX] = IR_fmax};
	I *r = ir_inst_new(c->f, (enum ir_op)ops[i->imm], 32, 2);
	if (!ops[i->imm] || i->width != 32)
		ice(c->f->arena, "redux of operation %u", (unsigned)i->imm);
	r->args[0] = acc;
	r->args[1] = x;
	r->nan = i->nan;
	return ir_emit(c, r);
}

/* All scalar: the lowest member's value joins the result, the member is struck off, until none is left. */
static I *redux_members(C *c, I *i)
{
	I *members = ir_b2(c, IR_and, 32, ballot(c, ir_const(c->f, 1, 1)), i->args[1]);
	struct ir_block *loop;
	make_loop(c, i, &loop);
	struct ir_block *rest = i->block;
	C in = {c->f, loop, NULL, i->line};
	I *m = ir_inst_new(c->f, IR_phi, 32, 0), *acc = ir_inst_new(c->f, IR_phi, 32, 0);
	ir_append(loop, m);
	ir_append(loop, acc);
	I *x = on_words(&in, i->args[0], readlane_word, ir_b1(&in, IR_ctz, 32, m));
	I *sum = reduce_step(&in, i, acc, x);
	I *left = ir_b2(&in, IR_and, 32, m, ir_b2(&in, IR_sub, 32, m, ir_c32(c, 1)));
	ir_condbr(&in, ir_cmp(&in, IR_icmp, IRC_NE, left, ir_c32(c, 0)), loop, rest);
	phi_from(c->f, m, members);
	phi_from(c->f, m, left);
	phi_from(c->f, acc, ir_c32(c, identity(i)));
	phi_from(c->f, acc, sum);
	return sum;
}

/* Every lane reads all 32 and takes those that its mask names. */
static I *redux_all(C *c, I *i)
{
	struct ir_block *loop;
	make_loop(c, i, &loop);
	struct ir_block *rest = i->block;
	C in = {c->f, loop, NULL, i->line};
	I *n = ir_inst_new(c->f, IR_phi, 32, 0), *acc = ir_inst_new(c->f, IR_phi, 32, 0);
	ir_append(loop, n);
	ir_append(loop, acc);
	I *x = read_warp_lane(&in, i->args[0], n);
	I *named = ir_b2(&in, IR_and, 32, ir_b2(&in, IR_shr, 32, i->args[1], n), ir_c32(c, 1));
	I *sum = reduce_step(&in, i, acc, x);
	sum = ir_select(&in, ir_cmp(&in, IR_icmp, IRC_NE, named, ir_c32(c, 0)), sum, acc);
	I *next = ir_b2(&in, IR_add, 32, n, ir_c32(c, 1));
	ir_condbr(&in, ir_cmp(&in, IR_icmp, IRC_NE, next, ir_c32(c, 32)), loop, rest);
	phi_from(c->f, n, ir_c32(c, 0));
	phi_from(c->f, n, next);
	phi_from(c->f, acc, ir_c32(c, identity(i)));
	phi_from(c->f, acc, sum);
	return sum;
}

static I *lower(C *c, I *i)
{
	switch (i->op) {
	case IR_shfl:
		return shfl(c, i);
	case IR_shflok:
		return shflok(c, i);
	case IR_ballot:
		return wave64(c) ? ballot(c, i->args[0]) : NULL;
	case IR_activemask:
		return ballot(c, ir_const(c->f, 1, 1));
	case IR_matchany:
		return matchany(c, i);
	case IR_matchall:
		return matchall(c, i);
	case IR_redux:
		return i->args[1]->op == IR_const && !wave64(c) ? redux_members(c, i) : redux_all(c, i);
	case IR_bpermute:
		return i->width == 32 ? NULL : on_words(c, i->args[0], bpermute_word, i->args[1]);
	case IR_readlane:
		return i->width == 32 ? NULL : on_words(c, i->args[0], readlane_word, i->args[1]);
	case IR_readfirstlane:
		return i->width == 32 ? NULL : on_words(c, i->args[0], readfirst_word, NULL);
	case IR_sreg:
		if (i->imm == IR_SREG_LANEID && wave64(c))
			return ir_b2(c, IR_and, 32, wave_lane(c), ir_c32(c, 31));
		return NULL;
	default:
		return NULL;
	}
}

void ir_legal_warp(struct ir_func *f)
{
	struct ir_fwd fwd = ir_fwd_new(f);
	for (uint32_t k = 0; k < f->blocks.len; k++) {
		ir_each_inst_safe(i, f->blocks.data[k])
		{
			ir_fwd_args(&fwd, i);
			C c = ir_at(f, i);
			I *x = lower(&c, i);
			if (!x)
				continue;
			ir_fwd_set(f, &fwd, i, x);
			bool moved = i->block != f->blocks.data[k];
			ir_remove(i);
			if (moved)
				break; /* what follows is in a new block, which comes later */
		}
	}
	ir_fwd_apply(f, &fwd);
}
