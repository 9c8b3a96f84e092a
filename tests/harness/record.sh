#!/bin/sh
# record.sh OUT: on a machine with an NVIDIA GPU, builds corpus-cuda, records the corpus and leaves OUT/golden.tar.xz and OUT/log.
# record.sh --import FILE: puts a golden.tar.xz into the corpus, compressed.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "$1" = --import ]; then
	tar xJf "$2" -C "$work" || exit 1
	for g in "$work"/*.golden; do
		n=$(basename "$g" .golden)
		zstd -q -19 -f "$g" -o "tests/ptx-corpus/$n/$n.golden.zst" || exit 1
	done
	exit 0
fi
h=tests/harness
cc -std=c11 -D_GNU_SOURCE -O2 -Isrc $h/case.c $h/gen.c $h/golden.c $h/host.c $h/cuda.c $h/cuda_main.c src/base/arena.c src/base/vec.c \
	-o "$work/corpus-cuda" -lm -ldl || exit 1
mkdir "$work/one" "$work/two"
"$work/corpus-cuda" --out "$work/one" tests/ptx-corpus sm_75 clang >"$1/log" 2>&1
grep -v 'differ in bits, abs 0 rel 0$' "$1/log"
"$work/corpus-cuda" --out "$work/two" tests/ptx-corpus sm_75 | tail -n 1
for g in "$work"/one/*; do cmp "$g" "$work/two/$(basename "$g")"; done
tar cf - -C "$work/one" . | xz -6 >"$1/golden.tar.xz"
