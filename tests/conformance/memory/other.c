/* Asynchronous copies, addresses, hints, fences. */
#include "memory.h"

/* ---- cp.async: the thread's slot of shared memory from a slot of the input */

struct copy {
	const char *cache, *hint;
	uint32_t bytes;
	int shape; /* 0 plain, 1 with a source size, 2 with a predicate that ignores the source */
	int wait;  /* 0 wait_all, 1 a group, 2 two groups */
};

static void one_copy(struct mem_forms *f, const struct copy *k)
{
	static const char *const shapes[] = {"", ", source size", ", ignore source"}, *const waits[] = {"wait_all", "wait_group", "two groups"};
	struct mem_code c;
	mem_begin(&c, f);
	mem_slot(&c, MEM_SHARED, false, 0);
	sb_puts(&c.body, "mul.wide.u32 %rd9, %r3, 32;\nadd.u64 %rd9, %rd1, %rd9;\n");
	const char *more = "";
	if (k->shape == 1) {
		sb_printf(&c.body, "and.b32 %%r10, %%r2, %u;\n", k->bytes == 16 ? 15 : k->bytes == 8 ? 7 : 3);
		more = ", %r10";
	} else if (k->shape == 2) {
		sb_puts(&c.body, "and.b32 %r10, %r2, 1;\nsetp.ne.u32 %p1, %r10, 0;\n");
		more = ", %p1";
	}
	for (int n = 0; n < (k->wait == 2 ? 2 : 1); n++) {
		sb_printf(&c.body, "cp.async.%s.shared.global%s [%%rd4+%u], [%%rd9+%u], %u%s;\n", k->cache, k->hint, n * 16, 16 - n * 16,
		          k->bytes, more);
		if (k->wait)
			sb_puts(&c.body, "cp.async.commit_group;\n");
	}
	if (k->wait == 2)
		sb_puts(&c.body, "cp.async.wait_group 1;\nld.shared.b32 %r11, [%rd4];\n");
	sb_puts(&c.body, k->wait ? "cp.async.wait_group 0;\n" : "cp.async.wait_all;\n");
	sb_puts(&c.body, "bar.sync 0;\nxor.b32 %r9, %r0, 33;\nsub.s32 %r9, %r9, %r0;\nmul.wide.s32 %rd6, %r9, 32;\nadd.s64 %rd4, %rd4, %rd6;\n");
	mem_copy_out(&c, MEM_SHARED);
	mem_end(&c, "cp.async.%s.shared.global%s %u%s, %s", k->cache, k->hint, k->bytes, shapes[k->shape], waits[k->wait]);
}

static void copies(struct mem_forms *f)
{
	static const char *const hints[] = {"", ".L2::64B", ".L2::128B", ".L2::256B"};
	f->group = "cp.async";
	for (uint32_t bytes = 4; bytes <= 16; bytes *= 2)
		for (int cg = 0; cg < (bytes == 16 ? 2 : 1); cg++)
			for (uint32_t h = 0; h < 4; h++)
				for (int s = 0; s < 3; s++)
					for (int w = 0; w < 3; w++)
						one_copy(f, &(struct copy){cg ? "cg" : "ca", hints[h], bytes, s, w});
}

/* ---- addresses */

static void addresses(struct mem_forms *f)
{
	static const char *const asked[] = {"global", "shared", "local", "const", "param", "shared::cta", "shared::cluster"};
	f->group = "isspacep";
	for (uint32_t s = MEM_G_GLOBAL; s < MEM_SPACES; s++)
		for (uint32_t k = 0; k < 7; k++) {
			struct mem_code c;
			mem_begin(&c, f);
			mem_slot(&c, s, true, 0);
			sb_printf(&c.body, "isspacep.%s %%p1, %%rd4;\nselp.u32 %%r10, 1, 0, %%p1;\nst.global.u32 [%%rd3], %%r10;\n", asked[k]);
			mem_end(&c, "isspacep.%s (%s)", asked[k], mem_space_names[s]);
		}
	f->group = "cvta";
	for (uint32_t s = MEM_G_GLOBAL; s < MEM_SPACES; s++) {
		struct mem_code c;
		enum mem_space u = mem_under(s);
		mem_begin(&c, f);
		mem_slot(&c, s, true, 0);
		sb_printf(&c.body, "cvta.to%s.u64 %%rd4, %%rd4;\n", mem_suffix(u));
		mem_copy_out(&c, u);
		mem_end(&c, "cvta.to%s.u64 (%s)", mem_suffix(u), mem_space_names[u]);
	}
}

