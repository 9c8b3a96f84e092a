#!/bin/sh
# The options of ptxas-amd: NVIDIA's that ask for nothing here, hints that are not followed, what is refused, and exit statuses.
B=${B:-build}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
pass=0 fail=0
cat >"$tmp/k.ptx" <<'PTX'
.version 8.0
.target sm_75
.address_size 64
.visible .entry k() { ret; }
PTX
# expect STATUS TEXT ARGUMENTS...: exit status and a part of stderr; TEXT empty: nothing may be printed
expect() {
	want=$1 text=$2
	shift 2
	"$B/ptxas-amd" "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
	if [ $rc = "$want" ] && { [ -z "$text" ] && [ ! -s "$tmp/err" ] || { [ -n "$text" ] && grep -qF -- "$text" "$tmp/err"; }; }; then
		pass=$((pass + 1))
	else
		fail=$((fail + 1))
		echo "FAILED ptxas-amd $*: exit $rc, not $want with '$text'"
		cat "$tmp/err"
	fi
}
k=$tmp/k.ptx o=$tmp/o
for quiet in -m64 "-m 64" --machine=64 -c --compile-only "--fmad true" --fmad=false -suppress-debug-info -w -O0 "-O 1" --opt-level=2 \
	"-Ofc max" --Ofast-compile=0 --split-compile=4 -arch=compute_80 -arch=sm_90a "-arch sm_90" -arch=sm_90 "--gpu-name sm_80" --gpu=gfx1030,gfx1100 --no-ir_gvn --check; do
	# shellcheck disable=SC2086
	expect 0 "" $quiet -o "$o" "$k"
done
for hint in --maxrregcount=32 "-maxrregcount 32" -lineinfo -g "-dlcm ca" -warn-spills; do
	# shellcheck disable=SC2086
	expect 0 "has no effect" $hint -o "$o" "$k"
	# shellcheck disable=SC2086
	expect 0 "" $hint -w -o "$o" "$k"
	# shellcheck disable=SC2086
	expect 255 "has no effect" $hint -Werror -o "$o" "$k"
done
expect 0 "Used 0 VGPRs" -v -o "$o" "$k"
expect 255 "Unknown option" --nix "$k"
expect 255 "Unknown option" -O4 "$k"
expect 255 "Unknown option" -sp-bounds-check "$k"
expect 255 "SM version" -arch=sm_70 -o "$o" "$k"
expect 255 "gfx9999" --gpu=gfx1030,gfx9999 -o "$tmp/none" "$k"
expect 255 "cannot be left out" --no-ir_ssa -o "$o" "$k"
expect 255 "Unknown option" --no-such_pass -o "$o" "$k"
expect 255 "More than one input" -o "$o" "$k" "$k"
expect 255 "No input files" -o "$o"
expect 255 "Could not open" -o "$o" "$tmp/nix.ptx"
expect 255 "Could not write" -o "$tmp/no/folder" "$k"
expect 255 "bad value: '--gpu='" --gpu= "$k"
expect 255 "bad value: '--gpu'" --gpu "" "$k"
expect 255 "bad value: '--gpu=,'" --gpu=, "$k"
for list in gfx1030, ,gfx1030 gfx1030,,gfx1100; do
	expect 255 "bad value: '--gpu=" --gpu=$list -o "$o" "$k"
done
expect 255 "bad value: '--dump=ir_gvn,'" --dump=ir_gvn, "$k"
for value in --max-lds=-1 --max-lds=-18446744073709551615 "--max-lds= 5" --max-vgprs=+8 -O02 --opt-level=0x1 -m32 --machine=x --fmad=1 --fmad= \
	--maxrregcount=x -dlcm=wb --Ofast-compile=zz --split-compile=; do
	expect 255 "bad value: '$value'" "$value" -o "$o" "$k"
done
for arch in sm_999 sm_75a sm_90f sm_101x sm_075 sm_ 75 "" "sm_75,sm_80" compute_99; do
	expect 255 "Value '$arch' is not defined for option 'gpu-name'" -arch="$arch" -o "$o" "$k"
