#!/usr/bin/env python3
"""gen_modules.py PTXAS OUT: small modules about directives, declarations, initialisers, scopes and layout, with ptxas' verdicts.

OUT holds one case after another: a line `=== NAME TAB VERDICT`, where VERDICT is `ok` or `LINE MESSAGE` of the first error, then the module's
text and a newline that is not part of it. Bytes other than printable ASCII, and backslashes, are written as \\xNN. A module without .version gets HEAD before it."""
import os
import re
import subprocess
import sys
import tempfile

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"
cases = {}


def case(name, text):
    if isinstance(text, str):
        text = text.encode()
    k, n = name, 2
    while k in cases:
        k = "%s_%d" % (name, n)
        n += 1
    cases[k] = text if b".version" in text or b"NOHEAD" in text else HEAD.encode() + text


def each(name, texts, wrap="%s"):
    for t in texts:
        case(name, wrap.replace("%s", t))


def body(name, texts):
    each(name, texts, ".visible .entry k(.param .u64 p, .param .u32 q)\n{\n.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>;"
         " .reg .b64 %rd<9>; .reg .f64 %fd<9>;\n%s\nret;\n}\n")


def head():
    e = "\n.entry k() { ret; }\n"
    for v in ("1.0", "1.4", "2.0", "3.2", "4.3", "5.0", "6.0", "6.6", "7.0", "7.9", "8.0", "8.9", "9.0", "9.1", "10.0", "0.9", "9", "9.", ".9", "9.00", "09.0",
              "9.0.0", "8.10", "\"9.0\"", "sm_90", "-9.0", "9.0 9.0", "9.0;"):
        case("version", ".version %s\n.target sm_90\n.address_size 64%s" % (v, e))
    for t in ("sm_10", "sm_13", "sm_20", "sm_21", "sm_30", "sm_32", "sm_35", "sm_37", "sm_50", "sm_52", "sm_53", "sm_60", "sm_61", "sm_62", "sm_70", "sm_72",
              "sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_101", "sm_103", "sm_103a", "sm_103f",
              "sm_110", "sm_110a", "sm_110f", "sm_120", "sm_120a", "sm_120f", "sm_121", "sm_121a", "sm_121f", "sm_75a", "sm_90f", "sm_89a", "sm_99", "sm_",
              "sm_x", "sm_900", "compute_90", "SM_90", "sm_90 ", "sm_90, debug", "sm_90, texmode_unified", "sm_90, texmode_independent", "sm_90, map_f64_to_f32",
              "debug, sm_90", "texmode_independent, sm_90", "sm_90, sm_80", "sm_90, sm_90", "debug", "sm_90, foo", "sm_90,", "sm_90 debug", "sm_90;",
              "sm_90, texmode_unified, texmode_independent", "sm_90, debug, debug", "sm_13, map_f64_to_f32", "\"sm_90\"", "90"):
        case("target", ".version 9.0\n.target %s\n.address_size 64%s" % (t, e))
    for v, t in (("3.0", "sm_35"), ("6.4", "sm_80"), ("7.0", "sm_80"), ("7.0", "sm_86"), ("7.8", "sm_90"), ("7.8", "sm_90a"), ("8.0", "sm_90a"), ("8.5", "sm_100"),
                 ("8.6", "sm_100a"), ("8.6", "sm_100f"), ("8.7", "sm_120"), ("8.8", "sm_120f"), ("8.8", "sm_103"), ("9.0", "sm_101"), ("2.3", "sm_20"), ("1.4", "sm_20"),
                 ("8.6", "sm_101"), ("8.9", "sm_110"), ("8.8", "sm_121f"), ("8.7", "sm_88")):
        case("target_version", ".version %s\n.target %s\n.address_size 64%s" % (v, t, e))
    for a in ("64", "32", "16", "0", "-1", "64U", "0x40", "8*8", "64;", "\"64\"", "", "64 32", "128", "(64)"):
        case("address_size", ".version 9.0\n.target sm_90\n.address_size %s%s" % (a, e))
    V, T, A = ".version 9.0\n", ".target sm_90\n", ".address_size 64\n"
    for n, t in (("twice_version", V + V + T + A), ("twice_target", V + T + T + A), ("twice_size", V + T + A + A), ("other_size", V + T + A + ".address_size 32\n"),
                 ("late_size", V + T + ".global .u32 x;\n" + A), ("late_target", V + ".global .u32 x;\n" + T + A), ("late_version", T + V + A),
                 ("late_target2", V + T + A + ".global .u32 x;\n.target sm_80\n"), ("no_target", V + A), ("no_size", V + T), ("size_first", A + V + T),
                 ("other_version", V + ".version 8.0\n" + T + A), ("two_targets", V + T + ".target sm_80\n" + A), ("comment_first", "// hello\n\n/* a\nb */\n" + V + T + A),
                 ("pragma_first", ".pragma \"nounroll\";\n" + V + T + A), ("file_first", ".file 1 \"a.cu\"\n" + V + T + A), ("semicolon_first", ";\n" + V + T + A),
                 ("one_line", ".version 9.0 .target sm_90 .address_size 64"), ("split_lines", ".version\n9.0\n.target\nsm_90\n,\ndebug\n.address_size\n64"),
                 ("comments_inside", ".version /* a */ 9.0 // b\n.target /*c*/ sm_90\n.address_size 64")):
        case(n, t + "\n.entry k() { ret; }\n")
    case("no_version", "// NOHEAD\n.target sm_90\n.address_size 64\n.entry k() { ret; }\n")
    case("nothing", "// NOHEAD\n")
    case("only_entry", "// NOHEAD\n.entry k() { ret; }\n")
    case("empty_module", "")
    case("only_version", ".version 9.0\n")
    case("empty_file", b"//NOHEAD")


