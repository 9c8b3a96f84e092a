/* Loading a code object: ELF64 amdgpu-hsa ET_DYN, segments into device memory, relocations, kernels from their metadata
 * and descriptors. Source: LLVM's AMDGPU usage guide, "Code object" and "Kernel descriptor". */
#include <elf.h>
#include <stdio.h>

#include "sim/sim_core.h"
#include "sim/sim_msgpack.h"

enum { EM_AMDGPU_ = 224, OSABI_HSA = 64, NT_METADATA = 32 };
enum { R_ABS32_LO = 1, R_ABS32_HI = 2, R_ABS64 = 3, R_ABS32 = 6, R_RELATIVE64 = 13 };

static const struct {
	uint8_t mach;
	const char *name;
} machines[] = {
	{0x2c, "gfx900"},  {0x2f, "gfx906"},  {0x3f, "gfx90a"},	 {0x33, "gfx1010"}, {0x36, "gfx1030"}, {0x37, "gfx1031"},
	{0x38, "gfx1032"}, {0x39, "gfx1033"}, {0x3e, "gfx1034"}, {0x3d, "gfx1035"}, {0x45, "gfx1036"}, {0x41, "gfx1100"},
	{0x46, "gfx1101"}, {0x47, "gfx1102"}, {0x44, "gfx1103"},
};

struct loader {
	struct sim *s;
	struct sim_module *m;
	const uint8_t *elf;
	size_t size;
	const Elf64_Ehdr *eh;
	const Elf64_Phdr *ph;
	uint64_t lo, hi;
	uint8_t *image; /* of lo */
	const Elf64_Sym *symtab;
	const char *strtab;
	uint64_t nsyms, strsz;
	const char *err;
};

static bool in_file(const struct loader *L, uint64_t off, uint64_t n)
{
	return off <= L->size && n <= L->size - off;
}

static bool in_image(const struct loader *L, uint64_t va, uint64_t n)
{
	return va >= L->lo && va <= L->hi && n <= L->hi - va;
}

static const char *check_header(const uint8_t *elf, size_t size)
{
	const Elf64_Ehdr *eh = (const void *)elf;
	if (size < sizeof *eh || memcmp(elf, ELFMAG, SELFMAG) != 0 || elf[EI_CLASS] != ELFCLASS64)
		return "not a 64-bit ELF file";
	if (eh->e_machine != EM_AMDGPU_ || elf[EI_OSABI] != OSABI_HSA)
		return "not an AMDGPU code object for HSA";
	if (eh->e_type != ET_DYN)
		return "not a linked code object (ET_DYN)";
	if (eh->e_phentsize != sizeof(Elf64_Phdr) || eh->e_phoff > size || (size - eh->e_phoff) / sizeof(Elf64_Phdr) < eh->e_phnum)
		return "broken program headers";
	return NULL;
}

const char *sim_elf_gpu(const void *elf, size_t size)
{
	if (check_header(elf, size))
		return NULL;
	uint8_t mach = (uint8_t)((const Elf64_Ehdr *)elf)->e_flags;
	for (size_t k = 0; k < sizeof machines / sizeof *machines; k++)
		if (machines[k].mach == mach)
			return machines[k].name;
	return NULL;
}

/* ---- segments ---- */

static void map_segment(struct loader *L, const Elf64_Phdr *p)
{
	struct sim *s = L->s;
	uint64_t at = L->m->base + (p->p_vaddr - L->lo);
	unsigned flags = SIM_MEM_READ | (p->p_flags & PF_W ? SIM_MEM_WRITE : 0) | (p->p_flags & PF_X ? SIM_MEM_CODE : 0);
	uint8_t *host = L->image + (p->p_vaddr - L->lo);
	sim_region_add(s, at, p->p_memsz, host, flags,
		       p->p_flags & PF_X ? "the code" : p->p_flags & PF_W ? "the module's variables" : "the module's constants");
	if (!(p->p_flags & PF_X))
		return;
	struct sim_code *c = NEW(&s->arena, struct sim_code);
	c->base = at;
	c->size = p->p_memsz & ~UINT64_C(3);
	c->bytes = host;
	c->slots = (uint32_t)(c->size / 4);
	c->insts = NEWN(&s->arena, struct sim_inst *, 2 * (size_t)c->slots + 1);
	c->module = L->m;
	vec_push(&s->arena, &s->codes, c);
}

