/* Compiles by running ptxas-amd, which lies in $PTXAS_AMD or build/. */
#include "product.h"

#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

const void *product_compile(struct arena *a, const char *path, const char *ptx, size_t size, const char *gpu,
                            size_t *elf_size, FILE *f)
{
	(void)ptx, (void)size;
	const char *tool = getenv("PTXAS_AMD") ? getenv("PTXAS_AMD") : "build/ptxas-amd";
	char out[] = "/tmp/corpus.XXXXXX", log[] = "/tmp/corpus.XXXXXX";
	int out_fd = mkstemp(out), log_fd = mkstemp(log), status = -1;
	pid_t pid;
	const char *argv[] = {tool, "--gpu-name", gpu, "-o", out, path, NULL};
	const void *elf = NULL;
	posix_spawn_file_actions_t fa;
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_adddup2(&fa, log_fd, 1);
	posix_spawn_file_actions_adddup2(&fa, log_fd, 2);
	int rc = posix_spawn(&pid, tool, &fa, NULL, (char **)argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	if (rc != 0)
		fprintf(f, "  %s: %s\n", tool, strerror(rc));
	else if (waitpid(pid, &status, 0) == pid && status == 0)
		elf = read_file(a, out, elf_size);
	if (rc == 0 && status != 0) {
		size_t n = 0;
		char *text = read_file(a, log, &n);
		fprintf(f, "  %s ended with status %d:\n%.*s", tool, status, (int)n, text ? text : "");
	}
	close(out_fd);
	close(log_fd);
	unlink(out);
	unlink(log);
	return elf;
}
