/* Learns from LLVM's code emitter where each operand of an instruction goes in its bytes. */
#ifndef EMIT_GEN_ENCODE_H
#define EMIT_GEN_ENCODE_H

#include <stdio.h>

#include "emit/mc_asm.h"
#include "emit/mc_table.h"

enum { GEN_MAX_SLOTS = 20 };

struct learner;
struct learner *learner_new(struct arena *a, const struct mc_names *names);
void learner_free(struct learner *l);
/* LLVM's number of a special register by generation, size and own number: learner_special sets it before anything is learned. */
void learner_special(struct learner *l, uint32_t gen, uint32_t size, uint32_t reg, uint32_t mcreg);
/* Completes f (base, size) and its slots (field, regs). base: LLVM's operands of the probe; size: of the own operand that a slot
 * holds, in dwords. NULL, or why the emitter's bytes are no such function of the operands. */
const char *learn_encoding(struct learner *l, uint32_t gen, struct mc_form *f, struct mc_slot *s, const struct mc_operand *base,
                           const uint8_t *size);
void print_encodings(const struct learner *l, FILE *out);

#endif
