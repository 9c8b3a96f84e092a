#!/bin/sh
# bench/operations_check.sh: no row of operations.def takes more instructions than clang's -O3 (operations.tsv) but those that operations.more names:
# there our result has other bits, or something is left to do.
B=${B:-build}
rows=$("$B/bench/bench" --operations | grep '^| [^-].* / ')
all=$(printf '%s\n' "$rows" | wc -l)
bad=$(printf '%s\n' "$rows" | awk -F' *[|] *' 'NR == FNR { known[$0]; next } $7 == "more" && !($2 in known) { print "FAILED: " $2 ": " $3 ", " $5 }' bench/operations.more -)
n=$(printf '%s' "$bad" | grep -c FAILED)
[ -z "$bad" ] || printf '%s\n' "$bad"
echo "$((all - n)) passed, $n failed"
[ "$n" = 0 ] && [ "$all" -gt 100 ]