/* A generic pointer that is one of two spaces' by lane, through a select, a phi, or memory. */
static void mixed_pointers(struct mem_forms *f)
{
	static const enum mem_space pairs[][2] = {{MEM_GLOBAL, MEM_SHARED}, {MEM_SHARED, MEM_LOCAL}, {MEM_GLOBAL, MEM_LOCAL}, {MEM_GVAR, MEM_CONST},
	                                          {MEM_SHARED, MEM_DYNAMIC}, {MEM_GLOBAL, MEM_PARAM}};
	static const char *const ways[] = {"select", "branch", "memory"};
	f->group = "mixed pointer";
	for (uint32_t p = 0; p < 6; p++)
		for (int way = 0; way < 3; way++)
			for (int whole = 0; whole < 2; whole++) { /* by wave or by lane */
				struct mem_code c;
				mem_begin(&c, f);
				mem_slot(&c, pairs[p][0] + MEM_G_GLOBAL, true, 0);
				sb_puts(&c.body, "mov.u64 %rd12, %rd4;\n");
				mem_slot(&c, pairs[p][1] + MEM_G_GLOBAL, true, 0);
				sb_printf(&c.body, "and.b32 %%r12, %%r0, %d;\nsetp.ne.u32 %%p2, %%r12, 0;\n", whole ? 32 : 1);
				if (way == 0)
					sb_puts(&c.body, "selp.b64 %rd4, %rd12, %rd4, %p2;\n");
				else if (way == 1)
					sb_puts(&c.body, "@%p2 bra OTHER;\nadd.u64 %rd4, %rd4, 4;\nbra JOIN;\nOTHER:\nadd.u64 %rd4, %rd12, 4;\nJOIN:\n"
					                 "sub.u64 %rd4, %rd4, 4;\n");
				else
					sb_puts(&c.body, ".local .align 8 .b64 table[2];\nst.local.b64 [table], %rd4;\nst.local.b64 [table+8], %rd12;\n"
					                 "mov.u64 %rd13, table;\nselp.b64 %rd14, 8, 0, %p2;\nadd.u64 %rd13, %rd13, %rd14;\n"
					                 "ld.local.b64 %rd4, [%rd13];\n");
				mem_copy_out(&c, MEM_G_GLOBAL);
				mem_end(&c, "%s or %s by %s, %s", mem_space_names[pairs[p][0]], mem_space_names[pairs[p][1]], whole ? "wave" : "lane",
				        ways[way]);
			}
}

/* ---- statements that do not change what the slot holds */

static void around(struct mem_forms *f, enum mem_space s, const char *before, const char *statement)
{
	struct mem_code c;
	mem_begin(&c, f);
	mem_slot(&c, s, true, 0);
	sb_printf(&c.body, "%s%s;\n", before, statement);
	mem_copy_out(&c, s);
	mem_end(&c, "%s", statement);
}

