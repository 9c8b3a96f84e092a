#!/bin/sh
# island.sh: branches that do not reach. A loop of 320 KiB, its exit in front, a branch over all of it: they go through islands. The loop
# adds 1 to a register as often as it has such instructions, three times.
tmp=$B/check/emit-island; mkdir -p "$tmp"
pass=0; fail=0
for gpu in gfx1030 gfx1100; do
	awk -v gpu=$gpu 'BEGIN {
		print "param 0 8\nparam 8 4\nkernel far " gpu " allocated"
		print "abi kernarg_ptr=1 workitem_id_x=1 user_sgprs=16 kernarg_bytes=12"
		print "block 0: lane > 1, wave > 1"
		print "s[4:5] = s_load_dwordx2 s[0:1], undef:s1\ns8 = s_load_dword s[0:1], undef:s1 imm=8"
		print "v1 = v_lshlrev_b32 0x2, v0\nv2 = v_mov_b32 v0"
		print "block 1: lane 0 3 > 2 4, wave 0 3 > 2 4, depth 1, loop"
		print "scc = s_cmp_eq_u32 s8, 0x0\ns_cbranch_scc1 scc -> 4"
		print "block 2: lane 1 > 3, wave 1 > 3, depth 1"
		for (i = 0; i < 20000; i++) print "v2 = v_add3_u32 v2, 0x1, 0x0"
		print "block 3: lane 2 > 1, wave 2 > 1, depth 1"
		for (i = 0; i < 20000; i++) print "v2 = v_add3_u32 v2, 0x1, 0x0"
		print "s8, scc = s_add_i32 s8, 0xffffffff\ns_branch -> 1"
		print "block 4: lane 1 >, wave 1 >\nglobal_store_dword v1, v2, s[4:5]\ns_endpgm"
	}' >"$tmp/far.mir"
	awk 'BEGIN { for (i = 0; i < 32; i++) print i + 120000 }' >"$tmp/want"
	if "$B/amd-as" --waits -o "$tmp/far.co" "$tmp/far.mir" && "$B/ptx-run" --gpu $gpu --block 32 --arg 'u32:32>-' --arg u32=3 "$tmp/far.co" >"$tmp/got" 2>&1 &&
		cmp -s "$tmp/got" "$tmp/want"; then
		pass=$((pass + 1))
	else
		fail=$((fail + 1)); echo "FAILED: far $gpu"; head -n 5 "$tmp/got"
	fi
done
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
