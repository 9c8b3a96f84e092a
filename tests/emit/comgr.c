/* comgr FILE GPU KERNEL...: what ROCm's code object manager reads from a code object: ISA name, metadata version, the kernels. Opens
 * libamd_comgr at run time; its interface is declared here. Prints ok; skipped: ...; unknown where comgr finds no chip that it knows. */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct handle {
	uint64_t h;
};
enum { KIND_EXECUTABLE = 8, SUCCESS = 0 };

static int (*create_data)(int kind, struct handle *data);
static int (*set_data)(struct handle data, size_t n, const char *bytes);
static int (*isa_name)(struct handle data, size_t *n, char *name);
static int (*get_metadata)(struct handle data, struct handle *node);
static int (*lookup)(struct handle node, const char *key, struct handle *out);
static int (*list_size)(struct handle node, size_t *n);
static int (*list_at)(struct handle node, size_t k, struct handle *out);
static int (*get_string)(struct handle node, size_t *n, char *s);
static int (*symbol_lookup)(struct handle data, const char *name, struct handle *sym);

static const struct {
	void *fn;
	const char *name;
} functions[] = {
	{&create_data, "amd_comgr_create_data"}, {&set_data, "amd_comgr_set_data"}, {&isa_name, "amd_comgr_get_data_isa_name"},
	{&get_metadata, "amd_comgr_get_data_metadata"}, {&lookup, "amd_comgr_metadata_lookup"},
	{&list_size, "amd_comgr_get_metadata_list_size"}, {&list_at, "amd_comgr_index_list_metadata"},
	{&get_string, "amd_comgr_get_metadata_string"}, {&symbol_lookup, "amd_comgr_symbol_lookup"},
};

static void die(const char *what)
{
	printf("comgr: %s\n", what);
	exit(1);
}

static void check(int status, const char *what)
{
	if (status != SUCCESS)
		die(what);
}

static void string_of(struct handle node, char *buf, size_t size)
{
	size_t n = 0;
	check(get_string(node, &n, NULL), "a string's size");
	if (n > size)
		die("a string is too long");
	check(get_string(node, &n, buf), "a string");
}

static void check_kernel(struct handle data, struct handle kernels, size_t k, const char *want)
{
	struct handle kernel, node, args;
	char buf[256], kd[300];
	size_t n;
	check(list_at(kernels, k, &kernel), "a kernel");
	check(lookup(kernel, ".name", &node), ".name");
	string_of(node, buf, sizeof buf);
	if (strcmp(buf, want))
		die("another kernel's name");
	check(lookup(kernel, ".symbol", &node), ".symbol");
	string_of(node, buf, sizeof buf);
	snprintf(kd, sizeof kd, "%s.kd", want);
	if (strcmp(buf, kd))
		die("another descriptor's name");
	check(symbol_lookup(data, buf, &node), "the descriptor's symbol");
	check(lookup(kernel, ".args", &args), ".args");
	check(list_size(args, &n), ".args is no list");
	check(lookup(kernel, ".kernarg_segment_size", &node), ".kernarg_segment_size");
	check(lookup(kernel, ".vgpr_count", &node), ".vgpr_count");
}

int main(int argc, char **argv)
{
	void *lib = dlopen("libamd_comgr.so.2", RTLD_NOW);
	static char bytes[1 << 22], name[256], want[256];
	struct handle data, meta, kernels;
	size_t n, size;
	if (!lib) {
		printf("skipped: libamd_comgr.so.2 is not installed\n");
		return 0;
	}
	for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
		void *p = dlsym(lib, functions[k].name);
		if (!p)
			die(functions[k].name);
		memcpy(functions[k].fn, &p, sizeof p);
	}
	FILE *in = argc > 2 ? fopen(argv[1], "rb") : NULL;
	if (!in)
		die("usage: comgr FILE GPU KERNEL...");
	size = fread(bytes, 1, sizeof bytes, in);
	fclose(in);
	check(create_data(KIND_EXECUTABLE, &data), "create_data");
	check(set_data(data, size, bytes), "set_data");
	const char *as = "";
	n = sizeof name;
	if (isa_name(data, &n, name) != SUCCESS) { /* a comgr from before code object v5; v4 differs in the ABI version alone */
		bytes[8] = 2;
		as = " as v4";
		check(create_data(KIND_EXECUTABLE, &data), "create_data");
		check(set_data(data, size, bytes), "set_data");
		n = sizeof name;
		if (isa_name(data, &n, name) != SUCCESS) {
			printf("unknown\n");
			return 0;
		}
	}
	snprintf(want, sizeof want, "amdgcn-amd-amdhsa--%s", argv[2]);
	if (strcmp(name, want))
		die(name);
	check(get_metadata(data, &meta), "metadata");
	check(lookup(meta, "amdhsa.kernels", &kernels), "amdhsa.kernels");
	check(list_size(kernels, &n), "the number of kernels");
	if (n != (size_t)argc - 3)
		die("another number of kernels");
	for (size_t k = 0; k < n; k++)
		check_kernel(data, kernels, k, argv[k + 3]);
	printf("ok%s\n", as);
	return 0;
}
