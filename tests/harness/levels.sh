#!/bin/sh
# levels.sh CORPUS ARGUMENT...: the corpus harness at -O0 and at -O3, added up.
passed=0 failed=0
for o in -O0 -O3; do
	out=$("$@" $o)
	echo "$out" | sed '$d'
	last=$(echo "$out" | tail -n 1)
	p=${last%% passed*} f=${last#*, }
	passed=$((passed + p)) failed=$((failed + ${f%% failed*}))
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
