#!/bin/sh
# tests/mem/shapes/check.sh [bless]: which of the twelve local arrays of shapes.ptx become registers (ours.tsv, beside clang.tsv for the same
# source), and that their kernels give the same with and without the pass.
B=${B:-build}
dir=tests/mem/shapes
pass=0 fail=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for gpu in gfx1030 gfx1100; do
	"$B/ptxas-amd" --check -v --gpu $gpu -o "$tmp/o" $dir/shapes.ptx 2>&1 |
		awk -v gpu=$gpu '/properties for/ { name = $NF } /stack frame/ { print gpu "\t" name "\t" ($1 ? "scratch " $1 : "registers") }'
	"$B/ptxas-amd" --no-ir_promote --gpu $gpu -o "$tmp/without.$gpu" $dir/shapes.ptx
	mv "$tmp/o" "$tmp/with.$gpu"
done >"$tmp/ours"
if [ "$1" = bless ]; then cp "$tmp/ours" $dir/ours.tsv; fi
if diff $dir/ours.tsv "$tmp/ours"; then pass=$((pass + 24)); else echo "FAILED: other arrays in registers"; fail=$((fail + 1)); fi
while read -r gpu name _; do
	for which in with without; do
		"$B/ptx-run" --gpu "$gpu" --entry "$name" --block 64 --arg 'u32:64>-' --arg u32=13 --no-uninit "$tmp/$which.$gpu" >"$tmp/$which.out" 2>&1
	done
	if [ -s "$tmp/with.out" ] && cmp -s "$tmp/with.out" "$tmp/without.out"; then pass=$((pass + 1)); else
		echo "FAILED $gpu $name: results differ"; diff "$tmp/with.out" "$tmp/without.out" | head -4; fail=$((fail + 1)); fi
done <$dir/ours.tsv
echo "$pass passed, $fail failed"
[ "$fail" = 0 ]
