#!/bin/bash
# run.sh table|check|regenerate: the local arrays of local_arrays.cu.
#   table        bench/LOCAL_ARRAYS.md: bytes of scratch a thread that this compiler and clang leave for each kernel
#   check        every kernel gives the same at -O0 and -O3, on both chips, from three dialects; none of them uses more scratch than the table says
#   regenerate   the PTX, by nvcc (optimised and not: the arrays are still there) and clang
cd "$(dirname "$0")" || exit 1
root=$(cd ../.. && pwd)
B=${B:-build}
case $B in /*) ;; *) B=$root/$B ;; esac
CUDA=${CUDA:-/usr/local/cuda}
dialects="nvcc clang nvcc-O0"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
kernels=$(sed -n 's/^extern "C" __global__ void \([a-z_]*\)(.*/\1/p' local_arrays.cu)

ours() { # DIALECT GPU: lines `kernel bytes`
	"$B/ptxas-amd" -v --gpu "$2" -o "$tmp/o" "$1.ptx" 2>&1 | awk '/properties for/ { n = $NF } /stack frame/ { print n, $1 }'
}
clangs() { # GPU
	clang-22 -x hip --offload-device-only --offload-arch="$1" -nogpuinc -nogpulib -O3 --no-gpu-bundle-output -S local_arrays.cu -o - |
		awk '/^[a-z_]*:/ { n = $1; sub(/:.*/, "", n) } /amdhsa_private_segment_fixed_size/ { print n, $2 }'
}
of() { awk -v n="$1" '$1 == n { print $2 ? $2 : "registers" }' "$2"; }

table() {
	for g in gfx1030 gfx1100; do
		for d in $dialects; do ours "$d" $g >"$tmp/$d.$g"; done
		if command -v clang-22 >/dev/null; then clangs $g >"$tmp/amdgpu.$g"; else cp "$tmp/nvcc.$g" "$tmp/amdgpu.$g"; fi
	done
	echo '# Local arrays'
	echo
	echo 'Which shapes of local arrays become registers, and how many bytes of scratch a thread the others take: this compiler from the PTX of nvcc, of clang'
	echo 'and of nvcc without optimisation (`-Xcicc -O0`, where the front end has promoted nothing), and clang for AMDGPU from the same source'
	echo '(`bench/local_arrays/local_arrays.cu`). `make bench-local-arrays` writes this file. Where the chips differ: gfx1030/gfx1100.'
	echo
	echo '| shape | from nvcc | from clang | from nvcc, not optimised | clang for AMDGPU |'
	echo '| --- | --- | --- | --- | --- |'
	for k in $kernels; do
		line="| $k"
		for d in $dialects amdgpu; do
			a=$(of "$k" "$tmp/$d.gfx1030") b=$(of "$k" "$tmp/$d.gfx1100")
			[ "$a" = "$b" ] || a=$a/$b
			line="$line | $a"
		done
		echo "$line |"
	done
}

run() { # OBJECT KERNEL GPU
	args="--arg u32:4200@$tmp/in"
	[ "$2" = computed_table ] && args="$args --arg f32:4200@$tmp/floats"
	case $2 in constant_index|unrolled_loop|uniform_loop|struct_of_arrays|pointer_to_call|vector_copy) args="--arg u32:4200@$tmp/floats" ;; esac
	args="$args --arg u32:4200>$tmp/result"
	case $2 in unrolled_loop|uniform_loop|dynamic_read_write|struct_of_arrays|vector_copy|large|recursion) args="$args --arg u32=5" ;; esac
	# shellcheck disable=SC2086
	timeout 60 "$B/ptx-run" --gpu "$3" --entry "$2" --grid 2 --block 64 $args "$1" >"$tmp/log" 2>&1
}
# The floats have few bits, so that fusing a multiplication and an addition, which PTX leaves open, changes nothing.
check() {
	local pass=0 fail=0
	awk 'BEGIN { for (k = 0; k < 4200; k++) printf "%c%c%c%c", (k * 7 + 3) % 61, k % 3, 0, 0 }' | LC_ALL=C cat >"$tmp/in"
	awk 'BEGIN { for (k = 0; k < 4200; k++) printf "%c%c%c%c", 0, 0, k * 5 % 64, 63 }' | LC_ALL=C cat >"$tmp/floats"
	for d in $dialects; do
		for g in gfx1030 gfx1100; do
			"$B/ptxas-amd" -O0 --check --gpu $g -o "$tmp/O0" $d.ptx && "$B/ptxas-amd" -O3 --check --gpu $g -o "$tmp/O3" $d.ptx || exit 1
			for k in $kernels; do
				rm -f "$tmp/result" "$tmp/first"
				if run "$tmp/O0" "$k" $g && mv "$tmp/result" "$tmp/first" && run "$tmp/O3" "$k" $g && cmp -s "$tmp/first" "$tmp/result"
				then pass=$((pass + 1)); else echo "FAILED $d $g $k"; tail -n 2 "$tmp/log"; fail=$((fail + 1)); fi
			done
		done
	done
	table | cut -d'|' -f1-5 >"$tmp/now"
	cut -d'|' -f1-5 ../LOCAL_ARRAYS.md >"$tmp/then"
	if diff "$tmp/then" "$tmp/now"; then pass=$((pass + 1)); else echo "FAILED: other arrays in registers"; fail=$((fail + 1)); fi
	echo "$pass passed, $fail failed"
}

case $1 in
table) table ;;
check) check ;;
regenerate)
	"$CUDA/bin/nvcc" -arch=sm_75 -ptx -O3 local_arrays.cu -o nvcc.ptx
	"$CUDA/bin/nvcc" -arch=sm_75 -ptx -Xcicc -O0 local_arrays.cu -o nvcc-O0.ptx
	clang-22 -x cuda --cuda-device-only -S --cuda-gpu-arch=sm_75 -O3 -Wno-unknown-cuda-version --cuda-path="$CUDA" local_arrays.cu -o clang.ptx ;;
*) echo "usage: run.sh table|check|regenerate" >&2; exit 2 ;;
esac
