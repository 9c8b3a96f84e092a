# check-options: the command line of ptxas-amd.
CHECKS += options
check-options: $(B)/ptxas-amd
	@B=$(B) tests/run-check.sh options tests/tools/options.sh
.PHONY: check-options
