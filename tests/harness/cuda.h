/* NVIDIA's driver API (libcuda.so.1), the part that recording needs. */
#ifndef HARNESS_CUDA_H
#define HARNESS_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t dptr;
extern int (*cu_init)(unsigned), (*cu_device)(int *, int), (*cu_retain)(void **, int), (*cu_current)(void *);
extern int (*cu_name)(char *, int, int), (*cu_driver)(int *);
extern int (*cu_load)(void **, const void *, unsigned, int *, void **), (*cu_unload)(void *);
extern int (*cu_function)(void **, void *, const char *), (*cu_global)(dptr *, size_t *, void *, const char *);
extern int (*cu_alloc)(dptr *, size_t), (*cu_free)(dptr), (*cu_htod)(dptr, const void *, size_t);
extern int (*cu_dtoh)(void *, dptr, size_t), (*cu_sync)(void), (*cu_error)(int, const char **);
extern int (*cu_attr)(void *, int, int);
extern int (*cu_launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                        void **);

/* Opens the driver and makes a context current; false, with a line on stdout, where there is none. */
bool cuda_open(void);
/* Whether rc is success; says what failed where not. */
bool cuda_ok(int rc, const char *what, const char *name);

#endif
