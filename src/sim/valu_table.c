/* The opcode rows: meaning (sim_valu_rows) and what the decoder joins (sim_valu_ops), from the .def files. */
#include "sim/valu_protos.h"

enum row_id {
#define V(name, ...) ROW_##name,
#define CMP(name, ...) ROW_v_cmp_##name, ROW_v_cmpx_##name,
#include "sim/valu_rows.def"
	ROWS
};

#define NSRC(A, B, C) ((VT_##A != VT_N) + (VT_##B != VT_N) + (VT_##C != VT_N))
#define ROW(name, sat, flags, D, A, B, C)                                                                               \
	[ROW_##name] = {sim_vl_##name, sat, VT_##D, {VT_##A, VT_##B, VT_##C}, NSRC(A, B, C), flags},
const struct valu_row sim_valu_rows[] = {
#define V(name, flags, D, A, B, C, ...) ROW(name, NULL, flags, D, A, B, C)
#define VS(name, flags, D, A, B, C, ...) ROW(name, sim_vs_##name, flags, D, A, B, C)
#define CMP(name, flags, A, B, ...)                                                                                     \
	[ROW_v_cmp_##name] = {sim_vl_v_cmp_##name, NULL, VT_MASK, {VT_##A, VT_##B}, 2, (flags) | V_CLAMP_NOP},          \
	[ROW_v_cmpx_##name] = {sim_vl_v_cmp_##name, NULL, VT_MASK, {VT_##A, VT_##B}, 2, (flags) | V_CLAMP_NOP | V_CMPX},
#include "sim/valu_rows.def"
};

const struct valu_undef sim_valu_undefs[ROWS] = {
#define BITS(name, ctl, use) [ROW_##name] = {VU_BITS, ctl, use},
#define SUM(name, ctl, use) [ROW_##name] = {VU_SUM, ctl, use},
#define LOW(name, use) [ROW_##name] = {VU_LOW, 0, use},
#define HALVES(name) [ROW_##name] = {VU_HALVES, 0, 0},
#define USES(name, use) [ROW_##name] = {VU_ANY, 0, use},
#include "sim/valu_undef.def"
};

/* What the decoder must know of a row, under a name that ALIAS can refer to. */
enum row_flags {
#define HALF(D) (VT_##D >= VT_U16 && VT_##D <= VT_R16)
#define OPF(flags, D)                                                                                                   \
	(((flags)&V_ACC ? SIM_F_RMW : 0) | ((flags)&V_MASK_DST ? SIM_F_DST2 : 0) |                                      \
	 ((flags)&V_MASK_VCC ? SIM_F_VCC_SRC : 0) | ((flags)&V_TRANS ? SIM_F_TRANS : 0) |                               \
	 ((flags)&V_64 ? SIM_F_F64 : 0) | ((flags)&V_MIX ? SIM_F_SEL_HI_0 : 0) | (HALF(D) && !((flags)&V_PACK) ? SIM_F_PARTIAL : 0))
#define V(name, flags, D, ...) OPF_##name = OPF(flags, D), CLS_##name = (flags)&V_TRANS ? SIM_C_TRANS : SIM_C_VALU,
#include "sim/valu_rows.def"
};

const struct sim_op sim_valu_ops[] = {
#define V(name, ...) {#name, sim_valu, CLS_##name, OPF_##name, ROW_##name},
#define CMP(name, flags, ...)                                                                                           \
	{"v_cmp_" #name, sim_valu, SIM_C_VALU, (flags)&V_64 ? SIM_F_F64 : 0, ROW_v_cmp_##name},                         \
	{"v_cmpx_" #name, sim_valu, SIM_C_VALU, ((flags)&V_64 ? SIM_F_F64 : 0) | SIM_F_EXEC_DST | SIM_F_NO_DST,         \
	 ROW_v_cmpx_##name},
#define ALIAS(name, row) {#name, sim_valu, CLS_##row, OPF_##row, ROW_##row},
#include "sim/valu_rows.def"
#define OP(name, class, flags, handler, arg) {#name, handler, class, flags, arg},
#include "sim/valu_lane.def"
#undef OP
	{NULL, NULL, 0, 0, 0},
};
