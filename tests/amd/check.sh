#!/bin/sh
# check.sh [--bless]: tests/amd/PASS/NAME.amd holds a function, a line "====" and what amd-opt prints after the pass. A line
# "# run: ARGUMENTS" names other passes and options than the folder.
bless=$1
pass=0; fail=0
for t in tests/amd/*/*.amd; do
	[ "${t#tests/amd/run/}" = "$t" ] || continue
	run=$(sed -n 's/^# run: //p' "$t" | head -n 1)
	[ -n "$run" ] || run=$(basename "$(dirname "$t")")
	[ "$run" != read ] || run=
	got=$("$B/amd-opt" $run "$t" 2>&1)
	want=$(sed '1,/^====/d' "$t")
	if [ "$got" = "$want" ]; then
		pass=$((pass + 1))
	elif [ "$bless" = --bless ]; then
		{ sed '/^====/,$d' "$t"; echo ====; printf '%s\n' "$got"; } >"$t.new" && mv "$t.new" "$t"
		echo "blessed: $t"; pass=$((pass + 1))
	else
		echo "FAILED: $t"
		printf '%s\n' "$want" >"$B/check/want.txt"; printf '%s\n' "$got" | diff "$B/check/want.txt" - | head -n 30
		fail=$((fail + 1))
	fi
done
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
