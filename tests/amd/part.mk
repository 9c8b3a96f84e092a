CHECKS += amd
check-amd: $(B)/amd-opt
	@mkdir -p $(B)/check
	@B=$(B) tests/run-check.sh amd tests/amd/check.sh
bless-amd: $(B)/amd-opt
	@mkdir -p $(B)/check
	@B=$(B) tests/amd/check.sh --bless
