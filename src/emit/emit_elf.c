/* The code object: an ELF64 shared object as lld links it for amdgpu-hsa, code object v5.
 *
 * Read-only segment: notes, dynamic symbols, hash, relocations, .rodata (kernel descriptors, constants without relocations); then
 * .text, each function on a 256-byte line and padded with s_code_end for the prefetcher; then .dynamic; then .data and .bss.
 * Distances inside the object are fixed, so code needs no relocations at load time; addresses in data are
 * R_AMDGPU_RELATIVE64, or ABS32_LO/HI where a variable holds half of one.
 * Sources: System V ABI; LLVM, User Guide for AMDGPU Backend, "ELF Code Object". */
#include <elf.h>

#include "emit/emit_internal.h"

enum { MACH_AMDGPU = 224, OSABI_HSA = 64, ABIVERSION_V5 = 3, NT_METADATA = 32, PAGE = 0x1000, CODE_END = 0xbf9f0000,
	R_ABS32_LO = 1, R_ABS32_HI = 2, R_RELATIVE64 = 13 };

enum section { S_NULL, S_NOTE, S_DYNSYM, S_HASH, S_DYNSTR, S_RELA, S_RODATA, S_TEXT, S_DYNAMIC, S_DATA, S_BSS, S_SYMTAB, S_SHSTRTAB,
	S_STRTAB, S_COUNT };

