/* Compiles every form, runs it in the simulator and compares with the recordings:
 *
 *	conformance [--dir DIR] [--family NAME]... [--only WORD] [--gpu G]... [-O0]... [--sample N] [--jobs N] [--seed N] [--check]
 *	            [--verbose]
 *	conformance --ptx FAMILY         the kernels of all its forms as PTX, each after a comment with the form
 *
 * Modules of some hundred forms run in processes of their own. --sample N takes every N-th form. */
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "by_model.h"
#include "ptx.h"
#include "sim/sim.h"

enum { MAX_WORDS = 64, MAX_JOBS = 64, MODULE = 128, CPU_S = 300, SHOWN_FORMS = 400, SHOWN_TUPLES = 3 };

enum status { S_NONE, S_EQUAL, S_KNOWN, S_REFUSED, S_DIFFERENT, S_FAULT, S_CRASH, S_UNRECORDED, S_UNVERIFIED, S_REFUSED_KNOWN, STATUSES };

static const char *const status_text[STATUSES] = {
	"was not run", "is equal", "differs as known", "is refused", "differs", "faults", "crashes the compiler", "has no recording",
	"cannot be verified", "is refused as known",
};

struct family {
	struct conf_family f;
	struct conf_table table;
	VEC(uint32_t) run; /* forms to run: known to ptxas and selected */
};

struct options {
	const char *dir, *only;
	const char *families[MAX_WORDS], *gpus[MAX_WORDS];
	int levels[4], families_n, gpus_n, levels_n, jobs;
	uint32_t sample;
	bool verbose;
	struct sim_options sim;
	struct ptx_options ptx;
};

/* A line of known.txt. */
enum rule { K_LEAST_NORMAL, K_NAN, K_ANY, K_REFUSED, RULES };

static const char *const rule_names[RULES] = {"least-normal", "nan", "any", "refused"};

struct known {
	enum rule rule;
	const char *pattern, *why;
};

static struct {
	VEC(struct known) list;
} known_rules;

/* Forms [first, first + n) of a family's list on one chip at one level. */
struct task {
	const struct family *f;
	const char *gpu;
	int level;
	uint32_t first, n;
	uint8_t *status; /* shared with the process that runs it */
	pid_t pid;
	FILE *out;
};

static const struct conf_form *form(const struct task *t, uint32_t n)
{
	return &t->f->f.forms.data[t->f->run.data[t->first + n]];
}

static const struct conf_record *record(const struct task *t, uint32_t n)
{
	return conf_find(&t->f->table, form(t, n)->text);
}

static const struct known *known_of(const char *text, bool refused)
{
	for (uint32_t i = 0; i < known_rules.list.len; i++)
		if ((known_rules.list.data[i].rule == K_REFUSED) == refused && !fnmatch(known_rules.list.data[i].pattern, text, 0))
			return &known_rules.list.data[i];
	return NULL;
}

static void verdict(struct task *t, uint32_t n, enum status s, const char *why)
{
	const struct conf_form *f = form(t, n);
	if (s == S_REFUSED && known_of(f->text, true))
		s = S_REFUSED_KNOWN;
	t->status[n] = s;
	if (s != S_REFUSED_KNOWN && s != S_EQUAL && s != S_KNOWN && s != S_UNVERIFIED)
		fprintf(t->out, "FAILED %s -O%d %s:%d: %s\n  %s%s%s\n", t->gpu, t->level, f->file, f->line, f->text, status_text[s],
		        why ? ": " : "", why ? why : "");
}

/* ---- comparison */

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

/* Whether a bound says nothing about a tuple: the first input is beyond its domain. */
static bool outside(const struct conf_form *f, uint32_t tuple)
{
	if (!f->domain || !f->nin)
		return false;
	struct conf_value v = conf_input(conf_in(f, 0)->kind, conf_stream(f, 0), tuple);
	return fabs(element_value(conf_in(f, 0)->kind, (const uint8_t *)&v)) > f->domain;
}

/* The hardware flushed what rounds up to the least normal number; element by element, equal or so. */
static bool least_normal(enum conf_kind k, const uint8_t *got, const uint8_t *want)
{
	bool half = k == CONF_f16 || k == CONF_f16x2;
	uint32_t size = half ? 2 : 4, least = half ? 0x0400 : 0x00800000, sign = half ? 0x8000 : 0x80000000;
	if (!half && k != CONF_f32 && k != CONF_f32x2)
		return false;
	for (uint32_t at = 0; at < conf_kind_bytes(k); at += size) {
		uint32_t g = 0, w = 0;
		memcpy(&g, got + at, size);
		memcpy(&w, want + at, size);
		if (g != w && ((w & ~sign) || (g ^ w) != least))
			return false;
	}
	return true;
}

