/* Compare lane functions: valu_cmp.def. */
#include "sim/valu_protos.h"
#include "sim/valu_gen.h"

#include "sim/valu_cmp.def"
