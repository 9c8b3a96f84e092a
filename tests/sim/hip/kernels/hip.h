// What the kernels need of HIP, from clang's builtins alone: no ROCm headers, no device library.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define NOINLINE __attribute__((noinline))
#define KERNEL extern "C" __global__ void

typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef _Float16 half2 __attribute__((ext_vector_type(2)));
typedef short short2 __attribute__((ext_vector_type(2)));

static __device__ inline u32 tid()
{
	return __builtin_amdgcn_workitem_id_x();
}
static __device__ inline u32 tidy()
{
	return __builtin_amdgcn_workitem_id_y();
}
static __device__ inline u32 bid()
{
	return __builtin_amdgcn_workgroup_id_x();
}
static __device__ inline u32 bidy()
{
	return __builtin_amdgcn_workgroup_id_y();
}
static __device__ inline u32 bdim()
{
	return __builtin_amdgcn_workgroup_size_x();
}
static __device__ inline u32 gid()
{
	return bid() * bdim() + tid();
}
static __device__ inline void barrier()
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
static __device__ inline u32 lane()
{
	return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
static __device__ inline i32 shfl(i32 x, u32 from)
{
	return __builtin_amdgcn_ds_bpermute((i32)(from * 4), x);
}
