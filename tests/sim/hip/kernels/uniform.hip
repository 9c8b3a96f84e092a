#include "hip.h"

#define REVERSE32 __builtin_bitreverse32
KERNEL uniform(u32 *o, u64 *q, u32 a, u32 b, u64 c, u64 d)
{
	u32 n = 0, m = 0;
	i32 sa = a, sb = b;
	i64 sc = c, sd = d;
#define UNIFORM32(x) o[n++] = (u32)(x);
#define UNIFORM64(x) q[m++] = (u64)(x);
#include "uniform.h"
#undef UNIFORM32
#undef UNIFORM64
}