def linkage():
    sp = (".global", ".const", ".shared", ".local", ".param", ".reg", ".sreg", ".tex", "")
    for l in ("", ".extern", ".visible", ".weak", ".common", ".static", ".extern .visible", ".visible .extern", ".weak .extern", ".visible .visible", ".common .weak"):
        for s in sp:
            case("linkage", "%s %s .u32 x;\n.entry k() { ret; }\n" % (l, s))
    for l in (".extern", ".visible", ".weak", ".common"):
        case("link_init", "%s .global .u32 x = 5;\n" % l)
        case("link_array", "%s .global .u32 x[];\n" % l)
        case("link_array4", "%s .global .u32 x[4];\n" % l)
        case("link_func", "%s .func f() { ret; }\n" % l)
        case("link_func_decl", "%s .func f();\n" % l)
        case("link_entry", "%s .entry k() { ret; }\n" % l)
        case("link_entry_decl", "%s .entry k();\n" % l)
        case("link_body", ".entry k() {\n%s .shared .u32 x;\nret; }\n" % l)
        case("link_body_global", ".entry k() {\n%s .global .u32 x;\nret; }\n" % l)
        for m in (".extern", ".visible", ".weak", ".common", ""):
            case("twice", "%s .global .u32 x;\n%s .global .u32 x;\n" % (l, m))
            case("twice_f", "%s .func f();\n%s .func f() { ret; }\n" % (l, m))
            case("twice_fd", "%s .func f();\n%s .func f();\n" % (l, m))
    each("decl", [
        ".global .u32 x;\n.global .u32 x;", ".extern .global .u32 x;\n.visible .global .u64 x;", ".extern .global .u32 x;\n.visible .const .u32 x;",
        ".extern .global .u32 x[];\n.visible .global .u32 x[4];", ".extern .global .u32 x[4];\n.visible .global .u32 x[8];", ".extern .global .u32 x;\n.visible .global .u32 x = 3;",
        ".visible .global .u32 x;\n.extern .global .u32 x;", ".extern .shared .u32 x[];\n.extern .shared .u64 x[];", ".extern .shared .u32 x[];\n.extern .shared .u32 x[];",
        ".extern .shared .align 16 .b8 x[];\n.extern .shared .align 8 .b8 x[];", ".global .u32 f;\n.func f() { ret; }", ".func f() { ret; }\n.global .u32 f;",
        ".func f() { ret; }\n.entry f() { ret; }", ".entry f() { ret; }\n.entry f() { ret; }", ".func f();\n.func f();\n.func f() { ret; }\n.func f();",
        ".func f(.param .u32 a);\n.func f(.param .u64 a) { ret; }", ".func f(.param .u32 a);\n.func f(.param .s32 b) { ret; }", ".func f(.param .u32 a);\n.func f(.param .f32 b) { ret; }",
        ".func f(.param .b32 a);\n.func f(.param .f32 b) { ret; }", ".func f(.param .u32 a);\n.func f() { ret; }", ".func (.param .u32 r) f();\n.func f() { ret; }",
        ".func (.param .u32 r) f();\n.func (.param .u32 s) f() { ret; }", ".func f(.param .align 8 .b8 a[8]);\n.func f(.param .align 4 .b8 a[8]) { ret; }",
        ".entry k(.param .u32 a);\n.entry k(.param .u64 a) { ret; }", ".entry k(.param .u32 a);\n.entry k(.param .u32 a) { ret; }", ".entry k();\n.func k() { ret; }",
        ".extern .func f();\n.entry k() { call f; ret; }", ".extern .func f() { ret; }", ".weak .func f() { ret; }\n.weak .func f() { ret; }",
        ".global .u32 x, y, z;", ".global .u32 x, x;", ".global .u32;", ".global x;", ".global .u32 x y;", ".global .u32 .u32 x;", ".global .u32 x .u32;",
        ".u32 .global x;", ".global .align 4 .u32 x;", ".align 4 .global .u32 x;", ".global .u32 .align 4 x;", ".global .v2 .u32 x;", ".global .u32 .v2 x;",
        ".global .v4 .f32 x[4];", ".global .v2 .f64 x;", ".global .v4 .f64 x;", ".global .v8 .b16 x;", ".global .v3 .u32 x;", ".global .v2 .v2 .u32 x;", ".global .v2 .b128 x;",
        ".global .b128 x;", ".global .f16 x;", ".global .f16x2 x;", ".global .bf16 x;", ".global .bf16x2 x;", ".global .tf32 x;", ".global .e4m3 x;", ".global .pred x;", ".global .u128 x;",
        ".global .b1024 x;", ".global .u4 x;", ".global .texref x;", ".global .surfref x;", ".global .samplerref x;", ".tex .u32 x;", ".const .texref x;", ".shared .texref x;",
        ".global .u32 x[0];", ".global .u32 x[-1];", ".global .u32 x[1.5];", ".global .u32 x[2][3];", ".global .u32 x[][3];", ".global .u32 x[2][];", ".global .u32 x[2+3*4];",
        ".global .u32 x[];", ".global .b8 x[4294967296];", ".global .b8 x[1099511627776];", ".global .b8 x[18446744073709551615];", ".global .u32 x[y];", ".global .u32 x[2U];",
        ".global .u32 x<4>;", ".shared .u32 x<4>;", ".global .u32 x<0>;", ".global .align 3 .u32 x;", ".global .align 0 .u32 x;", ".global .align 1 .u32 x;", ".global .align 2 .u32 x;",
        ".global .align 256 .u32 x;", ".global .align 1024 .u32 x;", ".global .align 65536 .u32 x;", ".global .align 1073741824 .u32 x;", ".global .align 4294967296 .u32 x;", ".global .align -4 .u32 x;",
        ".global .align 4 .align 8 .u32 x;", ".global .align .u32 x;", ".global .align 4+4 .u32 x;", ".global .align (8) .u32 x;", ".global .align x .u32 x;",
        ".const .u32 x;", ".const[0] .u32 x;", ".const[3] .u32 x;", ".const .b8 x[65536];", ".const .b8 x[65537];",
        ".shared .b8 x[65536];", ".shared .u32 x = 4;", ".local .u32 x;", ".reg .u32 x;", ".reg .u32 %r<4>;", ".param .u32 x;", ".sreg .u32 %x;",
        ".global .u32 $x;", ".global .u32 _x;", ".global .u32 _;", ".global .u32 %x;", ".global .u32 %;", ".global .u32 $;", ".global .u32 x$y_1;", ".global .u32 1x;", ".global .u32 x.y;", ".global .u32 x@y;",
        ".global .u32 add;", ".global .u32 ret;", ".global .u32 entry;", ".global .u32 global;", ".global .u32 u32;", ".global .u32 sm_90;", ".global .u32 %tid;", ".global .u32 WARP_SZ;", ".global .u32 __cuda;",
        ".global .u32 generic;", ".global .u32 %laneid;", ".global .u32 x123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890;",
        ".global", ".global .u32 x", ".global .u32 x;;", ";;;", ".global .u32 x; .global .u32 y;", ".global\n.u32\nx\n;", ".foo .u32 x;", ".global .foo x;", ".global .u33 x;", ". global .u32 x;", ".global.u32 x;", "global .u32 x;", ".GLOBAL .u32 x;", ".global .U32 x;",
        ".attribute(.managed) .global .u32 x;", ".global .attribute(.managed) .u32 x;", ".global .attribute(.managed, .managed) .u32 x;", ".visible .attribute(.managed) .global .u32 x;", ".attribute(.managed) .shared .u32 x;",
        ".attribute(.managed) .const .u32 x;", ".global .u32 .attribute(.managed) x;", ".global .u32 x .attribute(.managed);", ".attribute(.managed) .visible .global .u32 x;", ".attribute() .global .u32 x;", ".attribute(.foo) .global .u32 x;",
        ".attribute(.unified(19,95)) .global .u32 x;", ".attribute(.unified(19)) .global .u32 x;", ".attribute(.unified(1,2), .managed) .global .u32 x;", ".global .attribute(.unified(1,2)) .u32 x;", ".attribute(.unified(1,2)) .func f() { ret; }", ".attribute(.unified(1,2)) .extern .func f();", ".func .attribute(.unified(1,2)) f() { ret; }", ".entry .attribute(.unified(1,2)) k() { ret; }", ".attribute(.managed) .func f() { ret; }", ".attribute(.unified(-1,2)) .global .u32 x;", ".attribute(.unified(0x1,2U)) .global .u32 x;",
    ])


