/* run DIR [NAME...]: every DIR/NAME.ptx is compiled for both chips at -O0, -O3, and with hardly any LDS or scratch, and launched on the
 * simulator under several orders of its waves, once with weak memory. `// run:` holds the launch (ptx-run's options; $tmp/words: 8189 words,
 * word k holds 3 k), the `// want:` lines an awk program that prints what it must print, `// fails:` instead the text it must be
 * refused or stopped with, `// warns:` a warning of the compiler, `// shared:` the most dynamic shared memory of a launch. A program is a process. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../tools/ptx-run/run.h"
#include "../../tools/read_all.h"
#include "ptx.h"

enum { WORDS = 8189, MAX_ARGS = 64, CONFIGS = 5, SEEDS = 3, SECONDS = 300 };

static const char *const gpus[] = {"gfx1030", "gfx1100"};
static const struct {
	const char *name;
	int level;
	uint32_t max_lds, max_scratch;
} configs[CONFIGS] = {{"-O0", PTX_O0, 0, 0},
                      {"-O3", PTX_O3, 0, 0},
                      {"-O3 --max-lds=256", PTX_O3, 256, 0},
                      {"-O3 --max-scratch=256", PTX_O3, 0, 256},
                      {"-O0 --max-scratch=256 --max-lds=256", PTX_O0, 256, 256}};

struct test {
	struct arena *a;
	const char *name, *text, *run, *fails, *warns, *tmp;
	char *want;
	uint32_t shared;
	FILE *caught[2]; /* standard output and error while ptx_run runs */
	int kept[2];
	int failed;
};

static char *read_file(struct arena *a, FILE *f)
{
	size_t n;
	char *p = f ? read_all(f, &n) : NULL, *copy = p ? arena_strndup(a, p, n) : NULL;
	free(p);
	return copy;
}

