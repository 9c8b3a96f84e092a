/* Compiles every form, runs it in the simulator and compares with the recordings:
 *
 *	conformance [--dir DIR] [--family NAME]... [--only WORD] [--gpu G]... [-O0]... [--sample N] [--jobs N] [--seed N] [--check]
 *	            [--verbose] [--tiny HOW] [--ftz-exact]
 *	conformance --ptx FAMILY         the kernels of all its forms as PTX, each after a comment with the form
 *
 * --tiny unbounded|grid|before: when the simulator takes a product for subnormal (sim.h); --ftz-exact: compiled so that this does not matter.
 * Modules of some hundred forms run in processes of their own. --sample N takes every N-th form. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "by_model.h"
#include "compare.h"
#include "ptx.h"
#include "sim/sim.h"

enum { MAX_WORDS = 64, MAX_JOBS = 64, MODULE = 128, CPU_S = 300, SHOWN_FORMS = 400, SHOWN_TUPLES = 3 };
enum { UNIFORM_TUPLES = 128, UNIFORM_BLOCK = 32 };

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
	struct known_list known;
};

/* Forms [first, first + n) of a family's list on one chip at one level. */
struct task {
	const struct family *f;
	const char *gpu;
	const struct options *o;
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

/* A form without inputs, or of the thread's number, is fed by lanes alone; one with a single input has no other parity. */
static bool is_fed(const struct conf_form *f, enum conf_feed feed)
{
	if (feed == CONF_LANES)
		return true;
	return f->nin && !strchr(f->text, '%') && (feed == CONF_UNIFORM || f->nin > 1);
}

static void verdict(struct task *t, uint32_t n, enum status s, const char *why)
{
	const struct conf_form *f = form(t, n);
	if (s == S_REFUSED && known_of(&t->o->known, f->text, true))
		s = S_REFUSED_KNOWN;
	t->status[n] = s;
	if (s != S_REFUSED_KNOWN && s != S_EQUAL && s != S_KNOWN && s != S_UNVERIFIED)
		fprintf(t->out, "FAILED %s -O%d %s:%d: %s\n  %s%s%s\n", t->gpu, t->level, f->file, f->line, f->text, status_text[s],
		        why ? ": " : "", why ? why : "");
}

/* ---- comparison */

struct tally {
	enum conf_feed feed;
	uint32_t checked, different, known, shown;
};

static const char *const feed_text[CONF_FEEDS] = {"", ", uniform inputs", ", even inputs by lane", ", odd inputs by lane"};

static void check_row(struct task *t, const struct conf_form *f, uint32_t tuple, const uint8_t *got, const uint8_t *want,
                      struct tally *c)
{
	int r = compare_outside(f, tuple) ? 0 : compare_row(f, got, want, known_of(&t->o->known, f->text, false));
	c->checked++;
	c->known += r == 1;
	c->different += r == 2;
	if (r == 2 && c->shown < SHOWN_TUPLES) {
		if (!c->shown++)
			fprintf(t->out, "FAILED %s -O%d %s:%d: %s\n  differs%s\n", t->gpu, t->level, f->file, f->line, f->text, feed_text[c->feed]);
		print_tuple(t->out, f, tuple, got, want);
	}
}

static void model_row(const struct conf_form *f, const struct conf_model *m, uint32_t tuple, uint8_t *row)
{
	struct conf_value in[CONF_OPDS], out;
	for (uint32_t i = 0; i < f->nin; i++)
		in[i] = conf_input(conf_in(f, i)->kind, conf_stream(f, i), tuple);
	out = conf_model_eval(m, in);
	memcpy(row, &out, f->row_bytes);
}

/* How many outputs are compared: those that the recording keeps, fed uniformly as many as there are blocks. */
static uint32_t compared(const struct conf_form *f, enum conf_feed feed)
{
	return feed == CONF_LANES || f->keep < UNIFORM_TUPLES ? f->keep : UNIFORM_TUPLES;
}

static void compare(struct task *t, uint32_t n, enum conf_feed feed, const uint8_t *rows)
{
	const struct conf_form *f = form(t, n);
	const struct conf_record *r = record(t, n);
	struct conf_model model;
	struct tally c = {.feed = feed};
	uint8_t want[CONF_OPDS * sizeof(struct conf_value)];
	if (!r->recorded)
		conf_model(f, &model);
	for (uint32_t i = 0; i < compared(f, feed); i++) {
		uint32_t k = conf_kept(f, i);
		if (!r->recorded)
			model_row(f, &model, k, want);
		check_row(t, f, k, rows + (size_t)k * f->row_bytes, r->recorded ? r->rows + (size_t)i * f->row_bytes : want, &c);
	}
	if (c.different)
		fprintf(t->out, "  %u of %u tuples differ\n", c.different, c.checked);
	enum status s = c.different ? S_DIFFERENT : c.known ? S_KNOWN : S_EQUAL;
	if (s == S_EQUAL && feed == CONF_LANES && r->recorded && !f->bounded &&
	    conf_hash(rows, (size_t)f->tuples * f->row_bytes) != r->hash) {
		const struct known *known = known_of(&t->o->known, f->text, false);
		s = known && known->rule == K_ANY ? S_KNOWN : S_DIFFERENT;
		if (s == S_DIFFERENT)
			verdict(t, n, s, "the kept tuples agree, the hash over all does not");
	}
	if (s > t->status[n])
		t->status[n] = (uint8_t)s;
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
			for (enum conf_feed feed = CONF_LANES; feed < CONF_FEEDS; feed++)
				if (is_fed(form(t, i), feed))
					conf_kernel(&sb, form(t, i), i, feed);
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
	uint64_t zeros;
	uint64_t column[CONF_KINDS][CONF_STREAMS][2][3]; /* addresses; fed by lanes or not; by tuples: few, usual, all of 16 bits */
};

static uint64_t column(struct device *d, const struct conf_form *f, uint32_t input, enum conf_feed feed)
{
	enum conf_kind k = conf_in(f, input)->kind;
	uint32_t length = f->tuples > 1 << 15 ? 2 : f->tuples > 2048;
	uint64_t *at = &d->column[k][conf_stream(f, input)][feed != CONF_LANES][length];
	if (!*at) {
		uint64_t bytes = (uint64_t)f->tuples * conf_stride(k, feed);
		*at = sim_alloc(d->s, bytes, SIM_MEM_READ);
		sim_write(d->s, *at, conf_column(d->a, f, input, feed), bytes);
	}
	return *at;
}

static void run_form(struct task *t, struct device *d, const struct sim_module *m, uint32_t n, enum conf_feed feed)
{
	const struct conf_form *f = form(t, n);
	char name[16];
	uint64_t args[CONF_OPDS + 3], bytes = (uint64_t)f->tuples * f->row_bytes;
	uint32_t nargs = f->nin, blocks = feed == CONF_LANES ? f->tuples / CONF_BLOCK : compared(f, feed);
	struct sim_stats stats = {0};
	struct sim_fault fault = {0};
	struct arena a;
	arena_init(&a, NULL);
	snprintf(name, sizeof name, "%c%u", conf_feed_letter[feed], n);
	for (uint32_t i = 0; i < f->nin; i++)
		args[i] = column(d, f, i, feed);
	uint64_t out = args[nargs++] = sim_alloc(d->s, bytes, SIM_MEM_READ | SIM_MEM_WRITE), list = 0;
	if (feed != CONF_LANES) {
		uint32_t *tuples = NEWN(&a, uint32_t, blocks);
		for (uint32_t i = 0; i < blocks; i++)
			tuples[i] = conf_kept(f, i);
		list = args[nargs++] = sim_alloc(d->s, 4 * blocks, SIM_MEM_READ);
		sim_write(d->s, list, tuples, 4 * blocks);
		args[nargs++] = d->zeros;
	}
	struct sim_launch l = {.kernel = sim_kernel_find(m, name), .grid = {blocks, 1, 1},
	                       .block = {feed == CONF_LANES ? CONF_BLOCK : UNIFORM_BLOCK, 1, 1}, .args = args, .args_size = 8 * nargs};
	if (!l.kernel || !sim_run(d->s, &l, &stats, &fault)) {
		verdict(t, n, S_FAULT, l.kernel ? fault.text : "no kernel in the code object");
	} else {
		uint8_t *rows = arena_alloc(&a, bytes);
		sim_read(d->s, out, rows, bytes);
		compare(t, n, feed, rows);
	}
	sim_dealloc(d->s, out);
	if (list)
		sim_dealloc(d->s, list);
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
	if (d.s)
		d.zeros = sim_alloc(d.s, 4 * UNIFORM_BLOCK, SIM_MEM_READ);
	struct sim_module *m = elf && d.s ? sim_load(d.s, elf, size, err, sizeof err) : NULL;
	for (uint32_t i = 0; elf && i < t->n; i++) {
		if (t->status[i] != S_NONE)
			continue;
		if (!m)
			verdict(t, i, S_FAULT, d.s ? err : why);
		else if (!record(t, i)->recorded && !conf_model(form(t, i), &model))
			t->status[i] = S_UNVERIFIED;
		else
			for (enum conf_feed feed = CONF_LANES; feed < CONF_FEEDS && t->status[i] <= S_KNOWN; feed++)
				if (is_fed(form(t, i), feed))
					run_form(t, &d, m, i, feed);
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

/* Modules hold one target each, so that a refusal names forms only. */
static void add_tasks(struct arena *a, const struct options *o, const struct family *f, uint8_t *status, const char *gpu, int level,
                      struct task **queue, uint32_t *n, uint32_t *cap)
{
	for (uint32_t i = 0, end; i < f->run.len; i = end) {
		const struct conf_record *r = conf_find(&f->table, f->f.forms.data[f->run.data[i]].text);
		for (end = i + 1; end < f->run.len && end - i < MODULE; end++) {
			const struct conf_record *s = conf_find(&f->table, f->f.forms.data[f->run.data[end]].text);
			if (!r != !s || (r && strcmp(r->target, s->target) != 0))
				break;
		}
		if (*n == *cap)
			*queue = vec_grow(a, *queue, cap, *n + 1, sizeof **queue);
		(*queue)[(*n)++] = (struct task){f, gpu, o, level, i, end - i, status + i, 0, NULL};
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
		conf_kernel(&sb, &f.forms.data[i], i, CONF_LANES);
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
		else if (!strcmp(k, "--ftz-exact"))
			o->ptx.ftz = PTX_FTZ_EXACT;
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
		else if (!strcmp(k, "--tiny") && ++i && sim_tiny_named(v, &o->sim.tiny))
			;
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
	int rc = known_read(&a, arena_printf(&a, "%s/known.txt", o.dir), &o.known) ? run_families(&a, &o, names, n) : 2;
	arena_free(&a);
	return rc;
}
