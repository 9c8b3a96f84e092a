#!/usr/bin/env python3
"""gen.py: writes mma/mma.case and mma/mma.sm_90.ptx: every mma and mma.sp form of sm_90, and ldmatrix, stmatrix and movmatrix, on two warps.

Factors and sums are small whole numbers, so that no order of summation and no rounding matters."""
import os
import random

random.seed(5)
WARPS = 2
LANES = 32 * WARPS

# type of a factor: buffer, bytes of a register, registers' PTX type
FACTORS = {
    "f16": ("halves", 4), "bf16": ("bfloats", 4), "tf32": ("words", 4), "f64": ("doubles", 8), "e4m3": ("e4m3", 4), "e5m2": ("e5m2", 4),
    "u8": ("bits", 4), "s8": ("bits", 4), "u4": ("bits", 4), "s4": ("bits", 4), "b1": ("bits", 4),
}
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f64": 64, "e4m3": 8, "e5m2": 8, "u8": 8, "s8": 8, "u4": 4, "s4": 4, "b1": 1}
SUMS = {"f16": ("halves", 4), "f32": ("words", 4), "f64": ("doubles", 8), "s32": ("ints", 4)}

entries, launches, sizes = [], [], [0]  # sizes: of the output buffers; a recording keeps 64 KiB whole


def output(n):
    if sizes[-1] + n > 65536:
        sizes.append(0)
    at = "@d%d+%d" % (len(sizes) - 1, sizes[-1])
    sizes[-1] += n
    return at


def lists(prefix, n):
    return "{" + ", ".join("%%%s%d" % (prefix, k) for k in range(n)) + "}"


def entry(op, regs, types, extra=""):
    """regs: of d, a, b, c."""
    nd, na, nb, nc = regs
    wa, wc, wd = FACTORS[types[1]][1], SUMS[types[3]][1], SUMS[types[0]][1]
    name = "k%d" % len(entries)
    body = []
    for p, n, w in (("a", na, wa), ("b", nb, wa), ("c", nc, wc), ("d", nd, wd)):
        body.append(".reg .b%d %%%s<%d>;" % (8 * w, p, n))
    for k, (p, n, w) in enumerate((("a", na, wa), ("b", nb, wa), ("c", nc, wc))):
        body.append("ld.param.u64 %%p, [p%d]; mad.wide.u32 %%p, %%i, %d, %%p;" % (k, n * w))
        for r in range(n):
            body.append("ld.global.b%d %%%s%d, [%%p+%d];" % (8 * w, p, r, r * w))
    if extra:
        body.append("ld.param.u64 %p, [p3]; mad.wide.u32 %p, %i, 4, %p; ld.global.b32 %e, [%p];")
        extra = ", %%e, %s" % extra
    body.append("%s %s, %s, %s, %s%s;" % (op, lists("d", nd), lists("a", na), lists("b", nb), lists("c", nc), extra))
    body.append("ld.param.u64 %%p, [p4]; mad.wide.u32 %%p, %%i, %d, %%p;" % (nd * wd))
    for r in range(nd):
        body.append("st.global.b%d [%%p+%d], %%d%d;" % (8 * wd, r * wd, r))
    entries.append((name, op, body))
    meta = "pairs" if extra and types[1] == "tf32" else "metadata"
    launches.append("launch %s grid %d block 32 args @%s @%s+4096 @%s @%s %s" % (
        name, WARPS, FACTORS[types[1]][0], FACTORS[types[2]][0], SUMS[types[3]][0], meta, output(nd * wd * LANES)))