static bool load_segments(struct loader *L)
{
	L->lo = UINT64_MAX;
	for (unsigned k = 0; k < L->eh->e_phnum; k++) {
		const Elf64_Phdr *p = &L->ph[k];
		if (p->p_type != PT_LOAD)
			continue;
		if (!in_file(L, p->p_offset, p->p_filesz) || p->p_filesz > p->p_memsz || p->p_memsz > UINT32_MAX ||
		    p->p_vaddr > UINT32_MAX) {
			L->err = "a segment lies outside the file";
			return false;
		}
		L->lo = p->p_vaddr < L->lo ? p->p_vaddr : L->lo;
		L->hi = p->p_vaddr + p->p_memsz > L->hi ? p->p_vaddr + p->p_memsz : L->hi;
	}
	if (L->lo >= L->hi) {
		L->err = "no loadable segment";
		return false;
	}
	L->lo &= ~UINT64_C(0xfff);
	L->m->base = L->s->next_addr;
	L->s->next_addr += ((L->hi - L->lo) + 0x2ffff) & ~UINT64_C(0xffff);
	L->image = NEWN(&L->s->arena, uint8_t, L->hi - L->lo);
	for (unsigned k = 0; k < L->eh->e_phnum; k++) {
		const Elf64_Phdr *p = &L->ph[k];
		if (p->p_type != PT_LOAD || !p->p_memsz)
			continue;
		memcpy(L->image + (p->p_vaddr - L->lo), L->elf + p->p_offset, p->p_filesz);
		map_segment(L, p);
	}
	return true;
}

/* ---- dynamic section: symbols and relocations ---- */

static bool relocate(struct loader *L, uint64_t rela, uint64_t size)
{
	if (!in_image(L, rela, size)) {
		L->err = "broken relocation table";
		return false;
	}
	for (uint64_t k = 0; k < size / sizeof(Elf64_Rela); k++) {
		Elf64_Rela r;
		memcpy(&r, L->image + (rela - L->lo) + k * sizeof r, sizeof r);
		uint32_t type = (uint32_t)ELF64_R_TYPE(r.r_info), sym = (uint32_t)ELF64_R_SYM(r.r_info);
		uint64_t bias = L->m->base - L->lo, val = bias;
		bool wide = type == R_ABS64 || type == R_RELATIVE64;
		if (type != R_RELATIVE64) {
			if (!sym || sym >= L->nsyms || L->symtab[sym].st_shndx == SHN_UNDEF) {
				L->err = "a relocation against an undefined symbol";
				return false;
			}
			val += L->symtab[sym].st_value;
		}
		val += (uint64_t)r.r_addend;
		if (!in_image(L, r.r_offset, wide ? 8 : 4) ||
		    (!wide && type != R_ABS32_LO && type != R_ABS32_HI && type != R_ABS32)) {
			L->err = "a relocation of unknown kind or outside the image";
			return false;
		}
		if (type == R_ABS32_HI)
			val >>= 32;
		memcpy(L->image + (r.r_offset - L->lo), &val, wide ? 8 : 4);
	}
	return true;
}

