CHECKS += emit
check-emit: $(B)/amd-as $(B)/ptx-run
	@B=$(B) tests/run-check.sh emit tests/emit/run.sh
