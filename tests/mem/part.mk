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
