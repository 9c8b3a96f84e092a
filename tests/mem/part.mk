# check-mem: barriers, atomics, memory spaces: small programs on the simulator against results that the host computes.
CHECKS += mem
check-mem: $(B)/ptxas-amd $(B)/ptx-run
	@B=$(B) tests/run-check.sh mem tests/mem/run.sh
.PHONY: check-mem
