#!/usr/bin/env python3
"""record.py [LLC] > llvm.tsv: what LLVM's memory legaliser puts around every kind of access, for tests/unit/amd_memmodel.c.

A row: chip, OP.ORDER.SCOPE.SPACE, then the sequence: `wait vm lgkm vs` (counters waited for to be zero), `access` with its cache
bits, `inv gl0` / `inv gl1`. The table that LLVM's documentation has ("Memory Model gfx10-gfx11"), from LLVM itself."""
import re
import subprocess
import sys
import tempfile

SCOPES = {"thread": "singlethread", "cta": "workgroup", "gpu": "agent", "sys": ""}
SPACES = {"generic": "ptr", "global": "ptr addrspace(1)", "shared": "ptr addrspace(3)"}
RMW = ["relaxed", "acquire", "release", "acq_rel", "sc"]
OPS = {"load": ["weak", "volatile", "relaxed", "acquire"], "store": ["weak", "volatile", "relaxed", "release"],
       "atom": RMW, "red": RMW, "cas": RMW, "fence": ["acquire", "release", "acq_rel", "sc"]}
LLVM_ORDER = {"relaxed": "monotonic", "sc": "seq_cst"}


def body(op, order, scope, ptr):
    sync = 'syncscope("%s") ' % SCOPES[scope] if SCOPES[scope] else ""
    o = LLVM_ORDER.get(order, order)
    plain = order in ("weak", "volatile")
    vol = "volatile " if order == "volatile" else ""
    if op == "load":
        tail = "" if plain else " %s%s, align 4" % (sync, o)
        return "i32", "%%v = load %si32, %s %%p%s\n ret i32 %%v" % (vol or ("" if plain else "atomic "), ptr, tail)
    if op == "store":
        tail = "" if plain else " %s%s, align 4" % (sync, o)
        return "void", "store %si32 %%x, %s %%p%s\n ret void" % (vol or ("" if plain else "atomic "), ptr, tail)
    if op in ("atom", "red"):
        rmw = "%%v = atomicrmw add %s %%p, i32 %%x %s%s\n " % (ptr, sync, o)
        return ("i32", rmw + "ret i32 %v") if op == "atom" else ("void", rmw + "ret void")
    if op == "cas":
        fail = {"release": "monotonic", "acq_rel": "acquire"}.get(o, o)
        return "i32", ("%%q = cmpxchg %s %%p, i32 %%x, i32 7 %s%s %s\n %%v = extractvalue {i32, i1} %%q, 0\n ret i32 %%v"
                       % (ptr, sync, o, fail))
    return "void", "fence %s%s\n ret void" % (sync, o)


def module():
    out = []
    for op, orders in OPS.items():
        for order in orders:
            for scope in SCOPES:
                if order in ("weak", "volatile") and scope != "sys":
                    continue
                for space, ptr in SPACES.items():
                    if op == "fence" and space != "generic":
                        continue
                    ret, text = body(op, order, scope, ptr)
                    out.append('define %s @"%s.%s.%s.%s"(%s %%p, i32 %%x) {\n %s\n}\n' % (ret, op, order, scope, space, ptr, text))
    return "\n".join(out)


def waits(gfx11, imm):
    vm = imm >> 10 & 63 if gfx11 else imm & 15 | imm >> 10 & 48
    lgkm = imm >> 4 & 63 if gfx11 else imm >> 8 & 63
    return (["vm"] if vm == 0 else []) + (["lgkm"] if lgkm == 0 else [])


def sequence(gfx11, lines):
    out = []
    for line in lines:
        m = re.search(r"(S_WAITCNT_VSCNT\w*|S_WAITCNT(?:_soft)?(?= \d)|BUFFER_GL[01]_INV|(?:GLOBAL|FLAT|DS)_(?:LOAD|STORE|READ|WRITE|ATOMIC|ADD|CMPST)\w*) ?(.*)", line)
        if not m:
            continue
        op, rest = m.groups()
        if op.startswith("S_WAITCNT"):
            which = ["vs"] if "VSCNT" in op else waits(gfx11, int(rest.split()[0].rstrip(",")))
            if out and out[-1].startswith("wait"):
                which = out.pop().split()[1:] + which
            out.append("wait " + " ".join(w for w in ("vm", "lgkm", "vs") if w in which))
        elif op.startswith("BUFFER"):
            out.append("inv gl" + op[9])
        else:
            bits = 0 if op.startswith("DS") else int(re.search(r", (\d+), implicit \$exec", rest).group(1))
            out.append(" ".join(["access"] + [n for k, n in enumerate(("glc", "slc", "dlc")) if bits >> k & 1]))
    return "; ".join(out)


def main():
    llc = sys.argv[1] if len(sys.argv) > 1 else "llc-22"
    with tempfile.NamedTemporaryFile("w", suffix=".ll") as f:
        f.write(module())
        f.flush()
        for gpu in ("gfx1030", "gfx1100"):
            mir = subprocess.run([llc, "-mtriple=amdgcn-amd-amdhsa", "-mcpu=" + gpu, "-stop-after=si-memory-legalizer", "-o", "-", f.name],
                                 capture_output=True, text=True, check=True).stdout
            for part in re.split(r"^name: +", mir, flags=re.M)[1:]:
                name = part.split("\n", 1)[0].strip("'\" ")
                print(gpu, name, sequence(gpu == "gfx1100", part[part.index("body:"):].split("\n")), sep="\t")


main()