static bool load_dynamic(struct loader *L)
{
	uint64_t symtab = 0, strtab = 0, hash = 0, rela = 0, relasz = 0;
	for (unsigned k = 0; k < L->eh->e_phnum; k++) {
		if (L->ph[k].p_type != PT_DYNAMIC || !in_image(L, L->ph[k].p_vaddr, L->ph[k].p_filesz))
			continue;
		const Elf64_Dyn *d = (const void *)(L->image + (L->ph[k].p_vaddr - L->lo));
		for (uint64_t n = L->ph[k].p_filesz / sizeof *d; n-- && d->d_tag != DT_NULL; d++) {
			symtab = d->d_tag == DT_SYMTAB ? d->d_un.d_ptr : symtab;
			strtab = d->d_tag == DT_STRTAB ? d->d_un.d_ptr : strtab;
			hash = d->d_tag == DT_HASH ? d->d_un.d_ptr : hash;
			rela = d->d_tag == DT_RELA ? d->d_un.d_ptr : rela;
			relasz = d->d_tag == DT_RELASZ ? d->d_un.d_val : relasz;
			L->strsz = d->d_tag == DT_STRSZ ? d->d_un.d_val : L->strsz;
		}
	}
	if (!symtab || !strtab || !hash || !in_image(L, hash, 8) || !in_image(L, strtab, L->strsz)) {
		L->err = "no dynamic symbol table";
		return false;
	}
	L->nsyms = ((const uint32_t *)(const void *)(L->image + (hash - L->lo)))[1];
	if (!in_image(L, symtab, L->nsyms * sizeof(Elf64_Sym))) {
		L->err = "broken dynamic symbol table";
		return false;
	}
	L->symtab = (const void *)(L->image + (symtab - L->lo));
	L->strtab = (const char *)L->image + (strtab - L->lo);
	for (uint64_t k = 1; k < L->nsyms; k++) {
		const Elf64_Sym *y = &L->symtab[k];
		if (y->st_shndx == SHN_UNDEF || y->st_name >= L->strsz)
			continue;
		const char *name = L->strtab + y->st_name;
		vec_push(&L->s->arena, &L->m->symbols,
			 (struct sim_symbol){intern(&L->s->names, name, strnlen(name, L->strsz - y->st_name)),
					     L->m->base + (y->st_value - L->lo), y->st_size});
	}
	return !rela || relocate(L, rela, relasz);
}

/* ---- metadata ---- */

static const struct {
	const char *name;
	uint8_t kind, dim;
} arg_kinds[] = {
	{"by_value", SIM_ARG_EXPLICIT, 0},
	{"global_buffer", SIM_ARG_EXPLICIT, 0},
	{"dynamic_shared_pointer", SIM_ARG_EXPLICIT, 0},
	{"hidden_block_count_x", SIM_ARG_BLOCK_COUNT, 0},
	{"hidden_block_count_y", SIM_ARG_BLOCK_COUNT, 1},
	{"hidden_block_count_z", SIM_ARG_BLOCK_COUNT, 2},
	{"hidden_group_size_x", SIM_ARG_GROUP_SIZE, 0},
	{"hidden_group_size_y", SIM_ARG_GROUP_SIZE, 1},
	{"hidden_group_size_z", SIM_ARG_GROUP_SIZE, 2},
	{"hidden_remainder_x", SIM_ARG_REMAINDER, 0},
	{"hidden_remainder_y", SIM_ARG_REMAINDER, 1},
	{"hidden_remainder_z", SIM_ARG_REMAINDER, 2},
	{"hidden_global_offset_x", SIM_ARG_GLOBAL_OFFSET, 0},
	{"hidden_global_offset_y", SIM_ARG_GLOBAL_OFFSET, 1},
	{"hidden_global_offset_z", SIM_ARG_GLOBAL_OFFSET, 2},
	{"hidden_grid_dims", SIM_ARG_GRID_DIMS, 0},
	{"hidden_dynamic_lds_size", SIM_ARG_DYNAMIC_LDS, 0},
	{"hidden_private_base", SIM_ARG_PRIVATE_BASE, 0},
	{"hidden_shared_base", SIM_ARG_SHARED_BASE, 0},
	{"hidden_queue_ptr", SIM_ARG_QUEUE_PTR, 0},
};

