#!/bin/sh
# bench/same_bits.sh: writes bench/same_bits.tsv: for each row of same_bits.def clang-22's instructions for NVIDIA's bits, gfx1030 / gfx1100, and an
# input where its code as it is gives others. Fails where what is said to be the same is not. Needs build/bench/bench, clang-22 and lld-22.
B=${B:-build}
CLANG=${CLANG:-clang-22}
command -v "$CLANG" >/dev/null 2>&1 || { echo "no $CLANG"; exit 1; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$B/bench/bench" --same-bits >"$tmp/rows"
n=$(wc -l <"$tmp/rows")
compile() { # compile GPU NAME
	"$CLANG" -O3 -x ir --target=amdgcn-amd-amdhsa -mcpu="$1" -nogpulib -o "$tmp/$2.co" "$tmp/$2.ll" 2>"$tmp/err" &&
		"$CLANG" -O3 -x ir --target=amdgcn-amd-amdhsa -mcpu="$1" -nogpulib -S -o "$tmp/$2.s" "$tmp/$2.ll" 2>"$tmp/err" || { cat "$tmp/err" "$tmp/$2.ll"; exit 1; }
}
k=0
while [ $k -lt "$n" ]; do
	row=$(sed -n $((k + 1))p "$tmp/rows")
	counts=
	for gpu in gfx1030 gfx1100; do
		for kind in plain same; do
			"$B/bench/bench" --same-bits $k $kind $gpu >"$tmp/$kind.ll"
			compile $gpu $kind
		done
		insts=$(sed -n '/^k:/,/^.Lfunc_end/p' "$tmp/same.s" | grep -E '^[[:space:]]+(s_|v_|global_|ds_|buffer_|flat_|scratch_)' |
			grep -vcE 's_waitcnt|s_delay_alu|s_nop|s_clause|s_endpgm|s_code_end|s_sendmsg')
		counts="$counts${counts:+ / }$insts"
		"$B/bench/bench" --same-bits $k $gpu "$tmp/plain.co" "$tmp/same.co" >"$tmp/at.$gpu" || { echo "$row, $gpu: not the same"; exit 1; }
	done
	at=$(cat "$tmp/at.gfx1030")
	cmp -s "$tmp/at.gfx1030" "$tmp/at.gfx1100" || at="$at (gfx1030); $(cat "$tmp/at.gfx1100") (gfx1100)"
	printf '%s\t%s\t%s\n' "$row" "$counts" "$at" >>"$tmp/out"
	k=$((k + 1))
done
cp "$tmp/out" bench/same_bits.tsv
