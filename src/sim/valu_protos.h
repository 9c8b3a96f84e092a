/* Prototypes of the lane functions. */
#include "sim/valu.h"

#define V(name, ...) valu_fn sim_vl_##name;
#define VS(name, ...) valu_fn sim_vl_##name, sim_vs_##name;
#define CMP(name, ...) valu_fn sim_vl_v_cmp_##name;
#include "sim/valu_rows.def"
