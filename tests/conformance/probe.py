#!/usr/bin/env python3
"""probe.py CONFORMANCE PTXAS OUT [FAMILY...]: asks NVIDIA's ptxas for the least target that takes each form.

OUT/FAMILY.targets: TARGET TAB FORM, one a line, in the order of the forms; `-` where no target takes it. A module's errors are
reported by line; it is asked again without the kernels that failed until none fails."""
import glob
import os
import re
import subprocess
import sys
import tempfile

TARGETS = ["sm_90", "sm_100", "sm_100a", "sm_103a"]
HERE = os.path.dirname(os.path.abspath(__file__))


def ask(ptxas, target, kernels):
    """The indices of the kernels that ptxas refuses."""
    bad, left = set(), list(range(len(kernels)))
    while left:
        starts, line, text = [], 4, ".version 9.0\n.target %s\n.address_size 64\n" % target
        for i in left:
            starts.append(line)
            line += kernels[i].count("\n")
            text += kernels[i]
        with tempfile.NamedTemporaryFile("w", suffix=".ptx", delete=False) as f:
            f.write(text)
        r = subprocess.run([ptxas, "-O0", "-arch", target, f.name, "-o", f.name + ".cubin"], capture_output=True, text=True)
        os.unlink(f.name)
        if os.path.exists(f.name + ".cubin"):
            os.unlink(f.name + ".cubin")
        out = r.stdout + r.stderr
        failed = set()
        for m in re.finditer(r", line (\d+); (?:error|fatal)", out):
            k = max(n for n, s in enumerate(starts) if s <= int(m.group(1)))
            failed.add(left[k])
        if not failed and r.returncode:
            if len(left) == 1:
                return bad | set(left)
            half = len(left) // 2
            for part in (left[:half], left[half:]):
                bad |= {part[i] for i in ask(ptxas, target, [kernels[k] for k in part])}
            return bad
        if not failed:
            return bad
        bad |= failed
        left = [i for i in left if i not in failed]
    return bad


def main():
    tool, ptxas, out = sys.argv[1:4]
    families = sys.argv[4:] or sorted(os.path.basename(p)[:-6] for p in glob.glob(HERE + "/*.forms"))
    for family in families:
        text = subprocess.run([tool, "--ptx", family], capture_output=True, text=True, check=True).stdout
        forms = re.findall(r"^// (.*)\n", text, re.M)
        kernels = [k.split("\n", 1)[1] for k in re.split(r"^// ", text, flags=re.M)[1:]]
        answer = ["-"] * len(forms)
        for target in TARGETS:
            todo = [i for i in range(len(forms)) if answer[i] == "-"]
            for k in range(0, len(todo), 400):
                part = todo[k:k + 400]
                bad = ask(ptxas, target, [kernels[i] for i in part])
                for n, i in enumerate(part):
                    if n not in bad:
                        answer[i] = target
        with open("%s/%s.targets" % (out, family), "w") as f:
            f.writelines("%s\t%s\n" % (a, t) for a, t in zip(answer, forms))
        print(family, len(forms), {t: answer.count(t) for t in TARGETS + ["-"]}, flush=True)


main()