static void hints(struct mem_forms *f)
{
	static const char *const statements[] = {
		"prefetch.global.L1 [%rd4]", "prefetch.global.L2 [%rd4]", "prefetch.L1 [%rd4]", "prefetch.L2 [%rd4]", "prefetchu.L1 [%rd4]",
		"prefetch.global.L2::evict_last [%rd4]", "prefetch.global.L2::evict_normal [%rd4]",
		"applypriority.global.L2::evict_normal [%rd1], 128",
		"membar.cta", "membar.gl", "membar.sys", "fence.acq_rel.cta", "fence.acq_rel.cluster", "fence.acq_rel.gpu", "fence.acq_rel.sys",
		"fence.sc.cta", "fence.sc.cluster", "fence.sc.gpu", "fence.sc.sys", "fence.cta", "fence.gpu", "fence.acquire.gpu", "fence.release.sys",
		"fence.proxy.alias", "fence.proxy.async", "fence.proxy.async.global", "fence.proxy.async.shared::cta", "fence.mbarrier_init.release.cluster",
	};
	static const char *const policies[] = {
		"createpolicy.fractional.L2::evict_last.b64 %rd20, 0.5", "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %rd20, 1.0",
		"createpolicy.range.global.L2::evict_last.b64 %rd20, [%rd1], 128, 256", "createpolicy.cvt.L2.b64 %rd20, %rd2",
	};
	static const char *const uses[] = {
		"ld.global.L2::cache_hint.b32 %r10, [%rd4], %rd20", "ld.global.L2::cache_hint.L2::128B.v2.f32 {%f1, %f2}, [%rd4], %rd20",
		"ld.global.nc.L1::no_allocate.L2::cache_hint.L2::256B.v4.u32 {%r10, %r11, %r12, %r13}, [%rd4], %rd20",
		"st.global.L2::cache_hint.b32 [%rd3+16], %r3, %rd20", "atom.global.add.L2::cache_hint.u32 %r10, [%rd3], 5, %rd20",
		"red.global.add.L2::cache_hint.u32 [%rd3], 5, %rd20",
	};
	f->group = "hint";
	for (uint32_t k = 0; k < sizeof statements / sizeof *statements; k++)
		around(f, MEM_GLOBAL, "", statements[k]);
	for (uint32_t k = 0; k < sizeof policies / sizeof *policies; k++)
		for (uint32_t u = 0; u < sizeof uses / sizeof *uses; u++) {
			struct mem_code c;
			mem_begin(&c, f);
			mem_slot(&c, MEM_GLOBAL, true, 0);
			sb_printf(&c.body, "mov.b32 %%r10, 9;\nmov.b32 %%r11, 7;\nmov.f32 %%f1, 0f3f800000;\n%s;\n%s;\n", policies[k], uses[u]);
			sb_puts(&c.body, "st.global.b32 [%rd3+4], %r10;\nst.global.b32 [%rd3+8], %r11;\nst.global.f32 [%rd3+12], %f1;\n");
			mem_end(&c, "%s; %s", policies[k], uses[u]);
		}
}

/* ---- clusters of one block */

static void clusters(struct mem_forms *f)
{
	static const char *const statements[] = {
		"mapa.u64 %rd4, %rd4, 0;\nld.b32 %r10, [%rd4]",
		"cvta.to.shared.u64 %rd4, %rd4;\nmapa.shared::cluster.u64 %rd4, %rd4, 0;\nld.shared::cluster.b32 %r10, [%rd4]",
		"cvta.to.shared.u64 %rd4, %rd4;\ncvt.u32.u64 %r9, %rd4;\nmapa.shared::cluster.u32 %r9, %r9, 0;\nld.shared::cluster.u32 %r10, [%r9+4]",
		"getctarank.u64 %r10, %rd4",
		"cvta.to.shared.u64 %rd4, %rd4;\ngetctarank.shared::cluster.u32 %r10, sv$",
		"cvta.to.shared.u64 %rd4, %rd4;\nld.shared::cta.b32 %r10, [%rd4+8]",
		"cvta.to.shared::cta.u64 %rd4, %rd4;\nld.shared.b32 %r10, [%rd4+12]",
		"cvta.to.shared::cluster.u64 %rd4, %rd4;\nld.shared::cluster.b32 %r10, [%rd4+16]",
		"cvta.to.shared.u64 %rd4, %rd4;\nbar.sync 0;\nst.shared::cluster.u32 [%rd4], %r3;\nbar.sync 0;\nld.shared.b32 %r10, [%rd4]",
		"cvta.to.shared.u64 %rd4, %rd4;\natom.shared::cluster.add.u32 %r10, [%rd4], 0",
		"cvta.to.shared.u64 %rd4, %rd4;\natom.shared::cta.or.b32 %r10, [%rd4], 0",
		"mov.u32 %r10, %cluster_ctarank",
		"mov.u32 %r10, %cluster_nctarank",
		"barrier.cluster.arrive;\nbarrier.cluster.wait;\nmov.u32 %r10, %r3",
	};
	f->group = "cluster";
	for (uint32_t k = 0; k < sizeof statements / sizeof *statements; k++) {
		struct mem_code c;
		struct arena *a = f->arena;
		mem_begin(&c, f);
		mem_slot(&c, MEM_G_SHARED, true, 0);
		sb_printf(&c.body, "%s;\nst.global.b32 [%%rd3], %%r10;\n", statements[k]);
		char *text = arena_printf(a, "%s", statements[k]);
		for (char *s = text; *s; s++)
			if (*s == '\n')
				*s = ' ';
		mem_end(&c, "%s", text);
	}
}

/* ---- 256 bits, which need sm_100: compared with single words; what differs is left in the row */

