/* Forms as the host model takes them: an opcode and its inputs, constants among them. */
#include "by_model.h"

#include <stdlib.h>

static struct model_value literal(const char *s)
{
	if (s[0] == '0' && (s[1] == 'f' || s[1] == 'd'))
		return (struct model_value){strtoull(s + 2, NULL, 16), 0};
	return (struct model_value){s[0] == '-' ? (uint64_t)strtoll(s, NULL, 0) : strtoull(s, NULL, 0), 0};
}

bool conf_model(const struct conf_form *f, struct conf_model *m)
{
	char opcode[64] = "";
	const char *s = strchr(f->text, ' ');
	memset(m, 0, sizeof *m);
	if (!s || (size_t)(s - f->text) >= sizeof opcode || strchr(f->text, ';') || f->nout != 1)
		return false;
	memcpy(opcode, f->text, (size_t)(s - f->text));
	s = strchr(s, ',');
	for (int named = 0; s; s = strchr(s, ',')) {
		s += 1 + strspn(s + 1, " {");
		if (m->n == CONF_OPDS)
			return false;
		bool is_input = strcspn(s, ":") < strcspn(s, ",");
		m->input[m->n] = is_input ? named++ : -1;
		if (!is_input)
			m->literal[m->n] = literal(s);
		m->n++;
	}
	return model_parse(opcode, m->n, &m->op);
}

struct conf_value conf_model_eval(const struct conf_model *m, const struct conf_value *in)
{
	struct model_value v[CONF_OPDS], out;
	for (uint32_t i = 0; i < m->n; i++)
		v[i] = m->input[i] < 0 ? m->literal[i] : (struct model_value){in[m->input[i]].lo, in[m->input[i]].hi};
	out = model_apply(&m->op, v);
	return (struct conf_value){out.lo, out.hi};
}