static struct sim_arg read_arg(struct mp *mp)
{
	struct sim_arg a = {.kind = SIM_ARG_NONE};
	struct mp_val map = sim_mp_next(mp);
	for (uint64_t n = map.n; map.kind == MP_MAP && n-- && !mp->bad;) {
		struct mp_val key = sim_mp_next(mp);
		if (sim_mp_is(&key, ".offset")) {
			a.offset = (uint32_t)sim_mp_next(mp).n;
		} else if (sim_mp_is(&key, ".size")) {
			a.size = (uint32_t)sim_mp_next(mp).n;
		} else if (sim_mp_is(&key, ".value_kind")) {
			struct mp_val v = sim_mp_next(mp);
			for (size_t k = 0; k < sizeof arg_kinds / sizeof *arg_kinds; k++)
				if (sim_mp_is(&v, arg_kinds[k].name)) {
					a.kind = arg_kinds[k].kind;
					a.dim = arg_kinds[k].dim;
				}
		} else {
			sim_mp_skip(mp);
		}
	}
	return a;
}

static uint64_t find_symbol(const struct sim_module *m, const char *name, size_t len, uint64_t *size)
{
	for (uint32_t k = 0; k < m->symbols.len; k++)
		if (!strncmp(m->symbols.data[k].name, name, len) && !m->symbols.data[k].name[len]) {
			if (size)
				*size = m->symbols.data[k].size;
			return m->symbols.data[k].addr;
		}
	return 0;
}

/* The 64 bytes at <kernel>.kd. */
static bool read_descriptor(struct loader *L, struct sim_kernel *k)
{
	if (!in_image(L, k->descriptor - L->m->base + L->lo, 64)) {
		L->err = "a kernel descriptor lies outside the image";
		return false;
	}
	const uint8_t *d = L->image + (k->descriptor - L->m->base);
	int64_t entry;
	memcpy(&k->lds, d, 4);
	memcpy(&k->scratch, d + 4, 4);
	memcpy(&k->kernarg_size, d + 8, 4);
	memcpy(&entry, d + 16, 8);
	memcpy(&k->rsrc3, d + 44, 4);
	memcpy(&k->rsrc1, d + 48, 4);
	memcpy(&k->rsrc2, d + 52, 4);
	memcpy(&k->properties, d + 56, 2);
	k->entry = k->descriptor + (uint64_t)entry;
	k->dynamic_stack = k->properties >> 11 & 1;
	return true;
}

static void read_kernel(struct loader *L, struct mp *mp)
{
	struct sim *s = L->s;
	struct sim_kernel *k = NEW(&s->arena, struct sim_kernel);
	struct mp_val map = sim_mp_next(mp), name = {MP_NIL, 0, NULL}, sym = {MP_NIL, 0, NULL};
	for (uint64_t n = map.n; map.kind == MP_MAP && n-- && !mp->bad;) {
		struct mp_val key = sim_mp_next(mp);
		if (sim_mp_is(&key, ".name")) {
			name = sim_mp_next(mp);
		} else if (sim_mp_is(&key, ".symbol")) {
			sym = sim_mp_next(mp);
		} else if (sim_mp_is(&key, ".max_flat_workgroup_size")) {
			k->max_flat = (uint32_t)sim_mp_next(mp).n;
		} else if (sim_mp_is(&key, ".ptx_max_dynamic_shared")) {
			k->max_dynamic = (uint32_t)sim_mp_next(mp).n;
		} else if (sim_mp_is(&key, ".reqd_workgroup_size")) {
			struct mp_val a = sim_mp_next(mp);
			for (uint64_t d = 0; d < a.n && !mp->bad; d++) {
				uint32_t x = (uint32_t)sim_mp_next(mp).n;
				if (d < 3)
					k->required[d] = x;
			}
		} else if (sim_mp_is(&key, ".args")) {
			struct mp_val a = sim_mp_next(mp);
			for (uint64_t d = 0; d < a.n && !mp->bad; d++)
				vec_push(&s->arena, &k->args, read_arg(mp));
		} else {
			sim_mp_skip(mp);
		}
	}
	if (name.kind != MP_STR || sym.kind != MP_STR) {
		L->err = "a kernel without name or symbol";
		return;
	}
	k->name = intern(&s->names, name.str, name.n);
	k->module = L->m;
	k->descriptor = find_symbol(L->m, sym.str, sym.n, NULL);
	if (!k->descriptor)
		L->err = "a kernel without a descriptor";
	else if (read_descriptor(L, k))
		vec_push(&s->arena, &L->m->kernels, k);
}

