#!/bin/sh
# run.sh: tests/amd/run/NAME.amd holds a kernel before register allocation, a line "# ptx-run: ARGUMENTS" and, after "====", what the
# simulator prints. Each runs on both generations, under several allocation seeds and register limits; all must agree.
# "# param OFFSET SIZE" are the kernel's parameters. In ARGUMENTS, @ramp is a file of the 32-bit numbers 0, 1, 2, ...
pass=0; fail=0
tmp=$(mktemp -d); trap 'rm -rf $tmp' EXIT
i=0; while [ $i -lt 1024 ]; do printf '%b' "\\$(printf '%03o' $((i % 256)))\\$(printf '%03o' $((i / 256)))\\0000\\0000"; i=$((i + 1)); done >"$tmp/ramp"
for t in tests/amd/run/*.amd; do
	args=$(sed -n 's/^# ptx-run: //p' "$t" | head -n 1 | sed "s|@ramp|@$tmp/ramp|g")
	want=$(sed '1,/^====/d' "$t")
	for gpu in gfx1030 gfx1100; do
		for opts in "" "--seed-ra=1" "--max-vgprs=16 --seed-ra=2"; do
			# gfx1100 wants 16 SGPRs initialised: user SGPRs up to s14, then the workgroup's id
			[ $gpu = gfx1030 ] && abi= || abi='s/user_sgprs=2/user_sgprs=15/; s/:s1!s2\b/:s1!s15/'
			sed "s/^kernel \([^ ]*\) gfx[0-9]*/kernel \1 $gpu/; /^====/,\$d; $abi" "$t" >"$tmp/in.amd"
			"$B/amd-opt" $opts value_number combine live spill schedule regalloc regalloc_check out_of_ssa lower_pseudos modes waits hazards clauses "$tmp/in.amd" >"$tmp/out.amd" 2>&1 &&
				{ sed -n 's/^# param/param/p' "$t"; cat "$tmp/out.amd"; } | "$B/amd-as" -o "$tmp/k.co" - >"$tmp/log" 2>&1 &&
				got=$("$B/ptx-run" --gpu $gpu $args "$tmp/k.co" 2>&1)
			rc=$?
			if [ $rc -eq 0 ] && [ "$got" = "$want" ]; then
				pass=$((pass + 1))
			else
				echo "FAILED ($rc): $t $gpu $opts"; fail=$((fail + 1))
				grep -h error "$tmp/out.amd" | head -n 3; head -n 5 "$tmp/log"; printf '%s\n' "$got" | head -n 20
			fi
		done
	done
done
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