def init():
    pre = ".global .u32 v;\n.const .u32 c;\n.shared .u32 s;\n.extern .global .u32 e;\n.func f() { ret; }\n.extern .func ef();\n"
    each("init", [
        ".u32 x = 5", ".u32 x = -5", ".u32 x = +5", ".u32 x = 1.5", ".u32 x = 0f3F800000", ".u32 x = 4294967295", ".u32 x = 4294967296", ".u32 x = -4294967296", ".u8 x = 255", ".u8 x = 256", ".u8 x = -1", ".s8 x = 300", ".u16 x = 70000", ".u64 x = 18446744073709551615",
        ".u64 x = 18446744073709551616", ".u64 x = 0xffffffffffffffff", ".u64 x = 0x10000000000000000", ".u64 x = 0b1", ".u64 x = 0b2", ".u64 x = 017", ".u64 x = 08", ".u64 x = 0xg", ".u64 x = 0X1F", ".u64 x = 1U", ".u64 x = 1u", ".u64 x = 1L", ".u64 x = 0x1FU", ".u64 x = 017U", ".u64 x = 0b11U", ".u64 x = 1e3",
        ".f32 x = 1.0", ".f32 x = 1", ".f32 x = -1.0", ".f32 x = 0f3F800000", ".f32 x = 0F3f800000", ".f32 x = 0f3F80000", ".f32 x = 0f3F8000000", ".f32 x = 0d3FF0000000000000", ".f32 x = 0D3FF0000000000000", ".f32 x = 1e10", ".f32 x = 1E+10", ".f32 x = 1e-400", ".f32 x = 1e400", ".f32 x = .5", ".f32 x = 5.", ".f32 x = 1.e5", ".f32 x = 1.0f", ".f32 x = 1e", ".f32 x = inf", ".f32 x = nan", ".f32 x = 1.0+2.0", ".f32 x = 1.0*2", ".f32 x = 1/2", ".f32 x = -0f3F800000", ".f32 x = 1.5.5",
        ".f64 x = 1.0", ".f64 x = 1", ".f64 x = 0d3FF0000000000000", ".f64 x = 0f3F800000", ".f64 x = 0d3FF", ".f64 x = -1.5e-3", ".f16 x = 1.0", ".f16 x = 0x3c00", ".b16 x = 1.0", ".b32 x = 1.0", ".b32 x = 0f3F800000", ".b64 x = 1.0", ".b64 x = 0d3FF0000000000000", ".b64 x = 0f3F800000", ".b32 x = 0d3FF0000000000000", ".f16x2 x = 5", ".b128 x = 5", ".b128 x = 0xffffffffffffffffffff",
        ".u32 x[4] = {1,2,3,4}", ".u32 x[4] = {1,2}", ".u32 x[4] = {1,2,3,4,5}", ".u32 x[4] = {}", ".u32 x[] = {1,2,3}", ".u32 x[] = {}", ".u32 x[4] = 1", ".u32 x[4] = {1,2,}", ".u32 x[4] = {,1}", ".u32 x = {1}", ".u32 x = {{1}}", ".u32 x[2] = {{1},{2}}", ".u32 x[2][2] = {{1,2},{3,4}}", ".u32 x[2][2] = {{1},{3}}", ".u32 x[2][2] = {1,2,3,4}", ".u32 x[2][2] = {{1,2,3},{4}}", ".u32 x[2][2] = {{1,2},{3,4},{5,6}}", ".u32 x[][2] = {{1,2},{3,4},{5,6}}", ".u32 x[2][2] = {{1,2}}", ".u32 x[2][2] = {1,{2}}", ".u32 x[2][2] = {{1,2},3,4}", ".u32 x[2][2][2] = {{{1,2},{3,4}},{{5,6},{7,8}}}", ".u32 x[2][2][2] = {{{1,2},{3}},{}}",
        ".v2 .u32 x = {1,2}", ".v2 .u32 x = {1}", ".v2 .u32 x = 1", ".v2 .u32 x = {1,2,3}", ".v2 .u32 x[2] = {{1,2},{3,4}}", ".v2 .u32 x[2] = {{1,2}}", ".v2 .u32 x[2] = {1,2,3,4}", ".v4 .f32 x = {1.0,2.0,3.0,4.0}", ".v4 .f32 x = {1.0,2,3.0,4.0}", ".f32 x[3] = {1.0,2.0,0f40400000}", ".f32 x[3] = {1.0,2,3.0}", ".f64 x[2] = {1.0,0d4000000000000000}", ".b8 x[4] = {1,2,3,4}", ".b8 x[8] = \"abc\"",
        ".u64 x = v", ".u64 x = v+4", ".u64 x = v-4", ".u64 x = 4+v", ".u64 x = v+4+4", ".u64 x = (v)", ".u64 x = (v+4)", ".u64 x = v*2", ".u64 x = -v", ".u64 x = v+1.0", ".u64 x = v+v", ".u64 x = v-v", ".u32 x = v", ".u16 x = v", ".u8 x = v", ".b64 x = v", ".s64 x = v", ".f64 x = v", ".b32 x = v", ".u64 x = c", ".u64 x = s", ".u64 x = e", ".u64 x = f", ".u64 x = ef", ".u64 x = f+4", ".u64 x = x", ".u64 x = y", ".u64 x = undefd", ".u64 x[3] = {v, c, f}", ".u64 x[2] = {v, 5}", ".u64 x[2] = {v+8, generic(v)}",
        ".u64 x = generic(v)", ".u64 x = generic(v)+4", ".u64 x = generic(v+4)", ".u64 x = generic(c)", ".u64 x = generic(s)", ".u64 x = generic(f)", ".u64 x = generic(5)", ".u64 x = generic(generic(v))", ".u32 x = generic(v)", ".u64 x = generic(x)", ".u64 x = generic(e)", ".u64 x = generic()", ".u64 x = foo(v)", ".u64 x[2] = {generic(v), generic(v)+8}", ".u64 x = 4+generic(v)",
        ".u8 x = 0xff(v)", ".u8 x[4] = {0xff(v), 0xff00(v), 0xff0000(v), 0xff000000(v)}", ".u8 x[8] = {0xff(v),0xff00(v),0xff0000(v),0xff000000(v),0xff00000000(v),0xff0000000000(v),0xff000000000000(v),0xff00000000000000(v)}", ".b8 x = 0xff(v+4)", ".u8 x = 0xff(generic(v))", ".u8 x = 0xff(f)", ".u8 x = 0x0f(v)", ".u8 x = 255(v)", ".u8 x = 0xffff(v)", ".u16 x = 0xff(v)", ".u32 x = 0xff(v)", ".u64 x = 0xff(v)", ".s8 x = 0xff(v)", ".u8 x = 0xff(0x12345)", ".u8 x = 0xff00(0x12345)", ".u8 x = 0xff(s)", ".u8 x = 0xff(undefd)", ".u8 x = 0xff", ".u8 x = 0xFF(v)", ".u8 x[2] = {0xff(v)+1, 2}", ".u8 x = 0xff(c)", ".u8 x = -0xff(v)", ".u8 x = 0xff(v-4)", ".u8 x[] = {0xff(v), 0xff00(v)}",
    ], pre + ".global %s;\n")
    each("expr", ["1+2", "1-2", "2*3", "7/2", "7%2", "-7/2", "-7%2", "7/0", "7%0", "1<<4", "1<<64", "1<<-1", "256>>4", "-1>>1", "1<2", "2>1", "1<=1", "1>=2", "1==1", "1!=1", "5&3", "5|3", "5^3", "~0", "!5", "!0", "1&&0", "1||0", "1?2:3", "0?2:3", "1?2:0?3:4", "(1+2)*3", "1+2*3", "2*3+1", "1<<2+3", "1|2^3&4", "1==2<3", "- - 5", "--5", "+5", "-+5", "!-5", "~-5", "-(5)", "((((5))))", "(5", "5)", "5+", "*5", "5 5", "5,6", "(.s64)5", "(.u64)-1", "(.u32)5", "(.f32)5", "(.s64)1.5", "(.u64)1.5", "1.5+2", "1.5<2.5", "1U-2", "1U-2>0", "-1>0U", "0x7fffffffffffffff+1", "0xffffffffffffffff+1", "9223372036854775807*2", "-9223372036854775808", "-9223372036854775809", "0x8000000000000000/-1", "1.5?1:2", "1?1.5:2", "1?1.5:2.5", "WARP_SZ", "WARP_SZ*2", "1.0%2.0", "1.0&2", "!1.5", "~1.5", "1.5&&1", "5/2.0", "sizeof(5)", "a", "1=2", "1<>2", "1?2", "1:2", "()", "1 + /* c */ 2", "1 +\n2", "0x+1", "1..2", "1e5", "0b", "0x", "00", "0777", "0778", "1_000", "'a'"],
         ".global .s64 x = %s;\n")
    body("expr_body", ["add.s32 %%r1, %%r2, %s;".replace("%%", "%") .replace("%s", x) for x in ("1+2*3", "(1+2)*3", "1<<4", "~5", "!5", "1?2:3", "0xffffffff", "0x100000000", "-2147483649", "4294967296", "1.0", "0f3F800000", "WARP_SZ", "(.s64)1.5", "1/0", "- 5", "-(5+5)", "5U", "1.5+1.5", "1<2", "'a'", "\"a\"", "08", "0b101", "017", "18446744073709551615", "18446744073709551616", "-9223372036854775809")])
    body("float_body", ["add.f32 %f1, %f2, X;".replace("X", x) for x in ("1.0", "1", "-1.0", "1e40", "0f3F800000", "0d3FF0000000000000", "1.0+2.0", "1/2", "1.0/2", "0x3f800000", "-0f3F800000", "1e-50", "1.", ".5", "5e3", "1.0f", "0f7F800000", "0f7fc00001", "-(1.0)", "!1.0", "WARP_SZ")])
    body("double_body", ["add.f64 %fd1, %fd2, X;".replace("X", x) for x in ("1.0", "1", "0f3F800000", "0d3FF0000000000000", "0d3FF", "1e400", "1e-400", "0D3FF0000000000000")])
    body("half_body", ["add.f16 %h1, %h2, X;".replace("X", x) for x in ("1.0", "1", "0x3c00", "0f3F800000", "0d3FF0000000000000")])


