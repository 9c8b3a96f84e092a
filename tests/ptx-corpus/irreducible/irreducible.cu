/* A state machine built from gotos: two loops that jump into each other's bodies, so the graph is irreducible. clang 22
 * makes an endless loop of it for AMDGPU above -O0, hence no code of its to compare with. */
#include "../cuda_compat.h"

KERNEL tangled(const int *in, int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned v = in[i];
	int k = 0;
	if (v & 1)
		goto b;
a:
	v = v * 5 + 1;
	if (++k > 40)
		goto end;
	if (v & 4)
		goto c;
b:
	v ^= v >> 3;
	if (++k > 40)
		goto end;
	if (v & 2)
		goto a;
c:
	v -= k;
	if ((int)v % 3 == 0)
		goto b;
	if (k < 60)
		goto a;
end:
	out[i] = v + k;
}
