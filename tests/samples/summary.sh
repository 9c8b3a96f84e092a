#!/bin/bash
# summary.sh DIR [GPU]: what run.sh left in DIR. Without GPU: what nvcc made, and why it made no more. With: taken, refused and why;
# kinds are messages without their names and numbers, and without an instruction's types.
set -u
dir=$1 gpu=${2:-}
if [ -z "$gpu" ]; then
	made=$(ls "$dir"/*.ptx 2>/dev/null | wc -l) not=$(ls "$dir"/*.nvcc 2>/dev/null | wc -l)
	echo "$(basename "$dir"): nvcc made $made of $((made + not)) files"
	for f in "$dir"/*.nvcc; do
		[ -e "$f" ] || continue
		grep -m1 -E 'error|fatal' "$f" || echo "no message (exit or time limit)"
	done | sed -E 's/.*(fatal error|error) *:? */\1: /; s/#include .*//' | sort | uniq -c | sort -rn
	exit
fi
cat "$dir"/*."$gpu".result | awk -F'\t' -v title="$(basename "$dir") $gpu" '
function kind_of(msg, word, n, op) {
	if (match(msg, /^instruction \047[^\047]*\047/)) {
		op = substr(msg, RSTART + 13, RLENGTH - 14)
		n = split(op, word, ".")
		return "instruction \047" word[1] (n > 1 && word[2] !~ /^[suvbf][0-9]/ ? "." word[2] : "") "\047" substr(msg, RLENGTH + 1)
	}
	if (msg !~ /^call to|special register/) {
		gsub(/\047[^\047]*\047/, "\047...\047", msg)
		gsub(/[0-9]+/, "N", msg)
	}
	return msg
}
$1 == "module" {
	modules++; kernels += $4; ms += $3; verdict[$2 == 0 ? 0 : $2 == 255 ? 1 : 2]++
	next
}
{
	kind = kind_of($3)
	if (!(kind in nk)) nk[kind] = 0
	if ($2 != "-" && !((modules, $2) in lost)) { lost[modules, $2] = 1; refused++ }
	if (!((modules, kind) in in_module)) { in_module[modules, kind] = 1; nm[kind]++ }
	if ($2 != "-" && !((modules, $2, kind) in in_kernel)) { in_kernel[modules, $2, kind] = 1; nk[kind]++ }
}
END {
	printf "%s: modules: %d taken, %d refused, %d broken; kernels: %d taken, %d refused; %.1f s\n", title, verdict[0], verdict[1],
	       verdict[2], kernels - refused, refused, ms / 1000
	for (k in nk)
		printf "%6d kernels %4d modules  %s\n", nk[k], nm[k], k | "sort -rn"
}'
for f in "$dir"/*."$gpu".result; do
	awk -F'\t' -v f="$(basename "$f" ".$gpu.result")" '$1 == "module" && $3 > 2000 { printf "slow: %.1f s %s\n", $3 / 1000, f }' "$f"
done
