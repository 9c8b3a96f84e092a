/* NVIDIA's driver API, opened at run time: needs no CUDA headers. */
#include "cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int (*cu_init)(unsigned), (*cu_device)(int *, int), (*cu_retain)(void **, int), (*cu_current)(void *);
int (*cu_name)(char *, int, int), (*cu_driver)(int *);
int (*cu_load)(void **, const void *, unsigned, int *, void **), (*cu_unload)(void *);
int (*cu_function)(void **, void *, const char *), (*cu_global)(dptr *, size_t *, void *, const char *);
int (*cu_alloc)(dptr *, size_t), (*cu_free)(dptr), (*cu_htod)(dptr, const void *, size_t);
int (*cu_dtoh)(void *, dptr, size_t), (*cu_sync)(void), (*cu_error)(int, const char **);
int (*cu_attr)(void *, int, int);
int (*cu_launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                        void **);

static const struct {
	const char *name;
	void *to;
} symbols[] = {
	{"cuInit", &cu_init},          {"cuDeviceGet", &cu_device},          {"cuDevicePrimaryCtxRetain", &cu_retain},
	{"cuCtxSetCurrent", &cu_current}, {"cuDeviceGetName", &cu_name},     {"cuDriverGetVersion", &cu_driver},
	{"cuModuleLoadDataEx", &cu_load}, {"cuModuleUnload", &cu_unload},    {"cuModuleGetFunction", &cu_function},
	{"cuModuleGetGlobal_v2", &cu_global}, {"cuMemAlloc_v2", &cu_alloc},  {"cuMemFree_v2", &cu_free},
	{"cuMemcpyHtoD_v2", &cu_htod}, {"cuMemcpyDtoH_v2", &cu_dtoh},        {"cuCtxSynchronize", &cu_sync},
	{"cuGetErrorName", &cu_error}, {"cuFuncSetAttribute", &cu_attr},     {"cuLaunchKernel", &cu_launch},
};

bool cuda_ok(int rc, const char *what, const char *name)
{
	const char *text = "?";
	if (rc == 0)
		return true;
	cu_error(rc, &text);
	printf("  %s: %s failed: %s\n", name, what, text);
	return false;
}

bool cuda_open(void)
{
	void *lib = dlopen("libcuda.so.1", RTLD_NOW), *ctx;
	int dev, version;
	char name[128];
	if (!lib) {
		printf("skipped: no libcuda.so.1\n");
		return false;
	}
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		void *p = dlsym(lib, symbols[i].name);
		if (!p) {
			printf("libcuda has no %s\n", symbols[i].name);
			return false;
		}
		memcpy(symbols[i].to, &p, sizeof p);
	}
	if (!cuda_ok(cu_init(0), "cuInit", "driver") || !cuda_ok(cu_device(&dev, 0), "cuDeviceGet", "driver") ||
	    !cuda_ok(cu_retain(&ctx, dev), "context", "driver") || !cuda_ok(cu_current(ctx), "context", "driver"))
		return false;
	cu_name(name, sizeof name, dev);
	cu_driver(&version);
	printf("%s, driver API %d\n", name, version);
	return true;
}