def scopes():
    body("scope", [
        "{ .reg .b32 %r1; mov.b32 %r1, 1; }", "{ .reg .b32 %t; }\nmov.b32 %t, 1;", "{ .reg .b32 %t; { .reg .b32 %t; mov.b32 %t, 1; } mov.b32 %t, 2; }", ".reg .b32 %r1;", ".reg .b32 %r<4>;", ".reg .b32 %r<20>;", ".reg .b32 a; .reg .b64 a;", ".reg .b32 a, b, a;", ".reg .b32 a<3>, b;", ".reg .b32 a<3>; .reg .b32 a1;", ".reg .b32 a1; .reg .b32 a<3>;", ".reg .b32 a5; .reg .b32 a<3>;", ".reg .b32 a<3>; mov.b32 a3, 1;", ".reg .b32 a<3>; mov.b32 a2, 1;", ".reg .b32 a<3>; mov.b32 a02, 1;", ".reg .b32 a<3>; mov.b32 a, 1;", ".reg .b32 a<0>; mov.b32 a0, 1;", ".reg .b32 a<-1>;", ".reg .b32 a<1.5>;", ".reg .b32 a<2+3>;", ".reg .b32 a<(2)>;", ".reg .b32 a<0x10>; mov.b32 a15, 1;", ".reg .b32 a<100000>; mov.b32 a99999, 1;", ".reg .b32 a<4294967296>;", ".reg .b32 a<>;", ".reg .b32 a[4];", ".reg .b32 a = 5;", ".reg .v2 .b32 a; mov.b32 a.x, 1;", ".reg .v4 .f32 a; mov.f32 a.w, 0f00000000;", ".reg .v2 .b32 a<3>; mov.b32 a1.y, 1;", ".reg .v8 .b32 a;", ".reg .v2 .f64 a;", ".reg .v4 .f64 a;", ".reg .v2 .pred a;", ".reg .u8 a; .reg .s8 b; .reg .b8 c;", ".reg .f16 a; .reg .f16x2 b; .reg .b128 c;", ".reg .bf16 a;", ".reg .texref a;", ".reg .align 4 .b32 a;", ".reg b32 a;", ".reg .b32;", ".reg a;", ".reg .b32 a", ".reg .b32 .b32 a;", ".reg .b32 %p1;", ".reg .b32 %tid; mov.b32 %tid, 1;", ".reg .b32 %laneid; mov.b32 %laneid, 1;", ".reg .b32 %tid; mov.u32 %r1, %tid.x;", ".reg .b32 k;", ".reg .b32 p;", ".reg .pred p; @p ret;", "ld.param.u64 %rd1, [p];\n.reg .b32 p;\n",
        ".local .b8 a[16]; mov.u64 %rd1, a;", ".shared .b8 a[16]; mov.u64 %rd1, a;", ".global .b8 a[16];", ".const .b8 a[16];", ".param .b32 a;", ".param .align 8 .b8 a[16]; st.param.b32 [a], %r1;", "{ .param .b32 a; st.param.b32 [a], %r1; }", ".local .u32 a = 5;", ".global .u32 a = 5;", ".const .u32 a = 5;", ".shared .u32 a = 5;", ".extern .shared .b8 a[];", ".extern .shared .b8 a[4];", ".local .b8 a[];", ".shared .b8 a[];", ".local .align 16 .v4 .f32 a;", ".local .pred a;", ".local .b8 a[100000000];",
        "L:", "L: L2:", "L:\nL:", "L: { L: }", "{ L: } L:", "bra L;\nL:", "bra L;", "{ bra L; }\nL:", "bra L;\n{ L: }", "{ bra L; { L: } }", "{ L: bra L; } { L: bra L; }", "L: bra L;", "L: .reg .b32 q1;", "L: { ret; }", "L: ;", "L:}\n{", "%r1:", "add:", "ret: bra ret;", "add: add.u32 %r1, %r1, 1;", "1:", "$L: bra $L;", "_L: bra _L;", "%L: bra %L;", "L.a: bra L.a;", "L :\nbra L;", "L\n:\nbra L;", "q: ", "p: bra p;", "k: bra k;", "bra k;", "bra %r1;", "bra p;", "bra 5;", "bra L, M;", "bra.uni L; L:", "bra;", "@%p1 bra L; L:", "@!%p1 bra L; L:", "@ %p1 bra L; L:", "@! %p1 bra L; L:", "@%r1 bra L; L:", "@%p9 ret;", "@p ret;", "@ ret;", "@%p1", "@%p1 @%p2 ret;", "@%p1 L: ret;", "L: @%p1 ret;", "@%p1 { ret; }", "@%p1 .reg .b32 z;", "@-%p1 ret;", "@!!%p1 ret;", "@1 ret;",
        "{", "}", "{ { } }", "{{{{{{{{}}}}}}}}", "{ ; }", "{ ret; } ;", "ret", "ret;ret;", "ret ret;", "exit;", "trap;", ";;;;", "foo;", "foo.bar %r1;", "add;", "add.s32;", "add.s32 %r1;", "add.s32 %r1, %r2;", "add.s32 %r1 %r2, %r3;", "add.s32 %r1,, %r2, %r3;", "add.s32 %r1, %r2, %r3,;", "add.s32 (%r1, %r2, %r3);", "add .s32 %r1, %r2, %r3;", "add. s32 %r1, %r2, %r3;", "add.s32\n%r1\n,\n%r2\n,\n%r3\n;", "add.s32%r1,%r2,%r3;", "add.s32 %r1, %r2, %r3; add.s32 %r1, %r2, %r3;", "add.s32 %R1, %r2, %r3;", "ADD.s32 %r1, %r2, %r3;", "add.S32 %r1, %r2, %r3;", "add..s32 %r1, %r2, %r3;", "add.s32. %r1, %r2, %r3;", ".add.s32 %r1, %r2, %r3;", "add.s32 %r1, %r2, %r99;", "add.s32 undefd, %r2, %r3;", "add.s32 %r1, L, %r3; L:", "add.s32 %r1, %r2, [%r3];", "add.s32 %r1, %r2, {%r3};", "add.s32 _, %r2, %r3;", "add.s32 %r1, _, %r3;", "add.s32 5, %r2, %r3;", "mov.u32 %r1, %tid;", "mov.u32 %r1, %tid.q;", "mov.u32 %r1, %tid.w;", "mov.u32 %r1, %foo;", "mov.u32 %tid.x, %r1;", "mov.u32 %r1, %clock64;", "mov.u32 %r1.x, 1;", "mov.u32 %r1, %r2.x;", "mov.u32 %r1, %envreg31;", "mov.u32 %r1, %envreg32;", "mov.u64 %rd1, %globaltimer;", "mov.u32 %r1, %pm7;", "mov.u32 %r1, %pm8;", "mov.u32 %r1, %lanemask_lt;", "mov.pred %p1, %is_explicit_cluster;", "mov.u32 %r1, %cluster_ctaid.x;", "mov.u32 %r1, %nctaid.z;", "mov.u32 %r1, %tid.xy;", "mov.u32 %r1, %tid .x;", "mov.u32 %r1, %tid. x;",
    ])


