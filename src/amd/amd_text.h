/* What the printer and the reader of the text form share. */
#ifndef AMD_AMD_TEXT_H
#define AMD_AMD_TEXT_H

#include <stddef.h>

#include "amd/amd.h"

struct amd_field { /* an integer member, by name; name NULL ends a table */
	const char *name;
	size_t offset, size;
};
extern const struct amd_field amd_inst_fields[], amd_abi_fields[];
int64_t amd_field_get(const void *base, const struct amd_field *f);
void amd_field_set(void *base, const struct amd_field *f, int64_t v);
extern const char *const amd_enc_names[AMD_ENC_COUNT];
extern const char *const amd_sel_names[7];
void amd_inst_defaults(const struct amd_inst *i, struct amd_inst *d);
void amd_print_reg(struct strbuf *sb, uint32_t reg, uint32_t size);

#endif
