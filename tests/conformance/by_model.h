#ifndef CONFORMANCE_BY_MODEL_H
#define CONFORMANCE_BY_MODEL_H

#include "conformance.h"
#include "model/model.h"

struct conf_model {
	struct model_op op;
	uint32_t n;
	int input[CONF_OPDS]; /* which of the form's inputs, or -1: the literal */
	struct model_value literal[CONF_OPDS];
};

/* Whether the host model knows the form. */
bool conf_model(const struct conf_form *f, struct conf_model *m);
/* The form's output on one tuple of inputs. */
struct conf_value conf_model_eval(const struct conf_model *m, const struct conf_value *in);

#endif
