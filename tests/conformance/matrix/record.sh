#!/bin/sh
# record.sh OUT: on a machine with an NVIDIA GPU of sm_90, builds corpus-cuda, records the family twice and leaves OUT/mma.golden and OUT/log.
# record.sh --import FILE: puts an mma.golden beside the program, compressed.
cd "$(dirname "$0")/../../.." || exit 1
m=tests/conformance/matrix
if [ "$1" = --import ]; then
	zstd -q -19 -f "$2" -o $m/mma/mma.golden.zst
	exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
h=tests/harness
cc -std=c11 -D_GNU_SOURCE -O2 -Isrc $h/case.c $h/gen.c $h/golden.c $h/host.c $h/cuda.c $h/cuda_main.c src/base/arena.c src/base/vec.c \
	-o "$work/corpus-cuda" -lm -ldl || exit 1
mkdir "$work/one" "$work/two"
"$work/corpus-cuda" --out "$work/one" $m sm_90 >"$1/log" 2>&1
"$work/corpus-cuda" --out "$work/two" $m sm_90 >>"$1/log" 2>&1
cat "$1/log"
cmp "$work/one/mma.golden" "$work/two/mma.golden" && cp "$work/one/mma.golden" "$1"