static bool both_nan(enum conf_kind k, const uint8_t *got, const uint8_t *want)
{
	return (k == CONF_f32 || k == CONF_f64) && isnan(element_value(k, got)) && isnan(element_value(k, want));
}

/* 0 equal, 1 a known difference, 2 different. */
static int compare_row(const struct conf_form *f, const uint8_t *got, const uint8_t *want, const struct known *known)
{
	int worst = 0;
	if (!memcmp(got, want, f->row_bytes))
		return 0;
	for (uint32_t i = 0; i < f->nopd; i++) {
		const struct conf_opd *o = &f->opd[i];
		const uint8_t *g = got + o->offset, *w = want + o->offset;
		if (!o->out || !memcmp(g, w, conf_kind_bytes(o->kind)) || (f->bounded && within(f, o->kind, g, w)))
			continue;
		bool as_known = known && (known->rule == K_ANY || (known->rule == K_NAN && both_nan(o->kind, g, w)) ||
		                          (known->rule == K_LEAST_NORMAL && least_normal(o->kind, g, w)));
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

static void print_tuple(FILE *out, const struct conf_form *f, uint32_t t, const uint8_t *got, const uint8_t *want)
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

struct tally {
	uint32_t checked, different, known, shown;
};

static void check_row(struct task *t, const struct conf_form *f, uint32_t tuple, const uint8_t *got, const uint8_t *want,
                      struct tally *c)
{
	int r = outside(f, tuple) ? 0 : compare_row(f, got, want, known_of(f->text, false));
	c->checked++;
	c->known += r == 1;
	c->different += r == 2;
	if (r == 2 && c->shown < SHOWN_TUPLES) {
		if (!c->shown++)
			fprintf(t->out, "FAILED %s -O%d %s:%d: %s\n", t->gpu, t->level, f->file, f->line, f->text);
		print_tuple(t->out, f, tuple, got, want);
	}
}

static void by_model(struct task *t, const struct conf_form *f, const uint8_t *rows, struct tally *c)
{
	struct conf_value in[CONF_OPDS], out;
	struct conf_model m;
	conf_model(f, &m);
	for (uint32_t k = 0; k < f->tuples; k++) {
		for (uint32_t i = 0; i < f->nin; i++)
			in[i] = conf_input(conf_in(f, i)->kind, conf_stream(f, i), k);
		out = conf_model_eval(&m, in);
		check_row(t, f, k, rows + (size_t)k * f->row_bytes, (const uint8_t *)&out, c);
	}
}

static void compare(struct task *t, uint32_t n, const uint8_t *rows)
{
	const struct conf_form *f = form(t, n);
	const struct conf_record *r = record(t, n);
	struct tally c = {0};
	if (r->recorded) {
		for (uint32_t i = 0; i < r->keep; i++) {
			uint32_t k = conf_kept(f, i);
			check_row(t, f, k, rows + (size_t)k * f->row_bytes, r->rows + (size_t)i * f->row_bytes, &c);
		}
	} else {
		by_model(t, f, rows, &c);
	}
	if (c.different)
		fprintf(t->out, "  %u of %u tuples differ\n", c.different, c.checked);
	t->status[n] = c.different ? S_DIFFERENT : c.known ? S_KNOWN : S_EQUAL;
	if (r->recorded && !f->bounded && !c.different && !c.known && conf_hash(rows, (size_t)f->tuples * f->row_bytes) != r->hash) {
		const struct known *known = known_of(f->text, false);
		if (known && known->rule == K_ANY)
			t->status[n] = S_KNOWN;
		else
			verdict(t, n, S_DIFFERENT, "the kept tuples agree, the hash over all does not");
	}
}

/* ---- one module, in a process of its own */

/* Marks the forms whose kernels the diagnostics name; their number. */
static uint32_t refuse(struct task *t, const struct ptx_output *out, const uint32_t *line, uint32_t n)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < out->ndiagnostics; i++) {
		if (out->diagnostics[i].severity < PTX_SEVERITY_ERROR)
			continue;
		for (uint32_t k = n; k-- > 0;)
			if (line[k] && out->diagnostics[i].line >= line[k]) {
				if (t->status[k] == S_NONE) {
					verdict(t, k, S_REFUSED, out->diagnostics[i].text);
					found++;
				}
				break;
			}
	}
	return found;
}

