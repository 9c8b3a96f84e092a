#!/bin/bash
# Rebuilds the code objects that the simulator's tests load. Needs clang-22 and lld-22; the results are committed.
# A kernel's arguments are one pointer, or what a line "//: KERNEL NAME OFFSET SIZE KIND, ..." of the source says.
set -e
cd "$(dirname "$0")"

# kernels SOURCE GFX: the names of the kernels that the source has for this chip
kernels() {
	awk -v gfx=$2 '/^\.if GFX11/ {skip = gfx != "gfx1100"} /^\.if GFX101/ {skip = gfx != "gfx1010"}
		/^\.else/ {skip = !skip} /^\.endif/ {skip = 0}
		!skip && ($1 == "kernel" || $1 == ".amdhsa_kernel") && $2 !~ /name/ {print $2}' $1
}

metadata() {
	printf '\t.amdgpu_metadata\namdhsa.version:\n  - 1\n  - 2\namdhsa.kernels:\n'
	for k in $(kernels $1 $2); do
		args=$(sed -n "s,^//: $k ,,p" $1)
		args=${args:-p 0 8 global_buffer}
		printf '  - .name: %s\n    .symbol: %s.kd\n    .kernarg_segment_size: 32\n' $k $k
		printf '    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .kernarg_segment_align: 8\n'
		printf '    .wavefront_size: 32\n    .sgpr_count: 32\n    .vgpr_count: 8\n    .max_flat_workgroup_size: 1024\n'
		printf '    .args:\n'
		tr ',' '\n' <<<"$args" | while read -r name offset size kind; do
			space=
			[ $kind = global_buffer ] && space=', .address_space: global'
			printf '      - {.name: %s, .offset: %s, .size: %s, .value_kind: %s%s}\n' $name $offset $size $kind "$space"
		done
	done
	printf '\t.end_amdgpu_metadata\n'
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for s in *.s; do
	for gpu in gfx1010 gfx1030 gfx1100; do
		[ $s = args.s ] && [ $gpu = gfx1010 ] && continue
		gfx11=0 gfx101=0
		[ $gpu = gfx1100 ] && gfx11=1
		[ $gpu = gfx1010 ] && gfx101=1
		sed "s/amdgcn-amd-amdhsa--unknown/amdgcn-amd-amdhsa--$gpu/" $s >$tmp/a.s
		metadata $s $gpu >>$tmp/a.s
		llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=$gpu --defsym GFX11=$gfx11 --defsym GFX101=$gfx101 -filetype=obj $tmp/a.s -o $tmp/a.o
		ld.lld-22 -shared -z nognustack --build-id=none -s $tmp/a.o -o ${s%.s}.$gpu.co
		chmod -x ${s%.s}.$gpu.co
	done
done
