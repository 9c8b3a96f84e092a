#!/bin/sh
# vopd.sh: random straight code of instructions that can be paired, on 16 registers, gives the same with and without amd_vopd; pairs are
# there, and LLVM agrees with their encoding.
tmp=$B/check/emit-vopd; mkdir -p "$tmp"
pass=0; fail=0
failed() { fail=$((fail + 1)); echo "FAILED: $*"; }
for seed in ${SEEDS:-1 2 3 4 5 6 7 8 9 10}; do
	awk -v seed=$seed 'function r(n) { return int(rand() * n) }
	function v() { return "v" (2 + 8 * int_ + r(8)) } # integers and floats apart: which NaN comes out is not fixed
	function src() { x = r(8); return x == 0 ? "s" (int_ ? 8 : 9 + r(2)) : x == 1 ? "0x" (r(2) ? "40490fdb" : "3f800000") : x == 2 && int_ ? "0x3" : v() }
	BEGIN {
		srand(seed)
		print "param 0 8\nkernel pairs gfx1100 allocated"
		print "abi kernarg_ptr=1 workitem_id_x=1 user_sgprs=16 kernarg_bytes=8"
		print "block 0: lane >, wave >\ns[4:5] = s_load_dwordx2 s[0:1], undef:s1\nv1 = v_lshlrev_b32 0x2, v0"
		print "s8 = s_mov_b32 0x7\ns9 = s_mov_b32 0x40000000\ns10 = s_mov_b32 0xbf800000\nvcc_lo = s_mov_b32 0x5a5a1234"
		for (i = 2; i < 10; i++) print "v" i " = v_cvt_f32_u32 v0\nv" i " = v_add_f32 0x4" i "000000, v" i
		for (i = 10; i < 18; i++) print "v" i " = v_add_nc_u32 0x" i "0000, v0"
		for (i = 0; i < 300; i++) {
			if (!r(20)) print "s_waitcnt imm=64519"
			op = r(14); int_ = op > 11 || (op < 3 && op > 0 && r(2)); d = v()
			if (op == 0) print d " = v_fmac_f32 " src() ", " v() ", " d
			else if (op == 1) print d " = v_mov_b32 " src()
			else if (op == 2) print d " = v_cndmask_b32 " src() ", " v() ", vcc_lo"
			else if (op == 3) print d " = v_fma_f32 " v() ", " v() ", " d
			else if (op == 4) print d " = v_rcp_f32 " v()
			else if (op == 5) print "vcc_lo = v_cmp_lt_f32 " v() ", " v()
			else print d " = v_" (op == 6 ? "mul_f32" : op == 7 ? "add_f32" : op == 8 ? "sub_f32" : op == 9 ? "subrev_f32" : op == 10 ? "max_f32" : op == 11 ? "min_f32" : op == 12 ? "add_nc_u32" : r(2) ? "lshlrev_b32" : "and_b32") " " src() ", " v()
		}
		for (i = 2; i < 18; i++) print "global_store_dword v1, v" i ", s[4:5] imm=" (i - 2) * 128
		print "s_endpgm"
	}' >"$tmp/pairs.mir"
	for extra in "" --vopd; do
		if "$B/amd-as" --verify --waits $extra --hazards -o "$tmp/pairs$extra.co" "$tmp/pairs.mir" 2>"$tmp/err" &&
			"$B/ptx-run" --gpu gfx1100 --block 32 --arg 'u32:512>-' "$tmp/pairs$extra.co" >"$tmp/got$extra" 2>"$tmp/err"; then
			pass=$((pass + 1))
		else
			failed "seed $seed $extra: $(cat "$tmp/err")"
		fi
	done
	if cmp -s "$tmp/got" "$tmp/got--vopd"; then pass=$((pass + 1)); else failed "seed $seed: other results"; fi
	n=$("$B/amd-as" -S --waits --vopd --hazards "$tmp/pairs.mir" | grep -c v_dual_)
	if [ "$n" -gt 20 ]; then pass=$((pass + 1)); else failed "seed $seed: $n pairs"; fi
done
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
