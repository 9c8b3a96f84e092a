#!/bin/sh
# plants.sh LITMUS: each wait and each invalidate of the memory model is taken out of the compiled code in turn; a litmus test must fail.
passed=0 failed=0
try() { # LITMUS PLANT KIND [SHAPE]
	for seeds in 25 200; do # rare ones want more
		out=$("$1" --only "${4:-mp_spin}" --seeds $seeds --plant "$2" --kind "$3") && rc=0 || rc=1
		printf '%s\n' "$out" | grep without | sed "s/\$/ ($3)/"
		[ $rc = 1 ] || break
	done
	if [ $rc = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
try "$1" gl0_inv release_acquire_cta
try "$1" gl0_inv fence_acq_rel_gpu
try "$1" gl1_inv release_acquire_gpu
try "$1" gl1_inv fence_sc_sys
try "$1" vscnt release_acquire_gpu
try "$1" vscnt red_release_gpu
try "$1" vscnt fence_acq_rel_cta
try "$1" vmcnt release_acquire_gpu
try "$1" lgkmcnt release_acquire_cta
try "$1" release release_acquire_cta
try "$1" release fence_acq_rel_gpu lb
echo "$passed passed, $failed failed"
