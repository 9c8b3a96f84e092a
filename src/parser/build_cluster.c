/* Taking over the work of blocks that have not started. A request may fail, and here each does: its response, 16 zero
 * bytes, says that nothing was cancelled, so every block runs itself. What the response would say of a cancelled block
 * is undefined then; it is 0. */
#include "parser/build_internal.h"

void cluster_try_cancel(struct build *B, const struct ptx_stmt *s)
{
	struct ir_mem mem = {.space = IR_SHARED, .bits = 64, .align_log2 = 3};
	struct addr response;
	if (!address(B, s, &s->ops[0], PTX_SPACE_SHARED, &response))
		return;
	if (response.space != IR_SHARED) {
		refuse_why(B, s, "the response is not in shared memory");
		return;
	}
	store_at(B, &response, mem, K(64, 0), 0);
	store_at(B, &response, mem, K(64, 0), 8);
	mbarrier_bytes(B, s, &s->ops[1], 16);
}

void cluster_query_cancel(struct build *B, const struct ptx_stmt *s)
{
	struct ptx_operand to[MAX_LIST];
	struct ir_inst *r = opd_width(B, &s->ops[1], 128);
	if (has(s, PTX_W_is_canceled)) {
		struct ir_inst *any = OP2(or, ir_unpack(&B->c, 64, r, 0), ir_unpack(&B->c, 64, r, 1));
		def(B, &s->ops[0], ICMP(NE, any, K(64, 0)), false);
		return;
	}
	uint32_t n = opd_list(B, &s->ops[0], to);
	for (uint32_t k = 0; k < n; k++)
		def(B, &to[k], K(32, 0), false);
}
