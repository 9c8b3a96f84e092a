#!/usr/bin/env python3
"""pack.py DIR OUT.zst: what `hunt.py --keep` left in DIR, PTX and expected outputs, as one compressed file for run.c."""
import glob
import os
import subprocess
import sys


def main():
    out = sys.argv[2][:-len('.zst')]
    with open(out, 'wb') as f:
        for ptx in sorted(glob.glob(sys.argv[1] + '/*.ptx'), key=lambda p: (int(os.path.basename(p).split('.')[0]), p)):
            name = os.path.basename(ptx)[:-len('.ptx')]
            # Comments that only say where a compiler was.
            text = b'\n'.join(l for l in open(ptx, 'rb').read().split(b'\n') if not l.startswith(b'//'))
            want = open(f'{sys.argv[1]}/{name.split(".")[0]}.want', 'rb').read()
            f.write(f'{name} {len(text)} {len(want)}\n'.encode() + text + want)
    subprocess.run(['zstd', '-19', '-q', '-f', '--rm', out, '-o', sys.argv[2]], check=True)


if __name__ == '__main__':
    main()
