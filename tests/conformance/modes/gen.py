#!/usr/bin/env python3
"""Writes mixed/mixed.sm_90.ptx and mixed/mixed.case: random programs that mix rounding and denormal modes.

Every operation names its own rounding (rn rz rm rp) and flushing (.ftz or not), in three widths, one after the other, on both sides
of divergent branches, in loops whose trip counts differ between lanes, and in functions that are called directly and by address. So
a mode that leaks from one instruction, path or function into another gives other bits. Recorded on an NVIDIA H200 (../README.md)."""
import os
import random
import struct

KERNELS, THREADS, F32, F64, F16 = 96, 256, 6, 3, 3
ROUND = ["rn", "rz", "rm", "rp"]
rnd = random.Random(7)
os.chdir(os.path.dirname(os.path.abspath(__file__)))


class Body:
    def __init__(self, functions):
        self.lines, self.labels, self.functions, self.depth = [], 0, functions, 0

    def put(self, text):
        self.lines.append("\t" + text)

    def label(self):
        self.labels += 1
        return f"L{self.labels}"

    def f(self):
        return f"f{rnd.randrange(F32)}"

    def d(self):
        return f"d{rnd.randrange(F64)}"

    def h(self):
        return f"h{rnd.randrange(F16)}"

    def op32(self):
        mods = rnd.choice(ROUND) + rnd.choice(["", ".ftz"]) + rnd.choice(["", "", "", ".sat"])
        kind = rnd.choice(["add", "sub", "mul", "fma", "fma", "minmax", "div", "sqrt", "rcp", "int"])
        if kind == "fma":
            self.put(f"fma.{mods}.f32 {self.f()}, {self.f()}, {self.f()}, {self.f()};")
        elif kind == "minmax":
            self.put(f"{rnd.choice(['min', 'max'])}{rnd.choice(['', '.ftz'])}.f32 {self.f()}, {self.f()}, {self.f()};")
        elif kind in ("div", "sqrt", "rcp"):
            self.put(f"{kind}.{mods.replace('.sat', '')}.f32 {self.f()}, {self.f()}{', ' + self.f() if kind == 'div' else ''};")
        elif kind == "int":
            self.put(f"cvt.{rnd.choice(ROUND)}i{rnd.choice(['', '.ftz'])}.f32.f32 {self.f()}, {self.f()};")
        else:
            self.put(f"{kind}.{mods}.f32 {self.f()}, {self.f()}, {self.f()};")

    def op64(self):
        r = rnd.choice(ROUND)
        kind = rnd.choice(["add", "sub", "mul", "fma", "div", "sqrt"])
        sources = {"fma": 3, "sqrt": 1}.get(kind, 2)
        self.put(f"{kind}.{r}.f64 {self.d()}, {', '.join(self.d() for _ in range(sources))};")

    def op16(self):
        kind = rnd.choice(["add", "sub", "mul", "fma"])
        mods = "rn" + rnd.choice(["", ".ftz"]) + rnd.choice(["", "", ".sat"])
        self.put(f"{kind}.{mods}.f16 {self.h()}, {', '.join(self.h() for _ in range(3 if kind == 'fma' else 2))};")

    def convert(self):
        r, z = rnd.choice(ROUND), rnd.choice(["", ".ftz"])
        self.put(rnd.choice([
            f"cvt.{r}{z}.f32.f64 {self.f()}, {self.d()};", f"cvt{z}.f64.f32 {self.d()}, {self.f()};",
            f"cvt.{r}{z}.f16.f32 {self.h()}, {self.f()};", f"cvt{z}.f32.f16 {self.f()}, {self.h()};",
            f"cvt.{r}.f16.f64 {self.h()}, {self.d()};", f"cvt.f64.f16 {self.d()}, {self.h()};",
            f"cvt.{r}i{z}.s32.f32 i, {self.f()}; cvt.{r}.f32.s32 {self.f()}, i;",
            f"cvt.{r}i.s64.f64 j, {self.d()}; cvt.{r}.f64.s64 {self.d()}, j;"]))

    def branch(self):
        other, end = self.label(), self.label()
        self.put(f"setp.{rnd.choice(['lt', 'geu', 'neu', 'gt', 'num'])}{rnd.choice(['', '.ftz'])}.f32 p, {self.f()}, {self.f()};")
        self.put(f"@!p bra {other};")
        self.block(rnd.randrange(1, 4))
        self.put(f"bra {end};")
        self.lines.append(f"{other}:")
        self.block(rnd.randrange(1, 4))
        self.lines.append(f"{end}:")

    def loop(self):
        top, end, n = self.label(), self.label(), f"n{self.depth}"
        self.put(f"and.b32 {n}, tid, {rnd.choice([1, 3])};")
        self.lines.append(f"{top}:")
        self.block(rnd.randrange(1, 4))
        self.put(f"setp.gt.ftz.f32 p, {self.f()}, {self.f()};" if rnd.random() < .5 else f"setp.eq.u32 p, {n}, 0;")
        self.put(f"@p bra {end};")
        self.put(f"sub.u32 {n}, {n}, 1;")
        self.put(f"setp.ge.s32 p, {n}, 0;")
        self.put(f"@p bra {top};")
        self.lines.append(f"{end}:")

    def call(self):
        r, a, b, g = self.f(), self.f(), self.f(), rnd.choice(self.functions)
        if rnd.random() < .3:
            self.put(f"mov.u64 q, {g};")
            self.put(f"{{ .param .b32 r; .param .b32 a; .param .b32 b; st.param.f32 [a], {a}; st.param.f32 [b], {b};")
            self.put(f"  P{len(self.lines)}: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);")
            self.put(f"  call (r), q, (a, b), P{len(self.lines) - 1};")
        else:
            self.put(f"{{ .param .b32 r; .param .b32 a; .param .b32 b; st.param.f32 [a], {a}; st.param.f32 [b], {b};")
            self.put(f"  call (r), {g}, (a, b);")
        self.put(f"  ld.param.f32 {r}, [r]; }}")

    def block(self, n):
        self.depth += 1
        for _ in range(n):
            x = rnd.random()
            if x < .12 and self.depth < 4:
                self.branch()
            elif x < .20 and self.depth < 4:
                self.loop()
            elif x < .28 and self.functions:
                self.call()
            else:
                rnd.choice([self.op32, self.op32, self.op32, self.op64, self.op16, self.convert, self.convert])()
        self.depth -= 1


