#!/usr/bin/env python3
"""record.py: the local arrays of shapes.py's twelve functions, for NVPTX (shapes.ptx) and as clang's AMDGPU back end decides about them
(clang.tsv: chip, shape, `registers` or `scratch N`). Needs llc-22."""
import re
import subprocess

# An array of words %a (A bytes) on the stack; P: its pointer type; each shape leaves its result in %r.
SHAPES = {
    "constant": (16, """
 store i32 %t, P %a
 %p = getelementptr i8, P %a, i32 8
 store i32 %n, P %p
 %x = load i32, P %a
 %y = load i32, P %p
 %r = mul i32 %x, %y"""),
    "vector": (16, """
 %v0 = insertelement <4 x i32> poison, i32 %t, i32 0
 %v1 = insertelement <4 x i32> %v0, i32 %n, i32 1
 %v2 = insertelement <4 x i32> %v1, i32 7, i32 2
 %v3 = insertelement <4 x i32> %v2, i32 %t, i32 3
 store <4 x i32> %v3, P %a, align 16
 %p = getelementptr i8, P %a, i32 4
 %x = load i32, P %p
 %q = getelementptr i8, P %a, i32 12
 %y = load i32, P %q
 %r = sub i32 %x, %y"""),
    "word_as_bytes": (16, """
 store i32 %n, P %a
 %p = getelementptr i8, P %a, i32 2
 %b = load i8, P %p
 %r = zext i8 %b to i32"""),
    "bytes_as_word": (16, """
 %b = trunc i32 %t to i8
 store i32 %n, P %a
 %p = getelementptr i8, P %a, i32 1
 store i8 %b, P %p
 %r = load i32, P %a"""),
    "half_of_64": (16, """
 %w = zext i32 %n to i64
 %s = shl i64 %w, 32
 store i64 %s, P %a
 store i32 %t, P %a
 %l = load i64, P %a
 %h = lshr i64 %l, 32
 %x = trunc i64 %h to i32
 %y = trunc i64 %l to i32
 %r = add i32 %x, %y"""),
    "branches": (16, """
 store i32 5, P %a
 %c = icmp slt i32 %t, %n
 br i1 %c, label %yes, label %no
yes:
 store i32 %t, P %a
 br label %no
no:
 %r = load i32, P %a"""),
    "loop_carried": (16, """
 store i32 0, P %a
 br label %loop
loop:
 %k = phi i32 [0, %entry], [%k1, %loop]
 %o = load i32, P %a
 %o1 = add i32 %o, %t
 store i32 %o1, P %a
 %k1 = add i32 %k, 1
 %c = icmp slt i32 %k1, %n
 br i1 %c, label %loop, label %end
end:
 %r = load i32, P %a"""),
    "wide_constant": (4096, """
 %p = getelementptr i8, P %a, i32 4000
 store i32 %t, P %p
 %q = getelementptr i8, P %a, i32 40
 store i32 %n, P %q
 %x = load i32, P %p
 %y = load i32, P %q
 %r = add i32 %x, %y"""),
    "select_of_two": (16, """
 store i32 %t, P %a
 %p = getelementptr i8, P %a, i32 4
 store i32 %n, P %p
 %c = icmp slt i32 %t, 9
 %s = select i1 %c, P %a, P %p
 %r = load i32, P %s"""),
    "index_small": (32, """
 %i = and i32 %t, 7
 %p = getelementptr i32, P %a, i32 %i
 %h = getelementptr i32, P %a, i32 4
 store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, P %a, align 16
 store <4 x i32> <i32 5, i32 6, i32 7, i32 8>, P %h, align 16
 store i32 %n, P %a
 store i32 %t, P %p
 %j = and i32 %n, 7
 %q = getelementptr i32, P %a, i32 %j
 %r = load i32, P %q"""),
    "index_large": (2048, """
 %i = and i32 %t, 511
 %p = getelementptr i32, P %a, i32 %i
 store i32 %n, P %a
 store i32 %t, P %p
 %j = and i32 %n, 511
 %q = getelementptr i32, P %a, i32 %j
 %r = load i32, P %q"""),
    "escapes": (16, """
 store i32 %t, P %a
 %g = PTOG
 store volatile ptr %g, ptr addrspace(3) @slot
 %l = load volatile ptr, ptr addrspace(3) @slot
 %r = load i32, ptr %l"""),
}


def module(amd):
    p, tid = ("ptr addrspace(5)", "llvm.amdgcn.workitem.id.x") if amd else ("ptr", "llvm.nvvm.read.ptx.sreg.tid.x")
    out = ['target datalayout = "A5"'] if amd else []
    out.append("@slot = internal addrspace(3) global ptr poison, align 8")
    for name, (size, text) in SHAPES.items():
        text = text.replace("PTOG", "addrspacecast ptr addrspace(5) %a to ptr" if amd else "bitcast ptr %a to ptr")
        text = re.sub(r"\bP %", p + " %", text)
        out.append("define %s void @%s(ptr addrspace(1) %%out, i32 %%n) {\nentry:\n %%a = alloca [%d x i8], align 16%s\n"
                   " %%t = call i32 @%s()%s\n %%dst = getelementptr i32, ptr addrspace(1) %%out, i32 %%t\n"
                   " store i32 %%r, ptr addrspace(1) %%dst\n ret void\n}"
                   % ("amdgpu_kernel" if amd else "ptx_kernel", name, size, ", addrspace(5)" if amd else "", tid, text))
    out.append("declare i32 @%s()" % tid)
    return "\n".join(out) + "\n"


def llc(args, text):
    return subprocess.run(["llc-22"] + args, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout


def optimised(gpu):
    return subprocess.run(["opt-22", "-S", "-O3", "-mtriple=amdgcn-amd-amdhsa", "-mcpu=" + gpu], input=module(True), stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def main():
    ptx = llc(["-O0", "-mtriple=nvptx64-nvidia-cuda", "-mcpu=sm_75"], module(False))
    head = "// By record.py, from LLVM IR, by LLVM's NVPTX back end at -O0: local arrays in twelve shapes.\n"
    open("tests/mem/shapes/shapes.ptx", "w").write(head + re.sub(r"^\s*//.*\n|\s*//.*$", "", ptx, flags=re.M))
    with open("tests/mem/shapes/clang.tsv", "w") as f:
        for gpu in ("gfx1030", "gfx1100"):
            asm = llc(["-O3", "-mtriple=amdgcn-amd-amdhsa", "-mcpu=" + gpu], optimised(gpu))
            for name, n in re.findall(r"\.amdhsa_kernel (\w+)\n.*?\.amdhsa_private_segment_fixed_size (\d+)", asm, re.S):
                f.write("%s\t%s\t%s\n" % (gpu, name, "scratch " + n if int(n) else "registers"))


main()