def funcs():
    each("func", [
        ".func f() { ret; }", ".func f { ret; }", ".func f\n{\nret;\n}", ".func () f () { ret; }", ".func (.reg .u32 r) f () { mov.u32 r, 1; ret; }", ".func (.reg .u32 r, .reg .u32 s) f () { ret; }", ".func (.param .u32 r, .param .u32 s) f () { ret; }", ".func (.param .b8 r[16]) f () { ret; }", ".func (.param .align 16 .b8 r[16]) f () { ret; }", ".func (.param .u32 r) f (.param .u32 a, .param .u64 b) { ret; }", ".func (.param .pred r) f () { ret; }", ".func (.reg .pred r) f () { ret; }", ".func (.param .v4 .f32 r) f () { ret; }", ".func (.local .u32 r) f () { ret; }", ".func (.param .u32 r = 5) f () { ret; }",
        ".func f (.param .u32 a, .param .u32 a) { ret; }", ".func f (.param .u32 a, .reg .u32 b) { ret; }", ".func f (.reg .u32 a) { .reg .u32 b; mov.u32 b, a; ret; }", ".func f (.param .u32 a[]) { ret; }", ".func f (.param .u32 a[4]) { ret; }", ".func f (.param .u32 a[2][2]) { ret; }", ".func f (.param .pred a) { ret; }", ".func f (.param .b128 a) { ret; }", ".func f (.param .f16 a) { ret; }", ".func f (.param .u8 a) { ret; }", ".func f (.param .texref a) { ret; }", ".func f (.param .u32 _) { ret; }", ".func (.param .u32 _) f () { ret; }", ".func f (.param .u32 _, .param .u32 _);", ".func f (.param .u32, .param .u32);", ".func f (.param .u32 a,) { ret; }", ".func f (.param .u32 a .param .u32 b) { ret; }", ".func f (u32 a) { ret; }", ".func f (.u32 a) { ret; }", ".func f (.global .u32 a) { ret; }", ".func f (.shared .u32 a) { ret; }", ".func f (.param .u32 a...) { ret; }", ".func f (.param .u32 a, ...) { ret; }", ".func f (.param .align 8 .b8 a[]) { ret; }", ".func f (.param .b8 a[], .param .u32 b) { ret; }", ".func f (.param .u32 a)", ".func f (.param .u32 a);", ".func f ();", ".func f;", ".func", ".func () { ret; }", ".func f() { ret; } ;", ".func f() { ret; }}", ".func f() {", ".func f() { ret;", ".func f() ret; }", ".func f() { ret }", ".func f() { .func g() { ret; } ret; }", ".func f() { .entry g() { ret; } ret; }", ".func f() { .version 9.0 ret; }", ".func f() { }", ".func f() { ; }", ".func add() { ret; }", ".func %f() { ret; }", ".func 1f() { ret; }", ".func f() { call f; ret; }", ".func f() { call g; ret; }\n.func g() { ret; }", ".func g();\n.func f() { call g; ret; }\n.func g() { ret; }", ".func g();\n.func f() { call g; ret; }", ".extern .func g();\n.func f() { call g; ret; }", ".func (.param .u32 r) f(.param .u32 a) { .reg .u32 t; ld.param.u32 t, [r]; ret; }", ".func (.param .u32 r) f(.param .u32 a) { .reg .u32 t; st.param.u32 [a], t; ret; }", ".func (.param .u32 r) f(.param .u32 a) { .reg .u32 t; ld.param.u32 t, [a]; st.param.u32 [r], t; ret; }", ".func (.param .u32 a) f(.param .u32 a) { ret; }", ".func f(.param .u32 f) { ret; }", ".func f(.param .u32 a) { .reg .u32 a; ret; }", ".func f(.param .u32 a) { .local .u32 a; ret; }", ".func f() { .reg .u32 f; ret; }",
        ".func .noreturn f() { exit; }", ".func f() .noreturn { exit; }", ".noreturn .func f() { exit; }", ".func .noreturn f();", ".func f() .noreturn;", ".func (.param .u32 r) f() .noreturn { exit; }", ".func .noreturn (.param .u32 r) f() { exit; }", ".entry k() .noreturn { exit; }", ".func f() .noreturn { ret; }", ".extern .func f() .noreturn;\n.entry k() { call f; ret; }", ".func f() .noreturn .noreturn { exit; }",
        ".entry k() { ret; }", ".entry k { ret; }", ".entry (.param .u32 r) k() { ret; }", ".entry k(.param .u32 a) { ret; }", ".entry k(.reg .u32 a) { ret; }", ".entry k(.param .u32 a, .param .u32 a) { ret; }", ".entry k(.param .pred a) { ret; }", ".entry k(.param .u32 a[]) { ret; }", ".entry k(.param .align 16 .b8 a[64]) { ret; }", ".entry k(.param .align 3 .b8 a[64]) { ret; }", ".entry k(.param .align 128 .b8 a[64]) { ret; }", ".entry k(.param .align 256 .b8 a[64]) { ret; }", ".entry k(.param .b8 a[4352]) { ret; }", ".entry k(.param .b8 a[32764]) { ret; }", ".entry k(.param .b8 a[32765]) { ret; }", ".entry k(.param .texref a) { ret; }", ".entry k(.param .surfref a) { ret; }", ".entry k(.param .samplerref a) { ret; }", ".entry k(.param .v4 .f32 a) { ret; }", ".entry k(.param .u64 .ptr a) { ret; }", ".entry k(.param .u64 .ptr .global a) { ret; }", ".entry k(.param .u64 .ptr .global .align 16 a) { ret; }", ".entry k(.param .u64 .ptr .align 16 a) { ret; }", ".entry k(.param .u64 .ptr .shared .align 4 a) { ret; }", ".entry k(.param .u64 .ptr .const a) { ret; }", ".entry k(.param .u64 .ptr .local a) { ret; }", ".entry k(.param .u64 .ptr .param a) { ret; }", ".entry k(.param .u64 .ptr .reg a) { ret; }", ".entry k(.param .u64 .ptr .global .global a) { ret; }", ".entry k(.param .u64 .ptr .align 3 a) { ret; }", ".entry k(.param .u64 .align 16 .ptr a) { ret; }", ".entry k(.param .ptr .u64 a) { ret; }", ".entry k(.param .u32 .ptr .global a) { ret; }", ".entry k(.param .f32 .ptr .global a) { ret; }", ".entry k(.param .b64 .ptr .global a) { ret; }", ".entry k(.param .u64 .ptr .global a[2]) { ret; }", ".entry k(.param .u64 .global a) { ret; }", ".func f(.param .u64 .ptr .global a) { ret; }", ".entry k(.param .u64 a = 5) { ret; }", ".entry k() { call k; ret; }", ".entry k() { call f; ret; }\n.func f() { ret; }", ".entry k(.param .u32 a);", ".entry k(.param .u32 a) { .param .u32 a; ret; }", ".entry k(.param .u32 a) { .reg .u32 a; ret; }", ".entry k(.param .u32 a) { { .reg .u32 a; } ret; }", ".entry k(.param .u32 k) { ret; }", ".entry k() { .reg .u32 k; ret; }", ".entry k(.param .u32 a) { .reg .u32 b; st.param.u32 [a], b; ret; }", ".entry k(.param .u32 %a) { ret; }", ".entry k(.param .u32 _) { ret; }", ".entry k(.param .u32) { ret; }", ".entry k(.param .attribute(.managed) .u32 a) { ret; }",
    ])
    perf = []
    for d in (".maxntid", ".reqntid", ".reqnctapercluster"):
        for a in ("1", "1,2", "1,2,3", "1 , 2 , 3", "1,2,3,4", "0", "1,0", "-1", "1024", "1025", "1024,2", "100000", "1.5", "", "x", "(1)", "1+1", "1,,2", "4294967296"):
            perf.append("%s %s" % (d, a))
    for d in (".minnctapersm", ".maxnctapersm", ".maxnreg", ".maxclusterrank"):
        for a in ("1", "0", "-1", "32", "255", "256", "1000", "1.5", "", "1,2", "1+1", "4294967296", "8"):
            perf.append("%s %s" % (d, a))
    perf += [".explicitcluster", ".blocksareclusters", ".explicitcluster 1", ".maxntid 32 .minnctapersm 2", ".minnctapersm 2", ".maxntid 32 .maxntid 32", ".maxntid 32 .maxntid 64", ".maxntid 32 .reqntid 32", ".reqntid 32 .reqntid 32", ".maxnreg 32 .maxnreg 32", ".maxnreg 32 .maxnreg 64", ".minnctapersm 1 .minnctapersm 1", ".maxntid 32 .maxnreg 32 .minnctapersm 2", ".maxnreg 32 .minnctapersm 2", ".explicitcluster .maxclusterrank 8", ".reqnctapercluster 2 .maxclusterrank 8", ".explicitcluster .reqnctapercluster 2", ".explicitcluster .explicitcluster", ".blocksareclusters .reqntid 32 .reqnctapercluster 2", ".blocksareclusters .reqntid 32", ".reqntid 32 .reqnctapercluster 2 .blocksareclusters", ".maxntid 32;", ".maxntid 32, .minnctapersm 2", ".maxntid", ".foo 3", ".maxntid 32 .pragma \"nounroll\";", ".pragma \"nounroll\";", ".pragma \"nounroll\"", ".noreturn", ".align 8", ".abi_preserve 8", ".abi_preserve_control 1", ".minnctapersm 2 .maxntid 32", ".maxclusterrank 0", ".reqnctapercluster 17", ".reqnctapercluster 8", ".reqnctapercluster 4,4", ".reqnctapercluster 3,3,3"]
    for p in perf:
        case("perf", ".entry k()\n%s\n{ ret; }\n" % p)
    for p in perf[::6] + [".abi_preserve 8", ".abi_preserve_control 1", ".abi_preserve 0", ".abi_preserve 256", ".noreturn", ".pragma \"nounroll\";"]:
        case("perf_func", ".func f()\n%s\n{ ret; }\n" % p)
    for p in (".maxntid 32", ".noreturn", ".maxnreg 32"):
        case("perf_decl", ".entry k() %s;\n" % p)
        case("perf_decl_def", ".entry k() %s;\n.entry k() { ret; }\n" % p)
        case("perf_both", ".entry k() %s;\n.entry k() %s { ret; }\n" % (p, p))
        case("perf_body", ".entry k() {\n%s;\nret; }\n" % p)
        case("perf_module", "%s\n.entry k() { ret; }\n" % p)
    each("alias", [
        ".alias a, b;\n", ".func b() { ret; }\n.alias a, b;", ".func b() { ret; }\n.func a();\n.alias a, b;", ".visible .func b() { ret; }\n.visible .func a();\n.alias a, b;", ".func b();\n.func a();\n.alias a, b;", ".func b() { ret; }\n.func a() { ret; }\n.alias a, b;", ".func b(.param .u32 x) { ret; }\n.func a();\n.alias a, b;", ".func (.param .u32 r) b() { ret; }\n.func a();\n.alias a, b;", ".weak .func b() { ret; }\n.func a();\n.alias a, b;", ".extern .func b();\n.func a();\n.alias a, b;", ".entry b() { ret; }\n.func a();\n.alias a, b;", ".func b() { ret; }\n.entry a();\n.alias a, b;", ".global .u32 b;\n.func a();\n.alias a, b;", ".func b() { ret; }\n.func a();\n.alias a, a;", ".func b() { ret; }\n.func a();\n.alias a b;", ".func b() { ret; }\n.func a();\n.alias a, b", ".func b() { ret; }\n.func a();\n.alias a, b, c;", ".func b() { ret; }\n.func a();\n.alias a, b;\n.alias a, b;", ".func b() { ret; }\n.func a();\n.func c();\n.alias a, b;\n.alias c, a;", ".func b() { ret; }\n.func a();\n.alias a, b;\n.entry k() { call a; ret; }", ".func b() { ret; }\n.func a();\n.alias a, b;\n.func a() { ret; }", ".func a();\n.alias a, b;\n.func b() { ret; }", ".func b() { ret; }\n.extern .func a();\n.alias a, b;", ".func b() .noreturn { exit; }\n.func a();\n.alias a, b;",
    ])
    f = ".func (.param .u32 r) f(.param .u32 a, .param .b64 b) { ret; }\n.func v() { ret; }\n.func g(.param .align 8 .b8 a[16]) { ret; }\n.func (.reg .u32 r) h(.reg .u32 a) { ret; }\n.extern .func (.param .u32 r) printf(.param .u64 a, .param .u64 b);\n.extern .func va(.param .u32 n, .param .align 8 .b8 a[]);\n"
    each("call", [
        "call v;", "call v, ();", "call (), v, ();", "call.uni v;", "call v(); ", "call f;", "call (x), f, (y, z);", "call (x), f, (y);", "call (x), f, (y, z, z);", "call f, (y, z);", "call (y), f, (x, z);", "call (x), f, (y, 5);", "call (x), f, (5, z);", "call (x), f, (%r1, z);", "call (x), f, (1.0, z);", "call (%r1), f, (y, z);", "call (_), f, (y, z);", "call (x), f, (_, z);", "call (x), f, (z, z);", "call (fx), f, (y, z);", "call (x), f, (fx, z);", "call g, (s16);", "call g, (s8);", "call g, (z);", "call (%r1), h, (%r2);", "call (%r1), h, (5);", "call (%r1), h, (%f1);", "call (%f1), h, (%r2);", "call h, (%r2);", "call (x), h, (%r2);", "call (x), printf, (z, z);", "call va, (y, s16);", "call nofunc;", "call k;", "call %rd1, P;", "call %rd1;", "call (x), %rd1, (y, z), P2;", "call (x), %rd1, (y), P2;", "call (x), %rd1, (y, z), P;", "call (x), %rd1, (y, z), T;", "call %r1, P;", "call %h1, P;", "call %rd1, L; L:", "call (x), f, (y, z), P2;", "call v, P;", "call %rd1, ();", "call 5;", "call (x) f (y, z);", "call x, f, y, z;", "call (x), f, [y], [z];", "call (x, x), f, (y, z);", "@%p1 call v;", "call.foo v;", "call (x), f, (y, z) ;", "call (x),f,(y,z);", "call\n(x)\n,\nf\n,\n(y\n,\nz)\n;", "call (), f, (y, z);", "call (x), v, ();",
    ], f + ".entry k() {\n.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .b16 %h<4>; .reg .f32 %f<4>; .reg .pred %p<4>; .param .u32 x, y; .param .b64 z; .param .f32 fx; .param .align 8 .b8 s16[16]; .param .align 8 .b8 s8[8];\nP: .callprototype _ ();\nP2: .callprototype (.param .u32 _) _ (.param .u32 _, .param .b64 _);\nT: .calltargets f;\n%s\nret; }\n")
    body("proto", [
        "P: .callprototype _ ();", "P: .callprototype _;", "P: .callprototype () _ ();", "P: .callprototype (.param .u32 _) _ (.param .u32 _);", "P: .callprototype (.param .u32 r) _ (.param .u32 a, .param .u32 b);", "P: .callprototype (.reg .u32 _) _ (.reg .u32 _);", "P: .callprototype (.param .u32 _) f (.param .u32 _);", ".callprototype _ ();", "P: .callprototype ();", "P: .callprototype _ (.param .u32);", "P: .callprototype _ (.param .align 8 .b8 _[16]);", "P: .callprototype _ (.param .align 8 .b8 _[]);", "P: .callprototype _ () .noreturn;", "P: .callprototype (.param .u32 _) _ () .noreturn;", "P: .callprototype _ () .abi_preserve 8;", "P: .callprototype _ () .maxntid 8;", "P: .callprototype _ (); P: .callprototype _ ();", "P: .callprototype _ ()", "P: P2: .callprototype _ ();", "P: .callprototype (.param .u32 _, .param .u32 _) _ ();", "P: .callprototype _ (.param .pred _);",
        "T: .branchtargets L;\nL:", "T: .branchtargets L, M;\nL: M:", "T: .branchtargets L;", "T: .branchtargets;", ".branchtargets L;\nL:", "T: .branchtargets L, L;\nL:", "T: .branchtargets %r1;", "T: .branchtargets L<4>;", "L: M: T: .branchtargets L, M; brx.idx %r1, T;", "T: .branchtargets L; brx.idx %r1, T; L:", "T: .branchtargets L; brx.idx %rd1, T; L:", "T: .branchtargets L; brx.idx 1, T; L:", "brx.idx %r1, T; T: .branchtargets L; L:", "brx.idx %r1, L; L:", "T: .branchtargets L; bra T; L:", "T: .branchtargets L; @%p1 brx.idx %r1, T; L:", "T: .branchtargets { L }; L:", "{ T: .branchtargets L; } L:", "T: .branchtargets L; { L: }",
        "T: .calltargets k;", "T: .calltargets foo;", "T: .calltargets;", "T: .calltargets p;", ".calltargets k;",
    ])


