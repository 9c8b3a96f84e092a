#!/bin/sh
# Every file and folder that a .md file names is there: paths from the root (words in capitals stand for names), files in backquotes by their name
# anywhere, make targets. Every pass of src/api/passes.c is named in ARCHITECTURE.md.
pass=0 fail=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
if ! git ls-files >"$tmp/files" 2>/dev/null; then
	echo "skipped: no git checkout"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
sed 's,.*/,,' "$tmp/files" | sort -u >"$tmp/names"
bad() { fail=$((fail + 1)); echo "FAILED $1: no $2"; }
for md in $(grep '\.md$' "$tmp/files"); do
	grep -oE '(^|[^A-Za-z0-9_./-])(src|tests|tools|bench|examples|include)/[A-Za-z0-9_./*-]*[A-Za-z0-9_*]' "$md" | sed 's,^[^a-z],,' | grep -vE '(^|[/._])[A-Z]{2,}([/._]|$)' |
		sort -u >"$tmp/paths"
	# shellcheck disable=SC2013
	for p in $(cat "$tmp/paths") bench/RESULTS.md; do
		# shellcheck disable=SC2086
		if ls -d $p >/dev/null 2>&1; then pass=$((pass + 1)); else bad "$md" "$p"; fi
	done
	grep -oE '`[A-Za-z0-9_-]+\.(c|h|def|sh|py|cpp|re|mk|ptx|s)`' "$md" | tr -d '`' | sort -u >"$tmp/named"
	while read -r n; do
		if grep -qxF "$n" "$tmp/names"; then pass=$((pass + 1)); else bad "$md" "$n"; fi
	done <"$tmp/named"
	grep -oE '`make [a-z-]+[` ]' "$md" | sed 's,`make ,,;s,[` ],,' | sort -u >"$tmp/targets"
	while read -r t; do
		if grep -qE "(^| )$t:" Makefile tests/*/part.mk tests/*/*/part.mk; then pass=$((pass + 1)); else bad "$md" "make target $t"; fi
	done <"$tmp/targets"
done
for p in $(grep -oE '[MFA]\((ir|amd)_[a-z0-9_]+' src/api/passes.c | sed 's,.*(,,' | sort -u); do
	if grep -qF "\`$p\`" ARCHITECTURE.md; then pass=$((pass + 1)); else bad ARCHITECTURE.md "pass $p"; fi
done
echo "$pass passed, $fail failed"
[ $fail = 0 ]
