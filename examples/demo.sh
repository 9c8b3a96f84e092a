#!/bin/sh
# Compiles a CUDA kernel's PTX, as nvcc made it, for two AMD GPUs and runs it on the simulator. B: the build folder.
set -e
B=${B:-build}
ptx=tests/ptx-corpus/mandelbrot/mandelbrot.sm_75.ptx
for gpu in gfx1030 gfx1100; do
	echo "== $ptx for $gpu"
	"$B/ptxas-amd" --gpu=$gpu -v --check -o "$B/mandelbrot.$gpu.o" "$ptx" 2>&1 | grep -A3 "'mandel_f32'"
	"$B/ptx-run" --gpu $gpu --entry mandel_f32 --grid 9,8 --block 8,4 --stats \
		--arg 'u16:2304>-' --arg s32=72 --arg s32=32 --arg f32=-2.2 --arg f32=-1.2 --arg f32=0.0430 --arg s32=64 \
		"$ptx" >"$B/mandelbrot.$gpu.txt" 2>"$B/mandelbrot.$gpu.stats"
	awk '/^[0-9]+$/ && n < 2304 { v = $1; row = row substr(" .:-=+*#%@", v >= 64 ? 10 : 1 + int(v / 5) % 9, 1); n++; if (n % 72 == 0) { print row; row = "" } }' \
		"$B/mandelbrot.$gpu.txt"
	cat "$B/mandelbrot.$gpu.stats"
done
grep -E '^[0-9]+$' "$B/mandelbrot.gfx1030.txt" >"$B/a.txt"
grep -E '^[0-9]+$' "$B/mandelbrot.gfx1100.txt" >"$B/b.txt"
cmp "$B/a.txt" "$B/b.txt" && echo "both chips computed the same image"
