#!/bin/sh
# run.sh [bless]: every tests/parser/*.ptx through the parser; its dump or diagnostics must be NAME.out.
cd "$(dirname "$0")" || exit 2
tool=../../$B/tests/parser/dump
case $B in /*) tool=$B/tests/parser/dump ;; esac
passed=0 failed=0
for f in *.ptx; do
	want=${f%.ptx}.out
	got=$("$tool" "$f"; echo "rc $?")
	got=${got%rc 0}
	if [ "$1" = bless ]; then
		printf '%s' "$got" >"$want"
	elif printf '%s' "$got" | cmp -s - "$want"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $f"
		printf '%s' "$got" | diff "$want" - | head -n 20
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
