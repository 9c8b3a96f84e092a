#!/bin/bash
# test.sh PTX-RUN: the command line of ptx-run, on code objects that need no compiler.
run=$1
here=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
pass=0 fail=0
# expect NAME EXIT-CODE PATTERN COMMAND...: the code, and the pattern in stdout and stderr together
expect() {
	local name=$1 code=$2 pattern=$3 out rc
	shift 3
	out=$("$@" 2>&1)
	rc=$?
	if [ $rc -eq "$code" ] && grep -qE -- "$pattern" <<<"$out"; then
		pass=$((pass + 1))
	else
		fail=$((fail + 1))
		echo "FAIL $name: exit $rc (expected $code), output:"
		echo "$out" | head -n 5
	fi
}
obj=$here/asm/args.gfx1100.co
old=$here/asm/args.gfx1030.co
faults=$here/asm/faults.gfx1100.co
fill() { printf "$1" >"$tmp/$2"; }

expect help 0 'usage: ptx-run' "$run" --help
expect no_module 2 'no module given' "$run"
expect unknown_option 2 'unknown' "$run" --frobnicate 1 "$obj"
expect missing_value 2 'lacks its value' "$run" "$obj" --grid
expect two_modules 2 'more than one module' "$run" "$obj" "$obj"
expect no_file 2 'No such file' "$run" "$tmp/nothing"
expect unknown_gpu 2 'does not know this gpu' "$run" --gpu gfx9999 "$obj"
expect bad_grid 2 'expected X' "$run" --grid 0 "$obj"
expect bad_block 2 'expected X' "$run" --block 1,2,3,4 "$obj"
expect not_a_module 1 'ptxas' "$run" "$here/ptx-run/test.sh"
expect wrong_gpu 1 'is for gfx1100, the device is a gfx1030' "$run" --gpu gfx1030 "$obj"
expect entry_needed 2 'entry is needed.*kernels:.*plain' "$run" "$faults"
expect entry_unknown 2 'has no kernel nix; it has' "$run" --entry nix "$faults"
expect fault 3 'missing wait.*kernel wait_read.*v_add_nc_u32' "$run" --entry wait_read --arg u32:64 --block 64 "$faults"
expect runaway 3 'budget' "$run" --entry runaway --arg u32:64 --max-insts 1000 "$faults"
expect block_too_large 3 '1025 workitems' "$run" --entry plain --block 1025 --arg u32:64 "$faults"
expect print 0 '^5$' "$run" --entry plain --arg 'u32:64>-' "$faults"
expect trace 0 'v_add_nc_u32_e32 v2, 5, v0' "$run" --entry plain --trace --arg u32:64 "$faults"
expect profile 0 '^ +2 +[0-9]+ +18  v_add_nc_u32_e32 v2, 5, v0$' "$run" --entry plain --block 64 --profile --arg u32:64 "$faults"
expect stats 0 '^insts_vmem_store +2$' "$run" --entry plain --block 64 --stats --arg u32:64 "$faults"
expect stats_json 0 '^\{"kernel": "plain", "gpu": "gfx1100", "cycles": [0-9]+.*"insts_other": [0-9]+\}$' \
	"$run" --entry plain --block 64 --stats=json --arg u32:64 "$faults"

# args: copies its 16 argument bytes (u32 a, u8 b, u16 c, u64 d) and the first word of buffer p to the buffer o
expect too_few 2 'takes 6 arguments, 1 given' "$run" --arg u32=1 "$obj"
expect wrong_size 2 'argument 1 of args has 1 bytes' "$run" --arg u32=1 --arg u16=2 --arg u16=3 --arg u64=4 --arg u32:1 --arg u32:6 "$obj"
for bad in u8=256 s8=-129 u32=x u32 q32=1 u32:-1 f32=zz bytes=1 bytes:4 'u32:4@' 'u32:4>' u64=18446744073709551616; do
	expect "bad_arg $bad" 2 "argument \`$bad'" "$run" --arg "$bad" "$obj"