static uint32_t count_lines(const char *s, size_t from, size_t to)
{
	uint32_t n = 0;
	for (size_t i = from; i < to; i++)
		n += s[i] == '\n';
	return n;
}

static const char *target_of(const struct task *t)
{
	const struct conf_record *r = record(t, 0);
	return r ? r->target : "sm_90";
}

/* Compiles until what is refused is left out; NULL where nothing is left. */
static const void *compile(struct task *t, const struct options *o, struct ptx_context *ctx, struct arena *a, size_t *size)
{
	struct ptx_options opt = o->ptx;
	opt.gpu = t->gpu;
	opt.opt_level = PTX_O0 + t->level;
	for (;;) {
		struct strbuf sb;
		uint32_t *line = NEWN(a, uint32_t, t->n), at = 1, left = 0;
		size_t seen = 0;
		sb_init(&sb, a);
		conf_prologue(&sb, "9.0", target_of(t));
		for (uint32_t i = 0; i < t->n; i++) {
			if (t->status[i] != S_NONE)
				continue;
			at += count_lines(sb.buf.data, seen, sb.buf.len);
			seen = sb.buf.len;
			line[i] = at;
			left++;
			conf_kernel(&sb, form(t, i), i);
		}
		if (!left)
			return NULL;
		const struct ptx_output *out;
		enum ptx_status st = ptx_compile(ctx, &opt, sb.buf.data, sb.buf.len, &out);
		if (st == PTX_OK) {
			*size = out->object_size;
			return out->object;
		}
		if (st == PTX_ERROR_INTERNAL && left == 1) {
			for (uint32_t i = 0; i < t->n; i++)
				if (t->status[i] == S_NONE)
					verdict(t, i, S_CRASH, out->ndiagnostics ? out->diagnostics[0].text : NULL);
			return NULL;
		}
		if (st == PTX_ERROR_INTERNAL || !refuse(t, out, line, t->n)) {
			if (st == PTX_ERROR_INTERNAL)
				_exit(2); /* in halves, then */
			for (uint32_t i = 0; i < t->n; i++)
				if (t->status[i] == S_NONE)
					verdict(t, i, S_REFUSED, out->ndiagnostics ? out->diagnostics[0].text : NULL);
			return NULL;
		}
	}
}

struct device {
	struct sim *s;
	struct arena *a;
	uint64_t column[CONF_KINDS][CONF_STREAMS][3]; /* addresses; by tuples: few, usual, all of 16 bits */
};

static uint64_t column(struct device *d, const struct conf_form *f, uint32_t input)
{
	enum conf_kind k = conf_in(f, input)->kind;
	uint32_t length = f->tuples > 1 << 15 ? 2 : f->tuples > 2048;
	uint64_t *at = &d->column[k][conf_stream(f, input)][length];
	if (!*at) {
		uint64_t bytes = (uint64_t)f->tuples * conf_kind_bytes(k);
		*at = sim_alloc(d->s, bytes, SIM_MEM_READ);
		sim_write(d->s, *at, conf_column(d->a, f, input), bytes);
	}
	return *at;
}

static void run_form(struct task *t, struct device *d, const struct sim_module *m, uint32_t n)
{
	const struct conf_form *f = form(t, n);
	char name[16];
	uint64_t args[CONF_OPDS + 1], bytes = (uint64_t)f->tuples * f->row_bytes;
	struct sim_stats stats = {0};
	struct sim_fault fault = {0};
	snprintf(name, sizeof name, "f%u", n);
	for (uint32_t i = 0; i < f->nin; i++)
		args[i] = column(d, f, i);
	uint64_t out = args[f->nin] = sim_alloc(d->s, bytes, SIM_MEM_READ | SIM_MEM_WRITE);
	struct sim_launch l = {.kernel = sim_kernel_find(m, name), .grid = {f->tuples / CONF_BLOCK, 1, 1},
	                       .block = {CONF_BLOCK, 1, 1}, .args = args, .args_size = 8 * (f->nin + 1)};
	if (!l.kernel || !sim_run(d->s, &l, &stats, &fault)) {
		verdict(t, n, S_FAULT, l.kernel ? fault.text : "no kernel in the code object");
		return;
	}
	struct arena a;
	arena_init(&a, NULL);
	uint8_t *rows = arena_alloc(&a, bytes);
	sim_read(d->s, out, rows, bytes);
	compare(t, n, rows);
	sim_dealloc(d->s, out);
	arena_free(&a);
}

