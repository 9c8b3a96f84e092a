# check-options: the command line of ptxas-amd. check-docs: what the documents name is there.
CHECKS += options docs
check-options: $(B)/ptxas-amd
	@B=$(B) tests/run-check.sh options tests/tools/options.sh
check-docs:
	@B=$(B) tests/run-check.sh docs tests/tools/docs.sh
.PHONY: check-options check-docs
