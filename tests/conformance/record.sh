#!/bin/sh
# record.sh TARGETS OUT: on a machine with an NVIDIA GPU of sm_90 and CUDA's ptxas, records every form that TARGETS/FAMILY.targets (probe.py
# makes them) has for sm_90, and leaves OUT/golden.tar.xz.
# record.sh --import FILE: puts a golden.tar.xz beside the forms, compressed.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "$1" = --import ]; then
	tar xJf "$2" -C "$work" || exit 1
	for g in "$work"/*.golden; do
		zstd -q -19 --long=27 -f "$g" -o "tests/conformance/$(basename "$g").zst" || exit 1
	done
	exit 0
fi
c=tests/conformance
cc -std=c11 -D_GNU_SOURCE -O2 -Isrc $c/cuda.c $c/forms.c $c/values.c $c/kernel.c $c/table.c tests/harness/cuda.c src/base/arena.c src/base/vec.c \
	src/base/strbuf.c -o "$work/conformance-cuda" -ldl || exit 1
mkdir "$work/modules" "$work/golden"
"$work/conformance-cuda" emit $c "$1" "$work/modules" || exit 1
ptxas=$(command -v ptxas || echo /usr/local/cuda/bin/ptxas)
find "$work/modules" -name '*.ptx' ! -name '*.O0.ptx' | sed 's/\.ptx$//' | xargs -P "$(nproc)" -I{} "$ptxas" -arch=sm_90 {}.ptx -o {}.cubin
find "$work/modules" -name '*.O0.ptx' | sed 's/\.ptx$//' | xargs -P "$(nproc)" -I{} "$ptxas" -arch=sm_90 -O0 {}.ptx -o {}.cubin
"$work/conformance-cuda" record $c "$1" "$work/modules" "$work/golden" || exit 1
tar cf - -C "$work/golden" . | xz -6 -T0 >"$2/golden.tar.xz"