static bool read_metadata(struct loader *L, const uint8_t *p, uint64_t n)
{
	struct mp mp = {p, p + n, false};
	struct mp_val map = sim_mp_next(&mp);
	for (uint64_t k = map.n; map.kind == MP_MAP && k-- && !mp.bad && !L->err;) {
		struct mp_val key = sim_mp_next(&mp);
		if (!sim_mp_is(&key, "amdhsa.kernels")) {
			sim_mp_skip(&mp);
			continue;
		}
		struct mp_val list = sim_mp_next(&mp);
		for (uint64_t j = 0; j < list.n && !mp.bad && !L->err; j++)
			read_kernel(L, &mp);
	}
	if (mp.bad)
		L->err = "broken metadata";
	return !L->err;
}

static bool load_notes(struct loader *L)
{
	for (unsigned k = 0; k < L->eh->e_phnum; k++) {
		const Elf64_Phdr *p = &L->ph[k];
		if (p->p_type != PT_NOTE || !in_file(L, p->p_offset, p->p_filesz))
			continue;
		uint64_t at = p->p_offset, end = at + p->p_filesz;
		while (end - at >= sizeof(Elf64_Nhdr)) {
			Elf64_Nhdr h;
			memcpy(&h, L->elf + at, sizeof h);
			uint64_t name = at + sizeof h, desc = name + ((h.n_namesz + 3u) & ~3u), next = desc + ((h.n_descsz + 3u) & ~3u);
			if (desc + h.n_descsz > end)
				break;
			if (h.n_type == NT_METADATA && h.n_namesz == 7 && !memcmp(L->elf + name, "AMDGPU", 7))
				return read_metadata(L, L->elf + desc, h.n_descsz);
			at = next < end ? next : end;
		}
	}
	L->err = "no AMDGPU metadata note";
	return false;
}

/* ---- interface ---- */

struct sim_module *sim_load(struct sim *s, const void *elf, size_t size, char *err, size_t err_size)
{
	struct loader L = {.s = s, .elf = elf, .size = size, .eh = elf};
	const char *gpu;
	if (setjmp(s->trap.env)) {
		snprintf(err, err_size, "%s", s->trap.msg);
		return NULL;
	}
	L.err = check_header(elf, size);
	if (!L.err && (!(gpu = sim_elf_gpu(elf, size)) || strcmp(gpu, s->gpu) != 0)) {
		snprintf(err, err_size, "the code object is for %s, the device is a %s", gpu ? gpu : "an unknown chip", s->gpu);
		return NULL;
	}
	if (!L.err) {
		L.ph = (const void *)(L.elf + L.eh->e_phoff);
		L.m = NEW(&s->arena, struct sim_module);
		L.m->s = s;
		if (load_segments(&L) && load_dynamic(&L) && load_notes(&L))
			return L.m;
	}
	snprintf(err, err_size, "%s", L.err);
	return NULL;
}

uint32_t sim_kernel_count(const struct sim_module *m)
{
	return m->kernels.len;
}

const struct sim_kernel *sim_kernel_at(const struct sim_module *m, uint32_t n)
{
	return m->kernels.data[n];
}

const struct sim_kernel *sim_kernel_find(const struct sim_module *m, const char *name)
{
	for (uint32_t k = 0; k < m->kernels.len; k++)
		if (!strcmp(m->kernels.data[k]->name, name))
			return m->kernels.data[k];
	return NULL;
}

const char *sim_kernel_name(const struct sim_kernel *k)
{
	return k->name;
}

uint32_t sim_kernel_nargs(const struct sim_kernel *k)
{
	uint32_t n = 0;
	while (n < k->args.len && k->args.data[n].kind == SIM_ARG_EXPLICIT)
		n++;
	return n;
}

void sim_kernel_arg(const struct sim_kernel *k, uint32_t n, uint32_t *offset, uint32_t *size)
{
	*offset = k->args.data[n].offset;
	*size = k->args.data[n].size;
}

uint64_t sim_symbol(const struct sim_module *m, const char *name, uint64_t *size)
{
	return find_symbol(m, name, strlen(name), size);
}
