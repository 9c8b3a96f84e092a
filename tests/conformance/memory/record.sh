#!/bin/sh
# record.sh OUT: on a machine with an NVIDIA GPU of sm_90 and CUDA's ptxas, records every form and leaves OUT/memory.golden.xz, OUT/log and
# OUT/refused (the forms that ptxas refuses, with its messages).
# record.sh --import FILE: puts a memory.golden.xz beside the generator, compressed.
cd "$(dirname "$0")/../../.." || exit 1
m=tests/conformance/memory
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "$1" = --import ]; then
	xz -dc "$2" >"$work/memory.golden" && zstd -q -19 --long=27 -f "$work/memory.golden" -o $m/memory.golden.zst
	exit
fi
c=tests/conformance
cc -std=c11 -D_GNU_SOURCE -O2 -Isrc $m/cuda.c $m/forms.c $m/access.c $m/atomic.c $m/other.c $c/table.c $c/values.c $c/forms.c $c/kernel.c tests/harness/cuda.c \
	src/base/arena.c src/base/vec.c src/base/strbuf.c -o "$work/memory-cuda" -ldl || exit 1
mkdir "$work/m"
"$work/memory-cuda" emit "$work/m" || exit 1
PTXAS=$(command -v ptxas || echo /usr/local/cuda/bin/ptxas)
export PTXAS
find "$work/m" -name '*.ptx' | sed 's/\.ptx$//' |
	xargs -P "$(nproc)" -I{} sh -c '"$PTXAS" -arch=sm_90 {}.ptx -o {}.cubin >{}.log 2>&1 || rm -f {}.cubin'
for l in "$work"/m/*.log; do
	[ -e "${l%.log}.cubin" ] || { grep -h '^// ' "${l%.log}.ptx"; grep -v '^$' "$l"; }
done >"$1/refused"
"$work/memory-cuda" record "$work/m" "$work" >"$1/log" || exit 1
tail -n 5 "$1/log"
xz -6 -T0 -c "$work/memory.golden" >"$1/memory.golden.xz"
