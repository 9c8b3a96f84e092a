#!/bin/sh
# tests/build/run.sh [bless]: every tests/build/NAME.ptx built by ptx-ir (with the options of its `// options:` line) is NAME.out, word for
# word, diagnostics included. Then every PTX file of the corpus is built and brought to SSA form; both results are validated.
# `bless` rewrites the outputs.
B=${B:-build}
pass=0 fail=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad() { echo "FAILED $1: $2"; fail=$((fail + 1)); }
for t in tests/build/*.ptx; do
	# shellcheck disable=SC2046
	"$B/ptx-ir" $(sed -n 's,^// options: ,,p' "$t") "$t" >"$tmp/out" 2>&1
	if [ "$1" = bless ]; then cp "$tmp/out" "${t%.ptx}.out"; fi
	if diff -u "${t%.ptx}.out" "$tmp/out" >"$tmp/diff"; then pass=$((pass + 1)); else bad "$t" "output differs"; head -40 "$tmp/diff"; fi
done
for t in tests/ptx-corpus/*/*.ptx; do
	if "$B/ptx-ir" --ssa --quiet "$t" >"$tmp/out" 2>&1; then pass=$((pass + 1)); else bad "$t" "$(head -3 "$tmp/out")"; fi
done
echo "$pass passed, $fail failed"
[ "$fail" = 0 ]