done
fill '\x01\x02\x03' short
for o in "$obj" "$old"; do
	expect values 0 '^0x11223344 0x000000fe 0x0000fffd 0x00000005 0xfffffffe 0x00030201 $' bash -c \
		"'$run' --arg u32=0x11223344 --arg s8=-2 --arg s16=-3 --arg s64=-8589934587 --arg u32:1@'$tmp/short' --arg 'b32:6>-' '$o' | tr '\n' ' '"
	expect floats 0 '^0x3fc00000 0x00000080 0x00003c01 0x00000000 0x3ff80000 0x00000000 $' bash -c \
		"'$run' --arg f32=1.5 --arg b8=0x80 --arg f16=1.001 --arg f64=1.5 --arg u32:1 --arg 'b32:6>-' '$o' | tr '\n' ' '"
	expect bf16 0 '^0x7f800000 0x00000000 0x00004049 ' bash -c \
		"'$run' --arg f32=0x7f800000 --arg u8=0 --arg bf16=3.14159 --arg f64=nan --arg u32:1 --arg 'b32:6>-' '$o' | tr '\n' ' '"
done
fill '\x07\x00\x00\x00' seven
expect file_out 0 '^$' "$run" --arg u32=7 --arg u8=0 --arg u16=0 --arg u64=0 --arg "u32:1@$tmp/seven" --arg "u32:6>$tmp/out" "$obj"
expect file_bytes 0 '^07000000000000000000000000000000 ?0000000007000000$' bash -c "od -An -tx1 -v '$tmp/out' | tr -d ' \n'"
expect endless_in 0 '^0x07$' "$run" --arg u32=1 --arg u8=0 --arg u16=0 --arg u64=0 --arg u32:1@/dev/zero --arg u32:6 \
	--global "counter@$tmp/seven" --global 'counter>-' "$obj"
expect print_signed 0 '^-1$' "$run" --arg u32=0xffffffff --arg u8=0 --arg u16=0 --arg u64=0 --arg u32:1 --arg 's32:6>-' "$obj"
expect print_f32 0 '^0\.100000001$' "$run" --arg f32=0.1 --arg u8=0 --arg u16=0 --arg u64=0 --arg u32:1 --arg 'f32:6>-' "$obj"
expect global_out 0 '^0x2a$' "$run" --arg u32=1 --arg u8=0 --arg u16=0 --arg u64=0 --arg u32:1 --arg u32:6 --global 'counter>-' "$obj"
expect global_in 0 '^0x07$' "$run" --arg u32=1 --arg u8=0 --arg u16=0 --arg u64=0 --arg u32:1 --arg u32:6 \
	--global "counter@$tmp/seven" --global 'counter>-' "$obj"
expect global_unknown 2 'no variable nix' "$run" --arg u32=1 --arg u8=0 --arg u16=0 --arg u64=0 --arg u32:1 --arg u32:6 \
	--global 'nix>-' "$obj"
# Loads may be merged of several that were aligned, stores are the program's own.
ptx() { printf '.version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .u64 a; .reg .u32 x<3>; .reg .u64 y;\n%s\n}\n' "$1"; }
ptx 'ld.param.u64 a, [p]; ld.global.u32 x0, [a+4]; ld.global.u32 x1, [a+8]; add.u32 x2, x0, x1; st.global.u32 [a], x2; ret;' >"$tmp/merged.ptx"
ptx 'ld.param.u64 a, [p]; mov.u64 y, 1; st.global.u64 [a+4], y; ret;' >"$tmp/misaligned.ptx"
fill '\0\0\0\0\002\0\0\0\003\0\0\0' words
expect merged_load 0 '^5$' "$run" --arg "s32:3@$tmp/words>-" "$tmp/merged.ptx"
expect misaligned_store 3 'not aligned to 8' "$run" --arg s32:4 "$tmp/misaligned.ptx"
# Padding is stored with the rest of a struct; what is written out of it gets a warning.
ptx 'ld.param.u64 a, [p]; mov.b32 x2, %tid.x; mov.b32 x1, s; mad.lo.u32 x2, x2, 4, x1; mov.b32 x0, 7; st.local.u8 [x2], x0; mov.b32 x2, %ctaid.x; mad.lo.u32 x2, x2, 4, x1; ld.local.u32 x1, [x2]; st.global.u32 [a], x1; ld.global.u8 x2, [a]; st.global.u32 [a+4], x2; ret;' |
	sed 's,^.reg .u64 a,.local .align 4 .b8 s[4096]; &,' >"$tmp/padding.ptx"
expect padding 0 "warning: .s32:2>-': 3 bytes have bits that were never given a value, the first is byte 1 .pc 0x" "$run" --arg 's32:2>-' "$tmp/padding.ptx"
expect padding_value 0 '^7$' "$run" --arg 's32:2>-' "$tmp/padding.ptx"
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
