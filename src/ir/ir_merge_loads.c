/* Loads of neighbouring memory become one wide load and pieces of it.
 *
 * Within a block, weak loads from one base address at constant offsets, with nothing between them that may write the memory. Kernel
 * parameters: up to 256 bits (scalar loads); LDS: 64 and 128 bits where the address is known to be aligned so (shared variables with
 * room for it are aligned to 16 for that); global, constant and local memory: where dwords are aligned, which is all the hardware asks.
 * The wide load stands where its first part stood, the parts become `unpack`. Parts further than DISTANCE instructions apart stay apart:
 * their registers would be held for long.
 * requires: SSA.   ensures: the same values.   breaks: nothing. */
#include "ir/ir.h"

enum { DISTANCE = 48, MAX_GROUP = 64, MAX_PHIS = 8 };

struct part {
	struct ir_inst *load;
	int64_t offset;
	uint32_t at; /* position in the block */
};
struct group {
	struct ir_inst *base; /* of all: same base, space and kind of access */
	struct part parts[MAX_GROUP];
	uint32_t n;
};

/* --- alignment: trailing zero bits of a value --- */
struct zeros {
	struct ir_inst *phis[MAX_PHIS]; /* being looked at: a multiple of anything, as far as they themselves go */
	uint32_t nphis;
};

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t zeros_of(struct zeros *z, const struct ir_inst *i, uint32_t depth);

static uint32_t zeros_of_phi(struct zeros *z, struct ir_inst *i, uint32_t depth)
{
	uint32_t n = 64;
	for (uint32_t k = 0; k < z->nphis; k++)
		if (z->phis[k] == i)
			return 64;
	if (z->nphis == MAX_PHIS)
		return 0;
	z->phis[z->nphis++] = i;
	for (uint32_t k = 0; k < i->nargs; k++)
		n = least(n, zeros_of(z, i->args[k], depth));
	z->nphis--;
	return n;
}

static uint32_t zeros_of(struct zeros *z, const struct ir_inst *i, uint32_t depth)
{
	struct ir_inst **a = i->args;
	uint32_t n = 0;
	if (!depth--)
		return 0;
	switch (i->op) {
	case IR_const:
		return i->imm ? (uint32_t)__builtin_ctzll(i->imm) : 64;
	case IR_symaddr:
		n = ((struct ir_var *)i->sym)->align;
		n = n ? (uint32_t)__builtin_ctz(n) : 0;
		return i->imm ? least(n, (uint32_t)__builtin_ctzll(i->imm)) : n;
	case IR_phi:
		return zeros_of_phi(z, (struct ir_inst *)(uintptr_t)i, depth);
	case IR_add:
	case IR_sub:
	case IR_or:
	case IR_xor:
		return least(zeros_of(z, a[0], depth), zeros_of(z, a[1], depth));
	case IR_and:
		n = zeros_of(z, a[0], depth);
		depth = zeros_of(z, a[1], depth);
		return n > depth ? n : depth;
	case IR_mul:
	case IR_umulwide:
	case IR_smulwide:
		n = zeros_of(z, a[0], depth) + zeros_of(z, a[1], depth);
		return least(n, 64);
	case IR_shl:
		n = zeros_of(z, a[0], depth) + (a[1]->op == IR_const ? (uint32_t)a[1]->imm & (i->width - 1) : 0);
		return least(n, 64);
	case IR_zext:
	case IR_sext:
		return zeros_of(z, a[0], depth);
	case IR_select:
		return least(zeros_of(z, a[1], depth), zeros_of(z, a[2], depth));
	default:
		return 0;
	}
}

/* --- groups --- */
static bool is_part(const struct ir_inst *i)
{
	const struct ir_mem *m = &i->mem;
	return i->op == IR_load && m->order == IR_WEAK && !m->is_volatile && m->cache != IR_CACHE_VOLATILE && i->width == m->bits &&
	       (m->bits == 32 || m->bits == 64) && m->space != IR_GENERIC && m->align_log2 >= 2;
}

static bool fits(const struct group *g, const struct ir_inst *i)
{
	const struct ir_inst *first = g->parts[0].load;
	return g->base == i->args[0] && first->mem.space == i->mem.space && first->mem.cache == i->mem.cache &&
	       first->mem.readonly == i->mem.readonly;
}

static void sort(struct group *g)
{
	for (uint32_t k = 1; k < g->n; k++) {
		struct part p = g->parts[k];
		uint32_t n = k;
		for (; n && g->parts[n - 1].offset > p.offset; n--)
			g->parts[n] = g->parts[n - 1];
		g->parts[n] = p;
	}
}

