#!/usr/bin/env python3
"""reduce.py RUN PROGRAM.cu COMPILER CONFIG [OUT.cu]: makes a failing program smaller while it still fails in the same way (a wrong result, a fault, a
refusal). COMPILER is a name of hunt.py, such as clang-O3-sm_75. The host program is watched by UBSan so that no undefined program is left."""
import os
import re
import sys
import tempfile

import hunt

SAN = ['-O0', '-fsanitize=undefined', '-fno-sanitize=alignment,float-cast-overflow,function,vptr', '-fno-sanitize-recover=all',
       '-ftrivial-auto-var-init=pattern']


class Reducer:
    def __init__(self, runner, compiler, config):
        self.runner, self.config = runner, config
        self.device = {**hunt.DEVICE, **hunt.NV}[compiler]
        self.dir = tempfile.mkdtemp()
        self.kind, self.tests = None, 0

    def fails(self, text):
        self.tests += 1
        base = self.dir + '/p'
        with open(base + '.cu', 'w') as f:
            f.write(text)
        r = hunt.run(self.device + [base + '.cu', '-o', base + '.ptx'], 60)
        if not r or r.returncode:
            return False
        return self.wrong(base, ['-O0']) and self.wrong(base, SAN)

    def wrong(self, base, options):
        r = hunt.run(hunt.HOST + options + [base + '.cu', '-o', base + '.host'])
        if not r or r.returncode:
            return False
        with open(base + '.want', 'wb') as f:
            r = hunt.run([base + '.host'], 10, f)
        if not r or r.returncode:
            return False
        r = hunt.run([self.runner, '--only', self.config, base + '.ptx', base + '.want'], 100)
        if not r:
            return self.kind in (None, 'slow')
        m = re.search(r'\): (\w+): (.{0,18})', r.stdout.decode())
        kind = m and (m.group(1) if m.group(1) == 'wrong' else m.group(0))
        if self.kind is None:
            self.kind = kind
        return r.returncode != 0 and kind == self.kind


def balanced(lines):
    d = 0
    for l in lines:
        for c in l:
            d += (c == '{') - (c == '}')
            if d < 0:
                return False
    return d == 0


def lines_pass(r, lines, out):
    size = max(1, len(lines) // 3)
    while size:
        i, hit = 0, False
        while i < len(lines):
            # From here at least `size` lines, up to where the braces match.
            j = i + size
            while j <= len(lines) and j < i + size + 200 and not balanced(lines[i:j]):
                j += 1
            if j <= len(lines) and balanced(lines[i:j]) and r.fails('\n'.join(lines[:i] + lines[j:])):
                lines, hit = lines[:i] + lines[j:], True
                open(out, 'w').write('\n'.join(lines))
            else:
                i += size
        if size > 1 or not hit:
            size //= 2
    return unwrap(r, lines)


def unwrap(r, lines):
    """A block's first and last line go, what is between stays."""
    i = 0
    while i < len(lines):
        if lines[i].rstrip().endswith('{') and lines[i].startswith('\t'):
            d = 0
            for j in range(i, len(lines)):
                d += lines[j].count('{') - lines[j].count('}')
                if d == 0:
                    break
            if lines[j].strip().startswith('}'):
                new = lines[:i] + lines[i + 1:j] + lines[j + 1:]
                if r.fails('\n'.join(new)):
                    lines = new
                    continue
        i += 1
    return lines


def parens(l):
    stack, out = [], []
    for i, c in enumerate(l):
        if c == '(':
            stack.append(i)
        elif c == ')' and stack:
            out.append((stack.pop(), i + 1))
    return sorted(out, key=lambda x: x[0] - x[1])


def expr_pass(r, lines):
    for n in range(len(lines)):
        if not lines[n].startswith('\t'):
            continue
        hit = True
        while hit:
            hit = False
            l = lines[n]
            for a, b in parens(l):
                s = l[a:b]
                if len(s) < 4:
                    continue
                name = re.search(r'\w+$', l[:a])
                tries = ['(1)', '(0)']
                m = re.match(r'\(\((\w+)\)(.*)\)$', s)
                if m and balanced_parens(m.group(2)):
                    tries.append(f'({m.group(2)})')
                for x, y in parens(s[1:-1])[:2]:
                    tries.append(s[1:-1][x:y])
                start = a - len(name.group(0)) if name and name.group(0) not in ('if', 'for', 'while', 'switch', 'fold', 'return') else a
                for t in tries:
                    for st in {start, a}:
                        new = l[:st] + t + l[b:]
                        if len(new) < len(l) and r.fails('\n'.join(lines[:n] + [new] + lines[n + 1:])):
                            lines[n], hit = new, True
                            break
                    if hit:
                        break
                if hit:
                    break
    return lines


def balanced_parens(s):
    d = 0
    for c in s:
        d += (c == '(') - (c == ')')
        if d < 0:
            return False
    return d == 0


def main():
    r = Reducer(sys.argv[1], sys.argv[3], sys.argv[4])
    src = open(sys.argv[2]).read()
    out = sys.argv[5] if len(sys.argv) > 5 else sys.argv[2][:-3] + '.small.cu'
    src = re.sub(r'^const_in\[256\] = .*', '', src)
    lines = src.split('\n')
    if not r.fails(src):
        print('does not fail (or its host program is undefined)')
        return 1
    while True:
        before = len('\n'.join(lines))
        lines = lines_pass(r, lines, out)
        open(out, 'w').write('\n'.join(lines))
        lines = expr_pass(r, lines)
        open(out, 'w').write('\n'.join(lines))
        if len('\n'.join(lines)) > before * 0.97:
            break
    print(f'{out}: {len(lines)} lines, {r.tests} tests, {r.kind}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
