#!/bin/sh
# elf.sh: the code objects' structure. ROCm's comgr and LLVM's readelf, where installed, must read them without complaint and find
# what is in them; two runs must give the same bytes.
tmp=$B/check/emit-elf; mkdir -p "$tmp"
pass=0; fail=0; skip=0
ok() { pass=$((pass + 1)); }
failed() { fail=$((fail + 1)); echo "FAILED: $*"; }
readelf=$(command -v llvm-readelf-22 || command -v llvm-readelf)
[ -n "$readelf" ] || echo "skipped: llvm-readelf is not installed"

has() { # has FILE PATTERN
	if grep -Eq "$2" "$1"; then ok; else failed "$object: readelf shows no '$2'"; fi
}

for gpu in gfx1030 gfx1100; do
	for t in globals call loop; do
		object=$tmp/$t.$gpu.co
		sed "s/GPU/$gpu/" "tests/emit/kernels/$t.mir" >"$tmp/$t.mir"
		for o in "$object" "$object.again"; do
			"$B/amd-as" --waits --hazards -o "$o" "$tmp/$t.mir" || failed "amd-as $t $gpu"
		done
		if cmp -s "$object" "$object.again"; then ok; else failed "$object is not reproducible"; fi
		out=$("$B/tests/emit/comgr" "$object" $gpu $t)
		case $out in
		ok) ok ;;
		"ok as v4") ok; skip=$((skip + 1)); echo "skipped: the installed comgr does not know code object v5, $object was read as v4" ;;
		unknown) if [ $gpu = gfx1030 ]; then failed "$object: comgr does not know its chip"; else
			skip=$((skip + 1)); echo "skipped: the installed comgr does not know $gpu"; fi ;;
		skipped*) echo "$out"; skip=$((skip + 1)) ;;
		*) failed "$object: $out" ;;
		esac
		[ -n "$readelf" ] || { skip=$((skip + 1)); continue; }
		"$readelf" -h -l -S -d -r -s --notes "$object" >"$tmp/text" 2>"$tmp/warnings"
		if [ -s "$tmp/warnings" ]; then failed "$object: $(cat "$tmp/warnings")"; else ok; fi
		has "$tmp/text" "OS/ABI: +AMDGPU - HSA"
		has "$tmp/text" "ABI Version: +3"
		has "$tmp/text" "Flags: .*$gpu"
		has "$tmp/text" "amdhsa.target: +.?amdgcn-amd-amdhsa--$gpu"
		has "$tmp/text" " FUNC +GLOBAL +PROTECTED +[0-9]+ $t\$"
		has "$tmp/text" " 64 OBJECT +GLOBAL +PROTECTED +[0-9]+ $t.kd\$"
		has "$tmp/text" "\.symbol: +$t.kd"
		has "$tmp/text" "\.kernarg_segment_size: +24"
		[ $t != globals ] || has "$tmp/text" "R_AMDGPU_RELATIVE64"
		[ $t != call ] || has "$tmp/text" "\.vgpr_count: +101"
	done
done
echo "$pass passed, $fail failed, $skip skipped"
[ $fail -eq 0 ]