/* What follows `// KEY: ` on its lines, one a line. */
static const char *lines_of(struct arena *a, const char *text, const char *key)
{
	struct strbuf sb;
	sb_init(&sb, a);
	const char *head = arena_printf(a, "// %s: ", key);
	for (const char *p = text; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
		if (!strncmp(p, head, strlen(head)))
			sb_printf(&sb, "%s%.*s", *sb_str(&sb) ? "\n" : "", (int)strcspn(p + strlen(head), "\n"), p + strlen(head));
	return *sb_str(&sb) ? sb_str(&sb) : NULL;
}

static void bad(struct test *t, const char *where, const char *why)
{
	printf("FAILED %s %s: %s\n", t->name, where, why);
	t->failed++;
}

/* The words of a shell's line: quotes, and $tmp. */
static int split(struct test *t, const char *p, char **argv)
{
	int argc = 0;
	while (p && *p) {
		struct strbuf sb;
		char quote = 0;
		sb_init(&sb, t->a);
		for (; *p && (quote || *p != ' '); p++)
			if (quote ? *p == quote : *p == '\'' || *p == '"')
				quote = quote ? 0 : *p;
			else if (!strncmp(p, "$tmp", 4))
				sb_printf(&sb, "%s", t->tmp), p += 3;
			else
				sb_printf(&sb, "%c", *p);
		argv[argc++] = (char *)sb_str(&sb);
		p += strspn(p, " ");
	}
	return argc;
}

static void catch(struct test *t)
{
	for (int k = 0; k < 2; k++) {
		fflush(k ? stderr : stdout);
		if (ftruncate(fileno(t->caught[k]), 0) || dup2(fileno(t->caught[k]), 1 + k) < 0)
			exit(125);
		rewind(t->caught[k]);
	}
}

static void release(struct test *t, const char *got[2])
{
	for (int k = 0; k < 2; k++) {
		fflush(k ? stderr : stdout);
		dup2(t->kept[k], 1 + k);
		rewind(t->caught[k]);
		struct strbuf sb;
		char buf[4096];
		sb_init(&sb, t->a);
		for (size_t n; (n = fread(buf, 1, sizeof buf, t->caught[k]));)
			sb_printf(&sb, "%.*s", (int)n, buf);
		got[k] = sb_str(&sb);
	}
}

static void launch(struct test *t, const char *where, const char *object)
{
	for (int seed = 1; seed <= SEEDS; seed++) {
		char *argv[MAX_ARGS] = {"ptx-run", "--seed", arena_printf(t->a, "%d", seed)};
		const char *got[2];
		int argc = 3;
		if (seed == SEEDS)
			argv[argc++] = "--caches";
		argc += split(t, t->run, argv + argc);
		argv[argc++] = (char *)object;
		catch(t);
		int rc = ptx_run(argc, argv);
		release(t, got);
		if (rc && t->fails && strstr(got[1], t->fails))
			continue;
		if (rc || t->fails || strcmp(got[0], t->want)) {
			bad(t, arena_printf(t->a, "%s seed %d", where, seed), rc ? got[1] : t->fails ? "ran" : "another result");
			size_t same = 0;
			while (!rc && t->want[same] && got[0][same] == t->want[same])
				same++;
			if (!rc)
				printf("from byte %zu:\n%.200s---- wanted:\n%.200s", same, got[0] + same, t->want + same);
			return;
		}
	}
}

static void compile(struct test *t, const char *gpu, int config)
{
	const char *where = arena_printf(t->a, "%s %s", gpu, configs[config].name), *path = arena_printf(t->a, "%s/object", t->tmp);
	struct ptx_options opt = {.gpu = gpu,
	                          .check = 1,
	                          .opt_level = configs[config].level,
	                          .max_lds = configs[config].max_lds,
	                          .max_scratch = configs[config].max_scratch,
	                          .dynamic_shared = t->shared};
	struct ptx_context *ctx = ptx_context_new();
	const struct ptx_output *out;
	enum ptx_status rc = ptx_compile(ctx, &opt, t->text, strlen(t->text), &out);
	bool warned = !t->warns, stopped = false;
	const char *why = "did not compile";
	for (uint32_t k = 0; k < out->ndiagnostics; k++) {
		static const char *const words[] = {"info   ", "warning", "error  ", "fatal  "};
		const struct ptx_diagnostic *d = &out->diagnostics[k];
		why = arena_printf(t->a, "line %u; %s : %s", d->line, words[d->severity], d->text);
		warned |= t->warns && strstr(why, t->warns);
		stopped |= t->fails && strstr(why, t->fails);
	}
	FILE *f = rc == PTX_OK ? fopen(path, "wb") : NULL;
	bool written = f && fwrite(out->object, 1, out->object_size, f) == out->object_size;
	if (f)
		fclose(f);
	ptx_context_free(ctx);
	if (rc != PTX_OK ? !stopped : !warned || !written)
		bad(t, where, rc != PTX_OK ? why : "no warning");
	else if (rc == PTX_OK)
		launch(t, where, path);
}

/* In a process of its own: how much failed. */
static int run_program(const char *dir, const char *name, const char *tmp)
{
	struct arena a;
	struct trap trap;
	arena_init(&a, &trap);
	if (setjmp(trap.env))
		return 125;
	struct test t = {.a = &a, .name = name, .tmp = tmp};
	t.text = read_file(&a, fopen(arena_printf(&a, "%s/%s.ptx", dir, name), "r"));
	if (!t.text)
		return 125;
	t.run = lines_of(&a, t.text, "run");
	t.fails = lines_of(&a, t.text, "fails");
	t.warns = lines_of(&a, t.text, "warns");
	const char *shared = lines_of(&a, t.text, "shared"), *awk = lines_of(&a, t.text, "want"), *script = arena_printf(&a, "%s/awk", tmp);
	t.shared = shared ? (uint32_t)strtoul(shared, NULL, 0) : 0;
	FILE *f = fopen(script, "w");
	if (!f || fprintf(f, "BEGIN { %s }\n", awk ? awk : "") < 0 || fclose(f))
		return 125;
	f = popen(arena_printf(&a, "awk -f %s </dev/null", script), "r");
	t.want = read_file(&a, f);
	if (!t.want || pclose(f))
		return 125;
	for (int k = 0; k < 2; k++) {
		t.caught[k] = tmpfile();
		t.kept[k] = dup(1 + k);
	}
	for (int g = 0; g < 2; g++)
		for (int c = 0; c < CONFIGS; c++)
			compile(&t, gpus[g], c);
	fflush(stdout);
	return t.failed;
}

static int is_ptx(const struct dirent *d)
{
	size_t n = strlen(d->d_name);
	return n > 4 && !strcmp(d->d_name + n - 4, ".ptx");
}

static bool make_words(const char *dir)
{
	char path[256];
	uint32_t words[WORDS];
	for (uint32_t k = 0; k < WORDS; k++)
		words[k] = 3 * k;
	snprintf(path, sizeof path, "%s/words", dir);
	FILE *f = fopen(path, "wb");
	bool ok = f && fwrite(words, sizeof words, 1, f) == 1;
	return f && !fclose(f) && ok;
}

int main(int argc, char **argv)
{
	char tmp[] = "/tmp/mem-run-XXXXXX", path[64];
	struct dirent **list = NULL;
	int n = argc - 2, passed = 0, failed = 0;
	if (argc < 2 || !mkdtemp(tmp) || !make_words(tmp)) {
		fprintf(stderr, "usage: run DIR [NAME]...\n");
		return 2;
	}
	if (!n)
		n = scandir(argv[1], &list, is_ptx, alphasort);
	for (int k = 0; k < n; k++) {
		char *name = list ? list[k]->d_name : argv[2 + k];
		if (list)
			name[strlen(name) - 4] = 0;
		fflush(stdout);
		pid_t pid = fork();
		if (!pid) {
			alarm(SECONDS);
			_exit(run_program(argv[1], name, tmp));
		}
		int status = -1;
		if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) > 2 * CONFIGS) {
			printf("FAILED %s: %s\n", name, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "cannot run");
			failed += 2 * CONFIGS;
			continue;
		}
		failed += WEXITSTATUS(status);
		passed += 2 * CONFIGS - WEXITSTATUS(status);
	}
	for (int k = 0; k < 3; k++) {
		snprintf(path, sizeof path, "%s/%s", tmp, (const char *const[]){"words", "object", "awk"}[k]);
		unlink(path);
	}
	rmdir(tmp);
	printf("%d passed, %d failed\n", passed, failed);
	return failed || !passed;
}