def declare(b):
    b.put(f".reg .f32 f<{F32}>; .reg .f64 d<{F64}>; .reg .b16 h<{F16}>; .reg .pred p; .reg .b32 i, tid, n<5>; .reg .b64 j, q, x, y;")
    b.put("mov.u32 tid, %tid.x;")


def function(name, functions):
    b = Body(functions)
    declare(b)
    b.put("ld.param.f32 f0, [pa]; ld.param.f32 f1, [pb];")
    b.put("mov.f32 f2, 0f3F800001; neg.f32 f3, f1; mov.f32 f4, 0f00400000; mov.f32 f5, f0;")
    b.put("cvt.f64.f32 d0, f0; cvt.f64.f32 d1, f1; mov.f64 d2, 0d3FE5555555555555;")
    b.put("cvt.rn.f16.f32 h0, f0; cvt.rz.f16.f32 h1, f1; mov.b16 h2, 0x3c01;")
    b.block(rnd.randrange(5, 12))
    b.put(f"st.param.f32 [pr], {b.f()};")
    b.put("ret;")
    head = f".func (.param .b32 pr) {name}(.param .b32 pa, .param .b32 pb)\n{{"
    return "\n".join([head] + b.lines + ["}"])


def kernel(k, functions):
    b = Body(functions)
    declare(b)
    b.put("ld.param.u64 x, [pin]; mul.wide.u32 y, tid, 4; add.u64 x, x, y;")
    for n in range(F32):
        b.put(f"ld.global.f32 f{n}, [x+{n * THREADS * 4}];")
    for n in range(F64):
        b.put(f"cvt.f64.f32 d{n}, f{n};")
        b.put(f"div.rn.f64 d{n}, d{n}, 0d400921FB54442D18;")
    for n in range(F16):
        b.put(f"cvt.rn.f16.f32 h{n}, f{n};")
    b.block(rnd.randrange(14, 26))
    b.put("ld.param.u64 x, [pout]; add.u64 x, x, y;")
    for n in range(F32):
        b.put(f"st.global.f32 [x+{n * THREADS * 4}], f{n};")
    for n in range(F16):
        b.put(f"cvt.u32.u16 i, h{n};")
        b.put(f"st.global.u32 [x+{(F32 + n) * THREADS * 4}], i;")
    b.put("add.u64 x, x, y;")
    for n in range(F64):
        b.put(f"st.global.f64 [x+{(F32 + F16 + 2 * n) * THREADS * 4}], d{n};")
    b.put("ret;")
    head = f".visible .entry k{k}(.param .u64 pin, .param .u64 pout)\n{{"
    return "\n".join([head] + b.lines + ["}"])


def number():
    x = rnd.random()
    if x < .06:
        return rnd.getrandbits(23) | rnd.getrandbits(1) << 31
    if x < .10:
        return rnd.choice([0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00800000, 0x7f7fffff, 0x3f800000])
    e = rnd.choice([rnd.gauss(0, 3), rnd.gauss(0, 3), rnd.gauss(0, 14), -124 + rnd.gauss(0, 2)])
    bits = struct.unpack("<I", struct.pack("<f", 2.0 ** max(-149, min(127, e))))[0]
    return (bits & 0x7f800000) | rnd.getrandbits(23) | rnd.getrandbits(1) << 31


functions = []
text = [".version 8.6", ".target sm_90", ".address_size 64", ""]
for k in range(12):
    text.append(function(f"g{k}", functions[:4] if k >= 8 else []))
    functions.append(f"g{k}")
for k in range(KERNELS):
    text.append(kernel(k, functions))
with open("mixed/mixed.sm_90.ptx", "w") as f:
    f.write("\n".join(text) + "\n")
words = (F32 + F16 + 2 * F64) * THREADS
with open("mixed/mixed.case", "w") as f:
    f.write("# made by ../gen.py\nprogram mixed\n")
    f.write(f"buffer in u32 {F32 * THREADS} values({','.join(str(number()) for _ in range(F32 * THREADS))})\n")
    for k in range(KERNELS):
        f.write(f"buffer out{k} u32 {words} zero\n")
    for k in range(KERNELS):
        f.write(f"launch k{k} grid 1 block {THREADS} args @in @out{k}\n")
    for k in range(KERNELS):
        f.write(f"output out{k} exact\n")