def debug():
    each("file", [
        ".file 1 \"a.cu\"", ".file 0 \"a.cu\"", ".file -1 \"a.cu\"", ".file 1 \"a.cu\"\n.file 1 \"a.cu\"", ".file 1 \"a.cu\"\n.file 1 \"b.cu\"", ".file 1 a.cu", ".file \"a.cu\"", ".file 1", ".file 1 \"a.cu\", 1, 2", ".file 1 \"a.cu\", 1", ".file 1 \"a.cu\", 1, 2, 3", ".file 1 \"a.cu\";", ".file 1 'a.cu'", ".file 1 \"a\\\\b.cu\"", ".file 1 \"\"", ".file 1 \"a.cu\" .file 2 \"b.cu\"", ".file 1U \"a.cu\"", ".file 1.5 \"a.cu\"", ".file 5 \"unterminated", ".loc 1 1 1", ".file 1 \"a.cu\"\n.loc 1 1 1",
    ], "%s\n.entry k() { ret; }\n")
    each("loc", [
        ".loc 1 5 0", ".loc 1 5", ".loc 1", ".loc", ".loc 2 5 0", ".loc 1 5 0;", ".loc 1 -5 0", ".loc 1 5 0 ret;", ".loc 1 5 0, function_name F, inlined_at 1 3 0", ".loc 1 5 0, function_name F+5, inlined_at 1 3 0", ".loc 1 5 0, inlined_at 1 3 0", ".loc 1 5 0, function_name F", ".loc 1 5 0, foo F", ".loc 1 5 0, inlined_at 1 3 0, function_name F", ".loc 1 5 0, function_name F, inlined_at 7 3 0", ".loc 1 5 0, function_name F, inlined_at 1 3", ".loc 1 5 0 /* c */", ".loc 1 5 0 // c", ".loc 1 0 0", ".loc 1 4294967295 0", ".loc 1 4294967296 0", ".loc x 5 0", ".loc 1 5 0\n.loc 1 6 0", "{ .loc 1 5 0\n}", "L: .loc 1 5 0", "@%p .loc 1 5 0",
    ], ".file 1 \"a.cu\"\n.entry k() {\n%s\nret; }\n.section .debug_str\n{\nF:\n.b8 65\n.b8 0\n}\n")
    each("section", [
        ".section .debug_str { .b8 65 }", ".section .debug_str\n{\nL:\n.b8 65, 66, 0\n.b32 L\n.b64 k\n}", ".section .debug_abbrev\n{\n.b8 1\n.b16 2\n.b32 3\n.b64 4\n}", ".section .foo { .b8 1 }", ".section .debug_info { .b32 .debug_abbrev }", ".section .debug_info { .b32 L1-L2\nL1:\nL2:\n}", ".section .debug_str { }", ".section .debug_str", ".section { .b8 1 }", ".section debug_str { .b8 1 }", ".section .debug_str { .b8 256 }", ".section .debug_str { .b8 -1 }", ".section .debug_str { .b8 1; }", ".section .debug_str { .u8 1 }", ".section .debug_str { { .b8 1 } }", ".section .debug_str { .b8 1", ".section .debug_str { add }", ".section .debug_str { .b8 0x41 .b8 1,2 ,3 }", ".section .debug_loc { .b64 $L+4 \n$L: }", ".section .debug_str { .b8 1 }\n.section .debug_str { .b8 2 }", ".section .debug_line { .b32 .debug_foo }", ".section .debug_str { // comment }\n.b8 1 }", ".section .debug_str { .b32 undefd }", ".section .debug_str { .b8 '}' }", ".section .debug_macinfo { .b8 0 }",
    ], "%s\n.entry k() { ret; }\n")
    each("dwarf", ["@@DWARF .4byte 1", "@@DWARF .byte 1,2\n@@DWARF L:", "@@dwarf .byte 1", "@@DWARF", "@@ DWARF .byte 1", "@@DWARF .section .debug_info, \"\", @progbits", "@@DWARF .foo", "@@DWARF .quad k", "@@FOO", "@DWARF .byte 1", "@@DWARF .byte 300"], "%s\n.entry k() { ret; }\n")
    each("pragma", [".pragma \"nounroll\";", ".pragma \"foo\";", ".pragma \"nounroll\", \"foo\";", ".pragma \"used_bytes_mask 0xff\";", ".pragma \"enable_smem_spilling\";", ".pragma \"frequency 100\";", ".pragma \"\";", ".pragma;", ".pragma nounroll;", ".pragma \"nounroll\"", ".pragma 'nounroll';", ".pragma \"a\" \"b\";", ".pragma \"noun\nroll\";", ".pragma 5;"], "%s\n.entry k() { ret; }\n")
    body("pragma_body", [".pragma \"nounroll\";", ".pragma \"foo\";", ".pragma \"used_bytes_mask 0xff\";", ".pragma \"used_bytes_mask 0xff\"; ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd1];", ".pragma \"frequency 100\";", ".pragma \"enable_smem_spilling\";", "L: .pragma \"nounroll\"; bra L;", ".pragma \"\";", "@%p1 .pragma \"nounroll\";"])


