#!/bin/sh
# run.sh CORPUS: every matrix instruction of sm_90 on gfx1030, gfx1100 and gfx1010, which has no dot products, at -O0 and -O3.
passed=0 failed=0
for o in -O0 -O3; do
	out=$("$1" --corpus tests/conformance/matrix --dialect sm_90 --gpu gfx1030 --gpu gfx1100 --gpu gfx1010 $o)
	echo "$out" | sed '$d'
	set -- "$1" $(echo "$out" | tail -n 1)
	passed=$((passed + $2)) failed=$((failed + $4))
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