done
target() { sed "s/8.0/8.8/;s/sm_75/$1/" "$k" >"$tmp/target.ptx"; }
target sm_90a
expect 0 "" -arch=sm_90a -o "$o" "$tmp/target.ptx"
expect 255 "cannot be compiled for architecture 'sm_90'" -arch=sm_90 -o "$o" "$tmp/target.ptx"
expect 255 "cannot be compiled to future architecture" -arch=sm_100a -o "$o" "$tmp/target.ptx"
target sm_100f
expect 0 "" -arch=sm_103 -o "$o" "$tmp/target.ptx"
expect 255 "different SM-family" -arch=sm_120f -o "$o" "$tmp/target.ptx"
target sm_121
expect 255 "SM version" -arch=sm_120f -o "$o" "$tmp/target.ptx"
expect 255 "standard output" --gpu=gfx1030,gfx1100 -o - "$k"
if [ -c /dev/full ]; then
	for asks in --help --version --list-gpus --list-passes "--dump=ir_gvn $k -o $o" "-S $k" "-o - $k"; do
		# shellcheck disable=SC2086
		"$B/ptxas-amd" $asks >/dev/full 2>"$tmp/err"
		if [ $? = 255 ] && grep -q "Could not write" "$tmp/err"; then pass=$((pass + 1)); else fail=$((fail + 1)); echo "FAILED ptxas-amd $asks: no space"; fi
	done
	for asks in --help "--stats $k" "--profile $k"; do
		# shellcheck disable=SC2086
		"$B/ptx-run" $asks >/dev/full 2>"$tmp/err"
		if [ $? = 2 ] && grep -q "standard output" "$tmp/err"; then pass=$((pass + 1)); else fail=$((fail + 1)); echo "FAILED ptx-run $asks: no space"; fi
	done
fi
expect 255 "bad value" "--gpu=$(yes gfx1030 | head -n 20 | tr '\n' ,)" "$k"
expect 255 "bad value" --dump= "$k"
expect 255 "has nothing to dump" --dump=parse "$k"
expect 255 "max_lds is 65537, gfx1100 has 65536" --max-lds=65537 -o "$o" "$k"
expect 0 "" --max-lds=65536 -o "$o" "$k"
expect 0 "" --ftz=hardware -o "$o" "$k"
expect 0 "" --ftz exact -o "$o" "$k"
expect 0 "" --atomic-nan=exact -o "$o" "$k"
expect 255 "bad value: '--atomic-nan=quiet'" --atomic-nan=quiet -o "$o" "$k"
expect 255 "bad value: '--ftz=fast'" --ftz=fast -o "$o" "$k"
expect 255 "max_vgprs is 257" --max-vgprs=257 -o "$o" "$k"
expect 255 "max_scratch is 4294967295" --max-scratch=0xffffffff -o "$o" "$k"
# An indirect call that can reach nothing.
sed 's/{ ret; }/{ .reg .u64 a; mov.u64 a, 5; p: .callprototype _ (); call a, (), p; ret; }/' "$k" >"$tmp/nowhere.ptx"
expect 0 "line 4; warning : this call reaches no function" -o "$o" "$tmp/nowhere.ptx"
expect 255 "this call reaches no function" -Werror -o "$o" "$tmp/nowhere.ptx"
# One fault is printed once: of a name that a statement uses twice, for several chips.
once() {
	text=$1
	shift
	"$B/ptxas-amd" "$@" >"$tmp/out" 2>"$tmp/err"
	n=$(grep -cF -- "$text" "$tmp/err")
	if [ "$n" = 1 ]; then pass=$((pass + 1)); else fail=$((fail + 1)); echo "FAILED ptxas-amd $*: '$text' $n times"; fi
}
sed 's/{ ret; }/{ .reg .u32 a; add.u32 a, b, b; ret; }/' "$k" >"$tmp/unknown.ptx"
once "Unknown symbol 'b'" -o "$o" "$tmp/unknown.ptx"
once "this call reaches no function" --gpu=gfx1030,gfx1100 -o "$o" "$tmp/nowhere.ptx"
for tool in ir-opt amd-opt ptx-ir amd-as ptx-run ptxas-amd; do
	if "$B/$tool" --help 2>"$tmp/err" </dev/null | grep -q "^usage: $tool" && [ ! -s "$tmp/err" ]; then
		pass=$((pass + 1))
	else
		fail=$((fail + 1)); echo "FAILED $tool --help"
	fi
done
mkdir "$tmp/folder"
for tool in amd-opt ptx-ir amd-as ptx-run ptxas-amd; do
	for file in "$tmp/folder" "$tmp/nix"; do
		if "$B/$tool" "$file" >"$tmp/out" 2>"$tmp/err" </dev/null || ! grep -q "$(basename "$file")" "$tmp/err"; then
			fail=$((fail + 1)); echo "FAILED $tool $file"; cat "$tmp/err"
		else
			pass=$((pass + 1))
		fi
	done
done
# ptx-run says what is wrong with each value
for option in "--tiny foo" "--seed x" "--block 0" "--grid 0,1" "--arg u99:1" "--arg u8=300" "--shared y" "--max-insts -1"; do
	# shellcheck disable=SC2086
	"$B/ptx-run" $option "$k" >"$tmp/out" 2>"$tmp/err"
	if [ $? = 2 ] && grep -qF -- "${option##* }" "$tmp/err"; then
		pass=$((pass + 1))
	else
		fail=$((fail + 1)); echo "FAILED ptx-run $option"; cat "$tmp/err"
	fi
done
[ ! -e "$tmp/none.gfx1030" ] || { fail=$((fail + 1)); echo "FAILED: output for one chip where another is unknown"; }
echo "$pass passed, $fail failed"
[ $fail = 0 ]
