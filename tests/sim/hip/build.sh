#!/bin/sh
# build.sh DIR: compiles kernels/all.hip with clang-22 for each chip and optimisation level into DIR/GFX.OPT.co.zst.
# The committed ones lie in objects/: tests/sim/hip/build.sh tests/sim/hip/objects
set -e
here=$(dirname "$0")
mkdir -p "$1"
for gfx in gfx1030 gfx1100; do
	for opt in O0 O3; do
		clang-22 -x hip --offload-arch=$gfx --offload-device-only --no-gpu-bundle-output -nogpuinc -nogpulib \
			-std=c++17 -$opt -ffp-contract=off -mcode-object-version=5 -Xoffload-linker --strip-all \
			"$here/kernels/all.hip" -o "$1/$gfx.$opt.co"
		zstd -q -19 -f --rm "$1/$gfx.$opt.co"
	done
done
