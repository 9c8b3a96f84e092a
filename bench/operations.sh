#!/bin/sh
# bench/operations.sh: writes bench/operations.tsv, clang-22's instructions and VGPRs for the rows of operations.def, both chips.
# Needs build/bench/bench and clang-22.
B=${B:-build}
CLANG=${CLANG:-clang-22}
command -v "$CLANG" >/dev/null 2>&1 || { echo "no $CLANG"; exit 1; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$B/bench/bench" --ll >"$tmp/names"
n=$(wc -l <"$tmp/names")
k=0
: >"$tmp/out"
while [ $k -lt "$n" ]; do
	"$B/bench/bench" --ll $k >"$tmp/k.ll"
	line=$(sed -n $((k + 1))p "$tmp/names")
	for gpu in gfx1030 gfx1100; do
		"$CLANG" -O3 -x ir --target=amdgcn-amd-amdhsa -mcpu=$gpu -nogpulib -S -o "$tmp/k.s" "$tmp/k.ll" 2>"$tmp/err" || { cat "$tmp/err" "$tmp/k.ll"; exit 1; }
		insts=$(sed -n '/^k:/,/^.Lfunc_end/p' "$tmp/k.s" | grep -E '^[[:space:]]+(s_|v_|global_|ds_|buffer_|flat_|scratch_)' |
			grep -vcE 's_waitcnt|s_delay_alu|s_nop|s_clause|s_endpgm|s_code_end|s_sendmsg')
		vgprs=$(sed -n 's/.*amdhsa_next_free_vgpr //p' "$tmp/k.s")
		line="$line	$insts	$vgprs"
	done
	echo "$line" >>"$tmp/out"
	k=$((k + 1))
done
cp "$tmp/out" bench/operations.tsv
