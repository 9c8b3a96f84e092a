#!/usr/bin/env python3
"""gen_verdicts.py GEN_CASES PTXAS OUT.zst: asks NVIDIA's ptxas about every case of gen_cases, many cases a module.

A module's errors are reported by line; modules are asked again without the lines that failed until none fails, since
some checks come only once others pass, and a syntax error stops at once. OUT: VERDICT TAB TARGET TAB VERSION TAB
INSTRUCTION, one a line, sorted; VERDICT is `ok` or ptxas' message."""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def ask(ptxas, target, version, lines):
    """Message by index for the lines that ptxas refuses."""
    prologue = open(os.path.join(HERE, "verdicts.prologue")).read().replace("\n", " ")
    head = ".version %s\n.target sm_%s\n.address_size 64\n%s\n" % (version, target, prologue)
    verdict = {}
    left = list(range(len(lines)))
    family = re.sub(r"\D", "", target)
    arch = "compute_" + (target if int(family) >= 75 else "75")
    while left:
        builtin = False
        text = head + "\n".join(lines[i] for i in left) + "\nLBL: ret;\n}\n"
        with tempfile.NamedTemporaryFile("w", suffix=".ptx", delete=False) as f:
            f.write(text)
        r = subprocess.run([ptxas, "-arch", arch, f.name, "-o", "/dev/null"], capture_output=True, text=True)
        os.unlink(f.name)
        failed = {}
        for m in re.finditer(r"ptxas (.*), line (\d+); (?:error|fatal) *: (.*)", r.stdout + r.stderr):
            if m.group(1) == "<builtin>":  # a macro of ptxas' own, with no line of ours
                builtin = True
                continue
            n = int(m.group(2)) - 5
            if 0 <= n < len(left):
                failed.setdefault(left[n], m.group(3))
            else:
                print("skipped: .version %s .target sm_%s: %s" % (version, target, m.group(3)))
                return None
        if not failed and (builtin or r.returncode):  # stopped or crashed in the middle: find out where
            if len(left) == 1:
                verdict[left[0]] = "stops in a built-in macro" if builtin else "crashes"
                break
            half = len(left) // 2
            for part in (left[:half], left[half:]):
                for i, why in ask(ptxas, target, version, [lines[k] for k in part]).items():
                    verdict[part[i]] = why
            break
        if not failed:
            break
        verdict.update(failed)
        left = [i for i in left if i not in failed]
    return verdict


def main():
    gen, ptxas, out = sys.argv[1:4]
    cases, known = {}, {}
    if os.path.exists(out):  # what was asked before stays
        for row in subprocess.run(["zstd", "-dc", out], capture_output=True, text=True).stdout.splitlines():
            verdict, key = row.split("\t", 1)
            known[key] = verdict
    for args in ([gen], [gen, "versions"], [gen, "operands"]):
        for line in subprocess.run(args, capture_output=True, text=True).stdout.splitlines():
            target, version, text = line.split("\t")
            cases.setdefault((target, version), set()).add(text)
    rows = []
    for (target, version), texts in sorted(cases.items()):
        key = "%s\t%s\t" % (target, version)
        rows += ["%s\t%s%s\n" % (known[key + t], key, t) for t in texts if key + t in known]
        texts = sorted(t for t in texts if key + t not in known)
        for k in range(0, len(texts), 4000):
            part = texts[k:k + 4000]
            bad = ask(ptxas, target, version, part)
            if bad is None:
                continue
            for i, t in enumerate(part):
                rows.append("%s\t%s\t%s\t%s\n" % (bad.get(i, "ok"), target, version, t))
    rows.sort(key=lambda r: r.split("\t", 1)[1])
    subprocess.run(["zstd", "-19", "-q", "-f", "-o", out], input="".join(rows).encode(), check=True)
    print("%d cases, %d refused" % (len(rows), sum(not r.startswith("ok\t") for r in rows)))


main()
