#!/bin/sh
# asm.sh: -S output is assembly that LLVM's assembler takes, and its code is that of our code object.
tmp=$B/check/emit-asm; mkdir -p "$tmp"
pass=0; fail=0
mc=$(command -v llvm-mc-22); objcopy=$(command -v llvm-objcopy-22)
if [ -z "$mc" ] || [ -z "$objcopy" ]; then
	echo "skipped: llvm-mc-22 and llvm-objcopy-22 are not installed"; echo "0 passed, 0 failed, 1 skipped"; exit 0
fi
for gpu in gfx1030 gfx1100; do
	for p in saxpy matmul_f32 nbody reduce softmax int64; do
		ptx=tests/ptx-corpus/$p/$p.sm_75.ptx
		if "$B/ptxas-amd" --gpu $gpu -S -o "$tmp/$p.s" $ptx && "$B/ptxas-amd" --gpu $gpu -o "$tmp/$p.co" $ptx &&
			"$mc" -triple=amdgcn-amd-amdhsa -mcpu=$gpu -filetype=obj -o "$tmp/$p.o" "$tmp/$p.s" &&
			"$objcopy" -O binary --only-section=.text "$tmp/$p.co" "$tmp/ours" && "$objcopy" -O binary --only-section=.text "$tmp/$p.o" "$tmp/theirs"; then
			# between functions we pad with s_code_end, the assembler with s_nop
			n=$(cmp -l "$tmp/ours" "$tmp/theirs" 2>/dev/null | awk '!(($2 == 237 && $3 == 200) || ($2 == 237 && $3 == 0) || ($2 == 277 && $3 == 0)) { n++ } END { print n + 0 }')
			if [ "$n" = 0 ]; then pass=$((pass + 1)); else fail=$((fail + 1)); echo "FAILED: $p $gpu: $n bytes differ"; fi
		else
			fail=$((fail + 1)); echo "FAILED: $p $gpu"
		fi
	done
done
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