static void run_task(struct task *t, const struct options *o)
{
	struct arena a;
	char err[256] = "";
	const char *why = NULL;
	struct conf_model model;
	size_t size;
	arena_init(&a, NULL);
	for (uint32_t i = 0; i < t->n; i++) {
		const struct conf_record *r = record(t, i);
		const struct conf_form *f = form(t, i);
		if (!r || (r->recorded && (r->tuples != f->tuples || r->keep != f->keep)))
			verdict(t, i, S_UNRECORDED, r ? "recorded with other numbers of tuples" : NULL);
	}
	struct ptx_context *ctx = ptx_context_new();
	const void *elf = compile(t, o, ctx, &a, &size);
	struct device d = {.s = sim_new(t->gpu, &o->sim, &why), .a = &a};
	struct sim_module *m = elf && d.s ? sim_load(d.s, elf, size, err, sizeof err) : NULL;
	for (uint32_t i = 0; elf && i < t->n; i++) {
		if (t->status[i] != S_NONE)
			continue;
		if (!m)
			verdict(t, i, S_FAULT, d.s ? err : why);
		else if (!record(t, i)->recorded && !conf_model(form(t, i), &model))
			t->status[i] = S_UNVERIFIED;
		else
			run_form(t, &d, m, i);
	}
	if (d.s)
		sim_free(d.s);
	ptx_context_free(ctx);
	arena_free(&a);
}

static void start(struct task *t, const struct options *o)
{
	static const rlim_t MEMORY = (rlim_t)3 << 30;
	t->out = tmpfile();
	fflush(stdout);
	t->pid = t->out ? fork() : -1;
	if (t->pid < 0) {
		printf("cannot start: %s\n", strerror(errno));
		exit(1);
	}
	if (t->pid)
		return;
	setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_S, CPU_S + 5});
#ifndef __SANITIZE_ADDRESS__
	setrlimit(RLIMIT_AS, &(struct rlimit){MEMORY, MEMORY});
#endif
	run_task(t, o);
	fflush(t->out);
	_exit(0);
}

/* What is left of a task whose process died: halves of what it did not finish; a single form is what kills it. */
static void split(struct task *t, struct arena *a, struct task **queue, uint32_t *n, uint32_t *cap)
{
	uint32_t left = t->n;
	if (t->n == 1) {
		verdict(t, 0, S_CRASH, NULL);
		return;
	}
	for (uint32_t at = 0; at < t->n; at += left) {
		left = at ? t->n - at : t->n / 2;
		if (*n == *cap)
			*queue = vec_grow(a, *queue, cap, *n + 1, sizeof **queue);
		(*queue)[*n] = *t;
		(*queue)[*n].first = t->first + at;
		(*queue)[*n].n = left;
		(*queue)[*n].status = t->status + at;
		memset(t->status + at, S_NONE, left);
		++*n;
	}
}

static void show(struct task *t, const struct options *o, uint32_t *shown)
{
	static char line[8192];
	rewind(t->out);
	while (fgets(line, sizeof line, t->out)) {
		*shown += !strncmp(line, "FAILED", 6);
		if (o->verbose || *shown <= SHOWN_FORMS)
			fputs(line, stdout);
	}
	fclose(t->out);
}

static void run_all(const struct options *o, struct arena *a, struct task *queue, uint32_t n, uint32_t cap)
{
	uint32_t next = 0, running = 0, shown = 0;
	while (next < n || running) {
		while (next < n && running < (uint32_t)o->jobs) {
			start(&queue[next++], o);
			running++;
		}
		int status;
		pid_t pid = wait(&status);
		for (uint32_t i = 0; i < next; i++) {
			struct task t = queue[i];
			if (pid <= 0 || t.pid != pid)
				continue;
			queue[i].pid = 0;
			running--;
			if (!WIFEXITED(status) || WEXITSTATUS(status))
				split(&t, a, &queue, &n, &cap);
			if ((WIFEXITED(status) && !WEXITSTATUS(status)) || t.n == 1)
				show(&t, o, &shown);
			else
				fclose(t.out);
			break;
		}
	}
	if (shown > SHOWN_FORMS && !o->verbose)
		printf("... and %u more (--verbose shows them)\n", shown - SHOWN_FORMS);
}

