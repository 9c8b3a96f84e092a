/* What the corpus needs of CUDA, for three compilers: nvcc and clang -x cuda take NVIDIA's headers, clang -x hip for
 * AMDGPU (without ROCm: -nogpuinc -nogpulib) takes the definitions below. Warps are 32 lanes: wave32 chips only. */
#ifndef CUDA_COMPAT_H
#define CUDA_COMPAT_H

#if !defined(__HIP__)

#include <cuda_fp16.h>
#include <stdint.h>

typedef ulonglong2 ulonglong2_t;

#else

typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned int uint;
typedef unsigned char uchar;

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __restrict__ __restrict
#define __align__(N) __attribute__((aligned(N)))

#define DEV static __device__ __forceinline__

#define COMPAT_COORD(NAME, X, Y, Z)                                                                                     \
	struct compat_##NAME {                                                                                          \
		__declspec(property(get = get_x)) unsigned x;                                                           \
		__declspec(property(get = get_y)) unsigned y;                                                           \
		__declspec(property(get = get_z)) unsigned z;                                                           \
		static __device__ __forceinline__ unsigned get_x() { return X; }                                        \
		static __device__ __forceinline__ unsigned get_y() { return Y; }                                        \
		static __device__ __forceinline__ unsigned get_z() { return Z; }                                        \
	};                                                                                                              \
	extern const __device__ __attribute__((weak)) compat_##NAME NAME;
/* Code object v5 hidden arguments: block counts at 0, 4, 8; group sizes at 12, 14, 16. */
#define COMPAT_CONST __attribute__((address_space(4)))
#define COMPAT_HIDDEN(T, OFF) (*(const COMPAT_CONST T *)((const COMPAT_CONST char *)__builtin_amdgcn_implicitarg_ptr() + OFF))
COMPAT_COORD(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
             __builtin_amdgcn_workitem_id_z())
COMPAT_COORD(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
             __builtin_amdgcn_workgroup_id_z())
COMPAT_COORD(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
             __builtin_amdgcn_workgroup_size_z())
COMPAT_COORD(gridDim, COMPAT_HIDDEN(unsigned, 0), COMPAT_HIDDEN(unsigned, 4), COMPAT_HIDDEN(unsigned, 8))

#define COMPAT_VEC(T, N)                                                                                                \
	struct __attribute__((aligned(2 * sizeof(T)))) N##2 { T x, y; };                                                \
	struct N##3 { T x, y, z; };                                                                                     \
	struct __attribute__((aligned(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)))) N##4 { T x, y, z, w; };                \
	DEV N##2 make_##N##2(T x, T y) { return {x, y}; }                                                               \
	DEV N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; }                                                       \
	DEV N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
COMPAT_VEC(float, float)
COMPAT_VEC(double, double)
COMPAT_VEC(int, int)
COMPAT_VEC(unsigned, uint)
COMPAT_VEC(unsigned char, uchar)
COMPAT_VEC(unsigned short, ushort)

struct __attribute__((aligned(16))) ulonglong2_t { unsigned long long x, y; };

