#include "hip.h"
// A byte-code interpreter, and a loop with two entries.
KERNEL interpret(u32 n, const u8 *code, u32 len, u32 *out)
{
	u32 i = gid();
	if (i >= n)
		return;
	u32 a = i, b = 1, steps = 0;
	for (u32 pc = i % 4; pc < len && steps < 200; pc++, steps++) {
		switch (code[pc]) {
		case 0: a += b; break;
		case 1: b ^= a; break;
		case 2: a = a << 3 | a >> 29; break;
		case 3: if (a & 1) pc += 2; break;
		case 4: b += pc; break;
		case 5: a -= b * 3; break;
		case 6: if (b % 5 == 0 && pc > 6) pc -= 5; break;
		case 7: { u32 t = a; a = b; b = t; } break;
		case 11: a *= 2654435761u; break;
		case 200: b = ~b; break;
		default: a ^= code[pc]; break;
		}
	}
	out[i * 2] = a;
	out[i * 2 + 1] = b + steps;
}
KERNEL irreducible(u32 n, const u32 *in, u32 *out)
{
	u32 i = gid();
	if (i >= n)
		return;
	u32 x = in[i], c = 0;
	if (x & 1)
		goto odd;
even:
	x = x / 2 + 7;
	c += 1;
	if (c > 60)
		goto done;
	if (x % 3 == 0)
		goto even;
odd:
	x = x * 3 + 1;
	c += 2;
	if (x % 5 == 0)
		goto odd;
	if (c < 50)
		goto even;
done:
	out[i] = x ^ c << 24;
}