static const struct {
	const char *name;
	uint32_t type, flags, align, entsize, link, info;
} section_info[S_COUNT] = {
	[S_NULL] = {"", SHT_NULL, 0, 0, 0, 0, 0},
	[S_NOTE] = {".note", SHT_NOTE, SHF_ALLOC, 4, 0, 0, 0},
	[S_DYNSYM] = {".dynsym", SHT_DYNSYM, SHF_ALLOC, 8, sizeof(Elf64_Sym), S_DYNSTR, 1},
	[S_HASH] = {".hash", SHT_HASH, SHF_ALLOC, 4, 4, S_DYNSYM, 0},
	[S_DYNSTR] = {".dynstr", SHT_STRTAB, SHF_ALLOC, 1, 0, 0, 0},
	[S_RELA] = {".rela.dyn", SHT_RELA, SHF_ALLOC, 8, sizeof(Elf64_Rela), S_DYNSYM, 0},
	[S_RODATA] = {".rodata", SHT_PROGBITS, SHF_ALLOC, 64, 0, 0, 0},
	[S_TEXT] = {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 256, 0, 0, 0},
	[S_DYNAMIC] = {".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, 8, sizeof(Elf64_Dyn), S_DYNSTR, 0},
	[S_DATA] = {".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 16, 0, 0, 0},
	[S_BSS] = {".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 16, 0, 0, 0},
	[S_SYMTAB] = {".symtab", SHT_SYMTAB, 0, 8, sizeof(Elf64_Sym), S_STRTAB, 0},
	[S_SHSTRTAB] = {".shstrtab", SHT_STRTAB, 0, 1, 0, 0, 0},
	[S_STRTAB] = {".strtab", SHT_STRTAB, 0, 1, 0, 0, 0},
};

struct symbol {
	const char *name;
	uint8_t section, type, bind;
	bool dynamic;
	uint64_t offset, size; /* in its section */
	uint32_t index;        /* in .dynsym */
	struct ir_var *var;
	int func;              /* -1: none */
};

struct object {
	struct emit_module *m;
	struct arena *a;
	struct emit_code *code;
	struct emit_resources *resources;
	VEC(struct symbol) symbols;
	struct strmap by_name; /* interned names to 1 + symbol */
	struct interner names;
	struct emit_buf s[S_COUNT];
	uint64_t addr[S_COUNT], offset[S_COUNT], size[S_COUNT], align[S_COUNT];
};

/* --- buffers --- */
static void put(struct emit_buf *b, const void *p, size_t n)
{
	if (!n)
		return;
	vec_reserve(b->arena, &b->bytes, b->bytes.len + n);
	memcpy(b->bytes.data + b->bytes.len, p, n);
	b->bytes.len += (uint32_t)n;
}

static void put_u32(struct emit_buf *b, uint32_t v)
{
	uint8_t x[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
	put(b, x, 4);
}

static void pad(struct emit_buf *b, uint64_t align)
{
	while (b->bytes.len % align)
		put(b, "", 1);
}

static uint64_t align_up(uint64_t x, uint64_t align)
{
	return (x + align - 1) / align * align;
}

static uint32_t put_string(struct emit_buf *b, const char *s)
{
	uint32_t at = b->bytes.len;
	put(b, s, strlen(s) + 1);
	return at;
}

/* --- symbols --- */
static struct symbol *find_symbol(struct object *o, const char *name)
{
	uintptr_t n = (uintptr_t)strmap_get(&o->by_name, intern(&o->names, name, strlen(name)));
	return n ? &o->symbols.data[n - 1] : NULL;
}

static void add_symbol(struct object *o, struct symbol s, uint32_t line)
{
	if (find_symbol(o, s.name)) {
		diag_error(o->m->diags, line, "'%s' is defined twice", s.name);
		return;
	}
	vec_push(o->a, &o->symbols, s);
	strmap_put(o->a, &o->by_name, intern(&o->names, s.name, strlen(s.name)), (void *)(uintptr_t)o->symbols.len);
}

/* --- .text --- */
static void place_functions(struct object *o)
{
	struct emit_buf *t = &o->s[S_TEXT];
	for (uint32_t k = 0; k < o->m->funcs.len; k++) {
		struct amd_func *f = o->m->funcs.data[k];
		struct emit_code *c = &o->code[k];
		emit_code(f, c);
		while (t->bytes.len % 256)
			put_u32(t, CODE_END);
		add_symbol(o, (struct symbol){f->name, S_TEXT, STT_FUNC, f->is_kernel ? STB_GLOBAL : STB_LOCAL, f->is_kernel, t->bytes.len,
		                              c->bytes.len, 0, NULL, (int)k}, f->line);
		put(t, c->bytes.data, c->bytes.len);
	}
	for (uint32_t k = 0; k < 64; k++) /* what the prefetcher may run ahead */
		put_u32(t, CODE_END);
}

/* --- data --- */
static void place_variable(struct object *o, struct ir_var *v)
{
	uint64_t align = v->align ? v->align : 1;
	enum section s = v->space == IR_CONST && !v->nrelocs ? S_RODATA : v->init || v->nrelocs ? S_DATA : S_BSS;
	uint64_t at;
	if (v->size > (s == S_BSS ? UINT32_MAX : 1ull << 30)) {
		diag_error(o->m->diags, v->line, "variable '%s' of %llu bytes is too large", v->name, (unsigned long long)v->size);
		return;
	}
	if (align > PAGE) {
		diag_error(o->m->diags, v->line, "alignment %llu of '%s': at most %d is supported", (unsigned long long)align, v->name, PAGE);
		return;
	}
	if (align > o->align[s])
		o->align[s] = align;
	if (s == S_BSS) {
		at = align_up(o->size[S_BSS], align);
		o->size[S_BSS] = at + v->size;
	} else {
		pad(&o->s[s], align);
		at = o->s[s].bytes.len;
		if (v->init)
			put(&o->s[s], v->init, v->size);
		else
			while (o->s[s].bytes.len < at + v->size)
				put(&o->s[s], "", 1);
	}
	add_symbol(o, (struct symbol){v->name, (uint8_t)s, STT_OBJECT, v->linkage == IR_WEAK_DEF ? STB_WEAK : STB_GLOBAL, true, at,
	                              v->size, 0, v, -1}, v->line);
}

static void place_variables(struct object *o)
{
	for (uint32_t k = 0; k < o->m->vars.len; k++) {
		struct ir_var *v = o->m->vars.data[k];
		if ((v->space == IR_GLOBAL || v->space == IR_CONST) && (v->linkage != IR_EXTERN || v->init))
			place_variable(o, v);
	}
	/* whole words: 16-bit atomics are done in theirs */
	pad(&o->s[S_DATA], 4);
	o->size[S_BSS] = align_up(o->size[S_BSS], 4);
}

static void place_descriptors(struct object *o)
{
	for (uint32_t k = 0; k < o->m->funcs.len; k++) {
		const struct amd_func *f = o->m->funcs.data[k];
		uint8_t zero[64] = {0};
		if (!f->is_kernel)
			continue;
		pad(&o->s[S_RODATA], 64);
		add_symbol(o, (struct symbol){arena_printf(o->a, "%s.kd", f->name), S_RODATA, STT_OBJECT, STB_GLOBAL, true,
		                              o->s[S_RODATA].bytes.len, 64, 0, NULL, -1}, f->line);
		put(&o->s[S_RODATA], zero, 64);
	}
}

static uint32_t max3(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t m = a > b ? a : b;
	return m > c ? m : c;
}

/* --- resources: a kernel needs what it and everything it can reach need --- */
static void reach(struct object *o, const struct symbol *s, bitword *seen, struct emit_resources *r);

static void reach_name(struct object *o, const char *name, bitword *seen, struct emit_resources *r)
{
	const struct symbol *s = find_symbol(o, name);
	if (s)
		reach(o, s, seen, r);
}

static void reach(struct object *o, const struct symbol *s, bitword *seen, struct emit_resources *r)
{
	uint32_t n = (uint32_t)(s - o->symbols.data);
	if (bitset_has(seen, n))
		return;
	bitset_add(seen, n);
	if (s->func >= 0) {
		const struct amd_func *f = o->m->funcs.data[s->func];
		const struct emit_code *c = &o->code[s->func];
		r->vgprs = max3(r->vgprs, f->stats.vgprs, c->vgprs);
		r->sgprs = max3(r->sgprs, f->stats.sgprs, c->sgprs);
		for (uint32_t k = 0; k < c->fixups.len; k++)
			reach_name(o, c->fixups.data[k].sym, seen, r);
	}
	for (uint32_t k = 0; s->var && k < s->var->nrelocs; k++)
		reach_name(o, s->var->relocs[k].func ? s->var->relocs[k].func->name : s->var->relocs[k].var->name, seen, r);
}

static void find_resources(struct object *o)
{
	o->resources = NEWN(o->a, struct emit_resources, o->m->funcs.len + 1);
	for (uint32_t k = 0; k < o->m->funcs.len; k++)
		if (o->m->funcs.data[k]->is_kernel)
			reach_name(o, o->m->funcs.data[k]->name, bitset_new(o->a, o->symbols.len), &o->resources[k]);
}

/* --- relocations --- */
static uint64_t address(const struct object *o, const struct symbol *s)
{
	return o->addr[s->section] + s->offset;
}

static void add_rela(struct object *o, uint64_t at, uint32_t type, uint32_t sym, int64_t addend)
{
	Elf64_Rela r = {at, ELF64_R_INFO(sym, type), addend};
	put(&o->s[S_RELA], &r, sizeof r);
}

/* Bytes of one address that an initialiser names one by one: eight relocations make one. */
static uint32_t whole_address(const struct ir_reloc *r, uint32_t n)
{
	uint32_t bytes = r->bytes, k;
	for (k = 1; k < n && bytes < 8; k++) {
		if (r[k].var != r->var || r[k].func != r->func || r[k].addend != r->addend || r[k].offset != r->offset + bytes ||
		    r[k].shift != bytes * 8)
			break;
		bytes += r[k].bytes;
	}
	return r->shift == 0 && bytes == 8 ? k : 0;
}

static void relocate_variable(struct object *o, const struct symbol *s)
{
	const struct ir_var *v = s->var;
	for (uint32_t k = 0; k < v->nrelocs;) {
		const struct ir_reloc *r = &v->relocs[k];
		const char *name = r->func ? r->func->name : r->var->name;
		const struct symbol *to = find_symbol(o, name);
		uint64_t at = address(o, s) + r->offset;
		uint32_t run = whole_address(r, v->nrelocs - k);
		if (!to) {
			diag_error(o->m->diags, v->line, "undefined symbol '%s' in the initializer of '%s'", name, v->name);
			return;
		}
		if (run)
			add_rela(o, at, R_RELATIVE64, 0, (int64_t)address(o, to) + r->addend);
		else if (r->bytes == 4 && (r->shift == 0 || r->shift == 32) && to->dynamic)
			add_rela(o, at, r->shift ? R_ABS32_HI : R_ABS32_LO, to->index, r->addend);
		else
			diag_error(o->m->diags, v->line, "%u bytes of the address of '%s' in the initializer of '%s': not supported",
			           r->bytes, name, v->name);
		k += run ? run : 1;
	}
}

static void fix_code(struct object *o, const struct symbol *f)
{
	const struct emit_code *c = &o->code[f->func];
	for (uint32_t k = 0; k < c->fixups.len; k++) {
		const struct emit_fixup *fx = &c->fixups.data[k];
		const struct symbol *to = find_symbol(o, fx->sym);
		uint64_t at = address(o, f) + fx->offset;
		if (!to) {
			diag_error(o->m->diags, fx->line, "undefined symbol '%s'", fx->sym);
			continue;
		}
		if (fx->kind == EMIT_ABS32_LO || fx->kind == EMIT_ABS32_HI) {
			diag_error(o->m->diags, fx->line, "absolute address of '%s' in code: not supported", fx->sym);
			continue;
		}
		uint64_t v = address(o, to) + (uint64_t)fx->addend - at;
		if (fx->kind == EMIT_REL32_HI)
			v >>= 32;
		for (int n = 0; n < 4; n++)
			o->s[S_TEXT].bytes.data[f->offset + fx->offset + (uint32_t)n] = (uint8_t)(v >> 8 * n);
	}
}

/* --- the sections that describe the others --- */
static void build_note(struct object *o)
{
	struct emit_buf meta = {.arena = o->a}, *n = &o->s[S_NOTE];
	emit_metadata(&meta, o->m, o->resources);
	put_u32(n, 7);
	put_u32(n, meta.bytes.len);
	put_u32(n, NT_METADATA);
	put(n, "AMDGPU\0", 8);
	put(n, meta.bytes.data, meta.bytes.len);
	pad(n, 4);
}

static void put_sym(struct emit_buf *b, uint32_t name, const struct object *o, const struct symbol *s)
{
	Elf64_Sym sym = {0};
	if (s) {
		sym.st_name = name;
		sym.st_info = ELF64_ST_INFO(s->bind, s->type);
		sym.st_other = s->bind == STB_LOCAL ? STV_HIDDEN : STV_PROTECTED;
		sym.st_shndx = s->section;
		sym.st_value = address(o, s);
		sym.st_size = s->size;
	}
	put(b, &sym, sizeof sym);
}

static uint32_t elf_hash(const char *s)
{
	uint32_t h = 0;
	for (; *s; s++) {
		h = (h << 4) + (uint8_t)*s;
		h = (h ^ (h >> 24 & 0xf0)) & 0x0fffffff;
	}
	return h;
}

static void build_hash(struct object *o, uint32_t n)
{
	uint32_t *bucket = NEWN(o->a, uint32_t, n + 1), *chain = NEWN(o->a, uint32_t, n + 1);
	for (uint32_t k = 0; k < o->symbols.len; k++) {
		const struct symbol *s = &o->symbols.data[k];
		if (!s->dynamic)
			continue;
		uint32_t h = elf_hash(s->name) % n;
		chain[s->index] = bucket[h];
		bucket[h] = s->index;
	}
	put_u32(&o->s[S_HASH], n);
	put_u32(&o->s[S_HASH], n);
	for (uint32_t k = 0; k < n; k++)
		put_u32(&o->s[S_HASH], bucket[k]);
	for (uint32_t k = 0; k < n; k++)
		put_u32(&o->s[S_HASH], chain[k]);
}

/* Everything whose size must be known before addresses are: symbols and relocations are written a second time then. */
static void build_symbols(struct object *o)
{
	uint32_t n = 1;
	for (enum section s = S_DYNSYM; s <= S_RELA; s++)
		vec_clear(&o->s[s].bytes);
	vec_clear(&o->s[S_SYMTAB].bytes);
	vec_clear(&o->s[S_STRTAB].bytes);
	put_string(&o->s[S_DYNSTR], "");
	put_string(&o->s[S_STRTAB], "");
	put_sym(&o->s[S_DYNSYM], 0, o, NULL);
	put_sym(&o->s[S_SYMTAB], 0, o, NULL);
	for (int local = 1; local >= 0; local--)
		for (uint32_t k = 0; k < o->symbols.len; k++) {
			struct symbol *s = &o->symbols.data[k];
			if ((s->bind == STB_LOCAL) != local)
				continue;
			if (s->dynamic) {
				s->index = n++;
				put_sym(&o->s[S_DYNSYM], put_string(&o->s[S_DYNSTR], s->name), o, s);
			}
			put_sym(&o->s[S_SYMTAB], put_string(&o->s[S_STRTAB], s->name), o, s);
		}
	build_hash(o, n);
	for (uint32_t k = 0; k < o->symbols.len; k++)
		if (o->symbols.data[k].var)
			relocate_variable(o, &o->symbols.data[k]);
}

static void build_dynamic(struct object *o)
{
	const struct {
		int64_t tag;
		uint64_t value;
	} entries[] = {{DT_RELA, o->addr[S_RELA]}, {DT_RELASZ, o->s[S_RELA].bytes.len}, {DT_RELAENT, sizeof(Elf64_Rela)},
		{DT_SYMTAB, o->addr[S_DYNSYM]}, {DT_SYMENT, sizeof(Elf64_Sym)}, {DT_STRTAB, o->addr[S_DYNSTR]},
		{DT_STRSZ, o->s[S_DYNSTR].bytes.len}, {DT_HASH, o->addr[S_HASH]}, {DT_NULL, 0}};
	vec_clear(&o->s[S_DYNAMIC].bytes);
	for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) {
		Elf64_Dyn d = {.d_tag = entries[k].tag, .d_un.d_val = entries[k].value};
		if (o->s[S_RELA].bytes.len || (entries[k].tag != DT_RELA && entries[k].tag != DT_RELASZ && entries[k].tag != DT_RELAENT))
			put(&o->s[S_DYNAMIC], &d, sizeof d);
	}
}

/* --- layout --- */
static bool has_variables(const struct object *o)
{
	return o->size[S_DATA] || o->size[S_BSS];
}

static uint32_t phdr_count(const struct object *o)
{
	return has_variables(o) ? 9 : 8;
}

/* Offsets and addresses differ by a multiple of the page size, another one for each segment. */
static void lay_out(struct object *o)
{
	for (enum section s = S_NOTE; s < S_COUNT; s++) {
		if (s != S_BSS)
			o->size[s] = o->s[s].bytes.len;
		if (o->align[s] < section_info[s].align)
			o->align[s] = section_info[s].align;
	}
	uint64_t offset = sizeof(Elf64_Ehdr) + phdr_count(o) * sizeof(Elf64_Phdr), addr = offset;
	for (enum section s = S_NOTE; s < S_COUNT; s++) {
		bool alloc = section_info[s].flags & SHF_ALLOC;
		offset = align_up(offset, o->align[s]);
		if (s == S_TEXT || s == S_DYNAMIC || s == S_DATA)
			addr = align_up(addr, PAGE) + offset % PAGE;
		addr = align_up(addr, o->align[s]);
		o->offset[s] = offset;
		o->addr[s] = alloc ? addr : 0;
		addr += alloc ? o->size[s] : 0;
		offset += s != S_BSS ? o->size[s] : 0;
	}
}

static void put_phdr(struct emit_buf *b, uint32_t type, uint32_t flags, uint64_t offset, uint64_t addr, uint64_t filesz, uint64_t memsz,
                     uint64_t align)
{
	Elf64_Phdr p = {type, flags, offset, addr, addr, filesz, memsz, align};
	put(b, &p, sizeof p);
}

static void put_phdrs(const struct object *o, struct emit_buf *b)
{
	uint64_t head = sizeof(Elf64_Ehdr), ro_end = o->offset[S_RODATA] + o->size[S_RODATA];
	uint64_t dyn = o->addr[S_DYNAMIC], dyn_size = o->size[S_DYNAMIC];
	uint64_t phdrs = phdr_count(o) * sizeof(Elf64_Phdr);
	put_phdr(b, PT_PHDR, PF_R, head, head, phdrs, phdrs, 8);
	put_phdr(b, PT_LOAD, PF_R, 0, 0, ro_end, ro_end, PAGE);
	put_phdr(b, PT_LOAD, PF_R | PF_X, o->offset[S_TEXT], o->addr[S_TEXT], o->size[S_TEXT], o->size[S_TEXT], PAGE);
	put_phdr(b, PT_LOAD, PF_R | PF_W, o->offset[S_DYNAMIC], dyn, dyn_size, align_up(dyn + dyn_size, PAGE) - dyn, PAGE);
	if (has_variables(o))
		put_phdr(b, PT_LOAD, PF_R | PF_W, o->offset[S_DATA], o->addr[S_DATA], o->size[S_DATA],
		         o->addr[S_BSS] + o->size[S_BSS] - o->addr[S_DATA], PAGE);
	put_phdr(b, PT_DYNAMIC, PF_R | PF_W, o->offset[S_DYNAMIC], dyn, dyn_size, dyn_size, 8);
	put_phdr(b, PT_GNU_RELRO, PF_R, o->offset[S_DYNAMIC], dyn, dyn_size, align_up(dyn + dyn_size, PAGE) - dyn, 1);
	put_phdr(b, PT_GNU_STACK, PF_R | PF_W, 0, 0, 0, 0, 0);
	put_phdr(b, PT_NOTE, PF_R, o->offset[S_NOTE], o->addr[S_NOTE], o->size[S_NOTE], o->size[S_NOTE], 4);
}

static void fill_descriptors(struct object *o)
{
	for (uint32_t k = 0; k < o->m->funcs.len; k++) {
		const struct amd_func *f = o->m->funcs.data[k];
		if (!f->is_kernel)
			continue;
		const struct symbol *kd = find_symbol(o, arena_printf(o->a, "%s.kd", f->name)), *code = find_symbol(o, f->name);
		uint8_t *p = o->s[S_RODATA].bytes.data + kd->offset;
		uint64_t entry = address(o, code) - address(o, kd);
		emit_descriptor(f, &o->resources[k], p);
		for (int n = 0; n < 8; n++)
			p[16 + n] = (uint8_t)(entry >> 8 * n);
	}
}

static void put_headers(const struct object *o, struct emit_buf *b, uint64_t shoff)
{
	Elf64_Ehdr h = {.e_type = ET_DYN, .e_machine = MACH_AMDGPU, .e_version = EV_CURRENT, .e_phoff = sizeof h, .e_shoff = shoff,
		.e_flags = o->m->target->elf_mach, .e_ehsize = sizeof h, .e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = (uint16_t)phdr_count(o), .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = S_COUNT, .e_shstrndx = S_SHSTRTAB};
	memcpy(h.e_ident, ELFMAG, SELFMAG);
	h.e_ident[EI_CLASS] = ELFCLASS64;
	h.e_ident[EI_DATA] = ELFDATA2LSB;
	h.e_ident[EI_VERSION] = EV_CURRENT;
	h.e_ident[EI_OSABI] = OSABI_HSA;
	h.e_ident[EI_ABIVERSION] = ABIVERSION_V5;
	put(b, &h, sizeof h);
	put_phdrs(o, b);
}

static void put_section_headers(const struct object *o, struct emit_buf *b)
{
	uint32_t name = 0, locals = 1;
	for (uint32_t k = 0; k < o->symbols.len; k++)
		locals += o->symbols.data[k].bind == STB_LOCAL;
	for (enum section s = S_NULL; s < S_COUNT; s++) {
		Elf64_Shdr h = {.sh_name = name, .sh_type = section_info[s].type, .sh_flags = section_info[s].flags, .sh_addr = o->addr[s],
			.sh_offset = o->offset[s], .sh_size = o->size[s], .sh_link = section_info[s].link,
			.sh_info = s == S_SYMTAB ? locals : section_info[s].info, .sh_addralign = o->align[s],
			.sh_entsize = section_info[s].entsize};
		put(b, &h, sizeof h);
		name += (uint32_t)strlen(section_info[s].name) + 1;
	}
}

static void write_file(struct object *o, struct emit_buf *b)
{
	uint64_t shoff = align_up(o->offset[S_STRTAB] + o->size[S_STRTAB], 8);
	put_headers(o, b, shoff);
	for (enum section s = S_NOTE; s < S_COUNT; s++) {
		if (s == S_BSS)
			continue;
		while (b->bytes.len < o->offset[s])
			put(b, "", 1);
		put(b, o->s[s].bytes.data, o->s[s].bytes.len);
	}
	pad(b, 8);
	put_section_headers(o, b);
}

const uint8_t *emit_object(struct emit_module *m, size_t *size)
{
	struct object o = {.m = m, .a = m->arena};
	struct emit_buf file = {.arena = m->arena};
	uint32_t errors = m->diags->errors;

	interner_init(&o.names, o.a);
	for (enum section s = S_NULL; s < S_COUNT; s++)
		o.s[s].arena = o.a;
	for (enum section s = S_NULL; s < S_COUNT; s++)
		put_string(&o.s[S_SHSTRTAB], section_info[s].name);
	o.code = NEWN(o.a, struct emit_code, m->funcs.len + 1);
	place_functions(&o);
	place_descriptors(&o);
	place_variables(&o);
	o.size[S_DATA] = o.s[S_DATA].bytes.len;
	if (m->diags->errors != errors)
		return NULL;
	find_resources(&o);
	build_note(&o);
	build_symbols(&o);
	if (m->diags->errors != errors)
		return NULL;
	build_dynamic(&o);
	lay_out(&o);
	build_symbols(&o);
	build_dynamic(&o);
	fill_descriptors(&o);
	for (uint32_t k = 0; k < o.symbols.len; k++) {
		const struct symbol *s = &o.symbols.data[k];
		if (s->func >= 0)
			fix_code(&o, s);
		if (s->var)
			s->var->offset = address(&o, s);
	}
	if (m->diags->errors != errors)
		return NULL;
	write_file(&o, &file);
	*size = file.bytes.len;
	return file.bytes.data;
}
