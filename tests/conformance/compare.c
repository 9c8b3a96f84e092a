/* Comparison of outputs, and known.txt. */
#include "../harness/files.h"
#include "compare.h"

#include <fnmatch.h>
#include <math.h>

static const char *const rule_names[RULES] = {"nan", "any", "refused"};

bool known_read(struct arena *a, const char *path, struct known_list *k)
{
	char *text = read_file(a, path, NULL), *save;
	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save)) {
		char *pattern = strchr(line, ' '), *why = strstr(line, " -- ");
		if (line[0] == '#')
			continue;
		if (!pattern || !why) {
			fprintf(stderr, "known.txt: RULE PATTERN -- REASON: %s\n", line);
			return false;
		}
		*pattern++ = 0;
		*why = 0;
		enum rule rule = 0;
		while (rule < RULES && strcmp(line, rule_names[rule]) != 0)
			rule++;
		if (rule == RULES) {
			fprintf(stderr, "known.txt: no rule %s\n", line);
			return false;
		}
		vec_push(a, &k->list, (struct known){rule, pattern, why + 4});
	}
	return text != NULL;
}

const struct known *known_of(const struct known_list *k, const char *text, bool refused)
{
	for (uint32_t i = 0; i < k->list.len; i++)
		if ((k->list.data[i].rule == K_REFUSED) == refused && !fnmatch(k->list.data[i].pattern, text, 0))
			return &k->list.data[i];
	return NULL;
}

static double element_value(enum conf_kind k, const uint8_t *p)
{
	uint16_t h;
	float s;
	double d;
	memcpy(&h, p, conf_kinds[k].bits == 16 ? 2 : 0);
	switch (k) {
	case CONF_f32:
		memcpy(&s, p, 4);
		return s;
	case CONF_f64:
		memcpy(&d, p, 8);
		return d;
	case CONF_bf16: {
		uint32_t w = (uint32_t)h << 16;
		memcpy(&s, &w, 4);
		return s;
	}
	default: {
		int e = h >> 10 & 31, m = h & 0x3ff;
		double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(m + 1024, e - 25) : ldexp(m, -24);
		return h >> 15 ? -v : v;
	}
	}
}

static double ulp(enum conf_kind k, double v)
{
	int digits = k == CONF_f32 ? 24 : k == CONF_f64 ? 53 : k == CONF_bf16 ? 8 : 11;
	int least = k == CONF_f32 ? -149 : k == CONF_f64 ? -1074 : k == CONF_bf16 ? -133 : -24, e;
	frexp(v, &e);
	return ldexp(1, e - digits < least ? least : e - digits);
}

static bool within(const struct conf_form *f, enum conf_kind k, const uint8_t *got, const uint8_t *want)
{
	if (k == CONF_f16x2 || k == CONF_bf16x2) {
		enum conf_kind half = k == CONF_f16x2 ? CONF_f16 : CONF_bf16;
		return within(f, half, got, want) && within(f, half, got + 2, want + 2);
	}
	if (!memcmp(got, want, conf_kind_bytes(k)))
		return true;
	double g = element_value(k, got), w = element_value(k, want);
	if (isnan(g) || isnan(w) || isinf(g) || isinf(w))
		return false;
	double relative = f->relative * fabs(w), units = f->units * ulp(k, w), limit = fmax(f->absolute, fmax(relative, units));
	return fabs(g - w) <= limit;
}

bool compare_outside(const struct conf_form *f, uint32_t tuple)
{
	if (!f->domain || !f->nin)
		return false;
	struct conf_value v = conf_input(conf_in(f, 0)->kind, conf_stream(f, 0), tuple);
	return fabs(element_value(conf_in(f, 0)->kind, (const uint8_t *)&v)) > f->domain;
}

static bool both_nan(enum conf_kind k, const uint8_t *got, const uint8_t *want)
{
	return (k == CONF_f32 || k == CONF_f64) && isnan(element_value(k, got)) && isnan(element_value(k, want));
}

int compare_row(const struct conf_form *f, const uint8_t *got, const uint8_t *want, const struct known *known)
{
	int worst = 0;
	if (!memcmp(got, want, f->row_bytes))
		return 0;
	for (uint32_t i = 0; i < f->nopd; i++) {
		const struct conf_opd *o = &f->opd[i];
		const uint8_t *g = got + o->offset, *w = want + o->offset;
		if (!o->out || !memcmp(g, w, conf_kind_bytes(o->kind)) || (f->bounded && within(f, o->kind, g, w)))
			continue;
		bool as_known = known && (known->rule == K_ANY || (known->rule == K_NAN && both_nan(o->kind, g, w)));
		int r = as_known ? 1 : 2;
		worst = r > worst ? r : worst;
	}
	return worst;
}

static void print_value(FILE *f, const struct conf_opd *o, struct conf_value v)
{
	int digits = o->kind == CONF_pred ? 1 : (int)conf_kinds[o->kind].bits / 4;
	if (o->kind == CONF_pred)
		v.lo &= 1;
	if (digits > 16)
		fprintf(f, " %s=0x%016llx%016llx", o->name, (unsigned long long)v.hi, (unsigned long long)v.lo);
	else
		fprintf(f, " %s=0x%0*llx", o->name, digits, (unsigned long long)v.lo);
}

static void print_outputs(FILE *out, const struct conf_form *f, const uint8_t *row)
{
	for (uint32_t i = 0; i < f->nopd; i++)
		if (f->opd[i].out) {
			struct conf_value v = {0, 0};
			memcpy(&v, row + f->opd[i].offset, conf_kind_bytes(f->opd[i].kind));
			print_value(out, &f->opd[i], v);
		}
}

void print_tuple(FILE *out, const struct conf_form *f, uint32_t t, const uint8_t *got, const uint8_t *want)
{
	fprintf(out, "  tuple %u:", t);
	for (uint32_t i = 0; i < f->nin; i++)
		print_value(out, conf_in(f, i), conf_input(conf_in(f, i)->kind, conf_stream(f, i), t));
	fprintf(out, "; got");
	print_outputs(out, f, got);
	fprintf(out, "; want");
	print_outputs(out, f, want);
	fprintf(out, "\n");
}
