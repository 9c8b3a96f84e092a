#!/bin/bash
# regenerate.sh [NAME...]: makes the corpus' PTX again, NAME/NAME.{sm_75,sm_100,clang}.ptx (committed), and clang's AMDGPU code
# objects and LLVM IR, $B/ptx-corpus/NAME.{gfx1030,gfx1100}.{co,ll} (not committed). --amdgpu makes the latter only.
# Runs in each program's folder, so that no path of this machine gets into the PTX.
cd "$(dirname "$0")" || exit 1
root=$(cd ../.. && pwd)
B=${B:-build}
case $B in /*) ;; *) B=$root/$B ;; esac
CUDA=${CUDA:-/usr/local/cuda}
NVCC=${NVCC:-$CUDA/bin/nvcc}
CLANG=${CLANG:-clang-22}
ptx=1
if [ "$1" = --amdgpu ]; then ptx=0; shift; fi
if [ $# -eq 0 ]; then
	for d in */; do set -- "$@" "${d%/}"; done
fi
nvcc=0 clang=0 bad=0
if [ $ptx = 1 ]; then
	command -v "$NVCC" >/dev/null 2>&1 && nvcc=1 || echo "skipped: sm_75 and sm_100 PTX: no $NVCC"
fi
command -v "$CLANG" >/dev/null 2>&1 && clang=1 || echo "skipped: clang's PTX and AMDGPU code: no $CLANG"
[ -d "$CUDA/include" ] || echo "skipped: clang's PTX: no CUDA headers in $CUDA"
mkdir -p "$B/ptx-corpus"
# Extra options of a program: comment lines "flags: COMPILER OPTION..." in its source.
flags() { sed -n "s/^[/ ]*\* flags: $1 //p" "$n.cu"; }
for n in "$@"; do
	cd "$n" || exit 1
	if [ $nvcc = 1 ]; then
		"$NVCC" -arch=sm_75 -ptx -O3 $(flags nvcc) "$n.cu" -o "$n.sm_75.ptx" || bad=1
		"$NVCC" -arch=sm_100 -ptx -O3 $(flags nvcc) "$n.cu" -o "$n.sm_100.ptx" || bad=1
	fi
	if [ $ptx = 1 ] && [ $clang = 1 ] && [ -d "$CUDA/include" ]; then
		"$CLANG" -x cuda --cuda-device-only -S --cuda-gpu-arch=sm_75 -O3 -Wno-unknown-cuda-version --cuda-path="$CUDA" \
			$(flags clang) "$n.cu" -o "$n.clang.ptx" || bad=1
	fi
	if [ $clang = 1 ] && ! grep -q "^not amdgpu" "$n.case"; then
		for g in gfx1030 gfx1100; do
			o=$B/ptx-corpus/$n.$g.co
			[ "$o" -nt "$n.cu" ] && [ "$o" -nt ../cuda_compat.h ] && continue
			"$CLANG" -x hip --offload-device-only --offload-arch=$g -nogpuinc -nogpulib -O3 --no-gpu-bundle-output \
				$(flags amdgpu) "$n.cu" -o "$o" || bad=1
			"$CLANG" -x hip --offload-device-only --offload-arch=$g -nogpuinc -nogpulib -O3 --no-gpu-bundle-output \
				-S -emit-llvm $(flags amdgpu) "$n.cu" -o "${o%.co}.ll" || bad=1
		done
	fi
	cd ..
done
exit $bad
