CHECKS += amd
check-amd: $(B)/amd-opt
	@mkdir -p $(B)/check
	@B=$(B) tests/run-check.sh amd tests/amd/check.sh
bless-amd: $(B)/amd-opt
	@mkdir -p $(B)/check
	@B=$(B) tests/amd/check.sh --bless
CHECKS += amd-run
check-amd-run: $(B)/amd-opt $(B)/amd-as $(B)/ptx-run
	@mkdir -p $(B)/check
	@B=$(B) tests/run-check.sh amd-run tests/amd/run.sh
