#include "hip.h"
// Recursion, calls through pointers held in a structure, aggregates by value: scratch and the call ABI.
struct ops {
	i32 (*f)(i32, i32);
	i32 scale;
};
static __device__ NOINLINE i32 add(i32 a, i32 b)
{
	return a + b;
}
static __device__ NOINLINE i32 mul(i32 a, i32 b)
{
	return a * b;
}
static __device__ NOINLINE i32 sub(i32 a, i32 b)
{
	return a - b;
}
static __device__ NOINLINE u32 fib(u32 n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
struct tree {
	i32 v[6];
};
static __device__ NOINLINE i32 walk(tree t, i32 depth)
{
	if (depth == 0)
		return t.v[0] + t.v[5];
	t.v[0] += depth;
	t.v[5] ^= t.v[0];
	return walk(t, depth - 1) + t.v[depth % 6];
}
KERNEL calls(u32 n, const i32 *in, i32 *out)
{
	u32 i = gid();
	if (i >= n)
		return;
	ops table[3] = {{add, 1}, {mul, 2}, {sub, 3}};
	ops o = table[(u32)in[i] % 3];
	i32 x = o.f(in[i], (i32)i) * o.scale;
	x += (i32)fib(i % 9);
	tree t = {{x, 1, 2, 3, 4, (i32)i}};
	out[i] = x + walk(t, (i32)(i % 5));
}
