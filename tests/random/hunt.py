#!/usr/bin/env python3
"""hunt.py RUN DIR FIRST COUNT [--all] [--keep]: generates programs FIRST..FIRST+COUNT-1, compiles each with one or two device compilers chosen by the
seed, runs them through RUN (tests/random/run.c) in a few configurations (--all: in all), and keeps what fails in DIR (--keep: also what
passes).
The device compilers are nvcc (-O3, and -O0 of its middle end) and clang (-O0 to -O3), for sm_75 and sm_90."""
import os
import random
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CUDA = os.environ.get('CUDA', '/usr/local/cuda')
NVCC = os.environ.get('NVCC', CUDA + '/bin/nvcc')
CLANG = os.environ.get('CLANG', 'clang++-22')
CONFIGS = 10
HOST = [CLANG, '-x', 'c++', '-std=c++17', '-O0', '-fwrapv', '-fno-strict-aliasing', '-ffp-contract=off', '-w', '-I', HERE]
DEVICE = {f'clang-O{o}-{a}': [CLANG, '-x', 'cuda', '--cuda-device-only', '-S', f'--cuda-gpu-arch={a}', f'-O{o}', '-nocudainc', '-nocudalib',
                              '-Wno-unknown-cuda-version', '-fno-strict-aliasing', '-ffp-contract=off', '-w', '-std=c++17', '-I', HERE]
          for o in '01233s' for a in ('sm_75', 'sm_90')}
NV = {f'nvcc-O{o}-{a}': [NVCC, f'-arch={a}', '-ptx', '-O3', '-fmad=false', '-std=c++17', '-w', '-I', HERE] + (['-Xcicc', '-O' + o] if o != '3' else [])
      for o in '013' for a in ('sm_75', 'sm_90')}


def run(cmd, limit=120, out=None):
    try:
        return subprocess.run(cmd, stdout=out or subprocess.PIPE, stderr=subprocess.STDOUT if not out else subprocess.DEVNULL, timeout=limit)
    except subprocess.TimeoutExpired:
        return None


def host(src, base):
    """Compiles and runs the host side; False where the program is of no use (it takes too long, or is wrong itself)."""
    r = run(HOST + [src, '-o', base + '.host'])
    if not r or r.returncode:
        return f'host compiler: {r.stdout.decode()[:500] if r else "too slow"}'
    with open(base + '.want', 'wb') as f:
        r = run([base + '.host'], 10, f)
    os.unlink(base + '.host')
    return None if r and r.returncode == 0 else f'host program: {r.returncode if r else "too slow"}'


def main():
    runner, d, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    everything, keep = '--all' in sys.argv, '--keep' in sys.argv
    have_nvcc, have_clang = shutil.which(NVCC) is not None, shutil.which(CLANG) is not None
    if not have_clang:
        print(f'skipped: random programs: no {CLANG}, which compiles what the host computes')
        return 0
    if not have_nvcc:
        print(f'skipped: nvcc as device compiler: no {NVCC}')
    os.makedirs(d, exist_ok=True)
    ran = bad = useless = runs = 0
    for seed in range(first, first + count):
        r = random.Random(seed * 77)
        base = f'{d}/{seed}'
        src = base + '.cu'
        with open(src, 'wb') as f:
            run([sys.executable, HERE + '/gen.py', str(seed)], 60, f)
        why = host(src, base)
        if why:
            print(f'useless {seed}: {why}', flush=True)
            useless += 1
            continue
        kinds = [r.choice(sorted(DEVICE))]
        if have_nvcc and (everything or r.random() < 0.4):
            kinds.append(r.choice(sorted(NV)))
        failed = False
        for k in kinds:
            ptx = f'{base}.{k}.ptx'
            c = run({**DEVICE, **NV}[k] + [src, '-o', ptx])
            if not c or c.returncode:
                print(f'useless {seed} {k}: {c.stdout.decode()[:500] if c else "too slow"}', flush=True)
                continue
            ran += 1
            bad_here = False
            for n in range(CONFIGS) if everything else r.sample(range(CONFIGS), 3):
                t = run([runner, '--only', str(n), ptx, base + '.want'], 300)
                runs += 1
                if not t or t.returncode:
                    bad_here = True
                    print(t.stdout.decode().split('\n')[0][:700] if t else f'FAIL {ptx} {n}: too slow', flush=True)
            failed |= bad_here
            if not bad_here and not keep:
                os.unlink(ptx)
        bad += failed
        if not failed and not keep:
            os.unlink(src)
            os.unlink(base + '.want')
    print(f'{ran} modules, {runs} runs, {useless} programs of no use')
    print(f'{count - useless - bad} passed, {bad} failed')
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