/* ---- what to run */

static bool listed(const char *const *list, int n, const char *word)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(list[i], word))
			return true;
	return n == 0;
}

static bool read_family(struct arena *a, const struct options *o, const char *name, struct family *f)
{
	char err[256];
	if (!conf_read_family(a, o->dir, name, &f->f, err)) {
		printf("%s\n", err);
		return false;
	}
	if (!conf_table_read(a, arena_printf(a, "%s/%s.golden.zst", o->dir, name), &f->f, &f->table, err)) {
		printf("%s\n", err);
		return false;
	}
	uint32_t at = 0;
	for (uint32_t i = 0; i < f->f.forms.len; i++) {
		const char *text = f->f.forms.data[i].text;
		const struct conf_record *r = conf_find(&f->table, text);
		if (r && !strcmp(r->target, "-"))
			continue;
		if ((!o->only || strstr(text, o->only)) && at++ % o->sample == 0)
			vec_push(a, &f->run, i);
	}
	return true;
}

static bool read_known(struct arena *a, const struct options *o)
{
	char *text = conf_read_file(a, arena_printf(a, "%s/known.txt", o->dir), NULL), *save;
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
		vec_push(a, &known_rules.list, (struct known){rule, pattern, why + 4});
	}
	return text != NULL;
}

/* Modules hold one target each, so that a refusal names forms only. */
static void add_tasks(struct arena *a, const struct options *o, const struct family *f, uint8_t *status, const char *gpu, int level,
                      struct task **queue, uint32_t *n, uint32_t *cap)
{
	(void)o;
	for (uint32_t i = 0, end; i < f->run.len; i = end) {
		const struct conf_record *r = conf_find(&f->table, f->f.forms.data[f->run.data[i]].text);
		for (end = i + 1; end < f->run.len && end - i < MODULE; end++) {
			const struct conf_record *s = conf_find(&f->table, f->f.forms.data[f->run.data[end]].text);
			if (!r != !s || (r && strcmp(r->target, s->target) != 0))
				break;
		}
		if (*n == *cap)
			*queue = vec_grow(a, *queue, cap, *n + 1, sizeof **queue);
		(*queue)[(*n)++] = (struct task){f, gpu, level, i, end - i, status + i, 0, NULL};
	}
}

static void report(const struct family *f, const uint8_t *status, const char *gpu, int level, uint32_t total[3])
{
	uint32_t count[STATUSES] = {0};
	for (uint32_t i = 0; i < f->run.len; i++)
		count[status[i]]++;
	uint32_t forms = f->run.len, taken = forms - count[S_REFUSED] - count[S_REFUSED_KNOWN] - count[S_CRASH] - count[S_UNRECORDED];
	uint32_t equal = count[S_EQUAL];
	printf("%-14s %s -O%d: %5u known to ptxas, %5u taken, %5u equal", f->f.name, gpu, level, forms, taken, equal);
	if (count[S_KNOWN])
		printf(", %u with known differences", count[S_KNOWN]);
	if (count[S_REFUSED_KNOWN])
		printf(", %u refused as listed", count[S_REFUSED_KNOWN]);
	if (count[S_UNVERIFIED])
		printf(", %u unverified", count[S_UNVERIFIED]);
	if (count[S_DIFFERENT] + count[S_FAULT])
		printf(", %u different", count[S_DIFFERENT] + count[S_FAULT]);
	printf("\n");
	total[0] += equal + count[S_KNOWN];
	total[2] += count[S_UNVERIFIED] + count[S_REFUSED_KNOWN];
	total[1] += forms - equal - count[S_KNOWN] - count[S_UNVERIFIED] - count[S_REFUSED_KNOWN];
}

