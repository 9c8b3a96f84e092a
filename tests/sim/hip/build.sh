#!/bin/sh
# build.sh DIR: compiles kernels/all.hip with clang-22 for each chip and optimisation level into DIR/GFX.OPT.co.zst,
# and kernels/wave64.hip for waves of 64 lanes.
# The committed ones lie in objects/: tests/sim/hip/build.sh tests/sim/hip/objects
set -e
here=$(dirname "$0")
mkdir -p "$1"
# compile GFX VARIANT SOURCE FLAG...
compile() {
	out=$1.$2.co src=$3 gfx=$1
	shift 3
	clang-22 -x hip --offload-arch=$gfx --offload-device-only --no-gpu-bundle-output -nogpuinc -nogpulib \
		-std=c++17 "$@" -ffp-contract=off -mcode-object-version=5 -Xoffload-linker --strip-all \
		"$here/kernels/$src.hip" -o "$dir/$out"
	zstd -q -19 -f --rm "$dir/$out"
}
dir=$1
for gfx in gfx1030 gfx1100; do
	compile $gfx O0 all -O0
	compile $gfx O3 all -O3
	compile $gfx W64 wave64 -O2 -mwavefrontsize64
done
