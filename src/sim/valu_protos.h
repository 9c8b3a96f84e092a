/* Prototypes of the lane functions. */
#include "sim/valu.h"

#define V(name, ...) valu_fn sim_vl_##name;
#define VS(name, ...) valu_fn sim_vl_##name, sim_vs_##name;
#define VC(name, ...) valu_fn sim_vl_##name;
#define VFMA32 V
#define VFMA64 V
#define VROOT32 V
#define VROOT64 V
#define CMP(name, ...) valu_fn sim_vl_v_cmp_##name;
#define ALIAS(name, row)
#include "sim/valu_cmp.def"
#include "sim/valu_f16.def"
#include "sim/valu_f32.def"
#include "sim/valu_f64.def"
#include "sim/valu_int.def"
#undef V
#undef VS
#undef VC
#undef VFMA32
#undef VFMA64
#undef VROOT32
#undef VROOT64
#undef CMP
#undef ALIAS
