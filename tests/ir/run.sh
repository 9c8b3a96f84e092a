#!/bin/sh
# tests/ir/run.sh [bless]: every tests/ir/PASS/NAME.ir goes through the passes its `; passes:` line names; the result is NAME.out, word for
# word, and reads back as itself. A file with a `; fails:` line must be refused with that text. `bless` rewrites the outputs.
B=${B:-build}
opt=$B/ir-opt
pass=0 fail=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad() { echo "FAILED $1: $2"; fail=$((fail + 1)); }
for t in tests/ir/*/*.ir; do
	passes=$(sed -n 's/^; passes: //p' "$t")
	want=$(sed -n 's/^; fails: //p' "$t")
	# shellcheck disable=SC2086
	if "$opt" $passes <"$t" >"$tmp/out" 2>"$tmp/err"; then rc=0; else rc=1; fi
	if [ -n "$want" ]; then
		if [ $rc = 1 ] && grep -qF -- "$want" "$tmp/err"; then pass=$((pass + 1)); else bad "$t" "not refused with '$want'"; cat "$tmp/err"; fi
		continue
	fi
	if [ $rc != 0 ]; then bad "$t" "$(cat "$tmp/err")"; continue; fi
	if ! "$opt" print <"$tmp/out" >"$tmp/again" 2>"$tmp/err" || ! cmp -s "$tmp/out" "$tmp/again"; then
		bad "$t" "does not read back as itself"; diff "$tmp/out" "$tmp/again" | head -5; cat "$tmp/err"; continue
	fi
	if [ "$1" = bless ]; then cp "$tmp/out" "${t%.ir}.out"; fi
	if diff -u "${t%.ir}.out" "$tmp/out" >"$tmp/diff"; then pass=$((pass + 1)); else bad "$t" "output differs"; head -40 "$tmp/diff"; fi
done
echo "$pass passed, $fail failed"
[ "$fail" = 0 ]