/* Parts from `from` on that one access of `bytes` at their offset covers without a gap; 0: not all of it. */
static uint32_t covered(const struct group *g, uint32_t from, uint32_t bytes)
{
	int64_t start = g->parts[from].offset, end = start;
	uint32_t k = from, lo = g->parts[from].at, hi = lo;
	for (; k < g->n && end < start + bytes; k++) {
		const struct part *p = &g->parts[k];
		uint32_t size = p->load->mem.bits / 8u;
		lo = least(lo, p->at);
		hi = hi > p->at ? hi : p->at;
		if (p->offset != end || (end - start) % size || end + size > start + bytes)
			return 0;
		end += size;
	}
	return end == start + bytes && hi - lo <= DISTANCE ? k - from : 0;
}

static bool aligned(const struct group *g, uint32_t from, uint32_t bytes)
{
	struct zeros z = {.nphis = 0};
	int64_t offset = g->parts[from].offset;
	if (g->parts[from].load->mem.space != IR_SHARED)
		return true;
	uint32_t n = zeros_of(&z, g->base, 12);
	return n >= 4 || (1u << n) >= bytes ? offset % bytes == 0 : false;
}

static void merge(struct ir_func *f, struct group *g, uint32_t from, uint32_t n, uint32_t bytes)
{
	struct part *first = &g->parts[from];
	int64_t start = first->offset;
	for (uint32_t k = from; k < from + n; k++)
		first = g->parts[k].at < first->at ? &g->parts[k] : first;
	struct ir_inst *wide = ir_inst_new(f, IR_load, bytes * 8, 1);
	wide->args[0] = g->base;
	wide->imm = (uint64_t)start;
	wide->mem = g->parts[from].load->mem;
	wide->mem.bits = (uint16_t)(bytes * 8);
	wide->line = first->load->line;
	wide->divergent = first->load->divergent;
	ir_insert_before(first->load, wide);
	for (uint32_t k = from; k < from + n; k++) {
		struct ir_inst *i = g->parts[k].load;
		i->op = IR_unpack;
		i->args[0] = wide;
		i->imm = (uint64_t)(g->parts[k].offset - start) / (i->width / 8u);
		i->mem = (struct ir_mem){0};
	}
}

static void close_group(struct ir_func *f, struct group *g)
{
	static const uint8_t sizes[] = {32, 16, 8};
	sort(g);
	for (uint32_t k = 0; k < g->n;) {
		uint32_t n = 0, s;
		for (s = g->parts[k].load->mem.space != IR_PARAM; s < sizeof sizes && n < 2; s++)
			n = covered(g, k, sizes[s]) > 1 && aligned(g, k, sizes[s]) ? covered(g, k, sizes[s]) : 0;
		if (n > 1)
			merge(f, g, k, n, sizes[s - 1]);
		k += n > 1 ? n : 1;
	}
	g->n = 0;
}

/* A write to `space` (IR_GENERIC: anywhere) may change what a group's loads read. */
static bool clobbers(const struct ir_inst *i, const struct group *g)
{
	const struct ir_inst *load = g->parts[0].load;
	if (load->mem.space == IR_PARAM || load->mem.readonly)
		return false;
	if (i->op != IR_store || i->mem.order != IR_WEAK || i->mem.is_volatile)
		return true;
	return i->mem.space == load->mem.space || i->mem.space == IR_GENERIC;
}

enum { GROUPS = 8 };

static void block(struct ir_func *f, struct ir_block *b, struct group *g)
{
	uint32_t at = 0, next = 0;
	ir_each_inst_safe(i, b)
	{
		at++;
		if (ir_op_info[i->op].flags & IRF_WRITES || i->op == IR_fence) {
			for (uint32_t k = 0; k < GROUPS; k++)
				if (g[k].n && clobbers(i, &g[k]))
					close_group(f, &g[k]);
			continue;
		}
		if (!is_part(i))
			continue;
		uint32_t k = 0;
		while (k < GROUPS && !(g[k].n && fits(&g[k], i)))
			k++;
		if (k == GROUPS || g[k].n == MAX_GROUP) {
			k = k == GROUPS ? next++ % GROUPS : k;
			close_group(f, &g[k]);
			g[k].base = i->args[0];
		}
		bool twice = false;
		for (uint32_t n = 0; n < g[k].n; n++)
			twice |= g[k].parts[n].offset == (int64_t)i->imm;
		if (!twice)
			g[k].parts[g[k].n++] = (struct part){i, (int64_t)i->imm, at};
	}
	for (uint32_t k = 0; k < GROUPS; k++)
		close_group(f, &g[k]);
}

/* Shared arrays are given the alignment of the widest access. */
static void align_variables(struct ir_func *f)
{
	ir_each_block(b, f) ir_each_inst(i, b)
	{
		struct ir_var *v = i->op == IR_symaddr ? i->sym : NULL;
		if (v && v->space == IR_SHARED && !v->dynamic && v->size >= 16 && v->align < 16)
			v->align = 16;
	}
}

void ir_merge_loads(struct ir_func *f)
{
	struct group *g = NEWN(f->arena, struct group, GROUPS);
	align_variables(f);
	ir_each_block(b, f) block(f, b, g);
}
