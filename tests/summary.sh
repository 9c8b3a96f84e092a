#!/bin/sh
# summary.sh NAME...: adds up the verdicts of run-check.sh. A check that left no verdict (it did not build) is a failure.
p=0; f=0; s=0
for name in "$@"; do
	if [ -f "$B/check/$name.result" ]; then
		read -r a b c <"$B/check/$name.result"
		p=$((p + a)); f=$((f + b)); s=$((s + c))
		[ "$b" -eq 0 ] || echo "FAILED: $name (see $B/check/$name.log)"
	else
		echo "FAILED: $name did not run"; f=$((f + 1))
	fi
done
grep -ah '^skipped:' "$B"/check/*.log 2>/dev/null | sort -u
[ "$s" -eq 0 ] && echo "$p passed, $f failed" || echo "$p passed, $f failed, $s skipped"
[ "$f" -eq 0 ] && [ "$p" -gt 0 ]