static int run_families(struct arena *a, const struct options *o, const char **names, int n)
{
	struct family *f = NEWN(a, struct family, n);
	struct task *queue = NULL;
	uint32_t tasks = 0, cap = 0, total[3] = {0}, forms = 0;
	int families = 0;
	for (int i = 0; i < n; i++) {
		if (!listed(o->families, o->families_n, names[i]))
			continue;
		if (!read_family(a, o, names[i], &f[families]))
			return 1;
		forms += f[families++].run.len;
	}
	uint32_t configs = (uint32_t)(o->gpus_n * o->levels_n), c = 0;
	uint8_t *status = mmap(NULL, (size_t)forms * configs + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), *s = status;
	for (int i = 0; i < families; i++)
		for (c = 0; c < configs; c++, s += f[i].run.len)
			add_tasks(a, o, &f[i], s, o->gpus[c % (uint32_t)o->gpus_n], o->levels[c / (uint32_t)o->gpus_n], &queue, &tasks, &cap);
	run_all(o, a, queue, tasks, cap);
	s = status;
	for (int i = 0; i < families; i++)
		for (c = 0; c < configs; c++, s += f[i].run.len)
			report(&f[i], s, o->gpus[c % (uint32_t)o->gpus_n], o->levels[c / (uint32_t)o->gpus_n], total);
	if (total[2])
		printf("skipped: %u forms that need sm_100 or later and have no host model, or are refused (known.txt)\n", total[2]);
	printf("%u passed, %u failed, %u skipped\n", total[0], total[1], total[2]);
	return total[1] || !total[0];
}

static int print_ptx(struct arena *a, const struct options *o, const char *name)
{
	struct conf_family f;
	struct strbuf sb;
	char err[256];
	if (!conf_read_family(a, o->dir, name, &f, err)) {
		fprintf(stderr, "%s\n", err);
		return 1;
	}
	sb_init(&sb, a);
	for (uint32_t i = 0; i < f.forms.len; i++) {
		sb_printf(&sb, "// %s\n", f.forms.data[i].text);
		conf_kernel(&sb, &f.forms.data[i], i);
	}
	fwrite(sb.buf.data, 1, sb.buf.len, stdout);
	return 0;
}

static bool parse_options(struct options *o, int argc, char **argv, const char **ptx)
{
	for (int i = 1; i < argc; i++) {
		const char *k = argv[i], *v = i + 1 < argc ? argv[i + 1] : NULL;
		if (!strcmp(k, "--verbose"))
			o->verbose = true;
		else if (!strcmp(k, "--check"))
			o->ptx.check = 1;
		else if (!strncmp(k, "-O", 2) && k[2] >= '0' && k[2] <= '3' && !k[3] && o->levels_n < 4)
			o->levels[o->levels_n++] = k[2] - '0';
		else if (!v)
			return false;
		else if (!strcmp(k, "--dir") && ++i)
			o->dir = v;
		else if (!strcmp(k, "--ptx") && ++i)
			*ptx = v;
		else if (!strcmp(k, "--only") && ++i)
			o->only = v;
		else if (!strcmp(k, "--family") && ++i && o->families_n < MAX_WORDS)
			o->families[o->families_n++] = v;
		else if (!strcmp(k, "--gpu") && ++i && o->gpus_n < MAX_WORDS)
			o->gpus[o->gpus_n++] = v;
		else if (!strcmp(k, "--sample") && ++i)
			o->sample = (uint32_t)strtoul(v, NULL, 0);
		else if (!strcmp(k, "--jobs") && ++i)
			o->jobs = atoi(v);
		else if (!strcmp(k, "--seed") && ++i)
			o->sim.seed = strtoull(v, NULL, 0);
		else
			return false;
	}
	return o->jobs > 0 && o->jobs <= MAX_JOBS && o->sample > 0;
}

int main(int argc, char **argv)
{
	struct options o = {.dir = "tests/conformance", .jobs = 2, .sample = 1};
	const char *ptx = NULL, **names;
	struct arena a;
	arena_init(&a, NULL);
	if (!parse_options(&o, argc, argv, &ptx)) {
		fprintf(stderr, "usage: conformance [--dir DIR] [--family NAME]... [--only WORD] [--gpu GFX]... [-O0..-O3]... [--sample N]\n"
		                "                   [--jobs N] [--seed N] [--check] [--verbose] | --ptx FAMILY\n");
		return 2;
	}
	if (ptx)
		return print_ptx(&a, &o, ptx);
	if (!o.gpus_n) {
		o.gpus[o.gpus_n++] = "gfx1030";
		o.gpus[o.gpus_n++] = "gfx1100";
	}
	if (!o.levels_n) {
		o.levels[o.levels_n++] = 0;
		o.levels[o.levels_n++] = 3;
	}
	int n = conf_family_names(&a, o.dir, &names);
	if (n <= 0) {
		fprintf(stderr, "no families in %s\n", o.dir);
		return 2;
	}
	int rc = read_known(&a, &o) ? run_families(&a, &o, names, n) : 2;
	arena_free(&a);
	return rc;
}
