// What a launch hands a kernel: ids and sizes in three dimensions, aggregates by value, variables and their relocations,
// dynamic LDS; and workgroups that wait for each other.
#include "hip.h"

static __device__ u32 launch_table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
static __device__ u32 *launch_pointer = &launch_table[5];

KERNEL launch_ids(u32 nx, u32 ny, u32 *o)
{
	u32 x = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
	u32 y = __builtin_amdgcn_workgroup_id_y() * __builtin_amdgcn_workgroup_size_y() + __builtin_amdgcn_workitem_id_y();
	u32 z = __builtin_amdgcn_workgroup_id_z() * __builtin_amdgcn_workgroup_size_z() + __builtin_amdgcn_workitem_id_z();
	o[(z * ny + y) * nx + x] = x | y << 8 | z << 16 | __builtin_amdgcn_grid_size_x() << 24;
}

struct aggregate {
	u32 a[20];
	i8 c;
	double d;
};
KERNEL launch_aggregate(struct aggregate g, u32 *o, double *d)
{
	u32 i = tid();
	o[i] = g.a[i % 20] + (u32)g.c + launch_table[i & 15] + *launch_pointer;
	d[i] = g.d * i;
}

KERNEL launch_lds(const u32 *x, u32 *o)
{
	extern __shared__ u32 dynamic[];
	u32 i = tid();
	dynamic[i] = x[i];
	barrier();
	o[i] = dynamic[bdim() - 1 - i];
}

KERNEL launch_grid(u32 *o, u32 *arrived, u32 groups)
{
	for (u32 round = 0; round < 5; round++) {
		u32 *from = &o[((round - 1) * groups + (bid() + 1) % groups) * 64 + tid()];
		u32 v = round ? __hip_atomic_load(from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) + 1 : bid();
		__hip_atomic_store(&o[(round * groups + bid()) * 64 + tid()], v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
		__builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
		__builtin_amdgcn_s_barrier();
		if (tid() == 0) {
			__hip_atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
			while (__hip_atomic_load(arrived, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) < (round + 1) * groups)
				__builtin_amdgcn_s_sleep(1);
		}
		__builtin_amdgcn_s_barrier();
		__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
	}
}
