/* The reconverging control-flow graph: in which order a wave visits the blocks of a function whose lanes may take different ways, and
 * which lanes are active where.
 *
 * The wave walks the nodes of a fixed order: the blocks in reverse post-order with loops contiguous, behind each loop's last block a
 * slot for its flow node, last the end node. At a branch whose lanes disagree the wave goes to the nearest target; lanes bound for a
 * later one wait there, `open`. A node that lanes can wait for is a join: it is entered with the waiting lanes. So lanes meet at the
 * post-dominator of the branch that parted them, for any shape of control flow, and no block is copied. Uniform branches stay scalar
 * as long as no open node lies before their targets. */
#ifndef ISEL_RECONVERGE_H
#define ISEL_RECONVERGE_H

#include "ir/ir.h"

#define ISEL_NONE UINT32_MAX

enum isel_join {
	ISEL_JOIN_NONE,  /* entered with the lanes that the edge carries */
	ISEL_JOIN_SAVED, /* every lane of node saved_at comes here: exec is what it was at that node's end */
	ISEL_JOIN_MASK,  /* a mask collects the lanes as they arrive */
};

/* How a node ends. */
enum isel_end {
	ISEL_END_DIRECT, /* scalar branch to its own target(s) */
	ISEL_END_MASKED, /* lanes go to masks; the wave goes on to `first` (or `skip` where first has no lanes) */
	ISEL_END_EXIT,   /* no lane goes on; the wave goes to `first`, or ends */
};

struct isel_node {
	struct ir_block *block; /* NULL: a loop's flow node, or the end */
	struct ir_loop *loop;   /* flow node: of this loop; block: the innermost */
	bool active;            /* flow nodes and the end node: is there one */
	bool is_target;         /* lanes can wait here */
	uint8_t join, end;
	bool may_be_empty;      /* JOIN_MASK: the wave may come without lanes; then it goes on to `next_open` */
	bool saves;             /* some join's saved_at */
	uint32_t saved_at;
	uint32_t target[2];     /* block: its successors as nodes; ISEL_NONE: absent, or a block where lanes just end */
	uint32_t ntargets;      /* 1, 2; both targets alike count once */
	uint32_t first, skip;   /* ISEL_NONE: the end node, or no such edge */
	uint32_t next_open;     /* where an empty join or a finished loop's flow node goes on */
	bitword *in;            /* nodes with lanes waiting on entry, itself excluded */
	VEC(uint32_t) wave_preds, wave_succs;
	uint32_t wave_idom;
	uint32_t pd, pd_pre, pd_post; /* post-dominator within one iteration, and its tree's interval */
};

struct isel_plan {
	struct arena *arena;
	struct ir_func *func;
	struct isel_node *nodes;
	uint32_t nnodes;        /* the last is the end node */
	uint32_t *block_node;   /* by ir_block.id */
	uint32_t *flow_node;    /* by loop index; see ir_func.loops */
};

/* requires: ir_loops (blocks in order), ir_divergence; every predecessor of a block with phis has one successor.
 * ensures: the plan of f; divergence of f is final (branches and phis that cannot be kept uniform have been forced divergent). */
struct isel_plan *isel_reconverge(struct arena *a, struct ir_func *f);

/* Checks the plan against the lane graph, independently of how it was made: every lane edge is carried out by wave edges, a
 * divergent branch has at most two wave successors of which one post-dominates it, joins follow what waits for them. ice() on a fault. */
void isel_reconverge_check(const struct isel_plan *p);

void isel_plan_print(struct strbuf *sb, const struct isel_plan *p);

#endif
