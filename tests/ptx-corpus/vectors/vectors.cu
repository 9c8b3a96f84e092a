/* Vector and narrow memory accesses: 2- and 4-wide loads and stores of bytes to doubles, aggregates by value with arrays
 * and vectors in them, small scalar parameters, local arrays of vectors, the read-only path. */
#include "../cuda_compat.h"

struct __align__(16) params {
	float2 scale[3];
	uchar4 mask;
	short step;
	int8_t shift;
	double bias;
	int table[5];
};

KERNEL pixels(const uchar4 *__restrict__ in, uchar4 *out, int n, params p)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	uchar4 v = in[i];
	float2 s = p.scale[i % 3];
	int t = p.table[v.w % 5];
	out[i] = make_uchar4((unsigned char)((v.x * t) >> p.shift) & p.mask.x, (unsigned char)(v.y + p.step) & p.mask.y,
	                     (unsigned char)(int)fminf(fmaf((float)v.z, s.x, s.y), 255.0f) & p.mask.z,
	                     (unsigned char)(v.w ^ v.x) | p.mask.w);
}

KERNEL complex_pairs(const double2 *__restrict__ a, const double2 *b, double2 *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double2 x = a[i], y = b[i];
	out[i] = make_double2(fma(x.x, y.x, -__dmul_rn(x.y, y.y)), fma(x.x, y.y, __dmul_rn(x.y, y.x)));
}

KERNEL audio(const short *in, short *out, int frames, short gain, signed char pan, unsigned char mute)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= frames)
		return;
	short l = in[2 * i], r = in[2 * i + 1];
	int wl = l * gain * (64 - pan) >> 14, wr = r * gain * (64 + pan) >> 14;
	wl = max(-32768, min(32767, wl));
	wr = max(-32768, min(32767, wr));
	out[2 * i] = mute & 1 ? 0 : (short)wl;
	out[2 * i + 1] = mute & 2 ? 0 : (short)wr;
}

/* A 4 x 4 matrix a thread, kept in a local array indexed by data. */
KERNEL gather4(const float4 *in, const int *pick, float4 *out, uint2 *packed, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float4 m[4];
	for (int k = 0; k < 4; k++)
		m[k] = in[(i + k * 5) % n];
	int a = pick[i] & 3, b = pick[i] >> 2 & 3;
	float4 t = m[a];
	m[a] = m[b];
	m[b] = make_float4(t.w, t.z, t.y, t.x);
	float4 r = m[pick[i] >> 4 & 3];
	out[i] = r;
	packed[i] = make_uint2(__float_as_uint(r.x) >> 16 | (__float_as_uint(r.y) & 0xffff0000u),
	                       __float_as_uint(r.z) >> 16 | (__float_as_uint(r.w) & 0xffff0000u));
}

KERNEL widen(const unsigned short *in, ulonglong2_t *out, int n)
{
	__shared__ uint4 s[128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned v = i < n ? in[i] : 0;
	s[threadIdx.x] = make_uint4(v, v << 3, ~v, v * v);
	__syncthreads();
	uint4 o = s[threadIdx.x ^ 5];
	if (i < n) {
		ulonglong2_t r;
		r.x = (unsigned long long)o.x << 32 | o.y;
		r.y = (unsigned long long)o.z << 32 | o.w;
		out[i] = r;
	}
}