#define warpSize 32
DEV unsigned compat_lane() { return __builtin_amdgcn_mbcnt_lo(~0u, 0); }
DEV void __syncthreads()
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
DEV void __syncwarp(unsigned = ~0u) { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront"); __builtin_amdgcn_wave_barrier(); }
DEV void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
DEV void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
DEV unsigned __activemask() { return __builtin_amdgcn_ballot_w32(true); }
DEV unsigned __ballot_sync(unsigned, bool p) { return __builtin_amdgcn_ballot_w32(p); }
DEV bool __any_sync(unsigned m, bool p) { return (__builtin_amdgcn_ballot_w32(p) & m) != 0; }
DEV bool __all_sync(unsigned m, bool p) { return (__builtin_amdgcn_ballot_w32(p) & m) == (m & __activemask()); }
DEV int __syncthreads_count(int p)
{
	__shared__ int n;
	if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0)
		n = 0;
	__syncthreads();
	if (p)
		__hip_atomic_fetch_add(&n, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
	__syncthreads();
	int r = n;
	__syncthreads();
	return r;
}
DEV int __syncthreads_or(int p) { return __syncthreads_count(p != 0) != 0; }

DEV uint32_t compat_bperm(uint32_t v, unsigned src) { return (uint32_t)__builtin_amdgcn_ds_bpermute((int)(src << 2), (int)v); }
template <typename T> DEV T compat_shfl(T v, unsigned src)
{
	static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffle size");
	uint32_t w[sizeof(T) / 4];
	__builtin_memcpy(w, &v, sizeof v);
	for (unsigned i = 0; i < sizeof(T) / 4; i++)
		w[i] = compat_bperm(w[i], src);
	__builtin_memcpy(&v, w, sizeof v);
	return v;
}
template <typename T> DEV T __shfl_sync(unsigned, T v, int src, int w = 32)
{
	return compat_shfl(v, (compat_lane() & ~(w - 1)) | (src & (w - 1)));
}
template <typename T> DEV T __shfl_xor_sync(unsigned, T v, int x, int w = 32)
{
	unsigned l = compat_lane(), s = l ^ x;
	return compat_shfl(v, (s & ~(w - 1)) > (l & ~(w - 1)) ? l : s);
}
template <typename T> DEV T __shfl_up_sync(unsigned, T v, unsigned d, int w = 32)
{
	unsigned l = compat_lane();
	return compat_shfl(v, (l & (w - 1)) < d ? l : l - d);
}
template <typename T> DEV T __shfl_down_sync(unsigned, T v, unsigned d, int w = 32)
{
	unsigned l = compat_lane();
	return compat_shfl(v, (l & (w - 1)) + d >= (unsigned)w ? l : l + d);
}
DEV unsigned __match_any_sync(unsigned, unsigned v)
{
	for (;;) {
		unsigned first = __builtin_amdgcn_readfirstlane(v);
		unsigned same = __builtin_amdgcn_ballot_w32(v == first);
		if (v == first)
			return same;
	}
}

#define COMPAT_ATOMIC(NAME, OP)                                                                                         \
	template <typename T> DEV T NAME(T *p, T v)                                                                     \
	{                                                                                                               \
		return OP(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                                            \
	}
COMPAT_ATOMIC(atomicAdd, __hip_atomic_fetch_add)
COMPAT_ATOMIC(atomicMin, __hip_atomic_fetch_min)
COMPAT_ATOMIC(atomicMax, __hip_atomic_fetch_max)
COMPAT_ATOMIC(atomicAnd, __hip_atomic_fetch_and)
COMPAT_ATOMIC(atomicOr, __hip_atomic_fetch_or)
COMPAT_ATOMIC(atomicXor, __hip_atomic_fetch_xor)
COMPAT_ATOMIC(atomicExch, __hip_atomic_exchange)
template <typename T> DEV T atomicSub(T *p, T v) { return __hip_atomic_fetch_add(p, (T)-v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }
template <typename T> DEV T atomicCAS(T *p, T old, T v)
{
	__hip_atomic_compare_exchange_strong(p, &old, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
	return old;
}
DEV unsigned atomicInc(unsigned *p, unsigned v) { return __builtin_amdgcn_atomic_inc32(p, v, __ATOMIC_RELAXED, "agent"); }

DEV int __popc(unsigned v) { return __builtin_popcount(v); }
DEV int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
DEV int __clz(int v) { return v ? __builtin_clz(v) : 32; }
DEV int __clzll(long long v) { return v ? __builtin_clzll(v) : 64; }
DEV int __ffs(int v) { return __builtin_ffs(v); }
DEV unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
DEV unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
DEV unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((uint64_t)a * b >> 32); }
DEV int __mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
DEV unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
DEV long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
DEV unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n) { return (unsigned)((((uint64_t)hi << 32 | lo) << (n & 31)) >> 32); }
DEV unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n) { return __builtin_amdgcn_alignbit(hi, lo, n); }
DEV unsigned __byte_perm(unsigned a, unsigned b, unsigned s)
{
	uint64_t v = (uint64_t)b << 32 | a;
	unsigned r = 0;
	for (int i = 0; i < 4; i++)
		r |= (unsigned)(v >> ((s >> 4 * i & 7) * 8) & 255) << 8 * i;
	return r;
}
DEV unsigned __vabsdiffu4(unsigned a, unsigned b)
{
	unsigned r = 0;
	for (int i = 0; i < 32; i += 8) {
		int d = (int)(a >> i & 255) - (int)(b >> i & 255);
		r |= (unsigned)(d < 0 ? -d : d) << i;
	}
	return r;
}
DEV unsigned __sad(int a, int b, unsigned c) { return c + (a > b ? (unsigned)a - b : (unsigned)b - a); }
DEV int __dp4a(int a, int b, int c)
{
	for (int i = 0; i < 32; i += 8)
		c += (int)(int8_t)(a >> i) * (int)(int8_t)(b >> i);
	return c;
}
template <typename T> DEV T min(T a, T b) { return a < b ? a : b; }
template <typename T> DEV T max(T a, T b) { return a > b ? a : b; }
DEV int abs(int a) { return a < 0 ? -a : a; }
template <typename T> DEV T __ldg(const T *p) { return *p; }

DEV float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
DEV double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
DEV float fminf(float a, float b) { return __builtin_fminf(a, b); }
DEV float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
DEV float fabsf(float a) { return __builtin_fabsf(a); }
DEV double fabs(double a) { return __builtin_fabs(a); }
DEV float floorf(float a) { return __builtin_floorf(a); }
DEV float sqrtf(float a) { return __builtin_sqrtf(a); }
DEV double sqrt(double a) { return __builtin_sqrt(a); }
DEV float expf(float a) { return __builtin_expf(a); }
DEV float exp2f(float a) { return __builtin_exp2f(a); }
DEV float logf(float a) { return __builtin_logf(a); }
DEV float sinf(float a) { return __builtin_sinf(a); }
DEV float cosf(float a) { return __builtin_cosf(a); }
DEV void sincosf(float a, float *s, float *c) { *s = __builtin_sinf(a); *c = __builtin_cosf(a); }
/* v_sin_f32 takes turns. */
DEV void sincospif(float a, float *s, float *c) { *s = __builtin_amdgcn_sinf(a * 0.5f); *c = __builtin_amdgcn_cosf(a * 0.5f); }
DEV float rsqrtf(float a) { return __builtin_amdgcn_rsqf(a); }
DEV float __expf(float a) { return __builtin_amdgcn_exp2f(a * 1.44269504f); }
DEV float __logf(float a) { return __builtin_amdgcn_logf(a) * 0.69314718f; }
DEV float __fdividef(float a, float b) { return a * __builtin_amdgcn_rcpf(b); }
DEV float __fmul_rn(float a, float b)
{
#pragma clang fp contract(off)
	return a * b;
}
DEV float __fadd_rn(float a, float b)
{
#pragma clang fp contract(off)
	return a + b;
}
DEV float __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
DEV float __fdiv_rn(float a, float b) { return a / b; }
DEV double __dmul_rn(double a, double b)
{
#pragma clang fp contract(off)
	return a * b;
}
DEV double __dadd_rn(double a, double b)
{
#pragma clang fp contract(off)
	return a + b;
}
DEV int __float2int_rn(float a) { return (int)__builtin_rintf(a); }
DEV float __uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }
DEV unsigned __float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
DEV int __float_as_int(float a) { return __builtin_bit_cast(int, a); }
DEV float __int_as_float(int a) { return __builtin_bit_cast(float, a); }
DEV long long __double_as_longlong(double a) { return __builtin_bit_cast(long long, a); }

