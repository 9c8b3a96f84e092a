/* The harness of the HIP kernels: one struct hip is one code object on one simulated device. */
#ifndef TESTS_SIM_HIP_H
#define TESTS_SIM_HIP_H

#include "base/arena.h"
#include "sim/sim.h"

struct hip {
	struct sim *s;
	struct sim_module *m;
	struct arena *a;
	uint64_t seed;
	uint64_t args[16];   /* as pushed; the kernel's own sizes say how many bytes of each count */
	uint32_t nargs;
	char why[1024];
	uint64_t insts, lane_insts;
};

struct hip_case {
	const char *name;
	bool (*run)(struct hip *h);
	const char *gpu; /* NULL: every chip */
};
extern const struct hip_case hip_cases_int[], hip_cases_float[], hip_cases_core[],
	hip_cases_mode[]; /* each ends with a NULL name */

uint64_t hip_rnd(struct hip *h);
/* A device buffer of n bytes with the contents of p (NULL: zeros). */
uint64_t hip_up(struct hip *h, const void *p, size_t n);
void *hip_down(struct hip *h, uint64_t addr, size_t n);
void *hip_mem(struct hip *h, size_t n); /* zeroed host memory */
void hip_arg(struct hip *h, uint64_t x);
void hip_argf(struct hip *h, float x);
/* Launches with the arguments pushed so far; false and h->why where it fails. */
bool hip_go(struct hip *h, const char *kernel, uint32_t gx, uint32_t gy, uint32_t bx, uint32_t by);
/* Compares elements of `size` bytes; false and h->why at the first that differs. */
bool hip_same(struct hip *h, const char *what, const void *got, const void *want, size_t n, size_t size);
/* Each float within `ulp` units in the last place or `abs` of the double; NaN matches NaN. */
bool hip_near(struct hip *h, const char *what, size_t i, float got, double want, double ulp, double abs);

#endif
