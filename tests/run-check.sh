#!/bin/sh
# run-check.sh NAME COMMAND...: runs one test program, keeps its output in $B/check/NAME.log and its verdict in NAME.result
# ("passed failed skipped"). The program's last line "N passed, N failed[, N skipped]" counts, or the line of the Check library; a
# program that exits non-zero without reporting a failure counts as one failure.
name=$1; shift
export CK_DEFAULT_TIMEOUT="${CK_DEFAULT_TIMEOUT:-60}" # of a test of the Check library, in seconds: machines are slow, sanitizers too
mkdir -p "$B/check"
log=$B/check/$name.log
"$@" >"$log" 2>&1
rc=$?
line=$(grep -aE '[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
num() { printf '%s\n' "$line" | sed -nE "s/.*[^0-9]?([0-9]+) $1.*/\1/p" | head -n 1; }
if [ -n "$line" ]; then
	p=$(printf '%s\n' "$line" | sed -E 's/(.*[^0-9])?([0-9]+) passed,.*/\2/')
	f=$(printf '%s\n' "$line" | sed -E 's/.* ([0-9]+) failed.*/\1/')
	s=$(printf '%s\n' "$line" | sed -nE 's/.* ([0-9]+) skipped.*/\1/p'); s=${s:-0}
else
	line=$(grep -aE 'Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+' "$log" | tail -n 1)
	c=$(printf '%s\n' "$line" | sed -nE 's/.*Checks: ([0-9]+),.*/\1/p'); c=${c:-0}
	x=$(printf '%s\n' "$line" | sed -nE 's/.*Failures: ([0-9]+), Errors: ([0-9]+).*/\1 + \2/p')
	f=$((${x:-0})); p=$((c - f)); s=0
fi
if [ $rc -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
echo "$p $f $s" >"$B/check/$name.result"
echo "$name: $p passed, $f failed, $s skipped"
if [ "$f" -ne 0 ]; then tail -n 40 "$log"; exit 1; fi
exit 0
