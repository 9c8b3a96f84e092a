/* What atomics do to one memory word. Source: RDNA2 and RDNA3 manuals, "Flat, scratch, global" and "DS" instructions. */
#include "sim/sim_memory.h"

bool sim_atomic_two_data(unsigned op)
{
	return op == A_CMPSWAP || op == A_CMPST || op == A_FCMPSWAP || op == A_FCMPST || op == A_MSKOR || op == A_WRAP;
}

static float as_f32(uint64_t x)
{
	uint32_t u = (uint32_t)x;
	float f;
	memcpy(&f, &u, 4);
	return f;
}

static double as_f64(uint64_t x)
{
	double d;
	memcpy(&d, &x, 8);
	return d;
}

static uint64_t flush(uint64_t x)
{
	return x & 0x7f800000 ? x : x & 0x80000000;
}

static uint64_t fadd32(uint64_t old, uint64_t a, bool denorm_flush)
{
	float r = denorm_flush ? as_f32(flush(old)) + as_f32(flush(a)) : as_f32(old) + as_f32(a);
	uint32_t u;
	memcpy(&u, &r, 4);
	return denorm_flush ? flush(u) : u;
}

static bool fless(uint32_t bytes, uint64_t a, uint64_t b)
{
	return bytes == 8 ? as_f64(a) < as_f64(b) : as_f32(a) < as_f32(b);
}

static bool fequal(uint32_t bytes, uint64_t a, uint64_t b)
{
	return bytes == 8 ? as_f64(a) == as_f64(b) : as_f32(a) == as_f32(b);
}

static int64_t sext(uint32_t bytes, uint64_t x)
{
	return bytes == 8 ? (int64_t)x : (int32_t)x;
}

uint64_t sim_atomic(unsigned op, uint32_t bytes, uint64_t old, uint64_t a, uint64_t b, bool denorm_flush)
{
	switch ((enum sim_atomic)op) {
	case A_SWAP:
		return a;
	case A_CMPSWAP:
		return old == b ? a : old;
	case A_CMPST:
		return old == a ? b : old;
	case A_FCMPSWAP:
		return fequal(bytes, old, b) ? a : old;
	case A_FCMPST:
		return fequal(bytes, old, a) ? b : old;
	case A_ADD:
		return old + a;
	case A_SUB:
		return old - a;
	case A_RSUB:
		return a - old;
	case A_CSUB:
		return old < a ? 0 : old - a;
	case A_SMIN:
		return sext(bytes, a) < sext(bytes, old) ? a : old;
	case A_SMAX:
		return sext(bytes, a) > sext(bytes, old) ? a : old;
	case A_UMIN:
		return a < old ? a : old;
	case A_UMAX:
		return a > old ? a : old;
	case A_AND:
		return old & a;
	case A_OR:
		return old | a;
	case A_XOR:
		return old ^ a;
	case A_INC:
		return old >= a ? 0 : old + 1;
	case A_DEC:
		return old == 0 || old > a ? a : old - 1;
	case A_MSKOR:
		return (old & ~a) | b;
	case A_WRAP:
		return old >= a ? old - a : old + b;
	case A_FMIN:
		return fless(bytes, a, old) ? a : old;
	case A_FMAX:
		return fless(bytes, old, a) ? a : old;
	case A_FADD:
		return fadd32(old, a, denorm_flush);
	}
	return old;
}