def mma(shape, types, tail="", flags=""):
    m, n, k = shape
    d, a, b, c = types
    half = lambda t: 2 if t == "f16" else 1
    reg = max(32, BITS[a])
    regs = (m * n // 32 // half(d), m * k * BITS[a] // 32 // reg, n * k * BITS[a] // 32 // reg, m * n // 32 // half(c))
    entry("mma.sync.aligned.m%dn%dk%d.row.col%s.%s%s" % (m, n, k, flags, ".".join(types), tail), regs, types)


def sparse(shape, types, selectors, flags=""):
    m, n, k = shape
    half = 2 if types[0] == "f16" else 1
    regs = (4 // half, m * k * BITS[types[1]] // 2 // 1024, n * k * BITS[types[1]] // 1024, 4 // half)
    for variant in ("sp", "sp::ordered_metadata"):
        for f in selectors:
            entry("mma.%s.sync.aligned.m%dn%dk%d.row.col%s.%s" % (variant, m, n, k, flags, ".".join(types)), regs, types, str(f))


def dense_forms():
    for k in (8, 16):
        mma((16, 8, k), ("f16", "f16", "f16", "f16"))
        mma((16, 8, k), ("f32", "f16", "f16", "f32"))
        mma((16, 8, k), ("f32", "bf16", "bf16", "f32"))
    for k in (4, 8):
        mma((16, 8, k), ("f32", "tf32", "tf32", "f32"))
    for a in ("e4m3", "e5m2"):
        for b in ("e4m3", "e5m2"):
            mma((16, 8, 32), ("f32", a, b, "f32"))
            mma((16, 8, 32), ("f16", a, b, "f16"))
            mma((16, 8, 16), ("f32", a, b, "f32"))
    for shape in ((8, 8, 4), (16, 8, 4), (16, 8, 8), (16, 8, 16)):
        mma(shape, ("f64", "f64", "f64", "f64"))
    for sat in ("", ".satfinite"):
        for shape in ((8, 8, 16), (16, 8, 16), (16, 8, 32)):
            for a in ("u8", "s8"):
                for b in ("u8", "s8"):
                    mma(shape, ("s32", a, b, "s32"), flags=sat)
        for shape in ((8, 8, 32), (16, 8, 32), (16, 8, 64)):
            for a in ("u4", "s4"):
                for b in ("u4", "s4"):
                    mma(shape, ("s32", a, b, "s32"), flags=sat)
    for op in ("xor", "and"):
        for shape in ((8, 8, 128), (16, 8, 128), (16, 8, 256)):
            mma(shape, ("s32", "b1", "b1", "s32"), ".%s.popc" % op)
    for la in ("row", "col"):
        for lb in ("row", "col"):
            for d, c in (("f16", "f16"), ("f32", "f16"), ("f32", "f32")):
                entry("mma.sync.aligned.m8n8k4.%s.%s.%s.f16.f16.%s" % (la, lb, d, c), (4 if d == "f16" else 8, 2, 2, 4 if c == "f16" else 8),
                      (d, "f16", "f16", c))


def sparse_forms():
    for t in ("f16", "bf16"):
        for k, sel in ((16, range(4)), (32, range(2))):
            sparse((16, 8, k), ("f32", t, t, "f32"), sel)
            if t == "f16":
                sparse((16, 8, k), ("f16", t, t, "f16"), sel)
    for k, sel in ((8, range(4)), (16, range(2))):
        sparse((16, 8, k), ("f32", "tf32", "tf32", "f32"), sel)
    for sat in ("", ".satfinite"):
        for kind, k, sel in (("8", 32, range(2)), ("8", 64, (0,)), ("4", 64, range(2)), ("4", 128, (0,))):
            for a in ("u", "s"):
                for b in ("u", "s"):
                    sparse((16, 8, k), ("s32", a + kind, b + kind, "s32"), sel, sat)
    for a in ("e4m3", "e5m2"):
        for b in ("e4m3", "e5m2"):
            sparse((16, 8, 64), ("f32", a, b, "f32"), (0,))


def moves():
    """Each lane's 16 bytes go to shared memory, rows are read in another order."""
    for n in (1, 2, 4):
        for trans in ("", ".trans"):
            for way in ("load", "store"):
                name = "k%d" % len(entries)
                body = [".reg .b32 %v<4>; .reg .b32 %s, %t, %j; .shared .align 16 .b8 rows[512];",
                        "mov.u32 %s, rows; mov.u32 %t, %tid.x;",
                        "ld.param.u64 %p, [p0]; mad.wide.u32 %p, %i, 16, %p; ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%p];",
                        "mad.lo.u32 %j, %t, 16, %s;"]
                if way == "load":
                    body += ["st.shared.v4.b32 [%j], {%v0, %v1, %v2, %v3}; bar.warp.sync -1;",
                             "mul.lo.u32 %j, %t, 5; and.b32 %j, %j, 31; mad.lo.u32 %j, %j, 16, %s;",
                             "ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16 %s, [%%j];" % (n, trans, lists("v", n))]
                else:
                    body += ["st.shared.v4.b32 [%j], {%t, %t, %t, %t}; bar.warp.sync -1;",
                             "mul.lo.u32 %j, %t, 5; and.b32 %j, %j, 31; mad.lo.u32 %j, %j, 16, %s;",
                             "stmatrix.sync.aligned.m8n8.x%d%s.shared.b16 [%%j], %s;" % (n, trans, lists("v", n)),
                             "bar.warp.sync -1; mad.lo.u32 %j, %t, 16, %s; ld.shared.v4.b32 {%v0, %v1, %v2, %v3}, [%j];"]
                if trans and way == "load":
                    body.append("movmatrix.sync.aligned.m8n8.trans.b16 %v3, %v0;")
                body.append("ld.param.u64 %p, [p4]; mad.wide.u32 %p, %i, 16, %p; st.global.v4.b32 [%p], {%v0, %v1, %v2, %v3};")
                entries.append((name, "%smatrix.x%d%s" % ("ld" if way == "load" else "st", n, trans), body))
                launches.append("launch %s grid %d block 32 args @bits @bits @bits @bits %s" % (name, WARPS, output(16 * LANES)))


def values(n, make):
    return "values(%s)" % ",".join(str(make()) for _ in range(n))


def metadata():
    return sum(random.choice((4, 8, 9, 12, 13, 14)) << 4 * k for k in range(8))


def pairs():
    return sum(random.choice((4, 14)) << 4 * k for k in range(8))


dense_forms()
sparse_forms()
moves()
here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mma")
with open(os.path.join(here, "mma.sm_90.ptx"), "w") as f:
    f.write("// Written by gen.py.\n.version 8.7\n.target sm_90\n.address_size 64\n")
    for name, op, body in entries:
        f.write("// %s\n.visible .entry %s(%s)\n{\n.reg .b64 %%p; .reg .b32 %%i, %%e;\n" % (
            op, name, ", ".join(".param .u64 p%d" % k for k in range(5))))
        f.write("mov.u32 %i, %ctaid.x; mov.u32 %e, %tid.x; mad.lo.u32 %i, %i, 32, %e;\n" + "\n".join(body) + "\nret;\n}\n")
with open(os.path.join(here, "mma.case"), "w") as f:
    f.write("# Written by gen.py.\nprogram mma\n")
    for line in ("halves f16 8192 whole(-3,3,1)", "bfloats u16 8192 " + values(61, lambda: random.choice((0, 0x3f80, 0x4000, 0x4040, 0xbf80, 0xc000, 0xc040))),
                 "words f32 8192 whole(-3,3,2)", "doubles f64 4096 whole(-9,9,3)", "ints s32 2048 bits(4)", "bits u8 32768 bits(5)",
                 "e4m3 u8 16384 " + values(61, lambda: random.choice((0, 0x38, 0x40, 0x44, 0xb8, 0xc0, 0xc4))),
                 "e5m2 u8 16384 " + values(61, lambda: random.choice((0, 0x3c, 0x40, 0x42, 0xbc, 0xc0, 0xc2))),
                 "metadata u32 256 " + values(61, metadata), "pairs u32 256 " + values(61, pairs), *("d%d u32 %d zero" % (k, n // 4) for k, n in enumerate(sizes))):
        f.write("buffer %s\n" % line)
    f.write("\n".join(launches) + "\n" + "".join("output d%d exact\n" % k for k in range(len(sizes))))
