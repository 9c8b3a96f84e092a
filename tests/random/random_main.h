/* Included at the end of a generated program: on the host, main runs the kernel and writes what the buffers hold to standard output. */
#if !DEVICE_SIDE
#include <stdlib.h>
#include <ucontext.h>

enum { THREADS = 256, STACK = 256 << 10 };
static struct fiber {
	ucontext_t ctx;
	char *stack;
	bool done, waits;
	u32 kind, mask, b, c;
	u64 v, result;
} fibers[THREADS];
static ucontext_t scheduler;
static u32 self, block_id;
static u32 in[IN_WORDS];
static u64 out[GRID * BLOCK * OUT_PER];
static u32 atom[ATOM_WORDS];
static __attribute__((aligned(16))) u8 bytes[GRID * BLOCK * BYTES_PER];

u32 tid_x() { return self; }
u32 ctaid_x() { return block_id; }
u32 ntid_x() { return BLOCK; }
u32 lane_id() { return self & 31; }

static void bug(const char *what)
{
	fprintf(stderr, "the program is wrong: %s\n", what);
	exit(3);
}

u64 collect(u32 kind, u32 m, u64 v, u32 b, u32 c)
{
	struct fiber *f = &fibers[self];
	f->kind = kind, f->mask = m, f->v = v, f->b = b, f->c = c, f->waits = true;
	if (kind < BAR && !(m >> (self & 31) & 1))
		bug("a lane is not in its own mask");
	swapcontext(&f->ctx, &scheduler);
	return f->result;
}

static u64 shuffle(struct fiber *w, u32 lane)
{
	struct fiber *f = &w[lane];
	u32 b = f->b & 31, c = f->c & 31, seg = f->c >> 8 & 31, past = (lane & seg) | (c & ~seg);
	i32 j = (i32)(f->kind == IDX ? (lane & seg) | (b & ~seg) : f->kind == BFLY ? lane ^ b : f->kind == DOWN ? lane + b : lane - b);
	bool p = f->kind == UP || f->kind == UP_P ? j >= (i32)past : j <= (i32)past;
	if (!p)
		j = (i32)lane;
	if (!(f->mask >> j & 1))
		bug("a shuffle from a lane that is not in the mask");
	return f->kind == UP_P && !p ? (u32)~w[j].v : w[j].v;
}

static u64 answer(struct fiber *w, u32 lane)
{
	struct fiber *f = &w[lane];
	u32 set = 0, same = 0, all = f->mask;
	for (u32 i = 0; i < 32; i++)
		if (all >> i & 1) {
			set |= (u32)(w[i].v != 0) << i;
			same |= (u32)(w[i].v == f->v) << i;
		}
	switch (f->kind) {
	case BALLOT: return set;
	case ANY: return set != 0;
	case ALL: return set == all;
	case UNI: return set == 0 || set == all;
	case MATCH_ANY: return same;
	case MATCH_ALL: return same == all ? all + 1u : 0;
	case WARP: return 0;
	default: return shuffle(w, lane);
	}
}

static bool resolve_warp(struct fiber *w)
{
	bool any = false;
	for (u32 lane = 0; lane < 32; lane++) {
		struct fiber *f = &w[lane];
		if (!f->waits || f->kind >= BAR)
			continue;
		bool ready = true;
		for (u32 i = 0; i < 32; i++)
			if (f->mask >> i & 1)
				ready &= w[i].waits && w[i].kind == f->kind && w[i].mask == f->mask;
		if (!ready)
			continue;
		for (u32 i = 0; i < 32; i++)
			if (f->mask >> i & 1)
				w[i].result = answer(w, i);
		u32 m = f->mask;
		for (u32 i = 0; i < 32; i++)
			if (m >> i & 1)
				w[i].waits = false;
		any = true;
	}
	return any;
}

static bool resolve_block()
{
	u32 n = 0;
	for (u32 i = 0; i < BLOCK; i++) {
		if (!fibers[i].waits || fibers[i].kind < BAR || fibers[i].kind != fibers[0].kind)
			return false;
		n += fibers[i].v != 0;
	}
	for (u32 i = 0; i < BLOCK; i++) {
		fibers[i].waits = false;
		fibers[i].result = fibers[i].kind == BAR_COUNT ? n : fibers[i].kind == BAR_OR ? n != 0 : n == BLOCK;
	}
	return true;
}

static void thread()
{
	kernel(in, out, atom, bytes);
	fibers[self].done = true;
	swapcontext(&fibers[self].ctx, &scheduler);
}

static void run_block()
{
	for (u32 i = 0; i < BLOCK; i++) {
		struct fiber *f = &fibers[i];
		if (!f->stack)
			f->stack = (char *)malloc(STACK);
		f->done = f->waits = false;
		getcontext(&f->ctx);
		f->ctx.uc_stack.ss_sp = f->stack;
		f->ctx.uc_stack.ss_size = STACK;
		makecontext(&f->ctx, thread, 0);
	}
	for (;;) {
		u32 left = 0;
		for (self = 0; self < BLOCK; self++)
			if (!fibers[self].done && !fibers[self].waits)
				swapcontext(&scheduler, &fibers[self].ctx);
		for (u32 i = 0; i < BLOCK; i++)
			left += !fibers[i].done;
		if (!left)
			return;
		bool any = false;
		for (u32 i = 0; i < BLOCK; i += 32)
			any |= resolve_warp(&fibers[i]);
		if (!any && !resolve_block()) {
			for (u32 i = 0; i < BLOCK; i++)
				if (!fibers[i].done)
					fprintf(stderr, "thread %u waits in %u, mask %08x\n", i, fibers[i].kind, fibers[i].mask);
			bug("threads wait for each other");
		}
	}
}

int main()
{
	u32 x = 12345;
	for (u32 i = 0; i < IN_WORDS; i++) {
		x = x * 1664525 + 1013904223;
		u32 y = x ^ x >> 15;
		in[i] = i % 7 == 0 ? y & 15 : i % 7 == 3 ? 0 - (y & 7) : y;
	}
	for (block_id = 0; block_id < GRID; block_id++)
		run_block();
	u32 head[2] = {GRID, BLOCK};
	fwrite(head, 1, sizeof head, stdout);
	fwrite(in, 1, sizeof in, stdout);
	fwrite(out, 1, sizeof out, stdout);
	fwrite(atom, 1, sizeof atom, stdout);
	fwrite(bytes, 1, sizeof bytes, stdout);
	return 0;
}
#endif