def text():
    H = HEAD.encode()
    e = b".entry k() { ret; }\n"
    R = lambda n, t: case(n, H + t)
    R("crlf", b".entry k()\r\n{\r\nret;\r\n}\r\n")
    R("cr", b".entry k()\r{\rret;\r}\r")
    R("crlf_error", b".entry k()\r\n{\r\nfoo;\r\nret;\r\n}\r\n")
    R("formfeed", b".entry k()\f{\fret;\f}\v")
    R("tabs", b"\t.entry\tk\t(\t)\t{\tret\t;\t}\t")
    R("nbsp", b".entry k()\xc2\xa0{ ret; }\n")
    R("bom", b"\xef\xbb\xbf.entry k() { ret; }\n")
    case("bom_first", b"\xef\xbb\xbf" + H + e)
    R("utf8_comment", b"// \xc3\xa4\xe2\x82\xac\n" + e)
    R("utf8_block", b"/* \xc3\xa4\xe2\x82\xac */\n" + e)
    R("utf8_name", b".global .u32 \xc3\xa4;\n" + e)
    R("utf8_string", b".file 1 \"\xc3\xa4.cu\"\n" + e)
    R("latin1", b"// \xe4\n.global .u32 a; // \xff\n" + e)
    R("nul_end", e + b"\0")
    R("nul_middle", b".entry k() { \0 ret; }\n")
    R("nul_comment", b"// a\0b\n" + e)
    R("control", b".entry k() { \x01 ret; }\n")
    R("del", b".entry k() { \x7f ret; }\n")
    R("backslash_line", b".entry k() \\\n{ ret; }\n")
    R("backslash_comment", b"// a \\\n.foo\n" + e)
    R("backslash_word", b".ent\\\nry k() { ret; }\n")
    R("no_newline", b".entry k() { ret; }")
    R("comment_end", e + b"// end")
    R("block_end", e + b"/* end */")
    R("open_block", e + b"/* end")
    R("open_block_middle", b".entry k() { /* ret; }\n")
    R("nested_block", b"/* a /* b */ " + e)
    R("nested_block2", b"/* a /* b */ c */ " + e)
    R("star_block", b"/***/ /**/ /* * / */" + e)
    R("slash_slash_block", b"// /* a\n" + e)
    R("block_slash_slash", b"/* // */ " + e)
    R("comment_in_word", b".en/* */try k() { ret; }\n")
    R("comment_between", b".entry/**/k/**/(/**/)/**/{/**/ret/**/;/**/}\n")
    R("comment_in_opcode", b".entry k() { .reg .b32 a; add/**/.s32 a, a, 1; ret; }\n")
    R("comment_modifiers", b".entry k() { .reg .b32 a; add.s32/**/a, a, 1; ret; }\n")
    R("comment_lines", b"/* 1\n2\n3 */ .foo\n" + e)
    R("hash_line", b"# 5 \"foo.cu\"\n" + e)
    R("hash_line_error", b"# 50 \"foo.cu\"\n.foo\n" + e)
    R("hash_middle", b".entry k() {\n# 7 \"foo.cu\"\nret;\n}\n")
    R("hash_line_word", b"#line 5 \"foo.cu\"\n" + e)
    R("hash_define", b"#define A 5\n" + e)
    R("hash_not_first", b"  # 5 \"foo.cu\"\n" + e)
    R("hash_after", b".global .u32 x; # 5\n" + e)
    R("hash_garbage", b"# hello\n" + e)
    R("lone_slash", b"/ " + e)
    R("quote", b"\" " + e)
    R("string_newline", b".pragma \"a\nb\";\n" + e)
    R("string_escape", b".pragma \"a\\\"b\";\n" + e)
    R("many_errors", b".foo1\n.foo2\n.entry k() {\nfoo3;\nfoo4;\n.foo5\nret; }\n.foo6\n")
    R("long_name", b".global .u32 " + b"x" * 5000 + b";\n")
    R("long_line", b".entry k() { " + b"ret; " * 1000 + b"}\n")
    R("long_list", b".global .u32 " + b",".join(b"x%d" % i for i in range(500)) + b";\n")
    R("deep_parens", b".global .u32 x = " + b"(" * 100 + b"1" + b")" * 100 + b";\n")
    R("deep_braces", b".entry k() { " + b"{" * 100 + b"}" * 100 + b" ret; }\n")
    R("deep_unary", b".global .u32 x = " + b"-" * 3 + b" -1;\n")
    R("junk_after", e + b"junk\n")
    R("junk_brace", e + b"}\n")
    R("junk_number", e + b"5\n")
    R("junk_semicolons", e + b";;;\n")
    R("cut_entry", b".entry k(")
    R("cut_param", b".entry k(.param .u32")
    R("cut_body", b".entry k() {\n.reg .b32")
    R("cut_instruction", b".entry k() {\n.reg .b32 a;\nadd.s32 a,")
    R("cut_vector", b".entry k() {\n.reg .b32 a;\nld.global.v2.b32 {a,")
    R("cut_init", b".global .u32 x[4] = {1,")
    R("cut_string", b".file 1 \"abc")
    R("cut_section", b".section .debug_str {\n.b8 1")
    R("cut_attribute", b".attribute(.managed")
    R("cut_label", b".entry k() {\nL:")
    R("cut_guard", b".entry k() {\n.reg .pred p;\n@p")
    R("cut_address", b".entry k() {\n.reg .b64 a;\nld.global.b64 a, [a")


