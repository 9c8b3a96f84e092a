#!/bin/bash
# Rebuilds the code objects that the simulator's unit tests load. Needs clang-22 and lld-22; the results are committed.
set -e
cd "$(dirname "$0")"
for s in *.s; do
	name=${s%.s}
	for gpu in gfx1030 gfx1100; do
		gfx11=0
		[ $gpu = gfx1100 ] && gfx11=1
		src=$(mktemp --suffix=.s)
		sed "s/amdgcn-amd-amdhsa--unknown/amdgcn-amd-amdhsa--$gpu/" $s >$src
		kernels=$(sed -n '/^\.if GFX11/,/^\.else/{/^kernel/{s/kernel //;s/$/ 1/;p}};/^\.else/,/^\.endif/{/^kernel/{s/kernel //;s/$/ 0/;p}}' $s)
		{
			printf '\t.amdgpu_metadata\namdhsa.version:\n  - 1\n  - 2\namdhsa.kernels:\n'
			for k in $(sed -n 's/^kernel //p' $s); do
				if grep -q "^$k " <<<"$kernels" && ! grep -q "^$k $gfx11$" <<<"$kernels"; then continue; fi
				printf '  - .name: %s\n    .symbol: %s.kd\n    .kernarg_segment_size: 8\n' $k $k
				printf '    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n'
				printf '    .kernarg_segment_align: 8\n    .wavefront_size: 32\n    .sgpr_count: 32\n    .vgpr_count: 8\n'
				printf '    .max_flat_workgroup_size: 1024\n    .args:\n'
				printf '      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}\n'
			done
			printf '\t.end_amdgpu_metadata\n'
		} >>$src
		llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=$gpu --defsym GFX11=$gfx11 -filetype=obj $src -o $src.o
		ld.lld-22 -shared -z nognustack --build-id=none -s $src.o -o $name.$gpu.co
		rm -f $src $src.o
	done
done