typedef _Float16 half;
typedef _Float16 half2 __attribute__((ext_vector_type(2)));
typedef half __half;
typedef half2 __half2;
DEV half __float2half(float a) { return (half)a; }
DEV float __half2float(half a) { return (float)a; }
DEV half2 __floats2half2_rn(float a, float b) { return half2{(half)a, (half)b}; }
DEV half2 __float2half2_rn(float a) { return half2{(half)a, (half)a}; }
DEV float2 __half22float2(half2 a) { return make_float2((float)a.x, (float)a.y); }
DEV half2 __halves2half2(half a, half b) { return half2{a, b}; }
DEV half2 __half2half2(half a) { return half2{a, a}; }
DEV half __low2half(half2 a) { return a.x; }
DEV half __high2half(half2 a) { return a.y; }
DEV half2 __lowhigh2highlow(half2 a) { return half2{a.y, a.x}; }
DEV half2 __hfma2(half2 a, half2 b, half2 c) { return __builtin_elementwise_fma(a, b, c); }
DEV half __hfma(half a, half b, half c) { return __builtin_fmaf16(a, b, c); }
DEV half2 __hmul2(half2 a, half2 b) { return a * b; }
DEV half __hmul(half a, half b) { return a * b; }
DEV half2 __hadd2(half2 a, half2 b) { return a + b; }
DEV half2 __hsub2(half2 a, half2 b) { return a - b; }
DEV half __hadd(half a, half b) { return a + b; }
DEV half __hsub(half a, half b) { return a - b; }
DEV half2 __hneg2(half2 a) { return -a; }
DEV bool __hgt(half a, half b) { return a > b; }
DEV bool __hlt(half a, half b) { return a < b; }
DEV half2 __hge2(half2 a, half2 b) { return half2{(half)(a.x >= b.x), (half)(a.y >= b.y)}; }
DEV int __half2int_rn(half a) { return (int)__builtin_rintf((float)a); }
DEV half __int2half_rn(int a) { return (half)a; }
DEV unsigned short __half_as_ushort(half a) { return __builtin_bit_cast(unsigned short, a); }
DEV half __ushort_as_half(unsigned short a) { return __builtin_bit_cast(half, a); }

#undef DEV
#endif

#define KERNEL extern "C" __global__ void

#endif