static const char *wide_list(struct arena *a, char file, uint32_t n)
{
	struct strbuf sb;
	sb_init(&sb, a);
	for (uint32_t k = 0; k < n; k++)
		sb_printf(&sb, "%s%%%s%u", k ? ", " : "{", file == 'f' ? "f" : file == 'd' ? "d" : file == 'R' ? "rd" : "r", file == 'r' || file == 'R' ? 10 + k : k);
	sb_putc(&sb, '}');
	return sb_str(&sb);
}

static void one_wide(struct mem_forms *f, const char *op, bool load, const char *type, enum mem_space space, uint32_t n)
{
	struct mem_code c;
	bool w64 = type[1] == '6';
	char file = type[0] == 'f' ? w64 ? 'd' : 'f' : w64 ? 'R' : 'r';
	uint32_t elements = w64 ? 4 : 8;
	mem_begin(&c, f);
	c.wide = true;
	mem_slot(&c, space, true, 0);
	if (!load) {
		for (uint32_t k = 0; k < elements; k++)
			sb_printf(&c.body, "ld.global.b%d %%%s%u, [%%rd4+%u];\n", w64 ? 64 : 32, file == 'f' ? "f" : file == 'd' ? "d" : w64 ? "rd" : "r",
			          file == 'r' || file == 'R' ? 10 + k : k, k * (w64 ? 8 : 4));
		sb_printf(&c.body, "%s.v%u.%s [%%rd3], %s;\n", op, elements, type, wide_list(f->arena, file, elements));
	} else if (n % 2) {
		sb_printf(&c.body, "sub.u64 %%rd9, %%rd4, 64;\n%s.v%u.%s %s, [%%rd9+64];\n", op, elements, type, wide_list(f->arena, file, elements));
	} else {
		sb_printf(&c.body, "%s.v%u.%s %s, [%%rd4];\n", op, elements, type, wide_list(f->arena, file, elements));
	}
	for (uint32_t k = 0; k < 8; k++) {
		if (file == 'f')
			sb_printf(&c.body, "mov.b32 %%r30, %%f%u;\n", k);
		else if (w64)
			sb_printf(&c.body, "mov.b64 {%%r32, %%r33}, %%%s%u;\nmov.b32 %%r30, %%r%u;\n", file == 'd' ? "d" : "rd",
			          file == 'd' ? k / 2 : 10 + k / 2, 32 + k % 2);
		else
			sb_printf(&c.body, "mov.b32 %%r30, %%r%u;\n", 10 + k);
		sb_printf(&c.body, "ld.global.b32 %%r31, [%%rd%d+%u];\nxor.b32 %%r31, %%r30, %%r31;\nst.global.b32 [%%rd3+%u], %%r31;\n", load ? 4 : 3,
		          4 * k, 4 * k);
	}
	mem_end(&c, "%s.v%u.%s (%s)", op, elements, type, mem_space_names[space]);
}

static void wide(struct mem_forms *f)
{
	static const char *const types[] = {"b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"};
	static const char *const loads[] = {"ld.global", "ld.weak.global", "ld.volatile.global", "ld.relaxed.gpu.global", "ld.acquire.sys.global",
	                                    "ld.global.cg", "ld.global.nc", "ld.global.nc.L1::no_allocate.L2::256B",
	                                    "ld.global.L1::evict_last.L2::evict_first", "ld.global.L2::evict_last"};
	static const char *const stores[] = {"st.global", "st.weak.global", "st.volatile.global", "st.relaxed.cta.global", "st.release.gpu.global",
	                                     "st.global.cs", "st.global.L1::no_allocate.L2::evict_normal"};
	uint32_t n = 0;
	f->group = "256 bits";
	for (uint32_t t = 0; t < 8; t++) {
		for (uint32_t k = 0; k < sizeof loads / sizeof *loads; k++, n++)
			one_wide(f, loads[k], true, types[t], n % 3 ? MEM_GLOBAL : MEM_GVAR, n);
		for (uint32_t k = 0; k < sizeof stores / sizeof *stores; k++, n++)
			one_wide(f, stores[k], false, types[t], n % 3 ? MEM_GLOBAL : MEM_GVAR, n);
	}
}

void mem_others(struct mem_forms *f)
{
	copies(f);
	addresses(f);
	mixed_pointers(f);
	hints(f);
	clusters(f);
	wide(f);
}
