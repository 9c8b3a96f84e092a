#include "hip.h"
struct body {
	double x, y, z, m;
};
KERNEL nbody(u32 n, const body *b, double *acc)
{
	u32 i = gid();
	if (i >= n)
		return;
	double ax = 0, ay = 0, az = 0;
	for (u32 j = 0; j < n; j++) {
		double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
		double r2 = __builtin_fma(dx, dx, __builtin_fma(dy, dy, __builtin_fma(dz, dz, 0.01)));
		double s = b[j].m / (r2 * __builtin_sqrt(r2));
		ax = __builtin_fma(dx, s, ax);
		ay = __builtin_fma(dy, s, ay);
		az = __builtin_fma(dz, s, az);
	}
	acc[i * 3] = ax;
	acc[i * 3 + 1] = ay;
	acc[i * 3 + 2] = az;
}