def operands():
    """Sinks where results and predicates stand, vectors of one and of sinks alone, sizes of packed vectors."""
    b128 = "{ .reg .b128 %x; .reg .b8 %c<16>; I }"
    body("sinks", [x + ";" for x in (
        "setp.eq.f32 _, %f1, %f2", "setp.lt.and.s32 _, %r1, %r2, %p1", "setp.lt.s32 %p1|_, %r1, %r2", "setp.lt.s32 _|%p1, %r1, %r2", "setp.lt.s32 _|_, %r1, %r2",
        "lop3.b32 _, %r1, %r2, %r3, 5", "lop3.b32 %r0|_, %r1, %r2, %r3, 5", "lop3.or.b32 %r0|_, %r1, %r2, %r3, 5, %p1",
        "lop3.or.b32 _|%p2, %r1, %r2, %r3, 5, %p1", "lop3.or.b32 _|_, %r1, %r2, %r3, 5, %p1", "match.all.sync.b32 _, %r1, -1", "match.any.sync.b32 _, %r1, -1",
        "match.all.sync.b32 _|%p1, %r1, -1", "elect.sync %r1|_, -1", "elect.sync _|%p1, -1", "shfl.sync.idx.b32 _|%p1, %r1, 0, 31, -1",
        "shfl.sync.idx.b32 %r0|_, %r1, 0, 31, -1", "shfl.sync.idx.b32 _, %r1, 0, 31, -1", "mov.pred %p1|_, %p2", "vote.sync.all.pred %p1|_, %p2, -1",
        "add.u32 %r0|_, %r1, %r2", "add.u32 _, %r1, %r2", "ld.global.u32 %r0|_, [%rd1]", "st.global.u32 [%rd1], %r0|_", "cvt.u32.u64 %r0|_, %rd1",
        "selp.b32 %r1, %r2, %r3, %p1|_", "isspacep.shared %p1|_, %rd1", "isspacep.shared _, %rd1")])
    body("vector_of_sinks", [x + ";" for x in (
        "mov.b64 {_, _}, %rd1", "mov.b32 {_, _}, %r1", "mov.b64 {_, _, _, _}, %rd1", "mov.v4.u32 {_, _, _, _}, %tid", "ld.global.v2.u32 {_, _}, [%rd1]",
        "atom.global.add.v2.f32 {_, _}, [%rd1], {%f1, %f2}", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {_}, [%r1]",
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {_, %r1}, [%r1]")])
    body("vector_of_one", [x + ";" for x in (
        "mov.b32 {%r1}, %r2", "mov.b32 %r1, {%r2}", "mov.b32 {%r1}, {%r2}", "mov.b16 {%h1}, %h2", "mov.b32 {%h1}, %r1", "mov.u32 {%r1}, %r2", "mov.b32 %r1, {5}",
        "mov.b32 {%r1}, %tid.x", "mov.b32 {_}, %r1", "ld.global.u32 {%r1}, [%rd1]", "st.global.u32 [%rd1], {%r1}", "add.u32 {%r1}, %r2, %r3",
        "ldu.global.u32 {%r1}, [%rd1]", "atom.global.add.u32 {%r1}, [%rd1], %r2", "red.global.add.u32 [%rd1], {%r1}", "cvt.u32.u64 {%r1}, %rd1")])
    body("packed_size", [b128.replace("I", x + ";") for x in (
        "mov.b64 %rd1, {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7}", "mov.b64 {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7}, %rd1",
        "mov.b128 {%h0,%h1,%h2,%h3,%h4,%h5,%h6,%h7}, %x", "mov.b128 %x, {%h0,%h1,%h2,%h3,%h4,%h5,%h6,%h7}",
        "mov.b128 {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7,%c8,%c9,%c10,%c11,%c12,%c13,%c14,%c15}, %x",
        "mov.b128 %x, {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7,%c8,%c9,%c10,%c11,%c12,%c13,%c14,%c15}", "ld.global.v2.b128 {%x, %x}, [%rd1]")])
    for formal, actual in ((".b8 a[16]", ".align 8 .b8 x[16]"), (".align 8 .b8 a[16]", ".align 8 .b8 x[16]"), (".align 8 .b8 a[16]", ".align 16 .b8 x[16]"),
                           (".align 8 .b8 a[16]", ".b64 x[2]"), (".b32 a", ".align 8 .b32 x"), (".b64 a", ".align 4 .b64 x"), (".b128 a", ".align 8 .b128 x")):
        case("aligned_argument", ".func f(.param %s) { ret; }\n.entry k() { .param %s; call f, (x); ret; }\n" % (formal, actual))
        case("aligned_result", ".func (.param %s) f() { ret; }\n.entry k() { .param %s; call (x), f, (); ret; }\n" % (formal, actual))
    each("param_type", (".entry k(.param .f16x2 a) { ret; }\n", ".entry k(.param .f16x2 a[2]) { ret; }\n", ".func f(.param .f16x2 a) { ret; }\n",
                        ".entry k() { .param .f16x2 a; ret; }\n", ".func f(.param .align 256 .b8 a[4]) { ret; }\n",
                        ".func (.param .align 256 .b8 a[4]) f() { ret; }\n", ".entry k() { .param .align 256 .b8 a[4]; ret; }\n",
                        ".entry k(.param .align 256 .b8 a[4]) { ret; }\n", ".entry k() { P: .callprototype _ (.param .align 256 .b8 a[4]); ret; }\n"))
    for op in ("ld.global.v2.b128 {%x, %x}, [%rd]", "st.global.v2.b128 [%rd], {%x, %x}"):
        case("wide_vector", ".version 9.0\n.target sm_100\n.address_size 64\n.entry k() { .reg .b128 %x; .reg .b64 %rd; " + op + "; ret; }\n")


def opaque():
    each("opaque", [
        ".global .texref x;", ".global .texref x[4];", ".visible .global .texref x;", ".extern .global .texref x;", ".global .texref x = { width = 4 };", ".global .texref x = { width = 4, height = 5, channel_data_type = 0 };", ".global .samplerref s;", ".global .samplerref s = { addr_mode_0 = 1 };", ".global .samplerref s = { filter_mode = nearest };", ".global .samplerref s = { addr_mode_0 = clamp_to_border, filter_mode = linear };", ".global .surfref s;", ".global .surfref s = { width = 4 };", ".global .texref x = { foo = 4 };", ".global .texref x = 5;", ".global .texref x = {};", ".global .texref x = { width = 1.5 };", ".entry k() { .global .texref x; ret; }", ".const .surfref x;", ".tex .texref x;", ".tex .u32 x;", ".tex .u64 x;", ".global .align 8 .texref x;", ".global .v2 .texref x;", ".global .texref x, y;",
    ])
    each("opaque_independent", [".global .samplerref s;", ".global .samplerref s = { addr_mode_0 = 1 };", ".global .samplerref s = { filter_mode = nearest };", ".global .samplerref s = { addr_mode_0 = clamp_to_border, filter_mode = linear };", ".global .samplerref s = { force_unnormalized_coords = 1 };", ".global .texref x = { normalized_coords = 1 };", ".global .samplerref s[2];"],
         ".version 9.0\n.target sm_90, texmode_independent\n.address_size 64\n%s\n.entry k() { ret; }\n")
    d = ".global .texref t; .global .surfref s; .global .u64 g;\n"
    each("opaque_use", ["tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, {%f1}];", "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, t, {%f1}];", "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [s, {%f1}];", "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [g, {%f1}];", "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1}];", "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%r1, {%f1}];", "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [pt, {%f1}];", "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [pu, {%f1}];", "mov.u64 %rd1, t;", "mov.u64 %rd1, pt;", "ld.param.u64 %rd1, [pt];", "ld.global.u64 %rd1, [t];", "suld.b.1d.b32.trap {%r1}, [s, {%r1}];", "suld.b.1d.b32.trap {%r1}, [t, {%r1}];", "txq.width.b32 %r1, [t];", "suq.width.b32 %r1, [s];", "istypep.texref %p1, %rd1;", "istypep.texref %p1, t;", "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [undefd, {%f1}];", "cvta.global.u64 %rd1, t;"],
         d + ".entry k(.param .texref pt, .param .u64 pu) {\n.reg .pred %p<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;\n%s\nret; }\n")


def escape(b):
    return "".join(chr(c) if 32 <= c < 127 and c != 92 or c == 10 else "\\x%02x" % c for c in b)


def arch(text):
    m = re.search(rb"\.target[^\n]*?sm_(\d+)([af]?)", text)
    if not m or not m.group(2):
        return "sm_121"
    return "sm_%s%s" % (m.group(1).decode(), m.group(2).decode())


def ask(ptxas, text):
    with tempfile.NamedTemporaryFile("wb", suffix=".ptx", delete=False) as f:
        f.write(text)
    cmd = [ptxas, "-c", "-arch", arch(text), f.name, "-o", "/dev/null"]
    r = subprocess.run(cmd, capture_output=True, text=True, errors="replace")
    if "is not defined for option" in r.stdout + r.stderr:
        cmd[3] = "sm_121"
        r = subprocess.run(cmd, capture_output=True, text=True, errors="replace")
    os.unlink(f.name)
    out = (r.stdout + r.stderr).replace(f.name, "FILE")
    m = re.search(r"ptxas .*, line (\d+); (?:error|fatal) *: (.*)", out)
    if m:
        return "%s %s" % m.groups()
    m = re.search(r"ptxas (?:error|fatal) *: (.* on line (\d+))", out)
    if m:
        return "%s %s" % (m.group(2), m.group(1))
    m = re.search(r"ptxas (?:error|fatal) *: (.*)", out)
    return "0 %s" % m.group(1)if m else "ok" if not r.returncode else "0 crashes"


def main():
    ptxas, out = sys.argv[1:3]
    for f in (head, linkage, init, scopes, funcs, debug, text, operands, opaque):
        f()
    known = {}
    if os.path.exists(out):
        for part in open(out).read().split("\n=== ")[1:]:
            first, _, rest = part.partition("\n")
            known[rest.rstrip("\n")] = first.split("\t", 1)[1]
    with open(out, "w") as f:
        f.write("# Written by gen_modules.py; verdicts of ptxas (CUDA 13.0).\n")
        for name, t in cases.items():
            e = escape(t)
            f.write("=== %s\t%s\n%s\n" % (name, known.get(e.rstrip("\n")) or ask(ptxas, t), e))
    print("%d modules" % len(cases))


main()
