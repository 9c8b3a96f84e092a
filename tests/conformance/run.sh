#!/bin/sh
# run.sh: all forms, then the families of whole programs, each at -O0 and -O3.
B=${B:-build}
rc=0
"$B/tests/conformance/conformance" || rc=1
for d in tests/conformance/*/; do
	ls "$d"*/*.case >/dev/null 2>&1 || continue
	for level in -O0 -O3; do
		printf '%s %s: ' "$(basename "$d")" "$level"
		"$B/tests/harness/corpus" --corpus "$d" --dialect sm_90 "$level" || rc=1
	done
done
exit $rc
