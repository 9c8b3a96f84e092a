#!/bin/sh
# run.sh: the kernels of tests/emit/kernels, machine IR after register allocation. "# gpus:" the chips; "# run: ARGUMENT..." a
# launch of one wave (IOTA: a file of 0, 1, 2, ...), "# expect: N EXPRESSION" what its printed buffer holds, an awk expression in i.
# Each kernel runs with exact waits and with --force-waits. Then one s_waitcnt or hazard fix after the other is left out, which the
# simulator must report in one of the launches. "# conservative: OPCODE" marks fixes that the passes put where they cannot see the need.
tmp=$B/check/emit; mkdir -p "$tmp"
printf "$(awk 'BEGIN { for (i = 0; i < 1024; i++) printf "\\%03o\\%03o\\000\\000", i % 256, i / 256 }')" >"$tmp/iota"
pass=0; fail=0
failed() { fail=$((fail + 1)); echo "FAILED: $*"; }

# launches FILE GPU OBJECT: runs all launches of FILE; prints what is not as expected.
launches() {
	grep -E '^# (run|expect):' "$1" | while read -r _ kind rest; do
		if [ "$kind" = run: ]; then
			set --
			args=
			for a in $rest; do args="$args --arg $(printf %s "$a" | sed "s|IOTA|$tmp/iota|")"; done
			"$B/ptx-run" --gpu "$gpu" --block 32 $args "$object" >"$tmp/got" 2>"$tmp/err" || { cat "$tmp/err"; echo "exit"; }
		else
			n=${rest%% *}; expr=${rest#* }
			awk "BEGIN { for (i = 0; i < $n; i++) printf \"%d\\n\", $expr }" >"$tmp/want"
			cmp -s "$tmp/want" "$tmp/got" || { echo "wrong output of $object:"; diff "$tmp/want" "$tmp/got" | head -n 5; }
		fi
	done
}

for t in tests/emit/kernels/*.mir; do
	name=$(basename "$t" .mir)
	for gpu in $(sed -n 's/^# gpus: //p' "$t"); do
		sed "s/GPU/$gpu/" "$t" >"$tmp/$name.mir"
		object=$tmp/$name.$gpu.co
		passes="--modes --waits --hazards --clauses"
		for extra in "" --force-waits; do
			if ! "$B/amd-as" --verify $passes $extra -o "$object" "$tmp/$name.mir" 2>"$tmp/err"; then
				failed "$name $gpu: $(cat "$tmp/err")"; continue
			fi
			out=$(launches "$t" "$gpu" "$object")
			if [ -n "$out" ]; then failed "$name $gpu $extra: $out"; else pass=$((pass + 1)); fi
		done
		n=0
		while "$B/amd-as" $passes --drop=$n -o "$object" "$tmp/$name.mir" 2>"$tmp/dropped"; do
			n=$((n + 1))
			cons=$(sed -n 's/^# conservative: //p' "$t")
			if [ -n "$cons" ] && grep -q "^$cons " "$tmp/dropped"; then continue; fi
			out=$(launches "$t" "$gpu" "$object")
			case $out in
			*"not waited for"* | *hazard* | *"wait states"* | *transcendental*) pass=$((pass + 1)) ;;
			*) failed "$name $gpu: not noticed: without $(cat "$tmp/dropped"): $out" ;;
			esac
		done
	done
done
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
