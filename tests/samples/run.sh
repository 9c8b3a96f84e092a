#!/bin/bash
# run.sh CHECKOUT [OUT]: compiles the device code of NVIDIA's cuda-samples (CHECKOUT, or a bare repository of it) with nvcc to PTX for
# sm_75 and sm_90, then every PTX file with ptxas-amd for gfx1030 and gfx1100; prints what was taken, refused and why. PTX and messages
# stay in OUT (default $B/samples); PTX that is there already is not made again. Environment: ARCHS, GPUS, B, CUDA, JOBS, LIMIT (seconds).
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
[ $# -ge 1 ] || { echo "usage: run.sh CHECKOUT [OUT]" >&2; exit 2; }
B=${B:-$root/build}
src=$1 out=${2:-$B/samples}
CUDA=${CUDA:-/usr/local/cuda}
ARCHS=${ARCHS:-sm_75 sm_90} GPUS=${GPUS:-gfx1030 gfx1100} JOBS=${JOBS:-1} LIMIT=${LIMIT:-60}
[ -x "$CUDA/bin/nvcc" ] || { echo "skipped: samples: no nvcc in $CUDA"; exit 0; }
mkdir -p "$out"
if [ ! -d "$src/Samples" ]; then
	mkdir -p "$out/src"
	pattern='^(Samples|Common)/.*\.(cu|cuh|h|hpp|c|cpp|inl|inc)$'
	git --git-dir="$src" ls-tree -r HEAD --name-only | grep -E "$pattern" |
		(cd "$out/src" && xargs -d '\n' git --git-dir="$src" archive HEAD -- | tar x) || exit 1
	src=$out/src
fi

# The samples' CMake files ask for C++17 and extended lambdas; dynamic parallelism needs -rdc. Headers beside the source, in its inc/, and
# those of the library samples.
ptx_of() { # FILE ARCH
	local f=$1 arch=$2 name=${1#"$src"/Samples/} d rdc=
	name=${name//\//+}
	local base=$out/$arch/${name%.cu}
	[ -e "$base.ptx" ] || [ -e "$base.nvcc" ] && return
	d=$(dirname "$f")
	case $f in */cdp*|*/device-side-launch/*|*/simpleCUFFT_callback/*|*/cuda-c-linking/*|*/graphConditionalNodes/*) rdc=-rdc=true ;; esac
	timeout 300 "$CUDA/bin/nvcc" -ptx -arch="$arch" -std=c++17 --extended-lambda $rdc -w -I"$src/Common" -I"$d" -I"$d/inc" -I"$d/../inc" \
		-I"$d/../common/inc" -I"$d/../include" "$f" -o "$base.tmp" >"$base.log" 2>&1
	if [ -s "$base.tmp" ]; then mv "$base.tmp" "$base.ptx"; rm -f "$base.log"
	else rm -f "$base.tmp"; mv "$base.log" "$base.nvcc"; fi
}
# What has errors is taken out and the rest tried again, so that one kernel's refusal does not hide another's. Leaves BASE.GPU.result: a
# line for the module (`module EXIT MILLISECONDS KERNELS`), one for each refusal (`refused KERNEL MESSAGE`).
compile() { # PTX GPU
	local ptx=$1 base=${1%.ptx}.$2 start end rc first='' ms='' n
	n=$(grep -cE '^(\.[a-z]+[ 	]+)*\.entry' "$ptx")
	: >"$base.refusals"
	for _ in 1 2 3 4 5; do
		start=$(date +%s%N)
		(ulimit -v 3000000; timeout "$LIMIT" "$B/ptxas-amd" --gpu="$2" -o "$base.co" "$ptx") >"$base.msg" 2>&1
		rc=$?
		end=$(date +%s%N)
		rm -f "$base.co"
		[ -n "$first" ] || first=$rc ms=$(((end - start) / 1000000))
		[ "$rc" = 255 ] || break
		awk -v rest="$base.rest" -f "$here/refused.awk" "$ptx" "$base.msg" | sort -u >"$base.new"
		[ -s "$base.new" ] || echo "-	no message names a line" >"$base.new"
		cat "$base.new" >>"$base.refusals"
		cut -f1 "$base.new" | grep -qvx -e - || break
		mv "$base.rest" "$base.ptx2"; ptx=$base.ptx2
	done
	[ "$rc" = 0 ] || [ "$rc" = 255 ] || echo "-	exit $rc: $(grep -m1 . "$base.msg")" >>"$base.refusals"
	{ echo "module	$first	$ms	$n"; sed 's/^/refused	/' "$base.refusals"; } >"$base.result"
	rm -f "$base.new" "$base.rest" "$base.ptx2" "$base.refusals" "$base.msg"
}
export -f ptx_of compile
export here src out CUDA B LIMIT
for arch in $ARCHS; do
	mkdir -p "$out/$arch"
	find "$src/Samples" -name '*.cu' | sort | xargs -d '\n' -P "$JOBS" -I{} bash -c 'ptx_of "$1" "$2"' - {} "$arch"
	for gpu in $GPUS; do
		ls "$out/$arch/"*.ptx | xargs -d '\n' -P "$JOBS" -I{} bash -c 'compile "$1" "$2"' - {} "$gpu"
	done
done
for arch in $ARCHS; do
	for gpu in $GPUS; do "$here/summary.sh" "$out/$arch" "$gpu"; done
	"$here/summary.sh" "$out/$arch"
done
