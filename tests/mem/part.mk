# check-mem: barriers, atomics, memory spaces: small programs on the simulator against results that the host computes.
CHECKS += mem
check-mem: $(B)/ptxas-amd $(B)/ptx-run
	@B=$(B) tests/run-check.sh mem tests/mem/run.sh
.PHONY: check-mem
# Local arrays: which become registers, beside clang's decisions. record.py made the kernels and clang.tsv.
CHECKS += mem-shapes
check-mem-shapes: $(B)/ptxas-amd $(B)/ptx-run
	@B=$(B) tests/run-check.sh mem-shapes tests/mem/shapes/check.sh
.PHONY: check-mem-shapes

# check-local-arrays: bench/local_arrays, the same at -O0 and -O3, and as many in registers as bench/LOCAL_ARRAYS.md says.
CHECKS += local-arrays
check-local-arrays: all
	@B=$(B) tests/run-check.sh local-arrays bench/local_arrays/run.sh check
bench-local-arrays: all
	@B=$(B) bench/local_arrays/run.sh table >bench/LOCAL_ARRAYS.md
.PHONY: bench-local-arrays
