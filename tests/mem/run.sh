#!/bin/sh
# tests/mem/run.sh [NAME...]: every NAME.ptx in $DIR (tests/mem) is compiled for both chips at -O0, -O3, and with hardly any LDS or scratch, and
# launched on the simulator under several orders of its waves, once with weak memory. `// run:` holds the launch (ptx-run's options),
# the `// want:` lines an awk program that prints what it must print, `// fails:` instead the text it must be refused or stopped with,
# `// warns:` a warning of the compiler, `// shared:` the most dynamic shared memory of a launch.
B=${B:-build}
DIR=${DIR:-tests/mem}
pass=0 fail=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad() { echo "FAILED $*"; fail=$((fail + 1)); }
# $tmp/words: 8189 words, word k holds 3 k.
LC_ALL=C awk 'BEGIN { for (k = 0; k < 8189; k++) printf "%c%c%c%c", 3 * k % 256, int(3 * k / 256) % 256, 0, 0 }' >"$tmp/words"
[ $# -gt 0 ] || set -- $(cd "$DIR" && ls *.ptx | sed 's/\.ptx$//')
for name in "$@"; do
	t=$DIR/$name.ptx
	run=$(sed -n 's,^// run: ,,p' "$t")
	shared=$(sed -n 's,^// shared: ,,p' "$t")
	stop=$(sed -n 's,^// fails: ,,p' "$t")
	warn=$(sed -n 's,^// warns: ,,p' "$t")
	sed -n 's,^// want: ,,p' "$t" >"$tmp/want.awk"
	awk "BEGIN { $(cat "$tmp/want.awk") }" </dev/null >"$tmp/want"
	for gpu in gfx1030 gfx1100; do for level in 0 3 "3 --max-lds=256" "3 --max-scratch=256" "0 --max-scratch=256 --max-lds=256"; do
		where="$name $gpu -O$level"
		# shellcheck disable=SC2086
		if ! timeout 60 "$B/ptxas-amd" --check --gpu $gpu -O$level ${shared:+--dynamic-shared=$shared} -o "$tmp/o" "$t" >"$tmp/err" 2>&1; then
			if [ -n "$stop" ] && grep -qF -- "$stop" "$tmp/err"; then pass=$((pass + 1)); else bad "$where: $(cat "$tmp/err")"; fi
			continue
		fi
		if [ -n "$warn" ] && ! grep -qF -- "$warn" "$tmp/err"; then bad "$where: no warning"; continue; fi
		for seed in 1 2 3; do
			caches=; [ $seed = 3 ] && caches=--caches
			if eval "timeout 60 \"$B/ptx-run\" --seed $seed $caches $run \"$tmp/o\"" >"$tmp/got" 2>"$tmp/err"; then
				if [ -n "$stop" ]; then bad "$where: ran"; continue 2; fi
			elif [ -n "$stop" ] && grep -qF -- "$stop" "$tmp/err"; then
				continue
			else
				bad "$where seed $seed: $(cat "$tmp/err")"; continue 2
			fi
			if ! cmp -s "$tmp/want" "$tmp/got"; then
				bad "$where seed $seed"; diff "$tmp/want" "$tmp/got" | head -6; continue 2
			fi
		done
		pass=$((pass + 1))
	done; done
done
echo "$pass passed, $fail failed"
[ "$fail" = 0 ]
