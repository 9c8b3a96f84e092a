/* This compiler, as the harness calls it. */
#ifndef HARNESS_PRODUCT_H
#define HARNESS_PRODUCT_H

#include "case.h"
#include "ptx.h"

/* PTX text to a code object, in the arena; NULL, and the diagnostics in f, where it does not compile. */
const void *product_compile(struct arena *a, const char *path, const char *ptx, size_t size, const struct ptx_options *opt,
                            size_t *elf_size, FILE *f);

#endif
