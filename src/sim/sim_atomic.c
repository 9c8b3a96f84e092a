/* What atomics do to one memory word. Source: RDNA2 and RDNA3 manuals, "Flat, scratch, global" and "DS" instructions. */
#include "base/bits.h"
#include "sim/sim_memory.h"

bool sim_atomic_two_data(unsigned op)
{
	return op == A_CMPSWAP || op == A_CMPST || op == A_FCMPSWAP || op == A_FCMPST || op == A_MSKOR || op == A_WRAP;
}

static uint64_t flush(uint64_t x)
{
	return x & 0x7f800000 ? x : x & 0x80000000;
}

static uint64_t fadd32(uint64_t old, uint64_t a, bool denorm_flush)
{
	float r = denorm_flush ? float32((uint32_t)flush(old)) + float32((uint32_t)flush(a)) : float32((uint32_t)old) + float32((uint32_t)a);
	return denorm_flush ? flush(bits32(r)) : bits32(r);
}

static bool fless(uint32_t bytes, uint64_t a, uint64_t b)
{
	return bytes == 8 ? float64(a) < float64(b) : float32((uint32_t)a) < float32((uint32_t)b);
}

static bool fequal(uint32_t bytes, uint64_t a, uint64_t b)
{
	return bytes == 8 ? float64(a) == float64(b) : float32((uint32_t)a) == float32((uint32_t)b);
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

/* ---- bits that were never written ---- */

static uint64_t reg_undef(const struct sim_wave *w, const struct sim_atomic_lane *x, uint32_t reg)
{
	uint64_t lo = ~sim_lane_bits(w, reg, x->lane);
	return x->bytes == 8 ? lo | (uint64_t)~sim_lane_bits(w, reg + 1, x->lane) << 32 : lo;
}

static uint64_t reg_value(struct sim_wave *w, const struct sim_atomic_lane *x, uint32_t reg)
{
	uint64_t lo = sim_vgpr(w, reg)[x->lane];
	return x->bytes == 8 ? lo | (uint64_t)sim_vgpr(w, reg + 1)[x->lane] << 32 : lo;
}

static bool has_defined_half(uint64_t undef, uint32_t bytes)
{
	for (uint32_t k = 0; k < 8 * bytes; k += 16)
		if (!(undef >> k & 0xffff))
			return true;
	return false;
}

/* A compare-and-swap. The loop that changes one half of a word compares the other with itself, which nobody need have written: whatever is
 * there, the comparison tells whether somebody changed it since. So what the comparand lacks may be lacking, and counts as written
 * from here on: in the registers, which the loop compares, too, and in memory, for other lanes go on with what they get from it. */
static bool swap_part(struct sim_wave *w, const struct sim_atomic_lane *x, uint64_t *mem, uint32_t comparand, uint32_t fresh)
{
	uint64_t old = reg_undef(w, x, comparand), now = reg_undef(w, x, fresh);
	if ((*mem | now) & ~old || !has_defined_half(old, x->bytes))
		return false;
	*mem = 0;
	for (uint32_t k = 0; k < x->bytes / 4; k++)
		sim_set_lane_bits(w, comparand + k, x->lane, ~0u);
	return true;
}

bool sim_atomic_undef(struct sim_wave *w, const struct sim_atomic_lane *x, bool *returned)
{
	uint64_t mem = 0, a = reg_value(w, x, x->a);
	bool all = !reg_undef(w, x, x->a) && !(sim_atomic_two_data(x->op) && reg_undef(w, x, x->b)), ok;
	for (uint32_t k = 0; x->defined && k < x->bytes; k++)
		mem |= (uint64_t)(uint8_t)~x->defined[k] << 8 * k;
	*returned = !mem;
	switch (x->op) {
	case A_SWAP:
		mem = 0;
		ok = all;
		break;
	case A_AND:
		ok = all && !(~a & mem);
		break;
	case A_OR:
	case A_XOR:
		ok = all && !(a & mem);
		break;
	case A_CMPST:
		ok = *returned = swap_part(w, x, &mem, x->a, x->b);
		break;
	case A_CMPSWAP:
		ok = *returned = swap_part(w, x, &mem, x->b, x->a);
		break;
	default:
		ok = all && !mem;
	}
	for (uint32_t k = 0; x->defined && k < x->bytes; k++)
		x->defined[k] = (uint8_t)~(mem >> 8 * k);
	return ok;
}
